//! One stored blob: its bytes on disk, read back with every block checked.
//!
//! ```text
//! the bytes as they were given
//! one line per 64 KiB block:   XXH3-64 of the block, line feeds before it, characters before it
//! the tail:                    SHA-256 of the bytes, their length, characters, line feeds,
//!                              XXH3-64 of all of the index up to here, "weirblb1"
//! ```
//!
//! All numbers are 64 bits, little endian. The last eight bytes name the format, and the length of
//! the index follows from the length of the bytes; so a file that was cut anywhere is not a blob.

use std::cell::RefCell;
use std::io;
use std::path::Path;

use sha2::{Digest as _, Sha256};
use xxhash_rust::xxh3::xxh3_64;

use super::disk::File;
use super::files;
use super::meter::{Block, Sum};
use crate::digest::Digest;
use crate::limits::BLOCK_BYTES;
use crate::source::{Indexed, Mark, ReadError, Source};

const LINE_BYTES: usize = 24;
const TAIL_BYTES: usize = 72;
const FORMAT: &[u8; 8] = b"weirblb1";

/// The index as it follows the bytes of a blob.
pub(super) fn index_bytes(sum: &Sum) -> Vec<u8> {
    let mut index = Vec::with_capacity(sum.blocks.len() * LINE_BYTES + TAIL_BYTES);
    for block in &sum.blocks {
        index.extend(block.hash.to_le_bytes());
        index.extend(block.newlines.to_le_bytes());
        index.extend(block.chars.to_le_bytes());
    }
    index.extend(sum.digest.as_bytes());
    index.extend(sum.totals.bytes.to_le_bytes());
    index.extend(sum.totals.chars.to_le_bytes());
    index.extend(sum.totals.newlines.to_le_bytes());
    index.extend(xxh3_64(&index).to_le_bytes());
    index.extend(FORMAT);
    index
}

/// Bytes of the file that holds a blob of `len` bytes.
pub(super) fn file_bytes(len: u64) -> u64 {
    len + len.div_ceil(BLOCK_BYTES as u64) * LINE_BYTES as u64 + TAIL_BYTES as u64
}

/// The least bytes that a file with a blob in it has.
pub(super) const MIN_FILE_BYTES: u64 = TAIL_BYTES as u64;

/// A stored blob, open for reading. Every block that a read touches is checked.
#[derive(Debug)]
pub struct Blob {
    file: File,
    digest: Digest,
    totals: Mark,
    blocks: Vec<Block>,
    /// The block read last: reads are often smaller than a block, one after the other.
    cache: RefCell<Option<(usize, Vec<u8>)>>,
}

impl Blob {
    /// Opens the file of a blob, and checks its index.
    ///
    /// # Errors
    /// [`ReadError::Corrupt`] when the file is not a blob of that name, whole and of this format.
    pub(super) fn from_file(file: File, digest: &Digest) -> Result<Blob, ReadError> {
        let file_len = file.len()?;
        let corrupt = ReadError::Corrupt { offset: file_len };
        let Some(tail_at) = file_len.checked_sub(TAIL_BYTES as u64) else { return Err(corrupt) };
        let mut tail = [0; TAIL_BYTES];
        read_exact_at(&file, tail_at, &mut tail)?;
        let number = |at: usize| {
            let mut bytes = [0; 8];
            bytes.copy_from_slice(&tail[at..at + 8]);
            u64::from_le_bytes(bytes)
        };
        let totals = Mark { bytes: number(32), chars: number(40), newlines: number(48) };
        if &tail[64..] != FORMAT
            || &tail[..32] != digest.as_bytes()
            || totals.bytes > file_len
            || file_bytes(totals.bytes) != file_len
        {
            return Err(corrupt);
        }
        let Ok(lines_len) = usize::try_from(tail_at - totals.bytes) else { return Err(corrupt) };
        let mut index = vec![0; lines_len];
        read_exact_at(&file, totals.bytes, &mut index)?;
        index.extend(&tail[..56]);
        if xxh3_64(&index) != number(56) {
            return Err(corrupt);
        }
        let blocks = index[..lines_len]
            .chunks_exact(LINE_BYTES)
            .map(|line| {
                let number = |at: usize| {
                    let mut bytes = [0; 8];
                    bytes.copy_from_slice(&line[at..at + 8]);
                    u64::from_le_bytes(bytes)
                };
                Block { hash: number(0), newlines: number(8), chars: number(16) }
            })
            .collect();
        Ok(Blob { file, digest: *digest, totals, blocks, cache: RefCell::new(None) })
    }

    /// The name of this blob.
    pub fn digest(&self) -> Digest {
        self.digest
    }

    fn block_range(&self, block: usize) -> (u64, usize) {
        let start = block as u64 * BLOCK_BYTES as u64;
        (start, (self.totals.bytes - start).min(BLOCK_BYTES as u64) as usize)
    }

    /// Reads whole blocks, from one on, in one go, and checks each.
    fn read_blocks(&self, first: usize, buf: &mut [u8]) -> Result<(), ReadError> {
        let (offset, _) = self.block_range(first);
        match read_exact_at(&self.file, offset, buf) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => {
                // Those before the one that is cut short are good.
                if buf.len() > BLOCK_BYTES {
                    return self
                        .each_block(first, buf, |block, bytes| self.read_blocks(block, bytes));
                }
                return Err(ReadError::Corrupt { offset });
            }
            Err(error) => return Err(error.into()),
        }
        self.each_block(first, buf, |block, bytes| match self.blocks.get(block) {
            Some(line) if line.hash == xxh3_64(bytes) => Ok(()),
            _ => Err(ReadError::Corrupt { offset: self.block_range(block).0 }),
        })
    }

    fn each_block(
        &self,
        first: usize,
        buf: &mut [u8],
        check: impl Fn(usize, &mut [u8]) -> Result<(), ReadError>,
    ) -> Result<(), ReadError> {
        buf.chunks_mut(BLOCK_BYTES).zip(first..).try_for_each(|(bytes, block)| check(block, bytes))
    }

    /// Reads the bytes from `offset` on as one check needs them, and hands each block to `each`.
    /// Stops after about `max_bytes`; where it stopped.
    pub(super) fn scan(
        &self,
        mut offset: u64,
        max_bytes: u64,
        mut each: impl FnMut(&[u8]),
    ) -> Result<u64, ReadError> {
        let mut buf = vec![0; BLOCK_BYTES];
        let stop = self.totals.bytes.min(offset.saturating_add(max_bytes.max(1)));
        while offset < stop {
            let (start, len) = self.block_range((offset / BLOCK_BYTES as u64) as usize);
            self.read_blocks((offset / BLOCK_BYTES as u64) as usize, &mut buf[..len])?;
            each(&buf[..len]);
            offset = start + len as u64;
        }
        Ok(offset)
    }

    /// Reads everything, and checks the digest as well as every block.
    ///
    /// # Errors
    /// [`ReadError::Corrupt`] when a byte is not what was stored.
    pub fn verify(&self) -> Result<(), ReadError> {
        let mut sha = Sha256::new();
        self.scan(0, u64::MAX, |block| sha.update(block))?;
        if <[u8; 32]>::from(sha.finalize()) == *self.digest.as_bytes() {
            Ok(())
        } else {
            Err(ReadError::Corrupt { offset: 0 })
        }
    }

    fn mark(&self, block: usize) -> Mark {
        self.blocks.get(block).map_or(Mark::default(), |line| Mark {
            bytes: block as u64 * BLOCK_BYTES as u64,
            chars: line.chars,
            newlines: line.newlines,
        })
    }
}

impl Source for Blob {
    fn len(&self) -> u64 {
        self.totals.bytes
    }

    fn read_at(&self, offset: u64, buf: &mut [u8]) -> Result<usize, ReadError> {
        let left = self.totals.bytes.saturating_sub(offset);
        let wanted = usize::try_from(left).unwrap_or(usize::MAX).min(buf.len());
        let mut done = 0;
        while done < wanted {
            let at = offset + done as u64;
            let block = (at / BLOCK_BYTES as u64) as usize;
            let (start, len) = self.block_range(block);
            let skip = (at - start) as usize;
            let left = wanted - done;
            // Each read leaves the sandbox: blocks that are wanted whole come together.
            let whole = match at + left as u64 == self.totals.bytes {
                true => left,
                false => left / BLOCK_BYTES * BLOCK_BYTES,
            };
            let n = if skip == 0 && whole > 0 { whole } else { (len - skip).min(left) };
            let out = &mut buf[done..done + n];
            if skip == 0 && whole > 0 {
                self.read_blocks(block, out)?;
            } else {
                let mut cache = self.cache.borrow_mut();
                let bytes = match cache.take() {
                    Some((held, bytes)) if held == block => bytes,
                    old => {
                        let mut bytes = old.map_or_else(Vec::new, |(_, bytes)| bytes);
                        bytes.resize(len, 0);
                        self.read_blocks(block, &mut bytes)?;
                        bytes
                    }
                };
                out.copy_from_slice(&bytes[skip..skip + n]);
                *cache = Some((block, bytes));
            }
            done += n;
        }
        Ok(done)
    }
}

impl Indexed for Blob {
    fn totals(&self) -> Mark {
        self.totals
    }

    fn mark_at_byte(&self, position: u64) -> Mark {
        let last = self.blocks.len().saturating_sub(1) as u64;
        self.mark((position / BLOCK_BYTES as u64).min(last) as usize)
    }

    fn mark_at_char(&self, position: u64) -> Mark {
        let after = self.blocks.partition_point(|line| line.chars <= position);
        self.mark(after.saturating_sub(1))
    }

    fn mark_before_newline(&self, newlines: u64) -> Mark {
        let after = self.blocks.partition_point(|line| line.newlines < newlines);
        self.mark(after.saturating_sub(1))
    }
}

fn read_exact_at(file: &File, mut offset: u64, mut buf: &mut [u8]) -> io::Result<()> {
    while !buf.is_empty() {
        match file.read_at(offset, buf)? {
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            n => {
                offset += n as u64;
                buf = &mut buf[n..];
            }
        }
    }
    Ok(())
}

/// Opens the blob in a file, if there is one.
pub(super) fn open(path: &Path, digest: &Digest) -> Result<Option<Blob>, ReadError> {
    match files::open_regular(path) {
        Ok(Some(file)) => Blob::from_file(file, digest).map(Some),
        Ok(None) => Ok(None),
        Err(error) if error.kind() == io::ErrorKind::InvalidData => {
            Err(ReadError::Corrupt { offset: 0 })
        }
        Err(error) => Err(error.into()),
    }
}
