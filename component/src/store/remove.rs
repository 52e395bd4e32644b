//! Taking away: a blob with the references that hold it, and what one session wants forgotten.

use std::io;
use std::time::{Duration, SystemTime};

use super::base::BlobStore;
use super::clock::apart;
use super::error::{At, LookupError, StoreError};
use super::files;
use super::record::{Reason, RecordFile, millis};
use super::refs::RefName;
use super::session::SessionKey;
use super::usage::units;
use crate::digest::Digest;
use crate::handle::BlobId;

/// A blob that somebody else used this long ago may be about to get a reference.
pub(super) const UNREFERENCED: Duration = Duration::from_secs(60);

/// What became of the bytes of a result that a session wanted forgotten.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forgotten {
    /// Whether another session has stored the same bytes, and they stay for it. For the user to know,
    /// never for a model.
    pub held_elsewhere: bool,
    /// Bytes of files that are not on the disk any more.
    pub erased_bytes: u64,
}

impl BlobStore {
    /// Deletes a session's reference, pinned or not, and the bytes too if no other session holds
    /// them. A tombstone stays, with the tool's name and nothing of its arguments.
    ///
    /// # Errors
    /// As [`BlobStore::resolve`].
    pub fn forget(
        &self,
        session: &str,
        id: &BlobId,
        now: SystemTime,
    ) -> Result<Forgotten, LookupError> {
        let key = SessionKey::of(session)?;
        let entry = self.resolve(Some(session), id, now)?;
        let from = self.ref_path(&key, RefName::Live(entry.id));
        let to = self.ref_path(&key, RefName::Gone(entry.id, Reason::Deleted));
        let record = self.read_record(&from, &entry.id)?.map(RecordFile::forgotten);
        let written =
            record.map(|record| files::replace(&self.tmp(), &from, &record.to_bytes()).is_ok());
        match files::rename(&from, &to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            result => result.at(&from)?,
        }
        if written == Some(true) {
            files::touch(&to, now).at(&to)?;
        } else {
            // Where there is no room to write, nothing is left.
            files::remove(&to).at(&to)?;
        }
        self.drop_markers(&key, &entry.id)?;
        let mut digests = vec![entry.digest];
        let dir = self.session_dir(&key);
        for name in files::names(&dir).at(&dir)?.0 {
            if let Some(RefName::View(id, view)) = RefName::parse(&name)
                && id == entry.id
            {
                let path = dir.join(name);
                files::remove(&path).at(&path)?;
                digests.push(view);
            }
        }
        let mut outcome = Forgotten::default();
        for digest in &digests {
            match self.erase(digest, Some(entry.last_use), now)? {
                Some(bytes) => outcome.erased_bytes += bytes,
                None => outcome.held_elsewhere = true,
            }
        }
        Ok(outcome)
    }

    /// Removes a blob that a put has published and that is to have no reference after all.
    ///
    /// # Errors
    /// [`StoreError::Io`]. A sweep removes it then.
    pub fn discard(&self, digest: &Digest, now: SystemTime) -> Result<(), StoreError> {
        self.erase(digest, None, now).map(drop)
    }

    /// Removes a blob at once unless somebody holds it; the bytes of its file, or none when it stays.
    /// `mine` is when the caller used it last, where that tells it from others.
    fn erase(
        &self,
        digest: &Digest,
        mine: Option<SystemTime>,
        now: SystemTime,
    ) -> Result<Option<u64>, StoreError> {
        let path = self.blob_path(digest);
        let Some((used, bytes)) = files::stat(&path).at(&path)? else { return Ok(Some(0)) };
        // Used by another since, and just now: a put of the same bytes, which has no reference yet.
        let apart = apart(now, used);
        let by_another = mine.is_some_and(|mine| used > mine) && apart <= UNREFERENCED;
        if by_another || self.is_held(digest)? {
            return Ok(None);
        }
        if !self.remove_blob(digest, millis(used), &[], Reason::Deleted, now)? {
            return Ok((!files::exists(&path)).then_some(0));
        }
        Ok(Some(bytes))
    }

    /// Whether any session refers to a blob.
    fn is_held(&self, digest: &Digest) -> Result<bool, StoreError> {
        for key in self.session_keys()? {
            let dir = self.session_dir(&key);
            let names = files::names(&dir).at(&dir)?.0;
            let holds = |name: &String| match RefName::parse(name) {
                Some(RefName::Live(id)) => id.is_prefix_of(digest),
                Some(RefName::View(_, view)) => view == *digest,
                _ => false,
            };
            if names.iter().any(holds) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Takes a blob away for good, with the references that hold it, unless someone used it since
    /// `seen_ms`; whether it did.
    ///
    /// First it is renamed, so that a put which has not touched it by then finds nothing and
    /// publishes it anew; then its time tells of a put that has; then the references are turned
    /// into tombstones one by one, and their times tell of readers.
    pub(super) fn remove_blob(
        &self,
        digest: &Digest,
        seen_ms: u64,
        refs: &[(SessionKey, BlobId, u64)],
        reason: Reason,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        let path = self.blob_path(digest);
        let tmp = self.tmp();
        let stem = format!("{digest}.");
        let away = files::reserve_name(&tmp, &stem).at(&tmp)?;
        if let Err(error) = files::rename(&path, &away) {
            files::remove(&away).at(&away)?;
            return match error.kind() {
                std::io::ErrorKind::NotFound => Ok(false),
                _ => Err(StoreError::Io { path, source: error }),
            };
        }
        let Some((time, len)) = files::stat(&away).at(&away)? else {
            // Another sweep took it for a leftover and put it back.
            return Ok(false);
        };
        let mut used = millis(time) != seen_ms;
        let mut entombed = 0;
        while !used && let Some((key, id, seen_ms)) = refs.get(entombed) {
            used = !self.entomb(key, id, *seen_ms, reason, now)?;
            entombed += usize::from(!used);
        }
        if used {
            self.restore(digest, &away)?;
            for (key, id, _) in &refs[..entombed] {
                self.revive(key, id, reason)?;
            }
            return Ok(false);
        }
        if !files::remove(&away).at(&away)? {
            return Ok(false);
        }
        self.count_removed(units(len))?;
        for (key, id, _) in refs {
            self.drop_markers(key, id)?;
        }
        Ok(true)
    }

    /// Puts back a blob that was renamed away.
    pub(super) fn restore(
        &self,
        digest: &Digest,
        away: &std::path::Path,
    ) -> Result<(), StoreError> {
        let path = self.blob_path(digest);
        if let Some((_, len)) = files::stat(&path).at(&path)? {
            // It was published again meanwhile, with room of its own.
            if files::remove(away).at(away)? {
                self.count_removed(units(len))?;
            }
            return Ok(());
        }
        match files::rename(away, &path) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
            result => result.at(&path),
        }
    }

    /// Turns a reference into a tombstone, unless it was used since `seen`; whether it did.
    ///
    /// One rename does it, so that the session holds the blob or remembers it, at every moment;
    /// that needs no room, on a disk that may be full.
    pub(super) fn entomb(
        &self,
        key: &SessionKey,
        id: &BlobId,
        seen_ms: u64,
        reason: Reason,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        let from = self.ref_path(key, RefName::Live(*id));
        let to = self.ref_path(key, RefName::Gone(*id, reason));
        match files::rename(&from, &to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(true),
            result => result.at(&from)?,
        }
        // What was read, stored again or pinned since has another time, and a pin its marker too: an
        // earlier version of the store set only that.
        let last_use = files::stat(&to).at(&to)?.map(|(time, _)| millis(time));
        let is_used = last_use.is_some_and(|last_use| last_use != seen_ms);
        let yields_to_pin = matches!(reason, Reason::Expired | Reason::Evicted);
        if is_used || (yields_to_pin && files::exists(&self.ref_path(key, RefName::Pin(*id)))) {
            self.revive(key, id, reason)?;
            return Ok(false);
        }
        files::touch(&to, now).at(&to)?;
        Ok(true)
    }

    /// Turns a tombstone back into the reference that it was.
    pub(super) fn revive(
        &self,
        key: &SessionKey,
        id: &BlobId,
        reason: Reason,
    ) -> Result<(), StoreError> {
        let from = self.ref_path(key, RefName::Gone(*id, reason));
        let to = self.ref_path(key, RefName::Live(*id));
        match files::rename(&from, &to) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            result => result.at(&to),
        }
    }

    /// Removes what only a live reference has beside it.
    pub(super) fn drop_markers(&self, key: &SessionKey, id: &BlobId) -> Result<(), StoreError> {
        for name in [RefName::Pin(*id), RefName::Hot(*id)] {
            let path = self.ref_path(key, name);
            if files::exists(&path) {
                files::remove(&path).at(&path)?;
            }
        }
        Ok(())
    }
}
