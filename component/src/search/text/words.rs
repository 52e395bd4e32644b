//! Text to words: runs, camelCase, lower case, stop words, stems.
//!
//! A run is a maximal sequence of letters (Latin, folded to ASCII), of digits, of letters of
//! another script, or of characters of a script without spaces. A run of letters in mixed case is
//! split where its case says so (`getURLFor` gives `get url for`), unless it is a known word
//! (`GitHub`): that stays whole, and its parts come after it for lexical matching only. A run
//! without spaces gives its overlapping pairs of characters, and each Han character, which is a word.

use std::borrow::Cow;

use rust_stemmers::{Algorithm, Stemmer};

use crate::search::text::letters::{Class, classify};

/// Bytes of a word that count; what is longer (hashes, encoded data) is cut.
const WORD_MAX_BYTES: usize = 64;

/// English words that say nothing about what a tool does, sorted.
const STOP_WORDS: &[&str] = &[
    "a", "about", "all", "also", "am", "an", "and", "any", "are", "as", "at", "be", "been",
    "being", "by", "can", "could", "d", "did", "do", "does", "down", "each", "for", "from", "had",
    "has", "have", "he", "her", "here", "his", "how", "i", "if", "in", "into", "is", "it", "its",
    "just", "let", "like", "ll", "m", "may", "me", "might", "mine", "must", "my", "need", "no",
    "not", "of", "on", "or", "our", "out", "over", "please", "re", "s", "shall", "she", "should",
    "so", "some", "t", "than", "that", "the", "their", "them", "then", "there", "these", "they",
    "this", "those", "to", "under", "up", "us", "use", "used", "uses", "using", "ve", "via",
    "want", "was", "we", "were", "what", "when", "where", "which", "who", "whom", "whose", "why",
    "will", "with", "would", "you", "your",
];

/// Whether `word` (lower case) is a stop word.
pub(crate) fn is_stop_word(word: &str) -> bool {
    STOP_WORDS.binary_search(&word).is_ok()
}

/// All stop words.
pub(crate) fn stop_words() -> &'static [&'static str] {
    STOP_WORDS
}

/// Cuts words to their stems: Snowball's for English, Russian, Greek and Arabic, others as they are.
pub(crate) struct Stems {
    english: Stemmer,
    russian: Stemmer,
    greek: Stemmer,
    arabic: Stemmer,
}

impl Stems {
    /// A stemmer.
    pub(crate) fn new() -> Stems {
        Stems {
            english: Stemmer::create(Algorithm::English),
            russian: Stemmer::create(Algorithm::Russian),
            greek: Stemmer::create(Algorithm::Greek),
            arabic: Stemmer::create(Algorithm::Arabic),
        }
    }

    /// The stem of a lower-case word.
    pub(crate) fn stem<'a>(&self, word: &'a str) -> Cow<'a, str> {
        match word.chars().next() {
            _ if word.is_ascii() => self.english.stem(word),
            Some('\u{400}'..='\u{4ff}') => self.russian.stem(word),
            Some('\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}') => self.greek.stem(word),
            Some('\u{600}'..='\u{6ff}') => self.arabic.stem(word),
            _ => Cow::Borrowed(word),
        }
    }
}

impl Default for Stems {
    fn default() -> Self {
        Stems::new()
    }
}

/// Which side of the ranking a word is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    /// Lexical matching as well as the embedding.
    Both,
    /// Lexical matching only: the parts of a known mixed-case word.
    Lexical,
}

/// Calls `each` with every word of `text` in order, lower-cased. `known` says whether a lower-case
/// word of mixed-case origin is a word of its own.
pub(crate) fn words(text: &str, known: impl Fn(&str) -> bool, mut each: impl FnMut(&str, Side)) {
    let mut run = Run::default();
    let mut kind = Kind::None;
    let bytes = text.as_bytes();
    let class = |at: usize| bytes.get(at).map_or(ByteClass::None, |&b| BYTES[usize::from(b)]);
    let mut at = 0;
    while at < bytes.len() {
        if run.text.is_empty() && class(at) != ByteClass::Wide {
            // Most text is ASCII, and most of its runs end at ASCII: they need no copy.
            let start = at;
            kind = class(at).kind();
            let mut upper = false;
            if kind == Kind::Latin {
                (at, upper) = letters(bytes, at);
            }
            while at < bytes.len() && class(at).kind() == kind {
                at += 1;
            }
            if class(at) == ByteClass::Wide {
                if kind != Kind::None {
                    run.text.push_str(&text[start..at]);
                }
            } else {
                if kind == Kind::Latin && !upper {
                    each(capped(&text[start..at]), Side::Both);
                } else if kind != Kind::None {
                    flush(&text[start..at], kind, &mut run.lower, &known, &mut each);
                }
                kind = Kind::None;
            }
            continue;
        }
        let Some(c) = text[at..].chars().next() else { break };
        at += c.len_utf8();
        let (next, letters) = match classify(c) {
            Class::Letter(letter) => (Kind::Latin, [Some(letter), None]),
            Class::Letters(a, b) => (Kind::Latin, [Some(a), Some(b)]),
            Class::Digit => (Kind::Digits, [Some(digit(c)), None]),
            Class::Other => (Kind::Other, [Some(c), None]),
            Class::Unspaced => (Kind::Unspaced, [Some(c), None]),
            Class::Mark => continue,
            Class::Separator => (Kind::None, [None, None]),
        };
        if next != kind {
            run.flush(kind, &known, &mut each);
            kind = next;
        }
        run.text.extend(letters.into_iter().flatten());
    }
    run.flush(kind, &known, &mut each);
}

/// What a byte is to the tokenizer.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ByteClass {
    None,
    Lower,
    Upper,
    Digit,
    /// Part of a character outside ASCII.
    Wide,
}

impl ByteClass {
    fn kind(self) -> Kind {
        match self {
            ByteClass::Lower | ByteClass::Upper => Kind::Latin,
            ByteClass::Digit => Kind::Digits,
            ByteClass::None => Kind::None,
            // Ends every run of bytes.
            ByteClass::Wide => Kind::Other,
        }
    }
}

static BYTES: [ByteClass; 256] = {
    let mut classes = [ByteClass::None; 256];
    let mut byte = 0;
    while byte < 256 {
        classes[byte] = match byte as u8 {
            b'a'..=b'z' => ByteClass::Lower,
            b'A'..=b'Z' => ByteClass::Upper,
            b'0'..=b'9' => ByteClass::Digit,
            0x80.. => ByteClass::Wide,
            _ => ByteClass::None,
        };
        byte += 1;
    }
    classes
};

/// Where the ASCII letters from `at` on end, and whether there are upper-case ones among them.
fn letters(bytes: &[u8], mut at: usize) -> (usize, bool) {
    let mut upper = false;
    #[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
    while let Some(chunk) = bytes.get(at..).and_then(<[u8]>::first_chunk::<16>) {
        let (letters, uppers) = crate::search::simd::letters(chunk);
        let count = letters.trailing_ones();
        upper |= uppers.trailing_zeros() < count;
        at += count as usize;
        if count < 16 {
            return (at, upper);
        }
    }
    while let Some(byte) = bytes.get(at).filter(|byte| byte.is_ascii_alphabetic()) {
        upper |= byte.is_ascii_uppercase();
        at += 1;
    }
    (at, upper)
}

fn digit(c: char) -> char {
    match c {
        '\u{ff10}'..='\u{ff19}' => char::from(b'0' + (c as u32 - 0xff10) as u8),
        _ => c,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    None,
    Latin,
    Digits,
    Other,
    Unspaced,
}

#[derive(Default)]
struct Run {
    text: String,
    lower: String,
}

impl Run {
    fn flush(
        &mut self,
        kind: Kind,
        known: &impl Fn(&str) -> bool,
        each: &mut impl FnMut(&str, Side),
    ) {
        flush(&self.text, kind, &mut self.lower, known, each);
        self.text.clear();
    }
}

/// Calls `each` with the words of one run. `lower` is room to work in.
fn flush(
    run: &str,
    kind: Kind,
    lower: &mut String,
    known: &impl Fn(&str) -> bool,
    each: &mut impl FnMut(&str, Side),
) {
    match kind {
        Kind::None => {}
        Kind::Digits => each(capped(run), Side::Both),
        Kind::Latin => flush_latin(run, lower, known, each),
        Kind::Other => {
            lower.clear();
            lower.extend(run.chars().flat_map(char::to_lowercase));
            each(capped(lower), Side::Both);
        }
        Kind::Unspaced => {
            let starts: Vec<usize> = run.char_indices().map(|(at, _)| at).collect();
            if starts.len() > 1 {
                let han = run.char_indices().filter(|(_, c)| is_han(*c));
                han.for_each(|(at, c)| each(&run[at..at + c.len_utf8()], Side::Lexical));
            }
            if starts.len() < 3 {
                each(run, Side::Both);
            } else {
                for pair in 0..starts.len() - 1 {
                    let end = starts.get(pair + 2).copied().unwrap_or(run.len());
                    each(&run[starts[pair]..end], Side::Both);
                }
            }
        }
    }
}

fn is_han(c: char) -> bool {
    matches!(c, '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{20000}'..='\u{323af}')
}

fn flush_latin(
    run: &str,
    lower: &mut String,
    known: &impl Fn(&str) -> bool,
    each: &mut impl FnMut(&str, Side),
) {
    let bytes = run.as_bytes();
    lower.clear();
    lower.push_str(run);
    lower.make_ascii_lowercase();
    // In one case, but for the first letter.
    let rest = bytes.get(1..).unwrap_or_default();
    let one_case =
        rest.iter().all(u8::is_ascii_lowercase) || bytes.iter().all(u8::is_ascii_uppercase);
    if one_case || !(1..bytes.len()).any(|at| is_boundary(bytes, at)) {
        each(capped(lower), Side::Both);
        return;
    }
    let whole = known(lower);
    if whole {
        each(capped(lower), Side::Both);
    }
    let side = if whole { Side::Lexical } else { Side::Both };
    let mut start = 0;
    for at in 1..=bytes.len() {
        if at == bytes.len() || is_boundary(bytes, at) {
            each(capped(&lower[start..at]), side);
            start = at;
        }
    }
}

/// Whether a new part of a camelCase word starts at `at`: `get|User`, `HTTP|Server`.
fn is_boundary(bytes: &[u8], at: usize) -> bool {
    let upper = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_uppercase);
    let lower = |i: usize| bytes.get(i).is_some_and(u8::is_ascii_lowercase);
    upper(at) && (lower(at - 1) || lower(at + 1))
}

fn capped(word: &str) -> &str {
    &word[..word.floor_char_boundary(WORD_MAX_BYTES)]
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{Side, Stems, is_stop_word, stop_words, words};

    fn lexical(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        words(text, |w| matches!(w, "github" | "oauth"), |w, _| out.push(w.to_owned()));
        out
    }

    fn embedded(text: &str) -> Vec<String> {
        let mut out = Vec::new();
        words(
            text,
            |w| matches!(w, "github" | "oauth"),
            |w, side| {
                if side == Side::Both {
                    out.push(w.to_owned());
                }
            },
        );
        out
    }

    #[test]
    fn case_splits_words_unless_they_are_known() {
        assert_eq!(lexical("createGithubIssue"), ["create", "github", "issue"]);
        assert_eq!(lexical("GitHub"), ["github", "git", "hub"]);
        assert_eq!(embedded("GitHub"), ["github"]);
        assert_eq!(lexical("HTTPServer getURLFor"), ["http", "server", "get", "url", "for"]);
        assert_eq!(lexical("OAuth2 API"), ["oauth", "o", "auth", "2", "api"]);
        assert_eq!(lexical("Issue"), ["issue"]);
    }

    #[test]
    fn other_scripts_give_words_too() {
        assert_eq!(lexical("Найти Файлы"), ["найти", "файлы"]);
        assert_eq!(
            lexical("搜索文件 file"),
            ["搜", "索", "文", "件", "搜索", "索文", "文件", "file"]
        );
        assert_eq!(lexical("画像"), ["画", "像", "画像"]);
        assert_eq!(lexical("파일 검색하기"), ["파일", "검색", "색하", "하기"]);
        assert_eq!(lexical("بَحْث عن ملف"), ["بحث", "عن", "ملف"]);
        assert_eq!(lexical("tìm kiếm"), ["tim", "kiem"]);
        assert_eq!(lexical("ＡＢ１２"), ["ab", "12"]);
    }

    proptest! {
        #[test]
        fn a_mark_between_letters_changes_nothing(text in "[a-zA-Z0-9é _я搜.]{0,24}") {
            // With a mark behind every letter no run is cut out of the text as it lies there.
            let marked: String = text.chars().flat_map(|c| [c, '\u{301}']).collect();
            prop_assert_eq!(lexical(&marked), lexical(&text));
        }
    }

    #[test]
    fn a_word_without_end_is_cut() {
        let word = "x".repeat(10_000);
        assert_eq!(lexical(&word), ["x".repeat(64)]);
        let word = "я".repeat(10_000);
        assert_eq!(lexical(&word), ["я".repeat(32)]);
    }

    #[test]
    fn stop_words_are_sorted_so_that_they_are_found() {
        assert!(stop_words().is_sorted());
        assert!(stop_words().iter().all(|word| is_stop_word(word)));
        assert!(!is_stop_word("issue"));
    }

    #[test]
    fn stems_meet() {
        let stems = Stems::new();
        assert_eq!(stems.stem("deployments"), stems.stem("deploying"));
        for (one, other) in [("файлы", "файлов"), ("αρχεία", "αρχείο"), ("الملفات", "ملف")]
        {
            assert_eq!(stems.stem(one), stems.stem(other), "{one}");
        }
    }
}
