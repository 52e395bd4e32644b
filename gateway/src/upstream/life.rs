//! When a server runs: started by the first who needs it, left alone after failures, ended.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::connection::CallError;
use crate::known::Seen;

use super::{Happening, Live, State, Upstream, UpstreamError, lock, unix_now};

/// The wait after the first failure; doubled with each further one up to the most.
const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_MOST: Duration = Duration::from_secs(60);

/// Calls that fail in a row before the server is left alone for a while.
const BREAKER_FAILURES: u32 = 5;

#[derive(Debug, Default)]
pub(super) struct Health {
    pub(super) failures: u32,
    rest_until: Option<Instant>,
    pub(super) reason: String,
    starting: bool,
    pub(super) started: u32,
}

impl Upstream {
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

    pub(super) async fn start(self: &Arc<Self>) -> Result<Arc<Live>, UpstreamError> {
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
                self.saw(None);
                let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
                self.watch(&live);
                Ok(live)
            }
            Ok(Err(reason)) => Err(self.failed(reason)),
            Err(_) => Err(self.failed(format!("not ready within {} s", budget.as_secs_f32()))),
        }
    }

    pub(super) fn failed(&self, reason: String) -> UpstreamError {
        let reason = self.spec.secrets.redact(&reason);
        self.rest(&reason);
        UpstreamError::Start { server: self.spec.name.clone(), reason }
    }

    pub(super) fn rest(&self, reason: &str) {
        let mut health = lock(&self.health);
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
        let seen = Seen { at: unix_now(), failed };
        // A cache that cannot be written costs a line of that status, nothing more.
        let _ = self.around.cache.note_seen(&self.spec.fingerprint(), &seen);
    }

    /// How it was when a gateway last dealt with it, this one or another.
    pub fn seen(&self) -> Option<Seen> {
        self.around.cache.seen(&self.spec.fingerprint())
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
}
