//! `weir tools approve`: tools that are left out until the user has looked at them.

use serde_json::json;
use weir_gateway::gate::Gate;

use crate::answer::Answer;
use crate::console::Console;
use crate::context::Context;

use super::args::Approve;
use crate::failure::Failure;
use crate::gateway::{Place, with_gateway};

/// Characters of a description that are shown.
const SHOWN_CHARS: usize = 2_000;

pub(crate) fn run(
    args: &Approve,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let place = Place::of(&args.upstreams, context)?;
    let config = place.config()?;
    let options = place.options(&config);
    if !config.servers.iter().any(|server| server.name == args.server) {
        return Err(Failure::usage(
            format!("{} names no server {}", place.servers.display(), args.server),
            "`weir servers` lists those it names",
        ));
    }
    let servers = config.servers.into_iter().filter(|server| server.name == args.server).collect();
    // Nothing goes through the component here.
    let gate = Gate::new(Err("it is not needed".into()), context.session());
    with_gateway(servers, gate, options, async |gateway| {
        let upstreams = gateway.servers.all();
        let [upstream] = &upstreams[..] else { return Ok(Answer::No) };
        let waiting = upstream.withheld();
        let name = |tool: &weir_gateway::json::Json| tool.text_at(&["name"]).unwrap_or_default();
        for wanted in &args.tools {
            if !waiting.iter().any(|tool| name(tool) == *wanted) {
                return Err(Failure::usage(
                    format!("no tool {wanted} of server {} waits for approval", args.server),
                    "without a name, the command lists those that do",
                ));
            }
        }
        let approve = args.all || !args.tools.is_empty();
        let chosen: Vec<_> = waiting
            .into_iter()
            .filter(|tool| args.tools.is_empty() || args.tools.contains(&name(tool)))
            .collect();
        if approve {
            upstream.approve(&chosen).map_err(Failure::io("cannot keep what was approved"))?;
        }
        let names: Vec<String> = chosen.iter().map(name).collect();
        if console.json() {
            let tools: Vec<serde_json::Value> =
                chosen.iter().filter_map(|tool| tool.read()).collect();
            console.value(&json!({
                "server": args.server, "approved": approve, "names": names, "tools": tools,
            }))?;
        } else if chosen.is_empty() {
            console.line(format_args!("no tool of server {} waits for approval", args.server))?;
        } else if approve {
            console.line(format_args!("approved: {}", names.join(", ")))?;
        } else {
            for tool in &chosen {
                let said = tool.text_at(&["description"]).unwrap_or_default();
                let said: String = said
                    .chars()
                    .take(SHOWN_CHARS)
                    .map(|c| if c.is_control() && c != '\n' { ' ' } else { c })
                    .collect();
                console.line(format_args!(
                    "{}\n    {}",
                    name(tool),
                    said.replace('\n', "\n    ")
                ))?;
            }
            console.note(format_args!(
                "they are left out until you approve them by name, or all of them with --all"
            ));
        }
        // That nothing waits is no failure of a list.
        Ok(if chosen.is_empty() && approve { Answer::No } else { Answer::Yes })
    })?
}
