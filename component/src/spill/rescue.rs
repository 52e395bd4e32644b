//! Stores one content and writes the text that stands for it.

use std::time::SystemTime;

use super::again;
use super::envelope::{Envelope, envelope};
use super::excerpt::{Excerpt, ExcerptRequest, Query, excerpt};
use super::measure::{Measure, Measurer};
use super::origin::{arguments_digest, source_pointer};
use super::prose;
use super::purpose::Purpose;
use super::relation;
use super::render::{
    Came, HandleText, How, OpenedText, PagesText, UnstoredText, bytes, related_line, render,
    render_unstored, whole_head,
};
use super::result::{Handle, Origin};
use crate::content::classify::{Classified, classify};
use crate::content::kind::Kind;
use crate::content::plain::{Altered, Charset, Plain, has_control};
use crate::content::scan::Chunks;
use crate::content::unescape::Unescape;
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::limits::{ENVELOPE_DEPTH, ID_MIN_HEX, READ_BYTES};
use crate::series;
use crate::settings::TransformSettings;
use crate::sort::sort_by_key;
use crate::source::{ReadError, Source};
use crate::store::{
    Blob, BlobStore, Entry, PART, PageOf, Published, REWRITTEN, Record, StoreError, Stored,
};

/// How often a result is stored again when others remove it before it has a reference.
const ATTEMPTS: u32 = 3;

/// What is to be stored.
pub(super) struct Content<'a> {
    bytes: Bytes<'a>,
    /// Its measure, when that is known already.
    measure: Option<Measure>,
}

enum Bytes<'a> {
    Memory(&'a [u8]),
    /// They are in the store already, without a reference.
    Published(&'a Published),
}

impl<'a> Content<'a> {
    /// Bytes in memory.
    pub(super) fn memory(bytes: &'a [u8], measure: Option<Measure>) -> Self {
        Content { bytes: Bytes::Memory(bytes), measure }
    }

    /// Bytes that are in the store already, without a reference.
    pub(super) fn published(published: &'a Published, measure: Measure) -> Self {
        Content { bytes: Bytes::Published(published), measure: Some(measure) }
    }
}

impl Content<'_> {
    /// Stores bytes in memory once more, after this fault, where another attempt is left.
    fn again(
        &self,
        store: &BlobStore,
        fault: StoreError,
        is_left: bool,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        match self.bytes {
            Bytes::Memory(bytes) if is_left => store.publish(bytes, now).map(drop),
            _ => Err(fault),
        }
    }
}

/// A text to show in place of the content's own, and where in the content it comes from.
pub(super) struct Inside<'a> {
    /// The text.
    pub text: &'a str,
    /// A JSON pointer, with `*` for every index.
    pub pointer: &'a str,
}

/// How a content is to be shown.
pub(super) struct Showing<'a> {
    /// The settings of the transform.
    pub settings: &'a TransformSettings,
    /// The call.
    pub origin: &'a Origin,
    /// Whether the result reports an error.
    pub is_error: bool,
    /// Whether the content was cut before it came.
    pub already_cut: bool,
    /// The media type that the content came with.
    pub media_type: Option<&'a str>,
    /// The most characters of the text that stands for it.
    pub cap_chars: usize,
    /// What the call was for.
    pub purpose: Option<Purpose>,
    /// What stands beside the content and says that its tool left parts out.
    pub notice: Option<String>,
}

/// A content that was stored, and the text that stands for it.
pub(super) struct Rescued {
    pub text: String,
    pub handle: Handle,
}

/// The text to read, stored as a blob of its own where it is not what came.
struct View {
    digest: Digest,
    /// Where in the JSON it was; `None` when it was in none.
    pointer: Option<String>,
    /// How many strings it is made of.
    strings: usize,
    /// What it is of the text that it was cut out of, when it is a part.
    part: Option<String>,
    siblings: String,
    /// What the words around it say of parts that its tool left out.
    said: Option<String>,
    measure: Measure,
    /// How it came, and what was done to it.
    charset: Charset,
    altered: Altered,
}

/// Stores a content for the session of `showing.origin`.
pub(super) fn rescue(
    store: &BlobStore,
    content: &Content<'_>,
    inside: Option<&Inside<'_>>,
    showing: &Showing<'_>,
    now: SystemTime,
) -> Result<Rescued, StoreError> {
    let raw_blob;
    let raw: &dyn Source = match &content.bytes {
        Bytes::Memory(bytes) => bytes,
        Bytes::Published(published) => {
            raw_blob = store.open_blob(&published.digest)?;
            &raw_blob
        }
    };
    let failed = |error: ReadError| store_error(error, content);
    let mut view = match inside {
        Some(inside) => Some(publish_inside(store, inside, now)?),
        None => match open_envelopes(store, raw, now, &failed)? {
            Some(view) => Some(view),
            None => publish_plain(store, raw, now, &failed)?,
        },
    };
    let classified = open_prose(store, raw, &mut view, now, &failed)?;
    let rescued =
        rescue_with(store, content, raw, (view.as_ref(), &classified), showing, now, &failed);
    if let (Err(_), Some(view)) = (&rescued, &view) {
        // Nobody is told of it. Should this fail, a sweep removes it.
        let _ = store.discard(&view.digest, now);
    }
    rescued
}

fn rescue_with(
    store: &BlobStore,
    content: &Content<'_>,
    raw: &dyn Source,
    (view, classified): (Option<&View>, &Classified),
    showing: &Showing<'_>,
    now: SystemTime,
    failed: &dyn Fn(ReadError) -> StoreError,
) -> Result<Rescued, StoreError> {
    let blob;
    let (shown, measure): (&dyn Source, Measure) = match (view, content.measure) {
        (Some(view), _) => {
            blob = store.open_blob(&view.digest)?;
            (&blob, view.measure)
        }
        (None, Some(measure)) => (raw, measure),
        (None, None) => (raw, measured(raw).map_err(failed)?),
    };
    let origin = showing.origin;
    // What failed is no page.
    let arguments = origin.arguments.as_deref().filter(|_| !showing.is_error);
    let mut record = record(view, classified, &measure, showing);
    record.page = arguments.and_then(series::called);
    let published = match content.bytes {
        Bytes::Memory(bytes) => &store.publish(bytes, now)?,
        Bytes::Published(published) => published,
    };
    let mut id = BlobId::of(&published.digest, ID_MIN_HEX);
    let earlier = arguments.map_or_else(Vec::new, |_| pages_before(store, origin, now));
    let is_again = place(store, origin, (&id, published, &earlier), &mut record, now);
    // Bytes that came encoded were never seen by a model as they are, and another page is no second question.
    let before = || again::asked_before(store, showing.settings, origin, &published.digest, now);
    let before = (showing.media_type.is_none() && !is_again).then(before).flatten();
    let asked_again = before.is_some();
    record.part = before.and_then(|before| before.part);
    // The record names the text, and the text the id: nearly always the shortest that there is.
    let mut attempts = 0..ATTEMPTS;
    let mut is_repeat = None;
    let referred = loop {
        let whole = match (asked_again, view) {
            (false, _) => Ok(None),
            // What stands beside the text belongs to the whole.
            (true, Some(view)) if !view.siblings.is_empty() => {
                whole_text(raw, None, &id, &record, showing)
            }
            (true, _) => whole_text(shown, Some(measure), &id, &record, showing),
        };
        let (earlier, made_room) = (&earlier[..], store.made_room());
        let of = Place { id: &id, published, earlier, is_again, made_room, store, now };
        record.shown_whole = matches!(whole, Ok(Some(_)));
        let text = match whole {
            Ok(None) => handle_text(shown, classified, &measure, view, &of, &mut record, showing),
            whole => whole.map(Option::unwrap_or_default),
        };
        let text = match text {
            Ok(text) => text,
            Err(error) => break Err(failed(error)),
        };
        // Whoever prints it may end it with a line feed.
        record.shown = Some(Digest::of(text.trim_end().as_bytes()));
        let referred = store.refer(&origin.session, published, &record, now);
        if let Ok(stored) = &referred {
            // The first time tells: then the session has it.
            is_repeat.get_or_insert(stored.is_repeat);
        }
        match referred {
            Ok(stored) if stored.id == id => {
                let shown_chars = Some(text.chars().count() as u64);
                let handle = handle(&stored, &record, &measure);
                break Ok(Rescued { text, handle: Handle { shown_chars, is_repeat, ..handle } });
            }
            Ok(stored) => id = stored.id,
            Err(error @ StoreError::Contended { .. }) => {
                // Others removed what had no reference yet.
                if let Err(error) = content.again(store, error, attempts.next().is_some(), now) {
                    break Err(error);
                }
            }
            Err(error) => break Err(error),
        }
    };
    if referred.is_err() && matches!(content.bytes, Bytes::Memory(_)) {
        // Nobody is told of it. Should this fail, a sweep removes it.
        let _ = store.discard(&published.digest, now);
    }
    referred
}

/// What is kept beside a content, as far as it is known before it is stored.
fn record(
    view: Option<&View>,
    classified: &Classified,
    measure: &Measure,
    showing: &Showing<'_>,
) -> Record {
    let origin = showing.origin;
    Record {
        tool: origin.tool.clone(),
        toolset: origin.toolset.clone(),
        kind: classified.kind,
        media_type: Some(showing.media_type.unwrap_or(classified.media_type).to_owned()),
        source: origin.arguments.as_deref().and_then(source_pointer),
        arguments_digest: origin.arguments.as_deref().map(arguments_digest),
        text_view: view.map(|view| view.digest),
        envelope: view.and_then(|view| view.pointer.clone()),
        estimated_tokens: measure.estimated_tokens,
        hides: view.is_some_and(|view| view.altered.control),
        shown: None,
        shown_whole: false,
        part: None,
        keys: Vec::new(),
        page: None,
        pages: Vec::new(),
    }
}

/// Says of a page of which list it is, and of which others the same bytes are one; whether this list has it already.
fn place(
    store: &BlobStore,
    origin: &Origin,
    (id, published, earlier): (&BlobId, &Published, &[Entry]),
    record: &mut Record,
    now: SystemTime,
) -> bool {
    let Some(page) = &mut record.page else { return false };
    page.tool = series::tool(&origin.tool, origin.toolset.as_deref());
    let known = store.resolve(Some(&origin.session), id, now).ok();
    let known = known.filter(|known| known.digest == published.digest);
    let mut known: Vec<PageOf> =
        known.map_or_else(Vec::new, |known| known.record.each_page().cloned().collect());
    let is_again = series::place(page, earlier, id, &known);
    known.retain(|of| of.list != page.list);
    known.truncate(MAX_LISTS);
    record.pages = known;
    is_again
}

fn handle(stored: &Stored, record: &Record, measure: &Measure) -> Handle {
    Handle {
        id: stored.id,
        digest: stored.digest,
        tool: record.tool.clone(),
        kind: record.kind,
        media_type: record.media_type.clone().unwrap_or_default(),
        bytes: stored.totals.bytes,
        chars: measure.chars,
        lines: measure.lines,
        estimated_tokens: measure.estimated_tokens,
        source: record.source.clone(),
        envelope: record.envelope.clone(),
        shown_chars: None,
        is_repeat: None,
    }
}

/// Other lists of which the same bytes may be a page.
const MAX_LISTS: usize = 8;

/// Characters of the excerpt of a page whose rows are like those before.
const PAGE_CHARS: usize = 240;

/// The pages of the same list that the session has stored.
fn pages_before(store: &BlobStore, origin: &Origin, now: SystemTime) -> Vec<Entry> {
    let tool = &series::tool(&origin.tool, origin.toolset.as_deref());
    let arguments = origin.arguments.as_deref();
    arguments
        .map_or_else(Vec::new, |given| series::before(store, &origin.session, tool, given, now))
}

/// Keeps a small result that is shown whole, where it is a page of a list of which others are stored.
pub(super) fn keep_page(
    store: &BlobStore,
    content: &Content<'_>,
    showing: &Showing<'_>,
    now: SystemTime,
) {
    if !pages_before(store, showing.origin, now).is_empty() {
        // It is shown whole: nothing is lost where this fails.
        let _ = rescue(store, content, None, showing, now);
    }
}

/// All of a text, where it may be shown; see [`again`].
fn whole_text(
    text: &dyn Source,
    measure: Option<Measure>,
    id: &BlobId,
    record: &Record,
    showing: &Showing<'_>,
) -> Result<Option<String>, ReadError> {
    let measure = match measure {
        Some(measure) => measure,
        None => measured(text)?,
    };
    let stored = Came::of(showing.already_cut, record.part.is_some());
    let head = whole_head(&id.to_string(), &measure, showing.is_error, stored);
    again::whole(text, &measure, showing.settings, &head)
}

/// Where a content is stored: its id, and the pages of its list.
struct Place<'a> {
    id: &'a BlobId,
    published: &'a Published,
    earlier: &'a [Entry],
    /// Whether one of those has these very bytes.
    is_again: bool,
    /// Whether other results had to go for it.
    made_room: bool,
    store: &'a BlobStore,
    now: SystemTime,
}

/// What is said of the pages of a list, this one among them.
fn pages_text(of: &Place<'_>, own: Option<&PageOf>) -> Option<PagesText> {
    let Place { published, earlier, is_again, .. } = *of;
    let id = series::id_of(earlier)?;
    let others = earlier.iter().filter(|page| page.digest != published.digest);
    let others: Vec<&PageOf> = others.filter_map(|page| page.record.page.as_ref()).collect();
    let is_new = !earlier.iter().any(|page| page.digest == published.digest);
    let rows_before = others.iter().map(|page| page.rows).sum();
    let missing = own.filter(|_| !is_again).and_then(|own| {
        let mut all = others;
        all.push(own);
        sort_by_key(&mut all, |page| page.place);
        series::missing(&all, &all.iter().map(|page| page.rows).collect::<Vec<_>>())
    });
    let count = earlier.len() as u64 + u64::from(is_new);
    Some(PagesText { id, count, rows_before, is_again, missing })
}

/// The question that an excerpt suggests: pages with the same have rows of one shape.
fn asks(query: Option<&Query>) -> String {
    query.map_or_else(String::new, |query| format!("{}{}", query.program, query.reduce))
}

/// The excerpt of a result: short where its rows are like those of the page before, and with what is said of an earlier
/// result with rows that belong to its own.
fn page_excerpt(
    (shown, classified, measure): (&dyn Source, &Classified, &Measure),
    of: &Place<'_>,
    text: &HandleText<'_>,
    (record, showing): (&Record, &Showing<'_>),
    budget_chars: usize,
) -> Result<Excerpt, ReadError> {
    // Rows like those of the page before have been seen. Another part of a text is always new.
    let before = of.earlier.last().and_then(|last| last.record.page.as_ref());
    let before = before.filter(|page| page.rows.is_some());
    let mut chars = before.map_or(budget_chars, |_| budget_chars.min(PAGE_CHARS));
    let mut made = loop {
        let made = excerpt(shown, &request(classified, measure, showing, chars))?;
        let alike = |page: &PageOf| made.rows.is_some() && page.asks == asks(made.query.as_ref());
        if chars == budget_chars || before.is_some_and(alike) {
            break made;
        }
        chars = budget_chars;
    };
    let Some(query) = &made.query else { return Ok(made) };
    let own = (&of.published.digest, shown, query, record);
    let found = relation::find(of.store, &showing.origin.session, own, of.now);
    if let Some(line) = found.map(|found| related_line(text, &found))
        && line.len() * 4 < budget_chars
    {
        let room = budget_chars - line.len();
        if room < chars {
            made = excerpt(shown, &request(classified, measure, showing, room))?;
        }
        made.related = Some(line);
    }
    Ok(made)
}

fn handle_text(
    shown: &dyn Source,
    classified: &Classified,
    measure: &Measure,
    view: Option<&View>,
    of: &Place<'_>,
    record: &mut Record,
    showing: &Showing<'_>,
) -> Result<String, ReadError> {
    let published = of.published;
    let id = of.id.to_string();
    let mut part = None;
    let name = match classified.kind {
        Kind::Ndjson => "JSON lines".to_owned(),
        kind @ (Kind::Log | Kind::Code | Kind::Text | Kind::Diff | Kind::Markdown) => {
            kind.as_str().to_owned()
        }
        kind => kind.as_str().to_ascii_uppercase(),
    };
    let pages = pages_text(of, record.page.as_ref());
    let of_part = view.and_then(|view| view.part.as_ref()).map(|part| format!("the {name}{part}"));
    let text = HandleText {
        id: &id,
        tool: &record.tool,
        source: record.source.as_deref().unwrap_or_default(),
        kind: classified.kind,
        measure,
        opened: view.map(|view| OpenedText {
            pointer: view.pointer.as_deref(),
            strings: view.strings,
            part: of_part.as_deref(),
            siblings: &view.siblings,
            charset: view.charset.as_str(),
            altered: view.altered.words(),
            raw_bytes: published.totals.bytes,
        }),
        is_error: showing.is_error,
        pages: pages.as_ref(),
        came: Came::of(showing.already_cut, false),
        made_room: of.made_room,
        reader: How::of(showing.origin.reader.as_deref()),
        cap_chars: showing.cap_chars,
    };
    let mut counted = (None, None, String::new(), Vec::new());
    let rendered = render(&text, |budget_chars| {
        let mut made = page_excerpt(
            (shown, classified, measure),
            of,
            &text,
            (&*record, showing),
            budget_chars,
        )?;
        made.elided = made.elided.or_else(|| view?.said.clone()).or_else(|| showing.notice.clone());
        part.clone_from(&made.elided);
        let keys = made.query.as_ref().map_or_else(Vec::new, |query| query.keys.clone());
        counted = (made.rows, made.total.clone(), asks(made.query.as_ref()), keys);
        Ok(made)
    });
    let (rows, total, asks, keys) = counted;
    (record.part, record.keys) = (part, keys);
    if let Some(page) = &mut record.page {
        (page.rows, page.total, page.asks) = (rows, total, asks);
    }
    rendered
}

fn request<'a>(
    classified: &Classified,
    measure: &'a Measure,
    showing: &'a Showing<'a>,
    budget_chars: usize,
) -> ExcerptRequest<'a> {
    ExcerptRequest {
        kind: classified.kind,
        measure,
        settings: showing.settings,
        budget_chars,
        is_error: showing.is_error,
        purpose: showing.purpose.as_ref(),
    }
}

/// Writes the text for a content that could not be stored: head and tail, and that the rest was not kept.
pub(super) fn unstored(
    source: &dyn Source,
    measure: &Measure,
    reason: &str,
    showing: &Showing<'_>,
) -> String {
    let classified =
        classify(source).unwrap_or(Classified { kind: Kind::Text, media_type: "text/plain" });
    let pointer = showing.origin.arguments.as_deref().and_then(source_pointer).unwrap_or_default();
    let text = UnstoredText {
        tool: &showing.origin.tool,
        source: &pointer,
        kind: classified.kind,
        measure,
        is_error: showing.is_error,
        reason,
        cap_chars: showing.cap_chars,
    };
    // What the excerpt says, it says of what is left.
    let left = (source.len() < measure.bytes).then(|| measured(source).ok()).flatten();
    // What is in memory can be read: no error comes from there.
    render_unstored(&text, |budget_chars| {
        let of = left.as_ref().unwrap_or(measure);
        let mut made = excerpt(source, &request(&classified, of, showing, budget_chars))?;
        if let Some(left) = &left {
            let size = bytes(left.bytes);
            made.shown = format!("of the {size} that are left, its start and end: {}", made.shown);
            if !made.detail.is_empty() {
                made.detail.push_str(" in what is left");
            }
        }
        Ok(made)
    })
    .unwrap_or_default()
}

fn store_error(error: ReadError, content: &Content<'_>) -> StoreError {
    let digest = match content.bytes {
        Bytes::Memory(bytes) => Digest::of(bytes),
        Bytes::Published(published) => published.digest,
    };
    match error {
        ReadError::Corrupt { offset } => StoreError::Corrupt { digest, offset },
        ReadError::Io(source) => StoreError::Io { path: "blobs".into(), source },
    }
}

fn measured(source: &dyn Source) -> Result<Measure, ReadError> {
    let mut measurer = Measurer::new();
    let mut chunks = Chunks::new(source, 0, u64::MAX);
    while let Some((_, bytes)) = chunks.next_chunk()? {
        measurer.push(bytes);
    }
    Ok(measurer.finish())
}

fn publish_inside(
    store: &BlobStore,
    inside: &Inside<'_>,
    now: SystemTime,
) -> Result<View, StoreError> {
    let plain = Plain::of(inside.text.as_bytes());
    let (text, altered) = match &plain {
        Some((text, altered)) => (&text[..], *altered),
        None => (inside.text.as_bytes(), Altered::default()),
    };
    let published = store.publish(text, now)?;
    Ok(View {
        digest: published.digest,
        pointer: Some(inside.pointer.to_owned()),
        strings: 1,
        part: None,
        siblings: String::new(),
        said: None,
        measure: Measurer::of(text),
        charset: Charset::Utf8,
        altered,
    })
}

/// Stores what a person would read of bytes in another charset or with terminal control in them.
fn publish_plain(
    store: &BlobStore,
    raw: &dyn Source,
    now: SystemTime,
    failed: &dyn Fn(ReadError) -> StoreError,
) -> Result<Option<View>, StoreError> {
    const HEAD: u64 = 4_096;
    let head = raw.read_range(0, HEAD).map_err(failed)?;
    let valid = match std::str::from_utf8(&head) {
        Ok(_) => true,
        Err(error) => error.error_len().is_none(),
    };
    let charset = Charset::of(&head, valid);
    if charset == Charset::Utf8 {
        let first = head.trim_ascii_start().first();
        // Neither is there in JSON, and bytes that are no text are left alone.
        let is_json = matches!(first, None | Some(b'{' | b'[' | b'"'));
        if is_json && !head.contains(&0x1b)
            || classify(raw).map_err(failed)?.kind == Kind::Binary
            || !any_control(raw).map_err(failed)?
        {
            return Ok(None);
        }
    }
    let mut text = Writing::new(store, charset);
    let mut chunks = Chunks::new(raw, 0, u64::MAX);
    while let Some((_, bytes)) = chunks.next_chunk().map_err(failed)? {
        text.push(bytes)?;
    }
    if !text.plain.changes() {
        return Ok(None);
    }
    let (digest, measure, altered) = text.publish(now)?;
    let siblings = String::new();
    Ok(Some(View {
        digest,
        pointer: None,
        strings: 0,
        part: None,
        siblings,
        said: None,
        measure,
        charset,
        altered,
    }))
}

fn any_control(source: &dyn Source) -> Result<bool, ReadError> {
    let mut chunks = Chunks::new(source, 0, u64::MAX);
    let mut ended = false;
    while let Some((_, bytes)) = chunks.next_chunk()? {
        // A carriage return at the end of a chunk waits for the next one.
        if (ended && !bytes.starts_with(b"\n") && !bytes.starts_with(b"\r"))
            || has_control(bytes, false)
        {
            return Ok(true);
        }
        ended = bytes.ends_with(b"\r");
    }
    Ok(false)
}

/// A text on its way into the store, as a person would read it.
struct Writing {
    writer: crate::store::BlobWriter,
    measurer: Measurer,
    plain: Plain,
    out: Vec<u8>,
}

impl Writing {
    fn new(store: &BlobStore, charset: Charset) -> Writing {
        Writing {
            writer: store.writer(),
            measurer: Measurer::new(),
            plain: Plain::new(charset),
            out: Vec::with_capacity(2 * READ_BYTES),
        }
    }

    fn push(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.plain.push(bytes, &mut self.out);
        self.flush()
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        self.measurer.push(&self.out);
        self.writer.write(&self.out)?;
        self.out.clear();
        Ok(())
    }

    /// Ends the text and stores it.
    fn publish(mut self, now: SystemTime) -> Result<(Digest, Measure, Altered), StoreError> {
        self.plain.finish(&mut self.out);
        self.flush()?;
        let altered = self.plain.altered();
        Ok((self.writer.publish(now)?.digest, self.measurer.finish(), altered))
    }
}

/// Opens envelope in envelope, and stores the text in the innermost.
fn open_envelopes(
    store: &BlobStore,
    raw: &dyn Source,
    now: SystemTime,
    failed: &dyn Fn(ReadError) -> StoreError,
) -> Result<Option<View>, StoreError> {
    let mut view: Option<View> = None;
    let mut blob: Option<Blob> = None;
    for _ in 0..ENVELOPE_DEPTH {
        let source: &dyn Source = blob.as_ref().map_or(raw, |blob| blob);
        let Some(found) = envelope(source).map_err(failed)? else { break };
        let (digest, measure, altered) = publish_text(store, source, &found, now, failed)?;
        let (mut pointer, mut siblings) = (found.pointer(), found.siblings);
        if let Some(outer) = view.take() {
            // It was a step on the way. Should this fail, a sweep removes it.
            let _ = store.discard(&outer.digest, now);
            // What follows `#` is a pointer into the text that the one before it leads to.
            pointer = format!("{}#{pointer}", outer.pointer.unwrap_or_default());
            siblings = match (outer.siblings.is_empty(), siblings.is_empty()) {
                (true, _) => siblings,
                (_, true) => outer.siblings,
                _ => format!("{}; {siblings}", outer.siblings),
            };
        }
        view = Some(View {
            digest,
            pointer: Some(pointer),
            strings: found.texts.len(),
            part: None,
            siblings,
            said: None,
            measure,
            charset: Charset::Utf8,
            altered,
        });
        blob = Some(store.open_blob(&digest)?);
    }
    Ok(view)
}

/// Takes data out of the words around it, and stores it as what is shown. Tells what that is.
fn open_prose(
    store: &BlobStore,
    raw: &dyn Source,
    view: &mut Option<View>,
    now: SystemTime,
    failed: &dyn Fn(ReadError) -> StoreError,
) -> Result<Classified, StoreError> {
    // A fence may stand below words, and hold what is to be written anew.
    for _ in 0..2 {
        let blob = view.as_ref().map(|view| store.open_blob(&view.digest)).transpose()?;
        let source: &dyn Source = blob.as_ref().map_or(raw, |blob| blob);
        let classified = classify(source).map_err(failed)?;
        let Some(found) = prose::find(source, classified.kind).map_err(failed)? else {
            return Ok(classified);
        };
        let (digest, measure) = publish_range(store, source, &found, now, failed)?;
        let rows = found.rows.as_ref().map(|_| match measure.lines {
            0 | 1 => Classified { kind: Kind::Json, media_type: "application/json" },
            _ => Classified { kind: Kind::Ndjson, media_type: "application/x-ndjson" },
        });
        let (start, end) = found.range;
        let mark = match found.words.is_empty() {
            true => REWRITTEN.to_owned(),
            false => format!("{PART}{start}-{end}"),
        };
        *view = Some(match view.take() {
            Some(outer) => {
                // It was a step on the way. Should this fail, a sweep removes it.
                let _ = store.discard(&outer.digest, now);
                let pointer = outer.pointer.map_or(mark.clone(), |outer| format!("{outer}#{mark}"));
                let words = [outer.siblings, found.words];
                let siblings = words.join("; ").trim_matches([';', ' ']).to_owned();
                let part = Some(found.place + outer.part.as_deref().unwrap_or_default());
                let said = found.said.or(outer.said);
                View { digest, pointer: Some(pointer), part, siblings, said, measure, ..outer }
            }
            None => View {
                digest,
                pointer: Some(mark),
                strings: 1,
                part: Some(found.place),
                siblings: found.words,
                said: found.said,
                measure,
                charset: Charset::Utf8,
                altered: Altered::default(),
            },
        });
        if let Some(rows) = rows {
            return Ok(rows);
        }
    }
    let blob = view.as_ref().map(|view| store.open_blob(&view.digest)).transpose()?;
    classify(blob.as_ref().map_or(raw, |blob| blob)).map_err(failed)
}

/// Stores a part of a text, or what it was written anew as.
fn publish_range(
    store: &BlobStore,
    source: &dyn Source,
    found: &prose::Part,
    now: SystemTime,
    failed: &dyn Fn(ReadError) -> StoreError,
) -> Result<(Digest, Measure), StoreError> {
    if let Some(rows) = &found.rows {
        return Ok((store.publish(rows, now)?.digest, Measurer::of(rows)));
    }
    let (mut writer, mut measurer) = (store.writer(), Measurer::new());
    let mut chunks = Chunks::new(source, found.range.0, found.range.1);
    while let Some((_, bytes)) = chunks.next_chunk().map_err(failed)? {
        measurer.push(bytes);
        writer.write(bytes)?;
    }
    Ok((writer.publish(now)?.digest, measurer.finish()))
}

/// Stores the decoded text of an envelope, in constant memory.
fn publish_text(
    store: &BlobStore,
    source: &dyn Source,
    found: &Envelope,
    now: SystemTime,
    failed: &dyn Fn(ReadError) -> StoreError,
) -> Result<(Digest, Measure, Altered), StoreError> {
    let mut text = Writing::new(store, Charset::Utf8);
    let mut decoded = Vec::with_capacity(2 * READ_BYTES);
    let mut ended = true;
    for at in &found.texts {
        if found.texts.len() > 1 {
            let mark = format!("--- {} ---\n", crate::content::show::one_line(&at.pointer, 200));
            text.push(if ended { b"" } else { b"\n" })?;
            text.push(mark.as_bytes())?;
        }
        text.plain.next_text();
        let mut unescape = Unescape::new();
        let mut chunks = Chunks::new(source, at.start, at.end);
        while let Some((_, bytes)) = chunks.next_chunk().map_err(failed)? {
            unescape.push(bytes, &mut decoded);
            text.push(&decoded)?;
            ended = decoded.last().map_or(ended, |last| *last == b'\n');
            decoded.clear();
        }
        unescape.finish(&mut decoded);
        text.push(&decoded)?;
        ended = decoded.last().map_or(ended, |last| *last == b'\n');
        decoded.clear();
    }
    text.publish(now)
}
