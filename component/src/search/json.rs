//! Answers as JSON, as a model reads them: what is empty or zero is left out.

use serde::Serialize;
use serde_json::value::RawValue;

use super::definition::{Risk, ServerState};
use super::find::{Group, Hit, SearchAnswer, ServerCount};

impl SearchAnswer {
    /// The answer as a model reads it.
    pub fn to_json(&self) -> String {
        json(&AnswerJson {
            results: self.groups.iter().map(GroupJson::of).collect(),
            unanswered: self.unanswered,
            searched: self.total,
            servers: self.servers.iter().map(ServerJson::of).collect(),
            servers_left_out: self.servers_left_out,
            note: self.note.as_deref(),
        })
    }
}

impl Hit {
    /// Characters that it takes in an answer.
    pub(super) fn json_chars(&self) -> usize {
        json(&HitJson::of(self)).chars().count()
    }
}

/// A value as compact JSON.
pub(super) fn json(value: &impl Serialize) -> String {
    // Strings, numbers and JSON that was checked: nothing that could fail.
    serde_json::to_string(value).unwrap_or_default()
}

pub(super) fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A schema inside an answer: as it is, or as a text when it is no JSON.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(super) enum SchemaJson<'a> {
    Exact(&'a RawValue),
    Text(&'a str),
}

impl<'a> SchemaJson<'a> {
    pub(super) fn of(text: &'a str) -> SchemaJson<'a> {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(raw) => SchemaJson::Exact(raw),
            Err(_) => SchemaJson::Text(text),
        }
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
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<&'a str>,
}

#[derive(Serialize)]
struct GroupJson<'a> {
    query: &'a str,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    read: Vec<String>,
    matches: Vec<HitJson<'a>>,
    #[serde(skip_serializing_if = "is_zero")]
    more_matches: u32,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    call_directly: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    weak: &'a [String],
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    unmatched: &'a [String],
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'a str>,
}

impl<'a> GroupJson<'a> {
    fn of(group: &'a Group) -> GroupJson<'a> {
        let read = |(from, to): &(String, String)| format!("read \"{from}\" as \"{to}\"");
        GroupJson {
            query: &group.query,
            read: group.corrections.iter().map(read).collect(),
            matches: group.matches.iter().map(HitJson::of).collect(),
            more_matches: group.left_out,
            call_directly: &group.direct,
            weak: &group.weak,
            unmatched: &group.unmatched,
            hint: group.hint.as_deref(),
        }
    }
}

#[derive(Serialize)]
struct HitJson<'a> {
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

impl<'a> HitJson<'a> {
    fn of(hit: &'a Hit) -> HitJson<'a> {
        HitJson {
            name: &hit.name,
            arguments: &hit.signature,
            does: &hit.summary,
            server: &hit.server,
            risk: (hit.risk != Risk::Unknown).then(|| hit.risk.as_str()),
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

pub(super) fn unavailable(state: &ServerState) -> Option<&str> {
    match state {
        ServerState::Connected | ServerState::Cold => None,
        ServerState::Unavailable(reason) => Some(reason),
    }
}
