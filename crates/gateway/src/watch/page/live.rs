//! The page of a gateway that runs: what waits for its reader, the servers, stored results, tools, calls and clients. A reader
//! sees and changes what belongs to the token that was given, and nothing else.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use maud::{Markup, html};
use serde_json::json;
use weir_base::{clip, group, size, unix_now};
use weir_host::Error;
use weir_host::contract::BlobStat;

use super::look::{Cell, framed, made, moment, table, when};
use super::saved::saved;
use crate::clients::profile::Profile;
use crate::clients::session::Session;
use crate::gateway::Gateway;
use crate::operations::approval::desk::{Answer, Question};
use crate::search::names::{DESCRIBE, READER, SEARCH};
use crate::servers::upstream::{State, Upstream};
use crate::watch::ledger::{Balance, Counts};
use crate::watch::stats::Call;
use weir_mcp::json::Json;

/// Stored results that are listed, of each session and in all.
const LISTED: u32 = 200;
const SHOWN: usize = 50;

/// Sessions of the store that are looked at, those of the newest calls.
const SESSIONS: usize = 50;

/// Passages that a search of stored texts gives.
const PASSAGES: u64 = 20;

/// What a browser asks for, and what it sends back with a form.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) fields: BTreeMap<String, String>,
    /// What stands in each form of this reader, so that no other page can send one.
    pub(crate) key: String,
    /// Of this answer.
    pub(crate) nonce: String,
}

impl Page {
    fn field(&self, name: &str) -> &str {
        self.fields.get(name).map_or("", |value| value.trim())
    }
}

/// The sessions of the store whose results the page's reader may see: its own, those of its clients' calls, and those that its
/// token names.
fn sessions(gateway: &Gateway, session: &Session) -> Vec<String> {
    let profile = &session.who.profile;
    let own = std::iter::once(gateway.gate.session_of(&session.who));
    let others = profile.reads_results_of.iter().map(|name| gateway.gate.session_of_other(name));
    let calls = gateway.operations.stats.calls(&profile.name);
    let called = calls.iter().map(|call| gateway.gate.session_of(&call.who));
    let mut seen = BTreeSet::new();
    own.chain(others).chain(called).filter(|one| seen.insert(one.clone())).take(SESSIONS).collect()
}

/// What waits for the reader's answer.
async fn waiting(gateway: &Gateway, profile: &Profile) -> Vec<Question> {
    let (desk, name) = (gateway.desk(), profile.name.clone());
    let waiting = tokio::task::spawn_blocking(move || {
        let mut waiting = desk.waiting();
        waiting.retain(|question| question.subject == name);
        waiting
    });
    waiting.await.unwrap_or_default()
}

// --- what its forms do

/// Does what a form asks for. Gives the part of the page to go on with.
///
/// # Errors
/// Why it was not done, as a sentence.
pub(crate) async fn act(
    gateway: &Arc<Gateway>,
    session: &Session,
    page: &Page,
) -> Result<String, String> {
    if page.field("key") != page.key {
        return Err("this form is out of date: reload the page".to_owned());
    }
    let (profile, id) = (&session.who.profile, page.field("id").to_owned());
    match page.field("do") {
        "start" => {
            let upstreams = gateway.servers.all();
            let named = |it: &&Arc<Upstream>| it.name() == id && profile.admits_server(it.name());
            let upstream = upstreams.iter().find(named).ok_or("there is no such server")?;
            upstream.start_again();
            Ok("#servers".to_owned())
        }
        what @ ("pin" | "unpin" | "forget") => {
            let (pinned, forgets) = (what == "pin", what == "forget");
            let asked = id.clone();
            with_result(gateway, session, &id, move |weir, session| match forgets {
                true => weir.forget(session, &asked).map(drop),
                false => weir.pin(session, &asked, pinned),
            })
            .await?;
            Ok(if forgets { "#results".to_owned() } else { format!("?result={id}") })
        }
        word => {
            let answers = [Answer::Once, Answer::Session, Answer::Always, Answer::No];
            let answer = answers.into_iter().find(|answer| answer.word() == word);
            let answer = answer.ok_or("this form asks for an unknown action")?;
            let waits = waiting(gateway, profile).await.iter().any(|question| question.id == id);
            let desk = gateway.desk();
            let answered =
                tokio::task::spawn_blocking(move || waits && desk.answer(&id, answer) == Ok(true));
            match answered.await {
                Ok(true) => Ok("#waiting".to_owned()),
                _ => Err("no such call waits for you any more".to_owned()),
            }
        }
    }
}

/// Does something with a stored result in the first session of the reader's that has it.
async fn with_result<R: Send + 'static>(
    gateway: &Gateway,
    session: &Session,
    id: &str,
    work: impl FnOnce(&weir_host::Weir, &str) -> Result<R, Error> + Send + 'static,
) -> Result<R, String> {
    let (sessions, id) = (sessions(gateway, session), id.to_owned());
    let done = gateway.gate.run(move |weir| {
        match sessions.iter().find(|session| weir.stat(session, &id).is_ok()) {
            Some(session) => work(weir, session).map(Some),
            None => Ok(None),
        }
    });
    done.await
        .map_err(|error| error.to_string())?
        .ok_or_else(|| "there is no such result".to_owned())
}

// --- what it shows

/// The page that is asked for, with a sentence at its head where something was not done.
pub(crate) async fn of_gateway(
    gateway: &Arc<Gateway>,
    session: &Session,
    page: &Page,
    notice: Option<&str>,
) -> String {
    let part = match (page.field("result"), page.field("tool")) {
        ("", "") => None,
        ("", tool) => Some(about_tool(gateway, session, tool).await),
        (id, _) => Some(one_result(gateway, session, page, id).await),
    };
    let live = part.is_none();
    let part = match part {
        Some(part) => part,
        None => overview(gateway, session, page).await,
    };
    let body = html! {
        header {
            h1 { a href="/ui" { "Weir" } }
            (made())
            nav aria-label="parts of the page" {
                @for part in ["waiting", "servers", "results", "tools", "calls", "clients", "saved"] {
                    a href={ "/ui#" (part) } { (part) } " "
                }
            }
        }
        main {
            @if let Some(notice) = notice { p.bad role="alert" { (notice) } }
            (part)
        }
    };
    framed("Weir", &page.nonce, live, &body)
}

/// Buttons, each of which does something with what `id` names.
fn buttons(page: &Page, id: &str, all: &[(&str, &str)]) -> Markup {
    html! {
        form method="post" action="/ui" {
            input type="hidden" name="key" value=(page.key);
            input type="hidden" name="id" value=(id);
            @for (what, label) in all { button name="do" value=(what) { (label) } " " }
        }
    }
}

async fn overview(gateway: &Arc<Gateway>, session: &Session, page: &Page) -> Markup {
    let profile = &session.who.profile;
    let (waiting, stored, found) = tokio::join!(
        waiting(gateway, profile),
        stored(gateway, session, page.field("find")),
        found_tools(gateway, session, page.field("q"))
    );
    let calls = gateway.operations.stats.calls(&profile.name);
    let counts = counts_for(gateway, profile);
    let mut clients = gateway.clients.visitors.all();
    clients.retain(|client| client.token == profile.name);
    html! {
        section #waiting data-live aria-live="polite" { (questions(page, &waiting)) }
        section #servers data-live { (servers(gateway, session, page)) }
        section #results { (results(page, stored)) }
        section #tools {
            h2 { "Tools" }
            form action="/ui#tools" {
                label for="q" { "What is to be done" }
                input #q name="q" maxlength="500" value=(page.field("q")); " "
                button { "Search" }
            }
            (found)
        }
        section #calls data-live { (last_calls(&calls)) }
        section #clients data-live {
            h2 { "Clients" }
            @if clients.is_empty() { p { "None is here." } } @else {
                (table("Clients that are here", &["client", "revision", "#requests", "since", "last"],
                    clients.iter().map(|client| (html! { (client.name) }, vec![
                        Cell::Text(client.version.clone()), Cell::Number(group(client.requests)),
                        Cell::Text(when(client.since)), Cell::Text(when(client.last)),
                    ]))))
            }
        }
        section #saved data-live {
            h2 { "Saved and lost" }
            (saved(&counts, &counts.balance.in_words(), false))
        }
    }
}

/// The counts, but for what a token may not know of.
fn counts_for(gateway: &Gateway, profile: &Profile) -> Counts {
    let mut counts = gateway.operations.stats.all_counts();
    if profile.is_open() {
        return counts;
    }
    for (server, tools) in &mut counts.servers {
        tools.retain(|tool, _| profile.admits_tool(server, tool));
    }
    counts.servers.retain(|_, tools| !tools.is_empty());
    let mut balance = Balance::default();
    let rows = counts.servers.values().flat_map(|tools| tools.values());
    rows.for_each(|row| balance.add(&row.tokens));
    Counts { since: counts.since, servers: counts.servers, balance, ..Counts::default() }
}

fn questions(page: &Page, waiting: &[Question]) -> Markup {
    let answers = [
        ("once", "Allow once"),
        ("session", "For this session"),
        ("always", "Always"),
        ("no", "No"),
    ];
    html! {
        h2 { "Waiting for you" }
        @if waiting.is_empty() { p { "No call waits." } }
        @for asked in waiting {
            article aria-label={ "call of " (asked.tool) } {
                h3 { (asked.tool) }
                p { (asked.why) }
                pre { (asked.arguments) }
                p.dim {
                    "asked by " (if asked.client.is_empty() { "a client" } else { &asked.client })
                    @if !asked.subject.is_empty() { " (" (asked.subject) ")" }
                    "; waits " (asked.until.saturating_sub(unix_now())) " s more; " code { "weir approve " (asked.id) }
                }
                (buttons(page, &asked.id, &answers))
            }
        }
    }
}

fn servers(gateway: &Gateway, session: &Session, page: &Page) -> Markup {
    let profile = &session.who.profile;
    let catalog = gateway.servers.catalog_for(session);
    let mut tools: BTreeMap<String, usize> = BTreeMap::new();
    catalog
        .callable()
        .for_each(|tool| *tools.entry(tool.upstream.name().to_owned()).or_default() += 1);
    let all = gateway.servers.all();
    let mut admitted: Vec<_> =
        all.iter().filter(|upstream| profile.admits_server(upstream.name())).collect();
    // What needs somebody comes first.
    admitted.sort_by_key(|it| !matches!(it.state(), State::Failed(_) | State::NeedsLogin(_)));
    let rows = admitted.into_iter().map(|upstream| {
        let name = upstream.name().to_owned();
        let cells = vec![
            Cell::Said(state(upstream, page)),
            Cell::Number(group(tools.get(&name).copied().unwrap_or(0))),
            Cell::Number(group(upstream.starts())),
        ];
        (html! { (name) }, cells)
    });
    html! {
        h2 { "Servers" }
        (table("Servers behind this gateway", &["server", "state", "#tools", "#starts"], rows))
    }
}

fn state(upstream: &Upstream, page: &Page) -> Markup {
    let known = upstream.known();
    let left_out = known.iter().flat_map(|known| known.left_out.values().flatten());
    let left_out: Vec<&str> = left_out.map(String::as_str).collect();
    let again = [("start", "Start again")];
    html! {
        @match upstream.state() {
            State::Configured => "not seen yet",
            State::Known => "stopped; starts with the next call",
            State::Starting => "starting",
            State::Ready => "ready",
            State::NeedsLogin(_) => span.bad { "needs login: " code { "weir login " (upstream.name()) } },
            State::Failed(why) => {
                span.bad { "failed: " (clip(&weir_base::without_command(&why), 300)) }
                (buttons(page, upstream.name(), &again))
            }
        }
        @if !left_out.is_empty() { span.bad { "; left out: " (left_out.join(", ")) } }
    }
}

fn last_calls(calls: &[Call]) -> Markup {
    let failed = calls.iter().filter(|call| !matches!(call.ended, "ok" | "asks")).count();
    let rows = calls.iter().map(|call| {
        let ended = html! { span.bad[call.ended == "error"] { (call.ended) } };
        let cells = vec![
            Cell::Text(moment(call.time)),
            Cell::Number(group(call.millis)),
            Cell::Number(size(call.bytes)),
            Cell::Said(ended),
            Cell::Text(call.client.clone()),
        ];
        (html! { (call.server) "/" (call.tool) }, cells)
    });
    html! {
        h2 { "Calls of the last hour" }
        @if calls.is_empty() { p { "There was none." } } @else {
            p { (group(calls.len())) " calls, " (failed) " failed." }
            details #all-calls open[calls.len() <= 10] {
                summary { "Each call" }
                (table("Calls of the last hour, the newest first", &["tool", "at (UTC)", "#ms", "#answer", "ended", "client"], rows))
            }
        }
    }
}

// --- tools

/// What one of the bridge tools answers the reader.
async fn ask(gateway: &Gateway, session: &Session, tool: &str, arguments: &str) -> String {
    gateway.search.answer(&gateway.servers, session, tool, arguments).await
}

async fn found_tools(gateway: &Gateway, session: &Session, query: &str) -> Markup {
    if query.is_empty() {
        return html! {};
    }
    let answer = ask(gateway, session, SEARCH, &json!({"queries": [query]}).to_string()).await;
    let group = Json::parse(answer.clone()).ok().and_then(|answer| {
        answer.items(&["results"]).first().map(|group| Json::assembled((*group).to_owned()))
    });
    let Some(group) = group else { return html! { pre { (answer) } } };
    let hit = |hit: &str| {
        let hit = Json::assembled(hit.to_owned());
        Some((hit.text_at(&["name"])?, hit.text_at(&["does"]).unwrap_or_default()))
    };
    let found: Vec<_> = group.items(&["matches"]).into_iter().filter_map(hit).collect();
    let weak: Option<Vec<String>> = group.at(&["weak"]).and_then(|names| names.read());
    let weak = weak.unwrap_or_default().into_iter().map(|name| (name, String::new())).collect();
    html! {
        @for (title, hits) in [("Found", found), ("Perhaps", weak)] {
            @if !hits.is_empty() {
                h3 { (title) }
                ul { @for (name, does) in hits { li { a href={ "/ui?tool=" (encoded(&name)) } { (name) } " " (does) } } }
            }
        }
        @if let Some(hint) = group.text_at(&["hint"]) { p.dim { (hint) } }
    }
}

async fn about_tool(gateway: &Gateway, session: &Session, name: &str) -> Markup {
    let told = ask(gateway, session, DESCRIBE, &json!({"names": [name]}).to_string()).await;
    let told = serde_json::from_str::<serde_json::Value>(&told)
        .and_then(|value| serde_json::to_string_pretty(&value))
        .unwrap_or(told);
    html! { h2 { (name) } p { a href="/ui#tools" { "Back to the tools" } } pre tabindex="0" { (told) } }
}

fn encoded(text: &str) -> String {
    percent_encoding::utf8_percent_encode(text, percent_encoding::NON_ALPHANUMERIC).to_string()
}

// --- stored results

/// A result, with a passage of it about what was looked for.
type Found = (BlobStat, Option<String>);

/// The reader's results whose call, kind or text has what is looked for, the last used first, and how many there are.
async fn stored(
    gateway: &Gateway,
    session: &Session,
    find: &str,
) -> Result<(Vec<Found>, usize), String> {
    let (sessions, find) = (sessions(gateway, session), find.to_owned());
    let all = gateway.gate.run(move |weir| {
        let mut all: BTreeMap<String, Found> = BTreeMap::new();
        for session in &sessions {
            let mut passages = BTreeMap::new();
            if !find.is_empty() {
                let page = weir.search(session, None, &find, Some(PASSAGES), None)?;
                passages.extend(page.passages.into_iter().map(|it| (it.id, it.text)));
            }
            let words = find.to_lowercase();
            for stat in weir.list_blobs(session, LISTED, None)?.entries {
                let handle = &stat.handle;
                let source = handle.source.as_deref().unwrap_or_default();
                let named = format!("{} {} {} {source}", handle.id, handle.tool, handle.kind);
                let passage = passages.remove(&handle.id);
                if passage.is_some() || named.to_lowercase().contains(&words) {
                    all.insert(handle.digest.clone(), (stat, passage));
                }
            }
            for (id, passage) in passages {
                // What is beyond those that are listed; what is swept in this moment is not found.
                if let Ok(stat) = weir.stat(session, &id) {
                    all.insert(stat.handle.digest.clone(), (stat, Some(passage)));
                }
            }
        }
        Ok(all)
    });
    let mut all: Vec<Found> = all.await.map_err(|error| error.to_string())?.into_values().collect();
    all.sort_by_key(|(stat, _)| std::cmp::Reverse(stat.used_at));
    let count = all.len();
    all.truncate(SHOWN);
    Ok((all, count))
}

fn results(page: &Page, stored: Result<(Vec<Found>, usize), String>) -> Markup {
    let heads = ["call", "kind", "#size", "stored", "expires"];
    html! {
        h2 { "Stored results" }
        form action="/ui#results" {
            label for="find" { "Tool, kind or words" }
            input #find name="find" maxlength="500" value=(page.field("find")); " "
            button { "Search" }
        }
        @match stored {
            Err(why) => p.bad { "Nothing can be read now: " (why) },
            Ok((all, _)) if all.is_empty() => p { "None." },
            Ok((all, count)) => {
                (table("Stored results, the last used first", &heads, all.iter().map(row)))
                @if count > all.len() { p.dim { (count - all.len()) " more: search for them" } }
            }
        }
    }
}

fn row((stat, passage): &Found) -> (Markup, Vec<Cell>) {
    let handle = &stat.handle;
    let name = html! {
        a href={ "/ui?result=" (handle.id) } { (handle.tool) }
        @if let Some(source) = &handle.source { " " (source) }
        @if let Some(passage) = passage { br; span.dim { (clip(passage, 160)) } }
    };
    let cells = vec![
        Cell::Text(handle.kind.clone()),
        Cell::Number(size(handle.bytes)),
        Cell::Text(stat.stored_at.map(when).unwrap_or_default()),
        Cell::Text(stat.expires_at.map_or("pinned".to_owned(), when)),
    ];
    (name, cells)
}

/// Ways to read a result, and what each takes.
const READS: [(&str, &str); 5] = [
    ("outline", "outline: what it is made of"),
    ("range", "range: from this line on"),
    ("grep", "grep: lines with this pattern"),
    ("query", "query: a program of jq"),
    ("search", "search: passages with these words"),
];

/// What `weir_fetch` is asked for.
fn reading(id: &str, mode: &str, text: &str) -> String {
    let mut arguments = json!({"id": id, "mode": mode});
    match mode {
        "range" => arguments["start"] = json!(text.parse::<i64>().unwrap_or(1)),
        "grep" => arguments["pattern"] = json!(text),
        "query" | "search" => arguments["query"] = json!(text),
        _ => {}
    }
    arguments.to_string()
}

async fn one_result(gateway: &Gateway, session: &Session, page: &Page, id: &str) -> Markup {
    let asked = page.field("mode");
    let mode = READS.iter().map(|(mode, _)| *mode).find(|mode| *mode == asked).unwrap_or("outline");
    let (text, of) = (page.field("text"), id.to_owned());
    let arguments = reading(id, mode, text);
    let read = with_result(gateway, session, id, move |weir, session| {
        Ok((weir.stat(session, &of)?, weir.invoke(session, READER, &arguments)?))
    });
    let (stat, answer) = match read.await {
        Ok(read) => read,
        Err(why) => {
            return html! { p.bad { (why) } p { a href="/ui#results" { "Back to the results" } } };
        }
    };
    let keep = if stat.pinned { ("unpin", "Let it expire") } else { ("pin", "Keep it") };
    html! {
        h2 { "Result of " (stat.handle.tool) }
        p.dim {
            (stat.handle.source.as_deref().unwrap_or_default()) " " (stat.handle.kind) ", " (size(stat.handle.bytes)) ", "
            "lines: " (group(stat.handle.lines)) "; stored " (stat.stored_at.map(when).unwrap_or_default()) "; "
            (stat.expires_at.map_or("kept".to_owned(), |at| format!("expires {}", when(at)))) "; "
            code { "weir fetch " (stat.handle.id) }
        }
        form action="/ui" {
            input type="hidden" name="result" value=(id);
            label for="mode" { "Read" }
            select #mode name="mode" {
                @for (name, does) in READS { option value=(name) selected[name == mode] { (does) } }
            } " "
            label for="text" { "with" }
            input #text name="text" maxlength="2000" value=(text); " "
            button { "Read" }
        }
        pre.bad[answer.is_error] tabindex="0" aria-label="what is read" { (answer.text) }
        (buttons(page, id, &[keep, ("forget", "Forget it")]))
        p { a href="/ui#results" { "Back to the results" } }
    }
}
