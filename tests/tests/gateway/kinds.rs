//! Resources, prompts and stored results found by `tool_search`, and read by a client that has tools alone.

use std::sync::Arc;

use serde_json::{Value, json};
use weir_gateway::gate::Gate;
use weir_gateway::identity::{Identity, Profile};
use weir_gateway::{Gateway, Mode, Options};
use weir_host::contract::FinishedResult;
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
    let search_for = |who: &str, query: &str, kinds: Value| {
        let agent = Legacy::open(&endpoint, Some(&format!("tok-{who}-1")), json!({}), "/");
        let arguments = json!({"queries": [query], "kinds": kinds});
        let answer =
            agent.ask("tools/call", json!({"name": "tool_search", "arguments": arguments}));
        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
    };
    let search = |who: &str, query: &str| search_for(who, query, json!(["result"]));
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
    // While results are few their texts are read for other kinds beside them, too.
    let kinds = json!(["tool", "skill", "resource", "prompt", "result"]);
    let text = search_for("anna", "why did the harbour crane stop: which relay burnt", kinds);
    assert!(text.contains("relay K7"), "{text}");
    let text = search("bert", "why did the harbour crane stop: which relay burnt");
    assert!(hits(&text).is_empty() && !text.contains("more_matches"), "{text}");
}

/// Results on a page of a session's list are 200: there are more of them, and those of the first search and of later ones are in
/// indexes of their own.
#[test]
fn of_many_results_each_is_found_and_of_those_that_fit_alike_the_newest_comes_first() {
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap();
    let _inside = runtime.enter();
    let sandbox = Sandbox::new();
    let (state, weir) = (sandbox.path().join("state"), sandbox.weir());
    runtime.block_on(crate::grants::prepare(&state, &weir));
    let profile = Arc::new(Profile { name: "one".into(), ..Profile::default() });
    let who = Identity::beside_others(&profile, None);
    let session = who.store_session("s");
    let store = |crane: u32, text: &str| {
        let text = format!("{text} {crane}\n").repeat(900);
        let mut result = FinishedResult::text(session.clone(), "read_log", text);
        let path = format!(r#"{{"path":"/harbour/crane-{crane}/motor.log"}}"#);
        result.origin.arguments = Some(path);
        weir.transform(&result).unwrap().handles[0].id.clone()
    };
    let oldest: Vec<String> = (100..330).map(|crane| store(crane, "the motor is warm")).collect();
    let mut options = Options::new(state);
    options.mode = Mode::Bridge;
    let gate = Gate::new(Ok(weir.clone()), "s");
    let gateway = Gateway::new(crate::grants::specs(), gate, options).unwrap();
    let find = |query: &str| {
        let arguments = json!({"query": query, "kinds": ["result"]});
        let params = json!({"name": "tool_search", "arguments": arguments});
        let answer = runtime.block_on(crate::grants::ask(&gateway, &who, "tools/call", &params));
        let answer: Value = serde_json::from_str(&answer).unwrap();
        let found = hits(answer["result"]["content"][0]["text"].as_str().unwrap());
        found.iter().map(|hit| hit["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (at, crane) in [(0, 100), (117, 217), (229, 329)] {
        let found = find(&format!("read log crane {crane} motor"));
        assert_eq!(found[0], oldest[at], "{crane}: {found:?}");
    }
    // What is in the middle of one alone is found by that, and not by the calls that sound a little like it.
    let parcel = store(101, &format!("{0}the parcel TR-88213 is stuck{0}", "warm\n".repeat(200)));
    assert_eq!(find("where did we see the parcel TR-88213 stuck")[0], parcel);
    weir.forget(&session, &parcel).unwrap();
    // What other gateways store is looked up by a search after some seconds, and found by the next.
    let newer: Vec<String> = (0..3).map(|n| store(217, &format!("reading {n}"))).collect();
    std::thread::sleep(std::time::Duration::from_millis(5_100));
    let mut found = find("read log crane 217 motor");
    for _ in 0..200 {
        if found.len() >= 4 && found[0] != oldest[117] {
            break;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
        found = find("read log crane 217 motor");
    }
    assert!(newer.iter().chain([&oldest[117]]).all(|id| found[..4].contains(id)), "{found:?}");
    // They were stored within a second or two, and seconds are all that is known.
    assert_eq!(found[3], oldest[117], "{found:?}");
    // What is forgotten is not found, also where it was indexed.
    weir.forget(&session, &newer[2]).unwrap();
    let found = find("read log crane 217 motor");
    assert!(!found.contains(&newer[2]) && found.contains(&newer[1]), "{found:?}");
    runtime.block_on(gateway.shut_down());
}
