//! Screens texts as a catalog's are screened.
//!
//! ```text
//! cargo run --release --example screen -- [--all] FILE …
//! ```
//!
//! A `FILE` is a JSON array of texts, an answer to `tools/list`, or one tool a line. Prints what is flagged, with
//! `--all` also what is not, and the counts.

#![allow(clippy::print_stdout, reason = "the findings are what it writes")]

use std::error::Error;
use std::fs;

use serde_json::Value;
use weir_component::search::text::screen::{suspicions, suspicions_in_json};

/// The texts of a value: a tool's are looked at one by one, as a catalog does.
fn texts(value: &Value) -> Vec<String> {
    let part = |name: &str| match value.get(name) {
        Some(Value::String(text)) => text.clone(),
        Some(Value::Null) | None => String::new(),
        Some(other) => other.to_string(),
    };
    match value {
        Value::String(text) => vec![text.clone()],
        _ => ["name", "title", "description", "inputSchema", "parameters"].map(part).to_vec(),
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let all = arguments.iter().any(|argument| argument == "--all");
    arguments.retain(|argument| argument != "--all");
    let (mut count, mut flagged) = (0, 0);
    for file in &arguments {
        let text = fs::read_to_string(file).map_err(|e| format!("{file}: {e}"))?;
        let entries = match serde_json::from_str(&text) {
            Ok(Value::Array(entries)) => entries,
            Ok(mut answer) => match answer.pointer_mut("/tools").or(None) {
                Some(Value::Array(tools)) => std::mem::take(tools),
                _ => vec![answer],
            },
            Err(_) => text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?,
        };
        for entry in entries {
            let texts = texts(&entry);
            let screened = |text: &String| match text.starts_with('{') {
                true => suspicions_in_json(text),
                false => suspicions(text),
            };
            let found: Vec<_> = texts.iter().flat_map(screened).collect();
            count += 1;
            flagged += usize::from(!found.is_empty());
            if all || !found.is_empty() {
                let shown: String = texts.join(" | ").chars().take(300).collect();
                println!("{found:?} {shown:?}");
            }
        }
    }
    println!("{flagged} of {count} flagged");
    Ok(())
}
