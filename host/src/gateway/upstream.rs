//! One server behind the gateway: started when needed, one start at a time, given up on for a while
//! when it fails, known even while it does not run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use super::connection::{ActiveCall, CallError, Connection, Link, Step, Stray, Timing};
use super::frame::{Assembler, Bounds, Reply};
use super::http_link::{HttpLink, repeated_headers};
use super::json::{Json, quote};
use super::known::{Known, KnownCache, Listing};
use super::process::{self, ErrorOutput, Launch, Process};
use super::spec::{Reach, ServerSpec};
use super::wire::{self, Era};

/// How long a server may be silent to `server/discover` before it is taken for a legacy one. All of
/// 76 real servers answered at once; this is for those that are slow to start.
const PROBE: Duration = Duration::from_secs(3);

/// Pages of one list, tools of one server, bytes of one page: beyond, the rest is left out.
const MAX_PAGES: usize = 500;
const MAX_TOOLS: usize = 20_000;
const MAX_PAGE_BYTES: u64 = 64 << 20;

/// The wait after the first failure; doubled with each further one up to the most.
const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_MOST: Duration = Duration::from_secs(60);

/// Calls that fail in a row before the server is left alone for a while.
const BREAKER_FAILURES: u32 = 5;

/// How long what a process wrote may take to be read after its end, and its end to be seen after
/// it closed its output.
const LAST_WORDS: Duration = Duration::from_millis(300);

/// Lines that wait to be read by a server.
const OUTBOX: usize = 256;

/// What all upstreams share.
#[derive(Debug)]
pub struct Surroundings {
    /// The program to put between us and each server, see [`process::Launch`].
    pub guard: Option<PathBuf>,
    /// How large messages are held.
    pub bounds: Bounds,
    /// Where accounts of servers are kept.
    pub cache: KnownCache,
    /// How many servers start at once.
    pub starts: Semaphore,
    /// Capabilities that legacy servers are told the client has.
    pub client_capabilities: Mutex<Json>,
    /// How the first client speaks.
    pub preferred: Mutex<Era>,
    /// Where to say that something happened.
    pub happenings: mpsc::Sender<Happening>,
}

/// Something that happened at a server outside of any call.
#[derive(Debug)]
pub enum Happening {
    /// It said something.
    Said(Arc<Upstream>, Stray),
    /// What is known of it changed: its tools, or that it is there at all.
    Changed(Arc<Upstream>),
}

/// What a server is doing.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// In the configuration; never seen.
    Configured,
    /// Its tools are known from before; it does not run.
    Known,
    /// Being started.
    Starting,
    /// Running.
    Ready,
    /// It could not be started, or kept failing.
    Failed(String),
}

/// Why a server cannot be used now. Its text is for people and models.
#[derive(Debug, Clone, thiserror::Error)]
pub enum UpstreamError {
    /// It does not start.
    #[error("server {server} does not start: {reason}")]
    Start {
        /// Its name.
        server: String,
        /// What went wrong, secrets replaced.
        reason: String,
    },
    /// It failed lately and is left alone.
    #[error("server {server} failed: {reason}; the next attempt is possible in {} s", .wait.as_secs().max(1))]
    Resting {
        /// Its name.
        server: String,
        /// What went wrong.
        reason: String,
        /// How long it is left alone.
        wait: Duration,
    },
    /// It was started, and gave no answer.
    #[error("server {server} gave no answer: {source}")]
    Call {
        /// Its name.
        server: String,
        /// Why not.
        source: CallError,
    },
}

/// A running server.
#[derive(Debug)]
pub struct Live {
    /// The link.
    pub connection: Arc<Connection>,
    /// How it speaks.
    pub era: Era,
    /// The agreed version.
    pub version: String,
    /// Takes care of the process until it has ended.
    keeper: Mutex<Option<JoinHandle<()>>>,
    errors: ErrorOutput,
    log_level: Mutex<Option<String>>,
}

#[derive(Debug, Default)]
struct Health {
    failures: u32,
    rest_until: Option<Instant>,
    reason: String,
    starting: bool,
    started: u32,
}

/// One server. See the module.
#[derive(Debug)]
pub struct Upstream {
    /// Its entry in the configuration.
    pub spec: ServerSpec,
    around: Arc<Surroundings>,
    turn: Arc<tokio::sync::Mutex<()>>,
    live: Mutex<Option<Arc<Live>>>,
    known: Mutex<Option<Arc<Known>>>,
    health: Mutex<Health>,
    subscriptions: tokio::sync::watch::Sender<BTreeSet<String>>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `clientInfo` of the gateway itself.
pub fn own_info() -> Json {
    Json::assembled(format!(r#"{{"name":"weir","version":{}}}"#, quote(env!("CARGO_PKG_VERSION"))))
}

/// Puts what a modern request must carry into its parameters.
pub fn with_modern_meta(params: &Json, info: &Json, capabilities: &Json) -> Json {
    params
        .with(&["_meta", wire::META_VERSION], &quote(wire::MODERN))
        .with(&["_meta", wire::META_CLIENT], info.as_str())
        .with(&["_meta", wire::META_CAPABILITIES], capabilities.as_str())
}

/// Takes what only a modern request carries out of its parameters.
pub fn without_modern_meta(params: &Json) -> Json {
    let mut params = params.clone();
    for key in
        [wire::META_VERSION, wire::META_CLIENT, wire::META_CAPABILITIES, wire::META_LOG_LEVEL]
    {
        params = params.without(&["_meta", key]);
    }
    if params.get(&["_meta"]).is_some_and(|meta| super::json::members(meta).is_empty()) {
        params = params.without(&["_meta"]);
    }
    params
}

impl Upstream {
    /// A server that is not started. What is kept of it from before is read.
    pub fn new(spec: ServerSpec, around: Arc<Surroundings>) -> Arc<Upstream> {
        let known = around.cache.load(&spec.fingerprint()).map(Arc::new);
        Arc::new(Upstream {
            spec,
            around,
            turn: Arc::default(),
            live: Mutex::default(),
            known: Mutex::new(known),
            health: Mutex::default(),
            subscriptions: tokio::sync::watch::Sender::new(BTreeSet::new()),
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// What it said of itself, now or before.
    pub fn known(&self) -> Option<Arc<Known>> {
        lock(&self.known).clone()
    }

    /// The link, if it runs.
    pub fn current(&self) -> Option<Arc<Live>> {
        lock(&self.live).clone().filter(|live| live.connection.closed().is_none())
    }

    /// What it is doing.
    pub fn state(&self) -> State {
        if self.current().is_some() {
            return State::Ready;
        }
        let health = lock(&self.health);
        if health.starting {
            State::Starting
        } else if health.failures > 0 {
            State::Failed(health.reason.clone())
        } else if self.known().is_some() {
            State::Known
        } else {
            State::Configured
        }
    }

    /// How often it was started.
    pub fn starts(&self) -> u32 {
        lock(&self.health).started
    }

    /// The last of its error output, without secrets.
    pub fn error_output(&self, max_chars: usize) -> String {
        let errors = lock(&self.live).as_ref().map(|live| live.errors.clone());
        errors.map(|errors| self.spec.secrets.redact(&errors.tail(max_chars))).unwrap_or_default()
    }

    /// Lines on its output that were no messages.
    pub fn noise(&self) -> u64 {
        let live = lock(&self.live).clone();
        live.map_or(0, |live| live.connection.noise.load(std::sync::atomic::Ordering::Relaxed))
    }

    /// How long it is still left alone; `None` when an attempt may be made now.
    pub fn resting(&self) -> Option<Duration> {
        let until = lock(&self.health).rest_until?;
        Some(until.saturating_duration_since(Instant::now())).filter(|wait| !wait.is_zero())
    }

    /// The running server, started if need be. However many ask, it is started once.
    ///
    /// # Errors
    /// When it does not start, or did not a short while ago.
    pub async fn live(self: &Arc<Self>) -> Result<Arc<Live>, UpstreamError> {
        if let Some(live) = self.current() {
            return Ok(live);
        }
        // In a task of its own: a caller that gives up does not end a start that others wait for.
        let this = Arc::clone(self);
        let start = tokio::spawn(async move {
            let _turn = Arc::clone(&this.turn).lock_owned().await;
            if let Some(live) = this.current() {
                return Ok(live);
            }
            if let Some(wait) = this.resting() {
                let reason = lock(&this.health).reason.clone();
                return Err(UpstreamError::Resting {
                    server: this.spec.name.clone(),
                    reason,
                    wait,
                });
            }
            this.start().await
        });
        match start.await {
            Ok(result) => result,
            Err(_) => Err(UpstreamError::Start {
                server: self.spec.name.clone(),
                reason: "the gateway is ending".into(),
            }),
        }
    }

    async fn start(self: &Arc<Self>) -> Result<Arc<Live>, UpstreamError> {
        lock(&self.health).starting = true;
        let permit = self.around.starts.acquire().await;
        let budget = self.spec.start_timeout;
        let result = tokio::time::timeout(budget, self.try_start()).await;
        drop(permit);
        lock(&self.health).starting = false;
        match result {
            Ok(Ok(live)) => {
                {
                    let mut health = lock(&self.health);
                    (health.failures, health.rest_until, health.started) =
                        (0, None, health.started + 1);
                }
                *lock(&self.live) = Some(Arc::clone(&live));
                let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
                self.watch(&live);
                Ok(live)
            }
            Ok(Err(reason)) => Err(self.failed(reason)),
            Err(_) => Err(self.failed(format!("not ready within {} s", budget.as_secs_f32()))),
        }
    }

    fn failed(&self, reason: String) -> UpstreamError {
        let reason = self.spec.secrets.redact(&reason);
        self.rest(&reason);
        UpstreamError::Start { server: self.spec.name.clone(), reason }
    }

    fn rest(&self, reason: &str) {
        let mut health = lock(&self.health);
        let doublings = health.failures.min(6);
        health.failures += 1;
        health.reason = reason.to_owned();
        let wait = BACKOFF_FIRST.saturating_mul(1 << doublings).min(BACKOFF_MOST);
        // Many servers that failed together should not come back together.
        health.rest_until = Some(Instant::now() + wait.mul_f64(0.75 + 0.5 * fastrand::f64()));
    }

    /// Says how a call ended, for the breaker.
    pub fn note_call(&self, error: Option<&CallError>) {
        match error {
            None => {
                let mut health = lock(&self.health);
                if health.failures > 0 {
                    (health.failures, health.rest_until) = (0, None);
                }
            }
            Some(error) => {
                let failures = lock(&self.health).failures;
                if failures + 1 >= BREAKER_FAILURES {
                    self.rest(&format!(
                        "{} calls in a row failed, the last one so: {error}",
                        failures + 1
                    ));
                } else {
                    let mut health = lock(&self.health);
                    health.failures += 1;
                    health.reason = error.to_string();
                }
            }
        }
    }

    /// Sends a request of a client's. Starts the server if need be.
    ///
    /// # Errors
    /// When the server cannot be used now.
    pub async fn call(
        self: &Arc<Self>,
        method: &str,
        params: Option<Json>,
        timing: Timing,
        attended: bool,
    ) -> Result<(Arc<Live>, ActiveCall), UpstreamError> {
        if self.current().is_some()
            && let Some(wait) = self.resting()
        {
            let reason = lock(&self.health).reason.clone();
            return Err(UpstreamError::Resting { server: self.spec.name.clone(), reason, wait });
        }
        let live = self.live().await?;
        let call = live.connection.call(method, params, timing, attended).await;
        Ok((live, call))
    }

    /// Sends a request of our own and waits for the result in memory. Nobody attends it.
    ///
    /// # Errors
    /// When the server cannot be used or does not answer; an error it answers is told apart.
    pub async fn ask(
        self: &Arc<Self>,
        method: &str,
        params: &Json,
    ) -> Result<Result<Json, Json>, UpstreamError> {
        let live = self.live().await?;
        let timing = Timing { idle: self.spec.call_timeout, max: self.spec.call_max };
        self.ask_live(&live.connection, live.era, method, params, timing)
            .await
            .map_err(|source| UpstreamError::Call { server: self.spec.name.clone(), source })
    }

    async fn ask_live(
        &self,
        connection: &Arc<Connection>,
        era: Era,
        method: &str,
        params: &Json,
        timing: Timing,
    ) -> Result<Result<Json, Json>, CallError> {
        let params = match era {
            Era::Modern => with_modern_meta(
                params,
                &own_info(),
                &lock(&self.around.client_capabilities).clone(),
            ),
            Era::Legacy => params.clone(),
        };
        let call = connection.call(method, Some(params), timing, false).await;
        Ok(match call.answer().await? {
            Reply::Result(result) => Ok(result),
            Reply::Error(error) => Err(error),
            Reply::Spooled(spooled) => {
                tokio::task::spawn_blocking(move || spooled.load(MAX_PAGE_BYTES))
                    .await
                    .map_err(io_other)
                    .and_then(|loaded| loaded)
                    .map_err(|error| wire::error(wire::code::UPSTREAM, &error.to_string()))
            }
        })
    }

    /// All pages of a list, in the server's order. A cursor seen before ends it.
    ///
    /// # Errors
    /// When the server cannot be used or answers with an error.
    pub async fn list(self: &Arc<Self>, method: &str, member: &str) -> Result<Vec<Json>, String> {
        let live = self.live().await.map_err(|error| error.to_string())?;
        self.list_live(&live.connection, live.era, method, member).await
    }

    async fn list_live(
        &self,
        connection: &Arc<Connection>,
        era: Era,
        method: &str,
        member: &str,
    ) -> Result<Vec<Json>, String> {
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.call_max };
        let mut found = Vec::new();
        let mut cursors = BTreeSet::new();
        let mut params = Json::assembled("{}".into());
        for _ in 0..MAX_PAGES {
            let page = match self.ask_live(connection, era, method, &params, timing).await {
                Ok(Ok(page)) => page,
                Ok(Err(error)) => {
                    return Err(format!("{method} was answered with the error {error}"));
                }
                Err(error) => return Err(format!("{method}: {error}")),
            };
            found.extend(
                page.items(&[member]).into_iter().map(|item| Json::assembled(item.to_owned())),
            );
            match page.text_at(&["nextCursor"]) {
                Some(cursor)
                    if !cursor.is_empty()
                        && found.len() < MAX_TOOLS
                        && cursors.insert(cursor.clone()) =>
                {
                    params = Json::assembled("{}".into()).with(&["cursor"], &quote(&cursor));
                }
                _ => break,
            }
        }
        found.truncate(MAX_TOOLS);
        Ok(found)
    }

    /// Asks for its tools anew and keeps what it says.
    ///
    /// # Errors
    /// When it does not say.
    pub async fn refresh_tools(self: &Arc<Self>) -> Result<(), String> {
        let mut tools = self.list("tools/list", "tools").await?;
        if let Some(live) = self.current()
            && let (Link::Http(http), Era::Modern) = (live.connection.link(), live.era)
        {
            self.note_headers(http, &mut tools);
        }
        let Some(known) = self.known() else { return Ok(()) };
        if known.tools != tools {
            self.learn(Known { tools, listed_at: unix_now(), ..(*known).clone() });
            let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
        }
        Ok(())
    }

    /// One of its other lists: as it was given before, else asked for. Empty when it has no such
    /// capability, or says that there is no such method.
    ///
    /// # Errors
    /// When it does not run and cannot be started, or does not answer.
    pub async fn listing(self: &Arc<Self>, listing: Listing) -> Result<Vec<Json>, String> {
        if let Some(known) = self.known() {
            if let Some(kept) = known.lists.get(&listing) {
                return Ok(kept.clone());
            }
            if !known.can(&[listing.names().2]) {
                return Ok(Vec::new());
            }
        }
        self.refresh_listing(listing).await
    }

    /// Asks for one of its other lists anew and keeps it.
    ///
    /// # Errors
    /// As [`Upstream::listing`].
    pub async fn refresh_listing(self: &Arc<Self>, listing: Listing) -> Result<Vec<Json>, String> {
        let (method, member, capability) = listing.names();
        let live = self.live().await.map_err(|error| error.to_string())?;
        if !self.known().is_some_and(|known| known.can(&[capability])) {
            return Ok(Vec::new());
        }
        let found = match self.list_live(&live.connection, live.era, method, member).await {
            // Many servers with resources have no templates, and say so like this.
            Err(reason) if reason.contains("-32601") => Vec::new(),
            other => other?,
        };
        if let Some(known) = self.known() {
            let mut known = (*known).clone();
            known.lists.insert(listing, found.clone());
            self.learn(known);
        }
        Ok(found)
    }

    /// Takes note of arguments that headers repeat; tools that ask for that in a forbidden way go.
    fn note_headers(&self, http: &HttpLink, tools: &mut Vec<Json>) {
        tools.retain(|tool| {
            let name = tool.text_at(&["name"]).unwrap_or_default();
            match repeated_headers(tool) {
                Ok(headers) => {
                    http.repeat(&name, headers);
                    true
                }
                Err(reason) => {
                    super::log::warn(format_args!(
                        "{}: tool {name} is left out: {reason}",
                        self.name()
                    ));
                    false
                }
            }
        });
    }

    fn learn(&self, known: Known) {
        // A cache that cannot be written costs a start next time, nothing more.
        let _ = self.around.cache.store(&self.spec.fingerprint(), &known);
        *lock(&self.known) = Some(Arc::new(known));
    }

    /// Tells a running legacy server from which level on it should send log messages.
    pub async fn set_log_level(&self, live: &Live, level: &str) {
        let told = lock(&live.log_level).replace(level.to_owned());
        let capable = self.known().is_some_and(|known| known.can(&["logging"]));
        if live.era == Era::Modern || !capable || told.as_deref() == Some(level) {
            return;
        }
        let params = Json::assembled(format!(r#"{{"level":{}}}"#, quote(level)));
        let timing = Timing { idle: PROBE, max: PROBE };
        let _ = live
            .connection
            .call("logging/setLevel", Some(params), timing, false)
            .await
            .answer()
            .await;
    }

    /// Asks to be told, or no longer, when these resources change.
    pub fn subscribe(&self, uris: BTreeSet<String>) {
        self.subscriptions.send_if_modified(|current| {
            let changed = *current != uris;
            *current = uris;
            changed
        });
    }

    /// The resources whose changes are to be told.
    pub fn subscribed(&self) -> BTreeSet<String> {
        self.subscriptions.borrow().clone()
    }

    /// Ends it, if it runs.
    pub async fn stop(&self) {
        let Some(live) = lock(&self.live).take() else { return };
        live.connection.close("stopped by the gateway");
        let keeper = lock(&live.keeper).take();
        if let Some(keeper) = keeper {
            let _ = keeper.await;
        }
    }

    /// Waits until no call is in flight, at most `patience`, then ends it.
    pub async fn retire(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while self.current().is_some_and(|live| live.connection.in_flight() > 0)
            && Instant::now() < deadline
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.stop().await;
    }

    async fn try_start(self: &Arc<Self>) -> Result<Arc<Live>, String> {
        // As the first client speaks, if the server can: then nothing need be bridged. One that is
        // known to speak only the legacy way is not asked again, as some end when they are.
        let legacy_first = *lock(&self.around.preferred) == Era::Legacy
            || self.known().is_some_and(|known| known.legacy_only);
        let mut attempt = self.connect()?;
        let mut greeting = match legacy_first {
            true => self.initialize(&attempt.connection).await,
            false => self.probe(&attempt.connection).await,
        };
        if greeting.is_err() {
            // Refused, or gone at a request that it did not expect: the other way.
            if attempt.connection.closed().is_some()
                && matches!(self.spec.reach, Reach::Stdio { .. })
            {
                attempt.end().await;
                attempt = self.connect()?;
            }
            let second = match legacy_first {
                true => self.probe(&attempt.connection).await,
                false => self.initialize(&attempt.connection).await,
            };
            // Of two refusals the first is the one to tell.
            greeting = second.or(greeting);
        }
        let greeting = match greeting {
            Ok(greeting) => greeting,
            Err(reason) => return Err(attempt.explain(reason).await),
        };
        match (attempt.connection.link(), greeting.era) {
            (Link::Stdio(_), Era::Legacy) => {
                attempt.connection.notify("notifications/initialized", None)
            }
            (Link::Stdio(_), Era::Modern) => {}
            (Link::Http(http), era) => {
                http.agreed(era, &greeting.version);
                if era == Era::Legacy {
                    // Posts may overtake each other; nothing may overtake this one.
                    let _ =
                        http.post_note(wire::notification("notifications/initialized", None)).await;
                    http.follow(&attempt.connection);
                }
            }
        }
        let mut tools = if greeting.capabilities.get(&["tools"]).is_some() {
            match self.list_live(&attempt.connection, greeting.era, "tools/list", "tools").await {
                Ok(tools) => tools,
                Err(reason) => return Err(attempt.explain(reason).await),
            }
        } else {
            Vec::new()
        };
        if let (Link::Http(http), Era::Modern) = (attempt.connection.link(), greeting.era) {
            self.note_headers(http, &mut tools);
        }
        self.learn(Known {
            era: greeting.era,
            legacy_only: greeting.legacy_only,
            version: greeting.version.clone(),
            info: greeting.info,
            capabilities: greeting.capabilities,
            instructions: greeting.instructions,
            tools,
            lists: BTreeMap::new(),
            listed_at: unix_now(),
        });
        Ok(Arc::new(attempt.keep(greeting.era, greeting.version)))
    }

    /// Starts the process, or gets ready to post; nothing is said yet.
    fn connect(self: &Arc<Self>) -> Result<Attempt, String> {
        let (strays, mut said) = mpsc::channel(64);
        let happenings = self.around.happenings.clone();
        let this = Arc::downgrade(self);
        tokio::spawn(async move {
            while let Some(stray) = said.recv().await {
                let Some(this) = this.upgrade() else { break };
                let _ = happenings.send(Happening::Said(this, stray)).await;
            }
        });
        match &self.spec.reach {
            Reach::Http { url, headers } => {
                let link = HttpLink::new(url, headers, self.around.bounds.clone())?;
                let connection = Connection::new(Link::Http(Arc::new(link)), strays);
                Ok(Attempt {
                    connection,
                    process: None,
                    errors: ErrorOutput::default(),
                    drained: Arc::default(),
                    tasks: Vec::new(),
                })
            }
            Reach::Stdio { command, args, env, cwd } => {
                let launch = Launch {
                    command,
                    args,
                    env,
                    cwd: cwd.as_deref(),
                    guard: self.around.guard.as_ref(),
                };
                let (process, mut stdin, mut stdout) = process::start(&launch)
                    .map_err(|error| format!("cannot start {command}: {error}"))?;
                let errors = process.errors.clone();
                let (lines, mut outbox) = mpsc::channel::<String>(OUTBOX);
                let connection = Connection::new(Link::Stdio(lines), strays);
                let writer = tokio::spawn(async move {
                    while let Some(line) = outbox.recv().await {
                        if stdin.write_all(&on_one_line(line)).await.is_err() {
                            break;
                        }
                    }
                });
                let reading = Arc::clone(&connection);
                let bounds = self.around.bounds.clone();
                let drained = Arc::new(tokio::sync::Notify::new());
                let at_end = Arc::clone(&drained);
                let reader = tokio::spawn(async move {
                    let end = read_lines(&mut stdout, bounds, &reading).await;
                    at_end.notify_one();
                    // The process that ends closes its output first; how it ended says more.
                    tokio::time::sleep(LAST_WORDS).await;
                    reading.close(&end);
                });
                Ok(Attempt {
                    connection,
                    process: Some(process),
                    errors,
                    drained,
                    tasks: vec![writer, reader],
                })
            }
        }
    }

    /// Asks `server/discover`; when that is unknown or unanswered, `initialize`.
    async fn probe(&self, connection: &Arc<Connection>) -> Result<Greeting, String> {
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.start_timeout };
        let capabilities = lock(&self.around.client_capabilities).clone();
        let params = with_modern_meta(&Json::assembled("{}".into()), &own_info(), &capabilities);
        let mut discover = connection.call("server/discover", Some(params), timing, false).await;
        let first = tokio::time::timeout(PROBE, answer_of(&mut discover)).await;
        match first {
            Ok(Ok(reply)) => match self.read_discovery(&reply) {
                Discovery::Modern(greeting) => Ok(greeting),
                Discovery::Foreign(reason) => Err(reason),
                Discovery::Legacy => self
                    .initialize(connection)
                    .await
                    .map(|greeting| Greeting { legacy_only: true, ..greeting }),
            },
            Ok(Err(reason)) => Err(reason),
            Err(_) => {
                // Silent, or slow to start. Ask the other way too, and take the answer that comes.
                let mut initialize = self.send_initialize(connection).await;
                tokio::select! {
                    biased;
                    reply = answer_of(&mut discover) => match self.read_discovery(&reply?) {
                        Discovery::Modern(greeting) => Ok(greeting),
                        Discovery::Foreign(reason) => Err(reason),
                        Discovery::Legacy => read_initialized(&answer_of(&mut initialize).await?),
                    },
                    reply = answer_of(&mut initialize) => match read_initialized(&reply?) {
                        Ok(greeting) => Ok(greeting),
                        // A modern server refuses `initialize`; its discovery is still to come.
                        Err(reason) => match self.read_discovery(&answer_of(&mut discover).await?) {
                            Discovery::Modern(greeting) => Ok(greeting),
                            _ => Err(reason),
                        },
                    },
                }
            }
        }
    }

    fn read_discovery(&self, reply: &Reply) -> Discovery {
        match reply {
            Reply::Result(result) => {
                let versions: Vec<String> =
                    result.at(&["supportedVersions"]).and_then(|v| v.read()).unwrap_or_default();
                if versions.iter().any(|version| version == wire::MODERN) {
                    Discovery::Modern(Greeting {
                        legacy_only: false,
                        era: Era::Modern,
                        version: wire::MODERN.to_owned(),
                        info: result.at(&["_meta", wire::META_SERVER]),
                        capabilities: result
                            .at(&["capabilities"])
                            .unwrap_or_else(|| Json::assembled("{}".into())),
                        instructions: result.text_at(&["instructions"]),
                    })
                } else if versions.is_empty()
                    || versions.iter().any(|v| wire::LEGACY.contains(&v.as_str()))
                {
                    Discovery::Legacy
                } else {
                    Discovery::Foreign(format!("it speaks only versions {}", versions.join(", ")))
                }
            }
            Reply::Error(error) => {
                let code: Option<i64> = error.at(&["code"]).and_then(|code| code.read());
                if code != Some(wire::code::UNSUPPORTED_VERSION) {
                    return Discovery::Legacy;
                }
                let versions: Vec<String> =
                    error.at(&["data", "supported"]).and_then(|v| v.read()).unwrap_or_default();
                if versions.iter().any(|v| wire::LEGACY.contains(&v.as_str())) {
                    Discovery::Legacy
                } else {
                    Discovery::Foreign(format!("it speaks only versions {}", versions.join(", ")))
                }
            }
            Reply::Spooled(_) => Discovery::Legacy,
        }
    }

    async fn send_initialize(&self, connection: &Arc<Connection>) -> ActiveCall {
        let capabilities = lock(&self.around.client_capabilities).clone();
        let params = Json::assembled(format!(
            r#"{{"protocolVersion":"{}","capabilities":{capabilities},"clientInfo":{}}}"#,
            wire::LATEST_LEGACY,
            own_info()
        ));
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.start_timeout };
        connection.call("initialize", Some(params), timing, false).await
    }

    async fn initialize(&self, connection: &Arc<Connection>) -> Result<Greeting, String> {
        read_initialized(&answer_of(&mut self.send_initialize(connection).await).await?)
    }

    /// Keeps an eye on a running server: its end, and the changes it can tell of.
    fn watch(self: &Arc<Self>, live: &Arc<Live>) {
        let this = Arc::downgrade(self);
        let watched = Arc::clone(live);
        tokio::spawn(async move {
            let reason = watched.connection.wait_closed().await;
            if let Some(this) = this.upgrade()
                && reason != "stopped by the gateway"
            {
                let _ = this.around.happenings.send(Happening::Changed(Arc::clone(&this))).await;
            }
        });
        let this = Arc::downgrade(self);
        let live = Arc::clone(live);
        let mut wanted = self.subscriptions.subscribe();
        tokio::spawn(async move {
            let forever = Duration::from_secs(365 * 24 * 3_600);
            let timing = Timing { idle: forever, max: forever };
            let mut told = BTreeSet::new();
            let mut _stream = None;
            loop {
                let Some(this) = this.upgrade() else { return };
                let uris = wanted.borrow_and_update().clone();
                if live.era == Era::Modern {
                    let params = listen_params(this.known().as_deref(), &uris);
                    let capabilities = lock(&this.around.client_capabilities).clone();
                    let params = with_modern_meta(&params, &own_info(), &capabilities);
                    // The new stream is opened before the old one is closed, so that nothing is missed.
                    let next = live
                        .connection
                        .call("subscriptions/listen", Some(params), timing, false)
                        .await;
                    _stream = Some(next);
                } else {
                    let short =
                        Timing { idle: this.spec.call_timeout, max: this.spec.call_timeout };
                    for (method, uri) in uris
                        .difference(&told)
                        .map(|uri| ("resources/subscribe", uri))
                        .chain(told.difference(&uris).map(|uri| ("resources/unsubscribe", uri)))
                    {
                        let params = Json::assembled(format!(r#"{{"uri":{}}}"#, quote(uri)));
                        let _ = live
                            .connection
                            .call(method, Some(params), short, false)
                            .await
                            .answer()
                            .await;
                    }
                    told = uris;
                }
                drop(this);
                tokio::select! {
                    changed = wanted.changed() => if changed.is_err() { return },
                    _ = live.connection.wait_closed() => return,
                }
            }
        });
    }
}

fn listen_params(known: Option<&Known>, uris: &BTreeSet<String>) -> Json {
    let mut params = Json::assembled(r#"{"notifications":{}}"#.into());
    for (capability, wanted) in [
        ("tools", "toolsListChanged"),
        ("prompts", "promptsListChanged"),
        ("resources", "resourcesListChanged"),
    ] {
        if known.is_some_and(|known| known.can(&[capability, "listChanged"])) {
            params = params.with(&["notifications", wanted], "true");
        }
    }
    if !uris.is_empty() {
        params = params.with(&["notifications", "resourceSubscriptions"], Json::of(uris).as_str());
    }
    params
}

enum Discovery {
    Modern(Greeting),
    Legacy,
    Foreign(String),
}

struct Greeting {
    era: Era,
    legacy_only: bool,
    version: String,
    info: Option<Json>,
    capabilities: Json,
    instructions: Option<String>,
}

async fn answer_of(call: &mut ActiveCall) -> Result<Reply, String> {
    loop {
        match call.next().await {
            Step::Event(_) => {}
            Step::Done(reply) => return Ok(reply),
            Step::Failed(error) => return Err(error.to_string()),
        }
    }
}

fn read_initialized(reply: &Reply) -> Result<Greeting, String> {
    let result = match reply {
        Reply::Result(result) => result,
        Reply::Error(error) => {
            return Err(format!("initialize was answered with the error {error}"));
        }
        Reply::Spooled(_) => return Err("initialize was answered with megabytes".to_owned()),
    };
    let version = result
        .text_at(&["protocolVersion"])
        .ok_or("initialize was answered without a protocolVersion")?;
    if !wire::LEGACY.contains(&version.as_str()) {
        return Err(format!(
            "it speaks version {version}, which is not one of {}",
            wire::LEGACY.join(", ")
        ));
    }
    Ok(Greeting {
        era: Era::Legacy,
        legacy_only: false,
        version,
        info: result.at(&["serverInfo"]),
        capabilities: result.at(&["capabilities"]).unwrap_or_else(|| Json::assembled("{}".into())),
        instructions: result.text_at(&["instructions"]),
    })
}

/// A server that was started and has not greeted yet.
struct Attempt {
    connection: Arc<Connection>,
    process: Option<Process>,
    errors: ErrorOutput,
    /// Told when all that the process wrote has been read.
    drained: Arc<tokio::sync::Notify>,
    tasks: Vec<JoinHandle<()>>,
}

impl Attempt {
    async fn end(&mut self) {
        self.connection.close("it did not get ready");
        self.tasks.drain(..).for_each(|task| task.abort());
        if let Some(process) = self.process.take() {
            tokio::spawn(process.stop());
        }
    }

    /// The reason, with how the process ended and the last of its error output.
    async fn explain(mut self, reason: String) -> String {
        let mut text = reason;
        if let Some(process) = &mut self.process
            && let Ok(end) = tokio::time::timeout(Duration::from_millis(300), process.wait()).await
        {
            text = format!("{text}; {end}");
        }
        let tail = self.errors.tail(400);
        if !tail.is_empty() {
            text = format!("{text}; its error output ends with: {tail}");
        }
        self.end().await;
        text
    }

    fn keep(mut self, era: Era, version: String) -> Live {
        let connection = Arc::clone(&self.connection);
        let tasks = std::mem::take(&mut self.tasks);
        let mut process = self.process.take();
        let watched = Arc::clone(&connection);
        let drained = Arc::clone(&self.drained);
        let keeper = tokio::spawn(async move {
            if let Some(process) = &mut process {
                tokio::select! {
                    _ = watched.wait_closed() => {}
                    end = process.wait() => {
                        // Its last words may still be in the pipe.
                        let _ = tokio::time::timeout(LAST_WORDS, drained.notified()).await;
                        watched.close(&end);
                    }
                }
            } else {
                watched.wait_closed().await;
                if let Link::Http(http) = watched.link() {
                    http.goodbye().await;
                }
            }
            // With the writer gone the server's input is closed: its signal to end.
            tasks.iter().for_each(JoinHandle::abort);
            if let Some(process) = process {
                process.stop().await;
            }
        });
        Live {
            connection,
            era,
            version,
            keeper: Mutex::new(Some(keeper)),
            errors: self.errors.clone(),
            log_level: Mutex::default(),
        }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        // Given up on in the middle, by the start budget: nothing may go on.
        if self.process.is_some() || !self.tasks.is_empty() {
            self.connection.close("it did not get ready");
            self.tasks.drain(..).for_each(|task| task.abort());
            if let (Some(process), Ok(runtime)) =
                (self.process.take(), tokio::runtime::Handle::try_current())
            {
                runtime.spawn(process.stop());
            }
        }
    }
}

/// A message as the bytes of one line. Outside of strings, JSON may have line breaks; in them, never.
pub fn on_one_line(text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    for byte in &mut bytes {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    bytes.push(b'\n');
    bytes
}

async fn read_lines(
    stdout: &mut tokio::process::ChildStdout,
    bounds: Bounds,
    connection: &Arc<Connection>,
) -> String {
    let mut assembler = Assembler::new(bounds);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = match stdout.read(&mut buffer).await {
            Ok(0) => return "it closed its output".to_owned(),
            Ok(read) => read,
            Err(error) => return format!("its output cannot be read: {error}"),
        };
        let mut rest = &buffer[..read];
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let pushed = assembler.push(&rest[..end]);
            rest = &rest[end + 1..];
            match pushed.and_then(|()| assembler.finish()) {
                Ok(Some(frame)) => connection.receive(frame, None).await,
                Ok(None) => {}
                Err(error) => return format!("a message could not be kept: {error}"),
            }
        }
        if let Err(error) = assembler.push(rest) {
            return format!("a message could not be kept: {error}");
        }
    }
}

fn io_other(error: tokio::task::JoinError) -> std::io::Error {
    std::io::Error::other(error)
}

/// Seconds since 1970.
pub fn unix_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}
