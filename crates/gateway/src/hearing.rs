//! What servers say outside of calls, and who is told of it.

use std::sync::{Arc, Weak};

use tokio::sync::mpsc;

use super::connection::{Owner, Stray, User};
use super::json::{Json, quote};
use super::known::Listing;
use super::methods::{capability_of, notice};
use super::names::public_uri;
use super::session::Session;
use super::upstream::{Happening, STOPPED, Upstream};
use super::wire::{self, Notification};
use super::{Change, Gateway};

/// Hears what happens at servers outside of calls, and tells clients.
pub(super) async fn hear(gateway: Weak<Gateway>, mut heard: mpsc::Receiver<Happening>) {
    while let Some(happening) = heard.recv().await {
        let Some(gateway) = gateway.upgrade() else { return };
        match happening {
            Happening::Said(upstream, Stray::Notice(notification, user)) => {
                if let Some(change) = gateway.heard_notice(&upstream, notification, user) {
                    gateway.tell(change);
                }
            }
            Happening::Said(upstream, Stray::Ask(ask, owner)) => {
                // An instance of one client's own asks that client, whether or not it has a call in flight.
                let owner = upstream.owner().or(owner);
                if let Some(session) = gateway.someone_to_ask(&ask.method, owner) {
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
            Happening::Redefined(_, text) => {
                let params =
                    format!(r#"{{"level":"warning","logger":"weir","data":{}}}"#, quote(&text));
                gateway.tell(Change::Said(
                    None,
                    Notification {
                        method: notice::MESSAGE.into(),
                        params: Some(Json::assembled(params)),
                    },
                ));
            }
            Happening::Changed(upstream) => {
                tracing::info!(server = upstream.name(), "{:?}", upstream.state());
                gateway.catalog();
                gateway.index_soon();
            }
        }
    }
}

impl Gateway {
    /// The client to ask what a server asks outside of a call that could pass it on: the one that the
    /// server works for, else the only one there is. What one client is asked is not for another.
    fn someone_to_ask(&self, method: &str, owner: Option<Owner>) -> Option<Arc<Session>> {
        let capability = capability_of(method)?;
        let mut sessions: Vec<Arc<Session>> =
            self.sessions.lock().iter().filter_map(Weak::upgrade).collect();
        sessions.retain(|session| {
            !session.outlet.is_closed() && owner.as_ref().is_none_or(|owner| session.is_of(owner))
        });
        let [session] = &sessions[..] else { return None };
        let hello = session.hello()?;
        hello.capabilities.get(&[capability])?;
        Some(Arc::clone(session))
    }

    fn heard_notice(
        self: &Arc<Self>,
        upstream: &Arc<Upstream>,
        notification: Notification,
        user: User,
    ) -> Option<Change> {
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
                self.refresh(upstream, &[Listing::Prompts], Change::Prompts);
                None
            }
            notice::RESOURCES => {
                self.refresh(
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
                let params = match self.options().naming.prefix {
                    true => params.with(&["uri"], &quote(&public_uri(upstream.name(), &own))),
                    false => params,
                };
                Some(Change::Resource(upstream.owner(), params))
            }
            // It may be of a call that is over: for whoever was the only one to use the server.
            notice::MESSAGE | notice::ELICITED if upstream.owner().is_some() => {
                Some(Change::Said(upstream.owner(), notification))
            }
            notice::MESSAGE | notice::ELICITED => match user {
                User::None => Some(Change::Said(None, notification)),
                User::Only(owner) => Some(Change::Said(Some(owner), notification)),
                User::Several => None,
            },
            notice::TASK => {
                let params = notification.params?;
                let own = params.text_at(&["taskId"])?;
                let id = public_uri(upstream.name(), &own);
                // Only who made the task knows of it.
                let owner = self.tasks.owner(&id)?;
                let params = Some(params.with(&["taskId"], &quote(&id)));
                Some(Change::Said(
                    Some(owner),
                    Notification { method: notification.method, params },
                ))
            }
            _ => None,
        }
    }

    fn refresh(
        self: &Arc<Self>,
        upstream: &Arc<Upstream>,
        listings: &'static [Listing],
        change: Change,
    ) {
        let (this, upstream) = (Arc::clone(self), Arc::clone(upstream));
        tokio::spawn(async move {
            for listing in listings {
                // A list that nobody asked for yet is asked for when somebody does.
                let asked = upstream.known().is_some_and(|known| known.lists.contains_key(listing));
                if asked && let Err(reason) = upstream.refresh_listing(*listing).await {
                    tracing::warn!(server = upstream.name(), "{reason}");
                }
            }
            this.tell(change);
        });
    }
}
