//! The calls that tasks were made for.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;
use std::time::Duration;

use weir_base::Mutex;

use crate::clients::session::Client;
use crate::search::catalog::Tool;
use weir_mcp::connection::Owner;
use weir_mcp::frame::Reply;

/// How long a server with a task runs on, although nobody asks after it.
const TASK_TIME: Duration = Duration::from_secs(3_600);

/// Tasks whose tool is remembered. Of an older one the result counts as that of a tool named `task`.
const MAX_TASKS: usize = 1_000;

/// A call.
#[derive(Debug)]
pub(crate) struct Made {
    pub(crate) tool: Tool,
    pub(crate) arguments: Option<String>,
    owner: Owner,
}

/// The calls that tasks were made for.
#[derive(Debug, Default)]
pub(crate) struct Tasks(Mutex<Noted>);

#[derive(Debug, Default)]
struct Noted {
    by_id: BTreeMap<String, Arc<Made>>,
    oldest_first: VecDeque<String>,
}

impl Tasks {
    /// Takes note of the task, if the answer to a tool's call is one.
    pub(crate) fn note(
        &self,
        client: &Client,
        tool: &Tool,
        arguments: Option<&String>,
        reply: &Reply,
    ) {
        let Reply::Result(result) = reply else { return };
        let id = match result.text_at(&["resultType"]).as_deref() {
            Some("task") => result.text_at(&["taskId"]),
            None if result.get(&["content"]).is_none() => result.text_at(&["task", "taskId"]),
            _ => None,
        };
        let Some(id) = id else { return };
        tool.upstream.serving(client).keep_for(TASK_TIME);
        let made = Made {
            tool: tool.clone(),
            arguments: arguments.cloned(),
            owner: Arc::clone(&client.session.who.key),
        };
        let mut noted = self.0.lock();
        if noted.by_id.insert(id.clone(), Arc::new(made)).is_none() {
            noted.oldest_first.push_back(id);
        }
        if noted.oldest_first.len() > MAX_TASKS
            && let Some(oldest) = noted.oldest_first.pop_front()
        {
            noted.by_id.remove(&oldest);
        }
    }

    /// The call of a task.
    pub(crate) fn get(&self, id: &str) -> Option<Arc<Made>> {
        self.0.lock().by_id.get(id).cloned()
    }

    /// Whether a task is for this client to see. Where there may be others, only what it made.
    pub(crate) fn may_see(&self, client: &Client, id: &str) -> bool {
        let who = &client.session.who;
        match self.owner(id) {
            Some(owner) => owner == who.key,
            None => !who.is_beside_others(),
        }
    }

    /// Whose call it was made for, by the id that the client knows.
    pub(crate) fn owner(&self, id: &str) -> Option<Owner> {
        self.get(id).map(|made| Arc::clone(&made.owner))
    }
}
