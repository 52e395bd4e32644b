//! The gateway itself: four owners of what it remembers, and its beginning and end.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::sync::mpsc;

use crate::clients::session::Session;
use crate::clients::{Change, Changes, Clients};
use crate::operations::Operations;
use crate::operations::common::Common;
use crate::operations::gate::Gate;
use crate::options::Current;
use crate::options::Options;
use crate::search::Search;
use crate::servers::Servers;
use crate::servers::hearing::{self, Hearing};
use crate::servers::spec::ServerSpec;
use weir_base::create_private_dir;

/// How long servers that are watched over have to end when the gateway ends, and others.
const GOODBYE: Duration = Duration::from_millis(600);
const LONG_GOODBYE: Duration = Duration::from_secs(5);

/// The gateway. One for any number of clients. What it has to remember is with four owners, each with its own locks;
/// none calls another while it holds one.
#[derive(Debug)]
pub struct Gateway {
    pub(crate) options: Current,
    pub(crate) gate: Gate,
    pub(crate) changes: Changes,
    /// The servers and their tools.
    pub servers: Arc<Servers>,
    pub(crate) clients: Arc<Clients>,
    pub(crate) search: Arc<Search>,
    /// What is under way, and what it costs.
    pub operations: Arc<Operations>,
}

impl Gateway {
    /// A gateway to these servers. None is started yet. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// When the folder for its files cannot be made.
    pub fn new(
        servers: Vec<ServerSpec>,
        gate: Gate,
        options: Options,
    ) -> std::io::Result<Arc<Gateway>> {
        let spool_dir = options.state_dir.join("spool");
        create_private_dir(&spool_dir)?;
        let (options, changes) = (Current::new(options), Changes::default());
        let (happenings, heard) = mpsc::channel(256);
        let outside = (happenings, gate.screen());
        let servers = Servers::new(servers, options.clone(), spool_dir, outside, changes.clone());
        let gateway = Arc::new(Gateway {
            servers: Arc::new(servers),
            clients: Arc::new(Clients::new(options.clone(), changes.clone())),
            search: Arc::new(Search::new(options.clone(), gate.clone(), changes.clone())),
            operations: Arc::new(Operations::new(options.clone())),
            options,
            gate,
            changes,
        });
        let hearing = Hearing {
            servers: Arc::downgrade(&gateway.servers),
            clients: Arc::clone(&gateway.clients),
            operations: Arc::clone(&gateway.operations),
            options: gateway.options.clone(),
            changes: gateway.changes.clone(),
        };
        tokio::spawn(hearing::hear(hearing, heard));
        if let Some(common) = gateway.options().common.clone() {
            tokio::spawn(follow(common, Arc::downgrade(&gateway)));
        }
        Ok(gateway)
    }

    /// How it behaves now.
    pub fn options(&self) -> Arc<Options> {
        self.options.now()
    }

    /// Takes over how it is to behave from now on. Where its files are stays as it is.
    pub fn set_options(&self, options: Options) {
        let old = self.options();
        let (guard, people, common) = (old.guard.clone(), old.people.clone(), old.common.clone());
        let state_dir = old.state_dir.clone();
        let new = Options { state_dir, guard, people, common, ..options };
        if new.parallel_starts != old.parallel_starts {
            self.servers.set_starts(new.parallel_starts);
        }
        self.operations.set_audit(new.audit.clone());
        let renamed = new.naming != old.naming || !new.offered.sees_as(&old.offered);
        let shown = (new.mode, new.auto_tokens) != (old.mode, old.auto_tokens);
        self.options.set(new);
        if renamed {
            self.servers.lists_differ();
        }
        if shown {
            self.changes.tell(Change::Tools);
        }
    }

    /// Takes note of a client.
    pub fn welcome(&self, session: &Arc<Session>) {
        self.servers.note_level(session);
        self.clients.welcome(session);
    }

    /// Says that a client is gone: what it had under way is cancelled.
    pub async fn farewell(&self, session: &Session) {
        session.cancel_all();
        self.servers.farewell(session).await;
        self.clients.farewell(session);
    }

    /// Ends all servers.
    pub async fn shut_down(&self) {
        self.changes.tell(Change::Ending);
        // Those that take longer are ended by their guards, once we are gone.
        let patience = if self.options().guard.is_some() { GOODBYE } else { LONG_GOODBYE };
        self.servers.stop(patience).await;
        self.servers.flush().await;
        self.operations.flush().await;
    }
}

/// Takes over what other gateways learn, for as long as this one runs.
async fn follow(common: Common, gateway: Weak<Gateway>) {
    loop {
        common.exchange().await;
        let Some(gateway) = gateway.upgrade() else { return };
        let news = common.news();
        if news.iter().any(|name| name.starts_with("servers/")) {
            gateway.servers.learned_elsewhere(&news);
        }
        if news.iter().any(|name| ["learnt.json", "phrases.json"].contains(&name.as_str())) {
            gateway.search.taught_elsewhere();
        }
        drop(gateway);
        common.pause().await;
    }
}
