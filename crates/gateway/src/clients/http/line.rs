//! What a client hears on a stream of events: a line between whoever writes and the connection that reads.

use std::pin::Pin;
use std::sync::Arc;

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::sync::mpsc;

use crate::clients::session::Outgoing;

use super::event::{KEEP_ALIVE, event_stream};
use super::pieces::pieces;
use weir_base::Mutex;

/// Events that wait to be read before whoever writes waits.
const UNREAD: usize = 256;

/// The line of what belongs to no request of a session. It outlives its connections, of which there is one at a time:
/// what is written while there is none waits for the next.
#[derive(Debug)]
pub(super) struct General {
    unread: Mutex<Option<mpsc::Receiver<Outgoing>>>,
}

impl General {
    /// A line, and its end to write to.
    pub(super) fn new() -> (Arc<General>, mpsc::Sender<Outgoing>) {
        let (sender, unread) = mpsc::channel(UNREAD);
        (Arc::new(General { unread: Mutex::new(Some(unread)) }), sender)
    }

    /// Whether a connection reads it.
    pub(super) fn is_open(&self) -> bool {
        self.unread.lock().is_none()
    }

    /// A response that reads it, unless another one does.
    pub(super) fn read(self: &Arc<Self>) -> Option<Response> {
        let unread = self.unread.lock().take()?;
        Some(Reader { unread: Some(unread), general: Some(Arc::clone(self)), now: None }.response())
    }
}

/// A line for the answers to requests, and the response that reads it. When the connection breaks, what is written
/// is lost, and nobody waits.
pub(super) fn line() -> (mpsc::Sender<Outgoing>, Response) {
    let (sender, unread) = mpsc::channel(UNREAD);
    (sender, Reader { unread: Some(unread), general: None, now: None }.response())
}

struct Reader {
    unread: Option<mpsc::Receiver<Outgoing>>,
    /// Where the line goes back to.
    general: Option<Arc<General>>,
    /// What is still to be sent of an event.
    now: Option<Pin<Box<dyn Stream<Item = std::io::Result<Bytes>> + Send>>>,
}

impl Reader {
    fn response(self) -> Response {
        event_stream(Body::from_stream(stream::unfold(self, |mut reader| async move {
            Some((reader.next().await?, reader))
        })))
    }

    async fn next(&mut self) -> Option<std::io::Result<Bytes>> {
        loop {
            if let Some(now) = &mut self.now {
                match now.next().await {
                    Some(piece) => return Some(piece),
                    None => self.now = None,
                }
            }
            match tokio::time::timeout(KEEP_ALIVE, self.unread.as_mut()?.recv()).await {
                Ok(event) => self.now = Some(Box::pin(pieces(event?, "event: message\ndata: "))),
                Err(_) => return Some(Ok(Bytes::from_static(b":\n\n"))),
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        if let Some(general) = &self.general {
            *general.unread.lock() = self.unread.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use http_body_util::BodyExt as _;

    use super::*;

    fn text(n: usize) -> Outgoing {
        Outgoing::Text(format!(r#"{{"n":{n}}}"#))
    }

    #[tokio::test]
    async fn what_nobody_hears_waits_for_the_next_connection_and_there_is_one_at_a_time() {
        let (general, sender) = General::new();
        let first = general.read().unwrap();
        assert!(general.is_open() && general.read().is_none());
        drop(first);
        assert!(!general.is_open());
        for n in 0..UNREAD {
            sender.send(text(n)).await.unwrap();
        }
        assert!(sender.try_send(text(0)).is_err(), "who writes waits");
        let mut body = general.read().unwrap().into_body();
        let frame = body.frame().await.unwrap().unwrap().into_data().unwrap();
        assert_eq!(frame, "event: message\ndata: {\"n\":0}\n\n");
        drop(body);
        drop(sender);
        let rest = general.read().unwrap().into_body().collect().await.unwrap().to_bytes();
        let rest = std::str::from_utf8(&rest).unwrap();
        assert_eq!(
            (rest.matches("data: ").count(), rest.contains("{\"n\":255}")),
            (UNREAD - 1, true)
        );
        // The session is over: who writes hears of it.
        let (general, sender) = General::new();
        drop(general);
        assert!(sender.send(text(0)).await.is_err());
    }

    #[tokio::test]
    async fn who_writes_an_answer_does_not_wait_for_a_connection_that_broke() {
        let (sender, response) = line();
        drop(response);
        let writing = async {
            for n in 0..2 * UNREAD {
                let _ = sender.send(text(n)).await;
            }
        };
        tokio::time::timeout(Duration::from_secs(60), writing).await.unwrap();
    }
}
