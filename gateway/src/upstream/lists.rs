//! A server's lists: asked for page by page, kept for the time when it does not run.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

use crate::connection::{Connection, Link, Timing};
use crate::http_link::{HttpLink, repeated_headers};
use crate::json::{Json, quote};
use crate::known::{Known, Listing};
use crate::spec::Changed;
use crate::wire::Era;
use crate::{log, pins};

use super::{Happening, Upstream, lock, unix_now};

/// Pages of one list, tools of one server: beyond, the rest is left out.
const MAX_PAGES: usize = 500;
const MAX_TOOLS: usize = 20_000;

impl Upstream {
    /// All pages of a list, in the server's order. A cursor seen before ends it.
    ///
    /// # Errors
    /// When the server cannot be used or answers with an error.
    pub async fn list(self: &Arc<Self>, method: &str, member: &str) -> Result<Vec<Json>, String> {
        let live = self.live().await.map_err(|error| error.to_string())?;
        self.list_live(&live.connection, live.era, method, member).await
    }

    pub(super) async fn list_live(
        &self,
        connection: &Arc<Connection>,
        era: Era,
        method: &str,
        member: &str,
    ) -> Result<Vec<Json>, String> {
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.call_max };
        let mut found = Vec::new();
        let mut cursors = BTreeSet::new();
        let mut params = Json::assembled("{}".into());
        for _ in 0..MAX_PAGES {
            let page = match self.ask_live(connection, era, method, &params, timing).await {
                Ok(Ok(page)) => page,
                Ok(Err(error)) => {
                    return Err(format!("{method} was answered with the error {error}"));
                }
                Err(error) => return Err(format!("{method}: {error}")),
            };
            found.extend(
                page.items(&[member]).into_iter().map(|item| Json::assembled(item.to_owned())),
            );
            match page.text_at(&["nextCursor"]) {
                Some(cursor)
                    if !cursor.is_empty()
                        && found.len() < MAX_TOOLS
                        && cursors.insert(cursor.clone()) =>
                {
                    params = Json::assembled("{}".into()).with(&["cursor"], &quote(&cursor));
                }
                _ => break,
            }
        }
        found.truncate(MAX_TOOLS);
        Ok(found)
    }

    /// Asks for its tools anew and keeps what it says.
    ///
    /// # Errors
    /// When it does not say.
    pub async fn refresh_tools(self: &Arc<Self>) -> Result<(), String> {
        let mut tools = self.list("tools/list", "tools").await?;
        if let Some(live) = self.current()
            && let (Link::Http(http), Era::Modern) = (live.connection.link(), live.era)
        {
            self.note_headers(http, &mut tools);
        }
        let Some(known) = self.known() else { return Ok(()) };
        if known.tools != tools {
            self.learn(Known { tools, listed_at: unix_now(), ..(*known).clone() });
            let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
        }
        Ok(())
    }

    /// One of its other lists: as it was given before, else asked for. Empty when it has no such
    /// capability, or says that there is no such method.
    ///
    /// # Errors
    /// When it does not run and cannot be started, or does not answer.
    pub async fn listing(self: &Arc<Self>, listing: Listing) -> Result<Vec<Json>, String> {
        if let Some(known) = self.known() {
            if let Some(kept) = known.lists.get(&listing) {
                return Ok(kept.clone());
            }
            if !known.can(&[listing.names().2]) {
                return Ok(Vec::new());
            }
        }
        self.refresh_listing(listing).await
    }

    /// Asks for one of its other lists anew and keeps it.
    ///
    /// # Errors
    /// As [`Upstream::listing`].
    pub async fn refresh_listing(self: &Arc<Self>, listing: Listing) -> Result<Vec<Json>, String> {
        let (method, member, capability) = listing.names();
        let live = self.live().await.map_err(|error| error.to_string())?;
        if !self.known().is_some_and(|known| known.can(&[capability])) {
            return Ok(Vec::new());
        }
        let found = match self.list_live(&live.connection, live.era, method, member).await {
            // Many servers with resources have no templates, and say so like this.
            Err(reason) if reason.contains("-32601") => Vec::new(),
            other => other?,
        };
        if let Some(known) = self.known() {
            let mut known = (*known).clone();
            known.lists.insert(listing, found.clone());
            self.learn(known);
        }
        Ok(found)
    }

    /// Whether it has this tool, but not as it was first seen, and that is to be refused.
    pub fn withholds(&self, tool: &str) -> bool {
        self.spec.changed == Changed::Refuse
            && self.known().is_some_and(|known| known.is_withheld(tool))
    }

    /// Why a tool is left out that [`Upstream::withholds`].
    pub fn why_withheld(&self, tool: &str) -> String {
        format!(
            "tool {tool} of server {} is left out: the server has defined it anew since it was first seen. To accept it, \
             set weir.changed of the server to \"report\" for one start",
            self.name()
        )
    }

    fn redefined(&self, tools: &[String]) -> String {
        let left_out = match self.spec.changed {
            Changed::Report => "",
            Changed::Refuse => " They are left out until that is accepted.",
        };
        let text = format!(
            "server {} has defined tools anew since they were first seen: {}. Look at what they say now before you \
             let a model use them.{left_out}",
            self.name(),
            tools.join(", ")
        );
        log::warn(format_args!("{text}"));
        text
    }

    /// Takes note of arguments that headers repeat; tools that ask for that in a forbidden way go.
    pub(super) fn note_headers(&self, http: &HttpLink, tools: &mut Vec<Json>) {
        tools.retain(|tool| {
            let name = tool.text_at(&["name"]).unwrap_or_default();
            match repeated_headers(tool) {
                Ok(headers) => {
                    http.repeat(&name, headers);
                    true
                }
                Err(reason) => {
                    log::warn(format_args!("{}: tool {name} is left out: {reason}", self.name()));
                    false
                }
            }
        });
    }

    pub(super) fn learn(self: &Arc<Self>, mut known: Known) {
        let news = pins::compare(self.known().as_deref(), &mut known, self.spec.changed);
        // A cache that cannot be written costs a start next time, nothing more.
        let _ = self.around.cache.store(&self.spec.fingerprint(), &known);
        *lock(&self.known) = Some(Arc::new(known));
        self.around.learned.fetch_add(1, Ordering::SeqCst);
        if !news.is_empty() {
            // Full means that much is going on already; the log has it.
            let happening = Happening::Redefined(Arc::clone(self), self.redefined(&news));
            let _ = self.around.happenings.try_send(happening);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::gate::Gate;
    use crate::spec::{Reach, ServerSpec};
    use crate::{Gateway, Options};

    #[tokio::test]
    async fn what_is_learned_is_in_the_catalog_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let reach =
            Reach::Http { url: "http://127.0.0.1:9/mcp".into(), headers: Default::default() };
        let gateway = Gateway::new(
            vec![ServerSpec::new("s", reach)],
            Gate::new(Err("not needed".into()), "one"),
            Options::new(dir.path().to_owned()),
        )
        .unwrap();
        let before = gateway.catalog();
        assert!(before.tools().is_empty());
        let mut known = Known {
            era: Era::Modern,
            legacy_only: false,
            version: "2026-07-28".into(),
            info: None,
            capabilities: Json::parse(r#"{"tools":{}}"#.into()).unwrap(),
            instructions: None,
            tools: vec![Json::parse(r#"{"name":"x","inputSchema":{}}"#.into()).unwrap()],
            lists: BTreeMap::new(),
            listed_at: 7,
            pins: BTreeMap::new(),
            changed: BTreeMap::new(),
        };
        // Nobody has heard of it yet: nothing is awaited here.
        gateway.upstreams()[0].learn(known.clone());
        let after = gateway.catalog();
        assert!(after.find("s__x").is_some());
        // What is made of a catalog is kept while its tools are the same.
        known.listed_at = 8;
        gateway.upstreams()[0].learn(known);
        assert!(Arc::ptr_eq(&gateway.catalog(), &after));
        gateway.reconfigure(Vec::new());
        assert!(gateway.catalog().tools().is_empty());
    }
}
