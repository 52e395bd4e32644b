//! The side that clients talk to: each method, answered here or handed to a server.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::broadcast;

use super::catalog::Tool;
use super::connection::Timing;
use super::exchange::{Exchange, Run};
use super::frame::Reply;
use super::gate::bridge::{Answer as BridgeAnswer, Bridge};
use super::json::{self, Json, quote};
use super::known::Listing;
use super::names::{own_uri, public_uri};
use super::results;
use super::session::{Client, Hello, Outgoing, Outlet, Session};
use super::stats::Stats;
use super::upstream::{Upstream, UpstreamError, own_info};
use super::wire::{self, Era, Notification, Request, code};
use super::{Change, Gateway};

/// How long a list may be taken for fresh, in milliseconds, told to modern clients.
const LIST_TTL_MS: u64 = 60_000;

/// Characters of all guidance of servers that is passed on, and of one server's.
const INSTRUCTIONS_CHARS: usize = 6_000;
const ONE_INSTRUCTIONS_CHARS: usize = 1_500;

/// Calls of one `tool_call` that run at the same time.
const PARALLEL_CALLS: usize = 8;

/// The bridge tool that calls others, and its variants for clients that ask before they write.
pub(super) const CALL: &str = "tool_call";
const CALL_READ: &str = "tool_call_read";
const CALL_WRITE: &str = "tool_call_write";

/// What is to be done with an answer that comes after its client was asked for something.
#[derive(Debug)]
pub enum After {
    /// It is a tool's result.
    Tool(Box<Tool>, Option<String>),
    /// It is what a server says of a prompt or a resource.
    Named(Named),
}

/// How names in an answer are mapped back.
#[derive(Debug, Clone)]
pub enum Named {
    /// A prompt's messages.
    Prompt,
    /// A resource's contents; the URI by which the client knows it, where that is not the server's.
    Resource(Option<String>),
    /// Nothing to map.
    Other,
}

fn empty() -> Json {
    Json::assembled("{}".into())
}

/// Reads what a request says of its client.
///
/// # Errors
/// The error to answer: a version that is not spoken here, or metadata that is missing.
pub fn client_of(
    session: &Arc<Session>,
    outlet: &Outlet,
    request: &Request,
) -> Result<Client, Json> {
    let params = request.params();
    let progress_token = params.at(&["_meta", "progressToken"]);
    if let Some(version) = params.text_at(&["_meta", wire::META_VERSION]) {
        if version != wire::MODERN {
            return Err(unsupported_version(&version));
        }
        let Some(capabilities) = params.at(&["_meta", wire::META_CAPABILITIES]) else {
            let text = format!("_meta lacks {}", wire::META_CAPABILITIES);
            return Err(wire::error(code::INVALID_PARAMS, &text));
        };
        return Ok(Client {
            era: Era::Modern,
            version,
            info: params.at(&["_meta", wire::META_CLIENT]).unwrap_or_else(own_info),
            capabilities,
            session: Arc::clone(session),
            outlet: outlet.clone(),
            progress_token,
            log_level: params.text_at(&["_meta", wire::META_LOG_LEVEL]),
        });
    }
    let hello = session.hello().cloned();
    if hello.is_none() && request.method == "server/discover" {
        return Err(wire::error(
            code::INVALID_PARAMS,
            &format!("_meta lacks {}", wire::META_VERSION),
        ));
    }
    let hello = hello.unwrap_or_else(|| Hello {
        version: wire::LATEST_LEGACY.to_owned(),
        info: own_info(),
        capabilities: empty(),
    });
    Ok(Client {
        era: Era::Legacy,
        version: hello.version,
        info: hello.info,
        capabilities: hello.capabilities,
        session: Arc::clone(session),
        outlet: outlet.clone(),
        progress_token,
        log_level: None,
    })
}

/// The error for a version that is not spoken here.
pub fn unsupported_version(requested: &str) -> Json {
    let mut supported = vec![wire::MODERN];
    supported.extend(wire::LEGACY);
    let data = Json::of(&serde_json::json!({"supported": supported, "requested": requested}));
    wire::error_with(code::UNSUPPORTED_VERSION, "Unsupported protocol version", &data)
}

/// The message that carries a reply to a client.
pub fn outgoing(id: &Json, era: Era, reply: Reply) -> Outgoing {
    match reply {
        Reply::Result(result) => {
            let result = match era {
                Era::Modern if result.get(&["resultType"]).is_none() => {
                    result.with(&["resultType"], "\"complete\"")
                }
                _ => result,
            };
            Outgoing::Text(wire::response(Some(id), &Ok(result)))
        }
        Reply::Error(error) => Outgoing::Text(wire::response(Some(id), &Err(error))),
        Reply::Spooled(result) => {
            let marked = result.skeleton.as_ref().is_some_and(|s| s.get(&["resultType"]).is_some());
            let (mark, skip) = if era == Era::Modern && !marked {
                (r#"{"resultType":"complete","#, 1)
            } else {
                ("", 0)
            };
            let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{mark}"#);
            Outgoing::Spooled { head, result, skip, tail: "}".to_owned() }
        }
    }
}

/// What a client is told when a server gives no answer: for a tool, a result that the model reads.
fn tool_failure(error: &UpstreamError) -> Reply {
    Reply::Result(text_result(&error.to_string(), true))
}

fn text_result(text: &str, is_error: bool) -> Json {
    Json::assembled(format!(
        r#"{{"content":[{{"type":"text","text":{}}}],"isError":{is_error}}}"#,
        quote(text)
    ))
}

impl Gateway {
    /// Answers a request. Everything that belongs to it goes to the client's outlet before.
    pub async fn answer(
        self: &Arc<Self>,
        session: &Arc<Session>,
        outlet: &Outlet,
        request: Request,
    ) -> Outgoing {
        Stats::count(&self.stats.requests);
        let modern = request.params().get(&["_meta", wire::META_VERSION]).is_some();
        if request.method == "initialize" && !modern {
            return outgoing(&request.id, Era::Legacy, self.initialize(session, &request));
        }
        let client = match client_of(session, outlet, &request) {
            Ok(client) => client,
            Err(error) => return outgoing(&request.id, Era::Legacy, Reply::Error(error)),
        };
        if client.era == Era::Modern {
            self.begin(Era::Modern, &client.capabilities);
        }
        let era = client.era;
        let id = request.id.clone();
        super::log::debug(format_args!("{} {}", request.method, id));
        let mut request = request;
        let span = self.telemetry.as_ref().map(|telemetry| telemetry.start(&request, &session.id));
        if let Some(span) = &span {
            request.params = Some(span.told_to_servers(&request.params()));
        }
        let reply = self.dispatch(&client, request).await;
        if let Some(span) = span {
            span.end(match &reply {
                Reply::Error(_) => Some("jsonrpc"),
                Reply::Result(result) if result.get(&["isError"]) == Some("true") => {
                    Some("tool_error")
                }
                _ => None,
            });
        }
        outgoing(&id, era, reply)
    }

    async fn dispatch(self: &Arc<Self>, client: &Client, request: Request) -> Reply {
        let params = request.params();
        let legacy = client.era == Era::Legacy;
        let method = request.method.as_str();
        // A client that comes back with what it was asked for.
        if matches!(method, "tools/call" | "prompts/get" | "resources/read")
            && let Some(resumed) = self.parked.resume(&params)
        {
            return match resumed {
                Ok((exchange, after)) => {
                    self.finish_run(client, exchange.run(client).await, after).await
                }
                Err(error) => Reply::Error(error),
            };
        }
        match method {
            "server/discover" if !legacy => Reply::Result(self.discovery()),
            "ping" if legacy => Reply::Result(empty()),
            "logging/setLevel" if legacy => self.set_level(client, &params).await,
            "tools/list" => self.list_tools(client, &params).await,
            "tools/call" => self.call_tool(client, params).await,
            "prompts/list" => self.list(client, Listing::Prompts, &params).await,
            "resources/list" => self.list(client, Listing::Resources, &params).await,
            "resources/templates/list" => self.list(client, Listing::Templates, &params).await,
            "prompts/get" => self.get_prompt(client, params).await,
            "resources/read" => self.read_resource(client, params).await,
            "resources/subscribe" if legacy => self.subscribe(client, &params, true).await,
            "resources/unsubscribe" if legacy => self.subscribe(client, &params, false).await,
            "completion/complete" => self.complete(client, params).await,
            "subscriptions/listen" if !legacy => self.listen(client, &request.id, &params).await,
            "tasks/get" | "tasks/cancel" => self.task(client, method, params).await,
            "tasks/result" if legacy => self.task(client, method, params).await,
            "tasks/update" if !legacy => self.task(client, method, params).await,
            "tasks/list" if legacy => self.list_tasks().await,
            _ => Reply::Error(wire::error(
                code::METHOD_NOT_FOUND,
                &format!("Method not found: {method}"),
            )),
        }
    }

    /// Takes a notification of a client.
    pub fn notified(self: &Arc<Self>, session: &Arc<Session>, notification: &Notification) {
        match notification.method.as_str() {
            "notifications/cancelled" => {
                if let Some(id) =
                    notification.params.as_ref().and_then(|params| params.get(&["requestId"]))
                {
                    session.cancel(id);
                }
            }
            "notifications/roots/list_changed" => {
                for upstream in self.upstreams().iter() {
                    if let Some(live) = upstream.current()
                        && live.era == Era::Legacy
                    {
                        live.connection.notify(&notification.method, notification.params.as_ref());
                    }
                }
            }
            _ => {}
        }
    }

    fn initialize(self: &Arc<Self>, session: &Arc<Session>, request: &Request) -> Reply {
        let params = request.params();
        let Some(asked) = params.text_at(&["protocolVersion"]) else {
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                "initialize lacks protocolVersion",
            ));
        };
        let version = if wire::LEGACY.contains(&asked.as_str()) {
            asked
        } else {
            wire::LATEST_LEGACY.to_owned()
        };
        let capabilities = params.at(&["capabilities"]).unwrap_or_else(empty);
        self.begin(Era::Legacy, &capabilities);
        session.greet(Hello {
            version: version.clone(),
            info: params.at(&["clientInfo"]).unwrap_or_else(own_info),
            capabilities,
        });
        let mut result = Json::assembled(format!(
            r#"{{"protocolVersion":{},"capabilities":{},"serverInfo":{}}}"#,
            quote(&version),
            self.capabilities(Era::Legacy),
            self.info()
        ));
        if let Some(instructions) = self.instructions() {
            result = result.with(&["instructions"], &quote(&instructions));
        }
        Reply::Result(result)
    }

    fn info(&self) -> Json {
        own_info()
    }

    fn discovery(&self) -> Json {
        let mut versions = vec![wire::MODERN];
        versions.extend(wire::LEGACY);
        let mut result = Json::assembled(format!(
            r#"{{"resultType":"complete","supportedVersions":{},"capabilities":{},"ttlMs":{LIST_TTL_MS},"cacheScope":"private"}}"#,
            Json::of(&versions),
            self.capabilities(Era::Modern)
        ));
        if let Some(instructions) = self.instructions() {
            result = result.with(&["instructions"], &quote(&instructions));
        }
        result.with(&["_meta", wire::META_SERVER], self.info().as_str())
    }

    /// The capabilities of all servers together; of those not yet known, everything is possible.
    fn capabilities(&self, era: Era) -> Json {
        let upstreams = self.upstreams();
        let known: Vec<_> = upstreams.iter().map(|upstream| upstream.known()).collect();
        let any = |path: &[&str]| {
            known.iter().any(|known| known.as_ref().is_none_or(|known| known.can(path)))
        };
        let mut capabilities = Json::assembled(
            r#"{"tools":{"listChanged":true},"resources":{"subscribe":true,"listChanged":true}}"#
                .into(),
        );
        if any(&["prompts"]) {
            capabilities = capabilities.with(&["prompts"], r#"{"listChanged":true}"#);
        }
        for name in ["completions", "logging"] {
            if any(&[name]) {
                capabilities = capabilities.with(&[name], "{}");
            }
        }
        let merged = ["extensions", "experimental"];
        for name in merged {
            for known in known.iter().flatten() {
                for (key, value) in
                    known.capabilities.get(&[name]).map(json::members).unwrap_or_default()
                {
                    if capabilities.get(&[name, &key]).is_none() {
                        capabilities = capabilities.with(&[name, &key], value);
                    }
                }
            }
        }
        if era == Era::Legacy
            && let Some(tasks) =
                known.iter().flatten().find_map(|known| known.capabilities.at(&["tasks"]))
        {
            capabilities = capabilities.with(&["tasks"], tasks.as_str());
        }
        capabilities
    }

    /// The servers' guidance for models, each under its name, cut where it is long.
    fn instructions(&self) -> Option<String> {
        let mut text = String::new();
        for upstream in self.upstreams().iter() {
            let Some(said) = upstream.known().and_then(|known| known.instructions.clone()) else {
                continue;
            };
            let said = said.trim();
            if said.is_empty() {
                continue;
            }
            let mut cut: String = said.chars().take(ONE_INSTRUCTIONS_CHARS).collect();
            if cut.len() < said.len() {
                cut.push_str(" […]");
            }
            if text.chars().count() + cut.chars().count() > INSTRUCTIONS_CHARS {
                break;
            }
            text.push_str(&format!(
                "{}# {}\n{cut}",
                if text.is_empty() { "" } else { "\n\n" },
                upstream.name()
            ));
        }
        (!text.is_empty()).then_some(text)
    }

    async fn set_level(self: &Arc<Self>, client: &Client, params: &Json) -> Reply {
        let Some(level) = params.text_at(&["level"]) else {
            return Reply::Error(wire::error(code::INVALID_PARAMS, "logging/setLevel lacks level"));
        };
        const LEVELS: [&str; 8] =
            ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];
        if !LEVELS.contains(&level.as_str()) {
            let text = format!("{level} is not one of {}", LEVELS.join(", "));
            return Reply::Error(wire::error(code::INVALID_PARAMS, &text));
        }
        client.session.set_log_level(level.clone());
        for upstream in self.upstreams().iter() {
            if let Some(live) = upstream.current() {
                upstream.set_log_level(&live, &level).await;
            }
        }
        Reply::Result(empty())
    }

    // --- tools

    fn cacheable(&self, client: &Client, result: Json) -> Json {
        match client.era {
            Era::Legacy => result,
            Era::Modern => result
                .with(&["resultType"], "\"complete\"")
                .with(&["ttlMs"], &LIST_TTL_MS.to_string())
                .with(&["cacheScope"], "\"private\"")
                .with(&["_meta", wire::META_SERVER], self.info().as_str()),
        }
    }

    async fn list_tools(self: &Arc<Self>, client: &Client, params: &Json) -> Reply {
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
            Err(error) => super::log::warn(format_args!("{error}")),
        }
        let result = Json::assembled(format!(r#"{{"tools":[{}]}}"#, definitions.join(",")));
        Reply::Result(self.cacheable(client, result))
    }

    async fn call_tool(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let Some(name) = params.text_at(&["name"]) else {
            return Reply::Error(wire::error(code::INVALID_PARAMS, "tools/call lacks name"));
        };
        let arguments = params.get(&["arguments"]).unwrap_or("{}").to_owned();
        if self.own_tools().await.is_ok_and(|own| {
            own.iter().any(|tool| tool.text_at(&["name"]).as_deref() == Some(&name))
        }) {
            Stats::count(&self.stats.fetches);
            return match self.gate.invoke(&name, &arguments).await {
                Ok((text, is_error)) => Reply::Result(text_result(&text, is_error)),
                Err(error) => Reply::Result(text_result(
                    &format!("stored results cannot be read now: {error}"),
                    true,
                )),
            };
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
        // Also when all servers are known: one may have become so a moment ago.
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
            && !only.spec.rename.contains_key(name);
        plain.then(|| Tool::unlisted(only, name))
    }

    async fn call_found(
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
        let first =
            self.exchange(client, &upstream, "tools/call", params.clone(), timing, attended).await;
        let run = match first {
            // The link broke under a call that may be made twice: once more, on a fresh one.
            Err(UpstreamError::Call {
                source: super::connection::CallError::Closed(_), ..
            }) if hints.idempotent && client.progress_token.is_none() => {
                self.exchange(client, &upstream, "tools/call", params, timing, attended).await
            }
            other => other,
        };
        self.finish_run(client, run, After::Tool(Box::new(tool), arguments)).await
    }

    async fn exchange(
        self: &Arc<Self>,
        client: &Client,
        upstream: &Arc<Upstream>,
        method: &str,
        params: Json,
        timing: Timing,
        attended: bool,
    ) -> Result<Run, UpstreamError> {
        Exchange::start(upstream, method, params, client, timing, attended).await?.run(client).await
    }

    /// What the client gets: the answer, or the question that comes before it.
    async fn finish_run(
        self: &Arc<Self>,
        client: &Client,
        run: Result<Run, UpstreamError>,
        after: After,
    ) -> Reply {
        let run = match run {
            Ok(run) => run,
            Err(error) => {
                super::log::warn(format_args!("{error}"));
                return match &after {
                    After::Tool(tool, _) => {
                        self.stats.note_failure(tool.upstream.name());
                        tool_failure(&error)
                    }
                    After::Named(_) => {
                        Reply::Error(wire::error(code::UPSTREAM, &error.to_string()))
                    }
                };
            }
        };
        match (run, after) {
            (Run::Asks(exchange, asks), after) => match self.parked.park(exchange, asks, after) {
                Ok(result) => Reply::Result(result),
                Err(error) => Reply::Error(error),
            },
            (Run::Ended(reply), After::Tool(tool, arguments)) => {
                let reply = public_task(tool.upstream.name(), reply);
                let context = results::Context {
                    tool: &tool,
                    arguments,
                    prefix_uris: self.options.naming.prefix,
                    links: client.version.as_str() >= "2025-06-18",
                };
                results::finish(&self.gate, &self.stats, &context, reply).await
            }
            (Run::Ended(reply), After::Named(named)) => reply_with_names(reply, &named, client.era),
        }
    }

    async fn call_bridge(
        self: &Arc<Self>,
        client: &Client,
        bridge: &Bridge,
        name: &str,
        arguments: &str,
        params: Json,
    ) -> Reply {
        let (component_name, allowed): (&str, fn(&Tool) -> bool) = match name {
            CALL_READ => (CALL, |tool| tool.hints.read_only),
            CALL_WRITE => (CALL, |tool| !tool.hints.destructive),
            other => (other, |_| true),
        };
        if component_name == "tool_search" {
            Stats::count(&self.stats.searches);
        }
        let calls = match self.gate.ask_bridge(bridge, component_name, arguments).await {
            Ok(BridgeAnswer::Text { text, is_error }) => {
                return Reply::Result(text_result(&text, is_error));
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
        for (name, arguments) in calls {
            let Some(tool) = self.catalog().find(&name).cloned() else {
                under_way.push((
                    name.clone(),
                    Err(format!("there is no tool {name}; search for it with tool_search")),
                ));
                continue;
            };
            if !allowed(&tool) {
                let kind = if component_name == name { "" } else { "this variant" };
                under_way.push((
                    name.clone(),
                    Err(format!("{name} may change or destroy something, which {kind} does not do; call it with {CALL}")),
                ));
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

    // --- prompts, resources, completion

    async fn list(self: &Arc<Self>, client: &Client, listing: Listing, params: &Json) -> Reply {
        if let Some(error) = foreign_cursor(params) {
            return Reply::Error(error);
        }
        let found = self.listed(listing).await;
        let (_, member, _) = listing.names();
        let items: Vec<String> = found.into_iter().map(|(_, _, item)| item.to_string()).collect();
        let result = Json::assembled(format!(r#"{{"{member}":[{}]}}"#, items.join(",")));
        Reply::Result(self.cacheable(client, result))
    }

    /// One list of all servers: each item with its server, its own name there, and as clients see it.
    async fn listed(self: &Arc<Self>, listing: Listing) -> Vec<(Arc<Upstream>, String, Json)> {
        let mut tasks = Vec::new();
        for upstream in self.upstreams().iter() {
            let asked = Arc::clone(upstream);
            let budget = self.options.list_wait;
            tasks.push((
                Arc::clone(upstream),
                AbortOnDrop(tokio::spawn(async move {
                    tokio::time::timeout(budget, asked.listing(listing)).await
                })),
            ));
        }
        let key = match listing {
            Listing::Prompts => "name",
            Listing::Resources => "uri",
            Listing::Templates => "uriTemplate",
        };
        let mut found = Vec::new();
        for (upstream, mut task) in tasks {
            match (&mut task.0).await {
                Ok(Ok(Ok(items))) => {
                    for item in items {
                        if let Some(own) = item.text_at(&[key]) {
                            found.push((Arc::clone(&upstream), own, item));
                        }
                    }
                }
                Ok(Ok(Err(reason))) => {
                    super::log::warn(format_args!("{}: {reason}", upstream.name()))
                }
                _ => super::log::warn(format_args!(
                    "{} did not list within the time for it",
                    upstream.name()
                )),
            }
        }
        if listing == Listing::Prompts {
            let pairs: Vec<(&str, &str)> =
                found.iter().map(|(upstream, own, _)| (upstream.name(), own.as_str())).collect();
            let names = self.options.naming.assign(&pairs, &BTreeSet::new());
            for ((_, own, item), name) in found.iter_mut().zip(names) {
                if *own != name {
                    *item = item.with(&["name"], &quote(&name));
                }
            }
        } else if self.options.naming.prefix {
            for (upstream, own, item) in &mut found {
                *item = item.with(&[key], &quote(&public_uri(upstream.name(), own)));
            }
        }
        found
    }

    async fn find_prompt(self: &Arc<Self>, name: &str) -> Option<(Arc<Upstream>, String)> {
        let listed = self.listed(Listing::Prompts).await;
        if let Some((upstream, own, _)) =
            listed.iter().find(|(_, _, item)| item.text_at(&["name"]).as_deref() == Some(name))
        {
            return Some((Arc::clone(upstream), own.clone()));
        }
        let mut bare = listed.iter().filter(|(_, own, _)| own == name);
        match (bare.next(), bare.next()) {
            (Some((upstream, own, _)), None) => Some((Arc::clone(upstream), own.clone())),
            _ => None,
        }
    }

    /// The server that has a resource, and the resource's URI there.
    async fn find_resource(self: &Arc<Self>, uri: &str) -> Option<(Arc<Upstream>, String)> {
        let upstreams = self.upstreams();
        if let Some((server, own)) = own_uri(uri)
            && let Some(upstream) = upstreams.iter().find(|upstream| upstream.name() == server)
        {
            return Some((Arc::clone(upstream), own.to_owned()));
        }
        if let [only] = &upstreams[..] {
            return Some((Arc::clone(only), uri.to_owned()));
        }
        if self.options.naming.prefix {
            return None;
        }
        let listed = self.listed(Listing::Resources).await;
        listed.into_iter().find(|(_, own, _)| own == uri).map(|(upstream, own, _)| (upstream, own))
    }

    fn plain_timing(upstream: &Upstream) -> Timing {
        Timing { idle: upstream.spec.call_timeout, max: upstream.spec.call_max }
    }

    async fn get_prompt(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let name = params.text_at(&["name"]).unwrap_or_default();
        let Some((upstream, own)) = self.find_prompt(&name).await else {
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                &format!("Unknown prompt: {name}"),
            ));
        };
        let params = if own == name { params } else { params.with(&["name"], &quote(&own)) };
        let timing = Self::plain_timing(&upstream);
        let run = self.exchange(client, &upstream, "prompts/get", params, timing, true).await;
        self.finish_run(client, run, After::Named(Named::Prompt)).await
    }

    async fn read_resource(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let uri = params.text_at(&["uri"]).unwrap_or_default();
        if let Some(id) = uri.strip_prefix("weir://blob/") {
            return self.read_blob(client, &uri, id).await;
        }
        let Some((upstream, own)) = self.find_resource(&uri).await else {
            let code = match client.era {
                Era::Legacy => code::RESOURCE_NOT_FOUND_LEGACY,
                Era::Modern => code::INVALID_PARAMS,
            };
            let data = Json::assembled(format!(r#"{{"uri":{}}}"#, quote(&uri)));
            return Reply::Error(wire::error_with(code, "Resource not found", &data));
        };
        let params = if own == uri { params } else { params.with(&["uri"], &quote(&own)) };
        let timing = Self::plain_timing(&upstream);
        let run = self.exchange(client, &upstream, "resources/read", params, timing, true).await;
        self.finish_run(
            client,
            run,
            After::Named(Named::Resource(self.options.naming.prefix.then_some(uri))),
        )
        .await
    }

    async fn read_blob(self: &Arc<Self>, client: &Client, uri: &str, id: &str) -> Reply {
        match self.gate.blob(id).await {
            Ok(text) => {
                let result = format!(
                    r#"{{"contents":[{{"uri":{},"mimeType":"text/plain","text":{}}}]}}"#,
                    quote(uri),
                    quote(&text)
                );
                Reply::Result(self.cacheable(client, Json::assembled(result)))
            }
            Err(error) => {
                let code = match client.era {
                    Era::Legacy => code::RESOURCE_NOT_FOUND_LEGACY,
                    Era::Modern => code::INVALID_PARAMS,
                };
                Reply::Error(wire::error(code, &format!("{error}")))
            }
        }
    }

    async fn complete(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let found = match params.text_at(&["ref", "type"]).as_deref() {
            Some("ref/prompt") => {
                let name = params.text_at(&["ref", "name"]).unwrap_or_default();
                self.find_prompt(&name)
                    .await
                    .map(|(upstream, own)| (upstream, params.with(&["ref", "name"], &quote(&own))))
            }
            Some("ref/resource") => {
                let uri = params.text_at(&["ref", "uri"]).unwrap_or_default();
                match self.find_resource(&uri).await {
                    None => {
                        let listed = self.listed(Listing::Templates).await;
                        listed
                            .into_iter()
                            .find(|(_, own, _)| *own == uri)
                            .map(|(upstream, _, _)| (upstream, params.clone()))
                    }
                    Some((upstream, own)) => {
                        Some((upstream, params.with(&["ref", "uri"], &quote(&own))))
                    }
                }
            }
            _ => None,
        };
        let Some((upstream, params)) = found else {
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                "ref names no prompt and no resource of any server",
            ));
        };
        let timing = Self::plain_timing(&upstream);
        let run =
            self.exchange(client, &upstream, "completion/complete", params, timing, true).await;
        self.finish_run(client, run, After::Named(Named::Other)).await
    }

    // --- subscriptions

    async fn subscribe(self: &Arc<Self>, client: &Client, params: &Json, on: bool) -> Reply {
        let Some(uri) = params.text_at(&["uri"]) else {
            return Reply::Error(wire::error(code::INVALID_PARAMS, "the request lacks uri"));
        };
        let uris = {
            let mut uris = client
                .session
                .subscriptions
                .lock()
                .unwrap_or_else(std::sync::PoisonError::into_inner);
            if on {
                uris.insert(uri)
            } else {
                uris.remove(&uri)
            };
            uris.clone()
        };
        self.watch_resources(&format!("session {}", client.session.id), uris).await;
        Reply::Result(empty())
    }

    /// Sets what one listener wants to hear of, and tells the servers what all want together.
    pub(super) async fn watch_resources(self: &Arc<Self>, listener: &str, uris: BTreeSet<String>) {
        let all: BTreeSet<String> = {
            let mut watched =
                self.watched.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
            if uris.is_empty() {
                watched.remove(listener);
            } else {
                watched.insert(listener.to_owned(), uris);
            }
            watched.values().flatten().cloned().collect()
        };
        let mut by_server: std::collections::BTreeMap<String, BTreeSet<String>> =
            std::collections::BTreeMap::new();
        for uri in all {
            if let Some((upstream, own)) = self.find_resource(&uri).await {
                by_server.entry(upstream.name().to_owned()).or_default().insert(own);
            }
        }
        for upstream in self.upstreams().iter() {
            let wanted = by_server.remove(upstream.name()).unwrap_or_default();
            let needs_start = !wanted.is_empty() && upstream.current().is_none();
            upstream.subscribe(wanted);
            if needs_start {
                let upstream = Arc::clone(upstream);
                tokio::spawn(async move { upstream.live().await.map(drop) });
            }
        }
    }

    async fn listen(self: &Arc<Self>, client: &Client, id: &Json, params: &Json) -> Reply {
        let wants = |name: &str| params.get(&["notifications", name]) == Some("true");
        let (tools, prompts, resources) =
            (wants("toolsListChanged"), wants("promptsListChanged"), wants("resourcesListChanged"));
        let uris: BTreeSet<String> = params
            .at(&["notifications", "resourceSubscriptions"])
            .and_then(|uris| uris.read())
            .unwrap_or_default();
        let mut changes = self.changes.subscribe();
        self.listed.store(true, std::sync::atomic::Ordering::SeqCst);
        let mut agreed = empty();
        for (name, wanted) in [
            ("toolsListChanged", tools),
            ("promptsListChanged", prompts),
            ("resourcesListChanged", resources),
        ] {
            if wanted {
                agreed = agreed.with(&[name], "true");
            }
        }
        if !uris.is_empty() {
            agreed = agreed.with(&["resourceSubscriptions"], Json::of(&uris).as_str());
        }
        let tagged = |params: Json| params.with(&["_meta", wire::META_SUBSCRIPTION], id.as_str());
        let acknowledged = tagged(Json::assembled(format!(r#"{{"notifications":{agreed}}}"#)));
        client.outlet.notify("notifications/subscriptions/acknowledged", Some(&acknowledged)).await;
        let listener = format!("listen {} {}", client.session.id, id);
        let _watch = (!uris.is_empty())
            .then(|| WatchGuard { gateway: Arc::clone(self), listener: listener.clone() });
        if !uris.is_empty() {
            self.watch_resources(&listener, uris.clone()).await;
        }
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = client.outlet.closed() => return Reply::Result(empty()),
            };
            let (method, params) = match change {
                Ok(Change::Tools) if tools => ("notifications/tools/list_changed", empty()),
                Ok(Change::Prompts) if prompts => ("notifications/prompts/list_changed", empty()),
                Ok(Change::Resources) if resources => {
                    ("notifications/resources/list_changed", empty())
                }
                Ok(Change::Resource(params))
                    if params.text_at(&["uri"]).is_some_and(|uri| uris.contains(&uri)) =>
                {
                    ("notifications/resources/updated", params)
                }
                Ok(Change::Ending) | Err(broadcast::error::RecvError::Closed) => {
                    return Reply::Result(tagged(empty()));
                }
                Ok(_) | Err(broadcast::error::RecvError::Lagged(_)) => continue,
            };
            client.outlet.notify(method, Some(&tagged(params))).await;
        }
    }

    /// Tells a legacy client what changes, until it is gone.
    pub async fn tell_changes(self: Arc<Self>, session: Arc<Session>) {
        let mut changes = self.changes.subscribe();
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = session.outlet.closed() => return,
            };
            let Some(hello) = session.hello() else {
                if matches!(change, Err(broadcast::error::RecvError::Closed)) {
                    return;
                }
                continue;
            };
            let message = match change {
                Ok(Change::Tools) => ("notifications/tools/list_changed".to_owned(), None),
                Ok(Change::Prompts) => ("notifications/prompts/list_changed".to_owned(), None),
                Ok(Change::Resources) => ("notifications/resources/list_changed".to_owned(), None),
                Ok(Change::Resource(params)) => {
                    let uri = params.text_at(&["uri"]).unwrap_or_default();
                    let uris = session
                        .subscriptions
                        .lock()
                        .unwrap_or_else(std::sync::PoisonError::into_inner)
                        .clone();
                    if !uris.contains(&uri) {
                        continue;
                    }
                    ("notifications/resources/updated".to_owned(), Some(params))
                }
                Ok(Change::Said(notification)) => {
                    let level = notification
                        .params
                        .as_ref()
                        .and_then(|params| params.text_at(&["level"]))
                        .unwrap_or_default();
                    let client = Client {
                        era: Era::Legacy,
                        version: hello.version.clone(),
                        info: hello.info.clone(),
                        capabilities: hello.capabilities.clone(),
                        session: Arc::clone(&session),
                        outlet: session.outlet.clone(),
                        progress_token: None,
                        log_level: None,
                    };
                    if notification.method == "notifications/message" && !client.wants_log(&level) {
                        continue;
                    }
                    (notification.method, notification.params)
                }
                Ok(Change::Ending) | Err(broadcast::error::RecvError::Closed) => return,
                Err(broadcast::error::RecvError::Lagged(_)) => continue,
            };
            session.outlet.notify(&message.0, message.1.as_ref()).await;
        }
    }

    // --- tasks

    async fn task(self: &Arc<Self>, client: &Client, method: &str, params: Json) -> Reply {
        let public = params.text_at(&["taskId"]).unwrap_or_default();
        let found = own_uri(&public).and_then(|(server, own)| {
            let upstream =
                self.upstreams().iter().find(|upstream| upstream.name() == server).cloned()?;
            Some((upstream, own.to_owned()))
        });
        let Some((upstream, own)) = found else {
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                &format!("Unknown task: {public}"),
            ));
        };
        let params = params.with(&["taskId"], &quote(&own));
        let timing = Self::plain_timing(&upstream);
        let server = upstream.name().to_owned();
        let run = self.exchange(client, &upstream, method, params, timing, true).await;
        let reply = self.finish_run(client, run, After::Named(Named::Other)).await;
        public_task(&server, reply)
    }

    async fn list_tasks(self: &Arc<Self>) -> Reply {
        let mut tasks = Vec::new();
        for upstream in self.upstreams().iter() {
            if upstream.current().is_none()
                || !upstream.known().is_some_and(|known| known.can(&["tasks", "list"]))
            {
                continue;
            }
            match upstream.list("tasks/list", "tasks").await {
                Ok(items) => tasks.extend(items.iter().filter_map(|item| {
                    let own = item.text_at(&["taskId"])?;
                    Some(
                        item.with(&["taskId"], &quote(&public_uri(upstream.name(), &own)))
                            .to_string(),
                    )
                })),
                Err(reason) => super::log::warn(format_args!("{}: {reason}", upstream.name())),
            }
        }
        Reply::Result(Json::assembled(format!(r#"{{"tasks":[{}]}}"#, tasks.join(","))))
    }
}

struct AbortOnDrop<T>(tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}

struct WatchGuard {
    gateway: Arc<Gateway>,
    listener: String,
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        let (gateway, listener) = (Arc::clone(&self.gateway), std::mem::take(&mut self.listener));
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move { gateway.watch_resources(&listener, BTreeSet::new()).await });
        }
    }
}

/// We give no cursors, so one that comes is not ours.
fn foreign_cursor(params: &Json) -> Option<Json> {
    params.get(&["cursor"]).filter(|cursor| *cursor != "null")?;
    Some(wire::error(code::INVALID_PARAMS, "Invalid cursor: lists come whole here"))
}

/// The bridge tools, with `tool_call` once more for clients that let reading pass without asking.
fn bridge_definitions(bridge: &Bridge) -> Vec<Json> {
    let mut definitions = Vec::new();
    for tool in &bridge.definitions {
        if tool.text_at(&["name"]).as_deref() == Some(CALL) {
            for (name, title, annotations) in [
                (
                    CALL_READ,
                    "Like tool_call, for tools that only read.",
                    r#"{"readOnlyHint":true}"#,
                ),
                (
                    CALL_WRITE,
                    "Like tool_call, for tools that destroy nothing.",
                    r#"{"readOnlyHint":false,"destructiveHint":false}"#,
                ),
            ] {
                definitions.push(
                    tool.with(&["name"], &quote(name))
                        .with(&["description"], &quote(title))
                        .with(&["annotations"], annotations),
                );
            }
        }
        definitions.push(tool.clone());
    }
    definitions
}

/// The reply with the task's id in the form that leads back to its server.
fn public_task(server: &str, reply: Reply) -> Reply {
    let Reply::Result(mut result) = reply else { return reply };
    if result.as_str().len() < 64 * 1024 || result.get(&["taskId"]).is_some() {
        for path in [&["taskId"][..], &["task", "taskId"][..]] {
            if let Some(own) = result.text_at(path) {
                result = result.with(path, &quote(&public_uri(server, &own)));
            }
        }
        let related = ["_meta", "io.modelcontextprotocol/related-task", "taskId"];
        if let Some(own) = result.text_at(&related) {
            result = result.with(&related, &quote(&public_uri(server, &own)));
        }
    }
    Reply::Result(result)
}

fn reply_with_names(reply: Reply, named: &Named, era: Era) -> Reply {
    let Reply::Result(mut result) = reply else { return reply };
    if let Named::Resource(uri) = named {
        let contents = result.items(&["contents"]);
        // One content is the resource itself. Of several, each keeps what tells it apart.
        if let (Some(uri), [only]) = (uri, &contents[..]) {
            let renamed = json::set(only, &["uri"], &quote(uri));
            result = result.with(&["contents"], &format!("[{renamed}]"));
        }
        if era == Era::Modern
            && result.get(&["ttlMs"]).is_none()
            && result.get(&["contents"]).is_some()
        {
            result = result.with(&["ttlMs"], "0").with(&["cacheScope"], "\"private\"");
        }
    }
    Reply::Result(result)
}

/// How long a client that closed its input is waited for with its answers.
pub const CLOSING: Duration = Duration::from_secs(5);
