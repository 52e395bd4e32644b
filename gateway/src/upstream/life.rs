//! When a server runs: started by the first who needs it, left alone after failures, ended.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::connection::{CallError, Failure};
use crate::known::Seen;

use super::{Happening, Live, State, Upstream, UpstreamError, lock};
use crate::clock::unix_now;

/// The wait after the first failure; doubled with each further one up to the most.
const BACKOFF_FIRST: Duration = Duration::from_secs(1);
const BACKOFF_MOST: Duration = Duration::from_secs(60);

/// Events in a row, with no answer between them, before the server is left alone for a while.
const BREAKER_FAILURES: u32 = 5;

#[derive(Debug, Default)]
pub(super) struct Health {
    pub(super) failures: u32,
    rest_until: Option<Instant>,
    pub(super) reason: String,
    starting: bool,
    pub(super) started: u32,
    /// When the last failure was counted. What was under way then failed with it, not after it.
    counted: Option<Instant>,
}

impl Upstream {
    /// What it is doing.
    pub fn state(&self) -> State {
        if !self.links().is_empty() {
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
        self.around.cache.note_seen(&self.place, &seen);
        lock(&self.known).seen = Some(seen);
    }

    /// How it was when a gateway last dealt with it, this one or another.
    pub fn seen(&self) -> Option<Seen> {
        lock(&self.known).seen.clone()
    }

    /// Says that the server answered.
    pub fn note_answer(&self) {
        let mut health = lock(&self.health);
        if health.failures > 0 {
            (health.failures, health.rest_until) = (0, None);
        }
    }

    /// Says that a call had no answer, for the breaker. A link that breaks under many calls is one
    /// event: what was begun before the last event that was counted is part of that.
    pub fn note_failure(&self, failure: &Failure) {
        // The link may be a fresh one at the next call; that costs nobody a wait.
        if matches!(failure.error, CallError::Lost(_)) {
            return;
        }
        let reason = self.spec.secrets.redact(&failure.error.to_string());
        {
            let mut health = lock(&self.health);
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
        while self.links().iter().any(|live| live.connection.in_flight() > 0)
            && Instant::now() < deadline
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        self.stop().await;
    }
}
