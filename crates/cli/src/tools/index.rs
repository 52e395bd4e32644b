//! `weir tools index`: a catalog, its size and what is odd about its tools.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::Path;

use serde_json::{Value, json};
use weir_base::clip;
use weir_host::Weir;
use weir_host::contract::Diagnostic;

use super::args::Index;
use super::files;
use crate::answer::Answer;
use crate::console::Console;
use crate::failure::Failure;
use crate::numbers::{group, size};

pub(super) fn run(args: &Index, weir: &Weir, console: &mut Console) -> Result<Answer, Failure> {
    let catalog = files::open(&args.files, weir, console)?;
    let digest = catalog.digest()?;
    let diagnostics = catalog.diagnostics()?;
    let all = catalog.assemble(Some(r#"{"mode": "off"}"#), 0)?;
    let (tools, tokens) = (all.visible.len(), all.total_tokens);
    let mut servers: BTreeMap<&str, u32> = BTreeMap::new();
    for tool in &all.visible {
        *servers.entry(&tool.server).or_default() += 1;
    }
    let saved = catalog.save()?;
    if let Some(file) = &args.save {
        save(file, &saved)?;
    }
    if console.json() {
        let server = |(name, tools)| json!({"name": name, "tools": tools});
        let servers: Vec<Value> = servers.iter().map(server).collect();
        let diagnostics: Vec<Value> = diagnostics.iter().map(diagnostic_json).collect();
        console.value(&json!({
            "digest": digest, "tools": tools, "estimated_tokens": tokens, "bytes": saved.len(),
            "servers": servers, "diagnostics": diagnostics, "saved": args.save,
        }))?;
        return Ok(Answer::Yes);
    }
    let tools_of = |(name, tools): (&&str, &u32)| format!("{} {tools}", server(name));
    console.line(format_args!("tools    {}", group(tools)))?;
    console.line(format_args!("servers  {}", join(servers.iter().map(tools_of))))?;
    console.line(format_args!("tokens   about {} as definitions", group(tokens)))?;
    console.line(format_args!("digest   {digest}"))?;
    console.line(format_args!("size     {} as a saved catalog", size(saved.len() as u64)))?;
    if let Some(file) = &args.save {
        console.line(format_args!("saved    {}", file.display()))?;
    }
    if !diagnostics.is_empty() {
        console.line(format_args!("\n{} things to know:", diagnostics.len()))?;
    }
    for diagnostic in &diagnostics {
        let (server, name) = (server(&diagnostic.server), shown(&diagnostic.name));
        console.line(format_args!("{server:<16} {name:<32} {}", issue(diagnostic)))?;
    }
    Ok(Answer::Yes)
}

/// Whole or not at all, as others may be reading the file.
fn save(file: &Path, saved: &str) -> Result<(), Failure> {
    weir_base::replace(file, |new| new.write_all(saved.as_bytes()))
        .map_err(|source| Failure::writing(file, source))
}

fn join(texts: impl Iterator<Item = String>) -> String {
    texts.collect::<Vec<_>>().join(", ")
}

fn diagnostic_json(diagnostic: &Diagnostic) -> Value {
    json!({
        "server": diagnostic.server, "name": diagnostic.name, "id": diagnostic.id,
        "issue": diagnostic.issue, "message": issue(diagnostic),
    })
}

/// A server's name as a terminal may show it.
fn server(name: &str) -> String {
    shown(if name.is_empty() { "-" } else { name })
}

/// A foreign name as a terminal may show it: nothing hidden, and not without end.
fn shown(name: &str) -> String {
    clip(&name.escape_debug().to_string(), 64)
}

/// What was found, in a sentence.
fn issue(diagnostic: &Diagnostic) -> String {
    let id = diagnostic.id.as_deref().unwrap_or_default();
    let detail = &diagnostic.detail;
    match diagnostic.issue.as_str() {
        "nameless" => "has no name and is left out".into(),
        "repeated" => "is there once already and is left out".into(),
        "renamed" => format!("shares its name and goes by {id}"),
        "reserved" => format!("has a bridge tool's name and goes by {id}"),
        "unusual-name" => format!("has an unusual name and goes by {id}"),
        "unreadable-schema" => format!("has a schema by which nothing is checked: {detail}"),
        "suspicious" | "unlikely-claim" => detail.clone(),
        other => format!("{other}: {detail}"),
    }
}
