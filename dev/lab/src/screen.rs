//! Screens texts as a catalog's are screened: prints what is flagged, and the counts.

use std::path::PathBuf;

use serde_json::Value;
use weir_component::search::text::screen::{as_read, suspicions};

use crate::{Fallible, read};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// JSON arrays of texts, answers to `tools/list`, or a tool a line
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// Print also what is not flagged
    #[arg(long)]
    all: bool,
}

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

pub(crate) fn run(args: &Args) -> Fallible<()> {
    let (mut count, mut flagged) = (0, 0);
    for file in &args.files {
        let text = read::text(file)?;
        let entries = match serde_json::from_str(&text) {
            Ok(Value::Array(entries)) => entries,
            Ok(mut answer) => match answer.pointer_mut("/tools") {
                Some(Value::Array(tools)) => std::mem::take(tools),
                _ => vec![answer],
            },
            Err(_) => text.lines().map(serde_json::from_str).collect::<Result<_, _>>()?,
        };
        for entry in entries {
            let texts = texts(&entry);
            let screened = |text: &String| match text.starts_with('{') {
                true => suspicions(&as_read(text)),
                false => suspicions(text),
            };
            let found: Vec<_> = texts.iter().flat_map(screened).collect();
            count += 1;
            flagged += usize::from(!found.is_empty());
            if args.all || !found.is_empty() {
                let shown: String = texts.join(" | ").chars().take(300).collect();
                println!("{found:?} {shown:?}");
            }
        }
    }
    println!("{flagged} of {count} flagged");
    Ok(())
}
