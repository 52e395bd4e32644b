//! One gateway for several clients on standard streams: each is a process that passes its streams on to a
//! socket, which only this user can open.
//!
//! A connection begins with a line of its own, which says whose results the client reads and stores. After
//! it come the client's messages as on standard streams.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt as _, AsyncReadExt as _, BufReader};
use tokio::net::UnixListener;
use tokio::sync::Notify;

use crate::clients::identity::Identity;
use crate::clients::stdio;
use crate::gateway::Gateway;

/// Bytes of the line that a connection begins with, and how long it may take.
const GREETING_BYTES: u64 = 64 << 10;
const GREETING: Duration = Duration::from_secs(10);

/// What a connection begins with.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Greeting {
    /// The session of the store that the client reads from and writes to.
    pub session: String,
}

/// Serves the clients that come to a socket, until none was there for `idle`.
///
/// # Errors
/// When no client can be taken any more.
pub async fn serve(
    gateway: &Arc<Gateway>,
    listener: UnixListener,
    idle: Duration,
) -> io::Result<()> {
    let here = Arc::new(AtomicUsize::new(0));
    let left = Arc::new(Notify::new());
    let next = AtomicU64::new(1);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = nobody_for(&here, &left, idle) => return Ok(()),
        };
        let (stream, _) = match accepted {
            Ok(accepted) => accepted,
            // Out of files: that may pass.
            Err(error) => {
                tracing::warn!("a client could not be taken: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        here.fetch_add(1, Ordering::SeqCst);
        let number = next.fetch_add(1, Ordering::Relaxed);
        let (gateway, guest) = (Arc::clone(gateway), Guest(Arc::clone(&here), Arc::clone(&left)));
        tokio::spawn(async move {
            let _guest = guest;
            let (input, output) = stream.into_split();
            let mut input = BufReader::new(input);
            let mut line = String::new();
            let mut bounded = (&mut input).take(GREETING_BYTES);
            let read = tokio::time::timeout(GREETING, bounded.read_line(&mut line)).await;
            let Ok(Ok(_)) = read else { return };
            let Ok(greeting) = serde_json::from_str::<Greeting>(&line) else { return };
            let who = Identity::of_session(number, greeting.session);
            if let Err(error) = stdio::serve_as(&gateway, who, input, output).await {
                tracing::warn!("a client cannot be read: {error}");
            }
        });
    }
}

struct Guest(Arc<AtomicUsize>, Arc<Notify>);

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::SeqCst);
        self.1.notify_one();
    }
}

/// Done when nobody was here for so long.
async fn nobody_for(here: &AtomicUsize, left: &Notify, idle: Duration) {
    loop {
        if here.load(Ordering::SeqCst) > 0 {
            left.notified().await;
            continue;
        }
        tokio::select! {
            () = left.notified() => {}
            () = tokio::time::sleep(idle) => {
                if here.load(Ordering::SeqCst) == 0 {
                    return;
                }
            }
        }
    }
}
