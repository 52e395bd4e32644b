//! `weir stats`: what went through the gateway, and what that saved or cost.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use weir_gateway::ledger::{Balance, Counts, Ledger, SearchCounts, ToolCounts};
use weir_gateway::page;
use weir_host::contract::StoreStatus;

use super::args::Stats;
use super::console::Console;
use super::gateway::state;
use super::numbers::{age, counted, group, size};
use super::status::show_saving;
use super::{Answer, Context, Failure};

pub(crate) fn run(arguments: &Stats, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let ledger = Ledger::new(&state(arguments.state.as_ref(), context)?);
    if arguments.reset {
        let what = format!("cannot begin {} anew", ledger.path().display());
        ledger.reset().map_err(|source| Failure::Io { what, source })?;
        console.told(&json!({"done": "reset"}), "counting begins anew")?;
        return Ok(Answer::Yes);
    }
    let counts = ledger.load().map_err(|error| {
        Failure::usage(
            format!("{} cannot be read: {error}", ledger.path().display()),
            "`weir stats --reset` begins anew",
        )
    })?;
    if let Some(file) = &arguments.html {
        let page = page::of_counts(&counts, &words(&counts));
        let failed = Failure::io(format!("cannot write {}", file.display()));
        std::fs::write(file, page).map_err(failed)?;
        console.told(&json!({"done": "html"}), format_args!("{} is written", file.display()))?;
        return Ok(Answer::Yes);
    }
    if counts.is_empty() && !console.json() {
        console.line("nothing has gone through `weir serve` or `weir call` yet; `weir status` counts what hooks replaced")?;
        return Ok(Answer::Yes);
    }
    let status = context.weir()?.status()?;
    match console.json() {
        true => console.value(&value(&counts, &status))?,
        false => show(&counts, &status, console)?,
    }
    Ok(Answer::Yes)
}

/// Days that are printed.
const DAYS: usize = 7;

fn show(counts: &Counts, status: &StoreStatus, console: &Console) -> Result<(), Failure> {
    show_table(counts, console)?;
    console.line("")?;
    console.line(format_args!("balance    {}", words(counts)))?;
    for (server, tools) in &counts.servers {
        for (tool, row) in tools {
            if let Some(bytes) = row.passes_whole() {
                console.line(format_args!(
                    "whole      {server}/{tool} up to {}: {} were read back whole; \"adaptive\": false ends that",
                    size(bytes),
                    counted(row.read_whole, "result"),
                ))?;
            }
        }
    }
    show_saving(status, console)?;
    console.line("           and stored by any way: through the gateway, a hook, `weir run`")?;
    let total = counts.total();
    match (total.blobs, total.fetches) {
        (0, 0) => console.line("read back  nothing")?,
        (0, fetches) => console.line(format_args!(
            "read back  {}, from results that were stored before counting began",
            counted(fetches, "time")
        ))?,
        (blobs, fetches) => console.line(format_args!(
            "read back  from {} stored results, {}",
            share(total.blobs_read, blobs),
            counted(fetches, "time")
        ))?,
    }
    searches(&counts.searches, console)?;
    console.line(format_args!("counting   began {}", age(counts.since)))
}

/// The tokens of each server, tool, client, kind and day.
fn show_table(counts: &Counts, console: &Console) -> Result<(), Failure> {
    let others =
        [&counts.clients, &counts.kinds, &counts.days].into_iter().flat_map(|all| all.keys());
    let tools = counts.servers.values().flat_map(|tools| tools.keys()).chain(others);
    let names = tools.map(|name| name.chars().count() + 2);
    let servers = counts.servers.keys().map(|server| server.chars().count());
    let width = names.chain(servers).max().unwrap_or(0).max("all servers".len());
    console.head(format_args!(
        "{:width$}  {:>7}  {:>6}  {:>8}  {:>10}  {:>9}  {:>10}  {:>11}  {:>10}",
        "TOKENS",
        "CALLS",
        "ERRORS",
        "REPLACED",
        "KEPT OUT",
        "REPEATS",
        "READ BACK",
        "DEFINITIONS",
        "NET"
    ))?;
    let line = |name: &str, of: Option<&ToolCounts>, tokens: &Balance| {
        let count =
            |number: fn(&ToolCounts) -> u64| of.map_or_else(String::new, |of| group(number(of)));
        console.row(format_args!(
            "{name:width$}  {:>7}  {:>6}  {:>8}  {:>10}  {:>9}  {:>10}  {:>11}  {:>10}",
            count(|of| of.calls),
            count(|of| of.errors + of.failures),
            count(|of| of.replaced),
            group(tokens.kept_out),
            group(-tokens.repeats),
            group(-tokens.read_back),
            group(tokens.definitions - tokens.searched),
            group(tokens.net()),
        ))
    };
    for (server, tools) in &counts.servers {
        let all = counts.server(server);
        line(server, Some(&all), &all.tokens)?;
        for (tool, counts) in tools {
            line(&format!("  {tool}"), Some(counts), &counts.tokens)?;
        }
    }
    line("all", Some(&counts.total()), &counts.balance)?;
    let days: BTreeMap<_, _> =
        counts.days.iter().rev().take(DAYS).map(|(day, of)| (day.clone(), *of)).collect();
    for (title, all) in
        [("by client", &counts.clients), ("by kind", &counts.kinds), ("by day", &days)]
    {
        if !all.is_empty() {
            line(
                title,
                None,
                &all.values().fold(Balance::default(), |mut sum, of| {
                    sum.add(of);
                    sum
                }),
            )?;
        }
        for (name, of) in all {
            line(&format!("  {name}"), None, of)?;
        }
    }
    Ok(())
}

/// What it comes to, and what to do about a loss.
fn words(counts: &Counts) -> String {
    let said = counts.balance.in_words();
    let said = match counts.listed_servers {
        0 => said,
        servers => {
            let which = if servers == 1 { "this" } else { "these" };
            format!("with {which} {} {said}", counted(servers, "server"))
        }
    };
    match counts.balance.net() {
        0.. => said,
        _ => format!(
            "{said}: `weir try --start` shows what each way would cost; `weir install --undo` takes Weir out, and `--keep-servers` after it puts in the hook alone, which adds no definition"
        ),
    }
}

fn searches(searches: &SearchCounts, console: &Console) -> Result<(), Failure> {
    if *searches == SearchCounts::default() {
        return console.line("searches   none");
    }
    if searches.queries == 0 {
        console.line("searches   none")?;
    } else {
        console.line(format_args!(
            "searches   {} queries, {} without a match; a match was called after {}",
            group(searches.queries),
            group(searches.empty),
            share(searches.called, searches.queries),
        ))?;
    }
    if searches.called > 0 {
        console.line(format_args!(
            "           it was the first match in {}, among the first five in {}",
            share(searches.first, searches.called),
            share(searches.first_five, searches.called),
        ))?;
    }
    console.line(format_args!(
        "           {} calls of tools that no search had found; what was shown of tools took about {} tokens",
        group(searches.unsearched),
        group(searches.tokens_shown),
    ))
}

/// A part of a whole, never without the whole.
fn share(part: u64, whole: u64) -> String {
    let percent = part as f64 * 100.0 / whole.max(1) as f64;
    format!("{} of {} ({percent:.0} %)", group(part), group(whole))
}

fn value(counts: &Counts, status: &StoreStatus) -> Value {
    let servers: serde_json::Map<String, Value> = counts
        .servers
        .iter()
        .map(|(server, tools)| {
            let tools: serde_json::Map<String, Value> =
                tools.iter().map(|(tool, counts)| (tool.clone(), row(counts))).collect();
            let mut value = row(&counts.server(server));
            value["tools"] = Value::Object(tools);
            (server.clone(), value)
        })
        .collect();
    let named = |all: &BTreeMap<String, Balance>| -> Value {
        all.iter()
            .map(|(name, of)| (name.clone(), with_net(of)))
            .collect::<serde_json::Map<_, _>>()
            .into()
    };
    json!({
        "balance": with_net(&counts.balance), "sentence": words(counts),
        "clients": named(&counts.clients), "kinds": named(&counts.kinds), "days": named(&counts.days),
        "since": counts.since, "servers": servers, "total": row(&counts.total()),
        "searches": counts.searches, "chars_saved": status.chars_saved,
        "estimated_tokens_saved": status.estimated_tokens_saved,
    })
}

fn row(counts: &ToolCounts) -> Value {
    let mut value = json!(counts);
    value["tokens"] = with_net(&counts.tokens);
    value["passes_whole_bytes"] = counts.passes_whole().into();
    value
}

fn with_net(balance: &Balance) -> Value {
    let mut value = json!(balance);
    value["net"] = balance.net().into();
    value
}
