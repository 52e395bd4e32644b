//! The files that the demo's server reads: those below one directory, and none beside.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde_json::{Value, json};
use weir_gateway::glob::glob_matches;

use crate::failure::Failure;

/// Bytes of a file that is read.
const MAX_READ_BYTES: u64 = 16 << 20;

/// Entries of an answer, where the client names no other number.
const DEFAULT_LIMIT: usize = 10_000;

/// A directory, and what is below it.
pub(super) struct Files {
    root: PathBuf,
}

/// One file.
pub(super) struct File {
    /// Its path below the directory.
    pub(super) path: String,
    pub(super) bytes: u64,
    /// When it was changed, in seconds since 1970.
    pub(super) modified: u64,
}

impl File {
    pub(super) fn json(&self) -> Value {
        json!({"path": self.path, "bytes": self.bytes, "modified": self.modified})
    }
}

/// What a client gave a tool.
pub(super) struct Given<'a>(pub(super) &'a Value);

impl Given<'_> {
    pub(super) fn text(&self, name: &str) -> &str {
        self.0[name].as_str().unwrap_or_default()
    }

    pub(super) fn number(&self, name: &str) -> Option<u64> {
        self.0[name].as_u64()
    }

    pub(super) fn is(&self, name: &str) -> bool {
        self.0[name].as_bool().unwrap_or(false)
    }

    /// Whether a line contains the text that is looked for.
    pub(super) fn is_in(&self, line: &str) -> bool {
        match self.is("ignore_case") {
            true => line.to_lowercase().contains(&self.text("text").to_lowercase()),
            false => line.contains(self.text("text")),
        }
    }

    pub(super) fn limit(&self) -> usize {
        self.number("limit")
            .map_or(DEFAULT_LIMIT, |limit| usize::try_from(limit).unwrap_or(1).max(1))
    }
}

impl Files {
    pub(super) fn below(directory: &Path) -> Result<Files, Failure> {
        match directory.canonicalize() {
            Ok(root) if root.is_dir() => Ok(Files { root }),
            _ => Err(Failure::usage(
                format!("{} is no directory that can be read", directory.display()),
                "name the directory whose files are to be served",
            )),
        }
    }

    /// A path that a client named, if it lies below the directory: links are followed before that is
    /// looked at.
    pub(super) fn place(&self, path: &str) -> Result<PathBuf, String> {
        let place = self.root.join(path);
        let place = place.canonicalize().map_err(|error| format!("cannot find {path}: {error}"))?;
        match place.starts_with(&self.root) {
            true => Ok(place),
            false => Err(format!("{path} is not below the served directory")),
        }
    }

    /// The text of a file.
    pub(super) fn read(&self, path: &str) -> Result<String, String> {
        let place = self.place(path)?;
        let failed = |error: std::io::Error| format!("cannot read {path}: {error}");
        let metadata = fs::metadata(&place).map_err(failed)?;
        if !metadata.is_file() {
            return Err(format!("{path} is no file"));
        }
        if metadata.len() > MAX_READ_BYTES {
            return Err(format!("{path} has {} bytes, over {MAX_READ_BYTES}", metadata.len()));
        }
        String::from_utf8(fs::read(&place).map_err(failed)?).map_err(|error| {
            format!("{path} is no text from byte {} on", error.utf8_error().valid_up_to())
        })
    }

    fn entry(&self, place: &Path, metadata: &Metadata) -> File {
        let modified =
            metadata.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok());
        File {
            path: place.strip_prefix(&self.root).unwrap_or(place).to_string_lossy().into_owned(),
            bytes: metadata.len(),
            modified: modified.map_or(0, |time| time.as_secs()),
        }
    }

    /// The files that a client selected, by path. Links are left out.
    pub(super) fn select(&self, given: &Given<'_>) -> Result<Vec<File>, String> {
        let place = self.place(given.text("path"))?;
        let mut found = Vec::new();
        let mut add = |path: &Path, metadata: &Metadata| found.push(self.entry(path, metadata));
        match place.metadata() {
            Ok(metadata) if metadata.is_file() => add(&place, &metadata),
            _ => walk(&place, given.is("hidden"), |path, entry| {
                if let Some(metadata) = entry.ok().filter(|metadata| metadata.is_file()) {
                    add(path, metadata);
                }
            }),
        }
        let glob = given.text("glob");
        found.retain(|file| {
            (glob.is_empty() || glob_matches(glob, &file.path))
                && given.number("min_bytes").is_none_or(|least| file.bytes >= least)
                && given.number("max_bytes").is_none_or(|most| file.bytes <= most)
        });
        found.sort_by(|a, b| a.path.cmp(&b.path));
        Ok(found)
    }

    /// Those of them that are text, with it.
    pub(super) fn texts(
        &self,
        given: &Given<'_>,
    ) -> Result<impl Iterator<Item = (File, String)>, String> {
        let with_text = |file: File| {
            let text = self.read(&file.path).ok()?;
            Some((file, text))
        };
        Ok(self.select(given)?.into_iter().filter_map(with_text))
    }
}

/// Everything below a directory: first what one directory has, by name, then what is below those in
/// it. What tools have made is not entered. A directory that cannot be listed has an error.
pub(super) fn walk(root: &Path, hidden: bool, mut each: impl FnMut(&Path, io::Result<&Metadata>)) {
    let mut waiting = vec![root.to_owned()];
    while let Some(directory) = waiting.pop() {
        let mut entries: Vec<_> = match fs::read_dir(&directory) {
            Ok(entries) => entries.flatten().collect(),
            Err(error) => {
                each(&directory, Err(error));
                continue;
            }
        };
        entries.sort_by_key(fs::DirEntry::file_name);
        for entry in entries {
            let (path, Ok(metadata)) = (entry.path(), entry.metadata()) else { continue };
            if !hidden && entry.file_name().to_string_lossy().starts_with('.') {
                continue;
            }
            each(&path, Ok(&metadata));
            if metadata.is_dir() && !is_left_out(&path) {
                waiting.push(path);
            }
        }
    }
}

/// Directories of what tools have made.
const LEFT_OUT: [&str; 7] =
    [".git", "node_modules", "target", "__pycache__", "build", "dist", ".venv"];

/// Whether a directory holds no file of the user's own: by its name, or because a tool marks it as its cache.
fn is_left_out(directory: &Path) -> bool {
    let name = directory.file_name().unwrap_or_default();
    LEFT_OUT.iter().any(|left_out| name == *left_out) || directory.join("CACHEDIR.TAG").exists()
}
