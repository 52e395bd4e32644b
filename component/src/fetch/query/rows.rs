//! The rows of a stored result, one after the other, however many there are.
//!
//! A row is an item of an array, a member of an object, a line of JSON, a row of a table, or a line
//! of text. What one call leaves unread the next goes on with: a place is a byte and a number.

use jaq_core::ValT as _;
use jaq_json::Val;

use super::columns::names_at;
use super::json_path::{JsonPath, value_end};
use super::place::{Place, Shape, WHOLE_MAX_BYTES};
use super::read::read;
use super::seek::Spot;
use super::value;
use crate::content::json::Cursor;
use crate::content::kind::Kind;
use crate::content::numbers::thousands;
use crate::content::scan::Window;
use crate::content::table::{Column, ROW_MAX_BYTES, Table, is_code, row_at};
use crate::fence::token;
use crate::fetch::error::FetchError;
use crate::source::{ReadError, Source};

/// Bytes of a line of text that are read.
const LINE_MAX_BYTES: usize = 256 * 1024;

/// Bytes read ahead.
const AHEAD_BYTES: usize = 256 * 1024;

/// Columns of codes that are named.
const CODES_TOLD: usize = 3;

/// One row.
pub(in crate::fetch) struct Row {
    /// Its value, or why it has none.
    pub(in crate::fetch) value: Result<Val, String>,
    /// The bytes it takes.
    pub(in crate::fetch) bytes: u64,
    /// Where it starts.
    pub(in crate::fetch) start: u64,
}

/// One row of JSON, not read yet.
pub(in crate::fetch) struct RawRow {
    /// The bytes it takes.
    pub(in crate::fetch) bytes: u64,
    /// Where it starts.
    pub(in crate::fetch) start: u64,
    /// Where its text is and how long, or why it is not read.
    text: Result<(u64, usize), String>,
}

/// The rows of a source.
pub(in crate::fetch) struct Rows<'s> {
    window: Window<'s>,
    place: Place,
    /// The names of a table's columns, and the sign between cells.
    columns: Vec<Val>,
    sign: u8,
    /// What a table's columns are.
    types: Vec<Column>,
    /// The row and the column of the first code among what was numbers before it.
    pub(in crate::fetch) late: Option<(u64, usize)>,
    /// Whether a table's first row holds these names.
    headed: bool,
    /// Where the rows are, as a JSON pointer.
    pub(in crate::fetch) pointer: String,
    /// Whether the JSON was made of YAML.
    pub(in crate::fetch) is_yaml: bool,
    /// Bytes looked through to find the rows.
    pub(in crate::fetch) looked_at: u64,
    done: bool,
}

impl<'s> Rows<'s> {
    /// Finds the rows of a source of a kind, where `path` says or where most of it is.
    pub(in crate::fetch) fn open(
        source: &'s dyn Source,
        kind: Kind,
        path: Option<&str>,
        whole: bool,
        from: Option<Place>,
    ) -> Result<Rows<'s>, FetchError> {
        let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
        let shape = match kind {
            Kind::Json => Shape::Document,
            Kind::Ndjson => Shape::JsonLines,
            Kind::Csv | Kind::Tsv => Shape::Table,
            _ => Shape::Lines,
        };
        let mut rows = Rows {
            window: Window::new(source),
            place: Place { shape, byte: start, row: 1, names: 0 },
            columns: Vec::new(),
            sign: b',',
            types: Vec::new(),
            late: None,
            headed: true,
            pointer: String::new(),
            is_yaml: false,
            looked_at: 0,
            done: false,
        };
        if shape == Shape::Table && !(whole && from.is_some()) {
            let table = Table::of(source)?;
            rows.sign = table.sign;
            rows.headed = table.headed;
            rows.types = table.columns;
            rows.columns = table.names.into_iter().map(Val::from).collect();
            rows.place.byte = table.body;
        }
        let path = path.filter(|path| !path.trim().is_empty());
        if let Some(path) = path {
            if kind != Kind::Json {
                let what = "path is for one JSON document; here, each row is given to the query";
                return Err(FetchError::invalid("path", what));
            }
            let path = JsonPath::parse(path).ok_or_else(|| {
                let what = format!("{} is not a path such as /data/items", token(path, 80));
                FetchError::invalid("path", what)
            })?;
            rows.pointer = path.pointer();
            if from.is_none() {
                rows.go_to(Spot::at(source, start, &path)?);
            }
        } else if kind == Kind::Json && !whole && from.is_none() {
            rows.go_to(Spot::largest(source, start)?);
        }
        if let Some(from) = from {
            if from.shape == Shape::Named {
                rows.columns = names_at(source, from.names, None)?.unwrap_or_default();
            }
            rows.place = from;
        }
        Ok(rows)
    }

    fn go_to(&mut self, spot: Spot) {
        self.place = spot.place;
        self.pointer = spot.pointer;
        self.columns = spot.columns;
        self.looked_at = spot.looked_at;
    }

    /// Where the next row is.
    pub(in crate::fetch) fn place(&self) -> Place {
        self.place
    }

    /// Whether there are rows of more than lines in a source of a kind.
    pub(in crate::fetch) fn are_in(kind: Kind) -> bool {
        matches!(kind, Kind::Json | Kind::Ndjson | Kind::Csv | Kind::Tsv)
    }

    /// Whether there is one value, not rows.
    pub(in crate::fetch) fn is_one(&self) -> bool {
        self.place.shape == Shape::Document
    }

    /// What the rows are, in words: without an article when there may be many.
    pub(in crate::fetch) fn words(&self) -> String {
        let yaml = if self.is_yaml { ", of YAML" } else { "" };
        let at = |what: &str| match self.pointer.as_str() {
            "" => format!("{what}{yaml}"),
            pointer => format!("{what} of {}{yaml}", token(pointer, 120)),
        };
        match self.place.shape {
            Shape::Document if self.pointer.is_empty() => at("the document"),
            Shape::Document => format!("the value at {}{yaml}", token(&self.pointer, 120)),
            Shape::Items => at("items"),
            Shape::Named => at("items") + ", as objects by the names of their columns",
            Shape::Members => at("members"),
            Shape::JsonLines if self.is_yaml => "documents of YAML".to_owned(),
            Shape::JsonLines => "lines of JSON".to_owned(),
            Shape::Table if self.headed => format!("rows of a table{}", self.codes()),
            Shape::Table => format!("rows of a table without a header{}", self.codes()),
            Shape::Lines => "lines of text".to_owned(),
        }
    }

    /// The columns of codes of which some are written as numbers.
    fn codes(&self) -> String {
        let columns = self.columns.iter().zip(&self.types);
        let codes = columns.filter(|(_, column)| **column == Column::Codes(true));
        let mut names: Vec<String> = codes.map(|(name, _)| token(&text(name), 40)).collect();
        let more = if names.len() > CODES_TOLD { ", …" } else { "" };
        names.truncate(CODES_TOLD);
        match names.is_empty() {
            true => String::new(),
            false => format!(", with codes as texts in {}{more}", names.join(", ")),
        }
    }

    /// Reads the columns that are of codes in others as those do: so that what is equal is.
    pub(in crate::fetch) fn read_as(&mut self, other: &Rows<'_>) {
        for (name, column) in self.columns.iter().zip(&mut self.types) {
            let of_other = other.columns.iter().position(|known| known == name);
            if let Some(codes @ Column::Codes(_)) = of_other.and_then(|at| other.types.get(at)) {
                *column = *codes;
            }
        }
    }

    /// Goes to the row at a byte.
    pub(in crate::fetch) fn seek(&mut self, byte: u64) {
        (self.place.byte, self.done) = (byte, false);
    }

    /// What is said of a code among numbers.
    pub(in crate::fetch) fn late_words(&self) -> Option<String> {
        let (row, column) = self.late?;
        let name = self.columns.get(column).map(text).unwrap_or_default();
        let (name, row) = (token(&name, 40), thousands(row));
        Some(format!(
            "{name} has numbers and, from row {row} on, codes such as 007, which are texts: (.name | tostring) makes \
             all of them texts"
        ))
    }

    /// Notes a code where the first rows have numbers.
    fn check_late(&mut self, cells: &[Vec<u8>]) {
        let is_late = |(cell, column): (&Vec<u8>, &Column)| {
            *column == Column::Whole && is_code(cell.trim_ascii())
        };
        if self.late.is_none() {
            let column = cells.iter().zip(&self.types).position(is_late);
            self.late = column.map(|column| (self.place.row, column));
        }
    }

    /// The next row; nothing at the end.
    pub(in crate::fetch) fn next(&mut self) -> Result<Option<Row>, ReadError> {
        if self.done {
            return Ok(None);
        }
        let row = match self.place.shape {
            Shape::Document => self.document()?,
            Shape::Items => self.item()?,
            Shape::Named => self.named_item()?,
            Shape::Members => self.member()?,
            Shape::JsonLines => self.json_line()?,
            Shape::Table => self.table_row()?,
            Shape::Lines => self.line()?,
        };
        match &row {
            Some(_) => self.place.row += 1,
            None => self.done = true,
        }
        Ok(row)
    }

    /// Whether rows are JSON texts, which [`Rows::next_raw`] gives.
    pub(in crate::fetch) fn are_raw(&self) -> bool {
        matches!(self.place.shape, Shape::Items | Shape::JsonLines)
    }

    /// The next row, not read yet; nothing at the end.
    pub(in crate::fetch) fn next_raw(&mut self) -> Result<Option<RawRow>, ReadError> {
        if self.done {
            return Ok(None);
        }
        let row = match self.place.shape {
            Shape::Items => self.raw_item()?,
            _ => self.raw_json_line()?,
        };
        match &row {
            Some(_) => self.place.row += 1,
            None => self.done = true,
        }
        Ok(row)
    }

    /// The text of a row.
    pub(in crate::fetch) fn text(&mut self, row: &RawRow) -> Result<Option<&[u8]>, ReadError> {
        let Ok((at, length)) = row.text else { return Ok(None) };
        let bytes = self.window.load(at, length)?;
        Ok(Some(&bytes[..length.min(bytes.len())]))
    }

    /// The value of a row.
    pub(in crate::fetch) fn read(&mut self, row: RawRow) -> Result<Row, ReadError> {
        let RawRow { bytes, start, text } = row;
        let value = match text {
            Ok((at, length)) => {
                let text = self.window.load(at, length)?;
                read(&text[..length.min(text.len())])
            }
            Err(error) => Err(error),
        };
        Ok(Row { value, bytes, start })
    }

    /// Whether a call that goes on here would find anything: nothing but blanks is left.
    pub(in crate::fetch) fn at_end(&mut self) -> Result<bool, ReadError> {
        if self.done {
            return Ok(true);
        }
        let byte = self.place.byte;
        let rest = self.window.load(byte, AHEAD_BYTES)?;
        let items = matches!(self.place.shape, Shape::Items | Shape::Named | Shape::Members);
        let next = rest.iter().find(|b| !matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b','));
        Ok(match (next, self.place.shape) {
            (_, Shape::Document) => false,
            (None, Shape::Lines) => rest.is_empty(),
            (None, _) => true,
            (Some(b), _) => items && matches!(b, b']' | b'}'),
        })
    }

    fn document(&mut self) -> Result<Option<Row>, ReadError> {
        let start = self.place.byte;
        let source = self.window.source;
        let mut cursor = Cursor::new(source, start);
        let Some(first) = cursor.peek_token()? else { return Ok(None) };
        let from = cursor.position();
        cursor.skip_value(first)?;
        let end = cursor.position();
        self.done = true;
        let value = if end - from > WHOLE_MAX_BYTES {
            Err(too_long((end - from) as usize, WHOLE_MAX_BYTES as usize))
        } else {
            read(&source.read_range(from, end)?)
        };
        self.place.byte = end;
        Ok(Some(Row { value, bytes: end - from, start: from }))
    }

    /// Goes over what stands between items; `false` at the end.
    fn reach_item(&mut self) -> Result<bool, ReadError> {
        loop {
            let byte = self.place.byte;
            let bytes = self.window.load(byte, 1)?;
            let blank = |b: &&u8| matches!(b, b' ' | b'\t' | b'\r' | b'\n' | b',');
            let blanks = bytes.iter().take_while(blank).count();
            self.place.byte += blanks as u64;
            match bytes.get(blanks) {
                None if blanks == 0 => return Ok(false),
                None => {}
                Some(b']' | b'}') => return Ok(false),
                Some(_) => return Ok(true),
            }
        }
    }

    /// The text of the value at a byte, and goes behind it.
    fn raw_value(&mut self, at: u64) -> Result<Result<(u64, usize), String>, ReadError> {
        if let Some(length) = self.value_length(at)? {
            self.place.byte = at + length.max(1) as u64;
            return Ok(Ok((at, length)));
        }
        let source = self.window.source;
        let mut cursor = Cursor::new(source, at);
        if let Some(first) = cursor.peek()? {
            cursor.skip_value(first)?;
        }
        self.place.byte = cursor.position().max(at + 1);
        Ok(Err(too_long((self.place.byte - at) as usize, ROW_MAX_BYTES)))
    }

    fn raw_item(&mut self) -> Result<Option<RawRow>, ReadError> {
        if !self.reach_item()? {
            return Ok(None);
        }
        let start = self.place.byte;
        let text = self.raw_value(start)?;
        Ok(Some(RawRow { bytes: self.place.byte - start, start, text }))
    }

    fn item(&mut self) -> Result<Option<Row>, ReadError> {
        match self.raw_item()? {
            Some(row) => Ok(Some(self.read(row)?)),
            None => Ok(None),
        }
    }

    fn named_item(&mut self) -> Result<Option<Row>, ReadError> {
        let Some(row) = self.item()? else { return Ok(None) };
        let value = row.value.and_then(|value| match value {
            Val::Arr(cells) => self.object(cells.iter().cloned()),
            other => Ok(other),
        });
        Ok(Some(Row { value, ..row }))
    }

    /// Cells as an object: what there is no name for has one by its number, what is not there is null.
    fn object(&self, cells: impl Iterator<Item = Val>) -> Result<Val, String> {
        let mut cells = cells;
        let named =
            self.columns.iter().map(|name| (name.clone(), cells.next().unwrap_or_default()));
        let mut members: Vec<(Val, Val)> = named.collect();
        for cell in cells {
            members.push((Val::from(format!("column_{}", members.len() + 1)), cell));
        }
        Val::from_map(members).map_err(|error| value::clipped(&error.into_val(), 200))
    }

    fn member(&mut self) -> Result<Option<Row>, ReadError> {
        if !self.reach_item()? {
            return Ok(None);
        }
        let start = self.place.byte;
        let Some(length) = self.value_length(start)? else { return Ok(None) };
        let name = self.window.load(start, length)?;
        let name = name[..length.min(name.len())].to_vec();
        let key = read(&name).unwrap_or_default();
        let blanks = |bytes: &[u8]| {
            bytes.iter().take_while(|b| matches!(b, b' ' | b'\t' | b'\r' | b'\n')).count() as u64
        };
        let mut at = start + name.len() as u64;
        at += blanks(self.window.load(at, 4_096)?);
        if self.window.load(at, 1)?.first() != Some(&b':') {
            self.place.byte = start + name.len().max(1) as u64;
            let value = Err("not a member of an object".to_owned());
            return Ok(Some(Row { value, bytes: name.len() as u64, start }));
        }
        at += 1;
        at += blanks(self.window.load(at, 4_096)?);
        let text = self.raw_value(at)?;
        let bytes = self.place.byte - start;
        let row = self.read(RawRow { bytes, start, text })?;
        let value = row.value.map(|value| {
            let entry =
                [(Val::from("key".to_owned()), key), (Val::from("value".to_owned()), value)];
            Val::from_map(entry).unwrap_or_default()
        });
        Ok(Some(Row { value, ..row }))
    }

    /// How long the JSON value at a byte is, unless it is longer than a row may be.
    fn value_length(&mut self, at: u64) -> Result<Option<usize>, ReadError> {
        let mut want = 16 * 1024;
        loop {
            let total = self.window.source.len();
            let bytes = self.window.load(at, want)?;
            let all = at + bytes.len() as u64 >= total;
            match value_end(bytes) {
                Some(end) if end < bytes.len() || all => {
                    return Ok(Some(end).filter(|end| *end <= ROW_MAX_BYTES));
                }
                None if all => return Ok(Some(bytes.len()).filter(|end| *end <= ROW_MAX_BYTES)),
                _ if bytes.len() > ROW_MAX_BYTES => return Ok(None),
                _ => want = bytes.len() * 4,
            }
        }
    }

    fn raw_json_line(&mut self) -> Result<Option<RawRow>, ReadError> {
        loop {
            let start = self.place.byte;
            let Some((length, bytes)) = self.window.line(self.place.byte, ROW_MAX_BYTES + 2)?
            else {
                return Ok(None);
            };
            self.place.byte += bytes;
            if length > ROW_MAX_BYTES {
                let text = Err(too_long(bytes as usize, ROW_MAX_BYTES));
                return Ok(Some(RawRow { bytes, start, text }));
            }
            if self.window.load(start, length)?[..length].trim_ascii().is_empty() {
                continue;
            }
            return Ok(Some(RawRow { bytes, start, text: Ok((start, length)) }));
        }
    }

    fn json_line(&mut self) -> Result<Option<Row>, ReadError> {
        match self.raw_json_line()? {
            Some(row) => Ok(Some(self.read(row)?)),
            None => Ok(None),
        }
    }

    fn line(&mut self) -> Result<Option<Row>, ReadError> {
        let start = self.place.byte;
        let Some((length, bytes)) = self.window.line(self.place.byte, LINE_MAX_BYTES + 2)? else {
            return Ok(None);
        };
        self.place.byte += bytes;
        let value = if length > LINE_MAX_BYTES {
            Err(too_long(bytes as usize, LINE_MAX_BYTES))
        } else {
            let text = &self.window.load(start, length)?[..length];
            let text = text.strip_suffix(b"\r").unwrap_or(text);
            Ok(Val::from(String::from_utf8_lossy(text).into_owned()))
        };
        Ok(Some(Row { value, bytes, start }))
    }

    fn table_row(&mut self) -> Result<Option<Row>, ReadError> {
        let Some(row) = row_at(&mut self.window, self.place.byte, self.sign)? else {
            return Ok(None);
        };
        self.place.byte = row.end;
        let (bytes, start) = (row.end - row.start, row.start);
        let value = match row.cells {
            Some(cells) => {
                self.check_late(&cells);
                let types = self.types.iter().chain(std::iter::repeat(&Column::Other));
                self.object(
                    cells.iter().zip(types).map(|(cell, column)| value::cell(cell, *column)),
                )
            }
            None => Err(too_long(bytes as usize, ROW_MAX_BYTES)),
        };
        Ok(Some(Row { value, bytes, start }))
    }
}

fn text(name: &Val) -> String {
    value::clipped(name, usize::MAX)
}

fn too_long(bytes: usize, most: usize) -> String {
    format!("it has {bytes} bytes, and a row may have {most}")
}
