//! Reading back: handle to store to range, grep or full, to a bounded page.

pub mod page;
pub mod position;
pub mod range;
