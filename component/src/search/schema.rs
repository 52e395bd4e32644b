//! The JSON Schema of a tool: measured, read, written as a signature, and held against a call.

pub(crate) mod edits;
pub mod measure;
pub(crate) mod parts;
pub mod read;
pub mod signature;
pub(crate) mod strict;
pub mod validate;
pub mod words;
