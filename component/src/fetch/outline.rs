//! The shape of a stored result before its content: what there is, how often, and how to read it.
//!
//! Rows (JSON, tables) are read to the end and summed up by path, in slices; the sums go along in
//! the cursor. Text is outlined by its headings, symbols, files, levels and shapes of line.

use std::cmp::Ordering;
use std::collections::BTreeMap;
use std::rc::Rc;

use jaq_json::Val;
use jaq_std::ValT as _;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::grep::{self, GrepOptions, grep};
use super::pattern::{Case, Matcher, Pattern};
use super::query::place::Place;
use super::query::rows::Rows;
use super::query::seek::arrays;
use super::query::value::Items;
use super::query::{value, yaml};
use super::{FetchError, View, more};
use crate::content::json::step;
use crate::content::kind::Kind;
use crate::content::numbers::{counted, in_order, thousands};
use crate::content::scan::each_line_to;
use crate::content::show::one_line;
use crate::content::source_text::defines;
use crate::content::source_text::heading_level;
use crate::content::template::{SHAPE_BYTES, Shapes};
use crate::handle::BlobId;
use crate::sort::sort_by_key;
use crate::source::{Indexed, Source};

/// Bytes of text that are looked through.
const TEXT_BYTES: u64 = 128 * 1024 * 1024;

/// Paths that are told apart, levels that are looked into, and keys from which on an object is a
/// map whose members are alike.
const MAX_PATHS: usize = 400;
const MAX_LEVELS: usize = 8;
const MAP_KEYS: usize = 64;

/// Different values of a path that are counted each, and characters of one.
const MAX_VALUES: usize = 12;
const VALUE_CHARS: usize = 40;

/// Bytes of a number that are told apart, and whole numbers below which sums are exact.
const NUMBER_BYTES: usize = 400;
const EXACT: f64 = 9_007_199_254_740_992.0;

/// How the lines with a level's word are counted, and in how many of them all words are looked for.
const LEVEL_LINES: u64 = 2_000_000;
const LEVEL_SEARCH: GrepOptions = GrepOptions {
    invert: false,
    before: 0,
    after: 0,
    max_hits: 1,
    line_chars: 8,
    max_chars: 100,
    slice: TEXT_BYTES,
};

/// Entries of a text's outline, and characters of one.
const MAX_ENTRIES: usize = 2_000;
const LABEL_CHARS: usize = 120;

/// What outline is asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineRequest {
    /// The result.
    pub id: BlobId,
    /// Which of its bytes.
    pub view: View,
    /// Where the rows are, as for a query.
    pub path: Option<String>,
    /// `next` of an earlier answer to the same request.
    pub cursor: Option<String>,
}

/// One line of an outline. All of it may hold words of the tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OutlineEntry {
    /// A path, column, heading, symbol, file, level or shape of line.
    pub label: String,
    /// Types, counts, ranges, values.
    pub detail: String,
    /// The arguments of `weir_fetch` that read it, as JSON.
    pub call: Option<String>,
}

/// An outline, or a page of one.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct OutlineAnswer {
    /// What the content is, in words: `items of "/data": 1,000 rows`.
    pub about: String,
    /// The entries of this page.
    pub entries: Vec<OutlineEntry>,
    /// How many there are in all.
    pub total: u64,
    /// Whether all bytes were looked at.
    pub complete: bool,
    /// How to go on: the `cursor` of the next request. None when this is all.
    pub next: Option<String>,
    /// The same with what was counted, so that the next page need not count again: it may be long.
    pub counted: Option<String>,
    /// Where the counting stopped, and the sums.
    state: Option<(Place, String)>,
}

/// What is known of the values at one path.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct PathStat {
    /// The order in which paths were met.
    first: usize,
    parent: String,
    count: u64,
    /// Null, booleans, numbers, strings, arrays, objects.
    types: [u64; 6],
    /// As they are written: a number that is read may have lost digits.
    least: Option<String>,
    greatest: Option<String>,
    sum: f64,
    /// Items of arrays, at most.
    longest: u64,
    values: Vec<(String, u64)>,
    /// Whether there are more values than are counted.
    many: bool,
    /// Whether one of its objects is a map whose members are alike.
    #[serde(default)]
    map: bool,
}

/// The sums of all rows so far.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Sums {
    rows: u64,
    failed: u64,
    paths: BTreeMap<String, PathStat>,
    /// Values at paths that there was no room for.
    left_out: u64,
}

/// What is left of a container.
struct Open<'a> {
    path: Rc<str>,
    /// The path of all members, when they are alike.
    inner: Option<Rc<str>>,
    items: Items<'a>,
}

impl<'a> Open<'a> {
    fn of(path: Rc<str>, value: &'a Val) -> Option<Open<'a>> {
        let items = Items::of(value)?;
        let alike = !matches!(value, Val::Obj(members) if members.len() <= MAP_KEYS);
        let inner = alike.then(|| format!("{path}[]").into());
        Some(Open { path, inner, items })
    }

    fn next(&mut self) -> Option<(Rc<str>, Rc<str>, &'a Val)> {
        let (key, value) = self.items.next()?;
        let path = match (&self.inner, key) {
            (Some(inner), _) => Rc::clone(inner),
            (None, Some(key)) => format!("{}{}", self.path, step(&value::clipped(key, 200))).into(),
            (None, None) => Rc::clone(&self.path),
        };
        Some((path, Rc::clone(&self.path), value))
    }
}

const TYPES: [&str; 6] = ["null", "boolean", "number", "string", "array", "object"];

impl Sums {
    fn add(&mut self, row: &Val) {
        // Containers whose members are being read: no more than levels, however many members.
        let mut open: Vec<Open<'_>> = Vec::new();
        let root: Rc<str> = "".into();
        let mut next = Some((Rc::clone(&root), root, row));
        loop {
            let Some((path, parent, value)) = next.take() else {
                let Some(top) = open.last_mut() else { return };
                next = top.next();
                if next.is_none() {
                    open.pop();
                }
                continue;
            };
            let kind = match value {
                Val::Null => 0,
                Val::Bool(_) => 1,
                Val::Num(_) => 2,
                Val::TStr(_) | Val::BStr(_) => 3,
                Val::Arr(_) => 4,
                Val::Obj(_) => 5,
            };
            if !self.paths.contains_key(&*path) {
                if self.paths.len() >= MAX_PATHS {
                    self.left_out += 1;
                    continue;
                }
                let first = self.paths.len();
                let stat = PathStat { first, parent: parent.to_string(), ..PathStat::default() };
                self.paths.insert(path.to_string(), stat);
            }
            let Some(stat) = self.paths.get_mut(&*path) else { continue };
            stat.count += 1;
            stat.types[kind] += 1;
            match value {
                Val::Num(_) => {
                    let number = value.as_f64().unwrap_or_default();
                    let mut text = String::new();
                    value::write(value, NUMBER_BYTES, &mut text);
                    stat.spread(&text);
                    stat.sum += number;
                    stat.note(text, 1);
                }
                Val::TStr(text) if text.len() <= VALUE_CHARS => {
                    let mut shown = String::new();
                    value::write(value, 4 * VALUE_CHARS, &mut shown);
                    stat.note(shown, 1);
                }
                Val::TStr(_) | Val::BStr(_) => stat.many = true,
                Val::Bool(truth) => stat.note(truth.to_string(), 1),
                Val::Arr(items) => stat.longest = stat.longest.max(items.len() as u64),
                Val::Obj(members) => {
                    stat.longest = stat.longest.max(members.len() as u64);
                    stat.map |= members.len() > MAP_KEYS;
                }
                _ => {}
            }
            if open.len() < MAX_LEVELS
                && let Some(container) = Open::of(path, value)
            {
                open.push(container);
            }
        }
    }

    /// The paths, in the order in which they were met: parents come first.
    fn ordered(&self) -> Vec<(&String, &PathStat)> {
        let mut paths: Vec<(&String, &PathStat)> = self.paths.iter().collect();
        sort_by_key(&mut paths, |(_, stat)| stat.first);
        paths
    }

    /// The same where members of objects that are maps in some rows count as those of maps in all: `[]` is each.
    fn folded(&self) -> Sums {
        let mut all = Sums::default();
        let mut names: Vec<(&str, String)> = Vec::new();
        for (path, stat) in self.ordered() {
            let parent = names.iter().find(|(known, _)| *known == stat.parent);
            let parent = parent.map(|(_, name)| name.clone()).unwrap_or_default();
            let step = match all.paths.get(&parent) {
                Some(above) if above.map && !path.is_empty() => "[]",
                _ => &path[stat.parent.len()..],
            };
            let name = format!("{parent}{step}");
            let new = || PathStat { first: stat.first, parent, ..PathStat::default() };
            all.paths.entry(name.clone()).or_insert_with(new).add(stat);
            names.push((path, name));
        }
        all
    }

    fn entries(&self, id: &BlobId, pointer: &str, view: View) -> Vec<OutlineEntry> {
        let mut entries = Vec::new();
        // The program that reads a path, by it: parents come first.
        let mut programs: Vec<(&str, String)> = Vec::new();
        for (path, stat) in self.ordered() {
            let Some(parent) = self.paths.get(&stat.parent) else { continue };
            // What all rows are goes without saying where they have members.
            if path.is_empty() && stat.types[4] + stat.types[5] == stat.count {
                continue;
            }
            let is_items = path.ends_with("[]") || path.is_empty();
            let of = (!is_items).then_some(parent.types[5]);
            let above = programs.iter().find(|(path, _)| *path == stat.parent);
            let mut program = above.map(|(_, program)| program.clone()).unwrap_or_default();
            // Objects beside arrays have their members at paths of their own.
            if path.ends_with("[]") && parent.types[4] > 0 && parent.types[5] > 0 && !parent.map {
                program.push_str("|arrays|.");
            }
            program.push_str(&path[stat.parent.len()..]);
            // Not every value is of the kind that the step is for.
            let [null, _, _, _, array, object] = parent.types;
            let is_there = stat.parent.is_empty()
                || stat.parent.ends_with("[]")
                || self.paths.get(&parent.parent).is_some_and(|of| of.types[5] == parent.count);
            let fits = if is_items { array + object } else { null + object };
            if !path.is_empty() && (fits < parent.count || (is_items && !is_there)) {
                program.push('?');
            }
            programs.push((path, program.clone()));
            if !program.starts_with('.') {
                program.insert(0, '.');
            }
            // What is inside containers is shown by their members.
            let scalar = stat.types[4] == 0 && stat.types[5] == 0;
            let label = match path.starts_with('.') && !program.contains("|arrays|") {
                true => path.clone(),
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
            entries.push(OutlineEntry {
                label,
                detail: stat.detail(of),
                call: Some(call.to_string()),
            });
        }
        entries
    }
}

impl PathStat {
    fn note(&mut self, value: String, count: u64) {
        match self.values.iter().position(|(known, _)| *known == value) {
            Some(at) => self.values[at].1 += count,
            None if self.values.len() < MAX_VALUES => self.values.push((value, count)),
            None => self.many = true,
        }
    }

    fn spread(&mut self, number: &str) {
        let order = |other: &Option<String>, wanted| {
            other.as_ref().is_none_or(|other| in_order(number, other) == wanted)
        };
        if order(&self.least, Ordering::Less) {
            self.least = Some(number.to_owned());
        }
        if order(&self.greatest, Ordering::Greater) {
            self.greatest = Some(number.to_owned());
        }
    }

    fn add(&mut self, other: &PathStat) {
        self.count += other.count;
        self.types.iter_mut().zip(other.types).for_each(|(sum, count)| *sum += count);
        other.least.iter().chain(&other.greatest).for_each(|number| self.spread(number));
        self.sum += other.sum;
        self.longest = self.longest.max(other.longest);
        other.values.iter().for_each(|(value, count)| self.note(value.clone(), *count));
        self.many |= other.many;
        self.map |= other.map;
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
            let size = |text: &str| text.parse::<f64>().map_or(f64::INFINITY, f64::abs);
            let numbers = self.types[2].max(1) as f64;
            if size(least).max(size(greatest)) * numbers < EXACT {
                let mean = self.sum / numbers;
                out.push_str(&format!(", mean {}", value::float_text(mean)));
            }
        } else if self.many {
            let some: Vec<&str> = self.values.iter().take(3).map(|(v, _)| v.as_str()).collect();
            let some =
                if some.is_empty() { String::new() } else { format!(": {}, …", some.join(", ")) };
            out.push_str(&format!("; many values{some}"));
        }
        out
    }
}

/// The outline of `source`, a page of at most `max_chars` characters.
pub(super) fn outline(
    source: &dyn Indexed,
    kind: Kind,
    request: &OutlineRequest,
    max_chars: usize,
    call_bytes: u64,
) -> Result<OutlineAnswer, FetchError> {
    let bad = || more::refused("cursor");
    let cursor = request.cursor.as_deref().map(str::trim);
    let (offset, resumed) = match cursor {
        None => (0, None),
        Some(cursor) => match cursor.split_once(';') {
            Some((place, rest)) => {
                let place = Place::parse(place).ok_or_else(bad)?;
                let (offset, sums) = rest.split_once(';').ok_or_else(bad)?;
                let offset = offset.parse::<usize>().map_err(|_| bad())?;
                let sums: Sums = serde_json::from_str(sums).map_err(|_| bad())?;
                (offset, Some((place, sums)))
            }
            None => (cursor.parse::<usize>().map_err(|_| bad())?, None),
        },
    };
    let yaml = yaml::as_json(source, kind)?.and_then(Result::ok);
    let mut answer = match &yaml {
        Some(json) => {
            by_rows(&json.text.as_slice(), json.kind, true, request, resumed, call_bytes)?
        }
        None if Rows::are_in(source, kind)? => {
            by_rows(source, kind, false, request, resumed, call_bytes)?
        }
        None => by_lines(source, kind, request)?,
    };
    // Where rows are still to be counted, the place among the entries goes along.
    let goes_on =
        |after: usize, state: &(Place, String)| format!("{};{after};{}", state.0, state.1);
    let state = answer.state.take();
    if !answer.complete
        && let Some(state) = &state
    {
        answer.next = Some(goes_on(offset, state));
        return Ok(answer);
    }
    answer.total = answer.entries.len() as u64;
    let mut used = 0;
    let fits = |entry: &OutlineEntry| {
        used += entry.shown_chars();
        used <= max_chars
    };
    let rest: Vec<OutlineEntry> = answer.entries.into_iter().skip(offset).collect();
    let count = rest.iter().map(fits).take_while(|fits| *fits).count().max(1).min(rest.len());
    answer.entries = rest.into_iter().take(count).collect();
    let after = offset + count;
    if (after as u64) < answer.total {
        answer.next = Some(after.to_string());
        answer.counted = state.map(|state| goes_on(after, &state));
    }
    Ok(answer)
}

impl OutlineEntry {
    /// The entry as one line, with the call without its id.
    pub fn line(&self) -> String {
        let mut line = format!("{}: {}", self.label, self.detail);
        if let Some(call) = &self.call
            && let Ok(serde_json::Value::Object(mut call)) = serde_json::from_str(call)
        {
            call.remove("id");
            line.push_str(&format!("  {}", serde_json::Value::Object(call)));
        }
        line
    }

    fn shown_chars(&self) -> usize {
        self.line().chars().count() + 1
    }
}

fn by_rows(
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
    let path = request.path.as_deref();
    let mut rows = Rows::open(source, kind, path, false, from)?;
    rows.is_yaml = is_yaml;
    let mut left = call_bytes.saturating_sub(rows.looked_at / 16);
    let mut done = true;
    while let Some(row) = rows.next()? {
        sums.rows += 1;
        match &row.value {
            Ok(value) => sums.add(value),
            Err(_) => sums.failed += 1,
        }
        left = left.saturating_sub(row.bytes + 64);
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

fn by_lines(
    source: &dyn Indexed,
    kind: Kind,
    request: &OutlineRequest,
) -> Result<OutlineAnswer, FetchError> {
    let id = request.id.to_string();
    let raw = request.view == View::Raw;
    let range = |start: u64, count: u64| {
        let mut call = json!({"id": id, "mode": "range", "start": start, "count": count});
        if raw {
            call["view"] = "raw".into();
        }
        Some(call.to_string())
    };
    let mut marks: Vec<(u64, String, String)> = Vec::new();
    let mut shapes = Shapes::default();
    let (mut lines, mut more, mut fence) = (0u64, 0u64, false);
    let (mut added, mut removed) = (0u64, 0u64);
    let shaped = matches!(kind, Kind::Log | Kind::Text | Kind::Yaml | Kind::Sql);
    each_line_to(source, TEXT_BYTES, 400, |line| {
        lines = line.number;
        let text = line.prefix.strip_suffix(b"\r").unwrap_or(line.prefix);
        let mut mark = |label: &[u8], detail: String| {
            if marks.len() < MAX_ENTRIES {
                let label = one_line(&String::from_utf8_lossy(label), LABEL_CHARS);
                marks.push((line.number, label, detail));
            } else {
                more += 1;
            }
        };
        match kind {
            Kind::Markdown => {
                let start = text.trim_ascii_start();
                if start.starts_with(b"```") || start.starts_with(b"~~~") {
                    fence = !fence;
                } else if !fence && heading_level(text).is_some() {
                    mark(text, "heading".to_owned());
                }
            }
            Kind::Code if defines(&String::from_utf8_lossy(text)) => {
                mark(text.trim_ascii(), "symbol".to_owned());
            }
            Kind::Diff => {
                if text.starts_with(b"+++ ") {
                    mark(&text[4..], "file".to_owned());
                } else if text.starts_with(b"+") {
                    added += 1;
                } else if text.starts_with(b"-") && !text.starts_with(b"--- ") {
                    removed += 1;
                }
            }
            Kind::Html => {
                if let Some(title) = html_heading(text) {
                    mark(title.as_bytes(), "heading".to_owned());
                }
            }
            _ => {}
        }
        if shaped {
            let head = &text[..text.len().min(SHAPE_BYTES)];
            shapes.push(line.number, head);
        }
    })?;
    let mut entries: Vec<OutlineEntry> = Vec::new();
    // In other texts the word may be anything, such as a file's name.
    let levels = if kind == Kind::Log { shapes.levels() } else { Vec::new() };
    let is_affordable = lines * levels.len() as u64 <= LEVEL_LINES;
    for (word, count) in levels {
        let mut detail = format!("{} of this level", counted(count, "line"));
        // Said of what the call gives: the word may stand in the message of a line of another level.
        let pattern =
            Pattern { text: word.to_owned(), regex: false, case: Case::Sensitive, word: true };
        let mut call = None;
        if let Ok(matcher) = Matcher::new(&pattern)
            && is_affordable
        {
            let page = grep(source, &matcher, &LEVEL_SEARCH, grep::Place::at(0))?;
            if let Some(first) = page.lines.first().filter(|_| page.complete) {
                detail.push_str(&format!(
                    "; {} with this word, the first is line {}",
                    counted(page.matching_lines, "line"),
                    thousands(first.line)
                ));
                let mut grep = json!({"id": id, "mode": "grep", "pattern": word, "word": true});
                grep["case"] = "sensitive".into();
                if raw {
                    grep["view"] = "raw".into();
                }
                call = Some(grep.to_string());
            }
        }
        entries.push(OutlineEntry { label: word.to_owned(), detail, call });
    }
    let ranked = if shaped { shapes.ranked().unwrap_or_default() } else { Vec::new() };
    if ranked.len() as u64 * 2 <= lines {
        for shape in ranked.iter().take(MAX_ENTRIES) {
            let first = shape.first_line;
            entries.push(OutlineEntry {
                label: one_line(&String::from_utf8_lossy(&shape.text), LABEL_CHARS),
                detail: format!(
                    "{} of this shape (# is a number or an id), the first is line {}",
                    counted(shape.lines, "line"),
                    thousands(first)
                ),
                call: range(first.saturating_sub(2).max(1), 5),
            });
        }
    }
    let ends = marks.iter().skip(1).map(|(line, ..)| *line).chain([lines + 1]);
    for ((line, label, detail), end) in marks.iter().zip(ends) {
        let count = (end - line).max(1);
        entries.push(OutlineEntry {
            label: format!("{line}: {label}"),
            detail: format!("{detail}, {}", counted(count, "line")),
            call: range(*line, count.min(200)),
        });
    }
    let mut about = format!("{kind} of {}", counted(lines, "line"));
    if kind == Kind::Diff {
        about.push_str(&format!(", +{} -{}", thousands(added), thousands(removed)));
    }
    if more > 0 {
        about.push_str(&format!(", {} more entries left out", thousands(more)));
    }
    let complete = source.len() <= TEXT_BYTES;
    if !complete {
        about = format!("the first {} bytes: {about}", thousands(TEXT_BYTES));
    }
    Ok(OutlineAnswer { about, entries, complete, ..OutlineAnswer::default() })
}

/// The text of the first heading of HTML on a line.
fn html_heading(line: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(line);
    let lower = text.to_ascii_lowercase();
    let at = (1..=6).filter_map(|n| lower.find(&format!("<h{n}"))).min()?;
    let rest = text.get(at..)?;
    let (_, inside) = rest.split_once('>')?;
    let mut out = String::new();
    let mut tag = false;
    for c in inside.chars() {
        match c {
            '<' => {
                if !out.trim().is_empty() {
                    break;
                }
                tag = true;
            }
            '>' => tag = false,
            c if !tag => out.push(c),
            _ => {}
        }
    }
    (!out.trim().is_empty()).then(|| out.trim().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::OUTLINE_CALL_BYTES;

    fn ask(text: &str, kind: Kind) -> OutlineAnswer {
        let request = OutlineRequest {
            id: BlobId::parse_lenient("5f1e0c9a77d2").unwrap(),
            view: View::Text,
            path: None,
            cursor: None,
        };
        outline(&text.as_bytes(), kind, &request, 20_000, OUTLINE_CALL_BYTES).unwrap()
    }

    fn lines(answer: &OutlineAnswer) -> Vec<String> {
        answer.entries.iter().map(|entry| format!("{}: {}", entry.label, entry.detail)).collect()
    }

    #[test]
    fn paths_are_summed_up_over_all_rows() {
        let rows: Vec<_> = (0..5_000)
            .map(|n| {
                let mut row = json!({
                    "id": n,
                    "state": (["open", "paid"][n % 2]),
                    "who": {"name": format!("user number {n}"), "tags": ["a", "b"]},
                    "odd key": true,
                });
                if n % 5 == 0 {
                    row["refund"] = json!(1.5);
                }
                row
            })
            .collect();
        let text = json!({"page": 1, "data": rows}).to_string();
        let answer = ask(&text, Kind::Json);
        assert_eq!(answer.about, "items of \"/data\": 5,000 rows");
        assert!(answer.complete);
        let lines = lines(&answer);
        for wanted in [
            ".id: number, 5,000; from 0 to 4999, mean 2499.5",
            ".state: string, 5,000; 2 distinct: \"open\" 2,500x, \"paid\" 2,500x",
            ".who: object, 5,000, of up to 2",
            ".who.tags[]: string, 10,000; 2 distinct: \"a\" 5,000x, \"b\" 5,000x",
            ".[\"odd key\"]: boolean, 5,000; 1 distinct: true 5,000x",
            ".refund: number, in 1,000 of 5,000; 1 distinct: 1.5 1,000x",
        ] {
            assert!(lines.iter().any(|line| line == wanted), "{wanted}\n{}", lines.join("\n"));
        }
        let call = answer.entries.iter().find(|entry| entry.label == ".state").unwrap();
        assert_eq!(
            call.call.as_deref(),
            Some(r#"{"id":"5f1e0c9a77d2","path":"/data","query":".state","reduce":"distinct"}"#)
        );
    }

    #[test]
    fn members_of_maps_are_told_as_one_whatever_their_number_in_a_row() {
        let deps = |range: std::ops::Range<u32>| -> String {
            range.map(|n| format!("\"k{n}\": {{\"v\": {n}}}")).collect::<Vec<_>>().join(", ")
        };
        // Small, large, small: the calls give what is announced.
        let rows: Vec<String> =
            [0..2, 0..100, 1..4].map(|range| format!("{{\"deps\": {{{}}}}}", deps(range))).to_vec();
        let all = lines(&ask(&format!("[{}]", rows.join(",")), Kind::Json));
        assert_eq!(
            all[1..],
            [
                ".deps[]: object, 105, of up to 1",
                ".deps[].v: number, 105; from 0 to 99, mean 47.20952380952381",
            ],
            "{all:?}"
        );
        // Arrays and objects at one place are told apart, and so are the programs.
        let mixed = "{\"a\": [1, 2]}\n{\"a\": {\"x\": 3}}\n{\"a\": null}\n";
        let told = ask(mixed, Kind::Ndjson);
        let all = lines(&told).join("\n");
        assert!(all.contains(".a|arrays|.[]?: number, 2; 2 distinct: 1, 2"), "{all}");
        assert!(all.contains(".a.x: number, 1; 1 distinct: 3"), "{all}");
    }

    #[test]
    fn an_outline_goes_on_from_call_to_call() {
        let text: String = (0..150_000)
            .map(|n| format!("{{\"n\":{n},\"pad\":\"{}\"}}\n", "x".repeat(150)))
            .collect();
        let mut request = OutlineRequest {
            id: BlobId::parse_lenient("5f1e0c9a77d2").unwrap(),
            view: View::Text,
            path: None,
            cursor: None,
        };
        let mut calls = 0;
        let answer = loop {
            let answer =
                outline(&text.as_bytes(), Kind::Ndjson, &request, 20_000, OUTLINE_CALL_BYTES)
                    .unwrap();
            calls += 1;
            if answer.complete {
                break answer;
            }
            request.cursor = answer.next;
        };
        assert!(calls > 1);
        assert!(
            lines(&answer)
                .contains(&".n: number, 150,000; from 0 to 149999, mean 74999.5".to_owned())
        );
    }

    #[test]
    fn text_is_outlined_by_what_stands_out() {
        let log: String = (0..900)
            .map(|n| match n {
                500 => "2024-05-06 ERROR disk 7 failed\n".to_owned(),
                n => format!("2024-05-06 INFO request {n} done\n"),
            })
            .collect();
        let answer = ask(&log, Kind::Log);
        let all = lines(&answer).join("\n");
        assert!(
            all.contains(
                "ERROR: 1 line of this level; 1 line with this word, the first is line 501"
            ),
            "{all}"
        );
        assert!(all.contains("# ERROR disk # failed: 1 line of this shape"), "{all}");
        let text = lines(&ask(&log, Kind::Text)).join("\n");
        assert!(!text.contains("level") && text.contains("ERROR disk"), "{text}");
        let fees: String = (0..40).map(|n| format!("{{\"fee\": {n}e-9}}\n")).collect();
        let told = lines(&ask(&fees, Kind::Ndjson)).join("\n");
        assert!(told.contains("mean 1.95") && told.contains("e-8"), "{told}");
        let markdown = "# One\ntext\n```\n# no\n```\n## Two\nmore\nmore\n";
        let all = lines(&ask(markdown, Kind::Markdown));
        assert_eq!(all, ["1: # One: heading, 5 lines", "6: ## Two: heading, 3 lines"]);
        let code = "use x;\npub fn one() {\n}\nstruct Two;\n";
        let all = lines(&ask(code, Kind::Code)).join("\n");
        assert!(all.contains("2: pub fn one() {") && all.contains("4: struct Two;"), "{all}");
        let html = "<html><body>\n<h1 class=\"x\">Title <b>bold</b></h1>\n<p>text\n<h2>Part</h2>\n";
        let all = lines(&ask(html, Kind::Html)).join("\n");
        assert!(all.contains("2: Title") && all.contains("4: Part"), "{all}");
    }

    #[test]
    fn yaml_and_drawn_tables_are_outlined_by_what_a_query_reads() {
        let pod = |n: u32| {
            format!(
                "kind: Pod\nmetadata:\n  name: p{n}\n  labels:\n    app: web\nspec: {{size: {n}}}\n"
            )
        };
        let pods: String = (0..30).map(|n| format!("---\n{}", pod(n))).collect();
        let answer = ask(&pods, Kind::Yaml);
        assert_eq!(lines(&answer), lines(&ask(&pods, Kind::Text)), "as in an older store");
        assert_eq!(answer.about, "documents of YAML: 30 rows");
        let all = lines(&answer).join("\n");
        assert!(all.contains(".metadata.labels.app: string, 30; 1 distinct: \"web\" 30x"), "{all}");
        assert!(all.contains(".spec.size: number, 30; from 0 to 29, mean 14.5"), "{all}");
        // What cannot be read as YAML has the outline of a text.
        let broken = ask(&format!("{pods}---\na: 'b\n"), Kind::Yaml);
        assert!(broken.about.starts_with("yaml of 212 lines"), "{}", broken.about);
        let table = "| id | state |\n|---:|---|\n| 1 | ok |\n| 2 | bad |\n| 3 | ok |\n";
        let answer = ask(table, Kind::Markdown);
        assert_eq!(answer.about, "rows of a table drawn as text: 3 rows");
        let all = lines(&answer).join("\n");
        assert!(all.contains(".state: string, 3; 2 distinct: \"ok\" 2x, \"bad\""), "{all}");
        let split = json!({"columns": ["id", "state"], "rows": [[1, "ok"], [2, "bad"]]});
        let answer = ask(&split.to_string(), Kind::Json);
        let all = lines(&answer).join("\n");
        assert!(all.contains(".id: number, 2; 2 distinct: 1, 2"), "{all}");
    }

    #[test]
    fn pages_hold_all_entries_once() {
        let row: serde_json::Map<String, serde_json::Value> =
            (0..60).map(|n| (format!("column_number_{n}"), json!(n))).collect();
        let text = json!([row]).to_string();
        let mut request = OutlineRequest {
            id: BlobId::parse_lenient("5f1e0c9a77d2").unwrap(),
            view: View::Text,
            path: None,
            cursor: None,
        };
        let mut labels = Vec::new();
        loop {
            let answer =
                outline(&text.as_bytes(), Kind::Json, &request, 600, OUTLINE_CALL_BYTES).unwrap();
            assert_eq!(answer.total, 60);
            labels.extend(answer.entries.into_iter().map(|entry| entry.label));
            match answer.next {
                Some(next) => request.cursor = Some(next),
                None => break,
            }
        }
        assert_eq!(labels.len(), 60);
        labels.dedup();
        assert_eq!(labels.len(), 60);
    }
}
