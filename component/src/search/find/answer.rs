//! The answer to a search, and as a model reads it: JSON in which what is empty or zero is left out.

use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::conversation::Shown;
use super::json::{SchemaJson, is_zero, json};
use crate::search::catalog::servers::ServerCount;

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
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// One for each query, in order. Those that did not fit the answer are missing at the end.
    #[serde(rename = "results")]
    pub groups: Vec<Group>,
    /// How many queries were left unanswered, for want of room.
    #[serde(skip_serializing_if = "is_zero")]
    pub unanswered: u32,
    /// How many tools were searched.
    #[serde(rename = "searched")]
    pub total: u32,
    /// What there is, when a query found nothing: servers by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub servers: Vec<ServerCount>,
    /// Servers that did not fit in.
    #[serde(skip_serializing_if = "is_zero")]
    pub servers_left_out: u32,
    /// Servers that cannot be called now and of which no tool is known, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_searched: Vec<String>,
    /// What went wrong beside the search itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
    /// What the model has now been shown; for the host to keep, see [`super::conversation::Conversation`].
    #[serde(skip)]
    pub shown: Vec<Shown>,
}

/// What one query found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Group {
    /// The query, clipped for display.
    pub query: String,
    /// What to do next, when that is not to call a match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// Words that were read as other words: as written, as read.
    #[serde(rename = "read", skip_serializing_if = "Vec::is_empty", serialize_with = "corrected")]
    pub corrections: Vec<(String, String)>,
    /// Tools that do what was asked for, best first.
    pub matches: Vec<Match>,
    /// Whether its tools were asked for by name.
    #[serde(skip)]
    pub is_selected: bool,
    /// Names that were asked for and are not answered, for want of room.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_shown: Vec<String>,
    /// Further matches, not shown for want of room.
    #[serde(rename = "more_matches", skip_serializing_if = "is_zero")]
    pub left_out: u32,
    /// Names of visible tools among the best: they are called directly.
    #[serde(rename = "call_directly", skip_serializing_if = "Vec::is_empty")]
    pub direct: Vec<String>,
    /// Names of tools that might, best first; at most [`crate::limits::SEARCH_MAX_WEAK`].
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub weak: Vec<String>,
    /// Words of the query that no tool has.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched: Vec<String>,
    /// Apps and services that the query names and no tool has.
    #[serde(skip)]
    pub services: Vec<String>,
    /// Whether the query is in the script of the tools' texts, where that is not Latin.
    #[serde(skip)]
    pub is_native: bool,
    /// What each of `matches` and `weak` is ranked by, for a host that asked for it. It tells hits of several catalogs apart.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, f32>,
}

/// A tool that was found.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Match {
    /// What the catalog calls it.
    pub name: String,
    /// `skill`, where it is one; unset for tools.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// The call that shows a skill.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub read: String,
    /// Its other versions and scopes, by name.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub also: Vec<String>,
    /// Its arguments; empty with [`Detail::Brief`] and for a skill.
    #[serde(rename = "arguments", skip_serializing_if = "String::is_empty")]
    pub signature: String,
    /// What it does, in one line.
    #[serde(rename = "does", skip_serializing_if = "String::is_empty")]
    pub summary: String,
    /// Its server or toolset; empty for none, and when it is only named.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub server: String,
    /// What calling it may do; unset when that is not known, or it is only named.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub risk: Option<&'static str>,
    /// Why it cannot be called now.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unavailable: Option<String>,
    /// Its schema, unchanged, with [`Detail::Full`] when there is room.
    #[serde(rename = "schema", skip_serializing_if = "Option::is_none", serialize_with = "exact")]
    pub exact_schema: Option<String>,
    /// Whether it is only named, with a few words: it comes after those that are shown in detail.
    #[serde(skip)]
    pub named: bool,
}

impl SearchAnswer {
    /// The answer as a model reads it.
    pub fn to_json(&self) -> String {
        json(self)
    }
}

impl Match {
    /// Characters that it takes in an answer.
    pub(crate) fn json_chars(&self) -> usize {
        json(self).chars().count()
    }
}

fn corrected<S: Serializer>(words: &[(String, String)], out: S) -> Result<S::Ok, S::Error> {
    out.collect_seq(words.iter().map(|(from, to)| format!("read \"{from}\" as \"{to}\"")))
}

fn exact<S: Serializer>(text: &Option<String>, out: S) -> Result<S::Ok, S::Error> {
    SchemaJson(text.as_deref().unwrap_or_default()).serialize(out)
}
