//! What the string interface has of tool search.

use std::cell::RefCell;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::{Answer, Slots, read, snapshot, text_result, value, with};
use crate::abi::exports::weir::plugin::tool_search::{
    Conversation, Diagnostic, GuestCatalog as _, QueryScores, ResolvedCall, ShownTool,
};
use crate::abi::exports::weir::plugin::types::{Failure, ModelTool};
use crate::guest::tools::GuestCatalog;
use crate::search::bridge::settings::AssembleSettings;
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

pub(super) fn assemble(catalog: u32, text: String) -> Answer {
    let mut context_tokens = 0;
    let text = if text.trim().is_empty() { "{}" } else { &text };
    let settings = AssembleSettings::parse(text, Some(&mut context_tokens))?;
    with_catalog(catalog, |catalog| {
        let mut assembly = catalog.assembled(&settings, context_tokens)?;
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
                    .map(|External { scores, failed }| failed.map_or(Ok(scores), Err)),
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
