//! The outline of rows: every path that is in them, with how often it is there and what stands at it.
//!
//! ```text
//! row ─► its values, in one pass over its bytes ─► the path of each ─► its counts
//! ```
//!
//! A row that is out of the ordinary is read and written anew first: then each name is there once.

use std::borrow::Cow;
use std::cmp::Ordering;

use serde::{Deserialize, Serialize};
use serde_json::json;

use super::{OutlineAnswer, OutlineEntry, OutlineRequest};
use crate::content::json::step;
use crate::content::kind::Kind;
use crate::content::numbers::{counted, float, in_order, thousands};
use crate::fetch::error::FetchError;
use crate::fetch::query::place::Place;
use crate::fetch::query::read::read;
use crate::fetch::query::rows::Rows;
use crate::fetch::query::scan::{MAX_VALUES, Odd, Visitor, walk};
use crate::fetch::query::seek::arrays;
use crate::fetch::query::value;
use crate::fetch::view::View;
use crate::handle::Ids;
use crate::sort::{sort, sort_by_key};
use crate::source::Source;

/// Paths that are told apart, levels that are looked into, and keys from which on an object is a
/// map whose members are alike.
const MAX_PATHS: usize = 400;
const MAX_LEVELS: usize = 8;
const MAP_KEYS: usize = 64;

/// Columns of a table that are told apart: its header says that they are no map.
const COLUMNS: usize = 380;

/// Different values of a path that are counted each, how many of them are shown where there are more, and bytes of
/// one.
const MAX_VALUES_EACH: usize = 12;
const SOME_VALUES: usize = 3;
const VALUE_BYTES: usize = 40;

/// Characters of a key.
const KEY_CHARS: usize = 200;

/// Bytes of a number that are told apart, and whole numbers below which sums are exact.
const NUMBER_BYTES: usize = 400;
const EXACT: f64 = 9_007_199_254_740_992.0;

/// What is known of the values at one path.
#[derive(Debug, Default, Serialize, Deserialize)]
struct PathStat {
    /// Which path has what these are in: an earlier one, or of the row itself its own.
    parent: usize,
    /// The name there; none for items, and for members of maps.
    name: Option<String>,
    count: u64,
    /// Null, booleans, numbers, strings, arrays, objects.
    types: [u64; 6],
    /// As they are written: a number that is read may have lost digits.
    least: Option<String>,
    greatest: Option<String>,
    #[serde(with = "bits")]
    sum: f64,
    /// Items of arrays, at most.
    longest: u64,
    values: Vec<(String, u64)>,
    /// Whether there are more values than are counted.
    many: bool,
    /// Whether one of its objects is a map whose members are alike.
    map: bool,
    /// Values in it that there was no room for.
    lost: u64,
    /// The paths in this one.
    #[serde(skip)]
    inner: Vec<usize>,
}

/// A float between two calls. As a number of JSON it may be another one by then, and infinity is none.
mod bits {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(float: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u64(float.to_bits())
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        u64::deserialize(deserializer).map(f64::from_bits)
    }
}

/// The sums of all rows so far.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Sums {
    rows: u64,
    failed: u64,
    /// In the order in which they were met: the row itself, then what holds before what is in it.
    paths: Vec<PathStat>,
    /// Values at paths that there was no room for.
    left_out: u64,
    /// Whether there is room for no more paths, and whether some was wanted in vain: what is counted at a path is
    /// counted from its first value on.
    full: bool,
    #[serde(skip)]
    wants: bool,
    /// Keys from which on a row is a map; 0 for as many as in other objects.
    #[serde(skip)]
    columns: usize,
    /// The values of the row at hand, kept for their room.
    #[serde(skip)]
    values: Vec<Value>,
}

/// A value of a row.
#[derive(Debug, Clone, Copy, Default)]
struct Value {
    /// Which value it is in.
    parent: usize,
    level: usize,
    /// Where its name stands, within the quotes.
    name: (usize, usize),
    is_escaped: bool,
    at: (usize, usize),
    /// How many it holds itself.
    members: usize,
    /// Its path, when that is one which is told apart.
    path: Option<usize>,
    /// Where, among the paths in its own, that of its next member is looked for first.
    next: usize,
    /// Whether a name may be there twice.
    is_mixed: bool,
}

/// What is too deep in a row.
const DEEP: usize = usize::MAX;

/// The values of a row, each after the one that it is in.
struct Values<'t> {
    text: &'t [u8],
    /// As in [`Sums`].
    columns: usize,
    all: Vec<Value>,
    /// Whether no name is there twice.
    is_sure: bool,
}

impl Values<'_> {
    fn push(&mut self, parent: usize, name: (usize, usize), is_escaped: bool) -> usize {
        let Some(outer) = self.all.get_mut(parent) else { return DEEP };
        outer.members += 1;
        let level = outer.level + 1;
        // Of what is not looked into it is told how many it holds.
        if level > MAX_LEVELS + 1 {
            return DEEP;
        }
        self.all.push(Value { parent, level, name, is_escaped, ..Value::default() });
        self.all.len() - 1
    }

    fn first(&self, value: &Value) -> u8 {
        self.text.get(value.at.0).copied().unwrap_or_default()
    }

    /// The name of a value as it is written; nothing where its like has none.
    fn name(&self, value: &Value) -> Option<&[u8]> {
        let outer = self.all.get(value.parent)?;
        let is_named = self.first(outer) == b'{' && !is_map(outer, self.columns);
        is_named.then(|| &self.text[value.name.0..value.name.1])
    }

    /// Whether a value is at a path that there was no room for.
    fn is_left_out(&self, value: &Value) -> bool {
        value.path.is_none() && value.level <= MAX_LEVELS && self.all[value.parent].path.is_some()
    }

    /// Whether an object has two members of one name.
    fn is_twice(&self, object: usize) -> bool {
        let inside = self.all[object + 1..].iter().take_while(|value| value.parent >= object);
        let members = inside.filter(|value| value.parent == object);
        let mut names: Vec<&[u8]> =
            members.map(|value| &self.text[value.name.0..value.name.1]).collect();
        sort(&mut names);
        names.windows(2).any(|two| two[0] == two[1])
    }
}

impl Visitor for Values<'_> {
    type Place = usize;

    #[inline]
    fn member(&mut self, parent: usize, name: (usize, usize), escaped: bool) -> Result<usize, Odd> {
        match escaped && !self.is_sure {
            true => Err(Odd),
            false => Ok(self.push(parent, name, escaped)),
        }
    }

    #[inline]
    fn item(&mut self, parent: usize) -> Result<usize, Odd> {
        Ok(self.push(parent, (0, 0), false))
    }

    #[inline]
    fn begin(&mut self, _: usize, _: u8) -> Result<(), Odd> {
        Ok(())
    }

    #[inline]
    fn end(&mut self, place: usize, at: (usize, usize)) {
        if let Some(value) = self.all.get_mut(place) {
            value.at = at;
        }
    }
}

const TYPES: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

impl Sums {
    /// Reads sums that were written; nothing when they are none.
    pub(super) fn load(text: &str) -> Option<Sums> {
        let mut sums: Sums = serde_json::from_str(text).ok()?;
        for at in 1..sums.paths.len() {
            let parent = sums.paths[at].parent;
            sums.paths[..at].get_mut(parent)?.inner.push(at);
        }
        sums.paths.first().is_none_or(|row| row.parent == 0).then_some(sums)
    }

    /// Adds a row: one JSON value.
    fn add(&mut self, text: &[u8], is_sure: bool) -> Result<(), Odd> {
        let (all, columns) = (std::mem::take(&mut self.values), self.columns);
        let mut values = Values { text, columns, all, is_sure };
        values.all.clear();
        values.all.push(Value::default());
        let most = if is_sure { usize::MAX } else { MAX_VALUES / 2 };
        let mut found = walk(text, most, 0, &mut values).and_then(|()| self.find(&mut values));
        while found.is_ok() && self.wants {
            self.make_room();
            found = self.find(&mut values);
        }
        if found.is_ok() {
            for value in &values.all {
                if let Some(stat) = value.path.and_then(|path| self.paths.get_mut(path)) {
                    stat.take(text, value, values.columns);
                } else if values.is_left_out(value) {
                    self.left_out += 1;
                    let outer = values.all[value.parent].path;
                    outer.into_iter().for_each(|path| self.paths[path].lost += 1);
                }
            }
        }
        self.values = values.all;
        found
    }

    /// Finds the path of each value.
    fn find(&mut self, values: &mut Values<'_>) -> Result<(), Odd> {
        if self.paths.is_empty() {
            self.paths.push(PathStat::default());
        }
        self.wants = false;
        values.all[0] = Value { path: Some(0), next: 0, is_mixed: false, ..values.all[0] };
        for at in 1..values.all.len() {
            let value = Value { next: 0, is_mixed: false, ..values.all[at] };
            values.all[at] = value;
            let outer = values.all[value.parent];
            let is_map = outer.path.is_some_and(|path| self.paths[path].map);
            let name = values.name(&value).filter(|_| !is_map);
            let is_alike = name.is_none();
            let found = match outer.path.filter(|_| value.level <= MAX_LEVELS) {
                Some(path) => self.place(path, outer.next, &value, name, values.text),
                None => None,
            };
            let place = found.unwrap_or(outer.next);
            values.all[at].path =
                found.and_then(|place| self.paths[outer.path?].inner.get(place).copied());
            let outer = &mut values.all[value.parent];
            // Members whose paths follow each other are all different.
            outer.is_mixed |= found.is_none() || place < outer.next || is_alike;
            outer.next = place + usize::from(!is_alike);
        }
        let is_mixed = |(at, value): (usize, &Value)| {
            value.is_mixed
                && values.first(value) == b'{'
                && value.members > 1
                && values.is_twice(at)
        };
        match !values.is_sure && values.all.iter().enumerate().any(is_mixed) {
            true => Err(Odd),
            false => Ok(()),
        }
    }

    /// Where, among the paths in one, that of a value is: `next` or later, or before it. It is added where there is
    /// room.
    #[inline]
    fn place(
        &mut self,
        path: usize,
        next: usize,
        value: &Value,
        name: Option<&[u8]>,
        text: &[u8],
    ) -> Option<usize> {
        let inner = &self.paths[path].inner;
        let known = |place: &usize, name: Option<&[u8]>| {
            let known = inner.get(*place).and_then(|at| self.paths.get(*at));
            known.is_some_and(|stat| stat.name.as_deref().map(str::as_bytes) == name)
        };
        let places = || (next..inner.len()).chain(0..next.min(inner.len()));
        if !value.is_escaped
            && let Some(place) = places().find(|place| known(place, name))
        {
            return Some(place);
        }
        let name = name.map(|_| key(text, value));
        let bytes = name.as_deref().map(str::as_bytes);
        if let Some(place) = places().find(|place| known(place, bytes)) {
            return Some(place);
        }
        self.new_inner(path, name.map(Cow::into_owned))
    }

    fn new_inner(&mut self, parent: usize, name: Option<String>) -> Option<usize> {
        if self.full || self.paths.len() >= MAX_PATHS {
            self.wants = !self.full;
            return None;
        }
        let at = self.paths.len();
        self.paths.push(PathStat { parent, name, ..PathStat::default() });
        let inner = &mut self.paths[parent].inner;
        inner.push(at);
        Some(inner.len() - 1)
    }

    /// Folds the objects that have many names in all rows together, before values are left out.
    fn make_room(&mut self) {
        let before = self.paths.len();
        for stat in &mut self.paths {
            stat.map |= stat.inner.len() > MAP_KEYS;
        }
        self.paths = self.folded().paths;
        self.full = self.paths.len() >= before;
        self.wants = false;
    }

    /// The same where members of objects that are maps in some rows count as those of maps in all: `[]` is each.
    fn folded(&self) -> Sums {
        let mut all = Sums::default();
        let mut places: Vec<usize> = Vec::new();
        for stat in &self.paths {
            let parent = places.get(stat.parent).copied();
            let at = match parent {
                None => {
                    all.paths.push(PathStat::default());
                    0
                }
                Some(parent) => {
                    let name = stat.name.clone().filter(|_| !all.paths[parent].map);
                    let inner = &all.paths[parent].inner;
                    let known = inner.iter().copied().find(|at| all.paths[*at].name == name);
                    known.unwrap_or_else(|| {
                        all.new_inner(parent, name);
                        all.paths.len() - 1
                    })
                }
            };
            all.paths[at].add(stat);
            places.push(at);
        }
        all
    }

    fn entries(&self, id: &Ids, pointer: &str, view: View) -> Vec<OutlineEntry> {
        let mut entries = Vec::new();
        // What each path is, and the program that reads it.
        let mut paths: Vec<(String, String)> = Vec::new();
        // Values that are missing from what is counted at each, as the members of a map that it is in are.
        let mut missing: Vec<u64> = Vec::new();
        for (at, stat) in self.paths.iter().enumerate() {
            let parent = &self.paths[stat.parent];
            let is_row = at == 0;
            let (mut path, mut program) = paths.get(stat.parent).cloned().unwrap_or_default();
            let is_items = is_row || stat.name.is_none();
            let step = match &stat.name {
                Some(name) => step(name),
                None if is_row => String::new(),
                None => "[]".to_owned(),
            };
            // Objects beside arrays have their members at paths of their own.
            if is_items && !is_row && parent.types[4] > 0 && parent.types[5] > 0 && !parent.map {
                program.push_str("|arrays|.");
            }
            path.push_str(&step);
            program.push_str(&step);
            // Not every value is of the kind that the step is for.
            let [null, _, _, _, array, object] = parent.types;
            let is_there = stat.parent == 0
                || parent.name.is_none()
                || self.paths[parent.parent].types[5] == parent.count;
            let fits = if is_items { array + object } else { null + object };
            if !is_row && (fits < parent.count || (is_items && !is_there)) {
                program.push('?');
            }
            paths.push((path.clone(), program.clone()));
            let in_parent = if parent.map && !is_row { parent.lost } else { 0 };
            missing.push(missing.get(stat.parent).unwrap_or(&0).max(&in_parent).to_owned());
            // What all rows are goes without saying where they have members.
            if stat.count == 0 || is_row && stat.types[4] + stat.types[5] == stat.count {
                continue;
            }
            if !program.starts_with('.') {
                program.insert(0, '.');
            }
            // What is inside containers is shown by their members.
            let scalar = stat.types[4] == 0 && stat.types[5] == 0;
            let label = match path.starts_with('.') && !program.contains("|arrays|") {
                true => path,
                false => program.clone(),
            };
            let is_stats = scalar && stat.many && stat.types[2] > 0;
            // What is no number has no sum.
            if is_stats && stat.types[1] + stat.types[3] > 0 {
                program.push_str("|numbers");
            }
            let mut call = json!({"id": id.to_string(), "query": program});
            if scalar && !stat.many {
                call["reduce"] = "distinct".into();
            } else if is_stats {
                call["reduce"] = "stats".into();
            } else {
                call["limit"] = 20.into();
            }
            if !pointer.is_empty() {
                call["path"] = pointer.into();
            }
            if view == View::Raw {
                call["view"] = "raw".into();
            }
            let of = (!is_items).then_some(parent.types[5]);
            let mut detail = stat.detail(of);
            if stat.lost > 0 {
                detail.push_str(&format!(", {} in it left out", counted(stat.lost, "value")));
            }
            if missing[at] > 0 {
                detail = format!("of a part, {} left out: {detail}", counted(missing[at], "value"));
            }
            entries.push(OutlineEntry { label, detail, call: Some(call.to_string()) });
        }
        entries
    }
}

/// The name of a value.
fn key<'t>(text: &'t [u8], value: &Value) -> Cow<'t, str> {
    let (from, to) = value.name;
    match std::str::from_utf8(&text[from..to]) {
        Ok(name) if !value.is_escaped && name.len() <= KEY_CHARS => Cow::Borrowed(name),
        _ => {
            let name = read(&text[from - 1..=to]).unwrap_or_default();
            Cow::Owned(value::clipped(&name, KEY_CHARS))
        }
    }
}

/// A string as it is shown; nothing where it is long.
fn short(text: &[u8]) -> Option<Cow<'_, str>> {
    // A byte takes six where it is escaped.
    if text.len() > 6 * VALUE_BYTES + 2 {
        return None;
    }
    let is_plain = !text.iter().any(|byte| matches!(byte, b'\\' | 0x7f));
    match std::str::from_utf8(text) {
        Ok(text) if is_plain => (text.len() <= VALUE_BYTES + 2).then_some(Cow::Borrowed(text)),
        _ => {
            let value = read(text).ok().filter(|value| value::bytes(value) <= VALUE_BYTES)?;
            let mut shown = String::new();
            value::write(&value, usize::MAX, &mut shown);
            Some(Cow::Owned(shown))
        }
    }
}

/// Whether an object has so many keys that they are no names.
fn is_map(object: &Value, columns: usize) -> bool {
    object.members > if object.level == 0 { columns.max(MAP_KEYS) } else { MAP_KEYS }
}

impl PathStat {
    /// Adds a value at this path.
    fn take(&mut self, text: &[u8], value: &Value, columns: usize) {
        let text = &text[value.at.0..value.at.1];
        let kind = match text.first() {
            Some(b'n') => 0,
            Some(b't' | b'f') => 1,
            Some(b'"') => 3,
            Some(b'[') => 4,
            Some(b'{') => 5,
            _ => 2,
        };
        self.count += 1;
        self.types[kind] += 1;
        self.longest = self.longest.max(value.members as u64);
        self.map |= kind == 5 && is_map(value, columns);
        if kind == 2 {
            self.spread(text);
        }
        // Of many values some are shown.
        if !matches!(kind, 1..=3) || self.many && self.values.len() >= SOME_VALUES {
            return;
        }
        match kind {
            3 => match short(text) {
                Some(shown) => self.note(&shown, 1),
                None => self.many = true,
            },
            _ => self.note(written(text), 1),
        }
    }

    fn note(&mut self, value: &str, count: u64) {
        match self.values.iter().position(|(known, _)| known == value) {
            Some(at) => self.values[at].1 += count,
            None if self.values.len() < MAX_VALUES_EACH => {
                self.values.push((value.to_owned(), count));
            }
            None => self.many = true,
        }
    }

    /// Adds a number.
    fn spread(&mut self, text: &[u8]) {
        let (number, size) = (written(text), size(text));
        self.sum += size;
        self.reach(number, size);
    }

    fn reach(&mut self, number: &str, size: f64) {
        // Two that are one number as they are read may differ as they are written.
        let order = |other: &str| match size.partial_cmp(&self::size(other.as_bytes())) {
            Some(Ordering::Equal) | None if number != other => {
                in_order(number.as_bytes(), other.as_bytes())
            }
            order => order.unwrap_or(Ordering::Equal),
        };
        if self.least.as_deref().is_none_or(|least| order(least).is_lt()) {
            self.least = Some(number.to_owned());
        }
        if self.greatest.as_deref().is_none_or(|greatest| order(greatest).is_gt()) {
            self.greatest = Some(number.to_owned());
        }
    }

    fn add(&mut self, other: &PathStat) {
        self.count += other.count;
        self.types.iter_mut().zip(other.types).for_each(|(sum, count)| *sum += count);
        for number in other.least.iter().chain(&other.greatest) {
            self.reach(number, size(number.as_bytes()));
        }
        self.sum += other.sum;
        self.longest = self.longest.max(other.longest);
        other.values.iter().for_each(|(value, count)| self.note(value, *count));
        self.many |= other.many;
        self.map |= other.map;
        self.lost += other.lost;
    }

    fn detail(&self, of: Option<u64>) -> String {
        let types: Vec<&str> = (0..6).filter(|&i| self.types[i] > 0).map(|i| TYPES[i]).collect();
        let mut out = types.join(" or ");
        match of {
            Some(of) if of > self.count => {
                out.push_str(&format!(", in {} of {}", thousands(self.count), thousands(of)))
            }
            _ => out.push_str(&format!(", {}", thousands(self.count))),
        }
        if self.types[0] > 0 && types.len() > 1 {
            out.push_str(&format!(", {} null", thousands(self.types[0])));
        }
        if self.longest > 0 {
            out.push_str(&format!(", of up to {}", thousands(self.longest)));
        }
        if !self.many && !self.values.is_empty() {
            let mut values: Vec<&(String, u64)> = self.values.iter().collect();
            sort_by_key(&mut values, |(_, count)| u64::MAX - count);
            let listed: Vec<String> = values
                .iter()
                .map(|(value, count)| match count {
                    1 => value.clone(),
                    count => format!("{value} {}x", thousands(*count)),
                })
                .collect();
            out.push_str(&format!("; {} distinct: {}", values.len(), listed.join(", ")));
        } else if let (Some(least), Some(greatest)) = (&self.least, &self.greatest) {
            out.push_str(&format!("; from {least} to {greatest}"));
            // A sum of more digits than it can hold is not shown.
            let size = |text: &str| size(text.as_bytes()).abs();
            let numbers = self.types[2].max(1) as f64;
            if size(least).max(size(greatest)) * numbers < EXACT {
                let mean = self.sum / numbers;
                out.push_str(&format!(", mean {}", value::float_text(mean)));
            }
        } else if self.many {
            let some: Vec<&str> =
                self.values.iter().take(SOME_VALUES).map(|(v, _)| v.as_str()).collect();
            let some =
                if some.is_empty() { String::new() } else { format!(": {}, …", some.join(", ")) };
            out.push_str(&format!("; many values{some}"));
        }
        out
    }
}

/// A number as it is told.
fn written(text: &[u8]) -> &str {
    let text = std::str::from_utf8(&text[..text.len().min(NUMBER_BYTES)]).unwrap_or_default();
    if text == "-0" { "0" } else { text }
}

fn size(text: &[u8]) -> f64 {
    let read = || std::str::from_utf8(text).ok()?.parse().ok();
    float(text).or_else(read).unwrap_or(f64::INFINITY)
}

pub(super) fn by_rows(
    source: &dyn Source,
    kind: Kind,
    is_yaml: bool,
    request: &OutlineRequest,
    resumed: Option<(Place, Sums)>,
    call_bytes: u64,
) -> Result<OutlineAnswer, FetchError> {
    let (from, mut sums) = match resumed {
        Some((place, sums)) => (Some(place), sums),
        None => (None, Sums::default()),
    };
    sums.columns = if matches!(kind, Kind::Csv | Kind::Tsv) { COLUMNS } else { 0 };
    let path = request.path.as_deref();
    let mut rows = Rows::open(source, kind, path, false, from)?;
    rows.is_yaml = is_yaml;
    let mut left = call_bytes.saturating_sub(rows.looked_at / 16);
    let mut done = true;
    let mut written = String::new();
    loop {
        let (bytes, value) = if rows.are_raw() {
            let Some(raw) = rows.next_raw()? else { break };
            let is_added = match rows.text(&raw)? {
                Some(text) => sums.add(text, false).is_ok(),
                None => false,
            };
            let bytes = raw.bytes;
            (bytes, if is_added { None } else { Some(rows.read(raw)?.value) })
        } else {
            let Some(row) = rows.next()? else { break };
            (row.bytes, Some(row.value))
        };
        sums.rows += 1;
        let is_read = value.is_none_or(|value| {
            let Ok(value) = value else { return false };
            written.clear();
            value::write(&value, usize::MAX, &mut written);
            drop(value);
            sums.add(written.as_bytes(), true).is_ok()
        });
        sums.failed += u64::from(!is_read);
        left = left.saturating_sub(bytes + 64);
        if left == 0 {
            done = rows.at_end()?;
            break;
        }
    }
    let mut about = format!("{}: {}", rows.words(), counted(sums.rows, "row"));
    if sums.failed > 0 {
        about.push_str(&format!(", {} of them not readable", thousands(sums.failed)));
    }
    if sums.left_out > 0 {
        about.push_str(&format!(", {} values at more paths left out", thousands(sums.left_out)));
    }
    // What was folded may be a map by another of its parts.
    let folded = sums.folded().folded();
    let mut entries = folded.entries(&request.id, rows.pointer.as_str(), request.view);
    if done && kind == Kind::Json && path.is_none() {
        let others = arrays(source)?;
        if !others.is_empty() && !rows.pointer.is_empty() {
            entries.insert(
                0,
                OutlineEntry {
                    label: "containers near the root, for path".to_owned(),
                    detail: others,
                    call: None,
                },
            );
        }
    }
    let state = Some((rows.place(), serde_json::to_string(&sums).unwrap_or_default()));
    Ok(OutlineAnswer { about, entries, complete: done, state, ..OutlineAnswer::default() })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn json() -> impl Strategy<Value = String> {
        let scalar = prop_oneof![
            Just("null".to_owned()),
            Just("true".to_owned()),
            "-?(0|[1-9][0-9]{0,20})(\\.[0-9]{1,3})?(e[0-9]{1,2})?",
            "\"[a-zé ]{0,50}\"",
            "\"(a|\\\\n|\\\\u00e9|\\\\\"|\u{7f}){0,9}\"",
        ];
        scalar.prop_recursive(12, 300, 90, |inner| {
            let name = "\"[ab]{0,2}(\\\\u0061)?\"|\"c{199,203}\"|\"[a-z]{2}\"";
            let member = (name, inner.clone()).prop_map(|(name, value)| format!("{name}: {value}"));
            prop_oneof![
                proptest::collection::vec(inner, 0..6)
                    .prop_map(|items| format!("[{}]", items.join(","))),
                proptest::collection::vec(member, 0..90)
                    .prop_map(|members| format!("{{{}}}", members.join(", "))),
            ]
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(96))]
        #[test]
        fn rows_that_are_read_first_have_the_same_outline(
            rows in proptest::collection::vec(json(), 1..8),
        ) {
            let (mut raw, mut sure) = (Sums::default(), Sums::default());
            for row in &rows {
                let mut written = String::new();
                value::write(&read(row.as_bytes()).unwrap(), usize::MAX, &mut written);
                prop_assert!(sure.add(written.as_bytes(), true).is_ok());
                if raw.add(row.as_bytes(), false).is_err() {
                    prop_assert!(raw.add(written.as_bytes(), true).is_ok());
                }
                // As from call to call.
                raw = Sums::load(&serde_json::to_string(&raw).unwrap()).unwrap();
            }
            let lines = |sums: &Sums| -> Vec<String> {
                let id = Ids::parse_lenient("5f1e0c9a77d2").unwrap();
                let entries = sums.folded().folded().entries(&id, "", View::Text);
                entries.iter().map(OutlineEntry::line).collect()
            };
            prop_assert_eq!(lines(&raw), lines(&sure));
            prop_assert_eq!(raw.left_out, sure.left_out);
        }
    }

    fn told(sums: &Sums) -> Vec<String> {
        let id = Ids::parse_lenient("5f1e0c9a77d2").unwrap();
        let entries = sums.folded().folded().entries(&id, "", View::Text);
        entries.iter().map(|entry| format!("{}: {}", entry.label, entry.detail)).collect()
    }

    #[test]
    fn members_of_a_map_are_counted_whole_however_their_names_differ() {
        let mut sums = Sums::default();
        for i in 0..1_000 {
            sums.add(format!("{{\"id\":{i},\"m\":{{\"x{i}\":{{\"a\":{i}}}}}}}").as_bytes(), false)
                .unwrap();
        }
        let row: Vec<String> = (0..70).map(|j| format!("\"y{j}\":{{\"a\":5}}")).collect();
        sums.add(format!("{{\"id\":1000,\"m\":{{{}}}}}", row.join(",")).as_bytes(), false).unwrap();
        let lines = told(&sums);
        assert_eq!(sums.left_out, 0);
        assert!(lines.contains(&".m: object, 1,001, of up to 70".to_owned()), "{lines:?}");
        let items = lines.iter().find(|line| line.starts_with(".m[].a")).unwrap();
        assert!(items.starts_with(".m[].a: number, 1,070; from 0 to 999, mean 467.1"), "{items}");
    }

    #[test]
    fn what_is_of_a_part_says_so() {
        // Many objects of few names each: none of them is a map.
        let mut sums = Sums::default();
        for i in 0..30 {
            let row: Vec<String> = (0..21).map(|j| format!("\"k{i}_{j}\":{j}")).collect();
            sums.add(format!("{{\"o{i}\":{{{}}}}}", row.join(",")).as_bytes(), false).unwrap();
        }
        let lines = told(&sums);
        assert!(sums.left_out > 0 && lines.len() < 400, "{lines:?}");
        assert!(lines.iter().any(|line| line.contains(" in it left out")), "{lines:?}");
        let last = lines.last().unwrap().split(':').next().unwrap().to_owned();
        let before = lines.len();
        // Later that object turns out to be a map.
        let name = last.trim_start_matches('.').split('.').next().unwrap();
        let row: Vec<String> = (0..70).map(|j| format!("\"z{j}\":{j}")).collect();
        sums.add(format!("{{\"{name}\":{{{}}}}}", row.join(",")).as_bytes(), false).unwrap();
        let lines = told(&sums);
        let folded = lines.iter().find(|line| line.starts_with(&format!(".{name}[]")));
        assert!(
            lines.len() < before && folded.is_some_and(|line| line.contains("of a part, ")),
            "{lines:?}"
        );
    }

    #[test]
    fn sums_are_the_same_in_the_next_call() {
        for number in ["2000000000000007", "0.1", "-1e308", "1e999", "5e-324"] {
            let mut sums = Sums::default();
            (0..3).for_each(|_| sums.add(number.as_bytes(), false).unwrap());
            let next = Sums::load(&serde_json::to_string(&sums).unwrap()).unwrap();
            let bits = |sums: &Sums| -> Vec<u64> {
                sums.paths.iter().map(|path| path.sum.to_bits()).collect()
            };
            assert_eq!(bits(&next), bits(&sums), "{number}");
        }
    }

    #[test]
    fn sums_that_are_none_are_refused() {
        let mut sums = Sums::default();
        sums.add(br#"{"a":{"b":1}}"#, false).unwrap();
        let text = serde_json::to_string(&sums).unwrap();
        assert!(Sums::load(&text).is_some() && Sums::load("{}").is_none());
        for parent in ["1", "2", "9"] {
            let other = text.replace(
                "{\"parent\":0,\"name\":\"a\"",
                &format!("{{\"parent\":{parent},\"name\":\"a\""),
            );
            assert!(other != text && Sums::load(&other).is_none(), "{other}");
        }
    }
}
