//! The page of what a session has stored, for a model that has lost sight of it: what `weir hook` says after a
//! compaction, and `weir list --page`.

use std::path::Path;
use std::time::{Duration, UNIX_EPOCH};

use weir_host::Weir;
use weir_host::contract::BlobStat;

use super::failure::Failure;

/// Results whose sources are looked at, and the most of them that are named.
const LOOKED_AT: u32 = 50;
const NAMED: usize = 4;

/// The page; `None` where nothing is stored. `reader` is how the model reads on, `directory` where its relative
/// paths begin.
pub(crate) fn page(
    weir: &Weir,
    session: &str,
    reader: &str,
    directory: &Path,
) -> Result<Option<String>, Failure> {
    let stored = weir.list_blobs(session, LOOKED_AT, None)?;
    if stored.total == 0 {
        return Ok(None);
    }
    let listed = weir.invoke(session, "weir_fetch", r#"{"mode":"stat"}"#)?.text;
    let (head, rows) = listed.split_once('\n').unwrap_or((&listed, ""));
    let mut changed: Vec<&str> = stored
        .entries
        .iter()
        .filter(|entry| listed.contains(&entry.handle.id) && has_changed(entry, directory))
        .map(|entry| entry.handle.id.as_str())
        .collect();
    changed.truncate(NAMED);
    let changed = match changed.as_slice() {
        [] => String::new(),
        ids => format!("\nSource files that changed since: {}", ids.join(", ")),
    };
    Ok(Some(format!("{head}\nRead on instead of calling again: {reader}{changed}\n{rows}")))
}

/// How results are read on by a command, to which an id and options are added.
pub(crate) fn shell_call(command: &str) -> String {
    format!("{command} ID --grep PATTERN (or --query, --lines)")
}

/// Whether a result was read from a file that was written later. A file that is gone, or is none, says nothing.
fn has_changed(entry: &BlobStat, directory: &Path) -> bool {
    let (Some(source), Some(stored)) = (&entry.handle.source, entry.stored_at) else {
        return false;
    };
    let written = directory.join(source).metadata().ok().filter(|metadata| metadata.is_file());
    let written = written.and_then(|metadata| metadata.modified().ok());
    written.is_some_and(|written| written >= UNIX_EPOCH + Duration::from_secs(stored + 1))
}
