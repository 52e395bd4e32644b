//! The MCP gateway: any clients on one side, any servers on the other, the component in between.
//!
//! ```text
//! client ─► server ─► catalog ─┬─► gate (our tools)              ─┐
//!                              └─► exchange ─► upstream (theirs)  ─┴─► results ─► server ─► client
//! ```
//!
//! Messages stay raw JSON on the whole way ([`json`], [`wire`]): what is not an id, a token or a
//! name passes as it came. Clients and servers may be of either era of the protocol; each pair is
//! bridged. Servers are started when they are needed ([`upstream`]), and known from
//! before ([`known`]).

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::mpsc;

pub mod approval;
mod audit;
pub mod catalog;
mod clients;
pub mod config;
mod difference;
mod digest;
pub mod embeddings;
pub mod environment;
mod exchange;
pub mod gate;
pub mod glob;
mod hearing;
pub mod http;
pub mod identity;
mod indexes;
pub mod known;
pub mod ledger;
mod limits;
mod listed;
mod metrics;
mod names;
mod operations;
mod options;
pub mod page;
pub mod phrases;
mod pins;
mod profile;
mod related;
mod results;
pub mod running;
mod search;
pub mod secrets;
mod server;
mod servers;
pub mod session;
#[cfg(unix)]
pub mod shared;
mod skills;
pub mod spec;
mod stats;
pub mod stdio;
mod telemetry;
mod texts;
mod told;
pub mod toolsets;
pub mod upstream;
pub mod worth;

pub use audit::AuditOptions;
// As one crate they are easier to use: our public types are made of theirs.
#[cfg(unix)]
pub use weir_mcp::guard;
pub use weir_mcp::isolation::Isolation;
pub use weir_mcp::net::Tls;
pub use weir_mcp::{json, process, wire};
pub use weir_oauth as oauth;

pub use names::Naming;
pub use operations::Operations;
pub use options::{Mode, Options};
pub use profile::Limits;
pub use server::own_tokens;
pub use servers::Servers;
pub use stats::Stats;

use clients::{Change, Changes, Clients};
use gate::Gate;
use options::Current;
use search::Search;
use session::Session;
use spec::ServerSpec;
use weir_base::create_private_dir;
use weir_mcp::{connection, credentials, frame, http_link, isolation, lines, methods, net, redact};

/// How long servers that are watched over have to end when the gateway ends, and others.
const GOODBYE: Duration = Duration::from_millis(600);
const LONG_GOODBYE: Duration = Duration::from_secs(5);

/// The gateway. One for any number of clients. What it has to remember is with four owners, each with its own locks;
/// none calls another while it holds one.
#[derive(Debug)]
pub struct Gateway {
    options: Current,
    gate: Gate,
    changes: Changes,
    /// The servers and their tools.
    pub servers: Arc<Servers>,
    clients: Clients,
    search: Arc<Search>,
    /// What is under way, and what it costs.
    pub operations: Arc<Operations>,
}

impl Gateway {
    /// A gateway to these servers. None is started yet. Must be called within a tokio runtime.
    ///
    /// # Errors
    /// When the folder for its files cannot be made.
    pub fn new(
        servers: Vec<ServerSpec>,
        gate: Gate,
        options: Options,
    ) -> std::io::Result<Arc<Gateway>> {
        let spool_dir = options.state_dir.join("spool");
        create_private_dir(&spool_dir)?;
        let (options, changes) = (Current::new(options), Changes::default());
        let (happenings, heard) = mpsc::channel(256);
        let outside = (happenings, gate.screen());
        let servers = Servers::new(servers, options.clone(), spool_dir, outside, changes.clone());
        let gateway = Arc::new(Gateway {
            servers: Arc::new(servers),
            clients: Clients::new(options.clone(), changes.clone()),
            search: Arc::new(Search::new(options.clone(), gate.clone(), changes.clone())),
            operations: Arc::new(Operations::new(options.clone())),
            options,
            gate,
            changes,
        });
        tokio::spawn(hearing::hear(Arc::downgrade(&gateway), heard));
        Ok(gateway)
    }

    /// How it behaves now.
    pub fn options(&self) -> Arc<Options> {
        self.options.now()
    }

    /// Takes over how it is to behave from now on. Where its files are stays as it is.
    pub fn set_options(&self, options: Options) {
        let old = self.options();
        let (guard, people) = (old.guard.clone(), old.people.clone());
        let new = Options { state_dir: old.state_dir.clone(), guard, people, ..options };
        if new.parallel_starts != old.parallel_starts {
            self.servers.set_starts(new.parallel_starts);
        }
        self.operations.set_audit(new.audit.clone());
        let renamed = new.naming != old.naming || !new.offered.sees_as(&old.offered);
        let shown = (new.mode, new.auto_tokens) != (old.mode, old.auto_tokens);
        self.options.set(new);
        if renamed {
            self.servers.lists_differ();
        }
        if shown {
            self.changes.tell(Change::Tools);
        }
    }

    /// Takes note of a client.
    pub fn welcome(&self, session: &Arc<Session>) {
        self.servers.note_level(session);
        self.clients.welcome(session);
    }

    /// Says that a client is gone: what it had under way is cancelled.
    pub async fn farewell(&self, session: &Session) {
        session.cancel_all();
        self.servers.farewell(session).await;
        self.clients.farewell(session);
    }

    /// Ends all servers.
    pub async fn shut_down(&self) {
        self.changes.tell(Change::Ending);
        // Those that take longer are ended by their guards, once we are gone.
        let patience = if self.options().guard.is_some() { GOODBYE } else { LONG_GOODBYE };
        self.servers.stop(patience).await;
        let _ = tokio::time::timeout(patience, self.gate.has_kept()).await;
        self.servers.flush().await;
        self.operations.flush().await;
    }
}

/// A task that ends with whoever waits for it.
pub(crate) struct AbortOnDrop<T>(pub(crate) tokio::task::JoinHandle<T>);

impl<T> Drop for AbortOnDrop<T> {
    fn drop(&mut self) {
        self.0.abort();
    }
}
