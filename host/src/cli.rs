//! The command's parts: one command a file.

use std::process::ExitCode;

pub(crate) mod args;
#[cfg(feature = "gateway")]
mod call;
mod config;
mod console;
mod context;
mod demo;
mod doctor;
mod fetch;
mod inspect;
#[cfg(feature = "gateway")]
mod install;
mod json;
mod list;
pub(crate) mod report;
#[cfg(feature = "gateway")]
mod serve;
#[cfg(feature = "gateway")]
mod servers;
#[cfg(feature = "gateway")]
mod stats;
mod status;
mod sweep;
mod tools;
mod transform;

use args::{Arguments, Command};
use console::Console;
use context::Context;
use report::Failure;

/// What a command that ran has to say, as an exit code. A failure is [`Failure`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Answer {
    /// 0: done, or found.
    Yes,
    /// 1: the answer is no: nothing matched, or something is wrong with what was checked.
    No,
}

impl From<Answer> for ExitCode {
    fn from(answer: Answer) -> ExitCode {
        ExitCode::from(u8::from(answer == Answer::No))
    }
}

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let context = Context::new(arguments);
    // Before there is a console, which would hold standard output.
    #[cfg(feature = "gateway")]
    if let Command::Serve(serve) = &arguments.command {
        return serve::run(serve, &context);
    }
    #[cfg(feature = "gateway")]
    if let Command::DemoServer(server) = &arguments.command {
        return demo::server::run(&server.directory);
    }
    let mut console = Console::new(arguments.json);
    let answer = match &arguments.command {
        #[cfg(feature = "gateway")]
        Command::Serve(_) | Command::DemoServer(_) => unreachable!("they were run above"),
        #[cfg(feature = "gateway")]
        Command::Servers(servers) => servers::run(servers, &context, &mut console),
        #[cfg(feature = "gateway")]
        Command::Search(search) => tools::served::search(search, &context, &mut console),
        #[cfg(feature = "gateway")]
        Command::Call(call) => call::run(call, &context, &mut console),
        #[cfg(feature = "gateway")]
        Command::Stats(stats) => stats::run(stats, &context, &mut console),
        #[cfg(feature = "gateway")]
        Command::Install(install) => install::install(install, &context, &mut console),
        #[cfg(feature = "gateway")]
        Command::Import(import) => install::import(import, &context, &mut console),
        Command::Demo(demo) => demo::run(demo, &context, &mut console),
        Command::Transform(transform) => transform::run(transform, &context, &mut console),
        Command::Fetch(fetch) => fetch::run(fetch, &context, &mut console),
        Command::List(list) => list::run(list, &context, &mut console),
        Command::Pin(target) => list::pin(target, true, &context, &mut console),
        Command::Unpin(target) => list::pin(target, false, &context, &mut console),
        Command::Forget(target) => list::forget(target, &context, &mut console),
        Command::Status(status) => status::run(status, &context, &mut console),
        Command::Sweep => sweep::run(&context, &mut console),
        Command::Doctor { repair } => doctor::run(*repair, &context, &mut console),
        Command::Tools { command: Some(command), .. } => {
            tools::run(command, &context, &mut console)
        }
        #[cfg(feature = "gateway")]
        Command::Tools { command: None, list } => tools::served::list(list, &context, &mut console),
        #[cfg(not(feature = "gateway"))]
        Command::Tools { command: None } => unreachable!("the parser asks for a subcommand"),
        Command::Inspect => inspect::run(&context, &mut console),
        Command::Config { command } => config::run(command, &context, &mut console),
        Command::Completions { shell } => {
            // In memory first: the generator panics where it cannot write.
            let mut script = Vec::new();
            clap_complete::generate(
                *shell,
                &mut <Arguments as clap::CommandFactory>::command(),
                "weir",
                &mut script,
            );
            console.bytes(&script)?;
            Ok(Answer::Yes)
        }
    }?;
    // An answer that cannot be written is a failure, not an answer.
    console.flush_all()?;
    Ok(answer)
}
