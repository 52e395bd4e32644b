//! Tool search: a large catalog of tools behind three small ones.
//!
//! ```text
//! snapshot ─► catalog ─┬─► assemble ─► visible tools + bridge (with a listing)
//!                      ├─► search   ─► hits with signatures
//!                      ├─► describe ─► exact schemas
//!                      └─► resolve  ─► checked calls for the host to dispatch
//! ```
//!
//! A `Catalog` is immutable and sees nothing but the snapshot it was built from, so no
//! answer can name a tool that was not granted, and nothing can drift: a new snapshot is a new
//! catalog. Nothing executes here. What the caller knows of a conversation (which tools are
//! visible, which schemas were shown) comes in with each call, as `Conversation`.
//!
//! `bridge` is the layer a model talks to: the three definitions, and one function that answers
//! whatever the model sends.

pub mod definition;
pub mod screen;

pub mod bm25;
pub mod codec;
#[cfg(test)]
mod classes;
mod collect;
pub mod document;
mod expand;
pub mod explain;
mod fold;
pub mod index;
#[cfg(all(test, feature = "semantic"))]
mod parity;
pub mod query;
pub mod rank;
mod schema_text;
mod spell;
mod strings;
mod table;
mod text;
mod vector;
