//! How much one client may ask for. A client is its token here: a new session is no new allowance.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::profile::Limits;
use super::profile::Profile;
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

#[derive(Debug)]
struct Account {
    calls: f64,
    /// Below zero after a call that went beyond.
    bytes: f64,
    at: Instant,
    running: u32,
}

/// What clients have used of their limits, by the name of their token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Meter(Arc<Mutex<BTreeMap<String, Account>>>);

/// A call within the limits. It counts as running until this is dropped.
#[derive(Debug)]
pub(crate) struct Permit {
    meter: Meter,
    name: String,
}

impl Meter {
    /// Takes a call with so many bytes of arguments into account.
    ///
    /// # Errors
    /// When it may not be made now.
    pub(crate) fn admit(
        &self,
        profile: &Profile,
        limits: &Limits,
        bytes: u64,
    ) -> Result<Permit, OverLimit> {
        self.admit_at(profile, limits, bytes, Instant::now())
    }

    fn admit_at(
        &self,
        profile: &Profile,
        limits: &Limits,
        bytes: u64,
        now: Instant,
    ) -> Result<Permit, OverLimit> {
        if let Some(limit) = limits.argument_bytes.filter(|limit| bytes > *limit) {
            return Err(OverLimit::Arguments { bytes, limit });
        }
        let most_calls = limits.calls_per_minute.map(f64::from);
        let most_bytes = limits.bytes_per_minute.map(|bytes| bytes as f64);
        let mut accounts = self.0.lock();
        let account = accounts.entry(profile.name.clone()).or_insert_with(|| Account {
            calls: most_calls.unwrap_or(f64::INFINITY),
            bytes: most_bytes.unwrap_or(f64::INFINITY),
            at: now,
            running: 0,
        });
        let minutes = now.saturating_duration_since(account.at).as_secs_f64() / 60.0;
        account.at = now;
        let refill = |left: f64, most: Option<f64>| {
            most.map_or(f64::INFINITY, |most| most.min(left + most * minutes))
        };
        account.calls = refill(account.calls, most_calls);
        account.bytes = refill(account.bytes, most_bytes);
        // How long until so much is there again.
        let wait = |lacking: f64, most: f64| {
            Duration::from_secs_f64((lacking / most * 60.0).clamp(0.0, 3_600.0))
        };
        if let Some(limit) = limits.parallel_calls.filter(|limit| account.running >= *limit) {
            return Err(OverLimit::Parallel { limit });
        }
        if let (Some(limit), Some(most)) = (limits.calls_per_minute, most_calls)
            && account.calls < 1.0
        {
            return Err(OverLimit::Calls { limit, wait: wait(1.0 - account.calls, most) });
        }
        if let (Some(limit), Some(most)) = (limits.bytes_per_minute, most_bytes)
            && account.bytes <= 0.0
        {
            return Err(OverLimit::Bytes { limit, wait: wait(1.0 - account.bytes, most) });
        }
        account.calls -= 1.0;
        account.bytes -= bytes as f64;
        account.running += 1;
        Ok(Permit { meter: self.clone(), name: profile.name.clone() })
    }
}

impl Permit {
    /// Counts bytes of the answer.
    pub(crate) fn spend(&self, bytes: u64) {
        let mut accounts = self.meter.0.lock();
        if let Some(account) = accounts.get_mut(&self.name) {
            account.bytes -= bytes as f64;
        }
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut accounts = self.meter.0.lock();
        if let Some(account) = accounts.get_mut(&self.name) {
            account.running = account.running.saturating_sub(1);
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
            meter.admit_at(who, &limits, 9, start + Duration::from_secs(seconds)).map(drop)
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
            meter.admit_at(&anna, &limits, bytes, start + Duration::from_secs(seconds))
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
}
