//! A request handed to a server, and what comes back made ready for the client.

use crate::clients::session::Client;
use crate::gateway::Gateway;
use crate::operations::results;
use crate::operations::{After, Named};
use crate::search::catalog::Tool;
use crate::search::names::{own_uri, public_uri};
use crate::servers::definitions;
use crate::servers::spec::Structured;
use crate::servers::upstream::UpstreamError;
use crate::servers::upstream::exchange::Run;
use weir_mcp::frame::Reply;
use weir_mcp::json::{self, Json, quote};
use weir_mcp::wire::{self, Era, code};

use super::tasks::public_task;

impl Gateway {
    /// What the client gets: the answer, or the question that comes before it.
    pub(super) async fn finish_run(
        &self,
        client: &Client,
        run: Result<Run, UpstreamError>,
        after: After,
    ) -> Reply {
        let run = match run {
            Ok(run) => run,
            Err(error) => {
                error.log();
                return match &after {
                    After::Tool(tool, ..) => {
                        self.operations.stats.note_failure(tool.upstream.name(), &tool.own_name);
                        Reply::Result(wire::tool_text(&error.to_string(), true))
                    }
                    After::Named(_) | After::Task(_) => {
                        Reply::Error(wire::error(code::UPSTREAM, &error.to_string()))
                    }
                };
            }
        };
        match (run, after) {
            (Run::Asks(exchange, asks), after) => {
                match self.operations.parked.park(&client.session.who.key, exchange, asks, after) {
                    Ok(result) => Reply::Result(result),
                    Err(error) => Reply::Error(error),
                }
            }
            (Run::Ended(reply), After::Tool(tool, arguments, purpose)) => {
                let reply = public_task(tool.upstream.name(), reply);
                self.operations.tasks.note(client, &tool, arguments.as_ref(), &reply);
                let context =
                    results::Context { purpose, ..self.context(client, &tool, arguments) };
                results::finish(&self.gate, &self.operations.stats, &context, reply).await
            }
            (Run::Ended(reply), After::Named(named)) => {
                let prefix = self.options().naming.prefix;
                reply_with_names(reply, &named, client.era, prefix)
            }
            (Run::Ended(reply), After::Task(of)) => {
                Box::pin(self.finish_task(client, &of, reply)).await
            }
        }
    }

    /// What a tool's result belongs to.
    pub(super) fn context<'a>(
        &self,
        client: &Client,
        tool: &'a Tool,
        arguments: Option<String>,
    ) -> results::Context<'a> {
        results::Context {
            tool,
            session: self.gate.session_of(&client.session.who),
            arguments,
            purpose: None,
            prefix_uris: self.options().naming.prefix,
            keeps_structured: tool.upstream.spec.structured == Structured::Preserve
                || tool.has_interface() && client.shows_interfaces(),
            objects_only: client.era == Era::Legacy,
            whole: self.options().whole || is_read_by_programs(&client.says("name")),
            client: client.says("name"),
            adaptive: self.options().adaptive,
        }
    }
}

/// Whether a client of this name gives its results to programs that the model writes, and to nothing else: an excerpt
/// would be taken for the data.
fn is_read_by_programs(client: &str) -> bool {
    let name = client.to_ascii_lowercase().replace([' ', '_'], "-");
    name == "vibe" || name.starts_with("mistral-vibe")
}

fn reply_with_names(reply: Reply, named: &Named, era: Era, prefix: bool) -> Reply {
    let Reply::Result(mut result) = reply else { return reply };
    if matches!(named, Named::Prompt(_)) {
        result = definitions::with_fit_hints(result);
    }
    match named {
        Named::Prompt(upstream) if prefix => {
            result = with_public_messages(upstream.name(), result);
        }
        Named::Resource { upstream, uri } => {
            if prefix || own_uri(uri).is_some() {
                result = with_public_contents(upstream.name(), uri, result);
            }
            if era == Era::Modern
                && result.get(&["ttlMs"]).is_none()
                && result.get(&["contents"]).is_some()
            {
                result = result.with(&["ttlMs"], "0").with(&["cacheScope"], "\"private\"");
            }
        }
        Named::Prompt(_) | Named::Other => {}
    }
    Reply::Result(result)
}

/// A prompt's messages with the URIs of resources in the form that this gateway reads.
fn with_public_messages(server: &str, result: Json) -> Json {
    if !result.as_str().contains("\"resource") {
        return result;
    }
    let messages = result.items(&["messages"]);
    let public: Vec<String> = messages
        .iter()
        .map(|message| match json::find(message, &["content"]) {
            Some(span) => {
                let public = results::block_with_public_uri(server, &message[span]);
                json::set(message, &["content"], &public)
            }
            None => (*message).to_owned(),
        })
        .collect();
    if messages == public {
        return result;
    }
    result.with(&["messages"], &format!("[{}]", public.join(",")))
}

/// A resource's contents under the URIs by which clients know them: the one that was asked for keeps
/// the client's spelling, and so does the only one, whatever the server calls it.
fn with_public_contents(server: &str, asked: &str, result: Json) -> Json {
    let count = result.items(&["contents"]).len();
    if count == 0 {
        return result;
    }
    let asked_own = own_uri(asked).map(|(_, own)| own);
    result.with_items(&["contents"], |content| {
        let own = json::find(content, &["uri"]).and_then(|span| json::string(&content[span]));
        match own {
            Some(own) if count > 1 && asked_own.as_deref() != Some(own.as_str()) => {
                json::set(content, &["uri"], &quote(&public_uri(server, &own)))
            }
            _ => json::set(content, &["uri"], &quote(asked)),
        }
    })
}
