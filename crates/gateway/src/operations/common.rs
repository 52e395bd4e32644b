//! Replicates the state directory between gateways: its documents, and what clients have spent. `documents.rs` says
//! which files these are, and how two changes of one merge.
//!
//! Gateways of one machine share a state directory: each sees what the others write there. Here documents of that
//! directory are kept the same on several machines, so nothing else needs to know of it.
//!
//! ```text
//! state/name              the random name of this state
//! state/<document>        a document: the number of its last change, and its text
//! state/counts/<gateway>  what clients have spent at one gateway
//! claims/<digest>         which gateway renews a token
//! ```
//!
//! An object is read again when it is another one, and replaced only where it is still the one that was read: of several
//! that change it at once the object store takes one; the others take that over, merge, and try again. All is sealed with
//! the gateway's key, for its place alone.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use weir_base::private::{self, locked};
use weir_base::{Mutex, unguessable};
use weir_mcp::credentials::Later;
use weir_oauth::{Key, Others};
use weir_tier::{Objects, TierError};

use crate::operations::limits::Meter;
use crate::servers::known::read_or_make_key;
use documents::{Base, COUNTS};

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
/// How often a change is tried that others were faster with.
const TRIES: usize = 20;

/// Where the name of this state is, and what clients have spent.
const NAME: &str = "state/name";
const SPENT: &str = "state/counts/";

/// See the module. Copies are the same one.
#[derive(Debug, Clone)]
pub struct Common(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    objects: Arc<dyn Objects>,
    key: Key,
    /// The random name of this gateway.
    gateway: String,
    /// The state directory.
    state: PathBuf,
    meter: Meter,
    /// Held while it is exchanged.
    seen: tokio::sync::Mutex<Seen>,
    /// Documents that others changed, and of which nobody here was told yet.
    news: Mutex<BTreeSet<String>>,
    /// Since when the others cannot be reached.
    failed: Mutex<Option<Instant>>,
}

/// What was seen last.
#[derive(Debug, Default)]
struct Seen {
    /// Where documents are kept as all have them, once that has a name; gateways of this machine share it.
    file: Option<PathBuf>,
    base: Base,
    /// The tags of objects that were read.
    objects: Tags,
    counts_told: Option<Instant>,
    /// What clients have spent, as it was told.
    spent: String,
}

/// Tags of objects by their names.
type Tags = BTreeMap<String, String>;

fn failed(error: TierError) -> String {
    error.to_string()
}

fn here(error: std::io::Error) -> String {
    format!("the state directory: {error}")
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
            state: state.to_owned(),
            meter: Meter::default(),
            seen: Default::default(),
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
        if self.0.failed.lock().is_none_or(|since| since.elapsed() >= PATIENCE) {
            self.exchange_within(PATIENCE, false).await;
        }
    }

    /// The same, for the last time.
    pub async fn end(&self) {
        self.exchange_within(LAST, true).await;
    }

    async fn exchange_within(&self, patience: Duration, is_last: bool) {
        let this = self.clone();
        // Who asked may go away; what was begun is done.
        let work = tokio::spawn(async move {
            let mut seen = this.0.seen.lock().await;
            let done = this.pass(&mut seen, is_last).await;
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

    async fn pass(&self, seen: &mut Seen, is_last: bool) -> Result<(), String> {
        let (objects, lock) = (&self.0.objects, self.0.state.join("common/lock"));
        // Another gateway on this machine may do the same.
        let held = tokio::task::spawn_blocking(move || locked(&lock)).await;
        let _held = held.map_err(|error| error.to_string())?.map_err(here)?;
        if seen.file.is_none() {
            let name = unguessable().map_err(|error| error.to_string())?;
            objects.create(NAME, name.as_bytes()).await.map_err(failed)?;
            let name = objects.read(NAME).await.map_err(failed)?.unwrap_or_default();
            let name = String::from_utf8(name).ok().filter(|name| documents::is_hex(name));
            let name = name.ok_or("the state of gateways there has no name")?;
            seen.file = Some(self.0.state.join("common").join(name + ".json"));
        }
        let file = seen.file.clone().unwrap_or_default();
        let before: Base = private::read_json(&file).unwrap_or_default();
        seen.base.clone_from(&before);
        let done = self.agree(seen, is_last).await;
        if seen.base != before {
            private::write_json(&file, &seen.base).map_err(here)?;
        }
        done
    }

    async fn agree(&self, seen: &mut Seen, is_last: bool) -> Result<(), String> {
        for _ in 0..TRIES {
            let mut there = Tags::new();
            let mut each = |one: weir_tier::Found| drop(there.insert(one.name, one.tag));
            self.0.objects.list("state/", None, &mut each).await.map_err(failed)?;
            self.take_over(seen, &there).await?;
            if self.tell(seen, &there, is_last).await? {
                return self.count(seen, &there, is_last).await;
            }
        }
        Ok(())
    }

    /// Takes over what others wrote.
    async fn take_over(&self, seen: &mut Seen, there: &Tags) -> Result<(), String> {
        for (name, tag) in there {
            let Some(document) = name.strip_prefix("state/").filter(|it| documents::is_one(it))
            else {
                continue;
            };
            // What was lost here is read again.
            if seen.base.contains_key(document) && seen.objects.get(name) == Some(tag) {
                continue;
            }
            if let Some(text) = self.read(name).await? {
                let (number, text) = text.split_once('\n').unwrap_or_default();
                let theirs = (number.parse().unwrap_or(0), text.to_owned());
                if documents::take(&self.0.state, &mut seen.base, document, theirs).map_err(here)? {
                    self.0.news.lock().insert(document.to_owned());
                }
                seen.objects.insert(name.clone(), tag.clone());
            }
        }
        Ok(())
    }

    /// Tells others what was written here; `false` where somebody wrote meanwhile.
    async fn tell(&self, seen: &mut Seen, there: &Tags, is_last: bool) -> Result<bool, String> {
        for (document, text) in documents::differing(&self.0.state, &seen.base) {
            let is_early = || seen.counts_told.is_some_and(|at| at.elapsed() < TELL_COUNTS);
            if document == COUNTS && !is_last && is_early() {
                continue;
            }
            let number = seen.base.get(&document).map_or(0, |(number, _)| *number) + 1;
            let name = format!("state/{document}");
            if !self.replace(&name, &format!("{number}\n{text}"), there).await? {
                return Ok(false);
            }
            if document == COUNTS {
                seen.counts_told = Some(Instant::now());
            }
            seen.base.insert(document, (number, text));
        }
        Ok(true)
    }

    /// Hears what clients have spent elsewhere, and tells what they have spent here.
    async fn count(&self, seen: &mut Seen, there: &Tags, is_last: bool) -> Result<(), String> {
        let ours = format!("{SPENT}{}", self.0.gateway);
        let spent = serde_json::to_string(&self.0.meter.spent()).map_err(|it| it.to_string())?;
        // Told before anything is spent, so that others know what was spent since.
        if seen.spent != spent && self.replace(&ours, &spent, there).await? {
            seen.spent = spent;
        }
        if is_last {
            return self.0.objects.remove(&ours).await.map_err(failed);
        }
        for (name, tag) in there {
            let Some(gateway) = name.strip_prefix(SPENT).filter(|it| *it != self.0.gateway) else {
                continue;
            };
            if seen.objects.get(name) != Some(tag)
                && let Some(text) = self.read(name).await?
            {
                let spent = serde_json::from_str(&text);
                let spent = spent.map_err(|error| format!("{name} cannot be read: {error}"))?;
                self.0.meter.heard(gateway, spent);
                seen.objects.insert(name.clone(), tag.clone());
            }
        }
        Ok(())
    }

    /// Puts a text in the place of what was there; `false` where something else is there now.
    async fn replace(&self, name: &str, text: &str, there: &Tags) -> Result<bool, String> {
        let sealed = self.0.key.seal(name, text)?;
        let before = there.get(name).map(String::as_str);
        self.0.objects.replace(name, sealed.as_bytes(), before).await.map_err(failed)
    }

    async fn read(&self, name: &str) -> Result<Option<String>, String> {
        let Some(sealed) = self.0.objects.read(name).await.map_err(failed)? else {
            return Ok(None);
        };
        let text = std::str::from_utf8(&sealed).ok().and_then(|it| self.0.key.open(name, it));
        text.map(Some).ok_or_else(|| {
            format!("{name} is sealed with another key: give all gateways the same `key`")
        })
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
            claimed.map_err(|_| "the tier does not answer".to_owned())?.map_err(failed)
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
