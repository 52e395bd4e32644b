//! What is searched for: a text or a regular expression, checked and compiled.
//!
//! The syntax is that of the [regex](https://docs.rs/regex) crate without `\p{..}`: `\w`, `\d`, `\s`
//! and `(?i)` know all letters, there is no look-around and no back-reference, and a search takes
//! time linear in the text. A text that every match must contain is looked for first, and a pattern
//! that is nothing but texts needs no more; which lines match is the same either way.
//!
//! Bytes that are not UTF-8 are no reason to skip a line: each one stands for U+FFFD, so that `.`
//! matches it and the text around it is searched.

use std::borrow::Cow;

use super::engine::{Engine, Refused};
use super::literal::{Finder, Nearest, required};
use super::mapped::Mapped;
use crate::limits::GREP_PATTERN_MAX_CHARS;

/// How letters are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Case {
    /// As [`Case::Insensitive`], unless the pattern has a capital letter that is not part of an
    /// escape such as `\W`.
    #[default]
    Smart,
    /// `a` is not `A`.
    Sensitive,
    /// `a` is `A`, for the letters of all scripts.
    Insensitive,
}

/// A pattern as it is asked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Pattern {
    /// The text or the regular expression.
    pub text: String,
    /// Whether it is a regular expression.
    pub regex: bool,
    /// How letters are compared.
    pub case: Case,
    /// Whether a match may not touch another letter, digit or underscore on either side.
    pub word: bool,
}

impl Pattern {
    /// Whether upper and lower case are told apart only because there is a capital letter.
    pub fn minds_capitals(&self) -> bool {
        self.case == Case::Smart && has_capital(&self.text, self.regex)
    }

    /// Whether `a` is `A`.
    fn is_folded(&self) -> bool {
        self.case != Case::Sensitive && !self.minds_capitals()
    }
}

/// Why a pattern cannot be searched for: what is wrong with it and what would be right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadPattern(pub String);

impl std::fmt::Display for BadPattern {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for BadPattern {}

/// What regular expressions may be made of, for models.
pub(super) const SYNTAX: &str = "Supported: . [a-z] [^x] \\d \\w \\s \\b ^ $ * + ? {2,5} ( ) | and \
    (?i); no look-around, no back-references, no \\p{..}. Escape { ( [ . as \\{ \\( \\[ \\. \
    or search for plain text with \"literal\": true";

/// A pattern, ready to search with.
#[derive(Debug)]
pub struct Matcher {
    /// Texts one of which is in every match; none when there is no telling.
    finders: Vec<Finder>,
    /// How to tell a match from a text that is merely there; `None` when finding one is enough.
    engine: Option<Engine>,
}

/// What is in a piece of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The first match: its start and end.
    Match(usize, usize),
    /// No match, not even one that goes on after the piece.
    Absent,
    /// No match that lies in the piece.
    NoMatch,
    /// To tell would cost this much, which is more than one call may do.
    TooCostly(u64),
}

impl Matcher {
    /// Checks and compiles a pattern.
    ///
    /// # Errors
    /// [`BadPattern`] when it is empty, too long, has control characters, is not a regular
    /// expression or grows too large.
    pub fn new(pattern: &Pattern) -> Result<Matcher, BadPattern> {
        check(&pattern.text)?;
        let folded = pattern.is_folded();
        let source = if pattern.regex {
            Cow::Borrowed(&*pattern.text)
        } else {
            Cow::Owned(escaped(&pattern.text))
        };
        let engine = compile(&source, folded, pattern.word)?;
        let Some(required) = required(&source) else {
            return Ok(Matcher { finders: Vec::new(), engine: Some(engine) });
        };
        let folded = folded || required.folded;
        let mut whole = required.whole && !pattern.word;
        let mut finders = Vec::with_capacity(required.texts.len());
        for text in &required.texts {
            // What folds beyond ASCII is left to the engine; what does not is looked for.
            let plain = if folded { longest_ascii(text) } else { text };
            whole &= plain.len() == text.len();
            if plain.is_empty() {
                return Ok(Matcher { finders: Vec::new(), engine: Some(engine) });
            }
            finders.push(Finder::new(plain, folded));
        }
        Ok(Matcher { finders, engine: (!whole).then_some(engine) })
    }

    /// The matcher without what makes it fast, to compare with.
    #[cfg(test)]
    pub(super) fn plain(pattern: &Pattern) -> Result<Matcher, BadPattern> {
        let engine = compile(&pattern.text, pattern.is_folded(), pattern.word)?;
        Ok(Matcher { finders: Vec::new(), engine: Some(engine) })
    }

    /// Where in whole `lines` there may be matches.
    pub(super) fn candidates<'m>(&'m self, lines: &'m [u8]) -> Candidates<'m> {
        match self.finders.is_empty() {
            true => Candidates::Lines(lines),
            false => Candidates::Texts(lines, Nearest::new(&self.finders)),
        }
    }

    /// All matches in `lines`, when the pattern is nothing but texts.
    pub(super) fn texts(&self) -> Option<Nearest<'_>> {
        self.engine.is_none().then(|| Nearest::new(&self.finders))
    }

    /// Bytes of the longest match; `None` when there is no limit.
    pub(super) fn max_len(&self) -> Option<usize> {
        match &self.engine {
            Some(engine) => engine.max_len(),
            None => self.finders.iter().map(Finder::len).max(),
        }
    }

    /// Starts to search a line, or a piece of one.
    pub(super) fn search<'m>(&'m self, bytes: &'m [u8]) -> Search<'m> {
        // Only the engine minds what is no UTF-8.
        let is_odd = self.engine.is_some() && std::str::from_utf8(bytes).is_err();
        let mapped = is_odd.then(|| Mapped::valid(bytes));
        let ascii = self.engine.as_ref().is_some_and(Engine::minds_ascii) && bytes.is_ascii();
        Search {
            matcher: self,
            bytes,
            nearest: Nearest::new(&self.finders),
            mapped,
            ascii,
            cost: 0,
        }
    }
}

/// The longest run of ASCII in `text`.
fn longest_ascii(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii()).max_by_key(|run| run.len()).unwrap_or_default()
}

/// A search of one line, from its start to its end.
pub(super) struct Search<'m> {
    matcher: &'m Matcher,
    bytes: &'m [u8],
    nearest: Nearest<'m>,
    /// The bytes as text, when they are not UTF-8.
    mapped: Option<Mapped>,
    ascii: bool,
    /// What was looked at, in bytes passed over.
    cost: u64,
}

impl Search<'_> {
    /// The first match in `from..to`, of which `from` never goes back. What is around that is
    /// context: neither an end of the line nor of a word, unless the bytes end there too.
    pub(super) fn find(&mut self, from: usize, to: usize, most: u64) -> Outcome {
        let near = self.nearest.find(self.bytes, from);
        let Some(engine) = &self.matcher.engine else {
            let found = near.map(|(at, text)| (at, at + text.len())).filter(|found| found.1 <= to);
            self.cost += (found.map_or(to, |found| found.1) - from) as u64 + 1;
            return found.map_or(Outcome::Absent, |(start, end)| Outcome::Match(start, end));
        };
        if !self.matcher.finders.is_empty() && near.is_none_or(|(at, _)| at >= to) {
            self.cost += (to - from) as u64 + 1;
            return Outcome::Absent;
        }
        let found = match &self.mapped {
            None => engine.find(self.bytes, from, to, self.ascii, most),
            Some(mapped) => {
                let (from, to) = (mapped.to_text(from), mapped.to_text(to));
                engine.find(mapped.text(), from, to, false, most)
            }
        };
        match found {
            Err(cost) => Outcome::TooCostly(cost),
            Ok(found) => {
                self.cost += found.cost;
                match (found.at, &self.mapped) {
                    (None, _) => Outcome::NoMatch,
                    (Some((start, end)), None) => Outcome::Match(start, end),
                    (Some((start, end)), Some(mapped)) => {
                        Outcome::Match(mapped.to_raw(start), mapped.to_raw(end))
                    }
                }
            }
        }
    }

    /// What was looked at since the last time this was asked.
    pub(super) fn take_cost(&mut self) -> u64 {
        std::mem::take(&mut self.cost)
    }
}

/// Positions in whole lines that a match may lie around, met in order.
#[allow(
    clippy::large_enum_variant,
    reason = "one at a time, on the stack; as large only where pointers have 64 bits"
)]
pub(super) enum Candidates<'m> {
    /// The texts one of which a match contains.
    Texts(&'m [u8], Nearest<'m>),
    /// Any line.
    Lines(&'m [u8]),
}

impl Candidates<'_> {
    /// The first position at or after `from` whose line may match; `None` when no line from there
    /// on does.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        match self {
            Candidates::Texts(lines, nearest) => nearest.find(lines, from).map(|(at, _)| at),
            Candidates::Lines(lines) => (from < lines.len()).then_some(from),
        }
    }
}

/// Refuses what no line can match or no search should try.
fn check(text: &str) -> Result<(), BadPattern> {
    if text.is_empty() {
        return Err(BadPattern("pattern is empty; give the text to look for".to_owned()));
    }
    let chars = text.chars().count();
    if chars > GREP_PATTERN_MAX_CHARS {
        return Err(BadPattern(format!(
            "pattern has {chars} characters, but at most {GREP_PATTERN_MAX_CHARS} are allowed; \
             search for a shorter part of it"
        )));
    }
    if let Some(control) = text.chars().find(|c| c.is_control() && *c != '\t') {
        return Err(BadPattern(format!(
            "pattern contains the control character U+{:04X}; lines are searched one by one, so \
             give text from within one line",
            u32::from(control)
        )));
    }
    Ok(())
}

/// Compiles `pattern` to match anywhere in a line.
fn compile(pattern: &str, folded: bool, word: bool) -> Result<Engine, BadPattern> {
    if sets_verbose(pattern) {
        return Err(BadPattern(format!("pattern uses the flag x, which is off here. {SYNTAX}")));
    }
    Engine::new(pattern, folded, word).map_err(|refused| match refused {
        Refused::Syntax(why) => BadPattern(format!(
            "pattern is not a regular expression that works here: {why}. {SYNTAX}"
        )),
        Refused::TooLarge => BadPattern(
            "pattern grows too large when compiled; use smaller counts in {m,n}, or search for a \
             plain part of it"
                .to_owned(),
        ),
    })
}

/// `text` as a regular expression that matches it.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        if "\\.+*?()|[]{}^$#&-~".contains(c) {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// Whether a group sets the flag `x`, under which a pattern reads differently.
fn sets_verbose(pattern: &str) -> bool {
    pattern.match_indices("(?").any(|(at, _)| {
        let flags = pattern[at + 2..].split([')', ':', '<']).next().unwrap_or_default();
        flags.contains('x') && flags.chars().all(|c| c.is_ascii_alphabetic() || c == '-')
    })
}

/// Whether there is a capital letter that is meant as one.
fn has_capital(text: &str, regex: bool) -> bool {
    let mut escaped = false;
    text.chars().any(|c| {
        let means_itself = !(regex && escaped);
        escaped = c == '\\' && !escaped;
        means_itself && c.is_uppercase()
    })
}
