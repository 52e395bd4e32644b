//! The agent hosts that Weir knows: where each keeps its servers, and in which form.

use std::path::{Path, PathBuf};

use super::edit::Change;
use super::entries::{Server, is_gateway, servers_at};
use super::node::Node;

/// The name of the gateway's entry.
pub const ENTRY: &str = "weir";

/// An agent host: a program that runs a model with tools.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Host {
    /// The name that users give.
    pub name: &'static str,
    /// Other names for it.
    pub aliases: &'static [&'static str],
    /// The name as its makers write it.
    pub title: &'static str,
    /// The user's file with servers, in the order in which they are looked for; none where the gateway
    /// has no entry and the hook is all that there is.
    pub files: &'static [Scope],
    /// A directory or file that only this host makes, to tell that it is installed.
    pub sign: Scope,
    /// The file of a project with servers, if the host reads one.
    pub project: Option<Project>,
    /// Where the servers are in the file.
    pub servers: ServerMap,
    /// An object in the user's file with servers by project.
    pub by_project: Option<&'static str>,
    /// The user's files in which it may be told of hooks.
    pub hook_files: &'static [Scope],
    /// The user's directories with skills that it reads by itself.
    pub skills: &'static [Scope],
    /// What to do so that a change of the file counts.
    pub restart: &'static str,
    /// What the gateway shows this host by default.
    pub mode: Mode,
    /// Why that is the default.
    pub why: &'static str,
    /// Why the hook does all that the gateway would, where it does.
    pub hook_is_enough: Option<&'static str>,
    /// What its requests have of a server's definitions, as `tests/agents/cost.py` counts them.
    pub sends: Sends,
    /// Tokens a tool that its requests have in place of that, where it searches tools by itself; the gateway's stay.
    pub names: Option<u64>,
}

/// What of tools' definitions a host sends to its model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sends {
    /// What is left of their servers' tokens, in per cent: some take parts of schemas out.
    pub percent: u64,
    /// Tokens that it adds to each definition.
    pub adds: u64,
    /// Whether `$schema` is among them.
    pub dialect: bool,
}

/// Where a file of the user is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Scope {
    /// Below the home directory.
    Home(&'static str),
    /// Below the directory for configuration: `XDG_CONFIG_HOME` or `~/.config`; on macOS
    /// `~/Library/Application Support`, on Windows `%APPDATA%`.
    Config(&'static str),
    /// The same, but on macOS as on Linux.
    Dot(&'static str),
    /// Below the directory that a variable names, else below one in the home directory: the variable,
    /// the file, the directory.
    Named(&'static str, &'static str, &'static str),
}

/// A file of a project, below its root.
pub type Project = &'static str;

/// Where the servers are in a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerMap {
    /// The keys that lead to them.
    pub path: &'static [&'static str],
    /// In which form the gateway's entry is written.
    pub shape: Shape,
}

/// How a host writes a server.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Shape {
    /// `command` and `args`.
    Plain,
    /// The same with `"type": "stdio"`.
    Typed,
    /// GitHub Copilot: a type, the tools, and whether the host defers them.
    Copilot,
    /// opencode: one list with the command and its arguments.
    OpenCode,
    /// goose: `cmd`, and a name again.
    Goose,
    /// A list of tables, each with a name: Mistral Vibe.
    Listed,
    /// Qwen Code: as `Plain`, and the tools are shown from the start.
    Qwen,
}

/// What the gateway shows a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// All tools while they are few, else search.
    Auto,
    /// All tools: the host searches by itself.
    Passthrough,
}

impl Mode {
    /// As the gateway's option is written.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Auto => "auto",
            Mode::Passthrough => "passthrough",
        }
    }
}

const ASKS: &str = "it searches tools by itself, and asks for permission tool by tool";
const SEARCHES: &str = "it searches tools by itself, and would search for Weir's search first";
const LISTS: &str = "it sends every definition with every request";
const SHOWN: &str = "it is told to list the gateway's tools, which its own search would hide";

/// Directories with skills that several hosts read.
const AGENTS: Scope = Scope::Home(".agents/skills");
const CLAUDE: Scope = Scope::Named("CLAUDE_CONFIG_DIR", "skills", ".claude");
const CODEX: Scope = Scope::Named("CODEX_HOME", "skills", ".codex");
const COPILOT: Scope = Scope::Named("COPILOT_HOME", "skills", ".copilot");
const SHARED: Scope = Scope::Dot("agents/skills");

const HOOK_ALONE: &str = "the gateway has no entry there";

/// What a host has of which the table says nothing else.
const MOST: Host = Host {
    name: "",
    aliases: &[],
    title: "",
    files: &[],
    sign: Scope::Home(""),
    project: None,
    servers: ServerMap { path: &["mcpServers"], shape: Shape::Plain },
    by_project: None,
    hook_files: &[],
    skills: &[],
    restart: "",
    mode: Mode::Auto,
    why: LISTS,
    hook_is_enough: None,
    sends: Sends { percent: 100, adds: 0, dialect: true },
    names: None,
};

/// All hosts, in the order in which they are shown.
pub const HOSTS: &[Host] = &[
    Host {
        name: "claude-code",
        aliases: &["claude"],
        title: "Claude Code",
        files: &[Scope::Named("CLAUDE_CONFIG_DIR", ".claude.json", "")],
        sign: Scope::Named("CLAUDE_CONFIG_DIR", "", ".claude"),
        project: Some(".mcp.json"),
        servers: ServerMap { path: &["mcpServers"], shape: Shape::Typed },
        by_project: Some("projects"),
        hook_files: &[Scope::Named("CLAUDE_CONFIG_DIR", "settings.json", ".claude")],
        skills: &[CLAUDE],
        restart: "start a new session of Claude Code",
        mode: Mode::Passthrough,
        why: ASKS,
        hook_is_enough: Some(
            "it searches tools by itself, and the hook gets results of its MCP servers too",
        ),
        sends: MOST.sends,
        names: Some(9),
    },
    Host {
        name: "claude-desktop",
        title: "Claude Desktop",
        files: &[Scope::Config("Claude/claude_desktop_config.json")],
        sign: Scope::Config("Claude"),
        restart: "quit Claude Desktop and start it again",
        ..MOST
    },
    Host {
        name: "cursor",
        title: "Cursor",
        files: &[Scope::Home(".cursor/mcp.json")],
        sign: Scope::Home(".cursor"),
        project: Some(".cursor/mcp.json"),
        hook_files: &[Scope::Home(".cursor/hooks.json")],
        skills: &[Scope::Home(".cursor/skills"), AGENTS, CLAUDE, CODEX],
        restart: "restart Cursor, or switch the server on in its settings",
        ..MOST
    },
    Host {
        name: "vscode",
        aliases: &["vs-code", "code"],
        title: "VS Code",
        files: &[Scope::Config("Code/User/mcp.json")],
        sign: Scope::Config("Code/User"),
        project: Some(".vscode/mcp.json"),
        servers: ServerMap { path: &["servers"], shape: Shape::Typed },
        skills: &[COPILOT, AGENTS, CLAUDE],
        restart: "run `MCP: List Servers` in VS Code and start `weir`",
        ..MOST
    },
    Host {
        name: "windsurf",
        title: "Windsurf",
        files: &[Scope::Home(".codeium/windsurf/mcp_config.json")],
        sign: Scope::Home(".codeium/windsurf"),
        skills: &[Scope::Home(".codeium/windsurf/skills"), AGENTS, CLAUDE],
        restart: "refresh the servers in Windsurf's settings",
        ..MOST
    },
    Host {
        name: "cline",
        title: "Cline",
        files: &[
            Scope::Named("CLINE_DIR", "data/settings/cline_mcp_settings.json", ".cline"),
            Scope::Config(
                "Code/User/globalStorage/saoudrizwan.claude-dev/settings/cline_mcp_settings.json",
            ),
        ],
        sign: Scope::Named("CLINE_DIR", "data", ".cline"),
        skills: &[Scope::Home(".cline/skills"), AGENTS],
        restart: "nothing: Cline watches the file",
        sends: Sends { dialect: false, ..MOST.sends },
        ..MOST
    },
    Host {
        name: "codex",
        title: "Codex",
        files: &[Scope::Named("CODEX_HOME", "config.toml", ".codex")],
        sign: Scope::Named("CODEX_HOME", "", ".codex"),
        project: Some(".codex/config.toml"),
        servers: ServerMap { path: &["mcp_servers"], shape: Shape::Plain },
        hook_files: &[
            Scope::Named("CODEX_HOME", "hooks.json", ".codex"),
            Scope::Named("CODEX_HOME", "config.toml", ".codex"),
        ],
        skills: &[CODEX, AGENTS],
        restart: "start a new session of Codex",
        // Without defaults and other members of schemas.
        sends: Sends { percent: 91, dialect: false, ..MOST.sends },
        ..MOST
    },
    Host {
        name: "gemini",
        aliases: &["gemini-cli"],
        title: "Gemini CLI",
        files: &[Scope::Named("GEMINI_CLI_HOME", ".gemini/settings.json", "")],
        sign: Scope::Named("GEMINI_CLI_HOME", ".gemini", ""),
        project: Some(".gemini/settings.json"),
        hook_files: &[Scope::Named("GEMINI_CLI_HOME", ".gemini/settings.json", "")],
        skills: &[Scope::Named("GEMINI_CLI_HOME", ".gemini/skills", ""), AGENTS],
        restart: "start a new session of Gemini CLI",
        // A parameter `wait_for_previous`.
        sends: Sends { adds: 54, ..MOST.sends },
        ..MOST
    },
    Host {
        name: "qwen",
        aliases: &["qwen-code"],
        title: "Qwen Code",
        files: &[Scope::Home(".qwen/settings.json")],
        sign: Scope::Home(".qwen"),
        project: Some(".qwen/settings.json"),
        servers: ServerMap { path: &["mcpServers"], shape: Shape::Qwen },
        hook_files: &[Scope::Home(".qwen/settings.json")],
        skills: &[Scope::Home(".qwen/skills")],
        restart: "start a new session of Qwen Code",
        // With the start of what they say of themselves: 32 to 51.
        names: Some(40),
        why: SHOWN,
        ..MOST
    },
    Host {
        name: "copilot",
        aliases: &["copilot-cli"],
        title: "Copilot CLI",
        files: &[Scope::Named("COPILOT_HOME", "mcp-config.json", ".copilot")],
        sign: Scope::Named("COPILOT_HOME", "", ".copilot"),
        servers: ServerMap { path: &["mcpServers"], shape: Shape::Copilot },
        hook_files: &[Scope::Named("COPILOT_HOME", "hooks/weir.json", ".copilot")],
        skills: &[COPILOT, AGENTS, CLAUDE],
        restart: "start a new session of Copilot CLI",
        why: SHOWN,
        ..MOST
    },
    Host {
        name: "vibe",
        aliases: &["mistral-vibe"],
        title: "Mistral Vibe",
        files: &[Scope::Named("VIBE_HOME", "config.toml", ".vibe")],
        sign: Scope::Named("VIBE_HOME", "", ".vibe"),
        project: Some(".vibe/config.toml"),
        servers: ServerMap { path: &["mcp_servers"], shape: Shape::Listed },
        hook_files: &[Scope::Named("VIBE_HOME", "hooks.toml", ".vibe")],
        skills: &[Scope::Named("VIBE_HOME", "skills", ".vibe"), AGENTS],
        restart: "start a new session of Mistral Vibe",
        mode: Mode::Passthrough,
        why: SEARCHES,
        names: Some(0),
        hook_is_enough: Some(
            "its model calls MCP tools in programs of its own, which must get results whole",
        ),
        ..MOST
    },
    Host {
        name: "opencode",
        title: "OpenCode",
        files: &[Scope::Dot("opencode/opencode.json"), Scope::Dot("opencode/opencode.jsonc")],
        sign: Scope::Dot("opencode"),
        project: Some("opencode.json"),
        servers: ServerMap { path: &["mcp"], shape: Shape::OpenCode },
        skills: &[Scope::Dot("opencode/skills"), Scope::Dot("opencode/skill"), AGENTS, CLAUDE],
        restart: "start a new session of OpenCode",
        ..MOST
    },
    Host {
        name: "zed",
        title: "Zed",
        files: &[Scope::Dot("zed/settings.json")],
        sign: Scope::Dot("zed"),
        project: Some(".zed/settings.json"),
        servers: ServerMap { path: &["context_servers"], shape: Shape::Plain },
        skills: &[AGENTS],
        restart: "nothing: Zed watches the file",
        ..MOST
    },
    Host {
        name: "hermes",
        title: "Hermes",
        files: &[Scope::Named("HERMES_HOME", "config.yaml", ".hermes")],
        sign: Scope::Named("HERMES_HOME", "", ".hermes"),
        servers: ServerMap { path: &["mcp_servers"], shape: Shape::Plain },
        skills: &[Scope::Named("HERMES_HOME", "skills", ".hermes")],
        restart: "start a new session of Hermes, or type /reload-mcp in one",
        ..MOST
    },
    Host {
        name: "goose",
        title: "goose",
        files: &[Scope::Dot("goose/config.yaml")],
        sign: Scope::Dot("goose"),
        servers: ServerMap { path: &["extensions"], shape: Shape::Goose },
        skills: &[Scope::Dot("goose/skills"), SHARED, AGENTS, CLAUDE],
        restart: "start a new session of goose",
        ..MOST
    },
    Host {
        name: "openclaw",
        title: "OpenClaw",
        files: &[Scope::Home(".openclaw/openclaw.json")],
        sign: Scope::Home(".openclaw"),
        servers: ServerMap { path: &["mcp", "servers"], shape: Shape::Plain },
        skills: &[Scope::Home(".openclaw/skills"), AGENTS],
        restart: "restart OpenClaw's gateway",
        mode: Mode::Passthrough,
        why: SEARCHES,
        names: Some(0),
        ..MOST
    },
    Host {
        name: "amp",
        title: "Amp",
        files: &[Scope::Dot("amp/settings.json"), Scope::Dot("amp/settings.jsonc")],
        sign: Scope::Dot("amp"),
        project: Some(".amp/settings.json"),
        servers: ServerMap { path: &["amp.mcpServers"], shape: Shape::Plain },
        skills: &[Scope::Dot("amp/skills"), SHARED, AGENTS, CLAUDE],
        restart: "start a new session of Amp",
        ..MOST
    },
    Host {
        name: "crush",
        title: "Crush",
        files: &[Scope::Dot("crush/crush.json")],
        sign: Scope::Dot("crush"),
        project: Some("crush.json"),
        servers: ServerMap { path: &["mcp"], shape: Shape::Typed },
        skills: &[Scope::Dot("crush/skills"), SHARED, AGENTS, CLAUDE],
        restart: "start a new session of Crush",
        ..MOST
    },
    Host {
        name: "kiro",
        title: "Kiro",
        files: &[Scope::Home(".kiro/settings/mcp.json")],
        sign: Scope::Home(".kiro"),
        project: Some(".kiro/settings/mcp.json"),
        skills: &[Scope::Home(".kiro/skills")],
        restart: "nothing: Kiro watches the file",
        ..MOST
    },
    Host {
        name: "lm-studio",
        aliases: &["lmstudio"],
        title: "LM Studio",
        files: &[Scope::Home(".lmstudio/mcp.json")],
        sign: Scope::Home(".lmstudio"),
        restart: "nothing: LM Studio watches the file",
        ..MOST
    },
    Host {
        name: "pi",
        title: "pi",
        sign: Scope::Named("PI_CODING_AGENT_DIR", "", ".pi/agent"),
        skills: &[Scope::Named("PI_CODING_AGENT_DIR", "skills", ".pi/agent"), AGENTS],
        restart: "start a new session of pi",
        why: HOOK_ALONE,
        ..MOST
    },
    Host {
        name: "kilo",
        title: "Kilo",
        sign: Scope::Dot("kilo"),
        skills: &[Scope::Home(".kilocode/skills"), AGENTS],
        restart: "start a new session of Kilo",
        why: HOOK_ALONE,
        ..MOST
    },
    Host {
        name: "qoder",
        title: "Qoder CLI",
        sign: Scope::Home(".qoder"),
        hook_files: &[Scope::Home(".qoder/settings.json")],
        skills: &[Scope::Home(".qoder/skills")],
        restart: "start a new session of Qoder CLI",
        why: HOOK_ALONE,
        ..MOST
    },
    Host {
        name: "codebuddy",
        title: "CodeBuddy Code",
        sign: Scope::Home(".codebuddy"),
        hook_files: &[Scope::Home(".codebuddy/settings.json")],
        skills: &[Scope::Home(".codebuddy/skills")],
        restart: "start a new session of CodeBuddy Code",
        why: HOOK_ALONE,
        ..MOST
    },
    Host {
        name: "grok-build",
        aliases: &["grok"],
        title: "Grok Build",
        sign: Scope::Home(".grok"),
        hook_files: &[Scope::Home(".grok/hooks/weir.json")],
        restart: "start a new session of Grok Build",
        why: HOOK_ALONE,
        ..MOST
    },
];

/// The host of this name.
pub fn host(name: &str) -> Option<&'static Host> {
    HOSTS.iter().find(|host| host.name == name || host.aliases.contains(&name))
}

/// The one name of a host that goes by several; a name that Weir does not know stays as it is.
pub fn host_name(name: &str) -> String {
    let name = crate::hook::canonical(name);
    host(&name).map_or(name, |host| host.name.to_owned())
}

/// The agent hosts that an entry of the gateway's file is for, each by its one name; `None` where it is for every
/// host.
///
/// # Errors
/// When `hosts` is not a list of names: then it must not be taken for an entry that is for every host.
pub fn hosts_of(entry: &Node) -> Result<Option<Vec<String>>, String> {
    let hosts = match entry.get("hosts") {
        None | Some(Node::Null) => return Ok(None),
        Some(Node::List(hosts)) => hosts,
        Some(_) => return Err("hosts is not a list of names of agents".into()),
    };
    let name = |host: &Node| match host.as_text() {
        Some(name) if !name.trim().is_empty() => Ok(host_name(name)),
        _ => Err("hosts holds something that is not the name of an agent".to_owned()),
    };
    hosts.iter().map(name).collect::<Result<_, _>>().map(Some)
}

/// Where a user's files are on this machine.
#[derive(Debug, Clone)]
pub struct Directories {
    home: PathBuf,
    config: PathBuf,
    dot: PathBuf,
    named: Vec<(&'static str, PathBuf)>,
}

impl Directories {
    /// Those below `home`, as variables say.
    pub fn new(home: &Path, variable: &dyn Fn(&str) -> Option<std::ffi::OsString>) -> Directories {
        let set = |name: &str| variable(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let xdg = set("XDG_CONFIG_HOME").unwrap_or_else(|| home.join(".config"));
        let config = if cfg!(target_os = "macos") {
            home.join("Library/Application Support")
        } else if cfg!(windows) {
            set("APPDATA").unwrap_or_else(|| home.join("AppData/Roaming"))
        } else {
            xdg.clone()
        };
        let dot = if cfg!(windows) { config.clone() } else { xdg };
        let named = scopes()
            .filter_map(|scope| match scope {
                Scope::Named(name, ..) => set(name).map(|path| (*name, path)),
                _ => None,
            })
            .collect();
        Directories { home: home.to_owned(), config, dot, named }
    }

    /// The home directory.
    pub fn home(&self) -> &Path {
        &self.home
    }

    /// A file that is written as below the home directory, `.codex/hooks.json` say: where it is when
    /// variables name other directories.
    pub fn below_home(&self, file: &str) -> PathBuf {
        let named = scopes().find_map(|scope| match scope {
            Scope::Named(name, _, directory) if !directory.is_empty() => {
                let rest = file.strip_prefix(directory)?.strip_prefix('/')?;
                let (_, path) = self.named.iter().find(|(known, _)| known == name)?;
                Some(path.join(rest))
            }
            Scope::Named(_, known, "") if *known == file => Some(self.path(*scope)),
            _ => None,
        });
        let dot = || file.strip_prefix(".config/").map(|rest| self.dot.join(rest));
        named.or_else(dot).unwrap_or_else(|| self.home.join(file))
    }

    /// A file of the user.
    pub fn path(&self, scope: Scope) -> PathBuf {
        match scope {
            Scope::Home(file) => self.home.join(file),
            Scope::Config(file) => self.config.join(file),
            Scope::Dot(file) => self.dot.join(file),
            Scope::Named(name, file, directory) => {
                match self.named.iter().find(|(known, _)| *known == name) {
                    Some((_, path)) => path.join(file),
                    None if directory.is_empty() => self.home.join(file),
                    None => self.home.join(directory).join(file),
                }
            }
        }
    }
}

fn scopes() -> impl Iterator<Item = &'static Scope> {
    let of = |host: &'static Host| host.files.iter().chain(host.hook_files).chain([&host.sign]);
    HOSTS.iter().flat_map(of)
}

impl Host {
    /// Whether the gateway has an entry in a file of this host.
    pub fn has_servers(&self) -> bool {
        !self.files.is_empty()
    }

    /// The user's file with servers: the first that is there, else where the host would make it.
    pub fn file(&self, directories: &Directories) -> PathBuf {
        let mut paths = self.files.iter().map(|scope| directories.path(*scope));
        let first = paths.next().unwrap_or_default();
        if first.is_file() {
            return first;
        }
        paths.find(|path| path.is_file()).unwrap_or(first)
    }

    /// Whether the host seems to be installed on this machine.
    pub fn is_installed(&self, directories: &Directories) -> bool {
        directories.path(self.sign).exists() || self.file(directories).exists()
    }

    /// The keys that lead to the servers in this file.
    pub fn path_in(&self, file: &Path) -> Vec<String> {
        // VS Code had its servers in its settings before.
        let in_settings = self.name == "vscode" && file.ends_with("settings.json");
        let path: &[&str] = if in_settings { &["mcp", "servers"] } else { self.servers.path };
        path.iter().map(|key| (*key).to_owned()).collect()
    }

    /// The servers of a file of this host.
    pub fn servers_in(&self, file: &Path, node: &Node) -> Vec<Server> {
        let mut servers = servers_at(node, &self.path_in(file));
        // Both have `httpUrl` for what others call `url`.
        let url_is_sse = matches!(self.name, "gemini" | "qwen");
        servers.iter_mut().for_each(|server| server.url_is_sse = url_is_sse);
        servers
    }

    /// The servers that the user's file has for single projects.
    pub fn project_servers(&self, node: &Node) -> Vec<Server> {
        let Some(key) = self.by_project else { return Vec::new() };
        let projects = node.get(key).and_then(Node::as_map).unwrap_or_default();
        let of_project = |(project, _): &(String, Node)| {
            let mut path = vec![key.to_owned(), project.clone()];
            path.extend(self.servers.path.iter().map(|key| (*key).to_owned()));
            let mut servers = servers_at(node, &path);
            servers.iter_mut().for_each(|server| server.project = Some(project.clone()));
            servers
        };
        projects.iter().flat_map(of_project).collect()
    }

    /// The gateway's entry as this host writes it, for a program and its arguments.
    pub fn entry(&self, program: &str, arguments: &[String]) -> Node {
        let text = |text: &str| Node::Text(text.to_owned());
        let list = |words: &mut dyn Iterator<Item = &str>| Node::List(words.map(text).collect());
        let args = || list(&mut arguments.iter().map(String::as_str));
        let mut members: Vec<(&str, Node)> = match self.servers.shape {
            Shape::OpenCode => {
                let words =
                    &mut std::iter::once(program).chain(arguments.iter().map(String::as_str));
                return node_of(vec![
                    ("type", text("local")),
                    ("command", list(words)),
                    ("enabled", Node::Bool(true)),
                ]);
            }
            Shape::Goose => {
                return node_of(vec![
                    ("name", text(ENTRY)),
                    ("type", text("stdio")),
                    ("cmd", text(program)),
                    ("args", args()),
                    ("enabled", Node::Bool(true)),
                    ("timeout", Node::Number("300".into())),
                ]);
            }
            Shape::Typed => vec![("type", text("stdio"))],
            Shape::Copilot => vec![("type", text("local"))],
            Shape::Listed => vec![("name", text(ENTRY)), ("transport", text("stdio"))],
            Shape::Plain | Shape::Qwen => Vec::new(),
        };
        members.push(("command", text(program)));
        members.push(("args", args()));
        if self.servers.shape == Shape::Copilot {
            members.push(("tools", list(&mut std::iter::once("*"))));
            members.push(("deferTools", text("never")));
        }
        if self.servers.shape == Shape::Qwen {
            members.push(("alwaysLoadTools", Node::Bool(true)));
        }
        node_of(members)
    }

    /// The change that puts the gateway's entry into a file that means `node`; none when a gateway is
    /// there already. Where another server has the gateway's name, that is an error of the caller: see
    /// [`Host::entry_name_taken`].
    pub fn put_entry(&self, file: &Path, node: &Node, entry: Node) -> Option<Change> {
        if self.servers_in(file, node).iter().any(|server| is_gateway(&server.entry)) {
            return None;
        }
        let mut path = self.path_in(file);
        Some(if self.servers.shape == Shape::Listed {
            Change::Append { path, value: entry }
        } else {
            path.push(ENTRY.to_owned());
            Change::Set { path, value: entry }
        })
    }

    /// Whether something else than a gateway has the gateway's name.
    pub fn entry_name_taken(&self, file: &Path, node: &Node) -> bool {
        let mut servers = self.servers_in(file, node).into_iter();
        servers.any(|server| server.name == ENTRY && !is_gateway(&server.entry))
    }
}

fn node_of(members: Vec<(&str, Node)>) -> Node {
    Node::Map(members.into_iter().map(|(key, node)| (key.to_owned(), node)).collect())
}
