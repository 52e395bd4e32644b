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
use bindings::wasmcp::mcp_v20251125::mcp::{
    CallToolRequest, ClientMessage, ClientRequest, ErrorCode, RequestId, ServerResult,
};
use bindings::wasmcp::mcp_v20251125::server_handler as next;

use crate::session::Session;

struct Adapter;

/// What a handler answers: nothing to a notification.
type Answer = Option<Result<ServerResult, ErrorCode>>;

impl Guest for Adapter {
    fn handle(context: MessageContext<'_>, message: ClientMessage) -> Answer {
        let server = Server { context: passed_on(&context) };
        match message {
            ClientMessage::Request((id, ClientRequest::ToolsList(request))) => {
                tools::listed(&server, &id, request)
            }
            ClientMessage::Request((id, ClientRequest::ToolsCall(request))) => {
                let session = Session::of(&context);
                match request.name.as_str() {
                    session::READER => Some(Ok(session.read(request.arguments.as_deref()))),
                    name if tools::is_bridge(name) => {
                        tools::bridged(&server, &session, &id, request)
                    }
                    _ => server.call(&session, &id, request),
                }
            }
            other => next::handle(&server.context, other),
        }
    }
}

/// What comes after this component.
struct Server<'a> {
    context: next::MessageContext<'a>,
}

impl Server<'_> {
    fn ask(&self, id: &RequestId, request: ClientRequest) -> Answer {
        next::handle(&self.context, ClientMessage::Request((id.clone(), request)))
    }

    /// A call of one of its tools, with an excerpt in the place of a large result.
    fn call(&self, session: &Session, id: &RequestId, request: CallToolRequest) -> Answer {
        match self.ask(id, ClientRequest::ToolsCall(request.clone())) {
            Some(Ok(ServerResult::ToolsCall(result))) => {
                let result = results::replaced(session, &request, result);
                Some(Ok(ServerResult::ToolsCall(result)))
            }
            other => other,
        }
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
