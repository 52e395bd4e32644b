//! What Weir's own plugins send: `{"weir":1, "tool", "arguments", "cwd", "text", "file"?, "bytes"?,
//! "cut"?, "is_error"?}`. The answer is `{"text"}`.

use std::path::PathBuf;

use super::super::event::Object;
use super::super::task::{Frame, Reason, Shown, Spilled, Task};
use super::{Call, text_task};

/// Characters of the shown text's end that must be in the file. Hosts add a line of their own.
const END_CHARS: usize = 200;

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    if event.integer("weir") != Some(1) {
        return Err(Reason::Event);
    }
    let text = event.text("text").ok_or(Reason::NoText)?;
    let call = Call::of(event, "tool", "arguments")?;
    let end: String = {
        let shown = event.text("shown").unwrap_or_else(|| text.clone());
        let skip = shown.chars().count().saturating_sub(END_CHARS);
        shown.chars().skip(skip).collect()
    };
    let mut task = text_task(call, text, Frame::Plugin);
    task.file = event.text("file").filter(|path| !path.is_empty()).map(|path| Spilled {
        path: PathBuf::from(path),
        bytes: event.integer("bytes").and_then(|bytes| bytes.try_into().ok()),
        shown: Shown::End(end),
    });
    task.already_cut = event.is_true("cut") && task.file.is_none();
    task.is_error = event.is_true("is_error");
    Ok(task)
}
