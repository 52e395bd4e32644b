//! Catalogs for the bridge tools.

use std::sync::Arc;

use serde::de::DeserializeOwned;
use weir_host::contract::{
    BridgeAnswer, Conversation, ServerInfo, Snapshot, ToolAnnotations, ToolDefinition,
};
use weir_host::{CatalogOptions, Error};
use weir_servers::memory::Screen;

use super::{Gate, GateError, Json, definition};
use crate::search::catalog::{Catalog, Tool};
use crate::search::phrases::Phrases;
use weir_mcp::json::{self, values_of};

/// Characters of a server's own account that are used to say what it is for.
const PURPOSE_CHARS: usize = 300;

/// A ranked index over one catalog, with the tools that search and call through it.
#[derive(Debug, Clone)]
pub struct Bridge {
    catalog: Arc<weir_host::Catalog>,
    visible: Vec<String>,
    /// The bridge tools, as MCP defines tools.
    pub definitions: Vec<Json>,
}

/// What a bridge tool answers.
#[derive(Debug)]
pub enum Answer {
    /// Show this.
    Text {
        /// For the model.
        text: String,
        /// Whether it says that something is wrong.
        is_error: bool,
    },
    /// Call these tools.
    Dispatch(Vec<Planned>),
}

/// A call that a bridge tool asks for.
#[derive(Debug)]
pub struct Planned {
    /// The tool.
    pub name: String,
    /// The arguments, as JSON text.
    pub arguments: String,
    /// Whether the tool only reads: its server, which is trusted, claims so, and its name does not
    /// contradict.
    pub reads_only: bool,
    /// The calls before it that must have ended, counted from 0: at the same server, and one of the two may
    /// change something.
    pub after: Vec<usize>,
}

impl From<BridgeAnswer> for Answer {
    fn from(answer: BridgeAnswer) -> Answer {
        if let Some(text) = answer.text {
            return Answer::Text { text, is_error: answer.is_error };
        }
        let planned = answer.calls.into_iter().map(|call| Planned {
            name: call.name,
            arguments: call.arguments,
            reads_only: call.risk == "read-only",
            after: call.wait_for.iter().filter_map(|index| usize::try_from(*index).ok()).collect(),
        });
        Answer::Dispatch(planned.collect())
    }
}

/// Tools that are handed to the component at once: of more, the definitions are never in memory twice.
const BATCH_TOOLS: usize = 500;

/// The catalog as the component takes it. Servers that do not run count as connected: they are
/// started when they are called, and what a model is shown does not depend on what runs.
pub fn snapshot(catalog: &Catalog, phrases: &Phrases) -> Snapshot {
    snapshot_of(catalog, catalog.tools().iter(), phrases)
}

/// The same, batch by batch.
fn batches(catalog: Arc<Catalog>, phrases: Arc<Phrases>) -> impl Iterator<Item = Snapshot> {
    (0..catalog.tools().len()).step_by(BATCH_TOOLS).map(move |start| {
        let batch = catalog.tools().iter().skip(start).take(BATCH_TOOLS);
        snapshot_of(&catalog, batch, &phrases)
    })
}

/// A value of JSON.
fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

fn snapshot_of<'t>(
    catalog: &Catalog,
    all: impl Iterator<Item = &'t Tool>,
    phrases: &Phrases,
) -> Snapshot {
    let mut servers: Vec<ServerInfo> = Vec::new();
    let mut tools = Vec::with_capacity(all.size_hint().1.unwrap_or_default());
    for tool in all.filter(|tool| !tool.for_app) {
        let upstream = &tool.upstream;
        if servers.last().is_none_or(|server| server.name != upstream.name()) {
            let said = upstream.known().and_then(|known| {
                let described = known.info.as_ref().and_then(|info| info.text_at(&["description"]));
                described.or_else(|| known.instructions.clone())
            });
            servers.push(ServerInfo {
                name: upstream.name().to_owned(),
                description: catalog
                    .unnamed(upstream.name(), &said.unwrap_or_default())
                    .chars()
                    .take(PURPOSE_CHARS)
                    .collect(),
                trusted: Some(upstream.spec.trust),
                ..ServerInfo::default()
            });
        }
        let said = upstream.spec.only_reads(&tool.own_name);
        let definition = tool.listed();
        let names = ["title", "description", "inputSchema", "annotations"];
        let [title, description, schema, claims] = values_of(definition.as_str(), names);
        let names = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint", "title"];
        let [read_only, destructive, idempotent, open_world, other_title] =
            values_of(claims.unwrap_or_default(), names);
        let hint = |claim: Option<&str>, known: Option<bool>| match said {
            true if known.is_some() => known,
            _ => claim.and_then(read).filter(|_| upstream.spec.trust),
        };
        let text = |quoted: Option<&str>| quoted.and_then(json::string);
        let title = text(title).or_else(|| text(other_title));
        let described = upstream.spec.describe.get(&tool.own_name).cloned();
        tools.push(ToolDefinition {
            name: tool.name.clone(),
            title: title.clone(),
            description: described.or_else(|| text(description)).unwrap_or_default(),
            input_schema: schema.unwrap_or_default().to_owned(),
            annotations: ToolAnnotations {
                read_only: hint(read_only, Some(true)),
                destructive: hint(destructive, Some(false)),
                idempotent: hint(idempotent, Some(true)),
                open_world: hint(open_world, None),
            },
            server: upstream.name().to_owned(),
            origin: if tool.is_skill { "skill" } else { "external" }.to_owned(),
            tags: Vec::new(),
            aliases: [tool.own_name.clone()]
                .into_iter()
                .chain(title.clone().filter(|_| tool.is_skill))
                .collect(),
            phrases: phrases.of(tool),
            pinned: tool.pinned,
        });
    }
    Snapshot { tools, servers }
}

impl Bridge {
    /// Runs a bridge tool.
    fn invoke(&self, name: &str, arguments: &str) -> Result<BridgeAnswer, Error> {
        let conversation =
            Conversation { visible: self.visible.clone(), ..Conversation::default() };
        self.catalog.invoke(name, arguments, &conversation)
    }
}

impl Gate {
    /// Builds the index of a catalog.
    ///
    /// # Errors
    /// When the component gives no answer, or the tools are more than it takes.
    pub(crate) async fn bridge(
        &self,
        catalog: &Arc<Catalog>,
        phrases: Phrases,
    ) -> Result<Bridge, GateError> {
        let (all, phrases) = (Arc::clone(catalog), Arc::new(phrases));
        self.run(move |weir| {
            let parts = move || batches(Arc::clone(&all), Arc::clone(&phrases));
            let catalog = weir.catalog_made_by(parts, CatalogOptions::default())?;
            let assembly = catalog.assemble(Some(r#"{"mode": "on"}"#), 0)?;
            let tools = if assembly.active { assembly.bridge } else { catalog.bridge_tools()? };
            let definitions = tools
                .iter()
                .map(|tool| {
                    definition(&tool.name, &tool.description, &tool.input_schema, &tool.annotations)
                })
                .collect();
            let visible = assembly.visible.into_iter().map(|tool| tool.id).collect();
            Ok(Bridge { catalog: catalog.into(), visible, definitions })
        })
        .await
    }

    /// Runs a bridge tool.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub async fn ask_bridge(
        &self,
        bridge: &Bridge,
        name: &str,
        arguments: &str,
    ) -> Result<Answer, GateError> {
        let (bridge, name, arguments) = (bridge.clone(), name.to_owned(), arguments.to_owned());
        self.run(move |_| Ok(bridge.invoke(&name, &arguments)?.into())).await
    }

    /// Whether a tool is said to only read and its name or description says otherwise. Also true when the component
    /// gives no answer.
    pub(crate) async fn doubts(&self, tool: &Tool) -> bool {
        if !tool.hints.read_only || tool.upstream.spec.only_reads(&tool.own_name) {
            return false;
        }
        let tool = tool.clone();
        let doubted = self.run(move |weir| {
            let one = snapshot_of(&Catalog::default(), std::iter::once(&tool), &Phrases::default());
            let found = weir.catalog(one)?.diagnostics()?;
            Ok(found.iter().any(|found| found.issue == UNLIKELY_CLAIM))
        });
        doubted.await.unwrap_or(true)
    }
}

impl Gate {
    /// What the component finds suspicious about a text: hidden characters, marks of chat formats. Blocks, in a thread of a
    /// runtime that may.
    pub fn screen(&self) -> Screen {
        let gate = self.clone();
        Screen::new(move |text: &str| {
            let note = ToolDefinition {
                name: "note".to_owned(),
                description: text.to_owned(),
                origin: "external".to_owned(),
                ..ToolDefinition::default()
            };
            let screened = gate.run(move |weir| {
                let one = Snapshot { tools: vec![note], servers: Vec::new() };
                let mut found = weir.catalog(one)?.diagnostics()?;
                found.retain(|found| found.issue == SUSPICIOUS);
                let details =
                    found.iter().map(|found| found.detail.trim_start_matches("description: "));
                Ok((!found.is_empty()).then(|| details.collect::<Vec<_>>().join(" and ")))
            });
            tokio::runtime::Handle::current().block_on(screened).map_err(|error| error.to_string())
        })
    }
}

/// What the component says of a text that is no description.
const SUSPICIOUS: &str = "suspicious";

/// What the component says of a tool whose claim to only read contradicts its own words.
const UNLIKELY_CLAIM: &str = "unlikely-claim";
