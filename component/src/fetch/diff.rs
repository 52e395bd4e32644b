//! What changed between two stored results: lines, or rows by their identity.

use std::collections::BTreeMap;

use jaq_json::{Num, Val};
use jaq_std::ValT as _;
use similar::{Algorithm, DiffOp, capture_diff_slices};
use xxhash_rust::xxh3::xxh3_64_with_seed;

use self::members::{Changes, beside};
use super::error::FetchError;
use super::more;
use super::query::rows::Rows;
use super::query::value;
use crate::content::kind::Kind;
use crate::content::numbers::counted;
use crate::content::show::clip;
use crate::fence::token;
use crate::handle::Ids;
use crate::limits::READ_BYTES;
use crate::sort::{sort_by, sort_by_key};
use crate::source::{ReadError, Source};

mod members;

/// Lines of one result that are compared.
const MAX_LINES: usize = 300_000;

/// Rows of one result that are compared, bytes of both, and bytes of a row's key.
const MAX_ROWS: usize = 100_000;
const MAX_ROW_BYTES: u64 = 24 * 1024 * 1024;
const MAX_KEY_BYTES: usize = 200;

/// Lines between two anchors that are compared line by line; longer stretches count as replaced.
const MAX_STRETCH: usize = 1_500;

/// Characters shown of one line or value.
const LINE_CHARS: usize = 400;
const VALUE_CHARS: usize = 120;

/// Keys that rows are known by, when none is named.
const KEYS: [&str; 12] =
    ["id", "_id", "uuid", "ID", "Id", "key", "sha", "number", "name", "path", "url", "filename"];

/// Which changes are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Only {
    /// What is only in the newer.
    Added,
    /// What is only in the older.
    Removed,
    /// Rows of the same identity that differ.
    Changed,
}

impl Only {
    /// Reads what a model sends.
    pub(super) fn parse(text: &str) -> Option<Only> {
        match text.trim().to_ascii_lowercase().as_str() {
            "added" | "add" | "new" | "+" => Some(Only::Added),
            "removed" | "deleted" | "old" | "-" => Some(Only::Removed),
            "changed" | "modified" | "~" => Some(Only::Changed),
            _ => None,
        }
    }

    /// As it is written.
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Only::Added => "added",
            Only::Removed => "removed",
            Only::Changed => "changed",
        }
    }
}

/// Which two results to compare, and how.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DiffRequest {
    /// The newer one.
    pub id: Ids,
    /// The older one; none for the last result of the same call.
    pub other: Option<Ids>,
    /// The member of a row that it is known by; none for one that is found.
    pub key: Option<String>,
    /// Whether lines are compared also where there are rows.
    pub lines: bool,
    /// Which changes are shown; none for all. All are counted.
    pub only: Option<Only>,
    /// `next` of an earlier answer to the same request.
    pub cursor: Option<String>,
}

/// What changed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct DiffAnswer {
    /// The older result.
    pub older: String,
    /// The newer result.
    pub newer: String,
    /// What was compared, in words: `lines`, `rows by "id"`.
    pub unit: String,
    /// How many are only in the newer.
    pub added: u64,
    /// How many are only in the older.
    pub removed: u64,
    /// Rows of the same identity that differ.
    pub changed: u64,
    /// How many are the same.
    pub same: u64,
    /// A page of the changes.
    pub content: String,
    /// What else there is to say.
    pub notes: Vec<String>,
    /// Whether both were compared to the end.
    pub complete: bool,
    /// How to go on: the `cursor` of the next request. None when this is all.
    pub next: Option<String>,
}

/// One of the two.
#[derive(Clone, Copy)]
pub(super) struct Side<'s> {
    pub(super) source: &'s dyn Source,
    pub(super) kind: Kind,
}

/// What changed from `older` to `newer`, a page of at most `max_chars` characters.
pub(super) fn diff(
    older: Side<'_>,
    newer: Side<'_>,
    request: &DiffRequest,
    max_chars: usize,
) -> Result<DiffAnswer, FetchError> {
    let offset = request.cursor.as_deref().map_or(Ok(0), |cursor| cursor.trim().parse::<usize>());
    let offset = offset.map_err(|_| more::refused("cursor"))?;
    let rows =
        |side: Side<'_>| matches!(side.kind, Kind::Json | Kind::Ndjson | Kind::Csv | Kind::Tsv);
    let mut note = None;
    if !request.lines && rows(older) && rows(newer) {
        match by_rows(older, newer, request, offset, max_chars)? {
            Ok(answer) => return Ok(answer),
            Err(why) if request.key.is_some() => return Err(FetchError::invalid("key", why)),
            Err(why) => note = Some(format!("lines are compared, as {why}")),
        }
    }
    let mut answer = by_lines(older.source, newer.source, request.only, offset, max_chars)?;
    answer.notes.extend(note);
    Ok(answer)
}

/// A line: what tells it from others, and where it is.
struct Lines {
    hashes: Vec<(u64, u64)>,
    starts: Vec<u64>,
    complete: bool,
}

impl Lines {
    fn read(source: &dyn Source) -> Result<Lines, ReadError> {
        let mut lines = Lines { hashes: Vec::new(), starts: vec![0], complete: true };
        let mut chunk = vec![0; READ_BYTES];
        let mut held: Vec<u8> = Vec::new();
        let mut chain = (0u64, 0u64);
        let (mut at, mut open) = (0u64, false);
        let digest = |bytes: &[u8], chain: (u64, u64)| {
            (xxh3_64_with_seed(bytes, 1 ^ chain.0), xxh3_64_with_seed(bytes, 2 ^ chain.1))
        };
        loop {
            let n = source.read_at(at, &mut chunk)?;
            if n == 0 {
                break;
            }
            let mut rest = &chunk[..n];
            while let Some(end) = memchr::memchr(b'\n', rest) {
                held.extend_from_slice(&rest[..end]);
                let line = held.strip_suffix(b"\r").unwrap_or(&held);
                lines.hashes.push(digest(line, chain));
                lines.starts.push(at + (n - rest.len() + end) as u64 + 1);
                held.clear();
                chain = (0, 0);
                open = false;
                rest = &rest[end + 1..];
                if lines.hashes.len() >= MAX_LINES {
                    lines.complete = at + (n - rest.len()) as u64 >= source.len();
                    return Ok(lines);
                }
            }
            held.extend_from_slice(rest);
            open |= !rest.is_empty();
            // A line of any length is known by the digests of its pieces.
            if held.len() > 16 * READ_BYTES {
                chain = digest(&held, chain);
                held.clear();
            }
            at += n as u64;
        }
        if open {
            lines.hashes.push(digest(held.strip_suffix(b"\r").unwrap_or(&held), chain));
            lines.starts.push(at);
        }
        Ok(lines)
    }

    fn text(&self, source: &dyn Source, line: usize) -> Result<String, ReadError> {
        let (start, end) = (self.starts[line], self.starts[line + 1]);
        let most = (4 * LINE_CHARS + 8) as u64;
        let bytes = source.read_range(start, end.min(start + most))?;
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim_end_matches(['\n', '\r']);
        let mut shown: String = text.chars().take(LINE_CHARS).collect();
        if shown.len() < text.len() || end - start > most {
            shown.push_str(&format!(" …[line of {} bytes]", end - start));
        }
        Ok(shown)
    }
}

/// A stretch of lines: equal, or replaced.
struct Stretch {
    old: (usize, usize),
    new: (usize, usize),
    equal: bool,
}

/// The stretches of two sequences, and whether some were too long to be compared line by line.
fn stretches(a: &[u32], b: &[u32]) -> (Vec<Stretch>, bool) {
    let mut out: Vec<Stretch> = Vec::new();
    let mut coarse = false;
    let prefix = a.iter().zip(b).take_while(|(a, b)| a == b).count();
    let suffix =
        a[prefix..].iter().rev().zip(b[prefix..].iter().rev()).take_while(|(a, b)| a == b).count();
    let mut push = |old: (usize, usize), new: (usize, usize), equal: bool| {
        if old.0 < old.1 || new.0 < new.1 {
            out.push(Stretch { old, new, equal });
        }
    };
    push((0, prefix), (0, prefix), true);
    let (a_end, b_end) = (a.len() - suffix, b.len() - suffix);
    // Lines that are once in each are anchors: the longest run of them that keeps its order.
    let (ours, theirs) = (uniques(&a[prefix..a_end]), uniques(&b[prefix..b_end]));
    let mut pairs: Vec<(usize, usize)> = Vec::new();
    let mut theirs = theirs.into_iter().peekable();
    for (line, at) in ours {
        while theirs.next_if(|(other, _)| *other < line).is_some() {}
        if let Some((_, other)) = theirs.next_if(|(other, _)| *other == line) {
            pairs.push((prefix + at as usize, prefix + other as usize));
        }
    }
    sort_by_key(&mut pairs, |(at, _)| *at);
    pairs = longest_rising(&pairs);
    pairs.push((a_end, b_end));
    let (mut i, mut j) = (prefix, prefix);
    for (x, y) in pairs {
        let (old, new) = (&a[i..x], &b[j..y]);
        if !old.is_empty() && !new.is_empty() && old.len() + new.len() <= MAX_STRETCH {
            for op in capture_diff_slices(Algorithm::RawMyers, old, new) {
                let (equal, o, n) = match op {
                    DiffOp::Equal { old_index, new_index, len } => {
                        (true, (old_index, len), (new_index, len))
                    }
                    DiffOp::Delete { old_index, old_len, new_index } => {
                        (false, (old_index, old_len), (new_index, 0))
                    }
                    DiffOp::Insert { old_index, new_index, new_len } => {
                        (false, (old_index, 0), (new_index, new_len))
                    }
                    DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                        (false, (old_index, old_len), (new_index, new_len))
                    }
                };
                push((i + o.0, i + o.0 + o.1), (j + n.0, j + n.0 + n.1), equal);
            }
        } else {
            coarse |= !old.is_empty() && !new.is_empty();
            push((i, x), (j, y), false);
        }
        if x < a_end {
            push((x, x + 1), (y, y + 1), true);
        }
        (i, j) = ((x + 1).min(a_end), (y + 1).min(b_end));
    }
    push((a_end, a.len()), (b_end, b.len()), true);
    // Neighbours of one kind are one.
    let mut merged: Vec<Stretch> = Vec::new();
    for stretch in out {
        match merged.last_mut() {
            Some(last) if last.equal == stretch.equal => {
                last.old.1 = stretch.old.1;
                last.new.1 = stretch.new.1;
            }
            _ => merged.push(stretch),
        }
    }
    (merged, coarse)
}

/// The lines that are there once, in order of their numbers, each with its place.
fn uniques(lines: &[u32]) -> Vec<(u32, u32)> {
    let mut all: Vec<(u32, u32)> = lines.iter().copied().zip(0u32..).collect();
    sort_by(&mut all, Ord::cmp);
    let mut kept = 0;
    let mut at = 0;
    while at < all.len() {
        let same = all[at..].iter().take_while(|(line, _)| *line == all[at].0).count();
        if same == 1 {
            all[kept] = all[at];
            kept += 1;
        }
        at += same;
    }
    all.truncate(kept);
    all
}

/// The lines of both as numbers, the same for lines that are the same.
fn numbered(old: &[(u64, u64)], new: &[(u64, u64)]) -> (Vec<u32>, Vec<u32>) {
    let mut all: Vec<((u64, u64), u32)> = old.iter().chain(new).copied().zip(0u32..).collect();
    sort_by(&mut all, Ord::cmp);
    let mut numbers = vec![0u32; all.len()];
    let (mut number, mut last) = (0u32, None);
    for (hash, at) in all {
        number += u32::from(last.is_some_and(|last| last != hash));
        last = Some(hash);
        if let Some(place) = numbers.get_mut(at as usize) {
            *place = number;
        }
    }
    let theirs = numbers.split_off(old.len());
    (numbers, theirs)
}

/// The longest part of `pairs` (rising in the first) that rises in the second too.
fn longest_rising(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut piles: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (at, pair) in pairs.iter().enumerate() {
        let pile = piles.partition_point(|&top| pairs[top].1 < pair.1);
        before.push(pile.checked_sub(1).map(|left| piles[left]));
        match piles.get_mut(pile) {
            Some(top) => *top = at,
            None => piles.push(at),
        }
    }
    let mut out = Vec::new();
    let mut at = piles.last().copied();
    while let Some(index) = at {
        out.push(pairs[index]);
        at = before[index];
    }
    out.reverse();
    out
}

fn by_lines(
    older: &dyn Source,
    newer: &dyn Source,
    only: Option<Only>,
    offset: usize,
    max_chars: usize,
) -> Result<DiffAnswer, FetchError> {
    let (old, new) = (Lines::read(older)?, Lines::read(newer)?);
    let (a, b) = numbered(&old.hashes, &new.hashes);
    let (stretches, coarse) = stretches(&a, &b);
    let mut answer = DiffAnswer {
        unit: "lines".to_owned(),
        complete: old.complete && new.complete,
        ..DiffAnswer::default()
    };
    for stretch in &stretches {
        let (o, n) = (stretch.old.1 - stretch.old.0, stretch.new.1 - stretch.new.0);
        if stretch.equal {
            answer.same += o as u64;
        } else {
            answer.removed += o as u64;
            answer.added += n as u64;
        }
    }
    if coarse {
        answer.notes.push(format!(
            "a stretch of over {MAX_STRETCH} lines differs as a whole, so lines in it that are the \
             same count as removed and added"
        ));
    }
    if !answer.complete {
        answer.notes.push(format!("only the first {MAX_LINES} lines are compared"));
    }
    let mut page = Page::new(offset, max_chars);
    if only == Some(Only::Changed) && answer.added + answer.removed > 0 {
        answer.notes.push("of lines none is changed: each is added or removed".to_owned());
    }
    let shown = |side: Only| only.is_none_or(|only| only == side);
    let has = |(start, end): (usize, usize), side| start < end && shown(side);
    let asked = |stretch: &&Stretch| {
        !stretch.equal && (has(stretch.old, Only::Removed) || has(stretch.new, Only::Added))
    };
    'changes: for stretch in stretches.iter().filter(asked) {
        let at = format!(
            "@@ line {} of the older, line {} of the newer @@",
            stretch.old.0 + 1,
            stretch.new.0 + 1
        );
        if !page.push(|| Ok(at))? {
            break;
        }
        for line in stretch.old.0..stretch.old.1 {
            if !shown(Only::Removed) {
                break;
            }
            if !page.push(|| Ok(format!("-{}", old.text(older, line)?)))? {
                break 'changes;
            }
        }
        for line in stretch.new.0..stretch.new.1 {
            if !shown(Only::Added) {
                break;
            }
            if !page.push(|| Ok(format!("+{}", new.text(newer, line)?)))? {
                break 'changes;
            }
        }
    }
    (answer.content, answer.next) = page.finish();
    Ok(answer)
}

/// The lines of one page of changes.
struct Page {
    skip: usize,
    at: usize,
    room: usize,
    out: String,
    full: bool,
}

impl Page {
    fn new(offset: usize, max_chars: usize) -> Page {
        Page { skip: offset, at: 0, room: max_chars, out: String::new(), full: false }
    }

    /// Takes a line; `false` when there is no room for it.
    fn push(
        &mut self,
        line: impl FnOnce() -> Result<String, FetchError>,
    ) -> Result<bool, FetchError> {
        if self.at < self.skip {
            self.at += 1;
            return Ok(true);
        }
        let line = line()?;
        let chars = line.chars().count() + 1;
        if chars > self.room {
            if !self.out.is_empty() {
                self.full = true;
                return Ok(false);
            }
            self.out.extend(line.chars().take(self.room.saturating_sub(2)));
            self.out.push_str("…\n");
            self.room = 0;
        } else {
            self.room -= chars;
            self.out.push_str(&line);
            self.out.push('\n');
        }
        self.at += 1;
        Ok(true)
    }

    fn finish(self) -> (String, Option<String>) {
        (self.out, self.full.then(|| self.at.to_string()))
    }
}

/// A row: what tells it from others, and where it is.
struct Known {
    hash: (u64, u64),
    start: u64,
    seen: bool,
}

type Table = BTreeMap<String, Known>;

/// What rows may be told apart by, in the order it is tried; without any they are the same when they are equal.
fn identities(
    request: &DiffRequest,
    newer: &mut Rows<'_>,
) -> Result<Vec<Option<String>>, FetchError> {
    if let Some(key) = &request.key {
        return Ok(vec![Some(key.trim_start_matches('.').to_owned())]);
    }
    let first = newer.next()?.and_then(|row| row.value.ok());
    let has = |key: &&&str| matches!(&first, Some(Val::Obj(row)) if row.contains_key(&Val::from((**key).to_owned())));
    let named = KEYS.iter().filter(has).map(|key| Some((*key).to_owned()));
    Ok(named.chain([None]).collect())
}

/// Compares rows by identity. The inner error says why they cannot be.
fn by_rows(
    older: Side<'_>,
    newer: Side<'_>,
    request: &DiffRequest,
    offset: usize,
    max_chars: usize,
) -> Result<Result<DiffAnswer, String>, FetchError> {
    if older.source.len() + newer.source.len() > MAX_ROW_BYTES {
        return Ok(Err(format!("rows of more than {MAX_ROW_BYTES} bytes are not compared")));
    }
    let (mut from, mut to) = (
        Rows::open(older.source, older.kind, None, false, None)?,
        Rows::open(newer.source, newer.kind, None, false, None)?,
    );
    // What is a code in either is one in both.
    from.read_as(&to);
    to.read_as(&from);
    let starts = (from.place().byte, to.place().byte);
    if from.is_one() && to.is_one() && request.key.is_none() {
        let document = |rows: &mut Rows<'_>| rows.next().map(|row| row?.value.ok());
        if let (Some(old), Some(new)) = (document(&mut from)?, document(&mut to)?) {
            return Ok(Ok(of_documents(
                &Changes::of(&old, &new),
                request.only,
                offset,
                max_chars,
            )?));
        }
    }
    let keys = identities(request, &mut to)?;
    let mut why = String::new();
    for key in keys {
        from.seek(starts.0);
        to.seek(starts.1);
        let tables = table(&mut from, key.as_deref())?.and_then(|old| {
            let new = table(&mut to, key.as_deref()).map_err(|error| error.to_string())??;
            Ok((old, new))
        });
        let (mut old, mut new) = match tables {
            Ok(tables) => tables,
            Err(reason) => {
                why = reason;
                continue;
            }
        };
        let mut answer = DiffAnswer {
            unit: match &key {
                Some(key) => format!("rows by {}", token(key, 120)),
                None => "rows, each as a whole".to_owned(),
            },
            complete: true,
            ..DiffAnswer::default()
        };
        compare(&mut old, &mut new, &mut answer);
        let mut page = Page::new(offset, max_chars);
        let rest = (beside(older.source, &from, starts.0)?, beside(newer.source, &to, starts.1)?);
        let is_alone = newer.kind != Kind::Json || from.pointer.is_empty() && to.pointer.is_empty();
        show(&mut page, (&old, &mut from), (&new, &mut to), request.only)?;
        match rest {
            _ if is_alone => {}
            (Some(old), Some(new)) => {
                let changes = Changes::of(&old, &new);
                if !changes.told.is_empty() {
                    let count = counted(changes.told.len() as u64, "change");
                    answer.notes.push(format!("beside the rows {count}, told behind them"));
                }
                push_changes(&mut page, &changes, request.only)?;
            }
            _ => answer.notes.push(BESIDE.to_owned()),
        }
        (answer.content, answer.next) = page.finish();
        return Ok(Ok(answer));
    }
    Ok(Err(why))
}

/// What is said where a document is compared in parts.
const BESIDE: &str = "what stands beside the rows is too large to be compared: ask for it with query, or compare lines";

/// What changed between two documents that are no rows.
fn of_documents(
    changes: &Changes,
    only: Option<Only>,
    offset: usize,
    max_chars: usize,
) -> Result<DiffAnswer, FetchError> {
    let mut page = Page::new(offset, max_chars);
    push_changes(&mut page, changes, only)?;
    let (content, next) = page.finish();
    Ok(DiffAnswer {
        unit: "values of the document".to_owned(),
        added: changes.count(Only::Added),
        removed: changes.count(Only::Removed),
        changed: changes.count(Only::Changed),
        same: changes.same,
        complete: true,
        content,
        next,
        ..DiffAnswer::default()
    })
}

/// Shows changes of members, of one kind alone where that is asked.
fn push_changes(page: &mut Page, changes: &Changes, only: Option<Only>) -> Result<(), FetchError> {
    let asked = changes.told.iter().filter(|(what, _)| only.is_none_or(|only| only == *what));
    for (_, words) in asked {
        if page.full || !page.push(|| Ok(words.clone()))? {
            break;
        }
    }
    Ok(())
}

/// Counts the rows of two sides by what became of them, and marks those that both have.
fn compare(old: &mut Table, new: &mut Table, answer: &mut DiffAnswer) {
    for (key, known) in new.iter_mut() {
        match old.get_mut(key) {
            None => answer.added += 1,
            Some(other) => {
                (known.seen, other.seen) = (true, true);
                match other.hash == known.hash {
                    true => answer.same += 1,
                    false => answer.changed += 1,
                }
            }
        }
    }
    answer.removed = old.values().filter(|known| !known.seen).count() as u64;
}

/// Shows on a page the rows that changed, then those that were removed and added; of one kind alone where that is asked.
fn show<'r>(
    page: &mut Page,
    (old, from): (&Table, &mut Rows<'r>),
    (new, to): (&Table, &mut Rows<'r>),
    only: Option<Only>,
) -> Result<(), FetchError> {
    let shown = |side: Only| only.is_none_or(|only| only == side);
    for (key, known) in new.iter().filter(|(_, known)| known.seen && shown(Only::Changed)) {
        let Some(other) = old.get(key).filter(|other| other.hash != known.hash) else {
            continue;
        };
        let line = || {
            let (a, b) = (row(from, other)?, row(to, known)?);
            Ok(format!("~ {}: {}", clip(key, VALUE_CHARS), changes(&a, &b)))
        };
        if !page.push(line)? {
            return Ok(());
        }
    }
    let removed = (old, from, '-', Only::Removed);
    for (table, side, sign, what) in [removed, (new, to, '+', Only::Added)] {
        for known in table.values().filter(|known| !known.seen && shown(what)) {
            let line = || {
                let mut text = format!("{sign} ");
                if !value::write(&row(side, known)?, 4 * LINE_CHARS, &mut text) {
                    text.push('…');
                }
                Ok(text)
            };
            if !page.push(line)? {
                return Ok(());
            }
        }
    }
    Ok(())
}

/// All rows of one side by their key; why not, when they cannot be told apart.
fn table(rows: &mut Rows<'_>, key: Option<&str>) -> Result<Result<Table, String>, FetchError> {
    let mut table = Table::new();
    let mut count = 0u64;
    while let Some(row) = rows.next()? {
        count += 1;
        let value = match row.value {
            Ok(value) => value,
            Err(error) => {
                return Ok(Err(format!("row {count} cannot be read: {}", token(&error, 80))));
            }
        };
        let mut text = String::new();
        value::write(&in_order(&value), usize::MAX, &mut text);
        let hash = (xxh3_64_with_seed(text.as_bytes(), 1), xxh3_64_with_seed(text.as_bytes(), 2));
        let mut name = String::new();
        match key {
            Some(key) => {
                let found = match &value {
                    Val::Obj(members) => members.get(&Val::from(key.to_owned())),
                    _ => None,
                };
                let Some(found) = found.filter(|found| !matches!(found, Val::Null)) else {
                    return Ok(Err(format!("row {count} has no {}", token(key, 120))));
                };
                value::write(found, MAX_KEY_BYTES, &mut name);
            }
            None => name = format!("{:016x}{:016x}", hash.0, hash.1),
        }
        if table.len() >= MAX_ROWS {
            return Ok(Err(format!("there are more than {MAX_ROWS} rows")));
        }
        let known = Known { hash, start: row.start, seen: false };
        if key.is_some() && table.contains_key(&name) {
            let key = key.unwrap_or_default();
            return Ok(Err(format!("{} is not different in every row", token(key, 120))));
        }
        // Equal rows without an identity are told apart by how many there are.
        let mut again = 1;
        let mut full = name.clone();
        while table.contains_key(&full) {
            again += 1;
            full = format!("{name}.{again}");
            if again > 1_000 {
                return Ok(Err("many rows are equal".to_owned()));
            }
        }
        table.insert(full, known);
    }
    Ok(Ok(table))
}

/// A value with its keys in order, so that equal values are written alike. As deep as a row: the reader has a bound.
fn in_order(value: &Val) -> Val {
    match value {
        Val::Arr(items) => items.iter().map(in_order).collect(),
        Val::Obj(members) => {
            let mut sorted: Vec<(Val, Val)> =
                members.iter().map(|(key, value)| (key.clone(), in_order(value))).collect();
            sort_by(&mut sorted, |(a, _), (b, _)| a.cmp(b));
            Val::obj(sorted.into_iter().collect())
        }
        // `72.0` is the number that `72` is.
        Val::Num(number) => match value.as_f64().filter(|float| float.fract() == 0.0) {
            Some(float) if float.abs() < 9e15 => Val::Num(Num::from_integral(float as i64)),
            _ => Val::Num(number.clone()),
        },
        scalar => scalar.clone(),
    }
}

fn row(rows: &mut Rows<'_>, known: &Known) -> Result<Val, FetchError> {
    rows.seek(known.start);
    Ok(rows.next()?.and_then(|row| row.value.ok()).unwrap_or_default())
}

/// A value in at most so many characters.
fn shown(value: &Val) -> String {
    let mut text = String::new();
    if !value::write(value, VALUE_CHARS, &mut text) {
        text.push('…');
    }
    text
}

/// What differs between two rows, member by member.
fn changes(old: &Val, new: &Val) -> String {
    let (Val::Obj(a), Val::Obj(b)) = (old, new) else {
        return format!("{} -> {}", shown(old), shown(new));
    };
    let mut out: Vec<String> = Vec::new();
    for (key, value) in b.iter() {
        match a.get(key) {
            Some(before) if before == value => {}
            Some(before) => out.push(format!(
                "{} {} -> {}",
                value::clipped(key, 80),
                shown(before),
                shown(value)
            )),
            None => out.push(format!("+{} {}", value::clipped(key, 80), shown(value))),
        }
    }
    for (key, value) in a.iter().filter(|(key, _)| !b.contains_key(*key)) {
        out.push(format!("-{} {}", value::clipped(key, 80), shown(value)));
    }
    out.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    fn request() -> DiffRequest {
        DiffRequest {
            id: Ids::parse_lenient("5f1e0c9a77d2").unwrap(),
            other: None,
            key: None,
            lines: false,
            only: None,
            cursor: None,
        }
    }

    fn ask(old: &str, new: &str, kind: Kind, request: &DiffRequest) -> DiffAnswer {
        let (old, new) = (old.as_bytes(), new.as_bytes());
        diff(Side { source: &old, kind }, Side { source: &new, kind }, request, 5_000).unwrap()
    }

    #[test]
    fn lines_that_changed_are_shown_with_their_numbers() {
        let old = "a\nb\nc\nd\ne\n";
        let new = "a\nB\nc\nd\ne\nf";
        let answer = ask(old, new, Kind::Text, &request());
        assert_eq!(
            answer.content,
            "@@ line 2 of the older, line 2 of the newer @@\n-b\n+B\n\
             @@ line 6 of the older, line 6 of the newer @@\n+f\n"
        );
        assert_eq!((answer.added, answer.removed, answer.same), (2, 1, 4));
        let same = ask(old, old, Kind::Text, &request());
        assert_eq!((same.added, same.removed, same.same, same.content.as_str()), (0, 0, 5, ""));
    }

    #[test]
    fn what_stands_beside_the_rows_is_compared_too() {
        let items: Vec<_> = (0..90).map(|n| json!({"id": n, "v": n * 2})).collect();
        let old = json!({"a": "healthy", "errors": [], "items": items, "more": {"rows": [1, 2], "x": 72}});
        let mut new = old.clone();
        new["a"] = "DEGRADED".into();
        new["errors"] = json!(["disk full"]);
        new["more"] = json!({"rows": [1, 3], "x": 72.0, "new name": 1});
        new["items"][3]["v"] = 7.into();
        let answer = ask(&old.to_string(), &new.to_string(), Kind::Json, &request());
        assert_eq!((answer.changed, answer.same, &*answer.unit), (1, 89, "rows by \"id\""));
        assert_eq!(answer.notes, ["beside the rows 4 changes, told behind them"]);
        assert_eq!(
            answer.content,
            "~ 3: v 6 -> 7\n~ .a: \"healthy\" -> \"DEGRADED\"\n+ .errors[0]: \"disk full\"\n\
             + .more.[\"new name\"]: 1\n~ .more.rows[1]: 2 -> 3\n"
        );
        let same = ask(&old.to_string(), &old.to_string(), Kind::Json, &request());
        assert_eq!((same.changed, same.same, same.notes.len()), (0, 90, 0));
        // What is no list is compared by its members.
        let answer = ask(
            r#"{"b":{"c":1,"d":2},"e":5}"#,
            r#"{"b":{"c":1.0,"d":3},"f":0}"#,
            Kind::Json,
            &request(),
        );
        assert_eq!(answer.unit, "values of the document");
        assert_eq!(answer.content, "~ .b.d: 2 -> 3\n+ .f: 0\n- .e: 5\n");
        assert_eq!((answer.added, answer.removed, answer.changed, answer.same), (1, 1, 1, 1));
        let floats: String = (0..9).map(|n| format!("{{\"id\":{n},\"x\":{n}.0}}\n")).collect();
        let answer = ask(&floats.replace(".0", ""), &floats, Kind::Ndjson, &request());
        assert_eq!((answer.changed, answer.same), (0, 9));
    }

    #[test]
    fn rows_are_known_by_their_identity() {
        let row = |n: u32, state: &str| json!({"id": n, "state": state, "n": 1});
        let old = json!({"items": [row(1, "open"), row(2, "open"), row(3, "open")]}).to_string();
        let new = json!({"items": [row(4, "new"), row(3, "open"), row(1, "paid")]}).to_string();
        let answer = ask(&old, &new, Kind::Json, &request());
        assert_eq!(answer.unit, "rows by \"id\"");
        assert_eq!(
            (answer.added, answer.removed, answer.changed, answer.same),
            (1, 1, 1, 1),
            "{}",
            answer.content
        );
        assert_eq!(
            answer.content,
            "~ 1: state \"open\" -> \"paid\"\n- {\"id\":2,\"n\":1,\"state\":\"open\"}\n\
             + {\"id\":4,\"n\":1,\"state\":\"new\"}\n"
        );
        // A code that one side alone has makes the other's texts too.
        let zips = DiffRequest { key: Some("zip".to_owned()), ..request() };
        let answer =
            ask("zip,n\n90210,1\n10001,2\n", "zip,n\n90210,1\n02134,5\n", Kind::Csv, &zips);
        assert_eq!(
            answer.content,
            "- {\"zip\":\"10001\",\"n\":2}\n+ {\"zip\":\"02134\",\"n\":5}\n"
        );
        let csv = "sku,price\na,1\nb,2\n";
        let by = DiffRequest { key: Some("sku".to_owned()), ..request() };
        let answer = ask(csv, "sku,price\na,1\nb,3\n", Kind::Csv, &by);
        assert_eq!(answer.content, "~ \"b\": price 2 -> 3\n");
        let plain = ask("[1,2,2]", "[2,1]", Kind::Json, &request());
        assert_eq!((plain.removed, plain.added, plain.same), (1, 0, 2));
    }

    #[test]
    fn only_what_is_asked_for_is_shown_and_all_is_counted() {
        let row = |n: u32, state: &str| json!({"id": n, "state": state});
        let old = json!([row(1, "open"), row(2, "open"), row(3, "open")]).to_string();
        let new = json!([row(4, "new"), row(3, "open"), row(1, "paid")]).to_string();
        for (only, content) in [
            (Only::Changed, "~ 1: state \"open\" -> \"paid\"\n"),
            (Only::Removed, "- {\"id\":2,\"state\":\"open\"}\n"),
            (Only::Added, "+ {\"id\":4,\"state\":\"new\"}\n"),
        ] {
            let asked = DiffRequest { only: Some(only), ..request() };
            let answer = ask(&old, &new, Kind::Json, &asked);
            assert_eq!(answer.content, content);
            assert_eq!((answer.added, answer.removed, answer.changed), (1, 1, 1));
        }
        let lines = |only| DiffRequest { only: Some(only), ..request() };
        let (old, new) = ("a\nb\nc\nd\n", "a\nB\nc\nd\ne\n");
        let added = ask(old, new, Kind::Text, &lines(Only::Added));
        assert!(added.content.contains("+B") && added.content.contains("+e"));
        assert!(!added.content.contains("-b"), "{}", added.content);
        let removed = ask(old, new, Kind::Text, &lines(Only::Removed));
        assert!(removed.content.contains("-b") && !removed.content.contains('+'));
        let changed = ask(old, new, Kind::Text, &lines(Only::Changed));
        assert!(changed.content.is_empty() && changed.notes[0].contains("none is changed"));
    }

    #[test]
    fn pages_put_together_are_all_changes() {
        let old: String = (0..500).map(|n| format!("old {n}\nsame {n}\n")).collect();
        let new: String = (0..500).map(|n| format!("new {n}\nsame {n}\n")).collect();
        let whole = {
            let (old, new) = (old.as_bytes(), new.as_bytes());
            let side = |source| Side { source, kind: Kind::Text };
            diff(side(&old), side(&new), &request(), 1_000_000).unwrap()
        };
        assert_eq!((whole.added, whole.removed, whole.same), (500, 500, 500));
        let mut pages = String::new();
        let mut request = request();
        loop {
            let answer = ask(&old, &new, Kind::Text, &request);
            assert!(answer.content.chars().count() <= 5_000);
            pages.push_str(&answer.content);
            match answer.next {
                Some(next) => request.cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(pages, whole.content);
    }

    #[test]
    fn nothing_takes_long() {
        // Two long results with nothing in common but what repeats.
        let old: String = (0..60_000).map(|n| format!("{}\n", n % 7)).collect();
        let new: String = (0..60_000).map(|n| format!("{}\n", n % 5)).collect();
        let answer = ask(&old, &new, Kind::Text, &request());
        assert!(answer.notes.iter().any(|note| note.contains("as a whole")));
        assert_eq!(answer.added + answer.same, 60_000);
        assert_eq!(answer.removed + answer.same, 60_000);
    }

    proptest! {
        #[test]
        fn the_changes_make_the_newer_of_the_older(
            old in proptest::collection::vec("[ab]{0,2}", 0..30),
            new in proptest::collection::vec("[ab]{0,2}", 0..30),
        ) {
            let number = |lines: &[String]| -> Vec<u32> {
                lines.iter().map(|l| l.bytes().fold(7, |n, b| n * 31 + u32::from(b))).collect()
            };
            let (a, b) = (number(&old), number(&new));
            let (stretches, _) = stretches(&a, &b);
            let mut made = Vec::new();
            let (mut x, mut y) = (0, 0);
            for stretch in &stretches {
                prop_assert_eq!((stretch.old.0, stretch.new.0), (x, y));
                (x, y) = (stretch.old.1, stretch.new.1);
                let part = match stretch.equal {
                    true => &a[stretch.old.0..stretch.old.1],
                    false => &b[stretch.new.0..stretch.new.1],
                };
                made.extend_from_slice(part);
            }
            prop_assert_eq!((x, y), (a.len(), b.len()));
            prop_assert_eq!(made, b);
        }
    }
}
