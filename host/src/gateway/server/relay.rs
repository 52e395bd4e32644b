//! A request handed to a server, and what comes back made ready for the client.

use std::sync::Arc;

use crate::gateway::Gateway;
use crate::gateway::catalog::Tool;
use crate::gateway::connection::Timing;
use crate::gateway::exchange::{Exchange, Run};
use crate::gateway::frame::Reply;
use crate::gateway::json::{self, Json, quote};
use crate::gateway::results;
use crate::gateway::session::Client;
use crate::gateway::upstream::{Upstream, UpstreamError};
use crate::gateway::wire::{self, Era, code};

use super::tasks::public_task;
use super::tools::tool_failure;

/// What is to be done with an answer that comes after its client was asked for something.
#[derive(Debug)]
pub enum After {
    /// It is a tool's result.
    Tool(Box<Tool>, Option<String>),
    /// It is what a server says of a prompt or a resource.
    Named(Named),
}

/// How names in an answer are mapped back.
#[derive(Debug, Clone)]
pub enum Named {
    /// A prompt's messages.
    Prompt,
    /// A resource's contents; the URI by which the client knows it, where that is not the server's.
    Resource(Option<String>),
    /// Nothing to map.
    Other,
}

impl Gateway {
    pub(super) async fn exchange(
        self: &Arc<Self>,
        client: &Client,
        upstream: &Arc<Upstream>,
        method: &str,
        params: Json,
        timing: Timing,
        attended: bool,
    ) -> Result<Run, UpstreamError> {
        Exchange::start(upstream, method, params, client, timing, attended).await?.run(client).await
    }

    pub(super) fn plain_timing(upstream: &Upstream) -> Timing {
        Timing { idle: upstream.spec.call_timeout, max: upstream.spec.call_max }
    }

    /// What the client gets: the answer, or the question that comes before it.
    pub(super) async fn finish_run(
        self: &Arc<Self>,
        client: &Client,
        run: Result<Run, UpstreamError>,
        after: After,
    ) -> Reply {
        let run = match run {
            Ok(run) => run,
            Err(error) => {
                crate::gateway::log::warn(format_args!("{error}"));
                return match &after {
                    After::Tool(tool, _) => {
                        self.stats.note_failure(tool.upstream.name(), &tool.own_name);
                        tool_failure(&error)
                    }
                    After::Named(_) => {
                        Reply::Error(wire::error(code::UPSTREAM, &error.to_string()))
                    }
                };
            }
        };
        match (run, after) {
            (Run::Asks(exchange, asks), after) => match self.parked.park(exchange, asks, after) {
                Ok(result) => Reply::Result(result),
                Err(error) => Reply::Error(error),
            },
            (Run::Ended(reply), After::Tool(tool, arguments)) => {
                let reply = public_task(tool.upstream.name(), reply);
                let context = results::Context {
                    tool: &tool,
                    arguments,
                    prefix_uris: self.options.naming.prefix,
                    links: client.version.as_str() >= "2025-06-18",
                };
                results::finish(&self.gate, &self.stats, &context, reply).await
            }
            (Run::Ended(reply), After::Named(named)) => reply_with_names(reply, &named, client.era),
        }
    }
}

fn reply_with_names(reply: Reply, named: &Named, era: Era) -> Reply {
    let Reply::Result(mut result) = reply else { return reply };
    if let Named::Resource(uri) = named {
        let contents = result.items(&["contents"]);
        // One content is the resource itself. Of several, each keeps what tells it apart.
        if let (Some(uri), [only]) = (uri, &contents[..]) {
            let renamed = json::set(only, &["uri"], &quote(uri));
            result = result.with(&["contents"], &format!("[{renamed}]"));
        }
        if era == Era::Modern
            && result.get(&["ttlMs"]).is_none()
            && result.get(&["contents"]).is_some()
        {
            result = result.with(&["ttlMs"], "0").with(&["cacheScope"], "\"private\"");
        }
    }
    Reply::Result(result)
}
