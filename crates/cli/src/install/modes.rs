//! What each host is shown of the tools behind the gateway, and why.

use std::path::Path;

use serde_json::{Value, json};
use weir_agents::config::{HOSTS, Host, gateway_option};
use weir_gateway::config::Config;
use weir_gateway::{Mode, Options};

use super::hooks;
use super::machine::{Machine, gateway_of};
use crate::console::Console;
use crate::definitions::{Definitions, UNKNOWN, Way, word};
use crate::gateway::gate;
use crate::{Context, Failure};

/// A host in front of the gateway.
#[derive(Debug)]
pub(crate) struct Fronted {
    host: &'static Host,
    hook: bool,
    mode: Mode,
    why: String,
    /// What the definitions of its own servers take, where that could be measured.
    definitions: Option<Definitions>,
}

/// What the gateway shows a host where nobody says otherwise.
pub(super) fn usual(host: &Host) -> Mode {
    host.mode.as_str().parse().unwrap_or_default()
}

/// The mode that counts for a host, and why: what its entry says, else what the gateway's file says, else
/// the gateway's default.
pub(super) fn mode_of(host: &Host, entry: Option<Mode>, file: Option<Mode>) -> (Mode, String) {
    let usual = usual(host);
    match (entry, file) {
        (Some(mode), _) if mode != usual => (mode, format!("its entry says --mode {}", word(mode))),
        (None, Some(mode)) if mode != usual => (mode, "the file of servers says so".into()),
        (None, None) if usual != Mode::Auto => (Mode::Auto, "its entry names no mode".into()),
        _ => (usual, host.why.into()),
    }
}

/// The mode that an entry with these options names.
pub(super) fn mode_in(options: &[String]) -> Option<Mode> {
    gateway_option(options, "--mode").and_then(|mode| mode.parse().ok())
}

/// Whether an entry with these options is of a gateway in front of this file of servers; one that names
/// none reads the usual file.
pub(super) fn reads(options: &[String], servers: &Path, usual: &Path) -> bool {
    let whole = |file: &Path| std::path::absolute(file).unwrap_or_else(|_| file.to_owned());
    let its = gateway_option(options, "--servers").map_or(usual, Path::new);
    whole(its) == whole(servers)
}

/// The hosts of this machine whose entry runs the gateway on this file of servers, which holds `config`.
pub(crate) fn fronted(
    servers: &Path,
    config: &Config,
    options: &Options,
    context: &Context<'_>,
) -> Vec<Fronted> {
    let Ok(machine) = Machine::of(None, context) else { return Vec::new() };
    let of = |host: &'static Host| {
        let its = gateway_of(host, &machine)?;
        if !reads(&its, servers, &machine.servers) {
            return None;
        }
        let (mode, why) = mode_of(host, mode_in(&its), config.gateway.mode);
        let own = config.clone().for_host(gateway_option(&its, "--host"));
        let mut options = options.clone();
        options.naming.prefix = own.prefix();
        let definitions =
            Definitions::measure(|| gate(context), own.servers, options, context).ok();
        let definitions = definitions.map(|definitions| definitions.sent_by(host));
        let hook = hooks::reader_in(host, &machine).is_some();
        Some(Fronted { host, hook, mode, why, definitions })
    };
    HOSTS.iter().filter(|host| host.is_installed(&machine.directories)).filter_map(of).collect()
}

/// The agents of this machine that have the hook and not the gateway.
pub(crate) fn with_hook_alone(context: &Context<'_>) -> Vec<&'static Host> {
    let Ok(machine) = Machine::of(None, context) else { return Vec::new() };
    let hosts = HOSTS.iter().filter(|host| hooks::reader_in(host, &machine) == Some(false));
    hosts.filter(|host| gateway_of(host, &machine).is_none()).collect()
}

impl Fronted {
    pub(crate) fn json(&self) -> Value {
        let own = self.definitions.clone().unwrap_or_default();
        json!({
            "host": self.host.name, "mode": word(self.mode), "why": self.why,
            "servers": own.servers, "searched": own.searched(self.mode),
            "estimated_tokens_before": own.direct, "estimated_tokens_after": own.after(self.mode),
        })
    }
}

/// Says of each host what it has and why, with tokens before and after. Where no host is in front of the gateway, what a
/// client in mode `alone` would be shown.
pub(crate) fn show(
    hosts: &[Fronted],
    definitions: &Definitions,
    alone: Mode,
    console: &Console,
) -> Result<(), Failure> {
    let mut lines = Alike::default();
    for one in hosts {
        let way = Way { hook: one.hook, mode: Some(one.mode) };
        lines.add(one.host.title, vec![line(one.host, way, &one.why, one.definitions.as_ref())]);
    }
    lines.print(console)?;
    if hosts.is_empty() || definitions.known == 0 {
        let way = Way { hook: false, mode: Some(alone) }.name();
        console.line(format_args!("any client: {way}; {}", definitions.sentence(Some(alone))))?;
    }
    Ok(())
}

/// An agent, and what is said of it alone.
type Agent = (&'static str, Vec<String>);

/// What is said of agents, in a line and more lines below it: those of which the same is said share it.
#[derive(Default)]
pub(super) struct Alike(Vec<(String, Vec<Agent>)>);

impl Alike {
    pub(super) fn add(&mut self, title: &'static str, mut lines: Vec<String>) {
        let below = lines.split_off(1.min(lines.len()));
        let first = lines.pop().unwrap_or_default();
        match self.0.iter_mut().find(|(said, _)| *said == first) {
            Some((_, agents)) => agents.push((title, below)),
            None => self.0.push((first, vec![(title, below)])),
        }
    }

    pub(super) fn print(&self, console: &Console) -> Result<(), Failure> {
        let names = |agents: &[&str]| agents.join(", ");
        for (first, agents) in &self.0 {
            let titles: Vec<&str> = agents.iter().map(|(title, _)| *title).collect();
            console.line(format_args!("{}: {first}", names(&titles)))?;
            let mut said: Vec<&String> = Vec::new();
            for line in agents.iter().flat_map(|(_, below)| below) {
                if said.contains(&line) {
                    continue;
                }
                said.push(line);
                let of = agents.iter().filter(|(_, below)| below.contains(line));
                let of: Vec<&str> = of.map(|(title, _)| *title).collect();
                match of.len() == titles.len() {
                    true => console.line(format_args!("  {line}"))?,
                    false => console.line(format_args!("  {}: {line}", names(&of)))?,
                }
            }
        }
        Ok(())
    }
}

/// What a host has, why where that is not what it always gets, and what definitions take.
pub(super) fn line(host: &Host, way: Way, why: &str, definitions: Option<&Definitions>) -> String {
    let why = if why == host.why { String::new() } else { format!(" ({why})") };
    let counted = match definitions {
        Some(counted) if counted.known > 0 || way.mode.is_some() => counted.sentence(way.mode),
        None if way.mode.is_some() => UNKNOWN.into(),
        _ => "definitions unchanged".into(),
    };
    format!("{}{why}; {counted}", way.name())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_entry_counts_before_the_file_and_the_file_before_the_default() {
        let host = |name| weir_agents::config::host(name).expect("it is known");
        let (claude, cursor) = (host("claude-code"), host("cursor"));
        let mode = |host, entry, file| mode_of(host, entry, file).0;
        assert_eq!(mode(cursor, None, None), Mode::Auto);
        assert_eq!(mode(cursor, None, Some(Mode::Bridge)), Mode::Bridge);
        assert_eq!(mode(cursor, Some(Mode::Passthrough), Some(Mode::Bridge)), Mode::Passthrough);
        assert_eq!(mode(cursor, Some(Mode::Auto), Some(Mode::Bridge)), Mode::Auto);
        assert_eq!(mode(claude, Some(Mode::Passthrough), Some(Mode::Bridge)), Mode::Passthrough);
        assert_eq!(mode(claude, None, None), Mode::Auto);
        assert_eq!(mode_of(claude, Some(Mode::Passthrough), None).1, claude.why);
        assert_eq!(mode_of(claude, None, Some(Mode::Passthrough)).1, claude.why);
        assert!(mode_of(cursor, Some(Mode::Bridge), None).1.contains("--mode bridge"));
    }
}
