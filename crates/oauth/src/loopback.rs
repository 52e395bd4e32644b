//! Where the browser comes back to: a listener on this machine, for the time of one login.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::Arc;

use axum::Router;
use axum::extract::{RawQuery, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::flow::{Pending, Redirect};
use weir_mcp::net;

use super::error::OAuthError;

/// A listener that nobody has come to yet.
#[derive(Debug)]
pub struct Listener {
    listener: TcpListener,
    redirect: Redirect,
}

struct Login {
    pending: Arc<Pending>,
    codes: mpsc::Sender<Result<String, OAuthError>>,
}

impl Listener {
    /// Listens at the port of the redirect address, else at `preferred` if that is free, else at any.
    ///
    /// # Errors
    /// When it cannot listen.
    pub async fn open(redirect: Redirect, preferred: Option<u16>) -> Result<Listener, OAuthError> {
        let address: IpAddr = match redirect.host.trim_matches(['[', ']']) {
            "::1" => Ipv6Addr::LOCALHOST.into(),
            _ => Ipv4Addr::LOCALHOST.into(),
        };
        let bind = |port: u16| TcpListener::bind(SocketAddr::new(address, port));
        let failed = |error: std::io::Error| {
            OAuthError::Unsupported(format!("cannot listen for the browser: {error}"))
        };
        let listener = match (redirect.port, preferred) {
            (Some(port), _) => bind(port).await.map_err(failed)?,
            (None, Some(port)) => match bind(port).await {
                Ok(listener) => listener,
                Err(_) => bind(0).await.map_err(failed)?,
            },
            (None, None) => bind(0).await.map_err(failed)?,
        };
        Ok(Listener { listener, redirect })
    }

    /// The address for the browser to come back to.
    ///
    /// # Errors
    /// When the system does not say at which port we listen.
    pub fn address(&self) -> Result<String, OAuthError> {
        let local = self.listener.local_addr().map_err(|error| {
            OAuthError::Unsupported(format!("cannot listen for the browser: {error}"))
        })?;
        Ok(self.redirect.at(local.port()))
    }

    /// Waits for the browser. What does not belong to the login is turned away and ends nothing: any
    /// page can send a browser here.
    ///
    /// # Errors
    /// When the answer says that the login was refused.
    pub async fn code(self, pending: Arc<Pending>) -> Result<String, OAuthError> {
        let (codes, mut came) = mpsc::channel(1);
        let login = Arc::new(Login { pending, codes });
        let routes = Router::new().route(&self.redirect.path, get(answer)).with_state(login);
        let (ended, end) = tokio::sync::oneshot::channel::<()>();
        let server = axum::serve(self.listener, routes).with_graceful_shutdown(async {
            let _ = end.await;
        });
        let serving = tokio::spawn(async move { server.await });
        let code = came.recv().await;
        let _ = ended.send(());
        // The page is to arrive; a browser that keeps its connection is not waited for.
        let _ = tokio::time::timeout(std::time::Duration::from_secs(1), serving).await;
        code.unwrap_or(Err(OAuthError::NotLoggedIn))
    }
}

async fn answer(
    State(login): State<Arc<Login>>,
    headers: HeaderMap,
    RawQuery(query): RawQuery,
) -> Response {
    if !is_for_this_machine(&headers) {
        return page(StatusCode::FORBIDDEN, "This is not for you.");
    }
    match login.pending.code(&format!("?{}", query.unwrap_or_default())) {
        Err(OAuthError::Unsafe(_)) => page(
            StatusCode::BAD_REQUEST,
            "This answer does not belong to the login that waits here.",
        ),
        code => {
            let text = match &code {
                Ok(_) => "You are back at Weir. This page can be closed.",
                Err(_) => "The login was refused. This page can be closed.",
            };
            let _ = login.codes.try_send(code);
            page(StatusCode::OK, text)
        }
    }
}

/// Whether a request names this machine: no name of elsewhere was made to lead here.
pub(super) fn is_for_this_machine(headers: &HeaderMap) -> bool {
    let host = headers.get(header::HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    net::is_loopback(host.rsplit_once(':').map_or(host, |(host, _)| host))
}

/// A page of ours: nothing of anybody else's is in it.
pub(super) fn page(status: StatusCode, text: &'static str) -> Response {
    let mut response = (status, text).into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("text/plain; charset=utf-8"));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(header::CONNECTION, HeaderValue::from_static("close"));
    response
}
