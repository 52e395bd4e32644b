//! What a call was for, and how well a line fits it.
//!
//! The words of a purpose are looked for as stems, with words that are used for the same thing. Which of them tell
//! lines apart is known only when all lines were seen; so lines are counted by which words they hold, and a few of
//! each such set are kept. Work and memory do not depend on the purpose: it has at most `CONCEPTS` words.

use std::cell::Cell;

use rust_stemmers::{Algorithm, Stemmer};
use serde_json::Value;
use xxhash_rust::xxh3::xxh3_64;

use crate::content::words::{STOP_WORDS, words};
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
const ARGUMENTS: [&str; 14] = [
    "description",
    "query",
    "q",
    "question",
    "search",
    "search_query",
    "pattern",
    "filter",
    "keyword",
    "keywords",
    "prompt",
    "topic",
    "symbol",
    "objective",
];

/// Words that are used for the same thing, a line for each.
const SAME: &str = "\
timeout expiry expire ttl deadline lifetime retention
delete remove drop purge erase uninstall destroy
create add new make insert generate
change update modify edit alter rename
upgrade migrate migration update version
version release build
deploy deployed rollout rolled release ship
start launch boot begin started
stop halt shutdown terminate exit
fail failed failure error exception problem crash broken
slow latency duration slowest took performance
memory heap ram rss oom
cpu processor core load
disk storage volume bucket
kept stored store storage saved
path directory folder location dir
where path location url
image photo picture avatar jpg png
password passwd credential secret pwd
key token secret credential
login signin authentication auth session
two mfa totp otp
user account username customer member
owner maintainer owned author
person employee people staff
price cost amount fee usd eur
pay paid payment bill invoice charge
money currency amount price
refund reimbursed chargeback
cancel cancelled aborted void
overdue late unpaid past
email mail smtp address
phone telephone tel call number mobile
contact email phone support
address street host ip
server host hostname endpoint
port listen bound bind listening
database db postgres mysql sql sqlite
dump backup export snapshot sql
restore restored recover recovered back
reload reloaded sighup refresh
config configuration setting settings conf options
limit max maximum quota cap
minimum min least required
count total number size
size bytes length large big
retry backoff attempt reconnect rerun
lockout attempt locked blocked ban
rate throttle limiter limit
often schedule interval cron frequency
time clock timestamp date duration
zone timezone utc
date day when time
language locale lang translation i18n
translate translation i18n locale
permission role privilege requires access acl
allow allowed permit enabled
enable enabled on active
disable off disabled turn
dark theme night
hash digest checksum bcrypt sha256
encrypt tls ssl cipher https
certificate cert tls ssl pem crt
cache caching redis memcached
queue kafka rabbitmq broker topic
message notification text
thread worker concurrency concurrent
lock mutex locked race
parse parser decode
validate valid verify check validation
verify verified signature valid
compress gzip compression zip
dependency package library requirement
log logging logs
test spec tests
skip skipped ignored
document docs documentation readme
spreadsheet xlsx csv excel
presentation slides pptx deck
contract agreement pdf
file pdf txt
executable binary program bin
mac macos darwin
windows win32 exe
linux ubuntu debian
license licence mit apache gpl copyright
hours open opening closed
warranty guarantee
ship shipping delivery delivered
discount coupon rebate
job position vacancy hiring career
vulnerability security cve
security vulnerability session attack
cause caused reason because
replica instance replicas copies
suspend suspended blocked disabled
pending awaiting waiting unverified
left departed resigned terminated
lawyer legal counsel attorney
boss manager chief head
constant max const
class struct type
definition define enum class interface type
function def fn method
call invoke await
comment todo note
environment env variable
deprecated legacy obsolete
page pagination paging
health liveness readiness probe
accessibility a11y reader";

/// A word to look for, and the bit that it sets.
struct Term {
    stem: String,
    bit: u32,
}

/// What a call was for.
pub struct Purpose {
    terms: Vec<Term>,
    /// What each concept counts.
    weights: Vec<f64>,
    /// What terms begin with: a bit for each [`start_of`].
    starts: Box<[u64; STARTS / 64]>,
    /// What was found of words seen before, by their digest.
    seen: Box<[Cell<(u64, u32)>; SEEN]>,
    stemmer: Stemmer,
}

impl std::fmt::Debug for Purpose {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(self.terms.iter().map(|term| &term.stem)).finish()
    }
}

/// Beginnings of words that are told apart, and words whose masks are kept.
const STARTS: usize = 1 << 15;
const SEEN: usize = 512;

/// The first three bytes, letters in any case alike.
fn start_of(word: &[u8]) -> usize {
    let byte = |at: usize| usize::from(word.get(at).copied().unwrap_or_default() & 31);
    byte(0) << 10 | byte(1) << 5 | byte(2)
}

impl Purpose {
    /// From the words of a purpose and the arguments of the call; nothing where they say nothing.
    pub fn of(purpose: Option<&str>, arguments: Option<&str>) -> Option<Purpose> {
        let mut made = Purpose {
            terms: Vec::new(),
            weights: Vec::new(),
            starts: Box::new([0; STARTS / 64]),
            seen: Box::new([const { Cell::new((0, 0)) }; SEEN]),
            stemmer: Stemmer::create(Algorithm::English),
        };
        made.add(purpose.unwrap_or_default(), 1.0);
        let weight = if made.weights.is_empty() { 1.0 } else { ARGUMENT };
        if let Some(Ok(Value::Object(arguments))) = arguments.map(serde_json::from_str) {
            for name in ARGUMENTS {
                if let Some(text) = arguments.get(name).and_then(Value::as_str) {
                    made.add(text, weight);
                }
            }
        }
        if made.weights.is_empty() {
            return None;
        }
        for at in 0..made.terms.len() {
            let start = start_of(made.terms[at].stem.as_bytes());
            made.starts[start / 64] |= 1 << (start % 64);
        }
        Some(made)
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
            let stem = self.stemmer.stem(&word).into_owned();
            if self.weights.len() == CONCEPTS
                || self.terms.iter().any(|term| term.bit < 12 && term.stem == stem)
            {
                continue;
            }
            let bit = self.weights.len() as u32;
            self.weights.push(weight);
            let same = |other: &str| {
                start_of(other.as_bytes()) == start_of(stem.as_bytes())
                    && self.stemmer.stem(other) == stem
            };
            for line in SAME.lines().filter(|line| line.split(' ').any(same)) {
                let bit = bit + CONCEPTS as u32;
                let others = line.split(' ').map(|other| self.stemmer.stem(other).into_owned());
                let others: Vec<String> = others.filter(|other| *other != stem).collect();
                self.terms.extend(others.into_iter().map(|stem| Term { stem, bit }));
            }
            self.terms.push(Term { stem, bit });
        }
    }

    /// Which words a text holds: a bit each.
    pub(crate) fn mask(&self, line: &[u8]) -> u32 {
        let mut mask = 0;
        let is_word = |byte: u8| byte.is_ascii_alphanumeric() || byte >= 0x80;
        let mut at = 0;
        while at < line.len() {
            if !is_word(line[at]) {
                at += 1;
                continue;
            }
            let start = at;
            at += 1;
            while at < line.len()
                && is_word(line[at])
                && !(line[at].is_ascii_uppercase() && line[at - 1].is_ascii_lowercase())
            {
                at += 1;
            }
            let word = &line[start..at];
            let key = start_of(word);
            let may = self.starts[key / 64] >> (key % 64) & 1 == 1;
            let wide = word.iter().take(3).any(|byte| *byte >= 0x80);
            if (may || wide) && word.len() <= 256 {
                mask |= self.mask_of(word);
            }
        }
        mask
    }

    /// Which words one is.
    fn mask_of(&self, word: &[u8]) -> u32 {
        let digest = xxh3_64(word) | 1;
        let seen = &self.seen[digest as usize / 2 % SEEN];
        if seen.get().0 == digest {
            return seen.get().1;
        }
        let mut mask = 0;
        words(&String::from_utf8_lossy(word), |word| {
            let stem = self.stemmer.stem(word);
            for term in self.terms.iter().filter(|term| term.stem == *stem) {
                mask |= 1 << term.bit;
            }
        });
        seen.set((digest, mask));
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
