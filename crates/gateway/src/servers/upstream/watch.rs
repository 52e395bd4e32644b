//! What a running server is to tell of by itself: its end, changes, log messages.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use crate::clients::session::rank;
use crate::servers::known::Known;
use weir_mcp::connection::{Hearer, Timing};
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::Method;
use weir_mcp::wire::Era;

use super::greeting::PROBE;
use super::{Happening, Live, STOPPED, Upstream};
use crate::search::names::own_info;
use weir_mcp::wire::with_modern_meta;

/// From which level on servers usually send log messages.
const USUAL_LEVEL: &str = "info";

impl Upstream {
    /// Tells a running legacy server from which level on it should send log messages: the lowest that
    /// any client wants, `extra` included. Who wants fewer is shown fewer.
    pub async fn set_log_level(&self, live: &Live, extra: Option<&str>) {
        let capable = self.known().is_some_and(|known| known.can(&["logging"]));
        if live.era == Era::Modern || !capable {
            return;
        }
        let level = {
            let mut told = live.log_level.lock();
            // Where nobody wants anything any more, what servers usually send is said once more.
            let usual = || told.is_some().then(|| USUAL_LEVEL.to_owned());
            let Some(level) = self.wanted_level(extra).or_else(usual) else { return };
            let lower = |told: &str| rank(told) <= rank(&level);
            if told.as_deref().is_some_and(|told| told == level || (extra.is_some() && lower(told)))
            {
                return;
            }
            *told = Some(level.clone());
            level
        };
        let params = Json::assembled(format!(r#"{{"level":{}}}"#, quote(&level)));
        let timing = Timing { idle: PROBE, max: PROBE };
        let _ = live
            .connection
            .call(Method::SetLevel.name(), Some(params), timing, Hearer::Nobody)
            .await
            .answer()
            .await;
    }

    /// The lowest level that any client wants; `None` when none has said. Where some have, the others
    /// count as wanting what servers usually send.
    fn wanted_level(&self, extra: Option<&str>) -> Option<String> {
        let levels = self.around.levels.lock();
        if extra.is_none() && levels.values().all(Option::is_none) {
            return None;
        }
        let usual =
            |level: &Option<String>| level.clone().unwrap_or_else(|| USUAL_LEVEL.to_owned());
        let all = levels.values().map(usual).chain(extra.map(str::to_owned));
        all.min_by_key(|level| rank(level))
    }

    /// Asks to be told, or no longer, when these resources change.
    pub fn subscribe(&self, uris: BTreeSet<String>) {
        self.subscriptions.send_if_modified(|current| {
            let changed = *current != uris;
            *current = uris;
            changed
        });
    }

    /// The resources whose changes are to be told.
    pub fn subscribed(&self) -> BTreeSet<String> {
        self.subscriptions.borrow().clone()
    }

    /// Keeps an eye on a running server: its end, and the changes it can tell of.
    pub(super) fn watch(self: &Arc<Self>, live: &Arc<Live>) {
        let this = Arc::downgrade(self);
        let watched = Arc::clone(live);
        tokio::spawn(async move {
            let reason = watched.connection.wait_closed().await;
            if let Some(this) = this.upgrade()
                && reason != STOPPED
            {
                this.saw(Some(&reason));
                let _ = this.around.happenings.send(Happening::Changed(Arc::clone(&this))).await;
            }
        });
        if let Some(idle) = self.spec.idle_stop {
            tokio::spawn(Upstream::stop_when_idle(
                Arc::downgrade(self),
                Arc::downgrade(live),
                idle,
            ));
        }
        let this = Arc::downgrade(self);
        let live = Arc::clone(live);
        let mut wanted = self.subscriptions.subscribe();
        tokio::spawn(async move {
            let forever = Duration::from_secs(365 * 24 * 3_600);
            let timing = Timing { idle: forever, max: forever };
            let mut told = BTreeSet::new();
            let mut _stream = None;
            loop {
                let Some(this) = this.upgrade() else { return };
                let uris = wanted.borrow_and_update().clone();
                if live.era == Era::Modern {
                    let params = listen_params(this.known().as_deref(), &uris);
                    let capabilities = this.terms().capabilities;
                    let params = with_modern_meta(&params, &own_info(), &capabilities);
                    // The new stream is opened before the old one is closed, so that nothing is missed.
                    let next = live
                        .connection
                        .call(Method::Listen.name(), Some(params), timing, Hearer::Nobody)
                        .await;
                    _stream = Some(next);
                } else {
                    let short =
                        Timing { idle: this.spec.call_timeout, max: this.spec.call_timeout };
                    for (method, uri) in uris
                        .difference(&told)
                        .map(|uri| (Method::Subscribe, uri))
                        .chain(told.difference(&uris).map(|uri| (Method::Unsubscribe, uri)))
                    {
                        let params = Json::assembled(format!(r#"{{"uri":{}}}"#, quote(uri)));
                        let _ = live
                            .connection
                            .call(method.name(), Some(params), short, Hearer::Nobody)
                            .await
                            .answer()
                            .await;
                    }
                    told = uris;
                }
                drop(this);
                tokio::select! {
                    changed = wanted.changed() => if changed.is_err() { return },
                    _ = live.connection.wait_closed() => return,
                }
            }
        });
    }
}

fn listen_params(known: Option<&Known>, uris: &BTreeSet<String>) -> Json {
    let mut params = Json::assembled(r#"{"notifications":{}}"#.into());
    for (capability, wanted) in [
        ("tools", "toolsListChanged"),
        ("prompts", "promptsListChanged"),
        ("resources", "resourcesListChanged"),
    ] {
        if known.is_some_and(|known| known.can(&[capability, "listChanged"])) {
            params = params.with(&["notifications", wanted], "true");
        }
    }
    if !uris.is_empty() {
        params = params.with(&["notifications", "resourceSubscriptions"], Json::of(uris).as_str());
    }
    params
}
