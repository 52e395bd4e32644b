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
//! One call scans [`GrepOptions::slice`] bytes, fewer where a regular expression looks at each byte.
//! Where it stopped is a [`Place`], with all that was counted before it, so that pages and slices put
//! together are one search: every line is counted once, in however many of them it was met.

pub use super::counted::{Counts, Place};

use super::listing::{self, Layout, Line, Shown};
use super::literal::Nearest;
use super::more;
use super::pattern::{Matcher, Outcome, Pattern, Search};
use super::position;
use crate::content::scan::Window;
use crate::limits::{GREP_OVERLAP_BYTES, GREP_SLICE_BYTES, GREP_WINDOW_BYTES};
use crate::source::{Indexed, ReadError, count_newlines};

/// Lines of context a search may ask for on each side.
pub const MAX_CONTEXT_LINES: u32 = 20;

/// What to search for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct GrepQuery {
    /// The pattern.
    pub pattern: Pattern,
    /// Whether lines are wanted that do not match.
    pub invert: bool,
    /// Whether only the count is wanted.
    pub count_only: bool,
    /// Lines of context before a hit; at most [`MAX_CONTEXT_LINES`].
    pub before: u32,
    /// Lines of context after a hit; at most [`MAX_CONTEXT_LINES`].
    pub after: u32,
    /// The most hits on this page; `None` for the setting, and never more than a thousand.
    pub max_matches: Option<u32>,
    /// Where to start.
    pub place: Place,
}

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
    /// Bytes to scan before the search stops.
    pub slice: u64,
}

/// What a search found.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GrepPage {
    /// Hits and their context, in order.
    pub lines: Vec<Line>,
    /// How many of `lines` are hits.
    pub shown: u64,
    /// Hits met by this call, shown or not.
    pub hits: u64,
    /// Matches from `scanned_from` to `scanned_to`, by whichever calls; lines, when lines without a
    /// match are wanted.
    pub matches: u64,
    /// Lines that these are in, each once. The line in which the search began counts if it has one
    /// from there on.
    pub matching_lines: u64,
    /// Whether the search reached the end, so that all from `scanned_from` on is counted.
    pub complete: bool,
    /// Whether the pattern costs too much to search on with.
    pub too_costly: bool,
    /// The byte at which the first call of the request began.
    pub scanned_from: u64,
    /// The byte up to which everything is counted.
    pub scanned_to: u64,
    /// Bytes in all.
    pub total_bytes: u64,
    /// Lines in all.
    pub total_lines: u64,
    /// How to go on: after the last hit shown, else after the last byte searched.
    pub next: Option<Place>,
    /// Whether a match longer than [`GREP_OVERLAP_BYTES`] may be missing, because a line is longer
    /// than [`GREP_WINDOW_BYTES`].
    pub windowed: bool,
    /// Whether lines of context were left out, as there was no room for them.
    pub context_cut: bool,
    /// What the view that was searched leaves out.
    pub left_out: Option<&'static str>,
}

/// Searches `source` for `matcher`, from `place` on.
///
/// # Errors
/// [`ReadError`] when bytes cannot be read.
pub fn grep(
    source: &dyn Indexed,
    matcher: &Matcher,
    options: &GrepOptions,
    place: Place,
) -> Result<GrepPage, ReadError> {
    let byte = position::floor_char(source, place.byte.min(source.len()))?;
    let place = Place { byte, since: place.since.min(byte), ..place };
    let mut scan = Scan::new(source, matcher, options, place)?;
    scan.run()?;
    let reached = scan.here();
    let Scan { shown, more, hits, windowed, at, total, too_costly, counts, .. } = scan;
    // What an earlier call counted to the end is not counted again.
    let complete = at >= total || place.all.is_some();
    let all = place.all.or((at >= total).then_some(counts));
    let layout = Layout {
        before: options.before.min(MAX_CONTEXT_LINES),
        after: options.after.min(MAX_CONTEXT_LINES),
        line_chars: options.line_chars,
        max_chars: options.max_chars,
    };
    let listing = listing::render(source, &shown, &layout)?;
    let last = listing.shown.checked_sub(1).and_then(|last| shown.get(last));
    let after =
        shown.get(listing.shown).map(|hit| After { line: hit.line, at: hit.at, place: hit.place });
    let after = after.or(more);
    let next = match (last, after) {
        // In the same line it goes on with the next hit, else with the next line. Nothing was counted
        // between that and the hit that is not shown, as the first match of every line is a hit.
        (Some(last), Some(after)) => Some(match last.line == after.line {
            true => Place { byte: after.at, hit_from: after.at, after_match: false, ..after.place },
            false => {
                let byte = position::after_newline(source, last.line)?;
                Place { counts: after.place.counts, ..Place::at(byte) }
            }
        }),
        _ => (at < total && !too_costly).then_some(reached),
    };
    let next = next.map(|next| Place { since: place.since, windowed, all, ..next });
    let counts = all.unwrap_or(counts);
    Ok(GrepPage {
        left_out: None,
        context_cut: listing.context_cut,
        lines: listing.lines,
        shown: listing.shown as u64,
        hits,
        matches: counts.matches,
        matching_lines: counts.lines,
        complete,
        too_costly,
        scanned_from: place.since,
        scanned_to: if complete { total } else { at },
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
    /// Whether the counts of all are known, so that hits are all that is looked for.
    known: bool,
    shown: Vec<Shown>,
    /// The first hit that is not in `shown`.
    more: Option<After>,
    hits: u64,
    counts: Counts,
    /// The last line that was counted; 0 for none.
    counted_line: u64,
    /// The byte from which on a match in this line is a hit.
    hit_from: u64,
    /// Where in this line the last match ended: an empty one there is none.
    last_end: Option<u64>,
    windowed: bool,
    too_costly: bool,
}

impl<'s> Scan<'s> {
    fn new(
        source: &'s dyn Indexed,
        matcher: &'s Matcher,
        options: &'s GrepOptions,
        place: Place,
    ) -> Result<Scan<'s>, ReadError> {
        let line = position::line_of_byte(source, place.byte)?;
        Ok(Scan {
            source,
            matcher,
            options,
            total: source.len(),
            at: place.byte,
            line,
            line_start: position::byte_of_line(source, line)?,
            work: options.slice.max(1),
            known: place.all.is_some(),
            shown: Vec::new(),
            more: None,
            hits: 0,
            counts: place.counts,
            counted_line: if place.counted { line } else { 0 },
            hit_from: place.hit_from,
            last_end: place.after_match.then_some(place.byte),
            windowed: place.windowed,
            too_costly: false,
        })
    }

    /// Where the search is, and what it found up to here.
    fn here(&self) -> Place {
        let inside = self.at > self.line_start;
        Place {
            counts: self.counts,
            counted: inside && self.counted_line == self.line,
            hit_from: if inside { self.hit_from.min(more::MAX_COUNT) } else { 0 },
            after_match: inside && self.last_end == Some(self.at),
            windowed: self.windowed,
            ..Place::at(self.at)
        }
    }

    fn run(&mut self) -> Result<(), ReadError> {
        let mut buffer = Window::new(self.source);
        while self.at < self.total
            && self.work > 0
            && !self.too_costly
            && !(self.known && self.has_all_it_shows())
        {
            if self.at > self.line_start || !self.whole_lines(&mut buffer)? {
                self.one_line(&mut buffer)?;
            }
        }
        Ok(())
    }

    /// Searches all lines that are whole in the buffer; false when the next line needs
    /// [`Scan::one_line`].
    fn whole_lines(&mut self, buffer: &mut Window<'s>) -> Result<bool, ReadError> {
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
            self.counts.matches += 1;
            if at >= line_end {
                self.counts.lines += 1;
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
            if lines > 0 && self.more.is_none() && self.options.max_hits > 0 {
                let at = base + pos as u64;
                let place = Place { counts: self.counts, ..Place::at(at) };
                self.more = Some(After { line: self.line, at, place });
            }
            self.hits += lines;
            self.counts.matches += lines;
            self.counts.lines += lines;
        }
        self.line += count_newlines(lines.get(pos..).unwrap_or_default());
    }

    /// Searches a line that is in memory but for its line feed, from byte `from` of it on. Where it
    /// stopped, when that is not at the end.
    fn short_line(&mut self, start: u64, bytes: &[u8], mut from: usize) -> Option<u64> {
        let text = bytes.strip_suffix(b"\r").unwrap_or(bytes);
        let mut search = self.matcher.search(text);
        let mut matched = false;
        if from == 0 {
            (self.hit_from, self.last_end) = (0, None);
        }
        while from <= text.len() {
            // What is empty at the end is looked for: where the text ends, no other slice would.
            if self.work == 0 && from > 0 && from < text.len() {
                return Some(start + from as u64);
            }
            let (found, end) = match self.find(&mut search, from, text.len()) {
                Outcome::Match(found, end) => (found, end),
                Outcome::TooCostly(_) => return Some(start + from as u64),
                Outcome::Absent | Outcome::NoMatch => break,
            };
            // An empty match next to the one before is none.
            let ends = Some(start + end as u64);
            if found < end || self.last_end != ends {
                matched = true;
                if self.options.invert {
                    break;
                }
                let ahead = Ahead { bytes: &bytes[found..], ends: true };
                self.matched(start, start + found as u64, start + end as u64, ahead);
            }
            self.last_end = ends;
            from = if found < end { end } else { skip_continuation(text, end + 1) };
        }
        if self.options.invert && !matched {
            self.matched(start, start, start, Ahead { bytes, ends: true });
        }
        None
    }

    /// Searches the line that `at` is in, from there on, however long it is.
    fn one_line(&mut self, buffer: &mut Window<'s>) -> Result<(), ReadError> {
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
        if self.at == start {
            (self.hit_from, self.last_end) = (0, None);
        }
        while self.work > 0 && self.line_start == start && !self.too_costly {
            self.window(buffer)?;
        }
        Ok(())
    }

    /// Searches the window of a long line that `at` is in, from there on.
    fn window(&mut self, buffer: &mut Window<'s>) -> Result<(), ReadError> {
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
        let mut at = at;
        // As in a short line.
        while at < next_window && (self.work > 0 || ends && at == stop) {
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
            let ends_at = Some(first + end as u64);
            if found < end || self.last_end != ends_at {
                let reach = line_end.unwrap_or(bytes.len()).min(found + room);
                let is_last = line_end == Some(reach) || first + reach as u64 == self.total;
                let ahead = Ahead::of(&bytes[found..reach], is_last);
                self.matched(start, first + found as u64, first + end as u64, ahead);
            }
            self.last_end = ends_at;
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
        // A piece is gone through whole, whatever is left of the slice.
        let outcome = search.find(from, to, GREP_SLICE_BYTES);
        self.work = self.work.saturating_sub(search.take_cost());
        if let Outcome::TooCostly(_) = outcome {
            self.too_costly = true;
        }
        outcome
    }

    /// Counts a match, and takes it as a hit if what was shown before does not hold it.
    fn matched(&mut self, line_start: u64, at: u64, end: u64, ahead: Ahead<'_>) {
        let counted = self.counted_line == self.line;
        let before = Place { counts: self.counts, counted, ..Place::at(at) };
        self.counts.matches += 1;
        if !counted {
            self.counted_line = self.line;
            self.counts.lines += 1;
            self.hit_from = 0;
        }
        // What is empty at the end of a line shows nothing that the hit before does not.
        let shows = self.hit_from == 0 || !(ahead.ends && ahead.bytes.is_empty());
        if at >= self.hit_from && shows {
            self.hit_from = self.hit(line_start, at, end, ahead, before).unwrap_or(u64::MAX);
        }
    }

    /// Takes a hit in the line that starts at `line_start`, with its match in `at..end`. Returns
    /// where the next one in this line may start; `None` when all of it is shown.
    fn hit(
        &mut self,
        line_start: u64,
        at: u64,
        end: u64,
        ahead: Ahead<'_>,
        place: Place,
    ) -> Option<u64> {
        self.hits += 1;
        let before = (at - line_start) as usize;
        let width = self.options.line_chars;
        let reach = if ahead.ends && before + ahead.bytes.len() <= width {
            ahead.bytes.len()
        } else {
            listing::chars_forward(ahead.bytes, width - width / 4)
        };
        let line_end = ahead.ends.then_some(at + ahead.bytes.len() as u64);
        let (line, to) = (self.line, at + reach as u64);
        if self.shown.len() < self.options.max_hits {
            self.shown.push(Shown { line, line_start, at, to, line_end, place });
        } else if self.more.is_none() && self.options.max_hits > 0 {
            self.more = Some(After { line, at, place });
        }
        let done = line_end.is_some_and(|line_end| to.max(end) >= line_end);
        (!done && !self.options.invert).then_some(to.max(end))
    }
}

/// A hit that is not shown, and what was counted before it.
#[derive(Clone, Copy)]
struct After {
    line: u64,
    at: u64,
    place: Place,
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

impl<'b> Ahead<'b> {
    /// Of bytes from a match on, the line's; `is_last` says whether it ends with them at the latest.
    fn of(bytes: &'b [u8], is_last: bool) -> Ahead<'b> {
        match memchr::memchr(b'\n', bytes) {
            Some(end) => Ahead { bytes: &bytes[..end], ends: true },
            None => Ahead { bytes, ends: is_last },
        }
    }
}

/// The first position at or after `at` that is in no character of `bytes`.
fn skip_continuation(bytes: &[u8], at: usize) -> usize {
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().take(3).take_while(|b| position::is_continuation(**b)).count()
}

#[cfg(test)]
mod tests;
