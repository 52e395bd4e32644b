//! References: which session holds which blob, under which id.
//!
//! All that a session has is in the names in its directory, so that a sweep need open nothing:
//!
//! ```text
//! <id>                 it holds this blob; the file is the record, its time the last use
//! <id>.pin             and keeps it
//! <id>.hot             and reads it: in this file is the time when the weight of all reads,
//!                      halved every day, will have come down to 1, and the last question with its answer
//! <id>.view-<digest>   and a derived blob with it
//! <id>.<reason>        it held this blob, which is gone: the record as it was
//! ```
//!
//! The file's name is the id that was shown, so that an id finds its record with one `open`. When
//! two blobs of a session share twelve digits, the second is given an id with more of them.

use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use super::base::BlobStore;
use super::clock::apart;
use super::error::{At, LookupError, StoreError, read_error};
use super::files;
use super::meter::Sum;
use super::record::{
    Entry, RECORD_MAX_BYTES, Reason, Record, RecordFile, Tombstone, millis, time_of,
};
use super::session::SessionKey;
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::limits::{ID_MAX_HEX, ID_MIN_HEX};
use crate::sort::sort;
use crate::source::Indexed;

/// A last use is written down no more often than this.
const TOUCH: Duration = Duration::from_secs(60);
/// Bytes of the last question and its answer that are kept.
const ASKED_BYTES: usize = 240;
/// A read counts half after this long.
const HALF_LIFE: Duration = Duration::from_secs(24 * 3_600);

/// What a name in a session's directory means.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum RefName {
    Live(BlobId),
    Gone(BlobId, Reason),
    Pin(BlobId),
    Hot(BlobId),
    View(BlobId, Digest),
}

impl RefName {
    pub(super) fn parse(name: &str) -> Option<RefName> {
        let Some((id, rest)) = name.split_once('.') else {
            return BlobId::parse(name).ok().map(RefName::Live);
        };
        let id = BlobId::parse(id).ok()?;
        match rest {
            "pin" => Some(RefName::Pin(id)),
            "hot" => Some(RefName::Hot(id)),
            _ => match rest.strip_prefix("view-") {
                Some(digest) => Some(RefName::View(id, Digest::parse(digest)?)),
                None => Some(RefName::Gone(id, Reason::parse(rest)?)),
            },
        }
    }

    pub(super) fn id(&self) -> BlobId {
        match self {
            RefName::Live(id)
            | RefName::Gone(id, _)
            | RefName::Pin(id)
            | RefName::Hot(id)
            | RefName::View(id, _) => *id,
        }
    }
}

impl std::fmt::Display for RefName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            RefName::Live(id) => write!(f, "{id}"),
            RefName::Gone(id, reason) => write!(f, "{id}.{reason}"),
            RefName::Pin(id) => write!(f, "{id}.pin"),
            RefName::Hot(id) => write!(f, "{id}.hot"),
            RefName::View(id, digest) => write!(f, "{id}.view-{digest}"),
        }
    }
}

/// The weight at `at` of reads whose weight will be (or was) 1 at `one`.
fn weight(one: SystemTime, at: SystemTime) -> f64 {
    let days = match one.duration_since(at) {
        Ok(ahead) => ahead.as_secs_f64(),
        Err(behind) => -behind.duration().as_secs_f64(),
    } / HALF_LIFE.as_secs_f64();
    // 64 halvings: a weight of 2^64 reads stands for any more, and none for any less.
    days.clamp(-64.0, 64.0).exp2()
}

/// When reads that weigh `weight` at `at` will weigh 1.
fn time_of_one(weight: f64, at: SystemTime) -> SystemTime {
    let seconds = HALF_LIFE.as_secs_f64() * weight.log2();
    if seconds < 0.0 {
        at.checked_sub(Duration::from_secs_f64(-seconds)).unwrap_or(at)
    } else {
        at.checked_add(Duration::from_secs_f64(seconds)).unwrap_or(at)
    }
}

impl BlobStore {
    pub(super) fn session_dir(&self, key: &SessionKey) -> PathBuf {
        self.root.join("refs").join(key.as_str())
    }

    pub(super) fn ref_path(&self, key: &SessionKey, name: RefName) -> PathBuf {
        self.session_dir(key).join(name.to_string())
    }

    /// Whether reads that leave this time on the `.hot` file made the blob hot at its last use.
    /// Rounded, so that three reads within an hour are three.
    pub(super) fn is_hot(&self, one: SystemTime, last_use: SystemTime) -> bool {
        weight(one, last_use) >= f64::from(self.settings.hot_fetches) - 0.5
    }

    /// Creates the session's reference to a blob, or renews the one it has. The id it has now, and
    /// whether anything was written.
    pub(super) fn attach(
        &self,
        key: &SessionKey,
        sum: &Sum,
        record: &Record,
        now: SystemTime,
    ) -> Result<(BlobId, bool), StoreError> {
        let dir = self.session_dir(key);
        let file = RecordFile::new(sum, record, now);
        for hex_len in ID_MIN_HEX..=ID_MAX_HEX {
            let id = BlobId::of(&sum.digest, hex_len);
            if let Some(view) = record.text_view {
                // Before the reference: a blob with a reference has its view.
                let path = self.ref_path(key, RefName::View(id, view));
                files::mark(&self.tmp(), &path, now).at(&path)?;
            }
            if let Some(wrote) = self.take_id(key, &id, &file, now)? {
                for reason in Reason::ALL {
                    let path = self.ref_path(key, RefName::Gone(id, reason));
                    if files::exists(&path) {
                        files::remove(&path).at(&path)?;
                    }
                }
                return Ok((id, wrote));
            }
            // The id is another blob's, which may have the same view: the marker stays.
        }
        // A whole digest can only be taken by something that is no file.
        Err(StoreError::CorruptFile { path: dir })
    }

    /// Makes `id` name this blob in the session; `None` when it names or named another one there,
    /// else whether anything was written.
    fn take_id(
        &self,
        key: &SessionKey,
        id: &BlobId,
        file: &RecordFile,
        now: SystemTime,
    ) -> Result<Option<bool>, StoreError> {
        for reason in Reason::ALL {
            let path = self.ref_path(key, RefName::Gone(*id, reason));
            if files::exists(&path) && !self.is_ours(&path, id, &file.digest)? {
                return Ok(None);
            }
        }
        let path = self.ref_path(key, RefName::Live(*id));
        let write = || -> io::Result<files::Temp> {
            let mut temp = files::Temp::create(&self.tmp())?;
            temp.write(&file.to_bytes())?;
            temp.stamp(now)?;
            Ok(temp)
        };
        if !files::exists(&path) {
            let mut temp = write().at(&path)?;
            if temp.publish_new(&path).at(&path)? {
                // Synced in its place, so that on most file systems the entries of this directory
                // and of the blob's go to disk with it. Nobody was told the id yet. Should this
                // fail, the reference stays: another put may have found it meanwhile.
                temp.sync().at(&path)?;
                return Ok(Some(true));
            }
        }
        if !self.is_ours(&path, id, &file.digest)? {
            return Ok(None);
        }
        let old = self.read_record(&path, id)?;
        if old.is_some_and(|old| old.says_the_same_as(file))
            && files::touch(&path, now).at(&path)?
        {
            return Ok(Some(false));
        }
        let mut temp = write().at(&path)?;
        temp.sync().at(&path)?;
        temp.publish(&path).at(&path)?;
        Ok(Some(true))
    }

    pub(super) fn read_record(
        &self,
        path: &Path,
        id: &BlobId,
    ) -> Result<Option<RecordFile>, StoreError> {
        let bytes = files::read_small(path, RECORD_MAX_BYTES).at(path)?;
        Ok(bytes.and_then(|bytes| RecordFile::parse(&bytes, id)))
    }

    /// Whether the record at `path`, under the name `id`, is about this blob. A record that cannot
    /// be read is, if no other blob has that id.
    fn is_ours(&self, path: &Path, id: &BlobId, digest: &Digest) -> Result<bool, StoreError> {
        match self.read_record(path, id)? {
            Some(file) => Ok(file.digest == *digest),
            None => Ok(id.hex_len() == ID_MAX_HEX
                || self.blobs_with(id)?.iter().all(|other| other == digest)),
        }
    }

    /// Every blob in the store that an id could name.
    pub(super) fn blobs_with(&self, id: &BlobId) -> Result<Vec<Digest>, StoreError> {
        let prefix = id.to_string();
        let dir = self.root.join("blobs").join(&prefix[..2]);
        let (names, _) = files::names(&dir).at(&dir)?;
        Ok(names
            .iter()
            .filter(|name| name.starts_with(&prefix))
            .filter_map(|name| Digest::parse(name))
            .collect())
    }

    /// What an id names.
    ///
    /// With a session, only what that session holds is found. Without one, any blob of any session
    /// is: the caller decides whether that is allowed. A longer id than was shown is taken too.
    ///
    /// # Errors
    /// A different [`LookupError`] for each thing to do next.
    pub fn resolve(
        &self,
        session: Option<&str>,
        id: &BlobId,
        now: SystemTime,
    ) -> Result<Entry, LookupError> {
        // A failed heartbeat is no reason to withhold what is there.
        let _ = self.beat(now);
        match session {
            Some(session) => {
                let key = SessionKey::of(session)?;
                let id = &self.begun(&key, id)?;
                if let Some(entry) = self.find_in(&key, id, now)? {
                    return Ok(entry);
                }
                if let Some(tombstone) = self.find_gone(&key, id)? {
                    return Err(LookupError::Gone(Box::new(tombstone)));
                }
                // Whether another session has it is none of this one's business: no look at it.
                Err(LookupError::Unknown)
            }
            None if id.hex_len() < ID_MIN_HEX => Err(LookupError::Unknown),
            None => self.find_anywhere(id, now),
        }
    }

    /// The one id that a session holds and that begins so, where only its first digits are given; of one that is gone if it
    /// holds none.
    fn begun(&self, key: &SessionKey, id: &BlobId) -> Result<BlobId, LookupError> {
        if id.hex_len() >= ID_MIN_HEX {
            return Ok(*id);
        }
        let dir = self.session_dir(key);
        let (names, _) = files::names(&dir).at(&dir)?;
        let of = |gone: bool| {
            let named = names.iter().filter_map(|name| match RefName::parse(name)? {
                RefName::Live(known) if !gone => Some(known),
                RefName::Gone(known, _) if gone => Some(known),
                _ => None,
            });
            let mut found: Vec<BlobId> = named.filter(|known| id.starts(known)).collect();
            sort(&mut found);
            found.dedup();
            found
        };
        let mut found = of(false);
        if found.is_empty() {
            found = of(true);
        }
        match found[..] {
            [] => Err(LookupError::Unknown),
            [one] => Ok(one),
            _ => Err(LookupError::Ambiguous(found)),
        }
    }

    /// What the session holds under that id, or a shorter one that it begins with.
    fn find_in(
        &self,
        key: &SessionKey,
        id: &BlobId,
        now: SystemTime,
    ) -> Result<Option<Entry>, LookupError> {
        for hex_len in ID_MIN_HEX..=id.hex_len() {
            let shown = id.cut(hex_len);
            let path = self.ref_path(key, RefName::Live(shown));
            let Some((last_use, _)) = files::stat(&path).at(&path)? else { continue };
            let file = self.read_record(&path, &shown)?;
            let digest = match &file {
                Some(file) if id.is_prefix_of(&file.digest) => file.digest,
                Some(_) => continue,
                // Which of several it was cannot be told, and all but one are others'.
                None => match self.blobs_with(id)?.as_slice() {
                    [] => continue,
                    [digest] => *digest,
                    _ => return Err(gone(shown, Reason::Corrupt, last_use, None)),
                },
            };
            if !self.has_blob(&digest)? {
                return Err(gone(shown, Reason::Corrupt, last_use, file.as_ref()));
            }
            if self.expire(key, &shown, last_use, now)? {
                return Err(gone(shown, Reason::Expired, now, file.as_ref()));
            }
            return Ok(Some(self.entry(key, shown, digest, last_use, file.as_ref())?));
        }
        Ok(None)
    }

    pub(super) fn entry(
        &self,
        key: &SessionKey,
        id: BlobId,
        digest: Digest,
        last_use: SystemTime,
        file: Option<&RecordFile>,
    ) -> Result<Entry, StoreError> {
        let hot = self.heat_of(key, id)?.is_some_and(|one| self.is_hot(one, last_use));
        let (bytes, chars, lines) = match file {
            Some(file) => (file.bytes, file.chars, file.lines),
            None => {
                let blob = self.open_blob(&digest)?;
                let totals = blob.totals();
                let lines = blob.lines().map_err(|error| read_error(error, &digest, &self.root))?;
                (totals.bytes, totals.chars, lines)
            }
        };
        let record = file.and_then(RecordFile::record);
        Ok(Entry {
            id,
            digest,
            bytes,
            chars,
            lines,
            created: file.map(|file| time_of(file.created_ms)),
            last_use,
            pinned: files::exists(&self.ref_path(key, RefName::Pin(id))),
            hot,
            damaged: record.is_none(),
            record: record.unwrap_or_default(),
            session: Some(key.clone()),
        })
    }

    fn find_gone(&self, key: &SessionKey, id: &BlobId) -> Result<Option<Tombstone>, StoreError> {
        for hex_len in ID_MIN_HEX..=id.hex_len() {
            let shown = id.cut(hex_len);
            for reason in Reason::ALL {
                let path = self.ref_path(key, RefName::Gone(shown, reason));
                let Some((since, _)) = files::stat(&path).at(&path)? else { continue };
                let file = self.read_record(&path, &shown)?;
                if file.as_ref().is_some_and(|file| !id.is_prefix_of(&file.digest)) {
                    continue;
                }
                let (bytes, mut record) = known(file.as_ref());
                if reason == Reason::Deleted {
                    // Earlier versions kept all of it.
                    record = record.forgotten();
                }
                return Ok(Some(Tombstone { id: shown, reason, since, bytes, record }));
            }
        }
        Ok(None)
    }

    fn find_anywhere(&self, id: &BlobId, now: SystemTime) -> Result<Entry, LookupError> {
        let mut found: Option<Entry> = None;
        let mut gone = None;
        for key in self.session_keys()? {
            match self.find_in(&key, id, now) {
                Ok(Some(entry)) => match &found {
                    Some(other) if other.digest != entry.digest => {
                        return Err(ambiguous(&[other.digest, entry.digest]));
                    }
                    Some(_) => {}
                    None => found = Some(entry),
                },
                Ok(None) => {}
                Err(LookupError::Gone(tombstone)) => gone = Some(tombstone),
                Err(error) => return Err(error),
            }
            if gone.is_none() {
                gone = self.find_gone(&key, id)?.map(Box::new);
            }
        }
        match (found, gone) {
            (Some(entry), _) => Ok(entry),
            (None, Some(tombstone)) => Err(LookupError::Gone(tombstone)),
            (None, None) => Err(LookupError::Unknown),
        }
    }

    pub(super) fn session_keys(&self) -> Result<Vec<SessionKey>, StoreError> {
        let dir = self.root.join("refs");
        let (names, _) = files::names(&dir).at(&dir)?;
        Ok(names.iter().filter_map(|name| SessionKey::parse(name)).collect())
    }

    /// Notes that the session used a blob, so that it lives on. Written at most once a minute.
    ///
    /// # Errors
    /// [`StoreError::Io`]. The blob can be read all the same.
    pub fn touch(&self, entry: &Entry, now: SystemTime) -> Result<(), StoreError> {
        let Some(key) = &entry.session else { return Ok(()) };
        let apart = apart(now, entry.last_use);
        if apart >= TOUCH {
            let path = self.ref_path(key, RefName::Live(entry.id));
            files::touch(&path, now).at(&path)?;
        }
        Ok(())
    }

    /// When the weight of a blob's reads will have come down to 1.
    pub(super) fn heat_of(
        &self,
        key: &SessionKey,
        id: BlobId,
    ) -> Result<Option<SystemTime>, StoreError> {
        let path = self.ref_path(key, RefName::Hot(id));
        let Some(bytes) = files::read_small(&path, 8).at(&path)? else { return Ok(None) };
        match <[u8; 8]>::try_from(bytes) {
            Ok(millis) => Ok(Some(time_of(u64::from_le_bytes(millis)))),
            // Earlier versions dated the file itself.
            Err(_) => Ok(files::stat(&path).at(&path)?.map(|(one, _)| one)),
        }
    }

    /// When the weight of a blob's reads will have come down to 1, and the last question put to it with its answer,
    /// in one line.
    ///
    /// # Errors
    /// [`StoreError::Io`].
    pub fn reads_of(
        &self,
        entry: &Entry,
    ) -> Result<(Option<SystemTime>, Option<String>), StoreError> {
        let Some(key) = &entry.session else { return Ok((None, None)) };
        let path = self.ref_path(key, RefName::Hot(entry.id));
        let bytes = files::read_small(&path, 8 + ASKED_BYTES as u64 + 1).at(&path)?;
        // Behind its end may be what is left of a longer one.
        let asked = bytes.as_deref().and_then(|bytes| {
            let asked = bytes.get(8..)?.split(|byte| *byte == b'\n').next()?;
            (!asked.is_empty()).then(|| String::from_utf8_lossy(asked).into_owned())
        });
        Ok((self.heat_of(key, entry.id)?, asked))
    }

    /// Adds a read at `now` to the weight of the blob's reads, which makes it hot, and keeps what was asked.
    pub(super) fn heat(
        &self,
        entry: &Entry,
        asked: Option<&str>,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let Some(key) = &entry.session else { return Ok(()) };
        let path = self.ref_path(key, RefName::Hot(entry.id));
        let before = self.heat_of(key, entry.id)?.map_or(0.0, |one| weight(one, now));
        let mut note = millis(time_of_one(before + 1.0, now)).to_le_bytes().to_vec();
        // Written over the old one in its place: a read that asks nothing leaves it.
        if let Some(asked) = asked {
            note.extend(&asked.as_bytes()[..asked.floor_char_boundary(ASKED_BYTES)]);
            note.push(b'\n');
        }
        files::note(&self.tmp(), &path, &note).at(&path)
    }

    /// How long a reference lives after its last use.
    pub(super) fn lifetime(&self, hot: bool) -> Duration {
        let settings = &self.settings;
        if hot { settings.hot_ttl.max(settings.ttl) } else { settings.ttl }
    }

    /// Turns a reference whose time is over into a tombstone, as a sweep would; whether it is over.
    fn expire(
        &self,
        key: &SessionKey,
        id: &BlobId,
        last_use: SystemTime,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        if !self.is_expired(key, id, last_use, now)? {
            return Ok(false);
        }
        match self.entomb(key, id, millis(last_use), Reason::Expired, now) {
            // It was used meanwhile.
            Ok(false) => return Ok(false),
            Ok(true) => self.drop_markers(key, id)?,
            // It is over where nothing can be written down as well.
            Err(_) => {}
        }
        Ok(true)
    }

    fn is_expired(
        &self,
        key: &SessionKey,
        id: &BlobId,
        last_use: SystemTime,
        now: SystemTime,
    ) -> Result<bool, StoreError> {
        // Most are not, whatever the pauses were: then no list of them is read.
        let is_over = |age: Duration, hot| age > self.lifetime(hot);
        if !is_over(now.duration_since(last_use).unwrap_or_default(), false) {
            return Ok(false);
        }
        let age = self.clock(now)?.age(last_use);
        if !is_over(age, false) || files::exists(&self.ref_path(key, RefName::Pin(*id))) {
            return Ok(false);
        }
        let hot = self.heat_of(key, *id)?.is_some_and(|one| self.is_hot(one, last_use));
        Ok(is_over(age, hot))
    }

    /// When a blob expires if the store is in use and nobody reads it; `None` while it is pinned.
    pub fn expires(&self, entry: &Entry, now: SystemTime) -> Option<SystemTime> {
        if entry.pinned {
            return None;
        }
        let age = match self.clock(now) {
            Ok(clock) => clock.age(entry.last_use),
            Err(_) => now.duration_since(entry.last_use).unwrap_or_default(),
        };
        now.checked_add(self.lifetime(entry.hot).saturating_sub(age))
    }

    /// Keeps a blob for this session until it is unpinned: it neither expires nor makes room.
    ///
    /// # Errors
    /// As [`BlobStore::resolve`].
    pub fn pin(&self, session: &str, id: &BlobId, now: SystemTime) -> Result<Entry, LookupError> {
        let entry = self.resolve(Some(session), id, now)?;
        let key = SessionKey::of(session)?;
        let pin = self.ref_path(&key, RefName::Pin(entry.id));
        files::mark(&self.tmp(), &pin, now).at(&pin)?;
        // A sweep that has chosen the blob already sees by the time of the reference that it is in
        // use. Had it taken the reference before that, then it is not there now.
        let live = self.ref_path(&key, RefName::Live(entry.id));
        if files::touch(&live, now).at(&live)? && files::exists(&live) {
            return Ok(Entry { pinned: true, last_use: now, ..entry });
        }
        files::remove(&pin).at(&pin)?;
        self.resolve(Some(session), id, now)?;
        Err(LookupError::Store(StoreError::Contended { digest: entry.digest }))
    }

    /// Lets a pinned blob expire and make room again.
    ///
    /// # Errors
    /// As [`BlobStore::resolve`].
    pub fn unpin(&self, session: &str, id: &BlobId, now: SystemTime) -> Result<Entry, LookupError> {
        let entry = self.resolve(Some(session), id, now)?;
        let path = self.ref_path(&SessionKey::of(session)?, RefName::Pin(entry.id));
        files::remove(&path).at(&path)?;
        Ok(Entry { pinned: false, ..entry })
    }

    /// The ids of what the session holds, expired ones that are not swept yet among them.
    ///
    /// # Errors
    /// [`StoreError::BadSession`], [`StoreError::Io`].
    pub fn ids(&self, session: &str) -> Result<Vec<BlobId>, StoreError> {
        let dir = self.session_dir(&SessionKey::of(session)?);
        let (names, _) = files::names(&dir).at(&dir)?;
        let live = |name: &String| match RefName::parse(name)? {
            RefName::Live(id) => Some(id),
            _ => None,
        };
        Ok(names.iter().filter_map(live).collect())
    }

    /// What the session holds, the last used first: at most `limit` entries, from `after` on, which
    /// is the `next` of the page before.
    ///
    /// # Errors
    /// [`StoreError::BadSession`], [`StoreError::Io`].
    pub fn list(
        &self,
        session: &str,
        after: Option<&str>,
        limit: usize,
        now: SystemTime,
    ) -> Result<Page, StoreError> {
        let key = SessionKey::of(session)?;
        let dir = self.session_dir(&key);
        let (names, _) = files::names(&dir).at(&dir)?;
        let mut held = Vec::new();
        for name in &names {
            let Some(RefName::Live(id)) = RefName::parse(name) else { continue };
            let path = dir.join(name);
            if let Some((last_use, _)) = files::stat(&path).at(&path)?
                && !self.is_expired(&key, &id, last_use, now)?
            {
                held.push((std::cmp::Reverse(millis(last_use)), id, last_use));
            }
        }
        sort(&mut held);
        let total = held.len();
        let from = match after.and_then(parse_cursor) {
            Some((time, id)) => {
                held.partition_point(|held| (held.0, held.1) <= (std::cmp::Reverse(time), id))
            }
            None => 0,
        };
        let mut entries = Vec::new();
        let mut next = None;
        let mut last = None;
        for (time, id, last_use) in held.drain(from..) {
            if entries.len() >= limit {
                next = last;
                break;
            }
            last = Some(format!("{}-{id}", time.0));
            let file = self.read_record(&self.ref_path(&key, RefName::Live(id)), &id)?;
            let digest = match &file {
                Some(file) => Some(file.digest),
                None => self.blobs_with(&id)?.first().copied(),
            };
            let Some(digest) = digest else { continue };
            match self.entry(&key, id, digest, last_use, file.as_ref()) {
                Ok(entry) => entries.push(entry),
                // One damaged blob does not hide the others.
                Err(StoreError::Corrupt { .. } | StoreError::Missing { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(Page { entries, total, next })
    }
}

/// A page of what a session holds.
#[derive(Debug, Clone)]
pub struct Page {
    /// The entries, the last used first.
    pub entries: Vec<Entry>,
    /// How many the session holds in all.
    pub total: usize,
    /// What to pass as `after` to go on; `None` at the end.
    pub next: Option<String>,
}

/// Whether a listing may have given this cursor.
pub fn is_cursor(cursor: &str) -> bool {
    parse_cursor(cursor).is_some()
}

fn parse_cursor(cursor: &str) -> Option<(u64, BlobId)> {
    let (time, id) = cursor.split_once('-')?;
    Some((time.parse().ok()?, BlobId::parse(id).ok()?))
}

fn gone(id: BlobId, reason: Reason, since: SystemTime, file: Option<&RecordFile>) -> LookupError {
    let (bytes, record) = known(file);
    LookupError::Gone(Box::new(Tombstone { id, reason, since, bytes, record }))
}

fn known(file: Option<&RecordFile>) -> (Option<u64>, Record) {
    let record = file.and_then(RecordFile::record).unwrap_or_default();
    (file.map(|file| file.bytes), record)
}

/// The shortest ids that tell these blobs apart.
fn ambiguous(digests: &[Digest]) -> LookupError {
    let apart = |len: usize| {
        let mut ids: Vec<_> = digests.iter().map(|digest| BlobId::of(digest, len)).collect();
        sort(&mut ids);
        ids.dedup();
        (ids.len() == digests.len()).then_some(ids)
    };
    LookupError::Ambiguous((ID_MIN_HEX..=ID_MAX_HEX).find_map(apart).unwrap_or_default())
}
