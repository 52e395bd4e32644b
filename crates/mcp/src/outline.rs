//! Where the parts of a message lie, found while its bytes pass by.
//!
//! A message too large for memory is still JSON-RPC: somewhere in it are an `id`, perhaps after a
//! gigabyte of `result`, and inside the result one text that makes up most of it. [`Outline`] sees
//! each byte once, keeps a few spans, and holds nothing else.
//!
//! It follows structure, not grammar: what it calls whole has balanced brackets and closed strings,
//! and may still be invalid inside. Whoever reads a span parses it.

use std::ops::Range;

/// Containers whose members are told apart: the message, its result, the result of a task within that,
/// the content, a block.
const TRACKED: usize = 5;

/// Bytes of a member's name that are kept; the names looked for are all shorter.
const NAME_BYTES: usize = 16;

/// The longest text block of a tool's result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct TextSpan {
    /// Which block of `content` it is in.
    pub block: usize,
    /// Where the string lies, quotes left out, escapes still in it.
    pub span: Range<u64>,
}

#[derive(Debug, Default)]
struct Level {
    array: bool,
    wants_name: bool,
    name: Vec<u8>,
    index: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
enum Mode {
    #[default]
    Between,
    Scalar,
    Text {
        escaped: bool,
        name: bool,
    },
}

/// Spans of the parts of one message. Feed it the message's bytes in order, then ask.
#[derive(Debug, Default)]
pub(crate) struct Outline {
    at: u64,
    levels: Vec<Level>,
    deeper: u64,
    mode: Mode,
    value_start: [u64; TRACKED + 1],
    whole: bool,
    broken: bool,
    /// The span of `id`.
    pub id: Option<Range<u64>>,
    /// Whether there is a `method`: then it is no response.
    pub has_method: bool,
    /// The span of `result`.
    pub result: Option<Range<u64>>,
    /// Whether there is more than one `result`: readers differ in which of them counts.
    pub repeats_result: bool,
    /// The longest string at `result.content[n].text`.
    pub text: Option<TextSpan>,
    /// The span of `result.result`, which a task that is done has.
    pub inner: Option<Range<u64>>,
    /// The longest string at `result.result.content[n].text`.
    pub inner_text: Option<TextSpan>,
}

impl Outline {
    /// Whether what came so far is one balanced object and nothing else.
    pub(crate) fn is_whole(&self) -> bool {
        self.whole && !self.broken
    }

    /// Takes the next bytes of the message.
    pub(crate) fn feed(&mut self, bytes: &[u8]) {
        let mut i = 0;
        while i < bytes.len() && !self.broken {
            let here = self.at + i as u64;
            match self.mode {
                Mode::Text { escaped: true, name } => {
                    self.keep_name(name, &bytes[i..=i]);
                    self.mode = Mode::Text { escaped: false, name };
                    i += 1;
                }
                Mode::Text { escaped: false, name } => {
                    let rest = &bytes[i..];
                    let Some(found) = memchr::memchr2(b'"', b'\\', rest) else {
                        self.keep_name(name, rest);
                        break;
                    };
                    self.keep_name(name, &rest[..found]);
                    i += found + 1;
                    if rest[found] == b'\\' {
                        self.keep_name(name, b"\\");
                        self.mode = Mode::Text { escaped: true, name };
                    } else {
                        self.mode = Mode::Between;
                        if !name {
                            self.end_value(here + found as u64 + 1, true);
                        }
                    }
                }
                Mode::Scalar => {
                    if matches!(bytes[i], b' ' | b'\t' | b'\r' | b'\n' | b',' | b'}' | b']') {
                        self.mode = Mode::Between;
                        self.end_value(here, false);
                    } else {
                        i += 1;
                    }
                }
                Mode::Between => {
                    self.between(bytes[i], here);
                    i += 1;
                }
            }
        }
        self.at += bytes.len() as u64;
    }

    fn between(&mut self, byte: u8, here: u64) {
        match byte {
            b' ' | b'\t' | b'\r' | b'\n' | b':' => {}
            _ if self.whole => self.broken = true,
            b'{' | b'[' => {
                self.start_value(here);
                if self.deeper > 0 || self.levels.len() == TRACKED {
                    self.deeper += 1;
                } else {
                    let array = byte == b'[';
                    self.levels.push(Level { array, wants_name: !array, ..Level::default() });
                }
            }
            b'}' | b']' => {
                if self.deeper > 0 {
                    self.deeper -= 1;
                } else if self.levels.pop().is_none_or(|level| level.array != (byte == b']')) {
                    self.broken = true;
                    return;
                }
                self.end_value(here + 1, false);
                self.whole = self.levels.is_empty();
            }
            b',' => {
                if self.deeper == 0
                    && let Some(level) = self.levels.last_mut()
                {
                    level.wants_name = !level.array;
                    level.index += 1;
                }
            }
            b'"' => {
                let mut name = false;
                if self.deeper == 0
                    && let Some(level) = self.levels.last_mut()
                    && level.wants_name
                {
                    level.wants_name = false;
                    level.name.clear();
                    name = true;
                }
                if !name {
                    self.start_value(here);
                }
                self.mode = Mode::Text { escaped: false, name };
            }
            _ => {
                if self.levels.is_empty() {
                    self.broken = true;
                    return;
                }
                self.start_value(here);
                self.mode = Mode::Scalar;
            }
        }
    }

    fn keep_name(&mut self, name: bool, bytes: &[u8]) {
        if name && let Some(level) = self.levels.last_mut() {
            // One more than any name looked for, so that a longer one cannot be taken for it.
            let room = NAME_BYTES.saturating_sub(level.name.len());
            level.name.extend_from_slice(&bytes[..bytes.len().min(room)]);
        }
    }

    fn start_value(&mut self, here: u64) {
        if self.deeper == 0 {
            self.value_start[self.levels.len()] = here;
        }
    }

    fn name(&self, level: usize) -> &[u8] {
        self.levels.get(level).map_or(&[], |level| &level.name)
    }

    fn end_value(&mut self, end: u64, is_text: bool) {
        if self.deeper > 0 {
            return;
        }
        let depth = self.levels.len();
        let span = self.value_start[depth]..end;
        match depth {
            1 => match self.name(0) {
                b"id" => self.id = Some(span),
                b"method" => self.has_method = true,
                b"result" => self.repeats_result |= self.result.replace(span).is_some(),
                _ => {}
            },
            2 if self.name(0) == b"result" && self.name(1) == b"result" => self.inner = Some(span),
            4 if is_text && self.name(0) == b"result" && self.is_block_text(1) => {
                let found = TextSpan { block: self.levels[2].index, span };
                keep_longest(&mut self.text, found);
            }
            5 if is_text
                && self.name(0) == b"result"
                && self.name(1) == b"result"
                && self.is_block_text(2) =>
            {
                let found = TextSpan { block: self.levels[3].index, span };
                keep_longest(&mut self.inner_text, found);
            }
            _ => {}
        }
    }

    /// Whether the value that ends is at `content[n].text` of the container at `level`.
    fn is_block_text(&self, level: usize) -> bool {
        self.name(level) == b"content"
            && self.levels[level + 1].array
            && self.name(level + 2) == b"text"
    }
}

/// Keeps the longer of the two; that of `found` has its quotes still on.
fn keep_longest(kept: &mut Option<TextSpan>, found: TextSpan) {
    let span = found.span.start + 1..found.span.end - 1;
    if span.end - span.start > kept.as_ref().map_or(0, |kept| kept.span.end - kept.span.start) {
        *kept = Some(TextSpan { span, ..found });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn outline(text: &str, chunk: usize) -> Outline {
        let mut outline = Outline::default();
        for part in text.as_bytes().chunks(chunk) {
            outline.feed(part);
        }
        outline
    }

    fn cut(text: &str, span: &Range<u64>) -> String {
        text[span.start as usize..span.end as usize].to_owned()
    }

    #[test]
    fn finds_id_result_and_the_longest_text_however_the_bytes_come() {
        let text = r#"{"result":{"x":{"content":[{"text":"not this one, though long enough"}]},"content":[{"type":"text","text":"a"},{"type":"text","text":"lo\"ng\\"},{"deep":{"text":"no"},"texts":"nononono"}],"n":[[{}]]},"jsonrpc":"2.0" , "id":7}"#;
        for chunk in 1..40 {
            let found = outline(text, chunk);
            assert!(found.is_whole() && !found.has_method);
            assert_eq!(cut(text, found.id.as_ref().unwrap()), "7");
            assert!(cut(text, found.result.as_ref().unwrap()).ends_with("\"n\":[[{}]]}"));
            let longest = found.text.unwrap();
            assert_eq!((longest.block, cut(text, &longest.span)), (1, r#"lo\"ng\\"#.to_owned()));
        }
    }

    #[test]
    fn finds_the_result_of_a_task() {
        let text = r#"{"id":1,"result":{"taskId":"a","result":{"content":[{"text":"a"},{"type":"text","text":"long"}],"n":{"content":[{"text":"longer"}]}}}}"#;
        for chunk in 1..40 {
            let found = outline(text, chunk);
            assert_eq!(found.text, None);
            assert!(cut(text, found.inner.as_ref().unwrap()).ends_with(r#""longer"}]}}"#));
            let longest = found.inner_text.unwrap();
            assert_eq!((longest.block, cut(text, &longest.span)), (1, "long".to_owned()));
        }
    }

    #[test]
    fn tells_requests_and_broken_text() {
        assert!(outline(r#"{"id":"a","method":"x","params":{"method":1}}"#, 5).has_method);
        assert!(!outline(r#"{"id":1,"result":{"method":"x"}}"#, 3).has_method);
        for text in ["{\"id\":1", "{\"id\":1]", "{}{}", "12", "{\"a\":\"b}", ""] {
            assert!(!outline(text, 2).is_whole(), "{text}");
        }
    }
}
