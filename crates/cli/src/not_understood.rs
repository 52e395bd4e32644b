//! Events of hosts that the hook did not understand, counted by host and reason: a host that changes its
//! events gets no excerpts any more, and nobody else would say so.

use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::path::PathBuf;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde_json::{Value, json};
use weir_agents::hook::{Host, Reason};

use super::context::Context;
use super::numbers::{age, counted};

/// A count stops here.
const MOST: u64 = 10_000;

/// A count that has not grown for so long is not told any more.
const RECENT: Duration = Duration::from_secs(30 * 24 * 60 * 60);

/// What was not understood of one host, for one reason.
pub(crate) struct NotUnderstood {
    host: Host,
    what: &'static str,
    count: u64,
    last: u64,
}

impl NotUnderstood {
    /// Counts an event, unless it was understood and left alone.
    ///
    /// A count is the length of a file: a byte appended is a step that no other process can spoil.
    pub(crate) fn note(host: Host, reason: Reason, context: &Context<'_>) {
        let (Some(directory), Some((name, _))) = (directory(context), reason.not_understood())
        else {
            return;
        };
        let file = directory.join(format!("{}.{name}", host.name()));
        let _ = fs::create_dir_all(&directory);
        if fs::metadata(&file).is_ok_and(|metadata| metadata.len() >= MOST) {
            return;
        }
        let opened = OpenOptions::new().create(true).append(true).open(file);
        let _ = opened.and_then(|mut file| file.write_all(b"."));
    }

    /// What this version did not understand lately.
    pub(crate) fn all(context: &Context<'_>) -> Vec<NotUnderstood> {
        let Some(directory) = directory(context) else { return Vec::new() };
        let now = SystemTime::now();
        let mut found = Vec::new();
        for host in Host::all() {
            for (name, what) in Reason::NOT_UNDERSTOOD.iter().filter_map(|r| r.not_understood()) {
                let file = directory.join(format!("{}.{name}", host.name()));
                let Ok(metadata) = fs::metadata(file) else { continue };
                let Ok(last) = metadata.modified() else { continue };
                if now.duration_since(last).is_ok_and(|age| age > RECENT) {
                    continue;
                }
                let last = last.duration_since(UNIX_EPOCH).unwrap_or_default().as_secs();
                found.push(NotUnderstood { host, what, count: metadata.len(), last });
            }
        }
        found
    }

    /// One sentence.
    pub(crate) fn sentence(&self) -> String {
        format!(
            "{}: {}{} not understood ({}), the last {}: those results stayed as they were",
            self.host.name(),
            if self.count >= MOST { "at least " } else { "" },
            counted(self.count, "event"),
            self.what,
            age(self.last),
        )
    }

    /// What may be done.
    pub(crate) fn hint(&self) -> String {
        match self.host.works_with() {
            Some(version) => {
                format!(
                    "this version of weir is known to work with {version}; a newer one may help"
                )
            }
            None => "a newer version of weir may help; please report it".to_owned(),
        }
    }

    pub(crate) fn json(&self) -> Value {
        json!({
            "host": self.host.name(), "reason": self.what, "count": self.count, "last": self.last,
            "works_with": self.host.works_with(),
        })
    }
}

/// A directory for each version: another one may understand.
fn directory(context: &Context<'_>) -> Option<PathBuf> {
    let state = context.state_dir().ok()?;
    Some(state.join("not-understood").join(env!("CARGO_PKG_VERSION")))
}
