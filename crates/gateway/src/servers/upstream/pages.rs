//! A server's tools, page by page: the first pages are there before the last ones are asked for.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::search::skills::{self, MAX_SKILLS};
use crate::servers::known::Known;
use crate::servers::listed::Listed;
use crate::servers::listed::MAX_TOOLS;
use weir_mcp::connection::{Connection, Timing};
use weir_mcp::frame::{Reply, SpooledResult};
use weir_mcp::http_link::HttpLink;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::{Method, SKILLS};
use weir_mcp::wire::{self, Era};

use super::{Happening, Upstream};
use weir_base::unix_now;

/// Pages of one server's list: beyond, as beyond the tools that a catalog has and the bytes of its entry, the rest is
/// left out.
const MAX_PAGES: usize = 1_000;

/// Pages in a row that bring nothing new, after which the list ends.
const MAX_IDLE: usize = 20;

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
    tools: Vec<Listed>,
    /// How many of them the server's entry lets through: the others take no place.
    admitted: usize,
    bytes: u64,
    /// Whether it has more tools than are taken.
    cut: bool,
    seen: BTreeSet<String>,
    twice: BTreeSet<String>,
    nameless: usize,
    /// Pages since one brought something new.
    idle: usize,
    skills: usize,
}

impl Pages {
    /// The tools so far, and whether there are more than are taken.
    pub(super) fn so_far(&self) -> (Vec<Listed>, bool) {
        (self.tools.clone(), self.cut)
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
        self.left_out.lock().insert(Method::ListTools, Vec::new());
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
            tools: Vec::new(),
            admitted: 0,
            bytes: 0,
            cut: false,
            seen: BTreeSet::new(),
            twice: BTreeSet::new(),
            nameless: 0,
            idle: 0,
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
                let skills = known.iter().flat_map(|known| &known.tools);
                let skills = skills.filter(|known| known.is_skill());
                let fresh = skills.filter(|it| it.name().is_some_and(|uri| pages.seen.insert(uri)));
                pages.tools.extend(fresh.cloned());
                pages.methods.pop();
                Ok(false)
            }
            other => other,
        }
    }

    async fn page_of(self: &Arc<Self>, method: Method, pages: &mut Pages) -> Result<bool, String> {
        let member = if method == Method::ListSkills { "skills" } else { "tools" };
        let timing = Timing { idle: self.spec.start_timeout, max: self.spec.call_max };
        let before = pages.tools.len();
        let reply =
            self.ask_whole(&pages.connection, pages.era, method, &pages.params, timing).await;
        let page = match reply {
            Ok(Reply::Result(page)) => {
                for item in page.items(&[member]) {
                    self.take_listed(pages, Json::assembled(item.to_owned()));
                }
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
        // Pages that bring nothing new are not followed for ever.
        pages.idle = if pages.tools.len() > before { 0 } else { pages.idle + 1 };
        let is_idle = pages.idle >= MAX_IDLE && cursor.is_some();
        if is_idle {
            tracing::warn!(
                server = self.name(),
                "the list of its tools ends here: {MAX_IDLE} pages brought nothing new"
            );
        }
        let cursor = cursor.filter(|_| !is_idle);
        match cursor {
            Some(cursor) if pages.pages < MAX_PAGES && !self.is_full(pages) => {
                pages.params = Json::empty().with(&["cursor"], &quote(&cursor));
                Ok(true)
            }
            more => {
                pages.cut |= more.is_some();
                pages.params = Json::empty();
                pages.methods.pop();
                if pages.methods.is_empty() {
                    self.report(pages);
                }
                Ok(!pages.methods.is_empty())
            }
        }
    }

    /// Whether no further tool is taken.
    fn is_full(&self, pages: &Pages) -> bool {
        pages.admitted >= MAX_TOOLS
            || pages.bytes >= self.spec.max_list_bytes
            || pages.skills > MAX_SKILLS
    }

    /// Takes what is listed as a definition. That a tool is a skill is not for a server to say.
    fn take_listed(&self, pages: &mut Pages, item: Json) {
        if pages.methods.last() != Some(&Method::ListSkills) {
            if item.get(&[skills::MEMBER]).is_none() {
                self.take(pages, item);
            }
            return;
        }
        match skills::definition_of(&item) {
            Ok(definition) => {
                pages.skills += 1;
                self.take(pages, definition);
            }
            Err(reason) => {
                let uri = item.text_at(&["uri"]).unwrap_or_default();
                let uri = weir_base::clip(&uri, 200);
                tracing::warn!(server = self.name(), "skill {uri} is left out: {reason}");
            }
        }
    }

    /// Takes a tool, if it is one that can be offered.
    fn take(&self, pages: &mut Pages, item: Json) {
        let Some(name) = item.text_at(&["name"]).filter(|name| !name.trim().is_empty()) else {
            pages.nameless += 1;
            return;
        };
        if self.is_full(pages) {
            pages.cut = true;
            return;
        }
        if !self.says_once(&item, Method::ListTools) {
            return;
        }
        let is_skill = pages.methods.last() == Some(&Method::ListSkills);
        let method = if is_skill { Method::ListSkills } else { Method::ListTools };
        let Some(item) = self.mended(method, item) else { return };
        if !pages.http.as_ref().is_none_or(|http| self.notes_headers(http, &item)) {
            return;
        }
        if !pages.seen.insert(name.clone()) {
            pages.twice.insert(name);
            return;
        }
        pages.admitted += usize::from(self.spec.admits(&name));
        pages.bytes += item.as_str().len() as u64;
        pages.tools.push(item.into());
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
        while let Some(item) = items.recv().await {
            self.take_listed(pages, item);
        }
        let read = reading.await.map_err(|error| error.to_string())?;
        read.map_err(|error| format!("its tools cannot be read: {error}"))
    }

    /// Says which of the tools it lists are not offered: those without a name, all but the first of one name, and those
    /// beyond what is taken.
    fn report(&self, pages: &Pages) {
        self.tell_left_out(Method::ListTools);
        if pages.cut {
            tracing::warn!(
                server = self.name(),
                "of its tools and skills {} are taken; the rest is left out",
                pages.tools.len()
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
                pages.tools.len()
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
    }

    async fn list_pages(self: &Arc<Self>, pages: &mut Pages) -> Result<(), String> {
        let (mut shown, mut at) = (pages.tools.len(), Instant::now());
        while self.next_page(pages).await? {
            if pages.tools.len() >= 2 * shown && at.elapsed() >= SHOW_AGAIN {
                (shown, at) = (pages.tools.len(), Instant::now());
                self.show(pages, true).await;
            }
        }
        self.show(pages, false).await;
        Ok(())
    }

    /// Puts these tools in the place of those that are known, unless they are a part of a list and all are known.
    async fn show(self: &Arc<Self>, pages: &Pages, partial: bool) {
        let (tools, cut) = pages.so_far();
        let changed = self.learn(|known| {
            let known = known.filter(|known| known.partial || !partial)?;
            let listed_for = self.listed_for();
            let listed =
                Known { tools, cut, listed_at: unix_now(), listed_for, partial, ..known.clone() };
            let same = known.tools == listed.tools && known.partial == partial;
            let listed = listed.after(Some(known));
            (!same || listed.listed_for != known.listed_for).then_some(listed)
        });
        if changed {
            let _ = self.around.happenings.send(Happening::Changed(Arc::clone(self))).await;
        }
    }
}
