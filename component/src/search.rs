//! Tool search: a large catalog of tools behind three small ones.
//!
//! ```text
//! snapshot ─► catalog ─┬─► bridge::assemble ─► visible tools + bridge (with a listing)
//!                      ├─► find::search     ─► hits with signatures
//!                      ├─► find::describe   ─► exact schemas
//!                      └─► call::resolve    ─► checked calls for the host to dispatch
//! ```
//!
//! The rooms, each of which knows only those before it:
//!
//! ```text
//! text, vector   letters, words, names, what may be shown of a text; meaning
//! schema         a tool's JSON Schema: measured, read, written as a signature, held against a call
//! pack           what users call tools of public servers
//! index, rank    tools made ready to be searched; a query against them
//! catalog        the tools of one conversation: checked, named, indexed, saved
//! find, call     questions to a catalog; a call checked
//! bridge         the layer a model talks to
//! ```
//!
//! A [`catalog::tools::Catalog`] is immutable data and sees nothing but the snapshot it was built from,
//! so no answer can name a tool that was not granted, and nothing can drift: a new snapshot is a new
//! catalog. What is done with one are functions, each in the file that is named after it. Nothing
//! executes here. What the caller knows of a conversation (which tools are visible, which schemas were
//! shown) comes in with each call, as [`find::conversation::Conversation`].

pub mod bridge;
pub mod call;
pub mod catalog;
pub mod find;
pub mod fingerprint;
pub mod index;
pub mod pack;
pub mod rank;
pub mod schema;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;
#[cfg(test)]
mod tests;
pub mod text;
mod vector;
