//! What tool definitions take of a context: as the servers give them, and as Weir shows them.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::{Value, json};
use weir_agents::config::{self, Host, Sends};
use weir_gateway::gate::Gate;
use weir_gateway::spec::ServerSpec;
use weir_gateway::{Gateway, Mode, Options, own_tokens};

use super::gateway::with_gateway;
use super::numbers::group;
use super::{Context, Failure};

/// Estimated tokens, of the servers whose tools are known.
#[derive(Debug, Clone, Default)]
pub(crate) struct Definitions {
    /// All definitions as they are.
    pub(crate) direct: u64,
    /// The same with Weir's own tool beside them.
    pub(crate) passthrough: u64,
    /// What mode `bridge` shows in their place, where that could be measured.
    pub(crate) bridge: Option<u64>,
    /// Those of each server.
    pub(crate) by_server: BTreeMap<String, u64>,
    /// Servers whose tools are known, and all of them.
    pub(crate) known: usize,
    pub(crate) servers: usize,
    /// Tokens above which mode `auto` searches, and whether these are more.
    pub(crate) limit: u64,
    is_large: bool,
    tools: u64,
    /// What hosts put before the tools' names: that of the server.
    prefixes: u64,
    /// `$schema` in all definitions.
    dialects: u64,
}

/// Tools that mode `bridge` shows, with the one that reads results.
const BRIDGE_TOOLS: u64 = 4;

/// What is said of definitions before any server has listed them.
pub(crate) const UNKNOWN: &str =
    "definitions not known; `weir servers --check` starts the servers and counts them";

/// A mode's name on the command line.
pub(crate) fn word(mode: Mode) -> &'static str {
    match mode {
        Mode::Auto => "auto",
        Mode::Bridge => "bridge",
        Mode::Passthrough => "passthrough",
    }
}

/// A way to use Weir: the hook, and the gateway in this mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Way {
    pub(crate) hook: bool,
    pub(crate) mode: Option<Mode>,
}

impl Way {
    /// What it is called, by every command.
    pub(crate) fn name(self) -> String {
        match (self.hook, self.mode) {
            (false, None) => "nothing".into(),
            (true, None) => "hook".into(),
            (false, Some(mode)) => format!("gateway, {}", word(mode)),
            (true, Some(mode)) => format!("hook and gateway, {}", word(mode)),
        }
    }
}

impl Definitions {
    /// Measures them. No server is started for it; the component, behind this side of the gateway's, is only loaded when
    /// there is something to compare with.
    pub(crate) fn measure(
        gate: impl FnOnce() -> Gate,
        servers: Vec<ServerSpec>,
        options: Options,
        context: &Context<'_>,
    ) -> Result<Definitions, Failure> {
        let known = Definitions::known_of(servers.clone(), options.clone(), context)?;
        if known.direct == 0 {
            return Ok(known);
        }
        let bridge = with_gateway(servers, gate(), options, async |gateway: &Arc<Gateway>| {
            gateway.bridge_tokens().await.ok()
        })?;
        Ok(Definitions { bridge, ..known })
    }

    /// The same without what would stand in their place.
    pub(crate) fn known_of(
        servers: Vec<ServerSpec>,
        options: Options,
        context: &Context<'_>,
    ) -> Result<Definitions, Failure> {
        let gate = Gate::new(Err("it is not needed".into()), context.session());
        // Where no gateway has been, none leaves a trace by looking.
        let is_fresh = !options.state_dir.join("servers").is_dir();
        let scratch = match is_fresh.then(tempfile::tempdir) {
            None => None,
            Some(made) => Some(made.map_err(Failure::io("cannot make a directory"))?),
        };
        let state_dir = scratch.as_ref().map(|scratch| scratch.path().to_owned());
        let options = Options { state_dir: state_dir.unwrap_or(options.state_dir), ..options };
        with_gateway(servers, gate, options, async |gateway| Definitions::known(gateway))
    }

    fn known(gateway: &Arc<Gateway>) -> Definitions {
        let catalog = gateway.servers.catalog();
        let mut by_server: BTreeMap<String, u64> = BTreeMap::new();
        let (mut prefixes, mut of_hosts, mut dialects) = (0, 0, 0);
        for tool in catalog.callable() {
            let server = tool.upstream.spec.key.clone();
            dialects += tool.dialect_tokens();
            of_hosts += weir_text::tokens::of(&server);
            *by_server.entry(server).or_default() += tool.own_tokens();
            prefixes += tool.prefix_tokens();
        }
        let direct: u64 = by_server.values().sum();
        let upstreams = gateway.servers.all();
        let tools = catalog.callable().count();
        let limit = gateway.options().most_tokens(tools);
        Definitions {
            direct,
            passthrough: direct + prefixes + own_tokens(),
            bridge: None,
            by_server,
            known: upstreams.iter().filter(|upstream| upstream.known().is_some()).count(),
            servers: upstreams.len(),
            limit,
            is_large: direct + prefixes > limit,
            tools: tools as u64,
            prefixes: of_hosts,
            dialects,
        }
    }

    /// The same as this host sends it to its model.
    pub(crate) fn sent_by(self, host: &Host) -> Definitions {
        let Sends { percent, adds, dialect } = host.sends;
        let dialects = if dialect { 0 } else { self.dialects };
        let sent = self.direct.saturating_sub(dialects) * percent / 100;
        // They put the gateway's name before its tools' as well.
        let ours = adds + weir_text::tokens::of(config::ENTRY);
        let own = sent + self.tools * adds + self.prefixes;
        Definitions {
            direct: host.names.map_or(own, |each| each * self.tools),
            passthrough: match host.names {
                Some(each) if host.mode == config::Mode::Passthrough => {
                    each * self.tools + own_tokens()
                }
                _ => self.passthrough - self.direct + sent + (self.tools + 1) * ours,
            },
            bridge: self.bridge.map(|bridge| bridge + BRIDGE_TOOLS * ours),
            ..self
        }
    }

    /// Whether a mode searches these.
    pub(crate) fn searched(&self, mode: Mode) -> bool {
        match mode {
            Mode::Auto => self.is_large,
            Mode::Bridge => true,
            Mode::Passthrough => false,
        }
    }

    /// What clients in this mode are shown, where that could be measured.
    pub(crate) fn after(&self, mode: Mode) -> Option<u64> {
        if self.searched(mode) { self.bridge } else { Some(self.passthrough) }
    }

    /// What they take of each request, and behind the gateway where that is in, in this mode.
    pub(crate) fn sentence(&self, mode: Option<Mode>) -> String {
        if self.servers == 0 {
            return "no definitions, as it has no servers".into();
        }
        if self.known == 0 {
            return UNKNOWN.into();
        }
        let of = match self.known == self.servers {
            true => String::new(),
            false => format!(" ({} of {} servers are known)", self.known, self.servers),
        };
        let after = mode.and_then(|mode| self.after(mode));
        let after =
            after.map_or_else(String::new, |after| format!(", behind Weir about {}", group(after)));
        let how = match mode.map(|mode| self.searched(mode)) {
            None => "",
            Some(true) => ", searched",
            Some(false) => ", as they are",
        };
        format!("definitions about {} tokens a request{of}{after}{how}", group(self.direct))
    }

    pub(crate) fn json(&self, mode: Mode) -> Value {
        json!({
            "direct": self.direct, "bridge": self.bridge, "passthrough": self.passthrough,
            "searched": self.searched(mode),
            "mode": word(mode), "auto_tokens": self.limit, "servers_known": self.known,
            "servers": self.servers,
        })
    }
}
