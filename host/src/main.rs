//! The command `weir`: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser as _;

mod cli;

fn main() -> ExitCode {
    // What is stored is for this user alone.
    #[cfg(unix)]
    rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o077));
    let arguments = cli::args::Arguments::parse();
    match cli::run(&arguments) {
        Ok(answer) => answer.into(),
        Err(error) => cli::report::failure(&error),
    }
}
