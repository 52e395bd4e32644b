//! Indexes of catalogs: made one at a time, and kept for as long as somebody asks for them.

use std::sync::Arc;

use tokio::sync::watch;

use crate::clients::profile::Profile;
use crate::operations::gate::GateError;
use crate::search::catalog::Catalog;
use weir_base::Mutex;

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
}

/// An index, and the catalog that it was made of.
#[derive(Debug)]
struct Indexed<I> {
    of: Arc<Catalog>,
    index: Arc<I>,
    number: u64,
}

impl<I> Clone for Indexed<I> {
    fn clone(&self) -> Indexed<I> {
        let (of, index) = (Arc::clone(&self.of), Arc::clone(&self.index));
        Indexed { of, index, number: self.number }
    }
}

/// What became of an index that was asked for; none as long as it is being made.
type Outcome<I> = Option<Result<Indexed<I>, GateError>>;

/// An index that is being made, or waits for its turn.
#[derive(Debug)]
struct Coming<I> {
    of: Arc<Catalog>,
    number: u64,
    outcome: watch::Receiver<Outcome<I>>,
}

#[derive(Debug)]
struct Slot<I> {
    viewer: Viewer,
    latest: Option<Indexed<I>>,
    coming: Option<Coming<I>>,
}

/// The indexes that there are, and those that are being made.
#[derive(Debug)]
pub(crate) struct Indexes<I> {
    /// With how many were asked for. The one that was asked for last is the last.
    slots: Mutex<(Vec<Slot<I>>, u64)>,
    /// Held while an index is made.
    turn: tokio::sync::Mutex<()>,
}

impl<I> Default for Indexes<I> {
    fn default() -> Indexes<I> {
        Indexes { slots: Mutex::new((Vec::new(), 0)), turn: Default::default() }
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
    pub(crate) async fn kept(mut self) -> Result<Arc<I>, GateError> {
        let outcome = match self.0.wait_for(Option::is_some).await {
            Ok(outcome) => outcome.clone(),
            Err(_) => None,
        };
        outcome.unwrap_or_else(|| Err(GateError::given_up())).map(|made| made.index)
    }
}

impl<I: Send + Sync + 'static> Indexes<I> {
    /// Has the index of a catalog made, unless it is there or on its way: `anew` also then. Of indexes for the same
    /// clients that wait for their turn only the last is made, and those that somebody waits for. At most `most` are kept.
    pub(crate) fn make<F>(
        self: &Arc<Self>,
        viewer: Viewer,
        of: &Arc<Catalog>,
        anew: bool,
        most: usize,
        make: impl FnOnce() -> F + Send + 'static,
    ) -> Promise<I>
    where
        F: Future<Output = Result<I, GateError>> + Send,
    {
        let mut slots = self.slots.lock();
        let (slots, asked) = &mut *slots;
        *asked += 1;
        let number = *asked;
        let mut slot = match slots.iter().position(|slot| slot.viewer == viewer) {
            Some(at) => slots.remove(at),
            None => Slot { viewer: viewer.clone(), latest: None, coming: None },
        };
        let there = slot.latest.as_ref().filter(|latest| !anew && Arc::ptr_eq(&latest.of, of));
        let coming = slot.coming.as_ref().filter(|coming| {
            // One whose maker is gone is not on its way.
            !anew && coming.outcome.has_changed().is_ok() && Arc::ptr_eq(&coming.of, of)
        });
        let (sender, outcome) = match (there, coming) {
            (Some(there), _) => (None, watch::channel(Some(Ok(there.clone()))).1),
            (None, Some(coming)) => (None, coming.outcome.clone()),
            (None, None) => {
                let (sender, outcome) = watch::channel(None);
                let outcome_of = outcome.clone();
                slot.coming = Some(Coming { of: Arc::clone(of), number, outcome: outcome_of });
                (Some(sender), outcome)
            }
        };
        slots.push(slot);
        let over = slots.len().saturating_sub(most.max(1));
        slots.drain(..over);
        if let Some(sender) = sender {
            let (indexes, of) = (Arc::clone(self), Arc::clone(of));
            tokio::spawn(async move {
                let _turn = indexes.turn.lock().await;
                if sender.receiver_count() == 0 {
                    return;
                }
                let made = make().await;
                let made = made.map(|index| Indexed { of, index: Arc::new(index), number });
                indexes.take(&viewer, number, made.as_ref().ok());
                sender.send_replace(Some(made));
            });
        }
        Promise(outcome)
    }

    /// Forgets them: what they were made of is another.
    pub(crate) fn forget(&self) {
        self.slots.lock().0.clear();
    }

    /// Puts a new index into the place of an older one.
    fn take(&self, viewer: &Viewer, number: u64, made: Option<&Indexed<I>>) {
        let mut slots = self.slots.lock();
        let Some(slot) = slots.0.iter_mut().find(|slot| slot.viewer == *viewer) else { return };
        slot.coming.take_if(|coming| coming.number == number);
        let before = slot.latest.as_ref().map_or(0, |latest| latest.number);
        if let Some(made) = made.filter(|made| before < made.number) {
            slot.latest = Some(made.clone());
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::oneshot;

    use super::*;

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
    async fn what_is_there_or_on_its_way_is_not_made_twice_unless_that_is_asked_for() {
        let (indexes, viewer) = (indexes(), viewer(None));
        let (old, new) = (Arc::<Catalog>::default(), Arc::<Catalog>::default());
        let make = |of: &Arc<Catalog>, anew: bool, value: u32| {
            indexes.make(viewer.clone(), of, anew, 4, move || now(value)).kept()
        };
        assert_eq!(*make(&old, false, 1).await.unwrap(), 1);
        let (begun, tell, told) = when_told(2);
        let coming = indexes.make(viewer.clone(), &new, false, 4, told);
        begun.await.unwrap();
        let joined = make(&new, false, 3);
        // Meanwhile the one of before is there for who has the catalog of before.
        assert_eq!(*make(&old, false, 4).await.unwrap(), 1);
        tell.send(()).unwrap();
        assert_eq!(*coming.kept().await.unwrap(), 2);
        assert_eq!(*joined.await.unwrap(), 2);
        assert_eq!(*make(&new, false, 5).await.unwrap(), 2);
        // Made anew, it takes the place of the one that is searched meanwhile.
        let (begun, tell, told) = when_told(6);
        let anew = indexes.make(viewer.clone(), &new, true, 4, told);
        begun.await.unwrap();
        assert_eq!(*make(&new, false, 7).await.unwrap(), 2);
        tell.send(()).unwrap();
        assert_eq!(*anew.kept().await.unwrap(), 6);
        assert_eq!(*make(&new, false, 8).await.unwrap(), 6);
    }

    #[tokio::test]
    async fn one_is_made_at_a_time_and_of_those_that_wait_only_what_is_still_wanted() {
        let (indexes, viewer) = (indexes(), viewer(None));
        let catalogs: Vec<Arc<Catalog>> = (0..3).map(|_| Arc::default()).collect();
        let (begun, tell, make) = when_told(0);
        let first = indexes.make(viewer.clone(), &catalogs[0], false, 4, make);
        begun.await.unwrap();
        let (mut begun, _tell, make) = when_told(1);
        drop(indexes.make(viewer.clone(), &catalogs[1], false, 4, make));
        let last = indexes.make(viewer.clone(), &catalogs[2], false, 4, || now(2));
        assert!(begun.try_recv().is_err());
        tell.send(()).unwrap();
        assert_eq!(*first.kept().await.unwrap(), 0);
        assert_eq!(*last.kept().await.unwrap(), 2);
        assert_eq!(begun.try_recv(), Err(oneshot::error::TryRecvError::Closed), "nobody wanted it");
        let there = indexes.make(viewer, &catalogs[2], false, 4, || now(3)).kept().await;
        assert_eq!(*there.unwrap(), 2);
    }

    #[tokio::test]
    async fn a_failure_is_told_leaves_the_old_one_and_can_be_tried_again() {
        let (indexes, viewer) = (indexes(), viewer(None));
        let (old, new) = (Arc::<Catalog>::default(), Arc::<Catalog>::default());
        indexes.make(viewer.clone(), &old, false, 4, || now(1)).kept().await.unwrap();
        let fails = || async { Err(GateError::given_up()) };
        assert!(indexes.make(viewer.clone(), &new, false, 4, fails).kept().await.is_err());
        let breaks = || async { panic!("as a call into the component may") };
        assert!(indexes.make(viewer.clone(), &new, false, 4, breaks).kept().await.is_err());
        let there = indexes.make(viewer.clone(), &old, false, 4, || now(3)).kept().await;
        assert_eq!(*there.unwrap(), 1);
        let again = indexes.make(viewer.clone(), &new, false, 4, || now(2)).kept().await.unwrap();
        assert_eq!(*again, 2);
    }

    #[tokio::test]
    async fn viewers_have_their_own_and_those_asked_for_last_are_kept() {
        let (indexes, catalog) = (indexes(), Arc::<Catalog>::default());
        let closed = Profile { servers: vec!["git".to_owned()], ..Profile::default() };
        let closed = Viewer::new(&Arc::new(closed), None);
        let all = [viewer(None), viewer(Some("ann")), closed];
        let make = async |one: &Viewer, value: u32| {
            let made = indexes.make(one.clone(), &catalog, false, 2, move || now(value)).kept();
            *made.await.unwrap()
        };
        for (value, one) in (0..).zip(&all) {
            assert_eq!(make(one, value).await, value);
        }
        assert_eq!((make(&all[1], 7).await, make(&all[2], 8).await), (1, 2));
        assert_eq!(make(&all[0], 9).await, 9);
    }
}
