//! The answer to requests: a body, or a stream of what is said meanwhile and the answers.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::stream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::identity::Identity;
use crate::methods::Method;
use crate::profile::Profile;
use crate::server::UnderWay;
use crate::session::{Outgoing, Outlet, Session};
use crate::wire::{Request, code};
use crate::{Gateway, Mode, json};

use super::bodies::Part;
use super::event::{KEEP_ALIVE, event_stream};
use super::headers::check_headers;
use super::pieces::pieces;
use super::replay::Streams;
use super::{Endpoint, refusal};

pub(super) async fn answer_modern(
    endpoint: &Arc<Endpoint>,
    profile: &Arc<Profile>,
    headers: &HeaderMap,
    request: Request,
    mode: Option<Mode>,
    part: Part,
) -> Response {
    if let Err((status, error)) = check_headers(&endpoint.gateway, headers, &request) {
        return refusal(status, Some(&request.id), &error);
    }
    let (outlet, _nothing_beside_it) = Outlet::new();
    let name = format!("request {}", endpoint.ephemeral.fetch_add(1, Ordering::Relaxed));
    let who = Identity::beside_others(profile, None);
    let session = Session::new(name, who, outlet, mode);
    answer(&endpoint.gateway, &session, vec![request], None, part).await
}

/// How long a legacy client waits for an answer before the response begins without it, as a stream.
const SILENCE: Duration = Duration::from_secs(2);

/// Runs requests: a body when there is nothing but one answer, and soon, else a stream. Streams of legacy clients
/// are among those of their session, where they can be taken up again. `part` is kept until all are done.
pub(super) async fn answer(
    gateway: &Arc<Gateway>,
    session: &Arc<Session>,
    requests: Vec<Request>,
    streams: Option<&Arc<Streams>>,
    part: Part,
) -> Response {
    let part = Arc::new(part);
    let modern = streams.is_none();
    let (outlet, mut messages) = Outlet::new();
    let single = requests.len() == 1;
    let ends = |request: &Request| !request.is(Method::Listen);
    let under_way = requests.iter().any(ends).then(|| UnderWay::new(gateway));
    let mut tasks = Vec::new();
    for request in requests {
        let (gateway, asking, outlet) = (Arc::clone(gateway), Arc::clone(session), outlet.clone());
        let id = request.id.clone();
        let (registered, go) = tokio::sync::oneshot::channel::<()>();
        let done = id.clone();
        let part = Arc::clone(&part);
        let task = tokio::spawn(async move {
            let _part = part;
            let _ = go.await;
            let answer = gateway.answer(&asking, &outlet, request).await;
            asking.finished(&done);
            answer
        });
        session.started(&id, task.abort_handle());
        let _ = registered.send(());
        tasks.push(task);
    }
    // Modern: a client that hangs up cancels. Legacy: it says so when it means it.
    let mut tasks = Running { tasks, cancels: modern, _under_way: under_way };
    if single {
        let first = tokio::select! {
            biased;
            // Our own outlet is still there, so that this is a message.
            message = messages.recv() => message,
            // The event that names the place can be had before the answer: a connection that breaks then
            // costs nothing.
            () = tokio::time::sleep(SILENCE), if !modern => None,
            answer = &mut tasks.tasks[0] => {
                tasks.tasks.clear();
                // Cancelled: there is no answer, and a stream without one is what every client takes.
                let Ok(answer) = answer else { return event_stream(Body::empty()) };
                // What was said meanwhile comes first, on a stream.
                match messages.try_recv() {
                    Ok(message) => {
                        return match streams {
                            None => stream_of(messages, Some(message), Some(answer), tasks),
                            Some(streams) => {
                                logged(streams, session, messages, vec![message], Some(answer), tasks)
                            }
                        };
                    }
                    Err(_) => return body_of(answer, modern),
                }
            }
        };
        drop(outlet);
        return match streams {
            None => stream_of(messages, first, None, tasks),
            Some(streams) => {
                logged(streams, session, messages, first.into_iter().collect(), None, tasks)
            }
        };
    }
    drop(outlet);
    match streams {
        None => stream_of(messages, None, None, tasks),
        Some(streams) => logged(streams, session, messages, Vec::new(), None, tasks),
    }
}

/// A stream of a legacy session: it goes on when its connection breaks, and the client may come back.
fn logged(
    streams: &Streams,
    session: &Session,
    mut messages: mpsc::Receiver<Outgoing>,
    first: Vec<Outgoing>,
    answer: Option<Outgoing>,
    mut tasks: Running,
) -> Response {
    let log = streams.open();
    let writing = Arc::clone(&log);
    tokio::spawn(async move {
        for message in first {
            writing.push(message).await;
        }
        let mut last = answer;
        loop {
            if let Some(answer) = last.take() {
                while let Ok(message) = messages.try_recv() {
                    writing.push(message).await;
                }
                writing.push(answer).await;
            }
            if tasks.tasks.is_empty() {
                break;
            }
            tokio::select! {
                biased;
                Some(message) = messages.recv() => writing.push(message).await,
                answer = &mut tasks.tasks[0] => {
                    drop(tasks.tasks.remove(0));
                    // Cancelled, it has none.
                    last = answer.ok();
                }
            }
        }
        writing.finish();
    });
    // Events without data were not known before.
    let prime = session.hello().is_some_and(|hello| hello.version.as_str() >= "2025-11-25");
    log.read_from(0, prime)
}

struct Running {
    tasks: Vec<JoinHandle<Outgoing>>,
    cancels: bool,
    /// Kept until all answers are handed over.
    _under_way: Option<UnderWay>,
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.cancels {
            self.tasks.iter().for_each(JoinHandle::abort);
        }
    }
}

/// The status that goes with an error of a modern request.
fn status_of(text: &str, modern: bool) -> StatusCode {
    if !modern || !text.contains("\"error\"") {
        return StatusCode::OK;
    }
    let code = json::find(text, &["error", "code"]).and_then(|span| text[span].parse::<i64>().ok());
    match code {
        Some(code::METHOD_NOT_FOUND) => StatusCode::NOT_FOUND,
        Some(code::UNSUPPORTED_VERSION | code::MISSING_CAPABILITY | code::HEADER_MISMATCH) => {
            StatusCode::BAD_REQUEST
        }
        Some(code::INVALID_PARAMS) if text.contains("_meta lacks") => StatusCode::BAD_REQUEST,
        _ => StatusCode::OK,
    }
}

fn body_of(answer: Outgoing, modern: bool) -> Response {
    let kind = [(header::CONTENT_TYPE, "application/json")];
    match answer {
        Outgoing::Text(text) => (status_of(&text, modern), kind, text).into_response(),
        spooled => (kind, Body::from_stream(pieces(spooled, ""))).into_response(),
    }
}

/// A stream of what is said meanwhile to a modern client, ended by the answers.
fn stream_of(
    mut messages: mpsc::Receiver<Outgoing>,
    first: Option<Outgoing>,
    answer: Option<Outgoing>,
    mut tasks: Running,
) -> Response {
    let (send, receive) = mpsc::channel::<io::Result<Bytes>>(16);
    let sender = tokio::spawn(async move {
        let mut waiting: Vec<Outgoing> = first.into_iter().collect();
        let mut last = answer;
        loop {
            for message in waiting.drain(..) {
                let mut parts = Box::pin(pieces(message, "event: message\ndata: "));
                while let Some(piece) = futures_util::StreamExt::next(&mut parts).await {
                    if send.send(piece).await.is_err() {
                        return;
                    }
                }
            }
            if let Some(answer) = last.take() {
                while let Ok(message) = messages.try_recv() {
                    waiting.push(message);
                }
                waiting.push(answer);
                continue;
            }
            if tasks.tasks.is_empty() {
                return;
            }
            tokio::select! {
                biased;
                Some(message) = messages.recv() => waiting.push(message),
                answer = &mut tasks.tasks[0] => {
                    drop(tasks.tasks.remove(0));
                    match answer {
                        Ok(answer) => last = Some(answer),
                        // Cancelled: the stream just ends.
                        Err(_) if tasks.tasks.is_empty() => return,
                        Err(_) => {}
                    }
                }
                () = tokio::time::sleep(KEEP_ALIVE) => {
                    if send.send(Ok(Bytes::from_static(b":\n\n"))).await.is_err() {
                        return;
                    }
                }
                () = send.closed() => return,
            }
        }
    });
    let guard = AbortSender(sender);
    let body = stream::unfold((receive, guard), |(mut receive, guard)| async move {
        receive.recv().await.map(|piece| (piece, (receive, guard)))
    });
    event_stream(Body::from_stream(body))
}

/// Ends the sender with the stream.
struct AbortSender(JoinHandle<()>);

impl Drop for AbortSender {
    fn drop(&mut self) {
        self.0.abort();
    }
}
