//! A result of MCP's `tools/call`: taken apart into what a model reads, and put together again.
//!
//! The one place that tells text, bytes and links apart, says what a result holds beside its blocks, and
//! what stays of a result when parts of it are replaced:
//!
//! ```text
//! result ─► read ─► parts (one for each block, then structured content that no block repeats)
//! shown  ─► rebuilt: blocks that are left, to the byte · texts, with what was said of what they replace
//! ```
//!
//! Of texts and structured content that say the same one is a part: blocks that are its items, as Python's SDK
//! writes them, are empty parts. Members keep their order. `structuredContent` goes, because clients hold it
//! against a schema, and so do large members that MCP does not have. What is said of a block (its audience,
//! its `_meta`) stays on the text in its place.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

use crate::sort::sort_by_key;
use weir_text::surrogates;

/// One part of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Part {
    /// Text.
    Text(String),
    /// Bytes with a media type.
    Binary {
        /// The media type.
        media_type: String,
        /// The bytes in standard base64.
        data: String,
    },
    /// A pointer to content elsewhere.
    Link {
        /// Where to.
        uri: String,
        /// What it is called.
        name: String,
        /// Its media type, when known.
        media_type: Option<String>,
    },
}

/// One part of what is shown of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Shown {
    /// The part at this index, as it came.
    Left(usize),
    /// A text in the place of one part, or of several.
    Text(String),
}

impl Shown {
    /// The parts that are shown, of those that came.
    pub fn parts(shown: Vec<Shown>, mut came: Vec<Part>) -> Vec<Part> {
        let mut take = |at: usize| came.get_mut(at).map(std::mem::take);
        let part = |one| match one {
            Shown::Left(at) => take(at),
            Shown::Text(text) => Some(Part::Text(text)),
        };
        shown.into_iter().filter_map(part).collect()
    }
}

impl Default for Part {
    fn default() -> Part {
        Part::Text(String::new())
    }
}

/// A text that is shorter than this is no copy of another: it may be equal by chance.
const COPY_BYTES: usize = 16;

/// Spellings of one JSON text differ in length by less than this factor.
const SPELLING: usize = 16;

/// Bytes that a member we do not know may have in a result that was replaced.
const FOREIGN_MEMBER_BYTES: usize = 4 * 1024;

/// Members of a text block that stay when its text is replaced.
const SAID_OF_BLOCKS: [&str; 2] = ["annotations", "_meta"];

/// Bytes from which on links are a text as any other: a line of JSON each.
const LINKS_BYTES: usize = 4 * 1024;

/// Levels of structured content in which copies of the blocks are looked for.
const COPY_DEPTH: usize = 4;

pub(crate) type Members<'a> = BTreeMap<String, &'a RawValue>;

/// A result of MCP's `tools/call`, or a text that is none.
pub struct McpResult<'a> {
    text: &'a str,
    /// Whether it is such a result.
    is_result: bool,
    /// Its members.
    members: Members<'a>,
    /// Its content blocks, if it has a list of them.
    blocks: Option<Vec<&'a RawValue>>,
}

impl<'a> McpResult<'a> {
    /// Reads a result. Any other JSON, and a text that is not JSON, is one text.
    pub fn read(text: &'a str) -> McpResult<'a> {
        let mut members = members(text).unwrap_or_default();
        let blocks = members.get("content").and_then(|content| items(content.get()));
        let marks = ["structuredContent", "resultType", "task"];
        let is_result = blocks.is_some() || marks.iter().any(|name| members.contains_key(*name));
        if !is_result {
            // What says that it failed, and to whom it belongs, says so of the text too.
            members.retain(|name, value| match name.as_str() {
                "isError" => matches!(value.get(), "true" | "false"),
                "_meta" => value.get().starts_with('{'),
                _ => false,
            });
        }
        McpResult { text, is_result, members, blocks }
    }

    /// Whether it reports an error.
    pub fn is_error(&self) -> bool {
        self.members.get("isError").is_some_and(|value| value.get() == "true")
    }

    /// Whether it waits for input, or stands for a task.
    pub fn waits(&self) -> bool {
        string_of(&self.members, "resultType").is_some_and(|kind| kind != "complete")
            || self.blocks.is_none() && self.members.contains_key("task")
    }

    /// What a model reads of it, and whether that is all that it holds.
    pub fn parts(&self) -> (Vec<Part>, bool) {
        if !self.is_result {
            return (vec![Part::Text(self.text.to_owned())], true);
        }
        let blocks = self.blocks.as_deref().unwrap_or_default();
        let known = ["content", "isError", "structuredContent", "_meta", "resultType"];
        let mut are_all = self.members.keys().all(|name| known.contains(&name.as_str()));
        let mut parts = Vec::with_capacity(blocks.len() + 1);
        for block in blocks {
            let (part, is_all) = part(block.get());
            are_all &= is_all;
            parts.push(part);
        }
        let is_link = |part: &Part| matches!(part, Part::Link { .. });
        let links = blocks.iter().zip(&parts).filter(|(_, part)| is_link(part));
        if links.map(|(block, _)| block.get().len()).sum::<usize>() > LINKS_BYTES {
            for (part, block) in parts.iter_mut().zip(blocks).filter(|(part, _)| is_link(part)) {
                *part = Part::Text(block.get().to_owned());
            }
        }
        let Some(structured) = self.members.get("structuredContent") else {
            return (parts, are_all);
        };
        match Copies::of(self, &parts).beyond(structured.get()) {
            Some(_) if are_items(&parts, structured.get()) => {
                parts.iter_mut().for_each(|part| *part = Part::default());
                parts.push(Part::Text(structured.get().to_owned()));
            }
            Some(more) => parts.push(Part::Text(more.into_owned())),
            None => {}
        }
        (parts, are_all)
    }

    /// All of it, as a result of `tools/call`.
    pub fn whole(&self) -> Cow<'a, str> {
        match self.is_result {
            true => Cow::Borrowed(self.text),
            false => Cow::Owned(format!(
                r#"{{"content":[{}],"isError":{}}}"#,
                text_block(self.text),
                self.is_error()
            )),
        }
    }

    /// The result with this in place of its `parts`, and for each block the index of the one that it is,
    /// where it was left.
    pub fn rebuilt(&self, shown: &[Shown], parts: &[Part]) -> (String, Vec<Option<usize>>) {
        let came = self.blocks.as_deref().unwrap_or_default();
        let mut blocks = Vec::with_capacity(shown.len());
        let is_told = |part: &Part| *part == Part::default();
        let is_told_below = parts.len() > came.len() && parts[..came.len()].iter().all(is_told);
        // Else one text stands for all of them.
        let is_each = shown.len() == parts.len();
        let is_replaced = |at: usize| match parts.get(at) {
            Some(Part::Text(_)) => !shown.contains(&Shown::Left(at)),
            _ => false,
        };
        let all: Vec<usize> = (0..came.len()).filter(|at| is_replaced(*at)).collect();
        for (place, one) in shown.iter().enumerate() {
            blocks.push(match one {
                Shown::Text(text) => {
                    let of = if is_each { std::slice::from_ref(&place) } else { &all[..] };
                    let of = of.iter().map(|at| came.get(*at).map(|block| said_of(block.get())));
                    (text_block_with(text, &agreed(of)), None)
                }
                Shown::Left(at) => match (came.get(*at), parts.get(*at)) {
                    // What structured content says instead.
                    (Some(_), _) if is_told_below => continue,
                    (Some(block), _) => (block.get().to_owned(), Some(*at)),
                    // Structured content is no block.
                    (None, Some(Part::Text(text))) => (text_block(text), None),
                    _ => continue,
                },
            });
        }
        let (texts, from): (Vec<String>, Vec<Option<usize>>) = blocks.into_iter().unzip();
        let content = format!("\"content\":[{}]", texts.join(","));
        let mut members: Vec<String> = in_order(&self.members)
            .filter_map(|(name, value)| match name {
                "content" => Some(content.clone()),
                "structuredContent" => None,
                _ => (value.len() <= FOREIGN_MEMBER_BYTES).then(|| member(name, value)),
            })
            .collect();
        if !self.members.contains_key("content") {
            members.insert(0, content);
        }
        (format!("{{{}}}", members.join(",")), from)
    }
}

/// The part that a content block is, and whether its text is all of it.
fn part(block: &str) -> (Part, bool) {
    let all = members(block).unwrap_or_default();
    let binary = |data: String, of: &Members<'_>| {
        let media_type = string_of(of, "mimeType");
        let media_type = media_type.unwrap_or_else(|| "application/octet-stream".to_owned());
        (Part::Binary { media_type, data }, false)
    };
    let kind = string_of(&all, "type").unwrap_or_default();
    match &*kind {
        "text" => {
            if let Some((text, is_exact)) = all.get("text").and_then(|text| string(text.get())) {
                let stays = |(name, value): (&String, &&RawValue)| match name.as_str() {
                    "type" | "text" => true,
                    name => {
                        SAID_OF_BLOCKS.contains(&name) && value.get().len() <= FOREIGN_MEMBER_BYTES
                    }
                };
                return (Part::Text(text), is_exact && all.iter().all(stays));
            }
        }
        "image" | "audio" => {
            if let Some(data) = string_of(&all, "data") {
                return binary(data, &all);
            }
        }
        "resource_link" => {
            if let Some(uri) = string_of(&all, "uri") {
                let name = string_of(&all, "name").unwrap_or_default();
                return (Part::Link { uri, name, media_type: string_of(&all, "mimeType") }, true);
            }
        }
        _ => {}
    }
    // A resource is told by what it holds.
    let resource = all.get("resource").and_then(|all| members(all.get())).unwrap_or_default();
    match (string_of(&resource, "text"), string_of(&resource, "blob")) {
        (Some(text), _) => (Part::Text(text), false),
        (None, Some(blob)) => binary(blob, &resource),
        (None, None) => (Part::Text(block.to_owned()), false),
    }
}

/// Where the bytes of a block are, as a member of what stands for them.
fn place_of(block: &str) -> Option<String> {
    let all = members(block)?;
    let resource = members(all.get("resource")?.get())?;
    resource.get("blob")?;
    let string = |name| resource.get(name).map(|of| of.get()).filter(|of| of.starts_with('"'));
    let uri = string("uri")?;
    let media_type =
        string("mimeType").map_or_else(String::new, |of| format!(",\"mimeType\":{of}"));
    Some(format!(r#","_meta":{{"weir/resource":{{"uri":{uri}{media_type}}}}}"#))
}

/// Bytes that `raw`, an object with `content` or `structuredContent`, holds beside the text of `parts` and
/// copies of it; `None` when it is not such an object.
pub fn beside(raw: &str, parts: &[Part]) -> Option<u64> {
    let members = members(raw)?;
    if !members.contains_key("content") && !members.contains_key("structuredContent") {
        return None;
    }
    let copies = Copies::of(&McpResult::read(raw), parts);
    let bytes = members.iter().map(|(name, value)| match &**name {
        // Its texts, images and links are the parts.
        "content" => 0,
        "structuredContent" => copies
            .beyond(value.get())
            .filter(|more| !copies.texts.contains(&&**more))
            .map_or(0, |more| more.len()),
        _ => name.len() + value.get().len(),
    });
    Some(bytes.sum::<usize>() as u64)
}

/// Where in `raw` the text of `parts` is: a JSON pointer, with `*` for what differs.
pub fn pointer(raw: &str, parts: &[Part]) -> String {
    let members = members(raw).unwrap_or_default();
    let blocks = members.get("content").and_then(|all| items(all.get())).unwrap_or_default();
    let mut places = Vec::new();
    for (at, block) in blocks.iter().enumerate() {
        let block = self::members(block.get()).unwrap_or_default();
        let resource = block.get("resource").and_then(|value| self::members(value.get()));
        if string_of(&block, "type").is_some_and(|kind| kind == "text")
            && block.contains_key("text")
        {
            places.push((at, "text"));
        } else if resource.is_some_and(|of| of.contains_key("text")) {
            places.push((at, "resource/text"));
        }
    }
    let parts = texts(parts).len();
    let has_structured = members.contains_key("structuredContent");
    match &places[..] {
        [(at, text)] if parts == 1 => format!("/content/{at}/{text}"),
        [(_, first), rest @ ..]
            if places.len() == parts && rest.iter().all(|(_, text)| text == first) =>
        {
            format!("/content/*/{first}")
        }
        [] if has_structured && parts == 1 && blocks.is_empty() => "/structuredContent".to_owned(),
        _ if has_structured => "/*".to_owned(),
        _ => "/content/*".to_owned(),
    }
}

/// The texts among the parts.
pub(crate) fn texts(parts: &[Part]) -> Vec<&str> {
    let texts = parts.iter().filter_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect()
}

/// What blocks say, of which structured content may hold copies.
struct Copies<'a> {
    /// The texts of the parts, and their bytes as base64.
    texts: Vec<&'a str>,
    longest: usize,
    /// The list of blocks and each of them, as JSON.
    blocks: Vec<&'a str>,
}

impl<'a> Copies<'a> {
    fn of(result: &McpResult<'a>, parts: &'a [Part]) -> Copies<'a> {
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text(text) => Some(text.as_str()),
            Part::Binary { data, .. } => Some(data.as_str()),
            Part::Link { .. } => None,
        });
        let texts: Vec<&str> = texts.filter(|text| !text.is_empty()).collect();
        let longest = texts.iter().map(|text| text.len()).max().unwrap_or_default();
        let content = result.members.get("content").map(|content| content.get());
        let each = result.blocks.iter().flatten().map(|block| block.get());
        let blocks = content.into_iter().chain(each).filter(|block| block.len() >= COPY_BYTES);
        Copies { texts, longest, blocks: blocks.collect() }
    }

    /// What structured content holds beyond them: all of it, or what is left without the members that are one of
    /// them once more, as servers write them whose schema has the text in an object.
    fn beyond<'s>(&self, structured: &'s str) -> Option<Cow<'s, str>> {
        match structured == "null" || self.texts.iter().any(|text| same(text, structured)) {
            true => None,
            false => self.left(structured, COPY_DEPTH),
        }
    }

    fn left<'s>(&self, value: &'s str, depth: usize) -> Option<Cow<'s, str>> {
        let is_said = |said: &[&str]| said.iter().any(|said| same(said, value));
        let is_copy = match value.as_bytes().first() {
            Some(b'{' | b'[') => is_said(&self.texts) || is_said(&self.blocks),
            // A longer one cannot be a copy of any.
            Some(b'"') if value.len() >= COPY_BYTES && value.len() / 6 <= self.longest + 1 => {
                string(value).is_some_and(|(value, _)| self.texts.contains(&value.as_str()))
            }
            _ => false,
        };
        if is_copy {
            return None;
        }
        let members = if depth > 0 { members(value).unwrap_or_default() } else { Members::new() };
        let mut is_less = false;
        let left = in_order(&members).filter_map(|(name, value)| {
            let left = self.left(value, depth - 1);
            is_less |= !matches!(left, Some(Cow::Borrowed(_)));
            Some(member(name, &left?))
        });
        let left: Vec<String> = left.collect();
        match (is_less, left.is_empty()) {
            (false, _) => Some(Cow::Borrowed(value)),
            (true, true) => None,
            (true, false) => Some(Cow::Owned(format!("{{{}}}", left.join(",")))),
        }
    }
}

/// Whether the parts are the items of structured content, or of its one member, in their order. Where all of
/// them are strings the texts are the better form, and this does not hold.
fn are_items(parts: &[Part], structured: &str) -> bool {
    let within = members(structured).filter(|members| members.len() == 1);
    let list = within.as_ref().and_then(|within| within.values().next()).map(|list| list.get());
    let Some(items) = items(list.unwrap_or(structured)) else { return false };
    let is_item = |(part, item): (&Part, &&RawValue)| match part {
        Part::Text(text) => same(text, item.get()) || string_is(item.get(), text),
        _ => false,
    };
    items.len() == parts.len()
        && items.iter().any(|item| !item.get().starts_with('"'))
        && parts.iter().zip(&items).all(is_item)
}

fn string_is(json: &str, text: &str) -> bool {
    string(json).is_some_and(|(value, _)| value == text)
}

/// Whether a text is a JSON value once more, in whatever spelling.
fn same(text: &str, value: &str) -> bool {
    let text = text.trim();
    if text.as_bytes().first() != value.as_bytes().first()
        || text.len() / SPELLING > value.len()
        || value.len() / SPELLING > text.len()
    {
        return false;
    }
    // Most copies differ in blanks alone. Else the values themselves are compared.
    significant(text).eq(significant(value))
        || matches!(
            (serde_json::from_str::<Value>(text), serde_json::from_str::<Value>(value)),
            (Ok(text), Ok(value)) if text == value
        )
}

/// The bytes of a JSON text without the blanks between its values.
fn significant(json: &str) -> impl Iterator<Item = u8> {
    let (mut in_string, mut is_escaped) = (false, false);
    json.bytes().filter(move |&byte| {
        if in_string {
            in_string = is_escaped || byte != b'"';
            is_escaped = !is_escaped && byte == b'\\';
            return true;
        }
        in_string = byte == b'"';
        !matches!(byte, b' ' | b'\t' | b'\n' | b'\r')
    })
}

/// The members of an object. One copy of the code for all that ask.
#[inline(never)]
pub(crate) fn members(json: &str) -> Option<Members<'_>> {
    serde_json::from_str(json).ok()
}

/// The items of an array, likewise.
#[inline(never)]
fn items(json: &str) -> Option<Vec<&RawValue>> {
    serde_json::from_str(json).ok()
}

/// Members in the order in which they are written.
fn in_order<'m>(members: &'m Members<'_>) -> impl Iterator<Item = (&'m str, &'m str)> {
    let mut all: Vec<_> =
        members.iter().map(|(name, value)| (name.as_str(), value.get())).collect();
    sort_by_key(&mut all, |(_, value)| value.as_ptr());
    all.into_iter()
}

/// The string that a member is.
fn string_of(members: &Members<'_>, name: &str) -> Option<String> {
    members.get(name).and_then(|value| string(value.get())).map(|(text, _)| text)
}

/// The string that a JSON text is, and whether it is exact: readers of JSON refuse half of a surrogate
/// pair, which becomes U+FFFD.
#[inline(never)]
fn string(json: &str) -> Option<(String, bool)> {
    if !json.starts_with('"') {
        return None;
    }
    match serde_json::from_str(json) {
        Ok(text) => Some((text, true)),
        Err(_) => Some((serde_json::from_str(&surrogates::replaced(json)).ok()?, false)),
    }
}

fn member(name: &str, value: &str) -> String {
    format!("{}:{value}", Value::from(name))
}

fn text_block(text: &str) -> String {
    text_block_with(text, "")
}

fn text_block_with(text: &str, more: &str) -> String {
    format!(r#"{{"type":"text","text":{}{more}}}"#, Value::from(text))
}

/// What is said of a block beside its text, as further members. A resource that a text stands for still says where
/// it is.
fn said_of(block: &str) -> String {
    let all = members(block).unwrap_or_default();
    let place = place_of(block);
    let kept = in_order(&all).filter(|(name, value)| {
        let stays = SAID_OF_BLOCKS.contains(name) && value.len() <= FOREIGN_MEMBER_BYTES;
        stays && (place.is_none() || *name != "_meta")
    });
    let kept: String = kept.map(|(name, value)| format!(",{}", member(name, value))).collect();
    kept + &place.unwrap_or_default()
}

/// What is said of all blocks alike.
fn agreed(mut all: impl Iterator<Item = Option<String>>) -> String {
    let first = all.next().flatten().unwrap_or_default();
    if all.all(|one| one.as_ref() == Some(&first)) { first } else { String::new() }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    fn text(text: &str) -> Part {
        Part::Text(text.to_owned())
    }

    fn binary(media_type: &str) -> Part {
        Part::Binary { media_type: media_type.to_owned(), data: "QUJD".to_owned() }
    }

    fn parts(result: &str) -> (Vec<Part>, bool) {
        McpResult::read(result).parts()
    }

    /// The blocks that are shown with these parts in place of those that came.
    fn rebuilt(result: &str, shown: &[Shown]) -> (Value, Vec<Option<usize>>) {
        let read = McpResult::read(result);
        let (text, from) = read.rebuilt(shown, &read.parts().0);
        (serde_json::from_str(&text).unwrap(), from)
    }

    #[test]
    fn each_kind_of_block_is_the_part_that_it_holds_and_stays_itself_when_it_is_left() {
        let link = Part::Link {
            uri: "file:///a".to_owned(),
            name: "a".to_owned(),
            media_type: Some("text/css".to_owned()),
        };
        let kinds = [
            (r#"{ "type" : "text", "text" : "a\u0062" }"#, text("ab")),
            (r#"{"type":"image","data":"QUJD","mimeType":"image/png"}"#, binary("image/png")),
            (r#"{"type":"audio","data":"QUJD"}"#, binary("application/octet-stream")),
            (r#"{"type":"resource","resource":{"uri":"a:b","text":"x"}}"#, text("x")),
            (
                r#"{"type":"resource","resource":{"uri":"a:b","mimeType":"a/b","blob":"QUJD"}}"#,
                binary("a/b"),
            ),
            // A resource is told by what it holds, whatever the block calls itself.
            (r#"{"type":"embedded","resource":{"uri":"a:b","text":"x"}}"#, text("x")),
            (r#"{"resource":{"uri":"a:b","blob":"QUJD"}}"#, binary("application/octet-stream")),
            (
                r#"{"type":"resource_link","uri":"file:///a","name":"a","mimeType":"text/css","size":1.0}"#,
                link,
            ),
            // What nobody knows is a text, as it is written.
            (r#"{"type":"hologram","x":[1.50]}"#, text(r#"{"type":"hologram","x":[1.50]}"#)),
            (r#"{"type":"text","text":5}"#, text(r#"{"type":"text","text":5}"#)),
            (r#"{"type":"image","data":null}"#, text(r#"{"type":"image","data":null}"#)),
            (r#"{"type":"resource","resource":{}}"#, text(r#"{"type":"resource","resource":{}}"#)),
            ("7", text("7")),
            // A member of the wrong type costs itself alone.
            (r#"{"type":"text","text":"x","name":5}"#, text("x")),
        ];
        for (block, expected) in kinds {
            let result = format!(r#"{{"content":[{block},{{"type":"text","text":"long"}}]}}"#);
            assert_eq!(parts(&result).0, [expected, text("long")], "{block}");
            let read = McpResult::read(&result);
            let shown = [Shown::Left(0), Shown::Text("short".to_owned())];
            let (whole, from) = read.rebuilt(&shown, &read.parts().0);
            let new = r#"{"type":"text","text":"short"}"#;
            assert_eq!(whole, format!(r#"{{"content":[{block},{new}]}}"#));
            assert_eq!(from, [Some(0), None]);
            let (replaced, from) = rebuilt(&result, &[Shown::Text("s".to_owned()), Shown::Left(1)]);
            let mut said = replaced["content"][0].clone();
            // Where the bytes of a resource are.
            let place = said.as_object_mut().and_then(|said| said.remove("_meta"));
            let uri = block.contains("\"a:b\"") && block.contains("blob");
            assert_eq!(place.is_some(), uri, "{block}");
            assert_eq!(said, json!({"type": "text", "text": "s"}));
            assert_eq!(from[..2], [None, Some(1)]);
        }
    }

    #[test]
    fn a_resource_that_a_text_stands_for_still_says_where_it_is_and_nothing_that_it_did_not_say() {
        let block = |more: &str| {
            format!(
                r#"{{"content":[{{"type":"text","text":"a"}},{{"type":"resource","resource":{{"uri":"file:///x"{more},"blob":"QUJD"}}}}]}}"#
            )
        };
        let shown = [Shown::Left(0), Shown::Text("[weir: …]".to_owned())];
        for (more, media_type) in [
            ("", Value::Null),
            (r#","mimeType":"a/b""#, json!("a/b")),
            (r#","mimeType":1"#, Value::Null),
        ] {
            let (result, from) = rebuilt(&block(more), &shown);
            let place = &result["content"][1]["_meta"]["weir/resource"];
            assert_eq!((&place["uri"], &place["mimeType"]), (&json!("file:///x"), &media_type));
            assert_eq!(from, [Some(0), None]);
        }
        // One that is left says it itself, and one may have no place.
        assert_eq!(rebuilt(&block(""), &[Shown::Left(0), Shown::Left(1)]).1, [Some(0), Some(1)]);
        let nowhere = r#"{"content":[{"type":"image","data":"QUJD","mimeType":"a/b"}]}"#;
        assert_eq!(rebuilt(nowhere, &shown[1..]).1, [None]);
    }

    #[test]
    fn members_keep_their_order_and_lose_what_is_structured_or_large_and_unknown() {
        let result = format!(
            r#"{{"z":1.50,"isError":true,"content":[],"structuredContent":{{"a":1}},"big":"{}","_meta":{{"b":2,"a":1}}}}"#,
            "x".repeat(5_000)
        );
        let read = McpResult::read(&result);
        let (whole, _) = read.rebuilt(&[Shown::Text("s".to_owned())], &read.parts().0);
        assert_eq!(
            whole,
            r#"{"z":1.50,"isError":true,"content":[{"type":"text","text":"s"}],"_meta":{"b":2,"a":1}}"#
        );
        assert!(read.is_error() && !read.waits());
        assert_eq!(read.whole(), result);
        // Structured content that is left is a text: there is no block of it.
        let (left, from) =
            rebuilt(r#"{"content":[],"structuredContent":{"a":1}}"#, &[Shown::Left(0)]);
        assert_eq!(left, json!({"content": [{"type": "text", "text": r#"{"a":1}"#}]}));
        assert_eq!(from, [None]);
    }

    #[test]
    fn what_is_a_result_and_what_waits_is_told_in_one_way() {
        for (result, is_result, waits) in [
            (r#"{"content":[]}"#, true, false),
            (r#"{"content":[],"resultType":"complete"}"#, true, false),
            (r#"{"content":[],"resultType":null}"#, true, false),
            (r#"{"content":[],"resultType":"input_required"}"#, true, true),
            (r#"{"resultType":"complete","structuredContent":{"a":1}}"#, true, false),
            (r#"{"resultType":"complete"}"#, true, false),
            (r#"{"resultType":"task","task":{}}"#, true, true),
            (r#"{"task":{"taskId":"1"}}"#, true, true),
            (r#"{"content":[],"task":{}}"#, true, false),
            (r#"{"structuredContent":{"a":1}}"#, true, false),
            (r#"{"rows":[]}"#, false, false),
            (r#"{"content":"of a file"}"#, false, false),
            (r#"{"content":[1,]}"#, false, false),
            ("[1, 2]", false, false),
            ("not JSON", false, false),
            ("", false, false),
        ] {
            let read = McpResult::read(result);
            assert_eq!((read.is_result, read.waits()), (is_result, waits), "{result}");
            match is_result {
                true => assert_eq!(read.whole(), result),
                false => {
                    assert_eq!(read.parts(), (vec![text(result)], true));
                    let whole: Value = serde_json::from_str(&read.whole()).unwrap();
                    let content = json!([{"type": "text", "text": result}]);
                    assert_eq!(whole, json!({"content": content, "isError": false}));
                }
            }
        }
        // Under these names anything may be in what is no result: that is in its text alone.
        let (other, _) = McpResult::read(r#"{"isError":["\ud800"],"_meta":"m"}"#)
            .rebuilt(&[Shown::Text("t".into())], &[]);
        assert_eq!(other, r#"{"content":[{"type":"text","text":"t"}]}"#);
        // A failure that is no result stays one, as a text and when that is replaced.
        let failure = r#"{"isError":true,"message":"x","_meta":{"a":1}}"#;
        assert!(McpResult::read(failure).whole().contains("\"isError\":true"));
        let (shown, _) = rebuilt(failure, &[Shown::Text("s".to_owned())]);
        assert_eq!((&shown["isError"], &shown["_meta"]["a"]), (&json!(true), &json!(1)));
        assert_eq!((&shown["content"][0]["text"], shown.get("message")), (&json!("s"), None));
    }

    #[test]
    fn a_result_is_all_text_when_its_blocks_are_and_nothing_stands_beside_them() {
        let one = r#"{"type":"text","text":"a"}"#;
        for (result, are_all) in [
            (format!(r#"{{"content":[{one}]}}"#), true),
            (format!(r#"{{"content":[{one},{one}],"_meta":{{"a":1}},"isError":false}}"#), true),
            (format!(r#"{{"content":[{one}],"more":1}}"#), false),
            // What is said of a text stays on what stands for it.
            (r#"{"content":[{"type":"text","text":"a","annotations":{}}]}"#.to_owned(), true),
            (r#"{"content":[{"type":"text","text":"a","later":1}]}"#.to_owned(), false),
            (r#"{"content":[{"type":"text","text":"a\ud83d"}]}"#.to_owned(), false),
            (r#"{"content":[{"type":"image","data":"QUJD"}]}"#.to_owned(), false),
            (r#"{"content":[{"type":"resource","resource":{"text":"a"}}]}"#.to_owned(), false),
            (format!(r#"{{"content":[{one}],"structuredContent":{{"a":1}}}}"#), true),
            (format!(r#"{{"content":[{one}],"structuredContent":null}}"#), true),
        ] {
            assert_eq!(parts(&result).1, are_all, "{result}");
        }
    }

    #[test]
    fn structured_content_is_a_part_only_for_what_no_block_says() {
        let beyond = |texts: &[&str], structured: &str| {
            let blocks: Vec<Value> =
                texts.iter().map(|text| json!({"type": "text", "text": text})).collect();
            let content = Value::from(blocks);
            let all =
                parts(&format!(r#"{{"content":{content},"structuredContent":{structured}}}"#)).0;
            all.get(texts.len()).map(|part| match part {
                Part::Text(text) => text.clone(),
                other => panic!("{other:?}"),
            })
        };
        let some = |text: &str| Some(text.to_owned());
        // In another spelling, with other blanks, in another order.
        assert_eq!(beyond(&["{ \"a\": [1, \"é \\\" \"] }\n"], r#"{"a":[1,"\u00e9 \" "]}"#), None);
        assert_eq!(beyond(&[r#"{"b":2,"a":1}"#], r#"{"a":1,"b":2}"#), None);
        assert_eq!(beyond(&[r#"{"a":1}"#], r#"{"a":2}"#), some(r#"{"a":2}"#));
        assert_eq!(beyond(&["[1,2]"], r#"{"result":[1, 2]}"#), None);
        assert_eq!(beyond(&["a text of some words"], r#"{"result":"a text of some words"}"#), None);
        assert_eq!(
            beyond(
                &["a text of some words"],
                r#"{"z":1.50,"text":"a text of some words","a":[ ]}"#
            ),
            some(r#"{"z":1.50,"a":[ ]}"#)
        );
        // Short texts and numbers may be equal by chance.
        assert_eq!(beyond(&["ok"], r#"{"status":"ok"}"#), some(r#"{"status":"ok"}"#));
        assert_eq!(beyond(&["5"], r#"{"result":5}"#), some(r#"{"result":5}"#));
        assert_eq!(beyond(&[], "[1]"), some("[1]"));
        assert_eq!(beyond(&["x"], "null"), None);
        // Half of a surrogate pair in both is one text.
        let half = r#"{"content":[{"type":"text","text":"a long text \ud83d"}],"structuredContent":{"t":"a long text \ud83d"}}"#;
        assert_eq!(parts(half), (vec![text("a long text \u{fffd}")], false));
    }

    #[test]
    fn blocks_that_are_the_items_of_structured_content_are_told_once() {
        let given = |blocks: &[&str], structured: &str| {
            let blocks: Vec<Value> =
                blocks.iter().map(|text| json!({"type": "text", "text": text})).collect();
            let result = json!({"content": blocks}).to_string();
            let result =
                format!("{},\"structuredContent\":{structured}}}", &result[..result.len() - 1]);
            let parts = parts(&result).0;
            let texts = texts(&parts).into_iter().filter(|text| !text.is_empty());
            let texts: Vec<String> = texts.map(str::to_owned).collect();
            // Where it is left nothing comes twice, and nothing is lost.
            let shown: Vec<Shown> = (0..parts.len()).map(Shown::Left).collect();
            let left = rebuilt(&result, &shown).0["content"].as_array().map(Vec::len);
            assert_eq!(left, Some(texts.len()), "{structured}");
            texts
        };
        let rows = ["{\n  \"a\": 1\n}", "{\n  \"a\": 2\n}"];
        for structured in [r#"{"result":[{"a":1},{"a":2}]}"#, r#"[{"a": 1}, {"a": 2}]"#] {
            assert_eq!(given(&rows, structured), [structured]);
        }
        assert_eq!(given(&["1", "x"], r#"{"rows":[1,"x"]}"#), [r#"{"rows":[1,"x"]}"#]);
        // Texts are best as they are; what differs stands beside them.
        let paths = ["a/long/path/one.txt", "a/long/path/two.txt"];
        let list = json!({"result": paths}).to_string();
        assert_eq!(given(&paths, &list)[..2], paths);
        for other in [r#"{"result":[{"a":1},{"a":3}]}"#, r#"{"result":[{"a":1}]}"#] {
            assert_eq!(given(&rows, other), [rows[0], rows[1], other]);
        }
        // Copies lie within, and are blocks or their bytes.
        let long = "a text of some words";
        assert_eq!(given(&[long], &json!({"result": {"content": long}}).to_string()), [long]);
        let block = json!({"type": "text", "text": long});
        assert_eq!(given(&[long], &json!({"content": [block]}).to_string()), [long]);
        let data = "QUJD".repeat(20);
        let image = json!({"content": [{"type": "image", "data": data, "mimeType": "image/png"}], "structuredContent": {"image": data, "width": 7}});
        assert_eq!(parts(&image.to_string()).0[1..], [text(r#"{"width":7}"#)]);
    }

    #[test]
    fn what_is_said_of_a_text_stays_on_what_stands_for_it() {
        let block = |text: &str, to: &str| json!({"type": "text", "text": text, "annotations": {"audience": [to]}, "_meta": {"k": 1}});
        let result = json!({"content": [block("a", "user"), block("b", "assistant")]}).to_string();
        let (each, _) = rebuilt(&result, &[Shown::Text("x".into()), Shown::Left(1)]);
        assert_eq!(each["content"], json!([block("x", "user"), block("b", "assistant")]));
        let (one, _) = rebuilt(&result, &[Shown::Text("x".into())]);
        assert_eq!(one["content"], json!([{"type": "text", "text": "x"}]));
        let same = json!({"content": [block("a", "user"), block("b", "user")]}).to_string();
        let (one, _) = rebuilt(&same, &[Shown::Text("x".into())]);
        assert_eq!(one["content"], json!([block("x", "user")]));
    }

    #[test]
    fn many_links_are_a_text_of_lines() {
        let result = |count: usize| {
            let link = |n: usize| json!({"type": "resource_link", "uri": format!("file:///{n}"), "name": "n"});
            json!({"content": (0..count).map(link).collect::<Vec<_>>()}).to_string()
        };
        assert!(matches!(parts(&result(3)).0[..], [Part::Link { .. }, ..]));
        let many = parts(&result(200)).0;
        assert_eq!(texts(&many).len(), 200);
        assert!(texts(&many)[7].contains("file:///7"));
    }

    #[test]
    fn half_of_a_surrogate_pair_costs_itself_alone() {
        let result = r#"{"content":[{"type":"text","text":"a\ud83d\nb"},{"type":"image","data":"QUJD","mimeType":"image/\ud83d"}]}"#;
        assert_eq!(parts(result).0, [text("a\u{fffd}\nb"), binary("image/\u{fffd}")]);
        let read = McpResult::read(result);
        let all = [Shown::Left(0), Shown::Left(1)];
        assert_eq!(read.rebuilt(&all, &read.parts().0).0, result);
    }

    #[test]
    fn the_pointer_leads_to_the_text_that_is_the_part() {
        let place = |content: Value| {
            let texts = content.as_array().unwrap().iter().map(|_| text(""));
            pointer(&json!({ "content": content }).to_string(), &texts.collect::<Vec<_>>())
        };
        let one = json!({"type": "text", "text": "a"});
        let resource = json!({"type": "resource", "resource": {"uri": "a:b", "text": "a"}});
        assert_eq!(place(json!([one])), "/content/0/text");
        assert_eq!(place(json!([resource])), "/content/0/resource/text");
        assert_eq!(place(json!([one, one])), "/content/*/text");
        assert_eq!(place(json!([resource, resource])), "/content/*/resource/text");
        assert_eq!(place(json!([one, resource])), "/content/*");
        let structured = r#"{"resultType":"complete","structuredContent":{"a":1}}"#;
        assert_eq!(pointer(structured, &parts(structured).0), "/structuredContent");
        assert_eq!(pointer("not JSON", &[text("x")]), "/content/*");
    }

    #[test]
    fn what_stands_beside_the_parts_counts_once() {
        let bytes = |raw: &Value, texts: &[&str]| {
            let parts: Vec<Part> = texts.iter().map(|one| text(one)).collect();
            beside(&raw.to_string(), &parts)
        };
        let long = "line one\nline \"two\"\n".repeat(50);
        let content = json!([{"type": "text", "text": long}]);
        let copy = json!({"content": content, "structuredContent": {"content": long}});
        assert_eq!(bytes(&copy, &[&long]), Some(0));
        let deep = json!({"content": content, "structuredContent": {"result": {"text": long}}});
        assert_eq!(bytes(&deep, &[&long]), Some(0));
        let rows = json!({"rows": (0..300).collect::<Vec<_>>(), "text": "short"});
        let as_text = rows.to_string();
        let copy =
            json!({"content": [{"type": "text", "text": as_text}], "structuredContent": rows});
        assert_eq!(bytes(&copy, &[&as_text]), Some(0));
        let more =
            json!({"content": content, "structuredContent": {"content": long, "rows": rows}});
        assert!(bytes(&more, &[&long]).is_some_and(|bytes| bytes > 1_000));
        // What a part says stands beside nothing.
        let all = parts(&more.to_string()).0;
        assert_eq!(beside(&more.to_string(), &all), Some(0));
        assert_eq!(bytes(&json!({"content": content, "more": 1}), &[&long]), Some(5));
        assert_eq!(bytes(&json!({"rows": 1}), &[&long]), None);
    }

    #[test]
    fn nothing_that_a_server_sends_breaks_it() {
        let deep = format!(r#"{{"content":{}1{}}}"#, "[".repeat(5_000), "]".repeat(5_000));
        let nested = format!(
            r#"{{"content":[],"structuredContent":{}1{}}}"#,
            r#"{"a":"#.repeat(500),
            "}".repeat(500)
        );
        for result in [
            "",
            " ",
            "{",
            "null",
            "[]",
            "{}",
            "\u{feff}{}",
            "{\"content\":[",
            "{\"content\":[]}x",
            r#"{"content":[null,true,[],{},"x",-0.0]}"#,
            r#"{"content":[{"type":{},"text":[]}]}"#,
            r#"{"content":[{"type":"text","type":"image","text":"a","data":"b"}]}"#,
            r#"{"content":[],"content":[{"type":"text","text":"last"}]}"#,
            r#"{"content":[{"type":"resource","resource":"x"},{"type":"resource","resource":[]}]}"#,
            r#"{"content":[{"type":"image","data":"%%%"},{"type":"audio","data":""}]}"#,
            r#"{"content":[],"structuredContent":"x","isError":"true","_meta":7}"#,
            r#"{"\u0063ontent":[{"t\u0079pe":"t\u0065xt","text":"\u0000\uffff"}]}"#,
            r#"{"content":[{"type":"text","text":"\ud83d\ud83d\udc00"}],"\ud83d":1}"#,
            r#"{"content":[],"structuredContent":{"":{"":[]}," ":null}}"#,
            &deep,
            &nested,
        ] {
            let read = McpResult::read(result);
            let (parts, _) = read.parts();
            for (raw, parts) in [(result, &parts[..]), (result, &[]), ("", &parts)] {
                let _ = (beside(raw, parts), pointer(raw, parts));
            }
            // Also with what was never among the parts.
            let shown: Vec<Shown> = (0..parts.len() + 3).map(Shown::Left).collect();
            for shown in [&shown[..], &[Shown::Text(result.to_owned())]] {
                let (whole, from) = read.rebuilt(shown, &parts);
                let blocks: BTreeMap<String, &RawValue> = serde_json::from_str(&whole).unwrap();
                assert_eq!(items(blocks["content"].get()).unwrap().len(), from.len(), "{whole}");
            }
            assert!(serde_json::from_str::<&RawValue>(&read.whole()).is_ok(), "{result}");
            let _ = Shown::parts(shown, parts);
        }
    }

    /// A block of any kind, spelt in any way.
    fn any_block() -> impl Strategy<Value = String> {
        let spaces = "[ \n\t]{0,2}";
        (0..7_usize, any::<String>(), spaces, any::<f64>()).prop_map(
            |(kind, text, space, number)| {
                let text = Value::from(text);
                let members = match kind {
                    0 => format!(r#""type":{space}"text","text":{text}"#),
                    1 => format!(r#""type":"image",{space}"data":"QUJD","mimeType":{text}"#),
                    2 => format!(r#""type":"audio","data":"QUJD","x":{number}"#),
                    3 => format!(
                        r#""type":"resource","resource":{{{space}"uri":{text},"text":{text}}}"#
                    ),
                    4 => format!(
                        r#""type":"resource","resource":{{"uri":{text},"blob":"QUJD"}}{space}"#
                    ),
                    5 => format!(
                        r#""type":"resource_link","uri":{text},"name":{text},"size":{number}"#
                    ),
                    _ => format!(r#""type":{text},"later":[{number}]"#),
                };
                format!("{{{space}{members}}}")
            },
        )
    }

    proptest! {
        #[test]
        fn blocks_that_are_left_are_the_bytes_that_came(
            blocks in prop::collection::vec((any_block(), any::<bool>()), 0..8),
        ) {
            let content = blocks.iter().map(|(block, _)| block.as_str()).collect::<Vec<_>>().join(" ,");
            let result = format!(r#"{{"_meta":{{"a":1.0}}, "content": [{content} ],"isError":false}}"#);
            let read = McpResult::read(&result);
            let (parts, _) = read.parts();
            prop_assert_eq!(parts.len(), blocks.len());
            prop_assert_eq!(read.whole(), result.as_str());
            let shown: Vec<Shown> = blocks.iter().enumerate().map(|(at, (_, is_left))| match is_left {
                true => Shown::Left(at),
                false => Shown::Text(format!("text {at}")),
            }).collect();
            let (whole, from) = read.rebuilt(&shown, &parts);
            let members: BTreeMap<String, &RawValue> = serde_json::from_str(&whole).unwrap();
            let after = items(members["content"].get()).unwrap();
            prop_assert_eq!(after.len(), from.len());
            for (block, at) in after.iter().zip(&from) {
                if let Some(at) = at {
                    prop_assert!(blocks[*at].1);
                    prop_assert_eq!(block.get(), blocks[*at].0.as_str());
                }
            }
            prop_assert_eq!(from.iter().flatten().count(), blocks.iter().filter(|one| one.1).count());
        }
    }
}
