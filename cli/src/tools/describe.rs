//! `weir tools describe`: what is known of tools.

use serde_json::json;
use weir_host::Weir;
use weir_host::contract::{Conversation, DescribeRequest, DescribedTool};

use super::args::Describe;
use super::files;
use super::json as out;
use crate::answer::Answer;
use crate::console::Console;
use crate::failure::Failure;

pub(super) fn run(args: &Describe, weir: &Weir, console: &mut Console) -> Result<Answer, Failure> {
    let catalog = files::open(&args.files, weir, console)?;
    let request = DescribeRequest {
        names: args.names.split(',').map(str::to_owned).collect(),
        detail: super::search::detail(args.detail),
        path: args.path.clone(),
        again: true,
        max_chars: Some(args.max_chars),
    };
    let answer = catalog.describe(&request, &Conversation::default())?;
    let verdict = if answer.missing.is_empty() { Answer::Yes } else { Answer::No };
    if console.json() {
        console.value(&json!({
            "tools": answer.tools.iter().map(out::described).collect::<Vec<_>>(),
            "missing": answer.missing, "left_out": answer.left_out,
        }))?;
        return Ok(verdict);
    }
    for (at, tool) in answer.tools.iter().enumerate() {
        if at > 0 {
            console.line("")?;
        }
        show(tool, console)?;
    }
    for missing in &answer.missing {
        let what = match (missing.ambiguous, missing.near.is_empty()) {
            (true, _) => "could be any of",
            (false, false) => "there is no such tool; near it:",
            (false, true) => "there is no such tool",
        };
        console.line(format_args!("{}: {what} {}", missing.name, missing.near.join(", ")))?;
    }
    if !answer.left_out.is_empty() {
        let names = answer.left_out.join(",");
        console.note(format_args!("no room for {names}: ask for them in another call"));
    }
    Ok(verdict)
}

fn show(tool: &DescribedTool, console: &mut Console) -> Result<(), Failure> {
    let server = if tool.server.is_empty() { "" } else { &format!("  {}", tool.server) };
    console.line(format_args!("{}{server}  {}", tool.name, tool.risk))?;
    if !tool.description.is_empty() {
        console.line(&tool.description)?;
    }
    match (tool.arguments_form.as_str(), &tool.long) {
        ("exact" | "signature", _) => console.line(&tool.arguments),
        ("too-long", Some(long)) => {
            console.line(&long.signature)?;
            console.line(format_args!("The schema has {} characters. Parts:", long.chars))?;
            for path in &long.paths {
                console.line(format_args!("  --path {} ({} characters)", path.path, path.chars))?;
            }
            Ok(())
        }
        ("no-such-path", _) => {
            console.line(format_args!("no such place; there are: {}", tool.names.join(", ")))
        }
        _ => Ok(()),
    }
}
