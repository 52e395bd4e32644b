//! Copilot CLI and coding agent. Above 20 KiB the text is a preview that names a file with all of it.

use std::path::PathBuf;

use super::super::event::Object;
use super::super::task::{Frame, Reason, Shape, Shown, Spilled, Task};
use super::{Call, without};

const SPILLED: &str = "Output too large to read at once (";
const SAVED: &str = "Saved to: ";

/// The last line of a shell's output: the only place that says how the command ended.
const STATUS: &str = "<shellId: ";

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    // The form for Claude Code's files is answered by the hook in this host's own files.
    without(event, &["hook_event_name", "tool_result", "tool_response", "toolInput"])?;
    let result = event.object("toolResult").ok_or(Reason::Shape)?;
    if result.text("resultType").ok_or(Reason::Shape)? != "success" {
        return Err(Reason::Failed);
    }
    let call = Call::of(event, "toolName", "toolArgs")?;
    let text = result.text("textResultForLlm").ok_or(Reason::NoText)?;
    let (text, status) = split_status(&text);
    let file = spilled(text);
    let texts = vec![text.to_owned()];
    let is_error = !status.is_empty() && !status.trim_end().ends_with(" 0>");
    let (name, before, after) = ("textResultForLlm", String::new(), status.to_owned());
    let shape = Shape::Member { object: result, name, before, after };
    let mut task = call.task(texts, shape, Frame::ModifiedResult);
    task.is_error = is_error;
    task.file = file;
    Ok(task)
}

/// The text, and its last line where that is the shell's status, with its line feed.
fn split_status(text: &str) -> (&str, &str) {
    let end = text.trim_end().rfind('\n').unwrap_or(0);
    if text[end..].trim_start().starts_with(STATUS) { text.split_at(end) } else { (text, "") }
}

/// The file that a preview names. The preview has the start of the output in it, somewhere.
fn spilled(text: &str) -> Option<Spilled> {
    let rest = text.strip_prefix(SPILLED)?;
    let line = rest.lines().next()?;
    let path = line.split_once(SAVED)?.1.trim();
    let path = path.split_whitespace().next()?;
    Some(Spilled {
        path: PathBuf::from(path),
        bytes: None,
        shown: Shown::Fresh { name: "copilot", folder: None },
    })
}
