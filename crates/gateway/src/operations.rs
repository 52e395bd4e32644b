//! What is under way and what it costs: calls within their clients' limits, those that wait for a client to come
//! back, tasks; their counts, times, traces and lines in the audit log.

use std::sync::Arc;
use std::time::{Duration, Instant};

use tokio::sync::watch;
use weir_base::{Mutex, unix_now};

use crate::clients::session::Client;
use crate::operations::common::Common;
use crate::operations::limits::Meter;
use crate::options::Current;
use crate::search::catalog::Tool;
use crate::servers::upstream::exchange::Parked;
use crate::watch::audit::{Audit, AuditOptions, Called, Outcome};
use crate::watch::ledger::Ledger;
use crate::watch::measured::Measured;
use crate::watch::stats::{Call, Stats};
use crate::watch::telemetry::Telemetry;
use weir_mcp::credentials::Later;
use weir_mcp::frame::Reply;
use weir_mcp::methods::Method;
use weir_mcp::wire::{self, code};

mod after;
pub mod approval;
mod asked;
pub mod common;
pub mod gate;
pub(crate) mod limits;
mod made;
pub(crate) mod results;

pub(crate) use after::{After, Named, TaskOf};
pub(crate) use asked::Asked;
pub(crate) use made::Tasks;

/// The name under which tools of the gateway's own are logged.
pub(crate) const OWN: &str = "weir";

/// See the module.
#[derive(Debug)]
pub struct Operations {
    options: Current,
    /// What went through.
    pub stats: Stats,
    pub(crate) measured: Measured,
    pub(crate) telemetry: Option<Telemetry>,
    audit: Mutex<Option<(AuditOptions, Audit)>>,
    meter: Meter,
    /// Requests that are being answered; what a client listens to does not count.
    under_way: watch::Sender<usize>,
    /// Calls that wait for their clients to come back.
    pub(crate) parked: Arc<Parked<After>>,
    /// Calls about which their clients were asked.
    pub(crate) asked: Asked,
    /// The calls that tasks were made for.
    pub(crate) tasks: Tasks,
}

impl Operations {
    pub(crate) fn new(options: Current) -> Operations {
        let now = options.now();
        // A file that cannot be read is said when it is written.
        let counted = Ledger::new(&now.state_dir).load().unwrap_or_default();
        Operations {
            options,
            stats: Stats::after(counted),
            measured: Measured::default(),
            telemetry: Telemetry::from_env(&|name| std::env::var(name).ok()),
            audit: Mutex::new(opened(now.audit.clone())),
            meter: now.common.as_ref().map(Common::meter).unwrap_or_default(),
            under_way: watch::Sender::default(),
            parked: Arc::default(),
            asked: Asked::default(),
            tasks: Tasks::default(),
        }
    }

    /// The audit log, where there is one.
    pub(crate) fn audit(&self) -> Option<Audit> {
        self.audit.lock().as_ref().map(|(_, audit)| audit.clone())
    }

    /// Logs calls there from now on.
    pub(crate) fn set_audit(&self, options: Option<AuditOptions>) {
        let mut audit = self.audit.lock();
        if audit.as_ref().map(|(options, _)| options) != options.as_ref() {
            *audit = opened(options);
        }
    }

    /// Writes what is still to be written of logs and traces.
    pub(crate) async fn flush(&self) {
        if let Some(audit) = self.audit() {
            audit.flush().await;
        }
        if let Some(telemetry) = &self.telemetry {
            telemetry.flush().await;
        }
    }

    /// How many requests are being answered.
    pub(crate) fn in_flight(&self) -> usize {
        *self.under_way.borrow()
    }

    /// Waits until no request is being answered, at most so long.
    pub(crate) async fn drained(&self, patience: Duration) {
        let mut under_way = self.under_way.subscribe();
        let none = under_way.wait_for(|count| *count == 0);
        if tokio::time::timeout(patience, none).await.is_err() {
            tracing::warn!(
                "{} requests are not done after {} s, and are cut",
                self.in_flight(),
                patience.as_secs()
            );
        }
    }

    /// Makes a call if the client's limits allow it, and writes it into the audit log. A part is what
    /// another call makes, which waits for it.
    pub(crate) async fn accounted(
        &self,
        client: &Client,
        called: Called<'_>,
        work: Later<'_, Reply>,
        is_part: bool,
    ) -> Reply {
        let options = self.options.now();
        let profile = &client.session.who.profile;
        let limits = profile.limits.as_ref().unwrap_or(&options.limits);
        let is_tool = called.method == Method::CallTool.name();
        let begun = Instant::now();
        let row = (called.method.to_owned(), called.server.clone(), called.tool.clone());
        let permit = self.meter.admit(profile, limits, called.arguments.len() as u64, is_part);
        let server = called.server.clone().filter(|server| server != OWN);
        let timed = server.zip(called.tool.clone()).filter(|_| is_tool);
        let entry = self.audit().map(|audit| audit.begin(client, called));
        let (reply, outcome) = match &permit {
            Ok(_) => {
                let started = Instant::now();
                let reply = work.await;
                let outcome = Outcome::of(&reply);
                if let Some((server, tool)) = timed {
                    self.stats.note_time(&server, &tool, started.elapsed());
                    let millis = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
                    self.stats.remember(Call {
                        who: Arc::clone(&client.session.who),
                        client: client.says("name"),
                        server,
                        tool,
                        time: unix_now(),
                        millis,
                        bytes: reply.bytes(),
                        ended: outcome.word(),
                    });
                }
                (reply, outcome)
            }
            Err(over) => {
                let text = over.to_string();
                self.measured.refused(over.setting());
                // What a model can act on is a tool's result.
                let reply = match is_tool {
                    true => Reply::Result(wire::tool_text(&text, true)),
                    false => Reply::Error(wire::error(code::OVER_LIMIT, &text)),
                };
                (reply, Outcome::Refused)
            }
        };
        if outcome != Outcome::Refused {
            let error = match (&reply, outcome) {
                (Reply::Error(_), _) => "jsonrpc_error",
                (_, Outcome::Error) => "tool_error",
                _ => "",
            };
            let (method, server, tool) = &row;
            let [server, tool] = [server, tool].map(|name| name.as_deref().unwrap_or_default());
            self.measured.took((method, server, tool), error, begun.elapsed());
        }
        let bytes = reply.bytes();
        if let Ok(permit) = permit {
            permit.spend(bytes);
        }
        if let Some(entry) = entry {
            entry.end(outcome, bytes).await;
        }
        reply
    }
}

/// Counts requests until their answers are on the way to the client.
#[derive(Debug)]
pub(crate) struct UnderWay(Arc<Operations>);

impl UnderWay {
    /// For requests that begin now.
    pub(crate) fn new(operations: &Arc<Operations>) -> UnderWay {
        operations.under_way.send_modify(|count| *count += 1);
        UnderWay(Arc::clone(operations))
    }
}

impl Drop for UnderWay {
    fn drop(&mut self) {
        self.0.under_way.send_modify(|count| *count -= 1);
    }
}

fn opened(options: Option<AuditOptions>) -> Option<(AuditOptions, Audit)> {
    options.map(|options| (options.clone(), Audit::open(options)))
}

/// A server's tool that is called.
pub(crate) fn called_tool<'a>(tool: &Tool, arguments: &'a str) -> Called<'a> {
    Called::of(Method::CallTool, tool.upstream.name(), Some(&tool.own_name), arguments)
}

/// A tool of the gateway's own that is called.
pub(crate) fn called_own<'a>(name: &str, arguments: &'a str) -> Called<'a> {
    Called::of(Method::CallTool, OWN, Some(name), arguments)
}
