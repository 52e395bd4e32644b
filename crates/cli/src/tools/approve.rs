//! `weir tools approve`: tools and skills that are left out until the user has looked at them, and what has changed of others.

use std::collections::BTreeMap;

use serde_json::json;
use weir_gateway::gate::Gate;
use weir_gateway::json::Json;
use weir_text::hidden::visible;

use crate::console::Console;
use crate::{Answer, Context, Failure};

use super::args::Approve;
use crate::gateway::{Place, with_gateway};

/// Characters of a description that are shown.
const SHOWN_CHARS: usize = 2_000;

pub(crate) fn run(args: &Approve, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
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
        // Beside those that wait, those that changed and were let pass.
        let changed = match approve {
            true => Vec::new(),
            false => upstream.changed(),
        };
        let mut differences = BTreeMap::new();
        for changed in changed {
            if let Some(difference) = upstream.difference(&changed).await {
                differences.insert(changed, difference);
            }
        }
        if console.json() {
            let tools: Vec<serde_json::Value> =
                chosen.iter().filter_map(|tool| tool.read()).collect();
            console.value(&json!({
                "server": args.server, "approved": approve, "names": names, "tools": tools,
                "differences": differences,
            }))?;
        } else if approve && !chosen.is_empty() {
            console.line(format_args!("approved: {}", names.join(", ")))?;
        } else {
            show(&args.server, &chosen, differences, console)?;
        }
        // That nothing waits is no failure of a list.
        Ok(if chosen.is_empty() && approve { Answer::No } else { Answer::Yes })
    })?
}

/// The tools that wait, and how tools differ from what they were.
fn show(
    server: &str,
    chosen: &[Json],
    mut differences: BTreeMap<String, String>,
    console: &Console,
) -> Result<(), Failure> {
    if chosen.is_empty() {
        console.line(format_args!("no tool of server {server} waits for approval"))?;
    }
    for tool in chosen {
        let said = tool.text_at(&["description"]).unwrap_or_default();
        let said = visible(&said.chars().take(SHOWN_CHARS).collect::<String>());
        console.line(format_args!("{}\n    {}", name(tool), said.replace('\n', "\n    ")))?;
        if let Some(difference) = differences.remove(&name(tool)) {
            console.line("    what has changed since it was last approved:")?;
            console.line(indented(&difference))?;
        }
    }
    for (name, difference) in &differences {
        console.line(format_args!("{name}\n    has changed, and is offered all the same:"))?;
        console.line(indented(difference))?;
    }
    if !chosen.is_empty() {
        console.note(format_args!(
            "they are left out until you approve them by name, or all of them with --all"
        ));
    }
    Ok(())
}

fn name(tool: &Json) -> String {
    tool.text_at(&["name"]).unwrap_or_default()
}

fn indented(text: &str) -> String {
    format!("    {}", text.replace('\n', "\n    "))
}
