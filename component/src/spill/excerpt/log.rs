//! The outline of a log: lines by level, and the commonest and rarest shapes of line.

use super::{OUTLINE_LINE_CHARS, Outline};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::each_line;
use crate::content::show::shown_prefix;
use crate::content::template::{SHAPE_BYTES, Shape, Shapes};
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

/// Shapes listed from either end of the ranking.
const LISTED: usize = 5;

pub(super) fn shapes(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let mut shapes = Shapes::default();
    each_line(source, SHAPE_BYTES, |line| {
        let text = line.prefix.strip_suffix(b"\r").unwrap_or(line.prefix);
        shapes.push((line.number, line.start), text);
    })?;
    let mut detail = counted(measure.lines, "line");
    for (word, lines) in shapes.levels() {
        detail.push_str(&format!(", {} {word}", thousands(lines)));
    }

    let mut lines = Vec::new();
    let ranked = shapes.ranked().unwrap_or_default();
    // Shapes say something when many lines share few of them.
    if ranked.len() > 1 && ranked.len() as u64 * 4 <= measure.lines {
        let line = |shape: &&Shape| {
            let text = shown_prefix(shape.text.trim_ascii_end(), OUTLINE_LINE_CHARS).0;
            format!("{} × {text} (first in line {})", thousands(shape.lines), shape.first.0)
        };
        lines.push(format!("--- {} shapes of line; # is a number or an id ---", ranked.len()));
        let common = &ranked[..ranked.len().min(LISTED)];
        let rest = &ranked[common.len()..];
        let rare = &rest[rest.len().saturating_sub(LISTED)..];
        lines.extend(common.iter().map(line));
        let between = rest.len() - rare.len();
        if between > 0 {
            lines.push(format!("… {between} more shapes, then the rarest …"));
        }
        lines.extend(rare.iter().map(line));
    }
    let is_parted = !lines.is_empty() || !shapes.levels().is_empty();
    Ok(Outline { detail, lines, is_parted, shapes: Some(shapes), ..Outline::default() })
}
