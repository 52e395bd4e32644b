//! The command, as a user and a script meet it.

#![cfg(unix)]
#![allow(clippy::unwrap_used, reason = "a test that meets a surprise is to fail")]
#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::fs::{self, File, OpenOptions};
use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::Value;
use weir_tests::{Ran, Sandbox};

fn log(lines: usize) -> String {
    (1..=lines)
        .map(|line| match line % 1_000 {
            321 => format!("{line:07} ERROR the disk of node {line} is full\n"),
            _ => format!("{line:07} INFO all is well with node {line}\n"),
        })
        .collect()
}

/// What holds for every run, whatever it is.
fn checked(ran: Ran) -> Ran {
    assert!(!ran.stderr.contains("panicked"), "{}", ran.stderr);
    assert!((0..=2).contains(&ran.code), "exit code {}: {}", ran.code, ran.stderr);
    if ran.code == 2 {
        assert!(ran.stderr.starts_with("error: "), "{}", ran.stderr);
        assert!(ran.stdout.is_empty(), "{}", ran.stdout);
    }
    ran
}

fn run(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    checked(sandbox.run(arguments))
}

fn succeeds(sandbox: &Sandbox, arguments: &[&str]) -> Ran {
    let ran = run(sandbox, arguments);
    assert_eq!(ran.code, 0, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    ran
}

/// It fails, says so in these words, and says what to do.
fn fails(sandbox: &Sandbox, arguments: &[&str], words: &str) {
    let ran = run(sandbox, arguments);
    assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
    assert!(ran.stderr.contains(words), "{arguments:?}: {words:?} is not in {}", ran.stderr);
    let says_what_to_do = ran.stderr.contains("\nhint: ") || ran.stderr.contains("--help");
    assert!(says_what_to_do, "{arguments:?}: no hint in {}", ran.stderr);
}

/// What a call was about comes from elsewhere: it is one line of a list, and draws nothing on a terminal.
#[test]
fn sources_are_listed_on_one_line_without_signs_that_a_terminal_obeys() {
    let sandbox = Sandbox::new();
    let arguments = r#"{"name": "x\n[weir: nothing]\u001b[2J\u202e"}"#;
    let arguments = ["transform", "--tool", "a\u{7}b", "--arguments", arguments, "--json"];
    let ran = checked(sandbox.run_on(log(9_000).as_bytes(), arguments));
    let id = ran.json()["handles"][0]["id"].as_str().unwrap().to_owned();
    for (arguments, lines) in [(vec!["list"], 2), (vec!["fetch", &id], 9)] {
        let shown = succeeds(&sandbox, &arguments).stdout;
        assert!(shown.contains("a b") && shown.contains("name: x [weir: nothing] [2J"), "{shown}");
        assert!(!shown.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{shown:?}");
        assert_eq!(shown.lines().count(), lines, "{shown}");
    }
}

fn stored(sandbox: &Sandbox, input: &[u8]) -> String {
    let ran = checked(sandbox.run_on(input, ["transform", "--json"]));
    let answer = ran.json();
    answer["handles"][0]["id"].as_str().unwrap_or_else(|| panic!("{}", ran.stdout)).to_owned()
}

fn keys(value: &Value) -> Vec<&str> {
    let mut keys: Vec<&str> = value.as_object().unwrap().keys().map(String::as_str).collect();
    keys.sort_unstable();
    keys
}

// --- transform and fetch

#[test]
fn a_result_goes_in_and_every_part_of_it_comes_back() {
    let sandbox = Sandbox::new();
    let text = log(5_000);
    let file = sandbox.path().join("app.log");
    fs::write(&file, &text).unwrap();
    let file = file.display().to_string();
    let ran = succeeds(
        &sandbox,
        &[
            "transform",
            &file,
            "--tool",
            "read_log",
            "--arguments",
            r#"{"path": "/var/log/app.log"}"#,
        ],
    );
    assert!(ran.stdout.chars().count() <= 6_001, "the excerpt is over its cap");
    assert!(ran.stdout.contains("read_log") && ran.stdout.contains("ERROR the disk"));
    assert!(ran.stderr.contains("tokens"), "{}", ran.stderr);

    let listed = succeeds(&sandbox, &["list", "--json"]).json();
    let entry = &listed["entries"][0];
    let id = entry["handle"]["id"].as_str().unwrap();
    assert!(ran.stdout.contains(id));
    assert_eq!(entry["handle"]["source"], "/var/log/app.log");
    assert_eq!((&listed["total"], &entry["handle"]["lines"]), (&1.into(), &5_000.into()));

    let fetch =
        |arguments: &[&str]| succeeds(&sandbox, &[&["fetch", id], arguments].concat()).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(fetch(&["--all"]), text);
    assert_eq!(fetch(&["--lines", "10..11"]), format!("{}\n{}\n", lines[9], lines[10]));
    assert_eq!(fetch(&["--lines", "7"]), format!("{}\n", lines[6]));
    assert_eq!(fetch(&["--lines", "-2"]), format!("{}\n{}\n", lines[4_998], lines[4_999]));
    assert_eq!(fetch(&["--bytes", "8..11"]), "INFO");
    assert_eq!(fetch(&["--chars", "-5"]), "5000\n");
    assert_eq!(fetch(&["--head", "1"]), format!("{}\n", lines[0]));
    assert_eq!(fetch(&["--head"]).lines().count(), 10);
    assert_eq!(fetch(&["--tail", "1"]), format!("{}\n", lines[4_999]));
    let long = sandbox.run(["fetch", id, "--tail", "4000"]);
    let shown = long.stdout.lines().count();
    assert!(shown < 4_000 && long.stdout.ends_with(&fetch(&["--tail", "1"])), "{shown}");
    assert!(long.stderr.contains(&format!("--lines 1001..{}", 5_000 - shown)), "{}", long.stderr);
    assert_eq!(fetch(&["--grep", "ERROR", "-c"]).trim(), "5");
    assert!(fetch(&["--grep", "node 43\\d1 is"]).starts_with("4321:0004321 ERROR"));
    assert!(fetch(&["--grep", "error", "-C", "1"]).contains("320-0000320 INFO"));
    assert_eq!(run(&sandbox, &["fetch", id, "--grep", "error", "-s"]).code, 1);
    assert_eq!(run(&sandbox, &["fetch", id, "--grep", "no such words"]).code, 1);
    assert_eq!(fetch(&["--grep", "ERROR", "--limit", "2"]).lines().count(), 2);
    // Up to so many matches, over any number of pages.
    let numbers = |text: &str| -> Vec<u64> {
        let number = |line: &str| line.split([':', '-']).next().unwrap().parse().unwrap();
        text.lines().map(number).collect()
    };
    let all: Vec<u64> = (1..=5_000).collect();
    let some = run(&sandbox, &["fetch", id, "--grep", "node", "-m", "3210"]);
    assert_eq!((numbers(&some.stdout), some.code), (all[..3_210].to_vec(), 0));
    assert!(
        some.stderr.contains("3,210 of 5,000 matching lines: -m shows more"),
        "{}",
        some.stderr
    );
    let some = run(&sandbox, &["fetch", id, "--grep", "INFO", "-m", "9999", "-C", "1"]);
    assert_eq!((numbers(&some.stdout), some.stderr.as_str()), (all.clone(), ""));
    assert_eq!(some.stdout.lines().filter(|line| line[..5].contains('-')).count(), 5);
    let json = succeeds(&sandbox, &["fetch", id, "--grep", "node", "-m", "3210", "--json"]).json();
    assert_eq!(
        (json["hits"].as_array().unwrap().len(), &json["matching_lines"]),
        (3_210, &5_000.into())
    );
    // Without a number all of them, as rg does where no terminal is.
    let all_of_them = run(&sandbox, &["fetch", id, "--grep", "^\\d+ INFO"]);
    assert_eq!((numbers(&all_of_them.stdout).len(), all_of_them.stderr.as_str()), (4_995, ""));
    assert_eq!(run(&sandbox, &["fetch", id, "--grep", "^\\d+ INFO", "-F"]).code, 1);
    assert!(fetch(&["--grep", "node 43\\d1 is", "-E"]).starts_with("4321:0004321 ERROR"));
    assert!(fetch(&[]).contains("read_log"));
    let severe = "select(contains(\"ERROR\"))";
    assert_eq!(fetch(&["--query", severe]).lines().count(), 5);
    fails(&sandbox, &["fetch", "--more"], "there is no answer to go on with");
    fails(&sandbox, &["fetch", id, "--more"], "--more has no text");
    // What ended at its limit goes on without a text to copy, also where no id was named.
    let mut together = String::new();
    for words in [
        &["fetch", "--query", severe, "--limit", "2"][..],
        &["fetch", "--more"],
        &["fetch", "--more"],
    ] {
        let ran = sandbox.run(words);
        assert_eq!(
            ran.stderr.contains("weir fetch --more"),
            together.lines().count() < 4,
            "{}",
            ran.stderr
        );
        together.push_str(&ran.stdout);
    }
    assert_eq!(together, fetch(&["--query", severe]));
    assert_eq!(fetch(&["--query", severe, "--limit", "2"]).lines().count(), 2);
    assert_eq!(fetch(&["--query", severe, "--reduce", "count"]), "5\n");
    let counted =
        succeeds(&sandbox, &["fetch", id, "--query", "length", "--reduce", "count", "--json"]);
    assert_eq!(
        (&counted.json()["content"], &counted.json()["complete"]),
        (&"5000\n".into(), &true.into())
    );
    assert_eq!(run(&sandbox, &["fetch", id, "--query", "empty"]).code, 1);
    assert!(fetch(&["--outline"]).contains("5 lines"));
    assert!(fetch(&["--search", "disk is full"]).contains("ERROR"));
    let everywhere = succeeds(&sandbox, &["fetch", "--search", "disk is full", "--json"]).json();
    assert_eq!((&everywhere["passages"][0]["id"], &everywhere["total"]), (&id.into(), &1.into()));
    let same = run(&sandbox, &["fetch", id, "--diff", id]);
    assert!(same.code == 1 && same.stdout.is_empty(), "{same:?}");
    fails(&sandbox, &["fetch", id, "--diff"], "no other result of the same call");
    fails(&sandbox, &["fetch", id, "--query", ".a |"], "query");
    for (whole, of) in [(&[][..], "row 1"), (&["--whole"], "the document")] {
        let endless = [&["fetch", id, "--query", "repeat(1)"], whole].concat();
        // What it gave before that is printed as it comes.
        let ran = sandbox.run(&endless);
        assert_eq!((ran.code, ran.stdout.lines().count()), (2, 100_000), "{}", ran.stderr);
        let why = format!("gave 100,000 results for {of} and");
        assert!(ran.stderr.contains(&why) && ran.stderr.contains("\nhint: "), "{}", ran.stderr);
        let limited = succeeds(&sandbox, &[&endless[..], &["--limit", "12345"]].concat());
        assert_eq!(limited.stdout.lines().count(), 12_345);
    }
    fails(&sandbox, &["fetch", id, "--reduce", "count"], "--query");

    let arguments = format!(r#"{{"id": "{id}", "mode": "grep", "pattern": "ERROR"}}"#);
    let asked = succeeds(&sandbox, &["fetch", "--arguments", &arguments]).stdout;
    assert!(asked.contains("0004321 ERROR"));
    let json = succeeds(&sandbox, &["fetch", "--arguments", &arguments, "--json"]).json();
    assert_eq!(json["text"].as_str().unwrap().trim_end(), asked.trim_end());
    assert_eq!(json["is_error"], false);
    // An id beside them counts where they name none.
    let asked = ["fetch", id, "--arguments", r#"{"mode": "grep", "pattern": "ERROR"}"#];
    assert!(succeeds(&sandbox, &asked).stdout.contains("0004321 ERROR"));
    let ran = run(&sandbox, &["fetch", "--arguments", "{not json"]);
    assert!(ran.code == 1 && !ran.stdout.is_empty(), "what a model sends gets an answer: {ran:?}");
    fails(&sandbox, &["fetch", id, "--full"], "over the limit");
}

/// No answer says that all was searched while a part of the result was not.
#[test]
fn what_stood_beside_a_text_is_searched_or_named() {
    let sandbox = Sandbox::new();
    let stored = |beside: &str| {
        let result = serde_json::json!({"stdout": log(2_000), "stderr": beside, "exit_code": 0});
        let file = sandbox.path().join("result.json");
        fs::write(&file, result.to_string()).unwrap();
        let file = file.display().to_string();
        let call = ["--tool", "shell", "--arguments", "{}"];
        let ran = succeeds(&sandbox, &[&["transform", "--json", &file], &call[..]].concat()).json();
        assert_eq!(ran["handles"][0]["envelope"], "/stdout");
        ran["handles"][0]["id"].as_str().unwrap().to_owned()
    };
    let older = stored("the zebra sleeps");
    let newer = stored("the zebra is awake");
    let fetch = |arguments: &[&str]| run(&sandbox, &[&["fetch", &newer], arguments].concat());

    let found = fetch(&["--grep", "zebra"]);
    assert!(found.code == 0 && found.stdout.contains("the zebra is awake"), "{}", found.stdout);
    assert!(found.stderr.contains("this is what came (--raw)"), "{}", found.stderr);
    assert_eq!(fetch(&["--grep", "zebra", "-c"]).stdout, "1\n");
    assert_eq!(fetch(&["--grep", "giraffe", "-c"]).stdout, "0\n");
    const BESIDE: &str = "what stood beside the text (view \"raw\")";
    // It is named where a count is given, and not where matches are shown.
    let counted = fetch(&["--grep", "INFO", "-c"]);
    assert_eq!(counted.stdout, "1998\n");
    assert!(counted.stderr.contains(BESIDE), "{}", counted.stderr);
    let few = fetch(&["--grep", "INFO", "-m", "3"]);
    assert!(few.stderr.contains(BESIDE) && few.stderr.contains("3 of 1,998"), "{}", few.stderr);
    let shown = fetch(&["--grep", "ERROR"]);
    assert_eq!((shown.stdout.lines().count(), shown.stderr.as_str()), (2, ""));
    let none = fetch(&["--grep", "[A-Z0-9]", "-E", "-v"]);
    assert!(none.code == 1 && none.stderr.contains(BESIDE), "{}", none.stderr);
    // Everything was searched.
    assert_eq!(fetch(&["--grep", "giraffe"]).stderr, "");
    assert_eq!(fetch(&["--grep", "INFO", "--raw", "-c"]).stderr, "");

    let named = fetch(&["--search", "zebra"]);
    assert!(named.code == 1 && named.stderr.contains(BESIDE), "{}", named.stderr);
    let named = fetch(&["--query", "select(contains(\"zebra\"))"]);
    assert!(named.code == 1 && named.stderr.contains(BESIDE), "{}", named.stderr);
    let named = fetch(&["--query", ".", "--path", "/stderr"]);
    assert!(named.code == 2 && named.stderr.contains("view \"raw\""), "{}", named.stderr);
    assert_eq!(
        fetch(&["--raw", "--whole", "--query", ".stderr"]).stdout,
        "\"the zebra is awake\"\n"
    );

    // What a model is answered.
    let answer = |arguments: Value| {
        succeeds(&sandbox, &["fetch", "--arguments", &arguments.to_string()]).stdout
    };
    for asked in [
        serde_json::json!({"mode": "search", "query": "zebra"}),
        serde_json::json!({"mode": "search", "query": "zebra", "id": newer}),
        serde_json::json!({"mode": "query", "query": "select(contains(\"zebra\"))", "id": newer}),
        serde_json::json!({"mode": "diff", "id": newer, "other": older}),
    ] {
        let answer = answer(asked);
        assert!(answer.contains(BESIDE), "{answer}");
    }
    let found = answer(serde_json::json!({"mode": "grep", "pattern": "zebra", "id": newer}));
    assert!(found.contains("the zebra is awake"), "{found}");
}

#[test]
fn what_is_small_or_excluded_passes_as_it_is() {
    let sandbox = Sandbox::new();
    for input in ["", "a small result\n", "no line end", "{\"a\": 1}"] {
        let ran = checked(sandbox.run_on(input.as_bytes(), ["transform"]));
        assert_eq!((ran.code, ran.stdout.as_str()), (0, input));
        let json = checked(sandbox.run_on(input.as_bytes(), ["transform", "--json"])).json();
        assert_eq!((&json["replaced"], json["text"].as_str()), (&false.into(), Some(input)));
    }
    let config = sandbox.path().join("weir.toml");
    fs::write(&config, "[transform]\nexclude = [\"raw_*\"]\n").unwrap();
    let config = config.display().to_string();
    let text = log(3_000);
    let ran = checked(
        sandbox.run_on(text.as_bytes(), ["transform", "--config", &config, "--tool", "raw_log"]),
    );
    assert!(ran.code == 0 && ran.stdout == text, "it was touched");
    let excluded = ["transform", "--config", &config, "--tool", "raw_log", "--json"];
    assert_eq!(checked(sandbox.run_on(b"raw\n", excluded)).json()["text"], "raw\n");
    let no_text = [b'a', 0xFF, 0, b'\\'];
    assert_eq!(checked(sandbox.run_on(&no_text, ["transform"])).bytes, no_text);
    for flags in [&excluded[..], &["transform", "--json"]] {
        assert_eq!(checked(sandbox.run_on(&no_text, flags)).json()["base64"], "Yf8AXA==");
    }
    let listed = succeeds(&sandbox, &["list"]).stdout;
    assert!(listed.contains("has no stored results"), "nothing was stored: {listed}");
    let ran = checked(sandbox.run_on(text.as_bytes(), ["transform", "--show", "-"]));
    assert!(ran.code == 0 && ran.stderr.contains("nothing was stored"));
    let listed = succeeds(&sandbox, &["list"]).stdout;
    assert!(listed.contains("has no stored results"), "--show stored something: {listed}");
}

#[test]
fn bytes_of_every_kind_come_back_as_they_were() {
    let sandbox = Sandbox::new();
    let every_byte: Vec<u8> = (0..=255).cycle().take(60_000).collect();
    let zeros = vec![0; 50_000];
    let mut broken = log(2_000).into_bytes();
    broken[40_000] = 0xFF;
    let one_line = "x".repeat(700_000).into_bytes();
    let crlf = log(2_000).replace('\n', "\r\n").into_bytes();
    let wide = "日本語のテキスト\n".repeat(5_000).into_bytes();
    let marked = [b"\xEF\xBB\xBF".as_slice(), log(1_000).as_bytes()].concat();
    for input in [every_byte, zeros, broken, one_line, crlf, wide, marked] {
        let id = stored(&sandbox, &input);
        let ran = succeeds(&sandbox, &["fetch", &id, "--raw", "--all"]);
        let json = succeeds(&sandbox, &["fetch", &id, "--raw", "--all", "--json"]).json();
        assert_eq!(json["end"], input.len());
        assert_eq!(json["encoding"] == "utf8", std::str::from_utf8(&input).is_ok());
        assert!(ran.bytes == input, "{} bytes came back as {}", input.len(), ran.bytes.len());
    }
    assert_eq!(run(&sandbox, &["doctor"]).code, 0);
}

#[test]
fn fifty_megabytes_go_in_and_come_back() {
    let sandbox = Sandbox::new();
    let text = log(1_300_000);
    assert!(text.len() > 50_000_000);
    let id = stored(&sandbox, text.as_bytes());
    let ran = succeeds(&sandbox, &["fetch", &id, "--all"]);
    assert!(ran.bytes == text.as_bytes(), "{} bytes came back", ran.bytes.len());
    let ran = succeeds(&sandbox, &["fetch", &id, "--grep", "ERROR", "-c"]);
    assert_eq!(ran.stdout.trim(), "1300");
    let ran = succeeds(&sandbox, &["fetch", &id, "--lines", "1234567"]);
    assert_eq!(ran.stdout, "1234567 INFO all is well with node 1234567\n");
}

// --- the shapes of --json

#[test]
fn json_has_the_same_shape_for_every_answer_of_a_command() {
    let sandbox = Sandbox::new();
    let replaced = checked(sandbox.run_on(log(3_000).as_bytes(), ["transform", "--json"])).json();
    assert_eq!(
        keys(&replaced),
        [
            "chars_after",
            "chars_before",
            "estimated_tokens_after",
            "estimated_tokens_before",
            "handles",
            "parts",
            "reason",
            "replaced",
            "store_failure",
        ]
    );
    let handle = &replaced["handles"][0];
    assert_eq!(
        keys(handle),
        [
            "bytes",
            "chars",
            "digest",
            "envelope",
            "estimated_tokens",
            "id",
            "is_repeat",
            "kind",
            "lines",
            "media_type",
            "shown_chars",
            "source",
            "tool",
            "uri",
        ]
    );
    let id = handle["id"].as_str().unwrap();
    let json = |arguments: &[&str]| run(&sandbox, &[arguments, &["--json"]].concat()).json();

    let stat = json(&["fetch", id]);
    // What is known only when it is stored is null later.
    let mut known = handle.clone();
    (known["is_repeat"], known["shown_chars"]) = (Value::Null, Value::Null);
    assert_eq!(stat["handle"], known);
    assert_eq!(keys(&stat), keys(&json(&["list"])["entries"][0]));
    let page =
        ["content", "encoding", "end", "end_byte", "more", "start", "start_byte", "total", "unit"];
    for selection in
        [&["--lines", "1..3"], &["--bytes", "0..9"], &["--head", "2"], &["--tail", "2"]]
    {
        assert_eq!(keys(&json(&[&["fetch", id], &selection[..]].concat())), page);
    }
    let all = json(&["fetch", id, "--all"]);
    assert_eq!((keys(&all), &all["more"]), (page.to_vec(), &Value::Null));
    assert_eq!(all["content"].as_str().unwrap(), log(3_000));
    for pattern in ["ERROR", "nowhere to be found"] {
        let grep = json(&["fetch", id, "--grep", pattern]);
        assert_eq!(
            keys(&grep),
            [
                "complete",
                "hits",
                "matches",
                "matching_lines",
                "more",
                "not_searched",
                "searched_to",
                "total_bytes",
                "view"
            ]
        );
        assert_eq!(grep["complete"], true);
    }
    assert_eq!(keys(&json(&["list"])), ["entries", "session", "total"]);
    assert_eq!(json(&["list", "--session", "nobody"])["entries"], Value::Array(Vec::new()));
    let status = json(&["status"]);
    assert_eq!(
        keys(&status),
        [
            "census",
            "chars_saved",
            "definitions",
            "estimated_tokens_saved",
            "gateways",
            "hook_alone",
            "hosts",
            "max_bytes",
            "not_understood",
            "servers",
            "store",
            "used_bytes",
            "uses"
        ]
    );
    assert_eq!(status["census"]["handles"], 1);
    assert!(json(&["sweep"])["seen"].as_u64().unwrap() > 0);
    assert_eq!(json(&["doctor"])["blobs"], 1);
    let inspected = json(&["inspect"]);
    assert_eq!(keys(&inspected), ["bytes", "exports", "imports"]);
    assert_eq!(keys(&json(&["config", "show"])["settings"]), ["fetch", "store", "transform"]);
    assert_eq!(
        json(&["config", "show"])["settings"]["transform"]["never_store"],
        Value::Array(vec![])
    );
    assert_eq!(keys(&json(&["config", "validate"])), ["file", "problems"]);
    assert!(json(&["config", "schema"])["$schema"].is_string());
    for command in ["pin", "unpin", "forget"] {
        assert_eq!(keys(&json(&[command, id])), ["done", "id"]);
    }
}

// --- what is wrong, and what to do

/// What an error tells the user to do would mend that error, and no other.
#[test]
fn a_hint_fits_the_error_it_stands_behind() {
    let sandbox = Sandbox::new();
    let id = stored(&sandbox, log(3_000).as_bytes());
    let hint = |arguments: &[&str]| {
        let ran = run(&sandbox, arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}{}", ran.stdout, ran.stderr);
        ran.stderr.split_once("\nhint: ").map(|(_, hint)| hint.trim().to_owned())
    };
    const PLAIN: &str = "-F takes the pattern as plain text";
    assert_eq!(hint(&["fetch", &id, "--grep", "(?!x)"]).as_deref(), Some(PLAIN));
    assert_eq!(hint(&["fetch", &id, "--grep", "("]).as_deref(), Some(PLAIN));
    let long = "x".repeat(1_001);
    for pattern in ["", "a\nb", long.as_str()] {
        assert_eq!(hint(&["fetch", &id, "--grep", pattern]), None, "{pattern:?}");
        assert_eq!(hint(&["fetch", &id, "--grep", pattern, "-F"]), None, "{pattern:?}");
    }
    // A page of the bytes that came goes on in them.
    let page = succeeds(&sandbox, &["fetch", &id, "--raw", "--bytes", "0.."]);
    assert!(page.stderr.contains(&format!("weir fetch {id} --raw --bytes")), "{}", page.stderr);

    let file = |name: &str, text: &str| {
        let file = sandbox.path().join(name);
        fs::write(&file, text).unwrap();
        file.display().to_string()
    };
    let of_servers = |file: &str| hint(&["servers", "--servers", file]).unwrap();
    assert!(of_servers(&file("broken.json", "{\"mcpServers\":")).starts_with("correct the file"));
    assert!(of_servers(&file("none.json", "{}")).contains("weir import --to FILE"));
    assert!(of_servers("nowhere.json").contains("weir import --to FILE"));

    let unnamed = checked(sandbox.run_on(b"value", ["secret", "set", "not a name"]));
    assert!(unnamed.code == 2 && !unnamed.stderr.contains("hint:"), "{}", unnamed.stderr);
}

#[test]
fn fetch_without_an_id_reads_what_was_stored_last() {
    let sandbox = Sandbox::new();
    let ids = [3_000, 4_000].map(|lines| stored(&sandbox, log(lines).as_bytes()));
    let [_, newest] = &ids;
    assert_eq!(&checked(sandbox.run(["fetch", "--json"])).json()["handle"]["id"], newest);
    let of_it = checked(sandbox.run(["fetch", newest, "--tail", "1"])).stdout;
    assert_eq!(checked(sandbox.run(["fetch", "--tail", "1"])).stdout, of_it);
}

#[cfg(unix)]
#[test]
fn a_file_is_asked_what_a_stored_result_is_and_nothing_of_it_stays() {
    let sandbox = Sandbox::new();
    let file = |name: &str, bytes: &[u8]| {
        let file = sandbox.path().join(name);
        fs::write(&file, bytes).unwrap();
        file.display().to_string()
    };
    let asked = |arguments: &[&str]| succeeds(&sandbox, &[&["fetch"], arguments].concat());
    let large = file("build.log", log(9_000).as_bytes());
    assert_eq!(asked(&[&large, "--grep", "ERROR", "-c"]).stdout, "9\n");
    assert_eq!(
        asked(&[&large, "--lines", "9000"]).stdout,
        "0009000 INFO all is well with node 9000\n"
    );
    assert_eq!(asked(&[&large, "--all"]).stdout, log(9_000));
    assert!(asked(&[&large, "--search", "disk full"]).stdout.contains("ERROR the disk of node"));
    assert!(
        asked(&[&large, "--arguments", r#"{"mode":"tail","count":1}"#]).stdout.contains("0009000")
    );
    let page = asked(&[&large, "--lines", "1.."]);
    assert!(
        page.stderr.contains(&format!("go on with: weir fetch {large} --lines ")),
        "{}",
        page.stderr
    );
    // However small, and of any kind.
    let small = file("small.json", br#"{"total":3,"items":[{"n":1},{"n":2}]}"#);
    assert_eq!(asked(&[&small, "--query", ".items[].n"]).stdout, "1\n2\n");
    assert!(asked(&[&small, "--outline"]).stdout.contains("total"));
    assert_eq!(asked(&[&file("one", b"x"), "--all"]).stdout, "x");
    assert_eq!(asked(&[&file("binary.bin", b"a\0\xff\n"), "--bytes", "0..1"]).stdout, "a\0");
    let piped = checked(sandbox.run_on(b"a\nb\n", ["fetch", "-", "--tail", "1"]));
    assert_eq!(piped.stdout, "b\n");
    assert!(!sandbox.store().exists(), "nothing stays");

    fails(&sandbox, &["fetch", "no/such/file"], "No such file");
    fails(&sandbox, &["fetch", &sandbox.path().display().to_string()], "is a directory");
    assert_eq!(run(&sandbox, &["fetch", &file("empty.txt", b""), "--all"]).code, 1);
    let pipe = sandbox.path().join("a.pipe").display().to_string();
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fails(&sandbox, &["fetch", &pipe, "--all"], "not a regular file");
    // What is never stored is not taken either, nor by a link in either direction.
    let secret = file(".env", b"KEY=secret\n");
    let link = sandbox.path().join("notes.txt").display().to_string();
    std::os::unix::fs::symlink(&secret, &link).unwrap();
    let other = sandbox.path().join("id_rsa").display().to_string();
    std::os::unix::fs::symlink(&large, &other).unwrap();
    for name in [&secret, &link, &other] {
        let ran = run(&sandbox, &["fetch", name, "--all"]);
        assert!(
            ran.code == 2 && !ran.stderr.contains("KEY"),
            "{name}: {}{}",
            ran.stdout,
            ran.stderr
        );
    }
    // As root the file is given away; anybody else has no right to read the one that is there.
    let theirs = match std::os::unix::fs::chown(&small, Some(1), None) {
        Ok(()) => small.as_str(),
        Err(_) => "/etc/hosts",
    };
    let ran = run(&sandbox, &["fetch", theirs, "--all"]);
    assert!(ran.code == 2 && ran.stderr.contains("another user"), "{}{}", ran.stdout, ran.stderr);
}

#[test]
fn a_file_that_is_kept_has_an_id_and_one_that_has_changed_another() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("a.log").display().to_string();
    let keep =
        |more: &[&str]| succeeds(&sandbox, &[&["fetch", file.as_str(), "--keep"], more].concat());
    fs::write(&file, "1\n2\n").unwrap();
    let id = |ran: &Ran| ran.stdout.lines().next().unwrap()["id".len()..].trim().to_owned();
    let first = id(&keep(&[]));
    assert_eq!(succeeds(&sandbox, &["fetch", &first, "--all"]).stdout, "1\n2\n");
    let again = keep(&[]);
    assert!(id(&again) == first && !again.stderr.contains("has changed"), "{}", again.stderr);
    fs::write(&file, "1\n3\n").unwrap();
    let changed = keep(&["--diff"]);
    assert!(
        changed.stderr.contains(&format!("has changed since it was {first}")),
        "{}",
        changed.stderr
    );
    assert!(changed.stdout.contains('3'), "{}", changed.stdout);
    let ids = succeeds(&sandbox, &["list"]).stdout;
    assert_eq!(ids.matches(" file ").count(), 2, "{ids}");
}

/// Agents may be allowed to run this command unasked: it must not read for them what their rules are for.
#[test]
fn in_the_shell_of_an_agent_only_files_with_output_that_an_agent_put_there_are_read() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join(".claude/projects/p/s/tool-results");
    fs::create_dir_all(&folder).unwrap();
    let spilled = folder.join("b1.txt");
    fs::write(&spilled, log(2_000)).unwrap();
    let other = sandbox.path().join("private.txt");
    fs::write(&other, "private").unwrap();
    let out = folder.join("out.txt");
    std::os::unix::fs::symlink(&other, &out).unwrap();
    let asked = |file: &std::path::Path| {
        let mut command = sandbox.command(["fetch", &file.display().to_string(), "--grep", "."]);
        command.env("CLAUDECODE", "1").output().unwrap()
    };
    assert!(asked(&spilled).status.success());
    for file in [&other, &out] {
        let ran = asked(file);
        let said = String::from_utf8_lossy(&ran.stderr);
        assert!(ran.status.code() == Some(2) && ran.stdout.is_empty(), "{said}");
        assert!(said.contains("no file in which an agent has put output"), "{said}");
    }
}

#[test]
fn a_store_that_others_can_write_to_is_refused_with_its_cure() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    let open = sandbox.path().join("open");
    fs::create_dir(&open).unwrap();
    fs::set_permissions(&open, fs::Permissions::from_mode(0o777)).unwrap();
    let store = open.display().to_string();
    fails(&sandbox, &["status", "--store", &store], &format!("chmod 700 {store}"));
}

#[test]
fn what_cannot_be_done_is_said_with_what_to_do() {
    let sandbox = Sandbox::new();
    let id = stored(&sandbox, log(3_000).as_bytes());
    fails(&sandbox, &["fetch", "nonsense"], "hex digits");
    fails(&sandbox, &["fetch", "../no/such/file"], "cannot read ../no/such/file");
    fails(&sandbox, &["fetch", "0123456789ab"], "no result of this id");
    fails(&sandbox, &["fetch", &id, "--session", "another"], "no result of this id");
    fails(&sandbox, &["fetch", &id, "--lines", "ten"], "not a range of lines");
    fails(&sandbox, &["fetch", &id, "--bytes", "5..4"], "not a range of bytes");
    fails(&sandbox, &["fetch", &id, "--head", "1", "--tail", "1"], "cannot be used with");
    fails(&sandbox, &["fetch", "--session", "another"], "nothing is stored in this session");
    fails(&sandbox, &["dance"], "dance");
    fails(&sandbox, &["status", "--component", "nowhere.wasm"], "nowhere.wasm");
    let text = sandbox.path().join("text.wasm");
    fs::write(&text, "no component").unwrap();
    fails(&sandbox, &["status", "--component", &text.display().to_string()], "not a component");
    // Not a directory. Permissions would not do: tests may run as root.
    let file = text.display().to_string();
    fails(&sandbox, &["status", "--store", &file], "cannot open the store");
    fails(&sandbox, &["list", "--store", &format!("{file}/below")], "cannot open the store");

    succeeds(&sandbox, &["forget", &id]);
    fails(&sandbox, &["fetch", &id], "was deleted");
    fails(&sandbox, &["fetch", &id[..4]], "was deleted");
    for (arguments, words) in [
        (vec!["transform", "no/such/file"], "no/such/file"),
        (vec!["transform", "."], "cannot read"),
        (vec!["fetch", &id, "--grep", "ERROR"], "deleted"),
        (vec!["pin", &id], "was deleted"),
        (vec!["forget", "0123456789ab"], "no result of this id"),
        (vec!["status", "--config", "no/such.toml"], "no/such.toml"),
        (vec!["hook", "zed", "--show"], "there is no hook for `zed`"),
        (vec!["serve", "--http", "example.org:80"], "as in 127.0.0.1:3456"),
    ] {
        fails(&sandbox, &arguments, words);
    }
    let unnamed = run(&sandbox, &["transform", "--session", ""]);
    assert!(unnamed.code == 2 && unnamed.stderr.contains("1 to 512"), "{}", unnamed.stderr);
    let notes = run(&sandbox, &["memory"]);
    assert!(notes.code == 1 && notes.stderr.contains("no server keeps notes"), "{}", notes.stderr);
    let skills = run(&sandbox, &["serve-builtin", "skills", "no/such"]);
    assert!(skills.stderr.contains("there is no directory no/such"), "{}", skills.stderr);
    let other = stored(&sandbox, log(2_500).as_bytes());
    let ran = run(&sandbox, &["fetch", &other, "--grep", "(", "-E"]);
    assert!(ran.stderr.starts_with("error: pattern is not a regular expression"), "{}", ran.stderr);
    assert!(ran.code == 2 && ran.stderr.contains("hint: -F takes"), "{}", ran.stderr);
}

#[test]
fn an_unknown_session_has_nothing_and_that_is_an_answer() {
    let sandbox = Sandbox::new();
    stored(&sandbox, log(3_000).as_bytes());
    let ran = run(&sandbox, &["list", "--session", "nobody"]);
    assert_eq!(ran.code, 0);
    assert!(ran.stdout.contains("nobody") && ran.stderr.is_empty(), "{ran:?}");
}

#[test]
fn damage_is_found_named_and_repaired() {
    let sandbox = Sandbox::new();
    let id = stored(&sandbox, log(3_000).as_bytes());
    let entry = succeeds(&sandbox, &["fetch", &id, "--json"]).json();
    let digest = entry["handle"]["digest"].as_str().unwrap();
    let blob = sandbox.store().join("blobs").join(&digest[..2]).join(digest);
    let mut bytes = fs::read(&blob).unwrap();
    bytes[5_000] ^= 1;
    fs::write(&blob, bytes).unwrap();
    let ran = run(&sandbox, &["doctor"]);
    assert_eq!(ran.code, 1);
    assert!(ran.stdout.contains(digest) && ran.stdout.contains("--repair"), "{}", ran.stdout);
    fails(&sandbox, &["fetch", &id, "--all"], "damaged");
    assert_eq!(run(&sandbox, &["doctor", "--repair"]).code, 1);
    assert_eq!(run(&sandbox, &["doctor"]).code, 0);
    fails(&sandbox, &["fetch", &id, "--all"], "damaged on disk");
    assert_eq!(stored(&sandbox, log(3_000).as_bytes()), id, "put again, it is there again");
    succeeds(&sandbox, &["fetch", &id, "--all"]);
}

#[cfg(unix)]
#[test]
fn a_host_that_is_newer_than_the_one_that_was_tried_is_named() {
    use std::os::unix::fs::PermissionsExt as _;
    let sandbox = Sandbox::new();
    for (program, said) in
        [("claude", "999.0.1 (Claude Code)"), ("codex", "codex-cli 0.1.0"), ("pi", "")]
    {
        let file = sandbox.path().join(program);
        fs::write(&file, format!("#!/bin/sh\necho '{said}'\n")).unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut command = sandbox.command(["doctor"]);
    let ran: Ran = command.env("PATH", sandbox.path()).output().unwrap().into();
    assert_eq!(ran.code, 0, "{ran:?}");
    assert!(ran.stdout.contains("claude 999.0.1 is installed; "), "{}", ran.stdout);
    assert!(!ran.stdout.contains("codex") && !ran.stdout.contains("pi "), "{}", ran.stdout);
}

// --- output that nobody takes

#[test]
fn a_reader_that_leaves_is_no_failure() {
    let sandbox = Sandbox::new();
    let id = stored(&sandbox, log(200_000).as_bytes());
    for arguments in
        [vec!["fetch", &id, "--all"], vec!["completions", "zsh"], vec!["config", "schema"]]
    {
        let mut child = sandbox
            .command(&arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::with_capacity(16, child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let ran = checked(child.wait_with_output().unwrap().into());
        assert!(!line.is_empty());
        assert_eq!((ran.code, ran.stderr.as_str()), (0, ""), "{arguments:?}");
    }
}

#[test]
fn output_that_cannot_be_written_is_a_failure() {
    let Ok(full) = OpenOptions::new().write(true).open("/dev/full") else {
        eprintln!("note: left out, as there is no /dev/full here");
        return;
    };
    let sandbox = Sandbox::new();
    let id = stored(&sandbox, log(3_000).as_bytes());
    for arguments in [
        vec!["list"],
        vec!["status"],
        vec!["fetch", &id],
        vec!["fetch", &id, "--all"],
        vec!["fetch", &id, "--head", "1"],
        vec!["config", "show"],
        vec!["completions", "bash"],
        vec!["sweep"],
    ] {
        let output =
            sandbox.command(&arguments).stdout(full.try_clone().unwrap()).output().unwrap();
        let ran = checked(output.into());
        assert_eq!(ran.code, 2, "{arguments:?}");
        assert!(ran.stderr.contains("cannot write the answer"), "{arguments:?}: {}", ran.stderr);
    }
}

// --- configuration, directories, shells

#[test]
fn a_bad_configuration_is_named_and_its_defaults_hold() {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("config/weir/config.toml");
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(
        &file,
        "[transform]\nthreshold_chars = \"20k\"\nhandle_max_chars = -5\ncolour = \"red\"\n\
         [fetch]\nmax_chars = \"many\"\n[store]\nttl = \"48h\"\n[stoer]\nttl = 1\n",
    )
    .unwrap();
    let ran = run(&sandbox, &["config", "validate"]);
    assert_eq!(ran.code, 1);
    let bad = ["transform.handle_max_chars", "transform.colour", "fetch.max_chars", "stoer"];
    for key in bad {
        assert!(ran.stdout.contains(key), "{key} is not named in {}", ran.stdout);
    }
    let shown = succeeds(&sandbox, &["config", "show", "--json"]).json();
    assert_eq!(shown["settings"]["transform"]["threshold_chars"], 20_000);
    assert_eq!(shown["settings"]["transform"]["handle_max_chars"], 6_000);
    assert_eq!(shown["settings"]["fetch"]["max_chars"], 8_000);
    assert_eq!(shown["settings"]["store"]["ttl"], 48 * 3_600);
    assert_eq!(shown["problems"].as_array().unwrap().len(), bad.len(), "{}", shown["problems"]);
    // Other commands say so too, beside their answer, and work.
    let ran = checked(sandbox.run_on(log(450).as_bytes(), ["transform"]));
    assert!(ran.code == 0 && ran.stdout == log(450), "the threshold that was given does not hold");
    for key in bad {
        assert!(ran.stderr.contains(key), "{key} is not named in {}", ran.stderr);
    }
    fs::write(&file, "[transform\n").unwrap();
    fails(&sandbox, &["config", "validate"], "not TOML");
    // What cannot be read is not as if it were not there.
    fs::write(&file, b"\xff").unwrap();
    fails(&sandbox, &["config", "validate"], "valid UTF-8");
    fs::remove_file(&file).unwrap();
    fs::create_dir(&file).unwrap();
    fails(&sandbox, &["status"], "irectory");
    fs::remove_dir(&file).unwrap();
    fs::write(&file, "[transform\n").unwrap();
    fails(&sandbox, &["status"], "not TOML");
    fs::write(&file, "# nothing\n").unwrap();
    assert_eq!(run(&sandbox, &["config", "validate"]).code, 0);
    // What `show` prints is itself a configuration, and a good one.
    fs::write(
        &file,
        "[transform]\nthreshold_chars = 9000\nrules = [{ tool = \"x\", action = \"never\" }]\n",
    )
    .unwrap();
    let shown = succeeds(&sandbox, &["config", "show"]).stdout;
    fs::write(&file, &shown).unwrap();
    let again = run(&sandbox, &["config", "validate"]);
    assert_eq!(again.code, 0, "{shown}\n{}", again.stdout);
    assert_eq!(succeeds(&sandbox, &["config", "show"]).stdout, shown);
}

#[test]
fn directories_follow_xdg_and_what_the_first_start_has_compiled_beside_is_found() {
    let sandbox = Sandbox::new();
    let start = |home: bool| {
        let mut command = sandbox.command(["list"]);
        command.env_remove("WEIR_STORE").env("XDG_CACHE_HOME", sandbox.path().join("cache"));
        if home {
            command.env_remove("XDG_DATA_HOME").env_remove("XDG_CONFIG_HOME");
        }
        let ran = checked(command.output().unwrap().into());
        assert_eq!(ran.code, 0, "{}", ran.stderr);
    };
    // The first command does not wait for the compiler's best: a process beside makes it.
    let compiled = || -> Vec<(PathBuf, std::time::SystemTime)> {
        let cache = sandbox.path().join("cache/weir");
        let until = Instant::now() + Duration::from_secs(300);
        let is_sum = |path: PathBuf| path.extension().is_some_and(|extension| extension == "sum");
        while !fs::read_dir(&cache).unwrap().any(|entry| is_sum(entry.unwrap().path())) {
            assert!(Instant::now() < until, "nobody compiles");
            std::thread::sleep(Duration::from_millis(100));
        }
        let entries = fs::read_dir(&cache).unwrap();
        let mut files: Vec<_> = entries
            .map(|entry| entry.unwrap())
            .map(|entry| (entry.path(), entry.metadata().unwrap().modified().unwrap()))
            // Beside the code lie its lock and what else there is to say of it.
            .filter(|(path, _)| path.extension().is_some_and(|extension| extension == "cwasm"))
            .collect();
        files.sort();
        files
    };
    start(false);
    assert!(sandbox.path().join("data/weir/store").is_dir());
    let first = compiled();
    assert_eq!(first.len(), 1);
    start(true);
    assert!(sandbox.path().join(".local/share/weir/store").is_dir());
    assert_eq!(compiled(), first, "it was compiled again");
    assert!(!sandbox.store().exists());
    let named = sandbox.path().join("named");
    assert_eq!(run(&sandbox, &["list", "--store", &named.display().to_string()]).code, 0);
    assert!(named.is_dir() && !sandbox.store().exists(), "the flag comes before the environment");
}

#[test]
fn every_shell_gets_its_completions_and_every_command_its_help() {
    let sandbox = Sandbox::new();
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let ran = succeeds(&sandbox, &["completions", shell]);
        assert!(ran.stdout.contains("COMPLETE") && ran.stdout.contains("weir"), "{shell}");
    }
    // What the scripts ask: for commands, for hosts, and for ids of stored results.
    let completed = |words: &[&str]| {
        let output = sandbox
            .command([&["--", "weir"], words].concat())
            .envs([("COMPLETE", "bash"), ("_CLAP_IFS", "\n")])
            .env("_CLAP_COMPLETE_INDEX", words.len().to_string())
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    };
    assert_eq!(completed(&["trans"]), "transform");
    assert_eq!(completed(&["install", "curs"]), "cursor");
    assert!(!sandbox.store().exists(), "asking what comes next makes no store");
    let pages = sandbox.path().join("pages");
    succeeds(&sandbox, &["man", pages.to_str().unwrap()]);
    let page = fs::read_to_string(pages.join("weir-fetch.1")).unwrap();
    // A hyphen is escaped in a page.
    assert!(page.contains(r"\-\-grep"), "{page}");
    assert_eq!(run(&sandbox, &["completions", "sh4"]).code, 2);
    for command in [
        "serve",
        "servers",
        "tools",
        "search",
        "call",
        "stats",
        "install",
        "import",
        "demo",
        "transform",
        "fetch",
        "list",
        "pin",
        "unpin",
        "forget",
        "status",
        "sweep",
        "doctor",
        "inspect",
        "config",
        "completions",
    ] {
        assert!(
            succeeds(&sandbox, &[command, "--help"]).stdout.contains("Usage: weir"),
            "{command}"
        );
    }
    assert!(succeeds(&sandbox, &["--help"]).stdout.contains("Exit codes"));
    assert!(succeeds(&sandbox, &["--version"]).stdout.starts_with("weir "));
    assert!(!sandbox.store().exists(), "asking for help makes no store");
}

#[test]
fn the_demo_runs_anywhere() {
    let sandbox = Sandbox::new();
    let ran = succeeds(&sandbox, &["demo"]);
    assert!(ran.stdout.contains("WARN"), "grep finds it through the handle: {}", ran.stdout);
    assert!(ran.stdout.contains("% saved"));
    assert!(ran.stdout.contains("panicked"), "the failure in the middle is shown: {}", ran.stdout);
    for line in ran.stdout.lines() {
        assert!(line.chars().count() <= 80, "wider than a terminal: {line}");
    }
    assert!(ran.stdout.lines().count() <= 60, "{}", ran.stdout);
    // Calls are there whole, also where they take two lines.
    for tool in ["weir_fetch", "tool_search", "tool_call"] {
        let (_, call) = ran.stdout.split_once(tool).expect("it is called");
        let (call, _) = call.split_once(" ms)").expect("it took some time");
        let (arguments, _) = call.rsplit_once('(').expect("it took some time");
        assert!(serde_json::from_str::<Value>(arguments).is_ok(), "{arguments}");
    }
    let last = ran.stdout.lines().last().unwrap_or_default();
    assert!(last.starts_with("For your own results: weir transform FILE"), "{last}");
    let json = succeeds(&sandbox, &["demo", "--json"]).json();
    assert_eq!(
        keys(&json),
        ["agents", "estimated_tokens_after", "estimated_tokens_before", "gateway", "results"]
    );
    let (over_mcp, number) = (&json["gateway"], |value: &Value| value.as_u64().unwrap());
    let (direct, gateway) = (&over_mcp["direct"], &over_mcp["gateway"]);
    for figure in ["list_estimated_tokens", "result_estimated_tokens"] {
        assert!(number(&gateway[figure]) * 2 < number(&direct[figure]), "{figure}: {over_mcp}");
    }
    assert_eq!(over_mcp["tool"], "list_orders");
    assert!(over_mcp["search"].as_str().unwrap().contains("list_orders"), "{}", over_mcp["search"]);
    assert!(over_mcp["fetch"]["answer"].as_str().unwrap().contains("customer"), "{over_mcp}");
    let before = json["estimated_tokens_before"].as_u64().unwrap();
    assert!(json["estimated_tokens_after"].as_u64().unwrap() < before / 2);
    let left = succeeds(&sandbox, &["list", "--session", "demo"]).stdout;
    assert!(left.contains("has no stored results"), "it leaves nothing behind: {left}");
}

#[test]
fn inspect_shows_what_the_component_is() {
    let sandbox = Sandbox::new();
    let ran = succeeds(&sandbox, &["inspect"]);
    for name in ["size", "weir:plugin/reading@0.3.0", "wasi:filesystem/types@0.2"] {
        assert!(ran.stdout.contains(name), "{name} is not in {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("wasi:sockets") && !ran.stdout.contains("wasi:http"));
}

#[test]
fn what_is_said_of_a_result_is_checked_before_it_is_taken() {
    let sandbox = Sandbox::new();
    let folder = sandbox.path().join("folder");
    fs::create_dir_all(&folder).unwrap();
    let folder = folder.display().to_string();
    fails(&sandbox, &["transform", "--arguments", "{bad"], "--arguments is not a JSON object");
    fails(&sandbox, &["transform", "--arguments", "[1]"], "--arguments is not a JSON object");
    fails(&sandbox, &["transform", "--tool", " "], "the name of the tool is empty");
    assert!(run(&sandbox, &["transform", &folder]).stderr.contains(&folder));
}

#[test]
fn a_result_is_shown_where_the_store_cannot_be_opened() {
    let sandbox = Sandbox::new();
    fs::write(sandbox.path().join("file"), "x").unwrap();
    let store = sandbox.path().join("file/below");
    let store = store.to_str().unwrap();
    // As long as it may pass whole, and longer.
    let (short, long) = (log(400), log(20_000));
    let ran = checked(sandbox.run_on(short.as_bytes(), ["--store", store, "transform"]));
    assert_eq!((ran.code, ran.stdout == short), (0, true), "{}", ran.stderr);
    assert!(ran.stderr.contains("the result is not stored: "), "{}", ran.stderr);
    assert!(ran.stderr.contains("shown whole, as it could not be stored"), "{}", ran.stderr);
    let ran = sandbox.run_on(short.as_bytes(), ["--store", store, "--json", "transform"]);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    assert_eq!((&told["replaced"], &told["reason"]), (&false.into(), &"not-stored".into()));
    assert!(told["store_failure"].is_string() && told["text"] == *short, "{}", ran.stdout);
    let ran = checked(sandbox.run_on(long.as_bytes(), ["--store", store, "transform"]));
    assert!(
        ran.stdout.len() < 8_000 && ran.stdout.contains("could NOT be stored"),
        "{}",
        ran.stdout
    );
    let ran = checked(sandbox.run(["--store", store, "run", "-c", "seq 1 100000"]));
    assert!(
        ran.stdout.len() < 8_000 && ran.stdout.contains("could NOT be stored"),
        "{}",
        ran.stdout
    );
    let ran = checked(sandbox.run(["--store", store, "run", "-c", "seq 1 5000"]));
    assert!(ran.stdout.ends_with("\n5000\n"), "{}", ran.stdout);
    assert!(ran.stderr.contains("the output is not stored"), "{}", ran.stderr);
}

#[test]
fn lines_past_the_end_are_told_and_an_id_is_named_by_its_first_digits() {
    let sandbox = Sandbox::new();
    let ran = sandbox.run_on(log(1_000).as_bytes(), ["--json", "transform"]);
    let told: Value = serde_json::from_str(&ran.stdout).unwrap();
    let id = told["handles"][0]["id"].as_str().unwrap().to_owned();
    for lines in ["1001", "1001..1005", "1002", "9999.."] {
        let ran = checked(sandbox.run(["fetch", &id[..4], "--lines", lines]));
        assert_eq!((ran.code, ran.stdout.as_str()), (1, ""), "{lines}: {}", ran.stderr);
        assert!(ran.stderr.contains("past the end"), "{lines}: {}", ran.stderr);
        assert!(ran.stderr.contains("has 1,000 lines"), "{lines}: {}", ran.stderr);
    }
    for digits in [1, 3, 4, 7, 12] {
        let ran = checked(sandbox.run(["fetch", &id[..digits], "--lines", "7"]));
        assert_eq!(ran.stdout, "0000007 INFO all is well with node 7\n", "{digits}");
    }
}

/// A person's own export is not what a model read back.
#[test]
fn what_is_written_to_a_file_is_not_read_back() {
    let sandbox = Sandbox::new();
    let text = log(4_000);
    let stored = sandbox.run_on(text.as_bytes(), ["transform", "--json"]).json();
    let id = stored["handles"][0]["id"].as_str().unwrap();
    let saved =
        || succeeds(&sandbox, &["status", "--json"]).json()["chars_saved"].as_i64().unwrap();
    let before = saved();
    let path = sandbox.path().join("all.txt");
    let arguments = ["fetch", id, "--all"];
    let status = sandbox.command(arguments).stdout(File::create(&path).unwrap()).status().unwrap();
    assert!(status.success());
    assert_eq!(fs::read_to_string(&path).unwrap(), text);
    assert_eq!(saved(), before);
    assert_eq!(succeeds(&sandbox, &arguments).stdout, text);
    // Nor does more than a client would have passed on count of what a pipe takes away.
    assert!(text.chars().count() > 100_000);
    assert_eq!(saved(), before - 100_000);
}

#[test]
fn an_outline_tells_no_counts_of_rows_that_are_still_being_counted() {
    let sandbox = Sandbox::new();
    let rows: String = (0..250_000).map(|n| format!("{{\"n\":{n}}}\n")).collect();
    let file = sandbox.path().join("rows");
    fs::write(&file, rows).unwrap();
    let told = sandbox.run(["transform", "--json", &file.display().to_string()]).json();
    let id = told["handles"][0]["id"].as_str().unwrap();
    let outline = sandbox.run(["fetch", id, "--outline"]);
    let lines: Vec<&str> = outline.stdout.lines().collect();
    assert_eq!(
        lines,
        ["lines of JSON: 250,000 rows", ".n: number, 250,000; from 0 to 249999, mean 124999.5"]
    );
    let told = sandbox.run(["fetch", id, "--outline", "--json"]).json();
    assert_eq!((told["pending"].clone(), told["total"].clone()), (false.into(), 1.into()));
}
