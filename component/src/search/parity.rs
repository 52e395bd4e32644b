//! The ranking against the reference implementation's fixtures.

#![expect(clippy::unwrap_used, reason = "fixtures that are part of the source")]

use serde::Deserialize;
use serde_json::value::RawValue;

use super::document::Tool;
use super::index::Index;
use super::rank::Options;
use super::table::Table;
use super::text::{Side, words};
use super::vector::{ZERO, norm};

#[derive(Deserialize)]
struct Parity {
    tokens: Vec<Tokens>,
    vectors: Vec<Vector>,
    search: Vec<Search>,
}

#[derive(Deserialize)]
struct Tokens {
    text: String,
    lexical_words: Vec<String>,
    embedding_words: Vec<String>,
    ids: Vec<u32>,
}

#[derive(Deserialize)]
struct Vector {
    text: String,
    norm: f32,
    unit_first8: [f32; 8],
}

#[derive(Deserialize)]
struct Search {
    set: String,
    query: String,
    top5: Vec<(String, f32)>,
}

#[derive(Deserialize)]
struct Entry {
    id: String,
    name: String,
    description: String,
    parameters: Box<RawValue>,
    server: String,
}

fn parity() -> Parity {
    serde_json::from_str(include_str!("../../fixtures/toolsearch/parity.json")).unwrap()
}

fn table() -> &'static Table {
    Table::embedded().unwrap()
}

fn split(text: &str) -> (Vec<String>, Vec<String>) {
    let (mut lexical, mut embedded) = (Vec::new(), Vec::new());
    words(
        text,
        |word| table().knows(word),
        |word, side| {
            lexical.push(word.to_owned());
            if side == Side::Both {
                embedded.push(word.to_owned());
            }
        },
    );
    (lexical, embedded)
}

/// Only ASCII texts: the reference splits `café` at its accent, we fold it.
#[test]
fn words_and_pieces_are_those_of_the_reference() {
    for tokens in parity().tokens.iter().filter(|tokens| tokens.text.is_ascii()) {
        let (lexical, embedded) = split(&tokens.text);
        assert_eq!(lexical, tokens.lexical_words, "{:?}", tokens.text);
        assert_eq!(embedded, tokens.embedding_words, "{:?}", tokens.text);
        let mut pieces = Vec::new();
        embedded.iter().for_each(|word| table().pieces(word, &mut pieces));
        assert_eq!(pieces.len(), tokens.ids.len(), "{:?}", tokens.text);
    }
}

#[test]
fn vectors_are_those_of_the_reference() {
    for vector in parity().vectors {
        let mut pieces = Vec::new();
        split(&vector.text).1.iter().for_each(|word| table().pieces(word, &mut pieces));
        let mut sum = ZERO;
        pieces.iter().for_each(|&piece| table().add(piece, &mut sum));
        assert!((norm(&sum) - vector.norm).abs() < 1e-4, "{:?}", vector.text);
        for (x, expected) in sum.iter().zip(vector.unit_first8) {
            assert!((x / norm(&sum) - expected).abs() < 1e-4, "{:?}", vector.text);
        }
    }
}

#[test]
fn rankings_are_those_of_the_reference() {
    let catalog = include_str!("../../fixtures/toolsearch/opsmix/catalogue.jsonl");
    let entries: Vec<Entry> =
        catalog.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let index = Index::build(entries.iter().map(|entry| Tool {
        name: &entry.name,
        server: &entry.server,
        description: &entry.description,
        schema: entry.parameters.get(),
        ..Tool::default()
    }));
    // The other set's catalogue has texts in other scripts, which the reference reads otherwise.
    for search in parity().search.iter().filter(|search| search.set == "opsmix") {
        let ranking = index.search(&search.query, Options { limit: 5, ..Options::default() });
        assert_eq!(ranking.hits.len(), search.top5.len());
        for (hit, (id, score)) in ranking.hits.iter().zip(&search.top5) {
            assert_eq!(&entries[hit.document].id, id, "{:?}", search.query);
            assert!((hit.score - score).abs() < 1e-3, "{:?}: {hit:?}, {score}", search.query);
        }
    }
}
