//! What a process that died in the middle left in `tmp/`.
//!
//! A file that nobody wrote to for a while is taken for such a leftover. Should its writer live after
//! all, slow as it is, then it loses the name and nothing else: the bytes are in the open file, and
//! are written anew. Earlier versions of the store depend on the name; their files, told by it,
//! are left for an hour.

use std::path::Path;
use std::time::{Duration, SystemTime};

use super::base::BlobStore;
use super::clock::apart;
use super::error::{At, StoreError};
use super::files;
use super::usage::units;

/// A temporary file that nobody wrote to for this long counts under the cap, and goes first when
/// room is needed.
pub(super) const STILL: Duration = Duration::from_secs(60);
/// One that nobody wrote to for this long goes in any case.
pub(super) const LEFTOVER: Duration = Duration::from_secs(600);
/// The same for a file of an earlier version.
const LEFTOVER_OF_OLD: Duration = Duration::from_secs(3_600);

/// Whether a temporary file may be removed: nobody wrote to it for `limit`. Of one that is dated
/// ahead nobody knows.
pub(super) fn is_leftover(name: &str, time: SystemTime, limit: Duration, now: SystemTime) -> bool {
    let limit = if files::is_recoverable(name) { limit } else { limit.max(LEFTOVER_OF_OLD) };
    now.duration_since(time).is_ok_and(|age| age > limit)
}

impl BlobStore {
    /// Room that temporary files take which nobody is writing, as far as can be seen: all of them
    /// but `own`, in units.
    pub(super) fn leftover_units(
        &self,
        own: Option<&Path>,
        now: SystemTime,
    ) -> Result<u64, StoreError> {
        let mut sum = 0;
        self.for_each_temp(|path, time, len| {
            let is_still = now.duration_since(time).is_ok_and(|age| age > STILL);
            sum += if own != Some(path) && is_still { units(len) } else { 0 };
            Ok(())
        })?;
        Ok(sum)
    }

    /// Removes temporary files that nobody wrote to for `limit`.
    pub(super) fn remove_leftovers(
        &self,
        limit: Duration,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        self.for_each_temp(|path, time, _| {
            let name = path.file_name().and_then(|name| name.to_str()).unwrap_or_default();
            if is_leftover(name, time, limit, now) {
                files::remove(path).at(path)?;
            } else if apart(time, now) > STILL && time > now {
                // The clock was set back. From now on its age is known.
                files::touch(path, now).at(path)?;
            }
            Ok(())
        })
    }

    fn for_each_temp(
        &self,
        mut each: impl FnMut(&Path, SystemTime, u64) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let tmp = self.tmp();
        for name in files::names(&tmp).at(&tmp)?.0 {
            let path = tmp.join(&name);
            if name.starts_with(files::TEMP)
                && let Some((time, len)) = files::stat(&path).at(&path)?
            {
                each(&path, time, len)?;
            }
        }
        Ok(())
    }
}
