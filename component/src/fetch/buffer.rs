//! A window that slides over a blob, so that each byte is read once.

use crate::limits::{BLOCK_BYTES, GREP_WINDOW_BYTES};
use crate::source::{Indexed, ReadError};

/// Bytes read ahead. Several blocks, so that the little that is kept is little of it.
const AHEAD_BYTES: usize = 4 * BLOCK_BYTES;

/// The most that can be asked for at once: a window of a line with what is around it.
pub(super) const MAX_BYTES: usize = GREP_WINDOW_BYTES + 4 * BLOCK_BYTES;

/// The bytes of a blob around a position that moves forward.
pub(super) struct Buffer<'s> {
    source: &'s dyn Indexed,
    bytes: Vec<u8>,
    base: u64,
}

impl<'s> Buffer<'s> {
    pub(super) fn new(source: &'s dyn Indexed) -> Buffer<'s> {
        Buffer { source, bytes: Vec::new(), base: 0 }
    }

    /// The bytes from `from` on: at least `want` of them, unless the blob ends before, and perhaps
    /// more. What lies before `from` is forgotten.
    ///
    /// # Errors
    /// [`ReadError`] when they cannot be read.
    pub(super) fn load(&mut self, from: u64, want: usize) -> Result<&[u8], ReadError> {
        debug_assert!(want <= MAX_BYTES);
        let end = self.base + self.bytes.len() as u64;
        let total = self.source.len();
        let wanted = from.saturating_add(want as u64).min(total);
        if from < self.base || wanted > end {
            if from >= self.base && from < end {
                let keep = (from - self.base) as usize;
                self.bytes.drain(..keep);
            } else {
                self.bytes.clear();
            }
            self.base = from;
            let have = self.bytes.len();
            // To the end of a block: a read checks whole blocks.
            let block = BLOCK_BYTES as u64;
            let target = (wanted + AHEAD_BYTES as u64).div_ceil(block) * block;
            let len = (target.min(total) - from) as usize;
            self.bytes.resize(len, 0);
            let got = self.source.read_at(from + have as u64, &mut self.bytes[have..])?;
            self.bytes.truncate(have + got);
        }
        let skip = (from - self.base) as usize;
        Ok(self.bytes.get(skip..).unwrap_or_default())
    }
}
