//! The gateway as a client sees it: the real command, the real component, a scripted server.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");
const PATIENCE: Duration = Duration::from_secs(60);

/// An entry of the configuration that starts the scripted server.
fn server(flags: &[&str]) -> Value {
    json!({"command": SERVER, "args": flags})
}

fn modern_meta(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// A client of `weir serve` over its standard streams.
struct Client {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
    next: u64,
    modern: bool,
    /// Everything that was no answer to what was waited for.
    notes: Vec<Value>,
    answers: BTreeMap<u64, (Value, String)>,
    /// What the client answers when it is asked.
    answer: fn(&Value) -> Value,
}

impl Client {
    fn start(sandbox: &Sandbox, servers: Value, flags: &[&str]) -> Client {
        let file = sandbox.path().join("servers.json");
        std::fs::write(&file, json!({"mcpServers": servers}).to_string()).unwrap();
        Client::start_with(sandbox, &[&["--servers", file.to_str().unwrap()], flags].concat())
    }

    fn start_with(sandbox: &Sandbox, flags: &[&str]) -> Client {
        let state = sandbox.path().join("state");
        let mut child = sandbox
            .command(["serve"])
            .env("WEIR_STATE", state)
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Client {
            child,
            input,
            lines,
            next: 0,
            modern: false,
            notes: Vec::new(),
            answers: BTreeMap::new(),
            answer: |_| json!({"error": {"code": -32601, "message": "not supported"}}),
        }
    }

    fn legacy(sandbox: &Sandbox, servers: Value, flags: &[&str]) -> Client {
        let mut client = Client::start(sandbox, servers, flags);
        client.greet();
        client
    }

    fn modern(sandbox: &Sandbox, servers: Value, flags: &[&str]) -> Client {
        let mut client = Client::start(sandbox, servers, flags);
        client.modern = true;
        client
    }

    fn greet(&mut self) -> Value {
        let answer = self.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25", "clientInfo": {"name": "test", "version": "1"},
                "capabilities": {"elicitation": {}, "sampling": {}, "roots": {}},
            }),
        );
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        answer
    }

    fn write(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    fn send(&mut self, method: &str, mut params: Value) -> u64 {
        if self.modern {
            let meta =
                modern_meta(&json!({"elicitation": {"form": {}}, "sampling": {}, "roots": {}}));
            for (key, value) in meta.as_object().unwrap() {
                params["_meta"][key] = value.clone();
            }
        }
        self.next += 1;
        let id = self.next;
        self.write(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        id
    }

    /// Takes the next line, answering it when it asks something.
    fn take(&mut self, until: Instant) {
        let wait = until.saturating_duration_since(Instant::now());
        let line = self
            .lines
            .recv_timeout(wait)
            .unwrap_or_else(|_| panic!("nothing came; had {:?}", self.notes));
        let message: Value = serde_json::from_str(&line).unwrap();
        match (message.get("method").is_some(), message.get("id")) {
            (true, Some(id)) => {
                let mut answer = (self.answer)(&message);
                answer["jsonrpc"] = json!("2.0");
                answer["id"] = id.clone();
                self.write(&answer.to_string());
                self.notes.push(message);
            }
            (false, Some(id)) if id.is_u64() => {
                drop(self.answers.insert(id.as_u64().unwrap(), (message, line)))
            }
            _ => self.notes.push(message),
        }
    }

    fn wait(&mut self, id: u64) -> (Value, String) {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            self.take(until);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.wait(id).0
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    fn text(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"))
            .to_owned()
    }

    fn tools(&mut self) -> Vec<Value> {
        self.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
    }

    fn tool_names(&mut self) -> Vec<String> {
        self.tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Waits for so many notifications of a method and takes them out.
    fn notified(&mut self, method: &str, count: usize) -> Vec<Value> {
        let until = Instant::now() + Duration::from_secs(20);
        while self.notes.iter().filter(|note| note["method"] == method).count() < count {
            self.take(until);
        }
        let (found, rest) =
            std::mem::take(&mut self.notes).into_iter().partition(|note| note["method"] == method);
        self.notes = rest;
        found
    }

    fn close(mut self) {
        drop(self.input.take());
        let until = Instant::now() + Duration::from_secs(20);
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < until, "it does not end when its input does");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn everything_passes_in_all_four_pairs_of_eras() {
    for modern_client in [false, true] {
        let sandbox = Sandbox::new();
        let servers = json!({"old": server(&[]), "new": server(&["--modern"])});
        let mut client = match modern_client {
            false => Client::legacy(&sandbox, servers, &["--mode", "passthrough"]),
            true => Client::modern(&sandbox, servers, &["--mode", "passthrough"]),
        };
        client.answer = |asked| match asked["method"].as_str() {
            Some("elicitation/create") => {
                json!({"result": {"action": "accept", "content": {"name": "Ann"}}})
            }
            Some(method) => json!({"result": {"answered": method}}),
            None => json!({}),
        };
        let tools = client.tool_names();
        assert_eq!(tools.iter().filter(|name| name.starts_with("old__")).count(), 17);
        assert_eq!(tools.iter().filter(|name| name.starts_with("new__")).count(), 17);
        for name in ["old", "new"] {
            let pair = format!("{name} server, modern client: {modern_client}");
            // Progress, under the client's own token.
            let id = client.send(
                "tools/call",
                json!({"name": format!("{name}__slow"), "arguments": {}, "_meta": {"progressToken": "mine"}}),
            );
            assert_eq!(client.wait(id).0["result"]["content"][0]["text"], "done", "{pair}");
            let progress = client.notified("notifications/progress", 5);
            assert!(
                progress.iter().all(|note| note["params"]["progressToken"] == "mine"),
                "{pair}"
            );
            assert_eq!(progress[4]["params"]["progress"], 5, "{pair}");

            // The server asks the user.
            let mut answer = client.call(&format!("{name}__ask"), json!({}));
            if modern_client {
                assert_eq!(answer["result"]["resultType"], "input_required", "{pair}: {answer}");
                let requests = answer["result"]["inputRequests"].as_object().unwrap();
                let responses: serde_json::Map<String, Value> = requests
                    .keys()
                    .map(|key| {
                        (key.clone(), json!({"action": "accept", "content": {"name": "Ann"}}))
                    })
                    .collect();
                answer = client.ask(
                    "tools/call",
                    json!({"name": format!("{name}__ask"), "arguments": {}, "inputResponses": responses,
                           "requestState": answer["result"]["requestState"]}),
                );
            }
            assert!(
                answer["result"]["content"][0]["text"]
                    .as_str()
                    .is_some_and(|text| text.contains("Ann")),
                "{pair}: {answer}"
            );

            // Cancelled here, cancelled there.
            let id = client
                .send("tools/call", json!({"name": format!("{name}__hang"), "arguments": {}}));
            std::thread::sleep(Duration::from_millis(300));
            client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string());
            let until = Instant::now() + Duration::from_secs(10);
            while client.text(&format!("{name}__cancelled"), json!({})).is_empty() {
                assert!(Instant::now() < until, "{pair}: the cancellation did not arrive");
            }
            assert!(
                !client.answers.contains_key(&id),
                "{pair}: a cancelled request is not answered"
            );

            // Prompts, resources, completion.
            let prompt = client.ask(
                "prompts/get",
                json!({"name": format!("{name}__greet"), "arguments": {"who": "Bo"}}),
            );
            assert_eq!(prompt["result"]["messages"][0]["content"]["text"], "Hello Bo", "{pair}");
            let uri = format!("weir:{name}/test://one");
            let read = client.ask("resources/read", json!({"uri": uri}));
            assert_eq!(read["result"]["contents"][0]["uri"], uri, "{pair}");
            let missing = client.ask("resources/read", json!({"uri": format!("weir:{name}/nope")}));
            assert_eq!(
                missing["error"]["code"],
                if modern_client { -32602 } else { -32002 },
                "{pair}"
            );
            let completion = client.ask(
                "completion/complete",
                json!({"ref": {"type": "ref/resource", "uri": format!("weir:{name}/test://item/{{id}}")}, "argument": {"name": "id", "value": "4"}}),
            );
            assert_eq!(completion["result"]["completion"]["values"][0], "4-completed", "{pair}");

            // A link can be followed: its URI is one that this gateway reads.
            let link = client.call(&format!("{name}__link"), json!({}));
            let uri = link["result"]["content"][0]["uri"].clone();
            assert_eq!(
                client.ask("resources/read", json!({"uri": uri}))["result"]["contents"][0]["text"],
                "content of test://one"
            );

            // What changes is told, once; log messages to who wants them.
            let mut listen = None;
            if modern_client {
                listen = Some(client.send("subscriptions/listen", json!({"notifications": {"toolsListChanged": true, "resourceSubscriptions": [format!("weir:{name}/test://two")]}})));
                client.notified("notifications/subscriptions/acknowledged", 1);
            } else {
                client
                    .ask("resources/subscribe", json!({"uri": format!("weir:{name}/test://two")}));
                client.ask("logging/setLevel", json!({"level": "debug"}));
            }
            let updated = client.notified("notifications/resources/updated", 1);
            assert_eq!(updated[0]["params"]["uri"], format!("weir:{name}/test://two"), "{pair}");
            let meta = if modern_client {
                json!({"io.modelcontextprotocol/logLevel": "info"})
            } else {
                json!({})
            };
            client.ask(
                "tools/call",
                json!({"name": format!("{name}__log"), "arguments": {}, "_meta": meta}),
            );
            assert_eq!(
                client.notified("notifications/message", 1)[0]["params"]["data"],
                "hello",
                "{pair}"
            );
            client.call(&format!("{name}__add_tool"), json!({}));
            client.notified("notifications/tools/list_changed", 1);
            assert_eq!(client.text(&format!("{name}__late"), json!({})), "late", "{pair}");
            assert!(
                client
                    .notes
                    .iter()
                    .all(|note| note["method"] != "notifications/tools/list_changed"),
                "{pair}: told twice"
            );
            if let Some(id) = listen {
                client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string());
            }
        }
        if !modern_client {
            assert!(client.text("old__sample", json!({})).contains("sampling/createMessage"));
            assert!(client.text("old__roots", json!({})).contains("roots/list"));
            assert_eq!(client.ask("ping", json!({}))["result"], json!({}));
        }
        assert_eq!(client.ask("no/such", json!({}))["error"]["code"], -32601);
        assert_eq!(client.call("no_such_tool", json!({}))["error"]["code"], -32602);
        client.close();
    }
}

#[test]
fn parameters_and_results_keep_every_byte() {
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"s": server(&[])}), &["--mode", "passthrough"]);
    let arguments = [
        r#"{"z":1.10,"a":123456789012345678901234567890,"n":[ 1 , 2.0e5,-0.0 ],"\u0061b":"é\/\ud83d\ude00"}"#,
        r#"{}"#,
        r#"{ "deep" : [[[[{"x":null,"x2":true}]]]] , "s":"\"name\":\"_meta\"" }"#,
    ];
    for (index, arguments) in arguments.iter().enumerate() {
        let id = 900 + index as u64;
        client.write(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{{"vendor":[1.50],"arguments":{arguments},"name":"s__echo","_meta":{{"k" : 2.50}}}}}}"#
        ));
        let (answer, _) = client.wait(id);
        assert_eq!(
            answer["result"]["content"][0]["text"].as_str().unwrap(),
            format!(
                r#"{{"vendor":[1.50],"arguments":{arguments},"name":"echo","_meta":{{"k" : 2.50}}}}"#
            )
        );
    }
    // And back: content of unknown type, unknown members, big numbers.
    let id = client.send("tools/call", json!({"name": "s__odd_content", "arguments": {}}));
    let (_, line) = client.wait(id);
    assert_eq!(
        line,
        format!(
            r#"{{"jsonrpc":"2.0","id":{id},"result":{{"_meta":{{"k":"v"}},"content":[{{"frames":[1,2.5],"type":"video"}},{{"text":"seen","type":"text","vendor":1}}],"vendorTop":{{"a":12345678901234567,"b":1}}}}}}"#
        )
    );
    client.close();
}

#[test]
fn real_catalogues_pass_unchanged_and_get_the_same_names_each_time() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../shared/catalogs");
    let Ok(entries) = std::fs::read_dir(&folder) else { return };
    let files: Vec<PathBuf> = entries
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| {
            path.extension().is_some_and(|e| e == "json")
                && path.file_stem().is_some_and(|s| s != "manifest")
        })
        .collect();
    let sandbox = Sandbox::new();
    let mut expected = BTreeSet::new();
    let mut servers = json!({});
    for path in &files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        servers[name] = json!({"command": SERVER, "args": ["--catalog", path], "weir": {"structured": "preserve", "startTimeout": 120}});
        let catalogue: Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        let mut seen = BTreeSet::new();
        for tool in catalogue["tools"].as_array().into_iter().flatten() {
            if seen.insert(tool["name"].as_str().unwrap().to_owned()) {
                let mut tool = tool.clone();
                tool["name"] = Value::Null;
                expected.insert(tool.to_string());
            }
        }
    }
    let mut names = Vec::new();
    // The second time from what is kept of the servers, without starting one.
    for _ in 0..2 {
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "passthrough"]);
        let until = Instant::now() + Duration::from_secs(120);
        let tools = loop {
            let tools = client.tools();
            if tools.len() > expected.len() || Instant::now() > until {
                break tools;
            }
        };
        let listed: Vec<String> =
            tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect();
        assert_eq!(listed.iter().collect::<BTreeSet<_>>().len(), listed.len(), "names clash");
        assert!(listed.iter().all(|name| name.len() <= 50));
        let shown: BTreeSet<String> = tools
            .into_iter()
            .filter(|tool| tool["name"] != "weir_fetch")
            .map(|mut tool| {
                tool["name"] = Value::Null;
                tool.to_string()
            })
            .collect();
        assert!(
            shown == expected,
            "{} definitions are not as their servers gave them",
            shown.symmetric_difference(&expected).count()
        );
        names.push(listed);
        client.close();
    }
    assert_eq!(names[0], names[1]);
}

#[test]
fn a_result_of_any_size_arrives_and_is_read_back() {
    let sandbox = Sandbox::new();
    let servers = json!({"old": server(&[]), "new": server(&["--modern"])});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    for (tool, bytes, tail) in [
        ("old__big", 100, false),
        ("old__big", 60_000, true),
        ("old__big", 17 << 20, true),
        ("new__big", 17 << 20, false),
        ("old__big", 200 << 20, false),
    ] {
        let id = client
            .send("tools/call", json!({"name": tool, "arguments": {"bytes": bytes, "tail": tail}}));
        let (answer, line) = client.wait(id);
        if bytes == 100 {
            assert_eq!(answer["result"]["content"][0]["text"].as_str().unwrap().len(), 100);
            continue;
        }
        assert!(line.len() < 16_000, "{} bytes are shown", line.len());
        let blob = &answer["result"]["_meta"]["weir/blob"];
        assert_eq!(blob["bytes"], bytes, "{answer}");
        // A link for clients that read resources, and the id for the model's tool.
        let last = answer["result"]["content"].as_array().unwrap().last().unwrap();
        assert_eq!((last["type"].as_str(), &last["uri"]), (Some("resource_link"), &blob["uri"]));
        let found = client.text(
            "weir_fetch",
            json!({"id": blob["id"], "mode": "grep", "pattern": "line 000000777:"}),
        );
        assert!(found.contains("line 000000777: all is well"), "{found}");
    }
    let status =
        std::fs::read_to_string(format!("/proc/{}/status", client.child.id())).unwrap_or_default();
    if let Some(peak) = status.lines().find_map(|line| line.strip_prefix("VmHWM:")) {
        let peak: u64 = peak.trim().trim_end_matches(" kB").parse().unwrap();
        // With the compiled component and the runtime; the 200 MB are not in it.
        assert!(peak < 160 * 1024, "{peak} kB of memory");
    }
    client.close();
}

#[test]
fn structured_results_break_no_client_that_checks_them() {
    let sandbox = Sandbox::new();
    let keep = json!({"command": SERVER, "weir": {"structured": "preserve"}});
    let mut client = Client::legacy(
        &sandbox,
        json!({"cut": server(&[]), "keep": keep}),
        &["--mode", "passthrough"],
    );
    let tools = client.tools();
    let tool = |name: &str| tools.iter().find(|tool| tool["name"] == name).unwrap().clone();
    let advertised = tool("cut__structured");
    assert!(advertised.get("outputSchema").is_none());
    assert_eq!(advertised["_meta"]["weir/outputSchema"]["required"], json!(["rows"]));
    assert_eq!(tool("keep__structured")["outputSchema"]["required"], json!(["rows"]));
    // Small: as it came. Large: without structured content, unless that is to be kept.
    assert_eq!(
        client.call("cut__structured", json!({"rows": 2}))["result"]["structuredContent"]["rows"]
            [1]["id"],
        1
    );
    let large = client.call("cut__structured", json!({"rows": 5_000}));
    assert!(
        large["result"].get("structuredContent").is_none()
            && large["result"]["_meta"]["weir/blob"].is_object(),
        "{large}"
    );
    let kept = client.call("keep__structured", json!({"rows": 5_000}));
    assert_eq!(kept["result"]["structuredContent"]["rows"].as_array().unwrap().len(), 5_000);
    client.close();
}

#[test]
fn servers_with_bad_manners_leave_the_others_working() {
    let sandbox = Sandbox::new();
    let mute = json!({"command": SERVER, "args": ["--mode", "mute"], "weir": {"startTimeout": 3}});
    let crash = json!({"command": SERVER, "args": ["--mode", "crashes-at-start"], "env": {"SECRET": "canary-55512"}});
    let servers = json!({
        "good": server(&[]), "silent": server(&["--mode", "silent-to-discover"]), "exits": server(&["--mode", "exits-on-unknown"]),
        "echoes": server(&["--mode", "echoes-version"]), "noisy": server(&["--mode", "noisy"]), "cyclic": server(&["--mode", "cyclic-cursors"]),
        "chatty": server(&["--mode", "chatty"]), "stubborn": server(&["--mode", "stubborn"]), "many": server(&["--tools", "10000"]),
        "mute": mute, "crash": crash, "none": {"command": "no-such-program-anywhere"}, "variable": {"command": "x", "env": {"A": "${NOT_SET_ANYWHERE}"}},
    });
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let until = Instant::now() + Duration::from_secs(60);
    let working =
        ["good", "silent", "exits", "echoes", "noisy", "cyclic", "chatty", "stubborn", "many"];
    loop {
        let names = client.tool_names();
        let there =
            |server: &str| names.iter().any(|name| name.starts_with(&format!("{server}__")));
        if working.iter().all(|server| there(server)) {
            assert_eq!(names.iter().filter(|name| name.starts_with("many__")).count(), 10_017);
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
    assert_eq!(client.tools().len(), 18);
    client.close();
    assert_eq!(starts(), 1);
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    assert_eq!(client.tools().len(), 18);
    assert_eq!(starts(), 1);
    client.text("s__pid", json!({}));
    assert_eq!(starts(), 2);
    client.close();
}

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
fn without_the_component_results_pass_whole_or_say_what_is_missing() {
    let sandbox = Sandbox::new();
    let mut client = Client::legacy(
        &sandbox,
        json!({"s": server(&[])}),
        &["--mode", "passthrough", "--component", "/no/such/file.wasm"],
    );
    assert_eq!(client.text("s__big", json!({"bytes": 40_000})).len(), 40_000);
    for bytes in [60_000, 6 << 20] {
        let text = client.text("s__big", json!({"bytes": bytes}));
        assert!(text.len() < 7_000 && text.starts_with("line 000000001:"), "{}", text.len());
        assert!(text.contains("cannot be read back") && text.contains("narrower"), "{text}");
    }
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
fn the_bridge_shows_few_tools_and_reaches_all() {
    let sandbox = Sandbox::new();
    let denied = json!({"command": SERVER, "args": ["--modern"], "weir": {"deny": ["crash"]}});
    let servers = json!({"old": server(&[]), "new": denied, "many": server(&["--tools", "2000"])});
    let mut shown = Vec::new();
    for _ in 0..2 {
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "bridge"]);
        let until = Instant::now() + Duration::from_secs(30);
        // At the first start servers are not known before they have been started once.
        while !client
            .text("tool_search", json!({"query": "extra_1999"}))
            .contains("many__extra_1999")
            || !client.text("tool_search", json!({"query": "new echo"})).contains("new__echo")
            || !client.text("tool_search", json!({"query": "old echo"})).contains("old__echo")
        {
            assert!(Instant::now() < until, "it is not found");
            std::thread::sleep(Duration::from_millis(100));
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
                "tool_call_write",
                "weir_fetch"
            ])
        );
        assert!(tools.iter().all(|tool| tool["_meta"]["anthropic/alwaysLoad"] == true
            && tool.get("outputSchema").is_none()));
        assert!(shown[0].len() < 4 * 2_300, "{} characters of tools", shown[0].len());

        assert!(
            client.text("tool_describe", json!({"names": ["old__echo"]})).contains("inputSchema")
                || client.text("tool_describe", json!({"names": ["old__echo"]})).contains("text")
        );
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
        let answer =
            client.call("tool_call", json!({"calls": [{"name": "new__crash", "arguments": {}}]}));
        assert_eq!(answer["result"]["isError"], true, "{answer}");
        assert!(!client.text("tool_search", json!({"query": "crash"})).contains("new__crash"));
        // The variants hold to what they say.
        let read = |client: &mut Client, variant: &str, tool: &str| {
            let answer = client.call(variant, json!({"calls": [{"name": tool, "arguments": {}}]}));
            (answer["result"]["isError"] == true, answer["result"]["content"].to_string())
        };
        assert!(!read(&mut client, "tool_call_read", "old__pid").0);
        let (refused, why) = read(&mut client, "tool_call_read", "old__log");
        assert!(refused && why.contains("tool_call"), "{why}");
        assert!(!read(&mut client, "tool_call_write", "old__log").0);
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
fn few_tools_are_listed_and_many_are_bridged() {
    let sandbox = Sandbox::new();
    let mut client = Client::legacy(&sandbox, json!({"few": server(&[])}), &[]);
    assert!(client.tool_names().contains(&"few__echo".to_owned()));
    client.close();
    let sandbox = Sandbox::new();
    let mut client = Client::legacy(&sandbox, json!({"many": server(&["--tools", "1000"])}), &[]);
    client.tools();
    assert!(client.tool_names().contains(&"tool_search".to_owned()));
    client.close();
}

// --- HTTP

struct Endpoint {
    child: Child,
    address: SocketAddr,
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Endpoint {
    fn start(sandbox: &Sandbox, servers: Value, flags: &[&str]) -> Endpoint {
        let file = sandbox.path().join("http-servers.json");
        std::fs::write(&file, json!({"mcpServers": servers}).to_string()).unwrap();
        let mut child = sandbox
            .command(["serve", "--http", "127.0.0.1:0", "--mode", "passthrough", "--servers"])
            .arg(file)
            .args(flags)
            .env("WEIR_STATE", sandbox.path().join("http-state"))
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let address = loop {
            let mut line = String::new();
            assert!(errors.read_line(&mut line).unwrap() > 0, "it does not listen");
            if let Some(rest) = line.trim().strip_prefix("listening on http://") {
                break rest.trim_end_matches("/mcp").parse().unwrap();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        Endpoint { child, address }
    }

    /// Sends a request and gives status, headers in lower case, and body with its events joined.
    fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {}\r\n", self.address));
        }
        request.push_str(
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n",
        );
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        (status, head.to_lowercase(), body.to_owned())
    }

    fn modern(&self, method: &str, mut params: Value, headers: &[(&str, &str)]) -> (u16, Value) {
        params["_meta"] = modern_meta(&json!({}));
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let body =
            json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let mut all = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
        if !name.is_empty() {
            all.push(("Mcp-Name", &name));
        }
        all.retain(|(name, _)| !headers.iter().any(|(other, _)| other == name));
        all.extend_from_slice(headers);
        let (status, _, body) = self.send("POST", "/mcp", &all, &body);
        (status, serde_json::from_str(&body).unwrap_or_else(|_| panic!("{body}")))
    }
}

const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

#[test]
fn the_endpoint_lets_in_only_who_should_be() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(
        &sandbox,
        json!({"s": server(&[])}),
        &["--token", "tok-123456", "--metrics"],
    );
    let auth = ("Authorization", "Bearer tok-123456");
    let status = |headers: &[(&str, &str)]| endpoint.send("POST", "/mcp", headers, INITIALIZE).0;
    assert_eq!(status(&[auth]), 200);
    assert_eq!(status(&[]), 401);
    assert_eq!(status(&[("Authorization", "Bearer tok-123457")]), 401);
    assert_eq!(status(&[auth, ("Host", "rebound.example")]), 403);
    assert_eq!(status(&[auth, ("Origin", "http://evil.example")]), 403);
    assert_eq!(status(&[auth, ("Origin", "http://localhost:3000")]), 200);
    assert_eq!(endpoint.send("GET", "/healthz", &[], "").0, 200);
    let (status, _, metrics) = endpoint.send("GET", "/metrics", &[auth], "");
    assert!(status == 200 && metrics.contains("weir_server_up{server=\"s\"}"), "{metrics}");
    assert_eq!(endpoint.send("GET", "/metrics", &[], "").0, 401);
    let open = sandbox.command(["serve", "--http", "0.0.0.0:0", "--", SERVER]).output().unwrap();
    assert!(
        !open.status.success() && String::from_utf8_lossy(&open.stderr).contains("token"),
        "{open:?}"
    );
}

#[test]
fn both_eras_are_served_at_one_address() {
    let sandbox = Sandbox::new();
    let endpoint =
        Endpoint::start(&sandbox, json!({"old": server(&[]), "new": server(&["--modern"])}), &[]);
    // Legacy: a session.
    let (status, head, _) = endpoint.send("POST", "/mcp", &[], INITIALIZE);
    let session = head
        .lines()
        .find_map(|line| line.strip_prefix("mcp-session-id: "))
        .unwrap()
        .trim()
        .to_owned();
    assert_eq!(status, 200);
    let with = [("Mcp-Session-Id", session.as_str()), ("MCP-Protocol-Version", "2025-06-18")];
    let call = |name: &str| {
        json!({"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": name, "arguments": {}, "_meta": {"progressToken": 7}}}).to_string()
    };
    for name in ["old__slow", "new__slow"] {
        let (status, head, body) = endpoint.send("POST", "/mcp", &with, &call(name));
        assert!(status == 200 && head.contains("text/event-stream"), "{head}");
        assert_eq!(body.matches("notifications/progress").count(), 5, "{body}");
        assert!(body.contains(r#""text":"done""#));
    }
    assert_eq!(endpoint.send("POST", "/mcp", &[], &call("old__pid")).0, 400);
    assert_eq!(endpoint.send("POST", "/mcp", &[("Mcp-Session-Id", "x")], &call("old__pid")).0, 404);
    assert_eq!(endpoint.send("DELETE", "/mcp", &with, "").0, 204);
    assert_eq!(endpoint.send("POST", "/mcp", &with, &call("old__pid")).0, 404);
    // Modern: each request alone, its headers checked against its body.
    let (status, discovered) = endpoint.modern("server/discover", json!({}), &[]);
    assert!(
        status == 200 && discovered["result"]["supportedVersions"][0] == "2026-07-28",
        "{discovered}"
    );
    for name in ["old__pid", "new__pid"] {
        let (status, answer) = endpoint.modern("tools/call", json!({"name": name}), &[]);
        assert!(status == 200 && answer["result"]["resultType"] == "complete", "{answer}");
    }
    let code =
        |(status, answer): (u16, Value)| (status, answer["error"]["code"].as_i64().unwrap_or(0));
    assert_eq!(
        code(endpoint.modern("tools/list", json!({}), &[("Mcp-Method", "ping")])),
        (400, -32020)
    );
    assert_eq!(
        code(endpoint.modern("tools/call", json!({"name": "old__pid"}), &[("Mcp-Name", "x")])),
        (400, -32020)
    );
    assert_eq!(code(endpoint.modern("no/such", json!({}), &[])), (404, -32601));
    assert_eq!(endpoint.send("GET", "/mcp", &[], "").0, 405);
    assert_eq!(endpoint.send("POST", "/mcp", &[], "{broken").0, 400);
}

#[test]
fn a_gateway_behind_a_gateway_passes_everything_on() {
    let sandbox = Sandbox::new();
    let endpoint = Endpoint::start(&sandbox, json!({"s": server(&[])}), &["--token", "tok-123456"]);
    let behind = json!({"url": format!("http://{}/mcp", endpoint.address), "headers": {"Authorization": "Bearer tok-123456"}});
    let refused = json!({"url": format!("http://{}/mcp", endpoint.address), "headers": {"Authorization": "Bearer wrong-987654"}});
    let mut client = Client::legacy(
        &sandbox,
        json!({"far": behind, "closed": refused}),
        &["--mode", "passthrough"],
    );
    client.answer = |_| json!({"result": {"action": "accept", "content": {"name": "Ann"}}});
    assert!(client.tool_names().contains(&"far__s__echo".to_owned()));
    assert!(client.text("far__s__ask", json!({})).contains("Ann"));
    let id = client.send(
        "tools/call",
        json!({"name": "far__s__slow", "arguments": {}, "_meta": {"progressToken": 1}}),
    );
    client.wait(id);
    assert_eq!(client.notified("notifications/progress", 5).len(), 5);
    let id = client.send("tools/call", json!({"name": "far__s__hang", "arguments": {}}));
    std::thread::sleep(Duration::from_millis(300));
    client.write(&json!({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": id}}).to_string());
    let until = Instant::now() + Duration::from_secs(10);
    while client.text("far__s__cancelled", json!({})).is_empty() {
        assert!(Instant::now() < until, "the cancellation did not arrive");
    }
    let text = client.text("closed__x", json!({}));
    assert!(
        text.contains("401") && text.contains("token") && !text.contains("wrong-987654"),
        "{text}"
    );
    client.close();
}
