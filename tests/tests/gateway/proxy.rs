//! Servers that are reached through a proxy.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::Client;

/// A proxy that is also the server behind it. Gives what it was asked, head by head.
fn proxy() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    let heads = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&heads);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let seen = Arc::clone(&seen);
            std::thread::spawn(move || answer(stream, &seen));
        }
    });
    (address, heads)
}

fn answer(mut stream: TcpStream, seen: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    loop {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            if reader.read_line(&mut head).ok()? == 0 {
                return None;
            }
        }
        let length = head
            .to_ascii_lowercase()
            .lines()
            .find_map(|line| line.strip_prefix("content-length: ")?.parse::<usize>().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        seen.lock().unwrap().push(head.clone());
        let message: Value = serde_json::from_slice(&body).unwrap_or_default();
        let result = match message["method"].as_str().unwrap_or("") {
            "initialize" => json!({
                "protocolVersion": "2025-11-25", "capabilities": {"tools": {}}, "serverInfo": {"name": "far", "version": "1"},
            }),
            "tools/list" => json!({"tools": [{"name": "here", "inputSchema": {"type": "object"}}]}),
            "tools/call" => json!({"content": [{"type": "text", "text": "through"}]}),
            _ => Value::Null,
        };
        let answer = match (&message["id"], result) {
            (Value::Null, _) => String::new(),
            (id, Value::Null) => {
                json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "no"}})
                    .to_string()
            }
            (id, result) => json!({"jsonrpc": "2.0", "id": id, "result": result}).to_string(),
        };
        // No tunnel to anywhere: who asks for one is told so.
        let status = match &head {
            head if head.starts_with("CONNECT ") => "502 No",
            head if head.starts_with("GET ") => "405 No",
            _ => "200 OK",
        };
        let text = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{answer}",
            answer.len()
        );
        stream.write_all(text.as_bytes()).ok()?;
    }
}

#[test]
fn servers_are_reached_through_the_proxy_of_the_environment() {
    let (address, heads) = proxy();
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("servers.json");
    let servers = json!({
        "far": {"url": "http://mcp.invalid/mcp"},
        "secure": {"url": "https://secure.invalid/mcp", "headers": {"Authorization": "Bearer canary-token"}},
        "near": {"url": format!("http://{address}/mcp")},
    });
    std::fs::write(&file, json!({"mcpServers": servers}).to_string()).unwrap();
    let proxy = format!("http://user:canary-pass@{address}");
    let environment = [("HTTP_PROXY", proxy.as_str()), ("https_proxy", proxy.as_str())];
    let flags = ["--servers", file.to_str().unwrap(), "--mode", "passthrough"];
    let mut client = Client::start_in(&sandbox, &flags, &environment);
    client.greet();
    assert_eq!(client.text("far__here", json!({})), "through");
    assert_eq!(client.text("near__here", json!({})), "through");
    let text = client.text("secure__here", json!({}));
    assert!(text.contains("proxy") && !text.contains("canary"), "{text}");
    client.close();
    let heads = heads.lock().unwrap();
    let to = |start: &str| heads.iter().filter(|head| head.starts_with(start)).collect::<Vec<_>>();
    // base64 of user:canary-pass
    let right = |head: &&&String| head.contains("Basic dXNlcjpjYW5hcnktcGFzcw==");
    let far = to("POST http://mcp.invalid/mcp ");
    assert!(!far.is_empty() && far.iter().filter(right).count() == far.len(), "{far:?}");
    // A server that needs TLS is asked for by a tunnel; what is for the server is not for the proxy.
    let tunnels = to("CONNECT secure.invalid:443 ");
    assert!(!tunnels.is_empty() && tunnels.iter().filter(right).count() == tunnels.len());
    assert!(heads.iter().all(|head| !head.contains("canary-token")));
    // This machine is asked directly, and is not told of the proxy's password.
    let near = to("POST /mcp ");
    assert!(!near.is_empty() && near.iter().filter(right).count() == 0, "{near:?}");
}
