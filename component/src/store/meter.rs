//! What is computed of bytes as they pass: digest, block hashes, counts.

use sha2::{Digest as _, Sha256};
use xxhash_rust::xxh3::Xxh3;

use crate::digest::Digest;
use crate::limits::BLOCK_BYTES;
use crate::source::Mark;

/// One block's line in the index of a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Block {
    /// XXH3-64 of the block's bytes.
    pub(super) hash: u64,
    /// Line feeds in all bytes before the block.
    pub(super) newlines: u64,
    /// Characters in all bytes before the block.
    pub(super) chars: u64,
}

/// All that is known of a blob's bytes once they have passed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sum {
    pub(super) digest: Digest,
    pub(super) totals: Mark,
    pub(super) lines: u64,
    pub(super) blocks: Vec<Block>,
}

/// Takes bytes in pieces of any size. Memory: 24 bytes for every 64 KiB that passed.
pub(super) struct Meter {
    sha: Sha256,
    hash: Xxh3,
    in_block: usize,
    mark: Mark,
    last: u8,
    blocks: Vec<Block>,
}

impl Meter {
    pub(super) fn new() -> Meter {
        Meter {
            sha: Sha256::new(),
            hash: Xxh3::new(),
            in_block: 0,
            mark: Mark::default(),
            last: b'\n',
            blocks: Vec::new(),
        }
    }

    /// What passed so far.
    pub(super) fn totals(&self) -> Mark {
        self.mark
    }

    pub(super) fn update(&mut self, mut bytes: &[u8]) {
        self.last = bytes.last().copied().unwrap_or(self.last);
        while !bytes.is_empty() {
            if self.in_block == 0 {
                let Mark { newlines, chars, .. } = self.mark;
                self.blocks.push(Block { hash: 0, newlines, chars });
            }
            // Block by block, so that the three passes over the bytes meet them in the cache.
            let (piece, rest) = bytes.split_at(bytes.len().min(BLOCK_BYTES - self.in_block));
            self.sha.update(piece);
            self.hash.update(piece);
            self.mark = self.mark.advance(piece);
            self.in_block += piece.len();
            if self.in_block == BLOCK_BYTES {
                self.close_block();
            }
            bytes = rest;
        }
    }

    fn close_block(&mut self) {
        if let Some(block) = self.blocks.last_mut() {
            block.hash = self.hash.digest();
        }
        self.hash.reset();
        self.in_block = 0;
    }

    pub(super) fn finish(mut self) -> Sum {
        if self.in_block > 0 {
            self.close_block();
        }
        let lines = self.mark.newlines + u64::from(self.last != b'\n');
        let digest = Digest::from_bytes(self.sha.finalize().into());
        Sum { digest, totals: self.mark, lines, blocks: self.blocks }
    }
}
