//! Content-addressed storage for results that were too large to show.
//!
//! A blob is named by the SHA-256 of its bytes: storing the same result twice stores it once, and a
//! reader can check that it got what was written. Who may read it is said by references, one small
//! file for each session and blob. There is no index that everyone writes to and there are no
//! locks, so any number of processes on one directory never wait for each other and cannot damage
//! more than one another's current call.
//!
//! # On disk
//!
//! ```text
//! <root>/
//! ├── version            what wrote this store
//! ├── blobs/5f/5f1e0c…   the blobs, split on the first byte of the digest (format: `blob`)
//! ├── refs/<session>/    what each session holds and held (names: `refs`)
//! ├── tmp/               w<n>: being written; <digest>.<n>: a blob being removed
//! ├── usage/             how much room the blobs take (`usage`)
//! ├── stats/             what the store was used for (`stats`)
//! ├── named/<kind>/…     files that other modules keep here (`named`)
//! ├── heartbeat, idle    when the store was in use (`clock`)
//! └── census             what the last sweep counted
//! ```
//!
//! # A put, step by step
//!
//! 1. *touch* the blob, if it is there; read it through to see that it is whole; skip to 4
//! 2. write a temporary file, set its time, sync it, check its length
//! 3. reserve room, *publish* the file: give it its name if that is free
//! 4. write the *reference*, sync it and both directories
//! 5. *check* that the blob and the reference are there; else start over
//!
//! Only then is the id given out. Stopped anywhere before, there is at worst a temporary file (a
//! sweep removes it), too much room reserved (a sweep gives it back), or a blob that nobody holds
//! (a sweep removes it after the grace time).
//!
//! # A removal, step by step
//!
//! 1. *away*: rename the blob to a name in `tmp/`
//! 2. *look* at its time: touched since it was chosen? put it back
//! 3. *entomb*: rename each reference to its tombstone; used since it was chosen? undo everything
//! 4. unlink the blob
//!
//! Stopped anywhere, the next sweep puts the blob back and looks afresh; a reader who comes between
//! finds it under the other name. Why no interleaving of the two kills a handle:
//!
//! - The put's *touch* comes before *away*: then *look* sees it.
//! - The *touch* comes after *away*: then it finds nothing, and the put publishes the blob anew.
//!   The removal unlinks what it renamed, not what was published.
//! - The put had the file open, and its touch reached the file only after *look*: then its *check*
//!   comes after *away*, finds nothing, and the put starts over with the bytes it still has.
//! - The put renewed a reference before *entomb*: its time is new, and everything is undone.
//! - The put found the reference gone: it writes a new one, which *entomb* does not touch: the
//!   renamed file is the old one. Reference and tombstone then lie side by side, and the reference
//!   counts.
//! - A reader's touch of a reference works as a put's does.
//!
//! # What is not here
//!
//! What to store (`spill`), what to show of it (`fetch`). No tools, no JSON but the records' own.

#![expect(clippy::disallowed_methods, reason = "this module is the edge to the file system")]

pub(crate) mod blob;
mod clock;
mod count;
mod digest;
mod doctor;
mod error;
mod fault;
mod files;
mod listing;
mod meter;
mod named;
mod put;
mod record;
mod refs;
mod session;
mod stats;
mod sweep;
mod usage;

#[cfg(test)]
mod tests;

use std::path::{Path, PathBuf};
use std::time::SystemTime;

pub use blob::Blob;
pub use digest::Digest;
pub use doctor::{Doctor, Report};
pub use error::{LookupError, StoreError};
pub use named::NAMED_MAX_BYTES;
pub use put::{BlobWriter, Published, Stored};
pub use record::{Entry, Reason, Record, Tombstone};
pub use refs::Page;
pub use stats::{FetchStats, Outcome, Stats};
pub use sweep::{Census, Progress, Sweeper};

use crate::settings::StoreSettings;
use error::{At, read_error};

/// What the version marker says. A store that says something else is left alone.
const VERSION: &[u8] = b"weir-store 1\n";

/// A directory of blobs. Cheap to open and to clone: it holds nothing but the path and the settings.
#[derive(Debug, Clone)]
pub struct BlobStore {
    root: PathBuf,
    settings: StoreSettings,
}

/// What is in the store and what it was used for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Status {
    /// Bytes that the blobs take, in whole blocks of 4 KiB.
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
    /// Opens the store in a directory, and creates it when there is none.
    ///
    /// # Errors
    /// [`StoreError::FutureVersion`] when what is there was not written by this version,
    /// [`StoreError::Io`].
    pub fn open(root: &Path, settings: StoreSettings) -> Result<BlobStore, StoreError> {
        let store = BlobStore { root: root.to_owned(), settings };
        let path = root.join("version");
        match files::read_small(&path, 100).at(&path)? {
            Some(version) if version == VERSION => {}
            Some(version) => {
                let found = String::from_utf8_lossy(&version).trim_end().to_owned();
                return Err(StoreError::FutureVersion { found });
            }
            None => {
                files::ensure_dir(root).at(root)?;
                files::replace(&store.tmp(), &path, VERSION).at(&path)?;
            }
        }
        Ok(store)
    }

    /// The settings it was opened with.
    pub fn settings(&self) -> &StoreSettings {
        &self.settings
    }

    fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    fn blob_path(&self, digest: &Digest) -> PathBuf {
        self.root.join("blobs").join(digest.shard()).join(digest.to_string())
    }

    /// The names under which a blob lies that is being removed, or was when a process died.
    fn away_paths(&self, digest: &Digest) -> Result<Vec<PathBuf>, StoreError> {
        let tmp = self.tmp();
        let prefix = format!("{digest}.");
        let (names, _) = files::names(&tmp).at(&tmp)?;
        Ok(names.iter().filter(|name| name.starts_with(&prefix)).map(|n| tmp.join(n)).collect())
    }

    /// Whether there is a file with that blob.
    fn has_blob(&self, digest: &Digest) -> Result<bool, StoreError> {
        let is_blob = |path: &Path| {
            files::stat(path).map(|s| s.is_some_and(|(_, len)| len >= blob::MIN_FILE_BYTES))
        };
        let path = self.blob_path(digest);
        if is_blob(&path).at(&path)? {
            return Ok(true);
        }
        for path in self.away_paths(digest)? {
            if is_blob(&path).at(&path)? {
                return Ok(true);
            }
        }
        // It may have been put back between the two looks.
        is_blob(&path).at(&path)
    }

    /// Opens a blob for reading.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Corrupt`] when its index is damaged (its bytes are
    /// checked as they are read), [`StoreError::Io`].
    pub fn open_blob(&self, digest: &Digest) -> Result<Blob, StoreError> {
        let path = self.blob_path(digest);
        let try_open =
            |path: &Path| blob::open(path, digest).map_err(|error| read_error(error, digest, path));
        if let Some(blob) = try_open(&path)? {
            return Ok(blob);
        }
        for path in self.away_paths(digest)? {
            // A name that was reserved for the rename, which did not come about, is no blob.
            if let Ok(Some(blob)) = try_open(&path) {
                return Ok(blob);
            }
        }
        try_open(&path)?.ok_or(StoreError::Missing { digest: *digest })
    }

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
            used_bytes: self.counters()?.used() * usage::UNIT_BYTES,
            cap_bytes: self.settings.max_bytes,
            census: (census.at_ms > 0).then_some(census),
            stats: self.stats()?,
        })
    }
}
