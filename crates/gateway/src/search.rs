//! The search: indexes of what clients may see, and what their searches teach.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use super::catalog::{Catalog, Tool};
use super::clients::{Change, Changes};
use super::gate::Gate;
use super::gate::bridge::{Answer, Bridge, PART_TOOLS};
use super::gate::kept::{KeptFile, LEAST_TOOLS};
use super::indexes::{Extent, Indexed, Indexes, LARGE_TOOLS, Promise, Viewer};
use super::names::SEARCH;
use super::options::Current;
use super::phrases::Phrases;
use super::phrases::learnt::{Called, Learnt};
use super::phrases::written::Written;
use super::servers::Servers;
use super::session::{Client, Session};

/// An index of all tools, unless there is one.
const WHOLE: (Extent, bool) = (Extent::Whole, false);

/// Users who see all tools, and for whom an index with what they taught is kept.
const MAX_LEARNERS: usize = 8;

/// What a search goes through.
#[derive(Debug)]
pub(crate) struct AtHand {
    pub(crate) bridge: Arc<Bridge>,
    /// The tools that the client may see now.
    pub(crate) catalog: Arc<Catalog>,
    /// Whether it is the index of these tools.
    pub(crate) is_whole: bool,
}

/// See the module. Clones of an owner's `Arc` go into what it does in the background.
#[derive(Debug)]
pub(crate) struct Search {
    options: Current,
    gate: Gate,
    changes: Changes,
    indexes: Arc<Indexes<Bridge>>,
    /// Whether clients are told when the index is there, and when the component is loaded.
    index_awaited: AtomicBool,
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
            index_awaited: AtomicBool::new(false),
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

    /// Has the index of a catalog made in the background.
    fn make_index(
        &self,
        servers: &Servers,
        viewer: &Viewer,
        catalog: &Arc<Catalog>,
        (extent, anew): (Extent, bool),
    ) -> Promise<Bridge> {
        let learners = self.learnt.users().len().min(MAX_LEARNERS);
        let most = 1 + servers.profiles_known() + learners;
        let (gate, of, learner) = (self.gate.clone(), Arc::clone(catalog), viewer.learner.clone());
        let kept = self.kept_index(servers, viewer, catalog);
        let options = self.options.now();
        self.indexes.make(viewer.clone(), catalog, (extent, anew), most, move || async move {
            let phrases = phrases_for(&options.state_dir, learner.as_deref()).await;
            let file = (extent == Extent::Whole).then_some(kept).flatten();
            gate.bridge(&of, phrases, extent, file).await
        })
    }

    /// The file of an index, where it takes longer to make than to load.
    fn kept_index(
        &self,
        servers: &Servers,
        viewer: &Viewer,
        catalog: &Catalog,
    ) -> Option<KeptFile> {
        let is_large = catalog.tools().len() >= LEAST_TOOLS;
        let dir = self.options.now().state_dir.join("indexes");
        let (viewer, servers) = (format!("{viewer:?}"), servers.all());
        let servers = servers.iter().map(|upstream| &*upstream.spec.key);
        is_large.then(|| KeptFile::new(&dir, &viewer, servers))
    }

    /// The bridge tools over these tools, which are all that this client may see.
    pub(crate) async fn bridge(
        &self,
        servers: &Servers,
        session: &Session,
        catalog: &Arc<Catalog>,
    ) -> Option<Arc<Bridge>> {
        self.bridge_of(servers, &self.viewer(session), catalog).await
    }

    /// What `tool_search` answers this client, not counted and in any mode.
    pub(crate) async fn answer(&self, servers: &Servers, session: &Session, query: &str) -> String {
        let arguments = serde_json::json!({"queries": [query]}).to_string();
        let catalog = servers.catalog_for(session);
        let Some(bridge) = self.bridge(servers, session, &catalog).await else {
            return "tools cannot be searched now".to_owned();
        };
        match self.gate.ask_bridge(&bridge, SEARCH, &arguments).await {
            Ok(Answer::Text { text, .. }) => text,
            Ok(Answer::Dispatch(_)) => String::new(),
            Err(error) => format!("tools cannot be searched now: {error}"),
        }
    }

    async fn bridge_of(
        &self,
        servers: &Servers,
        viewer: &Viewer,
        catalog: &Arc<Catalog>,
    ) -> Option<Arc<Bridge>> {
        match self.make_index(servers, viewer, catalog, WHOLE).kept().await {
            Ok(made) => Some(made.index),
            Err(error) => {
                tracing::warn!(
                    "the tools are listed one by one, as they cannot be searched: {error}"
                );
                None
            }
        }
    }

    /// The same with the index that there is, when the one of all tools takes long to make.
    pub(crate) async fn at_hand(
        &self,
        servers: &Servers,
        session: &Session,
        catalog: Arc<Catalog>,
    ) -> Option<AtHand> {
        let viewer = self.viewer(session);
        if !self.takes_long(&viewer, &catalog) {
            let bridge = self.bridge_of(servers, &viewer, &catalog).await?;
            return Some(AtHand { bridge, catalog, is_whole: true });
        }
        let untaught = viewer.untaught();
        let found = self.indexes.ready(&untaught, &catalog);
        let found = found.or_else(|| self.indexes.latest(&viewer));
        let found = found.or_else(|| self.indexes.latest(&untaught));
        // The index of a list that is still coming would be out of date before it is made, and take its room beside the
        // one that is searched.
        let listing = servers.is_listing();
        let suffices = |found: &Indexed<Bridge>| !listing || found.of.tools().len() >= PART_TOOLS;
        let part = match &found {
            Some(found) if suffices(found) => None,
            _ => Some(self.make_index(servers, &viewer, &catalog, (Extent::Part, false))),
        };
        let found = match part {
            Some(part) => part.kept().await.ok().or(found),
            None => found,
        };
        // Behind the part, which somebody waits for: the two would share the processors.
        let whole = (!listing).then(|| self.make_index(servers, &viewer, &catalog, WHOLE));
        let found = match (found, whole) {
            (Some(found), _) => found,
            (None, whole) => {
                let whole =
                    whole.unwrap_or_else(|| self.make_index(servers, &viewer, &catalog, WHOLE));
                whole.kept().await.ok()?
            }
        };
        let is_whole = found.extent == Extent::Whole && Arc::ptr_eq(&found.of, &catalog);
        Some(AtHand { bridge: found.index, catalog, is_whole })
    }

    /// Whether an index is still to be made, and takes so long that a search does not wait for it.
    fn takes_long(&self, viewer: &Viewer, catalog: &Arc<Catalog>) -> bool {
        catalog.tools().len() > LARGE_TOOLS && self.indexes.ready(viewer, catalog).is_none()
    }

    /// The bridge tools as they are listed for a client; none as long as the index that they are listed by is being
    /// made. Clients are told when it is there.
    pub(crate) async fn listed(
        self: &Arc<Self>,
        servers: &Arc<Servers>,
        session: &Session,
        catalog: &Arc<Catalog>,
    ) -> Option<Option<Arc<Bridge>>> {
        let viewer = self.viewer(session);
        if !self.takes_long(&viewer, catalog) {
            return self.bridge_of(servers, &viewer, catalog).await.map(Some);
        }
        if !self.index_awaited.swap(true, Ordering::SeqCst) {
            let (this, servers) = (Arc::clone(self), Arc::clone(servers));
            tokio::spawn(async move {
                for upstream in servers.all().iter() {
                    upstream.whole_list().await;
                }
                let catalog = catalog_of(&servers, &viewer);
                let made = this.make_index(&servers, &viewer, &catalog, WHOLE).kept().await;
                this.index_awaited.store(false, Ordering::SeqCst);
                if made.is_ok() {
                    this.changes.tell(Change::Tools);
                }
            });
        }
        Some(None)
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

    /// Begins with the indexes of large catalogs that changed, for those who have searched, once the lists are whole.
    pub(crate) fn index_soon(&self, servers: &Servers) {
        if servers.is_listing() {
            return;
        }
        for viewer in self.indexes.viewers() {
            let catalog = catalog_of(servers, &viewer);
            if self.takes_long(&viewer, &catalog) {
                drop(self.make_index(servers, &viewer, &catalog, WHOLE));
            }
        }
    }

    // --- what searches teach

    /// Takes note of what a client was shown for its search: a call of one of these tools may follow.
    pub(crate) fn note_answer(&self, session: &Session, answer: &str) {
        self.learnt.note_search(&session.who.key, answer);
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
                let anew = (Extent::Whole, true);
                let _ = this.make_index(&servers, &viewer, &catalog, anew).kept().await;
            }
        });
    }
}

/// All tools that a viewer may see.
fn catalog_of(servers: &Servers, viewer: &Viewer) -> Arc<Catalog> {
    match viewer.profile() {
        Some(profile) => servers.catalog_of(profile),
        None => servers.catalog(),
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
