//! Clients over streamable HTTP: one endpoint for both eras.
//!
//! A modern request stands alone: its headers repeat its body and are checked against it, and its
//! answer ends it. A legacy client opens a session first, and may keep a stream open for what
//! belongs to no request.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::{DefaultBodyLimit, Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use futures_util::stream;
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::exchange::unguessable;
use super::http_link::{repeated_headers, text_of_header};
use super::json::Json;
use super::server::unsupported_version;
use super::session::{Outgoing, Outlet, Session};
use super::upstream::{State as ServerState, on_one_line};
use super::wire::{self, Era, Message, Request, WireError, code};
use super::{Gateway, Mode};

/// Bytes of a client's message.
const BODY_BYTES: usize = 64 << 20;

/// Sessions at once, and how long one is kept without a request.
const MAX_SESSIONS: usize = 1_000;
const SESSION_IDLE: Duration = Duration::from_secs(3_600);

/// How often a quiet stream shows that it is alive.
const KEEP_ALIVE: Duration = Duration::from_secs(15);

/// How the endpoint is offered.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Where.
    pub address: SocketAddr,
    /// What every request must carry. Required for addresses that others can reach.
    pub token: Option<String>,
    /// Hosts by which the endpoint may be called, beside those of the loopback.
    pub hosts: Vec<String>,
    /// Origins whose pages may call it, beside those of the loopback.
    pub origins: Vec<String>,
    /// Whether there is `/metrics`.
    pub metrics: bool,
}

/// Why the endpoint cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// Others could reach it, and nothing would keep them out.
    #[error("{0} can be reached by others: give a token, or listen on 127.0.0.1")]
    Open(SocketAddr),
    /// The address cannot be had.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
}

/// What is sent to a session beside the answers, unless a stream has it just now.
type Messages = Arc<Mutex<Option<mpsc::Receiver<Outgoing>>>>;

struct Entry {
    session: Arc<Session>,
    messages: Messages,
    used: Instant,
}

struct Endpoint {
    gateway: Arc<Gateway>,
    options: HttpOptions,
    sessions: Mutex<BTreeMap<String, Entry>>,
    ephemeral: AtomicU64,
}

/// Offers the endpoint until `stop` is done. Gives the address that was taken first, through `bound`.
///
/// # Errors
/// When it cannot be offered.
pub async fn serve(
    gateway: Arc<Gateway>,
    options: HttpOptions,
    bound: impl FnOnce(SocketAddr),
    stop: impl Future<Output = ()> + Send + 'static,
) -> Result<(), HttpError> {
    let address = options.address;
    if options.token.is_none() && !address.ip().is_loopback() {
        return Err(HttpError::Open(address));
    }
    let failed = |source| HttpError::Listen { address, source };
    let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
    bound(listener.local_addr().unwrap_or(address));
    let metrics = options.metrics;
    let endpoint = Arc::new(Endpoint {
        gateway,
        options,
        sessions: Mutex::default(),
        ephemeral: AtomicU64::new(1),
    });
    let reaper = tokio::spawn(reap(Arc::downgrade(&endpoint)));
    let mut router = Router::new()
        .route("/mcp", any(|state, request| mcp(state, request, None)))
        .route("/mcp/direct", any(|state, request| mcp(state, request, Some(Mode::Passthrough))))
        .route("/mcp/bridge", any(|state, request| mcp(state, request, Some(Mode::Bridge))));
    if metrics {
        router = router.route("/metrics", get(show_metrics));
    }
    let app = router
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&endpoint), admit))
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .with_state(Arc::clone(&endpoint));
    let ending = Arc::clone(&endpoint);
    let stop = async move {
        stop.await;
        // Streams that clients hold open would keep the server for ever.
        ending.gateway.tell(super::Change::Ending);
        ending.sessions().clear();
    };
    let result = axum::serve(listener, app).with_graceful_shutdown(stop).await.map_err(failed);
    reaper.abort();
    result
}

async fn reap(endpoint: std::sync::Weak<Endpoint>) {
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let Some(endpoint) = endpoint.upgrade() else { return };
        let gone: Vec<Arc<Session>> = {
            let mut sessions = endpoint.sessions();
            let old: Vec<String> = sessions
                .iter()
                .filter(|(_, entry)| {
                    entry.used.elapsed() > SESSION_IDLE && entry.session.running() == 0
                })
                .map(|(id, _)| id.clone())
                .collect();
            old.iter().filter_map(|id| sessions.remove(id)).map(|entry| entry.session).collect()
        };
        for session in gone {
            endpoint.gateway.farewell(&session).await;
        }
    }
}

impl Endpoint {
    fn sessions(&self) -> MutexGuard<'_, BTreeMap<String, Entry>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The session that a request names.
    fn session(&self, headers: &HeaderMap) -> Result<(Arc<Session>, Messages), Box<Response>> {
        let Some(id) = headers.get("mcp-session-id").and_then(|id| id.to_str().ok()) else {
            let error =
                wire::error(code::INVALID_REQUEST, "the request lacks the header Mcp-Session-Id");
            return Err(Box::new(refusal(StatusCode::BAD_REQUEST, None, &error)));
        };
        let mut sessions = self.sessions();
        let Some(entry) = sessions.get_mut(id) else {
            let error = wire::error(
                code::INVALID_REQUEST,
                "this session is unknown or over; initialize a new one",
            );
            return Err(Box::new(refusal(StatusCode::NOT_FOUND, None, &error)));
        };
        entry.used = Instant::now();
        Ok((Arc::clone(&entry.session), Arc::clone(&entry.messages)))
    }
}

// --- who may come in

/// Checks host, origin and token, in this order: the first two before anything is told.
async fn admit(
    State(endpoint): State<Arc<Endpoint>>,
    request: HttpRequest,
    next: Next,
) -> Response {
    let headers = request.headers();
    let options = &endpoint.options;
    if let Some(host) = headers.get(header::HOST).and_then(|host| host.to_str().ok()) {
        let named = options.hosts.iter().any(|known| {
            known.eq_ignore_ascii_case(host) || known.eq_ignore_ascii_case(without_port(host))
        });
        // Reachable by others means reachable by many names; there the token decides.
        if !named && !is_loopback_host(host) && options.address.ip().is_loopback() {
            return (StatusCode::FORBIDDEN, "this host name is not one of this endpoint's\n")
                .into_response();
        }
    }
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or("");
        let named = options.origins.iter().any(|known| known.eq_ignore_ascii_case(origin));
        let local = origin.split_once("://").is_some_and(|(scheme, host)| {
            matches!(scheme, "http" | "https")
                && is_loopback_host(host)
                && options.address.ip().is_loopback()
        });
        if !named && !local {
            return (StatusCode::FORBIDDEN, "pages of this origin may not call this endpoint\n")
                .into_response();
        }
    }
    if let Some(token) = &options.token {
        let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let given = given
            .and_then(|value| value.split_once(' '))
            .filter(|(scheme, _)| scheme.eq_ignore_ascii_case("bearer"));
        if !given.is_some_and(|(_, given)| same_secret(given.trim(), token)) {
            let challenge = [(header::WWW_AUTHENTICATE, "Bearer")];
            return (StatusCode::UNAUTHORIZED, challenge, "a bearer token is required\n")
                .into_response();
        }
    }
    next.run(request).await
}

fn without_port(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
        _ => host,
    }
}

fn is_loopback_host(host: &str) -> bool {
    let name = without_port(host).trim_start_matches('[').trim_end_matches(']');
    name.eq_ignore_ascii_case("localhost")
        || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// Compares without telling by its time where the difference is.
fn same_secret(a: &str, b: &str) -> bool {
    a.len() == b.len()
        && a.bytes().zip(b.bytes()).fold(0, |difference, (a, b)| difference | (a ^ b)) == 0
}

// --- what is shown beside MCP

async fn ready(State(endpoint): State<Arc<Endpoint>>) -> Response {
    let starting: Vec<String> = endpoint
        .gateway
        .upstreams()
        .iter()
        .filter(|upstream| {
            upstream.known().is_none() && !matches!(upstream.state(), ServerState::Failed(_))
        })
        .map(|upstream| upstream.name().to_owned())
        .collect();
    if starting.is_empty() {
        return "ready\n".into_response();
    }
    endpoint.gateway.begin(Era::Modern, &Json::of(&serde_json::json!({})));
    (StatusCode::SERVICE_UNAVAILABLE, format!("not known yet: {}\n", starting.join(", ")))
        .into_response()
}

async fn show_metrics(State(endpoint): State<Arc<Endpoint>>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    (kind, super::metrics::text(&endpoint.gateway)).into_response()
}

// --- MCP

async fn mcp(
    State(endpoint): State<Arc<Endpoint>>,
    request: HttpRequest,
    mode: Option<Mode>,
) -> Response {
    let (parts, body) = request.into_parts();
    match parts.method {
        Method::POST => {}
        Method::GET => return open_stream(&endpoint, &parts.headers),
        Method::DELETE => return end_session(&endpoint, &parts.headers).await,
        _ => {
            return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, POST, DELETE")])
                .into_response();
        }
    }
    if !accepts_both(&parts.headers) {
        let error = wire::error(
            code::INVALID_REQUEST,
            "Accept must list application/json and text/event-stream",
        );
        return refusal(StatusCode::NOT_ACCEPTABLE, None, &error);
    }
    let kind =
        parts.headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    if !kind.starts_with("application/json") {
        let error = wire::error(code::INVALID_REQUEST, "Content-Type must be application/json");
        return refusal(StatusCode::UNSUPPORTED_MEDIA_TYPE, None, &error);
    }
    let Ok(body) = axum::body::to_bytes(body, BODY_BYTES).await else {
        let error = wire::error(
            code::INVALID_REQUEST,
            &format!("the message has more than {BODY_BYTES} bytes"),
        );
        return refusal(StatusCode::PAYLOAD_TOO_LARGE, None, &error);
    };
    let messages = match wire::decode(&String::from_utf8_lossy(&body)) {
        Ok(messages) => messages,
        Err(WireError::NotJson(_)) => {
            return refusal(
                StatusCode::BAD_REQUEST,
                None,
                &wire::error(code::PARSE, "Parse error"),
            );
        }
        Err(WireError::NotRpc { id }) => {
            return refusal(
                StatusCode::BAD_REQUEST,
                id.as_ref(),
                &wire::error(code::INVALID_REQUEST, "Invalid request"),
            );
        }
    };
    let mut requests = Vec::new();
    let mut others = Vec::new();
    for message in messages {
        match message {
            Message::Request(request) => requests.push(request),
            other => others.push(other),
        }
    }
    let modern_header =
        parts.headers.get("mcp-protocol-version").is_some_and(|version| version == wire::MODERN);
    let is_modern = |request: &Request| {
        modern_header || request.params().get(&["_meta", wire::META_VERSION]).is_some()
    };
    if let [request] = &requests[..]
        && others.is_empty()
        && is_modern(request)
    {
        let request = requests.remove(0);
        return answer_modern(&endpoint, &parts.headers, request, mode).await;
    }
    if requests.is_empty() && modern_header && !parts.headers.contains_key("mcp-session-id") {
        return StatusCode::ACCEPTED.into_response();
    }
    if let [request] = &requests[..]
        && request.method == "initialize"
        && others.is_empty()
    {
        return open_session(&endpoint, requests.remove(0), mode).await;
    }
    let (session, _) = match endpoint.session(&parts.headers) {
        Ok(found) => found,
        Err(refused) => return *refused,
    };
    if let Some(version) =
        parts.headers.get("mcp-protocol-version").and_then(|version| version.to_str().ok())
        && !wire::LEGACY.contains(&version)
    {
        return refusal(
            StatusCode::BAD_REQUEST,
            requests.first().map(|r| &r.id),
            &unsupported_version(version),
        );
    }
    for message in others {
        match message {
            Message::Response(response) => session.answered(response),
            Message::Notification(notification) => {
                endpoint.gateway.notified(&session, &notification)
            }
            Message::Request(_) => {}
        }
    }
    match requests.len() {
        0 => StatusCode::ACCEPTED.into_response(),
        // A batch, of revision 2025-03-26: a stream holds all answers.
        _ => answer(&endpoint.gateway, &session, requests, false).await,
    }
}

fn accepts_both(headers: &HeaderMap) -> bool {
    let mut accept =
        headers.get_all(header::ACCEPT).iter().filter_map(|value| value.to_str().ok()).peekable();
    if accept.peek().is_none() {
        return true;
    }
    let all: Vec<&str> = accept
        .flat_map(|value| value.split(','))
        .map(|kind| kind.split(';').next().unwrap_or("").trim())
        .collect();
    let any = |kinds: &[&str]| all.iter().any(|kind| kinds.contains(kind));
    any(&["application/json", "application/*", "*/*"])
        && any(&["text/event-stream", "text/*", "*/*"])
}

/// An error in place of an answer.
fn refusal(status: StatusCode, id: Option<&Json>, error: &Json) -> Response {
    let body = wire::response(id, &Err(error.clone()));
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}

async fn open_session(endpoint: &Arc<Endpoint>, request: Request, mode: Option<Mode>) -> Response {
    let Ok(id) = unguessable() else {
        return refusal(
            StatusCode::INTERNAL_SERVER_ERROR,
            Some(&request.id),
            &wire::error(code::INTERNAL, "no randomness"),
        );
    };
    let (outlet, messages) = Outlet::new();
    let session = Session::new(id.clone(), outlet.clone(), mode);
    let answer = endpoint.gateway.answer(&session, &outlet, request).await;
    let Outgoing::Text(text) = answer else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if session.hello().is_none() {
        return (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], text)
            .into_response();
    }
    {
        let mut sessions = endpoint.sessions();
        if sessions.len() >= MAX_SESSIONS
            && let Some(oldest) =
                sessions.iter().min_by_key(|(_, entry)| entry.used).map(|(id, _)| id.clone())
        {
            sessions.remove(&oldest);
        }
        let messages = Arc::new(Mutex::new(Some(messages)));
        sessions.insert(
            id.clone(),
            Entry { session: Arc::clone(&session), messages, used: Instant::now() },
        );
    }
    endpoint.gateway.welcome(&session);
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (HeaderName::from_static("mcp-session-id"), id),
    ];
    (headers, text).into_response()
}

async fn end_session(endpoint: &Arc<Endpoint>, headers: &HeaderMap) -> Response {
    if !headers.contains_key("mcp-session-id") {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let session = match endpoint.session(headers) {
        Ok((session, _)) => session,
        Err(refused) => return *refused,
    };
    endpoint.sessions().remove(&session.id);
    endpoint.gateway.farewell(&session).await;
    StatusCode::NO_CONTENT.into_response()
}

/// The stream of what belongs to no request. One at a time; when it closes, the next one goes on.
fn open_stream(endpoint: &Arc<Endpoint>, headers: &HeaderMap) -> Response {
    if !headers.contains_key("mcp-session-id") {
        return StatusCode::METHOD_NOT_ALLOWED.into_response();
    }
    let messages = match endpoint.session(headers) {
        Ok((_, messages)) => messages,
        Err(refused) => return *refused,
    };
    let Some(taken) = messages.lock().unwrap_or_else(PoisonError::into_inner).take() else {
        return (StatusCode::CONFLICT, "the session's stream is open already\n").into_response();
    };
    struct Lent {
        messages: Option<mpsc::Receiver<Outgoing>>,
        home: Messages,
    }
    impl Drop for Lent {
        fn drop(&mut self) {
            *self.home.lock().unwrap_or_else(PoisonError::into_inner) = self.messages.take();
        }
    }
    let lent = Lent { messages: Some(taken), home: messages };
    let body = stream::unfold(lent, |mut lent| async move {
        let receiver = lent.messages.as_mut()?;
        let bytes = tokio::select! {
            message = receiver.recv() => match message? {
                Outgoing::Text(text) => event(text),
                Outgoing::Spooled { .. } => return None,
            },
            () = tokio::time::sleep(KEEP_ALIVE) => Bytes::from_static(b":\n\n"),
        };
        Some((Ok::<_, Infallible>(bytes), lent))
    });
    event_stream(Body::from_stream(body))
}

/// Checks a modern request's headers against its body.
fn check_headers(
    gateway: &Gateway,
    headers: &HeaderMap,
    request: &Request,
) -> Result<(), (StatusCode, Json)> {
    let mismatch =
        |text: String| Err((StatusCode::BAD_REQUEST, wire::error(code::HEADER_MISMATCH, &text)));
    let params = request.params();
    let body_version = params.text_at(&["_meta", wire::META_VERSION]);
    let header_of = |name: &str| headers.get(name).and_then(text_of_header);
    let Some(version) = header_of("mcp-protocol-version") else {
        return mismatch("Header mismatch: MCP-Protocol-Version is missing".into());
    };
    match body_version {
        None => {
            let text = format!("_meta lacks {}", wire::META_VERSION);
            return Err((StatusCode::BAD_REQUEST, wire::error(code::INVALID_PARAMS, &text)));
        }
        Some(body) if body != version => {
            return mismatch(format!(
                "Header mismatch: MCP-Protocol-Version is {version}, the body has {body}"
            ));
        }
        Some(_) if version != wire::MODERN => {
            return Err((StatusCode::BAD_REQUEST, unsupported_version(&version)));
        }
        Some(_) => {}
    }
    match header_of("mcp-method") {
        Some(method) if method == request.method => {}
        Some(method) => {
            return mismatch(format!(
                "Header mismatch: Mcp-Method is {method}, the body has {}",
                request.method
            ));
        }
        None => return mismatch("Header mismatch: Mcp-Method is missing".into()),
    }
    let name = match request.method.as_str() {
        "tools/call" | "prompts/get" => params.text_at(&["name"]),
        "resources/read" => params.text_at(&["uri"]),
        _ => None,
    };
    if let Some(name) = name {
        match header_of("mcp-name") {
            Some(given) if given == name => {}
            Some(given) => {
                return mismatch(format!(
                    "Header mismatch: Mcp-Name is {given}, the body has {name}"
                ));
            }
            None => return mismatch("Header mismatch: Mcp-Name is missing".into()),
        }
        if request.method == "tools/call"
            && let Some(tool) = gateway.catalog().find(&name)
        {
            for repeated in repeated_headers(&tool.definition).unwrap_or_default() {
                let mut path = vec!["arguments"];
                path.extend(repeated.path.iter().map(String::as_str));
                let body = params.get(&path).filter(|value| *value != "null");
                let given =
                    headers.get(format!("mcp-param-{}", repeated.name).to_ascii_lowercase());
                let agrees = match (body, given) {
                    (None, None) => true,
                    (Some(body), Some(given)) => {
                        text_of_header(given).is_some_and(|given| says(body, &given))
                    }
                    _ => false,
                };
                if !agrees {
                    return mismatch(format!(
                        "Header mismatch: Mcp-Param-{} does not repeat its argument",
                        repeated.name
                    ));
                }
            }
        }
    }
    Ok(())
}

/// Whether a header's text repeats a value of the body; numbers are compared as numbers.
fn says(body: &str, given: &str) -> bool {
    match serde_json::from_str::<serde_json::Value>(body) {
        Ok(serde_json::Value::String(text)) => text == given,
        Ok(serde_json::Value::Number(number)) => {
            number.to_string() == given
                || number.as_f64().is_some_and(|n| given.parse::<f64>().is_ok_and(|g| g == n))
        }
        _ => body == given,
    }
}

async fn answer_modern(
    endpoint: &Arc<Endpoint>,
    headers: &HeaderMap,
    request: Request,
    mode: Option<Mode>,
) -> Response {
    if let Err((status, error)) = check_headers(&endpoint.gateway, headers, &request) {
        return refusal(status, Some(&request.id), &error);
    }
    let (outlet, _nothing_beside_it) = Outlet::new();
    let name = format!("request {}", endpoint.ephemeral.fetch_add(1, Ordering::Relaxed));
    let session = Session::new(name, outlet, mode);
    answer(&endpoint.gateway, &session, vec![request], true).await
}

/// Runs requests: a body when there is nothing but one answer, else a stream.
async fn answer(
    gateway: &Arc<Gateway>,
    session: &Arc<Session>,
    requests: Vec<Request>,
    modern: bool,
) -> Response {
    let (outlet, mut messages) = Outlet::new();
    let single = requests.len() == 1;
    let mut tasks = Vec::new();
    for request in requests {
        let (gateway, asking, outlet) = (Arc::clone(gateway), Arc::clone(session), outlet.clone());
        let id = request.id.clone();
        let (registered, go) = tokio::sync::oneshot::channel::<()>();
        let done = id.clone();
        let task = tokio::spawn(async move {
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
    let mut tasks = Running { tasks, cancels: modern };
    if single {
        let first = tokio::select! {
            biased;
            // Our own outlet is still there, so that this is a message.
            message = messages.recv() => message,
            answer = &mut tasks.tasks[0] => {
                tasks.tasks.clear();
                let Ok(answer) = answer else { return StatusCode::NO_CONTENT.into_response() };
                // What was said meanwhile comes first, on a stream.
                match messages.try_recv() {
                    Ok(message) => return stream_of(messages, Some(message), Some(answer), tasks, modern),
                    Err(_) => return body_of(answer, modern),
                }
            }
        };
        drop(outlet);
        return stream_of(messages, first, None, tasks, modern);
    }
    drop(outlet);
    stream_of(messages, None, None, tasks, modern)
}

struct Running {
    tasks: Vec<JoinHandle<Outgoing>>,
    cancels: bool,
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
    let code =
        super::json::find(text, &["error", "code"]).and_then(|span| text[span].parse::<i64>().ok());
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

/// The bytes of a message, those of a spooled result read as they are sent.
fn pieces(
    message: Outgoing,
    prefix: &str,
) -> impl stream::Stream<Item = io::Result<Bytes>> + Send + 'static {
    let (send, receive) = mpsc::channel::<io::Result<Bytes>>(4);
    let prefix = prefix.to_owned();
    tokio::task::spawn_blocking(move || {
        let put =
            |bytes: Vec<u8>| send.blocking_send(Ok(Bytes::from(bytes))).map_err(io::Error::other);
        let end = if prefix.is_empty() { "" } else { "\n\n" };
        let copied = match message {
            Outgoing::Text(text) => {
                let mut line = on_one_line(text);
                line.pop();
                put([prefix.as_bytes(), &line, end.as_bytes()].concat())
            }
            Outgoing::Spooled { head, result, skip, tail } => {
                put(format!("{prefix}{head}").into_bytes())
                    .and_then(|()| {
                        result.copy_to(skip, &mut |bytes| {
                            put(bytes
                                .iter()
                                .map(|b| if matches!(b, b'\n' | b'\r') { b' ' } else { *b })
                                .collect())
                        })
                    })
                    .and_then(|()| put(format!("{tail}{end}").into_bytes()))
            }
        };
        if let Err(error) = copied {
            let _ = send.blocking_send(Err(error));
        }
    });
    stream::unfold(receive, |mut receive| async move {
        receive.recv().await.map(|piece| (piece, receive))
    })
}

fn event(text: String) -> Bytes {
    let mut line = on_one_line(text);
    line.pop();
    [b"event: message\ndata: ", &line[..], b"\n\n"].concat().into()
}

fn event_stream(body: Body) -> Response {
    let mut response = Response::new(body);
    for (name, value) in [
        (header::CONTENT_TYPE, "text/event-stream"),
        (header::CACHE_CONTROL, "no-cache"),
        (HeaderName::from_static("x-accel-buffering"), "no"),
    ] {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// A stream of what is said meanwhile, ended by the answers.
fn stream_of(
    mut messages: mpsc::Receiver<Outgoing>,
    first: Option<Outgoing>,
    answer: Option<Outgoing>,
    mut tasks: Running,
    modern: bool,
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
                () = send.closed(), if modern => return,
            }
        }
    });
    let guard = AbortSender(sender, modern);
    let body = stream::unfold((receive, guard), |(mut receive, guard)| async move {
        receive.recv().await.map(|piece| (piece, (receive, guard)))
    });
    event_stream(Body::from_stream(body))
}

/// Ends the sender with the stream. A legacy request goes on without anyone to send to.
struct AbortSender(JoinHandle<()>, bool);

impl Drop for AbortSender {
    fn drop(&mut self) {
        if self.1 {
            self.0.abort();
        }
    }
}
