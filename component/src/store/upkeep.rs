//! Looking after the store a little at each put, so that nobody has to.
//!
//! Once a minute at most, by whichever process puts next. A small store is swept as a whole, every
//! ten minutes. In a large one each turn goes on where the last one stopped, over a bounded number
//! of references: what has expired goes, tombstones too. What nobody holds then waits for a
//! whole sweep (`weir sweep`, a gateway's timer), or for the cap, where it goes first.

use std::time::{Duration, SystemTime};

use super::base::BlobStore;
use super::clock::apart;
use super::error::{At, StoreError};
use super::files;
use super::leftovers::LEFTOVER;
use super::record::time_of;
use super::sweep::Sweeper;

/// The least time between two turns.
const TURN: Duration = Duration::from_secs(60);
/// The least time between two sweeps of a small store.
const WHOLE: Duration = Duration::from_secs(600);
/// Files that a small store has at most: a sweep of so many takes some tens of milliseconds.
const SMALL: u32 = 1_000;
/// References that one turn looks at in a large store.
const TURN_ENTRIES: u32 = 250;
/// The most bytes that the place of the last turn takes.
const CURSOR_MAX_BYTES: u64 = 4_096;

impl BlobStore {
    /// Notes that the store is in use and does what is due. Nothing that fails here is worth a
    /// blob: the next put tries again.
    pub(super) fn look_after(&self, now: SystemTime) {
        if self.beat(now).is_ok() {
            let _ = self.take_turn(now);
        }
    }

    fn take_turn(&self, now: SystemTime) -> Result<(), StoreError> {
        let path = self.root.join("upkeep");
        if files::stat(&path).at(&path)?.is_some_and(|(last, _)| apart(now, last) < TURN) {
            return Ok(());
        }
        let tmp = self.tmp();
        // First, so that others who put at this moment need not do the same.
        files::mark(&tmp, &path, now).at(&path)?;
        let cursor = files::read_small(&path, CURSOR_MAX_BYTES).at(&path)?.unwrap_or_default();
        let cursor = String::from_utf8(cursor).unwrap_or_default();
        if !cursor.is_empty() {
            return self.go_on(&cursor, now);
        }
        let census = self.census()?;
        let files = census.blobs + census.references + census.tombstones + census.sessions;
        if census.at_ms > 0 && files > u64::from(SMALL) {
            return self.go_on(START, now);
        }
        if census.at_ms > 0 && apart(now, time_of(census.at_ms)) < WHOLE {
            return self.remove_leftovers(LEFTOVER, now);
        }
        // Above as many it is not small after all, whatever was counted last.
        if self.sweeper().step(4 * SMALL, now)?.done {
            return Ok(());
        }
        self.go_on(START, now)
    }

    /// One turn in a large store, from where the last one stopped.
    fn go_on(&self, cursor: &str, now: SystemTime) -> Result<(), StoreError> {
        self.remove_leftovers(LEFTOVER, now)?;
        let mut sweeper = Sweeper::part(self.clone(), cursor.trim());
        let next = if sweeper.step(TURN_ENTRIES, now)?.done {
            self.renew_counters()?;
            self.fold_stats(now)?;
            self.compact_idle(now)?;
            String::new()
        } else {
            sweeper.place().unwrap_or_default()
        };
        let path = self.root.join("upkeep");
        files::replace_note(&self.tmp(), &path, next.as_bytes()).at(&path)
    }
}

/// The place before everything.
const START: &str = " ";
