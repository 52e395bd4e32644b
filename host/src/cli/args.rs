//! Flags and their help; no logic.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::tools::Tools;

/// A dam with a gate in front of a model's context: large tool results are stored whole, the model
/// gets an excerpt and a handle, and reads back just what it needs.
#[derive(Debug, Parser)]
#[command(
    name = "weir",
    version,
    max_term_width = 100,
    after_help = "\
Exit codes: 0 done or found; 1 nothing found, or something is wrong with what was checked; 2 failed.\n\
Directories follow XDG: the store in $XDG_DATA_HOME/weir/store, the configuration in \
$XDG_CONFIG_HOME/weir/config.toml, compiled code in $XDG_CACHE_HOME/weir."
)]
pub(crate) struct Arguments {
    /// The directory that holds stored results
    #[arg(long, global = true, value_name = "DIR", env = "WEIR_STORE")]
    pub(crate) store: Option<PathBuf>,

    /// The session whose results are meant; sessions see nothing of each other
    #[arg(
        long,
        global = true,
        value_name = "NAME",
        default_value = "default",
        env = "WEIR_SESSION"
    )]
    pub(crate) session: String,

    /// The configuration file
    #[arg(long, global = true, value_name = "FILE", env = "WEIR_CONFIG")]
    pub(crate) config: Option<PathBuf>,

    /// Run this component instead of the one inside
    #[arg(long, global = true, value_name = "FILE")]
    pub(crate) component: Option<PathBuf>,

    /// Print JSON
    #[arg(long, global = true)]
    pub(crate) json: bool,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Rescue real outputs made on the spot, and read back from them
    Demo(Demo),
    /// Give a tool result; see what the model would be shown
    Transform(Transform),
    /// Read back from a stored result
    Fetch(Fetch),
    /// List the session's stored results, newest first
    List(List),
    /// Keep a stored result from expiry and eviction
    Pin(Target),
    /// Let a pinned result expire again
    Unpin(Target),
    /// Delete a stored result
    Forget(Target),
    /// Show what is stored, how it was used and what it saved
    Status,
    /// Remove what is expired, over the cap or left over
    Sweep,
    /// Read everything that is stored and compare it with its digests
    Doctor {
        /// Remove what is damaged; its handles say so from then on
        #[arg(long)]
        repair: bool,
    },
    /// Index, search, describe and assemble catalogs of tools
    Tools {
        #[command(subcommand)]
        command: Tools,
    },
    /// Show what the component imports and exports, and its size
    Inspect,
    /// Show or check the configuration
    Config {
        #[command(subcommand)]
        command: Config,
    },
    /// Print a completion script for a shell
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// The directory to walk
    #[arg(default_value = ".", value_name = "DIR")]
    pub(crate) directory: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Transform {
    /// The result; `-` or nothing reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The tool that the result is of; rules go by it
    #[arg(long, value_name = "NAME", default_value = "command")]
    pub(crate) tool: String,

    /// The toolset or server of the tool
    #[arg(long, value_name = "NAME")]
    pub(crate) toolset: Option<String>,

    /// The arguments of the call, as JSON
    #[arg(long, value_name = "JSON")]
    pub(crate) arguments: Option<String>,

    /// The result reports an error
    #[arg(long)]
    pub(crate) error: bool,

    /// Only show what the model would see: store in a directory that is removed again
    #[arg(long)]
    pub(crate) show: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "Without a selection, what is known of the result is shown (stat).")]
pub(crate) struct Fetch {
    /// The id in the handle: 12 or more hex digits
    #[arg(value_name = "ID", required_unless_present = "arguments")]
    pub(crate) id: Option<String>,

    #[command(flatten)]
    pub(crate) selection: Selection,

    /// The exact bytes as they came, where the default is the text inside their envelope
    #[arg(long)]
    pub(crate) raw: bool,

    #[command(flatten)]
    pub(crate) grep: Grep,
}

#[derive(Debug, Args)]
#[group(multiple = false)]
pub(crate) struct Selection {
    /// Lines, `START[..END]`: from 1, END left out; `-10` is the last ten
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) lines: Option<String>,

    /// Bytes, `START[..END]`: from 0, END left out; `-100` is the last hundred
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) bytes: Option<String>,

    /// Characters, `START[..END]`: from 0, END left out; `-100` is the last hundred
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) chars: Option<String>,

    /// The first lines
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "10")]
    pub(crate) head: Option<u32>,

    /// The last lines
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "10")]
    pub(crate) tail: Option<u32>,

    /// All of it, as far as a model may have it at once
    #[arg(long)]
    pub(crate) full: bool,

    /// All of it, byte for byte, of any size
    #[arg(long)]
    pub(crate) all: bool,

    /// The lines that match
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) grep: Option<String>,

    /// What a model would send to weir_fetch, as JSON; shows just what it would be answered
    #[arg(long, value_name = "JSON")]
    pub(crate) arguments: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "With --grep")]
pub(crate) struct Grep {
    /// The pattern is a regular expression
    #[arg(short = 'E', long, requires = "grep")]
    pub(crate) regex: bool,

    /// `a` is not `A`; the default is to tell them apart only if the pattern has a capital
    #[arg(short = 's', long, requires = "grep", conflicts_with = "ignore_case")]
    pub(crate) case_sensitive: bool,

    /// `a` is `A`
    #[arg(short = 'i', long, requires = "grep")]
    pub(crate) ignore_case: bool,

    /// Whole words only
    #[arg(short = 'w', long, requires = "grep")]
    pub(crate) word: bool,

    /// Lines that do not match
    #[arg(short = 'v', long, requires = "grep")]
    pub(crate) invert: bool,

    /// Only count
    #[arg(short = 'c', long, requires = "grep")]
    pub(crate) count: bool,

    /// Lines of context after a match
    #[arg(short = 'A', long, value_name = "LINES", requires = "grep")]
    pub(crate) after: Option<u32>,

    /// Lines of context before a match
    #[arg(short = 'B', long, value_name = "LINES", requires = "grep")]
    pub(crate) before: Option<u32>,

    /// Lines of context around a match
    #[arg(short = 'C', long, value_name = "LINES", requires = "grep", conflicts_with_all = ["after", "before"])]
    pub(crate) context: Option<u32>,

    /// The most matches; all pages are followed up to it
    #[arg(short = 'm', long, value_name = "COUNT", requires = "grep")]
    pub(crate) max_matches: Option<u32>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    /// The most results
    #[arg(long, value_name = "COUNT", default_value_t = 50)]
    pub(crate) limit: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The id in the handle: 12 or more hex digits
    #[arg(value_name = "ID")]
    pub(crate) id: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Config {
    /// Show the settings in force, and where they come from
    Show,
    /// Check a configuration file: exit code 1 when something is wrong with it
    Validate {
        /// The file; default: the one in use
        file: Option<PathBuf>,
    },
    /// Print the JSON Schema of the configuration
    Schema,
}
