//! Servers of the transport before streamable HTTP: HTTP+SSE of 2024-11-05.

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
