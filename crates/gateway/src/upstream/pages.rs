//! A server's tools, page by page: the first pages are there before the last ones are asked for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::connection::{Connection, Timing};
use crate::frame::{Reply, SpooledResult};
use crate::http_link::HttpLink;
use crate::indexes::LARGE_TOOLS;
use crate::json::{Json, quote};
use crate::known::Known;
use crate::listed::{Collecting, Tools};
use crate::methods::{Method, SKILLS};
use crate::skills::{self, MAX_SKILLS};
use crate::slack::give_back;
use crate::wire::{self, Era};

use super::{Happening, Upstream};
use weir_base::unix_now;

/// Pages and tools of one server's list: beyond, as beyond the bytes of its entry, the rest is left out.
const MAX_PAGES: usize = 10_000;
const MAX_TOOLS: usize = 50_000;

/// Bytes of one definition in a page that is read from a file.
const MAX_TOOL_BYTES: usize = 16 << 20;

/// How long a list that goes on is not shown anew, at least. It is shown when it has twice as many tools.
const SHOW_AGAIN: Duration = Duration::from_millis(500);

/// How often a list that breaks off is asked for again while the server runs, and how long after.
const TRIES: u32 = 3;
const TRY_AGAIN: Duration = Duration::from_secs(5);

/// A list of tools on its way.
pub(super) struct Pages {
    connection: Arc<Connection>,
    era: Era,
    http: Option<Arc<HttpLink>>,
    /// The lists that are still to be asked for, the next one last.
    methods: Vec<Method>,
    params: Json,
    cursors: BTreeSet<String>,
    pages: usize,
    // None while a page is added to it on another thread.
    collecting: Option<Collecting>,
    seen: BTreeSet<String>,
    twice: BTreeSet<String>,
    nameless: usize,
    skills: usize,
}

impl Pages {
    fn len(&self) -> usize {
        self.collecting.as_ref().map_or(0, Collecting::count)
    }

    /// The tools so far.
    ///
    /// # Errors
    /// When they cannot be kept.
    pub(super) async fn so_far(&mut self) -> Result<Tools, String> {
        self.blocking(|collecting| collecting.so_far()).await
    }

    /// Does something with the list that may wait for the disk.
    async fn blocking<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Collecting) -> std::io::Result<T> + Send + 'static,
    ) -> Result<T, String> {
        let Some(mut collecting) = self.collecting.take() else {
            return Err("the list of its tools is lost".to_owned());
        };
        let done = tokio::task::spawn_blocking(move || {
            let result = work(&mut collecting);
            (collecting, result)
        });
        let (collecting, result) = done.await.map_err(|error| error.to_string())?;
        self.collecting = Some(collecting);
        result.map_err(|error| format!("its tools cannot be kept: {error}"))
    }
}

impl Upstream {
    /// Its list of tools, with its skills behind them, of which no page was asked for.
    pub(super) fn tool_pages(
        &self,
        connection: &Arc<Connection>,
        era: Era,
        http: Option<&Arc<HttpLink>>,
        capabilities: &Json,
    ) -> Pages {
        let mut methods = Vec::new();
        if capabilities.get(&["extensions", SKILLS]).is_some() {
            methods.push(Method::ListSkills);
        }
        if capabilities.get(&["tools"]).is_some() {
            methods.push(Method::ListTools);
        }
        Pages {
            methods,
            connection: Arc::clone(connection),
            era,
            http: http.filter(|_| era == Era::Modern).map(Arc::clone),
            params: Json::empty(),
            cursors: BTreeSet::new(),
            pages: 0,
            collecting: Some(self.around.cache.collecting(&self.place)),
            seen: BTreeSet::new(),
            twice: BTreeSet::new(),
            nameless: 0,
            skills: 0,
        }
    }

    /// Asks for the next page. Whether there are more after it. A cursor seen before ends the list. Skills that are not
    /// listed hold up no tool: those that were known before stay.
    ///
    /// # Errors
    /// When the server does not answer, or answers with an error.
    pub(super) async fn next_page(self: &Arc<Self>, pages: &mut Pages) -> Result<bool, String> {
        let Some(&method) = pages.methods.last() else { return Ok(false) };
        match self.page_of(method, pages).await {
            Err(reason) if method == Method::ListSkills && pages.connection.closed().is_none() => {
                tracing::warn!(server = self.name(), "its skills cannot be listed: {reason}");
                let known = self.known();
                let skills = known.iter().flat_map(|known| known.tools.iter());
                let skills = skills.filter(|known| known.is_skill());
                let kept: Vec<Json> = skills
                    .filter(|skill| skill.name().is_some_and(|uri| pages.seen.insert(uri)))
                    .map(|skill| skill.whole().into_owned())
                    .collect();
                let add = |list: &mut Collecting| kept.into_iter().try_for_each(|it| list.add(it));
                pages.blocking(add).await?;
                pages.methods.pop();
                Ok(false)
            }
            other => other,
        }
    }

    async fn page_of(self: &Arc<Self>, method: Method, pages: &mut Pages) -> Result<bool, String> {
        let member = if method == Method::ListSkills { "skills" } else { "tools" };
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.call_max };
        let before = pages.len();
        let reply =
            self.ask_whole(&pages.connection, pages.era, method, &pages.params, timing).await;
        let page = match reply {
            Ok(Reply::Result(page)) => {
                let items: Vec<Json> = page
                    .items(&[member])
                    .into_iter()
                    .filter_map(|item| self.taken(pages, Json::assembled(item.to_owned())))
                    .collect();
                pages
                    .blocking(move |collecting| {
                        items.into_iter().try_for_each(|item| collecting.add(item))
                    })
                    .await?;
                page.without(&[member])
            }
            Ok(Reply::Spooled(spooled)) => self.take_spooled(pages, spooled, member).await?,
            Ok(Reply::Error(error)) => {
                return Err(wire::refusal_of(method.name(), &error));
            }
            Err(error) => return Err(format!("{method}: {error}")),
        };
        self.note_time(method, &page, pages.params.get(&["cursor"]).is_none());
        pages.pages += 1;
        let cursor = page.text_at(&["nextCursor"]).filter(|cursor| !cursor.is_empty());
        let cursor = cursor.filter(|cursor| pages.cursors.insert(cursor.clone()));
        let bytes = pages.collecting.as_ref().map_or(0, Collecting::bytes);
        // A page that brings nothing new is not followed for ever.
        let cursor = cursor.filter(|_| pages.len() > before);
        let full = pages.len() >= MAX_TOOLS
            || pages.pages >= MAX_PAGES
            || bytes >= self.spec.max_list_bytes
            || pages.skills > MAX_SKILLS;
        match cursor {
            Some(cursor) if !full => {
                pages.params = Json::empty().with(&["cursor"], &quote(&cursor));
                Ok(true)
            }
            more => {
                if more.is_some() {
                    tracing::warn!(
                        server = self.name(),
                        "{method}: with it {} tools and skills are taken; the rest is left out",
                        pages.len()
                    );
                }
                pages.params = Json::empty();
                pages.methods.pop();
                if pages.methods.is_empty() {
                    self.report(pages);
                }
                Ok(!pages.methods.is_empty())
            }
        }
    }

    /// What is listed as a definition, where it is one that can be offered.
    fn taken(&self, pages: &mut Pages, item: Json) -> Option<Json> {
        if pages.methods.last() != Some(&Method::ListSkills) {
            // That a tool is a skill is not for a server to say.
            let is_tool = item.get(&[skills::MEMBER]).is_none();
            return Some(item).filter(|item| is_tool && self.takes(pages, item));
        }
        match skills::definition_of(&item) {
            Ok(definition) => {
                pages.skills += 1;
                let fits = pages.skills <= MAX_SKILLS;
                Some(definition).filter(|definition| fits && self.takes(pages, definition))
            }
            Err(reason) => {
                tracing::warn!(server = self.name(), "a skill is left out: {reason}");
                None
            }
        }
    }

    /// Whether a tool is one that can be offered.
    fn takes(&self, pages: &mut Pages, item: &Json) -> bool {
        let Some(name) = item.text_at(&["name"]).filter(|name| !name.trim().is_empty()) else {
            pages.nameless += 1;
            return false;
        };
        if pages.seen.len() >= MAX_TOOLS
            || !self.says_once(item, Method::ListTools)
            || !pages.http.as_ref().is_none_or(|http| self.notes_headers(http, item))
        {
            return false;
        }
        if !pages.seen.insert(name.clone()) {
            pages.twice.insert(name);
            return false;
        }
        true
    }

    /// Takes the tools of a page that is in a file, and gives the rest of the page.
    async fn take_spooled(
        self: &Arc<Self>,
        pages: &mut Pages,
        spooled: SpooledResult,
        member: &'static str,
    ) -> Result<Json, String> {
        let (send, mut items) = tokio::sync::mpsc::channel::<Json>(64);
        let reading = tokio::task::spawn_blocking(move || {
            spooled.items_to(member, MAX_TOOL_BYTES, &mut |item| {
                send.blocking_send(item).map_err(std::io::Error::other)
            })
        });
        let mut batch = Vec::new();
        let mut bytes = 0;
        while let Some(item) = items.recv().await {
            if let Some(item) = self.taken(pages, item) {
                bytes += item.as_str().len();
                batch.push(item);
            }
            if bytes > 1 << 20 {
                bytes = 0;
                let full = std::mem::take(&mut batch);
                pages
                    .blocking(move |list| full.into_iter().try_for_each(|item| list.add(item)))
                    .await?;
            }
        }
        pages.blocking(move |list| batch.into_iter().try_for_each(|item| list.add(item))).await?;
        let read = reading.await.map_err(|error| error.to_string())?;
        read.map_err(|error| format!("its tools cannot be read: {error}"))
    }

    /// Says which of the tools it lists cannot be offered: those without a name, and all but the first of one name.
    fn report(&self, pages: &Pages) {
        if pages.skills > MAX_SKILLS {
            tracing::warn!(
                server = self.name(),
                "it lists more than {MAX_SKILLS} skills; the rest is left out"
            );
        }
        if pages.nameless > 0 {
            tracing::warn!(
                server = self.name(),
                "{} tools without a name are left out",
                pages.nameless
            );
        }
        if !pages.twice.is_empty() {
            let names: Vec<&str> = pages.twice.iter().take(20).map(String::as_str).collect();
            tracing::warn!(
                server = self.name(),
                "several tools have one name, of which only the first is offered: {}",
                names.join(", ")
            );
        }
    }

    /// Asks for the pages that a start left, and shows what there is meanwhile.
    pub(super) async fn list_rest(self: Arc<Self>, mut pages: Pages) {
        for attempt in 1..=TRIES {
            let reason = match self.list_pages(&mut pages).await {
                Ok(()) => break,
                Err(reason) => reason,
            };
            tracing::warn!(
                server = self.name(),
                "the list of its tools broke off after {}: {reason}",
                pages.len()
            );
            tokio::time::sleep(TRY_AGAIN * attempt).await;
            // Another start asks anew.
            if pages.connection.closed().is_some() {
                break;
            }
            let capabilities = self.known().map(|known| known.capabilities.clone());
            let capabilities = capabilities.unwrap_or_else(Json::empty);
            let (connection, http) = (Arc::clone(&pages.connection), pages.http.clone());
            pages = self.tool_pages(&connection, pages.era, http.as_ref(), &capabilities);
        }
        // Nothing more is to be waited for.
        self.whole.send_replace(true);
        if pages.len() > LARGE_TOOLS {
            drop(pages);
            let _ = tokio::task::spawn_blocking(give_back).await;
        }
    }

    async fn list_pages(self: &Arc<Self>, pages: &mut Pages) -> Result<(), String> {
        let (mut shown, mut at) = (pages.len(), Instant::now());
        while self.next_page(pages).await? {
            if pages.len() >= 2 * shown && at.elapsed() >= SHOW_AGAIN {
                (shown, at) = (pages.len(), Instant::now());
                self.show(pages.so_far().await?, true).await;
            }
        }
        self.show(pages.so_far().await?, false).await;
        Ok(())
    }

    /// Puts these tools in the place of those that are known, unless they are a part of a list and all are known.
    async fn show(self: &Arc<Self>, tools: Tools, partial: bool) {
        let changed = self.learn(|known| {
            let known = known.filter(|known| known.partial || !partial)?;
            let listed_for = self.listing_for();
            let listed =
                Known { tools, listed_at: unix_now(), listed_for, partial, ..known.clone() };
            let same = known.tools == listed.tools && known.partial == partial;
            let listed = listed.after(Some(known));
            (!same || listed.listed_for != known.listed_for).then_some(listed)
        });
        if changed {
            let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
        }
    }
}
