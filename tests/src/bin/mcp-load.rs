//! A client of streamable HTTP that costs little: `mcp-load PORT PATH SINGLE CONNECTIONS EACH`.
//!
//! Calls the first tool whose name ends with `echo`: first SINGLE times, one after the other, then EACH times on each of CONNECTIONS
//! connections at once, each with its own session. Checks every answer and prints one line of JSON: the medians and 95th percentiles of
//! the single calls in milliseconds, and the calls in a second of those at once.

#![expect(
    clippy::unwrap_used,
    clippy::print_stdout,
    reason = "a test program: to stop is the right answer to a broken connection, and its output is its answer"
)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::sync::{Arc, Barrier};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

const USAGE: &str = "usage: mcp-load PORT PATH SINGLE CONNECTIONS EACH";

/// Where the endpoint is.
#[derive(Clone)]
struct Place {
    port: u16,
    path: Arc<str>,
}

/// One connection and one session.
struct Connection {
    stream: BufReader<TcpStream>,
    place: Place,
    session: String,
    count: u64,
}

impl Connection {
    fn open(place: &Place) -> Connection {
        let stream = TcpStream::connect(("127.0.0.1", place.port)).unwrap();
        stream.set_nodelay(true).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(60))).unwrap();
        let stream = BufReader::new(stream);
        let mut connection =
            Connection { stream, place: place.clone(), session: String::new(), count: 0 };
        let hello = json!({
            "protocolVersion": "2025-06-18",
            "capabilities": {},
            "clientInfo": {"name": "load", "version": "1"},
        });
        connection.ask("initialize", &hello);
        connection
            .post(&json!({"jsonrpc": "2.0", "method": "notifications/initialized"}).to_string());
        connection
    }

    /// The body of the answer.
    fn post(&mut self, body: &str) -> String {
        let head = format!(
            "POST {} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\nContent-Type: application/json\r\n\
             Accept: application/json, text/event-stream\r\nMCP-Protocol-Version: 2025-06-18\r\n\
             {}Content-Length: {}\r\n\r\n",
            self.place.path,
            self.place.port,
            self.session,
            body.len()
        );
        self.stream.get_mut().write_all(&[head.as_bytes(), body.as_bytes()].concat()).unwrap();
        let (mut length, mut is_chunked) = (0, false);
        loop {
            let line = self.line();
            let Some((name, value)) = line.split_once(':') else {
                if line.is_empty() {
                    break;
                }
                continue;
            };
            let value = value.trim();
            match name.to_ascii_lowercase().as_str() {
                "content-length" => length = value.parse().unwrap(),
                "transfer-encoding" => is_chunked = value.eq_ignore_ascii_case("chunked"),
                "mcp-session-id" => self.session = format!("Mcp-Session-Id: {value}\r\n"),
                _ => {}
            }
        }
        let mut bytes = Vec::new();
        if is_chunked {
            loop {
                let size = usize::from_str_radix(&self.line(), 16).unwrap();
                self.read(size, &mut bytes);
                assert!(self.line().is_empty());
                if size == 0 {
                    break;
                }
            }
        } else {
            self.read(length, &mut bytes);
        }
        String::from_utf8(bytes).unwrap()
    }

    fn line(&mut self) -> String {
        let mut line = String::new();
        self.stream.read_line(&mut line).unwrap();
        line.truncate(line.trim_end().len());
        line
    }

    fn read(&mut self, length: usize, bytes: &mut Vec<u8>) {
        let start = bytes.len();
        bytes.resize(start + length, 0);
        self.stream.read_exact(&mut bytes[start..]).unwrap();
    }

    fn ask(&mut self, method: &str, params: &Value) -> Value {
        self.count += 1;
        let id = self.count;
        let body = self.post(
            &json!({"jsonrpc": "2.0", "id": id, "method": method, "params": params}).to_string(),
        );
        // JSON, or events with a message in each.
        let messages = body.lines().map(|line| line.strip_prefix("data:").unwrap_or(line).trim());
        messages
            .filter(|line| line.starts_with('{'))
            .map(|line| serde_json::from_str::<Value>(line).unwrap())
            .find(|message| message["id"] == id && message.get("method").is_none())
            .and_then(|mut message| message.get_mut("result").map(Value::take))
            .unwrap_or_else(|| panic!("no result in {body}"))
    }

    fn echo(&mut self, tool: &str) -> Duration {
        let word = format!("word {}", self.count);
        let start = Instant::now();
        let answer = self.ask("tools/call", &json!({"name": tool, "arguments": {"message": word}}));
        let took = start.elapsed();
        assert!(answer.to_string().contains(&word), "{answer}");
        took
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [port, path, numbers @ ..] = &args[..] else { panic!("{USAGE}") };
    let numbers: Vec<usize> = numbers.iter().map(|arg| arg.parse().unwrap()).collect();
    let [single, connections, each] = numbers[..] else { panic!("{USAGE}") };
    let place = Place { port: port.parse().unwrap(), path: path.as_str().into() };
    let mut one = Connection::open(&place);
    let tools = one.ask("tools/list", &json!({}));
    let mut names = tools["tools"].as_array().unwrap().iter().filter_map(|it| it["name"].as_str());
    let tool: Arc<str> = names.find(|name| name.ends_with("echo")).unwrap().into();
    let mut times: Vec<Duration> = (0..single).map(|_| one.echo(&tool)).collect();
    times.sort();
    let opened: Vec<Connection> = (0..connections).map(|_| Connection::open(&place)).collect();
    let start = Arc::new(Barrier::new(connections + 1));
    let threads: Vec<_> = opened
        .into_iter()
        .map(|mut connection| {
            let (tool, start) = (Arc::clone(&tool), Arc::clone(&start));
            thread::spawn(move || {
                start.wait();
                for _ in 0..each {
                    connection.echo(&tool);
                }
            })
        })
        .collect();
    start.wait();
    let began = Instant::now();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let rate = (connections * each) as f64 / began.elapsed().as_secs_f64();
    let at = |share: usize| times[(times.len() - 1) * share / 100].as_secs_f64() * 1e3;
    println!("{}", json!({"p50_ms": at(50), "p95_ms": at(95), "calls_per_second": rate}));
}
