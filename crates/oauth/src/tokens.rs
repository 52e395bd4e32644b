//! The token endpoint: codes and refresh tokens become tokens.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use url::Url;

use weir_base::unix_now;
use weir_mcp::net::{self, HttpClient};

use super::error::OAuthError;
use super::fetch::{self, Document};
use super::outside::{clean, scopes};
use super::register::{Auth, Client, Origin};
use super::settings::OAuthSettings;
use weir_mcp::redact::Secret;

/// Seconds before the end of a token that lasts long in which it is renewed.
const EARLY: u64 = 30;

/// Characters of a token.
const MAX_TOKEN: usize = 16 * 1024;

/// What a token endpoint gave.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Tokens {
    pub(super) access: Secret,
    pub(super) refresh: Option<Secret>,
    /// In seconds since 1970.
    pub(super) expires_at: Option<u64>,
    /// When to ask for the next: so much earlier that a request on its way is still in time.
    pub(super) renew_at: Option<u64>,
    /// `None` when it is what was asked for.
    pub(super) scopes: Option<Vec<String>>,
}

/// Why a token endpoint gave nothing.
#[derive(Debug)]
pub(super) enum NoTokens {
    /// What was given for them is worth nothing any more.
    Worthless(String),
    /// Anything else.
    Failed(OAuthError),
}

impl From<NoTokens> for OAuthError {
    fn from(why: NoTokens) -> OAuthError {
        match why {
            NoTokens::Worthless(text) => OAuthError::Refused(text),
            NoTokens::Failed(error) => error,
        }
    }
}

/// The secret of the client: its own, or the one of the configuration.
fn secret<'a>(client: &'a Client, settings: &'a OAuthSettings) -> Option<&'a Secret> {
    match client.origin {
        Origin::ByHand => settings.client_secret.as_ref(),
        Origin::Document | Origin::Registered => client.secret.as_ref(),
    }
}

/// Posts a form in the client's name.
pub(super) async fn post(
    http: &HttpClient,
    endpoint: &Url,
    client: &Client,
    settings: &OAuthSettings,
    mut form: Vec<(&str, &str)>,
) -> Result<Document, OAuthError> {
    let mut authorization = None;
    match (client.auth, secret(client, settings)) {
        (Auth::Basic, Some(secret)) => {
            let encode = |text: &str| {
                url::form_urlencoded::byte_serialize(text.as_bytes()).collect::<String>()
            };
            let pair = format!("{}:{}", encode(&client.id), encode(&secret.0));
            authorization = net::secret(&format!("Basic {}", STANDARD.encode(pair)));
        }
        (Auth::Post, Some(secret)) => {
            form.push(("client_id", &client.id));
            form.push(("client_secret", &secret.0));
        }
        _ => form.push(("client_id", &client.id)),
    }
    let form = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(form).finish();
    fetch::post(http, endpoint, ("application/x-www-form-urlencoded", form), authorization).await
}

/// Trades something for tokens.
pub(super) async fn trade(
    http: &HttpClient,
    endpoint: &Url,
    client: &Client,
    settings: &OAuthSettings,
    form: Vec<(&str, &str)>,
) -> Result<Tokens, NoTokens> {
    let answer = post(http, endpoint, client, settings, form).await.map_err(NoTokens::Failed)?;
    if answer.status.is_success() {
        return read(&answer.json.unwrap_or_default(), unix_now())
            .map_err(|why| NoTokens::Failed(OAuthError::Unsafe(why)));
    }
    let text = fetch::error_text(&answer);
    let error = answer.json.as_ref().and_then(|json| json["error"].as_str()).unwrap_or("");
    match error {
        "invalid_grant" | "invalid_client" | "unauthorized_client" | "invalid_target" => {
            Err(NoTokens::Worthless(text))
        }
        _ if answer.status.is_server_error() || answer.status.as_u16() == 429 => {
            Err(NoTokens::Failed(OAuthError::Unreachable(format!(
                "{} answered with {text}",
                clean(endpoint.as_str())
            ))))
        }
        _ => Err(NoTokens::Failed(OAuthError::Refused(text))),
    }
}

/// Takes a token back; what comes of it does not matter.
pub(super) async fn revoke(
    http: &HttpClient,
    endpoint: &Url,
    client: &Client,
    settings: &OAuthSettings,
    token: &Secret,
    kind: &str,
) {
    let form = vec![("token", token.0.as_str()), ("token_type_hint", kind)];
    let _ = post(http, endpoint, client, settings, form).await;
}

fn read(answer: &Value, now: u64) -> Result<Tokens, String> {
    let token = |key: &str| -> Result<Option<Secret>, String> {
        let Some(text) = answer[key].as_str().filter(|text| !text.is_empty()) else {
            return Ok(None);
        };
        // It goes into a header: what could end a line or begin another value is no token.
        match text.len() <= MAX_TOKEN && text.bytes().all(|b| (0x21..0x7f).contains(&b)) {
            true => Ok(Some(Secret(text.to_owned()))),
            false => Err(format!("the authorization server gave a {key} that cannot be one")),
        }
    };
    let access = token("access_token")?.ok_or("the authorization server gave no access_token")?;
    let kind = answer["token_type"].as_str().unwrap_or("");
    if !kind.eq_ignore_ascii_case("bearer") {
        return Err(format!(
            "the authorization server gave a token of type {:?}, not a bearer token",
            clean(kind)
        ));
    }
    let lasts = match &answer["expires_in"] {
        Value::String(text) => text.parse::<f64>().ok(),
        number => number.as_f64(),
    };
    // A time beyond reason is no time at all.
    let lasts = lasts.filter(|seconds| (0.0..=1e9).contains(seconds)).map(|seconds| seconds as u64);
    Ok(Tokens {
        access,
        refresh: token("refresh_token")?,
        expires_at: lasts.map(|seconds| now + seconds),
        renew_at: lasts.map(|seconds| now + seconds - EARLY.min(seconds / 4)),
        scopes: answer["scope"].as_str().map(scopes),
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_bearer_token_that_fits_into_a_header_is_taken() {
        let good = json!({"access_token": "abc", "token_type": "bearer", "expires_in": 60, "scope": "a b"});
        let tokens = read(&good, 1_000).unwrap();
        assert_eq!((tokens.expires_at, tokens.renew_at), (Some(1_060), Some(1_045)));
        assert_eq!(tokens.scopes.unwrap().len(), 2);
        let text = json!({"access_token": "abc", "token_type": "Bearer", "expires_in": "60"});
        assert_eq!(read(&text, 0).unwrap().expires_at, Some(60));
        let endless = json!({"access_token": "abc", "token_type": "Bearer", "expires_in": 1e300});
        assert_eq!(read(&endless, 0).unwrap().expires_at, None);
        for bad in [
            json!({"access_token": "abc", "token_type": "mac"}),
            json!({"access_token": "abc", "token_type": "DPoP"}),
            json!({"access_token": "abc"}),
            json!({"token_type": "Bearer"}),
            json!({"access_token": 7, "token_type": "Bearer"}),
            json!({"access_token": "a\r\nX-Evil: 1", "token_type": "Bearer"}),
            json!({"access_token": "a b", "token_type": "Bearer"}),
            json!({"access_token": "a".repeat(MAX_TOKEN + 1), "token_type": "Bearer"}),
            json!({"access_token": "abc", "refresh_token": "\u{e9}", "token_type": "Bearer"}),
            Value::Null,
        ] {
            let error = read(&bad, 0).unwrap_err();
            assert!(!error.contains("abc"), "{error}");
        }
    }
}
