//! Why there is no token.

/// Why there is no token.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OAuthError {
    /// The server or its authorization server offers nothing that we can use.
    #[error("{0}")]
    Unsupported(String),
    /// Something does not fit together as it must for a token to be safe.
    #[error("{0}")]
    Unsafe(String),
    /// The authorization server said no.
    #[error("the authorization server refused: {0}")]
    Refused(String),
    /// It could not be asked.
    #[error("{0}")]
    Unreachable(String),
    /// What is kept cannot be read or written.
    #[error("{0}")]
    Kept(String),
    /// There is nothing to renew: somebody has to log in.
    #[error("nobody is logged in")]
    NotLoggedIn,
}
