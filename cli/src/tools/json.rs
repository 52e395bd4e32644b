//! What the contract says of tools as JSON, for `--json`: field names as in `wit/`, in snake case.

use serde_json::value::RawValue;
use serde_json::{Value, json};
use weir_host::contract::{DescribedTool, SearchAnswer, SearchGroup, ToolMatch};

/// A state in words, with its reason.
pub(super) fn state(state: &str, reason: Option<&str>) -> String {
    match reason {
        Some(reason) => format!("{state}: {reason}"),
        None => state.to_owned(),
    }
}

pub(super) fn search_answer(answer: &SearchAnswer) -> Value {
    json!({
        "groups": answer.groups.iter().map(group).collect::<Vec<_>>(),
        "unanswered": answer.unanswered, "total": answer.total,
        "servers": answer.servers.iter().map(|server| json!({
            "name": server.name, "tools": server.tools, "state": state(&server.state, server.reason.as_deref()),
        })).collect::<Vec<_>>(),
        "servers_left_out": answer.servers_left_out, "note": answer.note,
    })
}

fn group(group: &SearchGroup) -> Value {
    json!({
        "query": group.query,
        "matches": group.matches.iter().map(hit).collect::<Vec<_>>(),
        "weak": group.weak, "direct": group.direct, "unmatched": group.unmatched,
        "corrections": group.corrections, "left_out": group.left_out, "hint": group.hint,
    })
}

fn hit(hit: &ToolMatch) -> Value {
    json!({
        "name": hit.name, "server": hit.server, "summary": hit.summary,
        "signature": hit.signature, "complete": hit.complete, "risk": hit.risk,
        "state": state(&hit.state, hit.reason.as_deref()), "schema": hit.schema,
        "exact_schema": hit.exact_schema.as_deref().map(schema), "score": hit.score,
    })
}

pub(super) fn described(tool: &DescribedTool) -> Value {
    let mut value = json!({
        "name": tool.name, "server": tool.server, "description": tool.description,
        "clipped": tool.clipped, "risk": tool.risk, "state": state(&tool.state, tool.reason.as_deref()),
        "schema": tool.schema,
    });
    let (key, arguments) = match (tool.arguments_form.as_str(), &tool.long) {
        ("exact", _) => ("exact_schema", schema(&tool.arguments)),
        ("signature", _) => ("signature", json!(tool.arguments)),
        ("too-long", Some(long)) => ("too_long", json!(long)),
        ("no-such-path", _) => ("no_such_path", json!({"there_are": tool.names})),
        _ => return value,
    };
    value[key] = arguments;
    value
}

/// A schema as JSON where it is, else as text.
fn schema(text: &str) -> Value {
    serde_json::from_str::<&RawValue>(text)
        .ok()
        .and_then(|raw| serde_json::to_value(raw).ok())
        .unwrap_or_else(|| json!(text))
}
