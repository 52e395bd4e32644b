//! Why a text was not edited.

use super::format::SyntaxError;

/// Why a text was not edited.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum EditError {
    /// The text is not in its format.
    #[error("{0}")]
    Syntax(SyntaxError),
    /// JSON with a key twice in one object: hosts do not agree which one counts.
    #[error("the key `{0}` stands twice in one object")]
    Duplicate(String),
    /// What should be an object is something else.
    #[error("{} is not an object", named(.0))]
    NotAnObject(String),
    /// What should be an array is something else.
    #[error("{} is not an array", named(.0))]
    NotAList(String),
    /// TOML has no `null`, nor numbers of any size.
    #[error("a value cannot be written in TOML")]
    NoNull,
    /// No form of the change gave what it should: the file is written in a way that is not handled.
    #[error("the file is written in a form that cannot be edited safely")]
    Form,
}

/// The value at the end of these keys.
fn named(path: &str) -> String {
    if path.is_empty() { "what it holds".into() } else { format!("`{path}`") }
}
