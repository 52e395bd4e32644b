//! The MCP gateway: any clients on one side, any servers on the other, the component in between.
//!
//! ```text
//! client ─► server ─► catalog ─┬─► gate (our tools)              ─┐
//!                              └─► exchange ─► upstream (theirs)  ─┴─► results ─► server ─► client
//! ```
//!
//! Messages stay raw JSON on the whole way ([`json`], [`wire`]): what is not an id, a token or a
//! name passes as it came. Clients and servers may be of either era of the protocol; each pair is
//! bridged. Servers are started when they are needed ([`upstream`]), and known from
//! before ([`known`]).

mod abort;
pub mod approval;
mod audit;
pub mod catalog;
mod clients;
pub mod common;
pub mod config;
mod definitions;
mod difference;
mod digest;
pub mod embeddings;
pub mod environment;
pub mod eras;
mod exchange;
pub mod gate;
mod gateway;
pub mod glob;
mod hearing;
pub mod hints;
pub mod http;
pub mod identity;
mod indexes;
pub mod known;
pub mod ledger;
mod limits;
mod listed;
mod measured;
mod metrics;
mod names;
mod operations;
mod options;
pub mod page;
pub mod phrases;
mod pins;
mod profile;
mod results;
pub mod running;
mod search;
pub mod secrets;
mod server;
mod servers;
pub mod session;
#[cfg(unix)]
pub mod shared;
mod siblings;
mod skills;
pub mod spec;
mod stats;
pub mod stdio;
mod telemetry;
mod texts;
mod told;
pub mod toolsets;
pub mod upstream;
mod visitors;
pub mod worth;

pub use audit::{AuditOptions, log_revoked};
// As one crate they are easier to use: our public types are made of theirs.
#[cfg(unix)]
pub use weir_mcp::guard;
pub use weir_mcp::isolation::Isolation;
pub use weir_mcp::net::Tls;
pub use weir_mcp::{json, process, wire};
pub use weir_oauth as oauth;

pub use gateway::Gateway;
pub use names::Naming;
pub use operations::Operations;
pub use options::Options;
pub use profile::{Limits, Mode};
pub use server::own_tokens;
pub use servers::Servers;
pub use stats::Stats;
