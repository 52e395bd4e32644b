//! A schema's text: its length, its depth, its digest, and whether it can be read.

use crate::content::json::string_end;
use crate::limits::{SCHEMA_MAX_BYTES, SCHEMA_MAX_DEPTH};
use crate::search::fingerprint::{Fingerprint, Pieces};

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

/// A JSON text without white space between its tokens.
pub(crate) fn compact(text: &str) -> String {
    let mut compact = Vec::with_capacity(text.len());
    each_compact(text, |piece| compact.extend_from_slice(piece));
    // Pieces end at ASCII only; a text stays one.
    String::from_utf8(compact).unwrap_or_default()
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
                at = string_end(bytes, at + 1).unwrap_or(bytes.len());
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

/// Why a schema is kept and shown, but nothing is checked by it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error, serde::Serialize, serde::Deserialize)]
pub enum Opaque {
    /// It is not JSON, or not an object.
    #[error("malformed: {0}")]
    Malformed(String),
    /// It is nested deeper than [`SCHEMA_MAX_DEPTH`].
    #[error("nested deeper than {SCHEMA_MAX_DEPTH} levels")]
    Deep,
    /// It is longer than [`SCHEMA_MAX_BYTES`].
    #[error("longer than {SCHEMA_MAX_BYTES} bytes")]
    Long,
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

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use serde_json::Value;

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
