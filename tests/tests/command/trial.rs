//! `weir try`: losses first, by an agent's own servers and recorded sessions, and nothing written.

#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use weir_tests::{Ran, Sandbox};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");

/// Every file and directory below one.
fn files(below: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![below.to_owned()];
    while let Some(directory) = open.pop() {
        for entry in fs::read_dir(&directory).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path.clone());
            }
            found.insert(path.clone(), fs::read(&path).unwrap_or_default());
        }
    }
    found
}

/// A session of Claude Code: a call of a tool, its result, and so many turns after it.
fn session(tool: &str, text: &str, turns: usize) -> String {
    let call = json!({"message": {"role": "assistant", "content": [
        {"type": "tool_use", "id": "t", "name": tool, "input": {}}]}});
    let result = json!({"message": {"role": "user", "content": [
        {"type": "tool_result", "tool_use_id": "t", "content": [{"type": "text", "text": text}]}]}});
    let turn = json!({"message": {"role": "assistant", "content": "on"}});
    let lines = [call, result].into_iter().chain(std::iter::repeat_n(turn, turns));
    lines.map(|line| line.to_string() + "\n").collect()
}

struct Home {
    sandbox: Sandbox,
}

impl Home {
    fn new(tools: &str) -> Home {
        let home = Home { sandbox: Sandbox::new() };
        let own = json!({"mcpServers": {"mine": {"command": SERVER, "args": ["--tools", tools]}}});
        let codex = format!(
            "[mcp_servers.a]\ncommand = '{SERVER}'\n[mcp_servers.b]\nurl = 'http://127.0.0.1:9'\n"
        );
        for (file, text) in [(".cursor/mcp.json", own.to_string()), (".codex/config.toml", codex)] {
            let file = home.sandbox.path().join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, text).unwrap();
        }
        home
    }

    fn file(&self, name: &str, text: &str) -> String {
        let file = self.sandbox.path().join(name);
        fs::write(&file, text).unwrap();
        file.to_str().unwrap().to_owned()
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        self.weir(&[&["try"], arguments].concat())
    }

    fn weir(&self, arguments: &[&str]) -> Ran {
        let mut command = self.sandbox.command(arguments);
        command.env("XDG_STATE_HOME", self.sandbox.path().join("state"));
        command.output().unwrap().into()
    }

    fn ways(&self, arguments: &[&str]) -> (Value, BTreeMap<String, i64>) {
        let said = self.run(&[arguments, &["--json"]].concat()).json();
        let ways = said["ways"].as_array().unwrap().iter();
        let against = |way: &Value| way["against_nothing"].as_i64().unwrap();
        let ways = ways.map(|way| (way["way"].as_str().unwrap().to_owned(), against(way)));
        let ways = ways.collect();
        (said, ways)
    }
}

#[test]
fn losses_come_first_and_nothing_is_written() {
    let home = Home::new("0");
    let small = home.file("small.jsonl", &session("Bash", "all is well", 10));
    let before = files(home.sandbox.path());
    let shown = home.run(&["cursor", "--start", "--replay", &small]);
    assert_eq!(shown.code, 0, "{}{}", shown.stdout, shown.stderr);
    assert!(shown.stdout.lines().count() <= 10, "{}", shown.stdout);
    let lines: Vec<&str> = shown.stdout.lines().collect();
    assert!(lines[0].starts_with("Cursor: 1 server; definitions about "), "{}", shown.stdout);
    assert!(lines[1].contains("1 result, 0 large enough"), "{}", shown.stdout);
    // With few tools and small results every gateway costs more than it saves; a hook costs nothing.
    assert!(lines[2].trim_start().starts_with("LOSS"), "{}", shown.stdout);
    assert!(shown.stdout.contains("  the same  hook "), "{}", shown.stdout);
    assert!(shown.stdout.contains("best here: nothing"), "{}", shown.stdout);
    let (said, ways) = home.ways(&["cursor", "--start", "--replay", &small]);
    let costs: Vec<u64> = said["ways"]
        .as_array()
        .unwrap()
        .iter()
        .map(|way| way["estimated_tokens"].as_u64().unwrap())
        .collect();
    assert!(costs.is_sorted_by(|a, b| a >= b), "{said}");
    assert!(ways["gateway, passthrough"] > 0 && ways["hook"] == 0, "{said}");
    // What the server listed is kept for `install`, and nothing else.
    let mut after = files(home.sandbox.path());
    after.retain(|file, _| !file.starts_with(home.sandbox.path().join("state")));
    assert_eq!(after, before);
}

#[test]
fn a_hook_saves_on_any_large_result_and_the_gateway_on_those_of_servers() {
    let home = Home::new("0");
    let log: String = (0..5_000).map(|n| format!("{n}: a line of the log\n")).collect();
    let shell = home.file("shell.jsonl", &session("Bash", &log, 4));
    let server = home.file("server.jsonl", &session("mcp__mine__log", &log, 4));
    let (said, ways) = home.ways(&["cursor", "--start", "--replay", &shell]);
    assert_eq!((&said["replaced"], &said["results"]), (&json!(1), &json!(1)));
    assert!(ways["hook"] < -10_000 && ways["gateway, passthrough"] > 0, "{said}");
    assert_eq!(said["best"], "hook");
    let worst = said["ways"].as_array().unwrap().iter().find(|way| way["way"] == "hook").unwrap();
    // Read back whole it is what was saved, and the excerpt too.
    assert!(worst["against_nothing_at_worst"].as_i64().unwrap() > 0, "{said}");
    let (said, ways) = home.ways(&["cursor", "--start", "--replay", &shell, &server]);
    assert!(ways["hook"] < 2 * ways["gateway, passthrough"] + 10_000, "{said}");
    assert!(ways["gateway, passthrough"] < -10_000, "{said}");
}

#[test]
fn many_tools_make_the_bridge_the_best_and_the_agent_is_the_one_with_most_servers() {
    let home = Home::new("300");
    let (said, ways) = home.ways(&["cursor", "--start"]);
    assert_eq!((&said["servers"], &said["servers_known"]), (&json!(1), &json!(1)));
    assert!(ways["gateway, bridge"] < 0 && ways["gateway, passthrough"] > 0, "{said}");
    // Of one of the two nothing can be known.
    let (said, _) = home.ways(&["--start"]);
    let known = (&said["host"], &said["servers"], &said["servers_known"]);
    assert_eq!(known, (&json!("codex"), &json!(2), &json!(1)));
    let text = home.run(&["--start"]).stdout;
    assert!(text.contains("other agents, each by its name: cursor"), "{text}");
    assert!(text.contains("(1 of 2 servers are known)"), "{text}");
    assert!(text.contains("  b does not start: "), "its reason stands there: {text}");
    // What is not known is not taken for nothing.
    fs::remove_dir_all(home.sandbox.path().join("state")).unwrap();
    let ran = home.run(&[]);
    assert!(ran.code == 2 && ran.stderr.contains("is not known"), "{}", ran.stderr);
    let session = home.file("s.jsonl", &session("Bash", "all is well", 1));
    let (said, ways) = home.ways(&["--replay", &session]);
    assert_eq!(ways.keys().collect::<Vec<_>>(), ["hook", "nothing"], "{said}");
}

#[test]
fn what_is_installed_is_what_the_other_ways_are_compared_with() {
    let home = Home::new("300");
    for (install, now, best, command) in [
        (&["--yes"][..], "hook and gateway, auto", "hook and gateway, auto", "leave it as it is"),
        (
            &["--yes", "--keep-servers"],
            "hook",
            "hook and gateway, auto",
            "`weir install cursor --mode auto`",
        ),
        (
            &["--yes", "--no-hooks", "--mode", "passthrough"],
            "gateway, passthrough",
            "hook and gateway, auto",
            "`weir install cursor --undo`, then `weir install cursor --mode auto`",
        ),
    ] {
        let installed = home.weir(&[&["install", "cursor"], install].concat());
        assert_eq!(installed.code, 0, "{}", installed.stderr);
        let (said, _) = home.ways(&["cursor", "--start"]);
        assert_eq!((&said["now"], &said["best"]), (&json!(now), &json!(best)), "{said}");
        let ways = said["ways"].as_array().unwrap();
        let its = ways.iter().find(|way| way["way"] == now).unwrap();
        assert_eq!(its["against_now"], 0, "{said}");
        let text = home.run(&["cursor", "--start"]).stdout;
        assert!(text.contains(&format!("  as it is  {now} ")), "{text}");
        assert!(text.ends_with(&format!("best here: {best}: {command}\n")), "{text}");
        assert_eq!(home.weir(&["install", "cursor", "--undo", "--yes"]).code, 0);
    }
    // What an agent cannot have is not compared.
    fs::create_dir(home.sandbox.path().join(".lmstudio")).unwrap();
    home.file(
        ".lmstudio/mcp.json",
        &json!({"mcpServers": {"mine": {"command": SERVER}}}).to_string(),
    );
    let (said, ways) = home.ways(&["lm-studio", "--start"]);
    assert!(ways.keys().all(|way| !way.contains("hook")) && ways.len() == 4, "{said}");
}

#[test]
fn files_without_results_and_a_machine_without_agents_are_said() {
    let home = Home::new("0");
    let text = home.file("notes.txt", "no session");
    for (arguments, said) in [
        (&["cursor", "--replay", text.as_str()][..], "no result of a tool"),
        (&["cursor", "--replay", "/no/such/file"], "cannot read"),
        (&["nobody"], "unknown host"),
    ] {
        let ran = home.run(arguments);
        assert!(ran.code == 2 && ran.stderr.contains(said), "{said}: {}{}", ran.stdout, ran.stderr);
    }
    let empty = Home { sandbox: Sandbox::new() };
    let ran = empty.run(&[]);
    assert!(ran.code == 2 && ran.stderr.contains("there is nothing to try"), "{}", ran.stderr);
}
