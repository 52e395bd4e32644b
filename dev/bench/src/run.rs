//! One run: every strategy against every task, two strategies at a time.

use std::path::PathBuf;
use std::sync::Mutex;

use serde_json::{Value, json};

use crate::dice::Dice;
use crate::kinds::{self, Kind};
use crate::meter::digest;
use crate::question::{self, Question};
use crate::reader::{self, Reader};
use crate::strategy::{CONTROL, Entry, Strategy};
use crate::tools::{self, Chooser};
use crate::{meter, report};

/// What the command line says.
pub(crate) struct Options {
    /// One seed, small results, few catalogues.
    pub(crate) quick: bool,
    /// Names of strategies; all when empty. The control always runs.
    pub(crate) only: Vec<String>,
    /// The file of strategies.
    pub(crate) strategies: PathBuf,
    /// Where the report goes.
    pub(crate) out: PathBuf,
}

/// A result with its questions.
struct Task {
    kind: &'static str,
    size: usize,
    seed: u64,
    text: String,
    digest: String,
    tokens: usize,
    questions: Vec<Question>,
}

/// Sizes of results in bytes, and how many kinds have each.
fn sizes(quick: bool) -> Vec<(usize, usize)> {
    const ALL: usize = usize::MAX;
    if quick {
        return vec![(1_000, ALL), (16_000, ALL), (64_000, 12)];
    }
    vec![
        (1_000, ALL),
        (4_000, ALL),
        (16_000, ALL),
        (64_000, ALL),
        (250_000, ALL),
        (1_000_000, 6),
        (10_000_000, 2),
    ]
}

fn tasks(quick: bool) -> Vec<Task> {
    let kinds = kinds::all();
    let seeds: &[u64] = if quick { &[1] } else { &[1, 2] };
    let mut tasks = Vec::new();
    for &seed in seeds {
        for (size, most) in sizes(quick) {
            // The largest are made once; other seeds take other kinds for them.
            let mut of: Vec<&Kind> = kinds.iter().collect();
            if most < of.len() {
                Dice::named(seed, "few kinds").shuffle(&mut of);
                of.truncate(if size > 2_000_000 && seed > 1 { 0 } else { most });
            }
            for kind in of {
                let Some(text) = kind.text(seed, size) else { continue };
                let mut dice = Dice::named(seed, &format!("{} {size} questions", kind.name));
                let questions = question::about(&text, kind.record, &mut dice);
                tasks.push(Task {
                    kind: kind.name,
                    size,
                    seed,
                    digest: digest(text.as_bytes()),
                    tokens: meter::tokens(&text),
                    questions,
                    text,
                });
            }
        }
    }
    tasks
}

/// What a model is asked, and the words of each answer. Nobody is asked to repeat the whole.
pub(crate) fn print_tasks() {
    for (number, task) in tasks(true).iter().enumerate() {
        for question in &task.questions {
            let Some(answer) = question.answer() else { continue };
            println!(
                "{}",
                json!({
                    "id": format!("r{number}"), "kind": task.kind, "size": task.size, "data": task.digest, "name": question.name,
                    "question": question.words(), "answer": answer, "text": task.text,
                })
            );
        }
    }
}

/// The strategies of the file that are wanted.
///
/// # Errors
/// When the file cannot be read.
pub(crate) fn entries(options: &Options) -> Result<Vec<Entry>, String> {
    let file = &options.strategies;
    let text =
        std::fs::read_to_string(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let all: Vec<Entry> =
        serde_json::from_str(&text).map_err(|error| format!("{}: {error}", file.display()))?;
    let wanted = |entry: &Entry| {
        options.only.is_empty() || entry.name == CONTROL || options.only.contains(&entry.name)
    };
    Ok(all.into_iter().filter(wanted).collect())
}

/// Runs and reports.
///
/// # Errors
/// When nothing can be run or written.
pub(crate) fn run(options: &Options) -> Result<(), String> {
    let begun = std::time::Instant::now();
    let entries = entries(options)?;
    let folder = options.strategies.parent().map(std::path::Path::to_path_buf).unwrap_or_default();
    let tasks = tasks(options.quick);
    let pool = tools::pool();
    let questions: usize = tasks.iter().map(|task| task.questions.len()).sum();
    eprintln!("{} results, {questions} questions, {} strategies", tasks.len(), entries.len());
    let waiting = Mutex::new((0..entries.len()).collect::<Vec<_>>());
    let done: Vec<Mutex<Result<Vec<Value>, String>>> =
        entries.iter().map(|_| Mutex::new(Ok(Vec::new()))).collect();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                loop {
                    // The slowest stand last in the file.
                    let next = waiting.lock().ok().and_then(|mut waiting| waiting.pop());
                    let Some(at) = next else { break };
                    let start = std::time::Instant::now();
                    let rows = measure(&entries[at], &folder, &tasks, &pool, options.quick);
                    let said = rows
                        .as_ref()
                        .map_or_else(String::clone, |rows| format!("{} rows", rows.len()));
                    eprintln!(
                        "{}: {said} ({:.0} s)",
                        entries[at].name,
                        start.elapsed().as_secs_f64()
                    );
                    if let Ok(mut place) = done[at].lock() {
                        *place = rows;
                    }
                }
            });
        }
    });
    let mut rows = Vec::new();
    let mut missing = Vec::new();
    for (entry, found) in entries.iter().zip(done) {
        match found.into_inner().unwrap_or_else(|_| Err("its thread ended".to_owned())) {
            Ok(found) => rows.extend(found),
            Err(why) => missing.push((entry.name.clone(), why)),
        }
    }
    if let Some((_, why)) = missing.iter().find(|(name, _)| name == CONTROL) {
        return Err(format!("the control `{CONTROL}` did not run: {why}"));
    }
    let write = |name: &str, text: &str| {
        let path = options.out.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    };
    std::fs::create_dir_all(&options.out)
        .map_err(|error| format!("{}: {error}", options.out.display()))?;
    let lines: String = rows.iter().map(|row| format!("{row}\n")).collect();
    write("rows.jsonl", &lines)?;
    let report = report::report(&rows, &entries, &missing, options.quick);
    write("report.md", &report.page)?;
    write("results.svg", &report.results)?;
    write("tools.svg", &report.tools)?;
    println!(
        "{}: {} rows, {:.0} s",
        options.out.join("report.md").display(),
        rows.len(),
        begun.elapsed().as_secs_f64()
    );
    Ok(())
}

fn measure(
    entry: &Entry,
    folder: &std::path::Path,
    tasks: &[Task],
    (pool, requests): &(Vec<Value>, Vec<tools::Request>),
    quick: bool,
) -> Result<Vec<Value>, String> {
    let mut strategy = Strategy::start(entry, folder)?;
    let mut rows = Vec::new();
    let stamp = |strategy: &Strategy, mut row: Value, more: Value| {
        for (key, value) in more.as_object().into_iter().flatten() {
            row[key] = value.clone();
        }
        row["strategy"] = json!(strategy.entry.name);
        row["version"] = json!(strategy.version);
        row["program"] = json!(strategy.digest);
        row["bench"] = json!(env!("CARGO_PKG_VERSION"));
        row
    };
    if entry.parts.iter().any(|part| part == "results") {
        for (number, task) in tasks.iter().enumerate() {
            strategy.forget();
            let id = format!("r{number}");
            let first = strategy.ask(&json!({"op": "result", "id": id, "text": task.text}))?;
            // What it says about a cut must stand in what the model sees.
            if let Some(notice) = first.reply["notice"].as_str()
                && !first.shown.contains(notice)
            {
                return Err(format!("its notice `{notice}` is not in what it shows"));
            }
            for question in &task.questions {
                for reader in [Reader::Least, Reader::Sensible, Reader::Dull] {
                    // All pages of a megabyte fill no window more than once: one bound is enough.
                    if reader == Reader::Dull && task.size > 300_000 {
                        continue;
                    }
                    let reading =
                        reader::answer(&mut strategy, &id, &task.text, &first, question, reader)?;
                    let row = json!({
                        "part": "results", "kind": task.kind, "size": task.size, "seed": task.seed, "data": task.digest,
                        "whole": task.tokens, "question": question.name, "reader": reader, "shown": first.tokens,
                        "fired": *first.shown != *task.text, "ran": first.is("ran"),
                    });
                    rows.push(stamp(&strategy, row, json!(reading)));
                }
            }
        }
    }
    if entry.parts.iter().any(|part| part == "tools") {
        for seed in if quick { 1..2 } else { 1..3_u64 } {
            for size in tools::SIZES {
                for weight in tools::WEIGHTS {
                    // There are no more of the small and large ones; the quick form leaves the largest out.
                    if weight != "mixed" && size > 320
                        || quick && size > 160
                        || size > 2_560 && seed > 1
                    {
                        continue;
                    }
                    let catalogue = tools::draw(pool, requests, size, weight, seed);
                    let offer = tools::offer(&mut strategy, &catalogue.tools)?;
                    let direct: usize =
                        catalogue.tools.iter().map(crate::strategy::definition).sum();
                    let data = digest(json!(catalogue.tools).to_string().as_bytes());
                    for (number, request) in catalogue.requests.iter().enumerate() {
                        for chooser in [Chooser::Judging, Chooser::Trusting] {
                            let served = tools::serve(&mut strategy, &offer, request, chooser)?;
                            let row = json!({
                                "part": "tools", "tools": size, "weight": weight, "seed": seed, "data": data, "whole": direct,
                                "static": offer.definitions, "fired": offer.deferred, "request": number,
                                "right": request.right.len(), "chooser": chooser,
                            });
                            rows.push(stamp(&strategy, row, json!(served)));
                        }
                    }
                }
            }
        }
    }
    Ok(rows)
}
