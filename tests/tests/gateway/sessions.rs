//! Servers over streamable HTTP that lose their sessions, refuse single requests or drop connections.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::Client;

#[derive(Default)]
struct State {
    sessions: BTreeSet<String>,
    greeted: usize,
    /// Whether slow calls may end.
    released: bool,
}

type Shared = Arc<(Mutex<State>, Condvar)>;

/// A legacy server that answers requests of unknown sessions with this status.
fn serve(unknown: &'static str) -> (String, Shared) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/mcp", listener.local_addr().unwrap());
    let state = Shared::default();
    let shared = Arc::clone(&state);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let state = Arc::clone(&shared);
            std::thread::spawn(move || connection(stream, &state, unknown));
        }
    });
    (url, state)
}

fn connection(mut stream: TcpStream, shared: &Shared, unknown: &str) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let header = |wanted: &str| {
            head.lines().find_map(|line| {
                let (name, value) = line.split_once(": ")?;
                name.eq_ignore_ascii_case(wanted).then(|| value.to_owned())
            })
        };
        let length = header("content-length").and_then(|text| text.parse().ok()).unwrap_or(0);
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        if !head.starts_with("POST ") {
            write(&mut stream, "405 Method Not Allowed", "", None)?;
            continue;
        }
        let message: Value = serde_json::from_slice(&body).ok()?;
        let method = message["method"].as_str().unwrap_or("");
        let (state, changed) = &**shared;
        if method == "initialize" {
            let mut state = state.lock().unwrap();
            state.greeted += 1;
            let session = format!("session-{}", state.greeted);
            state.sessions.insert(session.clone());
            write(
                &mut stream,
                "200 OK",
                &format!("Mcp-Session-Id: {session}\r\n"),
                answer(&message),
            )?;
            continue;
        }
        let session = header("mcp-session-id").unwrap_or_default();
        let discovers = method == "server/discover";
        if discovers || !state.lock().unwrap().sessions.contains(&session) {
            let error =
                json!({"code": -32000, "message": "Bad Request: No valid session ID provided"});
            let body = json!({"jsonrpc": "2.0", "id": null, "error": error});
            let status = if discovers { "400 Bad Request" } else { unknown };
            write(&mut stream, status, "", Some(body))?;
            continue;
        }
        match message["params"]["name"].as_str() {
            Some("drop") => return None,
            Some("refuse") => {
                write(&mut stream, "400 Bad Request", "", Some(json!({"why": "not this one"})))?;
                continue;
            }
            Some("slow") => {
                let mut state = state.lock().unwrap();
                while !state.released {
                    state = changed.wait(state).unwrap();
                }
            }
            _ => {}
        }
        match answer(&message) {
            Some(answer) => write(&mut stream, "200 OK", "", Some(answer))?,
            None => write(&mut stream, "202 Accepted", "", None)?,
        }
    }
}

fn write(stream: &mut TcpStream, status: &str, headers: &str, body: Option<Value>) -> Option<()> {
    let body = body.map(|body| body.to_string()).unwrap_or_default();
    let text = format!(
        "HTTP/1.1 {status}\r\nContent-Type: application/json\r\n{headers}Content-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(text.as_bytes()).ok()
}

fn answer(message: &Value) -> Option<Value> {
    let id = message.get("id")?;
    let result = match message["method"].as_str()? {
        "initialize" => json!({
            "protocolVersion": "2025-06-18", "capabilities": {"tools": {}},
            "serverInfo": {"name": "forgetful", "version": "1"},
        }),
        "tools/list" => {
            let tool = |name: &str| json!({"name": name, "inputSchema": {"type": "object"}});
            let tools = ["echo", "drop", "refuse", "slow"].map(tool);
            json!({"tools": tools})
        }
        "tools/call" => {
            json!({"content": [{"type": "text", "text": message["params"]["name"]}]})
        }
        _ => json!({}),
    };
    Some(json!({"jsonrpc": "2.0", "id": id, "result": result}))
}

#[test]
fn a_lost_session_is_made_anew_whatever_status_says_so() {
    for unknown in [
        "404 Not Found",
        "400 Bad Request",
        "422 Unprocessable Content",
        // These have meanings of their own: the words say that the session is meant.
        "403 Forbidden",
        "500 Internal Server Error",
    ] {
        let (url, shared) = serve(unknown);
        let sandbox = Sandbox::new();
        let servers = json!({"s": {"url": url}});
        let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
        assert_eq!(client.text("s__echo", json!({})), "echo");
        let greeted = || shared.0.lock().unwrap().greeted;
        assert_eq!(greeted(), 1, "{unknown}");
        // One request that is refused says nothing of the session.
        assert!(client.call("s__refuse", json!({}))["error"].is_object(), "{unknown}");
        assert_eq!(client.text("s__echo", json!({})), "echo");
        assert_eq!(greeted(), 1, "{unknown}");
        // Restarted: it knows no session any more, and no call fails for that.
        shared.0.lock().unwrap().sessions.clear();
        assert_eq!(client.text("s__echo", json!({})), "echo", "{unknown}");
        assert_eq!(greeted(), 2, "{unknown}");
        client.close();
    }
}

#[test]
fn one_post_that_fails_fails_one_call() {
    let (url, shared) = serve("404 Not Found");
    let sandbox = Sandbox::new();
    let servers = json!({"s": {"url": url}});
    let mut client = Client::legacy(&sandbox, servers, &["--mode", "passthrough"]);
    assert_eq!(client.text("s__echo", json!({})), "echo");
    let slow: Vec<u64> = (0..4)
        .map(|_| client.send("tools/call", json!({"name": "s__slow", "arguments": {}})))
        .collect();
    let dropped = client.call("s__drop", json!({}));
    assert!(dropped["error"].is_object() || dropped["result"]["isError"] == true, "{dropped}");
    assert_eq!(client.text("s__echo", json!({})), "echo");
    shared.0.lock().unwrap().released = true;
    shared.1.notify_all();
    for id in slow {
        assert_eq!(client.wait(id).0["result"]["content"][0]["text"], "slow");
    }
    assert_eq!(shared.0.lock().unwrap().greeted, 1);
    client.close();
}
