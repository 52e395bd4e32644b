//! Traces, for those who ask for them.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpListener;
use std::sync::mpsc::{Receiver, channel};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE, server};

/// A collector: its address, and what it was sent with the headers of that.
fn collector() -> (String, Receiver<(String, Value)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (send, sent) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = BufReader::new(stream.unwrap());
            let mut head = String::new();
            while !head.ends_with("\r\n\r\n") {
                assert!(stream.read_line(&mut head).unwrap() > 0);
            }
            let head = head.to_lowercase();
            let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
            let mut body = vec![0; length.unwrap().trim().parse().unwrap()];
            stream.read_exact(&mut body).unwrap();
            let answer = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}";
            stream.get_mut().write_all(answer.as_bytes()).unwrap();
            if send.send((head, serde_json::from_slice(&body).unwrap())).is_err() {
                return;
            }
        }
    });
    (address, sent)
}

fn run(environment: &[(&str, &str)]) -> Value {
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("servers.json");
    std::fs::write(&file, json!({"mcpServers": {"s": server(&[])}}).to_string()).unwrap();
    let flags = ["--servers", file.to_str().unwrap(), "--mode", "passthrough"];
    let mut client = Client::start_in(&sandbox, &flags, environment);
    client.greet();
    let answer = client.ask(
        "tools/call",
        json!({"name": "s__echo", "arguments": {"text": "for nobody else"}, "_meta": {
            "traceparent": "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01", "tracestate": "a=b"}}),
    );
    client.call("s__fail", json!({}));
    client.close();
    // What the server was told.
    serde_json::from_str(answer["result"]["content"][0]["text"].as_str().unwrap()).unwrap()
}

#[test]
fn a_span_joins_the_clients_trace_and_is_the_parent_of_the_servers() {
    let (address, sent) = collector();
    let told = run(&[
        ("OTEL_EXPORTER_OTLP_ENDPOINT", &address),
        ("OTEL_EXPORTER_OTLP_HEADERS", "x-key=k%20v"),
        ("OTEL_RESOURCE_ATTRIBUTES", "deployment.environment=test"),
    ]);
    assert_eq!(told["_meta"]["tracestate"], "a=b");
    let parent = told["_meta"]["traceparent"].as_str().unwrap();
    let mut spans = Vec::new();
    // All are sent before the gateway ends, in one request or in several.
    while spans.len() < 2 {
        let (head, body) = sent.recv_timeout(PATIENCE).unwrap();
        assert!(head.starts_with("post /v1/traces ") && head.contains("x-key: k v"), "{head}");
        assert!(!body.to_string().contains("for nobody else"), "{body}");
        let resource = &body["resourceSpans"][0];
        let attributes = resource["resource"]["attributes"].to_string();
        for expected in ["service.name", "deployment.environment"] {
            assert!(attributes.contains(expected), "{attributes}");
        }
        spans.extend(resource["scopeSpans"][0]["spans"].as_array().unwrap().clone());
    }
    let span = |name: &str| spans.iter().find(|span| span["name"] == name).unwrap();
    let echo = span("tools/call s__echo");
    assert_eq!(echo["traceId"], "0af7651916cd43dd8448eb211c80319c");
    assert_eq!(echo["parentSpanId"], "00f067aa0ba902b7");
    assert_eq!(
        parent,
        format!("00-0af7651916cd43dd8448eb211c80319c-{}-01", echo["spanId"].as_str().unwrap())
    );
    assert_eq!(echo["status"], json!({}));
    let fail = span("tools/call s__fail");
    assert_eq!(fail["status"]["code"], 2);
    assert!(
        fail["attributes"].to_string().contains("tool_error") && fail.get("parentSpanId").is_none()
    );
}

#[test]
fn nothing_is_sent_to_anyone_unless_asked_for() {
    let (address, sent) = collector();
    let switched_off = [
        [("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str()), ("OTEL_SDK_DISABLED", "true")],
        [("OTEL_EXPORTER_OTLP_ENDPOINT", address.as_str()), ("OTEL_TRACES_EXPORTER", "none")],
        [("OTEL_SERVICE_NAME", "x"), ("OTEL_EXPORTER_OTLP_HEADERS", "a=b")],
    ];
    for environment in switched_off {
        let told = run(&environment);
        // What the client says of its trace still reaches the server, as it is.
        assert_eq!(
            told["_meta"]["traceparent"],
            "00-0af7651916cd43dd8448eb211c80319c-00f067aa0ba902b7-01"
        );
    }
    assert!(sent.try_recv().is_err());
}
