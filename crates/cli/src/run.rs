//! `weir run`: a command whose large output becomes an excerpt.
//!
//! Output is held until the command ends: only then is it known whether it is large. What is over
//! the least threshold goes to an unnamed file, so that memory stays small and nothing is lost when
//! the store fails.

use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io::{self, IsTerminal as _, PipeReader, Read, Seek as _, SeekFrom, Write};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};

use weir_agents::program::is_weir;
use weir_host::contract::Origin;

use super::args::Run;
use super::excerpt::{Content, Wanted, excerpt, never_replaced_bytes, shell_reader};
use super::{Answer, Context, Failure};

/// Bytes of output that are written at once.
const CHUNK_BYTES: u64 = 1024 * 1024;

/// The tool that a command's output counts as in rules.
const TOOL: &str = "shell";

pub(crate) fn run(arguments: &Run, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let as_json = console.json();
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
    let reads_back = program.to_str().is_some_and(is_weir);
    if reads_back && !as_json {
        return Ok(match start(&mut command) {
            Err(code) => code,
            Ok(child) => code_of(wait(child)?),
        });
    }
    keep_terminal_size(&mut command);
    let failed = Failure::io("cannot make a pipe");
    let (out, out_writer) = io::pipe().map_err(&failed)?;
    let err = if share_target() {
        command.stderr(out_writer.try_clone().map_err(&failed)?);
        None
    } else {
        let (err, err_writer) = io::pipe().map_err(&failed)?;
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
    let bound = match reads_back {
        true => u64::MAX,
        false => never_replaced_bytes(context.configuration_file().as_deref()),
    };
    let (out, err, status) = std::thread::scope(|scope| {
        let err = err
            .map(|err| scope.spawn(move || Held::all_of(err, bound, (!as_json).then(io::stderr))));
        let out = scope.spawn(move || Held::all_of(out, bound, (!as_json).then(io::stdout)));
        let status = wait(child);
        let joined = |held: std::thread::ScopedJoinHandle<'_, io::Result<Held>>| {
            held.join().unwrap_or_else(|_| Err(io::Error::other("reading failed")))
        };
        (joined(out), err.map(joined), status)
    });
    let status = status?;
    let code = code_of(status);
    let shown = Shown {
        context,
        words: &words,
        purpose: arguments.purpose.as_deref(),
        failed: !status.success(),
    };
    let reading = Failure::io("cannot read the command's output");
    let (out, err) = (out.map_err(&reading)?, err.transpose().map_err(&reading)?);
    if as_json {
        console.value(&serde_json::json!({
            "exit_code": match code { Answer::Code(code) => code, _ => 0 },
            "stdout": shown.json(out)?, "stderr": err.map(|err| shown.json(err)).transpose()?,
        }))?;
        return Ok(code);
    }
    shown.show_both(out, err)?;
    Ok(code)
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

/// Output until its end.
enum Held {
    /// In memory while it is small.
    Small(Vec<u8>),
    Large(File),
    /// Printed as it came, because it cannot be held.
    Passed,
}

impl Held {
    /// `to`: where the output goes when it cannot be held, if it can go anywhere before the end.
    fn all_of(mut from: PipeReader, bound: u64, to: Option<impl Write>) -> io::Result<Held> {
        let mut chunk = Vec::new();
        from.by_ref().take(bound.saturating_add(1)).read_to_end(&mut chunk)?;
        if chunk.len() as u64 <= bound {
            return Ok(Held::Small(chunk));
        }
        let mut file = None;
        let mut kept = 0;
        while !chunk.is_empty() {
            if let Err(error) = keep(&mut file, &chunk) {
                let Some(mut to) = to else { return Err(error) };
                let why = format_args!("it cannot be held in a temporary file: {error}");
                let _ = writeln!(io::stderr(), "weir: the output is printed as it comes: {why}");
                if let Some(file) = &mut file {
                    file.seek(SeekFrom::Start(0))?;
                    io::copy(&mut file.take(kept), &mut to)?;
                }
                to.write_all(&chunk)?;
                to.flush()?;
                io::copy(&mut from, &mut to)?;
                to.flush()?;
                return Ok(Held::Passed);
            }
            kept += chunk.len() as u64;
            chunk.clear();
            from.by_ref().take(CHUNK_BYTES).read_to_end(&mut chunk)?;
        }
        Ok(file.map_or(Held::Passed, Held::Large))
    }
}

/// Appends to a file without a name, which is made when there is none yet.
fn keep(file: &mut Option<File>, bytes: &[u8]) -> io::Result<()> {
    match file {
        Some(file) => file.write_all(bytes),
        None => file.insert(tempfile::tempfile()?).write_all(bytes),
    }
}

struct Shown<'a> {
    context: &'a Context<'a>,
    words: &'a [OsString],
    purpose: Option<&'a str>,
    failed: bool,
}

impl Shown<'_> {
    fn show_both(&self, out: Held, err: Option<Held>) -> Result<(), Failure> {
        // One stream that nobody reads takes neither the other nor the exit code with it.
        let heard = |shown: Result<(), Failure>| match shown {
            Err(Failure::Closed) => Ok(()),
            shown => shown,
        };
        heard(self.show(out, &mut io::stdout().lock()))?;
        if let Some(err) = err {
            heard(self.show(err, &mut io::stderr().lock()))?;
        }
        Ok(())
    }

    fn show(&self, held: Held, to: &mut impl Write) -> Result<(), Failure> {
        let file = match held {
            Held::Small(bytes) => to.write_all(&bytes).map(|()| None),
            Held::Passed => Ok(None),
            Held::Large(file) => Ok(Some(file)),
        };
        if let Some(mut file) = file.map_err(Failure::output)? {
            match self.replaced(&file) {
                Some(text) => writeln!(to, "{text}").map_err(Failure::output)?,
                None => {
                    let reading = Failure::io("cannot read the output");
                    file.seek(SeekFrom::Start(0)).map_err(&reading)?;
                    io::copy(&mut file, to).map_err(Failure::output)?;
                }
            }
        }
        to.flush().map_err(Failure::output)
    }

    /// A stream as JSON, in the shape of `weir --json transform`.
    fn json(&self, held: Held) -> Result<serde_json::Value, Failure> {
        let bytes = match held {
            Held::Small(bytes) => bytes,
            Held::Passed => Vec::new(),
            Held::Large(mut file) => {
                if let Some(text) = self.replaced(&file) {
                    return Ok(serde_json::json!({"replaced": true, "text": text}));
                }
                let reading = Failure::io("cannot read the output");
                let mut bytes = Vec::new();
                file.seek(SeekFrom::Start(0)).map_err(&reading)?;
                file.read_to_end(&mut bytes).map_err(&reading)?;
                bytes
            }
        };
        Ok(super::json::whole(bytes))
    }

    /// The excerpt of a large output; none where it stays as it is.
    fn replaced(&self, file: &File) -> Option<String> {
        let line =
            self.words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ");
        let session = self.context.session();
        let wanted = Wanted {
            origin: Origin {
                arguments: Some(serde_json::json!({"command": line}).to_string()),
                reader: shell_reader(&self.context.shell_reader(session, false)),
                purpose: self.purpose.map(str::to_owned),
                ..Origin::new(session, TOOL)
            },
            content: Content::File(file),
            is_error: self.failed,
            already_cut: false,
            max_chars: None,
            max_bytes: None,
            passed_chars: None,
            cut_unstored: true,
        };
        let note = |note| _ = writeln!(io::stderr(), "weir: {note}");
        let opened = self.context.weir_for_results(note);
        match opened.and_then(|(weir, values)| excerpt(wanted, weir, values)) {
            Ok(texts) => texts.map(|texts| texts.join("\n")),
            Err(failure) => {
                let _ = writeln!(io::stderr(), "weir: the output is not stored: {failure}");
                None
            }
        }
    }
}

/// Waits for a command; signals that this process is sent go to it.
#[cfg(unix)]
fn wait(mut child: std::process::Child) -> Result<ExitStatus, Failure> {
    use rustix::process::{Pid, Signal, kill_process};
    use tokio::signal::unix::{SignalKind, signal};
    let failed = Failure::io("cannot wait for the command");
    let pid = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // A terminal sends the last two to the whole group: the command has them already.
    let terminal = io::stdin().is_terminal();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let status = runtime.map_err(&failed)?.block_on(async {
        let mut passing = tokio::task::JoinSet::new();
        for (kind, told, by_terminal) in [
            (SignalKind::terminate(), Signal::TERM, false),
            (SignalKind::hangup(), Signal::HUP, false),
            (SignalKind::user_defined1(), Signal::USR1, false),
            (SignalKind::user_defined2(), Signal::USR2, false),
            (SignalKind::alarm(), Signal::ALARM, false),
            (SignalKind::interrupt(), Signal::INT, true),
            (SignalKind::quit(), Signal::QUIT, true),
        ] {
            let (Ok(mut signals), Some(pid)) = (signal(kind), pid) else { continue };
            passing.spawn(async move {
                while signals.recv().await.is_some() {
                    if !(by_terminal && terminal) {
                        let _ = kill_process(pid, told);
                    }
                }
            });
        }
        tokio::task::spawn_blocking(move || child.wait()).await.map_err(io::Error::other)?
    });
    status.map_err(failed)
}

#[cfg(not(unix))]
fn wait(mut child: std::process::Child) -> Result<ExitStatus, Failure> {
    child.wait().map_err(Failure::io("cannot wait for the command"))
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
