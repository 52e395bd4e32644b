//! The id a model holds: the first digits of a blob's digest.
//!
//! An id is 12 to 64 lower-case hex digits. It is parsed into a value before anything is done with
//! it, so that no text from outside ever becomes part of a path.

use crate::digest::{Digest, hex_value};
use crate::limits::{ID_MAX_HEX, ID_MIN_HEX, ID_START_HEX, IDS_MAX, LISTS_MAX};

/// What an id may be prefixed with where it stands in a link.
pub const URI_PREFIX: &str = "weir://blob/";

/// A blob's id: a prefix of its digest, 12 to 64 hex digits long.
///
/// ```
/// use weir_component::handle::BlobId;
/// let id = BlobId::parse("5f1e0c9a77d2")?;
/// assert_eq!(id.to_string(), "5f1e0c9a77d2");
/// assert!(BlobId::parse("../../etc/passwd").is_err());
/// assert_eq!(BlobId::parse_lenient(" weir://blob/5F1E0C9A77D2\n")?, id);
/// # Ok::<(), weir_component::handle::ParseIdError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct BlobId {
    /// The digits, two a byte; what lies past `hex_len` is zero.
    bytes: [u8; 32],
    hex_len: u8,
}

/// Why a text is no blob id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseIdError {
    /// Fewer than 12 characters or more than 64.
    #[error(
        "an id has {ID_MIN_HEX} to {ID_MAX_HEX} hex digits, of which the first {ID_START_HEX} are enough, and this has \
         {chars} characters"
    )]
    Length {
        /// How many there are.
        chars: usize,
    },
    /// A character other than `0-9` and `a-f`.
    #[error("an id is made of the hex digits 0-9 and a-f only, and character {at} is another")]
    Digit {
        /// Its place, counted from 0.
        at: usize,
    },
    /// More ids than are read at once.
    #[error("{count} ids are given, and at most {IDS_MAX} are read at once")]
    Many {
        /// How many there are.
        count: usize,
    },
}

impl BlobId {
    /// Reads an id: 12 to 64 lower-case hex digits, nothing before, between or after.
    ///
    /// # Errors
    /// [`ParseIdError`] for anything else.
    pub fn parse(text: &str) -> Result<BlobId, ParseIdError> {
        // Digits before length: a text that is no id at all is told so, whatever its length.
        let mut bytes = [0; 32];
        for (at, c) in text.chars().enumerate() {
            let Some(value) = hex_value(c) else { return Err(ParseIdError::Digit { at }) };
            if let Some(byte) = bytes.get_mut(at / 2) {
                *byte |= if at % 2 == 0 { value << 4 } else { value };
            }
        }
        if !(ID_MIN_HEX..=ID_MAX_HEX).contains(&text.len()) {
            return Err(ParseIdError::Length { chars: text.len() });
        }
        Ok(BlobId { bytes, hex_len: text.len() as u8 })
    }

    /// Reads an id as models and people write it: white space around it and the link form
    /// `weir://blob/<id>` are taken too, and upper case. Its first digits are enough, at least
    /// [`ID_START_HEX`] of them: the store knows which id of a session begins so.
    ///
    /// # Errors
    /// [`ParseIdError`] for anything else.
    pub fn parse_lenient(text: &str) -> Result<BlobId, ParseIdError> {
        let text = text.trim().to_ascii_lowercase();
        let text = text.strip_prefix(URI_PREFIX).unwrap_or(&text);
        if !(ID_START_HEX..ID_MIN_HEX).contains(&text.len()) {
            return BlobId::parse(text);
        }
        let id = BlobId::parse(&format!("{text:0<ID_MIN_HEX$}"))?;
        Ok(BlobId { hex_len: text.len() as u8, ..id })
    }

    /// Whether this is the start of that id.
    pub(crate) fn starts(&self, id: &BlobId) -> bool {
        let length = self.hex_len() / 2;
        let half = self.hex_len() % 2 == 1;
        self.bytes[..length] == id.bytes[..length]
            && (!half || self.bytes[length] == id.bytes[length] & 0xf0)
    }

    /// The first `hex_len` digits of a digest; a length out of range is taken to its nearest bound.
    pub fn of(digest: &Digest, hex_len: usize) -> BlobId {
        let hex_len = hex_len.clamp(ID_MIN_HEX, ID_MAX_HEX);
        let mut bytes = *digest.as_bytes();
        bytes[hex_len.div_ceil(2)..].fill(0);
        if hex_len % 2 == 1 {
            bytes[hex_len / 2] &= 0xf0;
        }
        BlobId { bytes, hex_len: hex_len as u8 }
    }

    /// How many hex digits this id has.
    pub fn hex_len(&self) -> usize {
        usize::from(self.hex_len)
    }

    /// Whether this id names that digest.
    pub fn is_prefix_of(&self, digest: &Digest) -> bool {
        BlobId::of(digest, self.hex_len()) == *self
    }

    /// The id cut to `hex_len` digits, no shorter than an id may be.
    pub(crate) fn cut(&self, hex_len: usize) -> BlobId {
        BlobId::of(&Digest::from_bytes(self.bytes), hex_len.min(self.hex_len()))
    }

    /// The six bytes that every id has: what ids are sorted and grouped by.
    pub(crate) fn stem(&self) -> [u8; 6] {
        let b = &self.bytes;
        [b[0], b[1], b[2], b[3], b[4], b[5]]
    }
}

impl std::fmt::Display for BlobId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for at in 0..self.hex_len() {
            let byte = self.bytes[at / 2];
            let value = if at % 2 == 0 { byte >> 4 } else { byte & 0x0f };
            write!(f, "{value:x}")?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for BlobId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "BlobId({self})")
    }
}

/// What is read: one stored result, or several one after the other.
///
/// ```
/// use weir_component::handle::Ids;
/// let ids = Ids::parse_lenient(" 5f1e0c9a77d2, 6a0b1c2d3e4f+ ")?;
/// assert_eq!(ids.to_string(), "5f1e0c9a77d2,6a0b1c2d3e4f+");
/// # Ok::<(), weir_component::handle::ParseIdError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ids(Vec<Named>);

/// A stored result by its id, alone or with all other pages of its list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Named {
    /// The result.
    pub id: BlobId,
    /// Whether the other pages are meant as well, written with a `+` behind the id; more than one where the same bytes
    /// begin several lists. 0 for the result alone.
    pub pages: usize,
}

impl Ids {
    /// Reads ids as [`BlobId::parse_lenient`] does, between commas.
    ///
    /// # Errors
    /// [`ParseIdError`] for what is none, and for more of them than are read at once.
    pub fn parse_lenient(text: &str) -> Result<Ids, ParseIdError> {
        let mut named = Vec::new();
        for one in text.split(',').map(str::trim) {
            let id = one.trim_end_matches('+');
            let id = if one.len() - id.len() > LISTS_MAX { one } else { id };
            named.push(Named { id: BlobId::parse_lenient(id)?, pages: one.len() - id.len() });
        }
        match named.len() {
            count if count > IDS_MAX => Err(ParseIdError::Many { count }),
            _ => Ok(Ids(named)),
        }
    }

    /// Each of them, in order.
    pub fn each(&self) -> &[Named] {
        &self.0
    }

    /// The one that is meant alone.
    pub fn one(&self) -> Option<&BlobId> {
        match &self.0[..] {
            [Named { id, pages: 0 }] => Some(id),
            _ => None,
        }
    }
}

impl From<BlobId> for Ids {
    fn from(id: BlobId) -> Ids {
        Ids(vec![Named { id, pages: 0 }])
    }
}

impl From<&BlobId> for Ids {
    fn from(id: &BlobId) -> Ids {
        Ids::from(*id)
    }
}

impl From<&Ids> for Ids {
    fn from(ids: &Ids) -> Ids {
        ids.clone()
    }
}

impl std::fmt::Display for Ids {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        for (at, Named { id, pages }) in self.0.iter().enumerate() {
            let comma = if at > 0 { "," } else { "" };
            write!(f, "{comma}{id}{}", "+".repeat(*pages))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn several_ids_are_read_between_commas_and_written_as_they_were() {
        let two = Ids::parse_lenient("5f1e0c9a77d2 ,  weir://blob/6A0B1C2D3E4F+").unwrap();
        assert_eq!(two.to_string(), "5f1e0c9a77d2,6a0b1c2d3e4f+");
        assert_eq!(two.one(), None);
        assert_eq!(Ids::parse_lenient("5f1e0c9a77d2+").unwrap().one(), None);
        let one = Ids::parse_lenient(" 5f1e0c9a77d2\n").unwrap();
        assert_eq!(one.one().map(ToString::to_string).as_deref(), Some("5f1e0c9a77d2"));
        let many = ["5f1e0c9a77d2"; IDS_MAX + 1].join(",");
        assert_eq!(Ids::parse_lenient(&many), Err(ParseIdError::Many { count: IDS_MAX + 1 }));
        for text in [
            "",
            " , ",
            "+",
            "5f1e0c9a77d2,x",
            "5f1e0c9a77d2,",
            "5f1e 0c9a77d2",
            &format!("5f1e0c9a77d2{}", "+".repeat(65)),
        ] {
            assert!(Ids::parse_lenient(text).is_err(), "{text:?} was taken");
        }
    }

    #[test]
    fn what_is_no_id_is_refused() {
        for text in [
            "",
            "../../../etc/passwd",
            "5f1e0c9a77d",
            "5F1E0C9A77D2",
            "5f1e0c9a77d2\n",
            "5f1e0c9a77d2\0",
            " 5f1e0c9a77d2",
            "5f1e0c9a77dg",
            "\u{ff15}f1e0c9a77d2",
            "5f1e0c9a77d2/..",
            &"a".repeat(65),
        ] {
            assert!(BlobId::parse(text).is_err(), "{text:?} was taken");
        }
        for text in ["weir://blob/", "weir://blob/../x", "weir://blob/weir://blob/5f1e0c9a77d2"] {
            assert!(BlobId::parse_lenient(text).is_err(), "{text:?} was taken");
        }
    }

    proptest! {
        #[test]
        fn an_id_prints_as_it_was_written(text in "[0-9a-f]{12,64}") {
            prop_assert_eq!(BlobId::parse(&text).unwrap().to_string(), text);
        }

        #[test]
        fn an_id_names_the_digests_it_begins(bytes: [u8; 32], len in 12usize..=64, flip in 0usize..64) {
            let digest = Digest::from_bytes(bytes);
            let id = BlobId::of(&digest, len);
            prop_assert!(id.is_prefix_of(&digest));
            prop_assert_eq!(id.to_string(), &digest.to_string()[..len]);
            let mut other = bytes;
            other[flip / 2] ^= if flip % 2 == 0 { 0x10 } else { 0x01 };
            prop_assert_eq!(id.is_prefix_of(&Digest::from_bytes(other)), flip >= len);
        }
    }
}
