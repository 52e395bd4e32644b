//! The parts of a JSON text that fit a purpose.

use crate::content::numbers::thousands;
use crate::content::scan::Chunks;
use crate::content::show::one_line;
use crate::source::{ReadError, Source};
use crate::spill::purpose::{Fit, KEEP, Purpose, Ranking, is_ranked};

/// Bytes of a part: a value with all in it, or a member.
const PART_BYTES: u64 = KEEP as u64;

/// Containers in each other that are told apart.
const DEPTH: usize = 64;

/// Parts that wait for the end of what they are in.
const WAITING: usize = 1_024;

/// A container that is open.
struct Open {
    start: u64,
    // The words of the keys that lead here.
    above: u32,
}

/// The parts that fit, best first, each as a line of at most `max_chars`.
pub(super) fn fitting(
    source: &dyn Source,
    purpose: &Purpose,
    max_chars: usize,
) -> Result<Vec<(Fit, String)>, ReadError> {
    let mut parts =
        Parts { source, ranking: Ranking::new(purpose), purpose, waiting: Vec::new(), number: 0 };
    let mut open: Vec<Open> = Vec::new();
    let mut deeper = 0_usize;
    // The member at hand: where its key starts, and where its value; whether a key has ended.
    let (mut key, mut scalar): (Option<(u64, u64)>, Option<u64>) = (None, None);
    let (mut is_string, mut is_escaped) = (false, false);
    let mut string = (0, 0);
    let mut chunks = Chunks::new(source, 0, u64::MAX);
    while let Some((offset, bytes)) = chunks.next_chunk()? {
        for (at, &byte) in (offset..).zip(bytes) {
            if is_string {
                match byte {
                    _ if is_escaped => is_escaped = false,
                    b'\\' => is_escaped = true,
                    b'"' => {
                        is_string = false;
                        string.1 = at + 1;
                    }
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => {
                    is_string = true;
                    string.0 = at;
                    scalar.get_or_insert(at);
                }
                b':' => key = Some(string).filter(|_| scalar.take().is_some()),
                b'{' | b'[' if open.len() == DEPTH => deeper += 1,
                b'{' | b'[' => {
                    let above = open.last().map_or(0, |outer: &Open| outer.above);
                    let named = match key.take() {
                        Some((from, to)) => {
                            purpose.mask(&source.read_range(from, to.min(from + PART_BYTES))?)
                        }
                        None => 0,
                    };
                    open.push(Open { start: at, above: above | named });
                    scalar = None;
                }
                b',' | b'}' | b']' => {
                    if let Some(from) = scalar.take() {
                        let from = key.map_or(from, |(from, _)| from);
                        parts.add(from, at, open.last().map_or(0, |outer| outer.above))?;
                    }
                    key = None;
                    if byte == b',' {
                        continue;
                    }
                    if deeper > 0 {
                        deeper -= 1;
                    } else if let Some(ended) = open.pop() {
                        parts.close(
                            ended.start,
                            at + 1,
                            open.last().map_or(0, |outer| outer.above),
                        )?;
                    }
                }
                byte if !byte.is_ascii_whitespace() => {
                    scalar.get_or_insert(at);
                }
                _ => {}
            }
        }
    }
    parts.settle(u64::MAX)?;
    parts.best(max_chars)
}

struct Parts<'a> {
    source: &'a dyn Source,
    purpose: &'a Purpose,
    ranking: Ranking<'a>,
    // Parts that may still become one with what they are in.
    waiting: Vec<(u64, u64, u32)>,
    number: u64,
}

impl Parts<'_> {
    /// Those that fit best, each as a line.
    fn best(&self, max_chars: usize) -> Result<Vec<(Fit, String)>, ReadError> {
        let mut found = Vec::new();
        for fit in self.ranking.best() {
            let end = fit.end.min(fit.start + 4 * max_chars as u64);
            let text = self.source.read_range(fit.start, end)?;
            let text = one_line(&String::from_utf8_lossy(&text), max_chars);
            let place = format!("bytes {}-{}", thousands(fit.start), thousands(fit.end));
            found.push((fit, format!("{place}: {text}")));
        }
        Ok(found)
    }

    fn add(&mut self, start: u64, end: u64, above: u32) -> Result<(), ReadError> {
        self.waiting.push((start, end, above));
        if self.waiting.len() == WAITING {
            self.settle(end.saturating_sub(PART_BYTES))?;
        }
        Ok(())
    }

    /// A container ends: if it is small it is one part.
    fn close(&mut self, start: u64, end: u64, above: u32) -> Result<(), ReadError> {
        if end - start > PART_BYTES {
            return self.settle(end);
        }
        while self.waiting.last().is_some_and(|(from, ..)| *from > start) {
            self.waiting.pop();
        }
        self.add(start, end, above)
    }

    /// Ranks those that start before `until`.
    fn settle(&mut self, until: u64) -> Result<(), ReadError> {
        let ready = self.waiting.iter().take_while(|(start, ..)| *start < until).count();
        for (start, end, above) in self.waiting.drain(..ready) {
            self.number += 1;
            if !is_ranked(start, self.source.len()) {
                continue;
            }
            let text = self.source.read_range(start, end.min(start + PART_BYTES))?;
            self.ranking.push(
                self.purpose.mask(&text),
                above,
                Fit { number: self.number, start, end },
            );
        }
        Ok(())
    }
}
