//! A configuration file on disk: read whole, replaced atomically.

use std::io;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use super::format::{Format, SyntaxError};
use super::node::Node;

/// A file as it was read.
#[derive(Debug, Clone)]
pub struct Document {
    /// The path as it was given.
    pub path: PathBuf,
    /// How it is written.
    pub format: Format,
    /// Its text; none when there is no file.
    pub text: Option<String>,
    /// The file itself, behind any symbolic links.
    real: PathBuf,
}

/// Why a file cannot be read or replaced. It is as it was.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Reading failed.
    #[error("cannot read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Writing failed.
    #[error("cannot write {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// It is not in its format.
    #[error("{} is not valid {format}: {source}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What it should be.
        format: Format,
        /// Where and why.
        source: SyntaxError,
    },
    /// Its user has made it read-only.
    #[error("{} is read-only", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// Someone else has written it since it was read.
    #[error("{} was written by another program meanwhile", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
}

/// More than any configuration has.
const MAX_BYTES: u64 = 64 << 20;

impl Document {
    /// Reads a file; one that is not there has no text.
    ///
    /// # Errors
    /// When it cannot be read, or is not UTF-8.
    pub fn read(path: &Path) -> Result<Document, FileError> {
        let failed = |source| FileError::Read { path: path.to_owned(), source };
        let real = real_path(path);
        let text = match read_text(&real) {
            Ok(text) => Some(text),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(source) => return Err(failed(source)),
        };
        Ok(Document { path: path.to_owned(), format: Format::of(path), text, real })
    }

    /// What the file means; an empty object when there is none.
    ///
    /// # Errors
    /// When it is not in its format.
    pub fn node(&self) -> Result<Node, FileError> {
        let text = self.text.as_deref().unwrap_or_default();
        self.format.read(text).map_err(|source| FileError::Syntax {
            path: self.path.clone(),
            format: self.format,
            source,
        })
    }

    /// Fails when the file is there and may not be written.
    ///
    /// # Errors
    /// [`FileError::ReadOnly`]
    pub fn writable(&self) -> Result<(), FileError> {
        match std::fs::metadata(&self.real) {
            Ok(metadata) if metadata.permissions().readonly() => {
                Err(FileError::ReadOnly { path: self.path.clone() })
            }
            _ => Ok(()),
        }
    }

    /// Replaces the file at once: whoever reads it sees the old text or the new one. Its mode stays,
    /// and so do symbolic links to it. A new file is for its user alone.
    ///
    /// # Errors
    /// When it cannot be written, or was written by others since it was read.
    pub fn replace(&mut self, text: &str) -> Result<(), FileError> {
        let failed = |source| FileError::Write { path: self.path.clone(), source };
        let directory = self.real.parent().unwrap_or(Path::new("."));
        let metadata = std::fs::metadata(&self.real).ok();
        self.writable()?;
        std::fs::create_dir_all(directory).map_err(failed)?;
        let mut new = tempfile::Builder::new()
            .prefix(".weir-")
            .suffix(".tmp")
            .tempfile_in(directory)
            .map_err(failed)?;
        new.write_all(text.as_bytes()).map_err(failed)?;
        if let Some(metadata) = &metadata {
            new.as_file().set_permissions(metadata.permissions()).map_err(failed)?;
            keep_owner(new.as_file(), metadata);
        }
        new.as_file().sync_all().map_err(failed)?;
        self.unchanged()?;
        new.persist(&self.real).map_err(|error| failed(error.error))?;
        sync_directory(directory);
        self.text = Some(text.to_owned());
        Ok(())
    }

    /// Removes the file.
    ///
    /// # Errors
    /// As [`Document::replace`].
    pub fn remove(&mut self) -> Result<(), FileError> {
        self.unchanged()?;
        std::fs::remove_file(&self.real)
            .map_err(|source| FileError::Write { path: self.path.clone(), source })?;
        self.text = None;
        Ok(())
    }

    fn unchanged(&self) -> Result<(), FileError> {
        match (read_text(&self.real), &self.text) {
            (Ok(now), Some(text)) if now == *text => Ok(()),
            (Err(error), None) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            _ => Err(FileError::Changed { path: self.path.clone() }),
        }
    }
}

fn read_text(path: &Path) -> io::Result<String> {
    let metadata = std::fs::metadata(path)?;
    // A pipe would be waited for, and a device written to.
    if !metadata.is_file() {
        return Err(io::Error::new(io::ErrorKind::InvalidInput, "it is not a file"));
    }
    if metadata.len() > MAX_BYTES {
        return Err(io::Error::new(io::ErrorKind::FileTooLarge, "it is larger than 64 MiB"));
    }
    let bytes = std::fs::read(path)?;
    String::from_utf8(bytes)
        .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is not UTF-8"))
}

/// The file behind symbolic links, also when the last one leads to nothing.
fn real_path(path: &Path) -> PathBuf {
    let mut path = path.to_owned();
    for _ in 0..40 {
        if let Ok(real) = path.canonicalize() {
            return real;
        }
        match std::fs::read_link(&path) {
            Ok(target) => path = path.parent().unwrap_or(Path::new("")).join(target),
            Err(_) => break,
        }
    }
    path
}

#[cfg(unix)]
fn keep_owner(file: &std::fs::File, metadata: &std::fs::Metadata) {
    use std::os::unix::fs::{MetadataExt as _, fchown};
    // Only root may; for anybody else the file is theirs anyway.
    let _ = fchown(file, Some(metadata.uid()), Some(metadata.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_: &std::fs::File, _: &std::fs::Metadata) {}

fn sync_directory(directory: &Path) {
    #[cfg(unix)]
    if let Ok(directory) = std::fs::File::open(directory) {
        // Some file systems cannot: the file is complete all the same.
        let _ = directory.sync_all();
    }
    #[cfg(not(unix))]
    let _ = directory;
}
