//! The outlines of rows of JSON: what stands under their keys.

use serde_json::Value;

use super::table::{NEAR_BYTES, RARE_ROWS};
use super::values::{COMMON, Place, RARE, Values, sort_places};
use super::{Choice, List, OUTLINE_LINE_CHARS, Outline, Query};
use crate::content::json::{Cursor, Node, Shape, Verdict, check};
use crate::content::numbers::{counted, thousands};
use crate::content::scan::Window;
use crate::content::show::one_line;
use crate::content::table::{ROW_MAX_BYTES, is_number};
use crate::content::unescape::decoded;
use crate::source::{ReadError, Source};
use crate::spill::anchor::Hit;

/// Rows at the start of which keys and values are told, and bytes of them. Of the others it is seen what is rare.
const SCHEMA_ROWS: u64 = 1_000;
pub(super) const SCHEMA_BYTES: u64 = 1024 * 1024;

/// Keys that are told apart.
const SCHEMA_KEYS: usize = 256;

/// Lines that are no JSON, of which it is told where they are.
const ODD_LINES: usize = 1_000;

/// A key, the types of its values, and in words what these are, if that says more.
pub(super) type Told = (String, String, String);

/// What the rows of JSON have in common, keys in the order in which they were met.
pub(super) struct Keys {
    /// Rows that are told of: the first.
    pub(super) rows: u64,
    /// Rows with a rare value or key, of all.
    pub(super) rare: Vec<Place>,
    pub(super) keys: Vec<Told>,
    pub(super) query: Query,
}

/// What stands under a key, or in a place, of rows.
#[derive(Default)]
struct Field {
    /// The key as it is written, without its quotes, and all that stood between the value before and its own.
    key: Vec<u8>,
    lead: Vec<u8>,
    /// Objects that have it, the last of them, and where it stands first; and the first object behind that which lacks it.
    rows: u64,
    last: u64,
    first: Place,
    lack: Option<Place>,
    /// How many values are plain, hold something and are empty, and where the first of each stands.
    kinds: [(u64, Place); 3],
    shapes: Vec<&'static str>,
    values: Values,
    /// What stands in objects below it.
    inner: Fields,
}

#[derive(Default)]
struct Fields {
    list: Vec<Field>,
    /// What tells most keys apart, of each.
    digests: Vec<u64>,
    /// The one behind that which was met last: rows have their keys in one order, mostly.
    next: usize,
    objects: u64,
}

/// Fields of an object of which it is seen that one is missing.
const LACKING: usize = 64;

impl Fields {
    /// The field of a key, which is a new one while there is room.
    fn find(&mut self, key: &[u8], left: &mut usize) -> Option<&mut Field> {
        // Most of them differ in their ends.
        let end = key.iter().rev().take(7);
        let digest = end.fold(key.len() as u64, |digest, byte| digest << 8 | u64::from(*byte));
        let (before, behind) = self.digests.split_at(self.next.min(self.digests.len()));
        let found = behind.iter().position(|known| *known == digest).map(|at| at + before.len());
        let found = found.or_else(|| before.iter().position(|known| *known == digest));
        let found = match found {
            Some(at) if self.list[at].key != key => {
                self.list.iter().position(|field| field.key == key)
            }
            found => found,
        };
        let at = match found {
            Some(at) => at,
            None => {
                *left = left.checked_sub(1)?;
                self.list.push(Field { key: key.to_vec(), ..Field::default() });
                self.digests.push(digest);
                self.list.len() - 1
            }
        };
        self.next = at + 1;
        self.list.get_mut(at)
    }

    /// Where a key, a value or a kind of value stands that is rare, or a key is missing; what stands deeper comes last.
    fn rare(&self) -> Vec<Place> {
        let objects = self.objects;
        let is_few = |times: u64| (1..=RARE).contains(&times) && objects >= COMMON + times;
        let (mut places, mut few, mut lacking) = (Vec::new(), Vec::new(), Vec::new());
        for field in &self.list {
            if is_few(field.rows) {
                few.push(field.first);
            }
            lacking.extend(field.lack.filter(|_| is_few(objects - field.rows)));
            let kinds = field.kinds.iter().filter(|(times, _)| is_few(*times));
            // One kind alone is none beside others.
            places.extend(kinds.filter(|(times, _)| *times < field.rows).map(|(_, place)| *place));
            places.extend(field.values.rare());
        }
        // Of a list of names each is rare.
        for few in [few, lacking] {
            places.extend(few.iter().filter(|_| few.len() as u64 <= RARE));
        }
        sort_places(&mut places);
        for field in &self.list {
            places.extend(field.inner.rare());
        }
        places
    }
}

/// Bytes between two values that are compared.
const LEAD_BYTES: usize = 256;

/// Whether no value begins so.
fn is_between(byte: u8) -> bool {
    matches!(byte, b'}' | b']' | b',')
}

/// Bytes of a list that is one value.
const LIST_BYTES: u64 = 40;

/// Cells of an array within an array that are looked at.
const PAIR: usize = 4;

/// Objects within objects that are looked into.
const INNER: usize = 3;

/// Goes over rows of JSON, and counts what stands under their keys.
pub(super) struct Walk<'s> {
    cursor: Cursor<'s>,
    columns: Fields,
    /// Rows that are plain values.
    bare: Values,
    /// Rows so far; columns, and fields in objects below them, for which there is room.
    rows: u64,
    left: [usize; 2],
    /// Where the row starts, where the first ones end, and where none begins any more.
    start: u64,
    end: u64,
    until: u64,
    number: u64,
    /// A first row of texts, which may be names.
    header: Vec<String>,
    /// What is told of the first rows, when there are others, and how many these are.
    told: Option<(Vec<Told>, u64)>,
}

impl<'s> Walk<'s> {
    fn new(source: &'s dyn Source, start: u64, bytes: u64) -> Self {
        Walk {
            cursor: Cursor::new(source, start),
            columns: Fields::default(),
            bare: Values::default(),
            rows: 0,
            left: [SCHEMA_KEYS; 2],
            start,
            end: start + bytes,
            until: u64::MAX,
            number: 0,
            header: Vec::new(),
            told: None,
        }
    }

    /// A row of this number starts here.
    fn begin(&mut self, number: u64, start: u64) {
        if self.told.is_none() && (self.rows >= SCHEMA_ROWS || start >= self.end) {
            self.told = Some((self.tell(), self.rows));
        }
        self.rows += 1;
        (self.number, self.start) = (number, start);
    }

    /// Goes to the next row of an array, or member of a map, and begins it: its first byte.
    fn next(&mut self) -> Result<Option<u8>, ReadError> {
        loop {
            match self.cursor.peek_token()? {
                None | Some(b']' | b'}') => return Ok(None),
                Some(b',' | b':') => self.cursor.bump(),
                Some(_) if self.cursor.position() >= self.until => return Ok(None),
                Some(first) => {
                    self.begin(self.rows, self.cursor.position());
                    return Ok(Some(first));
                }
            }
        }
    }

    /// Goes over rows that are objects, each with a key of its own or without.
    fn objects(&mut self) -> Result<(), ReadError> {
        while let Some(first) = self.next()? {
            let start = self.cursor.position();
            let value = after_key(&mut self.cursor, Some(first))?;
            match value {
                Some(b'{') => {
                    self.object()?;
                }
                Some(b'[') => drop(self.cursor.skip_value(b'[')?),
                plain => {
                    if plain.is_none() {
                        self.cursor.seek(start)?;
                    }
                    let mut bare = std::mem::take(&mut self.bare);
                    self.scalar(&mut bare, plain.unwrap_or(first))?;
                    self.bare = bare;
                }
            }
        }
        Ok(())
    }

    /// Steps over the object at the cursor, which is a row; whether it was whole.
    fn object(&mut self) -> Result<bool, ReadError> {
        self.cursor.bump();
        let mut columns = std::mem::take(&mut self.columns);
        let done = self.members(&mut columns, 0);
        self.columns = columns;
        done
    }

    /// Steps over the members of an object, after its bracket, and counts those without long names; whether it was whole.
    #[inline(never)]
    fn members(&mut self, fields: &mut Fields, level: usize) -> Result<bool, ReadError> {
        fields.next = 0;
        fields.objects += 1;
        let object = fields.objects;
        let mut from = self.cursor.position();
        loop {
            // Most rows are like the one before.
            if let Some(field) = fields.list.get_mut(fields.next)
                && let Some([value, ..]) = self.cursor.rest().strip_prefix(&field.lead[..])
                && !field.lead.is_empty()
                && !is_between(*value)
            {
                let value = *value;
                fields.next += 1;
                self.cursor.skip(field.lead.len());
                self.value(field, (object, level), value)?;
                from = self.cursor.position();
                continue;
            }
            let Some(token) = self.cursor.peek_token()? else { return Ok(false) };
            match token {
                b'}' | b']' => {
                    self.cursor.bump();
                    let place = (self.number, self.start, self.start);
                    let lacking = fields.list.iter_mut().take(LACKING);
                    for field in lacking.filter(|field| field.last != object) {
                        field.lack.get_or_insert(place);
                    }
                    return Ok(true);
                }
                b',' | b':' => {
                    self.cursor.bump();
                    continue;
                }
                b'"' => {}
                _ => {
                    self.cursor.skip_value(token)?;
                    continue;
                }
            }
            let start = self.cursor.position();
            self.cursor.skip_string()?;
            let end = self.cursor.position();
            if self.cursor.peek_token()? != Some(b':') {
                continue;
            }
            self.cursor.bump();
            let Some(value) = self.cursor.peek_token()? else { return Ok(false) };
            if is_between(value) {
                continue;
            }
            let is_long = end - start > 2 * OUTLINE_LINE_CHARS as u64;
            let field = match is_long {
                true => None,
                false => fields
                    .find(&self.cursor.text(start + 1, end - 1)?, &mut self.left[level.min(1)]),
            };
            match field {
                Some(field) => {
                    field.lead.clear();
                    let lead = self.cursor.text(from, self.cursor.position())?;
                    field.lead.extend(lead.iter().filter(|_| lead.len() < LEAD_BYTES));
                    self.value(field, (object, level), value)?;
                }
                None => drop(self.cursor.skip_value(value)?),
            }
            from = self.cursor.position();
        }
    }

    /// Steps over a value and counts it, and what stands in it; of an array its objects.
    fn value(
        &mut self,
        field: &mut Field,
        (object, level): (u64, usize),
        value: u8,
    ) -> Result<(), ReadError> {
        let start = self.cursor.position();
        let place = (self.number, self.start, start);
        if field.rows == 0 {
            field.first = place;
        }
        field.rows += u64::from(field.last != object);
        field.last = object;
        if level == 0 && self.told.is_none() {
            let noun = match value {
                b't' | b'f' => "boolean",
                b'n' => "null",
                _ => Shape::of(value).noun(),
            };
            if !field.shapes.contains(&noun) {
                field.shapes.push(noun);
            }
        }
        let mut kind = 0;
        if matches!(value, b'{' | b'[') {
            self.cursor.bump();
            kind = 1 + usize::from(matches!(self.cursor.peek_token()?, Some(b'}' | b']')));
            self.cursor.seek(start)?;
        }
        let (times, first) = &mut field.kinds[kind];
        if *times == 0 {
            *first = place;
        }
        *times += 1;
        match value {
            b'{' | b'[' if level >= INNER => drop(self.cursor.skip_value(value)?),
            b'{' => {
                self.cursor.bump();
                self.members(&mut field.inner, level + 1)?;
            }
            b'[' => self.items(&mut |walk, _, first| match first {
                b'{' => {
                    walk.cursor.bump();
                    walk.members(&mut field.inner, level + 1).map(drop)
                }
                b'[' => walk.pair(&mut field.inner.list),
                _ => walk.cursor.skip_value(first).map(drop),
            })?,
            _ => self.scalar(&mut field.values, value)?,
        }
        // A short list of plain values is one.
        let end = self.cursor.position();
        if value == b'[' {
            let is_short = end - start <= LIST_BYTES;
            let text = self.cursor.text(start, if is_short { end } else { start })?;
            if is_short && !text.contains(&b'{') {
                self.count(&mut field.values, start);
                field.values.push_as(&text, false);
            } else {
                field.values.has_others = true;
            }
        }
        Ok(())
    }

    /// Steps over an array within one, as those of a series of times and values, and counts its first cells.
    fn pair(&mut self, cells: &mut Vec<Field>) -> Result<(), ReadError> {
        if cells.is_empty() {
            cells.resize_with(PAIR, Field::default);
        }
        self.items(&mut |walk, place, first| match cells.get_mut(place) {
            Some(cell) if cell.key.is_empty() && !matches!(first, b'{' | b'[') => {
                walk.scalar(&mut cell.values, first)
            }
            _ => walk.cursor.skip_value(first).map(drop),
        })
    }

    /// Steps over the items of the array at the cursor by `take`, which gets their places and first bytes.
    #[inline(never)]
    fn items(&mut self, take: &mut TakeItem<'_, 's>) -> Result<(), ReadError> {
        self.cursor.bump();
        for place in 0.. {
            while let Some(b',' | b':') = self.cursor.peek_token()? {
                self.cursor.bump();
            }
            match self.cursor.peek_token()? {
                None => break,
                Some(b']' | b'}') => {
                    self.cursor.bump();
                    break;
                }
                Some(first) => take(self, place, first)?,
            }
        }
        Ok(())
    }

    /// Steps over a value that is no object and no array, and counts it.
    #[inline(never)]
    fn scalar(&mut self, values: &mut Values, value: u8) -> Result<(), ReadError> {
        let known = values.again_at(self.cursor.rest());
        if known > 0 {
            self.cursor.skip(known);
            return Ok(());
        }
        let start = self.cursor.position();
        self.count(values, start);
        // `NaN` and `-Infinity`, which some write.
        let digit = if value == b'-' { self.cursor.rest().get(1).copied() } else { Some(value) };
        let is_finite = digit.is_some_and(|digit| digit.is_ascii_digit());
        self.cursor.skip_value(value)?;
        let is_formed = value == b'"' && values.has_form();
        if values.is_done() && value != b'n' && !is_formed {
            values.tally(is_finite);
            return Ok(());
        }
        let shown = self.cursor.text(start, self.cursor.position().min(start + 64))?;
        match shown.strip_prefix(b"\"") {
            None => values.push_as(&shown, is_finite),
            // An empty text is not nothing.
            Some(b"\"") => values.push_as(b"\"\"", false),
            Some(text) => {
                let text = text.strip_suffix(b"\"").unwrap_or(text);
                match text.contains(&b'\\') {
                    true => values.push_text(decoded(text).as_bytes()),
                    // What would be read as another value.
                    false if matches!(text, b"true" | b"false" | b"null") || is_number(text) => {
                        values.push_as(&shown, false);
                    }
                    false => values.push_text(text),
                }
            }
        }
        values.written(&shown);
        Ok(())
    }

    /// The next value of a field stands at this place of the row.
    fn count(&self, values: &mut Values, at: u64) {
        values.place = (self.number, self.start, at);
        values.is_brief = self.told.is_some();
    }

    /// The row has nothing in a field.
    fn nothing(&self, values: &mut Values) {
        self.count(values, self.start);
        values.push_as(b"", false);
    }

    /// What the rows so far have.
    #[inline(never)]
    fn tell(&mut self) -> Vec<Told> {
        let list = &mut self.columns.list;
        // Names stand above numbers; where all are texts, the first row is one like the others.
        if !list.iter().any(|key| key.values.is_numeric()) {
            for (text, key) in std::mem::take(&mut self.header).iter().zip(&mut *list) {
                key.values.place = Place::default();
                key.values.push_text(text.as_bytes());
            }
        }
        let told = list.iter().map(|key| {
            let mut types = key.shapes.join(" or ");
            if key.rows < self.rows {
                types.push_str(&format!(" (in {} of them)", thousands(key.rows)));
            }
            // Of cells it is all that is told.
            let words = match key.shapes.is_empty() {
                true => key.values.words(),
                // What is said of some is not of all.
                false if key.shapes.contains(&Shape::Object.noun()) => String::new(),
                false => key.values.notable().unwrap_or_default(),
            };
            (decoded(&key.key), types, words)
        });
        told.collect()
    }

    /// What was found.
    fn keys(&mut self) -> Keys {
        let (keys, told) = match self.told.take() {
            Some(told) => told,
            None => (self.tell(), self.rows),
        };
        let columns = &self.columns;
        let mut rare: Vec<Place> = Vec::new();
        let bare = self.bare.rare().into_iter().chain(self.bare.few(columns.objects));
        for place in columns.rare().into_iter().chain(bare) {
            let before = rare.iter().take_while(|(known, ..)| *known < place.0).count();
            if rare.len() < RARE_ROWS
                && rare.get(before).is_none_or(|(known, ..)| *known != place.0)
            {
                rare.insert(before, place);
            }
        }
        let mut choice = Choice::default();
        for ((name, ..), field) in keys.iter().zip(&columns.list) {
            choice.named(name, &field.values);
        }
        Keys { rows: told, rare, keys, query: choice.query() }
    }
}

/// Takes an item of an array: its place, and its first byte, before which the cursor stands.
type TakeItem<'t, 's> = dyn FnMut(&mut Walk<'s>, usize, u8) -> Result<(), ReadError> + 't;

/// The keys of the JSON objects that follow each other from `start` on, each with a key of its own or without, until a
/// bracket closes.
fn keys(source: &dyn Source, start: u64, bytes: u64) -> Result<Keys, ReadError> {
    let mut walk = Walk::new(source, start, bytes);
    walk.objects()?;
    Ok(walk.keys())
}

/// Arrays that are gone over while a tree is read.
const PASSED: usize = 8;

/// What goes over arrays of objects while a tree is read, each by the number of its node.
pub(super) struct Passed<'s> {
    pub(super) source: &'s dyn Source,
    pub(super) walks: Vec<(usize, Walk<'s>)>,
}

impl<'s> Passed<'s> {
    /// Steps over the object at the cursor, a row of the array `node`; whether it was whole.
    pub(super) fn row(
        &mut self,
        at: usize,
        node: &Node,
        cursor: &mut Cursor<'s>,
    ) -> Result<Option<bool>, ReadError> {
        if self.walks.iter().all(|(known, _)| *known != at) {
            if self.walks.len() == PASSED {
                return Ok(None);
            }
            // Those before were kept.
            let mut walk = Walk::new(self.source, node.range.0 + 1, SCHEMA_BYTES);
            walk.until = cursor.position();
            walk.objects()?;
            self.walks.push((at, walk));
        }
        let walk = self.walks.iter_mut().find(|(known, _)| *known == at);
        let Some((_, walk)) = walk else { return Ok(None) };
        std::mem::swap(cursor, &mut walk.cursor);
        walk.begin(walk.rows, walk.cursor.position());
        let whole = walk.object();
        std::mem::swap(cursor, &mut walk.cursor);
        whole.map(Some)
    }

    /// What the objects of an array have, which were gone over or are now: at most so many bytes of them are told.
    pub(super) fn keys(&mut self, at: usize, node: &Node, bytes: u64) -> Result<Keys, ReadError> {
        match self.walks.iter().position(|(known, _)| *known == at) {
            Some(place) => Ok(self.walks[place].1.keys()),
            None => keys(self.source, node.range.0 + 1, bytes),
        }
    }
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

/// The same of JSON arrays, whose cells are told by the names of their columns, if these are as many, by which a query
/// knows them as well; else by what a first row of texts says, or by their place.
pub(super) fn cells(
    source: &dyn Source,
    start: u64,
    names: Vec<String>,
) -> Result<Keys, ReadError> {
    let mut walk = Walk::new(source, start, SCHEMA_BYTES);
    while let Some(first) = walk.next()? {
        if walk.rows == 1 {
            let from = walk.cursor.position();
            walk.cursor.skip_value(first)?;
            let to = walk.cursor.position();
            let row = source.read_range(from, to.min(from + ROW_MAX_BYTES as u64))?;
            let row = match serde_json::from_slice(&row) {
                Ok(Value::Array(row)) => row,
                _ => Vec::new(),
            };
            walk.columns.list.resize_with(row.len().min(SCHEMA_KEYS), Field::default);
            let texts = row.iter().map(|cell| cell.as_str().map(str::to_owned));
            let texts = texts.collect::<Option<Vec<_>>>().unwrap_or_default();
            if names.is_empty() && !texts.is_empty() {
                walk.header = texts;
                continue;
            }
            walk.cursor.seek(from)?;
        }
        let mut columns = std::mem::take(&mut walk.columns);
        let mut cells = 0;
        walk.items(&mut |walk, place, first| {
            cells = place + 1;
            match columns.list.get_mut(place) {
                Some(column) if !matches!(first, b'{' | b'[' | b'n') => {
                    return walk.scalar(&mut column.values, first);
                }
                Some(column) if first == b'n' => walk.nothing(&mut column.values),
                _ => {}
            }
            walk.cursor.skip_value(first).map(drop)
        })?;
        for column in columns.list.iter_mut().skip(cells) {
            walk.nothing(&mut column.values);
        }
        walk.columns = columns;
    }
    let mut keys = walk.keys();
    let list = &walk.columns.list;
    let is_named = names.len() == list.len() && !names.is_empty();
    let mut choice = Choice::default();
    for (at, column) in list.iter().enumerate() {
        match is_named {
            true => choice.named(&names[at], &column.values),
            false => choice.add(format!(".[{at}]"), &column.values),
        }
    }
    keys.query = choice.query();
    for (at, (name, types, words)) in keys.keys.iter_mut().enumerate() {
        *name = match (is_named, walk.header.get(at)) {
            (true, _) => names[at].clone(),
            (false, Some(name)) => format!(".[{at}] ({name})"),
            (false, None) => format!(".[{at}]"),
        };
        *types = std::mem::take(words);
    }
    Ok(keys)
}

pub(super) fn json_lines(source: &dyn Source) -> Result<Outline, ReadError> {
    let start = if source.read_range(0, 3)? == b"\xef\xbb\xbf" { 3 } else { 0 };
    let mut walk = Walk::new(source, start, SCHEMA_BYTES);
    let (mut filled, mut objects, mut arrays, mut values) = (0u64, 0u64, 0u64, 0u64);
    let mut odd = Vec::new();
    let (mut window, mut at, mut number) = (Window::new(source), start, 0u64);
    while let Some((length, bytes)) = window.line(at, ROW_MAX_BYTES)? {
        number += 1;
        let line = &window.load(at, length.min(ROW_MAX_BYTES))?[..length.min(ROW_MAX_BYTES)];
        let line = line.trim_ascii();
        if let Some(first) = line.first() {
            filled += 1;
            // What is too long to be read is taken for what it begins as.
            let is_json = length > ROW_MAX_BYTES || check(line) == Verdict::Whole(line.len());
            walk.begin(number, at);
            if is_json && *first == b'{' {
                walk.cursor.seek(at)?;
                walk.cursor.peek_token()?;
                walk.object()?;
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
    let Keys { rows, rare, keys, query } = walk.keys();
    odd.extend(rare.iter().map(|&(number, start, at)| {
        let hit = Hit::rare(number, start);
        // What stands far from the start of its line is what is shown.
        let at = if at - hit.line_start > NEAR_BYTES { at } else { hit.line_start };
        Hit { word_start: at, word_end: at, ..hit }
    }));
    let scope =
        if rows < filled { format!("the first {}", thousands(rows)) } else { "all".to_owned() };
    let mut list = List::new(&format!("keys in {scope} rows"));
    for (name, types, words) in keys {
        let words = if words.is_empty() { words } else { format!("; {words}") };
        list.push(|| one_line(&format!("{name}: {types}{words}"), OUTLINE_LINE_CHARS));
    }
    Ok(Outline { detail, list, odd, query: Some(query), ..Outline::default() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::content::json::{Tree, TreeLimits};

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
    fn a_row_of_a_rare_value_or_key_is_odd() {
        let state = |n: u64| if n == 211 { "failed" } else { "ok" };
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
    fn what_is_rare_is_seen_in_all_rows_and_the_first_are_told() {
        let row = |n: u64| match n {
            4_800 => {
                format!("{{\"id\":{n},\"ok\":true,\"of\":{{\"state\":\"done\"}},\"why\":\"x\"}}")
            }
            5_200 => format!("{{\"ok\":false,\"id\":{n},\"of\":{{\"state\":\"done\"}}}}"),
            5_500 => r#"{"id":null,"ok":true,"of":{"state":"done"}}"#.to_owned(),
            5_900 => format!("{{\"id\":{n},\"ok\":true,\"of\":{{\"state\":\"lost\"}}}}"),
            n => format!("{{\"id\":{n},\"ok\":true,\"of\":{{\"state\":\"done\"}}}}"),
        };
        let rows: Vec<String> = (0..6_000).map(row).collect();
        let odd = [4_800, 5_200, 5_500, 5_900];
        for array in [rows.join(","), rows.join(" ,\n  ")] {
            let text = format!("[{array}]");
            let found = keys(&text.as_bytes(), 1, SCHEMA_BYTES).unwrap();
            assert_eq!(found.rare.iter().map(|place| place.0).collect::<Vec<_>>(), odd);
            assert_eq!(found.rows, SCHEMA_ROWS);
            let told = found.keys.iter().map(|(name, types, _)| format!("{name}: {types}"));
            assert_eq!(told.collect::<Vec<_>>(), ["id: number", "ok: boolean", "of: object"]);
            // The question goes to what is rare, wherever that is.
            assert_eq!(found.query.program, ".id");
            for (_, start, at) in found.rare {
                assert!(text[start as usize..].starts_with('{') && start < at);
            }
        }
        let lines = json_lines(&rows.join("\n").as_bytes()).unwrap();
        assert_eq!(lines.odd.iter().map(|hit| hit.line - 1).collect::<Vec<_>>(), odd);
        assert_eq!(lines.list.lines[1], "ok: boolean; 1 distinct: true 1,000");
        let map: Vec<String> =
            rows.iter().enumerate().map(|(n, row)| format!("\"k{n}\":{row}")).collect();
        let map = format!("{{{}}}", map.join(","));
        let found = keys(&map.as_bytes(), 1, SCHEMA_BYTES).unwrap();
        assert_eq!(found.rare.iter().map(|place| place.0).collect::<Vec<_>>(), odd);
        let cells_of =
            |n: u64| if n == 3_000 { format!("[{n},\"down\"]") } else { format!("[{n},\"up\"]") };
        let text = format!("[{}]", (0..4_000).map(cells_of).collect::<Vec<_>>().join(","));
        let found = cells(&text.as_bytes(), 1, Vec::new()).unwrap();
        assert_eq!(found.rare.iter().map(|place| place.0).collect::<Vec<_>>(), [3_000]);
    }

    #[test]
    fn lists_that_are_too_long_to_be_told_are_not_left_out_of_a_count() {
        let row = |n: usize| {
            let long = format!("\"k{n}{}\"", "y".repeat(50));
            format!(
                "{{\"id\":{n},\"t\":[{}]}}\n",
                if n.is_multiple_of(4) { &long } else { "\"a\"" }
            )
        };
        let told = |rows: String| json_lines(&rows.as_bytes()).unwrap().list.lines[1].clone();
        assert_eq!(told((0..300).map(row).collect()), "t: array");
        assert_eq!(told(row(1).repeat(9)), "t: array; 1 distinct: [\"a\"] 9");
    }

    #[test]
    fn a_kind_that_hardly_any_other_has_is_rare() {
        let usual = r#"{"id":1,"of":{"why":"x"},"list":[],"act":["no-op"],"deep":{"er":{"a":1}}}"#;
        for odd in [
            // A key is missing, or is there, or deep within.
            r#"{"id":1,"list":[],"act":["no-op"],"deep":{"er":{"a":1}}}"#,
            r#"{"id":1,"of":{"why":"x"},"list":[],"act":["no-op"],"deep":{"er":{"a":1}},"new":1}"#,
            r#"{"id":1,"of":{"why":"x"},"list":[],"act":["no-op"],"deep":{"er":{"a":1,"b":1}}}"#,
            r#"{"id":1,"of":{"why":"x"},"list":[],"act":["no-op"],"deep":{"er":{}}}"#,
            // What is there is of another kind.
            r#"{"id":1,"of":null,"list":[],"act":["no-op"],"deep":{"er":{"a":1}}}"#,
            r#"{"id":{},"of":{"why":"x"},"list":[],"act":["no-op"],"deep":{"er":{"a":1}}}"#,
            r#"{"id":1,"of":{"why":"x"},"list":[{"code":1}],"act":["no-op"],"deep":{"er":{"a":1}}}"#,
            r#"{"id":1,"of":{"why":"x"},"list":[],"act":["delete","create"],"deep":{"er":{"a":1}}}"#,
            "null",
            "\"gone\"",
        ] {
            for at in [40, 2_500] {
                let mut rows = vec![usual; 3_000];
                rows[at] = odd;
                let text = format!("[{}]", rows.join(","));
                let found = keys(&text.as_bytes(), 1, SCHEMA_BYTES).unwrap();
                let places: Vec<u64> = found.rare.iter().map(|place| place.0).collect();
                assert_eq!(places, [at as u64], "{odd}");
            }
        }
        let text = format!("[{}]", vec![usual; 3_000].join(","));
        assert!(keys(&text.as_bytes(), 1, SCHEMA_BYTES).unwrap().rare.is_empty());
        // Keys that come and go are no sign.
        let some = |n: u64| format!(r#"{{"id":{n},"k{}":1}}"#, n % 30);
        let text = format!("[{}]", (0..3_000).map(some).collect::<Vec<_>>().join(","));
        assert!(keys(&text.as_bytes(), 1, SCHEMA_BYTES).unwrap().rare.is_empty());
    }

    #[test]
    fn a_key_that_comes_twice_in_a_row_is_in_one_row() {
        let rows = "{\"a\":1,\"a\":2},".repeat(30);
        let found = keys(&format!("[{rows}{{\"b\":1}}]").as_bytes(), 1, SCHEMA_BYTES).unwrap();
        assert_eq!(found.keys[0].1, "number (in 30 of them)");
    }

    proptest! {
        #[test]
        fn a_tree_is_the_same_whoever_steps_over_its_rows(
            text in "\\[\\{\"a\":([\\[\\]{}\":,a1\\\\ \n]{0,9}(\\},\\{\"a\":1)?){0,12}",
            head_items in 0usize..3,
        ) {
            let source = text.as_bytes();
            let limits = TreeLimits { head_items, tail_items: 2, nodes: 400 };
            let plain = Tree::read(&source, 0, limits).unwrap();
            let mut passed = Passed { source: &source, walks: Vec::new() };
            let mut pass = |at, node: &Node, cursor: &mut _| passed.row(at, node, cursor);
            let tree = Tree::read_with(&source, 0, limits, &mut pass).unwrap();
            prop_assert_eq!(format!("{tree:?}"), format!("{plain:?}"));
            for (at, mut walk) in std::mem::take(&mut passed.walks) {
                let start = tree.nodes[at].range.0 + 1;
                let (left, right) = (walk.keys(), keys(&source, start, SCHEMA_BYTES).unwrap());
                if tree.nodes[at].all == Some(Shape::Object) {
                    prop_assert_eq!(left.rows, right.rows);
                    let names = |keys: Keys| keys.keys.into_iter().map(|(name, types, _)| (name, types)).collect::<Vec<_>>();
                    prop_assert_eq!(names(left), names(right));
                }
            }
        }
    }
}
