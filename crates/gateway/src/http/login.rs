//! Pages on which people log in at servers, each with an account of their own.
//!
//! Whoever opens such an address shows with a token that the login is theirs: an address that somebody was sent gives
//! the sender no account. The browser that comes back has to be the one that began.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use weir_oauth::{Bearer, Wish, field};

use crate::Gateway;
use crate::profile::Profile;
use crate::spec::Identity;

use super::Endpoint;

/// Bytes of a form: a token, and what is around it.
const MAX_FORM: usize = 32 * 1024;

/// The cookie of a login that was begun.
const COOKIE: &str = "weir_login";

const GONE: &str = "There is no such login, or no longer. Call the tool again for a new address.";

impl Gateway {
    /// The account that a login is for.
    fn account_of(&self, wish: &Wish) -> Option<Arc<Bearer>> {
        let upstreams = self.upstreams();
        let of_people = |spec: &&crate::spec::ServerSpec| {
            spec.key == wish.server && spec.identity == Identity::Person
        };
        let spec = upstreams.iter().map(|upstream| &upstream.spec).find(of_people)?;
        let people = self.around.people.as_ref()?;
        // What headers need has no part in this.
        let mut spec = spec.clone();
        if let crate::spec::Reach::Http { headers, .. } = &mut spec.reach {
            headers.retain(|_, value| !value.contains("${person"));
        }
        let profile = Profile { name: wish.person.clone(), ..Profile::default() };
        spec.of_person(&self.around.logins, &profile, people).ok()?.1
    }
}

/// Asks who is there.
pub(super) async fn visit(
    State(endpoint): State<Arc<Endpoint>>,
    Path(pass): Path<String>,
) -> Response {
    let people = endpoint.gateway.around.people.as_ref();
    let Some(wish) = people.and_then(|people| people.entrance.wish(&pass)) else {
        return page(StatusCode::NOT_FOUND, GONE);
    };
    let (server, person) = (escaped(&wish.server), escaped(&wish.person));
    let form = format!(
        "This connects an account at <b>{server}</b> to <b>{person}</b> of this gateway. Go on only if that is you.\
         <form method=\"post\"><p><label>Your token of this gateway <input type=\"password\" name=\"token\" \
         autocomplete=\"off\" required></label> <button>Go on</button></p></form>"
    );
    page(StatusCode::OK, &form)
}

/// Begins the login of somebody who shows to be the one whom it is for.
pub(super) async fn begin(
    State(endpoint): State<Arc<Endpoint>>,
    Path(pass): Path<String>,
    body: Body,
) -> Response {
    let Some(people) = endpoint.gateway.around.people.as_ref() else {
        return page(StatusCode::NOT_FOUND, GONE);
    };
    let Some(wish) = people.entrance.wish(&pass) else { return page(StatusCode::NOT_FOUND, GONE) };
    let form = to_bytes(body, MAX_FORM).await.unwrap_or_default();
    let admitted = endpoint.options.tokens.admit(field(&form, "token").as_deref()).await;
    if !admitted.is_ok_and(|profile| profile.name == wish.person) {
        endpoint.gateway.measured.refused("login");
        return page(
            StatusCode::FORBIDDEN,
            "This is not the token of the person whom the login is for.",
        );
    }
    let Some(account) = endpoint.gateway.account_of(&wish) else {
        return page(StatusCode::NOT_FOUND, GONE);
    };
    let server = wish.server.clone();
    match people.entrance.begin(&account, wish).await {
        Ok((address, begun)) => {
            let mut response = page(StatusCode::SEE_OTHER, "Go on at the authorization server.");
            let headers = response.headers_mut();
            let secure = endpoint.options.url.as_ref().is_some_and(|url| url.starts_with("https:"));
            let secure = if secure { "; Secure" } else { "" };
            let cookie = format!(
                "{COOKIE}={begun}; Path=/login; Max-Age=600; HttpOnly; SameSite=Lax{secure}"
            );
            for (name, value) in [(header::LOCATION, address), (header::SET_COOKIE, cookie)] {
                match HeaderValue::from_str(&value) {
                    Ok(value) => drop(headers.insert(name, value)),
                    Err(_) => return page(StatusCode::BAD_GATEWAY, "The login has no address."),
                }
            }
            response
        }
        Err(error) => {
            tracing::warn!(server, "its login cannot begin: {error}");
            page(
                StatusCode::BAD_GATEWAY,
                "The login cannot begin. The log of the gateway says why.",
            )
        }
    }
}

/// The browser comes back.
pub(super) async fn back(
    State(endpoint): State<Arc<Endpoint>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = cookies.flat_map(|value| value.split(';'));
    let brought = cookies.find_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='));
    let people = endpoint.gateway.around.people.as_ref();
    let begun = brought.and_then(|brought| people?.entrance.begun(brought));
    let Some((wish, pending)) = begun else {
        return page(
            StatusCode::BAD_REQUEST,
            "No login was begun in this browser, or it took too long.",
        );
    };
    let Some(account) = endpoint.gateway.account_of(&wish) else {
        return page(StatusCode::NOT_FOUND, GONE);
    };
    let done = match pending.code(&format!("?{}", query.unwrap_or_default())) {
        Ok(code) => pending.finish(&account, &code).await.map(drop),
        Err(error) => Err(error),
    };
    match done {
        Ok(()) => {
            tracing::info!(server = wish.server, "{} has logged in", wish.person);
            page(StatusCode::OK, "You are logged in. This page can be closed.")
        }
        Err(error) => {
            tracing::warn!(server = wish.server, "{} has not logged in: {error}", wish.person);
            page(StatusCode::BAD_REQUEST, "You are not logged in. The log of the gateway says why.")
        }
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A page that runs nothing, stands in no other one, and tells no other one its address.
fn page(status: StatusCode, html: &str) -> Response {
    let text = format!("<!doctype html><meta charset=\"utf-8\"><title>Weir</title><p>{html}</p>\n");
    let headers = [
        (header::CONTENT_TYPE, "text/html; charset=utf-8"),
        (
            header::CONTENT_SECURITY_POLICY,
            "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
        ),
        (header::CACHE_CONTROL, "no-store"),
        (header::REFERRER_POLICY, "no-referrer"),
    ];
    (status, headers, text).into_response()
}
