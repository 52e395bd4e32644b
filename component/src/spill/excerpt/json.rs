//! The excerpt of a JSON text: a tree of keys, types, lengths, and the first and last items.
//!
//! Readable rather than valid: what is left out is said where it was. The tree is written with
//! every level of detail in turn, richest first, until one fits.

use std::fmt::Write as _;

use serde_json::Value;

use super::elision::in_members;
use super::parts::fitting;
use super::rows::{Passed, SCHEMA_BYTES, after_key, cells};
use super::telling;
use super::values::{Place, RARE};
use super::{
    Excerpt, ExcerptRequest, Gap, OUTLINE_LINE_CHARS, Query, SMALLEST_CHARS, Unit, unseen,
};
use crate::content::defang::defanged;
use crate::content::json::{Cursor, Node, Range, Shape, TREE_DEPTH, Tree, TreeLimits};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::tally;
use crate::content::show::{one_line, shown_prefix, span, width};
use crate::content::table::{COLUMN_NAMES, COLUMNS};
use crate::source::{ReadError, Source, count_chars};
use crate::spill::purpose::Purpose;

/// A budget from which on there is room for what the items of an array have in common.
const SCHEMA_FROM_CHARS: usize = 1_200;

/// A value that fits in this many characters is written on one line.
const INLINE_CHARS: usize = 140;

/// Characters of a key that are shown.
const KEY_CHARS: usize = 80;

/// Bytes above which the characters of a string are counted once, before writing.
const LONG_STRING_BYTES: u64 = 4_096;

/// How much is shown: (levels, items from the start, items from the end, members of an object).
const DETAILS: [(usize, usize, usize, usize); 9] = [
    (TREE_DEPTH, usize::MAX, usize::MAX, 40),
    (5, 5, 2, 40),
    (4, 3, 2, 24),
    (4, 3, 1, 16),
    (3, 2, 1, 12),
    (3, 1, 1, 8),
    (2, 1, 1, 8),
    (1, 1, 1, 4),
    (1, 1, 0, 2),
];

/// Characters of a string that are shown, tried in turn with each of [`DETAILS`].
const STRINGS: [usize; 14] =
    [4_000, 3_000, 2_200, 1_600, 1_200, 900, 650, 480, 350, 260, 190, 140, 100, 64];

/// The same with the poorest detail, as a last resort.
const SHORT_STRINGS: [usize; 2] = [40, 28];

pub(super) fn excerpt(
    source: &dyn Source,
    request: &ExcerptRequest<'_>,
) -> Result<Excerpt, ReadError> {
    let budget = request.budget_chars;
    let limits = TreeLimits {
        head_items: request.settings.json_head_items as usize,
        tail_items: request.settings.json_tail_items as usize,
        nodes: (budget / 5).clamp(32, 3_000),
    };
    let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
    let mut passed = Passed { source, walks: Vec::new() };
    let tree = Tree::read_with(source, start, limits, &mut |at, node, cursor| {
        passed.row(at, node, cursor)
    })?;
    let detail = detail(&tree);
    let Some(root) = tree.nodes.first() else {
        return Ok(Excerpt { text: unseen(request), detail, ..Excerpt::default() });
    };

    let mut notes = torn(source, &tree);
    let Items { line, query, rare } = items(&mut passed, &tree, budget / 8)?;
    let (mut odd, mut pattern) = (String::new(), None);
    if budget >= SCHEMA_FROM_CHARS {
        notes.push_str(&line);
        (odd, pattern) = odd_items(&mut passed, &tree, rare, budget / 5, request)?;
    }

    let lengths = lengths(source, &tree)?;
    let room = budget.saturating_sub(width(&notes) + width(&odd));
    let write = |room: usize| written(source, &tree, &lengths, room);
    let mut text = if budget >= SMALLEST_CHARS { write(room)? } else { None };
    let mut parts = 0;
    if let (Some(purpose), Some((plain, Some(_)))) = (request.purpose, &text) {
        let line_max = request.settings.line_max_chars as usize;
        if let Some((with, shown)) = with_parts(source, purpose, line_max, plain, &write)? {
            (text, parts) = (Some(with), shown);
        }
    }
    let (elided, total) = in_members(source, &tree)?;
    let fallback = || (unseen(request), Some((root.range.0, root.range.1)));
    let fits = text.is_some();
    let (text, gap) = text.unwrap_or_else(fallback);
    let shown = match (fits, gap) {
        (true, None) => "all of it".to_owned(),
        (true, Some(_)) if parts > 0 => {
            format!("a tree of its first and last values{}", fit_words(parts))
        }
        (true, Some(_)) => "a tree of its first and last values".to_owned(),
        (false, _) => "nothing of it".to_owned(),
    };
    Ok(Excerpt {
        text: if fits { format!("{notes}{text}{odd}") } else { text },
        detail,
        shown,
        elided,
        gap: gap.map(|(start, end)| Gap { unit: Unit::Bytes, start, count: end - start }),
        // What is cut is no document, and only rows that follow each other are read as far as they go.
        query: (tree.complete || tree.rows().is_some()).then_some(query),
        rows: tree.rows().map(|rows| tree.nodes[rows].children),
        total,
        pattern,
        ..Excerpt::default()
    })
}

/// What is not right with the text as a whole, a line each.
fn torn(source: &dyn Source, tree: &Tree) -> String {
    let mut notes = String::new();
    if !tree.complete {
        notes.push_str("--- incomplete: the JSON text stops before its value ends ---\n");
    }
    if let Some(at) = tree.odd_at {
        let _ = writeln!(notes, "--- malformed JSON near byte {} ---", thousands(at));
    }
    if let Some(at) = tree.more_at {
        let more = source.len().saturating_sub(at);
        let _ = writeln!(
            notes,
            "--- {} follow the first JSON value, from byte {} on ---",
            counted(more, "byte"),
            thousands(at)
        );
    }
    notes
}

/// A tree as text, and where it leaves something out.
type Written = (String, Option<Range>);

/// The characters of each long text of a tree, counted once.
fn lengths(source: &dyn Source, tree: &Tree) -> Result<Vec<Option<u64>>, ReadError> {
    let mut lengths = vec![None; tree.nodes.len()];
    for (node, chars) in tree.nodes.iter().zip(&mut lengths) {
        let (start, end) = node.range;
        if !matches!(node.shape, Shape::Object | Shape::Array) && end - start > LONG_STRING_BYTES {
            *chars = Some(tally(source, start, end, count_chars)?);
        }
    }
    Ok(lengths)
}

/// The tree with as much detail as has room.
fn written(
    source: &dyn Source,
    tree: &Tree,
    lengths: &[Option<u64>],
    room: usize,
) -> Result<Option<Written>, ReadError> {
    let tries = DETAILS
        .iter()
        .flat_map(|detail| STRINGS.iter().map(move |&chars| (*detail, chars)))
        .chain(SHORT_STRINGS.iter().map(|&chars| (DETAILS[DETAILS.len() - 1], chars)));
    for ((levels, head, tail, members), string_chars) in tries {
        let mut writer = Writer {
            source,
            tree,
            lengths,
            levels,
            head,
            tail,
            members,
            string_chars,
            left: room,
            out: String::new(),
            full: false,
            gap: None,
        };
        writer.value(0, 0)?;
        if !writer.full {
            return Ok(Some((writer.out, writer.gap)));
        }
    }
    Ok(None)
}

/// A smaller tree with the parts that fit the purpose, and how many these are; all together at most what `plain`, the tree
/// without them, takes.
fn with_parts(
    source: &dyn Source,
    purpose: &Purpose,
    line_max: usize,
    plain: &str,
    write: &dyn Fn(usize) -> Result<Option<Written>, ReadError>,
) -> Result<Option<(Written, usize)>, ReadError> {
    // The parts take the room of half of the tree.
    let all = width(&defanged(plain.to_owned()));
    let (mut lines, mut parts) = (String::new(), 0);
    let title = |parts: usize| {
        format!("\n--- {} for the purpose, best first ---", counted(parts as u64, "part"))
    };
    let words_chars = width(&title(100)) + width(&fit_words(100)) + NUMBERS_CHARS;
    let mut left = (all / 2).saturating_sub(words_chars);
    for (_, line) in fitting(source, purpose, line_max.min(all / 4))? {
        let chars = width(&defanged(line.clone())) + 1;
        if chars <= left && parts < 100 {
            left -= chars;
            parts += 1;
            lines.push('\n');
            lines.push_str(&line);
        }
    }
    let taken = width(&defanged(lines.clone())) + words_chars;
    let shorter = if parts > 0 { write(all.saturating_sub(taken))? } else { None };
    Ok(shorter
        .filter(|(tree, _)| width(&defanged(tree.clone())) + taken <= all)
        .map(|(tree, gap)| ((format!("{tree}{}{lines}", title(parts)), gap), parts)))
}

/// What the items of an array are like.
struct Items {
    /// In a line, when they are objects and not all of them will be shown.
    line: String,
    /// What can be asked of them.
    query: Query,
    /// Those between the ends with a rare value or key, where each starts, and where that stands.
    rare: Vec<Place>,
}

#[inline(never)]
fn shown_between(
    source: &dyn Source,
    (from, end): (u64, u64),
    most: usize,
) -> Result<String, ReadError> {
    let text = source.read_range(from, end.min(from + 4 * most as u64))?;
    Ok(one_line(&String::from_utf8_lossy(&text), most))
}

/// Lists and maps in which items like no other are looked for, and items of the smallest beside the array that a query
/// takes.
const OTHERS: usize = 4;
const OTHERS_FROM: u64 = 20;

/// Members of a map of plain values, in which the same holds, and bytes of a list or map of such.
const PLAIN_FROM: u64 = 100;
const PLAIN_BYTES: u64 = 256 * 1024;

/// The value that holds another, and which of its children that is; nothing where it is one of the first of many items.
fn holder(tree: &Tree, index: usize) -> Option<(usize, u64)> {
    let place = |children: &[usize]| children.iter().position(|child| *child == index);
    tree.nodes.iter().enumerate().find_map(|(at, node)| {
        let place = place(&node.head).or_else(|| Some(node.head.len() + place(&node.tail)?))?;
        let is_whole = node.children == (node.head.len() + node.tail.len()) as u64;
        (is_whole || node.shape == Shape::Object).then_some((at, place as u64))
    })
}

/// The way to a value, as jq has it; nothing where that leads through one of many items.
fn way(source: &dyn Source, tree: &Tree, mut index: usize) -> Result<Option<String>, ReadError> {
    let mut way = String::new();
    while index > 0 {
        let Some((at, place)) = holder(tree, index) else { return Ok(None) };
        let step = match tree.nodes[index].key {
            Some((start, end)) => {
                let key = source.read_range(start, end.min(start + 4 * KEY_CHARS as u64))?;
                one_line(&String::from_utf8_lossy(&key), KEY_CHARS)
            }
            None => format!("[{place}]"),
        };
        // Behind another step a bracket needs no dot.
        let dot = if at == 0 || !step.starts_with('[') { "." } else { "" };
        way = format!("{dot}{step}{way}");
        index = at;
    }
    Ok(Some(way))
}

/// Rare rows of a list, before them those whose texts say that something went wrong, and a word of these.
fn with_telling(
    source: &dyn Source,
    list: &Node,
    mut rows: Vec<Place>,
    request: &ExcerptRequest<'_>,
) -> Result<(Vec<Place>, Option<String>), ReadError> {
    if list.children < OTHERS_FROM {
        return Ok((rows, None));
    }
    let words = || super::text::words(request);
    // Each has room.
    let most = if rows.is_empty() { RARE as usize } else { 1 };
    let (mut telling, word) = telling::items(source, list, most, words)?;
    telling.retain(|place| is_unseen(list, place));
    if telling.is_empty() {
        return Ok((rows, None));
    }
    rows.retain(|(row, ..)| telling.iter().all(|(known, ..)| known != row));
    rows.splice(..0, telling);
    Ok((rows, Some(word)))
}

/// The items that are like no other or say that something went wrong, each on a line, in at most so many characters:
/// `rows` of the array that a query takes, and those of other lists and maps. With a word that is told of.
fn odd_items(
    passed: &mut Passed<'_>,
    tree: &Tree,
    rows: Vec<Place>,
    max_chars: usize,
    request: &ExcerptRequest<'_>,
) -> Result<(String, Option<String>), ReadError> {
    let source = passed.source;
    let taken = tree.rows();
    let mut lists = Vec::new();
    let mut word = None;
    if let Some(taken) = taken {
        let (rows, found) = with_telling(source, &tree.nodes[taken], rows, request)?;
        word = found;
        if !rows.is_empty() {
            lists.extend(way(source, tree, taken)?.map(|way| (taken, way, rows)));
        }
    }
    let words = word.as_ref().map(|word| format!("words such as \"{word}\", "));
    let title =
        format!("\n--- the first items with {}rare values or keys ---", words.unwrap_or_default());
    let mut left = SCHEMA_BYTES;
    for (at, node) in tree.nodes.iter().enumerate() {
        let from = match (node.shape, node.all) {
            (_, Some(Shape::Object)) => OTHERS_FROM,
            _ if node.range.1 - node.range.0 > PLAIN_BYTES => continue,
            (Shape::Array, _) => OTHERS_FROM,
            _ => PLAIN_FROM,
        };
        let is_other = Some(at) != taken && node.children >= from && lists.len() < OTHERS;
        if let Some(way) = is_other.then(|| way(source, tree, at)).transpose()?.flatten() {
            let mut rare = match node.all {
                // A series of times and values.
                Some(Shape::Array) => cells(source, node.range.0 + 1, Vec::new())?.rare,
                _ => passed.keys(at, node, left)?.rare,
            };
            left = left.saturating_sub(node.range.1 - node.range.0);
            rare.retain(|place| is_unseen(node, place));
            lists.push((at, way, rare));
        }
    }
    let most = (request.settings.line_max_chars as usize).min(max_chars / 2);
    let mut out = String::new();
    for (list, way, rare) in lists {
        for (row, start, at) in rare {
            let mut cursor = Cursor::new(source, start);
            let first = cursor.peek_token()?;
            if let Some(value) = after_key(&mut cursor, first)? {
                cursor.skip_value(value)?;
            }
            let end = cursor.position();
            let shown = |from, most| shown_between(source, (from, end), most);
            // Deep within: the start, and what stands around it.
            let text = match at - start > most as u64 / 2 {
                true => {
                    format!(
                        "{} {}",
                        shown(start, most / 3)?,
                        shown(at - most as u64 / 6, most / 3)?
                    )
                }
                false => shown(start, most)?,
            };
            let dot = if way.is_empty() { "." } else { "" };
            let place = match tree.nodes[list].shape {
                // Its key stands before it.
                Shape::Object => String::new(),
                _ => format!("[{row}]"),
            };
            let line = format!("\n{dot}{way}{place}: {text}");
            if width(&title) + width(&out) + width(&line) < max_chars {
                out.push_str(&line);
            }
        }
    }
    Ok(if out.is_empty() { (out, None) } else { (title + &out, word) })
}

/// Bytes at the start of an item that are shown where it is one of the first or the last ones.
const SEEN_BYTES: u64 = 400;

/// Whether a place is in none of the first and the last children, or far behind the start of one.
fn is_unseen(node: &Node, &(child, start, at): &Place) -> bool {
    (node.head.len() as u64..node.children - node.tail.len() as u64).contains(&child)
        || at - start > SEEN_BYTES
}

/// What the items of the array that a query takes are like; `line` has at most `max_chars`.
fn items(passed: &mut Passed<'_>, tree: &Tree, max_chars: usize) -> Result<Items, ReadError> {
    let source = passed.source;
    let only = |query| Items { line: String::new(), query, rare: Vec::new() };
    let all_of = |program: &str, reduce| {
        only(Query { program: program.to_owned(), reduce, ..Query::default() })
    };
    let Some(rows) = tree.rows() else {
        let is_object = tree.nodes.first().is_some_and(|root| root.shape == Shape::Object);
        return Ok(all_of(if is_object { "keys" } else { "." }, ""));
    };
    let array = &tree.nodes[rows];
    let found = match array.all {
        Some(Shape::Array) => cells(source, array.range.0 + 1, names(source, tree, rows)?)?,
        all if all != Some(Shape::Object) && array.range.1 - array.range.0 > PLAIN_BYTES => {
            return Ok(all_of("type", "distinct"));
        }
        all => {
            let mut found = passed.keys(rows, array, SCHEMA_BYTES)?;
            if all != Some(Shape::Object) {
                found.keys.clear();
                found.query = all_of("type", "distinct").query;
            }
            found
        }
    };
    let query = found.query;
    // The lists in few items are looked at themselves.
    if array.children <= (array.head.len() + array.tail.len()) as u64 {
        return Ok(only(query));
    }
    let mut rare = found.rare;
    rare.retain(|place| is_unseen(array, place));
    let place = match array.key {
        Some((start, end)) => {
            let key = source.read_range(start, end.min(start + 4 * KEY_CHARS as u64))?;
            one_line(&String::from_utf8_lossy(&key), KEY_CHARS)
        }
        None => String::new(),
    };
    let scope = if found.rows < array.children { "the first " } else { "all " };
    let within = if place.is_empty() { String::new() } else { format!(" in {place}") };
    let mut line = format!("--- {scope}{}{within} have ", counted(found.rows, "item"));
    let all = found.keys.len();
    for (i, (name, types, words)) in found.keys.into_iter().enumerate() {
        let name = one_line(&name, OUTLINE_LINE_CHARS);
        // From where to where its numbers and dates go.
        let range = match types.as_str() {
            "number" if words.contains(" to ") => format!(" {words}"),
            "string" => {
                words.strip_prefix("date, ").map(|dates| format!(" {dates}")).unwrap_or_default()
            }
            _ => String::new(),
        };
        let next = format!("{}{name}: {types}{range}", if i > 0 { ", " } else { "" });
        if width(&line) + width(&next) + 30 > max_chars {
            line.push_str(&format!(", {} more keys", all - i));
            break;
        }
        line.push_str(&next);
    }
    line.push_str(" ---\n");
    let fits = width(&line) <= max_chars && all > 0;
    Ok(Items { line: if fits { line } else { String::new() }, query, rare })
}

/// The names of columns that stand beside an array of arrays, as a query reads them.
fn names(source: &dyn Source, tree: &Tree, rows: usize) -> Result<Vec<String>, ReadError> {
    const NAMES_BYTES: u64 = 64 * 1024;
    let parent = tree.nodes.iter().find(|node| {
        node.shape == Shape::Object
            && node.head.iter().chain(&node.tail).any(|&child| child == rows)
    });
    for &child in parent.iter().flat_map(|parent| parent.head.iter().chain(&parent.tail)) {
        let node = &tree.nodes[child];
        let Some((from, to)) = node.key else { continue };
        let key = source.read_range(from + 1, to.saturating_sub(1).min(from + 64))?;
        let (start, end) = node.range;
        if !COLUMNS.iter().any(|name| name.as_bytes() == key) || end - start > NAMES_BYTES {
            continue;
        }
        let value = serde_json::from_slice(&source.read_range(start, end)?).unwrap_or_default();
        let list = match &value {
            Value::Object(members) => COLUMNS.iter().find_map(|name| members.get(*name)),
            list => Some(list),
        };
        let name = |item: &Value| match item {
            Value::Object(members) => {
                COLUMN_NAMES.iter().find_map(|name| members.get(*name)?.as_str().map(str::to_owned))
            }
            item => item.as_str().map(str::to_owned),
        };
        let list = list.and_then(Value::as_array);
        if let Some(names) = list.and_then(|list| list.iter().map(name).collect()) {
            return Ok(names);
        }
    }
    Ok(Vec::new())
}

fn detail(tree: &Tree) -> String {
    let Some(root) = tree.nodes.first() else { return "no value".to_owned() };
    let mut detail = match root.shape {
        Shape::Array => match root.all {
            Some(shape) => format!("array of {}", counted(root.children, shape.noun())),
            None if root.children == 0 => "empty array".to_owned(),
            None => format!("array of {} mixed values", thousands(root.children)),
        },
        Shape::Object => format!("object with {}", counted(root.children, "key")),
        Shape::String => "a string".to_owned(),
        Shape::Number => "a number".to_owned(),
        Shape::Word => "a literal".to_owned(),
    };
    if !tree.complete {
        detail.push_str(", incomplete");
    } else if tree.odd_at.is_some() {
        detail.push_str(", malformed");
    }
    if tree.more_at.is_some() {
        detail.push_str(", more after it");
    }
    detail
}

/// Characters set aside for numbers that get longer when the tree is shorter.
const NUMBERS_CHARS: usize = 24;

/// What a title and [`Excerpt::shown`] say of parts that fit the purpose.
fn fit_words(parts: usize) -> String {
    format!("; {} for the purpose", counted(parts as u64, "part"))
}

struct Writer<'a> {
    source: &'a dyn Source,
    tree: &'a Tree,
    lengths: &'a [Option<u64>],
    levels: usize,
    head: usize,
    tail: usize,
    members: usize,
    string_chars: usize,
    // Characters that may still be written.
    left: usize,
    out: String,
    full: bool,
    // The first bytes that are not shown.
    gap: Option<Range>,
}

impl Writer<'_> {
    fn push(&mut self, text: &str) {
        let chars = width(text);
        if chars > self.left {
            self.full = true;
        } else {
            self.left -= chars;
            self.out.push_str(text);
        }
    }

    fn skipped(&mut self, range: Range) {
        self.gap.get_or_insert(range);
    }

    /// Writes a value. Recursion ends at [`TREE_DEPTH`], as the tree does.
    fn value(&mut self, index: usize, level: usize) -> Result<(), ReadError> {
        if self.full {
            return Ok(());
        }
        let node = &self.tree.nodes[index];
        let (start, end) = node.range;
        let bytes = counted(end - start, "byte");
        match node.shape {
            Shape::Object | Shape::Array => {
                let (open, close, noun) = match node.shape {
                    Shape::Object => ("{", "}", "key"),
                    _ => ("[", "]", "item"),
                };
                if !node.opened {
                    self.skipped(node.range);
                    self.push(&format!("{open}… {bytes} …{close}"));
                } else if node.children == 0 {
                    self.push(&format!("{open}{close}"));
                } else if level >= self.levels {
                    self.skipped(node.range);
                    self.push(&format!(
                        "{open}… {}, {bytes} …{close}",
                        counted(node.children, noun)
                    ));
                } else {
                    self.container(node, level, open, close, noun)?;
                }
            }
            Shape::String => {
                // The quotes stand outside of what may be cut.
                let closed = end - start > 1 && self.source.read_range(end - 1, end)? == b"\"";
                let (from, to) = (start + 1, end - u64::from(closed));
                let chars = self.lengths[index].map(|chars| chars - 1 - u64::from(closed));
                let text = span(self.source, from, to, self.string_chars, chars)?;
                if text.contains("…[+") {
                    self.skipped(node.range);
                }
                self.push("\"");
                self.push(&text);
                self.push(if closed { "\"" } else { "" });
            }
            Shape::Number | Shape::Word => {
                let text = span(self.source, start, end, self.string_chars, self.lengths[index])?;
                self.push(&text);
            }
        }
        Ok(())
    }

    fn container(
        &mut self,
        node: &Node,
        level: usize,
        open: &str,
        close: &str,
        noun: &str,
    ) -> Result<(), ReadError> {
        let is_object = node.shape == Shape::Object;
        let most_head = if is_object { self.members } else { self.head };
        let head = &node.head[..node.head.len().min(most_head)];
        let mut tail = &node.tail[..];
        if head.len() + tail.len() < node.children as usize {
            // The last are the last: what was kept of the head beyond the limit is in between.
            tail = &tail[tail.len() - tail.len().min(self.tail)..];
        }
        let between = node.children - (head.len() + tail.len()) as u64;

        let before = (self.out.len(), self.left, self.gap);
        // On one line, if that is short and hides nothing between.
        if between == 0 {
            let most = self.left.min(INLINE_CHARS);
            let spare = self.left - most;
            self.left = most;
            self.push(open);
            for (i, &child) in head.iter().chain(tail).enumerate() {
                if i > 0 {
                    self.push(", ");
                }
                self.key(child)?;
                self.value(child, level + 1)?;
                if self.full {
                    break;
                }
            }
            self.push(close);
            let is_line = !self.full && !self.out[before.0..].contains('\n');
            self.left += spare;
            if is_line {
                return Ok(());
            }
            self.out.truncate(before.0);
            (self.left, self.gap) = (before.1, before.2);
            self.full = false;
        }

        let indent = "  ".repeat(level + 1);
        self.push(open);
        if between > 0 {
            self.push(&format!(" {}", counted(node.children, noun)));
        }
        self.push("\n");
        for &child in head {
            self.member(child, level, &indent)?;
        }
        if between > 0 {
            let from = head.last().map_or(node.range.0 + 1, |&last| self.tree.nodes[last].range.1);
            let to = match tail.first() {
                Some(&first) => {
                    let first = &self.tree.nodes[first];
                    first.key.map_or(first.range.0, |key| key.0)
                }
                None => node.range.1.saturating_sub(1).max(from),
            };
            self.skipped((from, to));
            self.push(&format!(
                "{indent}… {} more {noun}{}, bytes {}-{} …\n",
                thousands(between),
                if between == 1 { "" } else { "s" },
                thousands(from),
                thousands(to.saturating_sub(1).max(from))
            ));
        }
        for &child in tail {
            self.member(child, level, &indent)?;
        }
        self.push(&"  ".repeat(level));
        self.push(close);
        Ok(())
    }

    fn member(&mut self, child: usize, level: usize, indent: &str) -> Result<(), ReadError> {
        if self.full {
            return Ok(());
        }
        self.push(indent);
        self.key(child)?;
        self.value(child, level + 1)?;
        self.push("\n");
        Ok(())
    }

    fn key(&mut self, child: usize) -> Result<(), ReadError> {
        let Some((start, end)) = self.tree.nodes[child].key else { return Ok(()) };
        let text = if end - start <= KEY_CHARS as u64 {
            shown_prefix(&self.source.read_range(start, end)?, KEY_CHARS).0
        } else {
            format!("\"{}\"", span(self.source, start + 1, end - 1, KEY_CHARS, None)?)
        };
        self.push(&text);
        self.push(": ");
        Ok(())
    }
}
