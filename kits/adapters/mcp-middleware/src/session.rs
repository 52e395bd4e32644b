//! Who may read a stored result back.
//!
//! The server's session, else the person who is logged in. Without both, many clients come in under one name: then each
//! call gets a session of its own under a random name, and the ids that the model is given hold that name. Nothing is
//! shared, so there is nothing to list, to search or to find by the start of an id.

use serde_json::{Value, json};

use crate::bindings::exports::wasmcp::mcp_v20251125::server_handler::MessageContext;
use crate::bindings::wasi::random::random::get_random_u64;
use crate::bindings::wasmcp::mcp_v20251125::mcp::{CallToolResult, ServerResult};
use crate::bindings::weir::plugin::json as weir;
use crate::results::text_block;

/// The tool that reads stored results.
pub(crate) const READER: &str = "weir_fetch";

/// Characters that the component takes as the name of a session.
const NAME_CHARS: usize = 512;

/// Slices of work that one read goes on for. An answer that is then still unfinished says how to go on.
const SLICES: usize = 64;

/// Digits of a key, four bits each.
const KEY_DIGITS: usize = 32;

/// Where results of a client are kept.
pub(crate) enum Session {
    /// Under a name that only its client has.
    Named(String),
    /// Under a key that belongs to one call.
    Keyed,
}

impl Session {
    pub(crate) fn of(context: &MessageContext<'_>) -> Session {
        let named = match (&context.session, &context.identity) {
            (Some(session), _) if !session.session_id.is_empty() => {
                Some(format!("session {}", session.session_id))
            }
            (_, Some(identity)) if !identity.claims.subject.is_empty() => {
                let claims = &identity.claims;
                Some(format!("subject {}", json!([claims.issuer, claims.subject])))
            }
            _ => None,
        };
        match named.filter(|name| name.chars().count() <= NAME_CHARS) {
            Some(name) => Session::Named(name),
            None => Session::Keyed,
        }
    }

    /// The session of one call, and its key where it has one.
    pub(crate) fn begin(&self) -> (String, Option<String>) {
        match self {
            Session::Named(name) => (name.clone(), None),
            Session::Keyed => {
                let key = format!("{:016x}{:016x}", get_random_u64(), get_random_u64());
                (format!("key {key}"), Some(key))
            }
        }
    }

    /// What the reading tool answers.
    pub(crate) fn read(&self, arguments: Option<&str>) -> ServerResult {
        let mut given: Value = arguments
            .map_or_else(|| json!({}), |text| serde_json::from_str(text).unwrap_or_default());
        if let Some(inner) = given.as_str().and_then(|text| serde_json::from_str(text).ok()) {
            given = inner;
        }
        let (mut ids, mut keys) = (Vec::new(), Vec::new());
        if let Session::Keyed = self {
            take_keys(&mut given, &mut ids, &mut keys);
            keys.dedup();
        }
        let (name, key) = match &keys[..] {
            [] => (self.begin().0, None),
            [key] => (format!("key {key}"), Some(key.as_str())),
            _ => {
                let why = "these ids are of different calls: without a session they are read one at a time";
                return answer(vec![why.to_owned()], true);
            }
        };
        let (text, is_error) = read_on(&name, given.to_string());
        let mut texts = vec![key.map_or_else(|| text.clone(), |key| keyed(&text, &ids, key))];
        if matches!(self, Session::Keyed) && key.is_none() {
            texts.push(
                "[weir: this server has no sessions: give the whole id from the excerpt, with what follows the dash; \
                 nothing can be listed]"
                    .to_owned(),
            );
        }
        answer(texts, is_error)
    }
}

/// One read, to its end or for as many slices as it may have.
fn read_on(session: &str, mut arguments: String) -> (String, bool) {
    let mut answer = Value::Null;
    for _ in 0..SLICES {
        answer =
            serde_json::from_str(&weir::invoke(session, READER, &arguments)).unwrap_or_default();
        match answer["more"].as_str() {
            Some(more) => arguments = more.to_owned(),
            None => break,
        }
    }
    let text = answer["content"][0]["text"].as_str().or(answer["error"]["message"].as_str());
    let is_error = answer["isError"] != false;
    (text.unwrap_or("the result cannot be read").to_owned(), is_error)
}

fn answer(texts: Vec<String>, is_error: bool) -> ServerResult {
    ServerResult::ToolsCall(CallToolResult {
        meta: None,
        content: texts.into_iter().map(|text| text_block(text, None)).collect(),
        is_error: Some(is_error),
        structured_content: None,
    })
}

/// Takes the keys off all ids in arguments.
fn take_keys(value: &mut Value, ids: &mut Vec<String>, keys: &mut Vec<String>) {
    match value {
        Value::String(text) => {
            let parts: Option<Vec<_>> = text.split(',').map(|part| split_id(part.trim())).collect();
            let Some(parts) = parts else { return };
            let bare: Vec<&str> = parts.iter().map(|(id, _)| *id).collect();
            ids.extend(bare.iter().map(|id| (*id).to_owned()));
            keys.extend(parts.iter().map(|(_, key)| (*key).to_owned()));
            *text = bare.join(",");
        }
        Value::Array(items) => items.iter_mut().for_each(|item| take_keys(item, ids, keys)),
        Value::Object(members) => {
            members.values_mut().for_each(|item| take_keys(item, ids, keys));
        }
        _ => {}
    }
}

/// An id and its key.
fn split_id(text: &str) -> Option<(&str, &str)> {
    let (id, key) = text.strip_prefix("weir://blob/").unwrap_or(text).split_once('-')?;
    let is_hex = |text: &str| text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    (id.len() >= 12 && key.len() == KEY_DIGITS && is_hex(id) && is_hex(key)).then_some((id, key))
}

/// A text of ours with the key behind each of these ids. Longer numbers that begin like one are left.
pub(crate) fn keyed(text: &str, ids: &[String], key: &str) -> String {
    let mut out = text.to_owned();
    for id in ids {
        let mut rest = std::mem::take(&mut out);
        while let Some(at) = rest.find(id.as_str()) {
            let end = at + id.len();
            let is_inside =
                |c: Option<char>| c.is_some_and(|c| c.is_ascii_alphanumeric() || c == '-');
            let is_whole = !is_inside(rest[..at].chars().next_back())
                && !is_inside(rest[end..].chars().next());
            out.push_str(&rest[..end]);
            if is_whole {
                out.push('-');
                out.push_str(key);
            }
            rest = rest.split_off(end);
        }
        out.push_str(&rest);
    }
    out
}
