//! Why a tool has the score it has.

use std::path::PathBuf;

use serde_json::json;
use weir_component::search::catalog::names::Found;
use weir_component::search::catalog::tools::Catalog;
use weir_component::search::find::filter::Query;
use weir_component::search::rank::explain::{Explanation, TermScore, explain};
use weir_component::search::rank::score::{Band, Options, rank};

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
    /// Its place among all tools, from 1; none when it is no hit at all.
    rank: Option<usize>,
    /// Whether it is among the sure matches.
    confident: bool,
    /// What its score is made of.
    parts: Explanation,
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
    let hits = rank(catalog.index(), &query.words, options).hits;
    let place = hits.iter().position(|hit| hit.document == at);
    Some(Explained {
        tool: &catalog.tools()[at].id,
        admitted: admit(at),
        rank: place.map(|place| place + 1),
        confident: place.is_some_and(|place| hits[place].band == Band::Confident),
        parts: explain(catalog.index(), &query.words, at, options)?,
    })
}

fn fields(term: &TermScore) -> Vec<&'static str> {
    term.fields.iter().map(|(field, ..)| field.label()).collect()
}

fn show_json(e: &Explained<'_>) {
    let terms = e.parts.terms.iter().map(|term| {
        json!({
            "term": term.term, "expanded": term.expanded, "weight": term.weight, "idf": term.idf,
            "score": term.score, "fields": fields(term),
        })
    });
    let explained = json!({
        "tool": e.tool, "admitted": e.admitted, "rank": e.rank, "confident": e.confident,
        "score": e.parts.score, "lexical": e.parts.lexical, "semantic": e.parts.semantic,
        "exact": e.parts.exact, "terms": terms.collect::<Vec<_>>(), "unmatched": e.parts.unmatched,
    });
    println!("{explained}");
}

fn show(e: &Explained<'_>) {
    let place = match e.rank {
        Some(rank) => format!("rank {rank}, {}", if e.confident { "sure" } else { "weak" }),
        None => "no hit".to_owned(),
    };
    println!("{}: {place}", e.tool);
    if !e.admitted {
        println!("the query's filters leave it out");
    }
    if e.parts.exact {
        println!("the query is its name, so it comes first");
    }
    let Explanation { score, lexical, semantic, terms, unmatched, .. } = &e.parts;
    println!("score {score:.3} = words {lexical:.3} + meaning {semantic:.3}");
    if !terms.is_empty() {
        println!("{:<20} {:>6} {:>6} {:>6}  FIELDS", "TERM", "SCORE", "IDF", "WEIGHT");
    }
    for term in terms {
        println!(
            "{:<20} {:>6.3} {:>6.2} {:>6.2}  {}{}",
            term.term,
            term.score,
            term.idf,
            term.weight,
            fields(term).join(", "),
            if term.expanded { " (near a word of the query)" } else { "" },
        );
    }
    if !unmatched.is_empty() {
        println!("no tool has: {}", unmatched.join(", "));
    }
}
