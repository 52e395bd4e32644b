//! The side that clients talk to: each method, answered here or handed to a server.

use std::sync::Arc;
use std::time::Duration;

use crate::clients::session::{Client, Hello, Outgoing, Outlet, Session};
use crate::gateway::Gateway;
use crate::search::names::own_info;
use crate::servers::known::Listing;
use crate::watch::audit::Called;
use crate::watch::stats::Stats;
use weir_mcp::frame::Reply;
use weir_mcp::json::{self, Json};
use weir_mcp::methods::{Method, notice};
use weir_mcp::wire::{self, Era, Notification, Request, code};

mod approve;
mod bridge;
mod changes;
mod first;
mod greeting;
mod kinds;
mod named;
mod pages;
mod relay;
mod skills;
mod tasks;
mod tools;
mod unsearched;

pub use first::own_tokens;
pub(crate) use greeting::hello_of;

/// How long a list may be taken for fresh, in milliseconds, told to modern clients.
const LIST_TTL_MS: u64 = 60_000;

/// Members of a request's parameters by which something is decided here.
const DECISIVE: [(&[&str], &[&str]); 3] = [
    (
        &[],
        &[
            "name",
            "arguments",
            "uri",
            "ref",
            "taskId",
            "task",
            "level",
            "cursor",
            "_meta",
            "requestState",
            "inputResponses",
        ],
    ),
    (
        &["_meta"],
        &[
            wire::META_VERSION,
            wire::META_CLIENT,
            wire::META_CAPABILITIES,
            wire::META_LOG_LEVEL,
            "progressToken",
        ],
    ),
    (&["ref"], &["type", "name", "uri"]),
];

/// Reads what a request says of its client.
///
/// # Errors
/// The error to answer: a version that is not spoken here, or metadata that is missing.
pub(crate) fn client_of(
    session: &Arc<Session>,
    outlet: &Outlet,
    request: &Request,
) -> Result<Client, Json> {
    let params = request.params();
    let lacks = |name: &str| wire::error(code::INVALID_PARAMS, &format!("_meta lacks {name}"));
    let (era, hello) = match params.text_at(&["_meta", wire::META_VERSION]) {
        Some(version) if version != wire::MODERN => return Err(unsupported_version(&version)),
        Some(version) => {
            let info = params.at(&["_meta", wire::META_CLIENT]).unwrap_or_else(own_info);
            let capabilities = params.at(&["_meta", wire::META_CAPABILITIES]);
            let capabilities = capabilities.ok_or_else(|| lacks(wire::META_CAPABILITIES))?;
            (Era::Modern, Hello { version, info, capabilities })
        }
        None => {
            let hello = session.hello().cloned();
            if hello.is_none() && request.is(Method::Discover) {
                return Err(lacks(wire::META_VERSION));
            }
            let latest = || Hello {
                version: wire::LATEST_LEGACY.to_owned(),
                info: own_info(),
                capabilities: Json::empty(),
            };
            (Era::Legacy, hello.unwrap_or_else(latest))
        }
    };
    let level = params.text_at(&["_meta", wire::META_LOG_LEVEL]);
    Ok(Client {
        era,
        version: hello.version,
        info: hello.info,
        capabilities: hello.capabilities,
        session: Arc::clone(session),
        outlet: outlet.clone(),
        progress_token: params.at(&["_meta", "progressToken"]),
        log_level: level.filter(|_| era == Era::Modern),
        cancelled: session.reason_of(&request.id),
    })
}

/// The error for a version that is not spoken here.
pub(crate) fn unsupported_version(requested: &str) -> Json {
    let mut supported = vec![wire::MODERN];
    supported.extend(wire::LEGACY);
    let data = Json::of(&serde_json::json!({"supported": supported, "requested": requested}));
    wire::error_with(code::UNSUPPORTED_VERSION, "Unsupported protocol version", &data)
}

/// The message that carries a reply to a client.
pub(crate) fn outgoing(id: &Json, era: Era, reply: Reply) -> Outgoing {
    match reply {
        Reply::Result(result) => {
            let result = match era {
                Era::Modern if result.get(&["resultType"]).is_none() => {
                    result.with(&["resultType"], "\"complete\"")
                }
                _ => result,
            };
            Outgoing::Text(wire::response(Some(id), &Ok(result)))
        }
        Reply::Error(error) => Outgoing::Text(wire::response(Some(id), &Err(error))),
        Reply::Spooled(result) => {
            let marked = result.skeleton.as_ref().is_some_and(|s| s.get(&["resultType"]).is_some());
            let (mark, skip) = if era == Era::Modern && !marked {
                (r#"{"resultType":"complete","#, 1)
            } else {
                ("", 0)
            };
            let head = format!(r#"{{"jsonrpc":"2.0","id":{id},"result":{mark}"#);
            Outgoing::Spooled { head, result, skip, tail: "}".to_owned() }
        }
    }
}

impl Gateway {
    /// Answers a request. Everything that belongs to it goes to the client's outlet before.
    pub async fn answer(
        self: &Arc<Self>,
        session: &Arc<Session>,
        outlet: &Outlet,
        request: Request,
    ) -> Outgoing {
        Stats::count(&self.operations.stats.requests);
        let modern = request.params().get(&["_meta", wire::META_VERSION]).is_some();
        if request.is(Method::Initialize) && !modern {
            let reply = greeting::initialize(&self.servers, session, &request);
            if session.hello().is_some()
                && let Ok(client) = client_of(session, outlet, &request)
            {
                self.clients.visitors.note(&client);
            }
            return outgoing(&request.id, Era::Legacy, reply);
        }
        let client = match client_of(session, outlet, &request) {
            Ok(client) => client,
            Err(error) => return outgoing(&request.id, Era::Legacy, Reply::Error(error)),
        };
        if client.era == Era::Modern {
            self.servers.begin(&client.session.who, Era::Modern, &client.capabilities);
        }
        self.clients.visitors.note(&client);
        let era = client.era;
        let id = request.id.clone();
        tracing::debug!("{} {}", request.method, id);
        let mut request = request;
        let telemetry = self.operations.telemetry.as_ref();
        let span = telemetry.map(|telemetry| telemetry.start(&request, &session.id));
        if let Some(span) = &span {
            request.params = Some(span.told_to_servers(request.params()));
        }
        let reply = self.dispatch(&client, request).await;
        if let Some(span) = span {
            span.end(match &reply {
                Reply::Error(_) => Some("jsonrpc"),
                Reply::Result(result) if result.get(&["isError"]) == Some("true") => {
                    Some("tool_error")
                }
                _ => None,
            });
        }
        outgoing(&id, era, reply)
    }

    async fn dispatch(self: &Arc<Self>, client: &Client, request: Request) -> Reply {
        let params = request.params().clone();
        // Decided by the first of two members, forwarded with both, read by the last: no.
        for (path, names) in DECISIVE {
            let object = if path.is_empty() { Some(params.as_str()) } else { params.get(path) };
            if let Some(name) = object.and_then(|object| json::repeated_name(object, names)) {
                let text = format!("the request's parameters have the member {name} twice");
                return Reply::Error(wire::error(code::INVALID_PARAMS, &text));
            }
        }
        let Some(method) = Method::of(&request.method).filter(|method| method.is_of(client.era))
        else {
            let text = format!("Method not found: {}", request.method);
            return Reply::Error(wire::error(code::METHOD_NOT_FOUND, &text));
        };
        // A client that comes back with what it was asked for.
        if method.row().is_call
            && let Some(resumed) = self.operations.parked.resume(&client.session.who.key, &params)
        {
            return match resumed {
                Ok((exchange, after)) => {
                    let arguments = params.get(&["arguments"]).unwrap_or("{}");
                    let server = exchange.upstream().name();
                    let called = Called::of(method, server, after.tool(), arguments);
                    let run = Box::pin(async {
                        self.finish_run(client, exchange.run(client).await, after).await
                    });
                    self.operations.accounted(client, called, run, false).await
                }
                Err(error) => Reply::Error(error),
            };
        }
        match method {
            Method::Initialize => greeting::initialize(&self.servers, &client.session, &request),
            Method::Discover => Reply::Result(greeting::discovery(&self.servers, client)),
            Method::Ping => Reply::Result(Json::empty()),
            Method::SetLevel => changes::set_level(&self.servers, client, &params).await,
            Method::Listen => {
                changes::listen(&self.servers, &self.changes, client, &request.id, &params).await
            }
            Method::Complete => self.complete(client, params).await,
            Method::ListTools => self.list_tools(client, &params).await,
            Method::CallTool => self.call_tool(client, params).await,
            Method::ListPrompts => {
                named::list(&self.servers, client, Listing::Prompts, &params).await
            }
            Method::GetPrompt => self.get_prompt(client, params).await,
            Method::ListResources => {
                named::list(&self.servers, client, Listing::Resources, &params).await
            }
            Method::ListTemplates => {
                named::list(&self.servers, client, Listing::Templates, &params).await
            }
            Method::ReadResource => self.read_resource(client, params).await,
            Method::ListSkills => self.list_skills(client, &params).await,
            Method::GetSkill => self.get_skill(client, &params).await,
            Method::ReadDirectory => self.read_directory(client, params).await,
            Method::Subscribe => changes::subscribe(&self.servers, client, &params, true).await,
            Method::Unsubscribe => changes::subscribe(&self.servers, client, &params, false).await,
            Method::ListTasks => tasks::list(self, client).await,
            Method::GetTask | Method::UpdateTask | Method::CancelTask | Method::TaskResult => {
                self.task(client, method, params).await
            }
        }
    }

    /// Takes a notification of a client.
    pub fn notified(self: &Arc<Self>, session: &Arc<Session>, notification: &Notification) {
        match notification.method.as_str() {
            notice::CANCELLED => {
                let Some(params) = &notification.params else { return };
                if let Some(id) = params.get(&["requestId"]) {
                    session.cancel(id, params.at(&["reason"]).filter(Json::is_text));
                }
            }
            notice::ROOTS => {
                for upstream in self.servers.all().iter() {
                    // Roots are told only to who works for this client alone.
                    let instances = match session.who.is_beside_others() {
                        false => vec![Arc::clone(upstream)],
                        true => upstream.further(),
                    };
                    for instance in instances {
                        let theirs = instance.client().is_none_or(|key| *key == session.who.key);
                        if let Some(live) = instance.current()
                            && live.era == Era::Legacy
                            && theirs
                            && (instance.base().is_none() || instance.client().is_some())
                        {
                            live.connection
                                .notify(&notification.method, notification.params.as_ref());
                        }
                    }
                }
            }
            _ => {}
        }
    }
}

/// A result with what a modern client is told of how long it may be kept: as long as a server said, where one did.
fn cacheable(client: &Client, method: Method, result: Json, time: Option<Duration>) -> Json {
    let ttl = time.map_or(LIST_TTL_MS, |time| {
        u64::try_from(time.as_millis()).unwrap_or(u64::MAX).min(LIST_TTL_MS)
    });
    match client.era {
        era if method.row().cacheable && (era == Era::Modern || method.is_of_skills()) => result
            .with(&["resultType"], "\"complete\"")
            .with(&["ttlMs"], &ttl.to_string())
            .with(&["cacheScope"], "\"private\"")
            .with(&["_meta", wire::META_SERVER], own_info().as_str()),
        _ => result,
    }
}

/// We give no cursors, so one that comes is not ours.
fn foreign_cursor(params: &Json) -> Option<Json> {
    params.get(&["cursor"]).filter(|cursor| *cursor != "null")?;
    Some(wire::error(code::INVALID_PARAMS, "Invalid cursor: lists come whole here"))
}

/// How long a client that closed its input is waited for with its answers.
pub(crate) const CLOSING: Duration = Duration::from_secs(5);
