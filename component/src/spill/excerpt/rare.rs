//! The few lines that look like no other.

use xxhash_rust::xxh3::xxh3_64;

use crate::kind::Kind;
use crate::source::{ReadError, Source};
use crate::spill::anchor::Hit;
use crate::spill::scan::each_line;
use crate::spill::severity::Severity;
use crate::spill::template::{SHAPE_BYTES, mask};

/// Lines that are surfaced. Where more stand alone, standing alone says nothing.
const MOST: usize = 3;

/// Lines below which no shape is common.
const LEAST_LINES: u64 = 100;

/// Shapes that are told apart.
const MAX_SHAPES: usize = 1 << 14;

/// The lines in `start..end` whose shape is theirs alone, where nearly all others share theirs.
pub(super) fn lines(
    source: &dyn Source,
    kind: Kind,
    (start, end): (u64, u64),
) -> Result<Vec<Hit>, ReadError> {
    if !matches!(kind, Kind::Text | Kind::Log) {
        return Ok(Vec::new());
    }
    let mut exact = Alone::default();
    let mut coarse = Alone::default();
    let mut all = 0;
    each_line(source, SHAPE_BYTES, |line| {
        let text = line.prefix.trim_ascii();
        if line.start < start || line.start >= end || text.is_empty() {
            return;
        }
        all += 1;
        let shape = mask(text, &mut [0; SHAPE_BYTES]).to_vec();
        exact.push(xxh3_64(&shape), line.number, line.start);
        coarse.push(xxh3_64(&skeleton(&shape)), line.number, line.start);
    })?;
    if all < LEAST_LINES {
        return Ok(Vec::new());
    }
    let found = exact.few().or_else(|| coarse.few()).unwrap_or_default();
    let hit = |(line, at): (u64, u64)| Hit {
        line,
        line_start: at,
        word_start: at,
        word_end: at,
        severity: Severity::Warning,
    };
    Ok(found.into_iter().map(hit).collect())
}

/// A shape with each run of letters, and each run of blanks, as one sign.
fn skeleton(shape: &[u8]) -> Vec<u8> {
    let mut out: Vec<u8> = Vec::with_capacity(shape.len());
    for &byte in shape {
        let sign = match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' | 0x80.. | b'#' | b'.' | b'/' => b'a',
            b' ' | b'\t' => b' ',
            other => other,
        };
        if sign != b'a' && sign != b' ' || out.last() != Some(&sign) {
            out.push(sign);
        }
    }
    // Sentences differ in length, not in kind.
    out.truncate(24);
    out
}

/// Counts shapes by hash, as far as to tell those met once.
#[derive(Default)]
struct Alone {
    // Sorted runs would cost more than this does: a table with a place for each hash.
    slots: Vec<(u64, u64, u64, bool)>,
    shapes: usize,
    overflowed: bool,
}

impl Alone {
    fn push(&mut self, hash: u64, line: u64, at: u64) {
        if self.overflowed {
            return;
        }
        if self.slots.is_empty() {
            self.slots = vec![(0, 0, 0, false); 2 * MAX_SHAPES];
        }
        let mut slot = hash as usize % self.slots.len();
        loop {
            let place = &mut self.slots[slot];
            if place.1 == 0 {
                *place = (hash, line, at, true);
                self.shapes += 1;
                self.overflowed = self.shapes > MAX_SHAPES;
                return;
            }
            if place.0 == hash {
                place.3 = false;
                return;
            }
            slot = (slot + 1) % self.slots.len();
        }
    }

    /// The lines met once, in order, when they are few.
    fn few(&self) -> Option<Vec<(u64, u64)>> {
        if self.overflowed {
            return None;
        }
        let alone = self.slots.iter().filter(|slot| slot.1 > 0 && slot.3);
        let mut lines: Vec<(u64, u64)> =
            alone.map(|slot| (slot.1, slot.2)).take(MOST + 1).collect();
        crate::sort::sort_by_key(&mut lines, |line| line.0);
        // Several are of interest when they stand together.
        let together = lines.windows(2).all(|two| two[0].0 + 1 == two[1].0);
        (lines.len() <= MOST && together).then_some(lines)
    }
}
