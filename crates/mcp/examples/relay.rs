//! Relays one server to one client on standard streams: `relay PROGRAM ARGUMENTS`. Ids, parameters and results keep
//! every byte, however long they are.

use std::collections::BTreeMap;
use std::io::{Error, Result};

use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt};
use tokio::runtime::Handle;
use weir_mcp::frame::{Bounds, Frame};
use weir_mcp::lines::Lines;
use weir_mcp::process::{self, Launch};
use weir_mcp::wire::as_line;

#[tokio::main]
async fn main() -> Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    relay(&words, tokio::io::stdin(), tokio::io::stdout()).await
}

/// Starts the server, and passes messages on until it ends its output.
pub(crate) async fn relay(
    words: &[String],
    input: impl AsyncRead + Unpin,
    output: impl AsyncWrite + Unpin,
) -> Result<()> {
    let (command, args) = words.split_first().ok_or(Error::other("which server?"))?;
    let (inherited, env) = (std::env::vars_os().collect(), &BTreeMap::new());
    let launch = Launch { command, args, inherited, env, cwd: None, guard: None };
    let (server, stdin, stdout) = process::start(&launch)?;
    let ended = tokio::select! {
        ended = pass(stdout, output) => ended,
        // The client's end alone is none: the server may still answer.
        Err(error) = pass(input, stdin) => Err(error),
    };
    server.stop().await;
    ended
}

async fn pass(from: impl AsyncRead + Unpin, mut to: impl AsyncWrite + Unpin) -> Result<()> {
    let mut lines = Lines::new(from, Bounds::new(std::env::temp_dir()));
    while let Some(frame) = lines.next().await.map_err(Error::other)? {
        match frame {
            Frame::Messages(messages) => {
                for message in messages {
                    to.write_all(&as_line(message.encode())).await?;
                }
            }
            // It is in a file, and goes from there.
            Frame::Oversized(large) => tokio::task::block_in_place(|| {
                let mut write = |bytes: &[u8]| Handle::current().block_on(to.write_all(bytes));
                write(format!(r#"{{"jsonrpc":"2.0","id":{},"result":"#, large.id).as_bytes())?;
                large.result.copy_to(0, &mut write)?;
                write(b"}\n")
            })?,
            Frame::Noise { .. } => {}
        }
        to.flush().await?;
    }
    Ok(())
}
