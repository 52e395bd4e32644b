//! Why a tool has the score it has.

use std::path::PathBuf;

use serde_json::json;
use weir_component::search::catalog::names::Found;
use weir_component::search::catalog::tools::Catalog;
use weir_component::search::find::filter::Query;
use weir_component::search::rank::score::{Band, Options, Ranking, rank};

use crate::{Fallible, read};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// A query, as for a search: its filters count
    query: String,

    /// The tool's name
    name: String,

    /// The tools: answers to tools/list, or a tool a line (catalogue.jsonl of a set)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print it as JSON
    #[arg(long)]
    json: bool,
}

/// Why a tool has the score it has.
struct Explained<'c> {
    /// What the catalog calls it.
    tool: &'c str,
    /// Whether the query's conditions let it through.
    admitted: bool,
    /// Its place among all tools; none when it is no hit at all.
    place: Option<usize>,
    ranking: Ranking,
}

pub(crate) fn run(args: &Args) -> Fallible<()> {
    let catalog = read::catalog(read::tools(&args.files)?, true)?;
    let Some(explained) = of(&catalog, &args.query, &args.name) else {
        return Err(format!("no tool is called {}", args.name).into());
    };
    if args.json {
        show_json(&explained)
    } else {
        show(&explained)
    }
    Ok(())
}

fn of<'c>(catalog: &'c Catalog, query: &str, name: &str) -> Option<Explained<'c>> {
    let Found::One(at) = catalog.find(name) else { return None };
    let query = Query::parse(query);
    let mask = query.is_filter().then(|| query.mask(catalog));
    let admit = |at: usize| mask.as_ref().is_none_or(|mask| mask[at]);
    let options = Options {
        limit: catalog.tools().len(),
        admit: Some(&admit),
        named: &catalog.named(&query.words),
        deprecated: catalog.deprecated(),
        ..Options::default()
    };
    let ranking = rank(catalog.index(), &query.words, options);
    let place = ranking.hits.iter().position(|hit| hit.document == at);
    Some(Explained { tool: &catalog.tools()[at].id, admitted: admit(at), place, ranking })
}

fn show_json(e: &Explained<'_>) {
    let hit = e.place.map(|place| e.ranking.hits[place]);
    let explained = json!({
        "tool": e.tool, "admitted": e.admitted, "rank": e.place.map(|place| place + 1),
        "confident": hit.is_some_and(|hit| hit.band == Band::Confident),
        "score": hit.map(|hit| hit.score), "lexical": hit.map(|hit| hit.lexical),
        "cosine": hit.map(|hit| hit.cosine), "coverage": hit.map(|hit| hit.coverage),
        "exact": hit.is_some_and(|hit| hit.exact), "unmatched": e.ranking.unmatched,
    });
    println!("{explained}");
}

fn show(e: &Explained<'_>) {
    if !e.admitted {
        println!("the query's filters leave it out");
    }
    match e.place {
        None => println!("{}: no hit", e.tool),
        Some(place) => {
            let hit = e.ranking.hits[place];
            let band = if hit.band == Band::Confident { "sure" } else { "weak" };
            println!("{}: rank {}, {band}", e.tool, place + 1);
            if hit.exact {
                println!("the query is its name, so it comes first");
            }
            println!(
                "score {:.3}: words {:.3}, cosine {:.3}, {:.0} % of the query's words by rarity",
                hit.score,
                hit.lexical,
                hit.cosine,
                hit.coverage * 100.0
            );
        }
    }
    if !e.ranking.unmatched.is_empty() {
        println!("no tool has: {}", e.ranking.unmatched.join(", "));
    }
}
