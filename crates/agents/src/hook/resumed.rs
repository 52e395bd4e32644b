//! The event at which a host goes on with less than the model has read: after a compaction, or where an earlier
//! session goes on. What is answered is put beside what is left of it.

use std::path::PathBuf;

use super::event::{Object, quote};
use super::hosts::Host;

/// The event of hosts with command hooks, and its sources at which something is lost. At a new session nothing is.
pub(super) const EVENT: &str = "SessionStart";
pub(super) const SOURCES: [&str; 2] = ["compact", "resume"];

/// A session that goes on.
#[derive(Debug)]
pub struct Resumed {
    /// The directory that the event names.
    pub directory: Option<PathBuf>,
    is_plugin: bool,
}

impl Resumed {
    /// Reads an event; `None` for any other.
    pub(super) fn of(host: Host, event: &Object) -> Option<Resumed> {
        let says = |name: &str, values: &[&str]| {
            event.text(name).is_some_and(|text| values.contains(&text.as_str()))
        };
        let is_plugin = match host {
            // Codex names a turn in no such event, Cursor a conversation in each.
            Host::ClaudeCode | Host::Codex | Host::QwenCode
                if says("hook_event_name", &[EVENT])
                    && says("source", &SOURCES)
                    && event.raw("conversation_id").is_none() =>
            {
                false
            }
            Host::OpenCode | Host::Kilo | Host::Pi
                if event.integer("weir") == Some(1) && says("event", &SOURCES) =>
            {
                true
            }
            _ => return None,
        };
        let directory = event.text("cwd").filter(|cwd| !cwd.is_empty()).map(PathBuf::from);
        Some(Resumed { directory, is_plugin })
    }

    /// The answer to the host: a JSON object on one line.
    #[must_use]
    pub fn answer(&self, page: &str) -> String {
        let page = quote(page);
        if self.is_plugin {
            return format!(r#"{{"text":{page}}}"#);
        }
        format!(
            r#"{{"hookSpecificOutput":{{"hookEventName":"{EVENT}","additionalContext":{page}}}}}"#
        )
    }
}
