//! Further instances of a server, for clients that cannot share the first one.
//!
//! A server is greeted once, in one era and with one client's capabilities. A client of the other era
//! gets a link in its own era, where the server speaks both; where the entry says so, each client
//! has its own. The first instance is the one that is listed, and whose account is kept.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::time::Instant;

use crate::clients::profile::Profile;
use crate::clients::session::{Client, person_owner};
use crate::servers::known::{Known, abilities};
use crate::servers::spec::{Identity, Instance, Reach};
use crate::servers::upstream::eras::{Eras, other};
use weir_mcp::connection::Owner;
use weir_mcp::json::Json;
use weir_mcp::wire::Era;

use super::{Account, Live, Upstream};
use weir_base::Mutex;
use weir_servers::BuiltIn;

/// How long an instance without calls is kept.
const IDLE: Duration = Duration::from_secs(900);

/// How a server is greeted.
#[derive(Debug, Clone)]
pub struct Terms {
    /// The era that is tried first.
    pub era: Era,
    /// The capabilities that it is told of.
    pub capabilities: Json,
}

impl Terms {
    /// For a server that several clients share: what can be asked within the call that it belongs to.
    /// Roots are a client's own, and are told to nobody who works for others too.
    pub fn shared(era: Era) -> Terms {
        let text = r#"{"elicitation":{"form":{},"url":{}},"sampling":{}}"#;
        Terms { era, capabilities: Json::assembled(text.into()) }
    }
}

impl Default for Terms {
    fn default() -> Self {
        Terms { era: Era::Modern, capabilities: Json::empty() }
    }
}

/// Whom an instance is for: an era, one client where each has its own, and one person where each has an account.
type Key = (Era, Option<Arc<str>>, Option<Arc<str>>);

#[derive(Debug, Default)]
pub(super) struct Instances {
    terms: Mutex<Terms>,
    further: Mutex<BTreeMap<Key, Arc<Upstream>>>,
    /// Of a further instance: the first one, and whom it is for.
    base: Option<(Weak<Upstream>, Key)>,
    used: Mutex<Option<Instant>>,
    /// How many want it to run now.
    wanted: AtomicUsize,
}

/// Says that a server is wanted: it is not stopped for having nothing to do while this is there.
#[derive(Debug)]
pub struct Wanted(Arc<Upstream>);

impl Drop for Wanted {
    fn drop(&mut self) {
        self.0.instances.touch();
        self.0.instances.wanted.fetch_sub(1, Ordering::SeqCst);
    }
}

impl Instances {
    /// Notes that it is used now. A later time that was noted stays.
    fn touch(&self) {
        let mut used = self.used.lock();
        *used = Some(used.map_or_else(Instant::now, |used| used.max(Instant::now())));
    }
}

impl Upstream {
    /// How it is greeted at its next start.
    pub fn terms(&self) -> Terms {
        self.instances.terms.lock().clone()
    }

    /// Whether its tools are known as it lists them to a client that can do at least what this one can.
    /// A client that can do less is listed the same: nothing is started for that.
    pub fn is_known_for_terms(&self) -> bool {
        let abilities = abilities(&self.terms().capabilities);
        let covers = |listed: &String| {
            abilities
                .split(' ')
                .all(|name| name.is_empty() || listed.split(' ').any(|other| other == name))
        };
        self.known().is_some_and(|known| known.listed_for.iter().any(covers))
    }

    /// For whom it lists what it lists now: clients that can do this.
    pub(super) fn listed_for(&self) -> BTreeSet<String> {
        BTreeSet::from([abilities(&self.terms().capabilities)])
    }

    /// Sets how it is greeted.
    pub fn set_terms(&self, terms: Terms) {
        *self.instances.terms.lock() = terms;
    }

    /// The one client that this instance is for, by its key.
    pub fn client(&self) -> Option<&Arc<str>> {
        self.instances.base.as_ref()?.1.1.as_ref()
    }

    /// The one client, or the one person, that this instance is for.
    pub(crate) fn owner(&self) -> Option<Owner> {
        let (_, client, person) = &self.instances.base.as_ref()?.1;
        client.clone().or_else(|| person.as_ref().map(|name| person_owner(name)))
    }

    /// The one person that this instance is for.
    pub(super) fn person(&self) -> Option<&str> {
        self.instances.base.as_ref()?.1.2.as_deref()
    }

    /// Whether it keeps notes of a person.
    fn is_memory(&self) -> bool {
        matches!(self.spec.reach, Reach::BuiltIn(BuiltIn::Memory(_)))
    }

    /// The first instance, when this is another.
    pub fn base(&self) -> Option<Arc<Upstream>> {
        self.instances.base.as_ref()?.0.upgrade()
    }

    /// The further instances.
    pub fn further(&self) -> Vec<Arc<Upstream>> {
        self.instances.further.lock().values().cloned().collect()
    }

    /// The links of all its instances.
    pub fn links(&self) -> Vec<Arc<Live>> {
        let further = self.further();
        self.current().into_iter().chain(further.iter().filter_map(|one| one.current())).collect()
    }

    /// The era of the first instance, as it runs or would be started.
    fn era(&self) -> Era {
        if let Some(live) = self.current() {
            return live.era;
        }
        let wanted = self.terms().era;
        self.eras().home(wanted).unwrap_or(wanted)
    }

    /// What it offers in each era, as far as is known.
    pub(super) fn eras(&self) -> Eras {
        self.known().map(|known| known.eras).unwrap_or_default()
    }

    /// The era in which it is greeted first. A further instance is for one era.
    pub(super) fn first_era(&self) -> Era {
        let (wanted, eras) = (self.terms().era, self.eras());
        match &self.spec.reach {
            Reach::Http { sse: true, .. } => Era::Legacy,
            // What is in this process offers the same in both.
            Reach::BuiltIn(_) | Reach::OpenApi(_) => wanted,
            _ if self.instances.base.is_some() && eras.speaks(wanted) => wanted,
            _ => eras.home(wanted).unwrap_or(Era::Modern),
        }
    }

    /// Ends a link that nobody has used where it is not of the era that is wanted: the next call starts it
    /// in that one, and there need not be two.
    pub(crate) fn leave_other_era(self: &Arc<Self>) {
        let home = self.eras().home(self.terms().era);
        let other = |live: &Arc<Live>| {
            home.is_some_and(|era| live.era != era) && self.instances.used.lock().is_none()
        };
        if let Some(live) = self.live.lock().take_if(|live| other(live)) {
            tokio::spawn(async move { live.end().await });
        }
    }

    /// The instance that makes this client's calls: in the client's era, where the server speaks it.
    pub fn serving(self: &Arc<Self>, client: &Client) -> Arc<Upstream> {
        self.instance(client, client.era)
    }

    /// The instance whose lists this client sees, and which reads skills for it: in the era that has skills, where the
    /// client's own has none.
    pub(crate) fn listing_for(self: &Arc<Self>, client: &Client) -> Arc<Upstream> {
        let era = match self.eras().lacks_skills(client.era) {
            true => other(client.era),
            false => client.era,
        };
        self.instance(client, era)
    }

    fn instance(self: &Arc<Self>, client: &Client, era: Era) -> Arc<Upstream> {
        let who = &client.session.who;
        let (eras, is_alone) = (self.eras(), !who.is_beside_others());
        // The only client shares the one instance, unless that one was started for skills.
        if self.instances.base.is_some() || is_alone && !eras.lacks_skills(client.era) {
            return Arc::clone(self);
        }
        let own = !is_alone && self.spec.instance == Instance::Client;
        let owner = own.then(|| Arc::clone(&who.key));
        // Clients of one user's gateway are that user.
        let is_persons = self.spec.identity == Identity::Person || self.is_memory();
        let of_person = is_persons && !is_alone && who.session.is_none();
        let person = of_person.then(|| Arc::from(&*who.profile.name));
        if owner.is_none() && person.is_none() && (self.era() == era || !eras.speaks(era)) {
            return Arc::clone(self);
        }
        let terms = match is_alone || own {
            true => Terms { era, capabilities: client.capabilities.clone() },
            false => Terms::shared(era),
        };
        let key = (era, owner, person);
        let mut further = self.instances.further.lock();
        let (instance, is_new) = match further.get(&key) {
            Some(instance) if instance.unready.is_none() || self.is_memory() => {
                (Arc::clone(instance), false)
            }
            _ => {
                let instance = self.another(key.clone(), terms, &who.profile);
                further.insert(key.clone(), Arc::clone(&instance));
                (instance, true)
            }
        };
        drop(further);
        *instance.instances.used.lock() = Some(Instant::now());
        // What it showed first stays the same for as long as the session.
        let has_session = client.era == Era::Legacy || who.session.is_some();
        if is_new && !(has_session && self.is_memory()) {
            tokio::spawn(end_when_idle(Arc::downgrade(self), key));
        }
        instance
    }

    /// Whether each person has an account of their own here.
    fn is_peoples(&self) -> bool {
        self.spec.identity == Identity::Person && self.around.people.is_some()
    }

    /// Whether it is the first instance of such a server without a login for listing its tools: it is not started.
    pub(crate) fn is_nobodys(&self) -> bool {
        let login = || self.bearer.as_ref().and_then(|bearer| bearer.login().ok().flatten());
        self.is_peoples() && self.instances.base.is_none() && login().is_none()
    }

    /// Itself, or the instance of the client's person where that is the one that can be started.
    pub(crate) fn seen_by(self: &Arc<Self>, client: &Client) -> Arc<Upstream> {
        match self.is_nobodys() {
            true => self.serving(client),
            false => Arc::clone(self),
        }
    }

    fn another(self: &Arc<Self>, key: Key, terms: Terms, profile: &Profile) -> Arc<Upstream> {
        let (mut spec, mut bearer) = (self.spec.clone(), self.bearer.clone());
        let mut unready = None;
        if key.2.is_some() {
            let people = self.around.people.as_ref().filter(|_| !profile.name.is_empty());
            match people {
                _ if self.is_memory() => {
                    let nobody =
                        "memory needs a token: without one it is not known whose the notes are";
                    unready = profile.name.is_empty().then(|| nobody.to_owned());
                }
                None => {
                    let nobody =
                        "it is called as the person who calls, and it is not known who that is";
                    unready = Some(nobody.to_owned());
                }
                Some(people) => match self.spec.of_person(&self.around.logins, profile, people) {
                    Ok(own) => (spec, bearer) = own,
                    Err(reason) => unready = Some(reason),
                },
            }
        }
        // What is known of the first one: of its own this one learns when it starts.
        let known = Account { known: self.known(), ..Account::default() };
        let instances = Instances {
            terms: Mutex::new(terms),
            base: Some((Arc::downgrade(self), key)),
            ..Instances::default()
        };
        let kept = (self.place.clone(), known, self.approved.lock().clone());
        Upstream::of((spec, bearer, unready), Arc::clone(&self.around), kept, instances)
    }

    /// Keeps it running for so long although nothing is called: it has something to do.
    pub(crate) fn keep_for(&self, time: Duration) {
        *self.instances.used.lock() = Some(Instant::now() + time);
    }

    /// Says that it is wanted.
    pub fn wanted(self: &Arc<Self>) -> Wanted {
        self.instances.wanted.fetch_add(1, Ordering::SeqCst);
        self.instances.touch();
        Wanted(Arc::clone(self))
    }

    /// Stops the server once it had nothing to do for as long as its entry says. What it is, is known, and
    /// the next call starts it again.
    pub(super) async fn stop_when_idle(this: Weak<Upstream>, live: Weak<Live>, idle: Duration) {
        loop {
            let next = match this.upgrade().map(|this| *this.instances.used.lock()) {
                Some(Some(used)) => used + idle,
                Some(None) => Instant::now() + idle,
                None => return,
            };
            // What is wanted for long is looked at now and then.
            tokio::time::sleep_until(next.max(Instant::now() + idle / 8)).await;
            let (Some(this), Some(live)) = (this.upgrade(), live.upgrade()) else { return };
            if live.connection.closed().is_some() {
                return;
            }
            if !this.subscribed().is_empty() {
                continue;
            }
            // Who wants it from here on finds no link, and starts it again.
            let stopped = {
                let mut current = this.live.lock();
                let used =
                    this.instances.used.lock().is_some_and(|used| used + idle > Instant::now());
                match used || this.instances.wanted.load(Ordering::SeqCst) > 0 {
                    true => None,
                    false => current.take(),
                }
            };
            if let Some(live) = stopped {
                tracing::info!(
                    server = this.name(),
                    "stopped after {} s without a call",
                    idle.as_secs_f32()
                );
                live.end().await;
                return;
            }
        }
    }

    /// Tells the first instance what the server offers in which era, as seen by this one.
    pub(super) fn tell_base(&self, seen: Eras) {
        let Some(base) = self.base() else { return };
        base.learn(|known| {
            let known = known?;
            let eras = seen.over(known.eras);
            (eras != known.eras).then(|| Known { eras, ..known.clone() })
        });
    }

    /// Ends the instances of a client that is gone.
    pub async fn end_instances_of(&self, client: &str) {
        let gone: Vec<Arc<Upstream>> = {
            let mut further = self.instances.further.lock();
            let keys: Vec<Key> = further
                .keys()
                .filter(|(_, owner, _)| owner.as_deref() == Some(client))
                .cloned()
                .collect();
            keys.iter().filter_map(|key| further.remove(key)).collect()
        };
        for instance in gone {
            instance.stop_this().await;
        }
    }

    /// All further instances, which are none of this server's any more.
    pub(super) fn take_further(&self) -> Vec<Arc<Upstream>> {
        std::mem::take(&mut *self.instances.further.lock()).into_values().collect()
    }
}

async fn end_when_idle(base: Weak<Upstream>, key: Key) {
    loop {
        tokio::time::sleep(IDLE / 4).await;
        let Some(base) = base.upgrade() else { return };
        let idle = {
            let mut further = base.instances.further.lock();
            let Some(instance) = further.get(&key) else { return };
            let used = *instance.instances.used.lock();
            let busy = instance.current().is_some_and(|live| live.connection.in_flight() > 0);
            let patience = base.spec.idle_stop.unwrap_or(IDLE).min(IDLE);
            if busy || used.is_some_and(|used| used.elapsed() < patience) {
                None
            } else {
                further.remove(&key)
            }
        };
        if let Some(instance) = idle {
            instance.stop_this().await;
            return;
        }
    }
}
