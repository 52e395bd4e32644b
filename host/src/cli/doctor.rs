//! `weir doctor`: is everything that is stored what it was?

use serde_json::json;

use super::Answer;
use super::console::{Console, progress};
use super::context::Context;
use super::report::Failure;
use super::status::size;

pub(crate) fn run(context: &Context<'_>, console: &mut Console) -> Result<Answer, Failure> {
    let weir = context.weir(console)?;
    let bar = progress("checking");
    let result = weir.doctor(|state| {
        bar.set_prefix(format!("{} blobs, {}", state.blobs, size(state.bytes)));
        bar.tick();
    });
    bar.finish_and_clear();
    let report = result?;
    if console.json() {
        let findings: Vec<_> = report
            .findings
            .iter()
            .map(|found| json!({"path": found.path, "message": found.message}))
            .collect();
        console.value(&json!({
            "blobs": report.blobs, "bytes": report.bytes, "references": report.references, "findings": findings,
        }))?;
    } else {
        for found in &report.findings {
            console.line(format_args!("{}: {}", found.path, found.message))?;
        }
        console.line(format_args!(
            "{} blobs ({}) and {} references checked: {}",
            report.blobs,
            size(report.bytes),
            report.references,
            match report.findings.len() {
                0 => "all good".to_owned(),
                1 => "1 thing is wrong".to_owned(),
                n => format!("{n} things are wrong"),
            }
        ))?;
    }
    Ok(if report.findings.is_empty() { Answer::Yes } else { Answer::No })
}
