//! Sessions of legacy clients: opened, found, ended, with the stream of what belongs to no request.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc::Receiver;
use tokio::time::Instant;

use crate::clients::identity::Identity;
use crate::clients::profile::Mode;
use crate::clients::profile::Profile;
use crate::clients::server::hello_of;
use crate::clients::session::{Hello, Outgoing, Outlet, Session};
use weir_base::{clip, unguessable, unix_now};
use weir_mcp::json::{Json, quote};
use weir_mcp::wire::{self, Era, Request, code};

use super::line::General;
use super::{Endpoint, refusal};

/// Sessions at once under one token, and how long one is kept without a request.
const MAX_SESSIONS: usize = 1_000;
const SESSION_IDLE: Duration = Duration::from_secs(3_600);

/// How long an id that is signed lets its client go on, in seconds; and what is in it at most, as it is a header.
const MAX_AGE: u64 = 7 * 24 * 3_600;
const MAX_NAME: usize = 100;
const MAX_CAPABILITIES: usize = 700;

/// Sessions that their clients have ended which are remembered, so that they are not taken up again.
const MAX_ENDED: usize = 10_000;

/// How long after a request a session counts as in use: it makes room for no other then.
const IN_USE: Duration = Duration::from_secs(300);

pub(super) struct Entry {
    session: Arc<Session>,
    general: Arc<General>,
    opened: Instant,
    used: Instant,
    /// Whether there was a request after the greeting.
    was_used: bool,
}

impl Entry {
    /// Whether a request of it is under way, or its stream is open.
    fn is_busy(&self) -> bool {
        self.general.is_open() || self.session.running() > 0
    }

    /// Whether another one may take its place.
    fn may_go(&self) -> bool {
        !(self.is_busy() || self.was_used && self.used.elapsed() < IN_USE)
    }
}

pub(super) async fn reap(endpoint: std::sync::Weak<Endpoint>) {
    loop {
        tokio::time::sleep(Duration::from_secs(60)).await;
        let Some(endpoint) = endpoint.upgrade() else { return };
        let gone: Vec<Arc<Session>> = {
            let mut sessions = endpoint.sessions.lock();
            let old: Vec<String> = sessions
                .iter()
                .filter(|(_, entry)| entry.used.elapsed() > SESSION_IDLE && !entry.is_busy())
                .map(|(id, _)| id.clone())
                .collect();
            let old = old.iter().filter_map(|id| sessions.remove(id));
            let took = |entry: &Entry| {
                let time = entry.used.saturating_duration_since(entry.opened);
                endpoint.gateway.operations.measured.session_took(time);
            };
            old.inspect(took).map(|entry| entry.session).collect()
        };
        for session in gone {
            endpoint.gateway.farewell(&session).await;
        }
    }
}

impl Endpoint {
    /// The session that a request names.
    pub(super) fn session(
        &self,
        profile: &Arc<Profile>,
        headers: &HeaderMap,
    ) -> Result<(Arc<Session>, Arc<General>), Box<Response>> {
        let Some(id) = headers.get("mcp-session-id").and_then(|id| id.to_str().ok()) else {
            let error =
                wire::error(code::INVALID_REQUEST, "the request lacks the header Mcp-Session-Id");
            return Err(Box::new(refusal(StatusCode::BAD_REQUEST, None, &error)));
        };
        let find = || {
            let mut sessions = self.sessions.lock();
            // Another token's session is as unknown as none; so is one of the time when the token had other rights.
            let theirs = |entry: &&mut Entry| *entry.session.who.profile == **profile;
            let entry = sessions.get_mut(id).filter(theirs)?;
            (entry.used, entry.was_used) = (Instant::now(), true);
            Some((Arc::clone(&entry.session), Arc::clone(&entry.general)))
        };
        find().or_else(|| self.take_over(profile, id).then(find).flatten()).ok_or_else(|| {
            let error = wire::error(
                code::INVALID_REQUEST,
                "this session is unknown or over; initialize a new one",
            );
            Box::new(refusal(StatusCode::NOT_FOUND, None, &error))
        })
    }

    /// Goes on with a session that another gateway with the same key has opened, or this one before its start.
    fn take_over(&self, profile: &Arc<Profile>, id: &str) -> bool {
        let verify = || self.options.key.as_ref()?.verify(&holder(profile), id);
        let pass = verify().and_then(|text| serde_json::from_str::<Pass>(&text).ok());
        let Some(pass) = pass.filter(|pass| unix_now() < pass.issued.saturating_add(MAX_AGE))
        else {
            return false;
        };
        if self.sessions.lock().contains_key(id) || self.ended.lock().contains(id) {
            return false;
        }
        let (outlet, messages) = Outlet::new();
        let who = Identity::beside_others(profile, Some(id));
        let session = Session::new(id.to_owned(), who, outlet, pass.mode);
        let info = Json::assembled(format!("{{\"name\":{}}}", quote(&pass.info)));
        let capabilities = Json::assembled(pass.capabilities);
        self.gateway.servers.begin(&session.who, Era::Legacy, &capabilities);
        session.greet(Hello { version: pass.version, info, capabilities });
        self.keep(&session, messages).is_ok()
    }

    /// Keeps a session that has begun, in the place of one that may go where there are many.
    ///
    /// # Errors
    /// When all are in use.
    fn keep(&self, session: &Arc<Session>, mut messages: Receiver<Outgoing>) -> Result<(), ()> {
        let mut sessions = self.sessions.lock();
        let name = &session.who.profile.name;
        let own: Vec<_> =
            sessions.iter().filter(|(_, entry)| entry.session.who.profile.name == *name).collect();
        if own.len() >= MAX_SESSIONS {
            // Of its own, one that was never used after its greeting, else the one that was used longest ago.
            let free = own.iter().filter(|(_, entry)| entry.may_go());
            let oldest = free.min_by_key(|(_, entry)| (entry.was_used, entry.used)).ok_or(())?;
            let oldest = oldest.0.clone();
            if let Some(entry) = sessions.remove(&oldest) {
                let gateway = Arc::clone(&self.gateway);
                tokio::spawn(async move { gateway.farewell(&entry.session).await });
            }
        }
        let (general, writing) = General::new();
        tokio::spawn(async move {
            while let Some(message) = messages.recv().await {
                if writing.send(message).await.is_err() {
                    return;
                }
            }
        });
        let (session, now) = (Arc::clone(session), Instant::now());
        self.gateway.welcome(&session);
        let id = session.id.clone();
        sessions.insert(id, Entry { session, general, opened: now, used: now, was_used: false });
        Ok(())
    }
}

/// What the id of a session says where it is signed: all that another gateway needs to go on with it.
#[derive(Serialize, Deserialize)]
struct Pass {
    id: String,
    issued: u64,
    mode: Option<Mode>,
    version: String,
    info: String,
    capabilities: String,
}

/// For whom such an id is signed: nobody else comes in with it, nor the same one with other rights.
fn holder(profile: &Profile) -> String {
    format!("session {profile:?}")
}

fn client_name(info: &Json) -> String {
    info.text_at(&["name"]).unwrap_or_default()
}

pub(super) async fn open_session(
    endpoint: &Arc<Endpoint>,
    profile: &Arc<Profile>,
    request: Request,
    mode: Option<Mode>,
) -> Response {
    let Ok(mut id) = unguessable() else {
        return refusal(
            StatusCode::INTERNAL_SERVER_ERROR,
            Some(&request.id),
            &wire::error(code::INTERNAL, "no randomness"),
        );
    };
    if let (Some(key), Some(hello)) = (&endpoint.options.key, hello_of(request.params())) {
        let (issued, info) = (unix_now(), clip(&client_name(&hello.info), MAX_NAME));
        let capabilities = hello.capabilities.as_str();
        let fits = capabilities.len() <= MAX_CAPABILITIES;
        let capabilities = if fits { capabilities } else { "{}" }.to_owned();
        let pass = Pass { id, issued, mode, version: hello.version, info, capabilities };
        let text = serde_json::to_string(&pass).unwrap_or_default();
        id = key.sign(&holder(profile), &text);
    }
    let (outlet, messages) = Outlet::new();
    let who = Identity::beside_others(profile, Some(&id));
    let session = Session::new(id.clone(), who, outlet.clone(), mode);
    let request_id = request.id.clone();
    let answer = endpoint.gateway.answer(&session, &outlet, request).await;
    let Outgoing::Text(text) = answer else {
        return StatusCode::INTERNAL_SERVER_ERROR.into_response();
    };
    if session.hello().is_none() {
        return (StatusCode::BAD_REQUEST, [(header::CONTENT_TYPE, "application/json")], text)
            .into_response();
    }
    if endpoint.keep(&session, messages).is_err() {
        endpoint.gateway.operations.measured.refused("sessions");
        let text = format!("{MAX_SESSIONS} sessions are in use; try again later");
        let error = wire::error(code::OVER_LIMIT, &text);
        let mut response = refusal(StatusCode::SERVICE_UNAVAILABLE, Some(&request_id), &error);
        let later = HeaderValue::from(IN_USE.as_secs());
        response.headers_mut().insert(header::RETRY_AFTER, later);
        endpoint.gateway.farewell(&session).await;
        return response;
    }
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (HeaderName::from_static("mcp-session-id"), id),
    ];
    (headers, text).into_response()
}

pub(super) async fn end_session(
    endpoint: &Arc<Endpoint>,
    profile: &Arc<Profile>,
    headers: &HeaderMap,
) -> Response {
    let session = match endpoint.session(profile, headers) {
        Ok((session, _)) => session,
        Err(refused) => return *refused,
    };
    if let Some(entry) = endpoint.sessions.lock().remove(&session.id) {
        endpoint.gateway.operations.measured.session_took(entry.opened.elapsed());
    }
    if endpoint.options.key.is_some() {
        let mut ended = endpoint.ended.lock();
        if ended.len() >= MAX_ENDED {
            ended.pop_first();
        }
        ended.insert(session.id.clone());
    }
    endpoint.gateway.farewell(&session).await;
    StatusCode::NO_CONTENT.into_response()
}

/// The stream of what belongs to no request; one at a time, and when it closes, the next one goes on.
pub(super) fn open_stream(
    endpoint: &Arc<Endpoint>,
    profile: &Arc<Profile>,
    headers: &HeaderMap,
) -> Response {
    let general = match endpoint.session(profile, headers) {
        Ok((_, general)) => general,
        Err(refused) => return *refused,
    };
    general.read().unwrap_or_else(|| {
        (StatusCode::CONFLICT, "the session's stream is open already\n").into_response()
    })
}
