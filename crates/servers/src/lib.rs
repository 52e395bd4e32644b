//! Built-in servers: ordinary MCP servers in the process.
//!
//! A gateway speaks with them as with any other server, over a stream in memory. `weir serve-builtin` puts them on
//! standard streams, so that others can use them too.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use tokio::io::{AsyncRead, AsyncWrite};

pub mod frontmatter;
pub mod memory;
mod serve;
pub mod skills;

pub use serve::{Server, serve};

/// Which server, and what it serves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum BuiltIn {
    /// The skills in these directories.
    Skills(Vec<PathBuf>),
    /// Notes, in this folder.
    Memory(PathBuf),
}

impl BuiltIn {
    /// Serves until the input ends. What is to be kept goes through `screen` first.
    ///
    /// # Errors
    /// See [`serve`].
    pub async fn serve(
        self,
        screen: memory::Screen,
        input: impl AsyncRead + Unpin,
        output: impl AsyncWrite + Unpin,
    ) -> io::Result<()> {
        match self {
            BuiltIn::Skills(directories) => {
                serve(Arc::new(skills::Skills::new(directories)), input, output).await
            }
            BuiltIn::Memory(folder) => {
                serve(Arc::new(memory::Memory::new(folder, screen)), input, output).await
            }
        }
    }
}
