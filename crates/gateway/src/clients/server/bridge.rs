//! The bridge tools in place of many: how they are listed, and calls through them.

use std::sync::Arc;

use tokio::sync::watch;

use crate::abort::AbortOnDrop;
use crate::clients::session::{Client, Session};
use crate::gateway::Gateway;
use crate::operations::gate::GateError;
use crate::operations::gate::bridge::{Answer as BridgeAnswer, Bridge, Planned};
use crate::operations::results::text_block;
use crate::search::catalog::{Catalog, Tool};
use crate::search::names::{CALL, CALL_READ, CALL_WRITE, CALLS, DESCRIBE, SEARCH};
use crate::search::phrases::Phrases;
use crate::servers::listed::definition_tokens;
use crate::servers::upstream::Upstream;
use crate::watch::stats::Stats;
use weir_mcp::frame::Reply;
use weir_mcp::json::{Json, quote};
use weir_mcp::wire;

use super::kinds::Kinds;
use super::pages::{ALL_PAGES, META_ALL_PAGES};
use super::skills;
use super::unsearched::{AtHand, unsearched, unsearched_in, with_other_kinds, with_unsearched};

/// Says that a call has ended, however it did.
struct Done(watch::Sender<bool>);

impl Drop for Done {
    fn drop(&mut self) {
        self.0.send_replace(true);
    }
}

/// Calls of one `tool_call` that run at the same time.
const PARALLEL_CALLS: usize = 8;

/// A call that is under way, by the name of its tool, or why it is not made.
type Begun = (String, Result<AbortOnDrop<Reply>, String>);

impl Gateway {
    pub(super) async fn call_bridge(
        self: &Arc<Self>,
        client: &Client,
        at_hand: AtHand,
        name: &str,
        arguments: &str,
        mut params: Json,
    ) -> Reply {
        let answer = if name == SEARCH {
            Stats::count(&self.operations.stats.searches);
            if let Some(text) = skills::listed(&at_hand.catalog, arguments) {
                return Reply::Result(wire::tool_text(&text, false));
            }
            Box::pin(self.searched(client, at_hand, arguments)).await
        } else {
            let calls = CALLS.contains(&name);
            let asked = Json::assembled(arguments.to_owned());
            if calls && matches!(asked.get(&[ALL_PAGES]), Some("true" | "\"true\"")) {
                params = params.with(&["_meta", META_ALL_PAGES], "true");
            }
            let asked = asked.without(&[ALL_PAGES]);
            let arguments = if calls { asked.as_str() } else { arguments };
            let exact = at_hand.catalog.with_exact_names(arguments);
            let arguments = exact.as_deref().unwrap_or(arguments);
            if name == DESCRIBE
                && let Some(reply) = self.described(client, arguments).await
            {
                return reply;
            }
            let name = if calls { CALL } else { name };
            self.ask_about_all(client, &at_hand, name, arguments).await
        };
        match answer {
            Ok(BridgeAnswer::Text { text, is_error }) => {
                let down = |server: &str| self.servers.down_server_of(client, server);
                let text = if name == SEARCH { text } else { with_down_servers(text, down) };
                self.operations.stats.note_shown_of_tools(&client.says("name"), &text);
                Reply::Result(wire::tool_text(&text, is_error))
            }
            Ok(BridgeAnswer::Dispatch(calls)) => self.run(client, name, params, calls).await,
            Err(error) => {
                let why = format!("tools cannot be searched now: {error}");
                Reply::Result(wire::tool_text(&why, true))
            }
        }
    }

    /// What a search finds among the tools, and beside them.
    async fn searched(
        &self,
        client: &Client,
        at_hand: AtHand,
        arguments: &str,
    ) -> Result<BridgeAnswer, GateError> {
        let kinds = Kinds::of(arguments);
        let asked = async {
            match &kinds {
                Some(kinds) if !kinds.with_tools() => {
                    Ok(BridgeAnswer::Text { text: r#"{"results":[]}"#.to_owned(), is_error: false })
                }
                _ => {
                    let arguments = kinds.as_ref().map_or(arguments, |it| it.arguments.as_str());
                    self.gate.ask_bridge(&at_hand.bridge, SEARCH, arguments).await
                }
            }
        };
        let beside = async {
            let kinds = kinds.as_ref()?;
            Some((self.found_beside(client, &at_hand.catalog, kinds).await, kinds))
        };
        let (answer, beside) = tokio::join!(asked, beside);
        let (text, is_error) = match answer {
            Ok(BridgeAnswer::Text { text, is_error }) => (text, is_error),
            other => return other,
        };
        self.operations.stats.note_search(&text);
        self.search.note_answer(&client.session, &text);
        let catalog = Arc::clone(&at_hand.catalog);
        let unsearched = unsearched_in(&self.servers, client, at_hand);
        let text = with_unsearched(text, &unsearched, &client.session);
        let text = match beside {
            Some((beside, kinds)) => beside.told_in(text, &catalog, kinds),
            None => with_other_kinds(text, &catalog),
        };
        Ok(BridgeAnswer::Text { text, is_error })
    }

    /// What is described here and not by the component: skills, resources and prompts.
    async fn described(self: &Arc<Self>, client: &Client, arguments: &str) -> Option<Reply> {
        // What is still being read is not described as something else.
        self.servers.first_settle(client).await;
        self.servers.whole_lists().await;
        let catalog = self.servers.catalog_for(&client.session);
        match self.describe_skill(client, &catalog, arguments).await {
            None => self.describe_named(client, &catalog, arguments).await,
            skill => skill,
        }
    }

    /// Makes calls: one as if it were called by its name, several side by side. `variant` is the tool that is called for it.
    async fn run(
        self: &Arc<Self>,
        client: &Client,
        variant: &str,
        params: Json,
        calls: Vec<Planned>,
    ) -> Reply {
        let alone = calls.len() == 1;
        let mut begun: Vec<Begun> = Vec::new();
        let permits = Arc::new(tokio::sync::Semaphore::new(PARALLEL_CALLS));
        // Told when the call of that place has ended.
        let ended: Vec<_> = calls.iter().map(|_| watch::Sender::new(false)).collect();
        for (index, call) in calls.into_iter().enumerate() {
            let earlier = call.after.iter().filter(|earlier| **earlier < index);
            let before: Vec<_> =
                earlier.filter_map(|earlier| Some(ended.get(*earlier)?.subscribe())).collect();
            let done = Done(ended[index].clone());
            let tool = match self.chosen(client, variant, &call) {
                Ok(tool) => tool,
                Err(why) => {
                    begun.push((call.name, Err(why)));
                    continue;
                }
            };
            let params = params.with(&["name"], &quote(&call.name));
            let params = params.with(&["arguments"], &call.arguments);
            if alone {
                return self.call_and_learn(client, tool, params, true).await;
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
                this.call_and_learn(&client, tool, params, false).await
            });
            begun.push((call.name, Ok(AbortOnDrop(task))));
        }
        in_one(begun).await
    }

    /// The tool that a call is for, or why it is not called by this variant.
    fn chosen(&self, client: &Client, variant: &str, call: &Planned) -> Result<Tool, String> {
        let name = &call.name;
        let Some(tool) = self.servers.catalog_for(&client.session).find(name).cloned() else {
            return Err(format!("there is no tool {name}; search for it with tool_search"));
        };
        self.operations.stats.note_bridged(&tool.name);
        // What the user says of a tool counts whatever its name says.
        let reads_only = call.reads_only || tool.upstream.spec.only_reads(&tool.own_name);
        let allowed = match variant {
            CALL_READ => tool.hints.read_only && reads_only,
            // What is said to read only, against its own words, may as well destroy.
            CALL_WRITE => !tool.hints.destructive && (reads_only || !tool.hints.read_only),
            _ => true,
        };
        if allowed {
            return Ok(tool);
        }
        let mut why = format!(
            "{name} may change or destroy something, which this variant does not do; call it with {CALL}"
        );
        if tool.hints.read_only && !reads_only {
            why.push_str(
                " (its server says that it only reads, and its name or description says otherwise)",
            );
        }
        if !tool.upstream.spec.trust {
            why.push_str(&format!(
                " (what server {} says of its tools is not trusted: weir.trust)",
                tool.upstream.name()
            ));
        }
        Err(why)
    }

    /// Calls a tool that was searched for: what it is found by is learned where it did what it was called for.
    async fn call_and_learn(
        self: &Arc<Self>,
        client: &Client,
        tool: Tool,
        params: Json,
        attended: bool,
    ) -> Reply {
        let reply = self.call_found(client, tool.clone(), params, attended).await;
        if succeeded(&reply) {
            self.search.learn(&self.servers, client, &tool).await;
        }
        reply
    }

    /// The bridge tools over all tools of this client, when it is shown them in place of the tools themselves.
    async fn bridge(&self, session: &Session) -> Option<Arc<Bridge>> {
        let catalog = self.servers.catalog_for(session);
        if !self.clients.is_bridged(session, &catalog) {
            return None;
        }
        self.search.bridge(&self.servers, session, &catalog).await
    }

    /// The same, with what it does not go through.
    pub(super) async fn bridge_at_hand(&self, client: &Client) -> Option<AtHand> {
        // Before the tools are taken: what becomes known in between is named once too often, not once too little.
        let unsearched = unsearched(&self.servers, client);
        let catalog = self.servers.catalog_for(&client.session);
        if !self.clients.is_bridged(&client.session, &catalog) {
            return None;
        }
        let bridge = self.search.bridge(&self.servers, &client.session, &catalog).await?;
        Some(AtHand { bridge, catalog, unsearched })
    }

    /// Asks what names tools in any writing, of which some may not be known yet. Calls of others do not wait for them.
    async fn ask_about_all(
        self: &Arc<Self>,
        client: &Client,
        at_hand: &AtHand,
        component_name: &str,
        arguments: &str,
    ) -> Result<BridgeAnswer, GateError> {
        let answer = self.gate.ask_bridge(&at_hand.bridge, component_name, arguments).await;
        let Ok(BridgeAnswer::Text { is_error: true, text }) = &answer else { return answer };
        // What is named may be of a server that is still starting.
        self.servers.first_settle(client).await;
        // Or of a server whose list is not whole yet.
        if text.contains("no such tool") {
            self.servers.whole_lists().await;
        }
        match self.bridge(&client.session).await {
            Some(now) if !Arc::ptr_eq(&now, &at_hand.bridge) => {
                self.gate.ask_bridge(&now, component_name, arguments).await
            }
            _ => answer,
        }
    }

    /// Estimated tokens of what a client is shown in mode `bridge`, with the tools that are known now: our
    /// tools and the list of servers. Nothing is started for it.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub async fn bridge_tokens(self: &Arc<Self>) -> Result<u64, GateError> {
        let bridge = self.gate.bridge(&self.servers.catalog(), Phrases::default()).await?;
        let upstreams = self.servers.all();
        let names = || upstreams.iter().map(|upstream| upstream.name());
        let bridged = bridge_definitions(&bridge.definitions, &self.servers.catalog(), &upstreams)
            .into_iter()
            .map(|tool| definition_tokens(&super::first::naming_servers(tool, names())));
        let catalog = self.servers.catalog();
        let pinned = catalog.tools().iter().filter(|tool| tool.pinned);
        Ok(bridged.sum::<u64>()
            + super::first::own_tokens()
            + pinned.map(Tool::definition_tokens).sum::<u64>())
    }
}

/// The results of several calls as one, each below its number and its name.
async fn in_one(begun: Vec<Begun>) -> Reply {
    let (mut blocks, mut failed, count) = (Vec::new(), 0, begun.len());
    for (index, (name, task)) in begun.into_iter().enumerate() {
        let failure = |text: &str| wire::tool_text(text, true);
        let result = match task {
            Err(why) => failure(&why),
            Ok(mut task) => match (&mut task.0).await {
                Err(_) => failure("the call was given up"),
                Ok(Reply::Result(result)) => result,
                Ok(Reply::Error(error)) => {
                    failure(&format!("the server answered with an error: {error}"))
                }
                Ok(Reply::Spooled(spooled)) => failure(&format!(
                    "the result has {} bytes and may not be replaced: call {name} alone",
                    spooled.len()
                )),
            },
        };
        let is_error = result.get(&["isError"]) == Some("true");
        failed += usize::from(is_error);
        let note = if is_error { " (error)" } else { "" };
        let title = format!("{} of {count}: {name}{note}", index + 1);
        blocks.push(text_block(&title));
        let items = result.items(&["content"]);
        match (items.is_empty(), result.get(&["structuredContent"])) {
            (true, Some(structured)) => blocks.push(text_block(structured)),
            _ => blocks.extend(items.into_iter().map(str::to_owned)),
        }
    }
    Reply::Result(Json::assembled(format!(
        r#"{{"content":[{}],"isError":{}}}"#,
        blocks.join(","),
        count > 0 && failed == count
    )))
}

/// Whether a tool did what it was called for, as far as its result says.
fn succeeded(reply: &Reply) -> bool {
    match reply {
        Reply::Result(result) => result.get(&["isError"]) != Some("true"),
        Reply::Spooled(_) => true,
        Reply::Error(_) => false,
    }
}

/// The answer to a describe or a call with what is the matter in place of "no such tool", for names of servers
/// that cannot be used now.
fn with_down_servers(answer: String, down: impl Fn(&str) -> Option<(String, String)>) -> String {
    let Ok(mut changed) = Json::parse(answer.clone()) else { return answer };
    for member in ["missing", "calls"] {
        let mut any = false;
        let with = changed.with_items(&[member], |item| {
            let item = Json::assembled(item.to_owned());
            let name = item.text_at(&["name"]).unwrap_or_default();
            let error = item.text_at(&["error"]).unwrap_or_default();
            match down(&name).filter(|_| error.contains("no such tool")) {
                Some((server, why)) => {
                    any = true;
                    let error = format!("its server {server} cannot be used now");
                    let item = item.without(&["near"]).with(&["error"], &quote(&error));
                    item.with(&["unavailable"], &quote(&why)).to_string()
                }
                None => item.to_string(),
            }
        });
        if any {
            changed = with;
        }
    }
    changed.to_string()
}

/// The bridge tools, with `tool_call` once more for clients that let reading pass without asking. For
/// calls that destroy nothing there is no tool of its own in the list: no client asks less for them.
pub(super) fn with_call_read(tools: &[Json]) -> Vec<Json> {
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

/// The bridge tools as clients of these servers are shown them: with `tool_call_read` where the configuration says of any
/// server that it is trusted, or of any tool that it only reads. Without that nothing can be called through it.
pub(super) fn bridge_definitions(
    tools: &[Json],
    catalog: &Catalog,
    servers: &[Arc<Upstream>],
) -> Vec<Json> {
    let reads =
        |upstream: &Arc<Upstream>| upstream.spec.trust || !upstream.spec.read_only.is_empty();
    let tools: Vec<Json> = tools.iter().map(|tool| with_kinds_named(tool, catalog)).collect();
    let (mut tools, reader) = match servers.iter().any(reads) {
        true => (with_call_read(&tools), CALL_READ),
        false => (tools, CALL),
    };
    for tool in &mut tools {
        if tool.text_at(&["name"]).as_deref() == Some(reader) {
            // Its name says it; a tool that may do more than read says the rest.
            *tool = tool.with(&["inputSchema", "properties", ALL_PAGES], r#"{"type":"boolean"}"#);
        }
    }
    tools
}

/// The definition of `tool_search` with what its servers have beside tools; others as they are. Where there are tools
/// alone, nothing is said of kinds: results are named where a search found nothing.
fn with_kinds_named(tool: &Json, catalog: &Catalog) -> Json {
    let kinds = catalog.kinds();
    if kinds.is_empty() || tool.text_at(&["name"]).as_deref() != Some(SEARCH) {
        return tool.clone();
    }
    let all: Vec<&str> = ["tool"].into_iter().chain(kinds).chain(["result"]).collect();
    let named = format!(r#"{{"type":"array","items":{{"enum":{}}}}}"#, Json::of(&all));
    tool.with(&["inputSchema", "properties", "kinds"], &named)
}
