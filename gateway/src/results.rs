//! A tool's result on its way to the client: through the component, and back into MCP's form.
//!
//! A result that is not replaced keeps every byte, except that URIs of resources get the form in
//! which this gateway can read them. A result that is replaced loses `structuredContent`, because
//! clients check it against a schema; the whole result is in the store.

use std::borrow::Cow;
use std::io;
use std::time::{Duration, UNIX_EPOCH};

use weir_host::contract::{BinaryPart, FinishedResult, LinkPart, Origin, Part, Transformed};

use super::catalog::Tool;
use super::frame::{Reply, SpooledResult};
use super::gate::{Gate, GateError, Taken};
use super::json::{self, Json, quote};
use super::names::public_uri;
use super::stats::{Passed, Stats};

/// What is shown of a result that is too large to pass when the component gives no answer: its start and its
/// end, in characters.
const FALLBACK_HEAD: usize = 4_000;
const FALLBACK_TAIL: usize = 1_500;

/// Bytes that a member we do not know may have in a result that was replaced.
const FOREIGN_MEMBER_BYTES: usize = 4 * 1024;

/// Bytes from which on a structured text that is equal to a block is a copy of it.
const COPY_BYTES: usize = 16;

/// What the result belongs to.
#[derive(Debug)]
pub(crate) struct Context<'a> {
    /// The tool.
    pub tool: &'a Tool,
    /// The client's session of the store.
    pub session: String,
    /// The arguments of the call, as JSON text.
    pub arguments: Option<String>,
    /// Whether resources' URIs get the server's name.
    pub prefix_uris: bool,
    /// Whether the client understands links to resources.
    pub links: bool,
}

/// What a client is shown.
struct Shown {
    reply: Reply,
    replaced: bool,
    /// The digests under which the result is stored.
    blobs: Vec<String>,
}

impl Shown {
    fn whole(reply: Reply) -> Shown {
        Shown { reply, replaced: false, blobs: Vec::new() }
    }

    fn replaced(result: Json, blobs: Vec<String>) -> Shown {
        Shown { reply: Reply::Result(result), replaced: true, blobs }
    }

    /// With one more block of text, behind the others.
    fn saying(self, text: &str) -> Shown {
        let Reply::Result(result) = self.reply else { return self };
        let note = text_block(text);
        let blocks = result.items(&["content"]).into_iter().chain([note.as_str()]);
        let content = blocks.collect::<Vec<_>>().join(",");
        Shown { reply: Reply::Result(result.with(&["content"], &format!("[{content}]"))), ..self }
    }
}

/// What the client gets for a result, which is counted.
///
/// Errors pass as they are, and so do results that wait for input and handles of tasks.
pub(crate) async fn finish(
    gate: &Gate,
    stats: &Stats,
    context: &Context<'_>,
    reply: Reply,
) -> Reply {
    let bytes_in = reply.bytes();
    let shown = match reply {
        Reply::Error(error) => Shown::whole(Reply::Error(error)),
        Reply::Spooled(spooled) => finish_spooled(gate, context, spooled).await,
        Reply::Result(result) => finish_result(gate, context, result).await,
    };
    let (server, tool) = (context.tool.upstream.name(), &context.tool.own_name);
    let shown = match stats.given_since(&context.session, server, tool, &shown.blobs) {
        Some(since) => shown.saying(&format!(
            "Unchanged since {}: the tool ran again just now and returned the same bytes as then, under the same handle.",
            httpdate::fmt_http_date(UNIX_EPOCH + Duration::from_secs(since))
        )),
        None => shown,
    };
    let is_error = match &shown.reply {
        Reply::Error(_) => true,
        Reply::Result(result) => says_error(result),
        Reply::Spooled(spooled) => spooled.skeleton.as_ref().is_some_and(says_error),
    };
    let passed = Passed {
        session: &context.session,
        bytes_in,
        // What passed as it came was passed, however long it is.
        bytes_beyond: match shown.replaced {
            true => bytes_in.saturating_sub(gate.client_max_chars()),
            false => 0,
        },
        bytes_shown: shown.reply.bytes(),
        is_error,
        replaced: shown.replaced,
        blobs: &shown.blobs,
    };
    stats.note_result(server, tool, passed);
    shown.reply
}

fn says_error(result: &Json) -> bool {
    result.get(&["isError"]) == Some("true")
}

async fn finish_result(gate: &Gate, context: &Context<'_>, result: Json) -> Shown {
    if !is_complete(&result) || !context.tool.transform {
        return Shown::whole(Reply::Result(with_public_uris(context, result)));
    }
    let parts = parts_of(&result);
    let finished = FinishedResult {
        origin: origin(context),
        raw: needs_raw(&result, &parts).then(|| result.as_str().to_owned()),
        parts: parts.iter().map(|part| part.part.clone()).collect(),
        is_error: says_error(&result),
        waits_for_input: false,
        max_chars: stated_limit(context.tool),
        already_cut: false,
    };
    let mut blobs = Vec::new();
    let shown = match gate.transform(finished).await {
        Ok(Some(transformed)) => {
            note_failure(context, &transformed);
            blobs = digests(&transformed);
            transformed.replaced.then(|| rebuilt(context, &result, &parts, &transformed))
        }
        Ok(None) => None,
        Err(error) => fall_back(context, &result, &parts, gate.fallback_max_chars(), &error),
    };
    let replaced = shown.is_some();
    let reply = Reply::Result(shown.unwrap_or_else(|| with_public_uris(context, result)));
    Shown { reply, replaced, blobs }
}

fn digests(replacement: &Transformed) -> Vec<String> {
    replacement.handles.iter().map(|handle| handle.digest.clone()).collect()
}

/// Whether it is a finished result, and not one that waits or stands for a task.
fn is_complete(result: &Json) -> bool {
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
    }
}

fn stated_limit(tool: &Tool) -> Option<u32> {
    tool.head().at(&["_meta", "anthropic/maxResultSizeChars"]).and_then(|limit| limit.read())
}

fn note_failure(context: &Context<'_>, replacement: &Transformed) {
    if let Some(failure) = &replacement.store_failure {
        tracing::warn!("a result of {} could not be stored: {failure}", context.tool.name);
    }
}

/// One part of a result, with the content block that it is.
struct Placed<'a> {
    part: Part,
    /// The block's text; `None` for the structured content, which is no block.
    block: Option<&'a str>,
}

fn parts_of(result: &Json) -> Vec<Placed<'_>> {
    let mut parts: Vec<Placed<'_>> = result
        .items(&["content"])
        .into_iter()
        .map(|block| Placed { part: part_of(block), block: Some(block) })
        .collect();
    if let Some(structured) = result.get(&["structuredContent"])
        && let Some(more) = beyond(&parts, structured)
    {
        parts.push(Placed { part: Part::Text(more.into_owned()), block: None });
    }
    parts
}

/// What structured content holds beyond the text blocks: all of it, or what is left without its members that
/// are a text block once more, as servers write them whose schema has the text in an object.
fn beyond<'a>(parts: &[Placed<'_>], structured: &'a str) -> Option<Cow<'a, str>> {
    let texts = || {
        parts.iter().filter_map(|placed| match &placed.part {
            Part::Text(text) => Some(text.as_str()),
            _ => None,
        })
    };
    if structured == "null" || texts().any(|text| says_the_same(text, structured)) {
        return None;
    }
    let members = json::members(structured);
    let is_copy = |value: &str| {
        if value.starts_with(['{', '[']) {
            return texts().any(|text| says_the_same(text, value));
        }
        // Shorter ones may be equal by chance, and longer ones cannot be a copy of any.
        let bytes = texts().map(str::len).max().unwrap_or_default();
        value.starts_with('"')
            && value.len() >= COPY_BYTES
            && value.len() <= bytes.saturating_mul(6).saturating_add(2)
            && json::string(value).is_some_and(|value| texts().any(|text| text == value))
    };
    let left: Vec<_> = members.iter().filter(|(_, value)| !is_copy(value)).collect();
    if left.len() == members.len() {
        return Some(Cow::Borrowed(structured));
    }
    if left.is_empty() {
        return None;
    }
    let left = left.iter().map(|(name, value)| format!("{}:{value}", quote(name)));
    Some(Cow::Owned(format!("{{{}}}", left.collect::<Vec<_>>().join(","))))
}

/// Whether a text block is the structured content once more, as servers are asked to give it.
fn says_the_same(text: &str, structured: &str) -> bool {
    let starts = |text: &str| text.trim_start().chars().next();
    starts(text) == starts(structured) && json::same(text, structured)
}

fn part_of(block: &str) -> Part {
    #[derive(serde::Deserialize)]
    struct Block {
        r#type: Option<String>,
        text: Option<String>,
        data: Option<String>,
        #[serde(rename = "mimeType")]
        mime_type: Option<String>,
        uri: Option<String>,
        name: Option<String>,
        resource: Option<Resource>,
    }
    #[derive(serde::Deserialize)]
    struct Resource {
        text: Option<String>,
        blob: Option<String>,
        #[serde(rename = "mimeType")]
        mime_type: Option<String>,
    }
    let unknown = || Part::Text(block.to_owned());
    let read = serde_json::from_str::<Block>(block)
        .or_else(|_| serde_json::from_str(&weir_agents::surrogates::replaced(block)));
    let Ok(read) = read else { return unknown() };
    let binary = |data: String, media_type: Option<String>| {
        Part::Binary(BinaryPart {
            media_type: media_type.unwrap_or_else(|| "application/octet-stream".into()),
            data,
        })
    };
    let kind = read.r#type.clone();
    match (kind.as_deref(), read) {
        (Some("text"), Block { text: Some(text), .. }) => Part::Text(text),
        (Some("image" | "audio"), Block { data: Some(data), mime_type, .. }) => {
            binary(data, mime_type)
        }
        (Some("resource_link"), Block { uri: Some(uri), name, mime_type, .. }) => {
            Part::Pointer(LinkPart { uri, name: name.unwrap_or_default(), media_type: mime_type })
        }
        (Some("resource"), Block { resource: Some(resource), .. }) => {
            match (resource.text, resource.blob) {
                (Some(text), _) => Part::Text(text),
                (None, Some(blob)) => binary(blob, resource.mime_type),
                (None, None) => unknown(),
            }
        }
        _ => unknown(),
    }
}

/// Whether the result holds more than the text of its one block.
fn needs_raw(result: &Json, parts: &[Placed<'_>]) -> bool {
    let blocks = result.items(&["content"]);
    let has_more = parts.iter().any(|placed| placed.block.is_none());
    let plain = match &blocks[..] {
        // Half of a surrogate pair is in no text.
        [block]
            if block.contains("\\u")
                && serde_json::from_str::<serde_json::Value>(block).is_err() =>
        {
            false
        }
        [block] => json::members(block).iter().all(|(name, _)| matches!(&**name, "type" | "text")),
        _ => false,
    };
    let only = json::members(result.as_str()).iter().all(|(name, _)| match &**name {
        "content" | "isError" | "resultType" | "_meta" => true,
        "structuredContent" => !has_more,
        _ => false,
    });
    !(plain && only)
}

fn rebuilt(
    context: &Context<'_>,
    result: &Json,
    parts: &[Placed<'_>],
    replacement: &Transformed,
) -> Json {
    let mut blocks: Vec<String> = Vec::new();
    let mut from = 0;
    for part in &replacement.parts {
        // Unchanged parts come in their order: look for the next one that is the same.
        let same = (from..parts.len()).find(|index| same_part(&parts[*index].part, part));
        match (same, part) {
            (Some(index), _) => {
                from = index + 1;
                blocks.push(match (parts[index].block, part) {
                    (Some(block), _) => public_block(context, block),
                    (None, Part::Text(text)) => text_block(text),
                    (None, _) => continue,
                });
            }
            (None, Part::Text(text)) => blocks.push(text_block(text)),
            (None, Part::Binary(binary)) => blocks.push(binary_block(binary)),
            (None, Part::Pointer(link)) => {
                blocks.push(link_block(&link.uri, &link.name, link.media_type.as_deref()))
            }
        }
    }
    // A resource that a text stands for still says where it is.
    for placed in parts.iter().filter(|one| matches!(one.part, Part::Binary(_))) {
        let is_shown = replacement.parts.iter().any(|part| same_part(&placed.part, part));
        let Some(block) = placed.block.filter(|_| !is_shown) else { continue };
        let block = Json::assembled(public_block(context, block));
        if let Some(uri) = block.text_at(&["resource", "uri"]) {
            let media_type = block.text_at(&["resource", "mimeType"]);
            blocks.push(link_block(&uri, &uri, media_type.as_deref()));
        }
    }
    if context.links {
        for handle in &replacement.handles {
            let name = format!("whole result of {}", handle.tool);
            blocks.push(link_block(&handle.uri, &name, Some(&handle.media_type)));
        }
    }
    let blobs: Vec<serde_json::Value> = replacement
        .handles
        .iter()
        .map(|handle| {
            serde_json::json!({
                "id": handle.id, "sha256": handle.digest, "uri": handle.uri,
                "bytes": handle.bytes, "mediaType": handle.media_type,
            })
        })
        .collect();
    let mut shown = replaced_content(result, &blocks);
    if let Some(first) = blobs.first() {
        shown = shown.with(&["_meta", "weir/blob"], Json::of(first).as_str());
    }
    if blobs.len() > 1 {
        shown = shown.with(&["_meta", "weir/blobs"], Json::of(&blobs).as_str());
    }
    shown
}

/// The result with other content: without what was structured, or is too large to come along.
fn replaced_content(result: &Json, blocks: &[String]) -> Json {
    let mut shown = result.clone();
    for (name, value) in json::members(result.as_str()) {
        let keep = match &*name {
            "content" => true,
            "structuredContent" => false,
            _ => value.len() <= FOREIGN_MEMBER_BYTES,
        };
        if !keep {
            shown = shown.without(&[&name]);
        }
    }
    shown.with(&["content"], &format!("[{}]", blocks.join(",")))
}

fn same_part(a: &Part, b: &Part) -> bool {
    match (a, b) {
        (Part::Text(a), Part::Text(b)) => a == b,
        (Part::Binary(a), Part::Binary(b)) => a.data == b.data && a.media_type == b.media_type,
        (Part::Pointer(a), Part::Pointer(b)) => a.uri == b.uri && a.name == b.name,
        _ => false,
    }
}

fn text_block(text: &str) -> String {
    format!(r#"{{"type":"text","text":{}}}"#, quote(text))
}

fn binary_block(binary: &BinaryPart) -> String {
    let (media_type, data) = (quote(&binary.media_type), quote(&binary.data));
    match binary.media_type.split('/').next() {
        Some(kind @ ("image" | "audio")) => {
            format!(r#"{{"type":"{kind}","data":{data},"mimeType":{media_type}}}"#)
        }
        _ => format!(
            r#"{{"type":"resource","resource":{{"uri":"weir:inline","mimeType":{media_type},"blob":{data}}}}}"#
        ),
    }
}

fn link_block(uri: &str, name: &str, media_type: Option<&str>) -> String {
    let (uri, name) = (quote(uri), quote(name));
    match media_type {
        Some(media_type) => {
            format!(
                r#"{{"type":"resource_link","uri":{uri},"name":{name},"mimeType":{}}}"#,
                quote(media_type)
            )
        }
        None => format!(r#"{{"type":"resource_link","uri":{uri},"name":{name}}}"#),
    }
}

/// The rule for a component that gives no answer: whole when short, else head and tail, said so.
fn fall_back(
    context: &Context<'_>,
    result: &Json,
    parts: &[Placed<'_>],
    max_chars: usize,
    error: &GateError,
) -> Option<Json> {
    tracing::warn!("a result of {} could not be transformed: {error}", context.tool.name);
    let chars = |text: &str| text.chars().count();
    let total: usize = parts
        .iter()
        .map(|placed| if let Part::Text(text) = &placed.part { chars(text) } else { 0 })
        .sum();
    // Start and end of a short one are all of it.
    if total <= max_chars.max(FALLBACK_HEAD + FALLBACK_TAIL) {
        return None;
    }
    let text: Vec<&str> = parts
        .iter()
        .filter_map(
            |placed| if let Part::Text(text) = &placed.part { Some(text.as_str()) } else { None },
        )
        .collect();
    let text = text.join("\n");
    let total = chars(&text);
    let head: String = text.chars().take(FALLBACK_HEAD).collect();
    let tail: String = text.chars().skip(total - FALLBACK_TAIL).collect();
    let mut blocks = vec![text_block(&cut_notice(&head, &tail, &format!("{total} characters")))];
    blocks.extend(
        parts
            .iter()
            .filter(|placed| !matches!(placed.part, Part::Text(_)))
            .filter_map(|placed| placed.block.map(|block| public_block(context, block))),
    );
    Some(replaced_content(result, &blocks))
}

fn cut_notice(head: &str, tail: &str, size: &str) -> String {
    format!(
        "{head}\n\n[weir: this result has {size}. Only its start and its end are shown, and the rest could not be \
         stored: it cannot be read back. Call the tool again with narrower arguments to see what is missing.]\n\n{tail}"
    )
}

async fn finish_spooled(gate: &Gate, context: &Context<'_>, spooled: SpooledResult) -> Shown {
    let skeleton = spooled.skeleton.clone();
    if !context.tool.transform || skeleton.as_ref().is_some_and(|result| !is_complete(result)) {
        return Shown::whole(Reply::Spooled(spooled));
    }
    // Structured content beside a big text that is not the same: only the whole has both.
    let block = spooled
        .text_block()
        .filter(|_| skeleton.as_ref().is_some_and(|s| s.get(&["structuredContent"]).is_none()));
    let is_error = skeleton.as_ref().is_some_and(says_error);
    let taken = gate
        .take(
            origin(context),
            stated_limit(context.tool),
            spooled.clone(),
            block.is_some(),
            is_error,
        )
        .await;
    let shell = skeleton.filter(|_| block.is_some()).unwrap_or_else(|| {
        Json::assembled(
            if is_error { r#"{"content":[],"isError":true}"# } else { r#"{"content":[]}"# }.into(),
        )
    });
    let replacement = match taken {
        Ok(Taken::Excluded) => {
            return Shown::whole(Reply::Spooled(spooled));
        }
        Ok(Taken::Outcome(replacement)) if replacement.replaced => {
            note_failure(context, &replacement);
            replacement
        }
        // Short enough after all, by a rule of the component's.
        Ok(Taken::Outcome(_)) => return Shown::whole(Reply::Spooled(spooled)),
        Err(error) => {
            tracing::warn!("a result of {} could not be transformed: {error}", context.tool.name);
            // It has no more characters than bytes.
            if spooled.len() <= gate.fallback_max_chars() as u64 {
                return Shown::whole(Reply::Spooled(spooled));
            }
            let shown = shown_ends(&spooled, block.is_some()).await;
            let blocks = splice_block(context, &shell, block, vec![text_block(&shown)]);
            let shown = replaced_content(&shell, &blocks);
            return Shown::replaced(shown, Vec::new());
        }
    };
    let mut blobs = digests(&replacement);
    let texts = replacement
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => text_block(text),
            Part::Binary(binary) => binary_block(binary),
            Part::Pointer(link) => link_block(&link.uri, &link.name, link.media_type.as_deref()),
        })
        .collect();
    let bare = Transformed { parts: Vec::new(), ..replacement };
    let with_handle = rebuilt(context, &shell, &[], &bare);
    let mut blocks = splice_block(context, &shell, block, texts);
    blocks.extend(with_handle.items(&["content"]).into_iter().map(str::to_owned));
    let shown = with_handle.with(&["content"], &format!("[{}]", blocks.join(",")));
    // What was beside the big text may be large too; it goes the usual way.
    if block.is_some() {
        let parts = parts_of(&shown);
        let finished = FinishedResult {
            origin: origin(context),
            raw: None,
            parts: parts.iter().map(|part| part.part.clone()).collect(),
            is_error,
            waits_for_input: false,
            max_chars: stated_limit(context.tool),
            already_cut: false,
        };
        if let Ok(Some(again)) = gate.transform(finished).await
            && again.replaced
        {
            let first = shown.at(&["_meta", "weir/blob"]);
            // Its URIs are those for clients already.
            let context = Context {
                session: context.session.clone(),
                prefix_uris: false,
                arguments: None,
                ..*context
            };
            let mut smaller = rebuilt(&context, &shown, &parts, &again);
            if let Some(first) = first {
                smaller = smaller.with(&["_meta", "weir/blob"], first.as_str());
            }
            blobs.extend(digests(&again));
            return Shown::replaced(smaller, blobs);
        }
    }
    Shown::replaced(shown, blobs)
}

/// The blocks of the shell, with those given in the place of its big one.
fn splice_block(
    context: &Context<'_>,
    shell: &Json,
    block: Option<usize>,
    new: Vec<String>,
) -> Vec<String> {
    let mut blocks: Vec<String> =
        shell.items(&["content"]).into_iter().map(|block| public_block(context, block)).collect();
    match block {
        Some(index) if index < blocks.len() => drop(blocks.splice(index..=index, new)),
        _ => blocks.extend(new),
    }
    blocks
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
    if !context.prefix_uris || !result.as_str().contains("\"resource") {
        return result;
    }
    let blocks = result.items(&["content"]);
    let public: Vec<String> = blocks.iter().map(|block| public_block(context, block)).collect();
    if blocks == public {
        return result;
    }
    result.with(&["content"], &format!("[{}]", public.join(",")))
}

fn public_block(context: &Context<'_>, block: &str) -> String {
    if context.prefix_uris {
        block_with_public_uri(context.tool.upstream.name(), block)
    } else {
        block.to_owned()
    }
}

/// A content block; where it is or links to a resource, with the URI that leads back to `server`.
pub(crate) fn block_with_public_uri(server: &str, block: &str) -> String {
    let kind = json::find(block, &["type"]).map(|span| &block[span]);
    let path: &[&str] = match kind {
        Some("\"resource_link\"") => &["uri"],
        Some("\"resource\"") => &["resource", "uri"],
        _ => return block.to_owned(),
    };
    let own = json::find(block, path).and_then(|span| json::string(&block[span]));
    match own {
        Some(uri) => json::set(block, path, &quote(&public_uri(server, &uri))),
        None => block.to_owned(),
    }
}
