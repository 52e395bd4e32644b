//! `weir uninstall`: what was installed taken back, and all that is stored removed.

use std::path::{Path, PathBuf};

use serde_json::json;
use weir_gateway::running;

use super::machine::Machine;
use super::undo::{self, Undo};
use super::{DRY_RUN_FIRST, confirmed, must_ask};
use crate::args::Uninstall;
use crate::console::Console;
use crate::numbers::counted;
use crate::{Answer, Context, Failure};

/// The files of ours in the directory of configurations, where people may keep others beside them.
const CONFIGURATION: [&str; 3] = ["config.toml", "servers.json", "secrets.json"];

/// What is removed, and what people should know of what is not.
struct Removal {
    undo: Undo,
    paths: Vec<PathBuf>,
    config: PathBuf,
    notes: Vec<String>,
}

pub(crate) fn uninstall(arguments: &Uninstall, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let machine = Machine::of(None, context)?;
    let mut removal = Removal::plan(&machine, context)?;
    if removal.undo.is_empty() && removal.paths.is_empty() {
        return Err(Failure::usage("there is nothing to remove", "nothing was changed"));
    }
    if !console.json() {
        removal.shown(console)?;
    }
    if arguments.dry_run {
        if console.json() {
            removal.json(true, console)?;
        } else {
            console.line("nothing was changed (--dry-run)")?;
        }
        return Ok(Answer::Yes);
    }
    if !arguments.yes {
        must_ask(DRY_RUN_FIRST)?;
        console.flush_all()?;
        if !confirmed("Remove all this?")? {
            console.note("nothing was changed");
            return Ok(Answer::No);
        }
    }
    removal.undo = removal.undo.carried_out(&machine)?;
    if removal.undo.is_partial() {
        // What is stored has what is needed to correct them.
        removal.paths.clear();
        return match console.json() {
            true => removal.json(false, console).map(|()| Answer::No),
            false => removal.undo.told(false, console),
        };
    }
    for path in &removal.paths {
        remove(path)?;
    }
    let _ = std::fs::remove_dir(&removal.config);
    if console.json() {
        return removal.json(false, console).map(|()| Answer::Yes);
    }
    removal.undo.told(false, console)?;
    for path in &removal.paths {
        console.line(format_args!("{}: removed", path.display()))?;
    }
    if removal.config.exists() {
        let path = removal.config.display();
        console.line(format_args!("{path}: stays, as there are other files in it"))?;
    }
    let program = &machine.program;
    console.line(format_args!(
        "the program itself is {program}: remove it as you installed it (`cargo uninstall weir-cli`)"
    ))?;
    Ok(Answer::Yes)
}

impl Removal {
    fn plan(machine: &Machine, context: &Context<'_>) -> Result<Removal, Failure> {
        let undo = undo::everything(machine)?;
        let config = context.config_dir()?;
        let data = context.data_dir()?;
        let mut paths = vec![data.clone(), machine.state.clone()];
        paths.extend(context.cache());
        paths.extend(CONFIGURATION.map(|name| config.join(name)));
        paths.retain(|path| path.symlink_metadata().is_ok() && !undo.removes(path));
        let mut notes = Vec::new();
        let servers = config.join("servers.json");
        if undo.is_from_memory() && paths.contains(&servers) {
            paths.retain(|path| *path != servers);
            notes.push(format!(
                "{} stays: no record says which of its servers an agent had",
                servers.display()
            ));
        }
        if !machine.store.starts_with(&data) && machine.store.exists() {
            notes.push(format!(
                "results in {} stay: that directory was named by you",
                machine.store.display()
            ));
        }
        let running = running::list(&machine.state).len();
        if running > 0 {
            notes.push(format!(
                "{} still run, and write their state again: end your agents first",
                counted(running as u64, "gateway")
            ));
        }
        Ok(Removal { undo, paths, config, notes })
    }

    fn shown(&self, console: &Console) -> Result<(), Failure> {
        self.undo.shown(console)?;
        for path in &self.paths {
            let all = if path.is_dir() { ", with all that is in it" } else { "" };
            console.line(format_args!("remove {}{all}", path.display()))?;
        }
        for note in &self.notes {
            console.line(format_args!("note: {note}"))?;
        }
        Ok(())
    }

    fn json(&self, dry: bool, console: &Console) -> Result<(), Failure> {
        let mut value = self.undo.to_json(dry);
        value["removed"] = json!(self.paths);
        value["notes"] = json!(self.notes);
        console.value(&value)
    }
}

/// A file, or a directory with all that is in it; what a symbolic link leads to stays.
fn remove(path: &Path) -> Result<(), Failure> {
    let is_directory = path.symlink_metadata().is_ok_and(|found| found.is_dir());
    let removed = match is_directory {
        true => std::fs::remove_dir_all(path),
        false => std::fs::remove_file(path),
    };
    match removed {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(()),
        removed => removed.map_err(Failure::io(format!("cannot remove {}", path.display()))),
    }
}
