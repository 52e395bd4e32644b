//! What a text takes of a context.

/// Characters of a text inside a JSON string, non-ASCII left as it is.
pub(crate) fn json_chars(text: &str) -> usize {
    // By bytes, of which those that continue a character count nothing.
    let more = |b: u8| match b {
        b'"' | b'\\' | b'\n' | b'\r' | b'\t' | 8 | 12 => 1,
        ..0x20 => 5,
        _ => 0,
    };
    let characters = crate::source::count_chars(text.as_bytes()) as usize;
    characters + text.bytes().map(more).sum::<usize>()
}

/// Estimated tokens of this many characters of compact JSON: characters over four, rounded up.
pub(crate) fn estimated_tokens(chars: usize) -> u32 {
    u32::try_from(chars.div_ceil(4)).unwrap_or(u32::MAX)
}
