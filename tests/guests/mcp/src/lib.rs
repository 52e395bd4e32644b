//! A small MCP server: results of all kinds, and as many tools as the header `x-tools` or the variable `TOOLS` says, 100
//! a page.
#![cfg(target_family = "wasm")]

mod bindings;

use bindings::exports::wasmcp::mcp_v20251125::server_handler::{Guest, MessageContext};
use bindings::wasmcp::mcp_v20251125::mcp as m;
use m::{ClientMessage, ClientRequest, ErrorCode, ServerResult};
use serde_json::{Value, json};
use wasip2::filesystem::preopens::get_directories;
use wasip2::filesystem::types::{DescriptorFlags, OpenFlags, PathFlags};

struct Server;

type Answer = Result<ServerResult, ErrorCode>;

/// Tools with a result of their own, each with its arguments.
const TOOLS: [(&str, &str); 11] = [
    ("say", "text"),
    ("log", "lines"),
    ("rows", "lines"),
    ("picture", "lines"),
    ("stream", "lines"),
    ("break", "lines"),
    ("note", "text"),
    ("wrong", "text"),
    ("fail", "text"),
    ("trap", "text"),
    ("given", "text"),
];

impl Guest for Server {
    fn handle(context: MessageContext<'_>, message: ClientMessage) -> Option<Answer> {
        let ClientMessage::Request((_, request)) = message else { return None };
        Some(match request {
            ClientRequest::Initialize(request) => Ok(greeting(request.protocol_version)),
            ClientRequest::ToolsList(request) => Ok(list(&context, request.cursor)),
            ClientRequest::ToolsCall(request) => call(&context, &request),
            ClientRequest::ResourcesList(_) => Ok(ServerResult::ResourcesList(resources())),
            ClientRequest::ResourcesRead(request) => {
                let text = m::TextData::Text(lines(9000));
                let text = m::TextResourceContents { uri: request.uri, text, options: None };
                let contents = vec![m::ResourceContents::Text(text)];
                Ok(ServerResult::ResourcesRead(m::ReadResourceResult { meta: None, contents }))
            }
            ClientRequest::PromptsList(_) => {
                let prompts = vec![m::Prompt { name: "greet".to_owned(), options: None }];
                let list = m::ListPromptsResult { meta: None, next_cursor: None, prompts };
                Ok(ServerResult::PromptsList(list))
            }
            ClientRequest::PromptsGet(_) => {
                let (content, role) = (text(lines(9000)), m::Role::User);
                let messages = vec![m::PromptMessage { content, role }];
                let prompt = m::GetPromptResult { meta: None, description: None, messages };
                Ok(ServerResult::PromptsGet(prompt))
            }
            ClientRequest::CompletionComplete(request) => {
                let values = vec![format!("{}ing", request.argument.value)];
                let done = m::CompleteResult { meta: None, has_more: None, total: Some(1), values };
                Ok(ServerResult::CompletionComplete(done))
            }
            ClientRequest::LoggingSetLevel(_) => Ok(ServerResult::LoggingSetLevel),
            ClientRequest::Ping(_) => Ok(ServerResult::Ping),
            _ => Err(ErrorCode::MethodNotFound(error(-32601, "no such method"))),
        })
    }
}

fn greeting(protocol_version: m::ProtocolVersion) -> ServerResult {
    ServerResult::Initialize(m::InitializeResult {
        meta: None,
        server_info: m::Implementation {
            name: "small".to_owned(),
            title: None,
            version: "1".to_owned(),
            description: None,
            icons: None,
        },
        capabilities: m::ServerCapabilities {
            completions: Some("{}".to_owned()),
            experimental: None,
            logging: Some("{}".to_owned()),
            list_changed: Some(
                m::ServerLists::TOOLS | m::ServerLists::RESOURCES | m::ServerLists::PROMPTS,
            ),
            subscriptions: None,
        },
        protocol_version,
        options: None,
    })
}

fn list(context: &MessageContext<'_>, cursor: Option<String>) -> ServerResult {
    let headers = context.http_context.iter().flat_map(|http| &http.headers);
    let asked =
        headers.filter(|(name, _)| name == "x-tools").map(|(_, count)| count.clone()).next();
    let asked = asked.or_else(|| std::env::var("TOOLS").ok());
    let count: usize = asked.and_then(|count| count.parse().ok()).unwrap_or(TOOLS.len());
    let start = cursor.and_then(|cursor| cursor.parse().ok()).unwrap_or(0);
    let end = count.min(start + 100);
    let next_cursor = (end < count).then(|| end.to_string());
    let tools = (start..end).map(tool).collect();
    ServerResult::ToolsList(m::ListToolsResult { meta: None, next_cursor, tools })
}

/// The tool at this place: one of those above, or one of very many.
fn tool(at: usize) -> m::Tool {
    let (name, argument, description) = match TOOLS.get(at) {
        Some((name, argument)) => ((*name).to_owned(), *argument, format!("Gives a {name}.")),
        None => {
            let about = format!(
                "Counts the things of kind {at} in a drawer of the cupboard. {}",
                "Slowly. ".repeat(30)
            );
            (format!("count_{at}"), "drawer", about)
        }
    };
    let kind = if argument == "lines" { "integer" } else { "string" };
    let schema = json!({ "type": "object", "properties": { argument: { "type": kind } }, "required": [argument] });
    let output_schema = (name == "rows").then(|| json!({ "type": "object" }).to_string());
    m::Tool {
        name,
        input_schema: schema.to_string(),
        options: Some(m::ToolOptions {
            meta: Some(r#"{"kept": true}"#.to_owned()),
            annotations: None,
            description: Some(description),
            output_schema,
            title: None,
            icons: None,
        }),
    }
}

fn call(context: &MessageContext<'_>, request: &m::CallToolRequest) -> Answer {
    let given: Value = request
        .arguments
        .as_deref()
        .and_then(|text| serde_json::from_str(text).ok())
        .unwrap_or_default();
    let count = given["lines"].as_u64().unwrap_or(3);
    let said = given["text"].as_str().or(given["drawer"].as_str()).unwrap_or("all is well");
    let (mut structured_content, mut is_error) = (None, None);
    let content = match request.name.as_str() {
        "say" => vec![text(said.to_owned())],
        "log" => vec![text(lines(count))],
        "rows" => {
            let rows: Vec<Value> =
                (1..=count).map(|n| json!({ "n": n, "mood": "all is well" })).collect();
            let rows = json!({ "rows": rows }).to_string();
            structured_content = Some(rows.clone());
            vec![text(rows)]
        }
        "picture" => {
            let data = m::BlobData::Blob(vec![137, 80, 78, 71]);
            let picture = m::Blob { data, mime_type: "image/png".to_owned(), options: None };
            vec![m::ContentBlock::Image(picture), text(lines(count))]
        }
        "stream" => vec![streamed(&lines(count), DescriptorFlags::READ)],
        "break" => vec![streamed(&lines(count), DescriptorFlags::WRITE)],
        "note" => {
            if let Some(stream) = context.client_stream {
                let _ = stream.blocking_write_and_flush(said.as_bytes());
            }
            vec![text("noted".to_owned())]
        }
        "wrong" => {
            is_error = Some(true);
            vec![text(said.to_owned())]
        }
        "fail" => return Err(ErrorCode::InternalError(error(-32603, said))),
        "trap" => unreachable!("it was asked for"),
        name if name.starts_with("count_") => vec![text(format!("{name}: {said}"))],
        "given" => vec![text(request.arguments.clone().unwrap_or_default())],
        name => return Err(ErrorCode::InvalidParams(error(-32602, &format!("no tool {name}")))),
    };
    let meta = Some(r#"{"of": "the result"}"#.to_owned());
    Ok(ServerResult::ToolsCall(m::CallToolResult { meta, content, is_error, structured_content }))
}

fn resources() -> m::ListResourcesResult {
    let resources = vec![m::McpResource {
        uri: "file:///log".to_owned(),
        name: "log".to_owned(),
        options: None,
    }];
    m::ListResourcesResult { meta: None, next_cursor: None, resources }
}

/// A log in which one line is wrong.
fn lines(count: u64) -> String {
    let said = |n| if n == 4321 { "error: disk is full" } else { "all is well" };
    (1..=count).map(|n| format!("{n}: {}\n", said(n))).collect()
}

fn text(text: String) -> m::ContentBlock {
    let audience = Some(vec![m::Role::Assistant]);
    let annotations = Some(m::Annotations { audience, last_modified: None, priority: Some(0.5) });
    let options = Some(m::ContentOptions { annotations, meta: None });
    m::ContentBlock::Text(m::TextContent { text: m::TextData::Text(text), options })
}

/// A text as a stream of the file in which it stands. A file that is open for writing alone cannot be read.
fn streamed(text: &str, flags: DescriptorFlags) -> m::ContentBlock {
    let name = format!("stream-{}", text.len());
    let stream = get_directories().pop().and_then(|(directory, _)| {
        let follow = PathFlags::empty();
        let open = |how, flags| directory.open_at(follow, &name, how, flags).ok();
        let file = open(OpenFlags::CREATE | OpenFlags::TRUNCATE, DescriptorFlags::WRITE)?;
        let mut at = 0;
        while at < text.len() {
            at += usize::try_from(file.write(&text.as_bytes()[at..], at as u64).ok()?).ok()?;
        }
        open(OpenFlags::empty(), flags)?.read_via_stream(0).ok()
    });
    let text = match stream {
        Some(stream) => m::TextData::TextStream(bindings::stream(stream)),
        None => m::TextData::Text("there is no directory".to_owned()),
    };
    m::ContentBlock::Text(m::TextContent { text, options: None })
}

fn error(code: i64, message: &str) -> m::Error {
    m::Error { code, message: message.to_owned(), data: None }
}
