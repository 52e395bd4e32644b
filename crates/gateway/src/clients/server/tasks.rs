//! Tasks of servers, under ids that lead back to their server.
//!
//! Revision 2025-11-25 has them in its core: a client asks for one with its call, and gets the result
//! with `tasks/result`. In 2026-07-28 they are an extension: the server decides, and the result comes
//! within the answer to `tasks/get`. Either way it is a tool's result like any other.

use std::sync::Arc;

use crate::clients::session::Client;
use crate::gateway::Gateway;
use crate::operations::results;
use crate::operations::{After, TaskOf};
use crate::search::catalog::Tool;
use crate::search::names::{own_uri, public_uri, with_public_task};
use crate::servers::upstream::exchange::{Run, ask};
use crate::servers::upstream::{Upstream, UpstreamError};
use weir_mcp::connection::{Hearer, Timing};
use weir_mcp::frame::Reply;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::Method;
use weir_mcp::wire::{self, Era, code};

/// The extension of revision 2026-07-28.
pub(super) const EXTENSION: &str = "io.modelcontextprotocol/tasks";

/// Bytes of an answer to `tasks/get` without a big text that is taken apart. A longer one passes as it
/// is.
const MAX_TASK_BYTES: u64 = 64 << 20;

/// Whether a legacy server refuses to run the tool other than as a task.
pub(super) fn runs_only_as_task(tool: &Tool) -> bool {
    let legacy = tool.upstream.known().is_some_and(|known| known.era == Era::Legacy);
    legacy && tool.listed().text_at(&["execution", "taskSupport"]).as_deref() == Some("required")
}

/// A required argument that a call does not have.
pub(super) fn missing_argument(definition: &Json, params: &Json) -> Option<String> {
    let required = definition.items(&["inputSchema", "required"]).into_iter();
    let mut names = required.filter_map(weir_mcp::json::string);
    names.find(|name| params.get(&["arguments", name]).is_none())
}

impl Gateway {
    pub(super) async fn task(&self, client: &Client, method: Method, params: Json) -> Reply {
        let id = params.text_at(&["taskId"]).unwrap_or_default();
        let found = own_uri(&id).and_then(|(server, own)| {
            let upstream =
                self.servers.of(client).into_iter().find(|upstream| upstream.name() == server)?;
            Some((upstream, own.into_owned()))
        });
        let theirs = self.operations.tasks.may_see(client, &id);
        let Some((upstream, own)) = found.filter(|_| theirs) else {
            return Reply::Error(wire::error(code::INVALID_PARAMS, &format!("Unknown task: {id}")));
        };
        let params = params.with(&["taskId"], &quote(&own));
        let is_result = method == Method::TaskResult;
        let mut timing = upstream.timing();
        if is_result {
            // It comes when the task is done, and nothing is said before.
            timing.idle = timing.max;
        }
        let run = ask(client, &upstream, method, params, timing, true).await;
        self.finish_run(client, run, After::Task(TaskOf { upstream, id, is_result })).await
    }

    /// What a client gets for an answer about a task: the result in it goes through the component.
    pub(super) async fn finish_task(&self, client: &Client, of: &TaskOf, reply: Reply) -> Reply {
        let server = of.upstream.name();
        let (tool, arguments) = match self.operations.tasks.get(&of.id) {
            Some(made) => (made.tool.clone(), made.arguments.clone()),
            None => (Tool::unlisted(&of.upstream, "task"), None),
        };
        let context = self.context(client, &tool, arguments);
        if of.is_result {
            let reply = results::finish(&self.gate, &self.operations.stats, &context, reply).await;
            return public_task(server, reply);
        }
        if let Reply::Spooled(spooled) = &reply
            && let Some(result) = spooled.of_task()
        {
            let result = Reply::Spooled(result);
            let shown = results::finish(&self.gate, &self.operations.stats, &context, result).await;
            let (Reply::Result(shown), Some(task)) = (shown, &spooled.skeleton) else {
                return reply;
            };
            let task = task.with(&["result"], shown.as_str());
            return public_task(server, Reply::Result(task));
        }
        let reply = match reply {
            Reply::Spooled(spooled) if spooled.len() <= MAX_TASK_BYTES => {
                let loaded = spooled.clone().loaded(MAX_TASK_BYTES).await;
                loaded.map_or(Reply::Spooled(spooled), Reply::Result)
            }
            reply => reply,
        };
        let task = match public_task(server, reply) {
            Reply::Result(task) => task,
            other => return other,
        };
        let Some(result) = task.at(&["result"]) else { return Reply::Result(task) };
        match results::finish(
            &self.gate,
            &self.operations.stats,
            &context,
            Reply::Result(result.clone()),
        )
        .await
        {
            Reply::Result(shown) if shown != result => {
                Reply::Result(task.with(&["result"], shown.as_str()))
            }
            _ => Reply::Result(task),
        }
    }
}

/// Runs a tool as a task and waits for its result, for a client that did not ask for a task.
pub(super) async fn call_as_task(
    client: &Client,
    upstream: &Arc<Upstream>,
    params: Json,
    timing: Timing,
    attended: bool,
) -> Result<Run, UpstreamError> {
    let params = params.with(&["task"], "{}");
    let made = ask(client, upstream, Method::CallTool, params, timing, attended).await?;
    let Run::Ended(Reply::Result(result)) = &made else { return Ok(made) };
    let Some(id) = result.text_at(&["task", "taskId"]) else { return Ok(made) };
    let params = Json::assembled(format!(r#"{{"taskId":{}}}"#, quote(&id)));
    let mut given_up = GivenUp(Some((Arc::clone(upstream), params.clone())));
    let timing = Timing { idle: timing.max, max: timing.max };
    let run = ask(client, upstream, Method::TaskResult, params, timing, attended).await;
    given_up.0 = None;
    run
}

pub(super) async fn list(gateway: &Gateway, client: &Client) -> Reply {
    let mut tasks = Vec::new();
    for upstream in gateway.servers.of(client).iter() {
        let upstream = &upstream.serving(client);
        if upstream.current().is_none()
            || !upstream.known().is_some_and(|known| known.can(&["tasks", "list"]))
        {
            continue;
        }
        match upstream.list(Method::ListTasks, "tasks").await {
            Ok(items) => tasks.extend(items.iter().filter_map(|item| {
                let own = item.text_at(&["taskId"])?;
                let id = public_uri(upstream.name(), &own);
                let theirs = gateway.operations.tasks.may_see(client, &id);
                theirs.then(|| item.with(&["taskId"], &quote(&id)).to_string())
            })),
            Err(reason) => tracing::warn!(server = upstream.name(), "{reason}"),
        }
    }
    Reply::Result(Json::assembled(format!(r#"{{"tasks":[{}]}}"#, tasks.join(","))))
}

/// Cancels a task at its server when who waits for it is gone.
struct GivenUp(Option<(Arc<Upstream>, Json)>);

impl Drop for GivenUp {
    fn drop(&mut self) {
        let Some((upstream, params)) = self.0.take() else { return };
        let Ok(runtime) = tokio::runtime::Handle::try_current() else { return };
        runtime.spawn(async move {
            let timing = upstream.timing();
            let cancel = upstream
                .call(Method::CancelTask.name(), Some(params), timing, Hearer::Nobody)
                .await;
            if let Ok((_, call)) = cancel {
                let _ = call.answer().await;
            }
        });
    }
}

/// The reply with the task's id in the form that leads back to its server.
pub(super) fn public_task(server: &str, reply: Reply) -> Reply {
    let Reply::Result(mut result) = reply else { return reply };
    for path in [&["taskId"][..], &["task", "taskId"][..]] {
        if let Some(own) = result.text_at(path) {
            result = result.with(path, &quote(&public_uri(server, &own)));
        }
    }
    Reply::Result(with_public_task(server, result))
}
