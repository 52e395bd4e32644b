//! How values, schemas and names stand in a violation's sentence.

use serde_json::Value;

use crate::content::distance::distance_within;
use crate::search::schema::edits::Step;
use crate::search::schema::read::parameters;
use crate::search::schema::signature::{signature, type_text};
use crate::search::text::clean;
use crate::search::text::fold::fold;

/// Characters of a value that a sentence shows.
const SHOWN_CHARS: usize = 80;
/// Characters of a schema's part.
pub(super) const SLICE_CHARS: usize = 600;

/// Where a value is, as in `labels[0].name`.
pub(super) fn path_text(steps: &[Step]) -> String {
    let part = |step: &Step| match step {
        Step::Item(at) => format!("[{at}]"),
        Step::Key(key) if is_plain(key) => format!(".{key}"),
        Step::Key(key) => format!("[{}]", shown(&Value::from(key.as_str()))),
    };
    let text: String = steps.iter().map(part).collect();
    text.strip_prefix('.').map(str::to_owned).unwrap_or(text)
}

fn is_plain(key: &str) -> bool {
    !key.is_empty() && key.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
}

/// A value's part of the schema: exact when short.
pub(super) fn slice(root: &Value, schema: &Value) -> String {
    let text = schema.to_string();
    if text.chars().count() <= SLICE_CHARS {
        return text;
    }
    let is_root = std::ptr::eq(root, schema);
    if is_root || !parameters(schema).is_empty() {
        return signature(schema, SLICE_CHARS);
    }
    type_text(root, schema, SLICE_CHARS)
}

/// The value as JSON, clipped.
pub(super) fn shown(value: &Value) -> String {
    match value {
        // What cannot be shown whole need not be written whole.
        Value::String(text) if text.len() > SHOWN_CHARS * 4 => {
            let head: String = text.chars().take(SHOWN_CHARS - 8).collect();
            clean::one_line(&format!("{}…", Value::from(head)), SHOWN_CHARS)
        }
        Value::Array(items) if items.len() > SHOWN_CHARS => describe(value),
        Value::Object(map) if map.len() > SHOWN_CHARS => describe(value),
        _ => clean::one_line(&value.to_string(), SHOWN_CHARS),
    }
}

/// The value in words: its type, and itself when that is short.
pub(super) fn describe(value: &Value) -> String {
    match value {
        Value::Null => "null".to_owned(),
        Value::Bool(_) => format!("the boolean {value}"),
        Value::Number(_) => format!("the number {value}"),
        Value::String(_) => format!("the string {}", shown(value)),
        Value::Array(items) => format!("a list of {}", items.len()),
        Value::Object(map) => format!("an object with {} properties", map.len()),
    }
}

pub(super) fn listed<'n>(names: impl Iterator<Item = &'n str>) -> String {
    const SHOWN: usize = 20;
    let names: Vec<&str> = names.collect();
    let shown: Vec<String> =
        names.iter().take(SHOWN).map(|name| clean::one_line(name, 64)).collect();
    match names.len() {
        0 => "none".to_owned(),
        n if n > SHOWN => format!("{} and {} more", shown.join(", "), n - SHOWN),
        _ => shown.join(", "),
    }
}

/// The known key that `wanted` is probably a slip for.
pub(super) fn nearest_key<'k>(
    wanted: &str,
    known: impl Iterator<Item = &'k str>,
) -> Option<&'k str> {
    let wanted: String = wanted.chars().take(64).collect();
    let folded: Vec<char> = fold(&wanted).chars().collect();
    if folded.is_empty() {
        return None;
    }
    let limit = (folded.len() / 3).clamp(1, 3);
    let mut best: Option<(usize, &str)> = None;
    for key in known.take(500) {
        let other: Vec<char> = fold(key).chars().take(64).collect();
        if other.is_empty() {
            continue;
        }
        let distance = distance_within(&folded, &other, limit).or_else(|| {
            // `repo` for `repository`, `id` for `issue_id`.
            let longer = folded.len().max(other.len());
            let contained = folded.starts_with(&other)
                || other.starts_with(&folded)
                || folded.ends_with(&other)
                || other.ends_with(&folded);
            contained.then_some(100 + longer)
        });
        if let Some(distance) = distance
            && best.is_none_or(|(least, _)| distance < least)
        {
            best = Some((distance, key));
        }
    }
    best.map(|(_, key)| key)
}
