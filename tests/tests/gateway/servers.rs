//! Servers with bad manners, and servers that come and go.

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE, SERVER, server};

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
        "chatty": server(&["--mode", "chatty"]), "stubborn": server(&["--mode", "stubborn"]), "many": server(&["--tools", "9000"]),
        "mute": mute, "crash": crash, "none": {"command": "no-such-program-anywhere"}, "variable": {"command": "x", "env": {"A": "${NOT_SET_ANYWHERE}"}},
    });
    let mut client = match modern {
        false => Client::legacy(&sandbox, servers, &["--mode", "passthrough"]),
        true => Client::modern(&sandbox, servers, &["--mode", "passthrough"]),
    };
    let until = Instant::now() + PATIENCE;
    let working =
        ["good", "silent", "exits", "echoes", "noisy", "cyclic", "chatty", "stubborn", "many"];
    loop {
        let names = client.tool_names();
        let there =
            |server: &str| names.iter().any(|name| name.starts_with(&format!("{server}__")));
        if working.iter().all(|server| there(server)) {
            assert_eq!(names.iter().filter(|name| name.starts_with("many__")).count(), 9_025);
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
        let until = Instant::now() + PATIENCE;
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
        let until = Instant::now() + PATIENCE;
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
fn known_servers_are_listed_at_once_and_asked_anew_behind_it() {
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
    let by = Instant::now() + PATIENCE;
    while starts() < 2 {
        assert!(Instant::now() < by, "it is not asked anew");
        std::thread::sleep(Duration::from_millis(20));
    }
    client.text("s__pid", json!({}));
    assert_eq!(starts(), 2);
    client.close();
}

/// A server that is not known is asked in the modern way first, for skills that it may have there alone. One that speaks only
/// the legacy way takes no harm, and is not asked again.
#[test]
fn a_server_of_the_legacy_era_is_asked_once_whether_it_is_one() {
    let sandbox = Sandbox::new();
    let mark = |name: &str| sandbox.path().join(name);
    let flags = |name: &str| vec!["--mark".to_owned(), mark(name).display().to_string()];
    let with = |name: &str, more: &[&str]| {
        let more = more.iter().map(|flag| (*flag).to_owned());
        json!({"command": SERVER, "args": flags(name).into_iter().chain(more).collect::<Vec<_>>()})
    };
    let servers = json!({
        "plain": with("plain", &[]), "silent": with("silent", &["--mode", "silent-to-discover"]),
        "exits": with("exits", &["--mode", "exits-on-unknown"]), "both": with("both", &["--both", "--one-era"]),
    });
    let starts = |name: &str| std::fs::read_to_string(mark(name)).unwrap().lines().count();
    let mut before = [0; 4];
    // The one that ends is started again, as is the one that is spoken to as its client speaks.
    for expected in [[1, 1, 2, 2], [1, 1, 1, 1]] {
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "passthrough"]);
        let names = ["plain", "silent", "exits", "both"];
        for name in names {
            let told = client.text(&format!("{name}__told"), json!({}));
            assert!(told.contains("notifications/initialized"), "{name}: {told}");
        }
        client.close();
        let now = names.map(starts);
        assert_eq!(std::array::from_fn(|at| now[at] - before[at]), expected);
        before = now;
    }
}

#[test]
fn a_client_gets_the_tools_that_a_server_has_for_what_the_client_can_do() {
    let sandbox = Sandbox::new();
    let mark = sandbox.path().join("starts");
    let servers = json!({"s": server(&["--picky", "--mark", mark.to_str().unwrap()])});
    let starts = || std::fs::read_to_string(&mark).unwrap_or_default().lines().count();
    let connect = |capabilities: serde_json::Value| {
        let mut client = Client::start(&sandbox, servers.clone(), &["--mode", "passthrough"]);
        client.capabilities = capabilities;
        client.greet();
        client
    };
    let has =
        |tools: &[serde_json::Value]| tools.iter().any(|tool| tool["name"] == "s__sampled_only");
    // What is known comes from a client that cannot sample.
    let mut client = connect(json!({}));
    assert!(!has(&client.tools()));
    client.close();
    assert_eq!(starts(), 1);
    // Called by a client that can, before it has been told of anything.
    let mut client = connect(json!({"sampling": {}}));
    assert_eq!(client.text("s__sampled_only", json!({})), "sampled");
    assert!(has(&client.tools()));
    client.close();
    // Known for clients like this one.
    let mut client = connect(json!({"sampling": {}}));
    assert!(has(&client.tools()));
    client.close();
}

#[test]
fn a_list_waits_once_for_a_server_that_does_not_answer() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("servers.json");
    let mute = json!({"command": SERVER, "args": ["--mode", "mute"]});
    let servers = json!({
        "mcpServers": {"mute": mute, "good": server(&[])}, "weir": {"listWait": 8},
    });
    std::fs::write(&file, servers.to_string()).unwrap();
    let flags = ["--servers", file.to_str().unwrap(), "--mode", "passthrough"];
    let mut client = Client::start_with(&sandbox, &flags);
    client.greet();
    let asked = Instant::now();
    let tools = client.tools();
    assert!(asked.elapsed() < Duration::from_secs(2 * 8), "{:?}", asked.elapsed());
    assert!(tools.iter().any(|tool| tool["name"] == "good__echo"));
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
        .send("tools/call", json!({"name": "b__slow", "arguments": {"steps": 40, "ms": 100}, "_meta": {"progressToken": 1}}));
    client.notified("notifications/progress", 1);
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
    // Nor where the tool's own words contradict it.
    std::fs::remove_file(&marks).unwrap();
    let sandbox = Sandbox::new();
    let catalog = sandbox.path().join("catalog.json");
    let tool = json!({"name": "flaky", "description": "Sends a letter.", "inputSchema": {"type": "object"},
        "annotations": {"readOnlyHint": true}});
    std::fs::write(&catalog, json!({"tools": [tool]}).to_string()).unwrap();
    let flags = ["--mark", marks.to_str().unwrap(), "--catalog", catalog.to_str().unwrap()];
    let trusted = json!({"command": SERVER, "args": flags, "weir": {"trust": true}});
    let mut client = Client::legacy(&sandbox, json!({"s": trusted}), &["--mode", "passthrough"]);
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
    let refused = refused.to_string();
    // Not the command: a model with a shell would run it.
    assert!(
        refused.contains("the user's approval") && !refused.contains("weir tools"),
        "{refused}"
    );
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
        // When this is answered, the calls before it have reached the server.
        client.text("s__pid", json!({}));
        assert!(client.text("s__crash", json!({})).contains("code 7"));
        for id in slow {
            assert_eq!(client.wait(id).0["result"]["isError"], true);
        }
        // The next call starts it again, with no wait.
        assert!(client.text("s__pid", json!({})).parse::<u32>().is_ok());
    }
    client.close();
}

/// The server that a login is waited for by is started once, not ended, and works when it happened.
#[test]
fn a_process_that_waits_for_a_login_is_left_alone() {
    let sandbox = Sandbox::new();
    let (mark, until) = (sandbox.path().join("starts"), sandbox.path().join("logged-in"));
    let args = [
        "--mode",
        "waits-for-login",
        "--mark",
        mark.to_str().unwrap(),
        "--until",
        until.to_str().unwrap(),
    ];
    let slow = json!({"command": SERVER, "args": args, "weir": {"startTimeout": 1}});
    let mut client = Client::legacy(
        &sandbox,
        json!({"slow": slow, "good": server(&[])}),
        &["--mode", "passthrough"],
    );
    let patience = Instant::now() + PATIENCE;
    loop {
        let text = client.text("slow__pid", json!({}));
        if text.contains("needs a login") {
            assert!(text.contains("https://auth.example/authorize?client_id=x"), "{text}");
            break;
        }
        assert!(Instant::now() < patience, "{text}");
    }
    // Neither further calls nor the gateway by itself start it again.
    for _ in 0..10 {
        let text = client.text("slow__pid", json!({}));
        assert!(text.contains("needs a login"), "{text}");
    }
    assert!(client.text("good__pid", json!({})).parse::<u32>().is_ok());
    std::fs::write(&until, "").unwrap();
    let pid = loop {
        let text = client.text("slow__pid", json!({}));
        if let Ok(pid) = text.parse::<u32>() {
            break pid;
        }
        assert!(Instant::now() < patience, "{text}");
        std::thread::sleep(Duration::from_millis(20));
    };
    assert_eq!(std::fs::read_to_string(&mark).unwrap(), format!("{pid}\n"));
    client.close();
}

#[test]
fn a_secret_is_known_to_its_server_alone() {
    let sandbox = Sandbox::new();
    let weir = |words: &[&str], input: &str| {
        use std::io::Write as _;
        let mut child = sandbox
            .command(words)
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        (
            output.status.success(),
            String::from_utf8([output.stdout, output.stderr].concat()).unwrap(),
        )
    };
    let (good, said) = weir(&["secret", "set", "one"], "canary-secret-one\n");
    assert!(good && said.contains("secret:one") && !said.contains("canary"), "{said}");
    let (good, said) = weir(&["secret", "list"], "");
    assert!(good && said.trim() == "one", "{said}");

    let file = sandbox.path().join("servers.json");
    let servers = json!({
        "has": {"command": SERVER, "env": {"KEY": "secret:one"}},
        "crash": {"command": SERVER, "args": ["--mode", "crashes-at-start"], "env": {"SECRET": "secret:one"}},
        "other": {"command": SERVER}, "none": {"command": SERVER, "env": {"KEY": "secret:two"}},
    });
    std::fs::write(&file, json!({"mcpServers": servers}).to_string()).unwrap();
    let flags = ["--servers", file.to_str().unwrap(), "--mode", "passthrough"];
    let mut client = Client::start_with(&sandbox, &flags);
    client.greet();
    assert_eq!(client.text("has__env", json!({"name": "KEY"})), "canary-secret-one");
    assert_eq!(client.text("other__env", json!({"name": "KEY"})), "");
    let text = client.text("crash__x", json!({}));
    assert!(text.contains("token ***") && !text.contains("canary"), "{text}");
    let text = client.text("none__x", json!({}));
    assert!(text.contains("the secret two") && text.contains("the user has to"), "{text}");
    assert!(!text.contains("weir secret"), "a model would run it: {text}");
    client.close();

    // In the one file, whatever else was written meanwhile.
    let mut queue = vec![sandbox.path().to_owned()];
    let mut found = Vec::new();
    while let Some(directory) = queue.pop() {
        for entry in std::fs::read_dir(directory).unwrap().flatten() {
            match entry.path() {
                path if path.is_dir() => queue.push(path),
                // The result that the client asked for.
                path if path.starts_with(sandbox.store()) => {}
                path => {
                    let bytes = std::fs::read(&path).unwrap_or_default();
                    if String::from_utf8_lossy(&bytes).contains("canary-secret") {
                        found.push(path);
                    }
                }
            }
        }
    }
    assert_eq!(found.len(), 1, "{found:?}");
    assert!(found[0].ends_with("weir/secrets.json"), "{found:?}");

    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        std::fs::set_permissions(&found[0], std::fs::Permissions::from_mode(0o644)).unwrap();
        let (good, said) = weir(&["secret", "list"], "");
        assert!(!good && said.contains("chmod 600") && !said.contains("canary"), "{said}");
        let (_, said) = weir(&["servers", "--servers", file.to_str().unwrap()], "");
        assert!(said.contains("chmod 600") && !said.contains("canary"), "{said}");
    }
}

#[cfg(target_os = "linux")]
#[test]
#[expect(clippy::print_stderr, reason = "a test that is left out says so")]
fn an_isolated_server_sees_only_what_is_named() {
    let there = std::process::Command::new("bwrap")
        .args(["--unshare-all", "--ro-bind", "/", "/", "/bin/true"])
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        eprintln!(
            "skipped: an_isolated_server_sees_only_what_is_named, as bwrap is not there or not allowed"
        );
        return;
    }
    let sandbox = Sandbox::new();
    let path = |name: &str| {
        let path = sandbox.path().join(name);
        std::fs::create_dir_all(&path).unwrap();
        std::fs::write(path.join("file"), name).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let (shown, hidden) = (path("shown"), path("hidden"));
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let program = std::path::Path::new(SERVER).parent().unwrap().to_str().unwrap().to_owned();
    let isolation =
        |network: bool| json!({"isolation": {"read": [shown, program], "network": network}});
    let servers = json!({
        "box": {"command": SERVER, "env": {"KEY": "value"}, "weir": isolation(false)},
        "net": {"command": SERVER, "weir": isolation(true)},
        "free": {"command": SERVER},
        "gone": {"command": SERVER, "weir": {"isolation": {"read": ["/no/such/folder"]}}},
    });
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let mut sees = |server: &str, what: Value| client.text(&format!("{server}__env"), what);
    let file = |folder: &str| json!({"file": format!("{folder}/file")});
    assert_eq!(sees("free", file(&hidden)), "hidden");
    assert_eq!(sees("free", json!({"connect": address})), "connected");
    assert_eq!(sees("box", file(&shown)), "shown");
    assert_eq!(sees("box", file(&hidden)), "");
    assert_eq!(sees("box", json!({"connect": address})), "");
    assert_eq!(sees("box", json!({"name": "KEY"})), "value");
    assert_eq!(sees("net", json!({"connect": address})), "connected");
    assert_eq!(sees("net", file(&hidden)), "");
    let text = client.text("gone__x", json!({}));
    assert!(text.contains("/no/such/folder"), "{text}");
    client.close();
}

#[test]
fn an_answer_that_cannot_be_read_ends_its_call_and_no_other() {
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"s": server(&[])}), &["--mode", "passthrough"]);
    let long = "x".repeat(5 << 20);
    let twice =
        format!(r#""result":{{"content":[{{"type":"text","text":"{long}"}}]}},"result":{{}}"#);
    for (answer, said) in [
        (r#""result":{},"result":{}"#, "its answer has the member result twice"),
        (twice.as_str(), "its answer has the member result twice"),
        (r#""jsonrpc":"2.0""#, "its answer has neither a result nor an error"),
    ] {
        let other =
            client.send("tools/call", json!({"name": "s__slow", "arguments": {"steps": 3}}));
        let ended = client.call("s__hang", json!({"answer": answer})).to_string();
        assert!(ended.contains(said), "{ended}");
        assert_eq!(client.wait(other).0["result"]["content"][0]["text"], "done");
    }
    client.close();
}
