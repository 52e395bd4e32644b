//! The counts of all gateways that ran on one state directory, in one small file.
//!
//! Each gateway adds what it counted since it last did, under a lock on a file beside, and replaces the
//! file by a rename. So several add up, readers see a whole file, and one that is killed loses what it
//! counted since. There are names of servers, tools and clients in it, and numbers; nothing else.
//!
//! The balance is in estimated tokens, each counted once, and never held at nought: a loss is a loss.

use std::collections::BTreeMap;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use weir_base::group;
use weir_base::private::{locked, read_json, write_json};

/// Rows that the file may have. What further tools count goes to [`OTHER`].
const MAX_ROWS: usize = 2_000;

/// Bytes of a name. Servers and tools name themselves.
const MAX_NAME_BYTES: usize = 200;

/// Clients, or kinds, that the file may have. Further ones go to [`OTHER`].
const MAX_NAMES: usize = 200;

/// Days that are kept.
const MAX_DAYS: usize = 400;

/// What a context was spared and what it was charged, in estimated tokens.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Balance {
    /// What its client would have passed of replaced results, less what was shown of them.
    pub kept_out: i64,
    /// Of the same results given again: what the provider's cache would have saved without us.
    pub repeats: i64,
    /// What was read back, and the calls that did.
    pub read_back: i64,
    /// The definitions of the servers' tools, less what was listed in their place, once for each session.
    pub definitions: i64,
    /// Sessions in which clients were shown a list.
    pub lists: u64,
    /// Answers to searches, and definitions that were asked for.
    pub searched: i64,
}

impl Balance {
    /// Of a result that was replaced: what would have been passed of it, what was shown, and whether it came before.
    pub fn of_result(before: u64, shown: u64, is_repeat: bool) -> Balance {
        // A cached token costs a tenth.
        let repeats = if is_repeat { before - before.div_ceil(10) } else { 0 };
        Balance {
            kept_out: signed(before) - signed(shown),
            repeats: signed(repeats),
            ..Balance::default()
        }
    }

    /// What is left of what was kept out.
    pub fn net(&self) -> i64 {
        self.kept_out - self.repeats - self.read_back + self.definitions - self.searched
    }

    /// What it comes to, in a sentence.
    pub fn in_words(&self) -> String {
        let net = self.net();
        let what = if net < 0 { "costs" } else { "saves" };
        match self.lists {
            0 => format!("Weir {what} {} tokens", group(net.unsigned_abs())),
            1 => format!("Weir {what} {} tokens a session", group(net.unsigned_abs())),
            lists => format!(
                "Weir {what} {} tokens a session ({} in {})",
                group(net.unsigned_abs() / lists),
                group(net),
                group(lists),
            ),
        }
    }

    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &Balance) {
        self.kept_out += other.kept_out;
        self.repeats += other.repeats;
        self.read_back += other.read_back;
        self.definitions += other.definitions;
        self.lists += other.lists;
        self.searched += other.searched;
    }
}

/// A count as a number that may be taken off.
pub(crate) fn signed(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

/// What a balance belongs to.
#[derive(Debug, Clone, Copy, Default)]
pub struct Owner<'a> {
    /// What the client calls itself.
    pub client: &'a str,
    /// Server and tool, where it is of one.
    pub tool: Option<(&'a str, &'a str)>,
    /// The media type of the result; empty where it is of none.
    pub kind: &'a str,
}

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
    /// Milliseconds that its calls took.
    pub millis: u64,
    /// Milliseconds of the longest.
    pub slowest_millis: u64,
    /// Bytes of results that came from the server.
    pub bytes_in: u64,
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
    /// Results of which as much was read back as had been kept out: each is a loss.
    pub read_whole: u64,
    /// Bytes of the longest of these that its client would have passed.
    pub read_whole_bytes: u64,
    /// Bytes up to which results pass whole, as too many were read back whole; 0 while none do.
    pub whole_up_to: u64,
    /// What it saved and cost.
    pub tokens: Balance,
}

impl ToolCounts {
    /// Adds what was counted elsewhere.
    pub fn add(&mut self, other: &ToolCounts) {
        self.calls += other.calls;
        self.errors += other.errors;
        self.failures += other.failures;
        self.millis += other.millis;
        self.slowest_millis = self.slowest_millis.max(other.slowest_millis);
        self.bytes_in += other.bytes_in;
        self.bytes_shown += other.bytes_shown;
        self.replaced += other.replaced;
        self.blobs += other.blobs;
        self.blobs_read += other.blobs_read;
        self.fetches += other.fetches;
        self.bytes_fetched += other.bytes_fetched;
        self.read_whole += other.read_whole;
        self.read_whole_bytes = self.read_whole_bytes.max(other.read_whole_bytes);
        self.whole_up_to = self.whole_up_to.max(other.whole_up_to);
        self.tokens.add(&other.tokens);
    }

    /// Whether results were read back whole too often: of those that were replaced, at least half.
    pub(crate) fn is_read_whole(&self) -> bool {
        self.read_whole >= TOO_OFTEN && 2 * self.read_whole >= self.replaced
    }

    /// Bytes up to which results of this tool pass whole.
    pub fn passes_whole(&self) -> Option<u64> {
        (self.whole_up_to > 0).then_some(self.whole_up_to)
    }
}

/// Results of one tool that are read back whole before its threshold may move.
const TOO_OFTEN: u64 = 3;

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
    /// How many servers stood behind the last list.
    pub listed_servers: u64,
    /// All that was saved and charged.
    pub balance: Balance,
    /// The same by what clients call themselves.
    pub clients: BTreeMap<String, Balance>,
    /// By media type.
    pub kinds: BTreeMap<String, Balance>,
    /// By day.
    pub days: BTreeMap<String, Balance>,
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

    /// Enters what was saved or charged at this time, in seconds since 1970, wherever it belongs.
    pub fn enter(&mut self, owner: Owner<'_>, time: u64, entry: &Balance) {
        if let Some((server, tool)) = owner.tool {
            self.row(server, tool).tokens.add(entry);
        }
        let (year, month, day, _) = weir_base::date(time);
        self.balance.add(entry);
        let client = if owner.client.is_empty() { OTHER } else { owner.client };
        named(&mut self.clients, client).add(entry);
        if !owner.kind.is_empty() {
            named(&mut self.kinds, owner.kind).add(entry);
        }
        self.days.entry(format!("{year}-{month:02}-{day:02}")).or_default().add(entry);
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
        if other.listed_servers > 0 {
            self.listed_servers = other.listed_servers;
        }
        self.balance.add(&other.balance);
        other.clients.iter().for_each(|(name, of)| named(&mut self.clients, name).add(of));
        other.kinds.iter().for_each(|(name, of)| named(&mut self.kinds, name).add(of));
        for (day, of) in &other.days {
            self.days.entry(day.clone()).or_default().add(of);
        }
        while self.days.len() > MAX_DAYS {
            self.days.pop_first();
        }
    }

    /// Whether there is nothing.
    pub fn is_empty(&self) -> bool {
        self.servers.is_empty()
            && self.searches == SearchCounts::default()
            && self.balance == Balance::default()
    }
}

/// The balance of this name, made when there is room for it.
fn named<'a>(all: &'a mut BTreeMap<String, Balance>, name: &str) -> &'a mut Balance {
    let name = clipped(name);
    let has_room = all.len() < MAX_NAMES || all.contains_key(name);
    all.entry(if has_room { name } else { OTHER }.to_owned()).or_default()
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
        *counts.row(server, tool) = ToolCounts { calls: 1, ..ToolCounts::default() };
        let owner = Owner { client: "c", tool: Some((server, tool)), kind: "text/plain" };
        counts.enter(owner, 86_400, &Balance::of_result(10, 4, false));
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
        assert_eq!((counts.since, counts.server("s").tokens.net()), (7, 600));
        let all = [&counts.clients["c"], &counts.kinds["text/plain"], &counts.days["1970-01-02"]];
        assert!(all.into_iter().all(|balance| *balance == counts.balance));
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
    fn a_balance_is_never_held_at_nought() {
        let mut balance = Balance::of_result(1_000, 100, false);
        balance.add(&Balance::of_result(1_000, 100, true));
        assert_eq!((balance.kept_out, balance.repeats, balance.net()), (1_800, 900, 900));
        // Asked for again, and passed whole with a line that says so.
        balance.add(&Balance::of_result(1_000, 1_010, true));
        balance.add(&Balance {
            read_back: 20,
            definitions: -62,
            searched: 5,
            ..Balance::default()
        });
        assert_eq!(balance.net(), -97);
    }

    #[test]
    fn it_stays_small_whatever_tools_call_themselves() {
        let mut counts = Counts::default();
        for n in 0..3 * MAX_ROWS {
            let name = format!("{n}{}", "é".repeat(500));
            counts.row("s", &name).calls += 1;
            let owner = Owner { client: &name, tool: None, kind: &name };
            counts.enter(owner, n as u64 * 86_400, &Balance { lists: 1, ..Balance::default() });
        }
        assert_eq!(counts.total().calls, 3 * MAX_ROWS as u64);
        assert_eq!(counts.servers[OTHER][OTHER].calls, 2 * MAX_ROWS as u64);
        assert_eq!((counts.clients.len(), counts.kinds.len()), (MAX_NAMES + 1, MAX_NAMES + 1));
        let mut again = Counts::default();
        again.add(&counts);
        assert_eq!((again.days.len(), again.balance.lists), (MAX_DAYS, 3 * MAX_ROWS as u64));
        assert!(serde_json::to_vec(&again).unwrap().len() < MAX_ROWS * 1_000);
    }
}
