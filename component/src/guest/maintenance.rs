//! `maintenance`.

use std::cell::RefCell;

use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::maintenance as wit;
use crate::handle::BlobId;
use crate::store::{BlobStore, Census, Doctor, LookupError, StoreError, Sweeper};

impl wit::Guest for Component {
    type Sweeper = GuestSweeper;
    type Doctor = GuestDoctor;

    fn status() -> Result<wit::StoreStatus, wit::MaintenanceError> {
        let status = with_store(|store| store.status(now())).map_err(error)?;
        let stats = status.stats;
        let put = wit::UseCount {
            what: "put".into(),
            count: stats.puts + stats.refused_puts,
            refused: stats.refused_puts,
            chars_in: stats.put_chars,
            chars_shown: stats.put_chars_shown,
        };
        let chars_saved = stats.chars_saved();
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
        })
    }

    fn pin(session: String, id: String, pinned: bool) -> Result<(), wit::MaintenanceError> {
        let id = parse(&id)?;
        with_store(|store| {
            Ok(if pinned {
                store.pin(&session, &id, now())
            } else {
                store.unpin(&session, &id, now())
            })
        })
        .map_err(error)?
        .map(drop)
        .map_err(lookup)
    }

    fn forget(session: String, id: String) -> Result<(), wit::MaintenanceError> {
        let id = parse(&id)?;
        with_store(|store| Ok(store.forget(&session, &id, now())))
            .map_err(error)?
            .map(drop)
            .map_err(lookup)
    }
}

fn with_store<R>(work: impl FnOnce(&BlobStore) -> Result<R, StoreError>) -> Result<R, StoreError> {
    with_settings(|settings| work(&open(settings)?))
}

fn parse(id: &str) -> Result<BlobId, wit::MaintenanceError> {
    BlobId::parse(id).map_err(|_| wit::MaintenanceError::MalformedId)
}

fn error(error: StoreError) -> wit::MaintenanceError {
    wit::MaintenanceError::Storage(error.to_string())
}

fn lookup(failure: LookupError) -> wit::MaintenanceError {
    match failure {
        LookupError::Store(failure) => error(failure),
        _ => wit::MaintenanceError::Unknown,
    }
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

    fn step(&self, max_entries: u32) -> Result<wit::SweepProgress, wit::MaintenanceError> {
        let mut slot = self.0.borrow_mut();
        let sweeper = match &mut *slot {
            Some(sweeper) => sweeper,
            none => none.insert(with_store(|store| Ok(store.sweeper())).map_err(error)?),
        };
        let progress = sweeper.step(max_entries, now()).map_err(error)?;
        Ok(wit::SweepProgress {
            done: progress.done,
            seen: progress.entries,
            expired: progress.expired,
            evicted: progress.evicted,
            removed_blobs: progress.removed_blobs,
            leftovers: progress.leftovers,
            dropped_tombstones: progress.dropped_tombstones,
            dropped_sessions: progress.dropped_sessions,
            foreign: progress.foreign,
            failed: progress.failed,
        })
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

    fn step(&self, max_bytes: u64) -> Result<wit::CheckProgress, wit::MaintenanceError> {
        let mut slot = self.doctor.borrow_mut();
        let doctor = match &mut *slot {
            Some(doctor) => doctor,
            none => none.insert(with_store(|store| Ok(store.doctor(self.repair))).map_err(error)?),
        };
        let report = doctor.step(max_bytes, now()).map_err(error)?;
        Ok(wit::CheckProgress {
            done: report.done,
            blobs: report.blobs,
            bytes: report.bytes,
            references: report.references,
            corrupt: report.corrupt,
            corrupt_digests: report.corrupt_blobs.iter().map(ToString::to_string).collect(),
            damaged_records: report.damaged_records,
            dead_references: report.dead_references,
            foreign: report.foreign,
            repaired: report.repaired,
            failed: report.failed,
        })
    }
}
