//! `weir share` and `weir store`: what gateways share.

use std::time::{Duration, SystemTime};

use serde_json::json;
use weir_gateway::gate::tier::session_of_name;
use weir_tier::{Tier, TierError};

use super::args::{Share, Store};
use super::gateway::block_on;
use super::numbers::{age, counted, size};
use super::{Answer, Context, Failure};

/// Days after which a bucket removes by itself what only the sweep would.
const BACKSTOP_DAYS: [(&str, u32); 6] = [
    ("away/", 7),
    ("leases/", 7),
    ("probes/", 1),
    ("claims/", 1),
    ("state/counts/", 30),
    ("gone/", 400),
];

/// Works on the tier, where there is one.
pub(crate) fn with<R>(
    context: &Context<'_>,
    work: impl AsyncFnOnce(&Tier) -> Result<R, TierError>,
) -> Result<Option<R>, Failure> {
    let Some(tier) = context.tier()? else { return Ok(None) };
    let done = block_on(work(&tier))?;
    let done = done.map_err(|error| {
        Failure::usage(format!("where gateways share results: {error}"), "`weir doctor` says more")
    })?;
    Ok(Some(done))
}

fn needed<R>(done: Option<R>) -> Result<R, Failure> {
    done.ok_or_else(|| {
        Failure::usage(
            "no tier is configured",
            "docs/team.md: `tier = \"s3://bucket/prefix\"` in config.toml",
        )
    })
}

/// What is wrong with the tier, in one sentence; `None` where there is none.
pub(crate) fn check(context: &Context<'_>) -> Option<Result<(), String>> {
    let checked = context.tier().map_err(|failure| failure.to_string()).transpose()?;
    let checked = checked.and_then(|tier| {
        let done = block_on(tier.check()).map_err(|failure| failure.to_string())?;
        done.map_err(|error| error.to_string())
    });
    Some(checked)
}

pub(crate) fn share(arguments: &Share, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let reader = session_of_name(&arguments.with);
    let owner =
        arguments.of.as_deref().map_or_else(|| context.session().to_owned(), session_of_name);
    let id = arguments.id.trim().to_ascii_lowercase();
    let id = id.rsplit('/').next().unwrap_or_default();
    let done = with(context, async |tier| match arguments.revoke {
        true => tier.revoke(id, &reader).await.map(|()| true),
        false => tier.share(&owner, id, &reader).await,
    });
    if !needed(done?)? {
        return Err(Failure::usage(
            format!("{owner} has no result {id} in the tier"),
            "--of NAME says whose it is: the name of a token; give all digits of the id",
        ));
    }
    let what = if arguments.revoke { "not shared any more" } else { "shared" };
    console.told(
        &json!({"id": id, "done": what}),
        format_args!("{id} {what} with {}", arguments.with),
    )?;
    Ok(Answer::Yes)
}

pub(crate) fn run(command: &Store, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    match command {
        Store::Audit => audit(context),
        Store::Sweep { ttl, grace } => {
            let (ttl, grace) = (Duration::from_secs(*ttl), Duration::from_secs(*grace));
            let swept = needed(with(context, async |tier| tier.sweep(ttl, grace).await)?)?;
            console.told(
                &json!({"expired": swept.expired, "put_away": swept.put_away, "removed": swept.removed}),
                format_args!(
                    "{} expired, {} put away, {} removed",
                    counted(swept.expired, "reference"),
                    counted(swept.put_away, "blob"),
                    counted(swept.removed, "blob"),
                ),
            )?;
            Ok(Answer::Yes)
        }
        Store::Init { prefix } => {
            needed(with(context, async |tier| tier.check().await)?)?;
            let rule = |(folder, days): &(&str, u32)| {
                json!({
                    "ID": format!("weir-{}", folder.trim_end_matches('/')), "Status": "Enabled",
                    "Filter": {"Prefix": format!("{prefix}{folder}")}, "Expiration": {"Days": days},
                })
            };
            let mut rules: Vec<serde_json::Value> = BACKSTOP_DAYS.iter().map(rule).collect();
            rules.push(json!({
                "ID": "weir-parts", "Status": "Enabled", "Filter": {"Prefix": prefix},
                "AbortIncompleteMultipartUpload": {"DaysAfterInitiation": 1},
            }));
            console.note(
                "note: the place is good. For a bucket, save what follows and run: \
                 aws s3api put-bucket-lifecycle-configuration --bucket BUCKET --lifecycle-configuration file://FILE",
            );
            console.value(&json!({"Rules": rules}))?;
            Ok(Answer::Yes)
        }
    }
}

fn audit(context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let audit = needed(with(context, async |tier| tier.audit().await)?)?;
    let seconds = |time: SystemTime| {
        time.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |since| since.as_secs())
    };
    let sound = if audit.dangling.is_empty() { Answer::Yes } else { Answer::No };
    if console.json() {
        console.value(&json!({
            "blobs": audit.blobs.iter().map(|(name, held)| json!({
                "name": name, "bytes": held.bytes, "stored": seconds(held.stored),
                "held_by": held.by.iter().map(|(session, used)| json!({
                    "session": session, "used": seconds(*used),
                })).collect::<Vec<_>>(),
                "granted_to": held.granted,
            })).collect::<Vec<_>>(),
            "gone": audit.gone.iter().map(|(time, session, id)| json!({
                "time": seconds(*time), "session": session, "id": id,
            })).collect::<Vec<_>>(),
            "dangling": audit.dangling,
            "away": {"blobs": audit.away.0, "bytes": audit.away.1},
        }))?;
        return Ok(sound);
    }
    console.head(format_args!("{:<14} {:>11} {:<14} HELD BY", "ID", "SIZE", "STORED"))?;
    for (name, held) in &audit.blobs {
        let by: Vec<String> = held
            .by
            .iter()
            .map(|(session, used)| format!("{session} (used {})", age(seconds(*used))))
            .collect();
        let by = if by.is_empty() { "nobody".to_owned() } else { by.join(", ") };
        let granted = match held.granted.as_slice() {
            [] => String::new(),
            granted => format!("; shared with {}", granted.join(", ")),
        };
        let view = if name.contains('.') { " (text of it)" } else { "" };
        console.row(format_args!(
            "{:<14} {:>11} {:<14} {by}{granted}{view}",
            name.get(..12).unwrap_or(name),
            size(held.bytes),
            age(seconds(held.stored)),
        ))?;
    }
    for (time, session, id) in &audit.gone {
        console.row(format_args!("{id:<14} forgotten by {session} {}", age(seconds(*time))))?;
    }
    for name in &audit.dangling {
        console.line(format_args!("{name} refers to a blob that is not there"))?;
    }
    let bytes = audit.blobs.values().map(|held| held.bytes).sum();
    console.line(format_args!(
        "{} ({}), {} forgotten, {} on their way out ({})",
        counted(audit.blobs.len() as u64, "blob"),
        size(bytes),
        audit.gone.len(),
        audit.away.0,
        size(audit.away.1),
    ))?;
    Ok(sound)
}
