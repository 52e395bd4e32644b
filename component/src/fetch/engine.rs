//! Finds what a regular expression matches, at a cost that is known.
//!
//! Three automata of one pattern share the work. A lazy automaton makes its states as the text asks
//! for them and looks at a byte in a nanosecond or two; it gives up where it would make states
//! without end, and where a word boundary depends on a character that is not ASCII. What it gives
//! up is first **screened** by the same automaton without the boundaries, which finds all that the
//! pattern does and more, and then simulated state by state, which always ends but takes time that
//! grows with the pattern. Each search says what it cost, so that a call can stop in time.

use std::borrow::Cow;
use std::cell::{OnceCell, RefCell};

use regex_automata::hybrid::{dfa, regex as lazy};
use regex_automata::nfa::thompson::{self, WhichCaptures, pikevm::PikeVM};
use regex_automata::{Anchored, Input, MatchKind};
use regex_syntax::ParserBuilder;
use regex_syntax::hir::{Capture, Hir, HirKind, Look, Repetition};

/// Bytes that the automaton of a pattern may take.
const NFA_BYTES: usize = 3 << 20;

/// Bytes that lazily made states may take before they are made anew.
const CACHE_BYTES: usize = 2 << 20;

/// How often states may be made anew before it matters how much text each served.
const CLEARS: usize = 2;

/// Levels of nesting in a pattern.
const NEST_LIMIT: u32 = 60;

/// What looking at one byte costs, in bytes passed over: where states are made, and where they are
/// simulated, for itself and for each place in the pattern that it may be at.
const LAZY_COST: u64 = 2;
const BYTE_COST: u64 = 8;
const PLACE_COST: u64 = 2;

/// What the automaton of a pattern in a program may take: its bytes, those of its lazily made
/// states, and the places of groups in all of its states.
const GROUPED_NFA_BYTES: usize = 512 << 10;
const GROUPED_CACHE_BYTES: usize = 192 << 10;
const GROUPED_SLOTS: usize = 200_000;

/// Bytes that a pattern in a program is simulated on before lazy automata are made of it, which
/// takes longer than to search a few lines.
const PATIENCE: u64 = 1_024;

/// How a pattern is read.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Syntax {
    /// Whether `a` is `A`.
    pub(super) folded: bool,
    /// Whether blanks in it mean nothing.
    pub(super) spaced: bool,
    /// Whether `.` is also the end of a line.
    pub(super) dotall: bool,
    /// Whether `^` and `$` are also the ends of lines.
    pub(super) lines: bool,
}

/// The automata that are quick.
#[derive(Debug)]
struct Quick {
    fast: Option<lazy::Regex>,
    /// The pattern without its word boundaries.
    screen: Option<dfa::DFA>,
}

/// A compiled pattern.
#[derive(Debug)]
pub(super) struct Engine {
    hir: Hir,
    quick: OnceCell<Quick>,
    /// Bytes to search before these are made, and bytes of their states.
    patience: u64,
    cache_bytes: usize,
    /// Whether there is a word boundary, which `fast` knows in ASCII text only.
    bounded: bool,
    simulated: PikeVM,
    /// What a byte costs in `simulated`.
    dear: u64,
    max_len: Option<usize>,
    caches: RefCell<Caches>,
}

#[derive(Debug, Default)]
struct Caches {
    fast: Option<lazy::Cache>,
    screen: Option<dfa::Cache>,
    simulated: Option<regex_automata::nfa::thompson::pikevm::Cache>,
    /// Whether the lazy automaton did not pay.
    gave_up: bool,
    /// Bytes that were searched.
    searched: u64,
}

/// What a search found, and what it cost in bytes passed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Found {
    /// Start and end of the first match.
    pub(super) at: Option<(usize, usize)>,
    pub(super) cost: u64,
}

/// Why a pattern was refused.
#[derive(Debug)]
pub(super) enum Refused {
    /// It is no regular expression; why, in words.
    Syntax(String),
    /// Its automaton is too large.
    TooLarge,
}

/// Reads a pattern. Where `lines` are not told apart, `^` and `$` are the ends of what is searched.
pub(super) fn parse(pattern: &str, syntax: Syntax) -> Result<Hir, Refused> {
    let parsed = ParserBuilder::new()
        .case_insensitive(syntax.folded)
        .ignore_whitespace(syntax.spaced)
        .dot_matches_new_line(syntax.dotall)
        .multi_line(syntax.lines)
        .nest_limit(NEST_LIMIT)
        .build()
        .parse(&classes(pattern));
    parsed.map_err(|error| {
        Refused::Syntax(match &error {
            regex_syntax::Error::Parse(error) => error.kind().to_string(),
            regex_syntax::Error::Translate(error) => error.kind().to_string(),
            error => error.to_string(),
        })
    })
}

/// A pattern with its classes by name, which the parser knows in ASCII only, as ones that know all
/// letters.
pub(super) fn classes(pattern: &str) -> Cow<'_, str> {
    if !pattern.contains("[:") {
        return Cow::Borrowed(pattern);
    }
    let mut out = String::with_capacity(pattern.len());
    let (mut rest, mut depth) = (pattern, 0usize);
    while let Some(c) = rest.chars().next() {
        let known = rest.strip_prefix("[:").filter(|_| depth > 0).and_then(|named| {
            let (name, after) = named.split_once(":]")?;
            let (negated, name) = name.strip_prefix('^').map_or((false, name), |name| (true, name));
            Some((class(name, negated)?, after))
        });
        if let Some((class, after)) = known {
            out.push_str(&class);
            rest = after;
            continue;
        }
        match c {
            // What is escaped goes along.
            '\\' => {
                let end = rest.char_indices().nth(2).map_or(rest.len(), |(at, _)| at);
                out.push_str(&rest[..end]);
                rest = &rest[end..];
                continue;
            }
            '[' => {
                depth += 1;
                // A bracket right behind stands for itself.
                let first = ["[^]", "[]"].into_iter().find(|first| rest.starts_with(first));
                if let Some(first) = first.filter(|_| depth == 1) {
                    out.push_str(first);
                    rest = &rest[first.len()..];
                    continue;
                }
            }
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        out.push(c);
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// A class by its name, for use between brackets.
fn class(name: &str, negated: bool) -> Option<String> {
    let (class, other) = match name {
        "alpha" => (r"[^\W\d_]", r"[\W\d_]"),
        "alnum" => (r"[^\W_]", r"[\W_]"),
        "digit" => (r"\d", r"\D"),
        "space" => (r"\s", r"\S"),
        "word" => (r"\w", r"\W"),
        "upper" => return Some(cased(char::is_uppercase, negated)),
        "lower" => return Some(cased(char::is_lowercase, negated)),
        _ => return None,
    };
    Some(if negated { other } else { class }.to_owned())
}

/// The letters of a case.
fn cased(is: fn(char) -> bool, negated: bool) -> String {
    // There are none behind.
    const END: u32 = 0x1_F200;
    let mut out = String::from(if negated { "[^" } else { "[" });
    let mut start = None;
    for code in 0..=END {
        match (char::from_u32(code).is_some_and(is), start) {
            (true, None) => start = Some(code),
            (false, Some(from)) => {
                out.push_str(&format!("\\u{{{from:x}}}-\\u{{{:x}}}", code - 1));
                start = None;
            }
            _ => {}
        }
    }
    out.push(']');
    out
}

impl Engine {
    /// Compiles a pattern. With `word` a match may not touch a word character on either side.
    pub(super) fn new(pattern: &str, folded: bool, word: bool) -> Result<Engine, Refused> {
        let mut hir = parse(pattern, Syntax { folded, ..Syntax::default() })?;
        if word {
            hir = Hir::concat(vec![
                Hir::look(Look::WordStartHalfUnicode),
                hir,
                Hir::look(Look::WordEndHalfUnicode),
            ]);
        }
        let forward = automaton(&hir, false, WhichCaptures::Implicit, NFA_BYTES)?;
        let engine = Engine::of(hir, forward, 0, CACHE_BYTES)?;
        engine.quick();
        Ok(engine)
    }

    /// Compiles a pattern of a program, which tells the groups of a match.
    pub(super) fn grouped(pattern: &str, syntax: Syntax) -> Result<Engine, Refused> {
        let hir = parse(pattern, syntax)?;
        let forward = automaton(&hir, false, WhichCaptures::All, GROUPED_NFA_BYTES)?;
        if forward.states().len().saturating_mul(forward.group_info().slot_len()) > GROUPED_SLOTS {
            return Err(Refused::TooLarge);
        }
        Engine::of(hir, forward, PATIENCE, GROUPED_CACHE_BYTES)
    }

    fn of(
        hir: Hir,
        forward: thompson::NFA,
        patience: u64,
        cache_bytes: usize,
    ) -> Result<Engine, Refused> {
        let bounded = hir.properties().look_set().contains_word();
        let dear = places(&hir).saturating_mul(PLACE_COST).saturating_add(BYTE_COST);
        let simulated = PikeVM::new_from_nfa(forward).map_err(|_| Refused::TooLarge)?;
        let max_len = hir.properties().maximum_len();
        Ok(Engine {
            hir,
            quick: OnceCell::new(),
            patience,
            cache_bytes,
            bounded,
            simulated,
            dear,
            max_len,
            caches: RefCell::default(),
        })
    }

    fn quick(&self) -> &Quick {
        self.quick.get_or_init(|| {
            let hir = &self.hir;
            let nfa =
                |hir: &Hir, reverse| automaton(hir, reverse, WhichCaptures::None, NFA_BYTES).ok();
            let states = self.simulated.get_nfa().states().len();
            let config = dfa::Config::new()
                .match_kind(MatchKind::LeftmostFirst)
                .unicode_word_boundary(true)
                .cache_capacity(self.cache_bytes)
                .minimum_cache_clear_count(Some(CLEARS))
                .minimum_bytes_per_state(Some(32 + states));
            let fast = nfa(hir, true).and_then(|reverse| {
                let reverse_config =
                    config.clone().match_kind(MatchKind::All).minimum_bytes_per_state(None);
                let forward =
                    dfa::Builder::new().configure(config.clone()).build_from_nfa(nfa(hir, false)?);
                let reverse = dfa::Builder::new().configure(reverse_config).build_from_nfa(reverse);
                Some(lazy::Builder::new().build_from_dfas(forward.ok()?, reverse.ok()?))
            });
            let screen = if self.bounded {
                let open = nfa(&without_words(hir), false);
                open.and_then(|nfa| dfa::Builder::new().configure(config).build_from_nfa(nfa).ok())
            } else {
                None
            };
            Quick { fast, screen }
        })
    }

    /// Bytes that it takes, but for the states that are made meanwhile.
    pub(super) fn bytes(&self) -> usize {
        let nfa = self.simulated.get_nfa();
        nfa.memory_usage() + 8 * nfa.states().len() * nfa.group_info().slot_len()
    }

    /// Whether it minds where the text ends.
    pub(super) fn minds_end(&self) -> bool {
        self.hir.properties().look_set().contains(Look::End)
    }

    /// The names of the groups of a match, the first of which is all of it.
    pub(super) fn names(&self) -> impl Iterator<Item = Option<&str>> {
        self.simulated.get_nfa().group_info().pattern_names(regex_automata::PatternID::ZERO)
    }

    /// Where the groups of the match in `text[from..to]` are, but for all of it, and what it cost.
    pub(super) fn groups(
        &self,
        text: &[u8],
        from: usize,
        to: usize,
    ) -> (Vec<Option<(usize, usize)>>, u64) {
        let mut slots = vec![None; self.simulated.get_nfa().group_info().slot_len()];
        let caches = &mut *self.caches.borrow_mut();
        let cache = caches.simulated.get_or_insert_with(|| self.simulated.create_cache());
        let input = Input::new(text).span(from..to).anchored(Anchored::Yes);
        self.simulated.search_slots(cache, &input, &mut slots);
        let dear = self.dear.saturating_mul(1 + slots.len() as u64 / 8);
        let groups = slots.chunks_exact(2).skip(1).map(|pair| match pair {
            [Some(start), Some(end)] => Some((start.get(), end.get())),
            _ => None,
        });
        (groups.collect(), ((to - from) as u64 + 1).saturating_mul(dear))
    }

    /// Bytes of the longest match; `None` when there is no limit.
    pub(super) fn max_len(&self) -> Option<usize> {
        self.max_len
    }

    /// Whether it matters to it if a text is all ASCII.
    pub(super) fn minds_ascii(&self) -> bool {
        self.bounded
    }

    /// The first match in `text[from..to]`. What is around that is context. `most` is what the
    /// search may cost.
    ///
    /// # Errors
    /// What it would cost, when that is more.
    pub(super) fn find(
        &self,
        text: &[u8],
        from: usize,
        to: usize,
        ascii: bool,
        most: u64,
    ) -> Result<Found, u64> {
        let input = Input::new(text).span(from..to);
        let caches = &mut *self.caches.borrow_mut();
        let length = (to - from) as u64 + 1;
        let mut cost = 0;
        let ascii = ascii || !self.bounded;
        let mut lives = 0;
        caches.searched = caches.searched.saturating_add(length);
        let quick = (caches.searched > self.patience).then(|| self.quick());
        let fast = quick.and_then(|quick| quick.fast.as_ref());
        if let Some(fast) = fast.filter(|_| ascii && !caches.gave_up) {
            let cache = caches.fast.get_or_insert_with(|| fast.create_cache());
            let before = looked_at(cache);
            let found = fast.try_search(cache, &input);
            let looked_at = match looked_at(cache).checked_sub(before) {
                Some(looked_at) => looked_at as u64 + 1,
                // The states were made anew meanwhile, and the count with them.
                None => 2 * length,
            };
            cost += looked_at * LAZY_COST;
            match found {
                Ok(found) => {
                    let at = found.map(|found| (found.start(), found.end()));
                    return Ok(Found { at, cost });
                }
                Err(_) => caches.gave_up = true,
            }
        }
        let screen = quick.and_then(|quick| quick.screen.as_ref());
        if let Some(screen) = screen {
            let cache = caches.screen.get_or_insert_with(|| screen.create_cache());
            let before = cache.search_total_len();
            let found = screen.try_search_fwd(cache, &input);
            lives = cache.search_total_len().checked_sub(before).map_or(length, |n| n as u64 + 1);
            cost += lives * LAZY_COST;
            if matches!(found, Ok(None)) {
                return Ok(Found { at: None, cost });
            }
        }
        let dear = length.saturating_mul(self.dear);
        if dear > most {
            return Err(dear);
        }
        let cache = caches.simulated.get_or_insert_with(|| self.simulated.create_cache());
        let mut slots = [None; 2];
        let found = self.simulated.search_slots(cache, &input, &mut slots);
        let at = match (found, slots) {
            (Some(_), [Some(start), Some(end)]) => Some((start.get(), end.get())),
            _ => None,
        };
        // It looks on after a match as long as a better one may come: so did the screen.
        let looked_at = match at {
            Some((_, end)) if screen.is_some() => lives.max((end - from) as u64),
            _ => length,
        };
        Ok(Found { at, cost: cost + looked_at.saturating_mul(self.dear) })
    }
}

fn looked_at(cache: &lazy::Cache) -> usize {
    let (forward, reverse) = cache.as_parts();
    forward.search_total_len() + reverse.search_total_len()
}

fn automaton(
    hir: &Hir,
    reverse: bool,
    captures: WhichCaptures,
    bytes: usize,
) -> Result<thompson::NFA, Refused> {
    let config = thompson::Config::new()
        .utf8(true)
        .reverse(reverse)
        .nfa_size_limit(Some(bytes))
        .shrink(false)
        .which_captures(captures);
    thompson::Compiler::new().configure(config).build_from_hir(hir).map_err(|_| Refused::TooLarge)
}

/// A pattern that matches wherever `hir` does, and has no word boundaries. Nested no deeper than
/// [`NEST_LIMIT`] allows.
fn without_words(hir: &Hir) -> Hir {
    match hir.kind() {
        HirKind::Look(look) => match look {
            Look::Start
            | Look::End
            | Look::StartLF
            | Look::EndLF
            | Look::StartCRLF
            | Look::EndCRLF => hir.clone(),
            _ => Hir::empty(),
        },
        HirKind::Repetition(repetition) => Hir::repetition(Repetition {
            sub: Box::new(without_words(&repetition.sub)),
            ..repetition.clone()
        }),
        HirKind::Capture(Capture { sub, .. }) => without_words(sub),
        HirKind::Concat(subs) => Hir::concat(subs.iter().map(without_words).collect()),
        HirKind::Alternation(subs) => Hir::alternation(subs.iter().map(without_words).collect()),
        HirKind::Empty | HirKind::Literal(_) | HirKind::Class(_) => hir.clone(),
    }
}

/// How many places in the pattern a search can be at, at once.
fn places(hir: &Hir) -> u64 {
    match hir.kind() {
        HirKind::Empty | HirKind::Look(_) | HirKind::Class(_) => 1,
        HirKind::Literal(literal) => literal.0.len() as u64,
        HirKind::Repetition(repetition) => {
            let times = repetition.max.unwrap_or(repetition.min.saturating_add(1)).max(1);
            places(&repetition.sub).saturating_mul(u64::from(times))
        }
        HirKind::Capture(capture) => places(&capture.sub),
        HirKind::Concat(subs) | HirKind::Alternation(subs) => {
            subs.iter().map(places).fold(1, u64::saturating_add)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(pattern: &str, text: &str) -> Option<(usize, usize)> {
        let engine = Engine::new(pattern, false, false).unwrap();
        engine.find(text.as_bytes(), 0, text.len(), text.is_ascii(), u64::MAX).unwrap().at
    }

    #[test]
    fn classes_and_boundaries_know_all_letters() {
        assert_eq!(find(r"caf\w\b", "un café noir"), Some((3, 8)));
        assert_eq!(find(r"\bcaf\b", "un café noir"), None);
        let engine = Engine::new("über|ПРИВЕТ", true, false).unwrap();
        for text in ["ÜBER", "Über", "привет"] {
            assert!(
                engine
                    .find(text.as_bytes(), 0, text.len(), text.is_ascii(), u64::MAX)
                    .unwrap()
                    .at
                    .is_some()
            );
        }
    }

    #[test]
    fn what_would_cost_too_much_is_said_before_it_is_done() {
        // Its states are as many as there are texts of 24 letters.
        let engine = Engine::new("[ab]*a[ab]{24}Q", false, false).unwrap();
        let mut seed = 7_u32;
        let text: Vec<u8> = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if seed >> 31 == 0 { b'a' } else { b'b' }
        })
        .take(1_000_000)
        .collect();
        let cost = engine.find(&text, 0, text.len(), true, 1_000_000).unwrap_err();
        assert!(cost > 1_000_000);
        assert_eq!(engine.find(&text, 0, 60_000, true, u64::MAX).unwrap().at, None);
    }
}
