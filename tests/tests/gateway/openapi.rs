//! APIs by their descriptions: listed, searched, described and called, with secrets, errors, large answers, faults.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Map, Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE};
use crate::endpoint::Endpoint;

/// An API. Gives its address, and what it was asked: each head with its body.
fn api() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let seen = Arc::clone(&seen);
            std::thread::spawn(move || answer(stream, &seen));
        }
    });
    (address, asked)
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
        let lower = head.to_ascii_lowercase();
        let length =
            lower.lines().find_map(|line| line.strip_prefix("content-length: ")?.parse().ok());
        let mut body = vec![0; length.unwrap_or(0)];
        reader.read_exact(&mut body).ok()?;
        seen.lock().unwrap().push(head.clone() + &String::from_utf8_lossy(&body));
        let (status, answer) = match head.split(' ').nth(1)? {
            path if path.starts_with("/v1/orders?") => {
                let page =
                    |n: usize| (0..2).map(|row| json!({"id": 10 * n + row})).collect::<Vec<_>>();
                match path.contains("cursor=two") {
                    true => ("200 OK", json!({"orders": page(2), "next_cursor": null})),
                    false => ("200 OK", json!({"orders": page(1), "next_cursor": "two"})),
                }
            }
            "/v1/orders" => ("201 Created", json!({"id": 7})),
            path if path.starts_with("/v1/logs") => {
                let line = |n: usize| json!({"line": n, "text": "nothing happened here"});
                ("200 OK", (0..3_000).map(line).collect())
            }
            _ => ("404 Not Found", json!({"message": "no such order; you are key-s3cret-1"})),
        };
        let answer = answer.to_string();
        let text = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{answer}",
            answer.len()
        );
        stream.write_all(text.as_bytes()).ok()?;
    }
}

fn description(address: &str) -> Value {
    json!({
        "openapi": "3.1.0", "info": {"title": "Shop", "version": "1"},
        "servers": [{"url": format!("{address}/v1")}],
        "security": [{"key": []}],
        "paths": {
            "/orders": {
                "get": {"operationId": "orders/list", "summary": "List the orders of a shop", "parameters": [
                    {"name": "cursor", "in": "query", "schema": {"type": "string"}},
                    {"name": "state", "in": "query", "schema": {"type": "array", "items": {"type": "string"}}}]},
                "post": {"operationId": "orders/create", "summary": "Place an order", "requestBody": {"required": true,
                    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Order"}}}}},
            },
            "/orders/{id}/notes/{note}": {"put": {"operationId": "orders/annotate", "summary": "Write a note on an order",
                "parameters": [
                    {"name": "id", "in": "path", "required": true, "schema": {"type": "integer"}},
                    {"name": "note", "in": "path", "required": true, "schema": {"type": "string"}},
                    {"name": "notify", "in": "query", "schema": {"type": "boolean"}},
                    {"name": "X-Reason", "in": "header", "schema": {"type": "string"}}],
                "requestBody": {"required": true, "content": {"application/json": {"schema": {
                    "type": "object", "required": ["text"], "properties": {"text": {"type": "string"}}}}}}}},
            "/logs": {"get": {"operationId": "logs", "summary": "Read the log of the shop"}},
            "/files": {"post": {"operationId": "upload", "requestBody": {"content": {"multipart/form-data": {}}}}},
        },
        "components": {
            "securitySchemes": {"key": {"type": "apiKey", "in": "header", "name": "X-Api-Key"}},
            "schemas": {"Order": {"type": "object", "required": ["item"], "properties": {
                "id": {"type": "integer", "readOnly": true}, "item": {"type": "string"},
                "part_of": {"$ref": "#/components/schemas/Order"}}}},
        },
    })
}

/// An entry for an API whose description is a file of this text.
fn entry(sandbox: &Sandbox, text: &str, more: Value) -> Value {
    std::fs::write(sandbox.path().join("shop.json"), text).unwrap();
    let mut entry = json!({"openapi": "shop.json"});
    entry.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    entry
}

#[test]
fn an_api_is_listed_searched_described_and_called() {
    let (address, asked) = api();
    let sandbox = Sandbox::new();
    let own = json!({"auth": "key-s3cret-1", "weir": {"readOnly": ["orders_list"]}});
    let entry = entry(&sandbox, &description(&address).to_string(), own);
    let mut client = Client::modern(&sandbox, json!({"shop": entry}), &["--mode", "bridge"]);
    let found = client.search(json!({"query": "place an order"}));
    assert!(found.contains("shop__orders_create"), "{found}");
    let shown = client
        .text("tool_describe", json!({"names": ["shop__orders_create", "shop__orders_annotate"]}));
    assert!(
        shown.contains("part_of") && shown.contains("X-Reason") && !shown.contains("upload"),
        "{shown}"
    );
    let mut call = |name: &str, arguments: Value, more: Value| {
        let mut params =
            json!({"calls": [{"name": format!("shop__{name}"), "arguments": arguments}]});
        params.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        client.call("tool_call", params)["result"].clone()
    };
    let text = |result: &Value| result["content"].to_string();
    let made = call("orders_create", json!({"item": "tea", "part_of": {"item": "set"}}), json!({}));
    assert!(text(&made).contains(r#"{\"id\":7}"#), "{made}");
    // Path, query, header and body; nothing leads to another path.
    let arguments = json!({"id": 7, "note": "../../admin", "notify": true, "X-Reason": "late", "text": "sorry"});
    let refused = call("orders_annotate", arguments, json!({}));
    assert!(text(&refused).contains("HTTP 404 Not Found"), "{refused}");
    assert!(text(&refused).contains("no such order; you are ***"), "{refused}");
    let injected = json!({"id": 7, "note": "a", "X-Reason": "a\r\nHost: evil", "text": "sorry"});
    let injected = call("orders_annotate", injected, json!({}));
    assert!(text(&injected).contains("a character that a header cannot have"), "{injected}");
    // Pages as one list: the offer of the next is the API's own.
    let pages = call("orders_list", json!({"state": ["open", "late"]}), json!({"all_pages": true}));
    assert!(text(&pages).contains("2 pages, 4 rows"), "{pages}");
    // A large answer is stored, and read back.
    let logs = text(&call("logs", json!({}), json!({})));
    let id = regex::Regex::new(r"\b[0-9a-f]{12}\b").unwrap();
    let id = id.find(&logs).unwrap_or_else(|| panic!("no id in {logs}")).as_str().to_owned();
    let read = client
        .text("weir_fetch", json!({"id": id, "mode": "query", "query": "select(.line == 2718)"}));
    assert!(read.contains("2718"), "{read}");
    client.close();
    let asked = asked.lock().unwrap();
    assert!(
        asked.iter().all(|it| it.to_ascii_lowercase().contains("x-api-key: key-s3cret-1")),
        "{asked:?}"
    );
    let post = asked.iter().find(|it| it.starts_with("POST /v1/orders ")).unwrap();
    assert!(post.ends_with(r#"{"item":"tea","part_of":{"item":"set"}}"#), "{post}");
    let put = asked.iter().find(|it| it.starts_with("PUT ")).unwrap();
    assert!(put.starts_with("PUT /v1/orders/7/notes/..%2F..%2Fadmin?notify=true "), "{put}");
    assert!(put.contains("x-reason: late") && put.ends_with(r#"{"text":"sorry"}"#), "{put}");
    assert!(
        asked.iter().any(|it| it.starts_with("GET /v1/orders?state=open&state=late ")),
        "{asked:?}"
    );
    assert_eq!(asked.iter().filter(|it| it.starts_with("PUT ")).count(), 1);
}

#[test]
fn a_description_that_cannot_be_used_costs_itself_and_says_why() {
    let sandbox = Sandbox::new();
    let (address, _) = api();
    let good = entry(
        &sandbox,
        &description(&address).to_string(),
        json!({"auth": {"key": "key-s3cret-1"}}),
    );
    let file = |name: &str, text: &str| std::fs::write(sandbox.path().join(name), text).unwrap();
    file("bad.json", "{\"openapi\": ");
    file("nowhere.json", r#"{"openapi": "3.0.0", "paths": {"/a": {"get": {}}}}"#);
    let servers = json!({
        "good": good, "bad": {"openapi": "bad.json"}, "nowhere": {"openapi": "nowhere.json"},
        "missing": {"openapi": "missing.json"}, "both": {"openapi": "shop.json", "command": "x"},
        "fetched": {"openapi": format!("{address}/openapi.json"), "auth": "key-s3cret-1"},
        "other": {"openapi": "shop.json", "auth": {"token": "key-s3cret-1"}},
    });
    let path = sandbox.path().join("all.json");
    std::fs::write(&path, json!({"mcpServers": servers}).to_string()).unwrap();
    let ran = sandbox.run(["servers", "--check", "--servers", path.to_str().unwrap()]);
    let said = format!("{}{}", ran.stdout, ran.stderr);
    for part in [
        "bad.json cannot be used: not JSON",
        "it does not say where its API is; write \"url\"",
        "missing.json cannot be read: No such file",
        "it has both a command and openapi; keep one",
        "cannot be read: HTTP 404 Not Found; it is asked for without secrets",
        "auth names token, and the description has key",
    ] {
        assert!(
            said.split_whitespace().collect::<Vec<_>>().join(" ").contains(part),
            "{part}: {said}"
        );
    }
    assert!(!said.contains("key-s3cret-1"), "{said}");
}

#[test]
fn ten_thousand_operations_are_searched() {
    let sandbox = Sandbox::new();
    let mut paths = Map::new();
    for n in 0..10_000 {
        let node = json!({"$ref": "#/components/schemas/Node"});
        paths.insert(
            format!("/kinds/{n}/{{id}}"),
            json!({"post": {
            "operationId": format!("make_{n}"), "summary": format!("Make a thing of kind {n}"),
            "parameters": [{"name": "id", "in": "path", "schema": {"type": "string"}}],
            "requestBody": {"content": {"application/json": {"schema": node}}}}}),
        );
    }
    paths.insert(
        "/invoices".into(),
        json!({"get": {"operationId": "invoices", "summary": "List unpaid invoices"}}),
    );
    let node = json!({"properties": {"next": {"$ref": "#/components/schemas/Node"}}});
    let text = json!({"openapi": "3.0.0", "servers": [{"url": "http://127.0.0.1:9"}], "paths": paths,
        "components": {"schemas": {"Node": node}}});
    let entry = entry(&sandbox, &text.to_string(), json!({}));
    let mut client = Client::modern(&sandbox, json!({"shop": entry}), &["--mode", "bridge"]);
    let found = client.search(json!({"query": "unpaid invoices"}));
    assert!(found.contains("shop__invoices"), "{found}");
    let called =
        client.text("tool_call", json!({"calls": [{"name": "shop__invoices", "arguments": {}}]}));
    assert!(called.contains("the API cannot be reached"), "{called}");
    client.close();
}

#[test]
fn each_person_has_a_secret_of_their_own_at_an_api() {
    let (address, asked) = api();
    let sandbox = Sandbox::new();
    let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string();
    let more = json!({"auth": "${person:shop}", "weir": {"identity": "person"}});
    let entry = entry(&sandbox, &description(&address).to_string(), more);
    let own = json!({
        "tokens": {"anna": {"token": "anna-token"}, "bert": {"token": "bert-token"}},
        "key": "k".repeat(40), "url": format!("http://{port}"), "listWait": PATIENCE.as_secs(),
    });
    let file = sandbox.path().join("people.json");
    std::fs::write(&file, json!({"mcpServers": {"shop": entry}, "weir": own}).to_string()).unwrap();
    for who in ["anna", "bert"] {
        let set = ["secret", "set", "shop", "--person", who];
        assert_eq!(sandbox.run_on(format!("s3cret-of-{who}").as_bytes(), set).code, 0);
    }
    let mut command = sandbox.command(["serve", "--http", &port, "--mode", "passthrough"]);
    command.args(["--servers", file.to_str().unwrap()]);
    let endpoint = Endpoint::launch(command);
    for who in ["anna", "bert"] {
        let params = json!({"name": "shop__orders_create", "arguments": {"item": who}});
        let bearer = format!("Bearer {who}-token");
        let made = endpoint.modern("tools/call", params, &[("Authorization", &bearer)]).1;
        assert!(made.to_string().contains("7"), "{made}");
        let last = asked.lock().unwrap().pop().unwrap();
        assert!(last.contains(&format!("s3cret-of-{who}")) && last.contains(who), "{last}");
    }
}
