//! The flags of `weir tools` and their help; no logic.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};

use crate::flags::{Catalogs, Upstreams};

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// Find tools, as `weir search` does
    Search(SearchTools),
    /// Show what is known of tools, with their exact schemas
    Describe(Describe),
    /// Take search phrases for the tools of the gateway's servers from a file
    #[command(
        after_help = "Phrases count when tools are ranked, and are never shown. They are kept in \
        $XDG_STATE_HOME/weir/phrases.json by a fingerprint of each tool: a tool that changes has none until they are \
        given again. A file has a line for each tool: {\"server\", \"tool\", \"q\": [phrases]}."
    )]
    Phrases(Phrases),
    /// Show what searches taught the gateway, or erase it
    Learnt(Learnt),
    /// Show tools of the gateway's servers that are left out until you approve them, and approve them
    Approve(Approve),
}

#[derive(Debug, Args)]
#[command(after_help = "\
Tools wait here when their server's entry has \"approve\": true and they are new or changed since the server was \
first seen, or has \"changed\": \"refuse\" and they changed. A running gateway offers approved tools within seconds.")]
pub(crate) struct Approve {
    #[command(flatten)]
    pub(crate) upstreams: Upstreams,

    /// The server
    pub(crate) server: String,

    /// The tools to approve, by the server's own names; without one, those that wait are shown
    #[arg(value_name = "TOOL")]
    pub(crate) tools: Vec<String>,

    /// Approve all that wait
    #[arg(long, conflicts_with = "tools")]
    pub(crate) all: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Describe {
    /// The tools' names, with commas between them
    #[arg(value_name = "NAMES")]
    pub(crate) names: String,

    #[command(flatten)]
    pub(crate) catalogs: Catalogs,

    /// How much is said
    #[arg(long, value_enum, default_value = "full")]
    pub(crate) detail: Detail,

    /// A place inside the schema, such as `body.recipients`
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Phrases {
    /// Only for tools of this server
    #[arg(value_name = "SERVER")]
    pub(crate) server: Option<String>,

    /// Take the phrases from a file
    #[arg(long, value_name = "FILE")]
    pub(crate) from: Option<PathBuf>,

    /// Forget the phrases that were given
    #[arg(long, conflicts_with = "from")]
    pub(crate) erase: bool,

    #[command(flatten)]
    pub(crate) catalogs: Catalogs,
}

#[derive(Debug, Args)]
pub(crate) struct Learnt {
    /// Only of this server
    #[arg(value_name = "SERVER")]
    pub(crate) server: Option<String>,

    /// Only of this tool, by the name it has at the server
    #[arg(value_name = "TOOL", requires = "server")]
    pub(crate) tool: Option<String>,

    /// Forget what is shown
    #[arg(long)]
    pub(crate) erase: bool,

    /// The directory for what is kept between runs
    #[arg(long, value_name = "DIR", env = "WEIR_STATE")]
    pub(crate) state: Option<PathBuf>,
}

/// How much is said about a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Detail {
    /// Its name and what it does
    Brief,
    /// Also its arguments as a signature
    #[default]
    Signature,
    /// Also its exact schema
    Full,
}

#[derive(Debug, Args)]
pub(crate) struct ListTools {
    #[command(flatten)]
    pub(crate) catalogs: Catalogs,

    /// Only the tools of this server
    #[arg(long, value_name = "NAME")]
    pub(crate) server: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The name of a hit is what `weir call` takes. Tools are known from when their servers last ran; only servers \
that are not known yet are started.")]
pub(crate) struct SearchTools {
    #[command(flatten)]
    pub(crate) catalogs: Catalogs,

    /// What to search for; filters such as server:NAME and select:NAME,NAME are understood
    #[arg(value_name = "QUERY", required = true)]
    pub(crate) query: Vec<String>,

    /// The most hits, 1 to 25
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u32).range(1..=25))]
    pub(crate) limit: Option<u32>,

    /// How much to print about a hit
    #[arg(long, value_enum, default_value_t)]
    pub(crate) detail: Detail,
}
