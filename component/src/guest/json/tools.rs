//! What the string interface has of tool search.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Answer, Slots, read, snapshot, text_result, value, with};
use crate::abi::exports::weir::plugin::tool_search::{
    AssembleMode, AssembleSettings, Conversation, Diagnostic, ExternalScores, Guest as _,
    GuestCatalog as _, ListingPlacement, QueryScores, ResolvedCall, ShownTool, UntrustedListing,
};
use crate::abi::exports::weir::plugin::types::{Failure, ModelTool};
use crate::guest::Component;
use crate::guest::failure::failure;
use crate::guest::tools::GuestCatalog;
use crate::search::catalog::tools::Options;

thread_local! {
    static CATALOGS: RefCell<Slots<GuestCatalog>> = const { RefCell::new(Slots::new("no-catalog")) };
}

pub(super) fn open_catalog(snapshot: String) -> Answer {
    let given = snapshot::read(&snapshot)?;
    drop(snapshot);
    let mut options = Options::default();
    options.known_phrases = given.known_phrases.unwrap_or(options.known_phrases);
    opened(GuestCatalog::made(given.snapshot, given.names, options)?, given.found)
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
