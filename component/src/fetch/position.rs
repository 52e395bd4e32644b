//! Where a line or a character lies in bytes, found from the nearest mark.

use crate::content::scan::{Chunks, tally};
use crate::source::{Indexed, ReadError, Source, count_chars, count_newlines};

/// The position just past the `n`-th line feed; the end when there are fewer. 0 for `n` = 0.
///
/// # Errors
/// [`ReadError`] when the bytes up to it cannot be read.
pub fn after_newline(source: &dyn Indexed, n: u64) -> Result<u64, ReadError> {
    if n == 0 {
        return Ok(0);
    }
    let mark = source.mark_before_newline(n);
    let mut left = n.saturating_sub(mark.newlines).max(1);
    scan(source, mark.bytes, |at, bytes| {
        let here = count_newlines(bytes);
        if here < left {
            left -= here;
            return None;
        }
        memchr::memchr_iter(b'\n', bytes).nth(left as usize - 1).map(|i| at + i as u64 + 1)
    })
}

/// The byte at which line `n` starts, lines counted from 1; the end when there are fewer.
///
/// # Errors
/// As [`after_newline`].
pub fn byte_of_line(source: &dyn Indexed, n: u64) -> Result<u64, ReadError> {
    after_newline(source, n.saturating_sub(1))
}

/// The number of the line, from 1, that the byte at `position` is in.
///
/// # Errors
/// [`ReadError`] when the bytes before it cannot be read.
pub fn line_of_byte(source: &dyn Indexed, position: u64) -> Result<u64, ReadError> {
    let mark = source.mark_at_byte(position);
    Ok(mark.newlines + tally(source, mark.bytes, position, count_newlines)? + 1)
}

/// The byte at which character `n` starts, characters counted from 0; the end when there are
/// fewer. Continuation bytes at the very start belong to character 0.
///
/// # Errors
/// As [`after_newline`].
pub fn byte_of_char(source: &dyn Indexed, n: u64) -> Result<u64, ReadError> {
    if n == 0 {
        return Ok(0);
    }
    let mark = source.mark_at_char(n);
    let mut left = n.saturating_sub(mark.chars);
    scan(source, mark.bytes, |at, bytes| {
        let here = count_chars(bytes);
        if here <= left {
            left -= here;
            return None;
        }
        let starts = bytes.iter().enumerate().filter(|(_, b)| !is_continuation(**b));
        starts.map(|(i, _)| at + i as u64).nth(left as usize)
    })
}

/// How many characters lie before the byte at `position`.
///
/// # Errors
/// As [`line_of_byte`].
pub fn char_of_byte(source: &dyn Indexed, position: u64) -> Result<u64, ReadError> {
    let mark = source.mark_at_byte(position);
    Ok(mark.chars + tally(source, mark.bytes, position, count_chars)?)
}

/// The start of the character that `position` lies inside of; `position` itself when it lies
/// between two, or among bytes that are not UTF-8.
///
/// # Errors
/// [`ReadError`] when the bytes around it cannot be read.
pub fn floor_char(source: &dyn Source, position: u64) -> Result<u64, ReadError> {
    Ok(char_around(source, position)?.map_or(position, |(start, _)| start))
}

/// The end of the character that `position` lies inside of; else `position` itself.
///
/// # Errors
/// As [`floor_char`].
pub fn ceil_char(source: &dyn Source, position: u64) -> Result<u64, ReadError> {
    Ok(char_around(source, position)?.map_or(position, |(_, end)| end))
}

/// Whether a byte continues a UTF-8 sequence.
pub(crate) fn is_continuation(byte: u8) -> bool {
    byte & 0xC0 == 0x80
}

/// The valid character with `position` strictly inside, as its start and end.
fn char_around(source: &dyn Source, position: u64) -> Result<Option<(u64, u64)>, ReadError> {
    let from = position.saturating_sub(3);
    let bytes = source.read_range(from, position.saturating_add(3))?;
    let inside = (position - from) as usize;
    if !bytes.get(inside).is_some_and(|b| is_continuation(*b)) {
        return Ok(None);
    }
    let Some(start) = bytes[..inside].iter().rposition(|b| !is_continuation(*b)) else {
        return Ok(None);
    };
    let len = match bytes[start] {
        0xC2..=0xDF => 2,
        0xE0..=0xEF => 3,
        0xF0..=0xF4 => 4,
        _ => return Ok(None),
    };
    let valid = bytes.get(start..start + len).is_some_and(|c| std::str::from_utf8(c).is_ok());
    let around = valid && start + len > inside;
    Ok(around.then(|| (from + start as u64, from + (start + len) as u64)))
}

/// Reads on from `at` until `look` finds what it looks for; the end when it never does.
fn scan(
    source: &dyn Source,
    at: u64,
    mut look: impl FnMut(u64, &[u8]) -> Option<u64>,
) -> Result<u64, ReadError> {
    let mut chunks = Chunks::new(source, at, u64::MAX);
    while let Some((at, bytes)) = chunks.next_chunk()? {
        if let Some(found) = look(at, bytes) {
            return Ok(found);
        }
    }
    Ok(source.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_position_inside_a_character_is_moved_to_its_edges() {
        let bytes: &[u8] = "a€b\u{1F600}".as_bytes();
        let edges = |p| (floor_char(&bytes, p).unwrap(), ceil_char(&bytes, p).unwrap());
        assert_eq!(edges(1), (1, 1));
        assert_eq!(edges(2), (1, 4));
        assert_eq!(edges(3), (1, 4));
        assert_eq!(edges(4), (4, 4));
        assert_eq!(edges(8), (5, 9));
        assert_eq!(edges(9), (9, 9));
        let bad: &[u8] = b"\xE2\x82A\x80\x80";
        for p in 0..=5 {
            assert_eq!((floor_char(&bad, p).unwrap(), ceil_char(&bad, p).unwrap()), (p, p));
        }
    }

    proptest! {
        #[test]
        fn lines_and_characters_are_where_counting_finds_them(
            bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
            n in 0u64..60,
        ) {
            let source = bytes.as_slice();
            let newlines = bytes.iter().enumerate().filter(|(_, b)| **b == b'\n');
            let starts: Vec<u64> =
                std::iter::once(0).chain(newlines.map(|(i, _)| i as u64 + 1)).collect();
            let line = starts.get((n.max(1) - 1) as usize).copied().unwrap_or(bytes.len() as u64);
            prop_assert_eq!(byte_of_line(&source, n).unwrap(), line);
            let at = n.min(bytes.len() as u64);
            prop_assert_eq!(
                line_of_byte(&source, at).unwrap(),
                starts.iter().filter(|s| **s <= at).count() as u64
            );
            let byte = byte_of_char(&source, n).unwrap();
            let before = count_chars(&bytes[..byte as usize]);
            prop_assert_eq!(before, n.min(count_chars(&bytes)));
            prop_assert_eq!(char_of_byte(&source, byte).unwrap(), before);
        }
    }
}
