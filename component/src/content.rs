//! What bytes are, whoever asks: their kind, their shapes, and how they are read, counted and shown.
//!
//! Below both `spill` (what an excerpt shows) and `fetch` (what is read back), so that they cannot
//! disagree. [`classify`] is the one place that says what a content is; it asks nobody above it.

pub mod classify;
pub(crate) mod columns;
pub mod defang;
pub mod distance;
pub(crate) mod encoded;
pub mod json;
pub mod kind;
pub(crate) mod magic;
pub(crate) mod marks;
pub mod mcp;
pub mod numbers;
pub mod plain;
pub mod scan;
pub mod show;
pub(crate) mod sides;
pub(crate) mod source_text;
pub(crate) mod sql;
pub(crate) mod table;
pub mod template;
pub mod unescape;
pub(crate) mod words;
pub(crate) mod yaml;
