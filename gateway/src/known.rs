//! What a server said of itself, kept on disk so that the next start of the gateway need not ask.

use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::json::Json;
use super::wire::Era;

/// A list that a server can be asked for beside its tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Listing {
    /// `prompts/list`
    Prompts,
    /// `resources/list`
    Resources,
    /// `resources/templates/list`
    Templates,
}

impl Listing {
    /// All of them.
    pub const ALL: [Listing; 3] = [Listing::Prompts, Listing::Resources, Listing::Templates];

    /// The method, the member of its result that holds the list, the capability it takes.
    pub fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Listing::Prompts => ("prompts/list", "prompts", "prompts"),
            Listing::Resources => ("resources/list", "resources", "resources"),
            Listing::Templates => ("resources/templates/list", "resourceTemplates", "resources"),
        }
    }
}

/// A server's own account of itself and its tools.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Known {
    /// How it speaks.
    pub era: Era,
    /// Whether it was asked in the modern way and did not understand.
    #[serde(default)]
    pub legacy_only: bool,
    /// The protocol version agreed on.
    pub version: String,
    /// `serverInfo`.
    pub info: Option<Json>,
    /// `capabilities`.
    pub capabilities: Json,
    /// Its guidance for models.
    pub instructions: Option<String>,
    /// Its tools, as it wrote them.
    pub tools: Vec<Json>,
    /// Its prompts, resources and resource templates, where they were asked for.
    #[serde(default)]
    pub lists: BTreeMap<Listing, Vec<Json>>,
    /// When the tools were listed, in seconds since 1970.
    pub listed_at: u64,
    /// Digests of its tools as they were first seen, or accepted, by name.
    #[serde(default)]
    pub pins: BTreeMap<String, String>,
    /// Tools that were defined anew, with the time when that was last noticed.
    #[serde(default)]
    pub changed: BTreeMap<String, u64>,
}

impl Known {
    /// Whether it declares a capability, by its path.
    pub fn can(&self, path: &[&str]) -> bool {
        self.capabilities.get(path).is_some_and(|value| value != "false" && value != "null")
    }
}

/// How a server was when a gateway last dealt with it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Seen {
    /// When, in seconds since 1970.
    pub at: u64,
    /// What went wrong, secrets replaced; `None` when it had started.
    pub failed: Option<String>,
}

/// The folder of kept accounts, two files for each way to start a server.
#[derive(Debug, Clone)]
pub struct KnownCache {
    dir: PathBuf,
}

impl KnownCache {
    /// In `dir`, which is made when first needed.
    pub fn new(dir: PathBuf) -> KnownCache {
        KnownCache { dir }
    }

    fn path(&self, fingerprint: &str) -> PathBuf {
        self.dir.join(format!("{fingerprint}.json"))
    }

    /// What is kept. `None` when there is nothing, or nothing that can be read: then it is asked anew.
    pub fn load(&self, fingerprint: &str) -> Option<Known> {
        serde_json::from_str(&std::fs::read_to_string(self.path(fingerprint)).ok()?).ok()
    }

    /// Keeps it. Readers see the old file or the new one, never half of it.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn store(&self, fingerprint: &str, known: &Known) -> io::Result<()> {
        self.write(&self.path(fingerprint), known)
    }

    fn write(&self, path: &Path, value: &impl Serialize) -> io::Result<()> {
        create_private_dir(&self.dir)?;
        let mut file = tempfile::NamedTempFile::new_in(&self.dir)?;
        serde_json::to_writer(io::BufWriter::new(file.as_file_mut()), value)?;
        file.persist(path).map_err(|error| error.error)?;
        Ok(())
    }

    fn seen_path(&self, fingerprint: &str) -> PathBuf {
        self.dir.join(format!("{fingerprint}.seen.json"))
    }

    /// How the server was when a gateway last dealt with it; `None` when none did.
    pub fn seen(&self, fingerprint: &str) -> Option<Seen> {
        serde_json::from_str(&std::fs::read_to_string(self.seen_path(fingerprint)).ok()?).ok()
    }

    /// Keeps how the server is now.
    ///
    /// # Errors
    /// When the folder or the file cannot be written.
    pub fn note_seen(&self, fingerprint: &str, seen: &Seen) -> io::Result<()> {
        self.write(&self.seen_path(fingerprint), seen)
    }
}

/// Makes a folder, with its parents, that only its owner can read.
///
/// # Errors
/// When it cannot be made.
pub fn create_private_dir(dir: &Path) -> io::Result<()> {
    let mut builder = std::fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(dir)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tools_come_back_byte_for_byte() {
        let dir = tempfile::tempdir().unwrap();
        let cache = KnownCache::new(dir.path().join("a/b"));
        let tool = r#"{"name":"x","z":1.10,"n":123456789012345678901,"inputSchema":{"b":1,"a":2}}"#;
        let known = Known {
            era: Era::Legacy,
            legacy_only: true,
            version: "2025-11-25".into(),
            info: None,
            capabilities: Json::parse(
                r#"{"tools":{"listChanged":true},"logging":{},"x":false}"#.into(),
            )
            .unwrap(),
            instructions: Some("hi".into()),
            tools: vec![Json::parse(tool.into()).unwrap()],
            lists: BTreeMap::from([(Listing::Prompts, Vec::new())]),
            listed_at: 7,
            pins: BTreeMap::new(),
            changed: BTreeMap::new(),
        };
        assert_eq!(cache.load("f"), None);
        cache.store("f", &known).unwrap();
        let back = cache.load("f").unwrap();
        assert_eq!(back.tools[0].as_str(), tool);
        assert_eq!(back, known);
        let seen = Seen { at: 9, failed: Some("gone".into()) };
        assert_eq!(cache.seen("f"), None);
        cache.note_seen("f", &seen).unwrap();
        assert_eq!(cache.seen("f"), Some(seen));
        assert!(back.can(&["tools", "listChanged"]) && back.can(&["logging"]) && !back.can(&["x"]));
    }
}
