//! Resources, prompts and stored results in answers of `tool_search`, and what `tool_describe` shows of the first two.

use weir_base::{clip, date};
use weir_host::contract::{Origin, ToolDefinition};

use crate::catalog::Catalog;
use crate::gate::kinds::Stored;
use crate::gateway::Gateway;
use crate::known::Listing;
use crate::names::{DESCRIBE, READER, own_uri};
use crate::session::Client;
use crate::upstream::Upstream;
use weir_mcp::frame::Reply;
use weir_mcp::json::{Json, quote};
use weir_mcp::wire;

/// Kinds beside tools and skills, which the index has.
const KINDS: [&str; 3] = ["resource", "prompt", "result"];

/// Queries of one search, and hits of each where it does not say how many.
const MAX_QUERIES: usize = 5;
const DEFAULT_LIMIT: usize = 5;
const MAX_LIMIT: usize = 10;

/// Characters of all hits of an answer: some 600 tokens.
const ANSWER_CHARS: usize = 1_800;

/// Characters of a line about a hit.
const LINE_CHARS: usize = 160;

/// What the name of a prompt begins with where a tool is asked to show it.
const PROMPT: &str = "prompt:";

/// Bytes of a resource that are held to be shown.
const SHOWN_BYTES: u64 = 4 << 20;

/// A search in which one of these kinds is asked for.
pub(super) struct Kinds {
    wanted: Vec<String>,
    queries: Vec<String>,
    limit: usize,
}

impl Kinds {
    pub(super) fn of(arguments: &str) -> Option<Kinds> {
        let mut wanted = texts_in(arguments, ["kinds", "kind"]);
        wanted.iter_mut().for_each(|kind| *kind = kind.trim_end_matches('s').to_owned());
        let mut queries = texts_in(arguments, ["queries", "query"]);
        queries.retain(|query| !query.trim().is_empty());
        queries.truncate(MAX_QUERIES);
        let limit = Json::parse(arguments.to_owned()).ok()?.at(&["limit"]);
        let limit = limit.and_then(|limit| limit.read()).unwrap_or(DEFAULT_LIMIT);
        let kinds = Kinds { wanted, queries, limit: limit.clamp(1, MAX_LIMIT) };
        let any = KINDS.iter().any(|kind| kinds.has(kind)) && !kinds.queries.is_empty();
        any.then_some(kinds)
    }

    fn has(&self, kind: &str) -> bool {
        self.wanted.iter().any(|wanted| wanted == kind)
    }

    /// Whether the index of tools and skills is searched too.
    pub(super) fn with_tools(&self) -> bool {
        self.has("tool") || self.has("skill")
    }
}

/// The texts under these keys of a model's arguments, in the writings that it may use.
pub(super) fn texts_in(arguments: &str, keys: [&str; 2]) -> Vec<String> {
    let Ok(json) = Json::parse(arguments.to_owned()) else { return Vec::new() };
    let texts = |name: &str| match json.text_at(&[name]) {
        Some(one) => vec![one],
        None => json.at(&[name]).and_then(|names| names.read()).unwrap_or_default(),
    };
    keys.into_iter().flat_map(texts).collect()
}

/// What may be found: as it is ranked, and as it is shown but for the line about it.
type Item = (ToolDefinition, Json);

impl Gateway {
    /// The answer to a search, which has what was found in the index, with what is found of these kinds: ranked as one.
    pub(super) async fn with_kinds(
        &self,
        client: &Client,
        catalog: &Catalog,
        kinds: &Kinds,
        text: String,
    ) -> String {
        let Ok(answer) = Json::parse(text.clone()) else { return text };
        let mut items = Vec::new();
        for (kind, listing) in [("resource", Listing::Resources), ("prompt", Listing::Prompts)] {
            if kinds.has(kind) {
                let listed = self.servers.listed(client, listing).await.into_iter();
                // Those of skills are found as skills.
                let listed = listed.filter(|(server, own, _)| {
                    !own.starts_with("skill://") && is_seen(client, catalog, server)
                });
                items
                    .extend(listed.map(|(server, _, item)| named_item(kind, server.name(), &item)));
            }
        }
        let mut notes = Vec::new();
        if kinds.has("result") {
            match self.gate.stored(&client.session.who, kinds.queries.clone()).await {
                Ok((stored, is_whole)) => {
                    items.extend(stored.iter().map(stored_item));
                    if !is_whole {
                        notes.push(format!("not all of the stored results were searched; {READER} with mode list or search goes on"));
                    }
                }
                Err(error) => notes.push(format!("stored results cannot be searched now: {error}")),
            }
        }
        let groups: Vec<Json> = answer
            .items(&["results"])
            .into_iter()
            .map(|it| Json::assembled(it.to_owned()))
            .collect();
        let hits = |group: &Json| -> Vec<Json> {
            group.items(&["matches"]).into_iter().map(|it| Json::assembled(it.to_owned())).collect()
        };
        for hit in groups.iter().flat_map(hits) {
            if !items.iter().any(|(_, shown)| *shown == hit) {
                items.extend(tool_item(catalog, hit));
            }
        }
        let (candidates, shown): (Vec<_>, Vec<_>) = items.into_iter().unzip();
        let ranked = match self.gate.rank(candidates, &kinds.queries, kinds.limit).await {
            Ok(ranked) => ranked,
            Err(error) => return format!("nothing can be searched now: {error}"),
        };
        let mut room = ANSWER_CHARS;
        let mut results = Vec::new();
        for (at, query) in kinds.queries.iter().enumerate() {
            let mut found: Vec<Json> = Vec::new();
            for (place, line) in ranked.get(at).into_iter().flatten() {
                let Some(hit) = shown.get(*place) else { continue };
                found.push(match hit.get(&["does"]) {
                    None if !line.is_empty() => {
                        hit.with(&["does"], &quote(&clip(line, LINE_CHARS)))
                    }
                    _ => hit.clone(),
                });
            }
            // What the index found for it counts, also where this ranking has no word of it.
            for hit in groups.get(at).map(hits).unwrap_or_default() {
                if !found.contains(&hit) {
                    found.push(hit);
                }
            }
            let all = found.len();
            found.retain(|hit| {
                let length = hit.as_str().chars().count();
                let fits = length <= room;
                room -= if fits { length } else { 0 };
                fits
            });
            let query = quote(&clip(query, LINE_CHARS));
            let matches: Vec<&str> = found.iter().map(Json::as_str).collect();
            let mut group = format!(r#"{{"query":{query},"matches":[{}]"#, matches.join(","));
            match all - found.len() {
                _ if all == 0 => {
                    group.push_str(r#","hint":"nothing of these kinds is about that""#)
                }
                0 => {}
                left_out => group.push_str(&format!(r#","more_matches":{left_out}"#)),
            }
            results.push(group + "}");
        }
        let answer = answer.with(&["results"], &format!("[{}]", results.join(",")));
        match notes.is_empty() {
            true => answer.to_string(),
            false => answer.with(&["note"], &quote(&notes.join("; "))).to_string(),
        }
    }

    /// What a model that asked for these names is shown, where the first of them is a prompt or a resource.
    pub(super) async fn describe_named(
        self: &std::sync::Arc<Self>,
        client: &Client,
        catalog: &Catalog,
        arguments: &str,
    ) -> Option<Reply> {
        let names = texts_in(arguments, ["names", "name"]);
        let name = names.first().filter(|name| catalog.find(name).is_none())?;
        let found = match name.strip_prefix(PROMPT) {
            Some(prompt) => self.servers.find_prompt(client, prompt).await,
            None if name.contains("://") || own_uri(name).is_some() => {
                self.servers.find_resource(client, name).await
            }
            None => return None,
        };
        let failed =
            |text: &str| Some(Reply::Result(wire::tool_text(&format!("{name}: {text}"), true)));
        if !found.is_some_and(|(server, _)| is_seen(client, catalog, &server)) {
            return failed(
                "nothing has this name; tool_search with kinds finds resources and prompts",
            );
        }
        let reply = match name.strip_prefix(PROMPT) {
            Some(prompt) => {
                let params = Json::empty().with(&["name"], &quote(prompt));
                let given = Json::parse(arguments.to_owned()).ok()?.at(&["arguments"]);
                let params = match given {
                    Some(given) => params.with(&["arguments"], given.as_str()),
                    None => params,
                };
                self.get_prompt(client, params).await
            }
            None => self.read_resource(client, Json::empty().with(&["uri"], &quote(name))).await,
        };
        let result = match reply {
            Reply::Result(result) => result,
            Reply::Error(error) => {
                return failed(&error.text_at(&["message"]).unwrap_or_else(|| error.to_string()));
            }
            Reply::Spooled(spooled) => {
                match tokio::task::spawn_blocking(move || spooled.load(SHOWN_BYTES)).await {
                    Ok(Ok(result)) => result,
                    Ok(Err(error)) => return failed(&error.to_string()),
                    Err(error) => return failed(&error.to_string()),
                }
            }
        };
        let contents = result.items(&["contents"]).into_iter().map(content_block);
        let messages = result.items(&["messages"]).into_iter().map(message_block);
        let blocks: Vec<String> = contents.chain(messages).collect();
        if blocks.is_empty() {
            return failed("it has nothing to show");
        }
        let result =
            Json::assembled(format!(r#"{{"content":[{}],"isError":false}}"#, blocks.join(",")));
        let origin = Origin {
            session: self.gate.session_of(&client.session.who),
            tool: name.clone(),
            toolset: None,
            arguments: None,
            reader: None,
            purpose: None,
        };
        match self.gate.transform(origin, None, &result).await {
            Ok(Some(replacement)) => Some(Reply::Result(replacement.shown)),
            Ok(None) => Some(Reply::Result(result)),
            Err(error) => failed(&error.to_string()),
        }
    }
}

/// Whether the client has any of this server's tools, or is shown servers whatever their tools: else it is not to learn of it.
fn is_seen(client: &Client, catalog: &Catalog, server: &Upstream) -> bool {
    let has = || catalog.tools().iter().any(|tool| tool.upstream.name() == server.name());
    client.session.who.profile.tools.is_empty() || has()
}

fn ranked(
    name: String,
    title: Option<String>,
    description: String,
    server: &str,
) -> ToolDefinition {
    ToolDefinition {
        name,
        title,
        description,
        server: server.to_owned(),
        ..ToolDefinition::default()
    }
}

/// The call that shows it: with a resource's URI, or a prompt's name.
fn shown_by(name: &str) -> String {
    quote(&format!(r#"{DESCRIBE} {{"names":[{}]}}"#, quote(name)))
}

fn named_item(kind: &str, server: &str, item: &Json) -> Item {
    let text = |key: &str| item.text_at(&[key]);
    let name = text("name").unwrap_or_default();
    let (id, read) = match text("uri") {
        Some(uri) => (uri.clone(), shown_by(&uri)),
        None => (name.clone(), shown_by(&format!("{PROMPT}{name}"))),
    };
    let shown = Json::of(&serde_json::json!({"name": id, "kind": kind, "server": server}));
    let mut shown = shown.with(&["read"], &read);
    let takes = item.items(&["arguments"]).into_iter();
    let takes: Vec<String> =
        takes.filter_map(|it| Json::assembled(it.to_owned()).text_at(&["name"])).collect();
    if !takes.is_empty() {
        shown = shown.with(&["arguments"], &quote(&takes.join(", ")));
    }
    let described = text("description").unwrap_or_default();
    let mut definition = ranked(name, text("title"), described, server);
    definition.aliases.push(id);
    (definition, shown)
}

fn stored_item(stored: &Stored) -> Item {
    let handle = &stored.stat.handle;
    let line =
        stored.passage.as_ref().map(|(line, _)| format!(r#","mode":"range","start":{line}"#));
    let read = format!(r#"{READER} {{"id":"{}"{}}}"#, handle.id, line.unwrap_or_default());
    let mut shown = serde_json::json!({
        "name": handle.id, "kind": "result", "read": read, "tool": handle.tool, "bytes": handle.bytes,
    });
    if let Some(time) = stored.stat.stored_at {
        let (year, month, day, seconds) = date(time);
        let (hour, minute) = (seconds / 3_600, seconds / 60 % 60);
        shown["stored"] = format!("{year}-{month:02}-{day:02} {hour:02}:{minute:02} UTC").into();
    }
    let source = handle.source.clone().unwrap_or_default();
    let text = stored.passage.as_ref().map_or(&source, |(_, text)| text).clone();
    let mut definition = ranked(handle.tool.clone(), None, text, "");
    definition.aliases.push(source);
    (definition, Json::of(&shown))
}

/// A hit of the index, as it is to be ranked beside others.
fn tool_item(catalog: &Catalog, hit: Json) -> Option<Item> {
    let tool = catalog.named(&hit.text_at(&["name"])?)?;
    let known = tool.definition();
    let text = |key: &str| known.text_at(&[key]);
    let described = text("description").unwrap_or_default();
    let mut definition = ranked(tool.name.clone(), text("title"), described, tool.upstream.name());
    definition.input_schema = known.get(&["inputSchema"]).unwrap_or_default().to_owned();
    Some((definition, hit))
}

fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quote(text))
}

fn content_block(content: &str) -> String {
    match Json::assembled(content.to_owned()).text_at(&["text"]) {
        Some(text) => text_block(&text),
        None => format!(r#"{{"type":"resource","resource":{content}}}"#),
    }
}

fn message_block(message: &str) -> String {
    let message = Json::assembled(message.to_owned());
    let role = message.text_at(&["role"]).unwrap_or_default();
    match (message.text_at(&["content", "text"]), message.get(&["content"])) {
        (Some(text), _) => text_block(&format!("{role}: {text}")),
        (None, content) => content.unwrap_or("null").to_owned(),
    }
}
