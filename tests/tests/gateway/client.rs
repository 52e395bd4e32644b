//! A client of `weir serve` on its standard streams, before the scripted server.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

pub(crate) const SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");

pub(crate) const PATIENCE: Duration = Duration::from_secs(120);

/// An entry of the configuration that starts the scripted server.
pub(crate) fn server(flags: &[&str]) -> Value {
    json!({"command": SERVER, "args": flags})
}

pub(crate) fn modern_meta(capabilities: &Value) -> Value {
    json!({
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": {"name": "test", "version": "1"},
        "io.modelcontextprotocol/clientCapabilities": capabilities,
    })
}

/// A configuration of these servers, whose lists wait for as long as servers take to start on a busy machine. Names begin
/// with the server's, be it one alone.
pub(crate) fn with_patience(servers: Value) -> String {
    json!({"mcpServers": servers, "weir": {"listWait": PATIENCE.as_secs(), "prefix": true}})
        .to_string()
}

/// A client of `weir serve` over its standard streams.
pub(crate) struct Client {
    pub(crate) child: Child,
    pub(crate) input: Option<ChildStdin>,
    pub(crate) lines: Receiver<String>,
    pub(crate) next: u64,
    pub(crate) modern: bool,
    /// What the client says that it can do.
    pub(crate) capabilities: Value,
    /// Everything that was no answer to what was waited for.
    pub(crate) notes: Vec<Value>,
    pub(crate) answers: BTreeMap<u64, (Value, String)>,
    /// What the client answers when it is asked.
    pub(crate) answer: fn(&Value) -> Value,
}

impl Client {
    pub(crate) fn start(sandbox: &Sandbox, servers: Value, flags: &[&str]) -> Client {
        let file = sandbox.path().join("servers.json");
        std::fs::write(&file, with_patience(servers)).unwrap();
        Client::start_with(sandbox, &[&["--servers", file.to_str().unwrap()], flags].concat())
    }

    pub(crate) fn start_with(sandbox: &Sandbox, flags: &[&str]) -> Client {
        Client::start_in(sandbox, flags, &[])
    }

    pub(crate) fn start_in(
        sandbox: &Sandbox,
        flags: &[&str],
        environment: &[(&str, &str)],
    ) -> Client {
        let state = sandbox.path().join("state");
        let mut child = sandbox
            .command(["serve"])
            .env("WEIR_STATE", state)
            .envs(environment.iter().copied())
            .args(flags)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        let (send, lines) = channel();
        let output = BufReader::new(child.stdout.take().unwrap());
        std::thread::spawn(move || {
            for line in output.lines() {
                let Ok(line) = line else { break };
                if send.send(line).is_err() {
                    break;
                }
            }
        });
        let input = child.stdin.take();
        Client {
            child,
            input,
            lines,
            next: 0,
            modern: false,
            capabilities: json!({"elicitation": {"form": {}, "url": {}}, "sampling": {}, "roots": {}}),
            notes: Vec::new(),
            answers: BTreeMap::new(),
            answer: |_| json!({"error": {"code": -32601, "message": "not supported"}}),
        }
    }

    pub(crate) fn legacy(sandbox: &Sandbox, servers: Value, flags: &[&str]) -> Client {
        let mut client = Client::start(sandbox, servers, flags);
        client.greet();
        client
    }

    pub(crate) fn modern(sandbox: &Sandbox, servers: Value, flags: &[&str]) -> Client {
        let mut client = Client::start(sandbox, servers, flags);
        client.modern = true;
        client
    }

    pub(crate) fn greet(&mut self) -> Value {
        let answer = self.ask(
            "initialize",
            json!({
                "protocolVersion": "2025-11-25", "clientInfo": {"name": "test", "version": "1"},
                "capabilities": self.capabilities,
            }),
        );
        self.write(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        answer
    }

    pub(crate) fn write(&mut self, line: &str) {
        let input = self.input.as_mut().unwrap();
        input.write_all(line.as_bytes()).unwrap();
        input.write_all(b"\n").unwrap();
        input.flush().unwrap();
    }

    pub(crate) fn send(&mut self, method: &str, mut params: Value) -> u64 {
        if self.modern {
            let meta = modern_meta(&self.capabilities);
            for (key, value) in meta.as_object().unwrap() {
                params["_meta"][key] = value.clone();
            }
        }
        self.next += 1;
        let id = self.next;
        self.write(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        id
    }

    /// Sends a call as it is written, and gives the line of the answer as it came. For what is beyond
    /// what a `Value` holds.
    pub(crate) fn call_raw(&mut self, params: &str) -> String {
        self.next += 1;
        let id = self.next;
        self.write(&format!(
            r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#
        ));
        let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
        loop {
            let line = self.lines.recv_timeout(PATIENCE).unwrap();
            if let Some(result) = line.strip_prefix(&start) {
                return result.strip_suffix('}').unwrap().to_owned();
            }
        }
    }

    /// Takes the next line, answering it when it asks something.
    pub(crate) fn take(&mut self, until: Instant) {
        let wait = until.saturating_duration_since(Instant::now());
        let line = self
            .lines
            .recv_timeout(wait)
            .unwrap_or_else(|_| panic!("nothing came; had {:?}", self.notes));
        let message: Value = serde_json::from_str(&line).unwrap();
        match (message.get("method").is_some(), message.get("id")) {
            (true, Some(id)) => {
                let mut answer = (self.answer)(&message);
                answer["jsonrpc"] = json!("2.0");
                answer["id"] = id.clone();
                self.write(&answer.to_string());
                self.notes.push(message);
            }
            (false, Some(id)) if id.is_u64() => {
                drop(self.answers.insert(id.as_u64().unwrap(), (message, line)))
            }
            _ => self.notes.push(message),
        }
    }

    pub(crate) fn wait(&mut self, id: u64) -> (Value, String) {
        let until = Instant::now() + PATIENCE;
        loop {
            if let Some(answer) = self.answers.remove(&id) {
                return answer;
            }
            self.take(until);
        }
    }

    pub(crate) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.send(method, params);
        self.wait(id).0
    }

    /// Asks, and answers what is asked back, in the way of the client's era.
    pub(crate) fn converse(&mut self, method: &str, params: Value) -> Value {
        let mut answer = self.ask(method, params.clone());
        while answer["result"]["resultType"] == "input_required" {
            let mut again = params.clone();
            for (key, request) in answer["result"]["inputRequests"].as_object().unwrap() {
                again["inputResponses"][key] = (self.answer)(request)["result"].clone();
                self.notes.push(request.clone());
            }
            if let Some(state) = answer["result"].get("requestState") {
                again["requestState"] = state.clone();
            }
            answer = self.ask(method, again);
        }
        answer
    }

    pub(crate) fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    pub(crate) fn text(&mut self, tool: &str, arguments: Value) -> String {
        let answer = self.call(tool, arguments);
        answer["result"]["content"][0]["text"]
            .as_str()
            .unwrap_or_else(|| panic!("{answer}"))
            .to_owned()
    }

    /// What a search finds once every server has listed all of its tools.
    pub(crate) fn search(&mut self, arguments: Value) -> String {
        loop {
            let found = self.text("tool_search", arguments.clone());
            if !found.contains("search once more") {
                return found;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    pub(crate) fn tools(&mut self) -> Vec<Value> {
        self.ask("tools/list", json!({}))["result"]["tools"].as_array().unwrap().clone()
    }

    pub(crate) fn tool_names(&mut self) -> Vec<String> {
        self.tools().iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
    }

    /// Waits for so many notifications of a method and takes them out.
    pub(crate) fn notified(&mut self, method: &str, count: usize) -> Vec<Value> {
        let until = Instant::now() + PATIENCE;
        while self.notes.iter().filter(|note| note["method"] == method).count() < count {
            self.take(until);
        }
        let (found, rest) =
            std::mem::take(&mut self.notes).into_iter().partition(|note| note["method"] == method);
        self.notes = rest;
        found
    }

    /// The last request of a method that the client was asked; what came before it is forgotten.
    pub(crate) fn asked(&mut self, method: &str) -> Value {
        let (mut asked, rest): (Vec<Value>, Vec<Value>) =
            std::mem::take(&mut self.notes).into_iter().partition(|note| note["method"] == method);
        self.notes = rest;
        asked.pop().unwrap_or_else(|| panic!("{method} was not asked"))
    }

    pub(crate) fn close(mut self) {
        drop(self.input.take());
        let until = Instant::now() + PATIENCE;
        while self.child.try_wait().unwrap().is_none() {
            assert!(Instant::now() < until, "it does not end when its input does");
            std::thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
