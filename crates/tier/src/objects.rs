//! What a tier needs of the place where objects lie. An engine of another kind is a third body of this trait.
//!
//! Names are paths of plain segments: letters, digits, `-`, `_`, `.` and `~`. No function looks at a clock of another
//! machine: times are those that the engine wrote, and are compared only in hours.

use std::io::Write;
use std::path::Path;
use std::time::SystemTime;

use async_trait::async_trait;

use crate::error::TierError;

/// An object, as a listing shows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Found {
    /// Its name.
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// When it was written or renewed.
    pub modified: SystemTime,
    /// Another one whenever the object was replaced.
    pub tag: String,
}

/// Blobs and small objects (references, pins, grants, tombstones, leases) by name.
///
/// Every function may be called by any number of processes at a time. An error says nothing of what was done: the call
/// may have had its effect. All can be called again.
#[async_trait]
pub trait Objects: std::fmt::Debug + Send + Sync {
    /// Puts a file's bytes, which are at least one, where nothing has that name: seen whole or not at all, by everyone, when this returns.
    /// `false` where something has it: that is left as it is, or is replaced by the same bytes. Callers give a name one
    /// content only.
    async fn put(&self, name: &str, file: &Path) -> Result<bool, TierError>;

    /// Writes the bytes of an object; `false` where there is none. What was written before an error is worth nothing.
    /// Bytes are not verified here.
    async fn get(&self, name: &str, into: &mut (dyn Write + Send)) -> Result<bool, TierError>;

    /// Length and time of an object, as of now: what any process did before is seen.
    async fn stat(&self, name: &str) -> Result<Option<Found>, TierError>;

    /// Gives an object another name, which replaces what has that; `false` where there is none. Between the two steps
    /// it may be seen under both names, never under none. Its time is now.
    async fn rename(&self, from: &str, to: &str) -> Result<bool, TierError>;

    /// Puts a small object where nothing has that name. Of several at once exactly one is told `true`.
    async fn create(&self, name: &str, bytes: &[u8]) -> Result<bool, TierError>;

    /// Puts a small object in the place of the one that has this tag; without one, where nothing has that name. `false`
    /// where it is another one now. Of several at once exactly one is told `true`.
    async fn replace(&self, name: &str, bytes: &[u8], tag: Option<&str>)
    -> Result<bool, TierError>;

    /// The bytes of a small object.
    async fn read(&self, name: &str) -> Result<Option<Vec<u8>>, TierError>;

    /// Makes a small object as young as a new one, and reads it; `None` where there is none. What another has removed
    /// is never made again by it.
    async fn renew(&self, name: &str) -> Result<Option<Vec<u8>>, TierError>;

    /// Removes an object. That there is none is a success.
    async fn remove(&self, name: &str) -> Result<(), TierError>;

    /// Shows every object below a prefix, which ends with `/`, in the order of names within a folder; with `after`, only
    /// those whose names are greater. What comes or goes meanwhile may be shown or not; all else is.
    async fn list(
        &self,
        prefix: &str,
        after: Option<&str>,
        each: &mut (dyn FnMut(Found) + Send),
    ) -> Result<(), TierError>;
}
