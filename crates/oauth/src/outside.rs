//! What comes from outside: which addresses may be asked, texts made fit to show, lists of scopes.

use url::{Url, form_urlencoded};

use super::error::OAuthError;
use weir_mcp::net;

/// Whether an address may be asked on behalf of a server: over TLS, or on this machine where the
/// server is on this machine too. So no server makes us ask what only this machine can reach.
pub(crate) fn may_ask(address: &Url, server: &Url) -> bool {
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
pub(crate) fn address(text: &str, what: &str, server: &Url) -> Result<Url, OAuthError> {
    let url = Url::parse(text).map_err(|_| {
        OAuthError::Unsafe(format!("the {what} is not an address: {}", clean(text)))
    })?;
    if may_ask(&url, server) {
        return Ok(url);
    }
    Err(OAuthError::Unsafe(format!("the {what} {} is not an https address elsewhere", clean(text))))
}

/// A text of somebody else's, for people: one short line.
pub(crate) fn clean(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).take(200).collect()
}

/// A field of a query or a form. One that stands there twice has no value.
pub fn field(form: &[u8], name: &str) -> Option<String> {
    let mut fields = form_urlencoded::parse(form).filter(|(key, _)| key == name);
    let first = fields.next().map(|(_, value)| value.into_owned());
    first.filter(|_| fields.next().is_none())
}

/// A random text of 43 characters that nobody can guess.
pub(crate) fn random() -> Result<String, OAuthError> {
    use base64::Engine as _;
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| {
        OAuthError::Unsupported(format!("the system has no random numbers: {error}"))
    })?;
    Ok(base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(bytes))
}

/// Two lists of scopes as one, each once, in order.
pub(crate) fn union(first: &[String], second: &[String]) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    for scope in first.iter().chain(second) {
        if !all.contains(scope) {
            all.push(scope.clone());
        }
    }
    all
}

/// The scopes of a list as OAuth writes it.
pub(crate) fn scopes(text: &str) -> Vec<String> {
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
