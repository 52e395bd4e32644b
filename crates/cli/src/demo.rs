//! `weir demo`: the main job on sample results, made on the spot; then the same over MCP.

use std::time::Instant;

use serde_json::{Value, json};
use weir_host::Weir;
use weir_host::contract::{FinishedResult, Origin, Part};

mod gateway;
pub(crate) mod server;
mod shown;

use shown::Screen;

use super::context::{Context, scratch_directory};
use super::install::{Present, present};
use super::numbers::{group, size};
use super::{Answer, Failure};

const SESSION: &str = "demo";

/// One output of a tool, and what to look for in it afterwards.
struct Output {
    tool: &'static str,
    what: &'static str,
    text: String,
    pattern: &'static str,
}

pub(crate) fn run(context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let scratch = scratch_directory()?;
    let weir = context.weir_at(&scratch.path().join("store"))?;
    let mut screen = Screen::of(console);
    let outputs = [
        Output {
            tool: "read_log",
            what: "the log of a server, with one warning in the middle",
            text: log(),
            pattern: "WARN",
        },
        Output {
            tool: "run_tests",
            what: "a test run in colours, with one failure in the middle",
            text: test_run(),
            pattern: "panicked",
        },
    ];
    let (mut before, mut after, mut answers) = (0, 0, Vec::new());
    for output in &outputs {
        let (tokens_before, tokens_after, answer) = rescue(&weir, output, &mut screen)?;
        before += tokens_before;
        after += tokens_after;
        answers.push(answer);
    }
    screen.say(&format!(
        "About {} tokens in all; the model sees {} with greps: {:.1} % saved.\n",
        group(before),
        group(after),
        100.0 - after as f64 * 100.0 / (before.max(1)) as f64,
    ))?;
    let over_mcp = gateway::run(weir, scratch.path(), &mut screen)?;
    let agents = present(None, context).unwrap_or_default();
    screen.say(&next(&agents))?;
    if console.json() {
        let agents: Vec<Value> = agents.iter().map(|agent| agent.json(context)).collect();
        console.value(&json!({
            "results": answers, "estimated_tokens_before": before, "estimated_tokens_after": after,
            "gateway": over_mcp, "agents": agents,
        }))?;
    }
    Ok(Answer::Yes)
}

/// What this user does next, in one line.
fn next(agents: &[Present]) -> String {
    let without = agents.iter().find(|agent| !agent.hook && agent.gateway.is_none());
    match (without, agents) {
        (Some(agent), _) => {
            let name = agent.host.name;
            format!("For your own results: weir install {name} (--dry-run shows what changes)")
        }
        (None, []) => "For your own results: weir transform FILE, then weir fetch ID".into(),
        (None, _) => "Your agents have Weir: weir stats shows what it saved".into(),
    }
}

/// Gives one output to the component, then greps what it stored through the handle. The tokens before and after, and
/// all of it as JSON.
fn rescue(
    weir: &Weir,
    output: &Output,
    screen: &mut Screen<'_>,
) -> Result<(u64, u64, Value), Failure> {
    let result = FinishedResult::of(
        Origin::new(SESSION, output.tool),
        vec![Part::Text(output.text.clone())],
    );
    let start = Instant::now();
    let replacement = weir.transform(&result)?;
    let (took, bytes) = (start.elapsed(), output.text.len());
    screen.title(&format!("── {}: {}", output.tool, output.what))?;
    screen.say(&format!(
        "   {} in, about {} tokens; the model sees {} of them ({} ms):\n",
        size(bytes as u64),
        group(replacement.estimated_tokens_before),
        group(replacement.estimated_tokens_after),
        took.as_millis().max(1),
    ))?;
    let shown = replacement.parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    screen.excerpt(shown.unwrap_or_default())?;
    let mut answer = String::new();
    if let Some(handle) = replacement.handles.first() {
        let arguments =
            json!({"id": handle.id, "mode": "grep", "pattern": output.pattern, "max_matches": 2});
        let start = Instant::now();
        answer = weir.invoke(SESSION, "weir_fetch", &arguments.to_string())?.text;
        screen.call("weir_fetch", &arguments, start.elapsed())?;
        screen.answer(&answer)?;
    }
    screen.say("")?;
    let after = replacement.estimated_tokens_after + weir_text::tokens::of(&answer);
    let told = super::json::replacement(&replacement);
    let json = json!({"tool": output.tool, "bytes": bytes, "result": told, "grep": answer});
    Ok((replacement.estimated_tokens_before, after, json))
}

/// Lines of the made log, and the one that is a warning.
const LINES: usize = 2_000;
const WARNING: usize = 1_202;

/// A log as a server writes it; always the same.
fn log() -> String {
    let line = |number: usize| {
        let time = format!("10:{:02}:{:02}.{:03}", number / 60 % 60, number % 60, number % 997);
        match number {
            WARNING => {
                format!("{time} WARN  order {number}: no answer from billing, tried 3 times\n")
            }
            _ => format!("{time} INFO  order {number} is stored in {} ms\n", number % 17),
        }
    };
    (1..=LINES).map(line).collect()
}

/// Tests of the made test run, and the one that fails.
const TESTS: usize = 3_000;
const FAILING: usize = 1_502;

/// A test run as it is printed to a terminal; always the same.
fn test_run() -> String {
    const AREAS: [&str; 6] = ["parser", "store", "network", "render", "schedule", "search"];
    let mut text = format!("\nrunning {TESTS} tests\n");
    for number in 1..=TESTS {
        let name = format!("{}::tests::case_{number:04}", AREAS[number % AREAS.len()]);
        text.push_str(&match number {
            FAILING => format!(
                "test {name} ... \x1b[31mFAILED\x1b[0m\n\
                 thread '{name}' panicked at src/network/retry.rs:88:9:\n\
                 assertion `left == right` failed: gave up too early\n  left: 3\n right: 5\n"
            ),
            _ => format!("test {name} ... \x1b[32mok\x1b[0m\n"),
        });
    }
    text + &format!(
        "\ntest result: \x1b[31mFAILED\x1b[0m. {} passed; 1 failed; finished in 4.21s\n",
        TESTS - 1
    )
}
