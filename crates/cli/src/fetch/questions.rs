//! `weir fetch --query`, `--outline`, `--search`, `--diff`: answers from stored results.

use serde_json::{Value, json};
use weir_host::contract::{DiffRequest, QueryPage, QueryRequest};

use super::Asked;
use crate::args::Selection;
use crate::console::Console;
use crate::numbers::group;
use crate::{Answer, Failure};

/// Results that one row, or a whole document, may have without `--limit`: a program may give more and
/// more for ever.
const ROW_MAX_RESULTS: u64 = 100_000;

impl Asked<'_> {
    /// The answer; `None` when the selection asks no question.
    pub(super) fn answer(
        &self,
        selection: &Selection,
        console: &Console,
    ) -> Result<Option<Answer>, Failure> {
        let answer = if let Some(program) = &selection.query {
            self.query(program, console)?
        } else if selection.outline {
            self.outline(console)?
        } else if let Some(words) = &selection.search {
            self.search(words, console)?
        } else if let Some(older) = &selection.diff {
            self.diff(older, console)?
        } else {
            return Ok(None);
        };
        console.flush_all()?;
        Ok(Some(answer))
    }

    pub(super) fn id(&self) -> &str {
        self.id.unwrap_or_default()
    }

    fn query(&self, program: &str, console: &Console) -> Result<Answer, Failure> {
        let options = self.options;
        let limit = options.limit;
        let mut request = QueryRequest {
            program: program.to_owned(),
            path: options.path.clone(),
            by: options.by.clone(),
            reduce: options.reduce.clone(),
            whole: options.whole,
            as_table: options.table,
            max_results: limit,
        };
        let mut shown = 0;
        // The row at hand, and how many results of it were shown.
        let (mut row, mut of_row) = (0, 0);
        let mut more = options.more.clone();
        let large = (!console.json()).then(|| self.weir.with_large_pages());
        let weir = large.as_ref().unwrap_or(self.weir);
        loop {
            let page = weir.query(self.session, self.id(), self.view, &request, more.as_deref())?;
            shown += page.results;
            let is_same_row = page.first_row == row && page.last_row == row;
            of_row = if is_same_row { of_row + page.results } else { page.results };
            row = page.last_row;
            if console.json() {
                console.value(&json!(page))?;
                return Ok(found(shown));
            }
            console.bytes(page.content.as_bytes())?;
            note_of_rows(&page, console);
            let left = limit.map(|limit| limit.saturating_sub(shown));
            match page.more {
                None => return Ok(found(shown)),
                Some(next) if left == Some(0) => {
                    let how = if (self.keep)(&next) {
                        "weir fetch --more".to_owned()
                    } else {
                        format!("--more {next}")
                    };
                    console.note(format_args!("… there may be more: {how}"));
                    return Ok(found(shown));
                }
                Some(_) if limit.is_none() && of_row >= ROW_MAX_RESULTS => {
                    console.flush_all()?;
                    let of = match options.whole {
                        true => "the document".to_owned(),
                        false => format!("row {}", group(row)),
                    };
                    return Err(Failure::usage(
                        format!(
                            "the program gave {} results for {of} and is not at its end",
                            group(of_row)
                        ),
                        "a program such as repeat(1) never ends; --limit COUNT shows so many \
                         results, also more than these",
                    ));
                }
                Some(next) => {
                    request.max_results = left;
                    more = Some(next);
                }
            }
        }
    }

    fn outline(&self, console: &Console) -> Result<Answer, Failure> {
        let path = self.options.path.as_deref();
        let mut more = self.options.more.clone();
        let (mut first, mut shown) = (true, 0);
        // A page for each few entries would read all of it as often.
        let weir = self.weir.with_large_pages();
        loop {
            let page = weir.outline(self.session, self.id(), self.view, path, more.as_deref())?;
            // What is counted so far is not what there is.
            if page.pending {
                more = page.more;
                continue;
            }
            shown += page.entries.len() as u64;
            if console.json() {
                let mut value = json!(page);
                for (at, entry) in page.entries.iter().enumerate() {
                    let call = entry.call.as_deref();
                    let call = call.and_then(|call| serde_json::from_str::<Value>(call).ok());
                    value["entries"][at]["call"] = call.into();
                }
                console.value(&value)?;
                return Ok(found(shown));
            }
            if std::mem::take(&mut first) {
                console.line(&page.about)?;
            }
            for entry in &page.entries {
                console.line(format_args!("{}: {}", entry.label, entry.detail))?;
            }
            match page.more {
                Some(next) => more = Some(next),
                None => return Ok(found(shown)),
            }
        }
    }

    /// The tool words the answer. What it says of the whole is a note.
    fn search(&self, words: &str, console: &Console) -> Result<Answer, Failure> {
        let (limit, more) = (self.options.limit, self.options.more.as_deref());
        let typed = || self.weir.search(self.session, self.id, words, limit, more);
        if console.json() {
            let page = typed()?;
            console.value(&json!(page))?;
            return Ok(found(page.passages.len() as u64));
        }
        let arguments = json!({
            "mode": "search", "query": words, "id": self.id, "limit": limit, "cursor": more,
        });
        let answer = self.weir.invoke(self.session, "weir_fetch", &arguments.to_string())?;
        if answer.is_error {
            // As a failure it has advice for people.
            typed()?;
        }
        let (said, content) = parted(&answer.text);
        if let Some(content) = content {
            console.line(content)?;
        }
        console.note(said);
        Ok(if content.is_some() { Answer::Yes } else { Answer::No })
    }

    fn diff(&self, older: &str, console: &Console) -> Result<Answer, Failure> {
        let older = Some(older).filter(|older| !older.is_empty());
        let mut more = self.options.more.clone();
        let request = DiffRequest {
            older: older.map(str::to_owned),
            key: self.options.key.clone(),
            by_lines: self.options.by_lines,
        };
        let mut first = true;
        loop {
            let page = self.weir.diff(self.session, self.id(), &request, more.as_deref())?;
            let changes = page.added + page.removed + page.changed;
            if console.json() {
                console.value(&json!(page))?;
                return Ok(found(changes));
            }
            if std::mem::take(&mut first) {
                console.note(format_args!(
                    "from {} to {}, {}: {} added, {} removed, {} changed, {} the same",
                    page.older,
                    page.newer,
                    page.compared,
                    group(page.added),
                    group(page.removed),
                    group(page.changed),
                    group(page.same)
                ));
                for note in &page.notes {
                    console.note(note);
                }
            }
            console.bytes(page.content.as_bytes())?;
            more = page.more;
            if more.is_none() {
                return Ok(found(changes));
            }
        }
    }
}

/// What an answer of the tool says of the whole, and the content within its marks.
fn parted(text: &str) -> (&str, Option<&str>) {
    let Some((said, marked)) = text.split_once("\n<<<weir:") else { return (text, None) };
    let content = marked.split_once('\n').and_then(|(_, content)| content.rsplit_once('\n'));
    (said, content.map(|(content, _)| content))
}

/// What a page of a query says beside its results.
fn note_of_rows(page: &QueryPage, console: &Console) {
    if page.failed_rows > 0 {
        console.note(format_args!(
            "the query failed on {} of {}{}: {}",
            group(page.failed_rows),
            if page.rows.starts_with("the ") { "" } else { "the " },
            page.rows,
            page.first_failure.as_deref().unwrap_or("it gave no reason")
        ));
    }
    for note in &page.notes {
        console.note(note);
    }
}

fn found(count: u64) -> Answer {
    if count > 0 { Answer::Yes } else { Answer::No }
}
