//! Stores one content and writes the text that stands for it.

use std::time::SystemTime;

use super::classify::{Classified, classify};
use super::envelope::{Envelope, envelope};
use super::excerpt::{ExcerptRequest, excerpt};
use super::measure::{Measure, Measurer};
use super::origin::{arguments_digest, source_pointer};
use super::policy::READER;
use super::render::{HandleText, OpenedText, UnstoredText, render, render_unstored};
use super::result::{Handle, Origin};
use super::unescape::Unescape;
use crate::digest::Digest;
use crate::limits::{ENVELOPE_DEPTH, READ_BYTES};
use crate::settings::TransformSettings;
use crate::source::{ReadError, Source};
use crate::store::{Blob, BlobStore, Published, Record, StoreError, Stored};

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
    /// The media type that the content came with.
    pub media_type: Option<&'a str>,
    /// The most characters of the text that stands for it.
    pub cap_chars: usize,
}

/// A content that was stored, and the text that stands for it.
pub(super) struct Rescued {
    pub text: String,
    pub handle: Handle,
}

/// The text inside an envelope, stored as a blob of its own.
struct View {
    digest: Digest,
    pointer: String,
    siblings: String,
    measure: Measure,
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
    let view = match inside {
        Some(inside) => Some(publish_inside(store, inside, now)?),
        None => open_envelopes(store, raw, now, &failed)?,
    };
    let rescued = rescue_with(store, content, raw, view.as_ref(), showing, now, &failed);
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
    view: Option<&View>,
    showing: &Showing<'_>,
    now: SystemTime,
    failed: &dyn Fn(ReadError) -> StoreError,
) -> Result<Rescued, StoreError> {
    let blob;
    let (shown, measure): (&dyn Source, Measure) = match view {
        Some(view) => {
            blob = store.open_blob(&view.digest)?;
            (&blob, view.measure)
        }
        None => match content.measure {
            Some(measure) => (raw, measure),
            None => (raw, measured(raw).map_err(failed)?),
        },
    };
    let classified = classify(shown).map_err(failed)?;
    let origin = showing.origin;
    let record = Record {
        tool: origin.tool.clone(),
        toolset: origin.toolset.clone(),
        kind: classified.kind,
        media_type: Some(showing.media_type.unwrap_or(classified.media_type).to_owned()),
        source: origin.arguments.as_deref().and_then(source_pointer),
        arguments_digest: origin.arguments.as_deref().map(arguments_digest),
        text_view: view.map(|view| view.digest),
        envelope: view.map(|view| view.pointer.clone()),
        estimated_tokens: measure.estimated_tokens,
    };
    let stored = match content.bytes {
        Bytes::Memory(bytes) => store.put(&origin.session, bytes, &record, now)?,
        Bytes::Published(published) => store.refer(&origin.session, published, &record, now)?,
    };
    let text = handle_text(shown, &classified, &measure, view, &stored, &record, showing)
        .map_err(failed)?;
    Ok(Rescued { text, handle: handle(&stored, &record, &measure) })
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
    }
}

fn handle_text(
    shown: &dyn Source,
    classified: &Classified,
    measure: &Measure,
    view: Option<&View>,
    stored: &Stored,
    record: &Record,
    showing: &Showing<'_>,
) -> Result<String, ReadError> {
    let id = stored.id.to_string();
    let text = HandleText {
        id: &id,
        tool: &record.tool,
        source: record.source.as_deref().unwrap_or_default(),
        kind: classified.kind,
        measure,
        opened: view.map(|view| OpenedText {
            pointer: &view.pointer,
            siblings: &view.siblings,
            raw_bytes: stored.totals.bytes,
        }),
        is_error: showing.is_error,
        reader: READER,
        cap_chars: showing.cap_chars,
    };
    render(&text, |budget_chars| {
        excerpt(shown, &request(classified, measure, showing, budget_chars))
    })
}

fn request<'a>(
    classified: &Classified,
    measure: &'a Measure,
    showing: &Showing<'a>,
    budget_chars: usize,
) -> ExcerptRequest<'a> {
    ExcerptRequest {
        kind: classified.kind,
        measure,
        settings: showing.settings,
        budget_chars,
        is_error: showing.is_error,
    }
}

/// Writes the text for a content that could not be stored: head and tail, and that the rest is lost.
pub(super) fn unstored(
    source: &dyn Source,
    measure: &Measure,
    reason: &str,
    showing: &Showing<'_>,
) -> String {
    let classified = classify(source)
        .unwrap_or(Classified { kind: crate::kind::Kind::Text, media_type: "text/plain" });
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
    // What is in memory can be read: no error comes from there.
    render_unstored(&text, |budget_chars| {
        excerpt(source, &request(&classified, measure, showing, budget_chars))
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
    let mut buffer = vec![0; READ_BYTES];
    let mut at = 0;
    loop {
        let n = source.read_at(at, &mut buffer)?;
        if n == 0 {
            return Ok(measurer.finish());
        }
        measurer.push(&buffer[..n]);
        at += n as u64;
    }
}

fn publish_inside(
    store: &BlobStore,
    inside: &Inside<'_>,
    now: SystemTime,
) -> Result<View, StoreError> {
    let published = store.publish(inside.text.as_bytes(), now)?;
    Ok(View {
        digest: published.digest,
        pointer: inside.pointer.to_owned(),
        siblings: String::new(),
        measure: Measurer::of(inside.text.as_bytes()),
    })
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
        let (digest, measure) = publish_text(store, source, &found, now, failed)?;
        let outer = view.take();
        if let Some(outer) = &outer {
            // It was a step on the way. Should this fail, a sweep removes it.
            let _ = store.discard(&outer.digest, now);
        }
        let join = |outer: String, inner: String| match (outer.is_empty(), inner.is_empty()) {
            (true, _) => inner,
            (_, true) => outer,
            _ => format!("{outer}; {inner}"),
        };
        view = Some(match outer {
            Some(outer) => View {
                digest,
                // What follows `#` is a pointer into the text that the one before it leads to.
                pointer: format!("{}#{}", outer.pointer, found.pointer),
                siblings: join(outer.siblings, found.siblings),
                measure,
            },
            None => View { digest, pointer: found.pointer, siblings: found.siblings, measure },
        });
        blob = Some(store.open_blob(&digest)?);
    }
    Ok(view)
}

/// Stores the decoded text of an envelope, in constant memory.
fn publish_text(
    store: &BlobStore,
    source: &dyn Source,
    found: &Envelope,
    now: SystemTime,
    failed: &dyn Fn(ReadError) -> StoreError,
) -> Result<(Digest, Measure), StoreError> {
    let mut writer = store.writer();
    let mut measurer = Measurer::new();
    let mut unescape = Unescape::new();
    let mut buffer = vec![0; READ_BYTES];
    let mut decoded = Vec::with_capacity(2 * READ_BYTES);
    let mut at = found.start;
    while at < found.end {
        let most = usize::try_from(found.end - at).map_or(READ_BYTES, |left| left.min(READ_BYTES));
        let n = source.read_at(at, &mut buffer[..most]).map_err(failed)?;
        if n == 0 {
            break;
        }
        unescape.push(&buffer[..n], &mut decoded);
        at += n as u64;
        measurer.push(&decoded);
        writer.write(&decoded)?;
        decoded.clear();
    }
    unescape.finish(&mut decoded);
    measurer.push(&decoded);
    writer.write(&decoded)?;
    Ok((writer.publish(now)?.digest, measurer.finish()))
}
