//! The outlines of rows: columns of CSV and TSV, keys of JSON lines.

use std::collections::BTreeMap;

use serde_json::Value;

use super::values::{COMMON, RARE, Values};
use super::{List, OUTLINE_LINE_CHARS, Outline, Query};
use crate::content::json::{Cursor, Shape, Verdict, check};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::{Cached, Window, tally};
use crate::content::show::one_line;
use crate::content::table::{Column, ROW_MAX_BYTES, Table, count_rows, row_at};
use crate::content::unescape::decoded;
use crate::sort::{sort_by_key, sort_numbers};
use crate::source::{ReadError, Source, count_newlines};
use crate::spill::anchor::Hit;

/// Rows at the start in which keys are looked for, and bytes of them.
const SCHEMA_ROWS: usize = 1_000;
pub(super) const SCHEMA_BYTES: u64 = 1024 * 1024;

/// Keys that are told apart.
const SCHEMA_KEYS: usize = 256;

/// Lines that are no JSON, of which it is told where they are.
const ODD_LINES: usize = 1_000;

/// Bytes of rows whose values are looked at.
const PROFILE_BYTES: u64 = 1024 * 1024;

pub(super) fn separated(source: &dyn Source) -> Result<Outline, ReadError> {
    let table = Table::of(source)?;
    let rows = counted(count_rows(source, table.body, table.sign)?, "row");
    let sign = match table.sign {
        b'\t' => "tabs",
        b',' => "commas",
        b';' => "semicolons",
        _ => "bars",
    };
    let mut columns: Vec<Values> = table.names.iter().map(|_| Values::default()).collect();
    let (mut window, mut at, mut read) = (Window::new(source), table.body, 0u64);
    let mut starts = Vec::new();
    // The first row with more or fewer cells, how many it has, and how many rows are such.
    let mut ragged: Option<(u64, u64, u64)> = None;
    let mut is_all = true;
    while let Some(row) = row_at(&mut window, at, table.sign)? {
        is_all = row.end - table.body <= PROFILE_BYTES;
        if !is_all {
            break;
        }
        starts.push(at);
        (at, read) = (row.end, read + 1);
        // What a row does not have is null, too.
        let is_whole = row.cells.is_some();
        let cells = row.cells.unwrap_or_default();
        if is_whole && cells.len() != columns.len() {
            ragged.get_or_insert((read, cells.len() as u64, 0)).2 += 1;
        }
        for (index, values) in columns.iter_mut().enumerate() {
            let cell = cells.get(index).map_or(&b""[..], |cell| cell);
            values.row = read - 1;
            match table.columns.get(index) {
                Some(Column::Codes(_)) => values.push_text(cell),
                _ => values.push(cell),
            }
        }
    }
    let mut list = List::new("columns");
    if !is_all {
        list.title.push_str(&format!(" in the first {}", counted(read, "row")));
    }
    for (name, values) in table.names.iter().zip(&columns) {
        list.push(|| one_line(&format!("{name}: {}", values.words()), OUTLINE_LINE_CHARS));
    }
    // A name that holds a comma is in quotes, or it would be two.
    let named: Vec<_> = table
        .names
        .iter()
        .map(|name| match name.contains(',') {
            true => format!("{name:?}"),
            false => name.clone(),
        })
        .collect();
    let listed = one_line(&named.join(", "), 4 * OUTLINE_LINE_CHARS);
    let header = if table.headed { "below a header" } else { "without a header" };
    let count = counted(table.names.len() as u64, "column");
    let null = match columns.iter().any(Values::has_empty) {
        true => "; a query reads empty cells as null",
        false => "",
    };
    let of_those = if is_all { "" } else { " of those read" };
    let other = ragged.map_or(String::new(), |(row, cells, all)| match all {
        1 => format!("; row {} has {}", thousands(row), counted(cells, "cell")),
        _ => format!(
            "; {} rows{of_those} have more or fewer cells, the first is row {}",
            thousands(all),
            thousands(row)
        ),
    });
    let lines =
        vec![format!("--- {rows} {header}; {count} between {sign}: {listed}{null}{other} ---")];
    let query = Query::of(&mut table.names.iter().zip(&columns));
    let detail = format!("{rows} {header}, {count}");
    let hit = |row: u64| {
        let at = starts[row as usize];
        Ok(Hit::rare(tally(source, 0, at, count_newlines)? + 1, at))
    };
    let odd = rare(&mut columns.iter()).into_iter().map(hit).collect::<Result<_, ReadError>>()?;
    Ok(Outline { detail, lines, list, odd, query: Some(query), ..Outline::default() })
}

/// Bytes of a row in which a value is seen from the row's start.
const NEAR_BYTES: u64 = 100;

/// Rows with rare values that are told.
const RARE_ROWS: usize = 6;

/// The rows in which columns have values that nearly all others do not have.
pub(super) fn rare(columns: &mut dyn Iterator<Item = &Values>) -> Vec<u64> {
    let mut rows: Vec<u64> = columns.flat_map(Values::rare).collect();
    sort_numbers(&mut rows);
    rows.dedup();
    rows.truncate(RARE_ROWS);
    rows
}

/// A row with a rare value or key: which, where it starts, and where the value stands.
pub(super) type Rare = (u64, u64, u64);

/// What the first rows of JSON objects have in common.
#[derive(Default)]
pub(super) struct Keys {
    /// Rows that were looked at.
    pub(super) rows: u64,
    pub(super) rare: Vec<Rare>,
    /// Each key with the types of its values and what these are, in the order in which they were met.
    pub(super) keys: Vec<(String, String, Values)>,
}

#[derive(Default)]
struct Key {
    rows: u64,
    // Where its first value stands.
    at: u64,
    first: usize,
    shapes: Vec<&'static str>,
    values: Values,
}

/// The keys of the JSON objects that follow each other from `start` on, each with a key of its own or without, until a
/// bracket closes.
pub(super) fn keys(source: &dyn Source, start: u64, bytes: u64) -> Result<Keys, ReadError> {
    let (mut found, mut starts) = (Found::default(), Vec::new());
    let mut cursor = Cursor::new(source, start);
    while starts.len() < SCHEMA_ROWS && cursor.position() < start + bytes {
        let token = match cursor.peek_token()? {
            None | Some(b']' | b'}') => break,
            Some(b',' | b':') => {
                cursor.bump();
                continue;
            }
            token => token,
        };
        starts.push(cursor.position());
        let value = after_key(&mut cursor, token)?;
        match value {
            Some(b'{') => {
                cursor.bump();
                members(source, &mut cursor, &mut found)?;
            }
            Some(first) => drop(cursor.skip_value(first)?),
            None => {}
        }
    }
    Ok(ranked(found, &starts))
}

/// Steps over a text and, where it is a key, to its value, of which it gives the first byte.
pub(super) fn after_key(
    cursor: &mut Cursor<'_>,
    token: Option<u8>,
) -> Result<Option<u8>, ReadError> {
    if token != Some(b'"') {
        return Ok(token);
    }
    cursor.skip_string()?;
    if cursor.peek_token()? != Some(b':') {
        return Ok(None);
    }
    cursor.bump();
    cursor.peek_token()
}

/// The same of JSON arrays, whose cells are told by the names of their columns, if these are as many; else by what a
/// first row of texts says, or by their place. Also whether a query knows them by these names.
pub(super) fn cells(
    source: &dyn Source,
    start: u64,
    names: Vec<String>,
) -> Result<(Keys, bool), ReadError> {
    let mut columns: Vec<Values> = Vec::new();
    let (mut rows, mut header, mut starts): (_, Vec<String>, _) = (0, Vec::new(), Vec::new());
    let mut cursor = Cursor::new(source, start);
    while starts.len() < SCHEMA_ROWS && cursor.position() < start + SCHEMA_BYTES {
        match cursor.peek_token()? {
            None | Some(b']' | b'}') => break,
            Some(b',' | b':') => {
                cursor.bump();
                continue;
            }
            Some(first) => {
                let from = cursor.position();
                cursor.skip_value(first)?;
                let to = cursor.position();
                starts.push(from);
                rows += 1;
                let row = source.read_range(from, to.min(from + ROW_MAX_BYTES as u64))?;
                let Ok(Value::Array(row)) = serde_json::from_slice(&row) else { continue };
                if columns.is_empty() {
                    columns.resize_with(row.len().min(SCHEMA_KEYS), Values::default);
                    let texts = row.iter().map(|cell| cell.as_str().map(str::to_owned));
                    header = texts.collect::<Option<Vec<_>>>().unwrap_or_default();
                    if names.is_empty() && !header.is_empty() {
                        continue;
                    }
                }
                for (index, values) in columns.iter_mut().enumerate() {
                    values.row = rows - 1;
                    match row.get(index).unwrap_or_default() {
                        Value::Null => values.push_as(b"", false),
                        Value::Array(_) | Value::Object(_) => {}
                        Value::String(text) if text.is_empty() => values.push_as(b"\"\"", false),
                        Value::String(text) => values.push_text(text.as_bytes()),
                        other => values.push_as(other.to_string().as_bytes(), other.is_number()),
                    }
                }
            }
        }
    }
    // Names stand above numbers; where all are texts, the first row is one like the others.
    if names.is_empty() && !columns.iter().any(Values::is_numeric) {
        for (text, values) in std::mem::take(&mut header).iter().zip(&mut columns) {
            values.row = 0;
            values.push_text(text.as_bytes());
        }
    }
    let is_named = names.len() == columns.len() && !names.is_empty();
    let named = |at: usize| match is_named {
        true => names[at].clone(),
        false => match header.get(at) {
            Some(name) => format!(".[{at}] ({name})"),
            None => format!(".[{at}]"),
        },
    };
    let start = |row: u64| starts[row as usize];
    let rare =
        rare(&mut columns.iter()).into_iter().map(|row| (row, start(row), start(row))).collect();
    let keys = columns.into_iter().enumerate();
    let keys = keys.map(|(at, values)| (named(at), values.words(), values));
    Ok((Keys { rows, rare, keys: keys.collect() }, is_named))
}

/// `starts` is where each row starts.
fn ranked(Found { keys: found, inner }: Found, starts: &[u64]) -> Keys {
    let rows = starts.len() as u64;
    // A key may be rare as well; of a list of names each is.
    let few = found.values().filter(|key| key.rows <= RARE && rows >= COMMON);
    let mut odd: Vec<u64> = few.map(|key| key.at).collect();
    if odd.len() as u64 > RARE {
        odd.clear();
    }
    odd.extend(rare(&mut found.values().map(|key| &key.values)));
    sort_numbers(&mut odd);
    // What stands deeper comes after what stands in the row.
    odd.extend(rare(&mut inner.values().map(|key| &key.values)));
    let mut rare: Vec<Rare> = Vec::new();
    for at in odd {
        let row = starts.partition_point(|start| *start <= at).saturating_sub(1);
        let place = rare.iter().take_while(|(known, ..)| *known < row as u64).count();
        if rare.len() < RARE_ROWS && rare.get(place).is_none_or(|(known, ..)| *known != row as u64)
        {
            rare.insert(place, (row as u64, starts[row], at));
        }
    }
    let mut ranked: Vec<(String, Key)> = found.into_iter().collect();
    sort_by_key(&mut ranked, |(_, key)| key.first);
    let keys = ranked.into_iter().map(|(name, key)| {
        let mut types = key.shapes.join(" or ");
        if key.rows < rows {
            types.push_str(&format!(" (in {} of them)", thousands(key.rows)));
        }
        (name, types, key.values)
    });
    Keys { rows, rare, keys: keys.collect() }
}

/// What the rows have: keys, and what stands under them in objects, by its path.
#[derive(Default)]
struct Found {
    keys: BTreeMap<String, Key>,
    inner: BTreeMap<String, Key>,
}

/// Objects within objects that are looked into.
const INNER: usize = 3;

/// Takes the cursor before the value of a member, its name and the first byte of that value. Whether it stepped over it.
type TakeMember<'t> = dyn FnMut(&mut Cursor<'_>, String, u8) -> Result<bool, ReadError> + 't;

/// Steps over the members of an object, after its bracket, all but those with long names by `take`.
#[inline(never)]
fn each_member(
    source: &dyn Source,
    cursor: &mut Cursor<'_>,
    take: &mut TakeMember<'_>,
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
        let is_long = end - start > 2 * OUTLINE_LINE_CHARS as u64;
        if is_long || !take(cursor, decoded(&source.read_range(start + 1, end - 1)?), value)? {
            cursor.skip_value(value)?;
        }
    }
    Ok(())
}

/// Steps over a value that is no object and no array, and counts it.
#[inline(never)]
fn scalar(
    source: &dyn Source,
    cursor: &mut Cursor<'_>,
    value: u8,
    values: &mut Values,
) -> Result<(), ReadError> {
    let start = cursor.position();
    values.row = start;
    cursor.skip_value(value)?;
    let shown = source.read_range(start, cursor.position().min(start + 64))?;
    match shown.strip_prefix(b"\"") {
        None => values.push_as(&shown, Shape::of(value) == Shape::Number),
        // An empty text is not nothing.
        Some(b"\"") => values.push_as(b"\"\"", false),
        Some(text) => {
            let text = decoded(text.strip_suffix(b"\"").unwrap_or(text));
            values.push_text(text.as_bytes());
        }
    }
    Ok(())
}

/// Counts what stands in a value within a row, by its path; of an array its objects. Whether it stepped over it.
fn within(
    source: &dyn Source,
    cursor: &mut Cursor<'_>,
    found: &mut BTreeMap<String, Key>,
    (path, level): (&str, usize),
    value: u8,
) -> Result<bool, ReadError> {
    match value {
        b'{' | b'[' if level > INNER => return Ok(false),
        b'{' => {
            cursor.bump();
            each_member(source, cursor, &mut |cursor, name, value| {
                within(source, cursor, found, (&[path, "\n", &name].concat(), level + 1), value)
            })?;
        }
        b'[' => {
            cursor.bump();
            loop {
                match cursor.peek_token()? {
                    None => break,
                    Some(b']' | b'}') => {
                        cursor.bump();
                        break;
                    }
                    Some(b',' | b':') => cursor.bump(),
                    Some(first) => {
                        let is_counted =
                            first == b'{' && within(source, cursor, found, (path, level), first)?;
                        if !is_counted {
                            cursor.skip_value(first)?;
                        }
                    }
                }
            }
        }
        _ if found.len() >= SCHEMA_KEYS && !found.contains_key(path) => return Ok(false),
        _ => {
            scalar(source, cursor, value, &mut found.entry(path.to_owned()).or_default().values)?;
        }
    }
    Ok(true)
}

/// Steps over the members of a row, after its bracket, and counts its keys.
fn members(
    source: &dyn Source,
    cursor: &mut Cursor<'_>,
    found: &mut Found,
) -> Result<(), ReadError> {
    let Found { keys, inner } = found;
    each_member(source, cursor, &mut |cursor, name, value| {
        let noun = match value {
            b't' | b'f' => "boolean",
            b'n' => "null",
            _ => Shape::of(value).noun(),
        };
        let first = keys.len();
        if first >= SCHEMA_KEYS && !keys.contains_key(&name) {
            return Ok(false);
        }
        let (path, at) = (matches!(value, b'{' | b'[').then(|| name.clone()), cursor.position());
        let key = keys.entry(name).or_insert_with(|| Key { first, at, ..Key::default() });
        key.rows += 1;
        if !key.shapes.contains(&noun) {
            key.shapes.push(noun);
        }
        match path {
            Some(path) => within(source, cursor, inner, (&path, 1), value),
            None => scalar(source, cursor, value, &mut key.values).map(|()| true),
        }
    })
}

pub(super) fn json_lines(source: &dyn Source) -> Result<Outline, ReadError> {
    let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
    let (cached, mut found) = (Cached::new(source), Found::default());
    let (mut filled, mut objects, mut arrays, mut values) = (0u64, 0u64, 0u64, 0u64);
    let (mut odd, mut starts, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    let (mut window, mut at, mut number) = (Window::new(source), start, 0u64);
    while let Some((length, bytes)) = window.line(at, ROW_MAX_BYTES)? {
        number += 1;
        let line = &window.load(at, length.min(ROW_MAX_BYTES))?[..length.min(ROW_MAX_BYTES)];
        let line = line.trim_ascii();
        if let Some(first) = line.first() {
            filled += 1;
            // What is too long to be read is taken for what it begins as.
            let is_json = length > ROW_MAX_BYTES || check(line) == Verdict::Whole(line.len());
            if starts.len() < SCHEMA_ROWS && at < start + SCHEMA_BYTES {
                numbers.push(number);
                starts.push(at);
                if is_json && *first == b'{' {
                    let mut cursor = Cursor::new(&cached, at);
                    cursor.peek_token()?;
                    cursor.bump();
                    members(&cached, &mut cursor, &mut found)?;
                }
            }
            match is_json {
                true if *first == b'{' => objects += 1,
                true if *first == b'[' => arrays += 1,
                true => values += 1,
                false if odd.len() < ODD_LINES => odd.push(Hit::odd(number, at, at)),
                false => {}
            }
        }
        at += bytes;
    }
    let detail = match objects == filled {
        true => counted(filled, "object"),
        false => {
            let mut words = counted(filled, "line of JSON");
            if filled != 1 {
                words = format!("{} lines of JSON", thousands(filled));
            }
            for (count, noun) in [
                (objects, "object"),
                (arrays, "array"),
                (values, "other value"),
                (filled - objects - arrays - values, "malformed line"),
            ] {
                if count > 0 {
                    words.push_str(&format!(", {}", counted(count, noun)));
                }
            }
            words
        }
    };
    let Keys { rows, rare, keys } = ranked(found, &starts);
    odd.extend(rare.iter().map(|&(row, start, at)| {
        let hit = Hit::rare(numbers[row as usize], start);
        // What stands far from the start of its line is what is shown.
        let at = if at - hit.line_start > NEAR_BYTES { at } else { hit.line_start };
        Hit { word_start: at, word_end: at, ..hit }
    }));
    let scope =
        if rows < filled { format!("the first {}", thousands(rows)) } else { "all".to_owned() };
    let query = Query::of(&mut keys.iter().map(|(name, _, values)| (name, values)));
    let mut list = List::new(&format!("keys in {scope} rows"));
    for (name, types, values) in keys {
        let words = values.notable().map_or_else(String::new, |words| format!("; {words}"));
        list.push(|| one_line(&format!("{name}: {types}{words}"), OUTLINE_LINE_CHARS));
    }
    Ok(Outline { detail, list, odd, query: Some(query), ..Outline::default() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_are_counted_in_all_lines_and_keys_in_those_looked_at() {
        let lines = |odd: &str| {
            let many: String = (0..5_000).map(|n| format!("{{\"id\":{n}}}\n")).collect();
            json_lines(&format!("{many}\n{odd}\n{{\"id\":1}}").as_bytes()).unwrap()
        };
        assert_eq!(lines("").detail, "5,001 objects");
        assert_eq!(lines("[1]").detail, "5,002 lines of JSON, 5,001 objects, 1 array");
        for odd in ["{\"id\": 5", "{id: 5}", "{\"id\": 5}}"] {
            let told = lines(odd);
            assert_eq!(told.detail, "5,002 lines of JSON, 5,001 objects, 1 malformed line");
            assert_eq!(told.odd.iter().map(|hit| hit.line).collect::<Vec<_>>(), [5_002], "{odd}");
        }
        assert_eq!(lines("").list.title, "keys in the first 1,000 rows");
        // What is cut has no keys, and takes none from the next rows.
        let cut = json_lines(&&b"{\"a\":1}\n{\"b\":2,\"c\":[3,\n{\"a\":3}\n"[..]).unwrap();
        assert_eq!(cut.list.lines, ["a: number (in 2 of them); 1 to 3"]);
        let mixed = json_lines(&&b"{\"a\":1}\n[2]\n{\"a\":3}\n"[..]).unwrap();
        assert_eq!(mixed.list.lines, ["a: number (in 2 of them); 1 to 3"]);
        let long = format!("{{\"a\":\"{}\"}}\r\n", "x".repeat(300_000)).repeat(3);
        assert_eq!(json_lines(&long.as_bytes()).unwrap().detail, "3 objects");
    }

    #[test]
    fn values_of_a_part_of_the_rows_are_told_as_of_these() {
        let rows: String = (0..90_000).map(|n| format!("{n:09},ok\n")).collect();
        let text = format!("id,state\n{rows}");
        let outline = separated(&text.as_bytes()).unwrap();
        assert_eq!(outline.detail, "90,000 rows below a header, 2 columns");
        // A row has 13 bytes.
        let read = PROFILE_BYTES / 13;
        assert_eq!(outline.list.title, format!("columns in the first {} rows", thousands(read)));
        assert_eq!(outline.list.lines[1], format!("state: 1 distinct: ok {}", thousands(read)));
    }

    #[test]
    fn rows_with_other_cells_than_names_are_told() {
        let told = |rows: &str| {
            separated(&format!("a,b,c\n{}{rows}", "1,2,3\n".repeat(40)).as_bytes()).unwrap()
        };
        assert!(told("").lines[0].ends_with("commas: a, b, c ---"));
        assert!(
            told("4,5").lines[0]
                .ends_with("c; a query reads empty cells as null; row 41 has 2 cells ---")
        );
        assert!(
            told("4,5,6,7\n1\n").lines[0]
                .ends_with("; 2 rows have more or fewer cells, the first is row 41 ---")
        );
    }

    #[test]
    fn a_name_that_holds_a_comma_is_one_name() {
        let text = format!("Name,\"Cost, USD\",When\n{}", "a,1,x\n".repeat(20));
        let outline = separated(&text.as_bytes()).unwrap();
        assert!(outline.lines[0].ends_with("commas: Name, \"Cost, USD\", When ---"));
    }

    #[test]
    fn a_row_of_a_rare_value_or_key_is_odd() {
        let state = |n: u64| if n == 211 { "failed" } else { "ok" };
        let csv: String = (0..300).map(|n| format!("{n},\"a\nb\",{}\n", state(n))).collect();
        let outline = separated(&format!("id,note,state\n{csv}").as_bytes()).unwrap();
        assert_eq!(outline.odd.iter().map(|hit| hit.line).collect::<Vec<_>>(), [424]);
        assert_eq!(outline.query.unwrap().program, ".state");
        let row = |n: u64| match n {
            150 => format!("{{\"id\":{n},\"state\":\"ok\",\"error\":\"no\"}}\n"),
            n => format!("{{\"id\":{n},\"state\":\"{}\"}}\n", state(n)),
        };
        let lines: String = (0..300).map(row).collect();
        let odd = json_lines(&lines.as_bytes()).unwrap().odd;
        assert_eq!(
            odd.iter().map(|hit| (hit.line, hit.is_sure)).collect::<Vec<_>>(),
            [(151, true), (212, true)]
        );
        let array = format!("[{}]", lines.trim().replace('\n', ","));
        let found = keys(&array.as_bytes(), 1, SCHEMA_BYTES).unwrap();
        assert_eq!(found.rare.iter().map(|(row, ..)| *row).collect::<Vec<_>>(), [150, 211]);
        for ((_, start, at), value) in found.rare.iter().zip(["\"no\"", "\"failed\""]) {
            assert!(array[*start as usize..].starts_with('{'));
            assert!(array[*at as usize..].starts_with(value));
        }
        // Where each fifth is another, none is.
        let many: String =
            (0..300).map(|n| format!("{{\"id\":{n},\"of\":{}}}\n", n % 90)).collect();
        assert!(json_lines(&many.as_bytes()).unwrap().odd.is_empty());
    }

    #[test]
    fn a_table_without_a_header_has_all_its_rows() {
        let rows: String =
            (0..20).map(|n| format!("{},user{n},,\"a;\"\"b\"\"\"\n", n * 5)).collect();
        let outline = separated(&rows.as_bytes()).unwrap();
        assert_eq!(
            outline.lines,
            [
                "--- 20 rows without a header; 4 columns between commas: column_1, column_2, column_3, \
                 column_4; a query reads empty cells as null ---"
            ]
        );
        assert_eq!(
            outline.list.lines,
            [
                "column_1: number, 0 to 95",
                "column_2: text",
                "column_3: empty",
                "column_4: 1 distinct: \"a;\\\"b\\\"\" 20"
            ]
        );
        let query = Query { program: ".column_1".to_owned(), reduce: "stats" };
        assert_eq!(outline.query, Some(query));
    }
}
