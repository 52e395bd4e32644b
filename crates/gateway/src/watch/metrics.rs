//! The gateway's numbers in Prometheus' text form. What the semantic conventions for MCP have a name for has that name.

use std::fmt::Write;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::gateway::Gateway;
use crate::servers::upstream::State;
use crate::watch::ledger::{Counts, ToolCounts};
use crate::watch::measured::{head, label};

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
    let stats = &gateway.operations.stats;
    let reads = "Calls of the tools that read stored results back.";
    let totals = [
        ("weir_requests_total", "Requests of clients.", &stats.requests),
        ("weir_fetches_total", reads, &stats.fetches),
        ("weir_searches_total", "Calls of tool_search.", &stats.searches),
    ];
    write_totals(&mut out, &totals);
    write_tools(&mut out, &stats.counts());
    if let Some(counts) = gateway.gate.tier().map(|tier| &tier.counts) {
        let (failed, puts) = ("Those that could not be.", "Results put where gateways share them.");
        let totals = [
            ("weir_tier_uploads_total", puts, &counts.uploads),
            ("weir_tier_failed_uploads_total", failed, &counts.failed_uploads),
            ("weir_tier_fetches_total", "Results fetched from there.", &counts.fetches),
            ("weir_tier_failed_fetches_total", failed, &counts.failed_fetches),
        ];
        write_totals(&mut out, &totals);
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

/// What is counted since the start, under a name each.
fn write_totals(out: &mut String, totals: &[(&str, &str, &AtomicU64)]) {
    for (name, help, value) in totals {
        head(out, name, "counter", help);
        let _ = writeln!(out, "{name} {}", value.load(Ordering::Relaxed));
    }
}

/// What is counted of each tool.
fn write_tools(out: &mut String, counts: &Counts) {
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
        head(out, name, "counter", help);
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
}
