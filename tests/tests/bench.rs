//! The short form of the bench, of Weir in default settings: where it loses, and by how much at most.

#![allow(clippy::print_stderr, reason = "a test that is left out says so")]

use std::path::Path;
use std::process::Command;

use weir_tests::{Sandbox, program, target_directory};

/// The numbers of a row, as they are printed: `2,301`, `56.7 %`, `0.44`.
fn numbers(row: &str) -> Vec<f64> {
    let cells = row.split('|').map(|cell| cell.trim().trim_end_matches(" %").replace(',', ""));
    cells.filter_map(|cell| cell.parse().ok()).collect()
}

#[test]
fn the_hook_loses_nowhere_and_the_gateway_only_what_its_reader_takes() {
    if Command::new("python3").arg("--version").output().is_err() {
        eprintln!("note: left out, as there is no python3 here");
        return;
    }
    let sandbox = Sandbox::new();
    let weir = sandbox.command(["--version"]);
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let out = sandbox.path().join("out");
    let mut bench = Command::new(program("contextbench"));
    bench.current_dir(&root).args(["run", "--quick", "--out"]).arg(&out);
    bench.args(["--only", "weir hook", "--only", "weir gateway"]);
    bench.env("WEIR", weir.get_program());
    bench.env("XDG_CACHE_HOME", target_directory().join("weir-test-cache"));
    let done = bench.output().unwrap();
    assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
    let report = std::fs::read_to_string(out.join("report.md")).unwrap();
    let row = |start: &str| {
        let found = report.lines().find(|line| line.starts_with(start));
        found.unwrap_or_else(|| panic!("no {start} in {report}")).to_owned()
    };
    // Cells lost, of how many.
    assert_eq!(numbers(&row("| weir hook (result) |"))[..2], [0.0, 75.0]);
    for (part, most) in [("result", 33.0), ("tools", 4.0)] {
        let lost = numbers(&row(&format!("| weir gateway ({part}) |")));
        assert!(lost[0] <= most && lost[2] <= 1.04, "{part}: {lost:?}");
    }
    // Right answers, wrong ones, cost beside showing everything.
    let results = report.split("## Results").nth(1).unwrap();
    for arm in ["| weir hook |", "| weir gateway |"] {
        let found = numbers(results.lines().find(|line| line.starts_with(arm)).unwrap());
        assert!(found[0] >= 98.0 && found[1] <= 1.5 && found[2] <= 0.46, "{arm} {found:?}");
    }
}
