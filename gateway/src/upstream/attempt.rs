//! One attempt to start a server: connected, greeted, listed, or ended with the reason.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;

use crate::connection::{Connection, Link};
use crate::frame::{Assembler, Bounds};
use crate::http_link::HttpLink;
use crate::known::Known;
use crate::process::{self, ErrorOutput, Launch, Process};
use crate::spec::Reach;
use crate::wire::{self, Era};

use super::{Happening, Live, Upstream};
use crate::clock::unix_now;
use crate::wire::on_one_line;

/// How long what a process wrote may take to be read after its end, and its end to be seen after
/// it closed its output. On a busy machine that is not at once, and how it ended is what helps.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Lines that wait to be read by a server.
const OUTBOX: usize = 256;

impl Upstream {
    pub(super) async fn try_start(self: &Arc<Self>) -> Result<Arc<Live>, String> {
        // As the first client speaks, if the server can: then nothing need be bridged. One that is
        // known to speak only the legacy way is not asked again, as some end when they are.
        let legacy_first =
            self.terms().era == Era::Legacy || self.known().is_some_and(|known| known.legacy_only);
        let mut attempt = self.connect()?;
        let mut greeting = match legacy_first {
            true => self.initialize(&attempt.connection).await,
            false => self.probe(&attempt.connection).await,
        };
        if greeting.is_err() {
            // Refused, or gone at a request that it did not expect: the other way.
            if attempt.connection.closed().is_some()
                && matches!(self.spec.reach, Reach::Stdio { .. })
            {
                attempt.end().await;
                attempt = self.connect()?;
            }
            let second = match legacy_first {
                true => self.probe(&attempt.connection).await,
                false => self.initialize(&attempt.connection).await,
            };
            // Of two refusals the first is the one to tell.
            greeting = second.or(greeting);
        }
        let greeting = match greeting {
            Ok(greeting) => greeting,
            Err(reason) => return Err(attempt.explain(reason).await),
        };
        match (attempt.connection.link(), greeting.era) {
            (Link::Stdio(_), Era::Legacy) => {
                attempt.connection.notify("notifications/initialized", None)
            }
            (Link::Stdio(_), Era::Modern) => {}
            (Link::Http(http), era) => {
                http.agreed(era, &greeting.version);
                if era == Era::Legacy {
                    // Posts may overtake each other; nothing may overtake this one.
                    let _ =
                        http.post_note(wire::notification("notifications/initialized", None)).await;
                    http.follow(&attempt.connection);
                }
            }
        }
        let mut tools = if greeting.capabilities.get(&["tools"]).is_some() {
            match self.list_live(&attempt.connection, greeting.era, "tools/list", "tools").await {
                Ok(tools) => tools,
                Err(reason) => return Err(attempt.explain(reason).await),
            }
        } else {
            Vec::new()
        };
        if let (Link::Http(http), Era::Modern) = (attempt.connection.link(), greeting.era) {
            self.note_headers(http, &mut tools);
        }
        let version = greeting.version;
        let known = Known {
            era: greeting.era,
            legacy_only: greeting.legacy_only,
            modern_only: self.known().is_some_and(|known| known.modern_only),
            version: version.clone(),
            info: greeting.info,
            capabilities: greeting.capabilities,
            instructions: greeting.instructions,
            tools,
            lists: BTreeMap::new(),
            listed_at: unix_now(),
            pins: BTreeMap::new(),
            changed: BTreeMap::new(),
        };
        self.learn(|_| Some(known));
        self.tell_base(greeting.era);
        Ok(Arc::new(attempt.keep(greeting.era, version)))
    }

    /// Starts the process, or gets ready to post; nothing is said yet.
    fn connect(self: &Arc<Self>) -> Result<Attempt, String> {
        let (strays, mut said) = mpsc::channel(64);
        let happenings = self.around.happenings.clone();
        let this = Arc::downgrade(self);
        tokio::spawn(async move {
            while let Some(stray) = said.recv().await {
                let Some(this) = this.upgrade() else { break };
                let _ = happenings.send(Happening::Said(this, stray)).await;
            }
        });
        match &self.spec.reach {
            Reach::Http { url, headers } => {
                let link = HttpLink::new(url, headers, self.around.bounds.clone())?;
                let connection = Connection::new(Link::Http(Arc::new(link)), strays);
                Ok(Attempt {
                    connection,
                    process: None,
                    errors: ErrorOutput::default(),
                    drained: Arc::default(),
                    tasks: Vec::new(),
                })
            }
            Reach::Stdio { command, args, env, cwd } => {
                let launch = Launch {
                    command,
                    args,
                    inherit: &self.spec.inherit,
                    env,
                    cwd: cwd.as_deref(),
                    guard: self.around.guard.as_ref(),
                };
                let (process, mut stdin, mut stdout) = process::start(&launch)
                    .map_err(|error| format!("cannot start {command}: {error}"))?;
                let errors = process.errors.clone();
                let (lines, mut outbox) = mpsc::channel::<String>(OUTBOX);
                let connection = Connection::new(Link::Stdio(lines), strays);
                let writer = tokio::spawn(async move {
                    while let Some(line) = outbox.recv().await {
                        if stdin.write_all(&on_one_line(line)).await.is_err() {
                            break;
                        }
                    }
                });
                let reading = Arc::clone(&connection);
                let bounds = self.around.bounds.clone();
                let drained = Arc::new(tokio::sync::Notify::new());
                let at_end = Arc::clone(&drained);
                let reader = tokio::spawn(async move {
                    let end = read_lines(&mut stdout, bounds, &reading).await;
                    at_end.notify_one();
                    // The process that ends closes its output first; how it ended says more.
                    tokio::time::sleep(LAST_WORDS).await;
                    reading.close(&end);
                });
                Ok(Attempt {
                    connection,
                    process: Some(process),
                    errors,
                    drained,
                    tasks: vec![writer, reader],
                })
            }
        }
    }
}

/// A server that was started and has not greeted yet.
struct Attempt {
    connection: Arc<Connection>,
    process: Option<Process>,
    errors: ErrorOutput,
    /// Told when all that the process wrote has been read.
    drained: Arc<tokio::sync::Notify>,
    tasks: Vec<JoinHandle<()>>,
}

impl Attempt {
    async fn end(&mut self) {
        self.connection.close("it did not get ready");
        self.tasks.drain(..).for_each(|task| task.abort());
        if let Some(process) = self.process.take() {
            tokio::spawn(process.stop());
        }
    }

    /// The reason, with how the process ended and the last of its error output.
    async fn explain(mut self, reason: String) -> String {
        let mut text = reason;
        if let Some(process) = &mut self.process
            && let Ok(end) = tokio::time::timeout(LAST_WORDS, process.wait()).await
        {
            text = format!("{text}; {end}");
        }
        let tail = self.errors.tail(400);
        if !tail.is_empty() {
            text = format!("{text}; its error output ends with: {tail}");
        }
        self.end().await;
        text
    }

    fn keep(mut self, era: Era, version: String) -> Live {
        let connection = Arc::clone(&self.connection);
        let tasks = std::mem::take(&mut self.tasks);
        let mut process = self.process.take();
        let watched = Arc::clone(&connection);
        let drained = Arc::clone(&self.drained);
        let keeper = tokio::spawn(async move {
            if let Some(process) = &mut process {
                tokio::select! {
                    _ = watched.wait_closed() => {}
                    end = process.wait() => {
                        // Its last words may still be in the pipe.
                        let _ = tokio::time::timeout(LAST_WORDS, drained.notified()).await;
                        watched.close(&end);
                    }
                }
            } else {
                watched.wait_closed().await;
                if let Link::Http(http) = watched.link() {
                    http.goodbye().await;
                }
            }
            // With the writer gone the server's input is closed: its signal to end.
            tasks.iter().for_each(JoinHandle::abort);
            if let Some(process) = process {
                process.stop().await;
            }
        });
        Live {
            connection,
            era,
            version,
            keeper: Mutex::new(Some(keeper)),
            errors: self.errors.clone(),
            log_level: Mutex::default(),
        }
    }
}

impl Drop for Attempt {
    fn drop(&mut self) {
        // Given up on in the middle, by the start budget: nothing may go on.
        if self.process.is_some() || !self.tasks.is_empty() {
            self.connection.close("it did not get ready");
            self.tasks.drain(..).for_each(|task| task.abort());
            if let (Some(process), Ok(runtime)) =
                (self.process.take(), tokio::runtime::Handle::try_current())
            {
                runtime.spawn(process.stop());
            }
        }
    }
}

async fn read_lines(
    stdout: &mut tokio::process::ChildStdout,
    bounds: Bounds,
    connection: &Arc<Connection>,
) -> String {
    let mut assembler = Assembler::new(bounds);
    let mut buffer = vec![0; 64 * 1024];
    loop {
        let read = match stdout.read(&mut buffer).await {
            Ok(0) => return "it closed its output".to_owned(),
            Ok(read) => read,
            Err(error) => return format!("its output cannot be read: {error}"),
        };
        let mut rest = &buffer[..read];
        while let Some(end) = memchr::memchr(b'\n', rest) {
            let pushed = assembler.push(&rest[..end]);
            rest = &rest[end + 1..];
            match pushed.and_then(|()| assembler.finish()) {
                Ok(Some(frame)) => connection.receive(frame, None).await,
                Ok(None) => {}
                Err(error) => return format!("a message could not be kept: {error}"),
            }
        }
        if let Err(error) = assembler.push(rest) {
            return format!("a message could not be kept: {error}");
        }
    }
}
