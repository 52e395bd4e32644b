//! Tables of cells between signs: the one reader, for excerpt, outline and query alike. It decides what the sign
//! is, whether the first row holds the names of the columns, which lines are rows, and what a cell is.

use std::borrow::Cow;

use super::scan::Window;
use crate::content::json::number_len;
use crate::source::{ReadError, Source, count_newlines};

/// Members beside an array of arrays that hold the names of its columns, themselves or within them.
pub(crate) const COLUMNS: [&str; 13] = [
    "columns",
    "meta",
    "headers",
    "header",
    "fields",
    "cols",
    "column_names",
    "columnNames",
    "columnHeaders",
    "schema",
    "metadata",
    "resultSetMetaData",
    "rowType",
];

/// Members of what stands for a column that may be its name.
pub(crate) const COLUMN_NAMES: [&str; 8] =
    ["name", "column_name", "columnName", "field", "label", "title", "header", "id"];

/// Columns that a row may have before it is taken for something else, and those that are told apart.
pub(crate) const MAX_COLUMNS: usize = 2_000;

/// Bytes of one row that are read; a longer one cannot be.
pub(crate) const ROW_MAX_BYTES: usize = 2 * 1024 * 1024;

/// Bytes in which the sign and the header are looked for, and rows of them.
const SAMPLE_BYTES: u64 = 64 * 1024;
const SAMPLE_ROWS: usize = 100;

/// Bytes in which codes are looked for.
const CODES_BYTES: u64 = 256 * 1024;

/// Digits of a telephone number, and letters and digits of an id, at least.
const PHONE_DIGITS: usize = 7;
const ID_CHARS: usize = 6;

/// Characters of a column's name.
const NAME_CHARS: usize = 200;

/// What the cells of a column are, as far as no cell alone can tell.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// Codes: texts, also the ones that are written as numbers. Whether some are.
    Codes(bool),
    /// Whole numbers: a code among them is of another type.
    Whole,
    Other,
}

/// What was seen of a column.
#[derive(Debug, Clone, Copy, Default)]
struct Cells {
    all: u64,
    codes: u64,
    ids: u64,
    /// Ids that are written as numbers: `1234e56`.
    exponents: u64,
    whole: u64,
    other_numbers: u64,
}

impl Cells {
    fn push(&mut self, cell: &[u8]) {
        let cell = cell.trim_ascii();
        self.all += u64::from(!cell.is_empty());
        match is_number(cell) {
            true if is_digits(cell) => self.whole += 1,
            true => {
                self.other_numbers += 1;
                self.exponents += u64::from(is_id(cell));
            }
            false => {
                self.codes += u64::from(is_code(cell));
                self.ids += u64::from(is_id(cell));
            }
        }
    }

    fn column(&self, name: &str) -> Column {
        // As a number, version 1.10 is 1.1.
        let is_of_versions =
            self.other_numbers > 0 && name.to_ascii_lowercase().contains("version");
        let is_of_codes = self.codes > 0 && self.other_numbers == 0;
        let is_of_ids = self.ids > 0 && (self.ids + self.exponents) * 2 >= self.all;
        match () {
            () if is_of_codes || is_of_ids || is_of_versions => {
                Column::Codes(self.whole + self.other_numbers > 0)
            }
            () if self.whole > 0 => Column::Whole,
            () => Column::Other,
        }
    }
}

/// How a table is read.
pub(crate) struct Table {
    /// The sign between cells.
    pub(crate) sign: u8,
    /// The names of the columns: those of the header, else `column_1` and so on.
    pub(crate) names: Vec<String>,
    /// Whether there is a header.
    pub(crate) headed: bool,
    /// Lines above it.
    pub(crate) above: u64,
    /// Where the rows begin.
    pub(crate) body: u64,
    /// What its columns are by its first rows, the same for all who read it.
    pub(crate) columns: Vec<Column>,
}

impl Table {
    /// The table that a source is.
    pub(crate) fn of(source: &dyn Source) -> Result<Table, ReadError> {
        let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
        let mut sample = source.read_range(start, start + SAMPLE_BYTES)?;
        let all = start + sample.len() as u64 == source.len();
        if let Some(last) = memchr::memrchr(b'\n', &sample).filter(|_| !all) {
            sample.truncate(last + 1);
        }
        let has_tab = || memchr::memchr(b'\t', &sample).is_some();
        let sign = match delimiter(&sample) {
            Some((sign, _)) => sign,
            None if has_tab() => b'\t',
            None => b',',
        };
        let (mut rows, body) = rows(&sample, sign, SAMPLE_ROWS);
        let first = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
        let (mut first, mut body, mut above) = (first, body, 0);
        let mut headed = is_header(&first, &rows);
        // What has a few cells above a row of names is of the whole table, such as its size.
        let is_short = first.iter().any(|cell| is_empty(cell));
        if !headed
            && is_short
            && let [second, below @ ..] = &rows[..]
            && !second.iter().any(|cell| is_empty(cell) || is_number(cell.trim_ascii()))
            && is_header(second, below)
            && names_columns(second)
        {
            (first, headed, above) = (rows.remove(0), true, count_newlines(&sample[..body]));
            body += self::rows(&sample[body..], sign, 1).1;
        }
        let mut names = first.iter().take(MAX_COLUMNS).enumerate().map(|(index, cell)| {
            let name = String::from_utf8_lossy(cell.trim_ascii());
            match headed && !name.is_empty() {
                true => name.chars().take(NAME_CHARS).collect(),
                false => format!("column_{}", index + 1),
            }
        });
        let names = unique(&mut names);
        let body = start + if headed { body as u64 } else { 0 };
        let columns = columns(source, body, sign, &names)?;
        Ok(Table { sign, names, headed, above, body, columns })
    }
}

/// What the columns are by the first rows; by few of them where no digits look like a code.
fn columns(
    source: &dyn Source,
    body: u64,
    sign: u8,
    names: &[String],
) -> Result<Vec<Column>, ReadError> {
    let sample = source.read_range(body, body + CODES_BYTES)?;
    let is_cut = body + (sample.len() as u64) < source.len();
    let may_begin = |at: usize| {
        let before = sample[..at].iter().rev().find(|byte| **byte != b' ');
        sample.get(at + 1).is_some_and(u8::is_ascii_digit)
            && before.is_none_or(|byte| *byte == sign || b"\n\"".contains(byte))
    };
    let has_codes = memchr::memchr2_iter(b'0', b'+', &sample).any(may_begin);
    let most = if has_codes { usize::MAX } else { SAMPLE_ROWS };
    let (mut cells, mut at) = (vec![Cells::default(); names.len()], 0);
    for _ in 0..most {
        at += blank_lines(&sample[at..]);
        let Some((row, used)) = split_row(&sample[at..], sign, !is_cut) else { break };
        cells.iter_mut().zip(&row).for_each(|(cells, cell)| cells.push(cell));
        at += used;
    }
    Ok(cells.iter().zip(names).map(|(cells, name)| cells.column(name)).collect())
}

/// Names, each made another where it is there already.
#[inline(never)]
pub(crate) fn unique(names: &mut dyn Iterator<Item = String>) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for mut name in names {
        while all.contains(&name) {
            name.push('_');
        }
        all.push(name);
    }
    all
}

/// Whether the first row names the columns: it looks like none of the rows below it. Where all is text and nothing
/// is there twice, it is taken for a header, as most tables have one.
fn is_header(first: &[Vec<u8>], rest: &[Vec<Vec<u8>>]) -> bool {
    let (mut for_it, mut against, mut again) = (0, 0, false);
    // The places of columns, as pandas names those without a name.
    let is_place = |(at, cell): (usize, &Vec<u8>)| *cell == at.to_string().into_bytes();
    if first.len() > 2 && first.iter().enumerate().all(is_place) {
        return true;
    }
    for (index, cell) in first.iter().enumerate() {
        let below = || {
            let cells = rest.iter().filter_map(|row| row.get(index)).map(|cell| cell.trim_ascii());
            cells.filter(|cell| !cell.is_empty())
        };
        // A few cells may stand for none: `-`, `n/a`.
        let all = |fits: fn(&[u8]) -> bool| {
            let (cells, alike) = (below().count(), below().filter(|cell| fits(cell)).count());
            alike > 0 && alike * 10 >= cells * 9
        };
        let typed = all(is_number) || all(is_date);
        match cell.trim_ascii() {
            [] => {}
            // A year, or the number of a column beside those of rows, may be a name.
            cell if is_number(cell) => {
                let may_name = is_empty(&first[0]) || (is_year(cell) && !all(is_year));
                against += u32::from(typed && !may_name);
            }
            cell if is_date(cell) => against += u32::from(all(is_date)),
            cell => {
                // What has the form of the cells below is one of them.
                let shape = form(cell);
                let (rows, alike) = (below().count(), below().filter(|c| form(c) == shape).count());
                if rows > 1
                    && shape.iter().any(|byte| b"0x".contains(byte))
                    && alike * 10 >= rows * 9
                {
                    return false;
                }
                for_it += u32::from(typed);
                again |= below().any(|other| other == cell)
                    || first[..index].iter().any(|other| other.trim_ascii() == cell);
            }
        }
    }
    for_it > against || (for_it == against && against == 0 && !again)
}

fn is_year(cell: &[u8]) -> bool {
    cell.len() == 4 && matches!(cell, [b'1', b'9', ..] | [b'2', b'0', ..]) && is_number(cell)
}

/// Whether a cell holds nothing. A query reads it as null.
pub(crate) fn is_empty(cell: &[u8]) -> bool {
    cell.trim_ascii().is_empty()
}

/// Whether a text is a number: as JSON writes one, so that no digit of it is lost. `4733e924` is an id.
#[inline(never)]
pub(crate) fn is_number(text: &[u8]) -> bool {
    if text.is_empty() || number_len(text) != text.len() {
        return false;
    }
    let exponent = text.iter().position(|byte| byte | 0x20 == b'e').unwrap_or(text.len());
    let whole = text.iter().take_while(|byte| **byte != b'.').count().min(exponent);
    let is_finite =
        || str::from_utf8(text).is_ok_and(|text| text.parse().is_ok_and(f64::is_finite));
    let digits = text[exponent..].iter().filter(|byte| byte.is_ascii_digit()).count();
    whole <= 300 && digits < 4 && (digits == 0 || is_finite())
}

/// `2026-11-22` and what may follow that.
#[inline(never)]
pub(crate) fn is_date(value: &[u8]) -> bool {
    value.len() >= 10
        && value[..10].iter().enumerate().all(|(at, byte)| match at {
            4 | 7 => *byte == b'-',
            _ => byte.is_ascii_digit(),
        })
        && (b"01"..=b"12").contains(&value[5..7].first_chunk().unwrap_or(b"00"))
        && (b"01"..=b"31").contains(&value[8..10].first_chunk().unwrap_or(b"00"))
        && value.get(10).is_none_or(|byte| b"T ".contains(byte))
}

/// The sign between the cells of a table and how many columns it makes, when nearly all rows of
/// `sample` (whole lines) agree on it.
pub(crate) fn delimiter(sample: &[u8]) -> Option<(u8, usize)> {
    if is_numbered(sample) {
        return None;
    }
    [b'\t', b',', b';', b'|'].into_iter().find_map(|sign| {
        let (first, _) = rows(sample, sign, 1);
        let columns = first.first()?.len();
        if !(2..=MAX_COLUMNS).contains(&columns) {
            return None;
        }
        let (rows, _) = rows(sample, sign, 500);
        let (all, agree) = (rows.len(), rows.iter().filter(|row| row.len() == columns).count());
        // Statements end with a sign, and nothing follows it.
        let is_end =
            columns == 2 && rows.iter().all(|row| row.last().is_none_or(|cell| is_empty(cell)));
        (all >= 3 && agree * 20 >= all * 19 && !is_end && is_table(&rows, columns))
            .then_some((sign, columns))
    })
}

/// Whether lines have their numbers before them, set in, as `cat -n` and readers of files write them: a text of any kind.
fn is_numbered(sample: &[u8]) -> bool {
    let number = |line: &[u8]| {
        let end = memchr::memchr(b'\t', line)?;
        std::str::from_utf8(&line[..end]).ok()?.trim_start().parse::<u64>().ok()
    };
    let mut lines = sample.split(|byte| *byte == b'\n');
    let first = lines.next().and_then(number);
    // The blanks before the first may be gone.
    let follows = |(at, line): (u64, &[u8])| {
        line.starts_with(b" ") && number(line) == first.map(|first| first + at)
    };
    first.is_some() && (1..).zip(lines.take(3)).all(follows)
}

/// Whether rows with as many signs are a table: the first names the columns, or the cells of a column are alike.
fn is_table(rows: &[Vec<Vec<u8>>], columns: usize) -> bool {
    let rows = &rows[..rows.len().min(SAMPLE_ROWS)];
    let is_torn = |row: &&Vec<Vec<u8>>| row.iter().any(|cell| is_half(cell));
    let torn = rows.iter().filter(is_torn).count();
    if torn * 2 > rows.len() {
        return false;
    }
    let Some((first, rest)) = rows.split_first() else { return false };
    let column = |index: usize| rest.iter().filter_map(move |row| row.get(index));
    let nearly_all = |index: usize, fits: &dyn Fn(&[u8]) -> bool| {
        let cells = || column(index).filter(|cell| !is_empty(cell));
        let (all, fit) = (cells().count(), cells().filter(|cell| fits(cell.trim_ascii())).count());
        all > 0 && fit * 20 >= all * 19
    };
    // A log, with a message behind each time.
    let is_logged = |cell: &[u8]| is_date(cell) && !is_time(cell);
    if (0..columns).any(|index| nearly_all(index, &is_logged)) {
        return false;
    }
    if is_header(first, rest) && names_columns(first) {
        return true;
    }
    let is_typed = |cell: &[u8]| is_number(cell) || is_time(cell) || is_digits(cell);
    let typed = (0..columns).filter(|index| nearly_all(*index, &is_typed)).count();
    let alike = |index: usize| {
        let shape = form(&first[index]);
        shape.contains(&b'0') && nearly_all(index, &|cell| form(cell) == shape)
    };
    // Numbers with blanks between them are columns of their own.
    let is_whole = |cell: &[u8]| !is_empty(cell) && !cell.trim_ascii().contains(&b' ');
    let is_full = columns == 2 && column(1).all(|cell| is_whole(cell));
    typed * 4 >= columns || (is_full && (0..2).any(alike) && !has_words(first))
}

/// Whether a cell has several words or a sign of a sentence: such rows are messages.
fn has_words(cells: &[Vec<u8>]) -> bool {
    cells.iter().any(|cell| {
        cell.windows(2).any(|two| matches!(two, b": " | b" -" | b", ")) || cell.starts_with(b" ")
    })
}

/// Whether the cells can be names of columns.
fn names_columns(cells: &[Vec<u8>]) -> bool {
    const NAME_BYTES: usize = 60;
    const WORDS: usize = 6;
    let is_name = |cell: &[u8]| {
        let cell = cell.trim_ascii();
        let words = cell.split(|byte| *byte == b' ').filter(|word| !word.is_empty()).count();
        let is_odd = cell.windows(2).any(|two| {
            matches!(two, b"->" | b"=>" | b"::")
                || (two[0] == b':' && (two[1] == b' ' || two[1].is_ascii_digit()))
        });
        cell.len() <= NAME_BYTES
            && words <= WORDS
            && !is_odd
            && !is_half(cell)
            && !cell.iter().any(|byte| b"={};".contains(byte))
            && !cell.ends_with(b".")
    };
    let empty = cells.iter().filter(|cell| is_empty(cell)).count();
    // The first may be empty, above the names of rows.
    let is_open = cells.last().is_some_and(|cell| is_empty(cell)) && cells.len() == 2;
    !is_open && empty * 2 <= cells.len() && cells.iter().all(|cell| is_name(cell))
}

/// Whether a bracket opens in a cell and closes in another: the sign in it is none of a table.
fn is_half(cell: &[u8]) -> bool {
    let count = |sign: u8| cell.iter().filter(|byte| **byte == sign).count();
    [(b'(', b')'), (b'[', b']'), (b'{', b'}')]
        .iter()
        .any(|(open, close)| count(*open) != count(*close))
}

/// A date or time without the letter of its zone, so that a second comes before its parts.
pub(crate) fn instant(cell: &[u8]) -> &[u8] {
    cell.strip_suffix(b"Z").unwrap_or(cell)
}

fn is_digits(cell: &[u8]) -> bool {
    !cell.is_empty() && cell.iter().all(u8::is_ascii_digit)
}

/// Whether a cell is digits that are no number: a code, or a number to dial.
pub(crate) fn is_code(cell: &[u8]) -> bool {
    match cell.strip_prefix(b"+") {
        Some(rest) => rest.len() >= PHONE_DIGITS && is_digits(rest),
        None => is_digits(cell) && !is_number(cell),
    }
}

/// Whether a cell is a word of letters and digits, such as a short hash: another may have no letter by chance.
fn is_id(cell: &[u8]) -> bool {
    cell.len() >= ID_CHARS
        && cell.iter().all(u8::is_ascii_alphanumeric)
        && cell.iter().any(u8::is_ascii_digit)
        && cell.iter().any(u8::is_ascii_alphabetic)
}

/// Whether a cell is a date or a time and nothing else.
fn is_time(cell: &[u8]) -> bool {
    is_date(cell)
        && cell.len() <= 35
        && cell[10..].iter().all(|byte| byte.is_ascii_digit() || b"TZ:.,+- ".contains(byte))
}

/// The form of a cell: `0` for digits, `a` for letters, `x` for both in one word; all else as it is.
fn form(cell: &[u8]) -> Vec<u8> {
    let mut form: Vec<u8> = Vec::new();
    for byte in cell {
        let class = match byte {
            b'0'..=b'9' => b'0',
            byte if byte.is_ascii_alphabetic() || *byte >= 0x80 => b'a',
            // Numbers may be set flush.
            b' ' if form.last() == Some(&b' ') => continue,
            byte => {
                form.push(*byte);
                continue;
            }
        };
        match form.last_mut() {
            Some(last) if *last == class || *last == b'x' => {}
            Some(last @ (b'0' | b'a')) => *last = b'x',
            _ => form.push(class),
        }
    }
    form
}

/// The first rows of a sample, and where the first ends.
#[inline(never)]
fn rows(sample: &[u8], sign: u8, most: usize) -> (Vec<Vec<Vec<u8>>>, usize) {
    let (mut rows, mut at, mut first) = (Vec::new(), 0, 0);
    while rows.len() < most {
        at += blank_lines(&sample[at..]);
        let Some((cells, used)) = split_row(&sample[at..], sign, true) else { break };
        at += used;
        if rows.is_empty() {
            first = at;
        }
        rows.push(cells);
    }
    (rows, first)
}

/// Bytes of the blank lines at the start: they are no rows.
fn blank_lines(bytes: &[u8]) -> usize {
    let mut at = 0;
    loop {
        match bytes[at..] {
            [b'\n', ..] => at += 1,
            [b'\r', b'\n', ..] => at += 2,
            _ => return at,
        }
    }
}

/// A row of a table in a source.
pub(crate) struct TableRow {
    /// Its cells, without their quotes; none when it is too long to be read.
    pub(crate) cells: Option<Vec<Vec<u8>>>,
    /// Where it starts.
    pub(crate) start: u64,
    /// Where what follows it starts.
    pub(crate) end: u64,
}

/// The row at a byte, or after the blank lines there; nothing at the end.
#[inline(never)]
pub(crate) fn row_at(
    window: &mut Window<'_>,
    mut at: u64,
    sign: u8,
) -> Result<Option<TableRow>, ReadError> {
    let mut want = 16 * 1024;
    loop {
        let bytes = window.load(at, want)?;
        let all = bytes.len() < want;
        let blank = blank_lines(bytes);
        let bytes = &bytes[blank..];
        at += blank as u64;
        // A blank line may be cut here.
        if bytes.is_empty() || (bytes == b"\r" && !all) {
            if all {
                return Ok(None);
            }
            continue;
        }
        if let Some((cells, used)) = split_row(bytes, sign, all) {
            return Ok(Some(TableRow { cells: Some(cells), start: at, end: at + used as u64 }));
        }
        if bytes.len() > ROW_MAX_BYTES {
            // A quote that is not closed takes all that follows: the line is given up.
            let line = memchr::memchr(b'\n', bytes).map_or(bytes.len(), |end| end + 1);
            return Ok(Some(TableRow { cells: None, start: at, end: at + line as u64 }));
        }
        want = bytes.len() * 4;
    }
}

/// How many rows there are from a byte on.
pub(crate) fn count_rows(source: &dyn Source, mut at: u64, sign: u8) -> Result<u64, ReadError> {
    let mut window = Window::new(source);
    let mut rows = 0;
    loop {
        // Lines without a quote are counted at once.
        let bytes = window.load(at, 1)?;
        let mut plain = &bytes[..memchr::memchr(b'"', bytes).unwrap_or(bytes.len())];
        plain = &plain[..memchr::memrchr(b'\n', plain).map_or(0, |last| last + 1)];
        let mut last = 0;
        for end in memchr::memchr_iter(b'\n', plain) {
            rows += u64::from(!matches!(&plain[last..end], b"" | b"\r"));
            last = end + 1;
        }
        at += last as u64;
        if last > 0 {
            continue;
        }
        match row_at(&mut window, at, sign)? {
            Some(row) => at = row.end,
            None => return Ok(rows),
        }
        rows += 1;
    }
}

/// The cells of the first row, and its bytes with the line feed; nothing when it does not end here.
#[inline(never)]
pub(crate) fn split_row(bytes: &[u8], sign: u8, all: bool) -> Option<(Vec<Vec<u8>>, usize)> {
    if bytes.is_empty() {
        return None;
    }
    let mut cells: Vec<Vec<u8>> = Vec::new();
    let mut at = 0;
    loop {
        let mut cell: Cow<'_, [u8]>;
        if bytes.get(at) == Some(&b'"') {
            let mut text = Vec::new();
            at += 1;
            loop {
                let Some(found) = memchr::memchr(b'"', bytes.get(at..)?) else {
                    if !all {
                        return None;
                    }
                    text.extend_from_slice(&bytes[at..]);
                    at = bytes.len();
                    break;
                };
                text.extend_from_slice(&bytes[at..at + found]);
                at += found + 1;
                match bytes.get(at) {
                    Some(b'"') => {
                        text.push(b'"');
                        at += 1;
                    }
                    None if !all => return None,
                    _ => break,
                }
            }
            cell = Cow::Owned(text);
        } else {
            cell = Cow::Borrowed(&[]);
        }
        // What follows a closing quote belongs to the cell too.
        let end = bytes[at..].iter().position(|&b| b == sign || b == b'\n');
        let end = end.map(|end| at + end).or(all.then_some(bytes.len()))?;
        if end > at {
            let mut rest = &bytes[at..end];
            if bytes.get(end) != Some(&sign) {
                rest = rest.strip_suffix(b"\r").unwrap_or(rest);
            }
            cell.to_mut().extend_from_slice(rest);
        }
        cells.push(cell.into_owned());
        match bytes.get(end) {
            Some(&b) if b == sign => at = end + 1,
            Some(_) => return Some((cells, end + 1)),
            None => return Some((cells, end)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (bool, Vec<String>) {
        let table = Table::of(&text.as_bytes()).unwrap();
        (table.headed, table.names)
    }

    #[test]
    fn quoted_cells_may_hold_anything() {
        let table = b"a,b\n\"x,\ny\",2\n3,\"4\"\n";
        assert_eq!(delimiter(table), Some((b',', 2)));
        assert_eq!(count_rows(&&table[..], 0, b',').ok(), Some(3));
        assert_eq!(names("\"a b\",c\r\n1,2\r\n").1, ["a b", "c"]);
        assert_eq!(delimiter(b"Some prose, with commas.\nNone here.\nA, b, c\n"), None);
        // A quote within a cell is a sign as any other.
        let inches = b"size,n\n5\" disk,1\n3\" disk,2\n";
        assert_eq!(delimiter(inches), Some((b',', 2)));
        assert_eq!(count_rows(&&inches[..], 0, b',').ok(), Some(3));
    }

    #[test]
    fn rows_are_counted_as_they_are_read() {
        for text in [
            "",
            "\n\n",
            "a,b\n\n1,2\r\n\r\n3,4",
            "a,b\n\"x\n\ny\",2\n\n3,\"a \"\"b\"\"\"\n\"open,1\n2,3\n",
            "\r\na;b\n\"\";1\n;\n",
        ] {
            let long = text.repeat(40_000 / text.len().max(1));
            for text in [text, &long] {
                let bytes = text.as_bytes();
                let (mut window, mut at, mut rows) = (Window::new(&bytes), 0, 0);
                while let Some(row) = row_at(&mut window, at, b',').unwrap() {
                    assert!(row.end > at && row.start >= at, "{text}");
                    (at, rows) = (row.end, rows + 1);
                }
                assert_eq!(count_rows(&bytes, 0, b',').unwrap(), rows, "{text}");
            }
        }
    }

    #[test]
    fn a_header_looks_like_no_row() {
        for (text, headed) in [
            ("id,name\n1,a\n2,b\n", true),
            ("17,user0,5.5\n18,user1,6.5\n19,user2,7\n", false),
            ("country,2019,2020\nFR,1.5,2\nDE,3,4\n", true),
            ("year,n\n2019,5\n2020,6\n", true),
            ("2019,5\n2020,6\n2021,7\n", false),
            (",0,1\n0,5,6\n1,7,8\n", true),
            ("2026-01-02,x,1\n2026-01-03,y,2\n2026-01-04,z,3\n", false),
            ("name,city\nann,rome\nbob,paris\n", true),
            ("ok,rome\nfailed,paris\nok,oslo\n", false),
            ("id,zip\nx1,00123\nx2,04711\n", true),
            ("0,1,2\na,b,7\nc,d,8\n", true),
        ] {
            assert_eq!(names(text).0, headed, "{text}");
        }
        // Blanks that fill a cell are no part of it.
        let padded = "X   ,Y   ,Name\n".to_owned() + &"1.5 ,2   ,a   \n".repeat(20);
        assert!(names(&format!("{padded}X   ,Y   ,Name\n")).0);
        let rows = "0.1,18,65.2,4\n".repeat(9);
        let sized = format!("506,2,,\n\"CRIM\",\"ZN\",\"AGE\",\"B\"\n{rows}");
        let above = Table::of(&sized.as_bytes()).unwrap();
        assert_eq!((above.headed, above.above, above.body), (true, 1, 30));
        assert_eq!(above.names, ["CRIM", "ZN", "AGE", "B"]);
        assert!(!names("1,2,,\n3,4,5,6\n7,8,9,1\n").0);
        // One file of many is no text.
        let counts: String = (1..30).map(|n| format!("{n}\t{}\tsrc/{n}.c\n", n + 1)).collect();
        let table = Table::of(&format!("1\t1\ta.c\n-\t-\tx.png\n{counts}").as_bytes()).unwrap();
        assert!(!table.headed);
        assert_eq!(names("1,2\n3,4\n5,6\n").1, ["column_1", "column_2"]);
    }

    #[test]
    fn codes_make_all_of_their_column_texts() {
        use Column::{Codes, Other, Whole};
        let columns = |cells: &str| {
            let rows: String = cells.split(' ').map(|cell| format!("{cell},x\n")).collect();
            Table::of(&format!("code,name\n{rows}").as_bytes()).unwrap().columns[0]
        };
        for (cells, column) in [
            ("02134 90210 10001", Codes(true)),
            ("90210 10001 \"02134\"  30301", Codes(true)),
            ("+4930123456 4930123457", Codes(true)),
            ("000001 000002", Codes(false)),
            ("4733e924 12345678 a1b2c3d4", Codes(true)),
            ("4733e92 1234e56 a1b2c3d", Codes(true)),
            ("n/a 02134 90210", Codes(true)),
            ("1 20 300", Whole),
            ("0 10 200", Whole),
            ("1.5 007 20", Whole),
            ("-1 007 20", Whole),
            ("0.5 1.25", Other),
            ("12ab34 1 2 3 4", Whole),
            ("ann bob", Other),
        ] {
            assert_eq!(columns(cells), column, "{cells}");
        }
        let versions = "version,n\n1.9,1.9\n1.10,1.10\n";
        assert_eq!(Table::of(&versions.as_bytes()).unwrap().columns, [Codes(true), Other]);
        // Also where the first stands late, and each who reads the table is told the same.
        let rows: String = (10_000..40_000).map(|n| format!("{n}\tx\n")).collect();
        let late = |at: usize| format!("zip\tname\n{}02134\tx\n{}", &rows[..at], &rows[at..]);
        assert_eq!(Table::of(&late(8 * 20_000).as_bytes()).unwrap().columns[0], Codes(true));
        let far = format!("zip\tname\n{rows}{rows}02134\tx\n");
        assert_eq!(Table::of(&far.as_bytes()).unwrap().columns[0], Whole);
    }

    #[test]
    fn numbers_are_those_that_json_writes() {
        for number in ["0", "-1.5", "1e5", "12345678901234567890123"] {
            assert!(is_number(number.as_bytes()), "{number}");
        }
        for text in ["", "-", "+49", "00123", "1.", ".5", "1e", "0x1", "1 ", "NaN", "4733e924"] {
            assert!(!is_number(text.as_bytes()), "{text}");
        }
    }
}
