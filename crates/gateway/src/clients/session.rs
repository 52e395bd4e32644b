//! A client and what is under way for it.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::sync::{mpsc, oneshot};
use tokio::task::{AbortHandle, JoinHandle};

use crate::clients::identity::Identity;
use crate::search::names::own_info;
use crate::search::told::Told;
use weir_base::Mutex;
use weir_mcp::connection::{Owner, Reason};
use weir_mcp::frame::SpooledResult;
use weir_mcp::json::Json;
use weir_mcp::methods::capability_of;
use weir_mcp::wire::{self, Era, code};

/// How long a client has to answer what a server asks it. People answer some of it.
const CLIENT_PATIENCE: Duration = Duration::from_secs(600);

/// Messages that wait to be written to a client.
pub const OUTLET_QUEUE: usize = 256;

/// A message on its way to a client.
#[derive(Debug, Clone)]
pub enum Outgoing {
    /// A whole message.
    Text(String),
    /// A response whose result is in a file: the text before it, the result from `skip` on, the
    /// text after it.
    Spooled {
        /// The start of the message.
        head: String,
        /// The result.
        result: SpooledResult,
        /// Bytes of the result that `head` has already.
        skip: u64,
        /// The end of the message.
        tail: String,
    },
}

/// Where messages to a client go: its one stream, or the stream of one request.
#[derive(Debug, Clone)]
pub struct Outlet(mpsc::Sender<Outgoing>);

impl Outlet {
    /// An outlet and its other end.
    pub fn new() -> (Outlet, mpsc::Receiver<Outgoing>) {
        let (sender, receiver) = mpsc::channel(OUTLET_QUEUE);
        (Outlet(sender), receiver)
    }

    /// Sends a message; waits while the client does not read.
    pub async fn send(&self, message: Outgoing) {
        let _ = self.0.send(message).await;
    }

    /// Sends a notification.
    pub async fn notify(&self, method: &str, params: Option<&Json>) {
        self.send(Outgoing::Text(wire::notification(method, params))).await;
    }

    /// Whether nobody reads any more.
    pub fn is_closed(&self) -> bool {
        self.0.is_closed()
    }

    /// Waits until nobody reads any more.
    pub async fn closed(&self) {
        self.0.closed().await;
    }
}

#[derive(Debug)]
struct Running {
    task: AbortHandle,
    reason: Reason,
}

/// What the name of an owner begins with that is a person, in all of their sessions.
const PERSON: &str = "person ";

/// The owner that is this person.
pub(crate) fn person_owner(name: &str) -> Owner {
    format!("{PERSON}{name}").into()
}

/// What a legacy client said in `initialize`.
#[derive(Debug, Clone)]
pub struct Hello {
    /// The version agreed on.
    pub version: String,
    /// `clientInfo`.
    pub info: Json,
    /// `capabilities`.
    pub capabilities: Json,
}

/// A client's connection. Modern clients over HTTP have a fresh one for every request.
#[derive(Debug)]
pub struct Session {
    /// Its name, for HTTP.
    pub id: String,
    /// Who the client is.
    pub who: Arc<Identity>,
    /// Where messages go that belong to no request.
    pub outlet: Outlet,
    hello: OnceLock<Hello>,
    asks: Mutex<BTreeMap<u64, oneshot::Sender<Result<Json, Json>>>>,
    next_ask: AtomicU64,
    running: Mutex<BTreeMap<String, Running>>,
    /// Resources a legacy client wants to hear of, as it named them.
    pub subscriptions: Mutex<BTreeSet<String>>,
    log_level: Mutex<Option<String>>,
    /// What answers to its searches told it.
    pub(crate) told: Mutex<Told>,
    /// Fingerprints of calls that the user approved for it.
    pub(crate) approved: Mutex<BTreeSet<String>>,
    /// What the endpoint that it came to shows, where that is not what the gateway shows.
    pub mode: Option<crate::clients::profile::Mode>,
}

impl Session {
    /// A client that has said nothing yet.
    pub fn new(
        id: String,
        who: Arc<Identity>,
        outlet: Outlet,
        mode: Option<crate::clients::profile::Mode>,
    ) -> Arc<Session> {
        // A token's own mode is not to be got round by another path.
        let mode = who.profile.mode.or(mode);
        Arc::new(Session {
            id,
            who,
            outlet,
            hello: OnceLock::new(),
            asks: Mutex::default(),
            next_ask: AtomicU64::new(1),
            running: Mutex::default(),
            subscriptions: Mutex::default(),
            log_level: Mutex::default(),
            told: Default::default(),
            approved: Mutex::default(),
            mode,
        })
    }

    /// Whether it is the session that `owner` names, by its own name or by that of its client or its person.
    pub(crate) fn is_of(&self, owner: &str) -> bool {
        let person = owner.strip_prefix(PERSON);
        *self.who.key == *owner || self.id == owner || person == Some(&*self.who.profile.name)
    }

    /// What it said in `initialize`; nothing from a modern client.
    pub fn hello(&self) -> Option<&Hello> {
        self.hello.get()
    }

    /// Keeps what it said in `initialize`. The first time counts.
    pub fn greet(&self, hello: Hello) {
        let _ = self.hello.set(hello);
    }

    /// Wants log messages from this level on.
    pub fn set_log_level(&self, level: String) {
        *self.log_level.lock() = Some(level);
    }

    /// From which level on it wants log messages.
    pub fn log_level(&self) -> Option<String> {
        self.log_level.lock().clone()
    }

    /// Whether a legacy client wants a log message of this level: one that names no level gets what the server sends.
    pub fn wants_log(&self, level: &str) -> bool {
        self.log_level().is_none_or(|most| rank(level) >= rank(&most))
    }

    /// Asks a legacy client something, on the stream given, and waits for its answer.
    pub async fn ask(
        &self,
        outlet: &Outlet,
        method: &str,
        params: Option<&Json>,
    ) -> Result<Json, Json> {
        self.ask_within(outlet, method, params, CLIENT_PATIENCE).await
    }

    /// The same, and waits so long.
    pub(crate) async fn ask_within(
        &self,
        outlet: &Outlet,
        method: &str,
        params: Option<&Json>,
        patience: Duration,
    ) -> Result<Json, Json> {
        let id = self.next_ask.fetch_add(1, Ordering::Relaxed);
        let (answer_in, answer) = oneshot::channel();
        self.asks.lock().insert(id, answer_in);
        let _asking = Asking(self, id);
        outlet.send(Outgoing::Text(wire::request(&id.to_string(), method, params))).await;
        tokio::select! {
            answer = answer => answer.unwrap_or_else(|_| Err(wire::error(code::INTERNAL, "the client is gone"))),
            () = tokio::time::sleep(patience) => Err(wire::error(code::INTERNAL, "the client did not answer")),
            () = outlet.closed() => Err(wire::error(code::INTERNAL, "the client is gone")),
        }
    }

    /// Takes the client's answer to something it was asked.
    pub fn answered(&self, response: wire::Response) {
        let id = response.id.and_then(|id| id.as_str().trim_matches('"').parse::<u64>().ok());
        if let Some(waiting) = id.and_then(|id| self.asks.lock().remove(&id)) {
            let _ = waiting.send(response.body);
        }
    }

    /// Starts the work of a request, which can be cancelled by its id until it is done.
    pub fn start<T: Send + 'static>(
        self: &Arc<Self>,
        id: &Json,
        work: impl Future<Output = T> + Send + 'static,
    ) -> JoinHandle<T> {
        let (this, key) = (Arc::clone(self), id.as_str().to_owned());
        // Held until the task is among them: it takes itself out when it is done.
        let mut running = self.running.lock();
        let task = tokio::spawn(async move {
            let done = work.await;
            this.running.lock().remove(&key);
            done
        });
        let entry = Running { task: task.abort_handle(), reason: Reason::default() };
        running.insert(id.as_str().to_owned(), entry);
        task
    }

    /// Where the reason will be when a request is cancelled.
    pub fn reason_of(&self, id: &Json) -> Reason {
        let running = self.running.lock();
        running.get(id.as_str()).map(|running| Arc::clone(&running.reason)).unwrap_or_default()
    }

    /// Ends a request. Whatever it does at servers is cancelled there, for the reason that the client gives.
    pub fn cancel(&self, id: &str, reason: Option<Json>) {
        if let Some(running) = self.running.lock().remove(id) {
            if let Some(reason) = reason {
                let _ = running.reason.set(reason);
            }
            running.task.abort();
        }
    }

    /// Ends all requests.
    pub fn cancel_all(&self) {
        for (_, running) in std::mem::take(&mut *self.running.lock()) {
            running.task.abort();
        }
    }

    /// How many requests are under way.
    pub fn running(&self) -> usize {
        self.running.lock().len()
    }
}

/// A question, for as long as somebody waits for its answer.
struct Asking<'a>(&'a Session, u64);

impl Drop for Asking<'_> {
    fn drop(&mut self) {
        self.0.asks.lock().remove(&self.1);
    }
}

/// The client as one request shows it.
#[derive(Debug, Clone)]
pub struct Client {
    /// How it speaks.
    pub era: Era,
    /// The version.
    pub version: String,
    /// `clientInfo`.
    pub info: Json,
    /// `capabilities`.
    pub capabilities: Json,
    /// Its connection.
    pub session: Arc<Session>,
    /// The stream of this request.
    pub outlet: Outlet,
    /// The token under which it wants progress.
    pub progress_token: Option<Json>,
    /// From which level on it wants log messages.
    pub log_level: Option<String>,
    /// Why it cancelled the request.
    pub cancelled: Reason,
}

impl Client {
    /// What it calls itself, and its version or whatever else it says of itself; empty where it does not say.
    pub fn says(&self, member: &str) -> String {
        // What stands in for a client that says nothing.
        if self.info == own_info() {
            return String::new();
        }
        self.info.text_at(&[member]).unwrap_or_default()
    }

    /// Whether its session lasts longer than this request: over HTTP the stateless revision has none.
    pub(crate) fn keeps_its_session(&self) -> bool {
        let who = &self.session.who;
        self.era == Era::Legacy || !who.is_beside_others() || who.session.is_some()
    }

    /// Whether it declares a capability.
    pub fn can(&self, capability: &str) -> bool {
        self.capabilities
            .get(&[capability])
            .is_some_and(|value| value != "null" && value != "false")
    }

    /// Whether it shows the user interfaces of tools (MCP Apps).
    pub fn shows_interfaces(&self) -> bool {
        let shows = self.capabilities.get(&["extensions", "io.modelcontextprotocol/ui"]);
        shows.is_some_and(|value| value.starts_with('{'))
    }

    /// Whether it may be asked this. If not, the error to answer.
    ///
    /// # Errors
    /// The error that a client without the capability gives.
    pub fn may_be_asked(&self, method: &str, params: Option<&Json>) -> Result<(), Json> {
        let unknown = || wire::error(code::METHOD_NOT_FOUND, &format!("unknown method {method}"));
        let capability = capability_of(method).ok_or_else(unknown)?;
        if self.can(capability) {
            let mode = params.and_then(|params| params.text_at(&["mode"]));
            return match (capability, mode.as_deref()) {
                ("elicitation", Some(mode)) => self.may_be_elicited(mode),
                _ => Ok(()),
            };
        }
        Err(wire::error(
            code::METHOD_NOT_FOUND,
            &format!("the client does not support {capability}"),
        ))
    }

    /// Whether it can be asked in this way. One that names no ways has forms.
    fn may_be_elicited(&self, mode: &str) -> Result<(), Json> {
        let names = |mode| self.capabilities.get(&["elicitation", mode]).is_some();
        if names(mode) || (mode == "form" && !names("url")) {
            return Ok(());
        }
        let text = format!("the client does not support elicitation in mode {mode}");
        Err(wire::error(code::INVALID_PARAMS, &text))
    }

    /// Whether it wants a log message of this level.
    pub fn wants_log(&self, level: &str) -> bool {
        match self.era {
            // A modern client that names no level wants none.
            Era::Modern => self.log_level.as_ref().is_some_and(|most| rank(level) >= rank(most)),
            Era::Legacy => self.session.wants_log(level),
        }
    }
}

/// The levels of log messages, the least severe first.
pub const LEVELS: [&str; 8] =
    ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/// The severity of a log level, from 0. Unknown ones are the most severe: better shown than lost.
pub fn rank(level: &str) -> usize {
    LEVELS.iter().position(|known| *known == level).unwrap_or(LEVELS.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::clients::profile::Profile;

    #[test]
    fn what_concerns_a_person_concerns_all_their_sessions_and_nobody_elses() {
        let session = |name: &str, id: &str| {
            let profile = Arc::new(Profile { name: name.into(), ..Profile::default() });
            let who = Identity::beside_others(&profile, Some(id));
            Session::new(id.into(), who, Outlet::new().0, None)
        };
        let anna = person_owner("anna");
        assert!(session("anna", "s1").is_of(&anna) && session("anna", "s2").is_of(&anna));
        assert!(!session("bert", "s3").is_of(&anna) && !session("anna", "s1").is_of("s2"));
    }

    #[tokio::test]
    async fn a_question_is_open_for_as_long_as_it_is_meant_to_be() {
        let (outlet, _reader) = Outlet::new();
        let who = Identity::beside_others(&Arc::default(), Some("s"));
        let session = Session::new("s".into(), who, outlet.clone(), None);
        let patience = Duration::from_millis(50);
        let asked = std::time::Instant::now();
        let answer = session.ask_within(&outlet, "elicitation/create", None, patience).await;
        assert!(answer.unwrap_err().as_str().contains("did not answer"));
        assert!(asked.elapsed() >= patience && session.asks.lock().is_empty());
    }
}
