//! A pack as bytes. Nothing is decoded but the words, once, and the phrases of tools that match.
//!
//! ```text
//! "WPHR1" | tools, u32 | words, u32 | bytes of the words, u32
//! counts of words by length of their code, 24 × u16
//! words: four bits for what is shared with the word before, four for its own bytes; its own bytes
//! names, u32 each, ascending | signatures, u64 each | bytes of phrases, u8 each
//! phrases, whole bytes for each tool: a count in two bits, then words in a canonical Huffman code,
//! an empty word behind each phrase
//! ```
//!
//! Words are ASCII and stand in the order of their codes. Numbers are little-endian. A pack that is cut
//! or damaged has no phrases where it cannot be read, and nothing breaks.

use std::sync::OnceLock;

use super::key::{Key, equal, equal_min, name, signature};

/// The longest code of a word, in bits.
pub const CODE_MAX_BITS: usize = 24;
/// How every pack begins.
pub const MAGIC: &[u8; 5] = b"WPHR1";
/// Words of one phrase that are read.
const WORDS_MAX: usize = 64;

/// The pack this build carries.
static SHIPPED: &[u8] = include_bytes!("../../../data/phrases.pack");

/// Phrases of tools by [`Key`].
#[derive(Debug, Default)]
pub struct Pack<'a> {
    counts: Vec<u16>,
    text: String,
    /// Where each word ends in `text`.
    ends: Vec<u32>,
    names: &'a [[u8; 4]],
    signatures: &'a [[u8; 8]],
    /// Where the phrases of each tool end.
    phrase_ends: Vec<u32>,
    phrases: &'a [u8],
}

impl Pack<'static> {
    /// The pack this build carries.
    pub fn shipped() -> &'static Pack<'static> {
        static PACK: OnceLock<Pack<'static>> = OnceLock::new();
        PACK.get_or_init(|| Pack::read(SHIPPED).unwrap_or_default())
    }
}

impl<'a> Pack<'a> {
    /// Reads a pack; nothing when it is none.
    pub fn read(bytes: &'a [u8]) -> Option<Pack<'a>> {
        let rest = bytes.strip_prefix(MAGIC)?;
        let (tools, rest) = number(rest)?;
        let (words, rest) = number(rest)?;
        let (text_bytes, rest) = number(rest)?;
        let (counts, rest) = rest.split_at_checked(2 * CODE_MAX_BITS)?;
        let counts = counts.as_chunks::<2>().0.iter().map(|count| u16::from_le_bytes(*count));
        let (front_coded, rest) = rest.split_at_checked(text_bytes)?;
        let (text, ends) = spelled(front_coded, words)?;
        let (names, rest) = rest.split_at_checked(tools.checked_mul(4)?)?;
        let (signatures, rest) = rest.split_at_checked(tools.checked_mul(8)?)?;
        let (lengths, phrases) = rest.split_at_checked(tools)?;
        let mut end = 0;
        let phrase_ends = lengths.iter().map(|length| {
            end += u32::from(*length);
            end
        });
        Some(Pack {
            counts: counts.collect(),
            text,
            ends,
            names: names.as_chunks().0,
            signatures: signatures.as_chunks().0,
            phrase_ends: phrase_ends.collect(),
            phrases,
        })
    }

    /// How many tools it knows.
    pub fn len(&self) -> usize {
        self.names.len()
    }

    /// Whether it knows none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The key of the tool at a place.
    pub fn key(&self, at: usize) -> Option<Key> {
        let name = u32::from_le_bytes(*self.names.get(at)?);
        Some(Key { name, signature: u64::from_le_bytes(*self.signatures.get(at)?) })
    }

    /// What users call the tool with one of these names and these texts: the phrases of the tool that has
    /// the name and the nearest signature. None when no signature is near.
    pub fn phrases<'n>(
        &self,
        names: impl Iterator<Item = &'n str>,
        description: &str,
        schema: &str,
    ) -> Option<Vec<String>> {
        let mut own = None;
        let mut nearest = None;
        for tool in names {
            let wanted = name(tool);
            let start = self.names.partition_point(|known| u32::from_le_bytes(*known) < wanted);
            for at in start..self.names.len() {
                let Some(key) = self.key(at).filter(|key| key.name == wanted) else { break };
                let own = *own.get_or_insert_with(|| signature(description, schema));
                let near = equal(own, key.signature);
                if near >= equal_min(tool) && nearest.is_none_or(|(best, _)| near > best) {
                    nearest = Some((near, at));
                }
            }
        }
        self.phrases_at(nearest?.1)
    }

    /// The phrases of the tool at a place.
    pub fn phrases_at(&self, at: usize) -> Option<Vec<String>> {
        let end = *self.phrase_ends.get(at)? as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.phrase_ends[before] as usize);
        let mut bits = Bits { bytes: self.phrases.get(start..end)?, at: 0 };
        let count = 1 + 2 * bits.next()? + bits.next()?;
        (0..count).map(|_| self.phrase(&mut bits)).collect()
    }

    fn phrase(&self, bits: &mut Bits<'_>) -> Option<String> {
        let mut phrase = String::new();
        for _ in 0..WORDS_MAX {
            let word = self.word(self.coded(bits)?)?;
            if word.is_empty() {
                return Some(phrase);
            }
            if !phrase.is_empty() {
                phrase.push(' ');
            }
            phrase.push_str(word);
        }
        None
    }

    /// The place of the word whose code comes next.
    fn coded(&self, bits: &mut Bits<'_>) -> Option<usize> {
        let (mut code, mut first, mut place) = (0, 0, 0);
        for &count in &self.counts {
            let count = u32::from(count);
            code = 2 * code + bits.next()?;
            first *= 2;
            if code < first + count {
                return Some((place + code - first) as usize);
            }
            (first, place) = (first + count, place + count);
        }
        None
    }

    fn word(&self, at: usize) -> Option<&str> {
        let end = *self.ends.get(at)? as usize;
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before] as usize);
        self.text.get(start..end)
    }
}

struct Bits<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Bits<'_> {
    fn next(&mut self) -> Option<u32> {
        let byte = *self.bytes.get(self.at / 8)?;
        self.at += 1;
        Some(u32::from(byte >> (7 - (self.at - 1) % 8) & 1))
    }
}

fn number(bytes: &[u8]) -> Option<(usize, &[u8])> {
    let (number, rest) = bytes.split_first_chunk()?;
    Some((u32::from_le_bytes(*number) as usize, rest))
}

/// All words in one text, and where each ends.
fn spelled(mut bytes: &[u8], words: usize) -> Option<(String, Vec<u32>)> {
    let mut text = String::new();
    let mut ends = Vec::new();
    let mut start = 0;
    while let Some((&lengths, rest)) = bytes.split_first() {
        let (own, rest) = rest.split_at_checked(usize::from(lengths & 15))?;
        let shared = text.get(start..start + usize::from(lengths >> 4))?.to_owned();
        start = text.len();
        text.push_str(&shared);
        text.push_str(std::str::from_utf8(own).ok().filter(|own| own.is_ascii())?);
        ends.push(text.len() as u32);
        bytes = rest;
    }
    (ends.len() == words).then_some((text, ends))
}
