//! `weir search` and `weir tools describe`: what a user gives and gets.

use std::collections::BTreeMap;
use std::fs;

use serde_json::{Value, json};
use weir_tests::tools::fixture;
use weir_tests::{Ran, Sandbox};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");

/// A sandbox with the real tools behind servers of theirs, which are known after the first search.
fn sandbox() -> Sandbox {
    let sandbox = Sandbox::new();
    let directory = sandbox.path().join("config/weir");
    fs::create_dir_all(&directory).expect("it can be made");
    let text = fs::read_to_string(fixture("classes").join("catalogue.jsonl")).expect("it is there");
    let mut servers: BTreeMap<String, Vec<Value>> = BTreeMap::new();
    for line in text.lines() {
        let tool: Value = serde_json::from_str(line).expect("each line is JSON");
        let server = tool["server"].as_str().expect("each has a server").to_owned();
        servers.entry(server).or_default().push(json!({
            "name": tool["name"], "description": tool["description"], "inputSchema": tool["parameters"],
        }));
    }
    let entry = |(server, tools): (String, Vec<Value>)| {
        let file = sandbox.path().join(format!("{server}.json"));
        fs::write(&file, json!({"tools": tools}).to_string()).expect("it is written");
        (server, json!({"command": SERVER, "args": ["--catalog", file]}))
    };
    let servers: serde_json::Map<String, Value> = servers.into_iter().map(entry).collect();
    fs::write(directory.join("servers.json"), json!({"mcpServers": servers}).to_string())
        .expect("it is written");
    sandbox
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    let state = sandbox.path().join("state");
    let ran = sandbox.command(arguments).env("XDG_STATE_HOME", state).output();
    ran.expect("it runs").into()
}

#[test]
fn a_search_that_finds_nothing_ends_with_1_and_says_what_there_is() {
    let sandbox = sandbox();
    let none = run(&sandbox, &["search", "+qzxv +wqzz"]);
    assert_eq!(none.code, 1, "{}", none.stderr);
    assert!(none.stdout.contains("no sure match"), "{}", none.stdout);
    assert!(none.stdout.contains("hint:"), "{}", none.stdout);
    assert!(none.stderr.contains("searched 226 tools"), "{}", none.stderr);
    for command in [&["search"][..], &["tools", "search"]] {
        let typo = run(&sandbox, &[command, &["creat isue github", "--json"]].concat());
        assert_eq!(typo.code, 0, "{}", typo.stderr);
        let found = typo.json();
        let name = found["groups"][0]["matches"][0]["name"].as_str().expect("it has a name");
        assert!(name.ends_with("create_issue"), "{name}");
    }
    assert!(!sandbox.store().exists(), "no store is made for it");
}

#[test]
fn tools_are_described() {
    let sandbox = sandbox();
    let names = "create_issue,github__create_isue";
    let described = run(&sandbox, &["tools", "describe", names, "--json"]);
    assert_eq!(described.code, 1, "one of the two is missing: {}", described.stderr);
    let described = described.json();
    assert_eq!(described["tools"][0]["exact_schema"]["type"], "object");
    let near = described["missing"][0]["near"][0].as_str().expect("it has a name");
    assert!(near.ends_with("create_issue"), "{near}");
    let shown = run(&sandbox, &["tools", "describe", near, "--detail", "signature"]);
    assert_eq!(shown.code, 0, "{}", shown.stderr);
    assert!(shown.stdout.starts_with(near) && shown.stdout.contains("title: string"));
}
