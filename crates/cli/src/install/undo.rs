//! `weir install --undo`: every file as it was, or without our change where others have written since.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use weir_agents::config::{
    Change, Document, Edit, HOSTS, Host, Node, Record, Undone, hosts_of, is_gateway,
};

use super::check::lost;
use super::hooks;
use super::machine::{Machine, SHAPE, difference, gateway_of, host};
use super::{DRY_RUN_FIRST, confirmed, must_ask};
use crate::args::Install;
use crate::console::Console;
use crate::{Answer, Failure};

/// The name of the record of the gateway's own file.
const SERVERS: &str = "servers";

/// A file, and what it is to hold; none when it is to go.
struct Step {
    host: &'static str,
    document: Document,
    after: Option<String>,
    exactly: bool,
    /// Whether it is known what was there before.
    known: bool,
    record: Option<Record>,
    /// What is taken back of a file that someone has changed, and that goes: it is kept.
    changed: Option<Record>,
    /// Where.
    copy: Option<PathBuf>,
    /// Directories that were made for the file, the innermost first: they go with it when nothing else is
    /// in them.
    directories: Vec<PathBuf>,
}

impl Step {
    fn new(host: &'static str, document: Document, after: Option<String>, exactly: bool) -> Step {
        let (known, record, changed, copy, directories) = (true, None, None, None, Vec::new());
        Step { host, document, after, exactly, known, record, changed, copy, directories }
    }
}

pub(super) fn run(
    arguments: &Install,
    machine: &Machine,
    console: &Console,
) -> Result<Answer, Failure> {
    let named: Vec<&'static Host> =
        arguments.hosts.iter().map(|name| host(name)).collect::<Result<_, _>>()?;
    let plan = Undo::plan(&named, arguments.file.as_deref(), machine)?;
    if plan.steps.is_empty() {
        return Err(nothing(machine));
    }
    if arguments.dry_run {
        return plan.told(true, console);
    }
    if !arguments.yes {
        must_ask(DRY_RUN_FIRST)?;
        if !console.json() {
            plan.shown(console)?;
            console.flush_all()?;
        }
        if !confirmed("Take these changes back?")? {
            console.note("nothing was changed");
            return Ok(Answer::No);
        }
    }
    plan.carried_out(machine)?.told(false, console)
}

/// Nothing is known of what was installed. What still runs Weir is named.
fn nothing(machine: &Machine) -> Failure {
    let runs = |host: &&Host| gateway_of(host, machine).is_some();
    let left: Vec<&str> = HOSTS.iter().filter(runs).map(|host| host.name).collect();
    if left.is_empty() {
        return Failure::usage(
            "there is nothing to undo",
            "`weir status` names the agents that have Weir",
        );
    }
    Failure::usage(
        format!(
            "there is nothing to undo: no record says what was changed. Still with an entry of the gateway: {}",
            left.join(", ")
        ),
        format!(
            "`weir install {} --undo` takes the entry out, where the servers are still in {}",
            left.join(" "),
            machine.servers.display()
        ),
    )
}

/// Every entry of the gateway that no record knows is taken out too.
pub(super) fn everything(machine: &Machine) -> Result<Undo, Failure> {
    let mut plan = Undo::plan(&[], None, machine)?;
    for host in HOSTS.iter().filter(|host| host.has_servers()) {
        let file = host.file(&machine.directories);
        let known = |step: &Step| same(&step.document.path, &file);
        if !plan.steps.iter().any(known) && !plan.left.iter().any(|left| same(&left.file, &file)) {
            let ours = gateway_of(host, machine);
            plan.steps.extend(ours.map(|_| without_record(host, &file, machine)).transpose()?);
        }
    }
    for host in HOSTS {
        let Some(file) = hooks::shared_file(host, machine) else { continue };
        // A step that is there may be of the same file.
        if !plan.steps.iter().any(|step| same(&step.document.path, &file)) {
            plan.steps.extend(hook_without_record(host, &file));
        }
    }
    Ok(plan)
}

/// What taking back changes, before anything is changed; afterwards what it has changed.
pub(super) struct Undo {
    steps: Vec<Step>,
    left: Vec<Left>,
}

impl Undo {
    /// For these hosts, or all of them; for one file of theirs where it is named.
    pub(super) fn plan(
        named: &[&'static Host],
        file: Option<&Path>,
        machine: &Machine,
    ) -> Result<Undo, Failure> {
        let mut steps = Vec::new();
        let wanted = |record: &Record| {
            let by_name = named.is_empty() || named.iter().any(|host| host.name == record.host);
            by_name && file.is_none_or(|file| same(file, &record.file))
        };
        let records = machine.records.all();
        let (servers, records): (Vec<Record>, Vec<Record>) =
            records.into_iter().partition(|record| record.host == SERVERS);
        let (mut mine, mut others): (Vec<Record>, Vec<Record>) =
            records.into_iter().partition(wanted);
        let without: Vec<&Host> = named
            .iter()
            .filter(|host| !mine.iter().any(|r| r.host == host.name))
            .copied()
            .collect();
        // A file that cannot be undone keeps no other from it.
        let mut left: Vec<Left> = Vec::new();
        let mut failure = None;
        mine.retain(|record| match of_record(record) {
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
            let file = match file {
                Some(file) => std::path::absolute(file).unwrap_or_else(|_| file.to_owned()),
                None => host.file(&machine.directories),
            };
            steps.push(without_record(host, &file, machine)?);
        }
        // An installation that failed may have written the gateway's file alone.
        let all = named.is_empty() && others.is_empty();
        let any = !steps.is_empty();
        for record in servers {
            if all || any && same(&record.file, &machine.servers) {
                steps.extend(of_servers(record, &mine, &others)?);
            }
        }
        Ok(Undo { steps, left })
    }

    /// Whether an entry goes of which no record says what was there before.
    pub(super) fn is_from_memory(&self) -> bool {
        self.steps.iter().any(|step| !step.known)
    }

    /// Whether there is anything to take back.
    pub(super) fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }

    /// Whether a file goes.
    pub(super) fn removes(&self, file: &Path) -> bool {
        self.steps.iter().any(|step| step.after.is_none() && same(&step.document.path, file))
    }

    /// Whether a file stays as it is, although it should not.
    pub(super) fn is_partial(&self) -> bool {
        !self.left.is_empty()
    }

    pub(super) fn carried_out(mut self, machine: &Machine) -> Result<Undo, Failure> {
        let hosts_steps = self.steps.iter().filter(|step| step.host != SERVERS).count();
        let mut done: Vec<Step> = Vec::new();
        for mut step in self.steps {
            if step.host == SERVERS && done.len() < hosts_steps {
                // Its servers are still those of a host.
                continue;
            }
            match carry_out(&mut step, machine) {
                Ok(()) => done.push(step),
                Err(error) if done.is_empty() => return Err(error),
                Err(error) => {
                    let file = step.document.path.clone();
                    self.left.push(Left { file, problem: error.to_string() });
                }
            }
        }
        remove_made_directories(&done);
        Ok(Undo { steps: done, left: self.left })
    }

    /// The changes, as differences.
    pub(super) fn shown(&self, console: &Console) -> Result<(), Failure> {
        for step in &self.steps {
            let verb = if step.after.is_none() { "remove" } else { "change" };
            console.line(format_args!("{verb} {}", step.document.path.display()))?;
            console.line(difference(&step.document, step.after.as_deref().unwrap_or_default()))?;
        }
        Ok(())
    }

    /// What was done, or is to be done in a dry run.
    pub(super) fn told(&self, dry: bool, console: &Console) -> Result<Answer, Failure> {
        let answer = if self.left.is_empty() { Answer::Yes } else { Answer::No };
        if console.json() {
            console.value(&self.to_json(dry))?;
            return Ok(answer);
        }
        if dry {
            self.shown(console)?;
        }
        for step in self.steps.iter().filter(|_| !dry) {
            let path = step.document.path.display();
            let done = match (&step.copy, &step.after, step.exactly) {
                (Some(copy), ..) => format!(
                    "taken out, although it was changed since; what it held is in {}",
                    copy.display()
                ),
                (None, None, _) => "removed, as it was not there before".into(),
                (None, Some(_), true) => "as it was before".into(),
                (None, Some(_), false) if !step.known => {
                    "the entry is out; no record says what was there before: servers that it had are in \
                     the gateway's file".into()
                }
                (None, Some(_), false) => "our change is out; what others wrote since stays".into(),
            };
            console.line(format_args!("{path}: {done}"))?;
        }
        for Left { file, problem } in &self.left {
            console.line(format_args!("{}: left as it is: {problem}", file.display()))?;
        }
        if dry {
            console.line("nothing was changed (--dry-run)")?;
        } else if !self.left.is_empty() {
            console.note("hint: correct these files, then run `weir install --undo` again");
        }
        Ok(answer)
    }

    pub(super) fn to_json(&self, dry: bool) -> Value {
        let file = |step: &Step| {
            let after = step.after.as_deref().unwrap_or_default();
            json!({
                "host": step.host, "file": step.document.path, "exactly": step.exactly,
                "removed": step.after.is_none(), "diff": difference(&step.document, after),
            })
        };
        let left = |left: &Left| json!({"file": left.file, "problem": left.problem});
        json!({
            "shape": SHAPE, "dry_run": dry, "undone": self.steps.iter().map(file).collect::<Vec<_>>(),
            "left": self.left.iter().map(left).collect::<Vec<_>>(),
        })
    }
}

/// A file that stays as it is, although it should not.
struct Left {
    file: PathBuf,
    problem: String,
}

fn carry_out(step: &mut Step, machine: &Machine) -> Result<(), Failure> {
    if let (Some(record), Some(now)) = (&step.changed, &step.document.text) {
        let copy = machine.records.keep_copy(record, now)?;
        step.copy = Some(copy);
    }
    match &step.after {
        Some(after) if step.document.text.as_deref() != Some(after) => {
            step.document.clone().replace(after)?;
        }
        None if step.document.text.is_some() => {
            step.document.clone().remove()?;
            remove_own_directory(&step.document.path);
        }
        _ => {}
    }
    match &step.record {
        Some(record) => machine.records.write(record)?,
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

fn of_record(record: &Record) -> Result<Step, Failure> {
    let document = Document::read(&record.file)?;
    let undone =
        record.undo(document.text.as_deref()).map_err(|error| cannot(&record.file, error))?;
    let changed = matches!(undone, Undone::Changed(_)).then(|| record.clone());
    let host = weir_agents::config::host(&record.host).map_or("", |host| host.name);
    // Somebody has changed the lines of our hook: it goes all the same.
    let had = record.before.as_deref().and_then(|before| without_hook(&document, before));
    if had.is_none()
        && let Undone::Merged(text) = &undone
        && let Some(after) = without_hook(&document, text)
    {
        let directories = record.directories.clone();
        return Ok(Step { directories, ..Step::new(host, document, Some(after), false) });
    }
    let (after, exactly) = (undone.text().map(str::to_owned), !matches!(undone, Undone::Merged(_)));
    let directories = record.directories.clone();
    Ok(Step { changed, directories, ..Step::new(host, document, after, exactly) })
}

/// A text of this file without our hook, where it is in there.
fn without_hook(document: &Document, text: &str) -> Option<String> {
    let edit = hooks::taken_out(&document.format.read(text).ok()?);
    if edit.is_empty() { None } else { edit.apply(document.format, text).ok() }
}

/// A hook that was put in by hand, or whose record is lost.
fn hook_without_record(host: &'static Host, file: &Path) -> Option<Step> {
    let document = Document::read(file).ok()?;
    let after = without_hook(&document, document.text.as_deref()?)?;
    Some(Step::new(host.name, document, Some(after), false))
}

/// An entry that was put in by hand, or whose record is lost.
fn without_record(host: &'static Host, file: &Path, machine: &Machine) -> Result<Step, Failure> {
    let document = Document::read(file)?;
    let node = document.node()?;
    let mut servers = host.servers_in(file, &node).into_iter();
    let Some(ours) = servers.find(|server| is_gateway(&server.entry)) else {
        return Err(Failure::usage(
            format!("{} has no entry of the gateway", file.display()),
            "nothing was changed",
        ));
    };
    if let Some(failure) = lost(host, &ours, machine) {
        return Err(failure);
    }
    let edit = Edit { changes: vec![ours.removal()] };
    let text = document.text.as_deref().unwrap_or_default();
    let after = edit.apply(document.format, text).map_err(|error| cannot(file, error))?;
    Ok(Step { known: false, ..Step::new(host.name, document, Some(after), false) })
}

/// The gateway's file: what was put in for these hosts, and is used by no other, goes; what others use is for them
/// alone. What the user has changed there stays.
fn of_servers(record: Record, mine: &[Record], others: &[Record]) -> Result<Option<Step>, Failure> {
    let document = Document::read(&record.file)?;
    let Some(now) = document.text.clone() else { return Ok(None) };
    if others.is_empty() && now == record.after {
        let directories = record.directories;
        return Ok(Some(Step { directories, ..Step::new(SERVERS, document, record.before, true) }));
    }
    let node = document.node()?;
    let before = document.format.read(record.before.as_deref().unwrap_or_default());
    let before = before.unwrap_or_default();
    let users = |name: &String, by: &[Record]| -> Vec<String> {
        by.iter().filter(|r| r.servers.contains(name)).map(|r| r.host.clone()).collect()
    };
    let mut names: Vec<&String> = mine.iter().flat_map(|record| &record.servers).collect();
    names.sort();
    names.dedup();
    let mut edit = Edit::new();
    let mut kept = record.clone();
    for name in names {
        // Of a server that was there already nothing but its hosts may have been changed.
        let about = |change: &&Change| entry_of(change.path()).last() == Some(name);
        let Some(first) = record.edit.changes.iter().find(about) else { continue };
        let path = entry_of(first.path()).to_vec();
        let remaining = users(name, others);
        if remaining.is_empty() && first.path() == path {
            let Change::Set { value, .. } = first else { continue };
            kept.edit.changes.retain(|change| entry_of(change.path()) != path);
            if node.at(&path).is_some_and(|now| without_hosts(now) == without_hosts(value)) {
                edit.changes.push(Change::Remove { path });
                continue;
            }
        }
        let hosts = |node: &Node| hosts_of(node.at(&path)?).ok().flatten();
        let (Some(mut now), had) = (hosts(&node), hosts(&before).unwrap_or_default()) else {
            continue;
        };
        let gone = users(name, mine);
        let count = now.len();
        now.retain(|host| !gone.contains(host) || remaining.contains(host) || had.contains(host));
        if now.len() < count {
            let value = Node::List(now.into_iter().map(Node::Text).collect());
            let change = Change::Set { path: [path, vec!["hosts".into()]].concat(), value };
            edit.changes.push(change.clone());
            kept.edit.changes.push(change);
        }
    }
    let after = edit.apply(document.format, &now).map_err(|error| cannot(&record.file, error))?;
    kept.after = if now == record.after { after.clone() } else { record.after };
    let record = (!others.is_empty()).then_some(kept);
    Ok(Some(Step { record, ..Step::new(SERVERS, document, Some(after), false) }))
}

/// The path of the entry of a server that a change is about: of the entry itself, or of its hosts.
fn entry_of(path: &[String]) -> &[String] {
    match path {
        [entry @ .., last] if last == "hosts" && entry.len() > 1 => entry,
        path => path,
    }
}

fn without_hosts(entry: &Node) -> Node {
    let members = entry.as_map().unwrap_or_default().iter();
    Node::Map(members.filter(|(key, _)| key != "hosts").cloned().collect())
}
