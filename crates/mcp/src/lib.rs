//! What a gateway of MCP is made of: messages that keep their bytes, and links to servers.
//!
//! ```text
//! process, lines ─┐
//!                 ├─► frame ─► wire ─► connection ─► calls, events, strays
//! net ─► http_link┘
//! ```
//!
//! Messages stay raw JSON on the whole way ([`json`], [`wire`]): what is not an id, a token or a name passes as
//! it came, however long it is ([`frame`]). Of catalogs, agents and results it knows nothing: what passes is for
//! the gateway to judge. `examples/relay.rs` is one.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod connection;
pub mod credentials;
pub mod frame;
#[cfg(unix)]
pub mod guard;
pub mod http_link;
pub mod isolation;
pub mod json;
pub mod lines;
pub mod methods;
pub mod net;
mod outline;
pub mod process;
pub mod redact;
pub mod wire;
