//! What goes, and the account of what is there.

use std::collections::{BTreeMap, HashSet};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use futures_util::{StreamExt as _, TryStreamExt as _, stream};

use crate::error::TierError;
use crate::local::gone_name;
use crate::objects::Found;
use crate::tier::{Grant, Tier};

/// One replica sweeps in so much time.
const TURN: Duration = Duration::from_secs(6 * 3_600);
/// How long it is known what was forgotten.
const REMEMBERED: Duration = Duration::from_secs(400 * 24 * 3_600);
/// Objects that are worked on at a time.
const AT_ONCE: usize = 32;

/// What a sweep did.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Swept {
    /// References that nobody used for their time.
    pub expired: u64,
    /// Blobs that nobody holds, which are put away.
    pub put_away: u64,
    /// Those that were removed.
    pub removed: u64,
}

/// What is in a tier.
#[derive(Debug, Clone, Default)]
pub struct Audit {
    /// Blobs by name: the digest, and after a dot that of a derived one.
    pub blobs: BTreeMap<String, Held>,
    /// What was forgotten: when, by the folder of which session, and the id.
    pub gone: Vec<(SystemTime, String, String)>,
    /// References to blobs that are not there.
    pub dangling: Vec<String>,
    /// Blobs on their way out, and their bytes.
    pub away: (u64, u64),
}

/// A blob, and who holds it.
#[derive(Debug, Clone)]
pub struct Held {
    /// Bytes of its object.
    pub bytes: u64,
    /// When it was stored.
    pub stored: SystemTime,
    /// Folders of sessions that hold it, and when each used it.
    pub by: Vec<(String, SystemTime)>,
    /// Folders of sessions that may read it.
    pub granted: Vec<String>,
}

/// The digits of an id, which a reference has in its name and a blob at the start of its.
fn digits(name: &str) -> Option<u64> {
    u64::from_str_radix(name.rsplit_once('/')?.1.get(..12)?, 16).ok()
}

fn is_older(found: &Found, age: Duration) -> bool {
    found.modified.elapsed().is_ok_and(|elapsed| elapsed >= age)
}

/// Does something with each, many at a time, to the first failure.
async fn each_of<T, R, F: Future<Output = Result<R, TierError>>>(
    all: Vec<T>,
    work: impl Fn(T) -> F,
) -> Result<Vec<R>, TierError> {
    stream::iter(all).map(work).buffer_unordered(AT_ONCE).try_collect().await
}

impl Tier {
    async fn listed(&self, prefix: &str) -> Result<Vec<Found>, TierError> {
        let mut found = Vec::new();
        self.objects.list(prefix, None, &mut |one| found.push(one)).await?;
        Ok(found)
    }

    /// Whether it is this process that sweeps in these six hours: whoever makes the lease first.
    ///
    /// # Errors
    /// When it cannot be made.
    pub async fn may_sweep(&self) -> Result<bool, TierError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        self.objects
            .create(&format!("leases/sweep.{:010}", now.as_secs() / TURN.as_secs()), b"")
            .await
    }

    /// Removes references that were not used for `ttl`, and blobs that nobody holds and that were stored, and then put away,
    /// `grace` ago. A grace of less than an hour is for a tier that nobody writes to.
    ///
    /// # Errors
    /// When something cannot be listed or removed. The next sweep goes on.
    pub async fn sweep(&self, ttl: Duration, grace: Duration) -> Result<Swept, TierError> {
        let mut swept = Swept::default();
        let (mut held, mut pinned, mut old) = (HashSet::new(), HashSet::new(), Vec::new());
        let mut each = |one: Found| match one.name.strip_suffix(".pin") {
            Some(name) => drop(pinned.insert(name.to_owned())),
            None if is_older(&one, ttl) => old.push(one.name),
            None => held.extend(digits(&one.name)),
        };
        self.objects.list("refs/", None, &mut each).await?;
        let pinned = &pinned;
        let expired = each_of(old, |name| async move {
            // A look just before: since it was listed somebody may have used it.
            let idle = self.objects.stat(&name).await?.is_some_and(|now| is_older(&now, ttl));
            let goes = idle && !pinned.contains(&name);
            if goes {
                self.objects.remove(&name).await?;
            }
            Ok((goes, name))
        });
        for (gone, name) in expired.await? {
            match gone {
                true => swept.expired += 1,
                false => held.extend(digits(&name)),
            }
        }
        let mut victims = Vec::new();
        let mut each = |one: Found| {
            let free = digits(&one.name).is_some_and(|digits| !held.contains(&digits));
            if free && is_older(&one, grace) {
                victims.push(one.name);
            }
        };
        self.objects.list("blobs/", None, &mut each).await?;
        swept.put_away = self.put_away(victims, false).await?;
        let away = self.listed("away/").await?;
        let old = away.into_iter().map(|one| (is_older(&one, grace), one.name));
        swept.removed = self.finish(old.collect()).await?;
        for grant in self.listed("grants/").await? {
            let text = self.objects.read(&grant.name).await?;
            let of = text.and_then(|text| serde_json::from_slice::<Grant>(&text).ok());
            let id = grant.name.rsplit_once('/').map_or("", |(_, id)| id);
            let lives = match of {
                Some(of) => self.objects.stat(&format!("refs/{}/{id}", of.from)).await?.is_some(),
                None => false,
            };
            if !lives {
                self.objects.remove(&grant.name).await?;
            }
        }
        let passing = ["probes/", "claims/", "state/counts/"].map(|prefix| (prefix, TURN));
        for (prefix, age) in
            [("gone/", REMEMBERED), ("leases/", 8 * TURN)].into_iter().chain(passing)
        {
            for one in self.listed(prefix).await?.iter().filter(|one| is_older(one, age)) {
                self.objects.remove(&one.name).await?;
            }
        }
        Ok(swept)
    }

    /// Gives blobs that nobody seems to hold another name, and back their own if somebody does; `at_once`, the others are
    /// removed. How many are away now.
    pub(crate) async fn put_away(
        &self,
        names: Vec<String>,
        at_once: bool,
    ) -> Result<u64, TierError> {
        let moved = each_of(names, |name| async move {
            let away = name.replacen("blobs/", "away/", 1);
            Ok((self.objects.rename(&name, &away).await?, away))
        });
        let moved = moved.await?.into_iter().filter(|(moved, _)| *moved);
        let away: Vec<_> = moved.map(|(_, away)| (at_once, away)).collect();
        let count = away.len() as u64;
        Ok(count - self.finish(away).await?)
    }

    /// Gives back their names to blobs that are away and that somebody holds, and removes others that have been away for
    /// long; how many of these.
    async fn finish(&self, away: Vec<(bool, String)>) -> Result<u64, TierError> {
        let mut held = HashSet::new();
        if !away.is_empty() {
            self.objects.list("refs/", None, &mut |one| held.extend(digits(&one.name))).await?;
        }
        let held = &held;
        let removed = each_of(away, |(is_old, away)| async move {
            if digits(&away).is_some_and(|digits| held.contains(&digits)) {
                self.objects.rename(&away, &away.replacen("away/", "blobs/", 1)).await?;
            } else if is_old {
                self.objects.remove(&away).await?;
                return Ok(1);
            }
            Ok(0)
        });
        Ok(removed.await?.into_iter().sum())
    }

    /// What is there, how old, held by whom.
    ///
    /// # Errors
    /// When it cannot be listed.
    pub async fn audit(&self) -> Result<Audit, TierError> {
        let mut audit = Audit::default();
        for one in self.listed("blobs/").await? {
            let held = Held { bytes: one.bytes, stored: one.modified, by: vec![], granted: vec![] };
            let name = one.name.trim_start_matches("blobs/").to_owned();
            audit.blobs.insert(name, held);
        }
        for one in self.listed("refs/").await? {
            let Some((key, id)) = one.name.trim_start_matches("refs/").split_once('/') else {
                continue;
            };
            if id.contains('.') {
                continue;
            }
            let mut found = false;
            for (_, blob) in starting(&mut audit.blobs, id) {
                blob.by.push((key.to_owned(), one.modified));
                found = true;
            }
            if !found {
                audit.dangling.push(one.name);
            }
        }
        for one in self.listed("grants/").await? {
            let Some((key, id)) = one.name.trim_start_matches("grants/").split_once('/') else {
                continue;
            };
            starting(&mut audit.blobs, id).for_each(|(_, blob)| blob.granted.push(key.to_owned()));
        }
        let gone = self.listed("gone/").await?;
        let gone = gone.iter().filter_map(|one| gone_name(&one.name));
        audit.gone = gone.map(|(time, key, id)| (time, key.to_owned(), id.to_owned())).collect();
        let away = self.listed("away/").await?;
        audit.away = (away.len() as u64, away.iter().map(|one| one.bytes).sum());
        Ok(audit)
    }
}

/// Blobs whose names begin so.
fn starting<'a>(
    blobs: &'a mut BTreeMap<String, Held>,
    id: &'a str,
) -> impl Iterator<Item = (&'a String, &'a mut Held)> {
    blobs.range_mut(id.to_owned()..).take_while(move |(name, _)| name.starts_with(id))
}
