//! A server with a long list of tools: searched while the list is on its way, kept for the next start, and cut where
//! there are too many.

use std::fmt::Write as _;
use std::path::PathBuf;

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, server};

const TOOLS: usize = 300;

/// A schema of some kilobytes: what it says of `depth` stands deep within.
fn schema(at: usize) -> String {
    let models: String = (0..20).fold(String::new(), |mut text, n| {
        write!(
            text,
            r#","Model{n}":{{"type":"object","description":"Model {n}, as it is specified in full.","properties":{{"id":{{"type":"string","description":"The identifier of the model, as shown."}}}}}}"#
        )
        .unwrap();
        text
    });
    let object = |properties: &str| format!(r#"{{"type":"object","properties":{{{properties}}}"#);
    let depth = format!(r#""depth":{{"type":"integer","minimum":{at},"x":1.10}}"#);
    let c = format!(r#"{},"required":["depth"]}}"#, object(&depth));
    let b = format!("{}}}", object(&format!(r#""c":{c}"#)));
    let level = format!("{}}}", object(&format!(r#""b":{b}"#)));
    let own = r##""a":{"$ref":"#/$defs/Level1"},"model":{"$ref":"#/$defs/Model3"}"##;
    format!(r#"{},"required":["a"],"$defs":{{"Level1":{level}{models}}}}}"#, object(own))
}

fn lines(sandbox: &Sandbox) -> PathBuf {
    let file = sandbox.path().join("tools.lines");
    let tools: Vec<String> = (0..TOOLS)
        .map(|at| {
            let name = format!("tool_{at:03}");
            let about = format!("Works on the {} of a workspace.", word(at));
            let schema = schema(at);
            format!(r#"{{"name":"{name}","description":"{about}","inputSchema":{schema}}}"#)
        })
        .collect();
    std::fs::write(&file, tools.join("\n") + "\n").unwrap();
    file
}

fn word(at: usize) -> String {
    let letter = |n: usize| char::from(b'a' + (n % 26) as u8);
    format!("zor{}{}{}", letter(at), letter(at / 26), letter(at / 676))
}

fn call(name: &str, depth: i64, schema: Option<&str>) -> Value {
    let mut call = json!({"name": name, "arguments": {"a": {"b": {"c": {"depth": depth}}}, "model": {"id": "x"}}});
    if let Some(schema) = schema {
        call["schema"] = schema.into();
    }
    json!({ "calls": [call] })
}

#[test]
fn a_tool_of_a_page_that_is_still_to_come_is_called_all_the_same() {
    let sandbox = Sandbox::new();
    let lines = lines(&sandbox).to_string_lossy().into_owned();
    let until = sandbox.path().join("go on");
    let flags = ["--lines", &lines, "--page", "100", "--until", until.to_str().unwrap()];
    let servers = json!({"big": server(&flags)});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let called = client.send("tools/call", json!({"name": "big__tool_250", "arguments": {}}));
    let unknown = client.send("tools/call", json!({"name": "big__no_tool", "arguments": {}}));
    // Longer than a start waits for further pages; on a slower machine the answers are the same.
    std::thread::sleep(std::time::Duration::from_secs(1));
    std::fs::write(&until, "").unwrap();
    // The server lists it and does not have it: that is its own answer. The other one never reaches it.
    assert_eq!(client.wait(called).0["error"]["message"], "Unknown tool");
    assert_eq!(client.wait(unknown).0["error"]["message"], "Unknown tool: big__no_tool");
    client.close();
}

#[test]
fn a_long_list_is_searched_page_by_page_and_is_exact_where_it_counts() {
    let sandbox = Sandbox::new();
    let lines = lines(&sandbox).to_string_lossy().into_owned();
    let until = sandbox.path().join("go on").to_string_lossy().into_owned();
    let mark = sandbox.path().join("mark").to_string_lossy().into_owned();
    let flags = ["--lines", &lines, "--page", "100", "--until", &until, "--mark", &mark];
    let servers = json!({"big": server(&flags)});
    let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "bridge"]);
    // The first page is there, and that there are more is said.
    let found = client.text("tool_search", json!({"query": word(5)}));
    assert!(found.contains(r#""name":"big__tool_005""#), "{found}");
    assert!(found.contains("big: lists more tools than the 100"), "{found}");
    let missing = client.text("tool_search", json!({"query": word(250)}));
    assert!(!missing.contains("tool_250"), "{missing}");
    std::fs::write(&until, "").unwrap();
    // What is not known yet is waited for, and is shown to the byte.
    let described =
        client.text("tool_describe", json!({"names": ["big__tool_250", "big__tool_x"]}));
    assert!(described.contains(&schema(250)), "{described}");
    let described: Value = serde_json::from_str(&described).unwrap();
    assert_eq!(described["missing"][0]["name"], "big__tool_x");
    let found = client.text("tool_search", json!({"query": word(250)}));
    assert!(found.contains("big__tool_250") && !found.contains("lists more tools"), "{found}");
    let hit: Value = serde_json::from_str(&found).unwrap();
    let signature = hit["results"][0]["matches"][0]["arguments"].as_str().unwrap();
    assert!(signature.contains("a: {b?: {"), "{signature}");
    // A call is checked against the whole schema, whatever it was written for.
    let mut wrong = call("big__tool_250", 250, None);
    wrong["calls"][0]["arguments"]["a"]["b"]["c"]["depth"] = json!("deep");
    let refused = client.text("tool_call", wrong);
    assert!(refused.contains("nothing was called") && refused.contains("depth"), "{refused}");
    let digest = described["tools"][0]["schema"].as_str().unwrap();
    for claim in [None, Some(digest)] {
        let answer = client.call("tool_call", call("big__tool_250", 251, claim)).to_string();
        assert!(!answer.contains("nothing was called"), "{answer}");
    }
    let stale = client.text("tool_call", call("big__tool_250", 251, Some("00000000")));
    assert!(stale.contains("has changed"), "{stale}");
    client.close();

    // Known from its file.
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "bridge"]);
    let described = client.text("tool_describe", json!({"names": ["big__tool_123"]}));
    assert!(described.contains(&schema(123)), "{described}");
    client.close();
}

#[test]
fn a_list_on_one_long_page_and_tools_that_cannot_be_offered() {
    let sandbox = Sandbox::new();
    let file = lines(&sandbox);
    let mut text = std::fs::read_to_string(&file).unwrap();
    // Longer than what is held in memory; entries that are no tools, nameless, or there twice.
    let padding = "x".repeat(5 << 20);
    writeln!(text, r#"{{"name":"padded","description":"{padding}","inputSchema":{{}}}}"#).unwrap();
    text.push_str("7\n{\"description\":\"nameless\"}\n{\"name\":\"tool_000\"}\n{\"name\":\" \"}\n");
    std::fs::write(&file, text).unwrap();
    let flags = ["--lines", file.to_str().unwrap()];
    let servers = json!({"big": server(&flags)});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    let tools = client.tools();
    let of_server = |tool: &&Value| tool["name"].as_str().unwrap().starts_with("big__");
    let tools: Vec<&Value> = tools.iter().filter(of_server).collect();
    assert_eq!(tools.len(), TOOLS + 1);
    assert_eq!(tools[7]["inputSchema"].to_string(), {
        let schema: Value = serde_json::from_str(&schema(7)).unwrap();
        schema.to_string()
    });
    assert_eq!(tools[TOOLS]["description"], padding);
    client.close();
}

#[test]
fn of_too_many_tools_those_that_are_named_come_first_and_searches_say_so() {
    const MANY: usize = 20_400;
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("many.lines");
    let tools = (0..MANY).fold(String::new(), |mut text, at| {
        writeln!(
            text,
            r#"{{"name":"t_{at}","description":"Works on the {}.","inputSchema":{{}}}}"#,
            word(at)
        )
        .unwrap();
        text
    });
    std::fs::write(&file, tools).unwrap();
    let mut long = server(&["--lines", file.to_str().unwrap(), "--page", "2600"]);
    // A small server keeps its tools, wherever its name is among the others'.
    let servers = json!({"big": long, "last": server(&[])});
    let why = "big: not all of its tools are offered, as a gateway has at most 20000: name those that are wanted under allow";
    // The first start lists them, the second knows them from its file.
    for _ in 0..2 {
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "bridge"]);
        // A name that nothing has is answered when all tools are known.
        let answer = client.text("tool_describe", json!({"names": ["big__none", "big__t_20399"]}));
        assert_eq!(answer.matches("no such tool").count(), 2, "{answer}");
        let found = client.text("tool_search", json!({"query": word(17_000)}));
        assert!(found.contains(r#""name":"big__t_17000""#), "{found}");
        let answer: Value = serde_json::from_str(&found).unwrap();
        assert_eq!(answer["searched"], 20_000, "{found}");
        assert_eq!(answer["not_searched"], json!([why]), "{found}");
        let last = client.text("tool_describe", json!({"names": ["last__echo"]}));
        assert!(!last.contains("no such tool"), "{last}");
        client.close();
    }
    // What an entry lets through takes the places, wherever it is in the list.
    long["weir"] = json!({"allow": ["t_17000", "t_20399"]});
    let sandbox = Sandbox::new();
    let mut client = Client::legacy(&sandbox, json!({"big": long}), &["--mode", "bridge"]);
    let answer = client.text("tool_describe", json!({"names": ["big__t_20399"]}));
    assert!(!answer.contains("no such tool"), "{answer}");
    client.close();
}
