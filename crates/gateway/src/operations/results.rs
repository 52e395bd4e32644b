//! A tool's result on its way through the component to the client.
//!
//! The component takes results apart and puts them together again. Here URIs of resources get the form in
//! which this gateway can read them, what was stored gets links and a place in `_meta`, and results that are
//! too large for memory go through a file. Every other byte of a result stays as it came.

use std::io;
use std::time::{Duration, UNIX_EPOCH};

use weir_host::contract::Origin;

use crate::operations::gate::tier::ALONE;
use crate::operations::gate::{Gate, GateError, Handle, Replacement};
use crate::search::catalog::Tool;
use crate::search::names::public_uri;
use crate::servers::definitions::with_fit_hints;
use crate::watch::stats::{Passed, Stats};
use weir_mcp::frame::{Reply, SpooledResult};
use weir_mcp::json::{self, Json, quote};
use weir_text::tokens;

/// What is shown of a result that is too large to pass when the component gives no answer: its start and its
/// end, in characters.
const FALLBACK_HEAD: usize = 4_000;
const FALLBACK_TAIL: usize = 1_500;

/// Bytes that a member we do not know may have in a result that was cut or spooled: as the component has it.
const FOREIGN_MEMBER_BYTES: usize = 4 * 1024;

/// What the counts call the kind of a result that was cut, and not stored.
const CUT: &str = "(cut)";

/// What the result belongs to.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// The tool.
    pub tool: &'a Tool,
    /// The client's session of the store.
    pub session: String,
    /// The arguments of the call, as JSON text.
    pub arguments: Option<String>,
    /// What the client says that the call is for.
    pub purpose: Option<String>,
    /// Whether resources' URIs get the server's name.
    pub prefix_uris: bool,
    /// Whether the tool's structured content passes, whatever becomes of its text.
    pub keeps_structured: bool,
    /// Whether the client's revision has structured content that is an object alone.
    pub objects_only: bool,
    /// Whether programs read the client's results, and nothing may stand in their place.
    pub whole: bool,
    /// What the client calls itself.
    pub client: String,
    /// Whether results pass that were read back whole too often.
    pub adaptive: bool,
}

impl Context<'_> {
    /// Whether a result of so many bytes may be replaced.
    fn replaces(&self, stats: &Stats, bytes: u64) -> bool {
        let (server, tool) = (self.tool.upstream.name(), &self.tool.own_name);
        let whole = if self.adaptive { stats.passes_whole(server, tool) } else { None };
        let for_model = !self.whole && !self.tool.for_app;
        self.tool.transform && for_model && whole.is_none_or(|most| bytes > most)
    }
}

/// What a client is shown.
struct Shown {
    reply: Reply,
    replaced: bool,
    /// What a client shows of the result as it came, where it was replaced.
    before: Seen,
    /// The media type of what was stored.
    kind: String,
    /// The digests under which the result is stored.
    blobs: Vec<String>,
}

impl Shown {
    fn whole(reply: Reply) -> Shown {
        let (before, kind) = (Seen::default(), String::new());
        Shown { reply, replaced: false, before, kind, blobs: Vec::new() }
    }

    /// With one more block of text, behind the others.
    fn saying(self, text: &str) -> Shown {
        let Reply::Result(result) = self.reply else { return self };
        let note = text_block(text);
        let mut blocks = result.items(&["content"]);
        blocks.push(&note);
        let content = format!("[{}]", blocks.join(","));
        Shown { reply: Reply::Result(result.with(&["content"], &content)), ..self }
    }
}

/// What the client gets for a result, which is counted.
///
/// JSON-RPC errors pass as they are, and so do results that wait for input and handles of tasks.
pub(crate) async fn finish(
    gate: &Gate,
    stats: &Stats,
    context: &Context<'_>,
    reply: Reply,
) -> Reply {
    let bytes_in = reply.bytes();
    let reply = match reply {
        Reply::Result(result) if context.tool.transform && says_error(&result) => {
            Reply::Result(with_fit_hints(error_as_text(result)))
        }
        Reply::Result(result) => Reply::Result(with_fit_hints(result)),
        reply => reply,
    };
    let shown = match reply {
        Reply::Error(error) => Shown::whole(Reply::Error(error)),
        reply if !context.replaces(stats, bytes_in) => match reply {
            Reply::Result(result) => Shown::whole(Reply::Result(with_public_uris(context, result))),
            reply => Shown::whole(reply),
        },
        Reply::Spooled(spooled) => finish_spooled(gate, context, spooled).await,
        Reply::Result(result) => finish_result(gate, context, result).await,
    };
    let (server, tool) = (context.tool.upstream.name(), &context.tool.own_name);
    let given_since = stats.given_since(&context.session, server, tool, &shown.blobs);
    let shown = match given_since {
        // What was asked for again and passes whole says so itself.
        Some(since) if shown.reply.bytes() < bytes_in => shown.saying(&format!(
            "Unchanged since {}: the tool ran again just now and returned the same bytes as then, under the same handle.",
            httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(since))
        )),
        _ => shown,
    };
    let shown = match !shown.blobs.is_empty() && gate.is_alone(&context.session) {
        true => shown.saying(ALONE),
        false => shown,
    };
    let is_error = match &shown.reply {
        Reply::Error(_) => true,
        Reply::Result(result) => says_error(result),
        Reply::Spooled(spooled) => spooled.skeleton.as_ref().is_some_and(says_error),
    };
    let most = gate.client_max_chars();
    let seen = match &shown.reply {
        Reply::Result(result) if shown.replaced => Seen::of(result),
        _ => Seen::default(),
    };
    let tokens = (shown.before.tokens_within(most), seen.tokens);
    stats.note_result(
        server,
        tool,
        Passed {
            session: &context.session,
            client: &context.client,
            kind: &shown.kind,
            bytes_in,
            bytes_shown: shown.reply.bytes(),
            tokens,
            bytes_passed: bytes_in.min(most),
            is_error,
            replaced: shown.replaced,
            is_repeat: given_since.is_some(),
            blobs: &shown.blobs,
        },
    );
    match shown.reply {
        Reply::Result(result) if context.objects_only => {
            Reply::Result(with_object(context.tool, result))
        }
        reply => reply,
    }
}

/// An error without structured content, as some clients would show that alone: what no block says is a text below
/// the others.
fn error_as_text(result: Json) -> Json {
    let Some(structured) = result.get(&["structuredContent"]) else { return result };
    let blocks = result.items(&["content"]);
    let texts: Vec<String> = blocks.iter().filter_map(|block| text_of(block)).collect();
    let is_said = structured == "null" || json::is_said(&texts, structured);
    let below = (!is_said).then(|| text_block(structured));
    let blocks = blocks.into_iter().map(str::to_owned).chain(below);
    with_content(&result, &blocks.collect::<Vec<_>>()).without(&["structuredContent"])
}

/// A result for a revision in which structured content is an object: another value is its member `result`, as the
/// definition says that such a client was shown.
fn with_object(tool: &Tool, result: Json) -> Json {
    match result.get(&["structuredContent"]) {
        Some("null") => result.without(&["structuredContent"]),
        Some(value) if !value.starts_with('{') || tool.gives_no_object() => {
            let wrapped = format!(r#"{{"result":{value}}}"#);
            result.with(&["structuredContent"], &wrapped)
        }
        _ => result,
    }
}

/// How much a client shows of a result.
#[derive(Debug, Clone, Copy, Default)]
struct Seen {
    chars: u64,
    tokens: u64,
}

impl Seen {
    /// Of its blocks, and of what is structured where no block says the same.
    fn of(result: &Json) -> Seen {
        let mut seen = Seen::default();
        let mut texts = Vec::new();
        for block in result.items(&["content"]) {
            let at = |path: &[&str]| json::find(block, path).map(|span| span.len() as u64);
            if let Some(base64) = at(&["data"]).or_else(|| at(&["resource", "blob"])) {
                let chars = base64.saturating_sub(2);
                seen.add(Seen { chars, tokens: tokens::of_base64(chars) });
                continue;
            }
            let text = text_of(block).unwrap_or_else(|| block.to_owned());
            seen.add(Seen::of_text(&text));
            texts.push(text);
        }
        if let Some(structured) = result.get(&["structuredContent"])
            && !json::is_said(&texts, structured)
        {
            seen.add(Seen::of_text(structured));
        }
        seen
    }

    fn of_text(text: &str) -> Seen {
        Seen { chars: text.chars().count() as u64, tokens: tokens::of(text) }
    }

    fn add(&mut self, other: Seen) {
        self.chars += other.chars;
        self.tokens += other.tokens;
    }

    /// Tokens of so many characters of it.
    fn tokens_within(self, most: u64) -> u64 {
        match self.chars > most {
            true => (u128::from(self.tokens) * u128::from(most) / u128::from(self.chars)) as u64,
            false => self.tokens,
        }
    }
}

/// The text of a block. Bytes and links have none; all else is text, also what nobody knows.
fn text_of(block: &str) -> Option<String> {
    let holds = |path: &[&str]| json::find(block, path).map(|span| &block[span]);
    let stays = [&["data"][..], &["uri"], &["resource", "blob"]];
    match holds(&["text"]).or_else(|| holds(&["resource", "text"])).and_then(json::string) {
        Some(text) => Some(text),
        None => stays.iter().all(|path| holds(path).is_none()).then(|| block.to_owned()),
    }
}

pub(crate) fn says_error(result: &Json) -> bool {
    result.get(&["isError"]) == Some("true")
}

async fn finish_result(gate: &Gate, context: &Context<'_>, result: Json) -> Shown {
    if !is_complete(&result) {
        return Shown::whole(Reply::Result(with_public_uris(context, result)));
    }
    match transformed(gate, context, &result).await {
        Ok(Some(replacement)) => {
            let before = Seen::of(&result);
            shown(context, before, replacement.shown, &replacement.handles)
        }
        Ok(None) => Shown::whole(Reply::Result(with_public_uris(context, result))),
        Err(error) => {
            tracing::warn!("a result of {} could not be transformed: {error}", context.tool.name);
            match cut(&result, gate.fallback_max_chars(), context.keeps_structured) {
                Some(cut) => shown(context, Seen::of(&result), cut, &[]),
                None => Shown::whole(Reply::Result(with_public_uris(context, result))),
            }
        }
    }
}

/// What stands in a result's place, with its structured content where that passes.
async fn transformed(
    gate: &Gate,
    context: &Context<'_>,
    result: &Json,
) -> Result<Option<Replacement<Json>>, GateError> {
    let (origin, limit) = (origin(context), stated_limit(context.tool));
    let structured = result.get(&["structuredContent"]).filter(|_| context.keeps_structured);
    let Some(structured) = structured else { return gate.transform(origin, limit, result).await };
    let text = result.without(&["structuredContent"]);
    let replaced = gate.transform(origin, limit, &text).await?;
    Ok(replaced.map(|replaced| {
        let shown = replaced.shown.with(&["structuredContent"], structured);
        Replacement { shown, ..replaced }
    }))
}

/// What stands in a result's place, for the client: with the names of what was stored in `_meta`.
fn shown(context: &Context<'_>, before: Seen, result: Json, handles: &[Handle]) -> Shown {
    let mut shown = with_public_uris(context, result);
    let named = |handle: &Handle| {
        serde_json::json!({
            "id": handle.id, "sha256": handle.digest, "uri": handle.uri,
            "bytes": handle.bytes, "mediaType": handle.media_type,
        })
    };
    let blobs: Vec<serde_json::Value> = handles.iter().map(named).collect();
    if let Some(first) = blobs.first() {
        shown = shown.with(&["_meta", "weir/blob"], Json::of(first).as_str());
    }
    if blobs.len() > 1 {
        shown = shown.with(&["_meta", "weir/blobs"], Json::of(&blobs).as_str());
    }
    let blobs = handles.iter().map(|handle| handle.digest.clone()).collect();
    let kind = handles.first().map_or_else(|| CUT.to_owned(), |handle| handle.media_type.clone());
    Shown { reply: Reply::Result(shown), replaced: true, before, kind, blobs }
}

/// Whether it is a finished result, and not one that waits or stands for a task.
pub(crate) fn is_complete(result: &Json) -> bool {
    result.text_at(&["resultType"]).is_none_or(|kind| kind == "complete")
        && !(result.get(&["task"]).is_some() && result.get(&["content"]).is_none())
}

fn origin(context: &Context<'_>) -> Origin {
    Origin {
        session: context.session.clone(),
        tool: context.tool.own_name.clone(),
        toolset: Some(context.tool.upstream.name().to_owned()),
        arguments: context.arguments.clone(),
        reader: None,
        purpose: context.purpose.clone(),
    }
}

fn stated_limit(tool: &Tool) -> Option<u32> {
    tool.listed().at(&["_meta", "anthropic/maxResultSizeChars"]).and_then(|limit| limit.read())
}

fn with_content(result: &Json, blocks: &[String]) -> Json {
    result.with(&["content"], &format!("[{}]", blocks.join(",")))
}

/// The result with other content where the component has not made it: without what is structured, or is too
/// large to come along.
fn replaced_content(result: &Json, blocks: &[String], keeps_structured: bool) -> Json {
    let mut shown = result.clone();
    for (name, value) in json::members(result.as_str()) {
        let keep = match &*name {
            "content" => true,
            "structuredContent" => keeps_structured,
            _ => value.len() <= FOREIGN_MEMBER_BYTES,
        };
        if !keep {
            shown = shown.without(&[&name]);
        }
    }
    with_content(&shown, blocks)
}

pub(crate) fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quote(text))
}

/// The rule for a component that gives no answer: whole when short (`None`), else head and tail, said so.
fn cut(result: &Json, max_chars: usize, keeps_structured: bool) -> Option<Json> {
    let blocks = result.items(&["content"]);
    let mut texts: Vec<String> = blocks.iter().filter_map(|block| text_of(block)).collect();
    if let Some(structured) = result.get(&["structuredContent"])
        && !keeps_structured
        && !json::is_said(&texts, structured)
    {
        texts.push(structured.to_owned());
    }
    let text = texts.join("\n");
    let total = text.chars().count();
    // Start and end of a short one are all of it.
    if total <= max_chars.max(FALLBACK_HEAD + FALLBACK_TAIL) {
        return None;
    }
    let head: String = text.chars().take(FALLBACK_HEAD).collect();
    let tail: String = text.chars().skip(total - FALLBACK_TAIL).collect();
    let mut shown = vec![text_block(&cut_notice(&head, &tail, &format!("{total} characters")))];
    let others = blocks.into_iter().filter(|block| text_of(block).is_none());
    shown.extend(others.map(str::to_owned));
    Some(replaced_content(result, &shown, keeps_structured))
}

fn cut_notice(head: &str, tail: &str, size: &str) -> String {
    format!(
        "{head}\n\n[weir: this result has {size}. Only its start and its end are shown, and the rest could not be \
         stored: it cannot be read back. Call the tool again with narrower arguments to see what is missing.]\n\n{tail}"
    )
}

async fn finish_spooled(gate: &Gate, context: &Context<'_>, spooled: SpooledResult) -> Shown {
    let skeleton = spooled.skeleton.clone();
    if skeleton.as_ref().is_some_and(|result| !is_complete(result)) {
        return Shown::whole(Reply::Spooled(spooled));
    }
    let structured = |skeleton: &Json| skeleton.get(&["structuredContent"]).is_some();
    let has_structured = skeleton.as_ref().is_none_or(structured);
    // Structured content beside a big text that is not the same: only the whole has both.
    let block = spooled.text_block().filter(|_| !has_structured || context.keeps_structured);
    if context.keeps_structured && has_structured && block.is_none() {
        return Shown::whole(Reply::Spooled(spooled));
    }
    let is_error = skeleton.as_ref().is_some_and(says_error);
    let max_chars = stated_limit(context.tool);
    let taken =
        gate.take(origin(context), max_chars, spooled.clone(), block.is_some(), is_error).await;
    let mut before = Seen { chars: spooled.len(), tokens: 0 };
    let (text, mut handles) = match taken {
        Ok(Some(replacement)) => {
            let (chars, tokens) = replacement.before;
            before = Seen { chars, tokens };
            (replacement.shown, Some(replacement.handles))
        }
        Ok(None) => return Shown::whole(Reply::Spooled(spooled)),
        Err(error) => {
            tracing::warn!("a result of {} could not be transformed: {error}", context.tool.name);
            // It has no more characters than bytes.
            if spooled.len() <= gate.fallback_max_chars() as u64 {
                return Shown::whole(Reply::Spooled(spooled));
            }
            let text = shown_ends(&spooled, block.is_some()).await;
            // As dense as what is shown of it.
            before.tokens = tokens::of(&text) * spooled.len() / (text.len() as u64).max(1);
            (text, None)
        }
    };
    let shell = skeleton.filter(|_| block.is_some()).unwrap_or_else(|| {
        let empty = r#"{"content":[],"isError":true}"#;
        let empty = Json::assembled(empty.to_owned());
        if is_error { empty } else { empty.without(&["isError"]) }
    });
    let mut blocks: Vec<String> =
        shell.items(&["content"]).into_iter().map(str::to_owned).collect();
    match block.and_then(|index| blocks.get_mut(index)) {
        Some(block) => *block = text_block(&text),
        None => blocks.push(text_block(&text)),
    }
    // What stands beside the big text, with nothing in its place.
    if block.is_some() {
        before.add(Seen::of(&shell));
    }
    let mut result = replaced_content(&shell, &blocks, context.keeps_structured);
    // What was beside the big text may be large too; it goes the usual way.
    if let (Some(handles), Some(_)) = (&mut handles, block)
        && let Ok(Some(again)) = transformed(gate, context, &result).await
    {
        result = again.shown;
        handles.extend(again.handles);
    }
    shown(context, before, result, &handles.unwrap_or_default())
}

/// Start and end of a spooled result, where nothing better can be had.
async fn shown_ends(spooled: &SpooledResult, as_text: bool) -> String {
    let source = spooled.clone();
    let ends = tokio::task::spawn_blocking(move || {
        let (mut head, mut tail, mut bytes) = (Vec::new(), Vec::new(), 0_u64);
        let mut sink = |part: &[u8]| -> io::Result<()> {
            bytes += part.len() as u64;
            let room = FALLBACK_HEAD.saturating_sub(head.len());
            head.extend_from_slice(&part[..part.len().min(room)]);
            tail.extend_from_slice(part);
            let over = tail.len().saturating_sub(FALLBACK_TAIL);
            tail.drain(..over);
            Ok(())
        };
        let read = if as_text { source.text_to(&mut sink) } else { source.copy_to(0, &mut sink) };
        (read.is_ok(), head, tail, bytes)
    })
    .await;
    match ends {
        Ok((true, head, tail, bytes)) => cut_notice(
            &String::from_utf8_lossy(&head),
            &String::from_utf8_lossy(&tail),
            &format!("{bytes} bytes"),
        ),
        _ => cut_notice("", "", &format!("{} bytes", spooled.len())),
    }
}

/// The result with the URIs of resources in the form that this gateway reads.
fn with_public_uris(context: &Context<'_>, result: Json) -> Json {
    if !context.prefix_uris || !result.as_str().contains("resource") {
        return result;
    }
    let server = context.tool.upstream.name();
    let blocks = result.items(&["content"]);
    let public: Vec<String> =
        blocks.iter().map(|block| block_with_public_uri(server, block)).collect();
    if blocks == public { result } else { with_content(&result, &public) }
}

/// A content block; where it is or links to a resource, with the URI that leads back to `server`.
pub(crate) fn block_with_public_uri(server: &str, block: &str) -> String {
    let kind = json::find(block, &["type"]).map(|span| &block[span]);
    let path: &[&str] = match kind {
        Some("\"resource_link\"") => &["uri"],
        Some("\"resource\"") => &["resource", "uri"],
        // What stands for the bytes of one.
        Some("\"text\"") => &["_meta", "weir/resource", "uri"],
        _ => return block.to_owned(),
    };
    let own = json::find(block, path).and_then(|span| json::string(&block[span]));
    match own {
        Some(uri) => json::set(block, path, &quote(&public_uri(server, &uri))),
        None => block.to_owned(),
    }
}
