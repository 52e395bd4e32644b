//! A call under its client's limits, and its line in the audit log.

use std::sync::Arc;
use std::time::Instant;

use crate::Gateway;
use crate::audit::{Called, Outcome};
use crate::catalog::Tool;
use crate::frame::Reply;
use crate::methods::Method;
use crate::session::Client;
use crate::wire::{self, code};

use super::texts::text_result;

/// The name under which tools of the gateway's own are logged.
pub(super) const OWN: &str = "weir";

impl Gateway {
    /// Makes a call if the client's limits allow it, and writes it into the audit log.
    pub(super) async fn accounted(
        self: &Arc<Self>,
        client: &Client,
        called: Called<'_>,
        work: impl Future<Output = Reply>,
    ) -> Reply {
        let options = self.options();
        let profile = &client.session.who.profile;
        let limits = profile.limits.as_ref().unwrap_or(&options.limits);
        let is_tool = called.method == Method::CallTool.name();
        let begun = Instant::now();
        let row = (called.method.to_owned(), called.server.clone(), called.tool.clone());
        let permit = self.meter.admit(profile, limits, called.arguments.len() as u64);
        let server = called.server.clone().filter(|server| server != OWN);
        let timed = server.zip(called.tool.clone()).filter(|_| is_tool);
        let entry = self.audit().map(|audit| audit.begin(client, called));
        let (reply, outcome) = match &permit {
            Ok(_) => {
                let started = Instant::now();
                let reply = work.await;
                if let Some((server, tool)) = timed {
                    self.stats.note_time(&server, &tool, started.elapsed());
                }
                let outcome = Outcome::of(&reply);
                (reply, outcome)
            }
            Err(over) => {
                let text = over.to_string();
                self.measured.refused(over.setting());
                // What a model can act on is a tool's result.
                let reply = match is_tool {
                    true => Reply::Result(text_result(&text, true)),
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

/// A server's tool that is called.
pub(super) fn called_tool<'a>(tool: &Tool, arguments: &'a str) -> Called<'a> {
    Called {
        method: Method::CallTool.name(),
        server: Some(tool.upstream.name().to_owned()),
        tool: Some(tool.own_name.clone()),
        arguments,
    }
}

/// A tool of the gateway's own that is called.
pub(super) fn called_own<'a>(name: &str, arguments: &'a str) -> Called<'a> {
    Called {
        method: Method::CallTool.name(),
        server: Some(OWN.to_owned()),
        tool: Some(name.to_owned()),
        arguments,
    }
}
