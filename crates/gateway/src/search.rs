//! The search: indexes of what clients may see, and what their searches teach.

pub mod catalog;
pub mod embeddings;
pub mod glob;
pub(crate) mod indexes;
pub(crate) mod names;
pub mod phrases;
pub(crate) mod siblings;
pub(crate) mod skills;
pub(crate) mod told;
pub mod toolsets;
pub mod worth;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crate::clients::session::{Client, Session};
use crate::clients::{Change, Changes};
use crate::operations::gate::Gate;
use crate::operations::gate::bridge::{Answer, Bridge};
use crate::options::Current;
use crate::search::catalog::{Catalog, Tool};
use crate::search::indexes::{Indexes, Promise, Viewer};
use crate::search::phrases::Phrases;
use crate::search::phrases::learnt::{Called, Learnt};
use crate::search::phrases::written::Written;
use crate::servers::Servers;

/// Users who see all tools, and for whom an index with what they taught is kept.
const MAX_LEARNERS: usize = 8;

/// See the module.
#[derive(Debug)]
pub(crate) struct Search {
    options: Current,
    gate: Gate,
    changes: Changes,
    indexes: Arc<Indexes<Bridge>>,
    /// Whether clients are told when the component is loaded.
    component_awaited: AtomicBool,
    /// What searches taught.
    learnt: Learnt,
    /// How often something was learnt, and held while the index is made anew for it.
    taught: AtomicU64,
    relearning: tokio::sync::Mutex<()>,
}

impl Search {
    pub(crate) fn new(options: Current, gate: Gate, changes: Changes) -> Search {
        let learnt = Learnt::new(&options.now().state_dir);
        Search {
            options,
            gate,
            changes,
            indexes: Arc::default(),
            component_awaited: AtomicBool::new(false),
            learnt,
            taught: AtomicU64::new(0),
            relearning: tokio::sync::Mutex::default(),
        }
    }

    fn viewer(&self, session: &Session) -> Viewer {
        Viewer::new(&session.who.profile, self.learner(session))
    }

    /// The user whose searches count for a client, when they taught something.
    fn learner(&self, session: &Session) -> Option<String> {
        let user = &session.who.profile.name;
        (self.options.now().learn && self.learnt.users().contains(user)).then(|| user.clone())
    }

    /// Has the index of a catalog made in the background; `anew` also where there is one.
    fn make_index(
        &self,
        servers: &Servers,
        viewer: &Viewer,
        catalog: &Arc<Catalog>,
        anew: bool,
    ) -> Promise<Bridge> {
        let learners = self.learnt.users().len().min(MAX_LEARNERS);
        let most = 1 + servers.profiles_known() + learners;
        let (gate, of, learner) = (self.gate.clone(), Arc::clone(catalog), viewer.learner.clone());
        let options = self.options.now();
        self.indexes.make(viewer.clone(), catalog, anew, most, move || async move {
            let phrases = phrases_for(&options.state_dir, learner.as_deref()).await;
            gate.bridge(&of, phrases).await
        })
    }

    /// The bridge tools over these tools, which are all that this client may see.
    pub(crate) async fn bridge(
        &self,
        servers: &Servers,
        session: &Session,
        catalog: &Arc<Catalog>,
    ) -> Option<Arc<Bridge>> {
        match self.make_index(servers, &self.viewer(session), catalog, false).kept().await {
            Ok(bridge) => Some(bridge),
            Err(error) => {
                tracing::warn!(
                    "the tools are listed one by one, as they cannot be searched: {error}"
                );
                None
            }
        }
    }

    /// What `tool_search` or `tool_describe` answers this client, not counted and in any mode.
    pub(crate) async fn answer(
        &self,
        servers: &Servers,
        session: &Session,
        tool: &str,
        arguments: &str,
    ) -> String {
        let catalog = servers.catalog_for(session);
        let Some(bridge) = self.bridge(servers, session, &catalog).await else {
            return "tools cannot be searched now".to_owned();
        };
        match self.gate.ask_bridge(&bridge, tool, arguments).await {
            Ok(Answer::Text { text, .. }) => text,
            Ok(Answer::Dispatch(_)) => String::new(),
            Err(error) => format!("tools cannot be searched now: {error}"),
        }
    }

    /// Tells clients to list the tools again once the component is loaded.
    pub(crate) fn list_again_when_loaded(&self) {
        if self.component_awaited.swap(true, Ordering::SeqCst) {
            return;
        }
        let (gate, changes) = (self.gate.clone(), self.changes.clone());
        tokio::spawn(async move {
            if gate.weir().await.is_ok() {
                changes.tell(Change::Tools);
            }
        });
    }

    // --- what searches teach

    /// Takes note of what a client was shown for its search: a call of one of these tools may follow.
    pub(crate) fn note_answer(&self, session: &Session, answer: &str) {
        self.learnt.note_search(&session.who.key, answer);
    }

    /// What another gateway learnt counts here.
    pub(crate) fn taught_elsewhere(&self) {
        self.learnt.read_again();
        self.indexes.forget();
    }

    /// A call through the bridge succeeded: the search that found the tool may teach it its words.
    pub(crate) async fn learn(
        self: &Arc<Self>,
        servers: &Arc<Servers>,
        client: &Client,
        tool: &Tool,
    ) {
        if !self.options.now().learn {
            return;
        }
        let (this, session, tool) = (Arc::clone(self), Arc::clone(&client.session), tool.clone());
        let taught = tokio::task::spawn_blocking(move || {
            let called =
                Called { name: &tool.name, server: tool.upstream.name(), own_name: &tool.own_name };
            let who = &session.who;
            this.learnt.note_call(&who.key, &who.profile.name, called)
        });
        match taught.await {
            Ok(Ok(true)) => {}
            Ok(Err(error)) => {
                return tracing::warn!("what was searched is not learnt: {error}");
            }
            _ => return,
        }
        let number = self.taught.fetch_add(1, Ordering::SeqCst) + 1;
        let (this, servers) = (Arc::clone(self), Arc::clone(servers));
        let session = Arc::clone(&client.session);
        tokio::spawn(async move {
            let _one_at_a_time = this.relearning.lock().await;
            // What was learnt meanwhile is in the index that the last of them makes. Searches go on with the one
            // there is.
            if this.taught.load(Ordering::SeqCst) == number {
                let (catalog, viewer) = (servers.catalog_for(&session), this.viewer(&session));
                let _ = this.make_index(&servers, &viewer, &catalog, true).kept().await;
            }
        });
    }
}

/// The phrases that count beside those of the configuration, with what this user's searches taught.
async fn phrases_for(state_dir: &Path, learner: Option<&str>) -> Phrases {
    let (state_dir, learner) = (state_dir.to_owned(), learner.map(str::to_owned));
    let read = tokio::task::spawn_blocking(move || {
        let written = Written::new(&state_dir).load().unwrap_or_else(|error| {
            tracing::warn!("phrases.json cannot be read, and is left out: {error}");
            BTreeMap::new()
        });
        let learnt = learner.map(|user| Learnt::new(&state_dir).of(&user));
        Phrases { written, learnt: learnt.unwrap_or_default() }
    });
    read.await.unwrap_or_default()
}
