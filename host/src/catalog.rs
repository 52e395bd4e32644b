//! Tool search: a catalog of tools in an instance of its own.

use std::borrow::Cow;
use std::sync::OnceLock;

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use crate::bindings::exports::weir::plugin::tool_search::GuestCatalog;
use crate::contract::{
    Assembly, BridgeAnswer, BridgeNames, Conversation, Diagnostic, ModelTool, QueryScores, Refusal,
    ResolvedCall, Snapshot, ToolText,
};
use crate::error::Error;
use crate::instance::Instance;
use crate::limits::Class;
use crate::state::State;
use crate::weir::Weir;
use weir_base::Mutex;

/// All the tools one conversation was granted, behind three bridge tools: made with
/// [`Weir::catalog`].
///
/// Immutable: a change of tools is a new catalog. It is kept in an instance
/// of the component, so that a call costs no more than its own work; calls from several threads
/// wait for each other. When a call breaks the instance, the caller gets [`Error::Trap`] and the next
/// call makes the catalog again, from what it was made from.
///
/// ```
/// use weir_host::Weir;
/// use weir_host::contract::{Conversation, Snapshot, ToolDefinition};
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
/// assert!(found.text.is_some_and(|text| text.contains("create_issue")));
///
/// let call = r#"{"calls": [{"name": "create_issue", "arguments": {"title": "It crashes"}}]}"#;
/// let calls = catalog.invoke("tool_call", call, &conversation)?.calls;
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
    /// The tools' texts, once a host's own model was asked.
    texts: OnceLock<Vec<ToolText>>,
    /// None after a trap, until the next call.
    live: Mutex<Option<Live>>,
}

/// How a catalog is built.
#[derive(Debug, Clone, Default)]
pub struct CatalogOptions {
    /// What the bridge tools are called; `None` for their default names.
    pub names: Option<BridgeNames>,
    /// Whether to leave out the phrases that the component knows for tools of public servers.
    pub without_known_phrases: bool,
}

impl CatalogOptions {
    fn words(&self) -> Vec<String> {
        let word = self.without_known_phrases.then(|| "without-known-phrases".to_owned());
        word.into_iter().collect()
    }
}

/// Gives the parts of a catalog's snapshot each time it is made.
type Maker = Box<dyn Fn() -> Box<dyn Iterator<Item = Snapshot>> + Send + Sync>;

/// What a catalog is made from, and made again.
enum Source {
    Snapshot(Snapshot, CatalogOptions),
    Made(Maker, CatalogOptions),
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
    /// [`Error::Refused`] when the snapshot is beyond a limit; [`Error::Trap`].
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
        self.catalog_with(snapshot, CatalogOptions { names, ..CatalogOptions::default() })
    }

    /// Builds a catalog with options.
    ///
    /// # Errors
    /// As [`Weir::catalog`].
    pub fn catalog_with(
        &self,
        snapshot: Snapshot,
        options: CatalogOptions,
    ) -> Result<Catalog, Error> {
        Catalog::open(self, size(&snapshot), Source::Snapshot(snapshot, options))
    }

    /// Builds a catalog of a snapshot that comes in parts, each of which goes into the component before the next is
    /// taken: for so many tools that their definitions are better left where they are. The catalog is the
    /// same as that of the whole snapshot. A few hundred tools are a good part.
    ///
    /// Nothing of the parts is kept: `parts` is asked for them again when a call broke the instance.
    ///
    /// ```
    /// # use weir_host::contract::{Snapshot, ToolDefinition};
    /// # use weir_host::{CatalogOptions, Weir};
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let directory = tempfile::tempdir()?;
    /// # let cache = std::env::temp_dir().join("weir-doctest-cache");
    /// # let weir = Weir::builder().cache(cache).open(directory.path().join("store"))?;
    /// let tool = |at| ToolDefinition { name: format!("tool_{at}"), ..ToolDefinition::default() };
    /// let parts = move || {
    ///     (0..10).map(move |part| Snapshot {
    ///         tools: (0..100).map(|at| tool(100 * part + at)).collect(),
    ///         servers: vec![],
    ///     })
    /// };
    /// let catalog = weir.catalog_made_by(parts, CatalogOptions::default())?;
    /// let assembly = catalog.assemble(None, 0)?;
    /// assert_eq!(assembly.visible.len() + assembly.deferred as usize, 1_000);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// As [`Weir::catalog`]; limits hold for all parts together.
    pub fn catalog_made_by<P>(
        &self,
        parts: impl Fn() -> P + Send + Sync + 'static,
        options: CatalogOptions,
    ) -> Result<Catalog, Error>
    where
        P: IntoIterator<Item = Snapshot, IntoIter: 'static>,
    {
        let made = build_in_parts(self, parts().into_iter().map(Cow::Owned), &options)?;
        let maker: Maker = Box::new(move || Box::new(parts().into_iter()));
        Ok(Catalog::of(self, Source::Made(maker, options), made))
    }

    /// The settings that [`Catalog::assemble`] uses when none are given, as JSON text.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn default_assemble_settings(&self) -> Result<String, Error> {
        self.once(Class::Small, "default-assemble-settings", 0, |plugin, store| {
            plugin.tool_search()?.call_default_assemble_settings(store)
        })
    }
}

impl Catalog {
    fn open(weir: &Weir, bytes: usize, source: Source) -> Result<Catalog, Error> {
        let live = make(weir, &source)?;
        Ok(Catalog::of(weir, source, (live, bytes)))
    }

    fn of(weir: &Weir, source: Source, (live, bytes): (Live, usize)) -> Catalog {
        let (weir, live) = (weir.clone(), Mutex::new(Some(live)));
        Catalog { weir, source, bytes, texts: OnceLock::new(), live }
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

    /// What was found about the tools, sorted by server and name.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn diagnostics(&self) -> Result<Vec<Diagnostic>, Error> {
        self.call("catalog.diagnostics", Class::Index, self.bytes, |guest, store, catalog| {
            guest.call_diagnostics(store, catalog)
        })
    }

    /// Decides what a model is shown, from these settings (JSON text such as `{"mode": "on"}`; `None` for
    /// the defaults) and its context in tokens (0 when unknown).
    ///
    /// # Errors
    /// [`Error::Refused`] when a required tool was not granted, or for settings that cannot be used: the
    /// message names them. [`Error::Trap`].
    pub fn assemble(&self, settings: Option<&str>, context_tokens: u32) -> Result<Assembly, Error> {
        self.call("catalog.assemble", Class::Search, self.bytes, |guest, store, catalog| {
            guest.call_assemble(store, catalog, settings, context_tokens)
        })?
        .map_err(Error::from)
    }

    /// Reads and checks the calls a model sent to a tool that calls tools: all calls, or why none is dispatched.
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

    /// The three bridge tools without a listing.
    ///
    /// # Errors
    /// [`Error::Trap`].
    pub fn bridge_tools(&self) -> Result<Vec<ModelTool>, Error> {
        self.call("catalog.bridge-tools", Class::Search, 0, |guest, store, catalog| {
            guest.call_bridge_tools(store, catalog)
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
    ) -> Result<BridgeAnswer, Error> {
        let bytes = self.bytes + arguments.len();
        let conversation = self.informed(name, arguments, conversation)?;
        self.call("catalog.invoke", Class::Search, bytes, |guest, store, catalog| {
            guest.call_invoke(store, catalog, name, arguments, &conversation)
        })
    }

    /// The texts of all tools for a host's own model, in the catalog's own order.
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
        let (Some(embedder), None) = (self.weir.embedder(), &conversation.external) else {
            return Ok(Cow::Borrowed(conversation));
        };
        let queries = self.queries(name, arguments)?;
        if queries.is_empty() {
            return Ok(Cow::Borrowed(conversation));
        }
        let external = match embedder.scores(self.texts()?, &queries) {
            Ok(scores) => {
                let scores = queries.into_iter().zip(scores);
                let scores = scores.map(|(query, scores)| QueryScores { query, scores });
                Ok(scores.collect())
            }
            Err(why) => Err(why),
        };
        Ok(Cow::Owned(Conversation { external: Some(external), ..conversation.clone() }))
    }

    fn call<R: Send>(
        &self,
        name: &'static str,
        class: Class,
        input_bytes: usize,
        function: impl FnOnce(GuestCatalog<'_>, &mut Store<State>, ResourceAny) -> wasmtime::Result<R>
        + Send,
    ) -> Result<R, Error> {
        let mut slot = self.live.lock();
        let mut live = match slot.take() {
            Some(live) => live,
            None => make(&self.weir, &self.source)?,
        };
        let limits = self.weir.limits(class, input_bytes);
        let catalog = live.catalog;
        let result = live.instance.call(name, limits, |plugin, store| {
            function(plugin.tool_search()?.catalog(), store, catalog)
        });
        if result.is_ok() {
            *slot = Some(live);
        }
        result
    }
}

fn make(weir: &Weir, source: &Source) -> Result<Live, Error> {
    match source {
        Source::Snapshot(snapshot, options) => {
            let whole = std::iter::once(Cow::Borrowed(snapshot));
            build_in_parts(weir, whole, options).map(|(live, _)| live)
        }
        Source::Made(make, options) => {
            build_in_parts(weir, make().map(Cow::Owned), options).map(|(live, _)| live)
        }
    }
}

/// Builds a catalog of parts, and says how many bytes they have.
fn build_in_parts<'s>(
    weir: &Weir,
    parts: impl Iterator<Item = Cow<'s, Snapshot>>,
    options: &CatalogOptions,
) -> Result<(Live, usize), Error> {
    let mut instance = weir.instance(Class::Index)?;
    let builder = instance
        .call("catalog-builder.start", weir.limits(Class::Index, 0), |plugin, store| {
            let guest = plugin.tool_search()?.catalog_builder();
            guest.call_start(store, options.names.as_ref(), &options.words())
        })?
        .map_err(Error::from)?;
    let mut bytes = 0;
    for part in parts {
        let of_part = size(&part);
        bytes += of_part;
        instance
            .call("catalog-builder.add", weir.limits(Class::Index, of_part), |plugin, store| {
                plugin.tool_search()?.catalog_builder().call_add(store, builder, &part)
            })?
            .map_err(Error::from)?;
    }
    let limits = weir.limits(Class::Index, bytes);
    let catalog = instance.call("catalog-builder.finish", limits, |plugin, store| {
        plugin.tool_search()?.catalog_builder().call_finish(store, builder)
    })?;
    Ok((Live { instance, catalog }, bytes))
}

/// Bytes of all texts in a snapshot.
fn size(snapshot: &Snapshot) -> usize {
    let tools = snapshot.tools.iter().map(|tool| {
        let labels = tool
            .tags
            .iter()
            .chain(&tool.aliases)
            .chain(&tool.phrases)
            .map(String::len)
            .sum::<usize>();
        let title = tool.title.as_ref().map_or(0, String::len);
        tool.name.len() + tool.description.len() + tool.input_schema.len() + title + labels
    });
    let servers =
        snapshot.servers.iter().map(|server| server.name.len() + server.description.len());
    tools.chain(servers).sum()
}
