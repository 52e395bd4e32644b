//! Finds text that could be taken for a handle's own.
//!
//! A handle begins with `[weir: …]`, fences its excerpt with `<<<weir:…` and `weir:…>>>`, and may
//! name `weir://…`. Content that says such things is shown with a backslash in front of the word
//! (`[\weir: …`), in excerpts only: a fetch gives the bytes as they are. Case, blanks and the
//! full-width twins of the signs do not help an imitation through; invisible characters do not
//! either, since [`super::show`] makes them visible.

const WORD: &[u8] = b"weir";

/// Signs in front of the word: ASCII, then U+FF3B, U+FF1C and U+3010.
const OPENERS: [&[u8]; 5] =
    [b"[", b"<", "\u{ff3b}".as_bytes(), "\u{ff1c}".as_bytes(), "\u{3010}".as_bytes()];

/// Signs after the word: ASCII, then U+FF1A.
const COLONS: [&[u8]; 2] = [b":", "\u{ff1a}".as_bytes()];

/// Blanks that may stand between: space, tab, no-break space, ideographic space.
const BLANKS: [&[u8]; 4] = [b" ", b"\t", "\u{a0}".as_bytes(), "\u{3000}".as_bytes()];

/// How many blanks are looked past.
const MAX_BLANKS: usize = 8;

/// Whether the word at byte `at` of `content` imitates a handle.
pub fn imitates(content: &[u8], at: usize) -> bool {
    let Some(word) = content.get(at..at + WORD.len()) else { return false };
    if !word.eq_ignore_ascii_case(WORD) {
        return false;
    }
    let mut before = &content[..at];
    let mut after = &content[at + WORD.len()..];
    for _ in 0..MAX_BLANKS {
        match BLANKS.iter().find_map(|blank| before.strip_suffix(*blank)) {
            Some(rest) => before = rest,
            None => break,
        }
    }
    for _ in 0..MAX_BLANKS {
        match BLANKS.iter().find_map(|blank| after.strip_prefix(*blank)) {
            Some(rest) => after = rest,
            None => break,
        }
    }
    OPENERS.iter().any(|sign| before.ends_with(sign))
        || COLONS.iter().any(|sign| after.starts_with(sign))
}

/// A backslash before every imitation in `text` that has none yet. Text put together from harmless
/// pieces may hold one where two of them meet.
pub fn defanged(text: String) -> String {
    let bytes = text.as_bytes();
    let mut out = String::new();
    let mut done = 0;
    for at in memchr::memchr2_iter(b'W', b'w', bytes) {
        if imitates(bytes, at) && (at == 0 || bytes[at - 1] != b'\\') {
            out.push_str(&text[done..at]);
            out.push('\\');
            done = at;
        }
    }
    out.push_str(&text[done..]);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(content: &str) -> Vec<usize> {
        (0..content.len()).filter(|&at| imitates(content.as_bytes(), at)).collect()
    }

    #[test]
    fn headers_fences_and_uris_are_imitations() {
        assert_eq!(found("[weir: result stored]"), [1]);
        assert_eq!(found("[ \u{a0}WEIR result"), [4]);
        assert_eq!(found("<<<weir:abc\nweir:abc>>>"), [3, 12]);
        assert_eq!(found("see Weir://abc"), [4]);
        assert_eq!(found("\u{ff3b}weir\u{ff1a}"), [3]);
    }

    #[test]
    fn the_word_alone_is_none() {
        assert!(found("a weir is a low dam; weird, weir").is_empty());
    }
}
