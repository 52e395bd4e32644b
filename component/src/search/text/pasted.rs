//! A text that somebody pasted, as the error that a tool answered: the lines of it that say something.
//!
//! Most of a long error are places: stack frames, paths, addresses, numbers. What helps is found by what it says went wrong and
//! with what. So lines that say this are taken, and of these the words.

use std::collections::BTreeSet;

use crate::search::text::clean::first_chars;
use crate::sort::sort_by;

/// Characters at the start and at the end of a text that are looked at.
const LOOKED_AT: usize = 8_000;

/// Lines that are taken, and characters of all of them.
const LINES: usize = 8;
const CHARS: usize = 480;

/// Folders with packages: the one that a frame is in says what the error is about.
const FOLDERS: [&str; 3] = ["site-packages/", "node_modules/", "dist-packages/"];

/// What stands between words.
const SIGNS: &str = "\"'`,;()[]{}<>=|";

/// Words that count for a line, at most.
const WORDS: usize = 14;

/// What an error has in it.
const SAYS_SO: [&str; 6] = ["error", "exception", "failed", "failure", "traceback", "panic"];

/// What a line has in it that says that something went wrong, in small letters.
const WRONG: [&str; 18] = [
    "error",
    "exception",
    "fail",
    "denied",
    "cannot",
    "not ",
    "no ",
    "invalid",
    "unknown",
    "missing",
    "unable",
    "refused",
    "exceed",
    "timeout",
    "timed out",
    "unexpected",
    "exists",
    "warning",
];

/// Whether a text is an error that was pasted, and not a request: it says so, and has several lines or is longer than a query.
pub(crate) fn is_pasted(text: &str, query_chars: usize) -> bool {
    let is_long = || text.matches('\n').nth(1).is_some() || text.chars().nth(query_chars).is_some();
    let looked_at = || first_chars(text, 2 * LOOKED_AT).to_lowercase();
    is_long() && {
        let text = looked_at();
        SAYS_SO.iter().any(|word| text.contains(word))
    }
}

/// What a pasted text says, in fewer characters than a query has: some of its lines, without places.
pub(crate) fn said(text: &str) -> String {
    let start = first_chars(text, LOOKED_AT);
    let rest = &text[start.len()..];
    let end_at = rest.char_indices().rev().nth(LOOKED_AT - 1).map_or(0, |(at, _)| at);
    let lines = start.lines().chain(rest[end_at..].lines());
    let mut taken: Vec<(i32, usize, String)> = Vec::new();
    let mut seen: BTreeSet<String> = BTreeSet::new();
    for (at, line) in lines.flat_map(|line| line.split(". ")).map(str::trim).enumerate() {
        let words = if is_place(line) { packages_of(line) } else { words_of(line) };
        let text = words.join(" ");
        if !words.is_empty() && seen.insert(text.clone()) {
            taken.push((worth(line, words.len()), at, text));
        }
    }
    // The first line often says what was done, and the last one what became of it.
    if let Some(first) = taken.first_mut() {
        first.0 += 2;
    }
    if let Some(last) = taken.last_mut() {
        last.0 += 4;
    }
    sort_by(&mut taken, |a, b| b.0.cmp(&a.0).then(a.1.cmp(&b.1)));
    taken.truncate(LINES);
    let mut left = CHARS;
    taken.retain(|(_, _, words)| {
        let chars = words.chars().count() + 1;
        let fits = chars <= left;
        left -= if fits { chars } else { 0 };
        fits
    });
    sort_by(&mut taken, |a, b| a.1.cmp(&b.1));
    taken.into_iter().map(|(_, _, words)| words).collect::<Vec<_>>().join("\n")
}

/// How much a line says that has so many words.
fn worth(line: &str, words: usize) -> i32 {
    let small = line.to_lowercase();
    let wrong = if WRONG.iter().any(|word| small.contains(word)) { 6 } else { 0 };
    // A line of a program says less.
    let program = if line.contains('(') && line.contains([';', '=']) { 4 } else { 0 };
    words.min(WORDS) as i32 + wrong - program
}

/// Whether a line only says where something was: a frame of a stack.
fn is_place(line: &str) -> bool {
    let begins = ["at ", "File \"", "from /", "0x", "---", "==="];
    begins.iter().any(|begin| line.starts_with(begin)) || line.contains(" 0x")
}

/// The packages that a stack frame is in.
fn packages_of(line: &str) -> Vec<&str> {
    let after =
        |folder| line.split_once(folder).and_then(|(_, rest)| rest.split(['/', '\\']).next());
    FOLDERS.into_iter().filter_map(after).take(1).collect()
}

/// The words of a line: of a path its last part, and nothing of numbers and digests.
fn words_of(line: &str) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    let mut chars = 0;
    for token in line.split(|c: char| c.is_whitespace() || SIGNS.contains(c)) {
        let token = token.rsplit(['/', '\\']).next().unwrap_or_default();
        let token = token.trim_matches(|c: char| !c.is_alphanumeric());
        let is_word = |token: &str| {
            let digits = token.chars().filter(char::is_ascii_digit).count();
            let letters = token.chars().filter(|c| c.is_alphabetic()).count();
            letters >= 2 && letters > 2 * digits && token.chars().count() <= 40
        };
        // Of a file's name at least what kind it is.
        let kind = || token.rsplit_once('.').map(|(_, kind)| kind).filter(|kind| is_word(kind));
        let Some(word) = Some(token).filter(|token| is_word(token)).or_else(kind) else { continue };
        chars += word.chars().count() + 1;
        if chars <= CHARS / 3 && !found.contains(&word) {
            found.push(word);
        }
    }
    found
}
