//! The YAML at the start of a SKILL.md: read, and compared with what a server says that it is.

use serde_json::Value;
use weir_agents::config::{Format, Node};

/// Bytes of a frontmatter: of one that is longer, fields would have to be compared for ever.
pub const MAX_BYTES: usize = 64 << 10;

/// Characters of a skill's name.
const NAME_CHARS: usize = 64;

/// The fields of a SKILL.md's frontmatter, in the order and with the digits of the file. What agents read although it is
/// no strict YAML is read as they do; see [`read_noting`].
///
/// # Errors
/// One sentence that says what is wrong with it.
pub fn read(markdown: &str) -> Result<Node, String> {
    read_noting(markdown).map(|(fields, _)| fields)
}

/// The same, with the names of the fields that were taken for plain text because YAML reads them as something else, or
/// not at all.
///
/// # Errors
/// As of [`read`].
pub fn read_noting(markdown: &str) -> Result<(Node, Vec<String>), String> {
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
    let strict = Format::Yaml.read(&yaml);
    let texts = |node: &Node| {
        NEEDED
            .iter()
            .all(|field| matches!(node.get(field), None | Some(Node::Text(_) | Node::Null)))
    };
    let (node, plain) = match strict {
        Ok(node) if texts(&node) => (node, Vec::new()),
        strict => {
            let (quoted, plain) = quoted(&yaml);
            // What is wrong is said of the text as it was written.
            let error = strict.err();
            let node = Format::Yaml.read(&quoted).map_err(|other| {
                let error = error.unwrap_or(other);
                format!("its frontmatter is not valid YAML: {error}")
            })?;
            (node, plain)
        }
    };
    for field in NEEDED {
        match node.get(field) {
            None | Some(Node::Null) => return Err(format!("its frontmatter has no {field}")),
            Some(Node::Text(text)) if text.trim().is_empty() => {
                return Err(format!("its frontmatter has no {field}"));
            }
            Some(Node::Text(_)) => {}
            Some(_) => return Err(format!("the {field} in its frontmatter is not a text")),
        }
    }
    Ok((node, plain))
}

/// The fields that each skill has.
const NEEDED: [&str; 2] = ["name", "description"];

/// The frontmatter with those values of fields in quotes that YAML does not read, or reads as something else than a text
/// where one is needed; and the names of these fields.
fn quoted(yaml: &str) -> (String, Vec<String>) {
    let (mut text, mut plain) = (String::new(), Vec::new());
    let mut lines = yaml.split_inclusive('\n').peekable();
    while let Some(head) = lines.next() {
        let mut block = head.to_owned();
        while let Some(more) = lines.next_if(|line| field(line).is_none()) {
            block.push_str(more);
        }
        let value = field(head).and_then(|(name, value)| {
            let read = Format::Yaml.read(&block);
            let is_text = read.as_ref().is_ok_and(|node| match node.get(name) {
                Some(Node::Text(_) | Node::Null) => true,
                Some(_) => !NEEDED.contains(&name),
                None => false,
            });
            (!is_text && !value.is_empty() && !value.starts_with(['|', '>']))
                .then_some((name, value))
        });
        let Some((name, value)) = value else {
            text.push_str(&block);
            continue;
        };
        let rest = block[head.len()..].lines().map(str::trim).filter(|line| !line.is_empty());
        let whole = std::iter::once(value).chain(rest).collect::<Vec<_>>().join(" ");
        let inner = ['"', '\''].iter().find_map(|quote| {
            whole.strip_prefix(*quote)?.strip_suffix(*quote).filter(|inner| !inner.is_empty())
        });
        let whole = inner.unwrap_or(&whole).replace('\'', "''");
        text.push_str(&format!("{name}: '{whole}'\n"));
        plain.push(name.to_owned());
    }
    (text, plain)
}

/// The name and the value of a field that a line begins.
fn field(line: &str) -> Option<(&str, &str)> {
    let (name, value) = line.trim_end().split_once(':')?;
    let named = !name.is_empty()
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'));
    (named && (value.is_empty() || value.starts_with([' ', '\t']))).then(|| (name, value.trim()))
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
    fn what_agents_read_is_read_though_yaml_does_not() {
        for (value, wanted) in [
            (
                "Review: standards. Use when: a PR is open.",
                "Review: standards. Use when: a PR is open.",
            ),
            ("Call it with body: { text } or {url}", "Call it with body: { text } or {url}"),
            ("{url} is fetched", "{url} is fetched"),
            ("{url}", "{url}"),
            ("[draft] notes", "[draft] notes"),
            ("@team rules: the \"new\" ones", "@team rules: the \"new\" ones"),
            ("*bold* words", "*bold* words"),
            ("`code` first", "`code` first"),
            ("%complete", "%complete"),
            ("\"quoted\" and more", "\"quoted\" and more"),
            ("'it's here'", "it's here"),
            ("- a dash", "- a dash"),
            ("2026", "2026"),
            ("1.10", "1.10"),
            ("2026-01-02", "2026-01-02"),
            ("true", "true"),
            ("Two lines: one\n  and: two", "Two lines: one and: two"),
            ("Two lines: one\nand two", "Two lines: one and two"),
        ] {
            for newline in ["\n", "\r\n"] {
                let text =
                    format!("---\nname: a\ndescription: {value}\nmetadata:\n  v: 1\n---\nBody\n");
                let (read, _) = read_noting(&text.replace('\n', newline)).unwrap();
                assert_eq!(
                    read.get("description").and_then(Node::as_text),
                    Some(wanted),
                    "{value}"
                );
                assert_eq!(
                    read.get("metadata").and_then(|m| m.get("v")).map(Node::to_value),
                    Some(json!(1))
                );
            }
        }
        let (read, plain) =
            read_noting("---\nname: a\ndescription: b\nhint: [x] (y: z)\n---\n").unwrap();
        assert_eq!(
            (read.get("hint").and_then(Node::as_text), plain),
            (Some("[x] (y: z)"), vec!["hint".to_owned()])
        );
        assert_eq!(
            read_noting("---\nname: a\ndescription: b\n---\n").unwrap().1,
            Vec::<String>::new()
        );
    }

    #[test]
    fn what_is_no_skill_is_told_in_a_sentence() {
        for (text, wanted) in [
            ("# no\n", "does not begin with frontmatter"),
            ("---\nname: a\ndescription: b\n", "does not begin with frontmatter"),
            ("---\nname: [\n---\n", "has no description"),
            ("---\nname: a\n---\n", "has no description"),
            ("---\nname: 7\ndescription:\n---\n", "has no description"),
            (
                "---\nname: a\ndescription:\n  b: c\n---\n",
                "description in its frontmatter is not a text",
            ),
            ("---\nname: a\ndescription: b\nmetadata:\n  x: [\n---\n", "not valid YAML"),
            ("---\nname: a\nname: b\ndescription: c\n---\n", "duplicate"),
        ] {
            let error = read(text).unwrap_err();
            assert!(error.contains(wanted), "{text}: {error}");
        }
        // Aliases that would grow beyond all bounds are refused by the reader of YAML: they stay words.
        let bomb: String =
            (1..30).map(|n| format!("a{n}: &a{n} [*a{0},*a{0},*a{0},*a{0}]\n", n - 1)).collect();
        let bomb = format!("---\na0: &a0 [x]\n{bomb}name: a\ndescription: b\n---\n");
        assert!(read(&bomb).unwrap().to_value().to_string().len() < 2 * bomb.len());
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
