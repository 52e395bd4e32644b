//! The outline of Markdown: its headings with their lines.

use super::{List, OUTLINE_LINE_CHARS, Outline, lines_of};
use crate::content::scan::each_line;
use crate::content::show::one_line;
use crate::content::source_text::heading_level;
use crate::source::{ReadError, Source};
use crate::spill::measure::Measure;

pub(super) fn markdown(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    const KEEP: usize = 400;
    let mut headings = List::new("headings");
    let mut fence: Option<u8> = None;
    each_line(source, KEEP, |line| {
        let text = line.prefix.trim_ascii_start();
        if text.starts_with(b"```") || text.starts_with(b"~~~") {
            match fence {
                None => fence = Some(text[0]),
                Some(sign) if sign == text[0] => fence = None,
                Some(_) => {}
            }
        } else if fence.is_none()
            && let Some(level) = heading_level(line.prefix)
        {
            headings.push(|| {
                let title = String::from_utf8_lossy(&line.prefix[level..]);
                let title = one_line(&title, OUTLINE_LINE_CHARS);
                format!("{}: {}{title}", line.number, "#".repeat(level) + " ")
            });
        }
    })?;
    Ok(Outline { detail: lines_of(measure), list: headings, ..Outline::default() })
}
