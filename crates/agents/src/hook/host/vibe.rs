//! Mistral Vibe: `deny` replaces the text, and the tool's status stays what it was.

use super::super::event::Object;
use super::super::task::{Frame, Reason, Shape, Task};
use super::{Call, named, not_of_program, text_task};

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    named(event, "hook_event_name", &["post_tool"])?;
    not_of_program(event, "tool_call_id", "typescript:")?;
    if event.text("tool_status").ok_or(Reason::Shape)? != "success"
        || event.present("tool_error").is_some()
    {
        return Err(Reason::Failed);
    }
    let call = Call::of(event, "tool_name", "tool_input")?;
    let text = event.text("tool_output_text").ok_or(Reason::NoText)?;
    let Some(output) = event.object("tool_output") else {
        return Ok(text_task(call, text, Frame::Deny));
    };
    if output.is_true("timed_out") {
        return Err(Reason::Failed);
    }
    let cut = output.is_true("was_truncated");
    let code = output.integer("returncode");
    let empty = |name| output.text(name).is_none_or(|text| text.is_empty());
    let mut task = match (output.text("stdout"), code) {
        (Some(stdout), Some(code)) if empty("stderr") => {
            let before = format!("returncode: {code}\n");
            call.task(vec![stdout], Shape::Text { before, after: String::new() }, Frame::Deny)
        }
        _ => text_task(call, text, Frame::Deny),
    };
    task.already_cut = cut;
    task.is_error = code.is_some_and(|code| code != 0);
    Ok(task)
}
