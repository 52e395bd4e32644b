//! The list of tools: as the server gives it, or a search over it.

use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::bindings::wasmcp::mcp_v20251125::mcp::{
    CallToolRequest, CallToolResult, ClientRequest, ContentBlock, ErrorCode, ListToolsRequest,
    ListToolsResult, RequestId, ServerResult, Tool, ToolAnnotations, ToolOptions,
};
use crate::bindings::weir::plugin::json as weir;
use crate::results::text_block;
use crate::session::{READER, Session};
use crate::{Answer, Server};

/// Pages of a list that are asked for.
const PAGES: usize = 100;

/// Whether a tool is one of those that stand for a long list.
pub(crate) fn is_bridge(name: &str) -> bool {
    matches!(name, "tool_search" | "tool_describe" | "tool_call")
}

/// What `tools/list` answers.
pub(crate) fn listed(server: &Server<'_>, id: &RequestId, request: ListToolsRequest) -> Answer {
    let is_first = request.cursor.is_none();
    let first = match server.ask(id, ClientRequest::ToolsList(request)) {
        Some(Ok(ServerResult::ToolsList(first))) => first,
        other => return other,
    };
    let mut list = ListToolsResult { tools: without_outputs(first.tools), ..first };
    if is_first {
        let all = all_of(server, id, &list);
        if let Some((_, shown)) = all.and_then(|all| bridge(&all)) {
            list.tools = shown;
            list.next_cursor = None;
        }
        if has_store() {
            list.tools.extend(typed(&weir::result_tools()));
        }
    }
    Some(Ok(ServerResult::ToolsList(list)))
}

/// A call of a bridge tool: answered here, or by the tools that it calls. Where the list is short, such a tool is the
/// server's own matter.
pub(crate) fn bridged(
    server: &Server<'_>,
    session: &Session,
    id: &RequestId,
    request: CallToolRequest,
) -> Answer {
    let first = server.ask(id, ClientRequest::ToolsList(ListToolsRequest { cursor: None }));
    let all = match first {
        Some(Ok(ServerResult::ToolsList(first))) => all_of(server, id, &first),
        _ => None,
    };
    let Some((catalog, _)) = all.and_then(|all| bridge(&all)) else {
        return server.call(session, id, request);
    };
    let arguments = request.arguments.as_deref().unwrap_or("{}");
    let answer = value(&weir::invoke_bridge(catalog, &request.name, arguments, ""));
    let Some(calls) = answer["calls"].as_array() else {
        let text = answer["result"]["content"][0]["text"].as_str();
        let text = text.or(answer["error"]["message"].as_str()).unwrap_or_default().to_owned();
        let is_error = answer["result"]["isError"] != false;
        return Some(Ok(result(vec![text_block(text, None)], is_error)));
    };
    let mut requests: Vec<CallToolRequest> = calls
        .iter()
        .map(|call| CallToolRequest {
            name: call["name"].as_str().unwrap_or_default().to_owned(),
            arguments: Some(call["arguments"].to_string()),
        })
        .collect();
    match requests.len() {
        1 => server.call(session, id, requests.remove(0)),
        _ => Some(Ok(in_turn(server, session, id, requests))),
    }
}

/// Several calls one after the other, and their results as one.
fn in_turn(
    server: &Server<'_>,
    session: &Session,
    id: &RequestId,
    requests: Vec<CallToolRequest>,
) -> ServerResult {
    let count = requests.len();
    let (mut blocks, mut failed) = (Vec::new(), 0);
    for (at, request) in requests.into_iter().enumerate() {
        let name = request.name.clone();
        let (content, is_error) = match server.call(session, id, request) {
            Some(Ok(ServerResult::ToolsCall(result))) => {
                let structured = result.structured_content.filter(|_| result.content.is_empty());
                let structured = structured.map(|text| text_block(text, None));
                (
                    result.content.into_iter().chain(structured).collect(),
                    result.is_error == Some(true),
                )
            }
            Some(Err(error)) => (vec![text_block(message(&error), None)], true),
            _ => (vec![text_block("the server gave no result".to_owned(), None)], true),
        };
        failed += usize::from(is_error);
        let mark = if is_error { " (error)" } else { "" };
        blocks.push(text_block(format!("{} of {count}: {name}{mark}", at + 1), None));
        blocks.extend(content);
    }
    result(blocks, failed == count)
}

fn message(error: &ErrorCode) -> String {
    let (ErrorCode::ParseError(error)
    | ErrorCode::InvalidRequest(error)
    | ErrorCode::MethodNotFound(error)
    | ErrorCode::InvalidParams(error)
    | ErrorCode::InternalError(error)
    | ErrorCode::Server(error)
    | ErrorCode::JsonRpc(error)
    | ErrorCode::Mcp(error)) = error;
    format!("the server answered with an error: {}", error.message)
}

fn result(content: Vec<ContentBlock>, is_error: bool) -> ServerResult {
    ServerResult::ToolsCall(CallToolResult {
        meta: None,
        content,
        is_error: Some(is_error),
        structured_content: None,
    })
}

/// All tools of the server; none where its list has no end or a page fails.
fn all_of(server: &Server<'_>, id: &RequestId, first: &ListToolsResult) -> Option<Vec<Tool>> {
    let (mut all, mut cursor) = (first.tools.clone(), first.next_cursor.clone());
    for _ in 0..PAGES {
        let Some(next) = cursor else { return Some(all) };
        let request = ClientRequest::ToolsList(ListToolsRequest { cursor: Some(next) });
        match server.ask(id, request) {
            Some(Ok(ServerResult::ToolsList(page))) => {
                all.extend(without_outputs(page.tools));
                cursor = page.next_cursor;
            }
            _ => return None,
        }
    }
    None
}

/// A catalog of these tools, and what stands in their place; none where they are shown themselves.
fn bridge(tools: &[Tool]) -> Option<(u32, Vec<Tool>)> {
    let list: Vec<String> = tools.iter().map(tool_json).collect();
    let opened = value(&weir::open_catalog(&format!("{{\"tools\":[{}]}}", list.join(","))));
    let catalog = u32::try_from(opened["catalog"].as_u64()?).ok()?;
    let assembly = weir::assemble(catalog, "");
    if value(&assembly)["active"] != true {
        weir::drop_catalog(catalog);
        return None;
    }
    let own = |tool: Tool| tools.iter().find(|own| own.name == tool.name).cloned().unwrap_or(tool);
    Some((catalog, typed(&assembly).into_iter().map(own).collect()))
}

/// Whether results can be stored: the host gives a directory.
fn has_store() -> bool {
    value(&weir::status()).get("error").is_none()
}

/// Tools without the schemas of their results: clients hold `structuredContent` against them, which an excerpt does not
/// have. The reading tool's name is ours.
fn without_outputs(mut tools: Vec<Tool>) -> Vec<Tool> {
    tools.retain(|tool| tool.name != READER);
    for options in tools.iter_mut().filter_map(|tool| tool.options.as_mut()) {
        options.output_schema = None;
    }
    tools
}

fn tool_json(tool: &Tool) -> String {
    let mut about = json!({ "name": tool.name });
    if let Some(options) = &tool.options {
        about["description"] = options.description.as_deref().unwrap_or_default().into();
        let of = options.annotations.as_ref();
        if let Some(title) = options.title.as_ref().or(of.and_then(|of| of.title.as_ref())) {
            about["title"] = title.as_str().into();
        }
        let hints = of.map(|of| {
            json!({
                "readOnlyHint": of.read_only_hint, "destructiveHint": of.destructive_hint,
                "idempotentHint": of.idempotent_hint, "openWorldHint": of.open_world_hint,
            })
        });
        if let Some(Value::Object(mut hints)) = hints {
            hints.retain(|_, claim| !claim.is_null());
            about["annotations"] = hints.into();
        }
    }
    let is_json = serde_json::from_str::<&RawValue>(&tool.input_schema).is_ok();
    let schema = if is_json { tool.input_schema.as_str() } else { "{}" };
    let about = about.to_string();
    format!("{},\"inputSchema\":{schema}}}", about.strip_suffix('}').unwrap_or(&about))
}

/// The tools of a JSON list.
fn typed(list: &str) -> Vec<Tool> {
    let list = value(list);
    let tools = list["tools"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let tools = tools.map(|tool| {
        let hint = |name: &str| tool["annotations"][name].as_bool();
        let annotations = tool["annotations"].is_object().then(|| ToolAnnotations {
            title: None,
            read_only_hint: hint("readOnlyHint"),
            destructive_hint: hint("destructiveHint"),
            idempotent_hint: hint("idempotentHint"),
            open_world_hint: hint("openWorldHint"),
        });
        Tool {
            name: tool["name"].as_str().unwrap_or_default().to_owned(),
            input_schema: tool["inputSchema"].to_string(),
            options: Some(ToolOptions {
                meta: None,
                annotations,
                description: tool["description"].as_str().map(str::to_owned),
                output_schema: None,
                title: None,
                icons: None,
            }),
        }
    });
    tools.collect()
}

fn value(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}
