//! Docker Agent: names with underscores, in the answer too.

use super::super::event::Object;
use super::super::task::{Frame, Reason, Task};
use super::{Call, named, text_task};

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    named(event, "hook_event_name", &["tool_response_transform"])?;
    if event.is_true("tool_error") {
        return Err(Reason::Failed);
    }
    let call = Call::of(event, "tool_name", "tool_input")?;
    let text = event.text("tool_response").ok_or(Reason::NoText)?;
    Ok(text_task(call, text, Frame::Docker))
}
