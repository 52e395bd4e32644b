//! The static embedding table: the pieces of a word, the vector of a piece.
//!
//! It lies in the program's data as `build.rs` laid it out: vocabulary sorted, found by binary
//! search. Nothing is decoded at start, and what never searches never touches it.

use std::ops::Range;

use crate::search::vector::unit::{DIM, Sum, ZERO, add_scaled};

/// The longest piece, in bytes.
const PIECE_MAX_BYTES: usize = 24;

/// A table of word pieces with a vector each.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Table {
    text: &'static [u8],
    /// How many entries share an element of `blocks`.
    block: usize,
    blocks: &'static [u8],
    ends: &'static [u8],
    scales: &'static [u8],
    rows: &'static [u8],
    /// How many entries start a word. They come first; the rest continue one.
    initial: usize,
}

#[cfg(feature = "semantic")]
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/table.rs"));
    pub(crate) static TABLE: super::Table = super::Table {
        text: include_bytes!(concat!(env!("OUT_DIR"), "/table_text.bin")),
        block: BLOCK,
        blocks: include_bytes!(concat!(env!("OUT_DIR"), "/table_blocks.bin")),
        ends: include_bytes!(concat!(env!("OUT_DIR"), "/table_ends.bin")),
        scales: include_bytes!(concat!(env!("OUT_DIR"), "/table_scales.bin")),
        rows: include_bytes!(concat!(env!("OUT_DIR"), "/table_rows.bin")),
        initial: INITIAL,
    };
}

impl Table {
    /// The table this build carries: none without the feature `semantic`.
    pub(crate) fn embedded() -> Option<&'static Table> {
        #[cfg(feature = "semantic")]
        return Some(&embedded::TABLE);
        #[cfg(not(feature = "semantic"))]
        return None;
    }

    /// Whether `word` (lower case) is a word here: an entry of three letters or more, or that with an s.
    pub(crate) fn knows(&self, word: &str) -> bool {
        let is_entry =
            |word: &str| word.len() > 2 && self.find(word.as_bytes(), 0..self.initial).is_some();
        is_entry(word) || word.strip_suffix('s').is_some_and(is_entry)
    }

    /// The same of a word with these pieces.
    pub(crate) fn is_whole(&self, word: &str, pieces: &[u32]) -> bool {
        let word = match pieces {
            [_, end] if self.entry(*end as usize) == b"s" => word.strip_suffix('s').unwrap_or(word),
            _ => word,
        };
        let whole = |piece: u32| {
            (piece as usize) < self.initial && self.entry(piece as usize).len() == word.len()
        };
        word.len() > 2 && pieces.first().is_some_and(|&piece| whole(piece))
    }

    /// Appends the pieces of a lower-case word: the longest from the left, then the longest from
    /// there on. A character that nothing starts with is skipped.
    pub(crate) fn pieces(&self, word: &str, out: &mut Vec<u32>) {
        split(word, out, |rest, initial| self.longest(rest, self.half(initial)));
    }

    /// The entries that start a word, or those that continue one.
    fn half(&self, initial: bool) -> Range<usize> {
        if initial { 0..self.initial } else { self.initial..self.ends.len() / 2 }
    }

    /// The sum of the vectors of pieces, added up in their order. An index that is no piece adds nothing.
    pub(crate) fn sum(&self, pieces: &[u32]) -> Sum {
        let mut sum = ZERO;
        for pieces in pieces.chunks(8) {
            let mut rows = [(0.0, &[0; DIM]); 8];
            let found = pieces.iter().filter_map(|&piece| self.row(piece));
            let count = rows.iter_mut().zip(found).map(|(place, row)| *place = row).count();
            add_scaled(&mut sum, &rows[..count]);
        }
        sum
    }

    /// What the components of a piece are to be multiplied by, and the components, signed.
    fn row(&self, piece: u32) -> Option<(f32, &'static [u8; DIM])> {
        let scale = two_bytes(self.scales, piece as usize)?;
        // A half, normal and positive, as a float: 13 more bits of fraction, another bias.
        let scale = f32::from_bits((u32::from(scale) << 13) + ((127 - 15) << 23));
        Some((scale, self.rows.as_chunks::<DIM>().0.get(piece as usize)?))
    }

    /// The longest entry that `text` starts with, and its length.
    fn longest(&self, mut text: &[u8], among: Range<usize>) -> Option<(usize, usize)> {
        let mut high = among.end;
        while !text.is_empty() {
            // Whatever `text` starts with is no later than it. The last of those is it, or has only
            // so much of `text` in common as any other can have.
            high = self.after(text, among.start..high);
            let last = self.entry(high.checked_sub(1).filter(|&last| last >= among.start)?);
            let common = text.iter().zip(last).take_while(|(a, b)| a == b).count();
            if common == last.len() {
                return Some((high - 1, common));
            }
            text = &text[..common];
        }
        None
    }

    fn find(&self, piece: &[u8], among: Range<usize>) -> Option<usize> {
        let last = self.after(piece, among.clone()).checked_sub(1)?;
        (last >= among.start && self.entry(last) == piece).then_some(last)
    }

    /// The place after all of `among` that are no later than `text`.
    fn after(&self, text: &[u8], among: Range<usize>) -> usize {
        let (mut low, mut high) = (among.start, among.end);
        while low < high {
            let middle = low + (high - low) / 2;
            if self.entry(middle) <= text {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    fn entry(&self, index: usize) -> &'static [u8] {
        let (block, first) = (index / self.block, index.is_multiple_of(self.block));
        let Some(base) = self.blocks.get(4 * block..4 * block + 4) else { return &[] };
        let base = u32::from_le_bytes([base[0], base[1], base[2], base[3]]) as usize;
        let end = |index: usize| two_bytes(self.ends, index).map_or(0, usize::from);
        let start = if first { 0 } else { end(index - 1) };
        self.text.get(base + start..base + end(index)).unwrap_or_default()
    }
}

/// Splits a word into pieces: `longest` gives the piece that a text starts with, at the start of the
/// word or behind it, and its length.
fn split(word: &str, out: &mut Vec<u32>, longest: impl Fn(&[u8], bool) -> Option<(usize, usize)>) {
    let word = word.as_bytes();
    let mut at = 0;
    while at < word.len() {
        let rest = &word[at..word.len().min(at + PIECE_MAX_BYTES)];
        match longest(rest, at == 0) {
            Some((index, length)) => {
                out.push(index as u32);
                at += length;
            }
            None => at += 1,
        }
    }
}

/// The number at a place in a list of 16-bit numbers.
fn two_bytes(list: &[u8], place: usize) -> Option<u16> {
    let bytes = list.get(2 * place..2 * place + 2)?;
    Some(u16::from_le_bytes([bytes[0], bytes[1]]))
}

#[cfg(test)]
#[cfg(feature = "semantic")]
mod tests {
    use proptest::prelude::*;

    use super::{PIECE_MAX_BYTES, Table, split};

    /// The pieces of a word by trying every length.
    fn by_trying(table: &Table, word: &str) -> Vec<u32> {
        let mut pieces = Vec::new();
        split(word, &mut pieces, |rest, initial| {
            let longest = rest.len().min(PIECE_MAX_BYTES);
            let found = |end: usize| Some((table.find(&rest[..end], table.half(initial))?, end));
            (1..=longest).rev().find_map(found)
        });
        pieces
    }

    proptest! {
        #[test]
        fn a_piece_is_the_longest_there_is(
            word in "[a-z]{1,12}|(un|re|pre)?(deploy|issue|calendar|git)(s|ed|ing|hub)?[0-9]?|[a-zé0-9я]{0,6}",
        ) {
            let table = Table::embedded().unwrap();
            let mut pieces = Vec::new();
            table.pieces(&word, &mut pieces);
            prop_assert_eq!(table.is_whole(&word, &pieces), table.knows(&word));
            prop_assert_eq!(pieces, by_trying(table, &word));
        }
    }

    /// Signs that the table does not know are in no piece.
    #[test]
    fn a_word_may_end_behind_its_last_piece() {
        let table = Table::embedded().unwrap();
        for word in ["0s\u{44f}", "cats\u{44f}", "s\u{44f}", "\u{44f}s", "issues\u{1f600}"] {
            let mut pieces = Vec::new();
            table.pieces(word, &mut pieces);
            assert_eq!(table.is_whole(word, &pieces), table.knows(word), "{word}");
        }
    }

    #[test]
    fn every_entry_is_found_at_its_place() {
        let table = Table::embedded().unwrap();
        for initial in [true, false] {
            for place in table.half(initial) {
                let entry = table.entry(place);
                assert_eq!(table.find(entry, table.half(initial)), Some(place));
                if initial && entry.len() > 2 {
                    assert!(table.knows(std::str::from_utf8(entry).unwrap()));
                }
            }
        }
    }
}
