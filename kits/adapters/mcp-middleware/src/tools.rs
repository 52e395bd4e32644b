//! The list of tools: as the server gives it, or a search over it.

use serde_json::Value;

use crate::bindings::wasmcp::mcp_v20251125::mcp::*;
use crate::bindings::weir::plugin::json as weir;
use crate::results::{answer, text_block};
use crate::session::READER;
use crate::{Answer, Server, value};

/// Pages of a list that are asked for.
const PAGES: usize = 100;

/// What `tools/list` answers.
pub(crate) fn listed(server: &Server<'_>, cursor: Option<String>) -> Answer {
    let is_first = cursor.is_none();
    let mut list = match page(server, cursor) {
        Ok(list) => list,
        Err(other) => return other,
    };
    if is_first {
        if let Some((_, shown)) = all_of(server, &list).and_then(|all| bridge(&all)) {
            list.tools = shown;
            list.next_cursor = None;
        }
        // Without a directory there is nothing to read.
        if value(&weir::status()).get("error").is_none() {
            list.tools.extend(typed(&weir::result_tools()));
        }
    }
    Some(Ok(ServerResult::ToolsList(list)))
}

/// A call of a bridge tool: answered here, or by the tools that it calls. Where the list is short, such a tool is the
/// server's own matter.
pub(crate) fn bridged(server: &Server<'_>, request: CallToolRequest) -> Answer {
    let all = page(server, None).ok().and_then(|first| all_of(server, &first));
    let Some((catalog, _)) = all.and_then(|all| bridge(&all)) else {
        return server.call(request);
    };
    let arguments = request.arguments.as_deref().unwrap_or("{}");
    let told = value(&weir::invoke_bridge(catalog, &request.name, arguments, ""));
    let Some(calls) = told["calls"].as_array() else {
        let text = told["result"]["content"][0]["text"].as_str();
        let text = text.or(told["error"]["message"].as_str()).unwrap_or_default().to_owned();
        let is_error = told["result"]["isError"] != false;
        return Some(Ok(answer(vec![text_block(text, None)], is_error)));
    };
    let requests = calls.iter().map(|call| CallToolRequest {
        name: call["name"].as_str().unwrap_or_default().to_owned(),
        arguments: Some(call["arguments"].to_string()),
    });
    let mut requests: Vec<_> = requests.collect();
    match requests.len() {
        1 => server.call(requests.remove(0)),
        _ => Some(Ok(in_turn(server, requests))),
    }
}

/// Several calls one after the other, and their results as one.
fn in_turn(server: &Server<'_>, requests: Vec<CallToolRequest>) -> ServerResult {
    let count = requests.len();
    let (mut blocks, mut failed) = (Vec::new(), 0);
    for (at, request) in requests.into_iter().enumerate() {
        let title = format!("{} of {count}: {}", at + 1, request.name);
        let (content, is_error) = match server.call(request) {
            Some(Ok(ServerResult::ToolsCall(result))) => {
                let structured = result.structured_content.filter(|_| result.content.is_empty());
                let structured = structured.map(|text| text_block(text, None));
                let content = result.content.into_iter().chain(structured).collect();
                (content, result.is_error == Some(true))
            }
            other => (vec![text_block(format!("the server answered {other:?}"), None)], true),
        };
        failed += usize::from(is_error);
        let mark = if is_error { " (error)" } else { "" };
        blocks.push(text_block(format!("{title}{mark}"), None));
        blocks.extend(content);
    }
    answer(blocks, failed == count)
}

/// A page of the server's tools, without the schemas of their results: clients hold `structuredContent` against them,
/// which an excerpt does not have. The reading tool's name is ours.
fn page(server: &Server<'_>, cursor: Option<String>) -> Result<ListToolsResult, Answer> {
    let mut page = match server.ask(ClientRequest::ToolsList(ListToolsRequest { cursor })) {
        Some(Ok(ServerResult::ToolsList(page))) => page,
        other => return Err(other),
    };
    page.tools.retain(|tool| tool.name != READER);
    for options in page.tools.iter_mut().filter_map(|tool| tool.options.as_mut()) {
        options.output_schema = None;
    }
    Ok(page)
}

/// All tools of the server; none where its list has no end or a page fails.
fn all_of(server: &Server<'_>, first: &ListToolsResult) -> Option<Vec<Tool>> {
    let (mut all, mut cursor) = (first.tools.clone(), first.next_cursor.clone());
    for _ in 0..PAGES {
        let Some(next) = cursor else { return Some(all) };
        let page = page(server, Some(next)).ok()?;
        all.extend(page.tools);
        cursor = page.next_cursor;
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

/// What a search needs to know of a tool. A schema that is not JSON spoils the list, which then stays as it is.
fn tool_json(tool: &Tool) -> String {
    let said = tool.options.as_ref();
    let title = said.and_then(|said| said.title.as_deref()).unwrap_or_default();
    let description = said.and_then(|said| said.description.as_deref()).unwrap_or_default();
    let [name, title, description] = [&tool.name, title, description].map(Value::from);
    let schema = &tool.input_schema;
    format!(
        r#"{{"name":{name},"title":{title},"description":{description},"inputSchema":{schema}}}"#
    )
}

/// The tools of a JSON list.
fn typed(list: &str) -> Vec<Tool> {
    let list = value(list);
    let tools = list["tools"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let tools = tools.map(|tool| {
        let hints = ["readOnlyHint", "destructiveHint", "idempotentHint", "openWorldHint"];
        let [read_only_hint, destructive_hint, idempotent_hint, open_world_hint] =
            hints.map(|name| tool["annotations"][name].as_bool());
        let (meta, title, output_schema, icons) = (None, None, None, None);
        let annotations = Some(ToolAnnotations {
            title: None,
            read_only_hint,
            destructive_hint,
            idempotent_hint,
            open_world_hint,
        });
        let text = |name: &str| tool[name].as_str().unwrap_or_default().to_owned();
        let (name, description) = (text("name"), Some(text("description")));
        let options = ToolOptions { meta, annotations, description, output_schema, title, icons };
        Tool { name, input_schema: tool["inputSchema"].to_string(), options: Some(options) }
    });
    tools.collect()
}
