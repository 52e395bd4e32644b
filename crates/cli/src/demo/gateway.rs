//! The demo's second act: an MCP server in a process of its own, as a client sees it that is connected directly, and
//! one that is behind the gateway.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_gateway::catalog::definition_tokens;
use weir_gateway::gate::Gate;
use weir_gateway::json::Json;
use weir_gateway::session::Outgoing;
use weir_gateway::{Gateway, Mode, Options};
use weir_host::Weir;

use super::SESSION;
use super::server::{self, ALL};
use super::shown::Screen;
use crate::context::own_program;
use crate::failure::Failure;
use crate::gateway::{SHELL_WAIT, ask, with_gateway};
use crate::numbers::{group, size};
use crate::serve::single;

/// What a client sees, in one of the two ways.
struct View {
    tools: Vec<Value>,
    result: String,
}

impl View {
    /// As `weir servers` counts them.
    fn list_tokens(&self) -> u64 {
        self.tools.iter().map(|tool| definition_tokens(&Json::of(tool))).sum()
    }

    fn result_tokens(&self) -> u64 {
        weir_text::tokens::of(&self.result)
    }

    fn json(&self) -> Value {
        json!({
            "tools": self.tools.iter().map(|tool| &tool["name"]).collect::<Vec<_>>(),
            "list_estimated_tokens": self.list_tokens(),
            "result_bytes": self.result.len(), "result_estimated_tokens": self.result_tokens(),
        })
    }

    fn line(&self, way: &str) -> String {
        format!(
            "   {way:<18} {:>5} {:>10} tokens {:>11} {:>10} tokens",
            self.tools.len(),
            group(self.list_tokens()),
            size(self.result.len() as u64),
            group(self.result_tokens()),
        )
    }
}

pub(super) fn run(weir: Weir, scratch: &Path, screen: &mut Screen<'_>) -> Result<Value, Failure> {
    let program = own_program()?;
    let servers = single(&program.to_string_lossy(), &["demo-server".into()]).servers;
    let mut options = Options::new(scratch.join("state"));
    options.mode = Mode::Bridge;
    options.naming.prefix = false;
    options.list_wait = SHELL_WAIT;
    options.guard = Some(program).filter(|_| cfg!(unix));
    with_gateway(servers, Gate::new(Ok(weir), SESSION), options, async |gateway| {
        act(gateway, screen).await
    })?
}

async fn act(gateway: &Arc<Gateway>, screen: &mut Screen<'_>) -> Result<Value, Failure> {
    let before = View { tools: server::tools(), result: server::orders(&Value::Null) };
    let search = json!({"queries": ["all orders"]});
    let (found, searched) = call(gateway, "tool_search", &search).await?;
    let calling = json!({"calls": [{"name": ALL, "arguments": {}}]});
    let (result, called) = call(gateway, "tool_call", &calling).await?;
    let listed = asked(gateway, "tools/list", &json!({})).await;
    let after = View { tools: listed["tools"].as_array().cloned().unwrap_or_default(), result };

    screen.title("── The same over MCP: a small server, connected directly, then through weir")?;
    screen.say(&format!("   {:<18} {:>5} {:>17} {:>11}", "", "TOOLS", "LISTED", ALL))?;
    screen.say(&before.line("directly"))?;
    screen.say(&after.line("behind weir serve"))?;
    screen.say("   However many servers there are, a client lists about as much as this.\n")?;
    screen.call("tool_search", &search, searched)?;
    screen.quoted(hits(&found).iter().take(2).map(String::as_str))?;
    screen.call("tool_call", &calling, called)?;
    screen.excerpt(&after.result)?;
    let mut read = Value::Null;
    if let Some(id) = handle(&after.result) {
        let arguments =
            json!({"id": id, "mode": "range", "unit": "lines", "start": 1_500, "count": 2});
        let (answer, took) = call(gateway, "weir_fetch", &arguments).await?;
        screen.call("weir_fetch", &arguments, took)?;
        screen.answer(&answer)?;
        read = json!({"arguments": arguments, "answer": answer});
    }
    screen.say("")?;
    Ok(json!({
        "direct": before.json(), "gateway": after.json(), "tool": ALL, "arguments": {},
        "search": found, "shown": after.result, "fetch": read,
    }))
}

/// The result of a request.
async fn asked(gateway: &Arc<Gateway>, method: &str, params: &Value) -> Value {
    match ask(gateway, method, Json::of(params)).await {
        Outgoing::Text(text) => {
            serde_json::from_str::<Value>(&text).unwrap_or_default()["result"].take()
        }
        Outgoing::Spooled { .. } => Value::Null,
    }
}

/// The text of a tool's result, and how long it took.
async fn call(
    gateway: &Arc<Gateway>,
    tool: &str,
    arguments: &Value,
) -> Result<(String, Duration), Failure> {
    let start = Instant::now();
    let result = asked(gateway, "tools/call", &json!({"name": tool, "arguments": arguments})).await;
    let text = result["content"][0]["text"].as_str();
    let text = text.ok_or_else(|| Failure::plain(format!("{tool} gave no text")))?;
    Ok((text.to_owned(), start.elapsed()))
}

/// The hits of a search, each as name, signature and what it does.
fn hits(found: &str) -> Vec<String> {
    let found: Value = serde_json::from_str(found).unwrap_or_default();
    let text = |hit: &Value, key: &str| hit[key].as_str().unwrap_or_default().to_owned();
    let hits = found["results"][0]["matches"].as_array().into_iter().flatten();
    hits.map(|hit| {
        format!("{}{}: {}", text(hit, "name"), text(hit, "arguments"), text(hit, "does"))
    })
    .collect()
}

/// The id in the header of an excerpt.
fn handle(shown: &str) -> Option<&str> {
    shown.lines().next()?.split_once("; id=")?.1.strip_suffix(']')
}
