//! The words of a text, for those who rank by them, and words that are looked for by their stems.

use std::cell::Cell;

use rust_stemmers::{Algorithm, Stemmer};
use xxhash_rust::xxh3::xxh3_64;

/// Beginnings of words that are told apart, words whose stems are kept, and bytes of a word that is looked at.
const STARTS: usize = 1 << 15;
const SEEN: usize = 512;
const WORD_BYTES: usize = 256;

/// Words that are looked for by their stems, each by a bit.
pub(crate) struct Stems {
    /// The stems and their bits.
    pub(crate) terms: Vec<(String, u32)>,
    /// What words of these stems begin with, by [`start_of`].
    starts: Box<[bool; STARTS]>,
    /// What was found of words seen before, by their digest.
    seen: Box<[Cell<(u64, u32)>; SEEN]>,
    stemmer: Stemmer,
}

/// The first three bytes, letters in any case alike; `y` as the `i` that it is in a stem.
fn start_of(word: &[u8]) -> usize {
    let byte = |at: usize| usize::from(word.get(at).copied().unwrap_or_default() & 31);
    let third = if byte(2) == usize::from(b'y' & 31) { usize::from(b'i' & 31) } else { byte(2) };
    byte(0) << 10 | byte(1) << 5 | third
}

impl Stems {
    pub(crate) fn new() -> Stems {
        Stems {
            terms: Vec::new(),
            starts: Box::new([false; STARTS]),
            seen: Box::new([const { Cell::new((0, 0)) }; SEEN]),
            stemmer: Stemmer::create(Algorithm::English),
        }
    }

    /// The stem of a word in lower case.
    pub(crate) fn of(&self, word: &str) -> String {
        self.stemmer.stem(word).into_owned()
    }

    pub(crate) fn add(&mut self, stem: String, bit: u32) {
        let start = start_of(stem.as_bytes());
        // A word may be longer than its stem.
        let below = match stem.len() {
            0 | 1 => (1 << 10) - 1,
            2 => (1 << 5) - 1,
            _ => 0,
        };
        self.starts[start & !below..=start | below].fill(true);
        self.terms.push((stem, bit));
    }

    /// Which of the words are in a stretch of a text (see [`stretches`]).
    pub(crate) fn mask(&self, stretch: &[u8]) -> u32 {
        let may_be = self.starts[start_of(stretch)] || !stretch.is_ascii();
        if !may_be || stretch.len() > WORD_BYTES {
            return 0;
        }
        let digest = xxh3_64(stretch) | 1;
        let seen = &self.seen[digest as usize / 2 % SEEN];
        if seen.get().0 == digest {
            return seen.get().1;
        }
        let mut mask = 0;
        words(&String::from_utf8_lossy(stretch), |word| {
            let stem = self.stemmer.stem(word);
            for (_, bit) in self.terms.iter().filter(|(known, _)| *known == *stem) {
                mask |= 1 << bit;
            }
        });
        seen.set((digest, mask));
        mask
    }
}

/// English words that say nothing about what is sought.
pub(crate) const STOP_WORDS: [&str; 30] = [
    "a", "an", "and", "are", "as", "at", "be", "by", "did", "do", "does", "for", "from", "how",
    "in", "is", "it", "of", "on", "or", "that", "the", "this", "to", "was", "what", "when",
    "where", "which", "with",
];

/// Calls `each` with every stretch of a text in which its words are: letters, digits and what is not ASCII, in a row.
/// Of ASCII it is one word, which may have capitals; [`words`] finds those of the others.
pub(crate) fn stretches(text: &[u8], mut each: impl FnMut(&[u8])) {
    let is_part = |byte: u8| byte.is_ascii_alphanumeric() || !byte.is_ascii();
    let mut rest = text;
    while let Some(start) = rest.iter().position(|byte| is_part(*byte)) {
        rest = &rest[start..];
        let mut last = b' ';
        let end = rest.iter().position(|&byte| {
            let before = std::mem::replace(&mut last, byte);
            !is_part(byte) || (byte.is_ascii_uppercase() && before.is_ascii_lowercase())
        });
        let stretch = &rest[..end.unwrap_or(rest.len())];
        each(stretch);
        rest = &rest[stretch.len()..];
    }
}

/// Calls `each` with every word of a text in lower case: letters and digits in a row, and in scripts
/// without spaces each pair of characters.
pub(crate) fn words(text: &str, mut each: impl FnMut(&str)) {
    let unspaced = |c: char| matches!(c, '\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{e00}'..='\u{e7f}');
    let mut word = String::new();
    let mut last: Option<char> = None;
    let mut previous_lower = false;
    for c in text.chars() {
        if unspaced(c) {
            if !word.is_empty() {
                each(&word);
                word.clear();
            }
            if let Some(last) = last {
                each(&format!("{last}{c}"));
            }
            last = Some(c);
            continue;
        }
        last = None;
        if !c.is_alphanumeric() {
            if !word.is_empty() {
                each(&word);
                word.clear();
            }
            previous_lower = false;
            continue;
        }
        // `getUser` is two words.
        if c.is_uppercase() && previous_lower && !word.is_empty() {
            each(&word);
            word.clear();
        }
        previous_lower = c.is_lowercase();
        if word.len() < 64 {
            if c.is_ascii() {
                word.push(c.to_ascii_lowercase());
            } else {
                word.extend(c.to_lowercase());
            }
        }
    }
    if !word.is_empty() {
        each(&word);
    }
}
