//! The few file operations that the store is made of.
//!
//! Everything that changes the disk passes through here, so that a test can stop the store after
//! any step, as a crash or a full disk would.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::SystemTime;

use super::fault::{self, Op};
use super::listing::{self, Listing};
use crate::sort::sort;

/// Tries before giving up on finding a free temporary name or on a directory that keeps vanishing.
const ATTEMPTS: u32 = 24;

/// The regular file at `path`, open for reading; `None` when there is nothing.
///
/// # Errors
/// `InvalidData` when something other than a regular file lies there: a planted symlink is not
/// followed.
pub(super) fn open_regular(path: &Path) -> io::Result<Option<File>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => match File::open(path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        },
        Ok(_) => Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file")),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// The bytes of a small file; `None` when there is none, or something that is no file.
pub(super) fn read_small(path: &Path, max_bytes: u64) -> io::Result<Option<Vec<u8>>> {
    let file = match open_regular(path) {
        Ok(Some(file)) => file,
        Ok(None) => return Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut bytes = Vec::new();
    file.take(max_bytes).read_to_end(&mut bytes)?;
    Ok(Some(bytes))
}

/// The time of last change of a regular file, and its length; `None` when there is none.
pub(super) fn stat(path: &Path) -> io::Result<Option<(SystemTime, u64)>> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if metadata.is_file() => Ok(Some((metadata.modified()?, metadata.len()))),
        Ok(_) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

/// Whether anything at all has this name.
pub(super) fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok()
}

/// The names in a directory, sorted; none when there is no directory. The second value counts what
/// has no name that is UTF-8, and a thing in the directory's place that is none.
pub(super) fn names(dir: &Path) -> io::Result<(Vec<String>, u64)> {
    match listing::list(dir)? {
        Listing::Missing => Ok((Vec::new(), 0)),
        Listing::Other => Ok((Vec::new(), 1)),
        Listing::Names(mut names, foreign) => {
            sort(&mut names);
            Ok((names, foreign))
        }
    }
}

/// Creates a directory and its parents; that it is there already is fine, that it is a symlink not.
pub(super) fn ensure_dir(dir: &Path) -> io::Result<()> {
    fault::step(Op::Create)?;
    fs::create_dir_all(dir)?;
    if fs::symlink_metadata(dir)?.is_dir() {
        Ok(())
    } else {
        Err(io::Error::new(io::ErrorKind::InvalidData, "not a directory"))
    }
}

/// Runs `op`, which puts something at `path`; makes the directory it lies in when that is missing.
fn with_parent<T>(path: &Path, op: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let not_found = |error: &io::Error| error.kind() == io::ErrorKind::NotFound;
    let mut unexplained = 0;
    // A sweep may remove an empty directory between its creation and its use, and another put may
    // create it between its absence and our look.
    for _ in 0..ATTEMPTS {
        match op() {
            Err(error) if not_found(&error) => match path.parent() {
                Some(parent) if !exists(parent) => match ensure_dir(parent) {
                    Err(error) if not_found(&error) => {}
                    result => result?,
                },
                _ if unexplained < 3 => unexplained += 1,
                _ => return Err(error),
            },
            result => return result,
        }
    }
    op()
}

/// Renames a file, over whatever is there.
pub(super) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    with_parent(to, || {
        fault::step(Op::Change)?;
        fs::rename(from, to)
    })
}

/// Gives a file a second name, if that is free.
///
/// # Errors
/// `AlreadyExists` when it is not.
pub(super) fn link(from: &Path, to: &Path) -> io::Result<()> {
    with_parent(to, || {
        fault::step(Op::Create)?;
        fs::hard_link(from, to)
    })
}

/// Removes a file; whether it was there.
pub(super) fn remove(path: &Path) -> io::Result<bool> {
    fault::step(Op::Change)?;
    match fs::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a directory if it is empty; whether it was.
pub(super) fn remove_empty_dir(path: &Path) -> bool {
    fault::step(Op::Change).is_ok() && fs::remove_dir(path).is_ok()
}

/// Creates an empty file if there is none, and sets its time.
pub(super) fn mark(path: &Path, time: SystemTime) -> io::Result<()> {
    // First as one that is there: that works on a full disk.
    if touch(path, time)? {
        return Ok(());
    }
    with_parent(path, || {
        fault::step(Op::Create)?;
        check_no_other(path)?;
        OpenOptions::new().create(true).append(true).open(path)?.set_modified(time)
    })
}

/// Refuses to write to what is there and no regular file. One look: in wasm each is two calls of
/// the host.
fn check_no_other(path: &Path) -> io::Result<()> {
    match fs::symlink_metadata(path) {
        Ok(metadata) if !metadata.is_file() => {
            Err(io::Error::new(io::ErrorKind::InvalidData, "not a regular file"))
        }
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        Err(error) => Err(error),
    }
}

/// Sets a file's time; whether it was there.
pub(super) fn touch(path: &Path, time: SystemTime) -> io::Result<bool> {
    fault::step(Op::Change)?;
    if stat(path)?.is_none() {
        return Ok(false);
    }
    match OpenOptions::new().write(true).open(path) {
        Ok(file) => file.set_modified(time).map(|()| true),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Appends bytes in one atomic write, however many others append at the same time.
pub(super) fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    with_parent(path, || {
        check_no_other(path)?;
        let mut file = OpenOptions::new().create(true).append(true).open(path)?;
        write_all(&mut file, bytes)
    })
}

/// Makes a directory's entries durable where the host can; that one cannot is no error.
pub(super) fn sync_dir(dir: &Path) {
    if let Ok(dir) = File::open(dir) {
        let _ = dir.sync_all();
    }
}

fn write_all(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    if let Err(error) = fault::step(Op::Write) {
        // As a disk that fills up, or a process that is killed, in the middle of a write.
        file.write_all(&bytes[..bytes.len() / 2])?;
        return Err(error);
    }
    file.write_all(bytes)
}

/// Replaces a small file as a whole: a reader meets the old bytes or the new ones.
pub(super) fn replace(tmp: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temp = Temp::create(tmp, "w")?;
    temp.write(bytes)?;
    temp.sync()?;
    temp.publish(path)
}

/// Numbers to try in a temporary name: 0, 1, 3, 7, … from `start`, so that a free one is found
/// quickly however many leftovers there are.
pub(super) fn numbers(start: u32) -> impl Iterator<Item = u32> {
    (0..ATTEMPTS).map(move |n| start.wrapping_add((1 << n) - 1))
}

/// A name `<stem><number>` that nothing has, as far as can be seen.
pub(super) fn free_name(tmp: &Path, stem: &str) -> PathBuf {
    let mut paths = numbers(0).map(|n| tmp.join(format!("{stem}{n}")));
    paths.find(|path| !exists(path)).unwrap_or_else(|| tmp.join(stem))
}

/// A file being written. Dropped before it is published, it is removed.
#[derive(Debug)]
pub(super) struct Temp {
    file: File,
    path: PathBuf,
    len: u64,
    named: bool,
}

/// Where this instance begins to look for a free name. Whether it is free is for `create_new` to
/// say, so processes need not agree on it.
static NEXT: AtomicU32 = AtomicU32::new(0);

impl Temp {
    /// Creates an empty file with a name of its own, `<stem><number>`.
    pub(super) fn create(tmp: &Path, stem: &str) -> io::Result<Temp> {
        for n in numbers(NEXT.fetch_add(1, Ordering::Relaxed)) {
            let path = tmp.join(format!("{stem}{n}"));
            match with_parent(&path, || {
                fault::step(Op::Create)?;
                OpenOptions::new().write(true).create_new(true).open(&path)
            }) {
                Ok(file) => return Ok(Temp { file, path, len: 0, named: true }),
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
                Err(error) => return Err(error),
            }
        }
        Err(io::Error::new(io::ErrorKind::AlreadyExists, "no free temporary name; sweep the store"))
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// The name, to be used for something else that is renamed over it.
    pub(super) fn keep(mut self) -> PathBuf {
        self.named = false;
        self.path.clone()
    }

    /// Bytes written so far.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        write_all(&mut self.file, bytes)?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn set_time(&self, time: SystemTime) -> io::Result<()> {
        fault::step(Op::Change)?;
        self.file.set_modified(time)
    }

    /// Waits until all bytes are on disk, and checks that they are as many as were written.
    pub(super) fn sync(&self) -> io::Result<()> {
        fault::step(Op::Write)?;
        self.file.sync_all()?;
        let len = self.file.metadata()?.len();
        if len == self.len {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file is shorter than written"))
        }
    }

    /// Moves the file to its place, over whatever is there.
    pub(super) fn publish(mut self, path: &Path) -> io::Result<()> {
        rename(&self.path, path)?;
        self.named = false;
        Ok(())
    }

    /// Moves the file to its place if that is free; whether it was.
    pub(super) fn publish_new(&mut self, path: &Path) -> io::Result<bool> {
        match link(&self.path, path) {
            Ok(()) => Ok(true),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            // A host without hard links: between the check and the rename another process may
            // put the same reference there, which is then replaced by an equal one.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                if exists(path) {
                    return Ok(false);
                }
                rename(&self.path, path)?;
                self.named = false;
                Ok(true)
            }
            Err(error) => Err(error),
        }
    }
}

impl Drop for Temp {
    fn drop(&mut self) {
        if self.named {
            let _ = remove(&self.path);
        }
    }
}
