//! Looking for damage: every byte of every blob, every record.
//!
//! Done in slices of a given number of bytes. It reports; only when asked to repair does it remove
//! what is damaged, and then it leaves tombstones that say so. Files that are none of the store's
//! are counted and left alone.

use std::time::SystemTime;

use sha2::{Digest as _, Sha256};

use super::base::BlobStore;
use super::blob::{self, Blob};
use super::clock::apart;
use super::error::{At, StoreError};
use super::files::{self, Look};
use super::record::{RECORD_MAX_BYTES, Reason, RecordFile, millis};
use super::refs::RefName;
use super::remove::UNREFERENCED;
use super::session::SessionKey;
use super::usage::{UNIT_BYTES, units};
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::limits::ID_MAX_HEX;
use crate::source::{ReadError, Source};

/// Damaged blobs that a report names; the rest are counted.
const NAMED_MAX: usize = 100;
/// What looking at one file counts for, however small it is.
const FILE_COST: u64 = 4_096;

/// What was found so far.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Report {
    /// Whether everything was looked at.
    pub done: bool,
    /// Blobs looked at.
    pub blobs: u64,
    /// Bytes of blobs looked at.
    pub bytes: u64,
    /// Blobs of which a byte is not what was stored.
    pub corrupt: u64,
    /// The first hundred of them.
    pub corrupt_blobs: Vec<Digest>,
    /// References looked at.
    pub references: u64,
    /// References whose record cannot be read. Their blobs can.
    pub damaged_records: u64,
    /// References to blobs that are not there, or damaged.
    pub dead_references: u64,
    /// Blobs that no session holds. A sweep removes them.
    pub unheld: u64,
    /// The room that they take, in bytes.
    pub unheld_bytes: u64,
    /// The first hundred of them.
    pub unheld_blobs: Vec<Digest>,
    /// What lies in `tmp/` that nobody is writing: bytes. A put or a sweep removes it.
    pub leftover_bytes: u64,
    /// Files that are none of the store's.
    pub foreign: u64,
    /// Blobs and references that were removed, because repairing was asked for.
    pub repaired: u64,
    /// Files that could not be looked at.
    pub failed: u64,
}

/// A check-up under way.
#[derive(Debug)]
pub struct Doctor {
    store: BlobStore,
    repair: bool,
    shard: u16,
    blobs: std::vec::IntoIter<String>,
    open: Option<(Blob, Sha256, u64)>,
    /// Sorted, as blobs are looked at in order.
    corrupt: Vec<Digest>,
    /// Every blob that was seen, in order: its size, and whether a session holds it.
    seen: Vec<Seen>,
    sessions: Option<std::vec::IntoIter<String>>,
    session: Option<(SessionKey, std::vec::IntoIter<String>)>,
    report: Report,
}

/// A blob that was seen.
#[derive(Debug)]
struct Seen {
    digest: Digest,
    bytes: u64,
    is_held: bool,
}

impl BlobStore {
    /// A check-up of the whole store, to be driven by [`Doctor::step`]. With `repair`, damaged
    /// blobs are removed; without, they are left, since the rest of each can still be read.
    pub fn doctor(&self, repair: bool) -> Doctor {
        Doctor {
            store: self.clone(),
            repair,
            shard: 0,
            blobs: Vec::new().into_iter(),
            open: None,
            corrupt: Vec::new(),
            seen: Vec::new(),
            sessions: None,
            session: None,
            report: Report::default(),
        }
    }
}

impl Doctor {
    /// Goes on for about `max_bytes`, and says what was found in all.
    ///
    /// # Errors
    /// [`StoreError::Io`] when a directory cannot be read.
    pub fn step(&mut self, max_bytes: u64, now: SystemTime) -> Result<Report, StoreError> {
        let mut left = max_bytes.max(1);
        while left > 0 && !self.report.done {
            let cost = self.advance(left, now)?;
            left = left.saturating_sub(cost);
        }
        Ok(self.report.clone())
    }

    fn names(&mut self, dir: &str) -> Result<std::vec::IntoIter<String>, StoreError> {
        let path = self.store.root.join(dir);
        let (names, foreign) = files::names(&path).at(&path)?;
        self.report.foreign += foreign;
        Ok(names.into_iter())
    }

    fn advance(&mut self, max_bytes: u64, now: SystemTime) -> Result<u64, StoreError> {
        if self.open.is_some() {
            return Ok(self.read_on(max_bytes));
        }
        if let Some((key, names)) = &mut self.session {
            match names.next() {
                Some(name) => {
                    let key = key.clone();
                    self.hold(&name);
                    if self.look_at_ref(&key, &name, now).is_err() {
                        self.report.failed += 1;
                    }
                }
                None => self.session = None,
            }
            return Ok(FILE_COST);
        }
        if let Some(name) = self.blobs.next() {
            self.open_blob(&name, now);
        } else if self.shard < 256 {
            self.blobs = self.names(&format!("blobs/{:02x}", self.shard))?;
            self.shard += 1;
        } else if let Some(sessions) = &mut self.sessions {
            match sessions.next() {
                Some(name) => match SessionKey::parse(&name) {
                    Some(key) => {
                        let names = self.names(&format!("refs/{name}"))?;
                        self.session = Some((key, names));
                    }
                    None => self.report.foreign += 1,
                },
                None => self.finish(now),
            }
        } else {
            self.sessions = Some(self.names("refs")?);
        }
        Ok(FILE_COST)
    }

    /// Notes which blobs a name in a session's directory holds.
    fn hold(&mut self, name: &str) {
        let id = match RefName::parse(name) {
            Some(RefName::Live(id)) => id,
            Some(RefName::View(_, view)) => BlobId::of(&view, ID_MAX_HEX),
            _ => return,
        };
        let stem = |seen: &Seen| BlobId::of(&seen.digest, 0).stem();
        let from = self.seen.partition_point(|seen| stem(seen) < id.stem());
        for seen in self.seen[from..].iter_mut() {
            if stem(seen) != id.stem() {
                break;
            }
            seen.is_held |= id.is_prefix_of(&seen.digest);
        }
    }

    fn open_blob(&mut self, name: &str, now: SystemTime) {
        let digest =
            Digest::parse(name).filter(|digest| digest.as_bytes()[0] as u16 + 1 == self.shard);
        let Some(digest) = digest else {
            self.report.foreign += 1;
            return;
        };
        self.report.blobs += 1;
        if let Ok(Some((used, bytes))) = files::stat(&self.store.blob_path(&digest)) {
            // One that was put just now may be about to get its reference.
            let apart = apart(now, used);
            let is_held = apart <= UNREFERENCED;
            self.seen.push(Seen { digest, bytes: units(bytes) * UNIT_BYTES, is_held });
        }
        match blob::open(&self.store.blob_path(&digest), &digest) {
            Ok(Some(blob)) => self.open = Some((blob, Sha256::new(), 0)),
            Ok(None) => self.report.blobs -= 1,
            Err(error) => self.note(digest, &error),
        }
    }

    fn note(&mut self, digest: Digest, error: &ReadError) {
        match error {
            ReadError::Corrupt { .. } => {
                self.report.corrupt += 1;
                self.corrupt.push(digest);
                if self.report.corrupt_blobs.len() < NAMED_MAX {
                    self.report.corrupt_blobs.push(digest);
                }
            }
            ReadError::Io(_) => self.report.failed += 1,
        }
    }

    fn read_on(&mut self, max_bytes: u64) -> u64 {
        let Some((blob, mut sha, from)) = self.open.take() else { return 0 };
        match blob.scan(from, max_bytes, |bytes| sha.update(bytes)) {
            Ok(to) => {
                self.report.bytes += to - from;
                if to < blob.len() {
                    self.open = Some((blob, sha, to));
                } else if <[u8; 32]>::from(sha.finalize()) != *blob.digest().as_bytes() {
                    self.note(blob.digest(), &ReadError::Corrupt { offset: 0 });
                }
                to - from + FILE_COST
            }
            Err(error) => {
                self.note(blob.digest(), &error);
                FILE_COST
            }
        }
    }

    fn look_at_ref(
        &mut self,
        key: &SessionKey,
        name: &str,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let id = match RefName::parse(name) {
            Some(RefName::Live(id)) => id,
            Some(_) => return Ok(()),
            None => {
                self.report.foreign += 1;
                return Ok(());
            }
        };
        let path = self.store.ref_path(key, RefName::Live(id));
        let last_use = match files::look(&path).at(&path)? {
            Some(Look::File(time, _)) => time,
            Some(Look::Other) => {
                self.report.foreign += 1;
                return Ok(());
            }
            None => return Ok(()),
        };
        self.report.references += 1;
        let bytes = files::read_small(&path, RECORD_MAX_BYTES).at(&path)?.unwrap_or_default();
        let digest = match RecordFile::parse(&bytes, &id) {
            Some(file) => {
                self.report.damaged_records += u64::from(file.record().is_none());
                Some(file.digest)
            }
            None => {
                self.report.damaged_records += 1;
                self.store.blobs_with(&id)?.first().copied()
            }
        };
        let is_alive = match digest {
            Some(digest) => {
                self.corrupt.binary_search(&digest).is_err() && self.store.has_blob(&digest)?
            }
            None => false,
        };
        if !is_alive {
            self.report.dead_references += 1;
            let seen = millis(last_use);
            if self.repair && self.store.entomb(key, &id, seen, Reason::Corrupt, now)? {
                self.store.drop_markers(key, &id)?;
                self.report.repaired += 1;
            }
        }
        Ok(())
    }

    /// Removes the damaged blobs, now that the references to them are tombstones.
    fn finish(&mut self, now: SystemTime) {
        self.report.done = true;
        for seen in std::mem::take(&mut self.seen) {
            if !seen.is_held {
                self.report.unheld += 1;
                self.report.unheld_bytes += seen.bytes;
                if self.report.unheld_blobs.len() < NAMED_MAX {
                    self.report.unheld_blobs.push(seen.digest);
                }
            }
        }
        match self.store.leftover_units(None, now) {
            Ok(units) => self.report.leftover_bytes = units * UNIT_BYTES,
            Err(_) => self.report.failed += 1,
        }
        if !self.repair {
            return;
        }
        for digest in std::mem::take(&mut self.corrupt) {
            let path = self.store.blob_path(&digest);
            // A put may have healed it since.
            let still = matches!(
                blob::open(&path, &digest).and_then(|blob| match blob {
                    Some(blob) => blob.verify(),
                    None => Ok(()),
                }),
                Err(ReadError::Corrupt { .. })
            );
            let removed = still
                && match files::stat(&path) {
                    Ok(Some((seen, _))) => self
                        .store
                        .remove_blob(&digest, millis(seen), &[], Reason::Corrupt, now)
                        .unwrap_or(false),
                    // Something that is no file lies there.
                    _ => false,
                };
            self.report.repaired += u64::from(removed);
        }
    }
}
