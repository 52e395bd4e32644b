//! How often an excerpt holds the line that answers a purpose, with the purpose and without.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant, SystemTime};

use serde::Deserialize;
use weir_component::settings::{StoreSettings, TransformSettings};
use weir_component::spill::result::{FinishedResult, Origin, Outcome, Part, Shown};
use weir_component::spill::{Spill, transform};
use weir_component::store::BlobStore;

use crate::Fallible;

#[derive(clap::Args)]
pub(crate) struct Args {
    /// `triples.jsonl`, as `dev/lab/purpose/make.py` writes it
    file: PathBuf,
    /// Only this half: `tuning` or `held`
    #[arg(long)]
    half: Option<String>,
    /// List what is not shown
    #[arg(long)]
    missed: bool,
}

/// A purpose, a result, and what must all be in the excerpt.
#[derive(Deserialize)]
struct Triple {
    kind: String,
    half: String,
    purpose: String,
    answer: Vec<String>,
    result: String,
}

/// What came of some triples, without their purpose and with it.
#[derive(Default)]
struct Sum {
    triples: usize,
    shown: [usize; 2],
    chars: [usize; 2],
    time: [Duration; 2],
    longer: usize,
}

pub(crate) fn run(args: &Args) -> Fallible<()> {
    let folder = std::env::temp_dir().join(format!("weir-lab-purpose-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let measured = measure(args, &folder);
    fs::remove_dir_all(&folder)?;
    measured
}

fn measure(args: &Args, folder: &std::path::Path) -> Fallible<()> {
    let mut kinds: BTreeMap<String, Sum> = BTreeMap::new();
    let mut bytes = 0;
    for line in fs::read_to_string(&args.file)?.lines() {
        let triple: Triple = serde_json::from_str(line)?;
        if args.half.as_ref().is_some_and(|half| *half != triple.half) {
            continue;
        }
        bytes += triple.result.len();
        let sum = kinds.entry(triple.kind.clone()).or_default();
        sum.triples += 1;
        let mut widths = [0; 2];
        for (at, purpose) in [None, Some(triple.purpose.clone())].into_iter().enumerate() {
            // Stored once before: what is timed is the excerpt, not the disk.
            shown(folder, &triple.result, purpose.clone())?;
            let began = Instant::now();
            let text = shown(folder, &triple.result, purpose)?;
            sum.time[at] += began.elapsed();
            widths[at] = text.chars().count();
            sum.chars[at] += widths[at];
            // JSON on one line in an excerpt may stand with other blanks.
            let found = |needle: &String| text.contains(needle.as_str());
            let is_shown = match triple.answer.len() {
                1 => found(&triple.answer[0]),
                _ => text.lines().any(|line| triple.answer.iter().all(|one| line.contains(one))),
            };
            sum.shown[at] += usize::from(is_shown);
            if at == 1 && !is_shown && args.missed {
                println!("{}: {} | {}", triple.kind, triple.purpose, triple.answer.join(" "));
            }
        }
        sum.longer += usize::from(widths[1] > widths[0]);
    }
    println!("kind | triples | shown without, with | characters without, with | longer");
    let mut all = Sum::default();
    for (kind, sum) in &kinds {
        print(kind, sum);
        all.triples += sum.triples;
        all.longer += sum.longer;
        for at in 0..2 {
            all.shown[at] += sum.shown[at];
            all.chars[at] += sum.chars[at];
            all.time[at] += sum.time[at];
        }
    }
    print("all", &all);
    let per_mb = |time: Duration| time.as_secs_f64() * 1e9 / bytes.max(1) as f64;
    println!("{:.1} ms a MB without, {:.1} with", per_mb(all.time[0]), per_mb(all.time[1]));
    Ok(())
}

fn print(kind: &str, sum: &Sum) {
    let share = |at: usize| sum.shown[at] as f64 / sum.triples.max(1) as f64;
    let mean = |at: usize| sum.chars[at] / sum.triples.max(1);
    println!(
        "{kind} | {} | {:.2}, {:.2} | {}, {} | {}",
        sum.triples,
        share(0),
        share(1),
        mean(0),
        mean(1),
        sum.longer
    );
}

/// What a model sees of a result.
fn shown(folder: &std::path::Path, result: &str, purpose: Option<String>) -> Fallible<String> {
    let settings = TransformSettings::default();
    let store = || BlobStore::open(folder, StoreSettings::default());
    let spill = Spill { settings: &settings, open: &store, now: SystemTime::now() };
    let origin =
        Origin { session: "lab".into(), tool: "tool".into(), purpose, ..Origin::default() };
    let result = FinishedResult {
        origin,
        parts: vec![Part::Text(result.to_owned())],
        ..FinishedResult::default()
    };
    match transform(&spill, &result).map_err(|error| error.to_string())? {
        Outcome::Unchanged { reason, .. } => Err(format!("left: {}", reason.as_str()).into()),
        Outcome::Replaced(replacement) => Ok(replacement
            .shown
            .into_iter()
            .map(|one| match one {
                Shown::Text(text) => text,
                Shown::Left(_) => String::new(),
            })
            .collect()),
    }
}
