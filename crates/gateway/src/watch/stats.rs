//! What goes through the gateway, counted while it does.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use crate::clients::identity::Identity;
use crate::search::phrases::learnt::Answer;
use crate::watch::ledger::{Balance, Counts, Ledger, OTHER, Owner, ToolCounts, signed};
use weir_base::{Mutex, unix_now};

/// Stored results whose tool is remembered, and queries whose matches are.
const REMEMBERED_BLOBS: usize = 10_000;
const REMEMBERED_QUERIES: usize = 256;

/// Sessions whose list is remembered.
const REMEMBERED_LISTS: usize = 10_000;

/// The least digits of a stored result's id.
const MIN_ID_DIGITS: usize = 12;

/// Calls that the page of a gateway shows, and for how many seconds.
const CALLS: usize = 2_000;
const CALLS_SECONDS: u64 = 3_600;

/// A call of a tool that was made lately.
#[derive(Debug, Clone)]
pub(crate) struct Call {
    /// Whose it is.
    pub who: Arc<Identity>,
    /// What the client calls itself.
    pub client: String,
    /// Its server.
    pub server: String,
    /// Its tool.
    pub tool: String,
    /// When it ended, in seconds since 1970.
    pub time: u64,
    /// How long it took.
    pub millis: u64,
    /// Bytes of the answer as the client got it.
    pub bytes: u64,
    /// How it ended, in a word.
    pub ended: &'static str,
}

/// A result as it came and as it was shown.
#[derive(Debug, Clone, Copy, Default)]
pub struct Passed<'a> {
    /// The client's session of the store.
    pub session: &'a str,
    /// What the client calls itself.
    pub client: &'a str,
    /// The media type of what was replaced.
    pub kind: &'a str,
    /// Its bytes when it came.
    pub bytes_in: u64,
    /// Its bytes when it was shown.
    pub bytes_shown: u64,
    /// Estimated tokens that its client would have passed and was shown; nothing where it was left as it is.
    pub tokens: (u64, u64),
    /// Bytes of it that its client would have passed.
    pub bytes_passed: u64,
    /// Whether it says that something went wrong.
    pub is_error: bool,
    /// Whether it was replaced.
    pub replaced: bool,
    /// Whether the tool gave the same before.
    pub is_repeat: bool,
    /// The digests under which it is stored.
    pub blobs: &'a [String],
}

/// A stored result of this gateway.
#[derive(Debug)]
struct Stored {
    server: String,
    tool: String,
    kind: String,
    /// When it came first, in seconds since 1970.
    since: u64,
    read: bool,
    /// Tokens that were kept out and are not read back yet, and bytes of the result.
    left: i64,
    bytes: u64,
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
    /// What the list saves that clients were shown last, by session and by what the client calls itself.
    lists: BTreeMap<((Arc<str>, u64), String), i64>,
    /// What earlier gateways counted.
    earlier: Counts,
    /// The newest last; `None` where nobody looks at them.
    calls: Option<VecDeque<Call>>,
    unwritable: bool,
}

impl Inner {
    fn count(&mut self, server: &str, tool: &str, change: impl Fn(&mut ToolCounts)) {
        change(self.total.row(server, tool));
        change(self.pending.row(server, tool));
        self.begin();
    }

    fn count_search(&mut self, change: impl Fn(&mut crate::watch::ledger::SearchCounts)) {
        change(&mut self.total.searches);
        change(&mut self.pending.searches);
        self.begin();
    }

    fn enter(&mut self, owner: Owner<'_>, entry: &Balance) {
        self.total.enter(owner, unix_now(), entry);
        self.pending.enter(owner, unix_now(), entry);
        self.begin();
    }

    /// So many tokens were read back of a stored result. When they are all that was kept out, it was a loss.
    fn read(&mut self, key: &(String, String), tokens: u64) {
        let Some(stored) = self.blobs.get_mut(key) else { return };
        let was_left = stored.left;
        stored.left -= signed(tokens);
        if was_left <= 0 || stored.left > 0 {
            return;
        }
        let (server, tool) = (stored.server.clone(), stored.tool.clone());
        let lost =
            ToolCounts { read_whole: 1, read_whole_bytes: stored.bytes, ..ToolCounts::default() };
        self.count(&server, &tool, |counts| counts.add(&lost));
        let all = self.all(&server, &tool);
        if all.is_read_whole() {
            self.count(&server, &tool, |counts| counts.whole_up_to = all.read_whole_bytes);
        }
    }

    /// A tool's counts of all gateways up to now.
    fn all(&self, server: &str, tool: &str) -> ToolCounts {
        let mut all = ToolCounts::default();
        for counts in [&self.earlier, &self.total] {
            let row = counts.servers.get(server).and_then(|tools| tools.get(tool));
            all.add(row.unwrap_or(&ToolCounts::default()));
        }
        all
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
    /// Goes on from what earlier gateways counted: which tools' results were read back whole.
    pub(crate) fn after(counts: Counts) -> Stats {
        let stats = Stats::default();
        stats.inner.lock().earlier = counts;
        stats
    }

    /// One more of something.
    pub fn count(counter: &AtomicU64) {
        counter.fetch_add(1, Ordering::Relaxed);
    }

    /// From now on the last calls are remembered, for a page that shows them.
    pub(crate) fn remember_calls(&self) {
        self.inner.lock().calls.get_or_insert_default();
    }

    /// Remembers one.
    pub(crate) fn remember(&self, call: Call) {
        if let Some(calls) = &mut self.inner.lock().calls {
            calls.push_back(call);
            let over = calls.len().saturating_sub(CALLS);
            calls.drain(..over);
        }
    }

    /// Those of the last hour by this token's clients, the newest first.
    pub(crate) fn calls(&self, token: &str) -> Vec<Call> {
        let (inner, from) = (self.inner.lock(), unix_now().saturating_sub(CALLS_SECONDS));
        let all = inner.calls.iter().flatten().rev();
        all.filter(|call| call.who.profile.name == token && call.time >= from).cloned().collect()
    }

    /// Bytes up to which results of a tool pass whole, as they were read back whole too often.
    pub(crate) fn passes_whole(&self, server: &str, tool: &str) -> Option<u64> {
        self.inner.lock().all(server, tool).passes_whole()
    }

    /// A result came and was shown.
    pub fn note_result(&self, server: &str, tool: &str, passed: Passed<'_>) {
        let mut inner = self.inner.lock();
        let mut new = 0;
        let (before, shown) = passed.tokens;
        let entry = Balance::of_result(before, shown, passed.is_repeat);
        for digest in passed.blobs {
            let key = (digest.clone(), passed.session.to_owned());
            if passed.is_repeat {
                // Asked for again and shown whole, it is read back whole.
                inner.read(&key, shown / passed.blobs.len() as u64);
                continue;
            }
            if inner.blobs.len() >= REMEMBERED_BLOBS {
                // Any: what a model reads back is mostly recent, and a digest says nothing of its age.
                inner.blobs.pop_first();
            }
            new += u64::from(!inner.blobs.contains_key(&key));
            inner.blobs.entry(key).or_insert_with(|| Stored {
                server: server.to_owned(),
                tool: tool.to_owned(),
                kind: passed.kind.to_owned(),
                since: unix_now(),
                read: false,
                left: entry.kept_out / passed.blobs.len() as i64,
                bytes: passed.bytes_passed,
            });
        }
        inner.count(server, tool, |counts| {
            counts.calls += 1;
            counts.errors += u64::from(passed.is_error);
            counts.bytes_in += passed.bytes_in;
            counts.bytes_shown += passed.bytes_shown;
            counts.replaced += u64::from(passed.replaced);
            counts.blobs += new;
        });
        if passed.replaced {
            let owner =
                Owner { client: passed.client, tool: Some((server, tool)), kind: passed.kind };
            inner.enter(owner, &entry);
        }
    }

    /// A call of a tool took so long.
    pub(crate) fn note_time(&self, server: &str, tool: &str, took: Duration) {
        let millis = u64::try_from(took.as_millis()).unwrap_or(u64::MAX);
        let took = ToolCounts { millis, slowest_millis: millis, ..ToolCounts::default() };
        self.inner.lock().count(server, tool, |counts| counts.add(&took));
    }

    /// A client was shown a list of tools in a session, whose servers' definitions take so many tokens. The last list of a
    /// session is the one that counts.
    pub(crate) fn note_list(
        &self,
        session: (Arc<str>, u64),
        client: &str,
        servers: usize,
        (direct, shown): (u64, u64),
    ) {
        let saved = signed(direct) - signed(shown);
        let mut inner = self.inner.lock();
        inner.pending.listed_servers = servers as u64;
        let before = inner.lists.insert((session, client.to_owned()), saved);
        if inner.lists.len() > REMEMBERED_LISTS {
            inner.lists.pop_first();
        }
        let (definitions, lists) = (saved - before.unwrap_or(0), u64::from(before.is_none()));
        if definitions != 0 || lists > 0 {
            let list = Balance { definitions, lists, ..Balance::default() };
            inner.enter(Owner { client, ..Owner::default() }, &list);
        }
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

    /// A stored result was read from, by the id that a model sent: with this call, which gave this text.
    pub fn note_fetch(&self, session: &str, client: &str, id: &str, call: &str, text: &str) {
        let id = id.trim().trim_start_matches("weir://blob/");
        let tokens = weir_text::tokens::of(call) + weir_text::tokens::of(text);
        let mut inner = self.inner.lock();
        let found = inner
            .blobs
            .range_mut((id.to_owned(), String::new())..)
            .take_while(|((digest, _), _)| id.len() >= MIN_ID_DIGITS && digest.starts_with(id))
            .find(|((_, of), _)| of == session);
        let found = found.map(|(key, stored)| {
            let first = !std::mem::replace(&mut stored.read, true);
            (key.clone(), stored.server.clone(), stored.tool.clone(), stored.kind.clone(), first)
        });
        let (server, tool, kind, first) = match found {
            Some((key, server, tool, kind, first)) => {
                inner.read(&key, tokens);
                (server, tool, kind, first)
            }
            None => (OTHER.to_owned(), OTHER.to_owned(), OTHER.to_owned(), false),
        };
        inner.count(&server, &tool, |counts| {
            counts.fetches += 1;
            counts.bytes_fetched += text.len() as u64;
            counts.blobs_read += u64::from(first);
        });
        let owner = Owner { client, tool: Some((&server, &tool)), kind: &kind };
        inner.enter(owner, &Balance { read_back: signed(tokens), ..Balance::default() });
    }

    /// A model was shown this of tools that it asked about.
    pub fn note_shown_of_tools(&self, client: &str, text: &str) {
        let tokens = weir_text::tokens::of(text);
        let mut inner = self.inner.lock();
        inner.count_search(|counts| {
            counts.bytes_shown += text.len() as u64;
            counts.tokens_shown += tokens;
        });
        let owner = Owner { client, ..Owner::default() };
        inner.enter(owner, &Balance { searched: signed(tokens), ..Balance::default() });
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

    /// What was counted since the start, and by gateways before it.
    pub(crate) fn all_counts(&self) -> Counts {
        let inner = self.inner.lock();
        let mut all = inner.earlier.clone();
        all.add(&inner.total);
        all
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
            client: "c",
            kind: "text/plain",
            tokens: (900, 100),
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
        stats.note_result("s", "t", Passed { is_repeat: true, ..passed });
        for (id, call, text) in [
            ("abababababab", "a call", "five words of a text"),
            (" weir://blob/ababababababab ", "", "word"),
            ("cd", "", "of nobody"),
            ("eeeeeeeeeeee", "", "of nobody"),
        ] {
            stats.note_fetch("me", "c", id, call, text);
        }
        let counts = stats.counts();
        let row = counts.servers["s"]["t"];
        assert_eq!((row.calls, row.replaced, row.blobs, row.blobs_read), (2, 2, 2, 1));
        let tokens = weir_text::tokens::of;
        let read = tokens("a call") + tokens("five words of a text") + tokens("word");
        assert_eq!((row.fetches, row.tokens.kept_out, row.tokens.repeats), (2, 1_600, 810));
        assert_eq!(row.tokens.net(), 790 - read as i64);
        let other = counts.servers[OTHER][OTHER];
        assert_eq!(other.tokens.net(), -2 * tokens("of nobody") as i64);
        assert_eq!(counts.balance.net(), row.tokens.net() + other.tokens.net());
        assert_eq!(counts.clients["c"], counts.balance);
        assert_eq!(counts.kinds["text/plain"], row.tokens);
    }

    #[test]
    fn from_the_third_result_that_is_read_back_whole_results_of_a_tool_pass_whole() {
        let stats = Stats::default();
        let text = "word ".repeat(300);
        let read = |stats: &Stats, digest: String, times: u64| {
            let blobs = [digest];
            let passed = Passed {
                session: "me",
                tokens: (700, 100),
                bytes_passed: 2_000 + times,
                replaced: true,
                blobs: &blobs,
                ..Passed::default()
            };
            stats.note_result("s", "t", passed);
            for _ in 0..times {
                stats.note_fetch("me", "", &blobs[0], "", &text);
            }
        };
        for (digest, times) in [("aa", 2), ("bb", 1), ("cc", 4)] {
            read(&stats, digest.repeat(32), times);
            assert_eq!(stats.passes_whole("s", "t"), None);
        }
        // Only half of it was read back of the second one; whole, asked for again, of the fourth.
        let blobs = ["dd".repeat(32)];
        let passed = Passed {
            session: "me",
            tokens: (700, 100),
            bytes_passed: 1_000,
            replaced: true,
            blobs: &blobs,
            ..Passed::default()
        };
        stats.note_result("s", "t", passed);
        stats.note_result("s", "t", Passed { tokens: (700, 720), is_repeat: true, ..passed });
        assert_eq!(stats.passes_whole("s", "t"), Some(2_004));
        assert_eq!(stats.passes_whole("s", "other"), None);
        let row = stats.counts().servers["s"]["t"];
        assert_eq!((row.read_whole, row.read_whole_bytes), (3, 2_004));
        // A later gateway goes on from there.
        let later = Stats::after(stats.counts());
        assert_eq!(later.passes_whole("s", "t"), Some(2_004));
        // Three of many are not too many.
        let seldom = Stats::default();
        for (n, digest) in ["aa", "bb", "cc", "dd", "ee", "ff", "a0", "b0"].into_iter().enumerate()
        {
            read(&seldom, digest.repeat(32), if n > 4 { 2 } else { 0 });
        }
        assert_eq!(seldom.passes_whole("s", "t"), None, "three of eight");
    }

    #[test]
    fn a_session_counts_once_and_so_does_its_last_list() {
        let stats = Stats::default();
        let list = |key: &str, since, client: &str, tokens| {
            stats.note_list((key.into(), since), client, 3, tokens);
            let balance = stats.counts().balance;
            (balance.lists, balance.definitions)
        };
        assert_eq!(list("token", 1, "c", (100, 162)), (1, -62));
        assert_eq!(list("token", 1, "c", (100, 162)), (1, -62), "a loss is one loss, too");
        assert_eq!(list("token", 1, "c", (900, 300)), (1, 600), "the tools have changed");
        // Another program with the same token, the same one later, and another token.
        assert_eq!(list("token", 1, "d", (900, 300)), (2, 1_200));
        assert_eq!(list("token", 2, "c", (100, 162)), (3, 1_138));
        assert_eq!(list("other", 1, "c", (100, 162)), (4, 1_076));
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
