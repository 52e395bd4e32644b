//! Catalogs for tests, and floors for whole rankings.

mod classes;
mod errors;
#[cfg(feature = "semantic")]
mod parity;
pub(crate) mod samples;
