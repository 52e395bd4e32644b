//! `weir tools eval`: rankers against judged queries, side by side.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use weir_host::contract::{AssembleMode, AssembleSettings, Ranker, Snapshot, ToolDefinition};
use weir_host::{Catalog, CatalogOptions, Weir};

use super::args::{Eval, Rankers};
use super::files;
use super::plot::{self, Plot};
use super::score::{FIGURES, Judged, Scores, macro_mean, name_of, score};
use crate::answer::Answer;
use crate::console::{Console, progress};
use crate::failure::Failure;

/// Ids in a ranking: as deep as any figure looks.
const DEPTH: u32 = 100;

/// Queries in one call; the component takes no more.
const BATCH: usize = 256;

const HINT: &str =
    "a set has catalogue.jsonl and queries.jsonl; `weir tools eval --help` says more";

/// A judged query.
#[derive(Deserialize)]
struct Query {
    id: Value,
    query: String,
    relevant: Vec<String>,
    category: Option<String>,
}

/// A ranking, as a run has it.
#[derive(Serialize)]
struct RunLine<'a> {
    query_id: &'a Value,
    ranked: &'a [&'a str],
}

/// A set, read and indexed.
struct Set {
    name: String,
    catalog: Catalog,
    /// The set's ids of each tool, by what the catalog calls it.
    ids: BTreeMap<String, Vec<String>>,
    tools: usize,
    queries: Vec<Query>,
}

/// How one ranker did on one set.
struct Row {
    ranker: Ranker,
    all: Scores,
    categories: BTreeMap<String, Scores>,
    /// For all queries, in the component.
    time: Duration,
}

pub(super) fn run(args: &Eval, weir: &Weir, console: &mut Console) -> Result<Answer, Failure> {
    let rankers: &[Ranker] = match args.ranker {
        Rankers::Plain => &[Ranker::Plain],
        Rankers::Bm25f => &[Ranker::Lexical],
        Rankers::Fused => &[Ranker::Fused],
        Rankers::All => &[Ranker::Plain, Ranker::Lexical, Ranker::Fused],
    };
    if args.run.is_some() && args.sets.len() > 1 {
        return Err(Failure::usage(
            "a run is of one set, and there are several",
            "call `weir tools eval` once for each SET with --run",
        ));
    }
    if let Some(file) = &args.plot {
        plot::check(file)?;
    }
    let mut results: Vec<(String, Vec<Row>)> = Vec::new();
    for directory in &args.sets {
        let set = read(directory, weir, args.without_known_phrases)?;
        if !console.json() {
            console.line(format_args!(
                "== {}   {} tools, {} queries",
                set.name,
                set.tools,
                set.queries.len()
            ))?;
            heading(console)?;
        }
        let mut rows = Vec::new();
        for &ranker in rankers {
            let (row, judged) = rank(&set, ranker)?;
            if let Some(file) = args.run.as_deref().filter(|_| Some(&ranker) == rankers.last()) {
                write_run(file, &set.queries, &judged)?;
            }
            if !console.json() {
                show(&row, args.categories, console)?;
            }
            rows.push(row);
        }
        if !console.json() {
            console.line("")?;
            console.flush_all()?;
        }
        results.push((set.name, rows));
    }
    let mean = |(at, &ranker): (usize, &Ranker)| {
        let sets: Vec<Scores> = results.iter().map(|(_, rows)| rows[at].all).collect();
        (ranker, macro_mean(&sets))
    };
    let means: Vec<(Ranker, Scores)> = rankers.iter().enumerate().map(mean).collect();
    if console.json() {
        let sets = results.iter().map(|(name, rows)| {
            let rows = rows.iter().map(|row| (name_of(row.ranker).to_owned(), row_json(row)));
            (name.clone(), rows.collect::<Value>())
        });
        let sets: Value = sets.collect();
        let means = means.iter().map(|(ranker, mean)| (name_of(*ranker).to_owned(), figures(mean)));
        let means: Value = means.collect();
        console.value(&json!({"sets": sets, "macro": means}))?;
    } else if results.len() > 1 {
        console.line(format_args!("== macro mean over {} sets", results.len()))?;
        heading(console)?;
        for (ranker, mean) in &means {
            line(name_of(*ranker), mean, "", console)?;
        }
    }
    if let Some(file) = &args.plot {
        // The figures are out first: a disk that is full costs only the plot.
        console.flush_all()?;
        let recall = means.iter().map(|(ranker, mean)| (*ranker, mean.recall)).collect();
        let queries = results.iter().map(|(_, rows)| rows[0].all.queries).sum();
        plot::write(file, &Plot { recall, sets: results.len(), queries })?;
    }
    Ok(Answer::Yes)
}

fn read(directory: &Path, weir: &Weir, without_known_phrases: bool) -> Result<Set, Failure> {
    let catalogue = directory.join("catalogue.jsonl");
    let bytes = fs::read(&catalogue).map_err(|source| Failure::reading(&catalogue, source))?;
    let mut ids = Vec::new();
    let mut tools = Vec::new();
    let parsed = files::parse(&catalogue, &bytes)?;
    if let Some(first) = parsed.left_out.first() {
        // A tool that is missing would change the figures.
        return Err(Failure::usage(first.clone(), HINT));
    }
    for mut entry in parsed.entries {
        let Some(id) = entry.id.take() else {
            let number = tools.len() + 1;
            let message = format!("tool {number} of {} has no `id`", catalogue.display());
            return Err(Failure::usage(message, HINT));
        };
        ids.push(id);
        tools.push(entry.definition(""));
    }
    let queries = queries(&directory.join("queries.jsonl"))?;
    let snapshot = Snapshot { tools, servers: Vec::new() };
    let options = CatalogOptions { without_known_phrases, ..CatalogOptions::default() };
    let catalog = weir.catalog_with(snapshot.clone(), options)?;
    let count = snapshot.tools.len();
    let ids = ids_by_name(&catalog, weir, snapshot.tools, ids)?;
    let name = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
    let name = name.file_name().unwrap_or_default().to_string_lossy().into_owned();
    Ok(Set { name, catalog, ids, tools: count, queries })
}

fn queries(file: &Path) -> Result<Vec<Query>, Failure> {
    let text = fs::read_to_string(file).map_err(|source| Failure::reading(file, source))?;
    let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let queries = lines.map(|(number, line)| {
        serde_json::from_str(line).map_err(|error| {
            let place = format!("{}, line {}", file.display(), number + 1);
            Failure::usage(format!("{place}: not a judged query: {error}"), HINT)
        })
    });
    let queries: Vec<Query> = queries.collect::<Result<_, Failure>>()?;
    if queries.is_empty() {
        return Err(Failure::usage(format!("{} has no query", file.display()), HINT));
    }
    Ok(queries)
}

/// The set's ids by what the catalog calls the tools: it shows them in the given order, those that
/// are the same once.
fn ids_by_name(
    catalog: &Catalog,
    weir: &Weir,
    tools: Vec<ToolDefinition>,
    ids: Vec<String>,
) -> Result<BTreeMap<String, Vec<String>>, Failure> {
    let settings = AssembleSettings {
        mode: AssembleMode::Off,
        sort_visible: false,
        ..weir.default_assemble_settings()?
    };
    let mut visible = catalog.assemble(Some(&settings), 0)?.visible.into_iter().peekable();
    let mut names: BTreeMap<[String; 4], String> = BTreeMap::new();
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (tool, id) in tools.into_iter().zip(ids) {
        let key = [tool.server, tool.name, tool.description, tool.input_schema];
        let is_next = |next: &weir_host::contract::VisibleTool| {
            (&next.server, &next.name) == (&key[0], &key[1])
        };
        let name = match names.get(&key) {
            Some(name) => name.clone(),
            None => match visible.next_if(is_next) {
                Some(tool) => tool.id,
                // It was left out: nothing can rank it.
                None => continue,
            },
        };
        by_name.entry(name.clone()).or_default().push(id);
        names.insert(key, name);
    }
    Ok(by_name)
}

fn rank(set: &Set, ranker: Ranker) -> Result<(Row, Vec<Judged<'_>>), Failure> {
    let bar = progress("ranking");
    let mut judged = Vec::with_capacity(set.queries.len());
    let mut time = Duration::ZERO;
    for batch in set.queries.chunks(BATCH) {
        let texts: Vec<String> = batch.iter().map(|query| query.query.clone()).collect();
        let start = Instant::now();
        let rankings = set.catalog.rank(&texts, DEPTH, ranker)?;
        time += start.elapsed();
        for (query, ranking) in batch.iter().zip(rankings) {
            let ids = ranking.iter().filter_map(|ranked| set.ids.get(&ranked.tool));
            judged.push(Judged {
                category: query.category.as_deref().unwrap_or("-"),
                relevant: &query.relevant,
                ranked: ids.flatten().map(String::as_str).collect(),
            });
        }
        bar.inc(batch.len() as u64);
    }
    bar.finish_and_clear();
    let (all, categories) = score(&judged);
    Ok((Row { ranker, all, categories, time }, judged))
}

fn write_run(file: &Path, queries: &[Query], judged: &[Judged<'_>]) -> Result<(), Failure> {
    let failed = |source| Failure::writing(file, source);
    let mut out = std::io::BufWriter::new(fs::File::create(file).map_err(failed)?);
    for (query, judged) in queries.iter().zip(judged) {
        let line = RunLine { query_id: &query.id, ranked: &judged.ranked };
        serde_json::to_writer(&mut out, &line).map_err(|error| failed(error.into()))?;
        out.write_all(b"\n").map_err(failed)?;
    }
    out.flush().map_err(failed)
}

fn figures(scores: &Scores) -> Value {
    let figures = FIGURES.iter().zip(scores.figures).map(|(name, figure)| (*name, json!(figure)));
    figures.chain([("recall_at_k", json!(scores.recall))]).collect()
}

fn row_json(row: &Row) -> Value {
    let with_count = |scores: &Scores| {
        let mut value = figures(scores);
        value["n"] = scores.queries.into();
        value
    };
    let categories = row.categories.iter().map(|(name, s)| (name.clone(), with_count(s)));
    let mut value = with_count(&row.all);
    value["categories"] = categories.collect();
    value["milliseconds_per_query"] = json!(milliseconds_per_query(row));
    value
}

fn milliseconds_per_query(row: &Row) -> f64 {
    row.time.as_secs_f64() * 1_000.0 / row.all.queries.max(1) as f64
}

fn heading(console: &mut Console) -> Result<(), Failure> {
    let columns: String = FIGURES.iter().map(|name| format!(" {name:>7}")).collect();
    console.line(format_args!("{:<16} {:>5}{columns}  {:>8}", "ranker", "n", "ms/query"))
}

fn line(name: &str, scores: &Scores, time: &str, console: &mut Console) -> Result<(), Failure> {
    let columns: String = scores.figures.iter().map(|figure| format!(" {figure:7.3}")).collect();
    let line = format!("{name:<16} {:>5}{columns}  {time:>8}", scores.queries);
    console.line(line.trim_end())
}

fn show(row: &Row, categories: bool, console: &mut Console) -> Result<(), Failure> {
    let time = format!("{:.2}", milliseconds_per_query(row));
    line(name_of(row.ranker), &row.all, &time, console)?;
    if categories {
        for (name, scores) in &row.categories {
            line(&format!("  {name}"), scores, "", console)?;
        }
    }
    Ok(())
}
