//! The vectors of one model of one endpoint, on disk.
//!
//! ```text
//! file     "weirvec2", the SHA-256 of what follows, then records
//! record   key (16 bytes), dimension (u32), the numbers (f32 each); integers and floats are little-endian
//! ```
//!
//! The file is read as a whole and replaced as a whole. Of two processes that replace it at the same time one wins: what the
//! other knew costs a request to the endpoint, never a wrong vector.

use std::collections::HashMap;
use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::Vector;
use weir_base::private::replace;

/// What a vector is kept under: the hash of its text.
pub(super) type Key = u128;

const MAGIC: &[u8; 8] = b"weirvec2";

/// The vectors of a file; none where it is missing or damaged.
///
/// # Errors
/// When it cannot be read.
pub(super) fn load(path: &Path) -> io::Result<HashMap<Key, Vector>> {
    match fs::read(path) {
        Ok(bytes) => Ok(read(&bytes).unwrap_or_default()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(HashMap::new()),
        Err(error) => Err(error),
    }
}

/// Replaces the file by these vectors and, while there is room, those that it had.
///
/// # Errors
/// When it cannot be written; then it is as it was.
pub(super) fn save(
    path: &Path,
    vectors: &HashMap<Key, Vector>,
    max_bytes: usize,
) -> io::Result<()> {
    let mut records = Vec::new();
    let before = load(path).unwrap_or_default();
    let others = before.iter().filter(|(key, _)| !vectors.contains_key(key));
    for (key, vector) in vectors.iter().chain(others) {
        let size = size_of::<Key>() + size_of::<u32>() + size_of_val(&**vector);
        if records.len() + size > max_bytes {
            break;
        }
        records.extend(key.to_le_bytes());
        records.extend((vector.len() as u32).to_le_bytes());
        records.extend(vector.iter().flat_map(|number| number.to_le_bytes()));
    }
    replace(path, |file| {
        file.write_all(MAGIC)?;
        file.write_all(&Sha256::digest(&records))?;
        file.write_all(&records)
    })
}

fn read(bytes: &[u8]) -> Option<HashMap<Key, Vector>> {
    let (digest, mut rest) = bytes.strip_prefix(MAGIC)?.split_first_chunk::<32>()?;
    if Sha256::digest(rest)[..] != digest[..] {
        return None;
    }
    let mut vectors = HashMap::new();
    while let Some((key, after)) = rest.split_first_chunk() {
        let (dimension, after) = after.split_first_chunk()?;
        let bytes = (u32::from_le_bytes(*dimension) as usize).checked_mul(size_of::<f32>())?;
        let (numbers, after) = after.split_at_checked(bytes)?;
        let numbers = numbers.as_chunks().0.iter().map(|&number| f32::from_le_bytes(number));
        vectors.insert(Key::from_le_bytes(*key), numbers.collect());
        rest = after;
    }
    Some(vectors)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vectors(of: &[(Key, &[f32])]) -> HashMap<Key, Vector> {
        of.iter().map(|(key, numbers)| (*key, (*numbers).into())).collect()
    }

    #[test]
    fn what_two_saved_is_there_and_no_more_than_there_is_room_for() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new").join("x.vectors");
        assert!(load(&path).unwrap().is_empty());
        save(&path, &vectors(&[(1, &[1.0, 2.0])]), 1_000).unwrap();
        save(&path, &vectors(&[(2, &[3.0])]), 1_000).unwrap();
        assert_eq!(load(&path).unwrap(), vectors(&[(1, &[1.0, 2.0]), (2, &[3.0])]));
        save(&path, &vectors(&[(3, &[4.0])]), 30).unwrap();
        assert_eq!(load(&path).unwrap(), vectors(&[(3, &[4.0])]));
    }

    #[test]
    fn a_cut_or_a_flipped_bit_is_never_a_vector() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("x.vectors");
        save(&path, &vectors(&[(1, &[1.0]), (2, &[2.0])]), 1_000).unwrap();
        let whole = fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut flipped = whole.clone();
            flipped[at] ^= 0x10;
            for bytes in [&whole[..at], &flipped] {
                fs::write(&path, bytes).unwrap();
                assert!(load(&path).unwrap().is_empty(), "byte {at}");
            }
        }
    }
}
