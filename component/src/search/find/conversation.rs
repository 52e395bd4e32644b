//! What a caller knows of a conversation, passed in with each call: a catalog remembers nothing.

use super::external::ExternalScores;
use crate::search::catalog::servers::ServerCount;
use crate::search::catalog::tools::Tool;
use crate::search::fingerprint::{Fields, Fingerprint};
use crate::search::schema::signature::entries;

/// What a caller knows of a conversation. The default says nothing and works.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Conversation {
    /// Names of the tools that the model has directly, as the catalog calls them.
    pub visible: Vec<String>,
    /// What the model was shown since its context was last compacted, oldest first: the host keeps
    /// what answers report in [`Shown`] and forgets it all when it compacts.
    pub shown: Vec<Shown>,
    /// The searches since the last call, as answers report them.
    pub searches: Vec<String>,
    /// Whether a visible tool sent through the bridge, or a deferred tool called by its own name,
    /// is refused with directions instead of being dispatched.
    pub strict: bool,
    /// Whether a call is refused unless the tool's signature or schema was shown before.
    pub reveal_first: bool,
    /// What an external embedding model says about the queries of this call.
    pub external: ExternalScores,
}

/// A tool whose parameters a model was shown.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shown {
    /// The tool, as the catalog calls it; empty for the list of servers.
    pub name: String,
    /// Its schema's digest, or that of the list.
    pub schema: Fingerprint,
    /// Whether it was the exact schema, not only the signature.
    pub exact: bool,
    /// The parameters as they were, so that a later change can be told: `owner: string`,
    /// `body?: string`.
    pub parameters: Vec<String>,
}

impl Conversation {
    /// Whether the model has this tool directly.
    pub fn sees(&self, id: &str) -> bool {
        self.visible.iter().any(|name| name == id)
    }

    /// What was last shown of this tool.
    pub fn last_shown(&self, id: &str) -> Option<&Shown> {
        self.shown.iter().rev().find(|shown| shown.name == id)
    }

    /// Whether this schema was shown exactly.
    pub fn has_schema(&self, id: &str, schema: &Fingerprint) -> bool {
        self.shown.iter().any(|s| s.exact && s.name == id && s.schema == *schema)
    }
}

impl Shown {
    /// The record of having listed these servers.
    pub fn of_servers(servers: &[ServerCount]) -> Shown {
        let mut fields = Fields::default();
        for server in servers {
            let is_connected = server.unavailable.is_none();
            fields.text(&server.name).number(server.tools.into()).number(is_connected.into());
        }
        Shown { name: String::new(), schema: fields.finish(), exact: false, parameters: Vec::new() }
    }

    /// The record of having shown the parameters of `tool`.
    pub fn of(tool: &Tool, exact: bool) -> Shown {
        Shown {
            name: tool.id.clone(),
            schema: tool.schema_fingerprint(),
            exact,
            parameters: tool.parsed_schema().map(|schema| entries(&schema)).unwrap_or_default(),
        }
    }
}
