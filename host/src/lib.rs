//! Runs the Weir component in [wasmtime](https://wasmtime.dev): a dam with a gate in front of a
//! model's context.
//!
//! The component replaces a tool result that is too large by an excerpt and a handle, and lets the
//! model read back just the part that it needs. This library holds its sandbox (one directory, no
//! network, no environment; fuel, a deadline and a memory limit for every call) and gives its
//! contract as typed Rust. It does no judging of its own: what an excerpt shows is decided in the
//! component, the same in every host.
//!
//! # Example
//!
//! ```
//! use weir_host::Weir;
//! use weir_host::contract::{FinishedResult, GrepRequest, View};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let store = directory.path().join("store");
//! let weir = Weir::open(store)?;
//!
//! // A tool has finished, and its result is too large for a context window.
//! let log: String = (1..=5_000).map(|n| format!("line {n}: all is well\n")).collect();
//! let log = log.replace("line 4321: all is well", "line 4321: error: disk is full");
//! let shown = weir.transform(&FinishedResult::text("alice", "read_log", log))?;
//! assert!(shown.replaced && shown.chars_after <= 6_000);
//!
//! // The model sees `shown.parts`. It calls the tool that the excerpt names, and your agent passes
//! // on what it sent, whatever that is.
//! let id = &shown.handles[0].id;
//! let arguments = format!(r#"{{"id": "{id}", "mode": "grep", "pattern": "error:"}}"#);
//! let answer = weir.invoke("alice", "weir_fetch", &arguments)?;
//! assert!(answer.text.contains("line 4321: error: disk is full"));
//!
//! // The same for programs, typed.
//! let page = weir.grep("alice", id, View::Text, &GrepRequest::new("error:"), None)?;
//! assert_eq!((page.matches, page.lines[0].line), (1, 4321));
//! # Ok(())
//! # }
//! ```
//!
//! # In async code
//!
//! Calls block: they are work for a CPU and a disk, for microseconds to seconds. A [`Weir`] is a
//! few pointers, so clone it into a blocking thread:
//!
//! ```ignore
//! let weir = weir.clone();
//! let shown = tokio::task::spawn_blocking(move || weir.transform(&result)).await??;
//! ```
//!
//! A call made in the thread of a tokio runtime works as well, but holds that thread up.
//!
//! # With a wasmtime of your own
//!
//! [`Engine::on`] takes your engine. [`embed`] has the parts for your own linker and stores, with calls
//! that block or, with the feature `async`, calls that are awaited.
//!
//! # Features
//!
//! - `embedded` (default): the component's bytes are in the library: [`ComponentSource::Embedded`].
//!   Without it the host brings the file.
//! - `semantic` (default): that component ranks tools by meaning as well (4 MB).
//! - `async`: [`asynchronous`].
//! - `signatures`: [`signatures`] of component files, and [`Builder::trust`].

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

#[cfg(feature = "async")]
pub mod asynchronous;
pub mod bindings;
mod catalog;
mod code_file;
pub mod contract;
pub mod embed;
mod embedder;
mod engine;
mod error;
mod examine;
mod instance;
mod limits;
mod plugin;
mod reference;
mod settings;
#[cfg(feature = "signatures")]
pub mod signatures;
mod source;
mod state;
mod weir;

pub use catalog::{Catalog, CatalogOptions};
pub use embedder::Embedder;
pub use engine::{Cache, Compiled, Engine, Interfaces, compile};
pub use error::{Error, TrapReason};
pub use examine::{FileDescription, contract_of};
pub use limits::{Class, Limits};
pub use plugin::{Plugin, PluginIndices};
pub use reference::{
    Callee, REFERENCE_MAX_BYTES, REFERENCES_MAX_BYTES, References, ResolvedArguments, UsedReference,
};
pub use settings::{Parsed, Settings};
pub use source::ComponentSource;
pub use weir::{Builder, Intake, Weir};
