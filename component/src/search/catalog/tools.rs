//! What a catalog is: tools, servers and names, and how to look one up.

use std::collections::BTreeMap;

use serde_json::Value;

use super::bridge_tools::BridgeNames;
use super::definition::{Annotations, Origin, Risk, Server, ServerState, ToolDefinition};
use super::names::{Found, Names};
use crate::search::fingerprint::Fingerprint;
use crate::search::index::document;
use crate::search::index::inverted::Index;
use crate::search::schema::measure::{self, Opaque};
use crate::search::schema::signature::signature;
use crate::search::text::clean;
use crate::search::text::deprecation::{after_notice, deprecation, is_deprecated_name};
use crate::search::text::fold::nearest;
use crate::search::text::screen::Suspicion;
use crate::sort::sort_by_cached_key;

/// How a catalog is built.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// Whether tools of public servers get the phrases that the phrase pack has for them.
    pub known_phrases: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { known_phrases: true }
    }
}

/// One tool of a catalog.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// What the catalog calls it: its own name, unless that is taken or reserved.
    pub id: String,
    /// The definition; its description may be clipped, its schema is exact.
    pub definition: ToolDefinition,
    /// A hash of all of it.
    pub(crate) hash: u128,
    /// Estimated tokens of its definition, as a provider is sent it.
    pub tokens: u32,
    /// Why its schema is not read, when it is not.
    pub opaque: Option<Opaque>,
    /// Whether its texts may be shown outside of answers.
    pub trusted: bool,
    /// Whether there are marks in its texts that have no business there, or it leads away from another server's tool.
    pub suspicious: bool,
    /// Whether its name reads like an order to a model.
    pub suspicious_name: bool,
    /// Whether its name contradicts its claim to change nothing.
    pub unlikely_claim: bool,
    /// Whether its owner calls it deprecated.
    pub is_deprecated: bool,
    /// Names in its description, where that may tell a model to leave another tool alone.
    pub(crate) warned_of: Vec<String>,
}

impl Tool {
    /// The group it is listed under: its server, or else who provides it.
    pub fn group(&self) -> &str {
        match self.definition.server.as_str() {
            "" => self.definition.origin.as_str(),
            server => server,
        }
    }

    /// What calling it may do, as far as its owner says. A claim that its name contradicts counts for
    /// nothing.
    pub fn risk(&self) -> Risk {
        let claims = self.definition.annotations;
        if self.unlikely_claim {
            return Annotations { read_only: None, ..claims }.risk();
        }
        claims.risk()
    }

    /// The digest of its schema, whatever its formatting. Computed anew each time.
    pub fn schema_fingerprint(&self) -> Fingerprint {
        measure::fingerprint(&self.definition.input_schema)
    }

    /// Its schema, when it can be read.
    pub fn parsed_schema(&self) -> Option<Value> {
        if self.opaque.is_some() {
            return None;
        }
        match self.definition.input_schema.as_str() {
            "" => Some(Value::Object(Default::default())),
            text => serde_json::from_str(text).ok(),
        }
    }

    /// Its signature, at most so long.
    pub fn signature(&self, max_chars: usize) -> String {
        self.parsed_schema()
            .map_or_else(|| "(…)".to_owned(), |schema| signature(&schema, max_chars))
    }

    /// The tool as the index sees it, tags and aliases left out.
    pub fn document(&self) -> document::Tool<'_> {
        document::Tool {
            name: &self.definition.name,
            server: &self.definition.server,
            title: self.definition.title.as_deref().unwrap_or_default(),
            description: &self.definition.description,
            schema: if self.opaque.is_some() { "" } else { &self.definition.input_schema },
            ..document::Tool::default()
        }
    }

    /// What it does in one line, clean.
    pub fn summary(&self, max_chars: usize) -> String {
        let text = match self.definition.description.trim() {
            "" => self.definition.title.as_deref().unwrap_or_default(),
            description => description,
        };
        let Some(notice) = self.deprecation(max_chars / 2) else {
            return clean::first_sentence(text, max_chars);
        };
        // The notice may stand anywhere; a sentence without it would sell what is to be left alone.
        let sentence =
            clean::first_sentence(text, max_chars - notice.chars().count().min(max_chars));
        let lower = sentence.to_ascii_lowercase();
        let said =
            ["deprecated", "obsolete", "will be removed"].iter().any(|cue| lower.contains(cue));
        // "Deprecated! Get an issue": what it does comes after it.
        let rest = after_notice(text);
        if said && notice.starts_with(&*sentence) && !rest.is_empty() {
            let rest = clean::first_sentence(rest, max_chars);
            clean::one_line(&format!("{sentence}. {rest}"), max_chars)
        } else if said {
            clean::first_sentence(text, max_chars)
        } else {
            clean::one_line(&format!("{notice}. {sentence}"), max_chars)
        }
    }

    /// What its owner says of its being deprecated, in one clean line; none when nothing.
    pub fn deprecation(&self, max_chars: usize) -> Option<String> {
        let title = self.definition.title.as_deref().unwrap_or_default();
        deprecation(&self.definition.description, max_chars)
            .or_else(|| deprecation(title, max_chars))
            .or_else(|| is_deprecated_name(&self.definition.name).then(|| "deprecated".to_owned()))
    }
}

/// Something about a tool that its owner or the user should know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// The tool's server; empty for none.
    pub server: String,
    /// The tool's own name.
    pub name: String,
    /// What the catalog calls it; none when it is not in the catalog.
    pub id: Option<String>,
    /// What was found.
    pub issue: Issue,
}

/// By content, so that the order of registration does not show here either.
pub(super) fn sort_diagnostics(found: &mut [Diagnostic]) {
    sort_by_cached_key(found, |d| {
        (d.server.clone(), d.name.clone(), d.id.clone(), format!("{:?}", d.issue))
    });
}

impl Diagnostic {
    pub(super) fn of(tool: &Tool, issue: Issue) -> Diagnostic {
        Diagnostic {
            server: tool.definition.server.clone(),
            name: tool.definition.name.clone(),
            id: (!tool.id.is_empty()).then(|| tool.id.clone()),
            issue,
        }
    }
}

impl Issue {
    pub(super) fn suspicious(field: &str, found: Suspicion) -> Issue {
        Issue::Suspicious(field.to_owned(), found.as_str().to_owned())
    }
}

/// What was found about a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Issue {
    /// It has no name, so that it cannot be called; it is left out.
    Nameless,
    /// The same definition is there once already; this one is left out.
    Repeated,
    /// Another tool has the same name; this one is called by the diagnostic's id.
    Renamed,
    /// Its name is a bridge tool's; it is called by the diagnostic's id.
    Reserved,
    /// Only case or punctuation tell its name from this other tool's.
    Confusable(String),
    /// Its schema is kept and shown, but nothing is checked by it.
    UnreadableSchema(Opaque),
    /// Its description had this many characters and was clipped.
    LongDescription(u64),
    /// It had this many tags or aliases; the rest was left out.
    ManyLabels(u64),
    /// Its name is not made of letters, digits and `_ - . : /` alone, or longer than
    /// [`crate::limits::TOOL_ID_MAX_CHARS`]; it is called by the diagnostic's id.
    UnusualName,
    /// A text of it is suspicious: which, and what was found.
    Suspicious(String, String),
    /// It claims to change nothing, and this verb of its name says otherwise.
    UnlikelyClaim(String),
}

/// An immutable set of tools, ready to be assembled, searched, described and resolved.
#[derive(Debug, Clone)]
pub struct Catalog {
    /// In canonical order: by server, name and hash.
    pub(crate) tools: Vec<Tool>,
    /// The tools' places in `tools`, in the order of the snapshot.
    pub(crate) order: Vec<u32>,
    /// Sorted by name, each once.
    pub(crate) servers: Vec<Server>,
    pub(crate) bridge: BridgeNames,
    pub(crate) digest: Fingerprint,
    pub(crate) diagnostics: Vec<Diagnostic>,
    pub(crate) names: Names,
    /// The tools that their owners call deprecated, by place, ascending.
    pub(crate) deprecated: Vec<u32>,
    pub(crate) index: Index,
}

impl Catalog {
    /// The catalog's name: the same for the same tools, servers and bridge names, in whatever
    /// order they were registered.
    pub fn digest(&self) -> Fingerprint {
        self.digest
    }

    /// What was found about the tools, sorted by server and name.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        self.diagnostics.clone()
    }

    /// Whether any of the tools is a skill.
    pub fn has_skills(&self) -> bool {
        self.tools.iter().any(|tool| tool.definition.origin == Origin::Skill)
    }

    /// All tools, by server and name.
    pub fn tools(&self) -> &[Tool] {
        &self.tools
    }

    /// What the bridge tools are called.
    pub fn bridge_names(&self) -> &BridgeNames {
        &self.bridge
    }

    /// The tool that the catalog calls `id`.
    pub fn tool(&self, id: &str) -> Option<&Tool> {
        self.names.id(id).map(|at| &self.tools[at])
    }

    /// What a name means, see [`Names::find`].
    pub fn find(&self, name: &str) -> Found {
        self.names.find(name)
    }

    /// Names near one that means no tool, best first.
    pub fn near(&self, name: &str, count: usize) -> Vec<&str> {
        nearest(name, self.tools.iter().map(|tool| tool.id.as_str()), count)
    }

    /// The tools as they are ranked, by their places in [`Catalog::tools`].
    pub fn index(&self) -> &Index {
        &self.index
    }

    /// The tools that `text`, a whole query, may be the name of, see [`Names::named`].
    pub fn named(&self, text: &str) -> Vec<u32> {
        self.names.named(text)
    }

    /// The tools that their owners call deprecated, ascending.
    pub fn deprecated(&self) -> &[u32] {
        &self.deprecated
    }

    /// What is known of a server, when anything is.
    pub fn server(&self, name: &str) -> Option<&Server> {
        let at = self.servers.binary_search_by(|server| server.name.as_str().cmp(name)).ok()?;
        Some(&self.servers[at])
    }

    /// Whether a tool can be called now.
    pub fn state(&self, tool: &Tool) -> ServerState {
        self.server(&tool.definition.server).map(|server| server.state.clone()).unwrap_or_default()
    }

    /// Groups (servers, or origins for tools without one) and the places of their tools, both
    /// sorted.
    pub fn groups(&self) -> BTreeMap<&str, Vec<usize>> {
        let mut groups: BTreeMap<&str, Vec<usize>> = BTreeMap::new();
        let mut start = 0;
        // Tools of one server follow each other: one look-up does for all of them.
        for run in self.tools.chunk_by(|a, b| a.group() == b.group()) {
            groups.entry(run[0].group()).or_default().extend(start..start + run.len());
            start += run.len();
        }
        groups
    }
}
