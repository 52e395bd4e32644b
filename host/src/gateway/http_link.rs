//! Streamable HTTP towards a server.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::connection::Connection;
use super::frame::Bounds;
use super::json::Json;
use super::wire::Era;

/// An endpoint.
#[derive(Debug)]
pub struct HttpLink {}

impl HttpLink {
    /// New.
    pub fn new(_url: &str, _headers: &BTreeMap<String, String>, _bounds: Bounds) -> Result<HttpLink, String> {
        Ok(HttpLink {})
    }
    /// Agreed.
    pub fn agreed(&self, _connection: &Arc<Connection>, _era: Era, _version: &str) {}
    /// Bye.
    pub async fn goodbye(&self) {}
    /// Posts a note.
    pub fn post_note(&self, _text: String, _call: Option<u64>) {}
    /// Posts a request.
    pub fn post_request(&self, _connection: &Arc<Connection>, _id: u64, _method: &str, _params: Option<Json>) {}
    /// Cancels.
    pub fn cancel(&self, _connection: &Arc<Connection>, _id: u64) {}
}
