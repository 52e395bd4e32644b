//! What counts in a tool's definition, as a digest.

use std::collections::BTreeMap;

use sha2::{Digest, Sha256};

use super::json::Json;
use crate::hex::hex;

/// Members of a definition that count.
const COUNTED: [&str; 4] = ["title", "description", "inputSchema", "annotations"];

/// Tools that the user has approved, by the digest of what was approved.
pub(crate) type Approved = BTreeMap<String, String>;

/// The digest of what counts in a definition, as its server wrote it.
pub(crate) fn digest(definition: &Json) -> String {
    hex(&digest_bytes(definition))
}

/// The same as bytes.
pub(crate) fn digest_bytes(definition: &Json) -> [u8; 32] {
    let mut hash = Sha256::new();
    for name in COUNTED {
        let value = definition.get(&[name]).unwrap_or("");
        hash.update((value.len() as u64).to_le_bytes());
        hash.update(value.as_bytes());
    }
    hash.finalize().into()
}
