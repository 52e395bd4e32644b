//! Servers of older transports: HTTP+SSE of 2024-11-05, and streams that end early and are asked for again.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::Client;

#[derive(Default)]
struct State {
    streams: BTreeMap<u32, TcpStream>,
    next: u32,
    posts: Vec<String>,
}

/// A server with its stream at `/sse`. `elsewhere` is what it names to post to, in place of its own.
fn serve(elsewhere: Option<String>) -> (String, Arc<Mutex<State>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let state = Arc::new(Mutex::new(State::default()));
    let shared = Arc::clone(&state);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (state, elsewhere) = (Arc::clone(&shared), elsewhere.clone());
            std::thread::spawn(move || connection(stream, &state, elsewhere.as_deref()));
        }
    });
    (format!("http://{address}/sse"), state)
}

fn connection(mut stream: TcpStream, state: &Mutex<State>, elsewhere: Option<&str>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let length = head.lines().find_map(|line| {
            let (name, value) = line.split_once(": ")?;
            name.eq_ignore_ascii_case("content-length").then(|| value.parse::<usize>().ok())?
        });
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        let target = head.split_whitespace().nth(1)?.to_owned();
        if head.starts_with("GET /sse ") {
            let mut state = state.lock().unwrap();
            state.next += 1;
            let session = state.next;
            let own = format!("/messages?session={session}");
            let endpoint = elsewhere.unwrap_or(&own);
            let start = format!(
                "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\nevent: endpoint\r\ndata: {endpoint}\r\n\r\n"
            );
            stream.write_all(start.as_bytes()).ok()?;
            state.streams.insert(session, stream);
            return None;
        }
        let (status, answer) = match target.strip_prefix("/messages?session=") {
            Some(session) => {
                let message: Value = serde_json::from_slice(&body).ok()?;
                let mut state = state.lock().unwrap();
                state.posts.push(message["method"].as_str().unwrap_or("").to_owned());
                (
                    "202 Accepted",
                    answer(&message).map(|answer| (session.parse::<u32>().unwrap(), answer)),
                )
            }
            None => ("405 Method Not Allowed", None),
        };
        stream
            .write_all(format!("HTTP/1.1 {status}\r\nContent-Length: 0\r\n\r\n").as_bytes())
            .ok()?;
        if let Some((session, answer)) = answer {
            let state = state.lock().unwrap();
            let mut stream = state.streams.get(&session)?;
            stream.write_all(format!("event: message\ndata: {answer}\n\n").as_bytes()).ok()?;
        }
    }
}

fn answer(message: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2024-11-05", "capabilities": {"tools": {}}, "serverInfo": {"name": "old", "version": "1"},
        }),
        "tools/list" => json!({"tools": [{"name": "echo", "inputSchema": {"type": "object"}}]}),
        "tools/call" => {
            json!({"content": [{"type": "text", "text": message["params"]["arguments"]["text"]}]})
        }
        _ => {
            return Some(
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no"}}),
            );
        }
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

#[test]
fn a_server_of_http_and_sse_is_reached_whether_or_not_its_entry_says_so() {
    let (url, state) = serve(None);
    let sandbox = Sandbox::new();
    let servers = json!({"said": {"type": "sse", "url": url}, "found": {"url": url}});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    for server in ["said", "found"] {
        assert_eq!(client.text(&format!("{server}__echo"), json!({"text": server})), server);
    }
    // Answers come in any order, each to its own call.
    let ids: Vec<(u64, String)> = (0..50)
        .map(|n| {
            let call = json!({"name": "found__echo", "arguments": {"text": format!("call {n}")}});
            (client.send("tools/call", call), format!("call {n}"))
        })
        .collect();
    for (id, text) in ids {
        assert_eq!(client.wait(id).0["result"]["content"][0]["text"], text);
    }
    // A stream that ends is opened again by the next call that needs it.
    state.lock().unwrap().streams.clear();
    let mut said = String::new();
    for _ in 0..3 {
        said = client.text("said__echo", json!({"text": "again"}));
        if said == "again" {
            break;
        }
    }
    assert_eq!(said, "again");
    let posts = state.lock().unwrap().posts.clone();
    let first = |method: &str| posts.iter().position(|post| post == method).unwrap();
    assert!(first("initialize") < first("notifications/initialized"));
    assert!(first("notifications/initialized") < first("tools/list"));
    client.close();
}

#[test]
fn an_old_server_has_posts_sent_to_its_own_origin_only() {
    let (other, posted) = serve(None);
    let (url, _) = serve(Some(other.replace("/sse", "/messages?session=1")));
    let sandbox = Sandbox::new();
    let entry =
        json!({"type": "sse", "url": url, "headers": {"Authorization": "Bearer canary-token"}});
    let mut client = Client::legacy(&sandbox, json!({"odd": entry}), &["--mode", "passthrough"]);
    let text = client.text("odd__echo", json!({"text": "x"}));
    assert!(text.contains("elsewhere") && !text.contains("canary"), "{text}");
    assert!(posted.lock().unwrap().posts.is_empty());
    client.close();
}

/// A server of 2025-11-25 whose streams end before the answer. It answers when it has been asked `polls` times
/// for the rest, each time from the event on that it named last.
fn serve_polled(polls: usize, retry: Option<u64>) -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let asked = Arc::new(Mutex::new(Vec::new()));
    let (shared, call) = (Arc::clone(&asked), Arc::new(Mutex::new(Value::Null)));
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let (asked, call) = (Arc::clone(&shared), Arc::clone(&call));
            std::thread::spawn(move || polled(stream, polls, retry, &asked, &call));
        }
    });
    (format!("http://{address}/mcp"), asked)
}

fn polled(
    mut stream: TcpStream,
    polls: usize,
    retry: Option<u64>,
    asked: &Mutex<Vec<String>>,
    call: &Mutex<Value>,
) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut head).ok()? == 0 {
            return None;
        }
    }
    let field = |name: &str| {
        head.lines().find_map(|line| {
            let (field, value) = line.split_once(": ")?;
            field.eq_ignore_ascii_case(name).then(|| value.to_owned())
        })
    };
    let length = field("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let retry = retry.map(|millis| format!("retry: {millis}\n")).unwrap_or_default();
    let primed = |at: usize| format!("id: event-{at}\n{retry}data: \n\n");
    let json = |value: Value| ("200 OK", "application/json", value.to_string());
    let (status, kind, text) = if head.starts_with("GET ") {
        match field("last-event-id") {
            // It says nothing of its own.
            None => ("405 Method Not Allowed", "text/plain", String::new()),
            Some(last) => {
                let mut asked = asked.lock().unwrap();
                asked.push(last);
                let text = if asked.len() < polls {
                    primed(asked.len())
                } else {
                    let id = call.lock().unwrap().clone();
                    let result = json!({"content": [{"type": "text", "text": "late"}]});
                    format!("data: {}\n\n", json!({"jsonrpc": "2.0", "id": id, "result": result}))
                };
                ("200 OK", "text/event-stream", text)
            }
        }
    } else {
        let message: Value = serde_json::from_slice(&body).ok()?;
        let id = message["id"].clone();
        let tools = json!([{"name": "late", "inputSchema": {"type": "object"}}]);
        match message["method"].as_str()? {
            "initialize" => json(json!({"jsonrpc": "2.0", "id": id, "result": {
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "p", "version": "1"},
            }})),
            "tools/list" => json(json!({"jsonrpc": "2.0", "id": id, "result": {"tools": tools}})),
            "tools/call" => {
                *call.lock().unwrap() = id;
                ("200 OK", "text/event-stream", primed(0))
            }
            _ if id.is_null() => ("202 Accepted", "text/plain", String::new()),
            _ => json(
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no"}}),
            ),
        }
    };
    let head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
        text.len()
    );
    stream.write_all((head + &text).as_bytes()).ok()
}

#[test]
fn a_stream_that_ends_early_is_asked_for_again_for_as_long_as_the_server_says() {
    // More often than a stream is that says nothing of coming back.
    let (url, asked) = serve_polled(12, Some(1));
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"s": {"url": url}}), &["--mode", "passthrough"]);
    assert_eq!(client.text("s__late", json!({})), "late");
    let wanted: Vec<String> = (0..12).map(|at| format!("event-{at}")).collect();
    assert_eq!(*asked.lock().unwrap(), wanted);
    client.close();
}
