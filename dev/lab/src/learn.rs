//! What learning from use is worth: judged queries in random order, each of whose right tools is called when it
//! is among the first five hits, which teaches that tool the query's words.
//!
//! Prints recall at 1 and 5 over the stream without and with learning, and of its last third.

use std::collections::{BTreeMap, VecDeque};
use std::path::PathBuf;

use weir_component::search::index::inverted::Index;
use weir_component::search::rank::score::{Options, rank};

use crate::Fallible;
use crate::read::{self, Entry, Query, Set};

/// Phrases that a tool keeps, the newest first.
const KEPT: usize = 3;
/// Hits among which the right tool is seen and called.
const SEEN: usize = 5;
/// Words of a query that teaches: a longer one asks for several things, which no one tool does.
const WORDS_MAX: usize = 12;
/// Queries between two builds of the index.
const BATCH: usize = 25;

fn index(tools: &[&Entry], learnt: &BTreeMap<usize, VecDeque<String>>) -> Index {
    let of = |at: usize| learnt.get(&at).into_iter().flatten().map(String::as_str).collect();
    read::index(tools, true, of)
}

#[derive(Default, Clone, Copy)]
struct Recall {
    first: f64,
    five: f64,
    queries: f64,
}

impl Recall {
    fn add(&mut self, ranked: &[usize], relevant: &[usize]) {
        let found =
            |among: usize| ranked.iter().take(among).filter(|at| relevant.contains(at)).count();
        self.first += found(1) as f64;
        self.five += found(5) as f64 / relevant.len().clamp(1, 5) as f64;
        self.queries += 1.0;
    }

    fn shown(&self) -> String {
        format!("{:.3} / {:.3}", self.first / self.queries, self.five / self.queries)
    }
}

/// The words that the gateway would learn.
fn phrase_of(query: &str) -> Option<String> {
    let plain = |word: &&str| {
        !word.contains([':', '@', '/', '\\', '=']) && !word.chars().any(char::is_numeric)
    };
    let words: Vec<&str> = query.split_whitespace().filter(plain).collect();
    (2..=WORDS_MAX).contains(&words.len()).then(|| words.join(" ").to_lowercase())
}

fn stream(entries: &[&Entry], queries: &[&Query], learning: bool) -> [Recall; 2] {
    let places: BTreeMap<&str, usize> =
        entries.iter().enumerate().map(|(at, entry)| (entry.id.as_str(), at)).collect();
    let (mut all, mut late) = (Recall::default(), Recall::default());
    let mut learnt: BTreeMap<usize, VecDeque<String>> = BTreeMap::new();
    let mut now = index(entries, &learnt);
    for (number, query) in queries.iter().enumerate() {
        if learning && number > 0 && number.is_multiple_of(BATCH) {
            now = index(entries, &learnt);
        }
        let relevant: Vec<usize> =
            query.relevant.iter().filter_map(|id| places.get(id.as_str()).copied()).collect();
        let ranking = rank(&now, &query.query, Options { limit: 20, ..Options::default() });
        let ranked: Vec<usize> = ranking.hits.iter().map(|hit| hit.document).collect();
        all.add(&ranked, &relevant);
        if number >= queries.len() * 2 / 3 {
            late.add(&ranked, &relevant);
        }
        for at in ranked.iter().take(SEEN).filter(|at| relevant.contains(at)) {
            let Some(phrase) = phrase_of(&query.query) else { continue };
            let phrases = learnt.entry(*at).or_default();
            phrases.retain(|known| *known != phrase);
            phrases.push_front(phrase);
            phrases.truncate(KEPT);
        }
    }
    [all, late]
}

pub(crate) fn run(sets: &[PathBuf]) -> Fallible<()> {
    for folder in sets {
        let Set { tools, queries, .. } = Set::read(folder)?;
        let entries: Vec<&Entry> = tools.iter().collect();
        for seed in 1..=5u64 {
            let mut order: Vec<&Query> = queries.iter().collect();
            let mut dice = seed;
            for at in (1..order.len()).rev() {
                dice = dice
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                order.swap(at, (dice >> 33) as usize % (at + 1));
            }
            let [before, late_before] = stream(&entries, &order, false);
            let [after, late_after] = stream(&entries, &order, true);
            println!(
                "{} order {seed}: all {} -> {}; last third {} -> {}",
                folder.display(),
                before.shown(),
                after.shown(),
                late_before.shown(),
                late_after.shown()
            );
        }
    }
    Ok(())
}
