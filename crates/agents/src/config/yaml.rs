//! Edits of YAML by lines: what is not named keeps every byte.
//!
//! The places of keys are found by indentation, and what looks like a key may lie in a block of text.
//! So each place is tried, and the first whose result means what it should is taken; when none does, the
//! file is left alone. Texts have `\n` as the end of lines here and no byte order mark.

use std::ops::Range;

use super::error::EditError;
use super::format::Format;
use super::node::{Node, quote};

/// A key that may be one: where its line is, and its value.
#[derive(Debug, Clone)]
struct Found {
    /// The line with the key.
    line: usize,
    indent: usize,
    /// The byte after the colon.
    after: usize,
    /// The lines of the value below the key.
    block: Range<usize>,
}

struct Lines<'a> {
    text: &'a str,
    /// Where each line begins; one more for the end.
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        let mut starts = vec![0];
        starts.extend(text.match_indices('\n').map(|(at, _)| at + 1));
        if starts.last() != Some(&text.len()) {
            starts.push(text.len());
        }
        Lines { text, starts }
    }

    fn count(&self) -> usize {
        self.starts.len() - 1
    }

    fn line(&self, nth: usize) -> &'a str {
        self.text[self.starts[nth]..self.starts[nth + 1]].trim_end_matches('\n')
    }

    fn indent(&self, nth: usize) -> usize {
        let line = self.line(nth);
        line.len() - line.trim_start_matches(' ').len()
    }

    fn is_blank(&self, nth: usize) -> bool {
        let line = self.line(nth).trim();
        line.is_empty() || line.starts_with('#')
    }

    /// Where the keys of this name in these lines may be: at the indentation of the first line, or
    /// at any when it is a mapping within a list.
    fn keys(&self, key: &str, within: Range<usize>) -> Vec<Found> {
        let Some(first) = within.clone().find(|nth| !self.is_blank(*nth) && !self.is_marker(*nth))
        else {
            return Vec::new();
        };
        let indent = self.indent(first);
        let names = [key.to_owned(), quote(key), format!("'{}'", key.replace('\'', "''"))];
        within
            .clone()
            .filter(|nth| self.indent(*nth) == indent)
            .filter_map(|nth| {
                let line = &self.line(nth)[indent..];
                let rest = names.iter().find_map(|name| line.strip_prefix(name.as_str()))?;
                let colon = rest.trim_start_matches(' ');
                let value = colon.strip_prefix(':')?;
                if !value.is_empty() && !value.starts_with([' ', '\t']) {
                    return None;
                }
                let after = self.starts[nth] + self.line(nth).len() - value.len();
                Some(Found {
                    line: nth,
                    indent,
                    after,
                    block: nth + 1..self.block_end(nth, indent, within.end),
                })
            })
            .collect()
    }

    fn is_marker(&self, nth: usize) -> bool {
        let line = self.line(nth);
        line.starts_with("---") || line.starts_with("...") || line.starts_with('%')
    }

    /// The end of what belongs to a key: lines that are indented deeper, and items of a list at the
    /// same depth. Empty lines and comments at the end belong to what follows.
    fn block_end(&self, key: usize, indent: usize, limit: usize) -> usize {
        let mut end = key + 1;
        for nth in key + 1..limit {
            let line = self.line(nth);
            if line.trim().is_empty() {
                continue;
            }
            let depth = self.indent(nth);
            if depth > indent {
                // A comment that is indented like the block is in the block.
                end = nth + 1;
            } else if depth == indent && (line[depth..].starts_with("- ") || &line[depth..] == "-")
            {
                end = nth + 1;
            } else if !self.is_blank(nth) {
                break;
            }
        }
        end
    }

    /// The value on the line of the key, without its comment.
    fn inline(&self, found: &Found) -> &'a str {
        let rest = &self.text[found.after..self.starts[found.line + 1]];
        let end = if rest.trim_start().starts_with(['"', '\'', '[', '{']) {
            // A mark of a comment may be in quotes: it counts only behind the last bracket or quote.
            let close = rest.rfind(['"', '\'', ']', '}']).map_or(0, |at| at + 1);
            close + rest[close..].find('#').unwrap_or(rest.len() - close)
        } else {
            rest.find(" #").unwrap_or(rest.len())
        };
        rest[..end].trim()
    }

    /// The places where the whole path may be.
    fn paths(&self, path: &[String]) -> Vec<Found> {
        let Some((key, rest)) = path.split_first() else { return Vec::new() };
        let mut places = self.keys(key, 0..self.count());
        for key in rest {
            places = places.into_iter().flat_map(|found| self.keys(key, found.block)).collect();
        }
        places
    }
}

type Attempts = Vec<String>;

/// Takes the first attempt that means what is wanted.
fn choose(attempts: Attempts, wanted: &Node) -> Result<String, EditError> {
    attempts
        .into_iter()
        .find(|text| Format::Yaml.read(text).is_ok_and(|node| node.same(wanted)))
        .ok_or(EditError::Form)
}

/// Puts a value at the end of the path. `wanted` is what the text means then.
pub(super) fn set(
    text: &str,
    path: &[String],
    value: &Node,
    wanted: &Node,
) -> Result<String, EditError> {
    let lines = Lines::of(text);
    let mut attempts = Vec::new();
    // The key is there: its value is replaced.
    for found in lines.paths(path) {
        attempts.push(replaced(&lines, &found, &path[path.len() - 1], value));
    }
    // Else it is put behind the last member of the deepest object that is there.
    for depth in (1..path.len()).rev() {
        let inner = nested(&path[depth + 1..], value);
        for found in lines.paths(&path[..depth]) {
            let inline = lines.inline(&found);
            if inline.is_empty() && !found.block.is_empty() {
                let first = found.block.clone().find(|nth| !lines.is_blank(*nth));
                let indent = first.map_or(found.indent + 2, |nth| lines.indent(nth));
                let member = block(&path[depth], &inner, indent);
                attempts.push(at_line(&lines, found.block.end, &member));
            } else if matches!(inline, "" | "{}" | "null" | "~") && found.block.is_empty() {
                let member = block(&path[depth], &inner, found.indent + 2);
                attempts.push(behind_key(&lines, &found, inline, &member));
            } else if let Some(open) = text[found.after..].find('{').map(|at| found.after + at)
                && inline.starts_with('{')
            {
                // A mapping in braces.
                let member = format!("{}: {}", quote(&path[depth]), inner.one_line());
                attempts.push(format!(
                    "{}{member}, {}",
                    &text[..=open],
                    text[open + 1..].trim_start_matches(' ')
                ));
            }
        }
    }
    // Else at the end of the file, or of its document.
    let member = block(&path[0], &nested(&path[1..], value), 0);
    let end =
        (0..lines.count()).rev().find(|nth| !lines.is_blank(*nth) && lines.line(*nth) != "...");
    attempts.push(at_line(&lines, lines.count(), &member));
    if let Some(end) = end {
        attempts.push(at_line(&lines, end + 1, &member));
    }
    choose(attempts, wanted)
}

/// Appends an item to the list at the end of the path.
pub(super) fn append(
    text: &str,
    path: &[String],
    item: &Node,
    list: &Node,
    wanted: &Node,
) -> Result<String, EditError> {
    let lines = Lines::of(text);
    let mut attempts = Vec::new();
    for found in lines.paths(path) {
        let inline = lines.inline(&found);
        if inline.is_empty() && !found.block.is_empty() {
            let first = found.block.clone().find(|nth| !lines.is_blank(*nth));
            let indent = first.map_or(found.indent, |nth| lines.indent(nth));
            let line = format!("{}- {}\n", " ".repeat(indent), item.one_line());
            attempts.push(at_line(&lines, found.block.end, &line));
        } else if inline.starts_with('[') && inline.ends_with(']') {
            let close =
                found.after + text[found.after..].find(inline).unwrap_or(0) + inline.len() - 1;
            let is_empty = inline[1..inline.len() - 1].trim().is_empty();
            let comma = if is_empty { "" } else { ", " };
            let kept = text[..close].trim_end_matches(' ');
            attempts.push(format!("{kept}{comma}{}{}", item.one_line(), &text[close..]));
        }
    }
    choose(attempts, wanted).or_else(|_| set(text, path, list, wanted))
}

/// Takes out the member at the end of the path.
pub(super) fn remove(text: &str, path: &[String], wanted: &Node) -> Result<String, EditError> {
    let lines = Lines::of(text);
    let mut attempts = Vec::new();
    for found in lines.paths(path) {
        let (start, end) = (lines.starts[found.line], lines.starts[found.block.end]);
        attempts.push(format!("{}{}", &text[..start], &text[end..]));
        // The last of its mapping leaves an empty one.
        if path.len() > 1 {
            for parent in lines.paths(&path[..path.len() - 1]) {
                if parent.block.contains(&found.line) {
                    let line_end = parent.after + text[parent.after..start].find('\n').unwrap_or(0);
                    attempts.push(format!(
                        "{} {{}}{}{}{}",
                        &text[..parent.after],
                        &text[parent.after..line_end],
                        &text[line_end..start],
                        &text[end..]
                    ));
                }
            }
        }
    }
    choose(attempts, wanted)
        .or_else(|_| flow_cut(&lines, path.split_last().map_or(&[], |(_, parent)| parent), wanted))
}

/// Takes an item out of the list at the end of the path.
pub(super) fn remove_item(text: &str, path: &[String], wanted: &Node) -> Result<String, EditError> {
    let lines = Lines::of(text);
    let mut attempts = Vec::new();
    for found in lines.paths(path) {
        let first = found.block.clone().find(|nth| !lines.is_blank(*nth));
        let Some(indent) = first.map(|nth| lines.indent(nth)) else { continue };
        let items: Vec<usize> = found
            .block
            .clone()
            .filter(|nth| {
                lines.indent(*nth) == indent && lines.line(*nth)[indent..].starts_with('-')
            })
            .collect();
        for (nth, item) in items.iter().enumerate() {
            let end = items.get(nth + 1).copied().unwrap_or(found.block.end);
            let (start, end) = (lines.starts[*item], lines.starts[end]);
            attempts.push(format!("{}{}", &text[..start], &text[end..]));
            if items.len() == 1 {
                attempts.push(format!(
                    "{} []{}{}",
                    &text[..found.after],
                    &text[found.after..start],
                    &text[end..]
                ));
            }
        }
    }
    choose(attempts, wanted).or_else(|_| flow_cut(&lines, path, wanted))
}

/// Takes one item out of the value of a key that is in brackets on its line. Each is tried.
fn flow_cut(lines: &Lines<'_>, path: &[String], wanted: &Node) -> Result<String, EditError> {
    let mut attempts = Vec::new();
    for found in lines.paths(path) {
        let inline = lines.inline(&found);
        if !inline.starts_with(['[', '{']) || inline.len() < 2 {
            continue;
        }
        let Some(at) = lines.text[found.after..].find(inline).map(|at| found.after + at) else {
            continue;
        };
        let items = flow_items(inline);
        for (nth, item) in items.iter().enumerate() {
            let blank = |at: usize| inline[at..].len() - inline[at..].trim_start().len();
            // With the comma before it; the first with the one after it.
            let range =
                match (nth.checked_sub(1).and_then(|nth| items.get(nth)), items.get(nth + 1)) {
                    (Some(before), _) => {
                        before.end..item.start + inline[item.clone()].trim_end().len()
                    }
                    (None, Some(next)) => {
                        item.start + blank(item.start)..next.start + blank(next.start)
                    }
                    (None, None) => item.clone(),
                };
            attempts.push(format!(
                "{}{}",
                &lines.text[..at + range.start],
                &lines.text[at + range.end..]
            ));
        }
    }
    choose(attempts, wanted)
}

/// Where the items of a value in brackets are, without the commas.
fn flow_items(inline: &str) -> Vec<Range<usize>> {
    let bytes = inline.as_bytes();
    let (mut depth, mut start, mut items) = (0usize, 1, Vec::new());
    let mut quoted: Option<u8> = None;
    let mut at = 0;
    while at < bytes.len() {
        let byte = bytes[at];
        match quoted {
            Some(b'"') if byte == b'\\' => at += 1,
            Some(quote) if byte == quote => quoted = None,
            Some(_) => {}
            // A quote begins a text only where a value begins.
            None if matches!(byte, b'"' | b'\'')
                && bytes[..at]
                    .iter()
                    .rev()
                    .find(|b| **b != b' ')
                    .is_some_and(|b| b"[{,:".contains(b)) =>
            {
                quoted = Some(byte);
            }
            None => match byte {
                b'[' | b'{' => depth += 1,
                b']' | b'}' => {
                    depth = depth.saturating_sub(1);
                    if depth == 0 && !inline[start..at].trim().is_empty() {
                        items.push(start..at);
                    }
                }
                b',' if depth == 1 => {
                    items.push(start..at);
                    start = at + 1;
                }
                _ => {}
            },
        }
        at += 1;
    }
    items
}

fn nested(path: &[String], value: &Node) -> Node {
    path.iter().rev().fold(value.clone(), |inner, key| Node::Map(vec![(key.clone(), inner)]))
}

/// A member in block form. Values of values are JSON, which YAML reads.
fn block(key: &str, value: &Node, indent: usize) -> String {
    let space = " ".repeat(indent);
    match value {
        Node::Map(members) if !members.is_empty() => {
            let inner: String =
                members.iter().map(|(key, value)| block(key, value, indent + 2)).collect();
            format!("{space}{}:\n{inner}", plain_key(key))
        }
        value => format!("{space}{}: {}\n", plain_key(key), value.one_line()),
    }
}

/// A key without quotes where it may be.
fn plain_key(key: &str) -> String {
    let is_plain = key.starts_with(|c: char| c.is_ascii_alphabetic())
        && key.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.'))
        && !matches!(
            key.to_ascii_lowercase().as_str(),
            "y" | "n" | "yes" | "no" | "on" | "off" | "true" | "false" | "null"
        );
    if is_plain { key.to_owned() } else { quote(key) }
}

fn at_line(lines: &Lines<'_>, nth: usize, member: &str) -> String {
    let (before, after) = lines.text.split_at(lines.starts[nth.min(lines.count())]);
    let gap = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    format!("{before}{gap}{member}{after}")
}

/// The members of a key that has none yet, in place of `{}` and the like.
fn behind_key(lines: &Lines<'_>, found: &Found, inline: &str, member: &str) -> String {
    let text = lines.text;
    let line_end = lines.starts[found.line + 1];
    let line = text[found.after..line_end].replacen(inline, "", 1);
    let line = line.trim_end();
    format!("{}{line}\n{member}{}", &text[..found.after], &text[line_end..])
}

fn replaced(lines: &Lines<'_>, found: &Found, key: &str, value: &Node) -> String {
    let (start, end) = (lines.starts[found.line], lines.starts[found.block.end]);
    format!("{}{}{}", &lines.text[..start], block(key, value, found.indent), &lines.text[end..])
}
