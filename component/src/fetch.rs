//! Reading back: handle to store to range, grep or full, to a bounded page.

mod buffer;
pub mod grep;
pub mod listing;
mod literal;
pub mod page;
pub mod pattern;
pub mod position;
pub mod range;
