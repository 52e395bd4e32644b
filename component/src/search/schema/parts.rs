//! The parts of a schema's text, by their names: each as it stands there.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::value::RawValue;

/// References followed one after the other.
const MAX_REFERENCES: usize = 8;

/// What a local `$ref` leads to, or the part itself.
pub(crate) fn target<'a>(root: &'a str, part: &'a str) -> &'a str {
    let mut part = part;
    for _ in 0..MAX_REFERENCES {
        let reference = members(part)
            .and_then(|members| members.into_iter().find(|(key, _)| key == "$ref"))
            .and_then(|(_, raw)| serde_json::from_str::<String>(raw).ok());
        match reference.as_deref().and_then(|reference| pointed(root, reference)) {
            Some(found) => part = found,
            None => break,
        }
    }
    part
}

/// The text at `#/a/b`.
fn pointed<'a>(root: &'a str, reference: &str) -> Option<&'a str> {
    let mut at = root;
    for segment in reference.strip_prefix("#/")?.split('/') {
        let segment = segment.replace("~1", "/").replace("~0", "~");
        at = members(at)?.into_iter().find(|(key, _)| *key == segment)?.1;
    }
    Some(at)
}

/// The named parts of a part of a schema: its properties and those of its items and branches.
pub(crate) fn children<'a>(root: &'a str, part: &'a str) -> Vec<(String, &'a str)> {
    const MAX_PARTS: usize = 32;
    let mut found: Vec<(String, &'a str)> = Vec::new();
    let mut known = BTreeSet::new();
    let mut pending = vec![part];
    let mut parts = 0;
    while let Some(part) = pending.pop() {
        parts += 1;
        if parts > MAX_PARTS {
            break;
        }
        for (key, raw) in members(target(root, part)).unwrap_or_default() {
            match key.as_str() {
                "properties" => {
                    for (name, raw) in members(raw).unwrap_or_default() {
                        if known.insert(name.clone()) {
                            found.push((name, raw));
                        }
                    }
                }
                "items" => pending.push(raw),
                "anyOf" | "oneOf" | "allOf" => {
                    let branches = serde_json::from_str::<Vec<&'a RawValue>>(raw);
                    let branches = branches.unwrap_or_default();
                    pending.extend(branches.into_iter().rev().map(RawValue::get));
                }
                _ => {}
            }
        }
    }
    found
}

/// The members of a JSON object, in their order.
pub(crate) fn members(text: &str) -> Option<Vec<(String, &str)>> {
    struct Members;
    impl<'de> serde::de::Visitor<'de> for Members {
        type Value = Vec<(String, &'de str)>;

        fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
            f.write_str("an object")
        }

        fn visit_map<A: serde::de::MapAccess<'de>>(
            self,
            mut map: A,
        ) -> Result<Self::Value, A::Error> {
            let mut members = Vec::new();
            while let Some((key, raw)) = map.next_entry::<String, &'de RawValue>()? {
                members.push((key, raw.get()));
            }
            Ok(members)
        }
    }
    let mut deserializer = serde_json::Deserializer::from_str(text);
    serde::Deserializer::deserialize_map(&mut deserializer, Members).ok()
}

/// The members of an object in a text that is known to be JSON, in their order: sooner than [`members`], which checks
/// all that it passes. Of any other text it is no more than some parts.
pub(crate) fn members_of_json(text: &str) -> Option<Vec<(Cow<'_, str>, &str)>> {
    let bytes = text.as_bytes();
    let solid = |at: usize| {
        let space = bytes.get(at..).unwrap_or_default().iter();
        at + space.take_while(|byte| matches!(byte, b' ' | b'\t' | b'\n' | b'\r')).count()
    };
    let mut at = solid(0);
    let mut members = Vec::new();
    if bytes.get(at) != Some(&b'{') {
        return None;
    }
    // Behind a bracket or a comma stands a key, behind that and a colon a value.
    while let Some(b'{' | b',') = bytes.get(at) {
        let key = solid(at + 1);
        if bytes.get(key) != Some(&b'"') {
            break;
        }
        let key_end = string_end(bytes, key);
        let value = solid(solid(key_end) + 1);
        let end = value_end(bytes, value);
        members.push((string(text.get(key..key_end)?)?, text.get(value..end)?));
        at = solid(end);
    }
    Some(members)
}

/// Where the value ends that starts at `at`.
fn value_end(bytes: &[u8], mut at: usize) -> usize {
    let mut depth = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => {
                at = string_end(bytes, at);
                if depth == 0 {
                    return at;
                }
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' if depth > 1 => depth -= 1,
            b'}' | b']' => return at + depth,
            b' ' | b'\t' | b'\n' | b'\r' | b',' if depth == 0 => return at,
            _ => {}
        }
        at += 1;
    }
    at
}

/// Behind the quotes that end the string whose first are at `at`.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found + 1;
        if bytes[at - 1] == b'"' {
            return at;
        }
        at += 1;
    }
    bytes.len()
}

/// The text that a string of JSON stands for.
pub(crate) fn string(raw: &str) -> Option<Cow<'_, str>> {
    match raw.strip_prefix('"')?.strip_suffix('"') {
        Some(inside) if !inside.contains('\\') => Some(inside.into()),
        _ => serde_json::from_str::<String>(raw).ok().map(Cow::Owned),
    }
}
