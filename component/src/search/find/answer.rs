//! The answer to a search, and as a model reads it: JSON in which what is empty or zero is left out.

use serde::Serialize;

use super::conversation::Shown;
use super::json::{SchemaJson, is_zero, json, unavailable};
use crate::search::catalog::definition::{Risk, ServerState};
use crate::search::catalog::servers::ServerCount;
use crate::search::fingerprint::Fingerprint;

/// How much is said about a tool.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Detail {
    /// Its name and what it does.
    Brief,
    /// Also its signature.
    #[default]
    Signature,
    /// Also its exact schema.
    Full,
}

impl Detail {
    /// The detail that this word names, whatever its case.
    pub fn parse(word: &str) -> Option<Detail> {
        match word.to_ascii_lowercase().as_str() {
            "brief" => Some(Detail::Brief),
            "signature" | "detailed" => Some(Detail::Signature),
            "full" => Some(Detail::Full),
            _ => None,
        }
    }
}

/// The answer to a search.
#[derive(Debug, Clone, PartialEq)]
pub struct SearchAnswer {
    /// One for each query, in order. Those that did not fit the answer are missing at the end.
    pub groups: Vec<Group>,
    /// How many queries were left unanswered, for want of room.
    pub unanswered: u32,
    /// How many tools were searched.
    pub total: u32,
    /// What there is, when a query found nothing: servers by name.
    pub servers: Vec<ServerCount>,
    /// Servers that did not fit in.
    pub servers_left_out: u32,
    /// Servers that cannot be called now and of which no tool is known, each with the reason.
    pub not_searched: Vec<String>,
    /// What went wrong beside the search itself.
    pub note: Option<String>,
    /// What the model has now been shown; for the host to keep, see [`super::conversation::Conversation`].
    pub shown: Vec<Shown>,
}

/// What one query found.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Group {
    /// The query, clipped for display.
    pub query: String,
    /// Tools that do what was asked for, best first.
    pub matches: Vec<Match>,
    /// Names of tools that might, best first; at most [`crate::limits::SEARCH_MAX_WEAK`].
    pub weak: Vec<String>,
    /// Names of visible tools among the best: they are called directly.
    pub direct: Vec<String>,
    /// Words of the query that no tool has.
    pub unmatched: Vec<String>,
    /// Apps and services that the query names and no tool has.
    pub services: Vec<String>,
    /// Words that were read as other words: as written, as read.
    pub corrections: Vec<(String, String)>,
    /// Whether its tools were asked for by name.
    pub is_selected: bool,
    /// Names that were asked for and are not answered, for want of room.
    pub not_shown: Vec<String>,
    /// Further matches, not shown for want of room.
    pub left_out: u32,
    /// What to do next, when that is not to call a match.
    pub hint: Option<String>,
}

/// A tool that was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Match {
    /// What the catalog calls it.
    pub name: String,
    /// Its server or toolset; empty for none.
    pub server: String,
    /// What it does, in one line.
    pub summary: String,
    /// Its arguments; empty with [`Detail::Brief`].
    pub signature: String,
    /// Whether the signature says all that a call must know.
    pub complete: bool,
    /// What calling it may do.
    pub risk: Risk,
    /// Whether it can be called now.
    pub state: ServerState,
    /// The digest of its schema.
    pub schema: Fingerprint,
    /// Its schema, unchanged, with [`Detail::Full`] when there is room.
    pub exact_schema: Option<String>,
    /// What it was ranked by; only comparable within its group.
    pub score: f32,
    /// Whether it is only named, with a few words: it comes after those that are shown in detail.
    pub named: bool,
}

impl SearchAnswer {
    /// The answer as a model reads it.
    pub fn to_json(&self) -> String {
        json(&AnswerJson {
            results: self.groups.iter().map(GroupJson::of).collect(),
            unanswered: self.unanswered,
            searched: self.total,
            servers: self.servers.iter().map(ServerJson::of).collect(),
            servers_left_out: self.servers_left_out,
            not_searched: &self.not_searched,
            note: self.note.as_deref(),
        })
    }
}

impl Match {
    /// Characters that it takes in an answer.
    pub(crate) fn json_chars(&self) -> usize {
        json(&MatchJson::of(self)).chars().count()
    }
}

#[derive(Serialize)]
struct AnswerJson<'a> {
    results: Vec<GroupJson<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    unanswered: u32,
    searched: u32,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    servers: Vec<ServerJson<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    servers_left_out: u32,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_searched: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct GroupJson<'a> {
    query: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    read: Vec<String>,
    matches: Vec<MatchJson<'a>>,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    not_shown: &'a [String],
    #[serde(skip_serializing_if = "is_zero")]
    more_matches: u32,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    call_directly: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    weak: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unmatched: &'a [String],
}

impl<'a> GroupJson<'a> {
    fn of(group: &'a Group) -> GroupJson<'a> {
        let read = |(from, to): &(String, String)| format!("read \"{from}\" as \"{to}\"");
        GroupJson {
            query: &group.query,
            hint: group.hint.as_deref(),
            read: group.corrections.iter().map(read).collect(),
            matches: group.matches.iter().map(MatchJson::of).collect(),
            not_shown: &group.not_shown,
            more_matches: group.left_out,
            call_directly: &group.direct,
            weak: &group.weak,
            unmatched: &group.unmatched,
        }
    }
}

#[derive(Serialize)]
struct MatchJson<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    arguments: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    does: &'a str,
    #[serde(skip_serializing_if = "str::is_empty")]
    server: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    risk: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    schema: Option<SchemaJson<'a>>,
}

impl<'a> MatchJson<'a> {
    fn of(hit: &'a Match) -> MatchJson<'a> {
        MatchJson {
            name: &hit.name,
            arguments: &hit.signature,
            does: &hit.summary,
            server: if hit.named { "" } else { &hit.server },
            risk: (hit.risk != Risk::Unknown && !hit.named).then(|| hit.risk.as_str()),
            unavailable: unavailable(&hit.state),
            schema: hit.exact_schema.as_deref().map(SchemaJson::of),
        }
    }
}

#[derive(Serialize)]
struct ServerJson<'a> {
    server: &'a str,
    tools: u32,
    #[serde(skip_serializing_if = "str::is_empty")]
    about: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    unavailable: Option<&'a str>,
}

impl<'a> ServerJson<'a> {
    fn of(server: &'a ServerCount) -> ServerJson<'a> {
        ServerJson {
            server: &server.name,
            tools: server.tools,
            about: &server.about,
            unavailable: unavailable(&server.state),
        }
    }
}
