//! `weir try`: what Weir would have saved or cost an agent, mode by mode, beside what it has now. No file of an agent is
//! written.

use std::path::PathBuf;

use serde_json::{Value, json};
use weir_agents::config::{Host, Mode as HostMode};
use weir_agents::transcript;
use weir_gateway::spec::ServerSpec;
use weir_gateway::{Mode, worth};

use super::args::Try;
use super::console::Console;
use super::counting::{Cost, Counted, Counter, Replayed, cost, recorded, shown};
use super::definitions::{Definitions, Way, word};
use super::install::{self, Machine};
use super::numbers::{counted, group};
use super::{Answer, Context, Failure};

impl Way {
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

pub(crate) fn run(arguments: &Try, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let mut agents = install::present(arguments.agent.as_deref(), context)?;
    // The one with the most servers, where none is named.
    agents.sort_by_key(|agent| std::cmp::Reverse(agent.servers.len()));
    let others = agents.iter().skip(1).filter(|agent| !agent.servers.is_empty());
    let others: Vec<&str> = others.map(|agent| agent.host.name).collect();
    let agent = agents.first();
    let host = agent.map(|agent| agent.host);
    let recordings = match host {
        Some(host) if arguments.replay.is_empty() => {
            recorded(host, &Machine::of(None, context)?.directories)
        }
        _ => read(&arguments.replay)?,
    };
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
    let mut counter = Counter::new(context)?;
    if arguments.start {
        counter.start(servers.clone())?;
    }
    let Counted { definitions, sessions } = counter.count(host, servers.clone(), &recordings)?;
    // Without servers the gateway still has tools of its own.
    let own = weir_gateway::own_tokens();
    let is_unknown = definitions.known == 0 && !servers.is_empty();
    if is_unknown && recordings.is_empty() {
        let why = match counter.failed.first() {
            None => "none of them was started yet".to_owned(),
            Some(_) => counter.failures().join("; "),
        };
        return Err(Failure::usage(
            format!("what the tools of its servers take is not known: {why}"),
            "`weir try --start` starts each once; `weir try --replay FILE...` counts results alone",
        ));
    }
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
    let failed = counter.failures();
    let servers = servers.len();
    let report = Report { host, others, servers, failed, definitions, sessions, now, costs };
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
/// The ways that are compared, the usual one before its equals.
fn ways(definitions: &Definitions, own: u64, usual: Mode, now: Way) -> Vec<Way> {
    let modes = [Mode::Auto, Mode::Bridge, Mode::Passthrough];
    let by_cost = |mode: &Mode| shown(*mode, definitions, own);
    let best = [usual, Mode::Bridge, Mode::Passthrough].into_iter().min_by_key(by_cost);
    let way = |hook, mode| Way { hook, mode };
    let first = [Way::default(), way(true, None), way(true, Some(usual))];
    let all = first.into_iter().chain(modes.map(|mode| way(false, Some(mode))));
    let mut ways = Vec::new();
    for way in all.chain([way(true, best), now]) {
        if !ways.contains(&way) {
            ways.push(way);
        }
    }
    ways
}
struct Report<'a> {
    host: Option<&'static Host>,
    others: Vec<&'a str>,
    servers: usize,
    /// Servers that do not start, and why.
    failed: Vec<String>,
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

    fn print(&self, console: &Console) -> Result<(), Failure> {
        let title = self.host.map_or("no agent", |host| host.title);
        let sends = match self.host.is_some_and(|host| host.mode == HostMode::Passthrough) {
            true => "; its own search decides which of them it sends",
            false => "",
        };
        let others = match self.others.is_empty() {
            true => String::new(),
            false => format!("; other agents, each by its name: {}", self.others.join(", ")),
        };
        console.line(format_args!(
            "{title}: {}; {}{sends}{others}",
            counted(self.servers as u64, "server"),
            self.definitions.sentence(None),
        ))?;
        for failed in &self.failed {
            console.line(format_args!("  {failed}"))?;
        }
        if self.failed.is_empty() && self.definitions.known < self.servers {
            console.line("  what is not known is left out: --start starts each server once")?;
        }
        match self.sessions.len() {
            0 => console.line(format_args!(
                "counted is a conversation of {} turns without large results, cached input as a tenth; --replay FILE... counts recorded sessions",
                worth::TURNS
            ))?,
            sessions => {
                let (results, replaced) = self.results();
                console.line(format_args!(
                    "replayed {}: {}, {} large enough for an excerpt; cached input counts a tenth",
                    counted(sessions as u64, "session"),
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
            self.print_change(cost, now, console)?;
        }
        console.line(format_args!(
            "best here: {}: {}",
            self.best().name(),
            self.best().command(self.now, self.host)
        ))?;
        Ok(())
    }

    /// One other way beside how it is now.
    fn print_change(&self, cost: &Cost, now: f64, console: &Console) -> Result<(), Failure> {
        let name = cost.way.name();
        let by = cost.tokens - now;
        let verdict = match by {
            by if by >= 0.5 => "LOSS",
            by if by <= -0.5 => "saving",
            _ => "the same",
        };
        let worst = match cost.at_worst - cost.tokens {
            more if more >= 0.5 => format!(
                "; {} tokens if every excerpt is read back whole",
                signed(cost.at_worst - now)
            ),
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
        ))
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
            "servers_known": self.definitions.known, "failed": self.failed, "definitions": self.definitions.direct,
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
