//! The command `weir`: parse, run, exit code.

use std::process::ExitCode;

use clap::Parser as _;

mod cli;

fn main() -> ExitCode {
    // The other process that this program can be, before anything else.
    #[cfg(all(unix, feature = "gateway"))]
    if let Some(code) = weir_host::gateway::guard::run_if_asked() {
        return code;
    }
    // What is stored is for this user alone.
    #[cfg(unix)]
    let _mask = rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o077));
    #[cfg(all(unix, feature = "gateway"))]
    weir_host::gateway::process::set_umask(_mask.bits());
    let arguments = cli::args::Arguments::parse();
    match cli::run(&arguments) {
        Ok(answer) => answer.into(),
        Err(error) => cli::report::failure(&error),
    }
}
