//! An embedding endpoint behind a search, from the component's texts to what a model reads.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};

use serde_json::{Value, json};
use weir_gateway::embeddings::{Embeddings, EndpointSettings};
use weir_host::Weir;
use weir_tests::engine;
use weir_tests::tools::{real_tools, searched, snapshot};

/// What no tool's words have to do with.
const QUERY: &str = "qqq zzz";

/// An endpoint for which the query is near to one text, and to nothing else. It ends with the test.
fn endpoint(near: String) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            answer(stream, &near);
        }
    });
    url
}

fn answer(mut stream: TcpStream, near: &str) {
    let mut input = BufReader::new(stream.try_clone().unwrap());
    let mut length = 0;
    loop {
        let mut line = String::new();
        input.read_line(&mut line).unwrap();
        if let Some(value) = line.to_ascii_lowercase().strip_prefix("content-length:") {
            length = value.trim().parse().unwrap();
        }
        if line.trim().is_empty() {
            break;
        }
    }
    let mut body = vec![0; length];
    input.read_exact(&mut body).unwrap();
    let request: Value = serde_json::from_slice(&body).unwrap();
    let texts = request["input"].as_array().unwrap().iter().enumerate();
    let data: Vec<Value> = texts
        .map(|(index, text)| {
            let text = text.as_str().unwrap();
            let is_near = text == QUERY || text.contains(near);
            json!({"index": index, "embedding": if is_near { [2, 0] } else { [0, 3] }})
        })
        .collect();
    let body = json!({ "data": data }).to_string();
    let head = format!("HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: {}", body.len());
    stream.write_all(format!("{head}\r\n\r\n{body}").as_bytes()).unwrap();
}

#[test]
fn a_tool_that_only_the_endpoint_finds_is_found_once_all_are_embedded() {
    let directory = tempfile::tempdir().unwrap();
    let tool = real_tools().swap_remove(7);
    let near: String = tool.description.chars().take(40).collect();
    let settings = EndpointSettings { url: endpoint(near), model: "near".into(), key_env: None };
    let cache = directory.path().join("cache");
    let embeddings = Embeddings::open(&settings, Some(&cache)).unwrap();
    let weir = Weir::builder()
        .embedder(embeddings)
        .open_with(engine(), directory.path().join("store"))
        .unwrap();
    let catalog = weir.catalog(snapshot(real_tools())).unwrap();
    let search = || searched(&catalog, QUERY).unwrap();

    let cold = search();
    assert_eq!(cold["results"][0]["matches"], json!([]));
    let note = cold["note"].as_str().unwrap();
    assert!(
        note.contains(&format!("of {} tools are embedded so far", real_tools().len())),
        "{note}"
    );

    catalog.prepare_embedder().unwrap().unwrap();
    let warm = search();
    assert_eq!(warm["results"][0]["matches"][0]["name"], tool.name);
    assert!(warm["note"].is_null(), "{warm}");
    assert_eq!(std::fs::read_dir(&cache).unwrap().count(), 1);
}
