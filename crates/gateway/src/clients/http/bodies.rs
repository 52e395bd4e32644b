//! Bodies of requests, read within what all connections together may hold in memory.

use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, BodyDataStream, Bytes, HttpBody as _};
use axum::http::StatusCode;
use futures_util::StreamExt as _;
use tokio::time::{Instant, timeout_at};
use weir_base::Mutex;

/// Bytes of a client's message.
const MESSAGE_BYTES: usize = 64 << 20;

/// Bytes of all clients' messages at once, beyond [`OWN_BYTES`] of each.
const ALL_BYTES: usize = 128 << 20;

/// Bytes of a message that are not counted: however much is held for others, there is room for a short one.
const OWN_BYTES: usize = 64 << 10;

/// Bytes from which on a message has a stretch of addresses of its own, of which only what has come takes
/// memory. An allocator gives that back as a whole; what grows and is moved leaves holes that it keeps.
const SHORT_BYTES: usize = 1 << 20;

/// How long a client's message may take to come.
const PATIENCE: Duration = Duration::from_secs(120);

/// What is held of the messages that are being read or answered.
#[derive(Debug)]
pub(super) struct Bodies {
    most: usize,
    patience: Duration,
    held: Mutex<usize>,
}

impl Default for Bodies {
    fn default() -> Self {
        Bodies { most: ALL_BYTES, patience: PATIENCE, held: Mutex::default() }
    }
}

/// The part of one message. It is given back when this is dropped.
#[derive(Debug)]
pub(super) struct Part {
    of: Arc<Bodies>,
    bytes: usize,
}

/// Why a message is not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum Refused {
    /// It is too long.
    #[error("the message has more than {MESSAGE_BYTES} bytes")]
    TooLong,
    /// Others are being read or answered.
    #[error(
        "the gateway holds at most {most} bytes of long messages at a time, and there is no room for this one now; \
         send it again in a moment"
    )]
    Full {
        /// The limit.
        most: usize,
    },
    /// The connection broke, or its framing is wrong.
    #[error("the message broke off or cannot be read")]
    Broken,
    /// It took too long.
    #[error("the message took longer than {} s", PATIENCE.as_secs())]
    Late,
}

impl Refused {
    pub(super) fn status(self) -> StatusCode {
        match self {
            Refused::TooLong => StatusCode::PAYLOAD_TOO_LARGE,
            Refused::Full { .. } => StatusCode::SERVICE_UNAVAILABLE,
            Refused::Broken => StatusCode::BAD_REQUEST,
            Refused::Late => StatusCode::REQUEST_TIMEOUT,
        }
    }
}

impl Bodies {
    /// Reads a body, with what it takes of the room: to be kept until the message has been answered.
    ///
    /// # Errors
    /// Why it is not taken. What is still to come of it is thrown away as it comes, so that the client
    /// reads the refusal.
    pub(super) async fn read(self: &Arc<Self>, body: Body) -> Result<(Vec<u8>, Part), Refused> {
        let announced = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
        let until = Instant::now() + self.patience;
        let mut stream = body.into_data_stream();
        let read = self.take(&mut stream, announced, until).await;
        if matches!(read, Err(Refused::TooLong | Refused::Full { .. })) {
            tokio::spawn(timeout_at(until, throw_away(stream)));
        }
        read
    }

    async fn take(
        self: &Arc<Self>,
        stream: &mut BodyDataStream,
        announced: usize,
        until: Instant,
    ) -> Result<(Vec<u8>, Part), Refused> {
        if announced > MESSAGE_BYTES {
            return Err(Refused::TooLong);
        }
        let mut part = Part { of: Arc::clone(self), bytes: 0 };
        // Said beforehand where that can be, but only what has come is held.
        if self.free() < announced.saturating_sub(OWN_BYTES) {
            return Err(Refused::Full { most: self.most });
        }
        let mut bytes = Vec::new();
        while let Some(piece) = timeout_at(until, stream.next()).await.map_err(|_| Refused::Late)? {
            let piece: Bytes = piece.map_err(|_| Refused::Broken)?;
            let length = bytes.len() + piece.len();
            if length > MESSAGE_BYTES {
                return Err(Refused::TooLong);
            }
            part.grow_to(length.saturating_sub(OWN_BYTES))?;
            if length > bytes.capacity() && length > SHORT_BYTES {
                // Where there is no such stretch it grows as it comes.
                let _ = bytes.try_reserve_exact(MESSAGE_BYTES - bytes.len());
            }
            bytes.extend_from_slice(&piece);
        }
        Ok((bytes, part))
    }

    fn free(&self) -> usize {
        self.most.saturating_sub(*self.held.lock())
    }
}

impl Part {
    fn grow_to(&mut self, bytes: usize) -> Result<(), Refused> {
        let more = bytes.saturating_sub(self.bytes);
        let mut held = self.of.held.lock();
        if *held + more > self.of.most {
            return Err(Refused::Full { most: self.of.most });
        }
        *held += more;
        self.bytes += more;
        Ok(())
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        *self.of.held.lock() -= self.bytes;
    }
}

/// Reads on without keeping anything. A client that sends no end is left at twice what a message may have.
async fn throw_away(mut stream: BodyDataStream) {
    let mut length = 0;
    while let Some(Ok(piece)) = stream.next().await {
        length += piece.len();
        if length > 2 * MESSAGE_BYTES {
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bodies(most: usize) -> Arc<Bodies> {
        Arc::new(Bodies { most, ..Bodies::default() })
    }

    fn held(bodies: &Bodies) -> usize {
        *bodies.held.lock()
    }

    /// A body in pieces, which does not say how long it is.
    fn pieces(count: usize, bytes: usize) -> Body {
        let piece = Bytes::from(vec![b' '; bytes]);
        let pieces = (0..count).map(move |_| Ok::<_, std::io::Error>(piece.clone()));
        Body::from_stream(futures_util::stream::iter(pieces))
    }

    #[tokio::test]
    async fn what_is_held_of_all_messages_is_bounded_and_given_back() {
        let bodies = bodies(1 << 20);
        let (first, kept) = bodies.read(Body::from(vec![b'x'; 800_000])).await.unwrap();
        assert_eq!((first.len(), held(&bodies)), (800_000, 800_000 - OWN_BYTES));
        // The memory may go before the message is answered; the part stays until then.
        drop(first);
        let full = Refused::Full { most: 1 << 20 };
        assert_eq!(bodies.read(Body::from(vec![b'x'; 800_000])).await.unwrap_err(), full);
        assert_eq!(bodies.read(pieces(100, 8_000)).await.unwrap_err(), full);
        assert!(full.to_string().contains("again") && full.status() == 503);
        // A refusal holds nothing, and short messages always get through.
        assert_eq!(held(&bodies), 800_000 - OWN_BYTES);
        let (short, part) = bodies.read(pieces(8, 8_000)).await.unwrap();
        assert_eq!((short.len(), part.bytes), (64_000, 0));
        drop(kept);
        assert_eq!(held(&bodies), 0);
        let (again, _part) = bodies.read(pieces(100, 8_000)).await.unwrap();
        assert_eq!(again.len(), 800_000);
        assert_eq!(held(&bodies), 800_000 - OWN_BYTES);
    }

    #[tokio::test]
    async fn a_message_that_is_too_long_or_broken_is_refused_and_holds_nothing() {
        let bodies = bodies(ALL_BYTES);
        assert_eq!(bodies.read(pieces(65, 1 << 20)).await.unwrap_err(), Refused::TooLong);
        let breaks = futures_util::stream::iter([
            Ok(Bytes::from(vec![b' '; 200_000])),
            Err(std::io::Error::other("reset")),
        ]);
        assert_eq!(bodies.read(Body::from_stream(breaks)).await.unwrap_err(), Refused::Broken);
        assert_eq!(held(&bodies), 0);
    }

    #[tokio::test]
    async fn a_message_that_does_not_come_is_given_up() {
        let bodies = Arc::new(Bodies { patience: Duration::ZERO, ..Bodies::default() });
        let body = Body::from_stream(futures_util::stream::pending::<std::io::Result<Bytes>>());
        assert_eq!(bodies.read(body).await.unwrap_err(), Refused::Late);
    }
}
