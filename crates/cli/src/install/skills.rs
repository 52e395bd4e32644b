//! Skills of the agent hosts: the directories that there are, and those that a host does not read by itself.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use weir_agents::config::{HOSTS, Host, Node, Place, Server};
use weir_gateway::config::Config;
use weir_gateway::spec::Reach;
use weir_servers::BuiltIn;
use weir_servers::skills::SKILL_FILE;

use super::machine::Machine;

/// Entries of a directory that are looked at.
const MAX_ENTRIES: usize = 2_000;

/// A directory with skills of some host.
pub(super) struct Directory {
    path: PathBuf,
    /// Where it is, behind links.
    real: PathBuf,
    /// The hosts that read it by themselves.
    readers: Vec<&'static str>,
    /// Where its skills are, behind links.
    skills: BTreeSet<PathBuf>,
}

/// The directories with skills that the hosts of this machine keep.
pub(super) fn directories(machine: &Machine) -> Vec<Directory> {
    let mut found: Vec<Directory> = Vec::new();
    for host in HOSTS {
        for scope in host.skills {
            let path = machine.directories.path(*scope);
            let Ok(real) = path.canonicalize() else { continue };
            match found.iter_mut().find(|directory| directory.real == real) {
                Some(known) => known.readers.push(host.name),
                None => {
                    let skills = skills_in(&path);
                    found.push(Directory { path, real, readers: vec![host.name], skills });
                }
            }
        }
    }
    found.retain(|directory| !directory.skills.is_empty());
    found
}

/// The directories with skills that a host gets neither by itself nor through the gateway.
pub(super) fn missing<'d>(
    host: &Host,
    directories: &'d [Directory],
    config: Option<&Config>,
) -> Vec<&'d Directory> {
    let config = config.map(|config| config.clone().for_host(Some(host.name)));
    let served = config.iter().flat_map(|config| &config.servers);
    let served = served.filter_map(|server| match &server.reach {
        Reach::BuiltIn(BuiltIn::Skills(directories)) => Some(directories),
        _ => None,
    });
    let served: BTreeSet<PathBuf> =
        served.flatten().filter_map(|directory| directory.canonicalize().ok()).collect();
    let reads = |directory: &&Directory| {
        directory.readers.contains(&host.name) || served.contains(&directory.real)
    };
    let mut has: BTreeSet<&PathBuf> =
        directories.iter().filter(reads).flat_map(|directory| &directory.skills).collect();
    let others = directories.iter().filter(|directory| !reads(directory));
    let mut missing = Vec::new();
    for other in others {
        // Of links to skills of another directory one is enough.
        let before = has.len();
        has.extend(&other.skills);
        missing.extend((has.len() > before).then_some(other));
    }
    missing
}

impl Directory {
    /// The directory as people write it.
    pub(super) fn shown(&self, machine: &Machine) -> String {
        match self.path.strip_prefix(machine.directories.home()) {
            Ok(rest) => format!("~/{}", rest.display()),
            Err(_) => self.path.display().to_string(),
        }
    }

    pub(super) fn count(&self) -> usize {
        self.skills.len()
    }

    /// The entry that serves it.
    pub(super) fn server(&self, machine: &Machine) -> Server {
        let names = self.path.components().rev().skip(1);
        let mut names = names.filter_map(|part| part.as_os_str().to_str());
        let label = names.next().unwrap_or_default().trim_start_matches('.');
        let dirs = Node::List(vec![Node::Text(self.shown(machine))]);
        let entry = vec![("builtin".to_owned(), Node::from("skills")), ("dirs".to_owned(), dirs)];
        Server {
            name: format!("{label}-skills"),
            entry: Node::Map(entry),
            place: Place::Named(Vec::new()),
            project: None,
            url_is_sse: false,
        }
    }
}

/// The skills in a directory, or one level further down.
fn skills_in(directory: &Path) -> BTreeSet<PathBuf> {
    let below = |directory: &Path| -> Vec<PathBuf> {
        let entries = directory.read_dir().into_iter().flatten().flatten().take(MAX_ENTRIES);
        entries.map(|entry| entry.path()).filter(|path| path.is_dir()).collect()
    };
    let is_skill = |path: &PathBuf| path.join(SKILL_FILE).is_file();
    let (mut skills, groups): (Vec<_>, Vec<_>) = below(directory).into_iter().partition(is_skill);
    skills.extend(groups.iter().flat_map(|group| below(group)).filter(is_skill).take(MAX_ENTRIES));
    skills.into_iter().filter_map(|skill| skill.canonicalize().ok()).collect()
}
