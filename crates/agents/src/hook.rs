//! Hooks of agent hosts: an event of a host in, the host's own answer out.
//!
//! ```text
//! event ─► decide ─┬─► Leave: say nothing
//!                  ├─► Resumed: (page) ─► Resumed::answer
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
mod hosts;
pub mod plugin;
mod resumed;
pub mod session;
mod task;
pub mod wrap;

#[cfg(test)]
mod tests;

use event::Object;

pub use hosts::Host;
pub(crate) use hosts::canonical;
pub use resumed::Resumed;
pub use task::{Reason, Shown, Spilled, Task};

/// What to do with an event.
#[derive(Debug)]
pub enum Decision {
    /// Say nothing.
    Leave(Reason),
    /// Replace the text when it is too large.
    Transform(Box<Task>),
    /// Say what is stored.
    Resume(Resumed),
}

/// What to do with an event of a host.
#[must_use]
pub fn decide(host: Host, event: impl Into<Vec<u8>>) -> Decision {
    let event = event.into();
    if host == Host::DockerMcp && event == b"null" {
        return Decision::Leave(Reason::Failed);
    }
    let Some(event) = Object::of_event(event) else {
        return Decision::Leave(Reason::NotAnEvent);
    };
    if let Some(resumed) = Resumed::of(host, &event) {
        return Decision::Resume(resumed);
    }
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
        Host::DockerMcp => host::docker_mcp::decide(&event),
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
