//! `weir tools learnt`: what searches taught the gateway.

use serde_json::json;
use weir_gateway::phrases::learnt::Learnt;

use super::args;
use crate::gateway::state;
use crate::numbers::{age, group};
use crate::{Answer, Context, Failure};

pub(super) fn run(args: &args::Learnt, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let learnt = Learnt::new(&state(args.state.as_ref(), context)?);
    let (server, tool) = (args.server.as_deref(), args.tool.as_deref());
    let failed = |what: &str| {
        let what = format!("cannot {what} {}", learnt.path().display());
        Failure::io(what)
    };
    if args.erase {
        let erased = learnt.erase(server, tool).map_err(failed("change"))?;
        let said = format!("{} phrases erased", group(erased));
        console.told(&json!({ "erased": erased }), said)?;
        return Ok(if erased > 0 { Answer::Yes } else { Answer::No });
    }
    let mut users = learnt.load().map_err(failed("read"))?;
    for servers in users.values_mut() {
        servers.retain(|name, _| server.is_none_or(|server| server == name));
        for tools in servers.values_mut() {
            tools.retain(|name, _| tool.is_none_or(|tool| tool == name));
        }
        servers.retain(|_, tools| !tools.is_empty());
    }
    users.retain(|_, servers| !servers.is_empty());
    if console.json() {
        console.value(&json!({ "users": users }))?;
    } else {
        for (user, servers) in &users {
            if !user.is_empty() {
                console.line(format_args!("token {user}"))?;
            }
            for (server, tools) in servers {
                for (tool, phrases) in tools {
                    console.line(format_args!("{server}  {tool}"))?;
                    for phrase in phrases {
                        let (uses, age) = (group(phrase.uses), age(phrase.last));
                        let waits = match &phrase.only_in {
                            Some(_) => "; counts once another session calls it so",
                            None => "",
                        };
                        console.line(format_args!(
                            "    {}  ({uses} times, last {age}{waits})",
                            phrase.phrase
                        ))?;
                    }
                }
            }
        }
        if users.is_empty() {
            console.note(format_args!("nothing was learnt"));
        }
    }
    // Nothing is no answer to a question for one server or tool only.
    Ok(if users.is_empty() && server.is_some() { Answer::No } else { Answer::Yes })
}
