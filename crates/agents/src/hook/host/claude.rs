//! Claude Code. The answer has the shape of the tool's own result: another shape is ignored without
//! a word.

use std::path::PathBuf;

use super::super::event::Object;
use super::super::task::{Frame, Reason, Shape, Shown, Spilled, Task};
use super::{Call, block_task, named, text_task, without};

/// What the host writes beside output that it has put in a file; with these kept, it shows its own
/// preview.
const PERSISTED: &[&str] = &["persistedOutputPath", "persistedOutputSize"];

/// The tools whose results are known.
const TOOLS: [&str; 5] = ["Bash", "PowerShell", "Read", "Grep", "WebFetch"];

/// Standard error of a command that is worth a look of its own.
const STDERR_BYTES: usize = 2_000;

pub(in super::super) fn decide(event: &Object) -> Result<Task, Reason> {
    named(event, "hook_event_name", &["PostToolUse"])?;
    // Other hosts run this host's files, and others yet name their events alike.
    without(
        event,
        &["turn_id", "cursor_version", "conversation_id", "tool_result", "tool_output"],
    )?;
    let response = event.present("tool_response").ok_or(Reason::Shape)?;
    let mut call = Call::of(event, "tool_name", "tool_input")?;
    if let Some(server) = event.object("mcp_server").and_then(|server| server.text("name")) {
        call.toolset = Some(server);
        call.check()?;
    }
    let mcp = call.toolset.is_some();
    match response.as_bytes().first() {
        Some(b'[') if mcp => {
            block_task(call, response, None, Frame::UpdatedToolOutput("PostToolUse"))
        }
        Some(b'"') if mcp => {
            let text = event.text("tool_response").ok_or(Reason::Shape)?;
            Ok(text_task(call, text, Frame::UpdatedToolOutput("PostToolUse")))
        }
        Some(b'{') if !mcp => {
            let object = event.object("tool_response").ok_or(Reason::Shape)?;
            // Qwen Code's and Gemini CLI's.
            if object.raw("llmContent").is_some() {
                return Err(Reason::Foreign);
            }
            fields(call, object)
        }
        _ if mcp || TOOLS.contains(&call.tool.as_str()) => Err(Reason::Shape),
        _ => Err(Reason::NoText),
    }
}

fn fields(call: Call, object: Object) -> Result<Task, Reason> {
    let frame = Frame::UpdatedToolOutput("PostToolUse");
    let plain = |call: Call, object: Object, path: Vec<&'static str>, text: String| {
        let shape = Shape::Fields { object, paths: vec![path], drop: &[], set: Vec::new() };
        call.task(vec![text], shape, frame)
    };
    match call.tool.as_str() {
        "Bash" | "PowerShell" => shell(call, object),
        "Read" => {
            if object.text("type").as_deref() != Some("text") {
                return Err(Reason::Image);
            }
            let file = object.object("file").ok_or(Reason::Shape)?;
            let text = file.text("content").ok_or(Reason::Shape)?;
            // Less than the file has: the host showed a part.
            if file.integer("numLines") < file.integer("totalLines") {
                return Err(Reason::RangedRead);
            }
            Ok(plain(call, object, vec!["file", "content"], text))
        }
        "Grep" => {
            let text = object.text("content").ok_or(Reason::NoText)?;
            Ok(plain(call, object, vec!["content"], text))
        }
        "WebFetch" => {
            let text = object.text("result").ok_or(Reason::NoText)?;
            Ok(plain(call, object, vec!["result"], text))
        }
        _ => Err(Reason::NoText),
    }
}

fn shell(call: Call, object: Object) -> Result<Task, Reason> {
    let stdout = object.text("stdout").ok_or(Reason::Shape)?;
    if object.is_true("interrupted") {
        return Err(Reason::Failed);
    }
    if object.is_true("isImage") {
        return Err(Reason::Image);
    }
    if object.present("backgroundTaskId").is_some() {
        return Err(Reason::Background);
    }
    let file =
        object.text("persistedOutputPath").filter(|path| !path.is_empty()).map(|path| Spilled {
            path: PathBuf::from(path),
            bytes: object.integer("persistedOutputSize").and_then(|size| size.try_into().ok()),
            shown: Shown::Start(stdout.clone()),
        });
    let (mut paths, mut texts) = (vec![vec!["stdout"]], vec![stdout]);
    let stderr = object.text("stderr").unwrap_or_default();
    if stderr.len() > STDERR_BYTES && file.is_none() {
        paths.push(vec!["stderr"]);
        texts.push(stderr);
    }
    let shape = Shape::Fields { object, paths, drop: PERSISTED, set: Vec::new() };
    let mut task = call.task(texts, shape, Frame::UpdatedToolOutput("PostToolUse"));
    task.file = file;
    Ok(task)
}
