//! A client on our own standard streams.

use std::io;
use std::sync::Arc;

use futures_util::StreamExt as _;
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

use crate::clients::http::pieces::pieces;
use crate::clients::identity::Identity;
use crate::clients::session::{Outgoing, Outlet, Session};
use crate::gateway::Gateway;
use weir_mcp::frame::Frame;
use weir_mcp::lines::{Fault, Lines};
use weir_mcp::methods::Method;
use weir_mcp::wire::as_line;
use weir_mcp::wire::{self, Message, code};

/// Serves one client until it closes its end. Answers under way are still given then.
///
/// # Errors
/// When the client's messages cannot be read.
pub async fn serve(
    gateway: &Arc<Gateway>,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> io::Result<()> {
    serve_as(gateway, Identity::alone(), input, output).await
}

/// The same for a client that is one of several.
pub(crate) async fn serve_as(
    gateway: &Arc<Gateway>,
    who: Arc<Identity>,
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin + Send + 'static,
) -> io::Result<()> {
    let (outlet, messages) = Outlet::new();
    let writer = tokio::spawn(write(output, messages));
    let name = if who.is_beside_others() { who.key.to_string() } else { "stdio".to_owned() };
    let session = Session::new(name, who, outlet.clone(), None);
    gateway.welcome(&session);
    let mut lines = Lines::new(input, gateway.servers.bounds());
    let result = loop {
        match lines.next().await {
            Ok(Some(frame)) => take(gateway, &session, &outlet, frame).await,
            Ok(None) => break Ok(()),
            Err(Fault::Stream(error)) => break Err(error),
            Err(error) => tracing::warn!("of the client: {error}"),
        }
    };
    // The client is not asking any more; it may still be reading.
    let deadline = tokio::time::Instant::now() + crate::clients::server::CLOSING;
    while session.running() > 0 && tokio::time::Instant::now() < deadline && !outlet.is_closed() {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    gateway.farewell(&session).await;
    drop((session, outlet));
    writer.abort_handle().abort();
    result
}

async fn take(gateway: &Arc<Gateway>, session: &Arc<Session>, outlet: &Outlet, frame: Frame) {
    let messages = match frame {
        Frame::Messages(messages) => messages,
        // A client's answer of megabytes: to a server it has to go as one message.
        Frame::Oversized(oversized) => {
            if let Ok(result) = oversized.result.loaded(64 << 20).await {
                session.answered(wire::Response { id: Some(oversized.id), body: Ok(result) });
            }
            return;
        }
        Frame::Noise { excerpt, id, is_json, .. } => {
            tracing::warn!("the client sent what is no message: {excerpt}");
            let error = if is_json {
                wire::error(code::INVALID_REQUEST, "Invalid request")
            } else {
                wire::error(code::PARSE, "Parse error")
            };
            outlet.send(Outgoing::Text(wire::response(id.as_ref(), &Err(error)))).await;
            return;
        }
    };
    for message in messages {
        match message {
            Message::Response(response) => session.answered(response),
            Message::Notification(notification) => gateway.notified(session, &notification),
            // In order: what comes after may rely on it.
            Message::Request(request) if request.is(Method::Initialize) => {
                let answer = gateway.answer(session, outlet, request).await;
                outlet.send(answer).await;
            }
            Message::Request(request) => {
                let (gateway, asking, outlet) =
                    (Arc::clone(gateway), Arc::clone(session), outlet.clone());
                drop(session.start(&request.id.clone(), async move {
                    let answer = gateway.answer(&asking, &outlet, request).await;
                    outlet.send(answer).await;
                }));
            }
        }
    }
}

/// Writes messages to a client, one a line.
async fn write(mut output: impl AsyncWrite + Unpin, mut messages: mpsc::Receiver<Outgoing>) {
    while let Some(message) = messages.recv().await {
        if write_one(&mut output, message).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}

async fn write_one(output: &mut (impl AsyncWrite + Unpin), message: Outgoing) -> io::Result<()> {
    if let Outgoing::Text(text) = message {
        return output.write_all(&as_line(text)).await;
    }
    let mut pieces = std::pin::pin!(pieces(message, ""));
    while let Some(piece) = pieces.next().await {
        output.write_all(&piece?).await?;
    }
    output.write_all(b"\n").await
}
