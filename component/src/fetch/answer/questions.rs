//! Writes what the modes that answer questions found: query, outline, search, diff.

use serde_json::{Value, json};

use super::{Answer, under};
use crate::content::numbers::{counted, thousands};
use crate::fence::token;
use crate::fetch::diff::{DiffAnswer, DiffRequest};
use crate::fetch::outline::{OutlineAnswer, OutlineRequest};
use crate::fetch::query::{QueryAnswer, QueryRequest};
use crate::fetch::search::{SearchAnswer, SearchRequest};
use crate::fetch::view::View;

/// Characters up to which the call that goes on is spelled out.
const NEXT_CHARS: usize = 400;

/// The call that goes on with `cursor`: spelled out when it is short, else in words.
fn next_words(call: &Value, cursor: &str) -> String {
    let mut next = call.clone();
    next["cursor"] = cursor.into();
    let spelled = next.to_string();
    if spelled.chars().count() <= NEXT_CHARS {
        format!("; next: {spelled}]")
    } else {
        format!("; next: the same with \"cursor\":{}]", json!(cursor))
    }
}

/// Rows and their numbers: `rows 1-2,000`.
fn span(first: u64, last: u64) -> String {
    match last.checked_sub(first) {
        None => "no rows".to_owned(),
        Some(0) => format!("row {}", thousands(first)),
        Some(_) => format!("rows {}-{}", thousands(first), thousands(last)),
    }
}

/// What a query gave.
pub(in crate::fetch) fn query(answer: &QueryAnswer, request: &QueryRequest) -> Answer {
    let id = &request.id;
    let reduced = !request.whole && (request.reduce.is_some() || request.by.is_some());
    let mut head = format!("[weir: {} of {id}", counted(answer.results, "result"));
    if request.view == View::Raw {
        head.push_str(", exact bytes");
    }
    if request.whole {
        head.push_str("; the query ran on the whole document");
    } else {
        let last = answer.last_row.max(answer.first_row.saturating_sub(1));
        let rows = span(answer.first_row, last);
        let end = match (answer.complete, reduced) {
            (true, _) if answer.first_row <= 1 => "all read",
            (true, _) => "read to the end",
            (false, true) => "the rest not yet, so this is not the answer for all",
            (false, false) => "the rest not yet",
        };
        head.push_str(&format!("; {} ({rows}): {end}", answer.rows));
    }
    if answer.failed > 0 {
        head.push_str(&format!("; the query failed on {}", counted(answer.failed, "row")));
        if let Some(first) = &answer.first_failure {
            head.push_str(&format!(", first with {}", token(first, 100)));
        }
    }
    for note in &answer.notes {
        head.push_str(&format!("; {note}"));
    }
    if request.program.trim() == "length" && !reduced && answer.last_row > 1 {
        head.push_str("; this is the length of each row: reduce \"count\" says how many there are");
    }
    if answer.cut {
        head.push_str("; the last result is cut: select less of it");
    }
    let call = call(request);
    // What was made of the rows so far may be long: a model goes on without it.
    let shown = match (&answer.next, &answer.restart) {
        (Some(next), Some(restart)) if next.len() > 200 => Some((restart, true)),
        (Some(next), _) => Some((next, false)),
        (None, _) => None,
    };
    match shown {
        Some((next, restarted)) => {
            if restarted {
                head.push_str("; the next call sums up only what follows");
            }
            head.push_str(&next_words(&call, next));
        }
        None => head.push(']'),
    }
    let more = answer
        .next
        .as_ref()
        .filter(|_| !request.whole && !answer.complete && (reduced || answer.results == 0));
    let more = more.map(|next| with(&call, next));
    let content = answer.content.strip_suffix('\n').unwrap_or(&answer.content);
    let first = content.lines().next().unwrap_or_default();
    let alike =
        answer.results >= ALIKE && !answer.table && content.lines().all(|line| line == first);
    if alike {
        head.push_str(&format!(
            "\n[weir: the {} results are alike: one is shown]",
            thousands(answer.results)
        ));
    }
    Answer { text: under(head, if alike { first } else { content }), is_error: false, more }
}

/// Results that are all alike from which on one is shown.
const ALIKE: u64 = 20;

/// A call with its cursor.
fn with(call: &Value, cursor: &str) -> String {
    let mut call = call.clone();
    call["cursor"] = cursor.into();
    call.to_string()
}

/// The shape of a result.
pub(in crate::fetch) fn outline(answer: &OutlineAnswer, request: &OutlineRequest) -> Answer {
    let mut call = json!({"id": request.id.to_string(), "mode": "outline"});
    if request.view == View::Raw {
        call["view"] = "raw".into();
    }
    if let Some(path) = &request.path {
        call["path"] = path.as_str().into();
    }
    let mut head = format!("[weir: outline of {}; {}", request.id, answer.about);
    let unfinished = !answer.complete && answer.next.is_some();
    if unfinished {
        head.push_str("; the rest is not read yet");
    } else {
        let shown = answer.entries.len() as u64;
        match shown == answer.total {
            true => head.push_str(&format!("; {}", entries(shown))),
            false => head.push_str(&format!("; {shown} of {}", entries(answer.total))),
        }
        if answer.entries.iter().any(|entry| entry.call.is_some()) {
            head.push_str(", each with the arguments that read it, id left out");
        }
    }
    match answer.next.as_deref().filter(|next| next.len() < 200) {
        Some(next) => head.push_str(&next_words(&call, next)),
        None => head.push(']'),
    }
    let lines: Vec<String> = answer.entries.iter().map(|entry| entry.line()).collect();
    let more = answer.next.as_deref().filter(|_| unfinished).map(|next| with(&call, next));
    // What is partial is shown as far as it goes: it may be longer than there is room for.
    let shown = if unfinished { String::new() } else { lines.join("\n") };
    Answer { text: under(head, &shown), is_error: false, more }
}

fn entries(count: u64) -> String {
    if count == 1 { "1 entry".to_owned() } else { format!("{} entries", thousands(count)) }
}

/// The passages that were found.
pub(in crate::fetch) fn search(answer: &SearchAnswer, request: &SearchRequest) -> Answer {
    let query = token(&request.query, 80);
    let whole = match &request.id {
        Some(id) => format!("{id}"),
        None => {
            format!("{} of {}", thousands(answer.searched), counted(answer.total, "stored result"))
        }
    };
    let bytes = counted(answer.bytes, "byte");
    let all = answer.complete && answer.unreadable == 0;
    let mut head = match answer.passages.len() as u64 {
        0 if all => format!("[weir: no passage for {query}: all of {whole} searched ({bytes})"),
        0 => format!("[weir: no passage for {query} found so far: {whole} searched ({bytes})"),
        shown => format!(
            "[weir: {} of {} with a word of {query}, best first, in {whole} ({bytes})",
            thousands(shown),
            counted(answer.matching, "passage")
        ),
    };
    if answer.unreadable > 0 {
        head.push_str(&format!("; {} could not be read", counted(answer.unreadable, "result")));
    }
    if !answer.complete {
        head.push_str("; the rest is not searched yet: search one id, or use grep");
    }
    if let Some(not_searched) = &answer.not_searched
        && answer.passages.is_empty()
    {
        head.push_str(&format!("; not searched: {not_searched}"));
    }
    head.push(']');
    let mut call = json!({"mode": "search", "query": request.query});
    if let Some(id) = &request.id {
        call["id"] = id.to_string().into();
    }
    if let Some(limit) = request.limit {
        call["limit"] = limit.into();
    }
    let more = answer.next.as_deref().map(|next| with(&call, next));
    let passages: Vec<String> = answer
        .passages
        .iter()
        .map(|passage| {
            format!(
                "{} {} lines {}-{}:\n{}",
                passage.id,
                token(&passage.tool, 40),
                thousands(passage.start_line),
                thousands(passage.end_line),
                passage.text
            )
        })
        .collect();
    Answer { text: under(head, &passages.join("\n--\n")), is_error: false, more }
}

/// What changed.
pub(in crate::fetch) fn diff(answer: &DiffAnswer, request: &DiffRequest) -> Answer {
    let mut head = format!(
        "[weir: from {} to {}, {}: {} added, {} removed, {} changed, {} the same",
        answer.older,
        answer.newer,
        answer.unit,
        thousands(answer.added),
        thousands(answer.removed),
        thousands(answer.changed),
        thousands(answer.same)
    );
    for note in &answer.notes {
        head.push_str(&format!("; {note}"));
    }
    let mut call = json!({"id": request.id.to_string(), "mode": "diff", "other": answer.older});
    if let Some(key) = &request.key {
        call["key"] = key.as_str().into();
    }
    if request.lines {
        call["unit"] = "lines".into();
    }
    if let Some(only) = request.only {
        call["only"] = only.as_str().into();
    }
    match &answer.next {
        Some(next) => head.push_str(&next_words(&call, next)),
        None => head.push(']'),
    }
    let content = answer.content.strip_suffix('\n').unwrap_or(&answer.content);
    Answer { text: under(head, content), is_error: false, more: None }
}

/// The call of a query, without its cursor.
fn call(request: &QueryRequest) -> Value {
    let mut call = json!({"id": request.id.to_string(), "mode": "query"});
    call["query"] = request.program.as_str().into();
    let mut set = |name: &str, value: Option<Value>| {
        if let Some(value) = value {
            call[name] = value;
        }
    };
    set("view", (request.view == View::Raw).then(|| "raw".into()));
    set("path", request.path.as_deref().map(Value::from));
    set("by", request.by.as_deref().map(Value::from));
    set("reduce", request.reduce.as_deref().map(Value::from));
    set("whole", request.whole.then(|| true.into()));
    set("table", request.table.then(|| true.into()));
    set("limit", request.limit.map(Value::from));
    call
}
