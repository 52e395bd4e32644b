//! The MCP gateway: any clients on one side, any servers on the other, the component in between.
//!
//! ```text
//! client ─► server ─► catalog ─┬─► gate (our tools)              ─┐
//!                              └─► exchange ─► upstream (theirs)  ─┴─► results ─► server ─► client
//! ```
//!
//! Messages stay raw JSON on the whole way ([`json`], [`wire`]): what is not an id, a token or a
//! name passes as it came. Clients and servers may be of either era of the protocol; each pair is
//! bridged. Servers are started when they are needed ([`upstream`]), and known from
//! before ([`known`]).

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::sync::{Semaphore, broadcast, mpsc, watch};

mod audit;
pub mod catalog;
pub mod config;
mod digest;
pub mod embeddings;
pub mod environment;
mod exchange;
pub mod gate;
pub mod glob;
mod hearing;
pub mod http;
pub mod identity;
mod indexes;
pub mod known;
pub mod ledger;
mod limits;
mod listed;
mod metrics;
mod names;
pub mod page;
pub mod phrases;
mod pins;
mod profile;
mod results;
pub mod running;
pub mod secrets;
mod server;
pub mod session;
mod shallow;
#[cfg(unix)]
pub mod shared;
mod skills;
mod slack;
pub mod spec;
mod stats;
pub mod stdio;
mod telemetry;
mod told;
pub mod upstream;
pub mod worth;

pub use audit::AuditOptions;
// As one crate they are easier to use: our public types are made of theirs.
#[cfg(unix)]
pub use weir_mcp::guard;
pub use weir_mcp::isolation::Isolation;
pub use weir_mcp::net::Tls;
pub use weir_mcp::{json, process, wire};
pub use weir_oauth as oauth;

pub use names::Naming;
pub use profile::Limits;
pub use stats::Stats;

use audit::Audit;
use catalog::{Catalog, Tool};
use connection::Owner;
use exchange::Parked;
use frame::Bounds;
use gate::Gate;
use gate::bridge::Bridge;
use identity::Identity;
use indexes::Indexes;
use json::Json;
use known::KnownCache;
use ledger::Ledger;
use limits::Meter;
use phrases::Phrases;
use phrases::learnt::{Called, Learnt};
use phrases::written::Written;
use server::{After, Tasks};
use session::Session;
use spec::ServerSpec;
use upstream::{Surroundings, Terms, Upstream};
use weir_base::{Mutex, clip, create_private_dir, unix_now, without_command};
use weir_mcp::{connection, credentials, frame, http_link, isolation, lines, methods, net, redact};
use wire::{Era, Notification};

/// What clients are shown of the servers' tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Serialize, Deserialize)]
pub enum Mode {
    /// All of them while they are few, else the bridge tools.
    #[default]
    Auto,
    /// The bridge tools.
    Bridge,
    /// All of them.
    Passthrough,
}

impl std::str::FromStr for Mode {
    type Err = String;
    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Mode::Auto),
            "bridge" => Ok(Mode::Bridge),
            "passthrough" => Ok(Mode::Passthrough),
            _ => Err(format!("{text} is not one of auto, bridge, passthrough")),
        }
    }
}

/// How the gateway behaves.
#[derive(Debug, Clone)]
pub struct Options {
    /// What clients are shown.
    pub mode: Mode,
    /// Estimated tokens of all definitions above which `auto` means the bridge tools. Unset: where they cost less, see
    /// [`worth::break_even`].
    pub auto_tokens: Option<usize>,
    /// How names are made.
    pub naming: Naming,
    /// How long a list waits for servers that are not known yet.
    pub list_wait: Duration,
    /// How long the first list in mode `auto` waits for servers that are not known yet. Afterwards it is
    /// the bridge tools.
    pub first_wait: Duration,
    /// How many servers start at once.
    pub parallel_starts: usize,
    /// Whether searches that lead to a call teach the tool their words.
    pub learn: bool,
    /// Whether results of a tool pass whole up to the size at which they were read back whole too often.
    pub adaptive: bool,
    /// Where accounts of servers and, while they are on the way, oversized results are kept.
    pub state_dir: PathBuf,
    /// The program with the hidden command that ends servers when we are gone.
    pub guard: Option<PathBuf>,
    /// Where calls are logged; nowhere, if nothing is said.
    pub audit: Option<AuditOptions>,
    /// How much each client may ask for, unless its token says otherwise.
    pub limits: Limits,
    /// How people are told apart at servers where each has an account of their own.
    pub people: Option<spec::People>,
    /// Whether answers name an address of this machine at which a person begins the login of a server.
    pub offer_logins: bool,
}

impl Options {
    /// The defaults, with files in `state_dir`.
    pub fn new(state_dir: PathBuf) -> Options {
        Options {
            mode: Mode::default(),
            auto_tokens: None,
            naming: Naming::default(),
            // A list is answered within ten seconds.
            list_wait: Duration::from_secs(9),
            first_wait: Duration::from_secs(1),
            parallel_starts: 4,
            learn: true,
            adaptive: true,
            state_dir,
            guard: None,
            audit: None,
            limits: Limits::default(),
            people: None,
            offer_logins: false,
        }
    }
}

/// Something that clients may want to hear of.
#[derive(Debug, Clone)]
pub enum Change {
    /// The list of tools.
    Tools,
    /// The list of prompts.
    Prompts,
    /// The list of resources or of templates.
    Resources,
    /// One resource, of whom it concerns: the notification's parameters, with the client's URI.
    Resource(Option<Owner>, Json),
    /// A server said something: to the legacy client of this session, or to all of them.
    Said(Option<Owner>, Notification),
    /// The gateway ends.
    Ending,
}

/// An account older than this is asked for anew when the gateway starts, in seconds.
const KNOWN_FOR: u64 = 7 * 24 * 3_600;

/// How long changes are gathered before clients are told, once, of all of them.
const GATHER: Duration = Duration::from_millis(100);

/// How long servers that are watched over have to end when the gateway ends.
const GOODBYE: Duration = Duration::from_millis(600);

/// How long calls in flight keep a server that was taken out of the configuration.
const RETIRE: Duration = Duration::from_secs(300);

/// How often it is looked whether somebody has logged in.
const LOGIN_WATCH: Duration = Duration::from_secs(2);

/// Clients of which it is remembered what they were shown.
const MAX_SHOWN: usize = 10_000;

/// Profiles of which catalogs are kept.
const MAX_PROFILES: usize = 64;

/// Resources, each at the server that has it.
type Watched = Vec<(Arc<Upstream>, String)>;

/// A catalog as clients of one profile see it.
#[derive(Debug)]
struct Admitted {
    profile: Arc<profile::Profile>,
    of: Arc<Catalog>,
    catalog: Arc<Catalog>,
}

/// The gateway. One for any number of clients.
#[derive(Debug)]
pub struct Gateway {
    /// Replaced as a whole when the configuration changes.
    options: Mutex<Arc<Options>>,
    gate: Gate,
    around: Arc<Surroundings>,
    upstreams: Mutex<Arc<Vec<Arc<Upstream>>>>,
    /// With the count of what had been learned of servers when it was made.
    catalog: Mutex<(u64, Arc<Catalog>)>,
    /// What clients of a profile may see of which catalog.
    admitted: Mutex<Vec<Admitted>>,
    indexes: Arc<Indexes<Bridge>>,
    /// Whether clients are told when the index is there.
    index_awaited: AtomicBool,
    changes: broadcast::Sender<Change>,
    parked: Arc<Parked<After>>,
    tasks: Tasks,
    sessions: Mutex<Vec<Weak<Session>>>,
    /// The resources that each listener wants to hear of, at the servers that have them.
    watched: Mutex<BTreeMap<String, Watched>>,
    /// How servers are greeted, by the first client.
    terms: std::sync::OnceLock<Terms>,
    /// Which clients were shown the bridge tools in place of all, by the endpoint they came to.
    shown: Mutex<BTreeSet<(Arc<str>, Option<Mode>)>>,
    /// Whether clients are told when the component is loaded.
    awaited: AtomicBool,
    broken: Mutex<BTreeMap<String, String>>,
    telemetry: Option<telemetry::Telemetry>,
    audit: Mutex<Option<(AuditOptions, Audit)>>,
    meter: Meter,
    /// Requests that are being answered; what a client listens to does not count.
    under_way: watch::Sender<usize>,
    /// Who was here lately.
    visitors: running::Visitors,
    /// Whether a client has listed the tools: before, nobody need be told that they changed.
    listed: AtomicBool,
    /// What searches taught.
    learnt: Learnt,
    /// How often something was learnt, and held while the index is made anew for it.
    taught: AtomicU64,
    relearning: tokio::sync::Mutex<()>,
    /// What went through.
    pub stats: Stats,
    measured: metrics::Measured,
}

impl Gateway {
    /// A gateway to these servers. None is started yet. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// When the folder for its files cannot be made.
    pub fn new(
        servers: Vec<ServerSpec>,
        gate: Gate,
        options: Options,
    ) -> std::io::Result<Arc<Gateway>> {
        let spool_dir = options.state_dir.join("spool");
        let learnt = Learnt::new(&options.state_dir);
        // A file that cannot be read is said when it is written.
        let counted = Ledger::new(&options.state_dir).load().unwrap_or_default();
        create_private_dir(&spool_dir)?;
        let (happenings, heard) = mpsc::channel(256);
        let around = Arc::new(Surroundings {
            guard: options.guard.clone(),
            bounds: Bounds::new(spool_dir),
            cache: KnownCache::new(options.state_dir.join("servers")),
            logins: options.state_dir.join("logins"),
            state: options.state_dir.clone(),
            gate: gate.clone(),
            door: options.offer_logins.then(Arc::default),
            people: options.people.clone(),
            starts: Mutex::new(Arc::new(Semaphore::new(options.parallel_starts.max(1)))),
            levels: Mutex::default(),
            happenings,
            // One ahead of what the catalog has been made of, which is nothing.
            learned: AtomicU64::new(1),
        });
        let places: Vec<_> = servers.iter().map(|spec| around.cache.place(spec)).collect();
        let cache = around.cache.clone();
        tokio::task::spawn_blocking(move || cache.sweep(&places));
        let upstreams =
            servers.into_iter().map(|spec| Upstream::new(spec, Arc::clone(&around))).collect();
        let audit = options.audit.clone().map(|options| (options.clone(), Audit::open(options)));
        let gateway = Arc::new(Gateway {
            options: Mutex::new(Arc::new(options)),
            gate,
            around,
            upstreams: Mutex::new(Arc::new(sorted(upstreams))),
            catalog: Mutex::default(),
            admitted: Mutex::default(),
            indexes: Arc::default(),
            index_awaited: AtomicBool::new(false),
            changes: broadcast::channel(256).0,
            parked: Arc::default(),
            tasks: Tasks::default(),
            sessions: Mutex::default(),
            watched: Mutex::default(),
            terms: std::sync::OnceLock::new(),
            shown: Mutex::default(),
            awaited: AtomicBool::new(false),
            broken: Mutex::default(),
            telemetry: telemetry::Telemetry::from_env(&|name| std::env::var(name).ok()),
            audit: Mutex::new(audit),
            meter: Meter::default(),
            under_way: watch::Sender::default(),
            visitors: running::Visitors::default(),
            listed: AtomicBool::new(false),
            learnt,
            taught: AtomicU64::new(0),
            relearning: tokio::sync::Mutex::default(),
            stats: Stats::after(counted),
            measured: metrics::Measured::default(),
        });
        tokio::spawn(hearing::hear(Arc::downgrade(&gateway), heard));
        Ok(gateway)
    }

    /// How it behaves now.
    pub(crate) fn options(&self) -> Arc<Options> {
        Arc::clone(&self.options.lock())
    }

    /// Takes over how it is to behave from now on. Where its files are stays as it is.
    pub fn set_options(self: &Arc<Self>, options: Options) {
        let old = self.options();
        let (guard, people) = (old.guard.clone(), old.people.clone());
        let new = Options { state_dir: old.state_dir.clone(), guard, people, ..options };
        if new.parallel_starts != old.parallel_starts {
            *self.around.starts.lock() = Arc::new(Semaphore::new(new.parallel_starts.max(1)));
        }
        let mut audit = self.audit.lock();
        if audit.as_ref().map(|(options, _)| options) != new.audit.as_ref() {
            *audit = new.audit.clone().map(|options| (options.clone(), Audit::open(options)));
        }
        drop(audit);
        let renamed = new.naming != old.naming;
        let shown = (new.mode, new.auto_tokens) != (old.mode, old.auto_tokens);
        *self.options.lock() = Arc::new(new);
        if renamed {
            // Names of tools, and of what else is listed.
            self.around.learned.fetch_add(1, Ordering::SeqCst);
            self.catalog();
            self.tell(Change::Prompts);
            self.tell(Change::Resources);
        }
        if shown {
            self.tell(Change::Tools);
        }
    }

    fn audit(&self) -> Option<Audit> {
        self.audit.lock().as_ref().map(|(_, audit)| audit.clone())
    }

    /// The servers, by name.
    pub fn upstreams(&self) -> Arc<Vec<Arc<Upstream>>> {
        self.upstreams.lock().clone()
    }

    /// All tools as they are known now. Must be called within a tokio runtime: when clients see a
    /// difference to the last time, they are told, once for all that changes together.
    pub fn catalog(self: &Arc<Self>) -> Arc<Catalog> {
        let mut kept = self.catalog.lock();
        // Read before the servers are: what is learned meanwhile is for the next time.
        let learned = self.around.learned.load(Ordering::SeqCst);
        if kept.0 == learned {
            return Arc::clone(&kept.1);
        }
        let reserved = [&names::BRIDGE[..], &[names::READER]].concat();
        let next = Catalog::build(&self.upstreams(), &self.options().naming, &reserved);
        let differs = kept.1.differs(&next);
        let same_servers = |(a, b): (&Tool, &Tool)| Arc::ptr_eq(&a.upstream, &b.upstream);
        // What is made of a catalog is kept for as long as it is the same one.
        if differs || !kept.1.tools().iter().zip(next.tools()).all(same_servers) {
            kept.1 = Arc::new(next);
        }
        kept.0 = learned;
        let catalog = Arc::clone(&kept.1);
        drop(kept);
        if differs && self.listed.load(Ordering::SeqCst) {
            let gateway = Arc::downgrade(self);
            tokio::spawn(async move {
                tokio::time::sleep(GATHER).await;
                if let Some(gateway) = gateway.upgrade() {
                    gateway.tell(Change::Tools);
                }
            });
        }
        catalog
    }

    /// The tools that this client may see.
    pub fn catalog_for(self: &Arc<Self>, session: &Session) -> Arc<Catalog> {
        self.catalog_of(&session.who.profile)
    }

    /// The tools that clients of this profile may see.
    fn catalog_of(self: &Arc<Self>, profile: &Arc<profile::Profile>) -> Arc<Catalog> {
        let all = self.catalog();
        if profile.is_open() {
            return all;
        }
        let mut kept = self.admitted.lock();
        if let Some(known) =
            kept.iter().find(|known| Arc::ptr_eq(&known.of, &all) && known.profile.sees_as(profile))
        {
            return Arc::clone(&known.catalog);
        }
        let catalog = Arc::new(all.admitted(profile));
        kept.retain(|known| Arc::ptr_eq(&known.of, &all));
        kept.truncate(MAX_PROFILES);
        kept.push(Admitted {
            profile: Arc::clone(profile),
            of: all,
            catalog: Arc::clone(&catalog),
        });
        catalog
    }

    /// How many profiles there are whose clients see a part of the tools.
    fn profiles_known(&self) -> usize {
        self.admitted.lock().len().min(MAX_PROFILES)
    }

    /// Takes note of entries that cannot be used, so that a call of their tools is told why.
    pub fn set_broken(&self, broken: BTreeMap<String, String>) {
        let for_clients = |(server, why): (String, String)| (server, without_command(&why));
        *self.broken.lock() = broken.into_iter().map(for_clients).collect();
    }

    /// Why the server that a tool's name begins with is not there, if that is known.
    fn why_missing(&self, tool: &str) -> Option<String> {
        for upstream in self.upstreams().iter() {
            let own = match self.options().naming.prefix {
                true => names::own_part(tool, upstream.name()),
                false => Some(tool),
            };
            if let Some(own) = own.filter(|own| upstream.withholds(own)) {
                return Some(upstream.why_withheld(own));
            }
        }
        let broken = self.broken.lock();
        let (server, reason) =
            broken.iter().find(|(server, _)| names::own_part(tool, server).is_some())?;
        Some(format!("server {server} is left out: {reason}"))
    }

    /// The component.
    pub fn gate(&self) -> &Gate {
        &self.gate
    }

    /// Takes note of a client.
    pub fn welcome(self: &Arc<Self>, session: &Arc<Session>) {
        self.note_level(session);
        let mut sessions = self.sessions.lock();
        sessions.retain(|session| session.strong_count() > 0);
        sessions.push(Arc::downgrade(session));
        drop(sessions);
        tokio::spawn(Arc::clone(self).tell_changes(Arc::clone(session)));
    }

    /// Says that a client is gone: what it had under way is cancelled.
    pub async fn farewell(self: &Arc<Self>, session: &Arc<Session>) {
        session.cancel_all();
        self.forget_level(session);
        self.unwatch(&format!("session {}", session.id));
        for upstream in self.upstreams().iter() {
            upstream.end_instances_of(&session.who.key).await;
        }
        self.shown.lock().retain(|(key, _)| *key != session.who.key);
        self.visitors.forget(&session.who.key);
    }

    /// What a client that is gone wanted of log messages counts no more, also before anybody makes a call.
    fn forget_level(&self, session: &Session) {
        if self.around.levels.lock().remove(&session.id).flatten().is_none() {
            return;
        }
        for upstream in self.upstreams().iter() {
            for live in upstream.links() {
                let upstream = Arc::clone(upstream);
                tokio::spawn(async move { upstream.set_log_level(&live, None).await });
            }
        }
    }

    /// Takes note of which log messages a client wants.
    fn note_level(&self, session: &Session) {
        self.around.levels.lock().insert(session.id.clone(), session.log_level());
    }

    /// Gets to know the servers that are not known yet. Happens once, when the first client has said
    /// what it can do: servers offer tools by that. Where others may come, it is no one client's
    /// capabilities that count.
    pub fn begin(self: &Arc<Self>, who: &Identity, era: Era, capabilities: &Json) {
        let mut first = false;
        let terms = self.terms.get_or_init(|| {
            first = true;
            match who.is_beside_others() {
                true => Terms::shared(era),
                false => Terms { era, capabilities: capabilities.clone() },
            }
        });
        if first {
            for upstream in self.upstreams().iter() {
                upstream.set_terms(terms.clone());
                upstream.leave_other_era();
                self.get_to_know(upstream);
            }
        }
    }

    /// Starts each server that is not known yet once, before there is a client: the first one finds tools.
    /// What fails is left to clients, as always.
    pub(crate) fn try_servers(self: &Arc<Self>) {
        let unknown =
            |upstream: &&Arc<Upstream>| upstream.known().is_none() && !upstream.is_nobodys();
        for upstream in self.upstreams().iter().filter(unknown) {
            upstream.set_terms(Terms::shared(Era::Modern));
            let upstream = Arc::clone(upstream);
            tokio::spawn(async move {
                if let Err(error) = upstream.live().await {
                    error.log();
                }
            });
        }
    }

    /// The servers that are there for this client.
    fn upstreams_for(&self, client: &session::Client) -> Vec<Arc<Upstream>> {
        let profile = &client.session.who.profile;
        let all = self.upstreams();
        let admitted = all.iter().filter(|upstream| profile.admits_server(upstream.name()));
        admitted.map(|upstream| upstream.seen_by(client)).collect()
    }

    /// Starts a server in the background until it is known, with the waits that failures bring.
    fn get_to_know(self: &Arc<Self>, upstream: &Arc<Upstream>) {
        let recent = |known: &known::Known| known.listed_at + KNOWN_FOR > unix_now();
        let known = upstream.is_known_for_terms() && upstream.known().is_some_and(|k| recent(&k));
        if known || upstream.is_nobodys() {
            return;
        }
        let upstream = Arc::downgrade(upstream);
        tokio::spawn(async move {
            loop {
                let Some(this) = upstream.upgrade() else { return };
                match this.live().await {
                    Ok(_) => return,
                    Err(error) => error.log(),
                }
                let wait = this.resting().unwrap_or(Duration::from_secs(1));
                drop(this);
                tokio::time::sleep(wait).await;
                // Nobody logs in the faster for being asked again.
                while upstream.upgrade().is_some_and(|this| this.needs_login().is_some()) {
                    tokio::time::sleep(LOGIN_WATCH).await;
                }
            }
        });
    }

    /// Waits for the servers that are not known yet, as long as a list may wait.
    async fn settle(self: &Arc<Self>, upstreams: Vec<Arc<Upstream>>) {
        let wait = self.options().list_wait;
        let started = tokio::time::Instant::now();
        let wanted =
            |upstream: &Upstream| upstream.known().is_none() && upstream.resting().is_none();
        self.wait_for(upstreams, wait, wanted).await;
        self.whole_lists_until(started + wait).await;
    }

    /// Waits for lists of tools of which more is to come, as long as a list may wait.
    async fn whole_lists(&self) {
        self.whole_lists_until(tokio::time::Instant::now() + self.options().list_wait).await;
    }

    async fn whole_lists_until(&self, until: tokio::time::Instant) {
        for upstream in self.upstreams().iter() {
            let _ = tokio::time::timeout_at(until, upstream.whole_list()).await;
        }
    }

    /// The same for those that had no chance yet. One that failed does not hold up each search.
    async fn first_settle(self: &Arc<Self>, client: &session::Client) {
        self.first_look(client, self.options().list_wait).await;
    }

    /// The same, for so long.
    async fn first_look(self: &Arc<Self>, client: &session::Client, wait: Duration) {
        let wanted = |upstream: &Upstream| upstream.known().is_none() && !upstream.has_failed();
        self.wait_for(self.seen_by(client), wait, wanted).await;
    }

    /// All servers, each as this client would start it.
    fn seen_by(&self, client: &session::Client) -> Vec<Arc<Upstream>> {
        self.upstreams().iter().map(|upstream| upstream.seen_by(client)).collect()
    }

    /// The user whose searches count for a client, when they taught something.
    fn learner(&self, session: &Session) -> Option<String> {
        let user = &session.who.profile.name;
        (self.options().learn && self.learnt.users().contains(user)).then(|| user.clone())
    }

    /// The phrases that count beside those of the configuration, with what this user's searches taught.
    async fn phrases_for(&self, learner: Option<&str>) -> Phrases {
        let learner = learner.map(str::to_owned);
        let state_dir = self.options().state_dir.clone();
        let read = tokio::task::spawn_blocking(move || {
            let written = Written::new(&state_dir).load().unwrap_or_else(|error| {
                tracing::warn!("phrases.json cannot be read, and is left out: {error}");
                BTreeMap::new()
            });
            let learnt = learner.map(|user| Learnt::new(&state_dir).of(&user));
            Phrases { written, learnt: learnt.unwrap_or_default() }
        });
        read.await.unwrap_or_default()
    }

    /// A call through the bridge succeeded: the search that found the tool may teach it its words.
    async fn learn(self: &Arc<Self>, client: &session::Client, tool: &catalog::Tool) {
        if !self.options().learn {
            return;
        }
        let (gateway, session, tool) =
            (Arc::clone(self), Arc::clone(&client.session), tool.clone());
        let taught = tokio::task::spawn_blocking(move || {
            let called =
                Called { name: &tool.name, server: tool.upstream.name(), own_name: &tool.own_name };
            let who = &session.who;
            gateway.learnt.note_call(&who.key, &who.profile.name, called)
        });
        match taught.await {
            Ok(Ok(true)) => {}
            Ok(Err(error)) => {
                return tracing::warn!("what was searched is not learnt: {error}");
            }
            _ => return,
        }
        let number = self.taught.fetch_add(1, Ordering::SeqCst) + 1;
        let (gateway, session) = (Arc::clone(self), Arc::clone(&client.session));
        tokio::spawn(async move {
            let _one_at_a_time = gateway.relearning.lock().await;
            // What was learnt meanwhile is in the index that the last of them makes.
            if gateway.taught.load(Ordering::SeqCst) == number {
                gateway.index_anew(&session).await;
            }
        });
    }

    /// Why a tool of this name cannot be had now, where it is of a server that is down: its name, and why.
    pub(crate) fn down_server_of(
        &self,
        client: &session::Client,
        tool: &str,
    ) -> Option<(String, String)> {
        let tool = tool.strip_prefix("mcp__").unwrap_or(tool);
        for upstream in self.upstreams_for(client) {
            if upstream.known().is_none() && names::own_part(tool, upstream.name()).is_some() {
                let why = upstream.needs_login().or_else(|| upstream.why_down());
                let why = why.unwrap_or_else(|| "it is still starting; try again soon".to_owned());
                return Some((upstream.name().to_owned(), on_one_line(&why)));
            }
        }
        let broken = self.broken.lock();
        let admitted = |server: &str| client.session.who.profile.admits_server(server);
        let mut broken = broken.iter();
        let found =
            broken.find(|(server, _)| names::own_part(tool, server).is_some() && admitted(server));
        found.map(|(server, why)| (server.clone(), on_one_line(why)))
    }

    async fn wait_for(
        &self,
        upstreams: Vec<Arc<Upstream>>,
        wait: Duration,
        wanted: impl Fn(&Upstream) -> bool,
    ) {
        let start = |upstream: &Arc<Upstream>| {
            let upstream = Arc::clone(upstream);
            tokio::spawn(async move { upstream.live().await.map(drop) })
        };
        let starts: Vec<_> =
            upstreams.iter().filter(|upstream| wanted(upstream)).map(start).collect();
        let deadline = tokio::time::Instant::now() + wait;
        for start in starts {
            let _ = tokio::time::timeout_at(deadline, start).await;
        }
    }

    /// All tools, once the servers that are not known yet have been started and asked, as long as a
    /// list may wait.
    pub async fn asked_catalog(self: &Arc<Self>) -> Arc<Catalog> {
        self.settle(self.upstreams().to_vec()).await;
        self.catalog()
    }

    /// What this client is shown.
    fn mode_of(&self, session: &Session) -> Mode {
        session.mode.unwrap_or(self.options().mode)
    }

    /// From now on the client is shown the bridge tools, however few tools there turn out to be.
    fn stay_bridged(&self, session: &Session) {
        let mut shown = self.shown.lock();
        if shown.len() < MAX_SHOWN {
            shown.insert((Arc::clone(&session.who.key), session.mode));
        }
    }

    /// Estimated tokens of these definitions above which `auto` means the bridge tools.
    pub fn auto_tokens(&self, catalog: &Catalog) -> u64 {
        let set = self.options().auto_tokens.map(|tokens| tokens as u64);
        set.unwrap_or_else(|| worth::break_even(catalog.callable().count()))
    }

    /// Whether a client is shown the bridge tools.
    fn is_bridged(&self, session: &Session, catalog: &Catalog) -> bool {
        match self.mode_of(session) {
            Mode::Passthrough => false,
            Mode::Bridge => true,
            Mode::Auto => {
                // Skills are found by searching, and in no other way.
                catalog.skills().next().is_some()
                    || catalog.definition_tokens() > self.auto_tokens(catalog)
                    || self.shown.lock().contains(&(Arc::clone(&session.who.key), session.mode))
            }
        }
    }

    fn tell(&self, change: Change) {
        // Nobody listening is no failure.
        let _ = self.changes.send(change);
    }

    /// Takes another set of servers. Those whose entries are the same go on as they are; calls in
    /// flight at the others end before the server does.
    pub fn reconfigure(self: &Arc<Self>, servers: Vec<ServerSpec>) {
        let old = self.upstreams();
        let mut kept = Vec::new();
        let mut added = Vec::new();
        for spec in servers {
            match old.iter().find(|upstream| upstream.spec == spec) {
                Some(upstream) => kept.push(Arc::clone(upstream)),
                None => {
                    let upstream = Upstream::new(spec, Arc::clone(&self.around));
                    if let Some(terms) = self.terms.get() {
                        upstream.set_terms(terms.clone());
                    }
                    added.push(upstream);
                }
            }
        }
        let gone: Vec<Arc<Upstream>> = old
            .iter()
            .filter(|upstream| !kept.iter().any(|kept| Arc::ptr_eq(kept, upstream)))
            .cloned()
            .collect();
        if gone.is_empty() && added.is_empty() {
            return;
        }
        tracing::info!(
            "configuration changed: {} kept, {} new, {} gone",
            kept.len(),
            added.len(),
            gone.len()
        );
        kept.extend(added.iter().cloned());
        *self.upstreams.lock() = Arc::new(sorted(kept));
        for upstream in gone {
            tokio::spawn(async move { upstream.retire(RETIRE).await });
        }
        for upstream in &added {
            self.get_to_know(upstream);
        }
        self.around.learned.fetch_add(1, Ordering::SeqCst);
        // For clients to be told now, not when one of them asks.
        self.catalog();
        self.tell(Change::Prompts);
        self.tell(Change::Resources);
    }

    /// How many requests are being answered.
    pub(crate) fn in_flight(&self) -> usize {
        *self.under_way.borrow()
    }

    /// Waits until no request is being answered, at most so long.
    pub(crate) async fn drained(&self, patience: Duration) {
        let mut under_way = self.under_way.subscribe();
        let none = under_way.wait_for(|count| *count == 0);
        if tokio::time::timeout(patience, none).await.is_err() {
            let count = *self.under_way.borrow();
            tracing::warn!(
                "{count} requests are not done after {} s, and are cut",
                patience.as_secs()
            );
        }
    }

    /// Ends all servers.
    pub async fn shut_down(&self) {
        self.tell(Change::Ending);
        let stops: Vec<_> = self
            .upstreams()
            .iter()
            .map(|upstream| {
                let upstream = Arc::clone(upstream);
                tokio::spawn(async move { upstream.stop().await })
            })
            .collect();
        // Those that take longer are ended by their guards, once we are gone.
        let all = async {
            for stop in stops {
                let _ = stop.await;
            }
        };
        let patience =
            if self.options().guard.is_some() { GOODBYE } else { Duration::from_secs(5) };
        let _ = tokio::time::timeout(patience, all).await;
        let _ = tokio::time::timeout(patience, self.gate.has_kept()).await;
        let around = Arc::clone(&self.around);
        let _ = tokio::task::spawn_blocking(move || around.cache.flush()).await;
        if let Some(audit) = self.audit() {
            audit.flush().await;
        }
        if let Some(telemetry) = &self.telemetry {
            telemetry.flush().await;
        }
    }

    /// Reads anew which tools users have approved, and shows those to clients.
    pub fn reload_approvals(self: &Arc<Self>) {
        let mut any = false;
        for upstream in self.upstreams().iter() {
            any |= upstream.reload_approved();
        }
        if any {
            self.around.learned.fetch_add(1, Ordering::SeqCst);
            self.catalog();
        }
    }
}

/// A reason as it stands in an answer: on one line, and not of any length.
fn on_one_line(text: &str) -> String {
    clip(&text.split_whitespace().collect::<Vec<_>>().join(" "), 300)
}

fn sorted(mut upstreams: Vec<Arc<Upstream>>) -> Vec<Arc<Upstream>> {
    upstreams.sort_by(|a, b| a.name().cmp(b.name()));
    upstreams
}
