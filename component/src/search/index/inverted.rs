//! The index of a catalogue: postings, statistics, vectors.

use std::borrow::Cow;
use std::ops::Deref;
use std::sync::OnceLock;

use crate::search::index::allowance::allowances;
use crate::search::index::collect::{
    Collected, Collection, Pieces, both, collect, is_spelled_with_care, pair,
};
use crate::search::index::document::{FIELDS, Field, Tool};
use crate::search::index::grams::gram_bits;
use crate::search::index::strings::Strings;
use crate::search::text::verbs;
use crate::search::text::words::Stems;
use crate::search::vector::table::Table;
use crate::search::vector::unit::{DIM, unit};
use crate::sort::{sort, sort_by, sort_by_key, sort_numbers};

/// What a word in each field counts, in the order of [`crate::search::index::document::Field`].
pub(crate) const FIELD_WEIGHTS: [f32; FIELDS] = [3.0, 1.5, 1.0, 0.75, 0.5, 0.5, 0.4, 0.4];

/// How much the length of each field counts against it (BM25's b). Where few tools have phrases, any are long beside
/// the mean, and so count less: tools without them keep their places.
const LENGTH_WEIGHTS: [f32; FIELDS] = [0.4, 0.4, 0.75, 0.75, 0.75, 0.75, 0.75, 0.3];

/// The least that a field's length can divide by.
const LENGTH_FLOOR: f32 = 0.05;

/// How soon more of the same word stops counting (BM25's k1).
pub(crate) const K1: f32 = 1.2;

/// Stems that a query may be expanded to: the most frequent ones. It bounds the time of a query over
/// a large catalogue, and the rare stems of a large catalogue are mostly names and numbers.
const EXPANSION_TERMS_MAX: usize = 8_192;

/// A catalogue made ready for search. Immutable; a changed catalogue is a new index.
///
/// A document's number is its tool's place in what the index was built from. It reads like its [`Derived`], which is
/// made when something of it is first asked for: who only takes over from an index, or saves it, needs none of that.
#[derive(Debug, Clone)]
pub struct Index {
    pub(crate) collection: Collection,
    pub(crate) table: Option<&'static Table>,
    /// Each word's stem.
    pub(crate) word_terms: Vec<u32>,
    /// Each word's pieces in the table.
    pub(crate) pieces: Pieces,
    /// Stems.
    pub(crate) terms: Strings,
    derived: OnceLock<Derived>,
}

/// What follows from what was collected: all that depends on the catalogue as a whole.
#[derive(Debug, Clone)]
pub struct Derived {
    /// How often each word is in fields whose spelling can be trusted.
    pub(crate) word_counts: Vec<u32>,
    /// For each word its letters' trigrams as bits, see [`crate::search::rank::spell`].
    pub(crate) word_grams: Vec<u64>,
    pub(crate) postings: Postings,
    pub(crate) phrases: Phrases,
    /// The terms of each document's name.
    pub(crate) names: NameTerms,
    /// The kinds of the verbs in it, see [`crate::search::text::verbs`].
    pub(crate) verbs: Vec<u8>,
    pub(crate) idf: Vec<f32>,
    /// The idf of a term that no document has.
    pub(crate) idf_unknown: f32,
    /// See [`crate::search::index::allowance`].
    pub(crate) allowances: Vec<f32>,
    /// Stems a query may be expanded to.
    pub(crate) expansion_terms: Vec<u32>,
    /// Their vectors, [`DIM`] components each.
    pub(crate) expansion_vectors: Vec<i16>,
}

impl Deref for Index {
    type Target = Derived;

    fn deref(&self) -> &Derived {
        self.derived.get_or_init(|| Derived::of(self))
    }
}

/// What takes long to find out about words: the stems of all of them, each word's, and each word's pieces.
#[derive(Debug)]
pub(crate) struct Lexicon {
    pub(crate) terms: Strings,
    pub(crate) word_terms: Vec<u32>,
    pub(crate) pieces: Pieces,
}

impl Lexicon {
    /// Of collected words.
    fn of(words: &Strings, pieces: Pieces) -> Lexicon {
        let stemmer = Stems::new();
        let stems: Vec<Cow<'_, str>> = words.iter().map(|word| stemmer.stem(word)).collect();
        let mut order: Vec<usize> = (0..stems.len()).collect();
        sort_by(&mut order, |&a, &b| stems[a].cmp(&stems[b]));
        let mut word_terms = vec![0u32; stems.len()];
        let mut sorted: Vec<&str> = Vec::new();
        for word in order {
            if sorted.last() != Some(&&*stems[word]) {
                sorted.push(&stems[word]);
            }
            word_terms[word] = sorted.len() as u32 - 1;
        }
        Lexicon { terms: Strings::from_sorted(sorted.into_iter()), word_terms, pieces }
    }
}

/// For each term the documents that have it, with what it adds to their score before idf.
#[derive(Debug, Clone, Default)]
pub(crate) struct Postings {
    starts: Vec<u32>,
    documents: Vec<u32>,
    impacts: Vec<f32>,
}

impl Postings {
    /// Documents in ascending order, each with the term's impact in it.
    pub(crate) fn of(&self, term: u32) -> (&[u32], &[f32]) {
        let start = self.starts.get(term as usize).map_or(0, |&s| s as usize);
        let end = self.starts.get(term as usize + 1).map_or(start, |&s| s as usize);
        match (self.documents.get(start..end), self.impacts.get(start..end)) {
            (Some(documents), Some(impacts)) => (documents, impacts),
            _ => (&[], &[]),
        }
    }

    /// The impact of a term in one document; 0 when it does not have it.
    pub(crate) fn impact(&self, term: u32, document: usize) -> f32 {
        let (documents, impacts) = self.of(term);
        match documents.binary_search_by_key(&document, |&d| d as usize) {
            Ok(at) => impacts[at],
            Err(_) => 0.0,
        }
    }
}

/// For each two terms that follow each other in a name or a summary, the documents where they do.
#[derive(Debug, Clone, Default)]
pub(crate) struct Phrases {
    /// For each first term where its part of `seconds` ends.
    ends: Vec<u32>,
    /// The second term and the document as a [`pair`]; sorted in each part.
    seconds: Vec<u64>,
}

impl Phrases {
    /// Documents in ascending order where `second` follows `first`.
    pub(crate) fn of(&self, first: u32, second: u32) -> impl Iterator<Item = u32> {
        let end = |term: usize| self.ends.get(term).map_or(0, |&end| end as usize);
        let start = (first as usize).checked_sub(1).map_or(0, end);
        let seconds = self.seconds.get(start..end(first as usize)).unwrap_or_default();
        let from = seconds.partition_point(|&other| other < pair(second, 0));
        let found = seconds[from..].iter().map(|&found| both(found));
        found.take_while(move |&(other, _)| other == second).map(|(_, document)| document)
    }
}

/// The terms of the names of all documents, each once.
#[derive(Debug, Clone, Default)]
pub(crate) struct NameTerms {
    ends: Vec<u32>,
    terms: Vec<u32>,
}

impl NameTerms {
    /// Those of one document.
    pub(crate) fn of(&self, document: usize) -> &[u32] {
        let end = |at: usize| self.ends.get(at).map_or(0, |&end| end as usize);
        let start = document.checked_sub(1).map_or(0, end);
        self.terms.get(start..end(document)).unwrap_or_default()
    }

    /// The kinds of the verbs in each name.
    fn verbs(&self, terms: &Strings) -> Vec<u8> {
        let mut kinds = vec![0u8; terms.len()];
        for (stem, kind) in verbs::kinds(&Stems::new()) {
            if let Some(term) = terms.find(&stem) {
                kinds[term] |= kind;
            }
        }
        let name = |at| self.of(at).iter().fold(0, |all, &term| all | kinds[term as usize]);
        (0..self.ends.len()).map(name).collect()
    }

    fn push(&mut self, term: u32) {
        let start = self.ends.last().map_or(0, |&end| end as usize);
        if !self.terms[start..].contains(&term) {
            self.terms.push(term);
        }
    }
}

fn phrases(collection: &Collection, word_terms: &[u32], terms: usize) -> Phrases {
    let term = |word: u32| word_terms[word as usize];
    // Sorted by the first term by counting, by the rest within each.
    let mut next = vec![0u32; terms + 1];
    for &words in &collection.pairs {
        next[term(both(words).0) as usize + 1] += 1;
    }
    for term in 0..terms {
        next[term + 1] += next[term];
    }
    let mut all = vec![0u64; collection.pairs.len()];
    for (number, document) in (0u32..).zip(0..collection.documents.len()) {
        for &words in collection.pairs_of(document) {
            let (first, second) = both(words);
            let place = &mut next[term(first) as usize];
            all[*place as usize] = pair(term(second), number);
            *place += 1;
        }
    }
    // Each start has become the end of its part.
    let (mut ends, mut seconds) = (Vec::with_capacity(terms), Vec::with_capacity(all.len()));
    let mut start = 0;
    for &end in &next[..terms] {
        let part = &mut all[start..end as usize];
        sort_numbers(part);
        let mut last = None;
        seconds.extend(part.iter().copied().filter(|&second| last.replace(second) != Some(second)));
        ends.push(seconds.len() as u32);
        start = end as usize;
    }
    Phrases { ends, seconds }
}

impl Index {
    /// Builds the index of `tools`, with the embedding table when this build carries one.
    pub fn build<'a>(tools: impl IntoIterator<Item = Tool<'a>>) -> Index {
        Index::of(tools.into_iter(), Table::embedded())
    }

    /// Builds the index of `tools` without the embedding table: purely lexical.
    pub fn build_lexical<'a>(tools: impl IntoIterator<Item = Tool<'a>>) -> Index {
        Index::of(tools.into_iter(), None)
    }

    fn of<'a>(tools: impl Iterator<Item = Tool<'a>>, table: Option<&'static Table>) -> Index {
        let Collected { collection, pieces } = collect(tools, table);
        let Lexicon { terms, word_terms, pieces } = Lexicon::of(&collection.words, pieces);
        Index { collection, table, word_terms, pieces, terms, derived: OnceLock::new() }
    }

    /// How many tools it holds.
    pub fn len(&self) -> usize {
        self.collection.documents.len()
    }

    /// Whether it holds none.
    pub fn is_empty(&self) -> bool {
        self.collection.documents.is_empty()
    }

    /// Whether it has vectors.
    pub fn is_semantic(&self) -> bool {
        self.table.is_some()
    }

    /// Whether one tool in so many at least has words of another script than Latin.
    pub(crate) fn has_other_scripts(&self, one_in: usize) -> bool {
        let mut has = vec![false; self.len()];
        for (term, _) in self.terms.iter().enumerate().filter(|(_, term)| !term.is_ascii()) {
            self.postings.of(term as u32).0.iter().for_each(|&at| has[at as usize] = true);
        }
        one_in * has.iter().filter(|&&has| has).count() >= self.len()
    }
}

impl Derived {
    fn of(index: &Index) -> Derived {
        let Index { collection, table, word_terms, pieces, terms, .. } = index;
        let mut counted = Counted::of(collection, word_terms, terms.len());
        let names = std::mem::take(&mut counted.names);
        let allowances = allowances(&counted.lengths);
        let expanded = table.map(|table| {
            let chosen = expansion_terms(&collection.words, &counted, word_terms, pieces, table);
            let vectors = expansion_vectors(&counted, word_terms, pieces, &chosen, table);
            (chosen, vectors)
        });
        let (expansion_terms, expansion_vectors) = expanded.unwrap_or_default();
        let word_grams = collection.words.iter().map(gram_bits).collect();
        let documents = collection.documents.len() as f64;
        let (word_counts, postings) = post(counted, collection, word_terms);
        let idf = (0..terms.len() as u32)
            .map(|term| inverse_frequency(documents, postings.of(term).0.len() as f64))
            .collect();
        Derived {
            word_counts,
            word_grams,
            phrases: phrases(collection, word_terms, terms.len()),
            postings,
            verbs: names.verbs(terms),
            names,
            idf,
            idf_unknown: inverse_frequency(documents, 0.0),
            allowances,
            expansion_terms,
            expansion_vectors,
        }
    }
}

/// ln(1 + (N - n + .5) / (n + .5)): Robertson and Spärck Jones' weight, kept above zero. From
/// `libm`, so that it is the same to the last bit on every target.
fn inverse_frequency(documents: f64, with_term: f64) -> f32 {
    libm::log(1.0 + (documents - with_term + 0.5) / (with_term + 0.5)) as f32
}

/// What one walk over all entries counts.
struct Counted {
    /// How often each word is in fields whose spelling can be trusted.
    words: Vec<u32>,
    /// Where each word is seen first: the document, then the field.
    first_seen: Vec<(u32, u8)>,
    /// Words in each field of each document, stop words not counted.
    lengths: Vec<[u32; FIELDS]>,
    /// Where the documents of each term start.
    starts: Vec<u32>,
    names: NameTerms,
}

impl Counted {
    fn of(collection: &Collection, word_terms: &[u32], terms: usize) -> Counted {
        let words = collection.words.len();
        let mut counted = Counted {
            words: vec![0; words],
            first_seen: vec![(u32::MAX, u8::MAX); words],
            lengths: vec![[0; FIELDS]; collection.documents.len()],
            starts: vec![0; terms + 1],
            names: NameTerms::default(),
        };
        let mut last = vec![u32::MAX; terms];
        for (document, length) in (0u32..).zip(&mut counted.lengths) {
            for entry in collection.entries_of(document as usize) {
                let (word, count) = (entry.word as usize, u32::from(entry.count));
                let length = &mut length[usize::from(entry.field)];
                *length = length.saturating_add(count);
                if is_spelled_with_care(entry.field) {
                    counted.words[word] = counted.words[word].saturating_add(count);
                }
                let seen = &mut counted.first_seen[word];
                *seen = (*seen).min((document, entry.field));
                let term = word_terms[word] as usize;
                if usize::from(entry.field) == Field::Name as usize {
                    counted.names.push(term as u32);
                }
                counted.starts[term + 1] += u32::from(last[term] != document);
                last[term] = document;
            }
            counted.names.ends.push(counted.names.terms.len() as u32);
        }
        for term in 0..terms {
            counted.starts[term + 1] += counted.starts[term];
        }
        counted
    }

    /// How many documents have a term.
    fn documents(&self, term: u32) -> u32 {
        self.starts[term as usize + 1] - self.starts[term as usize]
    }
}

/// BM25F with saturation applied, which does not depend on the query:
/// `(k1 + 1) x / (k1 + x)` with `x = Σ weight · count / (1 - b + b · length / average length)`.
/// Also the counts of words.
fn post(counted: Counted, collection: &Collection, word_terms: &[u32]) -> (Vec<u32>, Postings) {
    let Counted { words, lengths, starts, .. } = counted;
    let mut totals = [0u64; FIELDS];
    for length in &lengths {
        for (total, &n) in totals.iter_mut().zip(length) {
            *total += u64::from(n);
        }
    }
    let averages =
        totals.map(|total| (total as f64 / lengths.len().max(1) as f64).max(1e-9) as f32);

    // Counted first: what is found is as large as what is kept of it, and would be in memory beside it.
    let count = starts.last().map_or(0, |&count| count as usize);
    let mut next = starts.clone();
    let mut posted = vec![0u32; count];
    let mut impacts = vec![0f32; count];
    let mut weights = vec![0f32; starts.len()];
    let mut touched: Vec<u32> = Vec::new();
    for (document, length) in (0u32..).zip(&lengths) {
        let mut factors = [0f32; FIELDS];
        for field in 0..FIELDS {
            let b = LENGTH_WEIGHTS[field];
            let divisor = 1.0 - b + b * length[field] as f32 / averages[field];
            factors[field] = FIELD_WEIGHTS[field] / divisor.max(LENGTH_FLOOR);
        }
        for entry in collection.entries_of(document as usize) {
            let term = word_terms[entry.word as usize];
            let weight = &mut weights[term as usize];
            if *weight == 0.0 {
                touched.push(term);
            }
            *weight += factors[usize::from(entry.field)] * f32::from(entry.count);
        }
        for term in touched.drain(..) {
            let x = std::mem::take(&mut weights[term as usize]);
            let place = &mut next[term as usize];
            posted[*place as usize] = document;
            impacts[*place as usize] = (K1 + 1.0) * x / (K1 + x);
            *place += 1;
        }
    }
    (words, Postings { starts, documents: posted, impacts })
}

/// The stems that a query may be expanded to: those of names and descriptions, the most frequent
/// ones when there are too many; in ascending order.
fn expansion_terms(
    words: &Strings,
    counted: &Counted,
    word_terms: &[u32],
    pieces: &Pieces,
    table: &Table,
) -> Vec<u32> {
    let terms = counted.starts.len() - 1;
    let mut eligible = vec![false; terms];
    for (word, (&term, &count)) in word_terms.iter().zip(&counted.words).enumerate() {
        let term = &mut eligible[term as usize];
        *term = *term || count > 0 && table.is_whole(words.get(word), pieces.of(word));
    }
    let mut chosen: Vec<u32> = (0..terms as u32).filter(|&t| eligible[t as usize]).collect();
    if chosen.len() > EXPANSION_TERMS_MAX {
        sort_by_key(&mut chosen, |&term| std::cmp::Reverse(counted.documents(term)));
        chosen.truncate(EXPANSION_TERMS_MAX);
        sort(&mut chosen);
    }
    chosen
}

/// The vector of each stem: that of its most frequent word, of those the one the catalogue has first.
fn expansion_vectors(
    counted: &Counted,
    word_terms: &[u32],
    pieces: &Pieces,
    chosen: &[u32],
    table: &Table,
) -> Vec<i16> {
    let first_seen = &counted.first_seen;
    let mut best: Vec<(u32, usize)> = vec![(0, 0); counted.starts.len()];
    for (word, (&term, &count)) in word_terms.iter().zip(&counted.words).enumerate() {
        let slot = &mut best[term as usize];
        let earlier = || first_seen[word] < first_seen[slot.1];
        if count > slot.0 || count > 0 && count == slot.0 && earlier() {
            *slot = (count, word);
        }
    }
    let mut vectors = Vec::with_capacity(chosen.len() * DIM);
    for &term in chosen {
        vectors.extend(unit(&table.sum(pieces.of(best[term as usize].1))));
    }
    vectors
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Index, Tool};

    const TEXTS: [&str; 5] = [
        "List the open issues of a repository. Pages of 30.",
        "Creates GitHub issues",
        "файл и папка",
        "",
        "getHTTPResponse e.g. from https://example.org/v2",
    ];

    fn tools(which: &[(usize, usize)]) -> Vec<Tool<'static>> {
        const NAMES: [&str; 4] = ["list_issues", "createIssue", "mcp__files__find", "x"];
        let tool = |&(name, text): &(usize, usize)| Tool {
            name: NAMES[name],
            server: if name > 1 { "files" } else { "github" },
            description: TEXTS[text],
            schema: r#"{"properties":{"page":{"description":"which","enum":[1,2]}}}"#,
            ..Tool::default()
        };
        which.iter().map(tool).collect()
    }

    fn any_tools() -> impl Strategy<Value = Vec<Tool<'static>>> {
        proptest::collection::vec((0usize..4, 0usize..5), 0..12).prop_map(|which| tools(&which))
    }

    proptest! {
        #[test]
        fn an_impact_is_what_the_formula_says(tools in any_tools()) {
            let index = Index::build(tools);
            for document in 0..index.len() {
                for term in 0..index.terms.len() {
                    let x = naive_weight(&index, term as u32, document);
                    let expected = 2.2 * x / (1.2 + x);
                    let impact = f64::from(index.postings.impact(term as u32, document));
                    prop_assert!((impact - expected).abs() < 1e-4, "{impact} {expected}");
                }
            }
        }
    }

    /// Σ weight · count / (1 - b + b · length / average length), field by field.
    fn naive_weight(index: &Index, term: u32, document: usize) -> f64 {
        let count = |document: usize, field: usize, of: Option<u32>| -> f64 {
            let entries = index.collection.entries_of(document);
            entries
                .filter(|e| usize::from(e.field) == field)
                .filter(|e| of.is_none_or(|term| index.word_terms[e.word as usize] == term))
                .map(|e| f64::from(e.count))
                .sum()
        };
        (0..super::FIELDS)
            .map(|field| {
                let all: f64 = (0..index.len()).map(|d| count(d, field, None)).sum();
                let average = all / index.len() as f64;
                let b = f64::from(super::LENGTH_WEIGHTS[field]);
                let relative = if all > 0.0 { count(document, field, None) / average } else { 0.0 };
                let divisor = (1.0 - b + b * relative).max(0.05);
                f64::from(super::FIELD_WEIGHTS[field]) * count(document, field, Some(term))
                    / divisor
            })
            .sum()
    }
}
