//! The agents of this machine and what they pay for tool definitions today.

use serde_json::{Value, json};
use weir_agents::config::{Document, HOSTS, Host, Mode, is_gateway, to_json_entry};
use weir_gateway::Options;
use weir_gateway::config::{self as gateway, Config};
use weir_gateway::spec::ServerSpec;

use super::machine::Machine;
use crate::context::Context;
use crate::definitions::Definitions;
use crate::failure::Failure;
use crate::numbers::{counted, group};

/// An agent.
#[derive(Debug)]
pub(crate) struct Agent {
    host: &'static Host,
    servers: usize,
    /// Whether the gateway is among them.
    gateway: bool,
    /// Tokens of definitions, of the servers that Weir has seen.
    tokens: Option<Definitions>,
}

impl Agent {
    pub(crate) fn json(&self) -> Value {
        json!({
            "host": self.host.name, "servers": self.servers, "gateway": self.gateway,
            "estimated_tokens": self.tokens.as_ref().map(|tokens| tokens.direct),
            "servers_known": self.tokens.as_ref().map_or(0, |tokens| tokens.known),
        })
    }
}

impl std::fmt::Display for Agent {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let servers = counted(self.servers as u64, "MCP server");
        write!(f, "{}: {servers}", self.host.title)?;
        if self.gateway {
            write!(f, ", and Weir")?;
        }
        match &self.tokens {
            Some(tokens) if tokens.known > 0 => write!(
                f,
                ", about {} tokens of definitions{}",
                group(tokens.direct),
                match self.host.mode {
                    Mode::Auto => " with every request",
                    Mode::Passthrough => ", which it searches by itself",
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
    if !host.has_servers() {
        return Some(Agent { host, servers: 0, gateway: false, tokens: None });
    }
    let Own { count, gateway, config } = own(host, machine)?;
    let tokens = config.filter(|config| !config.servers.is_empty()).and_then(|config| {
        Definitions::known_of(config.servers, Options::new(machine.state.clone()), context).ok()
    });
    Some(Agent { host, servers: count, gateway, tokens })
}

/// The servers in an agent's own file.
struct Own {
    count: usize,
    /// Whether the gateway is among them.
    gateway: bool,
    /// Those that the gateway could run.
    config: Option<Config>,
}

fn own(host: &'static Host, machine: &Machine) -> Option<Own> {
    let file = host.file(&machine.directories);
    let document = Document::read(&file).ok()?;
    let found = host.servers_in(&file, &document.node().ok()?);
    let gateway = found.iter().any(|server| is_gateway(&server.entry));
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
    Some(Own { count: own.len(), gateway, config })
}

/// The agents that are found, or that one, each with the servers that it has now: its own, and behind the gateway.
pub(crate) fn with_servers(
    named: Option<&str>,
    context: &Context<'_>,
) -> Result<Vec<(&'static Host, Vec<ServerSpec>)>, Failure> {
    let machine = Machine::of(None, context)?;
    let hosts: Vec<&'static Host> = match named {
        Some(name) => vec![super::machine::host(name)?],
        None => HOSTS.iter().filter(|host| host.is_installed(&machine.directories)).collect(),
    };
    let secrets = context.secrets()?;
    let behind = gateway::load(&machine.servers, &secrets).ok();
    let servers = |host: &'static Host| {
        let own = own(host, &machine).filter(|_| host.has_servers());
        let behind = behind.clone().filter(|_| own.as_ref().is_some_and(|own| own.gateway));
        let behind = behind.map(|config| config.for_host(Some(host.name)).servers);
        let own = own.and_then(|own| own.config).map(|config| config.servers);
        (host, own.into_iter().chain(behind).flatten().collect())
    };
    Ok(hosts.into_iter().map(servers).collect())
}
