//! The gateway from a shell: its tools, its servers, what it counted.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::{Ran, Sandbox};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");

/// A sandbox with these servers in its configuration.
fn sandbox(servers: &Value) -> Sandbox {
    let sandbox = Sandbox::new();
    let directory = sandbox.path().join("config").join("weir");
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("servers.json"), json!({"mcpServers": servers}).to_string()).unwrap();
    sandbox
}

fn run(sandbox: &Sandbox, arguments: &[&str], code: i32) -> Ran {
    let ran: Ran = sandbox
        .command(arguments)
        .env("XDG_STATE_HOME", sandbox.path().join("state"))
        .output()
        .unwrap()
        .into();
    assert_eq!(ran.code, code, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    ran
}

/// A client of `weir serve`.
struct Client {
    child: Child,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    fn start(sandbox: &Sandbox) -> Client {
        let mut child = sandbox
            .command(["serve", "--mode", "bridge"])
            .env("XDG_STATE_HOME", sandbox.path().join("state"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let mut client = Client { child, output, next: 0 };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}});
        client.ask("initialize", &hello);
        client
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.next += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        writeln!(self.child.stdin.as_mut().unwrap(), "{request}").unwrap();
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).unwrap() > 0, "the gateway ended");
            let message: Value = serde_json::from_str(&line).unwrap();
            if message["id"] == self.next {
                return message["result"].clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: &Value) -> Value {
        self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))
    }

    fn bridged(&mut self, tool: &str, arguments: &Value) -> Value {
        self.call("tool_call", &json!({"calls": [{"name": tool, "arguments": arguments}]}))
    }

    /// Closes its input and waits for its end.
    fn close(mut self) {
        drop(self.child.stdin.take());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn tools_are_listed_found_and_called_and_known_servers_are_not_started_for_it() {
    let marks = tempfile::NamedTempFile::new().unwrap();
    let mark = marks.path().to_str().unwrap();
    let sandbox = sandbox(&json!({
        "good": {"command": SERVER, "args": ["--mark", mark], "weir": {"deny": ["crash"]}},
    }));
    let starts = || fs::read_to_string(mark).unwrap().lines().count();
    let run = |arguments: &[&str], code| run(&sandbox, arguments, code);

    let ran = run(&["tools", "--no-start"], 0);
    assert!(ran.stderr.contains("without good"), "{}", ran.stderr);
    assert_eq!(starts(), 0);
    let listed = run(&["tools", "--json"], 0).json();
    assert_eq!((listed["tools"].as_array().unwrap().len(), starts()), (24, 1));
    assert_eq!(listed["known"][0]["tools"], 24);
    assert!(listed["estimated_tokens"].as_u64().unwrap() > 100);
    assert!(!run(&["tools"], 0).stdout.contains("crash"));
    assert_eq!(run(&["tools", "--server", "nobody"], 1).stdout, "");

    let found = run(&["search", "echo", "--json"], 0).json();
    let hit = &found["groups"][0]["matches"][0];
    assert_eq!(hit["name"], "echo");
    let ran = run(&["search", "the", "tool", "echo"], 0);
    assert!(ran.stdout.contains("(text?: string)"), "a hit has its signature: {}", ran.stdout);
    assert!(ran.stderr.contains("good 24 (just now)"), "it says how old: {}", ran.stderr);
    assert!(run(&["search", "qwzzx"], 1).stdout.contains("no sure match"));
    assert!(run(&["search", ""], 2).stderr.contains("hint:"));
    assert_eq!(starts(), 1, "the tools were known");
    let ran = run(&["call", hit["name"].as_str().unwrap(), r#"{"text": "hi"}"#], 0);
    assert!(ran.stdout.contains(r#""text": "hi""#), "{}", ran.stdout);
    assert_eq!(starts(), 2);
    assert!(run(&["call", "good__crash"], 2).stderr.contains("weir search"));
}

#[test]
fn status_shows_how_each_server_was_last_seen_and_why() {
    let sandbox = sandbox(&json!({
        "good": {"command": SERVER}, "odd": {"command": ""}, "off": {"command": "x", "disabled": true},
        "bad": {"command": SERVER, "args": ["--mode", "crashes-at-start"], "env": {"SECRET": "canary-7Q"}},
    }));
    let none = weir_tests::Sandbox::new();
    let ran = run(&none, &["status"], 0);
    assert!(ran.stdout.contains("weir install"), "{}", ran.stdout);
    let rows = |arguments: &[&str]| run(&sandbox, arguments, 0).json()["servers"].clone();
    let before = rows(&["status", "--json"]);
    assert!(before.as_array().unwrap().iter().all(|row| row["seen_at"].is_null()), "{before}");
    run(&sandbox, &["tools"], 0);
    let after = rows(&["status", "--json"]);
    let state = |name: &str| {
        let row = after.as_array().unwrap().iter().find(|row| row["name"] == name).unwrap();
        (row["state"].as_str().unwrap().to_owned(), row["reason"].to_string())
    };
    assert_eq!(state("good").0, "known");
    assert_eq!(state("off").0, "disabled");
    assert_eq!(state("odd").0, "broken");
    let (failed, why) = state("bad");
    assert!(failed == "failed" && why.contains("no configuration"), "{why}");
    let ran = run(&sandbox, &["status"], 0);
    assert!(ran.stdout.contains("fatal: no configuration; token ***"), "{}", ran.stdout);
    // A head and a row for each, with the whole problem below its row; then what definitions take.
    let shown = run(&sandbox, &["servers"], 1).stdout;
    let table: Vec<&str> = shown.lines().take_while(|line| !line.is_empty()).collect();
    let (problems, rows): (Vec<&str>, Vec<&str>) =
        table.iter().partition(|line| line.starts_with(' '));
    assert_eq!((rows.len(), problems.len()), (5, 2), "{shown}");
    assert!(shown.contains("; definitions about "), "{shown}");
    for file in walk(&sandbox.path().join("state")) {
        let text = String::from_utf8_lossy(&fs::read(&file).unwrap()).into_owned();
        assert!(!text.contains("canary"), "{}", file.display());
    }
}

fn walk(directory: &std::path::Path) -> Vec<std::path::PathBuf> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path());
    entries.flat_map(|path| if path.is_dir() { walk(&path) } else { vec![path] }).collect()
}

#[test]
fn what_passes_as_it_is_saves_nothing_and_costs_nothing_however_long_it_is() {
    let whole = json!({"command": SERVER, "weir": {"transform": false}});
    let sandbox = sandbox(&json!({"s": whole}));
    let mut client = Client::start(&sandbox);
    client.call("tool_search", &json!({"queries": ["big"]}));
    client.bridged("s__big", &json!({"bytes": 300_000}));
    client.close();
    let counted = run(&sandbox, &["stats", "--json"], 0).json();
    let big = &counted["servers"]["s"]["tools"]["big"];
    assert!(big["bytes_in"].as_i64().unwrap() > 300_000, "{big}");
    assert_eq!((&big["tokens"]["net"], &big["replaced"]), (&json!(0), &json!(0)));
}

#[test]
fn what_went_through_is_counted_and_survives_a_kill() {
    let sandbox = sandbox(&json!({"s": {"command": SERVER}}));
    assert!(run(&sandbox, &["stats"], 0).stdout.contains("nothing has gone through"));
    let stats = || run(&sandbox, &["stats", "--json"], 0).json();

    let mut client = Client::start(&sandbox);
    // The server has never run: a search waits for it.
    let found = client.call("tool_search", &json!({"queries": ["big"]}));
    assert!(found["content"][0]["text"].as_str().unwrap().contains(r#""name":"big""#), "{found}");
    let big = client.bridged("s__big", &json!({"bytes": 100_000}));
    let id = big["_meta"]["weir/blob"]["id"].as_str().unwrap().to_owned();
    for _ in 0..2 {
        client.call("weir_fetch", &json!({"id": id, "mode": "tail"}));
    }
    client.bridged("s__fail", &json!({}));
    client.bridged("s__structured", &json!({"rows": 9_000, "secret": "canary"}));
    // It writes every other second; a kill loses what came after.
    let until = Instant::now() + Duration::from_secs(120);
    while run_code(&sandbox) != 0 || stats()["total"]["calls"] != 3 {
        assert!(Instant::now() < until, "counts are not written");
        std::thread::sleep(Duration::from_millis(100));
    }
    client.child.kill().unwrap();
    drop(client);

    let counted = stats();
    let big = &counted["servers"]["s"]["tools"]["big"];
    assert_eq!((&big["calls"], &big["replaced"], &big["blobs"]), (&json!(1), &json!(1), &json!(1)));
    assert_eq!((&big["blobs_read"], &big["fetches"]), (&json!(1), &json!(2)));
    let number = |row: &Value, key: &str| row[key].as_i64().unwrap();
    assert!(number(big, "bytes_in") > 100_000 && number(big, "bytes_shown") < 10_000);
    let tokens = &big["tokens"];
    assert!(number(tokens, "kept_out") > 20_000 && number(tokens, "read_back") > 100, "{big}");
    assert_eq!(number(tokens, "net"), number(tokens, "kept_out") - number(tokens, "read_back"));
    assert_eq!(counted["servers"]["s"]["tools"]["fail"]["errors"], 1);
    // One saving, whoever is asked for it.
    let status = run(&sandbox, &["status", "--json"], 0).json();
    let keys = ["chars_saved", "estimated_tokens_saved"];
    assert_eq!(keys.map(|key| &counted[key]), keys.map(|key| &status[key]));
    let line = |command| -> String {
        let shown = run(&sandbox, &[command], 0).stdout;
        shown.lines().find(|line| line.starts_with("saved")).unwrap().to_owned()
    };
    assert_eq!(line("stats"), line("status"));
    assert_eq!(counted["total"]["blobs"], 2);
    let searches = &counted["searches"];
    assert_eq!((&searches["queries"], &searches["called"]), (&json!(1), &json!(1)));
    assert_eq!(searches["bytes_shown"], found["content"][0]["text"].as_str().unwrap().len());
    assert_eq!((&searches["first"], &searches["unsearched"]), (&json!(1), &json!(2)));

    // Two at once add up.
    let mut both = [Client::start(&sandbox), Client::start(&sandbox)];
    for client in &mut both {
        client.call("s__echo", &json!({"text": "canary"}));
    }
    both.into_iter().for_each(Client::close);
    assert_eq!(stats()["servers"]["s"]["tools"]["echo"]["calls"], 2);
    assert_eq!(stats()["total"]["calls"], 5);
    let ran = run(&sandbox, &["stats"], 0);
    assert!(ran.stdout.contains("1 of 2 (50 %) stored results"), "{}", ran.stdout);
    assert!(ran.stdout.contains("first match in 1 of 1 (100 %)"), "{}", ran.stdout);
    let kept = fs::read_to_string(sandbox.path().join("state/weir/stats.json")).unwrap();
    assert!(!kept.contains("canary") && !kept.contains(&id), "{kept}");

    fs::write(sandbox.path().join("state/weir/stats.json"), "{").unwrap();
    assert!(run(&sandbox, &["stats"], 2).stderr.contains("--reset"));
    run(&sandbox, &["stats", "--reset"], 0);
    run(&sandbox, &["stats"], 0);
}

fn run_code(sandbox: &Sandbox) -> i32 {
    let state = sandbox.path().join("state");
    sandbox.command(["stats"]).env("XDG_STATE_HOME", state).output().unwrap().status.code().unwrap()
}

#[cfg(unix)]
#[test]
fn a_server_that_writes_its_log_to_its_output_is_told_apart() {
    let sandbox =
        sandbox(&json!({"loud": {"command": "sh", "args": ["-c", "echo hello world; exit 3"]}}));
    let said = run(&sandbox, &["servers", "--check"], 1).stdout;
    assert!(said.contains("it wrote \"hello world\" to its output"), "{said}");
    assert!(said.contains("code 3"), "{said}");
}

#[test]
fn lists_with_nothing_in_them_are_no_failure() {
    let sandbox = Sandbox::new();
    for list in [&["servers"][..], &["tools"], &["tools", "learnt"], &["list"], &["stats"]] {
        run(&sandbox, list, 0);
    }
    let said = run(&sandbox, &["servers"], 0).stderr;
    assert!(said.contains("weir install"), "{said}");
    assert_eq!(run(&sandbox, &["servers", "--json"], 0).json(), json!([]));
    // A file that somebody has named is another matter, and so is a call.
    run(&sandbox, &["servers", "--servers", "no-such-file"], 2);
    run(&sandbox, &["call", "tool"], 2);
    run(&sandbox, &["tools", "learnt", "server"], 1);
}
