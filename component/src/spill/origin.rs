//! What is kept of a call's arguments: where its result came from, and a digest.

use serde_json::Value;

use crate::content::show::clip;
use crate::content::words::words;
use crate::digest::Digest;
use crate::limits::SOURCE_MAX_CHARS;

/// The arguments that say where a result came from, the most telling first.
const POINTERS: &str = "url urls uri path file_path filePath file paths query q pattern command";

/// Last words of the names of arguments that say what a call was about where there is none of those.
const NAMING: &str =
    "id ids name names number project range repo repository service slug subject table title";

/// The `url`, `path`, `query` or the like of a call, else the ids and names among its arguments
/// (`owner_name: a, repo: b`), cut to [`SOURCE_MAX_CHARS`]; `None` when the arguments are not a
/// JSON object or have none.
pub(super) fn source_pointer(arguments: &str) -> Option<String> {
    let Value::Object(arguments) = serde_json::from_str(arguments).ok()? else { return None };
    let pointer = POINTERS.split(' ').find_map(|name| text(arguments.get(name)?));
    let named = || {
        let named = arguments.iter().filter(|(name, _)| is_naming(name));
        let named: Vec<String> = named
            .filter_map(|(name, value)| {
                let value = value.is_number().then(|| value.to_string()).or_else(|| text(value))?;
                Some(format!("{name}: {value}"))
            })
            .collect();
        (!named.is_empty()).then(|| named.join(", "))
    };
    pointer.or_else(named).map(|text| clip(&text, SOURCE_MAX_CHARS))
}

/// Whether the last word of an argument's name (`projectSlug`, `file-id`, `repo`) is a naming one.
fn is_naming(argument: &str) -> bool {
    let mut is_one = false;
    words(argument, |word| is_one = NAMING.split(' ').any(|known| known == word));
    is_one
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
        assert_eq!(pointer(r#"{"q": "x", "repo": "r"}"#).as_deref(), Some("x"));
        let named = pointer(
            r#"{"repo": "weir", "issueID": 7, "body": "b", "labelNames": ["x", "y"], "id": null}"#,
        );
        assert_eq!(named.as_deref(), Some("issueID: 7, labelNames: x (+1 more), repo: weir"));
        for none in ["", "[]", "{}", "{\"url\": 5}", "{\"urls\": []}", "{\"urls\": [1]}", "{"] {
            assert_eq!(pointer(none), None, "{none}");
        }
        for (argument, is) in [
            ("id", true),
            ("project_id", true),
            ("file-id", true),
            ("projectSlug", true),
            ("attachmentIDs", true),
            ("ID", true),
            ("valid", false),
            ("username", false),
            ("api_key", false),
            ("id_token", false),
            ("é", false),
            ("", false),
        ] {
            assert_eq!(is_naming(argument), is, "{argument}");
        }
        let long = format!(r#"{{"url": "{}"}}"#, "é".repeat(1_000));
        assert_eq!(pointer(&long).map(|text| text.chars().count()), Some(SOURCE_MAX_CHARS));
    }
}
