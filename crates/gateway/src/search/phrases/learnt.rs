//! What searches teach: a tool that is called after a search, and does not fail, is called what was searched.
//!
//! Of each tool the three newest phrases are kept, by user: the name of a token, or the one user of a gateway
//! without tokens. Nothing goes from one user to another. Words with digits, addresses and long words are left
//! out: they name things of the moment. A search that was not sure of a tool teaches it nothing before another session has
//! called it after the same words: one session alone could lead all later ones. The file is `learnt.json` in the state directory; `weir tools learnt` shows
//! and erases it, and `"learn": false` in the object `weir` of the servers' file switches all of it off.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::ByTool;
use sha2::{Digest as _, Sha256};
use weir_base::hex;
use weir_base::private::{locked, read_json, write_json};
use weir_base::{Mutex, unix_now};

/// Phrases that a tool keeps.
const PHRASES: usize = 3;
/// Tools of one user that have some, and users.
const TOOLS: usize = 2_000;
const USERS: usize = 64;
/// Characters of a phrase, and of a word of it.
const PHRASE_CHARS: usize = 120;
const WORD_CHARS: usize = 24;
/// Words that a phrase has at least: one alone says too little of what was wanted.
const WORDS_MIN: usize = 2;
/// Words of a query that teaches, at most: a longer one asks for several things, which no one tool does.
const WORDS_MAX: usize = 12;
/// Queries that are remembered until one of their hits is called, of all clients together.
const QUERIES: usize = 256;
/// Hits of a query that a call may be of.
const HITS: usize = 12;

/// A phrase that was learnt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Phrase {
    /// The words.
    pub phrase: String,
    /// How often it taught this tool.
    pub uses: u64,
    /// When it last did, in seconds since 1970.
    pub last: u64,
    /// The one session in which it did, after a search that was not sure of the tool. It does not count then.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub only_in: Option<String>,
}

/// Phrases by user, server and tool, the newest of a tool first.
pub type ByUser = BTreeMap<String, BTreeMap<String, BTreeMap<String, Vec<Phrase>>>>;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(default)]
struct Kept {
    users: ByUser,
}

/// What tool_search answers, as far as it is learnt from and counted.
#[derive(Deserialize)]
pub(crate) struct Answer {
    pub(crate) results: Vec<Group>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
pub(crate) struct Group {
    query: String,
    pub(crate) matches: Vec<Match>,
    weak: Vec<String>,
    hint: String,
}

#[derive(Deserialize)]
pub(crate) struct Match {
    pub(crate) name: String,
}

/// A query whose hits were not called yet.
#[derive(Debug)]
struct Asked {
    client: String,
    query: String,
    hits: Vec<String>,
    /// The first of them, of which the search was sure.
    sure: usize,
}

/// A tool that was called.
#[derive(Debug, Clone, Copy)]
pub struct Called<'a> {
    /// Under which name searches show it.
    pub name: &'a str,
    /// Its server.
    pub server: &'a str,
    /// Its name there.
    pub own_name: &'a str,
}

/// What is learnt, in a file and as far as this gateway read it.
#[derive(Debug)]
pub struct Learnt {
    dir: PathBuf,
    /// What tells the sessions of this gateway from those of any other.
    gateway: String,
    asked: Mutex<VecDeque<Asked>>,
    /// Users who taught something, once the file was read.
    users: Mutex<Option<BTreeSet<String>>>,
}

impl Learnt {
    /// In the state directory `dir`, where the file is made when first written.
    pub fn new(dir: &Path) -> Learnt {
        let mut random = [0; 16];
        // Without randomness all sessions are one: less is learnt.
        let _ = getrandom::fill(&mut random);
        let (dir, gateway) = (dir.to_owned(), hex(&random));
        Learnt { dir, gateway, asked: Mutex::default(), users: Mutex::default() }
    }

    /// The file's place.
    pub fn path(&self) -> PathBuf {
        self.dir.join("learnt.json")
    }

    /// A client's search had this answer.
    pub fn note_search(&self, client: &str, answer: &str) {
        let Ok(answer) = serde_json::from_str::<Answer>(answer) else { return };
        let mut asked = self.asked.lock();
        for group in answer.results {
            let Some(query) = phrase_of(&group.query, &absent(&group.hint)) else { continue };
            let sure = group.matches.len();
            let matches = group.matches.into_iter().map(|found| found.name);
            let hits: Vec<String> = matches.chain(group.weak).take(HITS).collect();
            if !hits.is_empty() {
                asked.push_back(Asked { client: client.to_owned(), query, hits, sure });
            }
        }
        let over = asked.len().saturating_sub(QUERIES);
        asked.drain(..over);
    }

    /// A client's call of a tool succeeded. When it is a hit of an earlier search of the same client, the newest
    /// such search teaches the tool its words. Whether anything was learnt.
    ///
    /// # Errors
    /// When the file cannot be locked, read or replaced. Then nothing was learnt.
    pub fn note_call(&self, client: &str, user: &str, called: Called<'_>) -> io::Result<bool> {
        let found = {
            let mut asked = self.asked.lock();
            let of = |asked: &Asked| {
                asked.client == client && asked.hits.iter().any(|hit| hit == called.name)
            };
            let at = asked.iter().rposition(of);
            at.and_then(|at| asked.remove(at))
        };
        let Some(asked) = found else { return Ok(false) };
        if folded(called.own_name).contains(&folded(&asked.query)) {
            // It says what the name says.
            return Ok(false);
        }
        let is_sure = asked.hits.iter().take(asked.sure).any(|hit| hit == called.name);
        let session = hex(&Sha256::digest(format!("{}{client}", self.gateway)))[..16].to_owned();
        let session = (!is_sure).then_some(session);
        let taught = self.change(|users| teach(users, user, called, &asked.query, session))?;
        if taught {
            let mut known = self.users();
            known.insert(user.to_owned());
            *self.users.lock() = Some(known);
        }
        Ok(taught)
    }

    /// All that was learnt; nothing when there is no file.
    ///
    /// # Errors
    /// When the file cannot be read or is none of ours.
    pub fn load(&self) -> io::Result<ByUser> {
        Ok(read_json::<Kept>(&self.path())?.users)
    }

    /// What this user's searches taught. What cannot be read taught nothing.
    pub fn of(&self, user: &str) -> ByTool {
        let mut users = self.load().unwrap_or_default();
        let tools = |tools: BTreeMap<String, Vec<Phrase>>| {
            let texts = |phrases: Vec<Phrase>| {
                let count = phrases.into_iter().filter(|phrase| phrase.only_in.is_none());
                count.take(PHRASES).map(|phrase| phrase.phrase).collect()
            };
            tools.into_iter().map(|(tool, phrases)| (tool, texts(phrases))).collect()
        };
        let servers = users.remove(user).unwrap_or_default().into_iter();
        servers.map(|(server, of)| (server, tools(of))).collect()
    }

    /// Users who taught something, as far as this gateway knows.
    pub fn users(&self) -> BTreeSet<String> {
        let mut users = self.users.lock();
        users.get_or_insert_with(|| self.load().unwrap_or_default().into_keys().collect()).clone()
    }

    /// Reads anew who taught something.
    pub(crate) fn read_again(&self) {
        *self.users.lock() = None;
    }

    /// Forgets what is of this server and this tool; all of it where none is named. How many phrases.
    ///
    /// # Errors
    /// When the file cannot be locked, read or replaced. Then nothing is forgotten.
    pub fn erase(&self, server: Option<&str>, tool: Option<&str>) -> io::Result<u64> {
        let mut erased = 0;
        self.change(|users| {
            for servers in users.values_mut() {
                servers.retain(|name, tools| {
                    let whole = server.is_none_or(|server| server == name);
                    tools.retain(|name, phrases| {
                        let kept = !whole || tool.is_some_and(|tool| tool != name);
                        erased += if kept { 0 } else { phrases.len() as u64 };
                        kept
                    });
                    !tools.is_empty()
                });
            }
            users.retain(|_, servers| !servers.is_empty());
            erased > 0
        })?;
        Ok(erased)
    }

    /// Changes the file under a lock. Whether there was anything to change.
    fn change(&self, change: impl FnOnce(&mut ByUser) -> bool) -> io::Result<bool> {
        let _lock = locked(&self.dir.join("learnt.lock"))?;
        let mut users = self.load()?;
        if !change(&mut users) {
            return Ok(false);
        }
        write_json(&self.path(), &Kept { users })?;
        Ok(true)
    }
}

/// Teaches a tool a phrase, in this session where the search was not sure of the tool.
fn teach(
    users: &mut ByUser,
    user: &str,
    called: Called<'_>,
    query: &str,
    unsure_in: Option<String>,
) -> bool {
    let is_new = !users.contains_key(user);
    if is_new && users.len() >= USERS {
        return false;
    }
    let servers = users.entry(user.to_owned()).or_default();
    let known = servers.get(called.server).is_some_and(|tools| tools.contains_key(called.own_name));
    if !known && servers.values().map(BTreeMap::len).sum::<usize>() >= TOOLS {
        forget_oldest(servers);
    }
    let tools = servers.entry(called.server.to_owned()).or_default();
    let phrases = tools.entry(called.own_name.to_owned()).or_default();
    let (uses, only_in) = match phrases.iter().position(|known| known.phrase == query) {
        Some(at) => {
            let known = phrases.remove(at);
            (known.uses, unsure_in.filter(|session| known.only_in.as_ref() == Some(session)))
        }
        None => (0, unsure_in),
    };
    let phrase = query.to_owned();
    phrases.insert(0, Phrase { phrase, uses: uses + 1, last: unix_now(), only_in });
    phrases.truncate(PHRASES);
    true
}

fn forget_oldest(servers: &mut BTreeMap<String, BTreeMap<String, Vec<Phrase>>>) {
    let all = servers.iter().flat_map(|(server, tools)| tools.iter().map(move |of| (server, of)));
    let last = |phrases: &[Phrase]| phrases.iter().map(|phrase| phrase.last).max();
    let oldest = all.min_by_key(|(_, (_, phrases))| last(phrases));
    let Some((server, tool)) = oldest.map(|(server, (tool, _))| (server.clone(), tool.clone()))
    else {
        return;
    };
    if let Some(tools) = servers.get_mut(&server) {
        tools.remove(&tool);
        if tools.is_empty() {
            servers.remove(&server);
        }
    }
}

/// Apps and services that no tool is for, by the hint of a search. A tool that learnt such a name would be one for it.
fn absent(hint: &str) -> Vec<&str> {
    let names = hint.split_once("No server for: ").map_or("", |(_, names)| names);
    names.split([';', '.']).next().into_iter().flat_map(|names| names.split(", ")).collect()
}

/// The words of a query that may be learnt, without those of `absent`; none when they say too little.
fn phrase_of(query: &str, absent: &[&str]) -> Option<String> {
    let plain = |word: &&str| {
        // Conditions such as `server:github` are no words, and addresses and numbers are of the moment.
        !word.contains([':', '@', '/', '\\', '='])
            && !word.chars().any(char::is_numeric)
            && word.chars().count() <= WORD_CHARS
    };
    // The rest of a query that was cut may have said more.
    if query.ends_with('…') {
        return None;
    }
    let words = query.split_whitespace().filter(plain);
    let words: Vec<String> = words
        .map(|word| word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase())
        .filter(|word| {
            !word.is_empty() && !word.split(['.', '\'']).any(|part| absent.contains(&part))
        })
        .collect();
    let unspaced = words.iter().any(|word| !word.is_ascii() && word.chars().count() > 3);
    let phrase: String = words.join(" ").chars().take(PHRASE_CHARS).collect();
    let count = (WORDS_MIN..=WORDS_MAX).contains(&words.len());
    (count || unspaced && words.len() <= WORDS_MAX).then_some(phrase)
}

fn folded(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(query: &str, names: &[&str]) -> String {
        let names: Vec<_> = names.iter().map(|name| serde_json::json!({ "name": name })).collect();
        serde_json::json!({ "results": [{ "query": query, "matches": names }] }).to_string()
    }

    fn called(name: &'static str) -> Called<'static> {
        Called { name, server: "git", own_name: name.trim_start_matches("git__") }
    }

    #[test]
    fn a_search_and_a_call_of_a_hit_teach_the_tool_these_words() {
        let dir = tempfile::tempdir().unwrap();
        let learnt = Learnt::new(&dir.path().join("state"));
        learnt.note_search(
            "me",
            &answer("server:git Report a bug in repo7!", &["git__open", "git__list"]),
        );
        assert!(!learnt.note_call("other", "", called("git__open")).unwrap(), "another client");
        assert!(!learnt.note_call("me", "", called("git__close")).unwrap(), "no hit");
        assert!(learnt.note_call("me", "", called("git__open")).unwrap());
        assert!(!learnt.note_call("me", "", called("git__open")).unwrap(), "once");
        assert_eq!(learnt.of("")["git"]["open"], ["report a bug in"]);
        assert!(learnt.of("anna").is_empty(), "another user");
    }

    #[test]
    fn a_hit_that_was_only_named_is_taught_as_well() {
        let dir = tempfile::tempdir().unwrap();
        let learnt = Learnt::new(dir.path());
        let text = r#"{"results":[{"query":"shout it out","matches":[],"weak":["git__post"]}]}"#;
        let teach = |learnt: &Learnt, client: &str| {
            learnt.note_search(client, text);
            assert!(learnt.note_call(client, "", called("git__post")).unwrap());
            learnt.of("")["git"]["post"].clone()
        };
        // Not by one session alone, however often.
        assert_eq!(teach(&learnt, "me"), [""; 0]);
        assert_eq!(teach(&learnt, "me"), [""; 0]);
        let next = Learnt::new(dir.path());
        assert_eq!(teach(&next, "me"), ["shout it out"]);
        assert_eq!(teach(&learnt, "me"), ["shout it out"]);
        let other = Learnt::new(tempfile::tempdir().unwrap().path());
        teach(&other, "me");
        assert_eq!(teach(&other, "you"), ["shout it out"]);
        // Nor is what was sure of it once unlearnt.
        learnt.note_search("me", &answer("call it out", &["git__post"]));
        learnt.note_call("me", "", called("git__post")).unwrap();
        assert_eq!(learnt.of("")["git"]["post"], ["call it out", "shout it out"]);
    }

    #[test]
    fn three_phrases_are_kept_the_newest_first_and_a_useful_one_again() {
        let dir = tempfile::tempdir().unwrap();
        let learnt = Learnt::new(dir.path());
        for query in ["bug one", "say two more", "one more bug", "file a ticket", "say two more"] {
            learnt.note_search("me", &answer(query, &["git__open"]));
            learnt.note_call("me", "", called("git__open")).unwrap();
        }
        assert_eq!(learnt.of("")["git"]["open"], ["say two more", "file a ticket", "one more bug"]);
        let phrases = &learnt.load().unwrap()[""]["git"]["open"];
        assert_eq!(phrases.iter().map(|phrase| phrase.uses).collect::<Vec<_>>(), [2, 1, 1]);
    }

    #[test]
    fn what_names_the_moment_or_says_too_little_is_not_learnt() {
        let dir = tempfile::tempdir().unwrap();
        let learnt = Learnt::new(dir.path());
        let long = "word ".repeat(WORDS_MAX + 1);
        for query in
            [long.as_str(), "bug", "select:git__open", "42 7", "a@b.c https://x.y", "open", ""]
        {
            assert_eq!(phrase_of(query, &[]), None, "{query}");
        }
        learnt.note_search("me", &answer("open issue", &["git__open_issue"]));
        assert!(!learnt.note_call("me", "", called("git__open_issue")).unwrap(), "its own name");
        assert_eq!(phrase_of("创建一个任务", &[]).as_deref(), Some("创建一个任务"));
    }

    #[test]
    fn the_name_of_an_app_that_is_not_there_is_not_learnt() {
        let dir = tempfile::tempdir().unwrap();
        let learnt = Learnt::new(dir.path());
        let text = r#"{"results":[{"query":"Tell Slack's team on monday.com or Jira","matches":[{"name":"git__post"}],
            "hint":"No server for: slack, monday, jira; nearest: git__post"}]}"#;
        learnt.note_search("me", text);
        assert!(learnt.note_call("me", "", called("git__post")).unwrap());
        assert_eq!(learnt.of("")["git"]["post"], ["tell team on or"]);
        assert_eq!(absent("No server for: slack. No tool matches"), ["slack"]);
    }

    #[test]
    fn it_is_erased_by_tool_by_server_and_whole() {
        let dir = tempfile::tempdir().unwrap();
        let learnt = Learnt::new(dir.path());
        for (user, name) in [("", "git__a"), ("", "git__b"), ("anna", "git__a")] {
            learnt.note_search("me", &answer("some words", &[name]));
            assert!(
                learnt
                    .note_call(
                        "me",
                        user,
                        called(if name == "git__a" { "git__a" } else { "git__b" })
                    )
                    .unwrap()
            );
        }
        assert_eq!(learnt.erase(Some("mail"), None).unwrap(), 0);
        assert_eq!(learnt.erase(Some("git"), Some("a")).unwrap(), 2);
        assert_eq!(learnt.of("")["git"].keys().collect::<Vec<_>>(), ["b"]);
        assert_eq!(learnt.erase(None, None).unwrap(), 1);
        assert!(learnt.load().unwrap().is_empty());
    }

    #[test]
    fn it_stays_small_and_forgets_what_was_not_used_for_longest() {
        let mut users = ByUser::new();
        for n in 0..TOOLS as u64 + 5 {
            let name = format!("t{n}");
            let called = Called { name: &name, server: "s", own_name: &name };
            assert!(teach(&mut users, "", called, "some words", None));
            users.get_mut("").unwrap().get_mut("s").unwrap().get_mut(&name).unwrap()[0].last = n;
        }
        assert_eq!(users[""]["s"].len(), TOOLS);
        assert!(!users[""]["s"].contains_key("t0") && users[""]["s"].contains_key("t2000"));
    }
}
