//! What answers of several kinds have in common as JSON.

use serde::Serialize;
use serde_json::value::RawValue;

use crate::search::catalog::definition::ServerState;

/// A value as compact JSON.
pub(crate) fn json(value: &impl Serialize) -> String {
    // Strings, numbers and JSON that was checked: nothing that could fail.
    serde_json::to_string(value).unwrap_or_default()
}

pub(crate) fn is_zero(count: &u32) -> bool {
    *count == 0
}

/// A schema inside an answer: as it is, or as a text when it is no JSON.
#[derive(Debug, Serialize)]
#[serde(untagged)]
pub(crate) enum SchemaJson<'a> {
    Exact(&'a RawValue),
    Text(&'a str),
}

impl<'a> SchemaJson<'a> {
    pub(crate) fn of(text: &'a str) -> SchemaJson<'a> {
        match serde_json::from_str::<&RawValue>(text) {
            Ok(raw) => SchemaJson::Exact(raw),
            Err(_) => SchemaJson::Text(text),
        }
    }
}

/// Why a server's tools cannot be called now.
pub(crate) fn unavailable(state: &ServerState) -> Option<&str> {
    match state {
        ServerState::Connected | ServerState::Cold => None,
        ServerState::Unavailable(reason) => Some(reason),
    }
}
