//! `weir sweep`: remove what is expired, over the cap or left over.

use serde_json::json;

use super::Answer;
use super::console::{Console, progress};
use super::context::Context;
use super::report::Failure;
use super::status::size;

pub(crate) fn run(context: &Context<'_>, console: &mut Console) -> Result<Answer, Failure> {
    let weir = context.weir(console)?;
    let bar = progress("sweeping");
    let result = weir.sweep(|state| {
        bar.set_prefix(format!("{} entries, {} freed", state.seen, size(state.freed_bytes)));
        bar.tick();
    });
    bar.finish_and_clear();
    let report = result?;
    if console.json() {
        console.value(&json!({
            "seen": report.seen, "expired": report.expired, "evicted": report.evicted,
            "removed_blobs": report.removed_blobs, "freed_bytes": report.freed_bytes,
            "leftovers": report.leftovers,
        }))?;
    } else {
        console.line(format_args!(
            "{} entries seen: {} expired, {} evicted, {} blobs removed ({} freed), {} leftovers",
            report.seen,
            report.expired,
            report.evicted,
            report.removed_blobs,
            size(report.freed_bytes),
            report.leftovers,
        ))?;
    }
    Ok(Answer::Yes)
}
