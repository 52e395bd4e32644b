//! When a server runs: started by the first who needs it, left alone after failures, ended.

use std::sync::{Arc, Weak};
use std::time::Duration;

use tokio::task::AbortHandle;
use tokio::time::Instant;

use crate::servers::known::Seen;
use weir_mcp::connection::{CallError, Connection, Failure};
use weir_mcp::process::ErrorOutput;

use super::{Happening, Live, State, Upstream, UpstreamError};
use weir_base::unix_now;

/// The wait after the first failure; doubled with each further one up to the most.
const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_MOST: Duration = Duration::from_secs(60);

/// Events in a row, with no answer between them, before the server is left alone for a while.
const BREAKER_FAILURES: u32 = 5;

/// How long a process may wait for somebody to log in, and how long it is left alone when nobody did.
pub(super) const LOGIN_PATIENCE: Duration = Duration::from_secs(600);
const LOGIN_REST: Duration = Duration::from_secs(3_600);

/// Characters of error output in which the address of a login is looked for.
const LOGIN_TEXT: usize = 4_000;

#[derive(Debug, Default)]
pub(super) struct Health {
    pub(super) failures: u32,
    rest_until: Option<Instant>,
    pub(super) reason: String,
    starting: bool,
    pub(super) started: u32,
    /// A process that waits for somebody to log in: what it says of that.
    pub(super) login: Option<String>,
    /// The task that waits for that process.
    waiting: Option<AbortHandle>,
    /// The error output of the last start.
    pub(super) errors: Option<ErrorOutput>,
    /// The connection of the last start.
    pub(super) link: Weak<Connection>,
    /// When the last failure was counted. What was under way then failed with it, not after it.
    counted: Option<Instant>,
}

/// Why a connection ended that was not wanted any more.
pub(crate) const STOPPED: &str = "stopped by the gateway";

impl Live {
    /// Ends the server, and waits for that.
    pub(super) async fn end(&self) {
        self.connection.close(STOPPED);
        let keeper = self.keeper.lock().take();
        if let Some(keeper) = keeper {
            let _ = keeper.await;
        }
    }
}

impl Upstream {
    /// What it is doing.
    pub fn state(&self) -> State {
        if !self.links().is_empty() {
            return State::Ready;
        }
        let login = self.needs_login();
        let health = self.health.lock();
        if let Some(login) = login {
            State::NeedsLogin(login)
        } else if health.starting {
            State::Starting
        } else if health.failures > 0 {
            State::Failed(health.reason.clone())
        } else if self.known().is_some() {
            State::Known
        } else {
            State::Configured
        }
    }

    /// How long it is still left alone; `None` when an attempt may be made now.
    pub fn resting(&self) -> Option<Duration> {
        let until = self.health.lock().rest_until?;
        Some(until.saturating_duration_since(Instant::now())).filter(|wait| !wait.is_zero())
    }

    /// Whether it may be asked now.
    pub(super) fn check_rest(&self) -> Result<(), UpstreamError> {
        let Some(wait) = self.resting() else { return Ok(()) };
        let reason = self.health.lock().reason.clone();
        Err(UpstreamError::Resting { server: self.spec.name.clone(), reason, wait })
    }

    /// The running server, started if need be. However many ask, it is started once.
    ///
    /// # Errors
    /// When it does not start, or did not a short while ago.
    pub async fn live(self: &Arc<Self>) -> Result<Arc<Live>, UpstreamError> {
        if let Some(live) = self.current() {
            return Ok(live);
        }
        self.check_login()?;
        // In a task of its own: a caller that gives up does not end a start that others wait for.
        let this = Arc::clone(self);
        let start = tokio::spawn(async move {
            let _turn = Arc::clone(&this.turn).lock_owned().await;
            if let Some(live) = this.current() {
                return Ok(live);
            }
            this.check_rest()?;
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

    /// Starts it at once, also where it failed a short while ago: somebody asks for it.
    pub(crate) fn start_again(self: &Arc<Self>) {
        self.health.lock().rest_until = None;
        let this = Arc::clone(self);
        // Whether it starts is seen in its state.
        tokio::spawn(async move { drop(this.live().await) });
    }

    /// Fails while somebody has to log in first: nothing is tried again meanwhile.
    fn check_login(&self) -> Result<(), UpstreamError> {
        match self.needs_login() {
            Some(reason) => Err(UpstreamError::Login { server: self.spec.name.clone(), reason }),
            None => Ok(()),
        }
    }

    pub(super) async fn start(self: &Arc<Self>) -> Result<Arc<Live>, UpstreamError> {
        self.check_login()?;
        if let Some(reason) = &self.unready {
            let (server, reason) = (self.spec.name.clone(), reason.clone());
            return Err(UpstreamError::Start { server, reason });
        }
        self.health.lock().starting = true;
        let starts = Arc::clone(&self.around.starts.lock());
        let permit = starts.acquire().await;
        let budget = self.spec.start_timeout;
        let this = Arc::clone(self);
        let mut attempt = Box::pin(async move { this.try_start().await });
        let result = tokio::time::timeout(budget, &mut attempt).await;
        drop(permit);
        self.health.lock().starting = false;
        match result {
            Ok(Ok(live)) => Ok(self.started(live).await),
            Ok(Err(reason)) => Err(self.failed(reason)),
            Err(_) => {
                let said = self.error_output(LOGIN_TEXT);
                match asks_for_login(&said) {
                    Some(address) => Err(self.wait_for_login(attempt, &address)),
                    None => {
                        let mut reason = format!(
                            "not ready within {} s (`startTimeout` of its entry is how long that may take)",
                            budget.as_secs_f32()
                        );
                        let link = self.health.lock().link.upgrade();
                        if let Some(said) =
                            link.and_then(|link| link.said_besides(&self.spec.secrets))
                        {
                            reason = format!("{reason}; {said}");
                        }
                        if !said.is_empty() {
                            reason = format!("{reason}; its error output ends with: {said}");
                        }
                        Err(self.failed(reason))
                    }
                }
            }
        }
    }

    async fn started(self: &Arc<Self>, live: Arc<Live>) -> Arc<Live> {
        {
            let mut health = self.health.lock();
            (health.failures, health.rest_until, health.started) = (0, None, health.started + 1);
        }
        *self.live.lock() = Some(Arc::clone(&live));
        self.saw(None);
        let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
        self.watch(&live);
        live
    }

    /// Leaves a process that waits for somebody to log in alone, for as long as that may take: ended
    /// and started again it would only open another window in a browser.
    fn wait_for_login(
        self: &Arc<Self>,
        attempt: impl Future<Output = Result<Arc<Live>, String>> + Send + 'static,
        address: &str,
    ) -> UpstreamError {
        let reason = format!("open {address} and log in there");
        tracing::warn!("server {} needs a login: {reason}", self.spec.name);
        let this = Arc::clone(self);
        let task = tokio::spawn(async move {
            let result = tokio::time::timeout(LOGIN_PATIENCE, attempt).await;
            {
                let mut health = this.health.lock();
                (health.login, health.waiting) = (None, None);
            }
            match result {
                Ok(Ok(live)) => drop(this.started(live).await),
                Ok(Err(reason)) => drop(this.failed(reason)),
                Err(_) => {
                    let minutes = LOGIN_PATIENCE.as_secs() / 60;
                    let reason = format!("nobody logged in within {minutes} minutes");
                    drop(this.failed(reason));
                    this.health.lock().rest_until = Some(Instant::now() + LOGIN_REST);
                }
            }
        });
        {
            let mut health = self.health.lock();
            (health.login, health.waiting) = (Some(reason.clone()), Some(task.abort_handle()));
        }
        self.saw_login(&reason);
        UpstreamError::Login { server: self.spec.name.clone(), reason }
    }

    pub(super) fn failed(&self, reason: String) -> UpstreamError {
        if let Some(reason) = self.needs_login() {
            self.saw_login(&self.needs_login_command().unwrap_or_else(|| reason.clone()));
            return UpstreamError::Login { server: self.spec.name.clone(), reason };
        }
        let reason = self.spec.secrets.redact(&reason);
        self.rest(&reason);
        UpstreamError::Start { server: self.spec.name.clone(), reason }
    }

    pub(super) fn rest(&self, reason: &str) {
        let mut health = self.health.lock();
        let doublings = health.failures.min(6);
        health.failures += 1;
        health.reason = reason.to_owned();
        let wait = BACKOFF_FIRST.saturating_mul(1 << doublings).min(BACKOFF_MOST);
        // Many servers that failed together should not come back together.
        health.rest_until = Some(Instant::now() + wait.mul_f64(0.75 + 0.5 * fastrand::f64()));
        drop(health);
        self.saw(Some(reason));
    }

    /// Keeps how it is, for `weir status` and other processes.
    pub(super) fn saw(&self, failed: Option<&str>) {
        let failed = failed.map(|reason| self.spec.secrets.redact(reason));
        self.keep_seen(Seen { at: unix_now(), failed, login: false });
    }

    fn saw_login(&self, reason: &str) {
        let reason = self.spec.secrets.redact(reason);
        self.keep_seen(Seen { at: unix_now(), failed: Some(reason), login: true });
    }

    fn keep_seen(&self, seen: Seen) {
        self.around.cache.note_seen(&self.place, &seen);
        self.known.lock().seen = Some(seen);
    }

    /// How it was when a gateway last dealt with it, this one or another.
    pub fn seen(&self) -> Option<Seen> {
        self.known.lock().seen.clone()
    }

    /// Says that the server answered.
    pub fn note_answer(&self) {
        let mut health = self.health.lock();
        if health.failures > 0 {
            (health.failures, health.rest_until) = (0, None);
        }
    }

    /// Says that a call had no answer, for the breaker. A link that breaks under many calls is one
    /// event: what was begun before the last event that was counted is part of that.
    pub fn note_failure(&self, failure: &Failure) {
        // The link may be a fresh one at the next call, or the server wants something of people: that
        // costs nobody a wait.
        if matches!(failure.error, CallError::Lost(_) | CallError::Login(_)) {
            return;
        }
        let reason = self.spec.secrets.redact(&failure.error.to_string());
        {
            let mut health = self.health.lock();
            if health.counted.is_some_and(|counted| failure.begun <= counted) {
                return;
            }
            health.counted = Some(Instant::now());
            if health.failures + 1 < BREAKER_FAILURES {
                health.failures += 1;
                health.reason = reason;
                return;
            }
        }
        self.rest(&format!(
            "it failed {BREAKER_FAILURES} times in a row without an answer between, the last time so: {reason}"
        ));
    }

    /// Ends it, if it runs, with its further instances.
    pub async fn stop(&self) {
        let further = self.take_further();
        let stops: Vec<_> = further
            .into_iter()
            .map(|instance| tokio::spawn(async move { instance.stop_this().await }))
            .collect();
        self.stop_this().await;
        for stop in stops {
            let _ = stop.await;
        }
    }

    pub(super) async fn stop_this(&self) {
        {
            let mut health = self.health.lock();
            if let Some(waiting) = health.waiting.take() {
                waiting.abort();
            }
            health.login = None;
        }
        let live = self.live.lock().take();
        if let Some(live) = live {
            live.end().await;
        }
    }

    /// Waits until no call is in flight, at most `patience`, then ends it.
    pub async fn retire(&self, patience: Duration) {
        let deadline = Instant::now() + patience;
        while self.links().iter().any(|live| live.connection.in_flight() > 0)
            && Instant::now() < deadline
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.stop().await;
    }
}

/// The address that a server asks somebody to log in at, in what it wrote to its error output.
fn asks_for_login(text: &str) -> Option<String> {
    const WORDS: [&str; 9] = [
        "authoriz",
        "authoris",
        "authenticat",
        "log in",
        "login",
        "sign in",
        "signin",
        "oauth",
        "browser",
    ];
    let lower = text.to_ascii_lowercase();
    if !WORDS.iter().any(|word| lower.contains(word)) {
        return None;
    }
    let addresses = text.split(|c: char| c.is_whitespace() || "\"'<>()[]`".contains(c));
    let addresses =
        addresses.filter(|word| word.starts_with("https://") || word.starts_with("http://"));
    // The longest: the one with a query, not the one of the server.
    let address = addresses.max_by_key(|word| word.len())?;
    Some(address.trim_end_matches(['.', ',', ';']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_of_a_login_is_found_in_what_a_server_writes() {
        let said = "[7] Discovering OAuth server of https://mcp.example/sse\n\nPlease authorize this client by visiting:\n\
                    https://auth.example/authorize?response_type=code&client_id=x\n\nBrowser opened automatically.";
        assert_eq!(
            asks_for_login(said).as_deref(),
            Some("https://auth.example/authorize?response_type=code&client_id=x")
        );
        assert_eq!(
            asks_for_login("Sign in at <https://a.example/device>.").as_deref(),
            Some("https://a.example/device")
        );
        assert_eq!(asks_for_login("listening on http://127.0.0.1:3000/"), None);
        assert_eq!(asks_for_login("waiting for the browser"), None);
    }
}
