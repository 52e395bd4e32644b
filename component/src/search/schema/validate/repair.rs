//! Slips that leave no doubt, and what was meant.

use serde_json::{Map, Number, Value};

use super::allows_literally;
use crate::search::schema::edits::{Edit, whole};
use crate::search::schema::read::{Reference, follow, types};
use crate::search::schema::strict::strict;

pub(super) fn is_of(value: &Value, name: &str) -> bool {
    match (name, value) {
        ("object", Value::Object(_))
        | ("array", Value::Array(_))
        | ("string", Value::String(_))
        | ("number", Value::Number(_))
        | ("boolean", Value::Bool(_))
        | ("null", Value::Null) => true,
        ("integer", Value::Number(number)) => {
            number.is_i64() || number.is_u64() || number.as_f64().is_some_and(|f| f.fract() == 0.0)
        }
        _ => false,
    }
}

/// Values inside a value, itself included.
pub(super) fn nodes(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(nodes).sum(),
        Value::Object(map) => map.values().map(nodes).sum::<usize>(),
        _ => 0,
    }
}

/// The one of some allowed values that another stands for: `"1"` for 1, 2 for `"2"`, `"true"` for true.
pub(super) fn chosen(allowed: &[Value], value: &Value) -> Option<(Value, Edit)> {
    let text = value.as_str().map(str::trim);
    allowed.iter().find_map(|one| match one {
        Value::String(wanted) if value.is_number() || value.is_boolean() => {
            (value.to_string().as_str() == wanted).then(|| (one.clone(), Edit::Quote))
        }
        Value::Number(_) if Value::from(parse_number(text?)?) == *one => {
            Some((one.clone(), Edit::Unquote))
        }
        Value::Bool(wanted) if text?.eq_ignore_ascii_case(&wanted.to_string()) => {
            Some((one.clone(), Edit::Replace(if *wanted { "true" } else { "false" })))
        }
        _ => None,
    })
}

/// `value` as one of `types`, when there is one way only to read it so, and how its text becomes it.
pub(super) fn repaired(
    root: &Value,
    value: &Value,
    types: &[&str],
    schema: &Map<String, Value>,
) -> Option<(Value, Edit)> {
    let wants = |name: &str| types.contains(&name);
    match value {
        Value::String(text) => {
            let text = text.trim();
            if (wants("integer") || wants("number"))
                && let Some(number) = parse_number(text)
                && (wants("number") || is_of(&Value::Number(number.clone()), "integer"))
            {
                return Some(match whole(text).filter(|_| !wants("number")) {
                    Some(whole) => (Value::from(whole), Edit::Integer),
                    None => (Value::Number(number), Edit::Unquote),
                });
            }
            if wants("boolean") {
                if text.eq_ignore_ascii_case("true") {
                    return Some((Value::Bool(true), Edit::Replace("true")));
                }
                if text.eq_ignore_ascii_case("false") {
                    return Some((Value::Bool(false), Edit::Replace("false")));
                }
            }
            let opens = |c| text.starts_with(c);
            if (wants("array") && opens('[')) || (wants("object") && opens('{')) {
                strict(text).ok()?;
                return Some((serde_json::from_str(text).ok()?, Edit::Unquote));
            }
            // One item of a list, if it cannot be several.
            if wants("array") && !text.is_empty() && !text.contains([',', ';', '\n']) {
                return wrapped(root, value, schema);
            }
            let nothing_required = schema
                .get("required")
                .and_then(Value::as_array)
                .is_none_or(|required| required.is_empty());
            (wants("object") && text.is_empty() && nothing_required)
                .then(|| (Value::Object(Map::new()), Edit::Replace("{}")))
        }
        Value::Number(_) | Value::Bool(_) if wants("string") => {
            Some((Value::from(value.to_string()), Edit::Quote))
        }
        Value::Number(_) | Value::Bool(_) | Value::Object(_) if wants("array") => {
            wrapped(root, value, schema)
        }
        _ => None,
    }
}

/// A value as the one item of a list whose items are of its type.
pub(super) fn wrapped(
    root: &Value,
    value: &Value,
    schema: &Map<String, Value>,
) -> Option<(Value, Edit)> {
    let mut items = schema.get("items")?;
    if let Some(reference) = items.get("$ref").and_then(Value::as_str)
        && let Reference::Local(target) = follow(root, reference)
    {
        items = target;
    }
    let fits = match types(items) {
        Some(types) => types.iter().any(|name| is_of(value, name)),
        None => items.as_object().is_some_and(|items| allows_literally(items, value)),
    };
    fits.then(|| (Value::Array(vec![value.clone()]), Edit::Wrap))
}

/// A number as JSON writes it, nothing else: no `1e999`, no `0x1`, no `1,000`.
pub(super) fn parse_number(text: &str) -> Option<Number> {
    if text.is_empty() || text.len() > 40 {
        return None;
    }
    serde_json::from_str::<Number>(text).ok()
}
