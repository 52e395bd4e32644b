//! `weir sweep`: remove what is expired, over the cap or left over.

use serde_json::json;

use super::console::progress;
use super::numbers::{counted, group};
use super::{Answer, Context, Failure};

pub(crate) fn run(context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let weir = context.weir()?;
    let bar = progress("sweeping");
    let result = weir.sweep(|state| {
        bar.set_prefix(format!("{} entries, {} blobs removed", state.seen, state.removed_blobs));
        bar.tick();
    });
    bar.finish_and_clear();
    let report = result?;
    if console.json() {
        console.value(&json!({
            "seen": report.seen, "expired": report.expired, "evicted": report.evicted,
            "removed_blobs": report.removed_blobs, "leftovers": report.leftovers,
            "dropped_tombstones": report.dropped_tombstones, "dropped_sessions": report.dropped_sessions,
            "foreign": report.foreign, "failed": report.failed,
        }))?;
    } else {
        console.line(format_args!(
            "{} entries checked: {} expired, {} evicted for room, {} removed in all, {} cleaned up",
            group(report.seen),
            counted(report.expired, "result"),
            counted(report.evicted, "blob"),
            counted(report.removed_blobs, "blob"),
            counted(report.leftovers, "leftover"),
        ))?;
        if report.failed > 0 {
            console.line(format_args!(
                "{} files could not be dealt with; the next sweep tries again",
                report.failed
            ))?;
        }
    }
    Ok(Answer::Yes)
}
