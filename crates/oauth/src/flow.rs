//! A login: the address that a person opens, what the browser brings back, the tokens for it.

use axum::http::{HeaderValue, Method, StatusCode, header};
use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use url::Url;

use super::account::Account;
use super::challenge::Challenge;
use super::discovery::{self, Found};
use super::error::OAuthError;
use super::keep::Login;
use super::outside::{address, clean, field, random, scopes, union};
use super::register::{self, Client, Origin};
use super::settings::OAuthSettings;
use super::tokens;

use weir_mcp::net;

/// A login that waits for somebody's consent.
#[derive(Debug, Serialize, Deserialize)]
pub struct Pending {
    /// The address to open in a browser.
    #[serde(skip)]
    pub url: String,
    /// Who asks for the consent.
    pub issuer: String,
    /// What is asked for.
    pub scopes: Vec<String>,
    found: Found,
    client: Client,
    state: String,
    verifier: String,
}

/// The redirect address that the entry asks for: its parts, the port if it names one.
///
/// # Errors
/// When it is not a loopback address: a code must not go to another machine.
pub fn redirect_of(settings: &OAuthSettings) -> Result<Redirect, OAuthError> {
    let Some(text) = &settings.redirect else {
        return Ok(Redirect { host: "127.0.0.1".into(), port: None, path: "/callback".into() });
    };
    let url = Url::parse(text).ok().filter(|url| {
        url.scheme() == "http"
            && url.host_str().is_some_and(net::is_loopback)
            && url.query().is_none()
    });
    let url = url.ok_or_else(|| {
        OAuthError::Unsupported(format!(
            "the redirect address {} is not one of this machine, such as http://127.0.0.1:8976/callback",
            clean(text)
        ))
    })?;
    Ok(Redirect {
        host: url.host_str().unwrap_or("127.0.0.1").to_owned(),
        port: url.port(),
        path: url.path().to_owned(),
    })
}

/// Where the browser comes back to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Redirect {
    /// A name or address of this machine.
    pub host: String,
    /// The port; ours to choose where none is given.
    pub port: Option<u16>,
    /// The path.
    pub path: String,
}

impl Redirect {
    /// The address with this port.
    pub fn at(&self, port: u16) -> String {
        format!("http://{}:{port}{}", self.host, self.path)
    }
}

/// The port of the last login, where the authorization server knows us by it.
pub fn known_port(account: &Account) -> Option<u16> {
    let login = account.login().ok().flatten()?;
    let known = login.client.origin == Origin::Registered;
    Url::parse(&login.client.redirect).ok().filter(|_| known)?.port()
}

/// Finds out how to log in, and prepares it. `more` are scopes to ask for beside the usual ones.
///
/// # Errors
/// When the server or its authorization server offers no login that is safe.
pub async fn begin(
    account: &Account,
    redirect: &str,
    more: &[String],
) -> Result<Pending, OAuthError> {
    let http = account.http()?;
    // A damaged or unreadable file is replaced by the login.
    let before = account.login().ok().flatten();
    let challenge = challenge(account).await?;
    let found =
        discovery::discover(http, &account.url, challenge.as_ref(), &account.settings).await?;
    let same = before.as_ref().filter(|login| login.issuer == found.issuer.name);
    // An id given by hand belongs to the authorization server where it was registered.
    if let Some(before) = &before
        && same.is_none()
        && account.settings.issuer.is_none()
        && before.client.origin == Origin::ByHand
        && account.settings.client_id.as_ref() == Some(&before.client.id)
    {
        return Err(OAuthError::Unsafe(format!(
            "the server now names the authorization server {}; its client id was used at {}. If that is right, \
             give it as oauth.issuer in the server's entry",
            clean(&found.issuer.name),
            clean(&before.issuer)
        )));
    }
    let asked = challenge.as_ref().and_then(|challenge| challenge.scope.as_deref()).map(scopes);
    let usual = match (&account.settings.scopes[..], asked) {
        ([], Some(asked)) => asked,
        ([], None) => found.scopes.clone(),
        (own, _) => own.to_vec(),
    };
    let mut wanted = match same {
        Some(login) => union(&union(&login.scopes, &usual), &login.wanted),
        None => usual,
    };
    wanted = union(&wanted, more);
    if found.issuer.offers_offline {
        wanted = union(&wanted, &["offline_access".to_owned()]);
    }
    let known = same.map(|login| &login.client);
    let client = register::client(http, &found.issuer, &account.settings, known, redirect).await?;
    let (state, verifier) = (random()?, random()?);
    let mut url = found.issuer.authorize.clone();
    {
        let hash = URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()));
        let mut query = url.query_pairs_mut();
        query
            .append_pair("response_type", "code")
            .append_pair("client_id", &client.id)
            .append_pair("redirect_uri", &client.redirect)
            .append_pair("state", &state)
            .append_pair("code_challenge", &hash)
            .append_pair("code_challenge_method", "S256")
            .append_pair("resource", &found.resource);
        if !wanted.is_empty() {
            query.append_pair("scope", &wanted.join(" "));
        }
        // OpenID Connect gives refresh tokens only where the person is asked.
        if wanted.iter().any(|scope| scope == "offline_access") {
            query.append_pair("prompt", "consent");
        }
    }
    Ok(Pending {
        url: url.to_string(),
        issuer: found.issuer.name.clone(),
        scopes: wanted,
        found,
        client,
        state,
        verifier,
    })
}

/// What the server says to who sends no token.
async fn challenge(account: &Account) -> Result<Option<Challenge>, OAuthError> {
    let body = weir_mcp::wire::request("1", weir_mcp::methods::Method::Ping.name(), None);
    let address = account
        .url
        .as_str()
        .parse()
        .map_err(|_| OAuthError::Unsupported("the server's address cannot be asked".into()))?;
    let mut request = net::request(Method::POST, address, body);
    let headers = request.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json, text/event-stream"));
    let asked = tokio::time::timeout(net::CONNECT, account.http()?.request(request)).await;
    let response = match asked {
        Ok(Ok(response)) => response,
        Ok(Err(error)) => {
            let why = net::causes(&error);
            return Err(OAuthError::Unreachable(format!("the server cannot be reached: {why}")));
        }
        Err(_) => return Err(OAuthError::Unreachable("the server gives no answer".into())),
    };
    // A server that lets everybody in may still want more for some calls.
    Ok(Challenge::of(response.headers()).filter(|_| response.status() == StatusCode::UNAUTHORIZED))
}

impl Pending {
    /// The code in what came back: a whole address, its query, or the code alone.
    ///
    /// # Errors
    /// [`OAuthError::Unsafe`] when it does not belong to this login; [`OAuthError::Refused`] when it says
    /// that the login was refused.
    pub fn code(&self, text: &str) -> Result<String, OAuthError> {
        let text = text.trim();
        let query = match text.split_once('?') {
            Some((_, query)) => query.split('#').next().unwrap_or(""),
            None if text.contains('=') && text.contains('&') => text,
            None => {
                // By hand only. Who answers cannot be seen; what protects is the verifier.
                if self.found.issuer.names_itself {
                    return Err(OAuthError::Unsafe(
                        "paste the whole address that the browser ended at: the code alone does not say who gave it"
                            .into(),
                    ));
                }
                return match text.is_empty() || text.contains(char::is_whitespace) {
                    true => Err(OAuthError::Unsafe("that is neither an address nor a code".into())),
                    false => Ok(text.to_owned()),
                };
            }
        };
        let value = |name: &str| field(query.as_bytes(), name);
        if value("state").as_deref() != Some(&self.state) {
            return Err(OAuthError::Unsafe("the answer does not belong to this login".into()));
        }
        let issuer = value("iss");
        let given = query.split('&').any(|pair| pair == "iss" || pair.starts_with("iss="));
        match issuer {
            Some(issuer) if issuer == self.found.issuer.name => {}
            None if !given && !self.found.issuer.names_itself => {}
            _ => {
                // What it says must not be shown: it is somebody else's.
                return Err(OAuthError::Unsafe(format!(
                    "the answer does not come from {}, where the login began",
                    clean(&self.found.issuer.name)
                )));
            }
        }
        if let Some(error) = value("error") {
            let more = value("error_description").map(|text| format!(" ({})", clean(&text)));
            return Err(OAuthError::Refused(format!(
                "{}{}",
                clean(&error),
                more.unwrap_or_default()
            )));
        }
        value("code")
            .filter(|code| !code.is_empty())
            .ok_or_else(|| OAuthError::Unsafe("the answer holds no code".into()))
    }

    /// Trades the code for tokens and keeps them.
    ///
    /// # Errors
    /// When the authorization server gives none, or they cannot be kept.
    pub async fn finish(&self, account: &Account, code: &str) -> Result<Login, OAuthError> {
        let Pending { found, client, verifier, scopes: asked, .. } = self;
        let form = vec![
            ("grant_type", "authorization_code"),
            ("code", code),
            ("redirect_uri", client.redirect.as_str()),
            ("code_verifier", verifier.as_str()),
            ("resource", found.resource.as_str()),
        ];
        let given =
            tokens::trade(account.http()?, &found.issuer.token, client, &account.settings, form)
                .await?;
        let _lock = account.keep.lock().await?;
        let login = Login {
            server: account.server.clone(),
            url: account.keep.url().to_owned(),
            resource: found.resource.clone(),
            issuer: found.issuer.name.clone(),
            token_endpoint: found.issuer.token.to_string(),
            revocation_endpoint: found.issuer.revoke.as_ref().map(Url::to_string),
            client: client.clone(),
            scopes: given.scopes.unwrap_or_else(|| asked.clone()),
            wanted: Vec::new(),
            access: Some(given.access),
            refresh: given.refresh,
            expires_at: given.expires_at,
            renew_at: given.renew_at,
        };
        account.keep.store(&login)?;
        account.keep.exchange().await;
        Ok(login)
    }
}

/// Takes the tokens back, where the authorization server does that, and forgets them. Gives whether
/// there were any.
///
/// # Errors
/// When what is kept cannot be removed.
pub async fn end(account: &Account) -> Result<bool, OAuthError> {
    account.keep.exchange().await;
    let _lock = account.keep.lock().await?;
    if let Ok(Some(login)) = account.login()
        && let Some(endpoint) = &login.revocation_endpoint
        && let (Ok(endpoint), Ok(http)) =
            (address(endpoint, "revocation endpoint", &account.url), account.http())
    {
        let tokens = [(&login.refresh, "refresh_token"), (&login.access, "access_token")];
        for (token, kind) in tokens {
            if let Some(token) = token {
                tokens::revoke(http, &endpoint, &login.client, &account.settings, token, kind)
                    .await;
            }
        }
    }
    let was = account.keep.remove()?;
    account.keep.exchange().await;
    Ok(was)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::discovery::Issuer;
    use crate::register::Auth;

    fn pending(names_itself: bool) -> Pending {
        let url = |text: &str| Url::parse(text).unwrap();
        let issuer = Issuer {
            name: "https://auth.example".into(),
            authorize: url("https://auth.example/authorize"),
            token: url("https://auth.example/token"),
            register: None,
            revoke: None,
            names_itself,
            reads_documents: false,
            offers_offline: false,
            client_auth: Vec::new(),
        };
        Pending {
            url: String::new(),
            issuer: issuer.name.clone(),
            scopes: Vec::new(),
            found: Found { resource: "https://a.example".into(), scopes: Vec::new(), issuer },
            client: Client {
                id: "id".into(),
                secret: None,
                auth: Auth::None,
                origin: Origin::ByHand,
                redirect: "http://127.0.0.1:1/callback".into(),
            },
            state: "STATE".into(),
            verifier: "VERIFIER".into(),
        }
    }

    #[test]
    fn a_code_is_taken_only_from_where_the_login_began() {
        let iss = "iss=https%3A%2F%2Fauth.example";
        for (names_itself, query, taken) in [
            (true, format!("state=STATE&code=C&{iss}"), true),
            (true, "state=STATE&code=C".into(), false),
            (false, "state=STATE&code=C".into(), true),
            (false, format!("state=STATE&code=C&{iss}"), true),
            (false, "state=STATE&code=C&iss=https%3A%2F%2Fevil.example".into(), false),
            (false, format!("state=STATE&code=C&{iss}%2F"), false),
            (false, format!("state=STATE&code=C&{iss}&{iss}"), false),
            (false, "state=STATE&code=C&iss".into(), false),
            (false, "state=OTHER&code=C".into(), false),
            (false, "code=C&x=1".into(), false),
            (false, "state=STATE&state=STATE&code=C".into(), false),
            (false, "state=STATE&code=C&code=D".into(), false),
        ] {
            for text in [query.clone(), format!("http://127.0.0.1:1/callback?{query}#x")] {
                let code = pending(names_itself).code(&text);
                assert_eq!(code.is_ok_and(|code| code == "C"), taken, "{names_itself} {text}");
            }
        }
    }

    #[test]
    fn a_refusal_is_shown_only_from_where_the_login_began() {
        let text = "state=STATE&error=access_denied&error_description=canary";
        let error = pending(false).code(text).unwrap_err();
        assert_eq!(error, OAuthError::Refused("access_denied (canary)".into()));
        for text in
            [format!("{text}&iss=https%3A%2F%2Fevil.example"), text.replace("STATE", "OTHER")]
        {
            let error = pending(false).code(&text).unwrap_err().to_string();
            assert!(!error.contains("canary") && !error.contains("evil"), "{error}");
        }
    }

    #[test]
    fn a_code_alone_is_enough_where_nobody_has_to_name_himself() {
        assert_eq!(pending(false).code(" abc \n").as_deref(), Ok("abc"));
        assert!(pending(true).code("abc").is_err());
        assert!(pending(false).code("two words").is_err() && pending(false).code("").is_err());
    }

    #[test]
    fn a_browser_comes_back_to_this_machine_only() {
        let of = |redirect: &str| {
            let redirect = Some(redirect.to_owned());
            redirect_of(&OAuthSettings { redirect, ..Default::default() })
        };
        assert_eq!(of("http://localhost:8976/cb").unwrap().at(8976), "http://localhost:8976/cb");
        for bad in
            ["https://a.example/cb", "http://a.example/cb", "http://127.0.0.1.a.example/", "cb"]
        {
            assert!(of(bad).is_err(), "{bad}");
        }
    }
}
