//! `weir tools`: what a user gives and gets.

use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use weir_tests::tools::fixture;
use weir_tests::{Ran, Sandbox};

/// The real tools as answers to `tools/list`, a file a server; their paths.
fn server_files(sandbox: &Sandbox) -> Vec<PathBuf> {
    let text = fs::read_to_string(fixture("classes").join("catalogue.jsonl")).expect("it is there");
    let mut servers: std::collections::BTreeMap<String, Vec<Value>> = Default::default();
    for line in text.lines() {
        let tool: Value = serde_json::from_str(line).expect("each line is JSON");
        let server = tool["server"].as_str().expect("each has a server").to_owned();
        let listed = serde_json::json!({
            "name": tool["name"], "description": tool["description"],
            "inputSchema": tool["parameters"],
        });
        servers.entry(server).or_default().push(listed);
    }
    let write = |(server, tools): (String, Vec<Value>)| {
        let file = sandbox.path().join(format!("{server}.json"));
        fs::write(&file, serde_json::json!({"tools": tools}).to_string()).expect("it is written");
        file
    };
    servers.into_iter().map(write).collect()
}

fn run(sandbox: &Sandbox, before: &[&str], files: &[PathBuf], after: &[&str]) -> Ran {
    let before = before.iter().map(|text| (*text).into());
    let after = after.iter().map(|text| (*text).into());
    let files = files.iter().map(|file| file.clone().into_os_string());
    sandbox.run(before.chain(files).chain(after).collect::<Vec<std::ffi::OsString>>())
}

#[test]
fn files_are_indexed_saved_and_searched() {
    let sandbox = Sandbox::new();
    let files = server_files(&sandbox);
    let saved = sandbox.path().join("tools.weir");
    let indexed = run(&sandbox, &["tools", "index", "--json", "--save", "tools.weir"], &files, &[]);
    assert_eq!(indexed.code, 0, "{}", indexed.stderr);
    let index = indexed.json();
    assert_eq!(index["tools"], 226);
    assert_eq!(index["servers"].as_array().map(Vec::len), Some(files.len()));
    assert_eq!(index["bytes"].as_u64(), Some(fs::metadata(&saved).expect("it is there").len()));
    assert!(index["diagnostics"].as_array().is_some_and(|found| !found.is_empty()));

    let again = run(&sandbox, &["tools", "index", "--json"], std::slice::from_ref(&saved), &[]);
    assert_eq!(again.json()["digest"], index["digest"]);

    for files in [&files[..], std::slice::from_ref(&saved)] {
        let found = run(&sandbox, &["tools", "search", "create issue", "--json"], files, &[]);
        assert_eq!(found.code, 0, "{}", found.stderr);
        assert_eq!(found.json()["groups"][0]["matches"][0]["name"], "create_issue");
    }
    assert!(!sandbox.store().exists(), "no store is made for it");
}

#[test]
fn a_search_that_finds_nothing_ends_with_1_and_says_what_there_is() {
    let sandbox = Sandbox::new();
    let files = server_files(&sandbox);
    let none = run(&sandbox, &["tools", "search", "+qzxv +wqzz"], &files, &[]);
    assert_eq!(none.code, 1, "{}", none.stderr);
    assert!(
        none.stdout.contains("no sure match") && none.stdout.contains("hint:"),
        "{}",
        none.stdout
    );
    let typo = run(&sandbox, &["tools", "search", "creat isue github"], &files, &[]);
    assert_eq!(typo.code, 0, "{}", typo.stdout);
    let two = run(
        &sandbox,
        &["tools", "search", "post message", "--also", "take screenshot"],
        &files,
        &[],
    );
    assert!(two.stdout.contains("slack_post_message") && two.stdout.contains("screenshot"));
    let model = run(&sandbox, &["tools", "search", "post message", "--as-model"], &files, &[]);
    assert!(model.json()["results"][0]["matches"][0]["name"].is_string(), "{}", model.stdout);
}

#[test]
fn tools_are_described() {
    let sandbox = Sandbox::new();
    let files = server_files(&sandbox);
    let described =
        run(&sandbox, &["tools", "describe", "create_issue,create_isue", "--json"], &files, &[]);
    assert_eq!(described.code, 1, "one of the two is missing: {}", described.stderr);
    let described = described.json();
    assert_eq!(described["tools"][0]["exact_schema"]["type"], "object");
    assert_eq!(described["missing"][0]["near"][0], "create_issue");
}

#[test]
fn assembling_says_what_it_saves() {
    let sandbox = Sandbox::new();
    let files = server_files(&sandbox);
    let assembled = run(&sandbox, &["tools", "assemble", "--json"], &files, &[]);
    let assembly = assembled.json();
    assert_eq!((&assembly["active"], &assembly["deferred"]), (&true.into(), &226.into()));
    assert!(assembly["tokens_before"].as_u64().is_some_and(|tokens| tokens > 50_000));
    assert!(assembly["tokens_after"].as_u64().is_some_and(|tokens| tokens <= 2_289));
    let table = run(&sandbox, &["tools", "assemble"], &files, &[]);
    assert!(
        table.stdout.contains("before") && table.stdout.contains("% saved"),
        "{}",
        table.stdout
    );
    let shown =
        run(&sandbox, &["tools", "assemble", "--show", "--pin", "create_issue"], &files, &[]);
    assert_eq!(shown.stdout.lines().count(), 3, "{}", shown.stdout);
    for line in shown.stdout.lines() {
        serde_json::from_str::<Value>(line).expect("each definition is JSON");
    }
    let off = run(&sandbox, &["tools", "assemble", "--mode", "off", "--json"], &files, &[]).json();
    assert_eq!(off["tokens_before"], off["tokens_after"]);
    let missing = run(&sandbox, &["tools", "assemble", "--require", "terminal"], &files, &[]);
    assert_eq!(missing.code, 2);
    assert!(
        missing.stderr.contains("terminal") && missing.stderr.contains("hint:"),
        "{}",
        missing.stderr
    );
}

#[test]
fn files_that_are_no_tools_are_named_with_what_to_do() {
    let sandbox = Sandbox::new();
    let write = |name: &str, bytes: &[u8]| {
        let file = sandbox.path().join(name);
        fs::write(&file, bytes).expect("it is written");
        file
    };
    let cases = [
        (write("empty.json", b""), "is empty"),
        (write("object.json", b"{\"hello\": 1}"), "has no list of `tools`"),
        (write("cut.json", b"{\"tools\": [{\"name\": \"a\""), "line 1 column"),
        (write("text.json", b"hello"), "not a catalog"),
        (write("binary.weir", &[0, 159, 146, 150]), "not a catalog"),
        (sandbox.path().join("absent.json"), "cannot read"),
    ];
    for (file, message) in cases {
        for command in [&["tools", "index"][..], &["tools", "search", "x"], &["tools", "assemble"]]
        {
            let ran = run(&sandbox, command, std::slice::from_ref(&file), &[]);
            assert_eq!(ran.code, 2, "{file:?}");
            assert!(ran.stderr.contains(message), "{file:?}: {}", ran.stderr);
            assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
        }
    }
}
