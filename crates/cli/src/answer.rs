//! How a command ends: its answer as an exit code.

use std::process::ExitCode;

use super::failure::Failure;
use super::report;

/// What a command that ran has to say, as an exit code. A failure is [`Failure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// 0: done, or found.
    Yes,
    /// 1: the answer is no: nothing matched, or something is wrong with what was checked.
    No,
    /// The exit code of another program.
    Code(u8),
}

impl Answer {
    fn code(self) -> u8 {
        match self {
            Answer::Yes => 0,
            Answer::No => 1,
            Answer::Code(code) => code,
        }
    }
}

/// The exit code of a command; a failure is told.
pub(crate) fn exit_code(result: Result<Answer, Failure>, as_json: bool) -> ExitCode {
    match result {
        Ok(answer) => answer.code().into(),
        Err(error) => report::failure(&error, as_json),
    }
}

/// Ends the process at once, whatever other threads do.
pub(crate) fn exit(result: Result<Answer, Failure>) -> ! {
    let code = result.as_ref().map_or(2, |answer| answer.code());
    let _ = exit_code(result, false);
    std::process::exit(code.into())
}
