//! Writes hits out: a window of each line around its match, with lines of context.

use super::counted::Place;
use super::page::readable;
use super::position::{self, is_continuation};
use crate::source::{Indexed, ReadError, count_chars};

/// A hit, or a line of context.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// The line's number, from 1.
    pub line: u64,
    /// The column of the match in bytes, from 1; `None` for a line of context.
    pub column: Option<u64>,
    /// The byte of the match (or of the line's start) in the blob, from 0.
    pub byte: u64,
    /// The line, or a window around the match. Bytes that are not UTF-8 are written `\xNN`.
    pub text: String,
    /// Characters of the line left out before `text`.
    pub cut_before: u64,
    /// Characters of the line left out after `text`.
    pub cut_after: u64,
}

/// As a listing shows it: `LINE:COLUMN: text` for a hit, `LINE- text` for context, with what is left
/// out and the byte to read around.
impl std::fmt::Display for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.column {
            Some(column) => write!(f, "{}:{column}: ", self.line)?,
            None => write!(f, "{}- ", self.line)?,
        }
        if self.cut_before > 0 {
            write!(f, "[{} chars before] ", self.cut_before)?;
        }
        f.write_str(&self.text)?;
        if self.cut_after > 0 {
            write!(f, " [{} more chars]", self.cut_after)?;
        }
        if self.cut_before > 0 || self.cut_after > 0 {
            write!(f, " (byte {})", self.byte)?;
        }
        Ok(())
    }
}

/// A hit on its way to be shown.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    /// The line's number.
    pub(super) line: u64,
    /// The byte the line starts at.
    pub(super) line_start: u64,
    /// The byte the match starts at.
    pub(super) at: u64,
    /// One past the last byte that is shown.
    pub(super) to: u64,
    /// One past the last byte of the line, when known.
    pub(super) line_end: Option<u64>,
    /// Where the match is, with what was counted before it.
    pub(super) place: Place,
}

/// How hits are laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Lines of context before a hit.
    pub(super) before: u32,
    /// Lines of context after a hit.
    pub(super) after: u32,
    /// Characters shown of one line.
    pub(super) line_chars: usize,
    /// Characters of all lines shown. The first hit is shown whatever this is.
    pub(super) max_chars: usize,
}

/// Lines to show.
pub(super) struct Listing {
    pub(super) lines: Vec<Line>,
    /// How many hits are among them.
    pub(super) shown: usize,
    /// Whether context was left out for want of room.
    pub(super) context_cut: bool,
}

/// As many of `hits` as fit, with their context.
pub(super) fn render(
    source: &dyn Indexed,
    hits: &[Shown],
    layout: &Layout,
) -> Result<Listing, ReadError> {
    let width = layout.line_chars;
    let (before, after) = (u64::from(layout.before), u64::from(layout.after));
    let mut listing = Listing { lines: Vec::new(), shown: 0, context_cut: false };
    let mut left = layout.max_chars;
    let mut last = 0;
    for (i, hit) in hits.iter().enumerate() {
        let own = hit_line(source, hit, width)?;
        let first = hit.line.saturating_sub(before).max(last + 1);
        let mut lines = context(source, first, hit.line, width)?;
        if i == 0 && cost(&own) + lines.iter().map(cost).sum::<usize>() > left {
            listing.context_cut = !lines.is_empty();
            lines.clear();
        }
        lines.push(own);
        let used: usize = lines.iter().map(cost).sum();
        if used > left && i > 0 {
            break;
        }
        left = left.saturating_sub(used);
        listing.lines.append(&mut lines);
        listing.shown += 1;
        last = hit.line;
        let stop = hits.get(i + 1).map_or(u64::MAX, |next| next.line);
        for line in context(source, hit.line + 1, (hit.line + 1 + after).min(stop), width)? {
            if cost(&line) > left {
                listing.context_cut = true;
                break;
            }
            left -= cost(&line);
            last = line.line;
            listing.lines.push(line);
        }
    }
    Ok(listing)
}

/// The length of the longest start of `bytes` with no more than `chars` characters (and four times
/// as many bytes, which is less only for bytes that are not UTF-8).
pub(super) fn chars_forward(bytes: &[u8], chars: usize) -> usize {
    let bytes = &bytes[..bytes.len().min(chars.saturating_mul(4))];
    let starts = bytes.iter().enumerate().filter(|(_, b)| !is_continuation(**b));
    starts.map(|(i, _)| i).nth(chars).unwrap_or(bytes.len())
}

/// Where the last `chars` characters of `bytes` start.
fn chars_back(bytes: &[u8], chars: usize) -> usize {
    let Some(nth) = chars.checked_sub(1) else { return bytes.len() };
    let starts = bytes.iter().enumerate().rev().filter(|(_, b)| !is_continuation(**b));
    starts.map(|(i, _)| i).nth(nth).unwrap_or(0)
}

/// Characters that a line takes in a listing, with its line feed and a line between groups.
fn cost(line: &Line) -> usize {
    line.to_string().chars().count() + 4
}

/// The window of a hit: a quarter of it before the match, more when less follows.
fn hit_line(source: &dyn Indexed, hit: &Shown, width: usize) -> Result<Line, ReadError> {
    let reach = hit.line_start.max(hit.at.saturating_sub(width as u64 * 4));
    let bytes = source.read_range(reach, hit.to)?;
    let (before, after) = bytes.split_at(((hit.at - reach) as usize).min(bytes.len()));
    let room = width.saturating_sub(count_chars(after) as usize);
    let from = reach + chars_back(before, room) as u64;
    let text = &bytes[(from - reach) as usize..];
    let cut_before = chars_between(source, hit.line_start, from)?;
    let (text, cut_after) = tail_of(source, hit.line, text, hit.to, hit.line_end, width)?;
    let column = Some(hit.at - hit.line_start + 1);
    Ok(Line { line: hit.line, column, byte: hit.at, text, cut_before, cut_after })
}

/// The lines `first..end`, from their starts; none past the end of the blob.
fn context(
    source: &dyn Indexed,
    first: u64,
    end: u64,
    width: usize,
) -> Result<Vec<Line>, ReadError> {
    let mut lines = Vec::new();
    if first >= end {
        return Ok(lines);
    }
    let mut start = position::byte_of_line(source, first)?;
    for line in first..end {
        if start >= source.len() {
            break;
        }
        let bytes = source.read_range(start, start + width as u64 * 4 + 5)?;
        let newline = memchr::memchr(b'\n', &bytes);
        let whole = newline.or((start + bytes.len() as u64 == source.len()).then_some(bytes.len()));
        let shown = chars_forward(&bytes[..whole.unwrap_or(bytes.len())], width);
        let line_end = whole.map(|len| start + len as u64);
        let to = start + shown as u64;
        let (text, cut_after) = tail_of(source, line, &bytes[..shown], to, line_end, width)?;
        lines.push(Line { line, column: None, byte: start, text, cut_before: 0, cut_after });
        start = match newline {
            Some(len) => start + len as u64 + 1,
            None => position::after_newline(source, line)?,
        };
    }
    Ok(lines)
}

/// What is shown of a line that is shown up to `to`, and how many of its characters come after.
fn tail_of(
    source: &dyn Indexed,
    line: u64,
    text: &[u8],
    to: u64,
    line_end: Option<u64>,
    width: usize,
) -> Result<(String, u64), ReadError> {
    let line_end = match line_end {
        Some(end) => end,
        None => {
            let end = position::after_newline(source, line)?;
            let last = source.read_range(end.saturating_sub(1), end)?;
            end - u64::from(last == b"\n")
        }
    };
    let text = if to >= line_end { text.strip_suffix(b"\r").unwrap_or(text) } else { text };
    let mut readable = readable(text);
    // A bad byte takes four characters where it was counted as one or none.
    let mut cut_after = chars_between(source, to, line_end)?;
    if let Some((at, _)) = readable.char_indices().nth(width) {
        cut_after += readable[at..].chars().count() as u64;
        readable.truncate(at);
    }
    Ok((readable, cut_after))
}

/// How many characters lie between two bytes.
fn chars_between(source: &dyn Indexed, start: u64, end: u64) -> Result<u64, ReadError> {
    const NEAR: u64 = 4_096;
    if end <= start {
        return Ok(0);
    }
    if end - start <= NEAR {
        return Ok(count_chars(&source.read_range(start, end)?));
    }
    Ok(position::char_of_byte(source, end)? - position::char_of_byte(source, start)?)
}
