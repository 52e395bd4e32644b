//! Who may read a stored result back.
//!
//! The server's session, else the person who is logged in. Without both, many clients come in under one name: then each
//! call gets a session of its own under a random name, and the ids that the model is given hold that name. Nothing is
//! shared, so there is nothing to list, to search or to find by the start of an id.

use serde_json::{Value, json};

use crate::bindings::exports::wasmcp::mcp_v20251125::server_handler::MessageContext;
use crate::bindings::wasi::random::random::get_random_u64;
use crate::bindings::wasmcp::mcp_v20251125::mcp::ServerResult;
use crate::bindings::weir::plugin::json as weir;
use crate::results::{answer, text_block};
use crate::value;

/// The tool that reads stored results.
pub(crate) const READER: &str = "weir_fetch";

/// Slices of work that one read goes on for. An answer that is then still unfinished says how to go on.
const SLICES: usize = 64;

/// What a model is told whose id has no key.
const NO_KEY: &str = "\n[weir: this server has no sessions: give one id, whole as the excerpt has it, with what follows the \
                      dash; nothing can be listed or searched without it]";

/// Where results of a client are kept: under a name that only its client has, else each under a key of its own.
pub(crate) struct Session(Option<String>);

impl Session {
    pub(crate) fn of(context: &MessageContext<'_>) -> Session {
        let session = context.session.as_ref().filter(|of| !of.session_id.is_empty());
        let claims = context.identity.as_ref().map(|of| &of.claims);
        let claims = claims.filter(|of| !of.subject.is_empty());
        let subject = claims.map(|of| format!("subject {}", json!([of.issuer, of.subject])));
        Session(session.map(|of| format!("session {}", of.session_id)).or(subject))
    }

    /// The session of one call, and its key where it has one.
    pub(crate) fn begin(&self) -> (String, Option<String>) {
        match &self.0 {
            Some(name) => (name.clone(), None),
            None => {
                let key = format!("{:016x}{:016x}", get_random_u64(), get_random_u64());
                (format!("key {key}"), Some(key))
            }
        }
    }

    /// What the reading tool answers.
    pub(crate) fn read(&self, arguments: Option<&str>) -> ServerResult {
        let (mut given, mut ids) = (value(arguments.unwrap_or("{}")), Vec::new());
        if self.0.is_none() {
            take_keys(&mut given, &mut ids);
        }
        let mut keys: Vec<&str> = ids.iter().map(|(_, key)| key.as_str()).collect();
        keys.dedup();
        let (name, key) = match keys[..] {
            [key] => (format!("key {key}"), Some(key)),
            // With several keys, and without one, what is read is a session that holds nothing.
            _ => (self.begin().0, None),
        };
        let (mut text, is_error) = read_on(&name, &given.to_string());
        for (id, _) in &ids {
            text = keyed(&text, id, key);
        }
        if self.0.is_none() && key.is_none() {
            text.push_str(NO_KEY);
        }
        answer(vec![text_block(text, None)], is_error)
    }
}

/// One read, to its end or for as many slices as it may have.
fn read_on(session: &str, arguments: &str) -> (String, bool) {
    let mut answer = value(&weir::invoke(session, READER, arguments));
    for _ in 1..SLICES {
        let Some(more) = answer["more"].as_str() else { break };
        answer = value(&weir::invoke(session, READER, more));
    }
    let text = answer["content"][0]["text"].as_str().or(answer["error"]["message"].as_str());
    (text.unwrap_or_default().to_owned(), answer["isError"] != false)
}

/// Takes the keys off all ids in arguments.
fn take_keys(given: &mut Value, ids: &mut Vec<(String, String)>) {
    match given {
        Value::String(text) => {
            let parts: Option<Vec<_>> = text.split(',').map(|part| split_id(part.trim())).collect();
            let Some(parts) = parts else { return };
            *text = parts.iter().map(|(id, _)| id.as_str()).collect::<Vec<_>>().join(",");
            ids.extend(parts);
        }
        Value::Array(items) => items.iter_mut().for_each(|item| take_keys(item, ids)),
        Value::Object(members) => members.values_mut().for_each(|item| take_keys(item, ids)),
        _ => {}
    }
}

/// An id and its key of 32 digits.
fn split_id(text: &str) -> Option<(String, String)> {
    let (id, key) = text.strip_prefix("weir://blob/").unwrap_or(text).split_once('-')?;
    let is_hex = |text: &str| text.bytes().all(|digit| matches!(digit, b'0'..=b'9' | b'a'..=b'f'));
    let is_one = id.len() >= 12 && key.len() == 32 && is_hex(id) && is_hex(key);
    is_one.then(|| (id.to_owned(), key.to_owned()))
}

/// A text of ours with the key behind each such id. A longer number that begins like it is left.
pub(crate) fn keyed(text: &str, id: &str, key: Option<&str>) -> String {
    let Some(key) = key.filter(|_| !id.is_empty()) else { return text.to_owned() };
    let goes_on = |c: char| c.is_ascii_alphanumeric() || c == '-';
    let mut parts = text.split(id);
    let mut out = parts.next().unwrap_or_default().to_owned();
    for next in parts {
        let is_whole = !out.ends_with(goes_on) && !next.starts_with(goes_on);
        out.push_str(id);
        if is_whole {
            out.push_str(&format!("-{key}"));
        }
        out.push_str(next);
    }
    out
}
