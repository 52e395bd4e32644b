//! What is searched for: a text or a regular expression, checked and compiled.
//!
//! [regex-lite](https://docs.rs/regex-lite) defines what a regular expression means: classes such
//! as `\w` and `(?i)` are ASCII, there is no look-around and no back-reference, and a search takes
//! time linear in the text. A text that every match must contain is looked for first, and a pattern
//! that is nothing but texts needs no more; which lines match is the same either way.
//!
//! Bytes that are not UTF-8 are no reason to skip a line: each one stands for U+FFFD, so that `.`
//! matches it and the text around it is searched.

use std::borrow::Cow;

use regex_lite::{Regex, RegexBuilder};

use super::literal::{Finder, Nearest, required};
use crate::limits::{GREP_PATTERN_MAX_CHARS, GREP_SLICE_BYTES, GREP_SLOW_SLICE_BYTES};

/// How letters are compared.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Case {
    /// As [`Case::Insensitive`], unless the pattern has a capital letter that is not part of an
    /// escape such as `\W`.
    #[default]
    Smart,
    /// `a` is not `A`.
    Sensitive,
    /// `a` is `A`, for ASCII letters.
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

/// Bytes a compiled pattern may take, and what one byte of a line that it is matched against costs
/// then, in bytes scanned for a text. The time for one byte grows with the size of the pattern.
const SIZES: [(usize, u64); 6] = [
    (4 << 10, GREP_SLICE_BYTES / GREP_SLOW_SLICE_BYTES),
    (8 << 10, 2 * GREP_SLICE_BYTES / GREP_SLOW_SLICE_BYTES),
    (16 << 10, 4 * GREP_SLICE_BYTES / GREP_SLOW_SLICE_BYTES),
    (32 << 10, 8 * GREP_SLICE_BYTES / GREP_SLOW_SLICE_BYTES),
    (64 << 10, 16 * GREP_SLICE_BYTES / GREP_SLOW_SLICE_BYTES),
    (128 << 10, 32 * GREP_SLICE_BYTES / GREP_SLOW_SLICE_BYTES),
];

/// A pattern, ready to search with.
#[derive(Debug)]
pub struct Matcher {
    /// Texts one of which is in every match; none when there is no telling.
    finders: Vec<Finder>,
    /// How to tell a match from a text that is merely there; `None` when finding one is enough.
    regex: Option<Compiled>,
}

#[derive(Debug)]
struct Compiled {
    /// The pattern.
    whole: Regex,
    /// The pattern and one more character: what matches in a piece that the text goes on after.
    /// Where a piece ends is neither the end of a line nor of a word, and a match of this one has
    /// seen the character that decides that.
    piece: Regex,
    /// See [`SIZES`].
    cost: u64,
    /// What finds the same in ASCII text, but faster.
    #[cfg(feature = "full-regex")]
    ascii: Option<super::ascii::Ascii>,
}

/// A piece of a line, to look for a match in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Piece<'t> {
    /// The bytes, which are cut inside no character.
    pub(super) bytes: &'t [u8],
    /// Where a match may start; what is before is context.
    pub(super) from: usize,
    /// Whether the line ends where the bytes do.
    pub(super) ends: bool,
}

/// What is in a piece.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The first match: its start and end.
    Match(usize, usize),
    /// No match, not even one that goes on after the piece.
    Absent,
    /// No match that lies in the piece.
    NoMatch,
}

impl Matcher {
    /// Checks and compiles a pattern.
    ///
    /// # Errors
    /// [`BadPattern`] when it is empty, too long, has control characters, is no regular expression
    /// that regex-lite knows or grows too large.
    pub fn new(pattern: &Pattern) -> Result<Matcher, BadPattern> {
        check(&pattern.text)?;
        let folded = pattern.is_folded();
        if !pattern.regex && !pattern.text.contains('\u{FFFD}') {
            let finders = vec![Finder::new(&pattern.text, folded, pattern.word)];
            return Ok(Matcher { finders, regex: None });
        }
        let source = if pattern.regex {
            Cow::Borrowed(&*pattern.text)
        } else {
            Cow::Owned(regex_lite::escape(&pattern.text))
        };
        let compiled = compile(&source, folded, pattern.word)?;
        let required = required(&source);
        let whole = required.as_ref().is_some_and(|r| r.whole);
        let finders = required.map_or_else(Vec::new, |required| {
            let folded = folded || required.folded;
            // An edge of a word is only looked at where it belongs to a whole match.
            let word = pattern.word && required.whole;
            required.texts.iter().map(|text| Finder::new(text, folded, word)).collect()
        });
        Ok(Matcher { finders, regex: (!whole).then_some(compiled) })
    }

    /// The matcher without what makes it fast, to compare with.
    #[cfg(test)]
    pub(super) fn plain(pattern: &Pattern) -> Result<Matcher, BadPattern> {
        let folded = pattern.is_folded();
        #[allow(unused_mut, reason = "only mutated with the feature full-regex")]
        let mut compiled = compile(&pattern.text, folded, pattern.word)?;
        #[cfg(feature = "full-regex")]
        {
            compiled.ascii = None;
        }
        Ok(Matcher { finders: Vec::new(), regex: Some(compiled) })
    }

    /// Where in whole `lines` there may be matches.
    pub(super) fn candidates<'m>(&'m self, lines: &'m [u8]) -> Candidates<'m> {
        if !self.finders.is_empty() {
            return Candidates::Texts(lines, Nearest::new(&self.finders));
        }
        #[cfg(feature = "full-regex")]
        if let Some(ascii) = self.regex.as_ref().and_then(|compiled| compiled.ascii.as_ref())
            && let Some(starts) = ascii.starts(lines)
        {
            return Candidates::Starts(starts);
        }
        Candidates::Lines(lines)
    }

    /// What a byte of `text` costs that [`Matcher::find`] looks at; a byte passed over costs 1.
    pub(super) fn cost(&self, text: &[u8]) -> u64 {
        let _ = text;
        match &self.regex {
            None => 1,
            #[cfg(feature = "full-regex")]
            Some(Compiled { ascii: Some(_), cost, .. }) if text.is_ascii() => {
                cost / super::ascii::SPEEDUP
            }
            Some(compiled) => compiled.cost,
        }
    }

    /// The first match in a piece of a line.
    pub(super) fn find(&self, piece: Piece<'_>) -> Outcome {
        let Piece { bytes, from, ends } = piece;
        let mut nearest = Nearest::new(&self.finders);
        let Some(compiled) = &self.regex else {
            return match nearest.find(bytes, from).map(|(at, text)| (at, at + text.len())) {
                // Whether it ends a word is for the next piece to say.
                Some((at, end)) if ends || end < bytes.len() => Outcome::Match(at, end),
                _ => Outcome::Absent,
            };
        };
        if !self.finders.is_empty() && nearest.find(bytes, from).is_none() {
            return Outcome::Absent;
        }
        let found = match std::str::from_utf8(bytes) {
            Ok(text) => compiled.find(text, from, ends),
            Err(_) => {
                let (before, after) = bytes.split_at(from);
                let mut text = replaced(before);
                let from = text.len();
                text.push_str(&replaced(after));
                let found = compiled.find(&text, from, ends);
                found.map(|(start, end)| (replaced_at(bytes, start), replaced_at(bytes, end)))
            }
        };
        match found {
            Some((start, end)) => Outcome::Match(start, end),
            None => Outcome::NoMatch,
        }
    }
}

impl Compiled {
    fn find(&self, text: &str, from: usize, ends: bool) -> Option<(usize, usize)> {
        #[cfg(feature = "full-regex")]
        if let Some(ascii) = &self.ascii
            && text.is_ascii()
        {
            return ascii.find(text.as_bytes(), from, ends);
        }
        if ends {
            return self.whole.find_at(text, from).map(|found| (found.start(), found.end()));
        }
        let found = self.piece.find_at(text, from)?;
        let more = found.as_str().chars().next_back().map_or(0, char::len_utf8);
        Some((found.start(), found.end() - more))
    }
}

/// Positions in whole lines that a match may lie around, met in order.
pub(super) enum Candidates<'m> {
    /// The texts one of which a match contains.
    Texts(&'m [u8], Nearest<'m>),
    /// Any line.
    Lines(&'m [u8]),
    /// Where matches start, as far as all lines at once can tell.
    #[cfg(feature = "full-regex")]
    Starts(super::ascii::Starts<'m>),
}

impl Candidates<'_> {
    /// The first position at or after `from` whose line may match; `None` when no line from there
    /// on does.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        match self {
            Candidates::Texts(lines, nearest) => nearest.find(lines, from).map(|(at, _)| at),
            Candidates::Lines(lines) => (from < lines.len()).then_some(from),
            #[cfg(feature = "full-regex")]
            Candidates::Starts(starts) => starts.next(from),
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
fn compile(pattern: &str, folded: bool, word: bool) -> Result<Compiled, BadPattern> {
    let bad = |error: regex_lite::Error| {
        let error = error.to_string();
        if error.contains("size limit") {
            return BadPattern(
                "pattern grows too large when compiled; use smaller counts in {m,n}".to_owned(),
            );
        }
        BadPattern(format!("pattern is no regular expression that works here: {error}. {SYNTAX}"))
    };
    let build = |pattern: &str, size: usize| {
        RegexBuilder::new(pattern).case_insensitive(folded).size_limit(size).build()
    };
    if sets_verbose(pattern) {
        return Err(BadPattern(format!("pattern uses the flag x, which is off here. {SYNTAX}")));
    }
    // By itself first: wrapped in a group, `a)(b` would compile.
    build(pattern, SIZES[SIZES.len() - 1].0).map_err(bad)?;
    let wrapped = if word {
        format!(r"\b{{start-half}}(?:{pattern})\b{{end-half}}")
    } else {
        format!("(?:{pattern})")
    };
    let mut outcome = None;
    for (size, cost) in SIZES {
        match build(&wrapped, size) {
            Ok(whole) => {
                // The one character more always fits beside what has just been measured.
                let piece = build(&format!("{wrapped}(?s:.)"), size * 2).map_err(bad)?;
                return Ok(Compiled {
                    whole,
                    piece,
                    cost,
                    #[cfg(feature = "full-regex")]
                    ascii: super::ascii::Ascii::new(&wrapped, folded),
                });
            }
            Err(error) => outcome = Some(error),
        }
    }
    Err(outcome.map_or_else(|| BadPattern("pattern is too large".to_owned()), bad))
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

/// `bytes` as text, each byte that is not part of a character as one U+FFFD.
fn replaced(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\u{FFFD}'));
    }
    text
}

/// The position in `bytes` of a position in what [`replaced`] makes of them.
fn replaced_at(bytes: &[u8], at: usize) -> usize {
    const BAD: usize = '\u{FFFD}'.len_utf8();
    let (mut in_text, mut in_bytes) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        let (valid, bad) = (chunk.valid().len(), chunk.invalid().len());
        if at <= in_text + valid {
            return in_bytes + (at - in_text);
        }
        in_text += valid;
        in_bytes += valid;
        if at <= in_text + bad * BAD {
            return in_bytes + (at - in_text) / BAD;
        }
        in_text += bad * BAD;
        in_bytes += bad;
    }
    in_bytes
}
