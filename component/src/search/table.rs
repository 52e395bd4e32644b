//! The static embedding table: the pieces of a word, the vector of a piece.
//!
//! It lies in the program's data as `build.rs` laid it out: vocabulary sorted, found by binary
//! search. Nothing is decoded at start, and what never searches never touches it.

use super::vector::{DIM, Sum};

/// The longest piece, in bytes.
const PIECE_MAX_BYTES: usize = 24;

/// A table of word pieces with a vector each.
#[derive(Debug, Clone, Copy)]
pub(super) struct Table {
    text: &'static [u8],
    ends: &'static [u8],
    scales: &'static [u8],
    rows: &'static [u8],
    /// How many entries start a word. They come first; the rest continue one.
    initial: usize,
    fingerprint: u64,
}

#[cfg(feature = "semantic")]
mod embedded {
    include!(concat!(env!("OUT_DIR"), "/table.rs"));
    pub(super) static TABLE: super::Table = super::Table {
        text: include_bytes!(concat!(env!("OUT_DIR"), "/table_text.bin")),
        ends: include_bytes!(concat!(env!("OUT_DIR"), "/table_ends.bin")),
        scales: include_bytes!(concat!(env!("OUT_DIR"), "/table_scales.bin")),
        rows: include_bytes!(concat!(env!("OUT_DIR"), "/table_rows.bin")),
        initial: INITIAL,
        fingerprint: FINGERPRINT,
    };
}

impl Table {
    /// The table this build carries: none without the feature `semantic`.
    pub(super) fn embedded() -> Option<&'static Table> {
        #[cfg(feature = "semantic")]
        return Some(&embedded::TABLE);
        #[cfg(not(feature = "semantic"))]
        return None;
    }

    /// What tells this table from another.
    pub(super) fn fingerprint(&self) -> u64 {
        self.fingerprint
    }

    /// Whether `word` (lower case) is a word of its own here: an entry of three letters or more.
    pub(super) fn knows(&self, word: &str) -> bool {
        word.len() > 2 && self.find(word.as_bytes(), 0..self.initial).is_some()
    }

    /// Appends the pieces of a lower-case word: the longest from the left, then the longest from
    /// there on. A character that nothing starts with is skipped.
    pub(super) fn pieces(&self, word: &str, out: &mut Vec<u32>) {
        let word = word.as_bytes();
        let entries = self.ends.len() / 4;
        let mut at = 0;
        while at < word.len() {
            let among = if at == 0 { 0..self.initial } else { self.initial..entries };
            let longest = word.len().min(at + PIECE_MAX_BYTES);
            let piece = (at + 1..=longest)
                .rev()
                .find_map(|end| Some((end, self.find(&word[at..end], among.clone())?)));
            match piece {
                Some((end, index)) => {
                    out.push(index as u32);
                    at = end;
                }
                None => at += 1,
            }
        }
    }

    /// Adds the vector of a piece to `sum`. An index that is no piece adds nothing.
    pub(super) fn add(&self, piece: u32, sum: &mut Sum) {
        let at = piece as usize;
        let Some(scale) = self.scales.get(4 * at..4 * at + 4) else { return };
        let Some(row) = self.rows.get(DIM * at..DIM * at + DIM) else { return };
        let scale = f32::from_le_bytes([scale[0], scale[1], scale[2], scale[3]]);
        for (total, &byte) in sum.iter_mut().zip(row) {
            *total += scale * f32::from(byte as i8);
        }
    }

    fn find(&self, piece: &[u8], among: std::ops::Range<usize>) -> Option<usize> {
        let (mut low, mut high) = (among.start, among.end);
        while low < high {
            let middle = low + (high - low) / 2;
            match self.entry(middle).cmp(piece) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    fn entry(&self, index: usize) -> &'static [u8] {
        let start = if index == 0 { 0 } else { self.end(index - 1) };
        self.text.get(start..self.end(index)).unwrap_or_default()
    }

    fn end(&self, index: usize) -> usize {
        match self.ends.get(4 * index..4 * index + 4) {
            Some(end) => u32::from_le_bytes([end[0], end[1], end[2], end[3]]) as usize,
            None => 0,
        }
    }
}
