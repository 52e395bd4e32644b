//! The gateway's own file of servers, and what is taken over into it.

use std::path::Path;

use weir_agents::config::{
    Change, Document, ENTRY, Edit, Format, Host, Node, Server, find_servers, hosts_of, is_gateway,
    meaning, to_json_entry,
};
use weir_gateway::config as gateway;

use crate::failure::Failure;

/// `servers.json`, with the changes that are to be made.
pub(super) struct ServersFile {
    pub(super) document: Document,
    pub(super) edit: Edit,
    /// The keys that lead to the servers.
    path: Vec<String>,
    /// The servers, those that are to be added included.
    known: Vec<Known>,
}

/// A server of the file.
struct Known {
    name: String,
    /// Its name for clients, where no other that they see has it.
    seen_as: String,
    /// What its entry means, whoever it is for.
    means: Node,
    /// The agent hosts that it is for; `None` where it is for every one.
    hosts: Option<Vec<String>>,
}

impl Known {
    fn new(name: &str, entry: &Node) -> Known {
        let wanted = entry.at(&["weir", "name"]).and_then(Node::as_text);
        Known {
            name: name.to_owned(),
            seen_as: wanted.unwrap_or(name).to_owned(),
            means: meaning(entry),
            // One that nobody can use is for nobody.
            hosts: hosts_of(entry).unwrap_or_else(|_| Some(Vec::new())),
        }
    }

    fn is_for(&self, host: &str) -> bool {
        self.hosts.as_ref().is_none_or(|hosts| hosts.iter().any(|known| known == host))
    }
}

/// What became of a server.
pub(super) struct Taken {
    pub(super) outcome: Outcome,
    /// Its name in the file; its own when it was left out.
    pub(super) name: String,
    /// Its name for clients.
    pub(super) seen_as: String,
    /// What a person should know.
    pub(super) note: Option<String>,
}

/// Where a server comes from.
pub(super) struct Origin<'a> {
    pub(super) file: &'a Path,
    pub(super) format: Format,
    /// What is put before a name that is taken.
    pub(super) label: &'a str,
    /// The agent host that is to have it; every one, where none is named.
    pub(super) host: Option<&'a str>,
}

impl<'a> Origin<'a> {
    /// A file of an agent host, for that host.
    pub(super) fn of(host: &Host, file: &'a Path, format: Format) -> Origin<'a> {
        Origin { file, format, label: host.name, host: Some(host.name) }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Outcome {
    /// It is added.
    Added,
    /// It is there already.
    Same,
    /// Another server has its name.
    Conflict,
    /// It is the gateway, or a part of its host.
    Foreign,
}

impl ServersFile {
    pub(super) fn read(file: &Path) -> Result<ServersFile, Failure> {
        let document = Document::read(file)?;
        let node = document.node()?;
        let (path, servers) = find_servers(&node).unwrap_or_else(|| {
            let key = if document.format == Format::Json { "mcpServers" } else { "mcp_servers" };
            (vec![key.to_owned()], Vec::new())
        });
        let known = servers.iter().map(|server| Known::new(&server.name, &server.entry)).collect();
        Ok(ServersFile { document, edit: Edit::new(), path, known })
    }

    /// Takes a server over, for one agent host where one is named, else for every one. With `rename`, one whose name
    /// another server has gets a name of its own in the file.
    pub(super) fn take(&mut self, server: &Server, from: &Origin<'_>, rename: bool) -> Taken {
        let taken = |outcome, name: &str, note: Option<String>| Taken {
            outcome,
            name: name.to_owned(),
            seen_as: name.to_owned(),
            note,
        };
        let name = server.name.as_str();
        if is_gateway(&server.entry) {
            return taken(Outcome::Foreign, name, Some("the gateway itself".into()));
        }
        if server.is_built_in() || server.entry.as_map().is_none() {
            return taken(Outcome::Foreign, name, Some("a part of the host".into()));
        }
        let mut entry = to_json_entry(server, from.format, from.file);
        let means = meaning(&entry);
        let same = |known: &&Known| known.means == means;
        let is_its = |known: &&Known| from.host.is_none_or(|host| known.is_for(host));
        let known = self.known.iter().filter(same).find(is_its);
        if let Some(known) = known.or_else(|| self.known.iter().find(same)) {
            let (known, seen_as) = (known.name.clone(), known.seen_as.clone());
            if let Some(host) = from.host {
                self.give(&known, host);
            }
            let note = (known != name).then(|| format!("the same as {known}"));
            return Taken { seen_as, ..taken(Outcome::Same, &known, note) };
        }
        let mut chosen = name.to_owned();
        if self.is_taken(&chosen) {
            let project = server.project.as_deref().and_then(|project| project.rsplit('/').next());
            let prefix = project.filter(|project| !project.is_empty()).unwrap_or(from.label);
            let free = std::iter::once(format!("{prefix}-{name}"))
                .chain((2..).map(|nth| format!("{prefix}-{name}-{nth}")))
                .find(|name| !self.is_taken(name));
            let free = free.unwrap_or_default();
            if !rename {
                let note = format!("another server has this name; --rename takes it as {free}");
                return taken(Outcome::Conflict, name, Some(note));
            }
            chosen = free;
        }
        if let Some(host) = from.host {
            // Where its own host does not see the other one, it keeps its name there.
            let wanted = (chosen != name && server.project.is_none()).then_some(name);
            for_host(&mut entry, host, wanted);
        }
        let mut path = self.path.clone();
        path.push(chosen.clone());
        self.edit.changes.push(Change::Set { path, value: entry.clone() });
        let known = Known::new(&chosen, &entry);
        let seen_as = known.seen_as.clone();
        self.known.push(known);
        let note = match (runs(&entry), seen_as == name) {
            (Err(reason), _) => Some(format!("kept, but the gateway cannot run it: {reason}")),
            (Ok(()), false) => Some(format!("as {chosen}")),
            (Ok(()), true) => None,
        };
        Taken { seen_as, ..taken(Outcome::Added, &chosen, note) }
    }

    fn is_taken(&self, name: &str) -> bool {
        name == ENTRY || self.known.iter().any(|known| known.name == name)
    }

    /// Lets an agent host have a server of the file; whether it had not.
    fn give(&mut self, name: &str, host: &str) -> bool {
        let known = self.known.iter_mut().find(|known| known.name == name);
        let Some(known) = known.filter(|known| !known.is_for(host)) else { return false };
        let hosts = known.hosts.get_or_insert_default();
        hosts.push(host.to_owned());
        let mut path = self.path.clone();
        path.extend([name.to_owned(), "hosts".to_owned()]);
        let value = Node::List(hosts.iter().map(|host| Node::Text(host.clone())).collect());
        self.edit.changes.push(Change::Set { path, value });
        true
    }

    /// Lets an agent host have every server of the file; the names of those that it had not.
    pub(super) fn share(&mut self, host: &str) -> Vec<String> {
        let mut names: Vec<String> = self.known.iter().map(|known| known.name.clone()).collect();
        names.retain(|name| self.give(name, host));
        names
    }

    /// Whether any server is not for every agent host.
    pub(super) fn knows_hosts(&self) -> bool {
        self.known.iter().any(|known| known.hosts.is_some())
    }

    /// The servers that are for every agent host.
    pub(super) fn of_every_host(&self) -> impl Iterator<Item = &str> {
        let every = self.known.iter().filter(|known| known.hosts.is_none());
        every.map(|known| known.name.as_str())
    }

    /// Whether an agent host has a server that means the same behind the gateway.
    pub(super) fn has(&self, server: &Server, format: Format, file: &Path, host: &str) -> bool {
        let means = meaning(&to_json_entry(server, format, file));
        self.known.iter().any(|known| known.means == means && known.is_for(host))
    }

    /// The text of the file with the changes made.
    pub(super) fn edited(&self) -> Result<String, Failure> {
        let text = self.document.text.as_deref().unwrap_or_default();
        self.edit.apply(self.document.format, text).map_err(|error| {
            Failure::usage(
                format!("{} cannot be edited: {error}", self.document.path.display()),
                "correct the file; nothing was changed",
            )
        })
    }
}

/// Says in an entry which host it is for, and by which name that knows it.
fn for_host(entry: &mut Node, host: &str, wanted: Option<&str>) {
    let Node::Map(members) = entry else { return };
    members.retain(|(key, _)| key != "hosts");
    members.push(("hosts".into(), Node::List(vec![host.into()])));
    let Some(wanted) = wanted else { return };
    let name = ("name".to_owned(), Node::from(wanted));
    match members.iter_mut().find(|(key, _)| key == "weir") {
        Some((_, Node::Map(own))) if own.iter().all(|(key, _)| key != "name") => own.push(name),
        Some(_) => {}
        None => members.push(("weir".into(), Node::Map(vec![name]))),
    }
}

/// Whether the gateway can run a server, whatever the variables of this shell.
pub(super) fn runs(entry: &Node) -> Result<(), String> {
    let text = serde_json::json!({"mcpServers": {"server": entry}}).to_string();
    let anything = |name: &str| std::env::var(name).ok().or_else(|| Some("unset".to_owned()));
    match gateway::parse(Path::new("servers.json"), &text, &anything) {
        Ok(config) => config.broken.into_values().next().map_or(Ok(()), Err),
        Err(error) => Err(error.to_string()),
    }
}
