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

pub(crate) fn run(arguments: &Arguments) -> Result<Answer, Failure> {
    let context = Context::new(&arguments.global);
    // What commands hear of servers on the way; those that serve say themselves how much they print.
    match &arguments.command {
        Command::Serve(_) => {}
        #[cfg(feature = "extmcp")]
        Command::ExtMcp(_) => {}
        _ => log::print("warn", false),
    }
    let answer = match &arguments.command {
        Command::Serve(serve) => serve::run(serve, &context),
        #[cfg(feature = "extmcp")]
        Command::ExtMcp(extmcp) => extmcp::run(extmcp, &context),
        Command::DemoServer => demo::server::run(),
        Command::ServeBuiltin { server } => serve_builtin::run(server, &context),
        Command::Hook(hook) => hook::run(hook, &context),
        Command::Run(run) => run::run(run, &context),
        Command::Servers(servers) => servers::run(servers, &context),
        Command::Login(arguments) => login::login(arguments, &context),
        Command::Logout(arguments) => login::logout(arguments, &context),
        Command::Secret { command } => secret::run(command, &context),
        Command::Token { command } => token::run(command, &context),
        Command::Approve(approve) => approve::run(approve, &context),
        Command::Ui { state } => ui::run(state.as_ref(), &context),
        Command::Memory(memory) => memory::run(memory, &context),
        Command::Search(search) => tools::served::search(search, &context),
        Command::Call(call) => call::run(call, &context),
        Command::Stats(stats) => stats::run(stats, &context),
        Command::Try(arguments) => trial::run(arguments, &context),
        Command::Install(install) => install::install(install, &context),
        Command::Uninstall(arguments) => install::uninstall(arguments, &context),
        Command::Import(import) => install::import(import, &context),
        Command::Demo => demo::run(&context),
        Command::Transform(transform) => transform::run(transform, &context),
        Command::Fetch(fetch) => fetch::run(fetch, &context),
        Command::List(list) => list::run(list, &context),
        Command::Pin(target) => list::pin(target, true, &context),
        Command::Unpin(target) => list::pin(target, false, &context),
        Command::Forget(target) => list::forget(target, &context),
        Command::Share(share) => store::share(share, &context),
        Command::Store { command } => store::run(command, &context),
        Command::Status(status) => status::run(status, &context),
        Command::Sweep => sweep::run(&context),
        Command::Doctor { repair } => doctor::run(*repair, &context),
        Command::Tools { command: Some(command), .. } => tools::run(command, &context),
        Command::Tools { command: None, list } => tools::served::list(list, &context),
        Command::Inspect => inspect::run(&context),
        Command::Component { command } => component::run(command, &context),
        Command::Config { command } => config::run(command, &context),
        Command::Completions { shell } => help::completions(*shell, &context.console),
        Command::Man { directory } => help::manual(directory, &context.console),
    }?;
    // An answer that cannot be written is a failure, not an answer.
    context.console.flush_all()?;
    Ok(answer)
}
