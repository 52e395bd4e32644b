//! Results that several gateways share: kept in the tier before their handles are shown, fetched before they are read.
//!
//! With a tier, results of who came with a named token are that token's, in a session that every gateway names alike. A client
//! without one is nobody that another gateway could know again.

use std::sync::Arc;
use std::time::{Duration, Instant};

use weir_host::Weir;
use weir_tier::{Tier, TierError};

use super::{Gate, GateError, Handle};
use crate::clients::identity::Identity;
use crate::clients::profile::Profile;

/// How often what others forgot is looked for.
const LOOK: Duration = Duration::from_secs(5);
/// How often it is asked whose turn it is to sweep.
const SWEEP: Duration = Duration::from_secs(600);
/// How long blobs that nobody holds stay: longer than any put takes.
const GRACE: Duration = Duration::from_secs(3_600);
/// How long uploads may take when the gateway ends.
const LAST: Duration = Duration::from_secs(30);
/// Ids in one call that are looked for.
const IDS: usize = 8;

/// What is said of a result that no other gateway can read.
pub(crate) const ALONE: &str = "[weir: this result is kept by this gateway alone, for as long as it runs: the client has no token of its \
                               own, so another gateway could not know it again.]";

/// The session of the results of whoever has this name.
#[must_use]
pub fn session_of_name(name: &str) -> String {
    format!("~{name}")
}

impl Gate {
    /// The same, sharing results through a tier.
    #[must_use]
    pub fn with_tier(self, tier: Option<Arc<Tier>>) -> Gate {
        Gate { tier, ..self }
    }

    /// The tier, where there is one.
    pub(crate) fn tier(&self) -> Option<&Tier> {
        self.tier.as_deref()
    }

    /// The session of a client's results.
    pub(crate) fn session_of(&self, who: &Identity) -> String {
        match self.tier.is_some() && who.session.is_none() && !who.profile.name.is_empty() {
            true => session_of_name(&who.profile.name),
            false => who.store_session(&self.session),
        }
    }

    /// Whether results of a session are kept by this gateway alone although there is a tier: nobody named it.
    pub(crate) fn is_alone(&self, session: &str) -> bool {
        self.tier.is_some() && !self.is_shared(session)
    }

    fn is_shared(&self, session: &str) -> bool {
        let own = session.strip_prefix(&self.session).is_some_and(|rest| rest.starts_with('.'));
        !own && !session.starts_with("stdio-")
    }

    /// Makes results safe that the component has just stored.
    pub(super) async fn keep(&self, session: &str, handles: &[Handle]) -> Result<(), GateError> {
        self.beside.note_stored(session);
        let Some(tier) = &self.tier else { return Ok(()) };
        if handles.is_empty() || !self.is_shared(session) {
            return Ok(());
        }
        let ids: Vec<&str> = handles.iter().map(|handle| handle.id.as_str()).collect();
        tier.keep(session, &ids).await.map_err(|error| {
            GateError(format!("it could not be stored where gateways share results: {error}"))
        })
    }

    /// The session in which the results can be read that a text names: the client's own, one that it may read, or that of a
    /// result that was granted to it. They are fetched where that is needed. The second value is what is to be said of it.
    pub(super) async fn reach(
        &self,
        who: &Identity,
        asked: &str,
    ) -> Result<(String, Option<String>), GateError> {
        let own = self.session_of(who);
        let others = &who.profile.reads_results_of;
        let shared = self.tier.as_deref().filter(|_| self.is_shared(&own));
        if shared.is_none() && others.is_empty() {
            return Ok((own, None));
        }
        let ids = ids_in(asked);
        if ids.is_empty() || !names_one(asked) {
            let note = match shared {
                Some(tier) => unsearched(tier.all(&own).await),
                None => None,
            };
            return Ok((own, note));
        }
        let mut failure = None;
        let names = others.iter().map(|name| self.session_of_other(name));
        for session in std::iter::once(own.clone()).chain(names) {
            match self.have(&session, &ids).await {
                Ok(true) => return Ok((session, None)),
                Ok(false) => {}
                Err(error) => failure = Some(error),
            }
        }
        if let (Some(tier), [id]) = (shared, &ids[..]) {
            match tier.granted(&own, id).await {
                Ok(Some(session)) => return Ok((session, None)),
                Ok(None) => {}
                Err(error) => failure = Some(error),
            }
        }
        match failure {
            Some(error) => {
                Err(GateError(format!("they are where gateways share results: {error}")))
            }
            None => Ok((own, None)),
        }
    }

    /// The session of a colleague, as far as its results are not those of single connections.
    pub(crate) fn session_of_other(&self, name: &str) -> String {
        let profile = Profile { name: name.to_owned(), shares_results: true, ..Profile::default() };
        self.session_of(&Identity::beside_others(&Arc::new(profile), None))
    }

    async fn have(&self, session: &str, ids: &[String]) -> Result<bool, TierError> {
        for id in ids {
            let has = match &self.tier {
                Some(tier) => tier.has(session, id).await?,
                None => {
                    let (session, id) = (session.to_owned(), id.clone());
                    self.run(move |weir| Ok(weir.stat(&session, &id).is_ok()))
                        .await
                        .unwrap_or(false)
                }
            };
            if !has {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Looks after the tier for as long as the gateway runs: drops what was forgotten elsewhere, uploads what was left, and
    /// sweeps when it is this gateway's turn.
    pub async fn look_after_tier(self) {
        let Some(tier) = &self.tier else { return };
        let (mut looked, mut swept, mut failed) = (None::<Instant>, Instant::now(), false);
        loop {
            let mut work = async || -> Result<(), TierError> {
                if looked.is_none_or(|looked| looked.elapsed() >= LOOK) {
                    let gone = tier.forgotten(looked.is_none()).await?;
                    looked = Some(Instant::now());
                    for (session, id) in gone {
                        let _ = self.run(move |weir| weir.forget(&session, &id)).await;
                    }
                }
                tier.upload_promised().await?;
                if swept.elapsed() >= SWEEP {
                    swept = Instant::now();
                    // What was fetched takes room like what was put.
                    let _ = self.run(|weir| weir.sweep(|_| ())).await;
                    if tier.may_sweep().await? {
                        let done = tier.sweep(self.lifetime(), GRACE).await?;
                        tracing::info!(
                            "swept where gateways share results: {} expired, {} blobs put away, {} removed",
                            done.expired,
                            done.put_away,
                            done.removed
                        );
                    }
                }
                Ok(())
            };
            match work().await {
                Ok(()) => failed = false,
                Err(error) if !failed => {
                    failed = true;
                    tracing::warn!("where gateways share results: {error}");
                }
                Err(_) => {}
            }
            tier.wait(LOOK).await;
        }
    }

    /// How long a reference lives after its last use.
    fn lifetime(&self) -> Duration {
        let set = |key| self.setting(key).unwrap_or_default();
        let seconds = set("store.ttl").max(set("store.hot_ttl"));
        Duration::from_secs(if seconds > 0 { seconds } else { 7 * 24 * 3_600 })
    }

    /// Ends uploads that were promised.
    pub async fn end_uploads(&self) {
        let Some(tier) = &self.tier else { return };
        match tokio::time::timeout(LAST, tier.upload_promised()).await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::warn!("some results are on this machine alone: {error}"),
            Err(_) => tracing::warn!("some results are on this machine alone: no time was left"),
        }
    }

    /// A directory that was deleted under the gateway is made again: with a tier it is a cache.
    pub(super) fn has_directory(&self, _: &Weir) {
        if let Some(tier) = &self.tier {
            tier.has_directory();
        }
    }
}

fn unsearched(all: Result<usize, TierError>) -> Option<String> {
    match all {
        Ok(0) => None,
        Ok(left) => Some(format!(
            "[weir: {left} older results of this session that other gateways stored were not looked at: name one by its id.]"
        )),
        Err(error) => Some(format!(
            "[weir: results that other gateways stored were not looked at: {error}. Ask again later.]"
        )),
    }
}

/// Whether what is asked is about results that it names, and not about all of a session's: an argument `id`, also in JSON that
/// was put into a string, a reference, or an id by itself.
fn names_one(asked: &str) -> bool {
    ["id\"", "id\\\"", "$weir", "weir://"].iter().any(|sign| asked.contains(sign))
        || !asked.contains('{')
}

/// What may be ids in a text: hexadecimal digits, as many as an id has.
fn ids_in(text: &str) -> Vec<String> {
    let mut ids: Vec<String> = Vec::new();
    for word in text.split(|c: char| !c.is_ascii_alphanumeric()) {
        let is_id = (12..=64).contains(&word.len()) && word.bytes().all(|b| b.is_ascii_hexdigit());
        let id = word.to_ascii_lowercase();
        if is_id && ids.len() < IDS && !ids.contains(&id) {
            ids.push(id);
        }
    }
    ids
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_whatever_names_them() {
        let digest = "5f1e0c9a77d2".repeat(5) + "abcd";
        assert_eq!(ids_in(r#"{"id":" 5F1E0C9A77D2\n","mode":"head"}"#), ["5f1e0c9a77d2"]);
        assert_eq!(ids_in(&format!("weir://sha256/{digest}")), [digest.as_str()]);
        assert_eq!(
            ids_in(r#"{"a":"weir://blob/5f1e0c9a77d2#L1-2","b":{"$weir":"00112233445a"}}"#).len(),
            2
        );
        assert!(ids_in(r#"{"id":"5f1e","pattern":"x5f1e0c9a77d2"}"#).is_empty());
        assert_eq!(ids_in(&(0..20).map(|n| format!("{n:012x} ")).collect::<String>()).len(), IDS);
    }

    #[test]
    fn who_has_a_name_has_one_session_on_every_gateway_and_nobody_else_shares() {
        let folder = tempfile::tempdir().unwrap();
        let settings = weir_tier::Settings::at(&folder.path().join("tier").display().to_string());
        let tier = Arc::new(Tier::open(&settings, &folder.path().join("store")).unwrap());
        let [one, other] = ["default", "project"]
            .map(|session| Gate::new(Err("none".into()), session).with_tier(Some(tier.clone())));
        let named = |name: &str, session: Option<&str>| {
            let profile = Profile { name: name.into(), ..Profile::default() };
            Identity::beside_others(&Arc::new(profile), session)
        };
        let session = one.session_of(&named("anna", Some("s1")));
        assert_eq!(session, other.session_of(&named("anna", None)));
        assert_ne!(session, one.session_of(&named("bert", None)));
        assert!(!one.is_alone(&session));
        let nobody = one.session_of(&named("", None));
        assert!(one.is_alone(&nobody) && one.is_alone("stdio-0011"));
        // The client on standard streams, whose session somebody named.
        assert!(!one.is_alone(&one.session_of(&Identity::alone())));
        let plain = Gate::new(Err("none".into()), "default");
        assert!(!plain.is_alone(&plain.session_of(&named("", None))));
    }
}
