//! Hooks of agent hosts: an event of a host in, the host's own answer out.
//!
//! ```text
//! event ─► decide ─┬─► Leave: say nothing
//!                  └─► Task: texts ─► (transform) ─► Task::answer: JSON in the host's shape
//! ```
//!
//! Everything here is pure: no file is read and nothing is stored. A host's contract is one file
//! below `host/`. The rules are the same for all of them:
//!
//! - Whatever is not exactly what the host sends is left alone: hosts run each other's hook files,
//!   and contracts change.
//! - Errors, images, interrupted calls, background calls and reads with a range are left alone.
//! - An object stays an object. Only the text changes, byte for byte.
//! - Results of Weir's own tools are left alone.

pub mod command;
pub mod entry;
mod event;
pub mod file;
mod host;
pub mod plugin;
pub mod session;
pub mod wrap;

#[cfg(test)]
mod tests;

use std::path::PathBuf;

use event::{Block, Object};

/// A host whose hooks have an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    /// Claude Code: `PostToolUse`.
    ClaudeCode,
    /// Codex and Open Interpreter: `PostToolUse`.
    Codex,
    /// Copilot CLI and coding agent: `postToolUse`.
    CopilotCli,
    /// Gemini CLI: `AfterTool`.
    GeminiCli,
    /// Mistral Vibe: `post_tool`.
    MistralVibe,
    /// Qwen Code: `PostToolUse`.
    QwenCode,
    /// Cursor: `postToolUse` and `afterMCPExecution`, for MCP tools.
    Cursor,
    /// Qoder CLI: `PostToolUse`.
    Qoder,
    /// CodeBuddy Code: `PostToolUse`.
    CodeBuddy,
    /// Grok Build: `PostToolUse`.
    GrokBuild,
    /// Docker Agent: `tool_response_transform`.
    DockerAgent,
    /// OpenCode, by a plugin of ours.
    OpenCode,
    /// Kilo, by the plugin for OpenCode.
    Kilo,
    /// pi, by an extension of ours.
    Pi,
    /// Cline, by a plugin of ours.
    Cline,
    /// OpenClaw, by a plugin of ours.
    OpenClaw,
    /// Amp, by a plugin of ours.
    Amp,
    /// Hermes, by a plugin of ours.
    Hermes,
}

impl Host {
    /// All of them.
    pub const ALL: [Host; 18] = [
        Host::ClaudeCode,
        Host::Codex,
        Host::CopilotCli,
        Host::GeminiCli,
        Host::MistralVibe,
        Host::QwenCode,
        Host::Cursor,
        Host::Qoder,
        Host::CodeBuddy,
        Host::GrokBuild,
        Host::DockerAgent,
        Host::OpenCode,
        Host::Kilo,
        Host::Pi,
        Host::Cline,
        Host::OpenClaw,
        Host::Amp,
        Host::Hermes,
    ];

    /// The host's name on the command line, in session names and in configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Host::ClaudeCode => "claude-code",
            Host::Codex => "codex",
            Host::CopilotCli => "copilot",
            Host::GeminiCli => "gemini",
            Host::MistralVibe => "mistral-vibe",
            Host::QwenCode => "qwen-code",
            Host::Cursor => "cursor",
            Host::Qoder => "qoder",
            Host::CodeBuddy => "codebuddy",
            Host::GrokBuild => "grok-build",
            Host::DockerAgent => "docker-agent",
            Host::OpenCode => "opencode",
            Host::Kilo => "kilo",
            Host::Pi => "pi",
            Host::Cline => "cline",
            Host::OpenClaw => "openclaw",
            Host::Amp => "amp",
            Host::Hermes => "hermes",
        }
    }

    /// The host that a name means; other names in use are understood.
    #[must_use]
    pub fn parse(name: &str) -> Option<Host> {
        let name = session::canonical(name);
        Host::ALL.into_iter().find(|host| host.name() == name)
    }

    /// Whether the host runs commands in a login shell, which sets the path for programs anew.
    #[must_use]
    pub fn has_login_shell(self) -> bool {
        matches!(self, Host::Codex | Host::Hermes)
    }

    /// Whether a model sees the tools of the host's MCP servers from the start. Elsewhere they are
    /// behind a search of the host's own, and what an excerpt names must be a command.
    #[must_use]
    pub fn lists_tools(self) -> bool {
        !matches!(self, Host::MistralVibe | Host::QwenCode | Host::OpenClaw)
    }

    /// Characters that the host passes to its model of a long result by itself, where that is known and is
    /// not what its event shows. `in_file`: it has put the result in a file.
    #[must_use]
    pub fn passes_chars(self, in_file: bool) -> Option<u32> {
        match self {
            // A preview of 2 KB, and where the file is.
            Host::ClaudeCode if in_file => Some(2_200),
            // The first 8,000 and the last 32,000.
            Host::GeminiCli => Some(40_000),
            _ => None,
        }
    }

    /// The most bytes that an answer's text may have before the host cuts or spills it.
    #[must_use]
    pub fn answer_max_bytes(self) -> usize {
        match self {
            // About 2,500 tokens of four bytes.
            Host::Codex => 9_500,
            Host::CopilotCli => 20_000,
            Host::QwenCode => 20_000,
            _ => 28_000,
        }
    }
}

/// What to do with an event.
#[derive(Debug)]
pub enum Decision {
    /// Say nothing.
    Leave(Reason),
    /// Replace the text when it is too large.
    Transform(Box<Task>),
}

/// Why an event is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is not a JSON object, or not one whole.
    NotAnEvent,
    /// Another host sent it, or another event, or a version with another contract.
    Foreign,
    /// The tool failed, or the call was interrupted.
    Failed,
    /// It is or holds an image.
    Image,
    /// The call goes on in the background.
    Background,
    /// The model asked for a part of something: it gets exactly that.
    RangedRead,
    /// It comes from a tool of Weir's own.
    Ours,
    /// The host cannot replace it, or there is no text.
    NoText,
}

/// A text to transform, and how to give it back.
#[derive(Debug)]
pub struct Task {
    /// The tool, as the hook is told.
    pub tool: String,
    /// The server of an MCP tool.
    pub toolset: Option<String>,
    /// The arguments, as JSON.
    pub arguments: Option<String>,
    /// The directory that the event names.
    pub directory: Option<PathBuf>,
    /// The texts of the result, in order.
    pub texts: Vec<String>,
    /// A file in which the host has put all of the first text.
    pub file: Option<Spilled>,
    /// Whether the text reports an error: a command that failed, say.
    pub is_error: bool,
    /// Whether the host has cut the text and the rest is nowhere.
    pub already_cut: bool,
    /// Characters from which on a text is worth replacing here, where that is less than usual.
    pub max_chars: Option<u32>,
    shape: Shape,
    frame: Frame,
}

/// A file in which a host has put a whole result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spilled {
    /// The file.
    pub path: PathBuf,
    /// Its bytes, where the host says so.
    pub bytes: Option<u64>,
    /// What the event shows of it: [`file::open`] compares. A result's text could name any file.
    pub shown: Shown,
}

/// Which part of a file an event shows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// Its start.
    Start(String),
    /// Its end.
    End(String),
    /// Both ends, or neither for sure: only a fresh file of the host's own is believed.
    Fresh {
        /// Its name must contain this.
        name: &'static str,
        /// It must be below a directory of this name, or else below that for temporary files.
        folder: Option<&'static str>,
    },
}

/// Where the new text goes.
#[derive(Debug)]
enum Shape {
    /// A JSON string, with something before and after it.
    Text { before: String, after: String },
    /// The same as a member of an object whose other members stay.
    Member { object: Object, name: &'static str, before: String, after: String },
    /// Fields of an object; the others stay, some go.
    Fields {
        object: Object,
        paths: Vec<Vec<&'static str>>,
        drop: &'static [&'static str],
        set: Vec<(&'static str, &'static str)>,
    },
    /// Content blocks, in an array or in the `content` of an object.
    Blocks { blocks: Vec<Block>, around: Option<Object> },
}

/// What stands around it.
#[derive(Debug, Clone, Copy)]
enum Frame {
    UpdatedToolOutput(&'static str),
    Codex,
    ModifiedResult,
    Deny,
    Stop,
    Cursor,
    Docker,
    Plugin,
}

/// What to do with an event of a host.
#[must_use]
pub fn decide(host: Host, event: impl Into<Vec<u8>>) -> Decision {
    let Some(event) = Object::of_event(event.into()) else {
        return Decision::Leave(Reason::NotAnEvent);
    };
    let decided = match host {
        Host::ClaudeCode => host::claude::decide(&event),
        Host::Codex => host::codex::decide(&event),
        Host::CopilotCli => host::copilot::decide(&event),
        Host::GeminiCli => host::gemini::decide(&event),
        Host::MistralVibe => host::vibe::decide(&event),
        Host::QwenCode => host::qwen::decide(&event),
        Host::Cursor => host::cursor::decide(&event),
        Host::Qoder | Host::CodeBuddy => host::qoder::decide(&event),
        Host::GrokBuild => host::grok::decide(&event),
        Host::DockerAgent => host::docker::decide(&event),
        Host::OpenCode
        | Host::Kilo
        | Host::Pi
        | Host::Cline
        | Host::OpenClaw
        | Host::Amp
        | Host::Hermes => host::plugin::decide(&event),
    };
    match decided {
        Ok(task) if task.texts.iter().all(String::is_empty) && task.file.is_none() => {
            Decision::Leave(Reason::NoText)
        }
        Ok(task) => Decision::Transform(Box::new(task)),
        Err(reason) => Decision::Leave(reason),
    }
}

impl Task {
    /// Bytes of text, or of the file where there is one and its size is known.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        let texts: u64 = self.texts.iter().map(|text| text.len() as u64).sum();
        match &self.file {
            Some(file) => file.bytes.unwrap_or(u64::MAX).max(texts),
            None => texts,
        }
    }

    /// The answer to the host: a JSON object on one line. `texts` stand in the place of
    /// [`Task::texts`]; when they are fewer, the last ones are empty now.
    #[must_use]
    pub fn answer(self, texts: &[String]) -> String {
        self.frame.around(&self.shape.filled(texts))
    }
}

impl Shape {
    fn filled(self, texts: &[String]) -> String {
        match self {
            Shape::Text { before, after } => quote(&joined(&before, texts, &after)),
            Shape::Member { mut object, name, before, after } => {
                object.set(&[name], quote(&joined(&before, texts, &after)));
                object.to_json()
            }
            Shape::Fields { mut object, paths, drop, set } => {
                for name in drop {
                    object.remove(name);
                }
                for (name, value) in set {
                    object.set(&[name], value.to_owned());
                }
                for (at, path) in paths.iter().enumerate() {
                    object.set(path, quote(texts.get(at).map_or("", String::as_str)));
                }
                object.to_json()
            }
            Shape::Blocks { blocks, around } => {
                let blocks = event::filled_blocks(blocks, texts);
                match around {
                    None => blocks,
                    Some(mut object) => {
                        object.set(&["content"], blocks);
                        object.to_json()
                    }
                }
            }
        }
    }
}

impl Frame {
    fn around(self, value: &str) -> String {
        match self {
            Frame::UpdatedToolOutput(event) => format!(
                r#"{{"hookSpecificOutput":{{"hookEventName":{},"updatedToolOutput":{value}}}}}"#,
                quote(event)
            ),
            // Any other key, and the host drops the whole answer.
            Frame::Codex => format!(
                r#"{{"continue":false,"stopReason":"weir: large output stored, excerpt shown","reason":{value}}}"#
            ),
            Frame::ModifiedResult => format!(r#"{{"modifiedResult":{value}}}"#),
            Frame::Deny => format!(r#"{{"decision":"deny","reason":{value}}}"#),
            Frame::Stop => format!(r#"{{"continue":false,"stopReason":{value}}}"#),
            Frame::Cursor => format!(r#"{{"updated_mcp_tool_output":{value}}}"#),
            Frame::Docker => {
                format!(r#"{{"hook_specific_output":{{"updated_tool_response":{value}}}}}"#)
            }
            Frame::Plugin => format!(r#"{{"text":{value}}}"#),
        }
    }
}

fn joined(before: &str, texts: &[String], after: &str) -> String {
    let texts = texts.iter().filter(|text| !text.is_empty());
    format!("{before}{}{after}", texts.map(String::as_str).collect::<Vec<_>>().join("\n"))
}

fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
