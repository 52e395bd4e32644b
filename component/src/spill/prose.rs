//! Finds the data that words stand around.
//!
//! Tools say something before or behind what they give: a sentence, a log line, headers, a fence of
//! Markdown, a note on what was left out. The part that is data is what is shown, and the words are
//! told beside it. Where there are many words nothing is taken, so that nothing is out of sight.
//! Several JSON documents in a row, and rows as Python prints them, are read as JSON lines.

mod lines;
mod python;
#[cfg(test)]
mod tests;

use super::envelope::may_stand_beside;
use super::excerpt::elided_by;
use crate::content::json::{Cursor, Verdict, check};
use crate::content::kind::Kind;
use crate::content::numbers::counted;
use crate::content::scan::Chunks;
use crate::content::show::one_line;
use crate::limits::CLASSIFY_BYTES;
use crate::source::{ReadError, Source, count_newlines};

/// Bytes that a content must have at least: all of a shorter one is seen anyway.
const MIN_BYTES: u64 = 512;

/// Bytes in which words before and behind the part are looked for.
const WORDS_BYTES: usize = 16 * 1024;

/// The most bytes that are held to be written anew.
const HELD_BYTES: u64 = 16 * 1024 * 1024;

/// Places that are tried, and bytes that are read at all of them together: two are always tried.
const PLACES: usize = 64;
const READ_BYTES: u64 = 1024 * 1024;

/// Characters of the words on each side that are told.
const TOLD_CHARS: usize = 240;

/// Bytes that a value must have at least when words follow it: `[7]` is a note.
const BRACKETS_BYTES: usize = 16;

/// Bytes of words between one document and the next.
const BETWEEN_BYTES: usize = 200;

/// The data in a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Part {
    /// Its bytes.
    pub(super) range: (u64, u64),
    /// The same as JSON lines, where it is none as it came.
    pub(super) rows: Option<Vec<u8>>,
    /// How it is read and where it stood, in words: ` below 1 line of words`.
    pub(super) place: String,
    /// The words around it, on one line; empty when there are none.
    pub(super) words: String,
    /// What they say of parts that the tool left out.
    pub(super) said: Option<String>,
}

/// A range that may be the part.
#[derive(Default)]
struct Found {
    range: (u64, u64),
    rows: Option<Vec<u8>>,
    read: &'static str,
    between: Vec<u8>,
}

/// Finds the data in a text of that kind, where it is nearly all of it.
///
/// # Errors
/// As [`Source::read_at`].
pub(super) fn find(source: &dyn Source, kind: Kind) -> Result<Option<Part>, ReadError> {
    let len = source.len();
    let is_all = len <= CLASSIFY_BYTES as u64;
    if len < MIN_BYTES || kind == Kind::Binary || (kind == Kind::Json && is_all) {
        return Ok(None);
    }
    let tail = source.read_range(len.saturating_sub(WORDS_BYTES as u64), len)?;
    // A document that is larger than what was looked at: only its end can tell that it is not all.
    if kind == Kind::Json && !goes_on(source, &tail)? {
        return Ok(None);
    }
    let head = source.read_range(0, CLASSIFY_BYTES as u64)?;
    let text = Text { source, head: &head, tail: &tail, len, kind };
    for reader in 0..3 {
        let found = match reader {
            0 => text.fence()?,
            1 => text.values()?,
            _ => lines::find(&text)?,
        };
        if let Some(part) = found.map(|found| text.part(found)).transpose()?.flatten() {
            return Ok(Some(part));
        }
    }
    Ok(None)
}

/// Whether a text that begins as JSON has something behind its value. A string has no line feed:
/// what begins a line with a bracket is another value, unless all are indented as much.
fn goes_on(source: &dyn Source, tail: &[u8]) -> Result<bool, ReadError> {
    let end = tail.trim_ascii_end();
    let last = memchr::memrchr2(b'}', b']', end).map_or(end, |at| &end[at + 1..]);
    // Words on the line of the last bracket.
    if last.starts_with(b" ") && last.len() < 400 && !last.contains(&b'"') {
        return Ok(true);
    }
    let follows = |at: usize| {
        let rest = &tail[at + 1..];
        let next = rest.iter().position(|byte| !byte.is_ascii_whitespace());
        next.is_some_and(|next| match rest[next] {
            b'{' | b'[' => true,
            byte => rest[..next].contains(&b'\n') && !b",]}:".contains(&byte),
        })
    };
    if memchr::memchr2_iter(b'}', b']', tail).any(follows) {
        return Ok(true);
    }
    let mut chunks = Chunks::new(source, 0, source.len().min(HELD_BYTES));
    while let Some((_, bytes)) = chunks.next_chunk()? {
        if [&b"]\n["[..], b"}\n{"].iter().any(|two| memchr::memmem::find(bytes, two).is_some()) {
            return Ok(true);
        }
    }
    Ok(false)
}

struct Text<'a> {
    source: &'a dyn Source,
    head: &'a [u8],
    tail: &'a [u8],
    len: u64,
    kind: Kind,
}

impl Text<'_> {
    /// The part with the words around it, when these are few.
    fn part(&self, found: Found) -> Result<Option<Part>, ReadError> {
        let (start, end) = found.range;
        let around = self.len.saturating_sub(end.saturating_sub(start));
        if (found.rows.is_none() && around == 0)
            || around + found.between.len() as u64 > may_stand_beside(self.len)
            || around * 3 > self.len
        {
            return Ok(None);
        }
        let before = self.source.read_range(0, start)?;
        let behind = self.source.read_range(end, self.len)?;
        let sides = [("before it", &before), ("between", &found.between), ("behind it", &behind)];
        let said = sides.iter().find_map(|(_, bytes)| elided_by(&String::from_utf8_lossy(bytes)));
        let words = sides
            .map(|(name, bytes)| (name, one_line(&String::from_utf8_lossy(bytes), TOLD_CHARS)));
        let words = words.iter().filter(|(_, text)| !text.is_empty());
        let words: Vec<String> = words.map(|(name, text)| format!("{name}: {text}")).collect();
        if words.is_empty() && found.rows.is_none() {
            return Ok(None);
        }
        let [above, below] = [&before, &behind].map(|bytes| {
            let text = bytes.trim_ascii();
            (!text.is_empty()).then(|| counted(count_newlines(text) + 1, "line"))
        });
        let between = match (above, below) {
            (None, None) => String::new(),
            (Some(n), None) => format!(" below {n} of words"),
            (None, Some(n)) => format!(" above {n} of words"),
            (Some(n), Some(m)) => format!(" between {n} of words before and {m} behind"),
        };
        let (place, words) = (format!("{}{between}", found.read), words.join("; "));
        Ok(Some(Part { range: found.range, rows: found.rows, place, words, said }))
    }

    /// The inside of one fence of Markdown, or of one pair of tags, that is nearly all.
    fn fence(&self) -> Result<Option<Found>, ReadError> {
        let (mut at, mut above) = (0, &b""[..]);
        for line in self.head[..self.head.len().min(WORDS_BYTES)].split_inclusive(|b| *b == b'\n') {
            at += line.len();
            let text = line.trim_ascii();
            let is_first = at == line.len();
            let is_below_text = !std::mem::replace(&mut above, text).is_empty();
            let close = match text {
                // Compilers underline what they quote with such a line.
                [b'~', b'~', b'~', ..] if is_below_text || line.starts_with(b"    ") => continue,
                [b'`', b'`', b'`', ..] | [b'~', b'~', b'~', ..] => {
                    let marks = text.iter().take_while(|mark| **mark == text[0]).count();
                    text[..marks].to_vec()
                }
                [b'<', name @ .., b'>']
                    if is_first
                        && name.first().is_some_and(u8::is_ascii_alphabetic)
                        && name.iter().all(|b| b.is_ascii_alphanumeric() || b"_-".contains(b))
                        && !self.head[at..].trim_ascii_start().starts_with(b"<") =>
                {
                    [b"</", name, b">"].concat()
                }
                _ => continue,
            };
            let mut end = self.len;
            for line in self.tail.split_inclusive(|byte| *byte == b'\n').rev() {
                end -= line.len() as u64;
                if line.trim_ascii() == close {
                    // More of them make it a page.
                    let inside = self.source.read_range(at as u64, end.min(HELD_BYTES))?;
                    let opens = [b"\n", &close[..close.len().min(3)]].concat();
                    let is_one = memchr::memmem::find(&inside, &opens).is_none();
                    let is_most = end > at as u64 && (end - at as u64) * 10 >= self.len * 8;
                    let range = (at as u64, end);
                    return Ok((is_one && is_most).then(|| Found { range, ..Found::default() }));
                }
            }
            return Ok(None);
        }
        Ok(None)
    }

    /// Where a value may begin: at the start of a line, or behind what introduces it.
    fn places(&self) -> Vec<usize> {
        let mut places = Vec::new();
        let most = WORDS_BYTES.min(may_stand_beside(self.len) as usize + 1).min(self.head.len());
        let mut start = 0;
        for line in self.head.split_inclusive(|byte| *byte == b'\n') {
            if start > most || places.len() >= PLACES {
                break;
            }
            for (at, byte) in line.iter().enumerate().take(400) {
                if !matches!(byte, b'{' | b'[' | b'(') {
                    continue;
                }
                let before = line[..at].trim_ascii();
                let is_name = |name: &[u8]| {
                    start == 0
                        && name.iter().all(|b| b.is_ascii_alphanumeric() || b"._".contains(b))
                };
                let introduces = *byte != b'('
                    && match before {
                        [name @ .., b'('] => is_name(name),
                        [.., b':' | b'>'] => {
                            !matches!(self.kind, Kind::Code | Kind::Yaml)
                                && !before.iter().any(|b| b"{[=".contains(b))
                        }
                        _ => false,
                    };
                if before.is_empty() || introduces {
                    places.push(start + at);
                }
            }
            start += line.len();
        }
        places
    }

    /// JSON values, or those of Python, that words stand around.
    fn values(&self) -> Result<Option<Found>, ReadError> {
        // Lines of JSON are told apart by their ends.
        if matches!(self.kind, Kind::Html | Kind::Sql | Kind::Diff | Kind::Ndjson) {
            return Ok(None);
        }
        let mut held = Vec::new();
        // Each place that only looks like data is read to its end.
        let mut left = (READ_BYTES / self.len.max(1)).clamp(2, PLACES as u64);
        for start in self.places() {
            let is_json = !matches!(check(&self.head[start..]), Verdict::Wrong(_));
            if !is_json && !python::begins(&self.head[start..]) {
                continue;
            }
            if self.len > HELD_BYTES {
                return if is_json { self.document(start as u64) } else { Ok(None) };
            }
            if left == 0 {
                break;
            }
            left -= 1;
            if held.is_empty() {
                held = self.source.read_range(0, self.len)?;
            }
            if let Some(found) = Series::read(&held, start).found(&held, self.kind) {
                return Ok(Some(found));
            }
        }
        Ok(None)
    }

    /// One document, or lines of JSON, of any size.
    fn document(&self, start: u64) -> Result<Option<Found>, ReadError> {
        let mut cursor = Cursor::new(self.source, start);
        let Some(first) = cursor.peek_token()? else { return Ok(None) };
        if !cursor.skip_value(first)? {
            return Ok(None);
        }
        let range = (start, cursor.position());
        Ok(Some(Found { range, ..Found::default() }))
    }
}

/// Values one after the other.
#[derive(Default)]
struct Series {
    /// Where each begins and ends.
    values: Vec<(usize, usize)>,
    /// All of them as JSON lines.
    rows: Vec<u8>,
    python: bool,
    between: Vec<u8>,
}

impl Series {
    fn read(bytes: &[u8], start: usize) -> Series {
        let mut series = Series::default();
        let mut at = start;
        while let Some(next) = series.next(bytes, at) {
            let end = match check(&bytes[next..]) {
                Verdict::Whole(end) => {
                    compact(&bytes[next..next + end], &mut series.rows);
                    next + end
                }
                // Cut, with words before it.
                Verdict::Cut if series.values.is_empty() && bytes.len() - next > 1_024 => {
                    bytes.len()
                }
                _ => match python::rows(bytes, next, &mut series.rows) {
                    Some(end) => {
                        series.python = true;
                        end
                    }
                    None => break,
                },
            };
            if !series.values.is_empty() {
                series.between.extend_from_slice(bytes[at..next].trim_ascii());
            }
            series.values.push((next, end));
            at = end;
            // Neither becomes rows, whatever follows.
            let is_most = series.between.len() * 2 > end - series.values[0].0;
            if series.is_note() || (series.values.len() > 64 && is_most) {
                break;
            }
        }
        series
    }

    /// Where the next value begins: at once, or below few words.
    fn next(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let blank = bytes[at..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let opens = |at: &usize| matches!(bytes.get(*at), Some(b'{' | b'[' | b'('));
        let (first, end) = (at + blank, bytes.len().min(at + blank + BETWEEN_BYTES));
        let is_note = |at: usize| {
            matches!(check(&bytes[at..]), Verdict::Wrong(_)) && !python::begins(&bytes[at..])
        };
        if opens(&first) && !is_note(first) {
            return Some(first);
        }
        let lines = memchr::memchr_iter(b'\n', &bytes[first..end]).map(|line| first + line + 1);
        { lines }.find(|line| opens(line) && !is_note(*line))
    }

    /// Whether the first value is but a note before others: `[7] took 3 s: {…}`.
    fn is_note(&self) -> bool {
        self.values.len() > 1 && self.values[0].1 - self.values[0].0 < BRACKETS_BYTES
    }

    fn found(self, bytes: &[u8], kind: Kind) -> Option<Found> {
        let (&(start, _), &(_, end)) = (self.values.first()?, self.values.last()?);
        let range = (start as u64, end as u64);
        if self.values.len() == 1 && !self.python {
            return Some(Found { range, ..Found::default() });
        }
        // A log says more between its values, and a note may hold a number in brackets.
        let is_own = start == 0 || bytes[start - 1] == b'\n';
        let is_note = self.is_note();
        let is_apart = self.between.is_empty()
            || kind != Kind::Log && is_own && self.between.len() * 10 <= end - start;
        if is_note || !is_apart {
            return None;
        }
        let is_line = |&(start, end): &(usize, usize)| {
            memchr::memchr(b'\n', &bytes[start..end]).is_none()
                && (start == 0 || bytes[..start].ends_with(b"\n") || start == self.values[0].0)
        };
        let read = if self.python {
            " of what Python printed"
        } else if self.between.is_empty() && self.values.iter().all(is_line) {
            return Some(Found { range, ..Found::default() });
        } else {
            " of documents in a row"
        };
        Some(Found { range, rows: Some(self.rows), read, between: self.between })
    }
}

/// Appends a JSON value as a line.
fn compact(value: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(byte) = value.get(at) {
        let end = match byte {
            b'"' => crate::content::json::string_end(value, at + 1).unwrap_or(value.len()),
            _ => at + 1,
        };
        if !byte.is_ascii_whitespace() {
            out.extend_from_slice(&value[at..end]);
        }
        at = end;
    }
    out.push(b'\n');
}
