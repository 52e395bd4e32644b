//! How much room the blobs take, known without looking at them.
//!
//! Two files, `usage/added` and `usage/removed`, whose lengths are the counts: one byte is appended
//! for every 4 KiB that comes or goes, and an append is atomic however many do it. A put appends
//! before it publishes, so the difference is never less than what is there; a crash between the two
//! leaves it too high until a sweep has counted.

use super::base::BlobStore;
use super::error::{At, StoreError};
use super::files;

/// Bytes of a blob file that one byte in a counter stands for: what file systems hand out.
pub(super) const UNIT_BYTES: u64 = 4_096;

/// The length of a counter above which a sweep starts a fresh one.
const COUNTER_MAX_BYTES: u64 = 64 * 1024 * 1024;

/// Units that a file takes.
pub(super) fn units(file_bytes: u64) -> u64 {
    file_bytes.div_ceil(UNIT_BYTES)
}

/// Both counters at one time.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Counters {
    pub(super) added: u64,
    pub(super) removed: u64,
}

impl Counters {
    /// Units in use.
    pub(super) fn used(&self) -> u64 {
        self.added.saturating_sub(self.removed)
    }
}

impl BlobStore {
    pub(super) fn counters(&self) -> Result<Counters, StoreError> {
        let len = |name: &str| {
            let path = self.root.join("usage").join(name);
            files::stat(&path).at(&path).map(|stat| stat.map_or(0, |(_, len)| len))
        };
        // Removed first: a put and an eviction in between then look like more, not like less.
        let removed = len("removed")?;
        Ok(Counters { added: len("added")?, removed })
    }

    pub(super) fn count_added(&self, units: u64) -> Result<(), StoreError> {
        self.count("added", units)
    }

    pub(super) fn count_removed(&self, units: u64) -> Result<(), StoreError> {
        self.count("removed", units)
    }

    fn count(&self, name: &str, mut units: u64) -> Result<(), StoreError> {
        let path = self.root.join("usage").join(name);
        let zeros = vec![0; units.min(256 * 1024) as usize];
        while units > 0 {
            let n = units.min(zeros.len() as u64);
            files::append(&self.tmp(), &path, &zeros[..n as usize]).at(&path)?;
            units -= n;
        }
        Ok(())
    }

    /// Starts fresh counters when these have grown long. What others count between the two renames
    /// is lost until the next sweep has counted.
    pub(super) fn renew_counters(&self) -> Result<(), StoreError> {
        let counters = self.counters()?;
        if counters.added.max(counters.removed) <= COUNTER_MAX_BYTES {
            return Ok(());
        }
        let dir = self.root.join("usage");
        let used = usize::try_from(counters.used()).unwrap_or(usize::MAX);
        let mut added = files::Temp::create(&self.tmp()).at(&dir)?;
        let zeros = vec![0; used.min(256 * 1024)];
        while added.len() < used as u64 {
            let n = (used as u64 - added.len()).min(zeros.len() as u64);
            added.write(&zeros[..n as usize]).at(&dir)?;
        }
        let mut removed = files::Temp::create(&self.tmp()).at(&dir)?;
        // In this order the store looks empty for a moment; in the other it would look full, and
        // a put would evict what it need not.
        added.publish(&dir.join("added")).at(&dir)?;
        removed.publish(&dir.join("removed")).at(&dir)
    }
}
