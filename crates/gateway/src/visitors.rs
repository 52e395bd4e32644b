//! Who was here lately.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::session::Client;
use weir_base::{Mutex, unix_now};

/// Clients that are remembered.
const MAX_VISITORS: usize = 1_000;

/// How long a client of the stateless revision is shown after its last request, in seconds.
const GONE_AFTER: u64 = 300;

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
    /// When it came first and last, in seconds since 1970.
    pub since: u64,
    /// The same of its last request.
    pub last: u64,
}

/// Who was here lately, by client.
#[derive(Debug, Default)]
pub(crate) struct Visitors(Mutex<BTreeMap<Arc<str>, (Visitor, bool)>>);

impl Visitors {
    /// Takes note of a request.
    pub(crate) fn note(&self, client: &Client) {
        let who = &client.session.who;
        let mut all = self.0.lock();
        if !all.contains_key(&who.key) && all.len() >= MAX_VISITORS {
            let oldest = all.iter().min_by_key(|(_, (visitor, _))| visitor.last);
            if let Some(oldest) = oldest.map(|(key, _)| Arc::clone(key)) {
                all.remove(&oldest);
            }
        }
        let now = unix_now();
        let lasting = client.session.hello().is_some() || !who.is_beside_others();
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

    /// Forgets a client that is gone.
    pub(crate) fn forget(&self, key: &str) {
        self.0.lock().remove(key);
    }

    /// Those who are here.
    pub(crate) fn all(&self) -> Vec<Visitor> {
        let all = self.0.lock();
        let here = all
            .values()
            .filter(|(visitor, stays)| *stays || visitor.last + GONE_AFTER > unix_now());
        here.map(|(visitor, _)| visitor.clone()).collect()
    }
}
