//! The contract's answers as JSON, for `--json`, where they are not what serde makes of them: field names as in
//! `wit/`, in snake case.

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};
use weir_host::contract::{Encoding, GrepPage, Page, Part, Transformed, Unit, View};

pub(crate) fn unit(unit: Unit) -> &'static str {
    match unit {
        Unit::Lines => "lines",
        Unit::Bytes => "bytes",
        Unit::Chars => "chars",
    }
}

pub(crate) fn page(page: &Page) -> Value {
    json!({
        "content": page.content,
        "encoding": match page.encoding { Encoding::Utf8 => "utf8", Encoding::Escaped => "escaped" },
        "unit": unit(page.unit), "start": page.start, "end": page.end, "total": page.total,
        "start_byte": page.start_byte, "end_byte": page.end_byte, "more": page.more,
    })
}

pub(crate) fn grep(page: &GrepPage) -> Value {
    json!({
        "hits": page.lines, "view": match page.view { View::Text => "text", View::Raw => "raw" },
        "matches": page.matches, "matching_lines": page.matching_lines, "complete": page.complete,
        "searched_to": page.searched_to, "total_bytes": page.total_bytes,
        "not_searched": page.not_searched, "more": page.more,
    })
}

/// A result that was left as it is.
pub(crate) fn whole(bytes: Vec<u8>) -> Value {
    match String::from_utf8(bytes) {
        Ok(text) => json!({"replaced": false, "text": text}),
        Err(not) => json!({"replaced": false, "base64": BASE64_STANDARD.encode(not.as_bytes())}),
    }
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
