//! Several results read as one: their rows as lines of JSON, or their texts one after the other.

use jaq_json::Val;

use super::query::read::read;
use super::query::rows::Rows;
use super::query::value;
use super::view::View;
use super::{FetchError, Opened, Reader, kind_of};
use crate::content::kind::Kind;
use crate::content::numbers::{counted, thousands};
use crate::content::scan::Chunks;
use crate::digest::Digest;
use crate::fence::token;
use crate::handle::{BlobId, Ids, Named};
use crate::series;
use crate::sort::{sort, sort_by_key};
use crate::source::{Indexed, Mark, ReadError, Source};
use crate::store::{Entry, PageOf};

/// Bytes of all results that are read as one: they are in memory.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// Names of members that tell a row from the others. Names, numbers and paths may be those of several.
const KEYS: &str = "id _id uuid guid sha node_id arn";

/// Rows that come again which are named.
const NAMED: usize = 3;

/// Several results as one.
#[derive(Debug, Clone)]
pub(super) struct Joined {
    /// The ids.
    pub(super) of: Ids,
    text: Vec<u8>,
    kind: Kind,
    /// Where the rows of each result end, and its id.
    ends: Vec<(u64, BlobId)>,
    /// The bytes of what each of the ids stands for that were given.
    named: Vec<(usize, usize)>,
    /// What it is, in words.
    pub(super) words: String,
    entries: Vec<Entry>,
}

impl Reader<'_> {
    /// What several ids stand for, as one. `path` says where the rows of each are.
    pub(super) fn joined(
        &self,
        ids: &Ids,
        view: View,
        path: Option<&str>,
    ) -> Result<Joined, FetchError> {
        let mut groups = Vec::new();
        for named in ids.each() {
            groups.push(match named.pages {
                0 => vec![self.open_one(&named.id, view)?.entry],
                _ => self.pages(named, view)?,
            });
        }
        let is_rows = |entry: &Entry| Rows::are_in(kind_of(entry, view));
        // Beside rows, JSON of which a text is shown is the rows that it is.
        let any = groups.iter().flatten().any(is_rows);
        let is_json = |entry: &Entry| any && entry.record.is_in_json();
        let can_be = |entry: &Entry| is_rows(entry) || is_json(entry);
        // A page may be a sentence, such as that there is nothing more.
        let rows = any
            && groups.iter().zip(ids.each()).all(|(group, named)| match named.pages {
                0 => group.iter().all(can_be),
                _ => group.iter().any(can_be),
            });
        let mut made = Joined {
            of: ids.clone(),
            text: Vec::new(),
            kind: if rows { Kind::Ndjson } else { Kind::Text },
            ends: Vec::new(),
            named: Vec::new(),
            words: String::new(),
            entries: Vec::new(),
        };
        let mut words = Vec::new();
        for (named, group) in ids.each().iter().zip(groups) {
            let start = made.text.len();
            let mut like = Like { path: path.map(str::to_owned), ..Like::default() };
            let mut counts = Vec::new();
            for entry in &group {
                let is_text = rows && !is_rows(entry) && is_json(entry);
                let view = if is_text { View::Raw } else { view };
                let opened = self.open_one(&entry.id, view)?;
                counts.push(match rows {
                    true if !can_be(entry) => None,
                    true => made.add_rows(&opened, view, &mut like)?,
                    false => Some(made.add_text(&opened)?),
                });
                made.ends.push((made.text.len() as u64, entry.id));
            }
            made.named.push((start, made.text.len()));
            if named.pages > 0 {
                like.count(&made.text);
            }
            let unit = if rows { "row" } else { "line" };
            words.push(match named.pages {
                0 => format!("{} of {}", counted(counts.iter().flatten().sum(), unit), named.id),
                _ => of_pages(&group, rows, &counts, &like),
            });
            made.entries.extend(group);
        }
        made.words = words.join("; then ");
        Ok(made)
    }

    /// All pages of the list that a result is of. The first may be gone.
    pub(super) fn pages(&self, named: &Named, view: View) -> Result<Vec<Entry>, FetchError> {
        let mut stored = Vec::new();
        self.each_entry(|entry| stored.push(entry))?;
        let opened = self.open_one(&named.id, view);
        let id = opened.as_ref().map_or(named.id, |opened| opened.entry.id);
        let pages = series::pages(&format!("{id}{}", "+".repeat(named.pages)), &stored);
        if !pages.is_empty() {
            return Ok(pages);
        }
        // Or that of a page behind it.
        let entry = opened?.entry;
        let pages = entry.record.page.as_ref().map(|page| series::pages(&page.list, &stored));
        Ok(pages.filter(|pages| !pages.is_empty()).unwrap_or_else(|| vec![entry]))
    }
}

/// The pages of one list in words: how many rows, what comes again, what is missing, and whether there are more.
fn of_pages(group: &[Entry], rows: bool, counts: &[Option<u64>], again: &Like) -> String {
    let sum: u64 = counts.iter().flatten().sum();
    let unit = if rows { "row" } else { "line" };
    let mut words =
        format!("{} as one: {}", counted(group.len() as u64, "page"), counted(sum, unit));
    let of: Vec<&PageOf> = group.iter().filter_map(|entry| entry.record.page.as_ref()).collect();
    let mut different = sum;
    if rows && again.rows > 0 {
        different -= again.rows;
        let named: Vec<String> = again.first.iter().map(|row| token(row, 40)).collect();
        words.push_str(&format!(
            ", {} of which come again{} ({}{})",
            thousands(again.rows),
            again.key.as_ref().map_or_else(String::new, |key| format!(", by {}", token(key, 40))),
            named.join(", "),
            if again.rows > named.len() as u64 { ", …" } else { "" }
        ));
    }
    let most = of.iter().map(|page| page.number).max().unwrap_or_default();
    if let Some(gone) = most.checked_sub(group.len() as u64).filter(|gone| *gone > 0) {
        words.push_str(&format!("; {} gone", counted(gone, "page")));
    }
    let without = counts.iter().filter(|rows| rows.is_none()).count() as u64;
    if without > 0 {
        words.push_str(&format!("; {} without such rows left out", counted(without, "page")));
    }
    if let Some(missing) = series::missing(&of, counts).filter(|_| rows) {
        words.push_str(&format!("; {missing}"));
    }
    let total = of.iter().rev().find_map(|page| page.total.clone()).filter(|_| rows);
    let said = |entry: &Entry| entry.record.part.clone();
    // Where one behind the first says no more, it is the end, in whatever order they came.
    let has_end = group.iter().skip(1).any(|entry| said(entry).is_none());
    let last = group.last().and_then(said).filter(|_| !has_end);
    let before = group.iter().rev().skip(1).any(|entry| said(entry).is_some());
    match (&total, &last) {
        (Some((name, total)), _) if *total > different => words.push_str(&format!(
            "; not all: {} missing by the server's {}",
            thousands(total - different),
            token(name, 40)
        )),
        (Some((name, total)), _) if *total == different => {
            words.push_str(&format!("; all of them by the server's {}", token(name, 40)));
        }
        (Some((name, total)), _) => words.push_str(&format!(
            "; the server's {} says {}, which is fewer than there are",
            token(name, 40),
            thousands(*total)
        )),
        (None, Some(part)) => {
            let all = if series::is_last(part) { "" } else { "not all: " };
            words.push_str(&format!("; {all}the last says {}", token(part, 100)));
        }
        (None, None) if before => {
            words.push_str("; the last does not say that there are more, and one before does");
        }
        (None, None) => {
            words.push_str("; no page says that there are more, and none how many there are");
        }
    }
    if let ([Some(most), .., Some(few)], None) = (counts, &total)
        && few < most
        && rows
    {
        words.push_str(&format!(
            "; the last has {} rows, the first {}",
            thousands(*few),
            thousands(*most)
        ));
    }
    words
}

/// What the rows of a list are like, and which of them came before, on another page.
#[derive(Debug, Default)]
struct Like {
    /// Where they are in their documents; none where that is not known yet.
    path: Option<String>,
    /// Whether they are items of an array, and not whole documents.
    are_items: bool,
    /// The member that tells a row from others; none where it is all of the row.
    key: Option<String>,
    /// What tells each row, the page that it is of, and where it starts.
    seen: Vec<(Digest, usize, usize)>,
    rows: u64,
    first: Vec<String>,
}

impl Like {
    fn take(&mut self, value: &Val, text: &[u8], page: usize, start: usize) {
        if self.seen.is_empty() {
            self.key = KEYS
                .split(' ')
                .find(|key| !matches!(member(value, key), Val::Null | Val::Arr(_) | Val::Obj(_)))
                .map(str::to_owned);
        }
        let told = self.told(value);
        let told = if told.is_empty() { text } else { told.as_bytes() };
        self.seen.push((Digest::of(told), page, start));
    }

    /// What tells a row from others, where that is a member.
    fn told(&self, value: &Val) -> String {
        let mut told = String::new();
        if let Some(key) = &self.key {
            value::write(&member(value, key), 4_096, &mut told);
        }
        told
    }

    /// Counts the rows that came before. Twice on one page is how the list is.
    fn count(&mut self, text: &[u8]) {
        let row =
            |start: usize| text[start..].split(|byte| *byte == b'\n').next().unwrap_or_default();
        sort_by_key(&mut self.seen, |(told, _, start)| (*told, *start));
        // What two rows of one page have tells none of them apart.
        if self.key.is_some()
            && self.seen.windows(2).any(|two| two[0].0 == two[1].0 && two[0].1 == two[1].1)
        {
            self.key = None;
            self.seen.iter_mut().for_each(|seen| seen.0 = Digest::of(row(seen.2)));
            return self.count(text);
        }
        let mut before = None;
        let mut named = Vec::new();
        for (told, page, start) in &self.seen {
            match before {
                Some((same, first)) if same == told && first != page => {
                    self.rows += 1;
                    named.push(*start);
                }
                Some((same, _)) if same == told => {}
                _ => before = Some((told, page)),
            }
        }
        sort(&mut named);
        for start in named.into_iter().take(NAMED) {
            let row = row(start);
            let told = read(row).map(|value| self.told(&value)).unwrap_or_default();
            self.first.push(if told.is_empty() {
                String::from_utf8_lossy(row).into_owned()
            } else {
                told
            });
        }
    }
}

fn member(value: &Val, key: &str) -> Val {
    match value {
        Val::Obj(members) => members.get(&Val::from(key.to_owned())).cloned().unwrap_or_default(),
        _ => Val::Null,
    }
}

impl Joined {
    /// Adds the rows of a result. None where it has none such as those before it.
    fn add_rows(
        &mut self,
        opened: &Opened<'_>,
        view: View,
        like: &mut Like,
    ) -> Result<Option<u64>, FetchError> {
        let (source, kind) = (opened.source(), kind_of(&opened.entry, view));
        let path = like.path.as_deref().filter(|_| kind == Kind::Json);
        let mut rows = match Rows::open(source, kind, path, false, None) {
            // It has no such place.
            Err(FetchError::Invalid { argument: "path", .. }) if like.are_items => return Ok(None),
            rows => rows?,
        };
        let is_one = rows.is_one() && kind == Kind::Json;
        if like.are_items && is_one {
            return Ok(None);
        }
        if !is_one {
            like.are_items = true;
            // An empty array is found by its name alone.
            if !rows.pointer.is_empty() {
                like.path.get_or_insert_with(|| rows.pointer.clone());
            }
        }
        let mut count = 0;
        while let Some(row) = rows.next()? {
            let start = self.text.len();
            let value = match row.value {
                Ok(value) => value,
                Err(error) => {
                    let message = format!("a row of {} cannot be read: {error}", opened.entry.id);
                    return Err(FetchError::invalid("id", message));
                }
            };
            let mut text = String::new();
            value::write(&value, MAX_BYTES, &mut text);
            self.text.extend_from_slice(text.as_bytes());
            like.take(&value, &self.text[start..], self.ends.len(), start);
            self.text.push(b'\n');
            self.check()?;
            count += 1;
        }
        Ok(Some(count))
    }

    fn add_text(&mut self, opened: &Opened<'_>) -> Result<u64, FetchError> {
        let mut chunks = Chunks::new(opened.source(), 0, u64::MAX);
        while let Some((_, bytes)) = chunks.next_chunk()? {
            self.text.extend_from_slice(bytes);
            self.check()?;
        }
        if self.text.last().is_some_and(|last| *last != b'\n') {
            self.text.push(b'\n');
        }
        Ok(opened.source().lines()?)
    }

    fn check(&self) -> Result<(), FetchError> {
        if self.text.len() <= MAX_BYTES {
            return Ok(());
        }
        let most = MAX_BYTES / 1024 / 1024;
        let message = format!("together they have more than {most} MB: read fewer at once");
        Err(FetchError::invalid("id", message))
    }

    /// The same as an opened result: known as the first of them.
    pub(super) fn entry(&self) -> Option<Entry> {
        let mut entry = self.entries.first()?.clone();
        let totals = self.totals();
        (entry.bytes, entry.chars) = (totals.bytes, totals.chars);
        entry.lines = totals.newlines;
        let record = &mut entry.record;
        (record.kind, record.hides) = (self.kind, false);
        (record.text_view, record.envelope, record.part) = (None, None, None);
        Some(entry)
    }

    /// All results that it is made of.
    pub(super) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The id of the result that a byte is of.
    pub(super) fn id_at(&self, byte: u64) -> Option<BlobId> {
        let at = self.ends.partition_point(|(end, _)| *end <= byte);
        self.ends.get(at).map(|(_, id)| *id)
    }

    /// The rows of what the id at an index stands for, and where they start.
    pub(super) fn rows_of(&self, index: usize) -> (u64, &[u8]) {
        self.named
            .get(index)
            .map_or((0, &[]), |(start, end)| (*start as u64, &self.text[*start..*end]))
    }

    /// How many ids there are.
    pub(super) fn ids(&self) -> usize {
        self.named.len()
    }
}

impl Source for Joined {
    fn len(&self) -> u64 {
        self.text.len() as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize, ReadError> {
        self.text[..].read_at(offset, buf)
    }
}

impl Indexed for Joined {
    fn totals(&self) -> Mark {
        self.text[..].totals()
    }

    fn mark_at_byte(&self, position: u64) -> Mark {
        self.text[..].mark_at_byte(position)
    }

    fn mark_at_char(&self, position: u64) -> Mark {
        self.text[..].mark_at_char(position)
    }

    fn mark_before_newline(&self, newlines: u64) -> Mark {
        self.text[..].mark_before_newline(newlines)
    }
}

#[cfg(test)]
mod tests;
