//! What is to be done with an answer.

use std::sync::Arc;

use crate::search::catalog::Tool;
use crate::servers::upstream::Upstream;

/// What is to be done with an answer that comes after its client was asked for something.
#[derive(Debug)]
pub(crate) enum After {
    /// It is a tool's result; with the arguments of the call, and what the client says it is for.
    Tool(Box<Tool>, Option<String>, Option<String>),
    /// It is what a server says of a prompt or a resource.
    Named(Named),
    /// It is what a server says of a task.
    Task(TaskOf),
}

impl After {
    /// The tool that was called, by its server's name of it.
    pub(crate) fn tool(&self) -> Option<&str> {
        match self {
            After::Tool(tool, ..) => Some(&tool.own_name),
            After::Named(_) | After::Task(_) => None,
        }
    }
}

/// How names in an answer are mapped back.
#[derive(Debug, Clone)]
pub(crate) enum Named {
    /// A prompt's messages.
    Prompt(Arc<Upstream>),
    /// A resource's contents.
    Resource {
        /// The server.
        upstream: Arc<Upstream>,
        /// The URI by which the client asked for it.
        uri: String,
    },
    /// Nothing to map.
    Other,
}

/// What an answer says of a task.
#[derive(Debug)]
pub(crate) struct TaskOf {
    pub(crate) upstream: Arc<Upstream>,
    /// The id by which the client knows it.
    pub(crate) id: String,
    /// Whether the answer is the result of the task's call.
    pub(crate) is_result: bool,
}
