//! The process between the gateway and a server: when the gateway is gone, however it went, the
//! guard ends the server and all that the server started.
//!
//! A server is often a shell that starts `npx` that starts `node`. A signal to the first reaches
//! the others only if they are of one process group, and nothing reaches them when the gateway is
//! killed. The guard runs the server with its own standard streams (no byte passes through it),
//! takes in every orphan of that tree (on Linux), and watches its parent.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::process::{Command, ExitCode};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitOptions};

/// How often the guard looks whether its parent is still there.
const WATCH: Duration = Duration::from_millis(500);

/// How long the tree has to end after SIGTERM.
const GRACE: Duration = Duration::from_millis(1_500);

/// Runs the guard when that is what this process was started for.
pub fn run_if_asked() -> Option<ExitCode> {
    let mut arguments = std::env::args_os().skip(1);
    (arguments.next()? == super::process::GUARD_COMMAND)
        .then(|| run(&arguments.collect::<Vec<_>>()))
}

/// Runs the guard: `arguments` are the parent's process id, the file mode mask, the program and its
/// arguments. Gives the server's exit code; 127 when it could not be started, 64 for wrong arguments.
pub fn run(arguments: &[OsString]) -> ExitCode {
    let (Some(parent), Some(program)) = (
        arguments.first().and_then(|id| id.to_str()?.parse::<i32>().ok()).and_then(Pid::from_raw),
        arguments.get(2),
    ) else {
        return ExitCode::from(64);
    };
    // Out of range means that none was given.
    if let Some(mask) = arguments
        .get(1)
        .and_then(|mask| mask.to_str()?.parse::<rustix::fs::RawMode>().ok())
        .filter(|mask| *mask <= 0o777)
    {
        rustix::process::umask(rustix::fs::Mode::from_bits_truncate(mask));
    }
    let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else {
        return ExitCode::from(70);
    };
    runtime.block_on(watch(parent, program, &arguments[3..]))
}

async fn watch(parent: Pid, program: &OsString, arguments: &[OsString]) -> ExitCode {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut term), Ok(mut interrupt), Ok(mut hangup), Ok(mut child_ended)) = (
        signal(SignalKind::terminate()),
        signal(SignalKind::interrupt()),
        signal(SignalKind::hangup()),
        signal(SignalKind::child()),
    ) else {
        return ExitCode::from(70);
    };
    // Orphans of the tree come to us instead of to init; we hear of the parent's end at once.
    #[cfg(target_os = "linux")]
    {
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let _ = rustix::process::set_parent_process_death_signal(Some(Signal::TERM));
    }
    // Spawned by std, not tokio: all children are waited for in one place, `reap`.
    let server = match Command::new(program).args(arguments).spawn() {
        Ok(child) => Pid::from_child(&child),
        Err(error) => {
            use std::io::Write;
            let _ = writeln!(std::io::stderr(), "cannot start {}: {error}", program.display());
            return ExitCode::from(127);
        }
    };
    release_streams();
    let mut tick = tokio::time::interval(WATCH);
    let code = loop {
        tokio::select! {
            _ = term.recv() => break None,
            _ = interrupt.recv() => break None,
            _ = hangup.recv() => break None,
            _ = child_ended.recv() => {}
            _ = tick.tick() => {
                if rustix::process::getppid() != Some(parent) {
                    break None;
                }
            }
        }
        if let Some(code) = reap(server) {
            break Some(code);
        }
    };
    end_tree().await;
    ExitCode::from(code.unwrap_or(143))
}

/// Closes our copies of the streams that are the server's: its output must end when it ends.
fn release_streams() {
    if let Ok(null) = std::fs::File::options().read(true).write(true).open("/dev/null") {
        let _ = rustix::stdio::dup2_stdin(&null);
        let _ = rustix::stdio::dup2_stdout(&null);
    }
}

/// Takes the exit codes of all children that ended. The server's, if it is among them.
fn reap(server: Pid) -> Option<u8> {
    let mut code = None;
    while let Ok(Some((pid, status))) = rustix::process::wait(WaitOptions::NOHANG) {
        if pid == server {
            code = Some(match (status.exit_status(), status.terminating_signal()) {
                (Some(exit), _) => exit as u8,
                (None, Some(signal)) => 128_u8.saturating_add(signal as u8),
                (None, None) => 1,
            });
        }
    }
    code
}

async fn end_tree() {
    for pid in descendants() {
        let _ = rustix::process::kill_process(pid, Signal::TERM);
    }
    let deadline = Instant::now() + GRACE;
    while Instant::now() < deadline {
        let _ = reap(rustix::process::getpid());
        if descendants().is_empty() {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    // Killing a process hands its children to us, so look again until there are none.
    for _ in 0..50 {
        let left = descendants();
        if left.is_empty() {
            return;
        }
        for pid in left {
            let _ = rustix::process::kill_process(pid, Signal::KILL);
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
        let _ = reap(rustix::process::getpid());
    }
}

/// All processes below this one, found in `/proc`; empty where there is none.
fn descendants() -> Vec<Pid> {
    let mut children: BTreeMap<i32, Vec<i32>> = BTreeMap::new();
    let Ok(entries) = std::fs::read_dir("/proc") else { return Vec::new() };
    for entry in entries.flatten() {
        let Some(pid) = entry.file_name().to_str().and_then(|name| name.parse::<i32>().ok()) else {
            continue;
        };
        let Ok(stat) = std::fs::read_to_string(entry.path().join("stat")) else { continue };
        // "pid (name) state ppid …", where the name may hold anything, parentheses too.
        let mut fields =
            stat.rsplit_once(')').map(|(_, rest)| rest.split_whitespace()).into_iter().flatten();
        let (Some(state), Some(parent)) =
            (fields.next(), fields.next().and_then(|id| id.parse::<i32>().ok()))
        else {
            continue;
        };
        if state != "Z" {
            children.entry(parent).or_default().push(pid);
        }
    }
    let mut found = Vec::new();
    let mut queue = vec![rustix::process::getpid().as_raw_nonzero().get()];
    while let Some(pid) = queue.pop() {
        for child in children.remove(&pid).unwrap_or_default() {
            queue.push(child);
            found.extend(Pid::from_raw(child));
        }
    }
    found
}
