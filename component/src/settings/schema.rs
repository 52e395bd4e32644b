//! The JSON Schema of a configuration.

use serde_json::{Map, Value, json};

use super::Settings;
use super::keys::{KEYS, Quantity};
use super::quantity;

/// The JSON Schema (2020-12) of what [`super::parse::parse`] takes, with defaults and ranges.
pub fn schema() -> String {
    let defaults = Settings::default();
    let mut tables: Map<String, Value> = Map::new();
    for key in &KEYS {
        let default = (key.get)(&defaults);
        let number = json!({"type": "integer", "minimum": key.min, "maximum": key.max});
        let text = json!({"type": "string", "description": quantity::example(key.quantity)});
        let mut property = match key.quantity {
            Quantity::Switch => json!({"type": "boolean", "default": default != 0}),
            Quantity::Count => json!({"anyOf": [number, text], "default": default}),
            Quantity::Bytes | Quantity::Seconds => {
                json!({"anyOf": [number, text], "default": quantity::print(default, key.quantity)})
            }
        };
        property["description"] = key.doc.into();
        table(&mut tables, key.table)["properties"][key.name] = property;
    }
    let transform = &mut table(&mut tables, "transform")["properties"];
    transform["anchor_words"] = json!({
        "type": "array", "items": {"type": "string"}, "default": defaults.transform.anchor_words,
        "description": "Whole words, in any case, that make a line worth showing from the middle.",
    });
    transform["exclude"] = json!({
        "type": "array", "items": {"type": "string"}, "default": [],
        "description": "Tools whose results are never touched, as names or globs.",
    });
    transform["never_store"] = json!({
        "type": "array", "items": {"type": "string"}, "default": [],
        "description": "Calls whose results are never stored, added to the rules built in (.env, private \
                        keys, files of credentials): a path such as `*.secret`, `tool:vault_*` or \
                        `argument:NAME=PATTERN`; `!` in front makes an exception, and the last rule \
                        that matches counts.",
    });
    transform["rules"] = json!({
        "type": "array", "default": [],
        "description": "Rules by tool; the first that matches counts. `exclude` comes before them.",
        "items": {
            "type": "object", "required": ["tool"], "additionalProperties": false,
            "properties": {
                "tool": {"type": "string", "description": "A name, or a glob over `tool` or `toolset/tool`."},
                "threshold": {"type": ["integer", "string"], "description": "Replace above this many characters."},
                "action": {"enum": ["always", "never"]},
            },
        },
    });
    let schema = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Weir configuration",
        "type": "object",
        "additionalProperties": false,
        "properties": tables,
    });
    format!("{schema:#}\n")
}

fn table<'a>(tables: &'a mut Map<String, Value>, name: &str) -> &'a mut Value {
    tables.entry(name).or_insert_with(
        || json!({"type": "object", "additionalProperties": false, "properties": {}}),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::parse::parse;

    #[test]
    fn the_defaults_in_the_schema_are_the_defaults() {
        let schema: Value = serde_json::from_str(&schema()).unwrap();
        let mut config = Map::new();
        for (table, object) in schema["properties"].as_object().unwrap() {
            let entries: Map<String, Value> = object["properties"]
                .as_object()
                .unwrap()
                .iter()
                .map(|(name, property)| (name.clone(), property["default"].clone()))
                .collect();
            config.insert(table.clone(), entries.into());
        }
        assert_eq!(parse(&Value::from(config).to_string()), (Settings::default(), vec![]));
    }
}
