//! Prompts and resources: listed together, and found by name among all servers.

use std::collections::HashSet;
use std::sync::Arc;

use weir_servers::skills::SKILL_FILE;

use crate::abort::AbortOnDrop;
use crate::clients::profile::{Profile, climbs};
use crate::clients::session::Client;
use crate::search::catalog::Tool;
use crate::search::names::{own_uri, public_uri};
use crate::servers::known::Listing;
use crate::servers::listed::Listed;
use crate::servers::upstream::{Freshness, Upstream};
use weir_mcp::json::{Json, quote};

use super::Servers;

impl Servers {
    /// One list of all servers: each item with its server, its own name there, and as clients see it.
    pub(crate) async fn listed(
        &self,
        client: &Client,
        listing: Listing,
    ) -> Vec<(Arc<Upstream>, String, Json)> {
        self.listed_where(client, listing, Freshness::LIST, |_| true).await
    }

    /// The same of those of such names or URIs, as fresh as that.
    pub(crate) async fn listed_where(
        &self,
        client: &Client,
        listing: Listing,
        freshness: Freshness,
        is_wanted: impl Fn(&str) -> bool,
    ) -> Vec<(Arc<Upstream>, String, Json)> {
        let mut tasks = Vec::new();
        for upstream in self.of(client).iter() {
            let asked = upstream.listing_for(client);
            let budget = self.options.now().list_wait;
            tasks.push((
                Arc::clone(upstream),
                AbortOnDrop(tokio::spawn(async move {
                    tokio::time::timeout(budget, asked.listing(listing, freshness)).await
                })),
            ));
        }
        let key = listing.key();
        let mut found = Vec::new();
        for (upstream, mut task) in tasks {
            match (&mut task.0).await {
                Ok(Ok(Ok(items))) => {
                    let granted = self.grant(client, &upstream);
                    for item in items {
                        let Some(own) = item.own(key).filter(|own| is_wanted(own)) else {
                            continue;
                        };
                        let is_granted = match listing {
                            Listing::Prompts => granted(&format!("prompt:{own}")),
                            Listing::Resources | Listing::Templates => granted(own),
                        };
                        if is_granted {
                            found.push((Arc::clone(&upstream), own.to_owned(), Json::clone(&item)));
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
            let names = self.options.now().naming.assign(&pairs, &[]);
            for ((_, own, item), name) in found.iter_mut().zip(names) {
                if *own != name {
                    *item = item.with(&["name"], &quote(&name));
                }
            }
        } else {
            let prefix = self.options.now().naming.prefix;
            // Files of skills are apart by server in every mode.
            for (upstream, own, item) in
                found.iter_mut().filter(|(_, own, _)| prefix || own.starts_with("skill://"))
            {
                *item = item.with(&[key], &quote(&public_uri(upstream.name(), own)));
            }
        }
        found
    }

    pub(crate) async fn find_prompt(
        &self,
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

    /// What of a server that is no tool is there for this client: resources by their URIs, prompts as `prompt:NAME`. The
    /// files of a skill are there with the skill, and a user interface with the tool whose results it shows.
    pub(crate) fn grant(
        &self,
        client: &Client,
        upstream: &Upstream,
    ) -> impl Fn(&str) -> bool + use<> {
        let profiles = [(*client.session.who.profile).clone(), self.options.now().offered.clone()];
        let is_open = profiles.iter().all(Profile::is_open);
        let known = upstream.known().filter(|_| !is_open);
        let skills = known.iter().flat_map(|known| &known.tools).filter(|it| it.is_skill());
        let skills: HashSet<String> = skills.filter_map(Listed::name).collect();
        let (server, catalog) = (upstream.name().to_owned(), self.catalog_for(&client.session));
        move |name: &str| {
            // Of skills inside one another, the inner one.
            let within =
                name.rmatch_indices('/').map(|(at, _)| format!("{}{SKILL_FILE}", &name[..=at]));
            let skill = within.into_iter().find(|skill| skills.contains(skill) && !climbs(name));
            let admits = |profile: &Profile| match &skill {
                Some(skill) => profile.admits_tool(&server, skill),
                None => profile.admits_other(&server, name),
            };
            let shows = |tool: &Tool| tool.upstream.name() == server && tool.shows_itself_by(name);
            is_open
                || profiles.iter().all(admits)
                || name.starts_with("ui://") && catalog.tools().iter().any(shows)
        }
    }

    /// The server that has a resource, and the resource's URI there; none where it is not there for this client.
    pub(crate) async fn find_resource(
        &self,
        client: &Client,
        uri: &str,
    ) -> Option<(Arc<Upstream>, String)> {
        let found = self.resource_at(client, uri).await;
        found.filter(|(upstream, own)| self.grant(client, upstream)(own))
    }

    async fn resource_at(&self, client: &Client, uri: &str) -> Option<(Arc<Upstream>, String)> {
        let upstreams = self.of(client);
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
}
