//! One attempt to start a server: connected, greeted, listed, or ended with the reason.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, DuplexStream, ReadHalf, WriteHalf};
use tokio::sync::mpsc;
use tokio::task::JoinHandle;
use weir_openapi::{ApiServer, Client};
use weir_servers::BuiltIn;
use weir_servers::memory::folder_of;

use crate::search::names::USER_AGENT;
use crate::servers::known::Known;
use crate::servers::spec::Reach;
use crate::servers::upstream::eras::{Eras, Offer, other};
use weir_mcp::connection::{Connection, Link, Stray};
use weir_mcp::credentials::Credentials;
use weir_mcp::frame::Frame;
use weir_mcp::http_link::HttpLink;
use weir_mcp::isolation::Wanted;
use weir_mcp::lines::{self, Fault, Lines};
use weir_mcp::methods::notice;
use weir_mcp::process::{self, ErrorOutput, Launch, Process};
use weir_mcp::redact::Secrets;
use weir_mcp::wire::{self, Era};

use super::greeting::Greeting;
use super::{Happening, Live, Upstream};
use weir_base::{Mutex, unix_now};

/// How long what a process wrote may take to be read after its end, and its end to be seen after
/// it closed its output. On a busy machine that is not at once, and how it ended is what helps.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// How long a start waits for further pages of tools; afterwards they come when the server is there already.
const FIRST_PAGES: Duration = Duration::from_millis(300);

/// Why a link is closed whose server ended.
const OUTPUT_CLOSED: &str = "it closed its output";

/// Bytes on their way to a server in this process, and as many from it.
const STREAM_BYTES: usize = 64 << 10;

/// Lines that wait to be read by a server.
const OUTBOX: usize = 256;

impl Upstream {
    pub(super) async fn try_start(self: &Arc<Self>) -> Result<Arc<Live>, String> {
        let (attempt, greeting, seen) = self.greeted().await?;
        match (&attempt.http, greeting.era) {
            (None, Era::Legacy) => attempt.connection.notify(notice::INITIALIZED, None),
            (None, Era::Modern) => {}
            (Some(http), era) => {
                http.agreed(era, &greeting.version);
                if era == Era::Legacy {
                    // Posts may overtake each other; nothing may overtake this one.
                    let _ = http.post_note(wire::notification(notice::INITIALIZED, None)).await;
                    http.follow(&attempt.connection);
                }
            }
        }
        let http = attempt.http.as_ref();
        let mut pages =
            self.tool_pages(&attempt.connection, greeting.era, http, &greeting.capabilities);
        let first = async {
            let more = self.next_page(&mut pages).await?;
            Ok((more, pages.so_far()))
        };
        let (more, listed) = match first.await {
            Ok(first) => first,
            Err(reason) => return Err(attempt.explain(reason, &self.spec.secrets).await),
        };
        // Half a list takes the place of no whole one.
        let whole = self.known().filter(|known| more && !known.partial);
        let ((tools, cut), listed_at, listed_for, partial) = match whole {
            Some(known) => {
                let listed = (known.tools.clone(), known.cut);
                (listed, known.listed_at, known.listed_for.clone(), false)
            }
            None => (listed, unix_now(), self.listed_for(), more),
        };
        // Said before anything of it is known: who finds less than he asked for waits for the rest.
        self.whole.send_replace(!more);
        let version = greeting.version;
        let known = Known {
            era: greeting.era,
            eras: seen,
            version: version.clone(),
            info: greeting.info,
            capabilities: greeting.capabilities,
            instructions: greeting.instructions,
            tools,
            lists: BTreeMap::new(),
            listed_at,
            listed_for,
            pins: BTreeMap::new(),
            changed: BTreeMap::new(),
            former: BTreeMap::new(),
            left_out: BTreeMap::new(),
            other_pins: BTreeMap::new(),
            cut,
            partial,
        };
        self.learn(|before| Some(known.after(before)));
        self.tell_base(seen);
        if more {
            // A server of few pages is there with all of them; no slow page holds up the first ones.
            let rest = tokio::spawn(Arc::clone(self).list_rest(pages));
            let _ = tokio::time::timeout(FIRST_PAGES, rest).await;
        }
        Ok(Arc::new(attempt.keep(greeting.era, version)))
    }

    /// Connects a server and greets it, in the era in which it answers and is to be spoken to. With what it is seen to
    /// offer in each.
    async fn greeted(self: &Arc<Self>) -> Result<(Attempt, Greeting, Eras), String> {
        // One that is known to speak only the legacy way is not asked in the modern one, as some end when they are.
        let (first, before) = (self.first_era(), self.eras());
        let mut seen = Eras::default();
        let old = matches!(self.spec.reach, Reach::Http { sse: true, .. });
        let mut attempt = self.connect(old)?;
        let mut greeting = self.greet(&mut attempt, first).await;
        if greeting.is_err() {
            // Who has to log in has to do so in either way.
            if self.bearer.as_ref().is_some_and(|bearer| bearer.needed().is_some()) {
                return Err(attempt
                    .explain("nobody is logged in".to_owned(), &self.spec.secrets)
                    .await);
            }
            // Refused, or gone at a request that it did not expect: the other way.
            // One that ended at `initialize` has not refused it.
            let is_gone = attempt.connection.closed().is_some();
            if is_gone {
                self.connect_again(&mut attempt).await?;
            }
            let second = match old {
                true => Err(String::new()),
                false => self.greet(&mut attempt, other(first)).await,
            };
            if !is_gone || first == Era::Modern {
                seen.note(first, Offer::Nothing);
            }
            // Of two refusals the first is the one to tell.
            greeting = second.or(greeting);
        }
        // An endpoint that takes no posts may be one of the transport before this one.
        if greeting.is_err() && attempt.http.as_ref().is_some_and(|http| http.refuses_posts()) {
            let mut older = self.connect(true)?;
            if let Ok(greeted) = self.initialize(&older.connection).await {
                std::mem::swap(&mut attempt, &mut older);
                greeting = Ok(Greeting { legacy_only: true, ..greeted });
            }
            older.end().await;
        }
        // Seen in the modern era, it has nothing there that it may lack in its client's own: then nothing need be bridged.
        if let Ok(modern) = &greeting
            && modern.era == Era::Modern
            && modern.note(seen).over(before).home(self.terms().era) == Some(Era::Legacy)
        {
            seen = modern.note(seen);
            self.connect_again(&mut attempt).await?;
            let legacy = self.greet(&mut attempt, Era::Legacy).await;
            greeting = match legacy {
                Ok(legacy) => Ok(legacy),
                Err(_) => {
                    seen.note(Era::Legacy, Offer::Nothing);
                    self.greet(&mut attempt, Era::Modern).await
                }
            };
        }
        let greeting = match greeting {
            Ok(greeting) => greeting,
            Err(reason) => return Err(attempt.explain(reason, &self.spec.secrets).await),
        };
        let seen = greeting.note(seen);
        Ok((attempt, greeting, seen))
    }

    /// Greets a server in one era, or sees how its process ends meanwhile.
    async fn greet(&self, attempt: &mut Attempt, era: Era) -> Result<Greeting, String> {
        let connection = Arc::clone(&attempt.connection);
        let greeting = async {
            match era {
                Era::Legacy => self.initialize(&connection).await,
                Era::Modern => self.probe(&connection).await,
            }
        };
        let Some(process) = &mut attempt.process else { return greeting.await };
        let mut greeting = std::pin::pin!(greeting);
        tokio::select! {
            biased;
            greeted = &mut greeting => return greeted,
            _ = process.wait() => {}
        }
        // What it wrote before its end still counts.
        let _ = tokio::time::timeout(LAST_WORDS, attempt.drained.notified()).await;
        connection.close(OUTPUT_CLOSED);
        greeting.await
    }

    /// Starts the process once more, where there is one: it is gone, or has chosen its era by how it was greeted.
    async fn connect_again(self: &Arc<Self>, attempt: &mut Attempt) -> Result<(), String> {
        if !matches!(self.spec.reach, Reach::Stdio { .. }) {
            return Ok(());
        }
        // Two at once may be in each other's way.
        if let Some(process) = attempt.close() {
            process.stop().await;
        }
        *attempt = self.connect(false)?;
        Ok(())
    }

    /// Starts the process, or gets ready to post; nothing is said yet. `old` is for an endpoint of the
    /// transport of 2024-11-05.
    fn connect(self: &Arc<Self>, old: bool) -> Result<Attempt, String> {
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
            Reach::Http { url, headers, .. } => {
                let bearer = self.bearer.clone().map(|bearer| bearer as Arc<dyn Credentials>);
                let (bounds, tls) = (self.around.bounds.clone(), &self.spec.tls);
                let link = Arc::new(HttpLink::new(url, USER_AGENT, headers, tls, bearer, bounds)?);
                let mut tasks = Vec::new();
                let mut http = None;
                let connection = if old {
                    let (lines, outbox) = mpsc::channel(OUTBOX);
                    let connection = Connection::new(Link::Lines(lines), strays);
                    let stream = Arc::clone(&connection);
                    tasks.push(tokio::spawn(async move {
                        let reason = link.run_events(&stream, outbox).await;
                        stream.close(&reason);
                    }));
                    connection
                } else {
                    http = Some(Arc::clone(&link));
                    Connection::new(Link::Posts(link), strays)
                };
                let (process, errors, drained) = Default::default();
                Ok(Attempt { connection, http, process, errors, drained, tasks })
            }
            Reach::BuiltIn(server) => {
                let server = match server {
                    BuiltIn::Memory(directory) => {
                        let directory = self.around.state.join(directory);
                        BuiltIn::Memory(folder_of(&directory, self.person()))
                    }
                    other => other.clone(),
                };
                let screen = self.around.screen.clone();
                Ok(self.in_process(strays, |input, output| server.serve(screen, input, output)))
            }
            Reach::OpenApi(api) => {
                let (name, tls) = (self.name().to_owned(), self.spec.tls.clone());
                let secrets = self.spec.secrets.clone();
                let client = Client { name, agent: USER_AGENT, tls, secrets };
                let server = Arc::new(ApiServer::new(api.clone(), client));
                Ok(self
                    .in_process(strays, |input, output| weir_servers::serve(server, input, output)))
            }
            Reach::Stdio { command, args, env, cwd } => {
                // The system says of either that there is no such file.
                let cwd = cwd.as_deref();
                if let Some(cwd) = cwd.filter(|cwd| !cwd.is_dir()) {
                    let whole = "; write the whole path in place of ~";
                    let hint = if cwd.starts_with("~") { whole } else { "" };
                    return Err(format!("its cwd {} is no directory{hint}", cwd.display()));
                }
                let isolated = self.isolated(command, args, env, cwd)?;
                let (command, args) = isolated.as_ref().map_or((command, args), |(c, a)| (c, a));
                let (inherited, guard) = (self.spec.inherit.now(), self.around.guard.as_ref());
                let launch = Launch { command, args, inherited, env, cwd, guard };
                let (process, stdin, stdout) = process::start(&launch)
                    .map_err(|error| format!("cannot start {command}: {error}"))?;
                Ok(self.on_lines(Some(process), stdout, stdin, strays))
            }
        }
    }

    /// A server in this process, which serves on the other end of a stream in memory.
    fn in_process<S: Future<Output = std::io::Result<()>> + Send + 'static>(
        &self,
        strays: mpsc::Sender<Stray>,
        serve: impl FnOnce(ReadHalf<DuplexStream>, WriteHalf<DuplexStream>) -> S,
    ) -> Attempt {
        let (ours, theirs) = tokio::io::duplex(STREAM_BYTES);
        let (input, output) = tokio::io::split(theirs);
        let (said, told) = tokio::io::split(ours);
        let serving = serve(input, output);
        let mut attempt = self.on_lines(None, said, told, strays);
        attempt.tasks.push(tokio::spawn(async move { drop(serving.await) }));
        attempt
    }

    /// A server that speaks one message a line.
    fn on_lines(
        &self,
        process: Option<Process>,
        said: impl AsyncRead + Unpin + Send + 'static,
        told: impl AsyncWrite + Unpin + Send + 'static,
        strays: mpsc::Sender<Stray>,
    ) -> Attempt {
        let errors = process.as_ref().map(|process| process.errors.clone()).unwrap_or_default();
        let (lines, outbox) = mpsc::channel(OUTBOX);
        let connection = Connection::new(Link::Lines(lines), strays);
        {
            let mut health = self.health.lock();
            health.errors = Some(errors.clone());
            health.link = Arc::downgrade(&connection);
        }
        let writer = tokio::spawn(lines::write(told, outbox));
        let reading = Arc::clone(&connection);
        let of = (self.name().to_owned(), self.spec.secrets.clone());
        let mut said = Lines::new(said, self.around.bounds.clone());
        let drained = Arc::new(tokio::sync::Notify::new());
        let at_end = Arc::clone(&drained);
        let reader = tokio::spawn(async move {
            let end = read_lines(&mut said, &reading, &of).await;
            at_end.notify_one();
            // The process that ends closes its output first; how it ended says more.
            tokio::time::sleep(LAST_WORDS).await;
            reading.close(&end);
        });
        Attempt { connection, http: None, process, errors, drained, tasks: vec![writer, reader] }
    }

    /// How it is started within its isolation, where it has one.
    fn isolated(
        &self,
        command: &str,
        args: &[String],
        env: &BTreeMap<String, String>,
        cwd: Option<&Path>,
    ) -> Result<Option<(String, Vec<String>)>, String> {
        let Some(isolation) = &self.spec.isolation else { return Ok(None) };
        let path = env.get("PATH").map(String::as_str);
        let find = |name: &str| process::find_program(name, cwd, path);
        let home = std::env::var_os("HOME").map(PathBuf::from);
        let wanted = Wanted { command, args, env, cwd };
        isolation.wrap(&wanted, home.as_deref(), &find).map(Some)
    }
}

/// A server that was started and has not greeted yet.
struct Attempt {
    connection: Arc<Connection>,
    /// What posts, where each message is posted by itself.
    http: Option<Arc<HttpLink>>,
    process: Option<Process>,
    errors: ErrorOutput,
    /// Told when all that the process wrote has been read.
    drained: Arc<tokio::sync::Notify>,
    tasks: Vec<JoinHandle<()>>,
}

impl Attempt {
    /// Closes the link; what there is of a process is still to be stopped.
    fn close(&mut self) -> Option<Process> {
        self.connection.close("it did not get ready");
        self.tasks.drain(..).for_each(|task| task.abort());
        self.process.take()
    }

    async fn end(&mut self) {
        if let Some(process) = self.close() {
            tokio::spawn(process.stop());
        }
    }

    /// The reason, with how the process ended and the last of its error output.
    async fn explain(mut self, reason: String, secrets: &Secrets) -> String {
        let mut text = reason;
        if let Some(process) = &mut self.process
            && let Ok(end) = tokio::time::timeout(LAST_WORDS, process.wait()).await
        {
            text = format!("{text}; {end}");
        }
        if let Some(said) = self.connection.said_besides(secrets) {
            text = format!("{text}; {said}");
        }
        let tail = self.errors.tail(400, secrets);
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
        let http = self.http.clone();
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
                if let Some(http) = http {
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
            http: self.http.take(),
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
        if (self.process.is_some() || !self.tasks.is_empty())
            && let (Some(process), Ok(runtime)) =
                (self.close(), tokio::runtime::Handle::try_current())
        {
            runtime.spawn(process.stop());
        }
    }
}

async fn read_lines(
    said: &mut Lines<impl AsyncRead + Unpin>,
    connection: &Arc<Connection>,
    (server, secrets): &(String, Secrets),
) -> String {
    loop {
        match said.next().await {
            Ok(Some(frame)) => {
                if let Frame::Noise { excerpt, .. } = &frame {
                    let line = secrets.redact_start(excerpt);
                    tracing::debug!(server, "a line on its output is no message: {line}");
                }
                connection.receive(frame, None).await;
            }
            Ok(None) => return OUTPUT_CLOSED.to_owned(),
            Err(Fault::Stream(error)) => return format!("its output cannot be read: {error}"),
            Err(error) => return error.to_string(),
        }
    }
}
