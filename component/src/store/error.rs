//! Why the store could not do what it was asked.

use std::io;
use std::path::{Path, PathBuf};

use super::record::Tombstone;
use super::session::BadSession;
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::source::ReadError;

/// An error from storing or reading a blob.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum StoreError {
    /// The file system refused.
    #[error("the store cannot use {}: {}", place(path), cause(source).map_or_else(|| source.to_string(), str::to_owned))]
    Io {
        /// What was to be read or written.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// There is no room: the blob is larger than the store may be, or what is there is in use.
    #[error("no room for {needed_bytes} bytes: the store may hold {cap_bytes} bytes{}", without_room(*needed_bytes, *cap_bytes))]
    Full {
        /// Bytes the blob takes on disk, as far as it was seen.
        needed_bytes: u64,
        /// Bytes the store may take.
        cap_bytes: u64,
    },
    /// The directory holds a store that this version cannot read.
    #[error(
        "the store says it is {found:?}, which this version cannot read; use a newer weir or another directory"
    )]
    FutureVersion {
        /// What its version marker says.
        found: String,
    },
    /// What is on disk is not what was written.
    #[error("blob {digest} is damaged at byte {offset}; run the tool again")]
    Corrupt {
        /// The damaged blob.
        digest: Digest,
        /// Where the damaged block starts, in bytes; the blob's length when its index is damaged.
        offset: u64,
    },
    /// No such blob: it was never stored, or was removed since.
    #[error("blob {digest} is not in the store; run the tool again")]
    Missing {
        /// The blob.
        digest: Digest,
    },
    /// The session's name cannot be used.
    #[error("unusable session name: {reason}")]
    BadSession {
        /// What is wrong with it.
        reason: &'static str,
    },
    /// A file of the store is damaged.
    #[error("{} is damaged; write it again", path.display())]
    CorruptFile {
        /// The file.
        path: PathBuf,
    },
    /// A rule says that such a result is never stored.
    #[error(
        "results of such calls are never stored: the rule \"{rule}\" of `transform.never_store` says so"
    )]
    NeverStored {
        /// The rule, as it stands in the settings.
        rule: String,
    },
    /// Others removed what was being stored each time it was written. Storing again may work.
    #[error("blob {digest} was removed while it was being stored; store it again")]
    Contended {
        /// The blob.
        digest: Digest,
    },
}

/// Why there is no room, and what to do.
fn without_room(needed_bytes: u64, cap_bytes: u64) -> &'static str {
    match needed_bytes > cap_bytes {
        true => " in all; raise store.max_bytes",
        false => {
            ", and what it holds is pinned or was used just now; raise store.max_bytes, or wait"
        }
    }
}

/// What was to be used, as it is named.
fn place(path: &Path) -> String {
    match path.as_os_str().is_empty() {
        true => "its directory".to_owned(),
        false => format!("`{}`", path.display()),
    }
}

/// The usual causes, in words. Nothing of a path and nothing of an error's number.
fn cause(error: &io::Error) -> Option<&'static str> {
    Some(match error.kind() {
        io::ErrorKind::StorageFull => "the disk is full",
        io::ErrorKind::QuotaExceeded => "the disk quota is used up",
        io::ErrorKind::ReadOnlyFilesystem => "the file system is read-only",
        io::ErrorKind::PermissionDenied => "permission denied",
        io::ErrorKind::FileTooLarge => "no file may grow that large here",
        io::ErrorKind::NotADirectory => "something that is not a directory is in the way",
        _ => return None,
    })
}

impl StoreError {
    /// What the file system said, in words for a model, where that is one of the usual causes.
    pub fn cause(&self) -> Option<&'static str> {
        match self {
            StoreError::Io { source, .. } => cause(source),
            _ => None,
        }
    }

    /// Why a result could not be stored, in words for a model: nothing of paths, nothing of other
    /// sessions.
    pub fn reason(&self) -> &'static str {
        match self {
            StoreError::Io { .. } => self.cause().unwrap_or("the store cannot be written"),
            StoreError::Full { .. } => "the store is full",
            StoreError::FutureVersion { .. } => "the store was made by a newer version",
            StoreError::Corrupt { .. } | StoreError::CorruptFile { .. } => "the store is damaged",
            StoreError::BadSession { .. } => "the session's name cannot be used",
            StoreError::NeverStored { .. } => "a rule keeps results of such calls out of the store",
            StoreError::Missing { .. } | StoreError::Contended { .. } => {
                "the store cannot be written"
            }
        }
    }
}

impl From<BadSession> for StoreError {
    fn from(bad: BadSession) -> StoreError {
        StoreError::BadSession { reason: bad.0 }
    }
}

impl From<BadSession> for LookupError {
    fn from(bad: BadSession) -> LookupError {
        LookupError::Store(bad.into())
    }
}

/// Ids in a row.
pub(crate) fn listed(ids: &[BlobId], between: &str) -> String {
    ids.iter().map(ToString::to_string).collect::<Vec<_>>().join(between)
}

/// Why an id could not be resolved. Each asks for another reaction.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LookupError {
    /// Several blobs have this prefix: one of these ids names each.
    #[error("several blobs have this id; use a longer one: {}", listed(.0, " "))]
    Ambiguous(Vec<BlobId>),
    /// It was here and is gone for good; running the tool again is the only way back.
    #[error("blob {} is gone: {}", .0.id, .0.reason)]
    Gone(Box<Tombstone>),
    /// This session has no such blob. Whether another one has it is not told.
    #[error("this session has no such blob")]
    Unknown,
    /// The store failed.
    #[error("{0}")]
    Store(#[source] StoreError),
}

impl From<StoreError> for LookupError {
    fn from(error: StoreError) -> Self {
        LookupError::Store(error)
    }
}

/// Says which file an error is about.
pub(super) trait At<T> {
    fn at(self, path: &Path) -> Result<T, StoreError>;
}

impl<T> At<T> for io::Result<T> {
    fn at(self, path: &Path) -> Result<T, StoreError> {
        self.map_err(|source| StoreError::Io { path: path.to_owned(), source })
    }
}

/// Says which blob a failed read is about.
pub(super) fn read_error(error: ReadError, digest: &Digest, path: &Path) -> StoreError {
    match error {
        ReadError::Corrupt { offset } => StoreError::Corrupt { digest: *digest, offset },
        ReadError::Io(source) => StoreError::Io { path: path.to_owned(), source },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cause_is_told_in_words_and_an_errors_number_is_not() {
        for (kind, words) in [
            (io::ErrorKind::StorageFull, "the disk is full"),
            (io::ErrorKind::ReadOnlyFilesystem, "the file system is read-only"),
            (io::ErrorKind::PermissionDenied, "permission denied"),
            (io::ErrorKind::QuotaExceeded, "the disk quota is used up"),
        ] {
            let error = StoreError::Io { path: "tmp/w1".into(), source: kind.into() };
            assert_eq!(error.to_string(), format!("the store cannot use `tmp/w1`: {words}"));
            assert_eq!(error.reason(), words);
        }
    }
}
