//! Reads a source in order: by chunk or by line.

use std::cell::RefCell;

use crate::limits::{BLOCK_BYTES, READ_BYTES};
use crate::source::{ReadError, Source};

/// The bytes of a source from a position on, a chunk at a time.
pub struct Chunks<'a> {
    source: &'a dyn Source,
    buf: Vec<u8>,
    at: u64,
    end: u64,
}

impl<'a> Chunks<'a> {
    /// Reads the bytes in `start..end`, clamped to what there is.
    pub fn new(source: &'a dyn Source, start: u64, end: u64) -> Self {
        let end = end.min(source.len());
        let buf = vec![0; READ_BYTES.min(end.saturating_sub(start) as usize)];
        Chunks { source, buf, at: start, end }
    }

    /// The next chunk with the offset of its first byte, or nothing at the end.
    ///
    /// # Errors
    /// As [`Source::read_at`].
    pub fn next_chunk(&mut self) -> Result<Option<(u64, &[u8])>, ReadError> {
        let want = self.end.saturating_sub(self.at).min(self.buf.len() as u64) as usize;
        if want == 0 {
            return Ok(None);
        }
        let n = self.source.read_at(self.at, &mut self.buf[..want])?;
        if n == 0 {
            return Ok(None);
        }
        let offset = self.at;
        self.at += n as u64;
        Ok(Some((offset, &self.buf[..n])))
    }
}

/// The sum of `count` over the bytes in `start..end`.
///
/// # Errors
/// As [`Source::read_at`].
pub fn tally(
    source: &dyn Source,
    start: u64,
    end: u64,
    count: fn(&[u8]) -> u64,
) -> Result<u64, ReadError> {
    let mut chunks = Chunks::new(source, start, end);
    let mut sum = 0;
    while let Some((_, bytes)) = chunks.next_chunk()? {
        sum += count(bytes);
    }
    Ok(sum)
}

/// A line without its line feed, or as much of it as was asked for.
#[derive(Debug, Clone, Copy)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: u64,
    /// Where it starts, in bytes.
    pub start: u64,
    /// Where it ends, in bytes, its line feed left out.
    pub end: u64,
    /// Its first bytes: all of them, unless it has more than were asked for.
    pub prefix: &'a [u8],
}

/// Calls `each` for every line in order, with at most `keep` of its first bytes.
///
/// # Errors
/// As [`Source::read_at`].
pub fn each_line(
    source: &dyn Source,
    keep: usize,
    each: impl FnMut(Line<'_>),
) -> Result<(), ReadError> {
    each_line_to(source, u64::MAX, keep, each)
}

/// The same of the bytes before `end`.
///
/// # Errors
/// As [`Source::read_at`].
pub fn each_line_to(
    source: &dyn Source,
    end: u64,
    keep: usize,
    mut each: impl FnMut(Line<'_>),
) -> Result<(), ReadError> {
    go_through(source, end, keep, &mut each)
}

/// Compiled once, whatever is done with the lines.
#[inline(never)]
fn go_through(
    source: &dyn Source,
    end: u64,
    keep: usize,
    each: &mut dyn FnMut(Line<'_>),
) -> Result<(), ReadError> {
    let mut chunks = Chunks::new(source, 0, end);
    let mut carry: Vec<u8> = Vec::new();
    let mut number = 1;
    let mut start = 0;
    let mut end_of_all = 0;
    while let Some((offset, bytes)) = chunks.next_chunk()? {
        end_of_all = offset + bytes.len() as u64;
        let mut from = 0;
        for newline in memchr::memchr_iter(b'\n', bytes) {
            let piece = &bytes[from..newline];
            let end = offset + newline as u64;
            if start < offset {
                carry.extend_from_slice(&piece[..piece.len().min(keep - carry.len())]);
                each(Line { number, start, end, prefix: &carry });
                carry.clear();
            } else {
                each(Line { number, start, end, prefix: &piece[..piece.len().min(keep)] });
            }
            number += 1;
            from = newline + 1;
            start = end + 1;
        }
        let rest = &bytes[from..];
        carry.extend_from_slice(&rest[..rest.len().min(keep - carry.len())]);
    }
    if start < end_of_all {
        each(Line { number, start, end: end_of_all, prefix: &carry });
    }
    Ok(())
}

/// Bytes read ahead of a place that moves forward.
const AHEAD_BYTES: usize = 256 * 1024;

/// Bytes of a source around a place that moves forward. Each is read once.
pub struct Window<'s> {
    /// The source.
    pub source: &'s dyn Source,
    bytes: Vec<u8>,
    base: u64,
}

impl<'s> Window<'s> {
    /// Nothing is read before it is asked for.
    pub fn new(source: &'s dyn Source) -> Window<'s> {
        Window { source, bytes: Vec::new(), base: 0 }
    }

    /// The bytes from `from` on: at least `want` of them, unless the source ends before.
    ///
    /// # Errors
    /// As [`Source::read_at`].
    #[inline(never)]
    pub fn load(&mut self, from: u64, want: usize) -> Result<&[u8], ReadError> {
        let end = self.base + self.bytes.len() as u64;
        let total = self.source.len();
        let from = from.min(total);
        let wanted = from.saturating_add(want as u64).min(total);
        if from < self.base || from > end {
            self.bytes.clear();
            self.base = from;
        }
        if wanted > self.base + self.bytes.len() as u64 {
            let keep = (from - self.base) as usize;
            self.bytes.drain(..keep);
            self.base = from;
            let have = self.bytes.len();
            // To the end of a block: a read checks whole blocks.
            let blocks = (wanted + AHEAD_BYTES as u64).div_ceil(BLOCK_BYTES as u64);
            let target = (blocks * BLOCK_BYTES as u64).min(total);
            self.bytes.resize((target - from) as usize, 0);
            let got = self.source.read_at(from + have as u64, &mut self.bytes[have..])?;
            self.bytes.truncate(have + got);
        }
        Ok(&self.bytes[(from - self.base) as usize..])
    }

    /// How long the line at a byte is, without and with its line feed; more than `most` bytes are not held at once.
    ///
    /// # Errors
    /// As [`Source::read_at`].
    #[inline(never)]
    pub fn line(&mut self, at: u64, most: usize) -> Result<Option<(usize, u64)>, ReadError> {
        let mut want = 16 * 1024;
        let total = self.source.len();
        if at >= total {
            return Ok(None);
        }
        let mut looked = 0;
        loop {
            let bytes = self.load(at, want)?;
            let all = at + bytes.len() as u64 >= total;
            if let Some(end) = memchr::memchr(b'\n', &bytes[looked..]) {
                let end = looked + end;
                return Ok(Some((end, end as u64 + 1)));
            }
            looked = bytes.len();
            if all {
                return Ok(Some((looked, looked as u64)));
            }
            if looked > most {
                let mut end = at + looked as u64;
                loop {
                    let bytes = self.load(end, AHEAD_BYTES)?;
                    let (bytes, after) = match memchr::memchr(b'\n', bytes) {
                        Some(found) => (found as u64 + 1, 1),
                        None if bytes.is_empty() => (0, 0),
                        None => {
                            end += bytes.len() as u64;
                            continue;
                        }
                    };
                    let all = end + bytes - at;
                    return Ok(Some(((all - after) as usize, all)));
                }
            }
            want = looked * 4;
        }
    }
}

/// Where a line is: its bytes without the line feed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    /// Where it starts, in bytes.
    pub start: u64,
    /// One past its last byte.
    pub end: u64,
}

/// The first `count` lines.
///
/// # Errors
/// As [`Source::read_at`].
pub fn first_lines(source: &dyn Source, count: usize) -> Result<Vec<Span>, ReadError> {
    let mut spans = Vec::new();
    let mut start = 0;
    let mut chunks = Chunks::new(source, 0, u64::MAX);
    while spans.len() < count {
        let Some((offset, bytes)) = chunks.next_chunk()? else {
            if start < source.len() {
                spans.push(Span { start, end: source.len() });
            }
            break;
        };
        for newline in memchr::memchr_iter(b'\n', bytes).take(count - spans.len()) {
            let end = offset + newline as u64;
            spans.push(Span { start, end });
            start = end + 1;
        }
    }
    Ok(spans)
}

/// The last `count` lines, in their order.
///
/// # Errors
/// As [`Source::read_at`].
pub fn last_lines(source: &dyn Source, count: usize) -> Result<Vec<Span>, ReadError> {
    let len = source.len();
    let mut spans = Vec::new();
    if len == 0 || count == 0 {
        return Ok(spans);
    }
    // The line feed at the very end closes the last line and starts none.
    let closed = source.read_range(len - 1, len)? == b"\n";
    let mut end = len - u64::from(closed);
    let mut at = end;
    'blocks: while at > 0 {
        let from = at.saturating_sub(READ_BYTES as u64);
        let block = source.read_range(from, at)?;
        for newline in memchr::memrchr_iter(b'\n', &block) {
            let newline = from + newline as u64;
            spans.push(Span { start: newline + 1, end });
            end = newline;
            if spans.len() == count {
                break 'blocks;
            }
        }
        at = from;
    }
    if spans.len() < count {
        spans.push(Span { start: 0, end });
    }
    spans.reverse();
    Ok(spans)
}

/// Blocks kept by [`Cached`]: enough for the head, the tail and what lies between in one excerpt.
const CACHED_BLOCKS: usize = 16;

/// A source that remembers the blocks it read last, for many small reads near each other.
pub struct Cached<'a> {
    source: &'a dyn Source,
    blocks: RefCell<Vec<(u64, Vec<u8>)>>,
}

impl<'a> Cached<'a> {
    /// Nothing is read before it is asked for.
    pub fn new(source: &'a dyn Source) -> Self {
        Cached { source, blocks: RefCell::new(Vec::new()) }
    }
}

impl Source for Cached<'_> {
    fn len(&self) -> u64 {
        self.source.len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize, ReadError> {
        let mut blocks = self.blocks.borrow_mut();
        let mut done = 0;
        while done < buf.len() {
            let at = offset + done as u64;
            let base = at - at % READ_BYTES as u64;
            let found = match blocks.iter().position(|(b, _)| *b == base) {
                Some(found) => found,
                None => {
                    if blocks.len() == CACHED_BLOCKS {
                        blocks.remove(0);
                    }
                    let block =
                        self.source.read_range(base, base.saturating_add(READ_BYTES as u64))?;
                    blocks.push((base, block));
                    blocks.len() - 1
                }
            };
            let block = blocks[found].1.get((at - base) as usize..).unwrap_or_default();
            if block.is_empty() {
                break;
            }
            let n = block.len().min(buf.len() - done);
            buf[done..done + n].copy_from_slice(&block[..n]);
            done += n;
        }
        Ok(done)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn naive(bytes: &[u8]) -> Vec<Span> {
        let mut spans = Vec::new();
        let mut start = 0;
        for piece in bytes.split_inclusive(|&b| b == b'\n') {
            let end = start + piece.len() as u64;
            spans.push(Span { start, end: end - u64::from(piece.ends_with(b"\n")) });
            start = end;
        }
        spans
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn lines_are_those_between_line_feeds(
            words in proptest::collection::vec("[a\n]{0,9}", 0..9), long in 0usize..150_000, count in 0usize..9,
        ) {
            let text = words.join(&"b".repeat(long));
            let source = text.as_bytes();
            let all = naive(source);
            let mut seen = Vec::new();
            each_line(&source, 7, |line| {
                assert_eq!(line.number, seen.len() as u64 + 1);
                let whole = &source[line.start as usize..line.end as usize];
                assert_eq!(line.prefix, &whole[..whole.len().min(7)]);
                seen.push(Span { start: line.start, end: line.end });
            }).unwrap();
            prop_assert_eq!(&seen, &all);
            prop_assert_eq!(&first_lines(&source, count).unwrap()[..], &all[..count.min(all.len())]);
            prop_assert_eq!(&last_lines(&source, count).unwrap()[..], &all[all.len().saturating_sub(count)..]);
        }

        #[test]
        fn a_cached_read_is_a_read(len in 0usize..300_000, from in 0u64..310_000, n in 0usize..200_000) {
            let bytes: Vec<u8> = (0..len).map(|i| (i * 7 % 251) as u8).collect();
            let source = bytes.as_slice();
            let cached = Cached::new(&source);
            let end = from + n as u64;
            prop_assert_eq!(cached.read_range(from, end).unwrap(), source.read_range(from, end).unwrap());
        }
    }
}
