//! Prompts, resources and completion: found by name among all servers.

use std::sync::Arc;

use crate::clients::session::Client;
use crate::gateway::Gateway;
use crate::operations::{After, Named, OWN};
use crate::servers::Servers;
use crate::servers::known::Listing;
use crate::servers::upstream::exchange::{Run, ask};
use crate::watch::audit::Called;
use weir_mcp::frame::Reply;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::Method;
use weir_mcp::wire::{self, Era, code};

use super::skills::read_skill;
use super::{cacheable, foreign_cursor};

pub(super) async fn list(
    servers: &Servers,
    client: &Client,
    listing: Listing,
    params: &Json,
) -> Reply {
    if let Some(error) = foreign_cursor(params) {
        return Reply::Error(error);
    }
    let found = servers.listed(client, listing).await;
    let (method, member, _) = listing.names();
    let items: Vec<String> = found.into_iter().map(|(_, _, item)| item.to_string()).collect();
    let result = Json::assembled(format!(r#"{{"{member}":[{}]}}"#, items.join(",")));
    let time = servers.shortest_time(client, method);
    Reply::Result(cacheable(client, method, result, time))
}

/// The answer where no server has a resource, or none that is there for this client.
pub(super) fn not_found(client: &Client, uri: &str) -> Reply {
    let code = match client.era {
        Era::Legacy => code::RESOURCE_NOT_FOUND_LEGACY,
        Era::Modern => code::INVALID_PARAMS,
    };
    let data = Json::assembled(format!(r#"{{"uri":{}}}"#, quote(uri)));
    Reply::Error(wire::error_with(code, "Resource not found", &data))
}

impl Gateway {
    pub(super) async fn get_prompt(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let name = params.text_at(&["name"]).unwrap_or_default();
        let Some((upstream, own)) = self.servers.find_prompt(client, &name).await else {
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                &format!("Unknown prompt: {name}"),
            ));
        };
        let arguments = params.get(&["arguments"]).unwrap_or("{}").to_owned();
        let called = Called::of(Method::GetPrompt, upstream.name(), Some(&own), &arguments);
        let params = if own == name { params } else { params.with(&["name"], &quote(&own)) };
        let timing = upstream.timing();
        let work = Box::pin(async {
            let run = ask(client, &upstream, Method::GetPrompt, params, timing, true).await;
            self.finish_run(client, run, After::Named(Named::Prompt(Arc::clone(&upstream)))).await
        });
        self.operations.accounted(client, called, work, false).await
    }

    pub(super) async fn read_resource(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let uri = params.text_at(&["uri"]).unwrap_or_default();
        // A URI may say as much as arguments do: only its digest is logged.
        let called = |server: &str| Called::of(Method::ReadResource, server, None, &uri);
        if let Some(id) = uri.strip_prefix("weir://blob/") {
            let work = Box::pin(self.read_blob(client, &uri, id));
            return self.operations.accounted(client, called(OWN), work, false).await;
        }
        let Some((upstream, own)) = self.servers.find_resource(client, &uri).await else {
            return not_found(client, &uri);
        };
        if let Some(skill) = upstream.skill_of(&own) {
            let work = Box::pin(async {
                match read_skill(client, &upstream, &skill, &own).await {
                    Ok(file) => {
                        let upstream = Arc::clone(&upstream);
                        let named = Named::Resource { upstream, uri: uri.clone() };
                        let run = Run::Ended(Reply::Result(file.result));
                        self.finish_run(client, Ok(run), After::Named(named)).await
                    }
                    Err(reason) => Reply::Error(wire::error(code::INVALID_PARAMS, &reason)),
                }
            });
            return self.operations.accounted(client, called(upstream.name()), work, false).await;
        }
        let params = if own == uri { params } else { params.with(&["uri"], &quote(&own)) };
        let timing = upstream.timing();
        let work = Box::pin(async {
            let run = ask(client, &upstream, Method::ReadResource, params, timing, true).await;
            let named = Named::Resource { upstream: Arc::clone(&upstream), uri: uri.clone() };
            self.finish_run(client, run, After::Named(named)).await
        });
        self.operations.accounted(client, called(upstream.name()), work, false).await
    }

    async fn read_blob(self: &Arc<Self>, client: &Client, uri: &str, id: &str) -> Reply {
        let session = self.gate.session_of(&client.session.who);
        match self.gate.blob(&client.session.who, id).await {
            Ok(text) => {
                self.operations.stats.note_fetch(&session, &client.says("name"), id, uri, &text);
                let result = format!(
                    r#"{{"contents":[{{"uri":{},"mimeType":"text/plain","text":{}}}]}}"#,
                    quote(uri),
                    quote(&text)
                );
                Reply::Result(cacheable(
                    client,
                    Method::ReadResource,
                    Json::assembled(result),
                    None,
                ))
            }
            Err(error) => {
                let code = match client.era {
                    Era::Legacy => code::RESOURCE_NOT_FOUND_LEGACY,
                    Era::Modern => code::INVALID_PARAMS,
                };
                Reply::Error(wire::error(code, &format!("{error}")))
            }
        }
    }

    pub(super) async fn complete(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let found = match params.text_at(&["ref", "type"]).as_deref() {
            Some("ref/prompt") => {
                let name = params.text_at(&["ref", "name"]).unwrap_or_default();
                self.servers
                    .find_prompt(client, &name)
                    .await
                    .map(|(upstream, own)| (upstream, params.with(&["ref", "name"], &quote(&own))))
            }
            Some("ref/resource") => {
                let uri = params.text_at(&["ref", "uri"]).unwrap_or_default();
                match self.servers.find_resource(client, &uri).await {
                    None => {
                        let listed = self.servers.listed(client, Listing::Templates).await;
                        listed
                            .into_iter()
                            .find(|(_, own, _)| *own == uri)
                            .map(|(upstream, _, _)| (upstream, params.clone()))
                    }
                    Some((upstream, own)) => {
                        Some((upstream, params.with(&["ref", "uri"], &quote(&own))))
                    }
                }
            }
            _ => None,
        };
        let Some((upstream, params)) = found else {
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                "ref names no prompt and no resource of any server",
            ));
        };
        let timing = upstream.timing();
        let run = ask(client, &upstream, Method::Complete, params, timing, true).await;
        self.finish_run(client, run, After::Named(Named::Other)).await
    }
}
