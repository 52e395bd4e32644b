//! Which component runs, and which files may: the settings `component`, `trusted_keys` and
//! `allow_unsigned`.
//!
//! They are read here, before there is a component that could read settings.

use std::path::{Path, PathBuf};

use serde_json::json;
use toml::{Table, Value};
use weir_host::contract::Problem;
use weir_host::signatures::{PublicKey, Trust};

use super::failure::Failure;

/// The names of the settings.
const KEYS: [&str; 3] = ["component", "trusted_keys", "allow_unsigned"];

/// What the configuration says of the component's file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct ComponentSettings {
    /// The file to run in place of the component inside.
    pub(crate) file: Option<PathBuf>,
    /// Files of public keys, and public keys in PEM.
    pub(crate) keys: Vec<Key>,
    /// Whether files run that no trusted key signed.
    pub(crate) allow_unsigned: bool,
    /// What is wrong with the settings.
    pub(crate) problems: Vec<(&'static str, String)>,
}

/// A key as it is named.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Key {
    /// Its file.
    File(PathBuf),
    /// The key itself, in PEM.
    Pem(String),
}

impl ComponentSettings {
    /// Takes the settings out of a configuration. Paths are relative to its directory.
    pub(crate) fn take(table: &mut Table, file: &Path) -> ComponentSettings {
        let directory = file.parent().unwrap_or(Path::new(""));
        let mut settings = ComponentSettings::default();
        let mut values = KEYS.map(|key| table.remove(key));
        match values[0].take() {
            None => {}
            Some(Value::String(path)) if !path.is_empty() => {
                settings.file = Some(directory.join(path));
            }
            Some(_) => settings.wrong(KEYS[0], "must be the path of a component's file"),
        }
        match values[1].take() {
            None => {}
            Some(Value::Array(keys)) if keys.iter().all(Value::is_str) => {
                let keys = keys.iter().filter_map(Value::as_str);
                settings.keys = keys.map(|text| Key::named(text, directory)).collect();
            }
            Some(_) => settings.wrong(KEYS[1], "must be a list of PEM files or of keys in PEM"),
        }
        match values[2].take() {
            None => {}
            Some(Value::Boolean(allowed)) => settings.allow_unsigned = allowed,
            Some(_) => settings.wrong(KEYS[2], "must be true or false"),
        }
        settings
    }

    fn wrong(&mut self, key: &'static str, message: &str) {
        self.problems.push((key, message.to_owned()));
    }

    /// What is wrong, for `weir config`. Keys are read only when a component's file is.
    pub(crate) fn problems(&self) -> impl Iterator<Item = Problem> + '_ {
        self.problems.iter().map(|(key, message)| Problem {
            key: (*key).to_owned(),
            message: message.clone(),
            used: Some("the component inside, and no file".to_owned()),
        })
    }

    /// The trusted keys.
    pub(crate) fn public_keys(&self) -> Result<Vec<PublicKey>, Failure> {
        self.keys.iter().map(Key::read).collect()
    }

    /// The rule for a component's file.
    pub(crate) fn trust(&self, allow_unsigned: bool) -> Result<Trust, Failure> {
        // What is meant by a setting that cannot be read is not guessed where it decides what may run.
        if let Some((key, message)) = self.problems.first() {
            return Err(Failure::usage(
                format!("the setting `{key}` {message}"),
                "no component's file is run until it is right; docs/signing.md has examples",
            ));
        }
        let allowed = allow_unsigned || self.allow_unsigned;
        Ok(Trust::of(self.public_keys()?).allow_unsigned(allowed))
    }

    /// The settings that are given, for `weir config show`.
    pub(crate) fn show(&self, settings: &mut serde_json::Value) {
        if let Some(file) = &self.file {
            settings["component"] = json!(file);
        }
        if !self.keys.is_empty() {
            settings["trusted_keys"] = self.keys.iter().map(Key::shown).collect();
        }
        if self.allow_unsigned {
            settings["allow_unsigned"] = json!(true);
        }
    }

    /// The JSON Schema of the settings.
    pub(crate) fn schema() -> [(&'static str, serde_json::Value); 3] {
        let [component, keys, unsigned] = KEYS;
        [
            (
                component,
                json!({"type": "string", "description":
                    "A component's file to run in place of the one inside; relative to this file."}),
            ),
            (
                keys,
                json!({"type": "array", "items": {"type": "string"}, "description":
                    "Public keys whose signature lets a component's file run: PEM files, or keys in PEM."}),
            ),
            (
                unsigned,
                json!({"type": "boolean", "default": false, "description":
                    "Run a component's file that no trusted key signed."}),
            ),
        ]
    }
}

impl Key {
    fn named(text: &str, directory: &Path) -> Key {
        match text.trim_start().starts_with("-----BEGIN ") {
            true => Key::Pem(text.to_owned()),
            false => Key::File(directory.join(text)),
        }
    }

    pub(crate) fn read(&self) -> Result<PublicKey, Failure> {
        let read = match self {
            Key::File(path) => PublicKey::from_file(path),
            Key::Pem(text) => PublicKey::from_pem(text),
        };
        read.map_err(|error| {
            Failure::usage(
                format!("a trusted key cannot be used: {error}"),
                "a public key is a PEM file, as `openssl pkey -pubout` writes it",
            )
        })
    }

    fn shown(&self) -> serde_json::Value {
        match self {
            Key::File(path) => json!(path),
            Key::Pem(text) => json!(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn take(text: &str) -> (ComponentSettings, Table) {
        let mut table: Table = toml::from_str(text).unwrap();
        (ComponentSettings::take(&mut table, Path::new("/home/a/config.toml")), table)
    }

    #[test]
    fn settings_of_the_component_are_taken_and_the_rest_is_left() {
        let pem = "-----BEGIN PUBLIC KEY-----\\n";
        let (settings, rest) = take(&format!(
            "component = 'weir.wasm'\ntrusted_keys = ['k.pub', '/k.pub', \"{pem}\"]\nallow_unsigned = true\n[fetch]\nmax_chars = 1"
        ));
        assert_eq!(settings.file, Some("/home/a/weir.wasm".into()));
        let expected = [
            Key::File("/home/a/k.pub".into()),
            Key::File("/k.pub".into()),
            Key::Pem("-----BEGIN PUBLIC KEY-----\n".into()),
        ];
        assert_eq!(settings.keys, expected);
        assert!(settings.allow_unsigned && settings.problems.is_empty());
        assert_eq!(rest.keys().collect::<Vec<_>>(), ["fetch"]);
    }

    #[test]
    fn a_setting_that_cannot_be_read_lets_no_file_run() {
        for text in [
            "component = 1",
            "component = ''",
            "trusted_keys = 'k.pub'",
            "trusted_keys = [1]",
            "allow_unsigned = 'yes'",
        ] {
            let (settings, _) = take(text);
            assert!(settings.trust(true).is_err(), "{text}");
            assert_eq!(settings.problems().count(), 1, "{text}");
        }
        let (missing, _) = take("trusted_keys = ['/no/such.pub']");
        let Err(Failure::Usage { message, .. }) = missing.trust(false) else {
            panic!("it is read")
        };
        assert!(message.contains("/no/such.pub"), "{message}");
    }
}
