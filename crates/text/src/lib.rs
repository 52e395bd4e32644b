//! What the component and the crates around it must say of a text alike. It is no library for others.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod compact;
pub mod hidden;
pub mod paging;
pub mod surrogates;
pub mod tokens;
