//! The excerpt of bytes that are no text: what they seem to be, how many, and the first of them.

use super::{Excerpt, ExcerptRequest, Gap, Unit};
use crate::content::magic::sniff;
use crate::content::numbers::{counted, thousands};
use crate::content::show::width;
use crate::source::{ReadError, Source};

/// Bytes on a line of the dump, and lines.
const ROW_BYTES: usize = 16;
const ROWS: usize = 4;

pub(super) fn excerpt(
    source: &dyn Source,
    request: &ExcerptRequest<'_>,
) -> Result<Excerpt, ReadError> {
    let len = source.len();
    let head = source.read_range(0, 512)?;
    let media = sniff(&head).unwrap_or("application/octet-stream");
    let detail = format!("{media}, {}", counted(len, "byte"));

    let mut text = format!("binary: {detail}");
    let mut shown = 0;
    for (i, row) in head.chunks(ROW_BYTES).take(ROWS).enumerate() {
        let hex: Vec<String> = row.iter().map(|b| format!("{b:02x}")).collect();
        let signs: String = row
            .iter()
            .map(|&b| if b.is_ascii_graphic() || b == b' ' { b as char } else { '.' })
            .collect();
        // Letters beside the dump could spell a mark of ours; a bar between them could not.
        let signs = signs.replace(['[', '<', ':'], ".");
        let line = format!("\n{:08x}  {:47}  |{signs}|", i * ROW_BYTES, hex.join(" "));
        if width(&text) + width(&line) + 50 > request.budget_chars {
            break;
        }
        text.push_str(&line);
        shown += row.len() as u64;
    }
    let rest = len - shown;
    if rest > 0 && shown > 0 {
        text.push_str(&format!("\n… {} more bytes not shown …", thousands(rest)));
    }
    if width(&text) > request.budget_chars {
        text = super::unseen(request);
    }
    let words = match shown {
        0 => "none of its bytes".to_owned(),
        _ => format!("first {} of {}", thousands(shown), counted(len, "byte")),
    };
    Ok(Excerpt {
        text,
        detail,
        shown: words,
        gap: (rest > 0).then_some(Gap { unit: Unit::Bytes, start: shown, count: rest }),
        ..Excerpt::default()
    })
}
