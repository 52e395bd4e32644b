//! A plugin of CPEX: tool results that are too large for a model's context become excerpts.
//!
//! CPEX calls `handle-hook` for each message. Where one carries tool results (`cmf.tool_post_invoke`), the content
//! of each goes through Weir, and the message goes on with what stands in its place. Everything else passes as it is:
//! nothing here ever stops a call.
//!
//! Plugins of CPEX have no tools. For a model to read on, its host offers a tool `weir_fetch` that gives back its own
//! arguments; the answer takes their place here.
#![cfg(target_family = "wasm")]

mod bindings;
mod results;

use bindings::cpex::plugin::host_logging::{LogLevel, log};
use bindings::cpex::plugin::types::{ContentPart, MessagePayload};
use bindings::{Extensions, Guest, HookPayload, HookResult, PluginContext};

use crate::results::{Call, Outcome};

struct Adapter;

impl Guest for Adapter {
    fn handle_hook(
        _hook_name: String,
        payload: HookPayload,
        extensions: Extensions,
        _context: PluginContext,
    ) -> HookResult {
        let modified = match payload {
            HookPayload::Cmf(message) => replaced(message, &extensions),
            _ => None,
        };
        HookResult {
            continue_processing: true,
            modified_payload: modified.map(HookPayload::Cmf),
            modified_extensions: None,
            modified_context: None,
            violation: None,
            metadata: None,
        }
    }
}

/// The message with what stands in its tool results' place; nothing when they stay.
fn replaced(mut payload: MessagePayload, extensions: &Extensions) -> Option<MessagePayload> {
    let mut changed = false;
    for part in &mut payload.message.content {
        let ContentPart::ToolResult(result) = part else { continue };
        let call = Call {
            session: session(extensions),
            server: server(extensions),
            tool: &result.tool_name,
        };
        match results::answer(&call, &result.content, result.is_error) {
            Outcome::Unchanged => {}
            Outcome::Replaced { content, is_error } => {
                result.content = content;
                result.is_error = is_error;
                changed = true;
            }
            Outcome::Failed(why) => {
                log(LogLevel::Warn, &format!("a result of {} stays as it is: {why}", call.tool));
            }
        }
    }
    changed.then_some(payload)
}

/// Who may read a result back: the conversation where one is known, else the session, else the user.
fn session(extensions: &Extensions) -> &str {
    let agent = extensions.agent.as_ref();
    let subject = extensions.security.as_ref().and_then(|security| security.subject.as_ref());
    agent
        .and_then(|agent| agent.conversation_id.as_deref().or(agent.session_id.as_deref()))
        .or_else(|| subject.and_then(|subject| subject.id.as_deref()))
        .filter(|name| !name.is_empty())
        .unwrap_or("cpex")
}

fn server(extensions: &Extensions) -> Option<&str> {
    let tool = extensions.mcp.as_ref().and_then(|mcp| mcp.tool.as_ref());
    tool.and_then(|tool| tool.server_id.as_deref())
}
