//! From tools to what the index keeps of each: which words it has in which field, and its vector.

use std::cell::RefCell;
use std::ops::Range;

use crate::search::index::document::{FIELDS, Field, Tool, fields};
use crate::search::index::strings::Strings;
use crate::search::index::varint;
use crate::search::text::words::{Side, is_stop_word, words};
use crate::search::vector::table::Table;
use crate::search::vector::unit::{Unit, ZERO, norm, unit};
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
    /// [`DIM`](crate::search::vector::unit::DIM) components a document; empty without a table.
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
}

/// What is collected of tools, and what is asked of their words again and again.
pub(crate) struct Collected {
    pub(crate) collection: Collection,
    /// The pieces of each word.
    pub(crate) pieces: Pieces,
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

/// Collects tools.
pub(crate) fn collect<'a>(
    tools: impl Iterator<Item = Tool<'a>>,
    table: Option<&'static Table>,
) -> Collected {
    let mut collector = Collector { table, ..Collector::default() };
    tools.for_each(|tool| collector.add(&tool));
    collector.finish()
}

#[derive(Default)]
struct Collector {
    table: Option<&'static Table>,
    words: Numbers,
    known: Known,
    is_stop: Vec<bool>,
    pieces: Pieces,
    /// Those of one field.
    field_pieces: Vec<u32>,
    documents: Vec<Document>,
    /// Of each tool its words as often as they are there, each with its field: see [`in_field`].
    occurrences: Vec<Box<[u32]>>,
    /// Those of one tool.
    fresh: Vec<u32>,
    pairs: Vec<u64>,
    vectors: Vec<i16>,
}

/// A word's number with its field in the lowest bits.
fn in_field(word: u32, field: u8) -> u32 {
    const { assert!(FIELDS <= 8) };
    word << 3 | u32::from(field)
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

impl Collector {
    fn number(&mut self, word: &str) -> u32 {
        let number = self.words.of(word);
        if number as usize == self.is_stop.len() {
            if let Some(table) = self.table {
                table.pieces(word, &mut self.pieces.all);
            }
            self.pieces.end();
            self.is_stop.push(is_stop_word(word));
        }
        number
    }

    fn add(&mut self, tool: &Tool<'_>) {
        let table = self.table;
        let mut vector = ZERO;
        let known = RefCell::new(std::mem::take(&mut self.known));
        for (field, text) in (0u8..).zip(fields(tool)) {
            let weight = VECTOR_WEIGHTS.get(usize::from(field)).copied().unwrap_or_default();
            let (has_phrases, mut before) = (has_phrases(field), None);
            words(
                &text,
                |word| table.is_some_and(|table| known.borrow_mut().has(word, table)),
                |word, side| {
                    let number = self.number(word);
                    if !self.is_stop[number as usize] {
                        self.fresh.push(in_field(number, field));
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
        self.known = known.into_inner();
        if table.is_some() {
            self.vectors.extend::<Unit>(unit(&vector));
        }
        self.occurrences.push(self.fresh.as_slice().into());
        self.fresh.clear();
        self.documents.push(Document { entries_end: 0, pairs_end: self.pairs.len() as u32 });
    }

    /// Numbers the words by their order, so that the result does not depend on where it came from.
    fn finish(self) -> Collected {
        let Collector { words, mut pairs, mut documents, .. } = self;
        let mut used = vec![false; words.words.len()];
        for word in self.occurrences.iter().flatten() {
            used[(word >> 3) as usize] = true;
        }
        let mut sorted: Vec<(&str, u32)> = words.words.iter().zip(0..).collect();
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
        // The part of each document is sorted, and what is in it several times becomes one.
        let mut entries = Vec::new();
        let mut packed: Vec<u64> = Vec::new();
        let (mut pairs_start, mut pairs_kept) = (0, 0);
        for (document, occurrences) in documents.iter_mut().zip(self.occurrences) {
            let placed = |word: &u32| {
                let (place, field) = (places[(word >> 3) as usize], (word & 7) as u8);
                Entry { word: place, field, count: 1 }.packed()
            };
            packed.extend(occurrences.iter().map(placed));
            put_entries(&mut entries, &mut packed);

            let pairs_end = document.pairs_end as usize;
            packed.extend(&pairs[pairs_start..pairs_end]);
            sort_numbers(&mut packed);
            packed.dedup();
            pairs[pairs_kept..pairs_kept + packed.len()].copy_from_slice(&packed);
            pairs_kept += packed.len();
            packed.clear();
            pairs_start = pairs_end;
            *document =
                Document { entries_end: entries.len() as u32, pairs_end: pairs_kept as u32 };
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
        let collection = Collection { words, documents, entries, pairs, vectors };
        Collected { collection, pieces }
    }
}

/// Words with a number each, by which they are found.
///
/// The hash is fixed, as a random one would make the component import randomness. Nothing depends on it, and an index
/// that someone floods with collisions is slow, not wrong.
#[derive(Default)]
struct Numbers {
    words: Strings,
    /// At the place where a word's hash leads, or the next free one: the upper half of the hash, and one more than the
    /// word's number. At most half of the places are taken, and they are a power of two.
    places: Vec<u64>,
}

impl Numbers {
    /// The number of a word; the next one if it is new.
    fn of(&mut self, word: &str) -> u32 {
        if 2 * self.words.len() >= self.places.len() {
            self.places = vec![0; (4 * self.words.len()).next_power_of_two().max(1 << 10)];
            for number in 0..self.words.len() {
                let hash = hash(self.words.get(number));
                let (Ok(place) | Err(place)) = self.find(hash, |_| false);
                self.places[place] = taken(hash, number);
            }
        }
        let hash = hash(word);
        match self.find(hash, |number| is_same(self.words.get(number), word)) {
            Ok(place) => self.places[place] as u32 - 1,
            Err(place) => {
                self.places[place] = taken(hash, self.words.len());
                self.words.push(word);
                self.words.len() as u32 - 1
            }
        }
    }

    /// The place of what has this hash and is the one sought, or else where it belongs.
    fn find(&self, hash: u64, is_it: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mut place = hash as usize;
        loop {
            place &= self.places.len() - 1;
            match self.places[place] {
                0 => return Err(place),
                one if one >> 32 == hash >> 32 && is_it(one as u32 as usize - 1) => {
                    return Ok(place);
                }
                _ => place += 1,
            }
        }
    }
}

/// Which words of mixed case the table has: some stand in every other definition.
#[derive(Default)]
struct Known {
    words: Numbers,
    are_known: Vec<bool>,
}

impl Known {
    fn has(&mut self, word: &str, table: &Table) -> bool {
        let number = self.words.of(word) as usize;
        if number == self.are_known.len() {
            self.are_known.push(table.knows(word));
        }
        self.are_known[number]
    }
}

fn taken(hash: u64, number: usize) -> u64 {
    hash >> 32 << 32 | (number as u64 + 1)
}

/// The bytes of a word as numbers, eight by eight, and the last eight or fewer. Some may be there twice: no loop for
/// what is left of a word.
fn eights(word: &str) -> (&[[u8; 8]], u64) {
    let bytes = word.as_bytes();
    let last = match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>(), bytes.last_chunk::<8>()) {
        (_, _, Some(last)) => u64::from_le_bytes(*last),
        (Some(first), Some(last), None) => {
            u64::from(u32::from_le_bytes(*first)) << 32 | u64::from(u32::from_le_bytes(*last))
        }
        _ => {
            let byte = |at: usize| bytes.get(at).map_or(0, |&byte| u64::from(byte));
            byte(0) << 16 | byte(bytes.len() / 2) << 8 | byte(bytes.len().saturating_sub(1))
        }
    };
    (bytes.as_chunks().0, last)
}

fn hash(word: &str) -> u64 {
    let (eights, last) = eights(word);
    let numbers = eights.iter().map(|eight| u64::from_le_bytes(*eight));
    let hash = numbers.chain([last, word.len() as u64]).fold(0u64, |hash, number| {
        (hash.rotate_left(5) ^ number).wrapping_mul(0x9e37_79b9_7f4a_7c15)
    });
    hash ^ hash >> 32
}

/// Whether two words are the same, without the loop over bytes that a comparison of slices is in WebAssembly.
fn is_same(one: &str, other: &str) -> bool {
    let ((eights_of_one, last), (eights_of_other, other_last)) = (eights(one), eights(other));
    let mut both = eights_of_one.iter().zip(eights_of_other);
    one.len() == other.len() && last == other_last && both.all(|(one, other)| one == other)
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
