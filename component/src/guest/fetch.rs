//! `fetch`.

use std::time::{SystemTime, UNIX_EPOCH};

use super::spill::handle;
use super::{Component, now, open, with_settings};
use crate::abi::exports::weir::plugin::fetch as wit;
use crate::fetch::page::Encoding;
use crate::fetch::pattern::{Case, Pattern};
use crate::fetch::range::{Page, Range, Unit};
use crate::fetch::{FetchError, GrepQuery, Reader, Stat, View};
use crate::handle::BlobId;
use crate::spill::result::Handle;
use crate::store::{Reason, Tombstone};

impl wit::Guest for Component {
    fn stat(session: String, id: String) -> Result<wit::BlobStat, wit::FetchError> {
        with_reader(&session, |reader| Ok(stat(reader.stat(&parse(&id)?)?)))
    }

    fn range(
        session: String,
        id: String,
        view_: wit::View,
        unit_: wit::Unit,
        start: i64,
        count: Option<u64>,
    ) -> Result<wit::Page, wit::FetchError> {
        let range = Range { unit: unit(unit_), start, count };
        with_reader(&session, |reader| {
            Ok(page(reader.range(
                &parse(&id)?,
                view(view_),
                range,
                reader.settings.max_chars as usize,
            )?))
        })
    }

    fn head(
        session: String,
        id: String,
        view_: wit::View,
        lines: Option<u32>,
    ) -> Result<wit::Page, wit::FetchError> {
        with_reader(&session, |reader| {
            let lines = u64::from(lines.unwrap_or(reader.settings.default_lines));
            Ok(page(reader.head(
                &parse(&id)?,
                view(view_),
                lines,
                reader.settings.max_chars as usize,
            )?))
        })
    }

    fn tail(
        session: String,
        id: String,
        view_: wit::View,
        lines: Option<u32>,
    ) -> Result<wit::Page, wit::FetchError> {
        with_reader(&session, |reader| {
            let lines = u64::from(lines.unwrap_or(reader.settings.default_lines));
            Ok(page(reader.tail(
                &parse(&id)?,
                view(view_),
                lines,
                reader.settings.max_chars as usize,
            )?))
        })
    }

    fn full(session: String, id: String, view_: wit::View) -> Result<wit::Page, wit::FetchError> {
        with_reader(&session, |reader| Ok(page(reader.full(&parse(&id)?, view(view_))?)))
    }

    fn grep(
        session: String,
        id: String,
        view_: wit::View,
        query: wit::GrepQuery,
    ) -> Result<wit::GrepPage, wit::FetchError> {
        let query = GrepQuery {
            pattern: Pattern {
                text: query.pattern,
                regex: query.regex,
                case: match query.case {
                    wit::Case::Smart => Case::Smart,
                    wit::Case::Sensitive => Case::Sensitive,
                    wit::Case::Insensitive => Case::Insensitive,
                },
                word: query.word,
            },
            invert: query.invert,
            count_only: query.count_only,
            before: query.before,
            after: query.after,
            max_matches: query.max_matches,
            from: query.start,
        };
        with_reader(&session, |reader| {
            let page = reader.grep(
                &parse(&id)?,
                view(view_),
                &query,
                reader.settings.max_chars as usize,
            )?;
            let hit = |line: crate::fetch::listing::Line| wit::Hit {
                line: line.line,
                column: line.column,
                byte: line.byte,
                text: line.text,
                cut_before: line.cut_before,
                cut_after: line.cut_after,
            };
            Ok(wit::GrepPage {
                hits: page.lines.into_iter().map(hit).collect(),
                matches: page.matches,
                complete: page.complete,
                scanned_from: page.scanned_from,
                scanned_to: page.scanned_to,
                total_bytes: page.total_bytes,
                next: page.next.map(|cursor| cursor.byte),
                windowed: page.windowed,
            })
        })
    }

    fn list(
        session: String,
        after: Option<String>,
        limit: u32,
    ) -> Result<wit::Listing, wit::FetchError> {
        with_reader(&session, |reader| {
            let page = reader.list(after.as_deref(), limit as usize)?;
            // A blob that goes while it is listed is left out.
            let entries = page.entries.into_iter().filter_map(|entry| reader.describe(entry).ok());
            Ok(wit::Listing {
                entries: entries.map(stat).collect(),
                next: page.next,
                total: page.total as u64,
            })
        })
    }
}

/// Runs a read as one session, in the contract's errors.
fn with_reader<R>(
    session: &str,
    read: impl FnOnce(&Reader<'_>) -> Result<R, FetchError>,
) -> Result<R, wit::FetchError> {
    with_settings(|settings| {
        let store = open(settings).map_err(FetchError::from)?;
        read(&Reader { store: &store, settings: &settings.fetch, session, now: now() })
    })
    .map_err(error)
}

fn parse(id: &str) -> Result<BlobId, FetchError> {
    BlobId::parse(id).map_err(FetchError::MalformedId)
}

fn view(view: wit::View) -> View {
    match view {
        wit::View::Text => View::Text,
        wit::View::Raw => View::Raw,
    }
}

fn unit(unit: wit::Unit) -> Unit {
    match unit {
        wit::Unit::Lines => Unit::Lines,
        wit::Unit::Bytes => Unit::Bytes,
        wit::Unit::Chars => Unit::Chars,
    }
}

fn wit_unit(unit: Unit) -> wit::Unit {
    match unit {
        Unit::Lines => wit::Unit::Lines,
        Unit::Bytes => wit::Unit::Bytes,
        Unit::Chars => wit::Unit::Chars,
    }
}

fn page(page: Page) -> wit::Page {
    wit::Page {
        content: page.content,
        encoding: match page.encoding {
            Encoding::Utf8 => wit::Encoding::Utf8,
            Encoding::Escaped => wit::Encoding::Escaped,
        },
        unit: wit_unit(page.unit),
        start: page.start,
        end: page.end,
        total: page.total,
        start_byte: page.start_byte,
        end_byte: page.end_byte,
        next: page.next.map(|next| wit::Cursor {
            unit: wit_unit(next.unit),
            start: next.start,
            count: next.count,
        }),
    }
}

/// Seconds since 1970; 0 for anything before.
fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).map_or(0, |age| age.as_secs())
}

fn stat(stat: Stat) -> wit::BlobStat {
    let entry = stat.entry;
    let record = entry.record;
    wit::BlobStat {
        handle: handle(Handle {
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
        }),
        raw_lines: entry.lines,
        raw_chars: entry.chars,
        stored_at: entry.created.map(seconds),
        used_at: seconds(entry.last_use),
        expires_at: stat.expires.map(seconds),
        pinned: entry.pinned,
        arguments_digest: record.arguments_digest,
    }
}

fn tombstone(tombstone: Tombstone) -> wit::Tombstone {
    wit::Tombstone {
        reason: match tombstone.reason {
            Reason::Expired => wit::GoneReason::Expired,
            Reason::Evicted => wit::GoneReason::Evicted,
            Reason::Deleted => wit::GoneReason::Deleted,
            Reason::Corrupt => wit::GoneReason::Corrupt,
        },
        tool: tombstone.record.tool,
        bytes: tombstone.bytes,
        source: tombstone.record.source,
        arguments_digest: tombstone.record.arguments_digest,
        gone_at: seconds(tombstone.since),
    }
}

fn error(error: FetchError) -> wit::FetchError {
    match error {
        FetchError::MalformedId(_) => wit::FetchError::MalformedId,
        FetchError::Ambiguous(ids) => {
            wit::FetchError::Ambiguous(ids.iter().map(ToString::to_string).collect())
        }
        FetchError::Gone(gone) => wit::FetchError::Gone(tombstone(*gone)),
        FetchError::Unknown => wit::FetchError::Unknown,
        FetchError::OutOfRange { total, .. } => wit::FetchError::OutOfRange(total),
        FetchError::TooLarge { chars } => wit::FetchError::TooLarge(chars),
        FetchError::Corrupt { offset } => wit::FetchError::Corrupt(offset),
        FetchError::Invalid { argument, message } => {
            wit::FetchError::Invalid(wit::BadArgument { argument: argument.to_owned(), message })
        }
        FetchError::Storage(error) => wit::FetchError::Storage(error.to_string()),
    }
}
