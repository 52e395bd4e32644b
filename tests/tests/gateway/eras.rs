//! What passes between clients and servers of both eras: each feature in each of the four pairs.

use std::time::Instant;

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE, server};

/// A client's era and a server's; `name` is the server's key.
struct Pair {
    modern_client: bool,
    modern_server: bool,
    name: &'static str,
}

impl Pair {
    fn tool(&self, name: &str) -> String {
        format!("{}__{name}", self.name)
    }

    fn uri(&self, own: &str) -> String {
        format!("weir:{}/{own}", self.name)
    }

    fn call(&self, client: &mut Client, tool: &str, arguments: Value) -> Value {
        client.converse("tools/call", json!({"name": self.tool(tool), "arguments": arguments}))
    }

    fn text(&self, client: &mut Client, tool: &str, arguments: Value) -> String {
        let answer = self.call(client, tool, arguments);
        let text = answer["result"]["content"][0]["text"].as_str();
        text.unwrap_or_else(|| panic!("{tool}: {answer}")).to_owned()
    }
}

/// A feature and what has to be true of it in a pair.
type Feature = (&'static str, fn(&mut Client, &Pair));

const FEATURES: [Feature; 14] = [
    ("progress", progress),
    ("cancellation", cancellation),
    ("elicitation by form", elicitation_by_form),
    ("elicitation by address", elicitation_by_address),
    ("an address to visit first", visit_first),
    ("sampling", sampling),
    ("roots", roots),
    ("prompts", prompts),
    ("resources", resources),
    ("completion", completion),
    ("logging", logging),
    ("changes", changes),
    ("tasks", tasks),
    ("methods of the other era", other_era),
];

#[expect(clippy::print_stdout, reason = "shown when the test fails")]
fn each_pair(feature_of: &[Feature], capabilities: fn(bool) -> Value) {
    for modern_client in [false, true] {
        let sandbox = Sandbox::new();
        let servers = json!({"old": server(&[]), "new": server(&["--modern"])});
        let mut client = Client::start(&sandbox, servers, &["--mode", "passthrough"]);
        client.modern = modern_client;
        client.capabilities = capabilities(modern_client);
        client.answer = |asked| match asked["method"].as_str() {
            Some("elicitation/create") if asked["params"]["mode"] == "url" => {
                json!({"result": {"action": "accept"}})
            }
            Some("elicitation/create") => {
                json!({"result": {"action": "accept", "content": {"name": "Ann"}}})
            }
            Some(method) => json!({"result": {"answered": method}}),
            None => json!({}),
        };
        if !modern_client {
            client.greet();
        }
        let tools = client.tool_names();
        for (name, modern_server) in [("old", false), ("new", true)] {
            assert_eq!(tools.iter().filter(|tool| tool.starts_with(name)).count(), 25);
            let pair = Pair { modern_client, modern_server, name };
            for (feature, holds) in feature_of {
                println!("{feature}; modern client: {modern_client}, server: {modern_server}");
                holds(&mut client, &pair);
            }
        }
        client.close();
    }
}

#[test]
fn every_feature_passes_in_all_four_pairs_of_eras() {
    each_pair(&FEATURES, |modern| {
        let mut can = json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}});
        if modern {
            can["extensions"] = json!({"io.modelcontextprotocol/tasks": {}});
        }
        can
    });
}

#[test]
fn what_a_client_cannot_do_is_refused_in_all_four_pairs_of_eras() {
    each_pair(&[("refusals", refusals)], |_| json!({"elicitation": {}}));
}

fn progress(client: &mut Client, pair: &Pair) {
    let id = client.send(
        "tools/call",
        json!({"name": pair.tool("slow"), "arguments": {}, "_meta": {"progressToken": "mine"}}),
    );
    assert_eq!(client.wait(id).0["result"]["content"][0]["text"], "done");
    let progress = client.notified("notifications/progress", 5);
    assert!(progress.iter().all(|note| note["params"]["progressToken"] == "mine"));
    assert_eq!(progress[4]["params"]["progress"], 5);
}

fn cancellation(client: &mut Client, pair: &Pair) {
    let before = pair.text(client, "cancelled", json!({}));
    // What the server has begun can be cancelled: it says so with its first progress.
    let id = client.send(
        "tools/call",
        json!({"name": pair.tool("slow"), "arguments": {"steps": 2_000, "ms": 20}, "_meta": {"progressToken": 1}}),
    );
    client.notified("notifications/progress", 1);
    cancel(client, id);
    let until = Instant::now() + PATIENCE;
    while pair.text(client, "cancelled", json!({})) == before {
        assert!(Instant::now() < until, "the cancellation did not arrive");
    }
    assert!(pair.text(client, "cancelled", json!({})).ends_with(" not needed any more"));
    assert!(!client.answers.contains_key(&id), "a cancelled request is not answered");
    client.notes.clear();
}

fn cancel(client: &mut Client, id: u64) {
    let params = json!({"requestId": id, "reason": "not needed any more"});
    client.write(
        &json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": params})
            .to_string(),
    );
}

fn elicitation_by_form(client: &mut Client, pair: &Pair) {
    assert!(pair.text(client, "ask", json!({})).contains("Ann"));
    client.asked("elicitation/create");
}

fn elicitation_by_address(client: &mut Client, pair: &Pair) {
    assert!(pair.text(client, "ask_url", json!({})).contains("accept"));
    let asked = client.asked("elicitation/create");
    assert_eq!(asked["params"]["url"], "https://example.com/visit");
    if !pair.modern_client && !pair.modern_server {
        let done = client.notified("notifications/elicitation/complete", 1);
        assert_eq!(done[0]["params"]["elicitationId"], "e1");
    }
}

fn visit_first(client: &mut Client, pair: &Pair) {
    if !pair.modern_client && !pair.modern_server {
        let refused = pair.call(client, "visit", json!({}));
        assert_eq!(refused["error"]["code"], -32042);
        assert_eq!(refused["error"]["data"]["elicitations"][0]["elicitationId"], "e1");
    }
    // A modern client is asked for input instead, and comes again.
    assert_eq!(pair.text(client, "visit", json!({})), "visited");
    client.notes.clear();
}

fn sampling(client: &mut Client, pair: &Pair) {
    assert!(pair.text(client, "sample", json!({})).contains("sampling/createMessage"));
}

fn roots(client: &mut Client, pair: &Pair) {
    assert!(pair.text(client, "roots", json!({})).contains("roots/list"));
    if !pair.modern_client {
        // Who asked may ask again; a modern server asks with each request anyway.
        let changed = "notifications/roots/list_changed";
        client.write(&json!({"jsonrpc": "2.0", "method": changed}).to_string());
        let told = pair.text(client, "told", json!({}));
        assert_eq!(told.contains(changed), !pair.modern_server, "{told}");
    }
}

fn prompts(client: &mut Client, pair: &Pair) {
    let listed = client.ask("prompts/list", json!({}));
    let name = pair.tool("greet");
    assert!(
        listed["result"]["prompts"]
            .as_array()
            .unwrap()
            .iter()
            .any(|prompt| prompt["name"] == *name)
    );
    let prompt = client.ask("prompts/get", json!({"name": name, "arguments": {"who": "Bo"}}));
    assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "Hello Bo");
    // What a prompt links to can be read.
    let linked = client.ask("prompts/get", json!({"name": pair.tool("linked")}));
    for (index, own) in ["test://one", "test://two"].iter().enumerate() {
        let content = &linked["result"]["messages"][index]["content"];
        let uri = if index == 0 { &content["resource"]["uri"] } else { &content["uri"] };
        assert_eq!(*uri, pair.uri(own));
        assert_eq!(read(client, uri), format!("content of {own}"));
    }
    let unknown = client.ask("prompts/get", json!({"name": pair.tool("nope")}));
    assert_eq!(unknown["error"]["code"], -32602);
}

fn read(client: &mut Client, uri: &Value) -> String {
    let read = client.ask("resources/read", json!({"uri": uri}));
    assert_eq!(read["result"]["contents"][0]["uri"], *uri, "{read}");
    read["result"]["contents"][0]["text"].as_str().unwrap().to_owned()
}

fn resources(client: &mut Client, pair: &Pair) {
    let listed = client.ask("resources/list", json!({}))["result"]["resources"].clone();
    let mut of_pair = 0;
    for resource in listed.as_array().unwrap() {
        if resource["uri"].as_str().unwrap().starts_with(&pair.uri("")) {
            of_pair += 1;
            assert!(read(client, &resource["uri"]).starts_with("content of test://"));
        }
    }
    assert_eq!(of_pair, 2);
    // Of several contents each is under a URI that can be read in turn.
    let all = client.ask("resources/read", json!({"uri": pair.uri("test://all")}));
    let contents = all["result"]["contents"].as_array().unwrap();
    assert_eq!(contents.len(), 2);
    assert_eq!(read(client, &contents[1]["uri"]), "content of test://two");
    let templates = client.ask("resources/templates/list", json!({}));
    assert!(
        templates["result"]["resourceTemplates"]
            .as_array()
            .unwrap()
            .iter()
            .any(|template| template["uriTemplate"] == pair.uri("test://item/{id}"))
    );
    let missing = client.ask("resources/read", json!({"uri": pair.uri("nope")}));
    assert_eq!(missing["error"]["code"], if pair.modern_client { -32602 } else { -32002 });
    // A link in a tool's result can be followed.
    let link = pair.call(client, "link", json!({}));
    assert_eq!(read(client, &link["result"]["content"][0]["uri"]), "content of test://one");
    assert_eq!(
        read(client, &link["result"]["content"][1]["resource"]["uri"]),
        "content of test://two"
    );
}

fn completion(client: &mut Client, pair: &Pair) {
    for reference in [
        json!({"type": "ref/resource", "uri": pair.uri("test://item/{id}")}),
        json!({"type": "ref/prompt", "name": pair.tool("greet")}),
    ] {
        let completed = client.ask(
            "completion/complete",
            json!({"ref": reference, "argument": {"name": "id", "value": "4"}}),
        );
        assert_eq!(completed["result"]["completion"]["values"][0], "4-completed", "{completed}");
    }
}

fn logging(client: &mut Client, pair: &Pair) {
    let mut meta = json!({});
    if pair.modern_client {
        // None is wanted where no level is named.
        pair.text(client, "log", json!({}));
        meta = json!({"io.modelcontextprotocol/logLevel": "info"});
    } else {
        client.ask("logging/setLevel", json!({"level": "error"}));
        pair.text(client, "log", json!({}));
        client.ask("logging/setLevel", json!({"level": "info"}));
        let bad = client.ask("logging/setLevel", json!({"level": "loud"}));
        assert_eq!(bad["error"]["code"], -32602);
    }
    client.ask("tools/call", json!({"name": pair.tool("log"), "arguments": {}, "_meta": meta}));
    let said = client.notified("notifications/message", 1);
    assert_eq!((said.len(), &said[0]["params"]["data"]), (1, &json!("hello")));
}

fn changes(client: &mut Client, pair: &Pair) {
    let two = pair.uri("test://two");
    let listen = pair.modern_client.then(|| {
        client.send(
            "subscriptions/listen",
            json!({"notifications": {"toolsListChanged": true, "promptsListChanged": true,
                   "resourcesListChanged": true, "resourceSubscriptions": [two], "taskIds": ["x"]}}),
        )
    });
    if listen.is_some() {
        let agreed = client.notified("notifications/subscriptions/acknowledged", 1);
        let agreed = &agreed[0]["params"]["notifications"];
        assert_eq!(agreed["promptsListChanged"], true);
        // Not agreed to, which the specification allows: tasks are asked after.
        assert!(agreed.get("taskIds").is_none());
    } else {
        client.ask("resources/subscribe", json!({"uri": two}));
    }
    let updated = client.notified("notifications/resources/updated", 1);
    assert_eq!(updated[0]["params"]["uri"], two);
    for (list, item) in [("prompts", pair.tool("late")), ("resources", pair.uri("test://late"))] {
        pair.text(client, "change", json!({"what": list}));
        client.notified(&format!("notifications/{list}/list_changed"), 1);
        let listed = client.ask(&format!("{list}/list"), json!({}));
        assert!(listed.to_string().contains(&item), "{listed}");
    }
    pair.text(client, "add_tool", json!({}));
    let changed = client.notified("notifications/tools/list_changed", 1);
    assert_eq!(pair.text(client, "late", json!({})), "late");
    let again = |note: &Value| note["method"] == "notifications/tools/list_changed";
    assert!(changed.len() == 1 && !client.notes.iter().any(again), "told twice");
    match listen {
        Some(id) => cancel(client, id),
        None => drop(client.ask("resources/unsubscribe", json!({"uri": two}))),
    }
}

/// Calls the tool that can run as a task, and asks for one where the era is so.
fn start_of(client: &mut Client, pair: &Pair, arguments: Value) -> Value {
    let mut params = json!({"name": pair.tool("task"), "arguments": arguments});
    if !pair.modern_client {
        params["task"] = json!({"ttl": 60_000});
    }
    client.ask("tools/call", params)["result"].clone()
}

fn tasks(client: &mut Client, pair: &Pair) {
    let mut start = |arguments: Value| start_of(client, pair, arguments);
    // A result of a task is a result: if it is large, it is replaced and can be read back.
    let small = start(json!({}));
    let large = start(json!({"bytes": 100_000}));
    let asking = start(json!({"input": true}));
    let hanging = if pair.modern_client == pair.modern_server {
        start(json!({"hang": true}))
    } else {
        Value::Null
    };
    if pair.modern_client != pair.modern_server {
        // Neither can ask the other for one: the call is answered as any call.
        assert_eq!(small["content"][0]["text"], "long ".repeat(4));
        assert!(large["_meta"]["weir/blob"].is_object() && asking["content"].is_array());
    } else if pair.modern_client {
        assert_eq!(small["resultType"], "task");
        let id = &small["taskId"];
        assert_eq!(*id, pair.uri("task 1"));
        let got = client.ask("tasks/get", json!({"taskId": id}))["result"].clone();
        assert_eq!((&got["taskId"], &got["status"]), (id, &json!("completed")));
        assert_eq!(got["result"]["content"][0]["text"], "long ".repeat(4));
        let got = client.ask("tasks/get", json!({"taskId": large["taskId"]}))["result"].clone();
        assert_eq!(got["result"]["_meta"]["weir/blob"]["bytes"], 100_000, "{got}");
        let huge = start_of(client, pair, json!({"bytes": 17 << 20}));
        let got = client.ask("tasks/get", json!({"taskId": huge["taskId"]}))["result"].clone();
        assert_eq!((&got["taskId"], &got["status"]), (&huge["taskId"], &json!("completed")));
        assert_eq!(got["result"]["_meta"]["weir/blob"]["bytes"], (17 << 20) / 5 * 5, "{got}");
        let asked = client.ask("tasks/get", json!({"taskId": asking["taskId"]}))["result"].clone();
        assert_eq!(asked["inputRequests"]["name"]["method"], "elicitation/create");
        let answer = json!({"taskId": asking["taskId"], "inputResponses": {"name": {"action": "accept", "content": {"name": "Ann"}}}});
        assert!(client.ask("tasks/update", answer)["result"].is_object());
        let got = client.ask("tasks/get", json!({"taskId": asking["taskId"]}))["result"].clone();
        assert!(got["result"]["content"][0]["text"].as_str().unwrap().contains("Ann"), "{got}");
    } else {
        let id = &small["task"]["taskId"];
        assert_eq!(*id, pair.uri("task 1"));
        let got = client.ask("tasks/get", json!({"taskId": id}))["result"].clone();
        assert_eq!((&got["taskId"], &got["status"]), (id, &json!("completed")));
        let result = client.ask("tasks/result", json!({"taskId": id}))["result"].clone();
        assert_eq!(result["content"][0]["text"], "long ".repeat(4));
        assert_eq!(result["_meta"]["io.modelcontextprotocol/related-task"]["taskId"], *id);
        let id = &large["task"]["taskId"];
        let result = client.ask("tasks/result", json!({"taskId": id}))["result"].clone();
        assert_eq!(result["_meta"]["weir/blob"]["bytes"], 100_000, "{result}");
        assert_eq!(result["_meta"]["io.modelcontextprotocol/related-task"]["taskId"], *id);
        // It asks while its result is waited for, and says which task asks.
        let id = &asking["task"]["taskId"];
        let result = client.ask("tasks/result", json!({"taskId": id}))["result"].clone();
        assert!(result["content"][0]["text"].as_str().unwrap().contains("Ann"), "{result}");
        let asked = client.asked("elicitation/create");
        assert_eq!(asked["params"]["_meta"]["io.modelcontextprotocol/related-task"]["taskId"], *id);
        let listed = client.ask("tasks/list", json!({}))["result"]["tasks"].clone();
        assert!(listed.as_array().unwrap().iter().any(|task| task["taskId"] == *id), "{listed}");
    }
    let handle = if pair.modern_client { &hanging } else { &hanging["task"] };
    if let Some(id) = handle.get("taskId") {
        assert!(client.ask("tasks/cancel", json!({"taskId": id}))["result"].is_object());
        let got = client.ask("tasks/get", json!({"taskId": id}));
        assert_eq!(got["result"]["status"], "cancelled");
        if !pair.modern_client {
            let told = client.notified("notifications/tasks/status", 1);
            assert_eq!(told[0]["params"]["taskId"], *id);
        }
    }
    let unknown = client.ask("tasks/get", json!({"taskId": pair.uri("nope")}));
    assert_eq!(unknown["error"]["code"], -32602);
    // A tool that runs only as a task can be called without: it is run as one and waited for.
    let (name, arguments) = (pair.tool("must_task"), json!({"bytes": 100_000}));
    let answer = client.ask("tools/call", json!({"name": name, "arguments": arguments}));
    if pair.modern_server && !pair.modern_client {
        assert_eq!(answer["error"]["code"], -32021);
    } else if pair.modern_server {
        assert_eq!(answer["result"]["resultType"], "task");
    } else {
        assert_eq!(answer["result"]["_meta"]["weir/blob"]["bytes"], 100_000, "{answer}");
    }
}

fn other_era(client: &mut Client, pair: &Pair) {
    let foreign: &[&str] = if pair.modern_client {
        &[
            "ping",
            "logging/setLevel",
            "resources/subscribe",
            "resources/unsubscribe",
            "tasks/result",
            "tasks/list",
        ]
    } else {
        assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
        &["server/discover", "subscriptions/listen", "tasks/update"]
    };
    for method in foreign.iter().chain(&["no/such"]) {
        assert_eq!(client.ask(method, json!({}))["error"]["code"], -32601, "{method}");
    }
    assert_eq!(client.call("no_such_tool", json!({}))["error"]["code"], -32602);
}

fn refusals(client: &mut Client, pair: &Pair) {
    // Forms are what `elicitation: {}` says.
    assert!(pair.text(client, "ask", json!({})).contains("Ann"));
    for (tool, code) in [("ask_url", "-32602"), ("sample", "-32601"), ("roots", "-32601")] {
        let answer = pair.call(client, tool, json!({}));
        match (pair.modern_client, pair.modern_server) {
            // The server hears what a client without it says.
            (_, false) => {
                let text = answer["result"]["content"][0]["text"].as_str().unwrap();
                assert!(text.contains(code) && text.contains("not support"), "{answer}");
            }
            // The server may not ask for it, and the client is told that it did.
            (false, true) => {
                let said = answer["error"]["message"].as_str().unwrap();
                assert!(said.contains("not support"), "{answer}");
                assert_eq!(answer["error"]["code"], -31001);
            }
            // Between the two of them.
            (true, true) => {}
        }
    }
    if pair.modern_client && !pair.modern_server {
        let refused = pair.call(client, "visit", json!({}));
        assert_eq!(refused["error"]["code"], -32021, "{refused}");
        assert_eq!(
            refused["error"]["data"]["requiredCapabilities"]["elicitation"],
            json!({"url": {}})
        );
    }
    if pair.modern_client {
        let refused =
            client.ask("subscriptions/listen", json!({"notifications": {"taskIds": ["x"]}}));
        assert_eq!(refused["error"]["code"], -32021, "{refused}");
    }
}
