//! Phrases that somebody wrote for tools, kept by the tools' fingerprints: a tool that changes has none until they are
//! given again.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::search::catalog::Tool;
use weir_base::private::{read_json, write_json};
use weir_base::{digest_of, hex};

/// Phrases of one tool that are kept.
pub const PHRASES: usize = 8;
/// Characters of a phrase.
pub const PHRASE_CHARS: usize = 200;

/// The file `phrases.json` in the state directory.
#[derive(Debug, Clone)]
pub struct Written {
    dir: PathBuf,
}

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    phrases: BTreeMap<String, Vec<String>>,
}

impl Written {
    /// In the state directory `dir`.
    pub fn new(dir: &Path) -> Written {
        Written { dir: dir.to_owned() }
    }

    /// The file's place.
    pub fn path(&self) -> PathBuf {
        self.dir.join("phrases.json")
    }

    /// Phrases by fingerprint; none when there is no file.
    ///
    /// # Errors
    /// When the file cannot be read or is none of ours.
    pub fn load(&self) -> io::Result<BTreeMap<String, Vec<String>>> {
        Ok(read_json::<Kept>(&self.path())?.phrases)
    }

    /// Replaces the file.
    ///
    /// # Errors
    /// When it cannot be written.
    pub fn save(&self, phrases: BTreeMap<String, Vec<String>>) -> io::Result<()> {
        write_json(&self.path(), &Kept { phrases })
    }
}

/// What tells a tool as it is from one that was changed: a digest of its own name and its texts.
pub fn fingerprint(tool: &Tool) -> String {
    let definition = tool.definition();
    let description = definition.text_at(&["description"]).unwrap_or_default();
    let schema = definition.get(&["inputSchema"]).unwrap_or_default();
    hex(&digest_of([tool.own_name.as_str(), &description, schema])[..16])
}

/// Phrases as they are kept: on one line, none twice, none too long.
pub fn cleaned(phrases: impl IntoIterator<Item = String>) -> Vec<String> {
    let mut kept: Vec<String> = Vec::new();
    for phrase in phrases {
        let words: Vec<&str> = phrase.split_whitespace().collect();
        let phrase = words.join(" ");
        let fits = (1..=PHRASE_CHARS).contains(&phrase.chars().count());
        if fits && !kept.contains(&phrase) && kept.len() < PHRASES {
            kept.push(phrase);
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_kept_and_read_again() {
        let dir = tempfile::tempdir().unwrap();
        let written = Written::new(&dir.path().join("state"));
        assert!(written.load().unwrap().is_empty());
        let phrases = BTreeMap::from([("ab".to_owned(), vec!["report a bug".to_owned()])]);
        written.save(phrases.clone()).unwrap();
        assert_eq!(written.load().unwrap(), phrases);
        std::fs::write(written.path(), "half of {").unwrap();
        assert!(written.load().is_err());
    }

    #[test]
    fn only_phrases_of_a_line_are_kept_each_once() {
        let many = ["  a  b\n", "a b", "", &"x".repeat(PHRASE_CHARS + 1)].map(str::to_owned);
        assert_eq!(cleaned(many), ["a b"]);
        assert_eq!(cleaned((0..20).map(|n| n.to_string())).len(), PHRASES);
    }
}
