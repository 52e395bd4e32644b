//! Tool search: a catalog of tools in an instance of its own.

use std::borrow::Cow;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::bindings::exports::weir::plugin::tool_search::GuestCatalog;
use crate::contract::{
    AssembleSettings, Assembly, BridgeDefinition, BridgeNames, BridgeOutcome, CatalogDelta,
    Conversation, DescribeAnswer, DescribeRequest, Diagnostic, Explanation, Outside, QueryScores,
    RankedTool, Ranker, Refusal, ResolvedCall, SearchAnswer, SearchRequest, ServerCount, Snapshot,
    ToolText,
};
use crate::error::Error;
use crate::instance::Instance;
use crate::limits::{Class, Limits};
use crate::state::State;
use crate::weir::Weir;

/// All the tools one conversation was granted, behind three bridge tools: made with
/// [`Weir::catalog`] or [`Weir::load_catalog`].
///
/// Immutable: a change of tools is a new catalog ([`Catalog::rebuild`]). It is kept in an instance
/// of the component, so that a call costs no more than its own work; calls from several threads
/// wait for each other. When a call breaks the instance, the caller gets [`Error::Trap`] and the next
/// call makes the catalog again, from what it was made from.
///
/// ```
/// use weir_host::Weir;
/// use weir_host::contract::{BridgeOutcome, Conversation, Snapshot, ToolDefinition};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let directory = tempfile::tempdir()?;
/// # let cache = std::env::temp_dir().join("weir-doctest-cache");
/// let weir = Weir::builder().cache(cache).open(directory.path().join("store"))?;
/// let tool = |name: &str, description: &str, schema: &str| ToolDefinition {
///     name: name.into(),
///     description: description.into(),
///     input_schema: schema.into(),
///     server: "github".into(),
///     ..ToolDefinition::default()
/// };
/// let catalog = weir.catalog(Snapshot {
///     tools: vec![
///         tool(
///             "create_issue",
///             "Open a new issue in a repository.",
///             r#"{"type": "object", "properties": {"title": {"type": "string"}}, "required": ["title"]}"#,
///         ),
///         tool("list_releases", "List the releases of a repository.", "{}"),
///     ],
///     servers: vec![],
/// })?;
///
/// // The model is shown three small tools in place of all these: `catalog.assemble(…)` says which.
/// // What it sends to them goes to `invoke`, which answers, or says what to dispatch.
/// let conversation = Conversation::default();
/// let found = catalog.invoke("tool_search", r#"{"query": "report a bug"}"#, &conversation)?;
/// assert!(matches!(found, BridgeOutcome::Answer(answer) if answer.text.contains("create_issue")));
///
/// let call = r#"{"calls": [{"name": "create_issue", "arguments": {"title": "It crashes"}}]}"#;
/// let BridgeOutcome::Dispatch(calls) = catalog.invoke("tool_call", call, &conversation)? else {
///     panic!("it is a valid call")
/// };
/// assert_eq!((&*calls[0].server, &*calls[0].name), ("github", "create_issue"));
/// assert_eq!(calls[0].arguments, r#"{"title":"It crashes"}"#);
/// # Ok(())
/// # }
/// ```
pub struct Catalog {
    weir: Weir,
    source: Source,
    /// Bytes of the source: limits go by them.
    bytes: usize,
    /// The tools' texts, once a model outside was asked.
    texts: OnceLock<Vec<ToolText>>,
    /// None after a trap, until the next call.
    live: Mutex<Option<Live>>,
}

/// What a catalog is made from, and made again.
enum Source {
    Snapshot(Snapshot, Option<BridgeNames>),
    Serialized(Vec<u8>),
}

/// An instance and the catalog in it.
struct Live {
    instance: Instance,
    catalog: ResourceAny,
}

impl std::fmt::Debug for Catalog {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Catalog").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

impl Weir {
    /// Builds a catalog of these tools, with the bridge tools under their default names.
    ///
    /// # Errors
    /// [`Error::BuildCatalog`] when the snapshot is beyond a limit; [`Error::Trap`].
    pub fn catalog(&self, snapshot: Snapshot) -> Result<Catalog, Error> {
        self.named_catalog(snapshot, None)
    }

    /// The same under other names for the bridge tools; `None` for the default ones.
    ///
    /// # Errors
    /// As [`Weir::catalog`].
    pub fn named_catalog(
        &self,
        snapshot: Snapshot,
        names: Option<BridgeNames>,
    ) -> Result<Catalog, Error> {
        Catalog::open(self.clone(), size(&snapshot), Source::Snapshot(snapshot, names))
    }

    /// Loads what [`Catalog::serialize`] wrote. The bytes must come from where only you can write.
    ///
    /// # Errors
    /// [`Error::LoadCatalog`] for bytes that are damaged or of another version: build it anew from
    /// the snapshot. [`Error::Trap`].
    pub fn load_catalog(&self, bytes: impl Into<Vec<u8>>) -> Result<Catalog, Error> {
        let bytes = bytes.into();
        Catalog::open(self.clone(), bytes.len(), Source::Serialized(bytes))
    }

    /// The settings that [`Catalog::assemble`] uses when none are given.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn default_assemble_settings(&self) -> Result<AssembleSettings, Error> {
        let limits = self.limits(Class::Small, 0);
        self.instance(Class::Small)?.call("default-assemble-settings", limits, |plugin, store| {
            plugin.weir_plugin_tool_search().call_default_assemble_settings(store)
        })
    }
}

impl Catalog {
    fn open(weir: Weir, bytes: usize, source: Source) -> Result<Catalog, Error> {
        let live = make(&weir, &source, bytes)?;
        Ok(Catalog { weir, source, bytes, texts: OnceLock::new(), live: Mutex::new(Some(live)) })
    }

    /// A later catalog with the same bridge names, in an instance of its own. What has not changed
    /// is taken over, so that it takes less time than to build; the result is the same.
    ///
    /// # Errors
    /// As [`Weir::catalog`].
    pub fn rebuild(&self, snapshot: Snapshot) -> Result<Catalog, Error> {
        let earlier = self.serialize()?;
        let names = self.definitions()?;
        let names = <[_; 3]>::try_from(names).ok().map(|[search, describe, call]| BridgeNames {
            search: search.name,
            describe: describe.name,
            call: call.name,
        });
        let bytes = size(&snapshot);
        let mut live = load(&self.weir, &earlier)?;
        let limits = self.weir.limits(Class::Index, bytes + earlier.len());
        let later = live
            .call("catalog.rebuild", limits, |guest, store, catalog| {
                let later = guest.call_rebuild(&mut *store, catalog, &snapshot)?;
                if later.is_ok() {
                    catalog.resource_drop(store)?;
                }
                Ok(later)
            })?
            .map_err(Error::BuildCatalog)?;
        live.catalog = later;
        let live = Mutex::new(Some(live));
        Ok(Catalog {
            weir: self.weir.clone(),
            source: Source::Snapshot(snapshot, names),
            bytes,
            texts: OnceLock::new(),
            live,
        })
    }

    /// The catalog's name, 64 hex digits: the same for the same tools, servers and bridge names.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn digest(&self) -> Result<String, Error> {
        self.call("catalog.digest", Class::Search, 0, |guest, store, catalog| {
            guest.call_digest(store, catalog)
        })
    }

    /// The catalog as bytes, for [`Weir::load_catalog`].
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn serialize(&self) -> Result<Vec<u8>, Error> {
        if let Source::Serialized(bytes) = &self.source {
            return Ok(bytes.clone());
        }
        self.call("catalog.serialize", Class::Index, self.bytes, |guest, store, catalog| {
            guest.call_serialize(store, catalog)
        })
    }

    /// What was found about the tools, sorted by server and name.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn diagnostics(&self) -> Result<Vec<Diagnostic>, Error> {
        self.call("catalog.diagnostics", Class::Search, self.bytes, |guest, store, catalog| {
            guest.call_diagnostics(store, catalog)
        })
    }

    /// How many tools each server has, by name.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn servers(&self) -> Result<Vec<ServerCount>, Error> {
        self.call("catalog.servers", Class::Search, 0, |guest, store, catalog| {
            guest.call_servers(store, catalog)
        })
    }

    /// Decides what a model is shown, from these settings (`None` for the defaults) and its context
    /// in tokens (0 when unknown).
    ///
    /// # Errors
    /// [`Error::Assemble`] when a required tool was not granted; [`Error::Trap`].
    pub fn assemble(
        &self,
        settings: Option<&AssembleSettings>,
        context_tokens: u32,
    ) -> Result<Assembly, Error> {
        self.call("catalog.assemble", Class::Search, self.bytes, |guest, store, catalog| {
            guest.call_assemble(store, catalog, settings, context_tokens)
        })?
        .map_err(Error::Assemble)
    }

    /// Searches the catalog.
    ///
    /// # Errors
    /// [`Error::SearchTools`] when there is nothing to search for, or too much; [`Error::Trap`].
    pub fn search(
        &self,
        request: &SearchRequest,
        conversation: &Conversation,
    ) -> Result<SearchAnswer, Error> {
        let conversation = match self.weir.embedder() {
            None => Cow::Borrowed(conversation),
            Some(_) => {
                let search = self.definitions()?.into_iter().next().map(|tool| tool.name);
                let arguments = serde_json::json!({ "queries": request.queries }).to_string();
                self.informed(&search.unwrap_or_default(), &arguments, conversation)?
            }
        };
        self.call("catalog.search", Class::Search, self.bytes, |guest, store, catalog| {
            guest.call_search(store, catalog, request, &conversation)
        })?
        .map_err(Error::SearchTools)
    }

    /// Describes tools by name.
    ///
    /// # Errors
    /// [`Error::DescribeTools`] when there is no name, or too many; [`Error::Trap`].
    pub fn describe(
        &self,
        request: &DescribeRequest,
        conversation: &Conversation,
    ) -> Result<DescribeAnswer, Error> {
        self.call("catalog.describe", Class::Search, self.bytes, |guest, store, catalog| {
            guest.call_describe(store, catalog, request, conversation)
        })?
        .map_err(Error::DescribeTools)
    }

    /// Reads and checks the calls a model sent to the tool that calls tools. The inner error is the
    /// catalog's: why nothing is to be dispatched.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn resolve(
        &self,
        calls: &str,
        conversation: &Conversation,
    ) -> Result<Result<Vec<ResolvedCall>, Vec<Refusal>>, Error> {
        let bytes = self.bytes + calls.len();
        self.call("catalog.resolve", Class::Search, bytes, |guest, store, catalog| {
            guest.call_resolve(store, catalog, calls, conversation)
        })
    }

    /// Why a tool has the score it has for a query; `None` when no tool has this name.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn explain(&self, query: &str, name: &str) -> Result<Option<Explanation>, Error> {
        self.call("catalog.explain", Class::Search, self.bytes, |guest, store, catalog| {
            guest.call_explain(store, catalog, query, name)
        })
    }

    /// Ranks all tools by each of these queries, at most `limit` (1 to 1,000) for each: for
    /// evaluations. To answer a model, use [`Catalog::search`].
    ///
    /// # Errors
    /// [`Error::SearchTools`] above 256 queries; [`Error::Trap`].
    pub fn rank(
        &self,
        queries: &[String],
        limit: u32,
        ranker: Ranker,
    ) -> Result<Vec<Vec<RankedTool>>, Error> {
        self.call("catalog.rank", Class::Index, self.bytes, |guest, store, catalog| {
            guest.call_rank(store, catalog, queries, limit, ranker)
        })?
        .map_err(Error::SearchTools)
    }

    /// What differs here from an earlier catalog.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn delta(&self, earlier: &Catalog) -> Result<CatalogDelta, Error> {
        // The two are in instances of their own: a copy of the earlier one comes over.
        let copy = earlier.serialize()?;
        let bytes = self.bytes + copy.len();
        self.call("catalog.delta", Class::Index, bytes, |guest, store, catalog| {
            let earlier = match guest.call_load(&mut *store, &copy)? {
                Ok(earlier) => earlier,
                Err(error) => return Ok(Err(Error::LoadCatalog(error))),
            };
            let delta = guest.call_delta(&mut *store, catalog, earlier)?;
            earlier.resource_drop(store)?;
            Ok(Ok(delta))
        })?
    }

    /// The three bridge tools without a listing.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn definitions(&self) -> Result<Vec<BridgeDefinition>, Error> {
        self.call("catalog.definitions", Class::Search, 0, |guest, store, catalog| {
            guest.call_definitions(store, catalog)
        })
    }

    /// Answers a model's call to a bridge tool, or to a deferred tool by its own name. Whatever was
    /// sent gets an answer that says what to do next.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn invoke(
        &self,
        name: &str,
        arguments: &str,
        conversation: &Conversation,
    ) -> Result<BridgeOutcome, Error> {
        let bytes = self.bytes + arguments.len();
        let conversation = self.informed(name, arguments, conversation)?;
        self.call("catalog.invoke", Class::Search, bytes, |guest, store, catalog| {
            guest.call_invoke(store, catalog, name, arguments, &conversation)
        })
    }

    /// The texts of all tools for a model outside, in the catalog's own order.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn texts(&self) -> Result<&[ToolText], Error> {
        if let Some(texts) = self.texts.get() {
            return Ok(texts);
        }
        let texts =
            self.call("catalog.texts", Class::Search, self.bytes, |guest, store, catalog| {
                guest.call_texts(store, catalog)
            })?;
        Ok(self.texts.get_or_init(|| texts))
    }

    /// What a call to a bridge tool would rank tools by; nothing for calls that do not search.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn queries(&self, name: &str, arguments: &str) -> Result<Vec<String>, Error> {
        let bytes = self.bytes + arguments.len();
        self.call("catalog.queries", Class::Search, bytes, |guest, store, catalog| {
            guest.call_queries(store, catalog, name, arguments)
        })
    }

    /// Has the model outside embed all tools now, for callers that would rather wait than search
    /// without it. Without such a model there is nothing to do. The inner error is the model's.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn prepare_embedder(&self) -> Result<Result<(), String>, Error> {
        match self.weir.embedder() {
            Some(embedder) => Ok(embedder.prepare(self.texts()?)),
            None => Ok(Ok(())),
        }
    }

    /// What is known of the conversation, with what the model outside says about a call's queries.
    /// A caller that has asked a model itself is not answered over.
    fn informed<'c>(
        &self,
        name: &str,
        arguments: &str,
        conversation: &'c Conversation,
    ) -> Result<Cow<'c, Conversation>, Error> {
        let (Some(embedder), Outside::None) = (self.weir.embedder(), &conversation.outside) else {
            return Ok(Cow::Borrowed(conversation));
        };
        let queries = self.queries(name, arguments)?;
        if queries.is_empty() {
            return Ok(Cow::Borrowed(conversation));
        }
        let outside = match embedder.scores(self.texts()?, &queries) {
            Ok(scores) => {
                let scores = queries.into_iter().zip(scores);
                Outside::Scores(
                    scores.map(|(query, scores)| QueryScores { query, scores }).collect(),
                )
            }
            Err(why) => Outside::Failed(why),
        };
        Ok(Cow::Owned(Conversation { outside, ..conversation.clone() }))
    }

    fn call<R>(
        &self,
        name: &'static str,
        class: Class,
        input_bytes: usize,
        function: impl FnOnce(GuestCatalog<'_>, &mut Store<State>, ResourceAny) -> wasmtime::Result<R>,
    ) -> Result<R, Error> {
        let mut slot = self.lock();
        let mut live = match slot.take() {
            Some(live) => live,
            None => make(&self.weir, &self.source, self.bytes)?,
        };
        let limits = self.weir.limits(class, input_bytes);
        let result = live.call(name, limits, function);
        if result.is_ok() {
            *slot = Some(live);
        }
        result
    }

    /// A thread that panicked while it held the lock has taken the instance out, and not put it back.
    fn lock(&self) -> MutexGuard<'_, Option<Live>> {
        self.live.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Live {
    fn call<R>(
        &mut self,
        name: &'static str,
        limits: Limits,
        function: impl FnOnce(GuestCatalog<'_>, &mut Store<State>, ResourceAny) -> wasmtime::Result<R>,
    ) -> Result<R, Error> {
        let catalog = self.catalog;
        self.instance.call(name, limits, |plugin, store| {
            function(plugin.weir_plugin_tool_search().catalog(), store, catalog)
        })
    }
}

fn make(weir: &Weir, source: &Source, bytes: usize) -> Result<Live, Error> {
    let (snapshot, names) = match source {
        Source::Snapshot(snapshot, names) => (snapshot, names.as_ref()),
        Source::Serialized(bytes) => return load(weir, bytes),
    };
    let mut instance = weir.instance(Class::Index)?;
    let limits = weir.limits(Class::Index, bytes);
    let catalog = instance
        .call("catalog.build", limits, |plugin, store| {
            plugin.weir_plugin_tool_search().catalog().call_build(store, snapshot, names)
        })?
        .map_err(Error::BuildCatalog)?;
    Ok(Live { instance, catalog })
}

fn load(weir: &Weir, bytes: &[u8]) -> Result<Live, Error> {
    let mut instance = weir.instance(Class::Index)?;
    let limits = weir.limits(Class::Index, bytes.len());
    let catalog = instance
        .call("catalog.load", limits, |plugin, store| {
            plugin.weir_plugin_tool_search().catalog().call_load(store, bytes)
        })?
        .map_err(Error::LoadCatalog)?;
    Ok(Live { instance, catalog })
}

/// Bytes of all texts in a snapshot.
fn size(snapshot: &Snapshot) -> usize {
    let tools = snapshot.tools.iter().map(|tool| {
        let labels = tool.tags.iter().chain(&tool.aliases).map(String::len).sum::<usize>();
        let title = tool.title.as_ref().map_or(0, String::len);
        tool.name.len() + tool.description.len() + tool.input_schema.len() + title + labels
    });
    let servers =
        snapshot.servers.iter().map(|server| server.name.len() + server.description.len());
    tools.chain(servers).sum()
}
