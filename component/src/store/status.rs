//! How full the store is, and what it was used for.

use std::time::SystemTime;

use super::base::BlobStore;
use super::census::Census;
use super::error::{At, StoreError};
use super::files;
use super::record::millis;
use super::refs::RefName;
use super::session::SessionKey;
use super::stats::Stats;
use super::usage::UNIT_BYTES;

/// Files that are looked at before the last sweep's count is taken instead.
const MAX_FILES: usize = 10_000;

/// What is in the store and what it was used for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Bytes that the blobs take, in whole blocks of 4 KiB, and what was left by writes that were
    /// cut short.
    pub used_bytes: u64,
    /// Bytes that they may take.
    pub cap_bytes: u64,
    /// What it holds: counted now when it is small, else by the last whole sweep; `None` before the
    /// first.
    pub census: Option<Census>,
    /// Sums over all puts and fetches.
    pub stats: Stats,
}

impl BlobStore {
    /// How full the store is, and what it was used for. Cheap: nothing is scanned.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn status(&self, now: SystemTime) -> Result<Status, StoreError> {
        let census = match self.count_held(now)? {
            Some(counted) => counted,
            None => self.census()?,
        };
        Ok(Status {
            used_bytes: (self.counters()?.used() + self.leftover_units(None, now)?) * UNIT_BYTES,
            cap_bytes: self.settings.max_bytes,
            census: (census.at_ms > 0).then_some(census),
            stats: self.stats()?,
        })
    }

    /// Counts what sessions hold and remember; `None` when there is more than can be counted at once.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    fn count_held(&self, now: SystemTime) -> Result<Option<Census>, StoreError> {
        let mut census = Census { at_ms: millis(now), ..Census::default() };
        let mut oldest: Option<u64> = None;
        let refs = self.root.join("refs");
        let mut seen = 0;
        for name in files::names(&refs).at(&refs)?.0 {
            let Some(key) = SessionKey::parse(&name) else { continue };
            let dir = self.session_dir(&key);
            let names = files::names(&dir).at(&dir)?.0;
            seen += 1 + names.len();
            if seen > MAX_FILES {
                return Ok(None);
            }
            let before = (census.references, census.tombstones);
            for name in names {
                match RefName::parse(&name) {
                    Some(RefName::Live(_)) => {
                        census.references += 1;
                        let path = dir.join(&name);
                        let used = files::stat(&path).at(&path)?.map(|(time, _)| millis(time));
                        oldest = oldest.into_iter().chain(used).min();
                    }
                    Some(RefName::Gone(..)) => census.tombstones += 1,
                    _ => {}
                }
            }
            census.sessions += u64::from(before != (census.references, census.tombstones));
        }
        census.oldest_use_ms = oldest;
        Ok(Some(census))
    }
}
