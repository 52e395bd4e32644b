//! The index alone, without a catalog: the run of a set that `score.py` reads, or the hits of one query.

use std::io::Write;
use std::path::PathBuf;

use weir_component::search::pack::read::Pack;
use weir_component::search::rank::score::{Options, rank};

use crate::Fallible;
use crate::read::{Entry, Set, index};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The set; its tools may have `phrases`
    set: PathBuf,

    /// Show the hits of this query
    query: Option<String>,

    /// Leave out the embedding table
    #[arg(long)]
    lexical: bool,

    /// Add the phrase pack's phrases to those of the tools
    #[arg(long)]
    pack: bool,
}

pub(crate) fn run(args: &Args) -> Fallible<()> {
    let mut set = Set::read(&args.set)?;
    if args.pack {
        let mut known = 0;
        for tool in &mut set.tools {
            let text = tool.description.as_deref().unwrap_or_default();
            let found =
                Pack::shipped().phrases([tool.name.as_str()].into_iter(), text, tool.schema());
            known += usize::from(found.is_some());
            tool.phrases.extend(found.into_iter().flatten());
        }
        eprintln!("{known} of {} tools are in the pack", set.tools.len());
    }
    let tools: Vec<&Entry> = set.tools.iter().collect();
    let index = index(&tools, !args.lexical, |_| Vec::new());
    let mut out = std::io::stdout().lock();
    if let Some(query) = &args.query {
        let ranking = rank(&index, query, Options::default());
        for hit in &ranking.hits {
            writeln!(out, "{:.4}  {}  {hit:?}", hit.score, tools[hit.document].id)?;
        }
        writeln!(out, "unmatched {:?}, corrections {:?}", ranking.unmatched, ranking.corrections)?;
        return Ok(());
    }
    for query in &set.queries {
        let ranking = rank(&index, &query.query, Options { limit: 100, ..Options::default() });
        let ranked: Vec<&str> = ranking.hits.iter().map(|hit| &*tools[hit.document].id).collect();
        writeln!(out, "{}", serde_json::json!({ "query_id": query.id, "ranked": ranked }))?;
    }
    Ok(())
}
