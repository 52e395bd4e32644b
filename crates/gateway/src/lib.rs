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

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod abort;
mod clients;
pub mod config;
mod gateway;
mod operations;
mod options;
mod search;
pub mod secrets;
mod servers;
mod watch;

pub use watch::audit::{AuditOptions, log_revoked};
// As one crate they are easier to use: our public types are made of theirs.
#[cfg(unix)]
pub use weir_mcp::guard;
pub use weir_mcp::isolation::Isolation;
pub use weir_mcp::net::Tls;
pub use weir_mcp::{json, process, wire};
pub use weir_oauth as oauth;

pub use clients::profile::{Limits, Mode};
pub use clients::server::own_tokens;
#[cfg(unix)]
pub use clients::shared;
pub use clients::{http, identity, session, stdio};
pub use gateway::Gateway;
pub use operations::Operations;
pub use operations::{approval, common, gate};
pub use options::Options;
pub use search::names::{Naming, is_own_tool};
pub use search::{catalog, embeddings, glob, phrases, toolsets, worth};
pub use servers::Servers;
pub use servers::upstream::eras;
pub use servers::{environment, hints, known, spec, upstream};
pub use watch::stats::Stats;
pub use watch::{ledger, page, running};
