//! A call before it leaves for its server: let pass, asked about, or refused. Every call of a server's tool comes through here.
//!
//! A client that can be asked gets a form: in the legacy revisions while its call waits, in the stateless one in place of an
//! answer, with a state under which it comes back. For the others, and where no form is wanted, the call waits on the desk, where `weir approve` answers.

use std::time::{Duration, Instant};

use weir_base::unix_now;

use crate::clients::session::Client;
use crate::gateway::Gateway;
use crate::operations::approval::desk::{Answer, Desk, Question, shown};
use crate::operations::approval::{Call, Reason, Verdict};
use crate::operations::{Asked, called_tool};
use crate::search::catalog::Tool;
use crate::watch::audit::{Called, DECISION, Outcome};
use weir_mcp::frame::Reply;
use weir_mcp::json::{Json, quote};
use weir_mcp::methods::{ELICIT, notice};
use weir_mcp::wire::{self, Era};

/// The one question that such a client is asked.
const KEY: &str = "approval";

/// How often a client that wants progress is told that its call waits.
const REMINDER: Duration = Duration::from_secs(15);

/// How long a person needs for a question at least.
const READING: Duration = Duration::from_secs(1);

/// Why a call is not made now.
enum Stop {
    /// It is refused: the decision as the log has it, and the rest of the sentence that says why.
    Refused(&'static str, String),
    /// The client is asked, and comes back to it.
    Asks(Reply),
}

impl Gateway {
    /// The parameters of a call that may be made, or the answer in its place. `written` are the arguments as the client
    /// wrote them; those of `params` are judged, in which references are resolved.
    pub(super) async fn permitted(
        &self,
        client: &Client,
        tool: &Tool,
        written: &str,
        params: Json,
        attended: bool,
    ) -> Result<Json, Reply> {
        let state = params.text_at(&["requestState"]).unwrap_or_default();
        if self.operations.asked.is_carried(client, &called_tool(tool, written), &state) {
            return Ok(params);
        }
        let arguments = params.get(&["arguments"]).unwrap_or("{}").to_owned();
        let verdict = self.options().approvals.judge(Call {
            server: tool.upstream.name(),
            tool: &tool.own_name,
            hints: tool.hints,
            arguments: &arguments,
        });
        let made = match verdict {
            Verdict::Allow => Ok(None),
            Verdict::Deny(Reason { text, .. }) => Err(Stop::Refused(
                "denied",
                format!(
                    "{text}, which the rules of this gateway deny; do it another way, or ask the user to change the rules"
                ),
            )),
            Verdict::Ask(reason) => {
                let asked = (client, tool, &*arguments, &params, attended);
                self.decided(asked, reason).await.map(Some)
            }
        };
        let (decision, outcome, reply) = match made {
            Ok(decision) => (decision, Outcome::Ok, None),
            Err(Stop::Asks(reply)) => (Some("asked"), Outcome::Asks, Some(reply)),
            Err(Stop::Refused(decision, why)) => {
                let text = format!("{} was not run because {why}", tool.name);
                tracing::info!(server = tool.upstream.name(), "{text}");
                let reply = Reply::Result(wire::tool_text(&text, true));
                (Some(decision), Outcome::Refused, Some(reply))
            }
        };
        if let (Some(decision), Some(audit)) = (decision, self.operations.audit()) {
            let called = Called { method: DECISION, ..called_tool(tool, &arguments) };
            audit.begin(client, called).decided(decision).end(outcome, 0).await;
        }
        match reply {
            Some(reply) => Err(reply),
            None if Asked::is_ours(&state) => {
                Ok(params.without(&["requestState"]).without(&["inputResponses"]))
            }
            None => Ok(params),
        }
    }

    /// What was decided of a call, now or before: the decision as the log has it.
    async fn decided(
        &self,
        (client, tool, arguments, params, attended): (&Client, &Tool, &str, &Json, bool),
        reason: Reason,
    ) -> Result<&'static str, Stop> {
        let wait = self.options().approval_wait;
        let refused = |decision, why: String| Err(Stop::Refused(decision, why));
        let id = Desk::id().map_err(|why| Stop::Refused("unanswered", why))?;
        let since = unix_now();
        let question = Question {
            id,
            subject: client.session.who.profile.name.clone(),
            client: shown(&client.says("name")),
            tool: format!("{}__{}", tool.upstream.name(), tool.own_name),
            arguments: shown(arguments),
            why: reason.text.clone(),
            fingerprint: reason.fingerprint,
            since,
            until: since + wait.as_secs(),
        };
        if client.session.approved.lock().contains(&question.fingerprint) {
            return Ok("in-session");
        }
        if self.is_kept(&question).await {
            return Ok("kept");
        }
        let called = called_tool(tool, arguments);
        let state = params.text_at(&["requestState"]).unwrap_or_default();
        let asked = &self.operations.asked;
        let mode = Json::assembled(r#"{"mode":"form"}"#.to_owned());
        let by_form = self.options().approval_form;
        let can_ask = client.session.who.profile.approval_form.unwrap_or(by_form)
            && client.may_be_asked(ELICIT, Some(&mode)).is_ok();
        let answer = if Asked::is_ours(&state) {
            let Some(after) = asked.answered(client, &called, &state) else {
                let why = format!(
                    "{}, and the answer came too late or belongs to another call: a question stays open for {} s, for the one \
                     call that it is about; make the call again as it was at first, and the user is asked anew",
                    reason.text,
                    wait.as_secs()
                );
                return refused("unanswered", why);
            };
            let answer = params.at(&["inputResponses", KEY]);
            not_at_once(answer.as_ref(), after, wait, &reason.text)?;
            Some(answer_of(answer.as_ref()))
        } else if !can_ask {
            let waited = self.wait_at_desk(client, &question).await;
            waited.map_err(|why| Stop::Refused("unanswered", why))?
        } else if client.era == Era::Legacy {
            let form = form(&question, true);
            let asked = Instant::now();
            let answer = client.session.ask_within(&client.outlet, ELICIT, Some(&form), wait).await;
            // An error is no answer.
            let answer = answer.ok();
            not_at_once(answer.as_ref(), asked.elapsed(), wait, &reason.text)?;
            answer.map(|answer| answer_of(Some(&answer)))
        } else if attended {
            let form = form(&question, client.keeps_its_session());
            let state = asked.ask(client, &called, wait);
            let state = state.map_err(|why| Stop::Refused("unanswered", why))?;
            return Err(Stop::Asks(Reply::Result(Json::assembled(format!(
                r#"{{"resultType":"input_required","inputRequests":{{"{KEY}":{{"method":"{ELICIT}","params":{form}}}}},"requestState":{}}}"#,
                quote(&state)
            )))));
        } else {
            let why = format!(
                "{}, about which the user is asked; call it alone, not with others",
                reason.text
            );
            return refused("unanswered", why);
        };
        self.heed(client, question, answer).await
    }

    /// Does as a person answered: the decision as the log has it, or why the call is not made.
    async fn heed(
        &self,
        client: &Client,
        question: Question,
        answer: Option<Answer>,
    ) -> Result<&'static str, Stop> {
        let Question { why, since, until, fingerprint, .. } = &question;
        let Some(answer) = answer else {
            let why = format!(
                "{why} and nobody answered within {} s; call it again when the user is there to answer, in the client or \
                 with the command: weir approve",
                until - since
            );
            return Err(Stop::Refused("unanswered", why));
        };
        match answer {
            Answer::Once => {}
            Answer::Session => drop(client.session.approved.lock().replace(fingerprint.clone())),
            Answer::Always => {
                let desk = self.desk();
                let kept = tokio::task::spawn_blocking(move || desk.keep(&question)).await;
                if let Ok(Err(why)) = kept {
                    tracing::warn!("what was allowed for good holds once only: {why}");
                }
            }
            Answer::No => {
                let why = format!("{why} and the answer was no; ask the user what to do instead");
                return Err(Stop::Refused("no", why));
            }
        }
        Ok(answer.word())
    }

    /// Where decisions are kept and calls wait.
    pub(crate) fn desk(&self) -> Desk {
        Desk::new(&self.options().state_dir)
    }

    /// Whether calls like this one were allowed for good.
    async fn is_kept(&self, question: &Question) -> bool {
        let (desk, question) = (self.desk(), question.clone());
        let kept = tokio::task::spawn_blocking(move || {
            desk.is_kept(&question.subject, &question.fingerprint)
        });
        match kept.await {
            Ok(Ok(kept)) => kept,
            Ok(Err(why)) => {
                tracing::warn!("what was allowed for good counts for nothing: {why}");
                false
            }
            Err(_) => false,
        }
    }

    /// Waits for `weir approve`; tells the log and a client that wants progress what for.
    async fn wait_at_desk(
        &self,
        client: &Client,
        question: &Question,
    ) -> Result<Option<Answer>, String> {
        let id = &question.id;
        let message = format!("{} waits for the user: weir approve {id}", question.tool);
        tracing::warn!("{message}");
        let desk = self.desk();
        let reminders = async {
            for count in 1.. {
                if let Some(token) = &client.progress_token {
                    let text = quote(&message);
                    let params = format!(
                        r#"{{"progressToken":{token},"progress":{count},"message":{text}}}"#
                    );
                    client.outlet.notify(notice::PROGRESS, Some(&Json::assembled(params))).await;
                }
                tokio::time::sleep(REMINDER).await;
            }
        };
        tokio::select! {
            answer = desk.wait(question) => answer,
            () = reminders => Ok(None),
        }
    }
}

/// The form that a person fills in.
fn form(question: &Question, in_session: bool) -> Json {
    let Question { tool, arguments, why, .. } = question;
    let message = format!("May {tool} run? You are asked because {why}. Arguments: {arguments}");
    let choices: Vec<&str> = [Answer::Once, Answer::Session, Answer::Always, Answer::No]
        .into_iter()
        .filter(|answer| in_session || *answer != Answer::Session)
        .map(Answer::word)
        .collect();
    Json::of(&serde_json::json!({
        "message": message,
        "requestedSchema": {
            "type": "object",
            "properties": {"run": {
                "type": "string", "title": "Run it?", "enum": choices,
                "description": "once: this call; session: calls like it in this session; always: calls like it from now on; no",
            }},
            "required": ["run"],
        },
    }))
}

/// A refusal where a form was turned down before anybody could have read it, as by hosts that run without a person. `why` is
/// what was asked about.
fn not_at_once(
    answer: Option<&Json>,
    after: Duration,
    wait: Duration,
    why: &str,
) -> Result<(), Stop> {
    let action = answer.and_then(|answer| answer.text_at(&["action"]));
    if action.as_deref() == Some("accept") || after >= READING.min(wait) {
        return Ok(());
    }
    let why = format!(
        "{why} and the client turned the question down after {} ms, before a person could have read it; where nobody is at the \
         client, the user can set \"approvalForm\": false beside the servers, and answer such questions at /ui or with the \
         command: weir approve",
        after.as_millis()
    );
    Err(Stop::Refused("no", why))
}

/// What a form says. What is no answer is a no.
fn answer_of(result: Option<&Json>) -> Answer {
    let Some(result) = result else { return Answer::No };
    if result.text_at(&["action"]).as_deref() != Some("accept") {
        return Answer::No;
    }
    result.at(&["content", "run"]).and_then(|answer| answer.read()).unwrap_or(Answer::No)
}
