//! `maintenance`.

use std::cell::RefCell;

use super::convert::{Convert, record};
use super::failure::failure;
use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::maintenance as wit;
use crate::abi::exports::weir::plugin::types::Failure;
use crate::handle::BlobId;
use crate::store::{BlobStore, Census, Doctor, Forgotten, Progress, Report, StoreError, Sweeper};

record!(Progress => wit::SweepProgress {
    more = done, seen = entries, expired, evicted, removed_blobs, leftovers, dropped_tombstones,
    dropped_sessions, foreign, failed,
});
record!(Report => wit::CheckProgress {
    more = done, blobs, bytes, references, corrupt, corrupt_digests = corrupt_blobs, damaged_records,
    dead_references, unheld, unheld_bytes, unheld_digests = unheld_blobs, leftover_bytes, foreign,
    repaired, failed,
});
record!(Forgotten => wit::Forgotten { held_elsewhere, erased_bytes });

/// Nothing more where work is done, else a word that [`Work::go_on`] fills in.
impl Convert<Option<String>> for bool {
    fn convert(self) -> Option<String> {
        (!self).then(String::new)
    }
}

/// The work of one kind that is under way in this instance: what it has seen may be too much for a cursor.
struct Work<T> {
    /// How many were started.
    number: u32,
    under_way: Option<T>,
}

impl<T> Work<T> {
    const NONE: Work<T> = Work { number: 0, under_way: None };

    /// Starts what `start` makes, or goes on with what `more` names, by one `step`.
    fn go_on<P, W>(
        &mut self,
        more: Option<&str>,
        start: impl FnOnce(&BlobStore) -> T,
        step: impl FnOnce(&mut T) -> Result<P, StoreError>,
        more_of: fn(&mut W) -> &mut Option<String>,
    ) -> Result<W, Failure>
    where
        P: Convert<W>,
    {
        let mut work = match (more, self.under_way.take()) {
            (None, _) => {
                self.number += 1;
                with_store(|store| Ok(start(store)))?
            }
            (Some(more), Some(work)) if more == self.number.to_string() => work,
            (Some(_), other) => {
                self.under_way = other;
                let message = "more: nothing under way in this instance has this name; start anew, without it";
                let argument = Some("more".to_owned());
                return Err(Failure { argument, ..failure("invalid", message) });
            }
        };
        let mut progress = step(&mut work)?.convert();
        if let Some(more) = more_of(&mut progress) {
            *more = self.number.to_string();
            self.under_way = Some(work);
        }
        Ok(progress)
    }
}

thread_local! {
    static SWEEP: RefCell<Work<Sweeper>> = const { RefCell::new(Work::NONE) };
    static CHECK: RefCell<Work<Doctor>> = const { RefCell::new(Work::NONE) };
}

impl wit::Guest for Component {
    fn status() -> Result<wit::StoreStatus, Failure> {
        let status = with_store(|store| store.status(now()))?;
        let stats = status.stats;
        let put = wit::UseCount {
            what: "put".into(),
            count: stats.puts + stats.refused_puts,
            refused: stats.refused_puts,
            chars_in: stats.put_chars,
            chars_shown: stats.put_chars_shown,
        };
        let (chars_saved, estimated_tokens_saved) = (stats.chars_saved(), stats.tokens_saved());
        let fetches = stats.fetches.into_iter().map(|(what, fetch)| wit::UseCount {
            what,
            count: fetch.calls,
            refused: fetch.calls.saturating_sub(fetch.answered),
            chars_in: 0,
            chars_shown: fetch.chars_shown,
        });
        Ok(wit::StoreStatus {
            used_bytes: status.used_bytes,
            max_bytes: status.cap_bytes,
            census: status.census.map(census),
            uses: std::iter::once(put).chain(fetches).filter(|used| used.count > 0).collect(),
            chars_saved,
            estimated_tokens_saved,
        })
    }

    fn pin(session: String, id: String, pinned: bool) -> Result<(), Failure> {
        let id = BlobId::parse_lenient(&id)?;
        let done = with_store(|store| {
            let pin = if pinned { BlobStore::pin } else { BlobStore::unpin };
            Ok(pin(store, &session, &id, now()))
        })?;
        Ok(done.map(drop)?)
    }

    fn forget(session: String, id: String) -> Result<wit::Forgotten, Failure> {
        let id = BlobId::parse_lenient(&id)?;
        let done = with_store(|store| Ok(store.forget(&session, &id, now())))?;
        Ok(done?.convert())
    }

    fn sweep(max_entries: u32, more: Option<String>) -> Result<wit::SweepProgress, Failure> {
        SWEEP.with_borrow_mut(|work| {
            let step = |sweeper: &mut Sweeper| sweeper.step(max_entries, now());
            work.go_on(more.as_deref(), BlobStore::sweeper, step, |progress| &mut progress.more)
        })
    }

    fn check(
        repair: bool,
        max_bytes: u64,
        more: Option<String>,
    ) -> Result<wit::CheckProgress, Failure> {
        CHECK.with_borrow_mut(|work| {
            // Nothing at all would go on for ever.
            let step = |doctor: &mut Doctor| doctor.step(max_bytes.max(1), now());
            let start = |store: &BlobStore| store.doctor(repair);
            work.go_on(more.as_deref(), start, step, |progress| &mut progress.more)
        })
    }
}

fn with_store<R>(work: impl FnOnce(&BlobStore) -> Result<R, StoreError>) -> Result<R, StoreError> {
    with_settings(|settings| work(&open(settings)?))
}

fn census(census: Census) -> wit::Census {
    wit::Census {
        counted_at: census.at_ms / 1_000,
        handles: census.references,
        tombstones: census.tombstones,
        sessions: census.sessions,
        oldest_used_at: census.oldest_use_ms.map(|ms| ms / 1_000),
    }
}
