//! Tools as clients see them: by their names, filtered, behind the bridge.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use serde_json::json;
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE, SERVER, server};
use crate::operations::until;

#[test]
fn tools_are_denied_renamed_and_described_as_configured() {
    let sandbox = Sandbox::new();
    let servers = json!({"s": {"command": SERVER, "weir": {
        "allow": ["echo", "pid", "fail"], "deny": ["f*"], "rename": {"pid": "process"}, "describe": {"pid": "Tells its process."},
    }}});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    assert_eq!(client.tool_names(), ["s__echo", "s__process", "weir_fetch"]);
    assert_eq!(client.tools()[1]["description"], "Tells its process.");
    assert!(client.text("s__process", json!({})).parse::<u32>().is_ok());
    assert_eq!(client.call("s__fail", json!({}))["error"]["code"], -32602);
    assert_eq!(client.call("fail", json!({}))["error"]["code"], -32602);
    assert!(
        client.text("echo", json!({})).contains("echo"),
        "a bare name will do where only one server has it"
    );
    client.close();
}

#[test]
fn one_server_on_the_command_line_keeps_its_names() {
    let sandbox = Sandbox::new();
    let mut client = Client::start_with(&sandbox, &["--", SERVER]);
    client.greet();
    assert!(client.tool_names().contains(&"echo".to_owned()));
    assert!(client.text("pid", json!({})).parse::<u32>().is_ok());
    assert_eq!(
        client.ask("resources/read", json!({"uri": "test://one"}))["result"]["contents"][0]["uri"],
        "test://one"
    );
    assert_eq!(
        client.ask("resources/list", json!({}))["result"]["resources"][0]["uri"],
        "test://one"
    );
    client.close();
}

#[test]
fn a_name_is_whole_behind_the_bridge_and_has_both_its_ends_where_clients_limit_it() {
    const OWN: &str = "get_accounts_account_id_workers_dispatch_namespaces_dispatch_namespace_scripts_settings_bindings";
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("long.lines");
    let schema = r#"{"type":"object","properties":{"account_id":{"type":"string"},"dispatch_namespace":{"type":"string"}}}"#;
    let tool = format!(
        r#"{{"name":"{OWN}","description":"Bindings of a script.","inputSchema":{schema}}}"#
    );
    std::fs::write(&file, tool + "\n").unwrap();
    let servers = json!({"cloud": server(&["--lines", file.to_str().unwrap()])});
    let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "passthrough"]);
    let listed = client.tool_names().remove(0);
    assert!(listed.starts_with("cloud__get_accounts_w") && listed.len() <= 50, "{listed}");
    assert!(listed.contains("bindings_"), "{listed}");
    client.close();
    let whole = format!("cloud__{OWN}");
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "bridge"]);
    let found = client.text("tool_search", json!({"query": "bindings of a script"}));
    assert!(found.contains(&format!(r#""name":"{whole}""#)), "{found}");
    for name in [whole.as_str(), OWN, listed.as_str()] {
        let shown = client.text("tool_describe", json!({"names": [name]}));
        assert!(shown.contains(&whole) && !shown.contains("no such tool"), "{name}: {shown}");
        // The server lists it, and has no such tool: that is its own word, so it was asked.
        let called = client.call("tool_call", json!({"name": name, "arguments": {}}));
        assert_eq!(called["error"]["message"], "Unknown tool", "{name}: {called}");
    }
    client.close();
}

#[test]
fn the_first_call_needs_no_search_and_a_search_says_what_it_left_out() {
    let sandbox = Sandbox::new();
    let gone = json!({"command": "/no/such/program"});
    let servers = json!({"here": server(&[]), "gone": gone, "broken": {"args": []}});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "bridge"]);
    let call = json!({"calls": [{"name": "here__echo", "arguments": {"text": "hi"}}]});
    let called = client.text("tool_call", call);
    assert!(called.contains(r#""text":"hi""#), "{called}");
    let found = client.call("tool_search", json!({"query": "echo"}));
    let blocks = found["result"]["content"].as_array().unwrap();
    let matches: serde_json::Value =
        serde_json::from_str(blocks[0]["text"].as_str().unwrap()).unwrap();
    assert!(matches["results"].to_string().contains("here__echo"), "{found}");
    assert_eq!(blocks.len(), 1, "{found}");
    let missing: Vec<&str> = matches["not_searched"]
        .as_array()
        .unwrap()
        .iter()
        .filter_map(|text| text.as_str())
        .collect();
    assert!(missing[0].starts_with("gone: not usable now: "), "{missing:?}");
    assert!(
        missing[0].contains("/no/such/program") && missing[0].contains("attempt"),
        "{missing:?}"
    );
    assert!(missing[1].starts_with("broken: not usable now: "), "{missing:?}");
    // The same for who asks for its tools by name.
    for (tool, arguments) in [
        ("tool_describe", json!({"names": ["gone__x"]})),
        ("tool_call", json!({"calls": [{"name": "gone__x", "arguments": {}}]})),
    ] {
        let answer: serde_json::Value =
            serde_json::from_str(&client.text(tool, arguments)).unwrap();
        let one = if tool == "tool_call" { &answer["calls"][0] } else { &answer["missing"][0] };
        assert!(one["error"].as_str().unwrap().contains("gone cannot be used now"), "{answer}");
        assert!(one["unavailable"].as_str().unwrap().contains("/no/such/program"), "{answer}");
    }
    let described = client.call("tool_describe", json!({"names": ["here__echo"]}));
    assert_eq!(described["result"]["content"].as_array().unwrap().len(), 1, "{described}");
    client.close();
}

#[test]
fn the_bridge_shows_few_tools_and_reaches_all() {
    let sandbox = Sandbox::new();
    let denied = json!({"command": SERVER, "args": ["--modern"], "weir": {"deny": ["crash"]}});
    let trusted = json!({"command": SERVER, "weir": {"trust": true}});
    let servers = json!({"old": trusted, "new": denied, "many": server(&["--tools", "2000"])});
    let mut shown = Vec::new();
    for _ in 0..2 {
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "bridge"]);
        // Also at the first start, when servers are not known before they have been started once.
        let queries = json!({"queries": ["extra_1999", "new echo", "old echo"]});
        let found = client.search(queries);
        for name in ["many__extra_1999", "new__echo", "old__echo"] {
            assert!(found.contains(name), "{found}");
        }
        let id = client.send("tools/list", json!({}));
        let (listed, line) = client.wait(id);
        shown.push(line.replace(&format!("\"id\":{id}"), ""));
        let tools = listed["result"]["tools"].as_array().unwrap();
        let names: BTreeSet<&str> =
            tools.iter().map(|tool| tool["name"].as_str().unwrap()).collect();
        assert_eq!(
            names,
            BTreeSet::from([
                "tool_search",
                "tool_describe",
                "tool_call",
                "tool_call_read",
                "weir_fetch"
            ])
        );
        assert!(tools.iter().all(|tool| tool["_meta"]["anthropic/alwaysLoad"] == true
            && tool.get("outputSchema").is_none()));
        assert!(shown[0].len() < 4 * 2_300, "{} characters of tools", shown[0].len());

        let described = client.text("tool_describe", json!({"names": ["old__echo"]}));
        let parameters =
            r#""parameters":{"properties":{"text":{"type":"string"}},"type":"object"}"#;
        assert!(described.contains(parameters), "{described}");
        let called = client.text(
            "tool_call",
            json!({"calls": [{"name": "old__echo", "arguments": {"text": "hi"}}]}),
        );
        assert!(called.contains(r#""text":"hi""#), "{called}");
        // Several at once, one of them unknown or denied: an answer that says so.
        let both = client.call("tool_call", json!({"calls": [{"name": "old__pid", "arguments": {}}, {"name": "new__pid", "arguments": {}}]}));
        let texts: Vec<&str> = both["result"]["content"]
            .as_array()
            .unwrap()
            .iter()
            .filter_map(|block| block["text"].as_str())
            .collect();
        assert_eq!(texts.iter().filter(|text| text.parse::<u32>().is_ok()).count(), 2, "{both}");
        // Calls that may change something wait for each other, in their order: together they take as long
        // as one after the other.
        let slow = json!({"name": "old__slow", "arguments": {"steps": 10, "ms": 40}});
        let asked = Instant::now();
        let both = client.call("tool_call", json!({"calls": [slow, slow, slow]}));
        assert_eq!(both.to_string().matches("done").count(), 3, "{both}");
        assert!(asked.elapsed() >= Duration::from_millis(1_200), "{:?}", asked.elapsed());
        let answer =
            client.call("tool_call", json!({"calls": [{"name": "new__crash", "arguments": {}}]}));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(!client.search(json!({"query": "crash"})).contains("new__crash"));
        // The variants hold to what they say.
        let read = |client: &mut Client, variant: &str, tool: &str| {
            let answer = client.call(variant, json!({"calls": [{"name": tool, "arguments": {}}]}));
            (answer["result"]["isError"] == true, answer["result"]["content"].to_string())
        };
        assert!(!read(&mut client, "tool_call_read", "old__pid").0);
        // What an untrusted server says of itself opens nothing.
        let (refused, why) = read(&mut client, "tool_call_read", "new__pid");
        assert!(refused && why.contains("weir.trust"), "{why}");
        let (refused, why) = read(&mut client, "tool_call_read", "old__log");
        assert!(refused && why.contains("tool_call"), "{why}");
        // Not listed, and still called by who knows it.
        let (refused, said) = read(&mut client, "tool_call_write", "old__log");
        assert!(!refused && said != "null", "{said}");
        assert!(read(&mut client, "tool_call_write", "old__fail").0);
        // A large result of a tool behind the bridge is replaced like any other.
        let big = client.call(
            "tool_call",
            json!({"calls": [{"name": "old__big", "arguments": {"bytes": 100_000}}]}),
        );
        assert!(big["result"]["_meta"]["weir/blob"].is_object(), "{big}");
        client.close();
    }
    assert_eq!(shown[0], shown[1], "the list depends on nothing but the servers");
}

#[test]
fn tools_of_one_name_on_two_servers_are_both_offered() {
    let sandbox = Sandbox::new();
    let servers = json!({"one": server(&[]), "two": server(&[])});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "bridge"]);
    let both = |text: &str| {
        assert!(text.contains("one__echo") && text.contains("two__echo"), "{text}");
    };
    both(&client.search(json!({"query": "echo"})));
    both(&client.search(json!({"query": "select:echo"})));
    both(&client.text("tool_describe", json!({"names": ["echo"]})));
    let call = json!({"calls": [{"name": "echo", "arguments": {"text": "hi"}}]});
    both(&client.text("tool_call", call));
    let direct = client.call("echo", json!({"text": "hi"}));
    assert_eq!(direct["result"]["isError"], true, "{direct}");
    both(&direct.to_string());
    client.close();
}

#[test]
fn few_tools_are_listed_and_many_are_bridged() {
    let start = |servers: serde_json::Value| {
        let sandbox = Sandbox::new();
        let file = sandbox.path().join("servers.json");
        // On a busy machine a start may take longer than the first list waits for it.
        let config = json!({"mcpServers": servers, "weir": {"firstWait": 60, "listWait": 60}});
        std::fs::write(&file, config.to_string()).unwrap();
        let mut client = Client::start_with(&sandbox, &["--servers", file.to_str().unwrap()]);
        client.greet();
        (sandbox, client)
    };
    let (sandbox, mut client) = start(json!({"few": server(&[])}));
    // The names of one server are its own, until there is another; with the server's before them they are known in both.
    assert!(client.tool_names().contains(&"echo".to_owned()));
    client.text("few__echo", json!({"text": "as before"}));
    let more = json!({"few": server(&[]), "more": server(&[])});
    let config = json!({"mcpServers": more, "weir": {"listWait": 60, "mode": "passthrough"}});
    std::fs::write(sandbox.path().join("servers.json"), config.to_string()).unwrap();
    until("the server's name before its tools'", || {
        client.tool_names().contains(&"few__echo".to_owned()).then_some(())
    });
    client.text("few__echo", json!({"text": "as before"}));
    client.close();
    let (_sandbox, mut client) = start(json!({"many": server(&["--tools", "1000"])}));
    assert!(client.tool_names().contains(&"tool_search".to_owned()));
    client.close();
}

#[test]
fn the_first_list_of_a_fresh_installation_comes_at_once_and_shows_no_flood() {
    let sandbox = Sandbox::new();
    let slow = json!({"command": SERVER, "args": ["--mode", "mute"], "weir": {"startTimeout": 20}});
    let servers = json!({"slow": slow, "few": server(&[])});
    let file = sandbox.path().join("servers.json");
    std::fs::write(&file, json!({"mcpServers": servers}).to_string()).unwrap();
    // Nothing is compiled yet either.
    let cache = sandbox.path().join("cache");
    let environment = [("XDG_CACHE_HOME", cache.to_str().unwrap())];
    let start = || {
        let flags = ["--servers", file.to_str().unwrap()];
        let mut client = Client::start_in(&sandbox, &flags, &environment);
        client.greet();
        client
    };
    // The list comes before the component is compiled, and long before the server that says nothing is
    // given up.
    let compiled = || {
        std::fs::read_dir(cache.join("weir")).is_ok_and(|mut files| {
            files.any(|file| file.unwrap().path().extension().is_some_and(|name| name == "cwasm"))
        })
    };
    let mut client = start();
    let first = client.tools();
    assert!(!compiled());
    let search = first.iter().find(|tool| tool["name"] == "tool_search").unwrap();
    // Each server is named: with its tools where code made in haste could list them already.
    let description = search["description"].as_str().unwrap();
    assert!(description.contains("few") && description.ends_with("slow."), "{search}");
    // Ended while the component is compiled: nothing waits for that.
    drop(client.input.take());
    client.child.wait().unwrap();
    assert!(!compiled());

    let mut client = start();
    let first = client.tools();
    // The servers are known, and few; the component is there: what is shown stays small.
    let found = client.search(json!({"queries": ["echo"]}));
    assert!(found.contains("few__echo"), "{found}");
    let then = client.tools();
    // Told of what is new since; a slow machine may have had all of it in its first list.
    if first != then {
        client.notified("notifications/tools/list_changed", 1);
    }
    let shape = |tools: &[serde_json::Value]| -> Vec<(String, BTreeSet<String>)> {
        let keys = |tool: &serde_json::Value| {
            let properties = tool["inputSchema"]["properties"].as_object().unwrap();
            properties.keys().cloned().collect()
        };
        tools.iter().map(|tool| (tool["name"].as_str().unwrap().to_owned(), keys(tool))).collect()
    };
    let (first, then) = (shape(&first), shape(&then));
    assert_eq!(first.len(), then.len(), "{then:?}");
    for ((name, early), (same, late)) in first.iter().zip(&then) {
        assert_eq!(name, same);
        assert!(early.is_subset(late), "{name} has no {:?}", early.difference(late));
    }
    client.close();
}

#[test]
fn skills_and_kinds_are_spoken_of_where_there_are_any_and_clients_are_told_when_that_changes() {
    let sandbox = Sandbox::new();
    let team = sandbox.path().join("team");
    std::fs::create_dir_all(&team).unwrap();
    let servers = json!({
        "s": server(&["--bare"]), "skills": {"builtin": "skills", "dirs": [team]},
    });
    let bridge = ["--mode", "bridge"];
    let mut client = Client::legacy(&sandbox, json!({"s": server(&["--bare"])}), &bridge);
    let words = |client: &mut Client| -> String {
        let bridge = client.tools().into_iter().filter(|tool| tool["name"] != "weir_fetch");
        bridge.map(|tool| tool.to_string()).collect()
    };
    client.search(json!({"queries": ["echo"]}));
    let plain = words(&mut client);
    assert!(!plain.contains("skill") && !plain.contains("kinds"), "{plain}");
    let nothing = client.search(json!({"queries": ["+zebra"]}));
    assert!(nothing.contains(r#"{\"kinds\":[\"result\"]} searches"#), "{nothing}");
    assert!(!client.search(json!({"queries": ["echo"]})).contains("other_kinds"));
    client.close();
    // A server of skills that has none yet.
    let mut client = Client::legacy(&sandbox, servers, &bridge);
    client.search(json!({"queries": ["echo"]}));
    let none = words(&mut client);
    assert!(!none.contains("skill (") && !none.contains(r#""skill""#), "{none}");
    client.notes.clear();
    let skill = "---\nname: refunds\ndescription: Pay a customer back\n---\nDo it.\n";
    std::fs::create_dir(team.join("refunds")).unwrap();
    std::fs::write(team.join("refunds/SKILL.md"), skill).unwrap();
    let until = Instant::now() + PATIENCE;
    while !client.search(json!({"queries": ["pay a customer back"]})).contains("refunds") {
        assert!(Instant::now() < until);
        std::thread::sleep(Duration::from_millis(50));
    }
    client.notified("notifications/tools/list_changed", 1);
    let shown = words(&mut client);
    assert!(shown.contains("texts of skills") && shown.contains(r#"["tool","skill","#), "{shown}");
    client.close();
}
