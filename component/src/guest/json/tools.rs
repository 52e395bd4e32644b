//! What the string interface has of tool search.

use std::borrow::Cow;
use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use serde_json::{Map, Value, json};

use super::{Answer, Slots, read, sentence, text_result, value, with};
use crate::abi::exports::weir::plugin::tool_search::{
    AssembleMode, AssembleSettings, BridgeNames, Conversation, Diagnostic, ExternalScores,
    Guest as _, GuestCatalog as _, ListingPlacement, QueryScores, ResolvedCall, ServerInfo,
    ShownTool, Snapshot, ToolAnnotations, ToolDefinition, UntrustedListing,
};
use crate::abi::exports::weir::plugin::types::{Failure, ModelTool};
use crate::guest::Component;
use crate::guest::failure::failure;
use crate::guest::tools::GuestCatalog;
use crate::search::catalog::tools::Options;
use crate::search::schema::parts::members;
use crate::search::text::fold::{distance_within, fold};

thread_local! {
    static CATALOGS: RefCell<Slots<GuestCatalog>> = const { RefCell::new(Slots::new("no-catalog")) };
}

/// A tool of MCP's `tools/list`, with what we take beside it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "a tool: an object with a name")]
struct Tool<'a> {
    name: Option<String>,
    title: Option<String>,
    description: Option<String>,
    #[serde(borrow)]
    input_schema: Option<&'a RawValue>,
    /// As Anthropic's API has it.
    #[serde(borrow, rename = "input_schema")]
    snake_schema: Option<&'a RawValue>,
    /// As OpenAI's API has it.
    #[serde(borrow)]
    parameters: Option<&'a RawValue>,
    annotations: Option<Annotations>,
    #[serde(default)]
    tags: Vec<String>,
    #[serde(default)]
    aliases: Vec<String>,
    #[serde(default)]
    phrases: Vec<String>,
    origin: Option<String>,
    #[serde(default)]
    pinned: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object")]
struct Annotations {
    title: Option<String>,
    read_only_hint: Option<bool>,
    destructive_hint: Option<bool>,
    idempotent_hint: Option<bool>,
    open_world_hint: Option<bool>,
}

#[derive(Deserialize)]
#[serde(expecting = "a server: an object with a name")]
struct Server<'a> {
    name: String,
    #[serde(borrow)]
    tools: Option<Vec<&'a RawValue>>,
    #[serde(default)]
    description: String,
    trusted: Option<bool>,
    state: Option<String>,
    reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with servers or tools")]
struct Servers<'a> {
    #[serde(borrow)]
    servers: Option<Vec<&'a RawValue>>,
    #[serde(borrow)]
    tools: Option<Vec<&'a RawValue>>,
    names: Option<BridgeNames>,
    #[serde(alias = "known_phrases")]
    known_phrases: Option<bool>,
}

fn definition(tool: Tool<'_>, server: &str) -> ToolDefinition {
    let claims = tool.annotations;
    let claim = |of: fn(&Annotations) -> Option<bool>| claims.as_ref().and_then(of);
    ToolDefinition {
        annotations: ToolAnnotations {
            read_only: claim(|claims| claims.read_only_hint),
            destructive: claim(|claims| claims.destructive_hint),
            idempotent: claim(|claims| claims.idempotent_hint),
            open_world: claim(|claims| claims.open_world_hint),
        },
        title: tool.title.or_else(|| claims.as_ref().and_then(|claims| claims.title.clone())),
        name: tool.name.unwrap_or_default(),
        description: tool.description.unwrap_or_default(),
        input_schema: tool
            .input_schema
            .or(tool.snake_schema)
            .or(tool.parameters)
            .map_or_else(String::new, |raw| raw.get().to_owned()),
        server: server.to_owned(),
        origin: tool.origin.unwrap_or_else(|| "external".to_owned()),
        tags: tool.tags,
        aliases: tool.aliases,
        phrases: tool.phrases,
        pinned: tool.pinned,
    }
}

pub(super) fn open_catalog(snapshot: String) -> Answer {
    let snapshot = whole_characters(&snapshot);
    let given: Servers<'_> = read("snapshot", &snapshot)?;
    let mut found = Vec::new();
    let at_top = |known| Place { known, server: "", name: "" };
    misspelt(&snapshot, at_top("servers tools names knownPhrases"), &mut found);
    let mut tools = Vec::new();
    take_tools(given.tools, "", &mut tools, &mut found);
    let mut servers = Vec::new();
    for raw in given.servers.unwrap_or_default() {
        let server: Server<'_> = match one(raw, "") {
            Ok(server) => server,
            Err(malformed) => {
                found.push(malformed);
                continue;
            }
        };
        let known = "name tools description trusted state reason";
        misspelt(raw.get(), Place { known, server: &server.name, name: "" }, &mut found);
        take_tools(server.tools, &server.name, &mut tools, &mut found);
        servers.push(ServerInfo {
            name: server.name,
            description: server.description,
            trusted: server.trusted,
            state: server.state.unwrap_or_else(|| "connected".to_owned()),
            reason: server.reason,
        });
    }
    let mut options = Options::default();
    options.known_phrases = given.known_phrases.unwrap_or(options.known_phrases);
    opened(GuestCatalog::made(Snapshot { tools, servers }, given.names, options)?, found)
}

/// An entry of a snapshot. What is malformed costs itself, not the others.
fn one<'a, T: Deserialize<'a>>(raw: &'a RawValue, server: &str) -> Result<T, Diagnostic> {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str(raw.get()).map_err(|error| {
        let named = serde_json::from_str::<Named>(raw.get()).ok();
        Diagnostic {
            server: server.to_owned(),
            name: named.map_or_else(String::new, |named| named.name),
            id: None,
            issue: "malformed".to_owned(),
            detail: format!("{}; it was left out", sentence(&error)),
        }
    })
}

fn take_tools(
    given: Option<Vec<&RawValue>>,
    server: &str,
    tools: &mut Vec<ToolDefinition>,
    found: &mut Vec<Diagnostic>,
) {
    #[derive(Deserialize)]
    struct OfOpenAi<'a> {
        #[serde(borrow)]
        function: &'a RawValue,
    }
    for raw in given.unwrap_or_default() {
        let inner = serde_json::from_str::<OfOpenAi<'_>>(raw.get()).map(|outer| outer.function);
        let raw = inner.unwrap_or(raw);
        match one::<Tool<'_>>(raw, server) {
            Ok(tool) => {
                let tool = definition(tool, server);
                let known = "name title description inputSchema annotations tags aliases phrases \
                    origin pinned outputSchema";
                misspelt(raw.get(), Place { known, server, name: &tool.name }, found);
                tools.push(tool);
            }
            Err(malformed) => found.push(malformed),
        }
    }
}

/// Where a field stands, and which fields there are.
#[derive(Clone, Copy)]
struct Place<'a> {
    known: &'a str,
    server: &'a str,
    name: &'a str,
}

/// Reports fields that are a slip away from one that there is, and would be left out in silence.
fn misspelt(object: &str, place: Place<'_>, found: &mut Vec<Diagnostic>) {
    const ALIASES: [&str; 3] = ["input_schema", "parameters", "known_phrases"];
    let chars = |word: &str| fold(word).chars().collect::<Vec<_>>();
    for (field, _) in members(object).unwrap_or_default() {
        let is_known = place.known.split(' ').any(|known| known == field);
        if is_known || ALIASES.contains(&field.as_str()) || field.len() > 32 {
            continue;
        }
        let is_near = |known: &&str| distance_within(&chars(&field), &chars(known), 1).is_some();
        if let Some(known) = place.known.split(' ').find(is_near) {
            found.push(Diagnostic {
                server: place.server.to_owned(),
                name: place.name.to_owned(),
                id: None,
                issue: "unknown-field".to_owned(),
                detail: format!("there is no field {field}, and it was left out: write {known}"),
            });
        }
    }
}

/// JSON text in which halves of characters, as a cut in the middle of an emoji leaves them, are replaced.
fn whole_characters(json: &str) -> Cow<'_, str> {
    let bytes = json.as_bytes();
    let unit = |at: usize| {
        let is_escape = bytes.get(at..at + 2) == Some(b"\\u");
        json.get(at + 2..at + 6)
            .filter(|_| is_escape)
            .and_then(|hex| u16::from_str_radix(hex, 16).ok())
    };
    let (mut mended, mut kept, mut at) = (String::new(), 0, 0);
    while let Some(found) = memchr::memchr(b'\\', bytes.get(at..).unwrap_or_default()) {
        at += found;
        at += match (unit(at), unit(at + 6)) {
            (Some(0xd800..0xdc00), Some(0xdc00..0xe000)) => 12,
            (Some(0xd800..0xe000), _) => {
                mended.push_str(&json[kept..at]);
                mended.push('\u{fffd}');
                kept = at + 6;
                6
            }
            _ => 2,
        };
    }
    if kept == 0 {
        return Cow::Borrowed(json);
    }
    mended.push_str(&json[kept..]);
    Cow::Owned(mended)
}

fn opened(catalog: GuestCatalog, mut diagnostics: Vec<Diagnostic>) -> Answer {
    diagnostics.extend(catalog.diagnostics());
    let (digest, diagnostics) = (catalog.digest(), value(diagnostics));
    let number = CATALOGS.with_borrow_mut(|catalogs| catalogs.add(catalog));
    Ok(json!({ "catalog": number, "digest": digest, "diagnostics": diagnostics }).to_string())
}

fn with_catalog<R>(
    number: u32,
    work: impl FnOnce(&GuestCatalog) -> Result<R, Failure>,
) -> Result<R, Failure> {
    CATALOGS.with_borrow(|catalogs| work(catalogs.get(number)?))
}

/// The settings of an assembly, with what they are when nothing is said, and the tokens of the context.
fn settings(text: &str) -> Result<(AssembleSettings, u32), Failure> {
    let (mut settings, mut context_tokens) = (Component::default_assemble_settings(), 0);
    let given: Map<String, Value> =
        if text.trim().is_empty() { Map::new() } else { read("settings", text)? };
    // By name: what serde makes of a record of so many optional fields is five times as long.
    for (name, value) in given.into_iter().filter(|(_, value)| !value.is_null()) {
        let set = &mut settings;
        match name.as_str() {
            "mode" => {
                use AssembleMode::{Auto, Off, On};
                set.mode = word(&name, &value, &[("auto", Auto), ("on", On), ("off", Off)])?;
            }
            "placement" => {
                use ListingPlacement::{Block, Description};
                let words = [("description", Description), ("block", Block)];
                set.placement = word(&name, &value, &words)?;
            }
            "untrusted" => {
                use UntrustedListing::{Count, Full, Names};
                let words = [("count", Count), ("names", Names), ("full", Full)];
                set.untrusted = word(&name, &value, &words)?;
            }
            "threshold_percent" => set.threshold_percent = setting(&name, value)?,
            "threshold_tokens" => set.threshold_tokens = setting(&name, value)?,
            "listing_max_tokens" => set.listing_max_tokens = setting(&name, value)?,
            "listing_percent" => set.listing_percent = setting(&name, value)?,
            "context_tokens" => context_tokens = setting(&name, value)?,
            "defer" => set.defer = setting(&name, value)?,
            "pin" => set.pin = setting(&name, value)?,
            "required" => set.required = setting(&name, value)?,
            "force_defer" => set.force_defer = setting(&name, value)?,
            "sort_visible" => set.sort_visible = setting(&name, value)?,
            _ => return Err(bad_setting("bad-json", &name, "there is no such setting")),
        }
    }
    Ok((settings, context_tokens))
}

fn setting<T: serde::de::DeserializeOwned>(name: &str, value: Value) -> Result<T, Failure> {
    serde_json::from_value(value).map_err(|error| bad_setting("bad-json", name, &error.to_string()))
}

/// A setting that is one of some words.
fn word<T: Copy>(name: &str, value: &Value, words: &[(&str, T)]) -> Result<T, Failure> {
    let found = words.iter().find(|(word, _)| value == word);
    let unknown = || bad_setting("invalid", name, &format!("unknown word {value}"));
    found.map(|(_, meaning)| *meaning).ok_or_else(unknown)
}

fn bad_setting(code: &str, name: &str, problem: &str) -> Failure {
    Failure {
        argument: Some("settings".to_owned()),
        ..failure(code, format!("settings: {name}: {problem}"))
    }
}

pub(super) fn assemble(catalog: u32, text: String) -> Answer {
    let (settings, context_tokens) = settings(&text)?;
    with_catalog(catalog, |catalog| {
        let mut assembly = catalog.assemble(Some(settings), context_tokens)?;
        let bridge = std::mem::take(&mut assembly.bridge);
        let visible = assembly.visible.iter().filter_map(|tool| catalog.definition(&tool.id));
        let tools: Vec<String> = visible.chain(bridge).map(super::mcp_tool).collect();
        let mut about = value(assembly);
        if let Value::Object(fields) = &mut about {
            fields.remove("bridge");
        }
        Ok(with(&about, "tools", &format!("[{}]", tools.join(","))))
    })
}

/// What is kept of a conversation between calls.
#[derive(Default, Deserialize, Serialize)]
#[serde(default, rename_all = "camelCase", expecting = "an object")]
struct Kept {
    visible: Vec<String>,
    shown: Vec<ShownTool>,
    searches: Vec<String>,
    strict: bool,
    #[serde(alias = "reveal_first")]
    reveal_first: bool,
    #[serde(skip_serializing)]
    external: Option<External>,
}

#[derive(Deserialize)]
#[serde(default)]
#[derive(Default)]
struct External {
    scores: Vec<QueryScores>,
    failed: Option<String>,
}

pub(super) fn invoke_bridge(
    catalog: u32,
    name: String,
    arguments: String,
    conversation: String,
) -> Answer {
    let mut kept: Kept = match conversation.trim() {
        "" | "null" => Kept::default(),
        text => read("conversation", text)?,
    };
    let external = kept.external.take();
    let answer = with_catalog(catalog, |catalog| {
        Ok(catalog.invoke(
            name,
            arguments,
            Conversation {
                visible: kept.visible.clone(),
                shown: kept.shown.clone(),
                searches: kept.searches.clone(),
                strict: kept.strict,
                reveal_first: kept.reveal_first,
                external: external
                    .map(|External { scores, failed }| ExternalScores { scores, failed }),
            },
        ))
    })?;
    kept.shown.extend(answer.shown);
    kept.searches.extend(answer.searches);
    match answer.text {
        Some(text) => Ok(json!({
            "result": text_result(&text, answer.is_error), "conversation": kept,
        })
        .to_string()),
        None => {
            kept.searches.clear();
            let calls: Vec<String> = answer.calls.into_iter().map(resolved).collect();
            let about = json!({ "conversation": kept });
            Ok(with(&about, "calls", &format!("[{}]", calls.join(","))))
        }
    }
}

/// A call to dispatch, whose arguments keep every byte.
fn resolved(mut call: ResolvedCall) -> String {
    let arguments = std::mem::take(&mut call.arguments);
    let mut about = value(call);
    if let Value::Object(fields) = &mut about {
        fields.remove("arguments");
    }
    with(&about, "arguments", &arguments)
}

pub(super) fn save_catalog(catalog: u32) -> Answer {
    with_catalog(catalog, |catalog| Ok(json!({ "saved": catalog.save() }).to_string()))
}

pub(super) fn load_catalog(saved: String) -> Answer {
    opened(GuestCatalog::loaded(&saved)?, Vec::new())
}

pub(super) fn drop_catalog(catalog: u32) -> Answer {
    CATALOGS.with_borrow_mut(|catalogs| catalogs.take(catalog))?;
    Ok("{}".to_owned())
}

impl GuestCatalog {
    /// A visible tool as a model is shown it.
    fn definition(&self, id: &str) -> Option<ModelTool> {
        let tool = self.0.tools().iter().find(|tool| tool.id == id)?;
        let claims = tool.definition.annotations;
        let hints = [
            ("readOnlyHint", claims.read_only),
            ("destructiveHint", claims.destructive),
            ("idempotentHint", claims.idempotent),
            ("openWorldHint", claims.open_world),
        ];
        let mut known = Map::new();
        for (name, claim) in hints {
            if let Some(claim) = claim {
                known.insert(name.to_owned(), claim.into());
            }
        }
        Some(ModelTool {
            name: tool.id.clone(),
            description: tool.definition.description.clone(),
            input_schema: tool.definition.input_schema.clone(),
            annotations: Value::Object(known).to_string(),
        })
    }
}
