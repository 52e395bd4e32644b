//! Whether a text reports faults or only speaks of them: a manual, a history and the hits of a search are full of
//! "error" and "failed" without one having happened.

use crate::content::template::{SHAPE_BYTES, mask};
use crate::sort::sort_numbers;
use xxhash_rust::xxh3::xxh3_64;

/// Bytes before and after a word that are looked at, as far as they are in its line.
pub(super) const AROUND: usize = 96;

/// How a text uses the words for faults.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Manner {
    /// A word says that something happened.
    #[default]
    Reports,
    /// Sentences follow each other, as in a letter: those do not report.
    Prose,
    /// Sentences or options that are set in, as in a manual. A line that is not is a heading, or none of it.
    Inset,
    /// Each line begins with the name of what it is about, a commit or a package. A line that does not is none of it.
    Items,
    /// Most lines are `path:line:text`: of a search, or of a compiler, which says the fault right after the place.
    Matches,
    /// The words stand in so many lines that only a mark beside them tells: `error:`, `FAILED`.
    Often,
}

/// Lines below which a text is too short to be told to be prose.
const LEAST_LINES: usize = 20;

/// Words that hold sentences together, in languages that are common in manuals, in order. Messages of tools have few.
const FUNCTION_WORDS: &[&str] = &[
    "a", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "con", "dans",
    "das", "de", "del", "der", "des", "die", "du", "each", "ein", "eine", "el", "en", "es", "est",
    "et", "for", "from", "has", "have", "if", "in", "into", "is", "ist", "it", "its", "la", "las",
    "le", "les", "los", "may", "mit", "must", "nicht", "not", "oder", "of", "on", "or", "ou",
    "par", "para", "por", "pour", "que", "qui", "se", "should", "so", "such", "sur", "than",
    "that", "the", "then", "there", "these", "they", "this", "to", "un", "una", "und", "une",
    "von", "was", "were", "when", "where", "which", "will", "wird", "with", "y", "you", "your",
    "zu",
];

/// Bytes of the longest of them.
const FUNCTION_BYTES: usize = 6;

impl Manner {
    /// The manner of a text by its first lines without the blank ones.
    pub fn of(lines: &[&[u8]]) -> Manner {
        let most = |part: usize, fits: &dyn Fn(&[u8]) -> bool| {
            lines.iter().filter(|line| fits(line)).count() * 10 >= lines.len() * part
        };
        let inset = most(7, &|line| line[0].is_ascii_whitespace());
        let commits = lines.iter().filter(|line| is_commit(line)).count();
        if commits >= 3 {
            // With what was changed, or without.
            let is_part = |line: &[u8]| line.starts_with(b"@@ ");
            return if lines.iter().any(|line| is_part(line)) {
                Manner::Often
            } else {
                Manner::Inset
            };
        }
        if lines.len() < LEAST_LINES {
            return Manner::Reports;
        }
        if most(8, &is_item) {
            return Manner::Items;
        }
        // What other programs were started with.
        let names = |name: &[u8]| lines[0].windows(name.len()).any(|part| part == name);
        if names(b"PID") && (names(b"CMD") || names(b"COMMAND")) {
            return Manner::Often;
        }
        if inset && most(2, &is_option) {
            return Manner::Inset;
        }
        let (mut words, mut joining) = (0, 0);
        let mut shapes: Vec<u64> = Vec::with_capacity(lines.len());
        for line in lines {
            let (all, function) = count_words(line);
            words += all;
            joining += function;
            if all > 0 {
                shapes.push(xxh3_64(mask(line.trim_ascii(), &mut [0; SHAPE_BYTES])));
            }
        }
        let worded = shapes.len();
        sort_numbers(&mut shapes);
        shapes.dedup();
        // Messages are alike, or have few such words; sentences differ from each other.
        let is_prose = words >= 3 * lines.len() && joining * 10 >= words * 3;
        match is_prose && shapes.len() * 2 >= worded {
            true if inset => Manner::Inset,
            true => Manner::Prose,
            false => Manner::Reports,
        }
    }

    /// Whether the word at `from..to` of its line reports a fault. Of a long line `line` is the part that is near;
    /// `starts` says whether it begins where the line does, `is_sentence` what [`is_sentence`] says of it.
    pub fn reports(
        self,
        line: &[u8],
        (from, to): (usize, usize),
        starts: bool,
        is_sentence: &dyn Fn() -> bool,
    ) -> bool {
        let (before, word, after) = (&line[..from], &line[from..to], &line[to..]);
        match self {
            Manner::Reports => true,
            Manner::Often => {
                (starts && before.iter().all(|byte| *byte == b'['))
                    || is_marked(before, word, after, starts)
            }
            Manner::Inset => starts && !before.first().is_some_and(u8::is_ascii_whitespace),
            Manner::Items => starts && !is_item(line),
            Manner::Prose => {
                let is_inset = line[0].is_ascii_whitespace();
                // In a licence whole sentences are in capitals.
                let is_loud = || !line.iter().any(u8::is_ascii_lowercase) && is_sentence();
                (is_marked(before, word, after, starts) && !is_loud())
                    || (starts && !is_inset && !is_sentence())
            }
            Manner::Matches => {
                // What follows further places is quoted.
                let place = before.strip_suffix(b": ");
                let follows = |place: &[u8]| {
                    matches!(place.last(), Some(b'0'..=b'9' | b')')) && !place.contains(&b' ')
                };
                place.is_some_and(follows) || (starts && !has_place(before))
            }
        }
    }
}

/// Words of a line, and how many of them only join others. What is no word, such as a path, counts as neither.
fn count_words(line: &[u8]) -> (usize, usize) {
    let (mut all, mut joining) = (0, 0);
    for word in line.split(u8::is_ascii_whitespace) {
        let start = word.iter().position(|byte| !b"\"'(*_`".contains(byte)).unwrap_or(word.len());
        let end = word
            .iter()
            .rposition(|byte| !b".,;:!?)\"'*_`".contains(byte))
            .map_or(start, |at| at + 1);
        let word = word.get(start..end).unwrap_or_default();
        let is_word = |byte: &u8| {
            byte.is_ascii_alphabetic() || *byte >= 0x80 || *byte == b'\'' || *byte == b'-'
        };
        if word.is_empty() || !word.iter().all(is_word) {
            continue;
        }
        all += 1;
        let mut small = [0; FUNCTION_BYTES];
        if let Some(small) = small.get_mut(..word.len()) {
            small.copy_from_slice(word);
            small.make_ascii_lowercase();
            let found = FUNCTION_WORDS.binary_search_by(|known| known.as_bytes().cmp(small));
            joining += usize::from(found.is_ok());
        }
    }
    (all, joining)
}

/// Whether a line reads as a part of a sentence.
pub(super) fn is_sentence(line: &[u8]) -> bool {
    let (words, joining) = count_words(line);
    words >= 4 && joining * 6 >= words
}

/// Whether a mark beside the word says that it is meant: `error:`, `error[E1]`, `FAILED`, `level=error`, or the
/// name of the program at the start of the line, as in `cp: cannot stat`.
fn is_marked(before: &[u8], word: &[u8], after: &[u8], starts: bool) -> bool {
    let is_capital = word.len() > 3
        && word.iter().all(|byte| !byte.is_ascii_lowercase())
        && word.iter().any(u8::is_ascii_uppercase)
        && !word.starts_with(b"SIG");
    let code = after.strip_prefix(b" ").unwrap_or_default();
    let code_len =
        code.iter().take_while(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit()).count();
    let has_code = code_len > 2 && code.get(code_len) == Some(&b':');
    let program = before.split(|byte| *byte == b' ').next().unwrap_or_default();
    is_capital
        || has_code
        || matches!(after.first(), Some(b':' | b'[' | b']'))
        || before.last() == Some(&b'=')
        || (starts && program.len() > 1 && program.ends_with(b":"))
}

/// Whether a line starts with a path and a number of a line.
fn has_place(line: &[u8]) -> bool {
    line.windows(2).any(|two| two[0] == b':' && two[1].is_ascii_digit())
}

fn hex_digits(text: &[u8]) -> usize {
    text.iter().take_while(|byte| byte.is_ascii_hexdigit()).count()
}

/// Whether a line is the head of a commit, whose message follows.
fn is_commit(line: &[u8]) -> bool {
    line.strip_prefix(b"commit ").is_some_and(|id| hex_digits(id) >= 40)
}

/// Whether a line is an option with what it is for: `  -f, --force  Do it`.
fn is_option(line: &[u8]) -> bool {
    let name = line.trim_ascii_start().strip_prefix(b"-").unwrap_or_default();
    name.strip_prefix(b"-").unwrap_or(name).first().is_some_and(u8::is_ascii_alphabetic)
}

/// Whether a line is a name with what it is: a commit, perhaps with branches drawn beside it, or
/// `bash - GNU Bourne Again SHell`.
fn is_item(line: &[u8]) -> bool {
    let at = line.iter().position(|byte| !b"*|/\\ ".contains(byte)).unwrap_or(0);
    let (name, what) =
        line[at..].split_at(line[at..].iter().position(|byte| *byte == b' ').unwrap_or(0));
    let is_id = (7..=40).contains(&name.len()) && name.iter().all(u8::is_ascii_hexdigit);
    is_id || (what.starts_with(b" - ") && name.first().is_some_and(u8::is_ascii_lowercase))
}

/// Whether the line of a word says that a test or a step passed, so that the word is part of its name. `starts`
/// and `ends` say whether `before` and `after` reach to the line's ends.
pub(super) fn has_passed(before: &[u8], after: &[u8], starts: bool, ends: bool) -> bool {
    const MARKS: [&str; 18] = [
        "✓",
        "✔",
        "√",
        "✅",
        "☑",
        "PASS ",
        "PASS:",
        "PASSED ",
        "Passed ",
        "--- PASS",
        "[PASS",
        "[OK]",
        "[ok]",
        "- [x]",
        "* [x]",
        "passed ",
        "# Subtest:",
        "[\"pass\"",
    ];
    const ENDS: [&str; 9] =
        ["... ok", " PASSED", " PASS", "[OK]", " ✓", " ✔", " ✅", ".   Passed", "[PASS]"];
    let at_start = || {
        let lead = before.trim_ascii_start();
        match lead {
            [b'o', b'k', b' ', digit, ..] => digit.is_ascii_digit(),
            // A mark of more than one byte, or a letter that one begins with.
            [0x80.. | b'P' | b'p' | b'-' | b'[' | b'*' | b'#', inside @ ..] => {
                let inside = inside.trim_ascii_start();
                MARKS.iter().any(|mark| lead.starts_with(mark.as_bytes()))
                    || (lead[0] == b'['
                        && (inside.starts_with(b"OK ") || inside.starts_with(b"PASSED "))
                        && inside.contains(&b']'))
            }
            _ => false,
        }
    };
    if starts && at_start() {
        return true;
    }
    // `PASSED [ 12%]`, `ok (3 ms)`, `Passed    0.01 sec`.
    let mut end = after.trim_ascii_end();
    if end.ends_with(b"%]")
        && let Some(at) = memchr::memrchr(b'[', end)
    {
        end = end[..at].trim_ascii_end();
    }
    ends && matches!(end, [.., b'k' | b'D' | b'S' | b']' | b'd' | 0x80..])
        && ENDS.iter().any(|mark| end.ends_with(mark.as_bytes()))
}

/// Whether the line of a word describes what may be: the description of a field, a probe of a build's
/// configuration, a setting; or is a compiler's note on the fault above.
pub(super) fn is_description(before: &[u8], after: &[u8], starts: bool) -> bool {
    const LEADS: [&[u8]; 14] = [
        b"description:",
        b"\"description\":",
        b"summary:",
        b"\"summary\":",
        b"# HELP ",
        b"# TYPE ",
        b"X509v3 ",
        b"#  File ",
        b"-- Looking for ",
        b"-- Performing Test ",
        b"checking for ",
        b"checking whether ",
        b"checking if ",
        b"checking how ",
    ];
    // Most lines have no colon, and to look for one costs less.
    let is_note = !before.is_empty()
        && memchr::memchr(b':', before).is_some()
        && memchr::memmem::find(before, b": note: ").is_some();
    if is_note || after.starts_with(b" computed to be") {
        return true;
    }
    let lead = before.trim_ascii_start();
    let lead = lead.strip_prefix(b"- ").unwrap_or(lead);
    // `checking for cc... configure: error: none`.
    starts
        && after.first() != Some(&b':')
        && matches!(lead, [b'd' | b'"' | b's' | b'#' | b'X' | b'-' | b'c', ..])
        && LEADS.iter().any(|known| lead.first() == known.first() && lead.starts_with(known))
}
