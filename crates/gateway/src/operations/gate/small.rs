//! Results that are left as they are, told without a call into the component.
//!
//! Most results are small, and a call costs more than all else that is done with them. Where something is set, the
//! component is asked once for each tool how many characters a result of it may have before it is replaced.

use std::collections::BTreeMap;
use std::sync::Arc;

use weir_host::contract::Origin;
use weir_host::{Error, Weir};

use super::THRESHOLD_CHARS;
use crate::servers::listed::MAX_TOOLS;
use weir_base::Mutex;
use weir_mcp::json::{self, Json};
use weir_text::paging::{MAX_BYTES, may_follow};

/// A tool: its server, its name there, and the limit that the server states for its results.
type Key = (Option<String>, String, Option<u32>);

/// How many characters a result of each tool may have; `None` when it is never replaced. The settings of
/// a component that runs do not change.
#[derive(Debug, Clone, Default)]
pub(super) struct Thresholds(Arc<Mutex<BTreeMap<Key, Option<u32>>>>);

fn key(origin: &Origin, max_chars: Option<u32>) -> Key {
    (origin.toolset.clone(), origin.tool.clone(), max_chars)
}

impl Thresholds {
    /// Asks for the threshold of the tool that was called, where it is not known.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub(super) fn learn(
        &self,
        weir: &Weir,
        origin: &Origin,
        max_chars: Option<u32>,
    ) -> Result<(), Error> {
        let key = key(origin, max_chars);
        if self.0.lock().contains_key(&key) {
            return Ok(());
        }
        let threshold = weir.threshold(origin, max_chars)?;
        let mut all = self.0.lock();
        // Beyond as many tools all are asked for anew.
        if all.len() >= MAX_TOOLS {
            all.clear();
        }
        all.insert(key, threshold);
        Ok(())
    }

    /// Whether a result is known to be left as it is.
    pub(super) fn leave_alone(
        &self,
        weir: &Weir,
        origin: &Origin,
        max_chars: Option<u32>,
        result: &Json,
    ) -> bool {
        // Pages of one list are kept together, however small.
        let arguments =
            origin.arguments.as_deref().filter(|arguments| arguments.len() <= MAX_BYTES);
        let arguments = arguments.map(serde_json::from_str);
        if matches!(&arguments, Some(Ok(arguments)) if may_follow(arguments)) {
            return false;
        }
        let known = || self.0.lock().get(&key(origin, max_chars)).copied();
        let threshold = match weir.settings() {
            // Where nothing is set, no tool has a rule of its own.
            None if weir.engine().is_embedded() => Some(Some(max_chars.unwrap_or(THRESHOLD_CHARS))),
            // Only the component counts tokens.
            Some(of) if of.number("transform.threshold_tokens") > Some(0) => None,
            _ => known(),
        };
        threshold.is_some_and(|most| most.is_none_or(|most| is_within(result, most)))
    }
}

/// Whether a result is within a threshold, whichever way it is measured: what a model reads of it has no
/// more characters than the JSON has bytes. Bytes in it have a limit of their own.
fn is_within(result: &Json, most: u32) -> bool {
    let holds_bytes = |block: &str| {
        [&["data"][..], &["resource", "blob"]].iter().any(|path| json::find(block, path).is_some())
    };
    result.as_str().len() <= most as usize
        && !result.items(&["content"]).into_iter().any(holds_bytes)
}
