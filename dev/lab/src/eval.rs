//! Rankers against judged queries, side by side.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde::Serialize;
use serde_json::{Value, json};
use weir_component::search::bridge::assemble::assemble;
use weir_component::search::bridge::settings::{AssembleSettings, Mode};
use weir_component::search::catalog::definition::ToolDefinition;
use weir_component::search::catalog::tools::Catalog;

use crate::Fallible;
use crate::plot::{self, Plot};
use crate::ranker::{Ranker, Ready};
use crate::read::{self, Query};
use crate::score::{FIGURES, Judged, Scores, macro_mean, score};

/// Ids in a ranking: as deep as any figure looks.
const DEPTH: usize = 100;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// Folders of judged queries
    #[arg(required = true, value_name = "SET")]
    sets: Vec<PathBuf>,

    /// Write the ranking of each query as a line of JSON, {"query_id", "ranked"}; with more than one
    /// ranker, that of the fused one
    #[arg(long, value_name = "FILE")]
    run: Option<PathBuf>,

    /// Draw recall against the number of tools looked at, 1 to 20, as an SVG: a line a ranker, the
    /// mean over the sets
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,

    /// The one ranker to score; otherwise all three
    #[arg(long, value_enum)]
    ranker: Option<Ranker>,

    /// Leave out the phrases that the component knows for tools of public servers
    #[arg(long)]
    without_known_phrases: bool,

    /// A row for each category of queries too
    #[arg(long)]
    categories: bool,

    /// Print the figures as JSON
    #[arg(long)]
    json: bool,
}

/// A ranking, as a run has it.
#[derive(Serialize)]
struct RunLine<'a> {
    query_id: &'a Value,
    ranked: Vec<&'a str>,
}

/// A set, read and indexed.
pub(crate) struct Set {
    pub(crate) name: String,
    pub(crate) catalog: Catalog,
    /// The set's ids of each tool, by what the catalog calls it.
    ids: BTreeMap<String, Vec<String>>,
    tools: usize,
    pub(crate) queries: Vec<Query>,
}

impl Set {
    /// Whether what the catalog calls `tool` answers `query`.
    pub(crate) fn is_right(&self, tool: &str, query: &Query) -> bool {
        self.ids.get(tool).into_iter().flatten().any(|id| query.relevant.contains(id))
    }
}

/// How one ranker did on one set.
struct Row {
    ranker: Ranker,
    all: Scores,
    categories: BTreeMap<String, Scores>,
    /// For all queries.
    time: Duration,
}

pub(crate) fn run(args: &Args) -> Fallible<()> {
    let rankers = args.ranker.map_or(Ranker::ALL.to_vec(), |one| vec![one]);
    if args.run.is_some() && args.sets.len() > 1 {
        return Err("a run is of one set, and there are several: evaluate each by itself".into());
    }
    if let Some(file) = &args.plot {
        plot::check(file)?;
    }
    let mut results: Vec<(String, Vec<Row>)> = Vec::new();
    for folder in &args.sets {
        let set = read(folder, !args.without_known_phrases)?;
        if !args.json {
            println!("== {}   {} tools, {} queries", set.name, set.tools, set.queries.len());
            heading();
        }
        let mut rows = Vec::new();
        for &ranker in &rankers {
            let (row, judged) = rank(&set, ranker);
            if let Some(file) = args.run.as_deref().filter(|_| Some(&ranker) == rankers.last()) {
                write_run(file, &set.queries, &judged)
                    .map_err(|e| format!("cannot write {}: {e}", file.display()))?;
            }
            if !args.json {
                show(&row, args.categories);
            }
            rows.push(row);
        }
        if !args.json {
            println!();
        }
        results.push((set.name, rows));
    }
    let mean = |(at, &ranker): (usize, &Ranker)| {
        let sets: Vec<Scores> = results.iter().map(|(_, rows)| rows[at].all).collect();
        (ranker, macro_mean(&sets))
    };
    let means: Vec<(Ranker, Scores)> = rankers.iter().enumerate().map(mean).collect();
    if args.json {
        let sets = results.iter().map(|(name, rows)| {
            let rows = rows.iter().map(|row| (row.ranker.name().to_owned(), row_json(row)));
            (name.clone(), rows.collect::<Value>())
        });
        let sets: Value = sets.collect();
        let means = means.iter().map(|(ranker, mean)| (ranker.name().to_owned(), figures(mean)));
        println!("{}", json!({"sets": sets, "macro": means.collect::<Value>()}));
    } else if results.len() > 1 {
        println!("== macro mean over {} sets", results.len());
        heading();
        for (ranker, mean) in &means {
            line(ranker.name(), mean, "");
        }
    }
    if let Some(file) = &args.plot {
        let recall = means.iter().map(|(ranker, mean)| (*ranker, mean.recall)).collect();
        let queries = results.iter().map(|(_, rows)| rows[0].all.queries).sum();
        plot::write(file, &Plot { recall, sets: results.len(), queries })?;
    }
    Ok(())
}

pub(crate) fn read(folder: &Path, known_phrases: bool) -> Fallible<Set> {
    let read::Set { name, tools, queries } = read::Set::read(folder)?;
    let (ids, tools): (Vec<String>, Vec<ToolDefinition>) =
        tools.into_iter().map(|tool| (tool.id.clone(), tool.definition(""))).unzip();
    let catalog = read::catalog(tools.clone(), known_phrases)?;
    let count = tools.len();
    let ids = ids_by_name(&catalog, tools, ids)?;
    Ok(Set { name, catalog, ids, tools: count, queries })
}

/// The set's ids by what the catalog calls the tools: it shows them in the given order, those that
/// are the same once.
fn ids_by_name(
    catalog: &Catalog,
    tools: Vec<ToolDefinition>,
    ids: Vec<String>,
) -> Fallible<BTreeMap<String, Vec<String>>> {
    let settings = AssembleSettings { mode: Mode::Off, ..AssembleSettings::default() };
    let mut visible = assemble(catalog, &settings, 0)?.visible.into_iter().peekable();
    let mut names: BTreeMap<[String; 4], String> = BTreeMap::new();
    let mut by_name: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for (tool, id) in tools.into_iter().zip(ids) {
        let key = [tool.server, tool.name, tool.description, tool.input_schema];
        let name = match names.get(&key) {
            Some(name) => name.clone(),
            None => {
                match visible.next_if(|next| (&next.server, &next.name) == (&key[0], &key[1])) {
                    Some(tool) => tool.id,
                    // It was left out: nothing can rank it.
                    None => continue,
                }
            }
        };
        by_name.entry(name.clone()).or_default().push(id);
        names.insert(key, name);
    }
    Ok(by_name)
}

fn rank(set: &Set, ranker: Ranker) -> (Row, Vec<Judged<'_>>) {
    let start = Instant::now();
    let ready = Ready::new(&set.catalog, ranker);
    let rankings: Vec<Vec<Vec<&str>>> =
        set.queries.iter().map(|query| ready.rank(&query.query, DEPTH)).collect();
    let time = start.elapsed();
    let judged = set.queries.iter().zip(rankings).map(|(query, ranking)| Judged {
        category: query.category.as_deref().unwrap_or("-"),
        relevant: &query.relevant,
        ranked: ranking
            .iter()
            .flat_map(|place| {
                let ids =
                    |name: &&str| set.ids.get(*name).into_iter().flatten().map(String::as_str);
                // Tools that are the same have a place each.
                let mut places: Vec<Vec<&str>> =
                    place.iter().take(1).flat_map(ids).map(|id| vec![id]).collect();
                if let Some(last) = places.last_mut() {
                    last.extend(place.iter().skip(1).flat_map(ids));
                }
                places
            })
            .collect(),
    });
    let judged: Vec<Judged<'_>> = judged.collect();
    let (all, categories) = score(&judged);
    (Row { ranker, all, categories, time }, judged)
}

fn write_run(file: &Path, queries: &[Query], judged: &[Judged<'_>]) -> Fallible<()> {
    let mut out = std::io::BufWriter::new(fs::File::create(file)?);
    for (query, judged) in queries.iter().zip(judged) {
        let mut ranked = judged.ranked.concat();
        ranked.truncate(DEPTH);
        let line = RunLine { query_id: &query.id, ranked };
        serde_json::to_writer(&mut out, &line)?;
        out.write_all(b"\n")?;
    }
    Ok(out.flush()?)
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

fn heading() {
    let columns: String = FIGURES.iter().map(|name| format!(" {name:>7}")).collect();
    println!("{:<16} {:>5}{columns}  {:>8}", "ranker", "n", "ms/query");
}

fn line(name: &str, scores: &Scores, time: &str) {
    let columns: String = scores.figures.iter().map(|figure| format!(" {figure:7.3}")).collect();
    let line = format!("{name:<16} {:>5}{columns}  {time:>8}", scores.queries);
    println!("{}", line.trim_end());
}

fn show(row: &Row, categories: bool) {
    line(row.ranker.name(), &row.all, &format!("{:.2}", milliseconds_per_query(row)));
    if categories {
        for (name, scores) in &row.categories {
            line(&format!("  {name}"), scores, "");
        }
    }
}
