//! One file a host: which of its events carry a result, and where its text is.

pub(super) mod claude;
pub(super) mod codex;
pub(super) mod copilot;
pub(super) mod cursor;
pub(super) mod docker;
pub(super) mod docker_mcp;
pub(super) mod gemini;
pub(super) mod grok;
pub(super) mod plugin;
pub(super) mod qoder;
pub(super) mod qwen;
pub(super) mod vibe;

use std::path::PathBuf;

use super::command::{Output, output_of};
use super::event::{self, Object};
use super::task::{Frame, Reason, Shape, Task};

/// The servers and the tool whose results are Weir's own.
const OUR_SERVER: &str = "weir";
const OUR_READER: &str = "weir_fetch";

/// Arguments by which a reading tool reads a part.
const RANGES: [&str; 14] = [
    "offset",
    "limit",
    "view_range",
    "viewRange",
    "start_line",
    "end_line",
    "startLine",
    "endLine",
    "line_start",
    "line_end",
    "start",
    "end",
    "range",
    "ranges",
];

/// Refuses the event of a call that a program of the model made: it reads the result as data, and an excerpt would
/// make it count what is not there. Such calls have ids that begin so.
fn not_of_program(event: &Object, id: &str, start: &str) -> Result<(), Reason> {
    match event.text(id) {
        Some(id) if id.starts_with(start) => Err(Reason::Program),
        _ => Ok(()),
    }
}

/// The call that an event is about.
struct Call {
    tool: String,
    toolset: Option<String>,
    arguments: Option<String>,
    directory: Option<PathBuf>,
}

impl Call {
    /// The call of an event in which these members hold the tool and its arguments; or why its
    /// result stays as it is, whatever it is.
    fn of(event: &Object, tool: &str, arguments: &str) -> Result<Call, Reason> {
        let name = event.text(tool).filter(|name| !name.is_empty()).ok_or(Reason::Tool)?;
        // Some hosts hand over the arguments as text.
        let arguments = match event.present(arguments) {
            Some(text) if text.starts_with('"') => event::string(text),
            other => other.map(str::to_owned),
        };
        let directory = event.text("cwd").filter(|cwd| !cwd.is_empty()).map(PathBuf::from);
        let (toolset, tool) = split_name(&name);
        let call = Call { tool, toolset, arguments, directory };
        call.check()?;
        Ok(call)
    }

    fn check(&self) -> Result<(), Reason> {
        // Any other server may have a tool of that name.
        let ours = match self.toolset.as_deref() {
            Some(server) => server == OUR_SERVER,
            None => self.tool == OUR_READER || self.tool.ends_with("_weir_fetch"),
        };
        if ours {
            return Err(Reason::Ours);
        }
        let Some(arguments) = self.arguments.as_deref().and_then(Object::parse) else {
            return Ok(());
        };
        if ["run_in_background", "is_background", "background"]
            .iter()
            .any(|name| arguments.is_true(name))
        {
            return Err(Reason::Background);
        }
        let tool = self.tool.to_lowercase();
        let reads = ["read", "view", "cat"].iter().any(|word| tool.contains(word));
        if reads && RANGES.iter().any(|name| arguments.present(name).is_some()) {
            return Err(Reason::RangedRead);
        }
        match commands(&arguments).last().map(|command| output_of(command)) {
            Some(Output::Part) => Err(Reason::RangedRead),
            Some(Output::Stored) => Err(Reason::Ours),
            _ => Ok(()),
        }
    }

    fn task(self, texts: Vec<String>, shape: Shape, frame: Frame) -> Task {
        Task {
            tool: self.tool,
            toolset: self.toolset,
            arguments: self.arguments,
            directory: self.directory,
            texts,
            file: None,
            is_error: false,
            already_cut: false,
            max_chars: None,
            shape,
            frame,
        }
    }
}

/// The shell commands among arguments.
fn commands(arguments: &Object) -> Vec<String> {
    for name in ["command", "cmd", "commands", "script"] {
        let Some(json) = arguments.present(name) else { continue };
        if let Some(text) = event::string(json) {
            return vec![text];
        }
        if let Some(items) = event::items(json) {
            let words: Vec<String> =
                items.iter().filter_map(|item| event::string(item.get())).collect();
            // The words of one command, or one command each.
            return if name == "commands" {
                words
            } else {
                words.last().cloned().into_iter().collect()
            };
        }
    }
    Vec::new()
}

/// Server and tool in a name: `mcp__SERVER__TOOL`, `mcp_SERVER_TOOL`, `MCP:TOOL`.
fn split_name(name: &str) -> (Option<String>, String) {
    if let Some((server, tool)) = name.strip_prefix("mcp__").and_then(|rest| rest.split_once("__"))
    {
        return (Some(server.to_owned()), tool.to_owned());
    }
    if let Some(tool) = name.strip_prefix("MCP:") {
        return (None, tool.to_owned());
    }
    // Names with one underscore cannot be split for sure; only ours must be known.
    if let Some(tool) = name.strip_prefix("mcp_weir_") {
        return (Some(OUR_SERVER.to_owned()), tool.to_owned());
    }
    (None, name.to_owned())
}

/// Whether a line of Gemini CLI, and of what was made from it, says that a command failed.
fn tells_failure(line: &str) -> bool {
    line.strip_prefix("Exit Code: ").is_some_and(|code| !matches!(code.trim(), "0" | "(none)"))
}

/// Requires that an event names itself so.
fn named(event: &Object, member: &str, names: &[&str]) -> Result<(), Reason> {
    match event.text(member) {
        Some(name) if names.contains(&name.as_str()) => Ok(()),
        _ => Err(Reason::Event),
    }
}

/// Refuses an event with one of these members: other hosts' events have them.
fn without(event: &Object, members: &[&str]) -> Result<(), Reason> {
    if members.iter().any(|name| event.raw(name).is_some()) { Err(Reason::Foreign) } else { Ok(()) }
}

/// Content blocks, in place of which others go, whatever stands around them.
fn block_task(
    call: Call,
    blocks: &str,
    around: Option<Object>,
    frame: Frame,
) -> Result<Task, Reason> {
    let (blocks, texts) = event::blocks(blocks).ok_or(Reason::Shape)?;
    if texts.is_empty() {
        return Err(Reason::NoText);
    }
    Ok(call.task(texts, Shape::Blocks { blocks, around }, frame))
}

/// Content blocks that become one text: those with anything else among them are left alone.
fn joined_task(call: Call, blocks: &str, frame: Frame) -> Result<Task, Reason> {
    let (blocks, texts) = event::blocks(blocks).ok_or(Reason::Shape)?;
    if blocks.iter().any(|block| matches!(block, event::Block::Other(_))) {
        return Err(Reason::Image);
    }
    Ok(call.task(texts, Shape::Text { before: String::new(), after: String::new() }, frame))
}

fn text_task(call: Call, text: String, frame: Frame) -> Task {
    call.task(vec![text], Shape::Text { before: String::new(), after: String::new() }, frame)
}
