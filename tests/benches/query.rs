//! Queries of 100 MB of JSON lines beside the native `jq` in the same run: CPU time of both, the
//! ratio, and whether their outputs are equal.
//!
//! `cargo bench --bench query`, with `jq` on the path; `WEIR_BENCH_MB` for another size.

#![allow(clippy::print_stdout, reason = "a bench says what it measured")]
#![allow(clippy::unwrap_used, reason = "a bench that meets a surprise ends")]

use std::fmt::Write as _;
use std::process::{Command, Stdio};

use rustix::time::{ClockId, clock_gettime};
use serde_json::Value;
use weir_host::contract::{QueryRequest, View};
use weir_host::{Class, Limits, Weir};
use weir_tests::{SESSION, Sandbox, engine, store};

/// What a program is asked as, of us and of jq.
struct Case {
    name: &'static str,
    /// Whether it is one of the shapes that have a short way, and must take half of jq's time.
    short: bool,
    program: &'static str,
    by: Option<&'static str>,
    reduce: Option<&'static str>,
    jq: &'static [&'static str],
}

const CASES: [Case; 17] = [
    Case {
        name: "filter and project",
        short: true,
        program: "select(.status == 500 and .duration_ms > 899) | {id, service}",
        by: None,
        reduce: None,
        jq: &["-c", "select(.status == 500 and .duration_ms > 899) | {id, service}"],
    },
    Case {
        name: "filter on text",
        short: true,
        program: "select(.level == \"error\" and .user.id == 7) | .id",
        by: None,
        reduce: None,
        jq: &["-c", "select(.level == \"error\" and .user.id == 7) | .id"],
    },
    Case {
        name: "count",
        short: true,
        program: "select(.status >= 500)",
        by: None,
        reduce: Some("count"),
        jq: &["-n", "reduce inputs as $r (0; if $r.status >= 500 then . + 1 else . end)"],
    },
    Case {
        name: "count all",
        short: true,
        program: ".",
        by: None,
        reduce: Some("count"),
        jq: &["-n", "reduce inputs as $r (0; . + 1)"],
    },
    Case {
        name: "group and count",
        short: true,
        program: ".",
        by: Some(".service"),
        reduce: None,
        jq: &[
            "-nc",
            "reduce inputs as $r ({}; .[$r.service] += 1) | to_entries | sort_by(-.value, .key) | .[] | {key, count: .value}",
        ],
    },
    Case {
        name: "group and sum",
        short: true,
        program: ".status",
        by: Some(".user.name"),
        reduce: Some("sum"),
        jq: &[
            "-nc",
            "reduce inputs as $r ({}; .[$r.user.name] |= [(.[0] // 0) + $r.status, (.[1] // 0) + 1]) | to_entries | sort_by(-.value[0], .key) | .[:3] | .[] | {key, sum: .value[0], count: .value[1]}",
        ],
    },
    Case {
        name: "greatest",
        short: true,
        program: ".duration_ms",
        by: None,
        reduce: Some("max"),
        jq: &[
            "-n",
            "reduce inputs as $r (null; if . == null or $r.duration_ms > . then $r.duration_ms else . end)",
        ],
    },
    Case {
        name: "regular expression",
        short: false,
        program: "select(.msg | test(\"items/1234[0-9] \")) | .id",
        by: None,
        reduce: None,
        jq: &["-c", "select(.msg | test(\"items/1234[0-9] \")) | .id"],
    },
    Case {
        name: "list of members",
        short: false,
        program: "[.user.tags[] | ascii_upcase] | join(\"-\") | select(. != \"A-B\")",
        by: None,
        reduce: None,
        jq: &["-c", "[.user.tags[] | ascii_upcase] | join(\"-\") | select(. != \"A-B\")"],
    },
    Case {
        name: "keys",
        short: false,
        program: "keys | length",
        by: None,
        reduce: Some("max"),
        jq: &["-n", "reduce inputs as $r (0; [., ($r | keys | length)] | max)"],
    },
    Case {
        name: "conditions and arithmetic",
        short: false,
        program: "if .ok then .duration_ms * 2 | floor else empty end",
        by: None,
        reduce: Some("max"),
        jq: &[
            "-n",
            "reduce inputs as $r (0; [., (if $r.ok then $r.duration_ms * 2 | floor else 0 end)] | max)",
        ],
    },
    Case {
        name: "entries",
        short: false,
        program: "to_entries",
        by: None,
        reduce: Some("count"),
        jq: &["-n", "reduce (inputs | to_entries) as $r (0; . + 1)"],
    },
    Case {
        name: "with entries",
        short: false,
        program: "with_entries(select(.key != \"msg\"))",
        by: None,
        reduce: Some("count"),
        jq: &["-n", "reduce (inputs | with_entries(select(.key != \"msg\"))) as $r (0; . + 1)"],
    },
    Case {
        name: "split",
        short: false,
        program: ".msg | split(\" \") | .[3]",
        by: None,
        reduce: Some("count"),
        jq: &["-n", "reduce (inputs | .msg | split(\" \") | .[3]) as $r (0; . + 1)"],
    },
    Case {
        name: "replace",
        short: false,
        program: ".msg | gsub(\"[0-9]+\"; \"N\")",
        by: None,
        reduce: Some("count"),
        jq: &["-n", "reduce (inputs | .msg | gsub(\"[0-9]+\"; \"N\")) as $r (0; . + 1)"],
    },
    Case {
        name: "all below",
        short: false,
        program: "[.. | numbers] | length",
        by: None,
        reduce: Some("count"),
        jq: &["-n", "reduce (inputs | [.. | numbers] | length) as $r (0; . + 1)"],
    },
    Case {
        name: "row of CSV",
        short: false,
        program: "[.id, .level, .status] | @csv",
        by: None,
        reduce: Some("count"),
        jq: &["-n", "reduce (inputs | [.id, .level, .status] | @csv) as $r (0; . + 1)"],
    },
];

/// Lines of a service's log, as JSON.
fn rows(bytes: usize) -> String {
    let mut text = String::with_capacity(bytes + 400);
    let mut seed = 7u64;
    let mut roll = |of: u64| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) % of
    };
    let mut n = 0u64;
    while text.len() < bytes {
        n += 1;
        let level = ["info", "info", "info", "debug", "error"][roll(5) as usize];
        let service = ["api", "db", "auth", "web", "queue"][roll(5) as usize];
        let status = [200, 200, 200, 201, 404, 500][roll(6) as usize];
        let (user, ms, frac) = (roll(500), roll(900), roll(1_000));
        writeln!(
            text,
            "{{\"id\": {n}, \"ts\": \"2024-05-{:02}T{:02}:{:02}:00Z\", \"level\": \"{level}\", \"service\": \"{service}\", \
             \"duration_ms\": {ms}.{frac:03}5, \"status\": {status}, \"user\": {{\"id\": {user}, \"name\": \"user {user}\", \"tags\": [\"a\", \"b\"]}}, \
             \"msg\": \"request handled for /v1/items/{n} in a while \\\"ok\\\"\", \"ok\": {}}}",
            n % 28 + 1, n % 24, n % 60, roll(10) < 9
        )
        .unwrap();
    }
    text
}

fn cpu() -> f64 {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    now.tv_sec as f64 + now.tv_nsec as f64 / 1e9
}

/// CPU seconds of all children that have ended.
fn of_children() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    let (_, rest) = stat.rsplit_once(')').unwrap();
    let fields: Vec<&str> = rest.split_whitespace().collect();
    (fields[13].parse::<f64>().unwrap() + fields[14].parse::<f64>().unwrap()) / 100.0
}

fn ours(weir: &Weir, id: &str, case: &Case) -> (String, f64) {
    let request = QueryRequest {
        program: case.program.to_owned(),
        path: None,
        by: case.by.map(str::to_owned),
        reduce: case.reduce.map(str::to_owned),
        whole: false,
        as_table: false,
        max_results: None,
    };
    let mut more = None::<String>;
    let start = cpu();
    let mut out = String::new();
    loop {
        let page = weir.query(SESSION, id, View::Text, &request, more.as_deref()).unwrap();
        out.push_str(&page.content);
        more = page.more;
        if more.is_none() {
            return (out, cpu() - start);
        }
    }
}

fn jqs(file: &std::path::Path, case: &Case) -> (String, f64) {
    let start = of_children();
    let output =
        Command::new("jq").args(case.jq).arg(file).stderr(Stdio::inherit()).output().unwrap();
    (String::from_utf8(output.stdout).unwrap(), of_children() - start)
}

fn values(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// Equal, numbers by what they are.
fn same(a: &Value, b: &Value) -> bool {
    match (a, b) {
        (Value::Number(a), Value::Number(b)) => a.as_f64() == b.as_f64(),
        (Value::Object(a), Value::Object(b)) => {
            a.len() == b.len() && a.iter().all(|(key, a)| b.get(key).is_some_and(|b| same(a, b)))
        }
        (a, b) => a == b,
    }
}

fn main() {
    if Command::new("jq").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("jq is not installed: nothing to compare with");
        return;
    }
    let megabytes =
        std::env::var("WEIR_BENCH_MB").ok().and_then(|mb| mb.parse().ok()).unwrap_or(100);
    let sandbox = Sandbox::new();
    // In 64 MiB, as a guest has by default.
    let limits = |class: Class, bytes| {
        let limits = class.limits(bytes);
        match class {
            Class::Grep => Limits { memory_bytes: 64 << 20, ..limits },
            _ => limits,
        }
    };
    let weir = Weir::builder().limits(limits).open_with(engine(), sandbox.store()).unwrap();
    let text = rows(megabytes << 20);
    let file = sandbox.path().join("rows.ndjson");
    std::fs::write(&file, &text).unwrap();
    let id = store(&weir, text).id;
    println!("{:<26} {:>9} {:>9} {:>7}", "", "weir", "jq", "ratio");
    let mut over = Vec::new();
    for case in &CASES {
        let ((mine, my_time), (theirs, their_time)) = (ours(&weir, &id, case), jqs(&file, case));
        let (mine, theirs) = (values(&mine), values(&theirs));
        let count = theirs.len().min(mine.len());
        let fits = mine.len() == theirs.len() || case.name == "group and sum";
        let equal = fits && mine[..count].iter().zip(&theirs[..count]).all(|(a, b)| same(a, b));
        let ratio = my_time / their_time;
        println!("{:<26} {my_time:>8.2}s {their_time:>8.2}s {ratio:>7.2}", case.name);
        assert!(equal, "{}: not what jq gives", case.name);
        if ratio > if case.short { 0.5 } else { 2.0 } {
            over.push(case.name);
        }
    }
    if !over.is_empty() {
        println!("over the bound (0.5 for the first seven, 2 for the others): {}", over.join(", "));
    }
}
