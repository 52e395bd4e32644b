//! Finds the text that a JSON envelope is there for.
//!
//! Tools wrap what they have to say: `{"result": "…"}`, `{"output": "…", "exit_code": 0}`,
//! `{"content": [{"type": "text", "text": "…"}]}`. On the wire that is one line, however many the
//! text has. When little stands beside its long strings, they are the content: one by itself, or
//! several one after the other, each under a line that says where it was. What stands beside them is
//! a few words. Where there is more, nothing is opened, so that nothing is out of sight.

use crate::content::json::{Cursor, Range, Shape};
use crate::content::numbers::counted;
use crate::content::scan::Chunks;
use crate::content::show::{one_line, width};
use crate::content::unescape::decoded;
use crate::source::{ReadError, Source};

/// Containers that may stand around the string.
const MAX_DEPTH: usize = 5;

/// Bytes that the string must have at least: a short one is as well shown in its envelope.
const MIN_BYTES: u64 = 1_024;

/// Bytes of a key on the way to the string.
const KEY_BYTES: u64 = 200;

/// What may stand beside the strings: bytes, or this part of all.
const BESIDE_BYTES: u64 = 2_048;
const BESIDE_PART: u64 = 20;

/// Strings that are joined; what is beyond stands beside.
const MAX_STRINGS: usize = 64;

/// Members around the string that are remembered.
const MAX_SIBLINGS: usize = 64;

/// Characters of the words about them, and of one value.
const SIBLINGS_CHARS: usize = 300;
const VALUE_CHARS: usize = 60;

/// The text in a JSON envelope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Envelope {
    /// The strings that are the text, in order; at least one.
    pub texts: Vec<TextAt>,
    /// The members around them in a few words: `exit_code: 1, isError: true`. One line, safe to
    /// show, of at most 300 characters; empty when there are none.
    pub siblings: String,
}

/// A string in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TextAt {
    /// Where it is, as a JSON pointer (RFC 6901): `/result`, `/content/0/text`; empty when the
    /// whole content is one JSON string.
    pub pointer: String,
    /// The first byte of its escaped form, after the opening quote. See [`crate::content::unescape`].
    pub start: u64,
    /// One past the last byte of its escaped form: where the closing quote is.
    pub end: u64,
}

impl Envelope {
    /// Where the text is: a JSON pointer, with `*` for what differs between its strings.
    pub fn pointer(&self) -> String {
        let mut steps: Vec<&str> = self.texts[0].pointer.split('/').collect();
        for text in &self.texts[1..] {
            let others: Vec<&str> = text.pointer.split('/').collect();
            if others.len() != steps.len() {
                return "/**".to_owned();
            }
            for (step, other) in steps.iter_mut().zip(others) {
                if *step != other {
                    *step = "*";
                }
            }
        }
        steps.join("/")
    }
}

/// How much may stand beside a text in `len` bytes that is shown without it.
pub fn may_stand_beside(len: u64) -> u64 {
    BESIDE_BYTES.max(len / BESIDE_PART)
}

struct Frame {
    // Tells containers apart, in the order in which they were met.
    id: usize,
    object: bool,
    key: Option<Range>,
    index: u64,
    start: u64,
    // The key or index under which the container itself stands.
    parent_step: Step,
}

#[derive(Clone, Copy)]
enum Step {
    Key(Range),
    Index(u64),
}

struct Sibling {
    frame: usize,
    step: Step,
    shape: Shape,
    range: Range,
}

struct Candidate {
    frames: Vec<usize>,
    path: Vec<Step>,
    // With the quotes.
    range: Range,
}

/// Finds the strings that are nearly all of a JSON text.
///
/// A string that is there a second time, as a tool may send its text in structured form too, counts
/// once. Nothing is found in JSON that is cut or malformed.
///
/// # Errors
/// As [`Source::read_at`].
pub fn envelope<S: Source + ?Sized>(source: &S) -> Result<Option<Envelope>, ReadError> {
    let source: &dyn Source = &source;
    let len = source.len();
    if len < MIN_BYTES {
        return Ok(None);
    }
    let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
    let Some(found) = strings(source, start)? else { return Ok(None) };
    let beside = (len - found.bytes).saturating_sub(start);
    if found.all.is_empty() || beside > may_stand_beside(len) || found.bytes * 2 <= len {
        return Ok(None);
    }
    let mut chosen: Vec<Candidate> = Vec::new();
    let mut again: Vec<Range> = Vec::new();
    for candidate in found.all {
        let mut is_again = false;
        for before in &chosen {
            is_again = is_again || equal(source, before.range, candidate.range)?;
        }
        match is_again {
            true => again.push(candidate.range),
            false => chosen.push(candidate),
        }
    }
    let mut texts = Vec::with_capacity(chosen.len());
    for candidate in &chosen {
        let Some(pointer) = pointer(source, &candidate.path)? else { return Ok(None) };
        let (start, end) = candidate.range;
        texts.push(TextAt { pointer, start: start + 1, end: end - 1 });
    }
    let siblings = words(source, &found.siblings, found.unseen_siblings, &chosen, &again)?;
    Ok(Some(Envelope { texts, siblings }))
}

/// The long strings of a JSON text, and what stands beside them.
#[derive(Default)]
struct Strings {
    all: Vec<Candidate>,
    bytes: u64,
    siblings: Vec<Sibling>,
    unseen_siblings: u64,
}

impl Strings {
    /// Takes a string under a key or index of the last frame, where it is long enough.
    fn string(&mut self, frames: &[Frame], step: Step, range: Range) {
        let bytes = range.1 - range.0;
        if bytes < MIN_BYTES || self.all.len() == MAX_STRINGS {
            return;
        }
        self.bytes += bytes;
        let steps = frames.iter().skip(1).map(|frame| frame.parent_step).chain([step]);
        let path = if frames.is_empty() { Vec::new() } else { steps.collect() };
        let frames = frames.iter().map(|frame| frame.id).collect();
        self.all.push(Candidate { frames, path, range });
    }

    fn sibling(&mut self, sibling: Sibling) {
        if self.siblings.len() < MAX_SIBLINGS {
            self.siblings.push(sibling);
        } else {
            self.unseen_siblings += 1;
        }
    }
}

/// Goes over a JSON text; nothing where too much stands beside its strings, or it is cut or malformed.
#[expect(clippy::too_many_lines, reason = "one pass over a document, a case for each token")]
fn strings(source: &dyn Source, start: u64) -> Result<Option<Strings>, ReadError> {
    let len = source.len();
    let mut cursor = Cursor::new(source, start);
    if !matches!(cursor.peek_token()?, Some(b'{' | b'[' | b'"')) {
        return Ok(None);
    }

    let mut frames: Vec<Frame> = Vec::new();
    let mut ids = 0;
    let mut found = Strings::default();
    while let Some(token) = cursor.peek_token()? {
        let here = cursor.position();
        // When too much stands beside them already, no further string can change that.
        if here.saturating_sub(found.bytes) > may_stand_beside(len) + MIN_BYTES {
            return Ok(None);
        }
        let in_object = frames.last().is_some_and(|frame| frame.object);
        if in_object
            && let Some(frame) = frames.last_mut()
            && frame.key.is_none()
            && token == b'"'
        {
            if !cursor.skip_string()? {
                return Ok(None);
            }
            let key = (here, cursor.position());
            if cursor.peek_token()? != Some(b':') {
                return Ok(None);
            }
            cursor.bump();
            frame.key = Some(key);
            continue;
        }
        let mut done: Option<(Step, Shape, Range)> = None;
        match token {
            b',' => {
                cursor.bump();
                continue;
            }
            b'}' | b']' => {
                cursor.bump();
                let Some(frame) = frames.pop() else { return Ok(None) };
                if frame.object != (token == b'}') {
                    return Ok(None);
                }
                let shape = if frame.object { Shape::Object } else { Shape::Array };
                done = Some((frame.parent_step, shape, (frame.start, cursor.position())));
            }
            _ => {
                let step = match frames.last() {
                    Some(Frame { object: true, key: Some(key), .. }) => Step::Key(*key),
                    Some(Frame { object: true, key: None, .. }) => return Ok(None),
                    Some(frame) => Step::Index(frame.index),
                    None => Step::Index(0),
                };
                if matches!(token, b'{' | b'[') && frames.len() < MAX_DEPTH {
                    cursor.bump();
                    frames.push(Frame {
                        id: ids,
                        object: token == b'{',
                        key: None,
                        index: 0,
                        start: here,
                        parent_step: step,
                    });
                    ids += 1;
                    continue;
                }
                if !cursor.skip_value(token)? {
                    return Ok(None);
                }
                let range = (here, cursor.position());
                if token == b'"' {
                    found.string(&frames, step, range);
                }
                done = done.or(Some((step, Shape::of(token), range)));
            }
        }
        if let Some((step, shape, range)) = done {
            match frames.last_mut() {
                Some(frame) => {
                    frame.key = None;
                    frame.index += 1;
                    found.sibling(Sibling { frame: frame.id, step, shape, range });
                }
                None => break,
            }
        }
    }
    if !frames.is_empty() || cursor.peek_token()?.is_some() {
        return Ok(None);
    }
    Ok(Some(found))
}

/// Whether two ranges hold the same bytes.
fn equal(source: &dyn Source, one: Range, other: Range) -> Result<bool, ReadError> {
    if one.1 - one.0 != other.1 - other.0 {
        return Ok(false);
    }
    let mut ones = Chunks::new(source, one.0, one.1);
    let mut others = Chunks::new(source, other.0, other.1);
    loop {
        // Chunks of ranges as long as each other end at the same places.
        match (ones.next_chunk()?, others.next_chunk()?) {
            (None, None) => return Ok(true),
            (Some((_, a)), Some((_, b))) if a == b => {}
            _ => return Ok(false),
        }
    }
}

fn pointer(source: &dyn Source, path: &[Step]) -> Result<Option<String>, ReadError> {
    let mut pointer = String::new();
    for step in path {
        pointer.push('/');
        match *step {
            Step::Index(index) => pointer.push_str(&index.to_string()),
            Step::Key(key) if key.1 - key.0 > KEY_BYTES => return Ok(None),
            Step::Key(key) => {
                let name = decoded(&source.read_range(key.0 + 1, key.1 - 1)?);
                pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
            }
        }
    }
    Ok(Some(pointer))
}

/// What a member or an item is called, on one line.
fn name(source: &dyn Source, sibling: &Sibling) -> Result<String, ReadError> {
    Ok(match sibling.step {
        Step::Index(index) => format!("item {index}"),
        Step::Key(key) if key.1 - key.0 > KEY_BYTES => "(long key)".to_owned(),
        Step::Key(key) => {
            one_line(&decoded(&source.read_range(key.0 + 1, key.1 - 1)?), VALUE_CHARS)
        }
    })
}

/// A member in a few words: `exit_code: 1`. None when it says nothing.
fn member(source: &dyn Source, sibling: &Sibling) -> Result<Option<String>, ReadError> {
    let name = name(source, sibling)?;
    let (start, end) = sibling.range;
    let bytes = end - start;
    let value = match sibling.shape {
        Shape::Object => format!("{{…}} of {}", counted(bytes, "byte")),
        Shape::Array => format!("[…] of {}", counted(bytes, "byte")),
        _ if bytes <= 4 * VALUE_CHARS as u64 => {
            let value = source.read_range(start, end)?;
            one_line(&String::from_utf8_lossy(&value), VALUE_CHARS)
        }
        _ => format!("a {} of {}", sibling.shape.noun(), counted(bytes, "byte")),
    };
    // Every MCP text block has it.
    let says_nothing = name == "type" && value == "\"text\"";
    Ok((!says_nothing).then(|| format!("{name}: {value}")))
}

/// The members of all containers around the chosen strings, in a few words.
fn words(
    source: &dyn Source,
    siblings: &[Sibling],
    unseen: u64,
    chosen: &[Candidate],
    again: &[Range],
) -> Result<String, ReadError> {
    let holds =
        |sibling: &Sibling, range: &Range| sibling.range.0 <= range.0 && range.1 <= sibling.range.1;
    let repeats = |sibling: &Sibling| again.iter().any(|range| holds(sibling, range));
    let around = |sibling: &&Sibling| {
        chosen.iter().any(|candidate| candidate.frames.contains(&sibling.frame))
            && !chosen.iter().any(|candidate| holds(sibling, &candidate.range))
    };
    let mut out = String::new();
    let mut left_out = unseen;
    for sibling in siblings.iter().filter(around) {
        let value = match repeats(sibling) {
            true => {
                let mut value = "the same text".to_owned();
                // What stands beside it there: the outermost members without the text.
                let inside = |outer: &Sibling, inner: &Sibling| {
                    holds(outer, &inner.range) && outer.range != inner.range
                };
                let beside = |inner: &&Sibling| {
                    let covered = siblings.iter().any(|between| {
                        inside(sibling, between) && inside(between, inner) && !repeats(between)
                    });
                    inside(sibling, inner) && !repeats(inner) && !covered
                };
                let mut members = Vec::new();
                for inner in siblings.iter().filter(beside) {
                    members.extend(member(source, inner)?);
                }
                if !members.is_empty() {
                    value.push_str(&format!(" ({})", members.join(", ")));
                }
                Some(format!("{}: {value}", name(source, sibling)?))
            }
            false => member(source, sibling)?,
        };
        let Some(value) = value else { continue };
        let separator = if out.is_empty() { "" } else { ", " };
        if width(&out) + width(&value) + 30 > SIBLINGS_CHARS {
            left_out += 1;
        } else {
            out.push_str(&format!("{separator}{value}"));
        }
    }
    if left_out > 0 {
        let separator = if out.is_empty() { "" } else { ", " };
        out.push_str(&format!("{separator}{left_out} more"));
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::{Value, json};

    fn open(value: &Value) -> Option<(Envelope, String)> {
        let text = value.to_string();
        let envelope = envelope(text.as_bytes()).unwrap()?;
        let mut out = Vec::new();
        for at in &envelope.texts {
            let mut unescape = crate::content::unescape::Unescape::new();
            unescape.push(&text.as_bytes()[at.start as usize..at.end as usize], &mut out);
            unescape.finish(&mut out);
        }
        Some((envelope, String::from_utf8(out).unwrap()))
    }

    fn payload() -> String {
        "line one \"quoted\"\nline two é🙂\n".repeat(2_000)
    }

    #[test]
    fn the_usual_envelopes_are_opened() {
        let text = payload();
        for (value, pointer, siblings) in [
            (json!({"result": text}), "/result", ""),
            (json!({"exit_code": 1, "output": text}), "/output", "exit_code: 1"),
            (
                json!({"content": [{"type": "text", "text": text}], "isError": true}),
                "/content/0/text",
                "isError: true",
            ),
            (
                json!({"results": [{"content": text, "title": "T", "url": "http://x"}]}),
                "/results/0/content",
                "title: \"T\", url: \"http://x\"",
            ),
            (
                json!({"result": text, "structuredContent": {"result": text}}),
                "/result",
                "structuredContent: the same text",
            ),
            (
                json!([{"name": "one", "text": text}, {"name": "two", "text": text}]),
                "/0/text",
                "name: \"one\", item 1: the same text (name: \"two\")",
            ),
            (
                json!({"result": text, "then": {"rows": [1, 2], "inner": [{"text": text}]}}),
                "/result",
                "then: the same text (rows: […] of 5 bytes)",
            ),
            (json!({"a/b": {"c~d": text}}), "/a~1b/c~0d", ""),
            (json!(text), "", ""),
        ] {
            let (envelope, inside) = open(&value).unwrap_or_else(|| panic!("{pointer}"));
            assert_eq!(envelope.pointer(), pointer);
            assert_eq!(envelope.siblings, siblings);
            assert_eq!(inside, text);
        }
    }

    #[test]
    fn what_is_no_envelope_stays_closed() {
        let text = payload();
        for value in [
            json!({"result": "short"}),
            json!({"rows": (0..9_000).collect::<Vec<_>>()}),
            // What stands beside would be out of sight.
            json!({"text": text, "rows": (0..2_000).collect::<Vec<_>>()}),
            json!({"results": [text, {"short": vec!["x".repeat(900); 9]}]}),
        ] {
            assert_eq!(open(&value).map(|(envelope, _)| envelope.pointer()), None);
        }
        let whole = json!({"result": text}).to_string();
        assert_eq!(envelope(&whole.as_bytes()[..whole.len() - 5]).unwrap(), None);
    }

    #[test]
    fn several_long_strings_are_one_text() {
        let text = payload();
        let upper = text.to_uppercase();
        for (value, pointer) in [
            (
                json!({"results": [{"content": text, "url": "u"}, {"content": upper}]}),
                "/results/*/content",
            ),
            (json!({"a_out": text, "b_err": upper, "exit": 1}), "/*"),
            (json!([text, {"x": upper}]), "/**"),
        ] {
            let (envelope, inside) = open(&value).unwrap();
            assert_eq!(envelope.pointer(), pointer);
            assert_eq!(inside, format!("{text}{upper}"));
        }
    }

    proptest! {
        #[test]
        fn the_pointer_leads_to_the_text(
            keys in proptest::collection::vec("[a-w/~\"]{1,8}", 1..4), items in 0usize..3, text in ".{900,1500}",
        ) {
            let text = text.repeat(2);
            let mut value = json!(text);
            for key in &keys {
                value = json!({ key.clone(): value, "x": [1, {"y": null}] });
            }
            if items > 0 {
                let mut list = vec![json!(7); items];
                list.push(value);
                value = json!(list);
            }
            let (envelope, inside) = open(&value).unwrap();
            prop_assert_eq!(value.pointer(&envelope.pointer()), Some(&json!(text)));
            prop_assert_eq!(inside, text);
            prop_assert!(width(&envelope.siblings) <= SIBLINGS_CHARS);
        }

        #[test]
        fn any_bytes_are_survived(text in "[\\[\\]{}\":,a1\\\\ \n]{0,60}", long in 0usize..2) {
            let text = text.replace('a', &"a".repeat(1 + long * 2_000));
            if let Some(envelope) = envelope(text.as_bytes()).unwrap() {
                for at in envelope.texts {
                    prop_assert!(at.start <= at.end && at.end <= text.len() as u64);
                }
            }
        }
    }
}
