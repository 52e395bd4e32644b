//! Files in which hosts put results that are too large for them.
//!
//! The path comes with the event, and what comes with an event can be a tool's words. So a file is
//! only read when it is what the host says: a regular file of this user, of the size that was named,
//! with the text in it that the event shows of it.

use std::fs::{self, File};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::Path;
use std::time::Duration;

use super::task::{Shown, Spilled};

/// A file that the host has just written is not older than this.
const FRESH: Duration = Duration::from_secs(600);

/// Bytes behind the shown end of a file that are looked through for it.
const END_BYTES: u64 = 16 * 1024;

/// Folders in which hosts put output: Claude Code's and Qwen Code's, Gemini CLI's, OpenCode's and Kilo's.
const FOLDERS: [&str; 3] = ["tool-results", "tool-outputs", "tool-output"];

/// What is in the names that hosts give below the folder for temporary files: Claude Code's, Copilot CLI's, pi's.
const TEMPORARY: [&str; 3] = ["claude-", "copilot-tool-output", "pi-bash-"];

/// Whether a file lies where hosts put output that is too large for them. A path without links.
#[must_use]
pub fn is_spill(real: &Path) -> bool {
    let is_named = |path: &Path, known: &dyn Fn(&str) -> bool| {
        path.iter().any(|part| part.to_str().is_some_and(known))
    };
    let temporary = fs::canonicalize(std::env::temp_dir()).ok();
    let below = temporary.and_then(|directory| real.strip_prefix(directory).ok());
    real.parent().is_some_and(|folder| is_named(folder, &|part| FOLDERS.contains(&part)))
        || below.is_some_and(|path| {
            is_named(path, &|part| TEMPORARY.iter().any(|known| part.contains(known)))
        })
}

/// Opens the file and gives its size.
///
/// # Errors
/// When it cannot be read, or is not what the event says.
pub fn open(spilled: &Spilled) -> io::Result<(File, u64)> {
    let path = &spilled.path;
    let refused = |why: &str| io::Error::new(io::ErrorKind::InvalidData, why.to_owned());
    if !path.is_absolute() {
        return Err(refused("the path is not absolute"));
    }
    // Looked at before it is opened: a pipe would wait for its writer.
    if !fs::symlink_metadata(path)?.is_file() {
        return Err(refused("it is not a regular file"));
    }
    let mut file = File::open(path)?;
    let metadata = file.metadata()?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        if metadata.uid() != rustix::process::geteuid().as_raw() {
            return Err(refused("it is another user's"));
        }
    }
    let bytes = metadata.len();
    if spilled.bytes.is_some_and(|said| said != bytes) {
        return Err(refused("it has another size than the host says"));
    }
    let agrees = match &spilled.shown {
        Shown::Start(start) => {
            // The host cuts by UTF-16 units: the last character may be half of one.
            let start = start.trim_end_matches('\u{fffd}').as_bytes();
            let mut found = vec![0; start.len()];
            bytes >= start.len() as u64 && {
                file.read_exact(&mut found)?;
                found == start
            }
        }
        Shown::End(end) => {
            let from = bytes.saturating_sub(END_BYTES);
            file.seek(SeekFrom::Start(from))?;
            let mut found = Vec::new();
            (&file).take(END_BYTES).read_to_end(&mut found)?;
            ends_alike(&String::from_utf8_lossy(&found), end)
        }
        Shown::Fresh { name, folder } => {
            let fresh = metadata.modified()?.elapsed().is_ok_and(|age| age < FRESH);
            // The path as it is: no links and no way up in it.
            let real = fs::canonicalize(path)?;
            let below = match folder {
                Some(folder) => real.iter().any(|part| part == *folder),
                None => real.starts_with(fs::canonicalize(std::env::temp_dir())?),
            };
            let named = real.file_name().is_some_and(|file| file.to_string_lossy().contains(name));
            fresh && below && named
        }
    };
    if !agrees {
        return Err(refused("it does not hold what the event shows"));
    }
    file.rewind()?;
    Ok((file, bytes))
}

/// Whether the end of a file is the end of a text: some line of the text's last ones must be one of
/// the file's, and the texts must not both be next to nothing.
fn ends_alike(file: &str, shown: &str) -> bool {
    let shown = shown.trim_end();
    if shown.is_empty() {
        return false;
    }
    let file = file.trim_end();
    if file.ends_with(shown) {
        return true;
    }
    // Lines that a host adds after the end are its own.
    shown
        .lines()
        .rev()
        .skip(1)
        .any(|line| line.len() >= 3 && file.lines().rev().take(64).any(|other| other == line))
}
