//! OAuth 2.1 towards servers over HTTP, as MCP's authorization asks for it.
//!
//! ```text
//! 401 ─► challenge ─► discovery ─► register ─► flow ─► tokens ─► keep        (`weir login`)
//! request ─► bearer ─► keep, tokens (refresh) ─► the header of the request   (the gateway)
//! ```
//!
//! A gateway for several people has an account for each of them at each such server (`entrance`), and trusts one
//! issuer to say who they are (`issuer`).
//!
//! Anybody is asked for anything new only by `weir login`, or when a person opens the address that a running
//! gateway names (`door`). A gateway uses what is kept, renews it, and says when a login is needed. A token goes
//! to the one address that it was asked for, a refresh token to the token endpoint that it came from, and
//! neither ever follows a redirect.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

mod account;
mod bearer;
mod challenge;
mod discovery;
mod door;
mod entrance;
mod error;
mod fetch;
pub mod flow;
mod issuer;
mod keep;
pub mod loopback;
mod outside;
mod register;
mod seal;
mod settings;
mod tokens;

pub use account::{Account, Server};
pub use bearer::Bearer;
pub use challenge::Challenge;
pub use door::Door;
pub use entrance::{Entrance, Wish};
pub use error::OAuthError;
pub use issuer::{Asked, Issuer, IssuerSettings, Person, Unproven};
pub use keep::{Keep, Login, Logins, Others};
pub use outside::field;
pub use register::client_document;
pub use seal::Key;
pub use settings::OAuthSettings;
pub use weir_mcp::redact::Secret;
