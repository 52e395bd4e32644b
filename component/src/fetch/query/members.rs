//! Finds members of a row in one pass over its bytes, which also checks that the row is JSON: only they are read.
//!
//! Whatever is out of the ordinary in a row is `Odd`: then all of it is read.

use jaq_json::Val;

use super::read::read;
use super::scan::{MAX_DEPTH, MAX_VALUES, Odd, blank, literal, number_end, string_end};

/// Members that programs of one query may look at.
const MAX_NODES: usize = 64;

/// No member that is looked at.
const NONE: u16 = u16::MAX;

/// The members that are looked at, as a tree of names. The first is the row itself.
#[derive(Debug, Default)]
pub(super) struct Members {
    nodes: Vec<Vec<(Vec<u8>, u16)>>,
}

impl Members {
    pub(super) fn new() -> Members {
        Members { nodes: vec![Vec::new()] }
    }

    /// The member `name` of `node`.
    pub(super) fn member(&mut self, node: u16, name: &str) -> Option<u16> {
        let known = &self.nodes[usize::from(node)];
        if let Some((_, child)) = known.iter().find(|(known, _)| known == name.as_bytes()) {
            return Some(*child);
        }
        if self.nodes.len() >= MAX_NODES {
            return None;
        }
        let child = self.nodes.len() as u16;
        self.nodes.push(Vec::new());
        self.nodes[usize::from(node)].push((name.as_bytes().to_vec(), child));
        Some(child)
    }

    /// The members of `node` that are looked at.
    pub(super) fn of(&self, node: u16) -> &[(Vec<u8>, u16)] {
        self.nodes.get(usize::from(node)).map_or(&[], |members| members)
    }
}

/// A row's members, as they were found. Kept from row to row.
#[derive(Debug, Default)]
pub(super) struct Found {
    spans: Vec<(usize, usize)>,
    open: Vec<Open>,
}

#[derive(Debug, Clone, Copy)]
struct Open {
    node: u16,
    object: bool,
    start: usize,
}

impl Found {
    /// Finds the members of a row. All of it is checked.
    pub(super) fn read(&mut self, row: &[u8], members: &Members) -> Result<(), Odd> {
        self.spans.clear();
        self.spans.resize(members.nodes.len(), (0, 0));
        self.open.clear();
        let mut at = blank(row, 0);
        let (mut node, mut values) = (0u16, 0usize);
        'value: loop {
            values += 1;
            let mut start = at;
            let first = *row.get(at).ok_or(Odd)?;
            if node != NONE
                && !matches!(first, b'{' | b'n')
                && !members.nodes[usize::from(node)].is_empty()
            {
                return Err(Odd);
            }
            match first {
                b'"' => at = string_end(row, at + 1)?.0,
                b'{' | b'[' => {
                    let object = first == b'{';
                    at = blank(row, at + 1);
                    let end = if object { b'}' } else { b']' };
                    if row.get(at) == Some(&end) {
                        at += 1;
                    } else {
                        if self.open.len() >= MAX_DEPTH {
                            return Err(Odd);
                        }
                        self.open.push(Open { node, object, start });
                        node = match object {
                            true => self.key(row, &mut at, node, members)?,
                            false => NONE,
                        };
                        continue 'value;
                    }
                }
                b't' => at = literal(row, at, b"true")?,
                b'f' => at = literal(row, at, b"false")?,
                b'n' => at = literal(row, at, b"null")?,
                _ => at = number_end(row, at)?,
            }
            loop {
                if node != NONE {
                    self.spans[usize::from(node)] = (start, at);
                }
                let Some(open) = self.open.last().copied() else {
                    let fits = blank(row, at) == row.len() && values < MAX_VALUES / 2;
                    return if fits { Ok(()) } else { Err(Odd) };
                };
                at = blank(row, at);
                match row.get(at) {
                    Some(b',') => {
                        at = blank(row, at + 1);
                        node = match open.object {
                            true => self.key(row, &mut at, open.node, members)?,
                            false => NONE,
                        };
                        continue 'value;
                    }
                    Some(b'}') if open.object => {}
                    Some(b']') if !open.object => {}
                    _ => return Err(Odd),
                }
                at += 1;
                self.open.pop();
                (node, start) = (open.node, open.start);
            }
        }
    }

    /// The text of a member that was found; nothing when it is not there.
    pub(super) fn text<'r>(&self, row: &'r [u8], node: u16) -> Option<&'r [u8]> {
        let (start, end) = *self.spans.get(usize::from(node))?;
        row.get(start..end).filter(|text| !text.is_empty())
    }

    /// Reads a key and the colon, and goes to the value. Returns the member that it is.
    fn key(&self, row: &[u8], at: &mut usize, parent: u16, members: &Members) -> Result<u16, Odd> {
        if row.get(*at) != Some(&b'"') {
            return Err(Odd);
        }
        let from = *at + 1;
        let (end, escaped) = string_end(row, from)?;
        let colon = blank(row, end);
        if row.get(colon) != Some(&b':') {
            return Err(Odd);
        }
        *at = blank(row, colon + 1);
        if parent == NONE {
            return Ok(NONE);
        }
        let known = &members.nodes[usize::from(parent)];
        if known.is_empty() {
            return Ok(NONE);
        }
        if escaped {
            return Err(Odd);
        }
        let name = &row[from..end - 1];
        match known.iter().find(|(known, _)| known == name) {
            // A name that is there twice stands for its last value.
            Some((_, child)) if self.spans[usize::from(*child)].1 > 0 => Err(Odd),
            Some((_, child)) => Ok(*child),
            None => Ok(NONE),
        }
    }
}

/// The value of JSON that was checked.
pub(super) fn raw_value(bytes: &[u8]) -> Result<Val, Odd> {
    read(bytes).map_err(|_| Odd)
}
