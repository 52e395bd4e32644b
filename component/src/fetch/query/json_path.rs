//! Paths into a JSON document, followed in its bytes.

use crate::content::json::{Cursor, Shape, Tree, TreeLimits, string_end};
use crate::content::unescape::decoded;
use crate::fence::token;
use crate::source::{ReadError, Source};

/// How far the document is looked into for its largest array.
pub(super) const TREE: TreeLimits = TreeLimits { head_items: 1, tail_items: 0, nodes: 400 };

/// Goes to the value of the next member of an object: the member's name, unless that is longer than a name of
/// so many bytes can be, and where the value starts.
#[inline(never)]
pub(super) fn next_member(
    source: &dyn Source,
    cursor: &mut Cursor<'_>,
    bytes: usize,
) -> Result<Option<(Option<String>, u64)>, ReadError> {
    while let Some(token) = cursor.peek_token()? {
        match token {
            b',' => cursor.bump(),
            b'"' => {
                let start = cursor.position();
                cursor.skip_string()?;
                let end = cursor.position();
                if cursor.peek_token()? == Some(b':') {
                    cursor.bump();
                }
                cursor.peek_token()?;
                let name = match end - start <= 6 * bytes as u64 + 2 {
                    true => Some(decoded(&source.read_range(start + 1, end - 1)?)),
                    false => None,
                };
                return Ok(Some((name, cursor.position())));
            }
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// Goes to the value of a member, from after the bracket of its object.
pub(super) fn seek_member(
    source: &dyn Source,
    cursor: &mut Cursor<'_>,
    name: &str,
) -> Result<bool, ReadError> {
    while let Some((key, _)) = next_member(source, cursor, name.len())? {
        if key.as_deref() == Some(name) {
            return Ok(true);
        }
        if let Some(first) = cursor.peek_token()? {
            cursor.skip_value(first)?;
        }
    }
    Ok(false)
}

/// Goes to the member or item that a step names.
#[inline(never)]
pub(super) fn seek_step(
    source: &dyn Source,
    cursor: &mut Cursor<'_>,
    step: &str,
) -> Result<bool, ReadError> {
    match (cursor.peek_token()?, step.parse::<u64>()) {
        (Some(b'{'), _) => {
            cursor.bump();
            seek_member(source, cursor, step)
        }
        (Some(b'['), Ok(index)) => {
            cursor.bump();
            seek_item(cursor, index)
        }
        _ => Ok(false),
    }
}

/// Goes to an item, from after the bracket of its array.
pub(super) fn seek_item(cursor: &mut Cursor<'_>, index: u64) -> Result<bool, ReadError> {
    let mut left = index;
    while let Some(token) = cursor.peek_token()? {
        match token {
            b',' => cursor.bump(),
            b']' | b'}' => return Ok(false),
            _ if left == 0 => return Ok(true),
            first => {
                cursor.skip_value(first)?;
                left -= 1;
            }
        }
    }
    Ok(false)
}

/// What stands at a byte, in a few words.
pub(super) fn what_is_at(source: &dyn Source, at: u64) -> Result<String, ReadError> {
    let tree = Tree::read(source, at, TREE)?;
    let Some(root) = tree.nodes.first() else { return Ok("nothing".to_owned()) };
    Ok(match root.shape {
        Shape::Array => format!("an array of {}", root.children),
        Shape::Object => {
            let mut keys = Vec::new();
            for &child in root.head.iter().take(12) {
                if let Some((start, end)) = tree.nodes[child].key {
                    let key = decoded(&source.read_range(start + 1, end - 1)?);
                    keys.push(token(&key, 40));
                }
            }
            let more = if root.children as usize > keys.len() { ", …" } else { "" };
            format!("an object with the keys {}{more}", keys.join(", "))
        }
        shape => format!("a {}", shape.noun()),
    })
}

/// A path into a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct JsonPath {
    pub(super) steps: Vec<String>,
    /// Whether the members of an object are the rows.
    pub(super) members: bool,
}

impl JsonPath {
    /// Reads `/data/items`, `.data.items`, `.data["items"][0]`, each also with `[]` behind.
    pub(super) fn parse(text: &str) -> Option<JsonPath> {
        let text = text.trim();
        let (text, members) = match text.strip_suffix("[]") {
            Some(rest) => (rest, true),
            None => (text, false),
        };
        if let Some(pointer) = text.strip_prefix('/') {
            let steps = match pointer {
                "" => Vec::new(),
                pointer => pointer
                    .split('/')
                    .map(|step| step.replace("~1", "/").replace("~0", "~"))
                    .collect(),
            };
            return Some(JsonPath { steps, members });
        }
        let mut steps = Vec::new();
        let mut rest = text.strip_prefix('$').unwrap_or(text);
        if !rest.starts_with(['.', '[']) {
            if rest.is_empty() {
                return Some(JsonPath { steps, members });
            }
            // A bare name.
            return Some(JsonPath { steps: vec![rest.to_owned()], members });
        }
        while !rest.is_empty() {
            if let Some(after) = rest.strip_prefix('[') {
                let (step, after) = after.split_once(']')?;
                let step = step.trim_matches('"');
                if !step.is_empty() {
                    steps.push(step.to_owned());
                }
                rest = after;
            } else {
                let after = rest.strip_prefix('.')?;
                let quoted = after.strip_prefix('"').and_then(|after| after.split_once('"'));
                let (step, after) = match quoted {
                    Some(quoted) => quoted,
                    None => {
                        let end = after.find(['.', '[']).unwrap_or(after.len());
                        after.split_at(end)
                    }
                };
                if !step.is_empty() {
                    steps.push(step.to_owned());
                }
                rest = after;
            }
        }
        Some(JsonPath { steps, members })
    }

    pub(super) fn pointer(&self) -> String {
        let step = |step: &String| format!("/{}", step.replace('~', "~0").replace('/', "~1"));
        self.steps.iter().map(step).collect()
    }
}

/// Where the JSON value at the start of `bytes` ends; nothing when it does not end in them.
pub(super) fn value_end(bytes: &[u8]) -> Option<usize> {
    match bytes.first()? {
        b'"' => string_end(bytes, 1),
        b'{' | b'[' => {
            let (mut depth, mut at) = (0usize, 0);
            loop {
                match bytes.get(at)? {
                    b'"' => {
                        at = string_end(bytes, at + 1)?;
                        continue;
                    }
                    b'{' | b'[' => depth += 1,
                    b'}' | b']' => {
                        depth -= 1;
                        if depth == 0 {
                            return Some(at + 1);
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
        }
        _ => {
            let ends = |b: &u8| {
                matches!(
                    b,
                    b',' | b':' | b']' | b'}' | b'"' | b'[' | b'{' | b' ' | b'\t' | b'\r' | b'\n'
                )
            };
            let end = bytes.iter().skip(1).position(ends).map_or(bytes.len(), |end| end + 1);
            Some(end)
        }
    }
}
