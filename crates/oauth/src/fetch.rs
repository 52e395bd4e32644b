//! Small documents from servers that are not believed: bounded in bytes, time and redirects.

use std::time::Duration;

use axum::body::Bytes;
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use http_body_util::{BodyExt as _, Full, LengthLimitError, Limited};
use serde_json::Value;
use url::Url;

use weir_mcp::net::{self, HttpClient, causes};

use super::error::OAuthError;
use super::outside::{clean, may_ask};

/// Bytes of a document.
const MAX_BYTES: usize = 256 * 1024;

/// How long a document may take altogether.
const PATIENCE: Duration = Duration::from_secs(15);

/// Redirects that are followed, all at the same origin.
const MAX_REDIRECTS: usize = 3;

/// A response, read whole.
#[derive(Debug)]
pub(super) struct Document {
    pub(super) status: StatusCode,
    pub(super) headers: HeaderMap,
    pub(super) json: Option<Value>,
}

fn unreachable(url: &Url, why: &str) -> OAuthError {
    OAuthError::Unreachable(format!("{} {why}", clean(url.as_str())))
}

async fn once(
    client: &HttpClient,
    url: &Url,
    request: Request<Full<Bytes>>,
) -> Result<Document, OAuthError> {
    let answer =
        async {
            let response = client.request(request).await.map_err(|error| {
                unreachable(url, &format!("cannot be reached: {}", causes(&error)))
            })?;
            let (parts, body) = response.into_parts();
            let body = Limited::new(body, MAX_BYTES).collect().await.map_err(|error| {
                match error.is::<LengthLimitError>() {
                    true => OAuthError::Unsafe(format!(
                        "{} answered with more than {MAX_BYTES} bytes",
                        clean(url.as_str())
                    )),
                    false => unreachable(url, &format!("broke off: {}", causes(error.as_ref()))),
                }
            })?;
            Ok(Document {
                status: parts.status,
                headers: parts.headers,
                json: serde_json::from_slice(&body.to_bytes()).ok().filter(Value::is_object),
            })
        };
    tokio::time::timeout(PATIENCE, answer)
        .await
        .map_err(|_| unreachable(url, &format!("gave no answer within {} s", PATIENCE.as_secs())))?
}

fn request(method: Method, url: &Url, body: Bytes) -> Result<Request<Full<Bytes>>, OAuthError> {
    let mut target = url.clone();
    target.set_fragment(None);
    let target = target
        .as_str()
        .parse::<Uri>()
        .map_err(|_| OAuthError::Unsafe(format!("{} is not an address", clean(url.as_str()))))?;
    let mut request = net::request(method, target, body);
    let headers = request.headers_mut();
    headers.insert(header::ACCEPT, HeaderValue::from_static("application/json"));
    headers.insert(
        header::USER_AGENT,
        HeaderValue::from_static(concat!("weir/", env!("CARGO_PKG_VERSION"))),
    );
    Ok(request)
}

/// Gets a document; redirects are followed within its origin only.
pub(super) async fn get(
    client: &HttpClient,
    url: &Url,
    server: &Url,
) -> Result<Document, OAuthError> {
    let mut url = url.clone();
    for _ in 0..=MAX_REDIRECTS {
        let found = once(client, &url, request(Method::GET, &url, Bytes::new())?).await?;
        if !found.status.is_redirection() {
            return Ok(found);
        }
        let location = found.headers.get(header::LOCATION).and_then(|to| to.to_str().ok());
        let next = location.and_then(|to| url.join(to).ok());
        let next = next.ok_or_else(|| unreachable(&url, "redirects to nowhere"))?;
        if next.origin() != url.origin() || !may_ask(&next, server) {
            return Err(OAuthError::Unsafe(format!(
                "{} redirects to another origin, {}",
                clean(url.as_str()),
                clean(&next.origin().ascii_serialization())
            )));
        }
        url = next;
    }
    Err(unreachable(&url, "redirects without end"))
}

/// Posts a text of this type; a redirect is an answer like any other.
pub(super) async fn post(
    client: &HttpClient,
    url: &Url,
    (kind, body): (&'static str, String),
    authorization: Option<HeaderValue>,
) -> Result<Document, OAuthError> {
    let mut request = request(Method::POST, url, Bytes::from(body))?;
    let headers = request.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.extend(authorization.map(|authorization| (header::AUTHORIZATION, authorization)));
    once(client, url, request).await
}

/// What OAuth's errors say, for people.
pub(super) fn error_text(document: &Document) -> String {
    let text = |key: &str| document.json.as_ref()?.get(key)?.as_str().map(clean);
    match (text("error"), text("error_description")) {
        (Some(error), Some(description)) => format!("{error} ({description})"),
        (Some(error), None) => error,
        (None, _) => format!("HTTP {}", document.status),
    }
}
