//! Where the component comes from.

use std::fs;
use std::path::PathBuf;

use sha2::{Digest as _, Sha256};

use crate::error::Error;

/// The component that this build embeds, with its SHA-256.
#[cfg(feature = "embedded")]
pub(crate) static EMBEDDED: Option<(&[u8], &str)> =
    Some((include_bytes!(env!("WEIR_COMPONENT_FILE")), env!("WEIR_COMPONENT_SHA256")));
#[cfg(not(feature = "embedded"))]
pub(crate) static EMBEDDED: Option<(&[u8], &str)> = None;

/// Where the component comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum ComponentSource {
    /// The one in this library, with the feature `embedded`.
    #[default]
    Embedded,
    /// A file of the same contract.
    File(PathBuf),
    /// Bytes of the same contract.
    Bytes(Vec<u8>),
}

impl ComponentSource {
    /// Whether these are the bytes of the component that this library embeds.
    #[cfg(feature = "signatures")]
    pub(crate) fn is_embedded(bytes: &[u8]) -> bool {
        EMBEDDED.is_some_and(|(embedded, _)| embedded == bytes)
    }

    /// The SHA-256 of the component's bytes, in hex.
    pub(crate) fn digest(&self, bytes: &[u8]) -> String {
        match (self, EMBEDDED) {
            (ComponentSource::Embedded, Some((_, digest))) => digest.to_owned(),
            _ => weir_base::hex(&Sha256::digest(bytes)),
        }
    }

    /// The component's bytes.
    ///
    /// # Errors
    /// [`Error::MissingComponent`] when the file cannot be read, [`Error::NotEmbedded`].
    pub fn bytes(&self) -> Result<std::borrow::Cow<'_, [u8]>, Error> {
        match self {
            ComponentSource::Embedded => {
                EMBEDDED.map(|(bytes, _)| bytes.into()).ok_or(Error::NotEmbedded)
            }
            ComponentSource::Bytes(bytes) => Ok(bytes.into()),
            ComponentSource::File(path) => fs::read(path)
                .map(Into::into)
                .map_err(|source| Error::MissingComponent { path: path.clone(), source }),
        }
    }
}
