//! Does to a store's directory what time, crashes and other programs do.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

/// Every file below a directory, in order of their names.
pub fn files(directory: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut open = vec![directory.to_owned()];
    while let Some(directory) = open.pop() {
        let Ok(entries) = fs::read_dir(&directory) else { continue };
        for entry in entries {
            let path = entry.expect("a directory can be listed").path();
            if path.is_dir() { open.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// Where a store keeps the blob of a digest.
pub fn blob(store: &Path, digest: &str) -> PathBuf {
    store.join("blobs").join(&digest[..2]).join(digest)
}

/// Where a store keeps the reference of an id: there is one session that has it.
pub fn reference(store: &Path, id: &str) -> PathBuf {
    let is_it = |path: &PathBuf| path.file_name().is_some_and(|name| name == id);
    files(&store.join("refs")).into_iter().find(is_it).expect("a session has a reference to it")
}

/// Sets a file's time to so long ago.
pub fn age(path: &Path, by: Duration) {
    let time = SystemTime::now() - by;
    File::options()
        .write(true)
        .open(path)
        .and_then(|file| file.set_modified(time))
        .expect("a file's time can be set");
}

/// Makes everything that a store holds look as if it was last used so long ago.
pub fn age_all(store: &Path, by: Duration) {
    for directory in ["blobs", "refs", "tmp"] {
        for path in files(&store.join(directory)) {
            age(&path, by);
        }
    }
}

/// So many hours.
pub fn hours(hours: u64) -> Duration {
    Duration::from_secs(hours * 3_600)
}
