//! Why something failed: the lines beside one that says that it did.
//!
//! Runners print a failure as a block: a head with its name, and below it, seldom above, what was expected and what
//! came. The words of a fault are often in one of the two alone.

use crate::content::kind::Kind;
use crate::content::scan::each_line_to;
use crate::content::template::{SHAPE_BYTES, mask};
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::anchor::{Hit, Hits};
use crate::spill::manner::has_passed;

/// Lines that are shown of a reason.
const REASONS: usize = 3;

/// Lines below and above one that tells, among which its reason is looked for.
const BELOW: usize = 16;
const ABOVE: usize = 6;

/// Bytes that these are read in, on either side.
const BELOW_BYTES: u64 = 3_072;
const ABOVE_BYTES: u64 = 1_024;

/// Bytes above a failure in which the start of its test is looked for.
const RUN_BYTES: u64 = 64 << 10;

/// Bytes in which heads are looked for that hold no word of a fault.
const HEAD_BYTES: u64 = 256 << 10;

/// Places at which a failure is looked for.
const PLACES: usize = 48;

/// Failures that are told of, at most.
const MOST: usize = 8;

/// What a line says of a failure.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Weight {
    /// A blank, a frame of a stack, code that is quoted.
    Nothing,
    /// Where it was, what kind it has, or that something follows.
    Lead,
    /// Any words.
    Words,
    /// What was expected, what came, or an error with its message.
    Why,
}

/// The failures in `start..end`, each with its head and the lines that say why. Those with clear reasons come first,
/// then by place.
pub(super) fn of(
    source: &dyn Source,
    hits: &Hits,
    (start, end): (u64, u64),
    kind: Kind,
) -> Result<Vec<Vec<Hit>>, ReadError> {
    let told = hits.by.iter().flat_map(|kept| &kept.first);
    let mut places: Vec<(u64, u64)> =
        told.take(PLACES).map(|hit| (hit.line, hit.line_start)).collect();
    let most = places.len() + PLACES;
    let mut head = None;
    // What pytest prints of tests that passed.
    let mut is_passed = false;
    // The lines of a log have levels.
    let last = if kind == Kind::Log { 0 } else { end.min(start + HEAD_BYTES) };
    each_line_to(source, last, SHAPE_BYTES, |line| {
        let text = line.prefix.trim_ascii();
        if line.start < start || line.start >= end || text.is_empty() {
            return;
        }
        if text.starts_with(b"===") {
            is_passed = memchr::memmem::find(text, b"= PASSES =").is_some();
        }
        // Heads that follow each other, or stand among what passed, are a list without reasons.
        let is_head = !is_passed && is_head(text);
        if let Some(place) = head.take().filter(|_| !is_head && !is_step(text))
            && places.len() < most
        {
            places.push(place);
        }
        head = (is_head || is_legend(text)).then_some((line.number, line.start));
    })?;
    crate::sort::sort_by_key(&mut places, |place| *place);
    let mut found: Vec<(bool, Vec<Hit>)> = Vec::new();
    let mut last = 0;
    for (line, at) in places {
        if line <= last {
            continue;
        }
        let (weight, lines) = block(source, hits, (line, at))?;
        if let Some(end) = lines.iter().map(|hit| hit.line).max().filter(|_| lines.len() > 1) {
            // Those that tell and follow each other are of one failure.
            last = (end..end + BELOW as u64).find(|line| !hits.holds(line + 1)).unwrap_or(end);
            found.push((weight < Weight::Why, lines));
        }
    }
    // Those of a few kinds stay in order.
    crate::sort::sort_by_key(&mut found, |(is_vague, lines)| (*is_vague, lines[0].line));
    let inside = |hit: &Hit| start <= hit.line_start && hit.line_start < end;
    let blocks = found.into_iter().take(MOST);
    Ok(blocks.map(|(_, lines)| lines.into_iter().filter(inside).collect()).collect())
}

/// The line at a place with those beside it that say why, and what the best of them says.
fn block(
    source: &dyn Source,
    hits: &Hits,
    (line, at): (u64, u64),
) -> Result<(Weight, Vec<Hit>), ReadError> {
    let below = source.read_range(at, at + BELOW_BYTES)?;
    let from = at.saturating_sub(ABOVE_BYTES);
    let above = source.read_range(from, at)?;
    let length = memchr::memchr(b'\n', &below).unwrap_or(below.len());
    let (head, rest) = below.split_at(length);
    let lines = numbered(rest.get(1..).unwrap_or_default(), line + 1, at + length as u64 + 1);
    // What tells only that something failed is known.
    let is_more =
        |(weight, number, _): &(Weight, u64, u64)| *weight == Weight::Why || !hits.holds(*number);
    let mut found = reasons(head, &mut { lines });
    found.retain(is_more);
    let best = |found: &[(Weight, u64, u64)]| found.iter().map(|reason| reason.0).max();
    let is_told =
        best(&found) == Some(Weight::Why) || (is_head(head.trim_ascii()) && !found.is_empty());
    if !is_told && let Some(above) = above.strip_suffix(b"\n") {
        let mut next = at;
        let lines = above.rsplit(|byte| *byte == b'\n').take(ABOVE).zip((1..line).rev());
        let lines = lines.map(|(text, number)| {
            next -= text.len() as u64 + 1;
            (number, next, text)
        });
        let more = reasons(head, &mut { lines });
        found.extend(more.into_iter().filter(is_more).take(REASONS - 1));
    }
    // Go tells of a test where it ran, and that it failed at the end of those around it.
    if best(&found) < Some(Weight::Why)
        && let Some(name) = failed_test(head)
    {
        let from = at.saturating_sub(RUN_BYTES);
        let before = source.read_range(from, at)?;
        let run = format!("=== RUN   {name}\n");
        if let Some(start) = memchr::memmem::find(&before, run.as_bytes()) {
            let next = start + run.len();
            let number = line - count_newlines(&before[next..]);
            let lines = numbered(&before[next..], number, from + next as u64);
            found.extend(reasons(head, &mut { lines }).into_iter().filter(is_more));
        }
    }
    crate::sort::sort_by_key(&mut found, |(weight, ..)| std::cmp::Reverse(*weight));
    found.truncate(REASONS);
    let weight = best(&found).unwrap_or(Weight::Nothing);
    // Beside a line that only sounds like one, any words are no reason.
    if weight < Weight::Why && !introduces(head) {
        return Ok((Weight::Nothing, Vec::new()));
    }
    let mut hits = vec![Hit::odd(line, at, at)];
    hits.extend(found.into_iter().map(|(_, number, start)| Hit::odd(number, start, start)));
    Ok((weight, hits))
}

/// The lines that say something, of those that follow `head` in either direction, up to the next failure or what
/// passed.
fn reasons(
    head: &[u8],
    lines: &mut dyn Iterator<Item = (u64, u64, &[u8])>,
) -> Vec<(Weight, u64, u64)> {
    let mut buffer = [0; SHAPE_BYTES];
    let shape = mask(head.trim_ascii(), &mut buffer);
    let is_below_head = introduces(head);
    let mut found: Vec<(Weight, u64, u64)> = Vec::new();
    let mut before: Vec<u8> = Vec::new();
    let mut blanks = 0;
    for (number, start, line) in lines {
        let text = line.trim_ascii();
        let mut buffer = [0; SHAPE_BYTES];
        let own = mask(text, &mut buffer);
        if is_step(text) || is_head(text) || (own == shape && !text.is_empty()) {
            break;
        }
        blanks = if text.is_empty() { blanks + 1 } else { 0 };
        if text.is_empty() && blanks < 2 {
            continue;
        }
        if blanks > 1 || label(head).is_some_and(|of| label(text).is_some_and(|own| own != of)) {
            break;
        }
        let weight = weight(text, is_below_head);
        // One of a series is no reason.
        if own == before && !starts_with_any(text, ["+", "-"]) {
            found.pop_if(|(_, last, _)| last.abs_diff(number) == 1);
            break;
        }
        before = own.to_vec();
        if is_frame(text) && !found.is_empty() {
            break;
        }
        if weight >= Weight::Words {
            found.push((weight, number, start));
        }
    }
    found
}

/// The lines that begin at a place, each with its number and place.
fn numbered(bytes: &[u8], first: u64, at: u64) -> impl Iterator<Item = (u64, u64, &[u8])> {
    let mut next = at;
    bytes.split(|byte| *byte == b'\n').take(BELOW).zip(first..).map(move |(text, number)| {
        let start = next;
        next += text.len() as u64 + 1;
        (number, start, text)
    })
}

/// The name of the test that a line of `go test -v` says has failed.
fn failed_test(line: &[u8]) -> Option<&str> {
    let name = std::str::from_utf8(line.trim_ascii().strip_prefix(b"--- FAIL: ")?).ok()?;
    name.split_once(" (").map(|(name, _)| name)
}

/// Whether what follows a line is of it.
fn introduces(line: &[u8]) -> bool {
    let text = line.trim_ascii();
    is_head(text) || text.ends_with(b":") || label(text).is_some()
}

/// What stands before the lines of one of several programs that write at once: `p09:test`.
fn label(line: &[u8]) -> Option<&[u8]> {
    let at = memchr::memmem::find(line, b": ")?;
    let label = &line[..at];
    (label.contains(&b':') && !label.contains(&b' ')).then_some(label)
}

pub(super) fn starts_with_any<'s>(text: &[u8], starts: impl IntoIterator<Item = &'s str>) -> bool {
    starts.into_iter().any(|start| text.starts_with(start.as_bytes()))
}

/// Whether a line is the head of a failure: by a sign, a number or a word at its start, or between two rules.
fn is_head(text: &[u8]) -> bool {
    const MARKS: &str = "\u{2715} |\u{2717} |\u{2718} |\u{2716} |\u{d7} |\u{25cf} |\u{274c} |\u{2a2f} |\
        not ok |--- FAIL|FAIL |FAIL:|FAIL\t|FAILED |FAILED:|[FAIL|[  FAILED|(fail) |ERROR: |*** |!! ";
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_numbered = (1..5).contains(&digits) && text[digits..].starts_with(b") ");
    const RULES: &str = "--- === ___ \u{2500}\u{2500}\u{2500} \u{2501}\u{2501}\u{2501}";
    let is_rule = |rule: &str| text.starts_with(rule.as_bytes()) && text.ends_with(rule.as_bytes());
    let is_ruled = || RULES.split(' ').any(is_rule) && text.iter().any(u8::is_ascii_alphabetic);
    // Most lines begin otherwise.
    let may = |first: &u8| first.is_ascii_digit() || b"nF[(E*!-=_\xc3\xe2".contains(first);
    // A version that is installed, a part of a difference.
    let is_marked = matches!(text, [b'*', b'*', b'*', b' ', b'0'..=b'9', ..]);
    text.first().is_some_and(may)
        && !is_marked
        && (is_numbered || starts_with_any(text, MARKS.split('|')) || is_ruled())
}

/// Whether a line says which side of the difference below it is which: `+ actual - expected`.
fn is_legend(text: &[u8]) -> bool {
    let has = |word: &str| memchr::memmem::find(text, word.as_bytes()).is_some();
    let may = text.len() < 80 && text.first().is_some_and(|first| b"+-D(".contains(first));
    may && (has("- actual") && has("+ expected") || has("+ actual") && has("- expected"))
}

/// Whether a line says that a test or a step passed or begins.
fn is_step(text: &[u8]) -> bool {
    const STEPS: &str = "=== |ok |ok\t|PASS|--- PASS|--- SKIP|# Subtest|(pass)|(skip)";
    has_passed(text, text, true, true)
        || (starts_with_any(text, STEPS.split('|')) && !is_head(text))
}

/// Whether a line is of a stack: `at f (a.js:1:2)`, `File "a.py", line 3`, `12: core::panic`.
fn is_frame(text: &[u8]) -> bool {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let is_numbered = digits > 0
        && text[digits..].starts_with(b": ")
        && text[digits + 2..].windows(2).any(|two| two == b"::");
    let has_place =
        || text.windows(2).any(|two| matches!(two, [b':', digit] if digit.is_ascii_digit()));
    is_numbered
        || (text.ends_with(b")") && text.contains(&b'(') && has_place())
        || (starts_with_any(text, ["at ", "from ", "in "]) && (has_place() || text.ends_with(b")")))
        || text.starts_with(b"File \"")
        || text.starts_with(b"#0 ")
}

/// What a line says of the failure that it stands beside, of which a head is known or not: sentences speak of errors too.
fn weight(text: &[u8], is_below_head: bool) -> Weight {
    const KEYS: &str = "expected|received|actual|left|right|got|want|wanted|have|error|message|reason|\
        cause|but was|but got|found|caused by";
    const SAID: &str = " !== | != | === | == |assert|rror: |xception: |failed: | -eq | got | want |expected | but | \
        should |Expected | does not |to equal";
    // From here on they are those of sentences.
    const SENTENCES: usize = 9;
    let text = text.strip_prefix(b"#").unwrap_or(text).trim_ascii();
    let text = text.strip_prefix(b"E  ").map_or(text, <[u8]>::trim_ascii);
    let is_word = |byte: &u8| byte.is_ascii_alphanumeric() || *byte >= 0x80;
    let code = text.iter().position(|byte| !b"> *".contains(byte)).unwrap_or(text.len());
    let digits = text[code..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let code = text[code + digits..].trim_ascii_start();
    let is_quoted = digits > 0 && starts_with_any(code, ["|", "\u{2502}"]);
    const NOTES: &str = "note:;help:;hint:;= note;= help;|;^;For more information";
    let is_note = starts_with_any(text, NOTES.split(';'));
    if !text.iter().any(|byte| byte.is_ascii_alphanumeric())
        || is_quoted
        || is_note
        || is_frame(text)
    {
        return Weight::Nothing;
    }
    let is_key =
        |key: &[u8]| KEYS.split('|').any(|known| known.as_bytes().eq_ignore_ascii_case(key));
    // One side of a difference, and what says which is which.
    if let [b'+' | b'-', side @ ..] = text
        && side.first().is_some_and(|byte| {
            !b"+-".contains(byte) && (is_below_head || !byte.is_ascii_alphabetic())
        })
    {
        let word = side.trim_ascii().split(|byte| !is_word(byte)).next().unwrap_or_default();
        return if is_key(word) { Weight::Lead } else { Weight::Why };
    }
    let colon = text.iter().position(|byte| b":=".contains(byte)).unwrap_or(text.len());
    let (key, value) = text.split_at(colon);
    let key = key.trim_ascii();
    let value = value.get(1..).unwrap_or_default().trim_ascii();
    let has_value = value.iter().any(is_word);
    if text.ends_with(b":") || !has_value && colon < text.len() {
        return Weight::Lead;
    }
    let said = || {
        let most = if is_below_head { usize::MAX } else { SENTENCES };
        let has = |said: &str| memchr::memmem::find(text, said.as_bytes()).is_some();
        SAID.split('|').take(most).any(has)
    };
    if (has_value && is_key(key)) || said() {
        return Weight::Why;
    }
    let is_single = |text: &[u8]| !text.iter().any(u8::is_ascii_whitespace);
    if (has_value && is_single(key) && is_single(value)) || is_single(text) {
        return Weight::Lead;
    }
    Weight::Words
}
