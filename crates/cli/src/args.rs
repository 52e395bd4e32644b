//! Flags and their help; no logic.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args, Parser, Subcommand};

use super::complete;
use super::flags::{Global, Upstreams};
use super::tools::args::{ListTools, SearchTools, Tools};

/// Keep large tool results and long tool lists out of a model's context: the model gets an excerpt
/// and a handle, and reads back just what it needs.
#[derive(Debug, Parser)]
#[command(
    name = "weir",
    version,
    max_term_width = 100,
    after_help = "\
Exit codes: 0 done or found; 1 nothing found, or something is wrong with what was checked; 2 failed.\n\
Directories follow XDG: the store in $XDG_DATA_HOME/weir/store, the configuration in \
$XDG_CONFIG_HOME/weir/config.toml, the gateway's servers in servers.json beside it, their tool lists and \
counts in $XDG_STATE_HOME/weir, compiled code in $XDG_CACHE_HOME/weir."
)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) global: Global,

    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run the MCP gateway (stdio or HTTP)
    Serve(Serve),
    /// Serve agentgateway's ExtMcp over gRPC; large results become excerpts, long lists of tools short
    #[cfg(feature = "extmcp")]
    #[command(name = "extmcp")]
    ExtMcp(ExtMcp),
    /// Show the gateway's servers and their problems
    Servers(Servers),
    /// Log in to a server over HTTP that asks for it (OAuth)
    Login(Login),
    /// Log out of a server and revoke its tokens
    Logout(Logout),
    /// Store secrets that entries of servers refer to as `secret:NAME`
    Secret {
        #[command(subcommand)]
        command: Secret,
    },
    /// Issue tokens to clients of a gateway over HTTP
    Token {
        #[command(subcommand)]
        command: Token,
    },
    /// Answer calls that wait for your yes; take back what you allowed
    Approve(Approve),
    /// Open the page of a gateway that runs with --http and --ui
    Ui {
        /// Where the gateway keeps what it knows of its servers
        #[arg(long, value_name = "DIR", env = "WEIR_STATE")]
        state: Option<PathBuf>,
    },
    /// Print the notes of the built-in server `memory`, or delete them
    Memory(Memory),
    /// Find tools of the gateway's servers, as a model would
    Search(SearchTools),
    /// Call a server's tool through the gateway
    Call(Call),
    /// Show traffic, savings, and how often the model read more
    Stats(Stats),
    /// Say what each mode would save or cost an agent; nothing is installed or written
    Try(Try),
    /// Put Weir into the agents of this machine, with a diff and undo
    Install(Install),
    /// Take back what was installed, and remove all that Weir stored
    Uninstall(Uninstall),
    /// Copy the servers of agent hosts into the gateway's file
    Import(Import),
    /// Show Weir at work on sample results; then the same over MCP
    Demo,
    /// The MCP server of the demo, over stdio
    #[command(hide = true)]
    DemoServer,
    /// Serve skills or notes as an MCP server over stdio
    ServeBuiltin {
        #[command(subcommand)]
        server: BuiltInServer,
    },
    /// Answer one event of an agent's hook; large results are stored and excerpted
    Hook(Hook),
    /// Run a command; store its output and print an excerpt when it is large
    Run(Run),
    /// Print what a model would see of a tool result
    Transform(Transform),
    /// Read back from a stored result
    Fetch(Fetch),
    /// List the session's stored results, newest first
    List(List),
    /// Protect a stored result from expiry and eviction
    Pin(Target),
    /// Let a pinned result expire again
    Unpin(Target),
    /// Delete a stored result
    Forget(Target),
    /// Let another client of the tier read a stored result
    Share(Share),
    /// Look after what gateways share: what is there, what goes
    Store {
        #[command(subcommand)]
        command: Store,
    },
    /// Show storage, savings and server health
    Status(Upstreams),
    /// Delete expired results, those over the size cap, and leftovers
    Sweep,
    /// Check every stored byte, and the files of agent hosts
    Doctor {
        /// Delete damaged results; their handles say so from then on
        #[arg(long)]
        repair: bool,
    },
    /// Find, describe and approve the tools of the gateway's servers
    #[command(args_conflicts_with_subcommands = true)]
    Tools {
        #[command(subcommand)]
        command: Option<Tools>,

        #[command(flatten)]
        list: ListTools,
    },
    /// Show what the component imports and exports, and its size
    Inspect,
    /// Verify files of the component
    Component {
        #[command(subcommand)]
        command: Component,
    },
    /// Show or check the configuration
    Config {
        #[command(subcommand)]
        command: Config,
    },
    /// Print a completion script for a shell
    #[command(after_help = COMPLETIONS_HELP)]
    Completions {
        /// The shell
        shell: clap_complete::Shell,
    },
    /// Write the manual pages into a directory
    #[command(after_help = "\
Example:\n\
  weir man ~/.local/share/man/man1")]
    Man {
        /// The directory, which is made where it is missing
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

const COMPLETIONS_HELP: &str = "\
Completes commands, options, ids of stored results, hosts and files.

Examples:
  weir completions bash > ~/.local/share/bash-completion/completions/weir
  weir completions zsh > ~/.zfunc/_weir            with fpath+=~/.zfunc before compinit
  weir completions fish > ~/.config/fish/completions/weir.fish";

#[derive(Debug, Args)]
#[command(after_help = "\
Rules in the file of servers say which calls wait: weir.approvals and weir.dangerous.

Examples:
  weir approve                    what waits
  weir approve 3f9c01ab           this call may run
  weir approve 3f9c01ab --always  calls like it may run from now on
  weir approve --list             what was allowed for good")]
pub(crate) struct Approve {
    /// The call to answer; without one, the calls that wait are shown
    #[arg(value_name = "ID")]
    pub(crate) id: Option<String>,

    /// Allow calls like it for the rest of its session, too
    #[arg(long, requires = "id", conflicts_with_all = ["always", "no"])]
    pub(crate) for_session: bool,

    /// Allow calls like it from now on, too
    #[arg(long, requires = "id", conflicts_with = "no")]
    pub(crate) always: bool,

    /// Refuse it
    #[arg(long, requires = "id")]
    pub(crate) no: bool,

    /// Show what was allowed for good
    #[arg(long, conflicts_with = "id")]
    pub(crate) list: bool,

    /// Take back what was allowed for good
    #[arg(long, value_name = "ID", conflicts_with_all = ["id", "list"])]
    pub(crate) revoke: Option<String>,

    #[command(flatten)]
    pub(crate) upstreams: Upstreams,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Reads one event from standard input and writes the host's own kind of answer, or nothing. The exit code is \
always 0: whatever goes wrong, the result stays as it is. `weir install` writes the entry that runs this.")]
pub(crate) struct Hook {
    /// The host: claude-code, codex, copilot, gemini, mistral-vibe, qwen-code, cursor, qoder,
    /// codebuddy, grok-build, docker-agent, docker-mcp, or one with a plugin of Weir's: opencode, kilo,
    /// pi, cline, openclaw, amp, hermes
    #[arg(value_name = "HOST", add = complete::hook_hosts())]
    pub(crate) agent: String,

    /// How the model reads on: the name of a tool, as in `weir_fetch`, or `shell` for the command
    /// `weir fetch`
    #[arg(long, value_name = "READER", default_value = "shell")]
    pub(crate) reader: String,

    /// The event comes before a call: answer with the shell command run by `weir run`
    #[arg(long)]
    pub(crate) wrap: bool,

    /// Read no event: print, as JSON, what to put into which of the host's files to run the hook
    #[arg(long)]
    pub(crate) show: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The exit code is the command's own; 128 and the number of the signal that ended it; 126 or 127 when it could \
not be started. Output that is not large is printed as it came.")]
pub(crate) struct Run {
    /// Run this line in a shell: that of $SHELL where it is bash, zsh, ksh or dash, else sh
    #[arg(short = 'c', long = "shell", value_name = "LINE", conflicts_with = "command")]
    pub(crate) line: Option<String>,

    /// What the result is for, in words: the excerpt shows lines that fit
    #[arg(long, value_name = "TEXT")]
    pub(crate) purpose: Option<String>,

    /// The command and its arguments
    #[arg(
        trailing_var_arg = true,
        allow_hyphen_values = true,
        value_name = "CMD",
        required_unless_present = "line"
    )]
    pub(crate) command: Vec<OsString>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:\n\
  cargo test 2>&1 | weir transform\n\
  weir transform --tool read_file --show big.json")]
pub(crate) struct Transform {
    /// The result; `-` or nothing reads standard input
    #[arg(value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The tool that gave the result; rules for single tools go by this name
    #[arg(long, value_name = "NAME", default_value = "command")]
    pub(crate) tool: String,

    /// The toolset or server of the tool
    #[arg(long, value_name = "NAME")]
    pub(crate) toolset: Option<String>,

    /// The arguments of the call, as JSON
    #[arg(long, value_name = "JSON")]
    pub(crate) arguments: Option<String>,

    /// What the result is for, in words: the excerpt shows lines that fit
    #[arg(long, value_name = "TEXT")]
    pub(crate) purpose: Option<String>,

    /// The result reports an error
    #[arg(long)]
    pub(crate) error: bool,

    /// Only show what the model would see: store in a directory that is removed again
    #[arg(long)]
    pub(crate) show: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Without a selection, prints the result's tool, kind, size and age. On a terminal the answer goes through `PAGER`, else `less`; \
`PAGER=cat` for none.\n\n\
Examples:\n\
\x20 weir fetch 18d7 --grep error -C 3\n\
\x20 weir fetch 18d7 --lines 40..80         lines 40 to 80, both included\n\
\x20 weir fetch 18d7 --all > whole.log\n\
\x20 weir fetch 18d7 --query 'select(.status == \"failed\") | .id'\n\
\x20 weir fetch 18d7 --query .duration --by .service --reduce stats\n\
\x20 weir fetch 18d7 --outline              keys, columns, headings, with types and values\n\
\x20 weir fetch 18d7 --diff                 what changed since the last result of the same call\n\
\x20 weir fetch --search 'disk full'        in all results of the session\n\
\x20 weir fetch build.log --grep 'error\\['   in a file")]
pub(crate) struct Fetch {
    /// The id in the handle, any unique start of it, or its URI; several with commas between them, `ID+` for all
    /// pages of its list; or a file, `-` for standard input. Default: what the session stored last
    #[arg(value_name = "ID", add = complete::ids())]
    pub(crate) id: Option<String>,

    #[command(flatten)]
    pub(crate) selection: Selection,

    /// Store the file in the session, under an id. Default: read it and keep nothing
    #[arg(long)]
    pub(crate) keep: bool,

    /// The exact bytes as they came, where the default is the text inside their envelope
    #[arg(long)]
    pub(crate) raw: bool,

    #[command(flatten)]
    pub(crate) grep: Grep,

    #[command(flatten)]
    pub(crate) questions: Questions,
}

#[derive(Debug, Default, PartialEq, Args)]
#[group(multiple = false)]
pub(crate) struct Selection {
    /// Lines, `START[..END]`: from 1, both included; `-10` is the last ten
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) lines: Option<String>,

    /// Bytes, `START[..END]`: from 0, both included; `-100` is the last hundred
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) bytes: Option<String>,

    /// Characters, `START[..END]`: from 0, both included; `-100` is the last hundred
    #[arg(long, value_name = "RANGE", allow_hyphen_values = true)]
    pub(crate) chars: Option<String>,

    /// The first lines
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) head: Option<u32>,

    /// The last lines
    #[arg(long, value_name = "LINES", num_args = 0..=1, default_missing_value = "10", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) tail: Option<u32>,

    /// The whole result, if it fits into one answer to a model
    #[arg(long)]
    pub(crate) full: bool,

    /// The whole result, of any size; with --raw byte for byte as it came
    #[arg(long)]
    pub(crate) all: bool,

    /// The lines that match a regular expression
    #[arg(long, value_name = "PATTERN", allow_hyphen_values = true)]
    pub(crate) grep: Option<String>,

    /// Run a jq program on each row: item of the largest array, line of JSON, document of YAML, row
    /// of a table (as an object), line of text (as a string)
    #[arg(long, value_name = "PROGRAM", allow_hyphen_values = true)]
    pub(crate) query: Option<String>,

    /// The shape: keys, columns, headings, symbols, levels, with types, counts and values
    #[arg(long)]
    pub(crate) outline: bool,

    /// The passages about some words, best first; without an id, in all results of the session
    #[arg(long, value_name = "WORDS")]
    pub(crate) search: Option<String>,

    /// What changed since an older result; without its id, since the last one of the same call
    #[arg(long, value_name = "OLDER", num_args = 0..=1, default_missing_value = "")]
    pub(crate) diff: Option<String>,

    /// The arguments that a model would send to weir_fetch, as JSON; prints the answer that it would get
    #[arg(long, value_name = "JSON")]
    pub(crate) arguments: Option<String>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "With --grep")]
pub(crate) struct Grep {
    /// The pattern is plain text, no regular expression
    #[arg(short = 'F', long, requires = "grep")]
    pub(crate) fixed: bool,

    /// Taken, as by grep: the pattern is a regular expression anyway
    #[arg(short = 'E', long, requires = "grep", conflicts_with = "fixed", hide = true)]
    pub(crate) regex: bool,

    /// Tell `a` from `A`. Default: only if the pattern has a capital
    #[arg(short = 's', long, requires = "grep", conflicts_with = "ignore_case")]
    pub(crate) case_sensitive: bool,

    /// Ignore case: `a` matches `A`
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

    /// The most matches. Default: 50 on a terminal, else all
    #[arg(short = 'm', long, value_name = "COUNT", requires = "grep")]
    pub(crate) max_matches: Option<u32>,
}

#[derive(Debug, Args)]
#[command(next_help_heading = "With --query, --outline, --search or --diff")]
pub(crate) struct Questions {
    /// Where the rows are in one JSON document: /data/items or .data.items; /map[] for members
    #[arg(long, value_name = "PATH", conflicts_with_all = ["search", "diff", "grep"])]
    pub(crate) path: Option<String>,

    /// With --query: group rows by the result of this jq program; for top and bottom, sort by it
    #[arg(long, value_name = "PROGRAM", requires = "query")]
    pub(crate) by: Option<String>,

    /// --query: count, sum, mean, min, max, stats, distinct, `top N`, `bottom N` of all results, or a jq
    /// program over the array of them
    #[arg(long, value_name = "REDUCER", requires = "query")]
    pub(crate) reduce: Option<String>,

    /// --query: run the program once, on the whole document
    #[arg(long, requires = "query")]
    pub(crate) whole: bool,

    /// --query: show objects as a table
    #[arg(long, requires = "query")]
    pub(crate) table: bool,

    /// --query, --search, --grep: the most results. Without it a query shows all, and ends with an
    /// error where one row has more than 100,000
    #[arg(long, value_name = "COUNT", value_parser = clap::value_parser!(u64).range(1..))]
    pub(crate) limit: Option<u64>,

    /// --diff: the member that identifies a row, such as id
    #[arg(long, value_name = "NAME", requires = "diff")]
    pub(crate) key: Option<String>,

    /// --diff: compare line by line, even where the results have rows
    #[arg(long, requires = "diff")]
    pub(crate) by_lines: bool,

    /// Go on where an answer ended: its `more`. Alone, without a text: with the last that ended at its --limit
    #[arg(long, value_name = "TEXT", alias = "cursor", num_args = 0..=1, default_missing_value = "")]
    pub(crate) more: Option<String>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:\n\
  weir list\n\
  weir list --host claude-code --limit 5\n\
  weir list --page      what a model is told after a compaction, with what was asked")]
pub(crate) struct List {
    /// The most results
    #[arg(long, value_name = "COUNT", default_value_t = 50, value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) limit: u32,

    /// Print the page that the hook gives a model after a compaction
    #[arg(long, conflicts_with = "limit")]
    pub(crate) page: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:\n\
  weir pin 18d7      any unique start of an id will do")]
pub(crate) struct Target {
    /// The id in the handle, any unique start of it, or its URI
    #[arg(value_name = "ID", add = complete::ids())]
    pub(crate) id: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:\n\
  weir share 5f1e0c9a77d2 --of anna --with bert")]
pub(crate) struct Share {
    /// The id, all of its digits, or its URI
    #[arg(value_name = "ID")]
    pub(crate) id: String,

    /// Who may read it: the name of a token
    #[arg(long, value_name = "NAME")]
    pub(crate) with: String,

    /// Whose it is: the name of a token. Default: this session's
    #[arg(long, value_name = "NAME")]
    pub(crate) of: Option<String>,

    /// Take it back: the next read is refused
    #[arg(long)]
    pub(crate) revoke: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Store {
    /// List what is in the tier, how old it is and who holds it
    Audit,
    /// Remove what nobody used, and blobs that nobody holds, as one of the gateways does every six hours
    Sweep {
        /// Seconds after its last use that a reference lives
        #[arg(long, value_name = "SECONDS", default_value = "604800")]
        ttl: u64,

        /// Seconds that a blob stays that nobody holds. Less than an hour is for a tier that nobody writes to
        #[arg(long, value_name = "SECONDS", default_value = "3600")]
        grace: u64,
    },
    /// Check that the tier can be used, and print lifecycle rules for its bucket
    Init {
        /// The prefix in the bucket, with its `/`
        #[arg(long, value_name = "PREFIX", default_value = "")]
        prefix: String,
    },
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

#[derive(Debug, Args)]
#[command(after_help = "\
`weir serve` speaks MCP on its standard streams, `weir serve --http 127.0.0.1:3456` at /mcp of that address.\n\
`weir serve -- COMMAND ARGS` runs in front of that one server, whose tools keep their names.")]
pub(crate) struct Serve {
    #[command(flatten)]
    pub(crate) upstreams: Upstreams,

    /// What clients are shown: `bridge` is tools to search, describe and call the others with,
    /// `passthrough` is all tools, `auto` switches to the bridge when there are many tools
    #[arg(long, value_name = "MODE", value_parser = ["auto", "bridge", "passthrough"])]
    pub(crate) mode: Option<String>,

    /// Offer only the tools of this toolset; give it again for more toolsets
    #[arg(long, value_name = "NAME", conflicts_with = "command")]
    pub(crate) toolset: Vec<String>,

    /// Ask the user about calls at /ui and by `weir approve`, also where the client could show a form: for agents that run
    /// without a person
    #[arg(long)]
    pub(crate) no_approval_form: bool,

    /// Listen on this address, or this port of 127.0.0.1, instead of speaking on the standard streams
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) http: Option<std::net::SocketAddr>,

    /// With --http: the bearer token that every request must carry; required on addresses that others reach
    #[arg(long, value_name = "TOKEN", env = "WEIR_TOKEN", hide_env_values = true)]
    pub(crate) token: Option<String>,

    /// A further host name by which the endpoint may be called
    #[arg(long, value_name = "HOST", requires = "http")]
    pub(crate) allow_host: Vec<String>,

    /// A further origin whose web pages may call the endpoint
    #[arg(long, value_name = "ORIGIN", requires = "http")]
    pub(crate) allow_origin: Vec<String>,

    /// Share one gateway with other clients that set this too. The first client starts it; it ends a minute
    /// after the last one leaves. Servers get the environment of the first
    #[arg(long, conflicts_with_all = ["http", "command"])]
    pub(crate) shared: bool,

    /// The socket of a shared gateway
    #[arg(long, value_name = "FILE", hide = true, conflicts_with_all = ["http", "command", "shared"])]
    pub(crate) socket: Option<PathBuf>,

    /// Encrypt connections with this certificate, in PEM; read anew when the file changes
    #[arg(long, value_name = "FILE", requires_all = ["http", "tls_key"])]
    pub(crate) tls_cert: Option<PathBuf>,

    /// The private key of the certificate, in PEM
    #[arg(long, value_name = "FILE", requires = "tls_cert")]
    pub(crate) tls_key: Option<PathBuf>,

    /// Seconds that calls have to end after SIGTERM; meanwhile no new ones are taken. A second signal ends it at once
    #[arg(long, value_name = "SECONDS", default_value_t = 25, requires = "http")]
    pub(crate) grace: u64,

    /// Offer /metrics in Prometheus' form
    #[arg(long, requires = "http")]
    pub(crate) metrics: bool,

    /// Offer /ui, a page to work in: calls that wait for you, servers, stored results, tools, savings. A browser asks for the
    /// token as a password; `weir ui` opens it
    #[arg(long, requires = "http")]
    pub(crate) ui: bool,

    /// How much to log on standard error
    #[arg(long, value_name = "LEVEL", default_value = "warn", value_parser = ["off", "warn", "info", "debug"], env = "WEIR_LOG")]
    pub(crate) log: String,

    /// The form of the log
    #[arg(long, value_name = "FORMAT", default_value = "text", value_parser = ["text", "json"])]
    pub(crate) log_format: String,

    /// The command of one server, in place of a file of servers
    #[arg(last = true, value_name = "COMMAND")]
    pub(crate) command: Vec<String>,
}

#[cfg(feature = "extmcp")]
#[derive(Debug, Args)]
#[command(after_help = "\
The proxy's configuration names this address, and who the client is; `weir serve` is one more target of it, by which \
models read on. docs/seats/agentgateway.md has both files.")]
pub(crate) struct ExtMcp {
    /// The address, or the port of 127.0.0.1, at which the proxy asks
    #[arg(long, value_name = "ADDRESS", value_parser = address)]
    pub(crate) listen: std::net::SocketAddr,

    /// Listen also where other machines reach it. Nobody proves who they are: whoever reaches it can fill the store
    #[arg(long)]
    pub(crate) allow_remote: bool,

    /// The proxy's target that is `weir serve`
    #[arg(long, value_name = "NAME", default_value = "weir")]
    pub(crate) target: String,

    /// How the model reads on: the name under which clients of the proxy see the tool `weir_fetch`, or `shell` for the
    /// command `weir fetch`. Default: TARGET_weir_fetch
    #[arg(long, value_name = "READER")]
    pub(crate) reader: Option<String>,

    /// How much to log on standard error
    #[arg(long, value_name = "LEVEL", default_value = "warn", value_parser = ["off", "warn", "info", "debug"], env = "WEIR_LOG")]
    pub(crate) log: String,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:\n\
  weir servers\n\
  weir servers --check --tools\n\
  weir servers --validate --servers servers.json    # for CI: exit 1 where anything is wrong")]
pub(crate) struct Servers {
    #[command(flatten)]
    pub(crate) upstreams: Upstreams,

    /// Start every server, report problems, and list its tools again
    #[arg(long)]
    pub(crate) check: bool,

    /// List their tools too
    #[arg(long)]
    pub(crate) tools: bool,

    /// Only read the file, and fail where anything in it cannot be used; nothing is started
    #[arg(long, conflicts_with_all = ["check", "tools"])]
    pub(crate) validate: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
The address to open is printed. The browser comes back to this machine; over SSH, paste the address that it \
ends at, which does not open there.")]
pub(crate) struct Login {
    /// The server's name
    pub(crate) server: String,

    #[command(flatten)]
    pub(crate) upstreams: Upstreams,

    /// Only print the address; open no browser
    #[arg(long)]
    pub(crate) no_browser: bool,

    /// Ask for this permission too; may be given several times
    #[arg(long, value_name = "SCOPE")]
    pub(crate) scope: Vec<String>,

    /// Seconds to wait for the browser
    #[arg(long, value_name = "SECONDS", default_value_t = 600)]
    pub(crate) timeout: u64,
}

#[derive(Debug, Args)]
pub(crate) struct Logout {
    /// The server's name
    pub(crate) server: String,

    /// Whose login, where a server is called as the person who calls: a token's name, or ISSUER#SUBJECT
    #[arg(long, value_name = "WHO")]
    pub(crate) person: Option<String>,

    #[command(flatten)]
    pub(crate) upstreams: Upstreams,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Secret {
    /// Set a secret, read from standard input
    Set {
        /// Its name
        name: String,

        /// Whose it is, where headers of a server name it as ${person:NAME}: a token's name, or ISSUER#SUBJECT
        #[arg(long, value_name = "WHO")]
        person: Option<String>,
    },
    /// List the names of the secrets
    List,
    /// Remove a secret
    Rm {
        /// Its name
        name: String,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Token {
    /// Issue a token and print it; only its digest is kept
    Create {
        /// Whose it is
        name: String,

        /// What its holder may see: a name of `profiles` in the file of servers [default: everything]
        #[arg(long, value_name = "NAME")]
        profile: Option<String>,

        /// When it ends [default: never]
        #[arg(long, value_name = "DAYS", value_parser = clap::value_parser!(u32).range(1..=36_500))]
        expires: Option<u32>,
    },
    /// List the tokens that were issued
    List,
    /// Take a token back: within seconds no gateway accepts it
    Revoke {
        /// Whose it is
        name: String,
    },
}

#[derive(Debug, Args)]
#[command(after_help = "\
Example:\n\
  weir stats --json | jq .balance.net\n\
  weir stats --html stats.html")]
pub(crate) struct Stats {
    /// The directory that holds the tool lists and counts of servers
    #[arg(long, value_name = "DIR", env = "WEIR_STATE")]
    pub(crate) state: Option<PathBuf>,

    /// Reset all counts to zero
    #[arg(long)]
    pub(crate) reset: bool,

    /// Write the counts to FILE as a page for browsers
    #[arg(long, value_name = "FILE", conflicts_with = "reset")]
    pub(crate) html: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:\n\
  weir call memory__read_graph\n\
  weir call filesystem__read_text_file '{\"path\": \"/tmp/a\"}' --raw | jq .")]
pub(crate) struct Call {
    #[command(flatten)]
    pub(crate) upstreams: Upstreams,

    /// The tool, as `server__tool`, or its own name where only one server has it
    pub(crate) tool: String,

    /// Its arguments, as a JSON object
    #[arg(default_value = "{}", value_name = "JSON")]
    pub(crate) arguments: String,

    /// Print the whole result, however large, and store nothing
    #[arg(long)]
    pub(crate) raw: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:\n\
  weir install --dry-run       show what would change\n\
  weir install claude-code     one host, after a question\n\
  weir install --share         each agent gets the servers of all\n\
  weir install --undo          every file as it was, after a question")]
pub(crate) struct Install {
    /// The hosts: claude-code, claude-desktop, cursor, vscode, windsurf, cline, codex, gemini, qwen, copilot,
    /// vibe, opencode, zed, hermes, goose, openclaw, amp, crush, kiro, lm-studio; with the hook alone: pi,
    /// kilo, qoder, codebuddy, grok-build. Default: those found
    #[arg(value_name = "HOST", add = complete::hosts())]
    pub(crate) hosts: Vec<String>,

    /// Make the changes without asking; with --undo, take them back without asking
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,

    /// Also show the text of files of Weir's own, plugins say
    #[arg(long)]
    pub(crate) show: bool,

    /// Give the files back byte for byte; where others have written since, take out only our change
    #[arg(long, conflicts_with_all = ["share", "skills", "keep_servers", "no_hooks", "rules", "wrap", "project", "projects", "mode"])]
    pub(crate) undo: bool,

    /// Give each of these hosts the servers of all. Without it each host keeps the servers that it had
    #[arg(long)]
    pub(crate) share: bool,

    /// Let each of these hosts find the skills of the others: those in directories that it does not read by itself
    #[arg(long)]
    pub(crate) skills: bool,

    /// Put in the hook alone: the hosts' servers stay where they are, and no definition is added. That is so by itself where
    /// the gateway is not known to save, unless one of --mode, --share, --project, --projects and --no-hooks asks for it
    #[arg(long, conflicts_with_all = ["share", "no_hooks", "project", "projects", "mode"])]
    pub(crate) keep_servers: bool,

    /// Leave the hook out: results of the hosts' own tools stay as they are
    #[arg(long)]
    pub(crate) no_hooks: bool,

    /// Also tell the model how to work with excerpts, in the host's own file of rules for all projects: some 90 tokens
    /// with every request. Of amp, claude-code, codex, copilot, gemini, opencode, pi, qwen, windsurf
    #[arg(long)]
    pub(crate) rules: bool,

    /// Run shell commands through `weir run` in hosts whose hook does not get all of their output, or
    /// cannot replace it: claude-code, cline, codex, cursor, gemini, hermes, openclaw
    #[arg(long, conflicts_with = "no_hooks")]
    pub(crate) wrap: bool,

    /// Put the servers of the project in this directory behind the gateway too
    #[arg(long)]
    pub(crate) project: bool,

    /// Put servers that a user's file has for single projects behind the gateway, for all projects
    #[arg(long)]
    pub(crate) projects: bool,

    /// What the gateway shows the hosts, in place of each host's default
    #[arg(long, value_parser = ["auto", "bridge", "passthrough"])]
    pub(crate) mode: Option<String>,

    /// The host's configuration file, where it is not in its usual place
    #[arg(long, value_name = "FILE")]
    pub(crate) file: Option<PathBuf>,

    /// The gateway's file of servers. Default: servers.json beside the configuration
    #[arg(long, value_name = "FILE")]
    pub(crate) servers: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:\n\
  weir try\n\
  weir try claude-code --start --replay ~/.claude/projects/*/*.jsonl\n\n\
Losses come first. A result, and the definitions of tools, are sent again with every turn: input that the provider has \
in its cache counts a tenth. Without --replay the agent's own newest sessions are counted, where they are known. No file \
of an agent is written; what servers listed is kept for a day, for `weir install` too.")]
pub(crate) struct Try {
    /// The agent. Default: of those found, the one with the most servers
    #[arg(value_name = "AGENT", add = complete::hosts())]
    pub(crate) agent: Option<String>,

    /// Recorded sessions whose results are put through Weir: of Claude Code, Codex or OpenAI chat
    #[arg(long, value_name = "FILE", num_args = 1..)]
    pub(crate) replay: Vec<PathBuf>,

    /// Start the agent's servers once, for tool lists that are not known yet
    #[arg(long)]
    pub(crate) start: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Agents get their own servers back and lose Weir's entries and hooks. The store, the state, the cache and the \
configuration go. Other files stay as they are.")]
pub(crate) struct Uninstall {
    /// Remove everything without asking
    #[arg(long, short)]
    pub(crate) yes: bool,

    /// Show what would be removed, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(after_help = "\
Examples:\n\
  weir import cursor claude-desktop --rename\n\
  weir import ./mcp.json --dry-run")]
pub(crate) struct Import {
    /// Hosts or files to copy servers from. Default: the hosts found on this machine
    #[arg(value_name = "HOST|FILE", add = complete::hosts())]
    pub(crate) from: Vec<String>,

    /// Where to put the servers. Default: servers.json beside the configuration
    #[arg(long, value_name = "FILE")]
    pub(crate) to: Option<PathBuf>,

    /// Where a server's name is taken, put the name of its host before it
    #[arg(long)]
    pub(crate) rename: bool,

    /// Show what would change, and change nothing
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Component {
    /// Check a component's file: its contract, and that a trusted key signed it
    Verify(VerifyComponent),
}

#[derive(Debug, Args)]
pub(crate) struct VerifyComponent {
    /// The component's file
    #[arg(value_name = "FILE")]
    pub(crate) file: PathBuf,

    /// A public key that is trusted, in PEM; may be given several times. Default: `trusted_keys`
    #[arg(long = "key", value_name = "FILE")]
    pub(crate) keys: Vec<PathBuf>,

    /// The signature, where it is not in FILE.sig
    #[arg(long, value_name = "FILE")]
    pub(crate) signature: Option<PathBuf>,
}

/// A built-in server.
#[derive(Debug, Subcommand)]
pub(crate) enum BuiltInServer {
    /// Serve the skills below these directories, by the MCP extension io.modelcontextprotocol/skills
    Skills {
        /// Directories with skills: each is a directory with a SKILL.md
        #[arg(required = true, value_name = "DIR")]
        directories: Vec<PathBuf>,
    },
    /// Serve the notes that a model keeps for later sessions; the component screens each entry
    Memory {
        /// The directory of one person's notes
        #[arg(value_name = "DIR")]
        directory: PathBuf,
    },
}

#[derive(Debug, Args)]
#[command(
    args_conflicts_with_subcommands = true,
    after_help = "\
Examples:\n\
  weir memory --json > notes.json\n\
  weir memory forget --yes\n\
  weir memory --subject anna      a person of a gateway over HTTP"
)]
pub(crate) struct Memory {
    #[command(subcommand)]
    pub(crate) command: Option<MemoryCommand>,

    #[command(flatten)]
    pub(crate) whose: Whose,
}

#[derive(Debug, Subcommand)]
pub(crate) enum MemoryCommand {
    /// Delete the notes
    Forget {
        #[command(flatten)]
        whose: Whose,

        /// Delete them without asking
        #[arg(long, short)]
        yes: bool,
    },
}

/// Whose notes.
#[derive(Debug, Args)]
pub(crate) struct Whose {
    /// A person of a gateway over HTTP: a token's name, or ISSUER#SUBJECT. Default: the one person of a local gateway
    #[arg(long, value_name = "NAME")]
    pub(crate) subject: Option<String>,

    #[command(flatten)]
    pub(crate) upstreams: Upstreams,
}

/// An address to listen on: a port alone, or with `localhost`, is one that only this machine reaches.
fn address(text: &str) -> Result<std::net::SocketAddr, &'static str> {
    let port = text.strip_prefix("localhost:").unwrap_or(text);
    if let Ok(port) = port.parse::<u16>() {
        return Ok((std::net::Ipv4Addr::LOCALHOST, port).into());
    }
    text.parse().map_err(|_| "write a port, or an IP address and a port, as in 127.0.0.1:3456")
}

#[cfg(test)]
mod tests {
    use super::address;

    #[test]
    fn a_port_alone_or_with_localhost_is_one_of_this_machine() {
        let local = Ok("127.0.0.1:8080".parse().unwrap());
        for text in ["8080", "localhost:8080", "127.0.0.1:8080"] {
            assert_eq!(address(text), local, "{text}");
        }
        assert_eq!(address("[::1]:0"), Ok("[::1]:0".parse().unwrap()));
        for text in ["", "localhost", "localhost:", "localhost:70000", "70000", "example.org:80"] {
            assert!(address(text).is_err(), "{text}");
        }
    }
}
