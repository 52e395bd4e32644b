//! `weir install` and `weir import`: the gateway in clients' files, clients' servers in ours.

use std::path::Path;

use serde_json::{Map, Value, json};
use weir_gateway::config;
use weir_gateway::install::{InstallError, target};

use super::Answer;
use super::args::{Import, Install};
use super::console::Console;
use super::context::Context;
use super::report::Failure;

fn failure(error: &InstallError) -> Failure {
    let source =
        std::error::Error::source(error).map(|source| format!(": {source}")).unwrap_or_default();
    let hint = match error {
        InstallError::There { .. } => "take it out first with --undo",
        InstallError::Unreadable { .. } => "correct the file, or name another with --file",
        InstallError::NotThere { .. } => "nothing was changed",
        _ => "the file is as it was",
    };
    Failure::usage(format!("{error}{source}"), hint)
}

pub(crate) fn install(
    arguments: &Install,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let Some(target) = target(&arguments.client) else {
        return Err(Failure::usage(
            format!("no client {}", arguments.client),
            "`weir install --help` lists them",
        ));
    };
    let path = match &arguments.file {
        Some(file) => file.clone(),
        None => target.usual_path(&context.home()?),
    };
    let notes = context.state_dir()?.join("installed");
    if arguments.undo {
        target.undo(&path, &notes).map_err(|error| failure(&error))?;
        console.line(format_args!("{}: the entry is out again", path.display()))?;
        return Ok(Answer::Yes);
    }
    let command = std::env::current_exe().map_err(|source| Failure::Io {
        what: "cannot tell where this program is".into(),
        source,
    })?;
    let plan =
        target.plan(&path, &command.display().to_string()).map_err(|error| failure(&error))?;
    if arguments.dry_run {
        console.line(format_args!("{} would be:\n", path.display()))?;
        console.line(&plan.after)?;
        return Ok(Answer::Yes);
    }
    target.carry_out(&plan, &notes).map_err(|error| failure(&error))?;
    console.line(format_args!(
        "{}: the entry is in; `weir install {} --undo` takes it out",
        path.display(),
        arguments.client
    ))?;
    Ok(Answer::Yes)
}

pub(crate) fn import(
    arguments: &Import,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let to = match &arguments.to {
        Some(file) => file.clone(),
        None => context.config_dir()?.join("servers.json"),
    };
    let found = entries(&arguments.from)?;
    let mut kept = if to.exists() { entries(&to)? } else { Map::new() };
    let (mut added, mut left) = (Vec::new(), Vec::new());
    for (name, entry) in found {
        // The gateway must not become a server of itself.
        let ours = entry["args"]
            .as_array()
            .is_some_and(|args| args.first().is_some_and(|arg| arg == "serve"))
            && entry["command"].as_str().is_some_and(|command| {
                Path::new(command).file_stem().is_some_and(|stem| stem == "weir")
            });
        match kept.get(&name) {
            Some(there) if *there == entry => left.push(format!("{name} (the same)")),
            Some(_) => left.push(format!("{name} (another server has this name)")),
            None if ours => left.push(format!("{name} (the gateway itself)")),
            None => {
                added.push(name.clone());
                kept.insert(name, entry);
            }
        }
    }
    let text = format!("{:#}\n", json!({"mcpServers": kept}));
    if !arguments.dry_run && !added.is_empty() {
        if let Some(dir) = to.parent() {
            std::fs::create_dir_all(dir).map_err(|source| Failure::Io {
                what: format!("cannot make {}", dir.display()),
                source,
            })?;
        }
        std::fs::write(&to, &text).map_err(|source| Failure::Io {
            what: format!("cannot write {}", to.display()),
            source,
        })?;
    }
    if console.json() {
        console.value(
            &json!({"file": to, "added": added, "left": left, "dryRun": arguments.dry_run}),
        )?;
    } else {
        let verb = if arguments.dry_run { "would take over" } else { "took over" };
        console.line(format_args!(
            "{}: {verb} {} servers: {}",
            to.display(),
            added.len(),
            added.join(", ")
        ))?;
        for name in left {
            console.line(format_args!("left out: {name}"))?;
        }
    }
    Ok(Answer::Yes)
}

fn entries(path: &Path) -> Result<Map<String, Value>, Failure> {
    config::entries(path).map_err(|error| {
        let source = std::error::Error::source(&error)
            .map(|source| format!(": {source}"))
            .unwrap_or_default();
        Failure::usage(
            format!("{error}{source}"),
            "name the file in which the client keeps its servers",
        )
    })
}
