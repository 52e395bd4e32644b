//! A middleware of wasmcp: between a client and a server made of components it puts excerpts in the place of large
//! results, and a search in the place of a long list of tools. Composed with the component into one file,
//! `weir-middleware.wasm`.
//!
//! ```text
//! tools/list ─► server ─► short: the list, with weir_fetch ─► client
//!                         long: three bridge tools and weir_fetch
//! tools/call ─► weir_fetch: the store
//!               a bridge tool: the list, then the tools that it calls
//!               any other: server ─► large: stored, an excerpt ─► client
//! ```
//!
//! Everything else passes untouched.
#![cfg(target_family = "wasm")]

mod bindings;
mod results;
mod session;
mod tools;

use bindings::exports::wasmcp::mcp_v20251125::server_handler::{Guest, MessageContext};
use bindings::wasmcp::mcp_v20251125::mcp::*;
use bindings::wasmcp::mcp_v20251125::server_handler as next;

use crate::session::Session;

struct Adapter;

/// What a handler answers: nothing to a notification.
type Answer = Option<Result<ServerResult, ErrorCode>>;

impl Guest for Adapter {
    fn handle(context: MessageContext<'_>, message: ClientMessage) -> Answer {
        let ClientMessage::Request((id, request)) = message else {
            return next::handle(&passed_on(&context), message);
        };
        let server = Server { context: passed_on(&context), id, session: Session::of(&context) };
        match request {
            ClientRequest::ToolsList(request) => tools::listed(&server, request.cursor),
            ClientRequest::ToolsCall(request) => match request.name.as_str() {
                session::READER => Some(Ok(server.session.read(request.arguments.as_deref()))),
                "tool_search" | "tool_describe" | "tool_call" => tools::bridged(&server, request),
                _ => server.call(request),
            },
            other => server.ask(other),
        }
    }
}

/// What comes after this component, for one request.
struct Server<'a> {
    context: next::MessageContext<'a>,
    id: RequestId,
    session: Session,
}

impl Server<'_> {
    fn ask(&self, request: ClientRequest) -> Answer {
        next::handle(&self.context, ClientMessage::Request((self.id.clone(), request)))
    }

    /// A call of one of its tools, with an excerpt in the place of a large result.
    fn call(&self, request: CallToolRequest) -> Answer {
        let mut answer = self.ask(ClientRequest::ToolsCall(request.clone()));
        if let Some(Ok(ServerResult::ToolsCall(result))) = &mut answer {
            results::replace(&self.session, &request, result);
        }
        answer
    }
}

/// The context of a message for the next handler: exported and imported, it is two types with the same fields.
fn passed_on<'a>(context: &MessageContext<'a>) -> next::MessageContext<'a> {
    next::MessageContext {
        client_stream: context.client_stream,
        protocol_version: context.protocol_version.clone(),
        session: context.session.clone(),
        identity: context.identity.clone(),
        frame: context.frame.clone(),
        http_context: context.http_context.clone(),
    }
}

/// What the component answered; nothing where that is not JSON.
fn value(text: &str) -> serde_json::Value {
    serde_json::from_str(text).unwrap_or_default()
}
