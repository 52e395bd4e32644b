//! A result of `tools/call`: typed blocks to JSON for the component, and back what it makes of them.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::bindings::wasi::io::streams::{InputStream, StreamError};
use crate::bindings::wasmcp::mcp_v20251125::mcp::{
    Blob, BlobData, CallToolRequest, CallToolResult, ContentBlock, ContentOptions,
    ResourceContents, TextContent, TextData,
};
use crate::bindings::weir::plugin::json as weir;
use crate::session::{Session, keyed};

/// Bytes that are read of a stream: as many as wasmcp's own transport takes.
const STREAM_BYTES: usize = 50 * 1024 * 1024;

/// Bytes that are asked of a stream at once.
const CHUNK_BYTES: u64 = 64 * 1024;

/// The result as the client gets it.
pub(crate) fn replaced(
    session: &Session,
    request: &CallToolRequest,
    mut result: CallToolResult,
) -> CallToolResult {
    let broken = read_streams(&mut result.content);
    let (name, key) = session.begin();
    let mut call = json!({ "session": name, "tool": request.name, "alreadyCut": broken.is_some() });
    if let Some(arguments) = &request.arguments {
        call["arguments"] = arguments.as_str().into();
    }
    let answer = weir::transform(&call.to_string(), &as_json(&result));
    let answer: Value = serde_json::from_str(&answer).unwrap_or_default();
    // What is only cut because it could not be stored passes whole.
    let stays = answer["replaced"] != true || answer["reason"] == "cut";
    let why = answer["storeFailure"].as_str().or(answer["error"]["message"].as_str());
    if stays {
        let lost = why.map(|why| format!("this result is not stored, and passes whole: {why}"));
        let notes = [broken, lost].into_iter().flatten();
        result.content.extend(notes.map(|note| text_block(format!("[weir: {note}]"), None)));
        return result;
    }
    let ids = answer["handles"].as_array().into_iter().flatten();
    let ids: Vec<String> = ids.filter_map(|one| one["id"].as_str().map(str::to_owned)).collect();
    let mut came: Vec<Option<ContentBlock>> = result.content.into_iter().map(Some).collect();
    let shown = answer["result"]["content"].as_array().map_or(&[][..], Vec::as_slice);
    let from = |at: usize| {
        answer["blocks"][at]["from"].as_u64().and_then(|from| usize::try_from(from).ok())
    };
    // What was said of a block stays on the text in its place.
    let same = shown.len() == came.len();
    let blocks = shown.iter().enumerate().filter_map(|(at, block)| match from(at) {
        Some(from) => came.get_mut(from)?.take(),
        None => {
            let text = block["text"].as_str()?;
            let text = key.as_ref().map_or_else(|| text.to_owned(), |key| keyed(text, &ids, key));
            let said = came.get(at).filter(|_| same).and_then(Option::as_ref);
            Some(text_block(text, said.and_then(options)))
        }
    });
    CallToolResult { content: blocks.collect(), structured_content: None, ..result }
}

/// A block of text.
pub(crate) fn text_block(text: String, options: Option<ContentOptions>) -> ContentBlock {
    ContentBlock::Text(TextContent { text: TextData::Text(text), options })
}

fn options(block: &ContentBlock) -> Option<ContentOptions> {
    match block {
        ContentBlock::Text(of) => of.options.clone(),
        ContentBlock::Image(of) | ContentBlock::Audio(of) => of.options.clone(),
        ContentBlock::EmbeddedResource(of) => of.options.clone(),
        ContentBlock::ResourceLink(_) => None,
    }
}

/// Puts text in the place of streams of text, which can be read once. Answers what is missing of one that broke off.
fn read_streams(blocks: &mut [ContentBlock]) -> Option<String> {
    let mut broken = None;
    for block in blocks {
        let data = match block {
            ContentBlock::Text(content) => &mut content.text,
            ContentBlock::EmbeddedResource(content) => match &mut content.resource {
                ResourceContents::Text(text) => &mut text.text,
                ResourceContents::Blob(_) => continue,
            },
            _ => continue,
        };
        if let TextData::TextStream(stream) = data {
            let (text, why) = read(stream);
            *data = TextData::Text(text);
            broken = broken.or(why);
        }
    }
    broken
}

/// The text of a stream to its end, or to where it breaks off and why.
fn read(stream: &InputStream) -> (String, Option<String>) {
    let mut bytes = Vec::new();
    let why = loop {
        if bytes.len() >= STREAM_BYTES {
            break Some("was longer than 50 MiB");
        }
        match stream.blocking_read(CHUNK_BYTES) {
            Ok(chunk) => bytes.extend_from_slice(&chunk),
            Err(StreamError::Closed) => break None,
            Err(StreamError::LastOperationFailed(_)) => break Some("broke off"),
        }
    };
    let why =
        why.map(|why| format!("the server's text {why}, this is its first {} bytes", bytes.len()));
    let text = match String::from_utf8(bytes) {
        Ok(text) => text,
        Err(error) => String::from_utf8_lossy(error.as_bytes()).into_owned(),
    };
    (text, why)
}

/// A result as MCP writes it.
fn as_json(result: &CallToolResult) -> String {
    let blocks: Vec<String> =
        result.content.iter().map(|block| block_json(block).to_string()).collect();
    let mut text = format!("{{\"content\":[{}]", blocks.join(","));
    if let Some(is_error) = result.is_error {
        text.push_str(&format!(",\"isError\":{is_error}"));
    }
    let structured = result.structured_content.as_deref();
    if let Some(raw) = structured.filter(|raw| serde_json::from_str::<&RawValue>(raw).is_ok()) {
        text.push_str(",\"structuredContent\":");
        text.push_str(raw);
    }
    text.push('}');
    text
}

fn block_json(block: &ContentBlock) -> Value {
    let binary = |kind: &str, of: &Blob| json!({ "type": kind, "data": base64(&of.data), "mimeType": of.mime_type });
    match block {
        ContentBlock::Text(of) => json!({ "type": "text", "text": text(&of.text) }),
        ContentBlock::Image(of) => binary("image", of),
        ContentBlock::Audio(of) => binary("audio", of),
        ContentBlock::ResourceLink(of) => {
            let mut link = json!({ "type": "resource_link", "uri": of.uri, "name": of.name });
            if let Some(more) = &of.options {
                let said = [
                    ("title", &more.title),
                    ("description", &more.description),
                    ("mimeType", &more.mime_type),
                ];
                for (name, value) in said {
                    if let Some(value) = value {
                        link[name] = value.as_str().into();
                    }
                }
            }
            link
        }
        ContentBlock::EmbeddedResource(of) => {
            let (mut resource, options) = match &of.resource {
                ResourceContents::Text(of) => {
                    (json!({ "uri": of.uri, "text": text(&of.text) }), &of.options)
                }
                ResourceContents::Blob(of) => {
                    (json!({ "uri": of.uri, "blob": base64(&of.blob) }), &of.options)
                }
            };
            if let Some(kind) = options.as_ref().and_then(|of| of.mime_type.as_deref()) {
                resource["mimeType"] = kind.into();
            }
            json!({ "type": "resource", "resource": resource })
        }
    }
}

fn text(data: &TextData) -> &str {
    match data {
        TextData::Text(text) => text,
        // All of them have been read.
        TextData::TextStream(_) => "",
    }
}

/// Bytes in base64. Those of a stream are not read: it passes as it is.
fn base64(data: &BlobData) -> String {
    match data {
        BlobData::Blob(bytes) => STANDARD.encode(bytes),
        BlobData::BlobStream(_) => String::new(),
    }
}
