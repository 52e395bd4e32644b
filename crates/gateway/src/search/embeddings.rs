//! Cosines between queries and tools from an embedding endpoint of the user's, if there is one.
//!
//! ```text
//! texts of tools ─► memory, file ─► endpoint, 64 at a time ─► vectors ─┐
//! queries ────────► memory ───────► endpoint, within two seconds ──────┴─► cosines
//! ```
//!
//! A search never waits for tools to be embedded: until all are, it is told how far that is. After
//! a failure the endpoint is left alone for half a minute, in which every search gets the same
//! reason at once.
//!
//! Vectors of tools are kept in one file for each model of each endpoint, read whole and replaced whole.
//! Texts go nowhere else: no redirect is followed.

mod endpoint;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock};
use std::time::{Duration, Instant};

use tokio::runtime::Runtime;
use weir_base::{Mutex, private};
use weir_host::Embedder;
use weir_host::contract::ToolText;

pub use self::endpoint::EndpointSettings;

use self::endpoint::Endpoint;

/// Texts in one request.
const BATCH: usize = 64;

/// How long one batch of tools may take, for which no search waits; and the queries of a search.
const BATCH_TIMEOUT: Duration = Duration::from_secs(60);
const QUERY_TIMEOUT: Duration = Duration::from_secs(2);

/// How long an endpoint that failed is left alone.
const REST: Duration = Duration::from_secs(30);

/// Queries whose vectors are remembered; then it begins anew.
const MAX_QUERIES: usize = 1_000;

/// Where requests are made. Calls to an [`Embedder`] block, and may come from async code.
static RUNTIME: LazyLock<std::io::Result<Runtime>> = LazyLock::new(|| {
    let mut builder = tokio::runtime::Builder::new_multi_thread();
    builder.worker_threads(1).thread_name("weir-embeddings").enable_all().build()
});

/// An endpoint with what it has told so far: an [`Embedder`]. Clones share both.
///
/// Only the first 4,000 characters of a text are sent. Calls block, and may come from any thread; in async code use `spawn_blocking`.
#[derive(Clone)]
pub struct Embeddings(Arc<Shared>);

impl std::fmt::Debug for Embeddings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embeddings").finish_non_exhaustive()
    }
}

struct Shared {
    endpoint: Endpoint,
    rest: Duration,
    /// Where vectors of tools are kept.
    cache: Option<PathBuf>,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// By the hashes of their texts; `None` until the file was read, as the first search does.
    tools: Option<HashMap<String, Vector>>,
    queries: HashMap<String, Vector>,
    failure: Option<(Instant, String)>,
    /// What the background is to embed, and whether it is at it.
    pending: BTreeMap<String, String>,
    filling: bool,
}

type Vector = Arc<[f32]>;

impl Embeddings {
    /// An endpoint that nothing was sent to yet. `cache` is the directory for the vectors of tools;
    /// when it cannot be used they are kept in memory alone, and a warning is logged. This is quick:
    /// neither the cache nor the system's certificates are read before they are needed.
    ///
    /// # Errors
    /// When a setting cannot be used, or no thread can be started. Whether anything answers at the
    /// address is seen later.
    pub fn open(settings: &EndpointSettings, cache: Option<&Path>) -> Result<Embeddings, String> {
        let endpoint = Endpoint::new(settings)?;
        let cache = cache.map(|directory| directory.join(settings.file_name()));
        if let Err(error) = &*RUNTIME {
            return Err(format!("no thread can be started: {error}"));
        }
        Ok(Embeddings(Arc::new(Shared { endpoint, rest: REST, cache, state: Mutex::default() })))
    }

    /// The vectors of all tools, or how many there are so far.
    fn tools(&self, texts: &[ToolText]) -> Result<Vec<Vector>, String> {
        let shared = &self.0;
        let mut state = shared.state.lock();
        let known = state.tools.get_or_insert_with(|| shared.kept());
        let found: Vec<Vector> =
            texts.iter().filter_map(|text| known.get(&text.key).cloned()).collect();
        if found.len() == texts.len() {
            return Ok(found);
        }
        let missing = texts.iter().filter(|text| !known.contains_key(&text.key));
        let missing: Vec<_> = missing.map(|it| (it.key.clone(), it.text.clone())).collect();
        shared.rested(&state)?;
        state.pending.extend(missing);
        if !std::mem::replace(&mut state.filling, true)
            && let Ok(runtime) = &*RUNTIME
        {
            runtime.spawn(Arc::clone(shared).fill());
        }
        Err(format!("{} of {} tools are embedded so far", found.len(), texts.len()))
    }

    /// A vector for each query that is not blank.
    fn queries(&self, queries: &[String]) -> Result<Vec<Option<Vector>>, String> {
        let shared = Arc::clone(&self.0);
        let mut state = shared.state.lock();
        if state.queries.len() >= MAX_QUERIES {
            state.queries.clear();
        }
        let new: BTreeSet<&str> = queries.iter().map(|query| query.trim()).collect();
        let new = new.into_iter().filter(|it| !it.is_empty() && !state.queries.contains_key(*it));
        let new: Vec<String> = new.map(str::to_owned).collect();
        let mut found = HashMap::new();
        if !new.is_empty() {
            shared.rested(&state)?;
            drop(state);
            let vectors = self.wait(new.clone())?;
            found.extend(new.into_iter().zip(vectors));
            state = shared.state.lock();
        }
        let known = |query: &String| {
            let query = query.trim();
            found.get(query).or_else(|| state.queries.get(query)).cloned()
        };
        let all = queries.iter().map(known).collect();
        state.queries.extend(found);
        Ok(all)
    }

    /// The vectors of queries, by the own runtime. Unlike `block_on`, this may be called in async code.
    fn wait(&self, queries: Vec<String>) -> Result<Vec<Vector>, String> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        if let Ok(runtime) = &*RUNTIME {
            let shared = Arc::clone(&self.0);
            runtime.spawn(async move { sender.send(shared.embed(&queries, QUERY_TIMEOUT).await) });
        }
        receiver.recv().unwrap_or_else(|_| Err("the embedding endpoint was given up".to_owned()))
    }
}

impl Embedder for Embeddings {
    /// Texts without a vector are embedded in the background, for a later search: until then the
    /// error says how many are, as in "40 of 226 tools are embedded so far". A blank query has 0
    /// with each text.
    fn scores(&self, texts: &[ToolText], queries: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let tools = self.tools(texts)?;
        let queries = self.queries(queries)?;
        if let Some(now) = queries.iter().flatten().map(|vector| vector.len()).next()
            && tools.iter().any(|tool| tool.len() != now)
        {
            // Those of another model do not compare. They are asked for anew when the endpoint has rested.
            let mut state = self.0.state.lock();
            state.tools = Some(HashMap::new());
            state.queries.clear();
            return state.heard(Err("the embedding model has just changed".to_owned()));
        }
        // All vectors have the length 1.
        let dot = |a: &Vector, b: &Vector| -> f32 { a.iter().zip(&**b).map(|(a, b)| a * b).sum() };
        let cosines = |query: &Option<Vector>| match query {
            Some(query) => tools.iter().map(|tool| dot(query, tool).clamp(-1.0, 1.0)).collect(),
            None => vec![0.0; tools.len()],
        };
        Ok(queries.iter().map(cosines).collect())
    }

    /// What the endpoint gave before it failed is kept.
    fn prepare(&self, texts: &[ToolText]) -> Result<(), String> {
        if self.tools(texts).is_ok() {
            return Ok(());
        }
        while self.0.state.lock().filling {
            std::thread::sleep(Duration::from_millis(5));
        }
        match &self.0.state.lock().failure {
            Some((_, why)) => Err(why.clone()),
            None => Ok(()),
        }
    }
}

impl Shared {
    /// Embeds what is pending until nothing is, or the endpoint fails.
    async fn fill(self: Arc<Self>) {
        loop {
            let (keys, texts): (Vec<String>, Vec<String>) = {
                let mut state = self.state.lock();
                if state.pending.is_empty() {
                    self.keep(&state);
                    state.filling = false;
                    return;
                }
                std::iter::from_fn(|| state.pending.pop_first()).take(BATCH).unzip()
            };
            let vectors = self.embed(&texts, BATCH_TIMEOUT).await;
            let mut state = self.state.lock();
            match vectors {
                Ok(vectors) => {
                    // A search may have asked for them again meanwhile.
                    keys.iter().for_each(|key| drop(state.pending.remove(key)));
                    state.tools.get_or_insert_default().extend(keys.into_iter().zip(vectors));
                }
                Err(_) => state.pending.clear(),
            }
        }
    }

    async fn embed(&self, texts: &[String], timeout: Duration) -> Result<Vec<Vector>, String> {
        let answer = tokio::time::timeout(timeout, self.endpoint.embed(texts)).await;
        let late = |_| Err(format!("the embedding endpoint did not answer within {timeout:?}"));
        self.state.lock().heard(answer.unwrap_or_else(late))
    }

    /// The vectors of tools that were kept; none where the file is missing or damaged.
    fn kept(&self) -> HashMap<String, Vector> {
        let read = self.cache.as_deref().and_then(|path| private::read_json(path).ok());
        let read: HashMap<String, Vec<f32>> = read.unwrap_or_default();
        read.into_iter().map(|(key, vector)| (key, vector.into())).collect()
    }

    fn keep(&self, state: &State) {
        let tools = state.tools.iter().flatten();
        let tools: BTreeMap<&String, &[f32]> = tools.map(|(key, it)| (key, &**it)).collect();
        if let Some(path) = &self.cache
            && let Err(error) = private::write_json(path, &tools)
        {
            let path = path.display();
            tracing::warn!("embeddings of tools are not kept for the next run: {path}: {error}");
        }
    }

    /// Whether the endpoint may be asked: the reason of its failure when that is not long ago.
    fn rested(&self, state: &State) -> Result<(), String> {
        match &state.failure {
            Some((since, why)) if since.elapsed() < self.rest => Err(why.clone()),
            _ => Ok(()),
        }
    }
}

impl State {
    /// Takes note of how the endpoint did.
    fn heard<T>(&mut self, answer: Result<T, String>) -> Result<T, String> {
        self.failure = answer.as_ref().err().map(|why| (Instant::now(), why.clone()));
        answer
    }
}
