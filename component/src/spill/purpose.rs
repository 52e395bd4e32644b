//! What a call was for, and how well a line fits it.
//!
//! The words of a purpose are looked for as stems, with words that are used for the same thing. Which of them tell
//! lines apart is known only when all lines were seen; so lines are counted by which words they hold, and a few of
//! each such set are kept. Work and memory do not depend on the purpose: it has at most `CONCEPTS` words.

use serde_json::Value;

use crate::content::words::{STOP_WORDS, Stems, stretches, words};
use crate::sort::sort_by;

/// Words of a purpose that count.
const CONCEPTS: usize = 12;

/// Characters of a purpose, and of an argument, that are read.
const MAX_CHARS: usize = 1_000;

/// Sets of words that are told apart, and lines that are kept of each.
const SETS: usize = 256;
const KEPT: usize = 8;

/// Lines that are tried for room.
const BEST: usize = 64;

/// Bytes of a content that are ranked: of a longer one half of them from the start, half from the end.
const RANKED_BYTES: u64 = 8 * 1024 * 1024;

/// Whether what starts there is ranked.
pub(crate) fn is_ranked(start: u64, len: u64) -> bool {
    start < RANKED_BYTES / 2 || start >= len.saturating_sub(RANKED_BYTES / 2)
}

/// Bytes of a line that are looked at.
pub(crate) const KEEP: usize = 600;

/// What a word counts that only means the same; a word above the line, such as a heading's; and a word of the
/// arguments beside a purpose.
const RELATED: f64 = 0.6;
const ABOVE: f64 = 0.45;
const ARGUMENT: f64 = 0.5;

/// Where more than one of so many lines fits a word, the word tells nothing.
const OFTEN: u64 = 5;

/// Words of requests that say nothing about what is sought, beside [`STOP_WORDS`].
const REQUEST: &str = "about all any anyone anything can check could find get give got happen have has i if into \
    let list look lookup me my need not one ones our out please s see show some somebody someone something somewhere \
    still t tell them there they us use want we were whether who whose why will work would you your much many long";

/// The arguments that say what is sought.
const ARGUMENTS: &str = "description query q question search search_query pattern filter keyword keywords prompt topic symbol \
    objective";

/// Words that are used for the same thing, a line for each.
const SAME: &str = include_str!("../../data/same.txt");

/// What a call was for.
pub struct Purpose {
    /// The words to look for: of each its own bit, and for those that mean the same one further on.
    stems: Stems,
    /// What each concept counts.
    weights: Vec<f64>,
}

impl std::fmt::Debug for Purpose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.stems.terms.iter().map(|(stem, _)| stem)).finish()
    }
}

impl Purpose {
    /// From the words of a purpose and the arguments of the call; nothing where they say nothing.
    pub fn of(purpose: Option<&str>, arguments: Option<&str>) -> Option<Purpose> {
        let mut made = Purpose { stems: Stems::new(), weights: Vec::new() };
        made.add(purpose.unwrap_or_default(), 1.0);
        let weight = if made.weights.is_empty() { 1.0 } else { ARGUMENT };
        if let Some(Ok(Value::Object(arguments))) = arguments.map(serde_json::from_str) {
            for name in ARGUMENTS.split(' ') {
                if let Some(text) = arguments.get(name).and_then(Value::as_str) {
                    made.add(text, weight);
                }
            }
        }
        (!made.weights.is_empty()).then_some(made)
    }

    fn add(&mut self, text: &str, weight: f64) {
        let text: String = text.chars().take(MAX_CHARS).collect();
        let mut found: Vec<String> = Vec::new();
        words(&text, |word| {
            let says = !STOP_WORDS.contains(&word) && !REQUEST.split(' ').any(|stop| stop == word);
            if says && !found.iter().any(|known| known == word) {
                found.push(word.to_owned());
            }
        });
        for word in found {
            let stem = self.stems.of(&word);
            let is_own = |(known, bit): &(String, u32)| *bit < CONCEPTS as u32 && *known == stem;
            if self.weights.len() == CONCEPTS || self.stems.terms.iter().any(is_own) {
                continue;
            }
            let bit = self.weights.len() as u32;
            self.weights.push(weight);
            let same = |other: &str| {
                other.as_bytes()[0] == stem.as_bytes()[0] && self.stems.of(other) == stem
            };
            let lines: Vec<&str> = SAME.lines().filter(|line| line.split(' ').any(same)).collect();
            for other in lines.into_iter().flat_map(|line| line.split(' ')) {
                let other = self.stems.of(other);
                if other != stem {
                    self.stems.add(other, bit + CONCEPTS as u32);
                }
            }
            self.stems.add(stem, bit);
        }
    }

    /// Which words a text holds: a bit each.
    pub(crate) fn mask(&self, line: &[u8]) -> u32 {
        let mut mask = 0;
        stretches(line, |stretch| mask |= self.stems.mask(stretch));
        mask
    }
}

/// A line that fits.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Fit {
    /// Its number, from 1, or the number of the part.
    pub number: u64,
    /// Where it starts, in bytes.
    pub start: u64,
    /// Where it ends.
    pub end: u64,
}

/// The lines that hold one set of words.
struct Set {
    own: u32,
    above: u32,
    kept: Vec<Fit>,
}

/// Counts lines by the words that they hold.
pub(crate) struct Ranking<'a> {
    purpose: &'a Purpose,
    lines: u64,
    /// Lines with each bit.
    with: [u64; 2 * CONCEPTS],
    sets: Vec<Set>,
}

impl<'a> Ranking<'a> {
    pub(crate) fn new(purpose: &'a Purpose) -> Ranking<'a> {
        Ranking { purpose, lines: 0, with: [0; 2 * CONCEPTS], sets: Vec::new() }
    }

    /// Takes a line with the words that it holds and those above it.
    pub(crate) fn push(&mut self, own: u32, above: u32, fit: Fit) {
        self.lines += 1;
        let above = above & !own;
        for (bit, count) in self.with.iter_mut().enumerate() {
            *count += u64::from(own >> bit & 1);
        }
        if own | above == 0 {
            return;
        }
        match self.sets.binary_search_by_key(&(own, above), |set| (set.own, set.above)) {
            Ok(at) if self.sets[at].kept.len() < KEPT => self.sets[at].kept.push(fit),
            Ok(_) => {}
            Err(at) if self.sets.len() < SETS => {
                self.sets.insert(at, Set { own, above, kept: vec![fit] });
            }
            Err(_) => {}
        }
    }

    fn score(&self, set: &Set) -> f64 {
        let lines = self.lines as f64;
        let worth = |bit: usize| {
            let with = self.with[bit];
            match with * OFTEN > self.lines && self.lines > 20 {
                true => 0.0,
                false => libm::log(1.0 + (lines - with as f64 + 0.5) / (with as f64 + 0.5)),
            }
        };
        let mut score = 0.0;
        for (concept, weight) in self.purpose.weights.iter().enumerate() {
            let mut best = 0.0_f64;
            for (bit, part) in [(concept, 1.0), (concept + CONCEPTS, RELATED)] {
                let holds = |mask: u32| mask >> bit & 1 == 1;
                let place = if holds(set.own) {
                    1.0
                } else if holds(set.above) {
                    ABOVE
                } else {
                    continue;
                };
                best = best.max(part * place * worth(bit));
            }
            score += weight * best;
        }
        score
    }

    /// The lines that fit, best first.
    pub(crate) fn best(&self) -> Vec<Fit> {
        let mut scored: Vec<(f64, Fit)> = Vec::new();
        for set in &self.sets {
            let score = self.score(set);
            if score > 0.0 {
                scored.extend(set.kept.iter().map(|fit| (score, *fit)));
            }
        }
        sort_by(&mut scored, |a, b| b.0.total_cmp(&a.0).then(a.1.number.cmp(&b.1.number)));
        scored.into_iter().take(BEST).map(|(_, fit)| fit).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_purpose_without_words_is_none() {
        for (purpose, arguments) in [
            (None, None),
            (Some(""), Some("")),
            (Some("please show me the \u{0}\u{1b}…"), Some("[1]")),
            (None, Some(r#"{"path": "/var/log/disk", "limit": 5}"#)),
        ] {
            assert!(Purpose::of(purpose, arguments).is_none(), "{purpose:?} {arguments:?}");
        }
        assert!(Purpose::of(None, Some(r#"{"query": "disk"}"#)).is_some());
    }

    #[test]
    fn a_word_is_found_by_its_stem_in_any_case_and_by_what_means_the_same() {
        let purpose = Purpose::of(Some("upload timeouts, Größe 搜索"), None).unwrap();
        for line in [
            "maxUploadBytes",
            "UPLOADING",
            "timeout_ms",
            "session TTL",
            "die GRÖSSE größe",
            "x搜索y",
        ] {
            assert_ne!(purpose.mask(line.as_bytes()), 0, "{line}");
        }
        assert_eq!(purpose.mask(b"nothing of it \xff\xfe"), 0);
    }

    #[test]
    fn a_word_of_every_line_tells_nothing() {
        let purpose = Purpose::of(Some("disk alpha"), None).unwrap();
        let mut ranking = Ranking::new(&purpose);
        for number in 1..=100 {
            let line = if number == 70 { "disk alpha" } else { "disk" };
            ranking.push(purpose.mask(line.as_bytes()), 0, Fit { number, start: 0, end: 0 });
        }
        assert_eq!(ranking.best().iter().map(|fit| fit.number).collect::<Vec<_>>(), [70]);
    }

    #[test]
    fn a_huge_purpose_counts_a_few_words() {
        let text: String = (0..100_000).map(|n| format!("word{n} ")).collect();
        let purpose = Purpose::of(Some(&text), None).unwrap();
        assert_eq!(purpose.weights.len(), CONCEPTS);
    }
}
