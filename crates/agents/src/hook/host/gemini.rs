//! Gemini CLI. Another text can only come as a refusal: the model sees `{"error": TEXT}`, so the
//! text says first that the tool ran.

use super::super::event::Object;
use super::super::task::{Frame, Reason, Shape, Task};
use super::{Call, joined_task, named, tells_failure};

/// What the host writes around the output of tools that it does not trust.
const OPEN: &str = "<untrusted_context>\n";
const CLOSE: &str = "\n</untrusted_context>";

/// Before the text of a tool that ran, where the host shows it as an error.
const RAN: &str = "The tool ran and succeeded; this is its result, not an error.\n";

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    named(event, "hook_event_name", &["AfterTool"])?;
    // The host's own second call in the place of the first.
    if event.present("original_request_name").is_some() {
        return Err(Reason::Ours);
    }
    let response = event.object("tool_response").ok_or(Reason::Shape)?;
    if response.present("error").is_some() {
        return Err(Reason::Failed);
    }
    let call = Call::of(event, "tool_name", "tool_input")?;
    let content = response.present("llmContent").ok_or(Reason::Shape)?;
    if content.starts_with('[') {
        let mut task = joined_task(call, content, Frame::Deny)?;
        task.shape = Shape::Text { before: RAN.to_owned(), after: String::new() };
        return Ok(task);
    }
    let text = response.text("llmContent").ok_or(Reason::Image)?;
    let (body, open, close) =
        match text.strip_prefix(OPEN).and_then(|text| text.strip_suffix(CLOSE)) {
            Some(body) => (body, OPEN, CLOSE),
            None => (text.as_str(), "", ""),
        };
    // The frame's own lines stay around the excerpt: how the command ended is said there.
    let (body, tail) = split_tail(body);
    let is_error = tail.lines().any(tells_failure);
    let (label, body) = match body.strip_prefix("Output: ") {
        Some(body) => ("Output: ", body),
        None => ("", body),
    };
    let ran = if is_error { "" } else { RAN };
    let shape =
        Shape::Text { before: format!("{ran}{open}{label}"), after: format!("{tail}{close}") };
    let mut task = call.task(vec![body.to_owned()], shape, Frame::Deny);
    task.is_error = is_error;
    Ok(task)
}

/// The output, and the host's lines after it.
fn split_tail(body: &str) -> (&str, &str) {
    const LINES: [&str; 6] = [
        "Error: ",
        "Exit Code: ",
        "Signal: ",
        "Process Group PGID: ",
        "Background PIDs: ",
        "Exit Signal: ",
    ];
    let mut end = body.len();
    for _ in 0..LINES.len() {
        let Some(at) = body[..end].rfind('\n') else { break };
        if !LINES.iter().any(|line| body[at + 1..end].starts_with(line)) {
            break;
        }
        end = at;
    }
    body.split_at(end)
}
