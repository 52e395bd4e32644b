//! Signals that end a command, and reading that they end: what was begun is then given up in good order.

use std::io::{self, Read};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;
use std::time::Duration;

/// Bytes that are read at once.
const CHUNK_BYTES: usize = 256 * 1024;

/// How long a signal waits for the rest of the command to end by itself.
const PATIENCE: Duration = Duration::from_secs(3);

/// What a shell expects of a command that was interrupted.
const INTERRUPTED: i32 = 130;

type Event = io::Result<Vec<u8>>;

/// The bytes of a reader, until they end or the command is told to stop.
pub(crate) struct Interruptible {
    events: Receiver<Event>,
    chunk: Vec<u8>,
    at: usize,
}

/// Ends with "stopped" where a read would go on after a signal. Where the command is not reading any
/// more, it has a few seconds to come to its end.
pub(crate) fn interruptible(mut reader: impl Read + Send + 'static) -> Interruptible {
    let (sender, events) = sync_channel(1);
    let signals: SyncSender<Event> = sender.clone();
    thread::spawn(move || {
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
            return;
        };
        runtime.block_on(stop_signal());
        thread::spawn(move || signals.send(Err(io::Error::other("stopped"))));
        thread::sleep(PATIENCE);
        std::process::exit(INTERRUPTED);
    });
    thread::spawn(move || {
        loop {
            let mut chunk = vec![0; CHUNK_BYTES];
            let event = match reader.read(&mut chunk) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => Err(error),
                Ok(n) => {
                    chunk.truncate(n);
                    Ok(chunk)
                }
            };
            let is_over = !event.as_ref().is_ok_and(|chunk| !chunk.is_empty());
            if sender.send(event).is_err() || is_over {
                return;
            }
        }
    });
    Interruptible { events, chunk: Vec::new(), at: 0 }
}

impl Read for Interruptible {
    fn read(&mut self, buf: &mut [u8]) -> io::Result<usize> {
        if self.at == self.chunk.len() {
            // Both senders gone: the end was told before.
            self.chunk = self.events.recv().unwrap_or_else(|_| Ok(Vec::new()))?;
            self.at = 0;
        }
        let n = (&self.chunk[self.at..]).read(buf)?;
        self.at += n;
        Ok(n)
    }
}

/// Waits until the command is told to stop.
pub(crate) async fn stop_signal() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut term), Ok(mut interrupt)) =
            (signal(SignalKind::terminate()), signal(SignalKind::interrupt()))
        {
            tokio::select! {
                _ = term.recv() => {}
                _ = interrupt.recv() => {}
            }
            return;
        }
    }
    let _ = tokio::signal::ctrl_c().await;
}
