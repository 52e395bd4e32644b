//! What Weir knows of agent hosts: their configuration files, and the events of their hooks.

pub mod config;
pub mod hook;
pub mod program;
pub mod transcript;

/// The first twelve hexadecimal digits of a digest: enough to tell files and sessions apart.
fn short(digest: &[u8]) -> String {
    weir_base::hex(&digest[..6])
}
