//! How we are known to an authorization server: by a client id given by hand, by the address of a
//! document about us, or, where nothing else is there, by registering.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use weir_mcp::net::HttpClient;

use super::discovery::Issuer;
use super::error::OAuthError;
use super::fetch;
use super::settings::OAuthSettings;
use weir_mcp::redact::Secret;

/// Who we are to one authorization server.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Client {
    pub(super) id: String,
    /// Given by the authorization server. One that was given by hand stays in the configuration.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) secret: Option<Secret>,
    pub(super) auth: Auth,
    pub(super) origin: Origin,
    /// The redirect address that it is known with.
    pub(super) redirect: String,
}

/// Where a client id is from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Origin {
    ByHand,
    Document,
    Registered,
}

/// How a client shows who it is at the token endpoint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Auth {
    None,
    Basic,
    Post,
}

impl Auth {
    fn of(method: &str) -> Option<Auth> {
        match method {
            "none" => Some(Auth::None),
            "client_secret_basic" => Some(Auth::Basic),
            "client_secret_post" => Some(Auth::Post),
            _ => None,
        }
    }

    /// The way to use where the client has a secret.
    fn with_secret(issuer: &Issuer) -> Auth {
        let ways = || issuer.client_auth.iter().filter_map(|method| Auth::of(method));
        // Basic is what holds where nothing is said.
        ways().find(|way| *way != Auth::None).unwrap_or(Auth::Basic)
    }
}

/// What we say of ourselves.
fn about(redirect: &str) -> Value {
    let is_web = redirect.starts_with("https://");
    json!({
        "client_name": "Weir",
        "redirect_uris": [redirect],
        "grant_types": ["authorization_code", "refresh_token"],
        "response_types": ["code"],
        "token_endpoint_auth_method": "none",
        "application_type": if is_web { "web" } else { "native" },
    })
}

/// A client id metadata document to be served at this address, for those who host one.
pub fn client_document(address: &str, redirects: &[String]) -> Value {
    let mut document = about("");
    document["client_id"] = json!(address);
    document["redirect_uris"] = json!(redirects);
    document
}

/// Who we are to this authorization server; the best way that there is. `known` is from before.
pub(super) async fn client(
    http: &HttpClient,
    issuer: &Issuer,
    settings: &OAuthSettings,
    known: Option<&Client>,
    redirect: &str,
) -> Result<Client, OAuthError> {
    let redirect = redirect.to_owned();
    if let Some(id) = &settings.client_id {
        let auth = match settings.client_secret {
            Some(_) => Auth::with_secret(issuer),
            None => Auth::None,
        };
        return Ok(Client { id: id.clone(), secret: None, auth, origin: Origin::ByHand, redirect });
    }
    if let Some(document) = settings.client_metadata.as_ref().filter(|_| issuer.reads_documents) {
        let id = document.clone();
        return Ok(Client {
            id,
            secret: None,
            auth: Auth::None,
            origin: Origin::Document,
            redirect,
        });
    }
    if let Some(known) = known
        && known.origin == Origin::Registered
        && known.redirect == redirect
    {
        return Ok(known.clone());
    }
    let Some(endpoint) = &issuer.register else {
        let ours = match redirect.starts_with("https://") {
            true => &redirect,
            false => "http://127.0.0.1/callback",
        };
        return Err(OAuthError::Unsupported(format!(
            "the authorization server {} registers no clients; register one there by hand, with the redirect address \
             {ours}, and give its id as oauth.clientId in the server's entry",
            super::outside::clean(&issuer.name)
        )));
    };
    // Without scopes: what is asked for later would be refused to who registered for less.
    let about = ("application/json", about(&redirect).to_string());
    let answer = fetch::post(http, endpoint, about, None).await?;
    let refused = |text: String| OAuthError::Refused(format!("it does not register us: {text}"));
    if !answer.status.is_success() {
        return Err(refused(fetch::error_text(&answer)));
    }
    let text = |key: &str| {
        answer.json.as_ref().and_then(|json| json[key].as_str()).filter(|text| !text.is_empty())
    };
    let id = text("client_id").ok_or_else(|| refused("it gave no client_id".to_owned()))?;
    let secret = text("client_secret").map(|secret| Secret(secret.to_owned()));
    let auth = match (text("token_endpoint_auth_method"), &secret) {
        (_, None) => Auth::None,
        (None, Some(_)) => Auth::Basic,
        (Some(method), Some(_)) => Auth::of(method).ok_or_else(|| {
            refused(format!("it wants the authentication method {}", super::outside::clean(method)))
        })?,
    };
    Ok(Client { id: id.to_owned(), secret, auth, origin: Origin::Registered, redirect })
}
