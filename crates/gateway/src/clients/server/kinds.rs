//! Resources, prompts and stored results in answers of `tool_search`, and what `tool_describe` shows of the first two.

use std::collections::BTreeMap;
use std::sync::Arc;

use weir_base::{clip, date, digest_of, hex};
use weir_host::contract::{Origin, ToolDefinition};

use crate::clients::session::Client;
use crate::gateway::Gateway;
use crate::operations::gate::GateError;
use crate::operations::gate::kinds::{About, Asked, Stored, ranked};
use crate::operations::results::text_block;
use crate::search::catalog::Catalog;
use crate::search::names::{DESCRIBE, READER, own_uri};
use crate::servers::known::Listing;
use crate::servers::upstream::Freshness;
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
const ANSWER_CHARS: usize = 1_650;

/// Characters of a line about a hit, and of a hit that is only named.
const LINE_CHARS: usize = 160;
const NAMED_CHARS: usize = 130;

/// The score below which nothing is a hit.
const LEAST_SCORE: f32 = 0.5;

/// What the name of a prompt begins with where a tool is asked to show it.
const PROMPT: &str = "prompt:";

/// Bytes of a resource that are held to be shown.
const SHOWN_BYTES: u64 = 4 << 20;

/// A search in which one of these kinds is asked for.
pub(super) struct Kinds {
    wanted: Vec<String>,
    queries: Vec<String>,
    limit: usize,
    /// What the index is asked: also for what hits are ranked by.
    pub(super) arguments: String,
}

impl Kinds {
    pub(super) fn of(arguments: &str) -> Option<Kinds> {
        let mut wanted = texts_in(arguments, ["kinds", "kind"]);
        wanted.iter_mut().for_each(|kind| *kind = kind.trim_end_matches('s').to_owned());
        let mut queries = texts_in(arguments, ["queries", "query"]);
        queries.retain(|query| !query.trim().is_empty());
        queries.truncate(MAX_QUERIES);
        let asked = Json::parse(arguments.to_owned()).ok()?;
        let limit = asked.at(&["limit"]).and_then(|limit| limit.read()).unwrap_or(DEFAULT_LIMIT);
        let arguments = asked.with(&["scores"], "true").to_string();
        let kinds = Kinds { wanted, queries, limit: limit.clamp(1, MAX_LIMIT), arguments };
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

/// What words of a query say about the kind of what is meant, and what that counts beside a score.
const EVIDENCE: [(&str, &[&str]); 4] = [
    ("prompt", &["prompt", "template", "ready-made", "canned"]),
    (
        "result",
        &[
            "did",
            "had",
            "got",
            "gave",
            "came",
            "was",
            "were",
            "returned",
            "result",
            "results",
            "output",
            "answered",
            "earlier",
            "before",
            "previous",
            "already",
            "yesterday",
            "last",
            "again",
        ],
    ),
    (
        "resource",
        &[
            "document",
            "documents",
            "file",
            "page",
            "sheet",
            "paper",
            "notes",
            "resource",
            "policy",
            "drawing",
            "text",
        ],
    ),
    ("skill", &["how", "teach", "guide", "steps", "instructions", "explain", "best"]),
];
const EVIDENCE_COUNTS: f32 = 0.3;

/// The kind that a query speaks of, where it speaks of one.
fn spoken_of(query: &str) -> Option<&'static str> {
    let query = query.to_lowercase();
    let words: Vec<&str> = query.split(|c: char| !c.is_alphanumeric() && c != '-').collect();
    let of = |known: &[&str]| words.iter().filter(|word| known.contains(word)).count();
    // The first of those that have most words.
    let most = EVIDENCE.iter().rev().max_by_key(|(_, known)| of(known))?;
    (of(most.1) > 0).then_some(most.0)
}

/// What a query finds: what it is ranked by, and as it is shown.
type Hit = (f32, Json);

impl Gateway {
    /// What is found of these kinds that is not in the index.
    pub(super) async fn found_beside(
        &self,
        client: &Client,
        catalog: &Arc<Catalog>,
        kinds: &Kinds,
    ) -> Beside {
        let mut notes = Vec::new();
        let (listed, stored) = tokio::join!(
            self.listed_hits(client, kinds),
            self.stored_hits(client, catalog, kinds, &mut notes)
        );
        Beside { listed, stored, notes }
    }
}

/// What each query finds beside the index.
pub(super) struct Beside {
    listed: Result<Vec<Vec<Hit>>, GateError>,
    stored: Vec<Vec<Hit>>,
    /// What is to be said of that.
    notes: Vec<String>,
}

impl Beside {
    /// The answer to a search, which has what was found in the index, with what was found beside it: ranked as one.
    pub(super) fn told_in(self, text: String, catalog: &Catalog, kinds: &Kinds) -> String {
        let Ok(answer) = Json::parse(text.clone()) else { return text };
        let groups = answer.items(&["results"]).into_iter();
        let mut groups = groups.map(|group| hits_of(catalog, &Json::assembled(group.to_owned())));
        let (mut listed, mut stored) = match self.listed {
            Ok(listed) => (listed.into_iter(), self.stored.into_iter()),
            Err(error) => return format!("nothing can be searched now: {error}"),
        };
        let mut room = ANSWER_CHARS;
        let mut results = Vec::new();
        for (at, query) in kinds.queries.iter().enumerate() {
            let mut hits: Vec<Hit> = groups.next().unwrap_or_default();
            hits.extend(listed.next().unwrap_or_default());
            hits.extend(stored.next().unwrap_or_default());
            if let Some(spoken) = spoken_of(query) {
                let kind = |hit: &Json| hit.text_at(&["kind"]).unwrap_or_else(|| "tool".to_owned());
                let meant = hits.iter_mut().filter(|(_, hit)| kind(hit) == spoken);
                meant.for_each(|(score, _)| *score += EVIDENCE_COUNTS);
            }
            hits.retain(|(score, _)| *score >= LEAST_SCORE);
            hits.sort_by(|(one, _), (other, _)| other.total_cmp(one));
            let all = hits.len();
            hits.truncate(kinds.limit);
            // Of those that come later at least the names are shown.
            let own_room = room / (kinds.queries.len() - at);
            let mut left = own_room;
            let mut matches: Vec<Json> = Vec::new();
            for (place, (_, hit)) in hits.iter().enumerate() {
                let kept = (hits.len() - place - 1) * NAMED_CHARS;
                let short = hit.without(&["arguments"]);
                let shorter = short.without(&["does"]);
                let chars = |hit: &Json| hit.as_str().chars().count();
                let fits = |hit: &Json| chars(hit) + kept <= left;
                if let Some(hit) = [hit.clone(), short, shorter].into_iter().find(fits) {
                    left -= chars(&hit);
                    matches.push(hit);
                }
            }
            room -= own_room - left;
            let query = quote(&clip(query, LINE_CHARS));
            let shown: Vec<&str> = matches.iter().map(Json::as_str).collect();
            let mut group = format!(r#"{{"query":{query},"matches":[{}]"#, shown.join(","));
            match all - matches.len() {
                _ if all == 0 => {
                    group.push_str(r#","hint":"nothing of these kinds is about that""#)
                }
                0 => {}
                left_out => group.push_str(&format!(r#","more_matches":{left_out}"#)),
            }
            results.push(group + "}");
        }
        let answer = answer.with(&["results"], &format!("[{}]", results.join(",")));
        match self.notes.is_empty() {
            true => answer.to_string(),
            false => answer.with(&["note"], &quote(&self.notes.join("; "))).to_string(),
        }
    }
}

impl Gateway {
    /// The resources and prompts that each query finds.
    async fn listed_hits(
        &self,
        client: &Client,
        kinds: &Kinds,
    ) -> Result<Vec<Vec<Hit>>, GateError> {
        let mut items = Vec::new();
        for (kind, listing) in [("resource", Listing::Resources), ("prompt", Listing::Prompts)] {
            if kinds.has(kind) {
                // A search does not wait for lists that are known: those that are old are there for the next.
                // Those of skills are found as skills.
                let is_wanted = |own: &str| !own.starts_with("skill://");
                let freshness = Freshness::SEARCH;
                let listed = self.servers.listed_where(client, listing, freshness, is_wanted).await;
                items.extend(listed.into_iter().map(|(server, _, item)| (kind, server, item)));
            }
        }
        if items.is_empty() {
            return Ok(Vec::new());
        }
        let parts =
            items.iter().flat_map(|(kind, server, item)| [kind, server.name(), item.as_str()]);
        let key = hex(&digest_of(parts));
        let named =
            || items.iter().map(|(kind, server, item)| named_item(kind, server.name(), item));
        let found = self.gate.rank(key, || named().collect(), kinds.queries.clone()).await?;
        let hit = |(score, hit, line): (f32, Json, String)| match line.is_empty() {
            true => (score, hit),
            false => (score, hit.with(&["does"], &quote(&clip(&line, LINE_CHARS)))),
        };
        Ok(found.into_iter().map(|found| found.into_iter().map(hit).collect()).collect())
    }

    /// The stored results that each query finds, with what is to be said of that.
    async fn stored_hits(
        &self,
        client: &Client,
        catalog: &Arc<Catalog>,
        kinds: &Kinds,
        notes: &mut Vec<String>,
    ) -> Vec<Vec<Hit>> {
        if !kinds.has("result") {
            return Vec::new();
        }
        let (limit, alone) = (kinds.limit, kinds.wanted.len() == 1);
        let asked = kinds.queries.iter().map(|query| Asked { query: query.clone(), limit, alone });
        let catalog = Arc::clone(catalog);
        let about: About = Arc::new(move |own_name| {
            let tool = catalog.tools().iter().find(|tool| tool.own_name == own_name)?;
            let described = tool.listed().text_at(&["description"]).unwrap_or_default();
            Some(format!("{} {described}", tool.upstream.name()))
        });
        match self.gate.stored(&client.session.who, asked.collect(), about).await {
            Ok((stored, is_whole)) => {
                if !is_whole {
                    let on = match alone {
                        true => format!("{READER} with mode search goes on"),
                        false => r#"kinds ["result"] alone does"#.to_owned(),
                    };
                    notes.push(format!("not all texts of stored results were searched: {on}"));
                }
                stored.iter().map(|found| found.iter().map(stored_hit).collect()).collect()
            }
            Err(error) => {
                notes.push(format!("stored results cannot be searched now: {error}"));
                Vec::new()
            }
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
        if found.is_none() {
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
            Reply::Spooled(spooled) => match spooled.loaded(SHOWN_BYTES).await {
                Ok(result) => result,
                Err(error) => return failed(&error.to_string()),
            },
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

/// The call that shows it: with a resource's URI, or a prompt's name.
fn shown_by(name: &str) -> String {
    quote(&format!(r#"{DESCRIBE} {{"names":[{}]}}"#, quote(name)))
}

/// A resource or a prompt, as it is ranked and as it is shown but for the line about it.
fn named_item(kind: &str, server: &str, item: &Json) -> (ToolDefinition, Json) {
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
    let mut definition = ranked(&name, text("description").unwrap_or_default());
    definition.title = text("title");
    definition.server = server.to_owned();
    definition.aliases.push(id);
    (definition, shown)
}

fn stored_hit(stored: &Stored) -> Hit {
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
    let about = stored.passage.as_ref().map(|(_, text)| text).or(handle.source.as_ref());
    if let Some(about) = about {
        shown["does"] = clip(about, LINE_CHARS).into();
    }
    (stored.score, Json::of(&shown))
}

/// The hits of the index for a query. What is only likely has its name alone, and how it is read where it is a skill.
fn hits_of(catalog: &Catalog, group: &Json) -> Vec<Hit> {
    let scores: BTreeMap<String, f32> =
        group.at(&["scores"]).and_then(|scores| scores.read()).unwrap_or_default();
    let matches = group.items(&["matches"]).into_iter().map(|it| Json::assembled(it.to_owned()));
    let weak: Vec<String> = group.at(&["weak"]).and_then(|weak| weak.read()).unwrap_or_default();
    let weak = weak.iter().filter_map(|name| {
        let tool = catalog.named(name)?;
        let hit = Json::of(&serde_json::json!({"name": name, "server": tool.upstream.name()}));
        Some(match tool.is_skill {
            true => hit.with(&["kind"], &quote("skill")).with(&["read"], &shown_by(name)),
            false => hit,
        })
    });
    let score = |hit: &Json| hit.text_at(&["name"]).and_then(|name| scores.get(&name).copied());
    matches.chain(weak).map(|hit| (score(&hit).unwrap_or_default(), hit)).collect()
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
