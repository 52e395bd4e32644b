//! What can go wrong between a host and the component.

use std::io;
use std::path::PathBuf;

use crate::contract::{
    AssembleError, BuildError, DescribeError, FetchError, LoadError, MaintenanceError, SearchError,
    TransformError,
};

/// An error from running the component.
///
/// The component's own answers of "no" ([`Error::Fetch`] and the like) carry the contract's typed
/// reasons. Everything else is about the machinery; nothing that is stored is harmed by any of it.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The component's file cannot be read.
    #[error("cannot read the component {}", path.display())]
    MissingComponent {
        /// Where it should be.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// The file is not a component, or not one that keeps the contract: something it should export
    /// is missing, or it asks for more than WASI's file system and clocks.
    #[error("not a component of package weir:plugin@0.1.0: {reason}")]
    ForeignComponent {
        /// What is missing or too much.
        reason: String,
    },
    /// The directory for the blobs cannot be made or opened.
    #[error("cannot open the store {}", path.display())]
    StoreDirectory {
        /// The directory.
        path: PathBuf,
        /// What the file system said.
        source: io::Error,
    },
    /// wasmtime cannot be set up on this machine.
    #[error("cannot start wasmtime: {reason}")]
    Engine {
        /// Why.
        reason: String,
    },
    /// The component broke or met a limit. Its instance is gone; the next call gets a fresh one.
    #[error("the component stopped in `{call}`: {reason}")]
    Trap {
        /// The function that was called.
        call: &'static str,
        /// What stopped it.
        reason: TrapReason,
        /// The whole story, for logs: wasm backtrace and what the component wrote to stderr.
        details: String,
    },
    /// The transform refused its input.
    #[error("{}", transform_message(.0))]
    Transform(TransformError),
    /// A read was answered with no.
    #[error("{}", fetch_message(.0))]
    Fetch(FetchError),
    /// The store could not be looked after.
    #[error("{}", maintenance_message(.0))]
    Maintenance(MaintenanceError),
    /// A snapshot of tools is beyond a limit.
    #[error("{}", build_message(.0))]
    BuildCatalog(BuildError),
    /// Bytes are not a catalog: build it from the snapshot.
    #[error("{}", load_message(*.0))]
    LoadCatalog(LoadError),
    /// Nothing can be assembled.
    #[error("{}", assemble_message(.0))]
    Assemble(AssembleError),
    /// A search of a catalog asks for nothing, or for too much.
    #[error("{}", search_message(.0))]
    SearchTools(SearchError),
    /// A description asks for nothing, or for too much.
    #[error("{}", describe_message(.0))]
    DescribeTools(DescribeError),
    /// The input of a streamed result cannot be read.
    #[error("cannot read the result")]
    Input(#[source] io::Error),
}

/// What stopped a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TrapReason {
    /// It used up its fuel.
    OutOfFuel,
    /// Its deadline passed.
    Deadline,
    /// It asked for more memory than it may have.
    OutOfMemory,
    /// It panicked, or broke a rule of the machine.
    Broken,
}

impl std::fmt::Display for TrapReason {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            TrapReason::OutOfFuel => "it used up its fuel",
            TrapReason::Deadline => "its deadline passed",
            TrapReason::OutOfMemory => "it asked for more memory than it may have",
            TrapReason::Broken => "it broke",
        })
    }
}

fn transform_message(error: &TransformError) -> String {
    match error {
        TransformError::BadSession => "a session's name has 1 to 512 characters".into(),
        TransformError::BadBase64(part) => format!("part {part} of the result is not base64"),
    }
}

fn fetch_message(error: &FetchError) -> String {
    match error {
        FetchError::MalformedId => "an id is 12 to 64 lower-case hex digits".into(),
        FetchError::Ambiguous(ids) => format!("several results begin so: {}", ids.join(", ")),
        FetchError::Gone(tombstone) => {
            let why = match tombstone.reason {
                crate::contract::GoneReason::Expired => "was not used for too long",
                crate::contract::GoneReason::Evicted => "made room for others",
                crate::contract::GoneReason::Deleted => "was deleted",
                crate::contract::GoneReason::Corrupt => "was damaged on disk",
            };
            {
                let bytes =
                    tombstone.bytes.map_or_else(String::new, |bytes| format!(" ({bytes} bytes)"));
                format!("this result of `{}`{bytes} is gone for good: it {why}", tombstone.tool)
            }
        }
        FetchError::Foreign => "this result belongs to another session".into(),
        FetchError::Unknown => "no result of this id is stored here".into(),
        FetchError::OutOfRange(total) => format!("the position is past the end, which is {total}"),
        FetchError::TooLarge(chars) => {
            format!("the whole result has {chars} characters, over the limit of `full`")
        }
        FetchError::Corrupt(offset) => {
            format!("the stored bytes are damaged from byte {offset} on")
        }
        // Messages about the pattern are sentences that name it.
        FetchError::Invalid(bad) if bad.message.starts_with(&bad.argument) => bad.message.clone(),
        FetchError::Invalid(bad) => format!("{}: {}", bad.argument, bad.message),
        FetchError::Storage(why) => format!("the store failed: {why}"),
    }
}

fn maintenance_message(error: &MaintenanceError) -> String {
    match error {
        MaintenanceError::MalformedId => "an id is 12 to 64 lower-case hex digits".into(),
        MaintenanceError::Unknown => "no result of this id is stored in this session".into(),
        MaintenanceError::Storage(why) => format!("the store failed: {why}"),
    }
}

fn build_message(error: &BuildError) -> String {
    match error {
        BuildError::TooManyTools((count, limit)) => {
            format!("{count} tools are more than one catalog holds, which is {limit}")
        }
        BuildError::TooLarge((bytes, limit)) => {
            format!("the definitions have {bytes} bytes, and one catalog holds {limit}")
        }
        BuildError::InvalidBridgeNames => {
            "the bridge tools' names are not three different identifiers".into()
        }
    }
}

fn load_message(error: LoadError) -> &'static str {
    match error {
        LoadError::Version => "this is no catalog, or one that another version wrote",
        LoadError::Corrupt => "the catalog is damaged",
    }
}

fn assemble_message(error: &AssembleError) -> String {
    match error {
        AssembleError::MissingRequired(names) => {
            format!("required, but not among the tools: {}", names.join(", "))
        }
    }
}

fn search_message(error: &SearchError) -> String {
    match error {
        SearchError::NoQuery => "no query has any words".into(),
        SearchError::TooManyQueries((count, limit)) => {
            format!("{count} queries are more than one search takes, which is {limit}")
        }
    }
}

fn describe_message(error: &DescribeError) -> String {
    match error {
        DescribeError::NoName => "there is no name of a tool".into(),
        DescribeError::TooManyNames((count, limit)) => {
            format!("{count} names are more than one answer takes, which is {limit}")
        }
    }
}
