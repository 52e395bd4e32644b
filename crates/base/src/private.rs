//! Files that are for their owner alone: written atomically with mode 0600, refused when others may
//! read them.

use std::fs::{self, File};
use std::io::{self, Read as _, Write as _};
use std::path::Path;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::create_private_dir;

/// Bytes of a file that are read.
const MAX_BYTES: u64 = 4 << 20;

/// Reads a file; `None` when it is not there.
///
/// # Errors
/// When it cannot be read, or others than its owner may read or write it.
pub fn read(path: &Path) -> Result<Option<String>, String> {
    let cannot = |error: io::Error| format!("{} cannot be read: {error}", path.display());
    let file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(cannot(error)),
    };
    // Of the open file, so that it is this one that is read.
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;

        use crate::RUN;
        let meta = file.metadata().map_err(cannot)?;
        let mode = meta.mode() & 0o777;
        if mode & 0o077 != 0 {
            return Err(format!(
                "{} is not read, as others than its owner may use it (mode {mode:04o}){RUN}chmod 600 {}",
                path.display(),
                path.display()
            ));
        }
        if meta.uid() != rustix::process::geteuid().as_raw() {
            return Err(format!("{} is not read, as it belongs to another user", path.display()));
        }
    }
    let mut text = String::new();
    file.take(MAX_BYTES).read_to_string(&mut text).map_err(cannot)?;
    Ok(Some(text))
}

/// Replaces a file.
///
/// # Errors
/// When it cannot be written; then the old one is there as before.
pub fn write(path: &Path, text: &str) -> Result<(), String> {
    let cannot = |error: io::Error| format!("{} cannot be written: {error}", path.display());
    replace(path, |file| {
        file.write_all(text.as_bytes())?;
        file.sync_all()
    })
    .map_err(cannot)
}

/// Replaces a file in a folder that is made where it is not there.
///
/// # Errors
/// When it cannot be written; then the old one is there as before.
pub fn replace(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    create_private_dir(path.parent().unwrap_or(Path::new("")))?;
    crate::replace(path, write)
}

/// Replaces a file with a value as JSON.
///
/// # Errors
/// When it cannot be written; then the old one is there as before.
pub fn write_json(path: &Path, value: &impl Serialize) -> io::Result<()> {
    replace(path, |file| {
        let mut buffer = io::BufWriter::new(file);
        serde_json::to_writer(&mut buffer, value)?;
        buffer.flush()
    })
}

/// Reads what [`write_json`] wrote, whoever else may read the file; the default when it is not there.
///
/// # Errors
/// When it cannot be read or holds something else.
pub fn read_json<T: DeserializeOwned + Default>(path: &Path) -> io::Result<T> {
    match fs::read(path) {
        Ok(bytes) => Ok(serde_json::from_slice(&bytes)?),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(T::default()),
        Err(error) => Err(error),
    }
}

/// Holds a lock for as long as the file is open, against all processes and threads. Waits for it.
///
/// # Errors
/// When the file cannot be made or locked.
pub fn lock(path: &Path) -> Result<File, String> {
    locked(path).map_err(|error| format!("{} cannot be locked: {error}", path.display()))
}

/// The same, with the system's own error.
///
/// # Errors
/// When the file cannot be made or locked.
pub fn locked(path: &Path) -> io::Result<File> {
    create_private_dir(path.parent().unwrap_or(Path::new("")))?;
    let mut options = fs::OpenOptions::new();
    options.create(true).truncate(false).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let file = options.open(path)?;
    file.lock()?;
    Ok(file)
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;

    use super::*;

    #[test]
    fn a_file_that_others_may_read_is_refused_with_what_to_do() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("deep/file.json");
        assert_eq!(read(&path), Ok(None));
        write(&path, "canary").unwrap();
        assert_eq!(read(&path).unwrap().as_deref(), Some("canary"));
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
        for mode in [0o640, 0o604, 0o620, 0o602] {
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            let error = read(&path).unwrap_err();
            assert!(error.contains("; run: chmod 600") && !error.contains("canary"), "{error}");
            let told = crate::without_command(&error);
            assert!(told.ends_with("; the user has to mend that") && !told.contains("chmod"));
        }
        fs::set_permissions(&path, fs::Permissions::from_mode(0o400)).unwrap();
        assert!(read(&path).is_ok());
    }
}
