//! The outline of a text that is base64, wrapped in lines or in one.

use super::{Outline, lines_of};
use crate::content::encoded::{about, find, is_random};
use crate::content::numbers::counted;
use crate::content::scan::each_line;
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

/// Characters of a line that may be base64, at the least.
const LINE_CHARS: usize = 40;

/// Lines of base64 from which on they are told.
const LEAST_LINES: usize = 4;

/// What the base64 that `source` is holds; nothing when it is something else.
pub(super) fn outline(
    source: &dyn Source,
    measure: &Measure,
    lines: &[&[u8]],
) -> Result<Option<Outline>, ReadError> {
    if measure.lines == 1 {
        let found = find(source, 0, source.len())?;
        return Ok(found.map(|found| Outline {
            detail: format!("{}, {}", lines_of(measure), found.about),
            ..Outline::default()
        }));
    }
    let encoded: Vec<&[u8]> = lines.iter().copied().filter(|line| is_encoded(line)).collect();
    if encoded.len() < LEAST_LINES || encoded.len() * 10 < lines.len() * 9 {
        return Ok(None);
    }
    // Lines that stand for themselves, such as tokens, differ in length and hold a value each.
    let width = encoded[0].len();
    if encoded[..encoded.len() - 1].iter().filter(|line| <[u8]>::len(line) == width).count() * 10
        < (encoded.len() - 1) * 9
    {
        return Ok(None);
    }
    let (mut signs, mut of) = (0_u64, 0_u64);
    each_line(source, 256, |line| {
        let text = line.prefix.trim_ascii();
        if is_signs(text) {
            of += 1;
            signs += line.end
                - line.start
                - text.iter().rev().take_while(|b| **b == b'=').count() as u64;
        }
    })?;
    Ok(Some(Outline {
        detail: format!(
            "{}, {} of them {}",
            lines_of(measure),
            counted(of, "line"),
            about(&encoded.concat(), signs)
        ),
        ..Outline::default()
    }))
}

fn is_signs(line: &[u8]) -> bool {
    let line = line.strip_suffix(b"=").unwrap_or(line);
    let line = line.strip_suffix(b"=").unwrap_or(line);
    !line.is_empty()
        && line.iter().all(|byte| byte.is_ascii_alphanumeric() || b"+/-_".contains(byte))
}

fn is_encoded(line: &[u8]) -> bool {
    line.len() >= LINE_CHARS
        && is_signs(line)
        && is_random(line.trim_ascii_end().strip_suffix(b"==").unwrap_or(line))
}
