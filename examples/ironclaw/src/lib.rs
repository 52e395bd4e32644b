//! A tool of IronClaw that calls another one and answers with an excerpt of what that gives, over a Weir composed with it.
//!
//! IronClaw gives tools no directory, so nothing is stored: what is not shown is had by calling again, with `find` or `lines`.
#![cfg(target_family = "wasm")]

mod bindings;

use bindings::exports::near::agent::tool::{ErrorKind, Guest, GuestFailure, Request, Response};
use bindings::near::agent::host;
use bindings::weir::plugin::json as weir;
use serde_json::{Value, json};

struct Adapter;

/// Below an excerpt: how to see the rest.
const MORE: &str = "\n[weir: nothing is stored here. To see more, make this call again with `find`, `lines` or `purpose`]";

impl Guest for Adapter {
    fn execute(request: Request) -> Response {
        let given: Value = serde_json::from_str(&request.params).unwrap_or_default();
        let Some(tool) = given["tool"].as_str() else {
            return failure(ErrorKind::Input, "`tool` must be the alias of a tool");
        };
        let arguments = match &given["arguments"] {
            Value::Null => json!({}),
            Value::Object(members) => Value::from(members.clone()),
            _ => return failure(ErrorKind::Input, "`arguments` must be an object"),
        };
        match host::tool_invoke(tool, &arguments.to_string()) {
            Ok(output) => match part(&given, &output) {
                Ok(part) => Response::Success(shown(&given, &arguments, part, output)),
                Err(why) => failure(ErrorKind::Input, why),
            },
            Err(why) => failure(ErrorKind::OperationFailed, &why),
        }
    }

    fn schema() -> String {
        include_str!("parameters.json").to_owned()
    }

    fn description() -> String {
        "Call another tool whose output may be large, and get an excerpt of at most 8,000 characters: its start, its \
         end, errors, and what fits `purpose`. With `find` or `lines` you get that part."
            .to_owned()
    }
}

/// The lines that were asked for, with their numbers; none where all of the output is meant.
fn part(given: &Value, output: &str) -> Result<Option<String>, &'static str> {
    let find = given["find"].as_str().map(str::to_lowercase);
    let (first, last) = match &given["lines"] {
        Value::Null if find.is_none() => return Ok(None),
        Value::Null => (1, u64::MAX),
        lines => match (lines[0].as_u64(), lines[1].as_u64()) {
            (Some(first), Some(last)) if 1 <= first && first <= last => (first, last),
            _ => return Err("`lines` must be the first and the last line, from 1"),
        },
    };
    let text = text_of(output);
    let numbered = text.lines().zip(1_u64..);
    let within = numbered.filter(|(_, number)| (first..=last).contains(number));
    let fits = |line: &str| find.as_ref().is_none_or(|find| line.to_lowercase().contains(find));
    let lines = within.filter(|(line, _)| fits(line)).map(|(line, n)| format!("{n}: {line}"));
    let lines: Vec<String> = lines.collect();
    Ok(Some(match lines.is_empty() {
        true => format!("none of the {} lines", text.lines().count()),
        false => lines.join("\n"),
    }))
}

/// An output as text: blocks of a result of MCP, a text, or other JSON with a line for each value.
fn text_of(output: &str) -> String {
    let value: Value = match serde_json::from_str(output) {
        Ok(Value::String(text)) => return text,
        Ok(value) => value,
        Err(_) => return output.to_owned(),
    };
    let blocks = value["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    match texts.is_empty() {
        true => serde_json::to_string_pretty(&value).unwrap_or_else(|_| output.to_owned()),
        false => texts.join("\n"),
    }
}

/// What the model gets, as JSON.
fn shown(given: &Value, arguments: &Value, part: Option<String>, output: String) -> String {
    let call = json!({
        "session": "ironclaw", "tool": given["tool"], "arguments": arguments.to_string(),
        "purpose": given["purpose"].as_str(),
    });
    let whole = part.map(|part| json!({"content": [{"type": "text", "text": part}]}).to_string());
    // What is a text in JSON is read as that text.
    let result = whole.clone().unwrap_or_else(|| match serde_json::from_str(&output) {
        Ok(Value::String(text)) => json!({"content": [{"type": "text", "text": text}]}).to_string(),
        _ => output.clone(),
    });
    let answer = weir::transform(&call.to_string(), &result);
    let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
    let blocks = answer["result"]["content"].as_array().map(Vec::as_slice).unwrap_or_default();
    let texts: Vec<&str> = blocks.iter().filter_map(|block| block["text"].as_str()).collect();
    match (answer["replaced"] == true, whole) {
        (true, _) => Value::from(texts.join("\n") + MORE).to_string(),
        (false, Some(part)) => Value::from(text_of(&part)).to_string(),
        (false, None) => output,
    }
}

fn failure(kind: ErrorKind, message: &str) -> Response {
    let message = Some(message.to_owned());
    Response::Failure(GuestFailure { kind, code: None, message })
}
