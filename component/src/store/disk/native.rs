//! Outside the sandbox, for tests and benches: the standard library.

use std::fs::{self, OpenOptions};
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::path::Path;
use std::time::SystemTime;

use super::types::{Kind, Listing, Stat};

/// An open file.
#[derive(Debug)]
pub(in crate::store) struct File(fs::File);

impl File {
    pub(in crate::store) fn len(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    /// Reads up to `buf.len()` bytes; 0 at the end.
    pub(in crate::store) fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let mut file = &self.0;
        file.seek(SeekFrom::Start(offset))?;
        file.read(buf)
    }

    pub(in crate::store) fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        let mut file = &self.0;
        file.seek(SeekFrom::Start(offset))?;
        file.write_all(bytes)
    }

    /// Waits until all of it is on disk.
    pub(in crate::store) fn sync(&self) -> io::Result<()> {
        self.0.sync_all()
    }

    /// Dates the file. Tests have a time of their own.
    pub(in crate::store) fn stamp(&self, time: SystemTime) -> io::Result<()> {
        self.0.set_modified(time)
    }
}

pub(in crate::store) fn stat(path: &Path) -> io::Result<Option<Stat>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) => Ok(Some(Stat {
            kind: match metadata.file_type() {
                kind if kind.is_file() => Kind::File,
                kind if kind.is_dir() => Kind::Dir,
                _ => Kind::Other,
            },
            len: metadata.len(),
            modified: metadata.modified()?,
        })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

pub(in crate::store) fn open(path: &Path) -> io::Result<File> {
    fs::File::open(path).map(File)
}

/// Creates a file that is not there yet, for writing and reading.
pub(in crate::store) fn create_new(path: &Path) -> io::Result<File> {
    OpenOptions::new().read(true).write(true).create_new(true).open(path).map(File)
}

/// Appends in one atomic write; creates the file when it is not there.
pub(in crate::store) fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(bytes)
}

/// Writes over the start of a file; creates it when it is not there.
pub(in crate::store) fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(path)?;
    File(file).write_at(0, bytes)
}

/// Dates a file that is there.
pub(in crate::store) fn touch(path: &Path, time: SystemTime) -> io::Result<()> {
    OpenOptions::new().write(true).open(path)?.set_modified(time)
}

pub(in crate::store) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    fs::rename(from, to)
}

pub(in crate::store) fn link(from: &Path, to: &Path) -> io::Result<()> {
    fs::hard_link(from, to)
}

pub(in crate::store) fn remove_file(path: &Path) -> io::Result<()> {
    fs::remove_file(path)
}

pub(in crate::store) fn remove_dir(path: &Path) -> io::Result<()> {
    fs::remove_dir(path)
}

pub(in crate::store) fn create_dir_all(path: &Path) -> io::Result<()> {
    fs::create_dir_all(path)
}

/// Makes a directory's entries durable where the host can.
pub(in crate::store) fn sync_dir(path: &Path) -> io::Result<()> {
    fs::File::open(path)?.sync_all()
}

pub(in crate::store) fn list(dir: &Path) -> io::Result<Listing> {
    match stat(dir)? {
        Some(Stat { kind: Kind::Dir, .. }) => {}
        Some(_) => return Ok(Listing::Other),
        None => return Ok(Listing::Missing),
    }
    let entries = match fs::read_dir(dir) {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Listing::Missing),
        Err(error) => return Err(error),
    };
    let (mut names, mut foreign) = (Vec::new(), 0);
    for entry in entries {
        match entry?.file_name().into_string() {
            Ok(name) => names.push(name),
            Err(_) => foreign += 1,
        }
    }
    Ok(Listing::Names(names, foreign))
}

/// A number that is another one at each call, as far as the clock goes.
pub(in crate::store) fn nonce() -> u64 {
    let since = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    since.as_nanos() as u64
}
