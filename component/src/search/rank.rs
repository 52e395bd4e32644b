//! The ranking: every tool scored against a query, lexically and by meaning.

use super::document::fold_name;
use super::expand::expand;
use super::index::{Index, K1};
use super::query::{Correction, Query, read};
use super::vector::cosine;

/// What the cosine counts beside the lexical part, which is at most 1.
const COSINE_WEIGHT: f32 = 1.2;
/// How many of the query's rarest words make up the lexical score that a good match has.
const IDEAL_TERMS: usize = 3;
/// The share of that score below which the best lexical match does not count in full.
const IDEAL_SHARE: f32 = 0.7;
/// Scores below this are no match at all.
const SCORE_MIN: f32 = 1e-6;

/// How to rank.
#[derive(Clone, Copy)]
pub struct Options<'a> {
    /// The most tools to return.
    pub limit: usize,
    /// Whether meaning counts beside words. Without a table it does not anyway.
    pub semantic: bool,
    /// Which tools may be returned, by number; the others do not influence the scores either,
    /// except through how rare a word is.
    pub admit: Option<&'a dyn Fn(usize) -> bool>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options { limit: 10, semantic: true, admit: None }
    }
}

/// A tool as ranked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The tool's number: its place in what the index was built from.
    pub document: usize,
    /// What it is ranked by: `lexical + 1.2 · max(0, cosine)`.
    pub score: f32,
    /// The lexical part, from 0 to 1.
    pub lexical: f32,
    /// The cosine of the query's and the tool's vectors; 0 when meaning does not count.
    pub cosine: f32,
    /// Whether the query is its name.
    pub exact: bool,
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The best tools: those whose name the query is, then by score, then in catalogue order.
    pub hits: Vec<Scored>,
    /// The query's words that no tool has, as read.
    pub unmatched: Vec<String>,
    /// The query's words that were read as others.
    pub corrections: Vec<Correction>,
}

impl Index {
    /// Ranks all tools by `query`.
    pub fn search(&self, query: &str, options: Options<'_>) -> Ranking {
        let read = read(self, query);
        let admitted = |document: usize| options.admit.is_none_or(|admit| admit(document));
        let semantic = options.semantic && self.is_semantic();
        let lexical = lexical_scores(self, &read, semantic, &admitted);
        let exact = self.named(query);
        let mut hits: Vec<Scored> = Vec::new();
        for (document, &lexical) in lexical.iter().enumerate() {
            if !admitted(document) {
                continue;
            }
            let cosine = match self.collection.vector_of(document) {
                Some(vector) if semantic => cosine(&read.vector, vector),
                _ => 0.0,
            };
            let score = lexical + COSINE_WEIGHT * cosine.max(0.0);
            let exact = exact.binary_search(&(document as u32)).is_ok();
            if score > SCORE_MIN || exact {
                hits.push(Scored { document, score, lexical, cosine, exact });
            }
        }
        let order = |a: &Scored, b: &Scored| {
            b.exact
                .cmp(&a.exact)
                .then(b.score.total_cmp(&a.score))
                .then(a.document.cmp(&b.document))
        };
        if options.limit < hits.len() {
            hits.select_nth_unstable_by(options.limit, order);
            hits.truncate(options.limit);
        }
        hits.sort_unstable_by(order);
        let unmatched =
            read.words.iter().filter(|w| w.term.is_none()).map(|w| w.text.clone()).collect();
        Ranking { hits, unmatched, corrections: read.corrections }
    }

    /// The tools that `name` is the name of, ascending: case and `-_ .:/` do not count, nor does a
    /// prefix of the server.
    pub fn named(&self, name: &str) -> Vec<u32> {
        let name = name.trim();
        let bare = name.strip_prefix("mcp__").unwrap_or(name);
        let mut found: Vec<u32> = [fold_name(name), fold_name(bare)]
            .iter()
            .flat_map(|folded| {
                let start = self.names.partition_point(|(other, _)| other < folded);
                self.names[start..].iter().take_while(move |(other, _)| other == folded)
            })
            .map(|&(_, document)| document)
            .collect();
        found.sort_unstable();
        found.dedup();
        found
    }
}

/// The lexical score of every tool, from 0 to 1.
fn lexical_scores(
    index: &Index,
    query: &Query,
    semantic: bool,
    admitted: &impl Fn(usize) -> bool,
) -> Vec<f32> {
    let mut scores = vec![0f32; index.len()];
    let own = query.words.iter().filter_map(|word| Some((word.term?, 1.0)));
    let near = if semantic { expand(index, &query.words) } else { Vec::new() };
    for (term, weight) in own.chain(near) {
        let weight = weight * index.idf[term as usize];
        let (documents, impacts) = index.postings.of(term);
        for (&document, &impact) in documents.iter().zip(impacts) {
            scores[document as usize] += weight * impact;
        }
    }
    let best = scores
        .iter()
        .enumerate()
        .filter(|&(document, _)| admitted(document))
        .fold(0f32, |best, (_, &score)| best.max(score));
    let divisor = best.max(IDEAL_SHARE * ideal(index, query));
    if divisor > 0.0 {
        scores.iter_mut().for_each(|score| *score /= divisor);
    }
    scores
}

/// What a tool would score that is full of the query's rarest words. Dividing by the best score
/// alone would make the best of bad matches count in full.
fn ideal(index: &Index, query: &Query) -> f32 {
    let mut idfs: Vec<f32> = query
        .words
        .iter()
        .map(|word| word.term.map_or(index.idf_unknown, |term| index.idf[term as usize]))
        .collect();
    idfs.sort_unstable_by(|a, b| b.total_cmp(a));
    (K1 + 1.0) * idfs.iter().take(IDEAL_TERMS).sum::<f32>()
}
