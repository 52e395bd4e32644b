//! Finds the lines that hold a word of interest, such as "error", and how grave they are.
//!
//! Four bytes decide whether a word may start somewhere: they make three pairs, and each pair, folded
//! to ten bits so that case falls away, has a table entry that says which words it fits at which
//! place. Three look-ups and two ANDs a byte, with hardly a branch, go past most of a text. The idea
//! is that of the "Teddy" matchers in Hyperscan, done with plain loads. What passes is compared with
//! the words, so that folding costs time only.

use std::cell::Cell;
use std::collections::VecDeque;

use crate::content::scan::each_line;
use crate::content::template::{
    Level, Said, fields, is_chained, is_exception, is_link, is_status, number_of_request, status,
};
use crate::limits::READ_BYTES;
use crate::sort::sort_by;
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::manner::{self, AROUND, Manner, has_passed, is_description};
use crate::spill::severity::{PHRASES, Severity, is, is_noise};

/// Longest word that is looked for, in bytes; the rest of a longer one is ignored.
const WORD_MAX_BYTES: usize = 64;

/// Words to look for.
pub struct Words {
    words: Vec<Word>,
    // Where the words begin that start with a pair of bytes; the last is their end.
    starts: Box<[u16; PAIRS + 1]>,
    // For each pair of bytes, a byte for each of its three places in a word: a bit for each group of
    // words that have it there.
    pairs: Box<[u32; PAIRS]>,
    // Bytes in the longest word.
    max: usize,
    manner: Manner,
    // Where the line begins that was last asked whether it is a sentence, and what came of it.
    sentence: Cell<(usize, bool)>,
}

/// A word to look for. Most that start alike are told apart by their first bytes at once.
struct Word {
    head: u64,
    // The bytes of `head` that are the word's.
    mask: u64,
    // What follows the head.
    rest: Vec<u8>,
    length: usize,
    severity: Severity,
}

impl Word {
    fn new(word: &[u8], severity: Severity) -> Word {
        let mask = u64::MAX >> (8 * HEAD_BYTES.saturating_sub(word.len()));
        let rest = word.get(HEAD_BYTES..).unwrap_or_default().to_vec();
        Word { head: head(word), mask, rest, length: word.len(), severity }
    }
}

/// The first bytes in small letters; zeros stand for those that there are not.
fn head(bytes: &[u8]) -> u64 {
    let mut head = [0; HEAD_BYTES];
    match bytes.first_chunk() {
        Some(bytes) => head = *bytes,
        None => head[..bytes.len()].copy_from_slice(bytes),
    }
    u64::from_le_bytes(head.map(|byte| byte.to_ascii_lowercase()))
}

/// Bytes of a word that are compared at once.
const HEAD_BYTES: usize = 8;

/// Folded pairs of bytes.
const PAIRS: usize = 1024;

/// Groups of words that share a bit.
const GROUPS: usize = 8;

/// Bytes that decide whether a word may start.
const START_BYTES: usize = 4;

impl Words {
    /// What says that something went wrong, where `words` are the usual ones: these and all phrases
    /// that are known. Else `words` alone, each as an error.
    pub fn telling(words: &[String], usual: bool) -> Option<Words> {
        if !usual {
            return Words::new(words);
        }
        let known = PHRASES.iter().flat_map(|(severity, phrases)| {
            phrases.lines().map(move |phrase| (phrase.as_bytes().to_vec(), *severity))
        });
        Words::of(known.collect())
    }

    /// The words in any case. Words of a single byte are left out; nothing when none is left.
    pub fn new(words: &[String]) -> Option<Words> {
        let words =
            words.iter().map(|word| word.trim().as_bytes()).filter(|word| word.len() > 1).map(
                |word| {
                    let word = word[..word.len().min(WORD_MAX_BYTES)].to_ascii_lowercase();
                    let severity =
                        if word.starts_with(b"warn") { Severity::Warning } else { Severity::Error };
                    (word, severity)
                },
            );
        Words::of(words.collect())
    }

    fn of(mut words: Vec<(Vec<u8>, Severity)>) -> Option<Words> {
        // Of words that start alike the longest is tried first, and words of one start are neighbors.
        let start = |word: &[u8]| pair(word[0], word[1]);
        sort_by(&mut words, |(a, _), (b, _)| start(a).cmp(&start(b)).then_with(|| b.cmp(a)));
        words.dedup_by(|(a, _), (b, _)| a == b);
        let mut starts = Box::new([0; PAIRS + 1]);
        for (folded, first) in starts.iter_mut().enumerate() {
            *first = words.partition_point(|(word, _)| start(word) < folded) as u16;
        }
        let max = words.iter().map(|(word, _)| word.len()).max()?;
        let mut pairs = Box::new([0; PAIRS]);
        for (i, (word, _)) in words.iter().enumerate() {
            // Neighbors in order start alike: they are best kept together.
            let group = 1u32 << (i * GROUPS / words.len());
            for place in 0..START_BYTES - 1 {
                let bit = group << (GROUPS * place);
                match word.get(place..place + 2) {
                    Some(&[a, b]) => pairs[pair(a, b)] |= bit,
                    // Too short to say anything here: every pair fits.
                    _ => pairs.iter_mut().for_each(|bits| *bits |= bit),
                }
            }
        }
        let words = words.iter().map(|(word, severity)| Word::new(word, *severity)).collect();
        let sentence = Cell::new((usize::MAX, false));
        Some(Words { words, starts, pairs, max, manner: Manner::Reports, sentence })
    }

    /// The same words in a text of that manner.
    pub fn in_manner(self, manner: Manner) -> Words {
        Words { manner, ..self }
    }

    /// All words of a text that mean what they say: where each is, and how grave.
    pub(super) fn all(&self, text: &[u8]) -> impl Iterator<Item = (usize, usize, Severity)> {
        let next = move |from: usize| self.find(text, (from, text.len()), None);
        std::iter::successors(next(0), move |(_, end, _)| next(*end))
    }

    /// The first word that starts in `from..to`, is graver than `above` and means what it says: its
    /// bytes in `haystack`, half-open.
    fn find(
        &self,
        haystack: &[u8],
        (from, to): (usize, usize),
        above: Option<Severity>,
    ) -> Option<(usize, usize, Severity)> {
        self.sentence.set((usize::MAX, false));
        let mut start = from;
        // The last starts have no four bytes and are compared at once.
        let last = to.min(haystack.len().saturating_sub(START_BYTES - 1));
        while start < last {
            let bits = |a: u8, b: u8| self.pairs[pair(a, b)];
            let (mut first, mut second) = (
                bits(haystack[start], haystack[start + 1]),
                bits(haystack[start + 1], haystack[start + 2]),
            );
            let candidate =
                haystack[start + 2..last + START_BYTES - 1].windows(2).position(|two| {
                    let third = bits(two[0], two[1]);
                    let fit = first & (second >> GROUPS) & (third >> (2 * GROUPS)) & 0xff;
                    (first, second) = (second, third);
                    fit != 0
                });
            let Some(candidate) = candidate else { break };
            start += candidate;
            if let Some((end, severity)) = self.word_at(haystack, start, above) {
                return Some((start, end, severity));
            }
            start += 1;
        }
        (start.max(last)..to.min(haystack.len())).find_map(|start| {
            let (end, severity) = self.word_at(haystack, start, above)?;
            Some((start, end, severity))
        })
    }

    fn is_meant(&self, haystack: &[u8], (start, end): (usize, usize)) -> bool {
        let word = &haystack[start..end];
        let before = &haystack[start.saturating_sub(AROUND)..start];
        let before = &before[memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..];
        let after = &haystack[end..haystack.len().min(end + AROUND)];
        let after = &after[..memchr::memchr(b'\n', after).unwrap_or(after.len())];
        if is_noise(before, word, after) {
            return false;
        }
        // Else the line goes on beyond what is looked at.
        let starts = before.len() < AROUND;
        let ends = after.len() < AROUND;
        let line_start = start - before.len();
        let line = &haystack[line_start..end + after.len()];
        let place = (before.len(), before.len() + word.len());
        let is_sentence = || {
            if self.sentence.get().0 != line_start {
                self.sentence.set((line_start, manner::is_sentence(line)));
            }
            self.sentence.get().1
        };
        !has_passed(before, after, starts, ends)
            && !is_description(before, after, starts)
            && self.manner.reports(line, place, starts, &is_sentence)
    }

    fn word_at(
        &self,
        haystack: &[u8],
        start: usize,
        above: Option<Severity>,
    ) -> Option<(usize, Severity)> {
        let &[a, b, ..] = &haystack[start..] else { return None };
        let (from, to) = (self.starts[pair(a, b)], self.starts[pair(a, b) + 1]);
        let head = head(&haystack[start..]);
        self.words[usize::from(from)..usize::from(to)].iter().find_map(|word| {
            if (head ^ word.head) & word.mask != 0 || Some(word.severity) <= above {
                return None;
            }
            let end = start + word.length;
            let rest = haystack.get(end - word.rest.len()..end)?;
            (is(rest, &word.rest)
                && is_whole(haystack, start, end)
                && self.is_meant(haystack, (start, end)))
            .then_some((end, word.severity))
        })
    }
}

#[inline]
fn pair(a: u8, b: u8) -> usize {
    usize::from(a & 31) << 5 | usize::from(b & 31)
}

/// Whether no letter, digit or `_` adjoins. A capital after a small letter starts a word too: the
/// error of `TypeError` is one.
fn is_whole(haystack: &[u8], start: usize, end: usize) -> bool {
    let in_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let before = start.checked_sub(1).map(|at| haystack[at]);
    // A sign at the start or the end of a phrase is its own edge.
    let starts = !in_word(haystack[start])
        || !before.is_some_and(in_word)
        || (haystack[start].is_ascii_uppercase() && before.is_some_and(|b| b.is_ascii_lowercase()));
    starts && (!in_word(haystack[end - 1]) || !haystack.get(end).copied().is_some_and(in_word))
}

/// A line that holds a word.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Hit {
    /// The line's number, from 1.
    pub line: u64,
    /// Where the line starts, in bytes.
    pub line_start: u64,
    /// Where its gravest word starts, in bytes: the first such.
    pub word_start: u64,
    /// One past the last byte of that word.
    pub word_end: u64,
    /// How grave it is.
    pub severity: Severity,
    /// Whether the line above has told of it already: then it is no other.
    pub is_told: bool,
    /// Whether a level or a status of its own says so, or a value makes it rare: not a word, its form or a name alone.
    pub is_sure: bool,
}

impl Hit {
    /// A line that begins at a byte, and has something that nearly all others do not have.
    pub(super) fn rare(line: u64, at: u64) -> Hit {
        Hit { is_sure: true, ..Hit::odd(line, at, at) }
    }

    /// A line that is of interest from a byte of it on, whatever words it has.
    pub(super) fn odd(line: u64, line_start: u64, at: u64) -> Hit {
        let severity = Severity::Warning;
        Hit {
            line,
            line_start,
            word_start: at,
            word_end: at,
            severity,
            is_told: false,
            is_sure: false,
        }
    }
}

/// Lines of one severity.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Kept {
    /// How many there are.
    pub lines: u64,
    /// The first of them.
    pub first: Vec<Hit>,
    /// The last of those that are not among the first.
    pub last: VecDeque<Hit>,
}

/// The lines that hold a word.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Hits {
    /// How many lines do.
    pub lines: u64,
    /// By severity, mildest first.
    pub by: [Kept; Severity::ALL.len()],
    /// Requests that were answered by a status of 400 and more, and of 500.
    pub statuses: [Kept; 2],
}

impl Hits {
    /// Whether the line is among those that are kept.
    pub fn holds(&self, line: u64) -> bool {
        self.kept(line).is_some()
    }

    /// Whether it is, and does not tell once more what another line has told.
    pub fn counts(&self, line: u64) -> bool {
        self.kept(line).is_some_and(|hit| !hit.is_told)
    }

    #[inline(never)]
    fn kept(&self, line: u64) -> Option<&Hit> {
        let kept = self.by.iter().chain(&self.statuses);
        kept.flat_map(|kept| kept.first.iter().chain(&kept.last)).find(|hit| hit.line == line)
    }

    fn keep(&mut self, hit: Hit, keep: usize) {
        self.lines += u64::from(!hit.is_told);
        self.by[hit.severity as usize].push(hit, keep);
    }
}

impl Kept {
    fn push(&mut self, hit: Hit, keep: usize) {
        self.lines += u64::from(!hit.is_told);
        if self.first.len() < keep {
            self.first.push(hit);
        } else if keep > 0 {
            if self.last.len() == keep {
                self.last.pop_front();
            }
            self.last.push_back(hit);
        }
    }
}

/// Bytes of a line in which its level is looked for, and a word where it names none.
const LEVELLED_BYTES: usize = 4_096;

/// Lines of a sample that tell whether it is an access log.
const REQUESTS: usize = 200;

/// How lines say themselves how grave they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    /// By a word or a number for it.
    Named,
    /// By the status of a request, some perhaps by a level.
    Statuses,
    /// By the status in the field at this place, which the head of the log names.
    Field(usize),
}

/// Where a log of W3C's extended format, as IIS and CloudFront write it, has the status.
fn status_field(sample: &[u8]) -> Option<usize> {
    let at = memchr::memmem::find(&sample[..sample.len().min(FIELDS_BYTES)], b"#Fields: ")?;
    let names = sample[at..].split(|byte| b"\r\n".contains(byte)).next()?;
    names[b"#Fields: ".len()..].split(|byte| *byte == b' ').position(|name| name == b"sc-status")
}

/// Bytes at the start of a log in which its fields are named.
const FIELDS_BYTES: usize = 4_096;

impl Levels {
    /// How most lines of a sample do, if they do.
    pub fn of(sample: &[u8]) -> Option<Levels> {
        if let Some(field) = status_field(sample) {
            return Some(Levels::Field(field));
        }
        let (mut all, mut named, mut requests, mut others) = (0, 0, 0, 0);
        for line in sample.split(|byte| *byte == b'\n') {
            let text = line.trim_ascii();
            if text.is_empty() || text.starts_with(b"at ") || is_exception(text) {
                continue;
            }
            all += 1;
            named += usize::from(Level::of(line).is_some());
            if all <= REQUESTS
                && let Some((number, _)) = number_of_request(line)
            {
                *if is_status(number) { &mut requests } else { &mut others } += 1;
            }
        }
        match () {
            // Sizes and counts are some statuses by chance.
            () if all > 2 && requests * 4 >= all.min(REQUESTS) && others * 10 <= requests => {
                Some(Levels::Statuses)
            }
            () => (all > 2 && named * 2 >= all).then_some(Levels::Named),
        }
    }
}

fn graveness(level: Level) -> Option<Severity> {
    match level {
        Level::Fatal => Some(Severity::Fatal),
        Level::Error => Some(Severity::Error),
        Level::Warn => Some(Severity::Warning),
        _ => None,
    }
}

/// Lines of one exception that are kept beside the one that reports it.
const BESIDE: usize = 3;

/// As [`scan`], for lines that say themselves how grave they are, which is then all that counts: what a message mentions
/// is no error of its line. `said` is what is known of the first lines.
///
/// # Errors
/// As [`Source::read_at`].
pub fn scan_levels(
    source: &dyn Source,
    words: &Words,
    (start, end): (u64, u64),
    keep: usize,
    (levels, said): (Levels, &[Said]),
) -> Result<Hits, ReadError> {
    let mut hits = Hits::default();
    // How grave the record at hand is, and how many more of its lines are kept.
    let (mut record, mut beside) = (None, 0);
    each_line(source, LEVELLED_BYTES, |line| {
        if line.start < start || line.start >= end {
            return;
        }
        let text = line.prefix;
        let hit = |(from, to): (usize, usize), severity, is_told, is_sure| Hit {
            line: line.number,
            line_start: line.start,
            word_start: line.start + from as u64,
            word_end: line.start + to as u64,
            severity,
            is_told,
            is_sure,
        };
        let request = match levels {
            Levels::Named => None,
            Levels::Statuses => status(text),
            Levels::Field(field) => fields(text).get(field).cloned().and_then(|place| {
                let status = std::str::from_utf8(&text[place.clone()]).ok()?.parse().ok()?;
                Some((status, place))
            }),
        };
        if let Some((400.., place)) = &request {
            let kept = &mut hits.statuses[usize::from(text[place.start] > b'4')];
            kept.push(hit((place.start, place.end), Severity::Error, false, true), keep);
            hits.lines += 1;
            return;
        }
        let named = match said.get(line.number as usize - 1) {
            Some(Said::NoFault) => {
                (record, beside) = (None, BESIDE);
                return;
            }
            Some(Said::Nothing) => None,
            Some(Said::More) | None => Level::of(text),
        };
        if let Some((level, word)) = named {
            (record, beside) = (graveness(level), BESIDE);
            if let Some(severity) = record {
                hits.keep(hit((word.start, word.end), severity, false, true), keep);
            }
            return;
        }
        let mut found = None;
        while request.is_none()
            && let Some(more) = words.find(
                text,
                (found.map_or(0, |(_, end, _)| end), text.len()),
                found.map(|(.., severity)| severity),
            )
        {
            found = Some(more);
        }
        let Some((from, to, severity)) = found else { return };
        let goes_on = text.first().is_some_and(u8::is_ascii_whitespace) || is_exception(text);
        match record.filter(|_| goes_on) {
            Some(_) if beside == 0 => {}
            Some(record) => {
                beside -= 1;
                hits.keep(hit((from, to), record, true, true), keep);
            }
            None => {
                (record, beside) = (Some(severity), BESIDE);
                hits.keep(hit((from, to), severity, false, false), keep);
            }
        }
    })?;
    Ok(hits)
}

/// Bytes of the shortest line that is an exception: `Error:`.
const EXCEPTION_MIN: usize = 6;

/// Lines of a stack between two with a word.
const STACK: u64 = 4;

/// What the last line with a word was.
#[derive(Clone, Copy)]
struct Last {
    line: u64,
    is_exception: bool,
    /// Whether a stack follows.
    is_trace: bool,
    /// Whether it says that another exception follows.
    is_link: bool,
}

/// Whether a line that is an exception or set in goes on with an exception that the last line with a word has told of:
/// right below it, or below its stack. `before` is what stands above it.
fn goes_on(before: &[u8], text: &[u8], last: Option<Last>, line: u64) -> bool {
    let Some(Last { line: told, is_exception: is_one, is_trace, is_link }) = last else {
        return false;
    };
    if text.first().is_some_and(u8::is_ascii_whitespace) {
        return is_trace && line - told <= STACK;
    }
    // The next of several, one below the other.
    if text.starts_with(b"Traceback ") && is_one {
        return is_link;
    }
    if told + 1 == line {
        return !is_one || is_chained(text);
    }
    let before = before.strip_suffix(b"\n").unwrap_or(before);
    let above = &before[memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..];
    let is_inset = above.first().is_none_or(u8::is_ascii_whitespace);
    is_inset && (is_trace || is_chained(text))
}

/// Finds the lines in `start..end` that hold one of `words`, and keeps the first and the last
/// `keep` of each severity. `start` is where line `line` begins.
///
/// # Errors
/// As [`Source::read_at`].
#[expect(clippy::too_many_lines, reason = "one pass in pieces, whose places each step moves")]
pub fn scan(
    source: &dyn Source,
    words: &Words,
    (start, end): (u64, u64),
    line: u64,
    keep: usize,
) -> Result<Hits, ReadError> {
    let end = end.min(source.len());
    let mut hits = Hits::default();
    let mut line = line;
    let mut line_start = start;
    let mut buf: Vec<u8> = Vec::with_capacity(READ_BYTES + WORD_MAX_BYTES + 2);
    // Where `buf` begins in the source; up to where words were looked for and line feeds counted.
    let (mut base, mut from, mut counted) = (start, 0, 0);
    let mut pending: Option<Hit> = None;
    // How grave the line is so far: in the rest of it only what is graver matters, so that a line
    // full of words costs no more than one that has a few.
    let mut above: Option<Severity> = None;
    let mut last: Option<Last> = None;
    loop {
        let filled = buf.len();
        let at = base + filled as u64;
        buf.resize(filled + end.saturating_sub(at).min(READ_BYTES as u64) as usize, 0);
        let n = source.read_at(at, &mut buf[filled..])?;
        buf.truncate(filled + n);
        let is_end = n == 0 || at + n as u64 >= end;
        // A word that starts later might go on, or be told from a part of one, in the next chunk.
        let to = if is_end { buf.len() } else { buf.len().saturating_sub(words.max + AROUND) };
        while from < to {
            let newline = match above {
                Some(_) => memchr::memchr(b'\n', &buf[from..to]).map(|newline| from + newline),
                None => None,
            };
            let until = newline.unwrap_or(to);
            // No word has a single byte, and none goes on in the next line.
            let found = match above {
                Some(Severity::Fatal) => None,
                Some(_) if newline.is_some() && until - from < 2 => None,
                _ => words.find(&buf, (from, until), above),
            };
            let Some((word_start, word_end, severity)) = found else {
                from = until;
                if newline.is_some() {
                    above = None;
                    from += 1;
                    line += 1;
                    line_start = base + from as u64;
                    counted = from;
                }
                continue;
            };
            let passed = &buf[counted..word_start];
            line += count_newlines(passed);
            if let Some(newline) = memchr::memrchr(b'\n', passed) {
                line_start = base + (counted + newline) as u64 + 1;
            }
            counted = word_start;
            let start = line_start.saturating_sub(base) as usize;
            let is_first = above.is_none() && line_start >= base;
            // What calls itself a warning is none of what its message mentions.
            let is_own = severity == Severity::Warning
                && is_first
                && matches!(buf.get(word_end), Some(b':' | b']'));
            // An exception ends in one of two words, or begins as few lines do.
            let may_go_on = is_first
                && (matches!(word_end - word_start, 5 | 9)
                    || matches!(
                        buf.get(start),
                        Some(b' ' | b'\t' | b'C' | b'S' | b'-' | b'T' | b'D' | b'E')
                    ));
            let text = match may_go_on {
                true => {
                    let rest = &buf[word_end..];
                    let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
                    // Of a long line what is near.
                    &buf[start..word_end + length.min(AROUND)]
                }
                false => &[],
            };
            let mut is_told = above.is_some() && pending.as_ref().is_some_and(|hit| hit.is_told);
            if is_first {
                let is_exception = may_go_on && text.len() >= EXCEPTION_MIN && is_exception(text);
                is_told = (is_exception || text.first().is_some_and(u8::is_ascii_whitespace))
                    && goes_on(&buf[..start], text, last, line);
                let is_trace = is_exception && is_chained(text)
                    || (is_told && last.is_some_and(|last| last.is_trace));
                let is_link = is_exception && is_link(text);
                last = Some(Last { line, is_exception, is_trace, is_link });
            }
            let hit = Hit {
                line,
                line_start,
                word_start: base + word_start as u64,
                word_end: base + word_end as u64,
                severity,
                is_told,
                is_sure: false,
            };
            if let Some(before) = pending.replace(hit)
                && above.is_none()
            {
                hits.keep(before, keep);
            }
            above = Some(if is_own { Severity::Fatal } else { severity });
            from = word_end;
        }
        if is_end {
            if let Some(last) = pending {
                hits.keep(last, keep);
            }
            return Ok(hits);
        }
        // What is before the next start stays, to see whether a word begins there.
        let drop = from.saturating_sub(AROUND);
        if counted < drop {
            let passed = &buf[counted..drop];
            line += count_newlines(passed);
            if let Some(newline) = memchr::memrchr(b'\n', passed) {
                line_start = base + (counted + newline) as u64 + 1;
            }
            counted = drop;
        }
        buf.drain(..drop);
        base += drop as u64;
        from -= drop;
        counted -= drop;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::TransformSettings;
    use proptest::prelude::*;

    fn words() -> Words {
        Words::new(&TransformSettings::default().anchor_words).unwrap()
    }

    fn lines(text: &str) -> Vec<u64> {
        let hits = scan(&text.as_bytes(), &words(), (0, u64::MAX), 1, 99).unwrap();
        let mut lines: Vec<u64> =
            hits.by.iter().flat_map(|kept| kept.first.iter().map(|hit| hit.line)).collect();
        crate::sort::sort_numbers(&mut lines);
        lines
    }

    #[test]
    fn only_whole_words_count() {
        assert!(
            lines("assume\ncountry\nfailover\nterror\nerror_code\nerrored\nnot_failed").is_empty()
        );
        assert_eq!(
            lines("ERROR\nx\n[Error]: a\nTypeError: b\nWarn!\nit failed.\nnull error"),
            [1, 3, 4, 5, 6, 7]
        );
    }

    #[test]
    fn a_word_across_chunks_is_found() {
        for shift in 0..12 {
            let text = format!("{}\n failed\n", "x".repeat(READ_BYTES - 12 + shift));
            assert_eq!(lines(&text), [2], "{shift}");
            let text = format!("{}failed\n", "x".repeat(READ_BYTES - 12 + shift));
            assert!(lines(&text).is_empty(), "{shift}");
        }
    }

    #[test]
    fn what_calls_itself_a_warning_is_one() {
        let of = |line: &str| {
            let text = format!("{line}\nnext\n");
            let hits = scan(&text.as_bytes(), &words(), (0, u64::MAX), 1, 9).unwrap();
            hits.by.map(|kept| kept.lines)
        };
        for line in [
            "warning: could not compile, a fatal error",
            "a.c:1:2: warning: unused variable 'failed'",
            "2026-11-03 ##[warning]Unexpected input failed",
            "[Warning] aborted: the error is unknown",
        ] {
            assert_eq!(of(line), [1, 0, 0], "{line}");
        }
        for line in ["E: failed", "Warning failed", "error: one warning: x", "Why: it failed"] {
            assert_eq!(of(line), [0, 1, 0], "{line}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn it_agrees_with_looking_at_every_line(
            parts in proptest::collection::vec(
                prop_oneof![Just("error"), Just("fail"), Just(" "), Just("\n"), Just("WARN"), Just("x"), Just("PANICKED")], 0..40),
            pad in prop_oneof![Just(0usize), 65_400usize..65_600], keep in 0usize..4,
        ) {
            let text = format!("{}{}", "y ".repeat(pad / 2), parts.concat());
            let words = words();
            let mut at = 0;
            let naive: Vec<(u64, Severity)> = text.split('\n').zip(1..).filter_map(|(line, number)| {
                let start = at;
                at += line.len() + 1;
                let found = (start..start + line.len())
                    .filter_map(|at| words.word_at(text.as_bytes(), at, None))
                    .map(|(_, severity)| severity);
                Some((number, found.max()?))
            }).collect();
            let hits = scan(&text.as_bytes(), &words, (0, u64::MAX), 1, keep).unwrap();
            prop_assert_eq!(hits.lines, naive.len() as u64);
            for (severity, kept) in Severity::ALL.iter().zip(&hits.by) {
                let naive: Vec<u64> =
                    naive.iter().filter(|(_, of)| of == severity).map(|(line, _)| *line).collect();
                let first: Vec<u64> = kept.first.iter().map(|h| h.line).collect();
                let last: Vec<u64> = kept.last.iter().map(|h| h.line).collect();
                prop_assert_eq!(&first[..], &naive[..keep.min(naive.len())]);
                let rest = &naive[keep.min(naive.len())..];
                prop_assert_eq!(&last[..], &rest[rest.len().saturating_sub(keep)..]);
            }
            for hit in hits.by.iter().flat_map(|kept| kept.first.iter().chain(&kept.last)) {
                let before = &text[..hit.word_start as usize];
                prop_assert_eq!(hit.line_start as usize, before.rfind('\n').map_or(0, |at| at + 1));
            }
        }
    }
}
