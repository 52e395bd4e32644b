//! The bridge tools in place of many: how they are listed, and calls through them.

use std::sync::Arc;

use tokio::sync::watch;

use crate::Gateway;
use crate::catalog::{Tool, definition_chars};
use crate::frame::Reply;
use crate::gate::GateError;
use crate::gate::bridge::{Answer as BridgeAnswer, Bridge, Planned};
use crate::json::{Json, quote};
use crate::names::{CALL, CALL_READ, CALL_WRITE, SEARCH};
use crate::session::Client;
use crate::stats::Stats;

use super::AbortOnDrop;
use super::tools::{text_result, texts_result};

/// Says that a call has ended, however it did.
struct Done(watch::Sender<bool>);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.send_replace(true);
    }
}

/// Calls of one `tool_call` that run at the same time.
const PARALLEL_CALLS: usize = 8;

impl Gateway {
    pub(super) async fn call_bridge(
        self: &Arc<Self>,
        client: &Client,
        bridge: &Arc<Bridge>,
        name: &str,
        arguments: &str,
        params: Json,
    ) -> Reply {
        let (component_name, allowed): (&str, fn(&Tool) -> bool) = match name {
            CALL_READ => (CALL, |tool| tool.hints.read_only),
            CALL_WRITE => (CALL, |tool| !tool.hints.destructive),
            other => (other, |_| true),
        };
        if component_name == SEARCH {
            Stats::count(&self.stats.searches);
        }
        let mut answer = self.gate.ask_bridge(bridge, component_name, arguments).await;
        // What is named may be of a server that is still starting. Calls of others do not wait for it.
        if matches!(answer, Ok(BridgeAnswer::Text { is_error: true, .. })) {
            self.first_settle().await;
            if let Some(now) = self.bridge(&client.session).await
                && !Arc::ptr_eq(&now, bridge)
            {
                answer = self.gate.ask_bridge(&now, component_name, arguments).await;
            }
        }
        let calls = match answer {
            Ok(BridgeAnswer::Text { text, is_error }) => {
                let mut texts = vec![text.as_str()];
                // A block of its own: the answer before it is one JSON text.
                let unsearched =
                    (component_name == SEARCH).then(|| self.unsearched(client)).flatten();
                texts.extend(unsearched.as_deref());
                if component_name == SEARCH {
                    self.stats.note_search(&text);
                }
                return Reply::Result(texts_result(&texts, is_error));
            }
            Ok(BridgeAnswer::Dispatch(calls)) => calls,
            Err(error) => {
                return Reply::Result(text_result(
                    &format!("tools cannot be searched now: {error}"),
                    true,
                ));
            }
        };
        let alone = calls.len() == 1;
        let mut under_way = Vec::new();
        let permits = Arc::new(tokio::sync::Semaphore::new(PARALLEL_CALLS));
        // Told when the call of that place has ended.
        let ended: Vec<_> = calls.iter().map(|_| watch::Sender::new(false)).collect();
        for (index, Planned { name, arguments, after }) in calls.into_iter().enumerate() {
            let before: Vec<_> = after
                .iter()
                .filter(|earlier| **earlier < index)
                .filter_map(|earlier| Some(ended.get(*earlier)?.subscribe()))
                .collect();
            let done = Done(ended[index].clone());
            let Some(tool) = self.catalog_for(&client.session).find(&name).cloned() else {
                under_way.push((
                    name.clone(),
                    Err(format!("there is no tool {name}; search for it with tool_search")),
                ));
                continue;
            };
            self.stats.note_bridged(&tool.name);
            if !allowed(&tool) {
                let kind = if component_name == name { "" } else { "this variant" };
                let mut why = format!(
                    "{name} may change or destroy something, which {kind} does not do; call it with {CALL}"
                );
                if !tool.upstream.spec.trust {
                    why.push_str(&format!(
                        " (what server {} says of its tools is not trusted: weir.trust)",
                        tool.upstream.name()
                    ));
                }
                under_way.push((name.clone(), Err(why)));
                continue;
            }
            let params = params.with(&["name"], &quote(&name)).with(&["arguments"], &arguments);
            if alone {
                return self.call_found(client, tool, params, true).await;
            }
            // Questions of several calls at once could not be told apart: nobody attends them.
            let (this, client, permits) = (Arc::clone(self), client.clone(), Arc::clone(&permits));
            let params = params.without(&["_meta", "progressToken"]);
            let task = tokio::spawn(async move {
                let _done = done;
                for mut earlier in before {
                    let _ = earlier.wait_for(|ended| *ended).await;
                }
                let _permit = permits.acquire().await;
                this.call_found(&client, tool, params, false).await
            });
            under_way.push((name, Ok(AbortOnDrop(task))));
        }
        let mut blocks = Vec::new();
        let mut failed = 0;
        let count = under_way.len();
        for (index, (name, task)) in under_way.into_iter().enumerate() {
            let reply = match task {
                Err(text) => Reply::Result(text_result(&text, true)),
                Ok(mut task) => (&mut task.0)
                    .await
                    .unwrap_or_else(|_| Reply::Result(text_result("the call was given up", true))),
            };
            let result = match reply {
                Reply::Result(result) => result,
                Reply::Error(error) => {
                    text_result(&format!("the server answered with an error: {error}"), true)
                }
                Reply::Spooled(spooled) => text_result(
                    &format!(
                        "the result has {} bytes and may not be replaced: call {name} alone",
                        spooled.len()
                    ),
                    true,
                ),
            };
            let is_error = result.get(&["isError"]) == Some("true");
            failed += usize::from(is_error);
            let title = format!(
                "{} of {count}: {name}{}",
                index + 1,
                if is_error { " (error)" } else { "" }
            );
            blocks.push(format!(r#"{{"type":"text","text":{}}}"#, quote(&title)));
            let items = result.items(&["content"]);
            match (items.is_empty(), result.get(&["structuredContent"])) {
                (true, Some(structured)) => {
                    blocks.push(format!(r#"{{"type":"text","text":{}}}"#, quote(structured)))
                }
                _ => blocks.extend(items.into_iter().map(str::to_owned)),
            }
        }
        Reply::Result(Json::assembled(format!(
            r#"{{"content":[{}],"isError":{}}}"#,
            blocks.join(","),
            count > 0 && failed == count
        )))
    }
}

impl Gateway {
    /// Characters of what a client is shown in mode `bridge`, with the tools that are known now: our
    /// tools and the list of servers. Nothing is started for it.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub async fn bridge_chars(self: &Arc<Self>) -> Result<usize, GateError> {
        let bridge = self.gate.bridge(&self.catalog()).await?;
        let upstreams = self.upstreams();
        let names = || upstreams.iter().map(|upstream| upstream.name());
        let bridged = bridge_definitions(&bridge.definitions)
            .into_iter()
            .map(|tool| definition_chars(&super::first::naming_servers(tool, names())));
        let own: usize = self.own_tools().await?.iter().map(definition_chars).sum();
        let catalog = self.catalog();
        let pinned = catalog.tools().iter().filter(|tool| tool.pinned);
        Ok(bridged.sum::<usize>() + own + pinned.map(Tool::definition_chars).sum::<usize>())
    }
}

/// The bridge tools, with `tool_call` once more for clients that let reading pass without asking. For
/// calls that destroy nothing there is no tool of its own in the list: no client asks less for them.
pub(super) fn bridge_definitions(tools: &[Json]) -> Vec<Json> {
    let mut definitions = Vec::new();
    for tool in tools {
        if tool.text_at(&["name"]).as_deref() == Some(CALL) {
            definitions.push(
                tool.with(&["name"], &quote(CALL_READ))
                    .with(&["description"], &quote("tool_call for tools that only read."))
                    .with(&["annotations"], r#"{"readOnlyHint":true}"#),
            );
        }
        definitions.push(tool.clone());
    }
    definitions
}
