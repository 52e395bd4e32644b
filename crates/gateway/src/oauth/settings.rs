//! What the entry of a server says of OAuth.

use std::fmt;

use serde::{Deserialize, Serialize};

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

/// A text that is never shown.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Secret(pub String);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("***")
    }
}
