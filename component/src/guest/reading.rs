//! `reading`.

use super::convert::{Convert, cases, record};
use super::transform::Named;
use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::reading as wit;
use crate::abi::exports::weir::plugin::types::Failure;
use crate::fetch::diff::{DiffAnswer, DiffRequest};
use crate::fetch::grep::Place;
use crate::fetch::outline::{OutlineAnswer, OutlineEntry, OutlineRequest};
use crate::fetch::page::Encoding;
use crate::fetch::pattern::{Case, Pattern};
use crate::fetch::query::{QueryAnswer, QueryRequest};
use crate::fetch::range::{Page, Range, Unit};
use crate::fetch::search::{Passage, SearchAnswer, SearchRequest};
use crate::fetch::typed::{Found, Part, Typed};
use crate::fetch::{FetchError, GrepQuery, Reader, Stat, View, listing};
use crate::handle::Ids;

cases!(wit::View = View { Text, Raw });
cases!(wit::Unit = Unit { Lines, Bytes, Chars });
cases!(wit::CaseMode => Case { Smart, Sensitive, Insensitive });
cases!(Encoding => wit::Encoding { Utf8, Escaped });
record!(OutlineEntry => wit::OutlineEntry { label, detail, call });
record!(Passage => wit::Passage {
    id, tool, first_line = start_line, last_line = end_line, start_byte, end_byte, text,
});

/// A page of the contract from one of ours: the same fields, and how to go on.
macro_rules! part {
    ($from:ty => $to:ident { $($field:ident $(= $source:ident)?),* $(,)? } $($pending:ident)?) => {
        impl Convert<wit::$to> for Part<$from> {
            fn convert(self) -> wit::$to {
                let Part { page: from, pending: _pending, more } = self;
                wit::$to {
                    $($field: part!(@ from $field $($source)?).convert(),)*
                    more,
                    $($pending: _pending,)?
                }
            }
        }
    };
    (@ $from:ident $field:ident) => { $from.$field };
    (@ $from:ident $field:ident $source:ident) => { $from.$source };
}

part!(Page => Page { content, encoding, unit, start, end, total, start_byte, end_byte });
part!(QueryAnswer => QueryPage {
    content, is_table = table, results, rows, first_row, last_row, failed_rows = failed,
    first_failure, notes, complete,
} pending);
part!(OutlineAnswer => OutlinePage { about, entries, total, complete } pending);
part!(SearchAnswer => PassagePage {
    passages, matching, searched, total, unreadable, bytes, complete, not_searched,
} pending);
part!(DiffAnswer => DiffPage {
    older, newer, compared = unit, added, removed, changed, same, content, notes, complete,
});
record!(listing::Line => wit::GrepLine { line, column, byte, text, cut_before, cut_after });

impl wit::Guest for Component {
    fn stat(session: String, id: String) -> Result<wit::BlobStat, Failure> {
        with_reader(&session, |reader| Ok(blob_stat(reader.0.stat(&Ids::parse_lenient(&id)?)?)))
    }

    fn read(
        session: String,
        id: String,
        view: wit::View,
        unit: wit::Unit,
        start: i64,
        count: Option<u64>,
        more: Option<String>,
    ) -> Result<wit::Page, Failure> {
        let range = Range { unit: unit.convert(), start, count };
        with_reader(&session, |reader| {
            let id = Ids::parse_lenient(&id)?;
            Ok(reader.range(&id, view.convert(), range, more.as_deref())?.convert())
        })
    }

    fn read_end(
        session: String,
        id: String,
        view: wit::View,
        lines: Option<u64>,
        more: Option<String>,
    ) -> Result<wit::Page, Failure> {
        with_reader(&session, |reader| {
            let lines = lines.unwrap_or(reader.0.settings.default_lines.into());
            let id = Ids::parse_lenient(&id)?;
            Ok(reader.tail(&id, view.convert(), lines, more.as_deref())?.convert())
        })
    }

    fn read_all(
        session: String,
        id: String,
        view: wit::View,
        more: Option<String>,
    ) -> Result<wit::Page, Failure> {
        with_reader(&session, |reader| {
            let id = Ids::parse_lenient(&id)?;
            Ok(reader.full(&id, view.convert(), more.as_deref())?.convert())
        })
    }

    fn grep(
        session: String,
        id: String,
        view: wit::View,
        request: wit::GrepRequest,
        more: Option<String>,
    ) -> Result<wit::GrepPage, Failure> {
        let query = GrepQuery {
            pattern: Pattern {
                text: request.pattern,
                regex: request.regex,
                case: request.case_mode.convert(),
                word: request.word,
            },
            invert: request.invert,
            count_only: request.count_only,
            before: request.before,
            after: request.after,
            max_matches: request.max_matches,
            place: Place::at(request.start),
        };
        with_reader(&session, |reader| {
            let id = Ids::parse_lenient(&id)?;
            Ok(reader.grep(&id, view.convert(), &query, more.as_deref())?.convert())
        })
    }

    fn query(
        session: String,
        id: String,
        view: wit::View,
        request: wit::QueryRequest,
        more: Option<String>,
    ) -> Result<wit::QueryPage, Failure> {
        with_reader(&session, |reader| {
            let request = QueryRequest {
                id: Ids::parse_lenient(&id)?,
                view: view.convert(),
                program: request.program,
                path: request.path,
                by: request.by,
                reduce: request.reduce,
                whole: request.whole,
                table: request.as_table,
                limit: request.max_results,
                cursor: None,
            };
            Ok(reader.query(request, more.as_deref())?.convert())
        })
    }

    fn outline(
        session: String,
        id: String,
        view: wit::View,
        path: Option<String>,
        more: Option<String>,
    ) -> Result<wit::OutlinePage, Failure> {
        with_reader(&session, |reader| {
            let id = Ids::parse_lenient(&id)?;
            let request = OutlineRequest { id, view: view.convert(), path, cursor: None };
            Ok(reader.outline(request, more.as_deref())?.convert())
        })
    }

    fn search(
        session: String,
        id: Option<String>,
        words: String,
        max_passages: Option<u64>,
        more: Option<String>,
    ) -> Result<wit::PassagePage, Failure> {
        with_reader(&session, |reader| {
            let id = id.as_deref().map(Ids::parse_lenient).transpose()?;
            let request = SearchRequest { query: words, id, limit: max_passages, cursor: None };
            let answer = reader.search(request, more.as_deref());
            Ok(answer.map_err(|error| renamed(error, "query", "words"))?.convert())
        })
    }

    fn diff(
        session: String,
        id: String,
        request: wit::DiffRequest,
        more: Option<String>,
    ) -> Result<wit::DiffPage, Failure> {
        with_reader(&session, |reader| {
            let request = DiffRequest {
                id: Ids::parse_lenient(&id)?,
                other: request.older.as_deref().map(Ids::parse_lenient).transpose()?,
                key: request.key,
                lines: request.by_lines,
                only: None,
                cursor: None,
            };
            let answer = reader.diff(request, more.as_deref());
            Ok(answer.map_err(|error| renamed(error, "other", "older"))?.convert())
        })
    }

    fn list_blobs(
        session: String,
        max_entries: u32,
        more: Option<String>,
    ) -> Result<wit::BlobList, Failure> {
        with_reader(&session, |reader| {
            let Part { page, more, .. } = reader.list(max_entries as usize, more.as_deref())?;
            // A blob that goes while it is listed is left out.
            let entries =
                page.entries.into_iter().filter_map(|entry| reader.0.describe(entry).ok());
            Ok(wit::BlobList {
                entries: entries.map(blob_stat).collect(),
                more,
                total: page.total as u64,
            })
        })
    }
}

/// Runs a read as one session.
fn with_reader<R>(
    session: &str,
    read: impl FnOnce(&Typed<'_>) -> Result<R, Failure>,
) -> Result<R, Failure> {
    with_settings(|settings| {
        let store = open(settings).map_err(FetchError::from)?;
        let reader = Reader::new(&store, &settings.fetch, session, now());
        read(&Typed(&reader, settings.fetch.max_chars as usize))
    })
}

/// A refusal of an argument that the contract has under another name.
fn renamed(error: FetchError, ours: &str, theirs: &'static str) -> FetchError {
    match error {
        FetchError::Invalid { argument, message } if argument == ours => {
            FetchError::Invalid { argument: theirs, message }
        }
        other => other,
    }
}

impl Convert<wit::GrepPage> for Part<Found> {
    fn convert(self) -> wit::GrepPage {
        let Part { page: Found { page, view, searched_around }, pending, more } = self;
        let long = page.windowed.then_some("a match of over 4 KiB within one very long line");
        let left_out = page.left_out.filter(|_| !searched_around);
        let words: Vec<&str> = long.into_iter().chain(left_out).collect();
        wit::GrepPage {
            lines: page.lines.convert(),
            view: view.convert(),
            matches: page.matches,
            matching_lines: page.matching_lines,
            complete: page.complete,
            searched_to: page.scanned_to,
            total_bytes: page.total_bytes,
            not_searched: (!words.is_empty()).then(|| words.join("; ")),
            pending,
            more,
        }
    }
}

fn blob_stat(stat: Stat) -> wit::BlobStat {
    let entry = stat.entry;
    let record = entry.record;
    wit::BlobStat {
        handle: Named {
            id: entry.id,
            digest: entry.digest,
            tool: record.tool,
            kind: record.kind,
            media_type: record.media_type.unwrap_or_default(),
            bytes: entry.bytes,
            chars: stat.text.chars,
            lines: stat.text_lines,
            estimated_tokens: record.estimated_tokens,
            source: record.source,
            envelope: record.envelope,
            shown_chars: None,
            is_repeat: None,
        }
        .convert(),
        raw_lines: entry.lines,
        raw_chars: entry.chars,
        stored_at: entry.created.convert(),
        used_at: entry.last_use.convert(),
        expires_at: stat.expires.convert(),
        pinned: entry.pinned,
        arguments_digest: record.arguments_digest,
    }
}
