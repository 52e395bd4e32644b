//! Tasks of servers, under ids that lead back to their server.

use std::sync::Arc;

use crate::gateway::Gateway;
use crate::gateway::frame::Reply;
use crate::gateway::json::{Json, quote};
use crate::gateway::names::{own_uri, public_uri};
use crate::gateway::session::Client;
use crate::gateway::wire::{self, code};

use super::relay::{After, Named};

impl Gateway {
    pub(super) async fn task(
        self: &Arc<Self>,
        client: &Client,
        method: &str,
        params: Json,
    ) -> Reply {
        let public = params.text_at(&["taskId"]).unwrap_or_default();
        let found = own_uri(&public).and_then(|(server, own)| {
            let upstream =
                self.upstreams().iter().find(|upstream| upstream.name() == server).cloned()?;
            Some((upstream, own.to_owned()))
        });
        let Some((upstream, own)) = found else {
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                &format!("Unknown task: {public}"),
            ));
        };
        let params = params.with(&["taskId"], &quote(&own));
        let timing = Self::plain_timing(&upstream);
        let server = upstream.name().to_owned();
        let run = self.exchange(client, &upstream, method, params, timing, true).await;
        let reply = self.finish_run(client, run, After::Named(Named::Other)).await;
        public_task(&server, reply)
    }

    pub(super) async fn list_tasks(self: &Arc<Self>) -> Reply {
        let mut tasks = Vec::new();
        for upstream in self.upstreams().iter() {
            if upstream.current().is_none()
                || !upstream.known().is_some_and(|known| known.can(&["tasks", "list"]))
            {
                continue;
            }
            match upstream.list("tasks/list", "tasks").await {
                Ok(items) => tasks.extend(items.iter().filter_map(|item| {
                    let own = item.text_at(&["taskId"])?;
                    Some(
                        item.with(&["taskId"], &quote(&public_uri(upstream.name(), &own)))
                            .to_string(),
                    )
                })),
                Err(reason) => {
                    crate::gateway::log::warn(format_args!("{}: {reason}", upstream.name()))
                }
            }
        }
        Reply::Result(Json::assembled(format!(r#"{{"tasks":[{}]}}"#, tasks.join(","))))
    }
}

/// The reply with the task's id in the form that leads back to its server.
pub(super) fn public_task(server: &str, reply: Reply) -> Reply {
    let Reply::Result(mut result) = reply else { return reply };
    if result.as_str().len() < 64 * 1024 || result.get(&["taskId"]).is_some() {
        for path in [&["taskId"][..], &["task", "taskId"][..]] {
            if let Some(own) = result.text_at(path) {
                result = result.with(path, &quote(&public_uri(server, &own)));
            }
        }
        let related = ["_meta", "io.modelcontextprotocol/related-task", "taskId"];
        if let Some(own) = result.text_at(&related) {
            result = result.with(&related, &quote(&public_uri(server, &own)));
        }
    }
    Reply::Result(result)
}
