//! What a whole sweep counts, kept for those who ask later.

use serde::{Deserialize, Serialize};

use super::base::BlobStore;
use super::error::{At, StoreError};
use super::files;

/// What the last whole sweep counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Census {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Blobs.
    pub blobs: u64,
    /// Sessions that hold or remember something.
    pub sessions: u64,
    /// References of sessions to blobs.
    pub references: u64,
    /// Blobs that are remembered only.
    pub tombstones: u64,
    /// When the longest unused reference was last used, in milliseconds since 1970.
    pub oldest_use_ms: Option<u64>,
    /// Files that are none of the store's.
    pub foreign: u64,
    /// Room that was reserved without a blob to show for it, in units of 4 KiB.
    pub excess_units: u64,
}

impl BlobStore {
    /// What the last whole sweep counted; nothing before the first.
    pub(super) fn census(&self) -> Result<Census, StoreError> {
        let path = self.root.join("census");
        let bytes = files::read_small(&path, 64 * 1024).at(&path)?.unwrap_or_default();
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }
}
