//! The tool with which a model reads back what was stored.
//!
//! Whatever a model sends gets an answer that it can act on, within a bound, and nothing is an
//! error that has a clear meaning. An answer of content is one line in brackets, which says what is
//! shown and how to go on, and then the content exactly, in a fence.

use super::Reader;
use super::answer::{self, Answer, Asked, Found, utc};
use super::arguments::{self, BadArguments, MODES, Request};
use super::error::FetchError;
use super::grep::GrepQuery;
use super::grep::Place;
use super::pattern::Matcher;
use super::range::{Page, Range, Unit};
use super::recall;
use super::view::View;
use crate::content::show::clip;
use crate::fence::{FENCE_CHARS, token};
use crate::handle::Ids;
use crate::store::Tombstone;

/// The name under which models are shown the tool, unless the host needs another.
pub const NAME: &str = "weir_fetch";

/// Characters that the line before the content is first given room for.
const HEAD_CHARS: usize = 420;

/// What mode `help` answers with.
const HELP: &str = include_str!("help.txt");

/// Entries that a listing has when the model does not say.
const LIST_ENTRIES: u64 = 20;

/// A tool as a model is shown it.
#[derive(Debug, Clone, PartialEq)]
pub struct Definition {
    /// Its name.
    pub name: String,
    /// What it does, for the model.
    pub description: &'static str,
    /// The JSON Schema of the arguments that it is shown with, as JSON text. It takes more.
    pub input_schema: &'static str,
    /// MCP annotations, as JSON text.
    pub annotations: &'static str,
}

/// The tool's definition, under `name`. Constant but for that, and small, as it is paid for in every turn: excerpts
/// and answers name the calls that fit, and mode `help` all arguments.
pub fn definition(name: &str) -> Definition {
    Definition {
        name: name.to_owned(),
        description: "Reads more of a cut result, as its excerpt says; mode help tells all.",
        input_schema: r#"{"type":"object","properties":{"id":{"type":"string"},"mode":{"type":"string"},"pattern":{"type":"string"}}}"#,
        annotations: r#"{"title":"Read a stored tool result","readOnlyHint":true,"destructiveHint":false,"idempotentHint":true,"openWorldHint":false}"#,
    }
}

/// Answers what a model sent as arguments of the tool `name`.
///
/// No answer has more characters than [`crate::settings::FetchSettings::max_chars`], but for a full
/// read, which has at most [`crate::settings::FetchSettings::full_max_chars`] and one line.
pub fn invoke(reader: &Reader<'_>, name: &str, arguments: &str) -> Answer {
    let max_chars = reader.settings.max_chars as usize;
    let call = Call { reader, name, max_chars };
    let answer = match arguments::read(arguments) {
        Ok((request, unused)) if unused.is_empty() => call.answer_of_part(&request),
        Ok((request, unused)) => {
            let note = format!("[weir: not used by this mode: {}]\n", unused.join(", "));
            let room = Call { max_chars: max_chars.saturating_sub(note.len()), ..call };
            room.answer_of_part(&request).map(|it| Answer { text: note + &it.text, ..it })
        }
        Err(BadArguments { message, example }) => Err(call.advise(&message, example, None)),
    };
    answer.unwrap_or_else(|text| Answer {
        text: clip(&text, max_chars),
        is_error: true,
        more: None,
    })
}

/// One call of the tool.
struct Call<'a> {
    reader: &'a Reader<'a>,
    name: &'a str,
    max_chars: usize,
}

impl Call<'_> {
    /// The answer, below a line that says so where it is of several results, or of one of which its tool says that
    /// it is a part of more.
    fn answer_of_part(&self, request: &Request) -> Result<Answer, String> {
        let Some(ids) = request.reads() else { return self.answer(request) };
        let joined = match (ids.one(), request) {
            (Some(_), _) | (None, Request::Search(_)) => None,
            (None, _) => {
                let (view, path) = request.rows_at();
                let joined = self.reader.joined(ids, view, path);
                Some(joined.map_err(|error| self.explain(error, Some(ids)))?)
            }
        };
        let note = match &joined {
            Some(joined) => format!("[weir: {}]\n", joined.words),
            None => match ids.one().and_then(|id| self.reader.part(id)) {
                Some(part) => format!(
                    "[weir: this is over what the tool sent, a part of more by its own word: {}]\n",
                    token(&part, 160)
                ),
                None => return self.answer(request),
            },
        };
        let reader = &Reader { joined: joined.as_ref(), ..*self.reader };
        let max_chars = self.max_chars.saturating_sub(note.chars().count());
        let answer = Call { max_chars, reader, ..*self }.answer(request)?;
        Ok(Answer { text: note + &answer.text, ..answer })
    }

    fn answer(&self, request: &Request) -> Result<Answer, String> {
        let reader = self.reader;
        match request {
            Request::Help => Ok(self.plain(format!("{} takes id and mode.\n{HELP}", self.name))),
            Request::Recall => {
                recall::page(reader).map(done).map_err(|error| self.explain(error, None))
            }
            Request::Stat { id } => {
                let stat = reader.stat(id).map_err(|error| self.explain(error, Some(id)))?;
                Ok(self.plain(answer::stat(&stat, reader.session)))
            }
            Request::Range { id, view, unit, start, count } => {
                self.range(id, *view, *unit, *start, *count)
            }
            Request::Head { id, view, lines } => self.head(id, *view, *lines),
            Request::Tail { id, view, lines } => self.tail(id, *view, *lines),
            Request::Full { id, view } => {
                let page = reader.full(id, *view).map_err(|e| self.explain(e, Some(id)))?;
                let asked = Asked { id, view: *view, count: None, past_end: None, tail: false };
                Ok(done(answer::page(&page, asked)))
            }
            Request::Grep { id, view, query } => self.grep(id, *view, query),
            Request::Query(request) => self.fit(Some(&request.id), |room| {
                let answer = reader.query(request, room)?;
                Ok(answer::questions::query(&answer, request))
            }),
            Request::Outline(request) => self.fit(Some(&request.id), |room| {
                let answer = reader.outline(request, room)?;
                Ok(answer::questions::outline(&answer, request))
            }),
            Request::Search(request) => self.fit(request.id.as_ref(), |room| {
                let answer = reader.search(request, room)?;
                Ok(answer::questions::search(&answer, request))
            }),
            Request::Diff(request) => self.fit(Some(&request.id), |room| {
                let answer = reader.diff(request, room)?;
                Ok(answer::questions::diff(&answer, request))
            }),
            Request::List { cursor, limit } => {
                let room = (self.max_chars.saturating_sub(HEAD_CHARS) / 250).max(1) as u64;
                let limit = limit.unwrap_or(LIST_ENTRIES).clamp(1, room) as usize;
                let page = reader.list(cursor.as_deref(), limit);
                let page = page.map_err(|error| self.explain(error, None))?;
                Ok(self.plain(answer::list(&page)))
            }
        }
    }

    fn grep(&self, id: &Ids, view: View, query: &GrepQuery) -> Result<Answer, String> {
        let reader = self.reader;
        self.fit(Some(id), |room| {
            let mut found = reader.grep_around(id, view, query, room)?;
            let page = &found.page;
            let is_none = page.complete && (page.scanned_from, page.matches) == (0, 0);
            // What was written in another language means something in this one too.
            let likely = query.pattern.likely().filter(|_| is_none && !query.invert);
            let mut other = GrepQuery { place: Place::at(0), ..query.clone() };
            let mut note = String::new();
            if let Some((pattern, literal)) = likely
                && Matcher::new(&pattern).is_ok()
            {
                other.pattern = pattern;
                let meant = reader.grep(id, found.view, &other, room)?;
                if meant.matches > 0 {
                    let written = token(&query.pattern.text, 80);
                    let read = token(&other.pattern.text, 80);
                    note = format!(
                        "[weir: nothing matches {written} (taken as text: {literal}); read as {read}:]\n"
                    );
                    found.page = meant;
                }
            }
            let query = if note.is_empty() { query } else { &other };
            // The arguments may hold a pattern of a thousand characters.
            let next_chars = (self.max_chars / 5).min(300);
            let (view, around, page) = (found.view, found.searched_around, &found.page);
            let found = Found { id, view, query, page, around, next_chars };
            let more = if found.is_unfinished() { found.next() } else { None };
            Ok(Answer {
                text: format!("{note}{}", found.text()),
                is_error: false,
                more: more.map(|next| next.to_string()),
            })
        })
    }

    fn range(
        &self,
        id: &Ids,
        view: View,
        unit: Unit,
        start: i64,
        count: Option<u64>,
    ) -> Result<Answer, String> {
        let default = u64::from(self.reader.settings.default_lines);
        let limit = count.or((unit == Unit::Lines).then_some(default));
        let asked = Asked { id, view, count, past_end: None, tail: false };
        self.fit(Some(id), |room| {
            let page = match self.reader.range(id, view, Range { unit, start, count: limit }, room)
            {
                Ok(page) if page.total == 0 || !page.content.is_empty() => {
                    return Ok(shown(&page, asked));
                }
                Err(error) if !matches!(error, FetchError::OutOfRange { .. }) => return Err(error),
                // Past the end: what is there is more use than an error.
                _ if unit == Unit::Lines => {
                    self.reader.tail(id, view, limit.unwrap_or(default), room)?
                }
                _ => {
                    let last = count.unwrap_or(u64::MAX).clamp(1, room as u64) as i64;
                    self.reader.range(id, view, Range { unit, start: -last, count: None }, room)?
                }
            };
            let tail = unit == Unit::Lines;
            Ok(shown(&page, Asked { past_end: Some(start), tail, ..asked }))
        })
    }

    fn head(&self, id: &Ids, view: View, count: Option<u64>) -> Result<Answer, String> {
        let lines = count.unwrap_or(u64::from(self.reader.settings.default_lines));
        let asked = Asked { id, view, count, past_end: None, tail: false };
        self.fit(Some(id), |room| Ok(shown(&self.reader.head(id, view, lines, room)?, asked)))
    }

    fn tail(&self, id: &Ids, view: View, count: Option<u64>) -> Result<Answer, String> {
        let lines = count.unwrap_or(u64::from(self.reader.settings.default_lines));
        let asked = Asked { id, view, count, past_end: None, tail: true };
        self.fit(Some(id), |room| Ok(shown(&self.reader.tail(id, view, lines, room)?, asked)))
    }

    /// The answer that `make` gives with as much room as leaves it within the bound.
    fn fit(
        &self,
        id: Option<&Ids>,
        mut make: impl FnMut(usize) -> Result<Answer, FetchError>,
    ) -> Result<Answer, String> {
        let mut room =
            self.max_chars.saturating_sub(HEAD_CHARS + FENCE_CHARS).max(self.max_chars / 5);
        loop {
            let answer = make(room).map_err(|error| self.explain(error, id))?;
            let over = answer.text.chars().count().saturating_sub(self.max_chars);
            if over == 0 {
                return Ok(answer);
            }
            if room <= 8 {
                // No fence may be cut: the first line alone says how to go on.
                return Ok(self.plain(answer.text.lines().next().unwrap_or_default().to_owned()));
            }
            room = room.saturating_sub(over).min(room / 2).max(8);
        }
    }

    /// An answer that is cut when there is no other way.
    fn plain(&self, text: String) -> Answer {
        done(clip(&text, self.max_chars))
    }

    /// What is wrong, in one line, with an example of what is right. Where only the model knows what
    /// to put, `…` stands: a value of ours would be sent as it is.
    fn advise(&self, message: &str, mode: &str, id: Option<&Ids>) -> String {
        let id = id.map_or_else(|| "…".to_owned(), |id| format!("\"{id}\""));
        let rest = match mode {
            "list" => return self.with_example(message, r#"{"mode":"list"}"#),
            "grep" => ",\"pattern\":…",
            "query" | "search" => ",\"query\":…",
            "range" => ",\"start\":1,\"count\":100",
            "diff" => ",\"other\":…",
            _ => "",
        };
        self.with_example(message, &format!("{{\"id\":{id},\"mode\":\"{mode}\"{rest}}}"))
    }

    fn with_example(&self, message: &str, example: &str) -> String {
        format!("{}: {message}. Modes: {MODES}. Example: {example}", self.name)
    }

    /// What went wrong and what to do about it.
    fn explain(&self, error: FetchError, id: Option<&Ids>) -> String {
        let name = self.name;
        let shown = id.map(Ids::to_string).unwrap_or_default();
        match error {
            FetchError::Gone(tombstone) => self.gone(&tombstone),
            FetchError::Ambiguous(ids) => {
                let ids: Vec<String> = ids.iter().take(4).map(|id| id.to_string()).collect();
                format!(
                    "{name}: several results have the id {shown}. Use one of: {}",
                    ids.join(", ")
                )
            }
            FetchError::Unknown => format!(
                "{name}: {shown} is not found: nothing of this id was stored here, or it is long \
                 gone. Check the id against the excerpt, or see what there is: {{\"mode\":\"list\"}}"
            ),
            FetchError::TooLarge { chars } => {
                let most = self.reader.settings.full_max_chars;
                let message = format!(
                    "full is refused: {shown} has {chars} characters, and full shows at most \
                     {most}. Find what you need with grep, or read parts with range"
                );
                self.advise(&message, "grep", id)
            }
            FetchError::Corrupt { offset } => format!(
                "{name}: {shown} is damaged at byte {offset}, so that part cannot be shown. Other \
                 parts can still be read; for all of it, run the tool again"
            ),
            FetchError::OutOfRange { unit, total } => {
                let unit = unit.as_str();
                self.advise(&format!("start is past the end: there are {total} {unit}"), "tail", id)
            }
            FetchError::Invalid { argument: "session", message } => {
                format!("{name}: nothing can be read without a session: {message}")
            }
            FetchError::Invalid { argument, .. } | FetchError::TooCostly { argument, .. } => {
                let mode = match argument {
                    "pattern" => "grep",
                    "query" | "by" | "reduce" | "path" | "whole" => "query",
                    "other" | "key" => "diff",
                    "cursor" if id.is_none() => "list",
                    _ => "range",
                };
                self.advise(&error.to_string(), mode, id)
            }
            FetchError::MalformedId(error) => self.advise(&error.to_string(), "stat", id),
            // The cause, with its paths, is for the host's log, not for the model.
            FetchError::Storage(error) => format!(
                "{name}: the store cannot be read now{}. Try once more; if that fails too, run the \
                 tool again",
                error.cause().map_or_else(String::new, |cause| format!(": {cause}"))
            ),
        }
    }

    fn gone(&self, tombstone: &Tombstone) -> String {
        let record = &tombstone.record;
        let tool = match record.tool.as_str() {
            "" => "the tool".to_owned(),
            tool => token(tool, 80),
        };
        let size = tombstone.bytes.map_or_else(String::new, |bytes| format!(" ({bytes} bytes)"));
        let mut text = format!(
            "{}: {}{size} is gone for good: {} on {}. Don't retry. If you still need it, run {tool} \
             again",
            self.name,
            tombstone.id,
            tombstone.reason,
            utc(tombstone.since),
        );
        if let Some(source) = &record.source {
            text.push_str(&format!(" for {}", token(source, 120)));
        }
        if let Some(digest) = &record.arguments_digest {
            text.push_str(&format!(" (sha256 of its arguments: {})", clip(digest, 64)));
        }
        text
    }
}

fn shown(page: &Page, asked: Asked<'_>) -> Answer {
    done(answer::page(page, asked))
}

fn done(text: String) -> Answer {
    Answer { text, is_error: false, more: None }
}

#[cfg(test)]
mod announced_tests;
#[cfg(test)]
mod tests;
