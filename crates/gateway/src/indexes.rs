//! Indexes of catalogs: made one at a time, and used until a newer one is there.
//!
//! ```text
//! search ─► ready: the index of this very catalog
//!           latest: an earlier one, or one of the first tools, while the whole one is made
//! ```

use std::sync::Arc;

use tokio::sync::watch;

use super::catalog::Catalog;
use super::gate::GateError;
use super::profile::Profile;
use weir_base::Mutex;

/// Catalogs with more tools than these are searched with what index there is while theirs is made; for the index of
/// a smaller one a search waits.
pub(crate) const LARGE_TOOLS: usize = 10_000;

/// Whom an index is for: clients that see the same tools, and taught the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Viewer {
    profile: Option<Arc<Profile>>,
    /// The user whose searches taught it something; none when nobody's did.
    pub(crate) learner: Option<String>,
}

impl Viewer {
    /// The clients of a profile.
    pub(crate) fn new(profile: &Arc<Profile>, learner: Option<String>) -> Viewer {
        Viewer { profile: (!profile.is_open()).then(|| Arc::clone(profile)), learner }
    }

    /// The same without what was learnt.
    pub(crate) fn untaught(&self) -> Viewer {
        Viewer { learner: None, ..self.clone() }
    }

    /// The profile, where that does not see everything.
    pub(crate) fn profile(&self) -> Option<&Arc<Profile>> {
        self.profile.as_ref()
    }
}

/// How much of a catalog is in an index.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Extent {
    /// A few thousand of its tools.
    Part,
    /// All of them.
    Whole,
}

/// An index.
#[derive(Debug)]
pub(crate) struct Indexed<I> {
    /// The catalog that it was made of.
    pub(crate) of: Arc<Catalog>,
    pub(crate) extent: Extent,
    pub(crate) index: Arc<I>,
    number: u64,
}

impl<I> Clone for Indexed<I> {
    fn clone(&self) -> Indexed<I> {
        let (of, index) = (Arc::clone(&self.of), Arc::clone(&self.index));
        Indexed { of, index, extent: self.extent, number: self.number }
    }
}

/// What became of an index that was asked for; none as long as it is being made.
type Outcome<I> = Option<Result<Indexed<I>, GateError>>;

/// An index that is being made, or waits for its turn.
#[derive(Debug)]
struct Coming<I> {
    of: Arc<Catalog>,
    extent: Extent,
    number: u64,
    outcome: watch::Receiver<Outcome<I>>,
}

#[derive(Debug)]
struct Slot<I> {
    viewer: Viewer,
    latest: Option<Indexed<I>>,
    /// At most one of each extent.
    coming: Vec<Coming<I>>,
}

#[derive(Debug)]
struct Slots<I> {
    /// The one that was asked for last is the last.
    slots: Vec<Slot<I>>,
    asked: u64,
}

/// The indexes that there are, and those that are being made.
#[derive(Debug)]
pub(crate) struct Indexes<I> {
    slots: Mutex<Slots<I>>,
    // Held while an index is made: one at a time. Those of parts are small, and do not wait for a whole one.
    wholes: tokio::sync::Mutex<()>,
    parts: tokio::sync::Mutex<()>,
}

impl<I> Default for Indexes<I> {
    fn default() -> Indexes<I> {
        let slots = Slots { slots: Vec::new(), asked: 0 };
        Indexes { slots: Mutex::new(slots), wholes: Default::default(), parts: Default::default() }
    }
}

/// An index that was asked for.
#[derive(Debug)]
pub(crate) struct Promise<I>(watch::Receiver<Outcome<I>>);

impl<I> Promise<I> {
    /// Waits for it. It is made whether somebody waits or not.
    ///
    /// # Errors
    /// When it cannot be made.
    pub(crate) async fn kept(mut self) -> Result<Indexed<I>, GateError> {
        let outcome = match self.0.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone(),
            Err(_) => None,
        };
        outcome.unwrap_or_else(|| Err(GateError::given_up()))
    }
}

impl<I: Send + Sync + 'static> Indexes<I> {
    /// The index of all of this very catalog, when it is there.
    pub(crate) fn ready(&self, viewer: &Viewer, catalog: &Arc<Catalog>) -> Option<Indexed<I>> {
        self.latest(viewer)
            .filter(|latest| latest.extent == Extent::Whole && Arc::ptr_eq(&latest.of, catalog))
    }

    /// The newest index for these clients, of whatever catalog.
    pub(crate) fn latest(&self, viewer: &Viewer) -> Option<Indexed<I>> {
        let slots = self.slots.lock();
        slots.slots.iter().find(|slot| slot.viewer == *viewer)?.latest.clone()
    }

    /// For whom there are indexes.
    pub(crate) fn viewers(&self) -> Vec<Viewer> {
        let slots = self.slots.lock();
        let made = slots.slots.iter().filter(|slot| slot.latest.is_some());
        made.map(|slot| slot.viewer.clone()).collect()
    }

    /// Has an index made, unless it is there or on its way: `anew` also then. Of indexes for the same clients that
    /// wait for their turn only the last is made, and those that somebody waits for. At most `most` are kept.
    pub(crate) fn make<F>(
        self: &Arc<Self>,
        viewer: Viewer,
        of: &Arc<Catalog>,
        (extent, anew): (Extent, bool),
        most: usize,
        make: impl FnOnce() -> F + Send + 'static,
    ) -> Promise<I>
    where
        F: Future<Output = Result<I, GateError>> + Send,
    {
        let mut slots = self.slots.lock();
        slots.asked += 1;
        let number = slots.asked;
        let mut slot = match slots.slots.iter().position(|slot| slot.viewer == viewer) {
            Some(at) => slots.slots.remove(at),
            None => Slot { viewer: viewer.clone(), latest: None, coming: Vec::new() },
        };
        let there = slot
            .latest
            .as_ref()
            .filter(|latest| !anew && Arc::ptr_eq(&latest.of, of) && latest.extent >= extent);
        let coming = slot.coming.iter().find(|coming| {
            // One whose maker is gone is not on its way.
            let alive = coming.outcome.has_changed().is_ok();
            !anew && alive && Arc::ptr_eq(&coming.of, of) && coming.extent == extent
        });
        let (sender, outcome) = match (there, coming) {
            (Some(there), _) => (None, watch::channel(Some(Ok(there.clone()))).1),
            (None, Some(coming)) => (None, coming.outcome.clone()),
            (None, None) => {
                let (sender, outcome) = watch::channel(None);
                let coming =
                    Coming { of: Arc::clone(of), extent, number, outcome: outcome.clone() };
                slot.coming.retain(|other| other.extent != extent);
                slot.coming.push(coming);
                (Some(sender), outcome)
            }
        };
        slots.slots.push(slot);
        let over = slots.slots.len().saturating_sub(most.max(1));
        slots.slots.drain(..over);
        drop(slots);
        if let Some(sender) = sender {
            let (indexes, of) = (Arc::clone(self), Arc::clone(of));
            tokio::spawn(async move {
                let turn = match extent {
                    Extent::Whole => &indexes.wholes,
                    Extent::Part => &indexes.parts,
                };
                let _turn = turn.lock().await;
                if sender.receiver_count() == 0 {
                    return;
                }
                let large = of.tools().len() > LARGE_TOOLS;
                if large {
                    // What its pages left, before their tools come once more.
                    let _ = tokio::task::spawn_blocking(crate::slack::give_back).await;
                }
                let made = make().await.map(|index| Indexed {
                    of,
                    extent,
                    index: Arc::new(index),
                    number,
                });
                indexes.take(&viewer, number, made.as_ref().ok());
                sender.send_replace(Some(made));
                if large {
                    let _ = tokio::task::spawn_blocking(crate::slack::give_back).await;
                }
            });
        }
        Promise(outcome)
    }

    /// Puts a new index into the place of an older one.
    fn take(&self, viewer: &Viewer, number: u64, made: Option<&Indexed<I>>) {
        let mut slots = self.slots.lock();
        let Some(slot) = slots.slots.iter_mut().find(|slot| slot.viewer == *viewer) else { return };
        slot.coming.retain(|coming| coming.number != number);
        let newer = |made: &&Indexed<I>| {
            slot.latest.as_ref().is_none_or(|latest| {
                let less = Arc::ptr_eq(&latest.of, &made.of) && made.extent < latest.extent;
                latest.number < made.number && !less
            })
        };
        if let Some(made) = made.filter(newer) {
            slot.latest = Some(made.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

    const ALL: (Extent, bool) = (Extent::Whole, false);

    fn viewer(learner: Option<&str>) -> Viewer {
        Viewer::new(&Arc::default(), learner.map(str::to_owned))
    }

    fn indexes() -> Arc<Indexes<u32>> {
        Arc::default()
    }

    type Making = std::pin::Pin<Box<dyn Future<Output = Result<u32, GateError>> + Send>>;

    /// Something that is made when it is told to be, and says when it is begun.
    fn when_told(
        value: u32,
    ) -> (oneshot::Receiver<()>, oneshot::Sender<()>, impl FnOnce() -> Making + Send) {
        let (begin, begun) = oneshot::channel();
        let (tell, told) = oneshot::channel::<()>();
        let make = move || {
            let made: Making = Box::pin(async move {
                let _ = begin.send(());
                let _ = told.await;
                Ok(value)
            });
            made
        };
        (begun, tell, make)
    }

    async fn now(value: u32) -> Result<u32, GateError> {
        Ok(value)
    }

    #[tokio::test]
    async fn searches_go_on_with_the_old_one_until_the_new_one_is_there() {
        let (indexes, viewer) = (indexes(), viewer(None));
        let (old, new) = (Arc::<Catalog>::default(), Arc::<Catalog>::default());
        let made = indexes.make(viewer.clone(), &old, ALL, 4, || now(1)).kept().await.unwrap();
        assert_eq!(*made.index, 1);
        let (begun, tell, make) = when_told(2);
        let coming = indexes.make(viewer.clone(), &new, ALL, 4, make);
        begun.await.unwrap();
        assert!(indexes.ready(&viewer, &new).is_none());
        assert_eq!(*indexes.latest(&viewer).unwrap().index, 1);
        // What is on its way is not made twice.
        let joined = indexes.make(viewer.clone(), &new, ALL, 4, || now(3));
        tell.send(()).unwrap();
        assert_eq!(*coming.kept().await.unwrap().index, 2);
        assert_eq!(*joined.kept().await.unwrap().index, 2);
        assert_eq!(*indexes.ready(&viewer, &new).unwrap().index, 2);
        assert!(indexes.ready(&viewer, &old).is_none());
        // What is there is not made again, unless that is asked for.
        let there = indexes.make(viewer.clone(), &new, ALL, 4, || now(4)).kept().await;
        assert_eq!(*there.unwrap().index, 2);
        let anew = indexes.make(viewer.clone(), &new, (Extent::Whole, true), 4, || now(5));
        assert_eq!(*anew.kept().await.unwrap().index, 5);
        assert_eq!(*indexes.ready(&viewer, &new).unwrap().index, 5);
    }

    #[tokio::test]
    async fn one_is_made_at_a_time_and_of_those_that_wait_only_what_is_still_wanted() {
        let (indexes, viewer) = (indexes(), viewer(None));
        let catalogs: Vec<Arc<Catalog>> = (0..3).map(|_| Arc::default()).collect();
        let (begun, tell, make) = when_told(0);
        let first = indexes.make(viewer.clone(), &catalogs[0], ALL, 4, make);
        begun.await.unwrap();
        let (mut begun, _tell, make) = when_told(1);
        drop(indexes.make(viewer.clone(), &catalogs[1], ALL, 4, make));
        let last = indexes.make(viewer.clone(), &catalogs[2], ALL, 4, || now(2));
        assert!(begun.try_recv().is_err());
        tell.send(()).unwrap();
        assert_eq!(*first.kept().await.unwrap().index, 0);
        assert_eq!(*last.kept().await.unwrap().index, 2);
        assert_eq!(begun.try_recv(), Err(oneshot::error::TryRecvError::Closed), "nobody wanted it");
        assert_eq!(*indexes.ready(&viewer, &catalogs[2]).unwrap().index, 2);
    }

    #[tokio::test]
    async fn a_part_is_there_before_the_whole_and_never_in_its_place() {
        let (indexes, viewer, catalog) = (indexes(), viewer(None), Arc::<Catalog>::default());
        let part = (Extent::Part, false);
        let made = indexes.make(viewer.clone(), &catalog, part, 4, || now(1)).kept().await.unwrap();
        assert_eq!((made.extent, *made.index), (Extent::Part, 1));
        assert!(indexes.ready(&viewer, &catalog).is_none());
        let whole = indexes.make(viewer.clone(), &catalog, ALL, 4, || now(2)).kept().await;
        assert_eq!(*whole.unwrap().index, 2);
        let made = indexes.make(viewer.clone(), &catalog, part, 4, || now(3)).kept().await.unwrap();
        assert_eq!((made.extent, *made.index), (Extent::Whole, 2));
        // Asked for while the whole one is being made, it does not wait for that, nor come after it.
        let later = Arc::<Catalog>::default();
        let (begun, tell, make) = when_told(4);
        let whole = indexes.make(viewer.clone(), &later, ALL, 4, make);
        begun.await.unwrap();
        let (begun, tell_part, make) = when_told(5);
        let part = indexes.make(viewer.clone(), &later, part, 4, make);
        begun.await.unwrap();
        tell.send(()).unwrap();
        assert_eq!(*whole.kept().await.unwrap().index, 4);
        tell_part.send(()).unwrap();
        assert_eq!(*part.kept().await.unwrap().index, 5);
        assert_eq!(*indexes.ready(&viewer, &later).unwrap().index, 4);
    }

    #[tokio::test]
    async fn a_failure_is_told_leaves_the_old_one_and_can_be_tried_again() {
        let (indexes, viewer) = (indexes(), viewer(None));
        let (old, new) = (Arc::<Catalog>::default(), Arc::<Catalog>::default());
        indexes.make(viewer.clone(), &old, ALL, 4, || now(1)).kept().await.unwrap();
        let fails = || async { Err(GateError::given_up()) };
        assert!(indexes.make(viewer.clone(), &new, ALL, 4, fails).kept().await.is_err());
        let breaks = || async { panic!("as a call into the component may") };
        assert!(indexes.make(viewer.clone(), &new, ALL, 4, breaks).kept().await.is_err());
        assert_eq!(*indexes.latest(&viewer).unwrap().index, 1);
        let again = indexes.make(viewer.clone(), &new, ALL, 4, || now(2)).kept().await.unwrap();
        assert_eq!(*again.index, 2);
    }

    #[tokio::test]
    async fn viewers_have_their_own_and_those_asked_for_last_are_kept() {
        let (indexes, catalog) = (indexes(), Arc::<Catalog>::default());
        let closed = Profile { servers: vec!["git".to_owned()], ..Profile::default() };
        let closed = Viewer::new(&Arc::new(closed), None);
        let all = [viewer(None), viewer(Some("ann")), closed];
        for (value, one) in (0..).zip(&all) {
            let made = indexes.make(one.clone(), &catalog, ALL, 2, move || now(value)).kept().await;
            assert_eq!(*made.unwrap().index, value);
        }
        assert_eq!(indexes.viewers(), all[1..]);
        assert!(indexes.latest(&all[0]).is_none());
        assert_eq!(*indexes.latest(&all[2]).unwrap().index, 2);
    }
}
