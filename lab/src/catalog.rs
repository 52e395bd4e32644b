//! A catalog of tools from files: its size, what a model would see in place of all tools, and what a bridge tool answers.

use std::path::PathBuf;

use weir_component::search::bridge::assemble::assemble;
use weir_component::search::bridge::invoke::{Reply, invoke};
use weir_component::search::bridge::settings::AssembleSettings;
use weir_component::search::find::conversation::Conversation;

use crate::{Fallible, read};

#[derive(clap::Args)]
pub(crate) struct Args {
    /// The tools: answers to tools/list, or a tool a line (catalogue.jsonl of a set)
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,

    /// The settings of the assembly, as JSON
    #[arg(long, default_value = "{}", value_name = "JSON")]
    settings: String,

    /// The model's context window, in tokens
    #[arg(long, default_value_t = 200_000, value_name = "TOKENS")]
    context: u32,

    /// Print what a tool answers, a bridge tool for one: its name, then its arguments as JSON
    #[arg(long, num_args = 2, value_names = ["NAME", "JSON"])]
    ask: Vec<String>,
}

pub(crate) fn run(args: &Args) -> Fallible<()> {
    let catalog = read::catalog(read::tools(&args.files)?, true)?;
    if let [name, arguments] = &args.ask[..] {
        match invoke(&catalog, name, arguments, &Conversation::default()) {
            Reply::Answer(answer) => println!("{}", answer.text),
            Reply::Dispatch(calls) => println!("{calls:#?}"),
        }
        return Ok(());
    }
    for found in catalog.diagnostics() {
        println!("{} {:?}: {:?}", found.server, found.name, found.issue);
    }
    let settings = AssembleSettings::parse(&args.settings, None)?;
    let all = assemble(&catalog, &settings, args.context)?;
    let after = match all.active {
        true => (all.total_tokens + all.bridge_tokens).saturating_sub(all.deferred_tokens),
        false => all.total_tokens,
    };
    println!("{} tools, {} issues", catalog.tools().len(), catalog.diagnostics().len());
    println!("before {} tokens", all.total_tokens);
    println!(
        "after  {after} tokens ({}, listing: {})",
        all.reason.as_str(),
        all.listing_form.as_str()
    );
    Ok(())
}
