//! JSON of a host, read without changing what is not ours: members keep their order, numbers their
//! digits, unknown values their bytes.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use weir_text::surrogates;

/// An object whose values are still text. Those of an event are places in the event, however deep: it is as
/// large as the result in it, and is not copied.
#[derive(Debug, Clone, Default)]
pub(super) struct Object {
    source: Arc<String>,
    members: Vec<(String, Member)>,
}

/// A value as JSON.
#[derive(Debug, Clone)]
enum Member {
    /// As it came.
    At(Range<usize>),
    /// Put in by us.
    New(Box<RawValue>),
}

/// The members of an object, in order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<String, &'de RawValue>()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

impl Object {
    pub(super) fn of_event(json: Vec<u8>) -> Option<Object> {
        let json = String::from_utf8(json).ok()?;
        // Some hosts write a byte order mark.
        let start = if json.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let end = json.len();
        Object::within(&Arc::new(json), start..end)
    }

    pub(super) fn parse(json: &str) -> Option<Object> {
        Object::within(&Arc::new(json.to_owned()), 0..json.len())
    }

    fn within(source: &Arc<String>, place: Range<usize>) -> Option<Object> {
        let Members(members) = serde_json::from_str(source.get(place)?).ok()?;
        let begin = source.as_ptr() as usize;
        let members = members.into_iter().map(|(name, value)| {
            let start = value.get().as_ptr() as usize - begin;
            (name, Member::At(start..start + value.get().len()))
        });
        Some(Object { members: members.collect(), source: Arc::clone(source) })
    }

    fn json<'a>(&'a self, member: &'a Member) -> &'a str {
        match member {
            Member::At(place) => self.source.get(place.clone()).unwrap_or("null"),
            Member::New(value) => value.get(),
        }
    }

    /// The last of a name: of two the last counts, as in every host's own parser.
    fn member(&self, name: &str) -> Option<&Member> {
        self.members.iter().rev().find(|(key, _)| key == name).map(|(_, member)| member)
    }

    /// A member as JSON.
    pub(super) fn raw(&self, name: &str) -> Option<&str> {
        self.member(name).map(|member| self.json(member))
    }

    /// A member as JSON, unless it is `null`.
    pub(super) fn present(&self, name: &str) -> Option<&str> {
        self.raw(name).filter(|value| *value != "null")
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        string(self.raw(name)?)
    }

    pub(super) fn object(&self, name: &str) -> Option<Object> {
        match self.member(name)? {
            Member::At(place) => Object::within(&self.source, place.clone()),
            Member::New(value) => Object::parse(value.get()),
        }
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.raw(name) == Some("true")
    }

    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.raw(name)?.parse().ok()
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.members.retain(|(key, _)| key != name);
    }

    /// Puts a JSON value at a path of names, in its old place.
    pub(super) fn set(&mut self, path: &[&str], value: String) {
        let Some((name, rest)) = path.split_first() else { return };
        let value = match rest {
            [] => value,
            _ => {
                let mut inner = self.object(name).unwrap_or_default();
                inner.set(rest, value);
                inner.to_json()
            }
        };
        let Ok(value) = RawValue::from_string(value) else { return };
        let value = Member::New(value);
        match self.members.iter_mut().rev().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.members.push(((*name).to_owned(), value)),
        }
    }

    pub(super) fn to_json(&self) -> String {
        let member =
            |(name, value): &(String, Member)| format!("{}:{}", quote(name), self.json(value));
        let members: Vec<String> = self.members.iter().map(member).collect();
        format!("{{{}}}", members.join(","))
    }
}

/// The items of an array, as JSON.
pub(super) fn items(json: &str) -> Option<Vec<Box<RawValue>>> {
    serde_json::from_str(json).ok()
}

/// A JSON string. Half of a surrogate pair, which hosts that cut a text by UTF-16 units leave
/// behind, becomes U+FFFD.
pub(super) fn string(json: &str) -> Option<String> {
    if !json.starts_with('"') {
        return None;
    }
    serde_json::from_str(json)
        .ok()
        .or_else(|| serde_json::from_str(&surrogates::replaced(json)).ok())
}

/// A content block of MCP's.
#[derive(Debug, Clone)]
pub(super) enum Block {
    /// A text block: all of it, with its text taken out of it.
    Text(Object),
    /// Any other.
    Other(Box<RawValue>),
}

/// The blocks of an array and their texts; `None` for anything else.
pub(super) fn blocks(json: &str) -> Option<(Vec<Block>, Vec<String>)> {
    let mut texts = Vec::new();
    let mut blocks = Vec::new();
    for item in items(json)? {
        let object = Object::parse(item.get())?;
        match (object.text("type").as_deref(), object.text("text")) {
            (Some("text"), Some(text)) => {
                texts.push(text);
                blocks.push(Block::Text(object));
            }
            _ => blocks.push(Block::Other(item)),
        }
    }
    Some((blocks, texts))
}

/// The array with other texts. A text block that there is no text for goes.
pub(super) fn filled_blocks(blocks: Vec<Block>, texts: &[String]) -> String {
    let mut texts = texts.iter();
    let blocks: Vec<String> = blocks
        .into_iter()
        .filter_map(|block| match block {
            Block::Other(value) => Some(value.get().to_owned()),
            Block::Text(mut object) => {
                object.set(&["text"], quote(texts.next()?));
                Some(object.to_json())
            }
        })
        .collect();
    format!("[{}]", blocks.join(","))
}

pub(super) fn quote(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}
