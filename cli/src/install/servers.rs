//! The gateway's own file of servers, and what is taken over into it.

use std::path::Path;

use weir_agents::config::{
    Change, Document, ENTRY, Edit, Format, Node, Server, find_servers, is_gateway, meaning,
    to_json_entry,
};
use weir_gateway::config as gateway;

use super::machine::failed;
use crate::failure::Failure;

/// `servers.json`, with the changes that are to be made.
pub(super) struct ServersFile {
    pub(super) document: Document,
    pub(super) edit: Edit,
    /// The keys that lead to the servers.
    path: Vec<String>,
    /// The servers with what each means, those that are to be added included.
    known: Vec<(String, Node)>,
}

/// What became of a server.
pub(super) struct Taken {
    pub(super) outcome: Outcome,
    /// Its name in the file; its own when it was left out.
    pub(super) name: String,
    /// What a person should know.
    pub(super) note: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

impl Outcome {
    pub(super) fn as_str(self) -> &'static str {
        match self {
            Outcome::Added => "added",
            Outcome::Same => "same",
            Outcome::Conflict => "conflict",
            Outcome::Foreign => "foreign",
        }
    }
}

impl ServersFile {
    pub(super) fn read(file: &Path) -> Result<ServersFile, Failure> {
        let document = Document::read(file).map_err(|error| failed(&error))?;
        let node = document.node().map_err(|error| failed(&error))?;
        let (path, servers) = find_servers(&node).unwrap_or_else(|| {
            let key = if document.format == Format::Json { "mcpServers" } else { "mcp_servers" };
            (vec![key.to_owned()], Vec::new())
        });
        let known =
            servers.into_iter().map(|server| (server.name, meaning(&server.entry))).collect();
        Ok(ServersFile { document, edit: Edit::new(), path, known })
    }

    /// Takes a server over. With `rename`, one whose name another server has gets a name of its own.
    pub(super) fn take(
        &mut self,
        server: &Server,
        format: Format,
        file: &Path,
        label: &str,
        rename: bool,
    ) -> Taken {
        let taken = |outcome, name: &str, note: Option<String>| Taken {
            outcome,
            name: name.to_owned(),
            note,
        };
        let name = server.name.as_str();
        if is_gateway(&server.entry) {
            return taken(Outcome::Foreign, name, Some("the gateway itself".into()));
        }
        if server.is_built_in() || server.entry.as_map().is_none() {
            return taken(Outcome::Foreign, name, Some("a part of the host".into()));
        }
        let entry = to_json_entry(server, format, file);
        let means = meaning(&entry);
        if let Some((known, _)) = self.known.iter().find(|(_, known)| *known == means) {
            let note = (known != name).then(|| format!("the same as {known}"));
            return taken(Outcome::Same, known, note);
        }
        let mut chosen = name.to_owned();
        if self.is_taken(&chosen) {
            let project = server.project.as_deref().and_then(|project| project.rsplit('/').next());
            let prefix = project.filter(|project| !project.is_empty()).unwrap_or(label);
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
        let mut path = self.path.clone();
        path.push(chosen.clone());
        self.edit.changes.push(Change::Set { path, value: entry.clone() });
        self.known.push((chosen.clone(), means));
        let note = match (runs(&entry), chosen == name) {
            (Err(reason), _) => Some(format!("kept, but the gateway cannot run it: {reason}")),
            (Ok(()), false) => Some(format!("as {chosen}")),
            (Ok(()), true) => None,
        };
        taken(Outcome::Added, &chosen, note)
    }

    fn is_taken(&self, name: &str) -> bool {
        name == ENTRY || self.known.iter().any(|(known, _)| known == name)
    }

    /// Whether a server that means the same is in the file.
    pub(super) fn has(&self, server: &Server, format: Format, file: &Path) -> bool {
        let means = meaning(&to_json_entry(server, format, file));
        self.known.iter().any(|(_, known)| *known == means)
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

/// Whether the gateway can run a server, whatever the variables of this shell.
pub(super) fn runs(entry: &Node) -> Result<(), String> {
    let text = serde_json::json!({"mcpServers": {"server": entry}}).to_string();
    let anything = |name: &str| std::env::var(name).ok().or_else(|| Some("unset".to_owned()));
    match gateway::parse(Path::new("servers.json"), &text, &anything) {
        Ok(config) => config.broken.into_values().next().map_or(Ok(()), Err),
        Err(error) => Err(error.to_string()),
    }
}
