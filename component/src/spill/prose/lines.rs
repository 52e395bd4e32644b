//! Data of lines that words stand around: tables, JSON lines, diffs, paths, documents of XML.

use super::{Found, Text};
use crate::content::classify::text_kind;
use crate::content::json::{Verdict, check};
use crate::content::kind::Kind;
use crate::content::table::delimiter;
use crate::source::ReadError;
use crate::spill::excerpt::are_paths;

/// Lines before and behind the data, places at which it may begin, and bytes looked at to tell.
const WORDS_LINES: usize = 60;
const PLACES: usize = 6;
const SAMPLE_BYTES: usize = 16 * 1024;

/// What the data is.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Data {
    /// Cells between signs, in so many columns.
    Table(u8, usize),
    Json,
    Paths,
    Diff,
    Sql,
    Yaml,
    /// One element of XML, or a page.
    Markup,
}

pub(super) fn find(text: &Text<'_>) -> Result<Option<Found>, ReadError> {
    // A log of which lines are the most has no other data.
    if matches!(text.kind, Kind::Json | Kind::Html | Kind::Log) {
        return Ok(None);
    }
    let mut found = Data::of(text, 0).map(|data| (0, data));
    let is_words = |data: Data, line: &[u8], is_apart: bool| {
        line.trim_ascii().is_empty() || data.is_foreign(line) || data.is_note(line, is_apart)
    };
    let mut tried = 0;
    let mut start = 0;
    for line in text.head.split_inclusive(|byte| *byte == b'\n').take(WORDS_LINES) {
        // A line that a row could be ends the search.
        if found.is_some_and(|(_, data)| !is_words(data, line, true)) {
            break;
        }
        start += line.len();
        let next = &text.head[start..];
        let is_diff = next.starts_with(b"diff --git ");
        let is_amid = line.starts_with(b"#") && next.starts_with(b"#");
        let may_begin = is_diff || (tried < PLACES && ends_words(line) && !is_amid);
        if !may_begin {
            continue;
        }
        tried += 1;
        let Some(data) = Data::of(text, start) else { continue };
        let before = &text.head[..start];
        let is_apart = before.ends_with(b"\n\n") || before.ends_with(b"\n\r\n");
        let before = before.split(|byte| *byte == b'\n');
        // What begins a diff is nothing else: a summary of it may stand above.
        if data == Data::Diff || { before }.all(|line| is_words(data, line, is_apart)) {
            found = Some((start, data));
            break;
        }
    }
    let Some((start, data)) = found else { return Ok(None) };
    let mut end = text.len;
    let mut at = text.len;
    let lines: Vec<&[u8]> = text.tail.split_inclusive(|byte| *byte == b'\n').collect();
    // In one by words lines begin with no sign.
    let is_by_words = data == Data::Diff
        && ["+}", "-]"].iter().any(|end| memchr::memmem::find(text.tail, end.as_bytes()).is_some());
    let most = if is_by_words { 0 } else { WORDS_LINES };
    for (index, line) in lines.iter().enumerate().rev().take(most) {
        let is_apart = index > 0 && lines[index - 1].trim_ascii().is_empty();
        at -= line.len() as u64;
        if line.trim_ascii().is_empty() {
            continue;
        }
        let is_words = data.is_foreign(line) || (is_apart && data.is_note(line, true));
        if !is_words {
            break;
        }
        end = at;
    }
    // Blank lines at the end are no words.
    Ok(Some(Found { range: (start as u64, end), ..Found::default() }))
}

fn starts_with_any(line: &[u8], starts: &str) -> bool {
    starts.split('|').any(|start| line.starts_with(start.as_bytes()))
}

/// Whether data may begin behind this line.
fn ends_words(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let words = line.split(|byte| *byte == b' ').count();
    line.is_empty()
        || matches!(line.last(), Some(b':' | b'.' | b'!' | b')' | b']' | b'-' | b'=' | b'%'))
        || line.ends_with("…".as_bytes())
        || line.starts_with(b"#")
        || words >= 2
}

/// The name of the element that markup begins with.
fn root(text: &[u8]) -> Option<&[u8]> {
    let mut rest = text.trim_ascii_start();
    while rest.starts_with(b"<?") || rest.starts_with(b"<!") {
        rest = rest[memchr::memchr(b'>', rest)? + 1..].trim_ascii_start();
    }
    let name = rest.strip_prefix(b"<")?;
    let end = name.iter().position(|b| !b.is_ascii_alphanumeric() && !b"_-:.".contains(b))?;
    (end > 0).then_some(&name[..end])
}

impl Data {
    /// What begins at `start`; nothing for what lines do not tell.
    fn of(text: &Text<'_>, start: usize) -> Option<Data> {
        let rest = &text.head[start..];
        let all = start + rest.len().min(SAMPLE_BYTES) == text.len as usize;
        let sample = match memchr::memrchr(b'\n', &rest[..rest.len().min(SAMPLE_BYTES)]) {
            Some(last) if !all => &rest[..=last],
            _ => &rest[..rest.len().min(SAMPLE_BYTES)],
        };
        match text_kind(sample, true) {
            Kind::Csv | Kind::Tsv => delimiter(sample.trim_ascii_start())
                .map(|(sign, columns)| Data::Table(sign, columns)),
            Kind::Ndjson => Some(Data::Json),
            Kind::Diff => Some(Data::Diff),
            Kind::Sql => Some(Data::Sql),
            Kind::Yaml => Some(Data::Yaml),
            kind @ (Kind::Xml | Kind::Html) => {
                let name = root(sample)?;
                let is_page = kind == Kind::Xml || name.eq_ignore_ascii_case(b"html");
                let close = [b"</", name].concat();
                let end = memchr::memmem::rfind(text.tail, &close)? + close.len();
                let is_last = memchr::memchr(b'<', &text.tail[end..]).is_none();
                (is_page && is_last).then_some(Data::Markup)
            }
            _ => are_paths(sample).then_some(Data::Paths),
        }
    }

    /// Whether no line of the data looks like this one.
    fn is_foreign(self, line: &[u8]) -> bool {
        let line = line.trim_ascii_end();
        let has_words = line.contains(&b' ') || matches!(line.first(), Some(b'#' | b'[' | b'('));
        match self {
            Data::Table(sign, columns) => {
                let cells = memchr::memchr_iter(sign, line).count() + 1;
                let is_short = cells == 1 || (cells < columns && line.ends_with(b":"));
                has_words && is_short && !line.contains(&b'"')
                    || (line.ends_with(b":") && cells != columns)
            }
            Data::Json => {
                !matches!(check(line), Verdict::Whole(end) if end == line.len()) && {
                    let text = line.trim_ascii_start();
                    !text.starts_with(b"{") && !text.starts_with(b"[{") && !text.starts_with(b"[\"")
                }
            }
            Data::Paths => line.contains(&b' ') && (!line.contains(&b'/') || line.ends_with(b":")),
            Data::Diff => {
                const STARTS: &str = " |+|-|~|@|\\|diff |index |new |deleted |old |rename |copy |similarity |\
                    Binary |commit |Author: |Date: |From |Index: |===";
                !line.is_empty() && !starts_with_any(line, STARTS)
            }
            Data::Sql => !line.ends_with(b";") && line.ends_with(b":"),
            Data::Yaml => {
                starts_with_any(line, "Warning: |WARN|W1|W0|I1")
                    || (has_words
                        && memchr::memmem::find(line, b": ").is_none()
                        // A key may have words as well.
                        && (!line.ends_with(b":") || line.split(|b| *b == b' ').count() > 3)
                        && !line.starts_with(b" ")
                        && !line.starts_with(b"#")
                        && !line.starts_with(b"- "))
            }
            Data::Markup => !line.contains(&b'<') && !line.contains(&b'>'),
        }
    }

    /// Whether a line, apart from the others by a blank one or not, is a sentence and no row.
    fn is_note(self, line: &[u8], is_apart: bool) -> bool {
        let line = line.trim_ascii();
        let ends = matches!(line.last(), Some(b'.' | b')' | b']' | b'!'));
        let words = line.split(|byte| *byte == b' ').count();
        match self {
            // A row may end in a sentence.
            Data::Table(sign, columns) => {
                let cells = memchr::memchr_iter(sign, line).count() + 1;
                ends && words >= 3 && (is_apart || (cells < columns && !line.contains(&b'"')))
            }
            Data::Paths => ends && words >= 3,
            _ => false,
        }
    }
}
