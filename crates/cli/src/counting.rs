//! What agents' servers define and what their recorded results take, and what each way to use Weir makes of that: `weir try`
//! shows it, and `weir install` decides by it. What servers listed is kept with the state.

use std::cell::OnceCell;

use tempfile::TempDir;
use weir_agents::config::{Directories, Host};
use weir_agents::transcript;
use weir_gateway::gate::Gate;
use weir_gateway::spec::ServerSpec;
use weir_gateway::{Mode, Naming, Options, config, worth};
use weir_host::Weir;
use weir_host::contract::FinishedResult;

use super::console::Working;
use super::definitions::{Definitions, Way};
use super::gateway::{start, with_gateway};
use super::numbers::{counted, group, unix_now};
use super::{Context, Failure};

/// What input that a provider has in its cache costs, of what new input costs.
const CACHED: f64 = 0.1;

/// Seconds for which what a server listed is taken for what it lists.
const FRESH: u64 = 24 * 60 * 60;

/// An agent's recorded sessions that are replayed: so many of the newest, of so many bytes together.
const SESSIONS: usize = 5;
const SESSION_BYTES: u64 = 20_000_000;

impl Way {
    /// Whether it replaces a result: the gateway has only those of MCP servers.
    fn replaces(self, result: &Replayed) -> bool {
        self.hook || self.mode.is_some() && result.of_mcp
    }
}

/// A recorded result, whole and as its excerpt.
pub(crate) struct Replayed {
    of_mcp: bool,
    /// Turns after it.
    turns: usize,
    pub(crate) whole: u64,
    pub(crate) shown: u64,
}

/// What one way costs.
pub(crate) struct Cost {
    pub(crate) way: Way,
    pub(crate) tokens: f64,
    /// With every excerpt read back whole.
    pub(crate) at_worst: f64,
}

/// The newest recorded sessions of an agent of which it is known where they are.
pub(crate) fn recorded(host: &Host, directories: &Directories) -> Vec<Vec<transcript::Recorded>> {
    let folder = match host.name {
        "claude-code" => ".claude/projects",
        "codex" => ".codex/sessions",
        "pi" => ".pi/agent/sessions",
        _ => return Vec::new(),
    };
    let (mut open, mut found) = (vec![directories.below_home(folder)], Vec::new());
    while let Some(directory) = open.pop() {
        for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
            let (path, Ok(data)) = (entry.path(), entry.metadata()) else { continue };
            if data.is_dir() {
                open.push(path);
            } else if data.is_file() && path.extension().is_some_and(|end| end == "jsonl") {
                found.push((data.modified().ok(), data.len(), path));
            }
        }
    }
    found.sort_by(|a, b| b.cmp(a));
    let mut left = SESSION_BYTES;
    found.retain(|(_, bytes, _)| left.checked_sub(*bytes).map(|rest| left = rest).is_some());
    let texts = found.iter().filter_map(|(.., path)| std::fs::read_to_string(path).ok());
    let sessions = texts.map(|text| transcript::results(&text));
    sessions.filter(|results| !results.is_empty()).take(SESSIONS).collect()
}

/// Counts what servers define and what recorded results take.
pub(crate) struct Counter<'a> {
    context: &'a Context<'a>,
    options: Options,
    /// Whether names begin with the server's, where the file of servers says so.
    prefix: Option<bool>,
    /// The component, opened when it is first needed, over a store that goes with it.
    weir: OnceCell<(Weir, TempDir)>,
    /// Servers that could not be asked, with the reason.
    pub(crate) failed: Vec<(ServerSpec, String)>,
}

/// What was counted for one agent.
pub(crate) struct Counted {
    pub(crate) definitions: Definitions,
    pub(crate) sessions: Vec<Vec<Replayed>>,
}

impl<'a> Counter<'a> {
    pub(crate) fn new(context: &'a Context<'a>) -> Result<Counter<'a>, Failure> {
        let mut options = Options::new(context.state_dir()?);
        let mut prefix = None;
        let file = context.config_dir()?.join("servers.json");
        if let Ok(config) = config::load(&file, &context.secrets()?) {
            prefix = config.gateway.prefix;
            options = Options { audit: None, ..config.options(options.state_dir) };
        }
        options.guard = std::env::current_exe().ok().filter(|_| cfg!(unix));
        Ok(Counter { context, options, prefix, weir: OnceCell::new(), failed: Vec::new() })
    }

    fn weir(&self) -> Result<&Weir, Failure> {
        if self.weir.get().is_none() {
            let _ = self.weir.set(self.context.without_trace()?);
        }
        let opened = self.weir.get().map(|(weir, _)| weir);
        opened.ok_or_else(|| Failure::usage("the component is not open", "run the command again"))
    }

    /// Starts the servers once that were not asked today, for their lists of tools. What they list is kept where gateways find
    /// it, so that none is waited for in the first session.
    pub(crate) fn start(&mut self, servers: Vec<ServerSpec>) -> Result<(), Failure> {
        let mut wanted: Vec<ServerSpec> = Vec::new();
        for server in servers {
            let known = wanted.iter().chain(self.failed.iter().map(|(failed, _)| failed));
            if known.clone().all(|known| !is_same(known, &server)) {
                wanted.push(server);
            }
        }
        if wanted.is_empty() {
            return Ok(());
        }
        let gate = Gate::new(Err("it is not needed".into()), self.context.session());
        let failed = with_gateway(wanted, gate, self.options.clone(), async |gateway| {
            let is_old = |listed: u64| unix_now().saturating_sub(listed) > FRESH;
            start(gateway, |server| server.known().is_none_or(|known| is_old(known.listed_at)))
                .await
        })?;
        self.failed.extend(failed);
        Ok(())
    }

    /// The servers that could not be asked, each with the reason.
    pub(crate) fn failures(&self) -> Vec<String> {
        let said = |(server, reason): &(ServerSpec, String)| {
            let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
            format!("{} does not start: {reason}", server.key)
        };
        self.failed.iter().map(said).collect()
    }

    /// Counts for a host, where that is known.
    pub(crate) fn count(
        &self,
        host: Option<&Host>,
        servers: Vec<ServerSpec>,
        recordings: &[Vec<transcript::Recorded>],
    ) -> Result<Counted, Failure> {
        let gate = || {
            let weir = self.weir().cloned().map_err(|failure| failure.to_string());
            Gate::new(weir, self.context.session())
        };
        let mut options = self.options.clone();
        options.naming.prefix = Naming::prefix_of(self.prefix, servers.len());
        let definitions = Definitions::measure(gate, servers, options, self.context)?;
        let definitions = match host {
            Some(host) => definitions.sent_by(host),
            None => definitions,
        };
        let is_recorded = !recordings.is_empty();
        let sessions = if is_recorded { replay(self.weir()?, recordings)? } else { Vec::new() };
        Ok(Counted { definitions, sessions })
    }
}

impl Counted {
    /// Whether the gateway in this mode costs less than none.
    pub(crate) fn gateway_pays(&self, hook: bool, mode: Mode) -> bool {
        let own = weir_gateway::own_tokens();
        let of = |mode| cost(Way { hook, mode }, &self.sessions, &self.definitions, own).tokens;
        of(Some(mode)) < of(None)
    }

    /// Tokens that excerpts save each time that the large results are sent, where sessions are recorded.
    pub(crate) fn saved(&self) -> Option<u64> {
        let all = self.sessions.iter().flatten();
        let saved = all.map(|result| result.whole.saturating_sub(result.shown)).sum();
        (!self.sessions.is_empty()).then_some(saved)
    }

    /// The same in words.
    pub(crate) fn large_results(&self) -> String {
        match self.saved() {
            None => "large results: no session is known to count".into(),
            Some(saved) => format!(
                "large results: about {} tokens less in its last {}",
                group(saved),
                counted(self.sessions.len() as u64, "session")
            ),
        }
    }
}

fn is_same(one: &ServerSpec, other: &ServerSpec) -> bool {
    (&one.key, &one.reach) == (&other.key, &other.reach)
}

/// The results of each file, put through the component.
fn replay(
    weir: &Weir,
    recordings: &[Vec<transcript::Recorded>],
) -> Result<Vec<Vec<Replayed>>, Failure> {
    let _working = Working::on("replaying");
    let one = |session: usize, result: &transcript::Recorded| {
        let tool = result.tool.as_deref().unwrap_or("tool");
        // As agents and gateways name tools of MCP servers.
        let of_mcp = tool.contains("__");
        let given = FinishedResult::text(format!("try-{session}"), tool, result.text.as_str());
        let replacement = weir.transform(&given)?;
        Ok(Replayed {
            of_mcp,
            turns: result.turns,
            whole: replacement.estimated_tokens_before,
            shown: replacement.estimated_tokens_after,
        })
    };
    let session = |(number, results): (usize, &Vec<transcript::Recorded>)| {
        results.iter().map(|result| one(number, result)).collect()
    };
    recordings.iter().enumerate().map(session).collect()
}

/// What a mode shows of the definitions; servers that are not known are the same for all ways, and left out of all.
pub(crate) fn shown(mode: Mode, definitions: &Definitions, own: u64) -> u64 {
    definitions.after(mode).unwrap_or(definitions.direct + own)
}

/// What a way costs, in tokens of new input: definitions and results are sent again with every later turn.
pub(crate) fn cost(
    way: Way,
    sessions: &[Vec<Replayed>],
    definitions: &Definitions,
    own: u64,
) -> Cost {
    let times = |turns: usize| 1.0 + CACHED * turns as f64;
    let defined = way.mode.map_or(definitions.direct, |mode| shown(mode, definitions, own));
    let searched = way.mode.is_some_and(|mode| definitions.searched(mode));
    let search = if searched { worth::SEARCH as f64 } else { 0.0 };
    let (mut tokens, mut at_worst) = (0.0, 0.0);
    // Without a recording it is a conversation without results.
    let none = [Vec::new()];
    for session in if sessions.is_empty() { &none } else { sessions } {
        let turns = session.first().map_or(worth::TURNS as usize - 1, |result| result.turns);
        let sent = defined as f64 * times(turns) + worth::SEARCHES as f64 * search;
        tokens += sent;
        at_worst += sent;
        for result in session {
            let shown = if way.replaces(result) { result.shown } else { result.whole };
            tokens += shown as f64 * times(result.turns);
            let read = if shown < result.whole { result.whole } else { 0 };
            at_worst += (shown + read) as f64 * times(result.turns);
        }
    }
    Cost { way, tokens, at_worst }
}
