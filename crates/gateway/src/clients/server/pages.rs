//! All pages of a list in one call: the gateway asks for the next as long as an answer says where it begins, and
//! the client gets one result.

use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde_json::{Map, Value};

use crate::clients::session::Client;
use crate::gateway::Gateway;
use crate::operations::called_tool;
use crate::operations::results::{is_complete, says_error, text_block};
use crate::search::catalog::Tool;
use crate::servers::upstream::exchange::{Run, ask};
use weir_mcp::connection::Timing;
use weir_mcp::frame::Reply;
use weir_mcp::json::{self, Json};
use weir_mcp::methods::Method;
use weir_mcp::wire;
use weir_text::paging::{is_place_by_name, number, plain};

/// Key of the wish for all pages, in the `_meta` of `tools/call`, and of what became of it in that of the result.
pub(super) const META_ALL_PAGES: &str = "weir/allPages";

/// Member of the arguments of `tool_call` with which a model says it.
pub(super) const ALL_PAGES: &str = "all_pages";

/// Calls, bytes and time for one list. What is beyond is left where it is, and the answer says so. Clients give a
/// call up after a minute.
const MAX_CALLS: usize = 50;
const MAX_BYTES: usize = 16 * 1024 * 1024;
const MAX_TIME: Duration = Duration::from_secs(45);

/// How deep rows, and what is said of pages, are looked for.
const DEPTH: usize = 3;

/// Names, in small letters without signs, of what begins the next page.
const NEXT: &str = "nextcursor nextpagetoken nextpage nexttoken nextoffset nextmarker next nexturl nextlink endcursor \
    continuationtoken nextstart nextskip nextrange cursor";

/// Names of what says whether there is more, and of what says that there is none.
const MORE: &str = "hasmore hasnextpage hasnext more moreavailable istruncated";
const LAST: &str = "islast islastpage last done complete";

/// Names of how many rows there are in all.
const TOTAL: &str =
    "total totalcount totalresults totalitems totalrows totalhits numfound totalsize totalelements";

/// A page as the server gave it.
struct Page {
    written: Json,
    value: Value,
    /// Where its rows are: the names of members from the top.
    rows: Vec<String>,
}

/// What comes after a page.
enum Next {
    /// A call with these arguments.
    Call(Map<String, Value>),
    /// Nothing: the page says so, or it has no rows.
    Nothing,
    /// Nobody knows.
    Unknown(&'static str),
}

/// Pages of a list that are put together.
struct List {
    /// The page that came last.
    last: Page,
    /// Blocks that say something else than the rows.
    beside: Vec<String>,
    /// Whether the blocks of each page say its rows.
    is_text: bool,
    /// Whether a page said where the next begins: one that does not is the last.
    has_offered: bool,
    rows: Vec<String>,
    pages: usize,
    seen: HashSet<String>,
    /// Rows that came again.
    again: usize,
    bytes: usize,
}

fn is_named(list: &str, name: &str) -> bool {
    let name = plain(name);
    list.split_ascii_whitespace().any(|known| known == name)
}

/// What a server says, within a sentence of ours.
fn short(text: &str) -> String {
    let ends_ours = |c: &char| c.is_control() || matches!(c, '[' | ']');
    text.chars().filter(|c| !ends_ours(c)).take(200).collect()
}

fn text_in(block: &str) -> Option<String> {
    Json::assembled(block.to_owned()).text_at(&["text"])
}

fn texts_of(result: &Json) -> Vec<String> {
    result.items(&["content"]).into_iter().filter_map(text_in).collect()
}

/// What a result says: its structured content, else its only block of text.
fn written_in(result: &Json) -> Option<Json> {
    if let Some(structured) = result.at(&["structuredContent"]).filter(|it| it.as_str() != "null") {
        return Some(structured);
    }
    let [text] = <[String; 1]>::try_from(texts_of(result)).ok()?;
    Json::parse(text).ok()
}

/// The only list of what may be rows, from the top.
fn rows_in(value: &Value, depth: usize) -> Option<Vec<String>> {
    match value {
        Value::Array(_) => Some(Vec::new()),
        Value::Object(members) if depth > 0 => {
            let mut found = members.iter().filter_map(|(name, value)| {
                let mut path = rows_in(value, depth - 1)?;
                path.insert(0, name.clone());
                Some(path)
            });
            let first = found.next()?;
            // Lists side by side: of the two the nearer one, else nobody knows.
            match found.next() {
                None => Some(first),
                Some(_) => {
                    let mut near = members.iter().filter(|(_, value)| value.is_array());
                    let only = near.next()?.0.clone();
                    near.next().is_none().then(|| vec![only])
                }
            }
        }
        _ => None,
    }
}

impl Page {
    fn of(result: &Json) -> Option<Page> {
        let written = written_in(result)?;
        let value = written.read()?;
        let rows = rows_in(&value, DEPTH)?;
        Some(Page { written, value, rows })
    }

    fn path(&self) -> Vec<&str> {
        self.rows.iter().map(String::as_str).collect()
    }

    /// Its rows, each as it was written.
    fn rows(&self) -> Vec<&str> {
        self.written.items(&self.path())
    }

    /// What the page says of itself under such a name, outside of its rows.
    fn said<'v>(&'v self, list: &str) -> Option<(&'v str, &'v Value)> {
        fn find<'v>(value: &'v Value, list: &str, depth: usize) -> Option<(&'v str, &'v Value)> {
            let members = value.as_object()?;
            let named = |(name, value): (&'v String, &'v Value)| {
                let is_plain = !value.is_array() && !value.is_object();
                (is_plain && is_named(list, name)).then_some((name.as_str(), value))
            };
            let below = || members.values().find_map(|value| find(value, list, depth - 1));
            members.iter().find_map(named).or_else(|| if depth > 1 { below() } else { None })
        }
        find(&self.value, list, DEPTH)
    }

    /// How many rows the page says that there are in all.
    fn total(&self) -> Option<u64> {
        number(self.said(TOTAL)?.1)
    }

    /// The call for the page that follows. `so_far` are the rows before it, those of this page with them;
    /// `has_offered` is whether a page before said where the next begins.
    fn next(
        &self,
        given: &Map<String, Value>,
        schema: &Map<String, Value>,
        so_far: u64,
        has_offered: bool,
    ) -> Next {
        if self.rows().is_empty() {
            return Next::Nothing;
        }
        let says = |list: &str, what: bool| {
            self.said(list).is_some_and(|(_, value)| *value == Value::Bool(what))
        };
        if says(MORE, false) || says(LAST, true) {
            return Next::Nothing;
        }
        let offered = self.said(NEXT);
        match offered {
            // Said by its absence, unless something else says that there is more.
            Some((_, Value::Null)) if !says(MORE, true) => return Next::Nothing,
            Some((_, Value::String(text))) if text.is_empty() && !says(MORE, true) => {
                return Next::Nothing;
            }
            Some((name, value @ (Value::String(_) | Value::Number(_)))) => {
                if let Some(next) = followed(given, schema, name, value) {
                    return Next::Call(next);
                }
            }
            None if has_offered && !says(MORE, true) => return Next::Nothing,
            _ => {}
        }
        // A total may be the size of a page: it is believed where it is more.
        if self.total().is_some_and(|total| total <= so_far && total > self.rows().len() as u64) {
            return Next::Nothing;
        }
        const NOT_SAID: Next = Next::Unknown("the answer does not say where the next page begins");
        let places = || schema.keys().filter(|name| is_place_by_name(name));
        let mut places: Vec<&String> = match places().any(|name| given.contains_key(name)) {
            true => places().filter(|name| given.contains_key(*name)).collect(),
            false => places().collect(),
        };
        let (Some(name), None) = (places.pop(), places.pop()) else { return NOT_SAID };
        let (short, of) = (plain(name), &schema[name]);
        let now = given.get(name).or_else(|| of.get("default")).and_then(number);
        let rows = self.rows().len() as u64;
        let next = match now.or_else(|| of.get("minimum").and_then(number)) {
            _ if short.contains("token") || short.contains("cursor") => return NOT_SAID,
            Some(now) if short.contains("page") => now.saturating_add(1),
            _ if matches!(&*short, "offset" | "skip") => now.unwrap_or(0).saturating_add(rows),
            Some(now) => now.saturating_add(rows),
            None => {
                return Next::Unknown(
                    "its pages may be counted from 0 or from 1: say which is the first in the arguments",
                );
            }
        };
        Next::Call(with(given, name, next.into()))
    }
}

fn with(given: &Map<String, Value>, name: &str, value: Value) -> Map<String, Value> {
    let mut next = given.clone();
    next.insert(name.to_owned(), value);
    next
}

/// The call that an offer is for: by an argument of that name, or of the only one that takes a place; an address by
/// its query.
fn followed(
    given: &Map<String, Value>,
    schema: &Map<String, Value>,
    name: &str,
    value: &Value,
) -> Option<Map<String, Value>> {
    let typed = |argument: &str, value: &Value| match (schema[argument].get("type"), value) {
        (Some(Value::String(kind)), Value::String(text))
            if kind == "integer" || kind == "number" =>
        {
            text.parse::<u64>().ok().map(Value::from)
        }
        (Some(Value::String(kind)), Value::Number(number)) if kind == "string" => {
            Some(number.to_string().into())
        }
        _ => Some(value.clone()),
    };
    if let Value::String(text) = value
        && let Some((_, query)) = text.split_once('?')
    {
        let mut next = given.clone();
        let mut any = false;
        for (key, value) in url::form_urlencoded::parse(query.as_bytes()) {
            if schema.contains_key(&*key) && is_place_by_name(&key) {
                next.insert(key.to_string(), typed(&key, &Value::from(&*value))?);
                any = true;
            }
        }
        return any.then_some(next);
    }
    let offered = plain(name);
    let offered = offered.strip_prefix("next").filter(|rest| !rest.is_empty()).unwrap_or(&offered);
    let is_same = |argument: &&String| {
        let taken = plain(argument);
        taken.strip_prefix("next").filter(|rest| !rest.is_empty()).unwrap_or(&taken) == offered
    };
    let mut places = schema.keys().filter(|name| {
        is_place_by_name(name) || plain(name) == "after" && offered.contains("cursor")
    });
    let argument = match schema.keys().find(is_same) {
        Some(same) => same,
        None => places.next().filter(|_| places.next().is_none())?,
    };
    Some(with(given, argument, typed(argument, value)?))
}

impl List {
    fn new(first: Page, result: &Json) -> List {
        let mut list = List {
            last: Page { written: Json::empty(), value: Value::Null, rows: Vec::new() },
            beside: Vec::new(),
            is_text: true,
            has_offered: false,
            rows: Vec::new(),
            pages: 0,
            seen: HashSet::new(),
            again: 0,
            bytes: 0,
        };
        list.add(first, result);
        list
    }

    fn add(&mut self, page: Page, result: &Json) {
        self.pages += 1;
        self.bytes += result.as_str().len();
        for row in page.rows() {
            self.again += usize::from(!self.seen.insert(row.to_owned()));
            self.rows.push(row.to_owned());
        }
        // A copy of what is structured is put together anew.
        let is_said = json::is_said(&texts_of(result), page.written.as_str());
        let beside = result.items(&["content"]).into_iter();
        let beside = beside.filter(|block| !is_said || text_in(block).is_none());
        self.beside.extend(beside.map(str::to_owned));
        self.is_text &= is_said;
        self.has_offered |= page.said(NEXT).is_some();
        self.last = page;
    }

    /// Whether a page brings nothing that is not there: some servers begin anew behind the end.
    fn has(&self, page: &Page) -> bool {
        page.rows().iter().all(|row| self.seen.contains(*row))
    }

    /// The first result with the rows of all pages. What else it says is what the last page says.
    fn put_together(self, first: &Json, from: Option<String>, ended: Option<String>) -> Json {
        let (pages, rows, again) = (self.pages, self.rows.len(), self.again);
        let all = format!("[{}]", self.rows.join(","));
        let text = self.last.written.with(&self.last.path(), &all).to_string();
        let mut said = format!("[weir: {pages} pages, {rows} rows");
        let total = self.last.total().filter(|_| from.is_none());
        if let Some(from) = from {
            said.push_str(&format!(", from {from} on"));
        }
        if again > 0 {
            said.push_str(&format!(", of which {again} came again"));
        }
        let is_whole = ended.is_none();
        match (ended, total) {
            (Some(why), _) => said.push_str(&format!("; there may be more: {why}")),
            (None, Some(total)) if total > rows as u64 && total > self.last.rows().len() as u64 => {
                said.push_str(&format!(
                    "; the server says that there are {total}, and gave no more"
                ));
            }
            (None, _) => said.push_str("; the server gave no more"),
        }
        said.push(']');
        let text_of_all = self.is_text.then(|| text_block(&text));
        let mut blocks: Vec<String> = text_of_all.into_iter().chain(self.beside).collect();
        blocks.push(text_block(&said));
        let mut result = first.with(&["content"], &format!("[{}]", blocks.join(",")));
        if result.get(&["structuredContent"]).is_some() {
            result = result.with(&["structuredContent"], &text);
        }
        let facts =
            serde_json::json!({"pages": pages, "rows": rows, "again": again, "whole": is_whole});
        result.with(&["_meta", META_ALL_PAGES], &facts.to_string())
    }
}

/// A first page that no other follows, and why.
fn alone(first: Json, why: &str) -> Json {
    let said = text_block(&format!("[weir: this page alone; there may be more: {why}]"));
    let blocks = first.items(&["content"]).into_iter().chain([&*said]).collect::<Vec<_>>();
    first.with(&["content"], &format!("[{}]", blocks.join(",")))
}

impl Gateway {
    /// Whether all pages of a tool's lists are asked for: by the call, or by the configuration.
    ///
    /// # Errors
    /// When the call wants it of a tool that may do more than read: what to say instead of calling it.
    pub(super) async fn wants_all_pages(&self, tool: &Tool, asked: bool) -> Result<bool, String> {
        if !asked && !tool.upstream.spec.follows_pages(&tool.own_name) {
            return Ok(false);
        }
        let only_reads = tool.upstream.spec.only_reads(&tool.own_name)
            || tool.hints.read_only && !self.gate.doubts(tool).await;
        match (only_reads, asked) {
            (true, _) => Ok(true),
            (false, false) => Ok(false),
            (false, true) => Err(format!(
                "{} was not called: {ALL_PAGES} is for tools that only read, which is not known of this one; call it page by page",
                tool.name
            )),
        }
    }

    /// A first page with all that follow it, as one result. Each is a call of its own: by the rules, within the limits,
    /// in the audit log.
    pub(super) async fn with_all_pages(
        self: &Arc<Self>,
        client: &Client,
        tool: &Tool,
        params: &Json,
        timing: Timing,
        first: Json,
    ) -> Json {
        if says_error(&first) || !is_complete(&first) {
            return first;
        }
        let read = |object: Option<Json>| object.and_then(|object| object.read::<Map<_, _>>());
        let mut given = read(params.at(&["arguments"])).unwrap_or_default();
        let schema = read(tool.listed().at(&["inputSchema", "properties"])).unwrap_or_default();
        let from = given.iter().find(|(name, _)| is_place_by_name(name));
        let from = from.map(|(name, value)| short(&format!("{name} {value}")));
        let Some(page) = Page::of(&first) else {
            return alone(first, "it is no JSON with one list of rows");
        };
        let begun = Instant::now();
        let mut list = List::new(page, &first);
        let ended = loop {
            let so_far = list.rows.len() as u64;
            given = match list.last.next(&given, &schema, so_far, list.has_offered) {
                Next::Call(next) => next,
                Next::Nothing => break None,
                Next::Unknown(why) => break Some(why.to_owned()),
            };
            let left = MAX_TIME.saturating_sub(begun.elapsed());
            if list.pages >= MAX_CALLS || list.bytes >= MAX_BYTES || left.is_zero() {
                break Some(format!(
                    "at most {MAX_CALLS} pages, {} MB and {} seconds are taken; go on from the last page",
                    MAX_BYTES >> 20,
                    MAX_TIME.as_secs()
                ));
            }
            let next = Json::of(&given).to_string();
            let asked = self.next_page(client, tool, params, &next, timing);
            let asked = tokio::time::timeout(left, asked).await;
            let next = short(&next);
            let result = match asked {
                Ok(Reply::Result(result)) if !says_error(&result) => result,
                Ok(Reply::Result(result)) => {
                    break Some(format!(
                        "{next} was refused: {}",
                        short(&texts_of(&result).join(" "))
                    ));
                }
                Ok(Reply::Error(error)) => {
                    break Some(format!("{next} was refused: {}", short(error.as_str())));
                }
                Ok(Reply::Spooled(_)) => {
                    break Some(format!("{next} gives more than is read at once"));
                }
                Err(_) => break Some(format!("{next} was not answered in time")),
            };
            match Page::of(&result) {
                Some(page) if page.rows == list.last.rows => match page.rows().is_empty() {
                    true => break None,
                    false if list.has(&page) => {
                        break Some(format!("{next} gave nothing but rows that were there before"));
                    }
                    false => list.add(page, &result),
                },
                _ => break Some(format!("{next} gave no list like those before")),
            }
        };
        match (list.pages, ended) {
            (1, None) => first,
            (1, Some(why)) => alone(first, &why),
            (_, ended) => list.put_together(&first, from, ended),
        }
    }

    async fn next_page(
        self: &Arc<Self>,
        client: &Client,
        tool: &Tool,
        params: &Json,
        arguments: &str,
        timing: Timing,
    ) -> Reply {
        let params = params.with(&["arguments"], arguments).without(&["_meta", "progressToken"]);
        // Those were of the first.
        let params = params.without(&["requestState"]).without(&["inputResponses"]);
        let work = Box::pin(async move {
            let params = match self.permitted(client, tool, arguments, params, false).await {
                Ok(params) => params,
                Err(reply) => return reply,
            };
            match ask(client, &tool.upstream, Method::CallTool, params, timing, false).await {
                Ok(Run::Ended(reply)) => reply,
                Ok(Run::Asks(..)) => {
                    Reply::Result(wire::tool_text("the server asks something first", true))
                }
                Err(error) => Reply::Result(wire::tool_text(&error.to_string(), true)),
            }
        });
        self.operations.accounted(client, called_tool(tool, arguments), work, true).await
    }
}

#[cfg(test)]
mod tests;
