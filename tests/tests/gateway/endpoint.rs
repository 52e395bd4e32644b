//! `weir serve --http`, and requests to it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{PATIENCE, modern_meta, with_patience};

pub(crate) struct Endpoint {
    pub(crate) child: Child,
    pub(crate) address: SocketAddr,
    /// The session that the last answer names.
    session: Mutex<Option<String>>,
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Endpoint {
    pub(crate) fn start(sandbox: &Sandbox, servers: Value, flags: &[&str]) -> Endpoint {
        let file = sandbox.path().join("http-servers.json");
        std::fs::write(&file, with_patience(servers)).unwrap();
        let servers = ["--servers", file.to_str().unwrap()];
        Endpoint::start_in(sandbox, &[&servers, flags].concat(), &[])
    }

    pub(crate) fn start_in(
        sandbox: &Sandbox,
        flags: &[&str],
        environment: &[(&str, &str)],
    ) -> Endpoint {
        let mut command = Self::command(sandbox, flags);
        command.envs(environment.iter().copied());
        Endpoint::launch(command)
    }

    /// Under limits of the shell, as `ulimit` sets them.
    pub(crate) fn start_limited(sandbox: &Sandbox, flags: &[&str], limits: &str) -> Endpoint {
        let command = Self::command(sandbox, flags);
        let mut shell = Command::new("/bin/sh");
        let set = command.get_envs().filter_map(|(name, value)| Some((name, value?)));
        shell.env_clear().envs(set).args(["-c", &format!("{limits}; exec \"$@\""), "sh"]);
        shell.arg(command.get_program()).args(command.get_args());
        Endpoint::launch(shell)
    }

    fn command(sandbox: &Sandbox, flags: &[&str]) -> Command {
        let mut command =
            sandbox.command(["serve", "--http", "127.0.0.1:0", "--mode", "passthrough"]);
        command.args(flags).env("WEIR_STATE", sandbox.path().join("http-state"));
        command
    }

    pub(crate) fn launch(mut command: Command) -> Endpoint {
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        let mut errors = BufReader::new(child.stderr.take().unwrap());
        let address = loop {
            let mut line = String::new();
            assert!(errors.read_line(&mut line).unwrap() > 0, "it does not listen");
            if let Some(rest) = line.trim().strip_prefix("listening on http://") {
                break rest.trim_end_matches("/mcp").parse().unwrap();
            }
        };
        std::thread::spawn(move || std::io::copy(&mut errors, &mut std::io::sink()));
        Endpoint { child, address, session: Mutex::default() }
    }

    /// Sends a request and gives status, headers in lower case, and body with its events joined.
    pub(crate) fn send(
        &self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &str,
    ) -> (u16, String, String) {
        let mut request = format!(
            "{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n",
            body.len()
        );
        if !headers.iter().any(|(name, _)| *name == "Host") {
            request.push_str(&format!("Host: {}\r\n", self.address));
        }
        request.push_str(
            "Content-Type: application/json\r\nAccept: application/json, text/event-stream\r\n",
        );
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        self.exchange(&format!("{request}\r\n{body}"))
    }

    /// Opens a session and gives its id.
    pub(crate) fn session(&self, token: &str, initialize: &str) -> String {
        let token = format!("Bearer {token}");
        self.send("POST", "/mcp", &[("Authorization", &token)], initialize);
        self.session.lock().unwrap().clone().unwrap()
    }

    /// Sends what is a request, or is not, as it is.
    pub(crate) fn exchange(&self, request: &str) -> (u16, String, String) {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        let answer = String::from_utf8(answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        // An id is given back as it came.
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: "));
        *self.session.lock().unwrap() = id.map(str::to_owned);
        let status = head.split_whitespace().nth(1).unwrap().parse().unwrap();
        (status, head.to_lowercase(), body.to_owned())
    }

    /// Sends a request whose answer is read as it comes.
    pub(crate) fn stream(&self, method: &str, headers: &[(&str, &str)], body: &str) -> Events {
        let mut stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let mut request = format!(
            "{method} /mcp HTTP/1.1\r\nHost: {}\r\nContent-Length: {}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\n",
            self.address,
            body.len()
        );
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).unwrap();
        Events(BufReader::new(stream))
    }

    pub(crate) fn modern(
        &self,
        method: &str,
        params: Value,
        headers: &[(&str, &str)],
    ) -> (u16, Value) {
        self.modern_at("/mcp", method, params, headers)
    }

    pub(crate) fn modern_at(
        &self,
        path: &str,
        method: &str,
        mut params: Value,
        headers: &[(&str, &str)],
    ) -> (u16, Value) {
        params["_meta"] = modern_meta(&json!({}));
        let name = params["name"].as_str().unwrap_or_default().to_owned();
        let body =
            json!({"jsonrpc": "2.0", "id": 1, "method": method, "params": params}).to_string();
        let mut all = vec![("MCP-Protocol-Version", "2026-07-28"), ("Mcp-Method", method)];
        if !name.is_empty() {
            all.push(("Mcp-Name", &name));
        }
        all.retain(|(name, _)| !headers.iter().any(|(other, _)| other == name));
        all.extend_from_slice(headers);
        let (status, _, body) = self.send("POST", path, &all, &body);
        (status, serde_json::from_str(&body).unwrap_or_else(|_| panic!("{body}")))
    }
}

/// The messages of an event stream.
pub(crate) struct Events(BufReader<TcpStream>);

impl Events {
    /// The next message, of a stream or of a body that is one.
    pub(crate) fn message(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the stream ended");
            if let Some(length) = line.to_lowercase().strip_prefix("content-length: ") {
                let mut body = vec![0; length.trim().parse::<usize>().unwrap()];
                while line.trim() != "" {
                    line.clear();
                    self.0.read_line(&mut line).unwrap();
                }
                self.0.read_exact(&mut body).unwrap();
                return serde_json::from_slice(&body).unwrap();
            }
            // An event without data only names an id.
            if let Some(data) = line.strip_prefix("data: ").filter(|data| !data.trim().is_empty()) {
                return serde_json::from_str(data).unwrap();
            }
        }
    }

    pub(crate) fn next(&mut self) -> Value {
        loop {
            let mut line = String::new();
            assert!(self.0.read_line(&mut line).unwrap() > 0, "the stream ended");
            // An event without data only names an id.
            if let Some(data) = line.strip_prefix("data: ").filter(|data| !data.trim().is_empty()) {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}

pub(crate) const INITIALIZE: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;
