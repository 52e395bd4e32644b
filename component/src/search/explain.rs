//! Why a tool got its score.

use super::document::Field;
use super::expand::expand;
use super::index::{FIELD_WEIGHTS, Index};
use super::query::read;
use super::rank::{COSINE_WEIGHT, Options, divisor};
use super::vector::cosine;

/// The parts of one tool's score.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// `lexical + semantic`.
    pub score: f32,
    /// The sum of the terms' scores.
    pub lexical: f32,
    /// What the cosine adds; never negative.
    pub semantic: f32,
    /// The cosine itself, from -1 to 1; 0 when meaning does not count.
    pub cosine: f32,
    /// What each term adds, the largest first. Terms the tool does not have are left out.
    pub terms: Vec<TermScore>,
    /// The query's words that no tool has.
    pub unmatched: Vec<String>,
    /// Whether the query is the tool's name: it comes first then, whatever its score.
    pub exact: bool,
}

/// What one term adds to a tool's score.
#[derive(Debug, Clone, PartialEq)]
pub struct TermScore {
    /// The term: a stem.
    pub term: String,
    /// Whether it is none of the query's words but means much the same as one.
    pub expanded: bool,
    /// What it counts: 1 for the query's own words, less for others.
    pub weight: f32,
    /// How rare it is in the catalogue.
    pub idf: f32,
    /// What it adds to the lexical score.
    pub score: f32,
    /// The fields that have it: which, how often, what one occurrence weighs before its length
    /// counts.
    pub fields: Vec<(Field, u32, f32)>,
}

impl Index {
    /// The parts of the score that `document` has for `query`; none when there is no such document.
    pub fn explain(
        &self,
        query: &str,
        document: usize,
        options: Options<'_>,
    ) -> Option<Explanation> {
        if document >= self.len() {
            return None;
        }
        let read = read(self, query);
        let semantic = options.semantic && self.is_semantic();
        let divisor = divisor(self, &read, options);
        let own = read.words.iter().filter_map(|word| Some((word.term?, 1.0, false)));
        let near = if semantic { expand(self, &read.words) } else { Vec::new() };
        let near = near.into_iter().map(|(term, weight)| (term, weight, true));
        let mut terms = Vec::new();
        for (term, weight, expanded) in own.chain(near) {
            let impact = self.postings.impact(term, document);
            if impact > 0.0 && divisor > 0.0 {
                let idf = self.idf[term as usize];
                terms.push(TermScore {
                    term: self.terms.get(term as usize).to_owned(),
                    expanded,
                    weight,
                    idf,
                    score: weight * idf * impact / divisor,
                    fields: self.fields_with(term, document),
                });
            }
        }
        terms.sort_by(|a, b| b.score.total_cmp(&a.score));
        let cosine = match self.collection.vector_of(document) {
            Some(vector) if semantic => cosine(&read.vector, vector),
            _ => 0.0,
        };
        let lexical: f32 = terms.iter().map(|term| term.score).sum();
        let semantic = COSINE_WEIGHT * cosine.max(0.0);
        let unmatched = read.words.iter().filter(|word| word.term.is_none());
        Some(Explanation {
            score: lexical + semantic,
            lexical,
            semantic,
            cosine,
            terms,
            unmatched: unmatched.map(|word| word.text.clone()).collect(),
            exact: self.named(query).binary_search(&(document as u32)).is_ok(),
        })
    }

    /// The fields of a document that have a term, each with how often and with its weight.
    fn fields_with(&self, term: u32, document: usize) -> Vec<(Field, u32, f32)> {
        Field::ALL
            .into_iter()
            .zip(FIELD_WEIGHTS)
            .filter_map(|(field, weight)| {
                let count: u32 = self
                    .collection
                    .entries_of(document)
                    .iter()
                    .filter(|entry| {
                        usize::from(entry.field) == field as usize
                            && self.word_terms.get(entry.word as usize) == Some(&term)
                    })
                    .map(|entry| u32::from(entry.count))
                    .sum();
                (count > 0).then_some((field, count, weight))
            })
            .collect()
    }
}
