//! A scripted MCP server for the gateway's tests, with manners good and bad.
//!
//! Flags: `--modern` or `--both` (eras spoken; default legacy), `--tools N` (that many further tools; also the variable TOOLS),
//! `--bare` (declares tools alone), `--ui` (has a user interface that shows the tool `shown`), `--mode MODE` (a bad manner, see [`Mode`]), `--mark FILE` (appends a line to it at each start),
//! `--catalog FILE` (has the tools of that `tools/list` result, as they are written there), `--lines FILE` (has the tools
//! of that file, one on a line), `--asks-roots` (asks for the client's roots when it is greeted; the tool `told` shows the answer), `--page N` (so many of the lines on a page; without it all are on one), `--until FILE`
//! (pages but the first wait for this file), `--skills FILE` (speaks the extension Skills over MCP as that file says: an object
//! of answers by method, or by method and URI; `waitMs` in one delays it), `--one-era` (speaks the era of its first message
//! alone, and of skills in the modern one only, as FastMCP 4 does).

#![expect(
    clippy::unwrap_used,
    reason = "a test program: to stop is the right answer to a broken pipe"
)]

use std::collections::BTreeMap;
use std::io::{BufRead, Seek, Write};
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
    /// Gives a new cursor for ever, with a page of almost 8 MiB.
    EndlessList,
    /// Ends at once.
    CrashesAtStart,
    /// Never says anything.
    Mute,
    /// Floods its error output.
    Chatty,
    /// Asks for a login on its error output, and says nothing until the file of `--until` is there.
    WaitsForLogin,
}

mod calls;
mod tasks;

struct Server {
    /// How often it was started with this `--mark`, this time included.
    starts: usize,
    tasks: tasks::Tasks,
    visited: AtomicU64,
    /// The lists that have one item more.
    changed: Mutex<Vec<String>>,
    catalog: Option<String>,
    /// The tools of `--lines`, how many are on a page, and what further pages wait for.
    pages: Option<(String, usize, Option<String>)>,
    modern: bool,
    legacy: bool,
    /// What it says of skills.
    skills: Option<String>,
    one_era: bool,
    /// Whether its first message was modern.
    opened: Mutex<Option<bool>>,
    /// Has a user interface to show.
    bare: bool,
    ui: bool,
    /// Lists one more tool to clients that can sample.
    picky: bool,
    can_sample: std::sync::atomic::AtomicBool,
    mode: Mode,
    extra_tools: usize,
    out: Mutex<std::io::Stdout>,
    answers: Mutex<BTreeMap<u64, Value>>,
    answered: Condvar,
    next_id: AtomicU64,
    cancelled: Mutex<Vec<String>>,
    /// The notifications that came, by their methods.
    told: Mutex<Vec<String>>,
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
        Some("endless-list") => Mode::EndlessList,
        Some("crashes-at-start") => Mode::CrashesAtStart,
        Some("mute") => Mode::Mute,
        Some("chatty") => Mode::Chatty,
        Some("waits-for-login") => Mode::WaitsForLogin,
        _ => Mode::Good,
    };
    let mut starts = 0;
    if let Some(mark) = value_of("--mark") {
        starts = std::fs::read_to_string(&mark).unwrap_or_default().lines().count() + 1;
        let mut file = std::fs::File::options().append(true).create(true).open(mark).unwrap();
        writeln!(file, "{}", std::process::id()).unwrap();
    }
    if mode == Mode::CrashesAtStart {
        let secret = std::env::var("SECRET").unwrap_or_default();
        let line = format!("fatal: no configuration; token {secret}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        std::process::exit(3);
    }
    if mode == Mode::WaitsForLogin {
        let line = "Please authorize this client by visiting:\nhttps://auth.example/authorize?client_id=x\n";
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        let until = value_of("--until").unwrap();
        while !std::path::Path::new(&until).exists() {
            std::thread::sleep(Duration::from_millis(20));
        }
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
    let pages = value_of("--lines").map(|file| {
        let size = value_of("--page").map_or(usize::MAX, |size| size.parse().unwrap());
        (file, size, value_of("--until"))
    });
    let server = Arc::new(Server {
        starts,
        tasks: tasks::Tasks::default(),
        visited: AtomicU64::new(0),
        changed: Mutex::default(),
        catalog,
        pages,
        modern: has("--modern") || has("--both"),
        legacy: !has("--modern"),
        skills: value_of("--skills"),
        one_era: has("--one-era"),
        opened: Mutex::default(),
        ui: has("--ui"),
        bare: has("--bare"),
        picky: has("--picky"),
        can_sample: Default::default(),
        mode,
        extra_tools: value_of("--tools")
            .or_else(|| std::env::var("TOOLS").ok())
            .and_then(|n| n.parse().ok())
            .unwrap_or(0),
        out: Mutex::new(std::io::stdout()),
        answers: Mutex::default(),
        answered: Condvar::new(),
        next_id: AtomicU64::new(1),
        cancelled: Mutex::default(),
        told: Mutex::default(),
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
        let Some(message) = read(&line) else { continue };
        let server = Arc::clone(&server);
        if message.get("method").is_none() {
            let id = message["id"].as_u64().unwrap_or(0);
            server.answers.lock().unwrap().insert(id, message);
            server.answered.notify_all();
            continue;
        }
        if message["method"] == "notifications/cancelled" {
            let params = &message["params"];
            let reason = params["reason"].as_str().map(|reason| format!(" {reason}"));
            let cancelled = params["requestId"].to_string() + &reason.unwrap_or_default();
            server.cancelled.lock().unwrap().push(cancelled);
            continue;
        }
        if message.get("id").is_none() {
            let method = message["method"].as_str().unwrap_or("").to_owned();
            if has("--asks-roots") && method == "notifications/initialized" {
                // Asked before the next message is read: what comes after it is answered after the question is out.
                let id = server.begin("roots/list", json!({}));
                let server = Arc::clone(&server);
                std::thread::spawn(move || {
                    let answer = server.answer_to(id).to_string();
                    server.told.lock().unwrap().push(answer);
                });
            }
            server.told.lock().unwrap().push(method);
            continue;
        }
        // In order, up to the calls, which may take long.
        let may_wait = server.skills.is_some();
        if may_wait || matches!(message["method"].as_str(), Some("tools/call" | "tasks/result")) {
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

/// The message, or as much of it as says what to do, where a test writes what a `Value` cannot hold.
fn read(line: &str) -> Option<Value> {
    #[derive(serde::Deserialize)]
    struct Call<'a> {
        id: Value,
        method: String,
        #[serde(borrow)]
        params: Named<'a>,
    }
    #[derive(serde::Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        name: &'a serde_json::value::RawValue,
    }
    serde_json::from_str(line).ok().or_else(|| {
        let call: Call<'_> = serde_json::from_str(line).ok()?;
        let heard = call.params.name.get();
        let params = match serde_json::from_str::<String>(heard) {
            Ok(name) => json!({ "name": name }),
            Err(_) => json!({ "heard": heard }),
        };
        Some(json!({"id": call.id, "method": call.method, "params": params}))
    })
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

    fn has_changed(&self, list: &str) -> bool {
        self.changed.lock().unwrap().iter().any(|changed| changed == list)
    }

    /// Asks the client, in the legacy way.
    fn ask(&self, method: &str, params: Value) -> Value {
        let id = self.begin(method, params);
        self.answer_to(id)
    }

    /// Asks, and waits for nothing.
    fn begin(&self, method: &str, params: Value) -> u64 {
        let id = self.next_id.fetch_add(1, Ordering::Relaxed);
        self.send(&json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}));
        id
    }

    fn answer_to(&self, id: u64) -> Value {
        let mut answers = self.answers.lock().unwrap();
        loop {
            if let Some(answer) = answers.remove(&id) {
                return answer;
            }
            answers = self.answered.wait(answers).unwrap();
        }
    }

    fn request(self: &Arc<Self>, message: &Value, line: &str) {
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
        if self.one_era && *self.opened.lock().unwrap().get_or_insert(modern) != modern {
            let text = "this connection serves the other era";
            self.send(
                &json!({"jsonrpc": "2.0", "id": id, "error": {"code": -32600, "message": text}}),
            );
            return;
        }
        // A name that is no text: the answer is how it was written.
        if let Some(heard) = message["params"]["heard"].as_str() {
            self.send(&json!({"jsonrpc": "2.0", "id": id, "result": text(heard)}));
            return;
        }
        if let (Some(tools), "tools/list") = (&self.catalog, method) {
            self.line(&format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":{tools}}}}}"#));
            return;
        }
        if let (Some((file, size, until)), "tools/list") = (&self.pages, method) {
            let cursor = message["params"]["cursor"].as_str();
            // A cursor is where the page starts in the file.
            let start = cursor.and_then(|cursor| cursor.parse::<u64>().ok()).unwrap_or(0);
            let until = until.as_ref().filter(|_| start > 0);
            while until.is_some_and(|file| !std::path::Path::new(file).exists()) {
                std::thread::sleep(Duration::from_millis(20));
            }
            let mut file = std::io::BufReader::new(std::fs::File::open(file).unwrap());
            file.seek(std::io::SeekFrom::Start(start)).unwrap();
            let mut out = self.out.lock().unwrap();
            write!(out, r#"{{"jsonrpc":"2.0","id":{id},"result":{{"tools":["#).unwrap();
            let (mut tool, mut count) = (String::new(), 0);
            while count < *size && file.read_line(&mut tool).unwrap() > 0 {
                write!(out, "{}{}", if count > 0 { "," } else { "" }, tool.trim_end()).unwrap();
                tool.clear();
                count += 1;
            }
            let next = file.stream_position().unwrap();
            let more = !file.fill_buf().unwrap().is_empty();
            let more = if more { format!(r#","nextCursor":"{next}""#) } else { String::new() };
            writeln!(out, "]{more}}}}}").unwrap();
            out.flush().unwrap();
            return;
        }
        let has_skills = modern || !self.one_era;
        if has_skills && let Some(answer) = self.of_skills(method, &message["params"]) {
            let wait = answer["waitMs"].as_u64().unwrap_or(0);
            std::thread::sleep(Duration::from_millis(wait));
            let part = if answer["error"].is_object() { "error" } else { "result" };
            self.send(&json!({"jsonrpc": "2.0", "id": id, part: answer[part]}));
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

    /// The answer of the file of `--skills`, which a test may change meanwhile.
    fn of_skills(&self, method: &str, params: &Value) -> Option<Value> {
        let file = std::fs::read(self.skills.as_ref()?).unwrap();
        let answers: Value = serde_json::from_slice(&file).unwrap();
        let uri = params["uri"].as_str().unwrap_or_default();
        let named = answers.get(format!("{method} {uri}"));
        named.or_else(|| answers.get(method)).cloned()
    }

    fn capabilities(&self, modern: bool) -> Value {
        if self.bare {
            return json!({"tools": {"listChanged": true}});
        }
        let mut capabilities = json!({
            "tools": {"listChanged": true}, "prompts": {"listChanged": true},
            "resources": {"listChanged": true, "subscribe": true}, "completions": {}, "logging": {},
            "tasks": {"list": {}, "cancel": {}, "requests": {"tools": {"call": {}}}},
            "extensions": {"io.modelcontextprotocol/tasks": {}},
        });
        if self.skills.is_some() && (modern || !self.one_era) {
            capabilities["extensions"]["io.modelcontextprotocol/skills"] = json!({});
        }
        capabilities
    }

    fn result(
        self: &Arc<Self>,
        method: &str,
        message: &Value,
        line: &str,
        modern: bool,
    ) -> Option<Result<Value, (i64, String)>> {
        let params = &message["params"];
        Some(Ok(match method {
            "initialize" if self.legacy => {
                let sampling = params["capabilities"]["sampling"].is_object();
                self.can_sample.store(sampling, std::sync::atomic::Ordering::SeqCst);
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
                    "protocolVersion": version, "capabilities": self.capabilities(modern),
                    "serverInfo": {"name": "test-server", "version": "1"}, "instructions": "Be kind.",
                })
            }
            "server/discover" if self.modern => json!({
                "supportedVersions": [MODERN], "capabilities": self.capabilities(modern), "ttlMs": 0, "cacheScope": "public",
                "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "test-server", "version": "1"}},
            }),
            "ping" => json!({}),
            "logging/setLevel" => {
                let level = params["level"].as_str().unwrap_or_default();
                self.told.lock().unwrap().push(format!("level {level}"));
                json!({})
            }
            "tools/list" => self.tools(params),
            "tools/call" => return self.call(message, line, modern),
            "tasks/get" | "tasks/result" | "tasks/cancel" | "tasks/list" | "tasks/update" => {
                return Some(self.task_request(method, params, modern));
            }
            "prompts/list" => {
                let mut prompts = vec![
                    json!({"name": "greet", "description": "Greets", "arguments": [{"name": "who", "required": true}]}),
                    json!({"name": "linked"}),
                ];
                if self.has_changed("prompts") {
                    prompts.push(json!({"name": "late"}));
                }
                json!({"prompts": prompts, "ttlMs": 0, "cacheScope": "public"})
            }
            "prompts/get" if params["name"] == "linked" => json!({"messages": [
                {"role": "user", "content": {"type": "resource", "resource": {"uri": "test://one", "text": "one"}}},
                {"role": "user", "content": {"type": "resource_link", "uri": "test://two", "name": "two"}},
            ]}),
            "prompts/get" if params["name"] == "greet" => json!({"messages": [
                {"role": "user", "content": {"type": "text", "text": format!("Hello {}", params["arguments"]["who"].as_str().unwrap_or("?"))}},
            ]}),
            "prompts/get" => return Some(Err((-32602, "Unknown prompt".into()))),
            "resources/list" => {
                let mut resources = vec![
                    json!({"uri": "test://one", "name": "one", "mimeType": "text/plain"}),
                    json!({"uri": "test://two", "name": "two"}),
                ];
                if self.ui {
                    resources.push(json!({"uri": "ui://view/main.html", "name": "view", "mimeType": "text/html;profile=mcp-app"}));
                }
                if self.has_changed("resources") {
                    resources.push(json!({"uri": "test://late", "name": "late"}));
                }
                json!({"resources": resources, "ttlMs": 0, "cacheScope": "public"})
            }
            "resources/read" if params["uri"] == "test://all" => json!({"contents": [
                {"uri": "test://one", "text": "one"}, {"uri": "test://two", "text": "two"},
            ], "ttlMs": 0, "cacheScope": "public"}),
            "resources/templates/list" => json!({"resourceTemplates": [
                {"uriTemplate": "test://item/{id}", "name": "item"},
            ], "ttlMs": 0, "cacheScope": "public"}),
            "resources/read" => {
                let uri = params["uri"].as_str().unwrap_or("");
                if !uri.starts_with("test://") && (!self.ui || !uri.starts_with("ui://")) {
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
}
