//! What a model sees of a catalog: which tools at once, a list of the others, and answers to whatever
//! it sends to the three bridge tools.

pub mod assemble;
pub mod invoke;
pub mod listing;
mod read;
pub mod settings;
