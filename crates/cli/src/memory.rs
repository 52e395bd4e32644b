//! `weir memory`: what the built-in server of notes keeps, shown and deleted.

use std::path::{Path, PathBuf};

use serde_json::json;
use weir_gateway::config::Config;
use weir_gateway::spec::Reach;
use weir_servers::BuiltIn;
use weir_servers::memory::{Notes, folder_of};

use super::args::{Memory, MemoryCommand, Whose};
use super::gateway::{Place, note};
use super::install::{confirmed, must_ask};
use super::{Answer, Context, Failure};

pub(crate) fn run(arguments: &Memory, context: &Context<'_>) -> Result<Answer, Failure> {
    match &arguments.command {
        None => show(&arguments.whose, context),
        Some(MemoryCommand::Forget { whose, yes }) => forget(whose, *yes, context),
    }
}

fn show(whose: &Whose, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let notes = Notes::read(&folder(whose, context)?).map_err(Failure::plain)?;
    console.told(&json!(notes), notes.shown().trim_end())?;
    Ok(if notes == Notes::default() { Answer::No } else { Answer::Yes })
}

fn forget(whose: &Whose, yes: bool, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let folder = folder(whose, context)?;
    if !yes {
        must_ask("look at the notes with `weir memory`, then delete them with --yes")?;
        if !confirmed("Delete the notes?")? {
            console.note("nothing was changed");
            return Ok(Answer::No);
        }
    }
    let had = Notes::forget(&folder).map_err(Failure::plain)?;
    let what = if had { "the notes are deleted" } else { "there are no notes" };
    console.told(&json!({"deleted": had}), what)?;
    Ok(if had { Answer::Yes } else { Answer::No })
}

/// The folder of these notes: where the file of servers says, else where a server that it names would keep them.
fn folder(whose: &Whose, context: &Context<'_>) -> Result<PathBuf, Failure> {
    let place = Place::of(&whose.upstreams, context)?;
    let config = match place.servers.try_exists() {
        Ok(false) => Config::default(),
        _ => place.config()?,
    };
    let named = config.servers.iter().find_map(|server| match &server.reach {
        Reach::BuiltIn(BuiltIn::Memory(directory)) => Some(directory.as_path()),
        _ => None,
    });
    if named.is_none() {
        note(format_args!(
            "no server keeps notes: an entry with `\"builtin\": \"memory\"` in {} does",
            place.servers.display()
        ));
    }
    let directory = place.state.join(named.unwrap_or(Path::new("memory")));
    Ok(folder_of(&directory, whose.subject.as_deref()))
}
