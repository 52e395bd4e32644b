//! Qwen Code. There is no field for another result: what stops the turn's tool, `continue: false`,
//! puts its reason in the result's place and calls the tool "not run". The text says first that it
//! ran.

use std::path::PathBuf;

use super::super::event::Object;
use super::super::task::{Frame, Reason, Shape, Shown, Spilled, Task};
use super::{Call, named, tells_failure};

/// Before the text, where the host says that the tool was not run.
const RAN: &str = "The tool did run, once, and this is its result; do not run it again.\n";

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    named(event, "hook_event_name", &["PostToolUse"])?;
    let response = event.object("tool_response").ok_or(Reason::Shape)?;
    // Claude Code's and Codex's events have the same name, and no such text.
    if response.raw("llmContent").is_none() {
        return Err(Reason::Shape);
    }
    if response.present("error").is_some() {
        return Err(Reason::Failed);
    }
    let call = Call::of(event, "tool_name", "tool_input")?;
    let text = response.text("llmContent").ok_or(Reason::Image)?;
    let is_error = text.rsplit('\n').take(8).any(tells_failure);
    let file = spilled(&text);
    let shape = Shape::Text { before: RAN.to_owned(), after: String::new() };
    let mut task = call.task(vec![text], shape, Frame::Stop);
    task.is_error = is_error;
    // What the host saves it has taken from a terminal that keeps so many lines and no more.
    task.already_cut = file.is_some();
    task.file = file;
    Ok(task)
}

/// The file of an output that was too large for the host.
fn spilled(text: &str) -> Option<Spilled> {
    const CUT: &str = "Tool output was too large and has been truncated.\n";
    const SAVED: &str = "The full output has been saved to: ";
    let path = text.strip_prefix(CUT)?.strip_prefix(SAVED)?.lines().next()?.trim();
    Some(Spilled {
        path: PathBuf::from(path),
        bytes: None,
        shown: Shown::Fresh { name: ".output", folder: Some(".qwen") },
    })
}
