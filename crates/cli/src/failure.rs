//! Why a command failed.

use std::io;
use std::path::Path;

use weir_host::Error;

/// Why a command failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// The library's reasons.
    #[error("{}", .0.with_causes())]
    Weir(#[from] Error),
    /// A file or a stream.
    #[error("{what}: {source}")]
    Io {
        /// What was being done, as in "cannot read x".
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// What the user gave cannot be used.
    #[error("{message}")]
    Usage {
        /// What is wrong.
        message: String,
        /// What to do, where the message does not say it.
        hint: Option<String>,
    },
    /// Nobody reads the output any more.
    #[error("nobody reads the output any more")]
    Closed,
}

impl Failure {
    /// What the system said to something, as in "cannot read x".
    pub(crate) fn io(what: impl Into<String>) -> impl Fn(io::Error) -> Failure {
        let what = what.into();
        move |source| Failure::Io { what: what.clone(), source }
    }

    /// Standard output cannot be written.
    pub(crate) fn output(source: io::Error) -> Failure {
        match source.kind() {
            io::ErrorKind::BrokenPipe => Failure::Closed,
            _ => Failure::Io { what: "cannot write the answer".into(), source },
        }
    }

    /// A file cannot be read.
    pub(crate) fn reading(path: &Path, source: io::Error) -> Failure {
        Failure::Io { what: format!("cannot read {}", path.display()), source }
    }

    /// A file cannot be written.
    pub(crate) fn writing(path: &Path, source: io::Error) -> Failure {
        Failure::Io { what: format!("cannot write {}", path.display()), source }
    }

    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), hint: Some(hint.into()) }
    }

    /// The message says all there is to say.
    pub(crate) fn plain(message: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), hint: None }
    }
}
