//! What is searched beside tools and skills, in indexes of their own: lists of resources and prompts, and the stored results of
//! a session.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use weir_base::{Mutex, clip, unix_now};
use weir_host::contract::{BlobStat, Conversation, Snapshot, ToolDefinition};
use weir_host::{Catalog, CatalogOptions, Error, Weir};

use super::{Gate, GateError, calls};
use crate::clients::identity::Identity;
use crate::search::names::SEARCH;
use weir_mcp::json::{Json, quote};

/// Lists that are kept, and sessions whose results are.
const KEPT: usize = 8;

/// Results on one page of a session's list.
const PAGE: u32 = 200;

/// An index of results is made anew with what is new where it has no more than so many times as many.
const GROWTH: usize = 8;

/// Seconds after which a search has it looked up what other gateways stored. What this one stores it finds itself.
const FRESH: u64 = 5;

/// Seconds by which clocks of gateways over one store may differ.
const CLOCKS: u64 = 60;

/// Passages about one query whose results are looked at.
const PASSAGES: u64 = 10;

/// The score from which on a call is what was asked for. Below it texts are read.
const KNOWN_SCORE: f32 = 1.2;

/// The score from which on the best call has the first turn, and not the best passage.
const LIKELY_SCORE: f32 = 0.9;

/// Bytes of a session's results that are read in any search: less than a tenth of a second.
const READ_BYTES: u64 = 4 << 20;

/// Steps of a score of one, in which results are as good as each other.
const STEPS: f32 = 20.0;

/// Hits of one index for a query.
const HITS: usize = 10;

/// Characters of a name that are ranked, and of a phrase.
const NAME_CHARS: usize = 40;
const PHRASE_CHARS: usize = 200;

/// Something to be ranked.
pub(crate) fn ranked(name: &str, description: String) -> ToolDefinition {
    ToolDefinition { name: name.to_owned(), description, ..ToolDefinition::default() }
}

/// Things, ranked as tools are.
#[derive(Debug)]
struct Index<T> {
    catalog: Catalog,
    things: Vec<T>,
}

impl<T> Index<T> {
    fn new(weir: &Weir, all: Vec<(ToolDefinition, T)>) -> Result<Index<T>, Error> {
        let (mut tools, things): (Vec<_>, Vec<_>) = all.into_iter().unzip();
        for (at, tool) in tools.iter_mut().enumerate() {
            let is_plain = |c: char| if c.is_ascii_alphanumeric() { c } else { '_' };
            let name: String = tool.name.chars().take(NAME_CHARS).map(is_plain).collect();
            tool.name = format!("{at:05}_{name}");
            tool.origin = "external".to_owned();
        }
        let options = CatalogOptions { without_known_phrases: true, ..CatalogOptions::default() };
        let catalog = weir.catalog_with(Snapshot { tools, servers: Vec::new() }, options)?;
        Ok(Index { catalog, things })
    }

    /// The best for a query, each with its score and a line about it where it surely is one.
    fn rank(&self, query: &str) -> Result<Vec<(f32, &T, String)>, Error> {
        let query = quote(query);
        let arguments =
            format!(r#"{{"queries":[{query}],"limit":{HITS},"detail":"brief","scores":true}}"#);
        let answer = self.catalog.invoke(SEARCH, &arguments, &Conversation::default())?;
        let answer = Json::assembled(answer.text.unwrap_or_default());
        let groups = answer.items(&["results"]);
        let group = Json::assembled(groups.first().copied().unwrap_or("{}").to_owned());
        let matches = group.items(&["matches"]).into_iter().filter_map(|hit| {
            let hit = Json::assembled(hit.to_owned());
            Some((hit.text_at(&["name"])?, hit.text_at(&["does"])?))
        });
        let mut lines: BTreeMap<String, String> = matches.collect();
        let scores = group.at(&["scores"]).and_then(|scores| scores.read());
        let scores: BTreeMap<String, f32> = scores.unwrap_or_default();
        let found = scores.into_iter().filter_map(|(name, score)| {
            let thing = self.things.get(name.get(..5)?.parse::<usize>().ok()?)?;
            Some((score, thing, lines.remove(&name).unwrap_or_default()))
        });
        Ok(found.collect())
    }
}

/// A stored result that a query finds.
#[derive(Debug, Clone)]
pub(crate) struct Stored {
    pub(crate) stat: BlobStat,
    pub(crate) score: f32,
    /// A passage of it about the query, and the line at which it begins.
    pub(crate) passage: Option<(u64, String)>,
}

/// The results of a session, by what is known of the calls. What is in them is searched by the store.
#[derive(Debug, Default)]
struct Results {
    indexes: Vec<Index<BlobStat>>,
    ids: BTreeSet<String>,
    bytes: u64,
    /// When the session was last looked at.
    looked: u64,
}

/// What a session has stored since then, and more. The last used come first, and what was stored since was used since.
fn listed(weir: &Weir, session: &str, since: u64) -> Result<Vec<BlobStat>, Error> {
    let (mut all, mut more) = (Vec::new(), None);
    loop {
        let page = weir.list_blobs(session, PAGE, more.as_deref())?;
        let is_older = page.entries.last().is_none_or(|last| last.used_at + CLOCKS < since);
        all.extend(page.entries);
        more = page.more;
        if more.is_none() || is_older {
            return Ok(all);
        }
    }
}

/// What a tool of this name is for.
pub(crate) type About = Arc<dyn Fn(&str) -> Option<String> + Send + Sync>;

impl Results {
    /// Takes in what is new.
    fn take_in(&mut self, weir: &Weir, listed: Vec<BlobStat>, about: &About) -> Result<(), Error> {
        let is_new = |stat: &BlobStat| self.ids.insert(stat.handle.id.clone());
        let mut new: Vec<BlobStat> = listed.into_iter().filter(is_new).collect();
        if new.is_empty() {
            return Ok(());
        }
        self.bytes += new.iter().map(|stat| stat.handle.bytes).sum::<u64>();
        let is_small = |index: &mut Index<_>, new: usize| index.things.len() <= GROWTH * new;
        while let Some(index) = self.indexes.pop_if(|index| is_small(index, new.len())) {
            new.extend(index.things);
        }
        // Of those that score alike the first come first.
        new.sort_by_key(|stat| Reverse(stat.stored_at));
        let mut phrases = BTreeMap::new();
        let all = new.into_iter().map(|stat| {
            let tool = &stat.handle.tool;
            let phrase = phrases.entry(tool.clone()).or_insert_with(|| about(tool));
            let mut definition = ranked(tool, stat.handle.source.clone().unwrap_or_default());
            definition.phrases.extend(phrase.as_deref().map(|phrase| clip(phrase, PHRASE_CHARS)));
            (definition, stat)
        });
        self.indexes.push(Index::new(weir, all.collect())?);
        Ok(())
    }

    fn rank(&self, query: &str) -> Result<Vec<Stored>, Error> {
        let mut all = Vec::new();
        for index in &self.indexes {
            let found = index.rank(query)?.into_iter();
            let stored =
                |stat: &BlobStat, score| Stored { stat: stat.clone(), score, passage: None };
            all.extend(found.map(|(score, stat, _)| stored(stat, score)));
        }
        Ok(all)
    }
}

/// The results whose text has words of a query, best first, and whether all of it was searched. The store knows how rare
/// a word is in all that it has, so its order holds. Passages and `calls` take turns.
fn read(
    weir: &Weir,
    session: &str,
    query: &str,
    calls: &[Stored],
) -> Result<(Vec<Stored>, bool), Error> {
    let page = weir.search(session, None, query, Some(PASSAGES), None)?;
    let mut found = Vec::new();
    let mut definitions = Vec::new();
    for passage in page.passages {
        // What is swept in this moment is not found.
        let Ok(stat) = weir.stat(session, &passage.id) else { continue };
        let source = stat.handle.source.as_deref().unwrap_or_default();
        let definition = ranked(&stat.handle.tool, format!("{source} {}", passage.text));
        definitions.push((definition, found.len()));
        found.push(Stored { stat, score: 0.0, passage: Some((passage.first_line, passage.text)) });
    }
    let index = Index::new(weir, definitions)?;
    for (score, &at, _) in index.rank(query)? {
        found[at].score = score;
    }
    let mut scores: Vec<f32> = calls.iter().map(|call| call.score).collect();
    scores.sort_by(|one, other| other.total_cmp(one));
    let is_likely = scores.first().is_some_and(|best| *best >= LIKELY_SCORE);
    let step = if is_likely { -1.0 } else { 1.0 } / STEPS;
    for (passage, score) in found.iter_mut().zip(scores) {
        passage.score = passage.score.max(score + step);
    }
    Ok((found, page.complete))
}

/// Best first, and of those that are about as good, or of the same call, the newest. One result comes once.
fn sort(all: &mut Vec<Stored>) {
    let call = |one: &Stored| {
        let handle = &one.stat.handle;
        one.passage.is_none().then(|| (handle.tool.clone(), handle.source.clone()))
    };
    let mut best: BTreeMap<_, f32> = BTreeMap::new();
    for one in all.iter() {
        let score = best.entry(call(one)).or_default();
        *score = score.max(one.score);
    }
    for one in all.iter_mut().filter(|one| one.passage.is_none()) {
        one.score = best.get(&call(one)).copied().unwrap_or(one.score);
    }
    let rank =
        |one: &Stored| (Reverse((one.score * STEPS).round() as u32), Reverse(one.stat.stored_at));
    all.sort_by_key(rank);
    let mut seen = BTreeSet::new();
    all.retain(|one| seen.insert(one.stat.handle.digest.clone()));
}

/// The results of a session.
#[derive(Debug, Default)]
struct Session {
    /// Whether this gateway has stored some since they were looked at.
    is_behind: AtomicBool,
    /// Whether somebody looks now, whom no search waits for.
    is_looking: AtomicBool,
    results: Mutex<Results>,
}

impl Session {
    /// Looks for what is new. Searches go on meanwhile.
    fn look(&self, weir: &Weir, session: &str, about: &About) -> Result<(), Error> {
        self.is_behind.store(false, Ordering::SeqCst);
        let (since, now) = (self.results.lock().looked, unix_now());
        let listed = listed(weir, session, since)?;
        let mut results = self.results.lock();
        // After an error all is taken in anew.
        let mut taken = std::mem::take(&mut *results);
        taken.take_in(weir, listed, about)?;
        *results = Results { looked: now, ..taken };
        Ok(())
    }
}

/// Values under keys. The one that was used last is the last.
type Kept<V> = Mutex<Vec<(String, V)>>;

/// Indexes that are kept for the next search: of lists, by their text, and of sessions.
#[derive(Debug, Default)]
pub(crate) struct Beside {
    lists: Kept<Arc<Index<Json>>>,
    results: Kept<Arc<Session>>,
}

/// What is kept under a key, or what is kept under it from now on.
fn kept<V: Clone>(all: &Kept<V>, key: &str, new: impl FnOnce() -> V) -> V {
    let mut all = all.lock();
    let one = match all.iter().position(|(known, _)| known == key) {
        Some(at) => all.remove(at),
        None => (key.to_owned(), new()),
    };
    let value = one.1.clone();
    all.push(one);
    let over = all.len().saturating_sub(KEPT);
    all.drain(..over);
    value
}

impl Beside {
    /// Takes note that something was stored for a session.
    pub(super) fn note_stored(&self, session: &str) {
        let results = self.results.lock();
        if let Some((_, known)) = results.iter().find(|(known, _)| known == session) {
            known.is_behind.store(true, Ordering::SeqCst);
        }
    }
}

/// A query to stored results.
pub(crate) struct Asked {
    pub(crate) query: String,
    pub(crate) limit: usize,
    /// Whether texts are read however many there are: that takes seconds where there are many.
    pub(crate) alone: bool,
}

impl Gate {
    /// What each query finds in a list: the scores, the things as they are shown, and a line about those that surely are hits.
    /// `key` is the same for the same list.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub(crate) async fn rank(
        &self,
        key: String,
        list: impl FnOnce() -> Vec<(ToolDefinition, Json)>,
        queries: Vec<String>,
    ) -> Result<Vec<Vec<(f32, Json, String)>>, GateError> {
        let beside = Arc::clone(&self.beside);
        let known = beside.lists.lock().iter().find(|(known, _)| *known == key).cloned();
        let list = known.is_none().then(list).unwrap_or_default();
        let ranked = self.run(move |weir| {
            let index = match known {
                Some((_, index)) => index,
                None => Arc::new(Index::new(weir, list)?),
            };
            let index = kept(&beside.lists, &key, || index);
            let found = queries.iter().map(|query| {
                let found = index.rank(query)?.into_iter();
                Ok(found.map(|(score, shown, line)| (score, shown.clone(), line)).collect())
            });
            found.collect()
        });
        ranked.await
    }

    /// The results that a client may read and that are about each query, and whether everything was searched for them.
    /// `about` says what a tool is for.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub(crate) async fn stored(
        &self,
        who: &Identity,
        asked: Vec<Asked>,
        about: About,
    ) -> Result<(Vec<Vec<Stored>>, bool), GateError> {
        let others = who.profile.reads_results_of.iter().map(|name| self.session_of_other(name));
        let sessions: Vec<String> = std::iter::once(self.session_of(who)).chain(others).collect();
        let gate = self.clone();
        let found = self.run(move |weir| {
            let mut is_whole = true;
            let mut all: Vec<Vec<Stored>> = asked.iter().map(|_| Vec::new()).collect();
            for session in &sessions {
                let known = kept(&gate.beside.results, session, Arc::default);
                let looked = known.results.lock().looked;
                if looked == 0 || known.is_behind.load(Ordering::SeqCst) {
                    known.look(weir, session, &about)?;
                } else if looked + FRESH <= unix_now()
                    && !known.is_looking.swap(true, Ordering::SeqCst)
                {
                    let (known, about) = (Arc::clone(&known), Arc::clone(&about));
                    let (weir, session) = (weir.clone(), session.clone());
                    calls::make(move || {
                        let _ = known.look(&weir, &session, &about);
                        known.is_looking.store(false, Ordering::SeqCst);
                    });
                }
                for (asked, all) in asked.iter().zip(&mut all) {
                    let (mut found, bytes) = {
                        let results = known.results.lock();
                        (results.rank(&asked.query)?, results.bytes)
                    };
                    let best = found.iter().map(|found| found.score).fold(0.0, f32::max);
                    if best < KNOWN_SCORE {
                        let (read, complete) = match asked.alone || bytes <= READ_BYTES {
                            true => read(weir, session, &asked.query, &found)?,
                            false => (Vec::new(), false),
                        };
                        is_whole &= complete;
                        found.splice(..0, read);
                    }
                    sort(&mut found);
                    // What was swept since is not found.
                    let is_there = |it: &Stored| weir.stat(session, &it.stat.handle.id).is_ok();
                    all.extend(found.into_iter().filter(is_there).take(asked.limit));
                }
            }
            all.iter_mut().for_each(sort);
            Ok((all, is_whole))
        });
        found.await
    }
}
