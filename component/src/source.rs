//! Random access to bytes that may be too many to hold in memory.
//!
//! An excerpt and a fetch need the same thing of a blob: its length, its bytes at an offset, and a
//! place to start counting lines or characters from. A stored blob gives that from disk, a slice
//! from memory, and the code that reads never learns which.
//!
//! Three ways to say where: bytes, characters and lines. A **character** is a byte that is not a
//! UTF-8 continuation byte, so that a count is defined for any bytes and is the number of code
//! points for valid UTF-8. A **line** ends with `\n` and nothing else; what follows the last `\n`
//! is a line if it is not empty. `\r` belongs to its line.

use std::io;

/// Why bytes of a blob could not be read.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReadError {
    /// What is on disk is not what was written: the block at this byte offset fails its check.
    #[error("the stored bytes at {offset} are damaged")]
    Corrupt {
        /// Where the damaged block starts, in bytes.
        offset: u64,
    },
    /// The file system refused.
    #[error("cannot read the store: {0}")]
    Io(#[source] io::Error),
}

impl From<io::Error> for ReadError {
    fn from(error: io::Error) -> Self {
        ReadError::Io(error)
    }
}

/// A position, counted three ways at once: all three are what lies **before** it.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Mark {
    /// Bytes before this position.
    pub bytes: u64,
    /// Characters before this position.
    pub chars: u64,
    /// Line feeds before this position.
    pub newlines: u64,
}

impl Mark {
    /// The mark after `bytes`, which start at this one.
    pub fn advance(self, bytes: &[u8]) -> Mark {
        Mark {
            bytes: self.bytes + bytes.len() as u64,
            chars: self.chars + count_chars(bytes),
            newlines: self.newlines + count_newlines(bytes),
        }
    }
}

/// How many characters there are in `bytes`: its bytes that do not continue a UTF-8 sequence.
pub fn count_chars(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|&&b| (b as i8) >= -0x40).count() as u64
}

/// How many line feeds there are in `bytes`.
pub fn count_newlines(bytes: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', bytes).count() as u64
}

/// Bytes at an offset.
pub trait Source {
    /// How many bytes there are.
    fn len(&self) -> u64;

    /// Whether there are none.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Fills `buf` from `offset` on; the count is short only at the end.
    ///
    /// # Errors
    /// [`ReadError`] when the bytes are damaged or the file system refuses.
    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize, ReadError>;

    /// The bytes in `start..end`, clamped to what there is.
    ///
    /// # Errors
    /// As [`Source::read_at`].
    fn read_range(&self, start: u64, end: u64) -> Result<Vec<u8>, ReadError> {
        let end = end.min(self.len());
        let mut buf = vec![0; end.saturating_sub(start) as usize];
        let n = self.read_at(start, &mut buf)?;
        buf.truncate(n);
        Ok(buf)
    }
}

/// A source that knows where its lines and characters are, roughly, without reading up to them.
pub trait Indexed: Source {
    /// The mark at the end: all bytes, characters and line feeds.
    fn totals(&self) -> Mark;

    /// The last indexed mark with no more than `position` bytes before it.
    fn mark_at_byte(&self, position: u64) -> Mark;

    /// The last indexed mark with no more than `position` characters before it.
    fn mark_at_char(&self, position: u64) -> Mark;

    /// The last indexed mark with **fewer** than `newlines` line feeds before it (or the start):
    /// scanning on from there meets the `newlines`-th line feed.
    fn mark_before_newline(&self, newlines: u64) -> Mark;

    /// Number of lines: line feeds, plus one when something follows the last of them.
    ///
    /// # Errors
    /// As [`Source::read_at`].
    fn lines(&self) -> Result<u64, ReadError> {
        let end = self.totals();
        if end.bytes == 0 {
            return Ok(0);
        }
        let last = self.read_range(end.bytes - 1, end.bytes)?;
        Ok(end.newlines + u64::from(last != b"\n"))
    }
}

impl Source for [u8] {
    fn len(&self) -> u64 {
        <[u8]>::len(self) as u64
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize, ReadError> {
        let rest = usize::try_from(offset).ok().and_then(|at| self.get(at..)).unwrap_or_default();
        let n = rest.len().min(buf.len());
        buf[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

/// Bytes in memory are indexed by nothing but their start: every scan begins there.
impl Indexed for [u8] {
    fn totals(&self) -> Mark {
        Mark::default().advance(self)
    }

    fn mark_at_byte(&self, _position: u64) -> Mark {
        Mark::default()
    }

    fn mark_at_char(&self, _position: u64) -> Mark {
        Mark::default()
    }

    fn mark_before_newline(&self, _newlines: u64) -> Mark {
        Mark::default()
    }
}

/// So that a slice, which has no size of its own, can stand behind a `&dyn Source`.
impl<S: Source + ?Sized> Source for &S {
    fn len(&self) -> u64 {
        (**self).len()
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize, ReadError> {
        (**self).read_at(offset, buf)
    }
}

impl<S: Indexed + ?Sized> Indexed for &S {
    fn totals(&self) -> Mark {
        (**self).totals()
    }

    fn mark_at_byte(&self, position: u64) -> Mark {
        (**self).mark_at_byte(position)
    }

    fn mark_at_char(&self, position: u64) -> Mark {
        (**self).mark_at_char(position)
    }

    fn mark_before_newline(&self, newlines: u64) -> Mark {
        (**self).mark_before_newline(newlines)
    }
}
