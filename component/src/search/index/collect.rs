//! From tools to what the index keeps of each: which words it has in which field, and its vector.

#![expect(clippy::disallowed_types, reason = "a map with a fixed hasher imports no randomness")]

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use crate::search::index::document::{FIELDS, Field, Tool, fields};
use crate::search::index::strings::Strings;
use crate::search::index::varint;
use crate::search::text::words::{Side, is_stop_word, words};
use crate::search::vector::table::Table;
use crate::search::vector::unit::{DIM, Unit, ZERO, norm, unit};
use crate::sort::{sort, sort_numbers};

/// Pieces of one field that its vector is made of.
const FIELD_PIECES_MAX: usize = 120;

/// What each field weighs in a tool's vector, in the order of [`Field`].
const VECTOR_WEIGHTS: [f32; FIELDS] = [1.4, 1.5, 1.5, 1.0, 0.8, 0.4, 0.0, 1.5];

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

    /// Appends it to the entries of a tool of which the last one has the word `last`.
    #[inline(never)]
    pub(crate) fn put_after(self, bytes: &mut Vec<u8>, last: u32) {
        varint::put(bytes, u64::from(self.word.wrapping_sub(last)));
        // The count beside the field in one byte, when it fits.
        let few = self.count.min(MANY);
        bytes.push(self.field << 5 | few as u8);
        if few == MANY {
            varint::put(bytes, u64::from(self.count));
        }
    }
}

/// A count that does not stand beside the field, where there are five bits for it.
const MANY: u16 = 31;

/// The entries of one tool.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Entries<'a> {
    bytes: &'a [u8],
    last: u32,
}

impl<'a> Entries<'a> {
    /// What is not read yet.
    pub(crate) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;
    #[inline(never)]
    fn next(&mut self) -> Option<Entry> {
        let word = self.last.wrapping_add(varint::take(&mut self.bytes)? as u32);
        let (&both, rest) = self.bytes.split_first()?;
        self.bytes = rest;
        let (field, few) = (both >> 5, u16::from(both) & MANY);
        let count = match few {
            MANY => varint::take(&mut self.bytes)? as u16,
            few => few,
        };
        self.last = word;
        Some(Entry { word, field, count })
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
    /// By document, each sorted by word and field: [`Entries`] as bytes, which take a third of the room.
    pub(crate) entries: Vec<u8>,
    /// By document, sorted: which word follows which in its name and its summary, each a [`pair`].
    pub(crate) pairs: Vec<u64>,
    /// [`DIM`] components a document; empty without a table.
    pub(crate) vectors: Vec<i16>,
}

impl Collection {
    pub(crate) fn entries_of(&self, document: usize) -> Entries<'_> {
        let bytes = self.entries.get(self.part(document, |d| d.entries_end)).unwrap_or_default();
        Entries { bytes, last: 0 }
    }

    pub(crate) fn pairs_of(&self, document: usize) -> &[u64] {
        self.pairs.get(self.part(document, |d| d.pairs_end)).unwrap_or_default()
    }

    /// What belongs to a document in a list where each document's part ends at `end`.
    fn part(&self, document: usize, end: impl Fn(&Document) -> u32) -> Range<usize> {
        let end = |at: usize| self.documents.get(at).map_or(0, |d| end(d) as usize);
        document.checked_sub(1).map_or(0, &end)..end(document)
    }

    /// Whether each part is what is written for a tool, of words and fields that there are.
    pub(crate) fn is_sound(&self) -> bool {
        (0..self.documents.len()).all(|document| {
            let mut entries = self.entries_of(document);
            let mut last = None;
            let are_sound = entries.all(|entry| {
                let before = last.replace((entry.word, entry.field));
                entry.count > 0
                    && usize::from(entry.field) < FIELDS
                    && (entry.word as usize) < self.words.len()
                    && before < last
            });
            are_sound && entries.bytes().is_empty()
        })
    }

    pub(crate) fn vector_of(&self, document: usize) -> Option<&Unit> {
        self.vectors.as_chunks::<DIM>().0.get(document)
    }
}

/// What is collected of tools, and what is asked of their words again and again.
pub(crate) struct Collected {
    pub(crate) collection: Collection,
    /// The pieces of each word.
    pub(crate) pieces: Pieces,
    /// The place of each word in the previous collection; of a new one a number past them all.
    pub(crate) places_before: Vec<u32>,
}

/// Pieces of words in an embedding table, by the words' places.
#[derive(Debug, Clone, Default)]
pub(crate) struct Pieces {
    pub(crate) ends: Vec<u32>,
    pub(crate) all: Vec<u32>,
}

impl Pieces {
    pub(crate) fn of(&self, word: usize) -> &[u32] {
        let end = |at: usize| self.ends.get(at).map_or(0, |&end| end as usize);
        self.all.get(word.checked_sub(1).map_or(0, end)..end(word)).unwrap_or_default()
    }

    /// Takes what was appended to all pieces as the next word's.
    pub(crate) fn end(&mut self) {
        self.ends.push(self.all.len() as u32);
    }
}

/// Collects tools; of one that comes with its document in `previous`, a collection with the pieces of its words, all is
/// taken from there.
pub(crate) fn collect<'a>(
    previous: Option<(&Collection, &Pieces)>,
    tools: impl Iterator<Item = (Tool<'a>, Option<usize>)>,
    table: Option<&'static Table>,
) -> Collected {
    let mut collector = Collector::new(previous, table);
    for (tool, document) in tools {
        match (collector.previous, document) {
            (Some(previous), Some(document)) => collector.reuse(previous, document),
            _ => collector.add(&tool),
        }
    }
    collector.finish()
}

/// Words with a number each: first those of the previous collection by their places, then new ones in order of
/// appearance.
struct Collector<'p> {
    table: Option<&'static Table>,
    previous: Option<&'p Collection>,
    numbers: HashMap<Box<str>, u32, BuildHasherDefault<WordHasher>>,
    is_stop: Vec<bool>,
    pieces: Pieces,
    /// Those of one field.
    field_pieces: Vec<u32>,
    documents: Vec<Document>,
    /// Those of one tool, each packed into a number.
    fresh: Vec<u64>,
    entries: Vec<u8>,
    pairs: Vec<u64>,
    vectors: Vec<i16>,
}

/// Appends the entries of one tool: sorted, and those of one word in one field as one.
#[inline(never)]
fn put_entries(bytes: &mut Vec<u8>, packed: &mut Vec<u64>) {
    sort_numbers(packed);
    let mut last = 0;
    for same in packed.chunk_by(|a, b| a >> 16 == b >> 16) {
        let counts = same.iter().map(|&packed| Entry::unpacked(packed).count);
        let count = counts.fold(0, u16::saturating_add);
        let entry = Entry { count, ..Entry::unpacked(same[0]) };
        entry.put_after(bytes, last);
        last = entry.word;
    }
    packed.clear();
}

impl<'p> Collector<'p> {
    fn new(
        previous: Option<(&'p Collection, &Pieces)>,
        table: Option<&'static Table>,
    ) -> Collector<'p> {
        let (previous, pieces) = previous.unzip();
        let pieces = pieces.cloned().unwrap_or_default();
        Collector {
            table,
            previous,
            numbers: HashMap::default(),
            // A stop word is in no collection.
            is_stop: vec![false; pieces.ends.len()],
            pieces,
            field_pieces: Vec::new(),
            documents: Vec::new(),
            fresh: Vec::new(),
            entries: Vec::new(),
            pairs: Vec::new(),
            vectors: Vec::new(),
        }
    }

    fn number(&mut self, word: &str) -> u32 {
        if let Some(&number) = self.numbers.get(word) {
            return number;
        }
        let before = self.previous.and_then(|previous| previous.words.find(word));
        let number = before.unwrap_or(self.is_stop.len()) as u32;
        if before.is_none() {
            if let Some(table) = self.table {
                table.pieces(word, &mut self.pieces.all);
            }
            self.pieces.end();
            self.is_stop.push(is_stop_word(word));
        }
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
                    if !self.is_stop[number as usize] {
                        self.fresh.push(Entry { word: number, field, count: 1 }.packed());
                        if let (true, Some(before)) = (has_phrases, before) {
                            self.pairs.push(pair(before, number));
                        }
                        before = Some(number);
                    }
                    if side == Side::Both
                        && weight > 0.0
                        && self.field_pieces.len() < FIELD_PIECES_MAX
                    {
                        self.field_pieces.extend(self.pieces.of(number as usize));
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
        put_entries(&mut self.entries, &mut self.fresh);
        self.documents.push(Document {
            entries_end: self.entries.len() as u32,
            pairs_end: self.pairs.len() as u32,
        });
    }

    fn reuse(&mut self, previous: &Collection, document: usize) {
        self.entries.extend(previous.entries_of(document).bytes());
        self.pairs.extend(previous.pairs_of(document));
        self.vectors.extend_from_slice(previous.vector_of(document).map_or(&[], Unit::as_slice));
        self.documents.push(Document {
            entries_end: self.entries.len() as u32,
            pairs_end: self.pairs.len() as u32,
        });
    }

    /// Numbers the words by their order, so that the result does not depend on where it came from.
    fn finish(self) -> Collected {
        let Collector { previous, numbers, is_stop, entries, mut pairs, documents, .. } = self;
        let mut found = Collection { documents, entries, ..Collection::default() };
        let mut used = vec![false; is_stop.len()];
        for document in 0..found.documents.len() {
            found.entries_of(document).for_each(|entry| used[entry.word as usize] = true);
        }
        let before = previous.map(|previous| &previous.words);
        let known = before.map_or(0, Strings::len) as u32;
        let new = numbers.iter().map(|(word, &number)| (&**word, number));
        let new = new.filter(|&(_, number)| number >= known);
        let mut sorted: Vec<(&str, u32)> =
            before.into_iter().flat_map(Strings::iter).zip(0..).chain(new).collect();
        sorted.retain(|&(_, number)| used[number as usize]);
        sort(&mut sorted);
        let mut places = vec![0u32; used.len()];
        for (place, (_, number)) in (0u32..).zip(&sorted) {
            places[*number as usize] = place;
        }
        for words in &mut pairs {
            let (first, second) = both(*words);
            *words = pair(places[first as usize], places[second as usize]);
        }
        // The part of each document is sorted anew, and pairs that are in it several times become one.
        let mut entries = Vec::with_capacity(found.entries.len());
        let mut ends = Vec::with_capacity(found.documents.len());
        let mut packed: Vec<u64> = Vec::new();
        let (mut pairs_start, mut pairs_kept) = (0, 0);
        for at in 0..found.documents.len() {
            let placed = |entry: Entry| Entry { word: places[entry.word as usize], ..entry };
            let pairs_end = found.documents[at].pairs_end as usize;
            packed.extend(found.entries_of(at).map(|entry| placed(entry).packed()));
            put_entries(&mut entries, &mut packed);
            ends.push(entries.len() as u32);

            packed.extend(&pairs[pairs_start..pairs_end]);
            sort_numbers(&mut packed);
            packed.dedup();
            pairs[pairs_kept..pairs_kept + packed.len()].copy_from_slice(&packed);
            pairs_kept += packed.len();
            packed.clear();
            (pairs_start, found.documents[at].pairs_end) = (pairs_end, pairs_kept as u32);
        }
        for (document, end) in found.documents.iter_mut().zip(ends) {
            document.entries_end = end;
        }
        pairs.truncate(pairs_kept);
        pairs.shrink_to_fit();
        entries.shrink_to_fit();
        let mut vectors = self.vectors;
        vectors.shrink_to_fit();
        let mut pieces = Pieces::default();
        for &(_, number) in &sorted {
            pieces.all.extend(self.pieces.of(number as usize));
            pieces.end();
        }
        let words = Strings::from_sorted(sorted.iter().map(|&(word, _)| word));
        let places_before = sorted.iter().map(|&(_, number)| number).collect();
        let collection = Collection { words, entries, pairs, vectors, ..found };
        Collected { collection, pieces, places_before }
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
