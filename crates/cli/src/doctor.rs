//! `weir doctor`: is everything that is stored what it was, can more be stored, and do the hosts' files do what they should?

use std::io::Write as _;

use serde_json::json;
use weir_host::contract::CheckProgress;

use super::console::{Console, progress};
use super::hook;
use super::install;
use super::not_understood::NotUnderstood;
use super::numbers::{age, counted, size};
use super::versions::Newer;
use super::{Answer, Context, Failure};

pub(crate) fn run(repair: bool, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let machine = install::Machine::of(None, context);
    let troubles = machine.map(|machine| install::check(&machine)).unwrap_or_default();
    let silent = NotUnderstood::all(context);
    let newer = Newer::all();
    let weir = context.weir()?;
    let bar = progress("checking");
    let result = weir.doctor(repair, |state| {
        bar.set_prefix(format!("{} blobs, {}", state.blobs, size(state.bytes)));
        bar.tick();
    });
    bar.finish_and_clear();
    let report = result?;
    let wrong = report.corrupt + report.damaged_records + report.dead_references + report.failed;
    let written =
        tempfile::tempfile_in(context.store()?).and_then(|mut file| file.write_all(&[0; 4_096]));
    let not_writable = written.err().map(|error| error.kind().to_string());
    let unshared = super::store::check(context).and_then(Result::err);
    let sound = wrong == 0 && troubles.is_empty() && not_writable.is_none() && unshared.is_none();
    let answer = if sound { Answer::Yes } else { Answer::No };
    if console.json() {
        console.value(&json!({
            "blobs": report.blobs, "bytes": report.bytes, "references": report.references,
            "corrupt": report.corrupt, "corrupt_digests": report.corrupt_digests,
            "damaged_records": report.damaged_records, "dead_references": report.dead_references,
            "foreign": report.foreign, "repaired": report.repaired, "failed": report.failed,
            "not_writable": not_writable, "tier": unshared,
            "hosts": troubles.iter().map(|t| json!({
                "host": t.host, "file": t.file, "problem": t.what, "hint": t.hint,
            })).collect::<Vec<_>>(),
            "newer_hosts": newer.iter().map(Newer::json).collect::<Vec<_>>(),
            "not_understood": silent.iter().map(NotUnderstood::json).collect::<Vec<_>>(),
        }))?;
        return Ok(answer);
    }
    if let Some(why) = &not_writable {
        console.line(format_args!("nothing can be stored: {why}"))?;
    }
    if let Some(why) = &unshared {
        console.line(format_args!("results cannot be shared between gateways: {why}"))?;
    }
    for trouble in &troubles {
        console.line(format_args!("{}: {}", trouble.file.display(), trouble.what))?;
        console.line(format_args!("  hint: {}", trouble.hint))?;
    }
    for one in &silent {
        console.line(one.sentence())?;
        console.line(format_args!("  hint: {}", one.hint()))?;
    }
    for one in &newer {
        console.line(one.sentence())?;
    }
    show_damage(&report, console)?;
    let verdict = match (wrong, repair) {
        (0, _) if sound && silent.is_empty() => "all good",
        (0, _) => "the store is sound",
        (_, true) => "what was damaged is removed",
        (_, false) => "`weir doctor --repair` removes what is damaged",
    };
    console.line(format_args!(
        "{} ({}) and {} checked: {verdict}",
        counted(report.blobs, "blob"),
        size(report.bytes),
        counted(report.references, "reference"),
    ))?;
    if let Some((when, what)) = hook::last_failure(context) {
        console.note(format_args!("note: a hook left a result as it was {}: {what}", age(when)));
    }
    Ok(answer)
}

/// What is wrong with the store.
fn show_damage(report: &CheckProgress, console: &Console) -> Result<(), Failure> {
    for digest in &report.corrupt_digests {
        console.line(format_args!("damaged: sha256:{digest}"))?;
    }
    for (count, what) in [
        (report.corrupt, "blobs are damaged"),
        (
            report.damaged_records,
            "references have lost their record; what they refer to can be read",
        ),
        (report.dead_references, "references are to blobs that are missing or damaged"),
        (report.foreign, "files are none of the store's (they do no harm)"),
        (report.repaired, "damaged things were removed"),
        (report.failed, "files could not be read"),
    ] {
        if count > 0 {
            console.line(format_args!("{count} {what}"))?;
        }
    }
    Ok(())
}
