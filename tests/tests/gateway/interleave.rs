//! Two clients of one gateway, as different as clients can be, at random and at the same time: nothing of
//! one reaches the other.
//!
//! Some hundred calls in a usual run; as many as `WEIR_INTERLEAVE` says, where it is set:
//!
//! ```text
//! WEIR_INTERLEAVE=10000 cargo test -p weir-tests --test gateway interleave -- --nocapture
//! ```

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{SERVER, modern_meta, server};
use crate::endpoint::Endpoint;

/// What one client says, and what it must never be told.
struct Who {
    mine: &'static str,
    theirs: &'static str,
    token: &'static str,
    modern: bool,
    capabilities: Value,
}

/// Ids of stored results and of tasks, by the client that has them.
type Ids = Arc<Mutex<BTreeMap<&'static str, Vec<String>>>>;

/// Small and the same everywhere: the test is about the order of calls, not about chance.
struct Dice(u64);

impl Dice {
    fn roll(&mut self, sides: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % sides
    }
}

struct Party<'a> {
    who: &'a Who,
    endpoint: &'a Endpoint,
    session: Option<String>,
    ids: Ids,
    dice: Dice,
    calls: u64,
    /// How often each kind of call gave what is the client's own.
    own: BTreeMap<&'static str, u64>,
}

impl Party<'_> {
    fn headers(&self, method: &str, name: &str) -> Vec<(&'static str, String)> {
        let mut headers = vec![("Authorization", format!("Bearer {}", self.who.token))];
        if self.who.modern {
            headers.push(("MCP-Protocol-Version", "2026-07-28".into()));
            headers.push(("Mcp-Method", method.into()));
            if !name.is_empty() {
                headers.push(("Mcp-Name", name.into()));
            }
        } else if let Some(session) = &self.session {
            headers.push(("Mcp-Session-Id", session.clone()));
            headers.push(("MCP-Protocol-Version", "2025-11-25".into()));
        }
        headers
    }

    fn open(&mut self) {
        if self.who.modern {
            return;
        }
        let hello = json!({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {
            "protocolVersion": "2025-11-25", "capabilities": self.who.capabilities,
            "clientInfo": {"name": self.who.mine, "version": "1"},
        }});
        let headers = self.headers("", "");
        let with: Vec<(&str, &str)> = headers.iter().map(|(a, b)| (*a, b.as_str())).collect();
        let (_, head, _) = self.endpoint.send("POST", "/mcp", &with, &hello.to_string());
        let id = head.lines().find_map(|line| line.strip_prefix("mcp-session-id: ")).unwrap();
        self.session = Some(id.trim().to_owned());
    }

    /// What this client answers when it is asked something: always itself.
    fn answer_of(&self) -> Value {
        let mine = self.who.mine;
        json!({
            "roots": [{"uri": format!("file:///{mine}")}], "role": "assistant", "model": mine,
            "content": {"type": "text", "text": mine, "name": mine}, "action": "accept",
        })
    }

    /// One request with all that comes back, questions answered. Nothing in it may be the other's.
    fn ask(&mut self, method: &str, mut params: Value) -> Value {
        self.calls += 1;
        let id = self.calls;
        loop {
            if self.who.modern {
                let meta = modern_meta(&self.who.capabilities);
                for (key, value) in meta.as_object().unwrap() {
                    params["_meta"][key] = value.clone();
                }
                params["_meta"]["io.modelcontextprotocol/logLevel"] = json!("debug");
            }
            params["_meta"]["progressToken"] = json!(format!("{} {id}", self.who.mine));
            let name = ["name", "uri", "taskId"]
                .iter()
                .find_map(|key| params[*key].as_str())
                .unwrap_or_default()
                .to_owned();
            let headers = self.headers(method, &name);
            let with: Vec<(&str, &str)> = headers.iter().map(|(a, b)| (*a, b.as_str())).collect();
            let body = json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params});
            let mut stream = self.endpoint.stream("POST", &with, &body.to_string());
            let answer = loop {
                let message = stream.message();
                let text = message.to_string();
                assert!(!text.contains(self.who.theirs), "{} was told: {text}", self.who.mine);
                if message.get("method").is_some() && message.get("id").is_some() {
                    let answer =
                        json!({"jsonrpc": "2.0", "id": message["id"], "result": self.answer_of()});
                    let headers = self.headers("", "");
                    let with: Vec<(&str, &str)> =
                        headers.iter().map(|(a, b)| (*a, b.as_str())).collect();
                    self.endpoint.send("POST", "/mcp", &with, &answer.to_string());
                } else if message["id"] == id {
                    break message;
                }
            };
            let asks = answer["result"]["inputRequests"].as_object();
            let (Some(asks), true) = (asks, answer["result"]["resultType"] == "input_required")
            else {
                return answer;
            };
            for key in asks.keys() {
                params["inputResponses"][key] = self.answer_of();
            }
            if let Some(state) = answer["result"].get("requestState") {
                params["requestState"] = state.clone();
            }
        }
    }

    fn call(&mut self, tool: &str, arguments: Value) -> Value {
        self.ask("tools/call", json!({"name": tool, "arguments": arguments}))
    }

    fn note(&mut self, kind: &'static str, answer: &Value) {
        let own = answer.to_string().contains(self.who.mine);
        *self.own.entry(kind).or_default() += u64::from(own);
    }

    /// One call at random, of whichever kind.
    fn step(&mut self) {
        let mine = self.who.mine;
        let server = ["own", "all"][self.dice.roll(2) as usize];
        let n = self.dice.roll(1_000_000);
        match self.dice.roll(12) {
            0 | 1 => {
                let answer =
                    self.call(&format!("{server}__echo"), json!({"text": format!("{mine} {n}")}));
                self.note("echo", &answer);
            }
            2 => {
                // Stored under this client's session, and read back from there.
                let text = format!("{mine} {n} and so on\n").repeat(1_500);
                let answer = self.call(&format!("{server}__echo"), json!({"text": text}));
                let id = answer["result"]["_meta"]["weir/blob"]["id"]
                    .as_str()
                    .unwrap_or_else(|| panic!("{answer}"));
                let id = id.to_owned();
                self.ids.lock().unwrap().entry(mine).or_default().push(id.clone());
                let read = self.call("weir_fetch", json!({"id": id, "mode": "head"}));
                assert!(read.to_string().contains(mine), "{read}");
                self.note("stored", &read);
            }
            3 => {
                // The other's results are as unknown as those that never were.
                let theirs = self
                    .ids
                    .lock()
                    .unwrap()
                    .get(self.who.theirs)
                    .and_then(|ids| ids.last().cloned());
                if let Some(id) = theirs {
                    let read = self.call("weir_fetch", json!({"id": id, "mode": "head"}));
                    assert_eq!(read["result"]["isError"], true, "{read}");
                    let none = "0".repeat(id.len());
                    let unknown = self.call("weir_fetch", json!({"id": none, "mode": "head"}));
                    let text = |answer: &Value| {
                        answer["result"]["content"][0]["text"].as_str().unwrap().to_owned()
                    };
                    assert_eq!(text(&read).replace(&id, &none), text(&unknown));
                }
                let list = self.call("weir_fetch", json!({"mode": "list"}));
                for id in self.ids.lock().unwrap().get(self.who.theirs).into_iter().flatten() {
                    assert!(!list.to_string().contains(id.as_str()), "{list}");
                }
            }
            4 => {
                let answer = self.call("own__roots", json!({}));
                if self.who.capabilities.get("roots").is_some() {
                    assert!(answer.to_string().contains(mine), "{answer}");
                }
                self.note("roots", &answer);
            }
            5 => {
                let answer = self.call(&format!("{server}__ask"), json!({}));
                self.note("ask", &answer);
            }
            6 => {
                let answer = self.call(&format!("{server}__sample"), json!({}));
                self.note("sample", &answer);
            }
            7 => {
                self.call(&format!("{server}__log"), json!({"text": format!("{mine} {n}")}));
            }
            8 => {
                self.call(&format!("{server}__slow"), json!({"steps": 2, "ms": 1}));
            }
            9 => {
                let listed = self.ask("tools/list", json!({})).to_string();
                assert_eq!(listed.contains("\"secret__echo\""), self.who.modern, "{listed}");
            }
            10 => {
                let uri = format!("weir:{server}/test://{mine}");
                let read = self.ask("resources/read", json!({"uri": uri}));
                self.note("resource", &read);
            }
            _ => {
                let level = ["debug", "info", "emergency"][self.dice.roll(3) as usize];
                if !self.who.modern {
                    self.ask("logging/setLevel", json!({"level": level}));
                }
                let made = self.ask(
                    "tools/call",
                    json!({"name": "own__task", "arguments": {}, "task": {"ttl": 60_000}}),
                );
                if let Some(id) = made["result"]["task"]["taskId"].as_str() {
                    self.ids
                        .lock()
                        .unwrap()
                        .entry(if self.who.modern { "B task" } else { "A task" })
                        .or_default()
                        .push(id.to_owned());
                }
                let theirs = if self.who.modern { "A task" } else { "B task" };
                let theirs =
                    self.ids.lock().unwrap().get(theirs).and_then(|ids| ids.last().cloned());
                if let Some(id) = theirs {
                    let answer = self.ask("tasks/get", json!({"taskId": id}));
                    assert!(
                        answer["error"]["message"].to_string().contains("Unknown task"),
                        "{answer}"
                    );
                }
            }
        }
    }
}

#[test]
fn nothing_of_one_client_reaches_another_however_their_calls_interleave() {
    let calls: u64 =
        std::env::var("WEIR_INTERLEAVE").ok().and_then(|n| n.parse().ok()).unwrap_or(300);
    let sandbox = Sandbox::new();
    let file = sandbox.path().join("interleave.json");
    let both = server(&["--both"]);
    let own = json!({"command": SERVER, "args": ["--both"], "weir": {"instance": "client"}});
    let config = json!({
        "mcpServers": {"own": own, "all": both, "secret": both},
        "weir": {"audit": true, "tokens": {
            "anna": {"token": "tok-anna-1", "servers": ["own", "all"]},
            "bert": {"token": "tok-bert-1"},
        }},
    });
    std::fs::write(&file, config.to_string()).unwrap();
    let endpoint = Endpoint::start_in(&sandbox, &["--servers", file.to_str().unwrap()], &[]);
    let parties = [
        Who {
            mine: "ANNA-CANARY",
            theirs: "BERT-CANARY",
            token: "tok-anna-1",
            modern: false,
            capabilities: json!({"roots": {"listChanged": true}, "elicitation": {}, "sampling": {}}),
        },
        Who {
            mine: "BERT-CANARY",
            theirs: "ANNA-CANARY",
            token: "tok-bert-1",
            modern: true,
            capabilities: json!({"elicitation": {"form": {}}}),
        },
    ];
    let ids = Ids::default();
    let made = std::thread::scope(|scope| {
        let running: Vec<_> = parties
            .iter()
            .enumerate()
            .map(|(n, who)| {
                let (endpoint, ids) = (&endpoint, Arc::clone(&ids));
                scope.spawn(move || {
                    let dice = Dice(0x9e37_79b9_7f4a_7c15 + n as u64);
                    let mut party = Party {
                        who,
                        endpoint,
                        session: None,
                        ids,
                        dice,
                        calls: 0,
                        own: BTreeMap::new(),
                    };
                    party.open();
                    while party.calls < calls / 2 {
                        party.step();
                    }
                    (party.calls, party.own)
                })
            })
            .collect();
        running.into_iter().map(|party| party.join().unwrap()).collect::<Vec<_>>()
    });
    for ((_, own), who) in made.iter().zip(&parties) {
        for kind in ["echo", "stored", "ask", "resource"] {
            assert!(own.get(kind).is_some_and(|count| *count > 0), "{} {kind}: {own:?}", who.mine);
        }
    }
    // What is counted and logged is counted and logged of whoever it was.
    let log = std::fs::read_to_string(sandbox.path().join("http-state/audit.jsonl")).unwrap();
    assert!(!log.contains("CANARY-") && !log.contains("tok-"), "contents or tokens in the log");
    // The last line may be half written.
    let (log, _) = log.rsplit_once('\n').unwrap();
    for (name, era) in [("anna", "2025-11-25"), ("bert", "2026-07-28")] {
        let lines = log.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
        let of: Vec<Value> = lines.filter(|line| line["client"]["token"] == name).collect();
        assert!(!of.is_empty() && of.iter().all(|line| line["client"]["version"] == era));
        let distinct: std::collections::BTreeSet<String> =
            of.iter().map(|line| line["client"]["id"].to_string()).collect();
        assert_eq!(distinct.len(), 1, "{distinct:?}");
    }
}
