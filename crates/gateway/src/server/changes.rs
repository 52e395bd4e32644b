//! What clients hear of beside their answers: changes, log messages.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::broadcast;

use crate::frame::Reply;
use crate::json::{Json, quote};
use crate::methods::notice;
use crate::session::{Client, LEVELS, Session};
use crate::upstream::Upstream;
use crate::wire::{self, code};
use crate::{Change, Gateway};

use super::tasks::EXTENSION as TASKS;

/// What a client is told when it missed changes: to list anew.
const LISTS: [&str; 3] = [notice::TOOLS, notice::PROMPTS, notice::RESOURCES];

impl Gateway {
    pub(super) async fn set_level(self: &Arc<Self>, client: &Client, params: &Json) -> Reply {
        let Some(level) = params.text_at(&["level"]) else {
            return Reply::Error(wire::error(code::INVALID_PARAMS, "logging/setLevel lacks level"));
        };
        if !LEVELS.contains(&level.as_str()) {
            let text = format!("{level} is not one of {}", LEVELS.join(", "));
            return Reply::Error(wire::error(code::INVALID_PARAMS, &text));
        }
        client.session.set_log_level(level.clone());
        self.note_level(&client.session);
        for upstream in self.upstreams().iter() {
            for live in upstream.links() {
                upstream.set_log_level(&live, None).await;
            }
        }
        Reply::Result(Json::empty())
    }

    pub(super) async fn subscribe(
        self: &Arc<Self>,
        client: &Client,
        params: &Json,
        on: bool,
    ) -> Reply {
        let Some(uri) = params.text_at(&["uri"]) else {
            return Reply::Error(wire::error(code::INVALID_PARAMS, "the request lacks uri"));
        };
        let uris = {
            let mut uris = client.session.subscriptions.lock();
            if on {
                uris.insert(uri)
            } else {
                uris.remove(&uri)
            };
            uris.clone()
        };
        self.watch_resources(client, &format!("session {}", client.session.id), uris).await;
        Reply::Result(Json::empty())
    }

    /// Sets what one listener wants to hear of, and tells the servers what all want together.
    async fn watch_resources(
        self: &Arc<Self>,
        client: &Client,
        listener: &str,
        uris: BTreeSet<String>,
    ) {
        let mut wanted = Vec::new();
        for uri in uris {
            if let Some((upstream, own)) = self.find_resource(client, &uri).await {
                wanted.push((upstream.serving(client), own));
            }
        }
        self.set_watched(listener, wanted);
    }

    /// Forgets what a listener that is gone wanted to hear of.
    pub(crate) fn unwatch(self: &Arc<Self>, listener: &str) {
        self.set_watched(listener, Vec::new());
    }

    fn set_watched(self: &Arc<Self>, listener: &str, wanted: Vec<(Arc<Upstream>, String)>) {
        let all: Vec<(Arc<Upstream>, String)> = {
            let mut watched = self.watched.lock();
            match wanted.is_empty() {
                true => watched.remove(listener),
                false => watched.insert(listener.to_owned(), wanted),
            };
            watched.values().flatten().cloned().collect()
        };
        let upstreams = self.upstreams();
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

    pub(super) async fn listen(
        self: &Arc<Self>,
        client: &Client,
        id: &Json,
        params: &Json,
    ) -> Reply {
        let wants = |name: &str| params.get(&["notifications", name]) == Some("true");
        let (tools, prompts, resources) =
            (wants("toolsListChanged"), wants("promptsListChanged"), wants("resourcesListChanged"));
        if params.get(&["notifications", "taskIds"]).is_some()
            && client.capabilities.get(&["extensions", TASKS]).is_none()
        {
            let needs =
                format!(r#"{{"requiredCapabilities":{{"extensions":{{{}:{{}}}}}}}}"#, quote(TASKS));
            return Reply::Error(wire::error_with(
                code::MISSING_CAPABILITY,
                "Missing required client capability",
                &Json::assembled(needs),
            ));
        }
        // Tasks are not agreed to: they are asked after.
        let uris: BTreeSet<String> = params
            .at(&["notifications", "resourceSubscriptions"])
            .and_then(|uris| uris.read())
            .unwrap_or_default();
        let mut changes = self.changes.subscribe();
        self.listed.store(true, std::sync::atomic::Ordering::SeqCst);
        let mut agreed = Json::empty();
        for (name, wanted) in [
            ("toolsListChanged", tools),
            ("promptsListChanged", prompts),
            ("resourcesListChanged", resources),
        ] {
            if wanted {
                agreed = agreed.with(&[name], "true");
            }
        }
        if !uris.is_empty() {
            agreed = agreed.with(&["resourceSubscriptions"], Json::of(&uris).as_str());
        }
        let tagged = |params: Json| params.with(&["_meta", wire::META_SUBSCRIPTION], id.as_str());
        let acknowledged = tagged(Json::assembled(format!(r#"{{"notifications":{agreed}}}"#)));
        client.outlet.notify(notice::ACKNOWLEDGED, Some(&acknowledged)).await;
        let listener = format!("listen {} {}", client.session.id, id);
        let _watch = (!uris.is_empty())
            .then(|| WatchGuard { gateway: Arc::clone(self), listener: listener.clone() });
        if !uris.is_empty() {
            self.watch_resources(client, &listener, uris.clone()).await;
        }
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = client.outlet.closed() => return Reply::Result(Json::empty()),
            };
            let (method, params) = match change {
                Ok(Change::Tools) if tools => (notice::TOOLS, Json::empty()),
                Ok(Change::Prompts) if prompts => (notice::PROMPTS, Json::empty()),
                Ok(Change::Resources) if resources => (notice::RESOURCES, Json::empty()),
                Ok(Change::Resource(of, params))
                    if of.as_ref().is_none_or(|of| client.session.is_of(of))
                        && params.text_at(&["uri"]).is_some_and(|uri| uris.contains(&uri)) =>
                {
                    (notice::UPDATED, params)
                }
                Ok(Change::Ending) | Err(broadcast::error::RecvError::Closed) => {
                    return Reply::Result(tagged(Json::empty()));
                }
                // What was missed may have been any of it.
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    for (wanted, method) in [tools, prompts, resources].into_iter().zip(LISTS) {
                        if wanted {
                            client.outlet.notify(method, Some(&tagged(Json::empty()))).await;
                        }
                    }
                    continue;
                }
                Ok(_) => continue,
            };
            client.outlet.notify(method, Some(&tagged(params))).await;
        }
    }

    /// Tells a legacy client what changes, until it is gone.
    pub async fn tell_changes(self: Arc<Self>, session: Arc<Session>) {
        let mut changes = self.changes.subscribe();
        loop {
            let change = tokio::select! {
                change = changes.recv() => change,
                () = session.outlet.closed() => return,
            };
            if session.hello().is_none() {
                if matches!(change, Err(broadcast::error::RecvError::Closed)) {
                    return;
                }
                continue;
            }
            let message = match change {
                Ok(Change::Tools) => (notice::TOOLS.to_owned(), None),
                Ok(Change::Prompts) => (notice::PROMPTS.to_owned(), None),
                Ok(Change::Resources) => (notice::RESOURCES.to_owned(), None),
                Ok(Change::Resource(of, params)) => {
                    let uri = params.text_at(&["uri"]).unwrap_or_default();
                    let uris = session.subscriptions.lock().clone();
                    if !uris.contains(&uri) || of.is_some_and(|of| !session.is_of(&of)) {
                        continue;
                    }
                    (notice::UPDATED.to_owned(), Some(params))
                }
                Ok(Change::Said(to, notification)) => {
                    if to.is_some_and(|to| !session.is_of(&to)) {
                        continue;
                    }
                    let level = notification
                        .params
                        .as_ref()
                        .and_then(|params| params.text_at(&["level"]))
                        .unwrap_or_default();
                    if notification.method == notice::MESSAGE && !session.wants_log(&level) {
                        continue;
                    }
                    (notification.method, notification.params)
                }
                Ok(Change::Ending) | Err(broadcast::error::RecvError::Closed) => return,
                Err(broadcast::error::RecvError::Lagged(_)) => {
                    for method in LISTS {
                        session.outlet.notify(method, None).await;
                    }
                    continue;
                }
            };
            session.outlet.notify(&message.0, message.1.as_ref()).await;
        }
    }
}

struct WatchGuard {
    gateway: Arc<Gateway>,
    listener: String,
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        self.gateway.unwatch(&self.listener);
    }
}
