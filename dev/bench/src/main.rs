//! What saving context really costs. `contextbench run` measures, `contextbench replay` reads recorded sessions.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "it is a command")]

mod dice;
mod kinds;
mod meter;
mod question;
mod reader;
mod replay;
mod report;
mod run;
mod stats;
mod strategy;
mod tools;

use std::path::PathBuf;
use std::process::ExitCode;

const HELP: &str =
    "What saving context really costs: spilled results with read-back, and tool search

contextbench run [--quick] [--only NAME]... [--strategies FILE] [--out FOLDER]
    Runs all strategies; writes rows.jsonl, report.md and plots into FOLDER (target/contextbench)
contextbench tasks
    Prints the results and questions of the short form, with their answers, as JSON lines: for model.py
contextbench replay [--only NAME]... [--strategies FILE] FILE...
    Puts the tool results of recorded sessions through the strategies";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let command = arguments.next();
    let mut options = run::Options {
        quick: false,
        only: Vec::new(),
        strategies: PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/strategies.json")),
        out: PathBuf::from("target/contextbench"),
    };
    let mut files = Vec::new();
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--quick" => options.quick = true,
            "--only" => options.only.push(value()),
            "--strategies" => options.strategies = value().into(),
            "--out" => options.out = value().into(),
            _ => files.push(PathBuf::from(argument)),
        }
    }
    let done = match command.as_deref() {
        Some("run") if files.is_empty() => run::run(&options),
        Some("tasks") if files.is_empty() => {
            run::print_tasks();
            Ok(())
        }
        Some("replay") if !files.is_empty() => replay::replay(&options, &files),
        _ => Err(HELP.to_owned()),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}
