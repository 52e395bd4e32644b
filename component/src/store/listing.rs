//! What lies in a directory.
//!
//! Inside the sandbox WASI is asked directly. The standard library's directory reader looks at each
//! entry once more, for an inode number nobody uses; one that another process removed in between
//! ends the whole listing with an error, where it is simply gone.

use std::io;
use std::path::Path;

/// The answer for a path.
pub(super) enum Listing {
    /// Nothing is there.
    Missing,
    /// Something is there, but no directory. A symlink is none: it would lead out of the store.
    Other,
    /// The names in it, in no order, and how many entries have none that is UTF-8.
    Names(Vec<String>, u64),
}

#[cfg(not(target_os = "wasi"))]
pub(super) fn list(dir: &Path) -> io::Result<Listing> {
    use std::fs;

    match fs::symlink_metadata(dir) {
        Ok(metadata) if metadata.is_dir() => {}
        Ok(_) => return Ok(Listing::Other),
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Listing::Missing),
        Err(error) => return Err(error),
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

#[cfg(target_os = "wasi")]
pub(super) fn list(dir: &Path) -> io::Result<Listing> {
    use std::path::PathBuf;

    use wasip2::filesystem::preopens::get_directories;
    use wasip2::filesystem::types::{Descriptor, DescriptorFlags, ErrorCode, OpenFlags, PathFlags};

    thread_local! {
        static PREOPENED: Vec<(Descriptor, PathBuf)> = get_directories()
            .into_iter()
            .map(|(descriptor, path)| (descriptor, path.into()))
            .collect();
    }
    let failed = |code: ErrorCode| io::Error::other(code.name());
    let opened = PREOPENED.with(|preopened| {
        let (root, path) = preopened
            .iter()
            .find_map(|(root, at)| Some((root, dir.strip_prefix(at).ok()?)))
            .ok_or(ErrorCode::NoEntry)?;
        let path = path.to_str().ok_or(ErrorCode::IllegalByteSequence)?;
        let path = if path.is_empty() { "." } else { path };
        root.open_at(PathFlags::empty(), path, OpenFlags::DIRECTORY, DescriptorFlags::READ)
    });
    let entries = match opened.and_then(|dir| dir.read_directory()) {
        Ok(entries) => entries,
        Err(ErrorCode::NoEntry) => return Ok(Listing::Missing),
        Err(ErrorCode::Loop | ErrorCode::NotDirectory) => return Ok(Listing::Other),
        Err(code) => return Err(failed(code)),
    };
    let (mut names, mut foreign) = (Vec::new(), 0);
    loop {
        match entries.read_directory_entry() {
            Ok(Some(entry)) => names.push(entry.name),
            Ok(None) => return Ok(Listing::Names(names, foreign)),
            // Removed while the host looked at it.
            Err(ErrorCode::NoEntry) => {}
            Err(ErrorCode::IllegalByteSequence) => foreign += 1,
            Err(code) => return Err(failed(code)),
        }
    }
}
