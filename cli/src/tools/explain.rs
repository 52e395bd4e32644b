//! `weir tools explain`: why a tool has the score it has.

use serde_json::json;
use weir_host::Weir;

use super::args::Explain;
use super::files;
use crate::answer::Answer;
use crate::console::Console;
use crate::failure::Failure;

pub(super) fn run(args: &Explain, weir: &Weir, console: &mut Console) -> Result<Answer, Failure> {
    let catalog = files::open(&args.files, weir, console)?;
    let Some(e) = catalog.explain(&args.query, &args.name)? else {
        if console.json() {
            console.value(&json!({"tool": null}))?;
        } else {
            console.line(format_args!("no tool is called {}", args.name))?;
        }
        return Ok(Answer::No);
    };
    if console.json() {
        console.value(&json!(e))?;
        return Ok(Answer::Yes);
    }
    let place = match e.rank {
        Some(rank) => format!("rank {rank}, {}", if e.confident { "sure" } else { "weak" }),
        None => "no hit".to_owned(),
    };
    console.line(format_args!("{}: {place}", e.tool))?;
    if !e.admitted {
        console.line("the query's filters leave it out")?;
    }
    if e.exact {
        console.line("the query is its name, so it comes first")?;
    }
    console.line(format_args!(
        "score {:.3} = words {:.3} + meaning {:.3}",
        e.score, e.lexical, e.semantic
    ))?;
    if !e.terms.is_empty() {
        console.line(format_args!(
            "{:<20} {:>6} {:>6} {:>6}  FIELDS",
            "TERM", "SCORE", "IDF", "WEIGHT"
        ))?;
    }
    for term in &e.terms {
        console.line(format_args!(
            "{:<20} {:>6.3} {:>6.2} {:>6.2}  {}{}",
            term.term,
            term.score,
            term.idf,
            term.weight,
            term.fields.join(", "),
            if term.expanded { " (near a word of the query)" } else { "" },
        ))?;
    }
    if !e.unmatched.is_empty() {
        console.line(format_args!("no tool has: {}", e.unmatched.join(", ")))?;
    }
    Ok(Answer::Yes)
}
