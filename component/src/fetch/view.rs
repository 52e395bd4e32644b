//! Which bytes of a stored result are meant, and what is known of it.

use std::time::SystemTime;

use crate::source::Mark;
use crate::store::Entry;

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
