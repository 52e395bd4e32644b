//! Inside the sandbox: WASI itself. Paths are relative to the one directory that the host gives.

use std::io;
use std::path::Path;
use std::time::{Duration, SystemTime};

use wasip2::clocks::wall_clock;
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{
    Descriptor, DescriptorFlags, DescriptorType, ErrorCode, NewTimestamp, OpenFlags, PathFlags,
    filesystem_error_code,
};
use wasip2::io::streams::StreamError;

use super::types::{Kind, Listing, Stat};

/// What the directory is called, where the host gives several.
const STORE: &str = "/store";

/// Bytes that one call takes to write. Some hosts bound what a call may carry.
const WRITE_BYTES: usize = 1024 * 1024;

/// Bytes that a stream takes at once, by its contract.
const STREAM_BYTES: usize = 4_096;

thread_local! {
    static ROOT: Option<Descriptor> = root();
}

/// The directory called `/store`, or else the only one.
fn root() -> Option<Descriptor> {
    let mut given = get_directories();
    let at = given.iter().position(|(_, name)| name.trim_end_matches('/') == STORE);
    match (at, given.len()) {
        (Some(at), _) => Some(given.swap_remove(at).0),
        (None, 1) => given.pop().map(|(directory, _)| directory),
        _ => None,
    }
}

/// Whether the host gives a directory.
#[cfg(feature = "results")]
pub(crate) fn has_directory() -> bool {
    ROOT.with(Option::is_some)
}

/// Does `op` with the directory and the path in it.
fn within<T>(
    path: &Path,
    op: impl FnOnce(&Descriptor, &str) -> Result<T, ErrorCode>,
) -> io::Result<T> {
    let path = path.to_str().ok_or(io::ErrorKind::InvalidInput)?;
    let path = if path.is_empty() { "." } else { path };
    ROOT.with(|root| match root {
        Some(root) => op(root, path).map_err(error),
        None => Err(io::Error::new(
            io::ErrorKind::Unsupported,
            "the host gives the component no directory called /store, and not exactly one other",
        )),
    })
}

/// Whether the host gives the directory for reading only.
fn is_read_only() -> bool {
    let flags = ROOT.with(|root| root.as_ref().and_then(|root| root.get_flags().ok()));
    flags.is_some_and(|flags| !flags.contains(DescriptorFlags::MUTATE_DIRECTORY))
}

fn error(code: ErrorCode) -> io::Error {
    let kind = match code {
        ErrorCode::NotPermitted if is_read_only() => io::ErrorKind::ReadOnlyFilesystem,
        ErrorCode::Access | ErrorCode::NotPermitted => io::ErrorKind::PermissionDenied,
        ErrorCode::Exist => io::ErrorKind::AlreadyExists,
        ErrorCode::FileTooLarge => io::ErrorKind::FileTooLarge,
        ErrorCode::InsufficientSpace => io::ErrorKind::StorageFull,
        ErrorCode::Interrupted => io::ErrorKind::Interrupted,
        ErrorCode::IsDirectory => io::ErrorKind::IsADirectory,
        ErrorCode::NoEntry => io::ErrorKind::NotFound,
        ErrorCode::NotDirectory | ErrorCode::Loop => io::ErrorKind::NotADirectory,
        ErrorCode::NotEmpty => io::ErrorKind::DirectoryNotEmpty,
        ErrorCode::Quota => io::ErrorKind::QuotaExceeded,
        ErrorCode::ReadOnly => io::ErrorKind::ReadOnlyFilesystem,
        ErrorCode::Unsupported => io::ErrorKind::Unsupported,
        ErrorCode::Io => return io::Error::other("the disk reports an input/output error"),
        other => return io::Error::other(other.name()),
    };
    kind.into()
}

/// An open file.
#[derive(Debug)]
pub(in crate::store) struct File(Descriptor);

impl File {
    pub(in crate::store) fn len(&self) -> io::Result<u64> {
        Ok(self.0.stat().map_err(error)?.size)
    }

    /// Reads up to `buf.len()` bytes; 0 at the end.
    pub(in crate::store) fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        let (bytes, _) = self.0.read(buf.len() as u64, offset).map_err(error)?;
        let n = bytes.len().min(buf.len());
        buf[..n].copy_from_slice(&bytes[..n]);
        Ok(n)
    }

    pub(in crate::store) fn write_at(&self, mut offset: u64, mut bytes: &[u8]) -> io::Result<()> {
        while !bytes.is_empty() {
            let some = &bytes[..bytes.len().min(WRITE_BYTES)];
            let n = self.0.write(some, offset).map_err(error)?;
            if n == 0 {
                return Err(io::ErrorKind::WriteZero.into());
            }
            offset += n;
            bytes = &bytes[usize::try_from(n).unwrap_or(usize::MAX).min(bytes.len())..];
        }
        Ok(())
    }

    /// Waits until all of it is on disk.
    pub(in crate::store) fn sync(&self) -> io::Result<()> {
        self.0.sync().map_err(error)
    }

    /// Dates the file: it was written just now, so the host has done that.
    #[expect(clippy::unused_self, clippy::unnecessary_wraps, reason = "it works outside")]
    pub(in crate::store) fn stamp(&self, _now: SystemTime) -> io::Result<()> {
        Ok(())
    }
}

fn open_at(path: &Path, open: OpenFlags, flags: DescriptorFlags) -> io::Result<Descriptor> {
    within(path, |root, path| root.open_at(PathFlags::empty(), path, open, flags))
}

pub(in crate::store) fn stat(path: &Path) -> io::Result<Option<Stat>> {
    let looked = within(path, |root, path| root.stat_at(PathFlags::empty(), path));
    match looked {
        Ok(stat) => Ok(Some(Stat {
            kind: match stat.type_ {
                DescriptorType::RegularFile => Kind::File,
                DescriptorType::Directory => Kind::Dir,
                _ => Kind::Other,
            },
            len: stat.size,
            modified: stat.data_modification_timestamp.map_or(SystemTime::UNIX_EPOCH, |time| {
                SystemTime::UNIX_EPOCH
                    .checked_add(Duration::new(time.seconds, time.nanoseconds.min(999_999_999)))
                    .unwrap_or(SystemTime::UNIX_EPOCH)
            }),
        })),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(error),
    }
}

pub(in crate::store) fn open(path: &Path) -> io::Result<File> {
    open_at(path, OpenFlags::empty(), DescriptorFlags::READ).map(File)
}

/// Creates a file that is not there yet, for writing and reading.
pub(in crate::store) fn create_new(path: &Path) -> io::Result<File> {
    let flags = DescriptorFlags::READ | DescriptorFlags::WRITE;
    open_at(path, OpenFlags::CREATE | OpenFlags::EXCLUSIVE, flags).map(File)
}

/// Appends; a host does what it is given at once in one atomic write.
pub(in crate::store) fn append(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let file = open_at(path, OpenFlags::CREATE, DescriptorFlags::WRITE)?;
    let stream = file.append_via_stream().map_err(error)?;
    for some in bytes.chunks(STREAM_BYTES) {
        stream.blocking_write_and_flush(some).map_err(|failed| match failed {
            StreamError::LastOperationFailed(cause) => match filesystem_error_code(&cause) {
                Some(code) => error(code),
                None => io::Error::other("the host cannot append"),
            },
            StreamError::Closed => io::ErrorKind::WriteZero.into(),
        })?;
    }
    Ok(())
}

/// Writes over the start of a file; creates it when it is not there.
pub(in crate::store) fn overwrite(path: &Path, bytes: &[u8]) -> io::Result<()> {
    File(open_at(path, OpenFlags::CREATE, DescriptorFlags::WRITE)?).write_at(0, bytes)
}

/// Dates a file that is there: now, by the host's clock.
pub(in crate::store) fn touch(path: &Path, _now: SystemTime) -> io::Result<()> {
    let file = open_at(path, OpenFlags::empty(), DescriptorFlags::WRITE)?;
    file.set_times(NewTimestamp::Now, NewTimestamp::Now).map_err(error)
}

pub(in crate::store) fn rename(from: &Path, to: &Path) -> io::Result<()> {
    let to = to.to_str().ok_or(io::ErrorKind::InvalidInput)?;
    within(from, |root, from| root.rename_at(from, root, to))
}

pub(in crate::store) fn link(from: &Path, to: &Path) -> io::Result<()> {
    let to = to.to_str().ok_or(io::ErrorKind::InvalidInput)?;
    within(from, |root, from| root.link_at(PathFlags::empty(), from, root, to))
}

pub(in crate::store) fn remove_file(path: &Path) -> io::Result<()> {
    within(path, Descriptor::unlink_file_at)
}

pub(in crate::store) fn remove_dir(path: &Path) -> io::Result<()> {
    within(path, Descriptor::remove_directory_at)
}

pub(in crate::store) fn create_dir_all(path: &Path) -> io::Result<()> {
    let mut made = std::path::PathBuf::new();
    for part in path {
        made.push(part);
        match within(&made, Descriptor::create_directory_at) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {}
            result => result?,
        }
    }
    Ok(())
}

/// Makes a directory's entries durable where the host can.
pub(in crate::store) fn sync_dir(path: &Path) -> io::Result<()> {
    open_at(path, OpenFlags::DIRECTORY, DescriptorFlags::READ)?.sync().map_err(error)
}

pub(in crate::store) fn list(dir: &Path) -> io::Result<Listing> {
    let opened = open_at(dir, OpenFlags::DIRECTORY, DescriptorFlags::READ)
        .and_then(|dir| dir.read_directory().map_err(error));
    let entries = match opened {
        Ok(entries) => entries,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Listing::Missing),
        Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(Listing::Other),
        Err(error) => return Err(error),
    };
    let (mut names, mut foreign) = (Vec::new(), 0);
    loop {
        match entries.read_directory_entry() {
            Ok(Some(entry)) => names.push(entry.name),
            Ok(None) => return Ok(Listing::Names(names, foreign)),
            // Removed while the host looked at it.
            Err(ErrorCode::NoEntry) => {}
            Err(ErrorCode::IllegalByteSequence) => foreign += 1,
            Err(code) => return Err(error(code)),
        }
    }
}

/// A number that is another one at each call, as far as the clock goes.
pub(in crate::store) fn nonce() -> u64 {
    let now = wall_clock::now();
    now.seconds.wrapping_mul(1_000_000_000).wrapping_add(u64::from(now.nanoseconds))
}
