//! What a small store holds, counted when asked.

use std::time::SystemTime;

use super::error::At;
use super::record::millis;
use super::refs::RefName;
use super::session::SessionKey;
use super::{BlobStore, Census, StoreError, files};

/// Files that are looked at before the last sweep's count is taken instead.
const MAX_FILES: usize = 10_000;

impl BlobStore {
    /// Counts what sessions hold and remember; `None` when there is more than can be counted at once.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub(super) fn count_held(&self, now: SystemTime) -> Result<Option<Census>, StoreError> {
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
