//! Cosines between queries and tools from an embedding endpoint of the user's, if there is one.
//!
//! ```text
//! texts of tools ─► memory, file ─► endpoint, 64 at a time ─► vectors ─┐
//! queries ────────► memory ───────► endpoint, within the timeout ──────┴─► cosines
//! ```
//!
//! A search never waits for tools to be embedded: until all are, it is told how far that is. After
//! a failure the endpoint is left alone for half a minute, in which every search gets the same
//! reason at once.
//!
//! Vectors of tools are kept in one file for each model of each endpoint, read whole and replaced whole.
//! Texts go nowhere else: no redirect is followed.

mod endpoint;
mod file;
mod settings;
#[cfg(test)]
mod tests;

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use sha2::{Digest as _, Sha256};
use tokio::runtime::Runtime;

pub use self::settings::EndpointSettings;

use self::endpoint::Endpoint;
use self::file::Key;
use weir_host::Embedder;
use weir_host::contract::ToolText;

use weir_base::{Mutex, hex};

/// Texts in one request.
const BATCH: usize = 64;

/// How long one batch of tools may take. Nobody waits for it in a search.
const BATCH_TIMEOUT: Duration = Duration::from_secs(60);

/// How long an endpoint that failed is left alone.
const REST: Duration = Duration::from_secs(30);

/// Queries whose vectors are remembered; then it begins anew.
const MAX_QUERIES: usize = 1_000;

/// Bytes of the file with the vectors of tools, and of those in memory beside a catalog's own.
const MAX_BYTES: usize = 128 << 20;

/// Why an endpoint cannot be used at all.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum OpenError {
    /// The address is none. The text goes on from "the url".
    #[error("the url of the embedding endpoint {0}")]
    Url(String),
    /// No model is named.
    #[error("the name of the embedding model is empty: give one that the endpoint offers")]
    Model,
    /// The key has characters that no header may have. They are not repeated.
    #[error("the key of the embedding endpoint has characters that cannot be sent")]
    Key,
    /// The timeout is nothing.
    #[error("the timeout of the embedding endpoint is zero: give it some hundred milliseconds")]
    Timeout,
    /// No thread can be started.
    #[error("no thread can be started for the embedding endpoint")]
    Thread(#[source] io::Error),
}

/// An endpoint with what it has told so far: an [`Embedder`]. Clones share both.
///
/// Only the first 4,000 characters of a text are sent. Calls block, and may come from any thread; in async code use `spawn_blocking`. When the last
/// clone goes, so does what is under way in the background.
#[derive(Clone)]
pub struct Embeddings(Arc<Inner>);

struct Inner {
    /// `None` only while it is dropped.
    runtime: Option<Runtime>,
    shared: Arc<Shared>,
    warnings: Vec<String>,
}

impl std::fmt::Debug for Embeddings {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Embeddings").finish_non_exhaustive()
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        // The ordinary drop waits, which panics in async code.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

struct Shared {
    endpoint: Endpoint,
    timeout: Duration,
    rest: Duration,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    tools: HashMap<Key, Vector>,
    /// Where the file is, if there is to be one.
    cache: Option<PathBuf>,
    /// Whether it was read, as the first search does.
    loaded: bool,
    /// Vectors that are not in it yet.
    unsaved: usize,
    queries: HashMap<String, Vector>,
    /// How many numbers the endpoint gives now; vectors of other models do not compare.
    dimension: Option<usize>,
    failure: Option<(Instant, String)>,
    /// What the background is to embed, and whether it is at it.
    pending: BTreeMap<Key, String>,
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
    pub fn open(settings: EndpointSettings, cache: Option<&Path>) -> Result<Embeddings, OpenError> {
        Self::open_resting(&settings, cache, REST)
    }

    fn open_resting(
        settings: &EndpointSettings,
        cache: Option<&Path>,
        rest: Duration,
    ) -> Result<Embeddings, OpenError> {
        if settings.model.trim().is_empty() {
            return Err(OpenError::Model);
        }
        if settings.timeout.is_zero() {
            return Err(OpenError::Timeout);
        }
        let endpoint = Endpoint::new(settings)?;
        let cache = cache.map(|directory| cache_file(settings, directory)).transpose()?;
        let state = State { cache, ..State::default() };
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("weir-embeddings")
            .enable_all()
            .build()
            .map_err(OpenError::Thread)?;
        let timeout = settings.timeout;
        let shared = Arc::new(Shared { endpoint, timeout, rest, state: Mutex::new(state) });
        let warnings = settings.warning().into_iter().collect();
        Ok(Embeddings(Arc::new(Inner { runtime: Some(runtime), shared, warnings })))
    }

    /// What the user should know, a sentence each: that texts go unencrypted.
    #[must_use]
    pub fn warnings(&self) -> &[String] {
        &self.0.warnings
    }

    /// The vectors of all tools, or how many there are so far.
    fn tools(&self, keys: &[Key], texts: &[ToolText]) -> Result<Vec<Vector>, String> {
        let shared = &self.0.shared;
        let mut state = shared.state.lock();
        let found = state.vectors(keys);
        let there = found.iter().flatten().count();
        if there == texts.len() {
            return Ok(found.into_iter().flatten().collect());
        }
        state.rested(shared.rest)?;
        state.pending.extend(missing(keys, texts, &found));
        if !std::mem::replace(&mut state.filling, true)
            && let Some(runtime) = &self.0.runtime
        {
            runtime.spawn(Arc::clone(shared).fill());
        }
        Err(format!("{there} of {} tools are embedded so far", texts.len()))
    }

    /// A vector for each query that is not blank.
    fn queries(&self, queries: &[String]) -> Result<Vec<Option<Vector>>, String> {
        let shared = &self.0.shared;
        let asked: BTreeSet<&str> =
            queries.iter().map(|query| query.trim()).filter(|query| !query.is_empty()).collect();
        let mut known: HashMap<String, Vector> = HashMap::new();
        let mut new = Vec::new();
        {
            let state = shared.state.lock();
            for query in asked {
                match state.queries.get(query) {
                    Some(vector) => drop(known.insert(query.to_owned(), Arc::clone(vector))),
                    None => new.push(query.to_owned()),
                }
            }
            if !new.is_empty() {
                state.rested(shared.rest)?;
            }
        }
        if !new.is_empty() {
            let shared = Arc::clone(shared);
            known.extend(self.wait(async move { shared.embed_queries(new).await })?);
        }
        Ok(queries.iter().map(|query| known.get(query.trim()).cloned()).collect())
    }

    /// The outcome of work in the own runtime. Unlike `block_on`, this may be called in async code.
    fn wait<T: Send + 'static>(
        &self,
        work: impl Future<Output = Result<T, String>> + Send + 'static,
    ) -> Result<T, String> {
        let (sender, receiver) = std::sync::mpsc::sync_channel(1);
        if let Some(runtime) = &self.0.runtime {
            runtime.spawn(async move { sender.send(work.await) });
        }
        receiver.recv().unwrap_or_else(|_| Err("the embedding endpoint was given up".to_owned()))
    }
}

impl Embedder for Embeddings {
    /// Texts without a vector are embedded in the background, for a later search: until then the
    /// error says how many are, as in "40 of 226 tools are embedded so far". A blank query has 0
    /// with each text.
    fn scores(&self, texts: &[ToolText], queries: &[String]) -> Result<Vec<Vec<f32>>, String> {
        let keys = keys(texts)?;
        let mut tools = self.tools(&keys, texts)?;
        let queries = self.queries(queries)?;
        let dimension = queries.iter().flatten().map(|vector| vector.len()).next();
        let fits = |tool: &Vector| dimension.is_none_or(|dimension| dimension == tool.len());
        if !tools.iter().all(fits) {
            // They were kept when the model was another. Now that this is known, they are missing.
            tools = self.tools(&keys, texts)?;
        }
        if !tools.iter().all(fits) {
            return Err("the embedding model has just changed".to_owned());
        }
        let cosines = |query: &Option<Vector>| match query {
            Some(query) => tools.iter().map(|tool| dot(query, tool)).collect(),
            None => vec![0.0; tools.len()],
        };
        Ok(queries.iter().map(cosines).collect())
    }

    /// What the endpoint gave before it failed is kept.
    fn prepare(&self, texts: &[ToolText]) -> Result<(), String> {
        let keys = keys(texts)?;
        // Twice, as the first answer may show that what was kept is of another dimension.
        for _ in 0..2 {
            let missing = {
                let mut state = self.0.shared.state.lock();
                let found = state.vectors(&keys);
                let missing = missing(&keys, texts, &found);
                if !missing.is_empty() {
                    state.rested(self.0.shared.rest)?;
                }
                missing
            };
            let missing: Vec<(Key, String)> = missing.into_iter().collect();
            let done = missing.chunks(BATCH).try_for_each(|batch| {
                let (shared, batch) = (Arc::clone(&self.0.shared), batch.to_vec());
                self.wait(async move { shared.embed_tools(&batch).await })
            });
            self.0.shared.state.lock().save();
            done?;
        }
        Ok(())
    }
}

impl Shared {
    /// Embeds what is pending until nothing is, or the endpoint fails.
    async fn fill(self: Arc<Self>) {
        loop {
            let batch: Vec<(Key, String)> = {
                let mut state = self.state.lock();
                std::iter::from_fn(|| state.pending.pop_first()).take(BATCH).collect()
            };
            if batch.is_empty() || self.embed_tools(&batch).await.is_err() {
                let mut state = self.state.lock();
                // What a search asked for meanwhile is still to be done.
                if batch.is_empty() && !state.pending.is_empty() {
                    continue;
                }
                state.pending.clear();
                state.filling = false;
                state.save();
                return;
            }
        }
    }

    async fn embed_tools(&self, batch: &[(Key, String)]) -> Result<(), String> {
        let texts: Vec<&str> = batch.iter().map(|(_, text)| text.as_str()).collect();
        let answer = endpoint::within(BATCH_TIMEOUT, self.endpoint.embed(&texts)).await;
        let mut state = self.state.lock();
        let vectors = state.heard(answer)?;
        for (key, _) in batch {
            // A search may have asked for them again meanwhile.
            state.pending.remove(key);
        }
        state.tools.extend(batch.iter().map(|(key, _)| *key).zip(vectors));
        state.unsaved += batch.len();
        // As they come, and so that all writing together is a few times the file.
        if state.unsaved * 4 >= state.tools.len() {
            state.save();
        }
        Ok(())
    }

    async fn embed_queries(&self, texts: Vec<String>) -> Result<Vec<(String, Vector)>, String> {
        let all: Vec<&str> = texts.iter().map(String::as_str).collect();
        let asking = async {
            let mut found = Vec::with_capacity(all.len());
            for batch in all.chunks(BATCH) {
                found.extend(self.endpoint.embed(batch).await?);
            }
            Ok(found)
        };
        let answer = endpoint::within(self.timeout, asking).await;
        let found = self.state.lock().heard(answer)?;
        let found: Vec<(String, Vector)> = texts.into_iter().zip(found).collect();
        self.state.lock().remember(&found);
        Ok(found)
    }
}

impl State {
    /// The vectors of the keys that have one, from memory or the file.
    fn vectors(&mut self, keys: &[Key]) -> Vec<Option<Vector>> {
        if !std::mem::replace(&mut self.loaded, true)
            && let Some(path) = &self.cache
        {
            match file::load(path) {
                Ok(kept) => self.tools = kept,
                Err(error) => self.not_kept(&error),
            }
        }
        let fits = |vector: &&Vector| self.dimension.is_none_or(|n| n == vector.len());
        let found = keys.iter().map(|key| self.tools.get(key).filter(fits).cloned()).collect();
        let bytes: usize = self.tools.values().map(|vector| size_of_val(&**vector)).sum();
        if bytes > MAX_BYTES {
            let used: HashSet<&Key> = keys.iter().collect();
            self.tools.retain(|key, _| used.contains(key));
        }
        found
    }

    /// Puts what is new into the file.
    fn save(&mut self) {
        if std::mem::take(&mut self.unsaved) > 0
            && let Some(path) = &self.cache
            && let Err(error) = file::save(path, &self.tools, MAX_BYTES)
        {
            self.not_kept(&error);
        }
    }

    fn not_kept(&mut self, error: &io::Error) {
        if let Some(path) = self.cache.take() {
            let path = path.display();
            tracing::warn!("embeddings of tools are not kept for the next run: {path}: {error}");
        }
    }

    /// Whether the endpoint may be asked: the reason of its failure when that is not long ago.
    fn rested(&self, rest: Duration) -> Result<(), String> {
        match &self.failure {
            Some((since, why)) if since.elapsed() < rest => Err(why.clone()),
            _ => Ok(()),
        }
    }

    /// Takes note of how the endpoint did.
    fn heard(&mut self, answer: Result<Vec<Vec<f32>>, String>) -> Result<Vec<Vector>, String> {
        let answer = answer.and_then(|vectors| {
            let known = self.dimension.or(vectors.first().map(Vec::len));
            let other = vectors.iter().map(Vec::len).find(|&len| Some(len) != known);
            if let (Some(known), Some(other)) = (known, other) {
                // Which of them holds from now on, the next query tells.
                self.dimension = None;
                self.queries.clear();
                return Err(format!(
                    "the embedding endpoint gave embeddings of {known} and of {other} numbers"
                ));
            }
            self.dimension = known;
            Ok(vectors)
        });
        self.failure = answer.as_ref().err().map(|why| (Instant::now(), why.clone()));
        Ok(answer?.into_iter().map(Vector::from).collect())
    }

    fn remember(&mut self, queries: &[(String, Vector)]) {
        if self.queries.len() + queries.len() > MAX_QUERIES {
            self.queries.clear();
        }
        self.queries.extend(queries.iter().cloned());
    }
}

/// Where the vectors of one model of one endpoint are.
fn cache_file(settings: &EndpointSettings, directory: &Path) -> Result<PathBuf, OpenError> {
    let address = settings.address().map_err(OpenError::Url)?;
    let digest = Sha256::digest(format!("{address}\n{}", settings.model.trim()));
    let name = hex(&digest[..16]);
    Ok(directory.join(format!("{name}.vectors")))
}

fn keys(texts: &[ToolText]) -> Result<Vec<Key>, String> {
    let key = |text: &ToolText| {
        let hex = text.key.len() == 32 && text.key.bytes().all(|b| b.is_ascii_hexdigit());
        let key = hex.then(|| Key::from_str_radix(&text.key, 16).ok()).flatten();
        key.ok_or_else(|| format!("the key {:?} of a tool's text is no 32 hex digits", text.key))
    };
    texts.iter().map(key).collect()
}

fn missing(keys: &[Key], texts: &[ToolText], found: &[Option<Vector>]) -> BTreeMap<Key, String> {
    let all = keys.iter().zip(texts).zip(found);
    all.filter(|(_, found)| found.is_none())
        .map(|((key, text), _)| (*key, text.text.clone()))
        .collect()
}

/// The cosine of two vectors of length 1.
fn dot(a: &[f32], b: &[f32]) -> f32 {
    a.iter().zip(b).map(|(a, b)| a * b).sum::<f32>().clamp(-1.0, 1.0)
}
