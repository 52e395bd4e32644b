//! The flags of `weir tools` and their help; no logic.

use std::path::PathBuf;

use clap::{Args, Subcommand, ValueEnum};
use serde::Serialize;

use crate::flags::{Catalogs, Upstreams};

const FILES: &str = "\
FILE is an answer to tools/list as JSON ({\"tools\": […]}, with or without its JSON-RPC envelope, or a \
bare array), or tools one a line. \
Each file is a server of that name, unless its tools name theirs. One FILE alone may also be a catalog \
that `weir tools index --save` wrote.";

#[derive(Debug, Subcommand)]
pub(crate) enum Tools {
    /// Build a catalog: its size, its name, and what is odd about its tools
    #[command(after_help = FILES)]
    Index(Index),
    /// Find tools
    #[command(after_help = FILES)]
    Search(Search),
    /// Show what is known of tools, with their exact schemas
    #[command(after_help = FILES)]
    Describe(Describe),
    /// Show what a model would see in place of all tools, in tokens before and after
    #[command(after_help = FILES)]
    Assemble(Assemble),
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
pub(crate) struct Index {
    /// The tools
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// Write the catalog to a file, which the other commands load without building
    #[arg(long, value_name = "FILE")]
    pub(crate) save: Option<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct Search {
    /// What to search for; filters such as server:NAME and select:NAME,NAME are understood
    #[arg(value_name = "QUERY")]
    pub(crate) query: String,

    /// The tools
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// A further query
    #[arg(long, value_name = "QUERY")]
    pub(crate) also: Vec<String>,

    /// The most hits for a query, 1 to 25
    #[arg(long, value_name = "COUNT")]
    pub(crate) limit: Option<u32>,

    /// How much is said about a hit
    #[arg(long, value_enum, default_value_t)]
    pub(crate) detail: Detail,

    /// Show just what a model would be answered
    #[arg(long, conflicts_with = "json")]
    pub(crate) as_model: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Describe {
    /// The tools' names, with commas between them
    #[arg(value_name = "NAMES")]
    pub(crate) names: String,

    /// The tools
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// How much is said
    #[arg(long, value_enum, default_value = "full")]
    pub(crate) detail: Detail,

    /// A place inside the schema, such as `body.recipients`
    #[arg(long, value_name = "PATH")]
    pub(crate) path: Option<String>,
}

#[derive(Debug, Args)]
pub(crate) struct Assemble {
    /// The tools
    #[arg(required = true, value_name = "FILE")]
    pub(crate) files: Vec<PathBuf>,

    /// The model's context in tokens; 0 when it is not known
    #[arg(long, value_name = "TOKENS", default_value_t = 200_000)]
    pub(crate) context: u32,

    /// When to defer tools
    #[arg(long, value_enum, default_value_t)]
    pub(crate) mode: Mode,

    /// In auto, the share of the context that schemas must take, in percent
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(..=100))]
    pub(crate) threshold_percent: Option<u32>,

    /// In auto, the tokens that schemas must take; the lower of the two counts
    #[arg(long, value_name = "TOKENS")]
    pub(crate) threshold_tokens: Option<u32>,

    /// The most tokens of the listing; 0 for none
    #[arg(long, value_name = "TOKENS")]
    pub(crate) listing_tokens: Option<u32>,

    /// The most the listing may take of the context, in percent
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u32).range(..=100))]
    pub(crate) listing_percent: Option<u32>,

    /// Where the listing stands
    #[arg(long, value_enum)]
    pub(crate) placement: Option<Placement>,

    /// What the listing may say about these servers, which are not trusted
    #[arg(long, value_enum)]
    pub(crate) untrusted: Option<Untrusted>,

    /// Show the visible tools by server and name, not as given
    #[arg(long)]
    pub(crate) by_name: bool,

    /// Defer this although it would be visible: NAME, server:NAME or tag:NAME
    #[arg(long, value_name = "WHAT")]
    pub(crate) defer: Vec<String>,

    /// Defer also tools that ask the user, when named
    #[arg(long)]
    pub(crate) force_defer: bool,

    /// Never defer this: NAME, server:NAME or tag:NAME
    #[arg(long, value_name = "WHAT")]
    pub(crate) pin: Vec<String>,

    /// Fail when this tool is not there
    #[arg(long, value_name = "NAME")]
    pub(crate) require: Vec<String>,

    /// Print what the model sees: the bridge tools with their listing
    #[arg(long, conflicts_with = "json")]
    pub(crate) show: bool,
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

/// When to defer tools.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Mode {
    /// When their schemas reach a threshold and deferring them saves tokens
    #[default]
    Auto,
    /// Whenever there is anything to defer
    On,
    /// Never
    Off,
}

/// Where the listing of deferred tools stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Placement {
    /// In the description of the search tool
    Description,
    /// In a text of its own
    Block,
}

/// What the listing may say about a server that is not trusted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Untrusted {
    /// Its name and how many tools it has
    Count,
    /// Its tools' names and parameters
    Names,
    /// All, as for a trusted one
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
