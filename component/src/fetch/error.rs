//! Why a read could not be answered.

use super::range::Unit;
use crate::fence::token;
use crate::handle::{BlobId, ParseIdError};
use crate::source::ReadError;
use crate::store::{self, LookupError, Reason, StoreError, Tombstone};

/// Why a read could not be answered. Each asks for another reaction.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FetchError {
    /// The id is none.
    #[error("{0}")]
    MalformedId(#[source] ParseIdError),
    /// Several blobs of this session begin so.
    #[error("several results begin so: {}; use a longer id", store::listed(.0, ", "))]
    Ambiguous(Vec<BlobId>),
    /// This session had it, and it is gone for good.
    #[error("{}", gone(.0))]
    Gone(Box<Tombstone>),
    /// This session has no such id, and none that it remembers. Whether another has it is not told.
    #[error("no result of this id is stored in this session")]
    Unknown,
    /// The position is past the end.
    #[error("the start is past the end: there are {total} {}", unit.as_str())]
    OutOfRange {
        /// What the total counts.
        unit: Unit,
        /// How many there are.
        total: u64,
    },
    /// A full read is over its limit.
    #[error(
        "the whole result has {chars} characters, over the limit of a full read: read it in parts"
    )]
    TooLarge {
        /// How many characters there are.
        chars: u64,
    },
    /// The stored bytes are damaged from this byte on. Other parts can still be read.
    #[error("the stored bytes are damaged from byte {offset} on")]
    Corrupt {
        /// Where the damage starts.
        offset: u64,
    },
    /// An argument cannot be used.
    #[error("{}", about(argument, message))]
    Invalid {
        /// Its name.
        argument: &'static str,
        /// What is wrong and what would be right.
        message: String,
    },
    /// A pattern or a program takes more than one call may.
    #[error("{}", about(argument, message))]
    TooCostly {
        /// The argument that it was given as.
        argument: &'static str,
        /// What it met, and what to write instead.
        message: String,
    },
    /// The store failed for a reason of its own.
    #[error("the store failed: {0}")]
    Storage(#[source] StoreError),
}

impl FetchError {
    pub(crate) fn invalid(argument: &'static str, message: impl Into<String>) -> FetchError {
        FetchError::Invalid { argument, message: message.into() }
    }
}

/// That a result is gone for good, and why.
fn gone(stone: &Tombstone) -> String {
    let why = match stone.reason {
        Reason::Expired => "was not used for too long",
        Reason::Evicted => "made room for others",
        Reason::Deleted => "was deleted",
        Reason::Corrupt => "was damaged on disk",
    };
    let bytes = stone.bytes.map_or_else(String::new, |n| format!(" ({n} bytes)"));
    let tool = token(&stone.record.tool, 80);
    format!("this result of {tool}{bytes} is gone for good: it {why}")
}

/// What is wrong with an argument. Messages about the pattern are sentences that name it.
fn about(argument: &str, message: &str) -> String {
    match message.starts_with(argument) {
        true => message.to_owned(),
        false => format!("{argument}: {message}"),
    }
}

impl From<LookupError> for FetchError {
    fn from(error: LookupError) -> Self {
        match error {
            LookupError::Ambiguous(ids) => FetchError::Ambiguous(ids),
            LookupError::Gone(tombstone) => FetchError::Gone(tombstone),
            LookupError::Unknown => FetchError::Unknown,
            LookupError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for FetchError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Corrupt { offset, .. } => FetchError::Corrupt { offset },
            StoreError::Missing { .. } => FetchError::Unknown,
            StoreError::BadSession { reason } => FetchError::invalid("session", reason),
            error => FetchError::Storage(error),
        }
    }
}

impl From<ReadError> for FetchError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Corrupt { offset } => FetchError::Corrupt { offset },
            ReadError::Io(source) => {
                FetchError::Storage(StoreError::Io { path: "blobs".into(), source })
            }
        }
    }
}
