//! The servers and their tools: what there is, what is known of it, who may see what, and what is watched there.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use futures_util::StreamExt as _;
use tokio::sync::{Semaphore, mpsc};
use tokio::time::Instant;
use weir_base::{Mutex, clip, unix_now, without_command};
use weir_oauth::{Bearer, Logins, Others, Wish};
use weir_servers::memory::Screen;

use crate::clients::identity::Identity;
use crate::clients::profile::Profile;
use crate::clients::session::{Client, Session};
use crate::clients::{Change, Changes};
use crate::options::Current;
use crate::search::catalog::{Catalog, Tool};
use crate::search::names;
use crate::servers::known::{Known, KnownCache};
use crate::servers::spec::{People, ServerSpec};
use crate::servers::upstream::{Happening, Surroundings, Terms, Upstream};
use weir_mcp::frame::Bounds;
use weir_mcp::json::Json;
use weir_mcp::methods::Method;
use weir_mcp::wire::Era;

pub(crate) mod definitions;
pub(crate) mod difference;
pub(crate) mod digest;
pub mod environment;
pub(crate) mod hearing;
pub mod hints;
pub mod known;
pub(crate) mod listed;
mod lists;
pub(crate) mod pins;
pub mod spec;
pub(crate) mod texts;
pub mod upstream;

/// An account older than this is asked for anew when the gateway starts, in seconds.
const KNOWN_FOR: u64 = 7 * 24 * 3_600;

/// Servers that are known from an earlier run and are asked anew at a time.
const VERIFIED_AT_ONCE: usize = 2;

/// How long calls in flight keep a server that was taken out of the configuration.
const RETIRE: Duration = Duration::from_secs(300);

/// How often it is looked whether somebody has logged in.
const LOGIN_WATCH: Duration = Duration::from_secs(2);

/// Profiles of which catalogs are kept.
const MAX_PROFILES: usize = 64;

/// Resources, each at the server that has it.
type Watched = Vec<(Arc<Upstream>, String)>;

/// A catalog as clients of one profile see it.
#[derive(Debug)]
struct Admitted {
    profile: Arc<Profile>,
    of: Arc<Catalog>,
    catalog: Arc<Catalog>,
}

/// See the module.
#[derive(Debug)]
pub struct Servers {
    options: Current,
    around: Arc<Surroundings>,
    changes: Changes,
    upstreams: Mutex<Arc<Vec<Arc<Upstream>>>>,
    /// With the count of what had been learned of servers when it was made.
    catalog: Mutex<(u64, Arc<Catalog>)>,
    /// What clients of a profile may see of which catalog.
    admitted: Mutex<Vec<Admitted>>,
    /// The resources that each listener wants to hear of, at the servers that have them.
    watched: Mutex<BTreeMap<String, Watched>>,
    /// How servers are greeted, by the first client.
    terms: OnceLock<Terms>,
    /// Entries that cannot be used, with the reason.
    broken: Mutex<Arc<BTreeMap<String, String>>>,
}

impl Servers {
    /// These servers, none of which is started yet. What happens at them goes to `happenings`, what clients
    /// want to hear of to `changes`.
    pub(crate) fn new(
        servers: Vec<ServerSpec>,
        options: Current,
        spool_dir: PathBuf,
        (happenings, screen): (mpsc::Sender<Happening>, Screen),
        changes: Changes,
    ) -> Servers {
        let now = options.now();
        let around = Arc::new(Surroundings {
            guard: now.guard.clone(),
            bounds: Bounds::new(spool_dir),
            cache: KnownCache::new(now.state_dir.join("servers")),
            logins: Logins {
                folder: now.state_dir.join("logins"),
                others: now.common.clone().map(|common| Arc::new(common) as Arc<dyn Others>),
            },
            state: now.state_dir.clone(),
            screen,
            door: now.offer_logins.then(Arc::default),
            people: now.people.clone(),
            starts: Mutex::new(starts(now.parallel_starts)),
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
        Servers {
            options,
            around,
            changes,
            upstreams: Mutex::new(Arc::new(sorted(upstreams))),
            catalog: Mutex::default(),
            admitted: Mutex::default(),
            watched: Mutex::default(),
            terms: OnceLock::new(),
            broken: Mutex::default(),
        }
    }

    /// How large messages are held.
    pub(crate) fn bounds(&self) -> Bounds {
        self.around.bounds.clone()
    }

    /// How people are told apart, where each has an account of their own.
    pub(crate) fn people(&self) -> Option<&People> {
        self.around.people.as_ref()
    }

    /// The account that a login is for.
    pub(crate) fn account_of(&self, wish: &Wish) -> Option<Arc<Bearer>> {
        let upstreams = self.all();
        let of_people =
            |spec: &&ServerSpec| spec.key == wish.server && spec.identity == spec::Identity::Person;
        let spec = upstreams.iter().map(|upstream| &upstream.spec).find(of_people)?;
        let person = (&self.people()?.entrance, &*wish.person);
        spec.bearer(&self.around.logins, None, Some(person))
    }

    /// How many start at once from now on.
    pub(crate) fn set_starts(&self, count: usize) {
        *self.around.starts.lock() = starts(count);
    }

    /// All of them, by name.
    pub fn all(&self) -> Arc<Vec<Arc<Upstream>>> {
        self.upstreams.lock().clone()
    }

    /// Those that are there for this client.
    pub(crate) fn of(&self, client: &Client) -> Vec<Arc<Upstream>> {
        let there = self.of_profile(&client.session.who.profile).into_iter();
        there.map(|upstream| upstream.seen_by(client)).collect()
    }

    /// Whether clients of a profile, who see this catalog, are told of a server whose tools are known: where they have any
    /// of them, or are given servers and not tools.
    pub(crate) fn is_seen(&self, profile: &Profile, catalog: &Catalog, server: &str) -> bool {
        let offered = &self.options.now().offered;
        profile.tools.is_empty() && offered.is_open() || catalog.has_of(server)
    }

    /// Those that are there for clients of a profile.
    pub(crate) fn of_profile(&self, profile: &Profile) -> Vec<Arc<Upstream>> {
        let options = self.options.now();
        let may =
            |name| profile.may_admit_tools_of(name) && options.offered.may_admit_tools_of(name);
        self.all().iter().filter(|upstream| may(upstream.name())).cloned().collect()
    }

    /// All of them, each as this client would start it.
    pub(crate) fn seen_by(&self, client: &Client) -> Vec<Arc<Upstream>> {
        self.all().iter().map(|upstream| upstream.seen_by(client)).collect()
    }

    // --- their tools

    /// All tools as they are known now. Must be called within a tokio runtime: when clients see a
    /// difference to the last time, they are told, once for all that changes together.
    pub fn catalog(&self) -> Arc<Catalog> {
        let mut kept = self.catalog.lock();
        // Read before the servers are: what is learned meanwhile is for the next time.
        let learned = self.around.learned.load(Ordering::SeqCst);
        if kept.0 == learned {
            return Arc::clone(&kept.1);
        }
        let reserved = [&names::BRIDGE[..], &[names::READER]].concat();
        let options = self.options.now();
        let next = Catalog::build(&self.all(), &options.naming, &reserved);
        let next = if options.offered.is_open() { next } else { next.admitted(&options.offered) };
        let differs = kept.1.differs(&next);
        let same_servers = |(a, b): (&Tool, &Tool)| Arc::ptr_eq(&a.upstream, &b.upstream);
        // What is made of a catalog is kept for as long as it is the same one.
        if differs || !kept.1.tools().iter().zip(next.tools()).all(same_servers) {
            kept.1 = Arc::new(next);
        }
        kept.0 = learned;
        let catalog = Arc::clone(&kept.1);
        drop(kept);
        if differs {
            self.changes.tools_differ();
        }
        catalog
    }

    /// Something was learned that the catalog is made of. It is made anew for clients to be told now, not when
    /// one of them asks.
    fn learned(&self) {
        self.around.learned.fetch_add(1, Ordering::SeqCst);
        self.catalog();
    }

    /// What is listed has other names, or is of other servers.
    pub(crate) fn lists_differ(&self) {
        self.learned();
        self.changes.tell(Change::Prompts);
        self.changes.tell(Change::Resources);
    }

    /// The tools that this client may see.
    pub(crate) fn catalog_for(&self, session: &Session) -> Arc<Catalog> {
        self.catalog_of(&session.who.profile)
    }

    /// The tools that clients of this profile may see.
    pub(crate) fn catalog_of(&self, profile: &Arc<Profile>) -> Arc<Catalog> {
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
    pub(crate) fn profiles_known(&self) -> usize {
        self.admitted.lock().len().min(MAX_PROFILES)
    }

    /// All tools, once the servers that are not known yet have been started and asked, as long as a
    /// list may wait.
    pub async fn asked_catalog(&self) -> Arc<Catalog> {
        self.settle(self.all().to_vec()).await;
        self.catalog()
    }

    /// The tool of this name. When it is not known, servers that are not known yet are waited for.
    pub(crate) async fn find_tool(&self, client: &Client, name: &str) -> Option<Tool> {
        if let Some(tool) = self.catalog_for(&client.session).find(name) {
            return Some(tool.clone());
        }
        // Some servers have tools that they list only to clients that can do certain things.
        let wait = self.options.now().list_wait;
        let started = Instant::now();
        self.wait_for(self.seen_by(client), wait, |upstream| {
            upstream.current().is_none()
                && upstream.resting().is_none()
                && !upstream.is_known_for_terms()
        })
        .await;
        if let Some(tool) = self.catalog_for(&client.session).find(name) {
            return Some(tool.clone());
        }
        self.whole_lists_until(started + wait).await;
        self.catalog_for(&client.session).find(name).cloned()
    }

    /// Before one server, under its own names, a tool that is not listed may still be one: it is for
    /// the server to say.
    pub(crate) fn unlisted_tool(&self, client: &Client, name: &str) -> Option<Tool> {
        let upstreams = self.all();
        let [only] = &upstreams[..] else { return None };
        let name = names::own_part(name, only.name()).unwrap_or(name);
        let options = self.options.now();
        let plain = !options.naming.prefix
            && only.spec.admits(name)
            && options.offered.admits_tool(only.name(), name)
            && client.session.who.profile.admits_tool(only.name(), name)
            && !only.withholds(name)
            && !only.spec.approve
            && !only.spec.rename.contains_key(name);
        plain.then(|| Tool::unlisted(only, name))
    }

    /// Reads anew which tools users have approved, and shows those to clients.
    pub fn reload_approvals(&self) {
        let mut any = false;
        for upstream in self.all().iter() {
            any |= upstream.reload_approved();
        }
        if any {
            self.learned();
        }
    }

    /// Takes over what other gateways learned of servers, as these documents have it, and what was approved there.
    pub(crate) fn learned_elsewhere(&self, documents: &BTreeSet<String>) {
        for upstream in self.all().iter() {
            upstream.learned_elsewhere(documents);
        }
        self.reload_approvals();
        self.learned();
    }

    // --- those that cannot be used

    /// Takes note of entries that cannot be used, so that a call of their tools is told why.
    pub fn set_broken(&self, broken: BTreeMap<String, String>) {
        let for_clients = |(server, why): (String, String)| (server, without_command(&why));
        *self.broken.lock() = Arc::new(broken.into_iter().map(for_clients).collect());
    }

    /// The entries that cannot be used, with the reason.
    pub(crate) fn broken(&self) -> Arc<BTreeMap<String, String>> {
        Arc::clone(&self.broken.lock())
    }

    /// Why the server that a tool's name begins with is not there, if that is known.
    pub(crate) fn why_missing(&self, tool: &str) -> Option<String> {
        for upstream in self.all().iter() {
            let plain = (!self.options.now().naming.prefix).then_some(tool);
            let own = names::own_part(tool, upstream.name()).or(plain);
            if let Some(own) = own.filter(|own| upstream.withholds(own)) {
                return Some(upstream.why_withheld(own));
            }
        }
        let broken = self.broken();
        let (server, reason) =
            broken.iter().find(|(server, _)| names::own_part(tool, server).is_some())?;
        Some(format!("server {server} is left out: {reason}"))
    }

    /// Why a tool of this name cannot be had now, where it is of a server that is down: its name, and why.
    pub(crate) fn down_server_of(&self, client: &Client, tool: &str) -> Option<(String, String)> {
        let tool = tool.strip_prefix("mcp__").unwrap_or(tool);
        for upstream in self.of(client) {
            if upstream.known().is_none() && names::own_part(tool, upstream.name()).is_some() {
                let why = upstream.needs_login().or_else(|| upstream.why_down());
                let why = why.unwrap_or_else(|| "it is still starting; try again soon".to_owned());
                return Some((upstream.name().to_owned(), on_one_line(&why)));
            }
        }
        let broken = self.broken();
        let admitted = |server: &str| client.session.who.profile.admits_server(server);
        let mut broken = broken.iter();
        let found =
            broken.find(|(server, _)| names::own_part(tool, server).is_some() && admitted(server));
        found.map(|(server, why)| (server.clone(), on_one_line(why)))
    }

    // --- started, and waited for

    /// Gets to know the servers that are not known yet. Happens once, when the first client has said
    /// what it can do: servers offer tools by that. Where others may come, it is no one client's
    /// capabilities that count.
    pub(crate) fn begin(&self, who: &Identity, era: Era, capabilities: &Json) {
        let mut first = false;
        let terms = self.terms.get_or_init(|| {
            first = true;
            match who.is_beside_others() {
                true => Terms::shared(era),
                false => Terms { era, capabilities: capabilities.clone() },
            }
        });
        if first {
            for upstream in self.all().iter() {
                upstream.set_terms(terms.clone());
                upstream.leave_other_era();
                get_to_know(upstream);
            }
            verify(&self.all());
        }
    }

    /// Starts each server that is not known yet once, before there is a client: the first one finds tools.
    /// What fails is left to clients, as always.
    pub(crate) fn try_all(&self) {
        let unknown =
            |upstream: &&Arc<Upstream>| upstream.known().is_none() && !upstream.is_nobodys();
        for upstream in self.all().iter().filter(unknown) {
            upstream.set_terms(Terms::shared(Era::Modern));
            let upstream = Arc::clone(upstream);
            tokio::spawn(async move {
                if let Err(error) = upstream.live().await {
                    error.log();
                }
            });
        }
    }

    /// Waits for the servers that are not known yet, as long as a list may wait.
    pub(crate) async fn settle(&self, upstreams: Vec<Arc<Upstream>>) {
        let wait = self.options.now().list_wait;
        let started = Instant::now();
        let wanted =
            |upstream: &Upstream| upstream.known().is_none() && upstream.resting().is_none();
        self.wait_for(upstreams, wait, wanted).await;
        self.whole_lists_until(started + wait).await;
    }

    /// The same for those that had no chance yet. One that failed does not hold up each search.
    pub(crate) async fn first_settle(&self, client: &Client) {
        self.first_look(client, self.options.now().list_wait).await;
    }

    /// The same, for so long.
    pub(crate) async fn first_look(&self, client: &Client, wait: Duration) {
        let wanted = |upstream: &Upstream| upstream.known().is_none() && !upstream.has_failed();
        self.wait_for(self.seen_by(client), wait, wanted).await;
    }

    /// Waits for lists of tools of which more is to come, as long as a list may wait.
    pub(crate) async fn whole_lists(&self) {
        self.whole_lists_until(Instant::now() + self.options.now().list_wait).await;
    }

    async fn whole_lists_until(&self, until: Instant) {
        for upstream in self.all().iter() {
            let _ = tokio::time::timeout_at(until, upstream.whole_list()).await;
        }
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
        let deadline = Instant::now() + wait;
        for start in starts {
            let _ = tokio::time::timeout_at(deadline, start).await;
        }
    }

    /// How long a list of all servers may be taken for fresh, where one of them said so.
    pub(crate) fn shortest_time(&self, client: &Client, method: Method) -> Option<Duration> {
        let upstreams = self.of(client);
        let time = |upstream: &Arc<Upstream>| match method {
            _ if upstream.is_remembered() => Some(Duration::ZERO),
            // Those are the first instance's.
            Method::ListTools => upstream.time_of(method),
            _ => upstream.listing_for(client).time_of(method),
        };
        upstreams.iter().filter_map(time).min()
    }

    /// Takes another set of servers. Those whose entries are the same go on as they are; calls in
    /// flight at the others end before the server does.
    pub fn reconfigure(&self, servers: Vec<ServerSpec>) {
        let old = self.all();
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
            get_to_know(upstream);
        }
        self.lists_differ();
    }

    /// Ends all of them, as far as that takes no longer than `patience`.
    pub(crate) async fn stop(&self, patience: Duration) {
        let stop = |upstream: &Arc<Upstream>| {
            let upstream = Arc::clone(upstream);
            tokio::spawn(async move { upstream.stop().await })
        };
        let stops: Vec<_> = self.all().iter().map(stop).collect();
        let all = async {
            for stop in stops {
                let _ = stop.await;
            }
        };
        let _ = tokio::time::timeout(patience, all).await;
    }

    /// Writes what is known of them.
    pub(crate) async fn flush(&self) {
        let around = Arc::clone(&self.around);
        let _ = tokio::task::spawn_blocking(move || around.cache.flush()).await;
    }

    // --- what clients want to hear of them

    /// Takes note of which log messages a client wants.
    pub(crate) fn note_level(&self, session: &Session) {
        self.around.levels.lock().insert(session.id.clone(), session.log_level());
    }

    /// The same of a client that has changed its mind: servers are told.
    pub(crate) async fn set_level(&self, session: &Session) {
        self.note_level(session);
        for upstream in self.all().iter() {
            for live in upstream.links() {
                upstream.set_log_level(&live, None).await;
            }
        }
    }

    /// What a client that is gone wanted of log messages counts no more, also before anybody makes a call.
    fn forget_level(&self, session: &Session) {
        if self.around.levels.lock().remove(&session.id).flatten().is_none() {
            return;
        }
        for upstream in self.all().iter() {
            for live in upstream.links() {
                let upstream = Arc::clone(upstream);
                tokio::spawn(async move { upstream.set_log_level(&live, None).await });
            }
        }
    }

    /// Forgets what a client that is gone wanted, and ends what ran for it alone.
    pub(crate) async fn farewell(&self, session: &Session) {
        self.forget_level(session);
        self.unwatch(&listener_of(session));
        for upstream in self.all().iter() {
            upstream.end_instances_of(&session.who.key).await;
        }
    }

    /// Sets what one listener wants to hear of, and tells the servers what all want together.
    pub(crate) async fn watch(&self, client: &Client, listener: &str, uris: BTreeSet<String>) {
        let mut wanted = Vec::new();
        for uri in uris {
            if let Some((upstream, own)) = self.find_resource(client, &uri).await {
                wanted.push((upstream.serving(client), own));
            }
        }
        self.set_watched(listener, wanted);
    }

    /// Forgets what a listener that is gone wanted to hear of.
    pub(crate) fn unwatch(&self, listener: &str) {
        self.set_watched(listener, Vec::new());
    }

    fn set_watched(&self, listener: &str, wanted: Watched) {
        let all: Watched = {
            let mut watched = self.watched.lock();
            match wanted.is_empty() {
                true => watched.remove(listener),
                false => watched.insert(listener.to_owned(), wanted),
            };
            watched.values().flatten().cloned().collect()
        };
        let upstreams = self.all();
        let further = upstreams.iter().flat_map(|upstream| upstream.further());
        for upstream in upstreams.iter().cloned().chain(further) {
            let of_this = all.iter().filter(|(of, _)| Arc::ptr_eq(of, &upstream));
            let wanted: BTreeSet<String> = of_this.map(|(_, uri)| uri.clone()).collect();
            let needs_start = !wanted.is_empty() && upstream.current().is_none();
            upstream.subscribe(wanted);
            if needs_start {
                tokio::spawn(async move { upstream.live().await.map(drop) });
            }
        }
    }
}

/// The listener that a legacy client is.
pub(crate) fn listener_of(session: &Session) -> String {
    format!("session {}", session.id)
}

/// A reason as it stands in an answer: on one line, and not of any length.
pub(crate) fn on_one_line(text: &str) -> String {
    clip(&text.split_whitespace().collect::<Vec<_>>().join(" "), 300)
}

fn starts(count: usize) -> Arc<Semaphore> {
    Arc::new(Semaphore::new(count.max(1)))
}

fn sorted(mut upstreams: Vec<Arc<Upstream>>) -> Vec<Arc<Upstream>> {
    upstreams.sort_by(|a, b| a.name().cmp(b.name()));
    upstreams
}

/// Asks those that are known from an earlier run in the background: what they have may be other by now.
fn verify(upstreams: &[Arc<Upstream>]) {
    let remembered = upstreams.iter().filter(|upstream| upstream.is_remembered());
    let asks: Vec<_> = remembered.map(Arc::downgrade).collect();
    let asks = asks.into_iter().map(async |upstream| {
        let Some(upstream) = upstream.upgrade().filter(|it| it.is_remembered()) else { return };
        if let Err(error) = upstream.live().await {
            error.log();
        }
    });
    let asks = futures_util::stream::iter(asks).buffer_unordered(VERIFIED_AT_ONCE);
    tokio::spawn(asks.collect::<()>());
}

/// Starts a server in the background until it is known, with the waits that failures bring.
fn get_to_know(upstream: &Arc<Upstream>) {
    let recent = |known: &Known| known.listed_at + KNOWN_FOR > unix_now();
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
