//! Stored results as arguments of other tools: who gets them, and what is told where none is given.

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, SERVER};

/// The id of the one result that is stored.
fn stored(client: &mut Client) -> String {
    client.call("s__structured", json!({"rows": 2_000}));
    let listed = client.text("weir_fetch", json!({"mode": "list"}));
    let id = regex::Regex::new(r"\b[0-9a-f]{12}\b").unwrap();
    id.find(&listed).unwrap_or_else(|| panic!("no id in {listed}")).as_str().to_owned()
}

/// What the server was sent.
fn sent(client: &mut Client, arguments: Value) -> Value {
    let text = client.text("s__echo", arguments);
    let params: Value = serde_json::from_str(&text).unwrap_or_else(|_| panic!("{text}"));
    params["arguments"].clone()
}

#[test]
fn a_tool_that_is_listed_is_given_the_stored_text_in_place_of_a_reference() {
    let sandbox = Sandbox::new();
    let config = json!({
        "mcpServers": {"s": {"command": SERVER, "weir": {"references": ["echo"]}}},
        "weir": {"audit": true},
    });
    let file = sandbox.path().join("own.json");
    std::fs::write(&file, config.to_string()).unwrap();
    let file = file.to_str().unwrap();
    let mut client = Client::start_with(&sandbox, &["--servers", file, "--mode", "passthrough"]);
    client.greet();
    let id = stored(&mut client);
    let arguments = sent(
        &mut client,
        json!({
            "row": {"$weir": id, "pointer": "/rows/1999"},
            "names": [{"$weir": id, "query": "select(.id < 2) | .name"}],
            "text": format!("weir://blob/{id}#/rows/7/name"),
            "plain": format!("see weir://blob/{id}"),
            "digits": 1.50,
        }),
    );
    assert_eq!(arguments["row"], json!({"id": 1999, "name": "row 1999"}));
    assert_eq!(arguments["names"], json!([["row 0", "row 1"]]));
    assert_eq!(arguments["text"], "row 7");
    assert_eq!(arguments["plain"], format!("see weir://blob/{id}"));
    // The address of all of it, where a text is wanted.
    let whole = client.text("s__echo", json!({"text": format!("weir://blob/{id}")}));
    assert!(whole.contains("/arguments/text") && whole.contains("57,790 chars"), "{whole}");
    for (reference, why) in [
        (json!({"$weir": "0123456789ab"}), "no result 0123456789ab is stored in this session"),
        (json!({"$weir": id, "pointer": "/nothing"}), "has no \"nothing\""),
        (json!({"$weir": id, "lines": "5-2"}), "10-20"),
        (json!({"$weir": id, "query": ".id +"}), "query"),
    ] {
        let answer = client.call("s__echo", json!({"x": reference}));
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.starts_with("not called") && text.contains(why), "{answer}");
        assert_eq!(answer["result"]["isError"], true);
    }
    client.close();
    let log = std::fs::read_to_string(sandbox.path().join("state/audit.jsonl")).unwrap();
    let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let given: Vec<Value> = lines.filter(|line| line["method"] == "weir/reference").collect();
    let count = |outcome: &str| given.iter().filter(|line| line["outcome"] == outcome).count();
    assert_eq!((count("ok"), count("refused")), (4, 4), "{log}");
    assert!(!log.contains(&id), "{log}");
}

#[test]
fn no_other_tool_is_given_anything_and_the_refusal_says_why() {
    let sandbox = Sandbox::new();
    let servers = json!({"s": {"command": SERVER, "weir": {"referencesReadOnly": true}}});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let id = stored(&mut client);
    // Its server is not trusted to say that it only reads.
    for arguments in [
        json!({"x": {"$weir": id}}),
        json!({"x": [[{"lines": "1-2", "$weir": id}]]}),
        json!({"x": format!("weir://blob/{id}#/rows/0")}),
    ] {
        let answer = client.call("s__echo", arguments);
        let text = answer["result"]["content"][0]["text"].as_str().unwrap_or_default();
        assert!(text.contains("echo may not be given stored results by reference"), "{answer}");
    }
    // An address without a part may be meant as it is, and what only looks like one is no reference.
    let address = format!("weir://blob/{id}");
    assert_eq!(sent(&mut client, json!({"x": address}))["x"], address);
    assert_eq!(sent(&mut client, json!({"x": "$weir", "y": "{\"$weir\": 1}"}))["x"], "$weir");
    client.close();
}

#[test]
fn a_tool_whose_words_contradict_its_claim_is_given_nothing() {
    let sandbox = Sandbox::new();
    let mut servers = json!({"s": {"command": SERVER}});
    for (name, what) in [("reads", "Shows its arguments."), ("deletes", "Deletes rows for good.")] {
        let file = sandbox.path().join(format!("{name}.json"));
        let claims = json!({"readOnlyHint": true, "openWorldHint": false});
        let schema = json!({"type": "object"});
        let tool = json!({"name": "echo", "description": what, "inputSchema": schema, "annotations": claims});
        std::fs::write(&file, json!({"tools": [tool]}).to_string()).unwrap();
        let options = json!({"trust": true, "referencesReadOnly": true});
        servers[name] = json!({"command": SERVER, "args": ["--catalog", file], "weir": options});
    }
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let id = stored(&mut client);
    let mut given = |name: &str| {
        client.text(name, json!({"x": {"$weir": id, "pointer": "/rows/7/name"}})).contains("row 7")
    };
    assert!(given("reads__echo") && !given("deletes__echo"));
    client.close();
}
