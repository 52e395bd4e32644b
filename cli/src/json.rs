//! The contract's answers as JSON, for `--json`, where they are not what serde makes of them: field names as in
//! `wit/`, in snake case.

use serde_json::{Value, json};
use weir_host::contract::{
    Cursor, Encoding, GrepPage, Page, Part, RuleAction, Transformed, Unit, Values,
};

pub(crate) fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Lines => "lines",
        Unit::Bytes => "bytes",
        Unit::Chars => "chars",
    }
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
    json!({
        "hits": page.lines, "matches": page.matches, "matching_lines": page.matching_lines,
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
        "handles": replacement.handles,
        "chars_before": replacement.chars_before, "chars_after": replacement.chars_after,
        "estimated_tokens_before": replacement.estimated_tokens_before,
        "estimated_tokens_after": replacement.estimated_tokens_after,
        "store_failure": replacement.store_failure,
    })
}

pub(crate) fn settings(values: &Values) -> Value {
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
    let mut transform = json!(values.transform);
    transform["rules"] = rules.into();
    let s = &values.store;
    json!({
        "transform": transform, "fetch": values.fetch,
        "store": {
            "max_bytes": s.max_bytes, "ttl": s.ttl_seconds, "hot_ttl": s.hot_ttl_seconds,
            "hot_fetches": s.hot_fetches, "tombstone_ttl": s.tombstone_ttl_seconds, "grace": s.grace_seconds,
        },
    })
}
