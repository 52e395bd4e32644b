//! What is kept of a call's arguments: where its result came from, and a digest.

use serde_json::Value;

use crate::content::show::clip;
use crate::digest::Digest;
use crate::limits::SOURCE_MAX_CHARS;

/// The arguments that say where a result came from, the most telling first.
const POINTERS: [&str; 12] = [
    "url",
    "urls",
    "uri",
    "path",
    "file_path",
    "filePath",
    "file",
    "paths",
    "query",
    "q",
    "pattern",
    "command",
];

/// The `url`, `path`, `query` or the like of a call, cut to [`SOURCE_MAX_CHARS`]; `None` when the
/// arguments are not a JSON object or have none.
pub(super) fn source_pointer(arguments: &str) -> Option<String> {
    let Value::Object(arguments) = serde_json::from_str(arguments).ok()? else { return None };
    POINTERS
        .iter()
        .find_map(|name| text(arguments.get(*name)?))
        .map(|text| clip(&text, SOURCE_MAX_CHARS))
}

/// A text, or the first text of a list and how many more there are.
fn text(value: &Value) -> Option<String> {
    match value {
        Value::String(text) if !text.is_empty() => Some(text.clone()),
        Value::Array(items) => {
            let first = items.first()?.as_str()?;
            Some(match items.len() {
                1 => first.to_owned(),
                n => format!("{first} (+{} more)", n - 1),
            })
        }
        _ => None,
    }
}

/// SHA-256 of the arguments as they were written, in hex.
pub(super) fn arguments_digest(arguments: &str) -> String {
    Digest::of(arguments.as_bytes()).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_telling_argument_is_the_source() {
        let pointer = |json: &str| source_pointer(json);
        assert_eq!(pointer(r#"{"limit": 5, "path": "a", "url": "u"}"#).as_deref(), Some("u"));
        assert_eq!(pointer(r#"{"urls": ["u1", "u2", "u3"]}"#).as_deref(), Some("u1 (+2 more)"));
        assert_eq!(pointer(r#"{"url": "", "q": "x"}"#).as_deref(), Some("x"));
        for none in ["", "[]", "{}", "{\"url\": 5}", "{\"urls\": []}", "{\"urls\": [1]}", "{"] {
            assert_eq!(pointer(none), None, "{none}");
        }
        let long = format!(r#"{{"url": "{}"}}"#, "é".repeat(1_000));
        assert_eq!(pointer(&long).map(|text| text.chars().count()), Some(SOURCE_MAX_CHARS));
    }
}
