//! Floors for the classes of query that a search must serve, over 226 real tools.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::search::index::document::Tool;
use crate::search::index::inverted::Index;
use crate::search::rank::score::{Band, Options, rank};

#[derive(Deserialize)]
struct Entry {
    id: String,
    name: String,
    server: String,
    description: String,
    parameters: Box<RawValue>,
}

#[derive(Deserialize)]
struct Query {
    query: String,
    relevant: Vec<String>,
    category: String,
}

fn lines<T: serde::de::DeserializeOwned>(text: &str) -> Vec<T> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// For each class, the share of queries with a right tool among the first five; for `absent`, the
/// share with a confident hit.
fn shares(semantic: bool) -> BTreeMap<String, f64> {
    let entries: Vec<Entry> =
        lines(include_str!("../../../fixtures/toolsearch/classes/catalogue.jsonl"));
    let queries: Vec<Query> =
        lines(include_str!("../../../fixtures/toolsearch/classes/queries.jsonl"));
    let tools = entries.iter().map(|entry| Tool {
        name: &entry.name,
        server: &entry.server,
        description: &entry.description,
        schema: entry.parameters.get(),
        ..Tool::default()
    });
    let index = if semantic { Index::build(tools) } else { Index::build_lexical(tools) };
    let mut classes: BTreeMap<String, Vec<f64>> = BTreeMap::new();
    for query in queries {
        let hits = rank(&index, &query.query, Options { limit: 5, ..Options::default() }).hits;
        let counts = if query.category == "absent" {
            hits.iter().any(|hit| hit.band == Band::Confident)
        } else {
            hits.iter().any(|hit| query.relevant.contains(&entries[hit.document].id))
        };
        classes.entry(query.category).or_default().push(if counts { 1.0 } else { 0.0 });
    }
    let mean = |shares: Vec<f64>| shares.iter().sum::<f64>() / shares.len() as f64;
    classes.into_iter().map(|(class, shares)| (class, mean(shares))).collect()
}

fn check(shares: &BTreeMap<String, f64>, floors: &[(&str, f64)]) {
    for (class, floor) in floors {
        assert!(shares[*class] >= *floor, "{class}: {} is below {floor}", shares[*class]);
    }
    assert!(shares["absent"] <= 0.10, "absent: {}", shares["absent"]);
}

const WITHOUT_SYNONYMS: [(&str, f64); 5] = [
    ("lexical", 1.0),
    ("inflected", 1.0),
    ("sentence", 0.95),
    ("typo", 0.95),
    ("non-english", 0.65),
];

#[test]
fn words_alone_serve_every_class_but_paraphrases() {
    let shares = shares(false);
    check(&shares, &WITHOUT_SYNONYMS);
    check(&shares, &[("paraphrase", 0.45)]);
}

#[cfg(feature = "semantic")]
#[test]
fn with_the_table_paraphrases_are_served_too() {
    let shares = shares(true);
    check(&shares, &WITHOUT_SYNONYMS);
    check(&shares, &[("paraphrase", 0.80)]);
}
