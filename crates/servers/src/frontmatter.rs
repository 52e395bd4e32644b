//! The YAML at the start of a SKILL.md: read, and compared with what a server says that it is.

use serde_json::Value;
use weir_agents::config::{Format, Node};

/// Bytes of a frontmatter: of one that is longer, fields would have to be compared for ever.
pub const MAX_BYTES: usize = 64 << 10;

/// Characters of a skill's name.
const NAME_CHARS: usize = 64;

/// The fields of a SKILL.md's frontmatter, in the order and with the digits of the file.
///
/// # Errors
/// One sentence that says what is wrong with it.
pub fn read(markdown: &str) -> Result<Node, String> {
    let text = markdown.strip_prefix('\u{feff}').unwrap_or(markdown);
    let mut lines = text.split_inclusive('\n');
    let opens = lines.next().is_some_and(|line| line.trim_end() == "---");
    let mut yaml = String::new();
    let closes = opens
        && lines.any(|line| {
            let end = line.trim_end() == "---";
            yaml.push_str(if end { "" } else { line });
            end
        });
    if !closes {
        return Err("it does not begin with frontmatter between two lines of `---`".to_owned());
    }
    if yaml.len() > MAX_BYTES {
        return Err(format!("its frontmatter has more than {} KiB", MAX_BYTES >> 10));
    }
    let node = Format::Yaml
        .read(&yaml)
        .map_err(|error| format!("its frontmatter is not valid YAML: {error}"))?;
    for field in ["name", "description"] {
        let text = node.get(field).and_then(Node::as_text).unwrap_or_default();
        if text.trim().is_empty() {
            return Err(format!("its frontmatter has no {field}"));
        }
    }
    Ok(node)
}

/// Whether a skill may have this name: lower-case letters, digits, and single hyphens between them.
pub fn is_name(name: &str) -> bool {
    let part = |part: &str| {
        !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit())
    };
    name.len() <= NAME_CHARS && name.split('-').all(part)
}

/// Whether what an entry says of a frontmatter is what was read of the file, field by field. Versions of YAML read some
/// plain words differently (`yes`, `1.0`): words that stand for the same are the same.
pub fn agrees(said: &Value, read: &Value) -> bool {
    match (said, read) {
        (Value::Object(said), Value::Object(read)) => {
            said.len() == read.len()
                && said
                    .iter()
                    .all(|(key, value)| read.get(key).is_some_and(|own| agrees(value, own)))
        }
        (Value::Array(said), Value::Array(read)) => {
            said.len() == read.len() && said.iter().zip(read).all(|(a, b)| agrees(a, b))
        }
        (Value::Object(_) | Value::Array(_), _) | (_, Value::Object(_) | Value::Array(_)) => false,
        (said, read) => said == read || word(said) == word(read),
    }
}

/// A scalar as a word that is the same in all versions of YAML.
fn word(scalar: &Value) -> String {
    let text = match scalar {
        Value::String(text) => text.trim().to_owned(),
        other => other.to_string(),
    };
    match text.to_ascii_lowercase().as_str() {
        "yes" | "on" | "true" => "true".to_owned(),
        "no" | "off" | "false" => "false".to_owned(),
        "" | "~" | "null" => "null".to_owned(),
        _ => match text.parse::<f64>() {
            Ok(number) => number.to_string(),
            Err(_) => text,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_field_comes_as_it_was_written() {
        let text = "---\nname: pdf\ndescription: >\n  Reads\n  PDFs.\nmetadata:\n  z: 1.10\n  a: [x, true]\n  w: yes\n---\n# PDF\n---\n";
        let read = read(text).unwrap();
        assert_eq!(
            serde_json::to_string(&read).unwrap(),
            r#"{"name":"pdf","description":"Reads PDFs.\n","metadata":{"z":1.1,"a":["x",true],"w":"yes"}}"#
        );
    }

    #[test]
    fn what_is_no_skill_is_told_in_a_sentence() {
        for (text, wanted) in [
            ("# no\n", "does not begin with frontmatter"),
            ("---\nname: a\ndescription: b\n", "does not begin with frontmatter"),
            ("---\nname: [\n---\n", "not valid YAML"),
            ("---\nname: a\n---\n", "has no description"),
            ("---\nname: 7\ndescription: b\n---\n", "has no name"),
            ("---\nname: a\nname: b\ndescription: c\n---\n", "duplicate"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(wanted), "{text}: {error}");
        }
        // Aliases that would grow beyond all bounds are refused by the reader of YAML.
        let bomb: String =
            (1..30).map(|n| format!("a{n}: &a{n} [*a{0},*a{0},*a{0},*a{0}]\n", n - 1)).collect();
        assert!(read(&format!("---\na0: &a0 [x]\n{bomb}name: a\ndescription: b\n---\n")).is_err());
    }

    #[test]
    fn names_are_those_of_the_format() {
        for name in ["pdf", "a-b-2", &"a".repeat(64)] {
            assert!(is_name(name), "{name}");
        }
        for name in ["", "-a", "a-", "a--b", "A", "a_b", "a/b", "..", "é", &"a".repeat(65)] {
            assert!(!is_name(name), "{name}");
        }
    }

    #[test]
    fn readers_of_yaml_may_differ_and_contents_may_not() {
        let said =
            json!({"name": "a", "on": true, "version": 1.0, "since": "2026-01-02", "x": null});
        assert!(agrees(
            &said,
            &json!({"name": "a", "on": "yes", "version": "1.0", "since": "2026-01-02", "x": ""})
        ));
        for other in [
            json!({"name": "a", "on": false, "version": 1.0, "since": "2026-01-02", "x": null}),
            json!({"name": "a", "on": true, "version": 1.0, "since": "2026-01-02"}),
            json!({"name": "a", "on": true, "version": 1.1, "since": "2026-01-02", "x": null}),
            json!({"name": "a", "on": true, "version": 1.0, "since": "2026-01-02", "x": null, "allowed-tools": "Bash"}),
            json!({"name": ["a"], "on": true, "version": 1.0, "since": "2026-01-02", "x": null}),
        ] {
            assert!(!agrees(&said, &other), "{other}");
        }
    }
}
