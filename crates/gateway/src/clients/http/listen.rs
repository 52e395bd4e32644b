//! Connections of clients: how many there may be, and how long each may take to say what it wants.
//!
//! All of this comes before a token is seen: a connection costs nothing to make, and must not cost
//! those who hold a token their place.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use hyper::server::conn::http1::Builder;
use hyper::service::{Service as _, service_fn};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Notify;
use tokio_rustls::TlsAcceptor;
use weir_base::Mutex;

/// How long the headers of a request may take; a connection without requests is closed after it too.
pub(super) const HEADERS: Duration = Duration::from_secs(30);

/// How long answers under way may take when the endpoint ends.
const ENDING: Duration = Duration::from_millis(500);

/// Connections at once, at most; fewer where the system allows few open files.
const MAX_CONNECTIONS: usize = 1_024;

/// What is answered to who is not let in.
const OUT: [StatusCode; 3] =
    [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN, StatusCode::BAD_REQUEST];

/// Connections by their number. One that was let in once is not closed for another's sake.
#[derive(Debug, Default)]
struct Connections {
    all: Mutex<BTreeMap<u64, Connection>>,
    next: AtomicU64,
}

#[derive(Debug, Clone)]
struct Connection {
    /// Whether a request on it was let in.
    let_in: Arc<AtomicBool>,
    /// Told to close it.
    close: Arc<Notify>,
}

impl Connections {
    /// Takes a further one in; where there is no room the oldest that nobody was let in on makes some.
    /// `None` when all are in use by those who were.
    fn enter(&self, most: usize) -> Option<(u64, Connection)> {
        let mut all = self.all.lock();
        if all.len() >= most {
            let strange = |connection: &Connection| !connection.let_in.load(Ordering::Relaxed);
            let oldest = all.iter().find(|(_, connection)| strange(connection)).map(|(id, _)| *id);
            all.remove(&oldest?)?.close.notify_one();
        }
        let connection = Connection { let_in: Arc::default(), close: Arc::default() };
        let id = self.next.fetch_add(1, Ordering::Relaxed);
        all.insert(id, connection.clone());
        Some((id, connection))
    }
}

/// The most connections: a part of the files that may be open, as servers need theirs.
fn most_connections() -> usize {
    #[cfg(unix)]
    {
        let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
        let half = limit.and_then(|limit| usize::try_from(limit / 2).ok());
        half.map_or(MAX_CONNECTIONS, |half| half.clamp(8, MAX_CONNECTIONS))
    }
    #[cfg(not(unix))]
    MAX_CONNECTIONS
}

/// Serves connections until `stop` is done, then for a moment those with answers under way.
pub(super) async fn serve(
    listener: TcpListener,
    app: Router,
    tls: Option<TlsAcceptor>,
    stop: impl Future<Output = ()>,
) -> io::Result<()> {
    let connections = Arc::new(Connections::default());
    let most = most_connections();
    let graceful = GracefulShutdown::new();
    let mut builder = Builder::new();
    builder.timer(TokioTimer::new()).header_read_timeout(HEADERS);
    let app = TowerToHyperService::new(app);
    let mut stop = std::pin::pin!(stop);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut stop => break,
        };
        let stream = match accepted {
            Ok((stream, _)) => stream,
            // Out of files, or gone before it was taken: neither ends the endpoint.
            Err(error) => {
                tracing::warn!("a connection could not be taken: {error}");
                tokio::time::sleep(Duration::from_millis(50)).await;
                continue;
            }
        };
        let _ = stream.set_nodelay(true);
        let Some((id, connection)) = connections.enter(most) else {
            drop::<TcpStream>(stream);
            continue;
        };
        let (app, let_in) = (app.clone(), Arc::clone(&connection.let_in));
        let service = service_fn(move |request| {
            let (answered, let_in) = (app.call(request), Arc::clone(&let_in));
            async move {
                let response: Response = answered.await?;
                if !OUT.contains(&response.status()) {
                    let_in.store(true, Ordering::Relaxed);
                }
                Ok::<_, Infallible>(response)
            }
        });
        let connections = Arc::clone(&connections);
        let (builder, watcher, tls) = (builder.clone(), graceful.watcher(), tls.clone());
        let served = async move {
            let Some(tls) = tls else {
                let served = builder.serve_connection(TokioIo::new(stream), service);
                let _ = watcher.watch(served).await;
                return;
            };
            if let Ok(Ok(stream)) = tokio::time::timeout(HEADERS, tls.accept(stream)).await {
                let served = builder.serve_connection(TokioIo::new(stream), service);
                let _ = watcher.watch(served).await;
            }
        };
        tokio::spawn(async move {
            tokio::select! {
                () = served => {}
                () = connection.close.notified() => {}
            }
            connections.all.lock().remove(&id);
        });
    }
    drop(listener);
    let _ = tokio::time::timeout(ENDING, graceful.shutdown()).await;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_connection_that_nobody_was_let_in_on_makes_room_and_no_other() {
        let connections = Connections::default();
        let (_, first) = connections.enter(3).unwrap();
        first.let_in.store(true, Ordering::Relaxed);
        let (second, _) = connections.enter(3).unwrap();
        connections.enter(3).unwrap();
        let (fourth, in_place) = connections.enter(3).unwrap();
        assert!(!connections.all.lock().contains_key(&second) && connections.all.lock().len() == 3);
        in_place.let_in.store(true, Ordering::Relaxed);
        assert!(connections.enter(3).is_some());
        for connection in connections.all.lock().values() {
            connection.let_in.store(true, Ordering::Relaxed);
        }
        assert!(connections.enter(3).is_none());
        assert!(connections.all.lock().contains_key(&fourth));
    }
}
