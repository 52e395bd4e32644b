//! Reading back what was stored, a bounded part at a time.
//!
//! ```text
//! id ─► store: who may read it ─► range | grep | full ─► page (bounded, with a cursor)
//! ```
//!
//! Here are the typed functions; [`tool`] is the same for models. What is read is by default the
//! text inside the envelope, when the result was one, and the exact bytes as [`View::Raw`].

mod answer;
mod arguments;
#[cfg(feature = "full-regex")]
mod ascii;
mod buffer;
pub mod grep;
pub mod listing;
mod literal;
pub mod page;
pub mod pattern;
pub mod position;
pub mod range;
pub mod tool;

use std::time::SystemTime;

use crate::handle::{BlobId, ParseIdError};
use crate::settings::FetchSettings;
use crate::source::{Indexed, Mark, ReadError};
use crate::store::{self, Blob, BlobStore, Entry, LookupError, StoreError, Tombstone};
use grep::{GrepOptions, GrepPage};
use pattern::{Matcher, Pattern};
use range::{Page, Range, RangeError, Unit};

/// The most entries one listing may have.
pub const LIST_MAX_ENTRIES: usize = 200;

/// Which bytes of a stored result are meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    /// The text inside the envelope when the result was one, else the exact bytes.
    #[default]
    Text,
    /// The exact bytes as they came.
    Raw,
}

/// What to search for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrepQuery {
    /// The pattern.
    pub pattern: Pattern,
    /// Whether lines are wanted that do not match.
    pub invert: bool,
    /// Whether only the count is wanted.
    pub count_only: bool,
    /// Lines of context before a hit; at most [`grep::MAX_CONTEXT_LINES`].
    pub before: u32,
    /// Lines of context after a hit; at most [`grep::MAX_CONTEXT_LINES`].
    pub after: u32,
    /// The most hits on this page; `None` for the setting, and never more than a thousand.
    pub max_matches: Option<u32>,
    /// The byte to start at.
    pub from: u64,
}

/// What is known of a stored result.
#[derive(Debug, Clone)]
pub struct Stat {
    /// As the store has it; its measures are of the exact bytes.
    pub entry: Entry,
    /// The measures of what [`View::Text`] shows.
    pub text: Mark,
    /// The number of its lines.
    pub text_lines: u64,
    /// When it goes if nobody reads it; `None` while it is pinned.
    pub expires: Option<SystemTime>,
}

/// Why a read could not be answered. Each asks for another reaction.
#[derive(Debug)]
#[non_exhaustive]
pub enum FetchError {
    /// The id is none.
    MalformedId(ParseIdError),
    /// Several blobs of this session begin so.
    Ambiguous(Vec<BlobId>),
    /// This session had it, and it is gone for good.
    Gone(Box<Tombstone>),
    /// It exists, but belongs to another session.
    Foreign,
    /// Nothing of this id was ever stored here, or it is long gone.
    Unknown,
    /// The position is past the end.
    OutOfRange {
        /// What the total counts.
        unit: Unit,
        /// How many there are.
        total: u64,
    },
    /// A full read is over its limit.
    TooLarge {
        /// How many characters there are.
        chars: u64,
    },
    /// The stored bytes are damaged from this byte on. Other parts can still be read.
    Corrupt {
        /// Where the damage starts.
        offset: u64,
    },
    /// An argument cannot be used.
    Invalid {
        /// Its name.
        argument: &'static str,
        /// What is wrong and what would be right.
        message: String,
    },
    /// The store failed for a reason of its own.
    Storage(StoreError),
}

impl std::fmt::Display for FetchError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            FetchError::MalformedId(error) => error.fmt(f),
            FetchError::Ambiguous(_) => f.write_str("several blobs have this id; use a longer one"),
            FetchError::Gone(tombstone) => write!(f, "the blob is gone: {}", tombstone.reason),
            FetchError::Foreign => f.write_str("this blob belongs to another session"),
            FetchError::Unknown => f.write_str("there is no such blob"),
            FetchError::OutOfRange { unit, total } => {
                write!(f, "the start is past the end: there are {total} {}", unit.as_str())
            }
            FetchError::TooLarge { chars } => write!(f, "{chars} characters are too many for full"),
            FetchError::Corrupt { offset } => {
                write!(f, "the stored bytes are damaged at byte {offset}")
            }
            FetchError::Invalid { argument, message } => write!(f, "{argument}: {message}"),
            FetchError::Storage(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for FetchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            FetchError::MalformedId(error) => Some(error),
            FetchError::Storage(error) => Some(error),
            _ => None,
        }
    }
}

impl From<LookupError> for FetchError {
    fn from(error: LookupError) -> Self {
        match error {
            LookupError::Ambiguous(ids) => FetchError::Ambiguous(ids),
            LookupError::Gone(tombstone) => FetchError::Gone(tombstone),
            LookupError::Foreign => FetchError::Foreign,
            LookupError::Unknown => FetchError::Unknown,
            LookupError::Store(error) => error.into(),
        }
    }
}

impl From<StoreError> for FetchError {
    fn from(error: StoreError) -> Self {
        match error {
            StoreError::Corrupt { offset, .. } => FetchError::Corrupt { offset },
            StoreError::Missing { .. } => FetchError::Unknown,
            StoreError::BadSession { reason } => {
                FetchError::Invalid { argument: "session", message: reason.to_owned() }
            }
            error => FetchError::Storage(error),
        }
    }
}

impl From<ReadError> for FetchError {
    fn from(error: ReadError) -> Self {
        match error {
            ReadError::Corrupt { offset } => FetchError::Corrupt { offset },
            ReadError::Io(source) => {
                FetchError::Storage(StoreError::Io { path: "blobs".into(), source })
            }
        }
    }
}

/// One session's reads.
#[derive(Debug, Clone, Copy)]
pub struct Reader<'a> {
    /// Where from.
    pub store: &'a BlobStore,
    /// How much one answer may hold.
    pub settings: &'a FetchSettings,
    /// Who asks. Empty for nobody in particular, who may read everything where
    /// [`FetchSettings::legacy_global`] is on, and nothing where it is off.
    pub session: &'a str,
    /// When.
    pub now: SystemTime,
}

/// A blob that is open for reading.
struct Opened {
    entry: Entry,
    blob: Blob,
}

impl Reader<'_> {
    /// What is known of a stored result, whatever its size. Does not prolong its life.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn stat(&self, id: &BlobId) -> Result<Stat, FetchError> {
        self.counted("stat", || {
            let Opened { entry, .. } = self.open(id, View::Text)?;
            self.note(&entry, "stat", 0);
            self.describe(entry)
        })
    }

    /// What is known of an entry of a listing.
    ///
    /// # Errors
    /// [`FetchError`], when its blob has gone or is damaged.
    pub fn describe(&self, entry: Entry) -> Result<Stat, FetchError> {
        let blob = self.store.open_blob(&entry.record.text_view.unwrap_or(entry.digest))?;
        let settings = self.store.settings();
        let lives = if entry.hot { settings.hot_ttl } else { settings.ttl };
        let expires = if entry.pinned { None } else { entry.last_use.checked_add(lives) };
        Ok(Stat { text: blob.totals(), text_lines: blob.lines()?, expires, entry })
    }

    /// Reads from a position on, at most `max_chars` characters.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn range(
        &self,
        id: &BlobId,
        view: View,
        range: Range,
        max_chars: usize,
    ) -> Result<Page, FetchError> {
        self.paged("range", id, view, |blob| {
            range::read(blob, range, max_chars).map_err(|error| match error {
                RangeError::OutOfRange { total } => {
                    FetchError::OutOfRange { unit: range.unit, total }
                }
                RangeError::Read(error) => error.into(),
            })
        })
    }

    /// The first `lines` lines, as far as `max_chars` characters go.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn head(
        &self,
        id: &BlobId,
        view: View,
        lines: u64,
        max_chars: usize,
    ) -> Result<Page, FetchError> {
        let range = Range { unit: Unit::Lines, start: 1, count: Some(lines) };
        self.paged("head", id, view, |blob| match range::read(blob, range, max_chars) {
            Ok(page) => Ok(page),
            Err(RangeError::OutOfRange { total }) => {
                Err(FetchError::OutOfRange { unit: Unit::Lines, total })
            }
            Err(RangeError::Read(error)) => Err(error.into()),
        })
    }

    /// The last `lines` lines, as many of them as `max_chars` characters hold.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn tail(
        &self,
        id: &BlobId,
        view: View,
        lines: u64,
        max_chars: usize,
    ) -> Result<Page, FetchError> {
        self.paged("tail", id, view, |blob| Ok(range::tail(blob, lines, max_chars)?))
    }

    /// All of it, up to [`FetchSettings::full_max_chars`].
    ///
    /// # Errors
    /// [`FetchError::TooLarge`] when there is more and [`FetchSettings::refuse_full`] is on.
    pub fn full(&self, id: &BlobId, view: View) -> Result<Page, FetchError> {
        let max_chars = self.settings.full_max_chars as usize;
        self.paged("full", id, view, |blob| {
            range::full(blob, max_chars, self.settings.refuse_full)?
                .map_err(|chars| FetchError::TooLarge { chars })
        })
    }

    /// Searches line by line, a bounded piece in one call; shows at most `max_chars` characters.
    ///
    /// # Errors
    /// [`FetchError::Invalid`] for a pattern that cannot be searched for; else [`FetchError`].
    pub fn grep(
        &self,
        id: &BlobId,
        view: View,
        query: &GrepQuery,
        max_chars: usize,
    ) -> Result<GrepPage, FetchError> {
        const MOST: u32 = 1_000;
        let settings = self.settings;
        self.counted("grep", || {
            let matcher = Matcher::new(&query.pattern)
                .map_err(|bad| FetchError::Invalid { argument: "pattern", message: bad.0 })?;
            let max_hits = match query.max_matches.unwrap_or(settings.grep_max_matches) {
                _ if query.count_only => 0,
                max => max.clamp(1, MOST),
            };
            let options = GrepOptions {
                invert: query.invert,
                before: query.before,
                after: query.after,
                max_hits: max_hits as usize,
                line_chars: (settings.grep_line_chars as usize).clamp(8, (max_chars / 2).max(8)),
                max_chars,
                from: query.from,
            };
            let Opened { entry, blob } = self.open(id, view)?;
            let page = grep::grep(&blob, &matcher, &options)?;
            let shown = page.lines.iter().map(|line| line.text.chars().count() as u64).sum();
            self.note(&entry, "grep", shown);
            Ok(page)
        })
    }

    /// What the session has stored, the last used first: at most `limit` entries (and never more
    /// than [`LIST_MAX_ENTRIES`]) after the cursor `after`.
    ///
    /// # Errors
    /// [`FetchError::Invalid`] for a session that has no name, [`FetchError::Storage`].
    pub fn list(&self, after: Option<&str>, limit: usize) -> Result<store::Page, FetchError> {
        self.counted("list", || {
            Ok(self.store.list(self.session, after, limit.clamp(1, LIST_MAX_ENTRIES))?)
        })
    }

    /// Reads one page and notes that it was read.
    fn paged(
        &self,
        mode: &str,
        id: &BlobId,
        view: View,
        read: impl FnOnce(&dyn Indexed) -> Result<Page, FetchError>,
    ) -> Result<Page, FetchError> {
        self.counted(mode, || {
            let Opened { entry, blob } = self.open(id, view)?;
            let page = read(&blob)?;
            self.note(&entry, mode, page.content.chars().count() as u64);
            Ok(page)
        })
    }

    fn open(&self, id: &BlobId, view: View) -> Result<Opened, FetchError> {
        let anyone = self.session.is_empty() && self.settings.legacy_global;
        let session = (!anyone).then_some(self.session);
        let entry = self.store.resolve(session, id, self.now)?;
        let digest = match (view, entry.record.text_view) {
            (View::Text, Some(text)) => text,
            _ => entry.digest,
        };
        let blob = self.store.open_blob(&digest)?;
        Ok(Opened { entry, blob })
    }

    /// Keeps what was read alive. What was read is good even where that fails.
    fn note(&self, entry: &Entry, mode: &str, chars_shown: u64) {
        let _ = self.store.note_fetch(entry, mode, chars_shown, self.now);
    }

    /// Counts a read that could not be answered.
    fn counted<T>(
        &self,
        mode: &str,
        read: impl FnOnce() -> Result<T, FetchError>,
    ) -> Result<T, FetchError> {
        let answer = read();
        if let Err(error) = &answer {
            let outcome = match error {
                FetchError::Gone(_) | FetchError::Foreign | FetchError::Unknown => {
                    store::Outcome::Missing
                }
                FetchError::Corrupt { .. } => store::Outcome::Corrupt,
                _ => store::Outcome::Refused,
            };
            // The count is all that could be lost.
            let _ = self.store.count_fetch(mode, outcome, 0);
        }
        answer
    }
}
