//! What becomes of a message. Pure but for the store: nothing here knows the protocol.

use std::fmt;
use std::sync::Arc;

use weir_gateway::catalog::{definition_tokens, without_output_schema};
use weir_gateway::gate::Gate;
use weir_gateway::identity::{Identity, Profile, session_of_its_own};
use weir_gateway::is_own_tool;
use weir_gateway::worth::break_even;
use weir_host::contract::Origin;
use weir_mcp::json::Json;

/// Weir beside a proxy.
#[derive(Debug)]
pub struct Seat {
    /// The component, and the session whose name those of clients begin with.
    pub gate: Gate,
    /// The session of all results, where the proxy has one client.
    pub session: Option<String>,
    /// The proxy's target that is `weir serve`: what it answers passes.
    pub target: String,
    /// How a model reads on.
    pub reader: Reader,
}

/// How a model reads on.
pub enum Reader {
    /// By this tool, as clients of the proxy see its name.
    Tool(String),
    /// By a shell command, made of the name of a session.
    Shell(Box<dyn Fn(&str) -> String + Send + Sync>),
}

impl fmt::Debug for Reader {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reader::Tool(name) => write!(f, "Tool({name})"),
            Reader::Shell(_) => f.write_str("Shell"),
        }
    }
}

/// What is known of a call whose result has come.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct Call {
    /// The name of the client, as `weir serve` knows it: that of its token, or `ISSUER#SUBJECT`.
    pub client: Option<String>,
    /// The proxy's target.
    pub server: Option<String>,
    /// The tool, as its target calls it.
    pub tool: Option<String>,
    /// Its arguments, as JSON text.
    pub arguments: Option<String>,
}

impl Seat {
    /// What goes on in the place of a result of `tools/call`; none where the result itself does.
    pub async fn result(&self, call: Call, result: &str) -> Option<Json> {
        if call.server.as_deref() == Some(&*self.target) {
            return None;
        }
        let result = object_with(result, "content", '[')?;
        let session = self.session_of(call.client.as_deref())?;
        let reader = match &self.reader {
            Reader::Tool(name) => format!("tool:{name}"),
            Reader::Shell(command) => format!("shell:{}", command(&session)),
        };
        let origin = Origin {
            session,
            tool: call.tool.unwrap_or_else(|| "agentgateway".to_owned()),
            toolset: call.server,
            arguments: call.arguments,
            reader: Some(reader),
            purpose: None,
        };
        self.gate.excerpt(origin, &result).await.unwrap_or_else(|error| {
            tracing::warn!("a result passes whole: {error}");
            None
        })
    }

    /// Where a client's results are stored. Nowhere, if nobody says who it is: what is stored for all could be read by
    /// all. For a shell each result has a session of its own instead, which only the excerpt names.
    fn session_of(&self, client: Option<&str>) -> Option<String> {
        match (client.filter(|client| !client.is_empty()), &self.session, &self.reader) {
            (Some(client), ..) => {
                let profile = Profile { name: client.to_owned(), ..Profile::default() };
                let who = Identity::beside_others(&Arc::new(profile), None);
                Some(who.store_session(&self.gate.session))
            }
            (None, Some(session), _) => Some(session.clone()),
            (None, None, Reader::Shell(_)) => session_of_its_own().ok(),
            (None, None, Reader::Tool(_)) => None,
        }
    }

    /// What goes on in the place of a list of tools; none where the list itself does.
    ///
    /// Where the definitions cost more than searching, and the list has the bridge tools of `weir serve`, its tools are
    /// the list: they find and call the others. Else the tools lose the schemas of their results, which clients hold
    /// against structured content: an excerpt has none.
    pub fn list(&self, result: &str) -> Option<Json> {
        let result = object_with(result, "tools", '[')?;
        let all: Vec<Json> = result.items(&["tools"]).into_iter().map(to_json).collect();
        let (ours, others): (Vec<Json>, Vec<Json>) =
            all.iter().cloned().partition(|tool| self.is_ours(tool));
        let has = |start: &str| {
            ours.iter().any(|tool| self.own_name(tool).is_some_and(|it| it.starts_with(start)))
        };
        let is_whole = result.get(&["nextCursor"]).is_none_or(|cursor| cursor == "null");
        let tokens: u64 = others.iter().map(definition_tokens).sum();
        let is_long = is_whole && tokens > break_even(others.len());
        let shown: Vec<String> = match is_long && has("tool_search") && has("tool_call") {
            true => ours.iter().map(Json::to_string).collect(),
            false => {
                let shown = |tool: &Json| match self.is_ours(tool) {
                    true => tool.to_string(),
                    false => without_output_schema(tool).to_string(),
                };
                all.iter().map(shown).collect()
            }
        };
        let listed = result.with(&["tools"], &format!("[{}]", shown.join(",")));
        (listed != result).then_some(listed)
    }

    fn is_ours(&self, tool: &Json) -> bool {
        self.own_name(tool).is_some_and(|name| is_own_tool(&name))
    }

    /// A tool's name without what the proxy puts before those of `weir serve`.
    fn own_name(&self, tool: &Json) -> Option<String> {
        let Reader::Tool(reader) = &self.reader else { return None };
        let prefix = reader.strip_suffix("weir_fetch")?;
        Some(tool.text_at(&["name"])?.strip_prefix(prefix)?.to_owned())
    }
}

/// The tool and the arguments of a request of `tools/call`.
#[cfg(feature = "grpc")]
pub(crate) fn asked(params: &str) -> Option<(String, Option<String>)> {
    let params = object_with(params, "name", '"')?;
    let arguments = params.get(&["arguments"]).filter(|it| it.len() <= ARGUMENT_BYTES);
    Some((params.text_at(&["name"])?, arguments.map(str::to_owned)))
}

/// Bytes of arguments that are kept until the result comes.
#[cfg(feature = "grpc")]
const ARGUMENT_BYTES: usize = 16 * 1024;

/// JSON text of an object with a member of this name, whose value begins so.
fn object_with(text: &str, member: &str, begins: char) -> Option<Json> {
    let json = Json::parse(text.to_owned()).ok()?;
    json.get(&[member])?.starts_with(begins).then_some(json)
}

fn to_json(text: &str) -> Json {
    Json::assembled(text.to_owned())
}
