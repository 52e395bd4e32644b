//! What would recorded sessions have cost? Each tool result is put through the strategies.
//!
//! A result is sent again with every later turn of its file. A recording does not say which part of a
//! result the model needed, so two bounds are given: nothing is read back, and every changed result is read back whole.

use std::path::PathBuf;

use serde_json::json;
use weir_agents::transcript::results;

use crate::meter::{CACHED, tokens};
use crate::run::{Options, entries};
use crate::strategy::Strategy;

/// Reads the files and prints a table.
///
/// # Errors
/// When a file cannot be read, or holds no tool result.
#[allow(clippy::cast_precision_loss, reason = "counts of tokens are small")]
pub(crate) fn replay(options: &Options, files: &[PathBuf]) -> Result<(), String> {
    let mut all = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(file)
            .map_err(|error| format!("{}: {error}", file.display()))?;
        all.push(results(&text));
    }
    let count: usize = all.iter().map(Vec::len).sum();
    if count == 0 {
        return Err("no tool result of a known format is in these files".to_owned());
    }
    let large = all.iter().flatten().filter(|result| result.text.chars().count() > 8_000).count();
    println!("{count} results in {} files, {large} of more than 8,000 characters.\n", files.len());
    println!(
        "Cost in input tokens, a cached one at 0.1, of the results alone; minus is a saving.\n"
    );
    println!(
        "| strategy | changed | cost | against whole | if all changed results are read back whole |"
    );
    println!("| --- | ---: | ---: | ---: | ---: |");
    let folder = options.strategies.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
    let mut control = None;
    for entry in
        entries(options)?.iter().filter(|entry| entry.parts.iter().any(|part| part == "results"))
    {
        let mut strategy = match Strategy::start(entry, &folder) {
            Ok(strategy) => strategy,
            Err(why) => {
                println!("| {} | not run: {why} | | | |", entry.name);
                continue;
            }
        };
        let (mut changed, mut none, mut every) = (0, 0.0, 0.0);
        for file in &all {
            // The definitions are sent once, then with every turn.
            let turns = file.first().map_or(0, |result| result.turns) as f64;
            let fixed = strategy.definitions as f64 * (1.0 + CACHED[1] * turns);
            (none, every) = (none + fixed, every + fixed);
            for result in file {
                let text = &result.text;
                strategy.forget();
                let shown = strategy.ask(&json!({"op": "result", "id": "r", "text": text}))?;
                let times = 1.0 + CACHED[1] * result.turns as f64;
                none += shown.tokens as f64 * times;
                every += shown.tokens as f64 * times;
                if *shown.shown != **text {
                    changed += 1;
                    every += tokens(text) as f64 * times;
                }
            }
        }
        let control = *control.get_or_insert(none);
        let against = |cost: f64| format!("{:+.1} %", (cost / control - 1.0) * 100.0);
        println!(
            "| {} | {changed} | {none:.0} | {} | {} |",
            entry.name,
            against(none),
            against(every)
        );
    }
    Ok(())
}
