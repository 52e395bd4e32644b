//! The files that the demo reads: those below one directory, and none beside.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use serde::Serialize;

/// Bytes of a file that is read.
const MAX_READ_BYTES: u64 = 16 << 20;

/// One file.
#[derive(Debug, Serialize)]
pub(super) struct File {
    /// Its path below the directory.
    pub(super) path: String,
    pub(super) bytes: u64,
    /// When it was changed, in seconds since 1970.
    pub(super) modified: u64,
}

/// A path that a client named, if it lies below the directory: links are followed before that is looked at.
fn place(root: &Path, path: &str) -> Result<PathBuf, String> {
    let place = root.join(path);
    let place = place.canonicalize().map_err(|error| format!("cannot find {path}: {error}"))?;
    match place.starts_with(root) {
        true => Ok(place),
        false => Err(format!("{path} is not below the served directory")),
    }
}

/// The text of a file.
pub(super) fn read(root: &Path, path: &str) -> Result<String, String> {
    let place = place(root, path)?;
    let failed = |error: io::Error| format!("cannot read {path}: {error}");
    let metadata = fs::metadata(&place).map_err(failed)?;
    if !metadata.is_file() {
        return Err(format!("{path} is no file"));
    }
    if metadata.len() > MAX_READ_BYTES {
        return Err(format!("{path} has {} bytes, over {MAX_READ_BYTES}", metadata.len()));
    }
    fs::read_to_string(&place).map_err(failed)
}

/// The files below a path, or the one that it is, by their paths. Links are left out.
pub(super) fn below(root: &Path, path: &str) -> Result<Vec<File>, String> {
    let place = place(root, path)?;
    let mut found = Vec::new();
    let mut add = |path: &Path, metadata: &Metadata| {
        let modified = metadata.modified().ok().and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        found.push(File {
            path: path.strip_prefix(root).unwrap_or(path).to_string_lossy().into_owned(),
            bytes: metadata.len(),
            modified: modified.map_or(0, |time| time.as_secs()),
        });
    };
    match place.metadata() {
        Ok(metadata) if metadata.is_file() => add(&place, &metadata),
        _ => walk(&place, |path, entry| match entry {
            Ok(metadata) if metadata.is_file() => add(path, metadata),
            _ => {}
        }),
    }
    found.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(found)
}

/// Everything below a directory: first what one directory has, by name, then what is below those in
/// it. What tools have made is not entered. A directory that cannot be listed has an error.
pub(super) fn walk(root: &Path, mut each: impl FnMut(&Path, io::Result<&Metadata>)) {
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
