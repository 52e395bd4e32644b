//! JSON-RPC messages with everything but the envelope left as text.
//!
//! Decoded are the members a gateway acts on: `id`, `method` and which of `params`, `result` and
//! `error` there is. What they hold stays [`Json`]. An envelope's members beyond those of JSON-RPC
//! are dropped, since strict clients refuse messages that have them.

use std::sync::LazyLock;

use serde::{Deserialize, Deserializer};

use super::json::{Json, quote};
pub use super::methods::Era;
use super::methods::Method;

/// The newest revision with sessions.
pub const LATEST_LEGACY: &str = "2025-11-25";

/// All revisions with an `initialize` handshake, newest first.
pub const LEGACY: [&str; 4] = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"];

/// The revision that carries its metadata on every request.
pub const MODERN: &str = "2026-07-28";

/// Key of the protocol version in a modern request's `_meta`.
pub const META_VERSION: &str = "io.modelcontextprotocol/protocolVersion";
/// Key of the client's name and version in a modern request's `_meta`.
pub const META_CLIENT: &str = "io.modelcontextprotocol/clientInfo";
/// Key of the client's capabilities in a modern request's `_meta`.
pub const META_CAPABILITIES: &str = "io.modelcontextprotocol/clientCapabilities";
/// Key of the wanted log level in a modern request's `_meta`.
pub const META_LOG_LEVEL: &str = "io.modelcontextprotocol/logLevel";
/// Key of the server's name and version in a modern result's `_meta`.
pub const META_SERVER: &str = "io.modelcontextprotocol/serverInfo";
/// Key of the subscription a notification belongs to.
pub const META_SUBSCRIPTION: &str = "io.modelcontextprotocol/subscriptionId";

/// The error codes of JSON-RPC and of the specification that a gateway gives.
pub mod code {
    /// The text is not JSON.
    pub const PARSE: i64 = -32700;
    /// The JSON is not a request.
    pub const INVALID_REQUEST: i64 = -32600;
    /// No such method.
    pub const METHOD_NOT_FOUND: i64 = -32601;
    /// The parameters do not fit; an unknown tool, prompt or resource too.
    pub const INVALID_PARAMS: i64 = -32602;
    /// The gateway's own failure.
    pub const INTERNAL: i64 = -32603;
    /// An unknown resource, in the legacy revisions.
    pub const RESOURCE_NOT_FOUND_LEGACY: i64 = -32002;
    /// Headers and body of a modern HTTP request differ.
    pub const HEADER_MISMATCH: i64 = -32020;
    /// The client did not declare a capability that the request needs.
    pub const MISSING_CAPABILITY: i64 = -32021;
    /// The protocol version is not spoken here.
    pub const UNSUPPORTED_VERSION: i64 = -32022;
    /// A URL has to be visited first (2025-11-25 only).
    pub const URL_ELICITATION: i64 = -32042;
    /// The server behind the gateway could not be started, reached or waited for. Outside the range
    /// that JSON-RPC reserves, as the specification asks of codes it does not define.
    pub const UPSTREAM: i64 = -31001;
    /// The client is over one of its limits.
    pub const OVER_LIMIT: i64 = -31002;
}

/// A request, with the id in its sender's spelling.
#[derive(Debug, Clone)]
pub struct Request {
    /// A string or a number, as text.
    pub id: Json,
    /// The method's name.
    pub method: String,
    /// The parameters, if any.
    pub params: Option<Json>,
}

/// A notification.
#[derive(Debug, Clone)]
pub struct Notification {
    /// The method's name.
    pub method: String,
    /// The parameters, if any.
    pub params: Option<Json>,
}

/// A response.
#[derive(Debug, Clone)]
pub struct Response {
    /// The id of the request, absent when the peer could not read it.
    pub id: Option<Json>,
    /// The result, or the error object.
    pub body: Result<Json, Json>,
}

/// One message.
#[derive(Debug, Clone)]
pub enum Message {
    /// Something asked.
    Request(Request),
    /// Something told.
    Notification(Notification),
    /// Something answered.
    Response(Response),
}

#[derive(Deserialize)]
struct Envelope {
    #[serde(default, deserialize_with = "present")]
    id: Option<Json>,
    method: Option<String>,
    #[serde(default)]
    params: Option<Json>,
    #[serde(default, deserialize_with = "present")]
    result: Option<Json>,
    #[serde(default, deserialize_with = "present")]
    error: Option<Json>,
}

/// Tells a member that is `null` from one that is not there.
fn present<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Json>, D::Error> {
    Json::deserialize(deserializer).map(Some)
}

/// Why a line is not a message.
#[derive(Debug, thiserror::Error)]
pub enum WireError {
    /// Not JSON at all.
    #[error("not JSON: {0}")]
    NotJson(serde_json::Error),
    /// JSON, but neither request, notification nor response. `id` when one could be read.
    #[error("neither a request, a notification nor a response")]
    NotRpc {
        /// The id, to answer with.
        id: Option<Json>,
    },
}

/// Reads one line: a message, or an array of them (revision 2025-03-26 has batches).
///
/// # Errors
/// When the line is not JSON or not JSON-RPC, such as an empty array. One bad item makes the whole batch bad.
pub fn decode(line: &str) -> Result<Vec<Message>, WireError> {
    let line = line.trim_start_matches('\u{feff}').trim();
    if line.starts_with('[') {
        let items: Vec<Json> = serde_json::from_str(line).map_err(WireError::NotJson)?;
        if items.is_empty() {
            return Err(WireError::NotRpc { id: None });
        }
        return items.iter().map(|item| decode_one(item.as_str())).collect();
    }
    Ok(vec![decode_one(line)?])
}

fn decode_one(text: &str) -> Result<Message, WireError> {
    let envelope: Envelope = match serde_json::from_str(text) {
        Ok(envelope) => envelope,
        Err(error) if error.is_data() => {
            let id = super::json::find(text, &["id"])
                .and_then(|span| Json::parse(text[span].to_owned()).ok())
                .filter(is_id);
            return Err(WireError::NotRpc { id });
        }
        Err(error) => return Err(WireError::NotJson(error)),
    };
    let id = envelope.id.filter(|id| id.as_str() != "null");
    match (envelope.method, envelope.result, envelope.error) {
        (Some(method), None, None) => match id {
            Some(id) if is_id(&id) => {
                Ok(Message::Request(Request { id, method, params: envelope.params }))
            }
            Some(_) => Err(WireError::NotRpc { id: None }),
            None => Ok(Message::Notification(Notification { method, params: envelope.params })),
        },
        (None, Some(result), None) => Ok(Message::Response(Response { id, body: Ok(result) })),
        // Some servers send both, with one of them null.
        (None, result, Some(error)) => Ok(Message::Response(Response {
            id,
            body: match result {
                Some(result) if error.as_str() == "null" => Ok(result),
                _ => Err(error),
            },
        })),
        _ => Err(WireError::NotRpc { id: id.filter(is_id) }),
    }
}

/// What is wrong with a message that is an answer and cannot be read as one; `None` where it may be none,
/// or where it does not say to what.
pub fn fault_of_answer(text: &str) -> Option<String> {
    if super::json::find(text, &["method"]).is_some() {
        return None;
    }
    match super::json::repeated_name(text, &["id", "result", "error", "params"]) {
        Some("id") => None,
        Some(name) => Some(twice(name)),
        None => Some("its answer has neither a result nor an error".to_owned()),
    }
}

/// What is wrong with an answer that has a member twice.
pub fn twice(name: &str) -> String {
    format!("its answer has the member {name} twice")
}

/// Whether `id` is a string or a number.
fn is_id(id: &Json) -> bool {
    id.as_str().starts_with(|c: char| c == '"' || c == '-' || c.is_ascii_digit())
}

impl Request {
    /// The parameters, `{}` when there are none.
    pub fn params(&self) -> &Json {
        static NONE: LazyLock<Json> = LazyLock::new(Json::empty);
        self.params.as_ref().unwrap_or(&NONE)
    }

    /// Whether it is of this method.
    pub fn is(&self, method: Method) -> bool {
        self.method == method.name()
    }

    /// The message as text.
    pub fn encode(&self) -> String {
        request(self.id.as_str(), &self.method, self.params.as_ref())
    }
}

impl Message {
    /// The message as text.
    pub fn encode(&self) -> String {
        match self {
            Message::Request(request) => request.encode(),
            Message::Notification(Notification { method, params }) => {
                notification(method, params.as_ref())
            }
            Message::Response(Response { id, body }) => response(id.as_ref(), body),
        }
    }
}

/// Puts what a modern request must carry into its parameters.
pub fn with_modern_meta(params: &Json, info: &Json, capabilities: &Json) -> Json {
    params
        .with(&["_meta", META_VERSION], &quote(MODERN))
        .with(&["_meta", META_CLIENT], info.as_str())
        .with(&["_meta", META_CAPABILITIES], capabilities.as_str())
}

/// Takes what only a modern request carries out of its parameters.
pub fn without_modern_meta(params: &Json) -> Json {
    without_meta(params, &[META_VERSION, META_CLIENT, META_CAPABILITIES, META_LOG_LEVEL])
}

/// Takes these keys out of the `_meta` of parameters, and that too when nothing is left in it.
pub fn without_meta(params: &Json, keys: &[&str]) -> Json {
    let mut params = params.clone();
    for key in keys {
        params = params.without(&["_meta", key]);
    }
    if params.get(&["_meta"]).is_some_and(|meta| super::json::members(meta).is_empty()) {
        params = params.without(&["_meta"]);
    }
    params
}

/// A message as the bytes of one line. Outside of strings, JSON may have line breaks; in them, never.
pub fn as_line(text: String) -> Vec<u8> {
    let mut bytes = text.into_bytes();
    for byte in &mut bytes {
        if matches!(byte, b'\n' | b'\r') {
            *byte = b' ';
        }
    }
    bytes.push(b'\n');
    bytes
}

/// The text of a request.
pub fn request(id: &str, method: &str, params: Option<&Json>) -> String {
    let method = quote(method);
    match params {
        Some(params) => {
            format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method},"params":{params}}}"#)
        }
        None => format!(r#"{{"jsonrpc":"2.0","id":{id},"method":{method}}}"#),
    }
}

/// The text of a notification.
pub fn notification(method: &str, params: Option<&Json>) -> String {
    let method = quote(method);
    match params {
        Some(params) => format!(r#"{{"jsonrpc":"2.0","method":{method},"params":{params}}}"#),
        None => format!(r#"{{"jsonrpc":"2.0","method":{method}}}"#),
    }
}

/// The text of a response. Without an id it is `null`, as JSON-RPC asks.
pub fn response(id: Option<&Json>, body: &Result<Json, Json>) -> String {
    let id = id.map_or("null", Json::as_str);
    match body {
        Ok(result) => format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{result}}}"#),
        Err(error) => format!(r#"{{"jsonrpc":"2.0","id":{id},"error":{error}}}"#),
    }
}

/// An error object.
pub fn error(code: i64, message: &str) -> Json {
    Json::assembled(format!(r#"{{"code":{code},"message":{}}}"#, quote(message)))
}

/// An error object with data.
pub fn error_with(code: i64, message: &str, data: &Json) -> Json {
    Json::assembled(format!(r#"{{"code":{code},"message":{},"data":{data}}}"#, quote(message)))
}

/// A tool's result that is one text.
pub fn tool_text(text: &str, is_error: bool) -> Json {
    let text = quote(text);
    Json::assembled(format!(
        r#"{{"content":[{{"type":"text","text":{text}}}],"isError":{is_error}}}"#
    ))
}

/// Why a request of ours was refused. An error that we made of an HTTP answer is the reason itself.
pub fn refusal_of(method: &str, error: &Json) -> String {
    let ours = error.at(&["code"]).and_then(|code| code.read()) == Some(code::UPSTREAM);
    match error.text_at(&["message"]).filter(|_| ours) {
        Some(message) => message,
        None => format!("{method} was answered with the error {error}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn payloads_keep_every_byte() {
        let params =
            r#"{"z":1.10,"a":12345678901234567890123,"n":{"x" : [ 1 , 2 ]},"\u0061":"é\/"}"#;
        let line = format!(
            r#"{{"params":{params},"method":"tools/call","id":"x","jsonrpc":"2.0","vendor":1}}"#
        );
        let Message::Request(request) = decode(&line).unwrap().remove(0) else {
            panic!("not a request")
        };
        assert_eq!(request.params.as_ref().unwrap().as_str(), params);
        assert_eq!(request.id.as_str(), r#""x""#);
        assert!(request.encode().ends_with(&format!(r#""params":{params}}}"#)));
    }

    #[test]
    fn an_error_of_ours_is_told_without_its_envelope() {
        let ours = error(code::UPSTREAM, "the server answered with HTTP 401");
        assert_eq!(refusal_of("initialize", &ours), "the server answered with HTTP 401");
        let theirs = error(-32000, "no key");
        let told = refusal_of("initialize", &theirs);
        assert!(
            told.starts_with("initialize was answered with the error {") && told.contains("no key")
        );
    }

    #[test]
    fn tells_the_kinds_apart() {
        let kind = |line: &str| match decode(line) {
            Ok(messages) => match &messages[..] {
                [Message::Request(_)] => "request",
                [Message::Notification(_)] => "notification",
                [Message::Response(r)] => {
                    if r.body.is_ok() {
                        "result"
                    } else {
                        "error"
                    }
                }
                _ => "batch",
            },
            Err(WireError::NotJson(_)) => "noise",
            Err(WireError::NotRpc { id: Some(_) }) => "bad with id",
            Err(WireError::NotRpc { id: None }) => "bad",
        };
        assert_eq!(kind(r#"{"jsonrpc":"2.0","id":1,"method":"ping"}"#), "request");
        assert_eq!(kind(r#"{"jsonrpc":"2.0","method":"x"}"#), "notification");
        assert_eq!(kind(r#"{"id":1,"result":null}"#), "result");
        assert_eq!(kind(r#"{"id":1,"result":{},"error":null}"#), "result");
        assert_eq!(kind(r#"{"id":null,"error":{"code":1}}"#), "error");
        assert_eq!(kind(r#"[{"id":1,"result":{}},{"method":"x"}]"#), "batch");
        assert_eq!(kind(r#"{"id":1,"method":7}"#), "bad with id");
        assert_eq!(kind(r#"{"id":{},"method":"x"}"#), "bad");
        assert_eq!(kind("{}"), "bad");
        assert_eq!((kind("[]"), kind(" [ ] ")), ("bad", "bad"));
        assert_eq!(kind("Listening on port 3000"), "noise");
        assert_eq!(kind("{\"id\":1"), "noise");
    }
}
