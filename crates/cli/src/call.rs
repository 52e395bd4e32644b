//! `weir call`: a call of a tool, through the gateway.

use serde_json::{Value, json};
use weir_gateway::gate::Gate;
use weir_gateway::json::Json;
use weir_gateway::ledger::Ledger;
use weir_gateway::session::Outgoing;

use super::args::Call;
use super::console::{Console, Working};
use super::gateway::{Place, SHELL_WAIT, ask, gate, with_gateway};
use super::{Answer, Context, Failure};

pub(crate) fn run(arguments: &Call, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let place = Place::of(&arguments.upstreams, context)?;
    if !serde_json::from_str::<Value>(&arguments.arguments).is_ok_and(|value| value.is_object()) {
        return Err(Failure::usage(
            "the arguments are not a JSON object",
            r#"write them like '{"path": "/tmp"}'"#,
        ));
    }
    let mut config = place.config()?;
    if arguments.raw {
        config.servers.iter_mut().for_each(|server| server.transform = false);
    }
    let mut options = place.options(&config);
    options.list_wait = SHELL_WAIT;
    // A name with a server's before it is a tool of that one: the others are not started for it.
    let is_of = |server: &str| {
        arguments.tool.strip_prefix(server).is_some_and(|rest| rest.starts_with("__"))
    };
    if options.naming.prefix && config.servers.iter().any(|server| is_of(&server.name)) {
        config.servers.retain(|server| is_of(&server.name));
    }
    let params = json!({"name": arguments.tool});
    let ledger = Ledger::new(&place.state);
    let working = Working::on("calling");
    let gate = match arguments.raw {
        true => Gate::new(Err("nothing is replaced".into()), context.session()),
        false => gate(context),
    };
    let answer = with_gateway(config.servers, gate, options, async |gateway| {
        gateway.servers.set_broken(config.broken);
        let params = Json::of(&params).with(&["arguments"], &arguments.arguments);
        let answer = ask(gateway, "tools/call", params).await;
        gateway.operations.stats.write(&ledger);
        answer
    })?;
    drop(working);
    let text = match answer {
        Outgoing::Text(text) => text,
        Outgoing::Spooled { result, .. } => {
            result
                .copy_to(0, &mut |bytes| std::io::Write::write_all(&mut &*console, bytes))
                .map_err(Failure::output)?;
            return Ok(Answer::Yes);
        }
    };
    let value: Value = serde_json::from_str(&text).unwrap_or_default();
    if let Some(error) = value.get("error") {
        let message = error["message"].as_str().unwrap_or("the call failed");
        return Err(match message.strip_prefix("Unknown tool: ") {
            Some(name) if name == arguments.tool => {
                Failure::usage(message, "`weir search WORDS` finds tools; `weir tools` lists them")
            }
            _ => Failure::plain(message),
        });
    }
    let result = &value["result"];
    match console.json() {
        true => console.value(result)?,
        false => show(result, console)?,
    }
    Ok(if result["isError"] == true { Answer::No } else { Answer::Yes })
}

fn show(result: &Value, console: &Console) -> Result<(), Failure> {
    let blocks = result["content"].as_array();
    for block in blocks.into_iter().flatten() {
        match block["text"].as_str() {
            Some(text) => console.line(text)?,
            None => console.line(block)?,
        }
    }
    if blocks.is_none_or(Vec::is_empty) && !result["structuredContent"].is_null() {
        console.value(&result["structuredContent"])?;
    }
    Ok(())
}
