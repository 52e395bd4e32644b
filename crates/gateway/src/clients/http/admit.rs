//! Who may come in: host, origin and token of a request.

use std::sync::Arc;

use axum::extract::{Request as HttpRequest, State};
use axum::http::{HeaderValue, Method, StatusCode, Version, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use base64::prelude::{BASE64_STANDARD, Engine as _};

use weir_oauth::Unproven;

use super::Endpoint;
use crate::clients::identity::Refused;
use crate::servers::spec::{is_this_machine, without_port};

/// Checks host, origin and token, in this order: the first two before anything is told. The request
/// is given the profile of its token.
pub(super) async fn admit(
    State(endpoint): State<Arc<Endpoint>>,
    mut request: HttpRequest,
    next: Next,
) -> Response {
    let bad = |why: &'static str| (StatusCode::BAD_REQUEST, why).into_response();
    let forbidden = |why: &'static str| (StatusCode::FORBIDDEN, why).into_response();
    let headers = request.headers();
    let options = &endpoint.options;
    // Of two, whoever stands before us may have looked at the other one.
    if [header::HOST, header::ORIGIN, header::AUTHORIZATION]
        .iter()
        .any(|name| headers.get_all(name).iter().nth(1).is_some())
    {
        return bad("Host, Origin and Authorization may be given once\n");
    }
    let host = headers.get(header::HOST);
    if host.is_none() && request.version() > Version::HTTP_10 {
        return bad("a Host is required\n");
    }
    // A request line with a whole address names a host as well: both have to be ours.
    let named = [host.map(HeaderValue::as_bytes), request.uri().host().map(str::as_bytes)];
    // Reachable by others means reachable by many names; there the token decides.
    if options.address.ip().is_loopback()
        && !named.into_iter().flatten().all(|host| is_ours(host, &options.hosts))
    {
        return forbidden("this host name is not one of this endpoint's\n");
    }
    if let Some(origin) = headers.get(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or("");
        let named = options.origins.iter().any(|known| known.eq_ignore_ascii_case(origin));
        let local = origin.split_once("://").is_some_and(|(scheme, host)| {
            matches!(scheme, "http" | "https")
                && is_this_machine(host)
                && options.address.ip().is_loopback()
        });
        if !named && !local {
            return forbidden("pages of this origin may not call this endpoint\n");
        }
    }
    let origin = headers.get(header::ORIGIN).cloned();
    // A browser asks before it sends a token.
    if let Some(origin) = &origin
        && request.method() == Method::OPTIONS
    {
        return preflight(origin, headers.get(header::ACCESS_CONTROL_REQUEST_HEADERS));
    }
    let given = headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    // A browser asks its user, and sends what is typed for a password.
    let is_page = request.uri().path() == super::PAGE;
    let given = given.and_then(|value| value.split_once(' ')).and_then(|(scheme, given)| {
        match scheme.to_ascii_lowercase().as_str() {
            "bearer" => Some(given.trim().to_owned()),
            "basic" if is_page => password(given.trim()),
            _ => None,
        }
    });
    match options.tokens.admit(given.as_deref()).await {
        Ok(profile) => drop(request.extensions_mut().insert(profile)),
        Err(why) => {
            endpoint.gateway.operations.measured.refused(&why.to_string());
            let mut response = unauthorized(why, options.metadata().as_deref());
            if is_page && response.status() == StatusCode::UNAUTHORIZED {
                let ask = HeaderValue::from_static("Basic realm=\"a token as password\"");
                response.headers_mut().insert(header::WWW_AUTHENTICATE, ask);
            }
            if let Some(origin) = origin {
                allow_origin(&mut response, origin);
            }
            return response;
        }
    }
    let mut response = next.run(request).await;
    if let Some(origin) = origin {
        allow_origin(&mut response, origin);
    }
    response
}

/// The answer to a browser that asks what a page of this origin may send.
fn preflight(origin: &HeaderValue, asked: Option<&HeaderValue>) -> Response {
    let mut response = StatusCode::NO_CONTENT.into_response();
    allow_origin(&mut response, origin.clone());
    let allowed = allowed_headers(asked);
    let headers = response.headers_mut();
    for (name, value) in [
        (header::ACCESS_CONTROL_ALLOW_METHODS, HeaderValue::from_static("GET, POST, DELETE")),
        (header::ACCESS_CONTROL_ALLOW_HEADERS, allowed),
        (header::ACCESS_CONTROL_MAX_AGE, HeaderValue::from_static("600")),
    ] {
        headers.insert(name, value);
    }
    response
}

/// The headers that a page may send: those of the protocol, the ones that repeat arguments included,
/// whose names tools choose.
fn allowed_headers(asked: Option<&HeaderValue>) -> HeaderValue {
    let mut allowed = "Authorization, Content-Type, Accept, Mcp-Session-Id, MCP-Protocol-Version, \
                       Mcp-Method, Mcp-Name"
        .to_owned();
    let asked = asked.and_then(|asked| asked.to_str().ok()).unwrap_or_default();
    for name in asked.split(',').map(str::trim) {
        if name.get(..10).is_some_and(|start| start.eq_ignore_ascii_case("mcp-param-")) {
            allowed.push_str(", ");
            allowed.push_str(name);
        }
    }
    HeaderValue::from_str(&allowed)
        .unwrap_or(HeaderValue::from_static("Authorization, Content-Type"))
}

/// Lets a page of this origin, which was checked, read the response.
fn allow_origin(response: &mut Response, origin: HeaderValue) {
    let headers = response.headers_mut();
    headers.insert(header::ACCESS_CONTROL_ALLOW_ORIGIN, origin);
    headers.insert(header::VARY, HeaderValue::from_static("Origin"));
    headers.insert(
        header::ACCESS_CONTROL_EXPOSE_HEADERS,
        HeaderValue::from_static("Mcp-Session-Id, WWW-Authenticate"),
    );
}

/// Whether a host is one by which this endpoint may be called.
fn is_ours(host: &[u8], hosts: &[String]) -> bool {
    let Ok(host) = std::str::from_utf8(host) else { return false };
    let named = |known: &String| {
        known.eq_ignore_ascii_case(host) || known.eq_ignore_ascii_case(without_port(host))
    };
    hosts.iter().any(named) || is_this_machine(host)
}

/// The password of Basic credentials.
fn password(credentials: &str) -> Option<String> {
    let text = String::from_utf8(BASE64_STANDARD.decode(credentials).ok()?).ok()?;
    Some(text.split_once(':')?.1.to_owned())
}

/// The answer to somebody who is not let in, with where clients find out how to get a token.
fn unauthorized(why: Refused, metadata: Option<&str>) -> Response {
    let (status, error, text) = match why {
        Refused::NoToken => (StatusCode::UNAUTHORIZED, "", "a bearer token is required\n"),
        Refused::Unproven(Unproven::Unreachable) => {
            let later = [(header::RETRY_AFTER, "10")];
            let text = "the issuer's keys cannot be had now\n";
            return (StatusCode::SERVICE_UNAVAILABLE, later, text).into_response();
        }
        Refused::NoProfile => {
            let text = "the token is good, and its holder is in no group that may come in\n";
            (StatusCode::FORBIDDEN, "insufficient_scope", text)
        }
        Refused::Unknown | Refused::Expired | Refused::Unproven(_) => {
            let text = "the bearer token is not accepted, or no longer\n";
            (StatusCode::UNAUTHORIZED, "invalid_token", text)
        }
    };
    let mut parts = Vec::new();
    if !error.is_empty() {
        parts.push(format!("error=\"{error}\""));
    }
    parts.extend(metadata.map(|url| format!("resource_metadata=\"{url}\"")));
    let challenge = format!("Bearer {}", parts.join(", "));
    (status, [(header::WWW_AUTHENTICATE, challenge.trim_end())], text).into_response()
}
