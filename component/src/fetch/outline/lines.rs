//! The outline of a text: its headings, symbols, files, levels and shapes of line.

use serde_json::json;

use super::{OutlineAnswer, OutlineEntry, OutlineRequest};
use crate::content::kind::Kind;
use crate::content::marks::{Marks, marks};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::each_line_to;
use crate::content::show::one_line;
use crate::content::template::{SHAPE_BYTES, Shapes};
use crate::fetch::error::FetchError;
use crate::fetch::grep::{self, GrepOptions, grep};
use crate::fetch::pattern::{Case, Matcher, Pattern};
use crate::fetch::view::View;
use crate::source::Indexed;

/// Bytes of text that are looked through.
const TEXT_BYTES: u64 = 128 * 1024 * 1024;

/// How the lines with a level's word are counted, and in how many of them all words are looked for.
const LEVEL_LINES: u64 = 2_000_000;
const LEVEL_SEARCH: GrepOptions = GrepOptions {
    invert: false,
    before: 0,
    after: 0,
    max_hits: 1,
    line_chars: 8,
    max_chars: 100,
    slice: TEXT_BYTES,
};

/// Entries of a text's outline, and characters of one.
const MAX_ENTRIES: usize = 2_000;
const LABEL_CHARS: usize = 120;

/// Adds the call that finds the lines with a level's word, and what it gives: the word may stand in the message of a
/// line of another level.
fn find_level(
    source: &dyn Indexed,
    word: &str,
    request: &OutlineRequest,
    entry: &mut OutlineEntry,
) -> Result<(), FetchError> {
    let pattern =
        Pattern { text: word.to_owned(), regex: false, case: Case::Sensitive, word: true };
    let Ok(matcher) = Matcher::new(&pattern) else { return Ok(()) };
    let page = grep(source, &matcher, &LEVEL_SEARCH, grep::Place::at(0))?;
    let Some(first) = page.lines.first().filter(|_| page.complete) else { return Ok(()) };
    entry.detail.push_str(&format!(
        "; {} with this word, the first is line {}",
        counted(page.matching_lines, "line"),
        thousands(first.line)
    ));
    let id = request.id.to_string();
    let mut grep = json!({"id": id, "mode": "grep", "pattern": word, "word": true});
    grep["case"] = "sensitive".into();
    if request.view == View::Raw {
        grep["view"] = "raw".into();
    }
    entry.call = Some(grep.to_string());
    Ok(())
}

/// Adds the parts of a text of so many lines, each up to its end or the next.
fn push_parts(
    marks: &Marks,
    lines: u64,
    range: &dyn Fn(u64, u64) -> Option<String>,
    entries: &mut Vec<OutlineEntry>,
) {
    let ends = marks.first.iter().skip(1).map(|mark| mark.line).chain([lines + 1]);
    for (mark, end) in marks.first.iter().zip(ends) {
        let end = mark.last.map_or(end, |last| last + 1);
        let count = end.saturating_sub(mark.line).max(1);
        let part = marks.noun.trim_end_matches('s');
        let detail = if mark.detail.is_empty() { part } else { &mark.detail };
        entries.push(OutlineEntry {
            label: format!("{}: {}", mark.line, mark.label),
            detail: format!("{detail}, {}", counted(count, "line")),
            call: range(mark.line, count.min(200)),
        });
    }
}

pub(super) fn by_lines(
    source: &dyn Indexed,
    kind: Kind,
    request: &OutlineRequest,
) -> Result<OutlineAnswer, FetchError> {
    let id = request.id.to_string();
    let raw = request.view == View::Raw;
    let range = |start: u64, count: u64| {
        let mut call = json!({"id": id, "mode": "range", "start": start, "count": count});
        if raw {
            call["view"] = "raw".into();
        }
        Some(call.to_string())
    };
    let mut shapes = Shapes::default();
    let mut lines = 0u64;
    let shaped = matches!(kind, Kind::Log | Kind::Text | Kind::Yaml | Kind::Sql);
    each_line_to(source, TEXT_BYTES, 400, |line| {
        lines = line.number;
        let text = line.prefix.strip_suffix(b"\r").unwrap_or(line.prefix);
        if shaped {
            let head = &text[..text.len().min(SHAPE_BYTES)];
            shapes.push((line.number, line.start), head);
        }
    })?;
    let mut entries: Vec<OutlineEntry> = Vec::new();
    // In other texts the word may be anything, such as a file's name.
    let levels = if kind == Kind::Log { shapes.levels() } else { Vec::new() };
    let is_affordable = lines * levels.len() as u64 <= LEVEL_LINES;
    for (word, count) in levels {
        let mut entry = OutlineEntry {
            label: word.to_owned(),
            detail: format!("{} of this level", counted(count, "line")),
            call: None,
        };
        if is_affordable {
            find_level(source, word, request, &mut entry)?;
        }
        entries.push(entry);
    }
    let ranked = if shaped { shapes.ranked().unwrap_or_default() } else { Vec::new() };
    if ranked.len() as u64 * 2 <= lines {
        for shape in ranked.iter().take(MAX_ENTRIES) {
            let (first, _) = shape.first;
            entries.push(OutlineEntry {
                label: one_line(&String::from_utf8_lossy(&shape.text), LABEL_CHARS),
                detail: format!(
                    "{} of this shape (# is a number or an id), the first is line {}",
                    counted(shape.lines, "line"),
                    thousands(first)
                ),
                call: range(first.saturating_sub(2).max(1), 5),
            });
        }
    }
    let mut about = format!("{kind} of {}", counted(lines, "line"));
    if let Some(marks) = marks(source, kind, TEXT_BYTES, MAX_ENTRIES)? {
        push_parts(&marks, lines, &range, &mut entries);
        if let Some(said) = marks.about {
            about = format!("{about}, {said}");
        }
        let more = marks.all - marks.first.len() as u64;
        if more > 0 {
            about.push_str(&format!(", {} more entries left out", thousands(more)));
        }
    }
    let complete = source.len() <= TEXT_BYTES;
    if !complete {
        about = format!("the first {} bytes: {about}", thousands(TEXT_BYTES));
    }
    Ok(OutlineAnswer { about, entries, complete, ..OutlineAnswer::default() })
}
