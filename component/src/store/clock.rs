//! How old something is, in time during which the store was used.
//!
//! A clock can jump, and a laptop can sleep. Neither may make everything look old at once. So every
//! put, fetch and sweep leaves its time on the file `heartbeat`, and when the next one comes more
//! than an hour later, the time between is written down in the file `idle` and counts for nothing.
//! **A store that nobody uses does not age.** What is dated in the future has age 0.
//!
//! `idle` is a list of 16-byte lines, each appended in one write: from and to, in milliseconds.
//! A line that ends before it starts says that the clock was set back: idle time past its end was
//! never lived through, and is struck. Two processes may write the same line; the union counts.

use std::time::{Duration, SystemTime};

use super::base::BlobStore;
use super::error::{At, StoreError};
use super::files;
use super::record::{millis, time_of};
use crate::sort::sort;

/// The heartbeat is renewed no more often than this.
const BEAT: Duration = Duration::from_secs(60);
/// A pause longer than this is not counted as use.
const PAUSE: Duration = Duration::from_secs(3_600);
/// The length above which a sweep drops the idle times that no age reaches back to.
const COMPACT_BYTES: usize = 64 * 1024;
/// What is read of the list at most: four thousand years of nights.
const IDLE_MAX_BYTES: u64 = 32 * 1024 * 1024;

/// How far apart two times are, whichever is the later.
pub(super) fn apart(one: SystemTime, other: SystemTime) -> Duration {
    one.duration_since(other).unwrap_or_else(|ahead| ahead.duration())
}

/// The time of one call, with the idle times before it.
#[derive(Debug, Clone)]
pub(super) struct Clock {
    now: u64,
    /// Disjoint, ascending, half-open.
    idle: Vec<(u64, u64)>,
}

impl Clock {
    pub(super) fn new(lines: &[(u64, u64)], now: SystemTime) -> Clock {
        let mut idle: Vec<(u64, u64)> = Vec::new();
        for &(from, to) in lines {
            if from < to {
                idle.push((from, to));
            } else {
                idle.retain(|span| span.0 < to);
                idle.iter_mut().for_each(|span| span.1 = span.1.min(to));
            }
        }
        sort(&mut idle);
        let mut merged: Vec<(u64, u64)> = Vec::with_capacity(idle.len());
        for span in idle {
            match merged.last_mut() {
                Some(last) if span.0 <= last.1 => last.1 = last.1.max(span.1),
                _ => merged.push(span),
            }
        }
        Clock { now: millis(now), idle: merged }
    }

    /// Idle time before `time`.
    fn idle_before(&self, time: u64) -> u64 {
        self.idle.iter().map(|&(from, to)| to.min(time).saturating_sub(from)).sum()
    }

    /// How long ago `time` was, not counting idle time; 0 for the future.
    pub(super) fn age(&self, time: SystemTime) -> Duration {
        self.age_of(millis(time))
    }

    pub(super) fn age_of(&self, time: u64) -> Duration {
        let idle = self.idle_before(self.now).saturating_sub(self.idle_before(time));
        Duration::from_millis(self.now.saturating_sub(time).saturating_sub(idle))
    }

    /// Whether `time` is further ahead than clocks on one machine differ.
    pub(super) fn is_ahead(&self, time: SystemTime) -> bool {
        millis(time) > self.now.saturating_add(PAUSE.as_millis() as u64)
    }
}

impl BlobStore {
    /// Notes that the store is in use, and any pause before.
    ///
    /// # Errors
    /// [`StoreError::Io`] when a pause could not be written down. Ages would then be too high.
    pub(super) fn beat(&self, now: SystemTime) -> Result<(), StoreError> {
        let path = self.root.join("heartbeat");
        let Some((last, _)) = files::stat(&path).at(&path)? else {
            return files::mark(&self.tmp(), &path, now).at(&path);
        };
        let apart = apart(now, last);
        if apart <= BEAT {
            return Ok(());
        }
        if apart > PAUSE {
            let idle = self.root.join("idle");
            let mut line = [0; 16];
            line[..8].copy_from_slice(&millis(last).to_le_bytes());
            line[8..].copy_from_slice(&millis(now).to_le_bytes());
            files::append(&self.tmp(), &idle, &line).at(&idle)?;
        }
        files::mark(&self.tmp(), &path, now).at(&path)
    }

    /// The clock for ages at `now`.
    pub(super) fn clock(&self, now: SystemTime) -> Result<Clock, StoreError> {
        Ok(Clock::new(&self.idle_lines()?, now))
    }

    fn idle_lines(&self) -> Result<Vec<(u64, u64)>, StoreError> {
        let path = self.root.join("idle");
        let bytes = files::read_small(&path, IDLE_MAX_BYTES).at(&path)?.unwrap_or_default();
        Ok(bytes
            .chunks_exact(16)
            .map(|line| {
                let number = |at: usize| {
                    let mut bytes = [0; 8];
                    bytes.copy_from_slice(&line[at..at + 8]);
                    u64::from_le_bytes(bytes)
                };
                (number(0), number(8))
            })
            .collect())
    }

    /// Rewrites a long list of idle times without those that no age reaches back to.
    pub(super) fn compact_idle(&self, now: SystemTime) -> Result<(), StoreError> {
        let lines = self.idle_lines()?;
        if lines.len() * 16 <= COMPACT_BYTES {
            return Ok(());
        }
        let clock = Clock::new(&lines, now);
        let longest =
            self.settings.tombstone_ttl.max(self.settings.hot_ttl).max(self.settings.ttl) * 2;
        let mut bytes = Vec::new();
        for &(from, to) in &clock.idle {
            if clock.age(time_of(to)) <= longest {
                bytes.extend(from.to_le_bytes());
                bytes.extend(to.to_le_bytes());
            }
        }
        // On disk before it is in its place: without its pauses, everything would look old.
        let path = self.root.join("idle");
        files::replace(&self.tmp(), &path, &bytes).at(&path)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const YEAR: u64 = 365 * 86_400_000;
    const HOUR: u64 = 3_600_000;

    fn at(millis: u64) -> SystemTime {
        time_of(50 * YEAR + millis)
    }

    fn clock(lines: &[(u64, u64)], now: u64) -> Clock {
        let lines: Vec<_> = lines.iter().map(|l| (50 * YEAR + l.0, 50 * YEAR + l.1)).collect();
        Clock::new(&lines, at(now))
    }

    fn hours(clock: &Clock, time: u64) -> u64 {
        clock.age(at(time)).as_secs() / 3_600
    }

    #[test]
    fn idle_time_does_not_count() {
        let clock = clock(&[(2 * HOUR, 10 * HOUR), (2 * HOUR, 10 * HOUR)], 12 * HOUR);
        assert_eq!(hours(&clock, 0), 4);
        assert_eq!(hours(&clock, 5 * HOUR), 2, "what was used in the pause is as old as its end");
        assert_eq!(hours(&clock, 11 * HOUR), 1);
        assert_eq!(hours(&clock, 13 * HOUR), 0, "the future has age 0");
    }

    #[test]
    fn a_jump_ahead_and_back_leaves_the_clock_running() {
        let lines = [(HOUR, 10 * YEAR), (10 * YEAR, 2 * HOUR)];
        assert_eq!(hours(&clock(&lines, 2 * HOUR), 0), 1);
        assert_eq!(hours(&clock(&lines, 7 * HOUR), 0), 6, "time after the jump back counts");
        assert_eq!(hours(&clock(&lines, 7 * HOUR), 10 * YEAR), 0);
    }

    #[test]
    fn a_jump_back_and_ahead_ages_nothing() {
        let lines = [(10 * YEAR, 0), (0, 10 * YEAR)];
        assert_eq!(hours(&clock(&lines, 10 * YEAR + HOUR), 10 * YEAR - HOUR), 1);
    }
}
