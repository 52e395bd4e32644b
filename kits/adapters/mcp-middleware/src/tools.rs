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
        Err(other) => return *other,
    };
    if is_first {
        let all = all_of(server, &list);
        if let Some(shown) = all.and_then(|all| bridge(&all, |_, shown| typed(shown, &all))) {
            list.tools = shown;
            list.next_cursor = None;
        }
        // Without a directory there is nothing to read.
        if value(&weir::status()).get("error").is_none() {
            list.tools.extend(typed(&weir::result_tools(), &[]));
        }
    }
    Some(Ok(ServerResult::ToolsList(list)))
}

/// A call of a bridge tool: answered here, or by the tools that it calls. Where the list is short, such a tool is the
/// server's own matter.
pub(crate) fn bridged(server: &Server<'_>, request: CallToolRequest) -> Answer {
    let all = page(server, None).ok().and_then(|first| all_of(server, &first));
    let arguments = request.arguments.as_deref().unwrap_or("{}");
    let ask = |catalog, _: &str| weir::invoke_bridge(catalog, &request.name, arguments, "");
    let Some(told) = all.and_then(|all| bridge(&all, ask)) else { return server.call(request) };
    let told = value(&told);
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
    in_turn(server, requests.collect())
}

/// What one call answers; of several, one after the other, their results as one.
fn in_turn(server: &Server<'_>, requests: Vec<CallToolRequest>) -> Answer {
    let count = requests.len();
    let (mut blocks, mut failed) = (Vec::new(), 0);
    for (at, request) in requests.into_iter().enumerate() {
        if count == 1 {
            return server.call(request);
        }
        let title = format!("{} of {count}: {}", at + 1, request.name);
        let (content, is_error) = match server.call(request) {
            Some(Ok(ServerResult::ToolsCall(result))) => {
                let structured = result.structured_content.filter(|_| result.content.is_empty());
                let structured = structured.map(|text| text_block(text, None));
                let content = result.content.into_iter().chain(structured).collect();
                (content, result.is_error == Some(true))
            }
            other => (vec![text_block(message(other), None)], true),
        };
        failed += usize::from(is_error);
        let mark = if is_error { " (error)" } else { "" };
        blocks.push(text_block(format!("{title}{mark}"), None));
        blocks.extend(content);
    }
    Some(Ok(answer(blocks, failed == count)))
}

/// Why a call has no result.
fn message(answer: Answer) -> String {
    use ErrorCode as E;
    let Some(Err(
        E::ParseError(of)
        | E::InvalidRequest(of)
        | E::MethodNotFound(of)
        | E::InvalidParams(of)
        | E::InternalError(of)
        | E::Server(of)
        | E::JsonRpc(of)
        | E::Mcp(of),
    )) = answer
    else {
        return "the server answered nothing".to_owned();
    };
    format!("the server answered with an error: {}", of.message)
}

/// A page of the server's tools, without the schemas of their results: clients hold `structuredContent` against them,
/// which an excerpt does not have. The reading tool's name is ours.
fn page(server: &Server<'_>, cursor: Option<String>) -> Result<ListToolsResult, Box<Answer>> {
    let mut page = match server.ask(ClientRequest::ToolsList(ListToolsRequest { cursor })) {
        Some(Ok(ServerResult::ToolsList(page))) => page,
        other => return Err(Box::new(other)),
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

/// What is made of a catalog of these tools and of the answer that has what stands in their place; none where they are
/// shown themselves.
fn bridge<T>(tools: &[Tool], make: impl FnOnce(u32, &str) -> T) -> Option<T> {
    let list: Vec<String> = tools.iter().map(tool_json).collect();
    let opened = value(&weir::open_catalog(&format!("{{\"tools\":[{}]}}", list.join(","))));
    let catalog = u32::try_from(opened["catalog"].as_u64()?).ok()?;
    let assembly = weir::assemble(catalog, "");
    let made = (value(&assembly)["active"] == true).then(|| make(catalog, &assembly));
    weir::drop_catalog(catalog);
    made
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

/// The tools of a JSON list; where the server has one of that name, as it gave it.
fn typed(list: &str, own: &[Tool]) -> Vec<Tool> {
    let list = value(list);
    let tools = list["tools"].as_array().map_or(&[][..], Vec::as_slice).iter();
    let tools = tools.map(|tool| {
        let text = |name: &str| tool[name].as_str().unwrap_or_default().to_owned();
        let (name, description) = (text("name"), Some(text("description")));
        if let Some(own) = own.iter().find(|own| own.name == name) {
            return own.clone();
        }
        let hint = |name: &str| tool["annotations"][name].as_bool();
        let (meta, title, output_schema, icons) = (None, None, None, None);
        let annotations = Some(ToolAnnotations {
            title: None,
            read_only_hint: hint("readOnlyHint"),
            destructive_hint: hint("destructiveHint"),
            idempotent_hint: hint("idempotentHint"),
            open_world_hint: hint("openWorldHint"),
        });
        let options = ToolOptions { meta, annotations, description, output_schema, title, icons };
        Tool { name, input_schema: tool["inputSchema"].to_string(), options: Some(options) }
    });
    tools.collect()
}
