//! What installing, checking and undoing share: the machine, the files of users, their failures.

use std::path::{Path, PathBuf};

use weir_agents::config::{
    Directories, Document, FileError, HOSTS, Host, Mask, Records, differences, gateway_option,
    gateway_options,
};

use crate::context::{Context, own_program};
use crate::failure::Failure;
use crate::help::is_near;
use crate::report::advice;

/// The version of the shape of `--json`.
pub(super) const SHAPE: u32 = 1;

/// What installing and undoing need to know of the machine.
pub(crate) struct Machine {
    pub(crate) directories: Directories,
    pub(crate) records: Records,
    /// The gateway's file of servers.
    pub(crate) servers: PathBuf,
    /// The one that a gateway reads which is told of no other.
    pub(crate) usual_servers: PathBuf,
    /// This program.
    pub(crate) program: String,
    /// Arguments that the gateway needs to run as this command does.
    pub(crate) forwarded: Vec<String>,
    /// The same for the hook, which knows no servers.
    pub(crate) forwarded_to_hook: Vec<String>,
    pub(crate) state: PathBuf,
    /// Where results are stored.
    pub(crate) store: PathBuf,
}

impl Machine {
    pub(crate) fn of(servers: Option<&PathBuf>, context: &Context<'_>) -> Result<Machine, Failure> {
        let home = context.home()?;
        let program = own_program()?;
        let forwarded_to_hook: Vec<String> =
            context.installed().iter().map(|word| word.to_string_lossy().into_owned()).collect();
        let mut forwarded = forwarded_to_hook.clone();
        if let Some(servers) = servers {
            let servers = std::path::absolute(servers).unwrap_or_else(|_| servers.clone());
            forwarded.extend(["--servers".into(), servers.to_string_lossy().into_owned()]);
        }
        let state = context.state_dir()?;
        let config = context.config_dir()?;
        let usual_servers = config.join("servers.json");
        // Many hosts give a server few variables: what these name now is named in the entry.
        let mut name = |variable: &str, usual: &str, flag: &str, path: &Path| {
            let set = std::env::var_os(variable).filter(|set| Path::new(set).is_absolute());
            let is_moved = set.is_some_and(|set| Path::new(&set) != home.join(usual));
            if is_moved && gateway_option(&forwarded, flag).is_none() {
                forwarded.extend([flag.to_owned(), path.to_string_lossy().into_owned()]);
            }
        };
        name("XDG_CONFIG_HOME", ".config", "--servers", &usual_servers);
        if let Some(file) = context.configuration_file() {
            name("XDG_CONFIG_HOME", ".config", "--config", &file);
        }
        name("XDG_STATE_HOME", ".local/state", "--state", &state);
        name("XDG_DATA_HOME", ".local/share", "--store", &context.store()?);
        Ok(Machine {
            directories: Directories::new(&home, &|name| std::env::var_os(name)),
            // Beside the servers, which are as dear.
            records: Records::new(config.join("installed"), state.join("installed")),
            servers: match servers {
                Some(file) => file.clone(),
                None => usual_servers.clone(),
            },
            usual_servers,
            program: program.to_string_lossy().into_owned(),
            forwarded,
            forwarded_to_hook,
            state,
            store: context.store()?,
        })
    }
}

/// A failure of a file of a user, which is as it was.
impl From<FileError> for Failure {
    fn from(error: FileError) -> Failure {
        let text = error.to_string();
        match &error {
            FileError::Syntax { .. } => {
                Failure::usage(text, "correct the file and run the command again")
            }
            FileError::ReadOnly { .. } => {
                Failure::usage(text, "allow writing it, or change it where it comes from")
            }
            FileError::Changed { .. } => Failure::usage(text, "run the command again"),
            FileError::Read { source, .. } | FileError::Write { source, .. } => {
                let usual = || "correct the file or move it away; it is as it was".to_owned();
                Failure::usage(format!("{text}: {source}"), advice(source).unwrap_or_else(usual))
            }
        }
    }
}

pub(crate) fn host(name: &str) -> Result<&'static Host, Failure> {
    weir_agents::config::host(name).ok_or_else(|| {
        let names: Vec<&str> = HOSTS.iter().map(|host| host.name).collect();
        let aliases = HOSTS.iter().flat_map(|host| host.aliases).copied();
        let known: Vec<&str> = names.iter().copied().chain(aliases).collect();
        Failure::usage(
            format!("unknown host `{name}`"),
            match near(name, &known).as_slice() {
                [] => format!("the hosts are {}", names.join(", ")),
                near => {
                    format!("did you mean {}? `weir install --help` lists them", near.join(" or "))
                }
            },
        )
    })
}

/// The options of a host's entry of the gateway, where it has one.
pub(super) fn gateway_of(host: &Host, machine: &Machine) -> Option<Vec<String>> {
    let file = host.file(&machine.directories);
    let node = Document::read(&file).ok()?.node().ok()?;
    host.servers_in(&file, &node).iter().find_map(|server| gateway_options(&server.entry))
}

/// The names that somebody may have meant.
pub(crate) fn near<'a>(written: &str, names: &[&'a str]) -> Vec<&'a str> {
    names.iter().copied().filter(|name| is_near(written, name)).take(3).collect()
}

/// The difference of a file for people, without its secrets.
pub(super) fn difference(document: &Document, after: &str) -> String {
    let before = document.text.as_deref().unwrap_or_default();
    let nodes: Vec<_> =
        [before, after].iter().filter_map(|text| document.format.read(text).ok()).collect();
    let mask = Mask::of(&nodes);
    differences(before, after, &|line| mask.hide(line))
}
