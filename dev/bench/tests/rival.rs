//! A stranger's strategy, taken from the page for strangers, appears in all tables; two runs give the same bytes.

#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::Path;
use std::process::Command;

#[test]
fn the_strategy_of_the_page_appears_in_all_tables_and_two_runs_are_the_same() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("note: left out, as there is no python3 here");
        return;
    }
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = std::fs::read_to_string(here.join("CONTRIBUTING.md")).unwrap();
    let code = page.split("```python\n").nth(1).and_then(|rest| rest.split("```").next()).unwrap();
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("rival");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("rival.py"), code).unwrap();
    let plain = here.join("adapters/plain.py");
    let strategies = serde_json::json!([
        {"name": "whole", "about": "", "command": ["{python}", plain, "whole"], "parts": ["results", "tools"]},
        {"name": "rival", "about": "a stranger's", "command": ["{python}", "{folder}/rival.py"], "parts": ["results", "tools"], "avoid": {"results": "the rest of a line is lost"}},
        {"name": "gone", "about": "", "command": ["/no/such/program"], "parts": ["results"]},
    ]);
    let file = folder.join("strategies.json");
    std::fs::write(&file, strategies.to_string()).unwrap();
    let run = |out: &str| {
        let done = Command::new(env!("CARGO_BIN_EXE_contextbench"))
            .args(["run", "--quick", "--strategies"])
            .arg(&file)
            .arg("--out")
            .arg(folder.join(out))
            .output()
            .unwrap();
        assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        std::fs::read_to_string(folder.join(out).join("report.md")).unwrap()
    };
    let report = run("one");
    assert!(code.lines().count() <= 30);
    // Every table in which the control stands, the losses and what ran.
    let tables = report.split("\n\n").filter(|part| part.contains("| whole |"));
    let lacking: Vec<&str> = tables.filter(|table| !table.contains("| rival |")).collect();
    assert!(lacking.is_empty() && report.matches("\n| rival |").count() >= 9, "{lacking:?}");
    assert!(report.contains("| rival (tools) | 0 |"), "{report}");
    assert!(report.contains("| the rest of a line is lost |"), "{report}");
    assert!(report.contains("| gone | **not run**: /no/such/program"), "{report}");
    // What the control shows whole is always answered, and the inexact arms are not.
    assert!(report.contains("| whole | 100.0 % | 0.0 % | 1.00 |"), "{report}");
    assert_eq!(report, run("two"));
}
