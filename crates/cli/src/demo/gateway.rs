//! The demo's second act: an MCP server in a process of its own, connected directly, then behind the
//! gateway. Both times the client is the same, and speaks as any client does.

use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Instant;

use serde_json::{Value, json};
use weir_gateway::catalog::definition_tokens;
use weir_gateway::json::Json;

use super::shown::Screen;
use crate::console::Console;
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
        let what = || format!("the demo's server does not answer to {method}");
        let failed = Failure::io(what());
        self.next += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        let input =
            self.child.stdin.as_mut().ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
        writeln!(input, "{request}").map_err(&failed)?;
        loop {
            let mut line = String::new();
            if self.output.read_line(&mut line).map_err(&failed)? == 0 {
                return Err(failed(io::ErrorKind::UnexpectedEof.into()));
            }
            let mut message: Value = serde_json::from_str(&line).map_err(|e| failed(e.into()))?;
            if message["id"] != self.next {
                continue;
            }
            if let Some(error) = message.get("error") {
                return Err(failed(io::Error::other(
                    error["message"].as_str().unwrap_or_default(),
                )));
            }
            return Ok(message["result"].take());
        }
    }

    /// The text of a tool's result.
    fn call(&mut self, tool: &str, arguments: &Value) -> Result<String, Failure> {
        let result = self.ask("tools/call", &json!({"name": tool, "arguments": arguments}))?;
        let texts = result["content"].as_array().into_iter().flatten();
        let texts: Vec<&str> = texts.filter_map(|block| block["text"].as_str()).collect();
        Ok(texts.join("\n"))
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
    result_tokens: u64,
}

impl View {
    fn json(&self) -> Value {
        json!({
            "tools": self.tools, "list_estimated_tokens": self.list_tokens,
            "result_bytes": self.result.len(), "result_estimated_tokens": self.result_tokens,
        })
    }
}

pub(super) fn run(
    directory: &Path,
    scratch: &Path,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Value, Failure> {
    let served = [OsString::from("demo-server"), "--".into(), directory.into()];
    let mut direct = Client::start(&served)?;
    let mut before = view(&mut direct)?;
    let (tool, arguments, result) = largest_result(&mut direct)?;
    before.result_tokens = weir_text::tokens::of(&result);
    before.result = result;
    drop(direct);

    let mut behind = context.forwarded();
    behind.extend(["--store".into(), scratch.join("gateway-store").into(), "serve".into()]);
    behind.extend(["--state".into(), scratch.join("gateway-state").into()]);
    behind.extend(["--mode", "bridge", "--"].map(OsString::from));
    behind.push(std::env::current_exe().unwrap_or_default().into());
    behind.extend(served);
    let mut gateway = Client::start(&behind)?;
    let search = json!({"queries": [QUERY]});
    let start = Instant::now();
    let found = gateway.call("tool_search", &search)?;
    let searched = start.elapsed();
    let mut after = view(&mut gateway)?;
    let call = json!({"calls": [{"name": tool, "arguments": arguments}]});
    let start = Instant::now();
    after.result = gateway.call("tool_call", &call)?;
    let called = start.elapsed();
    after.result_tokens = weir_text::tokens::of(&after.result);

    let (quiet, screen) = (console.json(), Screen::of(console));
    let mut say = |line: String| if quiet { Ok(()) } else { console.line(line) };
    let place = match directory == Path::new(".") {
        true => "this directory".into(),
        false => directory.display().to_string(),
    };
    say(screen.title("── The same over MCP: a server in a process of its own, first connected"))?;
    say("   directly, then behind `weir serve`. The server is a small one inside this".into())?;
    say("   program, `weir demo-server`. It reads and searches the files of".into())?;
    say(format!("   {place}.\n"))?;
    say("   What the client lists, before the model has done anything:".into())?;
    say(format!(
        "   directly          {:>3} tools, about {:>7} tokens",
        before.tools.len(),
        group(before.list_tokens)
    ))?;
    say(screen.clip(&format!(
        "   behind weir serve {:>3} tools, about {:>7} tokens: {}",
        after.tools.len(),
        group(after.list_tokens),
        after.tools.join(", ")
    )))?;
    say("   The second figure stays about the same, however many servers there are.\n".into())?;
    say(format!("   {}\n", screen.asked("tool_search", &search, searched)))?;
    for line in hits(&found).iter().take(3) {
        say(format!("   │ {}", screen.clip(line)))?;
    }
    say(format!("\n   {}\n", screen.asked("tool_call", &call, called)))?;
    say(format!(
        "   directly          {:>9}, about {:>7} tokens",
        size(before.result.len() as u64),
        group(before.result_tokens)
    ))?;
    say(format!(
        "   behind weir serve {:>9}, about {:>7} tokens:\n",
        size(after.result.len() as u64),
        group(after.result_tokens)
    ))?;
    for line in screen.excerpt(&after.result) {
        say(format!("   │ {line}"))?;
    }
    let mut read = Value::Null;
    if let Some(id) = handle(&after.result) {
        let middle = before.result.lines().count() / 2;
        let arguments = match middle {
            // One giant line.
            0 => {
                json!({"id": id, "mode": "range", "unit": "bytes", "start": before.result.len() / 2, "count": 300})
            }
            _ => json!({"id": id, "mode": "range", "unit": "lines", "start": middle, "count": 3}),
        };
        let start = Instant::now();
        let answer = gateway.call("weir_fetch", &arguments)?;
        say(format!("\n   {}\n", screen.asked("weir_fetch", &arguments, start.elapsed())))?;
        for line in answer.lines().take(5) {
            say(format!("   │ {}", screen.clip(line)))?;
        }
        read = json!({"arguments": arguments, "answer": answer});
    }
    say(String::new())?;
    Ok(json!({
        "direct": before.json(), "gateway": after.json(), "tool": tool, "arguments": arguments,
        "search": found, "shown": after.result, "fetch": read,
    }))
}

const QUERY: &str = "read file";

fn view(client: &mut Client) -> Result<View, Failure> {
    let listed = client.ask("tools/list", &json!({}))?["tools"].take();
    // As `weir servers` counts them.
    let all = || listed.as_array().into_iter().flatten();
    let list_tokens = all().map(|tool| definition_tokens(&Json::of(tool))).sum();
    let tools = all().filter_map(|tool| tool["name"].as_str().map(str::to_owned)).collect();
    Ok(View { tools, list_tokens, result: String::new(), result_tokens: 0 })
}

/// The largest result that is had at once: of the largest text file, or of the list of all files.
fn largest_result(client: &mut Client) -> Result<(&'static str, Value, String), Failure> {
    let list = json!({});
    let listed = client.call("find_files", &list)?;
    let files: Vec<Value> = serde_json::from_str(&listed).unwrap_or_default();
    let mut files: Vec<(u64, &str)> = files
        .iter()
        .filter_map(|file| Some((file["bytes"].as_u64()?, file["path"].as_str()?)))
        .filter(|(bytes, _)| *bytes <= MAX_FILE_BYTES && *bytes > listed.len() as u64)
        .collect();
    files.sort_unstable_by(|a, b| b.cmp(a));
    for (bytes, path) in files.into_iter().take(10) {
        let arguments = json!({"path": path});
        let read = client.call("read_file", &arguments)?;
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
