//! Its tasks: in the core of 2025-11-25, and as the extension of 2026-07-28.

use std::collections::BTreeMap;
use std::sync::{Arc, Condvar, Mutex};

use serde_json::{Value, json};

use crate::{Server, text};

/// The tasks there are. One is done when its arguments say so, or when it is given what it asked for.
#[derive(Default)]
pub(crate) struct Tasks {
    all: Mutex<BTreeMap<String, Task>>,
    changed: Condvar,
}

#[derive(Clone)]
struct Task {
    status: &'static str,
    result: Value,
}

impl Task {
    fn show(&self, id: &str, modern: bool) -> Value {
        let mut task = json!({
            "taskId": id, "status": self.status,
            "createdAt": "2026-01-01T00:00:00Z", "lastUpdatedAt": "2026-01-01T00:00:01Z",
        });
        if modern {
            task["ttlMs"] = json!(60_000);
            match self.status {
                "completed" => task["result"] = self.result.clone(),
                "input_required" => {
                    task["inputRequests"] = json!({"name": {"method": "elicitation/create", "params": {"mode": "form",
                        "message": "Your name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}}}}});
                }
                _ => {}
            }
        } else {
            task["ttl"] = json!(60_000);
        }
        task
    }
}

impl Server {
    /// A call of a tool that can run as a task. `bytes` is how long its result is, `input` whether it
    /// asks for something first, `hang` whether it is never done.
    pub(crate) fn task_call(
        self: &Arc<Self>,
        message: &Value,
        modern: bool,
    ) -> Option<Result<Value, (i64, String)>> {
        let params = &message["params"];
        let arguments = &params["arguments"];
        let extension = &params["_meta"]["io.modelcontextprotocol/clientCapabilities"]["extensions"]
            ["io.modelcontextprotocol/tasks"];
        let as_task = if modern { !extension.is_null() } else { !params["task"].is_null() };
        let result = text("long ".repeat(arguments["bytes"].as_u64().unwrap_or(20) as usize / 5));
        if !as_task {
            if params["name"] == "must_task" && modern {
                return Some(Err((-32021, "Missing required client capability".into())));
            }
            if params["name"] == "must_task" {
                return Some(Err((-32601, "this tool runs only as a task".into())));
            }
            return Some(Ok(result));
        }
        let status = match (arguments["hang"] == true, arguments["input"] == true) {
            (true, _) => "working",
            (_, true) => "input_required",
            _ => "completed",
        };
        let task = Task { status, result };
        let mut tasks = self.tasks.all.lock().unwrap();
        let id = format!("task {}", tasks.len() + 1);
        let mut shown = task.show(&id, modern);
        tasks.insert(id, task);
        if !modern {
            return Some(Ok(json!({"task": shown})));
        }
        shown["resultType"] = json!("task");
        if let Some(shown) = shown.as_object_mut() {
            shown.retain(|key, _| key != "result" && key != "inputRequests");
        }
        Some(Ok(shown))
    }

    /// One of the requests about tasks.
    pub(crate) fn task_request(
        self: &Arc<Self>,
        method: &str,
        params: &Value,
        modern: bool,
    ) -> Result<Value, (i64, String)> {
        let id = params["taskId"].as_str().unwrap_or("").to_owned();
        let mut tasks = self.tasks.all.lock().unwrap();
        if method == "tasks/list" && !modern {
            let shown: Vec<Value> = tasks.iter().map(|(id, task)| task.show(id, false)).collect();
            return Ok(json!({"tasks": shown}));
        }
        let Some(task) = tasks.get_mut(&id) else { return Err((-32602, "Task not found".into())) };
        match (method, modern) {
            ("tasks/get", _) => Ok(task.show(&id, modern)),
            ("tasks/cancel", _) => {
                task.status = "cancelled";
                let shown = task.show(&id, modern);
                self.tasks.changed.notify_all();
                if !modern {
                    self.notify("notifications/tasks/status", shown.clone());
                }
                Ok(if modern { json!({}) } else { shown })
            }
            ("tasks/update", true) => {
                let name = params["inputResponses"]["name"].to_string();
                *task = Task { status: "completed", result: text(name) };
                Ok(json!({}))
            }
            ("tasks/result", false) => {
                if task.status == "input_required" {
                    drop(tasks);
                    let answer = self.ask(
                        "elicitation/create",
                        json!({"message": "Your name?", "requestedSchema": {"type": "object", "properties": {"name": {"type": "string"}}},
                               "_meta": {"io.modelcontextprotocol/related-task": {"taskId": id}}}),
                    );
                    tasks = self.tasks.all.lock().unwrap();
                    let result = text(answer.get("result").unwrap_or(&answer["error"]).to_string());
                    tasks.insert(id.clone(), Task { status: "completed", result });
                }
                loop {
                    let task = tasks[&id].clone();
                    match task.status {
                        "completed" => {
                            let mut result = task.result;
                            result["_meta"] =
                                json!({"io.modelcontextprotocol/related-task": {"taskId": id}});
                            return Ok(result);
                        }
                        "cancelled" => return Err((-32603, "the task was cancelled".into())),
                        _ => tasks = self.tasks.changed.wait(tasks).unwrap(),
                    }
                }
            }
            _ => Err((-32601, format!("Method not found: {method}"))),
        }
    }
}
