//! The clients: who is there, what each was shown, and what they hear of beside their answers.

pub mod http;
pub mod identity;
pub(crate) mod profile;
pub(crate) mod server;
pub mod session;
#[cfg(unix)]
pub mod shared;
pub mod stdio;
pub(crate) mod visitors;

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::broadcast;
use weir_base::Mutex;

use crate::clients::profile::Mode;
use crate::clients::session::Session;
use crate::clients::visitors::Visitors;
use crate::options::Current;
use crate::search::catalog::Catalog;
use crate::search::names::as_subscribed;
use weir_mcp::connection::Owner;
use weir_mcp::json::Json;
use weir_mcp::methods::{capability_of, notice};
use weir_mcp::wire::Notification;

/// How long changes are gathered before clients are told, once, of all of them.
const GATHER: Duration = Duration::from_millis(100);

/// Clients of which it is remembered what they were shown.
const MAX_SHOWN: usize = 10_000;

/// What a client is told when it missed changes: to list anew.
pub(crate) const LISTS: [&str; 3] = [notice::TOOLS, notice::PROMPTS, notice::RESOURCES];

/// Something that clients may want to hear of.
#[derive(Debug, Clone)]
pub(crate) enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources or of templates.
    Resources,
    /// One resource, of whom it concerns: the notification's parameters, with the client's URI.
    Resource(Option<Owner>, Json),
    /// This server said something: to the legacy client of this session, or to all of them that have the server.
    Said(String, Option<Owner>, Notification),
    /// The gateway ends.
    Ending,
}

/// Where changes are told. Whoever learns of one has it.
#[derive(Debug, Clone)]
pub(crate) struct Changes {
    sender: broadcast::Sender<Change>,
    /// Whether a client has listed the tools: before, nobody need be told that they changed.
    listed: Arc<AtomicBool>,
}

impl Default for Changes {
    fn default() -> Changes {
        Changes { sender: broadcast::channel(256).0, listed: Arc::default() }
    }
}

impl Changes {
    pub(crate) fn tell(&self, change: Change) {
        // Nobody listening is no failure.
        let _ = self.sender.send(change);
    }

    /// Tells that the tools changed, to whoever has seen others.
    pub(crate) fn tools_differ(&self) {
        if self.listed.load(Ordering::SeqCst) {
            let this = self.clone();
            tokio::spawn(async move {
                tokio::time::sleep(GATHER).await;
                this.tell(Change::Tools);
            });
        }
    }

    /// Takes note that a client sees the tools as they are now.
    pub(crate) fn note_list(&self) {
        self.listed.store(true, Ordering::SeqCst);
    }

    pub(crate) fn heard(&self) -> broadcast::Receiver<Change> {
        self.sender.subscribe()
    }
}

/// See the module.
#[derive(Debug)]
pub(crate) struct Clients {
    options: Current,
    changes: Changes,
    sessions: Mutex<Vec<Weak<Session>>>,
    /// Which clients were shown the bridge tools in place of all, by the endpoint they came to.
    shown: Mutex<BTreeSet<(Arc<str>, Option<Mode>)>>,
    /// Who was here lately.
    pub(crate) visitors: Visitors,
}

impl Clients {
    pub(crate) fn new(options: Current, changes: Changes) -> Clients {
        Clients {
            options,
            changes,
            sessions: Mutex::default(),
            shown: Mutex::default(),
            visitors: Visitors::default(),
        }
    }

    /// Takes note of a client.
    pub(crate) fn welcome(&self, session: &Arc<Session>) {
        let mut sessions = self.sessions.lock();
        sessions.retain(|session| session.strong_count() > 0);
        sessions.push(Arc::downgrade(session));
        drop(sessions);
        tokio::spawn(tell(self.changes.heard(), Arc::clone(session)));
    }

    /// Forgets a client that is gone.
    pub(crate) fn farewell(&self, session: &Session) {
        self.shown.lock().retain(|(key, _)| *key != session.who.key);
        self.visitors.forget(&session.who.key);
    }

    /// The client to ask what a server asks outside of a call that could pass it on: the one that the
    /// server works for, else the only one there is. What one client is asked is not for another.
    pub(crate) fn someone_to_ask(
        &self,
        method: &str,
        owner: Option<Owner>,
    ) -> Option<Arc<Session>> {
        let capability = capability_of(method)?;
        let mut sessions: Vec<Arc<Session>> =
            self.sessions.lock().iter().filter_map(Weak::upgrade).collect();
        sessions.retain(|session| {
            !session.outlet.is_closed() && owner.as_ref().is_none_or(|owner| session.is_of(owner))
        });
        let [session] = &sessions[..] else { return None };
        let hello = session.hello()?;
        hello.capabilities.get(&[capability])?;
        Some(Arc::clone(session))
    }

    /// What this client is shown.
    pub(crate) fn mode_of(&self, session: &Session) -> Mode {
        session.mode.unwrap_or(self.options.now().mode)
    }

    /// From now on the client is shown the bridge tools, however few tools there turn out to be.
    pub(crate) fn stay_bridged(&self, session: &Session) {
        let mut shown = self.shown.lock();
        if shown.len() < MAX_SHOWN {
            shown.insert((Arc::clone(&session.who.key), session.mode));
        }
    }

    /// Whether a client is shown the bridge tools. One that was shown them once is not shown more later.
    pub(crate) fn is_bridged(&self, session: &Session, catalog: &Catalog) -> bool {
        match self.mode_of(session) {
            Mode::Passthrough => false,
            Mode::Bridge => true,
            Mode::Auto => {
                // Skills are found by searching, and in no other way.
                catalog.skills().next().is_some()
                    || catalog.definition_tokens()
                        > self.options.now().most_tokens(catalog.callable().count())
                    || self.shown.lock().contains(&(Arc::clone(&session.who.key), session.mode))
            }
        }
    }
}

/// Tells a legacy client what changes, until it is gone.
async fn tell(mut changes: broadcast::Receiver<Change>, session: Arc<Session>) {
    loop {
        let change = tokio::select! {
            change = changes.recv() => change,
            () = session.outlet.closed() => return,
        };
        if session.hello().is_none() {
            if matches!(change, Err(broadcast::error::RecvError::Closed)) {
                return;
            }
            continue;
        }
        let message = match change {
            Ok(Change::Tools) => (notice::TOOLS.to_owned(), None),
            Ok(Change::Prompts) => (notice::PROMPTS.to_owned(), None),
            Ok(Change::Resources) => (notice::RESOURCES.to_owned(), None),
            Ok(Change::Resource(of, params)) => {
                let uris = session.subscriptions.lock().clone();
                let Some(params) = as_subscribed(&uris, params) else { continue };
                if of.is_some_and(|of| !session.is_of(&of)) {
                    continue;
                }
                (notice::UPDATED.to_owned(), Some(params))
            }
            Ok(Change::Said(server, to, notification)) => {
                let has = session.who.profile.may_admit_tools_of(&server);
                if !has || to.is_some_and(|to| !session.is_of(&to)) {
                    continue;
                }
                let level = notification
                    .params
                    .as_ref()
                    .and_then(|params| params.text_at(&["level"]))
                    .unwrap_or_default();
                if notification.method == notice::MESSAGE && !session.wants_log(&level) {
                    continue;
                }
                (notification.method, notification.params)
            }
            Ok(Change::Ending) | Err(broadcast::error::RecvError::Closed) => return,
            Err(broadcast::error::RecvError::Lagged(_)) => {
                for method in LISTS {
                    session.outlet.notify(method, None).await;
                }
                continue;
            }
        };
        session.outlet.notify(&message.0, message.1.as_ref()).await;
    }
}
