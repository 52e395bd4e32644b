//! The settings of an assembly, as JSON text: one table from which they are read, written and described.

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use crate::search::bridge::listing::Untrusted;
use crate::search::text::clean;
use crate::settings::parse::near;

/// A type of a setting.
trait Kind: DeserializeOwned {
    /// What a value must be, as an error says it.
    const MUST: &'static str;

    /// Its JSON Schema.
    fn schema() -> Value;
}

macro_rules! kinds {
    ($($kind:ty: $must:literal, $schema:tt;)+) => {
        $(impl Kind for $kind {
            const MUST: &'static str = $must;

            fn schema() -> Value {
                json!($schema)
            }
        })+
    };
}

kinds! {
    u32: "a whole number of at least 0", { "type": "integer", "minimum": 0 };
    bool: "true or false", { "type": "boolean" };
    Vec<String>: "a list of strings", { "type": "array", "items": { "type": "string" } };
    Mode: "`auto`, `on` or `off`", { "enum": ["auto", "on", "off"] };
    Placement: "`description` or `block`", { "enum": ["description", "block"] };
    Untrusted: "`count`, `names` or `full`", { "enum": ["count", "names", "full"] };
}

macro_rules! settings {
    ($($(#[doc = $doc:literal])+ $name:ident: $kind:ty = $default:expr,)+) => {
        /// When and what to defer.
        #[derive(Debug, Clone, PartialEq, Eq, Serialize)]
        pub struct AssembleSettings {
            $($(#[doc = $doc])+ pub $name: $kind,)+
        }

        impl Default for AssembleSettings {
            fn default() -> Self {
                AssembleSettings { $($name: $default,)+ }
            }
        }

        const NAMES: &[&str] = &[$(stringify!($name)),+];

        impl AssembleSettings {
            /// Sets one; answers what is wrong.
            fn set(&mut self, name: &str, value: &Value) -> Option<String> {
                match name {
                    $(stringify!($name) => read(value, &mut self.$name),)+
                    _ => Some(format!("unknown setting{}", near(name, NAMES.iter().copied()))),
                }
            }

            /// The JSON Schema of what [`AssembleSettings::parse`] reads.
            pub fn schema() -> Value {
                let (mut properties, defaults) = (Map::new(), AssembleSettings::default().json());
                $({
                    let mut schema = <$kind as Kind>::schema();
                    schema["description"] = [$($doc.trim()),+].join(" ").into();
                    schema["default"] = defaults[stringify!($name)].clone();
                    properties.insert(stringify!($name).to_owned(), schema);
                })+
                json!({
                    "type": "object", "properties": properties, "additionalProperties": false,
                })
            }
        }
    };
}

settings! {
    /// When tools are deferred: `auto`, when their schemas reach a threshold and deferring them saves
    /// tokens; `on`, whenever there is anything to defer; `off`, never.
    mode: Mode = Mode::Auto,
    /// For `auto`: the share of the context that schemas must take, in percent, 0 to 100. The lower of
    /// this and `threshold_tokens` counts.
    threshold_percent: u32 = 10,
    /// For `auto`: the estimated tokens that schemas must take; alone when the context is unknown.
    threshold_tokens: u32 = 20_000,
    /// The most estimated tokens of the listing; 0 for none.
    listing_max_tokens: u32 = 1_000,
    /// The most the listing may take of a known context, in percent, 0 to 100.
    listing_percent: u32 = 5,
    /// Where the listing of deferred tools stands: in the `description` of the search tool, or in a
    /// `block` of its own, for the host to put where it likes. The three definitions are then the same
    /// bytes for every catalog, so that a prompt cache survives any change of tools.
    placement: Placement = Placement::Description,
    /// What the listing may say about a server that is not trusted (the listing stands in the prompt,
    /// where a model takes it for its user's word): `count`, its name and how many tools it has;
    /// `names`, its tools' names and parameters, as far as they are identifiers; `full`, all.
    untrusted: Untrusted = Untrusted::Names,
    /// What to defer although it would be visible: tools by name, servers as `server:github`, tags as
    /// `tag:rare`.
    defer: Vec<String> = Vec::new(),
    /// What never to defer, written in the same way. Wins over `defer`.
    pin: Vec<String> = Vec::new(),
    /// Whether `defer` may name tools that ask the user: models do not look for them.
    force_defer: bool = false,
    /// Tools without which the conversation cannot work. When one was not granted, assembling fails,
    /// before the first call of a model.
    required: Vec<String> = Vec::new(),
    /// Whether visible tools come by server and name, so that the order of registration does not reach
    /// the prompt, and not as in the snapshot.
    sort_visible: bool = false,
}

/// When tools are deferred.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// When the schemas reach a threshold and deferring them saves tokens.
    #[default]
    Auto,
    /// Whenever there is anything to defer.
    On,
    /// Never.
    Off,
}

/// Where the listing stands.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Placement {
    /// In the description of the search tool.
    #[default]
    Description,
    /// In a text of its own.
    Block,
}

impl AssembleSettings {
    /// All of them, as [`AssembleSettings::parse`] reads them.
    pub fn print(&self) -> String {
        self.json().to_string()
    }

    fn json(&self) -> Value {
        // Numbers, words and lists: nothing that could fail.
        serde_json::to_value(self).unwrap_or_default()
    }

    /// Reads a JSON object; what it does not name, or names as `null`, is as by default. A whole number
    /// that is out of its range is read as the nearest in it. Where there is a place for it, the object
    /// may have `context_tokens` as well.
    ///
    /// # Errors
    /// What is wrong, member by member.
    pub fn parse(
        json: &str,
        mut context_tokens: Option<&mut u32>,
    ) -> Result<AssembleSettings, SettingsError> {
        let given: Value = serde_json::from_str(json)
            .map_err(|error| SettingsError(format!("not JSON: {error}")))?;
        let Value::Object(given) = given else {
            return Err(SettingsError("must be an object".to_owned()));
        };
        let mut settings = AssembleSettings::default();
        let mut wrong = Vec::new();
        for (name, value) in given.iter().filter(|(_, value)| !value.is_null()) {
            let problem = match context_tokens.as_deref_mut() {
                Some(tokens) if name == "context_tokens" => read(value, tokens),
                _ => settings.set(name, value),
            };
            wrong.extend(problem.map(|what| format!("`{}`: {what}", clean::one_line(name, 60))));
        }
        if wrong.is_empty() { Ok(settings) } else { Err(SettingsError(wrong.join("; "))) }
    }
}

/// Why settings were not read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("settings: {0}")]
pub struct SettingsError(String);

/// Reads a value into its place; answers what is wrong.
fn read<K: Kind>(value: &Value, place: &mut K) -> Option<String> {
    let value = match value.as_u64() {
        Some(number) => &u32::try_from(number).unwrap_or(u32::MAX).into(),
        None => value,
    };
    let Ok(read) = K::deserialize(value) else {
        let given = clean::one_line(&value.to_string(), 60);
        return Some(format!("must be {}, is {given}", K::MUST));
    };
    *place = read;
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrong(json: &str) -> String {
        AssembleSettings::parse(json, None).unwrap_err().to_string()
    }

    #[test]
    fn what_is_printed_is_read_as_it_was() {
        let set = r#"{"mode":"off","threshold_percent":1,"threshold_tokens":2,"listing_max_tokens":3,
            "listing_percent":4,"placement":"block","untrusted":"full","defer":["a"],"pin":["b","c"],
            "force_defer":true,"required":["d"],"sort_visible":true}"#;
        let read = AssembleSettings::parse(set, None).unwrap();
        let (set, default): (Value, Value) = (
            serde_json::from_str(set).unwrap(),
            serde_json::from_str(&AssembleSettings::default().print()).unwrap(),
        );
        assert_eq!(serde_json::from_str::<Value>(&read.print()).unwrap(), set);
        for name in NAMES {
            assert_ne!(set[name], default[name], "{name}");
        }
        assert_eq!(AssembleSettings::parse(&read.print(), None).unwrap(), read);
        let none = r#"{"mode": null}"#;
        assert_eq!(AssembleSettings::parse(none, None).unwrap(), AssembleSettings::default());
    }

    #[test]
    fn what_is_wrong_is_named_member_by_member() {
        assert_eq!(
            wrong(
                r#"{"treshold_tokens": 1, "mode": "perhaps", "pin": ["a", 1], "zz": 1, "defer": "a"}"#
            ),
            "settings: `defer`: must be a list of strings, is \"a\"; \
             `mode`: must be `auto`, `on` or `off`, is \"perhaps\"; \
             `pin`: must be a list of strings, is [\"a\",1]; \
             `treshold_tokens`: unknown setting; did you mean `threshold_tokens`?; \
             `zz`: unknown setting"
        );
        for (value, must) in [
            (r#"{"listing_percent": -1}"#, "a whole number of at least 0, is -1"),
            (r#"{"listing_percent": 1.5}"#, "a whole number of at least 0, is 1.5"),
            (r#"{"listing_percent": "5"}"#, "a whole number of at least 0, is \"5\""),
            (r#"{"listing_percent": {}}"#, "a whole number of at least 0, is {}"),
            (r#"{"sort_visible": 1}"#, "true or false, is 1"),
            (r#"{"untrusted": true}"#, "`count`, `names` or `full`, is true"),
        ] {
            assert!(wrong(value).ends_with(&format!("must be {must}")), "{}", wrong(value));
        }
        assert!(wrong("{").starts_with("settings: not JSON: "));
        assert_eq!(wrong("[]"), "settings: must be an object");
    }

    #[test]
    fn the_context_is_a_member_only_where_there_is_a_place_for_it() {
        let mut tokens = 7;
        let given = r#"{"context_tokens": 99999999999, "mode": "on"}"#;
        let settings = AssembleSettings::parse(given, Some(&mut tokens)).unwrap();
        assert_eq!((settings.mode, tokens), (Mode::On, u32::MAX));
        assert_eq!(wrong(given), "settings: `context_tokens`: unknown setting");
    }

    #[test]
    fn the_schema_says_what_each_setting_does_and_its_default() {
        let schema = AssembleSettings::schema();
        let properties = schema["properties"].as_object().unwrap();
        assert_eq!(properties.len(), NAMES.len());
        let defaults = AssembleSettings::default().print();
        let defaults: Value = serde_json::from_str(&defaults).unwrap();
        for (name, property) in properties {
            assert!(property["description"].as_str().unwrap().ends_with('.'), "{name}");
            assert_eq!(property["default"], defaults[name], "{name}");
        }
    }
}
