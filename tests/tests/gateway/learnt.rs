//! What searches teach, and phrases that are given: the real command and the real component.

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, server};

fn learnt(sandbox: &Sandbox, arguments: &[&str]) -> Value {
    let state = sandbox.path().join("state").to_string_lossy().into_owned();
    let before = ["tools", "learnt", "--json", "--state", &state];
    sandbox.run(before.iter().chain(arguments)).json()
}

fn call(client: &mut Client, name: &str) {
    let text = json!({"calls": [{"name": name, "arguments": {"text": "hi"}}]});
    client.call("tool_call", text);
}

#[test]
fn a_search_that_leads_to_a_call_teaches_until_that_is_erased() {
    let sandbox = Sandbox::new();
    let servers = json!({"here": server(&[])});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "bridge"]);
    let found = client.search(json!({"query": "server:here echo tool"}));
    assert!(found.contains(r#""name":"here__echo""#), "{found}");
    assert_eq!(learnt(&sandbox, &[]), json!({"users": {}}), "a search alone teaches nothing");
    call(&mut client, "here__echo");
    let phrases = &learnt(&sandbox, &[])["users"][""]["here"]["echo"];
    assert_eq!(phrases[0]["phrase"], "echo tool", "{phrases}");
    client.close();

    assert_eq!(learnt(&sandbox, &["here", "other", "--erase"]), json!({"erased": 0}));
    assert_eq!(learnt(&sandbox, &["--erase"]), json!({"erased": 1}));
    assert_eq!(learnt(&sandbox, &[]), json!({"users": {}}));
}

#[test]
fn nothing_is_learnt_from_failed_calls_or_when_it_is_switched_off() {
    let sandbox = Sandbox::new();
    let file = json!({"mcpServers": {"here": server(&[])}, "weir": {"learn": false}});
    let path = sandbox.path().join("off.json");
    std::fs::write(&path, file.to_string()).unwrap();
    let path = path.to_string_lossy().into_owned();
    let mut client = Client::start_with(&sandbox, &["--mode", "bridge", "--servers", &path]);
    client.greet();
    client.search(json!({"query": "server:here echo tool"}));
    call(&mut client, "here__echo");
    client.close();
    assert_eq!(learnt(&sandbox, &[]), json!({"users": {}}));

    let servers = json!({"here": server(&[])});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "bridge"]);
    client.search(json!({"query": "server:here fail tool"}));
    call(&mut client, "here__fail");
    client.close();
    assert_eq!(learnt(&sandbox, &[]), json!({"users": {}}));
}

#[test]
fn phrases_of_the_servers_file_count_and_are_never_shown() {
    let sandbox = Sandbox::new();
    let mut here = server(&[]);
    here["weir"] = json!({"phrases": {"ec*": ["repeat after me like a parrot"]}});
    let mut client = Client::legacy(&sandbox, json!({"here": here}), &["--mode", "bridge"]);
    let found = client.search(json!({"query": "repeat parrot"}));
    assert!(found.contains("here__echo") && !found.contains("like a"), "{found}");
    client.close();
}

#[test]
fn phrases_of_a_file_count_until_they_are_erased_and_are_never_shown() {
    let sandbox = Sandbox::new();
    let servers = json!({"here": server(&[])});
    // What the server has is known from here on.
    Client::legacy(&sandbox, servers.clone(), &["--mode", "bridge"]).close();
    let write = |name: &str, text: &str| {
        let path = sandbox.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let file = write(
        "phrases.jsonl",
        r#"{"server": "here", "tool": "echo", "q": ["repeat after me like a parrot"]}"#,
    );
    let given = sandbox.path().join("servers.json").to_string_lossy().into_owned();
    let state = sandbox.path().join("state").to_string_lossy().into_owned();
    let phrases = |arguments: &[&str]| {
        let before = ["tools", "phrases", "--json", "--servers", &given, "--state", &state];
        sandbox.run(before.iter().chain(arguments))
    };
    let search = || {
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "bridge"]);
        let found = client.search(json!({"query": "repeat parrot"}));
        client.close();
        found
    };
    assert_eq!(phrases(&["--from", &file]).json()["with_phrases"], 1);
    let found = search();
    assert!(found.contains(r#""name":"here__echo""#) && !found.contains("like a"), "{found}");

    let ran = phrases(&["--erase"]);
    assert_eq!((ran.code, ran.json()["before"].clone()), (1, json!(1)), "{}", ran.stderr);
    let found = search();
    assert!(found.contains(r#""matches":[]"#), "{found}");
    // A line that is not one is named.
    let ran = phrases(&["--from", &write("broken.jsonl", "\n{\"server\": 1}")]);
    assert!(ran.code == 2 && ran.stderr.contains("broken.jsonl, line 2"), "{}", ran.stderr);
}
