//! A server on a stream: one message a line, in either era of the protocol.

use std::io;
use std::sync::Arc;

use serde_json::json;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use weir_mcp::json::Json;
use weir_mcp::methods::Method;
use weir_mcp::wire::{self, Message, Request, WireError, code};

/// Bytes of one message. Requests to these servers are short.
const LINE_BYTES: u64 = 1 << 20;

/// What a server does beside the handshake.
pub trait Server: Send + Sync + 'static {
    /// What it calls itself.
    fn name(&self) -> &'static str;

    /// What it can do, as MCP writes capabilities.
    fn capabilities(&self) -> Json;

    /// Answers a request; `None` where it has no such method. Blocks.
    fn answer(&self, method: Method, params: &Json) -> Option<Result<Json, Json>>;
}

/// Serves until the input ends. Requests are answered one after the other.
///
/// # Errors
/// When the stream breaks, or a message is longer than any that is meant.
pub async fn serve(
    server: Arc<impl Server>,
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(LINE_BYTES).read_until(b'\n', &mut line).await? == 0 {
            return Ok(());
        }
        if line.len() as u64 == LINE_BYTES {
            return Err(io::Error::other(format!("a message is longer than {LINE_BYTES} bytes")));
        }
        let text = String::from_utf8_lossy(&line);
        let messages = match wire::decode(&text) {
            _ if text.trim().is_empty() => continue,
            Ok(messages) => messages,
            Err(error) => {
                let (id, code) = match &error {
                    WireError::NotJson(_) => (None, code::PARSE),
                    WireError::NotRpc { id } => (id.as_ref(), code::INVALID_REQUEST),
                };
                let refusal = Err(wire::error(code, &error.to_string()));
                output.write_all(&wire::as_line(wire::response(id, &refusal))).await?;
                output.flush().await?;
                continue;
            }
        };
        for message in messages {
            let Message::Request(request) = message else { continue };
            let server = Arc::clone(&server);
            let answered = tokio::task::spawn_blocking(move || answer(&*server, &request));
            output.write_all(&wire::as_line(answered.await.map_err(io::Error::other)?)).await?;
            output.flush().await?;
        }
    }
}

fn answer(server: &impl Server, request: &Request) -> String {
    let params = request.params();
    let version = params.text_at(&["_meta", wire::META_VERSION]);
    let method = Method::of(&request.method);
    let body = match (&version, method) {
        (Some(version), _) if version != wire::MODERN => {
            let data = Json::of(&json!({"supported": versions(), "requested": version}));
            Err(wire::error_with(code::UNSUPPORTED_VERSION, "Unsupported protocol version", &data))
        }
        (_, Some(Method::Initialize)) => Ok(initialized(server, params)),
        (_, Some(Method::Discover)) => Ok(discovered(server)),
        (_, Some(Method::Ping)) => Ok(Json::empty()),
        (_, method) => {
            method.and_then(|method| server.answer(method, params)).unwrap_or_else(|| {
                let text = format!("Method not found: {}", request.method);
                Err(wire::error(code::METHOD_NOT_FOUND, &text))
            })
        }
    };
    let body = match version {
        Some(_) => body.map(|result| result.with(&["resultType"], "\"complete\"")),
        None => body,
    };
    wire::response(Some(&request.id), &body)
}

fn versions() -> Vec<&'static str> {
    [wire::MODERN].into_iter().chain(wire::LEGACY).collect()
}

fn info(server: &impl Server) -> serde_json::Value {
    json!({"name": server.name(), "version": env!("CARGO_PKG_VERSION")})
}

fn initialized(server: &impl Server, params: &Json) -> Json {
    let asked = params.text_at(&["protocolVersion"]).unwrap_or_default();
    let known = wire::LEGACY.into_iter().find(|known| *known == asked);
    Json::of(&json!({
        "protocolVersion": known.unwrap_or(wire::LATEST_LEGACY), "serverInfo": info(server), "capabilities": {},
    }))
    .with(&["capabilities"], server.capabilities().as_str())
}

fn discovered(server: &impl Server) -> Json {
    Json::of(&json!({
        "supportedVersions": versions(), "capabilities": {}, "ttlMs": 60_000, "cacheScope": "private",
        "_meta": {wire::META_SERVER: info(server)},
    }))
    .with(&["capabilities"], server.capabilities().as_str())
}
