//! What goes through the gateway, counted while it does.

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};

use super::ledger::{Counts, Ledger, OTHER, ToolCounts};
use super::phrases::learnt::Answer;
use weir_base::{Mutex, unix_now};

/// Stored results whose tool is remembered, and queries whose matches are.
const REMEMBERED_BLOBS: usize = 10_000;
const REMEMBERED_QUERIES: usize = 256;

/// The least digits of a stored result's id.
const MIN_ID_DIGITS: usize = 12;

/// A result as it came and as it was shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Passed<'a> {
    /// The client's session of the store.
    pub session: &'a str,
    /// Its bytes when it came.
    pub bytes_in: u64,
    /// Of these, what its client would not have passed.
    pub bytes_beyond: u64,
    /// Its bytes when it was shown.
    pub bytes_shown: u64,
    /// Whether it says that something went wrong.
    pub is_error: bool,
    /// Whether it was replaced.
    pub replaced: bool,
    /// The digests under which it is stored.
    pub blobs: &'a [String],
}

/// A stored result of this gateway.
#[derive(Debug)]
struct Stored {
    server: String,
    tool: String,
    /// When it came first, in seconds since 1970.
    since: u64,
    read: bool,
}

#[derive(Debug, Default)]
struct Inner {
    /// Since the start.
    total: Counts,
    /// Not in the ledger yet.
    pending: Counts,
    /// By digest, and by the session of the store that has it.
    blobs: BTreeMap<(String, String), Stored>,
    /// The matches of each query that was not followed by a call yet, the newest last.
    queries: VecDeque<Vec<String>>,
    unwritable: bool,
}

impl Inner {
    fn count(&mut self, server: &str, tool: &str, change: impl Fn(&mut ToolCounts)) {
        change(self.total.row(server, tool));
        change(self.pending.row(server, tool));
        self.begin();
    }

    fn count_search(&mut self, change: impl Fn(&mut super::ledger::SearchCounts)) {
        change(&mut self.total.searches);
        change(&mut self.pending.searches);
        self.begin();
    }

    fn begin(&mut self) {
        if self.pending.since == 0 {
            self.pending.since = unix_now();
        }
    }
}

/// Counts since the start.
#[derive(Debug, Default)]
pub struct Stats {
    inner: Mutex<Inner>,
    /// Calls of the tools that read stored results back.
    pub fetches: AtomicU64,
    /// Calls of `tool_search`.
    pub searches: AtomicU64,
    /// Requests of clients.
    pub requests: AtomicU64,
}

impl Stats {
    /// One more of something.
    pub fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// A result came and was shown.
    pub fn note_result(&self, server: &str, tool: &str, passed: Passed<'_>) {
        let mut inner = self.inner.lock();
        let mut new = 0;
        for digest in passed.blobs {
            if inner.blobs.len() >= REMEMBERED_BLOBS {
                // Any: what a model reads back is mostly recent, and a digest says nothing of its age.
                inner.blobs.pop_first();
            }
            let (server, tool) = (server.to_owned(), tool.to_owned());
            let stored = Stored { server, tool, since: unix_now(), read: false };
            let key = (digest.clone(), passed.session.to_owned());
            new += u64::from(!inner.blobs.contains_key(&key));
            inner.blobs.entry(key).or_insert(stored);
        }
        inner.count(server, tool, |counts| {
            counts.calls += 1;
            counts.errors += u64::from(passed.is_error);
            counts.bytes_in += passed.bytes_in;
            counts.bytes_beyond += passed.bytes_beyond;
            counts.bytes_shown += passed.bytes_shown;
            counts.replaced += u64::from(passed.replaced);
            counts.blobs += new;
        });
    }

    /// When the tool gave these bytes before, in seconds since 1970: the first time that they all came
    /// from it. `None` when some did not, or when there are none.
    pub fn given_since(
        &self,
        session: &str,
        server: &str,
        tool: &str,
        blobs: &[String],
    ) -> Option<u64> {
        let inner = self.inner.lock();
        let since = |digest: &String| {
            let stored = inner.blobs.get(&(digest.clone(), session.to_owned()))?;
            (stored.server == server && stored.tool == tool).then_some(stored.since)
        };
        let times: Option<Vec<u64>> = blobs.iter().map(since).collect();
        times?.into_iter().max()
    }

    /// A call had no answer.
    pub fn note_failure(&self, server: &str, tool: &str) {
        self.inner.lock().count(server, tool, |counts| {
            counts.calls += 1;
            counts.failures += 1;
        });
    }

    /// A stored result was read from, by the id that a model sent.
    pub fn note_fetch(&self, session: &str, id: &str, bytes: u64) {
        let id = id.trim().trim_start_matches("weir://blob/");
        let mut inner = self.inner.lock();
        let found = inner
            .blobs
            .range_mut((id.to_owned(), String::new())..)
            .take_while(|((digest, _), _)| id.len() >= MIN_ID_DIGITS && digest.starts_with(id))
            .find(|((_, of), _)| of == session);
        let (server, tool, first) = match found {
            Some((_, stored)) => {
                let first = !std::mem::replace(&mut stored.read, true);
                (stored.server.clone(), stored.tool.clone(), first)
            }
            None => (OTHER.to_owned(), OTHER.to_owned(), false),
        };
        inner.count(&server, &tool, |counts| {
            counts.fetches += 1;
            counts.bytes_fetched += bytes;
            counts.blobs_read += u64::from(first);
        });
    }

    /// A model was shown this of tools that it asked about.
    pub fn note_shown_of_tools(&self, text: &str) {
        let tokens = weir_text::tokens::of(text);
        self.inner.lock().count_search(|counts| {
            counts.bytes_shown += text.len() as u64;
            counts.tokens_shown += tokens;
        });
    }

    /// `tool_search` gave this answer.
    pub fn note_search(&self, answer: &str) {
        let Ok(answer) = serde_json::from_str::<Answer>(answer) else { return };
        let mut inner = self.inner.lock();
        for group in answer.results {
            let empty = group.matches.is_empty();
            inner.count_search(|counts| {
                counts.queries += 1;
                counts.empty += u64::from(empty);
            });
            if !empty {
                let names = group.matches.into_iter().map(|found| found.name).collect();
                inner.queries.push_back(names);
            }
        }
        let over = inner.queries.len().saturating_sub(REMEMBERED_QUERIES);
        inner.queries.drain(..over);
    }

    /// A tool was called through the bridge, by the name that searches show.
    pub fn note_bridged(&self, name: &str) {
        let mut inner = self.inner.lock();
        let rank = |names: &Vec<String>| names.iter().position(|found| found == name);
        let found = inner.queries.iter().enumerate().rev();
        let Some((at, rank)) = found.filter_map(|(at, q)| Some((at, rank(q)?))).next() else {
            return inner.count_search(|counts| counts.unsearched += 1);
        };
        inner.queries.remove(at);
        inner.count_search(|counts| {
            counts.called += 1;
            counts.first += u64::from(rank == 0);
            counts.first_five += u64::from(rank < 5);
        });
    }

    /// What was counted since the start.
    pub fn counts(&self) -> Counts {
        self.inner.lock().total.clone()
    }

    /// Puts into the ledger what is not there yet. What cannot be written is kept for the next time,
    /// and said once.
    pub fn write(&self, ledger: &Ledger) {
        let pending = std::mem::take(&mut self.inner.lock().pending);
        if pending.is_empty() {
            return;
        }
        let result = ledger.add(&pending);
        let mut inner = self.inner.lock();
        match result {
            Ok(()) => inner.unwritable = false,
            Err(error) => {
                inner.pending.add(&pending);
                if !std::mem::replace(&mut inner.unwritable, true) {
                    tracing::warn!(
                        "{} cannot be written, so counts are not kept: {error}; `weir stats --reset` \
                         begins anew",
                        ledger.path().display()
                    );
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_read_counts_for_the_tool_whose_result_it_was() {
        let stats = Stats::default();
        let blobs = ["ab".repeat(32), "cd".repeat(32)];
        let passed = Passed {
            session: "me",
            bytes_in: 900,
            bytes_shown: 90,
            replaced: true,
            blobs: &blobs,
            ..Passed::default()
        };
        assert_eq!(stats.given_since("me", "s", "t", &blobs), None);
        stats.note_result("s", "t", passed);
        assert!(stats.given_since("me", "s", "t", &blobs).is_some_and(|since| since <= unix_now()));
        assert_eq!(stats.given_since("me", "s", "other", &blobs), None);
        assert_eq!(stats.given_since("another client", "s", "t", &blobs), None);
        assert_eq!(stats.given_since("me", "s", "t", &["ef".repeat(32)]), None);
        assert_eq!(stats.given_since("me", "s", "t", &[]), None);
        stats.note_result("s", "t", passed);
        stats.note_fetch("me", "abababababab", 5);
        stats.note_fetch("me", " weir://blob/ababababababab ", 6);
        stats.note_fetch("me", "cd", 7);
        stats.note_fetch("me", "eeeeeeeeeeee", 8);
        let counts = stats.counts();
        let row = counts.servers["s"]["t"];
        assert_eq!((row.calls, row.replaced, row.blobs, row.blobs_read), (2, 2, 2, 1));
        assert_eq!((row.fetches, row.bytes_fetched, row.bytes_saved()), (2, 11, 1_609));
        // Of a long result no more is saved than the client would have passed.
        let long = Passed { bytes_in: 300_000_000, bytes_beyond: 299_900_000, ..passed };
        stats.note_result("s", "long", long);
        let row = stats.counts().servers["s"]["long"];
        assert_eq!((row.bytes_in, row.bytes_saved()), (300_000_000, 100_000 - 90));
        assert_eq!(counts.servers[OTHER][OTHER].bytes_fetched, 15);
    }

    #[test]
    fn a_call_counts_at_its_rank_in_the_last_search_that_found_it() {
        let stats = Stats::default();
        let search = |groups: &[&[&str]]| {
            let results: Vec<_> = groups
                .iter()
                .map(|names| {
                    let names = names.iter().map(|name| serde_json::json!({"name": name}));
                    serde_json::json!({"query": "q", "matches": names.collect::<Vec<_>>()})
                })
                .collect();
            stats.note_search(&serde_json::json!({"results": results}).to_string());
        };
        search(&[&["a", "b"], &[]]);
        search(&[&["x", "y", "z", "u", "v", "a"]]);
        stats.note_search(r#"{"note":"searched before"}"#);
        for name in ["a", "a", "a", "never"] {
            stats.note_bridged(name);
        }
        let searches = stats.counts().searches;
        assert_eq!((searches.queries, searches.empty, searches.called), (3, 1, 2));
        assert_eq!((searches.first, searches.first_five, searches.unsearched), (1, 1, 2));
    }

    #[test]
    fn what_cannot_be_written_is_written_later() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = Ledger::new(dir.path());
        let stats = Stats::default();
        stats.note_failure("s", "t");
        std::fs::write(ledger.path(), "no JSON").unwrap();
        stats.write(&ledger);
        ledger.reset().unwrap();
        stats.note_failure("s", "t");
        stats.write(&ledger);
        stats.write(&ledger);
        assert_eq!(ledger.load().unwrap().total().failures, 2);
    }
}
