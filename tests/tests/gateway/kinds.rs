//! Resources, prompts and stored results found by `tool_search`, and read by a client that has tools alone.

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::apart::Legacy;
use crate::client::{Client, server};
use crate::endpoint::Endpoint;

/// The hits of the first query of an answer.
fn hits(text: &str) -> Vec<Value> {
    let answer: Value = serde_json::from_str(text).unwrap_or_else(|_| panic!("{text}"));
    answer["results"][0]["matches"].as_array().unwrap().clone()
}

/// The call that a hit names.
fn next(hit: &Value) -> (String, Value) {
    let (name, arguments) = hit["read"].as_str().unwrap().split_once(' ').unwrap();
    (name.to_owned(), serde_json::from_str(arguments).unwrap())
}

#[test]
fn a_resource_a_prompt_and_a_result_are_found_and_read_by_the_call_that_the_hit_names() {
    let sandbox = Sandbox::new();
    let mut client = Client::legacy(&sandbox, json!({"s": server(&[])}), &["--mode", "bridge"]);
    // A search waits for what is not known yet.
    client.search(json!({"queries": ["greet"]}));
    let tools = client.tools();
    let search = tools.iter().find(|tool| tool["name"] == "tool_search").unwrap();
    let kinds = &search["inputSchema"]["properties"]["kinds"]["items"]["enum"];
    assert_eq!(*kinds, json!(["tool", "resource", "prompt", "result"]));
    let mut find = |query: &str, kinds: Value| {
        let text = client.search(json!({"queries": [query], "kinds": kinds}));
        // Some 600 tokens.
        assert!(text.chars().count() < 2_100, "{text}");
        (hits(&text), text)
    };
    let (found, text) = find("greets somebody", json!(["prompt"]));
    assert_eq!(
        (&found[0]["name"], &found[0]["kind"]),
        (&json!("s__greet"), &json!("prompt")),
        "{text}"
    );
    assert_eq!(found[0]["arguments"], "who");
    let (name, mut arguments) = next(&found[0]);
    arguments["arguments"] = json!({"who": "Anna"});
    let (resources, text) = find("test two", json!("resources"));
    assert_eq!(resources[0]["kind"], "resource", "{text}");
    // Beside tools, on one scale; what has no word of it is not there.
    let (both, text) = find("greet", json!(["tool", "prompt"]));
    assert!(both.iter().any(|hit| hit["kind"] == "prompt"), "{text}");
    let (nothing, text) = find("zebra crossing", json!(["resource", "prompt", "result"]));
    assert!(nothing.is_empty() && text.contains("nothing of these kinds"), "{text}");
    assert_eq!(client.text(&name, arguments), "user: Hello Anna");
    let (name, arguments) = next(&resources[0]);
    let uri = arguments["names"][0].as_str().unwrap().to_owned();
    assert!(client.text(&name, arguments).contains("content of test://two"), "{uri}");
    // What is not there is said in a sentence.
    for missing in ["prompt:nobody", "nobody://x"] {
        let answer = client.call("tool_describe", json!({"names": [missing]}));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap();
        assert!(text.contains(missing), "{answer}");
    }
    client.close();
}

#[test]
fn what_a_call_returned_is_found_by_any_agent_of_the_same_subject_and_by_nobody_else() {
    let sandbox = Sandbox::new();
    let config = json!({"mcpServers": {"s": server(&[])}, "weir": {"tokens": {
        "anna": {"token": "tok-anna-1", "results": "token", "mode": "bridge"},
        "bert": {"token": "tok-bert-1", "results": "token", "mode": "bridge"},
        "carl": {"token": "tok-carl-1", "readsResultsOf": ["anna"], "mode": "bridge"},
    }}});
    let file = sandbox.path().join("tokens.json");
    std::fs::write(&file, config.to_string()).unwrap();
    let start = || Endpoint::start_in(&sandbox, &["--servers", file.to_str().unwrap()], &[]);
    let endpoint = start();
    let stored = |endpoint: &Endpoint, text: &str| {
        let agent = Legacy::open(endpoint, Some("tok-anna-1"), json!({}), "/");
        let lines: String = (0..4_000).map(|n| format!("line {n} of the log\n")).collect();
        let arguments = json!({"text": format!("{lines}{text}\n{lines}")});
        let call = json!({"calls": [{"name": "s__echo", "arguments": arguments}]});
        let shown = agent.call("tool_call", call);
        assert!(shown.contains("weir_fetch"), "{shown}");
    };
    stored(&endpoint, "The harbour crane stopped: relay K7 burnt out.");
    drop(endpoint);
    // Another day, another agent: the gateway has been started anew.
    let endpoint = start();
    stored(&endpoint, "The harbour crane runs again.");
    let search = |who: &str, query: &str| {
        let agent = Legacy::open(&endpoint, Some(&format!("tok-{who}-1")), json!({}), "/");
        let answer = agent.ask(
            "tools/call",
            json!({"name": "tool_search", "arguments": {
                "queries": [query], "kinds": ["result"],
            }}),
        );
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    for who in ["anna", "carl"] {
        let text = search(who, "why did the harbour crane stop: which relay burnt");
        let found = hits(&text);
        assert!(found[0]["does"].as_str().unwrap().contains("relay K7"), "{text}");
        assert_eq!(
            (&found[0]["kind"], &found[0]["tool"]),
            (&json!("result"), &json!("echo")),
            "{text}"
        );
        assert!(found[0]["stored"].as_str().unwrap().ends_with(" UTC"), "{text}");
        let (name, arguments) = next(&found[0]);
        let reader = Legacy::open(&endpoint, Some(&format!("tok-{who}-1")), json!({}), "/");
        assert!(reader.call(&name, arguments).contains("relay K7 burnt out"));
        // By the tool that was called: both, the newest first.
        let text = search(who, "echo");
        assert_eq!(hits(&text).len(), 2, "{text}");
        assert!(text.find("\"kind\"").is_some());
    }
    let text = search("bert", "why did the harbour crane stop: which relay burnt");
    assert!(hits(&text).is_empty() && !text.contains("more_matches"), "{text}");
}
