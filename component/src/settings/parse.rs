//! Reads a configuration from JSON and never fails: what is wrong is named, and the default of that
//! key alone stands in.

use serde_json::{Map, Value};

use super::keys::{KEYS, Key, Quantity};
use super::never_store::NeverStore;
use super::{Action, Rule, Settings, quantity};
use crate::content::distance::distance_within;
use crate::content::show::one_line;

/// One thing that is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// The key, as in `transform.threshold_chars`.
    pub key: String,
    /// What is wrong, in words.
    pub message: String,
    /// The value that is used instead; `None` for a key that is ignored.
    pub used: Option<String>,
}

/// Reads a JSON object of the tables `transform`, `fetch` and `store`.
pub fn parse(json: &str) -> (Settings, Vec<Problem>) {
    let mut reader = Reader { settings: Settings::default(), problems: Vec::new() };
    match serde_json::from_str::<Value>(json) {
        Ok(Value::Object(tables)) => reader.tables(&tables),
        Ok(_) => reader.ignored("", "the configuration is not an object of tables".into()),
        Err(error) => reader.ignored("", format!("the configuration is not JSON: {error}")),
    }
    (reader.settings, reader.problems)
}

struct Reader {
    settings: Settings,
    problems: Vec<Problem>,
}

const TABLES: [&str; 3] = ["transform", "fetch", "store"];
const LISTS: [&str; 4] = ["anchor_words", "exclude", "never_store", "rules"];

impl Reader {
    fn ignored(&mut self, key: &str, message: String) {
        self.problems.push(Problem { key: key.to_owned(), message, used: None });
    }

    fn defaulted(&mut self, key: &str, message: String, used: String) {
        self.problems.push(Problem { key: key.to_owned(), message, used: Some(used) });
    }

    fn tables(&mut self, tables: &Map<String, Value>) {
        for (table, value) in tables {
            if !TABLES.contains(&table.as_str()) {
                let hint = near(table, TABLES.iter().copied());
                self.ignored(table, format!("unknown table{hint}"));
            } else if let Value::Object(entries) = value {
                for (name, value) in entries {
                    self.entry(table, name, value);
                }
            } else {
                self.ignored(table, format!("{} is not a table", shown(value)));
            }
        }
        // The reader's answers must pass the transform, whatever the order of the keys was.
        let threshold = self.settings.transform.threshold_chars;
        if self.settings.fetch.max_chars >= threshold {
            let fits = threshold.saturating_mul(2) / 3;
            if tables.get("fetch").is_some_and(|t| t.get("max_chars").is_some()) {
                let message = format!(
                    "must be less than transform.threshold_chars ({threshold}), or answers would be \
                     replaced in turn"
                );
                self.defaulted("fetch.max_chars", message, fits.max(500).to_string());
            }
            self.settings.fetch.max_chars = fits.max(500);
        }
    }

    fn entry(&mut self, table: &str, name: &str, value: &Value) {
        let path = format!("{table}.{name}");
        if let Some(key) = KEYS.iter().find(|k| k.table == table && k.name == name) {
            match number(value, key) {
                Ok(number) => (key.set)(&mut self.settings, number),
                Err(message) => {
                    let used = quantity::print((key.get)(&Settings::default()), key.quantity);
                    self.defaulted(&path, message, used);
                }
            }
        } else if table == "transform" && LISTS.contains(&name) {
            self.list(name, &path, value);
        } else {
            let names = KEYS.iter().filter(|k| k.table == table).map(|k| k.name);
            let lists = LISTS.iter().copied().filter(|_| table == "transform");
            let hint = near(name, names.chain(lists));
            self.ignored(&path, format!("unknown key{hint}"));
        }
    }

    fn list(&mut self, name: &str, path: &str, value: &Value) {
        let Value::Array(items) = value else {
            let example = match name {
                "rules" => r#"[{"tool": "terminal", "threshold": "30k"}]"#,
                "never_store" => r#"["*.secret", "tool:vault_*", "argument:scope=private"]"#,
                _ => r#"["name", "prefix_*"]"#,
            };
            let message = format!("{} is not a list; write {example}", shown(value));
            return self.defaulted(path, message, "the default".into());
        };
        let mut words = Vec::new();
        let mut rules = Vec::new();
        for (index, item) in items.iter().enumerate() {
            let at = format!("{path}[{index}]");
            if name == "rules" {
                match rule(item) {
                    Ok(rule) => rules.push(rule),
                    Err(message) => self.ignored(&at, message),
                }
            } else {
                match item {
                    Value::String(word) if name == "never_store" => match NeverStore::parse(word) {
                        Ok(_) => words.push(word.clone()),
                        Err(wrong) => self.ignored(&at, format!("{}: {wrong}", shown(item))),
                    },
                    Value::String(word) if !word.trim().is_empty() => words.push(word.clone()),
                    other => self.ignored(&at, format!("{} is not a name", shown(other))),
                }
            }
        }
        match name {
            "rules" => self.settings.transform.rules = rules,
            "exclude" => self.settings.transform.exclude = words,
            "never_store" => self.settings.transform.never_store = words,
            _ => self.settings.transform.anchor_words = words,
        }
    }
}

/// `{"tool": NAME, "threshold": N}` or `{"tool": NAME, "action": "always" | "never"}`.
fn rule(value: &Value) -> Result<Rule, String> {
    let example =
        r#"write {"tool": "terminal", "threshold": "30k"} or {"tool": "x", "action": "never"}"#;
    let Value::Object(fields) = value else {
        return Err(format!("{} is not a rule; {example}", shown(value)));
    };
    let Some(Value::String(tool)) = fields.get("tool") else {
        return Err(format!("the rule has no `tool`; {example}"));
    };
    if let Some(other) =
        fields.keys().find(|k| !["tool", "threshold", "action"].contains(&k.as_str()))
    {
        return Err(format!("unknown key `{}` in the rule; {example}", one_line(other, 60)));
    }
    let action = match (fields.get("threshold"), fields.get("action")) {
        (Some(threshold), None) => Action::Threshold(
            u32::try_from(number(threshold, &KEYS[0])?).map_err(|error| error.to_string())?,
        ),
        (None, Some(Value::String(word))) if word == "always" => Action::Always,
        (None, Some(Value::String(word))) if word == "never" => Action::Never,
        _ => return Err(format!("the rule needs one of `threshold` or `action`; {example}")),
    };
    Ok(Rule { tool: tool.clone(), action })
}

fn number(value: &Value, key: &Key) -> Result<u64, String> {
    let wrong = || format!("{} is not {}", shown(value), quantity::example(key.quantity));
    let number = match (value, key.quantity) {
        (Value::Bool(on), Quantity::Switch) => u64::from(*on),
        (Value::Number(number), Quantity::Count | Quantity::Bytes | Quantity::Seconds) => {
            number.as_u64().ok_or_else(wrong)?
        }
        (Value::String(text), _) => quantity::parse(text, key.quantity).ok_or_else(wrong)?,
        _ => return Err(wrong()),
    };
    if (key.min..=key.max).contains(&number) {
        Ok(number)
    } else {
        let [min, max] = [key.min, key.max].map(|n| quantity::print(n, key.quantity));
        Err(format!("{} is not between {min} and {max}", shown(value)))
    }
}

/// A value as an error shows it: on one line and short.
fn shown(value: &Value) -> String {
    one_line(&value.to_string(), 60)
}

/// `; did you mean …?` when a known name is near, else nothing.
pub(crate) fn near<'a>(name: &str, known: impl Iterator<Item = &'a str>) -> String {
    if name.len() > 40 {
        return String::new();
    }
    let letters = |text: &str| text.chars().collect::<Vec<char>>();
    let distance = |candidate: &'a str| {
        let most = candidate.len() / 3;
        Some((distance_within(&letters(name), &letters(candidate), most)?, candidate))
    };
    known
        .filter_map(distance)
        .min()
        .map_or_else(String::new, |(_, candidate)| format!("; did you mean `{candidate}`?"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::{FetchSettings, StoreSettings};

    fn problems(json: &str) -> Vec<String> {
        parse(json).1.into_iter().map(|p| format!("{}: {}", p.key, p.message)).collect()
    }

    #[test]
    fn nothing_configured_is_the_default() {
        assert_eq!(parse("{}"), (Settings::default(), vec![]));
    }

    #[test]
    fn human_sizes_and_times_are_read() {
        let (settings, problems) = parse(
            r#"{"transform": {"threshold_chars": "20k", "exclude": ["terminal"],
                 "rules": [{"tool": "web_*", "threshold": "30k"}, {"tool": "x", "action": "never"}]},
                "store": {"max_bytes": "1 GiB", "ttl": "2d"}, "fetch": {"refuse_full": false}}"#,
        );
        assert_eq!(problems, vec![]);
        assert_eq!(settings.transform.threshold_chars, 20_000);
        assert_eq!(settings.transform.exclude, ["terminal"]);
        assert_eq!(settings.transform.rules[0].action, Action::Threshold(30_000));
        assert_eq!(settings.transform.rules[1].action, Action::Never);
        assert_eq!(settings.store.max_bytes, 1 << 30);
        assert_eq!(settings.store.ttl.as_secs(), 172_800);
        assert!(!settings.fetch.refuse_full);
    }

    /// The nine configurations that disable, break or bend the reference.
    #[test]
    fn a_bad_value_is_named_and_only_its_own_default_stands_in() {
        for (json, key) in [
            (r#"{"transform": {"exclude": null, "head_lines": 7}}"#, "transform.exclude"),
            (
                r#"{"transform": {"threshold_chars": "12q", "head_lines": 7}}"#,
                "transform.threshold_chars",
            ),
            (
                r#"{"transform": {"threshold_chars": null, "head_lines": 7}}"#,
                "transform.threshold_chars",
            ),
            (r#"{"transform": {"tail_lines": -1, "head_lines": 7}}"#, "transform.tail_lines"),
            (r#"{"transform": {"exclude": "web_extract", "head_lines": 7}}"#, "transform.exclude"),
            (r#"{"fetch": {"max_chars": 0}, "transform": {"head_lines": 7}}"#, "fetch.max_chars"),
            (
                r#"{"fetch": {"refuse_full": "false"}, "transform": {"head_lines": 7}}"#,
                "fetch.refuse_full",
            ),
            (r#"{"store": {"ttl": "x"}, "transform": {"head_lines": 7}}"#, "store.ttl"),
            (r#"{"store": {"ttl": 1.5}, "transform": {"head_lines": 7}}"#, "store.ttl"),
        ] {
            let (settings, problems) = parse(json);
            assert_eq!(problems.len(), 1, "{json}: {problems:?}");
            assert_eq!(problems[0].key, key);
            assert!(problems[0].used.is_some());
            assert_eq!(settings.transform.head_lines, 7, "{json}");
            assert_eq!(settings.fetch, FetchSettings::default());
            assert_eq!(settings.store, StoreSettings::default());
        }
        // A string of a number is what people mean by it; the reference never rescued again.
        assert_eq!(parse(r#"{"transform": {"head_lines": "40"}}"#).1, vec![]);
    }

    #[test]
    fn a_rule_of_never_store_that_cannot_be_read_is_named_and_the_others_hold() {
        let (settings, problems) =
            parse(r#"{"transform": {"never_store": ["*.secret", "argument:x", 5, "tool:v_*"]}}"#);
        assert_eq!(settings.transform.never_store, ["*.secret", "tool:v_*"]);
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(keys, ["transform.never_store[1]", "transform.never_store[2]"]);
    }

    #[test]
    fn an_unknown_key_is_named_with_the_one_it_was_meant_to_be() {
        assert_eq!(
            problems(r#"{"transform": {"treshold_chars": 1}, "stor": {}, "x": 1}"#),
            [
                "stor: unknown table; did you mean `store`?",
                "transform.treshold_chars: unknown key; did you mean `threshold_chars`?",
                "x: unknown table",
            ]
        );
    }

    #[test]
    fn an_answer_of_fetch_is_always_below_the_threshold() {
        let (settings, problems) =
            parse(r#"{"transform": {"threshold_chars": 6000}, "fetch": {"max_chars": 6000}}"#);
        assert_eq!(settings.fetch.max_chars, 4_000);
        assert_eq!(problems[0].key, "fetch.max_chars");
        let (settings, problems) = parse(r#"{"transform": {"threshold_chars": 6000}}"#);
        assert_eq!((settings.fetch.max_chars, problems), (4_000, vec![]));
    }

    #[test]
    fn whatever_is_given_is_answered() {
        for json in [
            "",
            "[]",
            "null",
            "{",
            "{\"transform\": 5}",
            "\u{0}",
            "{\"transform\":{\"rules\":[1,{},{\"tool\":1}]}}",
        ] {
            assert!(!parse(json).1.is_empty(), "{json:?}");
        }
    }
}
