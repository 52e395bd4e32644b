//! A result of `tools/call`: its texts to JSON for the component, and back what it makes of them. Pictures, sound, links
//! and binary resources stay what they are.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::bindings::wasi::io::streams::StreamError;
use crate::bindings::wasmcp::mcp_v20251125::mcp::*;
use crate::bindings::weir::plugin::json as weir;
use crate::session::{Session, keyed};
use crate::value;

/// Bytes that are read of a stream: as many as wasmcp's own transport takes.
const STREAM_BYTES: usize = 50 * 1024 * 1024;

/// Bytes that are asked of a stream at once.
const CHUNK_BYTES: u64 = 64 * 1024;

/// Puts an excerpt in the place of a large result.
pub(crate) fn replace(session: &Session, request: &CallToolRequest, result: &mut CallToolResult) {
    // The blocks of text: where they are, and what they say.
    let (mut given, mut texts, mut broken) = (Vec::new(), Vec::new(), None);
    for (at, block) in result.content.iter_mut().enumerate() {
        if let Some(data) = text_of(block) {
            broken = broken.or(read_whole(data));
            if let TextData::Text(text) = data {
                given.push(at);
                texts.push(json!({ "type": "text", "text": text }));
            }
        }
    }
    let (name, key) = session.begin();
    let call = json!({
        "session": name, "tool": request.name, "arguments": request.arguments.as_deref(),
        "alreadyCut": broken.is_some(),
    });
    let (texts, is_error) = (Value::from(texts), result.is_error == Some(true));
    let is_json = |raw: &&str| serde_json::from_str::<&RawValue>(raw).is_ok();
    let structured = result.structured_content.as_deref().filter(is_json).unwrap_or("null");
    let whole =
        format!(r#"{{"content":{texts},"isError":{is_error},"structuredContent":{structured}}}"#);
    let answer = value(&weir::transform(&call.to_string(), &whole));
    // What is cut only because it could not be stored passes whole.
    if answer["replaced"] != true || answer["reason"] == "cut" {
        let why = answer["storeFailure"].as_str().or(answer["error"]["message"].as_str());
        let lost = why.map(|why| format!("this result is not stored, and passes whole: {why}"));
        let notes = [broken, lost].into_iter().flatten();
        result.content.extend(notes.map(|note| text_block(format!("[weir: {note}]"), None)));
        return;
    }
    let mut came: Vec<Option<ContentBlock>> = result.content.drain(..).map(Some).collect();
    let shown = answer["result"]["content"].as_array().map_or(&[][..], Vec::as_slice);
    // Else one text stands for several.
    let is_each = shown.len() == given.len();
    let mut blocks = Vec::new();
    for (at, block) in shown.iter().enumerate() {
        if let Some(from) = answer["blocks"][at]["from"].as_u64() {
            blocks.extend(given.get(from as usize).and_then(|place| came[*place].take()));
            continue;
        }
        let of = given.get(at).and_then(|place| came[*place].as_ref());
        let said = match of {
            Some(ContentBlock::Text(of)) if is_each => of.options.clone(),
            _ => None,
        };
        let mut text = block["text"].as_str().unwrap_or_default().to_owned();
        for id in answer["handles"].as_array().into_iter().flatten() {
            text = keyed(&text, id["id"].as_str().unwrap_or_default(), key.as_deref());
        }
        blocks.push(text_block(text, said));
    }
    given.iter().for_each(|place| came[*place] = None);
    if is_each {
        given.iter().zip(blocks.drain(..)).for_each(|(place, block)| came[*place] = Some(block));
    }
    result.content = blocks.into_iter().chain(came.into_iter().flatten()).collect();
    result.structured_content = None;
}

/// A block of text.
pub(crate) fn text_block(text: String, options: Option<ContentOptions>) -> ContentBlock {
    ContentBlock::Text(TextContent { text: TextData::Text(text), options })
}

/// A result of our own.
pub(crate) fn answer(content: Vec<ContentBlock>, is_error: bool) -> ServerResult {
    let is_error = Some(is_error);
    let (meta, structured_content) = (None, None);
    ServerResult::ToolsCall(CallToolResult { meta, content, is_error, structured_content })
}

/// The text of a block that has one.
fn text_of(block: &mut ContentBlock) -> Option<&mut TextData> {
    match block {
        ContentBlock::Text(content) => Some(&mut content.text),
        ContentBlock::EmbeddedResource(content) => match &mut content.resource {
            ResourceContents::Text(of) => Some(&mut of.text),
            ResourceContents::Blob(_) => None,
        },
        _ => None,
    }
}

/// Puts text in the place of a stream, which can be read once. Answers what is missing of one that broke off.
fn read_whole(data: &mut TextData) -> Option<String> {
    let TextData::TextStream(stream) = data else { return None };
    let mut bytes = Vec::new();
    let why = loop {
        match stream.blocking_read(CHUNK_BYTES) {
            _ if bytes.len() >= STREAM_BYTES => break Some("is longer than 50 MiB"),
            Ok(chunk) => bytes.extend_from_slice(&chunk),
            Err(StreamError::Closed) => break None,
            Err(StreamError::LastOperationFailed(_)) => break Some("broke off"),
        }
    };
    *data = TextData::Text(String::from_utf8_lossy(&bytes).into_owned());
    why.map(|why| format!("the server's text {why}, this is its first {} bytes", bytes.len()))
}
