//! OAuth 2.1 towards servers over HTTP, as MCP's authorization asks for it.
//!
//! ```text
//! 401 ─► challenge ─► discovery ─► register ─► flow ─► tokens ─► keep        (`weir login`)
//! request ─► bearer ─► keep, tokens (refresh) ─► the header of the request   (the gateway)
//! ```
//!
//! A gateway for several people has an account for each of them at each such server (`entrance`), and trusts one
//! issuer to say who they are (`issuer`).
//!
//! Anybody is asked for anything new only by `weir login`, or when a person opens the address that a running
//! gateway names (`door`). A gateway uses what is kept, renews it, and says when a login is needed. A token goes
//! to the one address that it was asked for, a refresh token to the token endpoint that it came from, and
//! neither ever follows a redirect.

use url::Url;

use weir_mcp::net;

mod account;
mod bearer;
mod challenge;
mod discovery;
mod door;
mod entrance;
mod fetch;
pub mod flow;
mod issuer;
mod keep;
pub mod loopback;
mod register;
mod seal;
mod settings;
mod tokens;

pub use account::{Account, Server};
pub use bearer::Bearer;
pub use challenge::Challenge;
pub use door::Door;
pub use entrance::{Entrance, Wish, field};
pub use issuer::{Asked, Issuer, IssuerSettings, Person, Unproven};
pub use keep::{Keep, Login};
pub use register::client_document;
pub use seal::Key;
pub use settings::OAuthSettings;
pub use weir_mcp::redact::Secret;

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

/// Whether an address may be asked on behalf of a server: over TLS, or on this machine where the
/// server is on this machine too. So no server makes us ask what only this machine can reach.
fn may_ask(address: &Url, server: &Url) -> bool {
    let local = |url: &Url| url.host_str().is_some_and(net::is_loopback);
    let plain = address.username().is_empty() && address.password().is_none();
    plain
        && match address.scheme() {
            "https" => !local(address) || local(server),
            "http" => local(address) && local(server),
            _ => false,
        }
}

/// An address from outside, when it may be asked.
fn address(text: &str, what: &str, server: &Url) -> Result<Url, OAuthError> {
    let url = Url::parse(text).map_err(|_| {
        OAuthError::Unsafe(format!("the {what} is not an address: {}", clean(text)))
    })?;
    if may_ask(&url, server) {
        return Ok(url);
    }
    Err(OAuthError::Unsafe(format!("the {what} {} is not an https address elsewhere", clean(text))))
}

/// A text of somebody else's, for people: one short line.
fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

/// A random text of 43 characters that nobody can guess.
fn random() -> Result<String, OAuthError> {
    use base64::Engine as _;
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        OAuthError::Unsupported(format!("the system has no random numbers: {error}"))
    })?;
    Ok(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

/// Two lists of scopes as one, each once, in order.
fn union(first: &[String], second: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for scope in first.iter().chain(second) {
        if !all.contains(scope) {
            all.push(scope.clone());
        }
    }
    all
}

/// The scopes of a list as OAuth writes it.
fn scopes(text: &str) -> Vec<String> {
    text.split_ascii_whitespace().map(str::to_owned).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_server_makes_us_ask_this_machine_or_plain_http() {
        let remote = Url::parse("https://mcp.example/mcp").unwrap();
        let local = Url::parse("http://127.0.0.1:8080/mcp").unwrap();
        for (text, of_remote, of_local) in [
            ("https://auth.example/token", true, true),
            ("http://auth.example/token", false, false),
            ("http://127.0.0.1:9/token", false, true),
            ("http://localhost/token", false, true),
            ("https://127.0.0.1/token", false, true),
            ("http://169.254.169.254/latest", false, false),
            ("https://user:password@auth.example/", false, false),
            ("file:///etc/passwd", false, false),
            ("javascript:alert(1)", false, false),
            ("not an address", false, false),
        ] {
            assert_eq!(address(text, "thing", &remote).is_ok(), of_remote, "{text}");
            assert_eq!(address(text, "thing", &local).is_ok(), of_local, "{text}");
        }
    }

    #[test]
    fn scopes_add_up_in_order() {
        let one = scopes("files:read  offline_access");
        assert_eq!(
            union(&one, &scopes("files:write files:read")).join(" "),
            "files:read offline_access files:write"
        );
    }
}
