//! The gateway's numbers in Prometheus' text form. What the semantic conventions for MCP have a name for has that name.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::atomic::Ordering;
use std::time::Duration;

use super::Gateway;
use super::ledger::{OTHER, ToolCounts};
use super::upstream::State;
use weir_base::Mutex;

/// Upper bounds in seconds, as the conventions have them.
const BOUNDS: [f64; 14] =
    [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0, 60.0, 120.0, 300.0];

/// Rows of durations, beyond which tools are counted together.
const MAX_ROWS: usize = 2_000;

/// How long something took.
#[derive(Debug, Default, Clone)]
struct Histogram {
    /// By bound, each without those before it; the last one is for what took longer.
    counts: [u64; BOUNDS.len() + 1],
    seconds: f64,
}

impl Histogram {
    fn add(&mut self, time: Duration) {
        let seconds = time.as_secs_f64();
        self.counts[BOUNDS.iter().take_while(|bound| seconds > **bound).count()] += 1;
        self.seconds += seconds;
    }

    fn write(&self, out: &mut String, name: &str, labels: &str) {
        let mut count = 0;
        for (at, of_bound) in self.counts.iter().enumerate() {
            count += of_bound;
            let bound = BOUNDS.get(at).map_or("+Inf".to_owned(), f64::to_string);
            let _ = writeln!(out, "{name}_bucket{{{labels},le=\"{bound}\"}} {count}");
        }
        let _ = writeln!(
            out,
            "{name}_sum{{{labels}}} {}\n{name}_count{{{labels}}} {count}",
            self.seconds
        );
    }
}

/// What a duration is of: method, server, tool or prompt, and the kind of error.
type Row = (String, String, String, &'static str);

/// What only `/metrics` shows, since the start.
#[derive(Debug, Default)]
pub(crate) struct Measured {
    durations: Mutex<BTreeMap<Row, Histogram>>,
    sessions: Mutex<Histogram>,
    refused: Mutex<BTreeMap<String, u64>>,
}

impl Measured {
    /// A call ended.
    pub(crate) fn took(&self, called: (&str, &str, &str), error: &'static str, time: Duration) {
        let (method, server, mut tool) = called;
        let mut durations = self.durations.lock();
        if durations.len() >= MAX_ROWS {
            tool = OTHER;
        }
        let row = (method.to_owned(), server.to_owned(), tool.to_owned(), error);
        durations.entry(row).or_default().add(time);
    }

    /// A legacy client's session ended.
    pub(crate) fn session_took(&self, time: Duration) {
        self.sessions.lock().add(time);
    }

    /// A request or a call was refused.
    pub(crate) fn refused(&self, reason: &str) {
        *self.refused.lock().entry(reason.to_owned()).or_default() += 1;
    }

    fn write(&self, out: &mut String) {
        let name = "mcp_server_operation_duration_seconds";
        head(out, name, "histogram", "How long calls took, as clients saw it.");
        for ((method, server, tool, error), times) in &*self.durations.lock() {
            let [server, tool] = [server, tool].map(|text| label(text));
            let mut labels = format!(
                "mcp_method_name=\"{method}\",server=\"{server}\",gen_ai_tool_name=\"{tool}\""
            );
            if !error.is_empty() {
                let _ = write!(labels, ",error_type=\"{error}\"");
            }
            times.write(out, name, &labels);
        }
        let name = "mcp_server_session_duration_seconds";
        head(out, name, "histogram", "How long sessions of legacy clients lasted.");
        self.sessions.lock().write(out, name, "network_transport=\"tcp\"");
        head(
            out,
            "weir_refusals_total",
            "counter",
            "Requests and calls that were refused, by reason.",
        );
        for (reason, count) in &*self.refused.lock() {
            let _ = writeln!(out, "weir_refusals_total{{reason=\"{reason}\"}} {count}");
        }
    }
}

fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// All numbers. `sessions` are those of legacy clients now.
pub(crate) fn text(gateway: &Gateway, sessions: usize) -> String {
    let mut out = String::new();
    gateway.operations.measured.write(&mut out);
    for (name, help, value) in [
        ("weir_sessions", "Sessions of legacy clients now.", sessions),
        (
            "weir_requests_in_flight",
            "Requests that are being answered now.",
            gateway.operations.in_flight(),
        ),
    ] {
        head(&mut out, name, "gauge", help);
        let _ = writeln!(out, "{name} {value}");
    }
    for (name, help, value) in [
        ("weir_requests_total", "Requests of clients.", &gateway.operations.stats.requests),
        (
            "weir_fetches_total",
            "Calls of the tools that read stored results back.",
            &gateway.operations.stats.fetches,
        ),
        ("weir_searches_total", "Calls of tool_search.", &gateway.operations.stats.searches),
    ] {
        head(&mut out, name, "counter", help);
        let _ = writeln!(out, "{name} {}", value.load(Ordering::Relaxed));
    }
    let counts = gateway.operations.stats.counts();
    type Number = fn(&ToolCounts) -> u64;
    let counters: [(&str, &str, Number); 9] = [
        ("weir_calls_total", "Calls of servers' tools.", |c| c.calls),
        ("weir_errors_total", "Calls that were answered with an error.", |c| c.errors),
        ("weir_failures_total", "Calls that had no answer.", |c| c.failures),
        ("weir_result_bytes_total", "Bytes of results that came from servers.", |c| c.bytes_in),
        ("weir_shown_bytes_total", "Bytes of results that clients were shown.", |c| c.bytes_shown),
        ("weir_replaced_total", "Results that were replaced by an excerpt.", |c| c.replaced),
        ("weir_blobs_total", "Different results that were stored.", |c| c.blobs),
        ("weir_blobs_read_total", "Of these, those read back from.", |c| c.blobs_read),
        ("weir_fetched_bytes_total", "Bytes that were read back.", |c| c.bytes_fetched),
    ];
    for (name, help, number) in counters {
        head(&mut out, name, "counter", help);
        for (server, tools) in &counts.servers {
            for (tool, counts) in tools {
                let (server, tool) = (label(server), label(tool));
                let _ = writeln!(
                    out,
                    "{name}{{server=\"{server}\",tool=\"{tool}\"}} {}",
                    number(counts)
                );
            }
        }
    }
    if let Some(tier) = gateway.gate.tier() {
        for (name, help, value) in [
            (
                "weir_tier_uploads_total",
                "Results put where gateways share them.",
                &tier.counts.uploads,
            ),
            (
                "weir_tier_failed_uploads_total",
                "Those that could not be.",
                &tier.counts.failed_uploads,
            ),
            ("weir_tier_fetches_total", "Results fetched from there.", &tier.counts.fetches),
            (
                "weir_tier_failed_fetches_total",
                "Those that could not be.",
                &tier.counts.failed_fetches,
            ),
        ] {
            head(&mut out, name, "counter", help);
            let _ = writeln!(out, "{name} {}", value.load(Ordering::Relaxed));
        }
    }
    head(&mut out, "weir_server_up", "gauge", "Whether a server runs.");
    for upstream in gateway.servers.all().iter() {
        let up = u8::from(upstream.state() == State::Ready);
        let _ = writeln!(out, "weir_server_up{{server=\"{}\"}} {up}", label(upstream.name()));
    }
    head(&mut out, "weir_server_starts_total", "counter", "How often a server was started.");
    for upstream in gateway.servers.all().iter() {
        let _ = writeln!(
            out,
            "weir_server_starts_total{{server=\"{}\"}} {}",
            label(upstream.name()),
            upstream.starts()
        );
    }
    out
}

fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
