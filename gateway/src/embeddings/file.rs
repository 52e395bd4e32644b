//! The vectors of one model of one endpoint, on disk.
//!
//! ```text
//! file     "weirvec1", then records
//! record   key (16 bytes), dimension (u32), the numbers (f32 each),
//!          the first 8 bytes of the SHA-256 of all that; integers and floats are little-endian
//! ```
//!
//! Records are only appended, by any number of processes. What is read is checked against its
//! record's key and checksum, so a file that another process has cut or started anew costs a
//! request to the endpoint, never a wrong vector.

use std::collections::HashMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;

use sha2::{Digest as _, Sha256};

use super::endpoint::MAX_DIMENSION;

/// What a vector is kept under: the hash of its text.
pub(super) type Key = u128;

const MAGIC: &[u8; 8] = b"weirvec1";
const KEY_BYTES: usize = size_of::<Key>();
const HEAD_BYTES: usize = KEY_BYTES + size_of::<u32>();
const CHECK_BYTES: usize = 8;

/// An open file.
pub(super) struct VectorFile {
    file: File,
    /// Where records begin. Another process may have changed what is there since.
    places: HashMap<Key, u64>,
    max_bytes: u64,
}

impl VectorFile {
    /// Opens the file or makes it. What follows the last good record is cut off; a file of more
    /// than `max_bytes` is started anew.
    pub(super) fn open(path: &Path, max_bytes: u64) -> io::Result<VectorFile> {
        if let Some(directory) = path.parent() {
            std::fs::create_dir_all(directory)?;
        }
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut this = VectorFile { file: options.open(path)?, places: HashMap::new(), max_bytes };
        let len = this.file.metadata()?.len();
        // Read without the lock, so that no other process waits for long.
        let good = if len > max_bytes { 0 } else { scan(&this.file, 0, &mut this.places)? };
        if good < len {
            let _lock = Lock::take(&this.file)?;
            // What looked torn may have been an append under way.
            let len = this.file.metadata()?.len();
            let good = if len > max_bytes { 0 } else { scan(&this.file, good, &mut this.places)? };
            if good < len {
                this.file.set_len(good)?;
            }
        }
        Ok(this)
    }

    /// The vector of a key, when it is there and whole.
    pub(super) fn get(&mut self, key: Key) -> Option<Vec<f32>> {
        let place = *self.places.get(&key)?;
        let read = self.file.seek(SeekFrom::Start(place));
        match read.and_then(|_| read_record(&mut &self.file)) {
            Ok(Some((found, vector))) if found == key => Some(vector),
            _ => {
                self.places.remove(&key);
                None
            }
        }
    }

    /// Adds records; a file that would grow beyond its bound is started anew.
    ///
    /// # Errors
    /// When they cannot be written. The file is as it was.
    pub(super) fn append(&mut self, vectors: &[(Key, &[f32])]) -> io::Result<()> {
        let mut records = Vec::new();
        let mut offsets = Vec::with_capacity(vectors.len());
        for &(key, vector) in vectors {
            offsets.push((key, records.len() as u64));
            write_record(&mut records, key, vector);
        }
        let _lock = Lock::take(&self.file)?;
        let mut len = self.file.metadata()?.len();
        if (MAGIC.len() + records.len()) as u64 > self.max_bytes {
            return Ok(());
        }
        if len + records.len() as u64 > self.max_bytes {
            self.file.set_len(0)?;
            self.places.clear();
            len = 0;
        }
        let mut start = len;
        if len == 0 {
            records.splice(..0, *MAGIC);
            start = MAGIC.len() as u64;
        }
        if let Err(error) = (&self.file).write_all(&records) {
            self.file.set_len(len)?;
            return Err(error);
        }
        self.places.extend(offsets.into_iter().map(|(key, offset)| (key, start + offset)));
        Ok(())
    }
}

/// Other processes wait while this is held. Where there are no locks the checksums must do.
struct Lock<'a>(&'a File);

impl Lock<'_> {
    fn take(file: &File) -> io::Result<Lock<'_>> {
        match file.lock() {
            Err(error) if error.kind() != io::ErrorKind::Unsupported => Err(error),
            _ => Ok(Lock(file)),
        }
    }
}

impl Drop for Lock<'_> {
    fn drop(&mut self) {
        let _ = self.0.unlock();
    }
}

/// Notes where the records from `start` on are; gives the end of the last good one.
fn scan(file: &File, start: u64, places: &mut HashMap<Key, u64>) -> io::Result<u64> {
    let mut input = BufReader::with_capacity(1 << 20, file);
    input.seek(SeekFrom::Start(start))?;
    let mut end = start;
    if start == 0 {
        let mut magic = [0; MAGIC.len()];
        if !read_all(&mut input, &mut magic)? || magic != *MAGIC {
            return Ok(0);
        }
        end = MAGIC.len() as u64;
    }
    while let Some((key, vector)) = read_record(&mut input)? {
        places.insert(key, end);
        end += (HEAD_BYTES + vector.len() * size_of::<f32>() + CHECK_BYTES) as u64;
    }
    Ok(end)
}

/// The next record; `None` at the end and where none is whole.
fn read_record(input: &mut impl Read) -> io::Result<Option<(Key, Vec<f32>)>> {
    let mut record = vec![0; HEAD_BYTES];
    if !read_all(input, &mut record)? {
        return Ok(None);
    }
    let (Some(key), Some(dimension)) = (record.first_chunk(), record.last_chunk()) else {
        return Ok(None);
    };
    let key = Key::from_le_bytes(*key);
    let dimension = u32::from_le_bytes(*dimension) as usize;
    if !(1..=MAX_DIMENSION).contains(&dimension) {
        return Ok(None);
    }
    let end = HEAD_BYTES + dimension * size_of::<f32>();
    record.resize(end + CHECK_BYTES, 0);
    if !read_all(input, &mut record[HEAD_BYTES..])? {
        return Ok(None);
    }
    if record[end..] != checksum(&record[..end]) {
        return Ok(None);
    }
    let (numbers, _) = record[HEAD_BYTES..end].as_chunks();
    Ok(Some((key, numbers.iter().map(|&bytes| f32::from_le_bytes(bytes)).collect())))
}

fn write_record(output: &mut Vec<u8>, key: Key, vector: &[f32]) {
    let start = output.len();
    output.extend(key.to_le_bytes());
    output.extend((vector.len() as u32).to_le_bytes());
    output.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
    let check = checksum(&output[start..]);
    output.extend(check);
}

fn checksum(bytes: &[u8]) -> [u8; CHECK_BYTES] {
    let digest = Sha256::digest(bytes);
    std::array::from_fn(|i| digest[i])
}

/// Fills the buffer; `false` when the input ends before.
fn read_all(input: &mut impl Read, buffer: &mut [u8]) -> io::Result<bool> {
    match input.read_exact(buffer) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => Ok(false),
        Err(error) => Err(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOUND: u64 = 1 << 20;

    fn path() -> (tempfile::TempDir, std::path::PathBuf) {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("new").join("x.vectors");
        (directory, path)
    }

    fn reopened(path: &Path) -> VectorFile {
        VectorFile::open(path, BOUND).unwrap()
    }

    #[test]
    fn a_tail_torn_anywhere_is_cut_off_and_written_over() {
        let (_directory, path) = path();
        reopened(&path).append(&[(1, &[1.0, 2.0]), (2, &[3.0])]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        let first = MAGIC.len() + HEAD_BYTES + 2 * 4 + CHECK_BYTES;
        for cut in 0..whole.len() {
            std::fs::write(&path, &whole[..cut]).unwrap();
            let mut file = reopened(&path);
            let kept = if cut >= first { Some(vec![1.0, 2.0]) } else { None };
            assert_eq!((file.get(1), file.get(2)), (kept.clone(), None), "cut at {cut}");
            file.append(&[(3, &[4.0])]).unwrap();
            let mut file = reopened(&path);
            assert_eq!((file.get(1), file.get(3)), (kept, Some(vec![4.0])), "cut at {cut}");
        }
    }

    #[test]
    fn a_flipped_bit_is_never_a_vector() {
        let (_directory, path) = path();
        let mut open = reopened(&path);
        open.append(&[(1, &[1.0]), (2, &[2.0])]).unwrap();
        let whole = std::fs::read(&path).unwrap();
        for at in 0..whole.len() {
            let mut bytes = whole.clone();
            bytes[at] ^= 0x10;
            std::fs::write(&path, &bytes).unwrap();
            let mut file = reopened(&path);
            assert!([None, Some(vec![1.0])].contains(&file.get(1)), "byte {at}");
            assert!([None, Some(vec![2.0])].contains(&file.get(2)), "byte {at}");
            assert!(file.get(1).is_none() || file.get(2).is_none(), "byte {at}");
        }
        // The one that was open all the time finds what is there, or nothing.
        std::fs::write(&path, b"").unwrap();
        assert_eq!((open.get(1), open.get(2)), (None, None));
        open.append(&[(1, &[5.0])]).unwrap();
        assert_eq!((open.get(1), reopened(&path).get(1)), (Some(vec![5.0]), Some(vec![5.0])));
    }

    #[test]
    fn a_full_file_is_started_anew() {
        let (_directory, path) = path();
        let record = (HEAD_BYTES + 4 + CHECK_BYTES) as u64;
        let bound = MAGIC.len() as u64 + 2 * record;
        let mut file = VectorFile::open(&path, bound).unwrap();
        file.append(&[(1, &[1.0]), (2, &[2.0])]).unwrap();
        file.append(&[(3, &[3.0])]).unwrap();
        assert_eq!((file.get(1), file.get(2), file.get(3)), (None, None, Some(vec![3.0])));
        // More than it ever holds is not kept.
        file.append(&[(4, &[1.0]), (5, &[1.0]), (6, &[1.0])]).unwrap();
        assert_eq!((file.get(3), file.get(4)), (Some(vec![3.0]), None));
        drop(file);
        let mut smaller = VectorFile::open(&path, record).unwrap();
        assert_eq!((smaller.get(3), std::fs::metadata(&path).unwrap().len()), (None, 0));
    }
}
