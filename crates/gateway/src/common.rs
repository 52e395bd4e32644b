//! What several gateways have in common beside results: documents of their state directories, and what clients have spent.
//!
//! Gateways of one machine share a state directory: each sees what the others write there. Here documents of that
//! directory are kept the same on several machines, so nothing else needs to know of it.
//!
//! ```text
//! state/000000000000      the random name of this log
//! state/<n>               the nth change: a document and its text
//! state/counts/<gateway>.<n>   what clients have spent at one gateway
//! claims/<digest>         which gateway renews a token
//! ```
//!
//! Who has taken over all changes creates the next. Of several that try the object store lets one create it; the others
//! take that over, merge, and try again. A change goes when a newer one of its document is older than any such try. All is
//! sealed with the gateway's key, for its place alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use weir_base::{Mutex, unguessable};
use weir_mcp::credentials::Later;
use weir_oauth::{Key, Others};
use weir_tier::Objects;

use super::known::read_or_make_key;
use super::limits::Meter;
use documents::{COUNTS, Documents, Stamp};

mod documents;

/// How often it is looked what others wrote: while clients make calls, and else.
const LOOK: Duration = Duration::from_secs(1);
const IDLE_LOOK: Duration = Duration::from_secs(3);
/// How long one waits for the others, and how long they are left alone when they could not be reached.
const PATIENCE: Duration = Duration::from_secs(5);
/// How long a gateway that ends may take to tell the others what it knows.
const LAST: Duration = Duration::from_secs(10);
/// How often counts are told.
const TELL_COUNTS: Duration = Duration::from_secs(60);
/// How long a change stays that another replaced: longer than anybody takes from looking to writing.
const REPLACED: Duration = Duration::from_secs(1_200);
/// Changes that are read at a time.
const AT_ONCE: usize = 16;
/// How often a change is tried that others were faster with.
const TRIES: usize = 20;

/// See the module. Copies are the same one.
#[derive(Debug, Clone)]
pub struct Common(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    objects: Arc<dyn Objects>,
    key: Key,
    /// The random name of this gateway.
    gateway: String,
    documents: Documents,
    meter: Meter,
    /// Held while it is exchanged.
    log: tokio::sync::Mutex<Log>,
    /// Exchanges that were begun.
    begun: AtomicU64,
    /// Documents that others changed, and of which nobody here was told yet.
    news: Mutex<BTreeSet<String>>,
    /// Since when the others cannot be reached.
    failed: Mutex<Option<Instant>>,
}

/// The log, as far as it was taken over.
#[derive(Debug, Default)]
struct Log {
    is_open: bool,
    last: u64,
    /// The last change of each document.
    changes: BTreeMap<String, u64>,
    /// Documents that are as in the log, by their files.
    same: BTreeMap<String, Stamp>,
    /// Changes that were replaced, and when that was seen.
    replaced: Vec<(Instant, u64)>,
    counts_told: Option<Instant>,
    /// What clients spent: what was told last and as which object, and what each other gateway told last.
    spent: (String, u64),
    heard: BTreeMap<String, u64>,
}

#[derive(Serialize, Deserialize)]
struct Change {
    document: String,
    text: String,
}

fn change(number: u64) -> String {
    format!("state/{number:012}")
}

impl Common {
    /// The state directory `state`, in common with all gateways that have the same objects and key.
    pub fn new(objects: Arc<dyn Objects>, key: Key, state: &Path) -> Common {
        // The names of files of servers hang on it: the first gateway's is everybody's.
        read_or_make_key(&state.join("servers"));
        Common(Arc::new(Inner {
            objects,
            key,
            gateway: unguessable().unwrap_or_default(),
            documents: Documents::new(state),
            meter: Meter::default(),
            log: Default::default(),
            begun: AtomicU64::new(0),
            news: Mutex::default(),
            failed: Mutex::default(),
        }))
    }

    /// What clients have spent, here and elsewhere.
    pub(crate) fn meter(&self) -> Meter {
        self.0.meter.clone()
    }

    /// Documents that others changed since this was asked last.
    pub(crate) fn news(&self) -> BTreeSet<String> {
        std::mem::take(&mut *self.0.news.lock())
    }

    /// Waits until it is time to look again.
    pub(crate) async fn pause(&self) {
        match self.0.meter.is_used() {
            true => tokio::time::sleep(LOOK).await,
            false => drop(tokio::time::timeout(IDLE_LOOK, self.0.meter.next_call()).await),
        }
    }

    /// Takes over what others wrote, and tells them what was written here; as far as that takes no longer than a moment.
    pub async fn exchange(&self) {
        if self.0.failed.lock().is_some_and(|since| since.elapsed() < PATIENCE) {
            return;
        }
        self.exchange_within(PATIENCE, false).await;
    }

    /// The same, for the last time.
    pub async fn end(&self) {
        self.exchange_within(LAST, true).await;
    }

    async fn exchange_within(&self, patience: Duration, is_last: bool) {
        let this = self.clone();
        let asked = this.0.begun.load(Ordering::SeqCst);
        // Who asked may go away; what was begun is done.
        let work = tokio::spawn(async move {
            let mut log = this.0.log.lock().await;
            if !is_last && this.0.begun.load(Ordering::SeqCst) > asked {
                return;
            }
            this.0.begun.fetch_add(1, Ordering::SeqCst);
            let done = this.pass(&mut log, is_last).await;
            let mut failed = this.0.failed.lock();
            match done {
                Ok(()) if failed.take().is_some() => {
                    tracing::info!("state is shared with other gateways again");
                }
                Ok(()) => {}
                Err(why) => {
                    if failed.replace(Instant::now()).is_none() {
                        tracing::warn!(
                            "state is not shared with other gateways, and what is known here goes on to count: {why}"
                        );
                    }
                }
            }
        });
        let _ = tokio::time::timeout(patience, work).await;
    }

    async fn pass(&self, log: &mut Log, is_last: bool) -> Result<(), String> {
        let objects = &self.0.objects;
        let failed = |error: weir_tier::TierError| error.to_string();
        // Another gateway on this machine may do the same.
        let _held = self.blocking(|documents| documents.hold()).await?;
        let is_first = !log.is_open;
        if is_first {
            let name = unguessable().map_err(|error| error.to_string())?;
            objects.create(&change(0), name.as_bytes()).await.map_err(failed)?;
            let name = objects.read(&change(0)).await.map_err(failed)?.unwrap_or_default();
            let name = String::from_utf8(name).ok();
            let name = name.filter(|name| !name.is_empty() && documents::is_hex(name));
            let name = name.ok_or("the log of gateways there has no name")?;
            self.0.documents.open(&name);
            log.is_open = true;
        }
        let mut others = Vec::new();
        for _ in 0..TRIES {
            log.changes = self.blocking(|documents| documents.changes()).await?;
            if log.changes.is_empty() {
                // All is new, or the directory was lost.
                (log.last, log.same) = Default::default();
            }
            log.last = log.changes.values().copied().fold(log.last, u64::max);
            let mut names = Vec::new();
            // At first also for what others replaced and left.
            let after = change(if is_first { 0 } else { log.last });
            objects
                .list("state/", Some(&after), &mut |one| names.push(one.name))
                .await
                .map_err(failed)?;
            (others, names) = names.into_iter().partition(|name| name.starts_with("state/counts/"));
            self.take_over(log, names).await?;
            if self.tell(log, is_last).await? {
                break;
            }
        }
        let (over, young) = std::mem::take(&mut log.replaced)
            .into_iter()
            .partition::<Vec<_>, _>(|(since, _)| since.elapsed() > REPLACED);
        log.replaced = young;
        for (_, number) in over {
            objects.remove(&change(number)).await.map_err(failed)?;
        }
        self.count(log, others, is_last).await
    }

    /// Takes over what others wrote.
    async fn take_over(&self, log: &mut Log, mut names: Vec<String>) -> Result<(), String> {
        let known: BTreeSet<String> = log.changes.values().map(|number| change(*number)).collect();
        names.retain(|name| !known.contains(name));
        names.sort();
        for some in names.chunks(AT_ONCE) {
            let read = |name: &String| {
                let (objects, name) = (Arc::clone(&self.0.objects), name.clone());
                tokio::spawn(async move { objects.read(&name).await })
            };
            for (name, read) in some.iter().zip(some.iter().map(read).collect::<Vec<_>>()) {
                let Some(number) = name.strip_prefix("state/").and_then(|n| n.parse().ok()) else {
                    continue;
                };
                let read = read.await.map_err(|error| error.to_string())?;
                // One that is gone was replaced by a later one.
                if let Some(sealed) = read.map_err(|error| error.to_string())? {
                    let Change { document, text } = self.opened(name, &sealed)?;
                    if log.changes.get(&document).is_some_and(|last| *last > number) {
                        log.replaced.push((Instant::now(), number));
                        continue;
                    }
                    let named = document.clone();
                    let is_news =
                        move |documents: &Documents| documents.take(&named, number, &text);
                    if self.blocking(is_news).await? {
                        self.0.news.lock().insert(document.clone());
                    }
                    self.is_last_of(log, document, number);
                }
                log.last = log.last.max(number);
            }
        }
        Ok(())
    }

    fn is_last_of(&self, log: &mut Log, document: String, number: u64) {
        if let Some(before) = log.changes.insert(document, number).filter(|it| *it != number) {
            log.replaced.push((Instant::now(), before));
        }
    }

    /// Tells others what was written here; `false` where somebody wrote meanwhile.
    async fn tell(&self, log: &mut Log, is_last: bool) -> Result<bool, String> {
        let (mut same, changes) = (std::mem::take(&mut log.same), log.changes.clone());
        let (differing, same) = self
            .blocking(move |documents| {
                let differing = documents.differing(&mut same, changes.into_keys())?;
                Ok((differing, same))
            })
            .await?;
        log.same = same;
        for (document, text, stamp) in differing {
            if document == COUNTS {
                let told = log.counts_told.is_some_and(|at| at.elapsed() < TELL_COUNTS);
                if told && !is_last {
                    continue;
                }
                log.counts_told = Some(Instant::now());
            }
            let number = log.last + 1;
            let told = Change { document: document.clone(), text: text.clone() };
            if !self.create(&change(number), &told).await? {
                return Ok(false);
            }
            let named = document.clone();
            self.blocking(move |documents| documents.is_told(&named, number, &text)).await?;
            log.last = number;
            log.same.insert(document.clone(), stamp);
            self.is_last_of(log, document, number);
        }
        Ok(true)
    }

    /// Hears what clients have spent elsewhere, and tells what they have spent here.
    async fn count(&self, log: &mut Log, others: Vec<String>, is_last: bool) -> Result<(), String> {
        let failed = |error: weir_tier::TierError| error.to_string();
        let of = |number| format!("state/counts/{}.{number:012}", self.0.gateway);
        let spent = self.0.meter.spent();
        let text = serde_json::to_string(&spent).map_err(|error| error.to_string())?;
        // Told before anything is spent, so that others know what was spent since.
        if log.spent.0 != text {
            self.create(&of(log.spent.1 + 1), &spent).await?;
            self.0.objects.remove(&of(log.spent.1)).await.map_err(failed)?;
            log.spent = (text, log.spent.1 + 1);
        }
        if is_last {
            return self.0.objects.remove(&of(log.spent.1)).await.map_err(failed);
        }
        for name in others {
            let Some((gateway, number)) = name.rsplit_once('.') else { continue };
            let Ok(number) = number.parse() else { continue };
            if name.contains(&self.0.gateway) || log.heard.get(gateway) >= Some(&number) {
                continue;
            }
            // One that is gone was replaced: it is heard the next time.
            let Some(sealed) = self.0.objects.read(&name).await.map_err(failed)? else { continue };
            self.0.meter.heard(gateway, self.opened(&name, &sealed)?);
            log.heard.insert(gateway.to_owned(), number);
        }
        Ok(())
    }

    async fn create<T: Serialize>(&self, name: &str, what: &T) -> Result<bool, String> {
        let text = serde_json::to_string(what).map_err(|error| error.to_string())?;
        let sealed = self.0.key.seal(name, &text)?;
        let created = self.0.objects.create(name, sealed.as_bytes()).await;
        created.map_err(|error| error.to_string())
    }

    fn opened<T: for<'a> Deserialize<'a>>(&self, name: &str, sealed: &[u8]) -> Result<T, String> {
        let text = std::str::from_utf8(sealed).ok().and_then(|it| self.0.key.open(name, it));
        let text = text.ok_or_else(|| {
            format!("{name} is sealed with another key: give all gateways the same `key`")
        })?;
        serde_json::from_str(&text).map_err(|error| format!("{name} cannot be read: {error}"))
    }

    async fn blocking<R: Send + 'static>(
        &self,
        work: impl FnOnce(&Documents) -> std::io::Result<R> + Send + 'static,
    ) -> Result<R, String> {
        let this = self.clone();
        let done = tokio::task::spawn_blocking(move || work(&this.0.documents)).await;
        let done = done.map_err(|error| error.to_string())?;
        done.map_err(|error| format!("the state directory: {error}"))
    }
}

impl Others for Common {
    fn exchange(&self) -> Later<'_, ()> {
        Box::pin(Common::exchange(self))
    }

    fn claim<'a>(&'a self, what: &'a str) -> Later<'a, Result<bool, String>> {
        Box::pin(async move {
            let (name, ours) = (format!("claims/{what}"), self.0.gateway.as_bytes());
            let claimed = async {
                if self.0.objects.create(&name, ours).await? {
                    return Ok(true);
                }
                // An answer may have been lost.
                Ok(self.0.objects.read(&name).await?.as_deref() == Some(ours))
            };
            let claimed = tokio::time::timeout(PATIENCE, claimed).await;
            let claimed = claimed.map_err(|_| "the tier does not answer".to_owned())?;
            claimed.map_err(|error: weir_tier::TierError| error.to_string())
        })
    }

    fn release<'a>(&'a self, what: &'a str) -> Later<'a, ()> {
        Box::pin(async move {
            let _ = self.0.objects.remove(&format!("claims/{what}")).await;
        })
    }
}

#[cfg(test)]
mod tests;
