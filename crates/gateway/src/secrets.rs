//! Secrets by name: a file of the user's alone, which configurations refer to as `secret:NAME`.
//!
//! Only servers' entries, headers and arguments get the values; no command prints them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use weir_base::private;

/// Characters of a name.
const MAX_NAME: usize = 64;

/// The file of secrets.
#[derive(Debug, Clone)]
pub struct SecretFile(PathBuf);

impl SecretFile {
    /// The file at this place, which need not be there.
    pub fn new(path: PathBuf) -> SecretFile {
        SecretFile(path)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// All secrets by name.
    ///
    /// # Errors
    /// When the file cannot be used, or others than its owner may: as a sentence.
    pub fn read(&self) -> Result<BTreeMap<String, String>, String> {
        let Some(text) = private::read(&self.0)? else { return Ok(BTreeMap::new()) };
        // What the parser says may quote what is in the file.
        serde_json::from_str(&text)
            .map_err(|_| format!("{} is not a JSON object of texts", self.0.display()))
    }

    /// The names, in order.
    ///
    /// # Errors
    /// As [`SecretFile::read`].
    pub fn names(&self) -> Result<Vec<String>, String> {
        Ok(self.read()?.into_keys().collect())
    }

    /// Sets a secret. Gives whether there was another of that name.
    ///
    /// # Errors
    /// When the name cannot be one, or the file cannot be read or written.
    pub fn set(&self, name: &str, value: &str) -> Result<bool, String> {
        if !is_name(name) {
            return Err(format!(
                "{name:?} is not a name for a secret: letters, digits, '.', '_' and '-', at most {MAX_NAME}"
            ));
        }
        self.change(|all| all.insert(name.to_owned(), value.to_owned()).is_some())
    }

    /// Removes a secret. Gives whether it was there.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn remove(&self, name: &str) -> Result<bool, String> {
        self.change(|all| all.remove(name).is_some())
    }

    fn change(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, String>) -> bool,
    ) -> Result<bool, String> {
        let _lock = private::lock(&self.0.with_extension("lock"))?;
        let mut all = self.read()?;
        let had = change(&mut all);
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        private::write(&self.0, &(text + "\n"))?;
        Ok(had)
    }
}

/// Whether a text can be a secret's name.
pub fn is_name(name: &str) -> bool {
    (1..=MAX_NAME).contains(&name.len())
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_set_named_and_removed() {
        let folder = tempfile::tempdir().unwrap();
        let file = SecretFile::new(folder.path().join("weir/secrets.json"));
        assert_eq!(file.names(), Ok(vec![]));
        assert_eq!(file.set("github", "canary-1\nsecond line"), Ok(false));
        assert_eq!(file.set("github", "canary-2"), Ok(true));
        assert_eq!(file.set("a.b-c_d", "x"), Ok(false));
        assert_eq!(file.names().unwrap(), ["a.b-c_d", "github"]);
        assert_eq!(file.read().unwrap()["github"], "canary-2");
        assert_eq!((file.remove("github"), file.remove("github")), (Ok(true), Ok(false)));
        for bad in ["", "a b", "a:b", "../x", &"a".repeat(65)] {
            assert!(file.set(bad, "x").is_err(), "{bad}");
        }
    }

    #[test]
    fn a_damaged_file_is_left_as_it_is_and_not_quoted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("secrets.json");
        private::write(&path, r#"{"a": "canary-3", "b": "#).unwrap();
        let file = SecretFile::new(path.clone());
        assert!(!file.set("c", "x").unwrap_err().contains("canary"));
        assert!(private::read(&path).unwrap().unwrap().contains("canary-3"));
    }
}
