//! `weir run`: a command whose large output becomes an excerpt.
//!
//! Output is held until the command ends: only then is it known whether it is large. What is over
//! the least threshold goes to an unnamed file, so that memory stays small and nothing is lost when
//! the store fails.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, PipeReader, Read, Seek as _, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use weir_host::contract::Origin;

use super::Answer;
use super::args::Run;
use super::context::Context;
use super::excerpt::{Content, Wanted, excerpt, never_replaced_bytes, shell_reader};
use super::report::Failure;

/// The tool that a command's output counts as in rules.
const TOOL: &str = "shell";

pub(crate) fn run(arguments: &Run, context: &Context<'_>) -> Result<Answer, Failure> {
    let words = match &arguments.line {
        Some(line) => vec![shell(), "-c".into(), line.into()],
        None => arguments.command.clone(),
    };
    let Some((program, rest)) = words.split_first() else {
        return Err(Failure::usage("there is no command", "weir run -- CMD ARGS"));
    };
    let mut command = Command::new(program);
    command.args(rest);
    // What reads stored results back is not stored again.
    if Path::new(program).file_stem() == Some(OsStr::new("weir")) {
        return Ok(match start(&mut command) {
            Err(code) => code,
            Ok(child) => code_of(wait(child)?),
        });
    }
    keep_terminal_size(&mut command);
    let shared = share_target();
    let failed = |source| Failure::Io { what: "cannot make a pipe".into(), source };
    let (out, out_writer) = io::pipe().map_err(failed)?;
    let err = if shared {
        command.stderr(out_writer.try_clone().map_err(failed)?);
        None
    } else {
        let (err, err_writer) = io::pipe().map_err(failed)?;
        command.stderr(err_writer);
        Some(err)
    };
    command.stdout(out_writer);
    let child = match start(&mut command) {
        Ok(child) => child,
        Err(code) => return Ok(code),
    };
    // The command has the writing ends now, and only it.
    drop(command);
    let bound = never_replaced_bytes(context.configuration_file().as_deref());
    let (out, err, status) = std::thread::scope(|scope| {
        let err = err.map(|err| scope.spawn(move || Held::all_of(err, bound)));
        let out = scope.spawn(move || Held::all_of(out, bound));
        let status = wait(child);
        let joined = |held: std::thread::ScopedJoinHandle<'_, io::Result<Held>>| {
            held.join().unwrap_or_else(|_| Err(io::Error::other("reading failed")))
        };
        (joined(out), err.map(joined), status)
    });
    let status = status?;
    let shown = Shown { context, words: &words, failed: !status.success() };
    let reading = |source| Failure::Io { what: "cannot read the command's output".into(), source };
    shown.show(out.map_err(reading)?, &mut io::stdout().lock())?;
    if let Some(err) = err {
        shown.show(err.map_err(reading)?, &mut io::stderr().lock())?;
    }
    Ok(code_of(status))
}

/// The shell that runs a line: the user's, where it takes lines as POSIX shells do.
fn shell() -> OsString {
    const SHELLS: [&str; 4] = ["bash", "zsh", "ksh", "dash"];
    let shell = std::env::var_os("SHELL").filter(|shell| {
        let name = Path::new(shell).file_name();
        Path::new(shell).is_file() && SHELLS.iter().any(|known| name == Some(OsStr::new(known)))
    });
    shell.unwrap_or_else(|| "sh".into())
}

/// Starts a command, or gives the exit code that shells give when they cannot.
fn start(command: &mut Command) -> Result<std::process::Child, Answer> {
    command.stdin(Stdio::inherit());
    command.spawn().map_err(|error| {
        let program = command.get_program().to_string_lossy().into_owned();
        let _ = writeln!(io::stderr(), "weir: cannot run {program}: {error}");
        Answer::Code(if error.kind() == io::ErrorKind::NotFound { 127 } else { 126 })
    })
}

/// Output until its end: in memory while it is small.
enum Held {
    Small(Vec<u8>),
    Large(File),
}

impl Held {
    fn all_of(mut from: PipeReader, bound: u64) -> io::Result<Held> {
        let mut start = Vec::new();
        from.by_ref().take(bound + 1).read_to_end(&mut start)?;
        if start.len() as u64 <= bound {
            return Ok(Held::Small(start));
        }
        let mut file = tempfile::tempfile()?;
        file.write_all(&start)?;
        io::copy(&mut from, &mut file)?;
        Ok(Held::Large(file))
    }
}

struct Shown<'a> {
    context: &'a Context<'a>,
    words: &'a [OsString],
    failed: bool,
}

impl Shown<'_> {
    fn show(&self, held: Held, to: &mut impl Write) -> Result<(), Failure> {
        let file = match held {
            Held::Small(bytes) => {
                return to.write_all(&bytes).and_then(|()| to.flush()).map_err(Failure::output);
            }
            Held::Large(file) => file,
        };
        let line =
            self.words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let session = self.context.session();
        let wanted = Wanted {
            origin: Origin {
                session: session.to_owned(),
                tool: TOOL.to_owned(),
                toolset: None,
                arguments: Some(serde_json::json!({"command": line}).to_string()),
                reader: shell_reader(&self.context.shell_reader(session, true)),
            },
            content: Content::File(&file),
            is_error: self.failed,
            already_cut: false,
            max_chars: None,
            max_bytes: None,
            passed_chars: None,
        };
        match excerpt(&wanted, self.context) {
            Ok(Some(texts)) => writeln!(to, "{}", texts.join("\n")).map_err(Failure::output)?,
            not => {
                if let Err(failure) = not {
                    let _ = writeln!(io::stderr(), "weir: the output is not stored: {failure}");
                }
                let mut file = &file;
                let reading =
                    |source| Failure::Io { what: "cannot read the output".into(), source };
                file.seek(SeekFrom::Start(0)).map_err(reading)?;
                io::copy(&mut file, to).map_err(Failure::output)?;
            }
        }
        to.flush().map_err(Failure::output)
    }
}

/// Waits for a command; signals that this process is sent go to it.
fn wait(mut child: std::process::Child) -> Result<ExitStatus, Failure> {
    #[cfg(unix)]
    let _passing = signals::pass_on(child.id());
    child
        .wait()
        .map_err(|source| Failure::Io { what: "cannot wait for the command".into(), source })
}

/// The exit code as a shell gives it.
fn code_of(status: ExitStatus) -> Answer {
    #[cfg(unix)]
    if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
        return Answer::Code(u8::try_from(128 + signal).unwrap_or(255));
    }
    Answer::Code(status.code().and_then(|code| u8::try_from(code & 0xff).ok()).unwrap_or(1))
}

/// Whether both streams go to the same place, in which the order of their lines counts.
#[cfg(unix)]
fn share_target() -> bool {
    let of = |fd: rustix::fd::BorrowedFd<'_>| {
        rustix::fs::fstat(fd).ok().map(|stat| (stat.st_dev, stat.st_ino))
    };
    of(rustix::stdio::stdout()).is_some_and(|out| Some(out) == of(rustix::stdio::stderr()))
}

#[cfg(not(unix))]
fn share_target() -> bool {
    false
}

/// Programs that write to a pipe ask the environment for the width to which they fit their lines.
#[cfg(unix)]
fn keep_terminal_size(command: &mut Command) {
    let size = [rustix::stdio::stdout(), rustix::stdio::stderr(), rustix::stdio::stdin()]
        .into_iter()
        .find_map(|fd| rustix::termios::tcgetwinsize(fd).ok());
    let Some(size) = size.filter(|size| size.ws_col > 0) else { return };
    for (name, value) in [("COLUMNS", size.ws_col), ("LINES", size.ws_row)] {
        if std::env::var_os(name).is_none() && value > 0 {
            command.env(name, value.to_string());
        }
    }
}

#[cfg(not(unix))]
fn keep_terminal_size(_: &mut Command) {}

#[cfg(unix)]
mod signals {
    use std::io::IsTerminal as _;
    use std::sync::mpsc;

    use rustix::process::{Pid, Signal, kill_process};
    use tokio::signal::unix::{SignalKind, signal};

    /// Passes signals on while it lives.
    pub(super) struct Passing {
        end: Option<tokio::sync::oneshot::Sender<()>>,
        thread: Option<std::thread::JoinHandle<()>>,
    }

    impl Drop for Passing {
        fn drop(&mut self) {
            drop(self.end.take());
            if let Some(thread) = self.thread.take() {
                let _ = thread.join();
            }
        }
    }

    pub(super) fn pass_on(child: u32) -> Option<Passing> {
        let pid = i32::try_from(child).ok().and_then(Pid::from_raw)?;
        let (end, mut ended) = tokio::sync::oneshot::channel::<()>();
        let (ready, is_ready) = mpsc::channel();
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
            let Ok(runtime) = runtime else { return };
            runtime.block_on(async {
                let hear = |kind| signal(kind).ok();
                let (Some(mut term), Some(mut hup), Some(mut int), Some(mut quit)) = (
                    hear(SignalKind::terminate()),
                    hear(SignalKind::hangup()),
                    hear(SignalKind::interrupt()),
                    hear(SignalKind::quit()),
                ) else {
                    return;
                };
                let _ = ready.send(());
                // A terminal sends these to the whole group: the command has them already.
                let terminal = std::io::stdin().is_terminal();
                loop {
                    let told = tokio::select! {
                        _ = &mut ended => return,
                        _ = term.recv() => Some(Signal::TERM),
                        _ = hup.recv() => Some(Signal::HUP),
                        _ = int.recv() => (!terminal).then_some(Signal::INT),
                        _ = quit.recv() => (!terminal).then_some(Signal::QUIT),
                    };
                    if let Some(told) = told {
                        let _ = kill_process(pid, told);
                    }
                }
            });
        });
        let _ = is_ready.recv();
        Some(Passing { end: Some(end), thread: Some(thread) })
    }
}
