//! Nothing that passes is written anew: compared byte for byte, not as JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use serde::Deserialize;
use serde_json::value::RawValue;
use serde_json::{Value, json};
use weir_tests::Sandbox;

use crate::client::{Client, PATIENCE, SERVER, server};

/// JSON that no writer would write: names, numbers, escapes and spaces of all kinds.
struct Odd(u64);

impl Odd {
    fn below(&mut self, n: usize) -> usize {
        // SplitMix64: the same texts every time.
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) % n as u64) as usize
    }

    fn pick<'a>(&mut self, of: &[&'a str]) -> &'a str {
        of[self.below(of.len())]
    }

    fn space(&mut self) -> &'static str {
        self.pick(&["", "", "", " ", "  ", "\t", " \t "])
    }

    fn string(&mut self) -> String {
        let mut text = String::from("\"");
        for _ in 0..self.below(6) {
            text.push_str(self.pick(&[
                "a",
                "key",
                "é",
                "\\u00e9",
                "\\u0041",
                "\\/",
                "/",
                "\\n",
                "\\\"",
                "\\\\",
                "\\ud83d\\ude00",
                "😀",
                "\\u0000",
                "{",
                "]",
                ":",
                ",",
                "\u{7f}",
                "\u{2028}",
                "name",
                "_meta",
            ]));
        }
        text.push('"');
        text
    }

    fn value(&mut self, depth: usize) -> String {
        match self.below(if depth == 0 { 4 } else { 7 }) {
            0 => self.string(),
            1 | 2 => self
                .pick(&[
                    "0",
                    "-0",
                    "-0.0",
                    "1.10",
                    "1.0",
                    "100",
                    "1e2",
                    "1E+2",
                    "1e400",
                    "-1e-400",
                    "0.1e1",
                    "12345678901234567890123",
                    "-9007199254740993",
                    "3.141592653589793238462643383279",
                ])
                .to_owned(),
            3 => self.pick(&["null", "true", "false"]).to_owned(),
            4 => {
                let items: Vec<String> =
                    (0..self.below(4)).map(|_| self.spaced(depth - 1)).collect();
                format!("[{}]", items.join(","))
            }
            _ => {
                let members = self.members(depth - 1);
                format!("{{{members}}}")
            }
        }
    }

    fn spaced(&mut self, depth: usize) -> String {
        let (before, value, after) = (self.space(), self.value(depth), self.space());
        format!("{before}{value}{after}")
    }

    /// Members with names that mean nothing here.
    fn members(&mut self, depth: usize) -> String {
        let mut text = String::new();
        for n in 0..self.below(4) {
            let comma = if n > 0 { "," } else { "" };
            let (before, after, value) = (self.space(), self.space(), self.spaced(depth));
            let name = self.string();
            let _ = write!(text, "{comma}{before}\"x{n}{}{after}:{value}", &name[1..]);
        }
        text
    }

    /// `members`, in any order, with some between them that mean nothing.
    fn object(&mut self, members: &[String]) -> String {
        let mut rest: Vec<String> = members.to_vec();
        for _ in 0..2 {
            let odd = self.members(3);
            if !odd.is_empty() {
                let at = self.below(rest.len() + 1);
                rest.insert(at, odd);
            }
        }
        for n in (1..rest.len()).rev() {
            let with = self.below(n + 1);
            rest.swap(n, with);
        }
        format!("{{{}{}}}", rest.join(self.pick(&[",", ", ", " ,"])), self.space())
    }
}

/// The text with the string of its top-level `name` replaced.
fn renamed(text: &str, name: &str) -> String {
    #[derive(Deserialize)]
    struct Named<'a> {
        #[serde(borrow)]
        name: &'a RawValue,
    }
    let found: Named<'_> = serde_json::from_str(text).unwrap();
    let start = found.name.get().as_ptr() as usize - text.as_ptr() as usize;
    format!("{}{name}{}", &text[..start], &text[start + found.name.get().len()..])
}

/// The texts of the items of `tools`, which is a member of `text` or of its `result`.
fn tools_of(text: &str) -> Vec<String> {
    #[derive(Deserialize)]
    struct Listed {
        tools: Vec<Box<RawValue>>,
    }
    let listed: Listed = serde_json::from_str(text).unwrap();
    listed.tools.into_iter().map(|tool| tool.get().to_owned()).collect()
}

fn name_of(tool: &str) -> String {
    #[derive(Deserialize)]
    struct Named {
        name: String,
    }
    serde_json::from_str::<Named>(tool).unwrap().name
}

/// What `tools/list` gives, once `count` tools are there: each tool's text by its name.
fn listed(client: &mut Client, count: usize) -> BTreeMap<String, String> {
    let until = Instant::now() + Duration::from_secs(120);
    loop {
        client.next += 1;
        let id = client.next;
        client.write(&format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/list"}}"#));
        let start = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":"#);
        let line = loop {
            let line = client.lines.recv_timeout(PATIENCE).unwrap();
            if let Some(rest) = line.strip_prefix(&start) {
                break rest.strip_suffix('}').unwrap().to_owned();
            }
        };
        let tools = tools_of(&line);
        if tools.len() > count || Instant::now() > until {
            let all: BTreeMap<String, String> =
                tools.iter().map(|tool| (name_of(tool), tool.clone())).collect();
            assert_eq!(all.len(), tools.len(), "names clash");
            return all;
        }
    }
}

/// Lists these catalogs through the gateway, twice: the second time from what is kept of the servers.
#[expect(clippy::print_stdout, reason = "shown with --nocapture, for reports")]
fn catalogs_pass(files: &[PathBuf]) {
    let sandbox = Sandbox::new();
    let mut servers = json!({});
    let mut expected: Vec<(String, String)> = Vec::new();
    for path in files {
        let name = path.file_stem().unwrap().to_str().unwrap();
        servers[name] = json!({"command": SERVER, "args": ["--catalog", path],
                               "weir": {"structured": "preserve", "startTimeout": 120}});
        let mut seen = BTreeSet::new();
        for tool in tools_of(&std::fs::read_to_string(path).unwrap()) {
            // The server writes each message on one line.
            let tool = tool.replace('\n', " ");
            if seen.insert(name_of(&tool)) {
                expected.push((name.to_owned(), tool));
            }
        }
    }
    let mut before = None;
    for _ in 0..2 {
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", "passthrough"]);
        let mut shown = listed(&mut client, expected.len());
        assert!(shown.keys().all(|name| name.len() <= 50));
        assert!(before.is_none_or(|before| before == shown), "not the same the second time");
        before = Some(shown.clone());
        shown.remove("weir_fetch");
        let mut texts: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, tool) in &shown {
            texts.entry(renamed(tool, "0")).or_default().push(name.clone());
        }
        for (server, tool) in &expected {
            let names = texts.get_mut(&renamed(tool, "0")).filter(|names| !names.is_empty());
            let Some(names) = names else {
                panic!("{server} gave this, and it is not listed: {tool}")
            };
            names.pop();
        }
        assert!(texts.values().all(Vec::is_empty), "what is listed is nothing else");
        client.close();
    }
    println!("{} tools of {} servers passed byte for byte", expected.len(), files.len());
}

/// `WEIR_CATALOGS` names a folder of `tools/list` results of real servers, one file each.
#[test]
fn real_catalogs_pass_byte_for_byte_and_get_the_same_names_each_time() {
    let Some(folder) = std::env::var_os("WEIR_CATALOGS") else { return };
    let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .filter(|path| path.file_stem().is_some_and(|stem| stem != "manifest"))
        .collect();
    files.sort();
    assert!(!files.is_empty());
    catalogs_pass(&files);
}

#[test]
fn made_up_catalogs_pass_byte_for_byte() {
    let sandbox = Sandbox::new();
    let mut odd = Odd(1);
    let mut files = Vec::new();
    for server in 0..3 {
        let mut tools = Vec::new();
        for tool in 0..100 {
            let schema = ["\"type\":\"object\"".to_owned(), odd.members(4)]
                .into_iter()
                .filter(|members| !members.is_empty())
                .collect::<Vec<_>>();
            let schema = odd.object(&schema);
            let annotations = odd.object(&["\"readOnlyHint\":true".to_owned()]);
            let description = odd.string();
            tools.push(odd.object(&[
                format!("\"name\" : \"t{tool}\\u005f{server}\""),
                format!("\"description\":{description}"),
                format!("\"inputSchema\": {schema}"),
                format!("\"annotations\":{annotations}"),
            ]));
        }
        let file = sandbox.path().join(format!("made{server}.json"));
        std::fs::write(&file, format!("{{\"tools\":[{}]}}", tools.join(","))).unwrap();
        files.push(file);
    }
    catalogs_pass(&files);
}

#[test]
fn parameters_and_results_keep_every_byte() {
    let sandbox = Sandbox::new();
    let mut client =
        Client::legacy(&sandbox, json!({"s": server(&[])}), &["--mode", "passthrough"]);
    let mut odd = Odd(2);
    for _ in 0..150 {
        let arguments = odd.object(&[]);
        let meta = odd.object(&["\"k\" : 2.50".to_owned()]);
        let members = |name: &str| {
            [
                format!("\"name\":\"{name}\""),
                format!("\"arguments\": {arguments}"),
                format!("\"_meta\" :{meta}"),
            ]
        };
        let sent = odd.object(&members("s__echo"));
        let result = client.call_raw(&sent);
        let echoed: Value = serde_json::from_str(&result).unwrap();
        let text = echoed["content"][0]["text"].as_str().unwrap();
        assert_eq!(text, renamed(&sent, "\"echo\""));
    }
    // And back: content of unknown types, unknown members anywhere, numbers that nothing holds.
    for _ in 0..150 {
        let blocks: Vec<String> = (0..odd.below(4))
            .map(|_| match odd.below(3) {
                0 => {
                    odd.object(&["\"type\":\"video\"".to_owned(), "\"frames\":[1,2.50]".to_owned()])
                }
                1 => odd.object(&["\"type\" :\"text\"".to_owned(), "\"text\":\"seen\"".to_owned()]),
                _ => odd.object(&[
                    "\"type\":\"image\"".to_owned(),
                    "\"data\":\"AAAA\"".to_owned(),
                    "\"mimeType\":\"image/png\"".to_owned(),
                ]),
            })
            .collect();
        // Other values become objects for clients of older revisions.
        let structured = odd.object(&[]);
        let result = odd.object(&[
            format!("\"content\": [{}]", blocks.join(" , ")),
            format!("\"structuredContent\":{structured}"),
        ]);
        let params = format!("{{\"name\":\"s__raw\",\"arguments\":{{\"result\":{result}}}}}");
        assert_eq!(client.call_raw(&params), result);
    }
    client.close();
}

#[test]
fn a_name_that_holds_half_a_character_reaches_its_server_as_it_was_written() {
    let tool = |name: &str, what: &str| {
        format!(r#"{{"name":"{name}","description":"{what}","inputSchema":{{"type":"object"}}}}"#)
    };
    for mode in ["bridge", "passthrough"] {
        let sandbox = Sandbox::new();
        let catalog = sandbox.path().join("half.json");
        // A definition passes as it is written, and this client's reader would refuse it.
        let today = if mode == "bridge" { r" \ud83d today" } else { "" };
        let tools = [
            tool(r"send_\uD83d", &format!("Sends a parcel to a planet{today}.")),
            tool(r"send_\udc00", "Keeps a parcel on its planet."),
            tool(r"whole_\ud83d\ude00", "Counts planets."),
        ];
        std::fs::write(&catalog, format!(r#"{{"tools":[{}]}}"#, tools.join(","))).unwrap();
        let servers = json!({"half": {"command": SERVER, "args": ["--catalog", catalog]}});
        let mut client = Client::legacy(&sandbox, servers.clone(), &["--mode", mode]);
        if mode == "bridge" {
            let found = client.search(json!({"query": "send a parcel to a planet"}));
            assert!(found.contains("Sends a parcel") && !found.contains("Keeps"), "{found}");
            let calls = json!({"calls": [{"name": "send_\u{fffd}", "arguments": {}}]});
            assert_eq!(client.text("tool_call", calls), r#""send_\uD83d""#);
        } else {
            let names = client.tool_names();
            let sends: Vec<&String> =
                names.iter().filter(|name| name.starts_with("half__send_")).collect();
            let [name] = &sends[..] else { panic!("the first of one name is offered: {names:?}") };
            assert_eq!(client.text(name, json!({})), r#""send_\uD83d""#);
        }
        client.close();
    }
}
