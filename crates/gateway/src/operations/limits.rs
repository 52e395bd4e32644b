//! How much one client may ask for. A client is its token here: a new session is no new allowance.
//!
//! Several gateways tell each other, every second or so, what their clients have spent: what is spent at one is taken off
//! everywhere, and what was too much until they knew is taken off what comes after.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use crate::clients::profile::Limits;
use crate::clients::profile::Profile;
use weir_base::Mutex;

/// Why a call is not made.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OverLimit {
    /// Too many calls.
    #[error("over the limit of {limit} calls a minute (callsPerMinute); the next one is possible in {} s", seconds(.wait))]
    Calls {
        /// The limit.
        limit: u32,
        /// When there is room again.
        wait: Duration,
    },
    /// Too many bytes.
    #[error("over the limit of {limit} bytes a minute (bytesPerMinute); the next call is possible in {} s", seconds(.wait))]
    Bytes {
        /// The limit.
        limit: u64,
        /// When there is room again.
        wait: Duration,
    },
    /// Too many at once.
    #[error(
        "over the limit of {limit} calls at the same time (parallelCalls); wait for one of them"
    )]
    Parallel {
        /// The limit.
        limit: u32,
    },
    /// Too long.
    #[error("the arguments have {bytes} bytes, over the limit of {limit} (argumentBytes)")]
    Arguments {
        /// Their length.
        bytes: u64,
        /// The limit.
        limit: u64,
    },
}

impl OverLimit {
    /// The setting that it is about.
    pub(crate) fn setting(&self) -> &'static str {
        match self {
            OverLimit::Calls { .. } => "callsPerMinute",
            OverLimit::Bytes { .. } => "bytesPerMinute",
            OverLimit::Parallel { .. } => "parallelCalls",
            OverLimit::Arguments { .. } => "argumentBytes",
        }
    }
}

fn seconds(wait: &Duration) -> u64 {
    wait.as_secs() + u64::from(wait.subsec_nanos() > 0)
}

/// How long a client counts after its last call.
const RECENT: Duration = Duration::from_secs(60);
/// How long calls count that ran at another gateway when it was heard of last.
const ALIVE: Duration = Duration::from_secs(10);

/// What a client has spent at one gateway since that started, as gateways tell each other.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Spent {
    calls: f64,
    bytes: f64,
    running: u32,
    /// Calls and bytes a minute.
    limits: (Option<f64>, Option<f64>),
}

#[derive(Debug)]
struct Account {
    /// Calls that count against the limit, which time takes off; beyond it after a call that went beyond.
    calls: f64,
    bytes: f64,
    at: Instant,
    here: Spent,
    used: Instant,
    is_limited: bool,
}

impl Account {
    fn new(now: Instant) -> Account {
        Account {
            calls: 0.0,
            bytes: 0.0,
            at: now,
            here: Spent::default(),
            used: now,
            is_limited: false,
        }
    }

    fn refill(&mut self, limits: (Option<f64>, Option<f64>), now: Instant) {
        let minutes = now.saturating_duration_since(self.at).as_secs_f64() / 60.0;
        let left = |spent: f64, limit: Option<f64>| {
            limit.map_or(0.0, |limit| (spent - limit * minutes).max(0.0))
        };
        (self.calls, self.bytes) = (left(self.calls, limits.0), left(self.bytes, limits.1));
        (self.at, self.here.limits) = (now, limits);
    }
}

#[derive(Debug, Default)]
struct Accounts {
    by_name: BTreeMap<String, Account>,
    /// What other gateways told last, and when.
    others: BTreeMap<String, (Instant, BTreeMap<String, Spent>)>,
    /// Told of each call.
    used: Arc<Notify>,
}

/// What clients have used of their limits, by the name of their token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meter(Arc<Mutex<Accounts>>);

/// A call within the limits. It counts as running until this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    meter: Meter,
    name: String,
    is_part: bool,
}

impl Meter {
    /// Takes a call with so many bytes of arguments into account. A part of one that runs does not run beside it.
    ///
    /// # Errors
    /// When it may not be made now.
    pub(crate) fn admit(
        &self,
        profile: &Profile,
        limits: &Limits,
        bytes: u64,
        is_part: bool,
    ) -> Result<Permit, OverLimit> {
        self.admit_at(profile, limits, (bytes, is_part), Instant::now())
    }

    fn admit_at(
        &self,
        profile: &Profile,
        limits: &Limits,
        (bytes, is_part): (u64, bool),
        now: Instant,
    ) -> Result<Permit, OverLimit> {
        if let Some(limit) = limits.argument_bytes.filter(|limit| bytes > *limit) {
            return Err(OverLimit::Arguments { bytes, limit });
        }
        let most_calls = limits.calls_per_minute.map(f64::from);
        let most_bytes = limits.bytes_per_minute.map(|bytes| bytes as f64);
        let mut accounts = self.0.lock();
        let Accounts { by_name, others, used } = &mut *accounts;
        used.notify_one();
        let others =
            others.values().filter(|(heard, _)| now.saturating_duration_since(*heard) < ALIVE);
        let elsewhere = others.filter_map(|(_, spent)| Some(spent.get(&profile.name)?.running));
        let account = by_name.entry(profile.name.clone()).or_insert_with(|| Account::new(now));
        account.refill((most_calls, most_bytes), now);
        account.used = now;
        account.is_limited = most_calls.or(most_bytes).is_some() || limits.parallel_calls.is_some();
        let running = elsewhere.fold(account.here.running, u32::saturating_add);
        // How long until so much is there again.
        let wait = |lacking: f64, most: f64| {
            Duration::from_secs_f64((lacking / most * 60.0).clamp(0.0, 3_600.0))
        };
        if let Some(limit) = limits.parallel_calls.filter(|limit| !is_part && running >= *limit) {
            return Err(OverLimit::Parallel { limit });
        }
        if let (Some(limit), Some(most)) = (limits.calls_per_minute, most_calls)
            && account.calls + 1.0 > most
        {
            return Err(OverLimit::Calls { limit, wait: wait(account.calls + 1.0 - most, most) });
        }
        if let (Some(limit), Some(most)) = (limits.bytes_per_minute, most_bytes)
            && account.bytes >= most
        {
            return Err(OverLimit::Bytes { limit, wait: wait(account.bytes + 1.0 - most, most) });
        }
        account.spend(1.0, bytes as f64);
        account.here.running += u32::from(!is_part);
        Ok(Permit { meter: self.clone(), name: profile.name.clone(), is_part })
    }

    /// Whether any client made a call of late.
    pub(crate) fn is_used(&self) -> bool {
        self.0.lock().by_name.values().any(|account| account.used.elapsed() < RECENT)
    }

    /// Waits for the next call, or for one that was made since this was waited for last.
    pub(crate) async fn next_call(&self) {
        let used = Arc::clone(&self.0.lock().used);
        used.notified().await;
    }

    /// What clients with limits have spent here that made a call of late.
    pub(crate) fn spent(&self) -> BTreeMap<String, Spent> {
        let accounts = self.0.lock();
        let recent = |(_, account): &(&String, &Account)| {
            account.is_limited && (account.here.running > 0 || account.used.elapsed() < RECENT)
        };
        let spent = accounts.by_name.iter().filter(recent);
        spent.map(|(name, account)| (name.clone(), account.here)).collect()
    }

    /// Takes into account what clients have spent at another gateway. What one spent that was not heard of before is
    /// counted from now on: nobody knows when that was.
    pub(crate) fn heard(&self, gateway: &str, spent: BTreeMap<String, Spent>) {
        let (mut accounts, now) = (self.0.lock(), Instant::now());
        let Accounts { by_name, others, .. } = &mut *accounts;
        let mut known = match others.remove(gateway) {
            None => spent.clone(),
            Some((_, known)) => known,
        };
        for (name, is) in &spent {
            let was = known.get(name).copied().unwrap_or_default();
            let account = by_name.entry(name.clone()).or_insert_with(|| Account {
                used: now.checked_sub(RECENT).unwrap_or(now),
                ..Account::new(now)
            });
            account.refill(is.limits, now);
            account.calls += (is.calls - was.calls).max(0.0);
            account.bytes += (is.bytes - was.bytes).max(0.0);
        }
        // Those that are not told of have nothing that runs.
        known.values_mut().for_each(|spent| spent.running = 0);
        known.extend(spent);
        others.insert(gateway.to_owned(), (now, known));
    }
}

impl Account {
    fn spend(&mut self, calls: f64, bytes: f64) {
        (self.calls, self.bytes) = (self.calls + calls, self.bytes + bytes);
        (self.here.calls, self.here.bytes) = (self.here.calls + calls, self.here.bytes + bytes);
    }
}

impl Permit {
    /// Counts bytes of the answer.
    pub(crate) fn spend(&self, bytes: u64) {
        let mut accounts = self.meter.0.lock();
        if let Some(account) = accounts.by_name.get_mut(&self.name) {
            account.spend(0.0, bytes as f64);
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut accounts = self.meter.0.lock();
        if let Some(account) = accounts.by_name.get_mut(&self.name) {
            let runs = u32::from(!self.is_part);
            account.here.running = account.here.running.saturating_sub(runs);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn profile(name: &str) -> Profile {
        Profile { name: name.into(), ..Profile::default() }
    }

    #[test]
    fn calls_of_a_minute_are_counted_by_token_and_come_back_with_time() {
        let (meter, start) = (Meter::default(), Instant::now());
        let limits = Limits { calls_per_minute: Some(3), ..Limits::default() };
        let (anna, bert) = (profile("anna"), profile("bert"));
        let call = |who: &Profile, seconds: u64| {
            meter.admit_at(who, &limits, (9, false), start + Duration::from_secs(seconds)).map(drop)
        };
        for _ in 0..3 {
            assert_eq!(call(&anna, 0), Ok(()));
        }
        let wait = Duration::from_secs(20);
        assert_eq!(call(&anna, 0), Err(OverLimit::Calls { limit: 3, wait }));
        assert!(call(&anna, 0).unwrap_err().to_string().contains("in 20 s"));
        assert_eq!(call(&bert, 0), Ok(()));
        assert_eq!(call(&anna, 20), Ok(()));
        assert!(call(&anna, 21).is_err());
        // What is not used is not saved up beyond a minute's worth.
        for _ in 0..3 {
            assert_eq!(call(&anna, 900), Ok(()));
        }
        assert!(call(&anna, 900).is_err());
    }

    #[test]
    fn sizes_and_calls_at_once_are_limited() {
        let (meter, start, anna) = (Meter::default(), Instant::now(), profile("anna"));
        let limits = Limits {
            bytes_per_minute: Some(600),
            parallel_calls: Some(2),
            argument_bytes: Some(100),
            ..Limits::default()
        };
        let call = |bytes, seconds| {
            meter.admit_at(&anna, &limits, (bytes, false), start + Duration::from_secs(seconds))
        };
        assert_eq!(call(101, 0).unwrap_err(), OverLimit::Arguments { bytes: 101, limit: 100 });
        let (first, second) = (call(10, 0).unwrap(), call(10, 0).unwrap());
        assert_eq!(call(10, 0).unwrap_err(), OverLimit::Parallel { limit: 2 });
        drop(second);
        let third = call(10, 0).unwrap();
        first.spend(600);
        drop((first, third));
        // 30 bytes over: three seconds until there is a byte again, and not before.
        assert!(matches!(call(1, 2).unwrap_err(), OverLimit::Bytes { limit: 600, .. }));
        assert!(call(1, 4).is_ok());
    }

    #[test]
    fn what_is_spent_at_one_gateway_is_taken_off_at_another_with_what_was_too_much() {
        let [here, there, late] = [(); 3].map(|()| Meter::default());
        let limits = Limits {
            calls_per_minute: Some(10),
            bytes_per_minute: Some(1_000),
            parallel_calls: Some(3),
            ..Limits::default()
        };
        let anna = profile("anna");
        let call = |meter: &Meter| meter.admit(&anna, &limits, 1, false);
        here.heard("there", there.spent());
        let running = [call(&there).unwrap(), call(&there).unwrap()];
        late.heard("there", there.spent());
        here.heard("there", there.spent());
        let third = call(&here).unwrap();
        assert_eq!(call(&here).unwrap_err(), OverLimit::Parallel { limit: 3 });
        drop((running, third));
        for _ in 0..7 {
            call(&there).unwrap();
        }
        here.heard("there", there.spent());
        // Nine there and one here.
        assert!(matches!(call(&here), Err(OverLimit::Calls { limit: 10, .. })));
        // Who comes late knows nothing of what was before, and takes off what both let through since.
        for _ in 0..8 {
            call(&late).unwrap();
        }
        late.heard("there", there.spent());
        let Err(OverLimit::Calls { wait, .. }) = call(&late) else { panic!() };
        assert!(Duration::from_secs(32) < wait && wait <= Duration::from_secs(36), "{wait:?}");
        // The same again is nothing new.
        late.heard("there", there.spent());
        let Err(OverLimit::Calls { wait: again, .. }) = call(&late) else { panic!() };
        assert!(again <= wait);
    }
}
