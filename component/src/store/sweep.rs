//! Sweeping: what expired, what nobody holds, what a crash left, what must make room.
//!
//! A sweep is done in slices, of which each looks at a given number of files; in between, puts and
//! fetches go on. It reads directories and times, and opens no record and no blob. It is linear in
//! the number of files, and holds about 100 bytes for each blob.
//!
//! Two sweeps may run at once, in two processes: whatever one does, the other finds done.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};

use super::clock::Clock;
use super::error::At;
use super::record::millis;
use super::refs::RefName;
use super::session::SessionKey;
use super::usage::{Counters, UNIT_BYTES, units};
use super::{BlobStore, Digest, Reason, StoreError, blob, files, named};
use crate::handle::BlobId;
use crate::sort::{sort, sort_by_key};

/// A temporary file that nobody wrote to for this long was left by a crash.
const LEFTOVER: Duration = Duration::from_secs(3_600);
/// A blob is not taken for unreferenced before this, whatever the grace time: its put may be about
/// to write the reference.
const UNREFERENCED: Duration = Duration::from_secs(60);
/// Room that is reserved for this long without a blob to show for it was reserved by a crash.
const STALE_RESERVATION: Duration = Duration::from_secs(60);

/// What a sweep did so far.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Progress {
    /// Whether it is through.
    pub done: bool,
    /// Files and directories looked at.
    pub entries: u64,
    /// References that expired.
    pub expired: u64,
    /// Blobs that were evicted to make room.
    pub evicted: u64,
    /// Blobs removed, the evicted ones included.
    pub removed_blobs: u64,
    /// Leftovers of crashes that were removed or put back.
    pub leftovers: u64,
    /// Tombstones whose time was over.
    pub dropped_tombstones: u64,
    /// Sessions that held and remembered nothing any more.
    pub dropped_sessions: u64,
    /// Files that are none of the store's. They are left alone.
    pub foreign: u64,
    /// Files that could not be dealt with. They wait for the next sweep.
    pub failed: u64,
}

/// What the last whole sweep counted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Census {
    /// When, in milliseconds since 1970.
    pub at_ms: u64,
    /// Blobs.
    pub blobs: u64,
    /// Sessions that hold or remember something.
    pub sessions: u64,
    /// References of sessions to blobs.
    pub references: u64,
    /// Blobs that are remembered only.
    pub tombstones: u64,
    /// When the longest unused reference was last used, in milliseconds since 1970.
    pub oldest_use_ms: Option<u64>,
    /// Files that are none of the store's.
    pub foreign: u64,
    /// Room that was reserved without a blob to show for it, in units of 4 KiB.
    pub excess_units: u64,
}

/// One hold of a session on a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hold {
    id: BlobId,
    last_use: u64,
    session: u32,
    pinned: bool,
    hot: bool,
    /// It holds the blob as the view of another.
    is_view: bool,
}

/// A blob that may make room, the least worth keeping first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    hot: bool,
    last_use: u64,
    /// A view goes after what it is the view of.
    is_view: bool,
    digest: Digest,
    /// The blob file's own time.
    seen: u64,
}

/// A session while it is looked at.
#[derive(Debug)]
struct Session {
    key: SessionKey,
    names: std::vec::IntoIter<RefName>,
    pins: Vec<BlobId>,
    hots: Vec<BlobId>,
    /// The live references so far, ascending; their holds follow each other from `first_hold` on.
    live: Vec<BlobId>,
    first_hold: usize,
    is_kept: bool,
}

#[derive(Debug)]
enum Phase {
    Start,
    Leftovers(std::vec::IntoIter<String>),
    Sessions(std::vec::IntoIter<String>),
    Blobs { shard: u16, names: std::vec::IntoIter<String> },
    Settle,
    Evict { queue: std::vec::IntoIter<Candidate>, target: u64 },
    Named(std::vec::IntoIter<(String, String)>),
    Finish,
    Done,
}

/// A sweep under way.
#[derive(Debug)]
pub struct Sweeper {
    store: BlobStore,
    phase: Phase,
    session: Option<Session>,
    sessions: Vec<SessionKey>,
    /// Sorted by id once all sessions were seen.
    holds: Vec<Hold>,
    candidates: Vec<Candidate>,
    before: Counters,
    counted_units: u64,
    own_removed_units: u64,
    census: Census,
    progress: Progress,
    /// Only makes room, for a put that has reserved so many units.
    reserved: Option<u64>,
}

impl BlobStore {
    /// A sweep of the whole store, to be driven by [`Sweeper::step`].
    pub fn sweeper(&self) -> Sweeper {
        Sweeper::new(self.clone(), None)
    }

    /// Evicts until the store is at nine tenths of its cap, as far as that can be.
    pub(super) fn make_room(&self, reserved: u64, now: SystemTime) -> Result<(), StoreError> {
        let mut sweeper = Sweeper::new(self.clone(), Some(reserved));
        while !sweeper.step(u32::MAX, now)?.done {}
        Ok(())
    }

    /// What the last whole sweep counted; nothing before the first.
    pub(super) fn census(&self) -> Result<Census, StoreError> {
        let path = self.root.join("census");
        let bytes = files::read_small(&path, 64 * 1024).at(&path)?.unwrap_or_default();
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }
}

impl Sweeper {
    fn new(store: BlobStore, reserved: Option<u64>) -> Sweeper {
        Sweeper {
            store,
            phase: Phase::Start,
            session: None,
            sessions: Vec::new(),
            holds: Vec::new(),
            candidates: Vec::new(),
            before: Counters { added: 0, removed: 0 },
            counted_units: 0,
            own_removed_units: 0,
            census: Census::default(),
            progress: Progress::default(),
            reserved,
        }
    }

    /// Goes on for at most `max_entries` files (at least one), and says what was done in all.
    ///
    /// # Errors
    /// [`StoreError::Io`] when a directory cannot be read, or the time not be noted. What was done
    /// stays done; a new sweep starts over.
    pub fn step(&mut self, max_entries: u32, now: SystemTime) -> Result<Progress, StoreError> {
        // Before any age is looked at: a pause that is not written down would expire everything.
        self.store.beat(now)?;
        let clock = self.store.clock(now)?;
        let stop = self.progress.entries.saturating_add(u64::from(max_entries.max(1)));
        while !self.progress.done && self.progress.entries < stop {
            self.advance(&clock, now)?;
        }
        Ok(self.progress)
    }

    /// Deals with one file, or goes on to the next phase.
    fn advance(&mut self, clock: &Clock, now: SystemTime) -> Result<(), StoreError> {
        if let Some(session) = &mut self.session {
            match session.names.next() {
                Some(name) => self.tolerate(|sweep| sweep.look_at_ref(name, clock, now)),
                None => self.close_session(),
            }
            return Ok(());
        }
        match &mut self.phase {
            Phase::Start if self.reserved.is_some() => self.start_sessions()?,
            Phase::Start => {
                let names = self.list("tmp")?;
                self.phase = Phase::Leftovers(names);
            }
            Phase::Leftovers(names) => match names.next() {
                Some(name) => self.tolerate(|sweep| sweep.look_at_leftover(&name, clock)),
                None => self.start_sessions()?,
            },
            Phase::Sessions(names) => match names.next() {
                Some(name) => self.open_session(&name)?,
                None => {
                    sort_by_key(&mut self.holds, |hold| (hold.id.stem(), hold.id));
                    self.before = self.store.counters()?;
                    self.phase = Phase::Blobs { shard: 0, names: self.list("blobs/00")? };
                }
            },
            Phase::Blobs { shard, names } => match (names.next(), *shard) {
                (Some(name), _) => self.tolerate(|sweep| sweep.look_at_blob(&name, clock, now)),
                (None, 255) => self.phase = Phase::Settle,
                (None, shard) => {
                    let names = self.list(&format!("blobs/{:02x}", shard + 1))?;
                    self.phase = Phase::Blobs { shard: shard + 1, names };
                }
            },
            Phase::Settle => self.settle(now)?,
            Phase::Evict { queue, target } => {
                let target = *target;
                match queue.next() {
                    Some(blob) if self.store.counters()?.used() > target => {
                        self.tolerate(|sweep| sweep.evict(&blob, now));
                    }
                    _ => self.start_named()?,
                }
            }
            Phase::Named(names) => match names.next() {
                Some((kind, name)) => {
                    self.tolerate(|sweep| sweep.look_at_named(&kind, &name, clock));
                }
                None => self.phase = Phase::Finish,
            },
            Phase::Finish => {
                self.tolerate(|sweep| sweep.finish(now));
                self.phase = Phase::Done;
            }
            Phase::Done => self.progress.done = true,
        }
        Ok(())
    }

    /// One file's failure is counted, and the sweep goes on.
    fn tolerate(&mut self, look: impl FnOnce(&mut Self) -> Result<(), StoreError>) {
        self.progress.entries += 1;
        if look(self).is_err() {
            self.progress.failed += 1;
        }
    }

    fn list(&mut self, dir: &str) -> Result<std::vec::IntoIter<String>, StoreError> {
        let path = self.store.root.join(dir);
        let (names, foreign) = files::names(&path).at(&path)?;
        self.progress.entries += 1;
        self.progress.foreign += foreign;
        Ok(names.into_iter())
    }

    fn look_at_leftover(&mut self, name: &str, clock: &Clock) -> Result<(), StoreError> {
        let path = self.store.tmp().join(name);
        let Some((time, len)) = files::stat(&path).at(&path)? else {
            self.progress.foreign += u64::from(files::exists(&path));
            return Ok(());
        };
        let away = name.split_once('.').and_then(|(digest, _)| Digest::parse(digest));
        match away {
            // A blob that was being removed. Whether it must go is looked at afresh.
            Some(digest) if len >= blob::MIN_FILE_BYTES => {
                self.store.restore(&digest, &path)?;
                self.progress.leftovers += 1;
            }
            None if !name.starts_with('w') => self.progress.foreign += 1,
            _ if clock.age(time) > LEFTOVER => {
                files::remove(&path).at(&path)?;
                self.progress.leftovers += 1;
            }
            _ => {}
        }
        Ok(())
    }

    fn start_sessions(&mut self) -> Result<(), StoreError> {
        self.phase = Phase::Sessions(self.list("refs")?);
        Ok(())
    }

    fn open_session(&mut self, name: &str) -> Result<(), StoreError> {
        let Some(key) = SessionKey::parse(name) else {
            self.progress.foreign += 1;
            return Ok(());
        };
        let (mut names, mut pins, mut hots) = (Vec::new(), Vec::new(), Vec::new());
        let mut is_kept = false;
        for name in self.list(&format!("refs/{name}"))? {
            match RefName::parse(&name) {
                Some(name) => {
                    match name {
                        RefName::Pin(id) => pins.push(id),
                        RefName::Hot(id) => hots.push(id),
                        _ => {}
                    }
                    names.push(name);
                }
                None => {
                    self.progress.foreign += 1;
                    is_kept = true;
                }
            }
        }
        // References come first then, so that what lies beside them finds them known.
        sort(&mut names);
        sort(&mut pins);
        sort(&mut hots);
        let names = names.into_iter();
        let (live, first_hold) = (Vec::new(), self.holds.len());
        self.session = Some(Session { key, names, pins, hots, live, first_hold, is_kept });
        Ok(())
    }

    fn close_session(&mut self) {
        let Some(session) = self.session.take() else { return };
        let dir = self.store.session_dir(&session.key);
        if !session.is_kept && files::remove_empty_dir(&dir) {
            self.progress.dropped_sessions += 1;
        } else {
            self.census.sessions += 1;
        }
        self.sessions.push(session.key);
    }

    fn look_at_ref(
        &mut self,
        name: RefName,
        clock: &Clock,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let Some(session) = &mut self.session else { return Ok(()) };
        let store = &self.store;
        let settings = store.settings;
        let path = store.ref_path(&session.key, name);
        let id = name.id();
        let is_live = |session: &Session| session.live.binary_search(&id).is_ok();
        let live_path = || store.ref_path(&session.key, RefName::Live(id));
        match name {
            RefName::Live(_) => {
                let Some((mut last_use, _)) = files::stat(&path).at(&path)? else { return Ok(()) };
                let pinned = session.pins.binary_search(&id).is_ok();
                let mut hot = false;
                if session.hots.binary_search(&id).is_ok() {
                    let path = store.ref_path(&session.key, RefName::Hot(id));
                    hot = files::stat(&path)
                        .at(&path)?
                        .is_some_and(|(one, _)| store.is_hot(one, last_use));
                }
                if clock.is_ahead(last_use) {
                    // The clock was set back. From now on it ages.
                    files::touch(&path, now).at(&path)?;
                    last_use = now;
                }
                let ttl = if hot { settings.hot_ttl.max(settings.ttl) } else { settings.ttl };
                if !pinned
                    && clock.age(last_use) > ttl
                    && store.entomb(&session.key, &id, millis(last_use), Reason::Expired, now)?
                {
                    store.drop_markers(&session.key, &id)?;
                    session.is_kept = true;
                    self.progress.expired += 1;
                    self.census.tombstones += 1;
                    return Ok(());
                }
                session.is_kept = true;
                session.live.push(id);
                let last_use = millis(last_use);
                self.census.references += 1;
                let oldest = self.census.oldest_use_ms.unwrap_or(last_use);
                self.census.oldest_use_ms = Some(oldest.min(last_use));
                let session = self.sessions.len() as u32;
                self.holds.push(Hold { id, last_use, session, pinned, hot, is_view: false });
            }
            RefName::Gone(..) => {
                let Some((since, _)) = files::stat(&path).at(&path)? else { return Ok(()) };
                if is_live(session) {
                    files::remove(&path).at(&path)?;
                } else if clock.age(since) > settings.tombstone_ttl {
                    files::remove(&path).at(&path)?;
                    self.progress.dropped_tombstones += 1;
                } else {
                    session.is_kept = true;
                    self.census.tombstones += 1;
                }
            }
            RefName::Pin(_) | RefName::Hot(_) => {
                if !is_live(session) && !files::exists(&live_path()) {
                    files::remove(&path).at(&path)?;
                }
            }
            RefName::View(_, digest) => {
                let id = BlobId::of(&digest, crate::limits::ID_MAX_HEX);
                let number = self.sessions.len() as u32;
                if let Ok(at) = session.live.binary_search(&name.id()) {
                    let parent = self.holds[session.first_hold + at];
                    self.holds.push(Hold { id, is_view: true, ..parent });
                    return Ok(());
                }
                let Some((time, _)) = files::stat(&path).at(&path)? else { return Ok(()) };
                session.is_kept = true;
                if files::exists(&live_path()) || clock.age(time) <= UNREFERENCED {
                    // The put that wrote it is about to write the reference.
                    let last_use = millis(time);
                    let (pinned, hot, session) = (false, false, number);
                    self.holds.push(Hold { id, last_use, session, pinned, hot, is_view: true });
                } else {
                    files::remove(&path).at(&path)?;
                }
            }
        }
        Ok(())
    }

    /// The holds on a blob.
    fn holds_on(&self, digest: &Digest) -> impl Iterator<Item = &Hold> {
        let stem = BlobId::of(digest, 0).stem();
        let from = self.holds.partition_point(|hold| hold.id.stem() < stem);
        let same = self.holds[from..].iter().take_while(move |hold| hold.id.stem() == stem);
        let digest = *digest;
        same.filter(move |hold| hold.id.is_prefix_of(&digest))
    }

    fn look_at_blob(
        &mut self,
        name: &str,
        clock: &Clock,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let Phase::Blobs { shard, .. } = self.phase else { return Ok(()) };
        let digest = Digest::parse(name).filter(|digest| u16::from(digest.as_bytes()[0]) == shard);
        let Some(digest) = digest else {
            self.progress.foreign += 1;
            return Ok(());
        };
        let path = self.store.blob_path(&digest);
        let Some((time, len)) = files::stat(&path).at(&path)? else {
            self.progress.foreign += u64::from(files::exists(&path));
            return Ok(());
        };
        if clock.is_ahead(time) {
            files::touch(&path, now).at(&path)?;
        }
        let seen = millis(time);
        let mut candidate = Candidate { hot: false, last_use: seen, is_view: true, digest, seen };
        let mut held = false;
        let mut pinned = false;
        for hold in self.holds_on(&digest) {
            held = true;
            pinned |= hold.pinned;
            candidate.hot |= hold.hot;
            candidate.last_use = candidate.last_use.max(hold.last_use);
            candidate.is_view &= hold.is_view;
        }
        let grace = self.store.settings.grace.max(UNREFERENCED);
        if !held
            && clock.age(time) > grace
            && self.store.remove_blob(&digest, seen, &[], Reason::Expired, now)?
        {
            self.own_removed_units += units(len);
            self.progress.removed_blobs += 1;
            return Ok(());
        }
        self.counted_units += units(len);
        self.census.blobs += 1;
        if held && !pinned && clock.age_of(candidate.last_use) >= self.store.settings.grace {
            self.candidates.push(candidate);
        }
        Ok(())
    }

    /// Corrects the usage counters by what was counted, and decides whether room must be made.
    fn settle(&mut self, now: SystemTime) -> Result<(), StoreError> {
        let after = self.store.counters()?;
        let reserved = self.reserved.unwrap_or(0);
        let used = after.used().saturating_sub(reserved);
        // What others put or removed during the count may have been counted or not.
        let removed = after.removed.saturating_sub(self.before.removed);
        let low = self.counted_units.saturating_sub(removed.saturating_sub(self.own_removed_units));
        let high = self.counted_units + after.added.saturating_sub(self.before.added);
        if used < low {
            self.progress.failed += u64::from(self.store.count_added(low - used).is_err());
        }
        // Room may be reserved for a blob that is not in its place yet. Only what was there twice,
        // some time apart, was left by a crash.
        let before = self.store.census()?;
        let stale = millis(now).abs_diff(before.at_ms) >= STALE_RESERVATION.as_millis() as u64;
        let mut excess = used.saturating_sub(high);
        if stale && excess > 0 && before.excess_units > 0 {
            let correction = excess.min(before.excess_units);
            match self.store.count_removed(correction) {
                Ok(()) => excess -= correction,
                Err(_) => self.progress.failed += 1,
            }
        }
        self.census.excess_units = excess;

        let cap = self.store.settings.max_bytes / UNIT_BYTES;
        let mut queue = std::mem::take(&mut self.candidates);
        if self.store.counters()?.used() <= cap {
            queue.clear();
        }
        sort(&mut queue);
        let target = (cap / 10 * 9).max(reserved);
        self.phase = Phase::Evict { queue: queue.into_iter(), target };
        Ok(())
    }

    fn evict(&mut self, blob: &Candidate, now: SystemTime) -> Result<(), StoreError> {
        let refs: Vec<_> = self
            .holds_on(&blob.digest)
            .filter(|hold| !hold.is_view)
            .map(|hold| (self.sessions[hold.session as usize].clone(), hold.id, hold.last_use))
            .collect();
        if self.store.remove_blob(&blob.digest, blob.seen, &refs, Reason::Evicted, now)? {
            self.progress.evicted += 1;
            self.progress.removed_blobs += 1;
            self.census.blobs = self.census.blobs.saturating_sub(1);
            let refs = refs.len() as u64;
            self.census.references = self.census.references.saturating_sub(refs);
            self.census.tombstones += refs;
        }
        Ok(())
    }

    fn start_named(&mut self) -> Result<(), StoreError> {
        let mut all = Vec::new();
        if self.reserved.is_none() {
            for kind in self.list("named")? {
                if named::is_name(&kind) {
                    let names = self.list(&format!("named/{kind}"))?;
                    all.extend(names.map(|name| (kind.clone(), name)));
                } else {
                    self.progress.foreign += 1;
                }
            }
        }
        self.phase = Phase::Named(all.into_iter());
        Ok(())
    }

    fn look_at_named(&mut self, kind: &str, name: &str, clock: &Clock) -> Result<(), StoreError> {
        let path = self.store.root.join("named").join(kind).join(name);
        if let Some((time, _)) = files::stat(&path).at(&path)?
            && clock.age(time) > self.store.settings.hot_ttl
        {
            files::remove(&path).at(&path)?;
        }
        Ok(())
    }

    fn finish(&mut self, now: SystemTime) -> Result<(), StoreError> {
        if self.reserved.is_some() {
            return Ok(());
        }
        self.store.renew_counters()?;
        self.store.fold_stats(now)?;
        self.store.compact_idle(now)?;
        self.census.at_ms = millis(now);
        self.census.foreign = self.progress.foreign;
        let path = self.store.root.join("census");
        let bytes = serde_json::to_vec(&self.census).unwrap_or_default();
        files::replace(&self.store.tmp(), &path, &bytes).at(&path)
    }
}
