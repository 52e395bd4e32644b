//! Ranks every query of an evaluation set and writes the run that `score.py` reads.
//!
//! ```text
//! cargo run --release --example rank -- SET > run.jsonl
//! cargo run --release --example rank -- SET "one query"
//! ```
//!
//! `SET` is a folder with `catalogue.jsonl` (a tool may have `phrases`) and `queries.jsonl`. Before it, `--lexical`
//! leaves out the embedding table, and `--pack` adds the phrase pack's phrases to those of the tools.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "the run is what it writes")]

use std::error::Error;
use std::fs;
use std::io::Write;
use std::path::Path;

use serde::Deserialize;
use serde_json::value::RawValue;
use weir_component::search::index::document::Tool;
use weir_component::search::index::inverted::Index;
use weir_component::search::pack::read::Pack;
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
}

fn lines<T: serde::de::DeserializeOwned>(path: &Path) -> Result<Vec<T>, Box<dyn Error>> {
    let text =
        fs::read_to_string(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    let lines = text.lines().filter(|line| !line.trim().is_empty());
    Ok(lines.map(serde_json::from_str).collect::<Result<_, _>>()?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut flag = |name: &str| {
        let before = arguments.len();
        arguments.retain(|argument| argument != name);
        arguments.len() < before
    };
    let (lexical, pack) = (flag("--lexical"), flag("--pack"));
    let set = arguments.first().ok_or("usage: rank [--lexical] [--pack] SET [QUERY]")?;
    let mut entries: Vec<Entry> = lines(&Path::new(set).join("catalogue.jsonl"))?;
    if pack {
        let mut known = 0;
        for entry in &mut entries {
            let schema = entry.parameters.as_deref().map_or("", RawValue::get);
            let text = entry.description.as_deref().unwrap_or_default();
            let found = Pack::shipped().phrases([entry.name.as_str()].into_iter(), text, schema);
            known += usize::from(found.is_some());
            entry.phrases.extend(found.into_iter().flatten());
        }
        eprintln!("{known} of {} tools are in the pack", entries.len());
    }
    let phrases: Vec<Vec<&str>> =
        entries.iter().map(|e| e.phrases.iter().map(String::as_str).collect()).collect();
    let tools = entries.iter().zip(&phrases).map(|(entry, phrases)| Tool {
        name: &entry.name,
        server: entry.server.as_deref().unwrap_or_default(),
        description: entry.description.as_deref().unwrap_or_default(),
        schema: entry.parameters.as_deref().map_or("", RawValue::get),
        phrases,
        ..Tool::default()
    });
    let index = if lexical { Index::build_lexical(tools) } else { Index::build(tools) };

    let mut out = std::io::stdout().lock();
    if let Some(query) = arguments.get(1) {
        let ranking = rank(&index, query, Options::default());
        for hit in &ranking.hits {
            writeln!(out, "{:.4}  {}  {hit:?}", hit.score, entries[hit.document].id)?;
        }
        writeln!(out, "unmatched {:?}, corrections {:?}", ranking.unmatched, ranking.corrections)?;
        return Ok(());
    }
    for query in lines::<Query>(&Path::new(set).join("queries.jsonl"))? {
        let ranking = rank(&index, &query.query, Options { limit: 100, ..Options::default() });
        let ranked: Vec<&str> =
            ranking.hits.iter().map(|hit| entries[hit.document].id.as_str()).collect();
        writeln!(out, "{}", serde_json::json!({ "query_id": query.id, "ranked": ranked }))?;
    }
    Ok(())
}
