//! Weir as a policy server of agentgateway, whose proxy asks one what is to become of a message: the protocol ExtMcp.
//!
//! ```text
//! client ─► proxy ─► CheckRequest  tools/call: the tool and its arguments, noted
//!             │
//!             ├────► target
//!             │
//!           proxy ─► CheckResponse tools/call: large: stored, an excerpt
//!             │                    tools/list: long: the bridge tools of `weir serve`
//!             ▼
//!           client
//! ```
//!
//! What is small, strange or cannot be stored passes as it is.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod seat;
#[cfg(feature = "grpc")]
mod serve;
#[cfg(feature = "grpc")]
mod wire;

pub use seat::{Call, Reader, Seat};
#[cfg(feature = "grpc")]
pub use serve::serve;
