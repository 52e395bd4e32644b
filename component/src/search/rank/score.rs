//! The ranking: every tool scored against a query, lexically and by meaning.

use crate::search::index::inverted::{Index, K1};
use crate::search::rank::expand::expand;
use crate::search::rank::family::family;
use crate::search::rank::query::{Correction, QUERY_MAX_CHARS, Query, Word, read};
use crate::search::rank::services::missing_services;
use crate::search::vector::unit::{DIM, Unit, cosines, greater, greatest};
use crate::sort::{sort, sort_by};

/// What the cosine counts beside the lexical part, which is at most 1.
const COSINE_WEIGHT: f32 = 1.2;
/// What the whole query's cosine counts beside that of its nearest clause.
const WHOLE_SHARE: f32 = 0.3;
/// What two words of the query count that follow each other in a tool's name or summary too, beside
/// the mean of what they count themselves.
const PHRASE_WEIGHT: f32 = 0.6;
/// How many of the query's rarest words make up the lexical score that a good match has.
const IDEAL_TERMS: usize = 3;
/// The share of that score below which the best lexical match does not count in full.
const IDEAL_SHARE: f32 = 0.7;
/// What a query for a list adds to a tool of whose name it has all words: collections have many operations, and the
/// one that lists has the shortest name.
const LIST_NAME_BONUS: f32 = 0.3;
/// What a tool gains that has some word of the query, and in its name a verb of the kind that is asked for.
const VERB_BONUS: f32 = 0.08;
/// How many times the limit is ranked where tools of one family are one hit.
const FAMILY_TIMES: usize = 3;
/// Scores below this are no match at all.
const SCORE_MIN: f32 = 1e-6;
/// In the place of the score of a tool that may not be returned.
const NOT_ADMITTED: f32 = f32::NEG_INFINITY;

/// The least score of a hit that is shown as one, with the table and without. Words that no tool
/// has and a distant meaning stay below it.
const CONFIDENT_MIN: f32 = 0.7;
/// The same when the query names an app or service that no tool has: then most tools are for others.
const CONFIDENT_MIN_ELSEWHERE: f32 = 1.0;
const CONFIDENT_MIN_LEXICAL: f32 = 0.35;
/// The least share of the best score that such a hit has.
const CONFIDENT_SHARE: f32 = 0.35;

/// The greatest cosine that the first hits of a query must have, or none of them is shown as a match; chosen in DESIGN.md.
const FOUNDED_MIN: f32 = 0.58;
const FOUNDED_HITS: usize = 5;
/// A first hit that covers so much of a query needs no nearness, as its words may have no vector: where they are half of
/// what is written. "What is it about" has one that says something.
const COVERED: f32 = 0.8;

/// A catalogue is in a script where one tool in so many has words of it.
const NATIVE_ONE_IN: usize = 5;

/// What the score of a tool counts that its owner calls deprecated.
const DEPRECATED_SHARE: f32 = 0.75;
/// Hits of one query that are shown as matches, at most: with more, none of them is known to be right.
const CONFIDENT_MAX: usize = 12;

/// How well a hit is founded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Band {
    /// It may be shown as a match.
    Confident,
    /// It is the best there is, and probably not what was asked for.
    Weak,
}

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
    /// The tools that the query is the name of, ascending: they come first.
    pub named: &'a [u32],
    /// The tools that should not be used any more: they score less.
    pub deprecated: &'a [u32],
    /// The server and the name of a tool, by number: those of one family are one hit.
    pub name: Option<&'a dyn Fn(usize) -> (&'a str, &'a str)>,
    /// What is added to each tool's score, by number; see [`crate::search::find::external::ExternalScores`].
    pub external: Option<&'a [f32]>,
}

impl Default for Options<'_> {
    fn default() -> Self {
        Options {
            limit: 10,
            semantic: true,
            admit: None,
            named: &[],
            deprecated: &[],
            name: None,
            external: None,
        }
    }
}

impl Options<'_> {
    fn admits(&self, document: usize) -> bool {
        self.admit.is_none_or(|admit| admit(document))
    }
}

/// A tool as ranked.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scored {
    /// The tool's number: its place in what the index was built from.
    pub document: usize,
    /// What it is ranked by: `lexical + 1.2 · max(0, cosine)`, more when others have phrases and it has none, and
    /// what an external model adds.
    pub score: f32,
    /// The lexical part, from 0 to 1.
    pub lexical: f32,
    /// The cosine of the query's and the tool's vectors, that of its nearest clause included; 0 when
    /// meaning does not count.
    pub cosine: f32,
    /// The share of the query's words that it has, each counted by how rare it is; from 0 to 1.
    pub coverage: f32,
    /// Whether the query is its name.
    pub exact: bool,
    /// How well it is founded. Confident hits come before weak ones.
    pub band: Band,
}

/// The answer to a query.
#[derive(Debug, Clone, PartialEq)]
pub struct Ranking {
    /// The best tools: those whose name the query is, then by score, then in catalogue order.
    pub hits: Vec<Scored>,
    /// The other tools of a hit's family, best first: the hit's number and the tool's.
    pub also: Vec<(usize, usize)>,
    /// The confident hits beyond the limit, by number, in no order.
    pub more: Vec<usize>,
    /// The query's words that no tool has, as read.
    pub unmatched: Vec<String>,
    /// Apps and services that the query names and no tool is for.
    pub services: Vec<String>,
    /// The query's words that were read as others.
    pub corrections: Vec<Correction>,
    /// Whether the query is in a script other than Latin, in which tools' texts are too.
    pub native: bool,
}

/// Ranks all tools by `query`.
pub fn rank(index: &Index, query: &str, options: Options<'_>) -> Ranking {
    let read = read(index, query);
    // The table has English words: for those of another script words are all there is.
    let semantic = options.semantic && index.is_semantic() && !read.is_native;
    let lexical = lexical_scores(index, &read, Options { semantic, ..options });
    let (vectors, _) = index.collection.vectors.as_chunks::<DIM>();
    let cosines = if semantic { query_cosines(&read, vectors) } else { Vec::new() };
    let cosine = |document: usize| cosines.get(document).copied().unwrap_or_default();
    let mut scores = lexical.clone();
    for (score, &cosine) in scores.iter_mut().zip(&cosines) {
        *score += COSINE_WEIGHT * greater(cosine, 0.0);
    }
    for (at, score) in scores.iter_mut().enumerate().filter(|(at, _)| lexical[*at] > 0.0) {
        if read.is_list {
            *score += LIST_NAME_BONUS * named_share(index, &read, at);
        }
        if index.verbs[at] & read.verb != 0 {
            *score += VERB_BONUS;
        }
    }
    allow(&mut scores, index, options);
    let least = if semantic { CONFIDENT_MIN } else { CONFIDENT_MIN_LEXICAL };
    let services = missing_services(index, &read, query);
    let least = if semantic && !services.is_empty() { CONFIDENT_MIN_ELSEWHERE } else { least };
    let least = greater(least, CONFIDENT_SHARE * greatest(&scores));
    let limit = options.limit * options.name.map_or(1, |_| FAMILY_TIMES);
    let Best { places, mut beyond, .. } = Best::of(&scores, options.named, limit, least);
    let is_confident = |place: &Place| place.is_exact() || place.score() >= least;
    let hit = |place: Place| Scored {
        document: place.document(),
        score: place.score(),
        lexical: lexical[place.document()],
        cosine: cosine(place.document()),
        coverage: 0.0,
        exact: place.is_exact(),
        band: if is_confident(&place) { Band::Confident } else { Band::Weak },
    };
    let mut hits: Vec<Scored> = places.into_iter().map(hit).collect();
    let also = options.name.map(|name| fold_families(&mut hits, name)).unwrap_or_default();
    let rest = hits.split_off(hits.len().min(options.limit));
    let rest = rest.iter().filter(|hit| hit.band == Band::Confident);
    beyond.extend(rest.map(|hit| Place::new(hit.exact, hit.score, hit.document as u32)));
    hits.iter_mut().for_each(|hit| hit.coverage = coverage(index, &read, hit.document));
    let written = query.split_whitespace().take(QUERY_MAX_CHARS).count();
    let covered = 2 * read.words.len() >= written
        && hits.first().is_some_and(|first| first.coverage >= COVERED);
    if semantic && !covered && !is_founded(&hits, options.external) {
        hits.iter_mut().filter(|hit| !hit.exact).for_each(|hit| hit.band = Band::Weak);
        beyond.clear();
    }
    let confident = hits.iter().filter(|hit| hit.band == Band::Confident).count();
    for hit in hits.iter_mut().skip(CONFIDENT_MAX).filter(|hit| !hit.exact) {
        hit.band = Band::Weak;
    }
    sort(&mut beyond);
    beyond.truncate(CONFIDENT_MAX.saturating_sub(confident));
    let more = beyond.into_iter().map(Place::document).collect();
    let unmatched =
        read.words.iter().filter(|w| w.term.is_none()).map(|w| w.text.clone()).collect();
    let native = read.is_native && (confident > 0 || index.has_other_scripts(NATIVE_ONE_IN));
    Ranking { hits, also, more, unmatched, services, corrections: read.corrections, native }
}

/// Changes scores by what is known of the tools beside their texts.
fn allow(scores: &mut [f32], index: &Index, options: Options<'_>) {
    for (score, allowance) in scores.iter_mut().zip(&index.allowances) {
        *score *= allowance;
    }
    for (score, external) in scores.iter_mut().zip(options.external.into_iter().flatten()) {
        *score += external;
    }
    for &document in options.deprecated {
        if let Some(score) = scores.get_mut(document as usize) {
            *score *= DEPRECATED_SHARE;
        }
    }
    if options.admit.is_some() {
        for (document, score) in scores.iter_mut().enumerate() {
            *score = if options.admits(document) { *score } else { NOT_ADMITTED };
        }
    }
}

/// Leaves of each family the best hit. Returns the others, each behind the number of the one that is left.
fn fold_families<'a>(
    hits: &mut Vec<Scored>,
    name: &dyn Fn(usize) -> (&'a str, &'a str),
) -> Vec<(usize, usize)> {
    let mut also = Vec::new();
    // The best hit of each family by server and by the name without version and scope, and whether it has one.
    let mut heads: Vec<(usize, &str, String, bool)> = Vec::new();
    hits.retain(|hit| {
        let (server, tool) = name(hit.document);
        let (stem, is_marked) = family(tool);
        let head = heads.iter().find(|(_, of, head, head_is_marked)| {
            *of == server && *head == stem && (*head_is_marked || is_marked)
        });
        match head.filter(|_| !hit.exact) {
            Some((head, ..)) => also.push((*head, hit.document)),
            None => {
                heads.push((hit.document, server, stem, is_marked));
                return true;
            }
        }
        false
    });
    also
}

/// Whether the best hits are near enough to the query for any of them to be what was asked for.
fn is_founded(hits: &[Scored], external: Option<&[f32]>) -> bool {
    let external = |hit: &Scored| external.and_then(|terms| terms.get(hit.document).copied());
    let cosines = hits
        .iter()
        .take(FOUNDED_HITS)
        .map(|hit| greater(hit.cosine, 0.0) + external(hit).unwrap_or_default());
    hits.first().is_some_and(|first| first.exact) || cosines.fold(0.0, greater) >= FOUNDED_MIN
}

/// The best of some scores, and those beyond that are confident.
struct Best {
    limit: usize,
    least_confident: f32,
    /// The best so far, in no order; at first more of them than the limit.
    places: Vec<Place>,
    beyond: Vec<Place>,
}

impl Best {
    fn of(scores: &[f32], exact: &[u32], limit: usize, least_confident: f32) -> Best {
        let mut best = Best {
            limit,
            least_confident,
            places: Vec::with_capacity(4 * (limit + 16)),
            beyond: Vec::new(),
        };
        let is_exact = |document: u32| exact.binary_search(&document).is_ok();
        let named = exact.iter().filter(|&&document| scores[document as usize] != NOT_ADMITTED);
        best.places.extend(named.map(|&at| Place::new(true, scores[at as usize], at)));
        // What a score must be above to be of interest: hardly one is after the first few.
        let mut bar = SCORE_MIN;
        for (document, &score) in (0u32..).zip(scores) {
            if score > bar && !is_exact(document) {
                best.places.push(Place::new(false, score, document));
                if best.places.len() == best.places.capacity() {
                    bar = best.keep_best();
                }
            }
        }
        best.keep_best();
        sort(&mut best.places);
        best
    }

    /// Leaves as many places as the limit allows. What comes later must score above the result to be
    /// better than one of them, or confident.
    fn keep_best(&mut self) -> f32 {
        if self.places.len() <= self.limit {
            return SCORE_MIN;
        }
        let (_, worst, _) = self.places.select_nth_unstable(self.limit);
        let worst = worst.score();
        let least = self.least_confident;
        let rest = self.places.drain(self.limit..);
        self.beyond.extend(rest.filter(|place| place.is_exact() || place.score() >= least));
        if worst < least { worst } else { least.next_down() }
    }
}

/// Where a tool comes in a ranking, as one number: the less, the earlier. A tool that the query names
/// comes first, then the higher score, which is never negative, so that its bits are in its order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Place(u64);

impl Place {
    fn new(exact: bool, score: f32, document: u32) -> Place {
        let better = u32::from(exact) << 31 | greater(score, 0.0).to_bits();
        Place(u64::from(!better) << 32 | u64::from(document))
    }

    fn is_exact(self) -> bool {
        self.0 >> 63 == 0
    }

    fn score(self) -> f32 {
        f32::from_bits(!(self.0 >> 32) as u32 & (u32::MAX >> 1))
    }

    fn document(self) -> usize {
        self.0 as u32 as usize
    }
}

/// Something of a query that a tool can have, with what it counts.
enum Part {
    /// A term, one of the query's words or near to one, and its weight.
    Word(u32, f32),
    /// Two terms after each other, and their weight.
    Phrase(u32, u32, f32),
}

/// What a query looks for.
fn parts(index: &Index, query: &Query, semantic: bool) -> Vec<Part> {
    // With meaning beside it, the lexical part is for what meaning blurs: the rare words. Alone it
    // needs the common ones as well.
    let weight = |term: u32| {
        let idf = index.idf.get(term as usize).copied().unwrap_or_default();
        if semantic { idf * (idf / index.idf_unknown).sqrt() } else { idf }
    };
    let own = |word: &Word| word.term.map(|term| Part::Word(term, weight(term)));
    let mut parts: Vec<Part> = query.words.iter().filter_map(own).collect();
    if semantic {
        let near = expand(index, &query.words, &query.meant).into_iter();
        parts.extend(near.map(|(term, share)| Part::Word(term, share * weight(term))));
        for two in query.words.windows(2) {
            if let (Some(a), Some(b)) = (two[0].term, two[1].term) {
                let weight = PHRASE_WEIGHT * (weight(a) + weight(b)) / 2.0;
                parts.push(Part::Phrase(a, b, weight));
            }
        }
    }
    parts
}

/// The lexical score of every tool, from 0 to 1.
fn lexical_scores(index: &Index, query: &Query, options: Options<'_>) -> Vec<f32> {
    let mut scores = vec![0f32; index.len()];
    for part in parts(index, query, options.semantic) {
        match part {
            Part::Word(term, weight) => {
                let (documents, impacts) = index.postings.of(term);
                for (&document, &impact) in documents.iter().zip(impacts) {
                    scores[document as usize] += weight * impact;
                }
            }
            Part::Phrase(a, b, weight) => {
                for document in index.phrases.of(a, b) {
                    scores[document as usize] += weight;
                }
            }
        }
    }
    let best = match options.admit {
        None => greatest(&scores),
        Some(admit) => {
            let admitted = scores.iter().enumerate().filter(|&(document, _)| admit(document));
            admitted.fold(0.0, |best, (_, &score)| greater(best, score))
        }
    };
    let divisor = greater(best, IDEAL_SHARE * ideal(index, query));
    if divisor > 0.0 {
        scores.iter_mut().for_each(|score| *score /= divisor);
    }
    scores
}

/// How near each of some tools is to a query: to all of it, and to the clause that it is nearest to.
fn query_cosines(query: &Query, tools: &[Unit]) -> Vec<f32> {
    let mut queries = vec![query.vector];
    queries.extend(&query.clauses);
    let mut whole = vec![0f32; tools.len()];
    let mut nearest = vec![-1f32; tools.len()];
    cosines(&queries, tools, |query, tool, cosine| match query {
        0 => whole[tool] = cosine,
        _ => nearest[tool] = greater(nearest[tool], cosine),
    });
    if !query.clauses.is_empty() {
        for (whole, nearest) in whole.iter_mut().zip(nearest) {
            *whole = WHOLE_SHARE * *whole + (1.0 - WHOLE_SHARE) * nearest;
        }
    }
    whole
}

/// The share of the words of a tool's name that the query has, by their idf.
fn named_share(index: &Index, query: &Query, document: usize) -> f32 {
    let (mut had, mut all) = (0f32, 0f32);
    for &term in index.names.of(document) {
        let idf = index.idf[term as usize];
        all += idf;
        if query.words.iter().any(|word| word.term == Some(term)) {
            had += idf;
        }
    }
    if all > 0.0 { had / all } else { 0.0 }
}

/// The share of the query's words that a tool has, by their idf.
fn coverage(index: &Index, query: &Query, document: usize) -> f32 {
    let (mut covered, mut all) = (0f32, 0f32);
    for word in &query.words {
        let idf = word.term.map_or(index.idf_unknown, |term| index.idf[term as usize]);
        all += idf;
        if word.term.is_some_and(|term| index.postings.impact(term, document) > 0.0) {
            covered += idf;
        }
    }
    if all > 0.0 { covered / all } else { 0.0 }
}

/// What a tool would score that is full of the query's rarest words. Dividing by the best score
/// alone would make the best of bad matches count in full.
fn ideal(index: &Index, query: &Query) -> f32 {
    let mut idfs: Vec<f32> = query
        .words
        .iter()
        .map(|word| word.term.map_or(index.idf_unknown, |term| index.idf[term as usize]))
        .collect();
    sort_by(&mut idfs, |a, b| b.total_cmp(a));
    (K1 + 1.0) * idfs.iter().take(IDEAL_TERMS).sum::<f32>()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Band, Best, NOT_ADMITTED, Options, Place, SCORE_MIN, rank};
    use crate::search::index::document::Tool;
    use crate::search::index::inverted::Index;

    proptest! {
        #[test]
        fn the_best_are_those_that_sorting_everything_gives(
            // Few values, so that many are equal.
            scores in proptest::collection::vec(-1i8..12, 0..400),
            exact in proptest::collection::btree_set(0u32..400, 0..4),
            limit in 1usize..20, least in 1i8..14,
        ) {
            let score = |&score: &i8| if score < 0 { NOT_ADMITTED } else { f32::from(score) / 8.0 };
            let scores: Vec<f32> = scores.iter().map(score).collect();
            let exact: Vec<u32> =
                exact.into_iter().filter(|&at| (at as usize) < scores.len()).collect();
            let least = f32::from(least) / 8.0;
            let mut all: Vec<Place> = (0u32..)
                .zip(&scores)
                .map(|(at, &score)| (at, score, exact.contains(&at)))
                .filter(|&(_, score, exact)| score > SCORE_MIN || exact && score == 0.0)
                .map(|(at, score, exact)| Place::new(exact, score, at))
                .collect();
            crate::sort::sort(&mut all);
            let mut beyond = all.split_off(limit.min(all.len()));
            beyond.retain(|place| place.is_exact() || place.score() >= least);
            let mut best = Best::of(&scores, &exact, limit, least);
            crate::sort::sort(&mut best.beyond);
            prop_assert!(best.places == all);
            prop_assert!(best.beyond == beyond);
        }
    }

    const TOOLS: [(&str, &str, &str); 6] = [
        ("create_issue", "github", "Create a new issue in a repository."),
        ("mcp__jira__create-issue", "jira", "Create a ticket in a project."),
        ("linear__createIssue", "", "Create an issue for a team."),
        ("search", "files", "Search files by name or content."),
        ("searchUsers", "github", "Find people by name, location or mail address."),
        ("поиск_файлов", "диск", "Найти файлы на диске по имени."),
    ];

    fn index() -> Index {
        Index::build(TOOLS.map(|(name, server, description)| Tool {
            name,
            server,
            description,
            ..Tool::default()
        }))
    }

    fn order(query: &str) -> Vec<usize> {
        let ranking = rank(&index(), query, Options::default());
        ranking.hits.iter().map(|hit| hit.document).collect()
    }

    #[test]
    fn the_tools_that_the_query_names_come_first_in_their_order() {
        let options = Options { named: &[1, 3], ..Options::default() };
        let hits = rank(&index(), "search", options).hits;
        let first: Vec<_> = hits.iter().take(2).map(|hit| (hit.document, hit.exact)).collect();
        assert_eq!(first, [(3, true), (1, true)]);
        assert!(hits[2..].iter().all(|hit| !hit.exact));
    }

    #[test]
    fn other_scripts_are_searched_by_their_words() {
        assert_eq!(order("найти файлы").first(), Some(&5));
    }

    #[test]
    fn only_admitted_tools_are_returned() {
        let odd = |document: usize| document % 2 == 1;
        let options = Options { admit: Some(&odd), ..Options::default() };
        let hits = rank(&index(), "create issue", options).hits;
        assert_eq!(hits[0].document, 1);
        assert!(hits.iter().all(|hit| odd(hit.document)));
    }

    #[test]
    fn what_nothing_has_is_said_and_what_is_found_for_it_is_weak() {
        let ranking = rank(&index(), "bake sourdough bread", Options::default());
        assert_eq!(ranking.unmatched, ["bake", "sourdough", "bread"]);
        assert!(ranking.hits.iter().all(|hit| hit.band == Band::Weak));
        let ranking = rank(&index(), "find people", Options::default());
        assert_eq!((ranking.hits[0].document, ranking.hits[0].band), (4, Band::Confident));
        assert_eq!(ranking.hits[0].coverage, 1.0);
    }

    #[test]
    fn an_empty_query_and_an_empty_catalog_find_nothing() {
        for query in ["", "   ", "…!?"] {
            assert!(order(query).is_empty(), "{query}");
        }
        let nothing = Index::build([]);
        assert!(rank(&nothing, "create issue", Options::default()).hits.is_empty());
    }

    #[test]
    fn equal_tools_come_in_catalog_order_and_the_limit_keeps_the_first() {
        let tool = Tool { name: "same", description: "All the same.", ..Tool::default() };
        let index = Index::build([tool; 30]);
        let options = Options { limit: 5, ..Options::default() };
        let hits = rank(&index, "same thing", options).hits;
        assert_eq!(hits.iter().map(|hit| hit.document).collect::<Vec<_>>(), [0, 1, 2, 3, 4]);
    }
}
