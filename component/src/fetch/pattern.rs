//! What is searched for: a text or a regular expression, checked and compiled.
//!
//! The syntax is that of the [regex](https://docs.rs/regex) crate without `\p{..}`: `\w`, `\d`, `\s`
//! and `(?i)` know all letters, there is no look-around and no back-reference, and a search takes
//! time linear in the text. A text that every match must contain is looked for first, and a pattern
//! that is nothing but texts needs no more; which lines match is the same either way.
//!
//! JSON is searched as it stands and as it reads (`escaped`).
//!
//! Bytes that are not UTF-8 are no reason to skip a line: each one stands for U+FFFD, so that `.`
//! matches it and the text around it is searched.

use std::borrow::Cow;

use super::engine::{Engine, Refused, classes};
use super::escaped::{as_shown, decoded, hides, left_alone};
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

impl Pattern {
    /// What a pattern that matches nothing was likely meant to be, and what of it was taken as text.
    pub(super) fn likely(&self) -> Option<(Pattern, &'static str)> {
        let text = self.text.as_str();
        let with = |text: &str| Pattern { text: text.to_owned(), ..self.clone() };
        if !self.regex {
            let is_pattern = text.contains('|') || text.contains(".*") || text.contains("\\");
            return is_pattern.then(|| (Pattern { regex: true, ..with(text) }, "all of it"));
        }
        // As sed and JavaScript write it.
        if let Some((inner, flags)) = text.strip_prefix('/').and_then(|rest| rest.rsplit_once('/'))
            && !inner.is_empty()
            && !inner.contains('/')
            && flags.bytes().all(|flag| b"gimsu".contains(&flag))
        {
            let case = if flags.contains('i') { Case::Insensitive } else { self.case };
            return Some((Pattern { case, ..with(inner) }, "the slashes around it"));
        }
        // As grep writes it without -E.
        if text.contains("\\|") {
            let plain = ["|", "(", ")"]
                .iter()
                .fold(text.to_owned(), |text, sign| text.replace(&format!("\\{sign}"), sign));
            return Some((with(&plain), "\\|"));
        }
        let inner = ['"', '\'', '`'].iter().find_map(|quote| {
            let inner = text.strip_prefix(*quote)?.strip_suffix(*quote)?;
            (!inner.is_empty() && !inner.contains(*quote)).then_some(inner)
        });
        if let Some(inner) = inner {
            return Some((with(inner), "the quotes around it"));
        }
        // As it is in a shell: `grep -i x`, `-i x`.
        let command = text.strip_prefix("grep ").unwrap_or(text);
        let options = command.strip_prefix('-').and_then(|rest| rest.split_once(' '));
        let (flags, rest) = options.unwrap_or(("", command));
        let case = if flags.contains('i') { Case::Insensitive } else { self.case };
        (rest != text).then(|| (Pattern { case, ..with(rest) }, "the command before it"))
    }
}

/// Why a pattern cannot be searched for: what is wrong with it and what would be right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct BadPattern(pub String);

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
    /// Whether finding a text is finding a match, even if there is an engine.
    whole: bool,
    /// Whether lines are JSON, in which characters may be escaped.
    json: bool,
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
        Matcher::of(pattern, false)
    }

    /// The same, for lines that are `json` or not.
    ///
    /// # Errors
    /// As [`Matcher::new`].
    pub(super) fn of(pattern: &Pattern, json: bool) -> Result<Matcher, BadPattern> {
        check(&pattern.text)?;
        let folded = pattern.is_folded();
        let mut source =
            if pattern.regex { classes(&pattern.text) } else { Cow::Owned(escaped(&pattern.text)) };
        if json {
            source = Cow::Owned(as_shown(&source));
        }
        let engine = compile(&source, folded, pattern.word)?;
        let any =
            |engine| Matcher { finders: Vec::new(), engine: Some(engine), whole: false, json };
        let Some(required) = required(&source) else { return Ok(any(engine)) };
        let folded = folded || required.folded;
        let mut whole = required.whole && !pattern.word;
        let mut finders = Vec::with_capacity(required.texts.len());
        for text in &required.texts {
            // What folds beyond ASCII is left to the engine; what does not is looked for.
            let mut plain = if folded { longest_ascii(text) } else { text };
            if json {
                plain = left_alone(plain);
            }
            whole &= plain.len() == text.len();
            if plain.is_empty() {
                return Ok(any(engine));
            }
            finders.push(Finder::new(plain, folded));
        }
        Ok(Matcher { finders, engine: (json || !whole).then_some(engine), whole, json })
    }

    /// The matcher without what makes it fast, to compare with.
    #[cfg(test)]
    pub(super) fn plain(pattern: &Pattern) -> Result<Matcher, BadPattern> {
        let engine = compile(&pattern.text, pattern.is_folded(), pattern.word)?;
        Ok(Matcher { finders: Vec::new(), engine: Some(engine), whole: false, json: false })
    }

    /// Whether the texts to look for may stand in `bytes` in another form.
    fn is_hidden(&self, bytes: &[u8]) -> bool {
        self.json && !self.finders.is_empty() && hides(bytes)
    }

    /// Where in whole `lines` there may be matches.
    pub(super) fn candidates<'m>(&'m self, lines: &'m [u8]) -> Candidates<'m> {
        match self.finders.is_empty() || self.is_hidden(lines) {
            true => Candidates::Lines(lines),
            false => Candidates::Texts(lines, Nearest::new(&self.finders)),
        }
    }

    /// All matches in `lines`, when the pattern is nothing but texts.
    pub(super) fn texts(&self, lines: &[u8]) -> Option<Nearest<'_>> {
        (self.whole && !self.is_hidden(lines)).then(|| Nearest::new(&self.finders))
    }

    /// Bytes of the longest match; `None` when there is no limit.
    pub(super) fn max_len(&self) -> Option<usize> {
        match &self.engine {
            // An escape takes six bytes for what may be one.
            Some(engine) => engine.max_len()?.checked_mul(if self.json { 6 } else { 1 }),
            None => self.finders.iter().map(Finder::len).max(),
        }
    }

    /// Starts to search a line, or a piece of one.
    pub(super) fn search<'m>(&'m self, bytes: &'m [u8]) -> Search<'m> {
        let hidden = self.is_hidden(bytes);
        let engine = self.engine.as_ref().filter(|_| !self.whole || hidden);
        // Only the engine minds what is no UTF-8.
        let is_odd = engine.is_some() && std::str::from_utf8(bytes).is_err();
        let mapped = is_odd.then(|| Mapped::valid(bytes));
        let decoded = engine.filter(|_| self.json).and_then(|_| decoded(bytes));
        let ascii = engine.is_some_and(Engine::minds_ascii) && bytes.is_ascii();
        let cost = if decoded.is_some() { 4 * bytes.len() as u64 } else { 0 };
        let has_texts = !self.finders.is_empty() && !hidden;
        Search {
            engine,
            bytes,
            nearest: has_texts.then(|| Nearest::new(&self.finders)),
            mapped,
            decoded,
            ascii,
            next: [Next::Unknown; 2],
            cost,
        }
    }
}

/// The longest run of ASCII in `text`.
fn longest_ascii(text: &str) -> &str {
    text.split(|c: char| !c.is_ascii()).max_by_key(|run| run.len()).unwrap_or_default()
}

/// A search of one line, from its start to its end.
pub(super) struct Search<'m> {
    /// None where finding a text is enough.
    engine: Option<&'m Engine>,
    bytes: &'m [u8],
    /// The texts one of which is in every match.
    nearest: Option<Nearest<'m>>,
    /// The bytes as text, when they are not UTF-8.
    mapped: Option<Mapped>,
    /// The bytes with the escapes of JSON resolved, when there are any.
    decoded: Option<Mapped>,
    ascii: bool,
    /// What the next match in each of these is, as far as it was looked for.
    next: [Next; 2],
    /// What was looked at, in bytes passed over.
    cost: u64,
}

/// What is known of the next match.
#[derive(Debug, Clone, Copy, Default)]
enum Next {
    #[default]
    Unknown,
    At(usize, usize),
    Nowhere,
}

impl Search<'_> {
    /// The first match in `from..to`, of which `from` never goes back. What is around that is
    /// context: neither an end of the line nor of a word, unless the bytes end there too.
    pub(super) fn find(&mut self, from: usize, to: usize, most: u64) -> Outcome {
        let near = self.nearest.as_mut().map(|nearest| nearest.find(self.bytes, from));
        let Some(engine) = self.engine else {
            let found = near.flatten().map(|(at, text)| (at, at + text.len()));
            let found = found.filter(|found| found.1 <= to);
            self.cost += (found.map_or(to, |found| found.1) - from) as u64 + 1;
            return found.map_or(Outcome::Absent, |(start, end)| Outcome::Match(start, end));
        };
        if near.is_some_and(|near| near.is_none_or(|(at, _)| at >= to)) {
            self.cost += (to - from) as u64 + 1;
            return Outcome::Absent;
        }
        let plain = match &self.mapped {
            None => (self.bytes, None, self.ascii),
            Some(mapped) => (mapped.text(), Some(mapped), false),
        };
        let decoded = self.decoded.as_ref().map(|text| (text.text(), Some(text), false));
        let mut first: Option<(usize, usize)> = None;
        for ((text, mapped, ascii), next) in
            std::iter::once(plain).chain(decoded).zip(&mut self.next)
        {
            let is_known = match *next {
                Next::Unknown => false,
                Next::At(start, _) => start >= from,
                Next::Nowhere => true,
            };
            if !is_known {
                let place = |at: usize| mapped.map_or(at, |mapped| mapped.to_text(at));
                let found = match engine.find(text, place(from), place(to), ascii, most) {
                    Ok(found) => found,
                    Err(cost) => return Outcome::TooCostly(cost),
                };
                self.cost += found.cost;
                let byte = |at: usize| mapped.map_or(at, |mapped| mapped.to_raw(at));
                *next = match found.at {
                    Some((start, end)) => Next::At(byte(start), byte(end)),
                    None => Next::Nowhere,
                };
            }
            // What both forms show is one match; of two that start together the longer is one.
            if let Next::At(start, end) = *next
                && first
                    .is_none_or(|before| start < before.0 || (start == before.0 && end > before.1))
            {
                first = Some((start, end));
            }
        }
        first.map_or(Outcome::NoMatch, |(start, end)| Outcome::Match(start, end))
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
