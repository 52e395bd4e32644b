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
    /// The most of jq's time that it may take.
    most: f64,
    program: &'static str,
    by: Option<&'static str>,
    reduce: Option<&'static str>,
    /// What jq is given, when that is not the program on each row: it then reads the rows by `inputs`.
    jq: Option<&'static str>,
}

/// Filters, projections and counts take no longer than jq; anything else takes four times as long at most.
const PLAIN: f64 = 1.0;
const OTHER: f64 = 4.0;

const fn case(name: &'static str, most: f64, program: &'static str) -> Case {
    Case { name, most, program, by: None, reduce: None, jq: None }
}

const fn reduced(
    name: &'static str,
    most: f64,
    program: &'static str,
    reduce: &'static str,
    jq: &'static str,
) -> Case {
    Case { name, most, program, by: None, reduce: Some(reduce), jq: Some(jq) }
}

const fn grouped(
    name: &'static str,
    program: &'static str,
    by: &'static str,
    reduce: Option<&'static str>,
    jq: &'static str,
) -> Case {
    Case { name, most: PLAIN, program, by: Some(by), reduce, jq: Some(jq) }
}

/// The kinds of programs that models write most, and below them some that they write seldom. A short way
/// stays only where it makes one of the first at least twice as fast.
const CASES: [Case; 29] = [
    case(
        "filter and project",
        PLAIN,
        "select(.status == 500 and .duration_ms > 899) | {id, service}",
    ),
    case("filter on text", PLAIN, "select(.level == \"error\" and .user.id == 7) | .id"),
    case("filter on a part of text", PLAIN, "select(.msg | contains(\"items/1234\")) | .id"),
    case("regular expression", OTHER, "select(.msg | test(\"items/1234[0-9] \")) | .id"),
    reduced(
        "project",
        PLAIN,
        "{service, level}",
        "distinct",
        "reduce inputs as $r ({}; .[$r | {service, level} | tojson] += 1) | to_entries | \
         sort_by(-.value, .key) | .[] | {value: .key | fromjson, count: .value}",
    ),
    reduced(
        "count",
        PLAIN,
        "select(.status >= 500)",
        "count",
        "reduce inputs as $r (0; if $r.status >= 500 then . + 1 else . end)",
    ),
    reduced("count all", PLAIN, ".", "count", "reduce inputs as $r (0; . + 1)"),
    grouped(
        "group and count",
        ".",
        ".service",
        None,
        "reduce inputs as $r ({}; .[$r.service] += 1) | to_entries | sort_by(-.value, .key) | .[] | \
         {key, count: .value}",
    ),
    grouped(
        GROUP_AND_SUM,
        ".status",
        ".user.name",
        Some("sum"),
        "reduce inputs as $r ({}; .[$r.user.name] |= [(.[0] // 0) + $r.status, (.[1] // 0) + 1]) | \
         to_entries | sort_by(-.value[0], .key) | .[:3] | .[] | \
         {key, sum: .value[0], count: .value[1]}",
    ),
    reduced(
        "greatest",
        PLAIN,
        ".duration_ms",
        "max",
        "reduce inputs as $r (null; if . == null or $r.duration_ms > . then $r.duration_ms else . end)",
    ),
    reduced(
        "length",
        OTHER,
        ".msg | length",
        "max",
        "reduce inputs as $r (0; [., ($r.msg | length)] | max)",
    ),
    reduced(
        "keys",
        OTHER,
        "keys | length",
        "max",
        "reduce inputs as $r (0; [., ($r | keys | length)] | max)",
    ),
    reduced(
        "entries",
        OTHER,
        "to_entries",
        "count",
        "reduce (inputs | to_entries) as $r (0; . + 1)",
    ),
    reduced(
        "with entries",
        OTHER,
        "with_entries(select(.key != \"msg\"))",
        "count",
        "reduce (inputs | with_entries(select(.key != \"msg\"))) as $r (0; . + 1)",
    ),
    reduced(
        "sum of a list",
        OTHER,
        ".user.tags | map(length) | add",
        "max",
        "reduce inputs as $r (0; [., ($r.user.tags | map(length) | add)] | max)",
    ),
    case(
        "list of members",
        OTHER,
        "[.user.tags[] | ascii_upcase] | join(\"-\") | select(. != \"A-B\")",
    ),
    reduced(
        "text made of members",
        OTHER,
        "\"\\(.service): \\(.status)\" | select(endswith(\"500\"))",
        "count",
        "reduce (inputs | \"\\(.service): \\(.status)\" | select(endswith(\"500\"))) as $r (0; . + 1)",
    ),
    reduced(
        "conditions and arithmetic",
        OTHER,
        "if .ok then .duration_ms * 2 | floor else empty end",
        "max",
        "reduce inputs as $r (0; [., (if $r.ok then $r.duration_ms * 2 | floor else 0 end)] | max)",
    ),
    reduced(
        "groups by a program",
        OTHER,
        "select(.duration_ms > 800) | {service, status}",
        "group_by(.service) | map({service: .[0].service, sum: (map(.status) | add)})",
        "[inputs | select(.duration_ms > 800) | {service, status}] | group_by(.service) | \
         map({service: .[0].service, sum: (map(.status) | add)})",
    ),
    reduced(
        "order by a program",
        OTHER,
        "select(.duration_ms > 800) | {id, duration_ms}",
        "sort_by(-.duration_ms) | .[:5]",
        "[inputs | select(.duration_ms > 800) | {id, duration_ms}] | sort_by(-.duration_ms) | .[:5]",
    ),
    reduced(
        "row of CSV",
        OTHER,
        "[.id, .level, .status] | @csv",
        "count",
        "reduce (inputs | [.id, .level, .status] | @csv) as $r (0; . + 1)",
    ),
    reduced(
        "split",
        OTHER,
        ".msg | split(\" \") | .[3]",
        "count",
        "reduce (inputs | .msg | split(\" \") | .[3]) as $r (0; . + 1)",
    ),
    reduced(
        "replace",
        OTHER,
        ".msg | gsub(\"[0-9]+\"; \"N\")",
        "count",
        "reduce (inputs | .msg | gsub(\"[0-9]+\"; \"N\")) as $r (0; . + 1)",
    ),
    reduced(
        "all below",
        OTHER,
        "[.. | numbers] | length",
        "count",
        "reduce (inputs | [.. | numbers] | length) as $r (0; . + 1)",
    ),
    // Seldom.
    reduced("del", OTHER, "del(.msg)", "count", "reduce (inputs | del(.msg)) as $r (0; . + 1)"),
    reduced(
        "del in",
        OTHER,
        "del(.user.tags, .msg)",
        "count",
        "reduce (inputs | del(.user.tags, .msg)) as $r (0; . + 1)",
    ),
    reduced(
        "literal test",
        OTHER,
        "select(.msg | test(\"items/1234\"))",
        "count",
        "reduce (inputs | select(.msg | test(\"items/1234\"))) as $r (0; . + 1)",
    ),
    reduced(
        "loop",
        OTHER,
        ".id as $n | reduce range(20) as $i (0; . + $i * $n)",
        "max",
        "reduce (inputs | .id as $n | reduce range(20) as $i (0; . + $i * $n)) as $r (0; [., $r] | max)",
    ),
    reduced(
        "function",
        OTHER,
        "def f: if . > 40 then . else . + 3 | f end; .id % 40 | f",
        "max",
        "def f: if . > 40 then . else . + 3 | f end; \
         reduce (inputs | .id % 40 | f) as $r (0; [., $r] | max)",
    ),
];

/// Its results are more than one page shows.
const GROUP_AND_SUM: &str = "group and sum";

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
    let (flags, program) = match case.jq {
        Some(program) => ("-nc", program),
        None => ("-c", case.program),
    };
    let mut command = Command::new("jq");
    let output =
        command.args([flags, program]).arg(file).stderr(Stdio::inherit()).output().unwrap();
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
        let fits = mine.len() == theirs.len() || case.name == GROUP_AND_SUM;
        let equal = fits && mine[..count].iter().zip(&theirs[..count]).all(|(a, b)| same(a, b));
        let ratio = my_time / their_time;
        println!("{:<26} {my_time:>8.2}s {their_time:>8.2}s {ratio:>7.2}", case.name);
        assert!(equal, "{}: not what jq gives", case.name);
        if ratio > case.most {
            over.push(case.name);
        }
    }
    if !over.is_empty() {
        println!("over the bound ({PLAIN} or {OTHER}): {}", over.join(", "));
    }
}
