//! Prompts, resources and completion: found by name among all servers.

use std::sync::Arc;

use crate::Gateway;
use crate::audit::Called;
use crate::exchange::Run;
use crate::frame::Reply;
use crate::json::{Json, quote};
use crate::known::Listing;
use crate::methods::Method;
use crate::names::{own_uri, public_uri};
use crate::session::Client;
use crate::upstream::Upstream;
use crate::wire::{self, Era, code};

use super::accounted::OWN;
use super::after::{After, Named};
use super::{AbortOnDrop, foreign_cursor};

impl Gateway {
    pub(super) async fn list(
        self: &Arc<Self>,
        client: &Client,
        listing: Listing,
        params: &Json,
    ) -> Reply {
        if let Some(error) = foreign_cursor(params) {
            return Reply::Error(error);
        }
        let found = self.listed(client, listing).await;
        let (method, member, _) = listing.names();
        let items: Vec<String> = found.into_iter().map(|(_, _, item)| item.to_string()).collect();
        let result = Json::assembled(format!(r#"{{"{member}":[{}]}}"#, items.join(",")));
        let time = self.shortest_time(client, method);
        Reply::Result(self.cacheable(client, method, result, time))
    }

    /// One list of all servers: each item with its server, its own name there, and as clients see it.
    pub(super) async fn listed(
        self: &Arc<Self>,
        client: &Client,
        listing: Listing,
    ) -> Vec<(Arc<Upstream>, String, Json)> {
        let mut tasks = Vec::new();
        for upstream in self.upstreams_for(client).iter() {
            let asked = upstream.serving(client);
            let budget = self.options().list_wait;
            tasks.push((
                Arc::clone(upstream),
                AbortOnDrop(tokio::spawn(async move {
                    tokio::time::timeout(budget, asked.listing(listing)).await
                })),
            ));
        }
        let key = match listing {
            Listing::Prompts => "name",
            Listing::Resources => "uri",
            Listing::Templates => "uriTemplate",
        };
        let mut found = Vec::new();
        for (upstream, mut task) in tasks {
            match (&mut task.0).await {
                Ok(Ok(Ok(items))) => {
                    for item in items {
                        if let Some(own) = item.text_at(&[key]) {
                            found.push((Arc::clone(&upstream), own, item));
                        }
                    }
                }
                Ok(Ok(Err(reason))) => {
                    tracing::warn!(server = upstream.name(), "{reason}")
                }
                _ => tracing::warn!("{} did not list within the time for it", upstream.name()),
            }
        }
        if listing == Listing::Prompts {
            let pairs: Vec<(&str, &str)> =
                found.iter().map(|(upstream, own, _)| (upstream.name(), own.as_str())).collect();
            let names = self.options().naming.assign(&pairs, &[]);
            for ((_, own, item), name) in found.iter_mut().zip(names) {
                if *own != name {
                    *item = item.with(&["name"], &quote(&name));
                }
            }
        } else {
            let prefix = self.options().naming.prefix;
            // Files of skills are apart by server in every mode.
            for (upstream, own, item) in
                found.iter_mut().filter(|(_, own, _)| prefix || own.starts_with("skill://"))
            {
                *item = item.with(&[key], &quote(&public_uri(upstream.name(), own)));
            }
        }
        found
    }

    async fn find_prompt(
        self: &Arc<Self>,
        client: &Client,
        name: &str,
    ) -> Option<(Arc<Upstream>, String)> {
        let listed = self.listed(client, Listing::Prompts).await;
        if let Some((upstream, own, _)) =
            listed.iter().find(|(_, _, item)| item.text_at(&["name"]).as_deref() == Some(name))
        {
            return Some((Arc::clone(upstream), own.clone()));
        }
        let mut bare = listed.iter().filter(|(_, own, _)| own == name);
        match (bare.next(), bare.next()) {
            (Some((upstream, own, _)), None) => Some((Arc::clone(upstream), own.clone())),
            _ => None,
        }
    }

    /// The server that has a resource, and the resource's URI there.
    pub(super) async fn find_resource(
        self: &Arc<Self>,
        client: &Client,
        uri: &str,
    ) -> Option<(Arc<Upstream>, String)> {
        let upstreams = self.upstreams_for(client);
        if let Some((server, own)) = own_uri(uri)
            && let Some(upstream) = upstreams.iter().find(|upstream| upstream.name() == server)
        {
            return Some((Arc::clone(upstream), own.into_owned()));
        }
        if let [only] = &upstreams[..] {
            return Some((Arc::clone(only), uri.to_owned()));
        }
        // A URI of a server's own, as its tools mention it, where it is the only one's. User interfaces need
        // not be listed.
        let catalog = self.catalog_for(&client.session);
        let mut showing = catalog.tools().iter().filter(|tool| tool.shows_itself_by(uri));
        if let Some(tool) = showing.next()
            && showing.all(|other| Arc::ptr_eq(&other.upstream, &tool.upstream))
        {
            return Some((Arc::clone(&tool.upstream), uri.to_owned()));
        }
        let listed = self.listed(client, Listing::Resources).await;
        let mut found = listed.into_iter().filter(|(_, own, _)| own == uri);
        match (found.next(), found.next()) {
            (Some((upstream, own, _)), None) => Some((upstream, own)),
            _ => None,
        }
    }

    pub(super) async fn get_prompt(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let name = params.text_at(&["name"]).unwrap_or_default();
        let Some((upstream, own)) = self.find_prompt(client, &name).await else {
            return Reply::Error(wire::error(
                code::INVALID_PARAMS,
                &format!("Unknown prompt: {name}"),
            ));
        };
        let arguments = params.get(&["arguments"]).unwrap_or("{}").to_owned();
        let called = Called {
            method: Method::GetPrompt.name(),
            server: Some(upstream.name().to_owned()),
            tool: Some(own.clone()),
            arguments: &arguments,
        };
        let params = if own == name { params } else { params.with(&["name"], &quote(&own)) };
        let timing = Self::plain_timing(&upstream);
        let work = async {
            let run =
                self.exchange(client, &upstream, Method::GetPrompt, params, timing, true).await;
            self.finish_run(client, run, After::Named(Named::Prompt(Arc::clone(&upstream)))).await
        };
        self.accounted(client, called, work).await
    }

    pub(super) async fn read_resource(self: &Arc<Self>, client: &Client, params: Json) -> Reply {
        let uri = params.text_at(&["uri"]).unwrap_or_default();
        // A URI may say as much as arguments do: only its digest is logged.
        let called = |server: &str| Called {
            method: Method::ReadResource.name(),
            server: Some(server.to_owned()),
            tool: None,
            arguments: &uri,
        };
        if let Some(id) = uri.strip_prefix("weir://blob/") {
            return self.accounted(client, called(OWN), self.read_blob(client, &uri, id)).await;
        }
        let Some((upstream, own)) = self.find_resource(client, &uri).await else {
            let code = match client.era {
                Era::Legacy => code::RESOURCE_NOT_FOUND_LEGACY,
                Era::Modern => code::INVALID_PARAMS,
            };
            let data = Json::assembled(format!(r#"{{"uri":{}}}"#, quote(&uri)));
            return Reply::Error(wire::error_with(code, "Resource not found", &data));
        };
        if let Some(skill) = upstream.skill_of(&own) {
            let work = async {
                match self.skill_file(client, &upstream, &skill, &own).await {
                    Ok(file) => {
                        let named = Named::Resource { upstream: Arc::clone(&upstream), uri: uri.clone() };
                        let reply = Run::Ended(Reply::Result(file.result));
                        self.finish_run(client, Ok(reply), After::Named(named)).await
                    }
                    Err(reason) => Reply::Error(wire::error(code::INVALID_PARAMS, &reason)),
                }
            };
            return self.accounted(client, called(upstream.name()), work).await;
        }
        let params = if own == uri { params } else { params.with(&["uri"], &quote(&own)) };
        let timing = Self::plain_timing(&upstream);
        let work = async {
            let run =
                self.exchange(client, &upstream, Method::ReadResource, params, timing, true).await;
            let named = Named::Resource { upstream: Arc::clone(&upstream), uri: uri.clone() };
            self.finish_run(client, run, After::Named(named)).await
        };
        self.accounted(client, called(upstream.name()), work).await
    }

    async fn read_blob(self: &Arc<Self>, client: &Client, uri: &str, id: &str) -> Reply {
        let session = self.gate.session_of(&client.session.who);
        match self.gate.blob(&client.session.who, id).await {
            Ok(text) => {
                self.stats.note_fetch(&session, &client.says("name"), id, uri, &text);
                let result = format!(
                    r#"{{"contents":[{{"uri":{},"mimeType":"text/plain","text":{}}}]}}"#,
                    quote(uri),
                    quote(&text)
                );
                Reply::Result(self.cacheable(
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
                self.find_prompt(client, &name)
                    .await
                    .map(|(upstream, own)| (upstream, params.with(&["ref", "name"], &quote(&own))))
            }
            Some("ref/resource") => {
                let uri = params.text_at(&["ref", "uri"]).unwrap_or_default();
                match self.find_resource(client, &uri).await {
                    None => {
                        let listed = self.listed(client, Listing::Templates).await;
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
        let timing = Self::plain_timing(&upstream);
        let run = self.exchange(client, &upstream, Method::Complete, params, timing, true).await;
        self.finish_run(client, run, After::Named(Named::Other)).await
    }
}
