//! The catalog of tools: what it is built from, what it is, how it is kept.
//!
//! [`tools::Catalog`] is data and look-ups; [`build`] makes it.

pub mod bridge_tools;
pub mod build;
mod claims;
pub mod definition;
pub mod names;
pub mod servers;
pub mod tools;
