//! What `--json` prints is what `docs/json/weir-1.schema.json` says: every field is there and of its
//! type, and no field is missing from the page.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use weir_host::signatures::{Signature, SigningKey};
use weir_tests::{Ran, Sandbox};

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");

fn schema() -> Value {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/json/weir-1.schema.json");
    serde_json::from_str(&fs::read_to_string(file).unwrap()).unwrap()
}

/// What is wrong with a value, as far as the page's own keywords go. A field that the page does not
/// name is wrong unless the page says that there may be others.
fn wrong(root: &Value, schema: &Value, value: &Value, at: &str, found: &mut Vec<String>) {
    if let Some(name) = schema["$ref"].as_str() {
        let target = root.pointer(name.trim_start_matches('#')).unwrap();
        return wrong(root, target, value, at, found);
    }
    if let Some(choices) = schema["anyOf"].as_array() {
        let tried: Vec<Vec<String>> = choices
            .iter()
            .map(|choice| {
                let mut found = Vec::new();
                wrong(root, choice, value, at, &mut found);
                found
            })
            .collect();
        if !tried.iter().any(Vec::is_empty) {
            found.push(format!("{at}: none of {tried:?}"));
        }
        return;
    }
    let is = |name: &str| match name {
        "string" => value.is_string(),
        "integer" => value.is_i64() || value.is_u64(),
        "number" => value.is_number(),
        "boolean" => value.is_boolean(),
        "object" => value.is_object(),
        "array" => value.is_array(),
        "null" => value.is_null(),
        other => panic!("the page has a type {other}"),
    };
    let typed = match &schema["type"] {
        Value::String(name) => is(name),
        Value::Array(names) => names.iter().any(|name| is(name.as_str().unwrap())),
        _ => true,
    };
    let chosen = schema["enum"].as_array().is_none_or(|choices| choices.contains(value));
    let constant = schema.get("const").is_none_or(|only| only == value);
    if !(typed && chosen && constant) {
        found.push(format!("{at}: {value}"));
        return;
    }
    if let (Some(members), Some(known)) = (value.as_object(), schema["properties"].as_object()) {
        for name in schema["required"].as_array().into_iter().flatten() {
            if !members.contains_key(name.as_str().unwrap()) {
                found.push(format!("{at}: {name} is missing"));
            }
        }
        for (name, member) in members {
            match known.get(name) {
                Some(schema) => wrong(root, schema, member, &format!("{at}/{name}"), found),
                None if schema["additionalProperties"] == true => {}
                None => found.push(format!("{at}: the page has no {name}")),
            }
        }
    } else if let (Some(members), Some(each)) =
        (value.as_object(), schema["additionalProperties"].as_object())
    {
        for (name, member) in members {
            wrong(root, &json!(each), member, &format!("{at}/{name}"), found);
        }
    }
    if let (Some(items), Some(each)) = (value.as_array(), schema.get("items")) {
        for (index, item) in items.iter().enumerate() {
            wrong(root, each, item, &format!("{at}/{index}"), found);
        }
    }
}

struct Shell {
    sandbox: Sandbox,
    page: Value,
}

impl Shell {
    fn run(&self, arguments: &[&str]) -> Ran {
        let mut command = self.sandbox.command([arguments, &["--json"]].concat());
        command.env("XDG_STATE_HOME", self.sandbox.path().join("state"));
        command.env("HOME", self.sandbox.path().join("home"));
        command.output().unwrap().into()
    }

    fn checked(&self, name: &str, value: &Value, arguments: &[&str]) {
        let mut found = Vec::new();
        wrong(&self.page, &json!({"$ref": format!("#/$defs/{name}")}), value, "", &mut found);
        assert!(found.is_empty(), "weir {}: {found:#?}", arguments.join(" "));
    }

    /// The answer of a command, which must be of this shape.
    fn shaped(&self, name: &str, arguments: &[&str]) -> Value {
        let ran = self.run(arguments);
        assert!(ran.code < 2, "weir {}: {}", arguments.join(" "), ran.stderr);
        let value = ran.json();
        self.checked(name, &value, arguments);
        value
    }
}

#[test]
fn every_answer_has_the_shape_that_the_page_gives_it() {
    let shell = Shell { sandbox: Sandbox::new(), page: schema() };
    let directory = shell.sandbox.path().join("config/weir");
    fs::create_dir_all(&directory).unwrap();
    fs::create_dir_all(shell.sandbox.path().join("home/.cursor")).unwrap();
    let servers = json!({"good": {"command": SERVER}, "gone": {"command": "/no/such/server"}});
    fs::write(directory.join("servers.json"), json!({"mcpServers": servers}).to_string()).unwrap();
    let log: String = (1..4_000).map(|n| format!("line {n} of the log, all is well\n")).collect();
    let file = shell.sandbox.path().join("log.txt");
    fs::write(&file, &log).unwrap();
    let small = shell.sandbox.path().join("small.txt");
    fs::write(&small, "small").unwrap();
    let (file, small) = (file.to_str().unwrap(), small.to_str().unwrap());

    let replaced = shell.shaped("transform", &["transform", file]);
    let id = replaced["handles"][0]["id"].as_str().unwrap().to_owned();
    shell.shaped("transform", &["transform", small]);
    shell.shaped("stat", &["fetch", &id]);
    for range in [&["--lines", "1..3"], &["--bytes", "0..9"], &["--chars", "0..9"]] {
        shell.shaped("page", &[&["fetch", &id], &range[..]].concat());
    }
    for selection in ["--head", "--tail", "--all"] {
        shell.shaped("page", &["fetch", &id, selection]);
    }
    shell.shaped("grep", &["fetch", &id, "--grep", "line 77", "-C", "1"]);
    shell.shaped("query", &["fetch", &id, "--query", "length"]);
    shell.shaped("outline", &["fetch", &id, "--outline"]);
    shell.shaped("passages", &["fetch", &id, "--search", "line 77"]);
    let longer = shell.sandbox.path().join("longer.txt");
    fs::write(&longer, log.clone() + "more\n").unwrap();
    let newer = shell.shaped("transform", &["transform", longer.to_str().unwrap()]);
    let newer = newer["handles"][0]["id"].as_str().unwrap().to_owned();
    shell.shaped("diff", &["fetch", &newer, "--diff", &id]);
    shell.shaped("config_validate", &["config", "validate"]);
    shell.shaped("secret_list", &["secret", "list"]);
    shell.shaped("token_create", &["token", "create", "ci", "--expires", "90"]);
    shell.shaped("token_list", &["token", "list"]);
    shell.shaped("token_revoke", &["token", "revoke", "ci"]);
    shell.shaped("approve", &["approve"]);
    shell.shaped("approve", &["approve", "--list"]);
    shell.shaped("approve_answer", &["approve", "00000000", "--no"]);
    shell.shaped("approve_revoke", &["approve", "--revoke", "00000000"]);
    shell.shaped("tools_approve", &["tools", "approve", "good"]);
    let asked = json!({"id": id, "mode": "tail"}).to_string();
    shell.shaped("answer", &["fetch", "--arguments", &asked]);
    shell.shaped("list", &["list"]);
    shell.shaped("done", &["pin", &id]);
    shell.shaped("done", &["unpin", &id[..4]]);
    shell.shaped("status", &["status"]);
    shell.shaped("servers", &["servers", "--check"]);
    shell.shaped("status", &["status"]);
    shell.shaped("tools", &["tools", "--no-start"]);
    shell.shaped("search", &["search", "echo"]);
    shell.shaped("call", &["call", "good__echo", r#"{"text": "a"}"#]);
    let raw = shell.shaped("call", &["call", "good__big", r#"{"bytes": 60000}"#, "--raw"]);
    assert!(raw.to_string().len() > 60_000 && !raw.to_string().contains("[weir: "));
    let counted = shell.shaped("stats", &["stats"]);
    assert_eq!(counted["total"]["calls"], 2, "calls from a shell count");
    shell.shaped("stats", &["stats", "--reset"]);
    shell.shaped("sweep", &["sweep"]);
    shell.shaped("tools", &["tools"]);
    shell.shaped("search", &["tools", "search", "echo"]);
    shell.shaped("tools_describe", &["tools", "describe", "good__echo"]);
    shell.shaped("tools_describe", &["tools", "describe", "no_such_tool"]);
    shell.shaped("tools_learnt", &["tools", "learnt"]);
    shell.shaped("tools_learnt", &["tools", "learnt", "--erase"]);
    let phrases = shell.sandbox.path().join("phrases.jsonl");
    fs::write(&phrases, "").unwrap();
    shell.shaped("tools_phrases", &["tools", "phrases", "--from", phrases.to_str().unwrap()]);
    shell.shaped("completions", &["completions", "bash"]);
    shell.shaped("man", &["man", "pages"]);
    shell.shaped("hook_show", &["hook", "cursor", "--show"]);
    shell.shaped("hook_show", &["hook", "pi", "--show"]);
    for (line, code) in [
        ("echo out; echo err >&2; exit 3", 3),
        ("seq 1 20000", 0),
        ("head -c 90 /dev/zero; printf '\\377'", 0),
    ] {
        let mut command = shell.sandbox.command(["--json", "run", "-c", line]);
        let ran: Ran = command.output().unwrap().into();
        let value = ran.json();
        shell.checked("run", &value, &["run"]);
        assert_eq!((ran.code, &value["exit_code"]), (code, &json!(code)), "{line}");
    }
    let session = shell.sandbox.path().join("session.json");
    fs::write(&session, json!({"role": "tool", "content": log}).to_string()).unwrap();
    shell.shaped("doctor", &["doctor"]);
    shell.shaped("inspect", &["inspect"]);
    shell.shaped("config_show", &["config", "show"]);
    let key = SigningKey::generate().unwrap();
    fs::write(shell.sandbox.path().join("weir.pub"), key.public_key().to_pem()).unwrap();
    let signed = shell.sandbox.path().join(file);
    let signature = key.sign(&fs::read(&signed).unwrap()).unwrap();
    fs::write(Signature::beside(&signed), signature.to_base64() + "\n").unwrap();
    shell.shaped("component_verify", &["component", "verify", file, "--key", "weir.pub"]);
    shell.shaped("try", &["try", "cursor", "--replay", session.to_str().unwrap()]);
    shell.shaped("install", &["install", "cursor", "--dry-run"]);
    shell.shaped("install", &["install", "cursor", "--yes"]);
    shell.shaped("install", &["install", "cursor", "--undo", "--yes"]);
    shell.shaped("demo", &["demo"]);
    shell.shaped("done", &["forget", &id]);
    let tier = shell.sandbox.path().join("tier");
    fs::write(directory.join("config.toml"), format!("tier = {tier:?}\n")).unwrap();
    for command in ["audit", "sweep", "init"] {
        shell.shaped(&format!("store_{command}"), &["store", command]);
    }
    shell.shaped("done", &["share", &id, "--with", "bert", "--revoke"]);
    shell.shaped("install", &["install", "cursor", "--yes"]);
    shell.shaped("uninstall", &["uninstall", "--dry-run"]);
    fs::write(shell.sandbox.path().join("home/.cursor/mcp.json"), "{").unwrap();
    let left = shell.shaped("install", &["install", "--undo", "--yes"]);
    assert_eq!(left["left"].as_array().map(Vec::len), Some(1), "{left}");
    for (arguments, code) in [
        (&["fetch", "5f1e0c9a77d2"][..], "unknown"),
        (&["fetch", "zz"], "malformed-id"),
        (&["install", "no-such-host"], "usage"),
        (&["fetch", "--no-such-option"], "usage"),
        (&["hook"], "usage"),
    ] {
        let ran = shell.run(arguments);
        assert_eq!(ran.code, 2, "{arguments:?}: {}", ran.stdout);
        let error: Value = serde_json::from_str(ran.stderr.lines().last().unwrap()).unwrap();
        shell.checked("error", &error, arguments);
        assert_eq!(error["error"]["code"], code, "{arguments:?}");
        let message = error["error"]["message"].as_str().unwrap();
        assert!(!message.ends_with(':'), "what is missing is named: {message}");
    }
}

/// Commands whose output is not for `--json` to change: a protocol, a page of help, and a JSON Schema.
const WITHOUT: &[&str] = &["serve", "serve-builtin", "help", "config schema"];

#[test]
fn every_command_has_its_shape_on_the_page() {
    let sandbox = Sandbox::new();
    let page = schema();
    let shapes: Vec<&str> = page["$defs"]
        .as_object()
        .unwrap()
        .values()
        .filter_map(|shape| shape["description"].as_str())
        .collect();
    // The names under the headings of a help text.
    let named = |words: &[&str]| -> Vec<String> {
        let help = sandbox.run([words, &["--help"]].concat()).stdout;
        let mut names = Vec::new();
        let mut inside = false;
        for line in help.lines() {
            match line.strip_prefix("  ").map(|row| row.split(' ').next().unwrap_or_default()) {
                Some(name) if inside && name.starts_with(|c: char| c.is_ascii_lowercase()) => {
                    names.push(name.to_owned());
                }
                _ if line.ends_with(':') => {
                    inside = !line.ends_with("xamples:") && !line.ends_with("ptions:");
                }
                _ => {}
            }
        }
        names
    };
    let mut commands = Vec::new();
    for name in named(&[]) {
        let inner =
            match ["tools", "config", "component", "secret", "token", "memory"].contains(&&*name) {
                true => named(&[&name]),
                false => Vec::new(),
            };
        commands.extend(inner.iter().map(|inner| format!("{name} {inner}")));
        if inner.is_empty() || ["tools", "memory"].contains(&&*name) {
            commands.push(name);
        }
    }
    assert!(commands.len() > 40, "{commands:?}");
    for command in commands {
        let exempt = WITHOUT.contains(&&*command) || command.ends_with(" help");
        let has = |shape: &&str| {
            shape.contains(&format!("`{command}`")) || shape.contains(&format!("`{command} "))
        };
        assert!(exempt || shapes.iter().any(has), "the page has no shape for {command}");
    }
}
