//! The file system, as the store needs it: a dozen operations on paths.
//!
//! Bodies behind one face. What lies below [`MEMORY`] is in the memory of the instance. Outside the sandbox the standard library does the work. Inside it
//! WASI is called directly, for three reasons:
//!
//! - The C library opens every file for writing with `mutate-directory`, which is for directories
//!   only: wasmtime ignores the flag, the usual shim for JavaScript refuses the file.
//! - It reads only below a directory with a name that the program knows. Here the only directory
//!   will do, whatever the host calls it.
//! - It turns error codes into numbers, which no message can explain.
//!
//! Times are set to *now* by the host's own clock: some hosts set any other time wrongly.

mod memory;
mod types;

#[cfg(not(target_os = "wasi"))]
mod native;
#[cfg(target_os = "wasi")]
mod wasi;

use std::io;
use std::path::Path;
use std::time::SystemTime;

#[cfg(not(target_os = "wasi"))]
use native as body;
#[cfg(target_os = "wasi")]
use wasi as body;

#[cfg(all(target_os = "wasi", feature = "results"))]
pub(crate) use body::has_directory;
pub(super) use body::nonce;
pub(super) use types::{Kind, Listing, Stat};

/// The root of a store in memory.
pub const MEMORY: &str = ":memory:";

/// An open file.
#[derive(Debug)]
pub(super) enum File {
    /// In the directory that the host gives.
    Given(body::File),
    /// In memory.
    Memory(memory::File),
}

impl File {
    pub(super) fn len(&self) -> io::Result<u64> {
        match self {
            File::Given(file) => file.len(),
            File::Memory(file) => Ok(file.len()),
        }
    }

    /// Reads up to `buf.len()` bytes; 0 at the end.
    pub(super) fn read_at(&self, offset: u64, buf: &mut [u8]) -> io::Result<usize> {
        match self {
            File::Given(file) => file.read_at(offset, buf),
            File::Memory(file) => Ok(file.read_at(offset, buf)),
        }
    }

    pub(super) fn write_at(&self, offset: u64, bytes: &[u8]) -> io::Result<()> {
        match self {
            File::Given(file) => file.write_at(offset, bytes),
            File::Memory(file) => file.write_at(offset, bytes),
        }
    }

    /// Waits until all of it is on disk.
    pub(super) fn sync(&self) -> io::Result<()> {
        match self {
            File::Given(file) => file.sync(),
            File::Memory(_) => Ok(()),
        }
    }

    /// Dates the file.
    pub(super) fn stamp(&self, now: SystemTime) -> io::Result<()> {
        match self {
            File::Given(file) => file.stamp(now),
            File::Memory(file) => {
                file.stamp(now);
                Ok(())
            }
        }
    }
}

fn is_in_memory(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().starts_with(MEMORY.as_bytes())
}

/// The operations, each where its path lies.
macro_rules! operations {
    ($($(#[$doc:meta])* $name:ident($path:ident $(, $given:ident: $ty:ty)*) -> $out:ty $(, $file:ident)?;)+) => {
        $($(#[$doc])*
        pub(super) fn $name($path: &Path $(, $given: $ty)*) -> io::Result<$out> {
            match is_in_memory($path) {
                true => memory::$name($path $(, $given)*)$(.map($file::Memory))?,
                false => body::$name($path $(, $given)*)$(.map($file::Given))?,
            }
        })+
    };
}

operations! {
    stat(path) -> Option<Stat>;
    open(path) -> File, File;
    /// Creates a file that is not there yet, for writing and reading.
    create_new(path) -> File, File;
    /// Appends in one atomic write; creates the file when it is not there.
    append(path, bytes: &[u8]) -> ();
    /// Writes over the start of a file; creates it when it is not there.
    overwrite(path, bytes: &[u8]) -> ();
    /// Dates a file that is there.
    touch(path, now: SystemTime) -> ();
    /// Names a file anew, over whatever has the name. Both lie in one store.
    rename(path, to: &Path) -> ();
    /// Gives a file a second name, if that is free. Both lie in one store.
    link(path, to: &Path) -> ();
    remove_file(path) -> ();
    remove_dir(path) -> ();
    create_dir_all(path) -> ();
    /// Makes a directory's entries durable where the host can.
    sync_dir(path) -> ();
    list(path) -> Listing;
}
