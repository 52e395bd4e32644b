//! `weir list`, `pin`, `unpin`, `forget`: the stored results of a session.

use serde_json::json;

use super::args::{List, Target};
use super::console::Console;
use super::ids;
use super::numbers::{age, group, size};
use super::page::{page, shell_call};
use super::store;
use super::{Answer, Context, Failure};

pub(crate) fn run(list: &List, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let weir = context.weir()?;
    if list.page && !console.json() {
        let here = std::env::current_dir().unwrap_or_default();
        let command = context.shell_reader(context.session(), false);
        if let Some(page) = page(&weir, context.session(), &shell_call(&command), &here)? {
            console.line(page)?;
            return Ok(Answer::Yes);
        }
    }
    let mut entries = Vec::new();
    let mut more: Option<String> = None;
    let mut total;
    loop {
        let page = weir.list_blobs(context.session(), list.limit.clamp(1, 200), more.as_deref())?;
        total = page.total;
        entries.extend(page.entries);
        more = page.more;
        if more.is_none() || entries.len() >= list.limit as usize {
            break;
        }
    }
    entries.truncate(list.limit as usize);
    if console.json() {
        console
            .value(&json!({"session": context.session(), "total": total, "entries": entries}))?;
        return Ok(Answer::Yes);
    }
    if total == 0 {
        console.line(format_args!("session `{}` has no stored results", context.session()))?;
        return Ok(Answer::Yes);
    }
    console.head(format_args!(
        "{:<14} {:>11} {:>9} {:<9} {:<12} TOOL",
        "ID", "SIZE", "LINES", "KIND", "STORED"
    ))?;
    for entry in &entries {
        let handle = &entry.handle;
        console.row(format_args!(
            "{:<14} {:>11} {:>9} {:<9} {:<12} {}{}{}",
            handle.id,
            size(handle.bytes),
            group(handle.lines),
            handle.kind,
            entry.stored_at.map_or_else(|| "unknown".into(), age),
            handle.tool,
            handle.source.as_ref().map_or_else(String::new, |source| format!(" {source}")),
            if entry.pinned { " (pinned)" } else { "" },
        ))?;
    }
    if (entries.len() as u64) < total {
        console
            .line(format_args!("… and {} more: --limit {total}", total - entries.len() as u64))?;
    }
    Ok(Answer::Yes)
}

pub(crate) fn pin(target: &Target, pinned: bool, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let weir = context.weir()?;
    let id = ids::resolve(&weir, context.session(), &target.id)?;
    weir.pin(context.session(), &id, pinned)?;
    store::with(context, async |tier| tier.pin(context.session(), &id, pinned).await)?;
    done(console, &id, if pinned { "pinned" } else { "unpinned" })
}

pub(crate) fn forget(target: &Target, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let weir = context.weir()?;
    let id = ids::resolve(&weir, context.session(), &target.id)?;
    // There first: what is not here can still be forgotten there.
    let there = store::with(context, async |tier| tier.forget(context.session(), &id).await)?;
    if there == Some(true) && weir.stat(context.session(), &id).is_err() {
        return done(console, &id, "deleted");
    }
    let forgotten = weir.forget(context.session(), &id)?;
    done(console, &id, "deleted")?;
    if !console.json() && forgotten.held_elsewhere {
        console.note("note: another session holds the same bytes, and they stay for it");
    } else if !console.json() && forgotten.erased_bytes > 0 {
        console.note(format_args!("{} erased", size(forgotten.erased_bytes)));
    }
    Ok(Answer::Yes)
}

fn done(console: &Console, id: &str, what: &str) -> Result<Answer, Failure> {
    console.told(&json!({"id": id, "done": what}), format_args!("{id} {what}"))?;
    Ok(Answer::Yes)
}
