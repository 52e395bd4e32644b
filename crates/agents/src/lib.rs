//! What Weir knows of agent hosts: their configuration files, and the events of their hooks.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

pub mod config;
pub mod hook;
pub mod program;
pub mod transcript;
