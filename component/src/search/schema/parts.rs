//! The parts of a schema's text, by their names: each as it stands there.

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
