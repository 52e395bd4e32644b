//! The laboratory: what measures the ranking of tool search, explains it and makes its data. See README.md.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "figures are what it writes")]

mod absent;
mod eval;
mod explain;
mod learn;
mod pack;
mod plain;
mod plot;
mod purpose;
mod rank;
mod ranker;
mod read;
mod score;
mod screen;

use std::error::Error;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// What anything here ends with.
type Fallible<T> = Result<T, Box<dyn Error>>;

#[derive(Parser)]
#[command(name = "weir-lab", about = "Measures and explains the ranking of tool search")]
struct Lab {
    #[command(subcommand)]
    command: Command,
}

/// A SET is a folder with `catalogue.jsonl` ({"id", "name", "description", "parameters", "server"}) and
/// `queries.jsonl` ({"id", "query", "relevant", "category"}).
#[derive(Subcommand)]
enum Command {
    /// Score rankings of judged queries, one ranker beside the other
    Eval(eval::Args),
    /// Show why a tool has the score it has
    Explain(explain::Args),
    /// Rank each query of a set by the index alone, without a catalog, and write the run
    Rank(rank::Args),
    /// Show how often a request that no tool serves has matches, and one that some tool serves the right tool
    Absent(absent::Args),
    /// Show what learning from use is worth
    Learn {
        /// The sets
        #[arg(required = true, value_name = "SET")]
        sets: Vec<PathBuf>,
    },
    /// Screen texts as a catalog's are screened
    Screen(screen::Args),
    /// Show how often an excerpt holds the line that answers a purpose, with the purpose and without
    Purpose(purpose::Args),
    /// Make the phrase pack from `dev/training/phrases`, and measure how well its keys hold
    #[command(subcommand)]
    Pack(pack::Pack),
}

fn main() -> ExitCode {
    let done = match Lab::parse().command {
        Command::Eval(args) => eval::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Rank(args) => rank::run(&args),
        Command::Absent(args) => absent::run(&args),
        Command::Learn { sets } => learn::run(&sets),
        Command::Screen(args) => screen::run(&args),
        Command::Purpose(args) => purpose::run(&args),
        Command::Pack(args) => pack::run(&args),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::from(2)
        }
    }
}
