//! Tool search: a large catalog of tools behind three small ones.
//!
//! ```text
//! snapshot ─► catalog ─┬─► assemble ─► visible tools + bridge (with a listing)
//!                      ├─► search   ─► hits with signatures
//!                      ├─► describe ─► exact schemas
//!                      └─► resolve  ─► checked calls for the host to dispatch
//! ```
//!
//! A [`catalog::Catalog`] is immutable and sees nothing but the snapshot it was built from, so no
//! answer can name a tool that was not granted, and nothing can drift: a new snapshot is a new
//! catalog. Nothing executes here. What the caller knows of a conversation (which tools are
//! visible, which schemas were shown) comes in with each call, as
//! [`conversation::Conversation`].
//!
//! [`bridge`] is the layer a model talks to: the three definitions, and one function that answers
//! whatever the model sends.

pub mod assemble;
pub mod bridge;
pub mod call;
pub mod catalog;
pub mod conversation;
pub mod definition;
pub mod delta;
pub mod describe;
pub mod filter;
pub mod find;
pub mod fingerprint;
pub mod listing;
pub mod names;
pub mod outside;
pub mod ranker;
pub mod resolve;
#[cfg(test)]
mod samples;
pub mod saved;
pub mod schema;
pub mod screen;
pub mod signature;
pub mod validate;

pub mod bm25;
#[cfg(test)]
mod classes;
pub mod codec;
mod collect;
pub mod document;
mod expand;
pub mod explain;
mod fold;
pub mod index;
mod json;
#[cfg(all(test, feature = "semantic"))]
mod parity;
pub mod query;
pub mod rank;
mod schema_text;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd;
mod spell;
mod strings;
mod table;
mod text;
mod vector;
