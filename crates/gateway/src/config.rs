//! Configuration files of many clients, read into one form.
//!
//! A file that Claude Desktop, Claude Code (`.mcp.json`), Cursor, Windsurf, Cline, Gemini, VS Code,
//! Zed, opencode, Codex, Hermes or goose reads is read here unchanged. What we do not know is warned of,
//! never fatal; what is wrong with one server concerns that server alone.
//!
//! Our own keys are in an object `weir`: one in a server's entry, one beside the servers.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;
pub use weir_agents::config::{Format, SyntaxError};
use weir_agents::config::{Node, find_servers, host_name, hosts_of};

use crate::clients::profile::Profile;
use crate::options::Options;
use crate::search::glob::glob_matches;
use crate::search::names::Naming;
use crate::secrets::SecretFile;
use crate::servers::spec::ServerSpec;
use weir_mcp::net::Tls;

mod entry;
mod expand;
mod oauth;
mod own;
mod people;
#[cfg(test)]
mod tests;

use entry::Reader;
use expand::SECRET;
pub use own::GatewayConfig;
use own::{misspelt, read_gateway};

/// A configuration as read.
#[derive(Debug, Default, Clone)]
pub struct Config {
    /// The servers that can be used.
    pub servers: Vec<ServerSpec>,
    /// Those that cannot, with the reason.
    pub broken: BTreeMap<String, String>,
    /// Those that are switched off.
    pub disabled: Vec<String>,
    /// The agent hosts, by their one names, of entries that are not for every host.
    pub hosts: BTreeMap<String, Vec<String>>,
    /// How many entries [`Config::for_host`] has left out.
    pub hidden: usize,
    /// What was not understood, for people.
    pub warnings: Vec<String>,
    /// The object `weir` beside the servers.
    pub gateway: GatewayConfig,
}

impl Config {
    /// Whether a client of this agent host, by its one name, may know of a server. Of a client without a host no one
    /// knows whose it is: it gets what every host gets.
    pub fn is_for(&self, server: &str, host: Option<&str>) -> bool {
        let hosts = self.hosts.get(server);
        hosts.is_none_or(|hosts| host.is_some_and(|host| hosts.iter().any(|known| known == host)))
    }

    /// Whether names of tools begin with the server's: as the file says, else where it names several that are to run,
    /// those that cannot be used among them.
    pub fn prefix(&self) -> bool {
        Naming::prefix_of(self.gateway.prefix, self.servers.len() + self.broken.len())
    }

    /// How a gateway behaves whose files are in this directory.
    pub fn options(&self, state_dir: PathBuf) -> Options {
        let mut options = Options { state_dir, ..self.gateway.options.clone() };
        options.mode = self.gateway.mode.unwrap_or_default();
        options.naming.prefix = self.prefix();
        // In the state directory, if nothing is said.
        if let Some(file) = options.audit.as_mut().and_then(|audit| audit.file.as_mut()) {
            *file = options.state_dir.join(&file);
        }
        options
    }

    /// What a client of this agent host may know of: the rest of the file is not there for it. The servers have the
    /// names under which it sees them.
    #[must_use]
    pub fn for_host(mut self, host: Option<&str>) -> Config {
        let host = host.map(host_name);
        if let Some(tools) = host.as_ref().and_then(|host| self.gateway.host_tools.get(host)) {
            self.gateway.options.offered.tools.clone_from(tools);
        }
        if let Some(form) = host.as_ref().and_then(|host| self.gateway.host_forms.get(host)) {
            self.gateway.options.approval_form = *form;
        }
        let keys = self.servers.iter().map(|server| &server.key);
        let keys = keys.chain(self.broken.keys()).chain(&self.disabled);
        let hidden: Vec<String> =
            keys.filter(|key| !self.is_for(key, host.as_deref())).cloned().collect();
        self.servers.retain(|server| !hidden.contains(&server.key));
        self.broken.retain(|key, _| !hidden.contains(key));
        self.disabled.retain(|key| !hidden.contains(key));
        let of_hidden = |text: &String| hidden.iter().any(|key| text.starts_with(&of_server(key)));
        self.warnings.retain(|text| !of_hidden(text));
        self.hosts.retain(|key, _| !hidden.contains(key));
        self.hidden += hidden.len();
        let uses = |name: &str| {
            let named = |server: &&ServerSpec| {
                server.key == name || server.wanted_name.as_deref() == Some(name)
            };
            self.servers.iter().filter(named).count()
        };
        let free = |server: &ServerSpec| {
            let name = server.wanted_name.clone().filter(|name| uses(name) == 1);
            name.unwrap_or_else(|| server.key.clone())
        };
        let names: Vec<String> = self.servers.iter().map(free).collect();
        for (server, name) in self.servers.iter_mut().zip(names) {
            server.name = name;
        }
        self
    }

    /// Adds the server of `weir.skills`: the short form of an entry for it.
    fn add_skills(&mut self, variables: Variables<'_>, directory: &Path) {
        const NAME: &str = "skills";
        let is_taken = self.servers.iter().any(|server| server.key == NAME)
            || self.broken.contains_key(NAME)
            || self.disabled.iter().any(|key| key == NAME);
        if is_taken {
            let why =
                "weir.skills has no effect: a server of the file is named skills; give it \"dirs\"";
            return self.warnings.push(why.into());
        }
        let entry = serde_json::json!({"builtin": NAME, "dirs": self.gateway.skills});
        let mut reader = Reader::new(NAME, variables, directory);
        match reader.server(entry.as_object().unwrap_or(&serde_json::Map::new())) {
            Ok(spec) => self.servers.push(spec),
            Err(reason) => drop(self.broken.insert(NAME.into(), reason)),
        }
        self.warnings.append(&mut reader.warnings);
    }

    /// What tokens name that no server of the file is or has.
    fn unknown_to_tokens(&self) -> Vec<String> {
        let servers = self.servers.iter().map(|server| &server.name);
        let servers: Vec<&String> =
            servers.chain(self.broken.keys()).chain(&self.disabled).collect();
        let mut found = Vec::new();
        for token in self.gateway.tokens.iter().flatten() {
            let name = &token.profile.name;
            for glob in &token.profile.servers {
                if !servers.iter().any(|server| glob_matches(glob, server)) {
                    found.push(format!("weir.tokens.{name}: no server is named {glob}"));
                }
            }
            for glob in &token.profile.tools {
                let one = Profile { tools: vec![glob.clone()], ..Profile::default() };
                if !servers.iter().any(|server| one.may_admit_tools_of(server)) {
                    found.push(format!(
                        "weir.tokens.{name}: no server can have a tool named {glob}"
                    ));
                }
            }
        }
        found
    }
}

/// The agent hosts that an entry is for. What may have been meant to say so is not taken for an entry that is for all.
fn hosts(entry: &Node) -> Result<Option<Vec<String>>, String> {
    let slip = |node: Option<&Node>| {
        let mut keys = node.and_then(Node::as_map).unwrap_or_default().iter().map(|(key, _)| key);
        keys.find(|key| misspelt(key, ["hosts"]).is_some()).cloned()
    };
    if let Some(key) = slip(entry.get("weir")) {
        return Err(format!("weir.{key} is not known; hosts stands in the entry itself"));
    }
    match slip(Some(entry)).filter(|key| key != "hosts") {
        Some(key) => Err(format!("the key {key} is not known; hosts may be meant")),
        None => hosts_of(entry),
    }
}

/// What a warning of one server begins with.
fn of_server(name: &str) -> String {
    format!("server {name}: ")
}

/// Why a file cannot be read at all.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// Not there, or not for us.
    #[error("cannot read {}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Not what its name says it is.
    #[error("{} is not valid {format}", path.display())]
    Syntax {
        /// The file.
        path: PathBuf,
        /// What it should be.
        format: Format,
        /// What is wrong, with the place.
        source: SyntaxError,
    },
    /// Nothing in it that names servers.
    #[error("{} names no servers: it has none of the keys mcpServers, servers, mcp_servers, context_servers, extensions, mcp", path.display())]
    NoServers {
        /// The file.
        path: PathBuf,
    },
}

/// Where variables come from, and secrets: those as `secret:NAME`.
pub type Variables<'a> = &'a dyn Fn(&str) -> Option<String>;

/// Reads a file, with variables from our environment, and secrets.
///
/// # Errors
/// When it cannot be read or names no servers.
pub fn load(path: &Path, secrets: &SecretFile) -> Result<Config, ConfigError> {
    let text = std::fs::read_to_string(path)
        .map_err(|source| ConfigError::Io { path: path.to_owned(), source })?;
    let issued = secrets.tokens().read_if_there();
    let (secrets, problem) = match secrets.read() {
        Ok(secrets) => (secrets, None),
        Err(problem) => (BTreeMap::new(), Some(problem)),
    };
    let mut config = parse(path, &text, &|name| match name.strip_prefix(SECRET) {
        Some(name) => secrets.get(name).cloned(),
        None => std::env::var(name).ok(),
    })?;
    config.warnings.extend(problem);
    config.gateway.add_issued(issued, &mut config.warnings);
    Ok(config)
}

/// Reads the text of a file.
///
/// # Errors
/// As [`load`].
pub fn parse(path: &Path, text: &str, variables: Variables<'_>) -> Result<Config, ConfigError> {
    let format = Format::of(path);
    let node = format.read(text).map_err(|source| ConfigError::Syntax {
        path: path.to_owned(),
        format,
        source,
    })?;
    let Some((_, servers)) = find_servers(&node) else {
        return Err(ConfigError::NoServers { path: path.to_owned() });
    };
    let mut config = Config::default();
    let directory = path.parent().unwrap_or(Path::new("")).to_owned();
    let tls = node.get("weir").and_then(|own| own.to_value().get("tls").cloned());
    let tls = tls.map(|tls| {
        let mut reader = Reader::new("", variables, &directory);
        let tls = reader.tls(&tls);
        config.warnings.append(&mut reader.warnings);
        tls
    });
    if let Some(own) = node.get("weir") {
        let tls = tls.clone().and_then(Result::ok).unwrap_or_default();
        config.gateway = read_gateway(&own.to_value(), variables, &tls, &mut config.warnings);
    }
    for server in servers {
        let name = &server.name;
        match hosts(&server.entry) {
            Ok(None) => {}
            Ok(Some(hosts)) => drop(config.hosts.insert(name.clone(), hosts)),
            Err(reason) => {
                config.hosts.insert(name.clone(), Vec::new());
                config.broken.insert(name.clone(), reason);
                continue;
            }
        }
        let Value::Object(entry) = &server.entry.to_value() else {
            config.broken.insert(name.clone(), "its entry is not an object".into());
            continue;
        };
        if server.is_disabled() {
            config.disabled.push(name.clone());
            continue;
        }
        // What a host brings itself, such as goose's own extensions.
        if server.is_built_in() {
            continue;
        }
        let mut reader = Reader::new(name, variables, &directory);
        reader.yaml = format == Format::Yaml;
        let read = reader.server(entry).and_then(|mut spec| {
            // What holds for all servers holds where an entry says nothing else.
            if let Some(all) = &tls {
                let Tls { ca, client } = all.clone()?;
                spec.tls.ca = spec.tls.ca.or(ca);
                spec.tls.client = spec.tls.client.or(client);
            }
            let idle = spec.idle_stop.or(config.gateway.idle_stop);
            // Nought: for ever, whatever is said of the others.
            spec.idle_stop = idle.filter(|idle| !idle.is_zero());
            Ok(spec)
        });
        match read {
            Ok(spec) => config.servers.push(spec),
            Err(reason) => drop(config.broken.insert(name.clone(), reader.secrets.redact(&reason))),
        }
        config.warnings.append(&mut reader.warnings);
    }
    if !config.gateway.skills.is_empty() {
        config.add_skills(variables, &directory);
    }
    let unknown = config.unknown_to_tokens();
    config.warnings.extend(unknown);
    Ok(config)
}
