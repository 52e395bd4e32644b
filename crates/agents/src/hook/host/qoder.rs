//! Qoder CLI and CodeBuddy Code: Claude Code's events; the answer is a string.

use super::super::event::Object;
use super::super::task::{Frame, Reason, Task};
use super::{Call, joined_task, named, text_task, without};

const FRAME: Frame = Frame::UpdatedToolOutput("PostToolUse");

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    named(event, "hook_event_name", &["PostToolUse"])?;
    without(event, &["turn_id", "cursor_version", "tool_result", "tool_output"])?;
    let response = event.present("tool_response").ok_or(Reason::Shape)?;
    let call = Call::of(event, "tool_name", "tool_input")?;
    match response.as_bytes().first() {
        Some(b'"') => {
            let text = event.text("tool_response").ok_or(Reason::Shape)?;
            Ok(text_task(call, text, FRAME))
        }
        Some(b'[') => joined_task(call, response, FRAME),
        Some(b'{') => {
            let object = event.object("tool_response").ok_or(Reason::Shape)?;
            if object.raw("llmContent").is_some() {
                return Err(Reason::Foreign);
            }
            if object.is_true("interrupted") || object.is_true("isError") {
                return Err(Reason::Failed);
            }
            if object.is_true("isImage") {
                return Err(Reason::Image);
            }
            if object.present("backgroundTaskId").is_some() {
                return Err(Reason::Background);
            }
            if let Some(content) = object.present("content") {
                return joined_task(call, content, FRAME);
            }
            // Two streams cannot be told apart in one string.
            if object.text("stderr").is_some_and(|text| !text.is_empty()) {
                return Err(Reason::NoText);
            }
            let text = object.text("stdout").ok_or(Reason::NoText)?;
            Ok(text_task(call, text, FRAME))
        }
        _ => Err(Reason::Shape),
    }
}
