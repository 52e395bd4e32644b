//! `weir inspect`: what the component is.

use serde_json::json;
use weir_host::Engine;

use super::numbers::size;
use super::{Answer, Context, Failure};

pub(crate) fn run(context: &Context<'_>) -> Result<Answer, Failure> {
    let console = &context.console;
    let source = context.source()?;
    let bytes = source.bytes()?.len() as u64;
    let interfaces = Engine::new(&source, &context.compiled())?.interfaces();
    if console.json() {
        console.value(&json!({
            "bytes": bytes, "imports": interfaces.imports, "exports": interfaces.exports,
        }))?;
        return Ok(Answer::Yes);
    }
    console.line(format_args!("size     {} ({bytes} bytes)", size(bytes)))?;
    for (title, names) in [("exports", &interfaces.exports), ("imports", &interfaces.imports)] {
        for (index, name) in names.iter().enumerate() {
            console.line(format_args!("{:<8} {name}", if index == 0 { title } else { "" }))?;
        }
    }
    Ok(Answer::Yes)
}
