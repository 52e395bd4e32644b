//! Whole rankings of a catalog by one ranker or another, to compare them or to add to them.

use crate::limits::{RANK_MAX_LIMIT, RANK_MAX_QUERIES};
use crate::search::catalog::tools::{Catalog, Tool};
use crate::search::find::search::SearchError;
use crate::search::rank::plain::Bm25;
use crate::search::rank::score::{self, Options};

/// A way to rank tools by the words of a query.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ranker {
    /// BM25 over one text a tool: what others are held against.
    Plain,
    /// BM25 over weighted fields, stems, near words.
    Lexical,
    /// That and meaning: what [`crate::search::find::search::search`] uses.
    Fused,
}

/// A tool in a ranking.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ranked<'a> {
    /// What the catalog calls it.
    pub id: &'a str,
    /// What it was ranked by; only comparable within one ranking.
    pub score: f32,
}

/// Ranks all tools by each of `queries`, best first, at most `limit` (1 to [`RANK_MAX_LIMIT`]).
/// Nothing in a query but its words counts: no names, no filters.
///
/// # Errors
/// [`SearchError::TooManyQueries`] above [`RANK_MAX_QUERIES`].
pub fn rank<'c>(
    catalog: &'c Catalog,
    queries: &[String],
    limit: u32,
    ranker: Ranker,
) -> Result<Vec<Vec<Ranked<'c>>>, SearchError> {
    if queries.len() > RANK_MAX_QUERIES {
        return Err(SearchError::TooManyQueries {
            count: queries.len() as u32,
            limit: RANK_MAX_QUERIES as u32,
        });
    }
    let limit = limit.clamp(1, RANK_MAX_LIMIT) as usize;
    let ranked = |(at, score): (usize, f32)| Ranked { id: &catalog.tools[at].id, score };
    let options = Options { limit, semantic: ranker == Ranker::Fused, ..Options::default() };
    let plain = (ranker == Ranker::Plain).then(|| plain(catalog));
    let ranking = |query: &String| match &plain {
        Some(plain) => plain.search(query, limit).into_iter().map(ranked).collect(),
        None => {
            let named = catalog.names.named(query);
            let hits = score::rank(
                &catalog.index,
                query,
                Options { named: &named, deprecated: &catalog.deprecated, ..options },
            )
            .hits;
            hits.into_iter().map(|hit| ranked((hit.document, hit.score))).collect()
        }
    };
    Ok(queries.iter().map(ranking).collect())
}

fn plain(catalog: &Catalog) -> Bm25 {
    Bm25::build(catalog.tools.iter().map(Tool::document))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::find::search::search;
    use crate::search::tests::samples::{build, small};

    #[test]
    fn each_ranker_finds_a_tool_by_its_words() {
        let catalog = build(small());
        let queries = ["create an issue".to_owned(), "no such words anywhere qqq".to_owned()];
        for ranker in [Ranker::Plain, Ranker::Lexical, Ranker::Fused] {
            let rankings = rank(&catalog, &queries, 3, ranker).unwrap();
            assert_eq!(rankings.len(), 2);
            assert_eq!(rankings[0][0].id, "create_issue", "{ranker:?}");
            assert!(rankings[0].len() <= 3);
            assert!(rankings[0].windows(2).all(|pair| pair[0].score >= pair[1].score));
        }
    }

    #[test]
    fn what_search_finds_the_fused_ranking_has_in_the_same_order() {
        let catalog = build(small());
        let query = "create an issue".to_owned();
        let ranked = rank(&catalog, std::slice::from_ref(&query), 25, Ranker::Fused).unwrap();
        let request = crate::search::find::search::SearchRequest {
            queries: vec![query],
            limit: Some(25),
            ..Default::default()
        };
        let answer = search(&catalog, &request, &Default::default()).unwrap();
        let found: Vec<&str> = answer.groups[0].matches.iter().map(|hit| &*hit.name).collect();
        assert!(!found.is_empty());
        assert_eq!(found, ranked[0][..found.len()].iter().map(|r| r.id).collect::<Vec<_>>());
    }

    #[test]
    fn too_many_queries_are_refused_and_odd_limits_are_read_as_the_nearest() {
        let catalog = build(small());
        let many = vec![String::from("issue"); RANK_MAX_QUERIES + 1];
        let count = many.len() as u32;
        assert_eq!(
            rank(&catalog, &many, 5, Ranker::Fused),
            Err(SearchError::TooManyQueries { count, limit: RANK_MAX_QUERIES as u32 })
        );
        assert_eq!(rank(&catalog, &many[1..], 0, Ranker::Fused).unwrap()[0].len(), 1);
        assert_eq!(rank(&catalog, &[], 5, Ranker::Plain), Ok(vec![]));
    }
}
