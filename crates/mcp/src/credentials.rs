//! What shows a server over HTTP who asks it, and what becomes of a request that it refuses.

use std::pin::Pin;

use hyper::{HeaderMap, StatusCode};

use super::redact::Secret;

/// An answer that may take its time.
pub type Later<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// What became of a request that the server refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// There is another token now: send it again.
    Again,
    /// Somebody has to log in.
    Login(String),
    /// It has nothing to do with a login, or nothing that can be done here.
    Other(Option<String>),
}

/// The tokens of one server.
pub trait Credentials: std::fmt::Debug + Send + Sync {
    /// Why somebody has to log in before the server can be used; `None` when that is not known to be so.
    fn needed(&self) -> Option<String>;
    /// The token to send, where there is one; the error where it cannot be had.
    fn token(&self) -> Later<'_, Result<Option<Secret>, String>>;
    /// Takes note of a refusal of a request that was sent with `sent`.
    fn refused<'a>(
        &'a self,
        status: StatusCode,
        headers: &'a HeaderMap,
        sent: Option<&'a Secret>,
    ) -> Later<'a, Refusal>;
}
