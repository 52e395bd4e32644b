//! `weir tools` without a subcommand and `weir search`: the tools of the gateway's servers.

use std::sync::Arc;

use serde_json::{Value, json};
use weir_base::clip;
use weir_gateway::Gateway;
use weir_gateway::catalog::{Catalog, Tool};
use weir_gateway::gate::{Gate, bridge};
use weir_gateway::phrases::learnt::Learnt;
use weir_gateway::phrases::written::Written;
use weir_gateway::phrases::{ByTool, Phrases};
use weir_gateway::upstream::State;
use weir_host::Weir;

use super::args::{ListTools, SearchTools};
use super::search::{Found, SEARCH, ask};
use crate::console::Working;
use crate::flags::Catalogs;
use crate::gateway::{Place, SHELL_WAIT, with_gateway};
use crate::numbers::{age, counted, group};
use crate::{Answer, Context, Failure};

/// Characters of a description in the list.
const SUMMARY_CHARS: usize = 90;

/// Lists the tools.
pub(crate) fn list(args: &ListTools, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let known = Known::of(&args.catalogs, context)?;
    let wanted =
        |tool: &&Tool| args.server.as_deref().is_none_or(|server| tool.upstream.name() == server);
    let tools: Vec<&Tool> = known.catalog.callable().filter(wanted).collect();
    let tokens: u64 = tools.iter().map(|tool| tool.definition_tokens()).sum();
    if console.json() {
        let definitions: Vec<Value> =
            tools.iter().filter_map(|tool| tool.definition().read()).collect();
        console.value(&json!({
            "tools": definitions, "estimated_tokens": tokens, "known": known.json(),
        }))?;
    } else {
        let width = tools.iter().map(|tool| tool.name.chars().count()).max().unwrap_or(0);
        if !tools.is_empty() {
            console.head(format_args!("{:width$}  {:>6}  DOES", "TOOL", "TOKENS"))?;
        }
        for tool in &tools {
            let tokens = group(tool.definition_tokens());
            console.row(format_args!("{:width$}  {tokens:>6}  {}", tool.name, summary(tool)))?;
        }
        console.note(format_args!(
            "{}, about {} tokens as definitions{}",
            counted(tools.len() as u64, "tool"),
            group(tokens),
            known.sentence(),
        ));
    }
    // Nothing is no answer to a question for one server's tools only.
    Ok(if tools.is_empty() && args.server.is_some() { Answer::No } else { Answer::Yes })
}

/// Searches them, as a model would.
pub(crate) fn search(args: &SearchTools, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let known = Known::of(&args.catalogs, context)?;
    let (weir, _scratch) = context.searching()?;
    let catalog = known.indexed(&weir)?;
    // This process ends with the search: all tools are embedded before it, where there is an endpoint.
    if let Err(why) = catalog.prepare_embedder()? {
        console.note(format_args!("warning: the tools are not all embedded: {why}"));
    }
    let mut arguments = json!({"queries": [args.query.join(" ")], "detail": args.detail});
    if let Some(limit) = args.limit {
        arguments["limit"] = limit.into();
    }
    let found = Found::read(&ask(&catalog, SEARCH, &arguments)?)?;
    if console.json() {
        let mut value = json!(found);
        value["known"] = known.json();
        console.value(&value)?;
    } else {
        found.show(console)?;
        console.note(format_args!(
            "searched {}{}",
            counted(known.catalog.tools().len() as u64, "tool"),
            known.sentence()
        ));
    }
    Ok(found.verdict())
}

/// What is known of the servers' tools, and since when.
pub(crate) struct Known {
    pub(crate) catalog: Arc<Catalog>,
    /// Servers, how many tools of theirs are shown, and when they were asked.
    servers: Vec<(String, usize, u64)>,
    /// Those that count for the user of this machine, as for the gateway's client on its own.
    phrases: Phrases,
}

impl Known {
    /// From what is kept. Servers of which nothing is are started and asked, unless that is not
    /// wanted; those that do not answer are named in a note.
    pub(crate) fn of(args: &Catalogs, context: &Context<'_>) -> Result<Known, Failure> {
        let console = &context.console;
        let place = Place::of(&args.upstreams, context)?;
        let config = place.config_if_any()?;
        let mut options = place.options(&config);
        options.list_wait = SHELL_WAIT;
        let learnt = if options.learn { Learnt::new(&place.state).of("") } else { ByTool::new() };
        let phrases =
            Phrases { written: Written::new(&place.state).load().unwrap_or_default(), learnt };
        // Nothing goes through the component here: it need not be loaded for this.
        let gate = Gate::new(Err("it is not needed".into()), context.session());
        let working = Working::on("asking servers");
        with_gateway(config.servers, gate, options, async |gateway: &Arc<Gateway>| {
            let catalog = match args.no_start {
                true => gateway.servers.catalog(),
                false => gateway.servers.asked_catalog().await,
            };
            drop(working);
            let mut servers = Vec::new();
            for upstream in gateway.servers.all().iter() {
                let count =
                    catalog.callable().filter(|t| Arc::ptr_eq(&t.upstream, upstream)).count();
                match (upstream.known(), upstream.state()) {
                    (Some(known), _) => {
                        servers.push((upstream.name().to_owned(), count, known.listed_at));
                    }
                    (None, State::Failed(reason) | State::NeedsLogin(reason)) => {
                        // What a server wrote may have lines of its own.
                        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
                        console.note(format_args!("warning: without {}: {reason}", upstream.name()))
                    }
                    (None, _) => console.note(format_args!(
                        "warning: without {}, whose tools are not known yet",
                        upstream.name()
                    )),
                }
            }
            Known { catalog, servers, phrases }
        })
    }

    /// The same as the component searches them.
    pub(super) fn indexed(&self, weir: &Weir) -> Result<weir_host::Catalog, Failure> {
        Ok(weir.catalog(bridge::snapshot(&self.catalog, &self.phrases))?)
    }

    fn json(&self) -> Value {
        let server = |(name, tools, listed_at): &(String, usize, u64)| json!({"server": name, "tools": tools, "listed_at": listed_at});
        self.servers.iter().map(server).collect()
    }

    fn sentence(&self) -> String {
        let server = |(name, tools, listed_at): &(String, usize, u64)| {
            format!("{name} {} ({})", group(tools), age(*listed_at))
        };
        let servers: Vec<String> = self.servers.iter().map(server).collect();
        match servers.is_empty() {
            true => String::new(),
            false => {
                format!(": {}; `weir servers --check` asks all servers anew", servers.join(", "))
            }
        }
    }
}

/// The start of the first line of a description.
fn summary(tool: &Tool) -> String {
    let text = tool.definition().text_at(&["description"]).unwrap_or_default();
    let line = text.trim().lines().next().unwrap_or_default();
    clip(line, SUMMARY_CHARS)
}
