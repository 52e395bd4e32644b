//! What would recorded sessions have cost? Each tool result is put through the strategies.
//!
//! A result is sent again with every later turn of its file. A recording does not say which part of a
//! result the model needed, so two bounds are given: nothing is read back, and every changed result is read back whole.

use std::path::PathBuf;

use serde_json::{Value, json};

use crate::meter::{CACHED, tokens};
use crate::run::{Options, entries};
use crate::strategy::Strategy;

/// The texts of tool results, each with the turns after it, in any of the known formats: Claude Code (`tool_result`),
/// Codex (`function_call_output`), OpenAI chat (`role: tool`) and `role: toolResult`.
fn results(recording: &str) -> Vec<(String, usize)> {
    let whole: Option<Value> = serde_json::from_str(recording).ok();
    let lines = || recording.lines().filter_map(|line| serde_json::from_str(line).ok());
    let entries: Vec<Value> = whole.map_or_else(|| lines().collect(), |one| vec![one]);
    let (mut found, mut turns) = (Vec::new(), 0);
    for entry in &entries {
        walk(entry, &mut turns, &mut found);
    }
    found.into_iter().map(|(text, before)| (text, turns - before)).collect()
}

fn walk(value: &Value, turns: &mut usize, found: &mut Vec<(String, usize)>) {
    let (kind, role) = (value["type"].as_str(), value["role"].as_str());
    let body = match (kind, role) {
        (Some("tool_result"), _) | (_, Some("tool" | "toolResult")) => &value["content"],
        (Some("function_call_output"), _) => &value["output"],
        _ => &Value::Null,
    };
    let text = match body {
        Value::String(text) => text.clone(),
        Value::Array(parts) => {
            parts.iter().filter_map(|part| part["text"].as_str()).collect::<Vec<_>>().join("\n")
        }
        _ => String::new(),
    };
    if !body.is_null() {
        found.push((text, *turns));
        return;
    }
    if role == Some("assistant") || kind == Some("function_call") {
        *turns += 1;
    }
    match value {
        Value::Array(items) => items.iter().for_each(|item| walk(item, turns, found)),
        Value::Object(members) => members.values().for_each(|item| walk(item, turns, found)),
        _ => {}
    }
}

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
    let large = all.iter().flatten().filter(|(text, _)| text.chars().count() > 8_000).count();
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
            let turns = file.first().map_or(0, |(_, after)| *after) as f64;
            let fixed = strategy.definitions as f64 * (1.0 + CACHED[1] * turns);
            (none, every) = (none + fixed, every + fixed);
            for (text, after) in file {
                strategy.forget();
                let shown = strategy.ask(&json!({"op": "result", "id": "r", "text": text}))?;
                let times = 1.0 + CACHED[1] * *after as f64;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_of_all_formats_are_read_with_the_turns_after_them() {
        let claude = r#"{"message":{"role":"assistant","content":[{"type":"tool_use","id":"t"}]}}
{"message":{"role":"user","content":[{"type":"tool_result","content":[{"type":"text","text":"one"}]}]}}
{"message":{"role":"assistant","content":"done"}}"#;
        assert_eq!(results(claude), [("one".to_owned(), 1)]);
        let codex = r#"{"type":"response_item","payload":{"type":"function_call","name":"shell"}}
{"type":"response_item","payload":{"type":"function_call_output","output":"two"}}"#;
        assert_eq!(results(codex), [("two".to_owned(), 0)]);
        let chat = r#"{"messages":[{"role":"assistant","tool_calls":[]},{"role":"tool","content":"three"},{"role":"assistant","content":"a"},{"role":"assistant","content":"b"}]}"#;
        assert_eq!(results(chat), [("three".to_owned(), 2)]);
    }
}
