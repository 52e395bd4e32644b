//! Finds members of a row in one pass over its bytes, which also checks that the row is JSON: only they are read.
//!
//! Whatever is out of the ordinary in a row is `Odd`: then all of it is read.

use jaq_json::Val;

use super::read::read;
use super::scan::{MAX_VALUES, Odd, Visitor, walk};

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
}

impl Found {
    /// Finds the members of a row. All of it is checked.
    pub(super) fn read(&mut self, row: &[u8], members: &Members) -> Result<(), Odd> {
        self.spans.clear();
        self.spans.resize(members.nodes.len(), (0, 0));
        walk(row, MAX_VALUES / 2, 0, &mut Search { row, members, spans: &mut self.spans })
    }

    /// The text of a member that was found; nothing when it is not there.
    pub(super) fn text<'r>(&self, row: &'r [u8], node: u16) -> Option<&'r [u8]> {
        let (start, end) = *self.spans.get(usize::from(node))?;
        row.get(start..end).filter(|text| !text.is_empty())
    }
}

/// A search for members.
struct Search<'m> {
    row: &'m [u8],
    members: &'m Members,
    spans: &'m mut [(usize, usize)],
}

impl Visitor for Search<'_> {
    type Place = u16;

    #[inline]
    fn member(&mut self, parent: u16, name: (usize, usize), escaped: bool) -> Result<u16, Odd> {
        if parent == NONE {
            return Ok(NONE);
        }
        let known = self.members.of(parent);
        if known.is_empty() {
            return Ok(NONE);
        }
        if escaped {
            return Err(Odd);
        }
        let name = &self.row[name.0..name.1];
        match known.iter().find(|(known, _)| known == name) {
            // A name that is there twice stands for its last value.
            Some((_, child)) if self.spans[usize::from(*child)].1 > 0 => Err(Odd),
            Some((_, child)) => Ok(*child),
            None => Ok(NONE),
        }
    }

    #[inline]
    fn item(&mut self, _: u16) -> Result<u16, Odd> {
        Ok(NONE)
    }

    /// Only an object, or null, has members.
    #[inline]
    fn begin(&mut self, node: u16, first: u8) -> Result<(), Odd> {
        match node != NONE && !matches!(first, b'{' | b'n') && !self.members.of(node).is_empty() {
            true => Err(Odd),
            false => Ok(()),
        }
    }

    #[inline]
    fn end(&mut self, node: u16, at: (usize, usize)) {
        if node != NONE {
            self.spans[usize::from(node)] = at;
        }
    }
}

/// The value of JSON that was checked.
pub(super) fn raw_value(bytes: &[u8]) -> Result<Val, Odd> {
    read(bytes).map_err(|_| Odd)
}
