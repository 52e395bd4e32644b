//! Cuts bytes to what one answer may hold, as text that gives the bytes back.
//!
//! Bytes that are UTF-8 are shown as they are. Others are **escaped**: each byte that is not part of
//! a valid character becomes `\x` and two lower-case hex digits, each backslash becomes two, and
//! everything else stays. That can be reversed, so nothing is ever lost; a test does it.

use crate::source::{ReadError, Source};

/// The fewest characters a page may have: one escaped byte.
pub const MIN_PAGE_CHARS: usize = 4;

/// How the content of a page is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Encoding {
    /// As it is.
    Utf8,
    /// With [`escape`], because the bytes are not UTF-8.
    Escaped,
}

/// Content cut to its bound.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cut {
    /// The content.
    pub content: String,
    /// How it is written.
    pub encoding: Encoding,
    /// One past the last byte it stands for.
    pub end: u64,
}

/// As much of the bytes in `start..end` as `max_chars` characters hold (at least
/// [`MIN_PAGE_CHARS`]).
///
/// Never cut inside a valid character. With `whole_lines` the cut is after a line feed, when one
/// whole line fits. Something is taken unless the range is empty.
///
/// # Errors
/// [`ReadError`] when the bytes cannot be read.
pub fn cut(
    source: &dyn Source,
    start: u64,
    end: u64,
    max_chars: usize,
    whole_lines: bool,
) -> Result<Cut, ReadError> {
    let max_chars = max_chars.max(MIN_PAGE_CHARS);
    // Four bytes more than the content can use, so that a character cut by this read is not needed.
    let want = (max_chars as u64).saturating_mul(4).saturating_add(4);
    let end = end.min(source.len());
    let bytes = source.read_range(start, end.min(start.saturating_add(want)))?;

    let (valid, broken) = match std::str::from_utf8(&bytes) {
        Ok(text) => (text, false),
        Err(error) => {
            let (valid, _) = bytes.split_at(error.valid_up_to());
            (std::str::from_utf8(valid).unwrap_or_default(), true)
        }
    };
    let (mut content, encoding, mut taken) = match valid.char_indices().nth(max_chars) {
        Some((at, _)) => (valid[..at].to_owned(), Encoding::Utf8, at),
        None if !broken => (valid.to_owned(), Encoding::Utf8, valid.len()),
        None => {
            let (content, taken) = escape(&bytes, max_chars);
            (content, Encoding::Escaped, taken)
        }
    };
    if whole_lines
        && start + (taken as u64) < end
        && let Some(last) = memchr::memrchr(b'\n', &bytes[..taken])
        && let Some(text_last) = content.rfind('\n')
    {
        taken = last + 1;
        content.truncate(text_last + 1);
    }
    Ok(Cut { content, encoding, end: start + taken as u64 })
}

/// `bytes` escaped, as far as `max_chars` characters go; and how many bytes that is.
pub fn escape(bytes: &[u8], max_chars: usize) -> (String, usize) {
    let (mut text, mut taken, mut left) = (String::new(), 0, max_chars);
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            let chars = if c == '\\' { 2 } else { 1 };
            if left < chars {
                return (text, taken);
            }
            if c == '\\' {
                text.push('\\');
            }
            text.push(c);
            left -= chars;
            taken += c.len_utf8();
        }
        for byte in chunk.invalid() {
            if left < 4 {
                return (text, taken);
            }
            push_escaped(&mut text, *byte);
            left -= 4;
            taken += 1;
        }
    }
    (text, taken)
}

/// `bytes` with the bad ones escaped and backslashes left alone: for reading, not for decoding.
pub(crate) fn readable(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        for byte in chunk.invalid() {
            push_escaped(&mut text, *byte);
        }
    }
    text
}

fn push_escaped(text: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789abcdef";
    text.push_str("\\x");
    text.push(HEX[usize::from(byte >> 4)] as char);
    text.push(HEX[usize::from(byte & 15)] as char);
}

#[cfg(test)]
pub(in crate::fetch) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// The bytes that [`escape`] was given; nothing when `text` was not made by it.
    pub(in crate::fetch) fn unescape(text: &str) -> Option<Vec<u8>> {
        let mut bytes = Vec::with_capacity(text.len());
        let mut rest = text.as_bytes();
        while let Some(at) = memchr::memchr(b'\\', rest) {
            bytes.extend_from_slice(&rest[..at]);
            rest = match &rest[at + 1..] {
                [b'\\', tail @ ..] => {
                    bytes.push(b'\\');
                    tail
                }
                [b'x', high, low, tail @ ..] => {
                    let digit = |d: u8| (d as char).to_digit(16);
                    bytes.push((digit(*high)? * 16 + digit(*low)?) as u8);
                    tail
                }
                _ => return None,
            };
        }
        bytes.extend_from_slice(rest);
        Some(bytes)
    }

    #[test]
    fn text_is_cut_between_characters_and_kept_as_it_is() {
        let source = "a€\\\0\u{1F600}z".as_bytes();
        let cut = cut(&source, 0, 99, 5, false).unwrap();
        assert_eq!(cut.content, "a€\\\0\u{1F600}");
        assert_eq!((cut.encoding, cut.end), (Encoding::Utf8, 10));
    }

    #[test]
    fn bytes_that_are_not_utf8_are_escaped() {
        let source: &[u8] = b"a\\b\xFF\xC3";
        let cut = cut(&source, 0, 99, 100, false).unwrap();
        assert_eq!(cut.content, r"a\\b\xff\xc3");
        assert_eq!((cut.encoding, cut.end), (Encoding::Escaped, 5));
    }

    #[test]
    fn a_cut_is_after_a_line_when_one_fits() {
        let source: &[u8] = b"one\ntwo\nthree\n";
        assert_eq!(cut(&source, 0, 14, 9, true).unwrap().content, "one\ntwo\n");
        assert_eq!(cut(&source, 8, 14, 4, true).unwrap().content, "thre");
        assert_eq!(cut(&source, 0, 14, 14, true).unwrap().content, "one\ntwo\nthree\n");
        assert_eq!(cut(&source, 0, 6, 9, true).unwrap().content, "one\ntw");
    }

    proptest! {
        #[test]
        fn unescaping_gives_back_the_bytes(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\\'), any::<u8>()], 0..100),
            max in 4usize..50,
        ) {
            let (text, taken) = escape(&bytes, max);
            prop_assert!(text.chars().count() <= max);
            prop_assert_eq!(unescape(&text).unwrap(), &bytes[..taken]);
        }
    }
}
