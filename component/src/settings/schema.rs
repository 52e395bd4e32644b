//! The JSON Schema of a configuration.

use serde_json::Value;

use super::Settings;
use super::keys::{KEYS, Key, Quantity};
use super::quantity;

/// The JSON Schema (2020-12) of what [`super::parse::parse`] takes, with defaults and ranges.
pub fn schema() -> String {
    let defaults = Settings::default();
    // As text: code that makes the same value is several times as long.
    let mut schema: Value = serde_json::from_str(include_str!("schema.json")).unwrap_or_default();
    let tables = &mut schema["properties"];
    for key in &KEYS {
        let text = property(key, (key.get)(&defaults));
        tables[key.table]["properties"][key.name] = serde_json::from_str(&text).unwrap_or_default();
    }
    tables["transform"]["properties"]["anchor_words"]["default"] =
        defaults.transform.anchor_words.into();
    format!("{schema:#}\n")
}

/// The schema of one number or switch, as JSON.
fn property(key: &Key, default: u64) -> String {
    let Key { min, max, quantity, .. } = *key;
    let description = Value::from(key.doc);
    let default = quantity::print(default, quantity);
    let default = match quantity {
        Quantity::Switch | Quantity::Count => default,
        Quantity::Bytes | Quantity::Seconds => format!("\"{default}\""),
    };
    let types = match quantity {
        Quantity::Switch => r#""type":"boolean""#.to_owned(),
        _ => format!(
            r#""anyOf":[{{"type":"integer","minimum":{min},"maximum":{max}}},{{"type":"string","description":{}}}]"#,
            Value::from(quantity::example(quantity))
        ),
    };
    format!(r#"{{{types},"default":{default},"description":{description}}}"#)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Map;

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

    #[test]
    fn every_key_has_its_range_and_what_it_does() {
        let schema: Value = serde_json::from_str(&schema()).unwrap();
        for key in &KEYS {
            let property = &schema["properties"][key.table]["properties"][key.name];
            assert_eq!(property["description"], key.doc, "{}", key.name);
            if key.quantity == Quantity::Switch {
                assert_eq!(property["type"], "boolean", "{}", key.name);
            } else {
                let number = &property["anyOf"][0];
                assert_eq!(
                    (&number["minimum"], &number["maximum"]),
                    (&key.min.into(), &key.max.into())
                );
                assert_eq!(property["anyOf"][1]["description"], quantity::example(key.quantity));
            }
        }
    }
}
