//! The component's settings, as JSON of its schema. A new setting changes nothing here.

use serde_json::{Map, Value, json};

use crate::contract::Problem;

/// What a user may change: an object of the tables `transform`, `fetch` and `store`, of which any key may be
/// missing. `weir config schema` prints the schema; [`Weir::settings_schema`](crate::Weir::settings_schema)
/// has it too.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Settings(Value);

impl Default for Settings {
    fn default() -> Settings {
        Settings(json!({}))
    }
}

impl Settings {
    /// Those that a JSON text has; none for what is no JSON object.
    pub(crate) fn read(json: &str) -> Settings {
        let read = serde_json::from_str::<Map<String, Value>>(json);
        Settings(read.map(Value::Object).unwrap_or_else(|_| json!({})))
    }

    /// With `key`, such as `transform.threshold_chars`, at this value. Any value is taken: the component names
    /// what it cannot use ([`Weir::parse_settings`](crate::Weir::parse_settings)).
    pub fn set(&mut self, key: &str, value: impl Into<Value>) {
        if let Some((table, name)) = key.split_once('.') {
            if !self.0[table].is_object() {
                self.0[table] = json!({});
            }
            self.0[table][name] = value.into();
        }
    }

    /// What `key` is set to.
    pub fn get(&self, key: &str) -> Option<&Value> {
        let (table, name) = key.split_once('.')?;
        self.0.get(table)?.get(name)
    }

    /// The number that `key` is set to.
    pub fn number(&self, key: &str) -> Option<u64> {
        self.get(key)?.as_u64()
    }

    /// As JSON.
    pub fn as_json(&self) -> &Value {
        &self.0
    }
}

/// Settings as the component read them: always usable.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Parsed {
    /// All of them: what was given where it is good, defaults elsewhere. Sizes are in bytes, times in seconds.
    pub settings: Settings,
    /// What was wrong.
    pub problems: Vec<Problem>,
}
