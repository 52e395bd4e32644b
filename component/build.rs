//! Lays the embedding table out for the component: vocabulary sorted, so that a word is found by
//! binary search in the static bytes and an instance decodes nothing when it starts.
//!
//! In: `data/toolsearch-128.tvec`. Out, in `OUT_DIR`, little-endian:
//!
//! ```text
//! table_text.bin     the entries, one after the other, `##` of continuation pieces dropped
//! table_blocks.bin   u32 per 1,024 entries: where the first of them starts in the text
//! table_ends.bin     u16 per entry: where it ends, from the start of its block
//! table_scales.bin   IEEE half, normal and positive, per entry: what its row is multiplied by
//! table_rows.bin     i8 × 128 per entry
//! table.rs           BLOCK (1,024) and INITIAL (how many entries start a word; they come first)
//! ```

#![expect(
    clippy::disallowed_methods,
    reason = "a build script reads its environment and writes files"
)]

use std::env;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

const DIM: usize = 128;

/// Entries of a block: their text, 24 bytes each at most, ends below 2^16.
const BLOCK: usize = 1_024;

/// Bytes of memory that no call needs: the greatest limit of a class is half of it.
const MAX_MEMORY: u64 = 1 << 30;

fn main() -> Result<(), Box<dyn Error>> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(env::var("OUT_DIR")?);
    println!("cargo::rerun-if-changed=build.rs");
    if env::var("CARGO_CFG_TARGET_FAMILY").is_ok_and(|family| family == "wasm") {
        // A host that sets no bound to memory, as those of JavaScript, has this one.
        println!("cargo::rustc-link-arg-cdylib=--max-memory={MAX_MEMORY}");
    }
    let source = here.join("data/toolsearch-128.tvec");
    println!("cargo::rerun-if-changed={}", source.display());
    if env::var_os("CARGO_FEATURE_SEMANTIC").is_none() {
        return Ok(());
    }
    let bytes = fs::read(&source).map_err(|e| format!("cannot read {}: {e}", source.display()))?;
    lay_out(&bytes, &out)
}

fn lay_out(bytes: &[u8], out: &Path) -> Result<(), Box<dyn Error>> {
    let number = |at: usize| -> Result<usize, Box<dyn Error>> {
        let four = bytes.get(at..at + 4).ok_or("the table ends in its header")?;
        Ok(u32::from_le_bytes(four.try_into()?) as usize)
    };
    if bytes.get(..4) != Some(b"TVEC") || number(4)? != 1 {
        return Err("not a TVEC table of version 1".into());
    }
    let (rows, dim, text_len) = (number(8)?, number(12)?, number(16)?);
    if dim != DIM {
        return Err(format!("the table has {dim} dimensions, the code is made for {DIM}").into());
    }
    let scales_at = 20 + text_len;
    let rows_at = scales_at + 2 * rows;
    if bytes.len() != rows_at + rows * DIM {
        return Err("the table's length does not fit its header".into());
    }
    let text = std::str::from_utf8(&bytes[20..scales_at])?;

    let mut entries: Vec<(bool, &str, usize)> = text
        .split('\n')
        .enumerate()
        .map(|(row, entry)| match entry.strip_prefix("##") {
            Some(rest) => (true, rest, row),
            None => (false, entry, row),
        })
        .collect();
    if entries.len() != rows {
        return Err("the table's vocabulary does not fit its header".into());
    }
    entries.sort_unstable();

    let (mut sorted_text, mut blocks, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    let (mut scales, mut sorted_rows) = (Vec::new(), Vec::new());
    let mut block_start = 0;
    for (place, &(_, entry, row)) in entries.iter().enumerate() {
        if place % BLOCK == 0 {
            block_start = sorted_text.len();
            blocks.extend_from_slice(&u32::try_from(block_start)?.to_le_bytes());
        }
        sorted_text.extend_from_slice(entry.as_bytes());
        ends.extend_from_slice(&u16::try_from(sorted_text.len() - block_start)?.to_le_bytes());
        let at = scales_at + 2 * row;
        let half = u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        if !(0x0400..0x7c00).contains(&half) {
            return Err(format!("the scale of {entry:?} is not a normal positive number").into());
        }
        scales.extend_from_slice(&half.to_le_bytes());
        let at = rows_at + DIM * row;
        sorted_rows.extend_from_slice(&bytes[at..at + DIM]);
    }
    let initial = entries.iter().filter(|(continues, ..)| !continues).count();

    fs::write(out.join("table_text.bin"), sorted_text)?;
    fs::write(out.join("table_blocks.bin"), blocks)?;
    fs::write(out.join("table_ends.bin"), ends)?;
    fs::write(out.join("table_scales.bin"), scales)?;
    fs::write(out.join("table_rows.bin"), sorted_rows)?;
    let constants = format!("const BLOCK: usize = {BLOCK};\nconst INITIAL: usize = {initial};\n");
    fs::write(out.join("table.rs"), constants)?;
    Ok(())
}
