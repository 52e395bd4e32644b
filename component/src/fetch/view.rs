//! Which bytes of a stored result are meant, and what is known of it.

use std::time::SystemTime;

use crate::source::Mark;
use crate::store::Entry;

/// What the text view of a result holds back when the text was taken out of its envelope.
pub(super) const BESIDE: &str = "what stood beside the text (view \"raw\")";

/// The same where the text is what a terminal would show.
pub(super) const HIDDEN: &str = "what a terminal would not show (view \"raw\")";

/// The same for both.
const BOTH: &str = "what stood beside the text, and what a terminal would not show (view \"raw\")";

/// Which bytes of a stored result are meant.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum View {
    /// The text inside the envelope when the result was one, else the exact bytes.
    #[default]
    Text,
    /// The exact bytes as they came.
    Raw,
}

/// What is known of a stored result.
#[derive(Debug, Clone)]
pub struct Stat {
    /// As the store has it; its measures are of the exact bytes.
    pub entry: Entry,
    /// The measures of what [`View::Text`] shows.
    pub text: Mark,
    /// The number of its lines.
    pub text_lines: u64,
    /// When it goes if nobody reads it; `None` while it is pinned.
    pub expires: Option<SystemTime>,
}

/// What a view of a result leaves out of it.
pub(super) fn left_out(entry: &Entry, view: View) -> Option<&'static str> {
    let record = &entry.record;
    match (view, record.has_beside(), record.hides) {
        (View::Raw, ..) | (_, false, false) => None,
        (_, true, false) => Some(BESIDE),
        (_, false, true) => Some(HIDDEN),
        (_, true, true) => Some(BOTH),
    }
}
