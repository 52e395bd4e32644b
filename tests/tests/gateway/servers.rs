//! Servers with bad manners, and servers that come and go.

use std::time::{Duration, Instant};

use serde_json::json;
use weir_tests::Sandbox;

use crate::client::{Client, SERVER, server};

/// Servers are first asked in the era of the first client: some take one badly, some the other.
#[test]
fn servers_with_bad_manners_leave_the_others_working() {
    for modern in [false, true] {
        bad_manners(modern);
    }
}

fn bad_manners(modern: bool) {
    let sandbox = Sandbox::new();
    let mute = json!({"command": SERVER, "args": ["--mode", "mute"], "weir": {"startTimeout": 3}});
    let crash = json!({"command": SERVER, "args": ["--mode", "crashes-at-start"], "env": {"SECRET": "canary-55512"}});
    let servers = json!({
        "good": server(&[]), "silent": server(&["--mode", "silent-to-discover"]), "exits": server(&["--mode", "exits-on-unknown"]),
        "echoes": server(&["--mode", "echoes-version"]), "noisy": server(&["--mode", "noisy"]), "cyclic": server(&["--mode", "cyclic-cursors"]),
        "chatty": server(&["--mode", "chatty"]), "stubborn": server(&["--mode", "stubborn"]), "many": server(&["--tools", "10000"]),
        "mute": mute, "crash": crash, "none": {"command": "no-such-program-anywhere"}, "variable": {"command": "x", "env": {"A": "${NOT_SET_ANYWHERE}"}},
    });
    let mut client = match modern {
        false => Client::legacy(&sandbox, servers, &["--mode", "passthrough"]),
        true => Client::modern(&sandbox, servers, &["--mode", "passthrough"]),
    };
    let until = Instant::now() + Duration::from_secs(60);
    let working =
        ["good", "silent", "exits", "echoes", "noisy", "cyclic", "chatty", "stubborn", "many"];
    loop {
        let names = client.tool_names();
        let there =
            |server: &str| names.iter().any(|name| name.starts_with(&format!("{server}__")));
        if working.iter().all(|server| there(server)) {
            assert_eq!(names.iter().filter(|name| name.starts_with("many__")).count(), 10_025);
            assert_eq!(names.iter().filter(|name| name.starts_with("cyclic__")).count(), 1);
            break;
        }
        assert!(Instant::now() < until, "not all of {working:?} are listed");
    }
    for name in ["good", "silent", "exits", "echoes", "noisy", "chatty", "stubborn", "many"] {
        assert!(client.text(&format!("{name}__pid"), json!({})).parse::<u32>().is_ok(), "{name}");
    }
    for (tool, reason) in [
        ("none__x", "no such program"),
        ("crash__x", "code 3"),
        ("variable__x", "NOT_SET_ANYWHERE"),
    ] {
        let text = client.text(tool, json!({}));
        assert!(text.contains(reason) && !text.contains("canary"), "{text}");
    }
    // A message of 17 MB on one line, and content of a type that nobody knows.
    let big = client.call("noisy__big", json!({"bytes": 17 << 20}));
    assert_eq!(big["result"]["_meta"]["weir/blob"]["bytes"], 17 << 20, "{big}");
    let odd = client.call("chatty__odd_content", json!({}));
    assert_eq!(odd["result"]["content"][0], json!({"type": "video", "frames": [1, 2.5]}));
    // One that ends in a call is there again for the next.
    let text = client.text("good__crash", json!({}));
    assert!(text.contains("code 7"), "{text}");
    assert!(client.text("good__pid", json!({})).parse::<u32>().is_ok());
    // A hundred calls at once, one start.
    let before = client.text("noisy__pid", json!({}));
    let ids: Vec<u64> = (0..100)
        .map(|_| client.send("tools/call", json!({"name": "noisy__pid", "arguments": {}})))
        .collect();
    for id in ids {
        assert_eq!(client.wait(id).0["result"]["content"][0]["text"], before.as_str());
    }
    client.close();
}

#[cfg(target_os = "linux")]
#[test]
fn no_process_of_a_server_survives_the_gateway_however_it_ends() {
    fn tree(root: u32) -> Vec<u32> {
        let mut found = vec![root];
        let mut at = 0;
        while at < found.len() {
            for entry in std::fs::read_dir("/proc").unwrap().flatten() {
                let Some(pid) =
                    entry.file_name().to_str().and_then(|name| name.parse::<u32>().ok())
                else {
                    continue;
                };
                let stat = std::fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
                let parent = stat
                    .rsplit_once(')')
                    .and_then(|(_, rest)| rest.split_whitespace().nth(1)?.parse::<u32>().ok());
                if parent == Some(found[at]) && !found.contains(&pid) {
                    found.push(pid);
                }
            }
            at += 1;
        }
        found
    }
    for signal in ["KILL", "TERM"] {
        let sandbox = Sandbox::new();
        let servers = json!({"a": server(&["--mode", "stubborn"]), "b": server(&[])});
        let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
        client.text("a__pid", json!({}));
        client.text("b__pid", json!({}));
        let until = Instant::now() + Duration::from_secs(20);
        let all = loop {
            let all = tree(client.child.id());
            // The gateway, two guards, two servers, the shell that one started, what that started.
            if all.len() >= 7 {
                break all;
            }
            assert!(Instant::now() < until, "not all processes are there: {all:?}");
            std::thread::sleep(Duration::from_millis(50));
        };
        std::process::Command::new("kill")
            .args([format!("-{signal}"), client.child.id().to_string()])
            .status()
            .unwrap();
        client.child.wait().unwrap();
        let until = Instant::now() + Duration::from_secs(8);
        loop {
            let left: Vec<&u32> = all
                .iter()
                .filter(|pid| {
                    let stat =
                        std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
                    stat.rsplit_once(')')
                        .is_some_and(|(_, rest)| !rest.trim_start().starts_with('Z'))
                })
                .collect();
            if left.is_empty() {
                break;
            }
            assert!(Instant::now() < until, "after SIG{signal} there are {left:?}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }
}

#[test]
fn known_servers_are_listed_without_being_started() {
    let sandbox = Sandbox::new();
    let mark = sandbox.path().join("starts");
    let servers = json!({"s": server(&["--mark", mark.to_str().unwrap()])});
    let starts = || std::fs::read_to_string(&mark).unwrap_or_default().lines().count();
    let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "passthrough"]);
    assert_eq!(client.tools().len(), 26);
    client.close();
    assert_eq!(starts(), 1);
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    assert_eq!(client.tools().len(), 26);
    assert_eq!(starts(), 1);
    client.text("s__pid", json!({}));
    assert_eq!(starts(), 2);
    client.close();
}

#[test]
fn a_changed_file_changes_only_the_servers_it_changes() {
    let sandbox = Sandbox::new();
    let mut client = Client::legacy(
        &sandbox,
        json!({"a": server(&[]), "b": server(&[])}),
        &["--mode", "passthrough"],
    );
    client.tools();
    let pid = client.text("a__pid", json!({}));
    let slow = client
        .send("tools/call", json!({"name": "b__slow", "arguments": {"steps": 40, "ms": 100}}));
    std::thread::sleep(Duration::from_millis(200));
    let file = sandbox.path().join("servers.json");
    std::fs::write(
        file,
        json!({"mcpServers": {"a": server(&[]), "c": server(&["--modern"])}}).to_string(),
    )
    .unwrap();
    client.notified("notifications/tools/list_changed", 1);
    assert_eq!(
        client.wait(slow).0["result"]["content"][0]["text"],
        "done",
        "a call in flight ends"
    );
    assert_eq!(client.text("a__pid", json!({})), pid, "a server that did not change goes on");
    assert!(client.text("c__pid", json!({})).parse::<u32>().is_ok());
    assert_eq!(client.call("b__pid", json!({}))["error"]["code"], -32602);
    client.close();
}

#[test]
fn only_a_call_that_may_be_made_twice_is_made_again() {
    let sandbox = Sandbox::new();
    let marks = sandbox.path().join("marks");
    let starts = || std::fs::read_to_string(&marks).unwrap_or_default().lines().count();
    let flags = ["--mark", marks.to_str().unwrap()];
    let trusted = json!({"command": SERVER, "args": flags, "weir": {"trust": true}});
    let mut client = Client::legacy(&sandbox, json!({"s": trusted}), &["--mode", "passthrough"]);
    client.tools();
    assert_eq!(starts(), 1);
    // It says that it only reads, and is trusted: its process ends under it, and nobody notices.
    assert_eq!(client.text("s__flaky", json!({})), "at the second attempt");
    assert_eq!(starts(), 2);
    // This one says nothing of the kind: it may have done half of what it does.
    let failed = client.call("s__crash", json!({}));
    assert!(failed["result"]["isError"] == true && failed.to_string().contains("code 7"));
    assert_eq!(starts(), 2);
    client.text("s__pid", json!({}));
    assert_eq!(starts(), 3);
    client.close();
    // What a server says of itself counts only where it is trusted.
    std::fs::remove_file(&marks).unwrap();
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"s": server(&flags)}), &["--mode", "passthrough"]);
    assert!(client.text("s__flaky", json!({})).contains("code 7"));
    assert_eq!(starts(), 1);
    client.close();
}

#[test]
fn a_tool_that_is_defined_anew_is_told_and_left_out_where_that_is_wanted() {
    let sandbox = Sandbox::new();
    let strict = json!({"command": SERVER, "weir": {"changed": "refuse"}});
    let servers = json!({"kept": server(&[]), "strict": strict});
    let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "passthrough"]);
    client.tools();
    // A tool that is new is no news.
    client.text("strict__add_tool", json!({}));
    client.notified("notifications/tools/list_changed", 1);
    assert_eq!(client.text("strict__late", json!({})), "late");
    for name in ["kept", "strict"] {
        client.text(&format!("{name}__change"), json!({"what": "tools"}));
        let told = client.notified("notifications/message", 1);
        let text = told[0]["params"]["data"].as_str().unwrap();
        assert!(told.len() == 1 && text.contains(name) && text.contains("echo"), "{text}");
        assert_eq!(text.contains("left out"), name == "strict", "{text}");
        client.notified("notifications/tools/list_changed", 1);
    }
    let tools = client.tools();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name);
    assert!(tool("kept__echo").unwrap()["description"].to_string().contains("every key"));
    assert!(tool("strict__echo").is_none() && tool("strict__pid").is_some());
    let refused = client.call("strict__echo", json!({}));
    assert_eq!(refused["result"]["isError"], true);
    assert!(refused.to_string().contains("weir.changed"), "{refused}");
    assert!(client.text("kept__echo", json!({})).contains("arguments"));
    client.close();
    // It stays left out, and a shell shows which it is.
    let file = sandbox.path().join("servers.json");
    let shown = sandbox.run([
        "servers",
        "--json",
        "--servers",
        file.to_str().unwrap(),
        "--state",
        sandbox.path().join("state").to_str().unwrap(),
    ]);
    for row in shown.json().as_array().unwrap() {
        assert_eq!(row["changed"], json!(["echo"]), "{row}");
        let listed = row["tools"].as_array().unwrap().contains(&json!("echo"));
        assert_eq!(listed, row["name"] == "kept", "{row}");
    }
}

#[test]
fn a_server_gets_no_variable_that_it_was_not_given() {
    let sandbox = Sandbox::new();
    let servers = json!({
        "plain": {"command": SERVER, "env": {"MINE": "given"}},
        "named": {"command": SERVER, "weir": {"inheritEnv": ["OTHER_TOKEN"]}},
        "all": {"command": SERVER, "weir": {"inheritEnv": true}},
        "crash": {"command": SERVER, "args": ["--mode", "crashes-at-start"], "weir": {"inheritEnv": ["SECRET"]}},
    });
    let file = sandbox.path().join("servers.json");
    std::fs::write(&file, json!({"mcpServers": servers}).to_string()).unwrap();
    let environment = [
        ("WEIR_TOKEN", "canary-gateway"),
        ("OTHER_TOKEN", "canary-other"),
        ("OTEL_EXPORTER_OTLP_HEADERS", "canary-otel"),
        ("SECRET", "canary-secret"),
    ];
    let flags = ["--servers", file.to_str().unwrap(), "--mode", "passthrough"];
    let mut client = Client::start_in(&sandbox, &flags, &environment);
    client.greet();
    let mut given = |server: &str, name: &str| {
        let answer = client.call(&format!("{server}__env"), json!({"name": name}));
        answer["result"]["content"][0]["text"].as_str().unwrap_or_default().to_owned()
    };
    assert_eq!(given("plain", "MINE"), "given");
    assert!(!given("plain", "PATH").is_empty());
    assert_eq!(given("named", "OTHER_TOKEN"), "canary-other");
    assert_eq!(given("all", "OTHER_TOKEN"), "canary-other");
    for (server, name) in [
        ("plain", "OTHER_TOKEN"),
        ("plain", "SECRET"),
        ("named", "SECRET"),
        ("plain", "WEIR_TOKEN"),
        ("all", "WEIR_TOKEN"),
        ("all", "OTEL_EXPORTER_OTLP_HEADERS"),
    ] {
        assert_eq!(given(server, name), "", "{server} {name}");
    }
    // Inherited by its name, it is a secret like one that is given.
    let text = client.text("crash__x", json!({}));
    assert!(text.contains("token ***") && !text.contains("canary"), "{text}");
    client.close();
}

#[test]
fn servers_that_differ_only_in_a_value_are_not_taken_for_each_other() {
    let sandbox = Sandbox::new();
    let servers = |tools: &str| {
        let entry = |n: &str| json!({"command": SERVER, "env": {"TOOLS": n}});
        json!({"home": entry("1"), "work": entry(tools)})
    };
    let listed = |client: &mut Client| {
        let names = client.tool_names();
        ["home__extra_0", "work__extra_0", "work__extra_1", "work__extra_2"]
            .map(|name| names.contains(&name.to_owned()))
    };
    let passthrough = ["--mode", "passthrough"];
    let mut client = Client::legacy(&sandbox, servers("2"), &passthrough);
    assert_eq!(listed(&mut client), [true, true, true, false]);
    client.close();
    let mut client = Client::legacy(&sandbox, servers("2"), &passthrough);
    assert_eq!(listed(&mut client), [true, true, true, false], "after a restart");
    client.close();
    // Another value may mean another account.
    let mut client = Client::legacy(&sandbox, servers("3"), &passthrough);
    assert_eq!(listed(&mut client), [true, true, true, true]);
    client.close();
}

#[test]
fn a_crash_under_many_calls_counts_once() {
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"s": server(&[])}), &["--mode", "passthrough"]);
    client.tools();
    for _ in 0..3 {
        client.text("s__pid", json!({}));
        let slow: Vec<u64> = (0..20)
            .map(|_| client.send("tools/call", json!({"name": "s__hang", "arguments": {}})))
            .collect();
        assert!(client.text("s__crash", json!({})).contains("code 7"));
        for id in slow {
            assert_eq!(client.wait(id).0["result"]["isError"], true);
        }
        // The next call starts it again, with no wait.
        assert!(client.text("s__pid", json!({})).parse::<u32>().is_ok());
    }
    client.close();
}
