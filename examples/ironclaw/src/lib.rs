//! A tool of IronClaw that calls another one and answers with an excerpt of what that gives, over a Weir composed with it.
//!
//! IronClaw gives tools no directory and a new instance for each call, so what is stored is in memory and goes with the
//! call: what is not shown is had by calling again, with `read`.
#![cfg(target_family = "wasm")]

mod bindings;

use bindings::exports::near::agent::tool::{ErrorKind, Guest, GuestFailure, Request, Response};
use bindings::near::agent::host;
use bindings::weir::plugin::json as weir;
use serde_json::{Map, Value, json};

struct Adapter;

const SESSION: &str = "ironclaw";

/// Below what is shown: how to see the rest.
const MORE: &str = "\n[weir: nothing is kept after this call. To read more, make it again with `read`: what stands behind weir_fetch, without the id]";

impl Guest for Adapter {
    fn execute(request: Request) -> Response {
        let given: Value = serde_json::from_str(&request.params).unwrap_or_default();
        let Some(tool) = given["tool"].as_str() else {
            return failure(ErrorKind::Input, "`tool` must be the alias of a tool");
        };
        let (Some(arguments), Some(read)) = (object(&given["arguments"]), object(&given["read"]))
        else {
            return failure(ErrorKind::Input, "`arguments` and `read` must be objects");
        };
        let arguments = Value::from(arguments).to_string();
        match host::tool_invoke(tool, &arguments) {
            Ok(output) => match shown(&given, &arguments, read, output) {
                Ok(shown) => Response::Success(shown),
                Err(why) => failure(ErrorKind::Input, &why),
            },
            Err(why) => failure(ErrorKind::OperationFailed, &why),
        }
    }

    fn schema() -> String {
        include_str!("parameters.json").to_owned()
    }

    fn description() -> String {
        "Call another tool whose output may be large, and get an excerpt of at most 8,000 characters: its start, its \
         end, errors, and what fits `purpose`. With `read` you get the part that you ask for, such as \
         {\"mode\":\"query\",\"pattern\":\"select(.status==\\\"failed\\\") | .id\"}."
            .to_owned()
    }
}

/// An object, or an empty one in the place of none.
fn object(value: &Value) -> Option<Map<String, Value>> {
    match value {
        Value::Null => Some(Map::new()),
        Value::Object(members) => Some(members.clone()),
        _ => None,
    }
}

/// What the model gets, as JSON.
fn shown(
    given: &Value,
    arguments: &str,
    mut read: Map<String, Value>,
    output: String,
) -> Result<String, String> {
    weir::configure(r#"{"store": {"in_memory": true}}"#);
    let call = json!({
        "session": SESSION, "tool": given["tool"], "arguments": arguments, "purpose": given["purpose"].as_str(),
        // What is to be read is stored, however small it is.
        "maxChars": (!read.is_empty()).then_some(1),
    });
    // What is a text in JSON is read as that text.
    let result = match serde_json::from_str(&output) {
        Ok(Value::String(text)) => json!({"content": [{"type": "text", "text": text}]}).to_string(),
        _ => output.clone(),
    };
    let answer = weir::transform(&call.to_string(), &result);
    let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
    if answer["replaced"] != true {
        return Ok(output);
    }
    let id = &answer["handles"][0]["id"];
    if read.is_empty() || id.is_null() {
        return Ok(Value::from(text_of(&answer["result"]) + MORE).to_string());
    }
    read.insert("id".to_owned(), id.clone());
    let part = weir::invoke(SESSION, "weir_fetch", &Value::from(read).to_string());
    let part: Value = serde_json::from_str(&part).unwrap_or_default();
    match part["isError"] == true {
        true => Err(text_of(&part)),
        false => Ok(Value::from(text_of(&part) + MORE).to_string()),
    }
}

/// The text of a result of MCP.
fn text_of(result: &Value) -> String {
    let blocks = result["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    texts.join("\n")
}

fn failure(kind: ErrorKind, message: &str) -> Response {
    let message = Some(message.to_owned());
    Response::Failure(GuestFailure { kind, code: None, message })
}
