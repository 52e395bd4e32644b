//! `weir try`: what Weir would have saved or cost an agent, mode by mode, beside what it has now. Nothing is installed, and
//! nothing written.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde_json::{Value, json};
use tempfile::TempDir;
use weir_agents::config::{Host, Mode as HostMode};
use weir_agents::transcript;
use weir_gateway::gate::Gate;
use weir_gateway::spec::ServerSpec;
use weir_gateway::{Mode, Options, config, worth};
use weir_host::Weir;
use weir_host::contract::FinishedResult;

use super::answer::Answer;
use super::args::Try;
use super::console::{Console, Working};
use super::context::Context;
use super::definitions::{Definitions, word};
use super::failure::Failure;
use super::gateway::with_gateway;
use super::install;
use super::numbers::{counted, group};

/// What input that a provider has in its cache costs, of what new input costs.
const CACHED: f64 = 0.1;

/// A way to use Weir: the hook, and the gateway in this mode.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Way {
    hook: bool,
    mode: Option<Mode>,
}

impl Way {
    fn name(self) -> String {
        match (self.hook, self.mode) {
            (false, None) => "nothing".into(),
            (true, None) => "hook".into(),
            (false, Some(mode)) => format!("gateway, {}", word(mode)),
            (true, Some(mode)) => format!("hook and gateway, {}", word(mode)),
        }
    }

    /// Whether it replaces a result: the gateway has only those of MCP servers.
    fn replaces(self, result: &Replayed) -> bool {
        self.hook || self.mode.is_some() && result.of_mcp
    }

    /// Whether an agent can have it.
    fn is_for(self, host: &Host) -> bool {
        (!self.hook || install::has_hook(host)) && (self.mode.is_none() || host.has_servers())
    }

    /// How it is had by an agent that has `now`.
    fn command(self, now: Way, host: Option<&Host>) -> String {
        let no_hook = !self.hook && host.is_none_or(install::has_hook);
        let hook = if no_hook { " --no-hooks" } else { "" };
        let host = host.map_or("HOST", |host| host.name);
        let command = match self.mode.map(word) {
            _ if self == now && now == Way::default() => {
                return "leave it as it is; fewer servers, or `allow` and `deny`, would save"
                    .into();
            }
            _ if self == now => return "leave it as it is".into(),
            None if !self.hook => return format!("`weir install {host} --undo`"),
            None => format!("`weir install {host} --keep-servers`"),
            Some(mode) => format!("`weir install {host}{hook} --mode {mode}`"),
        };
        // What is in, or was chosen to be out, an installation leaves so.
        let is_in = now != Way::default();
        match is_in && (self.hook != now.hook || self.mode.is_none() && now.mode.is_some()) {
            true => format!("`weir install {host} --undo`, then {command}"),
            false => command,
        }
    }
}

/// A recorded result, whole and as its excerpt.
struct Replayed {
    of_mcp: bool,
    /// Turns after it.
    turns: usize,
    whole: u64,
    shown: u64,
}

/// What one way costs.
struct Cost {
    way: Way,
    tokens: f64,
    /// With every excerpt read back whole.
    at_worst: f64,
}

pub(crate) fn run(
    arguments: &Try,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let recordings = read(&arguments.replay)?;
    let mut agents = install::present(arguments.agent.as_deref(), context)?;
    // The one with the most servers, where none is named.
    agents.sort_by_key(|agent| std::cmp::Reverse(agent.servers.len()));
    let others = agents.iter().skip(1).filter(|agent| !agent.servers.is_empty());
    let others: Vec<&str> = others.map(|agent| agent.host.name).collect();
    let agent = agents.first();
    let host = agent.map(|agent| agent.host);
    let now = agent.map(|agent| Way { hook: agent.hook, mode: agent.gateway }).unwrap_or_default();
    let servers: Vec<ServerSpec> = agent.map(|agent| agent.servers.clone()).unwrap_or_default();
    if servers.is_empty() && recordings.is_empty() {
        let found = match host.filter(|_| arguments.agent.is_some()) {
            Some(host) => format!("{} has no MCP servers", host.title),
            None => "no agent with MCP servers was found".into(),
        };
        return Err(Failure::usage(
            format!("there is nothing to try: {found}, and no session was named"),
            "name recorded sessions: `weir try --replay FILE...`",
        ));
    }
    let (weir, scratch) = context.without_trace()?;
    let options = options(&scratch, context)?;
    if arguments.start {
        start(servers.clone(), &options, context)?;
    }
    let behind = || Gate::new(Ok(weir.clone()), context.session());
    let definitions =
        Definitions::measure_behind(behind, servers.clone(), options.clone(), context)?;
    // Without servers the gateway still has tools of its own.
    let own = weir_gateway::own_tokens();
    let is_unknown = definitions.known == 0 && !servers.is_empty();
    if is_unknown && recordings.is_empty() {
        return Err(Failure::usage(
            "what the tools of its servers take is not known: none of them was started yet, or none starts",
            "`weir try --start` starts each once; `weir try --replay FILE...` counts results alone",
        ));
    }
    let sessions = replay(&weir, &recordings)?;
    let usual = host.and_then(|host| host.mode.as_str().parse().ok()).unwrap_or_default();
    let can_be = |way: Way| {
        let of_host = host.is_none_or(|host| way.is_for(host));
        let counts = match way.mode {
            None => true,
            // Nothing can be said of the gateway.
            Some(_) if is_unknown => false,
            // What it sends of these definitions, and when, is its own: a search of ours saves nothing that is known.
            Some(mode) => usual != Mode::Passthrough || mode == usual,
        };
        way == now || of_host && counts
    };
    let ways = ways(&definitions, own, usual, now).into_iter().filter(|way| can_be(*way));
    let mut costs: Vec<Cost> = ways.map(|way| cost(way, &sessions, &definitions, own)).collect();
    // Losses first.
    costs.sort_by(|a, b| b.tokens.total_cmp(&a.tokens));
    let report = Report { host, others, servers: servers.len(), definitions, sessions, now, costs };
    match console.json() {
        true => console.value(&report.json())?,
        false => report.print(console)?,
    }
    Ok(Answer::Yes)
}

fn read(files: &[PathBuf]) -> Result<Vec<Vec<transcript::Recorded>>, Failure> {
    let mut all = Vec::new();
    for file in files {
        let text =
            std::fs::read_to_string(file).map_err(|source| Failure::reading(file, source))?;
        all.push(transcript::results(&text));
    }
    if !files.is_empty() && all.iter().all(Vec::is_empty) {
        return Err(Failure::usage(
            "no result of a tool is in these files, in any format that is known",
            "name sessions of Claude Code, Codex or OpenAI chat, as JSON or JSON lines",
        ));
    }
    Ok(all)
}

/// The gateway's settings, with all that it keeps in the scratch directory: the tool lists that are known are
/// copied there.
fn options(scratch: &TempDir, context: &Context<'_>) -> Result<Options, Failure> {
    let state = scratch.path().join("state");
    let failed = |source| Failure::Io { what: "cannot copy the known tool lists".into(), source };
    copy(&context.state_dir()?.join("servers"), &state.join("servers")).map_err(failed)?;
    let mut options = Options::new(state);
    let file = context.config_dir()?.join("servers.json");
    if let Ok(config) = config::load(&file, &context.secrets()?) {
        config.gateway.apply(&mut options);
        options.audit = None;
    }
    options.guard = std::env::current_exe().ok().filter(|_| cfg!(unix));
    Ok(options)
}

fn copy(from: &Path, to: &Path) -> std::io::Result<()> {
    std::fs::create_dir_all(to)?;
    for entry in std::fs::read_dir(from).into_iter().flatten().flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_file()) {
            std::fs::copy(entry.path(), to.join(entry.file_name()))?;
        }
    }
    Ok(())
}

/// Starts the servers once, for their lists of tools.
fn start(
    servers: Vec<ServerSpec>,
    options: &Options,
    context: &Context<'_>,
) -> Result<(), Failure> {
    let _working = Working::on("starting servers");
    let gate = Gate::new(Err("it is not needed".into()), context.session());
    with_gateway(servers, gate, options.clone(), async |gateway| {
        let upstreams = gateway.servers.all();
        let starts = upstreams.iter().map(|upstream| {
            let upstream = Arc::clone(upstream);
            tokio::spawn(async move {
                if upstream.live().await.is_ok() {
                    upstream.whole_list().await;
                }
            })
        });
        for start in starts.collect::<Vec<_>>() {
            let _ = start.await;
        }
    })
}

/// The results of each file, put through the component.
fn replay(
    weir: &Weir,
    recordings: &[Vec<transcript::Recorded>],
) -> Result<Vec<Vec<Replayed>>, Failure> {
    let _working = (!recordings.is_empty()).then(|| Working::on("replaying"));
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
fn shown(mode: Mode, definitions: &Definitions, own: u64) -> u64 {
    definitions.after(mode).unwrap_or(definitions.direct + own)
}

/// The ways that are compared, the usual one before its equals.
fn ways(definitions: &Definitions, own: u64, usual: Mode, now: Way) -> Vec<Way> {
    let modes = [Mode::Auto, Mode::Bridge, Mode::Passthrough];
    let by_cost = |mode: &Mode| shown(*mode, definitions, own);
    let best = [usual, Mode::Bridge, Mode::Passthrough].into_iter().min_by_key(by_cost);
    let way = |hook, mode| Way { hook, mode };
    let mut ways = vec![Way::default(), way(true, None), way(true, Some(usual))];
    ways.extend(modes.map(|mode| way(false, Some(mode))));
    ways.extend([way(true, best), now]);
    let mut seen = Vec::new();
    ways.retain(|way| {
        !seen.contains(way) && {
            seen.push(*way);
            true
        }
    });
    ways
}

/// What a way costs, in tokens of new input: definitions and results are sent again with every later turn.
fn cost(way: Way, sessions: &[Vec<Replayed>], definitions: &Definitions, own: u64) -> Cost {
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

struct Report<'a> {
    host: Option<&'static Host>,
    others: Vec<&'a str>,
    servers: usize,
    definitions: Definitions,
    sessions: Vec<Vec<Replayed>>,
    /// What the agent has.
    now: Way,
    /// The highest first.
    costs: Vec<Cost>,
}

impl Report<'_> {
    fn of(&self, way: Way) -> f64 {
        self.costs.iter().find(|cost| cost.way == way).map_or(0.0, |cost| cost.tokens)
    }

    fn best(&self) -> Way {
        let now = self.of(self.now);
        // Of equal ones the usual one, which comes first.
        let best = self.costs.iter().min_by(|a, b| a.tokens.total_cmp(&b.tokens));
        best.filter(|best| best.tokens < now).map_or(self.now, |cost| cost.way)
    }

    fn results(&self) -> (usize, usize) {
        let all = || self.sessions.iter().flatten();
        (all().count(), all().filter(|result| result.shown < result.whole).count())
    }

    fn print(&self, console: &mut Console) -> Result<(), Failure> {
        let title = self.host.map_or("no agent", |host| host.title);
        let known = match self.definitions.known {
            known if known == self.servers => String::new(),
            0 => {
                " (its tools are not known, and the gateway is left out: --start starts them once)"
                    .into()
            }
            known => format!(" ({known} of {} known: --start starts each once)", self.servers),
        };
        let sends = match self.host.is_some_and(|host| host.mode == HostMode::Passthrough) {
            true => "; its own search decides which of them it sends",
            false => " with every request",
        };
        let others = match self.others.is_empty() {
            true => String::new(),
            false => format!("; other agents, each by its name: {}", self.others.join(", ")),
        };
        console.line(format_args!(
            "{title}: {}, about {} tokens of definitions{sends}{known}{others}",
            counted(self.servers as u64, "server"),
            group(self.definitions.direct),
        ))?;
        match self.sessions.len() {
            0 => console.line(format_args!(
                "counted is a conversation of {} turns without large results, cached input as a tenth; --replay FILE... counts recorded sessions",
                worth::TURNS
            ))?,
            files => {
                let (results, replaced) = self.results();
                console.line(format_args!(
                    "replayed {}: {}, {} large enough for an excerpt; cached input counts a tenth",
                    counted(files as u64, "file"),
                    counted(results as u64, "result"),
                    group(replaced as u64),
                ))?;
            }
        }
        let now = self.of(self.now);
        for cost in &self.costs {
            let name = cost.way.name();
            if cost.way == self.now {
                console.line(format_args!(
                    "  as it is  {name:<29} {:>10} tokens",
                    whole(cost.tokens)
                ))?;
                continue;
            }
            let by = cost.tokens - now;
            let verdict = match by {
                by if by >= 0.5 => "LOSS",
                by if by <= -0.5 => "saving",
                _ => "the same",
            };
            let worst = match cost.at_worst - cost.tokens {
                more if more >= 0.5 => {
                    format!(
                        "; {} tokens if every excerpt is read back whole",
                        signed(cost.at_worst - now)
                    )
                }
                _ => String::new(),
            };
            let searched = cost.way.mode.is_some_and(|mode| self.definitions.searched(mode));
            let searches = match searched {
                false => String::new(),
                true => format!("; {} searches a session included", worth::SEARCHES),
            };
            console.line(format_args!(
                "  {verdict:<8}  {name:<29} {:>10} tokens{}{worst}{searches}",
                signed(by),
                percent(cost.tokens, now)
            ))?;
        }
        console.line(format_args!(
            "best here: {}: {}",
            self.best().name(),
            self.best().command(self.now, self.host)
        ))?;
        Ok(())
    }

    fn json(&self) -> Value {
        let (nothing, now) = (self.of(Way::default()), self.of(self.now));
        let (results, replaced) = self.results();
        let way = |cost: &Cost| {
            json!({
                "way": cost.way.name(), "estimated_tokens": cost.tokens.round() as u64,
                "against_nothing": (cost.tokens - nothing).round() as i64,
                "against_nothing_at_worst": (cost.at_worst - nothing).round() as i64,
                "against_now": (cost.tokens - now).round() as i64,
            })
        };
        json!({
            "host": self.host.map(|host| host.name), "servers": self.servers,
            "servers_known": self.definitions.known, "definitions": self.definitions.direct,
            "files": self.sessions.len(), "results": results, "replaced": replaced,
            "ways": self.costs.iter().map(way).collect::<Vec<_>>(), "now": self.now.name(), "best": self.best().name(),
        })
    }
}

fn whole(tokens: f64) -> String {
    group(tokens.round() as u64)
}

fn signed(tokens: f64) -> String {
    let sign = if tokens.round() < 0.0 { "-" } else { "+" };
    format!("{sign}{}", whole(tokens.abs()))
}

/// A cost against that of now, after a comma; nothing where that is none.
fn percent(cost: f64, now: f64) -> String {
    match now > 0.0 {
        true => format!(", {:+.1} %", (cost / now - 1.0) * 100.0),
        false => String::new(),
    }
}
