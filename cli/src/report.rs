//! What a failure looks like: what is true, an empty line, what to do next; exit code 2.

use std::io::{self, Write as _};
use std::path::Path;
use std::process::ExitCode;

use weir_host::{Error, TrapReason};

/// Why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The library's reasons.
    Weir(Error),
    /// A file or a stream.
    Io {
        /// What was being done, as in "cannot read x".
        what: String,
        /// What the system said.
        source: io::Error,
    },
    /// What the user gave cannot be used.
    Usage {
        /// What is wrong.
        message: String,
        /// What to do.
        hint: String,
    },
    /// Nobody reads the output any more.
    Closed,
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Weir(error)
    }
}

impl Failure {
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

    pub(crate) fn usage(message: impl Into<String>, hint: impl Into<String>) -> Failure {
        Failure::Usage { message: message.into(), hint: hint.into() }
    }
}

impl std::fmt::Display for Failure {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Failure::Weir(error) => f.write_str(&error.with_causes()),
            Failure::Io { what, source } => write!(f, "{what}: {source}"),
            Failure::Usage { message, .. } => f.write_str(message),
            Failure::Closed => f.write_str("nobody reads the output any more"),
        }
    }
}

/// Tells the user on stderr. Exit code 2, or 0 when the reader of the output left.
pub(crate) fn failure(failure: &Failure) -> ExitCode {
    let (message, hint) = match failure {
        Failure::Closed => return ExitCode::SUCCESS,
        Failure::Weir(error) => (error.with_causes(), hint(error)),
        Failure::Io { what, source } => (format!("{what}: {source}"), None),
        Failure::Usage { message, hint } => (message.clone(), Some(hint.clone())),
    };
    let mut err = io::stderr().lock();
    let _ = writeln!(err, "error: {message}");
    if let Some(hint) = hint {
        let _ = writeln!(err, "\nhint: {hint}");
    }
    ExitCode::from(2)
}

fn hint(error: &Error) -> Option<String> {
    let hint = match error {
        Error::MissingComponent { .. } => "leave --component out to run the component inside",
        Error::ForeignComponent { .. } => {
            "`weir inspect` shows what the component inside imports and exports"
        }
        Error::StoreDirectory { .. } => "name a directory of your own with --store",
        Error::Trap { reason: TrapReason::Broken, details, .. } => {
            return Some(format!(
                "this is a bug in the component; nothing stored is harmed. Details:\n{details}"
            ));
        }
        Error::Trap { .. } => "nothing stored is harmed; ask for less at once",
        Error::Refused(failure) => match failure.code.as_str() {
            "too-many-tools" | "snapshot-too-large" | "invalid-bridge-names" => {
                "give fewer files, or split them over several catalogs"
            }
            "other-version" | "damaged-catalog" => {
                "run `weir tools index` on the original files again"
            }
            "no-query" | "too-many-queries" => "give 1 to 7 queries, each with words",
            "no-name" | "too-many-names" => "give 1 to 10 names",
            "missing-tools" => "grant these tools, or leave --require out",
            "malformed-id" => {
                "the id stands in the handle; `weir list` shows those of this session"
            }
            "unknown" => "`weir list` shows what this session has; --session names another",
            "gone" => "call the tool again",
            "ambiguous" => "give more digits",
            "too-large" => "read a part with --lines or --grep, or everything with --all",
            "out-of-range" => "start below the end, or count from it with a negative start",
            "invalid" if failure.argument.as_deref() == Some("pattern") => {
                "without -E the pattern is plain text"
            }
            "corrupt" => "`weir doctor` checks the whole store",
            _ => return None,
        },
        _ => return None,
    };
    Some(hint.to_owned())
}
