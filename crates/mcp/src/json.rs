//! Raw JSON text, edited in place.
//!
//! A gateway that parses a message into values and prints it again changes it: key order, the
//! spelling of numbers, members nobody modelled. Here a document stays text. Functions find the
//! span of one member and replace, insert or remove just that; every other byte stays as it was.
//!
//! The text is taken to be valid JSON ([`Json`] guarantees it). On text that is not, the functions
//! answer `None` or give the text back unchanged; they never panic.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use serde::de::{Error as _, MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::value::RawValue;
use weir_text::surrogates;

/// A JSON value as the text it was written in.
#[derive(Clone, PartialEq, Eq)]
pub struct Json(Box<str>);

impl Json {
    /// Checks that `text` is one JSON value.
    ///
    /// # Errors
    /// The parser's complaint, with line and column.
    pub fn parse(text: String) -> Result<Json, serde_json::Error> {
        let raw = RawValue::from_string(text)?;
        Ok(Json(raw.into()))
    }

    /// Writes a value as JSON. What cannot be written (a map with keys that are no strings) is `null`.
    pub fn of<T: Serialize + ?Sized>(value: &T) -> Json {
        Json(serde_json::to_string(value).unwrap_or_else(|_| "null".to_owned()).into())
    }

    /// Takes text that was put together from valid parts.
    pub fn assembled(text: String) -> Json {
        debug_assert!(serde_json::from_str::<&RawValue>(&text).is_ok(), "not JSON: {text}");
        Json(text.into())
    }

    /// An object without members.
    pub fn empty() -> Json {
        Json("{}".into())
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether it is a string.
    pub fn is_text(&self) -> bool {
        self.0.starts_with('"')
    }

    /// Reads it into a type. `None` when it does not fit.
    pub fn read<'a, T: Deserialize<'a>>(&'a self) -> Option<T> {
        serde_json::from_str(&self.0).ok()
    }

    /// The text of the value at `path`, where every step is a member's name.
    pub fn get(&self, path: &[&str]) -> Option<&str> {
        find(&self.0, path).and_then(|span| self.0.get(span))
    }

    /// The string at `path`, unescaped.
    pub fn text_at(&self, path: &[&str]) -> Option<String> {
        self.get(path).and_then(string)
    }

    /// The value at `path` as a [`Json`] of its own.
    pub fn at(&self, path: &[&str]) -> Option<Json> {
        self.get(path).map(|text| Json(text.into()))
    }

    /// The items of the array at `path`, each as text. Empty when there is no array.
    pub fn items(&self, path: &[&str]) -> Vec<&str> {
        self.get(path).map(items).unwrap_or_default()
    }

    /// This object with each item of the array at `path` changed.
    #[must_use]
    pub fn with_items(&self, path: &[&str], change: impl FnMut(&str) -> String) -> Json {
        let items: Vec<String> = self.items(path).into_iter().map(change).collect();
        self.with(path, &format!("[{}]", items.join(",")))
    }

    /// This object with the value at `path` set to `value`. Missing objects on the way are created
    /// at the end of theirs. Unchanged when something on the way is not an object.
    #[must_use]
    pub fn with(&self, path: &[&str], value: &str) -> Json {
        Json::assembled(set(&self.0, path, value))
    }

    /// This object without the member at `path`.
    #[must_use]
    pub fn without(&self, path: &[&str]) -> Json {
        match remove(&self.0, path) {
            Some(text) => Json::assembled(text),
            None => self.clone(),
        }
    }
}

impl fmt::Display for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl fmt::Debug for Json {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let end = self.0.floor_char_boundary(200);
        write!(f, "Json({}{})", &self.0[..end], if end < self.0.len() { "…" } else { "" })
    }
}

impl<'de> Deserialize<'de> for Json {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Box::<RawValue>::deserialize(deserializer).map(|raw| Json(raw.into()))
    }
}

impl Serialize for Json {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let raw: &RawValue = serde_json::from_str(&self.0).map_err(serde::ser::Error::custom)?;
        raw.serialize(serializer)
    }
}

/// `text` as a JSON string with its quotes.
pub fn quote(text: &str) -> String {
    serde_json::to_string(text).unwrap_or_else(|_| "\"\"".to_owned())
}

struct Each<F>(F);

impl<'t, F: FnMut(&'t str, &'t str) -> bool> Visitor<'t> for Each<F> {
    type Value = ();

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("an object")
    }

    fn visit_map<A: MapAccess<'t>>(mut self, mut map: A) -> Result<(), A::Error> {
        while let Some((name, value)) = map.next_entry::<&RawValue, &RawValue>()? {
            if !(self.0)(name.get(), value.get()) {
                return Err(A::Error::custom("enough"));
            }
        }
        Ok(())
    }
}

/// Shows each member of an object, its name in quotes as it is written, until `visit` has enough. `None` where
/// the text is no object up to there.
fn each_member<'t>(text: &'t str, mut visit: impl FnMut(&'t str, &'t str) -> bool) -> Option<()> {
    let mut goes_on = true;
    let each = Each(|name, value| {
        goes_on = visit(name, value);
        goes_on
    });
    let read = serde_json::Deserializer::from_str(text).deserialize_map(each);
    (read.is_ok() || !goes_on).then_some(())
}

/// Where a part of a text lies in it.
fn place(text: &str, part: &str) -> Range<usize> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    start..start + part.len()
}

/// The string that `json` is, with U+FFFD for each half of a surrogate pair that stands alone.
pub fn string(json: &str) -> Option<String> {
    serde_json::from_str(json).or_else(|_| serde_json::from_str(&surrogates::replaced(json))).ok()
}

fn name_is(quoted: &str, name: &str) -> bool {
    let inner = &quoted[1..quoted.len() - 1];
    if inner.contains('\\') {
        serde_json::from_str::<String>(quoted).is_ok_and(|unescaped| unescaped == name)
    } else {
        inner == name
    }
}

/// The members of the object in `text`, in order: names unescaped, values as text.
pub fn members(text: &str) -> Vec<(Cow<'_, str>, &str)> {
    let mut found = Vec::new();
    each_member(text, |quoted, value| {
        let name = if quoted.contains('\\') {
            string(quoted).map_or(Cow::Borrowed(""), Cow::Owned)
        } else {
            Cow::Borrowed(&quoted[1..quoted.len() - 1])
        };
        found.push((name, value));
        true
    });
    found
}

/// The values of these members of the object in `text`, found in one pass; of a name that is there twice the first.
pub fn values_of<'t, const N: usize>(text: &'t str, names: [&str; N]) -> [Option<&'t str>; N] {
    let mut found = [None; N];
    each_member(text, |quoted, value| {
        let named = names.iter().position(|name| name_is(quoted, name));
        if let Some(found) = named.map(|at| &mut found[at]).filter(|found| found.is_none()) {
            *found = Some(value);
        }
        found.contains(&None)
    });
    found
}

/// Which of these names the object in `text` has twice. Readers differ in which of the two counts, so
/// nothing may be decided by such a member.
pub fn repeated_name<'a>(text: &str, names: &[&'a str]) -> Option<&'a str> {
    let members = members(text);
    let count = |name: &str| members.iter().filter(|(member, _)| member == name).count();
    names.iter().copied().find(|name| count(name) > 1)
}

/// The items of the array in `text`, each as text. Empty when it is not an array.
pub fn items(text: &str) -> Vec<&str> {
    let items: Vec<&RawValue> = serde_json::from_str(text).unwrap_or_default();
    items.into_iter().map(RawValue::get).collect()
}

/// The span of the value at `path`.
pub fn find(text: &str, path: &[&str]) -> Option<Range<usize>> {
    // Most members that are looked for are not there, which is seen faster than the text is read. There are two escapes by
    // which a name may be written otherwise than we write it.
    let holds = |part: &str| memchr::memmem::find(text.as_bytes(), part.as_bytes()).is_some();
    if !path.iter().all(|step| holds(&quote(step))) && !holds(r"\u") && !holds(r"\/") {
        return None;
    }
    let mut value = text.trim_ascii();
    for step in path {
        let mut found = None;
        each_member(value, |name, value| {
            if name_is(name, step) {
                found = Some(value);
            }
            found.is_none()
        })?;
        value = found?;
    }
    Some(place(text, value))
}

/// `text` with the value at `path` set to `value`.
pub fn set(text: &str, path: &[&str], value: &str) -> String {
    if let Some(span) = find(text, path) {
        return [&text[..span.start], value, &text[span.end..]].concat();
    }
    // The deepest object that is there gets a new last member that holds the rest of the path.
    for depth in (0..path.len()).rev() {
        let Some(span) = find(text, &path[..depth]) else { continue };
        let object = &text[span.clone()];
        if !object.starts_with('{') || !object.ends_with('}') {
            return text.to_owned();
        }
        let mut member = value.to_owned();
        for step in path[depth + 1..].iter().rev() {
            member = format!("{{{}:{member}}}", quote(step));
        }
        let close = span.end - 1;
        let empty = object[1..object.len() - 1].trim().is_empty();
        let comma = if empty { "" } else { "," };
        return format!(
            "{}{comma}{}:{member}{}",
            &text[..close],
            quote(path[depth]),
            &text[close..]
        );
    }
    text.to_owned()
}

/// `text` without the member at `path`, or `None` when there is none.
pub fn remove(text: &str, path: &[&str]) -> Option<String> {
    let (last, parents) = path.split_last()?;
    let outer = find(text, parents)?;
    let object = &text[outer.clone()];
    let (mut before, mut cut) = (None, None);
    each_member(object, |name, value| {
        let end = place(object, value).end;
        if name_is(name, last) {
            cut = Some(place(object, name).start..end);
            return false;
        }
        before = Some(end);
        true
    })?;
    let Range { mut start, mut end } = cut?;
    if let Some(before) = before {
        start = before;
    } else if let Some(after) = object[end..].trim_ascii_start().strip_prefix(',') {
        end = place(object, after.trim_ascii_start()).start;
    }
    Some([&text[..outer.start + start], &text[outer.start + end..]].concat())
}

/// Levels of nesting in which members are sorted. What is deeper stays as it is written.
const SORTED_DEPTH: usize = 128;

/// `text` without blanks, its members sorted by name and its strings in one spelling: the same for any two
/// texts that differ in nothing else. Of members with one name all stay, in their order.
pub fn sorted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    write_sorted(text, 0, &mut out);
    out
}

fn write_sorted(text: &str, depth: usize, out: &mut String) {
    match text.as_bytes().first() {
        Some(b'{') if depth < SORTED_DEPTH => {
            let mut members = members(text);
            members.sort_by(|(a, _), (b, _)| a.cmp(b));
            out.push('{');
            for (at, (name, value)) in members.into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                out.push_str(&quote(&name));
                out.push(':');
                write_sorted(value, depth + 1, out);
            }
            out.push('}');
        }
        Some(b'[') if depth < SORTED_DEPTH => {
            out.push('[');
            for (at, item) in items(text).into_iter().enumerate() {
                out.push_str(if at > 0 { "," } else { "" });
                write_sorted(item, depth + 1, out);
            }
            out.push(']');
        }
        Some(b'"') => match string(text) {
            Some(plain) => out.push_str(&quote(&plain)),
            None => out.push_str(text),
        },
        _ => out.push_str(text),
    }
}

/// How many times longer one spelling of a value may be than another.
const SPELLING: usize = 16;

/// Whether texts say a JSON value once more: one of them in whatever spelling, or each of them one item of its list,
/// in order, as Python's SDK writes lists.
pub fn is_said(texts: &[String], json: &str) -> bool {
    let read = |text: &str| serde_json::from_str::<serde_json::Value>(text).ok();
    let may_be = |text: &&String| {
        text.trim_start().as_bytes().first() == json.as_bytes().first()
            && text.len() >= json.len() / SPELLING
    };
    let mut alike = texts.iter().filter(may_be).peekable();
    let lists = json.starts_with(['[', '{']) && texts.len() > 1;
    if texts.iter().any(|text| text == json) {
        return true;
    }
    if alike.peek().is_none() && !lists {
        return false;
    }
    let Some(value) = read(json) else { return false };
    let list = match &value {
        serde_json::Value::Object(members) if members.len() == 1 => members.values().next(),
        value => Some(value),
    };
    let items = list.and_then(|list| list.as_array()).filter(|items| items.len() == texts.len());
    alike.any(|text| read(text).as_ref() == Some(&value))
        || items.is_some_and(|items| {
            let is_item = |(text, item): (&String, &serde_json::Value)| {
                item.as_str() == Some(text) || read(text).as_ref() == Some(item)
            };
            texts.iter().zip(items).all(is_item)
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_texts_say_once_more_is_told_whatever_its_spelling_and_item_by_item() {
        let says = |texts: &[&str], json: &str| {
            is_said(&texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>(), json)
        };
        assert!(says(&["words", " {\"b\": 2,\n\"a\": 1}"], r#"{"a":1,"b":2}"#));
        assert!(says(&["{\n\"a\": 1}", "{\"a\": 2}"], r#"{"result":[{"a":1},{"a":2}]}"#));
        assert!(says(&["a", "b"], r#"["a","b"]"#) && says(&["[]"], "[]"));
        assert!(!says(&["{\"a\": 2}", "{\"a\": 1}"], r#"{"result":[{"a":1},{"a":2}]}"#));
        assert!(!says(&["{\"a\": 1}"], r#"{"result":[{"a":1},{"a":2}]}"#) && !says(&[], "[]"));
        assert!(!says(&["{\"a\": 1}", "{\"a\": 2}"], r#"{"result":[{"a":1},{"a":2}],"n":2}"#));
    }

    #[test]
    fn a_member_that_is_there_twice_is_seen_however_it_is_spelt() {
        let names = ["name", "uri"];
        assert_eq!(repeated_name(r#"{"name":1,"x":2,"x":3,"uri":4}"#, &names), None);
        assert_eq!(repeated_name(r#"{"name":1,"n\u0061me":2}"#, &names), Some("name"));
        assert_eq!(repeated_name(r#"{"uri":1,"a":{"uri":2},"uri":3}"#, &names), Some("uri"));
        assert_eq!(repeated_name("[1]", &names), None);
    }

    #[test]
    fn values_of_several_members_are_found_at_once() {
        let text = r#" {"a":1.10,"b":{"c":2},"n\u0061me":"x","a":3} "#;
        let found = values_of(text, ["name", "a", "c", "b"]);
        assert_eq!(found, [Some("\"x\""), Some("1.10"), None, Some(r#"{"c":2}"#)]);
        assert_eq!(values_of("[1]", ["a"]), [None]);
        assert_eq!(values_of(r#"{"a":1,"b""#, ["a", "b"]), [Some("1"), None]);
    }

    const TEXT: &str = r#" {"a" : 1.10, "b":{"c":[1,"x]}",{}],"d\u0065":2} ,"_meta":{"k":null}}"#;

    #[test]
    fn finds_values_by_path() {
        assert_eq!(find(TEXT, &["a"]).map(|s| &TEXT[s]), Some("1.10"));
        assert_eq!(find(TEXT, &["b", "c"]).map(|s| &TEXT[s]), Some(r#"[1,"x]}",{}]"#));
        assert_eq!(find(TEXT, &["b", "de"]).map(|s| &TEXT[s]), Some("2"));
        assert_eq!(find(TEXT, &["b", "x"]), None);
        assert_eq!(items(r#"[1,"x]}",{}, [2] ]"#), ["1", r#""x]}""#, "{}", "[2]"]);
        assert!(items("[ ]").is_empty());
    }

    #[test]
    fn a_name_is_found_however_it_is_spelt() {
        let text = r#"{"a\/b":1,"\u0063":2,"d\"\\\n":3,"\u00e9":4}"#;
        for (name, value) in [("a/b", "1"), ("c", "2"), ("d\"\\\n", "3"), ("\u{e9}", "4")] {
            assert_eq!(find(text, &[name]).map(|s| &text[s]), Some(value), "{name}");
            let alone = format!("{{{}:[]}}", quote(name));
            assert_eq!(find(&alone, &[name]).map(|s| &alone[s]), Some("[]"), "{name}");
        }
        assert_eq!(find(r#"{"x":"\n\"a\""}"#, &["a"]), None);
    }

    #[test]
    fn replaces_only_the_value_named() {
        let edited = set(TEXT, &["b", "c"], "7");
        assert_eq!(edited, r#" {"a" : 1.10, "b":{"c":7,"d\u0065":2} ,"_meta":{"k":null}}"#);
        assert_eq!(set(&edited, &["b", "c"], r#"[1,"x]}",{}]"#), TEXT);
    }

    #[test]
    fn inserts_missing_members_and_takes_them_out_again() {
        for (text, path) in [
            ("{}", &["x"][..]),
            (r#"{"a":1}"#, &["x"][..]),
            (r#"{"_meta":{}}"#, &["_meta", "t"][..]),
            (r#"{"_meta":{"k":1}}"#, &["_meta", "t"][..]),
        ] {
            let added = set(text, path, "9");
            assert_eq!(
                find(&added, path).map(|s| added[s].to_owned()),
                Some("9".into()),
                "{added}"
            );
            assert_eq!(remove(&added, path).as_deref(), Some(text));
        }
        assert_eq!(set("{}", &["a", "b"], "1"), r#"{"a":{"b":1}}"#);
        assert_eq!(set(r#"{"a":3}"#, &["a", "b"], "1"), r#"{"a":3}"#);
        assert_eq!(remove(r#"{"a":1, "b":2}"#, &["a"]).as_deref(), Some(r#"{"b":2}"#));
    }

    #[test]
    fn broken_text_is_left_alone() {
        for text in ["", "{", "[", "{\"a\"", "{\"a\":", "{\"a\":\"", "}", "nul", "{\"a\":\"\\"] {
            let _ = (
                find(text, &["a"]),
                set(text, &["a"], "1"),
                remove(text, &["a"]),
                items(text),
                members(text),
            );
        }
    }

    #[test]
    fn half_a_character_costs_itself_alone() {
        let json = Json(r#"{"description":"Sends \"it\" \ud83d","whole":"\ud83d\ude00"}"#.into());
        assert_eq!(json.text_at(&["description"]).unwrap(), "Sends \"it\" \u{fffd}");
        assert_eq!(json.text_at(&["whole"]).unwrap(), "\u{1f600}");
        assert_eq!(members(r#"{"a\ud83d":1}"#), [("a\u{fffd}".into(), "1")]);
    }
}
