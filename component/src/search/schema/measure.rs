//! A schema's text: its length, its depth, its digest, and whether it can be read.

use weir_text::compact::each_piece;

use crate::limits::{SCHEMA_MAX_BYTES, SCHEMA_MAX_DEPTH};
use crate::search::fingerprint::{Fingerprint, Pieces};

/// Names a schema's text: the digest of it without white space between its tokens, so that
/// formatting changes nothing. It need not be JSON.
pub fn fingerprint(text: &str) -> Fingerprint {
    let mut pieces = Pieces::default();
    each_piece(text, |piece| pieces.push(piece));
    pieces.finish()
}

/// A JSON text without white space between its tokens.
pub(crate) fn compact(text: &str) -> String {
    let mut compact = Vec::with_capacity(text.len());
    each_piece(text, |piece| compact.extend_from_slice(piece));
    // Pieces end at ASCII only; a text stays one.
    String::from_utf8(compact).unwrap_or_default()
}

/// Why a schema is kept and shown, but nothing is checked by it.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
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
pub fn readable(text: &str) -> Result<(), Opaque> {
    if text.len() > SCHEMA_MAX_BYTES {
        return Err(Opaque::Long);
    }
    if each_piece(text, |_| ()) > SCHEMA_MAX_DEPTH {
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
        assert_ne!(fingerprint(compact), fingerprint(r#"{"a":"x \" y","b":[1,2]}"#));
    }

    #[test]
    fn what_cannot_be_read_is_named() {
        assert_eq!(readable("{}"), Ok(()));
        assert!(matches!(readable("{"), Err(Opaque::Malformed(_))));
        assert!(matches!(readable("[]"), Err(Opaque::Malformed(_))));
        let deep = format!("{}1{}", "{\"a\":".repeat(100_000), "}".repeat(100_000));
        assert_eq!(readable(&deep), Err(Opaque::Deep));
        assert_eq!(readable(&" ".repeat(SCHEMA_MAX_BYTES + 1)), Err(Opaque::Long));
    }

    proptest! {
        #[test]
        fn compact_text_is_what_a_writer_makes(value in json_value()) {
            let compact = serde_json::to_string(&value).unwrap();
            let pretty = serde_json::to_string_pretty(&value).unwrap();
            prop_assert_eq!(super::compact(&pretty), &*compact);
            prop_assert_eq!(fingerprint(&pretty), Fingerprint::of(compact.as_bytes()));
        }

        #[test]
        fn any_text_is_scanned(text in "[\\PC\"\\\\{}\\[\\] ]{0,60}") {
            prop_assert!(compact(&text).len() <= text.len());
            let _ = readable(&text);
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
