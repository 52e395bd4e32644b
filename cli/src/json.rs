//! The contract's answers as JSON, for `--json`: field names as in `wit/`, in snake case.

use serde_json::{Value, json};
use weir_host::contract::{
    BlobStat, Cursor, Encoding, GrepPage, Handle, Page, Part, Problem, Transformed, Unit, Values,
};

pub(crate) fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Lines => "lines",
        Unit::Bytes => "bytes",
        Unit::Chars => "chars",
    }
}

pub(crate) fn handle(handle: &Handle) -> Value {
    json!({
        "id": handle.id, "digest": handle.digest, "uri": handle.uri, "tool": handle.tool,
        "kind": handle.kind, "media_type": handle.media_type, "bytes": handle.bytes,
        "chars": handle.chars, "lines": handle.lines, "estimated_tokens": handle.estimated_tokens,
        "source": handle.source, "envelope": handle.envelope,
    })
}

pub(crate) fn stat(stat: &BlobStat) -> Value {
    json!({
        "handle": handle(&stat.handle), "raw_lines": stat.raw_lines, "raw_chars": stat.raw_chars,
        "stored_at": stat.stored_at, "used_at": stat.used_at,
        "expires_at": stat.expires_at, "pinned": stat.pinned, "arguments_digest": stat.arguments_digest,
    })
}

fn cursor(cursor: &Cursor) -> Value {
    json!({"unit": unit(cursor.unit), "start": cursor.start, "count": cursor.count})
}

pub(crate) fn page(page: &Page) -> Value {
    json!({
        "content": page.content,
        "encoding": match page.encoding { Encoding::Utf8 => "utf8", Encoding::Escaped => "escaped" },
        "unit": unit(page.unit), "start": page.start, "end": page.end, "total": page.total,
        "start_byte": page.start_byte, "end_byte": page.end_byte, "next": page.next.as_ref().map(cursor),
    })
}

pub(crate) fn grep(page: &GrepPage) -> Value {
    let hits: Vec<Value> = page
        .lines
        .iter()
        .map(|hit| {
            json!({
                "line": hit.line, "column": hit.column, "byte": hit.byte, "text": hit.text,
                "cut_before": hit.cut_before, "cut_after": hit.cut_after,
            })
        })
        .collect();
    json!({
        "hits": hits, "matches": page.matches, "matching_lines": page.matching_lines,
        "complete": page.complete, "scanned_from": page.scanned_from,
        "scanned_to": page.scanned_to, "total_bytes": page.total_bytes, "next": page.next,
        "not_searched": page.not_searched,
    })
}

pub(crate) fn replacement(replacement: &Transformed) -> Value {
    let parts: Vec<Value> = replacement
        .parts
        .iter()
        .map(|part| match part {
            Part::Text(text) => json!({"type": "text", "text": text}),
            Part::Binary(binary) => json!({"type": "binary", "media_type": binary.media_type, "data": binary.data}),
            Part::Pointer(link) => json!({"type": "link", "uri": link.uri, "name": link.name, "media_type": link.media_type}),
        })
        .collect();
    json!({
        "replaced": true, "reason": replacement.reason,
        "parts": parts,
        "handles": replacement.handles.iter().map(handle).collect::<Vec<_>>(),
        "chars_before": replacement.chars_before, "chars_after": replacement.chars_after,
        "estimated_tokens_before": replacement.estimated_tokens_before,
        "estimated_tokens_after": replacement.estimated_tokens_after,
        "store_failure": replacement.store_failure,
    })
}

pub(crate) fn problem(problem: &Problem) -> Value {
    json!({"key": problem.key, "message": problem.message, "used": problem.used})
}

pub(crate) fn settings(values: &Values) -> Value {
    use weir_host::contract::RuleAction;
    let rules: Vec<Value> = values
        .transform
        .rules
        .iter()
        .map(|rule| match rule.action {
            RuleAction::Threshold => {
                json!({"tool": rule.tool, "threshold": rule.threshold_chars})
            }
            RuleAction::Always => json!({"tool": rule.tool, "action": "always"}),
            RuleAction::Never => json!({"tool": rule.tool, "action": "never"}),
        })
        .collect();
    let (t, f, s) = (&values.transform, &values.fetch, &values.store);
    json!({
        "transform": {
            "threshold_chars": t.threshold_chars, "threshold_tokens": t.threshold_tokens,
            "context_tokens": t.context_tokens, "turn_budget_chars": t.turn_budget_chars,
            "handle_max_chars": t.handle_max_chars,
            "client_max_chars": t.client_max_chars, "head_lines": t.head_lines, "tail_lines": t.tail_lines,
            "line_max_chars": t.line_max_chars, "json_head_items": t.json_head_items,
            "json_tail_items": t.json_tail_items, "anchor_lines": t.anchor_lines,
            "anchor_words": t.anchor_words, "rules": rules, "exclude": t.exclude,
            "fallback_max_chars": t.fallback_max_chars, "binary_inline_bytes": t.binary_inline_bytes,
        },
        "fetch": {
            "max_chars": f.max_chars, "full_max_chars": f.full_max_chars, "refuse_full": f.refuse_full,
            "grep_max_matches": f.grep_max_matches, "grep_line_chars": f.grep_line_chars,
            "default_lines": f.default_lines, "legacy_global": f.legacy_global,
        },
        "store": {
            "max_bytes": s.max_bytes, "ttl": s.ttl_seconds, "hot_ttl": s.hot_ttl_seconds,
            "hot_fetches": s.hot_fetches, "tombstone_ttl": s.tombstone_ttl_seconds, "grace": s.grace_seconds,
        },
    })
}
