//! `weir tools search`: find tools.

use weir_host::contract::{Conversation, Detail, SearchAnswer, SearchGroup, SearchRequest};
use weir_host::{Catalog, Weir};

use super::args::{self, Search};
use super::files;
use super::json;
use crate::answer::Answer;
use crate::console::Console;
use crate::failure::Failure;

pub(super) fn run(args: &Search, weir: &Weir, console: &mut Console) -> Result<Answer, Failure> {
    let catalog = files::open(&args.files, weir, console)?;
    prepare(&catalog, console)?;
    let conversation = Conversation::default();
    let queries: Vec<String> = std::iter::once(&args.query).chain(&args.also).cloned().collect();
    if args.as_model {
        let [search, ..] = &catalog.bridge_tools()?[..] else { return Ok(Answer::No) };
        let mut arguments = serde_json::json!({"queries": queries});
        if let Some(limit) = args.limit {
            arguments["limit"] = limit.into();
        }
        let answer = catalog.invoke(&search.name, &arguments.to_string(), &conversation)?;
        console.line(answer.text.as_deref().unwrap_or_default())?;
        return Ok(if answer.is_error { Answer::No } else { Answer::Yes });
    }
    let request = SearchRequest {
        queries,
        limit: args.limit,
        detail: detail(args.detail),
        max_chars: Some(args.max_chars),
    };
    let answer = catalog.search(&request, &conversation)?;
    let found = answer.groups.iter().any(|group| !group.matches.is_empty());
    if console.json() {
        console.value(&json::search_answer(&answer))?;
    } else {
        show(&answer, console)?;
    }
    Ok(if found { Answer::Yes } else { Answer::No })
}

/// Has an embedding endpoint, when there is one, embed all tools: this process ends with the search.
pub(super) fn prepare(catalog: &Catalog, console: &mut Console) -> Result<(), Failure> {
    if let Err(why) = catalog.prepare_embedder()? {
        console.note(format_args!("warning: the tools are not all embedded: {why}"));
    }
    Ok(())
}

pub(super) fn detail(detail: args::Detail) -> Detail {
    match detail {
        args::Detail::Brief => Detail::Brief,
        args::Detail::Signature => Detail::Signature,
        args::Detail::Full => Detail::Full,
    }
}

pub(super) fn show(answer: &SearchAnswer, console: &mut Console) -> Result<(), Failure> {
    show_hits(answer, console)?;
    if !answer.servers.is_empty() {
        let servers = answer.servers.iter().map(|s| format!("{} {}", s.name, s.tools));
        let servers = servers.collect::<Vec<_>>().join(", ");
        console.line(format_args!("there are {} tools: {servers}", answer.total))?;
    }
    Ok(())
}

/// The answer without the servers that were searched.
pub(super) fn show_hits(answer: &SearchAnswer, console: &mut Console) -> Result<(), Failure> {
    for (at, group) in answer.groups.iter().enumerate() {
        if at > 0 {
            console.line("")?;
        }
        if answer.groups.len() > 1 {
            console.line(format_args!("{}:", group.query))?;
        }
        show_group(group, console)?;
    }
    if let Some(note) = &answer.note {
        console.note(note);
    }
    if answer.unanswered > 0 {
        console.note(format_args!(
            "{} queries had no room in the answer: raise --max-chars",
            answer.unanswered
        ));
    }
    Ok(())
}

fn show_group(group: &SearchGroup, console: &mut Console) -> Result<(), Failure> {
    for correction in &group.corrections {
        console.line(format_args!("read {:?} as {:?}", correction.written, correction.read))?;
    }
    if group.matches.is_empty() {
        console.line("no sure match")?;
    }
    for (place, hit) in (1..).zip(&group.matches) {
        let server = if hit.server.is_empty() { "" } else { &format!("  {}", hit.server) };
        let state = match hit.state.as_str() {
            "connected" => String::new(),
            state => format!("  {}", json::state(state, hit.reason.as_deref())),
        };
        let (name, risk, score) = (&hit.name, &hit.risk, hit.score);
        console.line(format_args!("{place:>2}. {name}{server}  {risk}{state}  {score:.2}"))?;
        for line in [&hit.summary, &hit.signature] {
            if !line.is_empty() {
                console.line(format_args!("    {line}"))?;
            }
        }
        if let Some(schema) = &hit.exact_schema {
            console.line(format_args!("    {schema}"))?;
        }
    }
    if group.left_out > 0 {
        console.line(format_args!("    … and {} more: raise --limit", group.left_out))?;
    }
    if !group.weak.is_empty() {
        console.line(format_args!("perhaps: {}", group.weak.join(", ")))?;
    }
    // Where nothing was found the hint says it.
    let hint_says_so = group.matches.is_empty() && group.hint.is_some();
    if !group.unmatched.is_empty() && !hint_says_so {
        console.line(format_args!("no tool has: {}", group.unmatched.join(", ")))?;
    }
    if let Some(hint) = &group.hint {
        console.line(format_args!("hint: {hint}"))?;
    }
    Ok(())
}
