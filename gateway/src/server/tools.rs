//! Tools as clients list and call them.

use std::sync::Arc;

use crate::Gateway;
use crate::catalog::Tool;
use crate::connection::{CallError, Timing};
use crate::frame::Reply;
use crate::json::{Json, quote};
use crate::session::Client;
use crate::stats::Stats;
use crate::upstream::UpstreamError;
use crate::wire::{self, code};

use super::bridge::{SEARCH, bridge_definitions};
use super::foreign_cursor;
use super::relay::After;
use super::tasks::runs_only_as_task;

impl Gateway {
    pub(super) async fn list_tools(self: &Arc<Self>, client: &Client, params: &Json) -> Reply {
        if let Some(error) = foreign_cursor(params) {
            return Reply::Error(error);
        }
        let mut definitions: Vec<String> = Vec::new();
        match self.bridge(client.session.mode).await {
            Some(bridge) => {
                self.listed.store(true, std::sync::atomic::Ordering::SeqCst);
                definitions.extend(bridge_definitions(&bridge).iter().map(Json::to_string));
                let catalog = self.catalog();
                definitions.extend(
                    catalog
                        .tools()
                        .iter()
                        .filter(|tool| tool.pinned)
                        .map(|tool| tool.definition.to_string()),
                );
            }
            None => {
                self.settle().await;
                self.listed.store(true, std::sync::atomic::Ordering::SeqCst);
                let catalog = self.catalog();
                definitions.extend(catalog.tools().iter().map(|tool| tool.definition.to_string()));
            }
        }
        match self.own_tools().await {
            Ok(own) => definitions.extend(own.iter().map(Json::to_string)),
            Err(error) => crate::log::warn(format_args!("{error}")),
        }
        let result = Json::assembled(format!(r#"{{"tools":[{}]}}"#, definitions.join(",")));
        Reply::Result(self.cacheable(client, result))
    }

    pub(super) async fn call_tool(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let Some(name) = params.text_at(&["name"]) else {
            return Reply::Error(wire::error(code::INVALID_PARAMS, "tools/call lacks name"));
        };
        let arguments = params.get(&["arguments"]).unwrap_or("{}").to_owned();
        // Names of ours are given to no server's tool: what is found here is a server's, and its call does
        // not depend on the component.
        let known = self.catalog().named(&name).cloned();
        if let Some(tool) = known {
            return self.call_found(client, tool, params, true).await;
        }
        if self.own_tools().await.is_ok_and(|own| {
            own.iter().any(|tool| tool.text_at(&["name"]).as_deref() == Some(&name))
        }) {
            Stats::count(&self.stats.fetches);
            return match self.gate.invoke(&name, &arguments).await {
                Ok((text, is_error)) => {
                    let id = Json::assembled(arguments).text_at(&["id"]).unwrap_or_default();
                    self.stats.note_fetch(&id, text.len() as u64);
                    Reply::Result(text_result(&text, is_error))
                }
                Err(error) => Reply::Result(text_result(
                    &format!("stored results cannot be read now: {error}"),
                    true,
                )),
            };
        }
        if name == SEARCH {
            self.first_settle().await;
        }
        if let Some(bridge) = self.bridge(client.session.mode).await
            && bridge_definitions(&bridge)
                .iter()
                .any(|tool| tool.text_at(&["name"]).as_deref() == Some(&name))
        {
            return self.call_bridge(client, &bridge, &name, &arguments, params).await;
        }
        let found = self.find_tool(&name).await.or_else(|| self.unlisted_tool(&name));
        let Some(tool) = found else {
            // A tool of a server that does not start is not unknown: say what is the matter.
            if let Some(reason) = self.why_missing(&name) {
                return Reply::Result(text_result(&reason, true));
            }
            let missing = self
                .upstreams()
                .iter()
                .find(|upstream| {
                    upstream.known().is_none()
                        && name
                            .strip_prefix(upstream.name())
                            .is_some_and(|rest| rest.starts_with("__"))
                })
                .cloned();
            if let Some(upstream) = missing
                && let Err(error) = upstream.live().await
            {
                return tool_failure(&error);
            }
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                &format!("Unknown tool: {name}"),
            ));
        };
        self.call_found(client, tool, params, true).await
    }

    /// The tool of this name. When it is not known, servers that are not known yet are waited for.
    async fn find_tool(self: &Arc<Self>, name: &str) -> Option<Tool> {
        if let Some(tool) = self.catalog().find(name) {
            return Some(tool.clone());
        }
        self.settle().await;
        self.catalog().find(name).cloned()
    }

    /// Before one server, under its own names, a tool that is not listed may still be one: it is for
    /// the server to say.
    fn unlisted_tool(&self, name: &str) -> Option<Tool> {
        let upstreams = self.upstreams();
        let [only] = &upstreams[..] else { return None };
        let plain = !self.options.naming.prefix
            && only.spec.admits(name)
            && !only.withholds(name)
            && !only.spec.rename.contains_key(name);
        plain.then(|| Tool::unlisted(only, name))
    }

    pub(super) async fn call_found(
        self: &Arc<Self>,
        client: &Client,
        tool: Tool,
        params: Json,
        attended: bool,
    ) -> Reply {
        let arguments = params.get(&["arguments"]).map(str::to_owned);
        let params = if params.text_at(&["name"]).as_deref() == Some(&tool.own_name) {
            params
        } else {
            params.with(&["name"], &quote(&tool.own_name))
        };
        let spec = &tool.upstream.spec;
        let timing = Timing { idle: spec.timeout_of(&tool.own_name), max: spec.call_max };
        let upstream = Arc::clone(&tool.upstream);
        let hints = tool.hints;
        if runs_only_as_task(&tool) && params.get(&["task"]).is_none() {
            let run = self.call_as_task(client, &upstream, params, timing, attended).await;
            return self.finish_run(client, run, After::Tool(Box::new(tool), arguments)).await;
        }
        let first =
            self.exchange(client, &upstream, "tools/call", params.clone(), timing, attended).await;
        let run = match first {
            // The link broke under a call that may be made twice: once more, on a fresh one.
            Err(UpstreamError::Call { source: CallError::Closed(_), .. })
                if hints.idempotent && client.progress_token.is_none() =>
            {
                self.exchange(client, &upstream, "tools/call", params, timing, attended).await
            }
            other => other,
        };
        self.finish_run(client, run, After::Tool(Box::new(tool), arguments)).await
    }
}

/// What a client is told when a server gives no answer: for a tool, a result that the model reads.
pub(super) fn tool_failure(error: &UpstreamError) -> Reply {
    Reply::Result(text_result(&error.to_string(), true))
}

pub(super) fn text_result(text: &str, is_error: bool) -> Json {
    texts_result(&[text], is_error)
}

/// A result of these texts, a block each.
pub(super) fn texts_result(texts: &[&str], is_error: bool) -> Json {
    let blocks: Vec<String> =
        texts.iter().map(|text| format!(r#"{{"type":"text","text":{}}}"#, quote(text))).collect();
    Json::assembled(format!(r#"{{"content":[{}],"isError":{is_error}}}"#, blocks.join(",")))
}
