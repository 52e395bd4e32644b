//! What makes a text YAML.

/// YAML in which a bracket that closes a list or a mapping stands at the column of its key, as libyaml and those who
/// write workflows take it, with blanks before the bracket, as the letter of YAML 1.2 has it. Lines stay lines. None
/// where there is no such bracket.
pub(crate) fn with_brackets_inside(text: &str) -> Option<String> {
    let mut made = String::with_capacity(text.len() + text.len() / 8);
    let (mut is_changed, mut block) = (false, None);
    for line in text.split_inclusive('\n') {
        let rest = line.trim_start_matches(' ');
        let (indent, rest) = (line.len() - rest.len(), rest.trim_end());
        let is_in_block = block.is_some_and(|around| rest.is_empty() || indent > around);
        if !is_in_block {
            // What follows a sign of a block further in is text.
            let head = rest.rsplit_once(' ').map_or(rest, |(_, last)| last);
            let sign =
                head.trim_end_matches(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-'));
            block = matches!(sign, "|" | ">").then_some(indent);
            if rest.starts_with([']', '}']) {
                made.push_str("    ");
                is_changed = true;
            }
        }
        made.push_str(line);
    }
    is_changed.then_some(made)
}

/// Lines that are looked at to tell YAML.
const LINES: usize = 400;

/// A line of a mapping or a list.
struct Entry<'a> {
    /// Its key, if it has one.
    key: Option<&'a [u8]>,
    /// Where that stands.
    indent: usize,
    /// Whether a plain value follows: nothing can be inside of it.
    is_plain: bool,
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
    let without_key = Entry { key: None, indent, is_plain: false };
    if rest == b"-" {
        return Some(without_key);
    }
    // Quoted, a key may be of any signs.
    let quoted = match rest.first() {
        Some(quote @ (b'"' | b'\'')) => rest[1..].iter().position(|byte| byte == quote),
        _ => None,
    };
    // Members of JSON end in a comma.
    if quoted.is_some() && rest.trim_ascii_end().ends_with(b",") {
        return None;
    }
    let from = quoted.map_or(0, |end| end + 1);
    let colon = rest[from..].windows(2).position(|two| two == b": ").map(|at| from + at);
    let colon = colon.or_else(|| {
        let trimmed = rest.trim_ascii_end();
        trimmed.ends_with(b":").then(|| trimmed.len() - 1)
    });
    let is_name =
        |byte: &u8| byte.is_ascii_alphanumeric() || b"_-./$\"'@*".contains(byte) || *byte >= 0x80;
    match colon {
        Some(at) if at > 0 && rest[from..at].iter().all(is_name) => {
            let value = rest[at + 1..].trim_ascii_start().first();
            let is_plain = value.is_some_and(|first| !b"&!|>[{\"'#*".contains(first));
            Some(Entry { key: Some(&rest[..at]), indent, is_plain })
        }
        _ if is_item => Some(without_key),
        _ => None,
    }
}

/// Keys whose places are compared, before a text of several lines.
const PLACED: usize = 40;

/// Puts a key into the mapping that is open so far in, or into a new one; whether it can stand there. `is_first` says whether
/// it begins an item of a list, `is_plain` whether the key above has a value of its own.
fn takes<'k>(
    open: &mut Vec<(usize, Vec<&'k [u8]>)>,
    (indent, key): (usize, &'k [u8]),
    is_first: bool,
    is_plain: bool,
) -> bool {
    let inside = open.last().is_none_or(|(last, _)| *last < indent);
    let left = open.iter().position(|(other, _)| *other >= indent);
    open.truncate(left.map_or(open.len(), |left| left + 1));
    match open.last_mut().filter(|(other, _)| *other == indent) {
        Some((_, keys)) if is_first => *keys = vec![key],
        Some((_, keys)) if !keys.contains(&key) => keys.push(key),
        None if inside && !is_plain => open.push((indent, vec![key])),
        _ => return false,
    }
    true
}

/// Whether nearly all lines are of mappings and lists, some of them nested, no outer key comes again in a document, nor another
/// in its mapping, and the first stand where they can. What is numbered is no mapping.
pub(crate) fn is_yaml(lines: &[&[u8]]) -> bool {
    let (mut all, mut fit, mut keys, mut nested, mut marks, mut numbers) = (0, 0, 0, 0, 0, 0);
    // Lines that go on with the value of a key, items of lists that stand further in, lines of texts.
    let (mut further, mut listed, mut texts) = (0, 0, 0);
    let (mut outer, mut is_plain, mut placed) = (Vec::new(), false, 0);
    // The mappings that are open: how far in, and their keys.
    let mut open: Vec<(usize, Vec<&[u8]>)> = Vec::new();
    // How far in the key stands whose text of several lines is at hand; how far in the last entry does; and lines at
    // the start of which no key stands, as no value goes on there.
    let (mut block, mut last, mut bare): (Option<usize>, usize, usize) = (None, 0, 0);
    let begins = lines.first().map_or(&b""[..], |line| line.trim_ascii());
    if [&b"{"[..], b"[", b"//", b"/*"].contains(&begins) {
        return false;
    }
    for line in lines.iter().take(LINES) {
        let text = line.trim_ascii();
        if text.starts_with(b"#") && !line.starts_with(b"##") {
            continue;
        }
        let inside = line.len() - line.trim_ascii_start().len();
        if block.is_some_and(|key| inside > key) {
            texts += 1;
            continue;
        }
        block = None;
        all += 1;
        if text == b"---" || text == b"..." {
            marks += 1;
            fit += 1;
            outer.clear();
            open.clear();
            is_plain = false;
        } else if let Some(Entry { key, indent, is_plain: has_value }) = entry(line) {
            fit += 1;
            last = inside;
            let Some(key) = key else {
                listed += usize::from(inside > 0);
                continue;
            };
            keys += 1;
            numbers += usize::from(key.iter().all(u8::is_ascii_digit));
            if indent > 0 {
                nested += 1;
            } else if outer.contains(&key) {
                return false;
            } else {
                outer.push(key);
            }
            block = begins_text(text).then_some(inside);
            if placed < PLACED {
                placed += 1;
                if !takes(&mut open, (indent, key), text.starts_with(b"- "), is_plain) {
                    return false;
                }
                is_plain = has_value;
            }
        } else if text.ends_with(b":") {
            // A key with other signs.
            open.retain(|(indent, _)| *indent <= inside);
            is_plain = false;
        } else {
            // The value above may go on.
            let is_flow = b"{}[]%".contains(&text[0]);
            further += usize::from(inside > last && !is_flow);
            // Above all others it is the heading of a report.
            bare += usize::from(inside == 0 && !is_flow) * if all == 1 { LINES } else { 1 };
            placed = PLACED;
        }
    }
    let is_nested = nested * 4 >= keys || marks > 0;
    // Of keys with lists or long texts alone, each line has to fit.
    let is_of_lists =
        keys > 0 && fit == all && (keys + listed) * 10 >= all * 5 && listed + texts >= 10;
    let all = all - usize::min(further, keys);
    let is_of_keys = all >= 4 && fit * 10 >= all * 8 && keys * 10 >= all * 5 && is_nested;
    (is_of_keys || is_of_lists)
        && bare * 50 <= all
        && numbers * 2 <= keys
        && !lines.iter().take(LINES).any(|line| is_source(line) && entry(line).is_none())
}

/// Whether a text of several lines follows below a key.
fn begins_text(key: &[u8]) -> bool {
    let sign = key.strip_suffix(b"-").or(key.strip_suffix(b"+")).unwrap_or(key);
    sign.ends_with(b" |") || sign.ends_with(b" >")
}

/// Whether a line that begins no key is one of a program.
fn is_source(line: &[u8]) -> bool {
    ["import ", "from ", "class ", "def "].iter().any(|start| line.starts_with(start.as_bytes()))
        || !matches!(line[0], b' ' | b'#' | b'-') && memchr::memmem::find(line, b" = ").is_some()
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
        let stub = "import sys\nfrom typing import Any\n__all__ = [\n    \"A\",\n]\n";
        let class = "class A:\n    name: str\n    size: int\n    def run(self) -> None: ...\n";
        for odd in ["", stub, "from typing import Any\n", "class B(A):\n    a: int\n", "x = 1\n"] {
            assert_eq!(is(&format!("a:\n  b: 1\n  c: 2\n  d: 3\n{odd}")), odd.is_empty(), "{odd}");
        }
        assert!(!is(&[stub, &class.repeat(9)].concat()));
        assert!(is("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\n  labels:\n    app: web\n"));
        assert!(is("# a list\n- name: a\n  state: ok\n- name: b\n  state: failed\n"));
        assert!(is("---\na: 1\nb: 2\n---\na: 3\n"));
        assert!(is(
            "a:\n  b: |-\n    Some words of it.\n    More: of them\n    and more\n  c: 1\nd:\n  e: 2\n"
        ));
        assert!(is("nav:\n  - \"Page 0: a b\": p0.md\n  - 'Page 1: c': p1.md\n  - \"d\": p2.md\n"));
        assert!(!is("{\n  // of it\n  \"a\": 1,\n  \"b\": {\n    \"c\": 2\n  }\n}\n"));
        assert!(is(&format!(
            "# of it\nwords:\n{}",
            "  - \"one, two\"\n  # more\n  - three\n".repeat(8)
        )));
        assert!(is(&format!(
            "prompt: |-\n{}",
            "  Some words: of it.\n  More of them,\n".repeat(8)
        )));
        assert!(!is(&format!("Changed:\n{}", "- One thing.\n- Another\n".repeat(8))));
        assert!(!is(&format!("Words of it:\n{}and more\n", "  - One thing.\n".repeat(8))));
        assert!(is("a:\n- b: 1\n  c:\n  - d: 1\n  - d: 2\n- b: 3\n  c: []\n"));
        for text in [
            "# Title\n\n- one\n- two\n- three\n- four\n",
            "def f(x):\n    if x:\n        return 1\n    else:\n        return 2\n",
            "2026-11-22 10:00:00 INFO: a\n2026-11-22 10:00:00 INFO: b\n2026-11-22 10:00:01 WARN: c\n",
            "key: value\nother: value\nthird: value\nfourth: value\n",
            "Symbols: 4\n     8: 00 FUNC a\n     9: 00 FUNC b\n    10: 00 FUNC c\n    11: 00 FUNC d\n",
            "Name: a\n  File: b\n  Size: 1\nLinks: c\n  Uid: d\n  Gid: 2\n",
            "a:\n    b: 1\n  c: 2\nd:\n    e: 3\n",
            "error: a\n  note: b here: and there (x)\nsome words\nother words\nmore\n",
            "Ann (3):\n      fix: a\n      docs: b\n      fix: c\nBen (1):\n      fix: d\n",
            "hosts:\n  web:\n    ip: 1\n  web:\n    ip: 2\n",
            "Counters of a: eth0\n     rx: 1\n     tx: 2\n     errors: 0\n     drops: 3\n",
            "git\n  Depends: libc\n  Breaks: a\n  Suggests: b\nperl\n  Depends: c\n  Breaks: d\n",
            "web\nFor it:\n  Depends: a\n |Depends: b\n  Needs: c\n |Needs: d\n  Breaks: e\n |Breaks: f\n",
            "Found 2 results: [\n  {\n    \"a\": 1,\n    \"b\": 2,\n    \"c\": 3,\n    \"d\": 4\n  },\n  {\n    \"a\": 5\n  }\n]\n",
        ] {
            assert!(!is(text), "{text}");
        }
    }
}
