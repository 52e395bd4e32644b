//! Where a command writes: answers to stdout, everything else to stderr.

use std::io::{self, BufWriter, IsTerminal as _, StdoutLock, Write};

use indicatif::{ProgressBar, ProgressStyle};

use super::report::Failure;

/// Standard output, and whether it is to be JSON.
pub(crate) struct Console {
    out: BufWriter<StdoutLock<'static>>,
    json: bool,
}

impl Console {
    pub(crate) fn new(json: bool) -> Console {
        Console { out: BufWriter::new(io::stdout().lock()), json }
    }

    /// Whether answers are to be JSON.
    pub(crate) fn json(&self) -> bool {
        self.json
    }

    /// Prints a line of an answer.
    pub(crate) fn line(&mut self, line: impl std::fmt::Display) -> Result<(), Failure> {
        writeln!(self.out, "{line}").map_err(Failure::output)
    }

    /// Prints a JSON value, for people too.
    pub(crate) fn value(&mut self, value: &serde_json::Value) -> Result<(), Failure> {
        self.line(format_args!("{value:#}"))
    }

    /// Prints bytes as they are.
    pub(crate) fn bytes(&mut self, bytes: &[u8]) -> Result<(), Failure> {
        self.out.write_all(bytes).map_err(Failure::output)
    }

    /// Ends the answer.
    pub(crate) fn flush_all(&mut self) -> Result<(), Failure> {
        self.out.flush().map_err(Failure::output)
    }

    /// Says something beside the answer.
    pub(crate) fn note(&mut self, note: impl std::fmt::Display) {
        // The answer so far comes first; a note that cannot be written is no reason to fail.
        let _ = self.out.flush();
        let _ = writeln!(io::stderr(), "{note}");
    }
}

impl Write for Console {
    fn write(&mut self, buf: &[u8]) -> io::Result<usize> {
        self.out.write(buf)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
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
