//! The `regex` crate in place of regex-lite, where both mean the same: in ASCII text.
//!
//! Without its Unicode tables, `regex` matches bytes and regex-lite characters; in ASCII text these
//! are one, and its classes are ASCII as regex-lite's are. A pattern that it does not take, and
//! text that is not ASCII, is left to regex-lite. The feature `full-regex` turns this on.

use regex::bytes::{Regex, RegexBuilder};

/// How much faster a byte is looked at than by regex-lite, at least.
pub(super) const SPEEDUP: u64 = 8;

/// Bytes that a compiled pattern, or its cache, may take.
const SIZE: usize = 1 << 20;

/// How often the bytes of a buffer may be looked at, on average, to find where matches start.
const PASSES: usize = 4;

/// A pattern, compiled for ASCII text.
#[derive(Debug)]
pub(super) struct Ascii {
    whole: Regex,
    /// As in [`super::pattern`]: what matches before the end of the piece.
    piece: Regex,
    /// What matches in many lines at once, when each match in a line is one of these.
    lines: Option<Regex>,
}

impl Ascii {
    /// Compiles `pattern`, which regex-lite takes; `None` when `regex` does not.
    pub(super) fn new(pattern: &str, folded: bool) -> Option<Ascii> {
        let build = |pattern: &str, lines: bool| {
            RegexBuilder::new(pattern)
                .unicode(false)
                .case_insensitive(folded)
                .multi_line(lines)
                .size_limit(SIZE)
                .dfa_size_limit(SIZE)
                .build()
                .ok()
        };
        Some(Ascii {
            whole: build(pattern, false)?,
            piece: build(&format!("{pattern}(?s:.)"), false)?,
            lines: if is_bound_to_text(pattern) { None } else { build(pattern, true) },
        })
    }

    /// The first match at or after `from`.
    pub(super) fn find(&self, text: &[u8], from: usize, ends: bool) -> Option<(usize, usize)> {
        if ends {
            return self.whole.find_at(text, from).map(|found| (found.start(), found.end()));
        }
        self.piece.find_at(text, from).map(|found| (found.start(), found.end() - 1))
    }

    /// Where matches start in `lines`; `None` when only a look at each line can tell.
    pub(super) fn starts<'m>(&'m self, lines: &'m [u8]) -> Option<Starts<'m>> {
        let regex = self.lines.as_ref()?;
        // A carriage return at the end of a line is not searched, so `$` is before it there.
        let same = lines.is_ascii() && memchr::memchr(b'\r', lines).is_none();
        same.then(|| Starts { regex, lines, left: lines.len().saturating_mul(PASSES) })
    }
}

/// Whether a part of `pattern` could match only at an end of the text where it should at the end of
/// a line.
fn is_bound_to_text(pattern: &str) -> bool {
    let sets_lines = pattern.match_indices("(?").any(|(at, _)| {
        let flags = pattern[at + 2..].split([')', ':', '<']).next().unwrap_or_default();
        flags.contains(['m', 'R'])
    });
    sets_lines || pattern.contains(r"\A") || pattern.contains(r"\z")
}

/// Where matches may start, met in order.
///
/// A match may run on over the end of its line, and is none then; but the line of each true match
/// is met, as the first match of all lines starts no later.
pub(super) struct Starts<'m> {
    regex: &'m Regex,
    lines: &'m [u8],
    /// Bytes that may still be looked at. Matches that run on far are met again and again.
    left: usize,
}

impl Starts<'_> {
    /// The first position at or after `from`, the start of a line, where a match may start.
    pub(super) fn next(&mut self, from: usize) -> Option<usize> {
        if from >= self.lines.len() {
            return None;
        }
        if self.left == 0 {
            return Some(from);
        }
        let found = self.regex.find_at(self.lines, from);
        let looked_at = found.map_or(self.lines.len(), |found| found.end()) - from;
        self.left = self.left.saturating_sub(looked_at);
        // An empty match after the last line feed is in no line.
        let open = self.lines.last().is_some_and(|last| *last != b'\n');
        found.map(|found| found.start()).filter(|start| open || *start < self.lines.len())
    }
}
