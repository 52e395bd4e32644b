//! Streamable HTTP towards a server: every message a post, every answer a body or an event stream.
//!
//! Modern servers are stateless. Legacy ones may give a session, which every later request names,
//! and send what belongs to no request on a stream of its own.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use http_body_util::{BodyExt, Full};
use hyper::body::{Bytes, Incoming};
use hyper::header::{HeaderName, HeaderValue};
use hyper::{HeaderMap, Method, Request, Response, StatusCode, Uri, header};
use tokio::sync::mpsc;
use tokio::task::{AbortHandle, JoinHandle};

use self::events::{Events, Place};
use super::connection::{CallError, Connection, Posts};
use super::credentials::{Credentials, Refusal};
use super::frame::{Assembler, Bounds, Frame};
use super::json::{self, Json};
use super::methods::{self, name_header, notice};
use super::net::{self, CONNECT, HttpClient, Tls, causes, start_of};
use super::wire::{self, Era, Message, code};
use weir_base::Mutex;

mod events;

/// Bytes of an error's body that are read.
const ERROR_BYTES: usize = 64 * 1024;

/// Attempts in a row to get a legacy server's stream back after it broke.
const STREAM_RETRIES: u32 = 5;

/// Time between these attempts where the server names none.
const STREAM_PAUSE: Duration = Duration::from_millis(300);

/// Redirects that are followed in a row, and cookies of a server that are kept.
const MAX_REDIRECTS: u32 = 5;
const MAX_COOKIES: usize = 50;

type Body = Full<Bytes>;

#[derive(Debug, Default)]
struct State {
    agreed: Option<(Era, String)>,
    session: Option<HeaderValue>,
    tasks: BTreeMap<u64, AbortHandle>,
    stream: Option<AbortHandle>,
    /// Whether the first thing posted was refused as an older kind of endpoint refuses it.
    refuses_posts: bool,
    /// Headers that repeat arguments, by tool: the header's name and the path of the argument.
    repeated: BTreeMap<String, Vec<RepeatedHeader>>,
    /// Cookies that it set, by name: a balancer finds the machine with our session by one.
    cookies: BTreeMap<String, String>,
}

/// A header that repeats an argument, for those on the way who do not read bodies.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepeatedHeader {
    /// The part of the header's name after `Mcp-Param-`.
    pub name: String,
    /// Where the argument is.
    pub path: Vec<String>,
}

/// An endpoint.
#[derive(Debug)]
pub struct HttpLink {
    client: HttpClient,
    url: Uri,
    agent: &'static str,
    headers: HeaderMap,
    credentials: Option<Arc<dyn Credentials>>,
    bounds: Bounds,
    state: Mutex<State>,
}

impl HttpLink {
    /// An endpoint that nothing was sent to yet. `agent` is who we are; one of the headers may say something else.
    ///
    /// # Errors
    /// When the address or a header cannot be used, or the system's certificates cannot be read.
    pub fn new(
        url: &str,
        agent: &'static str,
        headers: &BTreeMap<String, String>,
        tls: &Tls,
        credentials: Option<Arc<dyn Credentials>>,
        bounds: Bounds,
    ) -> Result<HttpLink, String> {
        let url: Uri = url.parse().map_err(|error| format!("its url cannot be used: {error}"))?;
        if url.host().is_none() {
            return Err("its url names no host".to_owned());
        }
        let mut own = HeaderMap::new();
        for (name, value) in headers {
            // Values stay out of the message: they are secrets.
            let name: HeaderName =
                name.parse().map_err(|_| format!("{name} cannot be the name of a header"))?;
            let value = value
                .trim()
                .parse()
                .map_err(|_| format!("the value of header {name} cannot be sent"))?;
            own.insert(name, value);
        }
        let client = HttpClient::new(url.scheme_str() == Some("https"), tls)?;
        Ok(HttpLink {
            client,
            url,
            agent,
            headers: own,
            credentials,
            bounds,
            state: Mutex::default(),
        })
    }

    /// Takes note of how the server speaks.
    pub fn agreed(&self, era: Era, version: &str) {
        self.state.lock().agreed = Some((era, version.to_owned()));
    }

    /// Listens to the stream that a legacy server may have for what belongs to no request.
    pub fn follow(self: &Arc<Self>, connection: &Arc<Connection>) {
        let (link, connection) = (Arc::clone(self), Arc::clone(connection));
        let task = tokio::spawn(async move { link.follow_stream(&connection).await });
        self.state.lock().stream = Some(task.abort_handle());
    }

    /// Takes note of which arguments of which tools are repeated in headers.
    pub fn repeat(&self, tool: &str, headers: Vec<RepeatedHeader>) {
        self.state.lock().repeated.insert(tool.to_owned(), headers);
    }

    /// Whether what was posted was refused as endpoints of the transport before this one refuse it.
    pub fn refuses_posts(&self) -> bool {
        self.state.lock().refuses_posts
    }

    /// Tells a server with sessions that ours is over.
    pub async fn goodbye(&self) {
        let (session, stream) = {
            let mut state = self.state.lock();
            for (_, task) in std::mem::take(&mut state.tasks) {
                task.abort();
            }
            (state.session.take(), state.stream.take())
        };
        if let Some(stream) = stream {
            stream.abort();
        }
        if let Some(session) = session {
            let mut request = self.build(Method::DELETE, Bytes::new());
            request.headers_mut().insert("mcp-session-id", session);
            let _ = tokio::time::timeout(Duration::from_secs(2), self.send(request)).await;
        }
    }

    /// Posts a notification or an answer; what comes back does not matter. The task ends when
    /// something has come back.
    pub fn post_note(self: &Arc<Self>, text: String) -> JoinHandle<()> {
        let link = Arc::clone(self);
        tokio::spawn(async move {
            let mut request = link.build(Method::POST, Bytes::from(text));
            link.add_headers(request.headers_mut(), None);
            if let Err(error) = link.send(request).await {
                tracing::debug!("a notification could not be posted: {error}");
            }
        })
    }

    fn build(&self, method: Method, body: Bytes) -> Request<Body> {
        let mut request = net::request(method, self.url.clone(), body);
        let headers = request.headers_mut();
        headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
        headers.insert(
            header::ACCEPT,
            HeaderValue::from_static("application/json, text/event-stream"),
        );
        headers.insert(header::USER_AGENT, HeaderValue::from_static(self.agent));
        for (name, value) in &self.headers {
            headers.insert(name.clone(), value.clone());
        }
        request
    }

    /// The protocol's own headers: for a modern request those that repeat the body.
    fn add_headers(&self, headers: &mut HeaderMap, modern: Option<(&str, &Json)>) {
        let state = self.state.lock();
        if let Some((method, params)) = modern {
            headers.insert("mcp-protocol-version", HeaderValue::from_static(wire::MODERN));
            insert_text(headers, "mcp-method", method);
            if let Some(name) = name_header(method, params) {
                insert_text(headers, "mcp-name", &name);
                for repeated in state.repeated.get(&name).into_iter().flatten() {
                    let mut path = vec!["arguments"];
                    path.extend(repeated.path.iter().map(String::as_str));
                    if let (Some(value), Ok(name)) = (
                        params.get(&path),
                        HeaderName::try_from(format!("mcp-param-{}", repeated.name)),
                    ) && value != "null"
                    {
                        let text = serde_json::from_str::<String>(value)
                            .unwrap_or_else(|_| value.to_owned());
                        headers.insert(name, header_text(&text));
                    }
                }
            }
            return;
        }
        if let Some((_, version)) = &state.agreed
            && let Ok(version) = HeaderValue::from_str(version)
        {
            headers.insert("mcp-protocol-version", version);
        }
        if let Some(session) = &state.session {
            headers.insert("mcp-session-id", session.clone());
        }
    }

    /// Sends a request, with the token of a login where there is one. A token that the server refuses
    /// is renewed once. Gives the response, and for one that is a refusal what can be done.
    ///
    /// # Errors
    /// When there is no response, or somebody has to log in.
    async fn send(
        &self,
        mut request: Request<Body>,
    ) -> Result<(Response<Incoming>, Option<String>), CallError> {
        let Some(credentials) = &self.credentials else {
            return Ok((self.request_once(request).await?, None));
        };
        if let Some(needed) = credentials.needed() {
            return Err(CallError::Login(needed));
        }
        let mut again = true;
        loop {
            let token = credentials.token().await.map_err(CallError::Unreachable)?;
            let value =
                token.as_ref().and_then(|token| net::secret(&format!("Bearer {}", token.0)));
            match value {
                Some(value) => drop(request.headers_mut().insert(header::AUTHORIZATION, value)),
                None => drop(request.headers_mut().remove(header::AUTHORIZATION)),
            }
            let response = self.request_once(request.clone()).await?;
            let status = response.status();
            if !matches!(status, StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN) {
                return Ok((response, None));
            }
            match credentials.refused(status, response.headers(), token.as_ref()).await {
                Refusal::Again if again => again = false,
                Refusal::Again => {
                    return Ok((response, Some("it refuses the token of its login".to_owned())));
                }
                Refusal::Login(text) => return Err(CallError::Login(text)),
                Refusal::Other(hint) => return Ok((response, hint)),
            }
        }
    }

    /// Sends a request, also where the server says that it is at another address of its own.
    async fn request_once(
        &self,
        mut request: Request<Body>,
    ) -> Result<Response<Incoming>, CallError> {
        let own = request.headers().get(header::COOKIE).cloned();
        for at in 0.. {
            self.add_cookies(request.headers_mut(), own.as_ref());
            let response = self.client.request(request.clone()).await.map_err(|error| {
                CallError::Unreachable(format!("the server cannot be reached: {}", causes(&error)))
            })?;
            self.keep_cookies(response.headers());
            let there = location(&response).and_then(|there| self.beside(request.uri(), there));
            match (response.status().as_u16(), there) {
                (307 | 308, Some(there)) if at < MAX_REDIRECTS => *request.uri_mut() = there,
                _ => return Ok(response),
            }
        }
        Err(CallError::Unreachable("the server cannot be reached".to_owned()))
    }

    fn add_cookies(&self, headers: &mut HeaderMap, own: Option<&HeaderValue>) {
        let own = own.and_then(|own| own.to_str().ok()).map(str::to_owned);
        let kept: Vec<String> = self
            .state
            .lock()
            .cookies
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let all = own.into_iter().chain(kept).collect::<Vec<_>>().join("; ");
        if let Some(all) = net::secret(&all).filter(|all| !all.is_empty()) {
            headers.insert(header::COOKIE, all);
        }
    }

    fn keep_cookies(&self, headers: &HeaderMap) {
        for cookie in headers.get_all(header::SET_COOKIE).iter().filter_map(|it| it.to_str().ok()) {
            let mut parts = cookie.split(';').map(str::trim);
            let Some((name, value)) = parts.next().and_then(|first| first.split_once('=')) else {
                continue;
            };
            let (name, attributes) = (name.trim().to_owned(), parts.collect::<Vec<_>>().join(";"));
            let attributes = attributes.to_ascii_lowercase();
            let over = ["max-age=0", "max-age=-", "01 jan 1970", "01-jan-1970"];
            let mut state = self.state.lock();
            if over.iter().any(|sign| attributes.contains(sign)) {
                state.cookies.remove(&name);
            } else if state.cookies.len() < MAX_COOKIES || state.cookies.contains_key(&name) {
                state.cookies.insert(name, value.trim().to_owned());
            }
        }
    }

    async fn exchange(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        id: u64,
        method: &str,
        params: Option<Json>,
    ) -> Result<(), NoResult> {
        let upstream = |text: String| NoResult::Answered(wire::error(code::UPSTREAM, &text));
        let failed = |text: String| NoResult::Failed(CallError::Unreachable(text));
        let body = wire::request(&id.to_string(), method, params.as_ref());
        let mut request = self.build(Method::POST, Bytes::from(body));
        let modern =
            params.as_ref().filter(|params| params.get(&["_meta", wire::META_VERSION]).is_some());
        self.add_headers(request.headers_mut(), modern.map(|params| (method, params)));
        let named_session = request.headers().contains_key("mcp-session-id");
        // An error concerns this request alone: others may have got through.
        let (response, hint) = self.send(request).await.map_err(NoResult::Failed)?;
        let elsewhere = location(&response).map(str::to_owned);
        let (parts, body) = response.into_parts();
        if method == methods::Method::Initialize.name() && parts.status.is_success() {
            self.state.lock().session = parts.headers.get("mcp-session-id").cloned();
        }
        let kind = parts
            .headers
            .get(header::CONTENT_TYPE)
            .and_then(|kind| kind.to_str().ok())
            .unwrap_or("")
            .to_owned();
        if !parts.status.is_success() {
            let text = start_of(body, ERROR_BYTES).await;
            if named_session && may_mean_lost(parts.status, &text) && self.has_lost_session().await
            {
                let reason = format!("it answered with HTTP {}", parts.status);
                connection.give_up(id, CallError::Lost(reason.clone()));
                connection.close(&format!("the server has lost its session: {reason}"));
                return Ok(());
            }
            if let Some(error) = error_in(&text) {
                return Err(NoResult::Answered(error));
            }
            if matches!(parts.status.as_u16(), 400 | 404 | 405) {
                self.state.lock().refuses_posts = true;
            }
            let hint = hint.or_else(|| hint_of(parts.status, elsewhere.as_deref()));
            return Err(upstream(refused(parts.status, hint)));
        }
        let mut body = body;
        let is_stream = kind.starts_with("text/event-stream");
        let mut events = Events::new(self.bounds.clone());
        let mut lines = Texts::new(self.bounds.clone());
        let kept =
            |error: std::io::Error| upstream(format!("the answer could not be kept: {error}"));
        while let Some(frame) = body.frame().await {
            let frame = match frame {
                Ok(frame) => frame,
                // What is kept of the stream may still be had.
                Err(_) if is_stream && events.place.last_id.is_some() => break,
                Err(error) => {
                    return Err(failed(format!("the answer broke off: {}", causes(&error))));
                }
            };
            let Some(data) = frame.data_ref() else { continue };
            let frames = if is_stream { events.feed(data) } else { lines.feed(data) };
            for frame in frames.map_err(kept)? {
                connection.receive(frame, Some(id)).await;
            }
        }
        if is_stream {
            self.resume(connection, id, events.place).await;
        } else if let Some(frame) = lines.texts.finish().map_err(kept)? {
            connection.receive(frame, Some(id)).await;
        }
        if connection.is_waiting(id) {
            return Err(upstream("the server ended its answer without a result".to_owned()));
        }
        Ok(())
    }

    /// Whether the server answers nothing more under our session. Servers say that they do not know it
    /// with 404, 400 and others; a refusal of one request says nothing of the session.
    async fn has_lost_session(&self) -> bool {
        let text = wire::request("\"weir-session\"", methods::Method::Ping.name(), None);
        let mut request = self.build(Method::POST, Bytes::from(text));
        self.add_headers(request.headers_mut(), None);
        let asked = async {
            let (response, _) = self.send(request).await.ok()?;
            let (parts, body) = response.into_parts();
            Some(may_mean_lost(parts.status, &start_of(body, ERROR_BYTES).await))
        };
        matches!(tokio::time::timeout(CONNECT, asked).await, Ok(Some(true)))
    }

    /// Goes on with a legacy stream that ended before the answer, where the server keeps it.
    ///
    /// The first time at once: some servers drop an answer that comes while nobody listens. Then after the pause
    /// that the server names with `retry`, again and again while the call waits. A server that names none gets
    /// [`STREAM_RETRIES`] attempts in a row that bring nothing new.
    async fn resume(self: &Arc<Self>, connection: &Arc<Connection>, id: u64, mut place: Place) {
        let mut failures = 0;
        let mut pause = Duration::ZERO;
        while place.last_id.is_some() && connection.is_waiting(id) && failures < STREAM_RETRIES {
            tokio::time::sleep(pause).await;
            let before = place.last_id.clone();
            let is_polled = match self.read_stream(connection, &mut place, Some(id)).await {
                Ok(()) => place.retry.is_some() || place.last_id != before,
                Err(Some(_)) => return,
                Err(None) => false,
            };
            failures = if is_polled { 0 } else { failures + 1 };
            pause = place.retry.unwrap_or(STREAM_PAUSE * failures.max(1));
        }
    }

    /// Reads the stream of what belongs to no request, for as long as there is one.
    async fn follow_stream(self: &Arc<Self>, connection: &Arc<Connection>) {
        let mut place = Place::default();
        let mut failures = 0;
        while connection.closed().is_none() && failures < STREAM_RETRIES {
            match self.read_stream(connection, &mut place, None).await {
                Ok(()) => failures = 0,
                // It has none.
                Err(Some(_)) => return,
                Err(None) => failures += 1,
            }
            let pause = place.retry.unwrap_or(Duration::from_secs(1));
            tokio::time::sleep(pause * (failures + 1)).await;
        }
    }

    /// Asks for a stream, from after an event on.
    fn stream_request(&self, last: Option<&str>) -> Request<Body> {
        let mut request = self.build(Method::GET, Bytes::new());
        let headers = request.headers_mut();
        headers.insert(header::ACCEPT, HeaderValue::from_static("text/event-stream"));
        headers.remove(header::CONTENT_TYPE);
        self.add_headers(headers, None);
        if let Some(last) = last {
            insert_text(headers, "last-event-id", last);
        }
        request
    }

    /// Reads one stream from `place` on, to its end or to the answer of `call`. The error holds the status, if any.
    async fn read_stream(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        place: &mut Place,
        call: Option<u64>,
    ) -> Result<(), Option<StatusCode>> {
        let request = self.stream_request(place.last_id.as_deref());
        let (response, _) = self.send(request).await.map_err(|_| None)?;
        if !response.status().is_success() {
            return Err(Some(response.status()));
        }
        let mut body = response.into_body();
        let mut events = Events::new(self.bounds.clone());
        events.place = std::mem::take(place);
        let mut read = Ok(());
        while let Some(Ok(frame)) = body.frame().await {
            let Some(data) = frame.data_ref() else { continue };
            match events.feed(data) {
                Ok(frames) => {
                    for frame in frames {
                        connection.receive(frame, call).await;
                    }
                }
                Err(_) => {
                    read = Err(None);
                    break;
                }
            }
            if call.is_some_and(|id| !connection.is_waiting(id)) {
                break;
            }
        }
        *place = events.place;
        read
    }
}

impl Posts for HttpLink {
    fn request(
        self: Arc<Self>,
        connection: &Arc<Connection>,
        id: u64,
        method: &str,
        params: Option<Json>,
    ) {
        let (link, connection, method) =
            (Arc::clone(&self), Arc::clone(connection), method.to_owned());
        let (registered, go) = tokio::sync::oneshot::channel::<()>();
        let task = tokio::spawn(async move {
            let _ = go.await;
            match link.exchange(&connection, id, &method, params).await {
                Ok(()) => {}
                Err(NoResult::Answered(error)) => connection.fail_call(id, error),
                Err(NoResult::Failed(error)) => connection.give_up(id, error),
            }
            link.state.lock().tasks.remove(&id);
        });
        self.state.lock().tasks.insert(id, task.abort_handle());
        let _ = registered.send(());
    }

    fn note(self: Arc<Self>, text: String) {
        drop(self.post_note(text));
    }

    /// A modern server sees its stream close; a legacy one is told.
    fn cancel(self: Arc<Self>, id: u64, params: Json) {
        let (task, legacy) = {
            let mut state = self.state.lock();
            (state.tasks.remove(&id), matches!(state.agreed, Some((Era::Legacy, _))))
        };
        if let Some(task) = task {
            task.abort();
        }
        if legacy {
            drop(self.post_note(wire::notification(notice::CANCELLED, Some(&params))));
        }
    }
}

/// HTTP+SSE, the transport of 2024-11-05: one stream for all that the server says, and an address to
/// post to that it names first.
impl HttpLink {
    /// Reads the stream and posts what is in the outbox, until either ends; says why.
    pub async fn run_events(
        self: &Arc<Self>,
        connection: &Arc<Connection>,
        mut outbox: mpsc::Receiver<String>,
    ) -> String {
        let response = match self.send(self.stream_request(None)).await {
            Ok((response, _)) if response.status().is_success() => response,
            Ok((response, hint)) => return refused(response.status(), hint),
            Err(error) => return error.to_string(),
        };
        let kind = response.headers().get(header::CONTENT_TYPE);
        if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"text/event-stream")) {
            return "the server answered with no event stream".to_owned();
        }
        let mut body = response.into_body();
        let mut events = Events::new(self.bounds.clone());
        let (named, mut endpoint) = tokio::sync::watch::channel(None::<Uri>);
        let posting = async {
            let Ok(endpoint) = endpoint.wait_for(Option::is_some).await.map(|found| found.clone())
            else {
                return;
            };
            let Some(endpoint) = endpoint else { return };
            while let Some(text) = outbox.recv().await {
                let post =
                    Arc::clone(self).post_event(Arc::clone(connection), endpoint.clone(), text);
                // Nothing may overtake a notification; a request may take as long as its answer.
                match post {
                    (post, true) => drop(tokio::time::timeout(CONNECT, post).await),
                    (post, false) => drop(tokio::spawn(post)),
                }
            }
        };
        let reading = async {
            loop {
                let frame = match body.frame().await {
                    Some(Ok(frame)) => frame,
                    Some(Err(error)) => return format!("its stream broke off: {}", causes(&error)),
                    None => return "it ended its stream".to_owned(),
                };
                let Some(data) = frame.data_ref() else { continue };
                let frames = match events.feed(data) {
                    Ok(frames) => frames,
                    Err(error) => return format!("a message could not be kept: {error}"),
                };
                if named.borrow().is_none()
                    && !events.names_endpoint
                    && let Some(endpoint) = events.endpoint.take()
                {
                    match self.within_origin(endpoint.trim()) {
                        Some(endpoint) => drop(named.send(Some(endpoint))),
                        None => return "it names an address elsewhere to post to".to_owned(),
                    }
                }
                for frame in frames {
                    connection.receive(frame, None).await;
                }
            }
        };
        tokio::select! {
            reason = reading => reason,
            () = async { posting.await; std::future::pending::<()>().await } => String::new(),
        }
    }

    /// An address beside ours: tokens and headers go to no other origin.
    fn within_origin(&self, text: &str) -> Option<Uri> {
        self.beside(&self.url, text)
    }

    /// The same, as it is read from an address of ours.
    fn beside(&self, from: &Uri, text: &str) -> Option<Uri> {
        let own = url::Url::parse(&self.url.to_string()).ok()?;
        let there = url::Url::parse(&from.to_string()).ok()?.join(text).ok()?;
        let mut there = Some(there).filter(|there| there.origin() == own.origin())?;
        there.set_fragment(None);
        there.as_str().parse().ok()
    }

    /// A post, and whether the next one has to wait for it.
    fn post_event(
        self: Arc<Self>,
        connection: Arc<Connection>,
        endpoint: Uri,
        text: String,
    ) -> (impl Future<Output = ()> + Send, bool) {
        let message = Json::assembled(text.clone());
        let id = message.get(&["id"]).and_then(|id| id.parse::<u64>().ok());
        let is_request = id.is_some() && message.get(&["method"]).is_some();
        let post = async move {
            let mut request = self.build(Method::POST, Bytes::from(text));
            *request.uri_mut() = endpoint;
            self.add_headers(request.headers_mut(), None);
            let error = match self.send(request).await {
                Ok((response, _)) if response.status().is_success() => return,
                Ok((response, hint)) => CallError::Unreachable(refused(response.status(), hint)),
                Err(error) => error,
            };
            match id.filter(|_| is_request) {
                Some(id) => connection.give_up(id, error),
                None => tracing::debug!("a message could not be posted: {error}"),
            }
        };
        (post, !is_request)
    }
}

/// The address that a response sends on to.
fn location(response: &Response<Incoming>) -> Option<&str> {
    response.headers().get(header::LOCATION)?.to_str().ok()
}

/// Why a request brought no result.
enum NoResult {
    /// The server answered with an error.
    Answered(Json),
    /// It did not answer.
    Failed(CallError),
}

/// The error of JSON-RPC in the body of a response that is none. Others have a member `error` too.
fn error_in(text: &str) -> Option<Json> {
    let message = wire::decode(text).ok()?.into_iter().next()?;
    let Message::Response(wire::Response { body: Err(error), .. }) = message else { return None };
    error.at(&["code"])?.read::<i64>()?;
    Some(error)
}

/// Texts of JSON one after the other, with or without line ends between and in them: some servers
/// write a stream of messages as `application/json`.
struct Texts {
    texts: Assembler,
    depth: u64,
    in_string: bool,
    escaped: bool,
}

impl Texts {
    fn new(bounds: Bounds) -> Texts {
        Texts { texts: Assembler::new(bounds), depth: 0, in_string: false, escaped: false }
    }

    /// Takes the next bytes; gives the messages that are whole with them.
    fn feed(&mut self, bytes: &[u8]) -> std::io::Result<Vec<Frame>> {
        let mut found = Vec::new();
        let mut start = 0;
        for (at, byte) in bytes.iter().enumerate() {
            if self.in_string {
                match byte {
                    _ if self.escaped => self.escaped = false,
                    b'\\' => self.escaped = true,
                    b'"' => self.in_string = false,
                    _ => {}
                }
                continue;
            }
            match byte {
                b'"' => self.in_string = self.depth > 0,
                b'{' | b'[' => self.depth += 1,
                b'}' | b']' => {
                    self.depth = self.depth.saturating_sub(1);
                    if self.depth == 0 {
                        self.texts.push(&bytes[start..=at])?;
                        start = at + 1;
                        found.extend(self.texts.finish()?);
                    }
                }
                _ => {}
            }
        }
        self.texts.push(&bytes[start..])?;
        Ok(found)
    }
}

fn insert_text(headers: &mut HeaderMap, name: &'static str, text: &str) {
    headers.insert(name, header_text(text));
}

/// A text as a header's value: as it is when that is safe, else in base64 between marks.
pub fn header_text(text: &str) -> HeaderValue {
    let marked = text.starts_with("=?base64?") && text.ends_with("?=");
    let padded = text.starts_with(' ') || text.ends_with(' ');
    let plain = !marked && !padded && text.bytes().all(|b| (0x20..0x7f).contains(&b));
    let value =
        if plain { text.to_owned() } else { format!("=?base64?{}?=", STANDARD.encode(text)) };
    HeaderValue::from_str(&value).unwrap_or_else(|_| HeaderValue::from_static(""))
}

/// The text that a header's value stands for; `None` when it is not one.
pub fn text_of_header(value: &HeaderValue) -> Option<String> {
    let text = value.to_str().ok()?.trim();
    match text.strip_prefix("=?base64?").and_then(|rest| rest.strip_suffix("?=")) {
        Some(encoded) => String::from_utf8(STANDARD.decode(encoded).ok()?).ok(),
        None => Some(text.to_owned()),
    }
}

/// Properties in which arguments are looked for that headers repeat.
const MAX_PROPERTIES: usize = 10_000;

/// The headers that repeat a tool's arguments.
///
/// # Errors
/// When its schema asks for one in a way that the specification does not allow. Such a tool must
/// not be offered by clients that speak HTTP.
pub fn repeated_headers(definition: &Json) -> Result<Vec<RepeatedHeader>, String> {
    if !definition.as_str().contains("x-mcp-header") {
        return Ok(Vec::new());
    }
    let mut found: Vec<RepeatedHeader> = Vec::new();
    let mut reached = 0;
    let mut queue =
        vec![(definition.at(&["inputSchema"]).unwrap_or_else(Json::empty), Vec::<String>::new())];
    let mut seen = 0;
    while let Some((schema, path)) = queue.pop() {
        for (name, property) in schema.get(&["properties"]).map(json::members).unwrap_or_default() {
            seen += 1;
            if seen > MAX_PROPERTIES {
                return Err("its schema has too many properties".to_owned());
            }
            let mut path = path.clone();
            path.push(name.clone().into_owned());
            let property = Json::assembled(property.to_owned());
            if let Some(header) = property.at(&["x-mcp-header"]) {
                reached += 1;
                let header: String = header.read().ok_or("x-mcp-header is no text")?;
                let token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~".contains(c);
                if header.is_empty() || !header.chars().all(token) {
                    return Err(format!(
                        "x-mcp-header {header:?} cannot be part of a header's name"
                    ));
                }
                if found.iter().any(|other| other.name.eq_ignore_ascii_case(&header)) {
                    return Err(format!("x-mcp-header {header} is given twice"));
                }
                if !matches!(
                    property.text_at(&["type"]).as_deref(),
                    Some("string" | "integer" | "boolean")
                ) {
                    return Err(format!(
                        "x-mcp-header {header} is at a property that is no string, integer or boolean"
                    ));
                }
                found.push(RepeatedHeader { name: header, path: path.clone() });
            }
            if property.get(&["properties"]).is_some() {
                queue.push((property, path));
            }
        }
    }
    if definition.as_str().matches("\"x-mcp-header\"").count() > reached {
        return Err("x-mcp-header is at a place that no chain of properties leads to".to_owned());
    }
    Ok(found)
}

/// What is said of a status that is no success.
fn refused(status: StatusCode, hint: Option<String>) -> String {
    let hint = hint.map(|hint| format!("; {hint}")).unwrap_or_default();
    format!("the server answered with HTTP {status}{hint}")
}

/// What a user may do about a status.
fn hint_of(status: StatusCode, elsewhere: Option<&str>) -> Option<String> {
    Some(match (status, elsewhere) {
        (StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN, _) => {
            "give it a token in headers".into()
        }
        (status, _) if !status.is_redirection() => return None,
        (_, Some(there)) => format!(
            "it points to {there}: if that is the server, put that address into the configuration"
        ),
        (_, None) => "it points elsewhere and does not say where".into(),
    })
}

/// Whether an answer of this status, which begins so, may mean that the server does not know our session.
/// Where the status has another meaning, or none, the words decide.
fn may_mean_lost(status: StatusCode, text: &str) -> bool {
    let otherwise = matches!(
        status,
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS
    ) || status.is_server_error();
    if otherwise { text.to_ascii_lowercase().contains("session") } else { status.is_client_error() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_one_after_the_other_are_read_however_they_are_cut() {
        let body = "{\"jsonrpc\":\"2.0\",\n \"method\":\"a\", \"params\":{\"x\":\"}{\\\"]\"}}\n{\"jsonrpc\":\"2.0\",\"method\":\"b\"}{\"jsonrpc\":\"2.0\",\"method\":\"c\"}\n";
        for chunk in 1..=body.len() {
            let mut texts = Texts::new(Bounds::new(std::env::temp_dir()));
            let mut methods = String::new();
            for part in body.as_bytes().chunks(chunk) {
                for frame in texts.feed(part).unwrap() {
                    let Frame::Messages(messages) = frame else { panic!("{frame:?}") };
                    let Message::Notification(notification) = &messages[0] else {
                        panic!("{messages:?}")
                    };
                    methods.push_str(&notification.method);
                }
            }
            assert_eq!(methods, "abc", "{chunk}");
            assert!(texts.texts.finish().unwrap().is_none());
        }
    }

    #[test]
    fn only_an_error_of_the_protocol_is_taken_for_one() {
        assert!(error_in(r#"{"error":"unauthorized"}"#).is_none());
        assert!(error_in(r#"{"jsonrpc":"2.0","id":1,"error":{"message":"no"}}"#).is_none());
        assert!(
            error_in(r#"{"jsonrpc":"2.0","id":1,"error":{"code":-1,"message":"no"}}"#).is_some()
        );
    }

    #[test]
    fn header_texts_come_back() {
        for text in ["us-west1", "Hello, 世界", " padded ", "a\nb", "=?base64?literal?=", ""] {
            assert_eq!(text_of_header(&header_text(text)).as_deref(), Some(text));
        }
        assert_eq!(header_text("us-west1"), "us-west1");
    }

    #[test]
    fn schemas_that_repeat_arguments() {
        let tool = |schema: &str| {
            Json::parse(format!(r#"{{"name":"t","inputSchema":{schema}}}"#)).unwrap()
        };
        let good = tool(
            r#"{"properties":{"a":{"type":"string","x-mcp-header":"Region"},"o":{"properties":{"b":{"type":"integer","x-mcp-header":"N"}}}}}"#,
        );
        assert_eq!(
            repeated_headers(&good).unwrap(),
            [
                RepeatedHeader { name: "Region".into(), path: vec!["a".into()] },
                RepeatedHeader { name: "N".into(), path: vec!["o".into(), "b".into()] },
            ]
        );
        for bad in [
            r#"{"properties":{"a":{"type":"string","x-mcp-header":"a b"}}}"#,
            r#"{"properties":{"a":{"type":"number","x-mcp-header":"A"}}}"#,
            r#"{"properties":{"a":{"type":"string","x-mcp-header":"A"},"b":{"type":"string","x-mcp-header":"a"}}}"#,
            r#"{"properties":{"a":{"items":{"type":"string","x-mcp-header":"A"}}}}"#,
        ] {
            assert!(repeated_headers(&tool(bad)).is_err(), "{bad}");
        }
        assert!(repeated_headers(&tool("{}")).unwrap().is_empty());
    }
}
