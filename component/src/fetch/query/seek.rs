//! Finds the rows of a JSON document: where a path says, or where most of it is.

use jaq_json::Val;

use super::columns::{COLUMNS, beside};
use super::json_path::{JsonPath, TREE, seek_step, what_is_at};
use super::place::{Place, Shape};
use crate::content::json::{Cursor, Shape as Json, Tree};
use crate::content::table::ROW_MAX_BYTES;
use crate::content::unescape::decoded;
use crate::fence::token;
use crate::fetch::error::FetchError;
use crate::source::{ReadError, Source};

/// Where the rows of a document are.
pub(super) struct Spot {
    pub(super) place: Place,
    /// The same as a JSON pointer.
    pub(super) pointer: String,
    /// The names of columns that stand beside them.
    pub(super) columns: Vec<Val>,
    /// Bytes looked through to find them.
    pub(super) looked_at: u64,
}

impl Spot {
    /// The document itself.
    pub(super) fn new(start: u64) -> Spot {
        let place = Place { shape: Shape::Document, byte: start, row: 1, names: 0 };
        Spot { place, pointer: String::new(), columns: Vec::new(), looked_at: 0 }
    }

    /// Where a path leads.
    pub(super) fn at(source: &dyn Source, start: u64, path: &JsonPath) -> Result<Spot, FetchError> {
        let mut spot = Spot { pointer: path.pointer(), ..Spot::new(start) };
        let mut cursor = Cursor::new(source, start);
        let mut walked = String::new();
        for step in &path.steps {
            if cursor.peek_token()?.is_none() {
                break;
            }
            let here = cursor.position();
            if !seek_step(source, &mut cursor, step)? {
                let there = what_is_at(source, here)?;
                let at = match walked.as_str() {
                    "" => "the document".to_owned(),
                    walked => token(walked, 120),
                };
                let step = token(step, 60);
                return Err(FetchError::invalid(
                    "path",
                    format!("{at} has no {step}: it is {there}"),
                ));
            }
            walked = format!("{walked}/{}", step.replace('~', "~0").replace('/', "~1"));
        }
        let first = cursor.peek_token()?;
        spot.place.byte = cursor.position();
        spot.looked_at = cursor.position() - start;
        spot.place.shape = match first {
            Some(b'[') => Shape::Items,
            Some(b'{') if path.members => Shape::Members,
            _ => Shape::Document,
        };
        if spot.place.shape != Shape::Document {
            spot.place.byte += 1;
        }
        if spot.place.shape == Shape::Items {
            spot.name_columns(source, start)?;
        }
        Ok(spot)
    }

    /// The array that is most of the document; the document when none is.
    pub(super) fn largest(source: &dyn Source, start: u64) -> Result<Spot, ReadError> {
        let mut spot = Spot::new(start);
        let mut cursor = Cursor::new(source, start);
        if cursor.peek_token()? == Some(b'[') {
            spot.go_into(String::new(), cursor.position());
            spot.descend(source)?;
            spot.name_columns(source, start)?;
            return Ok(spot);
        }
        let tree = Tree::read(source, start, TREE)?;
        spot.looked_at = source.len();
        let nodes = &tree.nodes;
        let size = |index: usize| nodes[index].range.1 - nodes[index].range.0;
        let pointed = |index: usize| Some((index, named(source, &tree, index)?));
        let chosen = tree.rows().and_then(pointed);
        // The names of columns may take more than the rows of a small table.
        let is_columns =
            |(_, pointer): &(usize, String)| pointer.split('/').any(|step| COLUMNS.contains(&step));
        let tables = (1..nodes.len()).filter(|&index| {
            nodes[index].shape == Json::Array && nodes[index].all == Some(Json::Array)
        });
        if chosen.as_ref().is_none_or(is_columns)
            && let Some((index, pointer)) =
                tables.max_by_key(|&index| size(index)).and_then(pointed)
        {
            spot.go_into(pointer, nodes[index].range.0);
            spot.name_columns(source, start)?;
            if spot.place.shape == Shape::Named {
                return Ok(spot);
            }
            spot = Spot { looked_at: spot.looked_at, ..Spot::new(start) };
        }
        if let Some((index, pointer)) = chosen {
            spot.go_into(pointer, nodes[index].range.0);
            spot.descend(source)?;
            spot.name_columns(source, start)?;
        }
        Ok(spot)
    }

    /// Goes from an array that holds one object, too large to be read as a row, to the array that is most of that.
    fn descend(&mut self, source: &dyn Source) -> Result<(), ReadError> {
        loop {
            let mut cursor = Cursor::new(source, self.place.byte);
            if cursor.peek_token()? != Some(b'{') {
                return Ok(());
            }
            let object = cursor.position();
            cursor.skip_value(b'{')?;
            let bytes = cursor.position() - object;
            if bytes <= ROW_MAX_BYTES as u64 || cursor.peek_token()? != Some(b']') {
                return Ok(());
            }
            let tree = Tree::read(source, object, TREE)?;
            self.looked_at += bytes;
            let Some(index) = tree.rows() else { return Ok(()) };
            let Some(inner) = named(source, &tree, index) else { return Ok(()) };
            self.go_into(format!("{}/0{inner}", self.pointer), tree.nodes[index].range.0);
        }
    }

    /// Goes to the items of the array that starts at a byte.
    fn go_into(&mut self, pointer: String, array: u64) {
        self.pointer = pointer;
        self.place.byte = array + 1;
        self.place.shape = Shape::Items;
    }

    /// Looks for the names of columns beside an array of arrays.
    fn name_columns(&mut self, source: &dyn Source, start: u64) -> Result<(), ReadError> {
        let Some(path) = JsonPath::parse(&self.pointer) else { return Ok(()) };
        let Some((_, parents)) = path.steps.split_last() else { return Ok(()) };
        let (found, looked_at) = beside(source, start, parents, self.place.byte, ROW_MAX_BYTES)?;
        self.looked_at += looked_at;
        if let Some((columns, names)) = found {
            self.columns = columns;
            self.place = Place { shape: Shape::Named, names, ..self.place };
        }
        Ok(())
    }
}

/// The pointer to a value of a tree, when only objects lie on the way.
fn named(source: &dyn Source, tree: &Tree, index: usize) -> Option<String> {
    let steps = tree
        .keys_to(index)?
        .into_iter()
        .map(|(start, end)| Some(decoded(&source.read_range(start + 1, end - 1).ok()?)));
    Some(JsonPath { steps: steps.collect::<Option<_>>()?, members: false }.pointer())
}

/// The arrays near the root, in a few words: what a path may name.
pub(in crate::fetch) fn arrays(source: &dyn Source) -> Result<String, ReadError> {
    let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
    let tree = Tree::read(source, start, TREE)?;
    let mut found: Vec<String> = Vec::new();
    // One inside of what is too large to be read as a row.
    let rows = Spot::largest(source, start)?.pointer;
    if rows.split('/').any(|step| step == "0") {
        found.push(format!("{} (array)", token(&rows, 80)));
    }
    for (index, node) in tree.nodes.iter().enumerate() {
        let container = matches!(node.shape, Json::Array | Json::Object) && node.children > 0;
        if container
            && index > 0
            && let Some(pointer) = named(source, &tree, index)
        {
            let (what, end) = match node.shape {
                Json::Array => ("array", ""),
                _ => ("object", "[]"),
            };
            found.push(format!("{}{end} ({what} of {})", token(&pointer, 80), node.children));
        }
        if found.len() == 8 {
            break;
        }
    }
    Ok(found.join(", "))
}
