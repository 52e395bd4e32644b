//! `weir demo-server`: an MCP server that reads and searches the files below one directory.
//!
//! The demo starts it as any client starts any server, so that its second act needs nothing that is
//! not here. It speaks the revisions with a handshake, on its standard streams, and changes nothing.

use std::io::{self, BufRead as _, Write as _};
use std::path::Path;

use serde_json::{Value, json};

use super::files::{Files, Given};
use super::tools;
use crate::answer::Answer;
use crate::failure::Failure;

/// The revisions that it speaks, newest first.
const VERSIONS: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;

/// Serves one client until it closes its end.
pub(crate) fn run(directory: &Path) -> Result<Answer, Failure> {
    let files = Files::below(directory)?;
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let what = || "cannot read the client's messages".to_owned();
        let line = line.map_err(Failure::io(what()))?;
        if let Some(answer) = answer(&files, &line) {
            writeln!(out, "{answer}").and_then(|()| out.flush()).map_err(Failure::output)?;
        }
    }
    Ok(Answer::Yes)
}

/// The answer to a message; none to what asks nothing.
fn answer(files: &Files, line: &str) -> Option<Value> {
    let Ok(message) = serde_json::from_str::<Value>(line) else {
        let error = json!({"code": -32700, "message": "Parse error"});
        return Some(json!({"jsonrpc": "2.0", "id": null, "error": error}));
    };
    let (id, method) = (message.get("id")?, message.get("method")?.as_str()?);
    let params = &message["params"];
    let result = match method {
        "initialize" => Ok(initialize(params)),
        "ping" => Ok(json!({})),
        "tools/list" => Ok(json!({"tools": tools::definitions()})),
        "tools/call" => call(files, params),
        _ => Err((METHOD_NOT_FOUND, format!("Method not found: {method}"))),
    };
    Some(match result {
        Ok(result) => json!({"jsonrpc": "2.0", "id": id, "result": result}),
        Err((code, message)) => {
            json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
        }
    })
}

fn initialize(params: &Value) -> Value {
    let asked = params["protocolVersion"].as_str().unwrap_or_default();
    let version = VERSIONS.iter().find(|version| **version == asked).unwrap_or(&VERSIONS[0]);
    json!({
        "protocolVersion": version,
        "capabilities": {"tools": {}},
        "serverInfo": {"name": "weir-demo", "version": env!("CARGO_PKG_VERSION")},
        "instructions": "Reads and searches the files below one directory. It changes nothing.",
    })
}

fn call(files: &Files, params: &Value) -> Result<Value, (i64, String)> {
    let (name, arguments) = (params["name"].as_str().unwrap_or_default(), &params["arguments"]);
    let Some(tool) = tools::definitions().into_iter().find(|tool| tool["name"] == name) else {
        return Err((INVALID_PARAMS, format!("Unknown tool: {name}")));
    };
    let required = tool["inputSchema"]["required"].as_array().into_iter().flatten();
    let missing = required.filter_map(Value::as_str).find(|name| arguments.get(*name).is_none());
    let done = match missing {
        Some(name) => Err(format!("the argument {name} is missing")),
        None => tools::run(name, files, &Given(arguments)),
    };
    let (text, is_error) = done.map_or_else(|error| (error, true), |text| (text, false));
    Ok(json!({"content": [{"type": "text", "text": text}], "isError": is_error}))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_has_the_manners_of_a_server() {
        let directory = tempfile::tempdir().unwrap();
        let files = Files::below(directory.path()).unwrap();
        let ask = |method: &str, params: Value| {
            let line = json!({"jsonrpc": "2.0", "id": 7, "method": method, "params": params});
            answer(&files, &line.to_string()).unwrap()
        };
        assert_eq!(
            ask("initialize", json!({"protocolVersion": "2025-06-18"}))["result"]["protocolVersion"],
            "2025-06-18"
        );
        assert_eq!(
            ask("initialize", json!({"protocolVersion": "1"}))["result"]["protocolVersion"],
            VERSIONS[0]
        );
        assert_eq!(ask("server/discover", json!({}))["error"]["code"], METHOD_NOT_FOUND);
        assert_eq!(ask("tools/call", json!({"name": "x"}))["error"]["code"], INVALID_PARAMS);
        assert!(
            answer(&files, r#"{"jsonrpc":"2.0","method":"notifications/initialized"}"#).is_none()
        );
        assert_eq!(answer(&files, "{").unwrap()["error"]["code"], -32700);
    }
}
