//! The text that every match of a pattern must contain.
//!
//! An automaton looks at every byte of every line; a search for a plain text is ten times as fast.
//! So a pattern is read for texts one of which each of its matches contains, and only lines that
//! contain one are shown to the automaton. What is read here is deliberately little: plain
//! runs of characters at the top level of a pattern or of its alternatives. Anything else breaks a
//! run, and anything that is not understood gives up, which costs time but never a match.

use memchr::memmem;

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
    let mut pattern = pattern;
    let mut folded = false;
    loop {
        if let Some(rest) = pattern.strip_prefix("(?i)") {
            (pattern, folded) = (rest, true);
        } else if let Some(inner) = sole_group(pattern) {
            pattern = inner;
        } else {
            break;
        }
    }
    let (mut texts, mut whole) = (Vec::new(), true);
    let mut rest = Some(pattern);
    while let Some(branch) = rest {
        let best = branch_run(branch)?;
        rest = best.rest;
        whole &= best.whole;
        if texts.len() == MAX_ALTERNATIVES || !is_selective(&best.text) {
            return None;
        }
        texts.push(best.text);
    }
    Some(Required { texts, whole, folded })
}

/// Whether looking for `text` first is worth it: one common character is in every line.
fn is_selective(text: &str) -> bool {
    match text.as_bytes() {
        [] => false,
        [byte] => !byte.is_ascii_alphanumeric() && !b" .,:\"'_-/".contains(byte),
        _ => true,
    }
}

/// What is in the one group that the whole pattern is.
fn sole_group(pattern: &str) -> Option<&str> {
    let inner = pattern.strip_prefix('(')?;
    let end = group_end(pattern)?;
    if end != pattern.len() {
        return None;
    }
    let inner = &inner[..inner.len() - 1];
    match inner.strip_prefix('?') {
        None => Some(inner),
        Some(flags) => flags.strip_prefix(':'),
    }
}

/// The longest run of one alternative.
struct Run<'p> {
    text: String,
    /// Whether the alternative is this run and nothing else.
    whole: bool,
    /// The pattern after the `|` that ends the alternative.
    rest: Option<&'p str>,
}

/// Reads up to the next `|` that is in no group.
fn branch_run(pattern: &str) -> Option<Run<'_>> {
    let mut best = String::new();
    let mut run = String::new();
    let mut whole = true;
    let mut at = 0;
    let mut rest = None;
    while let Some(c) = pattern[at..].chars().next() {
        let after = at + c.len_utf8();
        let mut literal = None;
        at = match c {
            '|' => {
                rest = Some(&pattern[after..]);
                break;
            }
            '(' => at + group_end(&pattern[at..])?,
            '[' => at + class_end(&pattern[at..])?,
            '\\' => {
                let escaped = pattern[after..].chars().next()?;
                match escaped {
                    // `\<` and `\>` are edges of words.
                    '<' | '>' => {}
                    _ if escaped.is_ascii_punctuation() => literal = Some(escaped),
                    'd' | 'D' | 'w' | 'W' | 's' | 'S' | 'B' | 'A' | 'z' => {}
                    'a' | 'f' | 't' | 'n' | 'r' | 'v' => {}
                    'b' if !pattern[after + 1..].starts_with('{') => {}
                    _ => return None,
                }
                after + 1
            }
            '.' | '^' | '$' => after,
            '?' | '*' | '+' | '{' | '}' | ']' | ')' => return None,
            _ => {
                literal = Some(c);
                after
            }
        };
        let repeats = repetition_end(&pattern[at..])?;
        let repetition = &pattern[at..at + repeats];
        at += repeats;
        match literal {
            Some(c) if repetition.is_empty() => run.push(c),
            other => {
                // At least once, but how often is open: it may end this run, not go on with it.
                if let Some(c) = other
                    && matches!(repetition, "+" | "+?")
                {
                    run.push(c);
                }
                whole = false;
                keep_longer(&mut best, &mut run);
            }
        }
    }
    keep_longer(&mut best, &mut run);
    Some(Run { text: best, whole, rest })
}

fn keep_longer(best: &mut String, run: &mut String) {
    if run.len() > best.len() {
        std::mem::swap(best, run);
    }
    run.clear();
}

/// How long the repetition operators are that `pattern` starts with.
fn repetition_end(pattern: &str) -> Option<usize> {
    let mut at = 0;
    loop {
        match pattern.as_bytes().get(at) {
            Some(b'?' | b'*' | b'+') => at += 1,
            Some(b'{') => at += pattern[at..].find('}')? + 1,
            _ => return Some(at),
        }
    }
}

/// How long the group is that `pattern` starts with. `None` when a flag is set in it, since that
/// may change how the rest is read.
fn group_end(pattern: &str) -> Option<usize> {
    let (mut at, mut depth) = (0, 0_u32);
    loop {
        match pattern.as_bytes().get(at)? {
            b'\\' => at += 2,
            b'[' => at += class_end(pattern.get(at..)?)?,
            b'(' => {
                depth += 1;
                let inner = pattern.get(at + 1..)?;
                let named = inner.starts_with("?P<") || inner.starts_with("?<");
                if inner.starts_with('?') && !inner.starts_with("?:") && !named {
                    return None;
                }
                at += 1;
            }
            b')' => {
                depth -= 1;
                at += 1;
                if depth == 0 {
                    return Some(at);
                }
            }
            _ => at += 1,
        }
    }
}

/// How long the character class is that `pattern` starts with.
pub(super) fn class_end(pattern: &str) -> Option<usize> {
    let bytes = pattern.as_bytes();
    let mut at = 1;
    if bytes.get(at) == Some(&b'^') {
        at += 1;
    }
    let items = at;
    while bytes.get(at) == Some(&b'-') {
        at += 1;
    }
    // A bracket that closes nothing yet is one of the class.
    if at == items && bytes.get(at) == Some(&b']') {
        at += 1;
    }
    loop {
        match bytes.get(at)? {
            b']' => return Some(at + 1),
            b'\\' => at += 2,
            b'[' if bytes.get(at + 1) == Some(&b':') => at += pattern.get(at..)?.find(":]")? + 2,
            b'[' => return None,
            _ => at += 1,
        }
    }
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
    }

    #[test]
    fn each_alternative_gives_one() {
        assert_eq!(texts("ERROR|WARN|FATAL"), some(&["ERROR", "WARN", "FATAL"], true));
        assert_eq!(texts("(?:error: .*|failed)"), some(&["error: ", "failed"], false));
        assert_eq!(texts("(a[)]b|cd)"), None);
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
            "(?x) a b c",
            "(a(?i:b))cde",
            r"\x41bc",
            r"\b{start}abc",
            r"\u{41}bc",
            "",
            "a?",
            "[abc]",
            r"\w+",
            "\u{FFFD}abc",
            "(((",
            "abc)",
            "[",
            "[[a]bc]def",
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
