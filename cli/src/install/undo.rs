//! `weir install --undo`: every file as it was, or without our change where others have written since.

use std::path::{Path, PathBuf};

use serde_json::json;
use weir_agents::config::{Change, Document, Edit, Host, Record, Undone, is_gateway};

use super::machine::{Machine, SHAPE, difference, failed, host};
use crate::answer::Answer;
use crate::args::Install;
use crate::console::Console;
use crate::failure::Failure;

/// The name of the record of the gateway's own file.
const SERVERS: &str = "servers";

/// A file, and what it is to hold; none when it is to go.
struct Step {
    host: &'static str,
    document: Document,
    after: Option<String>,
    exactly: bool,
    record: Option<Record>,
    /// Where a file is kept that someone has changed, and that goes.
    copy: Option<PathBuf>,
    /// Directories that were made for the file, the innermost first: they go with it when nothing else is
    /// in them.
    directories: Vec<PathBuf>,
}

pub(super) fn run(
    arguments: &Install,
    machine: &Machine,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let mut steps = Vec::new();
    let mut records = machine.records.all();
    let named: Vec<&'static Host> =
        arguments.hosts.iter().map(|name| host(name)).collect::<Result<_, _>>()?;
    let wanted = |record: &Record| {
        let by_name = named.is_empty() || named.iter().any(|host| host.name == record.host);
        let by_file = arguments.file.as_ref().is_none_or(|file| same(file, &record.file));
        record.host != SERVERS && by_name && by_file
    };
    let (mut mine, mut others): (Vec<Record>, Vec<Record>) =
        records.drain(..).filter(|record| record.host != SERVERS).partition(wanted);
    let without: Vec<&Host> =
        named.iter().filter(|host| !mine.iter().any(|r| r.host == host.name)).copied().collect();
    // A file that cannot be undone keeps no other from it.
    let mut left: Vec<Left> = Vec::new();
    let mut failure = None;
    mine.retain(|record| match of_record(record, machine, arguments.dry_run) {
        Ok(step) => {
            steps.push(step);
            true
        }
        Err(error) => {
            left.push(Left { file: record.file.clone(), problem: error.to_string() });
            others.push(record.clone());
            failure.get_or_insert(error);
            false
        }
    });
    if let Some(failure) = failure.filter(|_| steps.is_empty()) {
        return Err(failure);
    }
    for host in without {
        let file = match &arguments.file {
            Some(file) => std::path::absolute(file).unwrap_or_else(|_| file.clone()),
            None => host.file(&machine.directories),
        };
        steps.push(without_record(host, &file)?);
    }
    // An installation that failed may have written the gateway's file alone.
    let servers = machine.records.get(SERVERS, &machine.servers);
    let only_servers = servers.is_some() && named.is_empty() && others.is_empty();
    if steps.is_empty() && !only_servers {
        return Err(Failure::usage("there is nothing to undo", "nothing was changed"));
    }
    let hosts_steps = steps.len();
    if let Some(record) = servers {
        steps.extend(of_servers(record, &mine, &others)?);
    }
    if !arguments.dry_run {
        let mut done: Vec<Step> = Vec::new();
        for step in steps {
            let written = match step.host == SERVERS && done.len() < hosts_steps {
                // Its servers are still those of a host.
                true => continue,
                false => carry_out(&step, machine),
            };
            match written {
                Ok(()) => done.push(step),
                Err(error) if done.is_empty() => return Err(error),
                Err(error) => {
                    let file = step.document.path.clone();
                    left.push(Left { file, problem: error.to_string() });
                }
            }
        }
        steps = done;
        remove_made_directories(&steps);
    }
    told(&steps, &left, arguments.dry_run, console)
}

/// A file that stays as it is, although it should not.
struct Left {
    file: PathBuf,
    problem: String,
}

fn carry_out(step: &Step, machine: &Machine) -> Result<(), Failure> {
    match &step.after {
        Some(after) if step.document.text.as_deref() != Some(after) => {
            step.document.clone().replace(after).map_err(|error| failed(&error))?;
        }
        None if step.document.text.is_some() => {
            step.document.clone().remove().map_err(|error| failed(&error))?;
            remove_own_directory(&step.document.path);
        }
        _ => {}
    }
    match &step.record {
        Some(record) => machine.records.write(record).map_err(|error| failed(&error))?,
        None => machine.records.forget(step.host, &step.document.path),
    }
    Ok(())
}

/// The directories that were made for files which are gone: those in which nothing is left.
fn remove_made_directories(steps: &[Step]) {
    let gone = steps.iter().filter(|step| step.after.is_none());
    let mut directories: Vec<&PathBuf> = gone.flat_map(|step| &step.directories).collect();
    directories.sort_by_key(|directory| std::cmp::Reverse(directory.components().count()));
    for directory in directories {
        let _ = std::fs::remove_dir(directory);
    }
}

/// The directory of a plugin of ours goes with its last file.
fn remove_own_directory(file: &Path) {
    if let Some(directory) = file.parent().filter(|directory| directory.ends_with("weir")) {
        // What a host's interpreter has compiled of it.
        let _ = std::fs::remove_dir_all(directory.join("__pycache__"));
        let _ = std::fs::remove_dir(directory);
    }
}

fn told(
    steps: &[Step],
    left: &[Left],
    dry: bool,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let answer = if left.is_empty() { Answer::Yes } else { Answer::No };
    if console.json() {
        let files: Vec<_> = steps
            .iter()
            .map(|step| {
                let after = step.after.as_deref().unwrap_or_default();
                json!({
                    "host": step.host, "file": step.document.path, "exactly": step.exactly,
                    "removed": step.after.is_none(), "diff": difference(&step.document, after),
                })
            })
            .collect();
        let left: Vec<_> =
            left.iter().map(|left| json!({"file": left.file, "problem": left.problem})).collect();
        console.value(&json!({"shape": SHAPE, "dry_run": dry, "undone": files, "left": left}))?;
        return Ok(answer);
    }
    for step in steps {
        let path = step.document.path.display();
        if dry {
            console.line(format_args!("change {path}"))?;
            console.line(difference(&step.document, step.after.as_deref().unwrap_or_default()))?;
            continue;
        }
        if let Some(copy) = &step.copy {
            console.line(format_args!(
                "{path}: taken out, although it was changed since; what it held is in {}",
                copy.display()
            ))?;
            continue;
        }
        match (&step.after, step.exactly) {
            (None, _) => {
                console.line(format_args!("{path}: removed, as it was not there before"))?
            }
            (Some(_), true) => console.line(format_args!("{path}: as it was before"))?,
            (Some(_), false) => {
                console.line(format_args!(
                    "{path}: our change is out; what others wrote since stays"
                ))?;
            }
        }
    }
    for Left { file, problem } in left {
        console.line(format_args!("{}: left as it is: {problem}", file.display()))?;
    }
    if dry {
        console.line("nothing was changed (--dry-run)")?;
    } else if !left.is_empty() {
        console.note("hint: correct these files, then run `weir install --undo` again");
    }
    Ok(answer)
}

fn same(a: &Path, b: &Path) -> bool {
    a == b
        || std::path::absolute(a).is_ok_and(|a| a == b)
        || a.canonicalize().ok().is_some_and(|a| b.canonicalize().ok() == Some(a))
}

fn cannot(path: &Path, error: impl std::fmt::Display) -> Failure {
    Failure::usage(
        format!("{} cannot be edited: {error}", path.display()),
        "the file is as it was; take the entry `weir` out by hand",
    )
}

fn of_record(record: &Record, machine: &Machine, dry: bool) -> Result<Step, Failure> {
    let document = Document::read(&record.file).map_err(|error| failed(&error))?;
    let undone =
        record.undo(document.text.as_deref()).map_err(|error| cannot(&record.file, error))?;
    let copy = match (&undone, document.text.as_deref()) {
        (Undone::Changed(_), Some(now)) if !dry => {
            Some(machine.records.keep_copy(record, now).map_err(|error| failed(&error))?)
        }
        _ => None,
    };
    let host = weir_agents::config::host(&record.host).map_or("", |host| host.name);
    Ok(Step {
        host,
        after: undone.text().map(str::to_owned),
        exactly: !matches!(undone, Undone::Merged(_)),
        document,
        record: None,
        copy,
        directories: record.directories.clone(),
    })
}

/// An entry that was put in by hand, or whose record is lost.
fn without_record(host: &'static Host, file: &Path) -> Result<Step, Failure> {
    let document = Document::read(file).map_err(|error| failed(&error))?;
    let node = document.node().map_err(|error| failed(&error))?;
    let mut servers = host.servers_in(file, &node).into_iter();
    let Some(ours) = servers.find(|server| is_gateway(&server.entry)) else {
        return Err(Failure::usage(
            format!("{} has no entry of the gateway", file.display()),
            "nothing was changed",
        ));
    };
    let edit = Edit { changes: vec![ours.removal()] };
    let text = document.text.as_deref().unwrap_or_default();
    let after = edit.apply(document.format, text).map_err(|error| cannot(file, error))?;
    Ok(Step {
        host: host.name,
        document,
        after: Some(after),
        exactly: false,
        record: None,
        copy: None,
        directories: Vec::new(),
    })
}

/// The gateway's file: what was put in for these hosts, and is used by no other, goes. What the user
/// has changed there stays.
fn of_servers(record: Record, mine: &[Record], others: &[Record]) -> Result<Option<Step>, Failure> {
    let document = Document::read(&record.file).map_err(|error| failed(&error))?;
    let Some(now) = document.text.clone() else { return Ok(None) };
    if others.is_empty() && now == record.after {
        return Ok(Some(Step {
            host: SERVERS,
            after: record.before,
            document,
            exactly: true,
            record: None,
            copy: None,
            directories: record.directories,
        }));
    }
    let node = document.node().map_err(|error| failed(&error))?;
    let used = |name: &str, by: &[Record]| by.iter().any(|r| r.servers.iter().any(|n| n == name));
    let mut edit = Edit::new();
    let mut kept = record.clone();
    kept.edit.changes.retain(|change| {
        let Change::Set { path, value } = change else { return true };
        let Some(name) = path.last() else { return true };
        if !used(name, mine) || used(name, others) {
            return true;
        }
        if node.at(path) == Some(value) {
            edit.changes.push(Change::Remove { path: path.clone() });
        }
        false
    });
    let after = edit.apply(document.format, &now).map_err(|error| cannot(&record.file, error))?;
    kept.after = if now == record.after { after.clone() } else { record.after };
    let record = (!others.is_empty()).then_some(kept);
    Ok(Some(Step {
        host: SERVERS,
        document,
        after: Some(after),
        exactly: false,
        record,
        copy: None,
        directories: Vec::new(),
    }))
}
