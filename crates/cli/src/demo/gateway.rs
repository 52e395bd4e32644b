//! The demo's second act: an MCP server in a process of its own, connected directly, then behind the
//! gateway. Both times the client is the same, and speaks as any client does.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_gateway::catalog::definition_tokens;
use weir_gateway::json::Json;

use super::shown::Screen;
use crate::context::Context;
use crate::failure::Failure;
use crate::numbers::{group, size};

/// Larger files are not asked for: the demo is to be quick.
const MAX_FILE_BYTES: u64 = 2 << 20;

/// A client of an MCP server that this program is, by these arguments.
struct Client {
    child: Child,
    output: BufReader<ChildStdout>,
    next: u64,
}

impl Client {
    fn start(arguments: &[OsString]) -> Result<Client, Failure> {
        let failed = Failure::io("cannot start this program once more");
        let mut child = Command::new(std::env::current_exe().map_err(&failed)?)
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .map_err(&failed)?;
        let output = child.stdout.take().ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        let mut client = Client { child, output: BufReader::new(output), next: 0 };
        let hello = json!({
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "weir-demo", "version": env!("CARGO_PKG_VERSION")},
        });
        client.ask("initialize", &hello)?;
        Ok(client)
    }

    /// The result of a request.
    fn ask(&mut self, method: &str, params: &Value) -> Result<Value, Failure> {
        let failed = Failure::io(format!("the demo's server does not answer to {method}"));
        let answer = self.answer(method, params).map_err(&failed)?;
        let why = || io::Error::other(answer["error"]["message"].as_str().unwrap_or_default());
        answer.get("result").cloned().ok_or_else(|| failed(why()))
    }

    fn answer(&mut self, method: &str, params: &Value) -> io::Result<Value> {
        self.next += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        writeln!(self.child.stdin.as_mut().ok_or(io::ErrorKind::BrokenPipe)?, "{request}")?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line)? == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            let message: Value = serde_json::from_str(&line)?;
            if message["id"] == self.next {
                return Ok(message);
            }
        }
    }

    /// The text of a tool's result, and how long it took.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<(String, Duration), Failure> {
        let start = Instant::now();
        let result = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let texts = result["content"].as_array().into_iter().flatten();
        let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
        Ok((texts.join("\n"), start.elapsed()))
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        // A server ends with its input, and so does the gateway, which ends its own before.
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

/// What a client sees, in one of the two ways.
struct View {
    tools: Vec<String>,
    list_tokens: u64,
    result: String,
}

impl View {
    fn result_tokens(&self) -> u64 {
        weir_text::tokens::of(&self.result)
    }

    fn json(&self) -> Value {
        json!({
            "tools": self.tools, "list_estimated_tokens": self.list_tokens,
            "result_bytes": self.result.len(), "result_estimated_tokens": self.result_tokens(),
        })
    }

    fn line(&self, way: &str) -> String {
        format!(
            "   {way:<18} {:>5} {:>10} tokens {:>11} {:>10} tokens",
            self.tools.len(),
            group(self.list_tokens),
            size(self.result.len() as u64),
            group(self.result_tokens()),
        )
    }
}

pub(super) fn run(
    directory: &Path,
    scratch: &Path,
    context: &Context<'_>,
    screen: &mut Screen<'_>,
) -> Result<Value, Failure> {
    let served = [OsString::from("demo-server"), "--".into(), directory.into()];
    let mut direct = Client::start(&served)?;
    let (tool, arguments, result) = largest_result(&mut direct)?;
    let before = view(&mut direct, result)?;
    drop(direct);

    let mut behind = context.forwarded();
    behind.extend(["--store".into(), scratch.join("gateway-store").into(), "serve".into()]);
    behind.extend(["--state".into(), scratch.join("gateway-state").into()]);
    behind.extend(["--mode", "bridge", "--"].map(OsString::from));
    behind.push(std::env::current_exe().unwrap_or_default().into());
    behind.extend(served);
    let mut gateway = Client::start(&behind)?;
    let search = json!({"queries": [QUERY]});
    let (found, searched) = gateway.call("tool_search", &search)?;
    let call = json!({"calls": [{"name": tool, "arguments": arguments}]});
    let (result, called) = gateway.call("tool_call", &call)?;
    let after = view(&mut gateway, result)?;

    screen.title("── The same over MCP: a small server, connected directly, then through weir")?;
    screen.say(&format!("   {:<18} {:>5} {:>17} {:>11}", "", "TOOLS", "LISTED", tool))?;
    screen.say(&before.line("directly"))?;
    screen.say(&after.line("behind weir serve"))?;
    screen.say("   However many servers there are, a client lists about as much as this.\n")?;
    screen.call("tool_search", &search, searched)?;
    screen.quoted(hits(&found).iter().take(2).map(String::as_str))?;
    screen.call("tool_call", &call, called)?;
    screen.excerpt(&after.result)?;
    let mut read = Value::Null;
    if let Some(id) = handle(&after.result) {
        let arguments = match before.result.lines().count() / 2 {
            // One giant line.
            0 => {
                json!({"id": id, "mode": "range", "unit": "bytes", "start": before.result.len() / 2, "count": 300})
            }
            middle => {
                json!({"id": id, "mode": "range", "unit": "lines", "start": middle, "count": 2})
            }
        };
        let (answer, took) = gateway.call("weir_fetch", &arguments)?;
        screen.call("weir_fetch", &arguments, took)?;
        screen.answer(&answer)?;
        read = json!({"arguments": arguments, "answer": answer});
    }
    screen.say("")?;
    Ok(json!({
        "direct": before.json(), "gateway": after.json(), "tool": tool, "arguments": arguments,
        "search": found, "shown": after.result, "fetch": read,
    }))
}

const QUERY: &str = "read file";

fn view(client: &mut Client, result: String) -> Result<View, Failure> {
    let listed = client.ask("tools/list", &json!({}))?["tools"].take();
    // As `weir servers` counts them.
    let all = || listed.as_array().into_iter().flatten();
    let list_tokens = all().map(|tool| definition_tokens(&Json::of(tool))).sum();
    let tools = all().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
    Ok(View { tools, list_tokens, result })
}

/// The largest result that is had at once: of the largest text file, or of the list of all files.
fn largest_result(client: &mut Client) -> Result<(&'static str, Value, String), Failure> {
    let list = json!({});
    let (listed, _) = client.call("find_files", &list)?;
    let files: Vec<Value> = serde_json::from_str(&listed).unwrap_or_default();
    let mut files: Vec<(u64, &str)> = files
        .iter()
        .filter_map(|file| Some((file["bytes"].as_u64()?, file["path"].as_str()?)))
        .filter(|(bytes, _)| *bytes <= MAX_FILE_BYTES && *bytes > listed.len() as u64)
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    for (bytes, path) in files.into_iter().take(10) {
        let arguments = json!({"path": path});
        let (read, _) = client.call("read_file", &arguments)?;
        // Else it is no text, and this says so.
        if read.len() as u64 == bytes {
            return Ok(("read_file", arguments, read));
        }
    }
    Ok(("find_files", list, listed))
}

/// The hits of a search, each as name, signature and what it does.
fn hits(found: &str) -> Vec<String> {
    let found: Value = serde_json::from_str(found).unwrap_or_default();
    let text = |hit: &Value, key: &str| hit[key].as_str().unwrap_or_default().to_owned();
    let hits = found["results"][0]["matches"].as_array().into_iter().flatten();
    hits.map(|hit| {
        format!("{}{}: {}", text(hit, "name"), text(hit, "arguments"), text(hit, "does"))
    })
    .collect()
}

/// The id in the header of an excerpt.
fn handle(shown: &str) -> Option<&str> {
    shown.lines().next()?.split_once("; id=")?.1.strip_suffix(']')
}
