//! Two commits beside each other: the bench of the component runs in turn in one run, so that both meet the same machine.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::{Result, cargo, output};

/// A ratio within this is none, however quiet the machine is.
const LEAST: f64 = 0.1;

/// Milliseconds of each row, a run after the other.
type Times = BTreeMap<String, Vec<f64>>;

/// Builds both, runs them in turn, and fails where the second takes longer beyond what runs of one commit differ by.
pub(crate) fn run(root: &Path, mut words: impl Iterator<Item = String>) -> Result<()> {
    let usage = "two commits are needed: cargo xtask compare A B [--rounds N] [AREA…]";
    let commits = [words.next().ok_or(usage)?, words.next().ok_or(usage)?];
    let (mut rounds, mut areas) = (5, Vec::new());
    while let Some(word) = words.next() {
        match word.as_str() {
            "--rounds" => {
                let number = words.next().and_then(|number| number.parse().ok());
                rounds = number.filter(|number| *number > 1).ok_or("--rounds needs 2 or more")?;
            }
            _ => areas.push(word),
        }
    }
    let [first, second] = [built(root, &commits[0])?, built(root, &commits[1])?];
    let programs = [&first.0, &second.0];
    let mut times = [Times::new(), Times::new()];
    for round in 0..rounds {
        // Each is the first in every other round.
        for at in [round % 2, 1 - round % 2] {
            let printed = output(Command::new(programs[at]).arg("--quick").args(&areas))?;
            for (row, millis) in rows(&printed) {
                times[at].entry(row).or_default().push(millis);
            }
        }
        eprintln!("round {} of {rounds}", round + 1);
    }
    for tree in [&first.1, &second.1] {
        let mut git = Command::new("git");
        // One of the two where both are one commit.
        drop(output(git.current_dir(root).args(["worktree", "remove", "--force"]).arg(tree)));
    }
    let [first, second] = &times;
    let (table, slower) = compared(first, second);
    println!(
        "Milliseconds of CPU, medians of {rounds} runs in turn: {} and {}.\n\n{table}",
        commits[0], commits[1]
    );
    match slower.is_empty() {
        true => Ok(()),
        false => Err(format!("slower beyond noise: {}", slower.join("; "))),
    }
}

/// The bench of a commit, built in a work tree of its own. What both need of other crates is built once. With
/// WEIR_COMPONENT both run that component.
fn built(root: &Path, commit: &str) -> Result<(PathBuf, PathBuf)> {
    let mut git = Command::new("git");
    let sha = output(git.current_dir(root).args([
        "rev-parse",
        "--verify",
        &format!("{commit}^{{commit}}"),
    ]))?;
    let tree = root.join("target/compare").join(sha.trim());
    if !tree.exists() {
        let mut git = Command::new("git");
        git.current_dir(root).args(["worktree", "add", "--detach"]).arg(&tree).arg(sha.trim());
        output(&mut git)?;
    }
    let mut build = cargo();
    build.current_dir(&tree).args([
        "bench",
        "--profile",
        "dev",
        "--no-run",
        "--locked",
        "--package",
        "weir-tests",
    ]);
    build
        .args(["--bench", "plugin", "--message-format", "json", "--target-dir"])
        .arg(root.join("target"));
    let built = output(&mut build)?;
    let mut programs = built.lines().filter_map(|line| {
        let message: serde_json::Value = serde_json::from_str(line).ok()?;
        message["executable"].as_str().map(PathBuf::from)
    });
    let program = programs.next_back();
    Ok((program.ok_or_else(|| format!("{commit} has no bench `plugin`"))?, tree))
}

/// What a bench printed: each row's name and size, and its milliseconds in wasm.
fn rows(printed: &str) -> Vec<(String, f64)> {
    let row = |line: &str| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let millis = cells.get(4)?.replace(',', "").parse().ok()?;
        Some((format!("{} {}", cells[1], cells[2]).trim().to_owned(), millis))
    };
    printed.lines().filter_map(row).collect()
}

/// A table of the rows that both have, and those in which the second is slower.
fn compared(first: &Times, second: &Times) -> (String, Vec<String>) {
    let mut table =
        "| what | first | second | ratio | noise |\n| --- | ---: | ---: | ---: | ---: |\n"
            .to_owned();
    let mut slower = Vec::new();
    for (row, a) in first {
        let Some(b) = second.get(row) else { continue };
        let (from, to) = (middle(a), middle(b));
        let (ratio, noise) = (to / from, LEAST.max(spread(a)).max(spread(b)));
        table.push_str(&format!(
            "| {row} | {from} | {to} | {ratio:.2} | {:.0} % |\n",
            noise * 100.0
        ));
        if ratio > 1.0 + noise {
            slower.push(format!("{row} ({ratio:.2})"));
        }
    }
    (table, slower)
}

fn middle(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    times[times.len() / 2].max(1e-6)
}

/// How far runs of one commit differ, without the worst one of each side where there are enough.
fn spread(times: &[f64]) -> f64 {
    let mut times = times.to_vec();
    times.sort_by(f64::total_cmp);
    let inner = if times.len() > 3 { &times[1..times.len() - 1] } else { &times[..] };
    (inner[inner.len() - 1] - inner[0]) / middle(&times)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slower_is_what_is_slower_beyond_the_noise_of_the_same_commit() {
        let run = |small: f64, large: f64| {
            rows(&format!(
                "notes\n| what | size | native | wasm | ratio |\n|---|---:|---:|---:|---:|\n\
                 | transform text | 1 MB | 2.1 | {small} | 3.0 | 9 |\n| sweep | 10,000 | | {large} | |\n"
            ))
        };
        assert_eq!(
            run(1.5, 1_000.0),
            [("transform text 1 MB".into(), 1.5), ("sweep 10,000".into(), 1_000.0)]
        );
        let times = |small: [f64; 5], large: f64| {
            let mut times = Times::new();
            for (row, millis) in small.into_iter().flat_map(|small| run(small, large)) {
                times.entry(row).or_default().push(millis);
            }
            times
        };
        let quiet = times([10.0, 10.1, 10.0, 10.2, 19.0], 200.0);
        let (table, slower) = compared(&quiet, &times([12.0, 12.1, 12.0, 12.2, 12.0], 205.0));
        assert_eq!(slower, ["transform text 1 MB (1.19)"], "{table}");
        let loud = times([8.0, 9.0, 10.0, 12.0, 30.0], 200.0);
        assert!(compared(&loud, &times([12.0, 12.1, 12.0, 12.2, 12.0], 150.0)).1.is_empty());
    }
}
