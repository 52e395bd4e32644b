//! What whoever runs a gateway sees of it and sets: log, limits, state, approval, idle servers, changes.

use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE, SERVER, server};
use crate::endpoint::{Endpoint, INITIALIZE};

fn write(sandbox: &Sandbox, config: &Value) -> String {
    let file = sandbox.path().join("servers.json");
    // In one step: half a file is not to be read.
    let next = sandbox.path().join("servers.next");
    std::fs::write(&next, config.to_string()).unwrap();
    std::fs::rename(next, &file).unwrap();
    file.to_str().unwrap().to_owned()
}

/// Waits until something is so.
pub(crate) fn until<T>(what: &str, mut look: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = look() {
            return found;
        }
        assert!(Instant::now() < deadline, "{what} did not come");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn each_call_has_one_line_in_the_log_and_no_line_has_contents() {
    let sandbox = Sandbox::new();
    let config = json!({"mcpServers": {"s": server(&[])}, "weir": {"audit": true}});
    let file = write(&sandbox, &config);
    let mut client = Client::start_with(&sandbox, &["--servers", &file, "--mode", "bridge"]);
    client.greet();
    client.tools();
    let call = |name: &str| json!({"name": name, "arguments": {"text": "canary-argument"}});
    let both = json!({"calls": [call("s__echo"), call("s__fail")]});
    client.call("tool_call", both);
    client.call("s__echo", json!({"text": "canary-argument"}));
    client.call("s__nothing", json!({}));
    client.call("tool_search", json!({"queries": ["echo"]}));
    client.ask("resources/read", json!({"uri": "weir:s/test://canary-uri"}));
    let slow = json!({"name": "s__slow", "arguments": {"steps": 10_000, "ms": 20}, "_meta": {"progressToken": 1}});
    let slow = client.send("tools/call", slow);
    client.notified("notifications/progress", 1);
    client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": slow}}).to_string());
    client.text("s__pid", json!({}));
    client.close();
    let log = sandbox.path().join("state/audit.jsonl");
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(!text.contains("canary"), "{text}");
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let count = |server: &str, tool: &str, outcome: &str| {
        let of = |line: &&Value| {
            line["server"].as_str().unwrap_or("") == server
                && line["tool"].as_str().unwrap_or("") == tool
                && line["outcome"] == outcome
        };
        lines.iter().filter(of).count()
    };
    assert_eq!(count("s", "echo", "ok"), 2, "{text}");
    assert_eq!(count("s", "fail", "error"), 1, "{text}");
    assert_eq!(count("s", "nothing", "error"), 1, "{text}");
    assert_eq!(count("weir", "tool_search", "ok"), 1, "{text}");
    assert_eq!(count("s", "", "ok"), 1, "{text}");
    assert_eq!(count("s", "slow", "cancelled"), 1, "{text}");
    assert_eq!(lines.len(), 8, "{text}");
    for line in &lines {
        assert!(line["time"].as_str().unwrap().ends_with('Z') && line["client"]["name"] == "test");
        assert_eq!(line["arguments"].as_str().unwrap().len(), "sha256:".len() + 64);
        assert!(line["ms"].is_u64() && line["bytesIn"].as_u64().unwrap() > 0, "{line}");
    }
    let echo = lines.iter().find(|line| line["tool"] == "echo").unwrap();
    assert!(echo["bytesOut"].as_u64().unwrap() > 20, "{echo}");
}

#[test]
fn a_client_over_its_limits_is_told_which_and_others_are_not() {
    let sandbox = Sandbox::new();
    let config = json!({
        "mcpServers": {"s": server(&[])},
        "weir": {
            "audit": true,
            "limits": {"argumentBytes": 1_000},
            "tokens": {
                "few": {"token": "tok-few-1", "limits": {"callsPerMinute": 1}},
                "free": {"token": "tok-free-1"},
            },
        },
    });
    let file = write(&sandbox, &config);
    let endpoint = Endpoint::start_in(&sandbox, &["--servers", &file], &[]);
    let call = |token: &str, text: &str| {
        let auth = format!("Bearer {token}");
        let params = json!({"name": "s__echo", "arguments": {"text": text}});
        endpoint.modern("tools/call", params, &[("Authorization", &auth)]).1["result"].clone()
    };
    let begun = Instant::now();
    assert_ne!(call("tok-few-1", "x")["isError"], true);
    let mut refused: Vec<Value> = (0..3).map(|_| call("tok-few-1", "x")).collect();
    // What is no call of a tool has an error in its place.
    let params = json!({"uri": "weir:s/test://one"});
    let uri = [("Authorization", "Bearer tok-few-1"), ("Mcp-Name", "weir:s/test://one")];
    let read = endpoint.modern("resources/read", params, &uri).1;
    // One a minute is allowed, and no machine is so slow that all of them are.
    let allowed = begun.elapsed().as_secs() as usize / 60;
    refused.retain(|answer| answer["isError"] == true);
    let read_refused = read["error"]["code"] == -31002;
    assert!(refused.len() + usize::from(read_refused) + allowed >= 4, "{refused:?} {read}");
    assert!(read_refused || allowed > 0, "{read}");
    for refused in &refused {
        let text = refused["content"][0]["text"].as_str().unwrap();
        assert!(text.contains("1 calls a minute") && text.contains("possible in"), "{text}");
    }
    for _ in 0..6 {
        assert_ne!(call("tok-free-1", "x")["isError"], true);
    }
    let long = call("tok-free-1", &"x".repeat(2_000));
    assert!(long["isError"] == true && long.to_string().contains("limit of 1000"), "{long}");
    // A line is written after its answer.
    let wanted = refused.len() + usize::from(read_refused) + 1;
    let log = until("the lines of the log", || {
        let log = std::fs::read_to_string(sandbox.path().join("http-state/audit.jsonl")).ok()?;
        (log.matches(r#""outcome":"refused""#).count() >= wanted).then_some(log)
    });
    assert_eq!(log.matches(r#""outcome":"refused""#).count(), wanted, "{log}");
}

#[test]
fn status_shows_the_gateways_that_run_and_their_clients() {
    let sandbox = Sandbox::new();
    let state = sandbox.path().join("http-state");
    let gateways = || {
        let shown = sandbox.run(["status", "--json", "--state", state.to_str().unwrap()]);
        shown.json()["gateways"].as_array().unwrap().clone()
    };
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &["--token", "tok-1-2-3"]);
    let auth = ("Authorization", "Bearer tok-1-2-3");
    endpoint.send("POST", "/mcp", &[auth], INITIALIZE);
    endpoint.modern("tools/call", json!({"name": "s__pid", "arguments": {}}), &[auth]);
    let shown = until("the clients", || {
        let found = gateways();
        let clients = found.first()?["clients"].as_array()?.len();
        (clients == 2 && found[0]["servers"][0]["state"] == "ready").then_some(found)
    });
    let [gateway] = &shown[..] else { panic!("{shown:?}") };
    assert_eq!(gateway["pid"], endpoint.child.id());
    assert_eq!(gateway["endpoint"], format!("http://{}/mcp", endpoint.address));
    let versions: Vec<_> =
        gateway["clients"].as_array().unwrap().iter().map(|client| &client["version"]).collect();
    assert!(versions.contains(&&json!("2025-06-18")) && versions.contains(&&json!("2026-07-28")));
    assert!(!json!(shown).to_string().contains("tok-1-2-3"));
    let text = sandbox.run(["status", "--state", state.to_str().unwrap()]).stdout;
    assert!(text.contains("1 of 1 servers run, 2 clients"), "{text}");
    // One that was killed is not shown, and leaves nothing.
    drop(endpoint);
    assert!(gateways().is_empty());
    assert_eq!(std::fs::read_dir(state.join("run")).unwrap().count(), 0);
}

#[test]
fn what_is_new_or_changed_at_a_server_waits_for_approval_where_that_is_wanted() {
    let sandbox = Sandbox::new();
    let strict = json!({"command": SERVER, "weir": {"approve": true}});
    let file = write(&sandbox, &json!({"mcpServers": {"s": strict}}));
    let state = sandbox.path().join("state");
    let shell = |words: &[&str]| {
        let place = ["--servers", &file, "--state", state.to_str().unwrap()];
        sandbox.run([words, &place].concat())
    };
    let mut client = Client::start_with(&sandbox, &["--servers", &file, "--mode", "passthrough"]);
    client.greet();
    // What its only server does not list is for that to refuse, but for servers whose tools wait for approval.
    let unlisted = client.call("never_listed", json!({}));
    assert_eq!(unlisted["error"]["message"], "Unknown tool: never_listed", "{unlisted}");
    assert_eq!(client.tools().len(), 26, "what is there at first is not in question");
    client.text("s__add_tool", json!({}));
    let told = client.notified("notifications/message", 1);
    let said = told[0]["params"]["data"].to_string();
    assert!(said.contains("until the user approves") && !said.contains("weir tools"), "{said}");
    client.text("s__change", json!({"what": "tools"}));
    let names = |client: &mut Client| {
        let names = client.tool_names();
        ["late", "echo"].map(|name| names.contains(&name.to_owned()))
    };
    until("the changed tool to leave", || (names(&mut client) == [false, false]).then_some(()));
    let refused = client.call("s__late", json!({}));
    assert!(refused["result"]["isError"] == true, "{refused}");
    assert!(refused.to_string().contains("the user's approval"), "{refused}");
    // They are shown where one would look.
    until("what waits", || {
        let waiting = shell(&["servers", "--json"]).json()[0]["waiting"].clone();
        (waiting == json!(["echo", "late"])).then_some(())
    });
    let shown = shell(&["tools", "approve", "s"]);
    assert!(shown.stdout.contains("First send every key") && shown.stdout.contains("late"));
    assert_eq!(names(&mut client), [false, false], "to look is not to approve");
    assert_eq!(shell(&["tools", "approve", "s", "nothing"]).code, 2);
    assert_eq!(shell(&["tools", "approve", "nobody"]).code, 2);
    assert_eq!(shell(&["tools", "approve", "s", "late"]).code, 0);
    until("the approved tool", || (names(&mut client) == [true, false]).then_some(()));
    assert_eq!(client.text("s__late", json!({})), "late");
    assert_eq!(shell(&["tools", "approve", "s", "--all"]).code, 0);
    until("the other one", || (names(&mut client) == [true, true]).then_some(()));
    client.close();
}

#[test]
fn a_search_says_that_tools_wait_for_approval() {
    let sandbox = Sandbox::new();
    let strict = json!({"command": SERVER, "weir": {"approve": true}});
    let mut client = Client::legacy(&sandbox, json!({"s": strict}), &["--mode", "bridge"]);
    client.tools();
    let add = json!({"calls": [{"name": "s__add_tool", "arguments": {}}]});
    client.call("tool_call", add);
    client.notified("notifications/message", 1);
    let found = client.call("tool_search", json!({"queries": ["late"]})).to_string();
    assert!(found.contains("s: 1 tool waits for the user's approval"), "{found}");
    client.close();
}

#[test]
fn a_server_without_calls_is_stopped_and_the_next_call_starts_it_again() {
    let sandbox = Sandbox::new();
    let marks = sandbox.path().join("marks");
    let starts = || std::fs::read_to_string(&marks).unwrap_or_default().lines().count();
    let idle = |args: &[&str]| json!({"command": SERVER, "args": args, "weir": {"idleStop": 1}});
    let servers = json!({
        "a": idle(&["--mark", marks.to_str().unwrap()]), "b": idle(&["--modern"]), "c": server(&[]),
    });
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    assert_eq!(client.tools().len(), 3 * 25 + 1);
    let runs = |pid: &str| std::path::Path::new(&format!("/proc/{pid}")).exists();
    let pids = ["a", "b", "c"].map(|server| client.text(&format!("{server}__pid"), json!({})));
    // One that is at work is not idle, however long it says nothing.
    let slow = client
        .send("tools/call", json!({"name": "a__slow", "arguments": {"steps": 1, "ms": 4_000}}));
    if cfg!(target_os = "linux") {
        until("the end of the idle one", || (!runs(&pids[1])).then_some(()));
    }
    assert_eq!(client.wait(slow).0["result"]["content"][0]["text"], "done");
    assert_eq!(starts(), 1);
    if cfg!(target_os = "linux") {
        until("the end of the other one", || (!runs(&pids[0])).then_some(()));
        assert!(runs(&pids[2]), "nothing is said of this one");
    }
    assert_eq!(client.tools().len(), 3 * 25 + 1, "known as before");
    for server in ["a", "b"] {
        assert!(client.text(&format!("{server}__pid"), json!({})).parse::<u32>().is_ok());
    }
    client.close();
}

#[test]
fn options_of_the_gateway_change_while_it_runs() {
    let sandbox = Sandbox::new();
    let config = |own: Value| json!({"mcpServers": {"s": server(&[])}, "weir": own});
    let token = |name: &str, servers: Value| json!({name: {"token": format!("tok-{name}-1"), "servers": servers}});
    let file = write(
        &sandbox,
        &config(json!({"mode": "passthrough", "tokens": token("old", json!(["*"]))})),
    );
    let mut command = sandbox.command(["serve", "--http", "127.0.0.1:0", "--servers", &file]);
    command.env("WEIR_STATE", sandbox.path().join("http-state"));
    let endpoint = Endpoint::launch(command);
    let list = |name: &str| {
        let auth = format!("Bearer tok-{name}-1");
        let body = r#"{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}"#;
        let headers = [
            ("Authorization", &*auth),
            ("MCP-Protocol-Version", "2026-07-28"),
            ("Mcp-Method", "tools/list"),
        ];
        let (status, _, text) = endpoint.send("POST", "/mcp", &headers, body);
        (status, text)
    };
    assert!(list("old").1.contains("\"echo\""));
    assert_eq!(list("new").0, 401);
    write(&sandbox, &config(json!({"mode": "bridge", "tokens": token("new", json!(["*"]))})));
    let shown = until("the new token", || Some(list("new")).filter(|(status, _)| *status == 200)).1;
    assert!(shown.contains("tool_search") && !shown.contains("\"echo\""), "{shown}");
    assert_eq!(list("old").0, 401);
    write(
        &sandbox,
        &config(
            json!({"mode": "passthrough", "prefix": true, "tokens": token("new", json!(["*"]))}),
        ),
    );
    until("the new names", || list("new").1.contains("\"s__echo\"").then_some(()));
    // A token with fewer rights has them at once; without any token the endpoint is not open to all.
    write(
        &sandbox,
        &config(json!({"mode": "passthrough", "tokens": token("new", json!(["none"]))})),
    );
    until("the narrower profile", || (!list("new").1.contains("echo")).then_some(()));
    write(&sandbox, &config(json!({})));
    until("the end of the token", || (list("new").0 == 401).then_some(()));
    assert_eq!(endpoint.send("POST", "/mcp", &[], INITIALIZE).0, 401);
}

#[test]
fn a_client_that_does_not_read_loses_no_answer() {
    let sandbox = Sandbox::new();
    let file = write(&sandbox, &json!({"mcpServers": {"s": server(&[])}}));
    let mut child = sandbox
        .command(["serve", "--mode", "passthrough", "--servers", &file])
        .env("WEIR_STATE", sandbox.path().join("state"))
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let text = "x".repeat(2_000);
    const CALLS: usize = 1_500;
    // More than every pipe and queue on the way holds, before the first answer is read.
    writeln!(input, "{INITIALIZE}").unwrap();
    for id in 2..CALLS + 2 {
        let call = json!({"jsonrpc": "2.0", "id": id, "method": "tools/call",
            "params": {"name": "s__echo", "arguments": {"text": text}}});
        writeln!(input, "{call}").unwrap();
    }
    let mut seen = std::collections::BTreeSet::new();
    for line in BufReader::new(child.stdout.take().unwrap()).lines() {
        let message: Value = serde_json::from_str(&line.unwrap()).unwrap();
        let Some(id) = message["id"].as_u64() else { continue };
        assert!(message["error"].is_null() && message["result"]["isError"] != true, "{message}");
        assert!(seen.insert(id));
        if seen.len() == CALLS + 1 {
            break;
        }
    }
    drop(input);
    let _ = child.wait();
}

#[test]
fn a_server_that_tells_more_than_its_client_takes_at_once_waits() {
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"s": server(&[])}), &["--mode", "passthrough"]);
    const STEPS: usize = 3_000;
    let call = client.send(
        "tools/call",
        json!({"name": "s__slow", "arguments": {"steps": STEPS, "ms": 0}, "_meta": {"progressToken": "p"}}),
    );
    let (answer, _) = client.wait(call);
    assert_eq!(answer["result"]["content"][0]["text"], "done");
    // All of it, in order, and before the answer.
    let told = client.notes.iter().filter(|note| note["method"] == "notifications/progress");
    let steps: Vec<u64> = told.filter_map(|note| note["params"]["progress"].as_u64()).collect();
    assert_eq!(steps, (1..=STEPS as u64).collect::<Vec<_>>());
    client.close();
}

#[test]
fn pages_of_a_list_without_end_are_bounded_together() {
    let sandbox = Sandbox::new();
    let flood = json!({"command": SERVER, "args": ["--mode", "endless-list"], "weir": {"startTimeout": 300, "maxListBytes": 64 << 20}});
    let servers = json!({"flood": flood, "s": server(&[])});
    let file = write(&sandbox, &json!({"mcpServers": servers, "weir": {"listWait": 300}}));
    let state = sandbox.path().join("state");
    let args =
        ["servers", "--check", "--json", "--servers", &file, "--state", state.to_str().unwrap()];
    let rows = sandbox.run(args).json();
    let tools = |name: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        assert_eq!(row["state"], "ready", "{}", row["reason"]);
        row["tools"].as_array().unwrap().len()
    };
    // Pages of 8 MiB with a tool each, up to 64 MiB together.
    assert_eq!((tools("flood"), tools("s")), (9, 25));
}

#[cfg(unix)]
#[test]
fn clients_on_standard_streams_share_a_gateway_where_the_user_wants_that() {
    let sandbox = Sandbox::new();
    let config =
        json!({"mcpServers": {"s": server(&[])}, "weir": {"shared": true, "listWait": 60}});
    let file = write(&sandbox, &config);
    let state = sandbox.path().join("state");
    let gateways = || {
        let shown = sandbox.run([
            "status",
            "--json",
            "--servers",
            &file,
            "--state",
            state.to_str().unwrap(),
        ]);
        shown.json()["gateways"].as_array().unwrap().clone()
    };
    /// Ends the gateway, which outlives the clients, however the test ends.
    struct End<F: Fn() -> Vec<Value>>(F);
    impl<F: Fn() -> Vec<Value>> Drop for End<F> {
        fn drop(&mut self) {
            for gateway in (self.0)() {
                let _ = std::process::Command::new("kill").arg(gateway["pid"].to_string()).status();
            }
            // Its files are removed after this.
            let deadline = Instant::now() + PATIENCE;
            while !(self.0)().is_empty() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(50));
            }
        }
    }
    let open = |session: &str| {
        let flags = ["--servers", &file, "--mode", "passthrough", "--session", session];
        let mut client = Client::start_with(&sandbox, &flags);
        client.greet();
        client
    };
    // Both at once: one gateway is started all the same.
    let (mut anna, mut bert) = std::thread::scope(|scope| {
        let (a, b) = (scope.spawn(|| open("one")), scope.spawn(|| open("two")));
        (a.join().unwrap(), b.join().unwrap())
    });
    let _end = End(gateways);
    let pid = anna.text("s__pid", json!({}));
    assert_eq!(bert.text("s__pid", json!({})), pid);
    // Each has the results of its own session.
    anna.call("s__big", json!({"bytes": 200_000}));
    let list = |client: &mut Client| client.text("weir_fetch", json!({"mode": "list"}));
    assert!(list(&mut anna).contains("big"));
    assert!(!list(&mut bert).contains("big"));
    let running = until("the gateway", || {
        let found = gateways();
        (found.first()?["clients"].as_array()?.len() == 2).then_some(found)
    });
    assert_eq!(running.len(), 1, "{running:?}");
    // One that goes leaves the other with its server; one that comes again finds its results.
    anna.close();
    assert_eq!(bert.text("s__pid", json!({})), pid);
    let mut again = open("one");
    assert_eq!(again.text("s__pid", json!({})), pid);
    assert!(list(&mut again).contains("big"));
    again.close();
    bert.close();
}

#[test]
fn clients_on_standard_streams_share_results_only_where_somebody_said_so() {
    let sandbox = Sandbox::new();
    let file =
        write(&sandbox, &json!({"mcpServers": {"s": server(&[])}, "weir": {"listWait": 60}}));
    let open = |flags: &[&str], environment: &[(&str, &str)]| {
        let flags = [&["--servers", &file, "--mode", "passthrough"], flags].concat();
        let mut client = Client::start_in(&sandbox, &flags, environment);
        client.greet();
        client
    };
    let store = |client: &mut Client| {
        let stored = client.call("s__big", json!({"bytes": 200_000}));
        stored["result"]["_meta"]["weir/blob"]["id"].as_str().unwrap().to_owned()
    };
    let reads = |client: &mut Client, id: &str| {
        let listed = client.text("weir_fetch", json!({"mode": "list"})).contains(id);
        let read = client.call("weir_fetch", json!({"id": id, "mode": "head"}));
        assert_eq!(listed, read["result"]["isError"] != true, "{read}");
        listed
    };
    // The same name, directory and agent's shell around them, and nothing said: two clients.
    let around = [("CLAUDECODE", "1")];
    let (mut anna, mut bert) = (open(&[], &around), open(&[], &around));
    let id = store(&mut anna);
    assert!(reads(&mut anna, &id) && !reads(&mut bert, &id));
    // A client that is started again is another one, and a shell names a session too.
    anna.close();
    let mut again = open(&[], &around);
    assert!(!reads(&mut again, &id));
    let default = sandbox.run(["list", "--json"]).json();
    assert_eq!(default["total"], 0, "{default}");
    for (flags, environment) in [
        (&["--session", "one"][..], &[][..]),
        (&[], &[("WEIR_SESSION", "two")]),
        (&["--host", "codex"], &[]),
    ] {
        let (mut first, mut second) = (open(flags, environment), open(flags, environment));
        let id = store(&mut first);
        assert!(reads(&mut second, &id) && !reads(&mut bert, &id), "{flags:?}");
        first.close();
        assert!(reads(&mut open(flags, environment), &id));
        let shell = sandbox
            .command(["list", "--json"])
            .envs(environment.iter().copied())
            .args(flags)
            .output();
        let listed = String::from_utf8(shell.unwrap().stdout).unwrap();
        assert!(listed.contains(&id), "{flags:?}: {listed}");
    }
}

#[test]
fn the_first_commands_of_the_container_start_a_gateway() {
    let sandbox = Sandbox::new();
    let servers = write(&sandbox, &json!({"mcpServers": {}}));
    let file = concat!(env!("CARGO_MANIFEST_DIR"), "/../dev/dist/Containerfile");
    let file = std::fs::read_to_string(file).unwrap();
    let commands = file.lines().filter_map(|line| line.strip_prefix("#         weir:{version} "));
    let (mut services, mut alone) = (0, 0);
    for command in commands {
        let command =
            command.replace("/servers.json", &servers).replace("0.0.0.0:3456", "127.0.0.1:0");
        let command = sandbox.command(command.split(' '));
        if command.get_args().any(|argument| argument == "--http") {
            services += 1;
            Endpoint::launch(command);
        } else {
            alone += 1;
            let ended = { command }.output().unwrap();
            assert!(ended.status.success(), "{}", String::from_utf8_lossy(&ended.stderr));
        }
    }
    assert_eq!((alone, services), (1, 1));
}

#[cfg(unix)]
#[test]
fn a_gateway_that_is_told_to_end_lets_calls_end_and_begins_none() {
    let sandbox = Sandbox::new();
    let mut endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &[]);
    let (_, head, _) = endpoint.send("POST", "/mcp", &[], INITIALIZE);
    let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap().trim();
    let session = ("Mcp-Session-Id", id);
    let call = |steps: u32| {
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {
            "name": "s__slow", "arguments": {"steps": steps, "ms": 20}, "_meta": {"progressToken": 1},
        }})
        .to_string()
    };
    let tell = |endpoint: &Endpoint| {
        let pid = endpoint.child.id().to_string();
        assert!(std::process::Command::new("kill").arg(pid).status().unwrap().success());
    };
    // A stream that a client only listens to holds up nothing.
    let _listens = endpoint.stream("GET", &[session], "");
    let mut running = endpoint.stream("POST", &[session], &call(150));
    assert_eq!(running.message()["method"], "notifications/progress");
    tell(&endpoint);
    until("that it is ending", || {
        (endpoint.send("GET", "/readyz", &[], "").0 == 503).then_some(())
    });
    assert_eq!(endpoint.send("POST", "/mcp", &[session], &call(1)).0, 503);
    let answer = loop {
        let message = running.message();
        if message["id"] == 2 {
            break message;
        }
    };
    assert_eq!(answer["result"]["content"][0]["text"], "done", "{answer}");
    let end = until("the end", || endpoint.child.try_wait().unwrap());
    assert!(end.success(), "{end}");
    // The time for that is bounded, and a second signal ends it.
    for (grace, signals) in [("0", 1), ("600", 2)] {
        let flags = ["--grace", grace];
        let mut endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &flags);
        let (_, head, _) = endpoint.send("POST", "/mcp", &[], INITIALIZE);
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
        let session = ("Mcp-Session-Id", id.trim());
        let mut running = endpoint.stream("POST", &[session], &call(100_000));
        assert_eq!(running.message()["method"], "notifications/progress");
        tell(&endpoint);
        if signals == 2 {
            until("that it is ending", || {
                (endpoint.send("GET", "/readyz", &[], "").0 == 503).then_some(())
            });
            tell(&endpoint);
        }
        until("the end", || endpoint.child.try_wait().unwrap());
    }
}

#[test]
fn nothing_is_served_with_less_than_the_file_asks_for() {
    let sandbox = Sandbox::new();
    let start = |own: Value, flags: &[&str]| {
        let file = write(&sandbox, &json!({"mcpServers": {}, "weir": own}));
        let ran = sandbox.run([&["serve", "--servers", &file], flags].concat());
        (ran.code, ran.stderr)
    };
    let http = ["--http", "127.0.0.1:0"];
    for tokens in [json!({"ci": {"token": "${CI_TOKEN}"}}), json!({}), json!(["abc"]), json!(null)]
    {
        let (code, said) = start(json!({"tokens": tokens}), &http);
        assert!(code == 2 && said.contains("holds a token that can be used"), "{code} {said}");
        // Without an endpoint there is nobody to let in.
        assert_eq!(start(json!({"tokens": tokens}), &[]).0, 0);
    }
    for own in [
        json!({"limits": {"callsPerMinute": "ten"}}),
        json!({"audit": {"file": "here"}}),
        json!({"toekns": {"ci": {"token": "tok-123456"}}}),
    ] {
        for flags in [&http[..], &[]] {
            let (code, said) = start(own.clone(), flags);
            assert!(code == 2 && said.contains("weir."), "{own} {code} {said}");
        }
    }
    let (code, said) = start(json!({"https": {"cert": "/a.pem"}}), &http);
    assert!(code == 2 && said.contains("TLS"), "{code} {said}");
}

#[test]
fn tokens_that_come_and_cannot_be_used_close_a_running_endpoint() {
    let sandbox = Sandbox::new();
    let config = |own: Value| json!({"mcpServers": {"s": server(&[])}, "weir": own});
    let file = write(&sandbox, &config(json!({"limits": {"argumentBytes": 10}})));
    let endpoint = Endpoint::start_in(&sandbox, &["--servers", &file], &[]);
    let status = || endpoint.send("POST", "/mcp", &[], INITIALIZE).0;
    assert_eq!(status(), 200);
    write(
        &sandbox,
        &config(json!({
            "limits": {"argumentBytes": "ten"}, "tokens": {"ci": {"token": "${CI_TOKEN}"}},
        })),
    );
    until("the end of the open endpoint", || (status() == 401).then_some(()));
    // It stays closed, and what could not be read changed no limit.
    write(
        &sandbox,
        &config(json!({
            "limits": {"argumentBytes": "ten"}, "tokens": {"ci": {"token": "tok-123456"}},
        })),
    );
    let auth = ("Authorization", "Bearer tok-123456");
    until("the token", || {
        (endpoint.send("POST", "/mcp", &[auth], INITIALIZE).0 == 200).then_some(())
    });
    let params = json!({"name": "s__echo", "arguments": {"text": "a long text"}});
    let answer = endpoint.modern("tools/call", params, &[auth]).1.to_string();
    assert!(answer.contains("limit of 10"), "{answer}");
    write(&sandbox, &config(json!({})));
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(status(), 401);
}

#[test]
fn a_file_of_servers_is_checked_by_a_command_that_can_fail() {
    let sandbox = Sandbox::new();
    let check = |config: Value| {
        let file = write(&sandbox, &config);
        let ran = sandbox.run(["servers", "--validate", "--servers", &file]);
        assert_eq!(ran.stderr, "");
        (ran.code, ran.stdout.replace(&file, "FILE"))
    };
    let mark = sandbox.path().join("starts");
    let servers = json!({"s": server(&["--mark", mark.to_str().unwrap()])});
    let token = json!({"token": "tok-123456", "servers": ["s"], "tools": ["s__*"]});
    let good = json!({"mcpServers": servers, "weir": {"tokens": {"ci": token}}});
    assert_eq!(check(good), (0, "FILE: good\n".to_owned()));
    assert!(!mark.exists(), "nothing is started");
    for (server_keys, own, said) in [
        (json!({"mystery": 1}), json!({}), "server s: the key mystery is not known"),
        (json!({"timeout": "60"}), json!({}), "server s: timeout is not a number above 0"),
        (json!({"env": {"A": "${NOPE}"}}), json!({}), "server s is left out"),
        (json!({}), json!({"limits": {"callsPerMinute": "ten"}}), "weir.limits: callsPerMinute"),
        (
            json!({}),
            json!({"tokens": {"ci": {"token": "${NOPE}"}}}),
            "weir.tokens.ci has no effect",
        ),
        (json!({}), json!({"tokens": {"ci": {"token": "tok-1"}}}), "has 5 characters"),
        (
            json!({}),
            json!({"tokens": {"ci": {"token": "tok-123456", "servers": ["gitlab"]}}}),
            "weir.tokens.ci: no server is named gitlab",
        ),
        (
            json!({}),
            json!({"tokens": {"ci": {"token": "tok-123456", "tools": ["gitlab__get_*"]}}}),
            "weir.tokens.ci: no server can have a tool named gitlab__get_*",
        ),
    ] {
        let mut entry = server(&[]);
        entry.as_object_mut().unwrap().extend(server_keys.as_object().unwrap().clone());
        let (code, shown) = check(json!({"mcpServers": {"s": entry}, "weir": own}));
        assert!(code == 1 && shown.lines().count() == 1 && shown.contains(said), "{code} {shown}");
    }
    assert_eq!(sandbox.run(["servers", "--validate", "--servers", "none.json"]).code, 2);
}

#[test]
fn a_call_from_the_shell_starts_the_one_server_that_it_names() {
    let sandbox = Sandbox::new();
    let mark = sandbox.path().join("starts");
    let login = server(&[
        "--mode",
        "waits-for-login",
        "--until",
        "/nowhere",
        "--mark",
        mark.to_str().unwrap(),
    ]);
    let file = write(&sandbox, &json!({"mcpServers": {"s": server(&[]), "login": login}}));
    let ran = sandbox.run(["call", "--raw", "--servers", &file, "s__echo", r#"{"text": "hi"}"#]);
    assert!(ran.code == 0 && ran.stdout.contains("hi") && ran.stderr.is_empty(), "{}", ran.stderr);
    assert!(!mark.exists());
}
