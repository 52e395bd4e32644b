//! The agents of this machine and what they pay for tool definitions today.

use std::path::Path;

use serde_json::{Value, json};
use weir_agents::config::{
    Document, FileError, HOSTS, Host, Mode as HostMode, gateway_option, gateway_options,
    is_gateway, to_json_entry,
};
use weir_gateway::config::{self as gateway, Config};
use weir_gateway::spec::ServerSpec;
use weir_gateway::{Mode, Options};

use super::hooks;
use super::machine::Machine;
use super::modes::{mode_in, mode_of};
use crate::context::Context;
use crate::definitions::Definitions;
use crate::failure::Failure;
use crate::numbers::{counted, group};

/// An agent.
#[derive(Debug)]
pub(crate) struct Agent {
    host: &'static Host,
    servers: usize,
    /// Whether the gateway is among them, and whether it has the hook.
    gateway: bool,
    hook: bool,
    /// Tokens of definitions, of the servers that Weir has seen.
    tokens: Option<Definitions>,
}

impl Agent {
    pub(crate) fn json(&self) -> Value {
        json!({
            "host": self.host.name, "servers": self.servers, "gateway": self.gateway, "hook": self.hook,
            "estimated_tokens": self.tokens.as_ref().map(|tokens| tokens.direct),
            "servers_known": self.tokens.as_ref().map_or(0, |tokens| tokens.known),
        })
    }
}

impl std::fmt::Display for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let servers = counted(self.servers as u64, "MCP server");
        write!(f, "{}: {servers}", self.host.title)?;
        if self.gateway || self.hook {
            write!(f, ", and Weir")?;
        }
        match &self.tokens {
            Some(tokens) if tokens.known > 0 => write!(
                f,
                ", about {} tokens of definitions{}",
                group(tokens.direct),
                match self.host.mode {
                    HostMode::Auto => " with every request",
                    HostMode::Passthrough => ", which it searches by itself",
                }
            ),
            _ if self.servers > 0 => write!(f, ", whose definitions are not counted yet"),
            _ => Ok(()),
        }
    }
}

/// The agents that are found. What cannot be read is left out.
pub(crate) fn agents(context: &Context<'_>) -> Vec<Agent> {
    let Ok(machine) = Machine::of(None, context) else { return Vec::new() };
    let installed = HOSTS.iter().filter(|host| host.is_installed(&machine.directories));
    installed.filter_map(|host| agent(host, &machine, context)).collect()
}

fn agent(host: &'static Host, machine: &Machine, context: &Context<'_>) -> Option<Agent> {
    let Own { count, gateway, config } = own(host, machine).ok()?;
    let tokens = config.filter(|config| !config.servers.is_empty()).and_then(|config| {
        let mut options = Options::new(machine.state.clone());
        options.naming.prefix = config.prefix();
        Definitions::known_of(config.servers, options, context).ok()
    });
    let hook = hooks::reader_in(host, machine).is_some();
    Some(Agent { host, servers: count, gateway: gateway.is_some(), hook, tokens })
}

/// The servers in an agent's own file.
struct Own {
    count: usize,
    /// The options of the gateway, where it is among them.
    gateway: Option<Vec<String>>,
    /// Those that the gateway could run.
    config: Option<Config>,
}

fn own(host: &'static Host, machine: &Machine) -> Result<Own, FileError> {
    let file = host.file(&machine.directories);
    let document = Document::read(&file)?;
    let found = host.servers_in(&file, &document.node()?);
    let gateway = found.iter().find_map(|server| gateway_options(&server.entry));
    let own: Vec<_> =
        found.iter().filter(|server| !is_gateway(&server.entry) && !server.is_disabled()).collect();
    let entries: serde_json::Map<String, Value> = own
        .iter()
        .map(|server| {
            let entry = to_json_entry(server, document.format, &file);
            (server.name.clone(), entry.to_value())
        })
        .collect();
    let text = json!({"mcpServers": entries}).to_string();
    let config = gateway::parse(&machine.servers, &text, &|name| std::env::var(name).ok()).ok();
    Ok(Own { count: own.len(), gateway, config })
}

/// What an agent has now.
#[derive(Debug, Clone)]
pub(crate) struct Present {
    pub(crate) host: &'static Host,
    /// Its own servers, and those behind the gateway.
    pub(crate) servers: Vec<ServerSpec>,
    pub(crate) hook: bool,
    /// What the gateway shows it, where it has that.
    pub(crate) gateway: Option<Mode>,
}

/// The agents that are found, or that one. Of those that are found, one whose file cannot be read is left out.
pub(crate) fn present(named: Option<&str>, context: &Context<'_>) -> Result<Vec<Present>, Failure> {
    let machine = Machine::of(None, context)?;
    let hosts: Vec<&'static Host> = match named {
        Some(name) => vec![super::machine::host(name)?],
        None => HOSTS.iter().filter(|host| host.is_installed(&machine.directories)).collect(),
    };
    let secrets = context.secrets()?;
    let present = |host: &'static Host| -> Result<Present, FileError> {
        let own = own(host, &machine)?;
        let mut servers = own.config.map(|config| config.servers).unwrap_or_default();
        let gateway = own.gateway.map(|options| {
            let file = gateway_option(&options, "--servers").map(Path::new);
            let behind = gateway::load(file.unwrap_or(&machine.servers), &secrets).ok();
            let of_file = behind.as_ref().and_then(|behind| behind.gateway.mode);
            let host_named = gateway_option(&options, "--host");
            let behind = behind.map(|config| config.for_host(host_named).servers);
            servers.extend(behind.into_iter().flatten());
            mode_of(host, mode_in(&options), of_file).0
        });
        let hook = hooks::reader_in(host, &machine).is_some();
        Ok(Present { host, servers, hook, gateway })
    };
    let all = hosts.into_iter().map(present);
    Ok(match named {
        Some(_) => all.collect::<Result<_, _>>()?,
        None => all.filter_map(Result::ok).collect(),
    })
}
