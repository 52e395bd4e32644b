//! What can go wrong between a host and the component.

use std::io;
use std::path::PathBuf;

use crate::contract::Failure;

/// An error from running the component.
///
/// A refusal of the component ([`Error::Refused`]) is the contract's own record. Everything else is
/// about the machinery; nothing that is stored is harmed by any of it.
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
    /// This build of the library has no component in it.
    #[error(
        "this build of weir-host embeds no component: name a file, or use the feature `embedded`"
    )]
    NotEmbedded,
    /// The file is not a component, or not one that keeps the contract: something it should export
    /// is missing, or it asks for more than WASI's file system and clocks.
    #[error("not a component of package weir:plugin@0.3.0")]
    ForeignComponent {
        /// What is missing or too much.
        source: wasmtime::Error,
    },
    /// No trusted key signed the component, and nothing says that it may run all the same.
    #[cfg(feature = "signatures")]
    #[error("the component {} is not trusted", path.as_deref().unwrap_or(std::path::Path::new("given as bytes")).display())]
    UntrustedComponent {
        /// Its file.
        path: Option<PathBuf>,
        /// Why not.
        #[source]
        reason: Distrust,
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
    #[error("cannot start wasmtime")]
    Engine {
        /// Why.
        source: wasmtime::Error,
    },
    /// The component broke or met a limit. Its instance is gone; the next call gets a fresh one.
    #[error("the component stopped in `{call}`: {reason}")]
    Trap {
        /// The function that was called.
        call: &'static str,
        /// What stopped it.
        reason: TrapReason,
        /// wasmtime's own error.
        source: wasmtime::Error,
        /// The whole story, for logs: wasm backtrace and what the component wrote to stderr.
        details: String,
    },
    /// The component refused. Match on the code; the message says what to do.
    #[error("{}", .0.message)]
    Refused(Box<Failure>),
    /// This file of the component does not have the function.
    #[error("this file of the component does not export `{interface}`")]
    NotExported {
        /// The interface that is missing.
        interface: &'static str,
    },
    /// The input of a streamed result cannot be read.
    #[error("cannot read the result")]
    Input(#[source] io::Error),
}

/// A function that this file of the component does not have.
#[derive(Debug, Clone, Copy, thiserror::Error)]
#[error("this file of the component does not export `{0}`")]
pub(crate) struct NotExported(pub(crate) &'static str);

/// Why a component may not run.
#[cfg(feature = "signatures")]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Distrust {
    /// There is no signature.
    #[error("it is not signed")]
    Unsigned,
    /// There is a signature, and no key to verify it with.
    #[error("it is signed, but no key is trusted")]
    NoKeys,
    /// No trusted key verifies the signature.
    #[error(
        "its signature is of none of the trusted keys ({keys} looked at): the file was changed after it was \
         signed, or another key signed it"
    )]
    Mismatch {
        /// How many keys were tried.
        keys: usize,
    },
    /// The signature cannot be read.
    #[error("its signature cannot be used: {0}")]
    Malformed(String),
}

/// What stopped a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TrapReason {
    /// It used up its fuel.
    #[error("it used up its fuel")]
    OutOfFuel,
    /// Its deadline passed.
    #[error("its deadline passed")]
    Deadline,
    /// It asked for more memory than it may have.
    #[error("it asked for more memory than it may have")]
    OutOfMemory,
    /// It called itself more deeply than there is stack for.
    #[error("it recursed too deeply")]
    OutOfStack,
    /// It panicked, or broke a rule of the machine.
    #[error("it broke")]
    Broken,
}

impl Error {
    /// The code of a refusal, from the contract's table; empty for every other error.
    #[must_use]
    pub fn code(&self) -> &str {
        match self {
            Error::Refused(failure) => &failure.code,
            _ => "",
        }
    }
}

impl Error {
    /// A question that met a limit is refused as too costly, with what to ask instead. Every other
    /// error stays what it is.
    pub(crate) fn or_too_costly(self) -> Error {
        let Error::Trap {
            call,
            reason:
                TrapReason::OutOfFuel
                | TrapReason::Deadline
                | TrapReason::OutOfMemory
                | TrapReason::OutOfStack,
            ..
        } = &self
        else {
            return self;
        };
        let instead = match *call {
            "grep" => {
                "search for a plain word, or for a pattern without counts such as {50,100}; or \
                 search from a later start"
            }
            "query" => {
                "let the program do less for each row: select early, as in select(.status == \
                 \"failed\"), avoid repeat, recurse and nested loops, and sum up with reduce; lines \
                 are found with grep"
            }
            "outline" => "name the rows with path, or read the start with mode head",
            "search" => "search one id, or use grep with a plain word",
            "diff" => "query both results for what matters and compare that",
            "invoke" => {
                "use grep with a plain word, range for a part, or a query that does less for each \
                 row: it selects early, avoids repeat, recurse and nested loops, and sums up with \
                 reduce"
            }
            // What could not even begin was given limits that are too tight.
            _ => return self,
        };
        let message = format!("too costly: this takes more than one call may. Instead, {instead}");
        Error::Refused(Box::new(Failure {
            code: "too-costly".to_owned(),
            message,
            argument: None,
            names: Vec::new(),
            total: None,
            gone: None,
        }))
    }

    /// What happened and what caused it, on one line: for logs and for people.
    #[must_use]
    pub fn with_causes(&self) -> String {
        let mut text = self.to_string();
        // What wasmtime says of a trap is a backtrace: it is in the details.
        let mut cause = match self {
            Error::Trap { .. } => None,
            error => std::error::Error::source(error),
        };
        while let Some(error) = cause {
            text.push_str(": ");
            text.push_str(&error.to_string());
            cause = error.source();
        }
        text
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Error {
        Error::Refused(Box::new(failure))
    }
}
