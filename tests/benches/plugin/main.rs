//! What the component costs in wasmtime, beside the same code compiled natively.
//!
//! ```text
//! cargo bench -p weir-tests --bench plugin                     everything, some minutes
//! cargo bench -p weir-tests --bench plugin -- --quick          without 100 MB and 100,000 blobs
//! cargo bench -p weir-tests --bench plugin -- grep range       only these areas
//! cargo bench -p weir-tests --bench plugin -- --dir /dev/shm   stores there
//! ```
//!
//! Every answer is checked: against what the corpus was made of, and native against wasm.

#![expect(clippy::print_stdout, reason = "a bench prints its table")]

mod call;
mod corpus;
mod grep;
mod range;
mod side;
mod start;
mod store;
mod table;
mod timer;
mod transform;
mod without_table;

use std::path::PathBuf;

/// What was asked for.
pub(crate) struct Options {
    /// Leave out what takes long.
    quick: bool,
    /// Where stores are made.
    dir: PathBuf,
    areas: Vec<String>,
}

impl Options {
    fn wants(&self, area: &str) -> bool {
        self.areas.is_empty() || self.areas.iter().any(|wanted| wanted == area)
    }
}

const AREAS: [&str; 7] = ["start", "call", "transform", "range", "grep", "store", "table"];

fn main() {
    let options = match options(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(message) => {
            println!("{message}");
            std::process::exit(2);
        }
    };
    println!("{NOTES}");
    table::head();
    if options.wants("start") {
        start::run();
    }
    if options.wants("call") {
        call::run(&options);
    }
    if options.wants("transform") {
        transform::run(&options);
    }
    if options.wants("range") {
        range::run(&options);
    }
    if options.wants("grep") {
        grep::run(&options);
    }
    if options.wants("store") {
        store::run(&options);
    }
    if options.wants("table") {
        without_table::run(&options);
    }
}

const NOTES: &str = "\
Times in milliseconds, the best of several runs. CPU is the time of the calling thread, in which
all work is done; a target is held against the CPU time in wasm. `cpu only` in the last column: it
is met so, and not on the clock, which counts waiting for the disk and for other processes.
MB = 1,000,000 bytes. Files are in the page cache, as they are just after a put.
Not shown: reads from a cold disk, several calls at once, hosts other than wasmtime.
";

fn options(arguments: impl Iterator<Item = String>) -> Result<Options, String> {
    let mut options = Options { quick: false, dir: std::env::temp_dir(), areas: Vec::new() };
    let mut arguments = arguments;
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            // cargo says so to every bench.
            "--bench" => {}
            "--quick" => options.quick = true,
            "--dir" => options.dir = arguments.next().ok_or("--dir needs a directory")?.into(),
            area if AREAS.contains(&area) => options.areas.push(area.to_owned()),
            other => {
                let areas = AREAS.join(", ");
                return Err(format!("unknown: {other}; known: --quick, --dir DIR, {areas}"));
            }
        }
    }
    Ok(options)
}
