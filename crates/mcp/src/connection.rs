//! One live link to one server: requests out, answers matched, everything else handed on.
//!
//! Ids and progress tokens of clients never reach a server: two clients may use the same ones. Each
//! call gets a number, which is its id and its progress token here, and both are mapped back.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot, watch};
use tokio::time::Instant;

use super::frame::{Frame, Reply};
use super::json::{Json, quote};
use super::methods::{Method, notice};
use super::redact::Secrets;
use super::wire::{self, Message, Notification, Request};
use weir_base::Mutex;

/// Events of one call that wait for its caller. With more of them the server waits.
const EVENT_QUEUE: usize = 64;

/// How long a server waits for a client that does not take what it is told in its call. Then it goes on, and
/// does not wait again until the client has taken something: others are served by the same link.
const EVENT_PATIENCE: Duration = Duration::from_secs(10);

/// Answers and cancellations that wait for a server to read.
const MAX_LATE: usize = 10_000;

/// What a server says while a call runs.
#[derive(Debug)]
pub enum Event {
    /// Progress: the parameters, with the server's own token still in them.
    Progress(Json),
    /// Another notification that belongs to the call, or may.
    Notice(Notification),
    /// The server asks the client for something.
    Ask(Ask),
}

/// What a server says that is for no call that attends it.
#[derive(Debug)]
pub enum Stray {
    /// A notification, with who used the link so far.
    Notice(Notification, User),
    /// A request, with the one client that has calls in flight, if there is one.
    Ask(Ask, Option<Owner>),
}

/// Who a call is made for: the name of a client's session.
pub type Owner = Arc<str>;

/// Why a client cancelled a request, as it wrote that; empty until it does, or where it does not say.
pub type Reason = Arc<OnceLock<Json>>;

/// Who made calls over a link, since it was made.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum User {
    /// Nobody yet.
    #[default]
    None,
    /// This one client.
    Only(Owner),
    /// More than one.
    Several,
}

/// Who hears what a server says beside its answers.
#[derive(Debug, Clone)]
pub enum Hearer {
    /// Nobody: the gateway asks for itself.
    Nobody,
    /// This client, but not in this call.
    Elsewhere(Owner),
    /// This client, in this call.
    Here(Owner),
}

/// A server's request that waits for an answer. Dropped without one, it is refused.
#[derive(Debug)]
pub struct Ask {
    /// What is asked.
    pub method: String,
    /// The parameters.
    pub params: Option<Json>,
    id: Json,
    connection: Option<Arc<Connection>>,
}

impl Ask {
    /// Answers it.
    pub fn answer(mut self, body: &Result<Json, Json>) {
        if let Some(connection) = self.connection.take() {
            connection.send_now(wire::response(Some(&self.id), body));
        }
    }
}

impl Drop for Ask {
    fn drop(&mut self) {
        if let Some(connection) = self.connection.take() {
            let body = Err(wire::error(wire::code::INTERNAL, "the client did not answer"));
            connection.send_now(wire::response(Some(&self.id), &body));
        }
    }
}

/// Why a call has no answer.
#[derive(Debug, Clone, thiserror::Error)]
pub enum CallError {
    /// The server ended, or the link to it broke.
    #[error("the connection to the server ended: {0}")]
    Closed(String),
    /// The server does not know the session any more. It did nothing: the call may be made again.
    #[error("the server has lost its session: {0}")]
    Lost(String),
    /// This one request did not get through.
    #[error("{0}")]
    Unreachable(String),
    /// It answered, and the answer cannot be read.
    #[error("{0}")]
    Unreadable(String),
    /// Somebody has to log in first, for the server or for this request.
    #[error("{0}")]
    Login(String),
    /// No answer and no progress for this long.
    #[error("no answer within {} s", .0.as_secs_f32())]
    Silent(Duration),
    /// No answer, though there was progress.
    #[error("not finished within the most that a call may take, {} s", .0.as_secs_f32())]
    TooLong(Duration),
}

/// A call without an answer.
#[derive(Debug, Clone)]
pub struct Failure {
    /// Why there is none.
    pub error: CallError,
    /// When it was made.
    pub begun: Instant,
}

#[derive(Debug)]
struct Slot {
    reply: oneshot::Sender<Result<Reply, CallError>>,
    events: Events,
    hearer: Hearer,
}

/// Where a call is told what its server says meanwhile.
#[derive(Debug, Clone)]
struct Events {
    queue: mpsc::Sender<Event>,
    /// Whether the client did not take what it was told, for as long as a server waits for that.
    given_up: Arc<AtomicBool>,
}

impl Events {
    fn new() -> (Events, mpsc::Receiver<Event>) {
        let (queue, events) = mpsc::channel(EVENT_QUEUE);
        (Events { queue, given_up: Arc::default() }, events)
    }

    /// Hands over an event; waits while there is no room, see [`EVENT_PATIENCE`].
    async fn deliver(&self, event: Event) {
        let patience = match self.given_up.load(Ordering::Relaxed) {
            true => Duration::ZERO,
            false => EVENT_PATIENCE,
        };
        let sent = tokio::time::timeout(patience, self.queue.send(event)).await;
        let had_given_up = self.given_up.swap(sent.is_err(), Ordering::Relaxed);
        if sent.is_err() && !had_given_up {
            tracing::warn!(
                "a client does not take what its call is told, for {} s now; what comes until it does is lost",
                EVENT_PATIENCE.as_secs()
            );
        }
    }
}

/// Who is meant by something that a server says without naming a call.
enum Meant {
    /// This call's client.
    Call(Events),
    /// No call, or one whose client hears it elsewhere.
    Stray(Option<Owner>),
    /// One of several clients, and there is no telling which.
    Unclear,
}

/// What carries the messages.
#[derive(Debug)]
pub enum Link {
    /// One after the other: lines to a child's standard input, or posts whose answers come on one stream.
    Lines(mpsc::Sender<String>),
    /// Each by itself, with an answer of its own.
    Posts(Arc<dyn Posts>),
}

/// What carries messages each by itself.
pub trait Posts: std::fmt::Debug + Send + Sync {
    /// Sends a request; the answer goes to the connection when it comes.
    fn request(
        self: Arc<Self>,
        connection: &Arc<Connection>,
        id: u64,
        method: &str,
        params: Option<Json>,
    );
    /// Sends a notification or an answer; what comes back does not matter.
    fn note(self: Arc<Self>, text: String);
    /// Gives up on a request, with the parameters of a notification that says so.
    fn cancel(self: Arc<Self>, id: u64, params: Json);
}

/// A live link. See the module.
#[derive(Debug)]
pub struct Connection {
    link: Link,
    calls: Mutex<BTreeMap<u64, Slot>>,
    next: AtomicU64,
    closed: watch::Sender<Option<String>>,
    strays: mpsc::Sender<Stray>,
    user: Mutex<User>,
    /// Messages that wait for the server to read.
    late: Arc<AtomicUsize>,
    /// Lines that were no messages.
    pub noise: AtomicU64,
    /// The start of the first of them.
    first_noise: OnceLock<String>,
}

impl Connection {
    /// A link with nothing sent yet. What belongs to no call goes to `strays`.
    pub fn new(link: Link, strays: mpsc::Sender<Stray>) -> Arc<Connection> {
        Arc::new(Connection {
            link,
            calls: Mutex::default(),
            next: AtomicU64::new(1),
            closed: watch::Sender::new(None),
            strays,
            user: Mutex::default(),
            late: Arc::default(),
            noise: AtomicU64::new(0),
            first_noise: OnceLock::new(),
        })
    }

    /// What the other side wrote that is no message, in a sentence: most often a log that belongs on
    /// standard error.
    pub fn said_besides(&self, secrets: &Secrets) -> Option<String> {
        let line = secrets.redact_start(self.first_noise.get()?);
        let line = line.trim();
        Some(format!("it wrote {line:?} to its output, which is no message of MCP"))
    }

    /// What carries the messages.
    pub fn link(&self) -> &Link {
        &self.link
    }

    /// Why it ended, if it did.
    pub fn closed(&self) -> Option<String> {
        self.closed.borrow().clone()
    }

    /// Waits for its end and gives the reason.
    pub async fn wait_closed(&self) -> String {
        let mut closed = self.closed.subscribe();
        let reason = closed.wait_for(Option::is_some).await.ok().and_then(|reason| reason.clone());
        reason.unwrap_or_default()
    }

    /// Marks it as ended; every call in flight fails with the reason. The first reason stays.
    pub fn close(&self, reason: &str) {
        self.closed.send_if_modified(|closed| {
            let first = closed.is_none();
            if first {
                *closed = Some(reason.to_owned());
            }
            first
        });
        self.calls.lock().clear();
    }

    /// How many calls are in flight.
    pub fn in_flight(&self) -> usize {
        self.calls.lock().len()
    }

    /// Sends a notification.
    pub fn notify(&self, method: &str, params: Option<&Json>) {
        self.send_now(wire::notification(method, params));
    }

    fn send_now(&self, text: String) {
        match &self.link {
            Link::Lines(lines) => match lines.try_send(text) {
                Ok(()) | Err(mpsc::error::TrySendError::Closed(_)) => {}
                Err(mpsc::error::TrySendError::Full(text)) => self.send_later(lines.clone(), text),
            },
            Link::Posts(posts) => Arc::clone(posts).note(text),
        }
    }

    /// Waits with a message for a server that does not read just now. One that never does is given up.
    fn send_later(&self, lines: mpsc::Sender<String>, text: String) {
        if self.late.fetch_add(1, Ordering::Relaxed) >= MAX_LATE {
            self.close("it does not read what it is sent");
            return;
        }
        let late = Arc::clone(&self.late);
        let send = async move {
            let _ = lines.send(text).await;
            late.fetch_sub(1, Ordering::Relaxed);
        };
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(send);
        }
    }

    /// Sends a request. `hearer` is who is told what the server says or asks meanwhile.
    ///
    /// A `progressToken` in the parameters' `_meta` is replaced by our own.
    pub async fn call(
        self: &Arc<Self>,
        method: &str,
        params: Option<Json>,
        timing: Timing,
        hearer: Hearer,
    ) -> ActiveCall {
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        let params = params.map(|params| match params.get(&["_meta", "progressToken"]) {
            Some(_) => params.with(&["_meta", "progressToken"], &id.to_string()),
            None => params,
        });
        if let Hearer::Here(owner) | Hearer::Elsewhere(owner) = &hearer {
            let mut user = self.user.lock();
            match &*user {
                User::None => *user = User::Only(Arc::clone(owner)),
                User::Only(only) if only != owner => *user = User::Several,
                User::Only(_) | User::Several => {}
            }
        }
        let (reply_in, reply) = oneshot::channel();
        let (events_in, events) = Events::new();
        self.calls.lock().insert(id, Slot { reply: reply_in, events: events_in, hearer });
        let started = Instant::now();
        let call = ActiveCall {
            id,
            connection: Arc::clone(self),
            reply,
            events,
            timing,
            started,
            quiet_since: started,
            finished: false,
            reason: Reason::default(),
            timed_out: None,
            cancellable: method != Method::Initialize.name(),
        };
        if self.closed().is_some() {
            self.calls.lock().remove(&id);
            return call;
        }
        match &self.link {
            Link::Lines(lines) => {
                let text = wire::request(&id.to_string(), method, params.as_ref());
                // A server that reads nothing must not hold the caller longer than the call may take.
                let _ = tokio::time::timeout(timing.idle, lines.send(text)).await;
            }
            Link::Posts(posts) => Arc::clone(posts).request(self, id, method, params),
        }
        call
    }

    /// Takes what the server sent. `call` is the call whose stream it came on, where there are streams.
    pub async fn receive(self: &Arc<Self>, frame: Frame, call: Option<u64>) {
        match frame {
            Frame::Messages(messages) => {
                for message in messages {
                    match message {
                        Message::Response(response) => {
                            let id = response.id.clone();
                            self.settle(id.as_ref(), response.into());
                        }
                        Message::Notification(notification) => {
                            self.receive_notice(notification, call).await
                        }
                        Message::Request(request) => self.receive_ask(request, call).await,
                    }
                }
            }
            Frame::Oversized(oversized) => {
                self.settle(Some(&oversized.id), Reply::Spooled(oversized.result))
            }
            Frame::Noise { id: Some(id), fault: Some(fault), .. } => {
                if let Some(id) = number_of(&id) {
                    self.give_up(id, CallError::Unreadable(fault));
                }
            }
            Frame::Noise { excerpt, .. } => {
                self.noise.fetch_add(1, Ordering::Relaxed);
                let _ = self.first_noise.set(excerpt);
            }
        }
    }

    /// Whether a call still waits for its answer.
    pub fn is_waiting(&self, id: u64) -> bool {
        self.calls.lock().contains_key(&id)
    }

    fn settle(&self, id: Option<&Json>, reply: Reply) {
        if let Some(slot) = id.and_then(number_of).and_then(|id| self.calls.lock().remove(&id)) {
            let _ = slot.reply.send(Ok(reply));
        }
    }

    /// Ends a call that will have no answer.
    pub fn give_up(&self, id: u64, error: CallError) {
        if let Some(slot) = self.calls.lock().remove(&id) {
            let _ = slot.reply.send(Err(error));
        }
    }

    /// Ends a call with an error of the transport's, told as the server's answer.
    pub fn fail_call(&self, id: u64, error: Json) {
        if let Some(slot) = self.calls.lock().remove(&id) {
            let _ = slot.reply.send(Ok(Reply::Error(error)));
        }
    }

    /// Who is meant: the caller of the stream, else the newest that listens. Where there are no
    /// streams and calls of several clients are in flight, what is for one of them may not be shown to
    /// another.
    fn meant(&self, call: Option<u64>) -> Meant {
        let calls = self.calls.lock();
        if let Some(Slot { hearer: Hearer::Here(_), events, .. }) =
            call.and_then(|id| calls.get(&id))
        {
            return Meant::Call(events.clone());
        }
        let mut owner: Option<&Owner> = None;
        for slot in calls.values() {
            let (Hearer::Here(of) | Hearer::Elsewhere(of)) = &slot.hearer else { continue };
            if owner.is_some_and(|owner| owner != of) {
                return Meant::Unclear;
            }
            owner = Some(of);
        }
        let here = calls.values().rev().find(|slot| matches!(slot.hearer, Hearer::Here(_)));
        match here {
            Some(slot) => Meant::Call(slot.events.clone()),
            None => Meant::Stray(owner.cloned()),
        }
    }

    async fn receive_notice(self: &Arc<Self>, notification: Notification, call: Option<u64>) {
        let method = notification.method.as_str();
        if method == notice::PROGRESS {
            let Some(params) = notification.params else { return };
            let token = params
                .get(&["progressToken"])
                .and_then(|token| token.trim_matches('"').parse::<u64>().ok());
            let events =
                token.and_then(|id| self.calls.lock().get(&id).map(|slot| slot.events.clone()));
            if let Some(events) = events {
                events.deliver(Event::Progress(params)).await;
            }
            return;
        }
        let of_call = matches!(method, notice::MESSAGE | notice::ELICITED);
        let of_subscription = notification
            .params
            .as_ref()
            .is_some_and(|params| params.get(&["_meta", wire::META_SUBSCRIPTION]).is_some());
        if of_call && !of_subscription {
            match self.meant(call) {
                Meant::Call(events) => {
                    events.deliver(Event::Notice(notification)).await;
                    return;
                }
                Meant::Unclear => return,
                Meant::Stray(_) => {}
            }
        }
        let user = self.user.lock().clone();
        let _ = self.strays.send(Stray::Notice(notification, user)).await;
    }

    async fn receive_ask(self: &Arc<Self>, request: Request, call: Option<u64>) {
        if request.is(Method::Ping) {
            self.send_now(wire::response(Some(&request.id), &Ok(Json::empty())));
            return;
        }
        let ask = Ask {
            method: request.method,
            params: request.params,
            id: request.id,
            connection: Some(Arc::clone(self)),
        };
        // Not delivered means dropped, and dropped means refused.
        match self.meant(call) {
            Meant::Call(events) => events.deliver(Event::Ask(ask)).await,
            Meant::Stray(owner) => drop(self.strays.send(Stray::Ask(ask, owner)).await),
            Meant::Unclear => ask.answer(&Err(wire::error(
                wire::code::INTERNAL,
                "several clients have calls in flight at this server, and it does not say which of them it asks",
            ))),
        }
    }
}

/// The number of the call that an id is of.
fn number_of(id: &Json) -> Option<u64> {
    id.as_str().trim_matches('"').parse().ok()
}

/// How long a call may take.
#[derive(Debug, Clone, Copy)]
pub struct Timing {
    /// Without an answer or progress.
    pub idle: Duration,
    /// Altogether.
    pub max: Duration,
}

/// What happened next in a call.
#[derive(Debug)]
pub enum Step {
    /// The server said something; the call goes on.
    Event(Event),
    /// The server answered.
    Done(Reply),
    /// There will be no answer.
    Failed(CallError),
}

/// A call in flight. Dropped before its answer, it is cancelled at the server.
#[derive(Debug)]
pub struct ActiveCall {
    id: u64,
    connection: Arc<Connection>,
    reply: oneshot::Receiver<Result<Reply, CallError>>,
    events: mpsc::Receiver<Event>,
    timing: Timing,
    started: Instant,
    quiet_since: Instant,
    finished: bool,
    /// Why the client cancelled it.
    reason: Reason,
    /// That it took too long.
    timed_out: Option<String>,
    cancellable: bool,
}

impl ActiveCall {
    /// Waits for what happens next. Not to be called after `Done` or `Failed`.
    pub async fn next(&mut self) -> Step {
        let quiet_until = self.quiet_since + self.timing.idle;
        let end = self.started + self.timing.max;
        tokio::select! {
            biased;
            Some(event) = self.events.recv() => {
                self.quiet_since = Instant::now();
                Step::Event(event)
            }
            reply = &mut self.reply => match reply {
                Ok(reply) => {
                    // What was said before the answer is told before it.
                    if let Ok(event) = self.events.try_recv() {
                        let (again, reply_again) = oneshot::channel();
                        let _ = again.send(reply);
                        self.reply = reply_again;
                        return Step::Event(event);
                    }
                    self.finished = true;
                    match reply {
                        Ok(reply) => Step::Done(reply),
                        Err(error) => Step::Failed(error),
                    }
                }
                Err(_) => {
                    self.finished = true;
                    let reason = self.connection.closed().unwrap_or_else(|| "it was closed".to_owned());
                    Step::Failed(CallError::Closed(reason))
                }
            },
            () = tokio::time::sleep_until(quiet_until.min(end)) => {
                let error = match end <= quiet_until {
                    true => CallError::TooLong(self.timing.max),
                    false => CallError::Silent(self.timing.idle),
                };
                self.timed_out = Some(error.to_string());
                Step::Failed(error)
            }
        }
    }

    /// When it is cancelled, the server is told why.
    pub fn cancelled_for(&mut self, reason: &Reason) {
        self.reason = Arc::clone(reason);
    }

    /// That it failed so.
    pub fn failure(&self, error: &CallError) -> Failure {
        Failure { error: error.clone(), begun: self.started }
    }

    /// Starts the time of silence anew: the delay was the client's, not the server's.
    pub fn excuse(&mut self) {
        self.quiet_since = Instant::now();
    }

    /// Waits for the answer, letting everything else go by.
    ///
    /// # Errors
    /// When there is none.
    pub async fn answer(mut self) -> Result<Reply, CallError> {
        loop {
            match self.next().await {
                Step::Event(_) => {}
                Step::Done(reply) => return Ok(reply),
                Step::Failed(error) => return Err(error),
            }
        }
    }
}

impl Drop for ActiveCall {
    fn drop(&mut self) {
        if self.finished || self.connection.calls.lock().remove(&self.id).is_none() {
            return;
        }
        let mut params = Json::assembled(format!(r#"{{"requestId":{}}}"#, self.id));
        if let Some(reason) = self.timed_out.as_deref().map(quote) {
            params = params.with(&["reason"], &reason);
        } else if let Some(reason) = self.reason.get() {
            params = params.with(&["reason"], reason.as_str());
        }
        match &self.connection.link {
            Link::Lines(_) if self.cancellable => {
                self.connection.notify(notice::CANCELLED, Some(&params));
            }
            Link::Lines(_) => {}
            Link::Posts(posts) => Arc::clone(posts).cancel(self.id, params),
        }
    }
}
