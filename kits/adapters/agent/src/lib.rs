//! The contract's world `agent`: all of Weir in five functions of strings, for hosts that make a tool for a
//! model of every export. Composed with the component into one file, `weir-agent.wasm`.
#![cfg(target_family = "wasm")]

mod bindings;

use std::cell::RefCell;

use bindings::exports::weir::plugin::agent_tools::Guest;
use bindings::weir::plugin::json as weir;
use bindings::weir::plugin::reading::{self, Encoding, Unit, View};
use serde_json::{Value, json};

struct Adapter;

/// What a function answers, or why not: both are for the model.
type Answer = Result<String, String>;

/// Slices of work that one read goes on for. An answer that is then still unfinished says how to go on.
const SLICES: usize = 64;

/// Bytes that a stored catalog may have.
const CATALOG_BYTES: usize = 64 * 1024 * 1024;

thread_local! {
    /// The catalog that was used last: its text or id, and its number.
    static OPEN: RefCell<Option<(String, u32)>> = const { RefCell::new(None) };
}

impl Guest for Adapter {
    fn store_result(session: String, tool: String, tool_result: String) -> String {
        told(|| {
            let call = json!({ "session": session, "tool": tool }).to_string();
            Ok(shown(&answer(&weir::transform(&call, &tool_result))?["result"]))
        })
    }

    fn read_result(session: String, arguments: String) -> String {
        told(|| {
            let mut given = arguments;
            for _ in 1..SLICES {
                let answer = answer(&weir::invoke(&session, "weir_fetch", &given))?;
                match answer["more"].as_str() {
                    Some(more) => given = more.to_owned(),
                    None => return Ok(shown(&answer)),
                }
            }
            Ok(shown(&answer(&weir::invoke(&session, "weir_fetch", &given))?))
        })
    }

    fn search_tools(session: String, catalog: String, query: String) -> String {
        bridge(&session, catalog, "tool_search", &json!({ "query": query }))
    }

    fn describe_tools(session: String, catalog: String, names: String) -> String {
        let names: Vec<&str> =
            names.split(',').map(str::trim).filter(|name| !name.is_empty()).collect();
        bridge(&session, catalog, "tool_describe", &json!({ "names": names }))
    }

    fn call_tool(session: String, catalog: String, name: String, arguments: String) -> String {
        let arguments: Value = match arguments.trim() {
            "" => json!({}),
            // What is no JSON is answered as what a model sent.
            text => serde_json::from_str(text).unwrap_or_else(|_| text.into()),
        };
        bridge(&session, catalog, "tool_call", &json!({ "name": name, "arguments": arguments }))
    }
}

fn told(work: impl FnOnce() -> Answer) -> String {
    work().unwrap_or_else(|why| why)
}

/// What the string interface answered; a refusal in its own words.
fn answer(text: &str) -> Result<Value, String> {
    let answer: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    match answer["error"]["message"].as_str() {
        Some(message) => Err(message.to_owned()),
        None => Ok(answer),
    }
}

/// The text of a result of MCP's `tools/call`; as JSON where it has other parts too.
fn shown(result: &Value) -> String {
    let blocks = result["content"].as_array();
    let texts = blocks.map(|blocks| {
        blocks.iter().map(|block| block["text"].as_str()).collect::<Option<Vec<_>>>()
    });
    match texts.flatten() {
        Some(texts) => texts.join("\n"),
        None => result.to_string(),
    }
}

/// A call of one of the three bridge tools.
fn bridge(session: &str, catalog: String, name: &str, arguments: &Value) -> String {
    told(|| {
        let number = opened(session, catalog)?;
        let given = weir::invoke_bridge(number, name, &arguments.to_string(), "{}");
        let answer = answer(&given)?;
        match answer.get("calls") {
            Some(calls) => Ok(json!({ "calls": calls }).to_string()),
            None => Ok(shown(&answer["result"])),
        }
    })
}

/// The number of a catalog, opened unless it was the last one used.
fn opened(session: &str, catalog: String) -> Result<u32, String> {
    let key = format!("{session}\n{catalog}");
    if let Some(number) = OPEN.with_borrow(|open| {
        open.as_ref().filter(|(last, _)| *last == key).map(|(_, number)| *number)
    }) {
        return Ok(number);
    }
    if let Some((_, number)) = OPEN.take() {
        weir::drop_catalog(number);
    }
    let text = match catalog.trim_start().starts_with(['{', '[']) {
        true => catalog,
        false => stored(session, catalog.trim())?,
    };
    let text = match text.trim_start().starts_with('[') {
        true => format!("{{\"tools\":{text}}}"),
        false => text,
    };
    let number = answer(&weir::open_catalog(&text))?["catalog"].as_u64().unwrap_or_default();
    let number = u32::try_from(number).unwrap_or_default();
    OPEN.set(Some((key, number)));
    Ok(number)
}

/// The text of a stored result, whole.
fn stored(session: &str, id: &str) -> Answer {
    let (mut text, mut more) = (String::new(), None::<String>);
    loop {
        let page = reading::read(session, id, View::Text, Unit::Bytes, 0, None, more.as_deref())
            .map_err(|failure| format!("catalog: {}", failure.message))?;
        if page.encoding != Encoding::Utf8 || text.len() > CATALOG_BYTES {
            return Err(format!("catalog: {id} is no list of tools"));
        }
        text.push_str(&page.content);
        more = page.more;
        if more.is_none() {
            return Ok(text);
        }
    }
}
