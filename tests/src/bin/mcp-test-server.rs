//! A scripted MCP server for the gateway's tests, with manners good and bad.
//!
//! Flags: `--modern` or `--both` (eras spoken; default legacy), `--tools N` (that many further tools),
//! `--mode MODE` (a bad manner, see [`Mode`]), `--mark FILE` (appends a line to it at each start),
//! `--catalog FILE` (has the tools of that `tools/list` result, as they are written there).

#![expect(
    clippy::unwrap_used,
    reason = "a test program: to stop is the right answer to a broken pipe"
)]

use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use serde_json::value::RawValue;
use serde_json::{Value, json};

const MODERN: &str = "2026-07-28";

/// How it misbehaves.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Mode {
    Good,
    /// Says nothing to `server/discover`.
    SilentToDiscover,
    /// Ends when it is asked something before `initialize`.
    ExitsOnUnknown,
    /// Agrees to any version.
    EchoesVersion,
    /// Writes what is no message between its messages.
    Noisy,
    /// Does not end when its input does, nor when told to, and has a child that does not either.
    Stubborn,
    /// Gives a cursor for ever.
    CyclicCursors,
    /// Ends at once.
    CrashesAtStart,
    /// Never says anything.
    Mute,
    /// Floods its error output.
    Chatty,
}

struct Server {
    catalog: Option<String>,
    modern: bool,
    legacy: bool,
    mode: Mode,
    extra_tools: usize,
    out: Mutex<std::io::Stdout>,
    answers: Mutex<BTreeMap<u64, Value>>,
    answered: Condvar,
    next_id: AtomicU64,
    cancelled: Mutex<Vec<String>>,
    late_tool: Mutex<bool>,
    listeners: Mutex<Vec<Value>>,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let value_of = |flag: &str| {
        arguments.iter().position(|a| a == flag).and_then(|at| arguments.get(at + 1)).cloned()
    };
    let has = |flag: &str| arguments.iter().any(|a| a == flag);
    let mode = match value_of("--mode").as_deref() {
        Some("silent-to-discover") => Mode::SilentToDiscover,
        Some("exits-on-unknown") => Mode::ExitsOnUnknown,
        Some("echoes-version") => Mode::EchoesVersion,
        Some("noisy") => Mode::Noisy,
        Some("stubborn") => Mode::Stubborn,
        Some("cyclic-cursors") => Mode::CyclicCursors,
        Some("crashes-at-start") => Mode::CrashesAtStart,
        Some("mute") => Mode::Mute,
        Some("chatty") => Mode::Chatty,
        _ => Mode::Good,
    };
    if let Some(mark) = value_of("--mark") {
        let mut file = std::fs::File::options().append(true).create(true).open(mark).unwrap();
        writeln!(file, "{}", std::process::id()).unwrap();
    }
    if mode == Mode::CrashesAtStart {
        let secret = std::env::var("SECRET").unwrap_or_default();
        let line = format!("fatal: no configuration; token {secret}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        std::process::exit(3);
    }
    if mode == Mode::Stubborn {
        // A shell that ignores what it is told and starts something that ignores it too.
        let script = "trap '' TERM HUP INT; (trap '' TERM HUP INT; exec sleep 1000) & while :; do sleep 1; done";
        let child = std::process::Command::new("setsid").args(["sh", "-c", script]).spawn();
        drop(child);
    }
    let catalog = value_of("--catalog").map(|file| {
        #[derive(serde::Deserialize)]
        struct Catalog {
            tools: Box<RawValue>,
        }
        serde_json::from_str::<Catalog>(&std::fs::read_to_string(file).unwrap())
            .unwrap()
            .tools
            .get()
            .replace('\n', " ")
    });
    let server = Arc::new(Server {
        catalog,
        modern: has("--modern") || has("--both"),
        legacy: !has("--modern"),
        mode,
        extra_tools: value_of("--tools").and_then(|n| n.parse().ok()).unwrap_or(0),
        out: Mutex::new(std::io::stdout()),
        answers: Mutex::default(),
        answered: Condvar::new(),
        next_id: AtomicU64::new(1),
        cancelled: Mutex::default(),
        late_tool: Mutex::default(),
        listeners: Mutex::default(),
    });
    if mode == Mode::Chatty {
        std::thread::spawn(|| {
            let line = "x".repeat(4_000);
            while writeln!(std::io::stderr(), "{line}").is_ok() {}
        });
    }
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        if mode == Mode::Mute {
            continue;
        }
        if mode == Mode::Noisy {
            server.line("Server is listening on port 3000\n{\"log\": \"half\nstarting {...}\n");
        }
        let Ok(message) = serde_json::from_str::<Value>(&line) else { continue };
        let server = Arc::clone(&server);
        if message.get("method").is_none() {
            let id = message["id"].as_u64().unwrap_or(0);
            server.answers.lock().unwrap().insert(id, message);
            server.answered.notify_all();
            continue;
        }
        if message["method"] == "notifications/cancelled" {
            server.cancelled.lock().unwrap().push(message["params"]["requestId"].to_string());
            continue;
        }
        if message.get("id").is_none() {
            continue;
        }
        // In order, up to the calls, which may take long.
        if message["method"] == "tools/call" {
            std::thread::spawn(move || server.request(&message, &line));
        } else {
            server.request(&message, &line);
        }
    }
    if mode == Mode::Stubborn {
        loop {
            std::thread::sleep(Duration::from_secs(1_000));
        }
    }
}

fn text(text: impl Into<String>) -> Value {
    json!({"content": [{"type": "text", "text": text.into()}]})
}

impl Server {
    fn line(&self, text: &str) {
        let mut out = self.out.lock().unwrap();
        let _ = out.write_all(text.as_bytes());
        let _ = out.write_all(b"\n");
        let _ = out.flush();
    }

    fn send(&self, message: &Value) {
        self.line(&message.to_string());
    }

    fn notify(&self, method: &str, params: Value) {
        self.send(&json!({"jsonrpc": "2.0", "method": method, "params": params}));
    }

    /// Asks the client, in the legacy way.
    fn ask(&self, method: &str, params: Value) -> Value {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        let mut answers = self.answers.lock().unwrap();
        loop {
            if let Some(answer) = answers.remove(&id) {
                return answer;
            }
            answers = self.answered.wait(answers).unwrap();
        }
    }

    fn request(&self, message: &Value, line: &str) {
        let id = &message["id"];
        let method = message["method"].as_str().unwrap_or("");
        let modern =
            message["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"].is_string();
        if self.mode == Mode::SilentToDiscover && method == "server/discover" {
            return;
        }
        if self.mode == Mode::ExitsOnUnknown && method == "server/discover" {
            std::process::exit(1);
        }
        if modern && !self.modern {
            self.send(&json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32601, "message": "Method not found"}}));
            return;
        }
        if let (Some(tools), "tools/list") = (&self.catalog, method) {
            self.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":{tools}}}}}"#));
            return;
        }
        match self.result(method, message, line, modern) {
            None => {}
            Some(Ok(mut result)) => {
                if modern && result.get("resultType").is_none() {
                    result["resultType"] = json!("complete");
                }
                self.send(&json!({"jsonrpc": "2.0", "id": id, "result": result}));
            }
            Some(Err((code, text))) => {
                self.send(
                    &json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": text}}),
                );
            }
        }
    }

    fn capabilities() -> Value {
        json!({
            "tools": {"listChanged": true}, "prompts": {"listChanged": true},
            "resources": {"listChanged": true, "subscribe": true}, "completions": {}, "logging": {},
        })
    }

    fn result(
        &self,
        method: &str,
        message: &Value,
        line: &str,
        modern: bool,
    ) -> Option<Result<Value, (i64, String)>> {
        let params = &message["params"];
        Some(Ok(match method {
            "initialize" if self.legacy => {
                let asked = params["protocolVersion"].as_str().unwrap_or("").to_owned();
                let version = match self.mode {
                    Mode::EchoesVersion => asked,
                    _ if ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
                        .contains(&asked.as_str()) =>
                    {
                        asked
                    }
                    _ => "2025-06-18".to_owned(),
                };
                json!({
                    "protocolVersion": version, "capabilities": Self::capabilities(),
                    "serverInfo": {"name": "test-server", "version": "1"}, "instructions": "Be kind.",
                })
            }
            "server/discover" if self.modern => json!({
                "supportedVersions": [MODERN], "capabilities": Self::capabilities(), "ttlMs": 0, "cacheScope": "public",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "test-server", "version": "1"}},
            }),
            "ping" => json!({}),
            "logging/setLevel" => json!({}),
            "tools/list" => self.tools(params),
            "tools/call" => return self.call(message, line, modern),
            "prompts/list" => json!({"prompts": [
                {"name": "greet", "description": "Greets", "arguments": [{"name": "who", "required": true}]},
            ], "ttlMs": 0, "cacheScope": "public"}),
            "prompts/get" if params["name"] == "greet" => json!({"messages": [
                {"role": "user", "content": {"type": "text", "text": format!("Hello {}", params["arguments"]["who"].as_str().unwrap_or("?"))}},
            ]}),
            "prompts/get" => return Some(Err((-32602, "Unknown prompt".into()))),
            "resources/list" => json!({"resources": [
                {"uri": "test://one", "name": "one", "mimeType": "text/plain"},
                {"uri": "test://two", "name": "two"},
            ], "ttlMs": 0, "cacheScope": "public"}),
            "resources/templates/list" => json!({"resourceTemplates": [
                {"uriTemplate": "test://item/{id}", "name": "item"},
            ], "ttlMs": 0, "cacheScope": "public"}),
            "resources/read" => {
                let uri = params["uri"].as_str().unwrap_or("");
                if !uri.starts_with("test://") {
                    return Some(Err((if modern { -32602 } else { -32002 }, format!("no {uri}"))));
                }
                json!({"contents": [{"uri": uri, "text": format!("content of {uri}")}], "ttlMs": 0, "cacheScope": "public"})
            }
            "resources/subscribe" => {
                let uri = params["uri"].clone();
                self.notify("notifications/resources/updated", json!({"uri": uri}));
                json!({})
            }
            "resources/unsubscribe" => json!({}),
            "subscriptions/listen" if self.modern => {
                let id = message["id"].clone();
                self.listeners.lock().unwrap().push(id.clone());
                let meta = json!({"io.modelcontextprotocol/subscriptionId": id});
                self.notify(
                    "notifications/subscriptions/acknowledged",
                    json!({"_meta": meta, "notifications": params["notifications"]}),
                );
                for uri in params["notifications"]["resourceSubscriptions"]
                    .as_array()
                    .into_iter()
                    .flatten()
                {
                    self.notify(
                        "notifications/resources/updated",
                        json!({"_meta": meta, "uri": uri}),
                    );
                }
                return None;
            }
            "completion/complete" => json!({"completion": {"values": [
                format!("{}-completed", params["argument"]["value"].as_str().unwrap_or("")),
            ], "hasMore": false}}),
            _ => return Some(Err((-32601, format!("Method not found: {method}")))),
        }))
    }

    fn tools(&self, params: &Value) -> Value {
        if self.mode == Mode::CyclicCursors {
            return json!({"tools": [self.tool("echo")], "nextCursor": "again"});
        }
        let mut tools: Vec<Value> = [
            "echo",
            "big",
            "structured",
            "slow",
            "ask",
            "sample",
            "roots",
            "odd_content",
            "fail",
            "crash",
            "log",
            "add_tool",
            "cancelled",
            "pid",
            "hang",
            "link",
            "env",
        ]
        .iter()
        .map(|name| self.tool(name))
        .collect();
        if *self.late_tool.lock().unwrap() {
            tools.push(self.tool("late"));
        }
        for n in 0..self.extra_tools {
            tools.push(self.tool(&format!("extra_{n}")));
        }
        // Two pages, so that the second is asked for.
        let half = tools.len() / 2;
        match params["cursor"].as_str() {
            Some("second") => json!({"tools": tools[half..], "ttlMs": 0, "cacheScope": "public"}),
            _ => {
                json!({"tools": tools[..half], "nextCursor": "second", "ttlMs": 0, "cacheScope": "public"})
            }
        }
    }

    fn tool(&self, name: &str) -> Value {
        let mut tool = json!({
            "name": name, "description": format!("The tool {name}, which does what its name says."),
            "inputSchema": {"type": "object", "properties": {"text": {"type": "string"}}},
            "vendorField": {"z": 1, "a": [1, 2]},
        });
        match name {
            "structured" => {
                tool["outputSchema"] = json!({"type": "object", "properties": {"rows": {"type": "array"}}, "required": ["rows"]});
            }
            "echo" | "pid" | "cancelled" => {
                tool["annotations"] = json!({"readOnlyHint": true, "category": "x"})
            }
            "log" => tool["annotations"] = json!({"readOnlyHint": false, "destructiveHint": false}),
            _ => {}
        }
        tool
    }

    fn call(
        &self,
        message: &Value,
        line: &str,
        modern: bool,
    ) -> Option<Result<Value, (i64, String)>> {
        let params = &message["params"];
        let arguments = &params["arguments"];
        let token = &params["_meta"]["progressToken"];
        let number = |name: &str, default: u64| arguments[name].as_u64().unwrap_or(default);
        Some(Ok(match params["name"].as_str().unwrap_or("") {
            // The parameters exactly as they came, so that a test sees every byte.
            "echo" => {
                #[derive(serde::Deserialize)]
                struct Line<'a> {
                    #[serde(borrow)]
                    params: &'a RawValue,
                }
                text(serde_json::from_str::<Line<'_>>(line).unwrap().params.get())
            }
            "big" => {
                self.write_big(
                    &message["id"],
                    number("bytes", 1 << 20),
                    arguments["tail"].as_bool() == Some(true),
                    modern,
                );
                return None;
            }
            "structured" => {
                let rows: Vec<Value> = (0..number("rows", 3))
                    .map(|n| json!({"id": n, "name": format!("row {n}")}))
                    .collect();
                let value = json!({"rows": rows});
                json!({"content": [{"type": "text", "text": value.to_string()}], "structuredContent": value})
            }
            "slow" => {
                let steps = number("steps", 5);
                for step in 1..=steps {
                    std::thread::sleep(Duration::from_millis(number("ms", 20)));
                    if !token.is_null() {
                        self.notify(
                            "notifications/progress",
                            json!({"progressToken": token, "progress": step, "total": steps}),
                        );
                    }
                }
                text("done")
            }
            "hang" => {
                std::thread::sleep(Duration::from_secs(number("seconds", 1_000)));
                return None;
            }
            "ask" if modern => match params["inputResponses"].get("name") {
                Some(answer) => text(format!("{answer} {}", params["requestState"])),
                None => json!({
                    "resultType": "input_required", "requestState": "opaque \"state\"",
                    "inputRequests": {"name": {"method": "elicitation/create", "params": {
                        "mode": "form", "message": "Your name?",
                        "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
                    }}},
                }),
            },
            "ask" => {
                let answer = self.ask(
                    "elicitation/create",
                    json!({"message": "Your name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}),
                );
                text(answer.get("result").unwrap_or(&answer["error"]).to_string())
            }
            "sample" => {
                let answer = self.ask(
                    "sampling/createMessage",
                    json!({"messages": [{"role": "user", "content": {"type": "text", "text": "hi"}}], "maxTokens": 5}),
                );
                text(answer.get("result").unwrap_or(&answer["error"]).to_string())
            }
            "roots" => {
                let answer = self.ask("roots/list", json!({}));
                text(answer.get("result").unwrap_or(&answer["error"]).to_string())
            }
            "odd_content" => json!({
                "content": [{"type": "video", "frames": [1, 2.50]}, {"type": "text", "text": "seen", "vendor": 1}],
                "vendorTop": {"b": 1, "a": 12345678901234567_u64}, "_meta": {"k": "v"},
            }),
            "fail" => {
                json!({"content": [{"type": "text", "text": "it did not work"}], "isError": true})
            }
            "crash" => std::process::exit(7),
            "log" => {
                self.notify(
                    "notifications/message",
                    json!({"level": "info", "logger": "t", "data": "hello"}),
                );
                text("logged")
            }
            "add_tool" => {
                *self.late_tool.lock().unwrap() = true;
                let mut params = json!({});
                if let Some(id) = self.listeners.lock().unwrap().last() {
                    params = json!({"_meta": {"io.modelcontextprotocol/subscriptionId": id}});
                }
                self.notify("notifications/tools/list_changed", params);
                text("added")
            }
            "late" => text("late"),
            "cancelled" => text(self.cancelled.lock().unwrap().join(",")),
            "pid" => text(std::process::id().to_string()),
            "env" => {
                text(std::env::var(arguments["name"].as_str().unwrap_or("")).unwrap_or_default())
            }
            "link" => json!({"content": [
                {"type": "resource_link", "uri": "test://one", "name": "one"},
                {"type": "resource", "resource": {"uri": "test://two", "text": "two"}},
            ]}),
            name if name.starts_with("extra_") => text(name),
            _ => return Some(Err((-32602, "Unknown tool".into()))),
        }))
    }

    /// A result whose one text has `bytes` bytes, written as it is made. With `tail`, the id comes last.
    fn write_big(&self, id: &Value, bytes: u64, tail: bool, modern: bool) {
        let mut out = self.out.lock().unwrap();
        let mark = if modern { r#""resultType":"complete","# } else { "" };
        let (head, end) = if tail {
            (
                format!(r#"{{"result":{{{mark}"content":[{{"type":"text","text":""#),
                format!(r#""}}]}},"jsonrpc":"2.0","id":{id}}}"#),
            )
        } else {
            (
                format!(
                    r#"{{"jsonrpc":"2.0","id":{id},"result":{{{mark}"content":[{{"type":"text","text":""#
                ),
                r#""}]}}"#.to_owned(),
            )
        };
        let _ = out.write_all(head.as_bytes());
        let mut written = 0_u64;
        let mut n = 0_u64;
        let mut chunk = String::new();
        while written < bytes {
            chunk.clear();
            while chunk.len() < 60_000 && written < bytes {
                n += 1;
                let line = format!("line {n:09}: all is well and nothing happened here\n");
                let take = line.len().min((bytes - written) as usize);
                written += take as u64;
                chunk.push_str(&line[..take].replace('\n', "\\n"));
            }
            if out.write_all(chunk.as_bytes()).is_err() {
                return;
            }
        }
        let _ = out.write_all(end.as_bytes());
        let _ = out.write_all(b"\n");
        let _ = out.flush();
    }
}
