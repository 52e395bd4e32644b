//! What the gateway costs between a client and a server, beside the same client connected directly.
//!
//! ```text
//! cargo bench -p weir-tests --bench gateway               everything, some minutes
//! cargo bench -p weir-tests --bench gateway -- --quick    without the result of 1 GB
//! ```
//!
//! All three are processes of their own that speak over pipes. Every answer is checked.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_tests::Sandbox;

const SERVER: &str = env!("CARGO_BIN_EXE_mcp-test-server");

const NOTES: &str = "\
Milliseconds on the clock, the median of several calls, direct and through the gateway in turn; `p95` is
the 95th percentile. The server is the tests' own, over stdio; a small call echoes 60 bytes. Each large
result is another, so that it is stored anew; `excerpt` is replaced, `whole` passes as it is
(\"transform\": false). Memory is the peak resident size of a gateway that found the component compiled,
while the result passes; its idle size is beside it. MB = 1,000,000 bytes. The store may take 4 GiB, where the default is 500 MiB.
Not shown: HTTP, servers of others, a cold start.";

/// A client of one process.
struct Client {
    child: Child,
    output: BufReader<ChildStdout>,
    next: u64,
    line: Vec<u8>,
}

impl Client {
    fn start(command: &mut Command) -> Client {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("it can be started");
        let output = BufReader::new(child.stdout.take().expect("it has an output"));
        let mut client = Client { child, output, next: 0, line: Vec::new() };
        let hello = json!({"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "bench", "version": "1"}});
        client.send("initialize", &hello);
        client.take();
        client
    }

    fn send(&mut self, method: &str, params: &Value) {
        self.next += 1;
        let request =
            json!({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params});
        let input = self.child.stdin.as_mut().expect("it has an input");
        writeln!(input, "{request}").expect("it reads");
    }

    /// The next answer; what else it says is passed over.
    fn take(&mut self) -> &[u8] {
        loop {
            self.line.clear();
            let read = self.output.read_until(b'\n', &mut self.line).expect("it writes");
            assert!(read > 0, "it ended");
            let start = String::from_utf8_lossy(&self.line[..self.line.len().min(200)]);
            if !start.contains("\"method\"") {
                return &self.line;
            }
        }
    }

    /// Calls a tool, and gives the time until all of the answer was there.
    fn call(&mut self, tool: &str, arguments: &Value) -> (Duration, &[u8]) {
        let start = Instant::now();
        self.send("tools/call", &json!({"name": tool, "arguments": arguments}));
        self.take();
        (start.elapsed(), &self.line)
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        drop(self.child.stdin.take());
        let _ = self.child.wait();
    }
}

fn main() {
    let quick = std::env::args().any(|argument| argument == "--quick");
    let sandbox = Sandbox::new();
    let servers = json!({"mcpServers": {
        "s": {"command": SERVER},
        "whole": {"command": SERVER, "weir": {"transform": false}},
    }});
    let file = sandbox.path().join("servers.json");
    std::fs::write(&file, servers.to_string()).expect("a file can be written");
    // The default of 500 MiB has no room for the gigabyte.
    let settings = sandbox.path().join("config.toml");
    std::fs::write(&settings, "[store]\nmax_bytes = \"4 GiB\"\n").expect("a file can be written");
    let serve = |mode: &str| {
        let mut command = sandbox.command(["serve", "--mode", mode]);
        command.env("WEIR_CONFIG", &settings);
        command.env("WEIR_SERVERS", &file).env("WEIR_STATE", sandbox.path().join("state"));
        Client::start(&mut command)
    };
    let mut direct = Client::start(&mut Command::new(SERVER));
    let mut gateway = serve("passthrough");
    // Servers are started and the component is loaded before anything is timed.
    for tool in ["s__echo", "whole__echo"] {
        gateway.call(tool, &json!({}));
    }
    let mut bridge = serve("bridge");
    bridge.call("tool_search", &json!({"queries": ["echo"]}));
    bridge.call("tool_call", &bridged());
    println!("{NOTES}\n");
    head();
    small(&mut direct, &mut gateway, &mut bridge);
    parallel(&mut direct, &mut gateway);
    for (megabytes, runs) in [(1, 15), (10, 5)] {
        large(megabytes, runs, &mut direct, &mut gateway);
    }
    if !quick {
        // The first one has compiled the component, and keeps some of the room that took.
        let mut later = serve("passthrough");
        later.call("s__echo", &json!({}));
        memory(&mut later);
    }
}

fn text() -> Value {
    json!({"text": "a line of text, as short as most results of tools are"})
}

fn bridged() -> Value {
    json!({"calls": [{"name": "s__echo", "arguments": text()}]})
}

/// One small call after the other.
fn small(direct: &mut Client, gateway: &mut Client, bridge: &mut Client) {
    let (mut times, arguments) = ([const { Vec::new() }; 3], text());
    let echoed = |(time, answer): (Duration, &[u8])| {
        assert!(String::from_utf8_lossy(answer).contains("as short as most"));
        time
    };
    for _ in 0..1_000 {
        times[0].push(echoed(direct.call("echo", &arguments)));
        times[1].push(echoed(gateway.call("s__echo", &arguments)));
        times[2].push(echoed(bridge.call("tool_call", &bridged())));
    }
    times.iter_mut().for_each(|times| times.sort_unstable());
    let [plain, through, called] = &times;
    for (name, times, percent, most) in [
        ("small call, p50", through, 50, Some(1.0)),
        ("small call, p95", through, 95, None),
        ("small call with tool_call, p50", called, 50, None),
        ("small call with tool_call, p95", called, 95, None),
    ] {
        let at = |times: &[Duration]| times[times.len() * percent / 100];
        row(name, "60 B", at(plain), at(times), most);
    }
}

/// A hundred calls at once, until the last is answered.
fn parallel(direct: &mut Client, gateway: &mut Client) {
    let run = |client: &mut Client, tool: &str| {
        let start = Instant::now();
        for _ in 0..100 {
            client.send("tools/call", &json!({"name": tool, "arguments": text()}));
        }
        for _ in 0..100 {
            assert!(String::from_utf8_lossy(client.take()).contains("as short as most"));
        }
        start.elapsed()
    };
    let runs: Vec<_> = (0..21).map(|_| (run(direct, "echo"), run(gateway, "s__echo"))).collect();
    let (plain, through): (Vec<_>, Vec<_>) = runs.into_iter().unzip();
    row("100 calls at once", "60 B", median(plain), median(through), None);
}

/// Large results, replaced and whole.
fn large(megabytes: u64, runs: u64, direct: &mut Client, gateway: &mut Client) {
    let size = format!("{megabytes} MB");
    let bytes = megabytes * 1_000_000;
    let mut times = [const { Vec::new() }; 3];
    for run in 0..runs {
        let arguments = json!({"bytes": bytes + run});
        let (time, answer) = direct.call("big", &arguments);
        assert!(answer.len() as u64 > bytes);
        times[0].push(time);
        let (time, answer) = gateway.call("s__big", &arguments);
        let shown = String::from_utf8_lossy(answer);
        assert!(answer.len() < 20_000 && shown.contains("weir/blob"), "{shown}");
        times[1].push(time);
        let (time, answer) = gateway.call("whole__big", &arguments);
        assert!(answer.len() as u64 > bytes);
        times[2].push(time);
    }
    let [plain, excerpt, whole] = times.map(median);
    row("large result, excerpt", &size, plain, excerpt, None);
    row("large result, whole", &size, plain, whole, None);
}

/// What the gateway needs for a result of a gigabyte.
fn memory(gateway: &mut Client) {
    let status = format!("/proc/{}/status", gateway.child.id());
    let resident = |key: &str| {
        let text = std::fs::read_to_string(&status).ok()?;
        let line = text.lines().find(|line| line.starts_with(key))?;
        line.split_whitespace().nth(1)?.parse::<f64>().ok().map(|kib| kib * 1.024 / 1_000.0)
    };
    // The peak is counted from here; before, the component was loaded.
    let reset = std::fs::write(format!("/proc/{}/clear_refs", gateway.child.id()), "5");
    let idle = resident("VmRSS:");
    let (time, answer) = gateway.call("s__big", &json!({"bytes": 1_000_000_000_u64}));
    let shown = String::from_utf8_lossy(answer);
    assert!(shown.contains("weir/blob"), "{shown}");
    print("large result, excerpt", "1 GB", ["", &millis(time), "", ""], "", "");
    let (Some(idle), Some(peak), Ok(())) = (idle, resident("VmHWM:"), reset) else {
        println!("memory is not shown: it is read from /proc of Linux");
        return;
    };
    let found = format!("{peak:.0} MB");
    let met = if peak < 64.0 { "yes" } else { "NO" };
    let beside = format!("idle {idle:.0} MB");
    print("memory, 1 GB result", "1 GB", ["", &found, &beside, ""], "< 64 MB", met);
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times[times.len() / 2]
}

fn head() {
    print("what", "size", ["direct", "gateway", "added", "ratio"], "target", "met");
    println!(
        "|{:-<32}|{:-<7}:|{:-<9}:|{:-<9}:|{:-<12}:|{:-<7}:|{:-<17}|{:-<5}|",
        "", "", "", "", "", "", "", ""
    );
}

/// A line; `most` is what may be added, in milliseconds.
fn row(what: &str, size: &str, direct: Duration, gateway: Duration, most: Option<f64>) {
    let added = gateway.saturating_sub(direct);
    let ratio = gateway.as_secs_f64() / direct.as_secs_f64().max(1e-9);
    let (target, met) = match most {
        None => (String::new(), ""),
        Some(most) if added.as_secs_f64() * 1e3 <= most => (format!("added <= {most} ms"), "yes"),
        Some(most) => (format!("added <= {most} ms"), "NO"),
    };
    let columns = [millis(direct), millis(gateway), millis(added), format!("{ratio:.1}")];
    print(what, size, columns.each_ref().map(String::as_str), &target, met);
}

fn print(what: &str, size: &str, columns: [&str; 4], target: &str, met: &str) {
    let [direct, gateway, added, ratio] = columns;
    println!(
        "| {what:<30} | {size:>6} | {direct:>8} | {gateway:>8} | {added:>11} | {ratio:>6} | {target:<15} | {met:<3} |"
    );
}

/// Three figures are enough.
fn millis(time: Duration) -> String {
    match time.as_secs_f64() * 1e3 {
        m if m >= 100.0 => format!("{m:.0}"),
        m if m >= 10.0 => format!("{m:.1}"),
        m => format!("{m:.2}"),
    }
}
