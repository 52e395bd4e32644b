//! Flags that several commands take.

use std::path::PathBuf;

use clap::Args;

/// The heading of options that every command takes, which come last.
const GLOBAL: &str = "Global options";

// Flags that every command takes. Not a doc comment: that would stand in the place of the command's own.
#[derive(Debug, Default, Clone, Args)]
pub(crate) struct Global {
    /// The directory that holds stored results
    #[arg(long, global = true, help_heading = GLOBAL, display_order = 900, value_name = "DIR", env = "WEIR_STORE")]
    pub(crate) store: Option<PathBuf>,

    /// The session whose results are read and written. No session sees another's results. Default: that of
    /// --host, or of the agent host in whose shell this runs, else `default`. `weir serve` without
    /// either flag has a session of its own
    #[arg(long, global = true, help_heading = GLOBAL, display_order = 900, value_name = "NAME", env = "WEIR_SESSION")]
    pub(crate) session: Option<String>,

    /// The agent host for which this runs. Its hook, its gateway entry and its shell share one
    /// session for each user and project
    #[arg(long, global = true, help_heading = GLOBAL, display_order = 900, value_name = "NAME", env = "WEIR_HOST")]
    pub(crate) host: Option<String>,

    /// The configuration file
    #[arg(long, global = true, help_heading = GLOBAL, display_order = 900, value_name = "FILE", env = "WEIR_CONFIG")]
    pub(crate) config: Option<PathBuf>,

    /// Run this component instead of the one inside, if a key of `trusted_keys` signed it
    #[arg(long, global = true, help_heading = GLOBAL, display_order = 900, value_name = "FILE")]
    pub(crate) component: Option<PathBuf>,

    /// Run a component's file that no trusted key signed
    #[arg(long, global = true, help_heading = GLOBAL, display_order = 900)]
    pub(crate) allow_unsigned: bool,

    /// Print JSON
    #[arg(long, global = true, help_heading = GLOBAL, display_order = 900)]
    pub(crate) json: bool,
}

/// Which servers, and what is kept of them.
#[derive(Debug, Args)]
pub(crate) struct Upstreams {
    /// The file that names the servers, in the form of any client: Claude, Cursor, VS Code, Codex,
    /// Hermes and others. Default: servers.json beside the configuration
    #[arg(long, value_name = "FILE", env = "WEIR_SERVERS")]
    pub(crate) servers: Option<PathBuf>,

    /// The directory that holds the tool lists and counts of servers
    #[arg(long, value_name = "DIR", env = "WEIR_STATE")]
    pub(crate) state: Option<PathBuf>,
}

/// Whose tools, and whether to ask.
#[derive(Debug, Args)]
pub(crate) struct Catalogs {
    #[command(flatten)]
    pub(crate) upstreams: Upstreams,

    /// Start no server, even if its tools are not known yet
    #[arg(long)]
    pub(crate) no_start: bool,
}
