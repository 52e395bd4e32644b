//! The answer to requests: a body, or a stream of what is said meanwhile and the answers.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use futures_util::StreamExt as _;
use tokio::task::JoinHandle;

use crate::abort::AbortOnDrop;
use crate::clients::identity::Identity;
use crate::clients::profile::Mode;
use crate::clients::profile::Profile;
use crate::clients::session::{Outgoing, Outlet, Session};
use crate::gateway::Gateway;
use crate::operations::UnderWay;
use weir_mcp::json;
use weir_mcp::methods::Method;
use weir_mcp::wire::{Request, code};

use super::bodies::Part;
use super::event::event_stream;
use super::headers::check_headers;
use super::line::line;
use super::pieces::pieces;
use super::{Endpoint, refusal};

pub(super) async fn answer_modern(
    endpoint: &Arc<Endpoint>,
    profile: &Arc<Profile>,
    headers: &HeaderMap,
    request: Request,
    mode: Option<Mode>,
    part: Part,
) -> Response {
    if let Err((status, error)) = check_headers(&endpoint.gateway.servers, headers, &request) {
        return refusal(status, Some(&request.id), &error);
    }
    let (outlet, _nothing_beside_it) = Outlet::new();
    let name = format!("request {}", endpoint.ephemeral.fetch_add(1, Ordering::Relaxed));
    let who = Identity::beside_others(profile, None);
    let session = Session::new(name, who, outlet, mode);
    answer(&endpoint.gateway, &session, vec![request], true, part).await
}

/// How long a legacy client waits for an answer before the response begins without it, as a stream.
const SILENCE: Duration = Duration::from_secs(2);

/// Runs requests: a body when there is nothing but one answer, and soon, else a stream. `part` is kept until all are
/// done.
pub(super) async fn answer(
    gateway: &Arc<Gateway>,
    session: &Arc<Session>,
    requests: Vec<Request>,
    modern: bool,
    part: Part,
) -> Response {
    let part = Arc::new(part);
    let (outlet, mut messages) = Outlet::new();
    let single = requests.len() == 1;
    let ends = |request: &Request| !request.is(Method::Listen);
    let under_way = requests.iter().any(ends).then(|| UnderWay::new(&gateway.operations));
    let mut tasks = Vec::new();
    for request in requests {
        let (gateway, asking, outlet) = (Arc::clone(gateway), Arc::clone(session), outlet.clone());
        let part = Arc::clone(&part);
        tasks.push(session.start(&request.id.clone(), async move {
            let _part = part;
            gateway.answer(&asking, &outlet, request).await
        }));
    }
    // Modern: a client that hangs up cancels. Legacy: it says so when it means it.
    let mut tasks = Running { tasks, cancels: modern, _under_way: under_way };
    let (mut first, mut last) = (None, None);
    if single {
        tokio::select! {
            biased;
            // Our own outlet is still there, so that this is a message.
            message = messages.recv() => first = message,
            // What stands between sees a response, and signs of life.
            () = tokio::time::sleep(SILENCE), if !modern => {}
            answer = &mut tasks.tasks[0] => {
                tasks.tasks.clear();
                // Cancelled: there is no answer, and a stream without one is what every client takes.
                let Ok(answer) = answer else { return event_stream(Body::empty()) };
                // What was said meanwhile comes first, on a stream.
                let Ok(message) = messages.try_recv() else { return body_of(answer, modern) };
                (first, last) = (Some(message), Some(answer));
            }
        }
    }
    drop(outlet);
    let (writing, response) = line();
    // Nobody may hear them any more; the calls go on.
    let writer = tokio::spawn(async move {
        if let Some(message) = first {
            let _ = writing.send(message).await;
        }
        loop {
            if let Some(answer) = last.take() {
                while let Ok(message) = messages.try_recv() {
                    let _ = writing.send(message).await;
                }
                let _ = writing.send(answer).await;
            }
            if tasks.tasks.is_empty() {
                break;
            }
            tokio::select! {
                biased;
                Some(message) = messages.recv() => drop(writing.send(message).await),
                answer = &mut tasks.tasks[0] => {
                    drop(tasks.tasks.remove(0));
                    // Cancelled, it has none.
                    last = answer.ok();
                }
            }
        }
    });
    let writer = modern.then(|| AbortOnDrop(writer));
    response.map(|body| {
        Body::from_stream(body.into_data_stream().inspect(move |_| {
            let _ends_with_the_stream = &writer;
        }))
    })
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
