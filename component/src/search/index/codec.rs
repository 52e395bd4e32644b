//! An index as bytes: a part of a saved catalog, whose frame has the version and the checksum.
//!
//! Little-endian; numbers in brackets are LEB128 varints:
//!
//! ```text
//! u64 table fingerprint
//! [words]      each: [length] UTF-8, strictly ascending
//! [stems]      the same
//!              for each word [its stem] [pieces] each [its place in the table]
//! [documents]  each: [bytes of its entries], [pairs] each [words since the last one] [word]
//! entries      of all documents, as they are in memory
//! vectors      i16 × 128 per document, if the fingerprint is not 0
//! ```
//!
//! Only what cannot be computed from the rest is kept, and stems and pieces, which take long; the rest is computed
//! at the first search, by the same code for an index that was built, so that a loaded index is the built one.

use super::collect::{Collection, Document, Pieces, both, pair};
use super::inverted::{Index, Lexicon};
use super::strings::Strings;
use super::varint;
use crate::search::vector::table::Table;
use crate::search::vector::unit::DIM;

/// Why bytes are not an index. In every case: build the index again from the tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum LoadError {
    /// They were not written by [`write()`], or not whole.
    Malformed,
    /// They were built with another embedding table, or with one where there is none now.
    Table,
}

/// Appends the index to `bytes`. Equal indexes give equal bytes.
pub(crate) fn write(index: &Index, bytes: Vec<u8>) -> Vec<u8> {
    let collection = &index.collection;
    let mut out = Writer(bytes);
    out.0.reserve(64 + 2 * collection.entries.len() + 2 * collection.vectors.len());
    out.0.extend_from_slice(&index.table_fingerprint().to_le_bytes());
    out.strings(&collection.words);
    out.strings(&index.terms);
    for (word, &term) in index.word_terms.iter().enumerate() {
        out.number(u64::from(term));
        let pieces = index.pieces.of(word);
        out.number(pieces.len() as u64);
        pieces.iter().for_each(|&piece| out.number(u64::from(piece)));
    }
    out.number(collection.documents.len() as u64);
    for at in 0..collection.documents.len() {
        out.number(collection.entries_of(at).bytes().len() as u64);
        let pairs = collection.pairs_of(at);
        out.number(pairs.len() as u64);
        let mut last = 0;
        for (a, b) in pairs.iter().map(|&words| both(words)) {
            out.number(u64::from(a - last));
            out.number(u64::from(b));
            last = a;
        }
    }
    out.0.extend_from_slice(&collection.entries);
    for component in &collection.vectors {
        out.0.extend_from_slice(&component.to_le_bytes());
    }
    out.0
}

/// The index that `bytes` were written from.
///
/// # Errors
/// A [`LoadError`] for bytes that are not an index; whatever they are, nothing worse happens.
pub(crate) fn load(bytes: &[u8]) -> Result<Index, LoadError> {
    let mut input = Reader(bytes);
    let fingerprint = u64::from_le_bytes(input.array()?);
    let table = match fingerprint {
        0 => None,
        _ => Table::embedded().filter(|table| table.fingerprint() == fingerprint),
    };
    if fingerprint != 0 && table.is_none() {
        return Err(LoadError::Table);
    }
    // A checksum does not prove the origin: everything is checked that later code relies on.
    let words = input.strings()?;
    let lexicon = read_lexicon(&mut input, words.len())?;
    let collection = read(&mut input, words, table.is_some())?;
    if !input.0.is_empty() || !collection.is_sound() {
        return Err(LoadError::Malformed);
    }
    Ok(Index::new(collection, lexicon, table))
}

fn read_lexicon(input: &mut Reader<'_>, words: usize) -> Result<Lexicon, LoadError> {
    let terms = input.strings()?;
    let (mut word_terms, mut pieces) = (Vec::with_capacity(words), Pieces::default());
    for _ in 0..words {
        let term = input.word()?;
        if term as usize >= terms.len() {
            return Err(LoadError::Malformed);
        }
        word_terms.push(term);
        for _ in 0..input.count(1)? {
            pieces.all.push(input.word()?);
        }
        pieces.end();
    }
    Ok(Lexicon { terms, word_terms, pieces })
}

fn read(input: &mut Reader<'_>, words: Strings, vectors: bool) -> Result<Collection, LoadError> {
    let count = input.count(2)?;
    let mut documents = Vec::with_capacity(count);
    let (mut entries_end, mut pairs) = (0u32, Vec::new());
    for _ in 0..count {
        entries_end = entries_end.checked_add(input.word()?).ok_or(LoadError::Malformed)?;
        let mut last = None;
        for _ in 0..input.count(2)? {
            let first = last.map_or(0, |(first, _): (u32, u32)| first);
            let first = first.checked_add(input.word()?).ok_or(LoadError::Malformed)?;
            let two = (first, input.word()?);
            let known = (two.0.max(two.1) as usize) < words.len();
            if !known || last.is_some_and(|last| last >= two) {
                return Err(LoadError::Malformed);
            }
            pairs.push(pair(two.0, two.1));
            last = Some(two);
        }
        let pairs_end = u32::try_from(pairs.len()).map_err(|_| LoadError::Malformed)?;
        documents.push(Document { entries_end, pairs_end });
    }
    let entries = input.take(entries_end as usize)?.to_vec();
    let components = if vectors { DIM * documents.len() } else { 0 };
    let bytes = input.take(2 * components)?;
    let vectors =
        bytes.chunks_exact(2).map(|pair| i16::from_le_bytes([pair[0], pair[1]])).collect();
    Ok(Collection { words, documents, entries, pairs, vectors })
}

struct Writer(Vec<u8>);

impl Writer {
    fn number(&mut self, number: u64) {
        varint::put(&mut self.0, number);
    }

    fn strings(&mut self, strings: &Strings) {
        self.number(strings.len() as u64);
        strings.iter().for_each(|string| self.string(string));
    }

    fn string(&mut self, string: &str) {
        self.number(string.len() as u64);
        self.0.extend_from_slice(string.as_bytes());
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, count: usize) -> Result<&'a [u8], LoadError> {
        let (head, tail) = self.0.split_at_checked(count).ok_or(LoadError::Malformed)?;
        self.0 = tail;
        Ok(head)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], LoadError> {
        let (head, tail) = self.0.split_first_chunk::<N>().ok_or(LoadError::Malformed)?;
        self.0 = tail;
        Ok(*head)
    }

    fn number(&mut self) -> Result<u64, LoadError> {
        varint::take(&mut self.0).ok_or(LoadError::Malformed)
    }

    /// A word's place, or a difference of two.
    fn word(&mut self) -> Result<u32, LoadError> {
        u32::try_from(self.number()?).map_err(|_| LoadError::Malformed)
    }

    /// A number of things that take at least `least` bytes each: never more than can still come.
    fn count(&mut self, least: usize) -> Result<usize, LoadError> {
        let count = usize::try_from(self.number()?).map_err(|_| LoadError::Malformed)?;
        if count > self.0.len() / least { Err(LoadError::Malformed) } else { Ok(count) }
    }

    fn strings(&mut self) -> Result<Strings, LoadError> {
        let count = self.count(1)?;
        let strings = (0..count).map(|_| self.string()).collect::<Result<Vec<&str>, _>>()?;
        if !strings.is_sorted_by(|a, b| a < b) {
            return Err(LoadError::Malformed);
        }
        Ok(Strings::from_sorted(strings.into_iter()))
    }

    fn string(&mut self) -> Result<&'a str, LoadError> {
        let length = usize::try_from(self.number()?).map_err(|_| LoadError::Malformed)?;
        std::str::from_utf8(self.take(length)?).map_err(|_| LoadError::Malformed)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Index, LoadError, load, write};
    use crate::search::index::document::Tool;
    use crate::search::rank::score::{Options, rank};

    fn index(count: usize) -> Index {
        let names: Vec<String> = (0..count).map(|n| format!("list_things_{n}")).collect();
        Index::build(names.iter().map(|name| Tool {
            name,
            server: "things",
            description: "Lists all the things of one kind. Ask for pages.",
            schema: r#"{"properties":{"page":{"description":"which page"}}}"#,
            ..Tool::default()
        }))
    }

    #[test]
    fn a_loaded_index_is_the_one_that_was_written() {
        for built in [index(0), index(1), index(40)] {
            let bytes = write(&built, Vec::new());
            let loaded = load(&bytes).unwrap();
            assert_eq!(write(&loaded, Vec::new()), bytes);
            let search = |index: &Index| rank(index, "list things 7 page", Options::default());
            assert_eq!(search(&loaded), search(&built));
        }
    }

    #[test]
    fn other_bytes_are_told_from_another_table() {
        let bytes = write(&index(3), Vec::new());
        assert_eq!(load(b"").unwrap_err(), LoadError::Malformed);
        assert_eq!(load(&bytes[..bytes.len() - 1]).unwrap_err(), LoadError::Malformed);
        assert_eq!(load(&[&bytes[..], b"x"].concat()).unwrap_err(), LoadError::Malformed);
        let mut other = bytes;
        other[0] ^= 1;
        assert_eq!(load(&other).unwrap_err(), LoadError::Table);
    }

    proptest! {
        #[test]
        fn changed_bytes_never_break_anything(
            changes in proptest::collection::vec((8usize..2_000, any::<u8>()), 1..6),
            cut in proptest::option::of(8usize..2_000),
        ) {
            let mut bytes = write(&index(3), Vec::new());
            for (at, byte) in changes {
                let at = at % bytes.len();
                if at >= 8 {
                    bytes[at] = byte;
                }
            }
            bytes.truncate(cut.unwrap_or(usize::MAX));
            if let Ok(loaded) = load(&bytes) {
                rank(&loaded, "list things", Options::default());
            }
        }

        #[test]
        fn any_bytes_load_or_fail(body in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = load(&body);
            let _ = load(&[&[0; 8][..], &body].concat());
        }
    }
}
