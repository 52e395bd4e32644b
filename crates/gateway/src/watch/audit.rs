//! The audit log: who called what, and how it ended. One line of JSON a call.
//!
//! What was asked and answered is not in it: arguments only as a digest, results only as a size. A
//! client is shown by the name of its token and by a digest of its identity, never by a token or a
//! session's id. An answer leaves when its line is written; a line that is lost all the same, because its
//! call was given up, is counted in the next one.

use std::fs::{File, OpenOptions};
use std::io::{self, Write as _};
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use serde::Serialize;
use sha2::{Digest as _, Sha256};
use tokio::sync::{mpsc, oneshot};

use crate::clients::session::Client;
use crate::operations::approval::desk::Question;
use weir_base::hex;
use weir_mcp::frame::Reply;
use weir_mcp::methods::Method;

/// Lines that wait to be written.
const QUEUE: usize = 1_024;

/// Characters of a name that a client or a server gave itself.
const NAME_CHARS: usize = 128;

/// Where the audit log goes, and how much of its file is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AuditOptions {
    /// The file, where there is one. Older parts are beside it, under its name and a number.
    pub file: Option<PathBuf>,
    /// Whether it goes to standard output, where no client speaks.
    pub stdout: bool,
    /// Bytes of a part.
    pub max_bytes: u64,
    /// Older parts that are kept.
    pub keep: u32,
}

impl AuditOptions {
    /// Bytes of a part, where nothing is said.
    pub const MAX_BYTES: u64 = 10 << 20;
    /// Older parts, where nothing is said.
    pub const KEEP: u32 = 4;
}

/// How a call ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Outcome {
    /// With a result.
    Ok,
    /// With an error, or a result that says that it is one.
    Error,
    /// The client is asked for something first, and comes back.
    Asks,
    /// It was over a limit, and was not made.
    Refused,
    /// It was given up before there was an answer.
    Cancelled,
}

impl Outcome {
    /// As people read it.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Outcome::Ok => "ok",
            Outcome::Error => "error",
            Outcome::Asks => "asks",
            Outcome::Refused => "refused",
            Outcome::Cancelled => "cancelled",
        }
    }

    /// How a call with this answer ended.
    pub(crate) fn of(reply: &Reply) -> Outcome {
        let result = match reply {
            Reply::Error(_) => return Outcome::Error,
            Reply::Result(result) => result,
            Reply::Spooled(spooled) => match &spooled.skeleton {
                Some(skeleton) => skeleton,
                None => return Outcome::Ok,
            },
        };
        if result.get(&["isError"]) == Some("true") {
            return Outcome::Error;
        }
        match result.text_at(&["resultType"]).as_deref() {
            Some("input_required") => Outcome::Asks,
            _ => Outcome::Ok,
        }
    }
}

/// A line.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Line {
    time: String,
    client: Who,
    method: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    server: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool: Option<String>,
    /// The digest of the arguments as the client wrote them.
    arguments: String,
    bytes_in: u64,
    bytes_out: u64,
    ms: u64,
    outcome: Outcome,
    /// What was decided of a call that somebody had to be asked about.
    #[serde(skip_serializing_if = "Option::is_none")]
    decision: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    lost: Option<NonZeroU64>,
}

impl Line {
    fn new(client: Who, called: Called<'_>) -> Line {
        Line {
            time: now(),
            client,
            method: called.method.to_owned(),
            server: called.server,
            tool: called.tool.map(|tool| clipped(&tool)),
            arguments: digest(called.arguments),
            bytes_in: called.arguments.len() as u64,
            bytes_out: 0,
            ms: 0,
            outcome: Outcome::Cancelled,
            decision: None,
            lost: None,
        }
    }
}

/// A name as that of a token, or of a person.
fn named(name: &str, is_person: bool) -> (Option<String>, Option<String>) {
    let name = Some(name.to_owned());
    if is_person { (None, name) } else { (name, None) }
}

#[derive(Debug, Serialize)]
struct Who {
    /// The name of its token; empty for a client without one.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
    /// The issuer and subject of a person.
    #[serde(skip_serializing_if = "Option::is_none")]
    subject: Option<String>,
    /// Different for different clients, and the same for one client as long as it is one.
    id: String,
    /// What it calls itself.
    name: String,
    version: String,
}

#[derive(Debug)]
enum Order {
    /// Told once it is written, where somebody waits for that.
    Write(Box<Line>, Option<oneshot::Sender<()>>),
    Flush(oneshot::Sender<()>),
}

/// The log. Copies write into the same one.
#[derive(Debug, Clone)]
pub(crate) struct Audit {
    lines: mpsc::Sender<Order>,
    lost: Arc<AtomicU64>,
}

/// What is called, for a line.
#[derive(Debug, Clone)]
pub(crate) struct Called<'a> {
    /// The method.
    pub method: &'a str,
    /// The server; `weir` for tools of the gateway's own.
    pub server: Option<String>,
    /// The tool or prompt, by its server's name of it.
    pub tool: Option<String>,
    /// The arguments as the client wrote them.
    pub arguments: &'a str,
}

impl<'a> Called<'a> {
    /// A method that asks a server.
    pub(crate) fn of(method: Method, server: &str, tool: Option<&str>, arguments: &'a str) -> Self {
        let [server, tool] = [Some(server), tool].map(|name| name.map(str::to_owned));
        Called { method: method.name(), server, tool, arguments }
    }
}

impl Audit {
    /// Begins to write. Must be called within a tokio runtime.
    pub(crate) fn open(options: AuditOptions) -> Audit {
        let (lines, orders) = mpsc::channel(QUEUE);
        tokio::task::spawn_blocking(move || write(&options, orders));
        Audit { lines, lost: Arc::default() }
    }

    /// Begins the line of a call, which is written when it ends.
    pub(crate) fn begin(&self, client: &Client, called: Called<'_>) -> Entry {
        let who = &client.session.who;
        let name = |member: &str| clipped(&client.says(member));
        let (token, subject) = named(&who.profile.name, who.profile.subject.is_some());
        let client = Who {
            token,
            subject,
            id: who.store.clone().unwrap_or_else(|| "stdio".into()),
            name: name("name"),
            version: client.version.clone(),
        };
        let line = Some(Box::new(Line::new(client, called)));
        Entry { audit: self.clone(), begun: Instant::now(), line }
    }

    /// Waits until all lines are written.
    pub(crate) async fn flush(&self) {
        let (done, written) = oneshot::channel();
        if self.lines.send(Order::Flush(done)).await.is_ok() {
            let _ = written.await;
        }
    }
}

/// The line of a call that is under way.
#[derive(Debug)]
pub(crate) struct Entry {
    audit: Audit,
    begun: Instant,
    line: Option<Box<Line>>,
}

impl Entry {
    /// The line of a decision.
    pub(crate) fn decided(mut self, decision: &'static str) -> Entry {
        if let Some(line) = &mut self.line {
            line.decision = Some(decision);
        }
        self
    }

    /// Writes the line, and waits until that is done.
    pub(crate) async fn end(mut self, outcome: Outcome, bytes_out: u64) {
        let Some(mut line) = self.line.take() else { return };
        (line.outcome, line.bytes_out, line.ms) = (outcome, bytes_out, self.ms());
        line.lost = NonZeroU64::new(self.audit.lost.swap(0, Ordering::Relaxed));
        let (done, written) = oneshot::channel();
        if self.audit.lines.send(Order::Write(line, Some(done))).await.is_ok() {
            let _ = written.await;
        }
    }

    fn ms(&self) -> u64 {
        u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX)
    }
}

impl Drop for Entry {
    fn drop(&mut self) {
        let Some(mut line) = self.line.take() else { return };
        line.ms = self.ms();
        if self.audit.lines.try_send(Order::Write(line, None)).is_err() {
            self.audit.lost.fetch_add(1, Ordering::Relaxed);
        }
    }
}

/// What the log calls a decision about a call.
pub(crate) const DECISION: &str = "weir/approval";

/// Logs that what was allowed for good is taken back. It is the command's own line, whose standard output is not the log's.
pub fn log_revoked(options: AuditOptions, decision: &Question) {
    let options = AuditOptions { stdout: false, ..options };
    // A person's name has the issuer before this sign.
    let (token, subject) = named(&decision.subject, decision.subject.contains('#'));
    let (id, name) = ("weir approve".to_owned(), "weir approve".to_owned());
    let version = env!("CARGO_PKG_VERSION").to_owned();
    let (server, tool) = decision.tool.split_once("__").unwrap_or_default();
    let called = Called {
        method: DECISION,
        server: Some(server.to_owned()),
        tool: Some(tool.to_owned()),
        arguments: &decision.arguments,
    };
    let mut line = Line::new(Who { token, subject, id, name, version }, called);
    (line.outcome, line.decision) = (Outcome::Ok, Some("revoked"));
    let (lines, orders) = mpsc::channel(1);
    if lines.try_send(Order::Write(Box::new(line), None)).is_ok() {
        drop(lines);
        write(&options, orders);
    }
}

/// The digest by which arguments are known in the log.
pub(crate) fn digest(arguments: &str) -> String {
    let digest = Sha256::digest(arguments.as_bytes());
    format!("sha256:{}", hex(&digest))
}

fn clipped(name: &str) -> String {
    name.chars().take(NAME_CHARS).collect()
}

/// The time as RFC 3339 has it, in UTC.
fn now() -> String {
    rfc3339(SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default())
}

fn rfc3339(since: Duration) -> String {
    let (year, month, date, rest) = weir_base::date(since.as_secs());
    format!(
        "{year:04}-{month:02}-{date:02}T{:02}:{:02}:{:02}.{:03}Z",
        rest / 3_600,
        rest / 60 % 60,
        rest % 60,
        since.subsec_millis()
    )
}

fn write(options: &AuditOptions, mut orders: mpsc::Receiver<Order>) {
    let mut part: Option<File> = None;
    let mut failed = [false; 2];
    while let Some(order) = orders.blocking_recv() {
        // Who waits for the line is told as this goes.
        let (line, _done) = match order {
            Order::Write(line, done) => (line, done),
            Order::Flush(done) => {
                let _ = done.send(());
                continue;
            }
        };
        let Ok(mut text) = serde_json::to_vec(&line) else { continue };
        text.push(b'\n');
        let to_file = options.file.as_ref().map(|file| {
            let appended = append(options, file, &mut part, &text);
            appended.inspect_err(|_| part = None)
        });
        let to_stdout = options.stdout.then(|| io::stdout().lock().write_all(&text));
        let place = options.file.as_deref().unwrap_or(Path::new("")).display().to_string();
        for ((written, place), failed) in
            [(to_file, &*place), (to_stdout, "standard output")].into_iter().zip(&mut failed)
        {
            let error = written.and_then(Result::err);
            let is_new = !std::mem::replace(failed, error.is_some());
            if let Some(error) = error.filter(|_| is_new) {
                tracing::warn!("the audit log {place} cannot be written: {error}");
            }
        }
    }
}

/// Appends a line, whole, to the part that is written now. Several gateways may write the same one.
fn append(
    options: &AuditOptions,
    path: &Path,
    part: &mut Option<File>,
    line: &[u8],
) -> io::Result<()> {
    let full = |file: &File| Ok::<_, io::Error>(file.metadata()?.len() >= options.max_bytes);
    let mut file = match part.take() {
        Some(file) if is_at(&file, path) => file,
        _ => open(path)?,
    };
    if full(&file)? {
        turn(options, path)?;
        file = open(path)?;
    }
    file.write_all(line)?;
    *part = Some(file);
    Ok(())
}

fn open(path: &Path) -> io::Result<File> {
    if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        weir_base::create_private_dir(folder)?;
    }
    let mut options = OpenOptions::new();
    options.append(true).create(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options.open(path)
}

/// Whether this is still the file under the path: another gateway may have moved it away.
fn is_at(file: &File, path: &Path) -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt as _;
        let (Ok(ours), Ok(there)) = (file.metadata(), std::fs::metadata(path)) else {
            return false;
        };
        (ours.dev(), ours.ino()) == (there.dev(), there.ino())
    }
    #[cfg(not(unix))]
    {
        let _ = file;
        path.exists()
    }
}

/// Puts the full part aside and forgets the oldest one. One gateway at a time.
fn turn(options: &AuditOptions, path: &Path) -> io::Result<()> {
    let named = |n: u32| {
        let mut name = path.to_owned().into_os_string();
        name.push(format!(".{n}"));
        PathBuf::from(name)
    };
    let mut lock = path.to_owned().into_os_string();
    lock.push(".lock");
    let lock = open(Path::new(&lock))?;
    lock.lock()?;
    // Another one may have been faster.
    if std::fs::metadata(path).is_ok_and(|part| part.len() >= options.max_bytes) {
        let _ = std::fs::remove_file(named(options.keep));
        for n in (1..options.keep).rev() {
            let _ = std::fs::rename(named(n), named(n + 1));
        }
        match options.keep {
            0 => std::fs::remove_file(path)?,
            _ => std::fs::rename(path, named(1))?,
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_as_calendars_have_them() {
        let at = |seconds: u64, ms: u64| rfc3339(Duration::from_millis(seconds * 1_000 + ms));
        assert_eq!(at(0, 0), "1970-01-01T00:00:00.000Z");
        assert_eq!(at(951_782_399, 999), "2000-02-28T23:59:59.999Z");
        assert_eq!(at(951_782_400, 0), "2000-02-29T00:00:00.000Z");
        assert_eq!(at(1_798_761_599, 5), "2026-12-31T23:59:59.005Z");
        assert_eq!(at(4_107_542_400, 0), "2100-03-01T00:00:00.000Z");
    }

    #[test]
    fn the_log_is_bounded_and_loses_no_line_of_two_writers() {
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("deep").join("audit.jsonl");
        let options = AuditOptions { file: None, stdout: false, max_bytes: 1_000, keep: 2 };
        let writers: Vec<_> = (0..2)
            .map(|writer| {
                let options = AuditOptions { max_bytes: 1 << 20, ..options.clone() };
                let file = file.clone();
                std::thread::spawn(move || {
                    let mut part = None;
                    for n in 0..200 {
                        append(&options, &file, &mut part, format!("{writer} {n:04}\n").as_bytes())
                            .unwrap();
                    }
                })
            })
            .collect();
        writers.into_iter().for_each(|writer| writer.join().unwrap());
        let lines = std::fs::read_to_string(&file).unwrap();
        assert!(lines.lines().count() == 400 && lines.lines().all(|line| line.len() == 6));
        let mut part = None;
        for n in 0..1_000 {
            append(&options, &file, &mut part, format!("{n:09}\n").as_bytes()).unwrap();
        }
        let read = |name: &str| std::fs::read_to_string(file.with_file_name(name)).unwrap();
        assert!(read("audit.jsonl").ends_with("000000999\n"));
        for name in ["audit.jsonl", "audit.jsonl.1", "audit.jsonl.2"] {
            assert!(read(name).len() <= 1_010, "{name}");
        }
        assert!(!file.with_file_name("audit.jsonl.3").exists());
        let first = |name: &str| read(name).lines().next().unwrap().parse::<u32>().unwrap();
        assert!(first("audit.jsonl.2") < first("audit.jsonl.1"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        }
    }
}
