//! Questions to a catalog: which tools do this ([`search`]), and how is this one called ([`describe`]).

pub mod answer;
pub mod conversation;
pub mod describe;
pub mod external;
pub mod filter;
pub(crate) mod json;
pub mod search;
