//! The typed API: one method for each function of the contract.

use std::borrow::Cow;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use wasmtime::component::ResourceAny;
use wasmtime::error::Context as _;

use crate::bindings::exports::weir::plugin::reading;
use crate::contract::Failure;
use crate::contract::{
    BlobList, BlobStat, CheckProgress, ComponentInfo, DiffPage, DiffRequest, FinishedResult,
    Forgotten, GrepPage, GrepRequest, ModelTool, Origin, OutlinePage, Page, Part, PassagePage,
    QueryPage, QueryRequest, StoreStatus, SweepProgress, ToolAnswer, Transformed, Unit, View,
};
use crate::embedder::Embedder;
use crate::engine::{Cache, Engine, private_directory};
use crate::error::Error;
use crate::instance::Instance;
use crate::limits::{Class, Limits};
use crate::plugin::Plugin;
use crate::settings::{Parsed, Settings};
use crate::source::ComponentSource;
use crate::state::State;

/// How long one request of a caller goes on over slices of the component's work, when each of them
/// ends without an answer.
const REQUEST_TIME: Duration = Duration::from_secs(10);

/// Text from which on a result is handed over in chunks, so that the component's memory does not
/// grow with it.
const STREAM_BYTES: usize = 8 * 1024 * 1024;

/// What is handed over at once.
const CHUNK_BYTES: usize = 1024 * 1024;

/// Directory entries in one slice of a sweep: some tens of milliseconds.
const SWEEP_ENTRIES: u32 = 4_096;

/// Bytes in one slice of a check.
const DOCTOR_BYTES: u64 = 16 * 1024 * 1024;

/// The component over one store: give it results, read them back, look after them.
///
/// Cheap to clone, and callable from any number of threads: every call runs in a fresh instance
/// under its own limits. Calls block. In async code, hand them to a blocking thread.
#[derive(Clone)]
pub struct Weir {
    engine: Engine,
    store: Option<Arc<Path>>,
    settings: Arc<Option<Configured>>,
    limits: LimitsOf,
    embedder: Option<Arc<dyn Embedder>>,
}

/// Settings, and their text as each instance is given it.
struct Configured {
    settings: Settings,
    json: String,
}

impl Configured {
    fn new(settings: Settings) -> Configured {
        Configured { json: settings.as_json().to_string(), settings }
    }
}

/// How to open a [`Weir`], where the defaults are not what is wanted.
#[derive(Clone)]
pub struct Builder {
    component: ComponentSource,
    #[cfg(feature = "signatures")]
    trust: Option<crate::signatures::Trust>,
    cache: Cache,
    settings: Option<Settings>,
    limits: LimitsOf,
    embedder: Option<Arc<dyn Embedder>>,
}

/// What the call of a class on so many bytes of input may use.
type LimitsOf = Arc<dyn Fn(Class, u64) -> Limits + Send + Sync>;

impl std::fmt::Debug for Weir {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Weir").field("store", &self.store).finish_non_exhaustive()
    }
}

impl std::fmt::Debug for Builder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Builder").field("cache", &self.cache).finish_non_exhaustive()
    }
}

impl Default for Builder {
    fn default() -> Self {
        Builder {
            component: ComponentSource::Embedded,
            #[cfg(feature = "signatures")]
            trust: None,
            cache: Cache::User,
            settings: None,
            limits: Arc::new(Class::limits),
            embedder: None,
        }
    }
}

impl Builder {
    /// Use another component than the embedded one.
    #[must_use]
    pub fn component(mut self, source: ComponentSource) -> Self {
        self.component = source;
        self
    }

    /// Open the component only if it may run: signed by a trusted key, or the embedded one. Default:
    /// the component that the host names is run, whoever signed it.
    #[cfg(feature = "signatures")]
    #[must_use]
    pub fn trust(mut self, trust: crate::signatures::Trust) -> Self {
        self.trust = Some(trust);
        self
    }

    /// Keep compiled code in this directory. Default: this user's directory for caches.
    #[must_use]
    pub fn cache(mut self, directory: impl Into<PathBuf>) -> Self {
        self.cache = Cache::In(directory.into());
        self
    }

    /// Keep no compiled code: every start compiles.
    #[must_use]
    pub fn without_cache(mut self) -> Self {
        self.cache = Cache::Off;
        self
    }

    /// Use these settings. Default: the component's own.
    #[must_use]
    pub fn settings(mut self, values: Settings) -> Self {
        self.settings = Some(values);
        self
    }

    /// Hold calls to other limits than those of [`Class::limits`]. The function is given the class
    /// of a call and the bytes of its input.
    #[must_use]
    pub fn limits(mut self, limits: impl Fn(Class, u64) -> Limits + Send + Sync + 'static) -> Self {
        self.limits = Arc::new(limits);
        self
    }

    /// Ask this model before every tool search. Default: none, and nothing leaves the sandbox.
    #[must_use]
    pub fn embedder(mut self, embedder: impl Embedder + 'static) -> Self {
        self.embedder = Some(Arc::new(embedder));
        self
    }

    /// Opens the store in a directory, made if needed with mode 0700.
    ///
    /// # Errors
    /// [`Error::StoreDirectory`], or what [`Engine::new`] fails with. With `trust`, also
    /// `Error::UntrustedComponent`.
    pub fn open(self, store: impl AsRef<Path>) -> Result<Weir, Error> {
        let engine = self.engine()?;
        self.open_with(engine, store)
    }

    /// Opens the component without any directory, for tool search alone: whatever needs the store
    /// fails. It is the way to run a file of the world `tools`.
    ///
    /// # Errors
    /// As [`Engine::new`].
    pub fn open_without_store(self) -> Result<Weir, Error> {
        let engine = self.engine()?;
        Ok(self.finish(engine, None))
    }

    fn engine(&self) -> Result<Engine, Error> {
        #[cfg(feature = "signatures")]
        if let Some(trust) = &self.trust {
            return Engine::new(&trust.admit(&self.component)?, &self.cache);
        }
        Engine::new(&self.component, &self.cache)
    }

    /// Does what [`Builder::open_without_store`] does, with an engine that is there already: the file is
    /// neither read nor compiled again.
    #[must_use]
    pub fn without_store(self, engine: Engine) -> Weir {
        self.finish(engine, None)
    }

    fn finish(self, engine: Engine, store: Option<Arc<Path>>) -> Weir {
        Weir {
            engine,
            store,
            settings: Arc::new(self.settings.map(Configured::new)),
            limits: self.limits,
            embedder: self.embedder,
        }
    }

    /// The same with an engine that is there already. The builder's component and cache are not used.
    ///
    /// # Errors
    /// [`Error::StoreDirectory`].
    pub fn open_with(self, engine: Engine, store: impl AsRef<Path>) -> Result<Weir, Error> {
        let store = store.as_ref();
        private_directory(store)
            .map_err(|source| Error::StoreDirectory { path: store.to_owned(), source })?;
        Ok(self.finish(engine, Some(store.into())))
    }
}

impl Weir {
    /// Opens the store in a directory, made if needed with mode 0700, with everything at its default.
    ///
    /// # Errors
    /// As [`Builder::open`].
    pub fn open(store: impl AsRef<Path>) -> Result<Weir, Error> {
        Weir::builder().open(store)
    }

    /// Opens it another way.
    #[must_use]
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// The compiled component.
    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.engine
    }

    /// The store's directory; none when it was opened without.
    #[must_use]
    pub fn store(&self) -> Option<&Path> {
        self.store.as_deref()
    }

    /// The same component and store under other settings.
    #[must_use]
    pub fn with_settings(&self, values: Settings) -> Weir {
        Weir { settings: Arc::new(Some(Configured::new(values))), ..self.clone() }
    }

    /// The same component and store with a model that is asked before every tool search.
    #[must_use]
    pub fn with_embedder(&self, embedder: impl Embedder + 'static) -> Weir {
        Weir { embedder: Some(Arc::new(embedder)), ..self.clone() }
    }

    /// The settings that were given; none for the component's own.
    #[must_use]
    pub fn settings(&self) -> Option<&Settings> {
        self.settings.as_ref().as_ref().map(|configured| &configured.settings)
    }

    pub(crate) fn embedder(&self) -> Option<&dyn Embedder> {
        self.embedder.as_deref()
    }

    /// A fresh instance, configured.
    pub(crate) fn instance(&self, class: Class) -> Result<Instance, Error> {
        let mut instance = Instance::new(&self.engine, self.store(), (self.limits)(class, 0))?;
        if let Some(configured) = self.settings.as_ref() {
            instance.call("configure", (self.limits)(Class::Small, 0), |plugin, store| {
                plugin.settings()?.call_configure(store, &configured.json)
            })?;
        }
        Ok(instance)
    }

    pub(crate) fn limits(&self, class: Class, input_bytes: usize) -> Limits {
        (self.limits)(class, input_bytes as u64)
    }

    /// Makes one call in an instance of its own.
    pub(crate) fn once<R: Send>(
        &self,
        class: Class,
        name: &'static str,
        input_bytes: usize,
        function: impl FnOnce(&Plugin, &mut wasmtime::Store<State>) -> wasmtime::Result<R> + Send,
    ) -> Result<R, Error> {
        self.instance(class)?.call(name, self.limits(class, input_bytes), function)
    }

    /// What the component is and can do.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn info(&self) -> Result<ComponentInfo, Error> {
        self.once(Class::Small, "describe-component", 0, |plugin, store| {
            plugin.info().call_describe_component(store)
        })
    }

    // --- settings

    /// The settings that hold where nothing is configured.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn default_settings(&self) -> Result<Settings, Error> {
        Ok(self.parse_settings("{}")?.settings)
    }

    /// Reads a configuration given as a JSON object: always usable, with what is wrong named.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn parse_settings(&self, json: &str) -> Result<Parsed, Error> {
        let parsed = self.once(Class::Small, "parse", json.len(), |plugin, store| {
            plugin.settings()?.call_parse(store, json)
        })?;
        Ok(Parsed { settings: Settings::read(&parsed.json), problems: parsed.problems })
    }

    /// The JSON Schema of a configuration.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn settings_schema(&self) -> Result<String, Error> {
        self.once(Class::Small, "schema", 0, |plugin, store| plugin.settings()?.call_schema(store))
    }

    /// The estimate that all limits in tokens go by.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn estimate_tokens(&self, text: &str) -> Result<u64, Error> {
        self.once(Class::Transform, "estimate-tokens", text.len(), |plugin, store| {
            plugin.settings()?.call_estimate_tokens(store, text)
        })
    }

    // --- results

    /// Replaces a result if it is too large. Show the result's own parts unless it was replaced.
    ///
    /// # Errors
    /// [`Error::Refused`] for input that cannot be used, [`Error::Trap`] when the component stops:
    /// the result is then still the caller's to show.
    pub fn transform(&self, result: &FinishedResult) -> Result<Transformed, Error> {
        if let (false, None, false, [Part::Text(text)]) =
            (result.waits_for_input, &result.raw, result.already_cut, &result.parts[..])
            && text.len() > STREAM_BYTES
            && self.threshold(&result.origin, result.max_chars)?.is_some()
        {
            let mut intake = self.intake(&result.origin, result.max_chars)?;
            intake.write(text.as_bytes())?;
            let mut transformed = intake.finish(result.is_error)?;
            if !transformed.replaced {
                transformed.parts.clear();
            }
            return Ok(transformed);
        }
        Ok(self.once(Class::Transform, "transform", size(result), |plugin, store| {
            plugin.result_transform()?.call_transform(store, result)
        })??)
    }

    /// What to show a model of a result of text: an excerpt with a handle, or the text itself where that is small enough or the
    /// component stops.
    ///
    /// # Errors
    /// [`Error::Refused`] for input that cannot be used.
    pub fn show(&self, result: &FinishedResult) -> Result<String, Error> {
        let parts = match self.transform(result) {
            Ok(shown) if shown.replaced => shown.parts,
            Ok(_) | Err(Error::Trap { .. }) => result.parts.clone(),
            Err(error) => return Err(error),
        };
        let texts = parts.into_iter().filter_map(|part| match part {
            Part::Text(text) => Some(text),
            _ => None,
        });
        Ok(texts.collect::<Vec<_>>().join("\n"))
    }

    /// [`Weir::transform`] for a result of MCP's `tools/call`: `transform` of the interface `json`, which documents
    /// both texts and the answer. A refusal is an answer too, with the member `error`.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn transform_json(&self, call: &str, result: &str) -> Result<String, Error> {
        let bytes = call.len() + result.len();
        self.once(Class::Transform, "json.transform", bytes, |plugin, store| {
            plugin.json().call_transform(store, call, result)
        })
    }

    /// Replaces what is too large among the results of one turn: each for itself, then the largest
    /// until all of them fit the turn's budget.
    ///
    /// # Errors
    /// [`Error::Trap`]. What is wrong with one result is in its place.
    pub fn transform_turn(
        &self,
        results: &[FinishedResult],
    ) -> Result<Vec<Result<Transformed, Error>>, Error> {
        let bytes = results.iter().map(size).sum();
        let outcomes = self.once(Class::Transform, "transform-turn", bytes, |plugin, store| {
            plugin.result_transform()?.call_transform_turn(store, results)
        })?;
        Ok(outcomes.into_iter().map(|outcome| outcome.map_err(Error::from)).collect())
    }

    /// How many characters a result of this call may have; `None` when it is never replaced.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn threshold(&self, origin: &Origin, max_chars: Option<u32>) -> Result<Option<u32>, Error> {
        self.once(Class::Small, "threshold", 0, |plugin, store| {
            plugin.result_transform()?.call_threshold(store, origin, max_chars)
        })
    }

    /// Starts to take one large text in chunks. `max_chars` is the limit that the tool's server states
    /// for its own results.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn intake(&self, origin: &Origin, max_chars: Option<u32>) -> Result<Intake, Error> {
        let limits = self.limits(Class::Transform, 0);
        let mut instance = self.instance(Class::Transform)?;
        let resource = instance.call("intake", limits, |plugin, store| {
            plugin.result_transform()?.intake().call_constructor(store, origin, max_chars)
        })?;
        Ok(Intake {
            instance,
            resource: Some(resource),
            limits: self.limits.clone(),
            bytes: 0,
            rest: Vec::new(),
        })
    }

    /// Takes one large text from a reader, in constant memory.
    ///
    /// # Errors
    /// As [`Weir::transform`], and [`Error::Input`] when the reader fails.
    pub fn transform_reader(
        &self,
        origin: &Origin,
        mut reader: impl Read,
        is_error: bool,
    ) -> Result<Transformed, Error> {
        let mut intake = self.intake(origin, None)?;
        let mut chunk = vec![0; CHUNK_BYTES];
        loop {
            match reader.read(&mut chunk) {
                Ok(0) => return intake.finish(is_error),
                Ok(n) => intake.write(&chunk[..n])?,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) => return Err(Error::Input(error)),
            }
        }
    }

    // --- reading back

    /// What is known of a stored result.
    ///
    /// # Errors
    /// [`Error::Refused`] says why not; [`Error::Trap`].
    pub fn stat(&self, session: &str, id: &str) -> Result<BlobStat, Error> {
        self.reading("stat", |reading, store| reading.call_stat(store, session, id))
    }

    /// Reads from a position on; negative counts from the end.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    #[expect(clippy::too_many_arguments, reason = "as the contract has it")]
    pub fn read(
        &self,
        session: &str,
        id: &str,
        view: View,
        unit: Unit,
        start: i64,
        count: Option<u64>,
        more: Option<&str>,
    ) -> Result<Page, Error> {
        self.reading("read", |reading, store| {
            reading.call_read(store, session, id, view, unit, start, count, more)
        })
    }

    /// The first lines.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn head(&self, session: &str, id: &str, view: View, lines: u32) -> Result<Page, Error> {
        self.read(session, id, view, Unit::Lines, 1, Some(lines.into()), None)
    }

    /// The last lines; when they are more than one page holds, their end.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn tail(
        &self,
        session: &str,
        id: &str,
        view: View,
        lines: u32,
        more: Option<&str>,
    ) -> Result<Page, Error> {
        self.reading("read-end", |reading, store| {
            reading.call_read_end(store, session, id, view, Some(lines.into()), more)
        })
    }

    /// All of it, where that is within the settings' limit.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn read_all(
        &self,
        session: &str,
        id: &str,
        view: View,
        more: Option<&str>,
    ) -> Result<Page, Error> {
        self.reading("read-all", |reading, store| {
            reading.call_read_all(store, session, id, view, more)
        })
    }

    /// Searches line by line, over as many slices as it takes to have something to show, for up to ten
    /// seconds.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn grep(
        &self,
        session: &str,
        id: &str,
        view: View,
        request: &GrepRequest,
        more: Option<&str>,
    ) -> Result<GrepPage, Error> {
        self.to_show("grep", more, |reading, store, more| {
            reading.call_grep(store, session, id, view, request, more)
        })
    }

    /// Asks a question about rows, likewise.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn query(
        &self,
        session: &str,
        id: &str,
        view: View,
        request: &QueryRequest,
        more: Option<&str>,
    ) -> Result<QueryPage, Error> {
        self.to_show("query", more, |reading, store, more| {
            reading.call_query(store, session, id, view, request, more)
        })
    }

    /// The shape of a stored result before its content, likewise.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn outline(
        &self,
        session: &str,
        id: &str,
        view: View,
        path: Option<&str>,
        more: Option<&str>,
    ) -> Result<OutlinePage, Error> {
        self.to_show("outline", more, |reading, store, more| {
            reading.call_outline(store, session, id, view, path, more)
        })
    }

    /// The passages that are about some words, best first, in one result or (without an id) in all of
    /// the session's, likewise.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn search(
        &self,
        session: &str,
        id: Option<&str>,
        words: &str,
        max_passages: Option<u64>,
        more: Option<&str>,
    ) -> Result<PassagePage, Error> {
        self.to_show("search", more, |reading, store, more| {
            reading.call_search(store, session, id, words, max_passages, more)
        })
    }

    /// What changed between a stored result and an older one: a page of it.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn diff(
        &self,
        session: &str,
        id: &str,
        request: &DiffRequest,
        more: Option<&str>,
    ) -> Result<DiffPage, Error> {
        self.to_show("diff", more, |reading, store, more| {
            reading.call_diff(store, session, id, request, more)
        })
    }

    /// What a session has stored, the last used first.
    ///
    /// # Errors
    /// As [`Weir::stat`].
    pub fn list_blobs(
        &self,
        session: &str,
        max_entries: u32,
        more: Option<&str>,
    ) -> Result<BlobList, Error> {
        self.reading("list-blobs", |reading, store| {
            reading.call_list_blobs(store, session, max_entries, more)
        })
    }

    fn reading<R: Send>(
        &self,
        name: &'static str,
        function: impl FnOnce(
            &reading::Guest,
            &mut wasmtime::Store<State>,
        ) -> wasmtime::Result<Result<R, Failure>>
        + Send,
    ) -> Result<R, Error> {
        Ok(self.once(Class::Fetch, name, 0, |plugin, store| function(plugin.reading()?, store))??)
    }

    /// Goes on until there is something to show, or the time of a request is over.
    fn to_show<R: Slice + Send>(
        &self,
        name: &'static str,
        more: Option<&str>,
        function: impl Fn(
            &reading::Guest,
            &mut wasmtime::Store<State>,
            Option<&str>,
        ) -> wasmtime::Result<Result<R, Failure>>
        + Send
        + Sync,
    ) -> Result<R, Error> {
        let slice = |more: Option<&str>| {
            let call = |plugin: &Plugin, store: &mut wasmtime::Store<State>| {
                function(plugin.reading()?, store, more)
            };
            let answer = self.once(Class::Grep, name, 0, call).map_err(Error::or_too_costly)?;
            answer.map_err(Error::from)
        };
        let start = Instant::now();
        let mut page = slice(more)?;
        while let Some(more) = page.pending()
            && start.elapsed() < REQUEST_TIME
        {
            page = slice(Some(more))?;
        }
        Ok(page)
    }

    // --- what a model sees

    /// The tools over stored results, to show a model.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn result_tools(&self) -> Result<Vec<ModelTool>, Error> {
        self.once(Class::Small, "result-tools", 0, |plugin, store| {
            plugin.model_tools()?.call_result_tools(store)
        })
    }

    /// Runs one of them on what a model sent, over as many slices as it takes to have something to
    /// show, for up to ten seconds.
    ///
    /// # Errors
    /// [`Error::Trap`] when the component breaks. Whatever the model sent, the answer is for it, also
    /// where it asked for too much.
    pub fn invoke(&self, session: &str, name: &str, arguments: &str) -> Result<ToolAnswer, Error> {
        let start = Instant::now();
        let slice = |arguments: &str| {
            self.invoke_slice(session, name, arguments).or_else(|error| {
                match error.or_too_costly() {
                    Error::Refused(failure) if failure.code == "too-costly" => Ok(ToolAnswer {
                        text: format!("{name}: {}", failure.message),
                        is_error: true,
                        more: None,
                    }),
                    error => Err(error),
                }
            })
        };
        let mut answer = slice(arguments)?;
        while let Some(more) = answer.more.take_if(|_| start.elapsed() < REQUEST_TIME) {
            answer = slice(&more)?;
        }
        Ok(answer)
    }

    fn invoke_slice(
        &self,
        session: &str,
        name: &str,
        arguments: &str,
    ) -> Result<ToolAnswer, Error> {
        self.once(Class::Grep, "invoke", arguments.len(), |plugin, store| {
            plugin.model_tools()?.call_invoke(store, session, name, arguments)
        })
    }

    // --- looking after the store

    /// The state of the store.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Trap`].
    pub fn status(&self) -> Result<StoreStatus, Error> {
        Ok(self.once(Class::Sweep, "status", 0, |plugin, store| {
            plugin.maintenance()?.call_status(store)
        })??)
    }

    /// Keeps a stored result from expiry and eviction, or no longer.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Trap`].
    pub fn pin(&self, session: &str, id: &str, pinned: bool) -> Result<(), Error> {
        Ok(self.once(Class::Fetch, "pin", 0, |plugin, store| {
            plugin.maintenance()?.call_pin(store, session, id, pinned)
        })??)
    }

    /// Deletes a session's stored result. It says so when asked for.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Trap`].
    pub fn forget(&self, session: &str, id: &str) -> Result<Forgotten, Error> {
        Ok(self.once(Class::Fetch, "forget", 0, |plugin, store| {
            plugin.maintenance()?.call_forget(store, session, id)
        })??)
    }

    /// Removes what is expired, over the cap or left over, in slices; `progress` is called after each.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Trap`]. What was done is done.
    pub fn sweep(&self, mut progress: impl FnMut(&SweepProgress)) -> Result<SweepProgress, Error> {
        let limits = self.limits(Class::Sweep, 0);
        let mut instance = self.instance(Class::Sweep)?;
        let mut more = None;
        loop {
            let state = instance.call("sweep", limits, |plugin, store| {
                plugin.maintenance()?.call_sweep(store, SWEEP_ENTRIES, more.as_deref())
            })??;
            progress(&state);
            if state.more.is_none() {
                return Ok(state);
            }
            more = state.more;
        }
    }

    /// Reads everything and compares it with its digest, in slices; `progress` is called after each.
    /// With `repair`, damaged blobs are removed, and their handles say so from then on.
    ///
    /// # Errors
    /// [`Error::Refused`], [`Error::Trap`].
    pub fn doctor(
        &self,
        repair: bool,
        mut progress: impl FnMut(&CheckProgress),
    ) -> Result<CheckProgress, Error> {
        let limits = self.limits(Class::Sweep, DOCTOR_BYTES as usize);
        let mut instance = self.instance(Class::Sweep)?;
        let mut more = None;
        loop {
            let state = instance.call("check", limits, |plugin, store| {
                plugin.maintenance()?.call_check(store, repair, DOCTOR_BYTES, more.as_deref())
            })??;
            progress(&state);
            if state.more.is_none() {
                return Ok(state);
            }
            more = state.more;
        }
    }
}

/// One large text on its way in. Dropping it before [`Intake::finish`] leaves nothing behind.
pub struct Intake {
    instance: Instance,
    /// None once it is finished.
    resource: Option<ResourceAny>,
    limits: LimitsOf,
    bytes: u64,
    /// The start of a character whose rest is still to come.
    rest: Vec<u8>,
}

impl std::fmt::Debug for Intake {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Intake").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Drop for Intake {
    fn drop(&mut self) {
        // What is given up half way has a file in the store, which goes with it.
        if let Some(resource) = self.resource.take() {
            let limits = (self.limits)(Class::Transform, 0);
            let _ = self.instance.close(limits, resource);
        }
    }
}

impl Intake {
    /// Takes the next bytes; they may end anywhere.
    ///
    /// # Errors
    /// [`Error::Trap`]: what was taken is lost to the component.
    pub fn write(&mut self, bytes: &[u8]) -> Result<(), Error> {
        let joined = match self.rest.is_empty() {
            true => Cow::Borrowed(bytes),
            false => Cow::Owned([&std::mem::take(&mut self.rest), bytes].concat()),
        };
        let mut bytes: &[u8] = &joined;
        while bytes.len() > CHUNK_BYTES {
            let (chunk, later) = bytes.split_at(CHUNK_BYTES);
            let taken = self.write_chunk(chunk)?;
            // What is left of a character at the chunk's end goes with the next one.
            bytes = if taken == chunk.len() { later } else { &bytes[taken..] };
        }
        let taken = self.write_chunk(bytes)?;
        self.rest.extend_from_slice(&bytes[taken..]);
        Ok(())
    }

    /// Hands a chunk over, as text where it is; the count leaves out a character cut at the end.
    fn write_chunk(&mut self, chunk: &[u8]) -> Result<usize, Error> {
        let (text, taken) = match std::str::from_utf8(chunk) {
            Ok(text) => (Some(text), chunk.len()),
            Err(error) if error.error_len().is_none() => {
                let valid = error.valid_up_to();
                (std::str::from_utf8(&chunk[..valid]).ok(), valid)
            }
            Err(_) => (None, chunk.len()),
        };
        self.bytes += taken as u64;
        let limits = (self.limits)(Class::Transform, taken as u64);
        // It is there until `finish`, which ends this value.
        let Some(resource) = self.resource else { return Ok(taken) };
        self.instance.call("intake.write", limits, |plugin, store| {
            let intake = plugin.result_transform()?;
            match text {
                Some(text) => intake.intake().call_write(store, resource, text),
                None => intake.intake().call_write_bytes(store, resource, &chunk[..taken]),
            }
        })?;
        Ok(taken)
    }

    /// Ends, stores and excerpts. A result that was not replaced comes back whole, in `parts`.
    ///
    /// # Errors
    /// As [`Weir::transform`].
    pub fn finish(mut self, is_error: bool) -> Result<Transformed, Error> {
        let rest = std::mem::take(&mut self.rest);
        let limits = (self.limits)(Class::Transform, self.bytes);
        let resource = self.resource.take();
        self.instance
            .call("intake.finish", limits, |plugin, store| {
                let interface = plugin.result_transform()?;
                let resource = resource.context("the intake was finished")?;
                if !rest.is_empty() {
                    interface.intake().call_write_bytes(&mut *store, resource, &rest)?;
                }
                interface.intake().call_finish(&mut *store, resource, is_error)
            })?
            .map_err(Error::from)
    }
}

/// An answer of work that is done in slices.
trait Slice {
    /// How to go on, where there is nothing to show yet.
    fn pending(&self) -> Option<&str>;
}

macro_rules! slices {
    ($($page:ty),*) => { $(impl Slice for $page {
        fn pending(&self) -> Option<&str> {
            self.more.as_deref().filter(|_| self.pending)
        }
    })* };
}
slices!(GrepPage, QueryPage, OutlinePage, PassagePage);

impl Slice for DiffPage {
    fn pending(&self) -> Option<&str> {
        None
    }
}

fn size(result: &FinishedResult) -> usize {
    let parts = result.parts.iter().map(|part| match part {
        Part::Text(text) => text.len(),
        Part::Binary(binary) => binary.data.len(),
        Part::Pointer(link) => link.uri.len(),
    });
    parts.sum::<usize>()
        + result.raw.as_ref().map_or(0, String::len)
        + result.origin.arguments.as_ref().map_or(0, String::len)
}
