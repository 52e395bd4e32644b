//! One tool result on its way through Weir. CPEX carries a result's content as JSON: a text, a result of MCP, or
//! anything else.

use serde_json::{Value, json};

use crate::bindings::weir::plugin::json;
use crate::bindings::weir::plugin::result_transform::{self, FinishedResult};
use crate::bindings::weir::plugin::types::{Origin, Part};

/// Whose result it is.
pub(crate) struct Call<'a> {
    pub(crate) session: &'a str,
    pub(crate) server: Option<&'a str>,
    pub(crate) tool: &'a str,
}

/// What becomes of it.
pub(crate) enum Outcome {
    Unchanged,
    Replaced { content: String, is_error: bool },
    Failed(String),
}

const READER: &str = "weir_fetch";

pub(crate) fn answer(call: &Call<'_>, content: &str, is_error: bool) -> Outcome {
    // Gateways put names of servers before those of tools, and may write a dash.
    if call.tool.replace('-', "_").ends_with(READER) {
        return read(call, content);
    }
    let first = content.trim_start().as_bytes().first();
    match first {
        Some(b'"') => match serde_json::from_str::<String>(content) {
            Ok(text) => text_result(call, text, is_error),
            Err(error) => Outcome::Failed(format!("its content is not JSON: {error}")),
        },
        // A result of MCP's `tools/call` keeps its shape.
        Some(b'{') if has_content(content) => mcp_result(call, content, is_error),
        _ => text_result(call, content.to_owned(), is_error),
    }
}

/// Whether an object has a list `content`, looked up without keeping the rest.
fn has_content(content: &str) -> bool {
    let members = serde_json::from_str::<
        std::collections::BTreeMap<String, &serde_json::value::RawValue>,
    >(content);
    members.is_ok_and(|members| {
        members.get("content").is_some_and(|list| list.get().trim_start().starts_with('['))
    })
}

fn text_result(call: &Call<'_>, text: String, is_error: bool) -> Outcome {
    let finished = FinishedResult {
        origin: Origin {
            session: call.session.to_owned(),
            tool: call.tool.to_owned(),
            toolset: call.server.map(str::to_owned),
            arguments: None,
            reader: None,
            purpose: None,
        },
        parts: vec![Part::Text(text)],
        raw: None,
        is_error,
        waits_for_input: false,
        max_chars: None,
        already_cut: false,
    };
    match result_transform::transform(&finished) {
        Ok(done) if !done.replaced => Outcome::Unchanged,
        Ok(done) => {
            let texts = done.parts.into_iter().filter_map(|part| match part {
                Part::Text(text) => Some(text),
                _ => None,
            });
            let shown = texts.collect::<Vec<_>>().join("\n");
            Outcome::Replaced { content: Value::String(shown).to_string(), is_error }
        }
        Err(failure) => Outcome::Failed(failure.message),
    }
}

fn mcp_result(call: &Call<'_>, content: &str, is_error: bool) -> Outcome {
    let origin = json!({ "session": call.session, "tool": call.tool, "server": call.server.unwrap_or_default() });
    let answer = json::transform(&origin.to_string(), content);
    match serde_json::from_str::<Value>(&answer) {
        Ok(answer) if answer["replaced"] == true => {
            Outcome::Replaced { content: answer["result"].to_string(), is_error }
        }
        Ok(answer) => match answer["error"]["message"].as_str() {
            Some(message) => Outcome::Failed(message.to_owned()),
            None => Outcome::Unchanged,
        },
        Err(error) => Outcome::Failed(error.to_string()),
    }
}

/// What the reading tool answers to the arguments that its stand-in gave back: an object, the same as text, or a
/// result of MCP with that text.
fn read(call: &Call<'_>, content: &str) -> Outcome {
    let given = serde_json::from_str::<Value>(content).unwrap_or_default();
    let text = given["content"][0]["text"].as_str().or(given.as_str());
    let arguments = text.map_or_else(|| content.to_owned(), str::to_owned);
    let answer = json::invoke(call.session, READER, &arguments);
    match serde_json::from_str::<Value>(&answer) {
        Ok(answer) if answer["content"].is_array() => {
            let text = answer["content"][0]["text"].as_str().unwrap_or_default();
            let content = if given["content"].is_array() {
                answer.to_string()
            } else {
                Value::from(text).to_string()
            };
            Outcome::Replaced { content, is_error: answer["isError"] == true }
        }
        _ => Outcome::Failed("the reading tool gave no answer".to_owned()),
    }
}
