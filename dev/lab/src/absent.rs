//! What is shown for requests that no tool serves, and for those that some tool serves.
//!
//! A set's `absent.jsonl` has the first, its `queries.jsonl` the others. Asked as a model asks: ten names, five of them
//! with a signature.

use std::path::PathBuf;

use serde_json::json;
use weir_component::search::catalog::tools::Catalog;
use weir_component::search::find::answer::Group;
use weir_component::search::find::conversation::Conversation;
use weir_component::search::find::search::{SearchRequest, search};
use weir_component::search::rank::score::{Options, rank};

use crate::Fallible;
use crate::eval::{self, Set};
use crate::read::{self, Query};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The sets
    #[arg(required = true, value_name = "SET")]
    sets: Vec<PathBuf>,

    /// Leave out the phrases that the component knows for tools of public servers
    #[arg(long)]
    without_known_phrases: bool,

    /// Print a line of JSON for each request: what it is ranked by, and whether the hit is right
    #[arg(long)]
    lines: bool,
}

/// Requests of one kind, and how many of them had what was looked for.
#[derive(Default)]
struct Share {
    of: usize,
    found: usize,
}

impl Share {
    fn add(&mut self, found: bool) {
        self.of += 1;
        self.found += usize::from(found);
    }

    fn shown(&self) -> String {
        match self.of {
            0 => "-".to_owned(),
            of => format!("{:.3}", self.found as f64 / of as f64),
        }
    }
}

pub(crate) fn run(args: &Args) -> Fallible<()> {
    if !args.lines {
        println!(
            "{:12} {:>8} {:>8} {:>8} {:>8} {:>8}",
            "", "absent", "matched", "served", "matched", "named"
        );
    }
    for folder in &args.sets {
        let set = eval::read(folder, !args.without_known_phrases)?;
        let absent = folder.join("absent.jsonl");
        let absent: Vec<Query> = if absent.exists() { read::lines(&absent)? } else { Vec::new() };
        if args.lines {
            absent.iter().chain(&set.queries).for_each(|query| line(&set, query));
            continue;
        }
        let (mut wrong, mut matched, mut named) =
            (Share::default(), Share::default(), Share::default());
        for query in &absent {
            wrong.add(!ask(&set.catalog, query)?.matches.is_empty());
        }
        // A query in another language is answered with the advice to translate it.
        for query in set.queries.iter().filter(|q| q.category.as_deref() != Some("languages")) {
            let group = ask(&set.catalog, query)?;
            // A match stands for the versions and scopes that it names.
            let names = group.matches.iter().flat_map(|hit| hit.also.iter().chain([&hit.name]));
            let is_match = names.into_iter().any(|name| set.is_right(name, query));
            matched.add(is_match);
            named.add(is_match || group.weak.iter().any(|name| set.is_right(name, query)));
        }
        println!(
            "{:12} {:8} {:>8} {:8} {:>8} {:>8}",
            set.name,
            wrong.of,
            wrong.shown(),
            matched.of,
            matched.shown(),
            named.shown()
        );
    }
    Ok(())
}

fn ask(catalog: &Catalog, query: &Query) -> Fallible<Group> {
    let request = SearchRequest { queries: vec![query.query.clone()], ..SearchRequest::default() };
    let mut answer = search(catalog, &request, &Conversation::default())?;
    Ok(answer.groups.swap_remove(0))
}

fn line(set: &Set, query: &Query) {
    let options =
        Options { limit: 12, named: &set.catalog.named(&query.query), ..Options::default() };
    let ranking = rank(set.catalog.index(), &query.query, options);
    let hits = ranking.hits.iter().map(|hit| {
        let tool = &set.catalog.tools()[hit.document].id;
        json!({
            "tool": tool, "right": set.is_right(tool, query), "score": hit.score, "lexical": hit.lexical,
            "cosine": hit.cosine, "coverage": hit.coverage,
        })
    });
    let (hits, is_served) = (hits.collect::<Vec<_>>(), !query.relevant.is_empty());
    println!(
        "{}",
        json!({
            "id": query.id, "query": query.query, "category": query.category, "served": is_served, "hits": hits,
            "unmatched": ranking.unmatched, "services": ranking.services,
        })
    );
}
