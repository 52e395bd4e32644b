//! Sweeping: what expired, what nobody holds, what a crash left, what must make room.
//!
//! A sweep is done in slices, of which each looks at a given number of files; in between, puts and
//! fetches go on. It reads directories and times, and opens no record and no blob. It is linear in
//! the number of files, and holds about 100 bytes for each blob.
//!
//! Two sweeps may run at once, in two processes: whatever one does, the other finds done.

use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, SystemTime};

use super::base::BlobStore;
use super::census::Census;
use super::clock::Clock;
use super::error::{At, StoreError};
use super::files::Look;
use super::leftovers::{LEFTOVER, is_leftover};
use super::record::{Reason, millis};
use super::refs::RefName;
use super::remove::UNREFERENCED;
use super::session::SessionKey;
use super::usage::{Counters, UNIT_BYTES, units};
use super::{blob, files};
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::sort::{sort, sort_by_key};

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

/// One hold of a session on a blob.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Hold {
    id: BlobId,
    /// When it was used last; 0 where that is unknown.
    last_use: u64,
    /// The time of its file.
    seen: u64,
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
    /// The name that was looked at last.
    last: Option<RefName>,
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
    scope: Scope,
}

/// What a sweep is for.
#[derive(Debug)]
enum Scope {
    /// All that there is to do.
    Whole,
    /// Room for a put that has reserved so many units, where so many are taken by other things than
    /// blobs.
    Room { reserved: u64, beside: u64 },
    /// Some of the references: after this session and the name in it.
    Part { session: String, after: Option<RefName> },
}

impl Scope {
    fn room(&self) -> Option<(u64, u64)> {
        match *self {
            Scope::Room { reserved, beside } => Some((reserved, beside)),
            _ => None,
        }
    }
}

impl BlobStore {
    /// A sweep of the whole store, to be driven by [`Sweeper::step`].
    pub fn sweeper(&self) -> Sweeper {
        Sweeper::new(self.clone(), Scope::Whole)
    }

    /// Evicts until the store is at nine tenths of its cap, as far as that can be.
    /// `beside` units of it are taken by other things than blobs.
    pub(super) fn make_room(
        &self,
        reserved: u64,
        beside: u64,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let mut sweeper = Sweeper::new(self.clone(), Scope::Room { reserved, beside });
        while !sweeper.step(u32::MAX, now)?.done {}
        self.has_evicted.fetch_or(sweeper.progress.evicted > 0, Ordering::Relaxed);
        Ok(())
    }
}

impl Sweeper {
    /// A sweep over references only, from a place that another one stopped at.
    pub(super) fn part(store: BlobStore, place: &str) -> Sweeper {
        let (session, after) = place.split_once('/').unwrap_or((place, ""));
        let scope = Scope::Part { session: session.to_owned(), after: RefName::parse(after) };
        Sweeper::new(store, scope)
    }

    /// Where a sweep over references stopped; `None` at the end.
    pub(super) fn place(&self) -> Option<String> {
        match (&self.session, self.sessions.last()) {
            (Some(session), _) => {
                let last = session.last.map_or_else(String::new, |name| name.to_string());
                Some(format!("{}/{last}", session.key.as_str()))
            }
            // After all names in it.
            (None, Some(key)) => Some(format!("{}0", key.as_str())),
            (None, None) => None,
        }
    }

    fn new(store: BlobStore, scope: Scope) -> Sweeper {
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
            scope,
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
                Some(name) => {
                    session.last = Some(name);
                    self.tolerate(|sweep| sweep.look_at_ref(name, clock, now));
                }
                None => self.close_session(),
            }
            return Ok(());
        }
        match &mut self.phase {
            Phase::Start if !matches!(self.scope, Scope::Whole) => self.start_sessions()?,
            Phase::Start => {
                let names = self.list("tmp")?;
                self.phase = Phase::Leftovers(names);
            }
            Phase::Leftovers(names) => match names.next() {
                Some(name) => self.tolerate(|sweep| sweep.look_at_leftover(&name, clock, now)),
                None => self.start_sessions()?,
            },
            Phase::Sessions(names) => match names.next() {
                Some(name) => self.open_session(&name)?,
                None if matches!(self.scope, Scope::Part { .. }) => self.phase = Phase::Done,
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
                    Some(blob) if self.used()? > target => {
                        self.tolerate(|sweep| sweep.evict(&blob, now));
                    }
                    _ => self.phase = Phase::Finish,
                }
            }
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

    /// Units in use, those beside the blobs included.
    fn used(&self) -> Result<u64, StoreError> {
        Ok(self.store.counters()?.used() + self.scope.room().map_or(0, |(_, beside)| beside))
    }

    /// What the time of a file says: its last use, or nothing when it is dated ahead. Then it is
    /// dated anew and ages from now on, unless room is made: there it goes first. The second value
    /// is the time that the file has.
    fn dated(
        &self,
        path: &Path,
        time: SystemTime,
        clock: &Clock,
        now: SystemTime,
    ) -> Result<(Option<SystemTime>, SystemTime), StoreError> {
        if !clock.is_ahead(time) {
            return Ok((Some(time), time));
        }
        if self.scope.room().is_none() && files::touch(path, now).at(path)? {
            return Ok((None, files::stat(path).at(path)?.map_or(time, |(time, _)| time)));
        }
        Ok((None, time))
    }

    /// The time and the length of a file; nothing where there is none, or something that is none of ours.
    fn file(&mut self, path: &Path) -> Result<Option<(SystemTime, u64)>, StoreError> {
        Ok(match files::look(path).at(path)? {
            Some(Look::File(time, len)) => Some((time, len)),
            Some(Look::Other) => {
                self.progress.foreign += 1;
                None
            }
            None => None,
        })
    }

    fn look_at_leftover(
        &mut self,
        name: &str,
        clock: &Clock,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let path = self.store.tmp().join(name);
        let Some((time, len)) = self.file(&path)? else { return Ok(()) };
        let away = name.split_once('.').and_then(|(digest, _)| Digest::parse(digest));
        match away {
            // A blob that was being removed. Whether it must go is looked at afresh.
            Some(digest) if len >= blob::MIN_FILE_BYTES => {
                self.store.restore(&digest, &path)?;
                self.progress.leftovers += 1;
            }
            None if !name.starts_with(files::TEMP) => self.progress.foreign += 1,
            _ => {
                if let (Some(time), _) = self.dated(&path, time, clock, now)?
                    && is_leftover(name, time, LEFTOVER, now)
                    && files::remove(&path).at(&path)?
                {
                    self.progress.leftovers += 1;
                }
            }
        }
        Ok(())
    }

    fn start_sessions(&mut self) -> Result<(), StoreError> {
        let mut names = self.list("refs")?;
        if let Scope::Part { session, .. } = &self.scope {
            let before = names.as_slice().partition_point(|name| name < session);
            names.by_ref().take(before).for_each(drop);
        }
        self.phase = Phase::Sessions(names);
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
        if let Scope::Part { session, after: Some(after) } = &self.scope
            && session == key.as_str()
        {
            names.retain(|name| name > after);
        }
        let names = names.into_iter();
        let (live, first_hold) = (Vec::new(), self.holds.len());
        let last = None;
        self.session = Some(Session { key, names, last, pins, hots, live, first_hold, is_kept });
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
        let Some(mut session) = self.session.take() else { return Ok(()) };
        let result = self.look_at_ref_of(&mut session, name, clock, now);
        self.session = Some(session);
        result
    }

    fn look_at_ref_of(
        &mut self,
        session: &mut Session,
        name: RefName,
        clock: &Clock,
        now: SystemTime,
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let path = store.ref_path(&session.key, name);
        let id = name.id();
        let is_live = |session: &Session| session.live.binary_search(&id).is_ok();
        let live_path = || store.ref_path(&session.key, RefName::Live(id));
        match name {
            RefName::Live(id) => self.look_at_live(session, id, &path, (clock, now))?,
            RefName::Gone(..) => {
                let Some((time, _)) = files::stat(&path).at(&path)? else { return Ok(()) };
                if is_live(session) {
                    files::remove(&path).at(&path)?;
                    return Ok(());
                }
                let (since, _) = self.dated(&path, time, clock, now)?;
                if since.is_some_and(|since| clock.age(since) > store.settings.tombstone_ttl) {
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
                self.look_at_view(session, name, &digest, &path, (clock, now))?;
            }
        }
        Ok(())
    }

    fn look_at_live(
        &mut self,
        session: &mut Session,
        id: BlobId,
        path: &Path,
        (clock, now): (&Clock, SystemTime),
    ) -> Result<(), StoreError> {
        let store = self.store.clone();
        let Some((time, _)) = files::stat(path).at(path)? else { return Ok(()) };
        let (last_use, seen) = self.dated(path, time, clock, now)?;
        let pinned = session.pins.binary_search(&id).is_ok();
        let hot = match last_use {
            Some(last_use) if session.hots.binary_search(&id).is_ok() => {
                store.heat_of(&session.key, id)?.is_some_and(|one| store.is_hot(one, last_use))
            }
            _ => false,
        };
        if !pinned
            && last_use.is_some_and(|last_use| clock.age(last_use) > store.lifetime(hot))
            && store.entomb(&session.key, &id, millis(seen), Reason::Expired, now)?
        {
            store.drop_markers(&session.key, &id)?;
            session.is_kept = true;
            self.progress.expired += 1;
            self.census.tombstones += 1;
            return Ok(());
        }
        session.is_kept = true;
        session.live.push(id);
        self.census.references += 1;
        let last_use = last_use.map(millis);
        self.census.oldest_use_ms = self.census.oldest_use_ms.into_iter().chain(last_use).min();
        self.holds.push(Hold {
            id,
            last_use: last_use.unwrap_or(0),
            seen: millis(seen),
            session: self.sessions.len() as u32,
            pinned,
            hot,
            is_view: false,
        });
        Ok(())
    }

    fn look_at_view(
        &mut self,
        session: &mut Session,
        name: RefName,
        digest: &Digest,
        path: &Path,
        (clock, now): (&Clock, SystemTime),
    ) -> Result<(), StoreError> {
        let live_path = self.store.ref_path(&session.key, RefName::Live(name.id()));
        let id = BlobId::of(digest, crate::limits::ID_MAX_HEX);
        let number = self.sessions.len() as u32;
        if let Ok(at) = session.live.binary_search(&name.id()) {
            let parent = self.holds[session.first_hold + at];
            self.holds.push(Hold { id, is_view: true, ..parent });
            return Ok(());
        }
        let Some((time, _)) = files::stat(path).at(path)? else { return Ok(()) };
        session.is_kept = true;
        let (since, seen) = self.dated(path, time, clock, now)?;
        let is_new = since.is_none_or(|since| clock.age(since) <= UNREFERENCED);
        if files::exists(&live_path) || is_new {
            // The put that wrote it is about to write the reference.
            self.holds.push(Hold {
                id,
                last_use: since.map_or(0, millis),
                seen: millis(seen),
                session: number,
                pinned: false,
                hot: false,
                is_view: true,
            });
        } else {
            files::remove(path).at(path)?;
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
        let Some((time, len)) = self.file(&path)? else { return Ok(()) };
        let (known, seen) = self.dated(&path, time, clock, now)?;
        let seen = millis(seen);
        let mut candidate = Candidate { hot: false, last_use: 0, is_view: true, digest, seen };
        let mut held = false;
        let mut pinned = false;
        for hold in self.holds_on(&digest) {
            held = true;
            pinned |= hold.pinned;
            candidate.hot |= hold.hot;
            candidate.last_use = candidate.last_use.max(hold.last_use);
            candidate.is_view &= hold.is_view;
        }
        let grace = self.store.settings.grace;
        // What nobody holds goes before what is held, where room is needed.
        let unheld_grace = match self.scope {
            Scope::Room { .. } => UNREFERENCED,
            _ => grace.max(UNREFERENCED),
        };
        // Of what is dated ahead nobody knows how old it is.
        let age = known.map_or(Duration::MAX, |time| clock.age(time));
        if !held
            && (known.is_some() || self.scope.room().is_some())
            && age > unheld_grace
            && self.store.remove_blob(&digest, seen, &[], Reason::Expired, now)?
        {
            self.own_removed_units += units(len);
            self.progress.removed_blobs += 1;
            return Ok(());
        }
        self.counted_units += units(len);
        self.census.blobs += 1;
        if candidate.last_use > 0 {
            // A put that has touched it may be about to write a reference of its own.
            candidate.last_use = candidate.last_use.max(known.map_or(0, millis));
        }
        if held && !pinned && clock.age_of(candidate.last_use) >= grace && age >= grace {
            self.candidates.push(candidate);
        }
        Ok(())
    }

    /// Corrects the usage counters by what was counted, and decides whether room must be made.
    fn settle(&mut self, now: SystemTime) -> Result<(), StoreError> {
        let after = self.store.counters()?;
        let reserved = self.scope.room().map_or(0, |(reserved, _)| reserved);
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
        if self.used()? <= cap {
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
            .map(|hold| (self.sessions[hold.session as usize].clone(), hold.id, hold.seen))
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

    fn finish(&mut self, now: SystemTime) -> Result<(), StoreError> {
        if self.scope.room().is_some() {
            return Ok(());
        }
        self.store.renew_counters()?;
        self.store.fold_stats(now)?;
        self.store.compact_idle(now)?;
        self.census.at_ms = millis(now);
        self.census.foreign = self.progress.foreign;
        let path = self.store.root.join("census");
        let bytes = serde_json::to_vec(&self.census).unwrap_or_default();
        files::replace_note(&self.store.tmp(), &path, &bytes).at(&path)
    }
}
