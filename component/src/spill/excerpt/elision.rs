//! Finds where a tool says that its answer is not all there is.

use crate::content::json::Range;
use crate::content::show::one_line;
use crate::source::{ReadError, Source};

/// Bytes at the end of a text in which such a remark is looked for.
const TAIL_BYTES: u64 = 2_048;

/// Characters of it that are quoted.
const QUOTE_CHARS: usize = 120;

/// Remarks in small letters. A line of the tail that holds one is quoted.
const REMARKS: [&str; 14] = [
    "more items",
    "more results",
    "more lines",
    "more rows",
    "more entries",
    "more matches",
    "more files",
    "more characters",
    "(truncated",
    "[truncated",
    "output truncated",
    "results truncated",
    "omitted for brevity",
    "to see more",
];

/// Keys in small letters without `_` and `-`, whose value says that there is more unless it is
/// null, false, zero or empty.
const KEYS: [&str; 14] = [
    "hasmore",
    "hasnext",
    "hasnextpage",
    "nextcursor",
    "nextpage",
    "nextpagetoken",
    "nexttoken",
    "nextlink",
    "nexturl",
    "truncated",
    "istruncated",
    "incompleteresults",
    "morepages",
    "continuationtoken",
];

/// The line near the end of a text that says so.
pub(super) fn in_text(source: &dyn Source) -> Result<Option<String>, ReadError> {
    let tail = source.read_range(source.len().saturating_sub(TAIL_BYTES), source.len())?;
    let text = String::from_utf8_lossy(&tail);
    let line = text.lines().rev().find(|line| {
        let line = line.to_ascii_lowercase();
        line.len() <= 400 && REMARKS.iter().any(|remark| line.contains(remark))
    });
    Ok(line.map(|line| one_line(line, QUOTE_CHARS)))
}

/// The member of an object, if it says so.
pub(super) fn in_member(
    source: &dyn Source,
    key: Range,
    value: Range,
) -> Result<Option<String>, ReadError> {
    const MOST: u64 = 40;
    if key.1 - key.0 > MOST {
        return Ok(None);
    }
    let name = String::from_utf8_lossy(&source.read_range(key.0, key.1)?)
        .trim_matches('"')
        .replace(['_', '-'], "")
        .to_ascii_lowercase();
    if !KEYS.contains(&name.as_str()) {
        return Ok(None);
    }
    let value = source.read_range(value.0, value.1.min(value.0 + 4 * QUOTE_CHARS as u64))?;
    if matches!(&value[..], b"false" | b"null" | b"0" | b"\"\"" | b"[]" | b"{}" | b"") {
        return Ok(None);
    }
    let key = source.read_range(key.0, key.1)?;
    let text = format!("{}: {}", String::from_utf8_lossy(&key), String::from_utf8_lossy(&value));
    Ok(Some(one_line(&text, QUOTE_CHARS)))
}
