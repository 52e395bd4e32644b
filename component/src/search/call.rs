//! From what a model sends as a call to what a host may dispatch.

pub mod parse;
pub mod resolve;
