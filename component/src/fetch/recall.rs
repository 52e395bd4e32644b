//! The page for a model that has lost sight of what it read, after a compaction say: what is stored in its session,
//! what was last asked of each, and what came of that.

use super::answer::under;
use super::grep::{GrepPage, GrepQuery, Place};
use super::query::{QueryAnswer, QueryRequest};
use super::{FetchError, LIST_MAX_ENTRIES, Reader};
use crate::content::numbers::{counted, thousands};
use crate::content::show::clip;
use crate::fence::token;

/// Tokens of a page. Who shows it has a line or two to say beside it.
const PAGE_TOKENS: u64 = 300;

/// Characters of a question, and of the first line of its answer.
const QUESTION_CHARS: usize = 80;
const ANSWER_CHARS: usize = 100;

/// Characters of a tool's name, a source, and a question with its answer.
const TOOL_CHARS: usize = 24;
const SOURCE_CHARS: usize = 60;
const ASKED_CHARS: usize = 120;

/// What a search asked, and its answer, in one line; none where it only goes on.
pub(super) fn of_grep(query: &GrepQuery, page: &GrepPage) -> Option<String> {
    if query.place != Place::default() {
        return None;
    }
    let pattern = clip(&query.pattern.text, QUESTION_CHARS);
    let lines = counted(page.matching_lines, "line");
    let least = if page.complete { "" } else { "at least " };
    let first = page.lines.iter().find(|line| line.column.is_some());
    let first = first.map_or_else(String::new, |line| {
        format!(", first {}: {}", line.line, clip(line.text.trim(), ANSWER_CHARS))
    });
    let not = if query.invert { " (lines without)" } else { "" };
    Some(one_line(&format!("grep {pattern}{not}: {least}{lines}{first}")))
}

/// The same of a query.
pub(super) fn of_query(request: &QueryRequest, answer: &QueryAnswer) -> Option<String> {
    if request.cursor.is_some() {
        return None;
    }
    let mut asked = format!("query {}", clip(&request.program, QUESTION_CHARS));
    for (name, value) in [("path", &request.path), ("by", &request.by), ("reduce", &request.reduce)]
    {
        if let Some(value) = value {
            asked.push_str(&format!(" {name} {}", clip(value, QUESTION_CHARS / 2)));
        }
    }
    let rest = if answer.complete { "" } else { ", and more" };
    let first = clip(answer.content.lines().next().unwrap_or("nothing"), ANSWER_CHARS);
    let results = counted(answer.results, "result");
    Some(one_line(&format!("{asked}: {results}{rest}, first {first}")))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// What the session has stored, newest and most read first, as far as it fits.
pub(super) fn page(reader: &Reader<'_>) -> Result<String, FetchError> {
    let stored = reader.list(None, LIST_MAX_ENTRIES)?;
    let mut entries = Vec::new();
    for entry in stored.entries {
        let (one, asked) = reader.store.reads_of(&entry)?;
        // A read doubled is as good as an hour.
        let read = one.and_then(|one| one.duration_since(entry.last_use).ok()).unwrap_or_default();
        entries.push((std::cmp::Reverse(entry.last_use + read / 24), entry, asked));
    }
    crate::sort::sort_by_key(&mut entries, |(rank, entry, _)| (*rank, entry.id));
    let (mut rows, mut shown) = (String::new(), 0);
    let head = |shown: usize| match shown {
        0 => "[weir: nothing is stored in this session (any more)]".to_owned(),
        _ => format!(
            "[weir: {shown} of {} results stored in this session, newest and most read first]",
            thousands(stored.total as u64)
        ),
    };
    for (_, entry, asked) in &entries {
        let record = &entry.record;
        let mut row = format!(
            "{} {} {}, {} lines, {} chars",
            entry.id,
            token(&record.tool, TOOL_CHARS),
            record.kind,
            thousands(entry.lines),
            thousands(entry.chars)
        );
        if let Some(source) = &record.source {
            row.push_str(&format!(", {}", token(source, SOURCE_CHARS)));
        }
        if let Some(asked) = asked {
            row.push_str(&format!("; asked {}", token(asked, ASKED_CHARS)));
        }
        let more = if rows.is_empty() { row } else { format!("{rows}\n{row}") };
        if weir_text::tokens::of(&under(head(shown + 1), &more)) > PAGE_TOKENS {
            break;
        }
        (rows, shown) = (more, shown + 1);
    }
    Ok(under(head(shown), &rows))
}
