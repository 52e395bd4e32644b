//! The figures of a ranking against judgements.

use std::collections::{BTreeMap, BTreeSet};

/// What is said of each ranker, in this order.
pub(crate) const FIGURES: [&str; 8] =
    ["R@1", "R@5", "R@10", "H@1", "H@5", "H@10", "MRR", "nDCG@10"];

/// How deep recall is followed, rank by rank.
pub(crate) const RECALL_DEPTH: usize = 20;

/// A relevant tool below this rank counts as not found.
const MRR_DEPTH: usize = 100;

/// Means over queries.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Scores {
    /// How many queries.
    pub(crate) queries: usize,
    /// The means, in the order of [`FIGURES`].
    pub(crate) figures: [f64; 8],
    /// The means of R@1, R@2 and so on.
    pub(crate) recall: [f64; RECALL_DEPTH],
}

impl Scores {
    /// Counts one more query, or set, in.
    fn add(&mut self, one: &Scores) {
        self.queries += 1;
        for (mean, figure) in self.values_mut().zip(one.figures.iter().chain(&one.recall)) {
            *mean += figure;
        }
    }

    fn mean(mut self) -> Scores {
        let queries = self.queries.max(1) as f64;
        self.values_mut().for_each(|figure| *figure /= queries);
        self
    }

    fn values_mut(&mut self) -> impl Iterator<Item = &mut f64> {
        self.figures.iter_mut().chain(&mut self.recall)
    }
}

/// One query's figures: hits (is any relevant tool among the first k), recall (relevant ones among
/// the first k, of as many as there can be), the reciprocal rank of the first, nDCG with binary
/// gains.
fn of_query(relevant: &BTreeSet<&str>, ranked: &[Vec<&str>]) -> Scores {
    // A repeated id counts once, at its best place.
    let mut seen = BTreeSet::new();
    let mut found = Vec::with_capacity(ranked.len());
    for place in ranked {
        let fresh: Vec<&&str> = place.iter().filter(|id| seen.insert(**id)).collect();
        if !fresh.is_empty() {
            found.push(fresh.into_iter().filter(|id| relevant.contains(**id)).count());
        }
    }
    if relevant.is_empty() {
        return Scores { queries: 1, ..Scores::default() };
    }
    let hits = |k: usize| found.iter().take(k).sum::<usize>();
    let recall = |k: usize| (hits(k) as f64 / k.min(relevant.len()) as f64).min(1.0);
    let any = |k: usize| f64::from(u8::from(hits(k) > 0));
    let first = found.iter().take(MRR_DEPTH).position(|&hits| hits > 0);
    let gain = |rank: usize| 1.0 / (rank as f64 + 2.0).log2();
    let gained: f64 = found
        .iter()
        .take(10)
        .enumerate()
        .filter(|(_, hits)| **hits > 0)
        .map(|(rank, _)| gain(rank))
        .sum();
    let ideal: f64 = (0..relevant.len().min(10)).map(gain).sum();
    let figures = [
        recall(1),
        recall(5),
        recall(10),
        any(1),
        any(5),
        any(10),
        first.map_or(0.0, |rank| 1.0 / (rank as f64 + 1.0)),
        gained / ideal,
    ];
    Scores { queries: 1, figures, recall: std::array::from_fn(|at| recall(at + 1)) }
}

/// A query's category, its relevant tools, and the tools as ranked.
pub(crate) struct Judged<'a> {
    pub(crate) category: &'a str,
    pub(crate) relevant: &'a [String],
    /// In each place the tools that are one hit.
    pub(crate) ranked: Vec<Vec<&'a str>>,
}

/// The scores of all queries, and of each category.
pub(crate) fn score(judged: &[Judged<'_>]) -> (Scores, BTreeMap<String, Scores>) {
    let mut all = Scores::default();
    let mut categories: BTreeMap<String, Scores> = BTreeMap::new();
    for query in judged {
        let relevant = query.relevant.iter().map(String::as_str).collect();
        let scores = of_query(&relevant, &query.ranked);
        all.add(&scores);
        categories.entry(query.category.to_owned()).or_default().add(&scores);
    }
    categories.values_mut().for_each(|scores| *scores = scores.mean());
    (all.mean(), categories)
}

/// The mean over sets, each of which counts the same.
pub(crate) fn macro_mean(sets: &[Scores]) -> Scores {
    let mut mean = Scores::default();
    for set in sets {
        mean.add(set);
    }
    mean.mean()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_follow_their_definitions() {
        let relevant = BTreeSet::from(["a", "b", "c"]);
        let scores = of_query(&relevant, &["x", "a", "a", "y", "b"].map(|id| vec![id]));
        let ideal = 1.0 + 1.0 / 3f64.log2() + 0.5;
        let gained = 1.0 / 3f64.log2() + 1.0 / 5f64.log2();
        let expected = [0.0, 2.0 / 3.0, 2.0 / 3.0, 0.0, 1.0, 1.0, 0.5, gained / ideal];
        for (name, (figure, expected)) in FIGURES.iter().zip(scores.figures.iter().zip(expected)) {
            assert!((figure - expected).abs() < 1e-12, "{name}: {figure} is not {expected}");
        }
        let at = |k: usize| scores.recall[k - 1];
        assert_eq!([at(1), at(2), at(3), at(4)], [0.0, 0.5, 1.0 / 3.0, 2.0 / 3.0]);
        assert_eq!(at(RECALL_DEPTH), 2.0 / 3.0);
        assert_eq!(of_query(&relevant, &[]), Scores { queries: 1, ..Scores::default() });
        let all = Scores { queries: 1, figures: [1.0; 8], recall: [1.0; RECALL_DEPTH] };
        assert_eq!(of_query(&BTreeSet::from(["a"]), &[vec!["a"]]), all);
        // One hit that names the others has all of them.
        assert_eq!(of_query(&relevant, &[vec!["c", "a", "b"]]).recall, [1.0; RECALL_DEPTH]);
    }

    #[test]
    fn sets_count_the_same_whatever_their_size() {
        let set = |queries, figure| Scores {
            queries,
            figures: [figure; 8],
            recall: [figure; RECALL_DEPTH],
        };
        assert_eq!(macro_mean(&[set(1, 1.0), set(99, 0.0)]), set(2, 0.5));
    }
}
