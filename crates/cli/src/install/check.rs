//! What is wrong with the files of the hosts of this machine, for `weir doctor`.

use std::path::{Path, PathBuf};

use weir_agents::config::{
    Document, FileError, HOSTS, Host, Node, OwnRules, Server, gateway_option, gateway_options,
    is_gateway,
};

use weir_gateway::config as gateway;

use super::hooks::{self, is_there};
use super::machine::Machine;
use super::servers::ServersFile;
use crate::failure::Failure;
use crate::left_out::left_out_skills;

/// Something that a user should mend.
pub(crate) struct Trouble {
    pub(crate) host: &'static str,
    pub(crate) file: PathBuf,
    pub(crate) what: String,
    pub(crate) hint: String,
}

/// Looks at the files of all hosts of this machine.
pub(crate) fn check(machine: &Machine) -> Vec<Trouble> {
    let servers = ServersFile::read(&machine.servers);
    let mut troubles = Vec::new();
    if let Some(what) = of_file(&machine.servers) {
        troubles.push(Trouble {
            host: "weir",
            file: machine.servers.clone(),
            what,
            hint: "correct the file, or move it away: the gateway cannot read it".into(),
        });
    }
    let config = std::fs::read_to_string(&machine.servers).ok().and_then(|text| {
        gateway::parse(&machine.servers, &text, &|name| std::env::var(name).ok()).ok()
    });
    for (_, file, what) in config.map(|c| left_out_skills(&c.servers)).unwrap_or_default() {
        let hint = "correct its SKILL.md: agents that read strict YAML leave it out, too".into();
        troubles.push(Trouble { host: "weir", file, what, hint });
    }
    for host in HOSTS.iter().filter(|host| host.is_installed(&machine.directories)) {
        let file = host.file(&machine.directories);
        let mut add = |file: &Path, what: String, hint: &str| {
            troubles.push(Trouble {
                host: host.name,
                file: file.to_owned(),
                what,
                hint: hint.into(),
            });
        };
        for (file, program) in hooks::programs_of_plugins(host, machine) {
            if !is_there(&program) {
                let what = format!("a plugin runs {program}, which is not there");
                add(&file, what, "run `weir install` again, or remove the plugin");
            }
        }
        match Document::read(&file).and_then(|document| Ok((document.node()?, document))) {
            _ if !host.has_servers() => {}
            Ok((node, document)) => {
                let machine = (machine, servers.as_ref().ok());
                of_servers(host, &document, &node, machine, &mut add);
            }
            Err(error) => {
                add(&file, unreadable(&error), "correct the file: the host may reject it whole");
            }
        }
        for scope in host.hook_files {
            let file = machine.directories.path(*scope);
            let told = file == host.file(&machine.directories);
            of_hooks(&file, told, &mut add);
        }
    }
    troubles
}

/// What is wrong with the hooks of a file. That it cannot be read may be `told` already.
fn of_hooks(file: &Path, told: bool, add: &mut impl FnMut(&Path, String, &str)) {
    let document = Document::read(file).and_then(|d| Ok((d.node()?, d.text.is_some())));
    match document {
        Ok((_, false)) => {}
        Ok((node, true)) => {
            for (_, line) in hooks::our_lines(&node) {
                let program = line.program();
                if !is_there(program) {
                    let what = format!("a hook runs {program}, which is not there");
                    add(file, what, "run `weir install` again, or take the hook out");
                } else if !line.is_guarded {
                    let what =
                        "a hook is of a form that can take results away when its program is gone";
                    add(file, what.into(), "run `weir install` again: it writes one that cannot");
                }
            }
        }
        Err(_) if told => {}
        Err(error) => {
            add(file, unreadable(&error), "correct the file: the host may reject it whole");
        }
    }
}

/// What keeps the gateway from reading its file of servers, where that is there.
fn of_file(servers: &Path) -> Option<String> {
    let text = match Document::read(servers) {
        Ok(document) => document.text?,
        Err(error) => return Some(unreadable(&error)),
    };
    let error = gateway::parse(servers, &text, &|name| std::env::var(name).ok()).err()?.to_string();
    let named = format!("{} ", servers.display());
    Some(error.strip_prefix(&named).map(str::to_owned).unwrap_or(error))
}

/// What is wrong with a file that is named beside it.
fn unreadable(error: &FileError) -> String {
    match error {
        FileError::Syntax { format, source, .. } => format!("this is not valid {format}: {source}"),
        FileError::Read { source, .. } => format!("it cannot be read: {source}"),
        _ => error.to_string(),
    }
}

fn of_servers(
    host: &Host,
    document: &Document,
    node: &Node,
    (machine, servers): (&Machine, Option<&ServersFile>),
    add: &mut impl FnMut(&Path, String, &str),
) {
    let found = host.servers_in(&document.path, node);
    let Some(ours) = found.iter().find(|server| is_gateway(&server.entry)) else { return };
    if let Some(program) = missing_program(&ours.entry) {
        add(
            &document.path,
            format!("the gateway's entry runs {program}, which is not there"),
            "run `weir install` again, or correct the entry",
        );
    }
    if let Some(rule) =
        OwnRules::read(host, &machine.directories, node, Path::new("")).block_gateway()
    {
        add(
            &document.path,
            format!("{} does not start the gateway: {rule}", host.title),
            &format!(
                "change that rule, or run `weir install {}` again, which lets excerpts name `weir fetch`",
                host.name
            ),
        );
    }
    let options = gateway_options(&ours.entry).unwrap_or_default();
    let named = gateway_option(&options, "--servers").map(Path::new);
    let file = named.unwrap_or(&machine.usual_servers);
    let alone = options.iter().any(|word| word == "--");
    if !alone && matches!(file.try_exists(), Ok(false)) {
        add(
            &document.path,
            format!("the gateway's entry reads {}, which is not there", file.display()),
            &format!(
                "`weir install {} --undo` gives its servers back, where a record has them",
                host.name
            ),
        );
    }
    if !alone
        && named.is_none()
        && gateway_option(&options, "--host").is_none()
        && servers.is_some_and(ServersFile::knows_hosts)
    {
        add(
            &document.path,
            "the gateway's entry names no --host, and gets only the servers that are for every agent".into(),
            &format!("`weir install {}` adds it", host.name),
        );
    }
    let mut twice: Vec<&str> = Vec::new();
    for server in found.iter().filter(|server| !is_gateway(&server.entry) && !server.is_disabled())
    {
        if servers
            .is_some_and(|servers| servers.has(server, document.format, &document.path, host.name))
        {
            twice.push(&server.name);
        }
    }
    if !twice.is_empty() {
        add(
            &document.path,
            format!("reached twice, directly and through the gateway: {}", twice.join(", ")),
            "`weir install` leaves them behind the gateway only",
        );
    }
}

/// What to say of an entry of the gateway whose servers are in no file that is there. What Weir would write or take out then
/// could not be taken back.
pub(super) fn lost(host: &Host, ours: &Server, machine: &Machine) -> Option<Failure> {
    let options = gateway_options(&ours.entry)?;
    let named = gateway_option(&options, "--servers").map(PathBuf::from);
    let file = named.unwrap_or_else(|| machine.usual_servers.clone());
    if options.iter().any(|word| word == "--") || !matches!(file.try_exists(), Ok(false)) {
        return None;
    }
    let hint = match machine.records.all().iter().any(|record| record.host == host.name) {
        true => format!("`weir install {} --undo` gives them back", host.name),
        false => format!(
            "put that file back from a copy; or take the entry `{}` out of the agent's file by hand, and add its servers there",
            ours.name
        ),
    };
    let what = format!(
        "the servers of {} are in no file that is known: its gateway reads {}, which is not there",
        host.title,
        file.display()
    );
    Some(Failure::usage(what, hint))
}

/// The program of an entry, when it is not there.
pub(super) fn missing_program(entry: &Node) -> Option<String> {
    let program = match entry.get("command").or_else(|| entry.get("cmd"))? {
        Node::List(words) => words.first()?.as_text()?,
        Node::Map(_) => return None,
        other => other.as_text()?,
    };
    (!is_there(program)).then(|| program.to_owned())
}
