//! A blob's name: the SHA-256 of its bytes.

use sha2::{Digest as _, Sha256};

/// The value of one lower-case hex digit.
pub(crate) fn hex_value(c: char) -> Option<u8> {
    match c {
        '0'..='9' => Some(c as u8 - b'0'),
        'a'..='f' => Some(c as u8 - b'a' + 10),
        _ => None,
    }
}

/// The SHA-256 of some bytes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(Sha256::digest(bytes).into())
    }

    /// A digest computed elsewhere.
    pub fn from_bytes(bytes: [u8; 32]) -> Digest {
        Digest(bytes)
    }

    /// Its 32 bytes.
    pub fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// Reads 64 lower-case hex digits; `None` for anything else.
    pub fn parse(text: &str) -> Option<Digest> {
        if text.len() != 64 {
            return None;
        }
        let mut bytes = [0; 32];
        for (at, c) in text.chars().enumerate() {
            let value = hex_value(c)?;
            bytes[at / 2] |= if at % 2 == 0 { value << 4 } else { value };
        }
        Some(Digest(bytes))
    }

    /// The two hex digits of the directory that the blob lies in.
    pub(crate) fn shard(&self) -> String {
        format!("{:02x}", self.0[0])
    }
}

impl std::fmt::Display for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}

impl std::fmt::Debug for Digest {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Digest({self})")
    }
}

impl serde::Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> serde::Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <std::borrow::Cow<'de, str>>::deserialize(deserializer)?;
        Digest::parse(&text).ok_or_else(|| serde::de::Error::custom("not 64 lower-case hex digits"))
    }
}
