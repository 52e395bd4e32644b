//! What the entry of a server says of OAuth.

use weir_mcp::redact::Secret;

/// What the entry of a server says of OAuth.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OAuthSettings {
    /// Whether it is left alone.
    pub off: bool,
    /// A client id that was registered by hand.
    pub client_id: Option<String>,
    /// Its secret.
    pub client_secret: Option<Secret>,
    /// Scopes to ask for in place of those that the server names.
    pub scopes: Vec<String>,
    /// The issuer to use where the server names several, and the only one that the client id is for.
    pub issuer: Option<String>,
    /// Where the browser comes back to: a loopback address. The port may be left to us.
    pub redirect: Option<String>,
    /// The address of a client id metadata document, see [`client_document`](super::client_document).
    pub client_metadata: Option<String>,
}
