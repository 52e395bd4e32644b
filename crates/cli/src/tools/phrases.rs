//! `weir tools phrases`: search phrases for the tools of the gateway's servers.

use std::collections::BTreeMap;
use std::path::Path;

use serde::Deserialize;
use serde_json::json;
use weir_gateway::catalog::Tool;
use weir_gateway::phrases::written::{Written, cleaned, fingerprint};

use super::args;
use super::served::Known;
use crate::gateway::Place;
use crate::numbers::group;
use crate::{Answer, Context, Failure};

/// Phrases by server and tool.
type Given = BTreeMap<(String, String), Vec<String>>;

pub(super) fn run(args: &args::Phrases, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let place = Place::of(&args.catalogs.upstreams, context)?;
    let written = Written::new(&place.state);
    let reading = Failure::io(format!("cannot read {}", written.path().display()));
    let mut phrases = written.load().map_err(reading)?;
    let known = Known::of(&args.catalogs, context)?;
    let wanted =
        |tool: &&Tool| args.server.as_deref().is_none_or(|server| tool.upstream.name() == server);
    let tools: Vec<(&Tool, String)> =
        known.catalog.callable().filter(wanted).map(|tool| (tool, fingerprint(tool))).collect();
    let before = tools.iter().filter(|(_, print)| phrases.contains_key(print)).count();
    let save = |phrases: &BTreeMap<String, Vec<String>>| {
        let saved = written.save(phrases.clone());
        saved.map_err(|source| Failure::writing(&written.path(), source))
    };
    if args.erase {
        tools.iter().for_each(|(_, print)| drop(phrases.remove(print)));
        save(&phrases)?;
    } else if let Some(file) = &args.from {
        let given = read(file)?;
        for (tool, print) in &tools {
            let key = (tool.upstream.name().to_owned(), tool.own_name.clone());
            if let Some(of) = given.get(&key) {
                phrases.insert(print.clone(), cleaned(of.iter().cloned()));
            }
        }
        save(&phrases)?;
    }
    let with = tools.iter().filter(|(_, print)| phrases.contains_key(print)).count();
    if console.json() {
        let by_tool = tools.iter().map(|(tool, print)| {
            json!({
                "server": tool.upstream.name(), "tool": tool.own_name, "q": phrases.get(print),
            })
        });
        console.value(&json!({
            "tools": by_tool.collect::<Vec<_>>(), "with_phrases": with, "before": before,
        }))?;
    } else {
        console.line(format_args!(
            "{} of {} tools have written phrases ({} before)",
            group(with),
            group(tools.len()),
            group(before)
        ))?;
    }
    Ok(if with > 0 { Answer::Yes } else { Answer::No })
}

fn read(file: &Path) -> Result<Given, Failure> {
    #[derive(Deserialize)]
    struct Line {
        server: String,
        tool: String,
        q: Vec<String>,
    }
    let text = std::fs::read_to_string(file).map_err(|source| Failure::reading(file, source))?;
    let mut given = Given::new();
    for (number, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        let line: Line = serde_json::from_str(line).map_err(|error| {
            Failure::usage(
                format!("{}, line {}: {error}", file.display(), number + 1),
                "write a line for each tool: {\"server\", \"tool\", \"q\": [phrases]}",
            )
        })?;
        given.entry((line.server, line.tool)).or_default().extend(line.q);
    }
    Ok(given)
}
