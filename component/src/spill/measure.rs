//! How big a content is, counted while it streams by.

use weir_text::tokens::Tokens;

use crate::source::{count_chars, count_newlines};

/// How big a content is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Measure {
    /// Bytes.
    pub bytes: u64,
    /// Characters: bytes that do not continue a UTF-8 sequence.
    pub chars: u64,
    /// Lines: line feeds, plus one when something follows the last of them.
    pub lines: u64,
    /// About how many tokens a model would read; see [`Measurer`].
    pub estimated_tokens: u64,
    /// Whether all of it is UTF-8.
    pub valid_utf8: bool,
}

/// Counts as bytes are pushed.
///
/// Tokens are estimated from the pieces that tokenizers cut a text into; see [`weir_text::tokens`].
#[derive(Debug, Clone, Default)]
pub struct Measurer {
    bytes: u64,
    chars: u64,
    newlines: u64,
    tokens: Tokens,
    last: Option<u8>,
    invalid: bool,
    // The start of a character that the last chunk cut: at most three bytes.
    pending: [u8; 4],
    pending_len: usize,
}

impl Measurer {
    /// Nothing counted yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Counts the next bytes.
    pub fn push(&mut self, chunk: &[u8]) {
        let Some(&last) = chunk.last() else { return };
        self.last = Some(last);
        self.bytes += chunk.len() as u64;
        self.newlines += count_newlines(chunk);
        self.tokens.push(chunk);
        if chunk.is_ascii() {
            self.chars += chunk.len() as u64;
            self.invalid |= self.pending_len > 0;
            self.pending_len = 0;
            return;
        }
        self.chars += count_chars(chunk);
        self.check(chunk);
    }

    fn check(&mut self, mut chunk: &[u8]) {
        while self.pending_len > 0 && !self.invalid {
            let Some((&next, rest)) = chunk.split_first() else { return };
            chunk = rest;
            self.pending[self.pending_len] = next;
            self.pending_len += 1;
            match std::str::from_utf8(&self.pending[..self.pending_len]) {
                Ok(_) => self.pending_len = 0,
                Err(error) => self.invalid = error.error_len().is_some(),
            }
        }
        if self.invalid {
            return;
        }
        if let Err(error) = std::str::from_utf8(chunk) {
            let rest = &chunk[error.valid_up_to()..];
            if error.error_len().is_some() {
                self.invalid = true;
            } else {
                self.pending[..rest.len()].copy_from_slice(rest);
                self.pending_len = rest.len();
            }
        }
    }

    /// What was counted.
    pub fn finish(&self) -> Measure {
        Measure {
            bytes: self.bytes,
            chars: self.chars,
            lines: self.newlines + u64::from(self.last.is_some_and(|b| b != b'\n')),
            estimated_tokens: self.tokens.finish(),
            valid_utf8: !self.invalid && self.pending_len == 0,
        }
    }

    /// The measure of bytes that are all there.
    pub fn of(bytes: &[u8]) -> Measure {
        let mut measurer = Measurer::new();
        bytes.chunks(crate::limits::READ_BYTES).for_each(|chunk| measurer.push(chunk));
        measurer.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn han_counts_most_of_a_token_each_and_a_word_one() {
        assert!(Measurer::of("漢".repeat(12_000).as_bytes()).estimated_tokens >= 9_000);
        let words = Measurer::of(&b"some words ".repeat(1_000)).estimated_tokens;
        assert!((1_900..2_100).contains(&words), "{words}");
        assert_eq!(Measurer::of("🙂".as_bytes()).estimated_tokens, 2);
    }

    #[test]
    fn a_last_line_without_a_line_feed_counts() {
        assert_eq!(
            ["", "\n", "a", "a\n", "a\nb"].map(|t| Measurer::of(t.as_bytes()).lines),
            [0, 1, 1, 1, 2]
        );
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(
            pieces in proptest::collection::vec(
                prop_oneof![
                    any::<String>().prop_map(String::into_bytes),
                    proptest::collection::vec(any::<u8>(), 0..6)
                ], 0..8),
            cuts in proptest::collection::vec(1usize..5, 1..9),
        ) {
            let bytes = pieces.concat();
            let mut measurer = Measurer::new();
            let mut rest = &bytes[..];
            for cut in cuts.iter().cycle() {
                if rest.is_empty() { break }
                let (chunk, more) = rest.split_at(rest.len().min(*cut));
                measurer.push(chunk);
                rest = more;
            }
            prop_assert_eq!(measurer.finish(), Measurer::of(&bytes));
            prop_assert_eq!(measurer.finish().valid_utf8, std::str::from_utf8(&bytes).is_ok());
            if let Ok(text) = std::str::from_utf8(&bytes) {
                prop_assert_eq!(measurer.finish().chars, text.chars().count() as u64);
            }
        }
    }
}
