//! A server as a child process: its start, its error output, its end with all that it started.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use tokio::io::AsyncReadExt;
use tokio::process::{Child, ChildStdin, ChildStdout, Command};

use super::redact::Secrets;
use weir_base::Mutex;

/// Bytes of error output kept for each server.
const STDERR_BYTES: usize = 32 * 1024;

/// How long a server has to end after its input was closed, and again after it was asked to.
const GRACE: Duration = Duration::from_secs(2);

/// The last of what a server wrote to its standard error.
#[derive(Debug, Clone, Default)]
pub struct ErrorOutput(Arc<Mutex<VecDeque<u8>>>);

impl ErrorOutput {
    fn push(&self, bytes: &[u8]) {
        let mut ring = self.0.lock();
        ring.extend(bytes);
        let over = ring.len().saturating_sub(STDERR_BYTES);
        ring.drain(..over);
    }

    /// The last lines, at most `max_chars` characters of them, without secrets and control characters.
    pub fn tail(&self, max_chars: usize, secrets: &Secrets) -> String {
        let mut ring = self.0.lock();
        let text = String::from_utf8_lossy(ring.make_contiguous()).into_owned();
        drop(ring);
        // Before it is cut: of a secret at the cut, half would stay.
        let text = secrets.redact(&text);
        let clean: String =
            text.trim_end().chars().filter(|c| !c.is_control() || *c == '\n').collect();
        let skip = clean.chars().count().saturating_sub(max_chars);
        clean.chars().skip(skip).collect()
    }
}

/// What to start.
#[derive(Debug)]
pub struct Launch<'a> {
    /// The program.
    pub command: &'a str,
    /// Its arguments.
    pub args: &'a [String],
    /// What it gets of our environment.
    pub inherited: Vec<(OsString, OsString)>,
    /// Variables on top of those.
    pub env: &'a std::collections::BTreeMap<String, String>,
    /// Where it runs.
    pub cwd: Option<&'a Path>,
    /// The program that watches over it: ours, whose hidden command ends the whole tree of processes
    /// once we are gone. Without one only the server's process group is ended, by us.
    pub guard: Option<&'a PathBuf>,
}

/// The hidden command of our own program that stands between us and a server.
pub const GUARD_COMMAND: &str = "__guard";

/// The file mode mask that servers are to run under, in decimal; none means ours.
static UMASK: OnceLock<String> = OnceLock::new();

/// Sets the mask that the user runs us under, where we have set another for ourselves: what a
/// server writes is not for us to hide. Works through the guard only.
#[cfg(unix)]
pub fn set_umask(mask: rustix::fs::Mode) {
    let _ = UMASK.set(mask.bits().to_string());
}

/// A running server.
#[derive(Debug)]
pub struct Process {
    child: Child,
    #[cfg(unix)]
    group: Option<u32>,
    /// What it says on standard error.
    pub errors: ErrorOutput,
}

/// Starts a server. Its input and output are given apart, for a writer and a reader.
///
/// # Errors
/// When the program cannot be started: `NotFound` when there is none of that name.
pub fn start(launch: &Launch<'_>) -> io::Result<(Process, ChildStdin, ChildStdout)> {
    let mut command = match launch.guard {
        Some(guard) => {
            // The guard would report a missing program only by its exit code.
            let path = launch.env.get("PATH").map(String::as_str);
            if find_program(launch.command, launch.cwd, path).is_none() {
                return Err(io::Error::new(io::ErrorKind::NotFound, "no such program"));
            }
            let mut command = Command::new(guard);
            let mask = UMASK.get().map_or("", String::as_str);
            command
                .args([GUARD_COMMAND, &std::process::id().to_string(), mask])
                .arg(launch.command);
            command
        }
        None => Command::new(launch.command),
    };
    command.args(launch.args).env_clear().envs(launch.inherited.clone()).envs(launch.env);
    if let Some(cwd) = launch.cwd {
        command.current_dir(cwd);
    }
    // A guard that is killed ends nobody; it ends its tree when it is asked, or when we are gone.
    command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .kill_on_drop(launch.guard.is_none());
    #[cfg(unix)]
    command.process_group(0);
    let mut child = command.spawn()?;
    #[cfg(unix)]
    let group = child.id();
    let errors = ErrorOutput::default();
    let missing = || io::Error::other("a standard stream was not opened");
    let stdin = child.stdin.take().ok_or_else(missing)?;
    let stdout = child.stdout.take().ok_or_else(missing)?;
    let mut stderr = child.stderr.take().ok_or_else(missing)?;
    let sink = errors.clone();
    tokio::spawn(async move {
        let mut buffer = vec![0; 8 * 1024];
        while let Ok(read) = stderr.read(&mut buffer).await {
            if read == 0 {
                break;
            }
            sink.push(&buffer[..read]);
        }
    });
    let process = Process {
        child,
        #[cfg(unix)]
        group,
        errors,
    };
    Ok((process, stdin, stdout))
}

/// Where a program is, as a shell would find it.
pub fn find_program(command: &str, cwd: Option<&Path>, path: Option<&str>) -> Option<PathBuf> {
    let named = Path::new(command);
    if named.components().count() > 1 {
        let beside = cwd.map(|dir| dir.join(named)).filter(|file| file.exists());
        return named.exists().then(|| named.to_owned()).or(beside);
    }
    let path = path.map(Into::into).or_else(|| std::env::var_os("PATH")).unwrap_or_default();
    std::env::split_paths(&path).map(|dir| dir.join(command)).find(|file| file.exists())
}

impl Process {
    /// Waits for its end and says how it ended.
    pub async fn wait(&mut self) -> String {
        match self.child.wait().await {
            Ok(status) => match status.code() {
                Some(code) => format!("it exited with code {code}"),
                None => format!("it was ended by a signal ({status})"),
            },
            Err(error) => format!("its end could not be seen: {error}"),
        }
    }

    /// Ends it, with all that it started. Its input must have been closed before: that is the polite
    /// request. Then it is asked by signal, then made to.
    pub async fn stop(mut self) {
        let ended = tokio::time::timeout(GRACE, self.child.wait()).await.is_ok();
        if !ended {
            self.signal(false);
            let _ = tokio::time::timeout(GRACE, self.child.wait()).await;
        }
        // Even when it ended by itself: what it started may still be there.
        self.signal(true);
        let _ = tokio::time::timeout(GRACE, self.child.wait()).await;
    }

    fn signal(&self, kill: bool) {
        #[cfg(unix)]
        if let Some(group) = self.group
            && let Some(group) = rustix::process::Pid::from_raw(group as i32)
        {
            let signal =
                if kill { rustix::process::Signal::KILL } else { rustix::process::Signal::TERM };
            let _ = rustix::process::kill_process_group(group, signal);
        }
        #[cfg(not(unix))]
        let _ = kill;
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // A guard ends the tree when asked, but not when killed: ask. Without one, make sure.
        if self.child.id().is_some() {
            self.signal(false);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_half_of_a_secret_stands_where_error_output_is_cut() {
        let mut secrets = Secrets::default();
        secrets.add("tok-0123456789");
        let errors = ErrorOutput::default();
        errors.push(b"started with tok-0123456789 and so on");
        for chars in 0..40 {
            let tail = errors.tail(chars, &secrets);
            assert!(!tail.contains(char::is_numeric), "{tail}");
            assert!("started with *** and so on".ends_with(&tail), "{tail}");
        }
    }
}
