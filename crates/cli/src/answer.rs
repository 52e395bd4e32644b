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

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> ExitCode {
        ExitCode::from(match answer {
            Answer::Yes => 0,
            Answer::No => 1,
            Answer::Code(code) => code,
        })
    }
}

/// The exit code of a command; a failure is told.
pub(crate) fn exit_code(result: Result<Answer, Failure>, as_json: bool) -> ExitCode {
    match result {
        Ok(answer) => answer.into(),
        Err(error) => report::failure(&error, as_json),
    }
}

/// Ends the process at once, whatever other threads do.
pub(crate) fn exit(result: Result<Answer, Failure>) -> ! {
    let code = match &result {
        Ok(Answer::Yes) => 0,
        Ok(Answer::No) => 1,
        Ok(Answer::Code(code)) => i32::from(*code),
        Err(_) => 2,
    };
    let _ = exit_code(result, false);
    std::process::exit(code)
}
