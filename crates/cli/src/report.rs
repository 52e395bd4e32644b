//! What a failure looks like: what is true, an empty line, what to do next; exit code 2.

use std::io::{self, IsTerminal as _, Write as _};
use std::process::ExitCode;

use weir_host::signatures::Distrust;
use weir_host::{Error, TrapReason};

use super::console::coloured;
use super::failure::Failure;

/// Tells the user on stderr, as JSON when that was asked for. Exit code 2, or 0 when the reader of the
/// output left.
pub(crate) fn failure(failure: &Failure, as_json: bool) -> ExitCode {
    let (message, hint) = match failure {
        Failure::Closed => return ExitCode::SUCCESS,
        Failure::Weir(error) => (error.with_causes(), hint(error)),
        Failure::Io { what, source } => (format!("{what}: {source}"), advice(source)),
        Failure::Usage { message, hint } => (message.clone(), hint.clone()),
    };
    if as_json {
        tell_json(code(failure), &message, hint.as_deref());
        return ExitCode::from(2);
    }
    let mut err = io::stderr();
    let colour = coloured(err.is_terminal());
    let word = |word: &str, style: &str| match colour {
        true => format!("\x1b[{style}m{word}\x1b[0m"),
        false => word.to_owned(),
    };
    let _ = writeln!(err, "{} {message}", word("error:", "1;31"));
    if let Some(hint) = hint {
        let _ = writeln!(err, "\n{} {hint}", word("hint:", "1;36"));
    }
    ExitCode::from(2)
}

/// What to do about what the system said.
pub(crate) fn advice(error: &io::Error) -> Option<String> {
    let hint = match error.kind() {
        io::ErrorKind::NotFound => "check the path: a relative one begins at the current directory",
        io::ErrorKind::PermissionDenied => "check whose it is and who may use it",
        io::ErrorKind::IsADirectory => "name a file",
        io::ErrorKind::NotADirectory => "check the path: a part of it is a file",
        io::ErrorKind::StorageFull => "make room on the disk, then run the command again",
        io::ErrorKind::AddrInUse => "name another port: another program listens on this one",
        io::ErrorKind::InvalidData if error.to_string().contains("UTF-8") => "save it as UTF-8",
        _ => return None,
    };
    Some(hint.to_owned())
}

/// An error for programs.
pub(crate) fn tell_json(code: &str, message: &str, hint: Option<&str>) {
    let error = serde_json::json!({"error": {"code": code, "message": message, "hint": hint}});
    let _ = writeln!(io::stderr(), "{error}");
}

/// What kind of failure it is: the contract's code where the component refused, else a word of the
/// command's own.
fn code(failure: &Failure) -> &str {
    match failure {
        Failure::Weir(Error::Refused(refused)) => &refused.code,
        Failure::Weir(_) => "component",
        Failure::Io { .. } => "io",
        Failure::Usage { .. } => "usage",
        Failure::Closed => "closed",
    }
}

fn hint(error: &Error) -> Option<String> {
    let hint = match error {
        Error::MissingComponent { .. } => {
            "without --component and the setting `component`, the component inside runs"
        }
        Error::ForeignComponent { .. } => {
            "`weir inspect` shows what the component inside imports and exports"
        }
        Error::UntrustedComponent { reason, .. } => match reason {
            Distrust::Unsigned => {
                "sign it with openssl or cosign (docs/signing.md) and name the public key in `trusted_keys`, or run it all \
                 the same with --allow-unsigned"
            }
            Distrust::NoKeys => {
                "name the signer's public key in `trusted_keys` of the configuration, or run it all the same \
                 with --allow-unsigned"
            }
            Distrust::Mismatch { .. } => {
                "get the file and its .sig again; if another key signed it, name that in `trusted_keys`"
            }
            _ => "get the .sig file again: it holds one signature in base64",
        },
        Error::StoreDirectory { path, source } => match source.kind() {
            // Without a number it is no refusal of the system's, but what the directory's mode says.
            io::ErrorKind::PermissionDenied if source.raw_os_error().is_none() => {
                return Some(format!(
                    "if it is yours: chmod 700 {}; else name a directory of your own with --store",
                    path.display()
                ));
            }
            io::ErrorKind::ReadOnlyFilesystem => {
                "the disk is read-only: name a directory on another one with --store"
            }
            _ => "name a directory of your own with --store",
        },
        Error::Trap { reason: TrapReason::Broken, details, .. } => {
            return Some(format!(
                "this is a bug in the component; nothing stored is harmed. Details:\n{details}"
            ));
        }
        Error::Trap { .. } => "nothing stored is harmed; ask for less at once",
        Error::Refused(failure) => match failure.code.as_str() {
            "too-many-tools" | "snapshot-too-large" => "deny some tools, or leave servers out",
            "malformed-id" => {
                "the id stands in the handle; `weir list` shows those of this session"
            }
            "unknown" => "`weir list` shows what this session has; --session names another",
            "gone" => "call the tool again",
            "ambiguous" => "give more digits",
            "too-large" => "read a part with --lines or --grep, or everything with --all",
            "out-of-range" if failure.total == Some(0) => "there is nothing to read: it is empty",
            "out-of-range" => "start below the end, or count from it with a negative start",
            // What is wrong with a pattern, its message says; plain text is asked for in another way here.
            "invalid" if failure.argument.as_deref() == Some("pattern") => {
                match failure.message.contains("\"literal\": true") {
                    true => "-F takes the pattern as plain text",
                    false => return None,
                }
            }
            "invalid" if matches!(failure.argument.as_deref(), Some("older" | "other")) => {
                "`weir list` shows what there is to compare with"
            }
            "invalid" => "the command with --help says what may be given",
            "corrupt" => "`weir doctor` checks the whole store",
            _ => return None,
        },
        _ => return None,
    };
    Some(hint.to_owned())
}
