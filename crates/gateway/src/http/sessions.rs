//! Sessions of legacy clients: opened, found, ended, with the stream of what belongs to no request.

use std::sync::Arc;
use std::time::Duration;

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use tokio::time::Instant;

use crate::Mode;
use crate::identity::Identity;
use crate::profile::Profile;
use crate::session::{Outgoing, Outlet, Session};
use crate::wire::{self, Request, code};
use weir_base::unguessable;

use super::replay::Streams;
use super::{Endpoint, refusal};

/// Sessions at once under one token, and how long one is kept without a request.
const MAX_SESSIONS: usize = 1_000;
const SESSION_IDLE: Duration = Duration::from_secs(3_600);

/// How long after a request a session counts as in use: it makes room for no other then.
const IN_USE: Duration = Duration::from_secs(300);

pub(super) struct Entry {
    session: Arc<Session>,
    streams: Arc<Streams>,
    used: Instant,
    /// Whether there was a request after the greeting.
    was_used: bool,
}

impl Entry {
    /// Whether a request of it is under way, or its stream is open.
    fn is_busy(&self) -> bool {
        self.streams.general().is_open() || self.session.running() > 0
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
            sessions.values().for_each(|entry| entry.streams.forget_old());
            let old: Vec<String> = sessions
                .iter()
                .filter(|(_, entry)| entry.used.elapsed() > SESSION_IDLE && !entry.is_busy())
                .map(|(id, _)| id.clone())
                .collect();
            old.iter().filter_map(|id| sessions.remove(id)).map(|entry| entry.session).collect()
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
        profile: &Profile,
        headers: &HeaderMap,
    ) -> Result<(Arc<Session>, Arc<Streams>), Box<Response>> {
        let Some(id) = headers.get("mcp-session-id").and_then(|id| id.to_str().ok()) else {
            let error =
                wire::error(code::INVALID_REQUEST, "the request lacks the header Mcp-Session-Id");
            return Err(Box::new(refusal(StatusCode::BAD_REQUEST, None, &error)));
        };
        let mut sessions = self.sessions.lock();
        // Another token's session is as unknown as none; so is one of the time when the token had other rights.
        let theirs = |entry: &&mut Entry| *entry.session.who.profile == *profile;
        let Some(entry) = sessions.get_mut(id).filter(theirs) else {
            let error = wire::error(
                code::INVALID_REQUEST,
                "this session is unknown or over; initialize a new one",
            );
            return Err(Box::new(refusal(StatusCode::NOT_FOUND, None, &error)));
        };
        (entry.used, entry.was_used) = (Instant::now(), true);
        Ok((Arc::clone(&entry.session), Arc::clone(&entry.streams)))
    }
}

pub(super) async fn open_session(
    endpoint: &Arc<Endpoint>,
    profile: &Arc<Profile>,
    request: Request,
    mode: Option<Mode>,
) -> Response {
    let Ok(id) = unguessable() else {
        return refusal(
            StatusCode::INTERNAL_SERVER_ERROR,
            Some(&request.id),
            &wire::error(code::INTERNAL, "no randomness"),
        );
    };
    let (outlet, mut messages) = Outlet::new();
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
    let mut pushed_out = None;
    let full = {
        let sessions = endpoint.sessions.lock();
        let own =
            sessions.iter().filter(|(_, entry)| entry.session.who.profile.name == profile.name);
        let own: Vec<_> = own.collect();
        // Of its own, one that was never used after its greeting, else the one that was used longest ago.
        let free = own.iter().filter(|(_, entry)| entry.may_go());
        let oldest = free.min_by_key(|(_, entry)| (entry.was_used, entry.used));
        (own.len() >= MAX_SESSIONS).then(|| oldest.map(|(id, _)| (*id).clone()))
    };
    match full {
        Some(None) => {
            let text = format!("{MAX_SESSIONS} sessions are in use; try again later");
            let error = wire::error(code::OVER_LIMIT, &text);
            let mut response = refusal(StatusCode::SERVICE_UNAVAILABLE, Some(&request_id), &error);
            let later = HeaderValue::from(IN_USE.as_secs());
            response.headers_mut().insert(header::RETRY_AFTER, later);
            endpoint.gateway.farewell(&session).await;
            return response;
        }
        Some(Some(oldest)) => pushed_out = endpoint.sessions.lock().remove(&oldest),
        None => {}
    }
    {
        let mut sessions = endpoint.sessions.lock();
        let streams = Streams::new();
        let general = Arc::clone(streams.general());
        tokio::spawn(async move {
            while let Some(message) = messages.recv().await {
                general.push(message).await;
            }
            general.finish();
        });
        sessions.insert(
            id.clone(),
            Entry { session: Arc::clone(&session), streams, used: Instant::now(), was_used: false },
        );
    }
    if let Some(entry) = pushed_out {
        endpoint.gateway.farewell(&entry.session).await;
    }
    endpoint.gateway.welcome(&session);
    let headers = [
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (HeaderName::from_static("mcp-session-id"), id),
    ];
    (headers, text).into_response()
}

pub(super) async fn end_session(
    endpoint: &Arc<Endpoint>,
    profile: &Profile,
    headers: &HeaderMap,
) -> Response {
    let session = match endpoint.session(profile, headers) {
        Ok((session, _)) => session,
        Err(refused) => return *refused,
    };
    endpoint.sessions.lock().remove(&session.id);
    endpoint.gateway.farewell(&session).await;
    StatusCode::NO_CONTENT.into_response()
}

/// The stream of what belongs to no request; one at a time, and when it closes, the next one goes on. Or
/// any stream behind the event that the client names, whoever reads it still.
pub(super) fn open_stream(
    endpoint: &Arc<Endpoint>,
    profile: &Profile,
    headers: &HeaderMap,
) -> Response {
    let streams = match endpoint.session(profile, headers) {
        Ok((_, streams)) => streams,
        Err(refused) => return *refused,
    };
    let last = headers.get("last-event-id").and_then(|id| id.to_str().ok());
    if let Some((log, place)) = last.and_then(|id| streams.after(id.trim())) {
        return log.read_from(place, false);
    }
    if streams.general().is_open() {
        return (StatusCode::CONFLICT, "the session's stream is open already\n").into_response();
    }
    streams.general().read_from(streams.unread(), false)
}
