//! `weir demo`: the main job on real outputs, made on the spot; then the same over MCP.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_host::Weir;
use weir_host::contract::{FinishedResult, Origin, Part};

mod files;
mod gateway;
pub(crate) mod server;
mod shown;

use shown::Screen;

use super::answer::Answer;
use super::args::Demo;
use super::console::{Console, progress};
use super::context::{Context, scratch_directory};
use super::failure::Failure;
use super::install::Agent;
use super::numbers::{group, size};

/// Files that are read for the log.
const MAX_FILES: usize = 20_000;

/// Larger files are left out of the log, so that a build directory does not slow the demo down.
const READ_BYTES: u64 = 256 * 1024;

/// With fewer files there is nothing large to show.
const FEW_FILES: usize = 100;

const SESSION: &str = "demo";

/// One output of a tool, and what to look for in it afterwards.
struct Output {
    tool: &'static str,
    what: String,
    arguments: Value,
    text: String,
    pattern: &'static str,
}

pub(crate) fn run(
    demo: &Demo,
    context: &Context<'_>,
    console: &mut Console,
) -> Result<Answer, Failure> {
    let scratch = scratch_directory()?;
    let weir = context.weir_at(&scratch.path().join("store"), console)?;
    let mut screen = Screen::of(console);
    let (mut place, made) = (demo.directory.clone(), scratch.path().join("samples"));
    let (mut files, mut log) = read_all(&place)?;
    if files < FEW_FILES {
        samples(&made).map_err(Failure::io("cannot make samples"))?;
        (files, log) = read_all(&made)?;
        place = made;
        screen.say(&format!("There are few files here: the demo made {files} of its own."))?;
    }
    let outputs = [
        Output {
            tool: "read_log",
            what: format!("a log of reading the files of {}", place.display()),
            arguments: json!({"path": "read.log"}),
            text: log,
            pattern: "README|WARN",
        },
        Output {
            tool: "run_tests",
            what: "a test run in colours, with one failure in the middle".into(),
            arguments: json!({"suite": "all"}),
            text: test_run(),
            pattern: "panicked",
        },
    ];
    let (mut before, mut after, mut answers) = (0, 0, Vec::new());
    for output in &outputs {
        let act = rescue(&weir, output, &mut screen)?;
        before += act.tokens_before;
        after += act.tokens_after;
        answers.push(act.json);
    }
    screen.say(&format!(
        "About {} tokens in all; the model sees {} with greps: {:.1} % saved.\n",
        group(before),
        group(after),
        100.0 - after as f64 * 100.0 / (before.max(1)) as f64,
    ))?;
    let over_mcp = gateway::run(&place, scratch.path(), context, &mut screen)?;
    let agents: Vec<Value> = super::install::agents(context).iter().map(Agent::json).collect();
    screen.say(&next(&agents))?;
    if console.json() {
        console.value(&json!({
            "results": answers, "estimated_tokens_before": before, "estimated_tokens_after": after,
            "gateway": over_mcp, "agents": agents,
        }))?;
    }
    Ok(Answer::Yes)
}

/// What this user does next, in one line.
fn next(agents: &[Value]) -> String {
    let without = agents.iter().find(|agent| agent["hook"] != true && agent["gateway"] != true);
    match (without, agents) {
        (Some(agent), _) => {
            let name = agent["host"].as_str().unwrap_or_default();
            format!("For your own results: weir install {name} (--dry-run shows what changes)")
        }
        (None, []) => "For your own results: weir transform FILE, then weir fetch ID".into(),
        (None, _) => "Your agents have Weir: weir stats shows what it saved".into(),
    }
}

struct Act {
    tokens_before: u64,
    tokens_after: u64,
    json: Value,
}

/// Gives one output to the component, then greps what it stored through the handle.
fn rescue(weir: &Weir, output: &Output, screen: &mut Screen<'_>) -> Result<Act, Failure> {
    let arguments = Some(output.arguments.to_string());
    let origin = Origin { arguments, ..Origin::new(SESSION, output.tool) };
    let result = FinishedResult::of(origin, vec![Part::Text(output.text.clone())]);
    let start = Instant::now();
    let replacement = weir.transform(&result)?;
    let (took, bytes) = (start.elapsed(), output.text.len());
    let tokens = replacement.estimated_tokens_before;
    screen.title(&format!("── {}: {}", output.tool, output.what))?;
    if !replacement.replaced {
        let bytes = size(bytes as u64);
        screen.say(&format!("   {bytes} in: small enough, the model sees it as it is\n"))?;
        let json = json!({"tool": output.tool, "bytes": output.text.len(), "replaced": false});
        return Ok(Act { tokens_before: tokens, tokens_after: tokens, json });
    }
    screen.say(&format!(
        "   {} in, about {} tokens; the model sees {} of them ({} ms):\n",
        size(bytes as u64),
        group(tokens),
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
    Ok(Act {
        tokens_before: tokens,
        tokens_after: replacement.estimated_tokens_after + weir_text::tokens::of(&answer),
        json: json!({
            "tool": output.tool, "bytes": bytes, "result": super::json::replacement(&replacement),
            "grep": answer,
        }),
    })
}

/// A folder with files as a project has them, for a directory that has too few.
fn samples(folder: &Path) -> std::io::Result<()> {
    let write = |path: &str, text: String| {
        let path: PathBuf = folder.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&path))?;
        fs::write(path, text)
    };
    for number in 1..=240 {
        let text = format!("def step_{number}(order):\n    return order[\"total\"] * {number}\n");
        write(&format!("src/part_{:02}/step_{number:03}.py", number % 12), text)?;
    }
    let order =
        |n: usize| format!("{n},customer{},{}.50,{}\n", n % 97, n % 410, ["paid", "open"][n % 2]);
    let orders: String = (1..=3_000).map(order).collect();
    write("data/orders.csv", format!("id,customer,total,state\n{orders}"))?;
    write("README.md", "# Samples\n\nMade by `weir demo`.\n".into())
}

/// How many files are below a directory, and a log of reading each of them.
fn read_all(root: &Path) -> Result<(usize, String), Failure> {
    fs::read_dir(root).map_err(|source| Failure::reading(root, source))?;
    let (mut count, mut log, start) = (0, String::new(), Instant::now());
    let bar = progress("walking");
    files::walk(root, |path, found| match found {
        Err(error) => {
            let message = format!("cannot list {}: {error}", path.display());
            log_line(&mut log, start.elapsed(), "ERROR", &message);
        }
        Ok(metadata) if metadata.is_file() && count < MAX_FILES => {
            count += 1;
            bar.set_prefix(format!("{count} files"));
            bar.tick();
            read(path, metadata.len(), start, &mut log);
        }
        Ok(_) => {}
    });
    bar.finish_and_clear();
    Ok((count, log))
}

fn read(path: &Path, bytes: u64, start: Instant, log: &mut String) {
    let (begun, shown) = (Instant::now(), path.display());
    let content = (bytes <= READ_BYTES).then(|| fs::read(path));
    let (level, message) = match content {
        None => ("WARN", format!("left out {shown}: {}", size(bytes))),
        Some(Ok(content)) => {
            let lines = content.iter().filter(|byte| **byte == b'\n').count();
            let (bytes, micros) = (content.len(), begun.elapsed().as_micros());
            ("INFO", format!("read {shown} ({bytes} bytes, {lines} lines) in {micros} us"))
        }
        Some(Err(error)) => ("ERROR", format!("cannot read {shown}: {error}")),
    };
    log_line(log, start.elapsed(), level, &message);
}

fn log_line(log: &mut String, at: Duration, level: &str, message: &str) {
    log.push_str(&format!("{:>10.6} {level:<5} {message}\n", at.as_secs_f64()));
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
