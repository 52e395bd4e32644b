//! Reads what a model sends: leniently where the meaning is clear, in plain words where it is not.

mod lenient;
mod questions;

use std::cell::RefCell;

use serde_json::{Map, Value};

use super::diff::DiffRequest;
use super::grep::GrepQuery;
use super::grep::Place;
use super::outline::OutlineRequest;
use super::pattern::{Case, Pattern};
use super::query::QueryRequest;
use super::range::Unit;
use super::search::SearchRequest;
use super::view::View;
use crate::content::show::clip;
use crate::handle::Ids;

/// The ways to read, as models write them.
pub(super) const MODES: &str =
    "stat, range, head, tail, grep, query, outline, search, diff, full, list, help";

/// Every argument there is, as models write them.
pub(super) const FIELDS: &str = "id mode view unit start count lines pattern literal regex case ignore_case word invert count_only before \
    after context max_matches from so_far cursor limit query path by reduce whole table other key only";

/// What a model asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Request {
    Help,
    Recall,
    Stat { id: Ids },
    Range { id: Ids, view: View, unit: Unit, start: i64, count: Option<u64> },
    Head { id: Ids, view: View, lines: Option<u64> },
    Tail { id: Ids, view: View, lines: Option<u64> },
    Full { id: Ids, view: View },
    Grep { id: Ids, view: View, query: GrepQuery },
    Query(Box<QueryRequest>),
    Outline(OutlineRequest),
    Search(SearchRequest),
    Diff(DiffRequest),
    List { cursor: Option<String>, limit: Option<u64> },
}

impl Request {
    /// The result whose content is read.
    pub(super) fn reads(&self) -> Option<&Ids> {
        match self {
            Request::Help | Request::Recall | Request::List { .. } => None,
            Request::Stat { id }
            | Request::Range { id, .. }
            | Request::Head { id, .. }
            | Request::Tail { id, .. }
            | Request::Full { id, .. }
            | Request::Grep { id, .. } => Some(id),
            Request::Query(request) => Some(&request.id),
            Request::Outline(request) => Some(&request.id),
            Request::Search(request) => request.id.as_ref(),
            Request::Diff(request) => Some(&request.id),
        }
    }
}

impl Request {
    /// In which bytes of several results rows are looked for, and where.
    pub(super) fn rows_at(&self) -> (View, Option<&str>) {
        match self {
            Request::Range { view, .. }
            | Request::Head { view, .. }
            | Request::Tail { view, .. }
            | Request::Full { view, .. }
            | Request::Grep { view, .. } => (*view, None),
            Request::Query(request) => (request.view, request.path.as_deref()),
            Request::Outline(request) => (request.view, None),
            _ => (View::Text, None),
        }
    }
}

/// What is wrong with arguments, in one line, and a mode for an example of what is right.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct BadArguments {
    pub(super) message: String,
    pub(super) example: &'static str,
}

/// Arguments that change what an answer is of: where a mode does not use one, that is said.
const TELLING: &str =
    "start count lines pattern invert count_only max_matches query path by reduce whole key only";

/// Reads arguments: a JSON object, or a JSON string of one. Gives the names of those that its mode does not use, too.
pub(super) fn read(text: &str) -> Result<(Request, Vec<String>), BadArguments> {
    let fields = Fields(lenient::tidy(object(text)?), RefCell::default());
    let request = request(&fields)?;
    let is_said = |value: &Value| match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        value => value.as_f64() != Some(0.0),
    };
    let used = fields.1.borrow();
    let unused = TELLING
        .split(' ')
        .filter(|name| fields.0.get(*name).is_some_and(is_said) && !used.contains(name));
    Ok((request, unused.map(str::to_owned).collect()))
}

fn request(fields: &Fields) -> Result<Request, BadArguments> {
    if let Some(unknown) = fields.0.keys().find(|key| !FIELDS.split(' ').any(|field| field == *key))
    {
        let usable = "id, mode, view, unit, start, count, pattern, literal, case, word, invert, \
                      count_only, before, after, context, max_matches, from, query, path, by, \
                      reduce, whole, table, other, key, only, cursor, limit";
        let name = clip(unknown, 40);
        return bad(format!("there is no argument {name:?}; there are {usable}"), "grep");
    }
    let mode = match fields.text("mode")? {
        Some(mode) => mode.trim().to_ascii_lowercase(),
        // The meaning of a call without a mode is plain from what else it says.
        None if fields.given("pattern") => "grep".to_owned(),
        None if fields.asked().is_some() => fields.asked().unwrap_or_default().to_owned(),
        None if ["start", "count", "unit"].iter().any(|f| fields.given(f)) => "range".to_owned(),
        None if fields.given("id") => "stat".to_owned(),
        None => return bad(missing_id(), "stat"),
    };
    let id = || fields.id();
    let view = || fields.view();
    match mode.as_str() {
        "help" => Ok(Request::Help),
        "stat" if !fields.given("id") => Ok(Request::Recall),
        "stat" => Ok(Request::Stat { id: id()? }),
        "range" => Ok(Request::Range {
            id: id()?,
            view: view()?,
            unit: fields.unit()?,
            start: fields.integer("start", "range")?.unwrap_or(0),
            count: fields.lines()?,
        }),
        "head" => Ok(Request::Head { id: id()?, view: view()?, lines: fields.lines()? }),
        "tail" => Ok(Request::Tail { id: id()?, view: view()?, lines: fields.lines()? }),
        "full" => Ok(Request::Full { id: id()?, view: view()? }),
        "grep" => Ok(Request::Grep { id: id()?, view: view()?, query: fields.query()? }),
        "query" => Ok(Request::Query(Box::new(fields.question()?))),
        "outline" => Ok(Request::Outline(fields.outline()?)),
        "search" => Ok(Request::Search(fields.search()?)),
        "diff" => Ok(Request::Diff(fields.diff()?)),
        "list" => Ok(Request::List {
            cursor: fields.text("cursor")?.filter(|cursor| !cursor.trim().is_empty()),
            limit: fields.natural("limit", "list")?,
        }),
        _ => bad(format!("there is no mode {:?}; there are {MODES}", clip(&mode, 40)), "range"),
    }
}

fn bad<T>(message: String, example: &'static str) -> Result<T, BadArguments> {
    Err(BadArguments { message, example })
}

fn missing_id() -> String {
    "\"id\" is missing: give the id that the excerpt names, or mode \"list\" to see all".to_owned()
}

fn object(text: &str) -> Result<Map<String, Value>, BadArguments> {
    let text = text.trim();
    if text.is_empty() {
        return Ok(Map::new());
    }
    let mut value: Result<Value, _> = serde_json::from_str(text);
    // Some models send the object as a string.
    if let Ok(Value::String(inner)) = &value {
        value = serde_json::from_str(inner.trim());
    }
    match value {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(Value::Array(calls)) if matches!(&calls[..], [Value::Object(_)]) => {
            Ok(calls.into_iter().find_map(|call| call.as_object().cloned()).unwrap_or_default())
        }
        Ok(Value::Null) => Ok(Map::new()),
        Ok(other) => bad(format!("arguments must be a JSON object, not {}", kind(&other)), "range"),
        Err(error) => {
            bad(format!("arguments are not JSON: {}", clip(&error.to_string(), 100)), "range")
        }
    }
}

fn kind(value: &Value) -> &'static str {
    match value {
        Value::Null => "null",
        Value::Bool(_) => "a boolean",
        Value::Number(_) => "a number",
        Value::String(_) => "a string",
        Value::Array(_) => "an array",
        Value::Object(_) => "an object",
    }
}

/// Arguments by name. One that is null is as one that is not there.
///
/// The names of those that were read are kept.
struct Fields(Map<String, Value>, RefCell<Vec<&'static str>>);

impl Fields {
    fn get(&self, name: &'static str) -> Option<&Value> {
        self.1.borrow_mut().push(name);
        self.0.get(name).filter(|value| !value.is_null())
    }

    /// Whether there is something to go by: models fill what they do not need with empty strings.
    fn given(&self, name: &str) -> bool {
        self.0.get(name).is_some_and(|value| !value.is_null() && value.as_str() != Some(""))
    }

    fn text(&self, name: &'static str) -> Result<Option<String>, BadArguments> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::String(text)) if text.is_empty() && name != "pattern" => Ok(None),
            Some(Value::String(text)) => Ok(Some(text.clone())),
            Some(other) => bad(
                format!("{name:?} must be a string, not {}", kind(other)),
                if name == "pattern" { "grep" } else { "range" },
            ),
        }
    }

    fn id(&self) -> Result<Ids, BadArguments> {
        let Some(text) = self.text("id")? else { return bad(missing_id(), "stat") };
        Ids::parse_lenient(&text).or_else(|error| {
            let shown = clip(text.trim(), 80);
            bad(format!("invalid id {shown:?}: {error}; copy it from the excerpt"), "stat")
        })
    }

    fn view(&self) -> Result<View, BadArguments> {
        match self.text("view")?.as_deref().map(str::trim) {
            None | Some("text") => Ok(View::Text),
            Some("raw") => Ok(View::Raw),
            Some(other) => {
                let other = clip(other, 40);
                bad(format!("there is no view {other:?}; there are text, raw"), "range")
            }
        }
    }

    fn unit(&self) -> Result<Unit, BadArguments> {
        match self.text("unit")?.as_deref().map(str::trim) {
            None | Some("lines" | "line") => Ok(Unit::Lines),
            Some("bytes" | "byte") => Ok(Unit::Bytes),
            Some("chars" | "char") => Ok(Unit::Chars),
            Some(other) => {
                let other = clip(other, 40);
                bad(format!("there is no unit {other:?}; there are lines, bytes, chars"), "range")
            }
        }
    }

    /// `count`, which is called `lines` by some.
    fn lines(&self) -> Result<Option<u64>, BadArguments> {
        let name = if self.given("count") { "count" } else { "lines" };
        // Nothing at all is never what is wanted.
        Ok(self.integer(name, "range")?.map(|count| count.max(1).unsigned_abs()))
    }

    fn query(&self) -> Result<GrepQuery, BadArguments> {
        let Some(text) = self.text("pattern")? else {
            return bad("\"pattern\" is missing: give the text to look for".to_owned(), "grep");
        };
        let literal = self.flag("literal")?.unwrap_or(false);
        let regex = self.flag("regex")?.unwrap_or(true) && !literal;
        let case = match self.text("case")?.as_deref().map(str::trim) {
            None if self.flag("ignore_case")? == Some(true) => Case::Insensitive,
            None | Some("smart") => Case::Smart,
            Some("sensitive") => Case::Sensitive,
            Some("insensitive") => Case::Insensitive,
            Some(other) => {
                let other = clip(other, 40);
                return bad(
                    format!("there is no case {other:?}; there are smart, sensitive, insensitive"),
                    "grep",
                );
            }
        };
        let word = self.flag("word")?.unwrap_or(false);
        let small =
            |name| Ok(self.natural(name, "grep")?.map(|n| n.min(u64::from(u32::MAX)) as u32));
        let context = small("context")?.unwrap_or(0);
        Ok(GrepQuery {
            pattern: Pattern { text, regex, case, word },
            invert: self.flag("invert")?.unwrap_or(false),
            count_only: self.flag("count_only")?.unwrap_or(false),
            before: small("before")?.unwrap_or(context),
            after: small("after")?.unwrap_or(context),
            max_matches: small("max_matches")?.map(|max| max.max(1)),
            place: self.place()?,
        })
    }

    /// Where a search goes on. Earlier calls that showed nothing are replaced by the last: what they found is said
    /// in `so_far`.
    fn place(&self) -> Result<Place, BadArguments> {
        let place = Place::at(self.natural("from", "grep")?.unwrap_or(0));
        match self.text("so_far")? {
            None => Ok(place),
            Some(text) => place.with_so_far(text.trim()).map_or_else(
                || bad("\"so_far\" must be as an answer gave it, or left out".to_owned(), "grep"),
                Ok,
            ),
        }
    }

    fn flag(&self, name: &'static str) -> Result<Option<bool>, BadArguments> {
        match self.get(name) {
            None => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(Value::Number(n)) if n.as_u64() == Some(0) => Ok(Some(false)),
            Some(Value::Number(n)) if n.as_u64() == Some(1) => Ok(Some(true)),
            Some(Value::String(text)) => match text.trim().to_ascii_lowercase().as_str() {
                "" => Ok(None),
                "true" => Ok(Some(true)),
                "false" => Ok(Some(false)),
                _ => {
                    bad(format!("{name:?} must be true or false, not {:?}", clip(text, 40)), "grep")
                }
            },
            Some(other) => {
                bad(format!("{name:?} must be true or false, not {}", kind(other)), "grep")
            }
        }
    }

    /// A number that counts something; a negative one is refused.
    fn natural(
        &self,
        name: &'static str,
        example: &'static str,
    ) -> Result<Option<u64>, BadArguments> {
        match self.integer(name, example)?.map(u64::try_from) {
            None => Ok(None),
            Some(Ok(number)) => Ok(Some(number)),
            Some(Err(_)) => bad(format!("{name:?} must be 0 or more"), example),
        }
    }

    /// A whole number, also as a string. One too large for 64 bits is the largest.
    fn integer(
        &self,
        name: &'static str,
        example: &'static str,
    ) -> Result<Option<i64>, BadArguments> {
        let number = match self.get(name) {
            None => return Ok(None),
            Some(Value::Number(number)) => whole(&number.to_string()),
            Some(Value::String(text)) if text.trim().is_empty() => return Ok(None),
            Some(Value::String(text)) => whole(text.trim()),
            Some(other) => {
                let other = kind(other);
                return bad(format!("{name:?} must be a whole number, not {other}"), example);
            }
        };
        match number {
            Some(number) => Ok(Some(number)),
            None => {
                let shown = self.get(name).map(Value::to_string).unwrap_or_default();
                let shown = clip(&shown, 40);
                bad(format!("{name:?} must be a whole number, not {shown}"), example)
            }
        }
    }
}

/// The whole number that a text is; the nearest that there is when it is too large.
fn whole(text: &str) -> Option<i64> {
    if let Ok(number) = text.parse::<i64>() {
        return Some(number);
    }
    // What is left is `4.0`, `1e3`, what is out of range, and what is no number. The conversion
    // goes to the nearest.
    let number = text.parse::<f64>().ok()?;
    (number.is_finite() && number.fract() == 0.0).then_some(number as i64)
}
