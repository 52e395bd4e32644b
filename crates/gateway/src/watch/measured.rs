//! Durations and refusals, counted as they come.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use crate::watch::ledger::OTHER;
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

    /// In Prometheus' text form.
    pub(crate) fn write(&self, out: &mut String) {
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

/// The two lines before the rows of a number.
pub(crate) fn head(out: &mut String, name: &str, kind: &str, help: &str) {
    let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
}

/// As the value of a label.
pub(crate) fn label(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}
