//! What a catalog is built from: tool definitions, and what is known of the servers they are on.

/// All the tools one conversation was granted, and the servers they come from.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Snapshot {
    /// The tools, in the order in which they would be shown to a model.
    pub tools: Vec<ToolDefinition>,
    /// What is known of the servers. A server that is not listed here is connected, has no
    /// description, and is trusted unless its tools' origin is [`Origin::Mcp`].
    pub servers: Vec<Server>,
}

/// One tool, as its owner defines it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ToolDefinition {
    /// The name its owner dispatches it by.
    pub name: String,
    /// A name for people.
    pub title: Option<String>,
    /// What it does. Kept up to [`crate::limits::DESCRIPTION_MAX_CHARS`].
    pub description: String,
    /// The JSON Schema of its arguments, as text that is kept to the byte. Empty means any object.
    pub input_schema: String,
    /// What its owner claims about its effects.
    pub annotations: Annotations,
    /// The server or toolset it belongs to; empty for none.
    pub server: String,
    /// Who provides it.
    pub origin: Origin,
    /// Words to filter by.
    pub tags: Vec<String>,
    /// Other names by which a model may ask for it.
    pub aliases: Vec<String>,
    /// What users call what it does. They count as a little of its text when tools are ranked, and are
    /// never shown.
    pub phrases: Vec<String>,
    /// Never deferred, unless a configuration defers it by name.
    pub pinned: bool,
}

/// What a tool's owner claims about its effects. Claims of an untrusted owner are hints only.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may delete or overwrite.
    pub destructive: Option<bool>,
    /// Calling it again with the same arguments changes nothing more.
    pub idempotent: Option<bool>,
    /// It reaches beyond a closed set of things, such as the web.
    pub open_world: Option<bool>,
}

/// Who provides a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The agent itself. Never deferred, unless a configuration defers it by name.
    Core,
    /// An MCP server. Untrusted unless its server says otherwise.
    #[default]
    Mcp,
    /// A plugin the user installed.
    Plugin,
    /// A skill: a document with instructions, found and described like a tool.
    Skill,
}

impl Origin {
    /// All of them.
    pub const ALL: [Origin; 4] = [Origin::Core, Origin::Mcp, Origin::Plugin, Origin::Skill];

    /// The word for it in answers and filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Origin::Core => "core",
            Origin::Mcp => "mcp",
            Origin::Plugin => "plugin",
            Origin::Skill => "skill",
        }
    }

    /// The origin that [`Origin::as_str`] gives this word for, whatever its case.
    pub fn parse(word: &str) -> Option<Origin> {
        Origin::ALL.into_iter().find(|origin| origin.as_str().eq_ignore_ascii_case(word))
    }
}

/// What calling a tool may do, as far as its annotations say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Risk {
    /// It changes nothing.
    ReadOnly,
    /// It changes something, without deleting or overwriting.
    Writes,
    /// It may delete or overwrite.
    Destructive,
    /// It reaches the outside world; whether it changes anything is not said.
    OpenWorld,
    /// Nothing is said.
    #[default]
    Unknown,
}

impl Risk {
    /// All of them.
    pub const ALL: [Risk; 5] =
        [Risk::ReadOnly, Risk::Writes, Risk::Destructive, Risk::OpenWorld, Risk::Unknown];

    /// The word for it in answers and filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Risk::ReadOnly => "read-only",
            Risk::Writes => "writes",
            Risk::Destructive => "destructive",
            Risk::OpenWorld => "open-world",
            Risk::Unknown => "unknown",
        }
    }

    /// The word for it, when something is said.
    pub fn told(self) -> Option<&'static str> {
        (self != Risk::Unknown).then(|| self.as_str())
    }

    /// The risk that [`Risk::as_str`] gives this word for; `_` and case do not matter.
    pub fn parse(word: &str) -> Option<Risk> {
        let word = word.to_ascii_lowercase().replace('_', "-");
        Risk::ALL.into_iter().find(|risk| risk.as_str() == word)
    }
}

impl Annotations {
    /// The risk these claims amount to.
    ///
    /// A claim to read only wins over the others, as MCP defines `destructiveHint` only for tools
    /// that are not read-only. A tool that says nothing is unknown, not harmless.
    pub fn risk(&self) -> Risk {
        match (self.read_only, self.destructive, self.open_world) {
            (Some(true), _, _) => Risk::ReadOnly,
            (_, Some(true), _) => Risk::Destructive,
            (Some(false), _, _) | (_, Some(false), _) => Risk::Writes,
            (None, None, Some(true)) => Risk::OpenWorld,
            (None, None, _) => Risk::Unknown,
        }
    }
}

/// What is known of a server or toolset.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Server {
    /// Its name, as in [`ToolDefinition::server`].
    pub name: String,
    /// What it is for.
    pub description: String,
    /// Whether its texts may be shown outside of answers. Unset: by its tools' origin.
    pub trusted: Option<bool>,
    /// Whether its tools can be called now.
    pub state: ServerState,
}

/// Whether a server's tools can be called now.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum ServerState {
    /// They can.
    #[default]
    Connected,
    /// They can once the host has started the server: its tools are known from a manifest.
    Cold,
    /// They cannot, for this reason.
    Unavailable(String),
}

impl ServerState {
    /// Why they cannot.
    pub fn unavailable(&self) -> Option<&str> {
        match self {
            ServerState::Connected | ServerState::Cold => None,
            ServerState::Unavailable(reason) => Some(reason),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn risk_follows_the_claims_and_silence_is_not_safety() {
        let claim = |read_only, destructive, open_world| {
            Annotations { read_only, destructive, open_world, idempotent: None }.risk()
        };
        assert_eq!(claim(Some(true), Some(true), Some(true)), Risk::ReadOnly);
        assert_eq!(claim(None, Some(true), None), Risk::Destructive);
        assert_eq!(claim(Some(false), None, None), Risk::Writes);
        assert_eq!(claim(None, Some(false), None), Risk::Writes);
        assert_eq!(claim(None, None, Some(true)), Risk::OpenWorld);
        assert_eq!(claim(None, None, Some(false)), Risk::Unknown);
        assert_eq!(claim(None, None, None), Risk::Unknown);
    }

    #[test]
    fn words_parse_back() {
        for origin in Origin::ALL {
            assert_eq!(Origin::parse(origin.as_str()), Some(origin));
        }
        for risk in Risk::ALL {
            assert_eq!(Risk::parse(risk.as_str()), Some(risk));
        }
        assert_eq!(Risk::parse("Read_Only"), Some(Risk::ReadOnly));
        assert_eq!(Risk::parse("harmless"), None);
    }
}
