//! What is known of a text by itself: its letters and words, its names, what may be shown of it.

pub mod clean;
pub mod deprecation;
pub mod fold;
pub mod language;
pub(crate) mod letters;
pub(crate) mod listed;
pub mod screen;
pub(crate) mod verbs;
pub(crate) mod words;
