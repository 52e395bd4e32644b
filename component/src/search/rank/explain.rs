//! Why a tool got its score.

use crate::search::index::document::Field;
use crate::search::index::inverted::{FIELD_WEIGHTS, Index};
use crate::search::rank::query::read;
use crate::search::rank::score::{
    COSINE_WEIGHT, Options, PHRASE_WEIGHT, Part, lexical_scores, query_cosines,
};
use crate::sort::sort_by;

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
    /// The term: a stem, or two with a space between them that follow each other in the tool's name
    /// or summary as they do in the query.
    pub term: String,
    /// Whether it is none of the query's words but means much the same as one.
    pub expanded: bool,
    /// What it counts: 1 for the query's own words, less for others and for two together.
    pub weight: f32,
    /// How rare it is in the catalogue, as it counts here; of two, the mean.
    pub idf: f32,
    /// What it adds to the lexical score.
    pub score: f32,
    /// The fields that have it: which, how often, what one occurrence weighs before its length
    /// counts. Empty for two terms together.
    pub fields: Vec<(Field, u32, f32)>,
}

/// The parts of the score that `document` has for `query`; none when there is no such document.
pub fn explain(
    index: &Index,
    query: &str,
    document: usize,
    options: Options<'_>,
) -> Option<Explanation> {
    if document >= index.len() {
        return None;
    }
    let read = read(index, query);
    let semantic = options.semantic && index.is_semantic();
    let scored = lexical_scores(index, &read, options);
    let allowance = index.allowances.get(document).copied().unwrap_or(1.0);
    let mut terms = Vec::new();
    for part in scored.parts {
        let (first, second, share, weight) = match part {
            Part::Word(term, weight) => (term, None, 1.0, weight),
            Part::Near(term, share, weight) => (term, None, share, weight),
            Part::Phrase(a, b, weight) => (a, Some(b), PHRASE_WEIGHT, weight),
        };
        let name = |term: u32| index.terms.get(term as usize);
        let (term, impact, fields) = match second {
            None => {
                let impact = index.postings.impact(first, document);
                (name(first).to_owned(), impact, fields_with(index, first, document))
            }
            Some(second) => {
                let mut with = index.phrases.of(first, second);
                let has = with.any(|other| other as usize == document);
                let term = format!("{} {}", name(first), name(second));
                (term, if has { 1.0 } else { 0.0 }, Vec::new())
            }
        };
        if impact > 0.0 && scored.divisor > 0.0 {
            terms.push(TermScore {
                term,
                expanded: matches!(part, Part::Near(..)),
                weight: share,
                idf: weight / share,
                score: allowance * weight * impact / scored.divisor,
                fields,
            });
        }
    }
    sort_by(&mut terms, |a, b| b.score.total_cmp(&a.score));
    let vector = index.collection.vector_of(document).filter(|_| semantic);
    let cosine = vector.map_or(0.0, |vector| query_cosines(&read, &[*vector])[0]);
    let lexical: f32 = terms.iter().map(|term| term.score).sum();
    let semantic = allowance * COSINE_WEIGHT * cosine.max(0.0);
    let unmatched = read.words.iter().filter(|word| word.term.is_none());
    Some(Explanation {
        score: lexical + semantic,
        lexical,
        semantic,
        cosine,
        terms,
        unmatched: unmatched.map(|word| word.text.clone()).collect(),
        exact: options.named.binary_search(&(document as u32)).is_ok(),
    })
}

/// The fields of a document that have a term, each with how often and with its weight.
fn fields_with(index: &Index, term: u32, document: usize) -> Vec<(Field, u32, f32)> {
    Field::ALL
        .into_iter()
        .zip(FIELD_WEIGHTS)
        .filter_map(|(field, weight)| {
            let count: u32 = index
                .collection
                .entries_of(document)
                .filter(|entry| {
                    usize::from(entry.field) == field as usize
                        && index.word_terms.get(entry.word as usize) == Some(&term)
                })
                .map(|entry| u32::from(entry.count))
                .sum();
            (count > 0).then_some((field, count, weight))
        })
        .collect()
}
