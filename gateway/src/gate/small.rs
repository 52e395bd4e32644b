//! Results that are left as they are, told without a call into the component.
//!
//! Most results are small, and a call costs more than all else that is done with them. The component is
//! asked once for each tool how many characters a result of it may have before it is replaced.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use weir_host::contract::{FinishedResult, Part};
use weir_host::{Error, Weir};

/// Tools of which the threshold is remembered. Beyond them all are asked for anew.
const MAX_TOOLS: usize = 10_000;

/// A tool: its server, its name there, and the limit that the server states for its results.
type Key = (Option<String>, String, Option<u32>);

/// How many characters a result of each tool may have; `None` when it is never replaced. The settings of
/// a component that runs do not change.
#[derive(Debug, Clone, Default)]
pub(super) struct Thresholds(Arc<Mutex<BTreeMap<Key, Option<u32>>>>);

fn key(result: &FinishedResult) -> Key {
    (result.origin.toolset.clone(), result.origin.tool.clone(), result.max_chars)
}

impl Thresholds {
    fn all(&self) -> MutexGuard<'_, BTreeMap<Key, Option<u32>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Asks for the threshold of the tool that a result is of, where it is not known.
    ///
    /// # Errors
    /// When the component gives no answer.
    pub(super) fn learn(&self, weir: &Weir, result: &FinishedResult) -> Result<(), Error> {
        let key = key(result);
        if self.all().contains_key(&key) {
            return Ok(());
        }
        let threshold = weir.threshold(&result.origin, result.max_chars)?;
        let mut all = self.all();
        if all.len() >= MAX_TOOLS {
            all.clear();
        }
        all.insert(key, threshold);
        Ok(())
    }

    /// Whether a result is known to be left as it is.
    pub(super) fn leave_alone(&self, weir: &Weir, result: &FinishedResult) -> bool {
        // Only the component counts tokens.
        if weir.settings().is_some_and(|values| values.transform.threshold_tokens > 0) {
            return false;
        }
        let Some(threshold) = self.all().get(&key(result)).copied() else { return false };
        threshold.is_none_or(|most| is_within(result, most))
    }
}

/// Whether a result is within a threshold, whichever way it is measured: it has no more characters than
/// bytes, in its parts and in what came over the wire together. Binary parts have a limit of their own.
fn is_within(result: &FinishedResult, most: u32) -> bool {
    let mut bytes = result.raw.as_ref().map_or(0, String::len);
    for part in &result.parts {
        match part {
            Part::Text(text) => bytes += text.len(),
            Part::Pointer(_) => {}
            Part::Binary(_) => return false,
        }
    }
    bytes <= most as usize
}
