//! Secrets by name: a file of the user's alone, which configurations refer to as `secret:NAME`. And tokens of clients
//! that were issued: of these only digests are kept.
//!
//! Only servers' entries, headers and arguments get the values of secrets; no command prints them.

use std::collections::BTreeMap;
use std::marker::PhantomData;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use weir_base::private;

/// Characters of a name.
const MAX_NAME: usize = 64;

/// A file of values by name.
#[derive(Debug, Clone)]
pub struct Named<T>(PathBuf, PhantomData<T>);

/// The file of secrets.
pub type SecretFile = Named<String>;

/// The file of tokens that were issued.
pub type TokenFile = Named<Issued>;

/// A token that was issued to a client.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Issued {
    /// The digest of the token, in hexadecimal digits.
    pub sha256: String,
    /// When it was issued, in seconds since 1970.
    pub created: u64,
    /// When it ends, if it does.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires: Option<u64>,
    /// The profile that says what its holder may see; everything where there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub profile: Option<String>,
}

impl SecretFile {
    /// The file of tokens beside it.
    pub fn tokens(&self) -> TokenFile {
        Named::new(self.0.with_file_name("tokens.json"))
    }
}

impl<T: Serialize + DeserializeOwned> Named<T> {
    /// The file at this place, which need not be there.
    pub fn new(path: PathBuf) -> Named<T> {
        Named(path, PhantomData)
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.0
    }

    /// All values by name.
    ///
    /// # Errors
    /// When the file cannot be used, or others than its owner may: as a sentence.
    pub fn read(&self) -> Result<BTreeMap<String, T>, String> {
        Ok(self.read_if_there()?.unwrap_or_default())
    }

    /// The same; `None` where there is no file.
    ///
    /// # Errors
    /// As [`Named::read`].
    pub fn read_if_there(&self) -> Result<Option<BTreeMap<String, T>>, String> {
        let Some(text) = private::read(&self.0)? else { return Ok(None) };
        // What the parser says may quote what is in the file.
        let read = serde_json::from_str(&text).map(Some);
        read.map_err(|_| format!("{} is not a JSON object of values by name", self.0.display()))
    }

    /// The names, in order.
    ///
    /// # Errors
    /// As [`Named::read`].
    pub fn names(&self) -> Result<Vec<String>, String> {
        Ok(self.read()?.into_keys().collect())
    }

    /// Sets a value. Gives whether there was another of that name.
    ///
    /// # Errors
    /// When the name cannot be one, or the file cannot be read or written.
    pub fn set(&self, name: &str, value: impl Into<T>) -> Result<bool, String> {
        if !is_name(name) {
            return Err(format!(
                "{:?} cannot be a name: letters, digits, '.', '_' and '-', at most {MAX_NAME}",
                weir_base::clip(name, MAX_NAME)
            ));
        }
        self.change(|all| all.insert(name.to_owned(), value.into()).is_some())
    }

    /// Removes a value. Gives whether it was there.
    ///
    /// # Errors
    /// When the file cannot be read or written.
    pub fn remove(&self, name: &str) -> Result<bool, String> {
        self.change(|all| all.remove(name).is_some())
    }

    fn change(
        &self,
        change: impl FnOnce(&mut BTreeMap<String, T>) -> bool,
    ) -> Result<bool, String> {
        let _lock = private::lock(&self.0.with_extension("lock"))?;
        let mut all = self.read()?;
        let had = change(&mut all);
        let text = serde_json::to_string_pretty(&all).map_err(|error| error.to_string())?;
        private::write(&self.0, &(text + "\n"))?;
        Ok(had)
    }
}

/// The name of a person's own secret, which headers write as `${person:NAME}`.
pub fn of_person(name: &str, person: &str) -> String {
    format!("{name}.{}", weir_base::hex(&Sha256::digest(person)[..8]))
}

/// Whether a text can be such a name.
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
