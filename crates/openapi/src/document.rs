//! A description as it was written, its references and addresses.

use serde_json::{Map, Value};
use url::Url;

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

/// The address of a server, with its variables at their defaults.
pub(crate) fn server_of(server: &Value) -> Option<String> {
    let mut address = text(server, "url")?.to_owned();
    let variables = server.get("variables").and_then(Value::as_object);
    for (name, variable) in variables.into_iter().flatten() {
        if let Some(default) = text(variable, "default") {
            address = address.replace(&format!("{{{name}}}"), default);
        }
    }
    Some(address)
}

/// An address that can be asked, without what stands behind its path.
pub(crate) fn address(said: &str, from: Option<&Url>) -> Result<Url, String> {
    let shown = weir_base::clip(said, 200);
    let parsed = from.map_or_else(|| Url::parse(said), |from| from.join(said));
    let mut url = parsed.map_err(|error| format!("cannot be used: {shown}: {error}"))?;
    if !matches!(url.scheme(), "http" | "https") || said.contains('{') {
        return Err(format!("is not a whole address of http or https: {shown}"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err("holds a name or a password, which belong under auth or headers".to_owned());
    }
    url.set_query(None);
    url.set_fragment(None);
    Ok(url)
}
