//! Grok Build: the answer is the whole tagged result, with the text for the model shortened and the
//! raw output empty.

use super::super::event::Object;
use super::super::task::{Frame, Reason, Shape, Task};
use super::{Call, named};

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    let name =
        if event.raw("hookEventName").is_some() { "hookEventName" } else { "hook_event_name" };
    named(event, name, &["post_tool_use", "PostToolUse"])?;
    let result = event.object("toolResult").ok_or(Reason::Shape)?;
    if result.text("type").as_deref() != Some("Bash") {
        return Err(Reason::NoText);
    }
    if result.is_true("timed_out") || result.present("signal").is_some() {
        return Err(Reason::Failed);
    }
    let call = Call::of(event, "toolName", "toolInput")?;
    let text = result.text("output_for_prompt").ok_or(Reason::NoText)?;
    let cut = result.is_true("truncated");
    let is_error = result.integer("exit_code").is_some_and(|code| code != 0);
    let shape = Shape::Fields {
        object: result,
        paths: vec![vec!["output_for_prompt"]],
        drop: &[],
        set: vec![("output", "[]")],
    };
    let mut task = call.task(vec![text], shape, Frame::UpdatedToolOutput("PostToolUse"));
    task.already_cut = cut;
    task.is_error = is_error;
    Ok(task)
}
