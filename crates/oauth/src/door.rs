//! Addresses of this machine at which a login begins, for people who hear of it from a model.
//!
//! A running gateway names one in its answers. Nobody is asked for anything before a person opens it,
//! and no page can send a browser there, as the address cannot be guessed.

use std::collections::BTreeMap;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Weak};
use std::time::Duration;

use axum::Router;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::OnceCell;
use tokio::task::{AbortHandle, JoinHandle};

use super::account::Account;
use super::error::OAuthError;
use super::flow;
use super::loopback::{Listener, is_for_this_machine, page};
use super::outside::random;
use weir_base::Mutex;

/// How long a login that somebody has begun is waited for.
const PATIENCE: Duration = Duration::from_secs(600);

/// The logins that people may begin, by the last part of their address.
type Logins = Arc<Mutex<BTreeMap<String, Entry>>>;

#[derive(Debug, Clone)]
struct Entry {
    account: Weak<Account>,
    begun: Arc<tokio::sync::Mutex<Option<Begun>>>,
}

/// A login that waits for the browser to come back.
#[derive(Debug)]
struct Begun {
    url: String,
    waiting: JoinHandle<()>,
}

/// The listener, which is opened when the first address is needed.
#[derive(Debug, Default)]
pub struct Door {
    opened: OnceCell<Option<(SocketAddr, AbortHandle)>>,
    logins: Logins,
}

impl Drop for Door {
    fn drop(&mut self) {
        if let Some(Some((_, serving))) = self.opened.get() {
            serving.abort();
        }
    }
}

impl Door {
    /// Where a person begins the login of this server; the same each time. `None` where nothing can be
    /// listened at.
    pub(super) async fn address_for(&self, account: &Arc<Account>) -> Option<String> {
        let opened = self.opened.get_or_init(async || {
            let opened = open(&self.logins).await;
            opened.inspect_err(|error| tracing::warn!("logins cannot begin here: {error}")).ok()
        });
        let address = opened.await.as_ref()?.0;
        let mut logins = self.logins.lock();
        logins.retain(|_, entry| entry.account.strong_count() > 0);
        let known = logins.iter().find(|(_, entry)| entry.account.as_ptr() == Arc::as_ptr(account));
        let pass = match known {
            Some((pass, _)) => pass.clone(),
            None => {
                let pass = random().ok()?;
                let entry = Entry { account: Arc::downgrade(account), begun: Arc::default() };
                logins.insert(pass.clone(), entry);
                pass
            }
        };
        Some(format!("http://{address}/login/{pass}"))
    }
}

async fn open(logins: &Logins) -> std::io::Result<(SocketAddr, AbortHandle)> {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).await?;
    let address = listener.local_addr()?;
    let routes = Router::new().route("/login/{pass}", get(visit)).with_state(Arc::clone(logins));
    let serving = tokio::spawn(async move {
        let _ = axum::serve(listener, routes).await;
    });
    Ok((address, serving.abort_handle()))
}

async fn visit(
    State(logins): State<Logins>,
    Path(pass): Path<String>,
    headers: HeaderMap,
) -> Response {
    if !is_for_this_machine(&headers) {
        return page(StatusCode::FORBIDDEN, "This is not for you.");
    }
    let entry = logins.lock().get(&pass).cloned();
    let Some((entry, account)) =
        entry.and_then(|entry| Some((entry.clone(), entry.account.upgrade()?)))
    else {
        return page(StatusCode::NOT_FOUND, "There is no login here, or no longer.");
    };
    let mut begun = entry.begun.lock().await;
    // Opened twice it is one login.
    let waits = begun.as_ref().filter(|begun| !begun.waiting.is_finished());
    let url = match waits {
        Some(begun) => begun.url.clone(),
        None => match begin(&account).await {
            Ok(new) => begun.insert(new).url.clone(),
            Err(error) => {
                tracing::warn!(server = %account.server, "its login cannot begin: {error}");
                return page(
                    StatusCode::BAD_GATEWAY,
                    "The login cannot begin. The log of the gateway says why.",
                );
            }
        },
    };
    let mut response = page(StatusCode::SEE_OTHER, "Go on at the authorization server.");
    match HeaderValue::from_str(&url) {
        Ok(url) => drop(response.headers_mut().insert(header::LOCATION, url)),
        Err(_) => return page(StatusCode::BAD_GATEWAY, "The login has no address."),
    }
    response
}

/// Prepares a login, and waits beside for the browser to come back.
async fn begin(account: &Arc<Account>) -> Result<Begun, OAuthError> {
    let redirect = flow::redirect_of(account.settings())?;
    let listener = Listener::open(redirect, flow::known_port(account)).await?;
    let pending = Arc::new(flow::begin(account, &listener.address()?, &[]).await?);
    let url = pending.url.clone();
    let account = Arc::downgrade(account);
    let waiting = tokio::spawn(async move {
        let Ok(code) = tokio::time::timeout(PATIENCE, listener.code(Arc::clone(&pending))).await
        else {
            return;
        };
        let Some(account) = account.upgrade() else { return };
        let done = match code {
            Ok(code) => pending.finish(&account, &code).await.map(drop),
            Err(error) => Err(error),
        };
        match done {
            Ok(()) => tracing::info!(server = %account.server, "somebody has logged in"),
            Err(error) => tracing::warn!(server = %account.server, "nobody has logged in: {error}"),
        }
    });
    Ok(Begun { url, waiting })
}
