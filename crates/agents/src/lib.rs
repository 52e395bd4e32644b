//! What Weir knows of agent hosts: their configuration files, and the events of their hooks.

pub mod config;
pub mod hook;
pub mod program;
pub mod transcript;
