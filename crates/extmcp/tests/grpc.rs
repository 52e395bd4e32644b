//! The protocol as a proxy speaks it: over TCP, by messages written from the protocol's file and not from ours.
#![allow(missing_docs, clippy::unwrap_used, reason = "tests")]

mod proxy;

use std::path::Path;
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::net::TcpListener;
use tonic::Code;
use weir_extmcp::{Reader, Seat, serve};
use weir_gateway::gate::Gate;
use weir_gateway::identity::{Identity, Profile};
use weir_host::Weir;

use proxy::{Proxy, texts};

struct Served {
    proxy: Proxy,
    weir: Weir,
    directory: TempDir,
}

fn open(directory: &Path) -> Weir {
    let cache = std::env::temp_dir().join("weir-doctest-cache");
    Weir::builder().cache(cache).open(directory.join("store")).expect("the component opens")
}

async fn served(reader: Reader, session: Option<&str>) -> Served {
    let directory = tempfile::tempdir().unwrap();
    let weir = open(directory.path());
    let gate = Gate::new(Ok(weir.clone()), "default");
    let proxy = listening(gate, reader, session).await;
    Served { proxy, weir, directory }
}

async fn listening(gate: Gate, reader: Reader, session: Option<&str>) -> Proxy {
    let session = session.map(str::to_owned);
    let seat = Seat { gate, session, target: "weir".into(), reader };
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(serve(seat, listener, std::future::pending()));
    Proxy::at(address).await
}

fn tool() -> Reader {
    Reader::Tool("weir_weir_fetch".into())
}

fn shell() -> Reader {
    Reader::Shell(Box::new(|session| format!("weir fetch --session {session}")))
}

/// 5,000 lines.
fn large(name: &str) -> Value {
    let lines: Vec<String> = (0..5_000).map(|n| format!("{name} line {n}: all is well")).collect();
    json!({"content": [{"type": "text", "text": lines.join("\n")}], "isError": false})
}

fn shown(result: &[u8]) -> String {
    let result: Value = serde_json::from_slice(result).unwrap();
    result["content"][0]["text"].as_str().unwrap().to_owned()
}

/// The id that an excerpt names.
fn id(excerpt: &str) -> &str {
    let (_, id) = excerpt.split_once("\"id\":\"").unwrap_or_else(|| panic!("{excerpt}"));
    id.split('"').next().unwrap()
}

/// The session in which `weir serve` has the results of this client.
fn session_of(client: &str) -> String {
    let profile = Profile { name: client.into(), shares_results: true, ..Profile::default() };
    Identity::beside_others(&Arc::new(profile), Some("any")).store_session("default")
}

fn read(weir: &Weir, session: &str, id: &str) -> (bool, String) {
    let asked = json!({"id": id, "mode": "grep", "pattern": "line 4321:"}).to_string();
    let answer = weir.invoke(session, "weir_fetch", &asked).unwrap();
    (!answer.is_error && answer.text.contains("line 4321: all is well"), answer.text)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_result_is_an_excerpt_that_weir_serve_reads_back_for_the_same_client_alone() {
    let mut served = served(tool(), None).await;
    let anna = "https://issuer.example#anna";
    let context = texts(&[("client", anna)]);
    let result = large("a");
    let mutated = served.proxy.response("tools/call", &["logs"], Some(context), &result).await;
    let excerpt = shown(&mutated.expect("it is replaced"));
    assert!(
        excerpt.len() < 9_000 && excerpt.contains("with weir_weir_fetch mode grep"),
        "{excerpt}"
    );
    let id = id(&excerpt);
    let (found, answer) = read(&served.weir, &session_of(anna), id);
    assert!(found, "{answer}");
    for other in [&session_of("https://issuer.example#bert"), &session_of("anna"), "default"] {
        assert!(!read(&served.weir, other, id).0, "{other} reads it");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_client_nothing_is_stored_for_all() {
    let mut served = served(tool(), None).await;
    for context in
        [None, Some(texts(&[])), Some(texts(&[("client", "")])), Some(texts(&[("tenant.io", "x")]))]
    {
        let mutated = served.proxy.response("tools/call", &["logs"], context, &large("a")).await;
        assert_eq!(mutated, None);
    }
    assert_eq!(served.weir.list_blobs("default", 10, None).unwrap().total, 0);
    // A shell reads by a name that only the excerpt says, and no two are the same.
    let mut served = self::served(shell(), None).await;
    let mut sessions = Vec::new();
    for name in ["a", "b"] {
        let result = served.proxy.response("tools/call", &["logs"], None, &large(name)).await;
        let excerpt = shown(&result.expect("it is replaced"));
        let (_, rest) =
            excerpt.split_once("\n  weir fetch --session ").expect("the command is named");
        let mut words = rest.split_whitespace();
        let (session, id) = (words.next().unwrap().to_owned(), words.next().unwrap().to_owned());
        assert!(read(&served.weir, &session, &id).0, "{excerpt}");
        sessions.push(session);
    }
    assert_ne!(sessions[0], sessions[1]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_named_session_is_for_a_proxy_with_one_client() {
    let mut served = served(tool(), Some("mine")).await;
    let mutated = served.proxy.response("tools/call", &["logs"], None, &large("a")).await;
    let excerpt = shown(&mutated.expect("it is replaced"));
    assert!(read(&served.weir, "mine", id(&excerpt)).0);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_request_says_comes_back_with_its_result_and_secrets_stay_out_of_the_store() {
    let mut served = served(tool(), None).await;
    let asked = json!({"name": "read_file", "arguments": {"path": "/app/.env"}});
    let noted = served.proxy.request("tools/call", &["files"], &asked).await.expect("it is noted");
    let mut context = texts(&[("client", "anna")]);
    context.fields.insert("call".into(), noted.fields["weir"].clone());
    let mutated = served.proxy.response("tools/call", &["files"], Some(context), &large("a")).await;
    assert_eq!(mutated, None, "a file of secrets is never stored");
    // The proxy's own test has this call.
    let asked = json!({"name": "echo", "arguments": {"hi": "world"}});
    let noted = served.proxy.request("tools/call", &["mcp"], &asked).await.expect("it is noted");
    let mut context = texts(&[("client", "anna")]);
    context.fields.insert("call".into(), noted.fields["weir"].clone());
    let mutated = served.proxy.response("tools/call", &["mcp"], Some(context), &large("a")).await;
    let excerpt = shown(&mutated.expect("it is replaced"));
    assert!(excerpt.contains("echo"), "{excerpt}");
    // Of other methods, and of what is no call, nothing is noted; all pass.
    for (method, params) in [
        ("tools/list", Value::Null),
        ("prompts/get", json!({"name": "x"})),
        ("tools/call", json!([1])),
        ("tools/call", json!({"name": 3})),
    ] {
        assert_eq!(served.proxy.request(method, &["a", "b"], &params).await, None, "{method}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_small_strange_or_ours_passes_untouched() {
    let mut served = served(tool(), Some("mine")).await;
    let big = serde_json::to_vec(&large("a")).unwrap();
    let deep = format!("{{\"content\":{}1{}}}", "[".repeat(20_000), "]".repeat(20_000));
    for (method, target, bytes) in [
        ("tools/call", "weir", &big[..]),
        ("prompts/get", "logs", &big),
        ("resources/read", "logs", &big),
        ("initialize", "logs", &big),
        ("", "logs", &big),
        ("tools/list", "logs", &big),
        ("tools/call", "logs", b""),
        ("tools/call", "logs", b"{"),
        ("tools/call", "logs", b"\xff\xfe{}"),
        ("tools/call", "logs", b"[]"),
        ("tools/call", "logs", b"\"text\""),
        ("tools/call", "logs", br#"{"content":[{"type":"text","text":"hello"}]}"#),
        ("tools/call", "logs", br#"{"content":3}"#),
        ("tools/call", "logs", br#"{"task":{"taskId":"1"}}"#),
        ("tools/list", "logs", b"{}"),
        ("tools/list", "logs", br#"{"tools":[]}"#),
        ("tools/list", "logs", br#"{"tools":3}"#),
        ("tools/list", "logs", br#"{"tools":[3,null,{"name":4},{}]}"#),
    ] {
        let mutated = served.proxy.raw_response(method, &[target], None, bytes).await.unwrap();
        let mutated = mutated.as_deref().map(String::from_utf8_lossy);
        assert_eq!(
            mutated,
            None,
            "{method} {target} {}",
            String::from_utf8_lossy(&bytes[..bytes.len().min(60)])
        );
    }
    // Of no use to anybody, and no reason to stop.
    assert!(
        served.proxy.raw_response("tools/call", &["logs"], None, deep.as_bytes()).await.is_ok()
    );
    let other = served.proxy.unary("/agentgateway.dev.ext_mcp.ExtMcp/Other").await;
    assert_eq!(other.unwrap_err().code(), Code::Unimplemented);
    let other = served.proxy.unary("/other.Service/CheckResponse").await;
    assert_eq!(other.unwrap_err().code(), Code::Unimplemented);
    // More than it takes: the proxy's `failureMode` decides.
    let huge = vec![b' '; 64 * 1024 * 1024 + 1];
    let refused = served.proxy.raw_response("tools/call", &["logs"], None, &huge).await;
    assert_eq!(refused.unwrap_err().code(), Code::OutOfRange);
    // And it still answers.
    assert!(served.proxy.response("tools/call", &["logs"], None, &large("a")).await.is_some());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_stored_passes_whole() {
    let gate = Gate::new(Err("there is none".to_owned()), "default");
    let mut proxy = listening(gate, tool(), Some("mine")).await;
    assert_eq!(proxy.response("tools/call", &["logs"], None, &large("a")).await, None);
    // The directory is gone: a file lies in its place.
    let mut served = served(tool(), Some("mine")).await;
    let store = served.directory.path().join("store");
    std::fs::remove_dir_all(&store).unwrap();
    std::fs::write(&store, "").unwrap();
    assert_eq!(served.proxy.response("tools/call", &["logs"], None, &large("a")).await, None);
    std::fs::remove_file(&store).unwrap();
    std::fs::create_dir(&store).unwrap();
    assert!(served.proxy.response("tools/call", &["logs"], None, &large("a")).await.is_some());
}

/// Definitions as the proxy lists them: with the target's name before each.
fn tools(count: usize, bridge: &[&str]) -> Value {
    let theirs = (0..count).map(|n| {
        json!({
            "name": format!("github_tool_{n}"),
            "description": format!("Do the thing number {n} to a repository, and answer what has become of it. {}", "More words. ".repeat(20)),
            "inputSchema": {"type": "object", "properties": {"repository": {"type": "string"}}},
            "outputSchema": {"type": "object"},
        })
    });
    let ours = bridge.iter().map(|name| json!({"name": name, "inputSchema": {"type": "object"}}));
    theirs.chain(ours).collect()
}

fn names(result: &[u8]) -> Vec<String> {
    let result: Value = serde_json::from_slice(result).unwrap();
    let tools = result["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

const OURS: [&str; 4] =
    ["weir_tool_search", "weir_tool_describe", "weir_tool_call", "weir_weir_fetch"];

#[tokio::test(flavor = "multi_thread")]
async fn a_long_list_is_the_bridge_where_something_answers_it() {
    let mut served = served(tool(), None).await;
    let mut list = async |result: Value| {
        served.proxy.response("tools/list", &["github", "weir"], None, &result).await
    };
    let long = list(json!({"tools": tools(60, &OURS), "_meta": {"a": 1}})).await.unwrap();
    assert_eq!(names(&long), OURS);
    let whole: Value = serde_json::from_slice(&long).unwrap();
    assert_eq!(whole["_meta"]["a"], 1, "other members stay");
    // Few tools, no tool that calls them, or a list that goes on: all of them, without schemas of results.
    for (count, bridge, cursor) in [
        (3, &OURS[..], Value::Null),
        (60, &OURS[..1], Value::Null),
        (60, &[], Value::Null),
        (60, &OURS, json!("next")),
    ] {
        let result = json!({"tools": tools(count, bridge), "nextCursor": cursor});
        let mutated = list(result).await.unwrap();
        assert_eq!(names(&mutated).len(), count + bridge.len());
        let mutated: Value = serde_json::from_slice(&mutated).unwrap();
        let first = &mutated["tools"][0];
        assert_eq!(first.get("outputSchema"), None);
        assert_eq!(first["_meta"]["weir/outputSchema"]["type"], "object");
    }
    // Names that only look like ours are somebody else's.
    let strange = ["weird_tool_search", "weird_tool_call", "tool_search", "tool_call"];
    assert_eq!(names(&list(json!({"tools": tools(60, &strange)})).await.unwrap()).len(), 64);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_at_once_get_each_their_own() {
    let served = served(tool(), None).await;
    let mut calls = Vec::new();
    for n in 0..40 {
        let mut proxy = served.proxy.clone();
        calls.push(tokio::spawn(async move {
            let context = texts(&[("client", &format!("client-{n}"))]);
            let result = large(&format!("of{n}"));
            (n, proxy.response("tools/call", &["logs"], Some(context), &result).await)
        }));
    }
    for call in calls {
        let (n, mutated) = call.await.unwrap();
        let excerpt = shown(&mutated.expect("it is replaced"));
        assert!(excerpt.contains(&format!("of{n} line 0")), "{excerpt}");
        assert!(read(&served.weir, &session_of(&format!("client-{n}")), id(&excerpt)).0);
    }
}
