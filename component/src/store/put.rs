//! Putting a blob: what is written when, so that no crash and no race leaves a dead handle. A blob is published,
//! then referred to.

use std::path::Path;
use std::time::SystemTime;

use super::base::BlobStore;
use super::blob::{self, file_bytes};
use super::error::{At, StoreError};
use super::files::{self, Temp};
use super::leftovers::STILL;
use super::meter::{Meter, Sum};
use super::record::Record;
use super::refs::RefName;
use super::session::SessionKey;
use super::usage::{UNIT_BYTES, units};
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::limits::BLOCK_BYTES;
use crate::source::{Indexed, Mark};

/// Bytes that a writer holds before it opens a file. Up to here a blob that is stored already is
/// recognised before anything is written.
const MEMORY_BYTES: usize = 1024 * 1024;

/// A blob that was stored, under the id that its session was given.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// The id to show.
    pub id: BlobId,
    /// The blob's whole name.
    pub digest: Digest,
    /// Its bytes, characters and line feeds.
    pub totals: Mark,
    /// Its lines (see [`crate::source`]).
    pub lines: u64,
    /// Whether the session held it before.
    pub is_repeat: bool,
}

/// A blob that was stored without a reference: it lives for the grace time, or as long as a record
/// names it as its text view.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Published {
    /// The blob's whole name.
    pub digest: Digest,
    /// Its bytes, characters and line feeds.
    pub totals: Mark,
    /// Its lines (see [`crate::source`]).
    pub lines: u64,
}

/// Takes a blob in pieces. Memory: a megabyte, and 24 bytes for each 64 KiB that passed.
///
/// Dropped before it is published, it leaves nothing behind.
#[derive(Debug)]
pub struct BlobWriter {
    pub(super) store: BlobStore,
    meter: Meter,
    /// Bytes that no file holds yet.
    held: Vec<u8>,
    temp: Option<Temp>,
}

impl std::fmt::Debug for Meter {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Meter").field("totals", &self.totals()).finish_non_exhaustive()
    }
}

/// Where the bytes are that a put may have to publish.
enum Body<'a> {
    Memory(&'a [u8]),
    File(Temp),
}

impl BlobWriter {
    pub(super) fn new(store: BlobStore) -> BlobWriter {
        BlobWriter { store, meter: Meter::new(), held: Vec::new(), temp: None }
    }

    /// Adds bytes at the end.
    ///
    /// # Errors
    /// [`StoreError::Full`] as soon as the blob is larger than the whole store may be,
    /// [`StoreError::Io`] when it cannot be written. The writer is of no use after either.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.meter.update(bytes);
        self.store.check_fits(self.meter.totals().bytes)?;
        if self.temp.is_none() {
            if self.held.len() + bytes.len() <= MEMORY_BYTES {
                self.held.extend(bytes);
                return Ok(());
            }
            let tmp = self.store.tmp();
            self.temp = Some(Temp::create(&tmp).at(&tmp)?);
        }
        if bytes.len() < BLOCK_BYTES && self.held.len() < BLOCK_BYTES {
            self.held.extend(bytes);
            return Ok(());
        }
        self.flush()?;
        self.write_through(bytes)
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        let held = std::mem::take(&mut self.held);
        self.write_through(&held)?;
        if held.capacity() <= 2 * BLOCK_BYTES {
            self.held = held;
            self.held.clear();
        }
        Ok(())
    }

    fn write_through(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        let Some(temp) = &mut self.temp else { return Ok(()) };
        temp.write(bytes).at(&self.store.tmp())
    }

    /// Stores what was written without a reference: to be given one, or named as a [`Record::text_view`], at once.
    ///
    /// # Errors
    /// [`StoreError::Full`] when there is no room, [`StoreError::Io`].
    pub fn publish(mut self, now: SystemTime) -> Result<Published, StoreError> {
        if self.temp.is_some() {
            self.flush()?;
        }
        let sum = self.meter.finish();
        let mut body = self.temp.map_or(Body::Memory(&self.held), Body::File);
        self.store.publish_body(&sum, &mut body, now)
    }

    /// Gives back what was written instead of storing it.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn take(self) -> Result<Vec<u8>, StoreError> {
        let Some(temp) = &self.temp else { return Ok(self.held) };
        let mut bytes = vec![0; usize::try_from(temp.len()).unwrap_or(usize::MAX)];
        let mut done = 0;
        while done < bytes.len() {
            match temp.read_at(done as u64, &mut bytes[done..]).at(temp.path())? {
                0 => {
                    return Err(std::io::Error::from(std::io::ErrorKind::UnexpectedEof))
                        .at(temp.path());
                }
                n => done += n,
            }
        }
        bytes.extend_from_slice(&self.held);
        Ok(bytes)
    }
}

impl BlobStore {
    /// A writer for a blob that comes in pieces.
    pub fn writer(&self) -> BlobWriter {
        BlobWriter::new(self.clone())
    }

    /// Stores bytes without a reference: to be given one, or named as a [`Record::text_view`], at once. Bytes that
    /// are stored already are not written again.
    ///
    /// # Errors
    /// As [`BlobWriter::publish`].
    pub fn publish(&self, bytes: &[u8], now: SystemTime) -> Result<Published, StoreError> {
        self.publish_body(&self.measure(bytes)?, &mut Body::Memory(bytes), now)
    }

    /// Gives the session a reference to a blob that was published just now.
    ///
    /// # Errors
    /// [`StoreError::Contended`] when another has removed it since, which a sweep does not do within the
    /// grace time; [`StoreError::Missing`] when the text view of `record` is not stored (any more);
    /// [`StoreError::BadSession`], [`StoreError::Io`].
    pub fn refer(
        &self,
        session: &str,
        published: &Published,
        record: &Record,
        now: SystemTime,
    ) -> Result<Stored, StoreError> {
        let key = SessionKey::of(session)?;
        let Published { digest, totals, lines } = *published;
        let sum = Sum { digest, totals, lines, blocks: Vec::new() };
        if !self.touch_blob(&digest, now)? {
            return Err(StoreError::Contended { digest });
        }
        self.hold(&key, &sum, record, now)?.ok_or(StoreError::Contended { digest })
    }

    fn measure(&self, bytes: &[u8]) -> Result<Sum, StoreError> {
        self.check_fits(bytes.len() as u64)?;
        let mut meter = Meter::new();
        meter.update(bytes);
        Ok(meter.finish())
    }

    fn check_fits(&self, bytes: u64) -> Result<(), StoreError> {
        let needed_bytes = units(file_bytes(bytes)) * UNIT_BYTES;
        let cap_bytes = self.settings.max_bytes;
        if needed_bytes <= cap_bytes {
            Ok(())
        } else {
            Err(StoreError::Full { needed_bytes, cap_bytes })
        }
    }

    fn publish_body(
        &self,
        sum: &Sum,
        body: &mut Body<'_>,
        now: SystemTime,
    ) -> Result<Published, StoreError> {
        self.look_after(now);
        if self.place(sum, body, now)?
            && let Some(dir) = self.blob_path(&sum.digest).parent()
        {
            files::sync_dir(dir);
        }
        Ok(Published { digest: sum.digest, totals: sum.totals, lines: sum.lines })
    }

    /// Makes the reference to a blob that was touched just now, and checks that both
    /// stay; `None` when the blob went meanwhile.
    fn hold(
        &self,
        key: &SessionKey,
        sum: &Sum,
        record: &Record,
        now: SystemTime,
    ) -> Result<Option<Stored>, StoreError> {
        if let Some(view) = record.text_view
            && !self.touch_blob(&view, now)?
        {
            return Err(StoreError::Missing { digest: view });
        }
        let (id, wrote_ref) = self.attach(key, sum, record, now)?;
        if wrote_ref {
            files::sync_dir(&self.session_dir(key));
        }
        // Whoever was removing the blob or the reference meanwhile has not seen the touch, or will
        // undo it. Both there now means that both stay.
        let live = self.ref_path(key, RefName::Live(id));
        let blobs = || std::iter::once(sum.digest).chain(record.text_view);
        let dates = || -> Result<Option<(SystemTime, SystemTime)>, StoreError> {
            let mut used = SystemTime::UNIX_EPOCH;
            for digest in blobs() {
                let path = self.blob_path(&digest);
                let Some((time, _)) = files::stat(&path).at(&path)? else { return Ok(None) };
                used = used.max(time);
            }
            Ok(files::stat(&live).at(&live)?.map(|(held, _)| (used, held)))
        };
        let mut found = dates()?;
        if found.is_some_and(|(used, held)| used > held) {
            // Younger than its reference is what another uses, and the clock was set back between
            // the two: forgotten, it would stay. So once more, the reference last.
            for digest in blobs() {
                self.touch_blob(&digest, now)?;
            }
            files::touch(&live, now).at(&live)?;
            found = dates()?;
        }
        Ok(found.is_some().then_some(Stored {
            id,
            digest: sum.digest,
            totals: sum.totals,
            lines: sum.lines,
            is_repeat: !wrote_ref,
        }))
    }

    /// Marks a blob as used; whether it is there.
    fn touch_blob(&self, digest: &Digest, now: SystemTime) -> Result<bool, StoreError> {
        let path = self.blob_path(digest);
        files::touch(&path, now).at(&path)
    }

    /// Sees to it that the blob is in its place, with a fresh time; whether it had to be written.
    fn place(&self, sum: &Sum, body: &mut Body<'_>, now: SystemTime) -> Result<bool, StoreError> {
        // The touch first: from here on no sweep takes the blob that is then found whole.
        if self.touch_blob(&sum.digest, now)? && self.is_whole(sum)? {
            return Ok(false);
        }
        let mut in_memory;
        let temp: &mut Temp = match body {
            Body::Memory(bytes) => {
                let tmp = self.tmp();
                in_memory = Temp::create(&tmp).at(&tmp)?;
                in_memory.write(bytes).at(in_memory.path())?;
                &mut in_memory
            }
            Body::File(temp) => temp,
        };
        if temp.len() == sum.totals.bytes {
            temp.write(&blob::index_bytes(sum)).at(temp.path())?;
        }
        temp.stamp(now).at(temp.path())?;
        temp.sync().at(temp.path())?;
        let needed = units(temp.len());
        self.reserve(needed, temp.path(), now)?;
        if let Err(error) = self.publish_temp(temp, sum, needed, now) {
            // Should this fail too, a sweep finds the difference.
            let _ = self.count_removed(needed);
            return Err(error);
        }
        Ok(true)
    }

    /// Moves a written blob, for which room was reserved, to its place.
    fn publish_temp(
        &self,
        temp: &mut Temp,
        sum: &Sum,
        needed: u64,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let path = self.blob_path(&sum.digest);
        if temp.publish_new(&path).at(&path)? {
            return Ok(());
        }
        // Another put of the same bytes was faster, or what is there is damaged.
        if self.touch_blob(&sum.digest, now)? && self.is_whole(sum)? {
            return self.count_removed(needed);
        }
        let replaced = files::stat(&path).at(&path)?.map_or(0, |(_, len)| units(len));
        temp.publish(&path).at(&path)?;
        self.count_removed(replaced)
    }

    /// Whether the stored blob is what `sum` says, to the last byte. A damaged one is replaced by
    /// the put that finds it, or storing again would never heal it.
    fn is_whole(&self, sum: &Sum) -> Result<bool, StoreError> {
        use crate::source::ReadError;
        let path = self.blob_path(&sum.digest);
        let whole = blob::open(&path, &sum.digest).and_then(|blob| match blob {
            Some(blob) if blob.totals() == sum.totals => {
                blob.scan(0, u64::MAX, |_| ()).map(|_| true)
            }
            _ => Ok(false),
        });
        match whole {
            Ok(whole) => Ok(whole),
            Err(ReadError::Corrupt { .. }) => Ok(false),
            Err(ReadError::Io(source)) => Err(StoreError::Io { path, source }),
        }
    }

    /// Takes room for a blob before it is published, from others if need be. `own` is the file that
    /// it is written in.
    fn reserve(&self, needed: u64, own: &Path, now: SystemTime) -> Result<(), StoreError> {
        let cap = self.settings.max_bytes / UNIT_BYTES;
        let full = StoreError::Full {
            needed_bytes: needed * UNIT_BYTES,
            cap_bytes: self.settings.max_bytes,
        };
        if needed > cap {
            return Err(full);
        }
        self.count_added(needed)?;
        let has_room = |beside| Ok::<_, StoreError>(self.counters()?.used() + beside <= cap);
        let make_room = || {
            if has_room(self.leftover_units(Some(own), now)?)? {
                return Ok(());
            }
            self.remove_leftovers(STILL, now)?;
            let beside = self.leftover_units(Some(own), now)?;
            if !has_room(beside)? {
                self.make_room(needed, beside, now)?;
            }
            if has_room(beside)? { Ok(()) } else { Err(full) }
        };
        let outcome = make_room();
        if outcome.is_err() {
            // Should this fail too, a sweep finds the difference.
            let _ = self.count_removed(needed);
        }
        outcome
    }
}
