//! Compiled code of a component, as a file: verified before it is run, made by one process at a time.
//!
//! ```text
//! NAME.cwasm        the code; wasmtime maps it into memory and runs it as it is
//! NAME.cwasm.sum    its checksum: code that differs is never run, but made anew
//! NAME.cwasm.lock   held by the process that compiles; its time is when somebody was last told to
//! ```
//!
//! Both files are written beside, synced and renamed. A machine that stops in between leaves code and a
//! checksum that differ, which costs a compilation.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use wasmtime::component::Component;

/// How long one waits for another that compiles; longer than a compilation on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

/// How often one looks meanwhile.
const LOOK: Duration = Duration::from_millis(50);

/// How long after one was told to compile nobody else is.
const CLAIM: Duration = Duration::from_secs(60);

/// Where compiled code is, or will be.
#[derive(Debug)]
pub(crate) struct CodeFile {
    code: PathBuf,
}

impl CodeFile {
    pub(crate) fn new(code: PathBuf) -> CodeFile {
        CodeFile { code }
    }

    /// The code, if it is there and as it was written.
    #[expect(
        unsafe_code,
        reason = "compiled code is trusted as it lies in a directory only we can write to"
    )]
    pub(crate) fn load(&self, engine: &wasmtime::Engine) -> Option<Component> {
        let sum = fs::read_to_string(self.beside("sum")).ok()?;
        if sum != checksum(&self.code).ok()? {
            return None;
        }
        // SAFETY: the file is in a directory that only this user can write to (`private_directory`),
        // `save` put it there, and it is what `save` wrote. wasmtime itself refuses other versions and
        // settings.
        unsafe { Component::deserialize_file(engine, &self.code).ok() }
    }

    /// Keeps the code of a component.
    pub(crate) fn save(&self, component: &Component) -> wasmtime::Result<()> {
        put(&self.code, &component.serialize()?)?;
        put(&self.beside("sum"), checksum(&self.code)?.as_bytes())?;
        Ok(())
    }

    /// Waits until no other process compiles. `None` where locks do not work, or one takes too long.
    pub(crate) fn lock(&self) -> Option<File> {
        let file = self.lock_file()?;
        let began = Instant::now();
        loop {
            match file.try_lock() {
                Ok(()) => return Some(file),
                Err(TryLockError::WouldBlock) if began.elapsed() < PATIENCE => {
                    std::thread::sleep(LOOK);
                }
                Err(_) => return None,
            }
        }
    }

    /// Whether the caller is the one who should have the code compiled: nobody compiles, and nobody was
    /// told to within [`CLAIM`].
    pub(crate) fn claim(&self) -> bool {
        let Some(mut file) = self.lock_file() else { return false };
        if file.try_lock().is_err() {
            return false;
        }
        let Ok(metadata) = file.metadata() else { return false };
        // A time in the future says nothing.
        let age = metadata.modified().ok().and_then(|time| time.elapsed().ok());
        if metadata.len() > 0 && age.is_some_and(|age| age < CLAIM) {
            return false;
        }
        file.set_len(0).and_then(|()| file.write_all(b"claimed\n")).is_ok()
    }

    fn lock_file(&self) -> Option<File> {
        File::options().create(true).append(true).open(self.beside("lock")).ok()
    }

    fn beside(&self, extension: &str) -> PathBuf {
        self.code.with_extension(format!("cwasm.{extension}"))
    }
}

/// Puts a file in its place whole.
fn put(file: &Path, bytes: &[u8]) -> io::Result<()> {
    weir_base::replace(file, |new| {
        new.write_all(bytes)?;
        new.sync_all()
    })
}

/// Length and checksum of a file. This finds damage, not intent: whoever can write here can run programs
/// anyway.
fn checksum(file: &Path) -> io::Result<String> {
    let (mut file, mut hash) = (File::open(file)?, crc32fast::Hasher::new());
    let (mut length, mut buffer) = (0, vec![0; 1 << 18]);
    loop {
        let read = file.read(&mut buffer)?;
        if read == 0 {
            return Ok(format!("{length} {:08x}\n", hash.finalize()));
        }
        hash.update(&buffer[..read]);
        length += read;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_checksum_tells_every_changed_byte_length_and_order() {
        let directory = tempfile::tempdir().unwrap();
        let file = directory.path().join("code");
        let sum = |bytes: &[u8]| {
            fs::write(&file, bytes).unwrap();
            checksum(&file).unwrap()
        };
        let bytes: Vec<u8> = (0..300_000u32).map(|n| (n % 251) as u8).collect();
        let whole = sum(&bytes);
        assert_eq!(sum(&bytes), whole);
        for at in [0, 31, 32, 1 << 18, bytes.len() - 1] {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert_ne!(sum(&changed), whole, "{at}");
        }
        let mut zeros = bytes.clone();
        zeros[65_536..131_072].fill(0);
        assert_ne!(sum(&zeros), whole);
        let mut swapped = bytes.clone();
        swapped.swap(64, 96);
        assert_ne!(sum(&swapped), whole);
        assert_ne!(sum(&bytes[..299_999]), whole);
        assert_ne!(sum(&[&bytes[..], &[0]].concat()), whole);
    }

    #[test]
    fn one_caller_in_a_minute_is_told_to_compile_and_none_while_another_does() {
        let directory = tempfile::tempdir().unwrap();
        let file = CodeFile::new(directory.path().join("x.cwasm"));
        let lock = file.lock().unwrap();
        assert!(!file.claim());
        drop(lock);
        assert!(file.claim());
        assert!(!file.claim());
        // What was told to has been killed.
        let lock = file.lock_file().unwrap();
        lock.set_modified(std::time::SystemTime::now() - CLAIM).unwrap();
        assert!(file.claim());
    }
}
