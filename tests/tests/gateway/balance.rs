//! The ledger, held against a balance that is worked out beside it from what went over the wire.

use serde_json::{Value, json};
use weir_tests::Sandbox;
use weir_text::tokens;

use crate::client::{Client, SERVER, server};

/// What a client passes of a result, in characters.
const CLIENT_CHARS: u64 = 100_000;

/// Characters and estimated tokens that a client shows of a result.
fn seen(result: &Value) -> (u64, u64) {
    let of = |text: &str| (text.chars().count() as u64, tokens::of(text));
    let mut parts = Vec::new();
    let mut texts = Vec::new();
    for block in result["content"].as_array().unwrap() {
        let base64 = block["data"].as_str().or(block["resource"]["blob"].as_str());
        parts.push(match (base64, block["text"].as_str()) {
            (Some(base64), _) => (base64.len() as u64, tokens::of_base64(base64.len() as u64)),
            (None, Some(text)) => {
                texts.push(text.to_owned());
                of(text)
            }
            (None, None) => of(&block.to_string()),
        });
    }
    let structured = &result["structuredContent"];
    let is_said =
        |text: &String| serde_json::from_str::<Value>(text).ok().as_ref() == Some(structured);
    if structured.is_object() && !texts.iter().any(is_said) {
        parts.push(of(&structured.to_string()));
    }
    parts.into_iter().fold((0, 0), |sum, part| (sum.0 + part.0, sum.1 + part.1))
}

#[derive(Default)]
struct True {
    kept_out: i64,
    repeats: i64,
    read_back: i64,
}

impl True {
    /// A call whose result the server writes as it is given; whether the same came before.
    fn call(&mut self, client: &mut Client, tool: &str, result: &Value, again: bool) -> Value {
        let shown = client.call(tool, json!({"result": result}))["result"].clone();
        let (chars, mut before) = seen(result);
        if chars > CLIENT_CHARS {
            before = before * CLIENT_CHARS / chars;
        }
        let after = seen(&shown).1;
        if shown["content"] != result["content"] {
            self.kept_out += before as i64 - after as i64;
            if again {
                self.repeats += (before - before.div_ceil(10)) as i64;
            }
        }
        shown
    }

    fn read(&mut self, client: &mut Client, arguments: &Value) {
        let text = client.text("weir_fetch", arguments.clone());
        self.read_back += (tokens::of(&arguments.to_string()) + tokens::of(&text)) as i64;
    }
}

fn lines(of: &str, count: usize) -> String {
    (0..count).map(|n| format!("{of} {n}: all is well at {}\n", n * 7)).collect()
}

fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

#[test]
fn the_ledger_is_right_to_the_token() {
    let sandbox = Sandbox::new();
    let config = sandbox.path().join("weir.toml");
    std::fs::write(&config, "[transform]\nnever_store = [\"tool:secret/raw\"]\n").unwrap();
    let only = json!({"command": SERVER, "weir": {"allow": ["raw"]}});
    let servers = json!({"s": only, "secret": only});
    let flags = ["--mode", "passthrough", "--config", config.to_str().unwrap()];
    let mut client = Client::legacy(&sandbox, servers, &flags);
    let listed = client.tools();
    let of = |tool: &Value, name: &str| {
        let text = |key: &str| tool[key].as_str().unwrap_or_default();
        tokens::of_definition(name, text("description"), &tool["inputSchema"].to_string())
    };
    let shown: u64 = listed.iter().map(|tool| of(tool, tool["name"].as_str().unwrap())).sum();
    let prefixes = |name: &str| tokens::of(name) - tokens::of("raw");
    let direct: u64 = listed[..2]
        .iter()
        .map(|tool| tool["name"].as_str().unwrap())
        .zip(&listed)
        .map(|(name, tool)| of(tool, name) - prefixes(name))
        .sum();
    let definitions = direct as i64 - shown as i64;
    assert!(definitions < -50, "a list that only costs: {definitions}");

    let mut sum = True::default();
    let mut calls = 0;
    // Small ones, and errors, which pass.
    for n in 0..8 {
        sum.call(&mut client, "s__raw", &text(&lines("small", 5 + n)), false);
        calls += 1;
    }
    // Large ones: of text, of JSON, structured, beyond what a client passes, and one for each way to read.
    let big: Vec<Value> = (0..6).map(|n| text(&lines(&format!("log {n}"), 900 + n))).collect();
    let mut ids = Vec::new();
    for result in &big {
        let shown = sum.call(&mut client, "s__raw", result, false);
        ids.push(shown["_meta"]["weir/blob"]["id"].as_str().unwrap().to_owned());
        calls += 1;
    }
    let rows: Vec<Value> = (0..900).map(|n| json!({"id": n, "name": format!("row {n}")})).collect();
    let same = json!({"rows": rows});
    let structured =
        json!({"content": [{"type": "text", "text": same.to_string()}], "structuredContent": same});
    let alone = json!({"content": [{"type": "text", "text": "900 rows"}], "structuredContent": {"rows": rows, "x": 1}});
    let image = json!({"content": [{"type": "image", "mimeType": "image/png", "data": "iVBORw0KGgoA".repeat(20)}]});
    let blob = json!({"content": [{"type": "text", "text": "a file"}, {"type": "resource", "resource":
        {"uri": "test://x.bin", "mimeType": "application/octet-stream", "blob": "AAECAwQFBgcICQoL".repeat(4_000)}}]});
    let long = text(&lines("long", 9_000));
    let failed =
        json!({"content": [{"type": "text", "text": lines("error", 900)}], "isError": true});
    for result in [&structured, &alone, &image, &blob, &long, &failed] {
        sum.call(&mut client, "s__raw", result, false);
        calls += 1;
    }
    // Asked for again: whole, then as an excerpt that says so.
    for _ in 0..2 {
        sum.call(&mut client, "s__raw", &big[0], true);
        calls += 1;
    }
    sum.call(&mut client, "s__raw", &long, true);
    // Cut, and never stored.
    let cut = sum.call(&mut client, "secret__raw", &text(&lines("secret", 2_600)), false);
    assert!(cut["_meta"]["weir/blob"].is_null(), "{cut}");
    calls += 2;
    for (id, arguments) in ids.iter().zip([
        json!({"mode": "tail"}),
        json!({"mode": "grep", "pattern": "777"}),
        json!({"mode": "head"}),
        json!({"mode": "info"}),
        json!({"mode": "lines", "from": 400, "to": 420}),
    ]) {
        for _ in 0..3 {
            let mut arguments = arguments.clone();
            arguments["id"] = json!(id);
            sum.read(&mut client, &arguments);
            calls += 1;
        }
    }
    // As a resource, whole.
    let uri = format!("weir://blob/{}", ids[5]);
    let read = client.ask("resources/read", json!({"uri": uri}));
    let whole = read["result"]["contents"][0]["text"].as_str().unwrap().to_owned();
    sum.read_back += (tokens::of(&uri) + tokens::of(&whole)) as i64;
    calls += 1;
    assert_eq!(calls, 40);
    client.close();

    let state = sandbox.path().join("state");
    let stats = sandbox.command(["stats", "--json", "--state", state.to_str().unwrap()]).output();
    let stats: Value = serde_json::from_slice(&stats.unwrap().stdout).unwrap();
    let number = |row: &Value, key: &str| row[key].as_i64().unwrap();
    let balance = &stats["balance"];
    let parts = ["kept_out", "repeats", "read_back", "definitions", "searched", "lists"];
    assert_eq!(
        parts.map(|key| number(balance, key)),
        [sum.kept_out, sum.repeats, sum.read_back, definitions, 0, 1],
        "{stats}"
    );
    let net = sum.kept_out - sum.repeats - sum.read_back + definitions;
    assert_eq!(number(balance, "net"), net);
    // Each breakdown has all of it.
    for all in ["clients", "days"] {
        assert_eq!(
            stats[all].as_object().unwrap().values().map(|of| number(of, "net")).sum::<i64>(),
            net
        );
    }
    let of_results = stats["kinds"].as_object().unwrap();
    assert_eq!(of_results.values().map(|of| number(of, "net")).sum::<i64>(), net - definitions);
    assert!(number(&of_results["(cut)"], "net") > 0 && of_results.len() > 2, "{of_results:?}");
    assert_eq!(number(&stats["clients"]["test"], "lists"), 1);
    let total = &stats["total"];
    assert_eq!(number(&total["tokens"], "net"), net - definitions);
    // Read back whole: as a resource, and by asking for it again, of a second one twice more.
    assert!(number(total, "read_whole") >= 2, "{total}");
}

#[test]
fn results_that_are_read_back_whole_pass_whole_unless_a_key_says_no() {
    for adaptive in [true, false] {
        let sandbox = Sandbox::new();
        let file = sandbox.path().join("servers.json");
        let config = json!({"mcpServers": {"s": server(&[])}, "weir": {"adaptive": adaptive, "listWait": 60}});
        std::fs::write(&file, config.to_string()).unwrap();
        let flags = ["--mode", "passthrough", "--servers", file.to_str().unwrap()];
        let mut client = Client::start_with(&sandbox, &flags);
        client.greet();
        let call = |client: &mut Client, n: usize| {
            client.call("s__raw", json!({"result": text(&lines(&format!("log {n}"), 600))}))
        };
        for n in 0..3 {
            let shown = call(&mut client, n);
            let uri = shown["result"]["_meta"]["weir/blob"]["uri"].as_str().unwrap().to_owned();
            let read = client.ask("resources/read", json!({"uri": uri}));
            assert!(read["result"]["contents"][0]["text"].as_str().unwrap().len() > 15_000);
        }
        let is_whole = |answer: &Value| answer["result"]["_meta"]["weir/blob"].is_null();
        assert_eq!(is_whole(&call(&mut client, 3)), adaptive);
        // A longer one is replaced as ever.
        let longer = json!({"result": text(&lines("longer", 2_000))});
        assert!(!is_whole(&client.call("s__raw", longer)));
        client.close();
        // The next gateway knows it, and `weir stats` says it.
        let mut client = Client::start_with(&sandbox, &flags);
        client.greet();
        assert_eq!(is_whole(&call(&mut client, 4)), adaptive);
        client.close();
        let state = sandbox.path().join("state");
        let stats =
            sandbox.command(["stats", "--state", state.to_str().unwrap()]).output().unwrap();
        let stats = String::from_utf8(stats.stdout).unwrap();
        assert!(
            stats.contains("s/raw up to") && stats.contains("3 results were read back whole"),
            "{stats}"
        );
    }
}
