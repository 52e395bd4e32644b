//! `maintenance`.

use std::cell::RefCell;

use super::convert::{Convert as _, record};
use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::maintenance as wit;
use crate::abi::exports::weir::plugin::types::Failure;
use crate::handle::BlobId;
use crate::store::{BlobStore, Census, Doctor, Forgotten, Progress, Report, StoreError, Sweeper};

record!(Progress => wit::SweepProgress {
    done, seen = entries, expired, evicted, removed_blobs, leftovers, dropped_tombstones,
    dropped_sessions, foreign, failed,
});
record!(Report => wit::CheckProgress {
    done, blobs, bytes, references, corrupt, corrupt_digests = corrupt_blobs, damaged_records,
    dead_references, unheld, unheld_bytes, unheld_digests = unheld_blobs, leftover_bytes, foreign,
    repaired, failed,
});
record!(Forgotten => wit::Forgotten { held_elsewhere, erased_bytes });

impl wit::Guest for Component {
    type Sweeper = GuestSweeper;
    type Doctor = GuestDoctor;

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

/// Work under way; none until its first step opens the store.
pub(crate) struct GuestSweeper(RefCell<Option<Sweeper>>);

impl wit::GuestSweeper for GuestSweeper {
    fn new() -> GuestSweeper {
        GuestSweeper(RefCell::new(None))
    }

    fn step(&self, max_entries: u32) -> Result<wit::SweepProgress, Failure> {
        let mut slot = self.0.borrow_mut();
        let sweeper = match &mut *slot {
            Some(sweeper) => sweeper,
            none => none.insert(with_store(|store| Ok(store.sweeper()))?),
        };
        Ok(sweeper.step(max_entries, now())?.convert())
    }
}

/// Work under way; none until its first step opens the store.
pub(crate) struct GuestDoctor {
    repair: bool,
    doctor: RefCell<Option<Doctor>>,
}

impl wit::GuestDoctor for GuestDoctor {
    fn new(repair: bool) -> GuestDoctor {
        GuestDoctor { repair, doctor: RefCell::new(None) }
    }

    fn step(&self, max_bytes: u64) -> Result<wit::CheckProgress, Failure> {
        let mut slot = self.doctor.borrow_mut();
        let doctor = match &mut *slot {
            Some(doctor) => doctor,
            none => none.insert(with_store(|store| Ok(store.doctor(self.repair)))?),
        };
        Ok(doctor.step(max_bytes, now())?.convert())
    }
}
