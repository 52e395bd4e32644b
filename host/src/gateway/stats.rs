//! What went through the gateway, in numbers.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// Numbers for one server.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub struct ServerStats {
    /// Calls of its tools that were answered.
    pub results: u64,
    /// Bytes of results that came from it.
    pub bytes_in: u64,
    /// Bytes of results that clients were shown.
    pub bytes_shown: u64,
    /// Results that were replaced.
    pub replaced: u64,
    /// Calls without an answer.
    pub failures: u64,
}

/// Counts since the start.
#[derive(Debug, Default)]
pub struct Stats {
    servers: Mutex<BTreeMap<String, ServerStats>>,
    /// Calls of the tools that read stored results back.
    pub fetches: AtomicU64,
    /// Calls of `tool_search`.
    pub searches: AtomicU64,
    /// Requests of clients.
    pub requests: AtomicU64,
}

impl Stats {
    fn update(&self, server: &str, change: impl FnOnce(&mut ServerStats)) {
        let mut servers = self.servers.lock().unwrap_or_else(PoisonError::into_inner);
        change(servers.entry(server.to_owned()).or_default());
    }

    /// A result came and was shown.
    pub fn note_result(&self, server: &str, bytes_in: u64, bytes_shown: u64, replaced: bool) {
        self.update(server, |stats| {
            stats.results += 1;
            stats.bytes_in += bytes_in;
            stats.bytes_shown += bytes_shown;
            stats.replaced += u64::from(replaced);
        });
    }

    /// A call had no answer.
    pub fn note_failure(&self, server: &str) {
        self.update(server, |stats| stats.failures += 1);
    }

    /// One more of something.
    pub fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// The numbers of each server.
    pub fn servers(&self) -> BTreeMap<String, ServerStats> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}
