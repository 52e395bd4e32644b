//! `weir demo-server`: an MCP server over made orders. tools.json has its tools: each gives the orders that have all
//! of its arguments among their values.
//!
//! The demo's gateway starts it as any gateway starts any server. It speaks one revision, on its standard streams.

use std::io::{self, BufRead as _, Write as _};

use serde_json::{Value, json};

use crate::{Answer, Failure};

/// The tool that gives all orders.
pub(super) const ALL: &str = "list_orders";

/// Serves one client until it closes its end.
pub(crate) fn run() -> Result<Answer, Failure> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line.map_err(Failure::io("cannot read the client's messages"))?;
        if let Some(answer) = answer(&line) {
            writeln!(out, "{answer}").and_then(|()| out.flush()).map_err(Failure::output)?;
        }
    }
    Ok(Answer::Yes)
}

/// The answer to a message; none to what asks nothing.
fn answer(line: &str) -> Option<Value> {
    let message: Value = serde_json::from_str(line).ok()?;
    let id = message.get("id")?;
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-11-25", "capabilities": {"tools": {}},
            "serverInfo": {"name": "weir-demo", "version": env!("CARGO_PKG_VERSION")},
        }),
        "tools/list" => json!({"tools": tools()}),
        "tools/call" => {
            let text = orders(&message["params"]["arguments"]);
            json!({"content": [{"type": "text", "text": text}]})
        }
        method => {
            let error = json!({"code": -32601, "message": format!("Method not found: {method}")});
            return Some(json!({"jsonrpc": "2.0", "id": id, "error": error}));
        }
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

/// The tools as `tools/list` answers them.
pub(super) fn tools() -> Vec<Value> {
    serde_json::from_str(include_str!("tools.json")).unwrap_or_default()
}

/// The orders that have all of these values, as CSV.
pub(super) fn orders(arguments: &Value) -> String {
    let wanted: Vec<&str> = arguments
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(_, value)| value.as_str())
        .collect();
    let order = |n: usize| {
        let (country, state) = (["FI", "NZ", "PE"][n % 3], ["paid", "open"][n % 2]);
        let carrier = ["rail", "road", "ship", "post"][n % 4];
        format!("{n},customer{},{country},{}.50,{state},{carrier}", n % 97, n % 410)
    };
    let rows = (1..=3_000).map(order);
    let rows =
        rows.filter(|row| wanted.iter().all(|value| row.split(',').any(|cell| cell == *value)));
    rows.fold("id,customer,country,total,state,carrier".to_owned(), |text, row| text + "\n" + &row)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tool_does_what_it_says() {
        let ask = |method: &str, params: Value| {
            let line = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
            answer(&line.to_string()).unwrap()
        };
        assert_eq!(ask("initialize", json!({}))["result"]["protocolVersion"], "2025-11-25");
        assert_eq!(ask("server/discover", json!({}))["error"]["code"], -32601);
        assert!(answer(r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).is_none());
        let rows = |arguments: Value| {
            let called = ask("tools/call", json!({"name": ALL, "arguments": arguments}));
            let text = called["result"]["content"][0]["text"].as_str().unwrap().to_owned();
            text.lines().count() - 1
        };
        assert_eq!(rows(json!({})), 3_000);
        assert_eq!(rows(json!({"id": "7"})), 1);
        assert_eq!(rows(json!({"state": "open", "country": "FI"})), 500);
        assert_eq!(rows(json!({"state": "lost"})), 0);
        let tools = tools();
        assert!(tools.iter().any(|tool| tool["name"] == ALL));
        let header = orders(&json!({"id": "none"}));
        for tool in &tools {
            for name in tool["inputSchema"]["properties"].as_object().unwrap().keys() {
                assert!(header.split(',').any(|column| column == name), "{name}");
            }
        }
    }
}
