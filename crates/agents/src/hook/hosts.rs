//! The hosts whose hooks have an adapter: their names, and what is known of each.

/// A host whose hooks have an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Host {
    /// Claude Code: `PostToolUse`.
    ClaudeCode,
    /// Codex and Open Interpreter: `PostToolUse`.
    Codex,
    /// Copilot CLI and coding agent: `postToolUse`.
    CopilotCli,
    /// Gemini CLI: `AfterTool`.
    GeminiCli,
    /// Mistral Vibe: `post_tool`.
    MistralVibe,
    /// Qwen Code: `PostToolUse`.
    QwenCode,
    /// Cursor: `postToolUse` and `afterMCPExecution`, for MCP tools.
    Cursor,
    /// Qoder CLI: `PostToolUse`.
    Qoder,
    /// CodeBuddy Code: `PostToolUse`.
    CodeBuddy,
    /// Grok Build: `PostToolUse`.
    GrokBuild,
    /// Docker Agent: `tool_response_transform`.
    DockerAgent,
    /// Docker's MCP gateway: an interceptor after a call.
    DockerMcp,
    /// OpenCode, by a plugin of ours.
    OpenCode,
    /// Kilo, by the plugin for OpenCode.
    Kilo,
    /// pi, by an extension of ours.
    Pi,
    /// Cline, by a plugin of ours.
    Cline,
    /// OpenClaw, by a plugin of ours.
    OpenClaw,
    /// Amp, by a plugin of ours.
    Amp,
    /// Hermes, by a plugin of ours.
    Hermes,
}

/// A host, its name, and see [`Host::tried`].
type Known = (Host, &'static str, Option<(&'static str, &'static str)>);

/// All hosts.
const HOSTS: [Known; 19] = [
    (Host::ClaudeCode, "claude-code", Some(("claude", "Claude Code 2.1.330"))),
    (Host::Codex, "codex", Some(("codex", "Codex 0.169.0"))),
    (Host::CopilotCli, "copilot", Some(("copilot", "Copilot CLI 1.0.102"))),
    (Host::GeminiCli, "gemini", Some(("gemini", "Gemini CLI 0.61.0"))),
    (Host::MistralVibe, "mistral-vibe", Some(("vibe", "Mistral Vibe 3.0.2"))),
    (Host::QwenCode, "qwen-code", Some(("qwen", "Qwen Code 0.24.4"))),
    (Host::Cursor, "cursor", None),
    (Host::Qoder, "qoder", None),
    (Host::CodeBuddy, "codebuddy", None),
    (Host::GrokBuild, "grok-build", None),
    (Host::DockerAgent, "docker-agent", None),
    (Host::DockerMcp, "docker-mcp", None),
    (Host::OpenCode, "opencode", Some(("opencode", "OpenCode 1.18.33"))),
    (Host::Kilo, "kilo", None),
    (Host::Pi, "pi", Some(("pi", "pi 0.73.1"))),
    (Host::Cline, "cline", Some(("cline", "Cline 3.0.65"))),
    (Host::OpenClaw, "openclaw", Some(("openclaw", "OpenClaw 2026.9.6"))),
    (Host::Amp, "amp", None),
    (Host::Hermes, "hermes", Some(("hermes", "Hermes 0.19.0"))),
];

impl Host {
    /// All of them.
    pub fn all() -> impl Iterator<Item = Host> {
        HOSTS.iter().map(|(host, ..)| *host)
    }

    /// The host's name on the command line, in session names and in configuration.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.known().map_or("", |(_, name, _)| name)
    }

    /// The host that a name means; other names in use are understood.
    #[must_use]
    pub fn parse(name: &str) -> Option<Host> {
        let name = canonical(name);
        Host::all().find(|host| host.name() == name)
    }

    /// Whether the host runs commands in a login shell, which sets the path for programs anew.
    #[must_use]
    pub fn has_login_shell(self) -> bool {
        matches!(self, Host::Codex | Host::Hermes)
    }

    /// Whether its events come from one user's project. Else whoever calls is not known: a result has a session of its
    /// own unless one is named.
    #[must_use]
    pub fn has_project(self) -> bool {
        self != Host::DockerMcp
    }

    /// Whether a model sees the tools of the host's MCP servers from the start. Elsewhere they are
    /// behind a search of the host's own, and what an excerpt names must be a command.
    #[must_use]
    pub fn lists_tools(self) -> bool {
        !matches!(self, Host::MistralVibe | Host::QwenCode | Host::OpenClaw)
    }

    /// Characters that the host passes to its model of a long result by itself, where that is known and is
    /// not what its event shows. `in_file`: it has put the result in a file.
    #[must_use]
    pub fn passes_chars(self, in_file: bool) -> Option<u32> {
        match self {
            // A preview of 2 KB, and where the file is.
            Host::ClaudeCode if in_file => Some(2_200),
            // The first 8,000 and the last 32,000.
            Host::GeminiCli => Some(40_000),
            _ => None,
        }
    }

    fn known(self) -> Option<&'static Known> {
        HOSTS.iter().find(|(host, ..)| *host == self)
    }

    /// The program that says with `--version` which one is installed, and the newest version with which all of this was
    /// seen to work.
    #[must_use]
    pub fn tried(self) -> Option<(&'static str, &'static str)> {
        self.known()?.2
    }

    /// The second of these.
    #[must_use]
    pub fn works_with(self) -> Option<&'static str> {
        self.tried().map(|(_, version)| version)
    }

    /// The most bytes that an answer's text may have before the host cuts or spills it.
    #[must_use]
    pub fn answer_max_bytes(self) -> usize {
        match self {
            // About 2,500 tokens of four bytes.
            Host::Codex => 9_500,
            Host::CopilotCli => 20_000,
            Host::QwenCode => 20_000,
            _ => 28_000,
        }
    }
}

/// The one name of a host that has several.
pub(crate) fn canonical(host: &str) -> String {
    let host = host.trim().to_lowercase().replace(['_', ' '], "-");
    match host.as_str() {
        "claude" => "claude-code",
        "copilot-cli" | "github-copilot" => "copilot",
        "gemini-cli" => "gemini",
        "vibe" => "mistral-vibe",
        "qwen" => "qwen-code",
        "grok" => "grok-build",
        "open-interpreter" => "codex",
        "docker" | "cagent" => "docker-agent",
        other => other,
    }
    .to_owned()
}
