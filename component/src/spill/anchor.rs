//! Finds the lines that hold a word of interest, such as "error".
//!
//! Four bytes decide whether a word may start somewhere: they make three pairs, and each pair, folded
//! to ten bits so that case falls away, has a table entry that says which words it fits at which
//! place. Three look-ups and two ANDs a byte, with hardly a branch, go past most of a text. The idea
//! is that of the "Teddy" matchers in Hyperscan, done with plain loads. What passes is compared with
//! the words, so that folding costs time only.

use std::collections::VecDeque;

use crate::limits::READ_BYTES;
use crate::sort::sort;
use crate::source::{ReadError, Source, count_newlines};

/// Longest word that is looked for, in bytes; the rest of a longer one is ignored.
const WORD_MAX_BYTES: usize = 64;

/// Words to look for.
pub struct Words {
    words: Vec<Vec<u8>>,
    // For each pair of bytes, a byte for each of its three places in a word: a bit for each group of
    // words that have it there.
    pairs: Box<[u32; PAIRS]>,
    // Bytes in the longest word.
    max: usize,
}

/// Folded pairs of bytes.
const PAIRS: usize = 1024;

/// Groups of words that share a bit.
const GROUPS: usize = 8;

/// Bytes that decide whether a word may start.
const START_BYTES: usize = 4;

impl Words {
    /// The words in any case. Words of a single byte are left out; nothing when none is left.
    pub fn new(words: &[String]) -> Option<Words> {
        let mut words: Vec<Vec<u8>> = words
            .iter()
            .map(|word| word.trim().as_bytes())
            .filter(|word| word.len() > 1)
            .map(|word| word[..word.len().min(WORD_MAX_BYTES)].to_ascii_lowercase())
            .collect();
        sort(&mut words);
        words.dedup();
        let max = words.iter().map(Vec::len).max()?;
        let mut pairs = Box::new([0; PAIRS]);
        for (i, word) in words.iter().enumerate() {
            // Neighbors in order start alike: they are best kept together.
            let group = 1u32 << (i * GROUPS / words.len());
            for place in 0..START_BYTES - 1 {
                let bit = group << (GROUPS * place);
                match word.get(place..place + 2) {
                    Some(&[a, b]) => pairs[pair(a, b)] |= bit,
                    // Too short to say anything here: every pair fits.
                    _ => pairs.iter_mut().for_each(|bits| *bits |= bit),
                }
            }
        }
        Some(Words { words, pairs, max })
    }

    /// The first word that starts in `from..to`: its bytes in `haystack`, half-open.
    fn find(&self, haystack: &[u8], from: usize, to: usize) -> Option<(usize, usize)> {
        let mut start = from;
        // The last starts have no four bytes and are compared at once.
        let last = to.min(haystack.len().saturating_sub(START_BYTES - 1));
        while start < last {
            let bits = |a: u8, b: u8| self.pairs[pair(a, b)];
            let (mut first, mut second) = (
                bits(haystack[start], haystack[start + 1]),
                bits(haystack[start + 1], haystack[start + 2]),
            );
            let candidate =
                haystack[start + 2..last + START_BYTES - 1].windows(2).position(|two| {
                    let third = bits(two[0], two[1]);
                    let fit = first & (second >> GROUPS) & (third >> (2 * GROUPS)) & 0xff;
                    (first, second) = (second, third);
                    fit != 0
                });
            let Some(candidate) = candidate else { break };
            start += candidate;
            if let Some(end) = self.word_at(haystack, start) {
                return Some((start, end));
            }
            start += 1;
        }
        (start.max(last)..to.min(haystack.len()))
            .find_map(|start| Some((start, self.word_at(haystack, start)?)))
    }

    fn word_at(&self, haystack: &[u8], start: usize) -> Option<usize> {
        self.words.iter().find_map(|word| {
            let end = start + word.len();
            let found = haystack.get(start..end)?;
            (found.eq_ignore_ascii_case(word) && is_whole(haystack, start, end)).then_some(end)
        })
    }
}

#[inline]
fn pair(a: u8, b: u8) -> usize {
    usize::from(a & 31) << 5 | usize::from(b & 31)
}

/// Whether no letter, digit or `_` adjoins. A capital after a small letter starts a word too: the
/// error of `TypeError` is one.
fn is_whole(haystack: &[u8], start: usize, end: usize) -> bool {
    let in_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let before = start.checked_sub(1).map(|at| haystack[at]);
    let starts = !before.is_some_and(in_word)
        || (haystack[start].is_ascii_uppercase() && before.is_some_and(|b| b.is_ascii_lowercase()));
    starts && !haystack.get(end).copied().is_some_and(in_word)
}

/// A line that holds a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The line's number, from 1.
    pub line: u64,
    /// Where the line starts, in bytes.
    pub line_start: u64,
    /// Where the first word in it starts, in bytes.
    pub word_start: u64,
    /// One past the last byte of that word.
    pub word_end: u64,
}

/// The lines that hold a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// How many lines do.
    pub lines: u64,
    /// The first of them.
    pub first: Vec<Hit>,
    /// The last of those that are not among the first.
    pub last: VecDeque<Hit>,
}

/// Finds the lines in `start..end` that hold one of `words`, and keeps the first and the last
/// `keep` of them. `start` is where line `line` begins.
///
/// # Errors
/// As [`Source::read_at`].
pub fn scan(
    source: &dyn Source,
    words: &Words,
    (start, end): (u64, u64),
    line: u64,
    keep: usize,
) -> Result<Hits, ReadError> {
    let end = end.min(source.len());
    let mut hits = Hits::default();
    let mut line = line;
    let mut line_start = start;
    let mut buf: Vec<u8> = Vec::with_capacity(READ_BYTES + WORD_MAX_BYTES + 2);
    // Where `buf` begins in the source; up to where words were looked for and line feeds counted.
    let (mut base, mut from, mut counted) = (start, 0, 0);
    let mut line_done = false;
    loop {
        let filled = buf.len();
        let at = base + filled as u64;
        buf.resize(filled + end.saturating_sub(at).min(READ_BYTES as u64) as usize, 0);
        let n = source.read_at(at, &mut buf[filled..])?;
        buf.truncate(filled + n);
        let is_end = n == 0 || at + n as u64 >= end;
        // A word that starts later might go on, or be told from a part of one, in the next chunk.
        let to = if is_end { buf.len() } else { buf.len().saturating_sub(words.max + 1) };
        while from < to {
            if line_done {
                let Some(newline) = memchr::memchr(b'\n', &buf[from..to]) else {
                    from = to;
                    break;
                };
                from += newline + 1;
                line_done = false;
            }
            let Some((word_start, word_end)) = words.find(&buf, from, to) else {
                from = to;
                break;
            };
            let passed = &buf[counted..word_start];
            line += count_newlines(passed);
            if let Some(newline) = memchr::memrchr(b'\n', passed) {
                line_start = base + (counted + newline) as u64 + 1;
            }
            counted = word_start;
            hits.lines += 1;
            let hit = Hit {
                line,
                line_start,
                word_start: base + word_start as u64,
                word_end: base + word_end as u64,
            };
            if hits.first.len() < keep {
                hits.first.push(hit);
            } else if keep > 0 {
                if hits.last.len() == keep {
                    hits.last.pop_front();
                }
                hits.last.push_back(hit);
            }
            from = word_start;
            line_done = true;
        }
        if is_end {
            return Ok(hits);
        }
        // One byte before the next start stays, to see whether a word begins there.
        let drop = from.saturating_sub(1);
        if counted < drop {
            let passed = &buf[counted..drop];
            line += count_newlines(passed);
            if let Some(newline) = memchr::memrchr(b'\n', passed) {
                line_start = base + (counted + newline) as u64 + 1;
            }
            counted = drop;
        }
        buf.drain(..drop);
        base += drop as u64;
        from -= drop;
        counted -= drop;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TransformSettings;
    use proptest::prelude::*;

    fn words() -> Words {
        Words::new(&TransformSettings::default().anchor_words).unwrap()
    }

    fn lines(text: &str) -> Vec<u64> {
        let hits = scan(&text.as_bytes(), &words(), (0, u64::MAX), 1, 99).unwrap();
        hits.first.iter().map(|hit| hit.line).collect()
    }

    #[test]
    fn only_whole_words_count() {
        assert!(
            lines("assume\ncountry\nfailover\nterror\nerror_code\nerrored\nnot_failed").is_empty()
        );
        assert_eq!(
            lines("ERROR\nx\n[Error]: a\nTypeError: b\nWarn!\nit failed.\nnull error"),
            [1, 3, 4, 5, 6, 7]
        );
    }

    #[test]
    fn a_word_across_chunks_is_found() {
        for shift in 0..12 {
            let text = format!("{}\n failed\n", "x".repeat(READ_BYTES - 12 + shift));
            assert_eq!(lines(&text), [2], "{shift}");
            let text = format!("{}failed\n", "x".repeat(READ_BYTES - 12 + shift));
            assert!(lines(&text).is_empty(), "{shift}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn it_agrees_with_looking_at_every_line(
            parts in proptest::collection::vec(
                prop_oneof![Just("error"), Just("fail"), Just(" "), Just("\n"), Just("WARN"), Just("x"), Just("PANICKED")], 0..40),
            pad in prop_oneof![Just(0usize), 65_400usize..65_600], keep in 0usize..4,
        ) {
            let text = format!("{}{}", "y ".repeat(pad / 2), parts.concat());
            let words = words();
            let naive: Vec<u64> = text.split('\n').enumerate().filter(|(_, line)| {
                (0..line.len()).any(|at| words.word_at(line.as_bytes(), at).is_some())
            }).map(|(i, _)| i as u64 + 1).collect();
            let hits = scan(&text.as_bytes(), &words, (0, u64::MAX), 1, keep).unwrap();
            prop_assert_eq!(hits.lines, naive.len() as u64);
            let first: Vec<u64> = hits.first.iter().map(|h| h.line).collect();
            let last: Vec<u64> = hits.last.iter().map(|h| h.line).collect();
            prop_assert_eq!(&first[..], &naive[..keep.min(naive.len())]);
            let rest = &naive[keep.min(naive.len())..];
            prop_assert_eq!(&last[..], &rest[rest.len().saturating_sub(keep)..]);
            for hit in hits.first.iter().chain(&hits.last) {
                let before = &text[..hit.word_start as usize];
                prop_assert_eq!(hit.line_start as usize, before.rfind('\n').map_or(0, |at| at + 1));
            }
        }
    }
}
