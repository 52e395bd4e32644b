//! The protocol over gRPC.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use prost_types::value::Kind;
use prost_types::{Struct, Value};
use tokio::net::TcpListener;
use tonic::body::Body;
use tonic::codegen::{BoxFuture, Context, Poll, Service, http};
use tonic::server::{Grpc, UnaryService};
use tonic::transport::Server;
use tonic::transport::server::TcpIncoming;
use tonic::{Request, Response, Status};
use tonic_prost::ProstCodec;

use crate::seat::{Call, Seat, asked};
use crate::wire::{
    CHECK_REQUEST, CHECK_RESPONSE, McpRequest, McpRequestResult, McpResponse, McpResponseResult,
    Outcome, Pass,
};

/// A larger message is refused, and the proxy's `failureMode` says what becomes of the call.
const MESSAGE_BYTES: usize = 64 * 1024 * 1024;

/// Messages of one connection that are in memory at once; more wait.
const AT_ONCE: usize = 32;

/// How long answers that are under way may take when the server is told to stop.
const GRACE: Duration = Duration::from_secs(3);

/// Under this key the proxy's configuration hands back what is noted of a request.
const CALL: &str = "call";

/// Under this key it names the client.
const CLIENT: &str = "client";

/// What is noted of a request, in what expressions of the proxy read as `mcpGuardrails`.
const NOTED: &str = "weir";

/// Answers the proxy until `stop`.
///
/// # Errors
/// When connections can no longer be taken.
pub async fn serve(
    seat: Seat,
    listener: TcpListener,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let service = Checks(Arc::new(seat));
    let (end, ended) = tokio::sync::oneshot::channel::<()>();
    let ended = async { drop(ended.await) };
    let incoming = TcpIncoming::from(listener).with_nodelay(Some(true));
    let server = Server::builder().concurrency_limit_per_connection(AT_ONCE);
    let serving = server.serve_with_incoming_shutdown(service, incoming, ended);
    let mut serving = std::pin::pin!(serving);
    tokio::select! {
        served = &mut serving => return served.map_err(io::Error::other),
        () = stop => drop(end),
    }
    match tokio::time::timeout(GRACE, serving).await {
        Ok(served) => served.map_err(io::Error::other),
        Err(_) => Ok(()),
    }
}

#[derive(Clone)]
struct Checks(Arc<Seat>);

impl Service<http::Request<Body>> for Checks {
    type Response = http::Response<Body>;
    type Error = Infallible;
    type Future = BoxFuture<Self::Response, Infallible>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<Body>) -> Self::Future {
        let seat = Arc::clone(&self.0);
        Box::pin(async move {
            Ok(match request.uri().path() {
                CHECK_REQUEST => {
                    let mut grpc = Grpc::new(ProstCodec::default())
                        .max_decoding_message_size(MESSAGE_BYTES)
                        .max_encoding_message_size(MESSAGE_BYTES);
                    grpc.unary(Requests, request).await
                }
                CHECK_RESPONSE => {
                    let mut grpc = Grpc::new(ProstCodec::default())
                        .max_decoding_message_size(MESSAGE_BYTES)
                        .max_encoding_message_size(MESSAGE_BYTES);
                    grpc.unary(Responses(seat), request).await
                }
                other => Status::unimplemented(format!("{other} is not of ExtMcp")).into_http(),
            })
        })
    }
}

struct Requests;

impl UnaryService<McpRequest> for Requests {
    type Response = McpRequestResult;
    type Future = std::future::Ready<Result<Response<McpRequestResult>, Status>>;

    fn call(&mut self, request: Request<McpRequest>) -> Self::Future {
        let metadata = noted(&request.into_inner());
        let result = Some(Outcome::Pass(Pass {}));
        std::future::ready(Ok(Response::new(McpRequestResult { result, metadata })))
    }
}

/// What the result's check is to know of a call: the result comes without its tool.
fn noted(request: &McpRequest) -> Option<Struct> {
    let params = request.mcp_request.as_deref().filter(|_| request.method == "tools/call")?;
    let (tool, arguments) = asked(std::str::from_utf8(params).ok()?)?;
    let text = |text| Value { kind: Some(Kind::StringValue(text)) };
    let known = [("tool", Some(tool)), ("arguments", arguments)];
    let known = known.into_iter().filter_map(|(key, it)| Some((key.to_owned(), text(it?))));
    let noted = Kind::StructValue(Struct { fields: known.collect() });
    let noted = (NOTED.to_owned(), Value { kind: Some(noted) });
    Some(Struct { fields: [noted].into() })
}

struct Responses(Arc<Seat>);

impl UnaryService<McpResponse> for Responses {
    type Response = McpResponseResult;
    type Future = BoxFuture<Response<McpResponseResult>, Status>;

    fn call(&mut self, request: Request<McpResponse>) -> Self::Future {
        let (seat, response) = (Arc::clone(&self.0), request.into_inner());
        Box::pin(async move {
            let mutated = mutated(&seat, &response).await;
            let result = mutated.map_or(Outcome::Pass(Pass {}), Outcome::Mutated);
            Ok(Response::new(McpResponseResult { result: Some(result) }))
        })
    }
}

async fn mutated(seat: &Seat, response: &McpResponse) -> Option<Vec<u8>> {
    let result = std::str::from_utf8(&response.mcp_response).ok()?;
    let shown = match &*response.method {
        "tools/call" => seat.result(call_of(response), result).await?,
        "tools/list" => seat.list(result)?,
        _ => return None,
    };
    Some(shown.as_str().as_bytes().to_vec())
}

fn call_of(response: &McpResponse) -> Call {
    let context = response.metadata_context.as_ref();
    let call = match context.and_then(|context| context.fields.get(CALL)?.kind.as_ref()) {
        Some(Kind::StructValue(call)) => Some(call),
        _ => None,
    };
    Call {
        client: text_of(context, CLIENT),
        server: response.service_names.first().cloned(),
        tool: text_of(call, "tool"),
        arguments: text_of(call, "arguments"),
    }
}

fn text_of(fields: Option<&Struct>, key: &str) -> Option<String> {
    match fields?.fields.get(key)?.kind.as_ref()? {
        Kind::StringValue(text) => Some(text.clone()),
        _ => None,
    }
}
