//! Which index a client's searches go through: that of all its tools, or what there is until that one is made.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::catalog::Catalog;
use crate::gate::bridge::{Answer, Bridge, PART_TOOLS};
use crate::gate::kept::{KeptFile, LEAST_TOOLS};
use crate::indexes::{Extent, Indexed, LARGE_TOOLS, Promise, Viewer};
use crate::names::SEARCH;
use crate::session::{Client, Session};
use crate::told::Unsearched;
use crate::upstream::Upstream;
use crate::{Change, Gateway};

/// An index of all tools, unless there is one.
const WHOLE: (Extent, bool) = (Extent::Whole, false);

/// Users who see all tools, and for whom an index with what they taught is kept.
const MAX_LEARNERS: usize = 8;

/// What a search goes through.
#[derive(Debug)]
pub(super) struct AtHand {
    pub(super) bridge: Arc<Bridge>,
    /// The tools that the client may see now.
    pub(super) catalog: Arc<Catalog>,
    /// Whether it is the index of these tools.
    pub(super) is_whole: bool,
    /// What was not among these tools when they were taken.
    pub(super) unsearched: Vec<Unsearched>,
}

impl Gateway {
    fn viewer(&self, session: &Session) -> Viewer {
        Viewer::new(&session.who.profile, self.learner(session))
    }

    /// Has the index of a catalog made in the background.
    fn make_index(
        self: &Arc<Self>,
        viewer: &Viewer,
        catalog: &Arc<Catalog>,
        (extent, anew): (Extent, bool),
    ) -> Promise<Bridge> {
        let learners = self.learnt.users().len().min(MAX_LEARNERS);
        let most = 1 + self.profiles_known() + learners;
        let (gateway, of, learner) =
            (Arc::clone(self), Arc::clone(catalog), viewer.learner.clone());
        let kept = self.kept_index(viewer, catalog);
        self.indexes.make(viewer.clone(), catalog, (extent, anew), most, move || async move {
            let phrases = gateway.phrases_for(learner.as_deref()).await;
            let file = (extent == Extent::Whole).then_some(kept).flatten();
            gateway.gate.bridge(&of, phrases, extent, file).await
        })
    }

    /// The file of an index, where it takes longer to make than to load.
    fn kept_index(&self, viewer: &Viewer, catalog: &Catalog) -> Option<KeptFile> {
        let is_large = catalog.tools().len() >= LEAST_TOOLS;
        let dir = self.options().state_dir.join("indexes");
        let (viewer, servers) = (format!("{viewer:?}"), self.upstreams());
        let servers = servers.iter().map(|upstream| &*upstream.spec.key);
        is_large.then(|| KeptFile::new(&dir, &viewer, servers))
    }

    /// The bridge tools over all tools of this client, when it is shown them in place of the tools themselves. A
    /// client that was shown them once is not shown more later.
    pub(super) async fn bridge(self: &Arc<Self>, session: &Session) -> Option<Arc<Bridge>> {
        let catalog = self.catalog_for(session);
        if !self.is_bridged(session, &catalog) {
            return None;
        }
        self.bridge_of(&self.viewer(session), &catalog).await
    }

    /// What `tool_search` answers this client, not counted and in any mode.
    pub(crate) async fn search_for(self: &Arc<Self>, session: &Session, query: &str) -> String {
        let arguments = serde_json::json!({"queries": [query]}).to_string();
        let catalog = self.catalog_for(session);
        let Some(bridge) = self.bridge_of(&self.viewer(session), &catalog).await else {
            return "tools cannot be searched now".to_owned();
        };
        match self.gate.ask_bridge(&bridge, SEARCH, &arguments).await {
            Ok(Answer::Text { text, .. }) => text,
            Ok(Answer::Dispatch(_)) => String::new(),
            Err(error) => format!("tools cannot be searched now: {error}"),
        }
    }

    async fn bridge_of(
        self: &Arc<Self>,
        viewer: &Viewer,
        catalog: &Arc<Catalog>,
    ) -> Option<Arc<Bridge>> {
        match self.make_index(viewer, catalog, WHOLE).kept().await {
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
    pub(super) async fn bridge_at_hand(self: &Arc<Self>, client: &Client) -> Option<AtHand> {
        let session = &client.session;
        // Before the tools are taken: what becomes known in between is named once too often, not once too little.
        let unsearched = self.unsearched(client);
        let catalog = self.catalog_for(session);
        if !self.is_bridged(session, &catalog) {
            return None;
        }
        let viewer = self.viewer(session);
        if !self.takes_long(&viewer, &catalog) {
            let bridge = self.bridge_of(&viewer, &catalog).await?;
            return Some(AtHand { bridge, catalog, is_whole: true, unsearched });
        }
        let untaught = viewer.untaught();
        let found = self.indexes.ready(&untaught, &catalog);
        let found = found.or_else(|| self.indexes.latest(&viewer));
        let found = found.or_else(|| self.indexes.latest(&untaught));
        // The index of a list that is still coming would be out of date before it is made, and take its room beside the
        // one that is searched.
        let listing = self.is_listing();
        let suffices = |found: &Indexed<Bridge>| !listing || found.of.tools().len() >= PART_TOOLS;
        let part = match &found {
            Some(found) if suffices(found) => None,
            _ => Some(self.make_index(&viewer, &catalog, (Extent::Part, false))),
        };
        let found = match part {
            Some(part) => part.kept().await.ok().or(found),
            None => found,
        };
        // Behind the part, which somebody waits for: the two would share the processors.
        let whole = (!listing).then(|| self.make_index(&viewer, &catalog, WHOLE));
        let found = match (found, whole) {
            (Some(found), _) => found,
            (None, whole) => {
                let whole = whole.unwrap_or_else(|| self.make_index(&viewer, &catalog, WHOLE));
                whole.kept().await.ok()?
            }
        };
        let is_whole = found.extent == Extent::Whole && Arc::ptr_eq(&found.of, &catalog);
        Some(AtHand { bridge: found.index, catalog, is_whole, unsearched })
    }

    /// Whether an index is still to be made, and takes so long that a search does not wait for it.
    fn takes_long(&self, viewer: &Viewer, catalog: &Arc<Catalog>) -> bool {
        catalog.tools().len() > LARGE_TOOLS && self.indexes.ready(viewer, catalog).is_none()
    }

    /// The bridge tools as they are listed for a client; none as long as the index that they are listed by is being
    /// made. Clients are told when it is there.
    pub(super) async fn listed_bridge(
        self: &Arc<Self>,
        session: &Session,
    ) -> Option<Option<Arc<Bridge>>> {
        let (catalog, viewer) = (self.catalog_for(session), self.viewer(session));
        if !self.takes_long(&viewer, &catalog) {
            return self.bridge(session).await.map(Some);
        }
        if !self.index_awaited.swap(true, Ordering::SeqCst) {
            let gateway = Arc::clone(self);
            tokio::spawn(async move {
                for upstream in gateway.upstreams().iter() {
                    upstream.whole_list().await;
                }
                let catalog = match viewer.profile() {
                    Some(profile) => gateway.catalog_of(profile),
                    None => gateway.catalog(),
                };
                let made = gateway.make_index(&viewer, &catalog, WHOLE).kept().await;
                gateway.index_awaited.store(false, Ordering::SeqCst);
                if made.is_ok() {
                    gateway.tell(Change::Tools);
                }
            });
        }
        Some(None)
    }

    /// Makes the index of a client's tools anew. Searches go on with the one there is meanwhile.
    pub(crate) async fn index_anew(self: &Arc<Self>, session: &Session) {
        let (catalog, viewer) = (self.catalog_for(session), self.viewer(session));
        let _ = self.make_index(&viewer, &catalog, (Extent::Whole, true)).kept().await;
    }

    /// Whether the list of some server is not whole yet.
    fn is_listing(&self) -> bool {
        let listing =
            |upstream: &Arc<Upstream>| upstream.known().is_some_and(|known| known.partial);
        self.upstreams().iter().any(listing)
    }

    /// Begins with the indexes of large catalogs that changed, for those who have searched, once the lists are whole.
    pub(crate) fn index_soon(self: &Arc<Self>) {
        if self.is_listing() {
            return;
        }
        for viewer in self.indexes.viewers() {
            let catalog = match viewer.profile() {
                Some(profile) => self.catalog_of(profile),
                None => self.catalog(),
            };
            if self.takes_long(&viewer, &catalog) {
                drop(self.make_index(&viewer, &catalog, WHOLE));
            }
        }
    }
}
