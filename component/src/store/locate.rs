//! Finding a blob: in its place, or under the name that it has while it is removed.

use std::path::{Path, PathBuf};

use super::base::BlobStore;
use super::blob::{self, Blob};
use super::error::{At, StoreError, read_error};
use super::files;
use crate::digest::Digest;

impl BlobStore {
    /// The names under which a blob lies that is being removed, or was when a process died.
    fn away_paths(&self, digest: &Digest) -> Result<Vec<PathBuf>, StoreError> {
        let tmp = self.tmp();
        let prefix = format!("{digest}.");
        let (names, _) = files::names(&tmp).at(&tmp)?;
        Ok(names.iter().filter(|name| name.starts_with(&prefix)).map(|n| tmp.join(n)).collect())
    }

    /// Whether there is a file with that blob.
    pub(super) fn has_blob(&self, digest: &Digest) -> Result<bool, StoreError> {
        let is_blob = |path: &Path| {
            files::stat(path).map(|s| s.is_some_and(|(_, len)| len >= blob::MIN_FILE_BYTES))
        };
        let path = self.blob_path(digest);
        if is_blob(&path).at(&path)? {
            return Ok(true);
        }
        for path in self.away_paths(digest)? {
            if is_blob(&path).at(&path)? {
                return Ok(true);
            }
        }
        // It may have been put back between the two looks.
        is_blob(&path).at(&path)
    }

    /// Opens a blob for reading.
    ///
    /// # Errors
    /// [`StoreError::Missing`], [`StoreError::Corrupt`] when its index is damaged (its bytes are
    /// checked as they are read), [`StoreError::Io`].
    pub fn open_blob(&self, digest: &Digest) -> Result<Blob, StoreError> {
        let path = self.blob_path(digest);
        let try_open =
            |path: &Path| blob::open(path, digest).map_err(|error| read_error(error, digest, path));
        if let Some(blob) = try_open(&path)? {
            return Ok(blob);
        }
        for path in self.away_paths(digest)? {
            // A name that was reserved for the rename, which did not come about, is no blob.
            if let Ok(Some(blob)) = try_open(&path) {
                return Ok(blob);
            }
        }
        try_open(&path)?.ok_or(StoreError::Missing { digest: *digest })
    }
}
