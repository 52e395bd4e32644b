//! Puts, fetches, grants and what is forgotten, between a directory and the place whose cache it is.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;
use weir_base::Mutex;

use crate::bucket::Bucket;
use crate::directory::Directory;
use crate::error::{TierError, blocking};
use crate::local::{self, Local, Reference, session_key, short};
use crate::objects::{Found, Objects};
use crate::settings::{Durability, Settings};

#[cfg(test)]
mod tests;

impl Settings {
    /// The place that they name. Nothing is asked there.
    ///
    /// # Errors
    /// When there can be none.
    pub fn open(&self) -> Result<Arc<dyn Objects>, TierError> {
        let path = PathBuf::from(self.url.strip_prefix("file://").unwrap_or(&self.url));
        match path.is_absolute() {
            true => Ok(Arc::new(Directory::new(&path))),
            false => Ok(Arc::new(Bucket::open(self)?)),
        }
    }
}

/// A reference that was used in this time is not renewed again, and not asked for again.
const RENEWED: Duration = Duration::from_secs(3_600);
/// References whose renewal is remembered.
const REMEMBERED: usize = 100_000;
/// Tries of a put or a fetch that others get in the way of, or whose bytes come damaged.
const ATTEMPTS: u32 = 4;
/// The first pause between two tries; each is four times the one before.
const PAUSE: Duration = Duration::from_millis(50);
/// How long an engine that failed is left alone: from the first failure on, and at most.
const REST: Duration = Duration::from_millis(500);
const LONGEST_REST: Duration = Duration::from_secs(5);
/// How long what others forgot is looked for, which no two clocks are apart.
const SKEW: Duration = Duration::from_secs(1_200);
/// Results that are fetched for a question about all of a session's, and their bytes.
const ALL_RESULTS: usize = 1_000;
const ALL_BYTES: u64 = 256 << 20;
const AT_ONCE: usize = 16;

/// What was done, since the start.
#[derive(Debug, Default)]
pub struct Counts {
    /// Results that were uploaded.
    pub uploads: AtomicU64,
    /// Uploads that failed.
    pub failed_uploads: AtomicU64,
    /// Results that were fetched.
    pub fetches: AtomicU64,
    /// Fetches that failed.
    pub failed_fetches: AtomicU64,
}

/// A store's directory and the place whose cache it is.
#[derive(Debug)]
pub struct Tier {
    pub(crate) objects: Arc<dyn Objects>,
    local: Local,
    durability: Durability,
    /// References that are known to be there, and since when.
    known: Mutex<HashMap<(String, String), Instant>>,
    /// Until when the engine is left alone, for how long the next time, and why.
    rest: Mutex<Option<(Instant, Duration, TierError)>>,
    /// Notes of what was forgotten that were acted on here.
    heeded: Mutex<HashSet<String>>,
    promised: Notify,
    /// What was done.
    pub counts: Counts,
}

/// A grant, as it is written.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Grant {
    /// The folder of the session that holds the result.
    pub(crate) from: String,
    digest: String,
}

/// What was forgotten, as it is written: the proof of it, and what each cache needs to know.
#[derive(Debug, Serialize, Deserialize)]
struct Gone {
    session: String,
    id: String,
    digest: String,
    /// Milliseconds since 1970.
    time: u64,
}

/// A result that cannot be shared, as another with the same id is.
const TAKEN: &str = "another result has the same id there";

impl Tier {
    /// Over the objects that settings name, for the store in a directory.
    ///
    /// # Errors
    /// When they name no place. Nothing is asked there.
    pub fn open(settings: &Settings, store: &Path) -> Result<Tier, TierError> {
        Ok(Tier::over(settings.open()?, settings.durability, store))
    }

    /// Over these objects.
    pub fn over(objects: Arc<dyn Objects>, durability: Durability, store: &Path) -> Tier {
        Tier {
            objects,
            local: Local(store.to_owned()),
            durability,
            known: Mutex::default(),
            rest: Mutex::new(None),
            heeded: Mutex::default(),
            promised: Notify::new(),
            counts: Counts::default(),
        }
    }

    /// Where its objects are.
    pub fn objects(&self) -> Arc<dyn Objects> {
        Arc::clone(&self.objects)
    }

    /// Whether the engine does what it must, in one sentence where it does not: it can be written to and read, refuses to
    /// create what is there, and its clock is ours.
    ///
    /// # Errors
    /// That sentence.
    pub async fn check(&self) -> Result<(), TierError> {
        let name = format!("probes/{}", weir_base::unguessable().unwrap_or_default());
        let objects = &self.objects;
        let done = async {
            if !objects.create(&name, b"weir").await? {
                return Err(TierError::new("what was written for the first time was there".into()));
            }
            if objects.create(&name, b"other").await? {
                return Err(TierError::new(
                    "it has no conditional writes: it created what was there already".into(),
                ));
            }
            if objects.renew(&name).await?.as_deref() != Some(b"weir") {
                return Err(TierError::new("what was written cannot be read".into()));
            }
            let Some(found) = objects.stat(&name).await? else {
                return Err(TierError::new("what was written is not there".into()));
            };
            let apart = match found.modified.elapsed() {
                Ok(behind) => behind,
                Err(ahead) => ahead.duration(),
            };
            if apart > Duration::from_secs(600) {
                let minutes = apart.as_secs() / 60;
                return Err(TierError::new(format!(
                    "its clock and this machine's are {minutes} minutes apart"
                )));
            }
            Ok(())
        };
        let outcome = done.await;
        let removed = objects.remove(&name).await;
        outcome.and(removed)
    }

    /// Makes results safe that the store has just stored for a session. Their handles may be shown when this returns.
    ///
    /// # Errors
    /// When they are not safe: then no handle may be shown.
    pub async fn keep(&self, session: &str, ids: &[&str]) -> Result<(), TierError> {
        let key = session_key(session);
        for id in ids.iter().filter_map(|id| short(id)) {
            if self.durability == Durability::Disk {
                let promised = self.local.promise(&key, id);
                promised.map_err(|error| TierError::new(format!("the store: {error}")))?;
                self.promised.notify_one();
                continue;
            }
            self.rested().inspect_err(|_| Counts::add(&self.counts.failed_uploads))?;
            self.uploaded(&key, id).await?;
        }
        Ok(())
    }

    /// Whether the engine has not just failed, or why it did.
    fn rested(&self) -> Result<(), TierError> {
        match &*self.rest.lock() {
            Some((until, _, why)) if Instant::now() < *until => Err(why.clone()),
            _ => Ok(()),
        }
    }

    /// An upload, counted; after one that failed the next are spared for a while.
    async fn uploaded(&self, key: &str, id: &str) -> Result<(), TierError> {
        let Some(reference) = self.local.held(key, id) else {
            return Err(TierError::new(format!("the store does not have {id}")));
        };
        match self.upload(key, id, &reference).await {
            Ok(()) => {
                Counts::add(&self.counts.uploads);
                *self.rest.lock() = None;
                Ok(())
            }
            Err(error) => {
                Counts::add(&self.counts.failed_uploads);
                if error.0 != TAKEN {
                    let mut rest = self.rest.lock();
                    let long = match &*rest {
                        // Of several that fail together the first counts.
                        Some((until, ..)) if Instant::now() < *until => return Err(error),
                        Some((_, long, _)) => LONGEST_REST.min(*long * 2),
                        None => REST,
                    };
                    *rest = Some((Instant::now() + long, long, error.clone()));
                }
                Err(error)
            }
        }
    }

    /// An upload, tried again where that may help. Every step of it can be taken twice.
    async fn upload(&self, key: &str, id: &str, reference: &Reference) -> Result<(), TierError> {
        let mut pause = PAUSE;
        for attempt in 1.. {
            match self.try_upload(key, id, reference).await {
                Ok(true) => break,
                Err(error) if attempt >= ATTEMPTS || error.0 == TAKEN => return Err(error),
                Ok(false) if attempt >= ATTEMPTS => {
                    return Err(TierError::new(format!("{id} is removed again and again")));
                }
                Ok(false) => {}
                Err(_) => {
                    tokio::time::sleep(pause).await;
                    pause *= 4;
                }
            }
        }
        self.note(key, id);
        Ok(())
    }

    /// Whether it is there, after all steps of a put.
    async fn try_upload(
        &self,
        key: &str,
        id: &str,
        reference: &Reference,
    ) -> Result<bool, TierError> {
        let mut made = true;
        for (blob, digest) in reference.blobs() {
            made &= self.objects.put(&blob, &self.local.blob(digest)).await?;
        }
        let name = format!("refs/{key}/{id}");
        if !self.objects.create(&name, &reference.text).await? {
            match self.objects.renew(&name).await?.map(Reference::read) {
                // It went meanwhile.
                None => return Ok(false),
                Some(Some(there)) if there.digest == reference.digest => {}
                Some(_) => {
                    // Nor may it be read here under an id that is another's elsewhere.
                    self.local.drop(key, id);
                    return Err(TierError::new(TAKEN.to_owned()));
                }
            }
        }
        for (blob, _) in reference.blobs().filter(|_| !made) {
            if self.objects.stat(&blob).await?.is_none() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Remembers that a reference is there.
    fn note(&self, key: &str, id: &str) {
        let mut known = self.known.lock();
        if known.len() >= REMEMBERED {
            known.clear();
        }
        known.insert((key.to_owned(), id.to_owned()), Instant::now());
    }

    /// Whether the store has a result of a session, fetched where that is needed.
    ///
    /// # Errors
    /// When it is in the tier, or may be, and cannot be had now.
    pub async fn has(&self, session: &str, id: &str) -> Result<bool, TierError> {
        let key = session_key(session);
        let Some(name) = short(id) else { return Ok(false) };
        if self.local.whole(&key, id).is_some() {
            let at = self.known.lock().get(&(key.clone(), name.to_owned())).copied();
            if at.is_none_or(|at| at.elapsed() > RENEWED) {
                // Those who read keep it alive, for all. What is here can be read all the same.
                self.note(&key, name);
                match self.objects.renew(&format!("refs/{key}/{name}")).await {
                    Ok(Some(text)) => self.freshen(&key, name, text),
                    Ok(None) => {}
                    Err(error) => tracing::warn!("a result's use could not be noted: {error}"),
                }
            }
            return Ok(true);
        }
        let found = self.fetch(&format!("refs/{key}/{name}"), &key, id).await?;
        if found {
            self.note(&key, name);
        }
        Ok(found)
    }

    /// Makes a reference young here that is young elsewhere, so that the store does not take it for expired.
    fn freshen(&self, key: &str, id: &str, text: Vec<u8>) {
        let old = self.local.used(key, id).and_then(|used| used.elapsed().ok());
        if old.is_some_and(|age| age > RENEWED)
            && let Some(reference) = Reference::read(text)
            && let Err(error) = self.local.refer(key, id, &reference)
        {
            tracing::warn!("a result's use could not be noted: {error}");
        }
    }

    /// Puts what a reference says into the store, under the session with that folder.
    async fn fetch(&self, name: &str, key: &str, id: &str) -> Result<bool, TierError> {
        let fetched = self.try_fetch(name, key, id).await;
        match &fetched {
            Ok(true) => Counts::add(&self.counts.fetches),
            Ok(false) => {}
            Err(_) => Counts::add(&self.counts.failed_fetches),
        }
        fetched
    }

    async fn try_fetch(&self, name: &str, key: &str, id: &str) -> Result<bool, TierError> {
        let Some(text) = self.objects.read(name).await? else { return Ok(false) };
        let Some(reference) = Reference::read(text) else {
            return Err(TierError::new(format!("{name} is damaged")));
        };
        let Some(short) = short(id).filter(|_| reference.digest.starts_with(id)) else {
            return Ok(false);
        };
        for (blob, digest) in reference.blobs() {
            if !self.local.blob(digest).is_file() && !self.fetch_blob(&blob, digest).await? {
                tracing::warn!("{blob} is missing, which {name} refers to");
                return Ok(false);
            }
        }
        let here = |error| TierError::new(format!("the store: {error}"));
        self.local.refer(key, short, &reference).map_err(here)?;
        Ok(true)
    }

    async fn fetch_blob(&self, name: &str, digest: &str) -> Result<bool, TierError> {
        let here = |error| TierError::new(format!("{name}: {error}"));
        let away = name.replacen("blobs/", "away/", 1);
        let mut damaged = None;
        // Back in its place, it may have been between two looks.
        for name in [name, name, &away, name] {
            let mut file = self.local.receive().map_err(here)?;
            if !self.objects.get(name, file.as_file_mut()).await? {
                continue;
            }
            let (local, digest) = (self.local.clone(), digest.to_owned());
            match blocking(move || local.place(file, &digest)).await {
                Ok(()) => return Ok(true),
                Err(error) => damaged = Some(error),
            }
        }
        damaged.map_or(Ok(false), |error| Err(here(error)))
    }

    /// Brings what a session has in the tier into the store, the last used first; how many results are left out as they
    /// are too many or too large.
    ///
    /// # Errors
    /// When they cannot be had.
    pub async fn all(&self, session: &str) -> Result<usize, TierError> {
        let key = session_key(session);
        let prefix = format!("refs/{key}/");
        let mut found = Vec::new();
        let mut each = |one: Found| found.push((one.modified, one.name));
        self.objects.list(&prefix, None, &mut each).await?;
        found.retain(|(_, name)| {
            let id = name.strip_prefix(&prefix).unwrap_or_default();
            !id.contains('.') && self.local.whole(&key, id).is_none()
        });
        found.sort_by(|a, b| b.cmp(a));
        let (mut bytes, mut done) = (0, 0);
        for some in found.chunks(AT_ONCE) {
            if done >= ALL_RESULTS || bytes > ALL_BYTES {
                break;
            }
            let ids = some.iter().map(|(_, name)| name.strip_prefix(&prefix).unwrap_or_default());
            let fetches =
                some.iter().zip(ids.clone()).map(|((_, name), id)| self.fetch(name, &key, id));
            futures_util::future::try_join_all(fetches).await?;
            let held = ids.filter_map(|id| self.local.held(&key, id));
            bytes += held.map(|reference| self.local.bytes(&reference)).sum::<u64>();
            done += some.len();
        }
        Ok(found.len() - done)
    }

    /// The session under which a result can be read that was granted to another: one for that result alone. Whether it
    /// is granted is asked every time, so that what is revoked is over at once.
    ///
    /// # Errors
    /// When that cannot be known.
    pub async fn granted(&self, session: &str, id: &str) -> Result<Option<String>, TierError> {
        let Some(name) = short(id) else { return Ok(None) };
        let grant = self.objects.read(&format!("grants/{}/{name}", session_key(session))).await?;
        let grant: Option<Grant> = grant.and_then(|text| serde_json::from_slice(&text).ok());
        let Some(grant) = grant.filter(|grant| grant.digest.starts_with(id)) else {
            return Ok(None);
        };
        let alone = shared_session(name, &grant.from);
        let held = format!("refs/{}/{name}", grant.from);
        let found = self.fetch(&held, &session_key(&alone), &grant.digest).await?;
        Ok(found.then_some(alone))
    }

    /// Lets one session read what another has; whether the other has it.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn share(&self, owner: &str, id: &str, reader: &str) -> Result<bool, TierError> {
        let owner = session_key(owner);
        let Some(name) = short(id) else { return Ok(false) };
        let held = self.objects.read(&format!("refs/{owner}/{name}")).await?;
        let Some(held) = held.and_then(Reference::read) else { return Ok(false) };
        let grant = Grant { from: owner, digest: held.digest };
        let text = serde_json::to_vec(&grant).unwrap_or_default();
        let name = format!("grants/{}/{name}", session_key(reader));
        // One that another gave before says the same, unless what it gave is no more.
        if !self.objects.create(&name, &text).await? {
            self.objects.remove(&name).await?;
            self.objects.create(&name, &text).await?;
        }
        Ok(true)
    }

    /// Takes a grant back.
    ///
    /// # Errors
    /// When it cannot be removed.
    pub async fn revoke(&self, id: &str, reader: &str) -> Result<(), TierError> {
        let Some(name) = short(id) else { return Ok(()) };
        self.objects.remove(&format!("grants/{}/{name}", session_key(reader))).await
    }

    /// Keeps a result of a session until it is unpinned.
    ///
    /// # Errors
    /// When it cannot be written.
    pub async fn pin(&self, session: &str, id: &str, pinned: bool) -> Result<(), TierError> {
        let Some(name) = short(id) else { return Ok(()) };
        let name = format!("refs/{}/{name}.pin", session_key(session));
        match pinned {
            true => self.objects.create(&name, b"").await.map(drop),
            false => self.objects.remove(&name).await,
        }
    }

    /// Removes a session's result from everywhere; its bytes too, if no other session holds them. What is left is a
    /// note of when that was and of the digest. Other caches drop it when they next look. Whether it was there.
    ///
    /// # Errors
    /// When it cannot be removed. It may be half gone: forget it again.
    pub async fn forget(&self, session: &str, id: &str) -> Result<bool, TierError> {
        let (key, Some(name)) = (session_key(session), short(id)) else { return Ok(false) };
        let held = format!("refs/{key}/{name}");
        let Some(reference) = self.objects.read(&held).await?.and_then(Reference::read) else {
            return Ok(false);
        };
        let time = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let time = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        let gone = Gone {
            session: session.to_owned(),
            id: name.to_owned(),
            digest: reference.digest.clone(),
            time,
        };
        let text = serde_json::to_vec(&gone).unwrap_or_default();
        self.objects.create(&format!("gone/{time:013}.{key}.{name}"), &text).await?;
        self.known.lock().remove(&(key.clone(), name.to_owned()));
        self.objects.remove(&format!("{held}.pin")).await?;
        self.objects.remove(&held).await?;
        let blobs = reference.blobs().map(|(name, _)| name).collect();
        self.put_away(blobs, true).await?;
        Ok(true)
    }

    /// Results that were forgotten elsewhere and are in the store still: sessions and ids. With `all`, since ever, else of
    /// late.
    ///
    /// # Errors
    /// When they cannot be listed.
    pub async fn forgotten(&self, all: bool) -> Result<Vec<(String, String)>, TierError> {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let after = format!("gone/{:013}", since.saturating_sub(SKEW).as_millis());
        let mut names = Vec::new();
        let mut each = |one: Found| names.push(one.name);
        self.objects.list("gone/", (!all).then_some(&after), &mut each).await?;
        if !all {
            self.heeded.lock().retain(|name| *name > after);
        }
        let mut found = Vec::new();
        for name in names {
            let Some((time, key, id)) = local::gone_name(&name) else { continue };
            let shared = shared_session(id, key);
            let older = |key: &str| {
                self.local.held(key, id).is_some_and(|reference| reference.created < time)
            };
            let here = [older(key), older(&session_key(&shared))];
            if here == [false, false] || !self.heeded.lock().insert(name.clone()) {
                continue;
            }
            let gone = self.objects.read(&name).await?;
            let Some(gone) = gone.and_then(|text| serde_json::from_slice::<Gone>(&text).ok())
            else {
                continue;
            };
            let [own, others] = here;
            for (_, session) in
                [(own, gone.session), (others, shared)].into_iter().filter(|it| it.0)
            {
                self.known.lock().remove(&(session_key(&session), gone.id.clone()));
                found.push((session, gone.id.clone()));
            }
        }
        Ok(found)
    }

    /// Waits until something is to be uploaded, or for a while.
    pub async fn wait(&self, time: Duration) {
        let _ = tokio::time::timeout(time, self.promised.notified()).await;
    }

    /// Uploads what was promised, also by processes that died.
    ///
    /// # Errors
    /// At the first that cannot be uploaded.
    pub async fn upload_promised(&self) -> Result<(), TierError> {
        for some in self.local.promised().chunks(AT_ONCE) {
            let uploads = some.iter().map(|(key, id)| self.upload_late(key, id));
            futures_util::future::try_join_all(uploads).await?;
        }
        Ok(())
    }

    async fn upload_late(&self, key: &str, id: &str) -> Result<(), TierError> {
        self.rested()?;
        match self.uploaded(key, id).await {
            Err(error) if error.0 != TAKEN && self.local.held(key, id).is_some() => {
                return Err(error);
            }
            Err(error) => tracing::warn!("result {id} is on this machine alone: {error}"),
            Ok(()) => {}
        }
        self.local.fulfil(key, id);
        Ok(())
    }

    /// Makes the store's directory where somebody has deleted it under us.
    pub fn has_directory(&self) -> bool {
        local::exists(&self.local.0)
    }
}

impl Counts {
    fn add(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }
}

/// The session for a result that one session has and others may read.
fn shared_session(id: &str, owner: &str) -> String {
    format!("#{id}.{owner}")
}
