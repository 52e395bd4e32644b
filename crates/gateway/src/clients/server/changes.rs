//! What clients hear of beside their answers: changes, log messages.

use std::collections::BTreeSet;
use std::sync::Arc;

use tokio::sync::broadcast;

use crate::clients::session::{Client, LEVELS};
use crate::clients::{Change, Changes, LISTS};
use crate::search::names::as_subscribed;
use crate::servers::{Servers, listener_of};
use weir_mcp::frame::Reply;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::notice;
use weir_mcp::wire::{self, code};

use super::named::not_found;
use super::tasks::EXTENSION as TASKS;

pub(super) async fn set_level(servers: &Servers, client: &Client, params: &Json) -> Reply {
    let Some(level) = params.text_at(&["level"]) else {
        return Reply::Error(wire::error(code::INVALID_PARAMS, "logging/setLevel lacks level"));
    };
    if !LEVELS.contains(&level.as_str()) {
        let text = format!("{level} is not one of {}", LEVELS.join(", "));
        return Reply::Error(wire::error(code::INVALID_PARAMS, &text));
    }
    client.session.set_log_level(level.clone());
    servers.set_level(&client.session).await;
    Reply::Result(Json::empty())
}

pub(super) async fn subscribe(
    servers: &Servers,
    client: &Client,
    params: &Json,
    on: bool,
) -> Reply {
    let Some(uri) = params.text_at(&["uri"]) else {
        return Reply::Error(wire::error(code::INVALID_PARAMS, "the request lacks uri"));
    };
    if on && servers.find_resource(client, &uri).await.is_none() {
        return not_found(client, &uri);
    }
    let uris = {
        let mut uris = client.session.subscriptions.lock();
        if on {
            uris.insert(uri)
        } else {
            uris.remove(&uri)
        };
        uris.clone()
    };
    servers.watch(client, &listener_of(&client.session), uris).await;
    Reply::Result(Json::empty())
}

/// How a client says that it wants to hear of changes of each of the lists.
const LIST_CHANGES: [&str; 3] = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"];

pub(super) async fn listen(
    servers: &Arc<Servers>,
    changes: &Changes,
    client: &Client,
    id: &Json,
    params: &Json,
) -> Reply {
    let wanted = LIST_CHANGES.map(|name| params.get(&["notifications", name]) == Some("true"));
    let [tools, prompts, resources] = wanted;
    if params.get(&["notifications", "taskIds"]).is_some()
        && client.capabilities.get(&["extensions", TASKS]).is_none()
    {
        let needs =
            format!(r#"{{"requiredCapabilities":{{"extensions":{{{}:{{}}}}}}}}"#, quote(TASKS));
        let (needs, text) = (Json::assembled(needs), "Missing required client capability");
        return Reply::Error(wire::error_with(code::MISSING_CAPABILITY, text, &needs));
    }
    // Tasks are not agreed to: they are asked after.
    let asked = params.at(&["notifications", "resourceSubscriptions"]);
    let asked: BTreeSet<String> = asked.and_then(|uris| uris.read()).unwrap_or_default();
    let mut uris = BTreeSet::new();
    for uri in asked {
        if servers.find_resource(client, &uri).await.is_some() {
            uris.insert(uri);
        }
    }
    let mut heard = changes.heard();
    changes.note_list();
    let mut agreed = Json::empty();
    for (name, _) in LIST_CHANGES.into_iter().zip(wanted).filter(|(_, wanted)| *wanted) {
        agreed = agreed.with(&[name], "true");
    }
    if !uris.is_empty() {
        agreed = agreed.with(&["resourceSubscriptions"], Json::of(&uris).as_str());
    }
    let tagged = |params: Json| params.with(&["_meta", wire::META_SUBSCRIPTION], id.as_str());
    let acknowledged = tagged(Json::assembled(format!(r#"{{"notifications":{agreed}}}"#)));
    client.outlet.notify(notice::ACKNOWLEDGED, Some(&acknowledged)).await;
    let listener = format!("listen {} {}", client.session.id, id);
    let _watch = (!uris.is_empty())
        .then(|| WatchGuard { servers: Arc::clone(servers), listener: listener.clone() });
    if !uris.is_empty() {
        servers.watch(client, &listener, uris.clone()).await;
    }
    loop {
        let change = tokio::select! {
            change = heard.recv() => change,
            () = client.outlet.closed() => return Reply::Result(Json::empty()),
        };
        let (method, params) = match change {
            Ok(Change::Tools) if tools => (notice::TOOLS, Json::empty()),
            Ok(Change::Prompts) if prompts => (notice::PROMPTS, Json::empty()),
            Ok(Change::Resources) if resources => (notice::RESOURCES, Json::empty()),
            Ok(Change::Resource(of, params))
                if of.as_ref().is_none_or(|of| client.session.is_of(of)) =>
            {
                let Some(params) = as_subscribed(&uris, params) else { continue };
                (notice::UPDATED, params)
            }
            Ok(Change::Ending) | Err(broadcast::error::RecvError::Closed) => {
                return Reply::Result(tagged(Json::empty()));
            }
            // What was missed may have been any of it.
            Err(broadcast::error::RecvError::Lagged(_)) => {
                for (_, method) in wanted.into_iter().zip(LISTS).filter(|(wanted, _)| *wanted) {
                    client.outlet.notify(method, Some(&tagged(Json::empty()))).await;
                }
                continue;
            }
            Ok(_) => continue,
        };
        client.outlet.notify(method, Some(&tagged(params))).await;
    }
}

struct WatchGuard {
    servers: Arc<Servers>,
    listener: String,
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        self.servers.unwatch(&self.listener);
    }
}
