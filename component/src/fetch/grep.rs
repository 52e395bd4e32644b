//! Searches a blob line by line, a bounded piece of it at a time.
//!
//! Every match is counted, as `grep -o` would list them, and every line that has one, however long
//! lines are. A **hit** is what is shown: the first match of a line, and in a line longer than what
//! a hit shows the first match beyond what the hit before shows, so that all matches in a giant line
//! can be reached. A line is searched without its line feed and the carriage return before that.
//!
//! A line of more than [`GREP_WINDOW_BYTES`] is searched in windows that start at fixed distances
//! from the start of the line and overlap by [`GREP_OVERLAP_BYTES`]: a match is found wherever it
//! lies unless it is longer than the overlap. Where there may be one, [`GrepPage::windowed`] says
//! so. `^`, `$` and `\b` know that the edge of a window is none.
//!
//! One call scans [`GREP_SLICE_BYTES`], less where a regular expression looks at each byte, and says
//! where it stopped. A pattern that is too costly to go on with says so.

use super::buffer::Buffer;
use super::listing::{self, Layout, Line, Shown};
use super::literal::Nearest;
use super::pattern::{Matcher, Outcome, Search};
use super::position;
use crate::limits::{GREP_OVERLAP_BYTES, GREP_SLICE_BYTES, GREP_WINDOW_BYTES};
use crate::source::{Indexed, ReadError, count_newlines};

/// Lines of context a search may ask for on each side.
pub const MAX_CONTEXT_LINES: u32 = 20;

/// How a search is answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct GrepOptions {
    /// Whether lines are wanted that do not match.
    pub invert: bool,
    /// Lines of context before a hit; at most [`MAX_CONTEXT_LINES`].
    pub before: u32,
    /// Lines of context after a hit; at most [`MAX_CONTEXT_LINES`].
    pub after: u32,
    /// The most hits to show; 0 to count only.
    pub max_hits: usize,
    /// Characters shown of one line.
    pub line_chars: usize,
    /// Characters of all lines shown, as a listing shows them. The first hit is shown whatever this
    /// is.
    pub max_chars: usize,
    /// The byte to start at: 0, or the cursor of an earlier answer.
    pub from: u64,
}

/// Where a search goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Cursor {
    /// The byte: the start of a line, or a place in a long one.
    pub byte: u64,
    /// The number of that line.
    pub line: u64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrepPage {
    /// Hits and their context, in order.
    pub lines: Vec<Line>,
    /// How many of `lines` are hits.
    pub shown: u64,
    /// Hits met from `scanned_from` to `scanned_to`, shown or not.
    pub hits: u64,
    /// Matches from `scanned_from` to `scanned_to`; lines, when lines without a match are wanted.
    pub matches: u64,
    /// Lines that these are in. The line in which the search started counts if it has one from
    /// there on.
    pub matching_lines: u64,
    /// Whether the line in which the search started is among these.
    pub first_line_counted: bool,
    /// Whether the search stopped inside a line that is among these.
    pub line_counted: bool,
    /// Whether the search reached the end of the blob, so that all from `scanned_from` on is
    /// counted.
    pub complete: bool,
    /// Whether the pattern costs too much to search on with.
    pub too_costly: bool,
    /// Where the search started, in bytes.
    pub scanned_from: u64,
    /// Where it stopped, in bytes.
    pub scanned_to: u64,
    /// Bytes in all.
    pub total_bytes: u64,
    /// Lines in all.
    pub total_lines: u64,
    /// How to go on: after the last hit shown, else after the last byte searched.
    pub next: Option<Cursor>,
    /// Whether a match longer than [`GREP_OVERLAP_BYTES`] may be missing, because a line is longer
    /// than [`GREP_WINDOW_BYTES`].
    pub windowed: bool,
    /// Whether lines of context were left out, as there was no room for them.
    pub context_cut: bool,
    /// Whether the text that was searched is from inside an envelope, whose rest was not searched.
    pub is_opened: bool,
}

/// Searches `source` for `matcher`.
///
/// # Errors
/// [`ReadError`] when bytes cannot be read.
pub fn grep(
    source: &dyn Indexed,
    matcher: &Matcher,
    options: &GrepOptions,
) -> Result<GrepPage, ReadError> {
    let from = position::floor_char(source, options.from.min(source.len()))?;
    let mut scan = Scan::new(source, matcher, options, from)?;
    scan.run()?;
    let Scan { shown, more, hits, matches, matching_lines, windowed, at, line, total, .. } = scan;
    let (too_costly, first_line_counted) = (scan.too_costly, scan.first_line_counted);
    let line_counted = scan.counted_line == line && at > scan.line_start;
    let complete = at >= total;
    let layout = Layout {
        before: options.before.min(MAX_CONTEXT_LINES),
        after: options.after.min(MAX_CONTEXT_LINES),
        line_chars: options.line_chars,
        max_chars: options.max_chars,
    };
    let listing = listing::render(source, &shown, &layout)?;
    let last = listing.shown.checked_sub(1).and_then(|last| shown.get(last));
    let after = shown.get(listing.shown).map(|hit| (hit.line, hit.at)).or(more);
    let next = match (last, after) {
        // In the same line it goes on with the next hit, else with the next line.
        (Some(last), Some((line, at))) if last.line == line => Some(Cursor { byte: at, line }),
        (Some(last), Some(_)) => {
            Some(Cursor { byte: position::after_newline(source, last.line)?, line: last.line + 1 })
        }
        _ => (!complete && !too_costly).then_some(Cursor { byte: at, line }),
    };
    Ok(GrepPage {
        is_opened: false,
        context_cut: listing.context_cut,
        lines: listing.lines,
        shown: listing.shown as u64,
        hits,
        matches,
        matching_lines,
        first_line_counted,
        line_counted,
        complete,
        too_costly,
        scanned_from: from,
        scanned_to: at,
        total_bytes: total,
        total_lines: source.lines()?,
        next,
        windowed,
    })
}

/// A search under way.
struct Scan<'s> {
    source: &'s dyn Indexed,
    matcher: &'s Matcher,
    options: &'s GrepOptions,
    total: u64,
    /// All before this is decided.
    at: u64,
    /// The number of the line that `at` is in.
    line: u64,
    /// Where that line starts.
    line_start: u64,
    /// What is left of the work that one call may do, in bytes scanned for a text.
    work: u64,
    shown: Vec<Shown>,
    /// The line and the byte of the first hit that is not in `shown`.
    more: Option<(u64, u64)>,
    hits: u64,
    matches: u64,
    matching_lines: u64,
    /// The last line that was counted; 0 for none.
    counted_line: u64,
    first_line: u64,
    first_line_counted: bool,
    /// The byte from which on a match in this line is a hit.
    hit_from: u64,
    windowed: bool,
    too_costly: bool,
}

impl<'s> Scan<'s> {
    fn new(
        source: &'s dyn Indexed,
        matcher: &'s Matcher,
        options: &'s GrepOptions,
        from: u64,
    ) -> Result<Scan<'s>, ReadError> {
        let line = position::line_of_byte(source, from)?;
        Ok(Scan {
            source,
            matcher,
            options,
            total: source.len(),
            at: from,
            line,
            line_start: position::byte_of_line(source, line)?,
            work: GREP_SLICE_BYTES,
            shown: Vec::new(),
            more: None,
            hits: 0,
            matches: 0,
            matching_lines: 0,
            counted_line: 0,
            first_line: line,
            first_line_counted: false,
            hit_from: 0,
            windowed: false,
            too_costly: false,
        })
    }

    fn run(&mut self) -> Result<(), ReadError> {
        let mut buffer = Buffer::new(self.source);
        while self.at < self.total && self.work > 0 && !self.too_costly {
            if self.at > self.line_start || !self.whole_lines(&mut buffer)? {
                self.one_line(&mut buffer)?;
            }
        }
        Ok(())
    }

    /// Searches all lines that are whole in the buffer; false when the next line needs
    /// [`Scan::one_line`].
    fn whole_lines(&mut self, buffer: &mut Buffer<'s>) -> Result<bool, ReadError> {
        let base = self.at;
        let bytes = buffer.load(base, GREP_WINDOW_BYTES + 2)?;
        let end = if base + bytes.len() as u64 >= self.total {
            bytes.len()
        } else {
            memchr::memrchr(b'\n', bytes).map_or(0, |at| at + 1)
        };
        let lines = &bytes[..end];
        if end > 0
            && !self.options.invert
            && self.has_all_it_shows()
            && let Some(texts) = self.matcher.texts(lines)
        {
            self.count_texts(lines, texts);
            return Ok(true);
        }
        let mut candidates = self.matcher.candidates(lines);
        let mut pos = 0;
        let mut long = end == 0;
        while self.work > 0
            && let Some(candidate) = candidates.next(pos)
        {
            let start = memchr::memrchr(b'\n', &lines[pos..candidate]).map_or(pos, |i| pos + i + 1);
            self.pass(base, &lines[..start], pos);
            let stop = memchr::memchr(b'\n', &lines[candidate..]).map_or(end, |i| candidate + i);
            self.work = self.work.saturating_sub((start - pos) as u64);
            pos = start;
            if stop - start > GREP_WINDOW_BYTES {
                long = true;
                break;
            }
            self.line_start = base + start as u64;
            if let Some(stopped) = self.short_line(self.line_start, &lines[start..stop], 0) {
                self.at = stopped;
                return Ok(true);
            }
            pos = (stop + 1).min(end);
            self.line += u64::from(stop < end);
        }
        if self.work > 0 && !long {
            self.pass(base, lines, pos);
            self.work = self.work.saturating_sub((end - pos) as u64);
            pos = end;
        }
        self.at = base + pos as u64;
        self.line_start = self.at;
        Ok(!long)
    }

    /// Whether no more hits can be shown, so that what is left is to be counted only.
    fn has_all_it_shows(&self) -> bool {
        self.options.max_hits == 0 || self.more.is_some()
    }

    /// Counts the matches in whole lines of a pattern that is nothing but texts.
    fn count_texts(&mut self, lines: &[u8], mut texts: Nearest<'_>) {
        let (mut pos, mut line_end) = (0, 0);
        while let Some((at, text)) = texts.find(lines, pos) {
            self.matches += 1;
            if at >= line_end {
                self.matching_lines += 1;
                line_end = memchr::memchr(b'\n', &lines[at..]).map_or(lines.len(), |i| at + i + 1);
                self.hits += 1;
            }
            pos = at + text.len();
        }
        let newlines = count_newlines(lines);
        if line_end == lines.len() && lines.last() != Some(&b'\n') {
            self.counted_line = self.line + newlines;
        }
        self.line += newlines;
        self.at += lines.len() as u64;
        self.line_start = self.at;
        self.work = self.work.saturating_sub(lines.len() as u64);
    }

    /// Goes past the lines in `lines[from..]`, none of which matches.
    fn pass(&mut self, base: u64, lines: &[u8], from: usize) {
        let mut pos = from;
        if self.options.invert {
            while pos < lines.len() && self.shown.len() < self.options.max_hits {
                let end = memchr::memchr(b'\n', &lines[pos..]).map_or(lines.len(), |i| pos + i);
                let start = base + pos as u64;
                self.matched(start, start, start, Ahead { bytes: &lines[pos..end], ends: true });
                pos = end + 1;
                self.line += u64::from(end < lines.len());
            }
            let rest = lines.get(pos..).unwrap_or_default();
            let open = rest.last().is_some_and(|last| *last != b'\n');
            let lines = count_newlines(rest) + u64::from(open);
            if lines > 0 && self.more.is_none() {
                self.more = Some((self.line, base + pos as u64));
            }
            self.hits += lines;
            self.matches += lines;
            self.matching_lines += lines;
        }
        self.line += count_newlines(lines.get(pos..).unwrap_or_default());
    }

    /// Searches a line that is in memory but for its line feed, from byte `from` of it on. Where it
    /// stopped, when that is not at the end.
    fn short_line(&mut self, start: u64, bytes: &[u8], mut from: usize) -> Option<u64> {
        let text = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let mut search = self.matcher.search(text);
        let mut last_end = None;
        let mut matched = false;
        self.hit_from = 0;
        while from <= text.len() {
            if self.work == 0 && from > 0 {
                return Some(start + from as u64);
            }
            let (found, end) = match self.find(&mut search, from, text.len()) {
                Outcome::Match(found, end) => (found, end),
                Outcome::TooCostly(_) => return Some(start + from as u64),
                Outcome::Absent | Outcome::NoMatch => break,
            };
            // An empty match next to the one before is none.
            if found < end || last_end != Some(end) {
                matched = true;
                if self.options.invert {
                    break;
                }
                let ahead = Ahead { bytes: &bytes[found..], ends: true };
                self.matched(start, start + found as u64, start + end as u64, ahead);
            }
            last_end = Some(end);
            from = if found < end { end } else { skip_continuation(text, end + 1) };
        }
        if self.options.invert && !matched {
            self.matched(start, start, start, Ahead { bytes, ends: true });
        }
        None
    }

    /// Searches the line that `at` is in, from there on, however long it is.
    fn one_line(&mut self, buffer: &mut Buffer<'s>) -> Result<(), ReadError> {
        let start = self.line_start;
        if self.at - start <= GREP_WINDOW_BYTES as u64 {
            let bytes = buffer.load(start, GREP_WINDOW_BYTES + 1)?;
            let bytes = &bytes[..bytes.len().min(GREP_WINDOW_BYTES + 1)];
            let end = memchr::memchr(b'\n', bytes)
                .or((bytes.len() <= GREP_WINDOW_BYTES).then_some(bytes.len()));
            if let Some(end) = end {
                match self.short_line(start, &bytes[..end], (self.at - start) as usize) {
                    Some(stopped) => self.at = stopped,
                    None => self.next_line(start + end as u64 + 1),
                }
                return Ok(());
            }
        }
        self.hit_from = 0;
        while self.work > 0 && self.line_start == start && !self.too_costly {
            self.window(buffer)?;
        }
        Ok(())
    }

    /// Searches the window of a long line that `at` is in, from there on.
    fn window(&mut self, buffer: &mut Buffer<'s>) -> Result<(), ReadError> {
        const STRIDE: u64 = (GREP_WINDOW_BYTES - GREP_OVERLAP_BYTES) as u64;
        let start = self.line_start;
        let window = start + (self.at - start) / STRIDE * STRIDE;
        let first = window.saturating_sub(CONTEXT_BYTES).max(start);
        let length = (window - first) as usize + GREP_WINDOW_BYTES;
        let room = self.options.line_chars * 4 + 4;
        let bytes = buffer.load(first, length + room)?;
        let window_end = bytes.len().min(length);
        let at = (self.at - first) as usize;
        let line_end = memchr::memchr(b'\n', bytes.get(at..window_end).unwrap_or_default())
            .map(|i| at + i)
            .or((first + window_end as u64 >= self.total).then_some(window_end));

        // Neither edge may cut a character; the context of a match is at least one before it.
        // Where it starts among backslashes, the next one might be taken for an escape that it is not.
        let skip = if first > start { skip_continuation(bytes, 0) } else { 0 };
        let escapes = bytes.get(skip..(window - first) as usize).unwrap_or_default();
        let escapes = escapes.iter().take_while(|byte| **byte == b'\\').count();
        let skip = if first > start { skip + escapes } else { skip };
        let (stop, ends) = match line_end {
            Some(end) => (end - usize::from(end > at && bytes[end - 1] == b'\r'), true),
            None => (skip_continuation(bytes, window_end), false),
        };
        let next_window = (window + STRIDE - first) as usize;
        let context = skip_continuation(bytes, (stop + 1).min(bytes.len()));
        let context = if ends { stop } else { context };
        let mut search = self.matcher.search(&bytes[skip..context]);
        let mut last_end = None;
        let mut at = at;
        while at < next_window && self.work > 0 {
            let from = at.min(stop).max(skip) - skip;
            let outcome = match ends && at > stop {
                true => Outcome::Absent,
                false => self.find(&mut search, from, stop - skip),
            };
            let (found, end) = match outcome {
                Outcome::Match(found, end) => (skip + found, skip + end),
                Outcome::TooCostly(_) => return Ok(()),
                Outcome::Absent | Outcome::NoMatch => {
                    let short =
                        self.matcher.max_len().is_some_and(|len| len <= GREP_OVERLAP_BYTES - 8);
                    self.windowed |= outcome == Outcome::NoMatch && !short;
                    if let Some(end) = line_end {
                        self.end_long_line(start, first + end as u64 + 1, room as u64)?;
                    } else {
                        self.at = first + skip_continuation(bytes, next_window) as u64;
                    }
                    return Ok(());
                }
            };
            if self.options.invert {
                let next = position::after_newline(self.source, self.line)?;
                self.next_line(next);
                return Ok(());
            }
            if found < end || last_end != Some(end) {
                let reach = line_end.unwrap_or(bytes.len()).min(found + room);
                let line_end = memchr::memchr(b'\n', &bytes[found..reach]).or_else(|| {
                    let ends = line_end == Some(reach) || first + reach as u64 == self.total;
                    ends.then_some(reach - found)
                });
                let ahead = &bytes[found..line_end.map_or(reach, |len| found + len)];
                let ahead = Ahead { bytes: ahead, ends: line_end.is_some() };
                self.matched(start, first + found as u64, first + end as u64, ahead);
            }
            last_end = Some(end);
            at = if found < end { end } else { skip_continuation(bytes, end + 1) };
            self.at = first + at as u64;
            if let Some(line_end) = line_end
                && at > stop
            {
                self.next_line(first + line_end as u64 + 1);
                return Ok(());
            }
        }
        Ok(())
    }

    /// Ends a line that was searched in windows; the next one starts at `next`.
    fn end_long_line(&mut self, start: u64, next: u64, room: u64) -> Result<(), ReadError> {
        if self.options.invert {
            let head = self.source.read_range(start, start + room)?;
            self.matched(start, start, start, Ahead { bytes: &head, ends: false });
        }
        self.next_line(next);
        Ok(())
    }

    /// Goes on to the line that starts at `at`.
    fn next_line(&mut self, at: u64) {
        self.at = at.min(self.total);
        self.line_start = self.at;
        self.line += 1;
    }

    /// What is in a piece; the work is counted.
    fn find(&mut self, search: &mut Search<'_>, from: usize, to: usize) -> Outcome {
        let outcome = search.find(from, to, GREP_SLICE_BYTES);
        self.work = self.work.saturating_sub(search.take_cost());
        if let Outcome::TooCostly(_) = outcome {
            self.too_costly = true;
        }
        outcome
    }

    /// Counts a match, and takes it as a hit if what was shown before does not hold it.
    fn matched(&mut self, line_start: u64, at: u64, end: u64, ahead: Ahead<'_>) {
        self.matches += 1;
        if self.counted_line != self.line {
            self.counted_line = self.line;
            self.matching_lines += 1;
            self.first_line_counted |= self.line == self.first_line;
            self.hit_from = 0;
        }
        // What is empty at the end of a line shows nothing that the hit before does not.
        let shows = self.hit_from == 0 || !(ahead.ends && ahead.bytes.is_empty());
        if at >= self.hit_from && shows {
            self.hit_from = self.hit(line_start, at, end, ahead).unwrap_or(u64::MAX);
        }
    }

    /// Takes a hit in the line that starts at `line_start`, with its match in `at..end`. Returns
    /// where the next one in this line may start; `None` when all of it is shown.
    fn hit(&mut self, line_start: u64, at: u64, end: u64, ahead: Ahead<'_>) -> Option<u64> {
        self.hits += 1;
        let before = (at - line_start) as usize;
        let width = self.options.line_chars;
        let reach = if ahead.ends && before + ahead.bytes.len() <= width {
            ahead.bytes.len()
        } else {
            listing::chars_forward(ahead.bytes, width - width / 4)
        };
        let line_end = ahead.ends.then_some(at + ahead.bytes.len() as u64);
        let to = at + reach as u64;
        if self.shown.len() < self.options.max_hits {
            self.shown.push(Shown { line: self.line, line_start, at, to, line_end });
        } else if self.more.is_none() && self.options.max_hits > 0 {
            self.more = Some((self.line, at));
        }
        let done = line_end.is_some_and(|line_end| to.max(end) >= line_end);
        (!done && !self.options.invert).then_some(to.max(end))
    }
}

/// What of a line is known before a window of it: more than a character and an escape of JSON.
const CONTEXT_BYTES: u64 = 64;

/// What follows the start of a match.
#[derive(Clone, Copy)]
struct Ahead<'b> {
    /// The bytes from the match on.
    bytes: &'b [u8],
    /// Whether the line ends with them.
    ends: bool,
}

/// The first position at or after `at` that is in no character of `bytes`.
fn skip_continuation(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take(3).take_while(|b| position::is_continuation(**b)).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fetch::pattern::{Case, Pattern};
    use proptest::prelude::*;

    const OPTIONS: GrepOptions = GrepOptions {
        invert: false,
        before: 0,
        after: 0,
        max_hits: 1_000,
        line_chars: 300,
        max_chars: 1_000_000,
        from: 0,
    };

    fn regex(text: &str) -> Pattern {
        Pattern { text: text.to_owned(), regex: true, ..Pattern::default() }
    }

    fn literal(text: &str) -> Pattern {
        Pattern { text: text.to_owned(), ..Pattern::default() }
    }

    fn search(bytes: &[u8], pattern: &Pattern, options: &GrepOptions) -> GrepPage {
        grep(&bytes, &Matcher::new(pattern).unwrap(), options).unwrap()
    }

    fn places(page: &GrepPage) -> Vec<(u64, u64)> {
        page.lines.iter().filter_map(|l| l.column.map(|column| (l.line, column))).collect()
    }

    /// All pages put together.
    fn follow(bytes: &[u8], matcher: &Matcher, options: &GrepOptions) -> Vec<Line> {
        let (mut lines, mut options) = (Vec::new(), *options);
        loop {
            let page = grep(&bytes, matcher, &options).unwrap();
            assert_eq!(page.complete, page.scanned_to == page.total_bytes);
            lines.extend(page.lines);
            match page.next {
                Some(next) => {
                    assert!(next.byte > options.from || page.shown == 0);
                    options.from = next.byte;
                }
                None => return lines,
            }
        }
    }

    fn naive(bytes: &[u8], pattern: &str) -> Vec<(u64, u64)> {
        let regex = regex::Regex::new(pattern).unwrap();
        let lines = bytes.split_inclusive(|b| *b == b'\n').zip(1..);
        let found = lines.filter_map(|(line, number)| {
            let line = line.strip_suffix(b"\n").unwrap_or(line);
            let line = line.strip_suffix(b"\r").unwrap_or(line);
            let text = std::str::from_utf8(line).unwrap();
            regex.find(text).map(|found| (number, found.start() as u64 + 1))
        });
        found.collect()
    }

    #[test]
    fn hits_name_line_column_and_byte() {
        let text = "first\nsome ERROR here\r\nlast error\n";
        let page = search(text.as_bytes(), &literal("error"), &OPTIONS);
        assert_eq!((page.hits, page.complete, page.next), (2, true, None));
        assert_eq!(page.lines[0].text, "some ERROR here");
        assert_eq!(
            (page.lines[0].line, page.lines[0].column, page.lines[0].byte),
            (2, Some(6), 11)
        );
        assert_eq!(places(&search(text.as_bytes(), &literal("Error"), &OPTIONS)), []);
        assert_eq!(places(&search(text.as_bytes(), &regex("here$"), &OPTIONS)), [(2, 12)]);
    }

    #[test]
    fn context_is_shown_once_and_clipped() {
        let text: String = (1..=20).map(|n| format!("row {n}\n")).collect();
        let options = GrepOptions { before: 2, after: 1, ..OPTIONS };
        let page = search(text.as_bytes(), &regex("row (5|6|8|20)$"), &options);
        let shown: Vec<u64> = page.lines.iter().map(|line| line.line).collect();
        assert_eq!(shown, [3, 4, 5, 6, 7, 8, 9, 18, 19, 20]);
        assert_eq!(places(&page), [(5, 1), (6, 1), (8, 1), (20, 1)]);
        let text = format!("{}\nhit\n", "x".repeat(100_000));
        let page = search(text.as_bytes(), &literal("hit"), &options);
        assert_eq!((page.lines[0].text.len(), page.lines[0].cut_after), (300, 99_700));
    }

    #[test]
    fn lines_that_do_not_match_can_be_asked_for() {
        let text = "a\nb\n\na b\nc";
        let page = search(text.as_bytes(), &regex("a"), &GrepOptions { invert: true, ..OPTIONS });
        assert_eq!(places(&page), [(2, 1), (3, 1), (5, 1)]);
        assert_eq!(page.hits, 3);
        let count = GrepOptions { invert: true, max_hits: 0, ..OPTIONS };
        assert_eq!(search(text.as_bytes(), &regex("a"), &count).hits, 3);
    }

    #[test]
    fn words_match_only_whole() {
        let text = "cat\nconcat\nthe cat.\ncat_2\n";
        for pattern in [literal("cat"), regex("c.t"), regex("cat|dog")] {
            let page = search(text.as_bytes(), &Pattern { word: true, ..pattern }, &OPTIONS);
            assert_eq!(places(&page), [(1, 1), (3, 5)]);
        }
    }

    #[test]
    fn a_line_that_is_not_utf8_is_searched_all_the_same() {
        let text = b"ok\n\xFF\xFEkey=1 \xC3 end\nbad \x80\x80\n";
        let hits = |pattern: &Pattern| places(&search(text, pattern, &OPTIONS));
        assert_eq!(hits(&literal("key=1")), [(2, 3)]);
        assert_eq!(hits(&regex(r"key=\d")), [(2, 3)]);
        assert_eq!(hits(&regex(r"1 . end$")), [(2, 7)]);
        assert_eq!(hits(&regex(r"\w+ ..$")), [(3, 1)]);
        let page = search(text, &literal("key"), &OPTIONS);
        assert_eq!(page.lines[0].text, r"\xff\xfekey=1 \xc3 end");
    }

    #[test]
    fn every_match_in_a_giant_line_is_a_hit_of_its_own() {
        let mut text = vec![b'x'; 400_000];
        let places_in = [0, 65_530, 65_600, 130_000, 250_000, 399_994];
        for at in places_in {
            text[at..at + 6].copy_from_slice(b"needle");
        }
        text.extend_from_slice(b"\nneedle");
        let wanted: Vec<(u64, u64)> =
            places_in.iter().map(|at| (1, *at as u64 + 1)).chain([(2, 1)]).collect();
        // The second and the third are seen in one window.
        let wanted: Vec<(u64, u64)> = wanted.into_iter().filter(|w| w.1 != 65_601).collect();
        for pattern in [literal("needle"), regex("ne+dle"), regex("n[e]{2}dl."), regex("needle|z")]
        {
            let page = search(&text, &pattern, &OPTIONS);
            assert_eq!(places(&page), wanted, "{pattern:?}");
            let line = &page.lines[1];
            assert_eq!((line.cut_before, line.text.len()), (65_530 - 75, 300));
            assert_eq!(line.cut_before + 300 + line.cut_after, 400_000);
            let matcher = Matcher::new(&pattern).unwrap();
            let paged = follow(&text, &matcher, &GrepOptions { max_hits: 1, ..OPTIONS });
            assert_eq!(paged, page.lines);
        }
        let page = search(&text, &literal("nowhere"), &OPTIONS);
        assert_eq!((page.hits, page.complete, page.windowed), (0, true, false));
        assert!(search(&text, &regex("no[x]*where|n0"), &OPTIONS).complete);
        assert!(!search(&text, &regex("n[0-9]"), &OPTIONS).windowed);
        assert!(search(&text, &regex("n[0-9]+"), &OPTIONS).windowed);
    }

    #[test]
    fn windows_find_what_the_whole_line_has() {
        let mut random = 88_172_645_463_325_252_u64;
        let text: String = std::iter::repeat_with(|| {
            random ^= random << 13;
            random ^= random >> 7;
            random ^= random << 17;
            ["a", "b", "é", " ", "7", "_", "-"][(random % 7) as usize]
        })
        .take(250_000)
        .collect();
        for pattern in [r"a7b-\w", r"\b77a\b", "aé(7|b) +_", r"7{6,}", r"\B-{4}\B", "[^a]{80}a"] {
            let whole = regex::Regex::new(pattern).unwrap();
            let (mut wanted, mut from) = (Vec::new(), 0);
            while let Some(found) = whole.find_at(&text, from) {
                wanted.push((1, found.start() as u64 + 1));
                let shown = listing::chars_forward(&text.as_bytes()[found.start()..], 225);
                from = (found.start() + shown).max(found.end());
            }
            let matcher =
                Matcher::new(&Pattern { case: Case::Sensitive, ..regex(pattern) }).unwrap();
            let lines = follow(text.as_bytes(), &matcher, &GrepOptions { max_hits: 10, ..OPTIONS });
            let found: Vec<_> = lines.iter().map(|l| (l.line, l.column.unwrap())).collect();
            assert_eq!(found, wanted, "{pattern}");
        }
    }

    #[test]
    fn the_edge_of_a_window_is_no_edge_of_a_line_or_word() {
        let text = "a".repeat(300_000);
        for pattern in ["^a{3}b", "a{9}$b", r"a\b.", "[^a]", r"\Aab", r"[a]\z."] {
            assert_eq!(search(text.as_bytes(), &regex(pattern), &OPTIONS).hits, 0, "{pattern}");
        }
        let one = |pattern: &str| places(&search(text.as_bytes(), &regex(pattern), &OPTIONS));
        assert_eq!(one("^a{5}").len(), 1);
        let ends = one("a{5}$");
        assert_eq!(ends, [(1, 299_996)]);
        assert_eq!(one(r"\ba").len(), 1);
        assert_eq!(one(r"a\b"), [(1, 300_000)]);
        let invert = GrepOptions { invert: true, ..OPTIONS };
        assert_eq!(search(text.as_bytes(), &regex("a$"), &invert).hits, 0);
        assert_eq!(search(text.as_bytes(), &regex("b"), &invert).hits, 1);
        // A character of three bytes lies across the edges.
        let text = "€".repeat(100_000);
        assert_eq!(search(text.as_bytes(), &regex("[^€]"), &OPTIONS).hits, 0);
    }

    #[test]
    fn a_slow_search_stops_and_goes_on() {
        let mut text = "some wörds 12-34 here\n".repeat(120_000);
        text.push_str("wow, wördswörds\n");
        // Each line has what is looked for, but at an edge of a word.
        let matcher = Matcher::new(&regex(r"\Bw[öx]rds(?:q?){40}")).unwrap();
        let page = grep(&text.as_bytes(), &matcher, &OPTIONS).unwrap();
        assert_eq!((page.hits, page.complete), (0, false));
        let next = page.next.unwrap();
        assert_eq!((next.byte, next.line), (page.scanned_to, page.scanned_to / 23 + 1));
        assert!((500_000..2_500_000).contains(&page.scanned_to), "{}", page.scanned_to);
        let found = follow(text.as_bytes(), &matcher, &OPTIONS);
        assert_eq!((found.len(), found[0].line), (1, 120_001));
        // One giant line, too.
        let text = text.replace('\n', " ");
        let found = follow(text.as_bytes(), &matcher, &OPTIONS);
        assert_eq!((found.len(), found[0].column), (1, Some(2_760_012)));
    }

    #[test]
    fn counting_goes_on_after_the_page_is_full() {
        let text = "hit\nmiss\n".repeat(5_000);
        let page =
            search(text.as_bytes(), &literal("hit"), &GrepOptions { max_hits: 3, ..OPTIONS });
        assert_eq!((page.shown, page.hits, page.complete), (3, 5_000, true));
        assert_eq!(page.next, Some(Cursor { byte: 22, line: 6 }));
        let page =
            search(text.as_bytes(), &literal("hit"), &GrepOptions { max_chars: 25, ..OPTIONS });
        assert_eq!((page.shown, page.hits), (2, 5_000));
    }

    #[test]
    fn counts_are_of_matches_and_lines_whatever_their_length() {
        let row = |n: usize| format!(r#"{{"id":{n},"plan":"{}"}},"#, ["team", "free"][n % 3 / 2]);
        for (rows, per_line) in [(9_000, 1), (9_000, 7), (9_000, 5_000), (9_000, 9_000)] {
            let mut text = String::new();
            for n in 0..rows {
                text.push_str(&row(n));
                if n % per_line == per_line - 1 {
                    text.push('\n');
                }
            }
            for pattern in
                ["team", r"te\wm", "te[a-z]{2}", "team|free", r#""plan":"team""#, "TEAM|zzz"]
            {
                let by_hand = |line: &str| match pattern {
                    "team|free" => line.matches("team").count() + line.matches("free").count(),
                    "TEAM|zzz" => 0,
                    _ => line.matches("team").count(),
                };
                let matches: usize = text.lines().map(by_hand).sum();
                let lines = text.lines().filter(|line| by_hand(line) > 0).count();
                for max_hits in [0, 3, 12] {
                    let options = GrepOptions { max_hits, ..OPTIONS };
                    let page = search(text.as_bytes(), &regex(pattern), &options);
                    assert_eq!(
                        (page.matches, page.matching_lines, page.complete, page.windowed),
                        (matches as u64, lines as u64, true, false),
                        "{pattern}, {per_line} rows a line, {max_hits} shown"
                    );
                }
            }
        }
    }

    #[test]
    fn a_pattern_that_would_take_hours_is_called_too_costly() {
        let mut seed = 7_u32;
        let text: Vec<u8> = std::iter::repeat_with(|| {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            if seed >> 31 == 0 { b'a' } else { b'b' }
        })
        .take(200_000)
        .collect();
        let page = search(&text, &regex("[ab]*a[ab]{1500}Q"), &OPTIONS);
        assert!(page.too_costly && !page.complete && page.next.is_none());
        // What is slow but can be done goes on slice by slice.
        let matcher = Matcher::new(&regex("[ab]*a[ab]{24}Q")).unwrap();
        assert_eq!(follow(&text, &matcher, &OPTIONS), []);
    }

    #[test]
    fn patterns_that_explode_elsewhere_take_linear_time() {
        let text = format!("{}END\n", "a".repeat(1_900));
        assert_eq!(search(text.as_bytes(), &regex(r"(a+)+\d|END"), &OPTIONS).hits, 1);
        assert_eq!(search(text.as_bytes(), &regex("(a|a)*c"), &OPTIONS).hits, 0);
        assert_eq!(search(text.as_bytes(), &regex("a*a*a*a*a*X"), &OPTIONS).hits, 0);
    }

    #[test]
    fn what_cannot_be_searched_for_is_refused_in_words() {
        let refused = |pattern: Pattern| Matcher::new(&pattern).unwrap_err().0;
        assert!(refused(regex("(?=x)")).contains("look-around"));
        assert!(refused(regex(r"(a)\1")).contains("backreferences"));
        assert!(refused(regex("a)(b")).contains("literal"));
        assert!(refused(regex("(?x) a b")).contains("flag x"));
        assert!(refused(regex("(((a{99}){99}){99}){99}")).contains("too large"));
        assert!(refused(literal("")).contains("empty"));
        assert!(refused(literal("a\nb")).contains("U+000A"));
        assert!(refused(literal("a\0")).contains("U+0000"));
        assert!(refused(literal(&"x".repeat(1_001))).contains("1001 characters"));
        assert!(Matcher::new(&literal(&"€".repeat(1_000))).is_ok());
    }

    fn in_json(bytes: &[u8], pattern: &Pattern, options: &GrepOptions) -> GrepPage {
        grep(&bytes, &Matcher::of(pattern, true).unwrap(), options).unwrap()
    }

    #[test]
    fn json_is_found_as_it_is_shown_and_as_it_stands() {
        let text = r#"{"name":"n1","said":"say \"hi\"\/ caf\u00e9 \u4e16\u754c \ud83d\ude42","list":["a","b"],"odd":"\u0041BC"}"#;
        let places = |pattern: &Pattern| {
            let page = in_json(text.as_bytes(), pattern, &OPTIONS);
            assert!(page.complete);
            page.lines.first().and_then(|line| line.column)
        };
        let at = |part: &str| Some(text[..text.find(part).unwrap()].chars().count() as u64 + 1);
        for (pattern, part) in [
            (r#""name": "n1""#, r#""name""#),
            (r#""name":"n1""#, r#""name""#),
            (r#"say "hi"/ café"#, "say "),
            (r#"say \"hi\""#, "say "),
            ("café", "caf"),
            ("CAFÉ", "caf"),
            (r"caf\u00e9", "caf"),
            ("世界 🙂", r"\u4e16"),
            (r#""list": ["a", "b"]"#, r#""list""#),
            ("ABC", r"\u0041"),
            ("n1", "n1"),
        ] {
            let case = if pattern == "CAFÉ" { Case::Insensitive } else { Case::Smart };
            assert_eq!(places(&Pattern { case, ..literal(pattern) }), at(part), "{pattern}");
        }
        for (pattern, part) in [
            (r"\bcaf\w\b", "caf"),
            (r"hi.{3}c", "hi"),
            (r#""list": \["#, r#""list""#),
            ("界 .\"", r"\u754c"),
        ] {
            assert_eq!(places(&regex(pattern)), at(part), "{pattern}");
        }
        assert_eq!(places(&literal("cafe")), None);
        // Other text is searched as it is.
        assert_eq!(search(text.as_bytes(), &literal("café"), &OPTIONS).hits, 0);
    }

    /// A value as JSON on one line, in the manner of some writer.
    fn written(value: &serde_json::Value, manner: usize) -> String {
        let text = value.to_string();
        let ascii = |text: &str| -> String {
            let unit = |c: char| {
                c.encode_utf16(&mut [0; 2])
                    .iter()
                    .map(|u| format!("\\u{u:04x}"))
                    .collect::<String>()
            };
            text.chars().map(|c| if c.is_ascii() { c.to_string() } else { unit(c) }).collect()
        };
        match manner {
            0 => text,
            1 => ascii(&text),
            2 => ascii(&text).replace('/', "\\/"),
            _ => text.replace("\":", "\": ").replace("\",\"", "\", \""),
        }
    }

    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            8 => "[abcABC]{1,3}",
            2 => Just(" ".to_owned()),
            2 => Just("\n".to_owned()),
            1 => Just("\r\n".to_owned()),
            1 => Just("é€".to_owned()),
            1 => Just("._".to_owned()),
            1 => "[0-9]{1,2}",
        ];
        proptest::collection::vec(piece, 0..60).prop_map(|pieces| pieces.concat())
    }

    fn pattern_text() -> impl Strategy<Value = String> {
        let atom = prop_oneof![
            6 => "[abcAB]{1,3}",
            1 => Just(".".to_owned()),
            1 => Just("é".to_owned()),
            1 => Just(r"\.".to_owned()),
            1 => Just(r"\d".to_owned()),
            1 => Just(r"\b".to_owned()),
            1 => Just("[ab]".to_owned()),
            1 => Just("[^]b]".to_owned()),
            1 => Just("^".to_owned()),
            1 => Just("$".to_owned()),
            1 => Just("(?i)".to_owned()),
            1 => Just("(?:b|c)".to_owned()),
            1 => Just("(a.)".to_owned()),
            1 => Just("(?i:ab)".to_owned()),
            1 => Just(r"\x61".to_owned()),
        ];
        let repeat = prop_oneof![
            8 => Just(""), 1 => Just("?"), 1 => Just("*"), 1 => Just("+"), 1 => Just("+?"),
            1 => Just("{0,2}"), 1 => Just("+*"),
        ];
        let branch = proptest::collection::vec((atom, repeat), 1..4).prop_map(|atoms| {
            atoms.into_iter().map(|(atom, repeat)| atom + repeat).collect::<String>()
        });
        proptest::collection::vec(branch, 1..4).prop_map(|branches| branches.join("|"))
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(600))]

        #[test]
        fn looking_for_a_text_first_changes_nothing(
            text in text(),
            pattern in pattern_text(),
            word: bool,
            invert: bool,
            sensitive: bool,
            width in 3usize..60,
        ) {
            let case = if sensitive { Case::Sensitive } else { Case::Smart };
            let pattern = Pattern { text: pattern, regex: true, case, word };
            let Ok(plain) = Matcher::plain(&pattern) else { return Ok(()) };
            let fast = Matcher::new(&pattern).unwrap();
            let options = GrepOptions { invert, line_chars: width, ..OPTIONS };
            let wanted = grep(&text.as_bytes(), &plain, &options).unwrap();
            prop_assert_eq!(grep(&text.as_bytes(), &fast, &options).unwrap(), wanted);
        }

        #[test]
        fn it_finds_what_a_plain_loop_finds(text in text(), pattern in pattern_text()) {
            let pattern = Pattern { case: Case::Sensitive, ..regex(&pattern) };
            let Ok(matcher) = Matcher::new(&pattern) else { return Ok(()) };
            let page = grep(&text.as_bytes(), &matcher, &OPTIONS).unwrap();
            prop_assert_eq!(places(&page), naive(text.as_bytes(), &pattern.text));
        }

        #[test]
        fn json_of_any_writer_is_counted_as_what_it_says(
            words in proptest::collection::vec(
                prop::sample::select(vec!["é", "漢字", "🙂", "a\"b", "p/q", "\\", "\n", "error", "word ", "naïve", "\u{1}"]), 1..60),
            times in 1usize..40,
            manner in 0usize..4,
            needle in prop::sample::select(vec!["é", "漢字", "🙂", "a\"b", "p/q", "error", "naïve", "é漢字", "q🙂"]),
            max_hits in prop::sample::select(vec![0usize, 3, 1_000]),
        ) {
            let said = words.concat();
            let value = serde_json::json!(vec![serde_json::json!({"k": said, "n": 7}); times]);
            let json = written(&value, manner);
            let wanted = said.matches(needle).count() * times;
            let pattern = Pattern { case: Case::Sensitive, ..literal(needle) };
            let page = in_json(json.as_bytes(), &pattern, &GrepOptions { max_hits, ..OPTIONS });
            prop_assert_eq!((page.matches, page.complete), (wanted as u64, true), "{}", needle);
            for line in &page.lines {
                let at = line.byte as usize;
                prop_assert!(json.is_char_boundary(at));
            }
        }

        #[test]
        fn one_line_of_sql_or_json_is_counted_as_by_hand(
            rows in proptest::collection::vec(("[a-d]{1,4}", 0u32..50), 1..40),
            times in 1usize..60,
            is_json: bool,
            needle in prop::sample::select(vec!["a", "ab", "team", "\"v\": 7", "'ab'", "1", "cd,", "b\""]),
        ) {
            let row = |(name, n): &(String, u32)| match is_json {
                true => format!("{{\"plan\": \"team\", \"k\": \"{name}\", \"v\": {n}}}"),
                false => format!("({n},'{name}','team')"),
            };
            let all: Vec<String> = rows.iter().map(row).collect();
            let text = vec![all.join(","); times].join(",");
            let pattern = Pattern { case: Case::Sensitive, ..literal(needle) };
            let options = GrepOptions { max_hits: 0, ..OPTIONS };
            let page = match is_json {
                true => in_json(text.as_bytes(), &pattern, &options),
                false => search(text.as_bytes(), &pattern, &options),
            };
            prop_assert_eq!(page.matches, text.matches(needle).count() as u64, "{}", needle);
        }

        #[test]
        fn a_literal_is_found_as_by_hand(text in text(), needle in "[abcA .é]{1,3}") {
            let page = search(text.as_bytes(), &Pattern { case: Case::Sensitive, ..literal(&needle) }, &OPTIONS);
            let by_hand: Vec<(u64, u64)> = text
                .split('\n')
                .zip(1..)
                .filter_map(|(line, n)| line.find(&needle).map(|at| (n, at as u64 + 1)))
                .collect();
            prop_assert_eq!(places(&page), by_hand);
        }

        #[test]
        fn pages_put_together_are_the_whole(
            text in text(),
            pattern in pattern_text(),
            invert: bool,
            max_hits in 1usize..4,
            width in 1usize..20,
        ) {
            let Ok(matcher) = Matcher::new(&regex(&pattern)) else { return Ok(()) };
            let options = GrepOptions { invert, line_chars: width, ..OPTIONS };
            let whole = grep(&text.as_bytes(), &matcher, &options).unwrap();
            let paged = follow(text.as_bytes(), &matcher, &GrepOptions { max_hits, ..options });
            prop_assert_eq!(paged, whole.lines);
        }

        #[test]
        fn any_pattern_gets_an_answer(pattern in r"[ab(?:)\[\]{}|*+.^$0-9,xPiu<>=!&~-]{0,12}", bytes: Vec<u8>) {
            for regex in [true, false] {
                if let Ok(matcher) =
                    Matcher::new(&Pattern { text: pattern.clone(), regex, ..Pattern::default() })
                {
                    let page = grep(&bytes.as_slice(), &matcher, &OPTIONS).unwrap();
                    prop_assert!(page.complete);
                }
            }
        }
    }
}
