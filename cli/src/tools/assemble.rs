//! `weir tools assemble`: what a model would see in place of all tools.

use serde_json::{Value, json};
use weir_host::Weir;
use weir_host::contract::{Assembly, ModelTool};

use super::args::Assemble;
use super::files;
use crate::answer::Answer;
use crate::console::Console;
use crate::failure::Failure;
use crate::numbers::group;

pub(super) fn run(args: &Assemble, weir: &Weir, console: &mut Console) -> Result<Answer, Failure> {
    let catalog = files::open(&args.files, weir, console)?;
    let assembly = catalog.assemble(Some(&settings(args).to_string()), args.context)?;
    for warning in &assembly.warnings {
        console.note(format_args!("warning: {warning}"));
    }
    if console.json() {
        console.value(&assembly_json(&assembly))?;
        return Ok(Answer::Yes);
    }
    if args.show {
        for tool in &assembly.bridge {
            console.line(definition_json(tool))?;
        }
        if !assembly.block.is_empty() {
            console.line(&assembly.block)?;
        }
        return Ok(Answer::Yes);
    }
    let tools = assembly.visible.len() + assembly.deferred as usize;
    let (before, after) = (assembly.total_tokens, shown_tokens(&assembly));
    console.line(format_args!("{}", reason(&assembly)))?;
    console.line(format_args!("{:<8} {:>7} {:>10}", "", "TOOLS", "TOKENS"))?;
    console.line(format_args!("{:<8} {:>7} {:>10}", "before", tools, group(before)))?;
    console.line(format_args!(
        "{:<8} {:>7} {:>10}   {:.1} % saved",
        "after",
        assembly.visible.len() + assembly.bridge.len(),
        group(after),
        100.0 * (1.0 - f64::from(after) / f64::from(before.max(1))),
    ))?;
    if assembly.active {
        console.line(format_args!(
            "{:<8} {:>7} {:>10}   listing: {}",
            "bridge",
            assembly.bridge.len(),
            group(assembly.bridge_tokens),
            assembly.listing,
        ))?;
    }
    Ok(Answer::Yes)
}

/// Estimated tokens of all that the model is shown.
fn shown_tokens(assembly: &Assembly) -> u32 {
    match assembly.active {
        true => (assembly.total_tokens + assembly.bridge_tokens)
            .saturating_sub(assembly.deferred_tokens),
        false => assembly.total_tokens,
    }
}

/// The settings that were given; `null` is as by default.
fn settings(args: &Assemble) -> Value {
    json!({
        "mode": args.mode,
        "threshold_percent": args.threshold_percent,
        "threshold_tokens": args.threshold_tokens,
        "listing_max_tokens": args.listing_tokens,
        "listing_percent": args.listing_percent,
        "placement": args.placement,
        "untrusted": args.untrusted,
        "defer": args.defer,
        "pin": args.pin,
        "force_defer": args.force_defer,
        "required": args.require,
        "sort_visible": args.by_name,
    })
}

fn reason(assembly: &Assembly) -> String {
    match assembly.reason.as_str() {
        "deferred" => format!("{} tools are deferred", assembly.deferred),
        "off" => "nothing is deferred: it is switched off".into(),
        "nothing-to-defer" => "there is nothing to defer".into(),
        "below-threshold" => format!(
            "nothing is deferred: the schemas are below the threshold of {} tokens",
            group(assembly.threshold_tokens)
        ),
        "saves-nothing" => "nothing is deferred: it would save nothing".into(),
        other => format!("nothing is deferred: {other}"),
    }
}

/// A definition as model providers take it.
fn definition_json(tool: &ModelTool) -> Value {
    let schema: Value = serde_json::from_str(&tool.input_schema).unwrap_or_default();
    json!({"name": tool.name, "description": tool.description, "inputSchema": schema})
}

fn assembly_json(assembly: &Assembly) -> Value {
    json!({
        "active": assembly.active,
        "reason": assembly.reason,
        "visible": assembly.visible,
        "bridge": assembly.bridge.iter().map(definition_json).collect::<Vec<_>>(),
        "block": assembly.block, "deferred": assembly.deferred,
        "listing": assembly.listing,
        "tokens_before": assembly.total_tokens, "tokens_after": shown_tokens(assembly),
        "deferred_tokens": assembly.deferred_tokens, "bridge_tokens": assembly.bridge_tokens,
        "threshold_tokens": assembly.threshold_tokens, "warnings": assembly.warnings,
    })
}
