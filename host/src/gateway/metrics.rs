//! The gateway's numbers in Prometheus' text form.

use std::fmt::Write;
use std::sync::atomic::Ordering;

use super::Gateway;
use super::upstream::State;

/// All numbers.
pub fn text(gateway: &Gateway) -> String {
    let mut out = String::new();
    let head = |out: &mut String, name: &str, kind: &str, help: &str| {
        let _ = writeln!(out, "# HELP {name} {help}\n# TYPE {name} {kind}");
    };
    for (name, help, value) in [
        ("weir_requests_total", "Requests of clients.", &gateway.stats.requests),
        (
            "weir_fetches_total",
            "Calls of the tools that read stored results back.",
            &gateway.stats.fetches,
        ),
        ("weir_searches_total", "Calls of tool_search.", &gateway.stats.searches),
    ] {
        head(&mut out, name, "counter", help);
        let _ = writeln!(out, "{name} {}", value.load(Ordering::Relaxed));
    }
    let servers = gateway.stats.servers();
    type Number = fn(&super::stats::ServerStats) -> u64;
    let counters: [(&str, &str, Number); 5] = [
        ("weir_results_total", "Results that came from servers.", |s| s.results),
        ("weir_result_bytes_total", "Bytes of results that came from servers.", |s| s.bytes_in),
        ("weir_shown_bytes_total", "Bytes of results that clients were shown.", |s| s.bytes_shown),
        ("weir_replaced_total", "Results that were replaced by an excerpt.", |s| s.replaced),
        ("weir_failures_total", "Calls that had no answer.", |s| s.failures),
    ];
    for (name, help, number) in counters {
        head(&mut out, name, "counter", help);
        for (server, stats) in &servers {
            let _ = writeln!(out, "{name}{{server=\"{}\"}} {}", label(server), number(stats));
        }
    }
    head(&mut out, "weir_server_up", "gauge", "Whether a server runs.");
    for upstream in gateway.upstreams().iter() {
        let up = u8::from(upstream.state() == State::Ready);
        let _ = writeln!(out, "weir_server_up{{server=\"{}\"}} {up}", label(upstream.name()));
    }
    head(&mut out, "weir_server_starts_total", "counter", "How often a server was started.");
    for upstream in gateway.upstreams().iter() {
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
