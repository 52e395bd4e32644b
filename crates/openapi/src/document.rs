//! A description as it was written, and its references.

use serde_json::{Map, Value};

/// References that lead to references, in a row.
const MAX_HOPS: usize = 16;

/// A description.
pub(crate) struct Document {
    pub(crate) root: Value,
    /// Whether it is Swagger 2.0.
    pub(crate) is_swagger: bool,
}

impl Document {
    /// Reads JSON or YAML.
    pub(crate) fn read(bytes: &[u8]) -> Result<Document, String> {
        let text = std::str::from_utf8(bytes).map_err(|_| "it is not text in UTF-8")?;
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let root: Value = match text.trim_start().starts_with('{') {
            true => serde_json::from_str(text).map_err(|error| format!("not JSON: {error}"))?,
            false => yaml(text)?,
        };
        let version = |key: &str| match root.get(key) {
            Some(Value::String(text)) => text.clone(),
            Some(Value::Number(number)) => number.to_string(),
            _ => String::new(),
        };
        let is_swagger = version("swagger").starts_with('2');
        if !is_swagger && !version("openapi").starts_with('3') {
            return Err(
                "it is not a description of OpenAPI 3.x or Swagger 2.0: at its top is neither \"openapi\" nor \"swagger\" with such a version"
                    .to_owned(),
            );
        }
        Ok(Document { root, is_swagger })
    }

    /// What a reference within the description leads to.
    pub(crate) fn at(&self, reference: &str) -> Option<&Value> {
        let pointer = reference.strip_prefix('#')?;
        let pointer = percent_encoding::percent_decode_str(pointer).decode_utf8().ok()?;
        self.root.pointer(&pointer)
    }

    /// What a value is, where it may be a reference; `None` where the reference leads nowhere.
    pub(crate) fn follow<'d>(&'d self, mut value: &'d Value) -> Option<&'d Value> {
        for _ in 0..MAX_HOPS {
            match value.get("$ref").and_then(Value::as_str) {
                None => return Some(value),
                Some(reference) => value = self.at(reference)?,
            }
        }
        None
    }

    /// The ways to log in that it knows, by their names.
    pub(crate) fn schemes(&self) -> Map<String, Value> {
        let place =
            if self.is_swagger { "/securityDefinitions" } else { "/components/securitySchemes" };
        self.root.pointer(place).and_then(Value::as_object).cloned().unwrap_or_default()
    }
}

fn yaml(text: &str) -> Result<Value, String> {
    // The bounds that it has by default are for files that a person writes.
    let options = serde_saphyr::options! {
        strict_booleans: true,
        budget: serde_saphyr::budget! {
            max_events: 20_000_000,
            max_nodes: 10_000_000,
            max_total_scalar_bytes: 128 << 20,
            max_depth: 200,
        },
    };
    // The first line has the place; the excerpt below it is no help in a log.
    serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        format!("neither JSON nor YAML: {}", error.to_string().lines().next().unwrap_or_default())
    })
}

/// The list under a key; empty where there is none.
pub(crate) fn list<'v>(value: &'v Value, key: &str) -> &'v [Value] {
    value.get(key).and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default()
}

/// The text under a key.
pub(crate) fn text<'v>(value: &'v Value, key: &str) -> Option<&'v str> {
    value.get(key).and_then(Value::as_str)
}
