//! What there is to tell a request that some tool serves from one that none does: judged queries, asked with the
//! servers of their right tools and without them.
//!
//! A line for each query and each of the two catalogs: the best hits with their scores, and the query's words.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::json;
use weir_component::search::index::inverted::Index;
use weir_component::search::rank::score::{Band, Options, rank};

use crate::Fallible;
use crate::read::{Entry, Query, Set, index};

fn show(index: &Index, tools: &[&Entry], query: &Query, present: bool) {
    let ranking = rank(index, &query.query, Options { limit: 12, ..Options::default() });
    let hits: Vec<_> = ranking
        .hits
        .iter()
        .map(|hit| {
            json!({
                "s": hit.score, "l": hit.lexical, "c": hit.cosine, "v": hit.coverage,
                "k": hit.band == Band::Confident,
                "r": query.relevant.contains(&tools[hit.document].id),
                "t": tools[hit.document].id,
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

pub(crate) fn run(set: &Path) -> Fallible<()> {
    let Set { tools, mut queries, .. } = Set::read(set)?;
    let all: Vec<&Entry> = tools.iter().collect();
    let whole = index(&all, true, |_| Vec::new());
    let servers_of = |query: &Query| -> BTreeSet<&str> {
        let right = tools.iter().filter(|tool| query.relevant.contains(&tool.id));
        right.filter_map(|tool| tool.server.as_deref()).collect()
    };
    queries.sort_by_cached_key(|query| {
        let servers = servers_of(query).into_iter().map(str::to_owned).collect::<Vec<_>>();
        (servers, query.id.to_string())
    });
    let mut without: Option<(BTreeSet<&str>, Vec<&Entry>, Index)> = None;
    for query in &queries {
        show(&whole, &all, query, true);
        let servers = servers_of(query);
        if without.as_ref().is_none_or(|(of, ..)| *of != servers) {
            let is_of = |tool: &&Entry| tool.server.as_deref().is_some_and(|s| servers.contains(s));
            let rest: Vec<&Entry> = all.iter().copied().filter(|tool| !is_of(tool)).collect();
            let made = index(&rest, true, |_| Vec::new());
            without = Some((servers, rest, made));
        }
        if let Some((_, rest, index)) = &without {
            show(index, rest, query, false);
        }
    }
    Ok(())
}
