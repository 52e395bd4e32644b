//! A server's lists: asked for page by page, kept for the time when it does not run.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use tokio::time::Instant;

use crate::servers::definitions;
use crate::servers::known::{Known, Listing};
use crate::servers::listed::Listed;
use crate::servers::pins::{self, Policy};
use crate::servers::spec::{Changed, Identity};
use crate::servers::upstream::eras::Offer;
use weir_mcp::connection::{Connection, Timing};
use weir_mcp::http_link::{HttpLink, repeated_headers};
use weir_mcp::json::{self, Json, quote};
use weir_mcp::methods::Method;
use weir_mcp::wire::{self, Era};

use super::{Happening, Upstream};
use crate::servers::digest;
use weir_base::unix_now;

/// Why a server has not listed what it was asked for.
#[derive(Debug, thiserror::Error)]
pub(super) enum ListError {
    /// It has no such method.
    #[error("{0} was answered with the error -32601: no such method")]
    NotOffered(Method),
    /// Anything else.
    #[error("{0}")]
    Failed(String),
}

/// Pages, items and bytes of one list: beyond, the rest is left out.
const MAX_PAGES: usize = 500;
const MAX_ITEMS: usize = 20_000;
const MAX_LIST_BYTES: u64 = 64 << 20;

/// What is left out of one list and kept by name.
const LEFT_OUT_SHOWN: usize = 20;

/// How long a client's list waits for what is known already.
pub(crate) const FRESHEN: Duration = Duration::from_millis(300);

/// How old a list may be that gave no time for itself, and how long one waits for another than the one that is known.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Freshness {
    again: Duration,
    patience: Duration,
}

impl Freshness {
    /// Of a client's list.
    pub(crate) const LIST: Freshness =
        Freshness { again: Duration::from_secs(1), patience: FRESHEN };

    /// Of what is searched, many lists at once: no search waits for what the next one will find.
    pub(crate) const SEARCH: Freshness =
        Freshness { again: Duration::from_secs(30), patience: Duration::ZERO };
}

/// For how long what one person was listed counts for the others, in seconds.
const PEOPLES_FOR: u64 = 24 * 3_600;

/// Members of what is listed that clients read and that something is decided by here.
const DECISIVE: [&str; 10] = [
    "name",
    "title",
    "description",
    "inputSchema",
    "outputSchema",
    "annotations",
    "execution",
    "uri",
    "uriTemplate",
    "taskId",
];
const HINTS: [&str; 5] =
    ["title", "readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];

impl Upstream {
    /// All pages of a list, in the server's order. A cursor seen before ends it.
    ///
    /// # Errors
    /// When the server cannot be used or answers with an error.
    pub async fn list(self: &Arc<Self>, method: Method, member: &str) -> Result<Vec<Json>, String> {
        let _wanted = self.wanted();
        let live = self.live().await.map_err(|error| error.to_string())?;
        let listed = self.list_live(&live.connection, live.era, method, member).await;
        listed.map_err(|error| error.to_string())
    }

    pub(super) async fn list_live(
        &self,
        connection: &Arc<Connection>,
        era: Era,
        method: Method,
        member: &str,
    ) -> Result<Vec<Json>, ListError> {
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.call_max };
        let mut found = Vec::new();
        let mut cursors = BTreeSet::new();
        let mut params = Json::empty();
        let mut left = MAX_LIST_BYTES;
        for _ in 0..MAX_PAGES {
            let page =
                match self.ask_live(connection, era, method, &params, timing, MAX_LIST_BYTES).await
                {
                    Ok(Ok(page)) => page,
                    Ok(Err(error)) => {
                        let code = error.at(&["code"]).and_then(|code| code.read::<i64>());
                        return Err(match code == Some(wire::code::METHOD_NOT_FOUND) {
                            true => ListError::NotOffered(method),
                            false => ListError::Failed(wire::refusal_of(method.name(), &error)),
                        });
                    }
                    Err(error) => return Err(ListError::Failed(format!("{method}: {error}"))),
                };
            let bytes = page.as_str().len() as u64;
            if bytes > left {
                tracing::warn!(
                    server = self.name(),
                    "{method} has more than {MAX_LIST_BYTES} bytes; the rest is left out"
                );
                break;
            }
            left -= bytes;
            self.note_time(method, &page, cursors.is_empty());
            found.extend(
                page.items(&[member]).into_iter().map(|item| Json::assembled(item.to_owned())),
            );
            match page.text_at(&["nextCursor"]) {
                Some(cursor)
                    if !cursor.is_empty()
                        && found.len() < MAX_ITEMS
                        && cursors.insert(cursor.clone()) =>
                {
                    params = Json::empty().with(&["cursor"], &quote(&cursor));
                }
                _ => break,
            }
        }
        found.truncate(MAX_ITEMS);
        found.retain(|item| self.says_once(item, method));
        self.left_out.lock().insert(method, Vec::new());
        let found = found.into_iter().filter_map(|item| self.mended(method, item)).collect();
        self.tell_left_out(method);
        Ok(found)
    }

    /// Takes note of how long a page may be taken for fresh. Of several pages the shortest time counts.
    pub(super) fn note_time(&self, method: Method, page: &Json, first: bool) {
        let ttl = page.at(&["ttlMs"]).and_then(|ttl| ttl.read::<u64>()).map(Duration::from_millis);
        self.asked
            .lock()
            .entry(method)
            .and_modify(|(at, known)| {
                *known = match first {
                    true => ttl,
                    false => (*known).min(ttl),
                };
                *at = Instant::now();
            })
            .or_insert((Instant::now(), ttl));
    }

    /// Whether no member that something is decided by is in it twice: what is checked would not be what a
    /// client reads.
    pub(super) fn says_once(&self, item: &Json, method: Method) -> bool {
        let annotations = item.get(&["annotations"]).unwrap_or("{}");
        let twice = json::repeated_name(item.as_str(), &DECISIVE)
            .or_else(|| json::repeated_name(annotations, &HINTS));
        if let Some(name) = &twice {
            let own = item.text_at(&["name"]).unwrap_or_default();
            tracing::warn!(
                server = self.name(),
                "{own} of {method} is left out: it has the member {name} twice"
            );
        }
        twice.is_none()
    }

    /// What it lists as any client takes it; `None` where that cannot be had.
    pub(super) fn mended(&self, method: Method, item: Json) -> Option<Json> {
        let name = ["name", "uri", "uriTemplate"].iter().find_map(|key| item.text_at(&[key]));
        let name = weir_base::clip(&name.unwrap_or_else(|| "one without a name".to_owned()), 200);
        match definitions::mended(method, item) {
            Ok((item, is_mended)) => {
                if is_mended {
                    tracing::debug!(server = self.name(), "{name} of {method} is mended");
                }
                Some(item)
            }
            Err(why) => {
                self.left_out.lock().entry(method).or_default().push(format!("{name}: {why}"));
                None
            }
        }
    }

    /// Says what of a list is left out, as no client could take it.
    pub(super) fn tell_left_out(&self, method: Method) {
        let told: Vec<String> = self.left_out.lock().get(&method).cloned().unwrap_or_default();
        if let [first, ..] = &told[..] {
            let server = self.name();
            tracing::warn!(server, "{} of {method} left out, such as {first}", told.len());
        }
    }

    /// How long what it listed may be taken for fresh, where it said so.
    pub fn time_of(&self, method: Method) -> Option<Duration> {
        self.asked.lock().get(&method).and_then(|(_, ttl)| *ttl)
    }

    /// Whether it runs and its list may be another by now: its own time is over, or it gave none. Not every
    /// server tells of changes.
    pub(super) fn is_stale(&self, method: Method, freshness: Freshness) -> bool {
        if self.current().is_none() {
            return false;
        }
        let asked = self.asked.lock().get(&method).copied();
        asked.is_none_or(|(at, ttl)| at.elapsed() >= ttl.unwrap_or_default().max(freshness.again))
    }

    /// Whether what is known of it is from an earlier run alone.
    pub(crate) fn is_remembered(&self) -> bool {
        self.known().is_some() && self.starts() == 0 && !self.is_nobodys()
    }

    /// Asks for its tools anew if they may be others by now, and waits a moment for that.
    pub async fn freshen_tools(self: &Arc<Self>) {
        if self.is_remembered() && self.resting().is_none() {
            let _ = tokio::time::timeout(FRESHEN, self.live()).await;
            return;
        }
        if !self.is_stale(Method::ListTools, Freshness::LIST) {
            return;
        }
        let this = Arc::clone(self);
        let asking = tokio::spawn(async move { this.refresh_tools().await });
        let _ = tokio::time::timeout(FRESHEN, asking).await;
    }

    /// Asks for its tools anew and keeps what it says.
    ///
    /// # Errors
    /// When it does not say.
    pub async fn refresh_tools(self: &Arc<Self>) -> Result<(), String> {
        let _wanted = self.wanted();
        let live = self.live().await.map_err(|error| error.to_string())?;
        let capabilities = self.known().map(|known| known.capabilities.clone());
        let capabilities = capabilities.unwrap_or_else(Json::empty);
        let http = live.http.as_ref();
        let mut pages = self.tool_pages(&live.connection, live.era, http, &capabilities);
        while self.next_page(&mut pages).await? {}
        let (tools, cut) = pages.so_far();
        let changed = self.learn(|known| {
            let known = known.filter(|known| known.partial || known.tools != tools)?;
            let (listed_for, listed_at) = (self.listed_for(), unix_now());
            Some(Known { tools, cut, listed_at, listed_for, partial: false, ..known.clone() })
        });
        if changed {
            let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
        }
        Ok(())
    }

    /// Gives its tools to the first instance, where this is another that several clients share.
    pub async fn share_tools(self: &Arc<Self>) {
        if let Some(base) = self.teach() {
            let _ = self.around.happenings.send(Happening::Changed(base)).await;
        }
    }

    /// The same; the first instance where that was news.
    fn teach(self: &Arc<Self>) -> Option<Arc<Upstream>> {
        let base = self.base().filter(|_| self.client().is_none())?;
        let mine = self.known().filter(|mine| !mine.partial)?;
        let changed = base.learn(|known| {
            if self.spec.identity == Identity::Person {
                // People may see different tools: one of them counts, and not each in turn.
                let old = known.is_none_or(|known| known.listed_at + PEOPLES_FOR < unix_now());
                return old.then(|| (*mine).clone().after(known));
            }
            let known = known?;
            let Known { mut tools, cut, listed_for, listed_at, .. } = (*mine).clone();
            // An era without skills says nothing of those of the other one.
            if Offer::of(&mine.capabilities) < Offer::of(&known.capabilities) {
                tools.extend(known.tools.iter().filter(|it| it.is_skill()).cloned());
            }
            let known = Some(known).filter(|known| known.tools != tools)?;
            Some(Known { era: mine.era, tools, cut, listed_for, listed_at, ..known.clone() })
        });
        changed.then_some(base)
    }

    /// One of its other lists: as it was given before, else asked for. Empty when it has no such
    /// capability, or says that there is no such method.
    ///
    /// # Errors
    /// When it does not run and cannot be started, or does not answer.
    pub(crate) async fn listing(
        self: &Arc<Self>,
        listing: Listing,
        freshness: Freshness,
    ) -> Result<Vec<Listed>, String> {
        if let Some(known) = self.known() {
            if let Some(kept) = known.lists.get(&listing) {
                if self.is_stale(listing.names().0, freshness) {
                    let this = Arc::clone(self);
                    let asking = tokio::spawn(async move { this.refresh_listing(listing).await });
                    if let Ok(Ok(Ok(fresh))) =
                        tokio::time::timeout(freshness.patience, asking).await
                    {
                        return Ok(fresh);
                    }
                }
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
    /// When it does not list them.
    pub async fn refresh_listing(
        self: &Arc<Self>,
        listing: Listing,
    ) -> Result<Vec<Listed>, String> {
        let (method, member, capability) = listing.names();
        let _wanted = self.wanted();
        let live = self.live().await.map_err(|error| error.to_string())?;
        if !self.known().is_some_and(|known| known.can(&[capability])) {
            return Ok(Vec::new());
        }
        let found = match self.list_live(&live.connection, live.era, method, member).await {
            // Many servers with resources have no templates, and say so like this.
            Err(ListError::NotOffered(_)) => Vec::new(),
            other => other.map_err(|error| error.to_string())?,
        };
        let found: Vec<Listed> = found.into_iter().map(Listed::from).collect();
        self.learn(|known| {
            let mut known = known?.clone();
            known.lists.insert(listing, found.clone());
            Some(known)
        });
        Ok(found)
    }

    /// Whether it has this tool, but not as it was first seen, and that is to be refused.
    pub fn withholds(&self, tool: &str) -> bool {
        if self.spec.changed == Changed::Report && !self.spec.approve {
            return false;
        }
        let known = self.known();
        known.is_some_and(|known| {
            known.is_withheld(tool, Policy::of(&self.spec), &self.approved.lock())
        })
    }

    /// The tools that are left out until the user approves them, as the server lists them.
    pub fn withheld(&self) -> Vec<Json> {
        self.withheld_of(|tool| Some(Json::clone(tool)))
    }

    /// The names of those.
    pub fn withheld_names(&self) -> BTreeSet<String> {
        self.withheld_of(Listed::name).into_iter().collect()
    }

    fn withheld_of<T>(&self, what: impl Fn(&Listed) -> Option<T>) -> Vec<T> {
        if self.spec.changed == Changed::Report && !self.spec.approve {
            return Vec::new();
        }
        let Some(known) = self.known() else { return Vec::new() };
        let approved = self.approved.lock();
        let out = |tool: &&Listed| {
            let Some(name) = tool.name() else { return false };
            self.spec.admits(&name)
                && known.withholds(&name, tool, Policy::of(&self.spec), &approved)
        };
        known.tools.iter().filter(out).filter_map(what).collect()
    }

    /// Notes for good that the user approves these tools as they are now. Running gateways see it soon.
    ///
    /// # Errors
    /// When that cannot be written.
    pub fn approve(&self, tools: &[Json]) -> std::io::Result<()> {
        let mut approved = self.around.cache.approved(&self.place);
        for tool in tools {
            if let Some(name) = tool.text_at(&["name"]) {
                approved.insert(name, digest::digest(tool));
            }
        }
        self.around.cache.approve(&self.place, &approved)?;
        *self.approved.lock() = approved;
        Ok(())
    }

    /// Reads anew what the user has approved; whether that is something else now.
    pub fn reload_approved(&self) -> bool {
        if self.spec.changed == Changed::Report && !self.spec.approve {
            return false;
        }
        let now = self.around.cache.approved(&self.place);
        let mut approved = self.approved.lock();
        let differs = *approved != now;
        *approved = now;
        differs
    }

    /// Takes over what another gateway learned: what its tools were when first seen, and while it does not run here, what
    /// it listed there.
    pub(crate) fn learned_elsewhere(&self, documents: &BTreeSet<String>) {
        if !documents.iter().any(|name| self.place.is_document(name)) {
            return;
        }
        let kept = self.around.cache.load(&self.place);
        let mut account = self.known.lock();
        let mine =
            account.known.clone().filter(|_| self.current().is_some() || kept.known.is_none());
        match (mine, kept.known, kept.outdated) {
            (Some(mine), Some(theirs), _) | (Some(mine), _, Some(theirs)) => {
                let mut known = (*mine).clone();
                pins::carry(Some(&theirs), &mut known);
                account.known = Some(Arc::new(known));
            }
            (None, Some(theirs), _) => account.known = Some(Arc::new(theirs)),
            (None, None, Some(theirs)) => account.outdated = Some(theirs),
            (_, None, None) => {}
        }
    }

    /// Why a tool is left out that [`Upstream::withholds`].
    pub fn why_withheld(&self, tool: &str) -> String {
        format!(
            "tool {tool} of server {server} is left out: it is new or was defined anew since the server was first seen. \
             It waits for the user's approval",
            server = self.name()
        )
    }

    fn redefined(&self, tools: &[String]) -> String {
        let server = self.name();
        let new = if self.spec.approve { "added or changed" } else { "changed" };
        let text = format!(
            "server {server} has {new} tools since they were first seen: {}. Look at what they say now before you let a \
             model use them.",
            tools.join(", ")
        );
        if self.spec.approve || self.spec.changed == Changed::Refuse {
            // The command is for the log alone: a model with a shell would run it.
            tracing::warn!(
                "{text} They are left out until you run: weir tools approve {key}",
                key = self.spec.key
            );
            return format!("{text} They are left out until the user approves them.");
        }
        tracing::warn!("{text}");
        text
    }

    /// Takes note of arguments of a tool that headers repeat. Not so for one that asks for that in a forbidden
    /// way.
    pub(super) fn notes_headers(&self, http: &HttpLink, tool: &Json) -> bool {
        let name = tool.text_at(&["name"]).unwrap_or_default();
        match repeated_headers(tool) {
            Ok(headers) => {
                http.repeat(&name, headers);
                true
            }
            Err(reason) => {
                tracing::warn!(server = self.name(), "tool {name} is left out: {reason}");
                false
            }
        }
    }

    /// Puts what it said in the place of what was known; says whether that was so. One at a time: what
    /// two learn at once is not lost.
    pub(super) fn learn(
        self: &Arc<Self>,
        change: impl FnOnce(Option<&Known>) -> Option<Known>,
    ) -> bool {
        let (news, has_skills) = {
            let mut account = self.known.lock();
            let Some(mut known) = change(account.known.as_deref()) else { return false };
            // Half a list is no account of what was there: what was new after it would be its other half.
            for (method, told) in self.left_out.lock().iter() {
                let some = told.iter().take(LEFT_OUT_SHOWN).cloned().collect();
                known.left_out.insert(method.name().to_owned(), some);
            }
            let whole = account.known.as_deref().filter(|known| !known.partial);
            let before = whole.or(account.outdated.as_ref());
            let news = match known.partial {
                true => {
                    pins::carry(before, &mut known);
                    Vec::new()
                }
                false => {
                    let policy = Policy::of(&self.spec);
                    pins::compare(before, &mut known, policy, &self.approved.lock())
                }
            };
            let known = Arc::new(known);
            // Of a further instance nothing is kept: it was asked on one client's behalf.
            if self.base().is_none() && !known.partial {
                self.around.cache.store(&self.place, &known);
            }
            if !known.partial {
                account.outdated = None;
            }
            self.whole.send_replace(!known.partial);
            let has_skills = !known.partial && known.tools.iter().any(Listed::is_skill);
            account.known = Some(known);
            // Before anyone sees it: who knows that a list is whole takes no catalog of a part of it.
            self.around.learned.fetch_add(1, Ordering::SeqCst);
            (news, has_skills)
        };
        if has_skills && self.base().is_none() {
            tokio::spawn(Arc::clone(self).keep_texts());
        }
        // Whoever waits for it looks at the first one.
        if self.spec.identity == Identity::Person
            && let Some(base) = self.teach()
        {
            let happenings = self.around.happenings.clone();
            tokio::spawn(async move { happenings.send(Happening::Changed(base)).await });
        }
        if !news.is_empty() {
            let happening = Happening::Redefined(Arc::clone(self), self.redefined(&news));
            let happenings = self.around.happenings.clone();
            tokio::spawn(async move { happenings.send(happening).await });
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::gateway::Gateway;
    use crate::operations::gate::Gate;
    use crate::options::Options;
    use crate::servers::spec::{Reach, ServerSpec};

    #[tokio::test]
    async fn what_is_learned_is_in_the_catalog_at_once() {
        let dir = tempfile::tempdir().unwrap();
        let reach = Reach::Http {
            url: "http://127.0.0.1:9/mcp".into(),
            headers: Default::default(),
            sse: false,
        };
        let gateway = Gateway::new(
            vec![ServerSpec::new("s", reach)],
            Gate::new(Err("not needed".into()), "one"),
            Options::new(dir.path().to_owned()),
        )
        .unwrap();
        let before = gateway.servers.catalog();
        assert!(before.tools().is_empty());
        let mut known = Known {
            era: Era::Modern,
            eras: Default::default(),
            version: "2026-07-28".into(),
            info: None,
            capabilities: Json::parse(r#"{"tools":{}}"#.into()).unwrap(),
            instructions: None,
            tools: vec![Json::parse(r#"{"name":"x","inputSchema":{}}"#.into()).unwrap().into()],
            lists: BTreeMap::new(),
            listed_at: 7,
            listed_for: BTreeSet::new(),
            pins: BTreeMap::new(),
            changed: BTreeMap::new(),
            former: BTreeMap::new(),
            left_out: BTreeMap::new(),
            other_pins: BTreeMap::new(),
            cut: false,
            partial: false,
        };
        // Nobody has heard of it yet: nothing is awaited here.
        let again = known.clone();
        gateway.servers.all()[0].learn(|_| Some(again));
        let after = gateway.servers.catalog();
        assert!(after.find("s__x").is_some());
        // What is made of a catalog is kept while its tools are the same.
        known.listed_at = 8;
        gateway.servers.all()[0].learn(|_| Some(known));
        assert!(Arc::ptr_eq(&gateway.servers.catalog(), &after));
        gateway.servers.reconfigure(Vec::new());
        assert!(gateway.servers.catalog().tools().is_empty());
    }
}
