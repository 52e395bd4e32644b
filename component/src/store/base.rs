//! What a store is: a directory, its layout and the settings.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::error::{At, StoreError};
use super::files;
use crate::digest::Digest;
use crate::settings::StoreSettings;

/// What the version marker says. A store that says something else is left alone.
const VERSION: &[u8] = b"weir-store 1\n";

/// A directory of blobs. Cheap to open and to clone: it holds the path, the settings and a flag.
#[derive(Debug, Clone)]
pub struct BlobStore {
    pub(super) root: PathBuf,
    pub(super) settings: StoreSettings,
    /// Whether results were evicted for what was put here or in a clone.
    pub(super) has_evicted: Arc<AtomicBool>,
}

impl BlobStore {
    /// Opens the store in a directory, and creates it when there is none.
    ///
    /// # Errors
    /// [`StoreError::FutureVersion`] when what is there was not written by this version,
    /// [`StoreError::Io`].
    pub fn open(root: &Path, settings: StoreSettings) -> Result<BlobStore, StoreError> {
        let store = BlobStore { root: root.to_owned(), settings, has_evicted: Arc::default() };
        let path = root.join("version");
        // An empty file says nothing: a disk that was full left it, or a crash.
        let found = files::read_small(&path, 100).at(&path)?.filter(|found| !found.is_empty());
        match found {
            Some(version) if version == VERSION => {}
            Some(version) => {
                let found = String::from_utf8_lossy(&version).trim_end().to_owned();
                return Err(StoreError::FutureVersion { found });
            }
            None => {
                files::ensure_dir(root).at(root)?;
                files::replace(&store.tmp(), &path, VERSION).at(&path)?;
            }
        }
        Ok(store)
    }

    /// Whether results were removed since it was opened, to make room for what was put.
    pub fn made_room(&self) -> bool {
        self.has_evicted.load(Ordering::Relaxed)
    }

    pub(super) fn tmp(&self) -> PathBuf {
        self.root.join("tmp")
    }

    pub(super) fn blob_path(&self, digest: &Digest) -> PathBuf {
        self.root.join("blobs").join(digest.shard()).join(digest.to_string())
    }
}
