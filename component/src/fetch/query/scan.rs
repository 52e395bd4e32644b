//! The marks of JSON in bytes: where strings, numbers and words end.

use crate::content::json::number_len;

/// Levels of nesting that a value may have. The interpreter recurses on values.
pub(super) const MAX_DEPTH: usize = 200;

/// Values that a row or a document may hold, and digits of one number: reading a number takes time by
/// the square of its length.
pub(super) const MAX_VALUES: usize = 400_000;
pub(super) const MAX_DIGITS: usize = 4_000;

/// A row that must go the long way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Odd;

pub(super) fn blank(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    at
}

/// Where a string ends, after its quote, and whether anything in it is escaped.
#[inline(never)]
pub(super) fn string_end(bytes: &[u8], mut at: usize) -> Result<(usize, bool), Odd> {
    let mut escaped = false;
    loop {
        at = mark_at::<b'"'>(bytes, at).ok_or(Odd)?;
        match bytes[at] {
            b'"' => return Ok((at + 1, escaped)),
            b'\\' => {
                escaped = true;
                at += match *bytes.get(at + 1).ok_or(Odd)? {
                    b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't' => 2,
                    b'u' => {
                        let digits = bytes.get(at + 2..at + 6).ok_or(Odd)?;
                        // Halves of a character are looked at the long way.
                        let half = digits[0] | 0x20 == b'd' && digits[1] >= b'8';
                        if half || !digits.iter().all(u8::is_ascii_hexdigit) {
                            return Err(Odd);
                        }
                        6
                    }
                    _ => return Err(Odd),
                };
            }
            _ => return Err(Odd),
        }
    }
}

/// The first byte from `at` on that is a quote, a backslash, a control or `ALSO`.
#[inline]
pub(super) fn mark_at<const ALSO: u8>(bytes: &[u8], mut at: usize) -> Option<usize> {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
        let marks = zeros(word ^ (ONES * b'"' as u64))
            | zeros(word ^ (ONES * b'\\' as u64))
            | zeros(word ^ (ONES * ALSO as u64))
            | (word.wrapping_sub(ONES * 0x20) & !word & HIGHS);
        if marks != 0 {
            // A borrow may mark a byte behind one that is marked, never one before it.
            return Some(at + marks.trailing_zeros() as usize / 8);
        }
        at += 8;
    }
    let is_mark = |byte: &u8| *byte < 0x20 || [b'"', b'\\', ALSO].contains(byte);
    bytes.get(at..)?.iter().position(is_mark).map(|found| at + found)
}

pub(super) fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Odd> {
    match bytes.get(at..at + word.len()) == Some(word) {
        true => Ok(at + word.len()),
        false => Err(Odd),
    }
}

pub(super) fn number_end(bytes: &[u8], start: usize) -> Result<usize, Odd> {
    match number_len(&bytes[start..]) {
        0 => Err(Odd),
        len if len > MAX_DIGITS => Err(Odd),
        len => Ok(start + len),
    }
}
