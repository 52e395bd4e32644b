//! The command `weir`: parse, run, exit code.

#![cfg_attr(not(test), warn(clippy::too_many_lines))]

use std::process::ExitCode;

use clap::FromArgMatches as _;

mod answer;
mod approve;
mod args;
mod call;
mod complete;
mod component;
mod config;
mod console;
mod context;
mod counting;
mod definitions;
mod demo;
mod doctor;
mod excerpt;
#[cfg(feature = "extmcp")]
mod extmcp;
mod failure;
mod fetch;
mod flags;
mod gateway;
mod help;
mod hook;
mod ids;
mod inspect;
mod install;
mod interrupt;
mod json;
mod left_out;
mod list;
mod log;
mod login;
mod memory;
mod not_understood;
mod numbers;
mod page;
mod report;
mod run;
mod secret;
mod serve;
mod serve_builtin;
mod servers;
mod stats;
mod status;
mod store;
mod sweep;
mod tier;
mod token;
mod tools;
mod transform;
mod trial;
mod trust;
mod ui;
mod versions;

use answer::{Answer, exit_code};
use args::{Arguments, Command};
use console::Console;
use context::Context;
use failure::Failure;

fn main() -> ExitCode {
    // The other process that this program can be, before anything else.
    #[cfg(unix)]
    if let Some(code) = weir_gateway::guard::run_if_asked() {
        return code;
    }
    // What is stored is for this user alone.
    #[cfg(unix)]
    let mask = rustix::process::umask(rustix::fs::Mode::from_bits_truncate(0o077));
    #[cfg(unix)]
    weir_gateway::process::set_umask(mask);
    // A hook answers in milliseconds: nothing of what helps people is made for it.
    if std::env::var_os("COMPLETE").is_some() {
        clap_complete::CompleteEnv::with_factory(help::command).complete();
    }
    let parsed =
        help::command().try_get_matches().and_then(|matches| Arguments::from_arg_matches(&matches));
    let arguments = match parsed {
        Ok(arguments) => arguments,
        Err(error) => return help::refused(error),
    };
    exit_code(run(&arguments), arguments.global.json)
}

#[expect(clippy::too_many_lines, reason = "one match, a command each")]
pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let context = Context::new(&arguments.global);
    // Before there is a console, which would hold standard output.
    if let Command::Serve(serve) = &arguments.command {
        return serve::run(serve, &context);
    }
    #[cfg(feature = "extmcp")]
    if let Command::ExtMcp(extmcp) = &arguments.command {
        return extmcp::run(extmcp, &context);
    }
    // What other commands hear of servers on the way.
    log::print("warn", false);
    if let Command::DemoServer(server) = &arguments.command {
        return demo::server::run(&server.directory);
    }
    if let Command::ServeBuiltin { server } = &arguments.command {
        return serve_builtin::run(server, &context);
    }
    if let Command::Hook(hook) = &arguments.command {
        return hook::run(hook, &context);
    }
    if let Command::Run(run) = &arguments.command {
        return run::run(run, &context, arguments.global.json);
    }
    let mut console = Console::new(arguments.global.json);
    let answer = match &arguments.command {
        Command::Serve(_)
        | Command::ServeBuiltin { .. }
        | Command::DemoServer(_)
        | Command::Hook(_)
        | Command::Run(_) => {
            unreachable!("they were run above")
        }
        #[cfg(feature = "extmcp")]
        Command::ExtMcp(_) => unreachable!("it was run above"),
        Command::Servers(servers) => servers::run(servers, &context, &mut console),
        Command::Login(arguments) => login::login(arguments, &context, &mut console),
        Command::Logout(arguments) => login::logout(arguments, &context, &mut console),
        Command::Secret { command } => secret::run(command, &context, &mut console),
        Command::Token { command } => token::run(command, &context, &mut console),
        Command::Approve(approve) => approve::run(approve, &context, &mut console),
        Command::Ui { state } => ui::run(state.as_ref(), &context, &mut console),
        Command::Memory(memory) => memory::run(memory, &context, &mut console),
        Command::Search(search) => tools::served::search(search, &context, &mut console),
        Command::Call(call) => call::run(call, &context, &mut console),
        Command::Stats(stats) => stats::run(stats, &context, &mut console),
        Command::Try(arguments) => trial::run(arguments, &context, &mut console),
        Command::Install(install) => install::install(install, &context, &mut console),
        Command::Uninstall(arguments) => install::uninstall(arguments, &context, &mut console),
        Command::Import(import) => install::import(import, &context, &mut console),
        Command::Demo(demo) => demo::run(demo, &context, &mut console),
        Command::Transform(transform) => transform::run(transform, &context, &mut console),
        Command::Fetch(fetch) => fetch::run(fetch, &context, &mut console),
        Command::List(list) => list::run(list, &context, &mut console),
        Command::Pin(target) => list::pin(target, true, &context, &mut console),
        Command::Unpin(target) => list::pin(target, false, &context, &mut console),
        Command::Forget(target) => list::forget(target, &context, &mut console),
        Command::Share(share) => store::share(share, &context, &mut console),
        Command::Store { command } => store::run(command, &context, &mut console),
        Command::Status(status) => status::run(status, &context, &mut console),
        Command::Sweep => sweep::run(&context, &mut console),
        Command::Doctor { repair } => doctor::run(*repair, &context, &mut console),
        Command::Tools { command: Some(command), .. } => {
            tools::run(command, &context, &mut console)
        }
        Command::Tools { command: None, list } => tools::served::list(list, &context, &mut console),
        Command::Inspect => inspect::run(&context, &mut console),
        Command::Component { command } => component::run(command, &context, &mut console),
        Command::Config { command } => config::run(command, &context, &mut console),
        Command::Completions { shell } => help::completions(*shell, &mut console),
        Command::Man { directory } => help::manual(directory, &mut console),
    }?;
    // An answer that cannot be written is a failure, not an answer.
    console.flush_all()?;
    Ok(answer)
}
