//! What is made of an event: a text to transform, and the answer in the host's shape.

use std::path::PathBuf;

use super::event::{Block, Object, filled_blocks, quote};

/// Why an event is left alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is not a JSON object, or not one whole.
    NotAnEvent,
    /// It has the marks of another host, which runs this one's files.
    Foreign,
    /// It is another event than the hook is for.
    Event,
    /// It names no tool where the host does.
    Tool,
    /// The result is not where it was, or of another type.
    Shape,
    /// The tool failed, or the call was interrupted.
    Failed,
    /// It is or holds an image.
    Image,
    /// The call goes on in the background.
    Background,
    /// The model asked for a part of something: it gets exactly that.
    RangedRead,
    /// A program that the model wrote made the call, and reads its result.
    Program,
    /// It comes from a tool of Weir's own.
    Ours,
    /// The host cannot replace it, or there is no text.
    NoText,
}

impl Reason {
    /// The reasons for which a host that changes its events is no longer understood.
    pub const NOT_UNDERSTOOD: [Reason; 4] =
        [Reason::NotAnEvent, Reason::Event, Reason::Tool, Reason::Shape];

    /// What was not understood, in one word for names and in words for people; `None` for what was
    /// understood and left alone.
    #[must_use]
    pub fn not_understood(self) -> Option<(&'static str, &'static str)> {
        Some(match self {
            Reason::NotAnEvent => ("json", "no JSON object"),
            Reason::Event => ("event", "another event than the hook is for"),
            Reason::Tool => ("tool", "no name of a tool"),
            Reason::Shape => ("shape", "a result of another shape"),
            _ => return None,
        })
    }
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
    pub(super) shape: Shape,
    pub(super) frame: Frame,
}

/// A file in which a host has put a whole result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spilled {
    /// The file.
    pub path: PathBuf,
    /// Its bytes, where the host says so.
    pub bytes: Option<u64>,
    /// What the event shows of it: [`file::open`](super::file::open) compares. A result's text could name any file.
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
pub(super) enum Shape {
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
pub(super) enum Frame {
    UpdatedToolOutput(&'static str),
    Codex,
    ModifiedResult,
    Deny,
    Stop,
    Cursor,
    Docker,
    Plugin,
    Bare,
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
                let only = match &blocks[..] {
                    [Block::Text(block)] => block.text("text"),
                    _ => None,
                };
                let blocks = filled_blocks(blocks, texts);
                match around {
                    None => blocks,
                    Some(mut object) => {
                        object.set(&["content"], blocks);
                        // Python's SDK puts the text of a tool that gives one there a second time.
                        let copy =
                            object.object("structuredContent").and_then(|of| of.text("result"));
                        if copy.is_some() && copy == only {
                            let text = quote(texts.first().map_or("", String::as_str));
                            object.set(&["structuredContent", "result"], text);
                        }
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
            Frame::Bare => value.to_owned(),
        }
    }
}

fn joined(before: &str, texts: &[String], after: &str) -> String {
    let texts = texts.iter().filter(|text| !text.is_empty());
    format!("{before}{}{after}", texts.map(String::as_str).collect::<Vec<_>>().join("\n"))
}
