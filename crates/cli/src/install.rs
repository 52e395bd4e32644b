//! `weir install` and `weir import`: the gateway in the hosts' files, the hosts' servers in ours.

use std::io::{IsTerminal as _, Write as _};
use std::path::{Path, PathBuf};

use serde_json::{Value, json};
use weir_agents::config::{Document, Format, HOSTS, Host, Server, host_name};

use super::args::{Import, Install};
use super::console::Console;
use super::counting::Counter;
use super::definitions::Way;
use super::numbers::{counted, group};
use super::{Answer, Context, Failure};

mod agents;
mod check;
mod hooks;
mod machine;
mod modes;
mod plan;
mod servers;
mod skills;
mod undo;
mod uninstall;

pub(crate) use agents::{Present, present};
pub(crate) use check::check;
pub(crate) use hooks::is_known as has_hook;
pub(crate) use machine::{Machine, near};
use machine::{SHAPE, difference, host};
use modes::Alike;
pub(crate) use modes::{Fronted, fronted, show as show_modes, with_hook_alone};
use plan::{HostPlan, Plan};
use servers::{Origin, Outcome, ServersFile};
pub(crate) use uninstall::uninstall;

/// The hosts that were named, else those of this machine.
fn hosts(names: &[String], machine: &Machine) -> Result<Vec<&'static Host>, Failure> {
    if names.is_empty() {
        return Ok(HOSTS.iter().filter(|host| host.is_installed(&machine.directories)).collect());
    }
    let mut hosts = Vec::new();
    for name in names {
        let host = host(name)?;
        if !hosts.contains(&host) {
            hosts.push(host);
        }
    }
    Ok(hosts)
}

pub(crate) fn install(arguments: &Install, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let machine = Machine::of(arguments.servers.as_ref(), context)?;
    if arguments.file.is_some() && arguments.hosts.len() != 1 {
        return Err(Failure::usage(
            "--file needs the name of one host",
            "write `weir install HOST --file FILE`",
        ));
    }
    if arguments.undo {
        return undo::run(arguments, &machine, console);
    }
    let hosts = hosts(&arguments.hosts, &machine)?;
    if hosts.is_empty() {
        return Err(Failure::usage(
            "no agent host was found on this machine",
            "name one: `weir install --help` lists them",
        ));
    }
    let mut counter = Counter::new(context)?;
    let mut plan = Plan::make(&hosts, arguments, &machine, &mut counter, context)?;
    plan.measure(&machine, &mut counter)?;
    plan.failed = counter.failures();
    if is_in_build_folder(Path::new(&machine.program)) && !plan.is_empty() {
        console.note(format_args!(
            "warning: {} is in a build folder: `cargo clean` would take it from your agents; `cargo install --locked --path \
             crates/cli` puts it where it stays",
            machine.program
        ));
    }
    if arguments.dry_run || plan.is_empty() {
        return shown(&plan, arguments, true, console).map(|()| plan.answer());
    }
    if !arguments.yes {
        must_ask(DRY_RUN_FIRST)?;
    }
    if !console.json() {
        shown(&plan, arguments, false, console)?;
        console.flush_all()?;
    }
    if !arguments.yes && !confirmed("Make these changes?")? {
        console.note("nothing was changed");
        return Ok(Answer::No);
    }
    plan.carry_out(&machine)?;
    if plan.has_hooks() {
        // The compiled component is kept, so that the first hook answers as fast as any other.
        if let Err(failure) = context.compile_ahead() {
            console.note(format_args!("warning: the component does not run: {failure}"));
        }
    }
    if console.json() {
        console.value(&plan.to_json(false))?;
        return Ok(plan.answer());
    }
    done(&plan, arguments, console)?;
    Ok(plan.answer())
}

/// Whether a program is where a build puts it, or leads there.
fn is_in_build_folder(program: &Path) -> bool {
    let program = program.canonicalize().unwrap_or_default();
    let mut folders = program.ancestors().skip(1);
    folders.next().is_some_and(|folder| folder.ends_with("debug") || folder.ends_with("release"))
        && folders.any(|folder| folder.ends_with("target") || folder.join("CACHEDIR.TAG").exists())
}

/// What is advised where nobody can be asked about changes.
const DRY_RUN_FIRST: &str = "look at the changes with --dry-run, then make them with --yes";

/// Fails where there is no terminal to ask on.
pub(crate) fn must_ask(hint: &str) -> Result<(), Failure> {
    if std::io::stdin().is_terminal() {
        return Ok(());
    }
    Err(Failure::usage("there is no terminal to ask for confirmation", hint))
}

/// Asks on the terminal.
pub(crate) fn confirmed(question: &str) -> Result<bool, Failure> {
    let mut err = std::io::stderr();
    let _ = write!(err, "\n{question} [y/N] ");
    let _ = err.flush();
    let mut answer = String::new();
    std::io::stdin().read_line(&mut answer).map_err(Failure::io("cannot read the answer"))?;
    Ok(matches!(answer.trim().to_ascii_lowercase().as_str(), "y" | "yes"))
}

/// What comes of it for each agent, then the changes of files.
fn shown(plan: &Plan, arguments: &Install, dry: bool, console: &Console) -> Result<(), Failure> {
    if console.json() {
        return console.value(&plan.to_json(true));
    }
    let mut agents = Alike::default();
    plan.hosts.iter().for_each(|planned| agents.add(planned.host.title, summary(planned)));
    agents.print(console)?;
    for failed in &plan.failed {
        console.line(failed)?;
    }
    if plan.hosts.iter().any(|planned| planned.problem.is_none() && planned.way.mode.is_none()) {
        console.line("`weir install HOST --mode auto` puts the servers of an agent behind the gateway all the same")?;
    }
    for (document, after) in plan.changes() {
        let verb = if document.text.is_some() { "change" } else { "new" };
        let file = document.path.display();
        match plan.is_own_file(document) && !arguments.show {
            true => {
                let lines = counted(after.lines().count() as u64, "line");
                console.line(format_args!("{verb} {file} ({lines}: --show prints them)"))?;
            }
            false => {
                console.line(format_args!("{verb} {file}"))?;
                console.line(difference(document, after))?;
            }
        }
    }
    if plan.is_empty() {
        console.line("nothing to change")?;
    } else if dry {
        console.line("nothing was changed (--dry-run)")?;
    }
    Ok(())
}

/// What an agent gets, in one line, and below it what else a person should know.
fn summary(planned: &HostPlan) -> Vec<String> {
    let HostPlan { host, way, why, counted, .. } = planned;
    if let Some(problem) = &planned.problem {
        return vec![format!("left alone: {problem}")];
    }
    let definitions = counted.as_ref().map(|counted| &counted.definitions);
    let large = counted.as_ref().filter(|_| *way != Way::default());
    let large = large.map_or_else(String::new, |counted| format!("; {}", counted.large_results()));
    let mut lines = vec![modes::line(host, *way, why, definitions) + &large];
    if !planned.shared.is_empty() {
        lines.push(format!("also gets: {} (--share)", planned.shared.join(", ")));
    }
    if !planned.skills.is_empty() {
        let directories: Vec<&str> = planned.skills.iter().map(|(_, shown)| &**shown).collect();
        lines.push(format!("also finds the skills in: {} (--skills)", directories.join(", ")));
    }
    if let Some(before) = planned.before {
        lines.push(format!("its own definitions take about {} tokens", group(before)));
    }
    if !planned.of_every.is_empty() {
        let names = planned.of_every.join(", ");
        lines.push(format!("gets, as every agent does: {names} (no `hosts`)"));
    }
    let left = planned.left.iter();
    lines.extend(left.map(|(name, reason)| format!("stays: {name} ({reason})")));
    lines.extend(planned.notes.iter().map(|note| format!("note: {note}")));
    lines
}

fn done(plan: &Plan, arguments: &Install, console: &Console) -> Result<(), Failure> {
    console.line("")?;
    let mut agents = Alike::default();
    for planned in plan.hosts.iter().filter(|planned| planned.way != Way::default()) {
        let behind = match planned.behind {
            0 => String::new(),
            count => format!(", {} behind it", counted(count as u64, "server")),
        };
        let what = match (planned.way.mode, planned.way.hook) {
            (Some(_), true) => "the gateway and the hook are in",
            (Some(_), false) => "the gateway is in",
            (None, _) => "the hook is in",
        };
        let next = format!("next: {}", planned.host.restart);
        agents.add(planned.host.title, vec![format!("{what}{behind}"), next]);
    }
    agents.print(console)?;
    let file = match &arguments.file {
        Some(file) => format!(" --file {}", file.display()),
        None => String::new(),
    };
    let names: Vec<&str> = plan.hosts.iter().map(|planned| planned.host.name).collect();
    let named =
        if arguments.hosts.is_empty() { String::new() } else { format!(" {}", names.join(" ")) };
    console.line(format_args!("undo: weir install{named}{file} --undo"))
}

pub(crate) fn import(arguments: &Import, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let machine = Machine::of(arguments.to.as_ref(), context)?;
    let mut target = ServersFile::read(&machine.servers)?;
    let host = context.host().map(host_name);
    let mut rows: Vec<Value> = Vec::new();
    for (server, format, file, label) in servers_in(&arguments.from, &machine)? {
        let from = Origin { file: &file, format, label: &label, host: host.as_deref() };
        let mut taken = target.take(&server, &from, arguments.rename);
        if let (Outcome::Added, None, Some(project)) = (taken.outcome, &taken.note, &server.project)
        {
            taken.note = Some(format!("was for the project {project} alone"));
        }
        rows.push(json!({
            "name": server.name, "from": file, "project": server.project,
            "as": taken.name, "outcome": taken.outcome, "note": taken.note,
        }));
    }
    let after = target.edited()?;
    let changed =
        target.document.text.as_deref() != Some(after.as_str()) && !target.edit.is_empty();
    if changed && !arguments.dry_run {
        target.document.replace(&after)?;
    }
    let of = |outcome: &str| -> Vec<&Value> {
        rows.iter().filter(|row| row["outcome"].as_str() == Some(outcome)).collect()
    };
    if console.json() {
        console.value(&json!({
            "shape": SHAPE, "file": machine.servers, "dry_run": arguments.dry_run, "servers": rows,
            "added": of("added").iter().map(|row| row["as"].clone()).collect::<Vec<_>>(),
        }))?;
        return Ok(Answer::Yes);
    }
    let added = of("added");
    let verb = if arguments.dry_run { "would take over" } else { "took over" };
    let names: Vec<&str> = added.iter().filter_map(|row| row["as"].as_str()).collect();
    let count = match names.len() as u64 {
        0 => "no server".into(),
        count => format!("{}: {}", counted(count, "server"), names.join(", ")),
    };
    console.line(format_args!("{}: {verb} {count}", machine.servers.display()))?;
    match &host {
        _ if names.is_empty() => {}
        Some(host) => console.line(format_args!("{host} alone gets them"))?,
        None => console.line(
            "every agent behind the gateway gets them; with --host NAME one agent alone does",
        )?,
    }
    for row in &rows {
        let name = row["name"].as_str().unwrap_or_default();
        let note = row["note"].as_str();
        match (row["outcome"].as_str(), note) {
            (Some("added"), Some(note)) => console.line(format_args!("note: {name}: {note}"))?,
            (Some("added"), None) => {}
            (_, note) => {
                console.line(format_args!("left out: {name} ({})", note.unwrap_or("the same")))?;
            }
        }
    }
    Ok(Answer::Yes)
}

/// The servers of these files, each with the form and the place of its file, and the file's name.
fn servers_in(
    from: &[String],
    machine: &Machine,
) -> Result<Vec<(Server, Format, PathBuf, String)>, Failure> {
    let (mut users, mut of_projects) = (Vec::new(), Vec::new());
    for (label, known, file) in sources(from, machine)? {
        if let Some(host) = known.filter(|host| !host.has_servers()) {
            return Err(Failure::usage(
                format!("Weir knows no file with servers of {}", host.title),
                "name the file in which the host keeps its servers",
            ));
        }
        let document = Document::read(&file)?;
        if document.text.is_none() {
            return Err(Failure::usage(
                format!("cannot read {}: there is no such file", file.display()),
                "name a host, or the file in which it keeps its servers",
            ));
        }
        let node = document.node()?;
        let mut found = match known {
            Some(host) => host.servers_in(&file, &node),
            None => {
                weir_agents::config::find_servers(&node).map(|(_, found)| found).unwrap_or_default()
            }
        };
        // Whose file it is matters for the servers of single projects only.
        let with_projects = known.or_else(|| weir_agents::config::host("claude-code"));
        found.extend(with_projects.map(|host| host.project_servers(&node)).unwrap_or_default());
        if found.is_empty() && known.is_none() {
            return Err(Failure::usage(
                format!("{} names no servers", file.display()),
                "name the file in which the host keeps its servers",
            ));
        }
        for server in found {
            let to = if server.project.is_some() { &mut of_projects } else { &mut users };
            to.push((server, document.format, file.clone(), label.clone()));
        }
    }
    // A server of one project alone does not take a name from one that all have.
    users.extend(of_projects);
    Ok(users)
}

type Source = (String, Option<&'static Host>, PathBuf);

/// The files that were named, by host or by path; else those of the hosts of this machine.
fn sources(from: &[String], machine: &Machine) -> Result<Vec<Source>, Failure> {
    if from.is_empty() {
        let installed = HOSTS.iter().filter(|host| host.is_installed(&machine.directories));
        let sources: Vec<Source> = installed
            .map(|host| (host.name.to_owned(), Some(host), host.file(&machine.directories)))
            .filter(|(_, _, file)| file.exists())
            .collect();
        if sources.is_empty() {
            return Err(Failure::usage(
                "no file of an agent host was found on this machine",
                "name a file",
            ));
        }
        return Ok(sources);
    }
    let source = |name: &String| match weir_agents::config::host(name) {
        Some(host) if !Path::new(name).is_file() => {
            Ok((host.name.to_owned(), Some(host), host.file(&machine.directories)))
        }
        _ if name.contains(['/', '\\', '.']) || Path::new(name).exists() => {
            let path = PathBuf::from(name);
            let label = path.file_stem().unwrap_or_default().to_string_lossy();
            Ok((label.trim_start_matches('.').to_owned(), None, path))
        }
        _ => host(name)
            .map(|host| (host.name.to_owned(), Some(host), host.file(&machine.directories))),
    };
    from.iter().map(source).collect()
}
