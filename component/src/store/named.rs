//! Files that other modules keep in the store by name, such as a serialised catalog.
//!
//! A kept file is a cache: replaced as a whole, checked when read, and removed by a sweep when it
//! was not read or written for as long as a hot handle lives. One whose name begins with a blob's digest
//! is about that blob, and goes with it.

use std::path::PathBuf;
use std::time::SystemTime;

use xxhash_rust::xxh3::xxh3_64;

use super::base::BlobStore;
use super::error::{At, StoreError};
use super::files;
use crate::digest::Digest;

/// The most bytes one kept file may have.
pub const NAMED_MAX_BYTES: u64 = 256 * 1024 * 1024;

pub(super) fn is_name(name: &str) -> bool {
    (1..=128).contains(&name.len())
        && !name.starts_with('.')
        && name.bytes().all(|b| b.is_ascii_alphanumeric() || b"._-".contains(&b))
}

impl BlobStore {
    fn named_path(&self, kind: &str, name: &str) -> Result<PathBuf, StoreError> {
        for part in [kind, name] {
            if !is_name(part) {
                return Err(StoreError::BadName { name: part.chars().take(128).collect() });
            }
        }
        Ok(self.root.join("named").join(kind).join(name))
    }

    /// Keeps bytes under a name, in place of what was there: a reader meets either, whole.
    ///
    /// # Errors
    /// [`StoreError::BadName`], [`StoreError::Full`] above [`NAMED_MAX_BYTES`], [`StoreError::Io`].
    pub fn put_named(
        &self,
        kind: &str,
        name: &str,
        bytes: &[u8],
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let path = self.named_path(kind, name)?;
        let needed_bytes = bytes.len() as u64 + 8;
        if needed_bytes > NAMED_MAX_BYTES {
            return Err(StoreError::Full { needed_bytes, cap_bytes: NAMED_MAX_BYTES });
        }
        let mut temp = files::Temp::create(&self.tmp()).at(&path)?;
        temp.write(bytes).at(&path)?;
        temp.write(&xxh3_64(bytes).to_le_bytes()).at(&path)?;
        temp.stamp(now).at(&path)?;
        temp.sync().at(&path)?;
        temp.publish(&path).at(&path)
    }

    /// What is kept under a name; `None` when nothing is.
    ///
    /// # Errors
    /// [`StoreError::BadName`], [`StoreError::CorruptFile`] when it is damaged, [`StoreError::Io`].
    pub fn get_named(
        &self,
        kind: &str,
        name: &str,
        now: SystemTime,
    ) -> Result<Option<Vec<u8>>, StoreError> {
        let path = self.named_path(kind, name)?;
        let Some(mut bytes) = files::read_small(&path, NAMED_MAX_BYTES).at(&path)? else {
            return Ok(None);
        };
        let Some(at) = bytes.len().checked_sub(8) else {
            return Err(StoreError::CorruptFile { path });
        };
        if xxh3_64(&bytes[..at]).to_le_bytes() != bytes[at..] {
            return Err(StoreError::CorruptFile { path });
        }
        bytes.truncate(at);
        // It can be read although its time cannot be set.
        let _ = files::touch(&path, now);
        Ok(Some(bytes))
    }

    /// Removes what is kept about a blob: files whose names begin with its digest.
    pub(super) fn remove_derived(&self, digest: &Digest) -> Result<(), StoreError> {
        let root = self.root.join("named");
        let prefix = digest.to_string();
        for kind in files::names(&root).at(&root)?.0 {
            let dir = root.join(kind);
            for name in files::names(&dir).at(&dir)?.0 {
                if name.starts_with(&prefix) {
                    let path = dir.join(name);
                    files::remove(&path).at(&path)?;
                }
            }
        }
        Ok(())
    }

    /// Removes what is kept under a name; whether anything was.
    ///
    /// # Errors
    /// [`StoreError::BadName`], [`StoreError::Io`].
    pub fn remove_named(&self, kind: &str, name: &str) -> Result<bool, StoreError> {
        let path = self.named_path(kind, name)?;
        files::remove(&path).at(&path)
    }
}
