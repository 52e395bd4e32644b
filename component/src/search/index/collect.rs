//! From tools to what the index keeps of each: which words it has in which field, and its vector.

#![expect(clippy::disallowed_types, reason = "a map with a fixed hasher imports no randomness")]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use crate::search::index::document::{FIELDS, Field, Tool, fields};
use crate::search::index::strings::Strings;
use crate::search::text::words::{Side, is_stop_word, words};
use crate::search::vector::table::Lookup;
use crate::search::vector::unit::{DIM, Unit, ZERO, norm, unit};
use crate::sort::{sort, sort_numbers};

/// Pieces of one field that its vector is made of.
const FIELD_PIECES_MAX: usize = 120;

/// What each field weighs in a tool's vector, in the order of [`Field::ALL`].
const VECTOR_WEIGHTS: [f32; FIELDS] = [1.4, 1.5, 1.5, 1.0, 0.8, 0.4, 0.0, 0.6];

/// How often a word is in a field of a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    pub(crate) word: u32,
    pub(crate) field: u8,
    pub(crate) count: u16,
}

impl Entry {
    /// All of it in one number, by which entries of a tool are sorted.
    fn packed(self) -> u64 {
        u64::from(self.word) << 32 | u64::from(self.field) << 16 | u64::from(self.count)
    }

    fn unpacked(packed: u64) -> Entry {
        Entry { word: (packed >> 32) as u32, field: (packed >> 16) as u8, count: packed as u16 }
    }
}

/// Two words, or two terms, that follow each other, in one number: by the first, then the second.
pub(crate) fn pair(first: u32, second: u32) -> u64 {
    u64::from(first) << 32 | u64::from(second)
}

/// The two of a [`pair`].
pub(crate) fn both(pair: u64) -> (u32, u32) {
    ((pair >> 32) as u32, pair as u32)
}

/// Where a tool's part of the collection ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Document {
    /// The end of its entries; they start where those of the one before end.
    pub(crate) entries_end: u32,
    /// The same for its pairs.
    pub(crate) pairs_end: u32,
}

/// What is kept of every tool, whatever the others are; the rest of the index follows from it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Collection {
    pub(crate) words: Strings,
    pub(crate) documents: Vec<Document>,
    /// By document, each sorted by word and field.
    pub(crate) entries: Vec<Entry>,
    /// By document, sorted: which word follows which in its name and its summary, each a [`pair`].
    pub(crate) pairs: Vec<u64>,
    /// [`DIM`] components a document; empty without a table.
    pub(crate) vectors: Vec<i16>,
}

impl Collection {
    pub(crate) fn entries_of(&self, document: usize) -> &[Entry] {
        self.entries.get(self.part(document, |d| d.entries_end)).unwrap_or_default()
    }

    pub(crate) fn pairs_of(&self, document: usize) -> &[u64] {
        self.pairs.get(self.part(document, |d| d.pairs_end)).unwrap_or_default()
    }

    /// What belongs to a document in a list where each document's part ends at `end`.
    fn part(&self, document: usize, end: impl Fn(&Document) -> u32) -> Range<usize> {
        let end = |at: usize| self.documents.get(at).map_or(0, |d| end(d) as usize);
        document.checked_sub(1).map_or(0, &end)..end(document)
    }

    pub(crate) fn vector_of(&self, document: usize) -> Option<&Unit> {
        self.vectors.as_chunks::<DIM>().0.get(document)
    }
}

/// Collects tools; of one that comes with its document in `previous` all is taken from there.
pub(crate) fn collect<'a>(
    previous: Option<&Collection>,
    tools: impl Iterator<Item = (Tool<'a>, Option<usize>)>,
    table: Option<&Lookup>,
) -> Collection {
    let mut collector = Collector::new(table);
    let reusable = previous.filter(|p| p.vectors.is_empty() == table.is_none());
    let mut renumbered = vec![u32::MAX; reusable.map_or(0, |p| p.words.len())];
    for (tool, document) in tools {
        match (reusable, document) {
            (Some(previous), Some(document)) if document < previous.documents.len() => {
                collector.reuse(previous, document, &mut renumbered);
            }
            _ => collector.add(&tool),
        }
    }
    collector.finish()
}

/// Words in order of appearance, with what is asked of each again and again.
struct Collector<'t> {
    table: Option<&'t Lookup>,
    numbers: HashMap<Box<str>, u32, BuildHasherDefault<WordHasher>>,
    known: Vec<Known>,
    pieces: Vec<u32>,
    /// Those of one field.
    field_pieces: Vec<u32>,
    documents: Vec<Document>,
    entries: Vec<Entry>,
    pairs: Vec<u64>,
    vectors: Vec<i16>,
}

#[derive(Clone, Copy)]
struct Known {
    stop: bool,
    pieces_end: u32,
}

impl<'t> Collector<'t> {
    fn new(table: Option<&'t Lookup>) -> Collector<'t> {
        Collector {
            table,
            numbers: HashMap::default(),
            known: Vec::new(),
            pieces: Vec::new(),
            field_pieces: Vec::new(),
            documents: Vec::new(),
            entries: Vec::new(),
            pairs: Vec::new(),
            vectors: Vec::new(),
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        if let Some(table) = self.table {
            table.pieces(word, &mut self.pieces);
        }
        let number = self.known.len() as u32;
        self.known.push(Known { stop: is_stop_word(word), pieces_end: self.pieces.len() as u32 });
        self.numbers.insert(word.into(), number);
        number
    }

    fn add(&mut self, tool: &Tool<'_>) {
        let table = self.table;
        let mut vector = ZERO;
        for (field, text) in (0u8..).zip(fields(tool)) {
            let weight = VECTOR_WEIGHTS.get(usize::from(field)).copied().unwrap_or_default();
            let (has_phrases, mut before) = (has_phrases(field), None);
            words(
                &text,
                |word| table.is_some_and(|table| table.knows(word)),
                |word, side| {
                    let number = self.number(word);
                    if !self.known[number as usize].stop {
                        self.entries.push(Entry { word: number, field, count: 1 });
                        if let (true, Some(before)) = (has_phrases, before) {
                            self.pairs.push(pair(before, number));
                        }
                        before = Some(number);
                    }
                    if side == Side::Both
                        && weight > 0.0
                        && self.field_pieces.len() < FIELD_PIECES_MAX
                    {
                        let pieces = &self.pieces[self.pieces_of(number)];
                        self.field_pieces.extend_from_slice(pieces);
                    }
                },
            );
            let Some(table) = table else { continue };
            self.field_pieces.truncate(FIELD_PIECES_MAX);
            let sum = table.sum(&self.field_pieces);
            self.field_pieces.clear();
            // Divided by the square root of its length: a long field says more, but not in proportion.
            let divisor = norm(&sum).sqrt();
            if divisor > 0.0 {
                for (total, x) in vector.iter_mut().zip(sum) {
                    *total += weight * x / divisor;
                }
            }
        }
        if table.is_some() {
            self.vectors.extend::<Unit>(unit(&vector));
        }
        self.documents.push(Document {
            entries_end: self.entries.len() as u32,
            pairs_end: self.pairs.len() as u32,
        });
    }

    fn pieces_of(&self, word: u32) -> Range<usize> {
        let end = |at: usize| self.known[at].pieces_end as usize;
        (word as usize).checked_sub(1).map_or(0, end)..end(word as usize)
    }

    fn reuse(&mut self, previous: &Collection, document: usize, renumbered: &mut [u32]) {
        let mut number = |word: u32| {
            let known = &mut renumbered[word as usize];
            if *known == u32::MAX {
                *known = self.number(previous.words.get(word as usize));
            }
            *known
        };
        let entries = previous.entries_of(document).iter();
        let mut entries: Vec<Entry> =
            entries.map(|entry| Entry { word: number(entry.word), ..*entry }).collect();
        let pairs = previous.pairs_of(document).iter();
        let mut pairs: Vec<u64> = pairs
            .map(|&words| {
                let (first, second) = both(words);
                pair(number(first), number(second))
            })
            .collect();
        self.entries.append(&mut entries);
        self.pairs.append(&mut pairs);
        self.vectors.extend(previous.vector_of(document).into_iter().flatten());
        self.documents.push(Document {
            entries_end: self.entries.len() as u32,
            pairs_end: self.pairs.len() as u32,
        });
    }

    /// Numbers the words by their order, so that the result does not depend on where it came from.
    fn finish(self) -> Collection {
        let Collector { numbers, mut entries, mut pairs, mut documents, vectors, .. } = self;
        let mut used = vec![false; numbers.len()];
        for entry in &entries {
            used[entry.word as usize] = true;
        }
        let mut sorted: Vec<(Box<str>, u32)> =
            numbers.into_iter().filter(|&(_, number)| used[number as usize]).collect();
        sort(&mut sorted);
        let mut places = vec![0u32; used.len()];
        for (place, (_, number)) in (0u32..).zip(&sorted) {
            places[*number as usize] = place;
        }
        entries.iter_mut().for_each(|entry| entry.word = places[entry.word as usize]);
        for words in &mut pairs {
            let (first, second) = both(*words);
            *words = pair(places[first as usize], places[second as usize]);
        }
        // The part of each document is sorted, and what is in it several times becomes one.
        let mut packed: Vec<u64> = Vec::new();
        let (mut entries_start, mut entries_kept) = (0, 0);
        let (mut pairs_start, mut pairs_kept) = (0, 0);
        for document in &mut documents {
            let end = document.entries_end as usize;
            packed.extend(entries[entries_start..end].iter().map(|entry| entry.packed()));
            sort_numbers(&mut packed);
            for same in packed.chunk_by(|a, b| a >> 16 == b >> 16) {
                let counts = same.iter().map(|&packed| Entry::unpacked(packed).count);
                let count = counts.fold(0, u16::saturating_add);
                entries[entries_kept] = Entry { count, ..Entry::unpacked(same[0]) };
                entries_kept += 1;
            }
            packed.clear();
            (entries_start, document.entries_end) = (end, entries_kept as u32);

            let end = document.pairs_end as usize;
            packed.extend(&pairs[pairs_start..end]);
            sort_numbers(&mut packed);
            packed.dedup();
            pairs[pairs_kept..pairs_kept + packed.len()].copy_from_slice(&packed);
            pairs_kept += packed.len();
            packed.clear();
            (pairs_start, document.pairs_end) = (end, pairs_kept as u32);
        }
        entries.truncate(entries_kept);
        pairs.truncate(pairs_kept);
        let words = Strings::from_sorted(sorted.iter().map(|(word, _)| &**word));
        Collection { words, documents, entries, pairs, vectors }
    }
}

/// Eight bytes at a time, multiplied: fixed, as a random one would make the component import
/// randomness. Nothing depends on its order, and an index that someone floods with collisions is slow,
/// not wrong.
#[derive(Default)]
struct WordHasher(u64);

impl WordHasher {
    fn mix(&mut self, part: u64) {
        self.0 = (self.0.rotate_left(5) ^ part).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }
}

impl Hasher for WordHasher {
    fn write(&mut self, bytes: &[u8]) {
        let length = bytes.len();
        // The last eight bytes may be counted twice: no loop for what is left of a word.
        match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>(), bytes.last_chunk::<8>()) {
            (_, _, Some(last)) => {
                let parts = bytes.as_chunks::<8>().0;
                parts.iter().for_each(|part| self.mix(u64::from_le_bytes(*part)));
                self.mix(u64::from_le_bytes(*last));
            }
            (Some(first), Some(last), None) => {
                let half = |bytes: &[u8; 4]| u64::from(u32::from_le_bytes(*bytes));
                self.mix(half(first) << 32 | half(last));
            }
            _ => {
                let byte = |at: usize| bytes.get(at).map_or(0, |&byte| u64::from(byte));
                self.mix(byte(0) << 16 | byte(length / 2) << 8 | byte(length.saturating_sub(1)));
            }
        }
        self.mix(length as u64);
    }

    fn write_u8(&mut self, _: u8) {
        // The end of a text, which its length says already.
    }

    fn finish(&self) -> u64 {
        self.0 ^ self.0 >> 32
    }
}

/// Whether a word in this field may be what a misspelled one was meant to be.
pub(crate) fn is_spelled_with_care(field: u8) -> bool {
    usize::from(field) <= Field::Parameters as usize
}

/// Whether words that follow each other in this field are a phrase: a name and a summary say what a
/// tool does, the rest says a lot.
fn has_phrases(field: u8) -> bool {
    usize::from(field) == Field::Name as usize || usize::from(field) == Field::Summary as usize
}
