//! `weir servers`: the gateway's servers, and what is the matter with them.

use serde_json::{Value, json};
use weir_gateway::Mode;
use weir_gateway::config::Config;
use weir_gateway::gate::Gate;
use weir_gateway::upstream::{State, Upstream};

use super::args::Servers;
use super::console::Console;
use super::definitions::Definitions;
use super::gateway::{Place, gate, problems, start, with_gateway};
use super::install::{Fronted, fronted, show_modes};
use super::left_out::left_out_skills;
use super::numbers::{age, counted, group};
use super::{Answer, Context, Failure};

/// The state of a server that waits for somebody to log in.
pub(crate) const NEEDS_LOGIN: &str = "needs login";

pub(crate) fn run(arguments: &Servers, context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let place = Place::of(&arguments.upstreams, context)?;
    if arguments.validate {
        return validate(&place, console);
    }
    let seen = Seen::of(&place, place.config_if_any()?, arguments.check, context)?;
    let bad = seen
        .rows
        .iter()
        .any(|row| matches!(row["state"].as_str(), Some("failed" | "broken" | NEEDS_LOGIN)));
    if console.json() {
        console.value(&Value::Array(seen.rows))?;
    } else {
        if seen.rows.is_empty() && place.servers.exists() {
            console.line(format_args!("{} names no servers", place.servers.display()))?;
        }
        show(&seen.rows, arguments.tools, console)?;
        if !seen.rows.is_empty() {
            console.line("")?;
            seen.show_modes(console)?;
        }
    }
    Ok(if bad { Answer::No } else { Answer::Yes })
}

/// The servers, what their tools take as definitions, and what the gateway makes of that for whom.
pub(crate) struct Seen {
    pub(crate) rows: Vec<Value>,
    pub(crate) definitions: Definitions,
    /// The hosts of this machine in front of the gateway.
    pub(crate) hosts: Vec<Fronted>,
    /// The mode for other clients.
    pub(crate) mode: Mode,
}

impl Seen {
    /// Each server as it is when `check` starts it, else as a gateway last saw it.
    pub(crate) fn of(
        place: &Place,
        config: Config,
        check: bool,
        context: &Context<'_>,
    ) -> Result<Seen, Failure> {
        let options = place.options(&config);
        let (mode, specs) = (options.mode, config.servers.clone());
        let hosts = fronted(&place.servers, &config, &options, context);
        let skills = left_out_skills(&config.servers);
        // Nothing goes through the component here: it need not be loaded for this.
        let none = Gate::new(Err("it is not needed".into()), context.session());
        let rows = with_gateway(config.servers, none, options.clone(), async |gateway| {
            if check {
                start(gateway, |_| true).await;
            }
            gateway.servers.all().iter().map(|upstream| row(upstream)).collect()
        });
        let mut rows: Vec<Value> = rows?;
        let definitions = Definitions::measure(|| gate(context), specs, options, context)?;
        let other = |name: &str, state: &str, reason: Option<&String>| json!({"name": name, "state": state, "reason": reason, "tools": []});
        rows.extend(config.broken.iter().map(|(name, why)| other(name, "broken", Some(why))));
        rows.extend(config.disabled.iter().map(|name| other(name, "disabled", None)));
        for row in &mut rows {
            let name = row["name"].as_str().unwrap_or_default();
            let left_out: Vec<&String> =
                skills.iter().filter(|(of, ..)| name == of).map(|(.., why)| why).collect();
            let tokens = definitions.by_server.get(name).copied();
            let hosts = config.hosts.get(name).cloned();
            row["skills_left_out"] = json!(left_out);
            row["hosts"] = hosts.into();
            row["estimated_tokens"] = tokens.into();
        }
        Ok(Seen { rows, definitions, hosts, mode })
    }

    pub(crate) fn show_modes(&self, console: &Console) -> Result<(), Failure> {
        show_modes(&self.hosts, &self.definitions, self.mode, console)
    }
}

/// Whether everything in the file can be used.
fn validate(place: &Place, console: &Console) -> Result<Answer, Failure> {
    let config = place.read()?;
    let problems: Vec<String> = problems(&config).collect();
    let file = place.servers.display();
    if console.json() {
        console.value(&json!({"file": place.servers, "problems": problems}))?;
    } else if problems.is_empty() {
        console.line(format_args!("{file}: good"))?;
    } else {
        for problem in &problems {
            console.line(format_args!("{file}: {problem}"))?;
        }
    }
    Ok(if problems.is_empty() { Answer::Yes } else { Answer::No })
}

fn row(upstream: &Upstream) -> Value {
    let known = upstream.known();
    let seen = upstream.seen();
    let (state, reason) = match upstream.state() {
        State::Starting => ("starting", None),
        State::Ready => ("ready", None),
        State::Failed(reason) => ("failed", Some(reason)),
        State::NeedsLogin(reason) => (NEEDS_LOGIN, Some(reason)),
        resting @ (State::Known | State::Configured) => {
            match seen.as_ref().and_then(|seen| Some((seen.login, seen.failed.clone()?))) {
                Some((true, reason)) => (NEEDS_LOGIN, Some(reason)),
                Some((false, reason)) => ("failed", Some(reason)),
                None if resting == State::Known => ("known", None),
                None => ("configured", None),
            }
        }
    };
    let shown = |skills: bool| -> Vec<String> {
        let listed = known.iter().flat_map(|known| known.tools.iter());
        listed
            .filter(|tool| tool.is_skill() == skills)
            .filter_map(|tool| tool.name())
            .filter(|name| upstream.spec.admits(name) && !upstream.withholds(name))
            .collect()
    };
    let (tools, skills) = (shown(false), shown(true));
    let changed: Vec<&String> = known.iter().flat_map(|known| known.changed.keys()).collect();
    let left_out: Vec<&String> =
        known.iter().flat_map(|known| known.left_out.values().flatten()).collect();
    let waiting: Vec<String> =
        upstream.withheld().iter().filter_map(|tool| tool.text_at(&["name"])).collect();
    json!({
        "name": upstream.spec.key, "state": state, "reason": reason,
        "seen_at": seen.map(|seen| seen.at),
        "version": known.as_ref().map(|known| known.version.clone()), "tools": tools, "skills": skills,
        "listed_at": known.as_ref().map(|known| known.listed_at),
        "skipped_lines": upstream.noise(), "changed": changed, "waiting": waiting,
        "left_out": left_out,
    })
}

/// A head and one line a server, with its problems and changes below it.
pub(crate) fn show(rows: &[Value], with_tools: bool, console: &Console) -> Result<(), Failure> {
    let text = |row: &Value, key: &str| row[key].as_str().unwrap_or("").to_owned();
    if rows.is_empty() {
        return Ok(());
    }
    let width = |key: &str, head: &str| {
        let widths = rows.iter().map(|row| text(row, key).chars().count());
        widths.max().unwrap_or(0).min(24).max(head.len())
    };
    let (names, versions) = (width("name", "SERVER"), width("version", "VERSION"));
    console.head(format_args!(
        "{:names$}  {:11}  {:versions$}  {:>5}  {:>7}  {:12}",
        "SERVER", "STATE", "VERSION", "TOOLS", "TOKENS", "SEEN"
    ))?;
    for row in rows {
        let tools = row["tools"].as_array().map_or(0, Vec::len);
        let tokens = row["estimated_tokens"].as_u64().map_or_else(|| "-".into(), group);
        let seen = row["seen_at"].as_u64().map_or_else(|| "never".into(), age);
        // What a server wrote may have lines of its own.
        let reason = text(row, "reason");
        let reason = reason.split_whitespace().collect::<Vec<_>>().join(" ");
        console.row(format_args!(
            "{:names$}  {:11}  {:versions$}  {tools:>5}  {tokens:>7}  {seen:12}",
            text(row, "name"),
            text(row, "state"),
            text(row, "version"),
        ))?;
        if let Some(skills) = row["skills"].as_array().filter(|skills| !skills.is_empty()) {
            console.line(format_args!("    {}", counted(skills.len() as u64, "skill")))?;
        }
        // In full, whatever fits the terminal: it is what a person must read to mend it.
        if !reason.is_empty() {
            console.line(format_args!("    {reason}"))?;
        }
        let items = |key| row[key].as_array().into_iter().flatten().filter_map(Value::as_str);
        let listed = |key| items(key).collect::<Vec<_>>().join(", ");
        for why in items("skills_left_out") {
            console.line(format_args!("    {why}"))?;
        }
        if row["hosts"].is_array() {
            let hosts = listed("hosts");
            let hosts = if hosts.is_empty() { "no agent" } else { &hosts };
            console.line(format_args!("    for {hosts}"))?;
        }
        if !listed("left_out").is_empty() {
            console.line(format_args!(
                "    left out, as no client could take it: {}",
                listed("left_out")
            ))?;
        }
        let (changed, waiting) = (listed("changed"), listed("waiting"));
        if !changed.is_empty() {
            let name = text(row, "name");
            console.line(format_args!(
                "    changed since they were first seen: {changed} (`weir tools approve {name}` shows how)"
            ))?;
        }
        if !waiting.is_empty() {
            let name = text(row, "name");
            console.line(format_args!(
                "    left out until approved: {waiting} (`weir tools approve {name}`)"
            ))?;
        }
        if with_tools {
            for tool in items("tools") {
                console.line(format_args!("    {tool}"))?;
            }
        }
    }
    Ok(())
}
