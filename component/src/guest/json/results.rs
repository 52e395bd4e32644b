//! What the string interface has of results.

use std::cell::RefCell;
use std::collections::BTreeMap;

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{Answer, Slots, print, read, text_result, value, with};
use crate::abi::exports::weir::plugin::maintenance::{Guest as _, GuestSweeper as _};
use crate::abi::exports::weir::plugin::model_tools::Guest as _;
use crate::abi::exports::weir::plugin::result_transform::{
    FinishedResult, Guest as _, GuestIntake as _, Transformed,
};
use crate::abi::exports::weir::plugin::settings::Guest as _;
use crate::abi::exports::weir::plugin::types::{BinaryPart, Failure, LinkPart, Origin, Part};
use crate::guest::Component;
use crate::guest::maintenance::GuestSweeper;
use crate::guest::transform::GuestIntake;
use crate::spill::check_session;
use crate::spill::wire::{items, members};
use crate::surrogates;

thread_local! {
    static INTAKES: RefCell<Slots<GuestIntake>> = const { RefCell::new(Slots::new("no-intake")) };
    static SWEEPER: RefCell<Option<GuestSweeper>> = const { RefCell::new(None) };
}

/// Bytes that a member we do not know may have in a result that was replaced.
const FOREIGN_MEMBER_BYTES: usize = 4 * 1024;

pub(super) fn configure(settings: String) -> Answer {
    let parsed = Component::parse(settings);
    Component::configure(parsed.values);
    Ok(json!({ "problems": value(parsed.problems) }).to_string())
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase", expecting = "an object with session and tool")]
struct Call<'a> {
    session: String,
    tool: String,
    server: Option<String>,
    #[serde(borrow)]
    arguments: Option<&'a RawValue>,
    reader: Option<String>,
    #[serde(alias = "max_chars")]
    max_chars: Option<u32>,
    #[serde(default, alias = "already_cut")]
    already_cut: bool,
}

impl Call<'_> {
    fn origin(&self) -> Origin {
        // Arguments may also come as the text of an object.
        let arguments = self
            .arguments
            .map(|raw| serde_json::from_str(raw.get()).unwrap_or_else(|_| raw.get().to_owned()));
        Origin {
            session: self.session.clone(),
            tool: self.tool.clone(),
            toolset: self.server.clone(),
            arguments,
            reader: self.reader.clone(),
        }
    }
}

pub(super) fn transform(call: String, tool_result: String) -> Answer {
    let call: Call<'_> = read("call", &call)?;
    let result = McpResult::read(&tool_result);
    let transformed = Component::transform(FinishedResult {
        origin: call.origin(),
        parts: result.parts.iter().map(|placed| placed.part.clone()).collect(),
        raw: result.needs_raw.then(|| tool_result.clone()),
        is_error: result.is("isError"),
        waits_for_input: result.waits,
        max_chars: call.max_chars,
        already_cut: call.already_cut,
    })?;
    let shown = match transformed.replaced {
        true => result.rebuilt(&transformed.parts),
        false => result.whole,
    };
    Ok(answered(transformed, &shown))
}

/// What became of a result, with the result to show.
fn answered(transformed: Transformed, shown: &str) -> String {
    let mut about = value(Transformed { parts: Vec::new(), ..transformed });
    if let Value::Object(fields) = &mut about {
        fields.remove("parts");
    }
    with(&about, "result", shown)
}

/// A content block and the part that it is.
struct Placed<'a> {
    part: Part,
    /// `None` for structured content, which is no block.
    block: Option<&'a str>,
}

/// A result of MCP's `tools/call`.
struct McpResult<'a> {
    members: BTreeMap<String, &'a RawValue>,
    parts: Vec<Placed<'a>>,
    /// Whether it holds more than the texts of its blocks.
    needs_raw: bool,
    /// Whether it waits for input, or stands for a task.
    waits: bool,
    /// All of it.
    whole: String,
}

impl<'a> McpResult<'a> {
    /// What is no such result is one text.
    fn read(text: &'a str) -> McpResult<'a> {
        let members = members(text).unwrap_or_default();
        let blocks = members.get("content").and_then(|content| items(content.get()));
        let Some(blocks) = blocks else {
            let waits = members.contains_key("task") || members.contains_key("resultType");
            let part = Part::Text(text.to_owned());
            let whole = match waits {
                true => text.to_owned(),
                false => text_result(text, false).to_string(),
            };
            let parts = vec![Placed { part, block: None }];
            return McpResult { members: BTreeMap::new(), parts, needs_raw: false, waits, whole };
        };
        let mut plain = true;
        let mut parts = Vec::with_capacity(blocks.len() + 1);
        for block in blocks {
            let part = part(block.get());
            plain &= matches!(part, (_, true));
            parts.push(Placed { part: part.0, block: Some(block.get()) });
        }
        let structured = members.get("structuredContent").map(|raw| raw.get());
        if let Some(more) = structured.and_then(|structured| beyond(&parts, structured)) {
            plain = false;
            parts.push(Placed { part: Part::Text(more), block: None });
        }
        let known = ["content", "isError", "structuredContent", "_meta", "resultType"];
        plain &= members.keys().all(|name| known.contains(&name.as_str()));
        let waits = members.get("resultType").is_some_and(|kind| kind.get() != "\"complete\"");
        McpResult { members, parts, needs_raw: !plain, waits, whole: text.to_owned() }
    }

    fn is(&self, name: &str) -> bool {
        self.members.get(name).is_some_and(|value| value.get() == "true")
    }

    /// The result with these parts in its place: without what is structured, or large and unknown.
    fn rebuilt(&self, shown: &[Part]) -> String {
        let mut from = 0;
        let mut blocks = Vec::with_capacity(shown.len());
        for part in shown {
            // Parts that are left come in their order: look for the next one that is the same.
            let same = (from..self.parts.len()).find(|&at| self.parts[at].part == *part);
            if let Some(at) = same {
                from = at + 1;
            }
            blocks.push(match same.and_then(|at| self.parts[at].block) {
                Some(block) => block.to_owned(),
                None => block(part),
            });
        }
        // A resource that a text stands for still says where it is.
        for placed in self.parts.iter().filter(|placed| !shown.contains(&placed.part)) {
            if let (Part::Binary(binary), Some(uri)) = (&placed.part, placed.block.and_then(uri)) {
                let media_type = Some(binary.media_type.clone());
                blocks.push(block(&Part::Pointer(LinkPart { name: uri.clone(), uri, media_type })));
            }
        }
        let mut members = vec![format!("\"content\":[{}]", blocks.join(","))];
        for (name, value) in &self.members {
            let kept = !matches!(name.as_str(), "content" | "structuredContent");
            if kept && value.get().len() <= FOREIGN_MEMBER_BYTES {
                members.push(format!("{}:{}", Value::from(name.as_str()), value.get()));
            }
        }
        format!("{{{}}}", members.join(","))
    }
}

/// A content block, of any type.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Block {
    r#type: String,
    text: Option<String>,
    data: Option<String>,
    mime_type: Option<String>,
    uri: Option<String>,
    name: Option<String>,
    resource: Option<Resource>,
}

/// The resource in a block.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Resource {
    text: Option<String>,
    blob: Option<String>,
    mime_type: Option<String>,
}

impl Block {
    /// Apart, as it is much code.
    #[inline(never)]
    fn read(json: &str) -> Option<Block> {
        serde_json::from_str(json).ok()
    }
}

/// The part that a content block is, and whether its text is all of it.
fn part(block: &str) -> (Part, bool) {
    let unknown = || (Part::Text(block.to_owned()), false);
    let binary = |data: String, media_type: Option<String>| {
        let media_type = media_type.unwrap_or_else(|| "application/octet-stream".to_owned());
        (Part::Binary(BinaryPart { media_type, data }), false)
    };
    let exact = Block::read(block);
    let is_exact = exact.is_some();
    // Readers of JSON refuse half of a surrogate pair.
    let Some(read) = exact.or_else(|| Block::read(&surrogates::replaced(block))) else {
        return unknown();
    };
    match read {
        Block { r#type, text: Some(text), .. } if r#type == "text" => {
            let is_all = members(block).is_some_and(|members| members.len() == 2);
            (Part::Text(text), is_exact && is_all)
        }
        Block { r#type, data: Some(data), mime_type, .. }
            if r#type == "image" || r#type == "audio" =>
        {
            binary(data, mime_type)
        }
        Block { r#type, uri: Some(uri), name, mime_type, .. } if r#type == "resource_link" => {
            let name = name.unwrap_or_default();
            (Part::Pointer(LinkPart { uri, name, media_type: mime_type }), false)
        }
        Block { resource: Some(Resource { text: Some(text), .. }), .. } => {
            (Part::Text(text), false)
        }
        Block { resource: Some(Resource { blob: Some(blob), mime_type, .. }), .. } => {
            binary(blob, mime_type)
        }
        _ => unknown(),
    }
}

/// Where the resource is that a block holds.
fn uri(block: &str) -> Option<String> {
    let resource = *members(block)?.get("resource")?;
    let uri = *members(resource.get())?.get("uri")?;
    serde_json::from_str(uri.get()).ok()
}

/// A part as a content block.
fn block(part: &Part) -> String {
    match part {
        Part::Text(text) => json!({ "type": "text", "text": text }),
        Part::Binary(binary) => json!({ "type": "resource", "resource": {
            "uri": "weir:inline", "mimeType": binary.media_type, "blob": binary.data,
        } }),
        Part::Pointer(link) => json!({
            "type": "resource_link", "uri": link.uri, "name": link.name, "mimeType": link.media_type,
        }),
    }
    .to_string()
}

/// What structured content holds beyond the text blocks: all of it, or what is left without its members that
/// are a text block once more, as servers write them whose schema has the text in an object.
fn beyond(parts: &[Placed<'_>], structured: &str) -> Option<String> {
    let repeats = |value: &str| {
        parts.iter().any(|placed| match &placed.part {
            Part::Text(text) if value.starts_with('"') => {
                // A short one may be equal by chance.
                value.len() >= 16
                    && value.len() <= text.len().saturating_mul(6).saturating_add(2)
                    && serde_json::from_str::<String>(value).is_ok_and(|value| value == *text)
            }
            Part::Text(text) => same_json(text, value),
            _ => false,
        })
    };
    if structured == "null" || repeats(structured) {
        return None;
    }
    let mut members = members(structured).unwrap_or_default();
    let all = members.len();
    members.retain(|_, value| !repeats(value.get()));
    match members.len() {
        left if left == all => Some(structured.to_owned()),
        0 => None,
        _ => {
            let members = members.iter();
            let members = members
                .map(|(name, value)| format!("{}:{}", Value::from(name.as_str()), value.get()));
            Some(format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
        }
    }
}

fn same_json(text: &str, structured: &str) -> bool {
    text.trim_start().as_bytes().first() == structured.as_bytes().first()
        && matches!(
            (serde_json::from_str::<Value>(text), serde_json::from_str::<Value>(structured)),
            (Ok(text), Ok(structured)) if text == structured
        )
}

pub(super) fn result_tools() -> Answer {
    let tools = Component::result_tools().into_iter().map(super::mcp_tool).collect::<Vec<_>>();
    Ok(format!("{{\"tools\":[{}]}}", tools.join(",")))
}

pub(super) fn invoke(session: String, name: String, arguments: String) -> Answer {
    let answer = Component::invoke(session, name, arguments);
    let mut result = text_result(&answer.text, answer.is_error);
    if let (Some(more), Value::Object(members)) = (answer.more, &mut result) {
        members.insert("more".to_owned(), more.into());
    }
    Ok(result.to_string())
}

pub(super) fn open_intake(call: String) -> Answer {
    use crate::abi::exports::weir::plugin::result_transform::GuestIntake as _;
    let call: Call<'_> = read("call", &call)?;
    // A constructor cannot refuse, so an intake itself says it only when it is finished.
    check_session(&call.session)?;
    let intake = GuestIntake::new(call.origin(), call.max_chars);
    let number = INTAKES.with_borrow_mut(|intakes| intakes.add(intake));
    Ok(json!({ "intake": number }).to_string())
}

pub(super) fn write_intake(intake: u32, chunk: String) -> Answer {
    INTAKES.with_borrow(|intakes| {
        intakes.get(intake)?.write(chunk);
        Ok::<_, Failure>(())
    })?;
    Ok("{}".to_owned())
}

pub(super) fn finish_intake(intake: u32, is_error: bool) -> Answer {
    let intake = INTAKES.with_borrow_mut(|intakes| intakes.take(intake))?;
    let transformed = intake.finish(is_error)?;
    let blocks: Vec<String> = transformed.parts.iter().map(block).collect();
    let shown = format!("{{\"content\":[{}],\"isError\":{is_error}}}", blocks.join(","));
    Ok(answered(transformed, &shown))
}

pub(super) fn drop_intake(intake: u32) -> Answer {
    INTAKES.with_borrow_mut(|intakes| intakes.take(intake))?;
    Ok("{}".to_owned())
}

pub(super) fn pin(session: String, id: String, pinned: bool) -> Answer {
    Component::pin(session, id, pinned)?;
    Ok("{}".to_owned())
}

pub(super) fn forget(session: String, id: String) -> Answer {
    Ok(print(Component::forget(session, id)?))
}

pub(super) fn status() -> Answer {
    Ok(print(Component::status()?))
}

pub(super) fn sweep(max_entries: u32) -> Answer {
    SWEEPER.with_borrow_mut(|slot| {
        let progress = slot.get_or_insert_with(GuestSweeper::new).step(max_entries);
        if progress.as_ref().is_ok_and(|progress| progress.done) {
            *slot = None;
        }
        Ok(print(progress?))
    })
}
