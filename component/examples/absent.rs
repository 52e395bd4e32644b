//! What there is to tell a request that some tool serves from one that none does: judged queries, asked with the
//! servers of their right tools and without them.
//!
//! ```text
//! cargo run --release --example absent -- SET > features.jsonl
//! ```
//!
//! A line for each query and each of the two catalogs: the best hits with their scores, and the query's words.

#![allow(clippy::print_stdout, reason = "the features are what it writes")]
#![allow(clippy::disallowed_methods, reason = "an example is no part of the component")]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use serde::Deserialize;
use serde_json::json;
use serde_json::value::RawValue;
use weir_component::search::index::document::Tool;
use weir_component::search::index::inverted::Index;
use weir_component::search::rank::score::{Options, rank};

#[derive(Deserialize)]
struct Entry {
    id: String,
    name: String,
    description: Option<String>,
    parameters: Option<Box<RawValue>>,
    server: Option<String>,
    #[serde(default)]
    phrases: Vec<String>,
}

#[derive(Deserialize)]
struct Query {
    id: String,
    query: String,
    relevant: Vec<String>,
}

fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, Box<dyn Error>> {
    let text = fs::read_to_string(path).map_err(|e| format!("{}: {e}", path.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn index(entries: &[&Entry]) -> Index {
    let phrases: Vec<Vec<&str>> =
        entries.iter().map(|e| e.phrases.iter().map(String::as_str).collect()).collect();
    Index::build(entries.iter().zip(&phrases).map(|(entry, phrases)| Tool {
        name: &entry.name,
        server: entry.server.as_deref().unwrap_or_default(),
        description: entry.description.as_deref().unwrap_or_default(),
        schema: entry.parameters.as_deref().map_or("", RawValue::get),
        phrases,
        ..Tool::default()
    }))
}

fn show(index: &Index, entries: &[&Entry], query: &Query, present: bool) {
    let ranking = rank(index, &query.query, Options { limit: 12, ..Options::default() });
    let hits: Vec<_> = ranking
        .hits
        .iter()
        .map(|hit| {
            json!({
                "s": hit.score, "l": hit.lexical, "c": hit.cosine, "v": hit.coverage,
                "k": hit.band == weir_component::search::rank::score::Band::Confident,
                "r": query.relevant.contains(&entries[hit.document].id),
                "t": entries[hit.document].id,
            })
        })
        .collect();
    println!(
        "{}",
        json!({
            "id": query.id, "q": query.query, "present": present, "hits": hits,
            "unmatched": ranking.unmatched, "services": ranking.services,
        })
    );
}

fn main() -> Result<(), Box<dyn Error>> {
    let set = std::env::args().nth(1).ok_or("usage: absent SET")?;
    let entries: Vec<Entry> = lines(&Path::new(&set).join("catalogue.jsonl"))?;
    let mut queries: Vec<Query> = lines(&Path::new(&set).join("queries.jsonl"))?;
    let all: Vec<&Entry> = entries.iter().collect();
    let whole = index(&all);
    let servers_of = |query: &Query| -> BTreeSet<&str> {
        let right = entries.iter().filter(|entry| query.relevant.contains(&entry.id));
        right.filter_map(|entry| entry.server.as_deref()).collect()
    };
    queries.sort_by(|a, b| servers_of(a).cmp(&servers_of(b)).then(a.id.cmp(&b.id)));
    let mut without: Option<(BTreeSet<&str>, Vec<&Entry>, Index)> = None;
    for query in &queries {
        show(&whole, &all, query, true);
        let servers = servers_of(query);
        if without.as_ref().is_none_or(|(of, ..)| *of != servers) {
            let rest: Vec<&Entry> = all
                .iter()
                .copied()
                .filter(|entry| !entry.server.as_deref().is_some_and(|s| servers.contains(s)))
                .collect();
            let made = index(&rest);
            without = Some((servers, rest, made));
        }
        if let Some((_, rest, index)) = &without {
            show(index, rest, query, false);
        }
    }
    Ok(())
}
