//! `weir stats`: what went through the gateway, and what that saved.

use serde_json::{Value, json};
use weir_gateway::ledger::{Counts, Ledger, SearchCounts, ToolCounts};
use weir_host::contract::StoreStatus;

use super::answer::Answer;
use super::args::Stats;
use super::console::Console;
use super::context::Context;
use super::failure::Failure;
use super::gateway::state;
use super::numbers::{age, group, size};
use super::status::show_saving;

pub(crate) fn run(
    arguments: &Stats,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let ledger = Ledger::new(&state(arguments.state.as_ref(), context)?);
    if arguments.reset {
        let what = format!("cannot begin {} anew", ledger.path().display());
        ledger.reset().map_err(|source| Failure::Io { what, source })?;
        if console.json() {
            console.value(&json!({"done": "reset"}))?;
        } else {
            console.line("counting begins anew")?;
        }
        return Ok(Answer::Yes);
    }
    let counts = ledger.load().map_err(|error| {
        Failure::usage(
            format!("{} cannot be read: {error}", ledger.path().display()),
            "`weir stats --reset` begins anew",
        )
    })?;
    if counts.is_empty() && !console.json() {
        console.line("nothing has gone through `weir serve` or `weir call` yet")?;
        return Ok(Answer::Yes);
    }
    let status = context.weir(console)?.status()?;
    match console.json() {
        true => console.value(&value(&counts, &status))?,
        false => show(&counts, &status, console)?,
    }
    Ok(Answer::Yes)
}

fn show(counts: &Counts, status: &StoreStatus, console: &mut Console) -> Result<(), Failure> {
    let names = counts.servers.iter().flat_map(|(server, tools)| {
        tools.keys().map(|tool| tool.chars().count() + 2).chain([server.chars().count()])
    });
    let width = names.max().unwrap_or(0).max("all servers".len());
    console.head(format_args!(
        "{:width$}  {:>7}  {:>6}  {:>10}  {:>10}  {:>10}  {:>7}  {:>6}  {:>9}",
        "", "CALLS", "ERRORS", "CAME IN", "SHOWN", "READ BACK", "SAVED", "STORED", "READ FROM"
    ))?;
    let mut line = |name: &str, counts: &ToolCounts| {
        console.row(format_args!(
            "{name:width$}  {:>7}  {:>6}  {:>10}  {:>10}  {:>10}  {:>7}  {:>6}  {:>9}",
            group(counts.calls),
            group(counts.errors + counts.failures),
            size(counts.bytes_in),
            size(counts.bytes_shown),
            size(counts.bytes_fetched),
            saved(counts),
            group(counts.blobs),
            group(counts.blobs_read),
        ))
    };
    for (server, tools) in &counts.servers {
        line(server, &counts.server(server))?;
        for (tool, counts) in tools {
            line(&format!("  {tool}"), counts)?;
        }
    }
    let total = counts.total();
    line("all servers", &total)?;
    console.line("")?;
    show_saving(status, console)?;
    console.line("           and stored by any way: through the gateway, a hook, `weir run`")?;
    console.line(format_args!(
        "read back  from {} stored results, {} times: so often the model needed the rest",
        share(total.blobs_read, total.blobs),
        group(total.fetches)
    ))?;
    searches(&counts.searches, console)?;
    console.line(format_args!(
        "counting   began {}; SAVED is of what a client would have passed",
        age(counts.since),
    ))
}

fn searches(searches: &SearchCounts, console: &mut Console) -> Result<(), Failure> {
    if *searches == SearchCounts::default() {
        return console.line("searches   none");
    }
    console.line(format_args!(
        "searches   {} queries, {} without a match; a match was called after {}",
        group(searches.queries),
        group(searches.empty),
        share(searches.called, searches.queries),
    ))?;
    console.line(format_args!(
        "           it was the first match in {}, among the first five in {}",
        share(searches.first, searches.called),
        share(searches.first_five, searches.called),
    ))?;
    console.line(format_args!(
        "           {} calls of tools that no search had found; what was shown of tools took about {} tokens",
        group(searches.unsearched),
        group(searches.tokens_shown),
    ))
}

/// A part of a whole, never without the whole.
fn share(part: u64, whole: u64) -> String {
    let of = format!("{} of {}", group(part), group(whole));
    match whole {
        0 => of,
        _ => format!("{of} ({:.0} %)", part as f64 * 100.0 / whole as f64),
    }
}

fn saved(counts: &ToolCounts) -> String {
    match counts.bytes_in {
        0 => "-".into(),
        bytes => format!("{:.1} %", counts.bytes_saved() as f64 * 100.0 / bytes as f64),
    }
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
    json!({
        "since": counts.since, "servers": servers, "total": row(&counts.total()),
        "searches": counts.searches, "chars_saved": status.chars_saved,
        "estimated_tokens_saved": status.estimated_tokens_saved,
    })
}

fn row(counts: &ToolCounts) -> Value {
    let mut value = json!(counts);
    value["bytes_saved"] = counts.bytes_saved().into();
    value
}
