//! `weir approve`: calls that wait for a person, and what a person allowed for good.

use serde_json::json;
use weir_base::clip;
use weir_gateway::approval::desk::{Answer as Said, Desk, Question};
use weir_gateway::log_revoked;

use super::args::Approve;
use super::console::Console;
use super::gateway::Place;
use super::numbers::{age, unix_now};
use super::{Answer, Context, Failure};

pub(crate) fn run(arguments: &Approve, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let place = Place::of(&arguments.upstreams, context)?;
    let desk = Desk::new(&place.state);
    if let Some(id) = &arguments.revoke {
        let revoked = desk.revoke(id).map_err(Failure::plain)?;
        if let Some(decision) = &revoked {
            log(arguments, &place, decision, console);
        }
        let had = revoked.is_some();
        let what = if had { "taken back" } else { "nothing was allowed as" };
        console
            .told(&json!({"id": id, "revoked": had}), format_args!("{what} {}", clip(id, 40)))?;
        return Ok(if had { Answer::Yes } else { Answer::No });
    }
    if let Some(id) = &arguments.id {
        let said = match (arguments.for_session, arguments.always, arguments.no) {
            (true, ..) => Said::Session,
            (_, true, _) => Said::Always,
            (.., true) => Said::No,
            _ => Said::Once,
        };
        let waited = desk.answer(id, said).map_err(Failure::plain)?;
        let what = match (waited, said) {
            (false, _) => "no call waits as",
            (_, Said::No) => "refused:",
            _ => "allowed:",
        };
        let value = json!({"id": id, "answer": said, "waited": waited});
        console.told(&value, format_args!("{what} {}", clip(id, 40)))?;
        return Ok(if waited { Answer::Yes } else { Answer::No });
    }
    let all = match arguments.list {
        true => desk.kept().map_err(Failure::plain)?,
        false => desk.waiting(),
    };
    if console.json() {
        console.value(&json!(all))?;
        return Ok(Answer::Yes);
    }
    for Question { id, subject, client, tool, arguments, why, since, until, .. } in &all {
        let who = [subject.as_str(), client].into_iter().find(|name| !name.is_empty());
        let who = who.unwrap_or("a client");
        let when = match until {
            0 => age(*since),
            until => format!("waits {} s more", until.saturating_sub(unix_now())),
        };
        console
            .line(format_args!("{id}  {tool}  for {who}, {when}\n    {why}\n    {arguments}"))?;
    }
    match (all.is_empty(), arguments.list) {
        (true, true) => console.note("nothing was allowed for good"),
        (true, false) => console.note("no call waits for you"),
        (false, true) => console.note("`weir approve --revoke ID` takes one back"),
        (false, false) => {
            console.note("`weir approve ID` allows one; --for-session, --always and --no say more")
        }
    }
    Ok(Answer::Yes)
}

/// Writes what was taken back into the gateway's audit log, where it keeps one.
fn log(arguments: &Approve, place: &Place, decision: &Question, console: &Console) {
    match place.load() {
        Ok(config) => {
            if let Some(audit) = place.options(&config).audit {
                log_revoked(audit, decision);
            }
        }
        Err(_) if arguments.upstreams.servers.is_none() && !place.servers.exists() => {}
        Err(error) => console.note(format_args!("warning: this is not in the audit log: {error}")),
    }
}
