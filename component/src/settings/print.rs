//! Writes settings as [`parse`](super::parse::parse) reads them.

use serde_json::{Value, json};

use super::keys::{KEYS, Quantity};
use super::{Action, Settings};

/// All settings as JSON text: sizes in bytes, times in seconds.
pub fn print(settings: &Settings) -> String {
    let mut tables = json!({ "transform": {}, "fetch": {}, "store": {} });
    for key in &KEYS {
        let value = (key.get)(settings);
        tables[key.table][key.name] = match key.quantity {
            Quantity::Switch => (value != 0).into(),
            Quantity::Count | Quantity::Bytes | Quantity::Seconds => value.into(),
        };
    }
    let transform = &settings.transform;
    for (name, words) in [
        ("anchor_words", &transform.anchor_words),
        ("exclude", &transform.exclude),
        ("never_store", &transform.never_store),
    ] {
        tables["transform"][name] = words.as_slice().into();
    }
    let rules = transform.rules.iter().map(|rule| match rule.action {
        Action::Threshold(chars) => json!({ "tool": rule.tool, "threshold": chars }),
        Action::Always => json!({ "tool": rule.tool, "action": "always" }),
        Action::Never => json!({ "tool": rule.tool, "action": "never" }),
    });
    tables["transform"]["rules"] = rules.collect::<Value>();
    tables.to_string()
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::settings::Rule;
    use crate::settings::parse::parse;

    proptest! {
        #[test]
        fn what_is_printed_is_read_as_it_was(
            numbers in prop::collection::vec(0.0..=1.0_f64, KEYS.len()),
            words in prop::collection::vec("[a-z*]{1,9}", 0..4),
            threshold in 1..100_000_u32,
        ) {
            let mut settings = Settings::default();
            for (key, part) in KEYS.iter().zip(numbers) {
                let value = key.min + ((key.max - key.min) as f64 * part) as u64;
                (key.set)(&mut settings, value.min(key.max));
            }
            settings.fetch.max_chars = 500;
            settings.transform.threshold_chars = settings.transform.threshold_chars.max(501);
            settings.transform.exclude = words.clone();
            settings.transform.rules = words
                .iter()
                .zip([Action::Always, Action::Never, Action::Threshold(threshold)])
                .map(|(tool, action)| Rule { tool: tool.clone(), action })
                .collect();
            prop_assert_eq!(parse(&print(&settings)), (settings, vec![]));
        }
    }

    #[test]
    fn every_key_is_printed() {
        let printed: Value = serde_json::from_str(&print(&Settings::default())).unwrap();
        let schema: Value = serde_json::from_str(&crate::settings::schema::schema()).unwrap();
        for (table, of) in schema["properties"].as_object().unwrap() {
            let names: Vec<_> = of["properties"].as_object().unwrap().keys().collect();
            let printed: Vec<_> = printed[table].as_object().unwrap().keys().collect();
            assert_eq!(printed, names, "{table}");
        }
    }
}
