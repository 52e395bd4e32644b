//! One request of a client at one server, from start to answer, whichever eras the two are of.
//!
//! | client \ server | legacy | modern |
//! | --- | --- | --- |
//! | legacy | the server's questions are passed on | `input_required` becomes questions, then the call is made again |
//! | modern | a question becomes `input_required`, and the call waits for the client to come back | passed on untouched |

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use crate::clients::session::Client;
use crate::search::names::with_public_task;
use crate::servers::upstream::{Live, Upstream, UpstreamError, Wanted};
use weir_base::{Mutex, unguessable};
use weir_mcp::connection::{ActiveCall, Ask, CallError, Event, Hearer, Owner, Step, Timing};
use weir_mcp::frame::Reply;
use weir_mcp::json::{self, Json, quote};
use weir_mcp::methods::{ELICIT, Method, notice};
use weir_mcp::wire::{self, Era, Notification, code, with_modern_meta, without_modern_meta};

/// Times that one request may be answered with `input_required` on behalf of a legacy client.
const MAX_ROUNDS: usize = 16;

/// How long a call waits for a modern client to come back with what was asked.
const PARKED_FOR: Duration = Duration::from_secs(600);

/// Calls that wait at once.
const MAX_PARKED: usize = 256;

/// What our own `requestState` begins with. What follows cannot be guessed.
const STATE_PREFIX: &str = "weir:";

/// Bytes of a result that is read into memory to see whether it wants input.
const MAX_INPUT_REQUIRED: usize = 4 << 20;

/// A request under way at a server.
#[derive(Debug)]
pub(crate) struct Exchange {
    upstream: Arc<Upstream>,
    live: Arc<Live>,
    call: ActiveCall,
    method: Method,
    /// The parameters as the client gave them, with the server's own names in them.
    params: Json,
    timing: Timing,
    hearer: Hearer,
    rounds: usize,
    /// Keeps the server running.
    _wanted: Wanted,
    /// Whether it was sent again after the server had lost its session.
    repeated: bool,
}

/// Asks a server, as far as its answer or its first question to a modern client.
pub(crate) async fn ask(
    client: &Client,
    upstream: &Arc<Upstream>,
    method: Method,
    params: Json,
    timing: Timing,
    attended: bool,
) -> Result<Run, UpstreamError> {
    ask_at(&upstream.serving(client), client, method, params, timing, attended).await
}

/// The same at this very instance of it.
pub(crate) async fn ask_at(
    upstream: &Arc<Upstream>,
    client: &Client,
    method: Method,
    params: Json,
    timing: Timing,
    attended: bool,
) -> Result<Run, UpstreamError> {
    let owner = Owner::from(client.session.id.as_str());
    let hearer = if attended { Hearer::Here(owner) } else { Hearer::Elsewhere(owner) };
    Exchange::start(upstream, method, params, client, timing, hearer).await?.run(client).await
}

/// A call that waits for its client to come back.
#[derive(Debug)]
struct Waiting<T> {
    exchange: Exchange,
    asks: BTreeMap<String, Ask>,
    /// The client that may come back to it.
    owner: Arc<str>,
    note: T,
}

/// All calls that wait. `T` is what the caller wants back with the call.
#[derive(Debug)]
pub(crate) struct Parked<T> {
    waiting: Mutex<BTreeMap<String, Waiting<T>>>,
}

impl<T> Default for Parked<T> {
    fn default() -> Self {
        Parked { waiting: Mutex::default() }
    }
}

impl Exchange {
    /// Sends a request to a server, in the server's era.
    ///
    /// # Errors
    /// When the server cannot be used now.
    pub(crate) async fn start(
        upstream: &Arc<Upstream>,
        method: Method,
        params: Json,
        client: &Client,
        timing: Timing,
        hearer: Hearer,
    ) -> Result<Exchange, UpstreamError> {
        let wanted = upstream.wanted();
        let live = upstream.live().await?;
        upstream.set_log_level(&live, client.log_level.as_deref()).await;
        let sent = for_era(live.era, &params, client);
        let (live, call) = upstream.call(method.name(), Some(sent), timing, hearer.clone()).await?;
        Ok(Exchange {
            upstream: Arc::clone(upstream),
            live,
            call,
            method,
            params,
            timing,
            hearer,
            rounds: 0,
            _wanted: wanted,
            repeated: false,
        })
    }

    /// The server.
    pub(crate) fn upstream(&self) -> &Arc<Upstream> {
        &self.upstream
    }

    /// Goes on until there is an answer, or a modern client has to be asked.
    ///
    /// # Errors
    /// When the server gives no answer.
    pub(crate) async fn run(mut self, client: &Client) -> Result<Run, UpstreamError> {
        self.call.cancelled_for(&client.cancelled);
        loop {
            match self.call.next().await {
                Step::Event(Event::Progress(params)) => {
                    if let Some(token) = &client.progress_token {
                        let params = params.with(&["progressToken"], token.as_str());
                        client.outlet.notify(notice::PROGRESS, Some(&params)).await;
                    }
                }
                Step::Event(Event::Notice(notification)) => pass_notice(client, notification).await,
                Step::Event(Event::Ask(mut ask)) => {
                    let server = self.upstream.name();
                    ask.params = ask.params.take().map(|params| with_public_task(server, params));
                    match client.may_be_asked(&ask.method, ask.params.as_ref()) {
                        Err(error) => ask.answer(&Err(error)),
                        Ok(()) if client.era == Era::Modern => {
                            return Ok(Run::Asks(self, vec![ask]));
                        }
                        Ok(()) => {
                            let answer = client
                                .session
                                .ask(&client.outlet, &ask.method, ask.params.as_ref())
                                .await;
                            ask.answer(&answer);
                            self.call.excuse();
                        }
                    }
                }
                Step::Done(reply) => {
                    self.upstream.note_answer();
                    match self.input_round(client, &reply).await? {
                        Round::Again(params) => {
                            self.send_again(client, &params).await?;
                            self.rounds += 1;
                        }
                        Round::Refused(error) => return Ok(Run::Ended(Reply::Error(error))),
                        Round::None => return Ok(Run::Ended(self.in_client_era(client, reply))),
                    }
                }
                Step::Failed(source) => {
                    self.upstream.note_failure(&self.call.failure(&source));
                    // It did nothing, and is greeted anew by the next call.
                    if matches!(source, CallError::Lost(_)) && !self.repeated {
                        self.repeated = true;
                        let params = self.params.clone();
                        self.send_again(client, &params).await?;
                        continue;
                    }
                    let server = self.upstream.name().to_owned();
                    return Err(match source {
                        CallError::Login(reason) => UpstreamError::Login { server, reason },
                        source => UpstreamError::Call { server, source },
                    });
                }
            }
        }
    }

    async fn send_again(&mut self, client: &Client, params: &Json) -> Result<(), UpstreamError> {
        let live = self.upstream.live().await?;
        let sent = for_era(live.era, params, client);
        (self.live, self.call) = self
            .upstream
            .call(self.method.name(), Some(sent), self.timing, self.hearer.clone())
            .await?;
        self.call.cancelled_for(&client.cancelled);
        Ok(())
    }

    /// Gets a legacy client's input for a modern server.
    async fn input_round(&self, client: &Client, reply: &Reply) -> Result<Round, UpstreamError> {
        let Reply::Result(result) = reply else { return Ok(Round::None) };
        if client.era == Era::Modern
            || self.live.era == Era::Legacy
            || result.as_str().len() > MAX_INPUT_REQUIRED
            || result.text_at(&["resultType"]).as_deref() != Some("input_required")
        {
            return Ok(Round::None);
        }
        if self.rounds >= MAX_ROUNDS {
            return Ok(Round::Refused(wire::error(
                code::UPSTREAM,
                "the server keeps asking for input",
            )));
        }
        let mut responses = String::from("{");
        for (key, request) in result.get(&["inputRequests"]).map(json::members).unwrap_or_default()
        {
            let request = Json::assembled(request.to_owned());
            let method = request.text_at(&["method"]).unwrap_or_default();
            let params = request.at(&["params"]);
            if let Err(error) = client.may_be_asked(&method, params.as_ref()) {
                let why = error.text_at(&["message"]).unwrap_or_default();
                let text = format!("the server asks for input that it cannot get: {why}");
                return Ok(Round::Refused(wire::error(code::UPSTREAM, &text)));
            }
            match client.session.ask(&client.outlet, &method, params.as_ref()).await {
                Ok(answer) => {
                    let comma = if responses.len() > 1 { "," } else { "" };
                    responses.push_str(&format!("{comma}{}:{answer}", quote(&key)));
                }
                Err(error) => return Ok(Round::Refused(error)),
            }
        }
        responses.push('}');
        let mut params = self.params.with(&["inputResponses"], &responses);
        params = match result.get(&["requestState"]) {
            Some(state) => params.with(&["requestState"], state),
            None => params.without(&["requestState"]),
        };
        Ok(Round::Again(params))
    }

    /// The answer with what the client's era wants marked, and without what it does not know.
    fn in_client_era(&self, client: &Client, reply: Reply) -> Reply {
        match (self.live.era, client.era, reply) {
            (Era::Modern, Era::Legacy, Reply::Result(result)) => {
                let complete =
                    result.text_at(&["resultType"]).is_none_or(|kind| kind == "complete");
                Reply::Result(if complete {
                    result.without(&["resultType"]).without(&["ttlMs"]).without(&["cacheScope"])
                } else {
                    result
                })
            }
            (Era::Modern, Era::Legacy, Reply::Spooled(mut spooled)) => {
                spooled.skeleton =
                    spooled.skeleton.map(|skeleton| skeleton.without(&["resultType"]));
                Reply::Spooled(spooled)
            }
            (Era::Legacy, Era::Modern, Reply::Error(error)) => {
                // A code of the legacy revisions; modern servers must not give it.
                let code_of = error.at(&["code"]).and_then(|code| code.read::<i64>());
                match code_of {
                    Some(code::RESOURCE_NOT_FOUND_LEGACY) => {
                        Reply::Error(error.with(&["code"], &code::INVALID_PARAMS.to_string()))
                    }
                    Some(code::URL_ELICITATION) => visit_first(client, &error),
                    _ => Reply::Error(error),
                }
            }
            (Era::Modern, Era::Legacy, Reply::Error(error)) => {
                let code_of = error.at(&["code"]).and_then(|code| code.read::<i64>());
                Reply::Error(match code_of {
                    Some(code::INVALID_PARAMS) if self.method == Method::ReadResource => {
                        error.with(&["code"], &code::RESOURCE_NOT_FOUND_LEGACY.to_string())
                    }
                    _ => error,
                })
            }
            (_, _, reply) => reply,
        }
    }
}

enum Round {
    None,
    Again(Json),
    Refused(Json),
}

/// How far a request came.
#[derive(Debug)]
pub(crate) enum Run {
    /// It is answered.
    Ended(Reply),
    /// The server asks the modern client something; the call goes on afterwards.
    Asks(Exchange, Vec<Ask>),
}

impl<T> Parked<T> {
    /// Keeps a call until its client comes back. The result to give the client meanwhile.
    pub(crate) fn park(
        self: &Arc<Self>,
        owner: &Arc<str>,
        exchange: Exchange,
        asks: Vec<Ask>,
        note: T,
    ) -> Result<Json, Json>
    where
        T: Send + 'static,
    {
        let state = unguessable()
            .map_err(|error| wire::error(code::INTERNAL, &format!("no randomness: {error}")))?;
        let mut requests = Vec::new();
        let mut by_key = BTreeMap::new();
        for (index, ask) in asks.into_iter().enumerate() {
            let key = format!("input_{}", index + 1);
            let params = ask.params.as_ref().map_or("{}", Json::as_str);
            requests.push(format!(
                r#"{}:{{"method":{},"params":{params}}}"#,
                quote(&key),
                quote(&ask.method)
            ));
            by_key.insert(key, ask);
        }
        {
            let mut waiting = self.waiting.lock();
            if waiting.len() >= MAX_PARKED {
                return Err(wire::error(
                    code::UPSTREAM,
                    "too many calls wait for input; answer or drop some first",
                ));
            }
            waiting.insert(
                state.clone(),
                Waiting { exchange, asks: by_key, owner: Arc::clone(owner), note },
            );
        }
        let parked = Arc::downgrade(self);
        let expiring = state.clone();
        tokio::spawn(async move {
            tokio::time::sleep(PARKED_FOR).await;
            if let Some(parked) = parked.upgrade() {
                parked.waiting.lock().remove(&expiring);
            }
        });
        Ok(Json::assembled(format!(
            r#"{{"resultType":"input_required","inputRequests":{{{}}},"requestState":{}}}"#,
            requests.join(","),
            quote(&format!("{STATE_PREFIX}{state}"))
        )))
    }

    /// The call that a client comes back to, with what was asked answered. `None` when the request
    /// is not a return to a call of ours.
    ///
    /// # Errors
    /// When the state is ours, but no call waits under it.
    pub(crate) fn resume(
        &self,
        owner: &Arc<str>,
        params: &Json,
    ) -> Option<Result<(Exchange, T), Json>> {
        let state = params.text_at(&["requestState"])?;
        let state = state.strip_prefix(STATE_PREFIX)?;
        let waiting = {
            let mut all = self.waiting.lock();
            let is_theirs = all.get(state).is_some_and(|waiting| waiting.owner == *owner);
            if is_theirs { all.remove(state) } else { None }
        };
        let Some(mut waiting) = waiting else {
            let text = format!(
                "the answer came too late, or the question was answered before: a server's question stays open for {} s. Make \
                 the request again as it was at first, and the server asks anew",
                PARKED_FOR.as_secs()
            );
            return Some(Err(wire::error(code::INVALID_PARAMS, &text)));
        };
        for (key, ask) in std::mem::take(&mut waiting.asks) {
            match params.at(&["inputResponses", &key]) {
                Some(answer) => ask.answer(&Ok(answer)),
                None => ask
                    .answer(&Err(wire::error(code::INTERNAL, "the client gave no answer to this"))),
            }
        }
        waiting.exchange.call.excuse();
        Some(Ok((waiting.exchange, waiting.note)))
    }
}

/// A legacy server's error that says which addresses to visit before the request is made again, as
/// modern clients are asked for input. No state goes with it: they send the same request again.
fn visit_first(client: &Client, error: &Json) -> Reply {
    let mut requests = Vec::new();
    for (index, elicitation) in error.items(&["data", "elicitations"]).iter().enumerate() {
        let params = Json::assembled((*elicitation).to_owned());
        if let Err(refused) = client.may_be_asked(ELICIT, Some(&params)) {
            let needs = Json::assembled(
                r#"{"requiredCapabilities":{"elicitation":{"url":{}}}}"#.to_owned(),
            );
            let why = refused.text_at(&["message"]).unwrap_or_default();
            return Reply::Error(wire::error_with(code::MISSING_CAPABILITY, &why, &needs));
        }
        requests
            .push(format!(r#""input_{}":{{"method":"{ELICIT}","params":{params}}}"#, index + 1));
    }
    if requests.is_empty() {
        return Reply::Error(error.clone());
    }
    Reply::Result(Json::assembled(format!(
        r#"{{"resultType":"input_required","inputRequests":{{{}}}}}"#,
        requests.join(",")
    )))
}

async fn pass_notice(client: &Client, notification: Notification) {
    let params = notification.params.as_ref();
    if notification.method == notice::MESSAGE {
        let level = params.and_then(|params| params.text_at(&["level"])).unwrap_or_default();
        if !client.wants_log(&level) {
            return;
        }
    }
    client.outlet.notify(&notification.method, params).await;
}

/// A client's parameters as a server of this era wants them.
fn for_era(era: Era, params: &Json, client: &Client) -> Json {
    match era {
        Era::Modern => {
            let params = with_modern_meta(params, &client.info, &client.capabilities);
            match client.session.log_level() {
                Some(level) if client.era == Era::Legacy => {
                    params.with(&["_meta", wire::META_LOG_LEVEL], &quote(&level))
                }
                _ => params,
            }
        }
        Era::Legacy => match client.era {
            Era::Modern => {
                without_modern_meta(params).without(&["inputResponses"]).without(&["requestState"])
            }
            Era::Legacy => params.clone(),
        },
    }
}
