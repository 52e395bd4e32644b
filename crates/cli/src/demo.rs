//! `weir demo`: the main job on real outputs, made on the spot; then the same over MCP.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use weir_host::Weir;
use weir_host::contract::{FinishedResult, Origin, Part};

mod files;
mod gateway;
pub(crate) mod server;
mod shown;
mod tools;

use shown::Screen;

use super::answer::Answer;
use super::args::Demo;
use super::console::{Console, progress};
use super::context::{Context, scratch_directory};
use super::failure::Failure;
use super::install::Agent;
use super::numbers::{group, size};

/// Files that the walk stops at.
const MAX_FILES: usize = 20_000;

/// Larger files are left out of the log, so that a build directory does not slow the demo down.
const READ_BYTES: u64 = 256 * 1024;

/// With fewer files there is nothing large to show.
const FEW_FILES: usize = 100;

const SESSION: &str = "demo";

/// One real output of a tool, and what to look for in it afterwards.
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
    let bar = progress("walking");
    let mut progress = |count| {
        bar.set_prefix(format!("{count} files"));
        bar.tick();
    };
    let mut place = demo.directory.clone();
    let (mut files, mut log) = walk(&place, &mut progress)?;
    if files.len() < FEW_FILES {
        place = samples(scratch.path())?;
        (files, log) = walk(&place, &mut progress)?;
    }
    bar.finish_and_clear();
    if place != demo.directory && !console.json() {
        console.line(format_args!(
            "There are few files in {}: the demo made {} of its own.\n",
            demo.directory.display(),
            files.len()
        ))?;
    }

    let directory = place.display().to_string();
    let mut outputs = vec![Output {
        tool: "list_directory",
        what: format!("every file below {directory}, as JSON"),
        arguments: json!({"path": directory}),
        text: Value::from(files).to_string(),
        pattern: "README.md",
    }];
    outputs.push(Output {
        tool: "run_tests",
        what: "a test run in colours, with one failure in the middle".into(),
        arguments: json!({"suite": "all"}),
        text: test_run(),
        pattern: "panicked",
    });
    outputs.push(Output {
        tool: "read_log",
        what: "a log of reading each of these files".into(),
        arguments: json!({"path": "read.log"}),
        text: log,
        pattern: "WARN",
    });

    let mut before = 0;
    let mut after = 0;
    let mut answers = Vec::new();
    for output in &outputs {
        let act = rescue(&weir, output, console)?;
        before += act.tokens_before;
        after += act.tokens_after;
        answers.push(act.json);
    }
    if !console.json() {
        console.line(format_args!(
            "In all: about {} tokens of results; the model is shown {},\ngrep's answers included: {:.1} % saved.\n",
            group(before),
            group(after),
            100.0 - after as f64 * 100.0 / (before.max(1)) as f64,
        ))?;
    }
    let over_mcp = gateway::run(&place, scratch.path(), context, console)?;
    let agents = super::install::agents(context);
    if console.json() {
        console.value(&json!({
            "results": answers, "estimated_tokens_before": before, "estimated_tokens_after": after,
            "gateway": over_mcp, "agents": agents.iter().map(Agent::json).collect::<Vec<_>>(),
        }))?;
        return Ok(Answer::Yes);
    }
    console.line(
        "Every byte can be read back.\nYour own results: weir transform FILE, then weir fetch ID.\n",
    )?;
    own(&agents, console)?;
    Ok(Answer::Yes)
}

/// The user's own agents, and what they pay for definitions today.
fn own(agents: &[Agent], console: &mut Console) -> Result<(), Failure> {
    if agents.is_empty() {
        return console.line(
            "No agent was found on this machine.\n`weir install --help` lists those that are known.",
        );
    }
    console.line("── Your agents")?;
    for agent in agents {
        console.line(format_args!("   {agent}"))?;
    }
    console.line("")?;
    console.line("   weir install --dry-run   shows what would change; weir install does it")
}

struct Act {
    tokens_before: u64,
    tokens_after: u64,
    json: Value,
}

/// Gives one output to the component, then greps what it stored through the handle.
fn rescue(weir: &Weir, output: &Output, console: &mut Console) -> Result<Act, Failure> {
    let origin = Origin {
        arguments: Some(output.arguments.to_string()),
        ..Origin::new(SESSION, output.tool)
    };
    let result = FinishedResult::of(origin, vec![Part::Text(output.text.clone())]);
    let start = Instant::now();
    let replacement = weir.transform(&result)?;
    let took = start.elapsed();
    let (quiet, screen) = (console.json(), Screen::of(console));
    let mut say = |line: String| if quiet { Ok(()) } else { console.line(line) };
    say(screen.title(&format!("── {}: {}", output.tool, output.what)))?;
    if !replacement.replaced {
        say(format!(
            "   {} in: small enough, the model sees it as it is\n",
            size(output.text.len() as u64)
        ))?;
        let tokens = replacement.estimated_tokens_before;
        let json = json!({"tool": output.tool, "bytes": output.text.len(), "replaced": false});
        return Ok(Act { tokens_before: tokens, tokens_after: tokens, json });
    }
    say(format!(
        "   {} in, about {} tokens; the model sees {} of them ({} ms):\n",
        size(output.text.len() as u64),
        group(replacement.estimated_tokens_before),
        group(replacement.estimated_tokens_after),
        took.as_millis().max(1),
    ))?;
    let shown = replacement.parts.iter().find_map(|part| match part {
        Part::Text(text) => Some(text.as_str()),
        _ => None,
    });
    for line in screen.excerpt(shown.unwrap_or_default()) {
        say(format!("   │ {line}"))?;
    }
    let mut answer = String::new();
    if let Some(handle) = replacement.handles.first() {
        let arguments =
            json!({"id": handle.id, "mode": "grep", "pattern": output.pattern, "max_matches": 3});
        let start = Instant::now();
        answer = weir.invoke(SESSION, "weir_fetch", &arguments.to_string())?.text;
        say(format!("\n   {}\n", screen.asked("weir_fetch", &arguments, start.elapsed())))?;
        for line in answer.lines().take(6) {
            say(format!("   │ {}", screen.clip(line)))?;
        }
    }
    say(String::new())?;
    Ok(Act {
        tokens_before: replacement.estimated_tokens_before,
        tokens_after: replacement.estimated_tokens_after + weir_text::tokens::of(&answer),
        json: json!({
            "tool": output.tool, "bytes": output.text.len(), "result": super::json::replacement(&replacement),
            "grep": answer,
        }),
    })
}

/// A folder with files as a project has them, for a directory that has too few.
fn samples(scratch: &Path) -> Result<std::path::PathBuf, Failure> {
    let folder = scratch.join("samples");
    let write = |path: &Path, text: &str| {
        fs::create_dir_all(path.parent().unwrap_or(path)).and_then(|()| fs::write(path, text))
    };
    let failed = Failure::io("cannot make samples");
    for number in 1..=240 {
        let path = folder.join(format!("src/part_{:02}/step_{number:03}.py", number % 12));
        write(
            &path,
            &format!("def step_{number}(order):\n    return order[\"total\"] * {number}\n"),
        )
        .map_err(&failed)?;
    }
    let orders: String = (1..=3_000)
        .map(|n| format!("{n},customer{},{}.50,{}\n", n % 97, n % 410, ["paid", "open"][n % 2]))
        .collect();
    write(&folder.join("data/orders.csv"), &format!("id,customer,total,state\n{orders}"))
        .map_err(&failed)?;
    write(&folder.join("README.md"), "# Samples\n\nMade by `weir demo`.\n").map_err(&failed)?;
    Ok(folder)
}

/// Every file below a directory as JSON, and a log of reading each of them.
fn walk(root: &Path, mut progress: impl FnMut(usize)) -> Result<(Vec<Value>, String), Failure> {
    fs::read_dir(root).map_err(|source| Failure::reading(root, source))?;
    let (mut files, mut log, start) = (Vec::new(), String::new(), Instant::now());
    files::walk(root, true, |path, found| match found {
        Err(error) => {
            let message = format!("cannot list {}: {error}", path.display());
            log_line(&mut log, start.elapsed(), "ERROR", &message);
        }
        Ok(metadata) if metadata.is_file() && files.len() < MAX_FILES => {
            progress(files.len());
            files.push(json!({
                "path": path.strip_prefix(root).unwrap_or(path).to_string_lossy(),
                "bytes": metadata.len(),
                "extension": path.extension().map(|extension| extension.to_string_lossy()),
                "readonly": metadata.permissions().readonly(),
            }));
            read(path, metadata.len(), start, &mut log);
        }
        Ok(_) => {}
    });
    Ok((files, log))
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
        if number == FAILING {
            text.push_str(&format!(
                "test {name} ... \x1b[31mFAILED\x1b[0m\n\
                 thread '{name}' panicked at src/network/retry.rs:88:9:\n\
                 assertion `left == right` failed: gave up too early\n  left: 3\n right: 5\n"
            ));
        } else {
            text.push_str(&format!("test {name} ... \x1b[32mok\x1b[0m\n"));
        }
    }
    text.push_str(&format!(
        "\ntest result: \x1b[31mFAILED\x1b[0m. {} passed; 1 failed; finished in 4.21s\n",
        TESTS - 1
    ));
    text
}
