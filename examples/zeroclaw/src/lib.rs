//! A plugin of ZeroClaw's world `tool-plugin` over the world `agent`: all of Weir as one tool.
#![cfg(target_family = "wasm")]

mod bindings;

use bindings::exports::zeroclaw::plugin::{plugin_info, tool};
use bindings::weir::plugin::agent_tools as weir;
use serde_json::Value;

struct Adapter;

/// A plugin is not told of the conversation: all share one session of the store.
const SESSION: &str = "zeroclaw";

impl plugin_info::Guest for Adapter {
    fn plugin_name() -> String {
        "weir".to_owned()
    }

    fn plugin_version() -> String {
        env!("CARGO_PKG_VERSION").to_owned()
    }
}

impl tool::Guest for Adapter {
    fn name() -> String {
        "weir".to_owned()
    }

    fn description() -> String {
        "Keep a large text out of the context and read parts of it; find, describe and check calls of tools in a \
         large catalog."
            .to_owned()
    }

    fn parameters_schema() -> String {
        include_str!("parameters.json").to_owned()
    }

    fn execute(args: String) -> Result<tool::ToolResult, String> {
        let given: Value = serde_json::from_str(&args).unwrap_or_default();
        let text = |name: &str| match &given[name] {
            Value::String(text) => text.clone(),
            Value::Null => String::new(),
            other => other.to_string(),
        };
        let output = match given["do"].as_str() {
            Some("store") => weir::store_result(SESSION, &text("tool"), &text("result")),
            Some("read") => weir::read_result(SESSION, &text("arguments")),
            Some("search") => weir::search_tools(SESSION, &text("catalog"), &text("query")),
            Some("describe") => weir::describe_tools(SESSION, &text("catalog"), &text("names")),
            Some("call") => {
                let arguments = text("arguments");
                weir::call_tool(SESSION, &text("catalog"), &text("name"), &arguments)
            }
            _ => {
                let error = "`do` must be store, read, search, describe or call".to_owned();
                let output = String::new();
                return Ok(tool::ToolResult { success: false, output, error: Some(error) });
            }
        };
        Ok(tool::ToolResult { success: true, output, error: None })
    }
}
