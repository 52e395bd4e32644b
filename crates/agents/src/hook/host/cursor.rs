//! Cursor: results of MCP tools only; those of its own tools cannot be replaced.

use super::super::event::{Object, string};
use super::super::task::{Frame, Reason, Task};
use super::{Call, block_task, text_task};

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    let name = event.text("hook_event_name").ok_or(Reason::Event)?;
    let result = match name.as_str() {
        "postToolUse" => {
            if !event.text("tool_name").is_some_and(|tool| tool.starts_with("MCP:")) {
                return Err(Reason::NoText);
            }
            "tool_output"
        }
        "afterMCPExecution" => "result_json",
        _ => return Err(Reason::Event),
    };
    let call = Call::of(event, "tool_name", "tool_input")?;
    let json = event.present(result).ok_or(Reason::Shape)?;
    // The result as JSON, inside a JSON text.
    let json = string(json).unwrap_or_else(|| json.to_owned());
    let Some(result) = Object::parse(&json) else {
        return Ok(text_task(call, json, Frame::Cursor));
    };
    if result.is_true("isError") {
        return Err(Reason::Failed);
    }
    let content = result.present("content").ok_or(Reason::NoText)?.to_owned();
    block_task(call, &content, Some(result), Frame::Cursor)
}
