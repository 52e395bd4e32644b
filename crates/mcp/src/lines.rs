//! Messages one a line, as they come and go on standard streams.

use std::io;

use tokio::io::{AsyncRead, AsyncReadExt, AsyncWrite, AsyncWriteExt};
use tokio::sync::mpsc;

use super::frame::{Assembler, Bounds, Frame};
use super::wire::as_line;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 64 * 1024;

/// Why there is no message.
#[derive(Debug, thiserror::Error)]
pub enum Fault {
    /// The stream cannot be read. Nothing more will come of it.
    #[error("the stream cannot be read: {0}")]
    Stream(io::Error),
    /// This message could not be kept. The next one may be.
    #[error("a message could not be kept: {0}")]
    Message(io::Error),
}

/// The messages of a stream.
#[derive(Debug)]
pub struct Lines<R> {
    input: R,
    assembler: Assembler,
    buffer: Vec<u8>,
    /// How much of the buffer is taken, and how much of it was read.
    taken: usize,
    read: usize,
}

impl<R: AsyncRead + Unpin> Lines<R> {
    /// The messages of `input`, held within `bounds`.
    pub fn new(input: R, bounds: Bounds) -> Lines<R> {
        let buffer = vec![0; CHUNK_BYTES];
        Lines { input, assembler: Assembler::new(bounds), buffer, taken: 0, read: 0 }
    }

    /// The next message; `None` at the end. What has no end of line at the end is none.
    ///
    /// # Errors
    /// See [`Fault`].
    pub async fn next(&mut self) -> Result<Option<Frame>, Fault> {
        loop {
            if self.taken == self.read {
                self.taken = 0;
                self.read = self.input.read(&mut self.buffer).await.map_err(Fault::Stream)?;
                if self.read == 0 {
                    return Ok(None);
                }
            }
            let rest = &self.buffer[self.taken..self.read];
            let end = memchr::memchr(b'\n', rest);
            self.taken += end.map_or(rest.len(), |end| end + 1);
            let pushed = self.assembler.push(&rest[..end.unwrap_or(rest.len())]);
            let frame = pushed.and_then(|()| match end {
                Some(_) => self.assembler.finish(),
                None => Ok(None),
            });
            if let Some(frame) = frame.map_err(Fault::Message)? {
                return Ok(Some(frame));
            }
        }
    }
}

/// Writes what is in the outbox, until either ends.
pub async fn write(mut output: impl AsyncWrite + Unpin, mut outbox: mpsc::Receiver<String>) {
    while let Some(text) = outbox.recv().await {
        if output.write_all(&as_line(text)).await.is_err() || output.flush().await.is_err() {
            return;
        }
    }
}
