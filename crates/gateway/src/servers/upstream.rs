//! One server behind the gateway: started when needed, one start at a time, given up on for a while
//! when it fails, known even while it does not run.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc};
use tokio::task::JoinHandle;
use tokio::time::Instant;

use crate::search::names::own_info;
use crate::servers::digest::Approved;
use crate::servers::known::{Known, KnownCache, Place, Seen};
use crate::servers::listed::Listed;
use crate::servers::spec::{People, ServerSpec};
use weir_mcp::connection::{ActiveCall, CallError, Connection, Hearer, Stray, Timing};
use weir_mcp::credentials::Credentials as _;
use weir_mcp::frame::{Bounds, Reply};
use weir_mcp::http_link::HttpLink;
use weir_mcp::json::Json;
use weir_mcp::methods::Method;
use weir_mcp::process::ErrorOutput;
use weir_mcp::wire::{self, Era, with_modern_meta};
use weir_oauth::{Bearer, Door, Logins};

mod attempt;
pub mod eras;
pub(crate) mod exchange;
mod greeting;
mod instances;
mod life;
mod lists;
mod pages;
mod skills;
mod watch;

pub(crate) use lists::Freshness;

use instances::Instances;
pub use instances::{Terms, Wanted};
use life::Health;
pub(crate) use life::STOPPED;
pub(crate) use skills::SkillError;
use weir_base::Mutex;
use weir_servers::memory::Screen;

/// What all upstreams share.
#[derive(Debug)]
pub struct Surroundings {
    /// The program to put between us and each server, see [`weir_mcp::process::Launch`].
    pub guard: Option<PathBuf>,
    /// How large messages are held.
    pub bounds: Bounds,
    /// Where accounts of servers are kept.
    pub cache: KnownCache,
    /// Where logins to servers are kept.
    pub logins: Logins,
    /// Where what built-in servers keep is, unless their entries say otherwise.
    pub state: PathBuf,
    /// What is looked for in what they are to keep.
    pub screen: Screen,
    /// Where people begin logins, in a gateway that runs for clients.
    pub(crate) door: Option<Arc<Door>>,
    /// How people are told apart, in a gateway where each has an account of their own.
    pub people: Option<People>,
    /// How many servers start at once.
    pub starts: Mutex<Arc<Semaphore>>,
    /// From which level on each client wants log messages, by its session; `None` where it did not say.
    pub levels: Mutex<BTreeMap<String, Option<String>>>,
    /// Where to say that something happened.
    pub happenings: mpsc::Sender<Happening>,
    /// Counts what is learned of servers: what is made of that is made anew when this has moved.
    pub learned: AtomicU64,
}

/// Something that happened at a server outside of any call.
#[derive(Debug)]
pub enum Happening {
    /// It said something.
    Said(Arc<Upstream>, Stray),
    /// What is known of it changed: its tools, or that it is there at all.
    Changed(Arc<Upstream>),
    /// It defined tools anew; what to tell of that.
    Redefined(Arc<Upstream>, String),
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
    /// Somebody has to log in; the text says how.
    NeedsLogin(String),
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
    /// Somebody has to log in first.
    #[error("server {server} needs a login: {reason}")]
    Login {
        /// Its name.
        server: String,
        /// What to do.
        reason: String,
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

impl UpstreamError {
    /// Logs it. That of a login has been logged when it was missed, with the command for it.
    pub(crate) fn log(&self) {
        if !matches!(self, UpstreamError::Login { .. }) {
            tracing::warn!("{self}");
        }
    }
}

/// A running server.
#[derive(Debug)]
pub struct Live {
    /// The link.
    pub connection: Arc<Connection>,
    /// What posts, where each message is posted by itself.
    http: Option<Arc<HttpLink>>,
    /// How it speaks.
    pub era: Era,
    /// The agreed version.
    pub version: String,
    /// Takes care of the process until it has ended.
    keeper: Mutex<Option<JoinHandle<()>>>,
    errors: ErrorOutput,
    log_level: Mutex<Option<String>>,
}

/// What is known of a server. Whoever learns something changes it under its lock.
#[derive(Debug, Default)]
struct Account {
    known: Option<Arc<Known>>,
    /// What it said when it was started with other values: its tools are compared with that.
    outdated: Option<Known>,
    seen: Option<Seen>,
}

/// One server. See the module.
#[derive(Debug)]
pub struct Upstream {
    /// Its entry in the configuration.
    pub spec: ServerSpec,
    around: Arc<Surroundings>,
    /// Its login, where it may have one.
    bearer: Option<Arc<Bearer>>,
    /// Why it cannot be started for the person whom it is for.
    unready: Option<String>,
    /// Where it is kept on disk.
    place: Place,
    turn: Arc<tokio::sync::Mutex<()>>,
    /// Held while its skills are asked for because they may be others by now.
    freshening: Arc<tokio::sync::Mutex<()>>,
    /// The tools and skills whose texts were kept last; held while that is done.
    texts_kept: tokio::sync::Mutex<Vec<Listed>>,
    live: Mutex<Option<Arc<Live>>>,
    known: Mutex<Account>,
    /// When its lists were asked for last, and for how long they may be taken for fresh, by method.
    asked: Mutex<BTreeMap<Method, (Instant, Option<Duration>)>>,
    /// What is left out of its lists, and why.
    left_out: Mutex<BTreeMap<Method, Vec<String>>>,
    /// The tools that the user has approved.
    approved: Mutex<Approved>,
    /// Whether what is known of its tools is all of them, as far as it said.
    whole: tokio::sync::watch::Sender<bool>,
    health: Mutex<Health>,
    subscriptions: tokio::sync::watch::Sender<BTreeSet<String>>,
    /// How it is greeted, and its further instances.
    instances: Instances,
}

impl Upstream {
    /// A server that is not started. What is kept of it from before is read.
    pub fn new(spec: ServerSpec, around: Arc<Surroundings>) -> Arc<Upstream> {
        let place = around.cache.place(&spec);
        let bearer = spec.bearer(&around.logins, around.door.clone(), None);
        let kept = around.cache.load(&place);
        let known = Account {
            known: kept.known.map(Arc::new),
            outdated: kept.outdated,
            seen: around.cache.seen(&place),
        };
        let approved = around.cache.approved(&place);
        let nobody = spec.names_person() && around.people.is_none();
        let unready =
            nobody.then(|| "its headers name a person; serve it over HTTP to several".to_owned());
        let instances = Instances::default();
        Upstream::of((spec, bearer, unready), around, (place, known, approved), instances)
    }

    /// One that is reached and known like this.
    fn of(
        (spec, bearer, unready): (ServerSpec, Option<Arc<Bearer>>, Option<String>),
        around: Arc<Surroundings>,
        (place, known, approved): (Place, Account, Approved),
        instances: Instances,
    ) -> Arc<Upstream> {
        Arc::new(Upstream {
            approved: Mutex::new(approved),
            asked: Mutex::default(),
            left_out: Mutex::default(),
            spec,
            around,
            bearer,
            unready,
            place,
            turn: Arc::default(),
            freshening: Arc::default(),
            texts_kept: Default::default(),
            live: Mutex::default(),
            known: Mutex::new(known),
            whole: tokio::sync::watch::Sender::new(true),
            health: Mutex::default(),
            subscriptions: tokio::sync::watch::Sender::new(BTreeSet::new()),
            instances,
        })
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.spec.name
    }

    /// How long its answers may take, but to calls of tools.
    pub(crate) fn timing(&self) -> Timing {
        Timing { idle: self.spec.call_timeout, max: self.spec.call_max }
    }

    /// What it said of itself, now or before.
    pub fn known(&self) -> Option<Arc<Known>> {
        self.known.lock().known.clone()
    }

    /// The link, if it runs.
    pub fn current(&self) -> Option<Arc<Live>> {
        self.live.lock().clone().filter(|live| live.connection.closed().is_none())
    }

    /// Whether the last attempts failed.
    pub fn has_failed(&self) -> bool {
        self.health.lock().failures > 0 || self.needs_login().is_some()
    }

    /// Why it cannot be used now and when it is tried again, where its last start or calls failed.
    pub fn why_down(&self) -> Option<String> {
        if !self.has_failed() {
            return None;
        }
        let reason = self.health.lock().reason.clone();
        Some(match self.resting() {
            Some(wait) => {
                format!("{reason}; the next attempt is possible in {} s", wait.as_secs().max(1))
            }
            None => format!("{reason}; the next call tries again"),
        })
    }

    /// Waits until its list of tools is whole, where it is being listed.
    pub async fn whole_list(&self) {
        let mut whole = self.whole.subscribe();
        let _ = whole.wait_for(|whole| *whole).await;
    }

    /// Its login, where it may have one.
    pub fn bearer(&self) -> Option<&Arc<Bearer>> {
        self.bearer.as_ref()
    }

    /// What somebody has to do to log in, when that is what it waits for.
    pub fn needs_login(&self) -> Option<String> {
        if self.is_nobodys() {
            return Some("each person logs in on their own when they first need it".to_owned());
        }
        let waiting = self.health.lock().login.clone();
        waiting.or_else(|| self.bearer.as_ref()?.needed())
    }

    /// The same for people at a shell: it may name a command.
    pub fn needs_login_command(&self) -> Option<String> {
        let waiting = self.health.lock().login.clone();
        waiting.or_else(|| self.bearer.as_ref()?.needed_command())
    }

    /// How often it was started.
    pub fn starts(&self) -> u32 {
        self.health.lock().started
    }

    /// The last of its error output, without secrets.
    pub fn error_output(&self, max_chars: usize) -> String {
        let starting = self.health.lock().errors.clone();
        let errors = self.live.lock().as_ref().map(|live| live.errors.clone()).or(starting);
        errors.map(|errors| errors.tail(max_chars, &self.spec.secrets)).unwrap_or_default()
    }

    /// Lines on its output that were no messages.
    pub fn noise(&self) -> u64 {
        let live = self.live.lock().clone();
        live.map_or(0, |live| live.connection.noise.load(std::sync::atomic::Ordering::Relaxed))
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
        hearer: Hearer,
    ) -> Result<(Arc<Live>, ActiveCall), UpstreamError> {
        if self.current().is_some() {
            self.check_rest()?;
        }
        let live = self.live().await?;
        let call = live.connection.call(method, params, timing, hearer).await;
        Ok((live, call))
    }

    async fn ask_whole(
        &self,
        connection: &Arc<Connection>,
        era: Era,
        method: Method,
        params: &Json,
        timing: Timing,
    ) -> Result<Reply, CallError> {
        let params = match era {
            Era::Modern => with_modern_meta(params, &own_info(), &self.terms().capabilities),
            Era::Legacy => params.clone(),
        };
        connection.call(method.name(), Some(params), timing, Hearer::Nobody).await.answer().await
    }

    async fn ask_live(
        &self,
        connection: &Arc<Connection>,
        era: Era,
        method: Method,
        params: &Json,
        timing: Timing,
        max_bytes: u64,
    ) -> Result<Result<Json, Json>, CallError> {
        Ok(match self.ask_whole(connection, era, method, params, timing).await? {
            Reply::Result(result) => Ok(result),
            Reply::Error(error) => Err(error),
            Reply::Spooled(spooled) => spooled
                .loaded(max_bytes)
                .await
                .map_err(|error| wire::error(wire::code::UPSTREAM, &error.to_string())),
        })
    }
}
