//! Streams of a legacy session that can be taken up again: each event has an id, and a client whose
//! connection broke names the last one that it got.
//!
//! A stream is a log that a connection reads from. What was read is kept for a while, in bounds; what was
//! not read holds up whoever writes, and nothing is dropped.

use std::collections::{BTreeMap, VecDeque};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::body::{Body, Bytes};
use axum::response::Response;
use futures_util::stream::{self, Stream, StreamExt as _};
use tokio::sync::{Notify, watch};
use tokio::time::Instant;

use crate::session::Outgoing;

use super::event::{KEEP_ALIVE, event_stream};
use super::pieces::pieces;
use weir_base::Mutex;

/// Events that wait to be read before whoever writes waits.
const UNREAD: usize = 256;

/// Events of a stream, and bytes of them, that are kept after they were read. The last one is always kept.
const KEPT: usize = 64;
const KEPT_BYTES: usize = 256 << 10;

/// Streams of a session that are over, and how long they are kept.
const OVER: usize = 8;
const OVER_TIME: Duration = Duration::from_secs(120);

/// How soon a client should come back, in milliseconds.
const RETRY_MS: u64 = 1_000;

/// The stream of what belongs to no request.
const GENERAL: u64 = 0;

#[derive(Debug, Default)]
struct State {
    events: VecDeque<Outgoing>,
    /// The place of the first event that is kept.
    first: u64,
    /// The place behind the last event that was read.
    read: u64,
    bytes: usize,
    over: Option<Instant>,
    /// The connection that reads now; the one before it is given up.
    reader: u64,
    open: bool,
    /// The session is over: nobody comes for what is written now.
    closed: bool,
}

impl State {
    fn end(&self) -> u64 {
        self.first + self.events.len() as u64
    }

    fn trim(&mut self) {
        while self.first < self.read
            && self.events.len() > 1
            && (self.read - self.first > KEPT as u64 || self.bytes > KEPT_BYTES)
        {
            let Some(gone) = self.events.pop_front() else { return };
            self.bytes -= size(&gone);
            self.first += 1;
        }
    }
}

/// What an event takes of the memory.
fn size(event: &Outgoing) -> usize {
    match event {
        Outgoing::Text(text) => text.len(),
        Outgoing::Spooled { head, tail, .. } => head.len() + tail.len(),
    }
}

/// One stream.
#[derive(Debug)]
pub(super) struct Log {
    number: Option<u64>,
    state: Mutex<State>,
    /// Told to whoever reads.
    changed: watch::Sender<u64>,
    /// Told to the one who writes.
    room: Notify,
}

impl Log {
    pub(super) fn new(number: Option<u64>) -> Arc<Log> {
        Arc::new(Log {
            number,
            state: Mutex::default(),
            changed: watch::Sender::new(0),
            room: Notify::new(),
        })
    }

    fn tell(&self) {
        self.changed.send_modify(|count| *count = count.wrapping_add(1));
    }

    /// The line with the id of an event.
    fn id_of(&self, place: u64) -> String {
        self.number.map_or_else(String::new, |number| format!("id: {number}-{place}\n"))
    }

    /// Adds an event, once there is room.
    pub(super) async fn push(&self, event: Outgoing) {
        loop {
            {
                let mut state = self.state.lock();
                if state.closed {
                    return;
                }
                if state.end() - state.read < UNREAD as u64 {
                    state.bytes += size(&event);
                    state.events.push_back(event);
                    state.trim();
                    break;
                }
            }
            self.room.notified().await;
        }
        self.tell();
    }

    /// Says that nothing comes any more.
    pub(super) fn finish(&self) {
        self.state.lock().over = Some(Instant::now());
        self.tell();
    }

    /// Whether a connection reads it.
    pub(super) fn is_open(&self) -> bool {
        self.state.lock().open
    }

    /// A response that reads it from an event on. With `prime` it begins with an id, so that the client can
    /// come back before anything was said.
    pub(super) fn read_from(self: &Arc<Self>, place: u64, prime: bool) -> Response {
        let number = {
            let mut state = self.state.lock();
            state.reader += 1;
            state.open = true;
            state.reader
        };
        self.tell();
        let first = prime.then(|| {
            let id = format!("{}retry: {RETRY_MS}\ndata: \n\n", self.id_of(place));
            Ok::<_, std::io::Error>(Bytes::from(id))
        });
        let reader = Reader {
            log: Arc::clone(self),
            number,
            place,
            changed: self.changed.subscribe(),
            now: None,
        };
        let events =
            stream::unfold(
                reader,
                |mut reader| async move { Some((reader.next().await?, reader)) },
            );
        event_stream(Body::from_stream(stream::iter(first).chain(events)))
    }
}

struct Reader {
    log: Arc<Log>,
    number: u64,
    /// The event that comes next.
    place: u64,
    changed: watch::Receiver<u64>,
    /// What is still to be sent of the event before it.
    now: Option<Pin<Box<dyn Stream<Item = std::io::Result<Bytes>> + Send>>>,
}

enum Found {
    Event(Outgoing),
    Nothing,
    End,
}

impl Reader {
    fn look(&mut self) -> Found {
        let mut state = self.log.state.lock();
        if state.reader != self.number {
            return Found::End;
        }
        self.place = self.place.max(state.first);
        state.read = state.read.max(self.place);
        state.trim();
        let index = (self.place - state.first) as usize;
        match (state.events.get(index), state.over) {
            (Some(event), _) => Found::Event(event.clone()),
            (None, Some(_)) => Found::End,
            (None, None) => Found::Nothing,
        }
    }

    async fn next(&mut self) -> Option<std::io::Result<Bytes>> {
        loop {
            if let Some(now) = &mut self.now {
                match now.next().await {
                    Some(piece) => return Some(piece),
                    None => {
                        self.now = None;
                        self.place += 1;
                    }
                }
            }
            self.changed.mark_unchanged();
            let found = self.look();
            self.log.room.notify_one();
            match found {
                Found::Event(event) => {
                    let head = format!("{}event: message\ndata: ", self.log.id_of(self.place + 1));
                    self.now = Some(Box::pin(pieces(event, &head)));
                }
                Found::End => return None,
                Found::Nothing => tokio::select! {
                    changed = self.changed.changed() => changed.ok()?,
                    () = tokio::time::sleep(KEEP_ALIVE) => return Some(Ok(Bytes::from_static(b":\n\n"))),
                },
            }
        }
    }
}

impl Drop for Reader {
    fn drop(&mut self) {
        let mut state = self.log.state.lock();
        if state.reader == self.number {
            state.open = false;
        }
    }
}

/// The streams of a session.
#[derive(Debug)]
pub(super) struct Streams {
    next: AtomicU64,
    general: Arc<Log>,
    logs: Mutex<BTreeMap<u64, Arc<Log>>>,
}

impl Streams {
    pub(super) fn new() -> Arc<Streams> {
        Arc::new(Streams {
            next: AtomicU64::new(GENERAL + 1),
            general: Log::new(Some(GENERAL)),
            logs: Mutex::default(),
        })
    }

    /// What belongs to no request.
    pub(super) fn general(&self) -> &Arc<Log> {
        &self.general
    }

    /// A further stream.
    pub(super) fn open(&self) -> Arc<Log> {
        self.forget_old();
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let log = Log::new(Some(number));
        self.logs.lock().insert(number, Arc::clone(&log));
        log
    }

    /// Forgets streams that are over for long, or are too many.
    pub(super) fn forget_old(&self) {
        let mut logs = self.logs.lock();
        logs.retain(|_, log| log.state.lock().over.is_none_or(|over| over.elapsed() < OVER_TIME));
        let over: Vec<u64> = logs
            .iter()
            .filter(|(_, log)| log.state.lock().over.is_some())
            .map(|(n, _)| *n)
            .collect();
        for number in over.iter().take(over.len().saturating_sub(OVER)) {
            logs.remove(number);
        }
    }

    /// The stream and the place behind the event with this id; `None` when that is not kept.
    pub(super) fn after(&self, id: &str) -> Option<(Arc<Log>, u64)> {
        let (number, place) = id.split_once('-')?;
        let (number, place) = (number.parse::<u64>().ok()?, place.parse::<u64>().ok()?);
        let log = match number {
            GENERAL => Arc::clone(&self.general),
            number => Arc::clone(self.logs.lock().get(&number)?),
        };
        // One guard: a second one in the same expression would wait for the first for ever.
        let kept = {
            let state = log.state.lock();
            (state.first..=state.end()).contains(&place)
        };
        kept.then_some((log, place))
    }

    /// The place from which the stream of what belongs to no request is read on.
    pub(super) fn unread(&self) -> u64 {
        self.general.state.lock().read
    }
}

impl Drop for Streams {
    fn drop(&mut self) {
        let logs = std::mem::take(&mut *self.logs.lock());
        for log in logs.values().chain([&self.general]) {
            log.state.lock().closed = true;
            log.room.notify_one();
        }
    }
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt as _;

    use super::*;

    fn text(n: usize) -> Outgoing {
        Outgoing::Text(format!(r#"{{"n":{n}}}"#))
    }

    /// The next events of a response, without what keeps it alive.
    async fn take(body: &mut Body, events: usize) -> String {
        let mut text = String::new();
        while text.matches("\n\n").count() < events {
            let frame = body.frame().await.unwrap().unwrap();
            text.push_str(std::str::from_utf8(&frame.into_data().unwrap()).unwrap());
        }
        text
    }

    #[tokio::test]
    async fn who_comes_back_gets_what_came_after_the_last_event_and_nothing_twice() {
        let streams = Streams::new();
        let log = streams.open();
        for n in 1..=3 {
            log.push(text(n)).await;
        }
        let mut body = log.read_from(0, true).into_body();
        let first = take(&mut body, 3).await;
        assert!(first.starts_with("id: 1-0\nretry: 1000\ndata: \n\nid: 1-1\n"), "{first}");
        assert!(first.ends_with("id: 1-2\nevent: message\ndata: {\"n\":2}\n\n"), "{first}");
        drop(body);
        let (found, place) = streams.after("1-1").unwrap();
        let body = found.read_from(place, false).into_body();
        log.push(text(4)).await;
        log.finish();
        let rest = body.collect().await.unwrap().to_bytes();
        let rest = std::str::from_utf8(&rest).unwrap();
        let ids: Vec<&str> = rest.lines().filter_map(|line| line.strip_prefix("id: ")).collect();
        assert_eq!(ids, ["1-2", "1-3", "1-4"]);
        // Also after the end, for whoever lost it.
        let (found, place) = streams.after("1-3").unwrap();
        let again = found.read_from(place, false).into_body().collect().await.unwrap().to_bytes();
        assert!(again.starts_with(b"id: 1-4\n"));
        for unknown in ["1-5", "2-0", "x", "1-", "-1"] {
            assert!(streams.after(unknown).is_none(), "{unknown}");
        }
    }

    #[tokio::test]
    async fn what_nobody_reads_holds_up_the_writer_and_what_was_read_is_bounded() {
        let streams = Streams::new();
        let log = streams.open();
        let writing = Arc::clone(&log);
        let writer = tokio::spawn(async move {
            for n in 0..2_000 {
                writing.push(text(n)).await;
            }
            writing.finish();
        });
        tokio::time::timeout(Duration::from_secs(60), async {
            while log.state.lock().events.len() < UNREAD {
                tokio::task::yield_now().await;
            }
        })
        .await
        .unwrap();
        assert!(!writer.is_finished() && log.state.lock().events.len() == UNREAD);
        let all = log.read_from(0, false).into_body().collect().await.unwrap().to_bytes();
        let all = std::str::from_utf8(&all).unwrap();
        assert_eq!(all.matches("\"n\"").count(), 2_000);
        assert!(all.contains("{\"n\":1999}"));
        writer.await.unwrap();
        let kept = log.state.lock().events.len();
        assert!(kept <= KEPT + 1, "{kept}");
        // Streams that are over are few.
        for _ in 0..100 {
            streams.open().finish();
        }
        assert!(streams.logs.lock().len() <= OVER + 1);
    }

    #[tokio::test]
    async fn a_second_connection_takes_the_stream_over() {
        let streams = Streams::new();
        let log = streams.open();
        let old = log.read_from(0, false).into_body();
        assert!(log.is_open());
        let mut new = log.read_from(0, false).into_body();
        assert!(old.collect().await.unwrap().to_bytes().is_empty());
        assert!(log.is_open(), "the end of the old one is not that of the new one");
        log.push(text(1)).await;
        assert!(take(&mut new, 1).await.contains("{\"n\":1}"));
        drop(new);
        assert!(!log.is_open());
    }
}
