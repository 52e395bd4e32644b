//! What makes a text YAML.

/// Lines that are looked at to tell YAML.
const LINES: usize = 400;

/// A line of a mapping or a list.
struct Entry<'a> {
    /// Its key where that stands in nothing.
    outer: Option<&'a [u8]>,
    /// Whether it has a key, and whether that stands inside of something.
    has_key: bool,
    is_nested: bool,
}

/// What a line says, when it is one of a mapping or a list.
fn entry(line: &[u8]) -> Option<Entry<'_>> {
    let mut indent = line.iter().take_while(|byte| **byte == b' ').count();
    let mut rest = &line[indent..];
    let mut is_item = false;
    while let Some(after) = rest.strip_prefix(b"- ") {
        is_item = true;
        let blanks = after.iter().take_while(|byte| **byte == b' ').count();
        indent += 2 + blanks;
        rest = &after[blanks..];
    }
    let without_key = Entry { outer: None, has_key: false, is_nested: false };
    if rest == b"-" {
        return Some(without_key);
    }
    let colon = rest.windows(2).position(|two| two == b": ").or_else(|| {
        let trimmed = rest.trim_ascii_end();
        trimmed.ends_with(b":").then(|| trimmed.len() - 1)
    });
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./$\"'@*".contains(byte) || *byte >= 0x80;
    match colon {
        Some(at) if at > 0 && rest[..at].iter().all(is_name) => {
            let outer = (indent == 0).then_some(&rest[..at]);
            Some(Entry { outer, has_key: true, is_nested: indent > 0 })
        }
        _ if is_item => Some(without_key),
        _ => None,
    }
}

/// Whether nearly all lines are of mappings and lists, some of them nested, and no outer key comes again in a document.
pub(crate) fn is_yaml(lines: &[&[u8]]) -> bool {
    let (mut all, mut fit, mut keys, mut nested, mut marks) = (0, 0, 0, 0, 0);
    let mut outer = Vec::new();
    for line in lines.iter().take(LINES) {
        let text = line.trim_ascii();
        if text.starts_with(b"#") && !line.starts_with(b"##") {
            continue;
        }
        all += 1;
        if text == b"---" || text == b"..." {
            marks += 1;
            fit += 1;
            outer.clear();
        } else if let Some(entry) = entry(line) {
            fit += 1;
            keys += usize::from(entry.has_key);
            nested += usize::from(entry.is_nested);
            if let Some(key) = entry.outer {
                if outer.contains(&key) {
                    return false;
                }
                outer.push(key);
            }
        }
    }
    all >= 4 && fit * 10 >= all * 8 && keys * 10 >= all * 5 && (nested * 4 >= keys || marks > 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is(text: &str) -> bool {
        is_yaml(
            &text
                .lines()
                .filter(|line| !line.trim().is_empty())
                .map(str::as_bytes)
                .collect::<Vec<_>>(),
        )
    }

    #[test]
    fn yaml_is_told_from_what_looks_like_it() {
        assert!(is("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n    app: web\n"));
        assert!(is("# a list\n- name: a\n  state: ok\n- name: b\n  state: failed\n"));
        assert!(is("---\na: 1\nb: 2\n---\na: 3\n"));
        for text in [
            "# Title\n\n- one\n- two\n- three\n- four\n",
            "def f(x):\n    if x:\n        return 1\n    else:\n        return 2\n",
            "2026-11-22 10:00:00 INFO: a\n2026-11-22 10:00:00 INFO: b\n2026-11-22 10:00:01 WARN: c\n",
            "key: value\nother: value\nthird: value\nfourth: value\n",
            "error: a\n  note: b here: and there (x)\nsome words\nother words\nmore\n",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}
