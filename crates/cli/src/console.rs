//! Where a command writes: answers to stdout, everything else to stderr.

use std::io::{self, BufWriter, IsTerminal as _, Write};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use weir_agents::hook::session;
use weir_base::Mutex;
use weir_text::hidden::one_line;

use super::failure::Failure;

/// Standard output, and whether it is to be JSON.
pub(crate) struct Console {
    out: Mutex<Out>,
    json: bool,
    /// Columns of the terminal that standard output is.
    columns: Option<usize>,
    colour: bool,
}

struct Out {
    to: BufWriter<Box<dyn Write + Send>>,
    /// What shows the answer in place of the terminal.
    pager: Option<Child>,
}

impl Out {
    fn new(to: impl Write + Send + 'static, pager: Option<Child>) -> Out {
        Out { to: BufWriter::new(Box::new(to)), pager }
    }
}

impl Console {
    pub(crate) fn new(json: bool) -> Console {
        let out = io::stdout();
        let (columns, colour) = (columns(&out), coloured(out.is_terminal()));
        Console { out: Mutex::new(Out::new(out, None)), json, columns, colour }
    }

    /// On a terminal shows what follows through the user's pager, which is there until the answer ends.
    pub(crate) fn page(&self) {
        let mut out = self.out.lock();
        if self.json || self.columns.is_none() || out.to.flush().is_err() {
            return;
        }
        let Some(mut pager) = pager(std::env::var("PAGER").ok().as_deref()) else { return };
        let Ok(mut pager) = pager.stdin(Stdio::piped()).spawn() else { return };
        if let Some(input) = pager.stdin.take() {
            *out = Out::new(input, Some(pager));
        }
    }

    /// Whether answers are to be JSON.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Columns of the terminal that standard output is.
    pub(crate) fn columns(&self) -> Option<usize> {
        self.columns
    }

    /// Whether answers may have colours.
    pub(crate) fn colour(&self) -> bool {
        self.colour
    }

    /// Whether what is printed reaches no model: it goes to a file on a disk, or a person is at the terminal.
    pub(crate) fn is_for_no_model(&self) -> bool {
        // Some agents run their shell in a terminal, too.
        let is_agents = session::host_around(|name| std::env::var(name).ok()).is_some();
        if !is_agents && (io::stdin().is_terminal() || io::stderr().is_terminal()) {
            return true;
        }
        #[cfg(unix)]
        let copied = std::os::fd::AsFd::as_fd(&io::stdout()).try_clone_to_owned();
        #[cfg(windows)]
        let copied = std::os::windows::io::AsHandle::as_handle(&io::stdout()).try_clone_to_owned();
        let file = copied.map(std::fs::File::from);
        file.and_then(|file| file.metadata()).is_ok_and(|known| known.is_file())
    }

    /// Prints a line of an answer.
    pub(crate) fn line(&self, line: impl std::fmt::Display) -> Result<(), Failure> {
        writeln!(self.out.lock().to, "{line}").map_err(Failure::output)
    }

    /// Prints the head of a table.
    pub(crate) fn head(&self, line: impl std::fmt::Display) -> Result<(), Failure> {
        let line = self.fitted(&line.to_string());
        match self.colour {
            true => self.line(format_args!("\x1b[1m{line}\x1b[0m")),
            false => self.line(line),
        }
    }

    /// Prints a line of a table: on a terminal as much of it as fits. What is in it may come from elsewhere: nothing of it
    /// ends the line, or moves what is shown.
    pub(crate) fn row(&self, line: impl std::fmt::Display) -> Result<(), Failure> {
        let line = self.fitted(&one_line(&line.to_string()));
        self.line(line)
    }

    /// A line without blanks at its end, cut to the terminal where there is one.
    fn fitted(&self, line: &str) -> String {
        let line = line.trim_end();
        match self.columns {
            Some(columns) if line.chars().count() > columns => {
                let cut: String = line.chars().take(columns.saturating_sub(1)).collect();
                format!("{}…", cut.trim_end())
            }
            _ => line.to_owned(),
        }
    }

    /// A text that is told apart on a terminal with colours.
    pub(crate) fn marked(&self, text: &str) -> String {
        if self.colour && !text.is_empty() {
            format!("\x1b[1;31m{text}\x1b[0m")
        } else {
            text.to_owned()
        }
    }

    /// Prints a JSON value, for people too.
    pub(crate) fn value(&self, value: &serde_json::Value) -> Result<(), Failure> {
        self.line(format_args!("{value:#}"))
    }

    /// Prints the one as JSON, or else the other as a line.
    pub(crate) fn told(
        &self,
        value: &serde_json::Value,
        line: impl std::fmt::Display,
    ) -> Result<(), Failure> {
        if self.json { self.value(value) } else { self.line(line) }
    }

    /// Prints bytes as they are.
    pub(crate) fn bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.lock().to.write_all(bytes).map_err(Failure::output)
    }

    /// Ends the answer.
    pub(crate) fn flush_all(&self) -> Result<(), Failure> {
        let mut out = self.out.lock();
        let flushed = out.to.flush().map_err(Failure::output);
        if let Some(mut pager) = out.pager.take() {
            // Its input ends here: what it was given is all.
            *out = Out::new(io::stdout(), None);
            let _ = pager.wait();
        }
        flushed
    }

    /// Says something beside the answer.
    pub(crate) fn note(&self, note: impl std::fmt::Display) {
        let mut out = self.out.lock();
        // The answer so far comes first; a note that cannot be written is no reason to fail.
        let _ = out.to.flush();
        let _ = match &out.pager {
            Some(_) => writeln!(out.to, "{note}"),
            None => writeln!(io::stderr(), "{note}"),
        };
    }
}

impl Drop for Console {
    fn drop(&mut self) {
        // A pager outlives no command.
        let _ = self.flush_all();
    }
}

/// The pager that `PAGER` names, else `less`, which ends by itself where all fits on the screen; none if it is empty or `cat`.
fn pager(named: Option<&str>) -> Option<Command> {
    let named = named.unwrap_or("less").trim();
    if named.is_empty() || named == "cat" {
        return None;
    }
    let mut words = named.split_whitespace();
    let mut command = Command::new(words.next()?);
    command.args(words);
    if std::env::var_os("LESS").is_none() {
        command.env("LESS", "FRX");
    }
    Some(command)
}

impl Write for &Console {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.out.lock().to.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.lock().to.flush()
    }
}

/// Whether a stream takes colours: terminals do, unless the user wants none (<https://no-color.org>).
pub(crate) fn coloured(is_terminal: bool) -> bool {
    let set = |name| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    is_terminal && !set("NO_COLOR") && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// The columns of a stream, when it is a terminal.
#[cfg(unix)]
fn columns(stream: &io::Stdout) -> Option<usize> {
    let size = rustix::termios::tcgetwinsize(stream).ok().filter(|_| stream.is_terminal())?;
    (size.ws_col >= 20).then_some(usize::from(size.ws_col))
}

#[cfg(not(unix))]
fn columns(_: &io::Stdout) -> Option<usize> {
    None
}

/// How long work may take before it is worth a word.
const PATIENCE: Duration = Duration::from_millis(400);

/// Work that says on a terminal that it goes on when it takes long, by itself, until this is dropped.
pub(crate) struct Working(ProgressBar);

impl Working {
    pub(crate) fn on(what: &'static str) -> Working {
        let bar = progress(what);
        if !bar.is_hidden() {
            let late = bar.clone();
            std::thread::spawn(move || {
                std::thread::sleep(PATIENCE);
                late.enable_steady_tick(Duration::from_millis(120));
            });
        }
        Working(bar)
    }

    /// Says how far it is.
    pub(crate) fn at(&self, how_far: String) {
        self.0.set_prefix(how_far);
    }
}

impl Drop for Working {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}

/// A line on stderr that shows long work go on, when that is a terminal.
pub(crate) fn progress(what: &'static str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner().with_message(what);
    if let Ok(style) = ProgressStyle::with_template("{spinner} {msg} {prefix} ({elapsed})") {
        bar.set_style(style);
    }
    bar
}

/// Shows bytes and per cent, where it is known how many bytes there are.
pub(crate) fn sized(bar: &ProgressBar, bytes: Option<u64>) {
    let template = "{spinner} {msg} {bytes} of {total_bytes}, {percent} % ({elapsed})";
    if let (Some(bytes), Ok(style)) = (bytes, ProgressStyle::with_template(template)) {
        bar.set_length(bytes);
        bar.set_style(style);
    }
}

#[cfg(test)]
mod tests {
    use super::pager;

    #[test]
    fn the_pager_is_that_of_the_user() {
        let named = |text| pager(text).map(|command| format!("{command:?}"));
        for none in [Some(""), Some("  "), Some("cat")] {
            assert_eq!(named(none), None);
        }
        assert!(named(None).is_some_and(|shown| shown.contains("\"less\"")));
        let own = pager(Some("most -s +1")).unwrap();
        assert_eq!(own.get_program(), "most");
        assert_eq!(own.get_args().collect::<Vec<_>>(), ["-s", "+1"]);
    }
}
