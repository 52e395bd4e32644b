//! The counts of all gateways that ran on one state directory, in one small file.
//!
//! Each gateway adds what it counted since it last did, under a lock on a file beside, and replaces the
//! file by a rename. So several add up, readers see a whole file, and one that is killed loses what it
//! counted since. There are names of servers and tools in it, and numbers; nothing else.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use weir_base::private::{locked, read_json, write_json};

/// Rows that the file may have. What further tools count goes to [`OTHER`].
const MAX_ROWS: usize = 2_000;

/// Bytes of a name. Servers and tools name themselves.
const MAX_NAME_BYTES: usize = 200;

/// The tool of rows that there is no room for, and of stored results whose tool is not known any more.
pub const OTHER: &str = "(other)";

/// What was counted for one tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct ToolCounts {
    /// Calls: all that were sent to the server.
    pub calls: u64,
    /// Calls that the server answered with an error.
    pub errors: u64,
    /// Calls that had no answer.
    pub failures: u64,
    /// Bytes of results that came from the server.
    pub bytes_in: u64,
    /// Of these, what was replaced and is longer than a client passes (`transform.client_max_chars`).
    pub bytes_beyond: u64,
    /// Bytes of results that clients were shown.
    pub bytes_shown: u64,
    /// Results that were replaced.
    pub replaced: u64,
    /// Different results that were stored, counted anew by each gateway.
    pub blobs: u64,
    /// Of these, how many were read from at least once.
    pub blobs_read: u64,
    /// Reads of stored results.
    pub fetches: u64,
    /// Bytes of text that these gave back.
    pub bytes_fetched: u64,
}

impl ToolCounts {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &ToolCounts) {
        self.calls += other.calls;
        self.errors += other.errors;
        self.failures += other.failures;
        self.bytes_in += other.bytes_in;
        self.bytes_beyond += other.bytes_beyond;
        self.bytes_shown += other.bytes_shown;
        self.replaced += other.replaced;
        self.blobs += other.blobs;
        self.blobs_read += other.blobs_read;
        self.fetches += other.fetches;
        self.bytes_fetched += other.bytes_fetched;
    }

    /// Bytes that did not reach the model although its client would have passed them, what it read back
    /// taken off. Less than nothing when it read more back than was held from it.
    pub fn bytes_saved(&self) -> i64 {
        let signed = |bytes: u64| i64::try_from(bytes).unwrap_or(i64::MAX);
        signed(self.bytes_in)
            .saturating_sub(signed(self.bytes_beyond))
            .saturating_sub(signed(self.bytes_shown))
            .saturating_sub(signed(self.bytes_fetched))
    }
}

/// What was counted of searches for tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct SearchCounts {
    /// Queries.
    pub queries: u64,
    /// Queries that had no match.
    pub empty: u64,
    /// Queries of which a match was then called. The first such call counts, the others do not.
    pub called: u64,
    /// Of these, where it was the first match.
    pub first: u64,
    /// Of these, where it was among the first five matches.
    pub first_five: u64,
    /// Calls through the bridge of tools that no search before had found.
    pub unsearched: u64,
    /// Bytes of the answers to searches, and of the definitions that were asked for.
    pub bytes_shown: u64,
    /// Estimated tokens of these.
    pub tokens_shown: u64,
}

impl SearchCounts {
    fn add(&mut self, other: &SearchCounts) {
        self.queries += other.queries;
        self.empty += other.empty;
        self.called += other.called;
        self.first += other.first;
        self.first_five += other.first_five;
        self.unsearched += other.unsearched;
        self.bytes_shown += other.bytes_shown;
        self.tokens_shown += other.tokens_shown;
    }
}

/// What was counted.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Counts {
    /// When counting began, in seconds since 1970.
    pub since: u64,
    /// By server and tool, under the names that they have at the servers.
    pub servers: BTreeMap<String, BTreeMap<String, ToolCounts>>,
    /// Searches for tools.
    pub searches: SearchCounts,
}

impl Counts {
    /// The row of a tool, made when there is none and room for it.
    pub fn row(&mut self, server: &str, tool: &str) -> &mut ToolCounts {
        let (server, tool) = (clipped(server), clipped(tool));
        let known = self.servers.get(server).is_some_and(|tools| tools.contains_key(tool));
        let rows: usize = self.servers.values().map(BTreeMap::len).sum();
        let (server, tool) = match known || rows < MAX_ROWS {
            true => (server, tool),
            false => (OTHER, OTHER),
        };
        self.servers.entry(server.to_owned()).or_default().entry(tool.to_owned()).or_default()
    }

    /// All tools of a server together.
    pub fn server(&self, server: &str) -> ToolCounts {
        let mut sum = ToolCounts::default();
        self.servers.get(server).into_iter().flat_map(BTreeMap::values).for_each(|c| sum.add(c));
        sum
    }

    /// All tools of all servers together.
    pub fn total(&self) -> ToolCounts {
        let mut sum = ToolCounts::default();
        self.servers.values().flat_map(BTreeMap::values).for_each(|counts| sum.add(counts));
        sum
    }

    /// Adds what was counted elsewhere. Counting began when the first of the two did.
    pub fn add(&mut self, other: &Counts) {
        self.since = match (self.since, other.since) {
            (0, since) | (since, 0) => since,
            (a, b) => a.min(b),
        };
        for (server, tools) in &other.servers {
            for (tool, counts) in tools {
                self.row(server, tool).add(counts);
            }
        }
        self.searches.add(&other.searches);
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.servers.is_empty() && self.searches == SearchCounts::default()
    }
}

fn clipped(name: &str) -> &str {
    &name[..name.floor_char_boundary(MAX_NAME_BYTES)]
}

/// The file.
#[derive(Debug, Clone)]
pub struct Ledger {
    dir: PathBuf,
}

impl Ledger {
    /// In the state directory `dir`, where it is made when first written.
    pub fn new(dir: &Path) -> Ledger {
        Ledger { dir: dir.to_owned() }
    }

    /// The file's place.
    pub fn path(&self) -> PathBuf {
        self.dir.join("stats.json")
    }

    /// What was counted so far; nothing when there is no file.
    ///
    /// # Errors
    /// When the file cannot be read or is none of ours.
    pub fn load(&self) -> io::Result<Counts> {
        read_json(&self.path())
    }

    /// Adds to it.
    ///
    /// # Errors
    /// When it cannot be locked, read or replaced. Then nothing was added.
    pub fn add(&self, more: &Counts) -> io::Result<()> {
        let _lock = self.lock()?;
        let mut counts = self.load()?;
        counts.add(more);
        write_json(&self.path(), &counts)
    }

    /// Begins anew. Gateways that run go on adding what they count from now on.
    ///
    /// # Errors
    /// When it cannot be locked or removed.
    pub fn reset(&self) -> io::Result<()> {
        let _lock = self.lock()?;
        match std::fs::remove_file(self.path()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
            _ => Ok(()),
        }
    }

    /// Held until it is dropped, or its holder is gone.
    fn lock(&self) -> io::Result<File> {
        locked(&self.dir.join("stats.lock"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one(server: &str, tool: &str) -> Counts {
        let mut counts = Counts { since: 7, ..Counts::default() };
        *counts.row(server, tool) =
            ToolCounts { calls: 1, bytes_in: 10, bytes_shown: 4, ..ToolCounts::default() };
        counts
    }

    #[test]
    fn several_writers_lose_nothing() {
        let dir = tempfile::tempdir().unwrap();
        std::thread::scope(|scope| {
            for writer in 0..4 {
                let ledger = Ledger::new(&dir.path().join("state"));
                scope.spawn(move || {
                    for _ in 0..25 {
                        ledger.add(&one("s", &format!("t{}", writer % 2))).unwrap();
                    }
                });
            }
        });
        let ledger = Ledger::new(&dir.path().join("state"));
        let counts = ledger.load().unwrap();
        assert_eq!((counts.total().calls, counts.servers["s"]["t1"].calls), (100, 50));
        assert_eq!((counts.since, counts.server("s").bytes_saved()), (7, 600));
        ledger.reset().unwrap();
        ledger.reset().unwrap();
        assert!(ledger.load().unwrap().is_empty());
    }

    #[test]
    fn a_file_that_is_none_of_ours_is_left_as_it_is() {
        let dir = tempfile::tempdir().unwrap();
        let ledger = Ledger::new(dir.path());
        std::fs::write(ledger.path(), "half of {").unwrap();
        assert!(ledger.load().is_err() && ledger.add(&one("s", "t")).is_err());
        assert_eq!(std::fs::read_to_string(ledger.path()).unwrap(), "half of {");
        ledger.reset().unwrap();
        ledger.add(&one("s", "t")).unwrap();
        assert_eq!(ledger.load().unwrap().total().calls, 1);
    }

    #[test]
    fn it_stays_small_whatever_tools_call_themselves() {
        let mut counts = Counts::default();
        for n in 0..3 * MAX_ROWS {
            counts.row("s", &format!("{n}{}", "é".repeat(500))).calls += 1;
        }
        assert_eq!(counts.total().calls, 3 * MAX_ROWS as u64);
        assert_eq!(counts.servers[OTHER][OTHER].calls, 2 * MAX_ROWS as u64);
        assert!(serde_json::to_vec(&counts).unwrap().len() < MAX_ROWS * 600);
    }
}
