//! A finished tool result, and what becomes of it.

use crate::content::kind::Kind;
pub use crate::content::mcp::{Part, Shown};
use crate::digest::Digest;
use crate::handle::BlobId;
use crate::spill::purpose::Purpose;

/// The call that a result came from.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Origin {
    /// The session that may read the result back.
    pub session: String,
    /// The tool's name.
    pub tool: String,
    /// The toolset or server the tool belongs to.
    pub toolset: Option<String>,
    /// The arguments as JSON text.
    pub arguments: Option<String>,
    /// How the model reads on, where that is not [`READER`](super::policy::READER):
    /// `tool:NAME` or `shell:COMMAND`.
    pub reader: Option<String>,
    /// What the call is for, in the words of a user or a step. An excerpt shows lines that fit it.
    pub purpose: Option<String>,
}

impl Origin {
    /// What the call was for, by its purpose and its arguments.
    pub(super) fn wanted(&self) -> Option<Purpose> {
        Purpose::of(self.purpose.as_deref(), self.arguments.as_deref())
    }
}

/// A finished result of a tool.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct FinishedResult {
    /// The call it came from.
    pub origin: Origin,
    /// What the model would be shown, in order.
    pub parts: Vec<Part>,
    /// The result as it came over the wire, when that holds more than the parts do.
    pub raw: Option<String>,
    /// Whether it reports an error.
    pub is_error: bool,
    /// Whether it waits for the user's input.
    pub waits_for_input: bool,
    /// The limit in characters that the tool's server states for its own results.
    pub max_chars: Option<u32>,
    /// Whether the text was cut before it came here.
    pub already_cut: bool,
}

/// Why a result was left as it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reason {
    /// It is within its threshold.
    Small,
    /// A rule, or `exclude`, says so, or it is the reading tool's own answer.
    Excluded,
    /// It waits for the user.
    WaitsForInput,
    /// It already is the text that stands for a result which can be read.
    AlreadyAHandle,
    /// A replacement would not have been shorter.
    NoGain,
    /// It could not be stored and is short enough to pass whole.
    NotStored,
}

impl Reason {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Small => "small",
            Reason::Excluded => "excluded",
            Reason::WaitsForInput => "waits-for-input",
            Reason::AlreadyAHandle => "already-a-handle",
            Reason::NoGain => "no-gain",
            Reason::NotStored => "not-stored",
        }
    }
}

/// The name of a stored content and what is known of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Handle {
    /// What a model uses.
    pub id: BlobId,
    /// The digest of the stored bytes.
    pub digest: Digest,
    /// The tool whose result it is.
    pub tool: String,
    /// What the content was recognized as.
    pub kind: Kind,
    /// Its media type.
    pub media_type: String,
    /// Stored bytes.
    pub bytes: u64,
    /// Characters in what fetch shows by default.
    pub chars: u64,
    /// Lines in what fetch shows by default.
    pub lines: u64,
    /// Estimated tokens of what fetch shows by default.
    pub estimated_tokens: u64,
    /// The `url`, `path`, `query` or the like of the call.
    pub source: Option<String>,
    /// Where in the stored JSON the shown text lies.
    pub envelope: Option<String>,
    /// Characters of the text that stands for it.
    pub shown_chars: Option<u64>,
    /// Whether the session held the same bytes before.
    pub is_repeat: Option<bool>,
}

/// A result that was replaced, in whole or in part.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Replacement {
    /// What to show the model.
    pub shown: Vec<Shown>,
    /// What was stored, in the order of the parts that show it.
    pub handles: Vec<Handle>,
    /// Characters of text before.
    pub chars_before: u64,
    /// Characters of text after.
    pub chars_after: u64,
    /// Estimated tokens before.
    pub estimated_tokens_before: u64,
    /// Estimated tokens after.
    pub estimated_tokens_after: u64,
    /// Why the store refused, when parts hold an excerpt without a handle.
    pub store_failure: Option<String>,
    /// Whether it was a rule of the settings that kept the result from the store.
    pub never_stored: bool,
}

/// What became of a result.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// Show the result as it came.
    Unchanged {
        /// Why.
        reason: Reason,
        /// Why the store refused, when that is the reason.
        store_failure: Option<String>,
        /// Characters of its text.
        chars: u64,
        /// Estimated tokens of its text.
        estimated_tokens: u64,
    },
    /// Show this instead.
    Replaced(Replacement),
}

/// Why a result could not be taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TransformError {
    /// The session's name is empty or too long.
    BadSession,
    /// A binary part, at this index, is not base64.
    BadBase64(usize),
}

impl std::fmt::Display for TransformError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            TransformError::BadSession => {
                write!(
                    f,
                    "a session's name has 1 to {} characters",
                    crate::limits::SESSION_MAX_CHARS
                )
            }
            TransformError::BadBase64(part) => {
                write!(f, "part {part} of the result is not base64")
            }
        }
    }
}

impl std::error::Error for TransformError {}
