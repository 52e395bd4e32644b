//! A tool's schema as text: its measure, its name, and its local references.

use serde_json::Value;

use super::fingerprint::{Fingerprint, Pieces};
use crate::limits::{SCHEMA_MAX_BYTES, SCHEMA_MAX_DEPTH};

/// What one pass over a schema's text finds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Scan {
    /// Characters without white space between tokens.
    pub compact_chars: usize,
    /// How deep objects and arrays are nested.
    pub depth: usize,
}

/// Measures a schema's text. It need not be JSON.
pub fn scan(text: &str) -> Scan {
    let mut compact_chars = 0;
    let depth = each_compact(text, |piece| {
        compact_chars += usize::try_from(crate::source::count_chars(piece)).unwrap_or(usize::MAX);
    });
    Scan { compact_chars, depth }
}

/// Names a schema's text: the digest of it without white space between its tokens, so that
/// formatting changes nothing. It need not be JSON.
pub fn fingerprint(text: &str) -> Fingerprint {
    let mut pieces = Pieces::default();
    each_compact(text, |piece| pieces.push(piece));
    pieces.finish()
}

/// Calls `each` with the parts of a text between white space that is outside strings. Says how deep
/// objects and arrays are nested.
fn each_compact(text: &str, mut each: impl FnMut(&[u8])) -> usize {
    let bytes = text.as_bytes();
    let (mut depth, mut deepest) = (0usize, 0usize);
    let (mut at, mut start) = (0, 0);
    while at < bytes.len() {
        match bytes[at] {
            b'"' => {
                at = end_of_string(bytes, at);
                continue;
            }
            b'{' | b'[' => {
                depth += 1;
                deepest = deepest.max(depth);
            }
            b'}' | b']' => depth = depth.saturating_sub(1),
            b' ' | b'\t' | b'\n' | b'\r' => {
                each(&bytes[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    each(&bytes[start..]);
    deepest
}

/// The offset after the string that starts at `at`, or the end.
fn end_of_string(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    while let Some(offset) = memchr::memchr2(b'"', b'\\', &bytes[at.min(bytes.len())..]) {
        at += offset;
        if bytes[at] == b'"' {
            return at + 1;
        }
        at += 2;
    }
    bytes.len()
}

/// Why a schema is kept and shown, but nothing is checked by it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub enum Opaque {
    /// It is not JSON, or not an object.
    Malformed(String),
    /// It is nested deeper than [`SCHEMA_MAX_DEPTH`].
    Deep,
    /// It is longer than [`SCHEMA_MAX_BYTES`].
    Long,
}

impl std::fmt::Display for Opaque {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Opaque::Malformed(why) => write!(f, "malformed: {why}"),
            Opaque::Deep => write!(f, "nested deeper than {SCHEMA_MAX_DEPTH} levels"),
            Opaque::Long => write!(f, "longer than {SCHEMA_MAX_BYTES} bytes"),
        }
    }
}

/// Whether a schema can be read, told without building it.
///
/// # Errors
/// [`Opaque`] says why not.
pub fn readable(text: &str, scan: &Scan) -> Result<(), Opaque> {
    if text.len() > SCHEMA_MAX_BYTES {
        return Err(Opaque::Long);
    }
    if scan.depth > SCHEMA_MAX_DEPTH {
        return Err(Opaque::Deep);
    }
    match serde_json::from_str::<serde::de::IgnoredAny>(text) {
        Err(error) => Err(Opaque::Malformed(error.to_string())),
        Ok(_) if !text.trim_start().starts_with('{') => {
            Err(Opaque::Malformed("not an object".to_owned()))
        }
        Ok(_) => Ok(()),
    }
}

/// What a reference inside a schema leads to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reference<'a> {
    /// A place in the same schema.
    Local(&'a Value),
    /// A place in the same schema that is not there.
    Missing,
    /// Somewhere else, which is never fetched.
    External,
}

/// Follows `$ref` within its own schema: `#` or `#/a/b`.
pub fn follow<'a>(root: &'a Value, reference: &str) -> Reference<'a> {
    match reference.strip_prefix('#') {
        Some("") => Reference::Local(root),
        Some(pointer) if pointer.starts_with('/') => {
            let found = root.pointer(pointer).or_else(|| root.pointer(&percent_decoded(pointer)));
            found.map_or(Reference::Missing, Reference::Local)
        }
        // A plain-name anchor is local too, but nobody writes them; it is not looked for.
        _ => Reference::External,
    }
}

fn percent_decoded(pointer: &str) -> String {
    let mut bytes = Vec::with_capacity(pointer.len());
    let mut rest = pointer.as_bytes();
    while let Some((&byte, tail)) = rest.split_first() {
        let decoded = (byte == b'%')
            .then(|| tail.get(..2))
            .flatten()
            .and_then(|hex| std::str::from_utf8(hex).ok())
            .and_then(|hex| u8::from_str_radix(hex, 16).ok());
        match decoded {
            Some(decoded) => {
                bytes.push(decoded);
                rest = &tail[2..];
            }
            None => {
                bytes.push(byte);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The types a schema allows by its `type` and OpenAPI's `nullable`; `None` when it names none.
pub fn types(schema: &Value) -> Option<Vec<&str>> {
    let mut types: Vec<&str> = match schema.get("type")? {
        Value::String(one) => vec![one],
        Value::Array(many) => many.iter().filter_map(Value::as_str).collect(),
        _ => return None,
    };
    if types.is_empty() {
        return None;
    }
    if schema.get("nullable") == Some(&Value::Bool(true)) && !types.contains(&"null") {
        types.push("null");
    }
    Some(types)
}

/// The parameters of a schema's top level: name, schema, whether required. Required ones come
/// first in the order of `required`, the others by name. What a local `$ref` or `allOf` at the top
/// adds is included.
pub fn parameters(root: &Value) -> Vec<(&str, &Value, bool)> {
    let mut properties: std::collections::BTreeMap<&str, &Value> = Default::default();
    let mut required: Vec<&str> = Vec::new();
    let mut pending = vec![root];
    // More parts than this are not what people write; each is looked at once, so circles end.
    const MAX_PARTS: usize = 32;
    let mut seen: Vec<&Value> = Vec::new();
    while let Some(part) = pending.pop() {
        if seen.len() == MAX_PARTS || seen.iter().any(|known| std::ptr::eq(*known, part)) {
            continue;
        }
        seen.push(part);
        if let Some(found) = part.get("properties").and_then(Value::as_object) {
            for (name, schema) in found {
                properties.entry(name).or_insert(schema);
            }
        }
        for name in part.get("required").and_then(Value::as_array).into_iter().flatten() {
            if let Some(name) = name.as_str()
                && !required.contains(&name)
            {
                required.push(name);
            }
        }
        if let Some(reference) = part.get("$ref").and_then(Value::as_str)
            && let Reference::Local(target) = follow(root, reference)
        {
            pending.push(target);
        }
        for inner in part.get("allOf").and_then(Value::as_array).into_iter().flatten().rev() {
            pending.push(inner);
        }
    }
    let mut parameters: Vec<(&str, &Value, bool)> = Vec::with_capacity(properties.len());
    for name in &required {
        parameters.push((name, properties.get(name).copied().unwrap_or(&Value::Null), true));
    }
    for (name, schema) in properties {
        if !required.contains(&name) {
            parameters.push((name, schema, false));
        }
    }
    parameters
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::json;

    #[test]
    fn formatting_does_not_change_a_schemas_name() {
        let compact = r#"{"a":"x  \" y","b":[1,2]}"#;
        let spaced = "{ \"a\" : \"x  \\\" y\",\n\t\"b\":[ 1, 2 ] }";
        assert_eq!(fingerprint(compact), fingerprint(spaced));
        assert_eq!(scan(compact), scan(spaced));
        assert_ne!(fingerprint(compact), fingerprint(r#"{"a":"x \" y","b":[1,2]}"#));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        let read = |text: &str| readable(text, &scan(text));
        assert_eq!(read("{}"), Ok(()));
        assert!(matches!(read("{"), Err(Opaque::Malformed(_))));
        assert!(matches!(read("[]"), Err(Opaque::Malformed(_))));
        let deep = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        assert_eq!(read(&deep), Err(Opaque::Deep));
        assert_eq!(read(&" ".repeat(SCHEMA_MAX_BYTES + 1)), Err(Opaque::Long));
    }

    #[test]
    fn references_stay_inside_their_schema() {
        let root = json!({"$defs": {"a b": {"type": "string"}}});
        assert_eq!(follow(&root, "#"), Reference::Local(&root));
        assert_eq!(follow(&root, "#/$defs/a%20b"), Reference::Local(&root["$defs"]["a b"]));
        assert_eq!(follow(&root, "#/$defs/c"), Reference::Missing);
        assert_eq!(follow(&root, "https://example.com/schema.json"), Reference::External);
        assert_eq!(follow(&root, "file:///etc/passwd"), Reference::External);
    }

    #[test]
    fn parameters_come_required_first_and_cycles_end() {
        let root = json!({
            "properties": {"z": {"type": "string"}, "a": {}, "m": {}},
            "required": ["z", "gone"],
            "allOf": [{"$ref": "#"}, {"properties": {"n": {}}, "required": ["n"]}],
        });
        let names: Vec<_> = parameters(&root).into_iter().map(|(n, _, r)| (n, r)).collect();
        assert_eq!(names, [("z", true), ("gone", true), ("n", true), ("a", false), ("m", false)]);
    }

    proptest! {
        #[test]
        fn the_scan_agrees_with_a_parser(value in json_value()) {
            let compact = serde_json::to_string(&value).unwrap();
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            let found = scan(&pretty);
            prop_assert_eq!(found.compact_chars, compact.chars().count());
            prop_assert_eq!(fingerprint(&pretty), Fingerprint::of(compact.as_bytes()));
        }

        #[test]
        fn any_text_is_scanned(text in "[\\PC\"\\\\{}\\[\\] ]{0,60}") {
            let found = scan(&text);
            prop_assert!(found.compact_chars <= text.chars().count());
            let _ = readable(&text, &found);
        }
    }

    fn json_value() -> impl Strategy<Value = Value> {
        let leaf = prop_oneof![
            Just(Value::Null),
            any::<i32>().prop_map(Value::from),
            "\\PC{0,8}".prop_map(Value::from),
        ];
        leaf.prop_recursive(4, 24, 4, |inner| {
            prop_oneof![
                proptest::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
                proptest::collection::btree_map("[a-z\" ]{0,5}", inner, 0..4)
                    .prop_map(|map| Value::Object(map.into_iter().collect())),
            ]
        })
    }
}
