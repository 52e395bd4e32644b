//! Tools as clients list and call them.

use std::sync::Arc;
use std::time::Duration;

use crate::clients::profile::Mode;
use crate::clients::session::Client;
use crate::gateway::Gateway;
use crate::operations::{After, called_own, called_tool};
use crate::search::catalog::{Tool, definition_tokens};
use crate::search::skills;
use crate::servers::upstream::exchange::{Run, ask};
use crate::servers::upstream::{Upstream, UpstreamError};
use crate::watch::audit::{Called, Outcome};
use crate::watch::stats::Stats;
use weir_host::UsedReference;
use weir_mcp::connection::{CallError, Timing};
use weir_mcp::frame::Reply;
use weir_mcp::json::Json;
use weir_mcp::methods::Method;
use weir_mcp::wire::{self, Era, code};

use super::bridge::{bridge_definitions, with_call_read};
use super::first::{self, FIRST_COMPONENT};
use super::pages::META_ALL_PAGES;
use super::tasks::{call_as_task, missing_argument, runs_only_as_task};
use super::{cacheable, foreign_cursor};
use crate::search::names::{CALL_WRITE, READER, SEARCH, own_part};

/// Key of what a call is for, in the `_meta` of `tools/call`.
const META_PURPOSE: &str = "weir/purpose";

/// Names that are offered in place of one that several servers' tools have.
const SHARED_SHOWN: usize = 8;

impl Gateway {
    pub(super) async fn list_tools(self: &Arc<Self>, client: &Client, params: &Json) -> Reply {
        if let Some(error) = foreign_cursor(params) {
            return Reply::Error(error);
        }
        let session = &client.session;
        let shown = self.shown_in_place(client).await;
        let catalog = self.servers.catalog_for(session);
        self.changes.note_list();
        let mut definitions: Vec<String> = Vec::new();
        let bridged = shown.is_some();
        let mut tokens = 0;
        let definition = |tool: &Tool| match client.era {
            Era::Legacy => tool.definition_of_objects().to_string(),
            Era::Modern => tool.definition().to_string(),
        };
        match shown {
            Some(bridge) => {
                self.clients.stay_bridged(session);
                let servers = self.servers.of(client);
                let profile = &client.session.who.profile;
                let named = |definition: Json| {
                    let shown = servers.iter().filter(|server| {
                        server.known().is_none()
                            || self.servers.is_seen(profile, &catalog, server.name())
                    });
                    first::naming_servers(definition, shown.map(|server| server.name()))
                };
                for tool in bridge.into_iter().map(named) {
                    tokens += definition_tokens(&tool);
                    definitions.push(tool.to_string());
                }
                // An interface is shown for a tool that is called by its own name.
                let is_shown =
                    |tool: &&Tool| tool.pinned || client.shows_interfaces() && tool.has_interface();
                let beside: Vec<&Tool> = catalog.callable().filter(is_shown).collect();
                tokens += beside.iter().map(|tool| tool.definition_tokens()).sum::<u64>();
                definitions.extend(beside.into_iter().map(definition));
            }
            None => {
                tokens = catalog.definition_tokens();
                definitions.extend(catalog.callable().map(definition));
            }
        }
        // Not for the model: a client without the extension would show them to it.
        if client.shows_interfaces() {
            definitions.extend(catalog.for_apps().map(definition));
        }
        // Without a component nothing is replaced, and nothing is to be read.
        let gone = tokio::time::timeout(Duration::ZERO, self.gate.weir()).await;
        if !matches!(gone, Ok(Err(_))) {
            definitions.push(first::reader_definition().to_string());
            tokens += first::own_tokens();
        }
        let (by, servers) = (client.says("name"), self.servers.of(client).len());
        let tokens = (catalog.own_tokens(), tokens);
        let its_session = self.clients.visitors.session_of(client);
        self.operations.stats.note_list(its_session, &by, servers, tokens);
        let result = Json::assembled(format!(r#"{{"tools":[{}]}}"#, definitions.join(",")));
        // The bridge tools are the same whatever servers do.
        let time =
            if bridged { None } else { self.servers.shortest_time(client, Method::ListTools) };
        Reply::Result(cacheable(client, Method::ListTools, result, time))
    }

    /// The bridge tools where a client is shown them in place of the tools, for which it waits otherwise.
    async fn shown_in_place(self: &Arc<Self>, client: &Client) -> Option<Vec<Json>> {
        let session = &client.session;
        let shown = match self.clients.mode_of(session) {
            Mode::Passthrough => None,
            // Not known in time is taken for too many: what is shown once is not taken back.
            Mode::Auto if !self.clients.is_bridged(session, &self.servers.catalog_for(session)) => {
                self.servers.first_look(client, self.options().first_wait).await;
                let unknown = |it: &Arc<Upstream>| it.known().is_none() && !it.has_failed();
                if self.servers.of(client).iter().any(unknown) {
                    self.clients.stay_bridged(session);
                }
                self.bridge_soon(client).await
            }
            Mode::Auto | Mode::Bridge => self.bridge_soon(client).await,
        };
        if shown.is_none() {
            // Listed one by one: also where the tools cannot be searched. One wait, whatever the mode.
            match self.clients.mode_of(session) {
                Mode::Passthrough => self.servers.settle(self.servers.seen_by(client)).await,
                Mode::Auto | Mode::Bridge => self.servers.first_settle(client).await,
            }
            let asking = self
                .servers
                .of(client)
                .into_iter()
                .map(|upstream| tokio::spawn(async move { upstream.freshen_tools().await }));
            for asked in asking.collect::<Vec<_>>() {
                let _ = asked.await;
            }
        }
        shown
    }

    /// The bridge tools for a client that is shown them: as they are, or as they are while the component
    /// is being loaded. `None` when the client is shown the tools themselves.
    async fn bridge_soon(&self, client: &Client) -> Option<Vec<Json>> {
        let session = &client.session;
        let catalog = self.servers.catalog_for(session);
        if !self.clients.is_bridged(session, &catalog) {
            return None;
        }
        let servers = self.servers.of(client);
        match tokio::time::timeout(FIRST_COMPONENT, self.gate.weir()).await {
            Ok(_) => {
                let bridge = self.search.bridge(&self.servers, session, &catalog).await?;
                Some(bridge_definitions(&bridge.definitions, &catalog, &servers))
            }
            Err(_) => {
                self.search.list_again_when_loaded();
                Some(bridge_definitions(&first::bridge_definitions(), &catalog, &servers))
            }
        }
    }

    pub(super) async fn call_tool(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let Some(name) = params.text_at(&["name"]) else {
            return Reply::Error(wire::error(code::INVALID_PARAMS, "tools/call lacks name"));
        };
        let arguments = params.get(&["arguments"]).unwrap_or("{}").to_owned();
        // Names of ours are given to no server's tool: what is found here is a server's, and its call does
        // not depend on the component.
        let known = self.servers.catalog_for(&client.session).named(&name).cloned();
        if let Some(tool) = known {
            return self.call_found(client, tool, params, true).await;
        }
        if name == READER {
            let read = Box::pin(self.read_stored(client, &name, &arguments));
            return self
                .operations
                .accounted(client, called_own(&name, &arguments), read, false)
                .await;
        }
        if name == SEARCH {
            self.servers.first_settle(client).await;
            super::skills::freshen(&self.servers, client).await;
        }
        if let Some(at_hand) = self.bridge_at_hand(client).await
            // No longer listed, and still what clients may have allowed.
            && (name == CALL_WRITE
                || with_call_read(&at_hand.bridge.definitions)
                    .iter()
                    .any(|tool| tool.text_at(&["name"]).as_deref() == Some(&name)))
        {
            let bridged = Box::pin(self.call_bridge(client, at_hand, &name, &arguments, params));
            // What is called through it is accounted for call by call.
            return match crate::search::names::CALLS.contains(&&*name) {
                true => bridged.await,
                false => {
                    self.operations
                        .accounted(client, called_own(&name, &arguments), bridged, false)
                        .await
                }
            };
        }
        let found = self.servers.find_tool(client, &name).await;
        match found.or_else(|| self.servers.unlisted_tool(client, &name)) {
            Some(tool) => self.call_found(client, tool, params, true).await,
            None => self.call_missing(client, name, &arguments, params).await,
        }
    }

    /// Calls a tool that is not there yet, or says what is the matter with it.
    async fn call_missing(
        self: &Arc<Self>,
        client: &Client,
        name: String,
        arguments: &str,
        params: Json,
    ) -> Reply {
        let catalog = self.servers.catalog_for(&client.session);
        let shared = catalog.sharing(&name);
        if !shared.is_empty() {
            let shown = shared[..shared.len().min(SHARED_SHOWN)].join(", ");
            let why = format!("{name}: several servers have this tool; call one of: {shown}");
            return Reply::Result(wire::tool_text(&why, true));
        }
        // A tool of a server that does not start is not unknown: say what is the matter.
        if client.session.who.profile.is_open()
            && let Some(reason) = self.servers.why_missing(&name)
        {
            return Reply::Result(wire::tool_text(&reason, true));
        }
        let missing = self.servers.of(client).into_iter().find(|upstream| {
            upstream.known().is_none_or(|known| known.partial)
                && own_part(&name, upstream.name()).is_some()
        });
        // It takes longer to start, or to list its tools, than a list waits for it: a call waits as long as
        // the start may last.
        if let Some(upstream) = missing {
            if let Err(error) = upstream.live().await {
                return Reply::Result(wire::tool_text(&error.to_string(), true));
            }
            let _ = tokio::time::timeout(upstream.spec.start_timeout, upstream.whole_list()).await;
        }
        let known_by_now = self.servers.catalog_for(&client.session).find(&name).cloned();
        if let Some(tool) = known_by_now {
            return self.call_found(client, tool, params, true).await;
        }
        let unknown = wire::error(code::INVALID_PARAMS, &format!("Unknown tool: {name}"));
        let called =
            Called { method: Method::CallTool.name(), server: None, tool: Some(name), arguments };
        self.operations
            .accounted(client, called, Box::pin(async { Reply::Error(unknown) }), false)
            .await
    }

    /// Runs a tool that reads stored results back.
    async fn read_stored(&self, client: &Client, name: &str, arguments: &str) -> Reply {
        Stats::count(&self.operations.stats.fetches);
        let session = self.gate.session_of(&client.session.who);
        match self.gate.invoke(&client.session.who, name, arguments).await {
            Ok((text, is_error)) => {
                let given = Json::assembled(arguments.to_owned());
                let id = given.text_at(&["id"]).unwrap_or_default();
                self.operations.stats.note_fetch(
                    &session,
                    &client.says("name"),
                    &id,
                    arguments,
                    &text,
                );
                Reply::Result(wire::tool_text(&text, is_error))
            }
            Err(error) => Reply::Result(wire::tool_text(
                &format!("stored results cannot be read now: {error}"),
                true,
            )),
        }
    }

    pub(super) async fn call_found(
        self: &Arc<Self>,
        client: &Client,
        tool: Tool,
        params: Json,
        attended: bool,
    ) -> Reply {
        if tool.is_skill {
            return Reply::Result(wire::tool_text(&skills::not_called(&tool.name), true));
        }
        let arguments = params.get(&["arguments"]).map(str::to_owned);
        let written = arguments.clone().unwrap_or_else(|| "{}".into());
        let called = called_tool(&tool, &written);
        // It is said to us: the server does not see it.
        let purpose = params.text_at(&["_meta", META_PURPOSE]);
        let asked = params.get(&["_meta", META_ALL_PAGES]);
        let all_pages = self.wants_all_pages(&tool, asked == Some("true")).await;
        let all_pages = match all_pages {
            Ok(all_pages) => all_pages,
            Err(why) => return Reply::Result(wire::tool_text(&why, true)),
        };
        let params = match purpose.is_some() || asked.is_some() {
            true => wire::without_meta(&params, &[META_PURPOSE, META_ALL_PAGES]),
            false => params,
        };
        let of = CallOf { arguments, purpose, attended, all_pages };
        let work = Box::pin(self.call_accounted(client, tool, params, of));
        let reply = self.operations.accounted(client, called.clone(), work, false).await;
        self.operations.asked.carry(client, &called, &reply);
        reply
    }

    async fn call_accounted(
        self: &Arc<Self>,
        client: &Client,
        tool: Tool,
        params: Json,
        CallOf { arguments, purpose, attended, all_pages }: CallOf,
    ) -> Reply {
        let (params, used) = match self.with_references(client, &tool, params).await {
            Ok(resolved) => resolved,
            Err(why) => return Reply::Result(wire::tool_text(&why, true)),
        };
        let written = arguments.as_deref().unwrap_or("{}");
        let params = match self.permitted(client, &tool, written, params, attended).await {
            Ok(params) => params,
            Err(reply) => return reply,
        };
        self.note_references(client, &tool, &used).await;
        let is_own = params.text_at(&["name"]).as_deref() == Some(&tool.own_name);
        let params = match is_own && !tool.own_name.contains('\u{fffd}') {
            true => params,
            false => params.with(&["name"], &tool.sent_name()),
        };
        let spec = &tool.upstream.spec;
        let timing = Timing { idle: spec.timeout_of(&tool.own_name), max: spec.call_max };
        let upstream = Arc::clone(&tool.upstream);
        if runs_only_as_task(&tool) && params.get(&["task"]).is_none() {
            // Servers say of a task that is not made for want of an argument only that it is none.
            if let Some(name) = missing_argument(tool.listed(), &params) {
                let why = format!("{} was not called: it lacks the argument {name}", tool.name);
                return Reply::Result(wire::tool_text(&why, true));
            }
            let run = call_as_task(client, &upstream, params, timing, attended).await;
            return self
                .finish_run(client, run, After::Tool(Box::new(tool), arguments, purpose))
                .await;
        }
        let first =
            ask(client, &upstream, Method::CallTool, params.clone(), timing, attended).await;
        let written = params.clone();
        let run = match first {
            // The link broke under a call that may be made twice: once more, on a fresh one.
            Err(UpstreamError::Call {
                source: CallError::Closed(_) | CallError::Unreachable(_),
                ..
            }) if tool.hints.idempotent
                && client.progress_token.is_none()
                && !self.gate.doubts(&tool).await =>
            {
                ask(client, &upstream, Method::CallTool, params, timing, attended).await
            }
            other => other,
        };
        let run = match run {
            Ok(Run::Ended(Reply::Result(first))) if all_pages => {
                let all = self.with_all_pages(client, &tool, &written, timing, first).await;
                Ok(Run::Ended(Reply::Result(all)))
            }
            run => run,
        };
        self.finish_run(client, run, After::Tool(Box::new(tool), arguments, purpose)).await
    }
}

/// How a tool is called.
struct CallOf {
    /// The arguments as the client wrote them.
    arguments: Option<String>,
    /// What the client says that the call is for.
    purpose: Option<String>,
    /// Whether the client is there for questions.
    attended: bool,
    /// Whether the pages that follow are asked for as well.
    all_pages: bool,
}

impl Gateway {
    /// The call with stored results in place of references to them, and which those are, or why it is not made.
    async fn with_references(
        &self,
        client: &Client,
        tool: &Tool,
        params: Json,
    ) -> Result<(Json, Vec<UsedReference>), String> {
        let Some(arguments) = params.get(&["arguments"]) else { return Ok((params, Vec::new())) };
        if !arguments.contains("$weir") && !arguments.contains("weir://blob/") {
            return Ok((params, Vec::new()));
        }
        let who = &client.session.who;
        let references = tool.upstream.spec.references.clone();
        let resolved =
            self.gate.resolve_references(who, references, tool, arguments.to_owned()).await;
        match resolved {
            Ok(None) => Ok((params, Vec::new())),
            Ok(Some(resolved)) => {
                Ok((params.with(&["arguments"], &resolved.arguments), resolved.used))
            }
            Err(why) => {
                let server = tool.upstream.name();
                tracing::info!(server, "{} is given nothing: {why}", tool.own_name);
                self.audit_reference(client, tool, arguments, Outcome::Refused, 0).await;
                Err(why)
            }
        }
    }

    /// Says what a tool is given by reference, once it is decided that it is.
    async fn note_references(&self, client: &Client, tool: &Tool, used: &[UsedReference]) {
        let (server, name) = (tool.upstream.name(), &tool.own_name);
        for used in used {
            let part = if used.part.is_empty() { "all" } else { &used.part };
            tracing::info!(
                server,
                "{name} is given {part} of stored result {} by reference ({} bytes)",
                used.id,
                used.bytes
            );
            let bytes = used.bytes as u64;
            self.audit_reference(client, tool, &used.id, Outcome::Ok, bytes).await;
        }
    }

    /// A line of the audit log: what a tool was given, or was refused, by reference.
    async fn audit_reference(
        &self,
        client: &Client,
        tool: &Tool,
        what: &str,
        outcome: Outcome,
        bytes: u64,
    ) {
        if let Some(audit) = self.operations.audit() {
            let called = Called { method: REFERENCE, ..called_tool(tool, what) };
            audit.begin(client, called).end(outcome, bytes).await;
        }
    }
}

/// What the audit log calls what a tool is given by reference.
const REFERENCE: &str = "weir/reference";
