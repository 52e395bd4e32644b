//! What servers say outside of calls, and who is told of it.

use std::sync::{Arc, Weak};

use tokio::sync::mpsc;

use crate::clients::{Change, Changes, Clients};
use crate::operations::Operations;
use crate::options::Current;
use crate::search::names::public_uri;
use crate::servers::Servers;
use crate::servers::known::Listing;
use crate::servers::upstream::{Happening, STOPPED, Upstream};
use weir_mcp::connection::{Stray, User};
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::notice;
use weir_mcp::wire::{self, Notification};

/// What it takes to tell clients what servers say.
pub(crate) struct Hearing {
    /// It ends with them.
    pub(crate) servers: Weak<Servers>,
    pub(crate) clients: Arc<Clients>,
    pub(crate) operations: Arc<Operations>,
    pub(crate) options: Current,
    pub(crate) changes: Changes,
}

/// Hears what happens at servers outside of calls, and tells clients.
pub(crate) async fn hear(hearing: Hearing, mut heard: mpsc::Receiver<Happening>) {
    while let Some(happening) = heard.recv().await {
        let Some(servers) = hearing.servers.upgrade() else { return };
        match happening {
            Happening::Said(upstream, Stray::Notice(notification, user)) => {
                if let Some(change) = heard_notice(&hearing, &upstream, notification, user) {
                    hearing.changes.tell(change);
                }
            }
            Happening::Said(upstream, Stray::Ask(ask, owner)) => {
                // An instance of one client's own asks that client, whether or not it has a call in flight.
                let owner = upstream.owner().or(owner);
                if let Some(session) = hearing.clients.someone_to_ask(&ask.method, owner) {
                    tokio::spawn(async move {
                        let answer =
                            session.ask(&session.outlet, &ask.method, ask.params.as_ref()).await;
                        ask.answer(&answer);
                    });
                } else {
                    ask.answer(&Err(wire::error(
                        wire::code::METHOD_NOT_FOUND,
                        "no client can be asked this now",
                    )));
                }
            }
            Happening::Redefined(upstream, text) => {
                let params =
                    format!(r#"{{"level":"warning","logger":"weir","data":{}}}"#, quote(&text));
                hearing.changes.tell(Change::Said(
                    upstream.name().to_owned(),
                    None,
                    Notification {
                        method: notice::MESSAGE.into(),
                        params: Some(Json::assembled(params)),
                    },
                ));
            }
            Happening::Changed(upstream) => {
                tracing::info!(server = upstream.name(), "{:?}", upstream.state());
                servers.catalog();
            }
        }
    }
}

/// What a notification tells clients; some are first asked after.
fn heard_notice(
    hearing: &Hearing,
    upstream: &Arc<Upstream>,
    notification: Notification,
    user: User,
) -> Option<Change> {
    let server = upstream.name().to_owned();
    match notification.method.as_str() {
        notice::TOOLS => {
            let upstream = Arc::clone(upstream);
            tokio::spawn(async move {
                // One that is stopped meanwhile need not answer any more.
                if let Err(reason) = upstream.refresh_tools().await
                    && !reason.contains(STOPPED)
                {
                    tracing::warn!(server = upstream.name(), "{reason}");
                }
                upstream.share_tools().await;
            });
            None
        }
        notice::PROMPTS => {
            refresh(&hearing.changes, upstream, &[Listing::Prompts], Change::Prompts);
            None
        }
        notice::RESOURCES => {
            refresh(
                &hearing.changes,
                upstream,
                &[Listing::Resources, Listing::Templates],
                Change::Resources,
            );
            None
        }
        notice::UPDATED => {
            let params = notification.params?;
            let own = params.text_at(&["uri"])?;
            let params = params.without(&["_meta", wire::META_SUBSCRIPTION]);
            let params = match hearing.options.now().naming.prefix {
                true => params.with(&["uri"], &quote(&public_uri(upstream.name(), &own))),
                false => params,
            };
            Some(Change::Resource(upstream.owner(), params))
        }
        // It may be of a call that is over: for whoever was the only one to use the server.
        notice::MESSAGE | notice::ELICITED if upstream.owner().is_some() => {
            Some(Change::Said(server, upstream.owner(), notification))
        }
        notice::MESSAGE | notice::ELICITED => match user {
            User::None => Some(Change::Said(server, None, notification)),
            User::Only(owner) => Some(Change::Said(server, Some(owner), notification)),
            User::Several => None,
        },
        notice::TASK => {
            let params = notification.params?;
            let own = params.text_at(&["taskId"])?;
            let id = public_uri(upstream.name(), &own);
            // Only who made the task knows of it.
            let owner = hearing.operations.tasks.owner(&id)?;
            let params = Some(params.with(&["taskId"], &quote(&id)));
            let notification = Notification { method: notification.method, params };
            Some(Change::Said(server, Some(owner), notification))
        }
        _ => None,
    }
}

fn refresh(
    changes: &Changes,
    upstream: &Arc<Upstream>,
    listings: &'static [Listing],
    change: Change,
) {
    let (changes, upstream) = (changes.clone(), Arc::clone(upstream));
    tokio::spawn(async move {
        for listing in listings {
            // A list that nobody asked for yet is asked for when somebody does.
            let asked = upstream.known().is_some_and(|known| known.lists.contains_key(listing));
            if asked && let Err(reason) = upstream.refresh_listing(*listing).await {
                tracing::warn!(server = upstream.name(), "{reason}");
            }
        }
        changes.tell(change);
    });
}
