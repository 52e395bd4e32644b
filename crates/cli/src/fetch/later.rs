//! `weir fetch --more`: goes on where the last answer ended at its limit, without a text to copy.

use std::path::{Path, PathBuf};
use std::process::Command;

use weir_base::private;

use crate::{Answer, Context, Failure};

fn file(state: &Path) -> PathBuf {
    state.join("more.json")
}

/// Keeps the words of this command, with an id where they name none and `more` in place of one. Says whether that
/// was done: there are words that are no text, and input that nobody can read twice.
pub(super) fn keep(context: &Context<'_>, id: Option<&str>, more: &str) -> bool {
    let given: Option<Vec<String>> =
        std::env::args_os().skip(1).map(|word| word.into_string().ok()).collect();
    let (Some(given), Ok(state)) = (given, context.state_dir()) else { return false };
    if given.iter().any(|word| word == "-") {
        return false;
    }
    let mut words = Vec::new();
    let mut given = given.into_iter();
    while let Some(word) = given.next() {
        match word.as_str() {
            "--more" | "--cursor" => drop(given.next()),
            word if word.starts_with("--more=") || word.starts_with("--cursor=") => {}
            _ => words.push(word),
        }
    }
    words.extend(id.map(str::to_owned));
    words.extend(["--more".to_owned(), more.to_owned()]);
    weir_base::create_private_dir(&state).is_ok()
        && private::write_json(&file(&state), &words).is_ok()
}

/// Runs the command that goes on, where nothing else was asked.
pub(super) fn go_on(is_alone: bool, context: &Context<'_>) -> Result<Answer, Failure> {
    if !is_alone {
        return Err(Failure::usage(
            "--more has no text",
            "give the `more` of the answer, or `weir fetch --more` alone",
        ));
    }
    let words: Vec<String> = private::read_json(&file(&context.state_dir()?)).unwrap_or_default();
    if words.is_empty() {
        return Err(Failure::usage(
            "there is no answer to go on with",
            "an answer that ended at its --limit is kept for `weir fetch --more`",
        ));
    }
    let program = std::env::current_exe().unwrap_or_else(|_| PathBuf::from("weir"));
    let status = Command::new(program)
        .args(&words)
        .status()
        .map_err(|error| Failure::plain(format!("it cannot be gone on with: {error}")))?;
    Ok(if status.success() { Answer::Yes } else { Answer::No })
}
