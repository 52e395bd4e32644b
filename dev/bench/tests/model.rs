//! The runner with a model, against a scripted endpoint: its noise first, arms in turn, transcripts kept.

#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

#[test]
fn noise_is_measured_before_arms_run_in_turn_and_every_conversation_is_kept() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("note: left out, as there is no python3 here");
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let out = Path::new(env!("CARGO_TARGET_TMPDIR")).join("model");
    let _ = std::fs::remove_dir_all(&out);
    std::fs::create_dir_all(&out).unwrap();
    let mut endpoint = Command::new("python3")
        .arg(here.join("tests/endpoint.py"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut port = String::new();
    BufReader::new(endpoint.stdout.take().unwrap()).read_line(&mut port).unwrap();
    let plain = |name: &str, mode: &str| json!({"name": name, "about": "", "command": ["{python}", here.join("adapters/plain.py"), mode], "parts": ["results"]});
    let strategies = json!([
        plain("whole", "whole"), plain("truncate", "truncate"), plain("outline first", "outline"),
        {"name": "gone", "about": "", "command": ["/no/such/program"], "parts": ["results"]},
    ]);
    let file = out.join("strategies.json");
    std::fs::write(&file, strategies.to_string()).unwrap();
    let done = Command::new("python3")
        .arg(here.join("model.py"))
        .args([
            "--model",
            "scripted",
            "--endpoint",
            &format!("http://127.0.0.1:{}/v1", port.trim()),
        ])
        .args([
            "--bench",
            env!("CARGO_BIN_EXE_contextbench"),
            "--tasks",
            "12",
            "--baseline",
            "3",
            "--runs",
            "2",
        ])
        .arg("--strategies")
        .arg(&file)
        .arg("--out")
        .arg(&out)
        .output()
        .unwrap();
    endpoint.kill().unwrap();
    endpoint.wait().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let text = std::fs::read_to_string(out.join("rows.jsonl")).unwrap();
    let rows: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(rows.len(), 3 * 12 + 2 * 12 * 3);
    let (baseline, arms) = rows.split_at(3 * 12);
    assert!(baseline.iter().all(|row| row["phase"] == "baseline" && row["strategy"] == "whole"));
    // All arms of a task before the next task, and not always in one order.
    let mut orders = std::collections::BTreeSet::new();
    for task in arms.chunks(3) {
        assert!(task.iter().all(|row| row["task"] == task[0]["task"] && row["question"] == task[0]["question"]));
        orders.insert(task.iter().map(|row| row["strategy"].to_string()).collect::<Vec<_>>());
    }
    assert!(orders.len() > 2, "{orders:?}");
    for row in &rows {
        let kept = out.join("transcripts").join(row["transcript"].as_str().unwrap());
        let kept: Value = serde_json::from_str(&std::fs::read_to_string(kept).unwrap()).unwrap();
        assert_eq!(kept["row"], *row);
        assert!(kept["messages"].as_array().unwrap().len() > 4, "{kept}");
    }
    let noise: Value =
        serde_json::from_str(&std::fs::read_to_string(out.join("noise.json")).unwrap()).unwrap();
    assert!(
        noise["noise"].as_f64().unwrap() > 0.0,
        "a model that is wrong now and then has some: {noise}"
    );
    // The scripted model reads what is shown: whole is mostly right, and what reads back more than what is cut.
    let right = |name: &str| {
        let own = arms.iter().filter(|row| row["strategy"] == name);
        own.filter(|row| row["right"] == true).count()
    };
    let found = (right("whole"), right("outline first"), right("truncate"));
    assert!(found.0 > 14 && found.1 > found.2, "{found:?}");
    assert!(arms.iter().any(|row| row["turns"] == 2), "nobody has read back");
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    assert!(report.contains("| gone | **not run**") && report.contains("| whole |"), "{report}");
}
