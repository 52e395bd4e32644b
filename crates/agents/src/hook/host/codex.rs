//! Codex and Open Interpreter. Shell output comes cut to about 10,000 characters, without an exit
//! code; the whole is nowhere.

use super::super::event::Object;
use super::super::task::{Frame, Reason, Task};
use super::{Call, joined_task, named, not_of_program, text_task};

/// What the host writes before text that it has cut, and in its middle.
const CUT: [&str; 2] = ["Warning: truncated output (", "Total output lines: "];
const CUT_INSIDE: [&str; 2] = [" tokens truncated…", " chars truncated…"];

/// The host leaves no more than 10,000 characters: what is near that is worth replacing.
const MAX_CHARS: u32 = 8_000;

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    named(event, "hook_event_name", &["PostToolUse"])?;
    not_of_program(event, "tool_use_id", "exec-")?;
    if event.text("turn_id").is_none() {
        return Err(Reason::Shape);
    }
    let response = event.present("tool_response").ok_or(Reason::Shape)?;
    let call = Call::of(event, "tool_name", "tool_input")?;
    let mut task = match response.as_bytes().first() {
        Some(b'"') => {
            let text = event.text("tool_response").ok_or(Reason::Shape)?;
            let cut = CUT.iter().any(|mark| text.starts_with(mark))
                || CUT_INSIDE.iter().any(|mark| text.contains(mark));
            let mut task = text_task(call, text, Frame::Codex);
            task.already_cut = cut;
            task
        }
        Some(b'{') => {
            let result = event.object("tool_response").ok_or(Reason::Shape)?;
            if result.is_true("isError") {
                return Err(Reason::Failed);
            }
            joined_task(call, result.present("content").ok_or(Reason::Shape)?, Frame::Codex)?
        }
        _ => return Err(Reason::Shape),
    };
    task.max_chars = Some(MAX_CHARS);
    Ok(task)
}
