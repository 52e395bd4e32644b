//! The outline of program source: what is defined where.

use super::{List, OUTLINE_LINE_CHARS, Outline, lines_of};
use crate::content::scan::each_line;
use crate::content::show::one_line;
use crate::content::source_text::defines;
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

pub(super) fn symbols(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    const KEEP: usize = 200;
    let mut found = List::new("definitions");
    each_line(source, KEEP, |line| {
        let Some(indent) = line.prefix.iter().position(|&b| b != b' ' && b != b'\t') else {
            return;
        };
        if indent > 4 || !line.prefix[indent].is_ascii_lowercase() {
            return;
        }
        let Ok(text) = std::str::from_utf8(&line.prefix[indent..]) else { return };
        if defines(text) {
            found.push(|| {
                let pad = if indent > 0 { "  " } else { "" };
                let text = text.trim_end().trim_end_matches(['{', ':']).trim_end();
                format!("{}: {pad}{}", line.number, one_line(text, OUTLINE_LINE_CHARS))
            });
        }
    })?;
    Ok(Outline { detail: lines_of(measure), list: found, ..Outline::default() })
}
