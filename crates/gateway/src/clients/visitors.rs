//! Who was here lately.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::clients::session::Client;
use weir_base::{Mutex, unix_now};

/// Clients that are remembered.
const MAX_VISITORS: usize = 1_000;

/// How long a client of the stateless revision is taken to be here after its last request, in seconds: longer than providers
/// keep a prompt by default.
const GONE_AFTER: u64 = 900;

/// A client of a gateway that runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Visitor {
    /// The name of its token; empty without one.
    pub token: String,
    /// What it calls itself.
    pub name: String,
    /// The revision that it speaks.
    pub version: String,
    /// Its requests.
    pub requests: u64,
    /// When it came, in seconds since 1970.
    pub since: u64,
    /// The same of its last request.
    pub last: u64,
}

impl Visitor {
    /// Whether it is here, where nothing says when it goes.
    fn is_here(&self, now: u64) -> bool {
        self.last + GONE_AFTER > now
    }
}

/// Who was here lately, by client.
#[derive(Debug, Default)]
pub(crate) struct Visitors(Mutex<BTreeMap<Arc<str>, (Visitor, bool)>>);

impl Visitors {
    /// Takes note of a request.
    pub(crate) fn note(&self, client: &Client) {
        self.note_at(client, unix_now());
    }

    fn note_at(&self, client: &Client, now: u64) {
        let who = &client.session.who;
        let mut all = self.0.lock();
        if !all.contains_key(&who.key) && all.len() >= MAX_VISITORS {
            let oldest = all.iter().min_by_key(|(_, (visitor, _))| visitor.last);
            if let Some(oldest) = oldest.map(|(key, _)| Arc::clone(key)) {
                all.remove(&oldest);
            }
        }
        let lasting = client.session.hello().is_some() || !who.is_beside_others();
        if all.get(&who.key).is_some_and(|(visitor, stays)| !stays && !visitor.is_here(now)) {
            all.remove(&who.key);
        }
        let (visitor, stays) = all.entry(Arc::clone(&who.key)).or_insert_with(|| {
            let name: String = client.says("name").chars().take(100).collect();
            let visitor = Visitor {
                token: who.profile.name.clone(),
                name: name.replace(char::is_control, " "),
                version: client.version.clone(),
                requests: 0,
                since: now,
                last: now,
            };
            (visitor, lasting)
        });
        visitor.requests += 1;
        visitor.last = now;
        *stays = lasting;
    }

    /// What people call a session: the client, and since when it is here.
    pub(crate) fn session_of(&self, client: &Client) -> (Arc<str>, u64) {
        let key = &client.session.who.key;
        let since = self.0.lock().get(key).map_or(0, |(visitor, _)| visitor.since);
        (Arc::clone(key), since)
    }

    /// Forgets a client that is gone.
    pub(crate) fn forget(&self, key: &str) {
        self.0.lock().remove(key);
    }

    /// Those who are here.
    pub(crate) fn all(&self) -> Vec<Visitor> {
        let (all, now) = (self.0.lock(), unix_now());
        let here = all.values().filter(|(visitor, stays)| *stays || visitor.is_here(now));
        here.map(|(visitor, _)| visitor.clone()).collect()
    }
}

#[cfg(test)]
mod tests {
    use weir_mcp::json::Json;
    use weir_mcp::wire::Era;

    use super::*;
    use crate::clients::identity::Identity;
    use crate::clients::session::{Outlet, Session};

    #[test]
    fn who_sends_nothing_for_a_while_begins_a_session_where_none_is_told() {
        let (outlet, _there) = Outlet::new();
        let client = |who: Arc<Identity>| Client {
            era: Era::Modern,
            version: "2026-07-28".into(),
            info: Json::empty(),
            capabilities: Json::empty(),
            session: Session::new("id".into(), who, outlet.clone(), None),
            outlet: outlet.clone(),
            progress_token: None,
            log_level: None,
            cancelled: Default::default(),
        };
        let visitors = Visitors::default();
        let times = [1, GONE_AFTER, 2 * GONE_AFTER - 1, 3 * GONE_AFTER - 1];
        let sessions = |client: Client| {
            let session = |now| {
                visitors.note_at(&client, now);
                visitors.session_of(&client).1
            };
            times.map(session)
        };
        let stateless = client(Identity::beside_others(&Arc::default(), None));
        assert_eq!(sessions(stateless), [1, 1, 1, 3 * GONE_AFTER - 1]);
        assert_eq!(sessions(client(Identity::alone())), [1; 4], "it ends with its process");
    }
}
