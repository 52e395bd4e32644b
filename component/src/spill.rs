//! Give a finished result; get it back, or an excerpt and a handle in its place.
//!
//! ```text
//! result ─► policy ─► plan ─► rescue: open envelopes, classify, store, excerpt, render, refer
//! ```
//!
//! **Bounds.** Each text that stands for something has at most the characters of `handle_max_chars`
//! and half of what it stands for. A result of several parts keeps its small ones; what is replaced
//! shares the cap, and when too many parts are large, all text becomes one.
//!
//! **What is asked for twice** passes whole: the same bytes again, by a call whose arguments are known, within
//! `again` of their excerpt and up to `client_max_chars`. After that it is an excerpt again.
//!
//! **When storing fails**, nothing is lost silently and nothing floods: up to `fallback_max_chars`
//! the result passes whole; above that head and tail stand in its place and say so.

use std::borrow::Cow;
use std::time::SystemTime;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD as BASE64;

mod again;
pub mod anchor;
pub mod envelope;
pub mod excerpt;
pub mod intake;
mod manner;
pub mod measure;
mod origin;
mod paths;
pub mod policy;
mod prose;
pub mod purpose;
mod relation;
pub mod render;
mod rescue;
pub mod result;
pub mod severity;

use crate::content::mcp;
use crate::digest::Digest;
use crate::fence::is_fence;
use crate::limits::{HANDLE_MIN_CHARS, PARTS_REPLACED, SESSION_MAX_CHARS};
use crate::series::may_follow;
use crate::settings::TransformSettings;
use crate::sort::sort_by_key;
use crate::store::{BlobStore, Outcome as Put, PutCount, StoreError};
use measure::{Measure, Measurer};
use rescue::{Content, Inside, Rescued, Showing, rescue, unstored};
use result::{
    FinishedResult, Handle, Origin, Outcome, Part, Reason, Replacement, Shown, TransformError,
};
use weir_text::tokens::of_base64;

/// What a transform works with. The store is opened only when something is to be stored.
pub struct Spill<'a> {
    /// The settings.
    pub settings: &'a TransformSettings,
    /// Opens the store.
    pub open: &'a dyn Fn() -> Result<BlobStore, StoreError>,
    /// The time.
    pub now: SystemTime,
}

impl Spill<'_> {
    /// Opens the store, unless nothing of this call may go there.
    fn store(&self, origin: &Origin) -> Result<BlobStore, StoreError> {
        match policy::never_stored(self.settings, origin) {
            Some(rule) => Err(StoreError::NeverStored { rule }),
            None => (self.open)(),
        }
    }

    /// The most characters of what stands for a text of so many.
    fn cap(&self, chars: u64) -> usize {
        let half = usize::try_from(chars / 2).unwrap_or(usize::MAX);
        (self.settings.handle_max_chars as usize).min(half)
    }
}

/// Replaces a result if it is too large.
///
/// # Errors
/// [`TransformError`] for a result that cannot be used. A store that fails is none.
pub fn transform(spill: &Spill<'_>, result: &FinishedResult) -> Result<Outcome, TransformError> {
    let decided = decide(spill, result)?;
    let sizes = Sizes::of(result);
    let threshold = match decided {
        Ok(threshold) => threshold,
        Err(reason) => return Ok(sizes.unchanged(reason, None)),
    };
    transform_sized(spill, result, &sizes, threshold)
}

fn transform_sized(
    spill: &Spill<'_>,
    result: &FinishedResult,
    sizes: &Sizes,
    threshold: u32,
) -> Result<Outcome, TransformError> {
    let binaries = replaceable_binaries(spill.settings, result)?;
    if !sizes.is_over(threshold, spill.settings) && binaries.is_empty() {
        keep_small_page(spill, result);
        return Ok(sizes.unchanged(Reason::Small, None));
    }
    Ok(replace(spill, result, sizes, threshold, binaries))
}

/// The last page of a list is often small, and a question to all of them is one to it as well.
fn keep_small_page(spill: &Spill<'_>, result: &FinishedResult) {
    let [Part::Text(text)] = &result.parts[..] else { return };
    if !result.is_error
        && result.origin.arguments.as_deref().is_some_and(may_follow)
        && let Ok(store) = spill.store(&result.origin)
    {
        let showing = showing(spill, result, None, HANDLE_MIN_CHARS);
        rescue::keep_page(&store, &Content::memory(text.as_bytes(), None), &showing, spill.now);
    }
}

/// Replaces what is too large among the results of one turn: each for itself, then the largest
/// until the text of all is within `turn_budget_chars`.
pub fn transform_turn(
    spill: &Spill<'_>,
    results: &[FinishedResult],
) -> Vec<Result<Outcome, TransformError>> {
    // Once for all: the sum and the order need them as well.
    let sizes: Vec<Sizes> = results.iter().map(Sizes::of).collect();
    let each = |(result, sizes): (&FinishedResult, &Sizes)| match decide(spill, result)? {
        Ok(threshold) => transform_sized(spill, result, sizes, threshold),
        Err(reason) => Ok(sizes.unchanged(reason, None)),
    };
    let mut outcomes: Vec<_> = results.iter().zip(&sizes).map(each).collect();
    let budget = u64::from(spill.settings.turn_budget_chars);
    if budget == 0 {
        return outcomes;
    }
    let shown = |outcome: &Result<Outcome, TransformError>, sizes: &Sizes| match outcome {
        Ok(Outcome::Replaced(replacement)) => replacement.chars_after,
        _ => sizes.chars,
    };
    let mut total: u64 =
        outcomes.iter().zip(&sizes).map(|(outcome, sizes)| shown(outcome, sizes)).sum();
    // The largest that passed for being within their own threshold; what a rule or the user's turn
    // keeps as it is stays so.
    let mut passed: Vec<usize> = (0..results.len())
        .filter(|&at| matches!(&outcomes[at], Ok(Outcome::Unchanged { reason: Reason::Small, .. })))
        .collect();
    sort_by_key(&mut passed, |&at| std::cmp::Reverse(sizes[at].chars));
    for at in passed {
        if total <= budget {
            break;
        }
        let sizes = &sizes[at];
        let outcome = replace(spill, &results[at], sizes, 0, Vec::new());
        if let Outcome::Replaced(replacement) = &outcome {
            total = total - sizes.chars + replacement.chars_after;
            outcomes[at] = Ok(outcome);
        }
    }
    outcomes
}

/// The threshold of a result that may be replaced, or why it may not.
fn decide(
    spill: &Spill<'_>,
    result: &FinishedResult,
) -> Result<Result<u32, Reason>, TransformError> {
    check_session(&result.origin.session)?;
    if result.waits_for_input {
        return Ok(Err(Reason::WaitsForInput));
    }
    let Some(threshold) = policy::threshold(spill.settings, &result.origin, result.max_chars)
    else {
        return Ok(Err(Reason::Excluded));
    };
    if is_answer(spill.settings, result) {
        return Ok(Err(Reason::Excluded));
    }
    if is_live_handle(spill, result) {
        return Ok(Err(Reason::AlreadyAHandle));
    }
    Ok(Ok(threshold))
}

pub(crate) fn check_session(session: &str) -> Result<(), TransformError> {
    match session.chars().take(SESSION_MAX_CHARS + 1).count() {
        1..=SESSION_MAX_CHARS => Ok(()),
        _ => Err(TransformError::BadSession),
    }
}

/// Characters that the first line of an answer of the reading tool has at most.
const ANSWER_HEAD_CHARS: usize = 2_000;

/// Whether a result has the form that answers of the reading tool have, which may have come through
/// another gateway: one line of ours, then a fence to the end that its content cannot close.
fn is_answer(settings: &TransformSettings, result: &FinishedResult) -> bool {
    let [Part::Text(text)] = &result.parts[..] else { return false };
    let text = text.trim_end();
    let Some((head, fence)) = text.split_once('\n') else { return false };
    policy::is_named_reader(&result.origin.tool)
        && head.starts_with("[weir: ")
        && head.chars().count() <= ANSWER_HEAD_CHARS
        && fence.chars().count() <= settings.fallback_max_chars as usize + ANSWER_HEAD_CHARS
        && is_fence(fence)
}

/// Whether a result is the very text that stands for a stored one which this session can read.
fn is_live_handle(spill: &Spill<'_>, result: &FinishedResult) -> bool {
    let [Part::Text(text)] = &result.parts[..] else { return false };
    // Whoever prints it may end it with a line feed.
    let text = text.trim_end();
    let Some(id) = render::handle_id(text) else { return false };
    let found = (spill.open)()
        .ok()
        .and_then(|store| store.resolve(Some(&result.origin.session), &id, spill.now).ok());
    // Anybody can write the first line: an id is the digest of what a server itself has sent.
    found.is_some_and(|entry| entry.record.shown == Some(Digest::of(text.as_bytes())))
}

/// How large a result is.
struct Sizes {
    /// Characters of all text, as a model would read it.
    chars: u64,
    /// Estimated tokens of it.
    tokens: u64,
    /// The measure of each part; nothing where it is no text.
    parts: Vec<Measure>,
    /// The measure of what came over the wire.
    raw: Option<Measure>,
    /// Bytes that it holds beside the parts, where it is a result of MCP.
    beside: Option<u64>,
}

impl Sizes {
    fn of(result: &FinishedResult) -> Sizes {
        let parts = Vec::with_capacity(result.parts.len());
        let mut sizes = Sizes { chars: 0, tokens: 0, parts, raw: None, beside: None };
        let mut binary_chars = 0;
        for part in &result.parts {
            let measure = match part {
                Part::Text(text) => Measurer::of(text.as_bytes()),
                Part::Binary { data, .. } => {
                    binary_chars += data.len() as u64;
                    Measure::default()
                }
                Part::Link { .. } => Measure::default(),
            };
            sizes.chars += measure.chars;
            sizes.tokens += measure.estimated_tokens;
            sizes.parts.push(measure);
        }
        // What came over the wire may hold more than the parts. A structured copy of them is no
        // more, nor are the images in it text.
        if let Some(raw) = &result.raw {
            let measure = Measurer::of(raw.as_bytes());
            sizes.beside = mcp::beside(raw, &result.parts);
            match sizes.beside {
                Some(bytes) => {
                    sizes.chars += bytes;
                    let share = measure.estimated_tokens.saturating_mul(bytes);
                    sizes.tokens += share / measure.bytes.max(1);
                }
                None => {
                    let chars = measure.chars.saturating_sub(binary_chars);
                    sizes.chars = sizes.chars.max(chars);
                    let tokens = measure.estimated_tokens.saturating_sub(of_base64(binary_chars));
                    sizes.tokens = sizes.tokens.max(tokens);
                }
            }
            sizes.raw = Some(measure);
        }
        sizes
    }

    /// A result that is left as it is.
    fn unchanged(&self, reason: Reason, store_failure: Option<String>) -> Outcome {
        let (chars, estimated_tokens) = (self.chars, self.tokens);
        Outcome::Unchanged { reason, store_failure, chars, estimated_tokens }
    }

    fn is_over(&self, threshold: u32, settings: &TransformSettings) -> bool {
        let tokens = u64::from(settings.threshold_tokens);
        self.chars > u64::from(threshold) || (tokens > 0 && self.tokens > tokens)
    }
}

/// The binary parts that no client can show: decoded, by index.
fn replaceable_binaries(
    settings: &TransformSettings,
    result: &FinishedResult,
) -> Result<Vec<(usize, Vec<u8>)>, TransformError> {
    let mut found = Vec::new();
    for (at, part) in result.parts.iter().enumerate() {
        let Part::Binary { media_type, data } = part else { continue };
        let shown = ["image/", "audio/"].iter().any(|prefix| media_type.starts_with(prefix));
        if shown || data.len() / 4 * 3 <= settings.binary_inline_bytes as usize {
            continue;
        }
        match BASE64.decode(data) {
            Ok(bytes) => found.push((at, bytes)),
            // What came over the wire stays as it came.
            Err(_) if result.raw.is_some() => {}
            Err(_) => return Err(TransformError::BadBase64(at)),
        }
    }
    Ok(found)
}

/// What is to be replaced.
enum Plan {
    /// Nothing: a text of ours would not be shorter.
    Nothing,
    /// The parts at these indices, each for itself, with this cap.
    Parts(Vec<usize>, usize),
    /// All text at once.
    Merged,
}

/// The largest parts, until the rest is within half the threshold.
fn plan(
    settings: &TransformSettings,
    result: &FinishedResult,
    sizes: &Sizes,
    threshold: u32,
) -> Plan {
    if result.raw.is_some() {
        return Plan::Merged;
    }
    let mut order: Vec<usize> =
        (0..sizes.parts.len()).filter(|&at| sizes.parts[at].chars > 0).collect();
    sort_by_key(&mut order, |&at| std::cmp::Reverse(sizes.parts[at].chars));
    let mut kept: u64 = sizes.parts.iter().map(|part| part.chars).sum();
    let mut chosen = Vec::new();
    for at in order {
        if kept <= u64::from(threshold) / 2 {
            break;
        }
        kept -= sizes.parts[at].chars;
        chosen.push(at);
    }
    let cap = settings.handle_max_chars as usize / chosen.len().max(1);
    let worth = |at: &usize| sizes.parts[*at].chars >= 2 * HANDLE_MIN_CHARS as u64;
    match chosen.len() {
        0 => Plan::Nothing,
        n if n <= PARTS_REPLACED && cap >= HANDLE_MIN_CHARS && chosen.iter().all(worth) => {
            Plan::Parts(chosen, cap)
        }
        1 => Plan::Nothing,
        _ => Plan::Merged,
    }
}

fn replace(
    spill: &Spill<'_>,
    result: &FinishedResult,
    sizes: &Sizes,
    threshold: u32,
    binaries: Vec<(usize, Vec<u8>)>,
) -> Outcome {
    let store = match spill.store(&result.origin) {
        Ok(store) => store,
        Err(error) => return without_store(spill, result, sizes, &error),
    };
    let planned = if sizes.is_over(threshold, spill.settings) {
        plan(spill.settings, result, sizes, threshold)
    } else {
        Plan::Nothing
    };
    let attempt = match planned {
        Plan::Merged => replace_merged(spill, &store, result, sizes, &binaries),
        Plan::Nothing => replace_parts(spill, &store, result, sizes, &[], 0, &binaries),
        Plan::Parts(chosen, cap) => {
            replace_parts(spill, &store, result, sizes, &chosen, cap, &binaries)
        }
    };
    match attempt {
        Ok(Some(replacement)) => {
            // A count that is lost is only a count.
            let _ = store.count_put(Put::Answered, count(&replacement, spill.settings));
            Outcome::Replaced(replacement)
        }
        Ok(None) => sizes.unchanged(Reason::NoGain, None),
        Err(error) => {
            let _ = store.count_put(Put::Refused, PutCount::default());
            without_store(spill, result, sizes, &error)
        }
    }
}

/// What a replacement is counted with.
fn count(replacement: &Replacement, settings: &TransformSettings) -> PutCount {
    PutCount {
        chars_in: replacement.chars_before,
        tokens_in: replacement.estimated_tokens_before,
        chars_shown: replacement.chars_after,
        tokens_shown: replacement.estimated_tokens_after,
        client_max_chars: settings.client_max_chars.into(),
    }
}

#[inline(never)]
fn replace_parts(
    spill: &Spill<'_>,
    store: &BlobStore,
    result: &FinishedResult,
    sizes: &Sizes,
    chosen: &[usize],
    cap: usize,
    binaries: &[(usize, Vec<u8>)],
) -> Result<Option<Replacement>, StoreError> {
    let mut shown = left(result);
    let mut handles: Vec<(usize, Handle)> = Vec::new();
    // A short text may say of the others that they are a part.
    let beside = result.parts.iter().enumerate().filter(|(at, _)| !chosen.contains(at));
    let mut notices = beside.filter_map(|(_, part)| match part {
        Part::Text(text) => excerpt::elided_by(text),
        _ => None,
    });
    let notice = notices.next_back();
    for &at in chosen {
        let Part::Text(text) = &result.parts[at] else { continue };
        let cap_chars = cap.min(usize::try_from(sizes.parts[at].chars / 2).unwrap_or(cap));
        let showing = Showing { notice: notice.clone(), ..showing(spill, result, None, cap_chars) };
        let content = Content::memory(text.as_bytes(), Some(sizes.parts[at]));
        let rescued = rescue(store, &content, None, &showing, spill.now)?;
        take(&mut shown, &mut handles, at, rescued);
    }
    let signs = replace_binaries(spill, store, result, binaries, &mut shown, &mut handles)?;
    if handles.is_empty() {
        return Ok(None);
    }
    Ok(Some(finished(shown, handles, sizes, signs)))
}

/// All parts, as they came.
fn left(result: &FinishedResult) -> Vec<Shown> {
    (0..result.parts.len()).map(Shown::Left).collect()
}

/// Puts texts in the place of binary parts; how many characters of base64 these had.
fn replace_binaries(
    spill: &Spill<'_>,
    store: &BlobStore,
    result: &FinishedResult,
    binaries: &[(usize, Vec<u8>)],
    shown: &mut [Shown],
    handles: &mut Vec<(usize, Handle)>,
) -> Result<u64, StoreError> {
    let mut signs = 0;
    for (at, bytes) in binaries {
        let Part::Binary { media_type, data } = &result.parts[*at] else { continue };
        let cap_chars = BINARY_HANDLE_CHARS.min(data.len());
        if cap_chars < HANDLE_MIN_CHARS {
            continue;
        }
        let showing = showing(spill, result, Some(media_type), cap_chars);
        let content = Content::memory(bytes, None);
        let rescued = rescue(store, &content, None, &showing, spill.now)?;
        take(shown, handles, *at, rescued);
        signs += data.len() as u64;
    }
    Ok(signs)
}

/// Characters of the text that stands for bytes nobody can read.
const BINARY_HANDLE_CHARS: usize = 1_500;

fn take(shown: &mut [Shown], handles: &mut Vec<(usize, Handle)>, at: usize, rescued: Rescued) {
    shown[at] = Shown::Text(rescued.text);
    handles.push((at, rescued.handle));
}

fn showing<'a>(
    spill: &Spill<'a>,
    result: &'a FinishedResult,
    media_type: Option<&'a str>,
    cap_chars: usize,
) -> Showing<'a> {
    Showing {
        settings: spill.settings,
        origin: &result.origin,
        is_error: result.is_error,
        already_cut: result.already_cut,
        media_type,
        cap_chars,
        purpose: result.origin.wanted(),
        notice: None,
    }
}

/// Stores all of a result as one: as it came over the wire, or its parts as JSON. The text in it is
/// what is shown, unless there is little of it.
fn replace_merged(
    spill: &Spill<'_>,
    store: &BlobStore,
    result: &FinishedResult,
    sizes: &Sizes,
    binaries: &[(usize, Vec<u8>)],
) -> Result<Option<Replacement>, StoreError> {
    let cap_chars = spill.cap(sizes.chars);
    if cap_chars < HANDLE_MIN_CHARS {
        return replace_parts(spill, store, result, sizes, &[], 0, binaries);
    }
    let mut texts = mcp::texts(&result.parts);
    texts.retain(|text| !text.is_empty());
    let text = texts.join("\n");
    let (raw, pointer) = match &result.raw {
        Some(raw) => (Cow::Borrowed(raw.as_str()), mcp::pointer(raw, &result.parts)),
        None => (Cow::Owned(parts_as_json(&result.parts)), "/*/text".to_owned()),
    };
    // Nothing may be out of sight: the text stands for all only when little stands beside it.
    let is_most = match &result.raw {
        Some(raw) => {
            sizes.beside.is_some_and(|bytes| bytes <= envelope::may_stand_beside(raw.len() as u64))
        }
        None => !result
            .parts
            .iter()
            .any(|part| matches!(part, Part::Binary { data, .. } if data.len() > 2_048)),
    };
    let inside = is_most.then_some(Inside { text: &text, pointer: &pointer });
    let showing = showing(spill, result, None, cap_chars);
    let content = Content::memory(raw.as_bytes(), sizes.raw);
    let rescued = rescue(store, &content, inside.as_ref(), &showing, spill.now)?;

    let mut replaced = left(result);
    let is_text = |part: &Part| matches!(part, Part::Text(_));
    let first = result.parts.iter().position(is_text).unwrap_or(result.parts.len());
    let mut handles = vec![(first, rescued.handle)];
    let signs = replace_binaries(spill, store, result, binaries, &mut replaced, &mut handles)?;
    let mut shown = Vec::new();
    let mut text = Some(rescued.text);
    for (one, before) in replaced.into_iter().zip(&result.parts) {
        match before {
            Part::Text(_) => shown.extend(text.take().map(Shown::Text)),
            _ => shown.push(one),
        }
    }
    shown.extend(text.take().map(Shown::Text));
    Ok(Some(finished(shown, handles, sizes, signs)))
}

/// The parts as a JSON array, in MCP's shapes.
fn parts_as_json(parts: &[Part]) -> String {
    let values: Vec<serde_json::Value> = parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => serde_json::json!({"type": "text", "text": text}),
            Part::Binary { media_type, data } => {
                serde_json::json!({"type": "binary", "mimeType": media_type, "data": data})
            }
            Part::Link { uri, name, media_type } => {
                serde_json::json!({"type": "resource_link", "uri": uri, "name": name, "mimeType": media_type})
            }
        })
        .collect();
    serde_json::Value::from(values).to_string()
}

/// The replacement, with its handles in the order of the parts; `signs` are characters of base64 that
/// stood in it.
fn finished(
    shown: Vec<Shown>,
    mut handles: Vec<(usize, Handle)>,
    sizes: &Sizes,
    signs: u64,
) -> Replacement {
    sort_by_key(&mut handles, |(at, _)| *at);
    let mut replacement = Replacement {
        handles: handles.into_iter().map(|(_, handle)| handle).collect(),
        chars_before: sizes.chars + signs,
        estimated_tokens_before: sizes.tokens + of_base64(signs),
        ..Replacement::default()
    };
    for one in &shown {
        let measure = match one {
            Shown::Text(text) => Measurer::of(text.as_bytes()),
            Shown::Left(at) => sizes.parts[*at],
        };
        replacement.chars_after += measure.chars;
        replacement.estimated_tokens_after += measure.estimated_tokens;
    }
    replacement.shown = shown;
    replacement
}

/// What becomes of a result that cannot be stored.
fn without_store(
    spill: &Spill<'_>,
    result: &FinishedResult,
    sizes: &Sizes,
    error: &StoreError,
) -> Outcome {
    let cause = error.to_string();
    let cap_chars = spill.cap(sizes.chars);
    if sizes.chars <= u64::from(spill.settings.fallback_max_chars) || cap_chars < HANDLE_MIN_CHARS {
        return sizes.unchanged(Reason::NotStored, Some(cause));
    }
    let texts = mcp::texts(&result.parts);
    let text =
        if texts.is_empty() { result.raw.clone().unwrap_or_default() } else { texts.join("\n") };
    let showing = showing(spill, result, None, cap_chars);
    let text_shown =
        unstored(&text.as_bytes(), &Measurer::of(text.as_bytes()), error.reason(), &showing);
    let mut shown = left(result);
    shown.retain(
        |one| matches!(one, Shown::Left(at) if !matches!(result.parts[*at], Part::Text(_))),
    );
    shown.insert(0, Shown::Text(text_shown));
    let mut replacement = finished(shown, Vec::new(), sizes, 0);
    replacement.store_failure = Some(cause);
    replacement.never_stored = matches!(error, StoreError::NeverStored { .. });
    Outcome::Replaced(replacement)
}
