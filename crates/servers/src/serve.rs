//! A server on a stream: one message a line, in either era of the protocol.

use std::collections::HashMap;
use std::io;
use std::sync::Arc;

use serde_json::json;
use tokio::io::{
    AsyncBufReadExt as _, AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _, BufReader,
};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::{AbortHandle, JoinSet};
use weir_mcp::json::Json;
use weir_mcp::methods::{Method, notice};
use weir_mcp::wire::{self, Message, Notification, Request, WireError, code};

/// Bytes of one message: an argument may be a stored result.
const LINE_BYTES: u64 = 16 << 20;

/// What a server does beside the handshake.
pub trait Server: Send + Sync + 'static {
    /// Requests that are answered at the same time.
    const AT_ONCE: usize = 1;

    /// What it calls itself.
    fn name(&self) -> &'static str;

    /// What it can do, as MCP writes capabilities.
    fn capabilities(&self) -> Json;

    /// Answers a request; `None` where it has no such method. Blocks.
    fn answer(&self, method: Method, params: &Json) -> Option<Result<Json, Json>>;

    /// The same for a server that waits for others. It is dropped where the request is cancelled.
    fn answer_later(
        self: Arc<Self>,
        method: Method,
        params: Json,
    ) -> impl Future<Output = Option<Result<Json, Json>>> + Send {
        async move {
            let answered = tokio::task::spawn_blocking(move || self.answer(method, &params));
            answered
                .await
                .unwrap_or_else(|error| Some(Err(wire::error(code::INTERNAL, &error.to_string()))))
        }
    }
}

/// Serves until the input ends. As many requests are answered at the same time as the server says.
///
/// # Errors
/// When the stream breaks, or a message is longer than any that is meant.
pub async fn serve(
    server: Arc<impl Server>,
    input: impl AsyncRead + Unpin,
    mut output: impl AsyncWrite + Unpin,
) -> io::Result<()> {
    let (answers, mut lines) = mpsc::channel::<Vec<u8>>(1);
    let writing = async {
        while let Some(line) = lines.recv().await {
            output.write_all(&line).await?;
            output.flush().await?;
        }
        Ok(())
    };
    tokio::try_join!(read(server, input, answers), writing).map(drop)
}

async fn read<S: Server>(
    server: Arc<S>,
    input: impl AsyncRead + Unpin,
    answers: mpsc::Sender<Vec<u8>>,
) -> io::Result<()> {
    let places = Arc::new(Semaphore::new(S::AT_ONCE));
    let (mut tasks, mut running) = (JoinSet::new(), HashMap::<String, AbortHandle>::new());
    let mut input = BufReader::new(input);
    let mut line = Vec::new();
    loop {
        line.clear();
        if (&mut input).take(LINE_BYTES).read_until(b'\n', &mut line).await? == 0 {
            while tasks.join_next().await.is_some() {}
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
                let _ = answers.send(wire::as_line(wire::response(id, &refusal))).await;
                continue;
            }
        };
        for message in messages {
            let request = match message {
                Message::Request(request) => request,
                Message::Notification(told) => {
                    cancelled(&told).and_then(|id| running.remove(&id)).inspect(AbortHandle::abort);
                    continue;
                }
                Message::Response(_) => continue,
            };
            while tasks.try_join_next().is_some() {}
            running.retain(|_, task| !task.is_finished());
            let place = Arc::clone(&places).acquire_owned().await.map_err(io::Error::other)?;
            let (server, answers) = (Arc::clone(&server), answers.clone());
            let id = request.id.to_string();
            let task = tasks.spawn(async move {
                let _ = answers.send(wire::as_line(answer(server, &request).await)).await;
                drop(place);
            });
            running.insert(id, task);
        }
    }
}

/// The request that a notification takes back.
fn cancelled(told: &Notification) -> Option<String> {
    let id = || told.params.as_ref()?.get(&["requestId"]).map(str::to_owned);
    (told.method == notice::CANCELLED).then(id).flatten()
}

async fn answer(server: Arc<impl Server>, request: &Request) -> String {
    let params = request.params();
    let version = params.text_at(&["_meta", wire::META_VERSION]);
    let method = Method::of(&request.method);
    let body = match (&version, method) {
        (Some(version), _) if version != wire::MODERN => {
            let data = Json::of(&json!({"supported": versions(), "requested": version}));
            Err(wire::error_with(code::UNSUPPORTED_VERSION, "Unsupported protocol version", &data))
        }
        (_, Some(Method::Initialize)) => Ok(initialized(&*server, params)),
        (_, Some(Method::Discover)) => Ok(discovered(&*server)),
        (_, Some(Method::Ping)) => Ok(Json::empty()),
        (_, method) => {
            let answered = match method {
                Some(method) => server.answer_later(method, params.clone()).await,
                None => None,
            };
            answered.unwrap_or_else(|| {
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
