//! What a model sends to the search and the describe tool, in whatever shape.

use serde_json::Value;

use crate::search::find::answer::Detail;
use crate::search::find::describe::DescribeRequest;
use crate::search::find::search::{Kind, SearchRequest};

/// What a model sent, as JSON when it is that: also when it is JSON in a string.
fn read_json(text: &str) -> Option<Value> {
    if text.len() > crate::limits::CALL_MAX_BYTES {
        return None;
    }
    let mut text = text.trim().to_owned();
    for _ in 0..2 {
        match serde_json::from_str(&text) {
            Ok(Value::String(inner)) if inner.trim_start().starts_with(['{', '[', '"']) => {
                text = inner
            }
            Ok(value) => return Some(value),
            Err(_) => return None,
        }
    }
    None
}

pub(crate) fn read_search(arguments: &str) -> SearchRequest {
    let mut request = SearchRequest::default();
    match read_json(arguments) {
        Some(Value::Object(map)) => {
            for key in ["queries", "query", "q", "keywords", "search"] {
                if let Some(value) = map.get(key) {
                    request.queries.extend(texts(value));
                }
            }
            request.limit = map
                .get("limit")
                .or_else(|| map.get("max_results"))
                .and_then(number)
                .map(|n| n.clamp(1.0, 1_000.0) as u32);
            let kinds = map.get("kinds").or_else(|| map.get("kind")).map(names).unwrap_or_default();
            let wants = |kind: &str| kinds.iter().any(|word| word.trim_end_matches('s') == kind);
            request.kinds = match (wants("tool"), wants("skill")) {
                (true, false) => Some(Kind::Tool),
                (false, true) => Some(Kind::Skill),
                _ => None,
            };
            request.scores = map.get("scores") == Some(&Value::Bool(true));
            let detail = map.get("detail").or_else(|| map.get("detail_level"));
            request.detail =
                detail.and_then(Value::as_str).and_then(Detail::parse).unwrap_or_default();
        }
        Some(other) => request.queries = texts(&other),
        // Words that are no JSON are words to search for.
        None => request.queries = vec![arguments.chars().take(2_000).collect()],
    }
    request
}

pub(crate) fn read_describe(arguments: &str) -> DescribeRequest {
    let mut request = DescribeRequest::default();
    match read_json(arguments) {
        Some(Value::Object(map)) => {
            for key in ["names", "name", "tools", "tool", "tool_name"] {
                if let Some(value) = map.get(key) {
                    request.names.extend(names(value));
                }
            }
            request.path = map.get("path").and_then(Value::as_str).map(str::to_owned);
            request.again = match map.get("again") {
                Some(Value::Bool(again)) => *again,
                Some(Value::String(text)) => text.trim().eq_ignore_ascii_case("true"),
                _ => false,
            };
            request.detail = map.get("detail").and_then(Value::as_str).and_then(Detail::parse);
        }
        Some(other) => request.names = names(&other),
        None => {
            let text: String = arguments.chars().take(2_000).collect();
            request.names = names(&Value::from(text));
        }
    }
    request
}

/// The texts in a value: one, or a list of them, also written as JSON in a string. Numbers count.
fn texts(value: &Value) -> Vec<String> {
    match value {
        Value::String(text) => match serde_json::from_str::<Vec<Value>>(text) {
            Ok(list) => list.iter().flat_map(text_of).collect(),
            Err(_) => vec![text.clone()],
        },
        Value::Array(list) => list.iter().flat_map(text_of).collect(),
        other => text_of(other).into_iter().collect(),
    }
}

fn text_of(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Object(map) => {
            let named = ["query", "q", "name"].iter().find_map(|key| map.get(*key));
            named.and_then(Value::as_str).map(str::to_owned)
        }
        _ => None,
    }
}

/// Names, also when commas separate them in one text.
fn names(value: &Value) -> Vec<String> {
    let split = |text: String| -> Vec<String> {
        text.split(',').map(|name| name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    };
    texts(value).into_iter().flat_map(split).collect()
}

fn number(value: &Value) -> Option<f64> {
    match value {
        Value::Number(number) => number.as_f64(),
        Value::String(text) => text.trim().parse().ok().filter(|n: &f64| n.is_finite()),
        _ => None,
    }
}
