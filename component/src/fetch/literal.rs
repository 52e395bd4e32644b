//! The text that every match of a pattern must contain.
//!
//! An automaton looks at every byte of every line; a search for a plain text is ten times as fast.
//! So a pattern is read for texts one of which each of its matches contains, and only lines that
//! contain one are shown to the automaton: the longest run of plain characters, or that of each of its
//! alternatives. Anything else breaks a run, which costs time but never a match.

use memchr::memmem;
use regex_syntax::hir::{Capture, Hir, HirKind};

use super::engine::{Syntax, parse};

/// Alternatives that are searched for one by one. With more, the automaton alone is no slower.
const MAX_ALTERNATIVES: usize = 16;

/// Texts one of which is in every match.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Required {
    /// The texts, in the order of the pattern's alternatives.
    pub(super) texts: Vec<String>,
    /// Whether the pattern is nothing but these: finding one is finding a match.
    pub(super) whole: bool,
    /// Whether the pattern itself asks for case to be ignored.
    pub(super) folded: bool,
}

/// What every match of `pattern` must contain; `None` when that is not plain to see.
pub(super) fn required(pattern: &str) -> Option<Required> {
    // A bad byte is shown to the automaton as this character, so a search for it in bytes would miss.
    if pattern.contains('\u{FFFD}') {
        return None;
    }
    let rest = pattern.trim_start_matches("(?i)");
    // Flags inside may tell cases apart that are not told apart outside.
    let mut whole = !rest.replace("(?:", "").contains("(?");
    let hir = parse(rest, Syntax::default()).ok()?;
    let mut hir = &hir;
    while let HirKind::Capture(Capture { sub, .. }) = hir.kind() {
        hir = sub;
    }
    let branches = match hir.kind() {
        HirKind::Alternation(branches) => branches.as_slice(),
        _ => std::slice::from_ref(hir),
    };
    let runs: Vec<Run> = branches.iter().take(MAX_ALTERNATIVES + 1).map(run).collect();
    if runs.len() > MAX_ALTERNATIVES || !runs.iter().all(|run| is_selective(&run.text)) {
        return None;
    }
    whole &= runs.iter().all(|run| run.whole);
    let texts = runs.into_iter().map(|run| run.text).collect();
    Some(Required { texts, whole, folded: rest.len() < pattern.len() })
}

/// Whether looking for `text` first is worth it: one common character is in every line.
fn is_selective(text: &str) -> bool {
    match text.as_bytes() {
        [] => false,
        [byte] => !byte.is_ascii_alphanumeric() && !b" .,:\"'_-/".contains(byte),
        _ => true,
    }
}

/// The longest run of a part of a pattern.
struct Run {
    text: String,
    /// Whether the part is this run and nothing else.
    whole: bool,
}

/// As deep as a pattern may be: the parser has a bound.
fn run(part: &Hir) -> Run {
    match part.kind() {
        HirKind::Empty => Run { text: String::new(), whole: true },
        HirKind::Literal(literal) => {
            Run { text: String::from_utf8_lossy(&literal.0).into_owned(), whole: true }
        }
        HirKind::Capture(Capture { sub, .. }) => run(sub),
        HirKind::Repetition(repetition) if repetition.min > 0 => {
            Run { whole: false, ..run(&repetition.sub) }
        }
        HirKind::Concat(parts) => {
            let (mut best, mut text, mut whole) = (String::new(), String::new(), true);
            for part in parts {
                // What is there at least once may end this run, not go on with it.
                let (mut one, ends) = match part.kind() {
                    HirKind::Repetition(repetition) if repetition.min > 0 => {
                        (run(&repetition.sub), true)
                    }
                    _ => (run(part), false),
                };
                if one.whole {
                    text.push_str(&one.text);
                }
                if ends || !one.whole {
                    whole = false;
                    keep_longer(&mut best, &mut text);
                }
                if !one.whole {
                    keep_longer(&mut best, &mut one.text);
                }
            }
            keep_longer(&mut best, &mut text);
            Run { text: best, whole }
        }
        _ => Run { text: String::new(), whole: false },
    }
}

fn keep_longer(best: &mut String, run: &mut String) {
    if run.len() > best.len() {
        std::mem::swap(best, run);
    }
    run.clear();
}

/// Finds one text in bytes.
#[derive(Debug)]
pub(super) struct Finder {
    text: Vec<u8>,
    how: How,
}

#[derive(Debug)]
enum How {
    Exact(Box<memmem::Finder<'static>>),
    /// Ignoring the case of ASCII letters: by the place of the rarest byte, in both its cases.
    Folded {
        rare: usize,
        lower: u8,
        upper: u8,
    },
}

impl Finder {
    pub(super) fn new(text: &str, folded: bool) -> Finder {
        let text = text.as_bytes().to_vec();
        let how = if folded && text.iter().any(u8::is_ascii_alphabetic) {
            let rare = (0..text.len()).min_by_key(|i| commonness(text[*i])).unwrap_or(0);
            let (lower, upper) = (text[rare].to_ascii_lowercase(), text[rare].to_ascii_uppercase());
            How::Folded { rare, lower, upper }
        } else {
            How::Exact(Box::new(memmem::Finder::new(&text).into_owned()))
        };
        Finder { text, how }
    }

    /// How many bytes a match has.
    pub(super) fn len(&self) -> usize {
        self.text.len()
    }

    /// Where the first match at or after `from` starts.
    pub(super) fn find(&self, hay: &[u8], from: usize) -> Option<usize> {
        match &self.how {
            How::Exact(finder) => finder.find(hay.get(from..)?).map(|at| from + at),
            How::Folded { rare, lower, upper } => {
                // The places where the rare byte can be, so that the text around it lies in `hay`.
                let last = hay.len().checked_sub(self.len())? + rare;
                let places = hay.get(from + rare..=last)?;
                memchr::memchr2_iter(*lower, *upper, places)
                    .map(|at| from + at)
                    .find(|at| hay[*at..*at + self.len()].eq_ignore_ascii_case(&self.text))
            }
        }
    }
}

/// A rough order of how often bytes occur in logs, code and JSON: the higher, the more often.
fn commonness(byte: u8) -> usize {
    const COMMON_FIRST: &[u8] = b" etaoinsr\"lhdc,0u1m:.p2-gf/yb_3w45v6789k\\x'jqz";
    let place = COMMON_FIRST.iter().position(|b| *b == byte.to_ascii_lowercase());
    place.map_or(0, |place| COMMON_FIRST.len() - place)
}

/// The next match of any of several texts, met in order.
pub(super) struct Nearest<'m> {
    finders: &'m [Finder],
    /// Where each text was last found; the length of what is searched when nowhere.
    next: [Option<usize>; MAX_ALTERNATIVES],
}

impl<'m> Nearest<'m> {
    pub(super) fn new(finders: &'m [Finder]) -> Nearest<'m> {
        Nearest { finders, next: [None; MAX_ALTERNATIVES] }
    }

    /// Where the first match at or after `from` starts, and which text it is: the first of those
    /// that start there. Successive calls are for the same `hay` and never go back.
    pub(super) fn find(&mut self, hay: &[u8], from: usize) -> Option<(usize, &'m Finder)> {
        let mut nearest = None;
        for (finder, next) in self.finders.iter().zip(&mut self.next) {
            let at = match *next {
                Some(at) if at >= from => at,
                _ => *next.insert(finder.find(hay, from).unwrap_or(hay.len())),
            };
            if at < nearest.map_or(hay.len(), |(at, _)| at) {
                nearest = Some((at, finder));
            }
        }
        nearest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(pattern: &str) -> Option<(Vec<String>, bool)> {
        required(pattern).map(|r| (r.texts, r.whole))
    }

    fn some(texts: &[&str], whole: bool) -> Option<(Vec<String>, bool)> {
        Some((texts.iter().map(|t| (*t).to_owned()).collect(), whole))
    }

    #[test]
    fn the_longest_plain_run_is_required() {
        assert_eq!(texts("ERROR"), some(&["ERROR"], true));
        assert_eq!(texts(r"panicked at src/\w+\.rs:\d+"), some(&["panicked at src/"], false));
        assert_eq!(texts(r"status=50\d .*user=\w+"), some(&["status=50"], false));
        assert_eq!(texts(r"^2026-03-1\d.*slow$"), some(&["2026-03-1"], false));
        assert_eq!(texts(r"[a-z0-9._]+@[a-z0-9.]+\.(com|org)"), some(&["@"], false));
        assert_eq!(texts(r"\[warn\] \(x\)"), some(&["[warn] (x)"], true));
        assert_eq!(texts(r"abc*def+g"), some(&["def"], false));
        assert_eq!(texts(r"abc+*defg?"), some(&["def"], false));
        assert_eq!(texts(r"abx{2}é€+"), some(&["é€"], false));
        assert_eq!(texts(r"foo(bar|baz)quux"), some(&["quux"], false));
        assert_eq!(texts(r"[]x]abc[^]a]"), some(&["abc"], false));
        assert_eq!(texts(r"(a(?i:b))cde"), some(&["cde"], false));
        assert_eq!(texts(r"(?x) \x41 b\u{63} \b"), some(&["Abc"], false));
        assert_eq!(texts(r"((?P<name>ab)c)+d"), some(&["abc"], false));
    }

    #[test]
    fn each_alternative_gives_one() {
        assert_eq!(texts("ERROR|WARN|FATAL"), some(&["ERROR", "WARN", "FATAL"], true));
        assert_eq!(texts("(?:error: .*|failed)"), some(&["error: ", "failed"], false));
        assert_eq!(texts("(a[)]b|cd)"), some(&["a)b", "cd"], true));
        assert_eq!(texts("ERROR|.*"), None);
        assert_eq!(texts("ERROR|"), None);
        assert!(required("(?i)(time|out)").is_some_and(|r| r.folded && r.whole));
    }

    #[test]
    fn nothing_is_required_where_that_is_in_doubt() {
        for pattern in [
            r"\d{3}-\d{4}",
            "e",
            "a(?i)bc",
            "",
            "a?",
            "[abc]",
            r"\w+",
            "\u{FFFD}abc",
            "(((",
            "abc)",
            "[",
        ] {
            assert_eq!(texts(pattern), None, "{pattern}");
        }
    }

    #[test]
    fn a_folded_text_is_found_in_any_case_and_at_any_edge() {
        let finder = Finder::new("tImeout", true);
        assert_eq!(finder.find(b"TIMEOUT", 0), Some(0));
        assert_eq!(finder.find(b"timeout", 1), None);
        assert_eq!(finder.find(b"x timeou", 0), None);
        assert_eq!(finder.find(b"x TimeOut", 1), Some(2));
        assert_eq!(finder.find(b"", 0), None);
    }
}
