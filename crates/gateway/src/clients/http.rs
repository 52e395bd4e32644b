//! Clients over streamable HTTP: one endpoint for both eras.
//!
//! A modern request stands alone: its headers repeat its body and are checked against it, and its
//! answer ends it. A legacy client opens a session first, and may keep a stream open for what
//! belongs to no request.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::{Request as HttpRequest, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::{any, get};
use sha2::{Digest as _, Sha256};

use crate::clients::identity::{Identity, Tokens};
use crate::clients::profile::Mode;
use crate::clients::profile::Profile;
use crate::clients::server::unsupported_version;
use crate::clients::session::{Outlet, Session};
use crate::gateway::Gateway;
use crate::watch::page::Page;
use weir_base::Mutex;
use weir_mcp::json::Json;
use weir_mcp::methods;
use weir_mcp::wire::{self, Message, Request, WireError, code};
use weir_oauth::Key;

mod admit;
mod answer;
mod bodies;
mod event;
mod headers;
mod line;
mod listen;
mod login;
pub(crate) mod pieces;
mod sessions;
mod tls;

pub use tls::TlsFiles;

use admit::admit;
use answer::{answer, answer_modern};
use bodies::{Bodies, Part, Refused};
use headers::accepts_both;
use sessions::{Entry, end_session, open_session, open_stream, reap};

/// Where the metadata of a protected resource is (RFC 9728).
const METADATA: &str = "/.well-known/oauth-protected-resource";

/// Messages in one batch.
const MAX_BATCH: usize = 100;

/// How the endpoint is offered.
#[derive(Debug, Clone)]
pub struct HttpOptions {
    /// Where.
    pub address: SocketAddr,
    /// What every request must carry one of. Required for addresses that others can reach.
    pub tokens: Tokens,
    /// Hosts by which the endpoint may be called, beside those of the loopback.
    pub hosts: Vec<String>,
    /// Origins whose pages may call it, beside those of the loopback.
    pub origins: Vec<String>,
    /// Whether there is `/metrics`.
    pub metrics: bool,
    /// Whether there is `/ui`, a page for browsers.
    pub ui: bool,
    /// The certificate, where connections are encrypted.
    pub tls: Option<TlsFiles>,
    /// How long requests under way have to end, once it is told to stop.
    pub grace: Duration,
    /// The address by which others know it, without a path.
    pub url: Option<String>,
    /// What signs the ids of sessions, so that every gateway with the same key takes them over.
    pub key: Option<Key>,
}

impl HttpOptions {
    /// Where clients read who gives out tokens.
    fn metadata(&self) -> Option<String> {
        let url = self.url.as_ref().filter(|_| self.tokens.people().is_some())?;
        Some(format!("{url}{METADATA}/mcp"))
    }
}

/// Why the endpoint cannot be offered.
#[derive(Debug, thiserror::Error)]
pub enum HttpError {
    /// Tokens are asked for, and none of them can be used.
    #[error(
        "neither weir.tokens nor tokens.json beside it holds a token that can be used: nobody could come in"
    )]
    NoToken,
    /// Others could reach it, and nothing would keep them out.
    #[error("{0} can be reached by others: give a token, or listen on 127.0.0.1")]
    Open(SocketAddr),
    /// The certificate cannot be used.
    #[error("cannot offer TLS: {0}")]
    Tls(io::Error),
    /// The address cannot be had.
    #[error("cannot listen on {address}")]
    Listen {
        /// The address.
        address: SocketAddr,
        /// Why not.
        source: io::Error,
    },
}

struct Endpoint {
    gateway: Arc<Gateway>,
    options: HttpOptions,
    /// Whether it was told to stop: nothing new is begun.
    ending: AtomicBool,
    sessions: Mutex<BTreeMap<String, Entry>>,
    ended: Mutex<BTreeSet<String>>,
    ephemeral: AtomicU64,
    bodies: Arc<Bodies>,
    /// What the keys of the page's forms are made of.
    forms: String,
}

/// Offers the endpoint until `stop` is done. Then it begins nothing new, and ends when the requests under way
/// have, when their time is over or when `stop` is done once more. Gives the address that was taken first,
/// through `bound`.
///
/// # Errors
/// When it cannot be offered.
pub async fn serve<S: Future<Output = ()> + Send + 'static>(
    gateway: Arc<Gateway>,
    options: HttpOptions,
    bound: impl FnOnce(SocketAddr),
    stop: impl Fn() -> S + Send + 'static,
) -> Result<(), HttpError> {
    let address = options.address;
    if options.tokens.are_required() && !options.tokens.are_there() {
        return Err(HttpError::NoToken);
    }
    if !options.tokens.are_required() && !address.ip().is_loopback() {
        return Err(HttpError::Open(address));
    }
    let tls = options.tls.clone().map(tls::acceptor).transpose().map_err(HttpError::Tls)?;
    let failed = |source| HttpError::Listen { address, source };
    let listener = tokio::net::TcpListener::bind(address).await.map_err(failed)?;
    bound(listener.local_addr().unwrap_or(address));
    gateway.servers.try_all();
    if let Some(people) = options.tokens.people() {
        // What is wrong there is logged before the first person comes.
        tokio::spawn(async move { people.issuer.fetch_keys().await });
    }
    let (metrics, ui) = (options.metrics, options.ui);
    if ui {
        gateway.operations.stats.remember_calls();
    }
    let endpoint = Arc::new(Endpoint {
        gateway,
        options,
        ending: AtomicBool::new(false),
        sessions: Mutex::default(),
        ended: Mutex::default(),
        ephemeral: AtomicU64::new(1),
        bodies: Arc::default(),
        forms: weir_base::unguessable().map_err(|error| failed(io::Error::other(error)))?,
    });
    let reaper = tokio::spawn(reap(Arc::downgrade(&endpoint)));
    let mut router = Router::new()
        .route("/mcp", any(|state, request| mcp(state, request, None)))
        .route("/mcp/direct", any(|state, request| mcp(state, request, Some(Mode::Passthrough))))
        .route("/mcp/bridge", any(|state, request| mcp(state, request, Some(Mode::Bridge))));
    if metrics {
        router = router.route("/metrics", get(show_metrics));
    }
    if ui {
        router = router.route(PAGE, get(show_page).post(show_page));
    }
    let app = router
        .layer(axum::middleware::from_fn_with_state(Arc::clone(&endpoint), admit))
        // Probes come by address, without a token. They are told nothing else.
        .route("/healthz", get(|| async { "ok\n" }))
        .route("/readyz", get(ready))
        .route("/login/back", get(login::back))
        .route("/login/who", get(login::who))
        .route("/login/{pass}", get(login::visit).post(login::begin))
        .route(METADATA, get(show_metadata))
        .route(&format!("{METADATA}/{{*path}}"), get(show_metadata))
        .with_state(Arc::clone(&endpoint));
    let ending = Arc::clone(&endpoint);
    let stop = async move {
        stop().await;
        ending.ending.store(true, Ordering::SeqCst);
        tokio::select! {
            () = ending.gateway.operations.drained(ending.options.grace) => {}
            () = stop() => {}
        }
        // Streams that clients hold open would keep the server for ever.
        ending.gateway.changes.tell(crate::clients::Change::Ending);
        ending.sessions.lock().clear();
    };
    let result = listen::serve(listener, app, tls, stop).await.map_err(failed);
    reaper.abort();
    result
}

// --- what is shown beside MCP

async fn ready(State(endpoint): State<Arc<Endpoint>>) -> (StatusCode, &'static str) {
    match endpoint.ending.load(Ordering::SeqCst) {
        false => (StatusCode::OK, "ready\n"),
        true => (StatusCode::SERVICE_UNAVAILABLE, "ending\n"),
    }
}

/// Who gives out tokens for this endpoint.
async fn show_metadata(State(endpoint): State<Arc<Endpoint>>) -> Response {
    let options = &endpoint.options;
    let (Some(url), Some(people)) = (&options.url, options.tokens.people()) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let text = serde_json::json!({
        "resource": format!("{url}/mcp"), "resource_name": "weir", "bearer_methods_supported": ["header"],
        "authorization_servers": [people.issuer.settings().issuer],
    });
    let headers =
        [(header::CONTENT_TYPE, "application/json"), (header::ACCESS_CONTROL_ALLOW_ORIGIN, "*")];
    (headers, text.to_string()).into_response()
}

async fn show_metrics(State(endpoint): State<Arc<Endpoint>>) -> Response {
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    let sessions = endpoint.sessions.lock().len();
    (kind, crate::watch::metrics::text(&endpoint.gateway, sessions)).into_response()
}

/// Where the page for browsers is.
const PAGE: &str = "/ui";

/// Shows the page, or does what a form of it asks for.
async fn show_page(State(endpoint): State<Arc<Endpoint>>, request: HttpRequest) -> Response {
    let (parts, body) = request.into_parts();
    let profile = parts.extensions.get::<Arc<Profile>>().cloned().unwrap_or_default();
    let is_form = parts.method == Method::POST;
    let sent = match is_form {
        true => axum::body::to_bytes(body, FORM_BYTES).await.unwrap_or_default(),
        false => parts.uri.query().unwrap_or_default().to_owned().into(),
    };
    let fields = url::form_urlencoded::parse(&sent).map(|(name, value)| {
        (name.into_owned(), value.chars().take(FIELD_CHARS).collect::<String>())
    });
    let Ok(nonce) = weir_base::unguessable() else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    let key = weir_base::hex(&Sha256::digest(format!("{} {}", endpoint.forms, profile.name)));
    let page = Page { fields: fields.collect(), key, nonce };
    let who = Identity::beside_others(&profile, None);
    let session = Session::new("ui".to_owned(), who, Outlet::new().0, None);
    let mut refused = None;
    if is_form {
        match crate::watch::page::act(&endpoint.gateway, &session, &page).await {
            Ok(part) => {
                let there = [(header::LOCATION, format!("{PAGE}{part}"))];
                return (StatusCode::SEE_OTHER, there).into_response();
            }
            Err(why) => refused = Some(why),
        }
    }
    let text =
        crate::watch::page::of_gateway(&endpoint.gateway, &session, &page, refused.as_deref())
            .await;
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (header::CONTENT_SECURITY_POLICY, &crate::watch::page::policy(&page.nonce)),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With `no-referrer` a browser would send forms without their origin.
        (header::REFERRER_POLICY, "same-origin"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    let status = if refused.is_some() { StatusCode::CONFLICT } else { StatusCode::OK };
    (status, headers, text).into_response()
}

/// Bytes of a form, and characters of one of its fields.
const FORM_BYTES: usize = 64 << 10;
const FIELD_CHARS: usize = 2_000;

// --- MCP

async fn mcp(
    State(endpoint): State<Arc<Endpoint>>,
    request: HttpRequest,
    mode: Option<Mode>,
) -> Response {
    let (parts, body) = request.into_parts();
    let profile = parts.extensions.get::<Arc<Profile>>().cloned().unwrap_or_default();
    match parts.method {
        Method::POST => {}
        Method::GET | Method::DELETE if !parts.headers.contains_key("mcp-session-id") => {
            return StatusCode::METHOD_NOT_ALLOWED.into_response();
        }
        Method::GET => return open_stream(&endpoint, &profile, &parts.headers),
        Method::DELETE => return end_session(&endpoint, &profile, &parts.headers).await,
        _ => {
            return (StatusCode::METHOD_NOT_ALLOWED, [(header::ALLOW, "GET, POST, DELETE")])
                .into_response();
        }
    }
    let received = Received::read(&endpoint, &parts.headers, body).await;
    let Received { mut requests, others, part } = match received {
        Ok(received) => received,
        Err(refused) => return *refused,
    };
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
        return answer_modern(&endpoint, &profile, &parts.headers, request, mode, part).await;
    }
    if requests.is_empty() && modern_header && !parts.headers.contains_key("mcp-session-id") {
        return StatusCode::ACCEPTED.into_response();
    }
    if let [request] = &requests[..]
        && request.is(methods::Method::Initialize)
        && others.is_empty()
    {
        return open_session(&endpoint, &profile, requests.remove(0), mode).await;
    }
    let (session, _) = match endpoint.session(&profile, &parts.headers) {
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
        _ => answer(&endpoint.gateway, &session, requests, false, part).await,
    }
}

/// The messages of one post.
struct Received {
    requests: Vec<Request>,
    others: Vec<Message>,
    part: Part,
}

impl Received {
    /// Reads them, or says why they are not taken.
    async fn read(
        endpoint: &Endpoint,
        headers: &HeaderMap,
        body: Body,
    ) -> Result<Received, Box<Response>> {
        let refused = |status: StatusCode, text: &str| {
            Box::new(refusal(status, None, &wire::error(code::INVALID_REQUEST, text)))
        };
        if !accepts_both(headers) {
            let text = "Accept must list application/json and text/event-stream";
            return Err(refused(StatusCode::NOT_ACCEPTABLE, text));
        }
        let kind =
            headers.get(header::CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
        if !kind.starts_with("application/json") {
            let text = "Content-Type must be application/json";
            return Err(refused(StatusCode::UNSUPPORTED_MEDIA_TYPE, text));
        }
        let (body, part) = endpoint.bodies.read(body).await.map_err(|why| {
            let mut response = refused(why.status(), &why.to_string());
            endpoint.gateway.operations.measured.refused("size");
            if matches!(why, Refused::Full { .. }) {
                response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            }
            response
        })?;
        let decoded = wire::decode(&String::from_utf8_lossy(&body));
        drop(body);
        let messages = decoded.map_err(|error| {
            let (id, error) = match error {
                WireError::NotJson(_) => (None, wire::error(code::PARSE, "Parse error")),
                WireError::NotRpc { id } => {
                    (id, wire::error(code::INVALID_REQUEST, "Invalid request"))
                }
            };
            Box::new(refusal(StatusCode::BAD_REQUEST, id.as_ref(), &error))
        })?;
        if messages.len() > MAX_BATCH {
            let text = format!("a batch may have {MAX_BATCH} messages, not {}", messages.len());
            return Err(refused(StatusCode::PAYLOAD_TOO_LARGE, &text));
        }
        let mut requests = Vec::new();
        let mut others = Vec::new();
        for message in messages {
            match message {
                Message::Request(request) => requests.push(request),
                other => others.push(other),
            }
        }
        // Answers to what servers ask and cancellations still belong to what is under way.
        if let Some(request) = requests.first()
            && endpoint.ending.load(Ordering::SeqCst)
        {
            endpoint.gateway.operations.measured.refused("ending");
            let error = wire::error(code::UPSTREAM, "the gateway is ending; try again");
            let mut response = refusal(StatusCode::SERVICE_UNAVAILABLE, Some(&request.id), &error);
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from_static("1"));
            return Err(Box::new(response));
        }
        Ok(Received { requests, others, part })
    }
}

/// An error in place of an answer.
fn refusal(status: StatusCode, id: Option<&Json>, error: &Json) -> Response {
    let body = wire::response(id, &Err(error.clone()));
    (status, [(header::CONTENT_TYPE, "application/json")], body).into_response()
}
