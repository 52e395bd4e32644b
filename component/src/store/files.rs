//! The few file operations that the store is made of.
//!
//! Everything that changes the disk passes through here, so that a test can stop the store after
//! any step, as a crash or a full disk would.

use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::disk::{self, File, Kind, Listing};
use super::fault::{self, Op};
use crate::limits::READ_BYTES;
use crate::sort::sort;

/// Tries before giving up on a directory that keeps vanishing.
const ATTEMPTS: u32 = 24;

fn is_missing(error: &io::Error) -> bool {
    error.kind() == io::ErrorKind::NotFound
}

fn not_a_file() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "something that is not a file has its name")
}

/// The regular file at `path`, open for reading; `None` when there is nothing.
///
/// # Errors
/// `InvalidData` when something other than a regular file lies there: a planted symlink is not
/// followed, and a FIFO would be waited for.
pub(super) fn open_regular(path: &Path) -> io::Result<Option<File>> {
    match look(path)? {
        Some(Look::File(..)) => match disk::open(path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if is_missing(&error) => Ok(None),
            Err(error) => Err(error),
        },
        Some(Look::Other) => Err(not_a_file()),
        None => Ok(None),
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
    let mut buf = vec![0; usize::try_from(max_bytes).unwrap_or(READ_BYTES).min(READ_BYTES)];
    loop {
        let left = max_bytes - bytes.len() as u64;
        let most = usize::try_from(left).unwrap_or(READ_BYTES).min(buf.len());
        let n = file.read_at(bytes.len() as u64, &mut buf[..most])?;
        if n == 0 {
            return Ok(Some(bytes));
        }
        bytes.extend_from_slice(&buf[..n]);
    }
}

/// What has a name.
#[derive(Debug, Clone, Copy)]
pub(super) enum Look {
    /// A regular file: the time of its last change, and its length.
    File(SystemTime, u64),
    /// Something that the store did not make.
    Other,
}

/// What has this name, in one look: what comes or goes meanwhile is not taken for anything else.
pub(super) fn look(path: &Path) -> io::Result<Option<Look>> {
    match disk::stat(path) {
        Ok(found) => Ok(found.map(|stat| match stat.kind {
            Kind::File => Look::File(stat.modified, stat.len),
            Kind::Dir | Kind::Other => Look::Other,
        })),
        // Nothing lies below what is no directory.
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => Ok(None),
        Err(error) => Err(error),
    }
}

/// The time of last change of a regular file, and its length; `None` when there is none.
pub(super) fn stat(path: &Path) -> io::Result<Option<(SystemTime, u64)>> {
    Ok(match look(path)? {
        Some(Look::File(time, len)) => Some((time, len)),
        Some(Look::Other) | None => None,
    })
}

/// Whether anything at all has this name.
pub(super) fn exists(path: &Path) -> bool {
    matches!(disk::stat(path), Ok(Some(_)))
}

/// The names in a directory, sorted; none when there is no directory. The second value counts what
/// has no name that is UTF-8, and a thing in the directory's place that is none.
pub(super) fn names(dir: &Path) -> io::Result<(Vec<String>, u64)> {
    match disk::list(dir)? {
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
    disk::create_dir_all(dir)?;
    match disk::stat(dir)? {
        Some(stat) if stat.kind == Kind::Dir => Ok(()),
        Some(_) => Err(io::ErrorKind::NotADirectory.into()),
        None => Err(io::ErrorKind::NotFound.into()),
    }
}

/// Moves aside what lies where the store keeps something of its own and is of another sort: a FIFO
/// would be waited for, a symlink would be followed. Nothing is lost by it: it is in `tmp` then.
fn make_way(tmp: &Path, path: &Path, wanted: Kind) -> io::Result<()> {
    match disk::stat(path) {
        Ok(Some(stat)) if stat.kind != wanted => {
            let aside = tmp.join(format!("foreign-{:x}", disk::nonce()));
            rename(path, &aside)
        }
        _ => Ok(()),
    }
}

fn is_no_dir(path: &Path) -> bool {
    matches!(disk::stat(path), Ok(Some(stat)) if stat.kind != Kind::Dir)
}

/// Runs `op`, which puts something at `path`; makes the directory it lies in when that is missing.
fn with_parent<T>(path: &Path, op: impl Fn() -> io::Result<T>) -> io::Result<T> {
    let mut unexplained = 0;
    // A sweep may remove an empty directory between its creation and its use, and another put may
    // create it between its absence and our look.
    for _ in 0..ATTEMPTS {
        match op() {
            Err(error) if is_missing(&error) => match path.parent() {
                Some(parent) if !exists(parent) => match ensure_dir(parent) {
                    Err(error) if is_missing(&error) => {}
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
        disk::rename(from, to)
    })
}

/// Gives a file a second name, if that is free.
///
/// # Errors
/// `AlreadyExists` when it is not.
fn link(from: &Path, to: &Path) -> io::Result<()> {
    with_parent(to, || {
        fault::step(Op::Create)?;
        disk::link(from, to)
    })
}

/// Removes a file; whether it was there.
pub(super) fn remove(path: &Path) -> io::Result<bool> {
    fault::step(Op::Change)?;
    match disk::remove_file(path) {
        Ok(()) => Ok(true),
        Err(error) if is_missing(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Removes a directory if it is empty; whether it was.
pub(super) fn remove_empty_dir(path: &Path) -> bool {
    fault::step(Op::Change).is_ok() && disk::remove_dir(path).is_ok()
}

/// Creates an empty file if there is none, and dates it.
pub(super) fn mark(tmp: &Path, path: &Path, now: SystemTime) -> io::Result<()> {
    // First as one that is there: that works on a full disk.
    if touch(path, now)? {
        return Ok(());
    }
    make_way(tmp, path, Kind::File)?;
    with_parent(path, || {
        fault::step(Op::Create)?;
        match disk::create_new(path) {
            Ok(file) => file.stamp(now),
            // Another process was faster.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            Err(error) => Err(error),
        }
    })
}

/// Dates a file; whether it was there.
pub(super) fn touch(path: &Path, now: SystemTime) -> io::Result<bool> {
    fault::step(Op::Change)?;
    if stat(path)?.is_none() {
        return Ok(false);
    }
    match disk::touch(path, now) {
        Ok(()) => Ok(true),
        Err(error) if is_missing(&error) => Ok(false),
        Err(error) => Err(error),
    }
}

/// Appends bytes in one atomic write, however many others append at the same time.
pub(super) fn append(tmp: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_way(tmp, path, Kind::File)?;
    let append = || {
        with_parent(path, || {
            let (bytes, fault) = up_to_fault(bytes);
            disk::append(path, bytes)?;
            fault
        })
    };
    match (append(), path.parent()) {
        (Err(error), Some(parent)) if !is_full(&error) && is_no_dir(parent) => {
            make_way(tmp, parent, Kind::Dir)?;
            append()
        }
        (result, _) => result,
    }
}

/// Keeps a few bytes in a file of their own, over those that were there.
pub(super) fn note(tmp: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    make_way(tmp, path, Kind::File)?;
    with_parent(path, || {
        let (bytes, fault) = up_to_fault(bytes);
        disk::overwrite(path, bytes)?;
        fault
    })
}

/// Makes a directory's entries durable where the host can; that one cannot is no error.
pub(super) fn sync_dir(dir: &Path) {
    let _ = disk::sync_dir(dir);
}

/// What is written of some bytes: all, or half where the disk fills up or the process is killed in
/// the middle.
fn up_to_fault(bytes: &[u8]) -> (&[u8], io::Result<()>) {
    match fault::step(Op::Write) {
        Ok(()) => (bytes, Ok(())),
        Err(error) => (&bytes[..bytes.len() / 2], Err(error)),
    }
}

/// Replaces a small file as a whole: a reader meets the old bytes or the new ones, also when the
/// machine stops.
pub(super) fn replace(tmp: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_if(tmp, path, bytes, Temp::sync)
}

/// The same without a wait for the disk, for notes that may be lost: when the machine stops, the
/// file may be old, empty or damaged.
pub(super) fn replace_note(tmp: &Path, path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_if(tmp, path, bytes, |_| Ok(()))
}

fn replace_if(
    tmp: &Path,
    path: &Path,
    bytes: &[u8],
    ready: fn(&Temp) -> io::Result<()>,
) -> io::Result<()> {
    let mut temp = Temp::create(tmp)?;
    temp.write(bytes)?;
    ready(&temp)?;
    temp.publish(path)
}

/// A name that begins with `stem` and that nothing has. Numbered from the clock on: however many
/// leftovers there are, the first name is free but for those that are made at the same instant.
fn free_names(tmp: &Path, stem: &str) -> impl Iterator<Item = PathBuf> {
    let from = format!("{stem}{:x}", disk::nonce());
    (0_u32..).map({
        let tmp = tmp.to_owned();
        move |n| tmp.join(format!("{from}-{n}"))
    })
}

/// A name for something that is renamed out of the way, and the empty file that reserves it.
///
/// The empty file keeps two removals off one name. On a full disk it cannot be had, and removing is
/// what helps there.
pub(super) fn reserve_name(tmp: &Path, stem: &str) -> io::Result<PathBuf> {
    match create_with_free_name(tmp, stem) {
        Ok((_, path)) => Ok(path),
        Err(error) if is_full(&error) => {
            let mut names = free_names(tmp, stem);
            Ok(names.find(|path| !exists(path)).unwrap_or_else(|| tmp.join(stem)))
        }
        Err(error) => Err(error),
    }
}

/// Whether there is no room on the disk.
pub(super) fn is_full(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::StorageFull | io::ErrorKind::QuotaExceeded)
}

fn create_with_free_name(tmp: &Path, stem: &str) -> io::Result<(File, PathBuf)> {
    for path in free_names(tmp, stem) {
        match with_parent(&path, || {
            fault::step(Op::Create)?;
            disk::create_new(&path)
        }) {
            Ok(file) => return Ok((file, path)),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(io::ErrorKind::AlreadyExists.into())
}

/// What names of temporary files begin with.
pub(super) const TEMP: &str = "w";

/// Whether a temporary file's name was given by this version, whose writers do not depend on it:
/// earlier ones numbered them from 0.
pub(super) fn is_recoverable(name: &str) -> bool {
    name.strip_prefix(TEMP).is_some_and(|number| number.contains('-'))
}

/// A file being written. Dropped before it is published, it is removed.
///
/// Its name may go while it is written, or even after: one that stands still for long looks like
/// what a crash left. The bytes are then still in the open file, and get a new name.
#[derive(Debug)]
pub(super) struct Temp {
    file: File,
    tmp: PathBuf,
    path: PathBuf,
    len: u64,
    named: bool,
}

impl Temp {
    /// Creates an empty file with a name of its own.
    pub(super) fn create(tmp: &Path) -> io::Result<Temp> {
        let (file, path) = create_with_free_name(tmp, TEMP)?;
        Ok(Temp { file, tmp: tmp.to_owned(), path, len: 0, named: true })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Bytes written so far.
    pub(super) fn len(&self) -> u64 {
        self.len
    }

    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let (bytes, fault) = up_to_fault(bytes);
        self.file.write_at(self.len, bytes)?;
        fault?;
        self.len += bytes.len() as u64;
        Ok(())
    }

    /// Reads what was written, from `offset` on; 0 at the end.
    pub(super) fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        self.file.read_at(offset, buf)
    }

    /// Dates the file.
    pub(super) fn stamp(&self, now: SystemTime) -> io::Result<()> {
        fault::step(Op::Change)?;
        self.file.stamp(now)
    }

    /// Waits until all bytes are on disk, and checks that they are as many as were written.
    pub(super) fn sync(&self) -> io::Result<()> {
        fault::step(Op::Write)?;
        self.file.sync()?;
        if self.file.len()? == self.len {
            Ok(())
        } else {
            Err(io::Error::new(io::ErrorKind::UnexpectedEof, "the file is shorter than written"))
        }
    }

    /// The same bytes in a new file, whatever became of this one's name.
    fn again(&self) -> io::Result<Temp> {
        let mut copy = Temp::create(&self.tmp)?;
        let mut buf = vec![0; READ_BYTES];
        while copy.len < self.len {
            let most = usize::try_from(self.len - copy.len).unwrap_or(READ_BYTES).min(READ_BYTES);
            match self.file.read_at(copy.len, &mut buf[..most])? {
                0 => return Err(io::ErrorKind::UnexpectedEof.into()),
                n => copy.write(&buf[..n])?,
            }
        }
        copy.sync()?;
        Ok(copy)
    }

    /// Does `op` with the file's name, and again with a new one whenever that has gone.
    fn with_name<T>(&mut self, op: impl Fn(&Path) -> io::Result<T>) -> io::Result<T> {
        for _ in 0..ATTEMPTS {
            match op(&self.path) {
                Err(error) if is_missing(&error) && !exists(&self.path) => {
                    self.named = false;
                    *self = self.again()?;
                }
                result => return result,
            }
        }
        op(&self.path)
    }

    /// Moves the file to its place, over whatever is there.
    pub(super) fn publish(&mut self, path: &Path) -> io::Result<()> {
        self.with_name(|name| rename(name, path))?;
        self.named = false;
        Ok(())
    }

    /// Moves the file to its place if that is free; whether it was.
    pub(super) fn publish_new(&mut self, path: &Path) -> io::Result<bool> {
        match self.with_name(|name| link(name, path)) {
            Ok(()) => {
                // Should this fail, it is a leftover: the file has its place.
                self.named = remove(&self.path).is_err();
                Ok(true)
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(false),
            // A host without hard links: between the check and the rename another process may
            // put the same reference there, which is then replaced by an equal one.
            Err(error) if error.kind() == io::ErrorKind::Unsupported => {
                if exists(path) {
                    return Ok(false);
                }
                self.publish(path)?;
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
