//! What lines say that something went wrong, and how badly: words and phrases of real tools.

/// How bad a line says it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// It may be worth a look.
    Warning,
    /// Something failed.
    Error,
    /// All of it failed: a crash, a process that was ended.
    Fatal,
}

impl Severity {
    /// All, mildest first.
    pub const ALL: [Severity; 3] = [Severity::Warning, Severity::Error, Severity::Fatal];

    /// Its name, with an `s` for many.
    pub fn as_str(self) -> &'static str {
        match self {
            Severity::Warning => "warning",
            Severity::Error => "error",
            Severity::Fatal => "fatal error",
        }
    }
}

use Severity::{Error, Fatal, Warning};

/// Phrases, in small letters, one a line, with what a line that holds one is.
pub const PHRASES: [(Severity, &str); 3] = [
    (Fatal, include_str!("../../data/fatal.txt")),
    (Error, include_str!("../../data/error.txt")),
    (Warning, include_str!("../../data/warning.txt")),
];

/// Bytes before and after a word that [`is_noise`] looks at.
const NEAR: usize = 24;

/// Whether a word is only mentioned: a count of none, a file's name, a key whose value is nothing.
///
/// A text may hold a word in every few bytes: what costs more than a look at a byte is tried only where the byte
/// beside the word allows it.
pub(crate) fn is_noise(before: &[u8], word: &[u8], after: &[u8]) -> bool {
    let is_fine = || memchr::memmem::find(after, b" Not affected").is_some();
    // In capitals it is the name of a site, and of a weakness of processors.
    if is_in_query(before) || word == b"Stack Overflow" || (word.len() > 12 && is_fine()) {
        return true;
    }
    if matches!(after, [.., b'0'] | [.., b'0', b'\r']) && is_zero_of(after.trim_ascii_end()) {
        return true;
    }
    let before = &before[before.len().saturating_sub(NEAR)..];
    let after = &after[..after.len().min(NEAR)];
    is_title(before, word, after)
        || is_named(before, word, after)
        || is_said_of(before, word, after)
        || is_about(word, after)
        || is_nothing(after)
}

/// The rest of a counter's name, and that there is none: `Critical Composite Temperature Time : 0`.
fn is_zero_of(after: &[u8]) -> bool {
    let value = after.strip_suffix(b"0").unwrap_or(after).trim_ascii_end();
    let name = value.strip_suffix(b":").or_else(|| value.strip_suffix(b"="));
    name.is_some_and(|name| name.iter().all(|byte| is_name(*byte) || b" \t_-()".contains(byte)))
}

/// Many of them as the title of what follows: `failures:`.
fn is_title(before: &[u8], word: &[u8], after: &[u8]) -> bool {
    word.ends_with(b"s")
        && after.trim_ascii_end() == b":"
        && before.iter().all(u8::is_ascii_whitespace)
}

/// Whether `found` is `word`, which is in small letters, in any case. Compiled once, as it is asked in many places.
#[inline(never)]
pub(crate) fn is(found: &[u8], word: &[u8]) -> bool {
    found.eq_ignore_ascii_case(word)
}

fn is_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
}

/// A part of a name: `errors.py`, `es-errors`, `src/error/mod.rs`, `error_code`, or of a program: `Err(e)`.
fn is_named(before: &[u8], word: &[u8], after: &[u8]) -> bool {
    match after {
        [b'.' | b'-' | b'_' | b'/' | b'\\' | b'@', next, ..] if is_name(*next) => return true,
        [b'(' | b'!', b')' | b'(' | b'{', ..] | [b':', b':', ..] => return true,
        [b'(', ..] if is(word, b"err") => return true,
        // A setting: `panic=abort`.
        [b'=', ..] if is(word, b"panic") => return true,
        // Why V8 and Java collect garbage.
        [b';' | b')', ..] if ends_with(before, b"allocation ") => return true,
        // A program: one of its arguments, or before its number.
        [b'"', ..] if word == b"timeout" && is_item(before) => return true,
        [b' ', ..] if word == b"timeout" && is_numbered(after) => return true,
        _ => {}
    }
    match before {
        [.., b'/' | b'\\' | b'_'] => true,
        [.., previous, b'-' | b'@' | b'#' | b'.'] => is_name(*previous),
        _ => false,
    }
}

/// Whether a list, or a value before, stands before a quote.
fn is_item(before: &[u8]) -> bool {
    matches!(before, [.., b'[' | b',', b'"'] | [.., b',', b' ', b'"'])
}

/// Whether blanks and a number of a process follow.
fn is_numbered(after: &[u8]) -> bool {
    let word = after.trim_ascii_start().split(|byte| *byte == b' ').next().unwrap_or_default();
    word.len() > 1 && word.iter().all(u8::is_ascii_digit)
}

/// A word of what a URL asks for: `/search?q=error`.
fn is_in_query(before: &[u8]) -> bool {
    matches!(before, [.., b'=' | b'+' | b'&' | b'?'])
        && before.iter().rev().take_while(|byte| !b" \t\"'".contains(byte)).any(|b| *b == b'?')
}

/// Whether `text` ends so, in any case.
fn ends_with(text: &[u8], end: &[u8]) -> bool {
    text.len().checked_sub(end.len()).is_some_and(|at| is(&text[at..], end))
}

/// What stands before the word says that it is none, or only the name of something.
fn is_said_of(before: &[u8], word: &[u8], after: &[u8]) -> bool {
    // An option or its value: `--warn`, `--log-level=error`, `-D warnings`, `failurePolicy: Fail`.
    const VALUES: [&[u8]; 3] = [b"log-level=", b"log_level=", b"loglevel="];
    const OPTIONS: [&[u8]; 3] = [b" -d ", b" -w ", b"policy: "];
    // An entry of a tree of files.
    const BRANCHES: [&str; 4] = ["── ", "|-- ", "`-- ", "+-- "];
    let any = |ends: &[&[u8]]| ends.iter().any(|end| ends_with(before, end));
    match before {
        [.., b'-', b'-'] => return true,
        [.., b'='] => return any(&VALUES),
        // An event: `OnFailure`, `onError`.
        [rest @ .., b'o' | b'O', b'n' | b'N'] => {
            return word[0].is_ascii_uppercase() && !rest.last().is_some_and(|byte| is_name(*byte));
        }
        [.., b' '] => {
            let is_entry =
                || after.is_empty() && BRANCHES.iter().any(|end| before.ends_with(end.as_bytes()));
            if any(&OPTIONS) || is_entry() {
                return true;
            }
        }
        [.., last] if last.is_ascii_whitespace() => {}
        _ => return false,
    }
    let lead = before.trim_ascii_end();
    let at = lead.iter().rposition(|byte| !is_name(*byte)).map_or(0, |at| at + 1);
    let (rest, last) = lead.split_at(at);
    // `0 errors`, and not `1.0 errors`.
    let is_nought = |rest: &[u8]| {
        !rest.last().is_some_and(|byte| b".,=:".contains(byte) || byte.is_ascii_digit())
    };
    match (rest, last) {
        (_, b"0") => before.ends_with(b" ") && is_nought(rest),
        // `0 input errors`, and at the start of a part `0 output buffer failures`.
        ([rest @ .., b'0', b' '], _) if is_nought(rest) => true,
        ([.., b' '], _) if word.ends_with(b"s") && is_part_of_nought(rest) => true,
        _ => says_none(last),
    }
}

/// Whether a part of a line begins with `0` and has nothing but words up to here.
fn is_part_of_nought(before: &[u8]) -> bool {
    let sign = before.iter().rposition(|byte| !is_name(*byte) && *byte != b' ');
    let is_part = match sign {
        Some(at) => b",;(\t".contains(&before[at]),
        None => before.len() < NEAR,
    };
    is_part && before[sign.map_or(0, |at| at + 1)..].trim_ascii_start().starts_with(b"0 ")
}

/// `no errors`, `without error`; the same in other languages.
fn says_none(word: &[u8]) -> bool {
    let all: &[&[u8]] = match word.len() {
        2 => &[b"no", b"if", b"on"],
        3 => &[b"any"],
        4 => &[b"zero", b"kein", b"ohne", b"sans"],
        5 => &[b"keine", b"aucun", b"senza"],
        6 => &[b"ignore", b"handle", b"aucune", b"nessun"],
        7 => &[b"without"],
        8 => &[b"standard"],
        _ => &[],
    };
    all.iter().any(|none| none[0] == word[0] | 0x20 && is(word, none))
}

/// What a thing is about: `error handling`, `an error detector`; `RX errors 0`, and the flags of `lspci`:
/// `FatalErr-`.
fn is_about(word: &[u8], after: &[u8]) -> bool {
    const ABOUT: [&[u8]; 11] = [
        b"handling",
        b"handler",
        b"detect",
        b"correct",
        b"checking",
        b"descripti",
        b"recovery",
        b"reporting",
        b"tracking",
        b"tolera",
        b"status: ok",
    ];
    let ends = |rest: &[u8]| rest.first().is_none_or(|byte| b" \t,;\r".contains(byte));
    match after {
        [b' ', b'0', rest @ ..] => {
            ends(rest) && word.last().is_some_and(|last| b"sSdD".contains(last))
        }
        [b' ', first, ..] => ABOUT.iter().any(|about| {
            let follows = after.get(1..=about.len());
            first.eq_ignore_ascii_case(&about[0])
                && follows.is_some_and(|follows| is(follows, about))
        }),
        [b'-', rest @ ..] => ends(rest) && is(word, b"err"),
        _ => false,
    }
}

/// `errors: 0`, `"error": null`, `failed=0,`.
fn is_nothing(after: &[u8]) -> bool {
    const NOTHING: [&[u8]; 13] = [
        b"0",
        b"null",
        b"none",
        b"None",
        b"nil",
        b"false",
        b"[]",
        b"{}",
        b"\"\"",
        b"''",
        b"no",
        b"-",
        b"undefined",
    ];
    // In Japanese it follows.
    let is_japanese = after.first() == Some(&0xe3);
    if is_japanese && ["なし", "はありません"].iter().any(|none| after.starts_with(none.as_bytes()))
    {
        return true;
    }
    let value = after.trim_ascii_start();
    let value = value.strip_prefix(b"\"").unwrap_or(value);
    let [sign @ (b':' | b'='), value @ ..] = value.trim_ascii_start() else { return false };
    let value = value.trim_ascii_start();
    if value.starts_with(b"No known") || value.starts_with(b"Not Provided") {
        return true;
    }
    // After a colon a sentence may follow that begins so: `error: 0 is not a type`.
    let ends_so = |rest: &[u8]| match rest.first() {
        None => true,
        Some(byte) => b",;}])|\r".contains(byte) || (*sign == b'=' && *byte == b' '),
    };
    NOTHING.iter().any(|nothing| {
        value.first() == nothing.first() && value.strip_prefix(*nothing).is_some_and(ends_so)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_only_mentioned_is_noise() {
        for (before, word, after) in [
            ("found 0 ", "errors", ", 3 tests"),
            ("Lauf 7: keine ", "Fehler", ""),
            ("12:00 aucune ", "erreur", ""),
            ("処理7: ", "エラー", "なし"),
            ("with no ", "errors", ""),
            ("", "failures", ":"),
            ("src/", "errors", ".py"),
            ("node_modules/es-", "errors", "@1.3"),
            ("{\"", "error", "\": null,"),
            ("2 passed; ", "failed", "=0 "),
            ("=> ", "Err", "(e)"),
            ("\"GET /find?page=2&q=", "error", " HTTP/1.1\" 200"),
            ("http://h/find?q=an+", "error", "+page"),
            ("see http_", "error", "_log"),
            ("weir --", "warn", "=x"),
            ("run --log-level=", "error", " x"),
            ("restartPolicy: On", "Failure", ""),
            ("├── ", "errors", ""),
            ("Advanced ", "Error", " Reporting"),
            ("RX ", "errors", " 0  dropped 0"),
            ("DevSta: Corr", "Err", "- NonFatal"),
            ("  ", "Vulnerability", " Itlb multihit:     Not affected"),
            ("console=ttyS0 ", "panic", "=1"),
            ("     0 input ", "errors", ", 0 CRC, 0 frame"),
            ("  0 output buffer ", "failures", ", 0 output buffers swapped out"),
            ("5 drops, 0 bad packet header ", "errors", ""),
            ("", "Critical", " Composite Temperature Time\t: 0"),
            ("\"", "error", "\": undefined,"),
            ("[\"bash\",\"", "timeout", "\"]"),
            ("", "timeout", "   4711 root  cwd"),
            ("Port ", "Error", " Status: OK"),
            ("[GC (Allocation ", "Failure", ") 65536K"),
        ] {
            assert!(
                is_noise(before.as_bytes(), word.as_bytes(), after.as_bytes()),
                "{before}{word}{after}"
            );
        }
        for (before, word, after) in [
            ("", "error", ": x"),
            ("found 10 ", "errors", ""),
            ("10 input ", "errors", ", 0 CRC"),
            ("  10 output buffer ", "failures", ""),
            ("ended with 0 but for one ", "error", ""),
            ("", "Critical", " Composite Temperature Time: 10"),
            ("", "error", " at line 4: got 0"),
            ("1.0 input ", "errors", ", 0 CRC"),
            ("main.c:4: ", "error", ": 0 is not a type"),
            ("npm ", "ERR!", " code E404"),
            ("\"level\":\"", "error", "\",\"msg\":\"x\""),
            ("failed=0 ", "errors", "=2"),
            ("RX ", "errors", " 07"),
            ("level=", "error", " msg=x"),
            ("Connection", "Error", ": x"),
            ("├── ", "ERROR", ": x"),
            ("{\"cause\":\"", "timeout", "\", \"n\": 1}"),
            ("", "timeout", " after 30 s"),
            ("memory allocation ", "failure", ": x"),
        ] {
            assert!(
                !is_noise(before.as_bytes(), word.as_bytes(), after.as_bytes()),
                "{before}{word}{after}"
            );
        }
    }
}
