//! Reading back what was stored, a bounded part at a time.
//!
//! ```text
//! id ─► store: who may read it ─► range | grep | full ─────────────► page (bounded, with a cursor)
//!                               └─► query | outline | search | diff ─► answer (likewise)
//! ```
//!
//! Here are the typed functions; [`tool`] is the same for models. What is read is by default the
//! text inside the envelope, when the result was one, and the exact bytes as [`View::Raw`].

mod answer;
mod arguments;
mod counted;
pub mod diff;
mod engine;
mod error;
mod escaped;
pub mod grep;
mod joined;
pub mod listing;
mod literal;
mod mapped;
mod more;
pub mod outline;
pub mod page;
pub mod pattern;
pub mod position;
pub mod query;
pub mod range;
mod recall;
pub mod search;
pub mod tool;
pub mod typed;
mod view;

pub use answer::Answer;
pub use error::FetchError;
pub use grep::GrepQuery;
use view::left_out;
pub use view::{Stat, View};

use std::borrow::Cow;
use std::time::SystemTime;

use crate::content::kind::Kind;
use crate::handle::{BlobId, Ids};
use crate::limits::Work;
use crate::settings::FetchSettings;
use crate::sort::sort_by_key;
use crate::source::Indexed;
use crate::store::{self, Blob, BlobStore, Entry, StoreError};
use diff::{DiffAnswer, DiffRequest};
use grep::{GrepOptions, GrepPage};
use joined::Joined;
use outline::{OutlineAnswer, OutlineRequest};
use pattern::Matcher;
use query::{QueryAnswer, QueryRequest};
use range::{Page, Range, RangeError, Unit};
use search::{SearchAnswer, SearchRequest};

/// The most entries one listing may have.
pub const LIST_MAX_ENTRIES: usize = 200;

/// Where a path can point when the text was taken out of its envelope.
const RAW_PATH: &str = "with view \"raw\" it is for the JSON that this text stood in";

/// What the bytes of a view are. An envelope is JSON, and what words stand in a text.
fn kind_of(entry: &Entry, view: View) -> Kind {
    match (view, &entry.record.envelope) {
        (View::Raw, Some(_)) if entry.record.is_in_json() => Kind::Json,
        (View::Raw, Some(_)) => Kind::Text,
        _ => entry.record.kind,
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
    /// How much one call does.
    pub work: Work,
    /// What several ids stand for, where a call has put that together already.
    joined: Option<&'a Joined>,
}

impl<'a> Reader<'a> {
    /// Reads as much in one call as a call may.
    pub fn new(
        store: &'a BlobStore,
        settings: &'a FetchSettings,
        session: &'a str,
        now: SystemTime,
    ) -> Reader<'a> {
        Reader { store, settings, session, now, work: Work::CALL, joined: None }
    }
}

/// A blob that is open for reading, or several as one.
struct Opened<'j> {
    entry: Entry,
    bytes: Bytes<'j>,
}

enum Bytes<'j> {
    Blob(Blob),
    Joined(Cow<'j, Joined>),
}

impl Opened<'_> {
    fn source(&self) -> &dyn Indexed {
        match &self.bytes {
            Bytes::Blob(blob) => blob,
            Bytes::Joined(joined) => &**joined,
        }
    }

    fn joined(&self) -> Option<&Joined> {
        match &self.bytes {
            Bytes::Blob(_) => None,
            Bytes::Joined(joined) => Some(joined),
        }
    }
}

impl Reader<'_> {
    /// What is known of a stored result, whatever its size. Does not prolong its life.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn stat(&self, id: impl Into<Ids>) -> Result<Stat, FetchError> {
        let id = id.into();
        self.counted("stat", || {
            let opened = self.open(&id, View::Text)?;
            self.note(&opened, "stat", 0);
            self.described(opened.entry.clone(), opened.source())
        })
    }

    /// What is known of an entry of a listing.
    ///
    /// # Errors
    /// [`FetchError`], when its blob has gone or is damaged.
    pub fn describe(&self, entry: Entry) -> Result<Stat, FetchError> {
        let blob = self.store.open_blob(&entry.record.text_view.unwrap_or(entry.digest))?;
        self.described(entry, &blob)
    }

    fn described(&self, entry: Entry, blob: &dyn Indexed) -> Result<Stat, FetchError> {
        let expires = self.store.expires(&entry, self.now);
        Ok(Stat { text: blob.totals(), text_lines: blob.lines()?, expires, entry })
    }

    /// Reads from a position on, at most `max_chars` characters.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn range(
        &self,
        id: impl Into<Ids>,
        view: View,
        range: Range,
        max_chars: usize,
    ) -> Result<Page, FetchError> {
        self.paged_range("range", id, view, range, max_chars)
    }

    /// The first `lines` lines, as far as `max_chars` characters go.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn head(
        &self,
        id: impl Into<Ids>,
        view: View,
        lines: u64,
        max_chars: usize,
    ) -> Result<Page, FetchError> {
        let range = Range { unit: Unit::Lines, start: 1, count: Some(lines) };
        self.paged_range("head", id, view, range, max_chars)
    }

    /// The last `lines` lines, as many of them as `max_chars` characters hold.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn tail(
        &self,
        id: impl Into<Ids>,
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
    pub fn full(&self, id: impl Into<Ids>, view: View) -> Result<Page, FetchError> {
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
        id: impl Into<Ids>,
        view: View,
        query: &GrepQuery,
        max_chars: usize,
    ) -> Result<GrepPage, FetchError> {
        const MOST: u32 = 1_000;
        let (settings, id) = (self.settings, id.into());
        self.counted("grep", || {
            let opened = self.open(&id, view)?;
            let entry = &opened.entry;
            let is_json = matches!(kind_of(entry, view), Kind::Json | Kind::Ndjson);
            let matcher = Matcher::of(&query.pattern, is_json)
                .map_err(|bad| FetchError::invalid("pattern", bad.0))?;
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
                slice: self.work.grep_bytes,
            };
            let page = grep::grep(opened.source(), &matcher, &options, query.place)?;
            if page.too_costly && page.matches == 0 {
                let message = answer::TOO_COSTLY.to_owned();
                return Err(FetchError::TooCostly { argument: "pattern", message });
            }
            let shown = page.lines.iter().map(|line| line.text.chars().count() as u64).sum();
            let asked = recall::of_grep(query, &page);
            self.note_asked(&opened, "grep", shown, asked);
            Ok(GrepPage { left_out: left_out(entry, view), ..page })
        })
    }

    /// Runs a program on each row and shows what comes of it: a bounded piece in one call, and at most
    /// `max_chars` characters of results.
    ///
    /// # Errors
    /// [`FetchError::Invalid`] for a program that cannot be run, or takes too much; else
    /// [`FetchError`].
    pub fn query(
        &self,
        request: &QueryRequest,
        max_chars: usize,
    ) -> Result<QueryAnswer, FetchError> {
        let request = &request.normalized();
        self.counted("query", || {
            let opened = self.open_at(&request.id, request.view, request.path.as_deref())?;
            let entry = &opened.entry;
            let is_opened = request.view == View::Text && entry.record.is_in_json();
            let kind = kind_of(entry, request.view);
            let steps = self.work.query_steps;
            let mut answer = match opened.joined() {
                Some(joined) => query::query_joined(joined, kind, request, max_chars, steps),
                None => query::query(opened.source(), kind, request, max_chars, steps),
            }
            .map_err(|error| match error {
                FetchError::Invalid { argument: "path", message } if is_opened => {
                    let message = format!("{message}; {RAW_PATH}");
                    FetchError::Invalid { argument: "path", message }
                }
                other => other,
            })?;
            if let Some(left_out) = left_out(entry, request.view)
                && answer.complete
                && answer.results == 0
            {
                answer.notes.push(format!("{left_out} was not read"));
            }
            let asked = recall::of_query(request, &answer);
            self.note_asked(&opened, "query", answer.content.chars().count() as u64, asked);
            Ok(answer)
        })
    }

    /// The shape of a result before its content, over all of it: a page of at most `max_chars`
    /// characters.
    ///
    /// # Errors
    /// [`FetchError`].
    pub fn outline(
        &self,
        request: &OutlineRequest,
        max_chars: usize,
    ) -> Result<OutlineAnswer, FetchError> {
        self.counted("outline", || {
            let opened = self.open(&request.id, request.view)?;
            let (kind, source) = (kind_of(&opened.entry, request.view), opened.source());
            let answer =
                outline::outline(source, kind, request, max_chars, self.work.outline_bytes)?;
            self.note(&opened, "outline", 0);
            Ok(answer)
        })
    }

    /// The passages of one result, or of all of the session's, that are about some words, best
    /// first: a bounded piece in one call.
    ///
    /// # Errors
    /// [`FetchError::Invalid`] for a query without a word; else [`FetchError`].
    pub fn search(
        &self,
        request: &SearchRequest,
        max_chars: usize,
    ) -> Result<SearchAnswer, FetchError> {
        self.counted("search", || {
            let terms = search::Terms::new(&request.query)?;
            let mut progress = match request.cursor.as_deref() {
                None => search::Progress::start(&terms),
                Some(cursor) => search::Progress::parse(cursor, &terms)
                    .ok_or_else(|| more::refused("cursor"))?,
            };
            let mut ids = match &request.id {
                Some(ids) => self.each(ids)?,
                None => self.store.ids(self.session)?,
            };
            sort_by_key(&mut ids, BlobId::to_string);
            let mut left = self.work.search_bytes;
            let mut complete = true;
            for id in &ids {
                let name = id.to_string();
                if !progress.done.is_empty() && name <= progress.done {
                    continue;
                }
                if left == 0 {
                    complete = false;
                    break;
                }
                let opened = match self.open_one(id, View::Text) {
                    Ok(opened) => opened,
                    Err(error) if request.id.is_some() => return Err(error),
                    Err(FetchError::Gone(_) | FetchError::Unknown) => {
                        progress.pass(&name, false);
                        continue;
                    }
                    Err(_) => {
                        progress.leave(&name, false);
                        continue;
                    }
                };
                let record = &opened.entry.record;
                if request.id.is_none() && record.kind == Kind::Binary {
                    progress.pass(&name, true);
                    left = left.saturating_sub(4_096);
                    continue;
                }
                progress.enter(&name, record);
                match progress.read(opened.source(), id, record, &terms, left) {
                    Ok((read, end)) => {
                        left = left.saturating_sub(read + 4_096);
                        if end {
                            progress.leave(&name, true);
                        } else {
                            complete = false;
                            break;
                        }
                    }
                    Err(error) if request.id.is_some() => return Err(error),
                    Err(_) => progress.leave(&name, false),
                }
            }
            let shown = |id: &str, start: u64, end: u64| {
                let id = BlobId::parse_lenient(id).map_err(FetchError::MalformedId)?;
                let opened = self.open_one(&id, View::Text)?;
                let end = end.min(start.saturating_add(8_192));
                let bytes = opened.source().read_range(start, end)?;
                self.note(&opened, "search", bytes.len() as u64);
                Ok(bytes)
            };
            progress.answer(request, ids.len() as u64, complete, max_chars, shown)
        })
    }

    /// Goes through all that the session has stored, the last used first.
    fn each_entry(&self, each: impl FnMut(Entry)) -> Result<(), FetchError> {
        // At once: each page would look at every file of the session anew.
        let all = self.store.list(self.session, None, usize::MAX, self.now)?;
        all.entries.into_iter().for_each(each);
        Ok(())
    }

    /// What changed between two results: a page of at most `max_chars` characters of changes.
    ///
    /// # Errors
    /// [`FetchError::Invalid`] when there is no earlier result to compare with; else
    /// [`FetchError`].
    pub fn diff(&self, request: &DiffRequest, max_chars: usize) -> Result<DiffAnswer, FetchError> {
        self.counted("diff", || {
            let newer = self.open(&request.id, View::Text)?;
            let other = match &request.other {
                Some(other) => other.clone(),
                None => self.earlier(&newer.entry)?.map(Ids::from).ok_or_else(|| {
                    let message = "no other result of the same call is stored in this session: \
                                   give the id to compare with";
                    FetchError::invalid("other", message)
                })?,
            };
            let older = self.open(&other, View::Text)?;
            let side = |opened: &Opened<'_>| opened.entry.record.kind;
            let mut answer = diff::diff(
                diff::Side { source: older.source(), kind: side(&older) },
                diff::Side { source: newer.source(), kind: side(&newer) },
                request,
                max_chars,
            )?;
            if answer.added + answer.removed + answer.changed == 0 {
                let mut sides = [&older.entry, &newer.entry].map(|side| left_out(side, View::Text));
                if sides[0] == sides[1] {
                    sides[1] = None;
                }
                for what in sides.into_iter().flatten() {
                    answer.notes.push(format!("{what} was not compared"));
                }
            }
            let named = |ids: &Ids, entry: &Entry| match ids.one() {
                Some(_) => entry.id.to_string(),
                None => ids.to_string(),
            };
            answer.older = named(&other, &older.entry);
            answer.newer = named(&request.id, &newer.entry);
            let shown = answer.content.chars().count() as u64;
            self.note(&newer, "diff", shown);
            self.note(&older, "diff", 0);
            Ok(answer)
        })
    }

    /// The last result of the same call before this one.
    fn earlier(&self, entry: &Entry) -> Result<Option<BlobId>, FetchError> {
        let Some(arguments) = &entry.record.arguments_digest else { return Ok(None) };
        let mut best: Option<(SystemTime, BlobId)> = None;
        self.each_entry(|other| {
            let same = other.digest != entry.digest
                && other.record.tool == entry.record.tool
                && other.record.arguments_digest.as_ref() == Some(arguments);
            let (Some(created), Some(before)) = (other.created, entry.created) else { return };
            if same && created <= before && best.is_none_or(|(latest, _)| created > latest) {
                best = Some((created, other.id));
            }
        })?;
        Ok(best.map(|(_, id)| id))
    }

    /// What the session has stored, the last used first: at most `limit` entries (and never more
    /// than [`LIST_MAX_ENTRIES`]) after the cursor `after`.
    ///
    /// # Errors
    /// [`FetchError::Invalid`] for a session that has no name, [`FetchError::Storage`].
    pub fn list(&self, after: Option<&str>, limit: usize) -> Result<store::Page, FetchError> {
        self.counted("list", || {
            if after.is_some_and(|cursor| !store::is_cursor(cursor)) {
                return Err(more::refused("cursor"));
            }
            Ok(self.store.list(self.session, after, limit.clamp(1, LIST_MAX_ENTRIES), self.now)?)
        })
    }

    fn paged_range(
        &self,
        mode: &str,
        id: impl Into<Ids>,
        view: View,
        range: Range,
        max_chars: usize,
    ) -> Result<Page, FetchError> {
        self.paged(mode, id, view, |blob| {
            range::read(blob, range, max_chars).map_err(|error| match error {
                RangeError::OutOfRange { total } => {
                    FetchError::OutOfRange { unit: range.unit, total }
                }
                RangeError::Read(error) => error.into(),
            })
        })
    }

    /// Reads one page and notes that it was read.
    fn paged(
        &self,
        mode: &str,
        id: impl Into<Ids>,
        view: View,
        read: impl FnOnce(&dyn Indexed) -> Result<Page, FetchError>,
    ) -> Result<Page, FetchError> {
        let id = id.into();
        self.counted(mode, || {
            let opened = self.open(&id, view)?;
            let page = read(opened.source())?;
            self.note(&opened, mode, page.content.chars().count() as u64);
            Ok(page)
        })
    }

    fn open(&self, ids: &Ids, view: View) -> Result<Opened<'_>, FetchError> {
        self.open_at(ids, view, None)
    }

    /// Opens what is meant; the rows of several are where `path` says.
    fn open_at(&self, ids: &Ids, view: View, path: Option<&str>) -> Result<Opened<'_>, FetchError> {
        let joined = match (ids.one(), self.joined) {
            (Some(id), _) => return self.open_one(id, view),
            (None, Some(joined)) if joined.of == *ids => Cow::Borrowed(joined),
            (None, _) => Cow::Owned(self.joined(ids, view, path)?),
        };
        let entry = joined.entry().ok_or(FetchError::Unknown)?;
        Ok(Opened { entry, bytes: Bytes::Joined(joined) })
    }

    /// Every stored result that is meant.
    fn each(&self, ids: &Ids) -> Result<Vec<BlobId>, FetchError> {
        let mut all = Vec::new();
        for named in ids.each() {
            match named.pages {
                0 => all.push(named.id),
                _ => all.extend(self.pages(named, View::Text)?.iter().map(|page| page.id)),
            }
        }
        Ok(all)
    }

    fn open_one(&self, id: &BlobId, view: View) -> Result<Opened<'static>, FetchError> {
        let anyone = self.session.is_empty() && self.settings.legacy_global;
        let session = (!anyone).then_some(self.session);
        let entry = self.store.resolve(session, id, self.now)?;
        let digest = match (view, entry.record.text_view) {
            (View::Text, Some(text)) => text,
            _ => entry.digest,
        };
        let blob = match self.store.open_blob(&digest) {
            // What is held and not there was lost on disk, unless it was removed just now.
            Err(StoreError::Missing { .. }) => {
                self.store.resolve(session, id, self.now)?;
                return Err(FetchError::Corrupt { offset: 0 });
            }
            blob => blob?,
        };
        Ok(Opened { entry, bytes: Bytes::Blob(blob) })
    }

    /// What the tool that gave a result says of it, where that is that it is a part of more.
    fn part(&self, id: &BlobId) -> Option<String> {
        self.open_one(id, View::Text).ok()?.entry.record.part
    }

    /// Keeps what was read alive. What was read is good even where that fails.
    fn note(&self, opened: &Opened<'_>, mode: &str, chars_shown: u64) {
        self.note_asked(opened, mode, chars_shown, None);
    }

    /// The same, and what was asked with the answer, for [`recall::page`].
    fn note_asked(&self, opened: &Opened<'_>, mode: &str, chars_shown: u64, asked: Option<String>) {
        let chars_shown = if self.settings.counted { chars_shown } else { 0 };
        let _ = self.store.note_fetch(&opened.entry, mode, chars_shown, asked.as_deref(), self.now);
        for entry in opened.joined().map_or(&[][..], Joined::entries).iter().skip(1) {
            let _ = self.store.keep(entry, None, self.now);
        }
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
                FetchError::Gone(_) | FetchError::Unknown => store::Outcome::Missing,
                FetchError::Corrupt { .. } => store::Outcome::Corrupt,
                _ => store::Outcome::Refused,
            };
            // The count is all that could be lost.
            let _ = self.store.count_fetch(mode, outcome, 0);
        }
        answer
    }
}

#[cfg(test)]
#[expect(clippy::disallowed_methods, reason = "a test damages the store")]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::settings::StoreSettings;
    use crate::store::Record;

    const NOW: SystemTime = SystemTime::UNIX_EPOCH;

    fn later(seconds: u64) -> SystemTime {
        NOW + Duration::from_secs(1_800_000_000 + seconds)
    }

    fn open(dir: &tempfile::TempDir) -> BlobStore {
        BlobStore::open(dir.path(), StoreSettings::default()).unwrap()
    }

    #[test]
    fn the_text_inside_an_envelope_is_read_unless_the_exact_bytes_are_asked_for() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(&dir);
        let text = store.publish(b"one\ntwo\n", later(0)).unwrap();
        let record = Record { text_view: Some(text.digest), ..Record::default() };
        let envelope = br#"{"result":"one\ntwo\n"}"#;
        let id = store.put("s", envelope, &record, later(0)).unwrap().id;
        let settings = FetchSettings::default();
        let reader = Reader::new(&store, &settings, "s", later(1));
        assert_eq!(reader.full(id, View::Text).unwrap().content, "one\ntwo\n");
        assert_eq!(reader.full(id, View::Raw).unwrap().content.as_bytes(), envelope);
        let query = GrepQuery {
            pattern: pattern::Pattern {
                text: "^two".to_owned(),
                regex: true,
                ..pattern::Pattern::default()
            },
            ..GrepQuery::default()
        };
        assert_eq!(reader.grep(id, View::Text, &query, 8_000).unwrap().lines[0].line, 2);
        assert_eq!(reader.grep(id, View::Raw, &query, 8_000).unwrap().hits, 0);
        let stat = reader.stat(id).unwrap();
        assert_eq!((stat.text_lines, stat.text.bytes, stat.entry.bytes), (2, 8, 23));
        assert_eq!(store.stats().unwrap().fetches["full"].answered, 2);
    }

    #[test]
    fn damage_is_reported_and_the_rest_can_be_read() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(&dir);
        let bytes = "0123456789abcde\n".repeat(20_000);
        let stored = store.put("s", bytes.as_bytes(), &Record::default(), later(0)).unwrap();
        let digest = stored.digest.to_string();
        let path = dir.path().join("blobs").join(&digest[..2]).join(&digest);
        let mut file = std::fs::read(&path).unwrap();
        file[200_000] ^= 1;
        std::fs::write(&path, file).unwrap();
        let settings = FetchSettings::default();
        let reader = Reader::new(&store, &settings, "s", later(1));
        let read = |start| {
            let range = Range { unit: Unit::Bytes, start, count: Some(16) };
            reader.range(stored.id, View::Text, range, 100)
        };
        assert_eq!(read(16).unwrap().content, "0123456789abcde\n");
        assert_eq!(read(300_000).unwrap().content, "0123456789abcde\n");
        assert!(matches!(read(200_000).unwrap_err(), FetchError::Corrupt { offset: 196_608 }));
        let arguments = format!(r#"{{"id":"{}","unit":"bytes","start":200000}}"#, stored.id);
        let answer = tool::invoke(&reader, tool::NAME, &arguments);
        assert!(answer.is_error && answer.text.contains("damaged at byte 196608"));
    }

    #[test]
    fn a_listing_goes_on_where_it_stopped() {
        let dir = tempfile::tempdir().unwrap();
        let store = open(&dir);
        for n in 0..5_u64 {
            let bytes = format!("result {n}");
            store.put("s", bytes.as_bytes(), &Record::default(), later(n)).unwrap();
        }
        let settings = FetchSettings::default();
        let reader = Reader::new(&store, &settings, "s", later(9));
        let mut arguments = r#"{"mode":"list","limit":2}"#.to_owned();
        let mut listed = 0;
        loop {
            let text = tool::invoke(&reader, tool::NAME, &arguments).text;
            listed += text.lines().count() - 1;
            let head = text.lines().next().unwrap();
            assert!(head.contains("of 5 stored results"), "{head}");
            match head.split_once("; next: ") {
                Some((_, next)) => arguments = next.trim_end_matches(']').to_owned(),
                None => break,
            }
        }
        assert_eq!(listed, 5);
    }
}
