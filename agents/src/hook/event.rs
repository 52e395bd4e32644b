//! JSON of a host, read without changing what is not ours: members keep their order, numbers their
//! digits, unknown values their bytes.

use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::quote;

/// An object whose values are still text.
#[derive(Debug, Clone, Default)]
pub(super) struct Object(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Object {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = Object;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Object, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<String, Box<RawValue>>()? {
                    members.push(member);
                }
                Ok(Object(members))
            }
        }
        deserializer.deserialize_map(Members)
    }
}

impl Object {
    pub(super) fn parse_slice(json: &[u8]) -> Option<Object> {
        // Some hosts write a byte order mark.
        serde_json::from_slice(json.strip_prefix(b"\xef\xbb\xbf").unwrap_or(json)).ok()
    }

    pub(super) fn parse(json: &str) -> Option<Object> {
        serde_json::from_str(json).ok()
    }

    /// A member as JSON. Of two with one name the last counts, as in every host's own parser.
    pub(super) fn raw(&self, name: &str) -> Option<&str> {
        self.0.iter().rev().find(|(key, _)| key == name).map(|(_, value)| value.get())
    }

    /// A member as JSON, unless it is `null`.
    pub(super) fn present(&self, name: &str) -> Option<&str> {
        self.raw(name).filter(|value| *value != "null")
    }

    pub(super) fn text(&self, name: &str) -> Option<String> {
        string(self.raw(name)?)
    }

    pub(super) fn object(&self, name: &str) -> Option<Object> {
        Object::parse(self.raw(name)?)
    }

    pub(super) fn is_true(&self, name: &str) -> bool {
        self.raw(name) == Some("true")
    }

    pub(super) fn integer(&self, name: &str) -> Option<i64> {
        self.raw(name)?.parse().ok()
    }

    pub(super) fn remove(&mut self, name: &str) {
        self.0.retain(|(key, _)| key != name);
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
        match self.0.iter_mut().rev().find(|(key, _)| key == name) {
            Some((_, old)) => *old = value,
            None => self.0.push(((*name).to_owned(), value)),
        }
    }

    pub(super) fn to_json(&self) -> String {
        let members: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{}:{}", quote(name), value.get())).collect();
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
    serde_json::from_str(json).ok().or_else(|| serde_json::from_str(&without_halves(json)).ok())
}

fn without_halves(json: &str) -> String {
    let unit = |at: usize| {
        let digits = json.get(at..at + 6)?.strip_prefix("\\u")?;
        u16::from_str_radix(digits, 16).ok()
    };
    let mut out = String::with_capacity(json.len());
    let mut at = 0;
    while let Some(found) = json[at..].find('\\').map(|found| at + found) {
        out.push_str(&json[at..found]);
        let (text, length) = match (unit(found), unit(found + 6)) {
            (Some(0xd800..=0xdbff), Some(0xdc00..=0xdfff)) => (&json[found..found + 12], 12),
            (Some(0xd800..=0xdfff), _) => ("\\ufffd", 6),
            _ => {
                let next = json[found + 1..].chars().next().map_or(0, char::len_utf8);
                (&json[found..found + 1 + next], 1 + next)
            }
        };
        out.push_str(text);
        at = found + length;
    }
    out.push_str(&json[at..]);
    out
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
