//! The phrase pack: what users call the tools of public servers, shipped beside the embedding table.
//!
//! Tools are told by a [`key::Key`], not by their server, which everybody names as they like. A tool that
//! has phrases of its own keeps them, and they come first; one that the pack does not know is as it was.
//! `dev/training/README.md` says how the pack is made and how to add a server.

pub mod key;
pub mod read;

/// Whether a word stands in no phrase of a pack, as no tool is found by it.
pub fn is_stop_word(word: &str) -> bool {
    super::text::words::is_stop_word(word)
}
