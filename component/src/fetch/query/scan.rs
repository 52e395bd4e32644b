//! The marks of JSON in bytes: where strings, numbers and words end.

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
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGHS: u64 = 0x8080_8080_8080_8080;
    let zeros = |word: u64| word.wrapping_sub(ONES) & !word & HIGHS;
    let mut escaped = false;
    loop {
        while let Some(chunk) = bytes.get(at..at + 8) {
            let word = u64::from_le_bytes(chunk.try_into().unwrap_or_default());
            let quote = zeros(word ^ (ONES * b'"' as u64));
            let slash = zeros(word ^ (ONES * b'\\' as u64));
            let control = word.wrapping_sub(ONES * 0x20) & !word & HIGHS;
            let found = quote | slash | control;
            if found != 0 {
                at += found.trailing_zeros() as usize / 8;
                break;
            }
            at += 8;
        }
        match *bytes.get(at).ok_or(Odd)? {
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
            0..=0x1f => return Err(Odd),
            _ => at += 1,
        }
    }
}

pub(super) fn literal(bytes: &[u8], at: usize, word: &[u8]) -> Result<usize, Odd> {
    match bytes.get(at..at + word.len()) == Some(word) {
        true => Ok(at + word.len()),
        false => Err(Odd),
    }
}

#[inline(never)]
pub(super) fn number_end(bytes: &[u8], start: usize) -> Result<usize, Odd> {
    let digits = |at: usize| {
        let mut end = at;
        while matches!(bytes.get(end), Some(b'0'..=b'9')) {
            end += 1;
        }
        end
    };
    let whole = start + usize::from(bytes.get(start) == Some(&b'-'));
    let mut at = digits(whole);
    if at == whole || (bytes[whole] == b'0' && at > whole + 1) {
        return Err(Odd);
    }
    if bytes.get(at) == Some(&b'.') {
        let end = digits(at + 1);
        if end == at + 1 {
            return Err(Odd);
        }
        at = end;
    }
    if matches!(bytes.get(at), Some(b'e' | b'E')) {
        let from = at + 1 + usize::from(matches!(bytes.get(at + 1), Some(b'+' | b'-')));
        let end = digits(from);
        if end == from {
            return Err(Odd);
        }
        at = end;
    }
    if at - start > MAX_DIGITS {
        return Err(Odd);
    }
    Ok(at)
}
