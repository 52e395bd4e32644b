//! What a query asks for: its words, corrected and looked up.

use super::document::first_chars;
use super::index::Index;
use super::spell::correction;
use super::text::{Side, Stems, is_stop_word, words};
use super::vector::{Sum, Unit, ZERO, unit};

/// Characters of a query that count.
pub const QUERY_MAX_CHARS: usize = 2_000;

/// Pieces of a query that its vector is made of.
const PIECES_MAX: usize = 200;

/// A word that was read as another.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Correction {
    /// As written, in lower case.
    pub from: String,
    /// As read.
    pub to: String,
}

/// A query's word that counts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    /// As read, in lower case.
    pub(super) text: String,
    pub(super) stem: String,
    /// The term it is in the catalogue; none when no tool has it.
    pub(super) term: Option<u32>,
}

/// A query, read against an index.
#[derive(Debug, Clone)]
pub(super) struct Query {
    /// The distinct words by stem, stop words left out unless there is nothing else.
    pub(super) words: Vec<Word>,
    pub(super) corrections: Vec<Correction>,
    /// The direction of the whole text; zeros without a table.
    pub(super) vector: Unit,
}

/// Reads `text` against `index`.
pub(super) fn read(index: &Index, text: &str) -> Query {
    let stems = Stems::new();
    let text = first_chars(text, QUERY_MAX_CHARS);
    let known = |word: &str| index.table.is_some_and(|table| table.knows(word));
    let mut read: Vec<String> = Vec::new();
    words(text, known, |word, side| {
        if side == Side::Both {
            read.push(word.to_owned());
        }
    });

    let mut corrections: Vec<Correction> = Vec::new();
    for word in &mut read {
        let in_catalog = |word: &str| {
            index.collection.words.find(word).is_some()
                || index.terms.find(&stems.stem(word)).is_some()
        };
        if is_stop_word(word) || known(word) || in_catalog(word) {
            continue;
        }
        if let Some(meant) = correction(index, word) {
            let correction = Correction {
                from: std::mem::replace(word, meant.to_owned()),
                to: meant.to_owned(),
            };
            if !corrections.contains(&correction) {
                corrections.push(correction);
            }
        }
    }

    let vector = unit(&sum(index, &read));
    let all_stop = read.iter().all(|word| is_stop_word(word));
    let mut distinct: Vec<Word> = Vec::new();
    for word in read.into_iter().filter(|word| all_stop || !is_stop_word(word)) {
        let stem = stems.stem(&word).into_owned();
        if !distinct.iter().any(|other| other.stem == stem) {
            let term = index.terms.find(&stem).map(|term| term as u32);
            distinct.push(Word { text: word, stem, term });
        }
    }
    Query { words: distinct, corrections, vector }
}

fn sum(index: &Index, read: &[String]) -> Sum {
    let mut sum = ZERO;
    if let Some(table) = index.table {
        let mut pieces = Vec::new();
        read.iter().for_each(|word| table.pieces(word, &mut pieces));
        pieces.iter().take(PIECES_MAX).for_each(|&piece| table.add(piece, &mut sum));
    }
    sum
}
