//! A description of an HTTP API as an MCP server: each operation is a tool.
//!
//! ```text
//! load ─► document ─► operations ─► tools/list
//!                     schema   └──► request ─► call ─► tools/call
//! ```
//!
//! The description is read as JSON or YAML without types of its own. The typed crates do not read what is published:
//! of six descriptions (GitHub, OpenAI, Anthropic, Cohere, Azure OpenAI, Kubernetes) `oas3` 0.22 reads two and
//! `openapiv3` 2.2 three, neither of them knows Swagger 2.0, and one member of a wrong type anywhere costs the whole
//! document. Read as plain values, each fault costs one operation or one member.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::json;
use tokio::sync::OnceCell;
use weir_mcp::json::Json;
use weir_mcp::methods::Method;
use weir_mcp::net::Tls;
use weir_mcp::redact::Secrets;
use weir_mcp::wire::{self, code};
use weir_servers::Server;

mod access;
mod call;
mod document;
mod load;
mod operations;
mod request;
mod schema;
#[cfg(test)]
mod tests;

use call::Caller;
use operations::Operation;

/// Tools on one page of the list.
const PAGE: usize = 500;

/// An API, as the file of servers describes it.
#[derive(Clone, PartialEq, Eq)]
pub struct Api {
    /// The path or the address of its description.
    pub description: String,
    /// The address of the API, where the one in the description does not count.
    pub url: Option<String>,
    /// Headers of every request.
    pub headers: BTreeMap<String, String>,
    /// Secrets by the description's names for the ways to log in. The one under the empty name is for the only way.
    pub auth: BTreeMap<String, String>,
}

impl std::fmt::Debug for Api {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Api").field("description", &self.description).finish_non_exhaustive()
    }
}

impl Api {
    /// Whether the description comes from another machine, or from this one over HTTP.
    pub fn is_fetched(&self) -> bool {
        self.description.starts_with("http://") || self.description.starts_with("https://")
    }
}

/// How requests are sent, and what must not be shown.
#[derive(Debug, Clone)]
pub struct Client {
    /// The server's name in logs.
    pub name: String,
    /// What requests say of who sends them.
    pub agent: &'static str,
    /// Certificates of the server's own.
    pub tls: Tls,
    /// Texts that no message shows.
    pub secrets: Secrets,
}

/// The server.
pub struct ApiServer {
    api: Api,
    client: Client,
    loaded: OnceCell<Arc<Loaded>>,
}

/// A description that was read.
struct Loaded {
    operations: Vec<Operation>,
    caller: Caller,
}

impl ApiServer {
    /// A server that reads its description with the first request for it.
    pub fn new(api: Api, client: Client) -> ApiServer {
        ApiServer { api, client, loaded: OnceCell::new() }
    }

    async fn loaded(&self) -> Result<Arc<Loaded>, String> {
        let load = || async { load::load(&self.api, &self.client).await.map(Arc::new) };
        let loaded = self.loaded.get_or_try_init(load).await.map(Arc::clone);
        loaded.map_err(|reason| self.client.secrets.redact(&reason))
    }

    async fn answered(&self, method: Method, params: &Json) -> Result<Json, Json> {
        // The code of an answer that is the reason itself.
        let loaded = self.loaded().await.map_err(|text| wire::error(code::UPSTREAM, &text))?;
        if method == Method::ListTools {
            let from = params.text_at(&["cursor"]).and_then(|cursor| cursor.parse().ok());
            let from: usize = from.unwrap_or(0);
            let page = loaded.operations.iter().skip(from).take(PAGE);
            let page: Vec<&str> = page.map(|operation| operation.definition.as_str()).collect();
            let list = Json::assembled(format!(r#"{{"tools":[{}]}}"#, page.join(",")));
            let next = from.saturating_add(PAGE);
            return Ok(match next < loaded.operations.len() {
                true => list.with(&["nextCursor"], &format!("\"{next}\"")),
                false => list,
            });
        }
        let name = params.text_at(&["name"]).unwrap_or_default();
        let Some(operation) = loaded.operations.iter().find(|it| it.name == name) else {
            let text = format!("there is no tool named {name}");
            return Err(wire::error(code::INVALID_PARAMS, &text));
        };
        let arguments = params.at(&["arguments"]).unwrap_or_else(Json::empty).read();
        let result = match arguments {
            Some(arguments) => loaded.caller.call(operation, &arguments).await,
            None => Err("arguments is not an object".to_owned()),
        };
        Ok(result.unwrap_or_else(|text| {
            wire::tool_text(&format!("{}.", self.client.secrets.redact(&text)), true)
        }))
    }
}

impl Server for ApiServer {
    const AT_ONCE: usize = 64;

    fn name(&self) -> &'static str {
        "weir-openapi"
    }

    fn capabilities(&self) -> Json {
        Json::of(&json!({"tools": {}}))
    }

    fn answer(&self, _: Method, _: &Json) -> Option<Result<Json, Json>> {
        None
    }

    async fn answer_later(
        self: Arc<Self>,
        method: Method,
        params: Json,
    ) -> Option<Result<Json, Json>> {
        match method {
            Method::ListTools | Method::CallTool => Some(self.answered(method, &params).await),
            _ => None,
        }
    }
}
