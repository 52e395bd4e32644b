//! Calls whose clients were asked something before, and come back to them.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use weir_base::{Mutex, digest_of, unguessable};

use crate::clients::session::Client;
use crate::watch::audit::{Called, Outcome};
use weir_mcp::frame::Reply;

/// What the state begins with under which a client comes back with the answer to our own question.
const STATE: &str = "weir-approval:";

/// Calls of each kind that are remembered.
const MAX_ASKED: usize = 256;

/// How long a server's question is remembered to a call that was let pass.
const CARRIED: Duration = Duration::from_secs(600);

/// What makes a call the same one.
type Same = [u8; 32];

/// See the module.
#[derive(Debug, Default)]
pub(crate) struct Asked {
    /// Calls about which we asked, by what our state ends with: from when until when the question is open.
    ours: Mutex<BTreeMap<String, (Instant, Instant, Same)>>,
    /// Calls that were let pass and whose servers asked something, with the server's state.
    theirs: Mutex<BTreeMap<Same, Instant>>,
}

/// The same call of the same client, with the state under which it comes back.
fn same(client: &Client, called: &Called<'_>, state: &str) -> Same {
    let [server, tool] =
        [&called.server, &called.tool].map(|name| name.as_deref().unwrap_or_default());
    digest_of([&*client.session.who.key, server, tool, called.arguments, state])
}

/// Forgets what is over. Whether there is room then.
fn make_room<K: Ord, V>(all: &mut BTreeMap<K, V>, until: impl Fn(&V) -> Instant) -> bool {
    all.retain(|_, value| until(value) > Instant::now());
    all.len() < MAX_ASKED
}

impl Asked {
    /// Whether a state is one of ours.
    pub(crate) fn is_ours(state: &str) -> bool {
        state.starts_with(STATE)
    }

    /// A state under which the client of this call comes back with its answer.
    ///
    /// # Errors
    /// When too many calls wait, or the system gives no random bytes: as a sentence.
    pub(crate) fn ask(
        &self,
        client: &Client,
        called: &Called<'_>,
        wait: Duration,
    ) -> Result<String, String> {
        let id = unguessable().map_err(|error| format!("no question can be asked: {error}"))?;
        let state = format!("{STATE}{id}");
        let mut ours = self.ours.lock();
        if !make_room(&mut ours, |(_, until, _)| *until) {
            return Err("too many calls wait for an answer; answer some of them first".into());
        }
        let now = Instant::now();
        ours.insert(state.clone(), (now, now + wait, same(client, called, "")));
        Ok(state)
    }

    /// How long ago a client was asked that comes back in time, and with the call that it was asked about. Only once.
    pub(crate) fn answered(
        &self,
        client: &Client,
        called: &Called<'_>,
        state: &str,
    ) -> Option<Duration> {
        let (since, until, call) = self.ours.lock().remove(state)?;
        let counts = until > Instant::now() && call == same(client, called, "");
        counts.then(|| since.elapsed())
    }

    /// Takes note of a server's question to a call that was let pass: the call goes on when the client answers it.
    pub(crate) fn carry(&self, client: &Client, called: &Called<'_>, reply: &Reply) {
        let Reply::Result(result) = reply else { return };
        let state = result.text_at(&["requestState"]).filter(|state| !Asked::is_ours(state));
        let Some(state) = state.filter(|_| Outcome::of(reply) == Outcome::Asks) else { return };
        let mut theirs = self.theirs.lock();
        if make_room(&mut theirs, |until| *until) {
            theirs.insert(same(client, called, &state), Instant::now() + CARRIED);
        }
    }

    /// Whether a client comes back to its server's question. Only once.
    pub(crate) fn is_carried(&self, client: &Client, called: &Called<'_>, state: &str) -> bool {
        let mut theirs = self.theirs.lock();
        // Most often nobody was asked anything: the arguments, which may be long, need not be hashed.
        let until =
            if theirs.is_empty() { None } else { theirs.remove(&same(client, called, state)) };
        until.is_some_and(|until| until > Instant::now())
    }
}
