//! Writes answers for models: one line that says what is shown and how to go on, then the content
//! in a fence.

pub(super) mod questions;

use std::time::SystemTime;

use serde_json::{Value, json};

use super::grep::GrepPage;
use super::grep::GrepQuery;
use super::page::Encoding;
use super::query;
use super::range::{Page, Unit};
use super::view::{Stat, View};
use crate::content::numbers::{counted, thousands};
use crate::fence::{fenced, token};
use crate::handle::Ids;
use crate::limits::GREP_OVERLAP_BYTES;
use crate::store;

/// What a model is shown in return.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    /// The answer.
    pub text: String,
    /// Whether it says that something is wrong.
    pub is_error: bool,
    /// Arguments with which the same work goes on, when a bounded piece of it was done and there is
    /// nothing to show yet. A host with time left may call again with these and use that answer.
    pub more: Option<String>,
}

/// What a page was asked for as.
#[derive(Debug, Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) id: &'a Ids,
    pub(super) view: View,
    /// How many, when the model said.
    pub(super) count: Option<u64>,
    /// The start that was past the end.
    pub(super) past_end: Option<i64>,
    /// Whether what lies before the page is what is missing.
    pub(super) tail: bool,
}

/// A page of content, exact inside its fence.
pub(super) fn page(page: &Page, asked: Asked<'_>) -> String {
    let id = asked.id;
    let mut head = if page.total == 0 {
        format!("[weir: {id} is empty")
    } else {
        format!("[weir: {} of {id}", place(page))
    };
    if asked.view == View::Raw {
        head.push_str(", exact bytes");
    }
    if page.encoding == Encoding::Escaped {
        head.push_str("; not UTF-8: bad bytes are written \\xNN, and \\ as \\\\");
    }
    if let Some(start) = asked.past_end {
        head.push_str(&format!("; {start} is past the end, so this is the end"));
    }
    if page.starts_inside {
        head.push_str(&format!(
            "; line {} starts before byte {}",
            thousands(page.start),
            thousands(page.start_byte)
        ));
    }
    if let Some(at) = page.line_cut_at {
        head.push_str(&format!(
            "; line {} is cut after {} characters",
            thousands(page.end - 1),
            thousands(at)
        ));
    }
    let rest = if asked.tail {
        before(page, asked)
    } else {
        after(page, asked).map(|next| ("next", next))
    };
    match rest {
        Some((word, arguments)) => head.push_str(&format!("; {word}: {arguments}]")),
        None if page.total == 0 || asked.tail => head.push(']'),
        None => head.push_str("; this is the end]"),
    }
    under(head, &page.content)
}

/// An answer: its first line, and what a tool wrote in a fence under it. Every mode ends here.
pub(super) fn under(head: String, content: &str) -> String {
    if content.is_empty() { head } else { format!("{head}\n{}", fenced(content)) }
}

/// Where a page lies, both ends included: `lines 7,999-8,000 of 8,000`.
fn place(page: &Page) -> String {
    let (first, last) = (page.start, page.end.saturating_sub(1).max(page.start));
    let total = thousands(page.total);
    if first == last {
        let one = page.unit.as_str().trim_end_matches('s');
        return format!("{one} {} of {total}", thousands(first));
    }
    format!("{} {}-{} of {total}", page.unit.as_str(), thousands(first), thousands(last))
}

/// The call that reads what follows a page.
fn after(page: &Page, asked: Asked<'_>) -> Option<Value> {
    let at_end = page.end >= page.total + page.unit.first() && page.line_cut_at.is_none();
    let (unit, start, count) = match page.next {
        // A count that is ours, not the model's, would only shrink from call to call.
        Some(next) => (next.unit, next.start, next.count.filter(|_| asked.count.is_some())),
        None if at_end => return None,
        // The end of what was asked for may lie inside a line that is shown in part.
        None if page.line_cut_at.is_some() => (Unit::Bytes, page.end_byte, None),
        None => (page.unit, page.end, asked.count),
    };
    Some(range_call(asked, unit, start as i64, count))
}

/// The call that reads what precedes a tail.
fn before(page: &Page, asked: Asked<'_>) -> Option<(&'static str, Value)> {
    if page.start_byte == 0 {
        return None;
    }
    // What comes before the middle of a long line is best read in bytes.
    let call = if !page.starts_inside {
        let count = asked.count.unwrap_or(100).min(page.start - 1);
        range_call(asked, Unit::Lines, (page.start - count) as i64, Some(count))
    } else {
        range_call(asked, Unit::Bytes, 0, Some(page.start_byte))
    };
    Some(("before it", call))
}

fn range_call(asked: Asked<'_>, unit: Unit, start: i64, count: Option<u64>) -> Value {
    let mut call = json!({"id": asked.id.to_string(), "mode": "range", "start": start});
    if asked.view == View::Raw {
        call["view"] = "raw".into();
    }
    if unit != Unit::Lines {
        call["unit"] = unit.as_str().into();
    }
    if let Some(count) = count {
        call["count"] = count.into();
    }
    call
}

/// What a search found.
pub(super) struct Found<'a> {
    pub(super) id: &'a Ids,
    pub(super) view: View,
    pub(super) query: &'a GrepQuery,
    pub(super) page: &'a GrepPage,
    /// Whether the text had no match, so that what it leaves out was searched too.
    pub(super) around: bool,
    /// Characters up to which the call that goes on is spelled out.
    pub(super) next_chars: usize,
}

impl Found<'_> {
    /// Whether there is nothing to show yet and more to search.
    pub(super) fn is_unfinished(&self) -> bool {
        self.page.shown == 0 && self.page.next.is_some()
    }

    /// The listing.
    pub(super) fn text(&self) -> String {
        let mut text = String::new();
        let mut last = None;
        let spaced = self.query.before > 0 || self.query.after > 0;
        for line in &self.page.lines {
            if spaced && last.is_some_and(|last| line.line > last + 1) {
                text.push_str("--\n");
            }
            last = Some(line.line);
            text.push_str(&format!("{line}\n"));
        }
        under(self.head(), text.strip_suffix('\n').unwrap_or_default())
    }

    fn head(&self) -> String {
        let mut head = self.found();
        self.remarks(&mut head);
        match self.next() {
            Some(next) => {
                let spelled = next.to_string();
                if spelled.chars().count() <= self.next_chars {
                    head.push_str(&format!("; next: {spelled}]"));
                } else {
                    head.push_str(&format!("; next: the same with \"from\":{}", next["from"]));
                    if let Some(so_far) = next.get("so_far") {
                        head.push_str(&format!(",\"so_far\":{so_far}"));
                    }
                    head.push(']');
                }
            }
            None => head.push(']'),
        }
        head
    }

    /// What was found.
    fn found(&self) -> String {
        let Found { id, query, page, .. } = self;
        let (from, matches, lines) = (page.scanned_from, page.matches, page.matching_lines);
        let windowed = page.windowed;
        let pattern = token(&query.pattern.text, 60);
        let pattern = match query.pattern.regex {
            true => format!("the pattern {pattern}"),
            false => format!("the text {pattern}"),
        };
        let found = match query.invert {
            true => format!("{} without a match", counted(lines, "line")),
            false => format!("{} in {}", counted_matches(matches), counted(lines, "line")),
        };
        let nothing = if query.invert { "lines without a match" } else { "matches" };
        let (to, total) = (thousands(page.scanned_to), thousands(page.total_bytes));
        match (page.complete, matches) {
            (true, 0) if from == 0 => format!(
                "[weir: no {nothing}{} for {pattern} in {id}: all {} ({}) searched",
                if windowed { " found" } else { "" },
                counted(page.total_lines, "line"),
                counted(page.total_bytes, "byte")
            ),
            (true, 0) => format!(
                "[weir: no {nothing} found for {pattern} in {id} from byte {} on",
                thousands(from)
            ),
            (false, 0) => format!(
                "[weir: no {nothing} found for {pattern} in {id} up to now: bytes {}-{to} of {total} \
                 searched, the rest not yet",
                thousands(from)
            ),
            (true, _) => {
                let mut head = format!("[weir: {found} for {pattern} in {id}");
                if from > 0 {
                    head.push_str(&format!(" from byte {} on", thousands(from)));
                }
                if !windowed && (query.count_only || page.shown != page.hits) {
                    head.push_str(", all counted");
                }
                head
            }
            (false, _) => format!(
                "[weir: at least {found} for {pattern} in {id}: {to} of {total} bytes searched"
            ),
        }
    }

    /// What else is to be said of the search.
    fn remarks(&self, head: &mut String) {
        let Found { query, page, .. } = self;
        if page.shown != page.hits && !query.count_only {
            head.push_str(&match page.shown {
                1 => "; one place shown".to_owned(),
                shown => format!("; {} places shown", thousands(shown)),
            });
        }
        if page.too_costly {
            head.push_str(&format!("; {TOO_COSTLY}"));
        }
        if page.windowed {
            head.push_str(&format!(
                "; in lines over 64 KiB a match longer than {GREP_OVERLAP_BYTES} bytes may be missed"
            ));
        }
        if page.context_cut {
            head.push_str("; some context is left out");
        }
        match (self.around, self.view, page.left_out) {
            (true, View::Text, Some(beside)) => head.push_str(&format!(", and {beside}")),
            (true, View::Raw, _) => {
                head.push_str("; the text itself has none: this is what came (view \"raw\")");
            }
            (false, _, Some(left_out)) if page.matches == 0 && page.complete => {
                head.push_str(&format!("; {left_out} was not searched"));
            }
            _ => {}
        }
        if page.matches == 0 && page.complete && query.pattern.minds_capitals() {
            head.push_str("; case counts, because the pattern has a capital letter");
        }
        if page.matches == 0
            && page.complete
            && query.pattern.regex
            && query.pattern.text.contains("\\n")
        {
            head.push_str("; lines are searched one by one, so \\n matches nothing");
        }
    }

    /// The call that goes on with the search.
    pub(super) fn next(&self) -> Option<Value> {
        let next = self.page.next?;
        let query = self.query;
        let mut call = json!({"id": self.id.to_string(), "mode": "grep"});
        call["pattern"] = query.pattern.text.as_str().into();
        let mut set = |name: &str, value: Value, default: Value| {
            if value != default {
                call[name] = value;
            }
        };
        set("view", if self.view == View::Raw { "raw".into() } else { Value::Null }, Value::Null);
        set("literal", (!query.pattern.regex).into(), false.into());
        let case = match query.pattern.case {
            super::pattern::Case::Smart => "smart",
            super::pattern::Case::Sensitive => "sensitive",
            super::pattern::Case::Insensitive => "insensitive",
        };
        set("case", case.into(), "smart".into());
        set("word", query.pattern.word.into(), false.into());
        set("invert", query.invert.into(), false.into());
        set("before", query.before.into(), 0.into());
        set("after", query.after.into(), 0.into());
        set("max_matches", query.max_matches.map_or(Value::Null, Value::from), Value::Null);
        set("count_only", query.count_only.into(), false.into());
        if self.page.shown == 0 {
            set("so_far", next.so_far().into(), Value::Null);
        }
        set("from", next.byte.into(), Value::Null);
        Some(call)
    }
}

/// What is said of a pattern that costs too much, and what to do.
pub(super) const TOO_COSTLY: &str = "this pattern is too costly for lines as long as these: give a \
    plain text that the line holds, smaller counts in {m,n}, or fewer alternatives";

fn counted_matches(matches: u64) -> String {
    if matches == 1 { "1 match".to_owned() } else { format!("{} matches", thousands(matches)) }
}

/// What is known of a blob.
pub(super) fn stat(stat: &Stat, session: &str) -> String {
    let entry = &stat.entry;
    let record = &entry.record;
    let mut text = format!("[weir: stat of {}]", entry.id);
    let mut say = |name: &str, value: String| text.push_str(&format!("\n{name}: {value}"));
    say("tool", token(&record.tool, 80));
    if let Some(source) = &record.source {
        say("source", token(source, 120));
    }
    say("type", record.kind.to_string());
    let text_view = record.text_view.is_some();
    say("lines", stat.text_lines.to_string());
    say("chars", stat.text.chars.to_string());
    say("bytes", stat.text.bytes.to_string());
    if text_view {
        say("exact bytes (view \"raw\")", entry.bytes.to_string());
    }
    say("sha256", entry.digest.to_string());
    say("session", token(session, 60));
    if let Some(created) = entry.created {
        say("stored", utc(created));
    }
    say("last used", utc(entry.last_use));
    match stat.expires {
        _ if entry.pinned => say("expires", "never (pinned)".to_owned()),
        Some(expires) => say("expires", format!("{} unless read again", utc(expires))),
        None => {}
    }
    text
}

/// What a session has stored: `entries` of the page, and the call for the rest.
pub(super) fn list(page: &store::Page) -> String {
    let mut text = match page.entries.len() {
        0 => "[weir: nothing is stored in this session (any more)".to_owned(),
        n => format!("[weir: {n} of {} stored results, the last used first", page.total),
    };
    match &page.next {
        Some(next) => {
            let call = json!({"mode": "list", "cursor": next});
            text.push_str(&format!("; next: {call}]"));
        }
        None => text.push(']'),
    }
    for entry in &page.entries {
        let record = &entry.record;
        text.push_str(&format!(
            "\n{} {} {}, {} lines, {} bytes",
            entry.id,
            token(&record.tool, 40),
            record.kind,
            entry.lines,
            entry.bytes
        ));
        if let Some(source) = &record.source {
            text.push_str(&format!(", {}", token(source, 60)));
        }
    }
    text
}

/// A time as `2026-03-01T12:00:00Z`.
pub(super) fn utc(time: SystemTime) -> String {
    let seconds = time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |age| age.as_secs());
    query::dates::to_iso(seconds as f64)
}
