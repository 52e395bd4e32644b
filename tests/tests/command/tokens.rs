//! What the gateway's own tools take of a context, by a model's own tokenizer.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};
use weir_tests::Sandbox;

/// The most tokens (o200k) of the bridge tools and `weir_fetch` together, as endpoints are sent them.
const MOST: usize = 346;

/// The tools of a gateway without servers, so that no list of servers is among them.
fn tools() -> Vec<Value> {
    let sandbox = Sandbox::new();
    // Compiled before: the first list would be a shorter one.
    sandbox.weir();
    let servers = sandbox.path().join("servers.json");
    fs::write(&servers, r#"{"mcpServers": {}}"#).unwrap();
    let mut child = sandbox
        .command(["serve", "--mode", "bridge", "--servers", servers.to_str().unwrap()])
        .env("XDG_STATE_HOME", sandbox.path().join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {},
        "clientInfo": {"name": "t", "version": "1"}});
    // A search waits for the component, so that the list after it is the whole one.
    let messages = [
        json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": hello}),
        json!({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call",
            "params": {"name": "weir_fetch", "arguments": {"mode": "list"}}}),
        json!({"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": {}}),
    ];
    let mut input = child.stdin.take().unwrap();
    let mut output = std::io::BufReader::new(child.stdout.take().unwrap());
    let mut tools = Vec::new();
    for message in &messages {
        writeln!(input, "{message}").unwrap();
        let Some(id) = message.get("id") else { continue };
        loop {
            let mut line = String::new();
            assert!(std::io::BufRead::read_line(&mut output, &mut line).unwrap() > 0);
            let answer: Value = serde_json::from_str(&line).unwrap();
            if answer.get("id") == Some(id) {
                if let Some(listed) = answer["result"]["tools"].as_array() {
                    tools = listed.clone();
                }
                break;
            }
        }
    }
    drop(input);
    child.wait().unwrap();
    tools
}

#[test]
fn the_gateways_own_tools_take_few_tokens() {
    let tokenizer = tiktoken_rs::o200k_base().unwrap();
    let counted: Vec<(String, usize)> = tools()
        .iter()
        .map(|tool| {
            let name = tool["name"].as_str().unwrap();
            let sent = json!({"type": "function", "function": {
                "name": name, "description": tool["description"], "parameters": tool["inputSchema"],
            }});
            (name.to_owned(), tokenizer.encode_ordinary(&sent.to_string()).len())
        })
        .collect();
    let names: Vec<&str> = counted.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["tool_search", "tool_describe", "tool_call", "weir_fetch"]);
    let total: usize = counted.iter().map(|(_, tokens)| tokens).sum();
    assert!(total <= MOST, "{total} tokens: {counted:?}");
    let fetch = &counted[3];
    assert!(fetch.1 <= 65, "{fetch:?}: beside servers' own tools this is all that Weir adds");
}
