//! The Weir component: a dam with a gate in front of a model's context.
//!
//! Three flows, each in a file of its own that reads like its line here:
//!
//! ```text
//! spill    result ─► classify ─► measure ─► store ─► excerpt ─► handle
//! fetch    handle ─► store ─► range | grep | full ─► page (bounded, with a cursor)
//! search   query ─► tokenizer ─► index ─► ranking ─► hits
//! ```
//!
//! Everything but the edge is plain Rust that compiles, tests and benches natively. The edge
//! (`abi`, `guest`) exists only on wasm: it converts the contract's types to ours, calls one
//! function and converts back.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

#[cfg(target_family = "wasm")]
mod abi;
mod allocations;
#[cfg(target_family = "wasm")]
mod guest;

pub mod content;
pub mod digest;
pub mod fence;
pub mod fetch;
pub mod handle;
pub mod limits;
mod memcmp;
pub mod search;
mod series;
pub mod settings;
mod sort;
pub mod source;
pub mod spill;
pub mod store;
