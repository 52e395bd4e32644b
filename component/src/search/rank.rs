//! A query against an index: read, corrected, expanded, scored.

pub(crate) mod expand;
pub(crate) mod family;
pub(crate) mod kinds;
pub(crate) mod means;
pub mod query;
pub mod score;
pub(crate) mod service_names;
pub(crate) mod services;
pub(crate) mod spell;
