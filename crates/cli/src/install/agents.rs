//! The agents of this machine and what they pay for tool definitions today.

use std::path::Path;

use serde_json::{Value, json};
use weir_agents::config::{
    Document, FileError, HOSTS, Host, gateway_option, gateway_options, is_gateway, to_json_entry,
};
use weir_gateway::config as gateway;
use weir_gateway::spec::ServerSpec;
use weir_gateway::{Mode, Options};

use super::hooks;
use super::machine::Machine;
use super::modes::{mode_in, mode_of};
use crate::definitions::Definitions;
use crate::{Context, Failure};

/// The options of the gateway, where an agent's own file has it, and the servers there that the gateway could run.
fn own(
    host: &Host,
    machine: &Machine,
) -> Result<(Option<Vec<String>>, Vec<ServerSpec>), FileError> {
    let file = host.file(&machine.directories);
    let document = Document::read(&file)?;
    let found = host.servers_in(&file, &document.node()?);
    let gateway = found.iter().find_map(|server| gateway_options(&server.entry));
    let entries: serde_json::Map<String, Value> = found
        .iter()
        .filter(|server| !is_gateway(&server.entry) && !server.is_disabled())
        .map(|server| {
            let entry = to_json_entry(server, document.format, &file);
            (server.name.clone(), entry.to_value())
        })
        .collect();
    let text = json!({"mcpServers": entries}).to_string();
    let config = gateway::parse(&machine.servers, &text, &|name| std::env::var(name).ok());
    Ok((gateway, config.map(|config| config.servers).unwrap_or_default()))
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

impl Present {
    /// With what the definitions of its servers take, of those that Weir has seen.
    pub(crate) fn json(&self, context: &Context<'_>) -> Value {
        let options = context.state_dir().map(Options::new);
        let tokens = options
            .and_then(|options| Definitions::known_of(self.servers.clone(), options, context))
            .ok()
            .map(|definitions| definitions.sent_by(self.host))
            .filter(|_| !self.servers.is_empty());
        json!({
            "host": self.host.name, "servers": self.servers.len(), "gateway": self.gateway.is_some(),
            "hook": self.hook, "estimated_tokens": tokens.as_ref().map(|tokens| tokens.direct),
            "servers_known": tokens.map_or(0, |tokens| tokens.known),
        })
    }
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
        let (gateway, mut servers) = own(host, &machine)?;
        let gateway = gateway.map(|options| {
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
