//! Pages on which people log in at servers, each with an account of their own.
//!
//! Whoever opens such an address shows that the login is theirs, to the issuer or with a token: an address that
//! somebody was sent gives the sender no account. The browser that comes back has to be the one that began.

use std::sync::Arc;

use axum::body::{Body, to_bytes};
use axum::extract::{Path, RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use weir_oauth::{Issuer, Wish, field};

use super::Endpoint;

/// Bytes of a form: a token, and what is around it.
const MAX_FORM: usize = 32 * 1024;

/// The cookie of a login that was begun.
const COOKIE: &str = "weir_login";

const STRANGER: &str = "No login was begun in this browser, or it took too long.";
const GONE: &str = "There is no such login, or no longer. Call the tool again for a new address.";

/// Asks who is there: the issuer where it knows us, or for a token.
pub(super) async fn visit(
    State(endpoint): State<Arc<Endpoint>>,
    Path(pass): Path<String>,
) -> Response {
    let people = endpoint.gateway.servers.people();
    let Some((people, wish)) =
        people.and_then(|people| Some((people, people.entrance.wish(&pass)?)))
    else {
        return page(StatusCode::NOT_FOUND, GONE);
    };
    if let Some(issuer) = endpoint.issuer_of(&wish.person) {
        let asked = issuer.ask(&people.entrance.who()).await;
        let kept = asked.ok().and_then(|(url, asked)| {
            Some((url.to_string(), people.entrance.asked(wish, asked).ok()?))
        });
        return match kept {
            Some((url, cookie)) => endpoint.redirect(&url, &cookie),
            None => page(
                StatusCode::BAD_GATEWAY,
                "It cannot be asked now who you are. Try again later.",
            ),
        };
    }
    let (server, person) = (escaped(&wish.server), escaped(&wish.person));
    let form = format!(
        "This connects an account at <b>{server}</b> to <b>{person}</b> of this gateway. Go on only if that is you.\
         <form method=\"post\"><p><label>Your token of this gateway <input type=\"password\" name=\"token\" \
         autocomplete=\"off\" required></label> <button>Go on</button></p></form>"
    );
    page(StatusCode::OK, &form)
}

/// The issuer says who is there.
pub(super) async fn who(
    State(endpoint): State<Arc<Endpoint>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let people = endpoint.gateway.servers.people();
    let asked = cookie(&headers).and_then(|brought| people?.entrance.answered(brought));
    let Some((wish, asked)) = asked else {
        return page(StatusCode::BAD_REQUEST, STRANGER);
    };
    let Some(issuer) = endpoint.issuer_of(&wish.person) else {
        return page(StatusCode::NOT_FOUND, GONE);
    };
    let subject = issuer.answered(&asked, &query.unwrap_or_default()).await;
    let name = |subject: String| format!("{}#{subject}", issuer.settings().issuer);
    match subject.map(name) {
        Ok(name) if name == wish.person => endpoint.go_on(wish).await,
        Ok(_) => endpoint.not_theirs(),
        Err(why) => {
            tracing::warn!("nobody has logged in: {why}");
            endpoint.not_theirs()
        }
    }
}

impl Endpoint {
    /// The issuer that can show whether somebody at a browser is this person.
    fn issuer_of(&self, person: &str) -> Option<Arc<Issuer>> {
        let issuer = self.options.tokens.people()?.issuer;
        let settings = issuer.settings();
        let own = person.strip_prefix(&settings.issuer)?.starts_with('#');
        (own && settings.client.is_some()).then_some(issuer)
    }

    fn not_theirs(&self) -> Response {
        self.gateway.operations.measured.refused("login");
        page(StatusCode::FORBIDDEN, "You are not the person whom this login is for.")
    }

    /// Sends a browser on, with what it brings back.
    fn redirect(&self, address: &str, brought: &str) -> Response {
        let mut response = page(StatusCode::SEE_OTHER, "Go on there.");
        let secure = self.options.url.as_ref().is_some_and(|url| url.starts_with("https:"));
        let secure = if secure { "; Secure" } else { "" };
        let cookie =
            format!("{COOKIE}={brought}; Path=/login; Max-Age=600; HttpOnly; SameSite=Lax{secure}");
        for (name, value) in [(header::LOCATION, address), (header::SET_COOKIE, &cookie)] {
            match HeaderValue::from_str(value) {
                Ok(value) => drop(response.headers_mut().insert(name, value)),
                Err(_) => return page(StatusCode::BAD_GATEWAY, "The login has no address."),
            }
        }
        response
    }

    /// Begins the login of the person whom it is for.
    async fn go_on(&self, wish: Wish) -> Response {
        let people = self.gateway.servers.people();
        let account = self.gateway.servers.account_of(&wish);
        let (Some(people), Some(account)) = (people, account) else {
            return page(StatusCode::NOT_FOUND, GONE);
        };
        let server = wish.server.clone();
        match people.entrance.begin(&account, wish).await {
            Ok((address, begun)) => self.redirect(&address, &begun),
            Err(error) => {
                tracing::warn!(server, "its login cannot begin: {error}");
                let text = "The login cannot begin. The log of the gateway says why.";
                page(StatusCode::BAD_GATEWAY, text)
            }
        }
    }
}

/// What a browser brings back.
fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut cookies = cookies.flat_map(|value| value.split(';'));
    cookies.find_map(|cookie| cookie.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Begins the login of somebody who shows to be the one whom it is for.
pub(super) async fn begin(
    State(endpoint): State<Arc<Endpoint>>,
    Path(pass): Path<String>,
    body: Body,
) -> Response {
    let Some(people) = endpoint.gateway.servers.people() else {
        return page(StatusCode::NOT_FOUND, GONE);
    };
    let Some(wish) = people.entrance.wish(&pass) else { return page(StatusCode::NOT_FOUND, GONE) };
    let form = to_bytes(body, MAX_FORM).await.unwrap_or_default();
    let admitted =
        endpoint.options.tokens.admit(field(&form, "token").as_deref().map(str::trim)).await;
    match admitted.is_ok_and(|profile| profile.name == wish.person) {
        true => endpoint.go_on(wish).await,
        false => endpoint.not_theirs(),
    }
}

/// The browser comes back.
pub(super) async fn back(
    State(endpoint): State<Arc<Endpoint>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    let people = endpoint.gateway.servers.people();
    let begun = cookie(&headers).and_then(|brought| people?.entrance.begun(brought));
    let Some((wish, pending)) = begun else {
        return page(StatusCode::BAD_REQUEST, STRANGER);
    };
    let Some(account) = endpoint.gateway.servers.account_of(&wish) else {
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
