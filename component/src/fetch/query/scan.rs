//! JSON in bytes: where strings, numbers and words end, and one pass over a value that holds all of it to the grammar.

use crate::content::json::number_len;

/// Levels of nesting that a value may have. The interpreter recurses on values.
pub(super) const MAX_DEPTH: usize = 200;

/// Values that a row or a document may hold, and digits of one number: reading a number takes time by
/// the square of its length.
pub(in crate::fetch) const MAX_VALUES: usize = 400_000;
pub(super) const MAX_DIGITS: usize = 4_000;

/// A row that must go the long way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::fetch) struct Odd;

/// What becomes of the values of a text, as they are met.
pub(in crate::fetch) trait Visitor {
    /// What it knows a value by.
    type Place: Copy;

    /// The value of a member: where its name stands within the quotes, and whether anything in it is escaped.
    /// `parent` is what the object is known by.
    fn member(
        &mut self,
        parent: Self::Place,
        name: (usize, usize),
        is_escaped: bool,
    ) -> Result<Self::Place, Odd>;

    /// An item of an array.
    fn item(&mut self, parent: Self::Place) -> Result<Self::Place, Odd>;

    /// A value begins, with this byte.
    fn begin(&mut self, place: Self::Place, first: u8) -> Result<(), Odd>;

    /// A value ended: where it stands.
    fn end(&mut self, place: Self::Place, at: (usize, usize));
}

/// Goes once over a text that is one JSON value of at most `most` parts, and holds all of it to the grammar. `root`
/// is what the value is known by.
pub(in crate::fetch) fn walk<V: Visitor>(
    text: &[u8],
    most: usize,
    root: V::Place,
    visitor: &mut V,
) -> Result<(), Odd> {
    // What is open: its place, whether it is an object, and where it began.
    let mut open: Vec<(V::Place, bool, usize)> = Vec::new();
    let mut at = blank(text, 0);
    let (mut place, mut values) = (root, 0usize);
    'value: loop {
        values += 1;
        // At once: what is noted of each value takes memory.
        if values >= most {
            return Err(Odd);
        }
        let mut start = at;
        let first = *text.get(at).ok_or(Odd)?;
        visitor.begin(place, first)?;
        match first {
            b'"' => at = string_end(text, at + 1)?.0,
            b'{' | b'[' => {
                let is_object = first == b'{';
                at = blank(text, at + 1);
                let end = if is_object { b'}' } else { b']' };
                if text.get(at) == Some(&end) {
                    at += 1;
                } else {
                    if open.len() >= MAX_DEPTH {
                        return Err(Odd);
                    }
                    open.push((place, is_object, start));
                    place = inner(text, &mut at, (place, is_object), visitor)?;
                    continue 'value;
                }
            }
            b't' => at = literal(text, at, b"true")?,
            b'f' => at = literal(text, at, b"false")?,
            b'n' => at = literal(text, at, b"null")?,
            _ => at = number_end(text, at)?,
        }
        loop {
            visitor.end(place, (start, at));
            let Some(&(outer, is_object, began)) = open.last() else {
                return if blank(text, at) == text.len() { Ok(()) } else { Err(Odd) };
            };
            at = blank(text, at);
            match text.get(at) {
                Some(b',') => {
                    at = blank(text, at + 1);
                    place = inner(text, &mut at, (outer, is_object), visitor)?;
                    continue 'value;
                }
                Some(b'}') if is_object => {}
                Some(b']') if !is_object => {}
                _ => return Err(Odd),
            }
            at += 1;
            open.pop();
            (place, start) = (outer, began);
        }
    }
}

/// Goes to the next value in a container: in an object over its name and the colon.
#[inline]
fn inner<V: Visitor>(
    text: &[u8],
    at: &mut usize,
    (outer, is_object): (V::Place, bool),
    visitor: &mut V,
) -> Result<V::Place, Odd> {
    if !is_object {
        return visitor.item(outer);
    }
    if text.get(*at) != Some(&b'"') {
        return Err(Odd);
    }
    let from = *at + 1;
    let (end, is_escaped) = string_end(text, from)?;
    let colon = blank(text, end);
    if text.get(colon) != Some(&b':') {
        return Err(Odd);
    }
    *at = blank(text, colon + 1);
    visitor.member(outer, (from, end - 1), is_escaped)
}

fn blank(bytes: &[u8], mut at: usize) -> usize {
    while matches!(bytes.get(at), Some(b' ' | b'\t' | b'\r' | b'\n')) {
        at += 1;
    }
    at
}

/// Where a string ends, after its quote, and whether anything in it is escaped.
#[inline(never)]
fn string_end(bytes: &[u8], mut at: usize) -> Result<(usize, bool), Odd> {
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

fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Odd> {
    match bytes.get(at..at + word.len()) == Some(word) {
        true => Ok(at + word.len()),
        false => Err(Odd),
    }
}

fn number_end(bytes: &[u8], start: usize) -> Result<usize, Odd> {
    match number_len(&bytes[start..]) {
        0 => Err(Odd),
        len if len > MAX_DIGITS => Err(Odd),
        len => Ok(start + len),
    }
}
