//! Catalogs for the bridge tools.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use weir_host::contract::{
    BridgeAnswer, Conversation, ServerInfo, Snapshot, ToolAnnotations, ToolDefinition,
};
use weir_host::{CatalogOptions, Error, Weir};
use weir_servers::memory::Screen;

use super::kept::{self, KeptFile};
use super::{Gate, GateError, Json, definition};
use crate::catalog::{Catalog, Tool};
use crate::indexes::Extent;
use crate::json::{self, quote, values_of};
use crate::names::{CALL, SEARCH};
use crate::phrases::Phrases;
use crate::shallow::shallow;

/// Characters of a server's own account that are used to say what it is for.
const PURPOSE_CHARS: usize = 300;

/// A ranked index over one catalog, with the tools that search and call through it.
#[derive(Debug, Clone)]
pub struct Bridge {
    catalog: Arc<weir_host::Catalog>,
    visible: Vec<String>,
    /// The tools, where definitions of some are in files.
    files: Option<Arc<Catalog>>,
    /// How many tools of each server are in it.
    counts: BTreeMap<String, usize>,
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

/// Bytes of all definitions that come from files, as the component takes them; of one, at least and at most: as much as its
/// short form has.
const SHORT_BYTES: usize = 24 << 20;
const SHORT_EACH: std::ops::RangeInclusive<usize> = 512..=4_096;

/// Tools in the index of a part of a catalog.
pub(crate) const PART_TOOLS: usize = 2_000;

/// Tools that are handed to the component at once: of more, the definitions are never in memory together.
const BATCH_TOOLS: usize = 500;

/// Characters of a schema that a search answers with.
const SHOWN_CHARS: usize = 4_000;

/// The catalog as the component takes it. Servers that do not run count as connected: they are
/// started when they are called, and what a model is shown does not depend on what runs. Definitions in
/// files are shortened: what is described or called is read from there.
pub fn snapshot(catalog: &Catalog, phrases: &Phrases) -> Snapshot {
    snapshot_of(catalog.tools().iter(), phrases, short_bytes(catalog))
}

/// Bytes that each definition in a file is shortened to.
fn short_bytes(catalog: &Catalog) -> usize {
    let in_files = catalog.tools().iter().filter(|tool| tool.is_in_file()).count();
    (SHORT_BYTES / in_files.max(1)).clamp(*SHORT_EACH.start(), *SHORT_EACH.end())
}

/// A snapshot of the tools at these places, batch by batch: definitions are read when their batch is due.
fn batches(
    catalog: Arc<Catalog>,
    phrases: Arc<Phrases>,
    places: Arc<[u32]>,
) -> impl Iterator<Item = Snapshot> {
    let short = short_bytes(&catalog);
    (0..places.len()).step_by(BATCH_TOOLS).map(move |start| {
        let end = places.len().min(start + BATCH_TOOLS);
        let tools = places[start..end].iter().filter_map(|&at| catalog.tools().get(at as usize));
        snapshot_of(tools, &phrases, short)
    })
}

/// The places of so many tools, as many of each server as of the others where it has them: the first of each.
fn part(catalog: &Catalog, count: usize) -> Vec<u32> {
    let mut wanted: Vec<(usize, &str)> =
        counts(catalog.tools().iter()).map(|(server, count)| (count, server)).collect();
    wanted.sort_unstable();
    let (mut room, mut left) = (count, wanted.len());
    let mut most: BTreeMap<&str, usize> = BTreeMap::new();
    for (has, server) in wanted {
        let takes = has.min(room / left);
        (room, left) = (room - takes, left - 1);
        most.insert(server, takes);
    }
    let mut takes = |tool: &Tool| match most.get_mut(tool.upstream.name()) {
        Some(left) if *left > 0 => {
            *left -= 1;
            true
        }
        _ => false,
    };
    let places = (0u32..).zip(catalog.tools()).filter(|(_, tool)| takes(tool));
    places.map(|(at, _)| at).collect()
}

/// How many of these tools each server has.
pub(crate) fn counts<'t>(
    tools: impl Iterator<Item = &'t Tool>,
) -> impl Iterator<Item = (&'t str, usize)> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for tool in tools {
        *counts.entry(tool.upstream.name()).or_default() += 1;
    }
    counts.into_iter()
}

/// A value of JSON.
fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_str(text).ok()
}

fn snapshot_of<'t>(
    all: impl Iterator<Item = &'t Tool>,
    phrases: &Phrases,
    short: usize,
) -> Snapshot {
    let mut servers: Vec<ServerInfo> = Vec::new();
    let mut tools = Vec::with_capacity(all.size_hint().1.unwrap_or_default());
    for tool in all {
        let upstream = &tool.upstream;
        if servers.last().is_none_or(|server| server.name != upstream.name()) {
            let said = upstream.known().and_then(|known| {
                let described = known.info.as_ref().and_then(|info| info.text_at(&["description"]));
                described.or_else(|| known.instructions.clone())
            });
            servers.push(ServerInfo {
                name: upstream.name().to_owned(),
                description: said.unwrap_or_default().chars().take(PURPOSE_CHARS).collect(),
                trusted: Some(upstream.spec.trust),
                ..ServerInfo::default()
            });
        }
        let said = upstream.spec.only_reads(&tool.own_name);
        let definition = if short < usize::MAX { tool.short() } else { tool.definition() };
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
        let mut description = text(description).unwrap_or_default();
        let schema = schema.unwrap_or_default();
        let input_schema = match tool.is_in_file() && description.len() + schema.len() > short {
            true => {
                let room = short.saturating_sub(schema.len()).max(short / 2);
                description.truncate(description.floor_char_boundary(room));
                description.shrink_to_fit();
                shallow(schema, short.saturating_sub(description.len()))
            }
            false => schema.to_owned(),
        };
        tools.push(ToolDefinition {
            name: tool.name.clone(),
            title: title.clone(),
            description,
            input_schema,
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
    /// How many of a server's tools are in it.
    pub(crate) fn count_of(&self, server: &str) -> usize {
        self.counts.get(server).copied().unwrap_or_default()
    }

    /// Runs a bridge tool. What concerns definitions in files is answered from the whole definitions.
    fn invoke(&self, weir: &Weir, name: &str, arguments: &str) -> Result<BridgeAnswer, Error> {
        let conversation =
            Conversation { visible: self.visible.clone(), ..Conversation::default() };
        let Some(files) = &self.files else {
            return self.catalog.invoke(name, arguments, &conversation);
        };
        let claims = (name == CALL).then(|| Claims::of(arguments));
        let asked = claims.as_ref().map_or(arguments, |claims| claims.without.as_str());
        let mut answer = self.catalog.invoke(name, asked, &conversation)?;
        match (&answer.text, claims) {
            (None, claims) => {
                let names = answer.calls.iter().map(|call| call.name.as_str());
                let Some(catalog) = in_whole(weir, files, names)? else { return Ok(answer) };
                let calls = answer.calls.iter().enumerate().map(|(at, call)| {
                    let claim = claims.as_ref().and_then(|claims| claims.schemas.get(at)?.as_ref());
                    let claim = claim.map(|claim| format!(r#","schema":{}"#, quote(claim)));
                    format!(
                        r#"{{"name":{},"arguments":{}{}}}"#,
                        quote(&call.name),
                        call.arguments,
                        claim.unwrap_or_default()
                    )
                });
                let calls = calls.collect::<Vec<_>>().join(",");
                catalog.invoke(name, &format!(r#"{{"calls":[{calls}]}}"#), &conversation)
            }
            (Some(text), None) if name == SEARCH => {
                answer.text = Some(with_whole_schemas(text, files));
                Ok(answer)
            }
            (Some(text), None) => {
                let Ok(json) = Json::parse(text.clone()) else { return Ok(answer) };
                let described = json
                    .items(&["tools"])
                    .into_iter()
                    .filter_map(|tool| Json::assembled(tool.to_owned()).text_at(&["name"]));
                let left_out = json.items(&["left_out"]).into_iter();
                let left_out = left_out.filter_map(|name| serde_json::from_str(name).ok());
                let names: Vec<String> = described.chain(left_out).collect();
                let names = names.iter().map(String::as_str);
                let Some(catalog) = in_whole(weir, files, names)? else { return Ok(answer) };
                let mut described = catalog.invoke(name, arguments, &conversation)?;
                // Which names mean nothing is known where all the names are.
                described.text =
                    described.text.and_then(|text| Json::parse(text).ok()).map(|text| {
                        let text = text.without(&["missing"]);
                        match json.get(&["missing"]) {
                            Some(missing) => text.with(&["missing"], missing).to_string(),
                            None => text.to_string(),
                        }
                    });
                Ok(described)
            }
            (Some(_), Some(_)) => Ok(answer),
        }
    }
}

/// A catalog of these tools alone, with their whole definitions; none when they are in the large one whole.
fn in_whole<'n>(
    weir: &Weir,
    files: &Catalog,
    names: impl Iterator<Item = &'n str>,
) -> Result<Option<weir_host::Catalog>, Error> {
    let tools: Vec<&Tool> = names.filter_map(|name| files.named(name)).collect();
    if !tools.iter().any(|tool| tool.is_in_file()) {
        return Ok(None);
    }
    weir.catalog(snapshot_of(tools.into_iter(), &Phrases::default(), usize::MAX)).map(Some)
}

/// The tools that a call of a bridge tool names, when that is all that it depends on: each by its own name, and known.
fn named_in<'c>(catalog: &'c Catalog, arguments: &str) -> Option<Vec<&'c Tool>> {
    let json = Json::parse(arguments.to_owned()).ok()?;
    let calls = json.items(&["calls"]);
    let names: Vec<String> = match (calls.is_empty(), json.get(&["name"])) {
        (false, _) => {
            let name = |call: &str| Json::assembled(call.to_owned()).text_at(&["name"]);
            calls.into_iter().map(name).collect::<Option<_>>()?
        }
        (true, Some(_)) => vec![json.text_at(&["name"])?],
        (true, None) => json.at(&["names"])?.read()?,
    };
    let tools: Vec<&Tool> = names.iter().map(|name| catalog.named(name)).collect::<Option<_>>()?;
    (!tools.is_empty()).then_some(tools)
}

/// The answer to a search without tools that are not in this catalog.
pub(crate) fn only_tools_of(catalog: &Catalog, text: &str) -> String {
    let Ok(json) = Json::parse(text.to_owned()) else { return text.to_owned() };
    let known = |name: Option<String>| name.is_some_and(|name| catalog.named(&name).is_some());
    let mut any = false;
    let changed = json.with_items(&["results"], |group| {
        let mut group = Json::assembled(group.to_owned());
        for member in ["matches", "weak", "call_directly"] {
            let items = group.items(&[member]);
            let kept = items.iter().filter(|item| match item.starts_with('{') {
                true => known(Json::assembled((**item).to_owned()).text_at(&["name"])),
                false => known(serde_json::from_str(item).ok()),
            });
            let kept: Vec<&str> = kept.copied().collect();
            if kept.len() < items.len() {
                any = true;
                group = group.with(&[member], &format!("[{}]", kept.join(",")));
            }
        }
        group.to_string()
    });
    if any { changed.to_string() } else { text.to_owned() }
}

/// What a model claims of the schemas that it wrote calls for, and the arguments without that.
struct Claims {
    without: String,
    schemas: Vec<Option<String>>,
}

impl Claims {
    fn of(arguments: &str) -> Claims {
        let unread = || Claims { without: arguments.to_owned(), schemas: Vec::new() };
        let Ok(json) = Json::parse(arguments.to_owned()) else { return unread() };
        let items = json.items(&["calls"]);
        if items.is_empty() {
            let schemas = vec![json.text_at(&["schema"])];
            return match schemas[0].is_some() && json.get(&["name"]).is_some() {
                true => Claims { without: json.without(&["schema"]).to_string(), schemas },
                false => unread(),
            };
        }
        let items = items.into_iter().map(|item| Json::assembled(item.to_owned()));
        let schemas: Vec<Option<String>> = items.map(|item| item.text_at(&["schema"])).collect();
        if schemas.iter().all(Option::is_none) {
            return unread();
        }
        let bare = |item: &str| Json::assembled(item.to_owned()).without(&["schema"]).to_string();
        let without = json.with_items(&["calls"], bare).to_string();
        Claims { without, schemas }
    }
}

/// The answer to a search with the exact schemas of tools in files, where it has any.
fn with_whole_schemas(text: &str, files: &Catalog) -> String {
    if !text.contains(r#""schema":"#) {
        return text.to_owned();
    }
    let Ok(json) = Json::parse(text.to_owned()) else { return text.to_owned() };
    let hit = |hit: &str| {
        let hit = Json::assembled(hit.to_owned());
        let tool = hit.text_at(&["name"]).and_then(|name| files.named(&name));
        let Some(tool) = tool.filter(|tool| tool.is_in_file()) else { return hit.to_string() };
        let definition = tool.definition();
        match definition.get(&["inputSchema"]) {
            Some(schema) if schema.chars().count() <= SHOWN_CHARS => {
                hit.with(&["schema"], schema).to_string()
            }
            _ => hit.without(&["schema"]).to_string(),
        }
    };
    let group =
        |group: &str| Json::assembled(group.to_owned()).with_items(&["matches"], hit).to_string();
    json.with_items(&["results"], group).to_string()
}

impl Gate {
    /// Builds the index of a catalog, or of a part of it: with what is in the file of the whole one, where there is one.
    ///
    /// # Errors
    /// When the component gives no answer, or the tools are more than it takes.
    pub(crate) async fn bridge(
        &self,
        catalog: &Arc<Catalog>,
        phrases: Phrases,
        extent: Extent,
        file: Option<KeptFile>,
    ) -> Result<Bridge, GateError> {
        let all = Arc::clone(catalog);
        let made = self.run(move |weir| {
            let places: Arc<[u32]> = match extent {
                Extent::Whole => (0..all.tools().len() as u32).collect(),
                Extent::Part => part(&all, PART_TOOLS).into(),
            };
            let counts = counts(places.iter().filter_map(|&at| all.tools().get(at as usize)));
            let counts = counts.map(|(server, count)| (server.to_owned(), count)).collect();
            let in_files = all.tools().iter().any(Tool::is_in_file);
            let files = in_files.then(|| Arc::clone(&all));
            // Definitions that are in a file are not to be in memory here, nor are others to be there twice.
            let phrases = Arc::new(phrases);
            let parts =
                move || batches(Arc::clone(&all), Arc::clone(&phrases), Arc::clone(&places));
            let (catalog, unkept) = match file {
                None => (weir.catalog_made_by(parts, CatalogOptions::default())?, None),
                Some(file) => {
                    let made_of = kept::made_of(weir.engine().component_digest(), parts());
                    let (earlier, saved) = file.read().unwrap_or_default();
                    let (is_same, options) = (earlier == made_of, CatalogOptions::default());
                    let (catalog, is_loaded) = match saved.is_empty() {
                        true => (weir.catalog_made_by(parts, options)?, false),
                        false => weir.catalog_made_of(&saved, is_same, parts, options)?,
                    };
                    (catalog, (!is_loaded).then_some((file, made_of)))
                }
            };
            let assembly = catalog.assemble(Some(r#"{"mode": "on"}"#), 0)?;
            let tools = if assembly.active { assembly.bridge } else { catalog.bridge_tools()? };
            let definitions = tools
                .iter()
                .map(|tool| {
                    definition(&tool.name, &tool.description, &tool.input_schema, &tool.annotations)
                })
                .collect();
            let visible = assembly.visible.into_iter().map(|tool| tool.id).collect();
            let bridge = Bridge { catalog: catalog.into(), visible, definitions, files, counts };
            Ok((bridge, unkept))
        });
        let (bridge, unkept) = made.await?;
        if let Some((file, made_of)) = unkept {
            // After the answer that waits for the index.
            let (gate, catalog) = (self.clone(), Arc::clone(&bridge.catalog));
            let keeping = Arc::clone(&self.keeping).read_owned().await;
            tokio::spawn(async move {
                let keep = move |_: &Weir| Ok(file.write(&made_of, &catalog.save()?));
                if let Ok(Err(error)) = gate.run(keep).await {
                    tracing::debug!("the index is not kept for the next start: {error}");
                }
                drop(keeping);
            });
        }
        Ok(bridge)
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
        self.run(move |weir| Ok(bridge.invoke(weir, &name, &arguments)?.into())).await
    }

    /// The same for a call that names tools of the catalog: no index is needed. None for any other.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub(crate) async fn ask_by_name(
        &self,
        catalog: &Arc<Catalog>,
        name: &str,
        arguments: &str,
    ) -> Result<Option<Answer>, GateError> {
        let (catalog, name, arguments) =
            (Arc::clone(catalog), name.to_owned(), arguments.to_owned());
        self.run(move |weir| {
            let Some(mut tools) = named_in(&catalog, &arguments) else { return Ok(None) };
            tools.sort_unstable_by_key(|tool| &*tool.name);
            tools.dedup_by_key(|tool| &*tool.name);
            let tools = snapshot_of(tools.into_iter(), &Phrases::default(), usize::MAX);
            let answer = weir.catalog(tools)?.invoke(&name, &arguments, &Default::default())?;
            Ok(Some(answer.into()))
        })
        .await
    }

    /// Whether a tool is said to only read and its name or description says otherwise. Also true when the component
    /// gives no answer.
    pub(crate) async fn doubts(&self, tool: &Tool) -> bool {
        if !tool.hints.read_only || tool.upstream.spec.only_reads(&tool.own_name) {
            return false;
        }
        let tool = tool.clone();
        let doubted = self.run(move |weir| {
            let one = snapshot_of(std::iter::once(&tool), &Phrases::default(), usize::MAX);
            let found = weir.catalog(one)?.diagnostics()?;
            Ok(found.iter().any(|found| found.issue == UNLIKELY_CLAIM))
        });
        doubted.await.unwrap_or(true)
    }
}

impl Gate {
    /// What the component finds suspicious about a text: orders to a model, hidden characters. Blocks, in a thread of a
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_are_taken_out_of_calls_and_nothing_else_changes() {
        let of = |text: &str| {
            let claims = Claims::of(text);
            (claims.without, claims.schemas)
        };
        let text =
            r#"{"calls":[{"name":"a","schema":"12","arguments":{"schema":1.10}},{"name":"b"}]}"#;
        let (without, schemas) = of(text);
        assert_eq!(without, text.replace(r#""schema":"12","#, ""));
        assert_eq!(schemas, [Some("12".to_owned()), None]);
        let one = r#"{"name":"a","arguments":{},"schema":"ab"}"#;
        assert_eq!(of(one).0, r#"{"name":"a","arguments":{}}"#);
        for other in ["[1", r#"{"calls":"x"}"#, r#"{"calls":[{"name":"b"}]}"#, r#"{"schema":"a"}"#]
        {
            assert_eq!(of(other), (other.to_owned(), Vec::new()));
        }
    }
}
