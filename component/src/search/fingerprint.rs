//! The names of catalogs, tools and schemas.
//!
//! What a model or a host compares is SHA-256. Between tools of one process, where only mistakes and
//! no forgers are told apart, XXH3 does: it is some twenty times as fast in a sandbox.

use sha2::{Digest as _, Sha256};
use xxhash_rust::xxh3::Xxh3Default;

use crate::digest::Digest;

/// A SHA-256 digest.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Fingerprint(Digest);

/// Hex digits that are shown to a model: 48 bits tell apart all that one conversation ever sees.
const SHORT_HEX: usize = 12;

impl Fingerprint {
    /// The digest of these bytes.
    pub fn of(bytes: &[u8]) -> Fingerprint {
        Fingerprint(Digest::of(bytes))
    }

    /// All 64 hex digits.
    pub fn hex(&self) -> String {
        self.0.to_string()
    }

    /// The first digits, as shown to a model.
    pub fn short(&self) -> String {
        let mut hex = self.hex();
        hex.truncate(SHORT_HEX);
        hex
    }

    /// Whether `hex` names this digest: at least as many of its first digits as are ever shown.
    pub fn is_named(&self, hex: &str) -> bool {
        let hex = hex.trim().to_ascii_lowercase();
        hex.len() >= SHORT_HEX && self.hex().starts_with(&hex)
    }

    /// The digest written as 64 hex digits.
    pub fn parse(hex: &str) -> Option<Fingerprint> {
        Digest::parse(&hex.to_ascii_lowercase()).map(Fingerprint)
    }
}

impl std::fmt::Debug for Fingerprint {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.short())
    }
}

impl serde::Serialize for Fingerprint {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.hex())
    }
}

/// Hashes fields so that no two lists of fields have the same bytes.
#[derive(Default)]
pub struct Fields(Sha256);

impl Fields {
    /// Takes a text, preceded by its length.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.0.update((text.len() as u64).to_le_bytes());
        self.0.update(text);
        self
    }

    /// Takes a small number, such as a count or a case.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.0.update(number.to_le_bytes());
        self
    }

    /// Takes a hash.
    pub fn hash(&mut self, hash: u128) -> &mut Self {
        self.0.update(hash.to_le_bytes());
        self
    }

    /// The digest of all that was taken.
    pub fn finish(self) -> Fingerprint {
        Fingerprint(Digest::from_bytes(self.0.finalize().into()))
    }
}

/// As [`Fields`], sooner and in 128 bits, and no proof against forging.
#[derive(Default)]
pub struct QuickFields(Xxh3Default);

impl QuickFields {
    /// Takes a text, preceded by its length.
    pub fn text(&mut self, text: &str) -> &mut Self {
        self.number(text.len() as u64).0.update(text.as_bytes());
        self
    }

    /// Takes a small number, such as a count or a case.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.0.update(&number.to_le_bytes());
        self
    }

    /// The hash of all that was taken.
    pub fn finish(&self) -> u128 {
        self.0.digest128()
    }
}

/// Hashes a text that comes in pieces.
#[derive(Default)]
pub struct Pieces(Sha256);

impl Pieces {
    /// Takes the next piece.
    pub fn push(&mut self, piece: &[u8]) {
        self.0.update(piece);
    }

    /// The digest of all pieces put together.
    pub fn finish(self) -> Fingerprint {
        Fingerprint(Digest::from_bytes(self.0.finalize().into()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fingerprint_is_named_by_its_first_digits() {
        let print = Fingerprint::of(b"abc");
        assert_eq!(print.short(), "ba7816bf8f01");
        assert_eq!(Fingerprint::parse(&print.hex()).unwrap(), print);
        assert!(print.is_named("BA7816BF8F01cfea"));
        assert!(!print.is_named("ba78"), "too short to mean one thing");
        assert!(!print.is_named("ba7816bf8f02"));
        assert_eq!(Fingerprint::parse("é"), None);
    }

    #[test]
    fn moving_a_letter_between_fields_changes_the_digest() {
        let digest = |a: &str, b: &str| {
            let mut fields = Fields::default();
            fields.text(a).text(b);
            fields.finish()
        };
        assert_ne!(digest("ab", "c"), digest("a", "bc"));
    }
}
