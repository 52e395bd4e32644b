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
//! use weir_host::contract::{FinishedResult, GrepQuery, Case, Origin, Outcome, Part, View};
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let directory = tempfile::tempdir()?;
//! # let store = directory.path().join("store");
//! # let cache = std::env::temp_dir().join("weir-doctest-cache");
//! let weir = Weir::builder().cache(cache).open(store)?;
//!
//! // A tool has finished, and its result is too large for a context window.
//! let log: String = (1..=5_000).map(|n| format!("line {n}: all is well\n")).collect();
//! let log = log.replace("line 4321: all is well", "line 4321: error: disk is full");
//! let result = FinishedResult {
//!     origin: Origin {
//!         session: "alice".into(),
//!         tool: "read_log".into(),
//!         toolset: None,
//!         arguments: Some(r#"{"path": "/var/log/app.log"}"#.into()),
//!     },
//!     parts: vec![Part::Text(log)],
//!     raw: None,
//!     is_error: false,
//!     waits_for_input: false,
//!     max_chars: None,
//! };
//! let Outcome::Replaced(replacement) = weir.transform(&result)? else { panic!("it is too large") };
//! assert!(replacement.chars_after <= 6_000);
//!
//! // The model sees `replacement.parts`. It calls the tool that the excerpt tells it of, and your
//! // agent passes on what it sent, whatever that is.
//! let id = &replacement.handles[0].id;
//! let arguments = format!(r#"{{"id": "{id}", "mode": "grep", "pattern": "error:"}}"#);
//! let answer = weir.invoke("alice", "weir_fetch", &arguments)?;
//! assert!(answer.text.contains("line 4321: error: disk is full"));
//!
//! // The same for programs, typed.
//! let query = GrepQuery {
//!     pattern: "error:".into(),
//!     regex: false,
//!     case: Case::Smart,
//!     word: false,
//!     invert: false,
//!     count_only: false,
//!     before: 0,
//!     after: 0,
//!     max_matches: None,
//!     start: 0,
//! };
//! let page = weir.grep("alice", id, View::Text, &query)?;
//! assert_eq!((page.matches, page.hits[0].line), (1, 4321));
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
//! let outcome = tokio::task::spawn_blocking(move || weir.transform(&result)).await??;
//! ```

mod bindings;
mod catalog;
pub mod contract;
mod embedder;
mod engine;
mod error;
mod instance;
mod limits;
mod state;
mod weir;

pub use catalog::Catalog;
pub use embedder::Embedder;
pub use engine::{ComponentSource, Engine, Interfaces};
pub use error::{Error, TrapReason};
pub use limits::{Class, Limits};
pub use weir::{Builder, Intake, Weir};
