//! `weir status`: what is stored, how it was used, what it saved; how the servers were last seen.

use serde_json::json;
use weir_gateway::running::{self, Account};
use weir_host::contract::StoreStatus;

use super::console::Console;
use super::flags::Upstreams;
use super::gateway::Place;
use super::install::{Fronted, with_hook_alone};
use super::not_understood::NotUnderstood;
use super::numbers::{age, counted, group, size};
use super::servers::Seen;
use super::{Answer, Context, Failure};

pub(crate) fn run(upstreams: &Upstreams, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let place = Place::of(upstreams, context)?;
    let none = upstreams.servers.is_none() && matches!(place.servers.try_exists(), Ok(false));
    let seen = (!none).then(|| Seen::of(&place, place.config()?, false, context)).transpose()?;
    let gateways = running::list(&place.state);
    let hook_alone = with_hook_alone(context);
    let weir = context.weir()?;
    let status = weir.status()?;
    if console.json() {
        console.value(&json!({
            "store": weir.store(), "used_bytes": status.used_bytes, "max_bytes": status.max_bytes,
            "census": status.census, "uses": status.uses, "chars_saved": status.chars_saved,
            "estimated_tokens_saved": status.estimated_tokens_saved,
            "servers": seen.as_ref().map(|seen| &seen.rows), "gateways": gateways,
            "not_understood":
                NotUnderstood::all(context).iter().map(NotUnderstood::json).collect::<Vec<_>>(),
            "definitions": seen.as_ref().map(|seen| seen.definitions.json(seen.mode)),
            "hosts": seen.iter().flat_map(|seen| &seen.hosts).map(Fronted::json).collect::<Vec<_>>(),
            "hook_alone": hook_alone.iter().map(|host| host.name).collect::<Vec<_>>(),
        }))?;
        return Ok(Answer::Yes);
    }
    console.line(format_args!("store      {}", context.store()?.display()))?;
    show_store(&status, console)?;
    for one in NotUnderstood::all(context) {
        console.line(format_args!("hook       {}\n           {}", one.sentence(), one.hint()))?;
    }
    if !hook_alone.is_empty() {
        let titles: Vec<&str> = hook_alone.iter().map(|host| host.title).collect();
        console
            .line(format_args!("agents     {}: hook; definitions unchanged", titles.join(", ")))?;
    }
    for gateway in &gateways {
        show(gateway, console)?;
    }
    if gateways.is_empty() {
        console.line("gateways   none runs now")?;
    }
    match seen {
        None => console.line(
            "servers    none: `weir install` puts those of your agents behind the gateway, where the hook is not enough",
        )?,
        Some(seen) => {
            match seen.rows.len() {
                0 => console
                    .line("servers    none yet: `weir import` takes over those of your agents")?,
                count => {
                    console.line(format_args!("servers    {count}, as they were last seen:"))?
                }
            }
            super::servers::show(&seen.rows, false, console)?;
            seen.show_modes(console)?;
        }
    }
    Ok(Answer::Yes)
}

/// What is stored, and how it was used.
fn show_store(status: &StoreStatus, console: &Console) -> Result<(), Failure> {
    match status.census {
        Some(census) => {
            console.line(format_args!(
                "stored     {} of {}; {} remembered as gone (expired, deleted, or they made room)",
                counted(census.handles, "result"),
                counted(census.sessions, "session"),
                group(census.tombstones),
            ))?;
            if let Some(oldest) = census.oldest_used_at {
                console.line(format_args!("oldest     last used {}", age(oldest)))?;
            }
        }
        None => {
            console.line("stored     too many results to count now: `weir sweep` counts them")?
        }
    }
    let percent = status.used_bytes as f64 * 100.0 / status.max_bytes.max(1) as f64;
    console.line(format_args!(
        "used       {} of {} ({percent:.1} %)",
        size(status.used_bytes),
        size(status.max_bytes)
    ))?;
    show_saving(status, console)?;
    for used in &status.uses {
        let refused =
            if used.refused > 0 { format!(", {} refused", used.refused) } else { String::new() };
        let chars_in = if used.chars_in > 0 {
            format!("{} characters in, ", group(used.chars_in))
        } else {
            String::new()
        };
        console.line(format_args!(
            "{:<10} {}{refused}: {chars_in}{} shown",
            used.what,
            counted(used.count, "time"),
            group(used.chars_shown),
        ))?;
    }
    Ok(())
}

/// What was saved: the one figure, here and in `weir stats`.
pub(crate) fn show_saving(status: &StoreStatus, console: &Console) -> Result<(), Failure> {
    console.line(format_args!(
        "saved      about {} tokens ({} characters): of each result what its client would have passed,\n           \
         less what was shown and read back",
        group(status.estimated_tokens_saved),
        group(status.chars_saved),
    ))
}

/// A gateway that runs, and who is connected to it.
fn show(gateway: &Account, console: &Console) -> Result<(), Failure> {
    let up = gateway.servers.iter().filter(|server| server.links > 0).count();
    console.line(format_args!(
        "gateway    process {}, {}, started {}: {up} of {} servers run, {}",
        gateway.pid,
        gateway.endpoint,
        age(gateway.started),
        gateway.servers.len(),
        match gateway.clients.len() {
            0 => "no client".to_owned(),
            1 => "1 client".to_owned(),
            count => format!("{} clients", group(count)),
        },
    ))?;
    if let Some(page) = &gateway.page {
        console.line(format_args!("    page {page}"))?;
    }
    for client in &gateway.clients {
        let token = match client.token.as_str() {
            "" => String::new(),
            token => format!(" (token {token})"),
        };
        let name = if client.name.is_empty() { "a client" } else { &client.name };
        console.line(format_args!(
            "    {name}{token}, revision {}, {} requests, the last {}",
            client.version,
            group(client.requests),
            age(client.last),
        ))?;
    }
    Ok(())
}
