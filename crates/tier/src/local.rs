//! A store's directory as this crate must know it: which session has which blobs, and where their files go. The
//! component lays it out (`component/src/store.rs`); its version is checked by the component whenever it opens it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read, Seek as _, SeekFrom, Write as _};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::Deserialize;
use sha2::{Digest as _, Sha256};
use tempfile::NamedTempFile;
use weir_base::{create_private_dir, hex, replace};
use xxhash_rust::xxh3::xxh3_64;

/// Digits of an id, unless two results of a session share them.
const ID_DIGITS: usize = 12;
/// The most bytes that a record has.
const RECORD_BYTES: u64 = 64 << 10;
/// A block of a blob, the bytes of its line in the index, and those of the tail.
const BLOCK: u64 = 64 << 10;
const LINE: u64 = 24;
const TAIL: u64 = 72;
/// The name of the format, at the end, after a checksum of the index.
const FORMAT: &[u8; 8] = b"weirblb1";
/// What one byte of the count of used room stands for.
const UNIT: u64 = 4_096;

/// What a reference says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reference {
    /// As it is written.
    pub(crate) text: Vec<u8>,
    /// The blob.
    pub(crate) digest: String,
    /// The blob that was derived from it.
    pub(crate) view: Option<String>,
    /// When it was stored.
    pub(crate) created: SystemTime,
}

#[derive(Deserialize)]
struct Record {
    digest: String,
    created_ms: u64,
    record: Views,
}

#[derive(Deserialize)]
struct Views {
    text_view: Option<String>,
}

fn is_digest(text: &str) -> bool {
    text.len() == 64 && is_hex(text)
}

pub(crate) fn is_hex(text: &str) -> bool {
    text.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'))
}

impl Reference {
    pub(crate) fn read(text: Vec<u8>) -> Option<Reference> {
        let record: Record = serde_json::from_slice(&text).ok()?;
        let view = record.record.text_view;
        let good = is_digest(&record.digest) && view.as_deref().is_none_or(is_digest);
        let created = UNIX_EPOCH.checked_add(Duration::from_millis(record.created_ms))?;
        good.then_some(Reference { text, digest: record.digest, view, created })
    }

    /// The names of its blobs' objects, with their digests.
    pub(crate) fn blobs(&self) -> impl Iterator<Item = (String, &str)> {
        let own = (format!("blobs/{}", self.digest), self.digest.as_str());
        // Beside its blob, so that the reference holds both by the digits in its name.
        let view = self.view.as_deref();
        let view = view.map(|view| (format!("blobs/{}.{view}", self.digest), view));
        std::iter::once(own).chain(view)
    }
}

/// The id by which a result is kept, of any longer one: what is in the tier has no two that share it.
pub(crate) fn short(id: &str) -> Option<&str> {
    is_hex(id).then(|| id.get(..ID_DIGITS)).flatten()
}

/// The folder of a session, here and in the tier.
pub(crate) fn session_key(session: &str) -> String {
    let plain = |c: &char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_');
    let slug: String = session.chars().filter(plain).take(24).collect();
    let hash = hex(&Sha256::digest(session)[..16]);
    format!("{}.{hash}", slug.to_ascii_lowercase())
}

/// A store's directory.
#[derive(Debug, Clone)]
pub(crate) struct Local(pub(crate) PathBuf);

impl Local {
    pub(crate) fn blob(&self, digest: &str) -> PathBuf {
        self.0.join("blobs").join(&digest[..2]).join(digest)
    }

    fn reference(&self, key: &str, id: &str) -> PathBuf {
        self.0.join("refs").join(key).join(id)
    }

    /// What a session has under an id.
    pub(crate) fn held(&self, key: &str, id: &str) -> Option<Reference> {
        let mut text = Vec::new();
        let file = File::open(self.reference(key, short(id)?)).ok()?;
        file.take(RECORD_BYTES).read_to_end(&mut text).ok()?;
        Reference::read(text).filter(|reference| reference.digest.starts_with(id))
    }

    /// The same, if its blobs are there.
    pub(crate) fn whole(&self, key: &str, id: &str) -> Option<Reference> {
        let held = self.held(key, id)?;
        let there = held.blobs().all(|(_, digest)| self.blob(digest).is_file());
        there.then_some(held)
    }

    /// Bytes of the files of its blobs.
    pub(crate) fn bytes(&self, reference: &Reference) -> u64 {
        let sizes = reference.blobs().map(|(_, digest)| fs::metadata(self.blob(digest)));
        sizes.filter_map(|meta| Some(meta.ok()?.len())).sum()
    }

    /// When a session's reference was last used.
    pub(crate) fn used(&self, key: &str, id: &str) -> Option<SystemTime> {
        fs::metadata(self.reference(key, id)).and_then(|meta| meta.modified()).ok()
    }

    /// A file to receive a blob.
    pub(crate) fn receive(&self) -> io::Result<NamedTempFile> {
        let folder = self.0.join("tier");
        create_private_dir(&folder)?;
        NamedTempFile::new_in(folder)
    }

    /// Puts a received blob in its place, if its bytes have that digest.
    pub(crate) fn place(&self, mut file: NamedTempFile, digest: &str) -> io::Result<()> {
        let bytes = verified(file.as_file_mut(), digest)?;
        file.as_file().sync_data()?;
        let path = self.blob(digest);
        create_private_dir(path.parent().unwrap_or(&path))?;
        // The store counts what it may use; before the blob is there, as it does itself.
        let usage = self.0.join("usage");
        create_private_dir(&usage)?;
        let mut count = File::options().append(true).create(true).open(usage.join("added"))?;
        io::copy(&mut io::repeat(0).take(bytes.div_ceil(UNIT)), &mut count)?;
        file.persist(path)?;
        Ok(())
    }

    /// Gives a session a reference to blobs that are there.
    pub(crate) fn refer(&self, key: &str, id: &str, reference: &Reference) -> io::Result<()> {
        let path = self.reference(key, id);
        create_private_dir(path.parent().unwrap_or(&path))?;
        if let Some(view) = &reference.view {
            File::create(self.reference(key, &format!("{id}.view-{view}")))?;
        }
        replace(&path, |file| file.write_all(&reference.text))
    }

    /// Takes a session's reference away.
    pub(crate) fn drop(&self, key: &str, id: &str) {
        let _ = fs::remove_file(self.reference(key, id));
    }

    fn pending(&self) -> PathBuf {
        self.0.join("tier").join("pending")
    }

    /// Notes that a result is to be uploaded.
    pub(crate) fn promise(&self, key: &str, id: &str) -> io::Result<()> {
        create_private_dir(&self.pending())?;
        File::create(self.pending().join(format!("{key}~{id}")))?.sync_all()
    }

    /// Notes that it is.
    pub(crate) fn fulfil(&self, key: &str, id: &str) {
        let _ = fs::remove_file(self.pending().join(format!("{key}~{id}")));
    }

    /// What is to be uploaded.
    pub(crate) fn promised(&self) -> Vec<(String, String)> {
        let entries = fs::read_dir(self.pending()).into_iter().flatten().flatten();
        let names = entries.filter_map(|entry| entry.file_name().into_string().ok());
        names
            .filter_map(|name| {
                name.split_once('~').map(|(key, id)| (key.to_owned(), id.to_owned()))
            })
            .collect()
    }
}

/// Bytes of a file with a blob of that digest in it.
fn verified(file: &mut File, digest: &str) -> io::Result<u64> {
    let wrong = |what: &str| io::Error::new(ErrorKind::InvalidData, what.to_owned());
    let all = file.metadata()?.len();
    let rest = all.checked_sub(TAIL).ok_or_else(|| wrong("it is too short"))?;
    let blocks = rest.div_ceil(BLOCK + LINE);
    let bytes = rest.checked_sub(blocks * LINE).ok_or_else(|| wrong("it is cut"))?;
    if bytes.div_ceil(BLOCK) != blocks {
        return Err(wrong("it has a wrong length"));
    }
    file.seek(SeekFrom::Start(0))?;
    let (mut sha, mut buffer, mut left) = (Sha256::new(), vec![0; 1 << 20], bytes);
    while left > 0 {
        let most = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
        let read = file.read(&mut buffer[..most])?;
        if read == 0 {
            return Err(wrong("it is cut"));
        }
        sha.update(&buffer[..read]);
        left -= read as u64;
    }
    if hex(&sha.finalize()) != digest {
        return Err(wrong("its bytes are not those that its name says"));
    }
    let mut index = Vec::new();
    file.read_to_end(&mut index)?;
    let sound = index.split_last_chunk::<16>().is_some_and(|(index, end)| {
        end[..8] == xxh3_64(index).to_le_bytes() && end[8..] == *FORMAT
    });
    if sound { Ok(all) } else { Err(wrong("its index is damaged")) }
}

/// A store's directory that is missing is made: whoever deleted it meant what was in it.
pub(crate) fn exists(root: &Path) -> bool {
    root.is_dir() || create_private_dir(root).is_ok()
}

/// Time, session's folder and id of a note that something is gone.
pub(crate) fn gone_name(name: &str) -> Option<(SystemTime, &str, &str)> {
    let (time, rest) = name.strip_prefix("gone/")?.split_once('.')?;
    let (key, id) = rest.rsplit_once('.')?;
    Some((UNIX_EPOCH + Duration::from_millis(time.parse().ok()?), key, id))
}
