//! The outlines of rows: columns of CSV and TSV, keys of JSON lines.

use std::collections::BTreeMap;

use super::values::Values;
use super::{List, OUTLINE_LINE_CHARS, Outline, lines_of};
use crate::content::json::{Cursor, Shape};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::{Cached, Chunks};
use crate::content::show::one_line;
use crate::content::table::delimiter;
use crate::limits::CLASSIFY_BYTES;
use crate::sort::sort_by_key;
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::measure::Measure;

/// Rows at the start in which keys are looked for, and bytes of them.
const SCHEMA_ROWS: u64 = 1_000;
const SCHEMA_BYTES: u64 = 1024 * 1024;

/// Keys that are told apart.
const SCHEMA_KEYS: usize = 256;

/// Bytes of rows whose values are looked at, and columns.
const PROFILE_BYTES: u64 = 1024 * 1024;
const PROFILE_COLUMNS: usize = 100;

/// The cells of the first row, without their quotes.
fn first_row(sample: &[u8], sign: u8) -> Vec<String> {
    let mut cells = vec![Vec::new()];
    let mut quoted = false;
    for &b in sample {
        match b {
            b'"' => quoted = !quoted,
            b'\n' | b'\r' if !quoted => break,
            b if b == sign && !quoted => cells.push(Vec::new()),
            b => cells.last_mut().into_iter().for_each(|cell: &mut Vec<u8>| cell.push(b)),
        }
    }
    cells.iter().map(|cell| one_line(&String::from_utf8_lossy(cell), 60)).collect()
}

pub(super) fn separated(source: &dyn Source, measure: &Measure) -> Result<Outline, ReadError> {
    let mut sample = source.read_range(0, CLASSIFY_BYTES as u64)?;
    if let Some(last) = memchr::memrchr(b'\n', &sample)
        && (sample.len() as u64) < source.len()
    {
        sample.truncate(last + 1);
    }
    let text = sample.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&sample);
    let Some((sign, columns)) = delimiter(text) else {
        return Ok(Outline { detail: lines_of(measure), ..Outline::default() });
    };
    let rows = count_rows(source)?;
    let names = first_row(text, sign);
    let sign_byte = sign;
    let sign = match sign {
        b'\t' => "tabs",
        b',' => "commas",
        b';' => "semicolons",
        _ => "bars",
    };
    let rows = rows.map_or_else(
        || format!("{} (a quote is not closed)", counted(measure.lines, "line")),
        |rows| counted(rows, "row"),
    );
    let mut list = List::new("columns");
    let profile = profile(source, sign_byte, columns)?;
    if let Some(last) = profile.cut {
        list.title.push_str(&format!(" in rows 2 to {}", thousands(last)));
    }
    for (name, values) in names.iter().zip(&profile.columns) {
        list.push(|| one_line(&format!("{name}: {}", values.words()), OUTLINE_LINE_CHARS));
    }
    let listed = names.join(", ");
    let detail = format!("{rows} of {columns} columns");
    let lines = vec![format!(
        "--- {rows}, the first may be a header; {columns} columns between {sign}: {} ---",
        one_line(&listed, 4 * OUTLINE_LINE_CHARS)
    )];
    Ok(Outline { detail, lines, list })
}

/// What the first rows of a table hold, column by column.
struct Profile {
    columns: Vec<Values>,
    /// The last of these rows, where it is not the last of all.
    cut: Option<u64>,
}

/// Reads the rows after the first, which may be a header.
fn profile(source: &dyn Source, sign: u8, columns: usize) -> Result<Profile, ReadError> {
    let sample = source.read_range(0, PROFILE_BYTES)?;
    let all = sample.len() as u64 == source.len();
    let mut found = vec![Values::default(); columns.min(PROFILE_COLUMNS)];
    let mut cells: Vec<Vec<u8>> = vec![Vec::new()];
    let (mut quoted, mut row) = (false, 0_u64);
    let mut take = |cells: &mut Vec<Vec<u8>>| {
        if row > 0 && cells.iter().any(|cell| !cell.is_empty()) {
            for (values, cell) in found.iter_mut().zip(cells.iter()) {
                values.push(cell);
            }
        }
        row += 1;
        cells.clear();
        cells.push(Vec::new());
    };
    for &byte in &sample {
        match byte {
            b'"' => quoted = !quoted,
            b'\n' if !quoted => take(&mut cells),
            byte if byte == sign && !quoted => cells.push(Vec::new()),
            byte => {
                // A value longer than what is told apart need not be whole.
                if let Some(cell) = cells.last_mut().filter(|cell| cell.len() < 64) {
                    cell.push(byte);
                }
            }
        }
    }
    if all {
        take(&mut cells);
    }
    Ok(Profile { columns: found, cut: (!all).then_some(row) })
}

/// How many rows there are, or nothing when a quote is open at the end.
fn count_rows(source: &dyn Source) -> Result<Option<u64>, ReadError> {
    let mut chunks = Chunks::new(source, 0, u64::MAX);
    let (mut rows, mut quoted, mut last) = (0u64, false, b'\n');
    while let Some((_, bytes)) = chunks.next_chunk()? {
        let mut from = 0;
        for quote in memchr::memchr_iter(b'"', bytes) {
            if !quoted {
                rows += count_newlines(&bytes[from..quote]);
            }
            quoted = !quoted;
            from = quote;
        }
        if !quoted {
            rows += count_newlines(&bytes[from..]);
        }
        last = bytes[bytes.len() - 1];
    }
    Ok((!quoted).then_some(rows + u64::from(last != b'\n')))
}

/// What the first rows of JSON objects have in common.
#[derive(Default)]
pub(super) struct Keys {
    /// Rows that were looked at.
    pub(super) rows: u64,
    /// Each key with the types of its values and what these are, in the order in which they were met.
    pub(super) keys: Vec<(String, String, Values)>,
}

#[derive(Default)]
struct Key {
    rows: u64,
    first: usize,
    shapes: Vec<&'static str>,
    values: Values,
}

/// The keys of the JSON objects that follow each other from `start` on, until a bracket closes.
pub(super) fn keys(source: &dyn Source, start: u64) -> Result<Keys, ReadError> {
    let mut found: BTreeMap<Vec<u8>, Key> = BTreeMap::new();
    let mut rows = 0u64;
    let mut cursor = Cursor::new(source, start);
    while rows < SCHEMA_ROWS && cursor.position() < start + SCHEMA_BYTES {
        match cursor.peek_token()? {
            None | Some(b']' | b'}') => break,
            Some(b',' | b':') => cursor.bump(),
            Some(b'{') => {
                rows += 1;
                cursor.bump();
                members(source, &mut cursor, &mut found)?;
            }
            Some(first) => {
                rows += 1;
                cursor.skip_value(first)?;
            }
        }
    }
    let mut ranked: Vec<(Vec<u8>, Key)> = found.into_iter().collect();
    sort_by_key(&mut ranked, |(_, key)| key.first);
    let keys = ranked.into_iter().map(|(name, key)| {
        let name = one_line(&String::from_utf8_lossy(&name), OUTLINE_LINE_CHARS);
        let mut types = key.shapes.join(" or ");
        if key.rows < rows {
            types.push_str(&format!(" (in {} of them)", thousands(key.rows)));
        }
        (name, types, key.values)
    });
    Ok(Keys { rows, keys: keys.collect() })
}

/// Steps over the members of an object, after its bracket, and counts its keys.
fn members(
    source: &dyn Source,
    cursor: &mut Cursor<'_>,
    found: &mut BTreeMap<Vec<u8>, Key>,
) -> Result<(), ReadError> {
    while let Some(token) = cursor.peek_token()? {
        match token {
            b'}' | b']' => {
                cursor.bump();
                break;
            }
            b',' | b':' => {
                cursor.bump();
                continue;
            }
            b'"' => {}
            _ => {
                cursor.skip_value(token)?;
                continue;
            }
        }
        let start = cursor.position();
        cursor.skip_string()?;
        let end = cursor.position();
        if cursor.peek_token()? != Some(b':') {
            continue;
        }
        cursor.bump();
        let Some(value) = cursor.peek_token()? else { break };
        if matches!(value, b'}' | b']' | b',') {
            continue;
        }
        let value_start = cursor.position();
        cursor.skip_value(value)?;
        let value_end = cursor.position();
        if end - start > 2 * OUTLINE_LINE_CHARS as u64 {
            continue;
        }
        let noun = match value {
            b't' | b'f' => "boolean",
            b'n' => "null",
            _ => Shape::of(value).noun(),
        };
        let name = source.read_range(start + 1, end - 1)?;
        let first = found.len();
        if first >= SCHEMA_KEYS && !found.contains_key(&name) {
            continue;
        }
        let key = found.entry(name).or_insert_with(|| Key { first, ..Key::default() });
        key.rows += 1;
        if !matches!(value, b'{' | b'[') {
            let shown = source.read_range(value_start, value_end.min(value_start + 64))?;
            let shown = shown.strip_prefix(b"\"").unwrap_or(&shown);
            key.values.push(shown.strip_suffix(b"\"").unwrap_or(shown));
        }
        if !key.shapes.contains(&noun) {
            key.shapes.push(noun);
        }
    }
    Ok(())
}

pub(super) fn json_lines(source: &dyn Source) -> Result<Outline, ReadError> {
    let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
    let Keys { rows, keys } = keys(&Cached::new(source), start)?;
    let (mut filled, mut objects, mut arrays) = (0u64, 0u64, 0u64);
    each_ends(source, start, |first, last| {
        filled += 1;
        objects += u64::from((first, last) == (b'{', b'}'));
        arrays += u64::from((first, last) == (b'[', b']'));
    })?;
    let detail = match objects + arrays == filled {
        true if arrays == 0 => counted(filled, "object"),
        true => format!("{} of JSON", counted(filled, "line")),
        false => {
            let json = thousands(objects + arrays);
            format!("{}, {json} of them objects or arrays", counted(filled, "line"))
        }
    };
    let scope =
        if rows < filled { format!("the first {}", thousands(rows)) } else { "all".to_owned() };
    let mut list = List::new(&format!("keys in {scope} rows"));
    for (name, types, values) in keys {
        list.push(|| match values.notable() {
            Some(words) => one_line(&format!("{name}: {types}; {words}"), OUTLINE_LINE_CHARS),
            None => format!("{name}: {types}"),
        });
    }
    Ok(Outline { detail, list, ..Outline::default() })
}

/// Calls `each` with the first and the last byte of every line that is not blank.
fn each_ends(
    source: &dyn Source,
    start: u64,
    mut each: impl FnMut(u8, u8),
) -> Result<(), ReadError> {
    let mut chunks = Chunks::new(source, start, u64::MAX);
    let mut ends: Option<(u8, u8)> = None;
    while let Some((_, bytes)) = chunks.next_chunk()? {
        let mut from = 0;
        for newline in memchr::memchr_iter(b'\n', bytes).map(Some).chain([None]) {
            let line = bytes[from..newline.unwrap_or(bytes.len())].trim_ascii();
            if let (Some(first), Some(last)) = (line.first(), line.last()) {
                ends = Some((ends.map_or(*first, |ends| ends.0), *last));
            }
            let Some(newline) = newline else { break };
            from = newline + 1;
            if let Some((first, last)) = ends.take() {
                each(first, last);
            }
        }
    }
    if let Some((first, last)) = ends {
        each(first, last);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_cells_may_hold_anything() {
        let table = b"a,b\n\"x,\ny\",2\n3,\"4\"\n";
        assert_eq!(delimiter(table), Some((b',', 2)));
        assert_eq!(count_rows(&&table[..]).ok().flatten(), Some(3));
        assert_eq!(first_row(b"\"a b\",c\r\n1,2", b','), ["a b", "c"]);
        assert_eq!(delimiter(b"Some prose, with commas.\nNone here.\nA, b, c\n"), None);
    }

    #[test]
    fn objects_are_counted_in_all_lines_and_keys_in_those_looked_at() {
        let lines = |odd: &str| {
            let many: String = (0..5_000).map(|n| format!("{{\"id\":{n}}}\n")).collect();
            json_lines(&format!("{many}\n{odd}\n{{\"id\":1}}").as_bytes()).unwrap()
        };
        assert_eq!(lines("").detail, "5,001 objects");
        assert_eq!(lines("[1]").detail, "5,002 lines of JSON");
        assert_eq!(lines("{\"id\": 5").detail, "5,002 lines, 5,001 of them objects or arrays");
        assert_eq!(lines("").list.title, "keys in the first 1,000 rows");
        let mixed = json_lines(&&b"{\"a\":1}\n[2]\n{\"a\":3}\n"[..]).unwrap();
        assert_eq!(mixed.list.lines, ["a: number (in 2 of them); 1 to 3"]);
        let long = format!("{{\"a\":\"{}\"}}\r\n", "x".repeat(300_000)).repeat(3);
        assert_eq!(json_lines(&long.as_bytes()).unwrap().detail, "3 objects");
    }

    #[test]
    fn values_of_a_part_of_the_rows_are_told_as_of_these() {
        let rows: String = (0..90_000).map(|n| format!("{n:09},ok\n")).collect();
        let text = format!("id,state\n{rows}");
        let measure = crate::spill::measure::Measurer::of(text.as_bytes());
        let outline = separated(&text.as_bytes(), &measure).unwrap();
        // A row has 13 bytes, the header 9.
        let last = 1 + (PROFILE_BYTES - 9) / 13;
        assert_eq!(outline.list.title, format!("columns in rows 2 to {}", thousands(last)));
        assert_eq!(outline.list.lines[1], format!("state: 1 distinct: ok {}", thousands(last - 1)));
    }
}
