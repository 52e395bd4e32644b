//! How much fuel the hot paths take: about an instruction each, the same on every machine.
//!
//! What is recorded in `tests/fuel.json` is held within a few percent. After a change that was meant to cost or to save,
//! `UPDATE_FUEL=1 cargo test -p weir-tests --test host fuel::` records what it takes now.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};

use serde_json::json;
use weir_host::contract::{FinishedResult, Snapshot, ToolDefinition};
use weir_host::{Class, Limits, Weir};
use weir_tests::{SESSION, Sandbox, engine};

/// What a call gets.
static FUEL: AtomicU64 = AtomicU64::new(u64::MAX);

/// Shares of what is recorded with which a call has to succeed, and with which it has to fail.
const ENOUGH: f64 = 1.03;
const TOO_LITTLE: f64 = 0.94;

fn limits(class: Class, bytes: u64) -> Limits {
    let limits = class.limits(bytes);
    Limits { fuel: limits.fuel.min(FUEL.load(Ordering::Relaxed)), ..limits }
}

fn with(fuel: f64, call: &dyn Fn() -> bool) -> bool {
    FUEL.store(fuel as u64, Ordering::Relaxed);
    let done = call();
    FUEL.store(u64::MAX, Ordering::Relaxed);
    done
}

/// The least fuel with which `call` succeeds, within a percent.
fn least(call: &dyn Fn() -> bool) -> f64 {
    let (mut low, mut high) = (1e4, 1e11);
    while high / low > 1.01 {
        let middle = f64::sqrt(low * high);
        match with(middle, call) {
            true => high = middle,
            false => low = middle,
        }
    }
    high
}

const BYTES: usize = 1 << 20;

fn log() -> String {
    let lines = (0..).map(|n| {
        format!(
            "2026-11-25T13:{:02}:{:02} INFO worker-{} did item {n}, 17 ms\n",
            n / 60 % 60,
            n % 60,
            n % 7
        )
    });
    let mut text = String::new();
    for line in lines {
        text.push_str(&line);
        if text.len() > BYTES {
            return text;
        }
    }
    text
}

fn rows() -> String {
    let rows: Vec<_> = (0..12_000)
        .map(|n| json!({"id": n, "name": format!("item {n}"), "state": (["open", "closed"][n % 2]), "score": n * 7 % 100}))
        .collect();
    serde_json::to_string(&rows).unwrap()
}

#[test]
fn the_hot_paths_take_the_fuel_that_is_recorded() {
    let sandbox = Sandbox::new();
    let weir = Weir::builder().limits(limits).open_with(engine(), sandbox.store()).unwrap();
    let (log, rows) = (log(), rows());
    let id = |text: &str| {
        let result = FinishedResult::text(SESSION, "read", text);
        weir.transform(&result).unwrap().handles[0].id.clone()
    };
    let (log_id, rows_id) = (id(&log), id(&rows));
    // Each time another text, or it is a repeat.
    let turn = AtomicU64::new(0);
    let transform = |text: &str| {
        let turn = turn.fetch_add(1, Ordering::Relaxed);
        let text = text.replacen("item 0", &format!("item {turn:06}"), 1);
        let result = FinishedResult::text(format!("s{turn}"), "read", text);
        weir.transform(&result).is_ok_and(|answer| answer.replaced)
    };
    let read = |arguments: serde_json::Value| {
        weir.invoke(SESSION, "weir_fetch", &arguments.to_string())
            .is_ok_and(|answer| !answer.is_error)
    };
    let tools: Vec<ToolDefinition> = (0..300)
        .map(|n| ToolDefinition {
            name: format!("tool_{n}"),
            description: format!("Does the job number {n} of {} for users and groups.", ["mail", "files", "issues"][n % 3]),
            input_schema: r#"{"type":"object","properties":{"name":{"type":"string"},"count":{"type":"integer"}}}"#.into(),
            server: format!("server_{}", n % 10),
            ..ToolDefinition::default()
        })
        .collect();
    let snapshot = || Snapshot { tools: tools.clone(), servers: Vec::new() };
    let conversation = weir_host::contract::Conversation::default();
    let paths: [(&str, usize, &dyn Fn() -> bool); 8] = [
        ("leave a result of 100 bytes", 1, &|| {
            weir.transform(&FinishedResult::text(SESSION, "read", "x".repeat(100))).is_ok()
        }),
        ("transform a log, per byte", log.len(), &|| transform(&log)),
        ("transform JSON, per byte", rows.len(), &|| transform(&rows)),
        ("read lines in the middle", 1, &|| {
            read(
                json!({"id": log_id, "mode": "range", "unit": "lines", "start": 8_000, "count": 50}),
            )
        }),
        ("grep 1 MiB, its largest slice", 1, &|| {
            read(json!({"id": log_id, "mode": "grep", "pattern": "item 9999,"}))
        }),
        ("query 1 MB, its largest slice", 1, &|| {
            read(
                json!({"id": rows_id, "mode": "query", "query": "select(.score > 90) | .id", "reduce": "count"}),
            )
        }),
        ("index a tool", tools.len(), &|| weir.catalog(snapshot()).is_ok()),
        ("search 300 tools", 1, &|| {
            // A fresh one: what an instance has read once costs nothing the next time.
            let fuel = FUEL.swap(u64::MAX, Ordering::Relaxed);
            let catalog = weir.catalog(snapshot()).unwrap();
            FUEL.store(fuel, Ordering::Relaxed);
            let search = json!({"queries": ["send a mail to a group"]}).to_string();
            catalog.invoke("tool_search", &search, &conversation).is_ok()
        }),
    ];
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("fuel.json");
    if std::env::var_os("UPDATE_FUEL").is_some() {
        let found: BTreeMap<&str, f64> = paths
            .iter()
            .map(|(what, units, call)| (*what, (least(call) / *units as f64 * 10.0).round() / 10.0))
            .collect();
        std::fs::write(&file, serde_json::to_string_pretty(&found).unwrap() + "\n").unwrap();
    }
    let recorded: BTreeMap<String, f64> =
        serde_json::from_str(&std::fs::read_to_string(&file).unwrap()).unwrap();
    assert_eq!(recorded.len(), paths.len());
    for (what, units, call) in paths {
        let fuel = recorded[what] * units as f64;
        assert!(with(fuel * ENOUGH, call), "{what}: {} is no longer enough", recorded[what]);
        assert!(!with(fuel * TOO_LITTLE, call), "{what}: less than {}: record it", recorded[what]);
    }
}
