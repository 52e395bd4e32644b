//! The outline of a text: its headings, symbols, files, levels and shapes of line.

use serde_json::json;

use super::{OutlineAnswer, OutlineEntry, OutlineRequest};
use crate::content::kind::Kind;
use crate::content::numbers::{counted, thousands};
use crate::content::scan::each_line_to;
use crate::content::show::one_line;
use crate::content::source_text::{defines, heading_level};
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
    let mut marks: Vec<(u64, String, String)> = Vec::new();
    let mut shapes = Shapes::default();
    let (mut lines, mut more, mut fence) = (0u64, 0u64, false);
    let (mut added, mut removed) = (0u64, 0u64);
    let shaped = matches!(kind, Kind::Log | Kind::Text | Kind::Yaml | Kind::Sql);
    each_line_to(source, TEXT_BYTES, 400, |line| {
        lines = line.number;
        let text = line.prefix.strip_suffix(b"\r").unwrap_or(line.prefix);
        let mut mark = |label: &[u8], detail: String| {
            if marks.len() < MAX_ENTRIES {
                let label = one_line(&String::from_utf8_lossy(label), LABEL_CHARS);
                marks.push((line.number, label, detail));
            } else {
                more += 1;
            }
        };
        match kind {
            Kind::Markdown => {
                let start = text.trim_ascii_start();
                if start.starts_with(b"```") || start.starts_with(b"~~~") {
                    fence = !fence;
                } else if !fence && heading_level(text).is_some() {
                    mark(text, "heading".to_owned());
                }
            }
            Kind::Code if defines(&String::from_utf8_lossy(text)) => {
                mark(text.trim_ascii(), "symbol".to_owned());
            }
            Kind::Diff => {
                if text.starts_with(b"+++ ") {
                    mark(&text[4..], "file".to_owned());
                } else if text.starts_with(b"+") {
                    added += 1;
                } else if text.starts_with(b"-") && !text.starts_with(b"--- ") {
                    removed += 1;
                }
            }
            Kind::Html => {
                if let Some(title) = html_heading(text) {
                    mark(title.as_bytes(), "heading".to_owned());
                }
            }
            _ => {}
        }
        if shaped {
            let head = &text[..text.len().min(SHAPE_BYTES)];
            shapes.push(line.number, head);
        }
    })?;
    let mut entries: Vec<OutlineEntry> = Vec::new();
    // In other texts the word may be anything, such as a file's name.
    let levels = if kind == Kind::Log { shapes.levels() } else { Vec::new() };
    let is_affordable = lines * levels.len() as u64 <= LEVEL_LINES;
    for (word, count) in levels {
        let mut detail = format!("{} of this level", counted(count, "line"));
        // Said of what the call gives: the word may stand in the message of a line of another level.
        let pattern =
            Pattern { text: word.to_owned(), regex: false, case: Case::Sensitive, word: true };
        let mut call = None;
        if let Ok(matcher) = Matcher::new(&pattern)
            && is_affordable
        {
            let page = grep(source, &matcher, &LEVEL_SEARCH, grep::Place::at(0))?;
            if let Some(first) = page.lines.first().filter(|_| page.complete) {
                detail.push_str(&format!(
                    "; {} with this word, the first is line {}",
                    counted(page.matching_lines, "line"),
                    thousands(first.line)
                ));
                let mut grep = json!({"id": id, "mode": "grep", "pattern": word, "word": true});
                grep["case"] = "sensitive".into();
                if raw {
                    grep["view"] = "raw".into();
                }
                call = Some(grep.to_string());
            }
        }
        entries.push(OutlineEntry { label: word.to_owned(), detail, call });
    }
    let ranked = if shaped { shapes.ranked().unwrap_or_default() } else { Vec::new() };
    if ranked.len() as u64 * 2 <= lines {
        for shape in ranked.iter().take(MAX_ENTRIES) {
            let first = shape.first_line;
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
    let ends = marks.iter().skip(1).map(|(line, ..)| *line).chain([lines + 1]);
    for ((line, label, detail), end) in marks.iter().zip(ends) {
        let count = (end - line).max(1);
        entries.push(OutlineEntry {
            label: format!("{line}: {label}"),
            detail: format!("{detail}, {}", counted(count, "line")),
            call: range(*line, count.min(200)),
        });
    }
    let mut about = format!("{kind} of {}", counted(lines, "line"));
    if kind == Kind::Diff {
        about.push_str(&format!(", +{} -{}", thousands(added), thousands(removed)));
    }
    if more > 0 {
        about.push_str(&format!(", {} more entries left out", thousands(more)));
    }
    let complete = source.len() <= TEXT_BYTES;
    if !complete {
        about = format!("the first {} bytes: {about}", thousands(TEXT_BYTES));
    }
    Ok(OutlineAnswer { about, entries, complete, ..OutlineAnswer::default() })
}

/// The text of the first heading of HTML on a line.
fn html_heading(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let lower = text.to_ascii_lowercase();
    let at = (1..=6).filter_map(|n| lower.find(&format!("<h{n}"))).min()?;
    let rest = text.get(at..)?;
    let (_, inside) = rest.split_once('>')?;
    let mut out = String::new();
    let mut tag = false;
    for c in inside.chars() {
        match c {
            '<' => {
                if !out.trim().is_empty() {
                    break;
                }
                tag = true;
            }
            '>' => tag = false,
            c if !tag => out.push(c),
            _ => {}
        }
    }
    (!out.trim().is_empty()).then(|| out.trim().to_owned())
}
